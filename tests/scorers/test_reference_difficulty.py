"""The luck of the draw is taken out of a curve of win rates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from salon.scorers.reference_difficulty import (
    Meetings,
    fit_bradley_terry,
    meetings_of,
    read_outcomes,
    tell_outcomes,
)

NAMES = st.text(st.characters(categories=["L", "N"], include_characters="-_. "), min_size=1).map(str.strip)


@given(
    st.dictionaries(NAMES.filter(bool), st.integers(0, 100).map(lambda n: n / 100), min_size=1, max_size=5)
)
def test_a_reason_reads_back(outcomes: dict[str, float]) -> None:
    assert read_outcomes(tell_outcomes(outcomes)) == outcomes
    assert read_outcomes(tell_outcomes(outcomes) + " (2 of 3 resolved)") == outcomes


@pytest.mark.parametrize("reason", ["", "against ", "length 0.31", "against nobody", "against x 7"])
def test_another_reason_is_no_meeting(reason: str) -> None:
    assert read_outcomes(reason) == {}


def test_meetings_are_means_over_samples() -> None:
    told = meetings_of([0, 0, 1], ["against a 0.20, b 0.80", "against a 0.60", None])
    assert told == [Meetings(0, "a", pytest.approx(0.4), 2), Meetings(0, "b", 0.8, 1)]


def test_a_step_that_met_the_hard_one_only_is_not_worse() -> None:
    many = 50
    meetings = [
        Meetings(0, "easy", 0.8, many),
        Meetings(0, "hard", 0.4, many),
        Meetings(1, "hard", 0.4, many),
        Meetings(2, "easy", 0.8, many),
    ]
    found = fit_bradley_terry(meetings)
    assert found is not None
    assert found.rates[0] == pytest.approx(found.rates[1], abs=0.03)
    assert found.rates[0] == pytest.approx(found.rates[2], abs=0.03)
    assert found.references["hard"] > 0 > found.references["easy"]
    assert found.drawn[1] > found.drawn[0] > found.drawn[2]


def test_a_rising_policy_is_found_under_a_noisy_draw() -> None:
    """Sixty references of very different strength: the corrected curve lies nearer to the truth."""
    rng = np.random.default_rng(3)
    strength = rng.normal(0, 1.2, 60)
    meetings, truth, plain = [], [], []
    for step in range(20):
        level = -1 + 0.1 * step
        truth.append(float(np.mean(1 / (1 + np.exp(strength - level)))))
        drawn = rng.choice(60, 8, replace=False)
        outcomes = rng.binomial(8, 1 / (1 + np.exp(strength[drawn] - level))) / 8
        meetings += [Meetings(step, str(n), float(o), 8) for n, o in zip(drawn, outcomes, strict=True)]
        plain.append(float(outcomes.mean()))
    found = fit_bradley_terry(meetings)
    assert found is not None
    corrected = np.array([found.rates[step] for step in range(20)])
    off_plain, off_corrected = (
        float(np.abs(c - np.array(truth)).mean()) for c in (np.array(plain), corrected)
    )
    assert off_corrected < 0.75 * off_plain
    fitted = np.array([found.references[name] for name in sorted(found.references)])
    real = np.array([strength[int(name)] for name in sorted(found.references)])
    assert np.corrcoef(fitted, real)[0, 1] > 0.8


def test_nothing_to_compare_is_none_and_a_clean_sweep_is_finite() -> None:
    assert fit_bradley_terry([]) is None
    assert fit_bradley_terry([Meetings(0, "a", 0.5, 1), Meetings(0, "b", 0.5, 1)]) is None
    swept = fit_bradley_terry([Meetings(t, n, 1.0, 9) for t in (0, 1) for n in "ab"])
    assert swept is not None
    assert all(0.9 < rate <= 1 for rate in swept.rates.values())
