"""The report's drawings, as SVG: distributions, curves, matrices, and numbers with their intervals.

Every drawing has a label in words, for those who do not see it, and a title on each mark.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from unicodedata import east_asian_width

import numpy as np

from salon.diagnosis.checks.compressed import Shape
from salon.diagnosis.finding import Number
from salon.diagnosis.table import Floats
from salon.markup import Child, Html, el
from salon.number_text import compact, decimal

from .words import percent, with_interval

MOST_POINTS = 120


@dataclass(frozen=True, slots=True)
class Curve:
    """A line over the steps, and how it is called."""

    name: str
    x_T: Floats
    y_T: Floats


def svg(width: float, height: float, label: str, *children: Child, kind: str = "") -> Html:
    """A drawing that grows with its column."""
    attributes = {
        "viewBox": f"0 0 {width:.0f} {height:.0f}",
        "class": f"chart {kind}".strip(),
        "role": "img",
        "aria-label": label,
    }
    return el("svg", attributes, *children)


def text(x: float, y: float, words: str, kind: str = "tick") -> Html:
    """A label; the classes `end` and `middle` place it."""
    return el("text", {"x": x, "y": y, "class": kind}, words)


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Html:
    """A straight line."""
    return el("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "class": kind})


def histogram(shape: Shape, width: float = 340, height: float = 130) -> Html:
    """How a term's scores lie on their scale, from low to high."""
    foot, top = height - 20, max(float(shape.bins_B.max()), 1e-9)
    count = len(shape.bins_B)
    slot = width / count
    bars: list[Html] = []
    for index, share in enumerate(shape.bins_B.tolist()):
        tall = (foot - 18) * share / top
        place = {
            "x": index * slot + slot * 0.08,
            "y": foot - tall,
            "width": slot * 0.84,
            "height": max(tall, 0.6),
        }
        at = shape.low + (shape.high - shape.low) * index / max(count - 1, 1)
        bars.append(
            el("rect", {**place, "class": "bar"}, el("title", {}, f"{compact(at)}: {percent(share)}"))
        )
    peak = int(np.argmax(shape.bins_B))
    where = min(max(peak * slot + slot / 2, 16), width - 16)
    return svg(
        width,
        height,
        f"histogram of {shape.term}: the fullest bin holds {percent(top)}",
        bars,
        line(0, foot, width, foot, "axis"),
        text(0, height - 4, compact(shape.low)),
        text(width, height - 4, compact(shape.high), "tick end"),
        text(where, 12, percent(top), "tick middle") if top < 0.995 else None,
    )


def thinned(curve: Curve) -> Curve:
    """At most 120 points: means of neighbouring steps. Points without a value are left out."""
    there = ~np.isnan(curve.y_T)
    x_T, y_T = curve.x_T[there], curve.y_T[there]
    if len(x_T) <= MOST_POINTS:
        return Curve(curve.name, x_T, y_T)
    part_T = np.arange(len(x_T)) * MOST_POINTS // len(x_T)
    count = np.bincount(part_T)
    return Curve(curve.name, np.bincount(part_T, x_T) / count, np.bincount(part_T, y_T) / count)


