"""Where a sketch's names are found: on the page, as every script's, or in a compartment, which lends a few.

In a compartment a name is the program's own, one of those here, or undefined, and it is V8 that says which
(scripts/compartment.js). See docs/decisions/017.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from salon.media.p5.checks.subset import (
    CALLABLE,
    CONSTANTS,
    HOOKS,
    KEY,
    NAMESPACES,
    NEWABLE,
    OF_NAMESPACE,
    PLAIN,
    SILENT,
)
from salon.media.p5.checks.vocabulary import words


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a sketch's names are found: on the page, or `walled`. `or_page`: on the page all the same where
    V8 does not read the program as strict code, or the page has one of its `shared` names.
    """

    walled: bool = False
    or_page: bool = False
    shared: tuple[str, ...] = ()


PAGE = Scope()
COMPARTMENT = Scope(walled=True)

OUTSIDE = "scope.page"
"""What a rendering's `calls` say of a sketch that ran on the page."""

RESERVED = words("""
    arguments break case catch class const continue debugger default delete do else enum eval export extends
    false finally for function if implements import in instanceof interface let new null package private
    protected public return static super switch this throw true try typeof var void while with yield
""")
"""Words that name no parameter of a strict function."""

VALUES = words("Infinity NaN isFinite isNaN parseFloat parseInt") | {KEY}
"""What the libraries find on the page as well: a program gets its own names for them."""

INNER = (
    NEWABLE
    | CALLABLE
    | words("""
    AggregateError ArrayBuffer BigInt64Array BigUint64Array DataView DOMException EvalError Float16Array
    Function Iterator Object ReferenceError RegExp SharedArrayBuffer Symbol SyntaxError URIError WeakRef
""")
)
"""What makes the values that a program can have."""

OF_CANVAS = words("""
    addClass attribute center class hide id mouseClicked mousePressed parent position removeClass show style
""")
"""What sketches ask of createCanvas()'s result, in pages that have a place for it. Here it does nothing."""

KEEPING = words("add addField")
"""p5.brush's functions that keep a function of the program's."""

CLASSES = words("Plot Polygon Position")
"""The classes of p5.brush."""


def lent_names() -> dict[str, list[str] | Mapping[str, list[str] | None]]:
    """What a compartment is given.

    `open` names are found on the page, when they are used: p5 puts them there. `silent` ones give plain
    values. `hooks` are what p5 calls of the program. Of `namespaces`, some functions or all (None). `marks`
    are p5.brush's classes; `inner` is what made the values that a program can have, and `ofCanvas`
    what it may ask a canvas for. `keeping` ones keep functions of the program and call them later.
    """
    return {
        "open": sorted((PLAIN | CONSTANTS) - VALUES),
        "silent": sorted(SILENT),
        "hooks": sorted(HOOKS),
        "namespaces": {
            name: sorted(OF_NAMESPACE[name]) if name in OF_NAMESPACE else None for name in sorted(NAMESPACES)
        },
        "callable": sorted(CALLABLE),
        "newable": sorted(NEWABLE),
        "reserved": sorted(RESERVED),
        "values": sorted(VALUES),
        "marks": sorted(CLASSES),
        "inner": sorted(INNER),
        "ofCanvas": sorted(OF_CANVAS),
        "keeping": sorted(KEEPING),
    }
