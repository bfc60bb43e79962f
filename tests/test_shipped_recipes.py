"""Recipes that ship go by their names, wherever a recipe is taken; a file that is there wins."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import salon
from salon.api import _reward  # pyright: ignore[reportPrivateUsage]
from salon.cli import app
from salon.files import shipped_recipes
from salon.files.shipped_recipes import find_recipe
from salon.recipe import load_run_recipe
from salon.rewards.judging.naming import open_judge
from salon.rewards.preflight.recipe_check import read_reward
from salon.rewards.scoring.cli import reward_of
from salon.rubrics.decompose import load_decompose_recipe
from salon.rubrics.generation.recipe import load_rubric_recipe
from salon.studies.plan import load_plan
from salon.training.reward_model import load_judge_recipe
from salon.training.sft import load_sft_recipe

ROOT = Path(__file__).resolve().parents[1]
SHIPPED = sorted(
    file.relative_to(ROOT / "recipes").with_suffix("").as_posix() for file in ROOT.glob("recipes/**/*.yaml")
)
LOADERS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "a reward": ("paint", salon.load_reward),
    "a run": ("hibiscus-cpu", load_run_recipe),
    "a warm start": ("sketcher-sft", load_sft_recipe),
    "a judge to train": ("taste", load_judge_recipe),
    "a rubric": ("rubric", load_rubric_recipe),
    "a checklist": ("checklist", load_decompose_recipe),
    "a reproduction": ("reproduce/old-vs-new", load_plan),
    "salon recipe check": ("paint", read_reward),
    "salon score": ("paint", reward_of),
    "salon score of a run": ("hibiscus-cpu", reward_of),
    "salon.score": ("hibiscus-cpu", _reward),
    "a recipe's judge": ("paint#taste", lambda name: open_judge(name).identity),
}


@pytest.fixture(autouse=True)
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> str:
    done = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("what", LOADERS)
def test_a_name_is_as_good_as_the_file(what: str) -> None:
    name, load = LOADERS[what]
    file, hash_sign, judge = name.partition("#")
    by_file = load(f"{ROOT / 'recipes' / file}.yaml{hash_sign}{judge}")
    assert load(name) == by_file


@pytest.mark.parametrize("what", LOADERS)
def test_an_unknown_name_is_told_with_the_nearest(what: str) -> None:
    name, load = LOADERS[what]
    file, hash_sign, judge = name.partition("#")
    with pytest.raises(salon.RecipeError, match=f"Did you mean '{file}'"):
        load(f"{file[:-1]}{hash_sign}{judge}")


@pytest.mark.parametrize("what", LOADERS)
def test_a_file_that_is_there_wins(what: str, empty: Path) -> None:
    name, load = LOADERS[what]
    file, hash_sign, judge = name.partition("#")
    (empty / file).parent.mkdir(exist_ok=True)
    (empty / file).write_text("- no recipe\n")
    with pytest.raises(salon.RecipeError, match="expected `key: value` lines"):
        load(f"{file}{hash_sign}{judge}")


def test_a_folder_of_the_name_is_no_recipe(empty: Path) -> None:
    (empty / "paint").mkdir()
    assert find_recipe("paint") == ROOT / "recipes" / "paint.yaml"
    (empty / "mine").mkdir()
    with pytest.raises(salon.RecipeError, match="it is a folder"):
        find_recipe("mine")


def test_a_path_into_a_checkout_that_is_not_there_is_told_the_name() -> None:
    with pytest.raises(salon.RecipeError, match=r"recipes/paint\.yaml: cannot be read.*'paint' ships"):
        find_recipe("recipes/paint.yaml")


def test_a_reward_of_a_run_may_go_by_its_name(empty: Path) -> None:
    (empty / "run.yaml").write_text(
        "policy: {name_or_path: fake}\nprompts: {flowers: [poppy], colours: [crimson]}\n"
        "reward: paint\nout: x\n"
    )
    assert load_run_recipe("run.yaml").reward == salon.load_reward("paint")
    (empty / "paint").write_text(
        "reward: {terms: {length: {scorer: length, weight: 1, args: {max_tokens: 9}}}}"
    )
    assert list(load_run_recipe("run.yaml").reward.terms) == ["length"]


def test_all_are_listed_with_their_kinds() -> None:
    lines = run("recipe", "list").splitlines()
    assert [line.split()[0] for line in lines] == SHIPPED
    assert all(len(line) < 160 for line in lines)
    kinds = {line.split()[0]: line for line in lines}
    assert "a run's recipe" in kinds["hibiscus-cpu"]
    assert "a reward " in kinds["paint"]


@pytest.mark.parametrize("name", SHIPPED)
def test_each_is_shown_and_copied_and_read_where_it_lies(name: str, empty: Path) -> None:
    original = (ROOT / "recipes" / f"{name}.yaml").read_text()
    assert run("recipe", "show", name) == original
    told = run("recipe", "copy", name, "copies")
    assert f"wrote copies/{name}.yaml" in told
    assert (empty / "copies" / f"{name}.yaml").read_text() == original
    # Again: what is alike is left.
    assert "all are there already" in run("recipe", "copy", name, "copies")


def test_a_copied_run_brings_its_reward_and_reads_it(empty: Path) -> None:
    run("recipe", "copy", "hibiscus-cpu", "mine/flowers.yaml")
    assert sorted(path.name for path in (empty / "mine").iterdir()) == ["flowers.yaml", "paint.yaml"]
    own = (empty / "mine" / "paint.yaml").read_text().replace("weight: 0.60", "weight: 0.61")
    (empty / "mine" / "paint.yaml").write_text(own)
    assert load_run_recipe("mine/flowers.yaml").reward.terms["taste"].weight == 0.61
    run("recipe", "copy", "reproduce/old-vs-new", "all")
    assert load_plan("all/reproduce/old-vs-new.yaml").measure()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("hibiscus-cpu", "taken"), "paint.yaml: is there already"),
        (("reproduce/old-vs-new", "here.yaml"), "here.yaml: .*Give a folder"),
        (("own.yaml", "."), "own.yaml: does not ship"),
        (("pain", "."), "Did you mean 'paint'"),
    ],
)
def test_a_copy_takes_no_place_of_another_file(words: tuple[str, str], told: str, empty: Path) -> None:
    (empty / "taken").mkdir()
    (empty / "taken" / "paint.yaml").write_text("mine")
    (empty / "own.yaml").write_text("reward: {}")
    with pytest.raises(salon.RecipeError, match=told):
        CliRunner().invoke(app, ["recipe", "copy", *words], catch_exceptions=False)
    assert sorted(path.name for path in empty.rglob("*")) == ["own.yaml", "paint.yaml", "taken"]
    assert (empty / "taken" / "paint.yaml").read_text() == "mine"


def test_without_any_a_path_still_works(monkeypatch: pytest.MonkeyPatch, empty: Path) -> None:
    monkeypatch.setattr(shipped_recipes, "recipes_folder", lambda: None)
    (empty / "own.yaml").write_text("reward: {}")
    assert find_recipe("own.yaml") == Path("own.yaml")
    with pytest.raises(salon.RecipeError, match="paint: there is no such file"):
        find_recipe("paint")
