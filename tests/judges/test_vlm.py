"""The chat judge against a real HTTP server on loopback that answers from a script, faults included."""

import base64
import json
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from painted import paint, picture_of
from salon.extend import resolve
from salon.judges.chat import retry_after
from salon.judges.vlm import OpenAIJudge
from salon.raster import decode
from salon.types import Failure, Judge, Picture, Prompt, Verdict

PROMPT = Prompt(id="p", text="draw a peach hibiscus")
GOOD = '{"winner": "A", "reason": "softer"}'
A, B = picture_of(paint("love", 1)), picture_of(paint("okay", 1))


class ScriptedServer(ThreadingHTTPServer):
    """Answers from `script` in turn, with the last entry for ever: a text, a status, or a callable."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script: list[Any] = [GOOD]
        self.seen: list[dict[str, Any]] = []
        self.headers_seen: list[dict[str, str]] = []
        self.busy = self.most_busy = 0
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: ScriptedServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            step = self.server.script[min(len(self.server.seen), len(self.server.script) - 1)]
            self.server.seen.append(body)
            self.server.headers_seen.append(dict(self.headers))
            self.server.busy += 1
            self.server.most_busy = max(self.server.most_busy, self.server.busy)
        try:
            self._answer(step, body)
        except (BrokenPipeError, ConnectionResetError):
            pass
        finally:
            with self.server.lock:
                self.server.busy -= 1

    def _answer(self, step: Any, body: dict[str, Any]) -> None:
        if callable(step):
            step = step(self, body)
        if isinstance(step, int):
            step = (step, {}, b"out of order")
        if isinstance(step, str):
            message = {"choices": [{"message": {"role": "assistant", "content": step}}]}
            step = (200, {}, json.dumps(message).encode())
        if step is None:
            return
        status, headers, data = step
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    scripted = ScriptedServer()
    thread = threading.Thread(target=scripted.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield scripted
    scripted.shutdown()
    scripted.server_close()
    thread.join()


def judge_at(server: ScriptedServer, **options: Any) -> OpenAIJudge:
    return OpenAIJudge("eye", server.url, **{"deadline_s": 5.0, "backoff_s": 0.01, **options})


def one(judge: OpenAIJudge, a: Picture = A, b: Picture = B) -> Verdict | Failure:
    return judge.compare(PROMPT, [(a, b)])[0]


def failure_of(judge: OpenAIJudge) -> Failure:
    answer = one(judge)
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
    assert "secret" not in repr(judge._server)


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
        (429, "judge_rate_limited"),
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
    server.script = [status]
    failure = failure_of(judge_at(server))
    assert failure.code == "judge_refused"
    assert str(status) in failure.message
    assert len(server.seen) == 1


def test_retry_after_is_honoured(server: ScriptedServer) -> None:
    server.script = [(429, {"Retry-After": "0.4"}, b""), GOOD]
    started = time.monotonic()
    assert isinstance(one(judge_at(server)), Verdict)
    assert time.monotonic() - started >= 0.4


def test_a_retry_after_beyond_the_deadline_fails_at_once(server: ScriptedServer) -> None:
    server.script = [(429, {"Retry-After": "120"}, b"")]
    started = time.monotonic()
    assert failure_of(judge_at(server, deadline_s=2.0)).code == "judge_rate_limited"
    assert time.monotonic() - started < 1.5


def test_retry_after_reads_seconds_dates_and_nonsense() -> None:
    assert retry_after("3") == 3.0
    soon = datetime.now(UTC) + timedelta(seconds=30)
    assert 25 < retry_after(format_datetime(soon, usegmt=True)) <= 30
    assert retry_after(format_datetime(soon - timedelta(days=1), usegmt=True)) == 0.0
    assert [retry_after(text) for text in (None, "", "later", "-5")] == [0.0] * 4


def silent(handler: Any, body: Any) -> None:
    time.sleep(1.5)


def dripping(handler: Any, body: Any) -> None:
    handler.send_response(200)
    handler.end_headers()
    for _ in range(30):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.1)


@pytest.mark.parametrize("fault", [silent, dripping])
def test_silence_ends_with_the_deadline(server: ScriptedServer, fault: Any) -> None:
    server.script = [fault]
    started = time.monotonic()
    assert failure_of(judge_at(server, deadline_s=0.5)).code == "judge_timeout"
    assert time.monotonic() - started < 1.4


def test_a_dropped_connection_and_no_server_at_all(server: ScriptedServer) -> None:
    server.script = [lambda handler, body: None, GOOD]
    assert isinstance(one(judge_at(server)), Verdict)
    server.script = [(200, {"Transfer-Encoding": "chunked"}, b"no chunk")]
    assert failure_of(judge_at(server, attempts=1)).code == "judge_unreachable"
    nobody = OpenAIJudge("eye", "http://127.0.0.1:9/v1", attempts=2, backoff_s=0.01)
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
    better = judge._part(A)["image_url"]["url"]
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
        judge_at(server, instructions="Choose.").identity,
        judge_at(server, temperature=0.5).identity,
    }
    assert len(identities) == 3
    assert resolve("judge", "openai") is OpenAIJudge
