"""Weights of a proposal: rounded to what a person writes, and moved only as far as the data ask for."""

import numpy as np

from salon.diagnosis.table import Floats

TOLERANCE = 0.1
"""How far what a term decides may lie from its share of the weight."""
_TWENTIETH, _HUNDREDTH, _THOUSANDTH = 0.05, 0.01, 0.001


def rounded(shares_K: Floats, room: float = 1.0, step: float = _TWENTIETH) -> Floats:
    """Weights near shares × room, which add up to room, none below one step: in twentieths where that leaves
    none without, else in hundredths, thousandths and so on. By largest remainders, so that none is negative.

    Args:
        shares_K: K ≥ 1 numbers, not negative; all 0 means equal ones.
        room: what they add up to, a multiple of .05.
        step: the coarsest that is tried: .05, or a power of ten.

    Example: (.31, .69) in a room of .9 is (.30, .60).
    """
    shares_K = np.maximum(np.nan_to_num(shares_K), 0.0)
    shares_K = shares_K / shares_K.sum() if shares_K.sum() > 0 else np.full(len(shares_K), 1 / len(shares_K))
    fits = len(shares_K) <= 8 and float(shares_K.min()) * room >= 0.8 * _TWENTIETH
    step = min(step, _HUNDREDTH) if not fits else step
    while 2 * len(shares_K) * step > room and step > 1e-6:
        step /= 5 if step == _TWENTIETH else 10
    units = round(room / step)
    # Each has one step; the others go where they are wanted.
    spare = units - len(shares_K)
    wanted_K = np.maximum(shares_K * units - 1, 0.0)
    wanted_K = (
        wanted_K * spare / wanted_K.sum()
        if wanted_K.sum() > 0
        else np.full(len(shares_K), spare / len(shares_K))
    )
    whole_K = np.floor(wanted_K + 1e-9)
    left = round(spare - float(whole_K.sum()))
    whole_K[np.argsort(whole_K - wanted_K, kind="stable")[:left]] += 1
    return np.round((1 + whole_K) * step, 9)


def decided(weights_K: Floats, products_KK: Floats) -> Floats:
    """Each term's share of the total's variance, under weights.

    Args:
        products_KK: Σ over rows of products of the normalised terms, centred inside groups.
    """
    with_total_K = weights_K * (products_KK @ weights_K)
    whole = float(with_total_K.sum())
    return with_total_K / whole if whole > 0 else np.full(len(weights_K), np.nan)


def distance(weights_K: Floats, products_KK: Floats) -> float:
    """How far the shares lie from the weights at most; infinite where nothing varies."""
    off = np.abs(decided(weights_K, products_KK) - weights_K / weights_K.sum()).max()
    return float(off) if np.isfinite(off) else float("inf")


def balanced(target_K: Floats, products_KK: Floats, room: float = 1.0) -> Floats:
    """The weights nearest to a target under which each term decides what it weighs, within .1.

    They lie on the way from the target to the weights under which shares and weights are the same: those that
    make the total's variance least, of weights that are not negative.
    """
    own_K = np.diagonal(products_KK)
    # What does not vary decides nothing at any weight.
    moves_K = own_K > 1e-9 * float(own_K.max(initial=0.0))
    if not moves_K.any():
        return rounded(target_K, room)
    target_K = np.where(moves_K, target_K, 0.0)
    target_K = target_K / target_K.sum() if target_K.sum() > 0 else moves_K / moves_K.sum()
    level_K = np.zeros(len(target_K))
    level_K[moves_K] = _least_variance(products_KK[np.ix_(moves_K, moves_K)])
    best_K, nearest = rounded(target_K, room), float("inf")
    for toward in np.linspace(0.0, 1.0, 21):
        mixed_K = (1 - toward) * target_K + toward * level_K
        for step in (_TWENTIETH, _HUNDREDTH, _THOUSANDTH) if toward == 1 else (_TWENTIETH, _HUNDREDTH):
            weights_K = rounded(mixed_K, room, step)
            off = distance(weights_K, products_KK)
            if off <= TOLERANCE - 0.005:
                return weights_K
            if off < nearest:
                best_K, nearest = weights_K, off
    return best_K


def _least_variance(products_KK: Floats) -> Floats:
    """Weights ≥ 0 that add up to 1 and make the variance least: with these, S w is the same for all used."""
    count = len(products_KK)
    used = np.arange(count)
    size = float(np.trace(products_KK)) or 1.0
    ridged_KK = products_KK + 1e-6 * size / count * np.eye(count)
    while len(used):
        solved = np.linalg.solve(ridged_KK[np.ix_(used, used)], np.ones(len(used)))
        if (solved > 0).all() or len(used) == 1:
            weights_K = np.zeros(count)
            weights_K[used] = np.abs(solved) / np.abs(solved).sum()
            return weights_K
        used = used[solved > 0] if (solved > 0).any() else used[:1]
    return np.full(count, 1 / count)
