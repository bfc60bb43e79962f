"""What a sketch's syntax tree shows to be wrong, before anything runs.

Two tiers. Any sketch must parse, start, stay inside its page, and use of p5.brush only what exists. With an
allow-list of brush methods ("watercolour", or one's own list) it must also paint with the brush alone: no
native shapes, no text, nothing off the list.
"""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Literal

from salon.errors import RecipeError
from salon.markup import printable
from salon.media.p5.compartment import COMPARTMENT, OUTSIDE, PAGE, Scope
from salon.media.p5.libraries import brush_methods
from salon.types import Failure

from .subset import with_guarded_keys
from .syntax import Program, read_program
from .vocabulary import (
    EXTERNAL_CALLS,
    EXTERNAL_METHODS,
    EXTERNAL_NAMES,
    INPUT,
    MARKS,
    NATIVE_SHAPES,
    PAINTING,
    TEXT_CALLS,
    TEXT_METHODS,
    VERSION_1,
    WATERCOLOUR,
)

Methods = Literal["any", "watercolour"] | Sequence[str]

LONGEST = 200_000
"""Characters of a sketch that are looked at. The pool's have 2,114 at most."""

DEEPEST = 200
"""How many brackets may be open at once."""

LONGEST_SHOWN = 40
"""Characters of an invented name that a message repeats."""

PAINTED = frozenset(f"brush.{name}" for name in PAINTING | MARKS)

ENTRIES = frozenset(("setup", "draw"))

RASTER = re.compile(r"data:image/", re.IGNORECASE)

MOST_CARRIED = {
    "numbers in tables": 2_000,
    "digits of numbers": 6_000,
    "characters that are no words": 3_000,
    "characters of text": 20_000,
    "letters of different names": 12_000,
    "digits of all numbers": 15_000,
    "bytes of text, names and numbers, compressed": 2_500,
    "bytes of program, compressed": 6_000,
}
"""What a program may carry along; its comments do not run. The pool's have at most 164 numbers of 485 digits,
117 characters of text, 543 bytes of text, names and numbers, and 756 in all. Of 361 sketches by others the
largest have 1,903 and 2,516.
"""


def check_sketch(source: str, methods: Methods = "any", max_tokens: int | None = None) -> Failure | None:
    """The first thing that is wrong with a sketch, or None.

    Args:
        source: JavaScript.
        methods: "any" method of p5.brush (and plain p5), "watercolour", or the allowed names.
        max_tokens: how long the program may be, in tokens of JavaScript; None for any length.

    Raises:
        RecipeError: `methods` names something that p5.brush does not have.
    """
    allowed = allow_list(methods)
    if not source.strip():
        return _failure("no_sketch_in_response", "the source is empty")
    if len(source) > LONGEST:
        told = f"the source has {len(source):,} characters, and {LONGEST:,} are looked at"
        return _failure("too_large", told)
    if _depth(source) > DEEPEST:
        return _failure("syntax_error", f"more than {DEEPEST} brackets are open at once")
    program = read_program(source)
    found = _check_any(program) or (None if allowed is None else _check_strict(program, allowed))
    if found is None and max_tokens is not None and program.tokens > max_tokens:
        told = f"the program has {program.tokens} tokens of JavaScript, and may have {max_tokens}"
        return _failure("too_long", told)
    return found


def _depth(source: str) -> int:
    """The most brackets that are open at once, wherever they stand: a bound, found in one pass."""
    steps = (1 if mark in "([{" else -1 for mark in source if mark in "([{)]}")
    return max(accumulate(steps), default=0)


def allow_list(methods: Methods) -> frozenset[str] | None:
    """The allowed brush methods; None for any. Raises RecipeError for a name that p5.brush does not have."""
    if methods == "any":
        return None
    if methods == "watercolour":
        return frozenset(WATERCOLOUR)
    if isinstance(methods, str):
        raise RecipeError(
            f"methods: {methods!r} is neither 'any', 'watercolour' nor a list of p5.brush's methods"
        )
    unknown = sorted(set(methods) - brush_methods())
    if unknown:
        raise RecipeError(f"methods: p5.brush has no {unknown[0]!r}.{_nearest(unknown[0], brush_methods())}")
    return frozenset(methods)


def paints_with_brush(source: str, calls: Sequence[str] | None) -> bool:
    """Whether a sketch painted with p5.brush: by what it called when it ran, and by its syntax where nobody
    watched. A brush that is only mentioned, or never reached, paints nothing.
    """
    return uses_brush(source) and (calls is None or bool(PAINTED & set(calls)))


