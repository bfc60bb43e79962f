"""Fills off the canvas look as p5.brush's own do, by the library as npm installed it and a GPU's canvas."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from salon.media.p5.medium import SketchMedium

pytestmark = pytest.mark.browser

HEAD = """
function petal(angle, length) {
  push();
  rotate(angle);
  brush.beginShape(0.5);
  for (const [x, y] of [[0, 0], [0.5, -0.4], [1, 0], [0.5, 0.4]]) brush.vertex(x * length, y * length);
  brush.endShape(true);
  pop();
}
function setup() {
  createCanvas(SIZE, SIZE, WEBGL);
  background("#f4f4f4");
  angleMode(DEGREES);
  brush.noStroke();
"""
BODIES = {
    "without texture": "brush.fillTexture(0, 0); brush.fill('#384291', 60); petal(20, 50); petal(99, 50);",
    "textured": "brush.fillTexture(0.6, 0.4); brush.fill('#c92a42', 140); petal(-30, 55); brush.circle(0, 20, 9);",  # noqa: E501
    "bleeding": "brush.fillBleed(0.4); brush.fill('#327bb3', 90); petal(90, 50); scale(0.8); brush.circle(9, 9, 30);",  # noqa: E501
    "washed": "brush.wash('#eea3b2', 120); petal(0, 55); brush.noWash(); brush.fill('#e0839a', 99); petal(60, 40);",  # noqa: E501
}


SOURCES = {
    f"{name}, {size}": HEAD.replace("SIZE", size) + body + "noLoop(); }"
    for name, body in BODIES.items()
    for size in ("120", "121")
    if size == "120" or name == "textured"
}


def benchmark() -> ModuleType:
    """benchmarks/render.py, which knows the usual way."""
    file = Path(__file__).resolve().parents[2] / "benchmarks" / "render.py"
    spec = importlib.util.spec_from_file_location("benchmark_render", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_fills_look_as_the_usual_way() -> None:
    bench = benchmark()
    with bench.usual_way() as usual:
        expected = {name: bench.pixels(usual.render(source)) for name, source in SOURCES.items()}
    medium = SketchMedium(workers=2)
    try:
        renderings = medium.render(list(SOURCES.values()), [bench.SEED] * len(SOURCES))
    finally:
        medium.close()
    for (name, original), rendering in zip(expected.items(), renderings, strict=True):
        assert rendering.picture, f"{name}: {rendering.failure}"
        picture = bench.pixels(rendering.picture.png)
        assert original.std() > 2, f"{name}: nothing was painted"
        assert np.abs(picture - original).mean() < 0.25, name
        assert bench.ssim(picture, original) > 0.99, name
