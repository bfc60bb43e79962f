"""The same source, seed, size and versions give the same bytes: 200 of 200, whoever renders and when."""

import json
import random
import subprocess
import sys
from collections import defaultdict

import pytest

from salon.media.p5.medium import SketchMedium

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(3600)]

SKETCHES = {
    "random": "function setup() { createCanvas(120, 120); background(250); for (let i = 0; i < 90; i++) {"
    " fill(random(255), 80, 120, 90); circle(random(120), random(120), random(40)); } noLoop(); }",
    "noise": "function setup() { createCanvas(120, 120); for (let x = 0; x < 120; x += 4)"
    " for (let y = 0; y < 120; y += 4) { fill(255 * noise(x / 30, y / 30)); rect(x, y, 4, 4); } noLoop(); }",
    "time": "function setup() { createCanvas(120, 120); background(Date.now() % 255);"
    " fill(performance.now() % 255, minute(), second()); circle(60, 60, 50); noLoop(); }",
    "crypto": "function setup() { createCanvas(120, 120);"
    " const a = crypto.getRandomValues(new Uint8Array(3));"
    " background(a[0], a[1], a[2]); square(20, 20, 60); noLoop(); }",
    "loop": "function setup() { createCanvas(120, 120); background(250); }"
    " function draw() { circle(random(120), frameCount * 9, 12); if (frameCount === 9) noLoop(); }",
    "timers": "function setup() { createCanvas(120, 120); background(250); noLoop();"
    " setTimeout(() => { fill(random(255), 9, 9); circle(60, 60, 40); }, 300); }",
    "webgl": "function setup() { createCanvas(120, 120, WEBGL); background(250);"
    " rotateX(random(3)); box(50); noLoop(); }",
    "strokes": "function setup() { createCanvas(120, 120, WEBGL); background(250);"
    " brush.set('HB', '#334455', 1); for (let i = 0; i < 5; i++)"
    " brush.line(random(-50, 50), random(-50, 50), random(-50, 50), 40); noLoop(); }",
    "fills": "function setup() { createCanvas(120, 120, WEBGL); background(250); brush.noStroke();"
    " brush.fill('#c92a42', 120); brush.fillTexture(0.5, 0.4); brush.circle(0, 0, 30); noLoop(); }",
    "bleeds": "function setup() { createCanvas(121, 121, WEBGL); background(250); brush.noStroke();"
    " brush.fillBleed(0.4); brush.fill('#327bb3', 90); brush.circle(9, 9, 25); noLoop(); }",
}
TIMES = 20
SEED = 11
RENDER = """
import json, sys
from salon.media.p5.medium import SketchMedium
jobs, workers = json.load(sys.stdin)
medium = SketchMedium(workers=workers)
found = medium.render([source for _, source in jobs], [int(sys.argv[1])] * len(jobs))
medium.close()
print(json.dumps([[name, one.picture.key if one.picture else one.failure.code]
                  for (name, _), one in zip(jobs, found)]))
"""


def test_two_hundred_of_two_hundred_are_the_same_bytes() -> None:
    """Four processes with 1, 2, 3 and 2 workers, each in an order of its own; the last two at once."""
    jobs = [pair for pair in SKETCHES.items() for _ in range(TIMES // 4)]
    orders = [random.Random(seed).sample(jobs, len(jobs)) for seed in range(4)]
    answers = [finished(started(order, workers)) for order, workers in zip(orders[:2], (1, 2), strict=True)]
    together = [started(order, workers) for order, workers in zip(orders[2:], (3, 2), strict=True)]
    answers += [finished(process) for process in together]
    keys: dict[str, list[str]] = defaultdict(list)
    for name, key in (pair for answer in answers for pair in answer):
        keys[name].append(key)
    assert sum(map(len, keys.values())) == TIMES * len(SKETCHES)
    for name, found in keys.items():
        assert len(set(found)) == 1, f"{name}: {len(set(found))} different pictures of {len(found)}"
        assert len(found[0]) == 64, f"{name}: {found[0]}"
    assert len({found[0] for found in keys.values()}) == len(SKETCHES)


def started(jobs: list[tuple[str, str]], workers: int) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", RENDER, str(SEED)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps([jobs, workers]))
    process.stdin.close()
    return process


def finished(process: "subprocess.Popen[str]") -> list[tuple[str, str]]:
    with process:
        assert process.stdout is not None
        text = process.stdout.read()
    assert process.returncode == 0
    return [(name, key) for name, key in json.loads(text)]


def test_another_seed_gives_another_picture() -> None:
    medium = SketchMedium(workers=1)
    try:
        one, other = medium.render([SKETCHES["random"]] * 2, [1, 2])
    finally:
        medium.close()
    assert one.picture
    assert other.picture
    assert one.picture.key != other.picture.key
