"""Composition over arrays: the same numbers as over objects, its properties, and the edges of the range."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from salon.errors import StageError
from salon.rewards.advantage import Totals, advantage_arrays, group_index, with_advantages
from salon.rewards.arrays import STATUSES, Column, compose_arrays
from salon.rewards.compose import column_of, compose
from salon.rewards.estimator import Grpo
from salon.rewards.recipe import RewardRecipe, load_reward
from salon.rewards.standardize import ranked, standardized
from salon.types import Failure, Score

OUTAGE = Failure("judge_unreachable", "no route", "system", "score")
OWN = Failure("blank_canvas", "nothing is painted", "sample", "score")
NOT_ASKED = Failure("not_applicable", "not when it rains", "system", "score")


def recipe(compose: Any = "weighted_sum", **terms: dict[str, Any]) -> RewardRecipe:
    made = {name: {"scorer": "length", **term} for name, term in terms.items()}
    return load_reward({"compose": compose, "terms": made})


def codes(*names: str) -> np.ndarray:
    return group_index(names)[0]


def column(*values: float | Failure) -> list[Score]:
    return [Score(None, v) if isinstance(v, Failure) else Score(v) for v in values]


def test_ranks_by_hand() -> None:
    values, groups = np.array([0.2, 0.9, 0.4, 0.4, 7.0, 5.0, 1.0]), codes(*"aaaabbc")
    everybody = np.ones(7, dtype=bool)
    assert ranked(values, groups, everybody).tolist() == [-1, 1, 0, 0, 1, -1, 0]
    everybody[1] = False
    assert ranked(values, groups, everybody).tolist() == [-1, 0, 0.5, 0.5, 1, -1, 0]


def test_a_term_by_rank_is_blind_to_its_scale_and_the_missing() -> None:
    made = recipe(taste={"weight": 2.0, "normalize": "rank", "on_missing": "neutral"}, length={"weight": 1.0})
    for factor in (1e-3, 1.0, 1e200):
        taste = column(1 * factor, 9 * factor, 2 * factor, OUTAGE)
        scores = {"taste": taste, "length": column(0, 0, 0, 0)}
        assert [r.total for r in compose(made, ["a"] * 4, scores)] == [-2.0, 2.0, 0.0, 0.0]
    assert made.floor_at() == -6.0


def test_a_gated_axis_is_standardised_over_the_rows_where_it_applies() -> None:
    """1, 3, 2 apply (mean 2, std 1); the rows where it does not apply add 0, and theirs stays out."""
    made = recipe(compose={"standardize": "batch"}, con={"weight": 1.0}, pref={"weight": 1.0})
    scores = {
        "con": column(1, 3, NOT_ASKED, NOT_ASKED, 2),
        "pref": column(5, 5, 5, 5, 5),
    }
    rewards = compose(made, [*"aabbc"], scores)
    z = 1 / 1.0001
    assert [reward.total for reward in rewards] == pytest.approx([-z, z, 0, 0, 0])
    assert [reward.terms[0].normalized for reward in rewards][2:4] == [None, None]
    assert [reward.terms[0].weighted for reward in rewards][2:4] == [None, None]
    assert rewards[2].terms[0].status == "not_applicable"


def test_the_one_way_veto_is_exact_on_z_scores() -> None:
    """Twice z = −z, 0, z: a violation takes z to 0 and leaves −z; half a violation takes half of z."""
    made = recipe(
        compose={"standardize": "batch"},
        pref={"weight": 1.0},
        text={"role": "veto", "vetoes": "pref"},
        realism={"role": "veto", "vetoes": "pref"},
    )
    scores = {
        "pref": column(1, 2, 3, 1, 2, 3),
        "text": column(1, 1, 1, 0, NOT_ASKED, 0.5),
        "realism": column(0, 1, 0, 0, OUTAGE, 0.25),
    }
    made = made.model_copy(
        update={
            "terms": {
                **made.terms,
                "realism": made.terms["realism"].model_copy(update={"on_missing": "neutral"}),
            }
        }
    )
    z = 1 / (math.sqrt(4 / 5) + 1e-4)
    totals = [reward.total for reward in compose(made, ["a"] * 6, scores)]
    assert totals == pytest.approx([-z, 0, 0, -z, 0, z / 2])


def test_nothing_applies_or_everything_that_does_is_missing() -> None:
    made = recipe(a={"weight": 1.0}, b={"weight": 1.0, "on_missing": "renormalize"})
    scores = {"a": column(NOT_ASKED, NOT_ASKED, 0.5), "b": column(NOT_ASKED, OUTAGE, OUTAGE)}
    assert [reward.total for reward in compose(made, ["a"] * 3, scores)] == [0.0, None, 1.0]


@pytest.mark.parametrize("how", ["batch", "group", "rank"])
def test_huge_values_standardise_to_finite_numbers(how: str) -> None:
    made = recipe(compose={"standardize": how}, a={"weight": 1.0})
    huge = compose(made, ["a"] * 4, {"a": column(1e308, -1e308, 1e308, 0.0)})
    small = compose(made, ["a"] * 4, {"a": column(1e4, -1e4, 1e4, 0.0)})
    assert [r.total for r in huge] == pytest.approx([r.total for r in small], abs=1e-6)


def test_a_sum_beyond_the_range_is_a_clear_error_and_a_squash_heals_it() -> None:
    scores = {"a": column(1e308, 1.0), "b": column(1e308, 1.0)}
    with pytest.raises(StageError, match=r"reward of row 0 .*term 'a' scores 1e\+308\. Give it a squash"):
        compose(recipe(a={"weight": 1.0}, b={"weight": 1.0}), ["a"] * 2, scores)
    squash = {"squash": {"logistic": 0.001}}
    rewards = compose(recipe(a={"weight": 1.0, **squash}, b={"weight": 1.0, **squash}), ["a"] * 2, scores)
    assert rewards[0].total == 2.0


def test_neutral_is_the_average_of_huge_mates() -> None:
    made = recipe(a={"weight": 1.0, "on_missing": "neutral"}, b={"weight": 1.0})
    scores = {"a": column(1.5e308, 1.5e308, OUTAGE), "b": column(0, 0, 0)}
    assert [r.total for r in compose(made, ["a"] * 3, scores)] == pytest.approx([1.5e308] * 3)


def test_nan_is_missing_in_a_column_and_infinity_is_refused() -> None:
    found = compose_arrays(recipe(a={"weight": 2.0}), codes("a", "a"), {"a": Column.of([0.5, math.nan])})
    assert found.total_N.tolist() == [1.0, 0.0]
    assert found.has_total_N.tolist() == found.passed_N.tolist() == [True, False]
    assert [STATUSES[code] for code in found.status_KN[0]] == ["ok", "missing"]
    with pytest.raises(ValueError, match="never infinite"):
        Column.of([math.inf])


def test_no_rows_no_rewards() -> None:
    assert compose(recipe(a={"weight": 1.0}), [], {"a": []}) == []


VALUES = st.one_of(
    st.floats(-20, 20).map(Score),
    st.floats(-1e308, 1e308).map(Score),
    st.sampled_from([OUTAGE, OWN, NOT_ASKED]).map(lambda failure: Score(None, failure)),
)
GATES = st.sampled_from([Score(0.0), Score(1.0), Score(1.0), Score(None, NOT_ASKED), Score(None, OUTAGE)])
Batch = tuple[RewardRecipe, list[str], dict[str, list[Score]]]


@st.composite
def batches(draw: st.DrawFn, values: st.SearchStrategy[Score] = VALUES) -> Batch:
    policies = st.sampled_from(["neutral", "renormalize", "drop_sample", "drop_group"])
    ways = st.sampled_from(["batch", "group", "rank"])
    made = recipe(
        gate={"role": "gate", "weight": 0.1},
        a={"weight": {0: 0.5, 10: -1.0}, "on_missing": draw(policies), "normalize": draw(ways)},
        b={"weight": 0.3, "on_missing": draw(policies), "normalize": draw(ways)},
        c={"weight": 0.2, "on_missing": draw(policies), "squash": {"logistic": 4}},
        v={"role": "veto", "vetoes": "b", "on_missing": draw(policies)},
        m={"role": "monitor"},
    )
    count = draw(st.integers(1, 10))
    groups = draw(st.lists(st.sampled_from("abc"), min_size=count, max_size=count))
    scores = {
        name: draw(st.lists(values, min_size=count, max_size=count)) for name in ("a", "b", "c", "v", "m")
    }
    return made, groups, {"gate": draw(st.lists(GATES, min_size=count, max_size=count)), **scores}


@settings(max_examples=60, deadline=None)
@given(batches(), st.integers(0, 12))
def test_arrays_and_objects_say_the_same_and_all_of_it_is_finite(batch: Batch, step: int) -> None:
    made, groups, scores = batch
    rewards = with_advantages(compose(made, groups, scores, step), groups)
    groups_N = codes(*groups)
    found = compose_arrays(made, groups_N, {n: column_of(s) for n, s in scores.items()}, step)
    assert [reward.total for reward in rewards] == [
        total if there else None for total, there in zip(found.total_N, found.has_total_N, strict=True)
    ]
    totals = Totals(found.total_N, groups_N, found.has_total_N, found.passed_N)
    usable = zip(advantage_arrays(Grpo(), totals), totals.usable_N, strict=True)
    assert [reward.advantage for reward in rewards] == [value if there else None for value, there in usable]
    for row, reward in enumerate(rewards):
        numbers = [n for v in reward.terms for n in (v.normalized, v.weighted) if n is not None]
        assert all(map(math.isfinite, numbers))
        assert [STATUSES[code] for code in found.status_KN[:, row]] == [v.status for v in reward.terms]
        parts = [value.weighted for value in reward.terms if value.weighted is not None]
        assert parts == [] if reward.total is None else abs(sum(parts) - reward.total) <= 1e-9


@settings(max_examples=60, deadline=None)
@given(batches(), st.permutations(range(4)), st.sampled_from([1, 2, 4]))
def test_any_number_of_ranks_gives_the_same_rewards(batch: Batch, order: list[int], ranks: int) -> None:
    """Rows come in the order of the ranks after a gather, so a rank's share is a run of rows; whoever owns
    which rows, a row's reward and advantage are the same.
    """
    made, groups, scores = batch
    alone = with_advantages(compose(made, groups, scores), groups)
    shares = [list(share) for share in np.array_split(np.arange(len(groups)), ranks)]
    rows = [row for rank in order if rank < ranks for row in shares[rank]]
    gathered = {name: [values[row] for row in rows] for name, values in scores.items()}
    together = with_advantages(
        compose(made, [groups[row] for row in rows], gathered), [groups[row] for row in rows]
    )
    for place, row in enumerate(rows):
        assert together[place].total == pytest.approx(alone[row].total, abs=1e-9)
        assert together[place].advantage == pytest.approx(alone[row].advantage, abs=1e-9)
        assert [v.status for v in together[place].terms] == [v.status for v in alone[row].terms]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(-50, 50), min_size=2, max_size=12),
    st.sampled_from([1.0, 3.0, 1e6, 1e300]),
    st.sampled_from(["batch", "group", "rank"]),
)
def test_a_terms_scale_does_not_matter_under_standardisation(
    values: list[float], factor: float, how: str
) -> None:
    """Exactly for ranks; for z-scores up to epsilon's share of the std."""
    made = recipe(compose={"standardize": how}, a={"weight": 1.0}, b={"weight": 0.5})
    groups = ["x" if index % 2 else "y" for index in range(len(values))]
    other = column(*(index * 0.37 % 1 for index in range(len(values))))
    plain, scaled = (
        [r.total for r in compose(made, groups, {"a": column(*(v * k for v in values)), "b": other})]
        for k in (1.0, factor)
    )
    groups_N = codes(*groups) if how == "group" else np.zeros(len(values), dtype=np.int64)
    stds = [
        np.std(np.array(values)[groups_N == g], ddof=1) for g in set(groups_N) if (groups_N == g).sum() > 1
    ]
    tolerance = 1e-12 if how == "rank" else 5 * max(1e-4 / (std + 1e-4) for std in stds) if stds else 1e-12
    gaps = np.diff(np.sort(values))
    if how == "rank" and bool(((gaps > 0) & (gaps < 1e-6)).any()):
        return  # at this scale ties are told from rounding against 1
    assert scaled == pytest.approx(plain, abs=tolerance)


