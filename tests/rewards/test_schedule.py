"""Weights that change with the policy's step: the line, its ends, and everything that reads a weight."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salon.errors import RecipeError
from salon.rewards.compose import compose
from salon.rewards.metrics import reward_metrics
from salon.rewards.recipe import RewardRecipe, load_reward
from salon.rewards.schedule import weight_at
from salon.types import Failure, Score

OUTAGE = Failure("judge_unreachable", "no route", "system", "score")


def recipe(weight: Any, **keys: Any) -> RewardRecipe:
    terms = {"a": {"scorer": "length", "weight": 1.0}, "b": {"scorer": "length", "weight": weight}}
    return load_reward({"terms": terms, **keys})


@pytest.mark.parametrize(
    ("step", "weight"),
    [(0, 0.0), (10, 0.0), (12, 0.12), (15, 0.3), (20, 0.6), (30, 0.3), (40, 0.0), (99, 0.0)],
)
def test_lines_between_the_written_steps_and_their_ends_beyond(step: int, weight: float) -> None:
    assert weight_at({40: 0.0, 10: 0.0, 20: 0.6}, step) == pytest.approx(weight)


def test_a_single_step_is_a_constant_and_a_number_is_one() -> None:
    assert [weight_at({7: 0.2}, step) for step in (0, 7, 9)] == [0.2] * 3
    assert weight_at(0.4, 1000) == 0.4


@given(
    st.dictionaries(st.integers(0, 99), st.floats(-1e308, 1e308), min_size=1, max_size=5), st.integers(0, 120)
)
def test_it_never_leaves_the_range_of_what_is_written(knots: dict[int, float], step: int) -> None:
    low, high = min(knots.values()), max(knots.values())
    slack = 1e-12 * max(abs(low), abs(high))
    assert low - slack <= weight_at(knots, step) <= high + slack


def test_the_step_decides_the_reward() -> None:
    scores = {"a": [Score(0.5)], "b": [Score(1.0)]}
    made = recipe({0: 0.0, 20: 0.4})
    assert [compose(made, ["g"], scores, step)[0].total for step in (0, 10, 20, 50)] == pytest.approx(
        [0.5, 0.7, 0.9, 0.9]
    )


def test_the_floor_follows_the_standardised_weights() -> None:
    made = recipe({0: 0.0, 20: 0.4}, compose={"standardize": "batch"})
    assert [made.floor_at(step) for step in (0, 10, 20)] == pytest.approx([-3.0, -3.6, -4.2])
    assert made.knots() == [0, 20]
    assert recipe(0.3).knots() == [0]


def test_a_term_that_weighs_nothing_now_takes_no_reward_away() -> None:
    scores = {"a": [Score(0.5), Score(0.1)], "b": [Score(None, OUTAGE), Score(0.3)]}
    made = recipe({10: 0.0, 20: 0.4})
    early, late = (compose(made, ["g", "g"], scores, step) for step in (5, 20))
    assert [reward.total for reward in early] == pytest.approx([0.5, 0.1])
    assert early[0].terms[1].status == "missing"
    assert late[0].total is None
    metrics = reward_metrics(made, ["g", "g"], early, step=5)
    assert metrics["terms/b/share"] == metrics["terms/b/weight"] == 0.0
    assert reward_metrics(made, ["g", "g"], late, step=15)["terms/b/weight"] == pytest.approx(0.2)
    assert "terms/a/weight" not in metrics


def test_a_recipe_survives_its_record() -> None:
    made = recipe({100: 1.0, 0: 0.0, 20: 0.5})
    again = load_reward(json.loads(json.dumps(made.model_dump(mode="json"))))
    assert again == made
    assert again.digest == made.digest != recipe({0: 0.0, 20: 0.5}).digest


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ({}, r"terms\.b\.weight: .*at least 1"),
        ({-1: 0.5}, r"terms\.b\.weight\.-1: .*greater than or equal to 0"),
        ({"late": 0.5}, r"terms\.b\.weight\.late: .*integer"),
        ({0: float("inf")}, r"terms\.b\.weight\.0: .*finite"),
    ],
)
def test_a_schedule_is_checked(weight: Any, message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        recipe(weight)


def test_roles_read_every_value_of_a_schedule() -> None:
    gate = {"scorer": "rendered", "role": "gate", "weight": {0: 0.1, 9: -0.1}}
    with pytest.raises(RecipeError, match="not negative"):
        load_reward({"terms": {"g": gate}})
    monitor = {"scorer": "rendered", "role": "monitor", "weight": {0: 0.0, 9: 0.1}}
    with pytest.raises(RecipeError, match="remove its `weight`"):
        load_reward({"terms": {"a": {"scorer": "length", "weight": 1.0}, "m": monitor}})
    with pytest.raises(RecipeError, match="no term has a weight"):
        load_reward({"terms": {"a": {"scorer": "length", "weight": {0: 0.0, 5: 0.0}}}})
