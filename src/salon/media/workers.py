"""The renderer's workers: threads with a Chromium each, since pages of one browser share its GPU process and
do not run side by side.

A worker takes a sketch from the common queue, starts it in a page that is already waiting, and opens the next
spare page while the sketch paints. A sketch that overruns its deadline costs its worker the browser, and
nobody else anything.
"""

import atexit
import os
import queue
import threading
import time
import weakref
from concurrent.futures import Future
from dataclasses import dataclass, field

from salon.errors import SalonError, boundary
from salon.media.browser import Browser, BrowserLost, OverDeadline
from salon.media.page import Canvas, Report, SketchPage
from salon.types import Failure

RECYCLE_AFTER = 200
CAPTURE_GRACE_S = 5.0
READY_S = 120.0
"""How long a browser and its page may take to start: no sketch is to blame for that."""


@dataclass(frozen=True, slots=True)
class Job:
    """A sketch to run: source, seed, whether it needs p5.brush, and the seconds it may take."""

    source: str
    seed: int
    with_brush: bool
    deadline_s: float
    future: "Future[Painted]" = field(default_factory=lambda: Future["Painted"]())


@dataclass(frozen=True, slots=True)
class Painted:
    """What came back: PNG bytes (None without a canvas), a report, and the seconds it took."""

    png: bytes | None
    report: Report
    seconds: float


class Patience:
    """A deadline that a busy machine does not bring forward.

    At its deadline a sketch is ended if its browser had a processor for half of that time, which an endless
    loop always has on an idle machine. One that was kept waiting goes on, up to four times as long.
    """

    def __init__(self, browser: Browser, seconds: float) -> None:
        self._browser, self._seconds = browser, seconds
        self._cpu = browser.cpu_seconds()
        self._last = time.monotonic() + 4 * seconds
        self.deadline = time.monotonic() + seconds

    def wait(self, page: SketchPage) -> Report:
        """The page's report. Raises OverDeadline and BrowserLost."""
        while True:
            try:
                return page.wait(self.deadline)
            except OverDeadline:
                used = self._browser.cpu_seconds() - self._cpu
                if used >= self._seconds / 2 or self.deadline >= self._last or not _busy():
                    raise
                self.deadline = min(self._last, self.deadline + self._seconds / 4)


class Worker(threading.Thread):
    """One browser, driven by one thread."""

    def __init__(self, jobs: "queue.SimpleQueue[Job | None]", canvas: Canvas) -> None:
        super().__init__(name="salon-renderer", daemon=True)
        self._jobs, self._canvas = jobs, canvas
        self._browser: Browser | None = None
        self._spare: SketchPage | None = None
        self._rendered = 0

    def run(self) -> None:
        try:
            while (job := self._jobs.get()) is not None:
                self._answer(job)
        finally:
            self._drop()

    def _answer(self, job: Job) -> None:
        """Give the job's future its result; whoever asked gets what is wrong with the installation."""
        try:
            with boundary("render") as caught:
                job.future.set_result(self._paint(job))
        except SalonError as error:
            job.future.set_exception(error)
            return
        if caught.failure:
            self._drop()
            job.future.set_result(_lost(caught.failure))

    def _paint(self, job: Job) -> Painted:
        """Run a job; once more on a fresh browser when the first was lost on the way."""
        started = time.monotonic()
        for attempt in (1, 2):
            try:
                png, report = self._attempt(job)
            except BrowserLost as error:
                self._drop()
                png, report = None, Report("browser_lost", str(error))
            if report.kind not in ("browser_lost", "page_crashed") or attempt == 2:
                break
        return Painted(png, report, time.monotonic() - started)

    def _attempt(self, job: Job) -> tuple[bytes | None, Report]:
        page = self._take_page()
        try:
            page.ready(time.monotonic() + READY_S)
        except OverDeadline as error:
            raise BrowserLost(f"no page was ready after {READY_S:g} s") from error
        patience = Patience(page.browser, job.deadline_s)
        page.start(job.source, job.seed, job.with_brush)
        self._spare = self._open_page()
        try:
            report = patience.wait(page)
        except OverDeadline:
            self._drop()
            return None, Report("timeout", f"not finished after {job.deadline_s:g} s")
        deadline = max(patience.deadline, time.monotonic() + CAPTURE_GRACE_S)
        png = self._capture(page, report, deadline, job.deadline_s)
        report = page.report or report
        self._rendered += 1
        if report.kind in ("page_crashed", "context_lost") or self._rendered >= RECYCLE_AFTER:
            self._drop()
        return png, report

    def _capture(self, page: SketchPage, report: Report, deadline: float, allowed_s: float) -> bytes | None:
        """Read the picture. A failed sketch's partial picture is worth a few seconds, no more."""
        if report.kind == "page_crashed":
            return None
        done = report.kind == "done"
        try:
            png = page.capture(deadline if done else min(deadline, time.monotonic() + CAPTURE_GRACE_S))
        except OverDeadline:
            self._drop()
            if done:
                report.kind, report.message = "timeout", f"not readable after {allowed_s:g} s"
            return None
        page.close()
        return png

    def _take_page(self) -> SketchPage:
        page, self._spare = self._spare, None
        return page or self._open_page()

    def _open_page(self) -> SketchPage:
        if self._browser is None:
            self._browser, self._rendered = Browser(), 0
        page = SketchPage(self._browser, self._canvas)
        page.open()
        return page

    def _drop(self) -> None:
        if self._browser:
            self._browser.close()
        self._browser = self._spare = None


class WorkerPool:
    """Workers around one queue. Safe to use from many threads; a forked child starts its own."""

    def __init__(self, workers: int, canvas: Canvas) -> None:
        self._count, self._canvas = workers, canvas
        self._lock = threading.Lock()
        self._workers: list[Worker] = []
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._pid = os.getpid()
        _POOLS.add(self)

    def paint(self, jobs: list[Job]) -> list[Painted]:
        """Run all jobs, in order of the list as workers become free; results are in the list's order."""
        with self._lock:
            self._start()
        for job in jobs:
            self._jobs.put(job)
        return [job.future.result() for job in jobs]

    def close(self) -> None:
        """End the workers and their browsers, after the jobs that are queued. May be called twice, and used
        again after.
        """
        with self._lock:
            workers, self._workers = self._workers, []
            if self._pid != os.getpid():
                return
            for _ in workers:
                self._jobs.put(None)
        for worker in workers:
            worker.join()

    def _start(self) -> None:
        if self._pid != os.getpid():
            # After a fork the parent's threads are not here, and its browsers are not ours.
            self._workers, self._jobs, self._pid = [], queue.SimpleQueue(), os.getpid()
        while len(self._workers) < self._count:
            worker = Worker(self._jobs, self._canvas)
            worker.start()
            self._workers.append(worker)


def _busy() -> bool:
    """Whether more processes want a processor than there are."""
    return os.getloadavg()[0] > 1.5 * (os.cpu_count() or 1)


def _lost(failure: Failure) -> Painted:
    return Painted(None, Report("browser_lost", failure.message), 0.0)


_POOLS: "weakref.WeakSet[WorkerPool]" = weakref.WeakSet()


@atexit.register
def close_pools() -> None:
    """End every pool of this process when it ends."""
    for pool in list(_POOLS):
        pool.close()
