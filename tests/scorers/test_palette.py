"""The asked colour, and enough of it: honest paintings before dots, fills and the wrong colour."""

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter

from painted import picture_of
from salon.policies.prompts import COLOURS
from salon.scorers.cielab import rgb_to_lab
from salon.scorers.palette import Palette
from salon.types import Group, Picture, Prompt, Sample, Score


def wash(colour: str, reach: float = 0.3, side: int = 200) -> Picture:
    """Five soft petals in the colour's shades, on white, with a green stem."""
    sheet = Image.new("RGBA", (side, side), "white")
    for layer, shade in enumerate(COLOURS[colour]):
        petals = Image.new("RGBA", sheet.size, (255, 255, 255, 0))
        draw = ImageDraw.Draw(petals)
        if layer == 0:
            draw.line([side / 2, side / 2, side / 2, side], fill="#5d8a4a", width=max(1, side // 40))
        size = side * reach * (1 - 0.12 * layer) / 2
        for angle in np.arange(5) * 2 * np.pi / 5:
            x, y = side / 2 + size * np.cos(angle), side / 2 + size * np.sin(angle)
            draw.ellipse([x - size, y - size, x + size, y + size], fill=shade + "90")
        sheet = Image.alpha_composite(sheet, petals.filter(ImageFilter.GaussianBlur(side / 100)))
    return picture_of(sheet.convert("RGB"))


def fill(colour: str, share: float, side: int = 200) -> Picture:
    sheet = Image.new("RGB", (side, side), "white")
    ImageDraw.Draw(sheet).rectangle([0, 0, side, side * share - 1], fill=COLOURS[colour][2])
    return picture_of(sheet)


def scored(picture: Picture | None, colour: str | None, scorer: Palette | None = None) -> Score:
    prompt = Prompt("p", "draw", meta={"colour": colour} if colour else {})
    return (scorer or Palette()).score(Group(prompt, (Sample("s", prompt, "", picture=picture),)))[0]


def value(picture: Picture, colour: str) -> float:
    score = scored(picture, colour)
    assert score.value is not None
    assert 0.0 <= score.value <= 1.0
    return score.value


@pytest.mark.parametrize("colour", COLOURS)
def test_a_painting_in_the_asked_colour_scores_high_and_best_under_its_own_name(colour: str) -> None:
    painted = wash(colour)
    own = value(painted, colour)
    assert own > 0.75
    others = {other: value(painted, other) for other in COLOURS if other != colour}
    # Thin scarlet over white is coral: a neighbour may come close, and only a neighbour.
    assert own > max(others.values()) - 0.05
    assert sum(other < own / 2 for other in others.values()) >= len(others) - 3


def test_hacks_score_below_an_honest_painting() -> None:
    honest = value(wash("peach"), "peach")
    dot = value(wash("peach", reach=0.02), "peach")
    whole, nearly, half = (value(fill("peach", share), "peach") for share in (1.0, 0.97, 0.49))
    assert dot < 0.2 * honest
    assert whole == 0.0
    assert nearly < 0.1 * honest
    assert half < 0.75 * honest


def test_a_flat_fill_beside_contrasting_paper_is_no_top_score() -> None:
    sheet = Image.new("RGB", (200, 200), COLOURS["peach"][2])
    ImageDraw.Draw(sheet).rectangle([0, 0, 99, 199], fill="black")
    assert value(picture_of(sheet), "peach") < 0.75 * value(wash("peach"), "peach")


def test_it_rises_smoothly_with_the_size_of_the_flower() -> None:
    values = [value(wash("violet", reach), "violet") for reach in (0.05, 0.1, 0.2, 0.3)]
    assert values == sorted(values)
    assert values[1] < 0.9 * values[3]


def test_a_blank_picture_is_zero_and_the_size_hardly_matters() -> None:
    assert value(picture_of(Image.new("RGB", (50, 50), "white")), "peach") == 0.0
    small, large = value(wash("coral", side=150), "coral"), value(wash("coral", side=600), "coral")
    assert small == pytest.approx(large, abs=0.1)


def test_no_colour_or_an_unknown_one_does_not_apply() -> None:
    for colour in (None, "hope"):
        failure = scored(wash("peach"), colour).failure
        assert failure is not None
        assert failure.code == "not_applicable"


def test_html_names_and_ones_own_colours() -> None:
    assert scored(fill("violet", 0.2), "medium purple").value is not None
    own = Palette({"tea": ["#d9c2a0", "#a98556"]})
    assert scored(fill("peach", 0.2), "tea", own).value is not None
    assert scored(None, "peach").failure is not None


def test_cielab_against_published_values() -> None:
    lab = rgb_to_lab(np.array([[255.0, 0, 0], [255, 255, 255], [0, 0, 0], [0, 0, 255]]))
    expected = [[53.24, 80.09, 67.20], [100, 0, 0], [0, 0, 0], [32.30, 79.19, -107.86]]
    assert lab == pytest.approx(np.array(expected), abs=0.02)
