"""Advantages of every kind against numbers worked by hand, and the properties that hold for all."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from salon.errors import StageError
from salon.rewards.advantage import Scale, advantages, gdpo, grpo, nft, rank, rpo, win_rate, with_advantages
from salon.rewards.compose import compose
from salon.rewards.estimator import Estimator, Gdpo, Grpo, Nft, Rank, Rpo, WinRate
from salon.rewards.recipe import load_reward
from salon.types import Reward, Score

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


def test_gdpo_is_the_batch_z_score_of_totals_and_the_floor_stays_out_of_it() -> None:
    # mean 0, squares 1 + 1 + 9 + 9 = 20, std sqrt(20 / 3) = 2.582
    std = math.sqrt(20 / 3) + 1e-4
    groups = ["a", "a", "b", "b"]
    assert gdpo([-1, 1, -3, 3], groups) == pytest.approx([-1 / std, 1 / std, -3 / std, 3 / std])
    gated = gdpo([-1, 1, -3, 3, -30], [*groups, "b"], [False] * 4 + [True])
    assert gated == pytest.approx([-1 / std, 1 / std, -3 / std, 3 / std, -30 / std])


def test_gdpo_of_a_recipe_worked_by_hand() -> None:
    """Two terms, two groups: z inside each group, summed with weights 1 and 2, then z over the batch."""
    recipe = load_reward(
        {
            "compose": {"standardize": "group"},
            "advantage": {"kind": "gdpo"},
            "terms": {
                "a": {"scorer": "length", "weight": 1.0},
                "b": {"scorer": "length", "weight": 2.0},
            },
        }
    )
    groups = ["x", "x", "x", "y", "y"]
    scores = {
        "a": [Score(1), Score(3), Score(2), Score(0), Score(10)],
        "b": [Score(0.3), Score(0.1), Score(0.2), Score(5), Score(5)],
    }
    rewards = with_advantages(compose(recipe, groups, scores), groups, recipe.advantage)
    # a: z = -1, 1, 0 (std 1) and -1, 1 over sqrt 2 (std sqrt 50 = 7.071); b: 1, -1, 0 (std .1) and 0, 0.
    a_x, b_x, a_y = 1 / 1.0001, 0.1 / 0.1001, 5 / (math.sqrt(50) + 1e-4)
    sums = [-a_x + 2 * b_x, a_x - 2 * b_x, 0.0, -a_y, a_y]
    assert [reward.total for reward in rewards] == pytest.approx(sums)
    std = math.sqrt(sum(each**2 for each in sums) / 4) + 1e-4
    assert [reward.advantage for reward in rewards] == pytest.approx([each / std for each in sums])


def test_rank_is_the_place_inside_the_group() -> None:
    assert rank([0.2, 0.9, 0.4, 0.4], ["a"] * 4) == [-1, 1, 0, 0]
    assert rank([-50, 1, 2, None, 7, 5], [*"aaaabb"]) == [-1, 0, 1, None, 1, -1]
    # Two of three share the better places 2 and 3: 2.5, so (5 - 4) / 2.
    assert rank([5, 9, 9], ["a"] * 3) == [-1, 0.5, 0.5]


def test_rank_does_not_blow_rounding_up() -> None:
    tiny = 0.1 + 0.2
    assert rank([0.3, tiny, 0.9], ["a"] * 3) == [-0.5, -0.5, 1]


def test_rpo_is_plus_lambda_and_minus_gamma_and_no_update_for_ties_and_gaps() -> None:
    totals = [0.8, 0.3, 0.5, 0.5, 0.9, None, None, None]
    assert rpo(totals, [*"aabbccdd"]) == [1.0, -0.1, 0, 0, None, None, None, None]
    assert rpo([0.3, 0.1 + 0.2], ["a"] * 2) == [0, 0]
    assert rpo([-1e308, 1e308], ["a"] * 2, win=0.5, lose=0) == [0, 0.5]
    with pytest.raises(ValueError, match="two samples"):
        rpo([1, 2, 3], ["a"] * 3)


def test_nft_is_the_weight_of_imitation() -> None:
    # std of [0, 2, 1, 1] with n: sqrt(.5)
    z = 1 / (math.sqrt(0.5) + 1e-4)
    assert nft([0, 2, 1, 1], [*"aabb"]) == pytest.approx([0.5 - z / 10, 0.5 + z / 10, 0.5, 0.5])
    # inside group a the std with n is 1
    assert nft([0, 2, 1, 1], [*"aabb"], std="group") == pytest.approx(
        [0.5 - 0.1 / 1.0001, 0.5 + 0.1 / 1.0001, 0.5, 0.5]
    )
    assert nft([0, 2, 1, None], [*"aabb"]) == [
        pytest.approx(0.5 - 0.1 / (math.sqrt(2 / 3) + 1e-4)),
        *[pytest.approx(0.5 + 0.1 / (math.sqrt(2 / 3) + 1e-4)), None, None],
    ]


def test_nft_clips_and_a_constant_reward_moves_nothing() -> None:
    outlier = nft([0.0] * 99 + [1.0], ["a"] * 100)
    assert outlier[-1] == 1.0
    assert nft([0.0] * 99 + [1.0], ["a"] * 100, clip=20.0)[-1] == pytest.approx(
        0.5 + 0.99 / 0.0995987 / 40, abs=1e-3
    )
    assert nft([0.3] * 4, [*"aabb"]) == [0.5] * 4


def test_win_rate_counts_the_mates_that_are_beaten() -> None:
    totals, groups = [0.2, 0.9, 0.4, 0.4], ["a"] * 4
    assert win_rate(totals, groups, "none") == [-0.5, 0.5, 0, 0]
    # w = 0, 1, .5, .5 has std sqrt(.5 / 3)
    z = 0.5 / (math.sqrt(0.5 / 3) + 1e-4)
    assert win_rate(totals, groups) == pytest.approx([-z, z, 0, 0])


KINDS: list[Estimator] = [
    *(Grpo(scale=scale) for scale in SCALES),
    Gdpo(kind="gdpo"),
    Rank(kind="rank"),
    Rpo(kind="rpo"),
    Nft(kind="nft"),
    Nft(kind="nft", std="group"),
    *(WinRate(kind="win_rate", scale=scale) for scale in SCALES),
]
each_kind = pytest.mark.parametrize("kind", KINDS, ids=repr)


@each_kind
@pytest.mark.parametrize("totals", [[0.5] * 2, [0.0] * 2, [0.1, math.nextafter(0.1, 1)], [1e308] * 2])
def test_a_dead_group_is_not_pushed_whatever_the_kind(totals: list[float], kind: Estimator) -> None:
    found = advantages(kind, [*totals, 0.1, 0.9], [*"aabb"])
    assert found[:2] == [0.5 if isinstance(kind, Nft) else 0.0] * 2


@each_kind
def test_values_at_the_edge_of_the_range_are_finite_or_refused(kind: Estimator) -> None:
    for totals in ([1e308, -1e308, 1e308, 0.5], [1.7e308, -1.7e308, 1.0, 2.0], [1e-300, 2e-300, 5e-324, 0]):
        try:
            found = advantages(kind, totals, [*"aabb"])
        except StageError:
            assert isinstance(kind, Grpo)
            assert kind.scale == "none"
            continue
        assert all(value is not None and math.isfinite(value) for value in found)


def test_only_the_difference_of_huge_totals_is_refused() -> None:
    assert grpo([1e308, -1e308], ["a"] * 2) == [1e308, -1e308]
    assert grpo([1e308, -1e308], ["a"] * 2, "group") == pytest.approx([0.5**0.5, -(0.5**0.5)])
    with pytest.raises(StageError, match="beyond the range"):
        grpo([1.7e308, -1.7e308, -1.7e308], ["a"] * 3)


FLOATS = st.floats(-1e3, 1e3)
PAIRS = st.lists(st.tuples(st.one_of(st.none(), FLOATS), st.integers(0, 4)), min_size=1, max_size=12).map(
    lambda rows: [(t, f"g{g}") for i, (t, g) in enumerate(rows) if [k for _, k in rows[:i]].count(g) < 2]
)


@settings(max_examples=40, deadline=None)
@given(PAIRS, st.sampled_from(KINDS), st.randoms(use_true_random=False), st.integers(0, 3))
def test_every_kind_is_finite_blind_to_order_and_unmoved_by_gaps(
    rows: list[tuple[float | None, str]], kind: Estimator, random: Any, gated: int
) -> None:
    """Groups of at most two, so that it fits RPO as well."""
    totals, groups = [t for t, _ in rows], [g for _, g in rows]
    floors = [index == gated for index in range(len(rows))]
    found = advantages(kind, totals, groups, floors)
    assert all(value is None or math.isfinite(value) for value in found)
    order = list(range(len(rows)))
    random.shuffle(order)
    shuffled = advantages(
        kind, [totals[i] for i in order], [groups[i] for i in order], [floors[i] for i in order]
    )
    assert shuffled == pytest.approx([found[i] for i in order], abs=1e-7)
    more = advantages(kind, [*totals, None], [*groups, "new"], [*floors, False])
    assert more == [*found, None]


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