def uses_brush(source: str) -> bool:
    """Whether a sketch names the library p5.brush (and not a variable of its own with that name)."""
    program = read_program(source)
    free = "brush" not in program.declared and "brush" in program.names
    return bool(program.brush) or program.dynamic_brush > 0 or free


def what_runs(source: str) -> str:
    """A source without its comments, which the program could read, and with its computed names shown to the
    page where it paints with p5.brush; as it is where it does not parse.
    """
    text = read_program(source).text
    return (with_guarded_keys(text) if uses_brush(source) else text) or source


def scope_of(source: str, methods: Methods) -> Scope:
    """Where a sketch's names are found. With a list, in a compartment; else there where it does the same,
    since a list may be asked for later.
    """
    if methods != "any":
        return COMPARTMENT
    shared = read_program(source).shared if uses_brush(source) else None
    return PAGE if shared is None else Scope(walled=True, or_page=True, shared=tuple(sorted(shared)))


def is_plain(source: str) -> bool:
    """Whether a sketch starts without p5: it brings a canvas of its own."""
    program = read_program(source)
    lexical = program.lexical & ENTRIES
    return not lexical and not _starts_p5(program)


def waits_for_input(source: str) -> bool:
    """Whether a sketch asks for the mouse, a touch or the keyboard."""
    program = read_program(source)
    return bool(INPUT & (program.functions | program.members | program.names.keys()))


def _check_any(program: Program) -> Failure | None:
    if program.too_complex:
        return _failure("too_complex", "the parser gave up: this is broken in too many places")
    if program.broken_line:
        if program.truncated:
            return _failure("truncated", "the source stops before what it opened is closed")
        return _failure("syntax_error", "this is not JavaScript", program.broken_line)
    return (
        _check_entry(program)
        or _check_external(program)
        or _check_webgl(program)
        or _check_brush(program, brush_methods())
    )


def _starts_p5(program: Program) -> bool:
    return bool(program.functions & ENTRIES) or "p5" in program.calls


def _check_entry(program: Program) -> Failure | None:
    if _starts_p5(program) or "getContext" in program.methods:
        return None
    if program.lexical & ENTRIES:
        name = min(program.lexical & ENTRIES)
        return _failure(
            "missing_entry_points",
            f"p5 finds no {name} that is a const or let: write function {name}() {{ … }}",
        )
    if ENTRIES & program.members:
        return _failure(
            "missing_entry_points",
            "nothing starts the instance: add new p5(…) with its function, or the file that does in front",
        )
    return _failure("missing_entry_points", "there is neither function setup() nor function draw()")


def _check_external(program: Program) -> Failure | None:
    if program.imports:
        return _failure(
            "external_access", "a sketch imports nothing: p5 and brush are there", program.imports[0]
        )
    if found := _check_carried(program):
        return found
    raster = next((line for text, line in program.strings.items() if RASTER.match(text)), None)
    if raster is not None:
        return _failure("embedded_raster", "a picture inside the source is no painting", raster)
    names, calls = EXTERNAL_NAMES - program.declared, EXTERNAL_CALLS - program.declared
    used = ((program.names, names), (program.calls, calls), (program.methods, EXTERNAL_METHODS))
    for name, line in ((name, line) for uses, known in used for name, line in uses.items() if name in known):
        return _failure("external_access", f"{name} reaches out of the sketch", line)
    return None


def _check_carried(program: Program) -> Failure | None:
    carried = program.carried
    counts = (carried.numbers, carried.digits, carried.characters, carried.text, carried.letters)
    counts += (carried.written, carried.literals, carried.whole)
    for count, (what, most) in zip(counts, MOST_CARRIED.items(), strict=True):
        if count > most:
            told = f"a picture in the source is no painting: it carries {count:,} {what}, of at most {most:,}"
            return _failure("embedded_raster", told, carried.line)
    return None


def _check_webgl(program: Program) -> Failure | None:
    if not program.brush or {"WEBGL", "WEBGL2"} & program.names.keys():
        return None
    if program.canvas_elsewhere:
        return None
    if {"webgl", "webgl2"} & set(map(str.lower, program.strings)) or "WEBGL" in program.members:
        return None
    return _failure("not_webgl", "p5.brush paints on a WEBGL canvas only: createCanvas(width, height, WEBGL)")


