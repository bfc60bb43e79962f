"""HTML and SVG that cannot be injected into: text becomes markup only through `el`, which escapes it."""

from collections.abc import Iterable
from html import escape
from typing import Any

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


def join(children: Child) -> Html:
    """Markup and text, side by side."""
    if children is None:
        return Html("")
    if isinstance(children, Html):
        return children
    if isinstance(children, str):
        return Html(escape(children))
    return Html("".join(join(child) for child in children))


def _attribute(key: str, value: Any) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return f" {key}"
    text = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return f' {key}="{escape(text)}"'
