"""The part of JavaScript that a sketch may use where a list says which methods it paints with.

A list of what paints cannot hold against a program that finds other ways to the same canvas: a library's
functions, called on objects of its choice, or its prototypes, patched. So what a program can *reach* is
bounded: it has its own values, numbers and texts, the functions of p5 that neither paint nor hand out p5
itself, and the library's methods. Nothing that these give out leads further, as long as no property that
does is named. A property whose name is made when the program runs is looked at there (`with_guarded_keys`).

See docs/decisions/017.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from .scopes import USES, Scopes, targets_of
from .syntax_tree import Part, read_tree
from .trivia import COMMENTS
from .vocabulary import words

KEY = "__key"
"""The function of the page that looks at a computed name."""
OWN = "__own"
"""The one that lets `this` of an object's method be the program's own: never the page or p5."""


DENIED = words("""
    apply arguments bind call callee caller constructor defineProperties defineProperty
    getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols
    getPrototypeOf prototype setPrototypeOf
""")
"""Names of properties that lead from any value to what made it, or call a function on another's behalf. So
does every name that begins with an underscore: p5 keeps by such names what it works with.
"""

NAMESPACES = words("Array BigInt Date JSON Math Number Object Promise String console")
"""Of the language's own objects, those whose functions a program may call."""

OF_NAMESPACE: Mapping[str, frozenset[str]] = {
    "Array": words("from isArray of"),
    "JSON": words("stringify"),
    "Object": words("assign entries freeze hasOwn is keys seal values"),
    "Promise": words("all reject resolve"),
    "String": words("fromCharCode fromCodePoint raw"),
    "console": words("debug error info log warn"),
}
"""Which of them, where not all."""

CALLABLE = words("Array BigInt Boolean Date Error Number RangeError String TypeError")
NEWABLE = CALLABLE | words("""
    Float32Array Float64Array Int16Array Int32Array Int8Array Map Promise Set Uint16Array Uint32Array
    Uint8Array Uint8ClampedArray WeakMap WeakSet
""")

PLAIN = words("""
    abs acos alpha angleMode arguments asin atan atan2 background bezierPoint bezierTangent blendMode blue
    boolean brightness byte ceil char color constrain cos createVector day degrees deltaTime
    displayDensity displayHeight displayWidth dist exp fill float floor focused fract frameCount green
    height hex hour hue Infinity int isFinite isLooping isNaN key keyCode keyIsPressed lerp lerpColor
    lightness log loop mag map max millis min minute month mouseX mouseY movedX movedY NaN nf nfc nfp nfs
    noise noiseDetail noiseSeed noLoop norm paletteLerp parseFloat parseInt pmouseX pmouseY pop pow print
    push radians random randomGaussian randomSeed red round saturation second shuffle sin splinePoint
    splineTangent splitTokens sq sqrt str stroke strokeWeight tan unchar unhex width windowHeight
    windowWidth year
""")
"""What gives plain values, vectors, colours or nothing: it may be handed on."""

SILENT = words("""
    applyMatrix camera clear colorMode createCanvas cursor curveDetail ellipseMode erase frameRate
    imageMode noCursor noErase noFill noSmooth noStroke ortho perspective pixelDensity rectMode redraw
    resetMatrix resizeCanvas rotate rotateX rotateY rotateZ save saveCanvas saveGif scale setAttributes
    shearX shearY smooth strokeCap strokeJoin translate
""")
"""What gives p5 or its renderer, so that its result may not be used."""

CONSTANTS = words("""
    ADD BEVEL BLEND BOTTOM BURN CENTER CLOSE CORNER CORNERS DARKEST DEG_TO_RAD DEGREES DIFFERENCE DODGE
    EXCLUSION FALLBACK GRID HALF_PI HARD_LIGHT HSB HSL HWB LAB LABEL LCH LEFT LIGHTEST MITER MULTIPLY
    OKLAB OKLCH OPEN OVERLAY P2D PI PROJECT QUARTER_PI RAD_TO_DEG RADIANS RADIUS REMOVE REPLACE RGB RGBA
    RIGHT ROUND SCREEN SOFT_LIGHT SQUARE SUBTRACT TAU TOP TWO_PI WEBGL WEBGL2
""")

