"""Where the shapes of an SVG lie: how many of them are wholly outside of its viewBox.

A box is taken around each shape's points, the control points of its curves among them, under all transforms
above it. It errs on the large side, so a shape that is called hidden is hidden. What is not drawn where it
stands (definitions, patterns, clips) and what CSS may move are left out.
"""

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

Matrix = tuple[float, float, float, float, float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Point = tuple[float, float]

ELSEWHERE = frozenset(("defs", "symbol", "clippath", "mask", "marker", "pattern", "svg", "style", "filter"))
SAME: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
NUMBER = re.compile(r"[-+]?+(?:\d++\.?+\d*+|\.\d++)(?:e[-+]?\d++)?+", re.IGNORECASE)
STEPS = re.compile(r"([MLHVCSQTAZ])([^MLHVCSQTAZ]*)", re.IGNORECASE)
CALLS = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)")
SEPARATOR = re.compile(r"\s*+,?+\s*+")
FLAG = re.compile(r"[01]")
OPERANDS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
LARGEST = 1e12


def may_hide(source: str, box: Box) -> bool:
    """Whether a source has a number that leads far out of its viewBox; without, nothing is worth placing.

    Far is twice the furthest edge, rounded up to one digit: 50 for a viewBox of 24, 200 for one of 100.
    """
    return any(found[1] for found in _far(2.0 * max(map(abs, box))).finditer(source))


@lru_cache(maxsize=256)
def _far(edge: float) -> re.Pattern[str]:
    """Finds numbers beyond `edge` in group 1, and steps over addresses and colours, whose digits are none."""
    whole = str(math.ceil(min(max(edge, 1.0), LARGEST)))
    first, rest = int(whole[0]), len(whole) - 1
    same = rf"[{first + 1}-9]\d{{{rest}}}|" if first < 9 else ""
    exact = rf"{first}\d{{{rest}}}|" if set(whole[1:]) <= {"0"} and rest else ""
    number = rf"(?<![\d.])(?:{same}{exact}[1-9]\d{{{rest + 1},}})(?!\d)|\d[eE]\+?\d"
    return re.compile(rf"https?://[^\"']*|#[\da-fA-F]+|({number})")


def hidden_shapes(root: Any, box: Box) -> tuple[int, int]:
    """How many shapes lie wholly outside of `box`, and how many there are that can be placed.

    Example:
        A circle at (5, 5) and one at (50, 5), in the box (0, 0, 10, 10): (1, 2).
    """
    placed = [_apart(extent, box) for child in root for extent in _extents(child, SAME)]
    return sum(placed), len(placed)


def _extents(element: Any, above: Matrix) -> Iterator[Box]:
    name = element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else "style"
    if name in ELSEWHERE or "transform" in element.get("style", ""):
        return
    matrix = _times(above, _matrix(element.get("transform", "")))
    points = _points(name, element)
    if points:
        yield _around([_moved(matrix, x, y) for x, y in points], _thickness(element, matrix))
    for child in element:
        yield from _extents(child, matrix)


def _apart(extent: Box, box: Box) -> bool:
    return extent[2] < box[0] or extent[0] > box[2] or extent[3] < box[1] or extent[1] > box[3]


def _around(points: Sequence[Point], margin: float) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


def _thickness(element: Any, matrix: Matrix) -> float:
    """Room for a stroke and its joins; where an ancestor or a style may set its width, a good deal."""
    width = max(_number(element, "stroke-width"), 10.0)
    return 2.0 * width * math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))


def _number(element: Any, key: str) -> float:
    """A length in units of the drawing: 0 where there is none, NaN in other units, which hides nothing."""
    text = str(element.get(key, "")).strip().removesuffix("px")
    if not text:
        return 0.0
    return float(text) if NUMBER.fullmatch(text) else math.nan


def _points(name: str, element: Any) -> list[Point]:
    match name:
        case "rect":
            x, y, width, height = (_number(element, key) for key in ("x", "y", "width", "height"))
            return [(x, y), (x + width, y), (x, y + height), (x + width, y + height)]
        case "circle" | "ellipse":
            x, y, r = (_number(element, key) for key in ("cx", "cy", "r"))
            across, down = _number(element, "rx") or r, _number(element, "ry") or r
            return [
                (x - across, y - down),
                (x + across, y - down),
                (x - across, y + down),
                (x + across, y + down),
            ]
        case "line":
            x1, y1, x2, y2 = (_number(element, key) for key in ("x1", "y1", "x2", "y2"))
            return [(x1, y1), (x2, y2)]
        case "polyline" | "polygon":
            numbers = _numbers(element.get("points", ""))
            return list(zip(numbers[::2], numbers[1::2], strict=False))
        case "path":
            return list(_path_points(element.get("d", "")))
        case _:
            return []


