"""Places and Kendall's tau, against numbers worked by hand, and as properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from salon.rescoring.ranks import agreement, causes, kendall, orders, places

totals = st.lists(st.integers(-5, 5), min_size=2, max_size=9).map(
    lambda values: np.array(values, dtype=float)
)


def test_ties_share_their_places() -> None:
    assert places(np.array([0.2, 0.9, 0.4, 0.4])).tolist() == [4, 1, 2.5, 2.5]


def test_tau_as_worked_by_hand() -> None:
    assert kendall(np.array([1.0, 2, 3]), np.array([1.0, 3, 2])) == pytest.approx(1 / 3)
    # One tie in the first: pairs (a,b) 0, (a,c) +, (b,c) +; tau-b is 2 / √(2 · 3).
    assert kendall(np.array([1.0, 1, 2]), np.array([1.0, 2, 3])) == pytest.approx(2 / np.sqrt(6))
    assert kendall(np.array([1.0, 1]), np.array([1.0, 2])) is None


@given(totals)
def test_an_order_agrees_with_itself_and_with_nothing_less(values: np.ndarray) -> None:
    own = kendall(values, values)
    assert own is None if len(set(values.tolist())) == 1 else own == pytest.approx(1.0)
    assert places(values).sum() == pytest.approx(len(values) * (len(values) + 1) / 2)
    turned = kendall(values, -values)
    assert turned is None or turned == pytest.approx(-1.0)


def test_rows_without_both_totals_have_no_place() -> None:
    found = orders(["a"] * 3 + ["b"] * 2, [1, None, 2, 3, 4], [5, 6, 4, None, 1])
    assert [each.rows for each in found] == [(0, 2)]
    assert found[0].tau == pytest.approx(-1)
    assert found[0].crowned


def test_rounding_moves_nobody() -> None:
    (found,) = orders(["a"] * 3, [0.1 + 0.2, 0.3, 1.0], [0.3, 0.1 + 0.2, 1.0])
    assert found.before.tolist() == found.after.tolist() == [2.5, 2.5, 1]


def test_agreement_counts_groups_and_gives_intervals() -> None:
    found = orders(["a", "a", "b", "b", "c", "c"], [1, 2, 1, 2, 1, 1], [1, 2, 2, 1, 1, 2])
    told = agreement(found, ["p", "q", "r"])
    assert (told["groups"], told["tau_groups"], told["tau"]) == (3, 2, 0.0)
    assert told["tau_low"] == pytest.approx(-1)
    assert told["tau_high"] == pytest.approx(1)
    assert told["crowned"] == pytest.approx(1 / 3)
    assert agreement([], [])["tau"] is None


def test_causes_add_up_to_the_move_in_standard_deviations() -> None:
    before = [{"a": 1.0, "b": 0.0}, {"a": 0.0, "b": 0.0}]
    after = [{"a": 0.0, "b": 0.0}, {"a": 0.0, "b": 4.0}]
    first, second = causes(before, after)
    # Both spreads are ± 1: a's pull of 1 is gone, and b's of −1 has come.
    assert first == pytest.approx({"a": -1.0, "b": -1.0})
    assert second == pytest.approx({"a": 1.0, "b": 1.0})


def test_a_group_without_a_spread_is_pushed_by_nothing() -> None:
    assert causes([{"a": 1.0}, {"a": 1.0}], [{"a": None}, {"a": None}]) == [{"a": 0.0}, {"a": 0.0}]
