"""Nine signals against four, on the embedded painter: train both, measure both alike, say what came out.

    judges → old and new, seed by seed → train → evaluate → measure by a held-out judge → findings

Everything is kept in the plan's folder, and what is there is not done again: a stopped reproduction goes on.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from salon.diagnosis import diagnose
from salon.errors import StoreError
from salon.evals.winrate import evaluate, is_evaluated
from salon.report.comparison.levels import Measured, measured
from salon.rescoring import rescore
from salon.rescoring.output import write
from salon.store.runs import Run, write_atomic
from salon.training.grpo import train

from .findings import Between, Findings, conclude
from .judges import fit_judges
from .plan import HELD_OUT, SIDES, OldVsNew

if TYPE_CHECKING:
    from rich.console import Console

COLUMNS = {"quality": "total", "diversity": "diversity.raw", "tokens": "tokens"}
"""What is measured, and the column of the measured run that has it."""


def old_vs_new(plan: OldVsNew, console: "Console", overrides: Sequence[str] = ()) -> Findings:
    """Run the whole comparison, or what is missing of it.

    Args:
        plan: what to run.
        console: where progress is told.
        overrides: `key=value` of the run's recipe, for both sides (`train.steps=4`).

    Raises:
        RecipeError, SetupError: a part cannot be built.
        StoreError: a folder holds a run of another recipe.
    """
    fit_judges(plan, console)
    for seed in plan.seeds:
        for side in SIDES:
            _run(plan, side, seed, console, overrides)
    found = conclude(
        {side: {seed: _measured(plan, side, seed) for seed in plan.seeds} for side in SIDES},
        _win_rates(plan),
        {f"old-{seed}": _faults(plan.run_folder("old", seed)) for seed in plan.seeds},
    )
    text = json.dumps(found.as_json(), indent=2, ensure_ascii=False)
    write_atomic(Path(plan.out) / "findings.json", f"{text}\n".encode())
    return found


def _run(plan: OldVsNew, side: str, seed: int, console: "Console", overrides: Sequence[str]) -> None:
    recipe = plan.recipe(side, seed, overrides)
    console.print(f"{side} reward, seed {seed}", style="bold")
    run = train(recipe, console)
    if recipe.evaluate.pairs and not is_evaluated(run):
        evaluate(run, console)
    place = plan.measured_folder(side, seed)
    if _is_measured(plan, run, place):
        return
    found = rescore(run, Path(plan.folder) / plan.measured_by, console)
    write(found, place)


def _is_measured(plan: OldVsNew, run: Run, place: Path) -> bool:
    if not place.exists():
        return False
    kept = Run.open(place)
    told: Mapping[str, Any] = kept.manifest.get("rescore") or {}
    same = told.get("reward_sha256") == plan.measure().digest and kept.steps() == run.steps()
    if not same:
        raise StoreError(f"{place} was measured otherwise, or not to its end: remove that folder")
    return True


def _measured(plan: OldVsNew, side: str, seed: int) -> dict[str, Measured]:
    run = Run.open(plan.measured_folder(side, seed))
    rollouts, found = run.rollouts(), dict[str, Measured]()
    for name, column in COLUMNS.items():
        values = measured(rollouts, column)
        if values is None:
            raise StoreError(f"{run.path}: no row has a {name} ({column}): measure it by another reward")
        found[name] = values
    return found


def _win_rates(plan: OldVsNew) -> dict[tuple[str, int], Between]:
    found: dict[tuple[str, int], Between] = {}
    for side in SIDES:
        for seed in plan.seeds:
            kept = Run.open(plan.run_folder(side, seed)).evaluations()
            told = kept.get(f"winrate-{HELD_OUT}-{plan.pairs}", {})
            if told.get("win_rate") is not None:
                ends = told.get("win_rate_low"), told.get("win_rate_high")
                found[side, seed] = Between(told["win_rate"], *ends)
    return found


def _faults(folder: Path) -> list[str]:
    return [finding.title for finding in diagnose(folder).of_level("problem")]
