"""The part of JavaScript that a sketch may use where a list says which methods it paints with.

A list of what paints cannot hold against a program that finds other ways to the same canvas: a library's
functions, called on objects of its choice, or its prototypes, patched. So what a program can *reach* is
bounded: it has its own values, numbers and texts, the functions of p5 that do not paint, and the library's
methods. That holds where it runs (salon.media.p5.compartment); here it is told before, with the line, what it
will not find. Nothing that it finds leads further, as long as no property that does is named: a name that is
made when the program runs is looked at there (`with_guarded_keys`).

See docs/decisions/017.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from .scopes import Scopes
from .syntax_tree import Part, read_tree
from .trivia import COMMENTS
from .vocabulary import words

KEY = "__key"
"""The function of the page that looks at a computed name."""

DENIED = words("""
    apply arguments bind call callee caller constructor defineProperties defineProperty
    getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols
    getPrototypeOf prototype setPrototypeOf
""")
"""Names of properties that lead from any value to what made it, or call a function on another's behalf. So
does every name that begins with an underscore: p5 keeps by such names what it works with.
"""

NAMESPACES = words("Array BigInt Date JSON Math Number Object Promise String console performance")
"""Of the language's own objects, those whose functions a program may call."""

OF_NAMESPACE: Mapping[str, frozenset[str]] = {
    "Array": words("from isArray of"),
    "JSON": words("stringify"),
    "Object": words("assign entries freeze hasOwn is keys seal values"),
    "Promise": words("all reject resolve"),
    "String": words("fromCharCode fromCodePoint raw"),
    "console": words("debug error info log warn"),
    "performance": words("now"),
}
"""Which of them, where not all."""

CALLABLE = words("Array BigInt Boolean Date Error Number RangeError String TypeError")
NEWABLE = CALLABLE | words("""
    Float32Array Float64Array Int16Array Int32Array Int8Array Map Promise Set Uint16Array Uint32Array
    Uint8Array Uint8ClampedArray WeakMap WeakSet
""")

PLAIN = words("""
    abs acos alpha arguments asin atan atan2 bezierPoint bezierTangent blue boolean brightness byte ceil
    char color constrain cos createVector day degrees deltaTime displayDensity displayHeight displayWidth
    dist exp float floor focused fract frameCount green height hex hour hue Infinity int isFinite
    isLooping isNaN key keyCode keyIsPressed lerp lerpColor lightness log mag map max millis min minute
    month mouseX mouseY movedX movedY NaN nf nfc nfp nfs noise norm paletteLerp parseFloat parseInt
    pmouseX pmouseY pow radians random randomGaussian red round saturation second shuffle sin splinePoint
    splineTangent splitTokens sq sqrt str tan unchar unhex width windowHeight windowWidth year
""")
"""What gives plain values, vectors or colours: it may be handed on."""

SILENT = words("""
    angleMode applyMatrix background blendMode camera clear colorMode createCanvas cursor curveDetail
    ellipseMode erase fill frameRate imageMode loop noCursor noErase noFill noiseDetail noiseSeed noLoop
    noSmooth noStroke ortho perspective pixelDensity pop print push randomSeed rectMode redraw resetMatrix
    resizeCanvas rotate rotateX rotateY rotateZ save saveCanvas saveGif scale setAttributes shearX shearY
    smooth stroke strokeCap strokeJoin strokeWeight translate
""")
"""What is called for what it does. What some give, on some canvases, is p5 or its renderer: in a compartment,
plain values alone.
"""

CONSTANTS = words("""
    ADD BEVEL BLEND BOTTOM BURN CENTER CLOSE CORNER CORNERS DARKEST DEG_TO_RAD DEGREES DIFFERENCE DODGE
    EXCLUSION FALLBACK GRID HALF_PI HARD_LIGHT HSB HSL HWB LAB LABEL LCH LEFT LIGHTEST MITER MULTIPLY
    OKLAB OKLCH OPEN OVERLAY P2D PI PROJECT QUARTER_PI RAD_TO_DEG RADIANS RADIUS REMOVE REPLACE RGB RGBA
    RIGHT ROUND SCREEN SOFT_LIGHT SQUARE SUBTRACT TAU TOP TWO_PI WEBGL WEBGL2
""")

FREE = PLAIN | SILENT | CONSTANTS | {"brush", "describe"}
"""What may be used in any way, and is none of the program's."""

KNOWN = FREE | NAMESPACES | NEWABLE | {"p5"}

HOOKS = words("""
    deviceMoved deviceShaken deviceTurned doubleClicked draw keyPressed keyReleased keyTyped mouseClicked
    mouseDragged mouseMoved mousePressed mouseReleased mouseWheel preload setup touchEnded touchMoved
    touchStarted windowResized
""")
"""Functions of a program that p5 calls."""

