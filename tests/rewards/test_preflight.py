"""The start-up check: names the term that cannot score, the gate that refuses, the sign that is wrong."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from painted import paint, picture_of
from salon.errors import RecipeError
from salon.judges.fake import FakeJudge
from salon.pool import Pool
from salon.rewards.engine import RewardEngine
from salon.rewards.preflight import startup
from salon.rewards.preflight.checks import inspect_reward, preflight, sample_of, summary
from salon.rewards.preflight.startup import check_reward
from salon.rewards.recipe import load_reward
from salon.types import Prompt, Sample

ROSE = Prompt("rose", "draw a rose", subject="rose")


@pytest.fixture(scope="module")
def good(painted_pool_folder: Path) -> Sample:
    references = Pool.load(painted_pool_folder).select(tiers=("love",))
    return sample_of(references[3].reference, ROSE)


BLANK = Sample("blank", ROSE, "", source="", picture=picture_of(Image.new("RGB", (80, 80), "white")))
GREY = Sample("grey", ROSE, "", source="", picture=picture_of(paint("nope", 2).convert("L").convert("RGB")))


def engine(folder: Path, judge: dict[str, Any] | None = None, **terms: dict[str, Any]) -> RewardEngine:
    made: dict[str, dict[str, Any]] = {
        "gate": {"scorer": "rendered", "role": "gate", "weight": 0.1},
        "taste": {"scorer": "pairwise", "weight": 0.9, "judge": "eye", "args": {"pool": str(folder)}},
    }
    made = {name: {**made.get(name, {}), **terms.get(name, {})} for name in made | terms}
    return RewardEngine(load_reward({"terms": made, "judges": {"eye": {"kind": "fake", **(judge or {})}}}))


@pytest.mark.parametrize("bad", [BLANK, GREY])
def test_a_working_reward_passes_and_shows_its_numbers(
    painted_pool_folder: Path, good: Sample, bad: Sample
) -> None:
    found = preflight(engine(painted_pool_folder), good, bad)
    assert found.good.total is not None
    assert found.bad.total is not None
    assert found.good.total > found.bad.total
    assert summary(found)[0].startswith("gate: good 1.000")


def test_a_judge_that_is_down_is_named(painted_pool_folder: Path, good: Sample) -> None:
    down = engine(painted_pool_folder, judge={"fail_every": 1})
    with pytest.raises(RecipeError, match=r"reward\.terms\.taste: .*judge_unreachable.*reward\.judges\.eye"):
        preflight(down, good, BLANK)


def test_a_gate_that_refuses_everything_is_named(painted_pool_folder: Path, good: Sample) -> None:
    strict = engine(
        painted_pool_folder, gate={"scorer": "length", "args": {"max_tokens": 9, "min_tokens": 5}}
    )
    with pytest.raises(RecipeError, match=r"reward\.terms\.gate: this gate refuses.*fewer than 5"):
        preflight(strict, good, BLANK)


def test_the_term_with_the_wrong_sign_is_named(painted_pool_folder: Path, good: Sample) -> None:
    upside_down = engine(painted_pool_folder, taste={"weight": -0.9})
    with pytest.raises(RecipeError, match=r"known-bad picture gets .* leads by taste \(\+"):
        preflight(upside_down, good, GREY)


def test_the_good_one_must_win_at_every_step_of_a_schedule(painted_pool_folder: Path, good: Sample) -> None:
    rises = engine(painted_pool_folder, taste={"weight": {0: 0.1, 50: 0.9}})
    total = preflight(rises, good, BLANK).good.total
    assert total is not None
    assert total > 0.2  # the most that the weights of step 0 could give
    turns = engine(painted_pool_folder, taste={"weight": {0: 0.9, 50: -0.9}})
    with pytest.raises(RecipeError, match="with the weights of step 50: the known-bad picture gets") as told:
        preflight(turns, good, GREY)
    assert "step 0" not in str(told.value)
    waits = engine(painted_pool_folder, judge={"fail_every": 1}, taste={"weight": {0: 0.0, 50: 0.9}})
    with pytest.raises(RecipeError, match="judge_unreachable"):
        preflight(waits, good, BLANK)


def test_a_missing_monitor_and_a_term_that_does_not_apply_are_no_fault(
    painted_pool_folder: Path, good: Sample
) -> None:
    watched = engine(
        painted_pool_folder,
        watch={
            "scorer": "pairwise",
            "role": "monitor",
            "judge": "eye",
            "args": {"pool": str(painted_pool_folder)},
        },
        colour={"scorer": "palette", "weight": 0.1},
    )
    assert inspect_reward(watched, good, BLANK).problems == ()


def test_the_recipes_own_pool_gives_the_pair(painted_pool_folder: Path) -> None:
    found = check_reward(engine(painted_pool_folder))
    assert found is not None
    assert found.good.total is not None
    assert found.bad.total == 0.0
    with pytest.raises(RecipeError, match="judge_unreachable"):
        check_reward(engine(painted_pool_folder, judge={"fail_every": 1}))


def test_without_a_pool_nothing_is_known_to_be_good() -> None:
    recipe = load_reward({"terms": {"gate": {"scorer": "rendered", "role": "gate", "weight": 1}}})
    assert check_reward(RewardEngine(recipe)) is None


def test_the_painters_reward_passes_on_the_built_in_pool() -> None:
    recipe = load_reward(Path(__file__).resolve().parents[2] / "recipes/paint.yaml")
    found = check_reward(RewardEngine(recipe, judges={"taste": FakeJudge()}))
    assert found is not None
    assert found.good.total is not None
    assert found.good.total > 0.3
    assert [value.status for value in found.good.terms] == ["ok"] * 4


def test_without_a_pool_the_judges_are_still_put_to_the_test(
    painted_pool_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(startup, "FALLBACK_POOL", str(painted_pool_folder))
    recipe = load_reward(
        {
            "terms": {"result": {"scorer": "round_robin", "judge": "eye", "weight": 1.0}},
            "judges": {"eye": {"kind": "fake"}},
        }
    )
    assert check_reward(RewardEngine(recipe)) is None
    with pytest.raises(RecipeError, match="eye: it always says the same"):
        check_reward(RewardEngine(recipe, judges={"eye": FakeJudge(always="a")}))
