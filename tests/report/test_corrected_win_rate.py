"""The report's win rate without the luck of the draw, and references that are used up."""

import polars as pl
import pytest

from salon.report.corrected_win_rate import corrected_curves, used_up
from salon.scorers.reference_difficulty import Meetings


def rollouts(*rows: tuple[int, str | None]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "step": [step for step, _ in rows],
            "taste.status": ["ok"] * len(rows),
            "taste.reason": [reason for _, reason in rows],
            "length.status": ["ok"] * len(rows),
            "length.reason": ["12 tokens"] * len(rows),
        }
    )


def test_a_lucky_draw_is_taken_out() -> None:
    easy, hard = "against easy 0.80", "against hard 0.30"
    both = "against easy 0.80, hard 0.30"
    found = corrected_curves(rollouts(*[(0, both)] * 20, *[(1, easy)] * 20, *[(2, hard)] * 20))
    assert list(found) == ["taste"]
    curve, told = found["taste"]
    assert curve.steps == [0, 1, 2]
    assert curve.values == pytest.approx([0.55, 0.55, 0.55], abs=0.06)
    assert "all 2 references" in told
    assert "hard is the hardest" in told
    assert "teach" not in told


def test_without_references_there_is_no_curve() -> None:
    assert corrected_curves(rollouts((0, None), (1, "a word"))) == {}


def test_references_that_lose_nearly_always_are_told() -> None:
    meetings = [Meetings(step, name, 0.97 if step else 0.4, 8) for step in range(5) for name in "abc"]
    assert used_up(meetings) == (3, 3)
    won = [(step, f"against a {rate}, b {rate}") for step, rate in enumerate(("0.40", "0.70", "0.97"))]
    assert "2 of the 2 met at the end" in corrected_curves(rollouts(*won))["taste"][1]
