"""What may stand in an SVG: a drawing, and nothing that runs, embeds or reaches outside."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from salon.media.svg_geometry import hidden_shapes, may_hide
from salon.media.svg_text import SHORTHAND, set_families
from salon.types import Failure

NAMESPACE = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
EMBEDDING = ("foreignobject", "iframe", "object", "embed", "audio", "video", "canvas")
MOTION = ("set", "animate", "animatemotion", "animatetransform", "animatecolor", "discard", "mpath")
STILL = "an SVG is one still picture"
FORBIDDEN = {
    **dict.fromkeys(("script", "handler", "listener"), "nothing runs in an SVG"),
    "a": "nothing leads out of an SVG",
    **dict.fromkeys(EMBEDDING, "an SVG is drawn with its own shapes"),
    **dict.fromkeys(MOTION, STILL),
    "&entity;": "write the character itself",
}
"""The elements that are refused, and why."""
TEXT = frozenset(("text", "tspan", "textpath", "tref"))
RASTER = frozenset(("image", "feimage"))
SUSPECT = TEXT | RASTER | FORBIDDEN.keys() | {"style"}
SHAPES = frozenset(("path", "rect", "circle", "ellipse", "line", "polyline", "polygon"))
OUTSIDE = re.compile(r"url\s*\(\s*['\"]?\s*[^#'\"\s)]|@import|expression\s*\(|javascript:|\\", re.IGNORECASE)
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
        re.compile(r"(?<![-\w])(?:rgb|hsl)a?\s*\([^()]*/[^()]*\)", re.I),
        "write rgba(r, g, b, a), or the colour and its opacity apart",
    ),
    (
        re.compile(
            r"(?<![-\w])(?:translate|rotate|scale|skew)[XY]?\s*\([^()]*(?:px|deg|rad|turn|%|em)", re.I
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
LINKS = ("href", "src", "base")
TELLING = frozenset("(:@\\")
"""An attribute's value without any of these points nowhere: OUTSIDE and a data URI need one."""
STYLE = f"{{{NAMESPACE}}}style"
FEWEST_HIDDEN = 3
"""So many shapes outside of the viewBox, and half of all, are no slip."""
MAX_ELEMENTS = 5000
MAX_BYTES = 1_000_000
SMALLEST, LARGEST = 1e-6, 1e9
"""A side of the canvas in its own units; what lies outside is no size, and cannot be computed with."""
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)


def sanitize(source: str, size: tuple[int, int], families: Sequence[str] = ()) -> str | Failure:
    """The SVG, cleaned and sized to fit `size` pixels, or the first thing that is wrong with it.

    Args:
        source: text that starts with `<svg`.
        size: width and height of the picture.
        families: the fonts that text may be set in; none for no text.

    Returns:
        SVG without comments, instructions and document type, or a failure: no_sketch_in_response, truncated,
        syntax_error, forbidden_element, external_reference, embedded_raster, text_label, unsupported_style,
        too_few_elements, too_many_elements, content_off_canvas.
    """
    if not source.strip():
        return _failure("no_sketch_in_response", "the source is empty")
    if len(source) > MAX_BYTES or "<!ENTITY" in source.upper():
        what = "entities are refused" if len(source) <= MAX_BYTES else "the source is longer than a megabyte"
        return _failure("forbidden_element", what)
    root = _parse(source)
    if isinstance(root, Failure):
        return root
    if failure := _first_fault(root, bool(families)):
        return failure
    _set_size(root, size)
    if families:
        set_families(root, families)
    return _hidden(root, source) or etree.tostring(root, encoding="unicode")


def _hidden(root: Any, source: str) -> Failure | None:
    """Most of a drawing where nobody can see it makes it seem more than it is."""
    left, top, width, height = (float(number) for number in NUMBER.findall(root.get("viewBox")))
    box = left, top, left + width, top + height
    if not may_hide(source, box) or any(
        "transform" in "".join(style.itertext()) for style in root.iter(STYLE)
    ):
        return None
    hidden, shapes = hidden_shapes(root, box)
    if hidden < FEWEST_HIDDEN or hidden < shapes / 2:
        return None
    told = f"{hidden} of {shapes} shapes lie wholly outside of the viewBox {root.get('viewBox')}"
    return _failure("content_off_canvas", told)


