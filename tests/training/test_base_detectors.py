"""A detector against the base in a real training: the probe's pictures are the base's, a judge that measures
pixels looks at both, and a violation takes the positive part of what it vetoes, exactly.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from salon.diagnosis import diagnose
from salon.judges.pixel_judge import measures_of
from salon.raster import decode
from salon.recipe import RunRecipe
from salon.store.runs import Run
from salon.training.grpo import train
from salon.training.probe import probe
from salon.types import Picture, Prompt, Verdict
from tinyrun import save_tiny_policy, tiny_mapping

pytestmark = pytest.mark.torch

QUIET = Console(quiet=True)


def redness(picture: Picture) -> float:
    red, green, _ = np.asarray(decode(picture.png), dtype=float).reshape(-1, 3).mean(0)
    return float(red - green)


def paint(picture: Picture) -> float:
    return float(np.asarray(decode(picture.png), dtype=float).std())


def paleness(picture: Picture) -> float:
    return -redness(picture)


def colour(picture: Picture) -> float:
    return measures_of(picture)["coverage"]


def paper(picture: Picture) -> float:
    return -colour(picture)


class Eye:
    """Names the picture with more paint; under criteria, the redder one."""

    def __init__(self, measure: Callable[[Picture], float] = paint) -> None:
        self.measure = measure
        self.identity = f"eye for {measure.__name__}"

    def with_criteria(self, criteria: str) -> "Eye":
        # The start-up check asks by more red, by more paint, and by their reverses.
        if " paint in it" in criteria:
            return Eye(paper if "less" in criteria else colour)
        assert "too much red" in criteria or "red in it" in criteria
        return Eye(paleness if "less red" in criteria else redness)

    def compare(self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]]) -> list[Verdict]:
        return [Verdict(p_a=float(self.measure(a) > self.measure(b)), judge=self.identity) for a, b in pairs]


def mapping(policy: Path, out: Path, **reward: Any) -> dict[str, Any]:
    whole = tiny_mapping(policy, out, steps=3)
    whole["reward"] = {"terms": {"vowels": {"scorer": "tinyrun:Vowels", "weight": 1.0}}, **reward}
    return whole


def with_detector(policy: Path, out: Path, base: Path) -> RunRecipe:
    whole = mapping(policy, out, judges={"eye": {"kind": "test_base_detectors:Eye"}})
    whole["reward"]["terms"]["redder"] = {
        "scorer": "base_comparison",
        "judge": "eye",
        "role": "veto",
        "vetoes": "vowels",
        "args": {"failure": "too much red", "base": str(base)},
    }
    return RunRecipe.model_validate(whole)


def base_pictures(run: Run) -> dict[str, Picture]:
    """The first picture of each prompt: training has other seeds than the probe."""
    rows = run.rollouts([0]).unique("prompt_id", keep="first", maintain_order=True)
    return {
        row["prompt_id"]: Picture.from_png(run.picture_path(row["picture"]).read_bytes())
        for row in rows.to_dicts()
    }


def test_a_violation_against_the_base_takes_what_it_vetoes_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    policy = save_tiny_policy(tmp_path / "policy")
    base = probe(RunRecipe.model_validate(mapping(policy, tmp_path / "base")), QUIET, prompts=4).run
    train(with_detector(policy, tmp_path / "run", base.path), QUIET)
    run = Run.open(tmp_path / "run")
    painted = base_pictures(base)
    rows = run.rollouts().to_dicts()
    assert len(rows) == 3 * 2 * 4
    convicted = 0
    for row in rows:
        own = Picture.from_png(run.picture_path(row["picture"]).read_bytes())
        redder = redness(own) > redness(painted[row["prompt_id"]])
        assert row["redder.raw"] == float(redder)
        convicted += redder
        z = row["vowels.normalized"]
        assert row["total"] == pytest.approx(min(z, 0.0) if redder else z)
    assert 0 < convicted < len(rows)
    assert run.metrics()["terms/redder/details/other_seed"].to_list() == [1.0] * 3
    told = next(each for each in diagnose(run.path).findings if each.title.startswith("redder compares with"))
    assert told.level == "notice"
    assert told.wrong.startswith("In 100 % of its 24 scores the base's record had the prompt under other")
