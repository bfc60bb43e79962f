"""Paint statistics on pictures worked out by hand."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from salon.media.paint_coverage import fit, is_blank, paint_stats, shows_nothing
from salon.raster import encode_png
from salon.types import Picture


def picture(*boxes: tuple[tuple[int, int, int, int], str], size: int = 100, paper: str = "white") -> Picture:
    image = Image.new("RGB", (size, size), paper)
    for box, colour in boxes:
        image.paste(colour, box)
    return Picture.from_png(encode_png(image))


def test_a_red_quarter() -> None:
    stats = paint_stats(picture(((0, 0, 50, 50), "#ff0000")))
    assert stats.paint_fraction == pytest.approx(0.25)
    assert stats.paper == (255, 255, 255)
    assert stats.paint_colour == pytest.approx((255, 0, 0))
    assert stats.box == pytest.approx((0, 0, 0.5, 0.5))
    assert not stats.blank


@pytest.mark.parametrize("paper", ["white", "black", "#808080", "#fffff0"])
def test_one_colour_is_blank(paper: str) -> None:
    assert is_blank(picture(paper=paper))
    assert paint_stats(picture(paper=paper)).paint_colour is None


def test_faint_paint_is_not_paint_and_the_threshold_is_half_a_percent() -> None:
    assert is_blank(picture(((0, 0, 50, 50), "#eeeeee")))
    assert is_blank(picture(((0, 0, 7, 7), "red")))
    assert not is_blank(picture(((0, 0, 10, 5), "red")))


def test_hidden_colour_under_alpha_does_not_count() -> None:
    stream = io.BytesIO()
    Image.new("RGBA", (10, 10), (255, 0, 0, 0)).save(stream, "PNG")
    assert is_blank(Picture.from_png(fit(stream.getvalue(), None, "#ffffff")))


def test_fit_centres_on_paper() -> None:
    wide = picture(size=40, paper="red")
    image = Image.open(io.BytesIO(fit(wide.png, (80, 40), "#0000ff")))
    assert image.size == (80, 40)
    assert image.getpixel((5, 20)) == (0, 0, 255)
    assert image.getpixel((40, 20)) == (255, 0, 0)


@given(
    paper=st.integers(0, 255),
    step=st.integers(0, 90),
    painted=st.integers(0, 60),
    shades=st.integers(1, 3),
    seed=st.integers(0, 9),
)
def test_short_cuts_never_change_what_is_blank(
    paper: int, step: int, painted: int, shades: int, seed: int
) -> None:
    pixels_HWC = np.full((100, 101, 3), paper, np.uint8)
    places = np.random.default_rng(seed).choice(100 * 101, painted, replace=False)
    for shade in range(shades):
        pixels_HWC.reshape(-1, 3)[places[shade::shades], shade] = min(255, paper + step + shade)
    picture = Picture.from_png(encode_png(Image.fromarray(pixels_HWC)))
    assert shows_nothing(pixels_HWC) == paint_stats(picture).blank


@pytest.mark.parametrize(("painted", "blank"), [(49, True), (50, False)])
@pytest.mark.parametrize("height", [100, 1, 10_000])
def test_half_a_percent_is_the_border(painted: int, blank: bool, height: int) -> None:
    pixels_HWC = np.full((height, 10_000 // height, 3), 255, np.uint8)
    pixels_HWC.reshape(-1, 3)[:painted] = 0
    assert shows_nothing(pixels_HWC) == blank
