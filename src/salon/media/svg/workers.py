"""The workers that draw SVGs: each keeps one drawing process, and workers it several SVGs at a time.

The deadline of an SVG runs from the answer to the one before it. One that takes longer, or ends the process,
costs nobody else anything: those after it go to a fresh process. An SVG whose process died is tried once
more, since the process may have been killed from outside.
"""

import json
import math
import selectors
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from salon.media.metrics import Counters
from salon.types import Failure, Picture, Rendering

from .worker_process import BLANK, FAILURE, HEAD, LENGTH, OFF_CANVAS, READY

PACKAGES = str(Path(__file__).parents[3])
START = (
    "import sys; sys.path.insert(0, sys.argv[1]); del sys.argv[1]; "
    "from salon.media.svg.worker_process import main; main()"
)
"""An isolated interpreter knows no PYTHONPATH, by which this very package may have been found."""
READY_S = 60.0
"""How long a drawing process may take to start: no SVG is to blame for that."""
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "LANG": "C.UTF-8"}
CRASHED = "the drawing ended its process, twice: it uses too much memory"
UNSEEN = {
    BLANK: Failure("blank_canvas", "the picture has one colour", "sample", "render"),
    OFF_CANVAS: Failure(
        "content_off_canvas",
        "its shapes lie outside of the viewBox or cover all of it: the picture has one colour",
        "sample",
        "render",
    ),
}


class ProcessDied(Exception):
    """The drawing process has gone."""


class Overran(Exception):
    """The first SVG that is waited for took too long."""


@dataclass(frozen=True, slots=True)
class RenderSettings:
    """How every picture is made: pixels, paper (#rrggbb), the seconds each may take, the fonts of text."""

    size: tuple[int, int]
    paper: str
    deadline_s: float
    fonts: tuple[str, ...] = ()


class SvgWorker:
    """One drawing process, restarted when it is lost. A job is a list of SVGs, a result their renderings."""

    def __init__(self, settings: RenderSettings, counters: Counters) -> None:
        self._settings, self._counters = settings, counters
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._started = 0

    def work(self, job: Sequence[str]) -> list[Rendering]:
        """Draw all, in order."""
        made: list[Rendering] = []
        tried_again = -1
        while len(made) < len(job):
            try:
                self._draw(job[len(made) :], made)
            except Overran:
                self.drop()
                self._counters.count("overruns")
                made.append(self._failed("timeout", f"not drawn after {self._settings.deadline_s:g} s"))
            except ProcessDied:
                self.drop()
                self._counters.count("deaths")
                if tried_again == len(made):
                    made.append(self._failed("renderer_crashed", CRASHED))
                else:
                    tried_again = len(made)
                    self._counters.count("retries")
        return made

    def lost(self, job: Sequence[str], failure: Failure) -> list[Rendering]:
        """The system's failure for every SVG of a job."""
        return [Rendering(None, failure)] * len(job)

    def alive(self) -> bool:
        """Whether there is a process."""
        process = self._process
        return process is not None and process.poll() is None

    def drop(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        connection, self._socket = self._socket, None
        if connection:
            connection.close()
        if process:
            process.kill()
            process.wait()

    def _failed(self, code: str, message: str) -> Rendering:
        return Rendering(None, Failure(code, message, "sample", "render"), self._settings.deadline_s)

    def _draw(self, sources: Sequence[str], made: list[Rendering]) -> None:
        """Add a rendering to `made` per source. Raises Overran and ProcessDied at the next one's turn."""
        encoded = [source.encode("utf-8", "replace") for source in sources]
        requests = [LENGTH.pack(len(data)) + data for data in encoded]
        exchange = _Exchange(self._connection(), requests, 4 * math.prod(self._settings.size) + (1 << 20))
        for _ in sources:
            made.append(exchange.receive(time.monotonic() + self._settings.deadline_s))

    def _connection(self) -> socket.socket:
        if self._socket is None:
            self._socket = self._start()
        return self._socket

    def _start(self) -> socket.socket:
        """A process that is ready. Raises OSError when it does not start: the system's failure."""
        ours, theirs = socket.socketpair()
        (width, height), paper = self._settings.size, self._settings.paper
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-I",
                "-c",
                START,
                PACKAGES,
                str(width),
                str(height),
                paper,
                *self._settings.fonts,
            ],
            stdin=theirs.fileno(),
            stdout=theirs.fileno(),
            stderr=subprocess.DEVNULL,
            cwd="/",
            env=ENVIRONMENT,
        )
        theirs.close()
        self._counters.count("restarts", int(self._started > 0))
        self._started += 1
        ours.settimeout(READY_S)
        if ours.recv(1) != READY:
            raise OSError("the process that draws SVGs does not start: run `salon doctor`")
        ours.setblocking(False)
        return ours


class _Exchange:
    """Sends requests and reads answers at once, so that neither side waits for the other's full buffer. No
    answer is longer than `limit` bytes.
    """

    def __init__(self, connection: socket.socket, requests: Sequence[bytes], limit: int) -> None:
        self._connection, self._limit = connection, limit
        self._outgoing = deque(memoryview(request) for request in requests)
        self._incoming = bytearray()

    def receive(self, deadline: float) -> Rendering:
        """The next answer. Raises Overran and ProcessDied."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._connection, selectors.EVENT_READ)
            while (rendering := self._take()) is None:
                wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._outgoing else 0)
                selector.modify(self._connection, wanted)
                ready = selector.select(max(0.0, deadline - time.monotonic()))
                if not ready:
                    raise Overran
                self._move(ready[0][1])
        return rendering

    def _move(self, events: int) -> None:
        try:
            if events & selectors.EVENT_READ:
                chunk = self._connection.recv(1 << 18)
                if not chunk:
                    raise ProcessDied
                self._incoming += chunk
            elif self._outgoing:
                sent = self._connection.send(self._outgoing[0])
                self._outgoing[0] = self._outgoing[0][sent:]
                if not self._outgoing[0]:
                    self._outgoing.popleft()
        except OSError as error:
            raise ProcessDied from error

    def _take(self) -> Rendering | None:
        if len(self._incoming) < HEAD.size:
            return None
        kind, seconds, length = HEAD.unpack_from(self._incoming)
        if length > self._limit:
            raise ProcessDied
        end = HEAD.size + length
        if len(self._incoming) < end:
            return None
        body = bytes(self._incoming[HEAD.size : end])
        del self._incoming[:end]
        if kind == FAILURE:
            code, message, stage = json.loads(body)
            return Rendering(None, Failure(code, message, "sample", stage), seconds)
        return Rendering(Picture.from_png(body), UNSEEN.get(kind), seconds)
