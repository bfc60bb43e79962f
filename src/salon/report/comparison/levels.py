"""After how many steps does a run reach a level? Pure, with intervals by a bootstrap over groups.

A curve is smoothed first (the mean of five steps), as the report draws it: a single lucky step is no level.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from salon.report.charts import smooth

Floats = NDArray[np.float64]
DRAWS = 1000


@dataclass(frozen=True, slots=True)
class Measured:
    """One number of a run, group by group. T steps; per group of a step its sum and how many rows have it.

    steps: T of them, in order. sums, counts: per step one entry for each group that has any.
    """

    steps: tuple[int, ...]
    sums: tuple[Floats, ...]
    counts: tuple[Floats, ...]

    @property
    def means(self) -> list[float]:
        """The mean over a step's rows, T of them."""
        return [float(a.sum() / b.sum()) for a, b in zip(self.sums, self.counts, strict=True)]

    @property
    def best(self) -> float:
        """The highest level of the smoothed curve."""
        return max(smooth(self.means))


def measured(rollouts: pl.DataFrame, column: str) -> Measured | None:
    """A column of a run's rollouts, group by group: of each step, every group's sum and how many of its rows
    have a value. None where no row has one.
    """
    value = pl.col(column).cast(pl.Float64)
    table = (
        rollouts.filter(value.is_not_null())
        .group_by("step", "group")
        .agg(value.sum().alias("sum"), pl.len().cast(pl.Float64).alias("count"))
        .sort("step", "group")
    )
    if table.is_empty():
        return None
    parts = table.partition_by("step", maintain_order=True)
    return Measured(
        tuple(int(part["step"][0]) for part in parts),
        tuple(part["sum"].to_numpy().astype(np.float64) for part in parts),
        tuple(part["count"].to_numpy().astype(np.float64) for part in parts),
    )


@dataclass(frozen=True, slots=True)
class Reach:
    """When a run reached a level.

    step: the first step whose smoothed value is at least the level; None: never. low, high: the 95 % interval
    over resampled groups, `high` None where it goes beyond the last step. share: of the resamplings, those
    that reach it at all. last: the run's last step. known: false where a step has one group only: then
    nothing says how far it would differ, and there is no interval.
    """

    step: int | None
    low: int | None
    high: int | None
    share: float
    last: int
    known: bool = True


def reach(measured: Measured, level: float, seed: int = 0) -> Reach:
    """When the smoothed curve first reaches `level`.

    The interval comes from drawing the groups of each step anew. It says how well this run's curve is known;
    what another seed of the training would have done it cannot say.

    Example: means .1, .2, .3, .4, .5 smooth to .2, .25, .3, .35, .4: the level .3 is reached at the third.
    """
    means_DT = np.stack(
        [
            _redrawn(sums, counts, seed * 100_003 + place)
            for place, (sums, counts) in enumerate(zip(measured.sums, measured.counts, strict=True))
        ],
        axis=1,
    )
    firsts_D = np.array([_first(smooth(row), level) for row in means_DT.tolist()], dtype=np.float64)
    low, high = np.quantile(firsts_D, [0.025, 0.975], method="inverted_cdf")
    found = _first(smooth(measured.means), level)
    if min(len(sums) for sums in measured.sums) < 2:
        nothing, last = float(np.isfinite(found)), measured.steps[-1]
        return Reach(_step(measured, found), None, None, nothing, last, known=False)
    return Reach(
        _step(measured, found),
        _step(measured, low),
        _step(measured, high),
        float(np.isfinite(firsts_D).mean()),
        measured.steps[-1],
    )


def _redrawn(sums: Floats, counts: Floats, seed: int) -> Floats:
    picks = np.random.default_rng(seed).integers(0, len(sums), size=(DRAWS, len(sums)))
    return sums[picks].sum(axis=1) / counts[picks].sum(axis=1)


def _first(values: list[float], level: float) -> float:
    """The place of the first value that is at least the level, but for rounding; infinite when there is
    none.
    """
    return next((float(place) for place, value in enumerate(values) if value >= level - 1e-9), np.inf)


def _step(measured: Measured, place: float) -> int | None:
    return measured.steps[int(place)] if np.isfinite(place) else None
