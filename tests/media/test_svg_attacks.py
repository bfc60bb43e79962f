"""Attacks on what is handed on of an SVG: each has its own outcome, the next picture is as before, and what a
browser is shown of it fetches nothing.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
import svg_attacks
from listening import Listener, listening

from salon.installed import find_chromium
from salon.media.svg.allow_list import known_rules
from salon.media.svg.medium import SvgMedium
from salon.media.svg.source_check import sanitize
from salon.types import Failure, Rendering

CONTROL = "<svg viewBox='0 0 100 100'><circle cx='50' cy='50' r='30' fill='red'/></svg>"
SLOW = {"filter-on-filter", "million-commands"}
"""May end at their deadline on a machine that has much to do."""


def sources(host: str) -> dict[str, tuple[str, str]]:
    inside = {
        name: (f"<svg viewBox='0 0 100 100'>{text}</svg>", code)
        for name, (text, code) in svg_attacks.INSIDE.items()
    }
    return {
        name: (text.replace("HOST", host), code)
        for name, (text, code) in {**inside, **svg_attacks.WHOLE}.items()
    }


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    with listening(["all"]) as listeners:
        yield listeners["all"]


def png(rendering: Rendering) -> bytes:
    assert rendering.picture is not None, rendering.failure
    return rendering.picture.png


def test_each_attack_has_its_outcome_and_the_next_picture_is_as_before(listener: Listener) -> None:
    medium = SvgMedium((64, 64), deadline_s=30, workers=1)
    found: dict[str, str] = {}
    wanted: dict[str, str] = {}
    try:
        clean = png(medium.render([CONTROL], [0])[0])
        for name, (source, code) in sources(f"http://127.0.0.1:{listener.port}/svg").items():
            rendering, after = medium.render([source, CONTROL], [0, 0])
            assert png(after) == clean, f"{name} changed the next picture"
            assert rendering.failure is None or rendering.failure.fault == "sample", name
            found[name], wanted[name] = rendering.failure.code if rendering.failure else "ok", code
            if name in SLOW and found[name] == "timeout":
                found[name] = code
    finally:
        medium.close()
    assert len(found) >= 80
    assert {name: code for name, code in found.items() if wanted[name] != code} == {}
    assert listener.reached == []


@pytest.mark.browser
def test_a_browser_fetches_nothing_from_a_cleaned_file(listener: Listener, tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    host = f"http://127.0.0.1:{listener.port}/svg"
    raw = tmp_path / "raw.svg"
    style = f"svg {{ background: image-set('{host}' 1x) }}"
    raw.write_text(f"<svg xmlns='http://www.w3.org/2000/svg'><style>{style}</style></svg>")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        page = browser.new_page()
        inline = browser.new_page()
        dialogs: list[str] = []
        page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        page.goto(raw.as_uri())
        page.wait_for_timeout(300)
        assert listener.reached, "a file that is not cleaned should reach the listener"
        listener.reached.clear()
        shown = 0
        for name, (source, code) in sources(host).items():
            clean = sanitize(source, (64, 64), ["Aileron"])
            if isinstance(clean, Failure) or len(clean) > 200_000:
                continue
            assert code in ("ok", "text_label", "blank_canvas"), name
            file = tmp_path / f"{name}.svg"
            file.write_text(clean, encoding="utf-8")
            page.goto(file.as_uri())
            inline.set_content(clean)
            shown += 1
        page.wait_for_timeout(300)
        browser.close()
    assert shown >= 15
    assert (listener.reached, dialogs) == ([], [])


def test_what_is_kept_of_a_style_sheet() -> None:
    css = (
        "@charset 'x'; /* a { fill: blue } */ .a, #b > rect:first-child { fill: red; background: url(#x); "
        "FILL: url( '#g' ); stroke: foo(1) } @page { fill: red } c { cursor: auto } d { fill: url(#a b) }"
    )
    assert list(known_rules(css)) == [".a, #b > rect:first-child{fill:red;FILL:url( '#g' )}"]


def test_ordinary_drawings_are_handed_on_as_they_are() -> None:
    source = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9">'
        '<defs><linearGradient id="g" gradientTransform="rotate(9)"><stop offset="1" stop-color="red"/>'
        '</linearGradient><filter id="f"><feGaussianBlur stdDeviation="1"/></filter></defs>'
        '<g class="a" transform="translate(1 2)"><path d="M0 0h9" fill="url(#g)" filter="url(#f)"/></g></svg>'
    )
    assert sanitize(source, (9, 9)) == source


def test_an_editors_notes_are_left_out() -> None:
    source = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:i="urn:inkscape" viewBox="0 0 9 9" i:version="1">'
        '<i:view i:page="1"/><metadata>by <b>me</b></metadata>'
        '<rect i:label="url" data-x="1" width="9" height="9"/></svg>'
    )
    clean = sanitize(source, (9, 9))
    assert isinstance(clean, str)
    assert all(word not in clean for word in ("i:", "metadata", "data-x", "label"))
    assert '<rect width="9" height="9"/>' in clean


@pytest.mark.parametrize("count", [20, 4000])
def test_names_are_bounded_before_a_parser_keeps_them(count: int) -> None:
    """Elements' and attributes', where the parser never gets as far, too."""
    shape = '<rect width="5" height="5" fill="red"/>'
    for inside in (
        "".join(f"<q{i} />" for i in range(count)),
        "".join(f'<g b{i}="1"/>' for i in range(count)),
        f"<g {' '.join(f'c{i}' + chr(10) + '= 1' for i in range(count))}",
    ):
        found = sanitize(f"<svg viewBox='0 0 10 10'>{inside}{shape}</svg>", (64, 64))
        refused = isinstance(found, Failure) and found.code == "too_large"
        assert refused == (count > 500), found


def test_a_name_is_no_place_to_keep_things() -> None:
    for inside in (f"<{'q' * 101}/>", f"<g {'b' * 101}='1'/>"):
        found = sanitize(f"<svg viewBox='0 0 10 10'>{inside}</svg>", (64, 64))
        assert isinstance(found, Failure)
        assert found.code == "too_large"