KEYWORDS = words("async await let yield")
"""Words that are names in some places, and in others none."""

_ODD_LINE = re.compile("[\u2028\u2029]|\r(?!\n)")
"""What ends a line for a browser, and not for the parser."""
BEFORE_REGEX = words("( , = : [ { ; ! && || ?? ? => return")
"""Tokens after which no parser takes a slash for a division."""

Found = tuple[str, int]


DEEPEST = 200
"""How many functions and blocks may stand inside one another: names are looked up through all of them."""


def find_beyond(parts: Sequence[Part]) -> Found | None:
    """The first thing in a program that is beyond the subset: what to say, and its line."""
    if parts and (found := _ODD_LINE.search(parts[0].text)):
        return "a line ends with a line feed", parts[0].text.count("\n", 0, found.start()) + 1
    scopes = Scopes(parts)
    if scopes.deepest > DEEPEST:
        return f"more than {DEEPEST} functions or blocks stand inside one another", 1
    ways = (
        _given_beyond(scopes),
        (found for part in parts for found in _beyond(part, scopes)),
        _told_apart(parts),
    )
    return next((found for way in ways for found in way), None)


def _given_beyond(scopes: Scopes) -> Iterator[Found]:
    """Names that a program gives a value to, declares nowhere, and has from others."""
    for name, part in scopes.undeclared.items():
        if name in KNOWN:
            yield f"{name} is p5's or the language's own: choose another, or write let {name}", part.line


def _beyond(part: Part, scopes: Scopes) -> Iterator[Found]:
    is_name = part.kind.endswith(("identifier", "identifier_pattern"))
    if is_name and "\\" in part.text:
        yield "a name is written out, without escapes", part.line
    if is_name and part.text in KEYWORDS and not part.kind.startswith("property"):
        yield f"{part.text} is a word of the language: choose another", part.line
    match part.kind:
        case "identifier" | "shorthand_property_identifier":
            if (told := _name_beyond(part, scopes)) is not None:
                yield told, part.line
        case "property_identifier" if not _is_constructor(part) and not _is_own_prototype(part, scopes):
            yield from _denied(part.text, part.line)
        case "string" if part.field_name in ("key", "name"):
            yield from _denied(part.text[1:-1], part.line)
            if "\\" in part.text:
                yield "a name is written out, without escapes", part.line
        case "shorthand_property_identifier_pattern":
            yield from _denied(part.text, part.line)
        case "subscript_expression":
            index = part.fields.get("index")
            if index is not None and index.kind == "string":
                yield from _denied(index.text[1:-1], index.line)
        case "pair_pattern" if part.fields["key"].kind != "property_identifier":
            yield "a pattern names its properties: write { name: value }", part.line
        case "with_statement":
            yield "with is not needed to paint", part.line
        case "await_expression" | "yield_expression" if not _has_mark(
            scopes.function_of(part), _OF_KEYWORD[part.kind]
        ):
            yield f"{part.kind.split('_')[0]} stands in no function that has it", part.line
        case "unary_expression" if _deletes_a_name(part):
            yield "what is deleted is a property", part.line
        case _:
            pass


def _deletes_a_name(part: Part) -> bool:
    return part.fields["operator"].text == "delete" and part.fields["argument"].kind not in (
        "member_expression",
        "subscript_expression",
    )


_OF_KEYWORD: Mapping[str, str] = {"await_expression": "async", "yield_expression": "*"}


def _is_constructor(part: Part) -> bool:
    """Whether this names a class's constructor, and no property."""
    method = part.parent
    is_method = method is not None and method.kind == "method_definition" and method.within("class_body")
    return is_method and part.text == "constructor"


def _is_own_prototype(part: Part, scopes: Scopes) -> bool:
    """Whether this is the `prototype` of a function that the program names itself."""
    member = part.parent
    if part.text != "prototype" or member is None or member.kind != "member_expression":
        return False
    holder = member.fields["object"]
    return holder.kind == "identifier" and scopes.binds(holder)


def _has_mark(function: Part | None, mark: str) -> bool:
    return function is not None and any(child.kind == mark for child in function.children)


