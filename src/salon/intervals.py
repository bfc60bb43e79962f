"""95 % intervals for shares and for means of clustered outcomes. Pure; no outcome, no interval: None, never
NaN.
"""

import math
from collections.abc import Hashable, Sequence

import numpy as np

Z_95 = 1.959963984540054
Interval = tuple[float, float]
FEW = 6
"""Units below which a bootstrap's ends are not trusted."""


def wilson(successes: float, count: int) -> Interval | None:
    """Wilson's score interval for a share: it stays inside 0 … 1 and has a width even at 0 and at 1.

    Args:
        successes: 0 … count; halves (ties) are allowed.
        count: trials.

    Returns:
        (low, high), or None without trials. Example: wilson(8, 10) is about (0.490, 0.943).

    Source: E. B. Wilson, JASA 22 (1927).
    """
    if count == 0:
        return None
    share, z2 = successes / count, Z_95**2
    centre = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = Z_95 * math.sqrt(share * (1 - share) / count + z2 / (4 * count**2)) / (1 + z2 / count)
    return max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half))


def bootstrap_mean(
    outcomes: Sequence[float], clusters: Sequence[Hashable], seed: int = 0, draws: int = 4000
) -> Interval | None:
    """Percentile interval of the mean outcome, with whole clusters drawn at random.

    Outcomes of one cluster (one prompt) resemble each other: to draw them one by one would make the interval
    too narrow. Where the means of all clusters are equal, or there is one cluster only, a bootstrap has no
    width, and Wilson's interval over the clusters is given instead; with fewer than FEW clusters, whose
    bootstrap is too narrow, the wider ends of both.

    Args:
        outcomes: N numbers, 0 … 1.
        clusters: N keys; all different means that outcomes are drawn one by one.
        seed: of the draws.
        draws: how many.

    Returns:
        (low, high) with the mean inside, or None without outcomes.
    """
    if not outcomes:
        return None
    names = list(dict.fromkeys(clusters))
    mean = float(np.mean(outcomes))
    place = {name: index for index, name in enumerate(names)}
    codes_N = np.array([place[name] for name in clusters])
    sums_C = np.bincount(codes_N, weights=np.asarray(outcomes, dtype=np.float64))
    sizes_C = np.bincount(codes_N)
    if np.ptp(sums_C / sizes_C) < 1e-12:
        return wilson(mean * len(names), len(names))
    picks_DC = np.random.default_rng(seed).integers(0, len(names), size=(draws, len(names)))
    means_D = sums_C[picks_DC].sum(axis=1) / sizes_C[picks_DC].sum(axis=1)
    low, high = np.quantile(means_D, [0.025, 0.975])
    return widened((min(float(low), mean), max(float(high), mean)), mean, len(names))


def widened(interval: Interval, mean: float, units: int) -> Interval:
    """A bootstrap's interval of a mean in 0 … 1, with the wider ends of Wilson's where there are few units: a
    handful of observations resampled look more certain than they are, and equal ones have no width at all.

    Args:
        units: how many independent observations there are: prompts, pictures, disjoint pairs.

    Example: two units that were both right are no 1.0 to 1.0: widened((1.0, 1.0), 1.0, 2) is (0.34, 1.0).
    """
    low, high = interval
    if units >= FEW and high - low > 1e-9:
        return interval
    few = wilson(mean * units, units) or (0.0, 1.0)
    return min(low, few[0]), max(high, few[1])
