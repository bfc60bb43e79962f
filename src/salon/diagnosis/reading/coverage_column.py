"""How much of a run's pictures is paint, so that a reward that pays for it is found."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from salon.diagnosis.table import Bools, Ints, Table
from salon.errors import RecipeError, StoreError
from salon.media.paint_coverage import coverage
from salon.pool.references import TIERS, rated_files
from salon.raster import to_picture
from salon.store.runs import Run

LEAST_PICTURES, MOST_PICTURES, MOST_RATED = 24, 320, 160
"""So many pictures are read at most, in whole groups, evenly over the steps; from a few nothing follows."""


def with_coverage(table: Table) -> Table:
    """A run's table with `coverage` beside its scores: NaN for rows whose picture was not read.

    What failed, or was refused by a gate, is left out: that blank paper is at the floor is no bias. Where the
    reward compares with a pool, `shared` has how far the ratings in it go by coverage, too: what the raters
    want is no bias either.
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
    rated = _ratings_by_coverage(table.specs)
    shared = table.shared if rated is None else {**table.shared, "coverage": rated}
    return replace(table, beside={**table.beside, "coverage": coverage_N}, shared=shared)


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


def _ratings_by_coverage(specs: Mapping[str, Mapping[str, Any]]) -> float | None:
    """The correlation of tier and coverage in a reward's first pool; None where there is none to read."""
    named = (spec["args"]["pool"] for spec in specs.values() if "pool" in (spec.get("args") or {}))
    name = next(named, None)
    if not isinstance(name, str):
        return None
    try:
        rated = rated_files(name)
        rated = rated[:: -(-len(rated) // MOST_RATED)]
        coverage_M = np.array([coverage(to_picture(file.read_bytes())) for file, _ in rated])
    except (RecipeError, OSError, ValueError):
        return None
    rank_M = np.array([-TIERS.index(tier) for _, tier in rated], dtype=np.float64)
    if len(rated) < LEAST_PICTURES or not rank_M.std() or not coverage_M.std():
        return None
    return float(np.corrcoef(rank_M, coverage_M)[0, 1])


def _coverage(run: Run, key: str) -> float:
    """NaN where the file is lost or broken."""
    try:
        return coverage(to_picture(run.read_picture(key)))
    except (OSError, ValueError, StoreError):
        return float("nan")
