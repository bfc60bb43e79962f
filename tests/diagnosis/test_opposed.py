"""Terms that pull against each other, and terms that are asked about some prompts only."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from salon.diagnosis import Options, diagnose
from salon.diagnosis.diagnosis import Diagnosis
from salon.diagnosis.finding import Finding


def groups_of(groups: int, size: int = 8) -> np.ndarray:
    return np.repeat(np.arange(groups), size)


QUIET = "{scorer: palette, weight: 1, when: \"'quiet' in prompt.tags\"}"


def inverse(noise: float = 0.1) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    merit = rng.normal(size=400)
    down = -merit + rng.normal(0, noise, 400)
    return pl.DataFrame(
        {"group": groups_of(50), "taste": merit, "light": down, "third": rng.normal(size=400)}
    )


def alike(found: Diagnosis) -> Finding:
    return next(each for each in found.of_level("problem") if each.kind == "redundant")


@pytest.mark.parametrize("weights", ["taste=1,light=1", "taste=.6,light=.4,third=.2"])
def test_inverse_terms_are_opposed_and_nothing_is_merged(weights: str) -> None:
    found = diagnose(inverse(), Options(weights=(weights,)))
    finding = alike(found)
    assert finding.title == "Two terms pull against each other"
    assert "cancel one another" in finding.wrong
    assert "merged weight" not in finding.remedy
    assert "drop" not in finding.remedy.lower()
    assert found.recipe is None


def test_an_inverse_that_is_a_penalty_says_the_same() -> None:
    found = diagnose(inverse(), Options(weights=("taste=.5,light=-.3,third=.2",)))
    finding = alike(found)
    assert finding.title == "Two terms measure one thing"
    assert "measured twice" in finding.wrong
    assert abs(finding.numbers["merged_weight"].value) == pytest.approx(0.8)
    assert found.proposal is not None
    assert abs(next(s.weight for s in found.proposal.signals if s.action == "merge")) > 0.5


def some_prompts(twin: bool = True) -> pl.DataFrame:
    """light has scores in every second group only."""
    rng = np.random.default_rng(0)
    group_N, taste_N = groups_of(50), rng.random(400)
    light_N = taste_N + rng.normal(0, 0.02, 400) if twin else rng.random(400)
    quiet_N = group_N % 2 == 0
    return pl.DataFrame(
        {
            "group": group_N,
            "step": np.zeros(400, np.int64),
            "taste.raw": taste_N,
            "taste.status": ["ok"] * 400,
            "light.raw": [float(x) if q else None for x, q in zip(light_N, quiet_N, strict=True)],
            "light.status": ["ok" if q else "not_applicable" for q in quiet_N],
        }
    )


def test_what_is_asked_of_some_prompts_never_stands_for_all(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(f"reward: {{terms: {{taste: {{scorer: palette, weight: 1}}, light: {QUIET}}}}}\n")
    frame = some_prompts().with_columns(human=pl.col("light.raw").fill_null(0.0))
    found = diagnose(frame, Options(recipe=str(file)))
    assert "Keep taste" in alike(found).remedy
    assert found.proposal is not None
    assert [each.terms[0] for each in found.proposal.signals] == ["taste"]


def test_two_halves_that_none_covers_are_both_kept(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    merit_N, group_N = rng.random(600), groups_of(75)
    frame = pl.DataFrame(
        {
            "group": group_N,
            "bold": [float(x) if g % 3 != 0 else None for x, g in zip(merit_N, group_N, strict=True)],
            "calm": [float(x) if g % 3 != 1 else None for x, g in zip(merit_N, group_N, strict=True)],
        }
    )
    found = diagnose(frame)
    assert alike(found).remedy.startswith("Weigh them less")
    assert found.proposal is None or {t for s in found.proposal.signals for t in s.terms} == {"bold", "calm"}