def curves(
    lines: Sequence[Curve],
    *,
    low: float | None = None,
    high: float | None = None,
    since: float | None = None,
    width: float = 340,
    height: float = 150,
    named: bool = False,
) -> Html:
    """Lines over the steps. since: a step that is marked. named: each line's name stands at its end."""
    shown = [thin for thin in (thinned(each) for each in lines) if len(thin.x_T)]
    if not shown:
        return svg(width, height, "no steps to draw")
    ys = np.concatenate([each.y_T for each in shown])
    low = float(ys.min()) if low is None else low
    high = max(float(ys.max()), low + 1e-9, low + abs(low) * 1e-9) if high is None else high
    first, last = min(float(each.x_T[0]) for each in shown), max(float(each.x_T[-1]) for each in shown)
    right, foot = width - (110 if named else 8), height - 20

    def x(step: float) -> float:
        return 34 + (step - first) / max(last - first, 1) * (right - 34)

    def y(value: float) -> float:
        return foot - (value - low) / (high - low) * (foot - 12)

    marks: list[Child] = []
    for tick in _ticks(low, high):
        marks += [
            line(34, y(tick), right, y(tick), "grid"),
            text(28, y(tick) + 3.5, compact(tick), "tick end"),
        ]
    marks += [text(34, height - 4, f"step {first:.0f}"), text(right, height - 4, f"{last:.0f}", "tick end")]
    if since is not None and first < since < last:
        marks += [
            el(
                "rect",
                {"x": x(since), "y": 8.0, "width": right - x(since), "height": foot - 8, "class": "flat"},
            ),
            line(x(since), 8, x(since), foot, "since"),
            text(x(since), height - 4, f"{since:.0f}", "tick middle strong"),
        ]
    heights = _apart([y(float(each.y_T[-1])) for each in shown])
    for index, (each, label) in enumerate(zip(shown, heights, strict=True)):
        points = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in zip(each.x_T, each.y_T, strict=True))
        marks.append(
            el("polyline", {"points": points, "class": f"line tone-{index % 6}"}, el("title", {}, each.name))
        )
        if named:
            marks.append(text(right + 8, label + 4, _short(each.name), f"name tone-{index % 6}"))
    told = [
        f"{each.name} from {decimal(float(each.y_T[0]))} to {decimal(float(each.y_T[-1]))}" for each in shown
    ]
    return svg(width, height, "; ".join(told), marks)


def _apart(heights: Sequence[float], gap: float = 15) -> list[float]:
    """Heights of labels, moved so that none covers another."""
    order = sorted(range(len(heights)), key=lambda index: heights[index])
    placed = list(heights)
    for before, after in pairwise(order):
        placed[after] = max(placed[after], placed[before] + gap)
    return placed