def _told_apart(parts: Sequence[Part]) -> Iterator[Found]:
    """Where a browser may read other tokens than the parser did: a comment of HTML's, or a regular expression
    instead of a division. What is code for one of them is then text for the other.
    """
    tokens = [part for part in parts if not part.children and part.end > part.start]
    tokens = [token for token in tokens if token.kind not in COMMENTS]
    for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        is_first = before is None or token.line > before.line
        touches = after is not None and after.start == token.end
        if token.within("regex"):
            begins = token.parent is not None and token.start == token.parent.start
            if begins and (before is None or before.kind not in BEFORE_REGEX):
                yield "a regular expression stands behind one of ( , = : [ { ; ! ? && || return", token.line
            continue
        if token.kind == "<" and touches and after is not None and after.kind == "!":
            yield "write a blank between < and !", token.line
        if token.kind == "--" and is_first and touches and after is not None and after.kind == ">":
            yield "a line does not begin with -->", token.line
        if token.kind in ("/", "/=") and (is_first or (before is not None and before.kind == "}")):
            yield "a division stands on the line of what it divides, which ends in no }", token.line


def _denied(name: str, line: int) -> Iterator[Found]:
    if name in DENIED or name.startswith("_"):
        yield f".{name} leads out of what a painting may use", line


def _name_beyond(part: Part, scopes: Scopes) -> str | None:
    """Why a name may not stand where it does; None where it may."""
    name = part.text
    if name == KEY:
        return f"{name} is a name of the page's own: choose another"
    if scopes.binds(part) or name in FREE:
        return None
    if name == "p5":
        return None if _is_vector(part) else "of p5 itself, a painting may use p5.Vector alone"
    if name in NAMESPACES or name in NEWABLE:
        return None if _is_used_whole(part, name) else f"{name} is not used that way in a painting"
    return None if name in scopes.undeclared else f"{name} is not among what a painting may use"


def _is_vector(part: Part) -> bool:
    """`new p5.Vector(…)`, `p5.Vector.name(…)`, `extends p5.Vector` or `instanceof p5.Vector`."""
    vector = part.parent
    if vector is None or vector.kind != "member_expression" or part.field_name != "object":
        return False
    if vector.fields["property"].text != "Vector":
        return False
    if vector.within("new_expression"):
        return vector.field_name == "constructor"
    if vector.within("class_heritage"):
        return True
    if vector.within("binary_expression"):
        return _is_tested_for(vector)
    return vector.within("member_expression") and vector.field_name == "object" and _is_read(vector.parent)


def _is_tested_for(part: Part) -> bool:
    """Whether a class stands behind `instanceof`."""
    operator = part.parent.fields.get("operator") if part.parent is not None else None
    return part.field_name == "right" and operator is not None and operator.text == "instanceof"


def _is_used_whole(part: Part, name: str) -> bool:
    """Whether one of the language's objects is used for what it is for: neither changed nor handed on."""
    above = part.parent
    if above is None:
        return False
    match above.kind:
        case "member_expression":
            property_name = above.fields["property"].text
            known = property_name in OF_NAMESPACE.get(name, frozenset({property_name}))
            return part.field_name == "object" and name in NAMESPACES and known and _is_read(above)
        case "call_expression":
            return part.field_name == "function" and name in CALLABLE
        case "new_expression":
            return part.field_name == "constructor" and name in NEWABLE
        case "binary_expression":
            return _is_tested_for(part)
        case "variable_declarator":
            return name == "Math" and above.fields["name"].kind == "object_pattern"
        case _:
            return False


def _is_read(member: Part | None) -> bool:
    """Whether a property is called or read, and given no value."""
    above = member.parent if member is not None else None
    if member is None or above is None or above.kind in ("for_in_statement", "update_expression"):
        return False
    if above.kind in ("assignment_expression", "augmented_assignment_expression"):
        return member.field_name == "right"
    if above.kind == "unary_expression":
        return above.fields["operator"].text != "delete"
    return above.kind not in ("array_pattern", "pair_pattern", "rest_pattern", "assignment_pattern")


def with_guarded_keys(program: str) -> str:
    """A program that shows the page every name of a property that it computes, before it is used.

    Example:
        `a[b + c]` becomes `a[__key((b + c))]`; `a[0]` stays.

    Raises:
        TooComplex: the parser gave up.
    """
    data = program.encode("utf-8", errors="replace")
    edits: list[tuple[int, str]] = []
    for part in read_tree(data):
        if (key := _computed(part)) is not None:
            edits += [(key[0], f"{KEY}(("), (key[1], "))")]
    pieces, at = list[bytes](), 0
    for place, text in sorted(edits, key=lambda edit: edit[0]):
        pieces += [data[at:place], text.encode()]
        at = place
    return b"".join([*pieces, data[at:]]).decode("utf-8", errors="replace")


def _computed(part: Part) -> tuple[int, int] | None:
    """Where a computed name of a property stands, between its brackets; none where it is a number."""
    index = part.fields.get("index") if part.kind == "subscript_expression" else None
    if index is not None and index.kind != "number":
        return index.start, next(child for child in reversed(part.children) if child.kind == "]").start
    if part.kind == "computed_property_name":
        return part.children[0].end, part.children[-1].start
    return None
