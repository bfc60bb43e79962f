"""Does this installation paint? A golden sketch is rendered, and paint and its colour are asserted.

A renderer that silently draws nothing (p5 1.x beside p5.brush 2.x does) would give every sample the same low
reward, and nobody would know why.
"""

from collections.abc import Sequence
from typing import NamedTuple

from salon.errors import SetupError
from salon.media.browser import chromium_version
from salon.media.libraries import load_libraries, node_modules
from salon.media.paint import paint_stats
from salon.types import Rendering

GOLDEN = """
function setup() {
  createCanvas(100, 100, WEBGL);
  background(255);
  translate(-50, -50);
  brush.noStroke();
  brush.fill("#d02020", 200);
  brush.circle(50, 50, 30);
  noLoop();
}
"""
REMEDY = "run `salon setup`"


class Check(NamedTuple):
    """One thing looked at: what, whether it is right, what was found, and how to put it right."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""


def check() -> list[Check]:
    """The libraries, Chromium, and a golden sketch. Never raises; what follows from a failure is left out."""
    checks = [_libraries(), _chromium()]
    return [*checks, _golden()] if all(one.ok for one in checks) else checks


def golden_fault(renderings: Sequence[Rendering]) -> str:
    """What is wrong with renderings of the golden sketch ("" when nothing is): each must be a red disc on white."""
    for rendering in renderings:
        if rendering.picture is None or rendering.failure is not None:
            return f"it was not painted ({rendering.failure.message if rendering.failure else 'no picture'})"
        stats = paint_stats(rendering.picture)
        red, green, blue = stats.paint_colour or (0.0, 0.0, 0.0)
        if stats.paint_fraction < 0.1 or red < green + 40 or red < blue + 40:
            return f"its disc is missing: {stats.paint_fraction:.0%} paint of colour {red:.0f}, {green:.0f}, {blue:.0f}"
    return ""


def _libraries() -> Check:
    try:
        versions = load_libraries().versions
    except SetupError as error:
        return Check("drawing libraries", False, str(error), REMEDY)
    named = ", ".join(f"{name} {version}" for name, version in versions)
    return Check("drawing libraries", True, f"{named} in {node_modules()}")


def _chromium() -> Check:
    try:
        return Check("Chromium", True, chromium_version())
    except SetupError as error:
        return Check("Chromium", False, str(error), REMEDY)


def _golden() -> Check:
    from salon.media.sketch import SketchMedium

    medium = SketchMedium(workers=1, deadline_s=60)
    try:
        renderings = medium.render([GOLDEN], [1])
    except SetupError as error:
        return Check("golden sketch", False, str(error), REMEDY)
    finally:
        medium.close()
    fault = golden_fault(renderings)
    detail = fault or f"a red disc, painted in {renderings[0].seconds:.1f} s"
    return Check("golden sketch", not fault, detail, REMEDY if fault else "")
