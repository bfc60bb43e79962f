"""GRPO's advantages against numbers worked by hand, and their properties."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from salon.rewards.advantage import Scale, grpo, with_advantages
from salon.types import Reward

SCALES: list[Scale] = ["none", "group", "batch"]


def test_without_a_scale_it_is_the_distance_from_the_groups_mean() -> None:
    assert grpo([1, 3, 2, None], ["a"] * 4) == [-1, 1, 0, None]


def test_group_divides_by_the_std_of_the_rows_that_count() -> None:
    assert grpo([1, 3, 2, None], ["a"] * 4, "group") == [
        pytest.approx(-1 / 1.0001),
        pytest.approx(1 / 1.0001),
        0,
        None,
    ]


def test_batch_divides_by_the_std_of_all_totals() -> None:
    # 1, 3, 5, 7: mean 4, squares 9 + 1 + 1 + 9 = 20, std sqrt(20 / 3)
    std = math.sqrt(20 / 3) + 1e-4
    expected = [-1 / std, 1 / std, -1 / std, 1 / std]
    assert grpo([1, 3, 5, 7], ["a", "a", "b", "b"], "batch") == pytest.approx(expected)


def test_one_gate_failure_shrinks_the_others_under_group_only() -> None:
    totals = [0.0, 0.70, 0.71, 0.72, 0.73, 0.74, 0.75, 0.76]
    none, group = grpo(totals, ["a"] * 8), grpo(totals, ["a"] * 8, "group")
    spread = [a for a in none[1:] if a is not None]
    shrunk = [a for a in group[1:] if a is not None]
    assert max(spread) - min(spread) == pytest.approx(0.06)
    # std is about .26, so the honest spread is a quarter of a sigma: it is the rejected one that counts.
    assert max(shrunk) - min(shrunk) < 0.3
    assert group[0] is not None
    assert group[0] < -2


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("totals", [[0.5] * 8, [0.0] * 8, [0.1, math.nextafter(0.1, 1), 0.1]])
def test_equal_but_for_rounding_is_exactly_zero(totals: list[float], scale: Scale) -> None:
    assert grpo(totals, ["a"] * len(totals), scale) == [0.0] * len(totals)


@pytest.mark.parametrize("scale", SCALES)
def test_a_group_with_fewer_than_two_totals_is_dropped(scale: Scale) -> None:
    assert grpo([None, None, 1.0, None], ["a", "a", "b", "b"], scale) == [None] * 4


def test_nothing_in_nothing_out_and_nan_is_refused() -> None:
    assert grpo([], []) == []
    with pytest.raises(ValueError, match="finite"):
        grpo([float("nan"), 1.0], ["a", "a"])
    with pytest.raises(ValueError, match="group ids"):
        grpo([1.0], [])


def test_rewards_get_their_advantages() -> None:
    rewards = with_advantages([Reward(total=1.0, terms=()), Reward(total=2.0, terms=())], ["a", "a"])
    assert [reward.advantage for reward in rewards] == [-0.5, 0.5]


ROWS = st.lists(
    st.tuples(st.one_of(st.none(), st.floats(-1e3, 1e3)), st.sampled_from("abc")), min_size=1, max_size=16
)


@settings(max_examples=60, deadline=None)
@given(ROWS, st.sampled_from(SCALES), st.randoms(use_true_random=False))
def test_finite_centred_and_blind_to_order(
    rows: list[tuple[float | None, str]], scale: Scale, random: object
) -> None:
    totals, groups = [t for t, _ in rows], [g for _, g in rows]
    advantages = grpo(totals, groups, scale)
    for group in set(groups):
        valid = [a for a, g in zip(advantages, groups, strict=True) if g == group and a is not None]
        assert all(math.isfinite(a) for a in valid)
        assert sum(valid) == pytest.approx(0.0, abs=1e-6)
    order = list(range(len(rows)))
    random.shuffle(order)  # type: ignore[attr-defined]
    shuffled = grpo([totals[i] for i in order], [groups[i] for i in order], scale)
    assert shuffled == pytest.approx([advantages[i] for i in order], abs=1e-7)


@settings(max_examples=60, deadline=None)
@given(ROWS, st.sampled_from(SCALES), st.sampled_from("abc"))
def test_a_row_without_a_total_moves_nobody(
    rows: list[tuple[float | None, str]], scale: Scale, group: str
) -> None:
    totals, groups = [t for t, _ in rows], [g for _, g in rows]
    assert grpo([*totals, None], [*groups, group], scale) == [*grpo(totals, groups, scale), None]
