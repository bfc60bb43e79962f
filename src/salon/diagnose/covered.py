"""How much of a run's pictures is paint, so that a reward that pays for it is found."""

from dataclasses import replace

import numpy as np

from salon.diagnose.table import Bools, Ints, Table
from salon.errors import StoreError
from salon.media.paint import coverage
from salon.raster import to_picture
from salon.store import Run

LEAST_PICTURES, MOST_PICTURES = 24, 480
"""So many pictures are read at most, in whole groups, evenly over the steps; from a few nothing follows."""


def with_coverage(table: Table) -> Table:
    """A run's table with `coverage` beside its scores: NaN for rows whose picture was not read.

    What failed, or was refused by a gate, is left out: that blank paper is at the floor is no bias.
    """
    if table.run is None or table.pictures is None or "coverage" in table.beside:
        return table
    painted_N = _painted(table)
    rows_M = _chosen(table, painted_N)
    if not len(rows_M):
        return table
    run = Run.open(table.run)
    known: dict[str, float] = {}
    coverage_N = np.full(table.rows, np.nan)
    for row in rows_M.tolist():
        key = table.pictures[row]
        assert key is not None
        if key not in known:
            known[key] = _coverage(run, key)
        coverage_N[row] = known[key]
    if (~np.isnan(coverage_N)).sum() < LEAST_PICTURES:
        return table
    return replace(table, beside={**table.beside, "coverage": coverage_N})


def _painted(table: Table) -> Bools:
    assert table.pictures is not None
    painted_N = np.array([key is not None for key in table.pictures])
    if table.failed_N is not None:
        painted_N &= ~table.failed_N
    for term in table.terms:
        if term.role == "gate":
            painted_N &= ~(term.raw_N <= 0)
    return painted_N


def _chosen(table: Table, painted_N: Bools) -> Ints:
    """The painted rows of evenly chosen groups with at least two of them."""
    count_G = np.bincount(table.group_N[painted_N], minlength=table.groups)
    groups = np.flatnonzero(count_G >= 2)
    wanted = max(1, int(MOST_PICTURES / count_G[groups].mean())) if len(groups) else 0
    if len(groups) > wanted:
        groups = groups[np.unique(np.linspace(0, len(groups) - 1, wanted).round().astype(int))]
    return np.flatnonzero(painted_N & np.isin(table.group_N, groups))


def _coverage(run: Run, key: str) -> float:
    """NaN where the file is lost or broken."""
    try:
        return coverage(to_picture(run.picture_path(key).read_bytes()))
    except (OSError, ValueError, StoreError):
        return float("nan")
