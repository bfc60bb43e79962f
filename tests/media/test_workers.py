"""The browser's hands: what a browser that is killed in mid-render costs, and what is counted."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from salon.media.p5 import chromium, workers
from salon.media.p5.leftovers import Leftovers
from salon.media.p5.medium import SketchMedium
from salon.media.p5.page_reports import Report
from salon.media.p5.sketch_page import Canvas, SketchPage

pytestmark = pytest.mark.browser

BUSY = """function setup() { createCanvas(60, 60); background(255); noStroke(); fill(random(255), 0, 0);
  rect(10, 10, 20, 20); let a = 0; for (let i = 0; i < 3e8; i++) a += i % 7;
  fill(0, 0, a % 255); circle(45, 45, 20); noLoop(); }"""
QUICK = (
    "function setup() { createCanvas(60, 60); background(255); fill(random(255), 0, 0); circle(30, 30, 40); }"
)


def browsers() -> list[int]:
    """The main process of every Chromium that was started here."""
    found: list[int] = []
    for task in Path("/proc/self/task").iterdir():
        for supervisor in children(task):
            started = children(Path(f"/proc/{supervisor}/task/{supervisor}"))
            found += [pid for pid in started if b"--remote-debugging-pipe" in command(pid)]
    return found


def children(task: Path) -> list[int]:
    return list(map(int, read(task / "children").split()))


def command(pid: int) -> bytes:
    return read(Path(f"/proc/{pid}/cmdline"))


def read(file: Path) -> bytes:
    """A file of /proc; nothing where its process has just ended."""
    try:
        return file.read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def test_a_browser_killed_in_mid_render_costs_nothing() -> None:
    medium = SketchMedium(workers=1)
    sources, seeds = [QUICK, BUSY, QUICK], [1, 2, 3]
    try:
        expected = [r.picture for r in medium.render(sources, seeds)]
        assert all(expected)
        before = medium.metrics()
        assert (before.deaths, before.retries, before.failures) == (0, 0, {})
        (victim,) = browsers()

        def kill_when_busy() -> None:
            while medium.metrics().busy == 0:
                time.sleep(0.01)
            time.sleep(0.3)
            os.kill(victim, signal.SIGKILL)

        killer = threading.Thread(target=kill_when_busy)
        killer.start()
        made = [r.picture for r in medium.render(sources, seeds)]
        killer.join()
        assert made == expected
        after = medium.metrics()
        assert (after.deaths, after.retries, after.restarts, after.failures) == (1, 1, 1, {})
        assert after.renders - before.renders == 3
        assert (after.workers, after.alive, after.busy, after.queue) == (1, 1, 0, 0)
        assert after.queue_most >= 2
        assert after.wait_most_s > 0
        assert victim not in browsers()
    finally:
        medium.close()
    assert browsers() == []
    assert medium.metrics().alive == 0


SHADED = """function setup() { createCanvas(60, 60, WEBGL); background(255); brush.noStroke();
  brush.fill("#c92a42", 150); brush.circle(-9, 0, 20); let a = 0;
  for (let i = 0; i < 3e8; i++) a = (a + i) % 7;
  fill(0, 0, a); circle(15, 15, 20); noLoop(); }"""


def below(pid: int) -> list[Path]:
    """The /proc folders of all descendants of a process."""
    found = [child for task in Path(f"/proc/{pid}/task").glob("*") for child in children(task)]
    return [each for child in found for each in (Path(f"/proc/{child}"), *below(child))]


def painters() -> list[int]:
    return [
        int(place.name) for place in below(os.getpid()) if b"--type=gpu-process" in command(int(place.name))
    ]


def zombies() -> list[bytes]:
    stats = [read(place / "stat") for place in below(os.getpid())]
    return [each for each in stats if each.rpartition(b")")[2].split()[:1] == [b"Z"]]


@pytest.mark.parametrize("deaths", [1, 2])
def test_a_gpu_process_killed_in_mid_render_costs_nothing(
    deaths: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = threading.Semaphore(0)
    start = SketchPage.start

    def start_and_tell(page: SketchPage, *arguments: Any) -> None:
        start(page, *arguments)
        started.release()

    def kill_the_painters() -> None:
        for _ in range(deaths):
            started.acquire(timeout=60)
            time.sleep(0.3)
            (victim,) = painters()
            os.kill(victim, signal.SIGKILL)

    medium = SketchMedium(workers=1)
    try:
        expected = medium.render([SHADED, SHADED], [1, 2])
        assert all(rendering.ok for rendering in expected)
        monkeypatch.setattr(SketchPage, "start", start_and_tell)
        killer = threading.Thread(target=kill_the_painters)
        killer.start()
        struck, after = medium.render([SHADED, SHADED], [1, 2])
        killer.join()
        if deaths == 1:
            assert struck.picture == expected[0].picture
        else:
            assert struck.failure is not None
            assert (struck.failure.code, struck.failure.fault) == ("gpu_crashed", "sample")
        assert after.picture == expected[1].picture
        metrics = medium.metrics()
        assert (metrics.deaths, metrics.retries, metrics.restarts) == (deaths, 1, deaths)
        deadline = time.monotonic() + 10
        while (left := zombies()) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert left == []
    finally:
        medium.close()
    assert painters() == []


def test_a_gpu_process_that_ends_after_a_report_costs_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a sketch queued that ends it late: the next one starts in a browser that has lost nothing."""
    gone = Leftovers.gone

    def kill_and_ask(leftovers: Leftovers) -> bool:
        (victim,) = painters()
        os.kill(victim, signal.SIGKILL)
        return gone(leftovers)

    medium = SketchMedium(workers=1)
    try:
        expected = medium.render([SHADED] * 3, [1, 2, 3])
        monkeypatch.setattr(Leftovers, "gone", kill_and_ask)
        made = medium.render([SHADED] * 3, [1, 2, 3])
        assert [each.failure for each in made] == [None] * 3
        assert [each.picture for each in made] == [each.picture for each in expected]
        assert medium.metrics().retries == 0
    finally:
        medium.close()


