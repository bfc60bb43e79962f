"""Estimates and their intervals. Pure numpy.

How intervals are made:

- shares: Wilson's score interval;
- everything else: a bootstrap over whole groups (over rows where there are no groups), since the rows of a
  group resemble each other. Groups are first pooled into at most 1,000 blocks, which keeps a million rows
  cheap, and blocks are drawn 400 times. The interval is the estimate ± z × the draws' standard deviation, for
  correlations on Fisher's scale.

A check that makes m comparisons decides with z at 1 − .025 / m (Bonferroni), and shows the plain 95 %.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from .finding import Number
from .table import Bools, Floats, Ints

DRAWS = 400
_TILE = 64
"""So many columns are correlated with so many others at a time."""
Z_95 = NormalDist().inv_cdf(0.975)


def bonferroni_z(comparisons: int) -> float:
    """The two-sided 5 % quantile of the normal, shared between `comparisons`. z_for(1) is 1.96."""
    return NormalDist().inv_cdf(1 - 0.025 / max(comparisons, 1))


def t_for(freedom: int, comparisons: int = 1) -> float:
    """The same for Student's t, by the Cornish–Fisher expansion; within 2 % from 4 degrees on.

    Example: t_for(10) is 2.228.
    """
    z = bonferroni_z(comparisons)
    terms = (
        (z**3 + z) / (4 * freedom),
        (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2),
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3),
    )
    return z + sum(terms)


def wilson(successes: float, count: int, z: float = Z_95) -> Number:
    """A share with Wilson's interval, which has a width even at 0 and at 1. Needs count ≥ 1.

    Example: wilson(8, 10) is .8 (.490 … .943).
    """
    share, z2 = successes / count, z * z
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = z * math.sqrt(share * (1 - share) / count + z2 / (4 * count**2)) / (1 + z2 / count)
    return Number(share, max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half)), count)


def block_sums(values: Floats, block_N: Ints) -> Floats:
    """Sums of each block: (N,) to (C,), (N, S) to (C, S)."""
    count = int(block_N.max(initial=0)) + 1
    columns_SN = values[None] if values.ndim == 1 else values.T
    sums_SC = np.stack([np.bincount(block_N, column_N, count) for column_N in columns_SN]).astype(np.float64)
    return sums_SC[0] if values.ndim == 1 else sums_SC.T


def resampled(sums_CS: Floats, seed: int = 0, draws: int = DRAWS) -> Floats:
    """The sums over blocks drawn with replacement: (C, …) to (draws, …)."""
    flat_DS = _draw_counts(len(sums_CS), seed, draws) @ sums_CS.reshape(len(sums_CS), -1)
    return flat_DS.reshape(draws, *sums_CS.shape[1:])


@lru_cache(maxsize=8)
def _draw_counts(count: int, seed: int, draws: int) -> Floats:
    """How often each block is drawn: (draws, count)."""
    counts = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), size=draws)
    return counts.astype(np.float64)


def bootstrap(sums_CS: Floats, statistic: Callable[[Floats], Floats], count: int = 0) -> Number:
    """A statistic of sums, with its interval.

    Args:
        sums_CS: S sums of each of C blocks.
        statistic: (D, S) sums to (D,) values; a ratio of two sums, for instance.
        count: the rows behind it, to be shown.
    """
    value = float(statistic(sums_CS.sum(axis=0)[None])[0])
    if len(sums_CS) < 2:
        return Number(value, count=count)
    drawn_D = statistic(resampled(sums_CS))
    drawn_D = drawn_D[~np.isnan(drawn_D)]
    deviation = float(drawn_D.std()) if len(drawn_D) else 0.0
    # Blocks that all say the same have no spread, which is no certainty.
    if deviation < 1e-9 * max(abs(value), 1.0):
        return Number(value, count=count)
    return Number(value, value - Z_95 * deviation, value + Z_95 * deviation, count)


def bootstrap_share(sums_CS: Floats, statistic: Callable[[Floats], Floats], count: int = 0) -> Number:
    """The same for a share, 0 … 1: where all blocks agree, Wilson's interval over the blocks."""
    found = bootstrap(sums_CS, statistic, count)
    if found.low is not None:
        return found
    share = min(max(found.value, 0.0), 1.0)
    around = wilson(share * len(sums_CS), len(sums_CS))
    return Number(found.value, around.low, around.high, count)


def ratio(over_N: Floats, under_N: Floats, block_N: Ints) -> Number:
    """Σ over / Σ under, by block: a mean, when `under` counts rows."""
    sums_C2 = block_sums(np.stack([over_N, under_N], axis=1), block_N)

    def divided(sums_D2: Floats) -> Floats:
        return sums_D2[:, 0] / np.where(sums_D2[:, 1] == 0, np.nan, sums_D2[:, 1])

    return bootstrap(sums_C2, divided, int(under_N.sum()))


def excludes(number: Number, border: float, z: float, above: bool) -> bool:
    """Whether the estimate lies above (below) `border` by more than its interval, widened to z."""
    if number.low is None or number.high is None:
        return False
    room = (number.value - number.low if above else number.high - number.value) * z / Z_95
    return number.value - room > border if above else number.value + room < border