def _check_brush(program: Program, known: frozenset[str]) -> Failure | None:
    for name, line in program.brush.items():
        if name in known:
            continue
        if name in VERSION_1:
            return _failure("brush_v1_api", _version_1(name, program.brush), line)
        message = f"p5.brush has no brush.{_shown(name)}.{_nearest(name, known)}"
        return _failure("unknown_brush_method", message, line)
    return None


def _version_1(first: str, brush: Mapping[str, int]) -> str:
    """All that is of version 1, so that a sketch is mended in one go."""
    told = f"brush.{first} is version 1 of p5.brush; version 2 has {VERSION_1[first]}"
    others = "".join(
        f"; line {line}: brush.{name}, {VERSION_1[name]}"
        for name, line in sorted(brush.items(), key=lambda use: use[1])
        if name in VERSION_1 and name != first
    )
    return told + others


def _check_strict(program: Program, allowed: frozenset[str]) -> Failure | None:
    if not _starts_p5(program):
        return _failure("missing_entry_points", "there is neither function setup() nor function draw()")
    if program.dynamic_brush:
        return _failure(
            "unknown_brush_method",
            "this hides which method of brush is called: write brush.method(…)",
            program.dynamic_brush,
        )
    for name, line in program.brush.items():
        if name not in allowed:
            message = f"brush.{_shown(name)} is not allowed here.{_nearest(name, allowed)}"
            return _failure("unknown_brush_method", message, line)
    if text := _first_call(program, TEXT_CALLS, TEXT_METHODS):
        return _failure("text_label", f"{text[0]}() writes text into the picture", text[1])
    if shape := _first_call(program, NATIVE_SHAPES, frozenset()):
        message = f"{shape[0]}() draws without the brush: paint with the methods of brush"
        return _failure("bare_primitives", message, shape[1])
    if program.beyond is not None:
        return _failure("forbidden_name", *program.beyond)
    if not PAINTING & program.brush.keys():
        return _failure(
            "no_painting_calls", "nothing is painted: no brush.circle, brush.endShape or another shape"
        )
    return None


def check_calls(calls: Sequence[str] | None, methods: Methods) -> Failure | None:
    """The first call that a sketch made when it ran, by whatever name, and that `methods` does not allow.

    Args:
        calls: a finished rendering's `calls`: p5's by their names, "brush." and "canvas." before the others',
            and "key." before a computed name of a property that the subset lacks.
            None where nobody watched, which a list of methods does not allow.
        methods: as of `check_sketch`.
    """
    allowed = allow_list(methods)
    if allowed is None:
        return None
    if calls is None:
        return Failure("no_painting_calls", "nothing tells what the sketch called", "sample", "render")
    for call in sorted(calls, key=lambda call: call == OUTSIDE):
        of, _, name = call.rpartition(".")
        if call == OUTSIDE:
            message = "the sketch ran where the names of the page are found: it is no program of the subset"
            return Failure("forbidden_name", message, "sample", "render")
        if of == "brush" and name in allowed:
            continue
        if of == "key":
            message = f".{name} was reached by a computed name, and leads out of what a painting may use"
            return Failure("forbidden_name", message, "sample", "render")
        if of == "brush":
            message = f"brush.{name} was called, and is not allowed here.{_nearest(name, allowed)}"
            return Failure("unknown_brush_method", message, "sample", "render")
        if name in TEXT_CALLS | TEXT_METHODS:
            message = f"{name}() was called, and writes text into the picture"
            return Failure("text_label", message, "sample", "render")
        message = f"{name}() was called, and draws without the brush: paint with the methods of brush"
        return Failure("bare_primitives", message, "sample", "render")
    if not PAINTED & set(calls):
        message = "nothing was painted: neither brush.circle, brush.endShape nor another shape was called"
        return Failure("no_painting_calls", message, "sample", "render")
    return None


def _first_call(program: Program, names: frozenset[str], methods: frozenset[str]) -> tuple[str, int] | None:
    own = [use for use in program.calls.items() if use[0] in names - program.declared]
    return next(iter(own + [use for use in program.methods.items() if use[0] in methods]), None)


def _nearest(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(word[:LONGEST_SHOWN], sorted(known), n=1, cutoff=0.65)
    return f" Did you mean brush.{near[0]}?" if near else ""


def _shown(name: str) -> str:
    return printable(name, LONGEST_SHOWN)


def _failure(code: str, message: str, line: int = 0) -> Failure:
    return Failure(code, f"line {line}: {message}" if line else message, "sample", "check")