@pytest.mark.parametrize(("browsers_without", "code"), [(1, ""), (99, "browser_lost")])
def test_a_browser_without_webgl_is_no_sketchs_fault(
    browsers_without: int, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    flags = chromium.drawing_flags
    left = browsers_without

    def without_webgl(backend: str) -> tuple[str, ...]:
        nonlocal left
        left -= 1
        return ("--disable-3d-apis",) if left >= 0 else flags(backend)

    medium = SketchMedium(workers=1)
    try:
        (expected,) = medium.render([SHADED], [1])
        monkeypatch.setattr(chromium, "drawing_flags", without_webgl)
        # Without WebGL from its start, a browser is not told by its first answer.
        monkeypatch.setattr(Leftovers, "gone", lambda _: True)
        medium.close()
        (made,) = medium.render([SHADED], [1])
    finally:
        medium.close()
    failure = made.failure
    assert (failure and (failure.code, failure.fault)) == ((code, "system") if code else None)
    assert made.picture == (None if code else expected.picture)


@pytest.mark.parametrize(
    ("deaths", "code", "fault"), [(2, "browser_crashed", "sample"), (3, "browser_lost", "system")]
)
def test_a_browser_that_is_lost_twice_is_the_sketchs_fault_if_ours_is_painted(
    deaths: int, code: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = SketchPage.start
    started = 0

    def start_and_kill(page: SketchPage, *arguments: Any) -> None:
        nonlocal started
        start(page, *arguments)
        started += 1
        if started <= deaths:
            (victim,) = browsers()
            os.kill(victim, signal.SIGKILL)

    medium = SketchMedium(workers=1)
    try:
        (expected,) = medium.render([QUICK], [2])
        monkeypatch.setattr(SketchPage, "start", start_and_kill)
        struck, after = medium.render([QUICK, QUICK], [1, 2])
    finally:
        medium.close()
    assert struck.failure is not None
    assert (struck.failure.code, struck.failure.fault) == (code, fault)
    assert after.picture == expected.picture


def network_processes() -> list[int]:
    """Those of every browser that was started here."""
    waiting, found = browsers(), list[int]()
    while waiting:
        pid = waiting.pop()
        waiting += [child for task in Path(f"/proc/{pid}/task").iterdir() for child in children(task)]
        if b"network.mojom.NetworkService" in command(pid):
            found.append(pid)
    return found


@pytest.mark.parametrize("when", ["before", "as its scripts are asked for", "while it runs"])
def test_a_network_process_that_ends_costs_no_sketch_anything(
    when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    medium = SketchMedium(workers=1, deadline_s=30)
    start = SketchPage.start
    killed: list[int] = []

    def kill() -> None:
        killed.extend(network_processes())
        for pid in killed:
            os.kill(pid, signal.SIGKILL)

    def start_and_kill(page: SketchPage, *rest: Any) -> None:
        if not killed and when == "as its scripts are asked for":
            kill()
        start(page, *rest)
        if not killed and when == "while it runs":
            kill()

    try:
        expected = [each.picture for each in medium.render([QUICK, QUICK], [1, 2])]
        if when == "before":
            kill()
        monkeypatch.setattr(SketchPage, "start", start_and_kill)
        made = medium.render([QUICK, QUICK], [1, 2])
    finally:
        medium.close()
    assert killed
    assert [each.failure for each in made] == [None, None]
    assert [each.picture for each in made] == expected


def test_a_browser_without_its_supervisor_paints_nothing_more() -> None:
    """Nobody looks at what it holds, or ends it."""
    medium = SketchMedium(workers=1)
    try:
        (expected,) = medium.render([QUICK], [1])
        (supervisor,) = [
            pid
            for task in Path("/proc/self/task").iterdir()
            for pid in children(task)
            if b"browser_supervisor.py" in command(pid)
        ]
        os.kill(supervisor, signal.SIGKILL)
        while medium.metrics().alive:  # The signal has been sent, and a busy system delivers it later.
            time.sleep(0.01)
        (again,) = medium.render([QUICK], [1])
        assert medium.metrics().restarts == 1
    finally:
        medium.close()
    assert again.picture == expected.picture


def test_a_sketch_that_waits_for_nothing_gains_nothing_by_a_busy_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It had no use for the processor that others had: it ends at its first deadline."""
    waits: list[float] = []
    wait = SketchPage.wait

    def counted(page: SketchPage, deadline: float) -> Report:
        waits.append(deadline)
        return wait(page, deadline)

    monkeypatch.setattr(SketchPage, "wait", counted)
    medium = SketchMedium(workers=1, deadline_s=12)
    try:
        medium.render([QUICK], [1])
        monkeypatch.setattr(workers, "_busy", lambda: True)
        waits.clear()
        idle = "async function setup() { createCanvas(60, 60); await new Promise(() => 0); }"
        (rendering,) = medium.render([idle], [1])
    finally:
        medium.close()
    assert rendering.failure is not None
    assert rendering.failure.code == "timeout"
    assert len(waits) == 1


def test_a_browser_tells_how_long_it_was_kept_waiting() -> None:
    browser = chromium.Browser("", 0)
    try:
        first = browser.kept_waiting_seconds()
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4)]
        page = SketchPage(browser, Canvas())
        page.open()
        page.ready(time.monotonic() + 120)
        second = browser.kept_waiting_seconds()
        for process in busy:
            process.kill()
            process.wait()
    finally:
        browser.close()
    if not Path("/proc/self/schedstat").exists():
        assert first is second is None
        return
    assert first is not None
    assert second is not None
    assert second > first


def test_failures_are_counted_by_code() -> None:
    medium = SketchMedium(workers=1, deadline_s=4)
    try:
        throws = "function setup() { createCanvas(60, 60); throw new Error('x'); }"
        medium.render([QUICK, throws, "const a = 1;", QUICK], [1] * 4)
        metrics = medium.metrics()
    finally:
        medium.close()
    assert (metrics.renders, metrics.failures) == (4, {"threw": 1, "missing_entry_points": 1})
    numbers = metrics.numbers()
    assert numbers["render/failures/threw"] == 1.0
    assert numbers["render/renders"] == 4.0
    assert numbers["render/render_s"] > 0
    assert not any(isinstance(value, dict) for value in numbers.values())


def test_a_process_that_ends_while_it_is_looked_at_has_no_threads(tmp_path: Path) -> None:
    """What the system says of a folder that goes between two calls, it says of a file as well."""
    (tmp_path / "task").write_text("")
    assert list(chromium.of_threads(tmp_path, "children")) == []
    own = Path(f"/proc/{os.getpid()}")
    assert len(list(chromium.of_threads(own, "schedstat"))) == len(os.listdir(own / "task"))
    assert list(chromium.of_threads(own, "no such file")) == []
