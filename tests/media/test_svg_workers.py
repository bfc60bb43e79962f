"""The processes that draw SVGs: what a slow, greedy or killed one costs, and what they may do."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from salon.media.svg.medium import SvgMedium

DISC = '<svg viewBox="0 0 10 10"><circle cx="5" cy="5" r="4" fill="red"/></svg>'
SQUARE = '<svg viewBox="0 0 10 10"><rect width="6" height="6" fill="blue"/></svg>'
SLOW = (
    '<svg viewBox="0 0 100 100">'
    '<filter id="f"><feTurbulence baseFrequency="9" numOctaves="{octaves}"/></filter>'
    '<rect filter="url(#f)" width="99" height="99"/><circle r="60"/></svg>'
)
ENDLESS = SLOW.format(octaves=99_999_999)
GREEDY = (
    '<svg viewBox="0 0 9 9">'
    + '<g opacity=".9">' * 200
    + '<rect width="9" height="9"/><rect width="3" height="9"/>'
)
GREEDY += "</g>" * 200 + "</svg>"


@pytest.fixture
def medium() -> Iterator[SvgMedium]:
    medium = SvgMedium((32, 32), deadline_s=1.5, workers=1)
    yield medium
    medium.close()


def processes() -> list[int]:
    """The drawing processes of this one. Threads and processes may end while they are looked at."""
    found: list[int] = []
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):
            children = (task / "children").read_text().split()
            found += [pid for pid in map(int, children) if _draws(pid)]
    return found


def _draws(pid: int) -> bool:
    return b"worker_process" in Path(f"/proc/{pid}/cmdline").read_bytes()


def codes(medium: SvgMedium, sources: list[str]) -> list[str]:
    return [r.failure.code if r.failure else "ok" for r in medium.render(sources, [0] * len(sources))]


def test_one_that_never_ends_costs_only_itself(medium: SvgMedium) -> None:
    codes(medium, [DISC])
    started = time.monotonic()
    assert codes(medium, [DISC, ENDLESS, SQUARE, "<svg/>", ENDLESS, DISC]) == [
        *("ok", "timeout", "ok", "too_few_elements", "timeout", "ok"),
    ]
    assert time.monotonic() - started >= 3
    metrics = medium.metrics()
    assert (metrics.overruns, metrics.restarts, metrics.deaths) == (2, 2, 0)
    assert (metrics.renders, metrics.failures) == (7, {"timeout": 2, "too_few_elements": 1})


def test_the_deadline_counts_from_its_turn(medium: SvgMedium) -> None:
    started = time.monotonic()
    medium.render([SLOW.format(octaves=2000)], [0])
    # Each a tenth of the deadline on this machine as it is now, all of them together more than it.
    octaves = min(500_000, int(2000 * 0.15 / max(0.001, medium.metrics().render_s)))
    made = medium.render([SLOW.format(octaves=octaves)] * 20, [0] * 20)
    assert [r.failure.code for r in made if r.failure] == []
    assert time.monotonic() - started > medium.deadline_s


def test_greed_ends_the_process_and_costs_only_itself() -> None:
    medium = SvgMedium((2000, 2000), deadline_s=60, workers=1)
    try:
        assert codes(medium, [DISC, GREEDY, SQUARE]) == ["ok", "renderer_crashed", "ok"]
        assert (medium.metrics().deaths, medium.metrics().retries) == (2, 1)
    finally:
        medium.close()
    assert processes() == []


def test_a_process_killed_in_mid_render_costs_nothing() -> None:
    medium = SvgMedium((32, 32), deadline_s=60, workers=1)
    sources = [DISC, SLOW.format(octaves=20_000), SQUARE, DISC]
    try:
        expected = [r.picture for r in medium.render(sources, [0] * 4)]
        (victim,) = processes()
        killer = threading.Timer(0.2, os.kill, (victim, signal.SIGKILL))
        killer.start()
        made: list[object] = []
        while not killer.finished.is_set() or medium.metrics().deaths == 0:
            made += [r.picture for r in medium.render(sources, [0] * 4)]
        assert made == expected * (len(made) // 4)
        metrics = medium.metrics()
        assert (metrics.deaths, metrics.retries, metrics.restarts, metrics.failures) == (1, 1, 1, {})
        assert metrics.renders == 4 + len(made)
        assert (metrics.workers, metrics.alive, metrics.busy, metrics.queue) == (1, 1, 0, 0)
    finally:
        medium.close()


def test_it_may_open_nothing_and_keeps_no_secret(medium: SvgMedium, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "x")
    codes(medium, [DISC])
    (process,) = processes()
    limits = Path(f"/proc/{process}/limits").read_text()
    for name in ("Max open files", "Max file size", "Max core file size"):
        assert limits.split(name)[1].split()[:2] == ["0", "0"], name
    assert b"SECRET_KEY" not in Path(f"/proc/{process}/environ").read_bytes()
    assert Path(f"/proc/{process}/cwd").resolve() == Path("/")


def test_many_threads_share_the_processes(medium: SvgMedium) -> None:
    shared = SvgMedium((32, 32), workers=2)
    found: list[list[str]] = []

    def ask(size: int) -> None:
        found.append(codes(shared, [DISC, "<svg/>"] * size))

    threads = [threading.Thread(target=ask, args=(size,)) for size in (1, 5, 20, 40, 60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(len, found)) == [2, 10, 40, 80, 120]
    assert {code for some in found for code in some} == {"ok", "too_few_elements"}
    assert shared.metrics().renders == 252
    assert len(processes()) <= 2
    shared.close()
    assert processes() == []
    assert codes(shared, [DISC]) == ["ok"]
    shared.close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_starts_its_own(medium: SvgMedium) -> None:
    codes(medium, [DISC])
    child = os.fork()
    if child == 0:
        good = False
        try:
            good = codes(medium, [DISC, SQUARE]) == ["ok", "ok"]
            medium.close()
        finally:
            os._exit(0 if good else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert codes(medium, [DISC]) == ["ok"]


@pytest.mark.skipif(sys.platform != "linux", reason="Linux ends a child with its parent")
def test_a_drawing_does_not_outlive_whoever_asked_for_it() -> None:
    asks = (
        "import sys; from salon.media.svg.medium import SvgMedium;"
        " m = SvgMedium((9, 9), deadline_s=60, workers=1);"
        "m.render([sys.argv[1]], [0]); print('ready', flush=True); m.render([sys.argv[2]], [0])"
    )
    asker = subprocess.Popen([sys.executable, "-c", asks, DISC, ENDLESS], stdout=subprocess.PIPE)
    assert asker.stdout is not None
    assert asker.stdout.readline() == b"ready\n"
    (drawing,) = (pid for pid in offspring(asker.pid) if b"worker_process" in command(pid))
    time.sleep(0.3)
    asker.kill()
    asker.communicate()
    end = time.monotonic() + 10
    while is_running(drawing):
        assert time.monotonic() < end
        time.sleep(0.02)


def offspring(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


def command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