def _numbers(text: str) -> list[float]:
    return [min(max(float(number), -LARGEST), LARGEST) for number in NUMBER.findall(text)]


def _path_points(d: str) -> Iterator[Point]:
    """Every point and control point of a path, in its own units."""
    here = start = control = (0.0, 0.0)
    for letter, rest in STEPS.findall(d):
        kind, relative = letter.upper(), letter.islower()
        if kind == "Z":
            here = control = start
            continue
        numbers = _arc_numbers(rest) if kind == "A" else _numbers(rest)
        size = OPERANDS[kind]
        for at in range(0, len(numbers) - size + 1, size):
            points = _step_points(kind, numbers[at : at + size], here, relative)
            mirrored = (2 * here[0] - control[0], 2 * here[1] - control[1])
            if kind in "ST":
                yield mirrored
            yield from points
            here, control = points[-1], _last_control(kind, points, mirrored)
            if kind == "M" and at == 0:
                start = here


def _last_control(kind: str, points: Sequence[Point], mirrored: Point) -> Point:
    """What a smooth curve that follows would mirror."""
    return points[-2] if kind in "CSQ" else mirrored if kind == "T" else points[-1]


def _step_points(kind: str, step: Sequence[float], here: Point, relative: bool) -> list[Point]:
    """The points of one step, its end last. An arc's box is taken around its end, whatever its flags."""
    x, y = here if relative else (0.0, 0.0)
    if kind == "H":
        return [(step[0] + x, here[1])]
    if kind == "V":
        return [(here[0], step[0] + y)]
    if kind == "A":
        end = step[5] + x, step[6] + y
        reach = 2.0 * max(abs(step[0]), abs(step[1]), math.dist(here, end))
        return [(end[0] - reach, end[1] - reach), (end[0] + reach, end[1] + reach), end]
    return [(step[at] + x, step[at + 1] + y) for at in range(0, len(step), 2)]


def _arc_numbers(text: str) -> list[float]:
    """Seven numbers an arc, whose two flags may stand without a space: `5 5 0 013 4`."""
    found: list[float] = []
    at = 0
    while True:
        at = _end(SEPARATOR, text, at)
        number = (FLAG if len(found) % 7 in (3, 4) else NUMBER).match(text, at)
        if number is None:
            return found
        found.append(min(max(float(number[0]), -LARGEST), LARGEST))
        at = number.end()


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _matrix(transform: str) -> Matrix:
    found = SAME
    for name, inside in CALLS.findall(transform):
        found = _times(found, _one_matrix(name, _numbers(inside)))
    return found


def _one_matrix(name: str, n: Sequence[float]) -> Matrix:
    match name, n:
        case "matrix", [a, b, c, d, e, f]:
            return a, b, c, d, e, f
        case "translate", [x, *rest]:
            return 1.0, 0.0, 0.0, 1.0, x, rest[0] if rest else 0.0
        case "scale", [x, *rest]:
            return x, 0.0, 0.0, rest[0] if rest else x, 0.0, 0.0
        case "rotate", [angle, *centre]:
            cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            x, y = centre if len(centre) == 2 else (0.0, 0.0)
            return cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y
        case "skewX", [angle]:
            return 1.0, 0.0, math.tan(math.radians(angle)), 1.0, 0.0, 0.0
        case "skewY", [angle]:
            return 1.0, math.tan(math.radians(angle)), 0.0, 1.0, 0.0, 0.0
        case _:
            return SAME


def _times(p: Matrix, q: Matrix) -> Matrix:
    """The matrix that does `q` first and `p` after."""
    return (
        p[0] * q[0] + p[2] * q[1],
        p[1] * q[0] + p[3] * q[1],
        p[0] * q[2] + p[2] * q[3],
        p[1] * q[2] + p[3] * q[3],
        p[0] * q[4] + p[2] * q[5] + p[4],
        p[1] * q[4] + p[3] * q[5] + p[5],
    )


def _moved(m: Matrix, x: float, y: float) -> tuple[float, float]:
    return m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]
