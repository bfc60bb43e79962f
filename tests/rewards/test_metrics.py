"""A step's numbers, from rewards worked by hand."""

import pytest

from salon.llm.usage import Usage
from salon.rewards.compose import compose
from salon.rewards.metrics import reward_metrics, usage_metrics
from salon.rewards.recipe import load_reward
from salon.types import Failure, Score

OUTAGE = Failure("judge_unreachable", "no route", "system", "score")
RECIPE = load_reward(
    {"terms": {"a": {"scorer": "length", "weight": 1.0}, "b": {"scorer": "length", "weight": 0.5}}}
)


def test_means_counts_and_the_effective_share_of_each_term() -> None:
    scores = {
        "a": [Score(0.0), Score(1.0), Score(0.5), Score(0.5), Score(None, OUTAGE)],
        "b": [
            Score(0.4),
            Score(0.8),
            Score(0.2, details={"flips": 1}),
            Score(0.2, details={"flips": 2}),
            Score(1.0),
        ],
    }
    groups = ["x", "x", "y", "y", "z"]
    metrics = reward_metrics(RECIPE, groups, compose(RECIPE, groups, scores), scores)
    # totals .2, 1.4, .6, .6 and none
    assert metrics["reward/mean"] == pytest.approx(0.7)
    assert metrics["reward/missing"] == pytest.approx(1 / 5)
    assert metrics["groups/dead"] == pytest.approx(1 / 3)
    assert metrics["groups/dropped"] == pytest.approx(1 / 3)
    assert metrics["terms/a/missing"] == pytest.approx(1 / 5)
    # a moves by .5 in two of four rows, b by .5 × .2: mean .25 and .05
    assert metrics["terms/a/spread"] == pytest.approx(0.25)
    assert metrics["terms/a/share"] == pytest.approx(0.25 / 0.30)
    assert metrics["terms/b/raw"] == pytest.approx(0.52)
    assert metrics["terms/b/details/flips"] == 1.5


def test_nothing_scored_is_told_without_a_mean() -> None:
    scores = {"a": [Score(None, OUTAGE)], "b": [Score(None, OUTAGE)]}
    metrics = reward_metrics(RECIPE, ["x"], compose(RECIPE, ["x"], scores))
    assert "reward/mean" not in metrics
    assert metrics["reward/missing"] == 1.0
    assert reward_metrics(RECIPE, [], []) == {}


def test_what_judges_cost_is_summed_over_processes_and_terms() -> None:
    bills = [{"a": Usage(questions=2, calls=3, usd=0.5)}, {"a": Usage(calls=1), "b": Usage(tokens_in=10)}]
    metrics = usage_metrics(bills)
    assert (metrics["terms/a/judge/calls"], metrics["terms/a/judge/questions"]) == (4, 2)
    assert (metrics["terms/b/judge/tokens_in"], metrics["judge/calls"], metrics["judge/usd"]) == (10, 4, 0.5)
    assert usage_metrics([{}, {}]) == {}