TAKEN = words("""
    __key __own AbortController addEventListener AggregateError Array ArrayBuffer Atomics BigInt
    BigInt64Array BigUint64Array Blob Boolean brush cancelAnimationFrame chrome clearInterval clearTimeout
    console crypto CSSStyleSheet customElements DataView Date decodeURI decodeURIComponent dispatchEvent
    document DOMException DOMMatrix DOMParser DOMPoint encodeURI encodeURIComponent Error escape eval
    EvalError Event external fetch FileReader FinalizationRegistry Float16Array Float32Array Float64Array
    FontFace frames Function getComputedStyle globalThis history HTMLCanvasElement HTMLElement Image
    ImageData Int16Array Int32Array Int8Array Intl isFinite isNaN Iterator JSON localStorage location Map
    matchMedia Math navigation navigator Number Object OffscreenCanvas opener p5 parseFloat parseInt
    Path2D performance postMessage Promise Proxy queueMicrotask RangeError ReferenceError Reflect RegExp
    removeEventListener Request requestAnimationFrame scheduler self sessionStorage Set setInterval
    setTimeout SharedArrayBuffer String structuredClone Symbol SyntaxError TextDecoder TextEncoder top
    TypeError Uint16Array Uint32Array Uint8Array Uint8ClampedArray unescape URIError URL WeakMap WeakRef
    WeakSet WebAssembly Window window XMLSerializer
""")
"""Names that a program may not give to what every script of the page sees: the libraries would meet it."""

TAKEN_BY_P5 = words("""
    beginClip blend buildGeometry canvas clip copy createAudio createButton createCamera createCapture
    createCheckbox createColorPicker createDiv createElement createFileInput createFilterShader
    createFramebuffer createGraphics createImage createImg createInput createMatrix createModel createP
    createRadio createSelect createShader createSlider createSpan createStorage createVideo createWriter
    debugMode drawingContext endClip filter freeGeometry get getFilterGraphicsLayer getTexture
    hitCriticalError imageShader libtess loadFilterShader loadModel loadPixels loadShader model
    orbitControl panorama pixels remove resetShader select selectAll set setCamera shader strokeShader
    texture touches updatePixels
""")
"""Nor these to a property of the page: one that got no value would still be p5's."""

HOOKS = words("""
    deviceMoved deviceShaken deviceTurned doubleClicked draw keyPressed keyReleased keyTyped mouseClicked
    mouseDragged mouseMoved mousePressed mouseReleased mouseWheel preload setup touchEnded touchMoved
    touchStarted windowResized
""")
"""Functions that p5 calls as its own methods: only as they are declared, and never as somebody else's."""

KEYWORDS = words("async await let yield")
"""Words that are names in some places, and in others none."""

_ODD_LINE = re.compile("[\u2028\u2029]|\r(?!\n)")
"""What ends a line for a browser, and not for the parser."""
_NAMED_ELEMENT = re.compile(r"defaultCanvas\d+$")
"""A page knows its elements by their names."""

UNUSED = words("await_expression binary_expression parenthesized_expression sequence_expression")
"""What hands on the value of what stands in it, and nothing else."""

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
    program = _Read(scopes, _in_classes(parts), _unused(parts))
    ways = (
        _top_beyond(scopes),
        (found for part in parts for found in _beyond(part, program)),
        _told_apart(parts),
    )
    return next((found for way in ways for found in way), None)


@dataclass(frozen=True, slots=True)
class _Read:
    """What is known of a program's parts: those in the body of a class, and those whose value nobody gets."""

    scopes: Scopes
    in_class: Set[Part]
    unused: Set[Part]


