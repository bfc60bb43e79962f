"""How values show themselves in a notebook: small pieces of HTML, every text in them escaped.

Pictures stand in the page itself, as data: nothing is fetched, and a saved notebook keeps them.
"""

import base64
from collections.abc import Iterable, Sequence
from typing import Protocol

from salon.markup import Child, Html, el, printable

MOST_SHOWN = 24
"""Pictures of one group: a page with hundreds would take megabytes."""
LONGEST = 600
"""Characters of a text, such as a reason."""

_SIDE = "max-width:240px;max-height:240px;border:1px solid #8884"
_LEFT = "text-align:left;vertical-align:top"


def text(said: str) -> str:
    """One line of what somebody wrote, at most so long."""
    return printable(said, LONGEST)


def figure(png: bytes | None, *caption: Child) -> Html:
    """A picture with a caption under it; the caption alone where there is no picture."""
    image = None
    if png is not None:
        address = f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}"
        image = el("img", {"src": address, "style": _SIDE, "alt": ""})
    told = el("figcaption", {"style": "max-width:240px"}, *caption)
    return el("figure", {"style": "display:inline-block;margin:4px;vertical-align:top"}, image, told)


def line(*children: Child) -> Html:
    """A paragraph."""
    return el("p", {"style": "margin:4px 0"}, *children)


def table(head: Sequence[str], rows: Iterable[Sequence[Child]]) -> Html:
    """Rows of cells under a head."""
    top = el("tr", None, *(el("th", {"style": _LEFT}, name) for name in head))
    body = [el("tr", None, *(el("td", {"style": _LEFT}, cell) for cell in row)) for row in rows]
    return el("table", None, el("thead", None, top), el("tbody", None, *body))


def strip(head: Child, shown: Sequence[Html]) -> Html:
    """Figures side by side under a line; of very many, the first ones and how many are left."""
    left = len(shown) - MOST_SHOWN
    more = line(f"and {left:,} more") if left > 0 else None
    return el("div", None, line(head), *shown[:MOST_SHOWN], more)


class Shown(Protocol):
    """What shows itself in a notebook."""

    def _repr_html_(self) -> str: ...


def html_of(value: Shown) -> Html:
    """As a notebook would show it."""
    return Html(value._repr_html_())  # pyright: ignore[reportPrivateUsage]


def beside(*values: Shown) -> Html:
    """Values from left to right."""
    style = "display:flex;gap:12px;align-items:flex-start"
    return el("div", {"style": style}, *(el("div", None, html_of(value)) for value in values))
