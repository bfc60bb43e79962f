"""How fast salon renders, and how faithfully, beside the usual way: Chromium with SwiftShader, p5 and
p5.brush as npm installed them, one browser kept and a fresh page for every sketch.

    python benchmarks/render.py                 32 sketches both ways: some ten minutes
    python benchmarks/render.py --sketches 8    fewer of them
    python benchmarks/render.py --scaling       only salon, with 1, 2 … workers, and their memory
    python benchmarks/render.py --gpu auto      salon on the GPU, where there is one; the usual way stays

Sketches are rendered in turn, one the usual way and then the same by salon, so that both meet the same
machine. Time runs from the request to the PNG in hand. Throughput is measured over the whole set at once.
"""

import argparse
import base64
import os
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

import numpy as np

import salon
from salon.installed import find_chromium, node_modules
from salon.media.p5.gpu import Gpu
from salon.media.p5.medium import SketchMedium
from salon.raster import decode

SEED = 7
POOL = Path(salon.__file__).parent / "data/pools/flowers/sources"
FLAGS = ("--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")

# The same chance as in salon's page, before the libraries load; a flag when the first frame is drawn.
CHANCE = """
let state = SEED | 0;
const random32 = () => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return (t ^ (t >>> 14)) >>> 0;
};
Math.random = () => (random32() * 2097152 + (random32() >>> 11)) / 9007199254740992;
"""
FINISHED = """
p5.registerAddon((p5, prototype, hooks) => {
  hooks.postsetup = function () { if (typeof window.draw !== "function") window.finished = true; };
  hooks.postdraw = function () { window.finished = true; };
});
"""

OWN = {
    "plain-webgl": """function setup() { createCanvas(400, 400, WEBGL); background(240); noStroke();
  for (let i = 0; i < 40; i++) { fill(random(255), random(255), random(255), 90);
    circle(random(-150, 150), random(-150, 150), random(20, 90)); } noLoop(); }""",
    "strokes": """function setup() { createCanvas(400, 400, WEBGL); background(250); translate(-200, -200);
  for (let i = 0; i < 30; i++) { brush.set(random(["HB", "2B", "charcoal", "pen"]), "#334455", 1);
    brush.line(random(400), random(400), random(400), random(400)); } noLoop(); }""",
    "hatch": """function setup() { createCanvas(400, 400, WEBGL); background(250); translate(-200, -200);
  brush.set("HB", "#222222", 1); brush.hatch(6, 0.7);
  for (let i = 0; i < 5; i++) brush.circle(80 + 60 * i, 120 + 40 * (i % 2), 50); noLoop(); }""",
    "wash": """function setup() { createCanvas(400, 400, WEBGL); background(250); brush.noStroke();
  for (let i = 0; i < 12; i++) {
    brush.wash(random(["#d2419b", "#437bcb", "#f5d94a"]), 90);
    brush.circle(random(-150, 150), random(-150, 150), random(20, 70)); } noLoop(); }""",
    "large-bleeds": """function setup() {
  createCanvas(600, 600, WEBGL); background("#fdfaf3"); brush.noStroke();
  brush.fillBleed(0.4); for (let i = 0; i < 10; i++) {
    brush.fill(random(["#327bb3", "#c92a42", "#f5a87e"]), 90);
    brush.circle(random(-200, 200), random(-200, 200), random(60, 160)); } noLoop(); }""",
    "canvas-2d": """function setup() { createCanvas(400, 400); background(250); noStroke();
  for (let i = 0; i < 300; i++) { fill(random(255), 80, 120, 12);
    circle(random(400), random(400), random(10, 120)); } noLoop(); }""",
}


def sketches(count: int) -> dict[str, str]:
    """`count` sketches from light to heavy: six of these, the others evenly from the pool's."""
    files = sorted(POOL.glob("*.js"), key=lambda file: (file.stat().st_size, file.name))
    wanted = max(0, count - len(OWN))
    chosen = [files[round(i * (len(files) - 1) / max(1, wanted - 1))] for i in range(wanted)]
    return dict(list(OWN.items())[:count]) | {file.stem: file.read_text("utf-8") for file in chosen}


