"""The frame of a page without a script: it opens offline, loads nothing, and runs nothing at all."""

from collections.abc import Sequence
from string import Template

from salon.markup import Child, Html, el, join

from .build import asset, digest
from .markup import note_of


def static_page(title: str, cover: Html, parts: Sequence[tuple[str, str, Html]]) -> str:
    """A whole page as text.

    Args:
        title: the window's.
        cover: what stands above the contents.
        parts: sections as anchor, name in the contents, and markup.
    """
    style = asset("report.css") + asset("static_page.css")
    policy = (
        f"default-src 'none'; img-src data:; style-src '{digest(style)}'; base-uri 'none'; form-action 'none'"
    )
    links = [el("li", {}, el("a", {"href": f"#{anchor}"}, name)) for anchor, name, _ in parts]
    return Template(asset("page.html")).substitute(
        policy=policy,
        title=join(title),
        style=style,
        contents=join(links),
        cover=cover,
        body=join([part for _, _, part in parts]),
        after="",
    )


def static_cover(
    mark: str, title: str, story: str, figures: Sequence[tuple[str, str, str]], *rest: Child, note: str = ""
) -> Html:
    """The cover of such a page. figures: a number, what it is, and a word on it; note: what is to be said of
    all of them.
    """
    cells = [
        el("div", {}, el("dd", {}, big), el("dt", {}, label, el("span", {}, small)))
        for big, label, small in figures
    ]
    head = el("p", {"class": "mark"}, el("b", {}, "salon"), f"  ·  {mark}")
    said = [el("p", {"class": "story"}, story), note_of(note)]
    words = el("div", {"class": "leaf"}, el("h1", {}, title), said)
    return el(
        "header",
        {"class": "cover"},
        head,
        words,
        *rest,
        el("dl", {"class": "figures"}, cells) if cells else None,
    )
