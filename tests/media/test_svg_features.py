"""What SVGs are made of comes out as it should: gradients, filters, `use`, CSS, clips, masks, and text where
it is wanted.
"""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageFont

from salon.errors import RecipeError, SetupError
from salon.markup import Html
from salon.media.svg import medium as svg_medium
from salon.media.svg.embedded import svg_image
from salon.media.svg.medium import SvgMedium
from salon.types import Failure, Rendering

WHITE, RED, BLUE = (255, 255, 255), (255, 0, 0), (0, 0, 255)
TEXT = '<svg viewBox="0 0 100 40"><text x="5" y="30" font-size="30" font-family="{}">Mi</text></svg>'


@pytest.fixture(scope="module")
def medium() -> Iterator[SvgMedium]:
    medium = SvgMedium(size=(100, 100), workers=1)
    yield medium
    medium.close()


def pixel(rendering: Rendering, at: tuple[int, int]) -> tuple[int, int, int]:
    assert rendering.ok, rendering.failure
    assert rendering.picture is not None
    found = Image.open(io.BytesIO(rendering.picture.png)).getpixel(at)
    assert isinstance(found, tuple)
    return found[0], found[1], found[2]


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (
            '<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/>'
            "</linearGradient>"
            '<rect width="100" height="60" fill="url(#g)"/>',
            {(2, 30): (250, 0, 5), (50, 30): (127, 0, 127), (97, 30): (6, 0, 248), (50, 80): WHITE},
        ),
        (
            '<filter id="f" width="4"><feOffset dx="40"/></filter>'
            '<rect width="20" height="90" fill="red" filter="url(#f)"/><rect y="95" width="9" height="5"/>',
            {(10, 50): WHITE, (50, 50): RED},
        ),
        (
            '<filter id="f"><feColorMatrix type="hueRotate" values="180"/></filter>'
            '<rect width="50" height="90" fill="red" filter="url(#f)"/>',
            {(20, 50): (0, 174, 174), (80, 50): WHITE},
        ),
        (
            '<defs><circle id="c" r="9" fill="red"/></defs><use href="#c" x="20" y="20"/>'
            '<use xlink:href="#c" x="80" y="80"/>',
            {(20, 20): RED, (80, 80): RED, (50, 50): WHITE},
        ),
        (
            "<style>.petal { fill: blue } #heart { fill: red } rect.petal.odd { opacity: .5 }</style>"
            '<rect class="petal" width="30" height="30"/>'
            '<rect id="heart" class="petal" x="40" width="30" height="30"/>'
            '<rect class="petal odd" y="60" width="30" height="30"/>',
            {(10, 10): BLUE, (50, 10): RED, (10, 70): (127, 127, 255)},
        ),
        (
            '<clipPath id="c"><rect width="30" height="90"/></clipPath>'
            '<circle cx="30" cy="50" r="25" fill="red" clip-path="url(#c)"/>',
            {(20, 50): RED, (40, 50): WHITE},
        ),
        (
            '<mask id="m"><rect width="50" height="100" fill="white"/></mask>'
            '<rect width="100" height="50" fill="red" mask="url(#m)"/>',
            {(20, 20): RED, (80, 20): WHITE},
        ),
        (
            '<pattern id="p" width="20" height="20" patternUnits="userSpaceOnUse">'
            '<rect width="10" height="20" fill="red"/></pattern>'
            '<rect width="100" height="50" fill="url(#p)"/>',
            {(5, 20): RED, (15, 20): WHITE, (45, 20): RED, (5, 80): WHITE},
        ),
    ],
    ids=["gradient", "offset", "colour matrix", "use", "css", "clip", "mask", "pattern"],
)
def test_it_comes_out_as_written(
    medium: SvgMedium, inside: str, expected: dict[tuple[int, int], tuple[int, int, int]]
) -> None:
    made = medium.render([f'<svg viewBox="0 0 100 100">{inside}</svg>'], [0])[0]
    for at, colour in expected.items():
        off = max(abs(a - b) for a, b in zip(pixel(made, at), colour, strict=True))
        assert off <= 3, (at, pixel(made, at), colour)


