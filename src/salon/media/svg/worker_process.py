"""Draws SVGs in a process of its own, so that one that never ends can be ended.

`main` is run with the arguments WIDTH HEIGHT PAPER [FONT …], with files of fonts where text is drawn. It says
hello with one byte when it is ready. Then each request is a length (four bytes) and an SVG in UTF-8; each
answer is a head (see HEAD) and its body: a PNG, or a failure's code, message and stage as JSON.
"""

import ctypes
import json
import resource
import signal
import struct
import sys
import time
from collections.abc import Sequence
from typing import BinaryIO

from salon.types import Failure

from .rasterize import draw_picture
from .text import Font, load_fonts

PR_SET_PDEATHSIG = 1
MEMORY = 2 << 30
LENGTH = struct.Struct("<I")
HEAD = struct.Struct("<BdI")
"""What the body is, seconds, and its length."""
PICTURE, BLANK, FAILURE, OFF_CANVAS = 0, 1, 2, 3
KINDS = {"shown": PICTURE, "blank": BLANK, "off_canvas": OFF_CANVAS}
READY = b"!"
WARM = (
    '<svg viewBox="0 0 9 9"><rect id="é" width="9" height="5" fill="red"/></svg>',
    '<svg viewBox="0 0 9 9"><path d="M0 0',
)
"""What is drawn before the first request: whatever is imported late is imported before files are refused."""


def confine(open_files: int = 0) -> None:
    """No more memory than MEMORY, nothing written, no core left behind, and on Linux no life after the thread
    that started it, so that an endless drawing has an end. No further file or socket, but `open_files` where
    fonts are read as they are needed.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))
    for limit in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE):
        resource.setrlimit(limit, (0, 0))


def answer(source: str, size: tuple[int, int], paper: str, fonts: tuple[Font, ...]) -> bytes:
    """Head and body for one SVG."""
    started = time.monotonic()
    drawn = draw_picture(source, size, paper, fonts)
    if isinstance(drawn, Failure):
        kind, body = FAILURE, json.dumps([drawn.code, drawn.message, drawn.stage]).encode()
    else:
        kind, body = KINDS[drawn[1]], drawn[0]
    return HEAD.pack(kind, time.monotonic() - started, len(body)) + body


def serve(
    requests: BinaryIO, answers: BinaryIO, size: tuple[int, int], paper: str, files: Sequence[str]
) -> None:
    """Answer requests until they end."""
    fonts = load_fonts(files) if files else ()
    for source in WARM:
        answer(source, size, paper, fonts)
    confine(64 if fonts else 0)
    answers.write(READY)
    answers.flush()
    while len(head := requests.read(LENGTH.size)) == LENGTH.size:
        source = requests.read(LENGTH.unpack(head)[0]).decode("utf-8", "replace")
        answers.write(answer(source, size, paper, fonts))
        answers.flush()


def main() -> None:
    """What a fresh process runs."""
    width, height, paper, *files = sys.argv[1:]
    serve(sys.stdin.buffer, sys.stdout.buffer, (int(width), int(height)), paper, files)
