"""Who decides: each term's share of the variance that a group learns from, against its nominal weight
(over the same steps, where it changes).

A term's share is Cov(what it adds, total) / Var(total), both centred inside groups. The shares add up to 1;
one is negative where a term runs against the total.
"""

from dataclasses import dataclass

import numpy as np

from salon.diagnosis.estimates import block_sums, bonferroni_z, excludes, resampled
from salon.diagnosis.finding import Act, Finding, Number, Unchecked
from salon.diagnosis.pages.words import listed, with_interval
from salon.diagnosis.table import Bools, Floats, Table
from salon.number_text import decimal

from .enough_data import FEWEST, comparable, lacking, needs_weighted_terms

FAR = 0.25
SOME = 0.15
HOLLOW = 1 / 3
"""A share that differs from the nominal weight by .25 for sure is a problem, by .15 a notice. From a third of
the weight in dead, compressed or redundant terms on, a light term that decides is underweighted."""
_LEAST = 1e-12


@dataclass(frozen=True, slots=True)
class Shares:
    """Effective shares of the live terms, in order, and each term's correlation with the total."""

    names: tuple[str, ...]
    share: tuple[Number, ...]
    with_total: tuple[Number, ...]
    rows: int


def shares(table: Table, chosen_N: Bools | None = None) -> Shares | None:
    """Effective shares over the chosen rows that have every live term; None when nothing varies."""
    live = [term for term in table.live if term.name in table.scored]
    rows_N = np.ones(table.rows, dtype=bool) if chosen_N is None else chosen_N.copy()
    for term in live:
        rows_N &= ~np.isnan(term.added_N)
    if len(live) == 0 or comparable(table, rows_N) < FEWEST:
        return None
    # Only the rows that count enter a group's mean, or a group with a missing score would be off centre.
    added_NK = np.stack(
        [table.centred(np.where(rows_N, term.added_N, np.nan))[rows_N] for term in live], axis=1
    )
    products_C2K = _products(added_NK, table.block_N[rows_N])
    with_total, own = products_C2K.sum(axis=(0, 2)).tolist()
    rounding = _LEAST**2 * sum(float((term.added_N[rows_N] ** 2).sum()) for term in live)
    # Terms that cancel one another leave a total without variance, which nobody has a share of.
    if own <= rounding or with_total <= _LEAST * own:
        return None
    share_K, ratio_K = _shares(products_C2K.sum(axis=0)[None])
    drawn_DK, drawn_ratio_DK = _shares(resampled(products_C2K))
    error_K = drawn_DK.std(axis=0)
    ratio_error_K = np.arctanh(np.clip(drawn_ratio_DK, -0.999999, 0.999999)).std(axis=0)
    count = int(rows_N.sum())
    wide = 1.96
    return Shares(
        tuple(term.name for term in live),
        tuple(
            Number(float(value), float(value - wide * error), float(value + wide * error), count)
            for value, error in zip(share_K[0], error_K, strict=True)
        ),
        tuple(
            _fisher(float(value), wide * float(error), count)
            for value, error in zip(ratio_K[0], ratio_error_K, strict=True)
        ),
        count,
    )


def _fisher(value: float, half: float, count: int) -> Number:
    z = np.arctanh(np.clip(value, -0.999999, 0.999999))
    return Number(value, float(np.tanh(z - half)), float(np.tanh(z + half)), count)


def _products(added_MK: Floats, block_M: np.ndarray) -> Floats:
    """Of each block, every term's products with the total, and with itself: (C, 2, K)."""
    products_MX = np.concatenate([added_MK * added_MK.sum(axis=1, keepdims=True), added_MK**2], axis=1)
    return block_sums(products_MX, block_M).reshape(-1, 2, added_MK.shape[1])


def _shares(products_D2K: Floats) -> tuple[Floats, Floats]:
    with_total_DK, own_DK = products_D2K[:, 0], products_D2K[:, 1]
    least_D = np.maximum(_LEAST * own_DK.sum(axis=1), 1e-300)
    total_D1 = np.maximum(with_total_DK.sum(axis=1), least_D)[:, None]
    below_DK = np.sqrt(own_DK * total_D1)
    ratio_DK = np.where(below_DK > 1e-12 * total_D1, with_total_DK / np.maximum(below_DK, 1e-300), 0.0)
    return with_total_DK / total_D1, ratio_DK


def why_no_shares(table: Table) -> str:
    """What it would take to tell who decides."""
    return (
        needs_weighted_terms(table, 2)
        or lacking(table)
        or "20 rows or more in which every term with a weight has a score, and the total varies inside groups"
    )


def check_dominance(table: Table, found: Shares | None, hollow: set[str]) -> list[Finding | Unchecked]:
    """One finding for the term that decides more than its weight says.

    Args:
        table: the scores.
        found: the effective shares, of the late part where there is one.
        hollow: terms that are saturated, compressed or redundant.
    """
    if found is None or len(found.names) < 2 or lacking(table):
        return [Unchecked("dominance", why_no_shares(table))]
    z = bonferroni_z(len(found.names))
    order = sorted(
        range(len(found.names)),
        key=lambda k: table.late_nominal[found.names[k]] - found.share[k].value,
    )
    top = order[0]
    name, number = found.names[top], found.share[top]
    nominal = table.late_nominal[name]
    empty = sum(table.late_nominal[each] for each in found.names if each in hollow)
    far = excludes(number, nominal + FAR, z, above=True)
    some = excludes(number, nominal + SOME, z, above=True)
    numbers = {f"{each}.effective_share": found.share[k] for k, each in enumerate(found.names)}
    numbers |= {f"{each}.nominal_share": Number(table.late_nominal[each]) for each in found.names}
    underweighted = name not in hollow and empty >= HOLLOW and some and nominal <= 0.25
    if not some:
        said = f"{name} decides most beyond its weight: {decimal(number.value)} against {decimal(nominal)}."
        return [Finding("dominance", "fine", "Terms count by their weight", said, numbers=numbers)]
    lead = f"{name} has {decimal(nominal)} of the weight, and makes {with_interval(number)} of the variance"
    lead += f" that a group learns from{' in the last third of the steps' if table.has_late else ''}"
    if underweighted:
        said = f"{lead}; {decimal(empty)} of the weight lies on terms that stand still, are compressed or say"
        said += " the same."
        remedy = f"Give {name} more weight: it is the signal with real variance."
        title = f"{name} carries the variance at a small weight"
    else:
        light = [
            found.names[k] for k in order[::-1] if found.share[k].value < table.late_nominal[found.names[k]]
        ]
        said = f"{lead}, since it spreads wider than {listed(light, 4)}."
        remedy = (
            "Standardise the terms (compose: {standardize: batch}), so that each counts by its weight; or, if"
            f" {name} should decide, say so in its weight."
        )
        title = f"{name} outweighs its weight"
    level = "problem" if far or underweighted else "notice"
    advice: tuple[tuple[Act, str], ...] = (("more" if underweighted else "standardize", name),)
    urgency = number.value - nominal
    return [Finding("dominance", level, title, said, remedy, (name,), numbers, urgency, advice)]
