"""Servers that answer what no server should: nothing that was not said counts, leaks or hangs."""

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chatserver import GOOD, ScriptedServer, completion, served
from painted import paint, picture_of
from salon.errors import RecipeError, StageError
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.llm.chat_client import ChatClient
from salon.llm.connections import Connections
from salon.llm.json_reply import MAX_BRACES, the_object
from salon.llm.response_cache import ResponseCache
from salon.llm.retrying_client import retry_after
from salon.llm.usage import Account, on_account
from salon.types import Failure, Prompt, Verdict

PAIR = (picture_of(paint("okay", 1, side=48)), picture_of(paint("okay", 2, side=48)))


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with served() as scripted:
        yield scripted


def compare(url: str, text: str = "a rose", **options: Any) -> Verdict | Failure:
    given: dict[str, Any] = {"deadline_s": 3.0, "attempts": 2, "backoff_s": 0.01, "cache": False, **options}
    judge = OpenAIJudge("eye", url, **given)
    return judge.compare(Prompt(id="p", text=text), [PAIR])[0]


@pytest.mark.parametrize("counted", ["9" * 4000, "1e999", "NaN", "-5", '"7"', "null"])
def test_a_bill_that_cannot_be_is_none(server: ScriptedServer, counted: str) -> None:
    said = json.dumps(completion(GOOD) | {"usage": {"prompt_tokens": "n", "completion_tokens": 3}})
    server.script = [(200, {}, said.replace('"n"', counted).encode())]
    with on_account(Account()) as account:
        found = compare(server.url, price={"input": 1, "output": 1})
    assert isinstance(found, Verdict)
    spent = account.total.numbers()
    assert (spent["tokens_in"], spent["tokens_out"]) == (0.0, 3.0)


@pytest.mark.parametrize("logprob", [float("nan"), float("inf"), 0.7, -int("9" * 400)])
def test_what_is_no_log_probability_gives_no_odds(server: ScriptedServer, logprob: Any) -> None:
    others = [{"token": "A", "logprob": logprob}, {"token": "B", "logprob": -0.1}]
    tokens = [
        {"token": '{"winner": "'},
        {"token": "B", "top_logprobs": others},
        {"token": '", "reason": "softer"}'},
    ]
    said = completion(GOOD.replace('"A"', '"B"'))
    said["choices"][0]["logprobs"] = {"content": tokens}
    server.script = [said]
    found = compare(server.url)
    assert isinstance(found, Verdict)
    assert found.p_a == 0.0


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_told_and_the_key_stays_here(server: ScriptedServer, status: int) -> None:
    with served() as elsewhere:
        server.script = [(status, {"Location": f"{elsewhere.url}/chat/completions"}, b"")]
        found = compare(server.url, api_key="sk-secret")
        assert isinstance(found, Failure)
        assert elsewhere.url in found.message
        assert "base_url" in found.message
        assert elsewhere.seen == []


def test_half_surrogate_pairs_neither_go_out_nor_come_in(server: ScriptedServer) -> None:
    server.script = ['{"winner": "A", "reason": "\\ud800 softer"}']
    found = compare(server.url, "a \udfff rose, 花, 🌹")
    assert isinstance(found, Verdict)
    assert found.reason == "? softer"
    assert "a ? rose, 花, 🌹" in str(server.seen[0])


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://h:99999/v1", "no address"),
        ("http://[::1", "no address"),
        ("http://h:abc/v1", "no address"),
        ("http://h/v 1", "no address"),
        ("http://h\n/v1", "no address"),
        ("http://h/v1?version=1", "not sent"),
        ("http://user:secret@h/v1", "api_key"),
    ],
)
def test_an_address_that_would_not_be_asked_as_it_stands_is_refused(url: str, told: str) -> None:
    with pytest.raises(RecipeError, match="base_url") as error:
        Connections(url)
    assert told in str(error.value)
    assert "secret" not in str(error.value)


def test_an_ipv6_address_is_asked() -> None:
    assert (Connections("http://[::1]:8000/v1").host, Connections("https://[::1]/v1").url) == (
        "::1",
        "https://[::1]/v1",
    )


def test_a_key_that_cannot_be_sent_is_refused_and_never_shown(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in ("sk-secret\nX: y", "sk-“secret”"):
        with pytest.raises(RecipeError, match="api_key") as error:
            ChatClient(model="eye", base_url=server.url, api_key=key)
        assert "secret" not in str(error.value)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-\x07secret")
    with pytest.raises(RecipeError, match="OPENAI_API_KEY"):
        ChatClient(model="eye")
    chat = ChatClient(model="eye", base_url=server.url, api_key="sk-secret\n")
    chat.complete([{"role": "user", "content": "which?"}])
    assert server.headers_seen[0]["Authorization"] == "Bearer sk-secret"


def test_a_retry_after_of_no_year_is_none() -> None:
    assert retry_after("Mon, 01 Jan 99999999999 00:00:00 GMT") == 0.0
    assert retry_after("Mon, 01 Jan 2030 99999999999999999999:00:00 GMT") == 0.0


class Counting(json.JSONDecoder):
    """Counts how often it is asked."""

    asked = 0

    def raw_decode(self, s: str, idx: int = 0) -> Any:
        self.asked += 1
        return super().raw_decode(s, idx)


@pytest.mark.parametrize(("text", "most"), [('{"a":' * 3500, 3), ("{ " * 9000, MAX_BRACES + 3)])
def test_a_text_of_braces_is_given_up_soon(text: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each try takes as long as what the brace opens."""
    decoder = Counting()
    monkeypatch.setattr("salon.llm.json_reply._DECODER", decoder)
    with pytest.raises(StageError, match="malformed_verdict"):
        the_object(text, "winner", "name a winner")
    assert 0 < decoder.asked <= most


def test_some_braces_before_an_object_are_no_harm() -> None:
    assert the_object("{ " * 300 + GOOD, "winner", "name a winner")["winner"] == "A"


def test_a_disk_that_is_full_keeps_no_halves(tmp_path: Path) -> None:
    import resource

    kept, question = ResponseCache(tmp_path / "kept"), {"judge": "eye"}
    kept.keep(question, {"winner": "a"})
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        kept.keep({"judge": "other"}, {"reason": "r" * 100_000})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert len([file for file in (tmp_path / "kept").rglob("*") if file.is_file()]) == 1
    assert kept.find({"judge": "other"}, dict) == {"reason": "r" * 100_000}


ANSWERS = {
    "100 without end": b"HTTP/1.1 100 Continue\r\n\r\n" * 2000,
    "headers without end": b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 20_000,
    "chunks without end": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 20_000,
    "no chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "no status": b"HTTP/1.1 99999 OK\r\n\r\n",
    "no HTTP": bytes(range(256)) * 20,
}


@pytest.mark.parametrize("name", ANSWERS)
def test_what_is_hardly_http_ends_with_the_deadline(name: str) -> None:
    def answer() -> None:
        while True:
            try:
                connection, _ = listener.accept()
                connection.recv(65_536)
                connection.sendall(ANSWERS[name])
                held.append(connection)
            except OSError:
                return

    held: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=answer, daemon=True).start()
        # Without a deadline the test would never end.
        found = compare(f"http://127.0.0.1:{listener.getsockname()[1]}/v1", deadline_s=0.6)
        listener.shutdown(socket.SHUT_RDWR)
    for connection in held:
        connection.close()
    assert isinstance(found, Failure)
    assert found.fault == "system"
