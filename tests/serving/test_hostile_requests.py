"""Requests that no client of ours sends: each is refused by a status and a sentence, and never read as
two.
"""

import base64
import io
import json
import re
import socket
import struct
import subprocess
import sys
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner

from chatserver import served
from painted import paint, picture_of
from salon.cli import app
from salon.errors import RecipeError
from salon.judges.fake import FakeJudge
from salon.judges.learned.taste import TasteJudge
from salon.serving.allowed_hosts import AllowedHosts
from salon.serving.connection_limits import Busy, Pixels
from salon.serving.json_server import must_be_free
from salon.serving.judge_server import JudgeServer
from salon.serving.score_server import ScoreServer
from salon.types import Critique, Prompt
from scoreserver import Lightness

B, A = picture_of(paint("love", 5, 48)), picture_of(paint("nope", 1, 48))
JSON = b"Content-Type: application/json\r\n"
POST = b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n" + JSON
HIDDEN = b"GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n"
LENGTH = b"Content-Length: %d\r\n" % len(HIDDEN)


@pytest.fixture(scope="module")
def fake() -> Iterator[JudgeServer]:
    with served(JudgeServer(FakeJudge())) as server:
        yield server


@pytest.fixture(scope="module")
def light() -> Iterator[ScoreServer]:
    with served(ScoreServer(Lightness(), "light")) as server:
        yield server


def exchange(server: Any, sent: bytes) -> bytes:
    """All that comes back until the server hangs up, or says nothing more after the client's end."""
    with socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=30) as client:
        client.sendall(sent)
        client.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: client.recv(65_536), b""))


SMUGGLED = {
    "a length and chunks": POST + LENGTH + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN,
    "chunks and a length": POST + b"Transfer-Encoding: chunked\r\n" + LENGTH + b"\r\n0\r\n\r\n" + HIDDEN,
    "two lengths": POST + b"Content-Length: 0\r\n" + LENGTH + b"\r\n" + HIDDEN,
    "one length twice": POST + LENGTH + LENGTH + b"\r\n" + HIDDEN,
    "a list of lengths": POST + b"Content-Length: 0, 0\r\n\r\n" + HIDDEN,
    "a signed length": POST + b"Content-Length: +0\r\n\r\n" + HIDDEN,
    "a hexadecimal length": POST + b"Content-Length: 0x0\r\n\r\n" + HIDDEN,
    "an empty length": POST + b"Content-Length:\r\n\r\n" + HIDDEN,
    "a bad chunk": POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + HIDDEN,
    "a negative chunk": POST + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n" + HIDDEN,
    "a hidden coding": POST + b"Transfer-Encoding: xchunked\r\n" + LENGTH + b"\r\n" + HIDDEN,
    "a space before the colon": POST + b"Content-Length : 0\r\n\r\n" + HIDDEN,
    "a folded line": POST + b"X: a\r\n Content-Length: 0\r\n" + LENGTH + b"\r\n" + HIDDEN,
    "a line that ends in LF": POST + b"X: a\nContent-Length: 0\r\n\r\n" + HIDDEN,
    "a line that ends in CR": POST + b"X: a\rContent-Length: 0\r\n\r\n" + HIDDEN,
    "a NUL": POST + b"X: a\0\r\n" + LENGTH + b"\r\n" + HIDDEN,
    "all lines end in LF": POST.replace(b"\r", b"") + b"\n" + HIDDEN,
    "no colon": POST + b"nothing\r\n\r\n" + HIDDEN,
    "two hosts": POST + b"Host: localhost\r\nContent-Length: 0\r\n\r\n" + HIDDEN,
    "no host": b"GET /health HTTP/1.1\r\n\r\n" + HIDDEN,
    "a GET with a body": b"GET /health HTTP/1.1\r\nHost: localhost\r\n" + LENGTH + b"\r\n" + HIDDEN,
    "a full address": b"GET http://evil/v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n" + HIDDEN,
    "two spaces": b"GET  /health HTTP/1.1\r\nHost: localhost\r\n\r\n" + HIDDEN,
    "no version": b"GET /health\r\n\r\n" + HIDDEN,
    "another version": b"GET /health HTTP/1.10\r\nHost: localhost\r\n\r\n" + HIDDEN,
}


@pytest.mark.parametrize("name", SMUGGLED)
def test_a_head_that_can_be_read_in_two_ways_is_refused_and_the_connection_ends(
    fake: JudgeServer, name: str
) -> None:
    told = exchange(fake, SMUGGLED[name])
    assert re.findall(rb"HTTP/1\.1 (\d+)", told) == [b"400"], told
    assert b"Connection: close" in told
    assert json.loads(told.partition(b"\r\n\r\n")[2])["error"]["type"] == "invalid_request_error"


