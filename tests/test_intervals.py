"""Intervals against numbers worked by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salon.intervals import bootstrap_mean, widened, wilson


def test_wilson_by_hand() -> None:
    # 8 of 10: centre (.8 + 3.8415/20) / 1.38415 = .71674,
    # half 1.95996 × √(.016 + .0096037) / 1.38415 = .22658
    assert wilson(8, 10) == pytest.approx((0.49016, 0.94332), abs=1e-5)
    assert wilson(0, 10) == pytest.approx((0.0, 0.27753), abs=1e-5)
    assert wilson(0, 0) is None


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=40))
def test_the_point_is_inside_its_interval(outcomes: list[float]) -> None:
    mean = sum(outcomes) / len(outcomes)
    for interval in (
        wilson(sum(outcomes), len(outcomes)),
        bootstrap_mean(outcomes, range(len(outcomes)), draws=200),
    ):
        assert interval is not None
        assert 0 <= interval[0] <= mean + 1e-12
        assert mean - 1e-12 <= interval[1] <= 1


def test_bootstrap_of_independent_coins_is_near_the_normal_interval() -> None:
    outcomes = [1.0] * 60 + [0.0] * 40
    # .6 ± 1.96 × √(.24/100) = .504 … .696
    assert bootstrap_mean(outcomes, range(100)) == pytest.approx((0.504, 0.696), abs=0.011)


def test_outcomes_of_one_prompt_count_as_one() -> None:
    """Ten prompts of ten equal outcomes each know no more than ten outcomes do."""
    outcomes = [1.0] * 60 + [0.0] * 40
    clustered = bootstrap_mean(outcomes, [index // 10 for index in range(100)])
    ten = bootstrap_mean([1.0] * 6 + [0.0] * 4, range(10))
    assert clustered == ten
    assert bootstrap_mean([], []) is None
    assert bootstrap_mean([1.0] * 20, [index // 2 for index in range(20)]) == wilson(10, 10)


def test_clusters_that_are_alike_are_not_certain() -> None:
    """Four prompts, of each one group changed and one did not: .5, and not for sure."""
    assert bootstrap_mean([1.0, 0.0] * 4, [index // 2 for index in range(8)]) == wilson(2, 4)
    assert bootstrap_mean([1.0, 0.0, 0.0], ["one"] * 3) == pytest.approx(wilson(1 / 3, 1))


def test_few_units_are_no_certainty() -> None:
    """A bootstrap over one, two or three equal or unlike clusters has hardly a width."""
    for outcomes in ([1.0], [1.0, 1.0], [1.0, 0.9], [0.0, 0.0, 0.1], [1.0] * 5):
        low, high = bootstrap_mean(outcomes, range(len(outcomes))) or (0.0, 0.0)
        assert low <= sum(outcomes) / len(outcomes) <= high
        assert high - low > 0.3
    # Many rows of one prompt are one observation.
    low, high = bootstrap_mean([1.0] * 40, ["rose"] * 40) or (0.0, 0.0)
    assert (high, low < 0.3) == (1.0, True)
    many = [1.0, 0.0] * 200
    assert widened((0.4, 0.6), 0.5, 400) == (0.4, 0.6)
    low, high = bootstrap_mean(many, range(400)) or (0.0, 1.0)
    assert high - low < 0.12
