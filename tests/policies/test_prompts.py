"""The prompts of the embedded policy."""

import re

import pytest

from salon.errors import RecipeError
from salon.media.p5.checks.vocabulary import WATERCOLOUR
from salon.policies.prompts import CHAT_BRIEF, COLOURS, FLOWERS, flower_prompt, flower_prompts


def test_a_prompt_names_colour_and_flower() -> None:
    prompt = flower_prompt("hibiscus", "peach")
    assert prompt.text == "draw a peach hibiscus in watercolour"
    assert (prompt.id, prompt.subject) == ("peach-hibiscus", "hibiscus")
    assert dict(prompt.meta) == {"colour": "peach", "flower": "hibiscus"}


def test_the_article_and_the_id_follow_the_colour() -> None:
    assert flower_prompt("iris", "orange").text == "draw an orange iris in watercolour"
    assert flower_prompt("iris", "sky blue").id == "sky-blue-iris"


def test_all_prompts_differ_and_keep_their_order() -> None:
    prompts = flower_prompts(["rose", "lily"], ["coral", "lilac"])
    assert [prompt.id for prompt in prompts] == ["coral-rose", "lilac-rose", "coral-lily", "lilac-lily"]
    everything = flower_prompts()
    assert len({prompt.id for prompt in everything}) == len(everything) == len(FLOWERS) * len(COLOURS)


def test_words_that_the_policy_never_saw_are_allowed() -> None:
    assert flower_prompts(["thistle"], ["puce"])[0].text == "draw a puce thistle in watercolour"


def test_an_empty_list_is_refused() -> None:
    with pytest.raises(RecipeError, match="at least one"):
        flower_prompts([], ["coral"])


def test_every_colour_has_five_shades_from_pale_to_deep() -> None:
    for name, shades in COLOURS.items():
        assert len(shades) == 5, name
        assert all(re.fullmatch(r"#[0-9a-f]{6}", shade) for shade in shades), name
        light = [sum(bytes.fromhex(shade[1:])) for shade in shades]
        assert light == sorted(light, reverse=True), name


def test_a_chat_model_is_told_the_methods_that_watercolour_allows() -> None:
    assert sorted(re.findall(r"brush\.(\w+)", CHAT_BRIEF)) == sorted(WATERCOLOUR)