REFUSED = {
    "a later version": (b"GET /health HTTP/2.0\r\nHost: localhost\r\n\r\n", 505),
    "a long head": (POST + b"X: " + b"a" * 20_000 + b"\r\n\r\n", 431),
    "many headers": (POST + b"X: a\r\n" * 200 + b"\r\n", 431),
    "no length": (POST + b"\r\n", 411),
    "a length beyond all": (POST + b"Content-Length: 99999999999\r\n\r\n", 413),
    "plain text": (POST.replace(b"application/json", b"text/plain") + b"Content-Length: 2\r\n\r\n{}", 415),
    "no type": (POST.replace(JSON, b"") + b"Content-Length: 2\r\n\r\n{}", 415),
    "a form": (
        POST.replace(b"application/json", b"multipart/form-data") + b"Content-Length: 2\r\n\r\n{}",
        415,
    ),
    "another wish": (POST + b"Expect: 200-ok\r\nContent-Length: 2\r\n\r\n{}", 417),
    "a page of another site": (POST + b"Origin: http://evil.example\r\nContent-Length: 2\r\n\r\n{}", 403),
    "a page of another port": (POST + b"Origin: http://localhost:1\r\nContent-Length: 2\r\n\r\n{}", 403),
    "a page from a file": (POST + b"Origin: null\r\nContent-Length: 2\r\n\r\n{}", 403),
    "a picture's request": (
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n",
        403,
    ),
    "a name that leads here": (
        POST.replace(b"localhost", b"evil.example") + b"Content-Length: 2\r\n\r\n{}",
        403,
    ),
    "a name like ours": (b"GET /health HTTP/1.1\r\nHost: localhost.evil.example\r\n\r\n", 403),
    "a preflight": (b"OPTIONS /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    "a PUT": (POST.replace(b"POST", b"PUT") + b"Content-Length: 2\r\n\r\n{}", 405),
    "no such place": (POST.replace(b"/v1/chat", b"/v2/chat") + b"Content-Length: 2\r\n\r\n{}", 404),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_for_us_is_refused_before_its_body_is_read(fake: JudgeServer, name: str) -> None:
    sent, status = REFUSED[name]
    told = exchange(fake, sent)
    assert re.findall(rb"HTTP/1\.1 (\d+)", told) == [b"%d" % status], told


def test_a_wrong_key_is_told_without_waiting_for_the_body() -> None:
    with served(JudgeServer(FakeJudge(), api_key="word")) as server:
        for more in (
            b"",
            b"Expect: 100-continue\r\n",
            b"Authorization: Bearer w\r\n",
            b"Authorization: \xff\r\n",
        ):
            with socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=30) as client:
                client.sendall(POST + more + b"Content-Length: 60000000\r\n\r\n")
                assert client.recv(9999).startswith(b"HTTP/1.1 401 ")
        client = socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=30)
        with client:
            client.sendall(
                POST + b"Authorization: Bearer word\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
            )
            assert client.recv(9999) == b"HTTP/1.1 100 Continue\r\n\r\n"
            client.sendall(b"{}")
            assert client.recv(9999).startswith(b"HTTP/1.1 422 ")


def test_requests_sent_at_once_are_answered_in_order(fake: JudgeServer) -> None:
    body = POST + b"Content-Length: 2\r\n\r\n{}"
    told = exchange(fake, HIDDEN + body + b"\r\n" + HIDDEN + body + HIDDEN)
    assert re.findall(rb"HTTP/1\.1 (\d+)", told) == [b"200", b"422", b"200", b"422", b"200"]


def test_a_name_that_was_given_is_ours() -> None:
    ours = AllowedHosts("0.0.0.0", ["judge.example"])
    assert ours.foreign({"host": "Judge.Example:8008", "origin": "https://judge.example"}) == ""
    assert ours.foreign({"host": "10.0.0.7:8008"}) == ""
    assert ours.foreign({"host": "[::1]:8008", "origin": "http://[::1]:8008"}) == ""
    assert "--name other" in ours.foreign({"host": "other"})


