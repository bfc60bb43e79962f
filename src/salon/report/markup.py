"""What only a run's report is made of: its sections, and data for its script."""

import json
from html import escape
from typing import Any

from salon.markup import Child, Html, el


def json_block(name: str, value: Any) -> Html:
    """`value` as JSON for the page's script, in the element `name`; nothing in it can end the element."""
    text = json.dumps(value, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Html(f'<script type="application/json" id="{escape(name)}">{text}</script>')


def note_of(told: str) -> Html | None:
    """What is said beside a page's story; nothing where nothing is to be said."""
    return el("p", {"class": "note"}, told) if told else None


def section(anchor: str, title: str, note: Child, *body: Child) -> Html:
    """A numbered section of the catalogue; the style sheet numbers them."""
    heading = el("h2", {}, title)
    lede = el("p", {"class": "note"}, note) if note else None
    return el("section", {"id": anchor}, el("header", {}, heading, lede), *body)
