"""Detectors of flaws that pixels show: each fires on pictures made for it, and not on the shipped pool."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from painted import encoded, paint, picture_of
from salon.errors import RecipeError
from salon.judges.fake import FakeJudge
from salon.pool import Pool
from salon.raster import decode
from salon.scorers.base_comparison import BaseModelComparison
from salon.scorers.near_duplicates import NearDuplicates, difference, thumbnail
from salon.scorers.pixel_defects import FLAWS, Sheet
from salon.scorers.pixel_detector import PixelDetector
from salon.store.runs import Run
from salon.types import Failure, Group, Judge, Picture, Prompt, Reward, Sample, Score, Verdict

ROSE = Prompt("rose", "draw a rose")


@cache
def pool_images() -> list[tuple[str, Image.Image]]:
    return [(i.reference.tier, decode(i.reference.picture.png)) for i in Pool.load("flowers").items]


def loved(count: int) -> list[Image.Image]:
    return [image for tier, image in pool_images() if tier == "love"][:count]


def group(*pictures: Picture | None) -> Group:
    return Group(ROSE, tuple(Sample(str(n), ROSE, "", picture=p, seed=n) for n, p in enumerate(pictures)))


def flaws_of(image: Image.Image) -> set[str]:
    sheet = Sheet.of(image)
    return {name for name, flaw in FLAWS.items() if flaw.measure(sheet) >= flaw.limit}


def lattice(image: Image.Image, period: int, depth: int) -> Image.Image:
    pixels = np.asarray(image).astype(int)
    pixels[::period] -= depth
    pixels[:, ::period] -= depth
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))


def blocks(image: Image.Image, period: int, depth: float) -> Image.Image:
    pixels = np.asarray(image).astype(float)
    height, width = pixels.shape[:2]
    shades = np.random.default_rng(0).normal(0, depth, (height // period + 1, width // period + 1))
    tiled = np.kron(shades, np.ones((period, period)))[:height, :width, None]
    return Image.fromarray((pixels + tiled - 15).clip(0, 255).astype(np.uint8))


@pytest.mark.parametrize("period", [8, 16, 32])
def test_a_lattice_and_blocks_over_a_painting_are_a_grid(period: int) -> None:
    for image in loved(6):
        assert flaws_of(image) == set()
        assert flaws_of(lattice(image, period, 10)) == {"grid"}
        assert flaws_of(blocks(image, period, 6)) == {"grid"}


def test_a_sheet_with_nothing_or_one_shade_on_it_is_blank() -> None:
    for colour in ("white", "#fdfaf3", "black", "#ff0000"):
        assert "blank" in flaws_of(Image.new("RGB", (400, 400), colour))


def test_a_flower_of_a_few_pixels_is_tiny_even_with_a_speck_far_off() -> None:
    sheet = Image.new("RGB", (400, 400), "white")
    sheet.paste(paint("love", 1, 160).resize((60, 60)), (200, 180))
    assert flaws_of(sheet) == {"tiny"}
    ImageDraw.Draw(sheet).point((3, 3), fill="black")
    assert flaws_of(sheet) == {"tiny"}


def test_garish_colours_all_over_are_oversaturated() -> None:
    for image in loved(3):
        pixels = np.asarray(image).copy()
        pixels[:300] = [255, 0, 120]
        assert "oversaturated" in flaws_of(Image.fromarray(pixels))


def test_noise_is_noise_and_a_cut_file_is_torn() -> None:
    grains = np.random.default_rng(0).integers(0, 256, (400, 400, 3)).astype(np.uint8)
    assert flaws_of(Image.fromarray(grains)) == {"noise"}
    for image in loved(4):
        cut = image.copy()
        cut.paste((128, 128, 128), (0, 300, 400, 400))
        assert flaws_of(cut) == {"torn"}


def test_false_alarms_on_the_shipped_pool_are_none_on_what_was_rated_love_or_okay() -> None:
    """Of 198 loved and decent pictures none is flagged; of 157 disliked ones, the empty and tiny ones."""
    seen = [(tier, flaws_of(image)) for tier, image in pool_images()]
    assert sum(bool(found) for tier, found in seen if tier != "nope") == 0
    flagged = [found for tier, found in seen if tier == "nope" and found]
    assert set().union(*flagged) <= {"blank", "tiny"}
    assert len(flagged) <= 12


def test_the_detector_says_which_flaw_and_how_much() -> None:
    blank = picture_of(Image.new("RGB", (80, 80), "white"))
    fine, bad, none = PixelDetector().score(group(picture_of(loved(1)[0]), blank, None))
    assert (fine.value, fine.reason) == (0.0, "clean")
    assert (bad.value, bad.reason) == (1.0, "nothing is painted (blank 1.000)")
    assert set(fine.details) == set(FLAWS)
    assert none.failure is not None
    assert PixelDetector(["tiny"]).score(group(blank))[0].value == 0.0
    assert PixelDetector(["tiny"], {"tiny": 0.0}).score(group(blank))[0].value == 1.0


@pytest.mark.parametrize(
    ("flaws", "limits", "message"),
    [
        (["gird"], None, "flaws: there is no 'gird'. Did you mean 'grid'"),
        ([], None, "name at least one"),
        (["grid"], {"gird": 1.0}, "limits: there is no 'gird'"),
    ],
)
def test_a_flaw_that_is_none_is_named(
    flaws: list[str], limits: dict[str, float] | None, message: str
) -> None:
    with pytest.raises(RecipeError, match=message):
        PixelDetector(flaws, limits)


def test_copies_are_found_when_they_were_moved_or_encoded_anew() -> None:
    image, other = loved(2)
    moved = Image.new("RGB", image.size, "white")
    moved.paste(image, (2, 1))
    again = decode(encoded(image, "JPEG", quality=80))
    scores = NearDuplicates().score(group(*(picture_of(each) for each in (image, moved, again, other)), None))
    assert [score.value for score in scores] == [1.0, 1.0, 1.0, 0.0, None]
    assert scores[0].reason == "2 of 3 others look the same"
    half = NearDuplicates(share=0.9).score(group(*(picture_of(each) for each in (image, moved, other))))
    assert [score.value for score in half] == [0.0, 0.0, 0.0]


def test_blank_sheets_copy_nothing_and_one_alone_has_no_mates() -> None:
    blank = picture_of(Image.new("RGB", (80, 80), "white"))
    assert [score.value for score in NearDuplicates().score(group(blank, blank))] == [0.0, 0.0]
    alone = NearDuplicates().score(group(blank))[0]
    assert alone.failure is not None
    assert alone.failure.code == "not_applicable"


def test_no_two_pictures_of_the_pool_are_copies() -> None:
    thumbs = [thumbnail(picture_of(image)) for tier, image in pool_images() if tier != "nope"]
    nearest = [
        apart
        for place, thumb in enumerate(thumbs)
        for other in thumbs[:place]
        if (apart := difference(thumb, other)) is not None
    ]
    assert len(nearest) > 19_000
    assert min(nearest) > 0.2


class Seeker:
    """Finds the failure in the more colourful picture, or in whichever stands first."""

    def __init__(self, eye: Judge, criteria: str = "") -> None:
        self.identity, self.eye, self.criteria = f"seeker {criteria}", eye, criteria

    def with_criteria(self, criteria: str) -> "Seeker":
        return Seeker(self.eye, criteria)

    def compare(self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]]) -> list[Verdict | Failure]:
        assert "garish colour" in self.criteria
        return self.eye.compare(prompt, pairs)


COLOUR = picture_of(paint("love", 1, 40))
GREY = picture_of(paint("love", 1, 40).convert("L").convert("RGB"))


@pytest.fixture
def base(tmp_path: Path) -> str:
    """A run whose first step painted the rose in grey under seed 0 and in colour under seed 1."""
    run = Run.create(tmp_path / "base", {"recipe": {}})
    run.write_step(0, [group(GREY, COLOUR)], [[Reward(0.0, ()), Reward(0.0, ())]], {})
    return str(run.path)


def against(base: str, eye: Judge, *pictures: Picture, same_seed: bool = False) -> list[Score]:
    return BaseModelComparison(Seeker(eye), "garish colour", base, same_seed).score(group(*pictures))


def test_what_the_base_did_not_show_is_a_violation_by_prompt_and_seed(base: str) -> None:
    other = picture_of(paint("okay", 3, 40).convert("L").convert("RGB"))
    assert [score.value for score in against(base, FakeJudge(), COLOUR, other)] == [1.0, 0.0]


def test_a_judge_that_goes_by_position_convicts_nobody(base: str) -> None:
    [score] = against(base, FakeJudge(always="a"), COLOUR)
    assert (score.value, score.details["flipped"], score.details["first_choice_rate"]) == (0.0, 1.0, 1.0)


def test_the_same_picture_needs_no_judge_and_an_outage_is_no_verdict(base: str) -> None:
    assert against(base, FakeJudge(fail_every=1), GREY)[0].value == 0.0
    [lost] = against(base, FakeJudge(fail_every=1), COLOUR)
    assert lost.failure is not None
    assert (lost.failure.code, lost.failure.fault) == ("judge_unreachable", "system")


def test_another_seed_will_do_unless_it_must_be_the_same(base: str) -> None:
    three = (GREY, COLOUR, COLOUR)
    scores = against(base, FakeJudge(), *three)
    assert scores[2].value == 1.0
    assert [score.details["other_seed"] for score in scores] == [0.0, 0.0, 1.0]
    strict = against(base, FakeJudge(), *three, same_seed=True)[2]
    assert strict.failure is not None
    assert strict.failure.code == "no_base_picture"


def test_a_judge_without_criteria_is_refused(base: str) -> None:
    reads_none = FakeJudge()
    reads_none.reads = frozenset()
    with pytest.raises(RecipeError, match=r"fake .* cannot go by criteria"):
        BaseModelComparison(reads_none, "garish colour", base)
    with pytest.raises(RecipeError, match="say in a few words"):
        BaseModelComparison(Seeker(FakeJudge()), " ", base)