def png_head(width: int, height: int) -> bytes:
    """A PNG that says how large it is, and holds a few rows."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(999))) + chunk(b"IEND", b"")


def url_of(data: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(data).decode()}"


def chat(texts: Any, pictures: Any = (), **more: Any) -> bytes:
    content = [{"type": "text", "text": each} for each in texts]
    content += [{"type": "image_url", "image_url": {"url": url_of(each)}} for each in pictures]
    return json.dumps({"messages": [{"role": "user", "content": content}], **more}).encode()


BODIES = {
    "lists without end": (b"[" + b"[]," * 5_000_000 + b"[]]", "more than 50,000 values"),
    "objects without end": (b'{"a":[' + b"{}," * 100_000 + b"{}]}", "more than 50,000 values"),
    "depth": (b'{"messages":' + b"[" * 200 + b"]" * 200 + b"}", "deeper than 64"),
    "depth behind a text": (b'{"a\\"]]":' + b"[" * 99 + b"]" * 99 + b"}", "deeper than 64"),
    "a key twice": (b'{"messages": 1, "messages": 2}', "twice"),
    "NaN": (b'{"messages": NaN}', "no number"),
    "beyond all numbers": (b'{"messages": 1e999}', "larger than any number"),
    "a number of 9,999 digits": (b'{"messages": ' + b"9" * 9999 + b"}", "no JSON"),
    "UTF-16": ('{"messages": []}'.encode("utf-16"), "UTF-8"),
    "half a character": (b'{"messages": "\xe2\x82"}', "no JSON"),
    "a thousand messages": (json.dumps({"messages": [{"role": "user"}] * 1001}).encode(), "1000 messages"),
    "a long text": (chat(["x" * 1_000_001]), "characters"),
    "a hundred pictures": (chat(["better?"], [A.png] * 100), "100 pictures"),
    "pictures that unpack": (chat(["better?"], [png_head(60_000, 60_000)] * 2), "too large"),
    "one that unpacks": (chat(["better?"], [A.png, png_head(5000, 5000)]), "too large"),
    "an EPS": (chat(["better?"], [A.png, b"%!PS-Adobe-3.0 EPSF-3.0\n"]), "neither PNG, JPEG nor WebP"),
    "two answers": (chat(["better?"], [A.png, B.png], n=2), "`n`"),
    "tools": (chat(["better?"], [A.png, B.png], tools=[{"type": "function"}]), "`tools`"),
    "sound": (chat(["better?"], [A.png, B.png], modalities=["audio"]), "`modalities`"),
    "a stop": (chat(["better?"], [A.png, B.png], stop=["A"]), "`stop`"),
    "odds of a critique": (chat(["a rose"], [A.png], logprobs=True), "`logprobs`"),
    "a form of nothing": (
        chat(["better?"], [A.png, B.png], response_format={"type": "xml"}),
        "response_format",
    ),
    **{
        f"half a character in {where}": (body, "half of a surrogate pair")
        for where, body in {
            "a question": chat(["Is it \ud800?"], [A.png]),
            "criteria": chat(["By these criteria: \udfff", "better?"], [A.png, B.png]),
            "a name": chat(["better?"], [A.png, B.png], model="\ud800"),
            "a key": chat(["better?"], [A.png, B.png], **{"\udc00": 1}),
        }.items()
    },
    **{
        f"a schema of {kind}": (
            chat(
                ["better?"],
                [A.png, B.png],
                response_format={
                    "type": "json_schema",
                    "json_schema": {"schema": {"properties": properties}},
                },
            ),
            "`properties` are no object",
        )
        for kind, properties in {"lists": [[]], "names": ["winner"], "a text": "winner", "none": None}.items()
    },
    "a stream of 3": (chat(["better?"], [A.png, B.png], stream=3), "`stream`"),
    "a model of lists": (chat(["better?"], [A.png, B.png], model=[]), "`model`"),
    "no picture": (chat(["Is a rose red?"]), "0 pictures"),
    "many requests in words": (chat(["The request was: " * 50_000], [A.png] * 9), "9 pictures"),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_body_that_is_no_question_is_refused_by_a_sentence(fake: JudgeServer, name: str) -> None:
    body, told = BODIES[name]
    status, error = asked(fake, body)
    assert (status, error["error"]["type"]) == (422, "invalid_request_error")
    assert told in error["error"]["message"]


def asked(server: Any, body: bytes) -> tuple[int, Any]:
    head = f"POST {server.path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n".encode()
    told = exchange(server, head + JSON + b"\r\n" + body)
    return int(told[9:12]), json.loads(told.partition(b"\r\n\r\n")[2])


def test_pictures_of_a_history_are_counted_before_they_are_decoded(light: ScoreServer) -> None:
    def of(*pictures: bytes) -> dict[str, Any]:
        return {"history": [{"text": "a", "image_b64": base64.b64encode(each).decode()} for each in pictures]}

    def told(rows: Any) -> tuple[int, str]:
        status, answer = asked(light, json.dumps({"requests": rows}).encode())
        return status, json.dumps(answer)

    assert "9 pictures" in told([of(*[A.png] * 9)])[1]
    assert told([of(*[png_head(4096, 4096)] * 2)] * 20)[0] == 422
    status, said = told([of(A.png), of(png_head(60_000, 60_000))])
    assert (status, "too large" in said, said.count("score")) == (200, True, 1)


_PEAK = """
import json, re, sys
from salon.errors import StageError
from salon.serving.judge_server import read_request
from salon.serving.json_server import _mapping
# And not ru_maxrss, which a child has from the process that started it.
peak = lambda: int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])
"""
_BOMB = f"""{_PEAK}
before = peak()
body = b"[" + b"[]," * 5_000_000 + b"[]]"
try:
    _mapping(body)
