"""A recipe of another kind than is asked for is named, with the command that reads it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from salon.errors import RecipeError
from salon.recipe import load_run_recipe
from salon.rewards.preflight.recipe_check import read_reward
from salon.rewards.recipe import load_reward
from salon.rubrics.decompose import load_decompose_recipe
from salon.rubrics.generation.recipe import load_rubric_recipe
from salon.studies.plan import load_plan
from salon.training.reward_model import load_judge_recipe
from salon.training.sft import load_sft_recipe

RECIPES = Path(__file__).resolve().parents[1] / "recipes"
READERS: dict[str, Callable[[str], object]] = {
    "a reward": read_reward,
    "a run's recipe": load_run_recipe,
    "a judge's recipe": load_judge_recipe,
    "a recipe for salon sft": load_sft_recipe,
    "a rubric's recipe": load_rubric_recipe,
    "a checklist's recipe": load_decompose_recipe,
    "a reproduction's recipe": load_plan,
}
SHIPPED = {
    "taste.yaml": "a judge's recipe",
    "taste-heldout.yaml": "a judge's recipe",
    "sketcher-sft.yaml": "a recipe for salon sft",
    "rubric.yaml": "a rubric's recipe",
    "checklist.yaml": "a checklist's recipe",
    "reproduce/old-vs-new.yaml": "a reproduction's recipe",
}


@pytest.mark.parametrize("wanted", READERS)
@pytest.mark.parametrize("name", SHIPPED)
def test_a_recipe_of_another_kind_is_named(name: str, wanted: str) -> None:
    file = str(RECIPES / name)
    if SHIPPED[name] == wanted:
        READERS[wanted](file)
        return
    with pytest.raises(RecipeError) as raised:
        READERS[wanted](file)
    told = str(raised.value)
    assert told.startswith(f"{file}: is {SHIPPED[name]}")
    assert told.endswith(f"{wanted} is asked for.")
    assert "\n" not in told


@pytest.mark.parametrize("wanted", [name for name in READERS if name not in ("a reward", "a run's recipe")])
def test_a_reward_and_a_run_are_named_too(wanted: str) -> None:
    for name, kind in (("paint.yaml", "a reward"), ("hibiscus-cpu.yaml", "a run's recipe")):
        with pytest.raises(RecipeError, match=rf"{name}: is {kind}.*asked for\.$"):
            READERS[wanted](str(RECIPES / name))


def test_a_recipe_with_a_key_too_few_or_too_many_is_of_its_own_kind(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    for text, wanted, told in (
        ("author: {kind: openai}\nverfy: blind\n", "a rubric's recipe", "verfy: unknown key"),
        ("author: {kind: openai}\nquestion: 3\n", "a checklist's recipe", "question: unknown key"),
        ("reward: {terms: {}}\nprompts: {}\nout: x\n", "a run's recipe", "policy: is missing"),
        ("out: x\nname: y\npol: z\n", "a judge's recipe", "pol: unknown key"),
    ):
        file.write_text(text)
        with pytest.raises(RecipeError, match=told):
            READERS[wanted](str(file))


def test_what_is_of_no_kind_is_told_key_by_key(tmp_path: Path) -> None:
    (tmp_path / "odd.yaml").write_text("weights: {taste: 1}\n")
    for read in (*READERS.values(), load_reward):
        with pytest.raises(RecipeError, match=r"missing|unknown key"):
            read(str(tmp_path / "odd.yaml"))
