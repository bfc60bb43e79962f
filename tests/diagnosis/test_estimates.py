"""Estimates against numbers worked by hand, and intervals that hold what they promise."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from salon.diagnosis.estimates import (
    bonferroni_z,
    bootstrap,
    correlated,
    excludes,
    ranked,
    ratio,
    spread_by,
    t_for,
    trend,
    wilson,
)
from salon.diagnosis.finding import Number
from salon.diagnosis.table import centred


def test_quantiles() -> None:
    assert bonferroni_z(1) == pytest.approx(1.95996, abs=1e-4)
    assert bonferroni_z(5) == pytest.approx(2.57583, abs=1e-4)
    # Printed tables of Student's t.
    assert t_for(10) == pytest.approx(2.228, abs=0.002)
    assert t_for(4) == pytest.approx(2.776, abs=0.02)


def test_wilson_by_hand() -> None:
    number = wilson(8, 10)
    assert (number.low, number.high) == (pytest.approx(0.4902, abs=1e-4), pytest.approx(0.9433, abs=1e-4))
    nothing = wilson(0, 10)
    assert nothing.low == 0
    assert nothing.high == pytest.approx(0.2775, abs=1e-4)


def test_centred_by_hand() -> None:
    values = np.array([1.0, 3.0, np.nan, 5.0])
    shown = centred(values, np.array([0, 0, 0, 1]), 2)
    np.testing.assert_array_equal(shown, [-1, 1, np.nan, 0])


def test_ranks_by_hand() -> None:
    np.testing.assert_array_equal(ranked(np.array([10, 20, 20, np.nan])), [1, 2.5, 2.5, np.nan])
    inside = ranked(np.array([5.0, 1, 9, 2, 2]), np.array([1, 0, 1, 0, 0]))
    np.testing.assert_array_equal(inside, [1, 1, 2, 2.5, 2.5])


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=30), st.integers(1, 4))
def test_ranks_are_a_permutation_with_ties_averaged(values: list[int], groups: int) -> None:
    group_N = np.arange(len(values)) % groups
    rank_N = ranked(np.array(values, float), group_N)
    for group in range(min(groups, len(values))):
        size = int((group_N == group).sum())
        assert rank_N[group_N == group].sum() == pytest.approx(size * (size + 1) / 2)


def test_correlations_agree_with_numpy_and_leave_out_missing_pairs() -> None:
    rng = np.random.default_rng(0)
    values_NK = rng.normal(size=(200, 3)) @ np.array([[1, 0.5, 0], [0, 1, 0.2], [0, 0, 1]])
    found = correlated(values_NK + 1e6, np.arange(200))
    np.testing.assert_allclose(found.value_KK, np.corrcoef(values_NK.T), atol=1e-6)
    values_NK[:50, 0] = np.nan
    found = correlated(values_NK, np.arange(200))
    assert found.value_KK[0, 1] == pytest.approx(np.corrcoef(values_NK[50:, :2].T)[0, 1])
    assert (found.low_KK <= found.value_KK + 1e-9).all()


def test_a_constant_column_correlates_with_nothing() -> None:
    values_NK = np.column_stack([np.full(40, 0.1), np.arange(40.0)])
    assert correlated(values_NK, np.arange(40)).value_KK[0, 1] == 0


@pytest.mark.parametrize("size", [1, 8])
def test_the_interval_of_a_correlation_covers_it(size: int) -> None:
    """True ρ .5; rows of a group share half of their noise: drawn singly they would give too narrow a one."""
    hits = 0
    for seed in range(120):
        rng = np.random.default_rng(seed)
        shared_G2 = rng.normal(size=(240 // size, 2)) @ np.array([[1, 0.5], [0, np.sqrt(0.75)]])
        own_N2 = rng.normal(size=(240, 2)) @ np.array([[1, 0.5], [0, np.sqrt(0.75)]])
        group_N = np.repeat(np.arange(240 // size), size)
        found = correlated(shared_G2[group_N] + own_N2, group_N)
        hits += bool(found.low_KK[0, 1] <= 0.5 <= found.high_KK[0, 1])
    assert 0.89 <= hits / 120 <= 1.0


def test_a_ratio_is_the_mean_with_the_textbook_interval() -> None:
    values_N = np.random.default_rng(0).normal(3, 2, 900)
    number = ratio(values_N, np.ones(900), np.arange(900))
    assert number.value == pytest.approx(values_N.mean())
    assert number.low is not None
    assert number.value - number.low == pytest.approx(1.96 * values_N.std() / 30, rel=0.1)


def test_one_block_has_no_interval() -> None:
    assert bootstrap(np.array([[2.0]]), lambda sums: sums[:, 0]).low is None


def test_excludes_widens_the_interval() -> None:
    number = Number(0.5, 0.4, 0.6)
    assert excludes(number, 0.35, 1.96, above=True)
    assert not excludes(number, 0.35, 3.5, above=True)
    assert excludes(number, 0.65, 1.96, above=False)


def test_a_trend_by_hand() -> None:
    step_N = np.repeat(np.arange(12), 5)
    found = trend(2.0 + 0.5 * step_N, step_N)
    assert found is not None
    assert found.change == pytest.approx(5.5)
    assert found.error == pytest.approx(0, abs=1e-9)
    assert trend(np.ones(10), np.repeat(np.arange(5), 2)) is None


def test_no_trend_is_seldom_found_even_where_neighbouring_steps_are_alike() -> None:
    found = 0
    for seed in range(200):
        noise_T = np.random.default_rng(seed).normal(size=66)
        alike_T = noise_T[:-2] + noise_T[1:-1] + noise_T[2:]
        each = trend(alike_T, np.arange(64))
        assert each is not None
        number = each.number()
        assert number.low is not None
        assert number.high is not None
        found += number.low > 0 or number.high < 0
    assert found / 200 <= 0.11


def test_a_pooled_spread_by_hand() -> None:
    # Two groups of one step: squares 2 and 8 over 2 degrees of freedom.
    centred_N = np.array([-1.0, 1.0, -2.0, 2.0])
    spread = spread_by(np.zeros(4, int), centred_N, np.array([0, 0, 1, 1]), 2)
    assert spread[0] == pytest.approx(np.sqrt(5))
    assert np.isnan(spread[1])


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("blocks", [4, 40])
def test_many_columns_are_correlated_as_two_are(missing: float, blocks: int) -> None:
    """Columns are taken by tiles: every pair has what it has alone, and what numpy says."""
    rng = np.random.default_rng(5)
    values_NK = rng.normal(size=(400, 150)) + rng.normal(size=(400, 1))
    values_NK[rng.random(values_NK.shape) < missing] = np.nan
    values_NK[:, 7] = 1.0
    block_N = np.sort(rng.integers(0, blocks, 400))
    found = correlated(values_NK, block_N)
    for i, j in ((0, 1), (3, 149), (64, 63), (130, 130), (7, 90), (149, 64)):
        alone = correlated(values_NK[:, [i, j]], block_N)
        for many, two in zip(
            (found.value_KK, found.low_KK, found.high_KK, found.error_KK),
            (alone.value_KK, alone.low_KK, alone.high_KK, alone.error_KK),
            strict=True,
        ):
            assert many[i, j] == pytest.approx(two[0, 1], abs=1e-12)
            assert many[i, j] == many[j, i]
        both = ~np.isnan(values_NK[:, i] + values_NK[:, j])
        told = 0.0 if 7 in (i, j) else np.corrcoef(values_NK[both, i], values_NK[both, j])[0, 1]
        assert found.value_KK[i, j] == pytest.approx(told, abs=1e-9)


def test_many_columns_take_little_memory() -> None:
    """All sums of all blocks and all draws at once took 1.6 GB for these, and most of the time."""
    values_NK = np.random.default_rng(5).normal(size=(1200, 300))
    tracemalloc.start()
    try:
        correlated(values_NK, np.arange(1200) // 6)
        assert tracemalloc.get_traced_memory()[1] < 200e6
    finally:
        tracemalloc.stop()
