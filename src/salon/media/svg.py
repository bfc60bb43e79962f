"""SVG as a medium: sanitised as XML, then drawn by resvg, which runs no scripts and here loads no files.

The rule for sources: the text from the first `<svg` to the last `</svg>`; XML, with the SVG namespace added
where it is missing, without a document type, and with nothing that executes, embeds or points outside. A
viewBox, or else width and height, decide the shape; without either the canvas is the medium's own. A picture
is `size` pixels: the drawing is scaled to fit and centred on paper.
"""

import base64
import json
import os
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from salon.errors import RecipeError
from salon.media.extract import extract_svg
from salon.media.paint import fit, is_blank
from salon.media.svg_check import sanitize
from salon.types import Failure, Picture, Rendering

WORKER = Path(__file__).with_name("svg_worker.py")


class SvgMedium:
    """The medium "svg".

    Args:
        size: width and height of every picture.
        deadline_s: seconds one drawing may take.
        paper: the colour under it, #rrggbb.
    """

    name = "svg"

    def __init__(
        self, size: tuple[int, int] = (512, 512), deadline_s: float = 10.0, paper: str = "#ffffff"
    ) -> None:
        if min(size) < 1 or deadline_s <= 0:
            raise RecipeError("medium svg: size and deadline_s must be positive")
        self.size = (int(size[0]), int(size[1]))
        self.deadline_s, self.paper = deadline_s, paper
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._pid = os.getpid()

    def extract(self, reply: str) -> str | Failure:
        """The SVG inside a model's reply."""
        return extract_svg(reply)

    def check(self, source: str) -> Failure | None:
        """What its XML shows to be wrong."""
        clean = sanitize(source, self.size)
        return clean if isinstance(clean, Failure) else None

    def render(self, sources: Sequence[str], seeds: Sequence[int]) -> list[Rendering]:
        """One rendering per source, in order; SVG has no chance in it, so `seeds` change nothing."""
        return [self._one(source) for source, _ in zip(sources, seeds, strict=True)]

    def versions(self) -> dict[str, str]:
        """resvg decides every pixel."""
        return {"resvg-py": version("resvg-py"), "svg": "1"}

    def close(self) -> None:
        """End the drawing process. The medium may be used again after."""
        with self._lock:
            self._end()

    def _one(self, source: str) -> Rendering:
        clean = sanitize(source, self.size)
        if isinstance(clean, Failure):
            return Rendering(None, clean)
        started = time.monotonic()
        with self._lock:
            answer = self._draw(clean)
        seconds = time.monotonic() - started
        if "png" not in answer:
            return Rendering(None, Failure(answer["code"], answer["error"], "sample", "render"), seconds)
        picture = Picture.from_png(fit(base64.b64decode(answer["png"]), self.size, self.paper))
        blank = Failure("blank_canvas", "nothing of the drawing is on its canvas", "sample", "render")
        return Rendering(picture, blank if is_blank(picture) else None, seconds)

    def _draw(self, svg: str) -> dict[str, str]:
        """Ask the drawing process; one that takes too long or dies is ended, and the SVG is to blame."""
        process = self._running()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(svg).encode() + b"\n")
            process.stdin.flush()
            answer = self._read_line(process, time.monotonic() + self.deadline_s)
        except BrokenPipeError:
            answer = b""
        if answer:
            return {"code": "threw"} | json.loads(answer)
        slow = process.poll() is None
        self._end()
        if slow:
            return {"code": "timeout", "error": f"not drawn after {self.deadline_s:g} s"}
        return {"code": "renderer_crashed", "error": "the drawing ended its process: it uses too much memory"}

    def _read_line(self, process: subprocess.Popen[bytes], deadline: float) -> bytes:
        """The answer's line; empty when the process ended or the deadline passed."""
        assert process.stdout is not None
        data, descriptor = b"", process.stdout.fileno()
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, selectors.EVENT_READ)
            while not data.endswith(b"\n"):
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    return b""
                chunk = os.read(descriptor, 1 << 18)
                if not chunk:
                    process.wait(timeout=10)
                    return b""
                data += chunk
        return data

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._pid != os.getpid():
            arguments: list[Any] = [sys.executable, "-I", str(WORKER)]
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(
                arguments, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, bufsize=0
            )
            self._pid = os.getpid()
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None or self._pid != os.getpid():
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()

    def __del__(self) -> None:
        self._end()
