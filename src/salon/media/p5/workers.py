"""The workers that paint sketches: each has a Chromium of its own, since pages of one browser share its GPU
process and do not run side by side.

A worker takes a sketch from the pool's queue, starts it in a page that is already waiting, and opens the next
spare page while the sketch paints. A sketch that overruns its deadline costs its worker the browser, and
nobody else anything.
"""

import os
import time
from dataclasses import dataclass

from salon.media.metrics import Counters
from salon.types import Failure

from .chromium import Browser, BrowserLost, Flooded, OverDeadline
from .compartment import PAGE, Scope
from .health import GOLDEN
from .leftovers import Leftovers
from .page_reports import Report
from .sketch_page import Canvas, SketchPage

RECYCLE_AFTER = 200
CAPTURE_GRACE_S = 5.0
LONGEST = 4
"""Deadlines that a sketch may take on a busy machine; its picture may then take CAPTURE_GRACE_S more."""
READY_S = 120.0
"""How long a browser and its page may take to start: no sketch is to blame for that."""
LOOK_S = 2.0
"""How often it is seen meanwhile whether that browser can still load a page."""

UNFINISHED = {
    "": "the code outside of its functions had not ended",
    "setup": "setup() had not ended: an endless loop, or an await of something that never comes",
    "draw": "setup() had ended; draw(), or what setup() had started, had not",
}
"""What a sketch was at when its deadline came, by the stage that its page had reached."""
RETRIED = ("browser_lost", "page_crashed", "gpu_crashed", "out_of_memory", "no_context")
"""What a sketch may not be to blame for, the first time: it is rendered once more, by a fresh browser."""
OVER_MEMORY = "the sketch made its browser hold more than the"
NO_CONTEXT = "the browser makes no WebGL context, for no canvas"
TWICE_LOST = "the sketch ended its browser, twice; one of our own did not"
TOLD_TOO_MUCH = "its page told the renderer more than 60 million characters"
UNREAD = "the sketch had ended, but what it drew was not on its canvas yet"


@dataclass(frozen=True, slots=True)
class Job:
    """A sketch to run: source, seed, whether it needs p5.brush, the seconds it may take, whether it is one
    without p5, on a canvas of its own, and where its names are found.
    """

    source: str
    seed: int
    with_brush: bool
    deadline_s: float
    plain: bool = False
    scope: Scope = PAGE


@dataclass(frozen=True, slots=True)
class Painted:
    """What came back: PNG bytes (None without a canvas), a report, and the seconds it took."""

    png: bytes | None
    report: Report
    seconds: float
    calls: tuple[str, ...] | None = None


class CpuDeadline:
    """A deadline that a busy machine does not bring forward.

    At its deadline a sketch is ended if its browser had a processor for half of that time, which an endless
    loop always has on an idle machine, and if it neither ran nor was ready to run for half of it: one that
    waits for something that never comes gains nothing by others' work. One that was kept waiting goes on, up
    to LONGEST times as long.
    """

    def __init__(self, browser: Browser, seconds: float) -> None:
        self._browser, self._seconds = browser, seconds
        self._cpu, self._kept = browser.cpu_seconds(), browser.kept_waiting_seconds()
        self._began = time.monotonic()
        self._last = self._began + LONGEST * seconds
        self.deadline = self._began + seconds

    def wait(self, page: SketchPage) -> Report:
        """The page's report. Raises OverDeadline and BrowserLost."""
        while True:
            try:
                return page.wait(self.deadline)
            except OverDeadline:
                if self.deadline >= self._last or not self._is_owed_time():
                    raise
                self.deadline = min(self._last, self.deadline + self._seconds / 4)

    def _is_owed_time(self) -> bool:
        used = self._browser.cpu_seconds() - self._cpu
        if used >= self._seconds / 2 or not _busy():
            return False
        kept = self._browser.kept_waiting_seconds()
        if kept is None or self._kept is None:
            return True
        return used + kept - self._kept >= (time.monotonic() - self._began) / 2


