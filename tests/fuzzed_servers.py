"""What the fuzzers send to our servers: whole HTTP requests, as bytes."""

import atexit
import base64
import io
import json
import random
import re
import socket
from functools import cache
from pathlib import Path
from typing import Any

from hostile import VALUES, with_value
from scoreserver import Lightness

SILENCE_S = 60
ODD = (
    "data:image/png;base64,",
    "data:image/png;base64,AAAA",
    "http://127.0.0.1/x",
    "json_schema",
    "user",
    "system",
)
PIECES = (
    *(
        b"\r\n",
        b"\n",
        b"\r",
        b"\0",
        b" ",
        b":",
        b"\r\n\r\n",
        b"\t",
        b"\xff",
        b"%00",
        b"%2e%2e/",
        b"/../",
        b"?",
        b"#",
    ),
    *(
        b"Content-Length: 5\r\n",
        b"Content-Length: -1\r\n",
        b"Content-Length: 999999999\r\n",
        b"Content-Length: 0\r\n",
    ),
    *(
        b"Transfer-Encoding: chunked\r\n",
        b"Expect: 100-continue\r\n",
        b"Connection: close\r\n",
        b"Origin: null\r\n",
    ),
    *(
        b"Host: evil\r\n",
        b"Upgrade: h2c\r\n",
        b"HTTP/1.0",
        b"HTTP/2.0",
        b"GET ",
        b"PUT ",
        b"X: " + b"a" * 20_000,
    ),
    *(
        b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"0\r\n\r\n",
        b"A\xc3\xa9: b\r\n",
        b"[" * 9000,
        b'{"a":' * 9000,
    ),
)


@cache
def servers() -> dict[str, Any]:
    """A judge's and a score server, in this process."""
    from salon.judges.fake import FakeJudge
    from salon.serving.json_server import serve
    from salon.serving.judge_server import JudgeServer
    from salon.serving.score_server import ScoreServer

    made = {"judge": JudgeServer(FakeJudge()), "scores": ScoreServer(Lightness(), "light")}
    for server in made.values():
        serve(server)
        atexit.register(server.server_close)
        atexit.register(server.shutdown)
    return made


@cache
def picture() -> str:
    from PIL import Image

    stream = io.BytesIO()
    Image.new("RGB", (16, 16), "#c33").save(stream, "PNG")
    return base64.b64encode(stream.getvalue()).decode()


def body(rng: random.Random, where: str) -> Any:
    """What a client asks."""
    if where == "scores":
        turn = {"text": "a rose", "image_b64": picture()}
        return {"requests": [{"history": [turn], "required_rewards": ["light"]}]}
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{picture()}"}}
    asked = {
        "winner": ("Which is better?", 2),
        "answer": ("Question: is it red?", 1),
        "answers": ("1. Is it red?\n2. Is it a rose?", 1),
        "scores": ("How good is it?", 1),
    }
    key, (text, count) = rng.choice(list(asked.items()))
    parts = [{"type": "text", "text": text}, *[image] * count]
    schema = {"type": "object", "properties": {key: {}}}
    return {
        "model": "fake",
        "messages": [{"role": "system", "content": "Judge."}, {"role": "user", "content": parts}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": schema}},
        "stream": rng.random() < 0.1,
        "logprobs": rng.random() < 0.3,
    }


def request(rng: random.Random, where: str, asked: Any) -> bytes:
    path = {"judge": "/v1/chat/completions", "scores": "/score"}[where]
    if rng.random() < 0.1:
        page = rng.choice(("/health", "/rewards", "/v1/models", "/", "/%ff", "*"))
        return f"GET {page} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    data = json.dumps(asked).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return head.encode() + b"Content-Length: %d\r\n\r\n" % len(data) + data


def draw_request(rng: random.Random) -> str:
    """Which server, and the bytes for it in Latin-1: an odd body well sent, or odd bytes."""
    where = rng.choice(("judge", "scores"))
    asked = json.loads(json.dumps(body(rng, where)))
    is_odd = rng.random() < 0.6
    for _ in range(rng.choice((1, 1, 2, 4)) if is_odd else 0):
        asked = with_value(asked, rng, (*VALUES, *ODD))
    sent = request(rng, where, asked)
    if not is_odd or rng.random() < 0.1:
        sent = spoilt(rng, sent)
    return f"{where}\n{sent.decode('latin-1')}"


def spoilt(rng: random.Random, sent: bytes) -> bytes:
    for _ in range(rng.choice((1, 1, 2, 5))):
        # Most of a request is its picture, and most of what can go wrong is in its head.
        most = len(sent) if rng.random() < 0.3 else min(len(sent), 200)
        at = rng.randrange(most + 1)
        match rng.randrange(4):
            case 0:
                sent = sent[:at] + sent[at + rng.choice((1, 2, 30)) :]
            case 1:
                sent = sent[:at] + rng.randbytes(rng.choice((1, 3))) + sent[at + 1 :]
            case 2:
                sent = sent[:at] + sent[max(0, at - 40) : at] + sent[at:]
            case _:
                sent = sent[:at] + rng.choice(PIECES) + sent[at:]
    return sent


def exchange(server: Any, sent: bytes) -> bytes:
    """All that comes back until the server hangs up."""
    with socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=SILENCE_S) as client:
        received = []
        try:
            client.sendall(sent)
            client.shutdown(socket.SHUT_WR)
            while data := client.recv(65_536):
                received.append(data)
        except ConnectionError:
            # The server had read enough, and hung up.
            pass
        return b"".join(received)


def read_request(text: str, folder: Path) -> Any:
    """Send it, and a good one after it.

    Raises:
        AssertionError: an answer says that the fault is the server's, or the good request goes wrong.
    """
    where, _, sent = text.partition("\n")
    server = servers()[where]
    told = exchange(server, sent.encode("latin-1"))
    found = [int(status) for status in re.findall(rb"(?:^|[\]}\n])HTTP/1\.1 (\d+) ", told)]
    assert all(status < 500 or status == 505 for status in found), told[:600]
    assert found or not told, told[:600]
    good = exchange(server, request(random.Random(1), where, body(random.Random(1), where)))
    assert good.startswith(b"HTTP/1.1 200 "), good[:600]
    return found
