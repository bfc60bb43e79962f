"""p5.brush sketches: JavaScript painted by a pool of sandboxed Chromium processes.

The same source and seed give the same bytes, whatever the number of workers and the order. A sketch is
finished when its setup() has run and draw() has run once, or, where it loops, `frames` times or until
`time_s`; sketches that stop their loop are captured after whatever they had scheduled for the following two
seconds of their own, virtual time, or until `time_s`.
"""

import hashlib
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from salon.errors import RecipeError, SetupError, boundary
from salon.media.extract_source import extract_sketch
from salon.media.metrics import Counters, RenderMetrics
from salon.media.p5.checks.source_check import (
    Methods,
    check_calls,
    check_sketch,
    is_plain,
    scope_of,
    uses_brush,
    waits_for_input,
    what_runs,
)
from salon.media.paint_coverage import fit, is_blank
from salon.media.worker_pool import WorkerPool
from salon.types import Failure, Picture, Rendering
from salon.validation import MOST_SECONDS

from .gpu import Gpu, choose_backend, find_gpu
from .health import GOLDEN, golden_fault
from .js_errors import explain
from .libraries import load_libraries
from .network_check import require_sealed_browser
from .page_reports import Report
from .sketch_page import Canvas
from .workers import BrowserWorker, Job, Painted

_GOLDEN_LOCK = threading.Lock()
_GOLDEN_PAINTED: set[str] = set()
GOLDEN_DEADLINE_S = 120.0
LEAST_MB = 500
SYSTEM_CODES = {"browser_lost"}
MESSAGES = {
    "context_lost": "the sketch lost its WebGL context: it uses too many or too large canvases",
    "page_crashed": "the sketch ended its page's process, twice: it uses too much memory",
    "gpu_crashed": "the sketch ended its browser's GPU process, twice",
    "browser_crashed": "the sketch ended its browser, twice",
    "blank_canvas": "the sketch ran, and less than 0.5 % of its picture differs visibly from the paper",
}