class UsualWay:
    """One browser, a fresh page for every sketch."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser
        modules = node_modules()
        self.p5 = (modules / "p5/lib/p5.min.js").read_text("utf-8")
        self.brush = (modules / "p5.brush/dist/p5.brush.js").read_text("utf-8")

    def render(self, source: str) -> bytes:
        page = self.browser.new_page(viewport={"width": 800, "height": 800})
        scripts = [self.p5, CHANCE.replace("SEED", str(SEED))]
        scripts += [self.brush] if "brush." in source else []
        tags = "".join(f"<script>{script}</script>" for script in [*scripts, FINISHED, source])
        html = f"<!doctype html><meta charset=utf-8><body style='margin:0'><main></main>{tags}</body>"
        page.route("**/*", lambda route: route.fulfill(body=html, content_type="text/html; charset=utf-8"))
        page.goto("http://sketch.invalid/", timeout=180_000)
        page.wait_for_function("window.finished", timeout=180_000, polling=20)
        url = page.evaluate("document.querySelector('canvas').toDataURL('image/png')")
        page.close()
        return base64.b64decode(url.partition(",")[2])


@contextmanager
def usual_way() -> Iterator[UsualWay]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_chromium()), args=list(FLAGS))
        yield UsualWay(browser)
        browser.close()


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(decode(png, "#ffffff"), dtype=float)


def ssim(a: np.ndarray, b: np.ndarray, side: int = 8) -> float:
    """Structural similarity of two RGB pictures: the mean over windows of their grey values."""

    def means(values: np.ndarray) -> np.ndarray:
        total = np.pad(values.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
        return (
            total[side:, side:] - total[:-side, side:] - total[side:, :-side] + total[:-side, :-side]
        ) / side**2

    x, y = a.mean(axis=2), b.mean(axis=2)
    mx, my = means(x), means(y)
    vx, vy, cov = means(x * x) - mx**2, means(y * y) - my**2, means(x * y) - mx * my
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    return float(np.mean((2 * mx * my + c1) * (2 * cov + c2) / ((mx**2 + my**2 + c1) * (vx + vy + c2))))


def both_ways(count: int, gpu: Gpu) -> None:
    chosen = sketches(count)
    usual_s: list[float] = []
    salon_s: list[float] = []
    differences: list[float] = []
    likenesses: list[float] = []
    medium = SketchMedium(workers=1, gpu=gpu)
    print(f"salon draws on {medium.versions().get('gpu', 'the processor')}")
    with usual_way() as usual:
        first = next(iter(chosen.values()))
        usual.render(first)
        medium.render([first], [SEED])
        print("sketch            usual s   salon s   ratio   mean |Δ| of 255    SSIM")
        for name, source in chosen.items():
            started = time.monotonic()
            reference = usual.render(source)
            usual_s.append(time.monotonic() - started)
            started = time.monotonic()
            rendering = medium.render([source], [SEED])[0]
            salon_s.append(time.monotonic() - started)
            if rendering.picture is None:
                raise SystemExit(f"{name}: {rendering.failure}")
            a, b = pixels(reference), pixels(rendering.picture.png)
            differences.append(float(np.abs(a - b).mean()))
            likenesses.append(ssim(a, b))
            times = f"{usual_s[-1]:8.2f} {salon_s[-1]:9.2f} {usual_s[-1] / salon_s[-1]:7.1f}"
            print(f"{name:16} {times} {differences[-1]:13.3f} {likenesses[-1]:12.4f}", flush=True)
    medium.close()
    for label, values in (("usual", usual_s), ("salon, one worker", salon_s)):
        middle, late = statistics.median(values), float(np.quantile(values, 0.99))
        print(f"{label}: {len(values) / sum(values):.3f} sketches/s, p50 {middle:.2f} s, p99 {late:.2f} s")
    rate, _ = throughput(chosen, os.cpu_count() or 1, gpu)
    cores = os.cpu_count() or 1
    times = rate * sum(usual_s) / len(usual_s)
    print(f"throughput, {cores} workers: {rate:.3f} sketches/s, {times:.1f} × usual")
    print(f"worst mean difference {max(differences):.3f} of 255, worst SSIM {min(likenesses):.4f}")


def throughput(chosen: dict[str, str], workers: int, gpu: Gpu) -> tuple[float, float]:
    """Sketches per second when all are asked for at once, and the browsers' memory at the end, in MB."""
    medium = SketchMedium(workers=workers, gpu=gpu)
    medium.render(list(chosen.values())[:workers], [SEED] * workers)
    started = time.monotonic()
    medium.render(list(chosen.values()), [SEED] * len(chosen))
    seconds = time.monotonic() - started
    held = sum(memory_mb(pid) for pid in below(os.getpid()))
    medium.close()
    return len(chosen) / seconds, held


def below(pid: int) -> Iterator[int]:
    """All processes that a process has started; none where there is no /proc."""
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            yield child
            yield from below(child)


def memory_mb(pid: int) -> float:
    """A process's share of memory: pages that n processes share count 1/n (Pss)."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sketches", type=int, default=32)
    parser.add_argument("--scaling", action="store_true")
    parser.add_argument("--gpu", default="off", choices=get_args(Gpu))
    arguments = parser.parse_args()
    if arguments.scaling:
        for workers in range(1, (os.cpu_count() or 1) + 2):
            rate, held = throughput(sketches(arguments.sketches), workers, arguments.gpu)
            print(f"{workers} workers: {rate:.3f} sketches/s, {held:.0f} MB", flush=True)
    else:
        both_ways(arguments.sketches, arguments.gpu)


if __name__ == "__main__":
    main()
