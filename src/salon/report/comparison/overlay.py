"""Several runs' curves on one axis: thin as measured, strong the running mean, a colour for each run."""

from collections.abc import Sequence

from salon.markup import Child, Html, el
from salon.number_text import number
from salon.report.charts import Frame, axes, bounds, describe, dot, path_of, points_of, smooth
from salon.report.facts import Curve

from .levels import Measured

TONES = 6


def tone(index: int) -> str:
    """The class that colours a run everywhere on the page."""
    return f"term-{index % TONES}"


def curve_of(name: str, measured: Measured | None) -> Curve | None:
    """A step's means as a curve."""
    if measured is None:
        return None
    return Curve(name, list(measured.steps), list(measured.means))


def overlay(
    curves: Sequence[Curve | None],
    names: Sequence[str],
    *,
    wide: bool = False,
    level: float | None = None,
    share: bool = False,
    reached: Sequence[int | None] = (),
) -> Html:
    """The curves of several runs over one axis of steps.

    Args:
        curves: one per run, None where it has none; a run's place decides its colour.
        names: the runs'.
        wide: three times as wide as high.
        level: a dashed line across.
        share: the axis runs from 0 to 1.
        reached: per run the step at which it reached the level, marked by a line down.
    """
    there = [(at, curve, points_of(curve)) for at, curve in enumerate(curves) if curve and curve.known]
    values = [value for _, _, points in there for _, value in points]
    steps = [step for _, _, points in there for step, _ in points]
    low, high = bounds([*values, *([level] if level is not None else [])], share)
    size = (1080.0, 360.0) if wide else (340.0, 190.0)
    frame = Frame(*size, min(steps), max(steps), low, high)
    lines = [_line(frame, at, points, names[at]) for at, _, points in there]
    marks = [
        _reached(frame, at, step, level)
        for at, step in enumerate(reached)
        if step is not None and level is not None
    ]
    words = "; ".join(f"{names[at]}, {describe(curve)}" for at, curve, _ in there)
    box = {
        "viewBox": f"0 0 {size[0]:.0f} {size[1]:.0f}",
        "class": f"chart {'wide' if wide else 'small'}",
        "role": "img",
        "aria-label": words,
    }
    return el("svg", box, axes(frame), _level(frame, level), marks, lines)


def _line(frame: Frame, at: int, points: list[tuple[int, float]], name: str) -> Html:
    means = smooth([value for _, value in points])
    strong = [(step, mean) for (step, _), mean in zip(points, means, strict=True)]
    children: list[Child] = [
        el("title", {}, name),
        el("path", {"class": "thin", "d": path_of(frame, points)}),
        el("path", {"class": "line", "d": path_of(frame, strong)}),
        dot(frame, strong[-1]),
    ]
    return el("g", {"class": tone(at)}, children)


def _level(frame: Frame, level: float | None) -> list[Html]:
    if level is None:
        return []
    height = f"{frame.y(level):.1f}"
    place = {"x1": frame.left, "x2": frame.width - frame.right, "y1": height, "y2": height}
    label = {"class": "tick", "x": frame.left + 4, "y": height, "dy": "-.5em"}
    return [el("line", {"class": "level", **place}), el("text", label, f"level {number(level)}")]


def _reached(frame: Frame, at: int, step: int, level: float | None) -> Html:
    x = f"{frame.x(step):.1f}"
    foot = frame.height - frame.bottom
    place = {"x1": x, "x2": x, "y1": f"{frame.y(level or 0.0):.1f}", "y2": foot}
    return el("g", {"class": tone(at)}, el("line", {"class": "reach", **place}))


def span_chart(
    step: int | None, low: int | None, high: int | None, first: int, last: int, index: int
) -> Html:
    """When a run reached a level, with its interval, on a line of steps; an arrow where that is beyond the
    end.
    """
    width = 200.0

    def x(at: int) -> float:
        return (at - first) / max(last - first, 1) * width

    parts: list[Child] = [el("line", {"class": "grid", "x1": 0, "x2": width, "y1": 10, "y2": 10})]
    if low is not None:
        end = x(high) if high is not None else width
        place = {"x1": f"{x(low):.1f}", "x2": f"{end:.1f}", "y1": 10, "y2": 10}
        parts.append(el("line", {"class": "whisker", **place}))
        if high is None:
            parts.append(
                el("path", {"class": "line", "d": f"M{width - 5:.0f} 5L{width:.0f} 10L{width - 5:.0f} 15"})
            )
    if step is not None:
        parts.append(el("circle", {"class": "dot", "cx": f"{x(step):.1f}", "cy": 10, "r": 4.5}))
    words = f"step {step if step is not None else 'never'}"
    box = {"viewBox": "-6 0 212 20", "class": "interval", "role": "img", "aria-label": words}
    return el("svg", box, el("g", {"class": tone(index)}, parts))