# ---- ranks and correlations ------------------------------------------------------------------------------


def ranked(values_N: Floats, group_N: Ints | None = None) -> Floats:
    """Ranks from 1, ties averaged; inside each group when groups are given. NaN stays NaN.

    Example: [10, 20, 20, NaN] has the ranks [1, 2.5, 2.5, NaN].
    """
    rank_N = np.full(len(values_N), np.nan)
    there = np.flatnonzero(~np.isnan(values_N))
    if not len(there):
        return rank_N
    known = values_N[there]
    code = np.zeros(len(there), np.int64) if group_N is None else group_N[there]
    order = np.lexsort((known, code)) if group_N is not None else np.argsort(known, kind="stable")
    sorted_known, sorted_code = known[order], code[order]
    new_group = np.r_[True, sorted_code[1:] != sorted_code[:-1]]
    new_value = new_group | np.r_[True, sorted_known[1:] != sorted_known[:-1]]
    start = np.flatnonzero(new_value)
    end = np.r_[start[1:], len(order)]
    group_start = np.maximum.accumulate(np.where(new_group, np.arange(len(order)), 0))
    run = np.cumsum(new_value) - 1
    position = (start[run] + end[run] - 1) / 2 - group_start + 1
    rank_N[there[order]] = position
    return rank_N


@dataclass(frozen=True, slots=True)
class Correlations:
    """A matrix of correlations with 95 % intervals. Cells without a spread are 0."""

    value_KK: Floats
    low_KK: Floats
    high_KK: Floats
    error_KK: Floats

    def number(self, i: int, j: int) -> Number:
        """One cell."""
        return Number(float(self.value_KK[i, j]), float(self.low_KK[i, j]), float(self.high_KK[i, j]))

    def at_least(self, z: float) -> Floats:
        """The lower end of |ρ|'s interval, at z. Shape (K, K)."""
        return np.tanh(np.maximum(np.arctanh(_inside(np.abs(self.value_KK))) - z * self.error_KK, 0.0))


def correlated(values_NK: Floats, block_N: Ints) -> Correlations:
    """Pearson's ρ of every pair of columns, over the rows that have both.

    Args:
        values_NK: N rows, K columns; NaN where missing. Centre them inside groups for correlations inside
            groups, rank them for Spearman's.
        block_N: blocks of the bootstrap.
    """
    columns = _columns(values_NK, block_N)
    size = values_NK.shape[1]
    value_KK, error_KK = np.zeros((size, size)), np.zeros((size, size))
    # Tile by tile: of 300 columns and 1,000 blocks, all sums at once would be gigabytes.
    for first in range(0, size, _TILE):
        for second in range(first, size, _TILE):
            one, other = slice(first, first + _TILE), slice(second, second + _TILE)
            value_KK[one, other], error_KK[one, other] = _tile(columns, one, other)
            value_KK[other, one], error_KK[other, one] = value_KK[one, other].T, error_KK[one, other].T
    z_KK = np.arctanh(_inside(value_KK))
    return Correlations(value_KK, np.tanh(z_KK - Z_95 * error_KK), np.tanh(z_KK + Z_95 * error_KK), error_KK)


def _inside(value: Floats) -> Floats:
    return np.clip(value, -0.999999, 0.999999)


@dataclass(frozen=True, slots=True)
class _Columns:
    """Columns on one scale, 0 where missing, sorted by block. mask_NK: 1 where there is a value. spans: where
    each block begins and ends.
    """

    part_NK: Floats
    mask_NK: Floats
    spans: Sequence[tuple[int, int]]

    def sums(self, a_NI: Floats, b_NJ: Floats) -> Floats:
        """Products of every pair of columns, by block: (C, I, J)."""
        return np.stack([a_NI[start:end].T @ b_NJ[start:end] for start, end in self.spans])


def _columns(values_NK: Floats, block_N: Ints) -> _Columns:
    middle_K = _known_mean(values_NK)
    scale_K = np.sqrt(_known_mean((values_NK - middle_K) ** 2))
    order_N = np.argsort(block_N, kind="stable")
    ends = np.cumsum(np.bincount(block_N, minlength=int(block_N.max(initial=0)) + 1)).tolist()
    part_NK = (values_NK[order_N] - middle_K) / np.where(scale_K > 0, scale_K, 1.0)
    there_NK = ~np.isnan(part_NK)
    part_NK = np.where(there_NK, part_NK, 0.0)
    return _Columns(part_NK, there_NK.astype(np.float64), list(zip([0, *ends[:-1]], ends, strict=True)))