def _parse(source: str) -> Any:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(_with_namespaces(source.strip()).encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError as error:
        line = error.lineno or 0
        ended = not re.search(r"</svg\s*>\s*\Z", source, re.IGNORECASE) and not source.rstrip().endswith("/>")
        if ended:
            return _failure("truncated", "the source stops before </svg>")
        return _failure("syntax_error", f"line {line}: {error.msg}")
    if etree.QName(root).localname != "svg":
        return _failure("syntax_error", f"the root is <{etree.QName(root).localname}>, not <svg>")
    if etree.QName(root).namespace != NAMESPACE:
        return _failure("syntax_error", f'xmlns is not SVG\'s: write xmlns="{NAMESPACE}", or leave it out')
    return root


def _with_namespaces(source: str) -> str:
    """Models often leave out the namespaces; without them there is no SVG to draw."""
    opening = re.search(r"<svg\b[^>]*>", source, re.IGNORECASE | re.DOTALL)
    if opening is None:
        return source
    missing = ""
    if not re.search(r"\bxmlns\s*=", opening[0]):
        missing += f' xmlns="{NAMESPACE}"'
    if "xmlns:xlink" not in source and "xlink:" in source:
        missing += f' xmlns:xlink="{XLINK}"'
    at = opening.start() + len("<svg")
    return source[:at] + missing + source[at:]


def _elements(root: Any) -> Iterator[tuple[str, Any]]:
    for element in root.iter():
        tag = element.tag
        yield tag.rpartition("}")[2].lower() if isinstance(tag, str) else "&entity;", element


def _first_fault(root: Any, with_text: bool) -> Failure | None:
    shapes = elements = 0
    for name, element in _elements(root):
        elements += 1
        shapes += name in SHAPES or (with_text and name == "text")
        if failure := _element_fault(name, element, with_text) or _attribute_fault(name, element):
            return failure
    if elements > MAX_ELEMENTS:
        return _failure("too_many_elements", f"{elements} elements; {MAX_ELEMENTS} are allowed")
    if not shapes:
        return _failure("too_few_elements", "there is no shape in it")
    return None


def _element_fault(name: str, element: Any, with_text: bool) -> Failure | None:
    if name not in SUSPECT:
        return None
    line = element.sourceline or 0
    if name in FORBIDDEN:
        shown = name if name == "&entity;" else f"<{etree.QName(element).localname}>"
        return _failure("forbidden_element", f"line {line}: {shown} is refused: {FORBIDDEN[name]}")
    if name in RASTER:
        return _failure("embedded_raster", f"line {line}: <{name}> brings in a picture")
    if name in TEXT and with_text:
        return None
    if name in TEXT:
        return _failure("text_label", f"line {line}: <{name}> writes text into the picture")
    text = "".join(str(part) for part in element.itertext())
    if name == "style" and OUTSIDE.search(text):
        return _failure("external_reference", f"line {line}: the style points outside")
    return _undrawn(text, line) if name == "style" else None


def _undrawn(text: str, line: int) -> Failure | None:
    for pattern, remedy in UNDRAWN:
        if found := pattern.search(text):
            told = f"line {line}: {found[0].strip()[:40]!r} is CSS that is not drawn: {remedy}"
            return _failure("unsupported_style", told)
    return None


def _attribute_fault(name: str, element: Any) -> Failure | None:
    for key, raw in element.items():
        attribute, value = key.rpartition("}")[2].lower(), raw.strip()
        if attribute not in LINKS and attribute[:2] != "on" and not TELLING.intersection(value):
            continue
        line = element.sourceline or 0
        if attribute.startswith("on"):
            return _failure(
                "forbidden_element", f"line {line}: the attribute {attribute} of <{name}> is refused"
            )
        if value.lower().startswith("data:image"):
            return _failure("embedded_raster", f"line {line}: <{name}> brings in a picture")
        if attribute in LINKS and not value.startswith("#"):
            return _failure("external_reference", f"line {line}: <{name}> points outside")
        if OUTSIDE.search(value):
            return _failure("external_reference", f"line {line}: {attribute} of <{name}> points outside")
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
    match = re.fullmatch(r"\s*(\d+\.?\d*|\.\d+)\s*(?:px)?\s*", str(value or ""))
    number = float(match[1]) if match else 0.0
    return number if SMALLEST <= number <= LARGEST else float(default)


def _failure(code: str, message: str) -> Failure:
    return Failure(code, message, "sample", "check")
