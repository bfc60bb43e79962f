"""HTML that cannot be injected into: text becomes markup only through `el`, which escapes it."""

import json
from collections.abc import Iterable
from html import escape
from typing import Any

VOID = {"img", "input", "meta", "br", "line", "path", "circle", "rect", "polyline", "polygon"}


class Html(str):
    """Markup that is already safe. Anything else that `el` is given is text."""

    __slots__ = ()


Child = str | Html | None | Iterable["Child"]


def el(name: str, attributes: dict[str, Any] | None = None, *children: Child) -> Html:
    """One element. Attributes that are None or False are left out, True stands alone; children are escaped.

    Example:
        el("p", {"class": "note"}, "1 < 2") == '<p class="note">1 &lt; 2</p>'
    """
    shown = "".join(_attribute(key, value) for key, value in (attributes or {}).items())
    if name in VOID and not children:
        return Html(f"<{name}{shown}>" if name in {"img", "input", "meta", "br"} else f"<{name}{shown}/>")
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


def json_block(name: str, value: Any) -> Html:
    """`value` as JSON for the page's script, in the element `name`; nothing in it can end the element."""
    text = json.dumps(value, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Html(f'<script type="application/json" id="{escape(name)}">{text}</script>')


def section(anchor: str, title: str, note: Child, *body: Child) -> Html:
    """A numbered section of the catalogue; the style sheet numbers them."""
    heading = el("h2", {}, title)
    lede = el("p", {"class": "note"}, note) if note else None
    return el("section", {"id": anchor}, el("header", {}, heading, lede), *body)


def _attribute(key: str, value: Any) -> str:
    if value is None or value is False:
        return ""
    return f" {key}" if value is True else f' {key}="{escape(str(value))}"'