class BrowserWorker:
    """One browser, driven by one thread, and replaced when it is lost. `backend`: see salon.media.p5.gpu;
    `memory_mb`: what it may hold (0 for anything).
    """

    def __init__(self, canvas: Canvas, counters: Counters, backend: str = "", memory_mb: int = 0) -> None:
        self._canvas, self._counters = canvas, counters
        self._backend, self._memory_mb = backend, memory_mb
        self._browser: Browser | None = None
        self._leftovers: Leftovers | None = None
        self._spare: SketchPage | None = None
        self._painter = self._network = 0
        self._over_memory = False
        self._rendered = 0
        self._started = 0
        self._began = 0.0
        self._calls: tuple[str, ...] | None = None
        self._begun = False

    def work(self, job: Job) -> Painted:
        """Run a job; once more on a fresh browser when the first was lost on the way.

        A browser that is lost twice under the same sketch, or has no WebGL for it twice, is the sketch's
        fault if one of ours is painted then, and the system's if it is not.
        """
        self._began = time.monotonic()
        png, report = self._try(job)
        if report.kind in RETRIED:
            self._counters.count("retries")
            begun = self._begun
            png, report = self._try(job)
            if report.kind in ("browser_lost", "no_context") and begun and self._begun:
                seconds = time.monotonic() - self._began
                return Painted(None, self._blamed(report), seconds)
        return Painted(png, report, time.monotonic() - self._began, self._calls)

    def _blamed(self, report: Report) -> Report:
        """Whose fault it is that a sketch was twice left without a browser, or without WebGL in it."""
        contexts = report.kind == "no_context"
        if self._paints():
            return Report("context_lost") if contexts else Report("browser_crashed", TWICE_LOST)
        return Report("browser_lost", NO_CONTEXT) if contexts else report

    def _paints(self) -> bool:
        png, report = self._try(Job(GOLDEN, 1, with_brush=True, deadline_s=READY_S))
        return report.kind == "done" and png is not None

    def lost(self, job: Job, failure: Failure) -> Painted:
        """A job that nothing was painted for, by the system's fault."""
        return Painted(None, Report("browser_lost", failure.message), 0.0)

    def alive(self) -> bool:
        """Whether there is a browser."""
        browser = self._browser
        return browser is not None and browser.alive()

    def drop(self) -> None:
        """End the browser with everything in it."""
        if self._browser:
            self._browser.close()
            self._over_memory = self._browser.over_memory()
        self._browser = self._leftovers = self._spare = None

    def _try(self, job: Job) -> tuple[bytes | None, Report]:
        try:
            png, report = self._attempt(job)
        except BrowserLost as error:
            self.drop()
            png, report = None, Report("browser_lost", str(error))
        except Flooded:
            self.drop()
            # What is heard before a sketch has begun is of the one before.
            png, report = None, Report("flooded" if self._begun else "browser_lost", TOLD_TOO_MUCH)
        if report.kind not in RETRIED:
            return png, report
        self._counters.count("deaths")
        if self._over_memory:
            report = Report("out_of_memory", f"{OVER_MEMORY} {self._memory_mb:,} MB that it may (memory_mb)")
        return None, report

    def _attempt(self, job: Job) -> tuple[bytes | None, Report]:
        self._begun, self._calls = False, None
        if self._browser and not self._browser.alive():
            self.drop()
        page = self._ready_page()
        if self._leftovers and (not self._leftovers.gone() or self._lost_painter()):
            # Whoever left so much is done with, and whoever comes next is not to blame.
            self.drop()
            page = self._ready_page()
        self._began = time.monotonic()
        patience, self._painter = CpuDeadline(page.browser, job.deadline_s), page.browser.gpu_process()
        self._network = self._network or page.browser.network_process()
        page.start(job.source, job.seed, job.with_brush, job.plain, job.scope)
        self._begun = True
        self._spare = self._open_page()
        try:
            report = patience.wait(page)
        except OverDeadline:
            if self._lost_painter():
                return None, Report("gpu_crashed")
            self._require_network()
            self.drop()
            self._counters.count("overruns")
            return None, Report(
                "timeout", f"not finished after {job.deadline_s:g} s: {UNFINISHED[page.stage]}"
            )
        deadline = max(patience.deadline, time.monotonic() + CAPTURE_GRACE_S)
        png = self._capture(page, report, deadline, job.deadline_s)
        report, self._calls = page.report or report, page.calls
        self._rendered += 1
        if self._lost_painter():
            return None, Report("gpu_crashed")
        self._require_network()
        if page.gone or report.kind in ("context_lost", "no_context") or self._rendered >= RECYCLE_AFTER:
            self.drop()
        return png, report

    def _lost_painter(self) -> bool:
        """Whether the browser's GPU process ended since the last sketch began: what that drew is gone, and so
        is then the browser.
        """
        if self._browser is None or not self._painter or self._browser.gpu_process() == self._painter:
            return False
        self.drop()
        return True

    def _require_network(self) -> None:
        """Raises BrowserLost where the browser's network process ended, and scripts on their way with it."""
        if self._browser and self._network and self._browser.network_process() != self._network:
            raise BrowserLost("the browser's network process ended")

    def _capture(self, page: SketchPage, report: Report, deadline: float, allowed_s: float) -> bytes | None:
        """Read the picture. A failed sketch's partial picture is worth a few seconds, no more."""
        if report.kind == "page_crashed":
            return None
        done = report.kind == "done"
        try:
            png = page.capture(deadline if done else min(deadline, time.monotonic() + CAPTURE_GRACE_S))
        except OverDeadline:
            self.drop()
            self._counters.count("overruns")
            if not done:
                return page.png
            report.kind = "timeout"
            report.message = f"{UNREAD} after {allowed_s:g} s: too many, or too large, shapes or canvases"
            return None
        if self._leftovers:
            self._leftovers.close(page)
        return png

    def _ready_page(self) -> SketchPage:
        """The spare page, or a new one, once it waits for its sketch."""
        page, self._spare = self._spare or self._open_page(), None
        last = time.monotonic() + READY_S
        while True:
            try:
                page.ready(min(last, time.monotonic() + LOOK_S))
            except OverDeadline as error:
                self._require_network()
                if time.monotonic() >= last:
                    raise BrowserLost(f"no page was ready after {READY_S:g} s") from error
            else:
                return page

    def _open_page(self) -> SketchPage:
        if self._browser is None:
            self._browser = Browser(self._backend, self._memory_mb)
            self._rendered = self._painter = self._network = 0
            self._leftovers = Leftovers(self._browser)
            self._over_memory = False
            self._counters.count("restarts", int(self._started > 0))
            self._started += 1
        page = SketchPage(self._browser, self._canvas)
        page.open()
        return page


def _busy() -> bool:
    """Whether more processes want a processor than there are."""
    return os.getloadavg()[0] > 1.5 * (os.cpu_count() or 1)
