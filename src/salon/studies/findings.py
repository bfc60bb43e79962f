"""What two rewards made of one painter, in numbers. Pure: measured runs in, findings out."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from salon.report.comparison.levels import Measured, Reach, reach

Floats = NDArray[np.float64]
DRAWS = 2000
LATE = 0.25
"""The share of steps, at the end, over which final levels are taken."""


@dataclass(frozen=True, slots=True)
class Between:
    """A number with its 95 % interval; `low` and `high` are None where there is none."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Seed:
    """One seed of one side.

    best: the highest smoothed quality. reached: the first step at which it has the old side's best level.
    win_rate: against the frozen base, by the held-out judge, where it was evaluated.
    """

    side: str
    seed: int
    best: float
    final: float
    reached: int | None
    win_rate: Between | None


@dataclass(frozen=True, slots=True)
class Findings:
    """Both sides, all seeds together.

    curves: side → name → what was measured. level: the old side's best smoothed quality; `old_reached` and
    `new_reached`: when each side reached it. factor: old steps over new steps, None where the new side never
    did; its interval is over groups drawn anew. gain: final quality, new minus old, with an interval over
    prompts of runs. faults: the problems that `salon diagnose` sees in the old side's runs, by seed.
    """

    curves: Mapping[str, Mapping[str, Measured]]
    level: float
    old_reached: Reach
    new_reached: Reach
    factor: Between | None
    gain: Between
    seeds: tuple[Seed, ...]
    faults: Mapping[str, Sequence[str]]

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "level": self.level,
            "old_reached": asdict(self.old_reached),
            "new_reached": asdict(self.new_reached),
            "factor": asdict(self.factor) if self.factor else None,
            "gain": asdict(self.gain),
            "seeds": [asdict(each) for each in self.seeds],
            "faults": {name: list(titles) for name, titles in self.faults.items()},
            "curves": {
                side: {name: dict(zip(each.steps, each.means, strict=True)) for name, each in curves.items()}
                for side, curves in self.curves.items()
            },
        }


def together(runs: Sequence[Measured]) -> Measured:
    """Several runs as one: the groups of a step side by side. Steps that not all runs have are left out."""
    steps = [step for step in runs[0].steps if all(step in run.steps for run in runs)]

    def joined(pick: str) -> tuple[Floats, ...]:
        return tuple(
            np.concatenate([getattr(run, pick)[run.steps.index(step)] for run in runs]) for step in steps
        )

    return Measured(tuple(steps), joined("sums"), joined("counts"))


def final(run: Measured) -> Floats:
    """Each late group's mean: those of the last quarter of the steps."""
    first = len(run.steps) - max(1, round(len(run.steps) * LATE))
    return np.concatenate([run.sums[at] / run.counts[at] for at in range(first, len(run.steps))])


def gain(old: Sequence[Measured], new: Sequence[Measured], seed: int = 0) -> Between:
    """How much better the new side ends than the old one, with an interval over runs and their groups.

    Runs are drawn anew first, then the groups of each: what another seed would have done is part of it.
    """
    sides = [[final(run) for run in side] for side in (old, new)]
    value = float(np.mean([rows.mean() for rows in sides[1]]) - np.mean([rows.mean() for rows in sides[0]]))
    rng = np.random.default_rng(seed)

    def redrawn(runs: list[Floats]) -> float:
        picked = [runs[at] for at in rng.integers(0, len(runs), len(runs))]
        return float(np.mean([rows[rng.integers(0, len(rows), len(rows))].mean() for rows in picked]))

    draws = [redrawn(sides[1]) - redrawn(sides[0]) for _ in range(DRAWS)]
    low, high = np.quantile(draws, [0.025, 0.975])
    return Between(value, float(low), float(high))


def speed(old: Reach, new: Reach) -> Between | None:
    """Old steps over new steps, with the widest interval that both sides' intervals allow.

    Example: the old side takes 12 steps (10 to 14), the new one 4 (3 to 6): 3.0 (10/6 = 1.7 to 14/3 = 4.7).
    """
    if old.step is None or new.step is None:
        return None
    low = old.low / new.high if old.low is not None and new.high is not None else None
    high = old.high / new.low if old.high is not None and new.low is not None else None
    return Between(old.step / new.step, low, high)


def conclude(
    runs: Mapping[str, Mapping[int, Mapping[str, Measured]]],
    win_rates: Mapping[tuple[str, int], Between],
    faults: Mapping[str, Sequence[str]],
) -> Findings:
    """Everything that can be said of the measured runs.

    Args:
        runs: side → seed → name → what was measured; `quality` is among the names.
        win_rates: by side and seed.
        faults: by run.
    """
    curves = {
        side: {name: together([one[name] for one in seeds.values()]) for name in next(iter(seeds.values()))}
        for side, seeds in runs.items()
    }
    quality = {side: each["quality"] for side, each in curves.items()}
    level = quality["old"].best
    old, new = reach(quality["old"], level), reach(quality["new"], level)
    seeds = tuple(
        Seed(
            side,
            seed,
            one["quality"].best,
            float(final(one["quality"]).mean()),
            reach(one["quality"], level).step,
            win_rates.get((side, seed)),
        )
        for side, by_seed in runs.items()
        for seed, one in by_seed.items()
    )
    ends = {side: [one["quality"] for one in by_seed.values()] for side, by_seed in runs.items()}
    return Findings(
        curves, level, old, new, speed(old, new), gain(ends["old"], ends["new"]), seeds, dict(faults)
    )
