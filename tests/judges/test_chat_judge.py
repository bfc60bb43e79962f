"""The chat judge against a real HTTP server on loopback that answers from a script, faults included."""

import base64
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from chatserver import GOOD, ScriptedServer, dripping, served, silent
from painted import paint, picture_of
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.llm.chat_client import ChatClient
from salon.llm.retrying_client import retry_after
from salon.raster import decode
from salon.registry import resolve
from salon.types import Failure, Judge, Picture, Prompt, Verdict

PROMPT = Prompt(id="p", text="draw a peach hibiscus")
A, B = picture_of(paint("love", 1)), picture_of(paint("okay", 1))


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with served() as scripted:
        yield scripted


def judge_at(server: ScriptedServer, **options: Any) -> OpenAIJudge:
    return OpenAIJudge("eye", server.url, **{"deadline_s": 5.0, "backoff_s": 0.01, "cache": False, **options})


def one(judge: OpenAIJudge, a: Picture = A, b: Picture = B) -> Verdict | Failure:
    return judge.compare(PROMPT, [(a, b)])[0]


def failure_of(judge: OpenAIJudge, a: Picture = A, b: Picture = B) -> Failure:
    answer = one(judge, a, b)
    assert isinstance(answer, Failure)
    assert (answer.fault, answer.stage) == ("system", "judge")
    return answer


def test_it_asks_once_and_reads_the_verdict(server: ScriptedServer) -> None:
    judge = judge_at(server, api_key="secret", side=64)
    assert isinstance(judge, Judge)
    assert one(judge) == Verdict(p_a=1.0, judge=judge.identity, reason="softer")
    body = server.seen[0]
    assert (body["model"], body["temperature"]) == ("eye", 0.0)
    assert server.headers_seen[0]["Authorization"] == "Bearer secret"
    parts = body["messages"][1]["content"]
    assert "draw a peach hibiscus" in parts[0]["text"]
    assert [part["type"] for part in parts] == ["text", "image_url", "text", "image_url", "text"]
    shown = decode(base64.b64decode(parts[1]["image_url"]["url"].split(",")[1]))
    assert shown.size == (64, 64)
    assert "secret" not in repr(judge.server.settings)


@pytest.mark.parametrize(("text", "p_a"), [('{"winner": "B"}', 0.0), ('{"winner": "tie"}', 0.5)])
def test_losses_and_ties(server: ScriptedServer, text: str, p_a: float) -> None:
    server.script = [text]
    answer = one(judge_at(server))
    assert isinstance(answer, Verdict)
    assert answer.p_a == p_a


def test_the_same_picture_twice_is_a_tie_that_nobody_pays_for(server: ScriptedServer) -> None:
    answer = one(judge_at(server), A, A)
    assert isinstance(answer, Verdict)
    assert answer.p_a == 0.5
    assert server.seen == []


def test_an_answer_is_kept_by_content_and_a_failure_is_not(server: ScriptedServer) -> None:
    server.script = [401, GOOD]
    judge = judge_at(server)
    assert isinstance(one(judge), Failure)
    assert isinstance(one(judge), Verdict)
    assert isinstance(one(judge), Verdict)
    assert len(server.seen) == 2
    one(judge, B, A)
    assert len(server.seen) == 3


@pytest.mark.parametrize("fault", [500, 503, 429, 408, "I like A", "", '{"winner":'])
def test_what_may_pass_is_asked_again(server: ScriptedServer, fault: Any) -> None:
    server.script = [fault, fault, GOOD]
    assert isinstance(one(judge_at(server)), Verdict)
    assert len(server.seen) == 3


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (500, "judge_error"),
        ("A is nicer", "malformed_verdict"),
        ((200, {}, b"<html>proxy</html>"), "malformed_verdict"),
        ((200, {}, b'{"choices": []}'), "malformed_verdict"),
        ((200, {}, b'{"choices": [{"message": {"content": null}}]}'), "malformed_verdict"),
    ],
)
def test_what_never_passes_is_a_failure_after_every_attempt(
    server: ScriptedServer, fault: Any, code: str
) -> None:
    server.script = [fault]
    assert failure_of(judge_at(server, attempts=3)).code == code
    assert len(server.seen) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_refusal_is_not_asked_again(server: ScriptedServer, status: int) -> None:
    server.script = [GOOD, status]
    judge = judge_at(server)
    assert isinstance(one(judge), Verdict)
    failure = failure_of(judge, B, A)
    assert failure.code == "judge_refused"
    assert str(status) in failure.message
    assert len(server.seen) == 2


def test_retry_after_is_honoured(server: ScriptedServer) -> None:
    server.script = [(429, {"Retry-After": "0.4"}, b""), GOOD]
    started = time.monotonic()
    assert isinstance(one(judge_at(server)), Verdict)
    assert time.monotonic() - started >= 0.4


