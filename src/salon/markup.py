"""HTML and SVG that cannot be injected into: text becomes markup only through `el`, which escapes it."""

import re
from collections.abc import Iterable
from html import escape
from typing import Any
from unicodedata import category

from salon.secrets.known import redact

_UNSEEN = {
    code: "\N{REPLACEMENT CHARACTER}"
    for first, last in (
        *((0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F), (0x202A, 0x202E), (0x2066, 0x2069)),
        *((0x61C, 0x61C), (0x200E, 0x200F), (0xD800, 0xDFFF)),
    )
    for code in range(first, last + 1)
}
_MARKDOWN = re.compile(r"[\\`*\[\]|~!]|(?<!\w)_|_(?!\w)|^(?:[#+=-]|\d+(?=[.)]))")
_VOID = {"img", "input", "meta", "br"}
_EMPTY = {"line", "path", "circle", "rect", "polyline", "polygon"}


class Html(str):
    """Markup that is already safe. Anything else that `el` is given is text."""

    __slots__ = ()


Child = str | Html | None | Iterable["Child"]


def el(name: str, attributes: dict[str, Any] | None = None, *children: Child) -> Html:
    """One element. Attributes that are None or False are left out, True stands alone, floats get two digits
    at most; children are escaped.

    Example:
        el("p", {"class": "note"}, "1 < 2") == '<p class="note">1 &lt; 2</p>'
    """
    shown = "".join(_attribute(key, value) for key, value in (attributes or {}).items())
    if name in _VOID and not children:
        return Html(f"<{name}{shown}>")
    if name in _EMPTY and not children:
        return Html(f"<{name}{shown}/>")
    return Html(f"<{name}{shown}>{join(children)}</{name}>")


def visible(text: str) -> str:
    """`text` without keys, and without what nobody sees at work: control characters, which colour a terminal
    or move its cursor, marks that turn round the numbers behind them, and halves of surrogate pairs. Each
    becomes a replacement character; any end of line is a line feed, and tabs stay.
    """
    return redact(text).replace("\r\n", "\n").replace("\r", "\n").translate(_UNSEEN)


def printable(text: str, limit: int) -> str:
    """`text` as one line that any terminal, file and encoder takes, at most `limit` characters of it.

    Ends of lines and tabs become spaces. What has no glyph (control characters, marks that turn text round,
    separators of lines) is written as an escape, and half of a surrogate pair as a replacement character. A
    text that is cut ends in an ellipsis.

    Example:
        printable("a\x1b[2Jb\nc", 20) == "a\\x1b[2Jb c"
    """
    shown = "".join(map(_glyph, text[: limit + 1].replace("\r\n", "\n")))
    return shown if len(shown) <= limit and len(text) <= limit else shown[: max(0, limit - 1)] + "…"


def _glyph(character: str) -> str:
    if character in "\t\n\r":
        return " "
    if character.isprintable() or category(character) == "Zs" or character == "\N{ZERO WIDTH JOINER}":
        return character
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:
        return "\N{REPLACEMENT CHARACTER}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def join(children: Child) -> Html:
    """Markup and text, side by side."""
    if children is None:
        return Html("")
    if isinstance(children, Html):
        return children
    if isinstance(children, str):
        return Html(escape(visible(children)))
    return Html("".join(join(child) for child in children))


def _attribute(key: str, value: Any) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return f" {key}"
    text = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return f' {key}="{escape(visible(text))}"'


def encodable(text: str) -> str:
    """`text` as UTF-8 can hold it: two halves of a surrogate pair become their character, and one alone a
    replacement character. JSON and JavaScript have texts with such halves; files, tables and pages do not.
    """
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def plain_markdown(text: str, limit: int = 4000) -> str:
    """`text` as one line of Markdown that reads as it was written: no heading, list, table, emphasis, link,
    picture or HTML of its own.

    Example:
        plain_markdown("![a](b) <i>") == r"\\!\\[a\\](b) &lt;i&gt;"
    """
    line = " ".join(printable(text, limit).split())
    line = _MARKDOWN.sub(r"\\\g<0>", escape(line, quote=False))
    # A bare address becomes a link by itself.
    return line.replace("://", "&#58;//")
