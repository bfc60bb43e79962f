"""Where the two libraries call, in their own texts, what a sketch may be forbidden to call.

The page tells a sketch's calls from a library's by the place that they come from (page/calls.js).
"""

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from functools import cache

from salon.media.p5.checks.subset import DENIED, KEY
from salon.media.p5.checks.vocabulary import (
    CANVAS_MEANS,
    CANVAS_PAINTING,
    INTERNALS,
    NATIVE_SHAPES,
    PIXELS,
    TEXT_CALLS,
    WATCHED_MARKS,
)

from .compartment import OUTSIDE
from .libraries import load_libraries

Sites = Mapping[str, list[int]]
DRAWING = re.compile(r"\._?(?:draw|render)[A-Z]\w*(?=\()")
"""What p5's renderers call themselves to draw."""


def watched_names() -> dict[str, list[str] | str]:
    """What the page watches: methods of canvases' contexts, p5's shapes and texts, p5.brush's marks, the
    names of properties that a program computes, and whether it runs outside of a compartment.
    """
    return {
        "painters": sorted(CANVAS_PAINTING | CANVAS_MEANS),
        "shapes": sorted(NATIVE_SHAPES | TEXT_CALLS | PIXELS),
        "internals": sorted(INTERNALS),
        "marks": sorted(WATCHED_MARKS),
        "denied": sorted(DENIED),
        "guard": KEY,
        "outside": OUTSIDE,
    }


@cache
def call_sites(before_brush: int) -> str:
    """Where p5 and p5.brush call each watched name, in JSON: positions in UTF-16 units from the start of p5's
    script, and of the one in which p5.brush, as it is served, comes after so many others.
    """
    own = _sites(load_libraries().brush)
    brush = {name: [at + before_brush for at in places] for name, places in own.items()}
    return json.dumps({"p5": _sites(load_libraries().p5), "brush": brush}, separators=(",", ":"))


def _sites(text: str) -> Sites:
    names = {
        *CANVAS_PAINTING,
        *CANVAS_MEANS,
        *NATIVE_SHAPES,
        *TEXT_CALLS,
        *PIXELS,
        *INTERNALS,
        *WATCHED_MARKS,
    }
    names.add("background")
    names |= {found[0].lstrip(".") for found in DRAWING.finditer(text)}
    wide = [index for index, letter in enumerate(text) if ord(letter) > 0xFFFF]
    found: dict[str, list[int]] = {}
    for call in re.finditer(rf"\.({_any(names)})\(", text):
        found.setdefault(call[1], []).append(call.start(1) + bisect_left(wide, call.start(1)))
    return found


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))
