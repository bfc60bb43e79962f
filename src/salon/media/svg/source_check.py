"""What may stand in an SVG: a drawing, and nothing that runs, embeds or reaches outside."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from salon.markup import encodable, printable
from salon.types import Failure

from . import allow_list
from .allow_list import NAMESPACE, TAGS, XLINK, leave_out_unknown, own_text
from .geometry import NUMBER, hidden_shapes, may_hide
from .text import SHORTHAND, set_families

XHTML = "http://www.w3.org/1999/xhtml"
EMBEDDING = (
    *("foreignobject", "iframe", "frame", "object", "embed", "audio", "video", "canvas", "source", "track"),
    *("picture", "portal", "fencedframe", "applet", "param"),
)
PAGE = ("html", "head", "body", "link", "meta", "base", "form", "input", "button", "template", "img")
MOTION = ("set", "animate", "animatemotion", "animatetransform", "animatecolor", "discard", "mpath")
STILL = "an SVG is one still picture"
FORBIDDEN = {
    **dict.fromkeys(("script", "handler", "listener"), "nothing runs in an SVG"),
    "a": "nothing leads out of an SVG",
    **dict.fromkeys(EMBEDDING, "an SVG is drawn with its own shapes"),
    **dict.fromkeys(PAGE, "an SVG is no page"),
    **dict.fromkeys(MOTION, STILL),
    "&entity;": "write the character itself",
}
"""The elements that are refused, and why."""
TEXT = frozenset(map(str.lower, allow_list.TEXT))
RASTER = frozenset(("image", "feimage"))
SUSPECT = TEXT | RASTER | FORBIDDEN.keys() | {"style"}
SHAPES = frozenset(("path", "rect", "circle", "ellipse", "line", "polyline", "polygon"))
OUTSIDE = re.compile(
    r"url\s*+\((?!\s*+[\"']?+\s*+(?:#|[\"']?+\s*+\)))|@import|expression\s*\(|javascript:|\\", re.IGNORECASE
)
FETCHING = re.compile(
    r"(?<![-\w])(?:-\w++-)?+(?:image-set|cross-fade|element|image|src|paint|attr)\s*+\(", re.IGNORECASE
)
"""The functions of CSS that take an address without url()."""
UNDRAWN = (
    (re.compile(r"@(?:-\w+-)?keyframes", re.I), f"{STILL}, without animations"),
    (re.compile(r"(?<![-\w])(?:var|env|calc|min|max|clamp)\s*\(", re.I), "write the value itself"),
    (
        re.compile(
            r"(?<![-\w])(?:ok)?(?:lab|lch)\s*\(|(?<![-\w])(?:hwb|color|color-mix|light-dark)\s*\(", re.I
        ),
        "write the colour as #rrggbb",
    ),
    (
        re.compile(r"(?<![-\w])(?:rgb|hsl)a?\s*+\([^()/]*+/[^()]*+\)", re.I),
        "write rgba(r, g, b, a), or the colour and its opacity apart",
    ),
    (
        re.compile(
            r"(?<![-\w])(?:translate|rotate|scale|skew)[XY]?\s*+\([^()]*(?:px|deg|rad|turn|%|em)", re.I
        ),
        "a transform takes plain numbers: translate(30, 0), rotate(45)",
    ),
    (SHORTHAND, "write font-family, font-size and font-weight apart"),
    (
        re.compile(r"@(?:media|supports|layer|container)|:(?:nth-|has\(|is\(|where\(|not\()", re.I),
        "name a class",
    ),
)
"""What the renderer passes over, so that a drawing comes out black or in the wrong place; and what to say."""
STYLED = frozenset(
    ("style", "fill", "stroke", "color", "stop-color", "flood-color", "lighting-color", "transform")
) | {"gradienttransform", "x", "y", "width", "height", "r", "cx", "cy"}
LINKS = frozenset(
    ("background", "base", "codebase", "dynsrc", "formaction", "href", "imagesrcset", "lowsrc", "ping")
) | {"poster", "src", "srcdoc", "srcset"}
"""Attributes that hold an address, in lower case."""
PLAIN = allow_list.ATTRIBUTES | allow_list.SPACES
STYLING = allow_list.PROPERTIES | {"style"}
TELLING = frozenset("(:@\\")
"""An attribute's value without any of these points nowhere: OUTSIDE and a data URI need one."""
SIMPLE = re.compile(
    r"url\(#[\w.-]++\)|(?:(?:translate|scale|rotate|matrix|skewX|skewY)\([-+.,\d\s]*+\)[\s,]*+)++"
)
"""The values with a bracket that most drawings have."""
FEWEST_HIDDEN = 3
"""So many shapes outside of the viewBox, and half of all, are no slip."""
MAX_ELEMENTS = 5000
MAX_ATTRIBUTES = 500
"""Of one element: lxml's time for reading them grows with the square of their number."""
NAME, WHOLE_NAME = re.compile(r"\s*+/?+([\w:.-]++)"), re.compile(r"[\w:.-]++")
MAX_NAMES, LONGEST_NAME = 500, 100
"""Of elements and attributes, in one SVG: lxml keeps each for as long as its thread lives."""
LONGEST = 1_000_000
SMALLEST, LARGEST = 1e-6, 1e9
"""A side of the canvas in its own units; what lies outside is no size, and cannot be computed with."""
LENGTH = re.compile(r"\s*+(\d++\.?+\d*+|\.\d++)\s*+(?:px)?+\s*+")


