"""Means and spreads over a batch or inside groups, as arrays. Pure.

Shape suffixes: _N rows of the batch, _G groups.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

EPSILON = 1e-4
DEAD_SPREAD = 1e-9


def standardized(values_N: Floats, groups_N: Ints, rows_N: Bools, epsilon: float = EPSILON) -> Floats:
    """z = (x − mean) / (std + epsilon) of each row inside its group; 0 for rows that are not counted.

    Only `rows_N` enter the statistics. std is the sample's (n − 1), as in TRL and GDPO (arXiv 2601.05242). A
    group with one counted row, or whose values differ by rounding only (dead), gives exactly 0. For
    statistics over the batch, put all rows in one group.

    Example: [1, 3, 2, 9] with the last row not counted has mean 2 and std 1: [−0.9999, 0.9999, 0, 0].
    """
    count = int(groups_N.max(initial=-1)) + 1
    centred_N = values_N - group_mean(values_N, groups_N, rows_N)[groups_N]
    std_G = group_std(values_N, groups_N, rows_N)
    alive_N = rows_N & ~dead_groups(values_N, groups_N, rows_N, count)[groups_N]
    return np.where(alive_N, centred_N / (std_G[groups_N] + epsilon), 0.0)


def group_mean(values_N: Floats, groups_N: Ints, rows_N: Bools) -> Floats:
    """The mean of each group over counted rows; 0 where a group has none. Shape (G,)."""
    total_G = np.bincount(groups_N, np.where(rows_N, values_N, 0.0))
    return total_G / np.maximum(np.bincount(groups_N, rows_N), 1.0)


def group_std(values_N: Floats, groups_N: Ints, rows_N: Bools) -> Floats:
    """The standard deviation (n − 1) of each group over counted rows; 0 where it has fewer than two. Shape
    (G,).
    """
    deviation_N = values_N - group_mean(values_N, groups_N, rows_N)[groups_N]
    squares_G = np.bincount(groups_N, np.where(rows_N, deviation_N**2, 0.0))
    return np.sqrt(squares_G / np.maximum(np.bincount(groups_N, rows_N) - 1.0, 1.0))


def dead_groups(values_N: Floats, groups_N: Ints, rows_N: Bools, count: int) -> Bools:
    """Groups whose counted values are all equal but for rounding: there is nothing to learn from them. Shape
    (G,).
    """
    low_G, high_G = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(low_G, groups_N[rows_N], values_N[rows_N])
    np.maximum.at(high_G, groups_N[rows_N], values_N[rows_N])
    empty_G = ~np.isfinite(low_G)
    low_G[empty_G] = high_G[empty_G] = 0.0
    size_G = np.maximum(np.maximum(np.abs(low_G), np.abs(high_G)), 1.0)
    return (high_G - low_G) <= DEAD_SPREAD * size_G
