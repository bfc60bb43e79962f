"""Fills off the canvas look as p5.brush's own do, by the library as npm installed it."""

import dataclasses

import numpy as np
import pytest

from salon.media import page
from salon.media.libraries import load_libraries, node_modules
from salon.media.sketch import SketchMedium
from salon.raster import decode

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
    "without texture": "brush.fillTexture(0, 0); brush.fill('#384291', 60); petal(20, 60); petal(99, 60);",
    "textured": "brush.fillTexture(0.6, 0.4); brush.fill('#c92a42', 140); petal(-30, 70); brush.circle(0, 20, 9);",  # noqa: E501
    "bleeding": "brush.fillBleed(0.4); brush.fill('#327bb3', 90); petal(90, 80); scale(0.8); brush.circle(9, 9, 40);",  # noqa: E501
    "washed": "brush.wash('#eea3b2', 120); petal(0, 80); brush.noWash(); brush.fill('#e0839a', 99); petal(60, 50);",  # noqa: E501
}


def painted(sources: dict[str, str]) -> dict[str, np.ndarray]:
    medium = SketchMedium(workers=2)
    try:
        renderings = medium.render(list(sources.values()), [7] * len(sources))
    finally:
        medium.close()
    assert [rendering.failure for rendering in renderings] == [None] * len(sources)
    pictures = [rendering.picture for rendering in renderings if rendering.picture]
    return {n: np.asarray(decode(p.png), dtype=float) for n, p in zip(sources, pictures, strict=True)}


SOURCES = {
    f"{name}, {size}": HEAD.replace("SIZE", size) + body + "noLoop(); }"
    for name, body in BODIES.items()
    for size in ("200", "201")
    if size == "200" or name == "textured"
}


def test_fills_look_as_on_the_canvas(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (node_modules() / "p5.brush" / "dist" / "p5.brush.js").read_text(encoding="utf-8")
    installed = dataclasses.replace(load_libraries(), brush=text)
    with monkeypatch.context() as patch:
        patch.setattr(page, "load_libraries", lambda: installed)
        originals = painted(SOURCES)
    for name, picture in painted(SOURCES).items():
        difference = np.abs(picture - originals[name]).mean()
        assert originals[name].std() > 2, f"{name}: nothing was painted"
        assert difference < 0.3, f"{name}: {difference:.2f} of 255 on average"
