"""HTTP as servers and what stands before them really write it: early hints, packed bodies, trailers, lies."""

import gzip
import json
import re
import socket
import threading
import time
import zlib
from collections.abc import Iterator
from typing import Any

import pytest

from chatserver import GOOD, ScriptedServer, completion, served
from painted import paint, picture_of
from salon.errors import RecipeError
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.llm.connections import MAX_BYTES, Connections, TooLarge
from salon.llm.usage import Account, on_account
from salon.types import Failure, Prompt, Verdict

PICTURES = [picture_of(paint("okay", seed, side=48)) for seed in range(5)]
PAIRS = [(a, b) for a in PICTURES for b in PICTURES if a.key != b.key]
BODY = json.dumps(completion(GOOD)).encode()


class RawServer:
    """Answers each request with raw bytes: `script` in turn, then its last entry; None hangs up.

    A request is read to its end first. `answered` counts requests, `opened` connections.
    """

    def __init__(self, *script: bytes | None) -> None:
        self.script = script
        self.answered = self.opened = 0
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self._held: list[socket.socket] = []
        self._lock = threading.Lock()
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for each in self._held:
            each.close()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.opened += 1
            self._held.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as lines:
            while self._read(lines):
                with self._lock:
                    said = self.script[min(self.answered, len(self.script) - 1)]
                    self.answered += 1
                if said is None:
                    return
                try:
                    connection.sendall(said)
                except OSError:
                    return
                head = said.partition(b"\r\n\r\n")[0]
                if b"Connection: close" in head or b"HTTP/1.0" in head:
                    return

    def _read(self, lines: Any) -> bytes:
        head = b""
        try:
            while not head.endswith(b"\r\n\r\n"):
                line = lines.readline()
                if not line:
                    return b""
                head += line
            return lines.read(int((re.search(rb"Content-Length: (\d+)", head) or [b"", b"0"])[1])) or b"-"
        except OSError:
            return b""


@pytest.fixture
def raw() -> Iterator[Any]:
    opened: list[RawServer] = []

    def start(*script: bytes | None) -> RawServer:
        opened.append(RawServer(*script))
        return opened[-1]

    yield start
    for server in opened:
        server.close()


def said(body: bytes, *headers: str, status: str = "200 OK", length: bool = True) -> bytes:
    lines = [f"HTTP/1.1 {status}", *headers, *([f"Content-Length: {len(body)}"] if length else [])]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def chunked(body: bytes, *trailers: str) -> bytes:
    parts = [body[at : at + 50] for at in range(0, len(body), 50)]
    chunks = b"".join(b"%x;name=value\r\n%s\r\n" % (len(part), part) for part in parts)
    tail = "".join(f"{line}\r\n" for line in trailers).encode()
    return said(chunks + b"0\r\n" + tail + b"\r\n", "Transfer-Encoding: chunked", length=False)


def judge_at(url: str, **options: Any) -> OpenAIJudge:
    given: dict[str, Any] = {"deadline_s": 3.0, "attempts": 2, "backoff_s": 0.01, "cache": False, **options}
    return OpenAIJudge("eye", url, **given)


def compare(url: str, **options: Any) -> Verdict | Failure:
    return judge_at(url, **options).compare(Prompt("p", "a rose"), PAIRS[:1])[0]


HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
GOOD_ANSWERS = {
    "100 first": b"HTTP/1.1 100 Continue\r\n\r\n" + said(BODY),
    "103 first": HINTS + said(BODY),
    "102, 103 and 103": b"HTTP/1.1 102 Processing\r\n\r\n" + HINTS + HINTS + said(BODY),
    "chunks": chunked(BODY),
    "trailers": chunked(BODY, "Expires: never", "X-Sum: 0"),
    "gzip": said(gzip.compress(BODY), "Content-Encoding: gzip"),
    "gzip in chunks": chunked(gzip.compress(BODY)).replace(
        b"\r\n\r\n", b"\r\nContent-Encoding: GZIP\r\n\r\n", 1
    ),
    "deflate": said(zlib.compress(BODY), "Content-Encoding: deflate"),
    "called gzip, and plain": said(BODY, "Content-Encoding: gzip"),
    "a byte-order mark": said(b"\xef\xbb\xbf" + BODY),
    "UTF-16": said(BODY.decode().encode("utf-16")),
    "HTTP/1.0 without a length": said(BODY, length=False).replace(b"HTTP/1.1", b"HTTP/1.0"),
    "no length": said(BODY, "Connection: close", length=False),
    "a length below nothing": said(BODY, "Content-Length: -5", "Connection: close", length=False),
    "white space around": said(b"\n\n  " + BODY + b"\n\n"),
}