except StageError as error:
    print(peak() - before)
"""


def test_a_body_of_lists_takes_little_more_memory_than_its_bytes() -> None:
    done = subprocess.run([sys.executable, "-c", _BOMB], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 90_000  # kB; 15 MB of body took 413 MB.


def test_an_ordinary_chat_is_answered_in_prose(fake: JudgeServer) -> None:
    verdict = FakeJudge().compare(Prompt("p", "a rose"), [(A, B)])[0]
    status, said = asked(
        fake, chat(["Which is the better rose?"], [A.png, B.png], model="any", temperature=1)
    )
    assert status == 200
    (choice,) = said["choices"]
    assert choice["message"]["content"] == f"A is the better picture. {verdict.reason}"  # type: ignore[union-attr]
    assert (choice["finish_reason"], choice["message"]["role"]) == ("stop", "assistant")
    assert said["model"] == FakeJudge().identity
    assert (
        said["usage"]["total_tokens"] == said["usage"]["prompt_tokens"] + said["usage"]["completion_tokens"]
    )
    assert said["id"].startswith("chatcmpl-")
    assert asked(fake, chat(["Is it red?"], [A.png]))[1]["id"] != said["id"]
    answer = asked(fake, chat(["Is there a rose?"], [A.png]))[1]["choices"][0]["message"]["content"]
    assert answer.startswith(("Yes. ", "No. "))
    critique = FakeJudge().critique(Prompt("p", "a rose"), A)
    assert isinstance(critique, Critique)
    told = asked(fake, chat(["a rose"], [A.png]))[1]["choices"][0]["message"]["content"]
    assert told.startswith(critique.text)
    assert all(f"{aspect}: " in told for aspect in critique.scores)
    form = {"type": "json_object"}
    given = asked(fake, chat(["Which is better?"], [B.png, A.png], response_format=form))[1]
    assert json.loads(given["choices"][0]["message"]["content"])["winner"] == "B"


def test_odds_come_with_prose_too(fake: JudgeServer) -> None:
    said = asked(fake, chat(["Which is better?"], [A.png, B.png], logprobs=True, top_logprobs=5))[1]
    tokens = said["choices"][0]["logprobs"]["content"]
    assert "".join(each["token"] for each in tokens) == said["choices"][0]["message"]["content"]
    assert {each["token"] for each in tokens[1]["top_logprobs"]} == {"A", "B"}


def test_a_stream_has_the_same_words(fake: JudgeServer) -> None:
    body = chat(["Which is better?"], [A.png, B.png], stream=True, stream_options={"include_usage": True})
    head = f"Content-Length: {len(body)}\r\n\r\n".encode()
    told = exchange(fake, POST + head + body)
    assert b"Content-Type: text/event-stream\r\n" in told
    *parts, done = [line for line in told.partition(b"\r\n\r\n")[2].split(b"\n\n") if line]
    assert done == b"data: [DONE]"
    chunks = [json.loads(part.removeprefix(b"data: ")) for part in parts]
    words = "".join(each["choices"][0]["delta"].get("content", "") for each in chunks[:-1])
    assert words.startswith("A is the better picture")
    assert chunks[-2]["choices"][0]["finish_reason"] == "stop"
    assert chunks[-1]["usage"]["total_tokens"] > 0
    assert {each["object"] for each in chunks} == {"chat.completion.chunk"}


def test_a_judge_that_cannot_is_named() -> None:
    with served(JudgeServer(TasteJudge.load())) as server:
        status, told = asked(server, chat(["Is there a rose?"], [A.png]))
        assert (status in (400, 422), "answers no questions" in told["error"]["message"]) == (True, True)


@pytest.mark.parametrize(
    ("host", "told"),
    [("127.0.0.1", "Choose another --port"), ("no-such-host.invalid", "--host"), ("203.0.113.7", "--host")],
)
def test_a_server_that_cannot_listen_says_why(host: str, told: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for command in (["serve-judge", "fake"], ["serve-scorer", "taste"]):
            done = CliRunner().invoke(app, [*command, "--host", host, "--port", str(port)])
            assert isinstance(done.exception, RecipeError), done.output
            assert told in str(done.exception)
            assert str(port) in str(done.exception)
        with pytest.raises(RecipeError, match="cannot listen"):
            JudgeServer(FakeJudge(), host, port)
        with pytest.raises(RecipeError, match="cannot listen"):
            must_be_free("127.0.0.1", 70_000)


_SHOWN = f"""{_PEAK}
small, large = (json.loads(line) for line in sys.stdin)
read_request(small)
before = peak()
try:
    read_request(large)