def _ticks(low: float, high: float) -> list[float]:
    rough = (high - low) / 3
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= rough * 0.999)
    return [step * index for index in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def _short(name: str, most: int = 15) -> str:
    """As much of a name as takes the room of `most` usual letters."""
    room = float(most)
    for at, letter in enumerate(name):
        wide = 1.9 if letter in "WM@%" or east_asian_width(letter) in "WF" else 1.4 if letter in "mw" else 1.0
        room -= wide
        if room < 0:
            return name[: max(1, at - 1)] + "…"
    return name


def matrix(names: Sequence[str], value_KK: Floats, label: str, close: float = 0.85) -> Html:
    """Correlations as a table of coloured cells; those at |ρ| ≥ `close` are framed."""
    count = len(names)
    cell = 46.0 if count <= 12 else 30.0
    left = min(7.2 * max(len(_short(name, 20)) for name in names) + 14, 160)
    top = left * 0.72
    marks: list[Child] = []
    for i, name in enumerate(names):
        at = top + i * cell + cell / 2
        marks.append(text(left - 10, at + 4, _short(name, 20), "term end"))
        turn = f"translate({left + i * cell + cell / 2:.1f} {top - 8:.1f}) rotate(-50)"
        marks.append(el("text", {"transform": turn, "class": "term"}, _short(name, 20)))
        for j in range(count):
            value = float(value_KK[i, j])
            marks.append(
                _cell(left + j * cell, top + i * cell, cell, value, f"{name} and {names[j]}", i == j, close)
            )
    size = left + count * cell + 46
    return svg(size, top + count * cell + 4, label, marks, kind="matrix")


def _cell(x: float, y: float, size: float, value: float, names: str, same: bool, close: float) -> list[Child]:
    place = {"x": x + 1, "y": y + 1, "width": size - 2, "height": size - 2}
    if same:
        return [el("rect", {**place, "class": "self"})]
    kind = ("plus" if value >= 0 else "minus") + (" close" if abs(value) >= close else "")
    strength = f"{min(1.0, abs(value)) ** 1.5:.2f}"
    shade = el(
        "rect",
        {**place, "class": kind, "fill-opacity": strength},
        el("title", {}, f"{names}: {decimal(value)}"),
    )
    if size < 40:
        return [shade]
    word = "value middle on" if abs(value) >= 0.75 else "value middle"
    return [shade, text(x + size / 2, y + size / 2 + 4, decimal(value), word)]


def dumbbells(
    names: Sequence[str], nominal: Sequence[float], effective: Sequence[Number], width: float = 640
) -> Html:
    """Each term's weight (a ring) and what it decides (a dot with its interval), on one axis."""
    row, left = (34.0, 170.0) if width > 500 else (27.0, 128.0)
    reach = max([*nominal, *(number.high or number.value for number in effective), 0.1])
    lowest = min([0.0, *(number.low or number.value for number in effective)])
    high, low = math.ceil(reach * 10) / 10, math.floor(lowest * 10 + 1e-6) / 10

    def x(share: float) -> float:
        return left + (share - low) / (high - low) * (width - left - 24)

    foot = row * len(names) + 8
    marks: list[Child] = []
    for tick in _ticks(low, high):
        marks += [
            line(x(tick), 4, x(tick), foot, "grid"),
            text(x(tick), foot + 16, compact(tick), "tick middle"),
        ]
    for index, (name, weight, number) in enumerate(zip(names, nominal, effective, strict=True)):
        y = row * index + row / 2 + 4
        told = f"{name}: weight {decimal(weight)}, decides {with_interval(number)}"
        marks += [
            text(left - 14, y + 4, _short(name, 22), "term end"),
            line(x(weight), y, x(number.value), y, "bond more" if number.value > weight else "bond less"),
            _whisker(x, y, number),
            el("circle", {"cx": x(weight), "cy": y, "r": 5.5, "class": "ring"}),
            el("circle", {"cx": x(number.value), "cy": y, "r": 5.5, "class": "dot"}, el("title", {}, told)),
        ]
    return svg(width, foot + 22, "weights, and what each term decides", marks, kind="wide")


def forest_plot(
    names: Sequence[str],
    numbers: Sequence[Number],
    middle: float,
    low: float,
    high: float,
    width: float = 640,
) -> Html:
    """Numbers with intervals, one a row, and a dashed line at `middle`."""
    row, left = (32.0, 170.0) if width > 500 else (27.0, 150.0)

    def x(value: float) -> float:
        return left + (min(max(value, low), high) - low) / (high - low) * (width - left - 70)

    foot = row * len(names) + 6
    marks: list[Child] = []
    for tick in _ticks(low, high):
        marks += [
            line(x(tick), 2, x(tick), foot, "grid"),
            text(x(tick), foot + 16, compact(tick), "tick middle"),
        ]
    marks.append(line(x(middle), 2, x(middle), foot, "middle-line"))
    for index, (name, number) in enumerate(zip(names, numbers, strict=True)):
        y = row * index + row / 2 + 2
        dot = el(
            "circle",
            {"cx": x(number.value), "cy": y, "r": 5.0, "class": "dot"},
            el("title", {}, with_interval(number)),
        )
        marks += [text(left - 14, y + 4, _short(name, 22), "term end"), _whisker(x, y, number), dot]
        marks.append(text(width - 8, y + 4, decimal(number.value), "value end"))
    return svg(
        width,
        foot + 22,
        "; ".join(f"{n} {decimal(v.value)}" for n, v in zip(names, numbers, strict=True)),
        marks,
        kind="wide",
    )


def _whisker(x: Callable[[float], float], y: float, number: Number) -> Html | None:
    if number.low is None or number.high is None:
        return None
    return line(x(number.low), y, x(number.high), y, "whisker")
