"""How numbers lie on a scale, as bars."""

from collections.abc import Sequence

from salon.markup import Html, el
from salon.number_text import compact, number

from .numbers import count

BINS = 20


def histogram(
    values: Sequence[float], low: float, high: float, width: float = 520, height: float = 200
) -> Html:
    """Bars over `low` to `high`; each says in its title how many values it holds."""
    counts = [0] * BINS
    for value in values:
        counts[min(BINS - 1, max(0, int((value - low) / (high - low) * BINS)))] += 1
    most, foot, slot = max([*counts, 1]), height - 24, width / BINS
    bars: list[Html] = []
    for index, amount in enumerate(counts):
        if amount:
            tall = (foot - 16) * amount / most
            edges = [low + (high - low) * (index + side) / BINS for side in (0, 1)]
            words = f"{number(edges[0])} to {number(edges[1])}: {count(amount, 'group')}"
            place = {
                "x": f"{index * slot + 1:.1f}",
                "y": f"{foot - tall:.1f}",
                "width": f"{slot - 2:.1f}",
                "height": f"{tall:.1f}",
            }
            bars.append(el("rect", {"class": "bar-mark", **place}, el("title", {}, words)))
    ticks = [
        el("text", {"class": f"tick {side}", "x": x, "y": height - 6}, compact(at))
        for at, x, side in ((low, 0, ""), ((low + high) / 2, width / 2, "middle"), (high, width, "end"))
    ]
    axis = el("line", {"class": "grid", "x1": 0, "x2": width, "y1": foot, "y2": foot})
    label = f"{count(len(values), 'value')} between {compact(low)} and {compact(high)}"
    box = {"viewBox": f"0 0 {width:.0f} {height:.0f}", "class": "chart", "role": "img", "aria-label": label}
    return el("svg", box, bars, axis, ticks)