except StageError as error:
    print(peak() - before, error)
"""


def test_a_picture_that_would_fill_the_memory_is_never_decoded() -> None:
    file = io.BytesIO()
    Image.new("1", (12_000, 12_000)).save(file, "PNG")
    small, large = (chat(["better?"], [each] * 2) for each in (A.png, file.getvalue()))
    done = subprocess.run(
        [sys.executable, "-c", _SHOWN], input=small + b"\n" + large, capture_output=True, check=True
    )
    taken, _, told = done.stdout.decode().partition(" ")
    assert "too large" in told
    assert int(taken) < 30_000  # kB; one picture of these takes 144 MB in the least of its forms.


# ---- pictures that are small as files --------------------------------------------------------------------


def scored(*pictures: bytes) -> bytes:
    """A request to a score server."""
    history = [{"text": "a", "image_b64": base64.b64encode(each).decode()} for each in pictures]
    return json.dumps({"requests": [{"history": history}]}).encode()


@pytest.mark.parametrize("side", [1200, 2400])
@pytest.mark.parametrize("kind", ["judge", "scores"])
def test_the_pixels_of_all_requests_share_a_room(kind: str, side: int) -> None:
    """A pixel takes 25 bytes, and none in a file; whoever comes when all is taken waits, or is told."""
    data = picture_of(Image.new("RGB", (side, side), "red")).png
    body = chat(["better?"], [data] * 2) if kind == "judge" else scored(data, data)
    assert len(body) < side * side / 20
    made = JudgeServer(FakeJudge()) if kind == "judge" else ScoreServer(Lightness(), "light")
    with served(made) as server:
        server.pixels = Pixels(most=2 * side * side, wait_s=0.05)
        assert asked(server, body)[0] == 200
        with server.pixels.held(1):
            status, told = asked(server, body)
            assert (status, told["error"]["message"]) == (503, "busy: too many large pictures at once")
        assert asked(server, body)[0] == 200
        server.pixels = Pixels(most=2 * side * side, wait_s=30)
        with ThreadPoolExecutor(8) as pool:
            assert [status for status, _ in pool.map(lambda _: asked(server, body), range(8))] == [200] * 8
            with server.pixels.held(2 * side * side):
                waits = pool.submit(asked, server, body)
                assert not waits.done()
            assert waits.result()[0] == 200


def test_large_pictures_hold_their_room_until_they_are_answered() -> None:
    held: list[int] = []

    class Looks(FakeJudge):
        def compare(self, prompt: Any, pairs: Any) -> Any:
            held.append(server.pixels._held)  # pyright: ignore[reportPrivateUsage]
            return super().compare(prompt, pairs)

    with served(JudgeServer(Looks())) as server:
        for side in (1000, 2000, 4000):
            data = picture_of(Image.new("RGB", (side, side), "red")).png
            assert asked(server, chat(["better?"], [data] * 2))[0] == 200
    assert held[0] == 0
    assert held[-1] == 2 * 4000 * 4000


def test_pictures_larger_than_the_room_are_looked_at_alone() -> None:
    room = Pixels(most=10, wait_s=0.01)
    with room.held(1000), pytest.raises(Busy), room.held(1):
        raise AssertionError("there was no room")
    with pytest.raises(ValueError, match="lost"), room.held(5):
        raise ValueError("lost")
    with room.held(5), room.held(5):
        pass


@pytest.mark.parametrize("text", ["a rose 🌹", "\\ud83c\\udf39 as it is written", "\\\\ud800 is no escape"])
def test_whole_characters_are_no_halves(fake: JudgeServer, text: str) -> None:
    body = chat(["better?", "MARK"], [A.png, B.png]).replace(b"MARK", text.encode())
    assert asked(fake, body)[0] == 200
