"""The browser's hands: what a browser that is killed in mid-render costs, and what is counted."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from salon.media.sketch import SketchMedium

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
        for keeper in children(task):
            started = children(Path(f"/proc/{keeper}/task/{keeper}"))
            found += [pid for pid in started if b"--remote-debugging-pipe" in command(pid)]
    return found


def children(task: Path) -> list[int]:
    return list(map(int, (task / "children").read_text().split()))


def command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


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