def test_a_retry_after_beyond_the_deadline_fails_at_once(server: ScriptedServer) -> None:
    """Who waited for its deadline would be ended with the test."""
    server.script = [(429, {"Retry-After": "7200"}, b"")]
    assert failure_of(judge_at(server, deadline_s=3600.0)).code == "judge_rate_limited"
    assert len(server.seen) == 1


def test_retry_after_reads_seconds_dates_and_nonsense() -> None:
    assert retry_after("3") == 3.0
    soon = datetime.now(UTC) + timedelta(seconds=30)
    assert 25 < retry_after(format_datetime(soon, usegmt=True)) <= 30
    assert retry_after(format_datetime(soon - timedelta(days=1), usegmt=True)) == 0.0
    assert [retry_after(text) for text in (None, "", "later", "-5")] == [0.0] * 4


@pytest.mark.parametrize("fault", [silent, dripping])
def test_silence_ends_with_the_deadline(server: ScriptedServer, fault: Any) -> None:
    """Who waited on would meet the end of the answer, which is another failure."""
    server.script = [fault]
    assert failure_of(judge_at(server, deadline_s=0.5)).code == "judge_timeout"


def test_a_dropped_connection_and_no_server_at_all(server: ScriptedServer) -> None:
    server.script = [lambda handler, body: None, GOOD]
    assert isinstance(one(judge_at(server)), Verdict)
    server.script = [(200, {"Transfer-Encoding": "chunked"}, b"no chunk\r\n")]
    assert failure_of(judge_at(server, deadline_s=1.5)).code == "judge_unreachable"
    nobody = OpenAIJudge("eye", "http://127.0.0.1:9/v1", deadline_s=0.3, backoff_s=0.01)
    assert failure_of(nobody).code == "judge_unreachable"


def test_ten_megabytes_are_not_read_to_the_end(server: ScriptedServer) -> None:
    server.script = [(200, {}, b'{"choices": "' + b"x" * 10_000_000)]
    assert failure_of(judge_at(server, attempts=1)).code == "malformed_verdict"


def test_pairs_are_answered_in_order_and_only_so_many_at_once(server: ScriptedServer) -> None:
    def by_content(handler: Any, body: dict[str, Any]) -> str:
        time.sleep(0.05)
        first = body["messages"][1]["content"][1]["image_url"]["url"]
        return GOOD if first == better else '{"winner": "B"}'

    judge = judge_at(server, concurrency=2)
    better = judge._shown.url(A)
    server.script = [by_content]
    others = [picture_of(paint("nope", seed)) for seed in range(4)]
    pairs = [pair for other in others for pair in ((A, other), (other, A))]
    answers = judge.compare(PROMPT, pairs)
    assert [a.p_a for a in answers if isinstance(a, Verdict)] == [1.0, 0.0] * 4
    assert server.most_busy == 2
    assert judge.compare(PROMPT, []) == []


def test_a_picture_that_cannot_be_read_spoils_its_pair_only(server: ScriptedServer) -> None:
    broken = Picture(png=A.png[:60], width=1, height=1, key="broken")
    good, bad = judge_at(server).compare(PROMPT, [(A, B), (broken, B)])
    assert isinstance(good, Verdict)
    assert isinstance(bad, Failure)
    assert bad.fault == "system"


def test_the_identity_changes_with_what_it_is_asked(server: ScriptedServer) -> None:
    identities = {
        judge_at(server).identity,
        judge_at(server, criteria="Choose.").identity,
        judge_at(server, temperature=0.5).identity,
    }
    assert len(identities) == 3
    assert resolve("judge", "openai") is OpenAIJudge


def test_a_plain_conversation_for_authors_of_rubrics(server: ScriptedServer) -> None:
    server.script = ["a rose"]
    chat = ChatClient(model="pen", base_url=server.url)
    messages = [{"role": "system", "content": "You know flowers."}, {"role": "user", "content": "Which?"}]
    assert chat.complete(messages, [A, B], temperature=0.7) == "a rose"
    body = server.seen[0]
    assert (body["model"], body["temperature"], body["messages"][0]) == ("pen", 0.7, messages[0])
    parts = body["messages"][1]["content"]
    assert [part["text"] for part in parts if part["type"] == "text"] == [
        "Which?",
        "Picture 1:",
        "Picture 2:",
    ]
    assert chat.complete(messages) == "a rose"
    assert server.seen[1]["messages"] == messages
    spent = chat.spent
    assert (spent.questions, spent.calls, spent.tokens_in, spent.tokens_out) == (2, 2, 200, 20)
