"""Draws SVGs in a process of its own, so that one that never ends can be ended.

Run as a script: `svg_worker.py WIDTH HEIGHT PAPER`. It says hello with one byte when it is ready. Then each
request is a length (four bytes) and an SVG in UTF-8; each answer is a head (see HEAD) and its body: a PNG, or
a failure's code, message and stage as JSON.
"""

import ctypes
import json
import resource
import signal
import struct
import sys
import time
from typing import BinaryIO

from salon.media.svg_draw import draw_picture
from salon.types import Failure

PR_SET_PDEATHSIG = 1
MEMORY = 2 << 30
LENGTH = struct.Struct("<I")
HEAD = struct.Struct("<BdI")
"""What the body is, seconds, and its length."""
PICTURE, BLANK, FAILURE = 0, 1, 2
READY = b"!"
WARM = (
    '<svg viewBox="0 0 9 9"><rect width="9" height="5" fill="red"/></svg>',
    '<svg viewBox="0 0 9 9"><path d="M0 0',
)
"""What is drawn before the first request: whatever is imported late is imported before files are refused."""


def confine() -> None:
    """No more memory than MEMORY, no further file or socket, nothing written, no core left behind, and on
    Linux no life after the thread that started it, so that an endless drawing has an end.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for limit in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
        resource.setrlimit(limit, (0, 0))


def answer(source: str, size: tuple[int, int], paper: str) -> bytes:
    """Head and body for one SVG."""
    started = time.monotonic()
    drawn = draw_picture(source, size, paper)
    if isinstance(drawn, Failure):
        kind, body = FAILURE, json.dumps([drawn.code, drawn.message, drawn.stage]).encode()
    else:
        kind, body = (BLANK if drawn[1] else PICTURE), drawn[0]
    return HEAD.pack(kind, time.monotonic() - started, len(body)) + body


def serve(requests: BinaryIO, answers: BinaryIO, size: tuple[int, int], paper: str) -> None:
    """Answer requests until they end."""
    for source in WARM:
        answer(source, size, paper)
    confine()
    answers.write(READY)
    answers.flush()
    while len(head := requests.read(LENGTH.size)) == LENGTH.size:
        source = requests.read(LENGTH.unpack(head)[0]).decode("utf-8", "replace")
        answers.write(answer(source, size, paper))
        answers.flush()


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer, (int(sys.argv[1]), int(sys.argv[2])), sys.argv[3])