def _in_classes(parts: Sequence[Part]) -> set[Part]:
    """What stands in a class's body. That is strict, so that `this` is never the page; the computed name of a
    member is of the world outside.
    """
    found: set[Part] = set()
    for part in parts:
        above = part.parent
        outer = above.parent if above is not None else None
        if part.kind == "computed_property_name" and outer is not None and outer.kind == "class_body":
            inside = outer in found
        else:
            inside = above is not None and (above.kind == "class_body" or above in found)
        if inside:
            found.add(part)
    return found


def _unused(parts: Sequence[Part]) -> set[Part]:
    """Expressions whose value nobody gets: statements, and what these hand the value of on to."""
    read = {part.text for part in parts if part.kind in USES and not _is_given_a_value(part)}
    found: set[Part] = set()
    for part in parts:
        above = part.parent
        if above is not None and (
            above.kind == "expression_statement"
            or (above.kind == "for_statement" and part.field_name == "increment")
            or (
                (_is_unread(above, read) and part.field_name in ("value", "right"))
                and (above.kind == "variable_declarator" or above in found)
            )
            or (above in found and (above.kind in UNUSED or _is_branch(part)))
        ):
            found.add(part)
    return found


def _is_unread(part: Part, read: Set[str]) -> bool:
    """Whether a part gives a value to a name that nothing reads."""
    name = part.fields.get(
        {"variable_declarator": "name", "assignment_expression": "left"}.get(part.kind, "")
    )
    return name is not None and name.kind == "identifier" and name.text not in read


def _top_beyond(scopes: Scopes) -> Iterator[Found]:
    """Names at the top that the page, p5 or the libraries have a use for."""
    for name, part in scopes.undeclared.items():
        yield f"{name} is declared nowhere: write let {name}", part.line
    for name, part in (scopes.functions | scopes.variables | scopes.constants).items():
        if (
            name in TAKEN
            or _NAMED_ELEMENT.match(name)
            or (name not in scopes.constants and _is_the_pages(name))
        ):
            yield f"{name} is a name of the page's own: choose another", part.line
    for name, part in scopes.variables.items():
        if name in HOOKS:
            yield f"p5 calls {name}: write function {name}() {{ … }}", part.line
        if name in page_names():
            yield f"{name} is a name of the page's own: write let {name}, or choose another", part.line


def _is_the_pages(name: str) -> bool:
    return name in TAKEN_BY_P5 or (name.startswith("on") and name[2:].islower())


@cache
def page_names() -> frozenset[str]:
    """What a page of the pinned Chromium knows by itself."""
    return words((files("salon.media.p5") / "scripts" / "globals.txt").read_text("utf-8"))


def _is_given_a_value(part: Part) -> bool:
    if part.within("variable_declarator"):
        return part.field_name == "name"
    return part.within("assignment_expression") and part.field_name == "left"


