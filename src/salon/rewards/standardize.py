"""Means, spreads and ranks over a batch or inside groups, as arrays. Pure, and safe from overflow: values up
to ±1e308 give finite z-scores.

Shape suffixes: _N rows of the batch, _G groups.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

EPSILON = 1e-4
DEAD_SPREAD = 1e-9
_HUGE = 1e100


def standardized(
    values_N: Floats, groups_N: Ints, rows_N: Bools, epsilon: float = EPSILON, ddof: int = 1
) -> Floats:
    """z = (x − mean) / (std + epsilon) of each row inside its group; 0 for rows that are not counted.

    Only `rows_N` enter the statistics. std is the sample's (n − 1), as in TRL and GDPO (arXiv 2601.05242);
    `ddof` 0 gives the population's. A group with one counted row, or whose values differ by rounding only
    (dead), gives exactly 0. For statistics over the batch, put all rows in one group.

    Multiplying all values by c > 0 leaves z alone but for epsilon: a share of epsilon / std.

    Example: [1, 3, 2, 9] with the last row not counted has mean 2 and std 1: [−0.9999, 0.9999, 0, 0].
    """
    scaled_N, shift_G = rescaled(values_N, groups_N, rows_N)
    mean_G, std_G = moments(scaled_N, groups_N, rows_N, ddof)
    centred_N = scaled_N - mean_G[groups_N]
    alive_N = rows_N & ~_dead(scaled_N, groups_N, rows_N, shift_G)[groups_N]
    spread_N = (std_G + np.ldexp(epsilon, -shift_G))[groups_N]
    return np.divide(centred_N, spread_N, out=np.zeros_like(centred_N), where=alive_N)


def ranked(values_N: Floats, groups_N: Ints, rows_N: Bools) -> Floats:
    """Places inside each group, from −1 (the worst) to 1 (the best); 0 for rows that are not counted.

    (2 × rank − n − 1) / (n − 1), where ranks go from 1 to n over the counted rows of a group and equal values
    share the mean of their ranks; values that differ by rounding only are equal. The mean of a group is 0; a
    group with one counted row gives 0. No scale and no outlier matters.

    Example: [.2, .9, .4, .4] has ranks 1, 4, 2.5, 2.5: [−1, 1, 0, 0].
    """
    found_N = np.zeros(len(groups_N))
    scaled_N, shift_G = rescaled(values_N, groups_N, rows_N)
    at = np.flatnonzero(rows_N)
    if not at.size:
        return found_N
    at = at[np.lexsort((scaled_N[at], groups_N[at]))]
    value_M, group_M = scaled_N[at], groups_N[at]
    begins_M = np.concatenate(([True], group_M[1:] != group_M[:-1]))
    rounding_G = DEAD_SPREAD * _size(scaled_N, groups_N, rows_N, shift_G)
    steps_M = np.concatenate(([True], np.diff(value_M) > rounding_G[group_M[1:]]))
    tie_M = np.cumsum(begins_M | steps_M) - 1
    place_M = np.arange(len(at)) - np.flatnonzero(begins_M)[np.cumsum(begins_M) - 1]
    rank_M = (np.bincount(tie_M, place_M) / np.bincount(tie_M))[tie_M]
    last_M = np.bincount(group_M)[group_M] - 1.0
    found_N[at] = (2.0 * rank_M - last_M) / np.maximum(last_M, 1.0)
    return found_N


def group_mean(values_N: Floats, groups_N: Ints, rows_N: Bools) -> Floats:
    """The mean of each group over counted rows; 0 where a group has none. Shape (G,)."""
    scaled_N, shift_G = rescaled(values_N, groups_N, rows_N)
    return np.ldexp(moments(scaled_N, groups_N, rows_N)[0], shift_G)


def moments(values_N: Floats, groups_N: Ints, rows_N: Bools, ddof: int = 1) -> tuple[Floats, Floats]:
    """Mean and standard deviation of each group over counted rows; 0 where it has too few. Shapes (G,), (G,).

    For values of any size, rescale them first: squares are taken.
    """
    count_G = np.bincount(groups_N, rows_N)
    mean_G = np.bincount(groups_N, np.where(rows_N, values_N, 0.0)) / np.maximum(count_G, 1.0)
    squares_N = np.where(rows_N, values_N - mean_G[groups_N], 0.0) ** 2
    std_G = np.sqrt(np.bincount(groups_N, squares_N) / np.maximum(count_G - ddof, 1.0))
    return mean_G, std_G


def dead_groups(values_N: Floats, groups_N: Ints, rows_N: Bools) -> Bools:
    """Groups whose counted values are all equal but for rounding: there is nothing to learn from them. Shape
    (G,).
    """
    scaled_N, shift_G = rescaled(values_N, groups_N, rows_N)
    return _dead(scaled_N, groups_N, rows_N, shift_G)


def rescaled(values_N: Floats, groups_N: Ints, rows_N: Bools) -> tuple[Floats, Ints]:
    """Counted values in units of 2 ** shift of their group (0 for the others), and shift, of shape (G,).

    shift is 0, and the values are as they were, unless a group has values beyond 1e100: then it brings the
    largest below 1, exactly, so that sums and squares stay finite.
    """
    counted_N = np.where(rows_N, values_N, 0.0)
    peak_G = np.zeros(int(groups_N.max(initial=-1)) + 1)
    np.maximum.at(peak_G, groups_N, np.abs(counted_N))
    shift_G = np.where(peak_G > _HUGE, np.frexp(peak_G)[1], 0).astype(np.int64)
    if not shift_G.any():
        return counted_N, shift_G
    return np.ldexp(counted_N, -shift_G[groups_N]), shift_G


def _size(scaled_N: Floats, groups_N: Ints, rows_N: Bools, shift_G: Ints) -> Floats:
    """Against what rounding is measured: the largest value of a group, and at least 1."""
    size_G = np.ldexp(np.ones(len(shift_G)), -shift_G)
    np.maximum.at(size_G, groups_N[rows_N], np.abs(scaled_N[rows_N]))
    return size_G


def _dead(scaled_N: Floats, groups_N: Ints, rows_N: Bools, shift_G: Ints) -> Bools:
    low_G, high_G = np.full(len(shift_G), np.inf), np.full(len(shift_G), -np.inf)
    np.minimum.at(low_G, groups_N[rows_N], scaled_N[rows_N])
    np.maximum.at(high_G, groups_N[rows_N], scaled_N[rows_N])
    empty_G = np.isinf(low_G)
    low_G[empty_G] = high_G[empty_G] = 0.0
    return (high_G - low_G) <= DEAD_SPREAD * _size(scaled_N, groups_N, rows_N, shift_G)
