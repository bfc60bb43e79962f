"""Composition against numbers worked by hand, and the properties that hold for every input."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from salon.errors import StageError
from salon.rewards.compose import compose
from salon.rewards.recipe import RewardRecipe, load_reward
from salon.types import Failure, Reward, Score

OUTAGE = Failure(code="judge_unreachable", message="no route", fault="system", stage="score")
OWN = Failure(code="blank_canvas", message="nothing is painted", fault="sample", stage="score")
NOT_ASKED = Failure(code="not_applicable", message="no colour is asked for", fault="system", stage="score")


def recipe(
    compose: Any = "weighted_sum", floor: float | None = None, **terms: dict[str, Any]
) -> RewardRecipe:
    return load_reward(
        {
            "compose": compose,
            "floor": floor,
            "terms": {name: {"scorer": "length", **term} for name, term in terms.items()},
        }
    )


def column(*values: float | Failure) -> list[Score]:
    return [
        Score(value=None, failure=v) if isinstance(v, Failure) else Score(value=v, reason="r") for v in values
    ]


def totals(rewards: list[Reward]) -> list[float | None]:
    return [reward.total for reward in rewards]


def term(reward: Reward, name: str) -> Any:
    return next(value for value in reward.terms if value.term == name)


GATE = {"role": "gate", "weight": 0.05}


def test_a_weighted_sum() -> None:
    rewards = compose(
        recipe(gate=GATE, taste={"weight": 0.6}, colour={"weight": 0.35}),
        ["a", "a"],
        {"gate": column(1, 1), "taste": column(0.5, 1.0), "colour": column(0.2, 0.4)},
    )
    assert totals(rewards) == pytest.approx([0.05 + 0.30 + 0.07, 0.05 + 0.60 + 0.14])
    assert term(rewards[0], "taste").weighted == pytest.approx(0.30)
    assert term(rewards[0], "taste").status == "ok"


def test_a_failed_gate_is_the_floor_and_the_rest_adds_nothing() -> None:
    asked = recipe(gate=GATE, taste={"weight": 0.95})
    rewards = compose(asked, ["a", "a"], {"gate": column(0, 1), "taste": column(OWN, 0.5)})
    assert rewards[0].total == 0.0
    assert term(rewards[0], "gate").raw == 0.0
    assert term(rewards[0], "taste").status == "gated"
    assert term(rewards[0], "taste").weighted == 0.0


def test_the_declared_floor_is_carried_by_the_gate() -> None:
    asked = recipe(floor=-1.0, gate=GATE, taste={"weight": 0.95})
    rewards = compose(asked, ["a"], {"gate": column(0), "taste": column(OWN)})
    assert rewards[0].total == -1.0
    assert term(rewards[0], "gate").weighted == -1.0


def test_a_samples_own_fault_behind_no_gate_is_the_floor_too() -> None:
    rewards = compose(recipe(taste={"weight": 1.0}), ["a", "a"], {"taste": column(OWN, 0.2)})
    assert totals(rewards) == [0.0, pytest.approx(0.2)]
    assert term(rewards[0], "taste").status == "gated"


def test_a_missing_gate_is_no_reward_rather_than_a_zero() -> None:
    asked = recipe(gate=GATE, taste={"weight": 0.95})
    rewards = compose(asked, ["a", "a"], {"gate": column(OUTAGE, 1), "taste": column(OUTAGE, 0.5)})
    assert rewards[0].total is None
    assert term(rewards[0], "gate").status == "missing"
    assert term(rewards[0], "taste").weighted is None


@pytest.mark.parametrize(
    ("on_missing", "expected"),
    [
        # gate .05 × 1 + colour .35 × .4 = .19; neutral adds .60 × the group mate's .8
        ("neutral", 0.19 + 0.48),
        # the same .19 over the weights that are there, .40 of 1
        ("renormalize", 0.19 / 0.40),
        ("drop_sample", None),
        ("drop_group", None),
    ],
)
def test_each_policy_for_a_missing_term(on_missing: str, expected: float | None) -> None:
    asked = recipe(gate=GATE, colour={"weight": 0.35}, taste={"weight": 0.6, "on_missing": on_missing})
    rewards = compose(
        asked,
        ["a", "a", "b"],
        {"gate": column(1, 1, 1), "colour": column(0.4, 0.2, 0.2), "taste": column(OUTAGE, 0.8, 0.5)},
    )
    assert rewards[0].total == (expected if expected is None else pytest.approx(expected))
    assert term(rewards[0], "taste").status == "missing"
    assert rewards[2].total == pytest.approx(0.05 + 0.07 + 0.30)
    mate = None if on_missing == "drop_group" else pytest.approx(0.05 + 0.07 + 0.48)
    assert rewards[1].total == mate


def test_raise_stops_with_the_term_and_the_cause() -> None:
    asked = recipe(taste={"weight": 1.0, "on_missing": "raise"})
    with pytest.raises(StageError, match=r"'taste' is missing for 1 of 2.*no route"):
        compose(asked, ["a", "a"], {"taste": column(OUTAGE, 1)})


def test_a_gated_row_is_not_dropped_for_a_term_it_never_reached() -> None:
    asked = recipe(gate=GATE, taste={"weight": 0.95, "on_missing": "raise"})
    rewards = compose(asked, ["a", "a"], {"gate": column(0, 1), "taste": column(OUTAGE, 0.5)})
    assert rewards[0].total == 0.0


@pytest.mark.parametrize("on_missing", ["neutral", "renormalize"])
def test_with_every_reward_missing_there_is_no_total(on_missing: str) -> None:
    asked = recipe(gate=GATE, taste={"weight": 0.95, "on_missing": on_missing})
    assert totals(compose(asked, ["a"], {"gate": column(1), "taste": column(OUTAGE)})) == [None]


def test_a_monitor_is_recorded_and_adds_nothing_even_when_missing() -> None:
    asked = recipe(taste={"weight": 1.0}, held_out={"role": "monitor"})
    rewards = compose(asked, ["a", "a"], {"taste": column(0.5, 0.5), "held_out": column(9.0, OUTAGE)})
    assert totals(rewards) == [0.5, 0.5]
    assert (term(rewards[0], "held_out").raw, term(rewards[0], "held_out").weighted) == (9.0, None)


def test_a_term_that_does_not_apply_adds_nothing_and_drops_nobody() -> None:
    asked = recipe(taste={"weight": 0.6}, colour={"weight": 0.4})
    rewards = compose(asked, ["a"], {"taste": column(0.5), "colour": column(NOT_ASKED)})
    assert totals(rewards) == [pytest.approx(0.3)]
    assert term(rewards[0], "colour").status == "not_applicable"


def test_squash_bends_before_the_weight() -> None:
    asked = recipe(hps={"weight": 0.3, "squash": {"logistic": 4}})
    rewards = compose(asked, ["a"], {"hps": column(3.5)})
    assert term(rewards[0], "hps").normalized == pytest.approx(1 / (1 + math.exp(-3.5 / 4)))
    assert term(rewards[0], "hps").raw == 3.5


def test_standardised_over_rows_that_count_only() -> None:
    # 1, 3, 2 have mean 2 and std 1; the gated and the missing row stay out.
    asked = recipe(compose={"standardize": "group"}, gate=GATE, taste={"weight": 1.0})
    rewards = compose(
        asked,
        ["a"] * 5,
        {"gate": column(1, 1, 1, 0, 1), "taste": column(1, 3, 2, OWN, OUTAGE)},
    )
    z = 1 / 1.0001
    assert [term(r, "taste").normalized for r in rewards] == [
        pytest.approx(-z),
        pytest.approx(z),
        pytest.approx(0),
        None,
        None,
    ]
    assert rewards[3].total == pytest.approx(-3.0)
    assert rewards[4].total is None


def test_batch_statistics_span_groups_and_group_statistics_do_not() -> None:
    scores = {"taste": column(1, 3, 11, 13)}
    groups = ["a", "a", "b", "b"]
    by_group = compose(recipe(compose={"standardize": "group"}, taste={"weight": 1.0}), groups, scores)
    by_batch = compose(recipe(compose={"standardize": "batch"}, taste={"weight": 1.0}), groups, scores)
    assert totals(by_group)[0] == pytest.approx(totals(by_group)[2])
    assert totals(by_batch) == sorted(totals(by_batch))  # type: ignore[type-var]
    assert totals(by_batch)[0] == pytest.approx((1 - 7) / (math.sqrt(104 / 3) + 1e-4))


def test_a_veto_takes_positive_preference_and_gives_nothing() -> None:
    asked = recipe(taste={"weight": 1.0}, drift={"role": "veto", "vetoes": "taste"})
    rewards = compose(asked, ["a"] * 4, {"taste": column(2, -2, 2, -2), "drift": column(1, 1, 0, 0)})
    assert totals(rewards) == [0, -2, 2, -2]
    assert term(rewards[0], "drift").weighted is None


@pytest.mark.parametrize("scores", [{}, {"taste": column(1.0)}])
def test_scores_must_cover_every_term_and_row(scores: dict[str, list[Score]]) -> None:
    with pytest.raises(ValueError, match="'taste' has"):
        compose(recipe(taste={"weight": 1.0}), ["a", "a"], scores)


VALUES = st.one_of(
    st.floats(-20, 20).map(lambda v: Score(value=v)),
    st.sampled_from([OUTAGE, OWN, NOT_ASKED]).map(lambda f: Score(value=None, failure=f)),
)
GATES = st.one_of(
    st.sampled_from([0.0, 1.0]).map(lambda v: Score(value=v)), VALUES.filter(lambda s: s.failure)
)


@st.composite
def batches(draw: st.DrawFn) -> tuple[RewardRecipe, list[str], dict[str, list[Score]]]:
    policies = st.sampled_from(["neutral", "renormalize", "drop_sample", "drop_group"])
    ways = st.sampled_from(["none", "batch", "group"])
    asked = recipe(
        floor=-50.0,
        gate={**GATE, "on_missing": draw(st.sampled_from(["drop_sample", "drop_group"]))},
        taste={"weight": 0.6, "on_missing": draw(policies), "normalize": draw(ways)},
        colour={"weight": 0.3, "on_missing": draw(policies), "normalize": draw(ways)},
        drift={"role": "veto", "vetoes": "taste", "on_missing": draw(policies)},
    )
    count = draw(st.integers(1, 9))
    groups = draw(st.lists(st.sampled_from("abc"), min_size=count, max_size=count))
    rows = {
        name: draw(st.lists(VALUES, min_size=count, max_size=count)) for name in ("taste", "colour", "drift")
    }
    return asked, groups, {"gate": draw(st.lists(GATES, min_size=count, max_size=count)), **rows}


@settings(max_examples=60, deadline=None)
@given(batches())
def test_what_is_logged_is_what_is_summed_and_it_is_finite(
    batch: tuple[RewardRecipe, list[str], dict[str, list[Score]]],
) -> None:
    for reward in compose(*batch):
        parts = [value.weighted for value in reward.terms if value.weighted is not None]
        if reward.total is None:
            assert parts == []
        else:
            assert math.isfinite(reward.total)
            assert abs(sum(parts) - reward.total) <= 1e-9


@settings(max_examples=60, deadline=None)
@given(batches(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(
    batch: tuple[RewardRecipe, list[str], dict[str, list[Score]]], random: Any
) -> None:
    asked, groups, scores = batch
    order = list(range(len(groups)))
    random.shuffle(order)
    shuffled = compose(
        asked, [groups[i] for i in order], {n: [c[i] for i in order] for n, c in scores.items()}
    )
    straight = compose(asked, groups, scores)
    for new, old in enumerate(order):
        assert shuffled[new].total == pytest.approx(straight[old].total, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(batches(), st.sampled_from("abc"))
def test_a_row_without_any_answer_never_moves_the_others(
    batch: tuple[RewardRecipe, list[str], dict[str, list[Score]]], group: str
) -> None:
    asked, groups, scores = batch
    dropping = {name: t.model_copy(update={"on_missing": "drop_sample"}) for name, t in asked.terms.items()}
    asked = asked.model_copy(update={"terms": dropping})
    before = compose(asked, groups, scores)
    more = {name: [*rows, Score(value=None, failure=OUTAGE)] for name, rows in scores.items()}
    after = compose(asked, [*groups, group], more)
    assert after[-1].total is None
    assert totals(after[:-1]) == pytest.approx(totals(before), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(batches(), st.integers(0, 8))
def test_a_veto_never_raises_a_reward(
    batch: tuple[RewardRecipe, list[str], dict[str, list[Score]]], index: int
) -> None:
    asked, groups, scores = batch
    row = index % len(groups)
    clean = {**scores, "drift": [*scores["drift"]]}
    clean["drift"][row] = Score(value=0.0)
    vetoed = {**clean, "drift": [*clean["drift"]]}
    vetoed["drift"][row] = Score(value=1.0)
    without, with_veto = compose(asked, groups, clean)[row].total, compose(asked, groups, vetoed)[row].total
    assert (without is None) == (with_veto is None)
    if without is not None and with_veto is not None:
        assert with_veto <= without + 1e-12
