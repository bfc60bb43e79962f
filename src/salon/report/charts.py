"""Curves over steps as SVG: a thin line for what was measured, a strong one for its running mean."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

from salon.markup import Html, el
from salon.number_text import compact, number

from .facts import Curve

SMOOTH_FROM = 10
RUG = 14.0


@dataclass(frozen=True, slots=True)
class Frame:
    """The plotting area inside a view box of `width` × `height`, and the data it spans."""

    width: float
    height: float
    first: int
    last: int
    low: float
    high: float
    left: float = 34.0
    right: float = 10.0
    top: float = 10.0
    bottom: float = 22.0

    def x(self, step: float) -> float:
        span = max(self.last - self.first, 1)
        return self.left + (step - self.first) / span * (self.width - self.left - self.right)

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return self.height - self.bottom - share * (self.height - self.bottom - self.top)


def bounds(values: Sequence[float], share: bool = False) -> tuple[float, float]:
    """The lowest and highest value of an axis: 0 to 1 for shares, else the values with a tenth of air."""
    if share or not values:
        return 0.0, 1.0
    low, high = min(values), max(values)
    # A distance that no step divides is none.
    air = next((part for part in ((high - low) * 0.1, abs(high) * 0.1) if part > 1e-100), 1.0)
    return (0.0 if 0 <= low < high * 0.3 else low - air), high + air


def ticks(low: float, high: float, about: int = 4) -> list[float]:
    """Round numbers between `low` and `high`, about `about` of them."""
    rough = max((high - low) / about, 1e-300)
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(index * step, 12) for index in range(first, last + 1)]


def smooth(values: Sequence[float], window: int = 5) -> list[float]:
    """The centred running mean; shorter at both ends."""
    half = window // 2
    parts = [values[max(0, index - half) : index + half + 1] for index in range(len(values))]
    return [sum(part) / len(part) for part in parts]


def line_chart(
    curve: Curve,
    span: tuple[int, int],
    *,
    wide: bool = False,
    share: bool = False,
    spread: Curve | None = None,
    reference: float | None = None,
    tone: str = "",
) -> Html:
    """A curve over the steps `span`, with its counts as ticks at the foot.

    Args:
        curve: what is drawn; nothing is drawn where it is missing.
        span: the first and last step of the run, so that all charts share an axis.
        wide: three times as wide as high.
        share: the axis runs from 0 to 1.
        spread: a standard deviation, drawn as a band.
        reference: a dashed line (.5 for a win rate).
        tone: a class that colours the line.
    """
    points = points_of(curve)
    deviation = dict(points_of(spread)) if spread else {}
    reach = [value + sign * deviation.get(step, 0.0) for step, value in points for sign in (-1, 1)]
    low, high = bounds(reach, share)
    size = (1080.0, 300.0) if wide else (340.0, 170.0)
    bottom = 22.0 + (RUG if any(curve.counts) else 0.0)
    frame = Frame(*size, *span, low, high, bottom=bottom)
    return el(
        "svg",
        {
            "viewBox": f"0 0 {size[0]:.0f} {size[1]:.0f}",
            "class": f"chart {'wide' if wide else 'small'} {tone}".strip(),
            "role": "img",
            "aria-label": describe(curve),
            "data-points": json.dumps([[step, round(value, 4)] for step, value in points]),
            "data-span": json.dumps([*span, frame.left, size[0] - frame.right]),
        },
        axes(frame),
        _band(frame, points, deviation),
        _reference(frame, reference),
        _lines(frame, points),
        _rug(frame, curve),
        el(
            "line",
            {"class": "cursor", "y1": frame.top, "y2": frame.height - frame.bottom, "x1": -9, "x2": -9},
        ),
    )


def describe(curve: Curve) -> str:
    """The chart in words, for those who do not see it."""
    ends = curve.ends()
    if ends is None:
        return f"{curve.name}: {number(curve.known[0]) if curve.known else 'no values'}"
    return f"{curve.name}: from {number(ends[0])} to {number(ends[1])} over {len(curve.known)} steps"


def points_of(curve: Curve) -> list[tuple[int, float]]:
    """Step and value, where there is one."""
    pairs = zip(curve.steps, curve.values, strict=True)
    return [(step, value) for step, value in pairs if value is not None]


def axes(frame: Frame) -> list[Html]:
    """Grid lines with their values, and the first and the last step."""
    grid: list[Html] = []
    for tick in ticks(frame.low, frame.high):
        height = f"{frame.y(tick):.1f}"
        grid.append(
            el(
                "line",
                {
                    "class": "grid",
                    "x1": frame.left,
                    "x2": frame.width - frame.right,
                    "y1": height,
                    "y2": height,
                },
            )
        )
        grid.append(
            el("text", {"x": frame.left - 6, "y": height, "dy": ".34em", "class": "tick end"}, compact(tick))
        )
    foot = frame.height - 5
    first = el("text", {"x": frame.left, "y": foot, "class": "tick"}, f"step {frame.first}")
    last = el("text", {"x": frame.width - frame.right, "y": foot, "class": "tick end"}, str(frame.last))
    return [*grid, first, last]


def path_of(frame: Frame, points: Sequence[tuple[float, float]]) -> str:
    """A line through points, as SVG says it."""
    return "M" + "L".join(f"{frame.x(step):.1f} {frame.y(value):.1f}" for step, value in points)


def _lines(frame: Frame, points: list[tuple[int, float]]) -> list[Html]:
    if not points:
        return []
    steps = [step for step, _ in points]
    end = points[-1]
    if len(points) >= SMOOTH_FROM:
        means = smooth([value for _, value in points])
        end = (steps[-1], means[-1])
        strong = list(zip(steps, means, strict=True))
        lines = [
            el("path", {"class": "thin", "d": path_of(frame, points)}),
            el("path", {"class": "line", "d": path_of(frame, strong)}),
        ]
    else:
        dots = points[:-1]
        lines = [
            el("path", {"class": "line", "d": path_of(frame, points)}),
            *(dot(frame, point) for point in dots),
        ]
    return [*lines, dot(frame, end)]


def dot(frame: Frame, point: tuple[float, float]) -> Html:
    """A point."""
    return el(
        "circle", {"class": "dot", "cx": f"{frame.x(point[0]):.1f}", "cy": f"{frame.y(point[1]):.1f}", "r": 3}
    )


def _band(frame: Frame, points: list[tuple[int, float]], deviation: dict[int, float]) -> Html | None:
    known = [(step, value) for step, value in points if step in deviation]
    if len(known) < 2:
        return None
    upper = [(step, value + deviation[step]) for step, value in known]
    lower = [(step, value - deviation[step]) for step, value in reversed(known)]
    return el("path", {"class": "band", "d": path_of(frame, [*upper, *lower]) + "Z"})


def _reference(frame: Frame, value: float | None) -> Html | None:
    if value is None or not frame.low <= value <= frame.high:
        return None
    height = f"{frame.y(value):.1f}"
    place = {"x1": frame.left, "x2": frame.width - frame.right, "y1": height, "y2": height}
    return el("line", {"class": "reference", **place})


def _rug(frame: Frame, curve: Curve) -> list[Html]:
    most = max(curve.counts, default=0)
    if most == 0:
        return []
    foot = frame.height - 20
    marks: list[Html] = []
    for step, amount in zip(curve.steps, curve.counts, strict=True):
        if amount:
            place = f"{frame.x(step):.1f}"
            length = 2 + (RUG - 4) * amount / most
            marks.append(
                el(
                    "line",
                    {"class": "rug", "x1": place, "x2": place, "y1": foot, "y2": f"{foot - length:.1f}"},
                )
            )
    return marks


def stacked_bars(curves: Sequence[Curve], span: tuple[int, int], wide: bool = True) -> Html:
    """Seconds per step, one bar each, its stages stacked in the order of `curves`."""
    columns = _columns(curves)
    high = max((sum(column) for column in columns.values()), default=1.0) or 1.0
    size = (1080.0, 240.0) if wide else (340.0, 190.0)
    frame = Frame(*size, span[0], span[1] + 1, 0.0, high * 1.05)
    width = max(0.6, (frame.x(span[0] + 1) - frame.x(span[0])) * 0.72)
    return el(
        "svg",
        {
            "viewBox": f"0 0 {size[0]:.0f} {size[1]:.0f}",
            "class": f"chart {'wide' if wide else 'small'}",
            "role": "img",
            "aria-label": "seconds per step and stage: " + ", ".join(curve.name for curve in curves),
        },
        axes(Frame(*size, *span, 0.0, high * 1.05)),
        [_bar(frame, step, column, width) for step, column in columns.items()],
    )


def _columns(curves: Sequence[Curve]) -> dict[int, list[float]]:
    steps = sorted({step for curve in curves for step in curve.steps})
    by_curve = [dict(points_of(curve)) for curve in curves]
    return {step: [values.get(step, 0.0) for values in by_curve] for step in steps}


def _bar(frame: Frame, step: int, column: list[float], width: float) -> list[Html]:
    bars: list[Html] = []
    below = 0.0
    for index, seconds in enumerate(column):
        top, foot = frame.y(below + seconds), frame.y(below)
        below += seconds
        place = {
            "x": f"{frame.x(step):.1f}",
            "y": f"{top:.1f}",
            "width": f"{width:.1f}",
            "height": f"{foot - top:.1f}",
        }
        bars.append(el("rect", {"class": f"stage-{index}", **place}))
    return bars


def interval(rate: float | None, low: float | None, high: float | None) -> Html:
    """A rate with its interval on a line from 0 to 1, with a mark at one half."""
    scale = 200.0
    parts = [
        el("line", {"class": "grid", "x1": 0, "x2": scale, "y1": 10, "y2": 10}),
        el("line", {"class": "reference", "x1": scale / 2, "x2": scale / 2, "y1": 2, "y2": 18}),
    ]
    if low is not None and high is not None:
        parts.append(
            el(
                "line",
                {
                    "class": "whisker",
                    "x1": f"{low * scale:.1f}",
                    "x2": f"{high * scale:.1f}",
                    "y1": 10,
                    "y2": 10,
                },
            )
        )
    if rate is not None:
        parts.append(el("circle", {"class": "dot", "cx": f"{rate * scale:.1f}", "cy": 10, "r": 4.5}))
    label = f"{number(rate)}, interval {number(low)} to {number(high)}"
    return el(
        "svg", {"viewBox": "-6 0 212 20", "class": "interval", "role": "img", "aria-label": label}, parts
    )
