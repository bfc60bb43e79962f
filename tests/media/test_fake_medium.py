"""The medium without a browser."""

import pytest

from salon.errors import RecipeError
from salon.media import open_medium
from salon.media.paint_coverage import paint_stats
from salon.types import Medium


def test_the_same_source_and_seed_give_the_same_picture() -> None:
    medium = open_medium("fake")
    assert isinstance(medium, Medium)
    first, again, other, seeded = medium.render(["a", "a", "b", "a"], [1, 1, 1, 2])
    assert first.ok
    assert first.picture == again.picture
    assert len({one.picture.key for one in (first, other, seeded) if one.picture}) == 3


def test_named_colours_are_seen() -> None:
    rendering = open_medium("fake").render(["fill('#ff0000')"], [1])[0]
    assert rendering.picture is not None
    red, green, _ = paint_stats(rendering.picture).paint_colour or (0, 0, 0)
    assert red > 200 > 60 > green


def test_its_failures() -> None:
    medium = open_medium("fake")
    failure = medium.render(["blank"], [1])[0].failure
    assert failure is not None
    assert failure.code == "blank_canvas"
    refused = medium.check("broken")
    assert refused is not None
    assert refused.code == "syntax_error"


def test_a_wrong_argument_or_name_is_the_users_mistake() -> None:
    with pytest.raises(RecipeError, match="speed"):
        open_medium("fake", speed=3)
    with pytest.raises(RecipeError, match="svg"):
        open_medium("svgg")
    with pytest.raises(RecipeError, match="not allowed"):
        open_medium("builtins:dict")