class SketchMedium:
    """The medium "p5.brush".

    Args:
        size: width and height of every picture; a canvas of another size is scaled to fit, on paper. None
            keeps each canvas's size.
        workers: browser processes. One per core is about right; three on two cores gain a little.
        deadline_s: seconds a sketch may take, reading its picture included.
        paper: the colour under translucent canvases, #rrggbb.
        methods: what `check` allows: "any" method of p5.brush and plain p5 too, "watercolour" (a short
            allow-list), or a list.
        max_tokens: how long a program may be, in tokens of JavaScript (comments are none); None for any
            length. With it no text runs as code (`eval`, p5.strands): its tokens would not be counted.
        frames: the frame at which a sketch that never stops is captured.
        time_s: instead of `frames`, the seconds on the sketch's own clock, which runs as fast as it can: 60
            frames make a second, whatever they took.
        gpu: "off" draws in software, alike on every machine; "auto" on the GPU where there is one, whose
            pixels are its driver's; or the name of ANGLE's backend (vulkan, gl, gl-egl, metal, d3d11).
        memory_mb: what one browser may hold (Linux only); a sketch that makes it hold more is ended. One that
            paints holds 250 to 400, eight WebGL canvases of 2048 × 2048 hold 1,800.

    Raises:
        RecipeError: an argument is out of its range.
        SetupError: the libraries or Chromium are missing, or the GPU that was asked for; or a sketch could
            reach the network from here (see salon.media.p5.network_check).
    """

    name = "p5.brush"

    def __init__(
        self,
        size: tuple[int, int] | None = None,
        workers: int = 2,
        deadline_s: float = 60.0,
        paper: str = "#ffffff",
        methods: Methods = "any",
        frames: int = 1,
        time_s: float | None = None,
        max_tokens: int | None = None,
        gpu: Gpu = "off",
        memory_mb: int = 2000,
    ) -> None:
        if not deadline_s <= MOST_SECONDS:
            raise RecipeError(f"medium p5.brush: deadline_s is a number up to {MOST_SECONDS:g}")
        if min(workers, frames, deadline_s, 1 if max_tokens is None else max_tokens) <= 0:
            raise RecipeError("medium p5.brush: workers, frames, deadline_s and max_tokens must be positive")
        if time_s is not None and (not 0 < time_s <= 3600 or frames != 1):
            raise RecipeError("medium p5.brush: time_s is above 0 and at most 3600, and instead of frames")
        if memory_mb < LEAST_MB:
            raise RecipeError(f"medium p5.brush: memory_mb is {LEAST_MB} or more: a browser alone holds 270")
        self.size = (int(size[0]), int(size[1])) if size else None
        self.paper = paper
        self.methods: Methods = methods
        self.max_tokens = max_tokens
        canvas = Canvas(
            frames=frames,
            time_ms=1000 * (time_s or 0.0),
            paper=paper,
            window=self.size or Canvas().window,
            counted=max_tokens is not None,
        )
        self._canvas = canvas
        self._libraries = load_libraries()
        require_sealed_browser()
        self._counters = Counters()
        self._backend = backend = choose_backend(gpu)
        self._pool = WorkerPool[Job, Painted](
            workers, lambda: BrowserWorker(canvas, self._counters, backend, memory_mb), self._counters
        )
        self._deadline_s = deadline_s

    def extract(self, reply: str) -> str | Failure:
        """The sketch inside a model's reply."""
        return extract_sketch(reply)

    def check(self, source: str) -> Failure | None:
        """What the syntax tree shows to be wrong, by this medium's `methods` and `max_tokens`."""
        return check_sketch(source, self.methods, self.max_tokens)

    def render(self, sources: Sequence[str], seeds: Sequence[int]) -> list[Rendering]:
        """One rendering per source, in order, with all workers at once. What `check` refuses is not run."""
        self._paint_golden_sketch()
        planned = [self._plan(source, seed) for source, seed in zip(sources, seeds, strict=True)]
        painted = iter(self._pool.run([plan for plan in planned if isinstance(plan, Job)]))
        made = [
            self._rendered(next(painted), source) if isinstance(plan, Job) else Rendering(None, plan)
            for source, plan in zip(sources, planned, strict=True)
        ]
        self._counters.rendered(made)
        return made

    def versions(self) -> dict[str, str]:
        """The libraries, the browser, a hash of what this package adds to the page, and a GPU that draws."""
        known = dict(self._libraries.versions) | {"chromium": self._chromium, "page": page_hash()}
        return known | ({"gpu": find_gpu(self._backend)} if self._backend else {})

    def metrics(self) -> RenderMetrics:
        """What was rendered so far, and how it went."""
        return self._pool.metrics()

    def close(self) -> None:
        """End the browsers. The medium may be used again after."""
        self._pool.close()

    def _paint_golden_sketch(self) -> None:
        """Once in a process, see that paint arrives: a renderer that draws nothing would teach nothing."""
        with _GOLDEN_LOCK:
            if self._backend in _GOLDEN_PAINTED:
                return
            painted = self._pool.run([Job(GOLDEN, 1, with_brush=True, deadline_s=GOLDEN_DEADLINE_S)])
            if fault := golden_fault([self._rendering(one, GOLDEN, "any") for one in painted]):
                raise SetupError(f"the renderer's golden sketch came out wrong: {fault}; run `salon doctor`")
            _GOLDEN_PAINTED.add(self._backend)

    @cached_property
    def _chromium(self) -> str:
        from .chromium import chromium_version

        return chromium_version()

    def _plan(self, source: str, seed: int) -> Job | Failure | None:
        """The job that a source is; its failure where there is none to do."""
        with boundary("check") as caught:
            return self.check(source) or Job(
                what_runs(source),
                seed,
                uses_brush(source),
                self._deadline_s,
                is_plain(source),
                scope_of(source, self.methods),
            )
        return caught.failure

    def _rendered(self, painted: Painted, source: str) -> Rendering:
        """`_rendering`, whose faults are of this sketch alone."""
        with boundary("render") as caught:
            return self._rendering(painted, source, self.methods)
        return Rendering(None, caught.failure, painted.seconds)

    def _rendering(self, painted: Painted, source: str, methods: Methods) -> Rendering:
        picture = Picture.from_png(fit(painted.png, self.size, self.paper)) if painted.png else None
        failure = self._failure(painted.report, picture, source) or check_calls(painted.calls, methods)
        return Rendering(picture, failure, painted.seconds, painted.calls)

    def _failure(self, report: Report, picture: Picture | None, source: str) -> Failure | None:
        code, message = report.kind, report.message
        if code == "done":
            if picture is not None and not is_blank(picture):
                return None
            code, message = "blank_canvas", MESSAGES["blank_canvas"]
            if report.frame > 0 and self._canvas.frames == 1 and not self._canvas.time_ms:
                message += "; one that builds up over its frames wants a later one (frames, time_s)"
            if waits_for_input(source):
                message += "; nobody moves the mouse or presses a key here"
        if code == "threw":
            code, message = explain(report, source)
        message = message or MESSAGES.get(code, code)
        return Failure(code, message, "system" if code in SYSTEM_CODES else "sample", "render")


def page_hash() -> str:
    """12 hex digits: a hash over the page's scripts, p5.brush as it is served, and the browser's flags."""
    from .chromium import FLAGS, SOFTWARE

    digest = hashlib.sha256("\n".join([*FLAGS, *SOFTWARE, load_libraries().brush]).encode())
    for file in sorted(Path(__file__).with_name("scripts").glob("*.js")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