def sanitize(source: str, size: tuple[int, int], families: Sequence[str] = ()) -> str | Failure:
    """The SVG, cleaned and sized to fit `size` pixels, or the first thing that is wrong with it.

    Args:
        source: text that starts with `<svg`.
        size: width and height of the picture.
        families: the fonts that text may be set in; none for no text.

    Returns:
        SVG with nothing in it but what allow_list.py lists, or a failure: no_sketch_in_response, too_large,
        truncated, syntax_error, forbidden_element, external_reference, embedded_raster, text_label,
        unsupported_style, too_few_elements, too_many_elements, content_off_canvas.
    """
    if not source.strip():
        return _failure("no_sketch_in_response", "the source is empty")
    if len(source) > LONGEST:
        told = f"the source has {len(source):,} characters, and {LONGEST:,} are looked at"
        return _failure("too_large", told)
    if told := _many_names(source):
        return _failure("too_large", told)
    if "<!ENTITY" in source.upper():
        return _failure("forbidden_element", "entities are refused")
    root = _parse(source)
    if isinstance(root, Failure):
        return root
    loose: list[Any] = []
    if failure := _crowded(root, source) or _first_fault(root, bool(families), loose):
        return failure
    for element in loose:
        leave_out_unknown(element)
    _set_size(root, size)
    if families:
        set_families(root, families)
    return _hidden(root, source) or etree.tostring(root, encoding="unicode")


def _many_names(source: str) -> str:
    """What is too much of the names behind < and before =, in one pass, before any parser; or ""."""
    longest = LONGEST_NAME + 1
    names = {NAME.match(piece, 0, longest) for piece in source.split("<")}
    known = {match[1] for match in names if match}
    for piece in source.split("=")[:-1]:
        known.update(word for word in piece[-longest:].split()[-1:] if WHOLE_NAME.fullmatch(word))
    if max(map(len, known), default=0) > LONGEST_NAME:
        return f"a name in it has more than {LONGEST_NAME} characters"
    if len(known) > MAX_NAMES:
        return f"it has {len(known):,} different names of elements and attributes; {MAX_NAMES} are allowed"
    return ""


def _hidden(root: Any, source: str) -> Failure | None:
    """Most of a drawing where nobody can see it makes it seem more than it is."""
    left, top, width, height = (float(number) for number in NUMBER.findall(root.get("viewBox")))
    box = left, top, left + width, top + height
    if not may_hide(source, box) or any(
        "transform" in (style.text or "") for style in root.iter(f"{{{NAMESPACE}}}style")
    ):
        return None
    hidden, shapes = hidden_shapes(root, box)
    if hidden < FEWEST_HIDDEN or hidden < shapes / 2:
        return None
    told = (
        f"{hidden} of {shapes} shapes lie wholly outside of the viewBox {printable(root.get('viewBox'), 60)}"
    )
    return _failure("content_off_canvas", told)


def _parse(source: str) -> Any:
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(_with_namespaces(encodable(source).strip()).encode(), parser)
    except etree.XMLSyntaxError as error:
        line = error.lineno or 0
        ended = not re.search(r"</svg\s*>\s*\Z", source, re.IGNORECASE) and not source.rstrip().endswith("/>")
        if ended:
            return _failure("truncated", "the source stops before </svg>")
        return _failure("syntax_error", f"line {line}: {printable(error.msg or '', 200)}")
    if etree.QName(root).localname != "svg":
        return _failure(
            "syntax_error", f"the root is <{printable(etree.QName(root).localname, 40)}>, not <svg>"
        )
    if etree.QName(root).namespace != NAMESPACE:
        return _failure("syntax_error", f'xmlns is not SVG\'s: write xmlns="{NAMESPACE}", or leave it out')
    return root


def _with_namespaces(source: str) -> str:
    """Models often leave out the namespaces; without them there is no SVG to draw."""
    opening = re.search(r"<svg\b", source, re.IGNORECASE)
    if opening is None:
        return source
    at, missing = opening.end(), ""
    if not re.search(r"\bxmlns\s*=", source[at : source.find(">", at)]):
        missing += f' xmlns="{NAMESPACE}"'
    if "xmlns:xlink" not in source and "xlink:" in source:
        missing += f' xmlns:xlink="{XLINK}"'
    return source[:at] + missing + source[at:]


def _elements(root: Any) -> Iterator[tuple[str, Any]]:
    for element in root.iter():
        tag = element.tag
        yield tag.rpartition("}")[2].lower() if isinstance(tag, str) else "&entity;", element


