"""SVG: drawn when it is a drawing, refused when it is more."""

import io
import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PIL import Image

from salon.errors import RecipeError
from salon.media.svg import rasterize
from salon.media.svg.medium import SvgMedium
from salon.media.svg.source_check import sanitize
from salon.types import Failure, Rendering

AWAY = '<circle cx="15" cy="15" r="4"/>'
DISC = '<circle cx="5" cy="5" r="4" fill="red"/>'


@pytest.fixture(scope="module")
def medium() -> Iterator[SvgMedium]:
    medium = SvgMedium(size=(64, 64), deadline_s=3)
    yield medium
    medium.close()


def one(medium: SvgMedium, source: str) -> Rendering:
    return medium.render([source], [0])[0]


@pytest.mark.parametrize(
    "source",
    [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{DISC}</svg>',
        f'<svg viewBox="0 0 10 10">{DISC}</svg>',
        f'<svg width="10" height="10">{DISC}</svg>',
        f'<svg viewBox="0 0 10 10"><!-- a --><defs><g id="a">{DISC}</g></defs><use xlink:href="#a"/></svg>',
    ],
)
def test_a_disc_is_drawn(medium: SvgMedium, source: str) -> None:
    rendering = one(medium, source)
    assert rendering.ok
    assert rendering.picture is not None
    image = Image.open(io.BytesIO(rendering.picture.png))
    assert (image.size, image.mode) == ((64, 64), "RGB")
    assert image.getpixel((32, 32)) == (255, 0, 0)
    assert image.getpixel((1, 1)) == (255, 255, 255)


def test_another_namespace_is_not_svg(medium: SvgMedium) -> None:
    rendering = one(medium, f'<svg xmlns="foo" viewBox="0 0 10 10">{DISC}</svg>')
    assert rendering.failure is not None
    assert (rendering.failure.code, "xmlns" in rendering.failure.message) == ("syntax_error", True)


@pytest.mark.parametrize(
    ("inside", "code"),
    [
        ("<script>alert(1)</script>", "forbidden_element"),
        (f'<g onload="x()">{DISC}</g>', "forbidden_element"),
        ("<foreignObject><b/></foreignObject>", "forbidden_element"),
        ('<image href="https://example.org/a.png"/>', "embedded_raster"),
        ('<image href="data:image/png;base64,AAAA"/>', "embedded_raster"),
        ('<use href="file:///etc/passwd#a"/>', "external_reference"),
        ('<rect fill="url(https://example.org/x)" width="9" height="9"/>', "external_reference"),
        ("<style>@import 'https://example.org/x.css';</style>", "external_reference"),
        ("<text>vote for me</text>", "text_label"),
        ("<style>:root{--c:#d22} rect{fill:var(--c)}</style>", "unsupported_style"),
        ('<rect width="9" height="9" fill="oklch(70% .1 200)"/>', "unsupported_style"),
        ('<rect width="9" height="9" fill="rgb(255 0 0 / 50%)"/>', "unsupported_style"),
        ('<rect width="9" height="9" style="transform: translate(30px, 0)"/>', "unsupported_style"),
        ("<style>@media (min-width: 1px) { rect { fill: red } }</style>", "unsupported_style"),
        ("<style>@keyframes turn { to { transform: rotate(360deg) } }</style>", "unsupported_style"),
        ("<g/>", "too_few_elements"),
        ("<rect/>" * 6000, "too_many_elements"),
        ("<circle r=1/>", "syntax_error"),
        ("<g <!-- a --> ></g>", "syntax_error"),
    ],
)
def test_more_than_a_drawing_is_refused(medium: SvgMedium, inside: str, code: str) -> None:
    failure = one(medium, f'<svg viewBox="0 0 10 10">{inside}</svg>').failure
    assert failure is not None
    assert (failure.code, failure.fault) == (code, "sample")


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("", "no_sketch_in_response"),
        ("<svg viewBox='0 0 1 1'><circle r='1'", "truncated"),
        ('<svg viewBox="0 0 10 10"><circle cx="50" cy="50" r="4"/></svg>', "blank_canvas"),
        (f'<svg viewBox="0 0 10 10">{3 * AWAY}</svg>', "content_off_canvas"),
        ('<svg viewBox="0 0 .001 .001"><rect width="9" height="9" fill="red"/></svg>', "blank_canvas"),
        ('<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>', "forbidden_element"),
        ('<!DOCTYPE svg SYSTEM "file:///etc/passwd"><svg>&a;</svg>', "forbidden_element"),
    ],
)
def test_other_failures(medium: SvgMedium, source: str, code: str) -> None:
    failure = one(medium, source).failure
    assert failure is not None
    assert failure.code == code


