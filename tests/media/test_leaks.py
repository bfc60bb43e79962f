"""Ten thousand mixed renders, one in twenty of them hostile: memory stays flat and nothing is left behind.

SALON_LEAK_RENDERS sets another number, 400 or more. Run with -s to see what was counted.
"""

import ctypes
import gc
import itertools
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import attacks
import pytest
from unchecked import Unchecked

from salon.media.svg.medium import SvgMedium
from salon.types import Medium

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(10_800)]

RENDERS = int(os.environ.get("SALON_LEAK_RENDERS", "10000"))
PORTION = 50
GROWTH_MB = 16.0
"""What this process may grow by after its first tenth."""
BROWSER_MB = 500.0
"""What a browser with two pages may hold, and a process that draws SVGs with it."""

LIGHT = (
    "function setup() { createCanvas(100, 100); background(250); noStroke(); fill(random(255), 80, 120);"
    " circle(50, 50, 20 + 50 * random()); noLoop(); }",
    "function setup() { createCanvas(100, 100, WEBGL); background(250); noStroke(); fill(random(255), 9, 9);"
    " sphere(30); }\nfunction draw() { noLoop(); }",
    "function setup() { createCanvas(100, 100, WEBGL); background(250); brush.noStroke();"
    " brush.wash(random(['#d2419b', '#437bcb']), 90); brush.circle(0, 0, 30); noLoop(); }",
    "function setup() { createCanvas(100, 100); background(250); rect(9, 9, 50, 50); nowhere(); }",
)
ENDLESS = ("loop-at-top", "loop", "microtasks", "allocation", "strings", "recursion", "contexts", "elements")


@dataclass(frozen=True)
class Counted:
    """What is there: memory of this process and of all it started, in MB, and numbers of things."""

    own_mb: float
    all_mb: float
    processes: int
    zombies: int
    files: int
    folders: int
    threads: int


def child_pids(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").glob("*"):
        try:
            children = list(map(int, (task / "children").read_text().split()))
        except OSError:
            continue
        for child in children:
            yield child
            yield from child_pids(child)


def memory_mb(pid: int) -> float:
    """The proportional share of memory, so that what processes have in common counts once."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        return int(rollup.split("Pss:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        return 0.0


def is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return False


def count() -> Counted:
    """Count, once what nobody uses is given back: the allocator keeps scattered pages that are no leak."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    pids = list(child_pids(os.getpid()))
    own = memory_mb(os.getpid())
    return Counted(
        own_mb=round(own, 1),
        all_mb=round(own + sum(map(memory_mb, pids)), 1),
        processes=len(pids),
        zombies=sum(map(is_zombie, pids)),
        files=len(os.listdir("/proc/self/fd")),
        folders=sum(name.startswith("salon-chromium-") for name in os.listdir(tempfile.gettempdir())),
        threads=len(os.listdir("/proc/self/task")),
    )


def svg(rng: random.Random) -> str:
    marks = "".join(
        f'<circle cx="{rng.randrange(24)}" cy="{rng.randrange(24)}" r="{rng.randrange(1, 9)}"'
        f' fill="#{rng.randrange(1 << 24):06x}"/>'
        for _ in range(rng.randrange(1, 20))
    )
    return f'<svg viewBox="0 0 24 24">{marks}</svg>'


def hostile_svgs() -> Iterator[str]:
    for inside in itertools.cycle(attacks.SVG.values()):
        yield f"<svg viewBox='0 0 100 100'>{inside.replace('HOST', 'http://127.0.0.1:9/x')}</svg>"


def hostile_sketches() -> Iterator[str]:
    staying = {name: body for name, (body, _) in attacks.PERSISTENCE.items()}
    kinds = attacks.NETWORK | attacks.FORGERIES | staying | attacks.DIALOGS
    endless = itertools.cycle(ENDLESS)
    for number, (name, body) in enumerate(itertools.cycle(kinds.items())):
        if number % 4 == 3:
            name = next(endless)
            body = attacks.EXHAUSTION[name]
        yield attacks.sketch(name, body, 9)


def portions(renders: int) -> Iterator[tuple[str, list[str]]]:
    """Fifty at a time: two of three portions are SVGs, and one in twenty of each is hostile."""
    rng = random.Random(1)
    bad = {"svg": hostile_svgs(), "sketch": hostile_sketches()}
    for number in range(renders // PORTION):
        kind = "sketch" if number % 3 == 2 else "svg"
        good = [svg(rng) if kind == "svg" else rng.choice(LIGHT) for _ in range(PORTION)]
        for at in rng.sample(range(PORTION), 3 if number % 2 else 2):
            good[at] = next(bad[kind])
        yield kind, good


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for what is temporary, of our own, so that nobody else's browsers are counted; a browser that
    runs as another user reaches it.
    """
    with tempfile.TemporaryDirectory(prefix="salon-leaks-") as folder:
        Path(folder).chmod(0o755)
        monkeypatch.setattr(tempfile, "tempdir", folder)
        yield Path(folder)


def test_memory_stays_flat_and_nothing_is_left(temporary: Path) -> None:
    empty = count()
    media: dict[str, Medium] = {
        "sketch": Unchecked(workers=2, deadline_s=4),
        "svg": SvgMedium((128, 128), deadline_s=2, workers=2),
    }
    codes: Counter[str] = Counter()
    warm = empty
    started = time.monotonic()
    try:
        for number, (kind, sources) in enumerate(portions(RENDERS)):
            made = media[kind].render(sources, list(range(len(sources))))
            assert len(made) == len(sources)
            codes.update(r.failure.code if r.failure else "ok" for r in made)
            if number == max(6, RENDERS // PORTION // 10):
                warm = count()
            if number % max(1, RENDERS // PORTION // 20) == 0:
                print(number * PORTION, round(time.monotonic() - started), "s", count(), flush=True)
        end = count()
        told = {name: medium.metrics() for name, medium in media.items()}  # type: ignore[attr-defined]
    finally:
        for medium in media.values():
            medium.close()
    left = count()
    for name, value in (("empty", empty), ("warm", warm), ("end", end), ("closed", left), ("codes", codes)):
        print(name, value)
    print(told)
    assert end.zombies == 0
    assert end.own_mb - warm.own_mb < GROWTH_MB
    assert end.files <= warm.files + 4
    assert end.all_mb < end.own_mb + 2 * BROWSER_MB
    assert end.folders <= 2
    assert (left.processes, len(os.listdir(temporary))) == (empty.processes, 0)
    assert left.files <= empty.files + 2
    assert left.threads <= empty.threads + 1
    assert codes["browser_lost"] == codes["internal_error"] == 0
    assert codes["ok"] > 0.6 * RENDERS