@settings(max_examples=60, deadline=None)
@given(batches(), st.integers(0, 9))
def test_a_veto_never_raises_a_reward_and_moves_nobody_else(batch: Batch, index: int) -> None:
    made, groups, scores = batch
    row = index % len(groups)
    clean, vetoed = (
        compose(made, groups, {**scores, "v": [*scores["v"][:row], Score(v), *scores["v"][row + 1 :]]})
        for v in (0.0, 1.0)
    )
    for place, (without, with_veto) in enumerate(zip(clean, vetoed, strict=True)):
        if place != row:
            assert without == with_veto
        elif without.total is not None:
            assert with_veto.total is not None
            assert with_veto.total <= without.total + 1e-12
        else:
            assert with_veto.total is None


@settings(max_examples=60, deadline=None)
@given(batches(), st.sampled_from("abc"), st.sampled_from(["missing", "gated", "not applicable"]))
def test_a_row_without_a_value_never_moves_the_others(batch: Batch, group: str, why: str) -> None:
    made, groups, scores = batch
    dropping = {
        name: term.model_copy(update={"on_missing": "drop_sample"}) if term.role != "gate" else term
        for name, term in made.terms.items()
    }
    made = made.model_copy(update={"terms": dropping})
    failure = {"missing": OUTAGE, "gated": OWN, "not applicable": NOT_ASKED}[why]
    gate = Score(0.0) if why == "gated" else Score(None, failure)
    more = {name: [*values, Score(None, failure)] for name, values in scores.items()}
    more["gate"] = [*scores["gate"], gate]
    before, after = compose(made, groups, scores), compose(made, [*groups, group], more)
    assert [r.total for r in after[:-1]] == pytest.approx([r.total for r in before], abs=1e-12)
    if why == "gated":
        assert after[-1].gated
        assert after[-1].total == pytest.approx(made.floor_at())


def test_standardising_ignores_rows_that_are_not_counted_even_huge_ones() -> None:
    rows = np.array([True, True, False])
    found = standardized(np.array([1.0, 3.0, 1e308]), np.zeros(3, dtype=np.int64), rows)
    assert found.tolist() == pytest.approx([-1 / (2**0.5 + 1e-4), 1 / (2**0.5 + 1e-4), 0])