def drawn(text: str, **options: object) -> bytes:
    medium = SvgMedium((100, 40), workers=1, text="draw", **options)  # type: ignore[arg-type]
    try:
        made = medium.render([text], [0])[0]
    finally:
        medium.close()
    assert made.ok, made.failure
    assert made.picture is not None
    return made.picture.png


def ink(png: bytes) -> float:
    pixels = Image.open(io.BytesIO(png)).convert("L").tobytes()
    return sum(value < 128 for value in pixels) / len(pixels)


def test_text_is_refused_unless_it_is_wanted(medium: SvgMedium) -> None:
    failure = medium.render([TEXT.format("serif")], [0])[0].failure
    assert failure is not None
    assert failure.code == "text_label"


def test_text_is_drawn_alike_whatever_font_it_asks_for() -> None:
    pytest.importorskip("svg2png_py")
    first, second = (drawn(TEXT.format(family)) for family in ("serif", "Comic Sans MS, fantasy"))
    assert first == second
    assert 0.03 < ink(first) < 0.5


def test_a_declared_font_is_used_and_told(tmp_path: Path) -> None:
    pytest.importorskip("svg2png_py")
    own = tmp_path / "own.ttf"
    font = ImageFont.load_default(10)
    assert isinstance(font, ImageFont.FreeTypeFont)
    assert isinstance(font.path, io.BytesIO)
    own.write_bytes(font.path.getvalue())
    assert drawn(TEXT.format("Georgia"), fonts=[str(own)]) == drawn(TEXT.format("Georgia"))
    medium = SvgMedium(text="draw", fonts=[str(own)])
    assert medium.versions()["fonts"].startswith("Aileron ")
    assert "fonts" not in SvgMedium().versions()


def test_wrong_fonts_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(svg_medium, "binding", lambda: ("svg2png-py", "1.1"))
    (tmp_path / "no.ttf").write_text("no font")
    with pytest.raises(RecipeError, match=r"no.ttf cannot be read"):
        SvgMedium(text="draw", fonts=[str(tmp_path / "no.ttf")])
    with pytest.raises(RecipeError, match="fonts are for text: draw"):
        SvgMedium(fonts=["x.ttf"])
    with pytest.raises(RecipeError, match="text is refuse or draw"):
        SvgMedium(text="maybe")  # type: ignore[arg-type]
    monkeypatch.setattr(svg_medium, "binding", lambda: ("resvg-py", "0.3"))
    with pytest.raises(SetupError, match=r"\[svg\]"):
        SvgMedium(text="draw")


LOUD = (
    '<svg viewBox="0 0 9 9" style="position:fixed;inset:0;z-index:9999">'
    "<style>* { display: none !important } body { color: rgb(255, 0, 0) }</style>"
    '<rect width="9" height="9" fill="red"/></svg>'
)


def test_what_is_no_svg_is_no_image() -> None:
    assert isinstance(svg_image("<svg><script/></svg>", (9, 9)), Failure)


@pytest.mark.browser
def test_an_svg_in_a_page_changes_nothing_around_it() -> None:
    from playwright.sync_api import sync_playwright

    from salon.installed import find_chromium
    from salon.media.svg.source_check import sanitize

    shown = svg_image(LOUD, (90, 90), alt="a red square")
    assert isinstance(shown, Html)
    look = "[getComputedStyle(document.body).color, document.querySelector('p').offsetHeight > 0]"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        page = browser.new_page()
        page.set_content(f"<p>around</p>{sanitize(LOUD, (90, 90))}")
        assert page.evaluate(look) == ["rgb(255, 0, 0)", False]
        page.set_content(f"<p>around</p>{shown}")
        assert page.evaluate(look) == ["rgb(0, 0, 0)", True]
        assert page.evaluate("document.querySelector('img').naturalWidth") == 90
        browser.close()
