"""How many SVGs a second, from source to PNG in hand: checked, drawn, measured for paint, encoded and named.

    python benchmarks/svg.py                   icons and heavy drawings, at three sizes
    python benchmarks/svg.py --workers 1       with another number of drawing processes
    python benchmarks/svg.py --seconds 10      longer

Icons are about a kilobyte of twelve curved paths, a third of them translucent; heavy drawings have 300 paths,
gradients and a blurred group. Every one is different. The processor's time is given too, since a machine that
others use says little about throughput.
"""

import argparse
import os
import random
import time

from salon.media.svg.medium import SvgMedium
from salon.media.svg.rasterize import binding


def path(rng: random.Random, style: str) -> str:
    x = [round(rng.uniform(0, 24), 1) for _ in range(10)]
    return f'<path d="M{x[0]} {x[1]}C{x[2]} {x[3]} {x[4]} {x[5]} {x[6]} {x[7]}L{x[8]} {x[9]}Z" {style}/>'


def colour(rng: random.Random) -> str:
    return f'fill="#{rng.randrange(1 << 24):06x}"'


def icon(seed: int) -> str:
    rng = random.Random(seed)
    paths = [path(rng, colour(rng) + (' fill-opacity=".6"' if i % 3 == 0 else "")) for i in range(12)]
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{"".join(paths)}</svg>'


def heavy(seed: int) -> str:
    rng = random.Random(seed)
    defs = (
        '<defs><radialGradient id="g"><stop offset="0" stop-color="#f7c948"/>'
        '<stop offset="1" stop-color="#d9603f"/></radialGradient>'
        '<filter id="b"><feGaussianBlur stdDeviation="1"/></filter></defs>'
    )
    soft = "".join(path(rng, 'fill="url(#g)" opacity=".5"') for _ in range(20))
    sharp = "".join(path(rng, colour(rng) + ' stroke="#333" stroke-width=".1"') for _ in range(280))
    return f'<svg viewBox="0 0 24 24">{defs}{sharp}<g filter="url(#b)">{soft}</g></svg>'


def children_seconds() -> float:
    """Processor time of this process and of what it has started, ended or not."""
    ticks = 0
    for pid in [os.getpid(), *_children(os.getpid())]:
        with open(f"/proc/{pid}/stat") as file:
            ticks += sum(map(int, file.read().rpartition(")")[2].split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[int]:
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        first = list(map(int, file.read().split()))
    for task in os.listdir(f"/proc/{pid}/task"):
        if int(task) != pid:
            with open(f"/proc/{pid}/task/{task}/children") as file:
                first += map(int, file.read().split())
    return first


def measure(kind: str, size: int, workers: int | None, seconds: float) -> None:
    make = icon if kind == "icon" else heavy
    sources = [make(seed) for seed in range(2000 if kind == "icon" else 200)]
    medium = SvgMedium((size, size), workers=workers)
    medium.render(sources[:64], [0] * 64)
    done, cpu, started = 0, children_seconds(), time.monotonic()
    while time.monotonic() - started < seconds:
        count = 256 if kind == "icon" else 16
        batch = [sources[(done + i) % len(sources)] for i in range(count)]
        assert all(rendering.picture for rendering in medium.render(batch, [0] * count))
        done += count
    wall, cpu = time.monotonic() - started, children_seconds() - cpu
    medium.close()
    length = sum(map(len, sources)) / len(sources) / 1000
    print(
        f"{kind:6} {length:5.1f} kB {size:4}²  {done / wall:7.0f}/s"
        f"   {1000 * cpu / done:6.2f} ms of a processor each: {done / cpu:6.0f}/s per processor",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--seconds", type=float, default=4.0)
    arguments = parser.parse_args()
    print(" ".join(binding()), "on", os.cpu_count(), "cores")
    for kind in ("icon", "heavy"):
        for size in (64, 256, 512):
            measure(kind, size, arguments.workers, arguments.seconds)


if __name__ == "__main__":
    main()