def _beyond(part: Part, program: _Read) -> Iterator[Found]:
    is_name = part.kind.endswith(("identifier", "identifier_pattern"))
    if is_name and "\\" in part.text:
        yield "a name is written out, without escapes", part.line
    if is_name and part.text in KEYWORDS and not part.kind.startswith("property"):
        yield f"{part.text} is a word of the language: choose another", part.line
    for target in targets_of(part):
        if target.text in HOOKS:
            yield f"p5 calls {target.text}: write function {target.text}() {{ … }}", target.line
    match part.kind:
        case "identifier" | "shorthand_property_identifier":
            if (told := _name_beyond(part, program)) is not None:
                yield told, part.line
        case "property_identifier" if not _is_constructor(part):
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
        case "this" if part not in program.in_class and not is_of_an_object(program.scopes.owner_of(part)):
            yield "this is p5 or the page, outside of a class and of an object's methods", part.line
        case "super" if part not in program.in_class:
            yield "super is p5 or the page, outside of a class", part.line
        case "regex" | "with_statement" | "meta_property":
            yield f"{part.kind.split('_')[0]} is not needed to paint", part.line
        case "await_expression" | "yield_expression" if not _has_mark(
            program.scopes.function_of(part), _OF_KEYWORD[part.kind]
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


def is_of_an_object(function: Part | None) -> bool:
    """Whether a function is a method of an object that is written out."""
    if function is None:
        return False
    is_value = function.kind == "function_expression" and function.within("pair")
    return is_value or (function.kind == "method_definition" and function.within("object"))


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
        if token.kind == "<" and touches and after is not None and after.kind == "!":
            yield "write a blank between < and !", token.line
        if token.kind == "--" and is_first and touches and after is not None and after.kind == ">":
            yield "a line does not begin with -->", token.line
        if token.kind in ("/", "/=") and (is_first or (before is not None and before.kind == "}")):
            yield "a division stands on the line of what it divides, which ends in no }", token.line


def _denied(name: str, line: int) -> Iterator[Found]:
    if name in DENIED or name.startswith("_"):
        yield f".{name} leads out of what a painting may use", line


def _name_beyond(part: Part, program: _Read) -> str | None:
    """Why a name may not stand where it does; None where it may."""
    name = part.text
    if name in (KEY, OWN):
        return f"{name} is a name of the page's own: choose another"
    if name == "brush" or name in PLAIN or name in CONSTANTS or program.scopes.binds(part):
        return None
    if name == "describe":
        return None if _describes(part) else "describe() takes a plain text, without < and &"
    if name in SILENT:
        return None if _is_statement(part, program) else f"{name}() is called by itself: {name}(…);"
    if name == "p5":
        return None if _is_vector(part) else "of p5 itself, a painting may use p5.Vector alone"
    if name in NAMESPACES or name in NEWABLE:
        return None if _is_used_whole(part, name) else f"{name} is not used that way in a painting"
    return f"{name} is not among what a painting may use"


def _describes(part: Part) -> bool:
    """Whether `describe` is called with texts as they stand: p5 puts them into the page as HTML."""
    call = part.parent
    if call is None or call.kind != "call_expression" or part.field_name != "function":
        return False
    given = [
        child for child in call.fields["arguments"].children if child.kind not in ("(", ")", ",", "comment")
    ]
    return all(
        (each.kind == "string" and not set("<&\\") & set(each.text)) or each.text in ("LABEL", "FALLBACK")
        for each in given
    )


def _is_statement(part: Part, program: _Read) -> bool:
    """Whether a function is called here, and nobody gets what it gives."""
    call = part.parent
    is_called = call is not None and call.kind == "call_expression" and part.field_name == "function"
    return is_called and call in program.unused


def _is_branch(part: Part) -> bool:
    return part.within("ternary_expression") and part.field_name != "condition"


def _is_vector(part: Part) -> bool:
    """`new p5.Vector(…)` or `p5.Vector.name(…)`."""
    vector = part.parent
    if vector is None or vector.kind != "member_expression" or part.field_name != "object":
        return False
    if vector.fields["property"].text != "Vector":
        return False
    if vector.within("new_expression"):
        return vector.field_name == "constructor"
    return vector.within("member_expression") and vector.field_name == "object" and _is_read(vector.parent)


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
            operator = above.fields.get("operator")
            return part.field_name == "right" and operator is not None and operator.text == "instanceof"
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
    """A program that shows the page every name of a property that it computes, before it is used, and the
    `this` of an object's methods.

    Example:
        `a[b + c]` becomes `a[__key((b + c))]`; `a[0]` stays.

    Raises:
        TooComplex: the parser gave up.
    """
    data = program.encode("utf-8", errors="replace")
    parts = read_tree(data)
    scopes = Scopes(parts)
    is_deep = scopes.deepest > DEEPEST
    edits: list[tuple[int, str]] = []
    for part in parts:
        if part.kind == "this" and not is_deep and is_of_an_object(scopes.owner_of(part)):
            edits += [(part.start, f"{OWN}("), (part.end, ")")]
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
