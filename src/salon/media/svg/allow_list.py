"""What of an SVG is handed on: the elements, attributes and CSS of this list, and nothing else.

What points outside is refused before (see source_check.py). What is merely unknown, such as an editor's own
notes, draws nothing and is left out; so a browser that is shown a cleaned SVG finds nothing to run or to
fetch in it, whatever it knows that no list of bad names has.
"""

import re
from collections.abc import Iterator
from typing import Any

NAMESPACE = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
XML = "http://www.w3.org/XML/1998/namespace"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TEXT = _words("text tspan textPath tref")
ELEMENTS = TEXT | _words("""
    svg g defs symbol use switch title desc style path rect circle ellipse line polyline polygon
    linearGradient radialGradient stop pattern clipPath mask marker filter
    feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
    feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur
    feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
""")

PROPERTIES = _words("""
    alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation
    color-interpolation-filters color-rendering cx cy d direction display dominant-baseline enable-background
    fill fill-opacity fill-rule filter flood-color flood-opacity font-family font-kerning font-size
    font-size-adjust font-stretch font-style font-variant font-weight glyph-orientation-horizontal
    glyph-orientation-vertical height image-rendering isolation kerning letter-spacing lighting-color marker
    marker-end marker-mid marker-start mask mask-type mix-blend-mode opacity overflow paint-order r rx ry
    shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap
    stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration text-rendering
    transform transform-box transform-origin unicode-bidi vector-effect visibility width word-spacing
    writing-mode x y
""")
"""Of CSS; attributes of the same names are known too."""

ATTRIBUTES = PROPERTIES | _words("""
    amplitude azimuth baseFrequency baseProfile bias class clipPathUnits diffuseConstant divisor dx dy
    edgeMode elevation exponent filterRes filterUnits fr fx fy gradientTransform gradientUnits id in in2
    intercept k1 k2 k3 k4 kernelMatrix kernelUnitLength lang lengthAdjust limitingConeAngle markerHeight
    markerUnits markerWidth maskContentUnits maskUnits method mode numOctaves offset operator order orient
    pathLength patternContentUnits patternTransform patternUnits points pointsAtX pointsAtY pointsAtZ
    preserveAlpha preserveAspectRatio primitiveUnits radius refX refY requiredExtensions requiredFeatures
    result rotate scale seed side slope spacing specularConstant specularExponent spreadMethod startOffset
    stdDeviation stitchTiles style surfaceScale systemLanguage tableValues targetX targetY textLength type
    values version viewBox x1 x2 xChannelSelector y1 y2 yChannelSelector z
""")
LINKS = frozenset(("href", f"{{{XLINK}}}href"))
SPACES = frozenset((f"{{{XML}}}space", f"{{{XML}}}lang"))
KNOWN = ATTRIBUTES | LINKS | SPACES
STYLE = f"{{{NAMESPACE}}}style"
TAGS = frozenset(f"{{{NAMESPACE}}}{name}" for name in ELEMENTS)

FUNCTIONS = _words("""
    url rgb rgba hsl hsla matrix translate translatex translatey scale scalex scaley rotate skewx skewy blur
    brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia inset circle ellipse
    polygon path rect
""")
"""Of CSS, in lower case; what they hold cannot be an address but for url's, which is of this document."""

COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
CALLS = re.compile(r"([-\w]++)\s*+\(|[-\w]++|[^-\w]", re.DOTALL)
"""Each word once: those with a bracket behind in group 1."""
HERE = re.compile(r"""\s*+["']?+\s*+#[^\s"'()<>\\]*+\s*+["']?+\s*+\)""")
SELECTOR = re.compile(r"""[\w\s.#,*>+~:()\[\]="'^$|-]*+""")
VALUE = re.compile(r"""[^<>{};@\\]*+""")


def leave_out_unknown(element: Any) -> None:
    """Remove an element that is not on the lists above, with all in it; or else what is unknown of it."""
    if element.tag not in TAGS:
        if element.getparent() is not None:
            element.getparent().remove(element)
        return
    if element.tag == STYLE:
        _restyle(element)
    _keep_known(element)


def _keep_known(element: Any) -> None:
    items = element.items()
    kept = [
        (key, _restyled(value) if key == "style" else value) for key, value in items if _is_known(key, value)
    ]
    if kept != items:
        # All at once: each removal would look for its attribute from the first one on.
        element.attrib.clear()
        for key, value in kept:
            element.set(key, value)


def _is_known(key: str, value: str) -> bool:
    return key in KNOWN and ("(" not in value or key not in PROPERTIES or is_known_value(value))


def _restyled(style: str) -> str:
    return ";".join(known_declarations(style))


def own_text(element: Any) -> str:
    """The text of an element, without that of elements in it."""
    return (element.text or "") + "".join(child.tail or "" for child in element)


def known_declarations(css: str) -> Iterator[str]:
    """The declarations that are known, such as "fill:red"."""
    for declaration in COMMENT.sub(" ", css).split(";"):
        name, colon, value = declaration.partition(":")
        name, value = name.strip(), value.strip()
        if colon and name.lower() in PROPERTIES and is_known_value(value):
            yield f"{name}:{value}"


def is_known_value(value: str) -> bool:
    """Whether a value of CSS has only known functions in it, and addresses of its own document."""
    if VALUE.fullmatch(value) is None:
        return False
    return "(" not in value or all(
        called.lower() in FUNCTIONS and (called.lower() != "url" or HERE.match(value, end))
        for called, end in ((found[1], found.end()) for found in CALLS.finditer(value))
        if called
    )


def known_rules(css: str) -> Iterator[str]:
    """The rules of a style sheet that are known, such as ".a{fill:red}"; those that begin with @ are not."""
    text, at, depth = COMMENT.sub(" ", css), 0, 0
    selector, opened = "", 0
    for brace in re.finditer(r"[{}]|;", text):
        if brace[0] == "{":
            if depth == 0:
                selector, opened = text[at : brace.start()].strip(), brace.end()
            depth += 1
        elif brace[0] == "}" and depth:
            depth -= 1
            if depth == 0:
                body = _restyled(text[opened : brace.start()])
                if body and selector and SELECTOR.fullmatch(selector):
                    yield f"{selector}{{{body}}}"
                at = brace.end()
        elif depth == 0:
            # `@charset "…";` and its like have no braces; a stray bracket closes nothing.
            at = brace.end()


def _restyle(style: Any) -> None:
    css = "\n".join(known_rules(own_text(style)))
    for child in list(style):
        style.remove(child)
    style.text = css