@pytest.mark.parametrize("name", GOOD_ANSWERS)
def test_an_answer_is_read_however_it_is_wrapped(raw: Any, name: str) -> None:
    server = raw(GOOD_ANSWERS[name])
    found = compare(server.url)
    assert isinstance(found, Verdict), found
    assert found.winner == "a"
    assert server.answered == 1


def test_hints_never_move_answers_to_other_questions(raw: Any) -> None:
    """An answer that is left on an open connection would be the next question's."""
    bodies = [json.dumps(completion(GOOD.replace("softer", f"answer {n}"))).encode() for n in range(20)]
    server = raw(*(HINTS + said(body) for body in bodies))
    judge = judge_at(server.url, concurrency=1)
    found = judge.compare(Prompt("p", "a rose"), PAIRS)
    assert [each.reason for each in found if isinstance(each, Verdict)] == [f"answer {n}" for n in range(20)]
    assert server.opened == 1


BAD_ANSWERS = {
    "two answers in one": said(BODY + BODY),
    "a key twice": said(json.dumps(completion('{"winner": "A", "winner": "B"}')).encode()),
    "a chunk of a negative size": said(b"-5\r\n" + BODY, "Transfer-Encoding: chunked", length=False),
    "half a pack": said(gzip.compress(BODY)[:60], "Content-Encoding: gzip"),
    "a pack of something unknown": said(b"\x1b\x02" + BODY, "Content-Encoding: br"),
    "NaN": said(b"NaN"),
    "nothing": said(b""),
    "no content": said(b"", status="204 No Content"),
}


@pytest.mark.parametrize("name", BAD_ANSWERS)
def test_what_cannot_be_read_is_a_failed_judgement(raw: Any, name: str) -> None:
    found = compare(raw(BAD_ANSWERS[name]).url, deadline_s=1.0)
    assert isinstance(found, Failure), found
    assert found.fault == "system"
    assert found.code in ("malformed_verdict", "judge_unreachable", "judge_refused")


def test_a_bomb_and_a_body_without_end_take_no_memory(raw: Any) -> None:
    bomb = zlib.compressobj(wbits=31)
    packed = b"".join([bomb.compress(bytes(10_000_000)) for _ in range(20)]) + bomb.flush()
    for answer in (
        said(packed, "Content-Encoding: gzip"),
        said(bytes(MAX_BYTES + 1)),
        said(b"-1\r\n" + bytes(3 * MAX_BYTES), "Transfer-Encoding: chunked", length=False),
    ):
        with pytest.raises(TooLarge):
            Connections(raw(answer).url).exchange("/x", b"{}", {}, time.monotonic() + 5.0)


def test_a_server_that_hangs_up_after_reading_is_never_asked_beyond_the_budget(raw: Any) -> None:
    """On a connection that was kept open, a request may have been read before it was closed."""
    server = raw(said(BODY), None)
    judge = judge_at(server.url, concurrency=1, budget={"calls": 3}, deadline_s=0.5)
    with on_account(Account()) as account:
        found = judge.compare(Prompt("p", "a rose"), PAIRS[:6])
    assert isinstance(found[0], Verdict)
    assert all(isinstance(each, Failure) for each in found[1:])
    assert server.answered == 3
    assert account.total.calls == 3


@pytest.mark.parametrize(
    "header", ["-5", "nan", "inf", "1e400", "Thu, 01 Jan 1970 00:00:00 GMT", "soon", "", "٣"]
)
def test_a_retry_after_of_any_kind_is_lived_with(header: str) -> None:
    with served(ScriptedServer()) as server:
        server.script = [(429, {"Retry-After": header.encode().decode("latin-1")}, b"{}"), GOOD]
        found = compare(server.url, deadline_s=1.0)
    if header in ("inf", "1e400"):
        assert isinstance(found, Failure)
        assert found.code == "judge_rate_limited"
    else:
        assert isinstance(found, Verdict), found


def test_a_host_that_no_name_can_be_is_refused() -> None:
    for host in ("a..b", "x" * 70):
        with pytest.raises(RecipeError, match="base_url"):
            Connections(f"http://{host}/v1")


@pytest.mark.parametrize("budget", [{"tokens": 50}, {"usd": 1.0}])
def test_a_budget_that_nobody_can_keep_ends_after_the_first_answer(budget: Any) -> None:
    with served(ScriptedServer()) as server:
        server.script = [{"choices": completion(GOOD)["choices"]}]
        judge = judge_at(server.url, concurrency=1, budget=budget, price={"input": 1, "output": 1})
        found = judge.compare(Prompt("p", "a rose"), PAIRS[:3])
        assert len(server.seen) == 1
    assert isinstance(found[0], Verdict)
    assert isinstance(found[1], Failure)
    assert found[1].code == "judge_budget_spent"
    assert "budget.calls" in found[1].message