def _first_fault(root: Any, with_text: bool, loose: list[Any]) -> Failure | None:
    """What is wrong first; and to `loose` what may have something in it that is not handed on."""
    shapes = elements = 0
    for name, element in _elements(root):
        elements += 1
        shapes += name in SHAPES or (with_text and name == "text")
        telling = [item for item in element.items() if item[0] not in PLAIN or _is_telling(item[1])]
        if telling or name == "style" or element.tag not in TAGS:
            loose.append(element)
        if failure := _element_fault(name, element, with_text) or _attribute_fault(name, element, telling):
            return failure
    if elements > MAX_ELEMENTS:
        return _failure("too_many_elements", f"{elements} elements; {MAX_ELEMENTS} are allowed")
    if not shapes:
        return _failure("too_few_elements", "there is no shape in it")
    return None


def _is_telling(value: str) -> bool:
    return not TELLING.isdisjoint(value) and SIMPLE.fullmatch(value) is None


def _crowded(root: Any, source: str) -> Failure | None:
    if source.count("=") <= MAX_ATTRIBUTES:
        return None
    most = max(len(element.attrib) for element in root.iter() if isinstance(element.tag, str))
    if most > MAX_ATTRIBUTES:
        return _failure("too_large", f"an element has {most:,} attributes; {MAX_ATTRIBUTES} are allowed")
    return None


def _element_fault(name: str, element: Any, with_text: bool) -> Failure | None:
    if name not in SUSPECT:
        if isinstance(element.tag, str) and element.tag.startswith(f"{{{XHTML}}}"):
            told = f"line {element.sourceline or 0}: <{printable(name, 40)}> is refused: an SVG is no page"
            return _failure("forbidden_element", told)
        return None
    line = element.sourceline or 0
    if name in FORBIDDEN:
        shown = name if name == "&entity;" else f"<{printable(etree.QName(element).localname, 40)}>"
        return _failure("forbidden_element", f"line {line}: {shown} is refused: {FORBIDDEN[name]}")
    if name in RASTER:
        return _failure("embedded_raster", f"line {line}: <{name}> brings in a picture")
    if name in TEXT and with_text:
        return None
    if name in TEXT:
        return _failure("text_label", f"line {line}: <{name}> writes text into the picture")
    text = own_text(element)
    if OUTSIDE.search(text) or FETCHING.search(text):
        return _failure("external_reference", f"line {line}: the style points outside")
    return _undrawn(text, line)


def _undrawn(text: str, line: int) -> Failure | None:
    for pattern, remedy in UNDRAWN:
        if found := pattern.search(text):
            told = f"line {line}: {found[0].strip()[:40]!r} is CSS that is not drawn: {remedy}"
            return _failure("unsupported_style", told)
    return None


def _attribute_fault(name: str, element: Any, telling: Sequence[tuple[str, str]]) -> Failure | None:
    for key, raw in telling:
        attribute, value = key.rpartition("}")[2].lower(), raw.strip()
        if attribute not in LINKS and attribute[:2] != "on" and not TELLING.intersection(value):
            continue
        line = element.sourceline or 0
        if attribute.startswith("on"):
            told = f"line {line}: the attribute {printable(attribute, 40)} of <{name}> is refused"
            return _failure("forbidden_element", told)
        if value.lower().startswith("data:image"):
            return _failure("embedded_raster", f"line {line}: <{name}> brings in a picture")
        if attribute in LINKS and not value.startswith("#"):
            return _failure("external_reference", f"line {line}: <{name}> points outside")
        if OUTSIDE.search(value) or (attribute in STYLING and FETCHING.search(value)):
            told = f"line {line}: {printable(attribute, 40)} of <{name}> points outside"
            return _failure("external_reference", told)
        if attribute in STYLED and (failure := _undrawn(value, line)):
            return failure
    return None


def _set_size(root: Any, size: tuple[int, int]) -> None:
    """Give the root a viewBox, and the width and height at which it fits into `size`."""
    box = [float(number) for number in NUMBER.findall(str(root.get("viewBox", "")))]
    if len(box) != 4 or not all(SMALLEST <= side <= LARGEST for side in box[2:]):
        box = [0.0, 0.0, _length(root.get("width"), size[0]), _length(root.get("height"), size[1])]
        root.set("viewBox", " ".join(f"{number:g}" for number in box))
    scale = min(size[0] / box[2], size[1] / box[3])
    root.set("width", str(max(1, round(box[2] * scale))))
    root.set("height", str(max(1, round(box[3] * scale))))


def _length(value: object, default: int) -> float:
    """A length in pixels; percentages, other units and what is missing give `default`."""
    match = LENGTH.fullmatch(str(value or ""))
    number = float(match[1]) if match else 0.0
    return number if SMALLEST <= number <= LARGEST else float(default)


def _failure(code: str, message: str) -> Failure:
    return Failure(code, message, "sample", "check")
