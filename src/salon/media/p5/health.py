"""Does this installation paint? A golden sketch is rendered, and paint and its colour are asserted.

A renderer that silently draws nothing (p5 1.x beside p5.brush 2.x does) would give every sample the same low
reward, and nobody would know why.
"""

from collections.abc import Sequence

from salon.media.paint_coverage import paint_stats
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


def check_health() -> str:
    """Paint the golden sketch in a browser of its own.

    Returns:
        One line that says what was painted, and with what.

    Raises:
        SetupError: it cannot be painted, or comes out wrong.
    """
    from .medium import SketchMedium

    medium = SketchMedium(workers=1)
    try:
        seconds = medium.render([GOLDEN], [1])[0].seconds
        versions, metrics = medium.versions(), medium.metrics()
    finally:
        medium.close()
    told = f"a red disc in {seconds:.1f} s, with p5 {versions['p5']} and p5.brush {versions['p5.brush']}"
    return told + (f"; browsers died: {metrics.deaths}" if metrics.deaths else "")


def golden_fault(renderings: Sequence[Rendering]) -> str:
    """What is wrong with renderings of the golden sketch, each a red disc on white; "" when nothing is."""
    for rendering in renderings:
        if rendering.picture is None or rendering.failure is not None:
            return f"it was not painted ({rendering.failure.message if rendering.failure else 'no picture'})"
        stats = paint_stats(rendering.picture)
        red, green, blue = stats.paint_colour or (0.0, 0.0, 0.0)
        if stats.paint_fraction < 0.1 or red < green + 40 or red < blue + 40:
            colour = f"rgb({red:.0f}, {green:.0f}, {blue:.0f})"
            return f"its red disc is missing: {stats.paint_fraction:.0%} paint, {colour}"
    return ""