def _tile(columns: _Columns, one: slice, other: slice) -> tuple[Floats, Floats]:
    """ρ of each of some columns with each of others, and its error on Fisher's scale: (I, J) each."""
    a_NI, b_NJ = columns.part_NK[:, one], columns.part_NK[:, other]
    have_NI, have_NJ = columns.mask_NK[:, one], columns.mask_NK[:, other]
    if have_NI.all() and have_NJ.all():
        # Without missing values only the products are of pairs.
        have_NI, have_NJ = have_NI[:, :1], have_NJ[:, :1]
    sums = (
        columns.sums(have_NI, have_NJ),
        columns.sums(a_NI, have_NJ),
        columns.sums(have_NI, b_NJ),
        columns.sums(a_NI**2, have_NJ),
        columns.sums(have_NI, b_NJ**2),
        columns.sums(a_NI, b_NJ),
    )
    value_IJ = _pearson(*(each.sum(axis=0) for each in sums))
    alone_IJ = 1 / np.sqrt(np.maximum(sums[0].sum(axis=0) - 3, 1))
    if len(columns.spans) < 10:
        return value_IJ, np.broadcast_to(alone_IJ, value_IJ.shape)
    drawn_DIJ = np.arctanh(_inside(_pearson(*(resampled(each, draws=200) for each in sums))))
    error_IJ = drawn_DIJ.std(axis=0)
    # Columns that go together in every block have an error of 0; their rows still are only so many.
    return value_IJ, np.where(error_IJ < 1e-9, alone_IJ, error_IJ)


def _known_mean(values_NK: Floats) -> Floats:
    """The mean of each column's values that are there; 0 without any."""
    there = ~np.isnan(values_NK)
    return np.where(there, values_NK, 0.0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)


def _pearson(n: Floats, s_i: Floats, s_j: Floats, q_i: Floats, q_j: Floats, p: Floats) -> Floats:
    """ρ of counts, of sums and sums of squares of either column, and of sums of products."""
    spread_i, spread_j = n * q_i - s_i**2, n * q_j - s_j**2
    below = np.sqrt(np.maximum(spread_i, 0.0) * np.maximum(spread_j, 0.0))
    # A spread of rounding errors is none.
    alive = below > 1e-9 * np.maximum(n, 1.0) ** 2
    return np.where(alive, (n * p - s_i * s_j) / np.where(alive, below, 1.0), 0.0)


# ---- curves over steps -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trend:
    """How much a curve changed from its first to its last step, by a straight line through its bins."""

    change: float
    error: float
    freedom: int

    def number(self, comparisons: int = 1) -> Number:
        """The change with its interval by Student's t."""
        half = t_for(self.freedom, comparisons) * self.error
        return Number(self.change, self.change - half, self.change + half, self.freedom + 2)


def step_means(values_N: Floats, step_N: Ints) -> tuple[Ints, Floats, Ints]:
    """The mean of each step: steps (T,), means (T,), and the counts behind them (T,). NaN rows are left out;
    so is a step without any.
    """
    there_N = ~np.isnan(values_N)
    steps, code = np.unique(step_N[there_N], return_inverse=True)
    count_T = np.bincount(code, minlength=len(steps))
    return steps, np.bincount(code, values_N[there_N], len(steps)) / np.maximum(count_T, 1), count_T


def trend(values_N: Floats, step_N: Ints, bins: int = 12) -> Trend | None:
    """The change over the run, by least squares on the means of up to 12 stretches of steps.

    Stretches, and not steps, since neighbouring steps of a run resemble each other; their scatter around the
    line gives the error. None with fewer than 6 stretches.
    """
    steps, mean_T, count_T = step_means(values_N, step_N)
    if len(steps) < 6:
        return None
    stretch_T = np.arange(len(steps)) * min(bins, len(steps)) // len(steps)
    weight_B = np.bincount(stretch_T, count_T)
    y_B = np.bincount(stretch_T, count_T * mean_T) / weight_B
    x_B = np.bincount(stretch_T, count_T * steps) / weight_B
    x_B = (x_B - steps[0]) / (steps[-1] - steps[0])
    along = x_B - x_B.mean()
    slope = float(along @ y_B / (along @ along))
    left = y_B - y_B.mean() - slope * along
    freedom = len(y_B) - 2
    error = math.sqrt(float(left @ left) / freedom / float(along @ along))
    return Trend(slope, error, freedom)


def spread_by(code_N: Ints, centred_N: Floats, group_N: Ints, count: int) -> Floats:
    """The spread inside groups, pooled over the rows of each code: √(Σ squares / Σ (n − 1)). Shape (count,).

    NaN where no group has two values.
    """
    there_N = ~np.isnan(centred_N)
    squares = np.bincount(code_N[there_N], centred_N[there_N] ** 2, count)
    rows = np.bincount(code_N[there_N], minlength=count)
    pair = code_N[there_N] * (int(group_N.max(initial=0)) + 1) + group_N[there_N]
    groups = np.bincount(_firsts(code_N[there_N], pair), minlength=count)
    freedom = rows - groups
    return np.where(freedom > 0, np.sqrt(squares / np.maximum(freedom, 1)), np.nan)


def _firsts(code_M: Ints, pair_M: Ints) -> Ints:
    """The code of one row for each distinct pair."""
    _, first = np.unique(pair_M, return_index=True)
    return code_M[first]


def mean_where(values_N: Floats, rows_N: Bools) -> float:
    """The mean over the rows that are chosen and there; 0 without any."""
    chosen = values_N[rows_N & ~np.isnan(values_N)]
    return float(chosen.mean()) if len(chosen) else 0.0
