"""Few levels hide how alike terms are, and nothing is made of it where they are not."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tables import table_of

from salon.diagnosis import examine
from salon.diagnosis.rounding_attenuation import Marks, marks_of, unrounded


def marks_around_7(noise: float, seed: int = 0) -> pl.DataFrame:
    """Three judges of one merit, who give whole marks that hardly leave 6 to 8."""
    rng = np.random.default_rng(seed)
    merit = np.repeat(rng.normal(0, 0.5, 300), 8) + rng.normal(0, 1, 2400)
    marks = {n: np.round(7 + 0.55 * merit + rng.normal(0, noise, 2400)).clip(0, 10) for n in "pqr"}
    return pl.DataFrame({"group": np.repeat(np.arange(300), 8), **marks})


def test_rounding_to_few_levels_does_not_hide_that_terms_are_alike(tmp_path: Path) -> None:
    """Merits that correlate at .55² / (.55² + .15²) = .93 inside groups; whole marks of them only at .79."""
    found = examine(table_of(marks_around_7(0.15), tmp_path))
    finding = next(f for f in found.of_level("notice") if f.kind == "redundant")
    assert set(finding.terms) == {"p", "q", "r"}
    assert finding.numbers["highest"].value < 0.85
    assert finding.numbers["lowest_unrounded"].value == pytest.approx(0.93, abs=0.02)
    assert finding.numbers["highest_unrounded"].value == pytest.approx(0.93, abs=0.02)
    assert "Ask one question instead of three" in finding.remedy
    assert found.proposal is not None
    assert [signal.action for signal in found.proposal.signals] == ["merge"]


def test_rounding_makes_different_terms_no_more_alike(tmp_path: Path) -> None:
    """Merits that correlate at .55² / (.55² + .3²) = .77."""
    found = examine(table_of(marks_around_7(0.3), tmp_path))
    assert {f.kind for f in found.of_level("problem")} == {"compressed"}
    assert not [f for f in found.of_level("notice") if f.kind == "redundant"]


@pytest.mark.parametrize("merit", [0.3, 0.6, 0.93])
@pytest.mark.parametrize("spread", [0.4, 0.7, 2.0])
def test_the_correlation_before_rounding_is_found(merit: float, spread: float) -> None:
    """On 400,000 fresh draws in groups of 8."""
    rng = np.random.default_rng(1)
    mean = rng.normal(7.2, 0.5, (50_000, 1))
    first, second = rng.normal(size=(2, 50_000, 8))
    x = np.round(mean + spread * first)
    y = np.round(mean + spread * (merit * first + np.sqrt(1 - merit**2) * second))
    x, y = (each - each.mean(axis=1, keepdims=True) for each in (x, y))
    seen = float((x * y).sum() / np.sqrt((x**2).sum() * (y**2).sum()))
    marks = Marks(7.2, 0.5, spread)
    assert seen < merit
    assert unrounded(seen, marks, marks) == pytest.approx(merit, abs=0.03)


def test_marks_that_are_little_but_rounding_tell_nothing(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "group": np.repeat(np.arange(100), 8),
            "two": np.where(rng.random(800) < 0.05, 8, 7),
            "free": rng.normal(size=800),
            "marks": np.round(rng.normal(5, 1, 800)).clip(0, 10),
        }
    )
    table = table_of(frame, tmp_path)
    assert marks_of(table.term("two"), table) is None
    assert marks_of(table.term("free"), table) is None
    found = marks_of(table.term("marks"), table)
    assert found is not None
    assert (found.mean, found.within) == pytest.approx((5, 1), abs=0.1)
