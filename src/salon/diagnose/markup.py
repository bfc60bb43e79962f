"""HTML and SVG that cannot be injected into: text becomes markup only through `el`, which escapes it."""

from collections.abc import Iterable
from html import escape
from typing import Any

_ALONE = {"line", "path", "circle", "rect", "polyline"}


class Html(str):
    """Markup that is already safe. Anything else that `el` is given is text."""

    __slots__ = ()


Child = str | Html | None | Iterable["Child"]


def el(name: str, attributes: dict[str, Any] | None = None, *children: Child) -> Html:
    """One element. None is left out, numbers get one digit at most, children are escaped.

    Example: el("p", {"class": "note"}, "1 < 2") == '<p class="note">1 &lt; 2</p>'
    """
    shown = "".join(
        f' {key}="{escape(_attribute(value))}"'
        for key, value in (attributes or {}).items()
        if value is not None
    )
    if name in _ALONE and not children:
        return Html(f"<{name}{shown}/>")
    return Html(f"<{name}{shown}>{joined(children)}</{name}>")


def joined(children: Child) -> Html:
    """Markup and text, side by side."""
    if children is None:
        return Html("")
    if isinstance(children, Html):
        return children
    if isinstance(children, str):
        return Html(escape(children).replace(" %", "\N{NO-BREAK SPACE}%"))
    return Html("".join(joined(child) for child in children))


def _attribute(value: Any) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