def test_a_drawing_that_never_ends_is_ended_and_the_next_one_is_drawn() -> None:
    disc, before = f'<svg viewBox="0 0 10 10">{DISC}</svg>', children()
    with closing(SvgMedium(size=(64, 64), deadline_s=3, workers=1)) as medium:
        assert one(medium, disc).ok
        [drawing] = children() - before
        # Whatever is drawn, a process that is stopped draws it for ever.
        os.kill(drawing, signal.SIGSTOP)
        failure = one(medium, disc).failure
        assert failure is not None
        assert (failure.code, failure.fault) == ("timeout", "sample")
        assert one(medium, disc).ok
        assert drawing not in children()
        assert medium.metrics().overruns == 1


def children() -> set[int]:
    """The processes that this one started."""
    listed = Path("/proc/self/task").glob("*/children")
    return {int(child) for file in listed for child in file.read_text().split()}


@pytest.mark.parametrize(
    "head",
    [
        'viewBox="0 0 1e999 10"',
        'viewBox="0 0 1e-320 1e-320"',
        f'width="{"9" * 400}" height="1"',
        'id="\ud800"',
    ],
)
def test_odd_sizes_and_letters_raise_nothing(medium: SvgMedium, head: str) -> None:
    rendering = medium.render([f'<svg {head}><rect width="90" height="90" fill="red"/></svg>'], [0])[0]
    assert rendering.picture is not None


def test_both_bindings_draw_the_same_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("svg2png_py")
    source = (
        '<svg viewBox="0 0 24 24"><radialGradient id="g"><stop stop-color="red"/><stop offset="1"/>'
        '</radialGradient><filter id="b"><feGaussianBlur stdDeviation="1"/></filter>'
        '<rect width="20" height="24" fill="url(#g)"/><path d="M1 2C5 20 20 3 22 22" stroke="#123"'
        ' stroke-width=".4" fill="#fc0" opacity=".5" filter="url(#b)"/></svg>'
    )
    drawn = [rasterize._with_svg2png(), rasterize._with_resvg_py()]
    clean = sanitize(source, (90, 90))
    assert isinstance(clean, str)
    first, second = (draw(clean, "#fdfaf3") for draw in drawn)
    assert first.shape == (90, 90, 3)
    assert (first == second).all()


@pytest.mark.parametrize("box", ["0 0 10 10", "0 0 20 10", "0 0 10 20", "0 0 1 20"])
def test_a_drawing_lies_in_the_middle_of_the_paper(box: str) -> None:
    medium = SvgMedium((60, 40), paper="navy", workers=1)
    made = one(medium, f'<svg viewBox="{box}"><rect width="999" height="999" fill="red"/></svg>')
    medium.close()
    assert made.picture is not None
    image = Image.open(io.BytesIO(made.picture.png))
    assert image.size == (60, 40)
    assert image.getpixel((29, 20)) == (255, 0, 0)
    assert image.getpixel((0, 0)) == (0, 0, 128)


def test_what_cannot_be_drawn_is_refused_at_once() -> None:
    for wrong in ({"paper": "reddish"}, {"workers": 0}, {"size": (0, 9)}, {"deadline_s": 0}):
        with pytest.raises(RecipeError, match="medium svg"):
            SvgMedium(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("inside", "cause"),
    [
        (
            '<animateTransform attributeName="transform"/>',
            "<animateTransform> is refused: an SVG is one still",
        ),
        ("<style>@keyframes turn { to { rotate: 360deg } }</style>", "an SVG is one still picture"),
        ("<foreignObject><b/></foreignObject>", "<foreignObject> is refused: an SVG is drawn with its own"),
    ],
)
def test_what_is_refused_is_told_why(inside: str, cause: str) -> None:
    failure = sanitize(f"<svg>{inside}{DISC}</svg>", (64, 64))
    assert isinstance(failure, Failure)
    assert cause in failure.message
