"""Do the scores agree with people? Pair accuracy, Kendall's tau, and the weights they imply."""

from dataclasses import dataclass

import numpy as np

from salon.diagnosis.estimates import (
    DRAWS,
    Z_95,
    block_sums,
    bonferroni_z,
    bootstrap,
    bootstrap_share,
    excludes,
)
from salon.diagnosis.finding import Act, Finding, Number, Unchecked
from salon.diagnosis.pages.words import listed, percent, with_interval
from salon.diagnosis.table import Floats, Ints, Table
from salon.number_text import decimal

ENOUGH = 50
CHANCE = 0.5
MOST_OFFSETS = 32
MOST_FIT = 10_000
BETTER = 0.05
"""Fewer than 50 pairs say nothing. Weights are fitted on at most 10,000 pairs; .05 more accuracy on pairs
that they were not fitted on is worth telling."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How the total and each term agree with people, in the order of `names` (the first is "the total").

    accuracy: the share of pairs inside a group that are ordered as people order them, ties counting half.
    tau: Kendall's tau-b inside groups. fitted: each live term's share in a logistic fit of people's choices
    on differences in units of the term's spread; it is signed, and sizes add up to 1. implied: the weights
    for raw scores that this means, scaled to the sum of today's. held_out: accuracy of the fitted weights,
    and of today's, on pairs that were not fitted.
    """

    names: tuple[str, ...]
    accuracy: tuple[Number, ...]
    tau: tuple[Number, ...]
    pairs: int
    fitted: dict[str, Number]
    implied: dict[str, float]
    held_out: tuple[float, float] | None


def agreement(table: Table) -> Agreement | None:
    """None without a human label, or with fewer than 50 pairs that people order."""
    if table.human_N is None or not table.terms:
        return None
    first, second = _pairs(table)
    ordered = np.sign(table.human_N[first] - table.human_N[second])
    if (ordered != 0).sum() < ENOUGH:
        return None
    block = _pair_unit(table)[first] % 1000
    columns = {"the total": table.total_N} | {term.name: term.raw_N for term in table.terms}
    accuracy: list[Number] = []
    tau: list[Number] = []
    for values_N in columns.values():
        found = _of_column(values_N[first] - values_N[second], ordered, block)
        accuracy.append(found[0])
        tau.append(found[1])
    fitted, implied, held_out = _fit(table, first, second, ordered, block)
    return Agreement(
        tuple(columns), tuple(accuracy), tuple(tau), int((ordered != 0).sum()), fitted, implied, held_out
    )


def _pair_unit(table: Table) -> Ints:
    """Groups; without groups, random eights, so that pairs of different eights share no row."""
    if table.grouped:
        return table.group_N
    return np.random.default_rng(0).permutation(table.rows) // 8


def _pairs(table: Table) -> tuple[Ints, Ints]:
    """Pairs of labelled rows inside each group; in groups of more than 33, only each row's 32 neighbours."""
    assert table.human_N is not None
    unit_N = _pair_unit(table)
    rows = np.flatnonzero(~np.isnan(table.human_N))
    rows = rows[np.argsort(unit_N[rows], kind="stable")]
    unit = unit_N[rows]
    firsts: list[Ints] = []
    seconds: list[Ints] = []
    for offset in range(1, MOST_OFFSETS + 1):
        same = unit[offset:] == unit[:-offset]
        if not same.any():
            break
        firsts.append(rows[:-offset][same])
        seconds.append(rows[offset:][same])
    none = np.zeros(0, np.int64)
    return (np.concatenate(firsts), np.concatenate(seconds)) if firsts else (none, none)


def _of_column(change_P: Floats, ordered_P: Floats, block_P: Ints) -> tuple[Number, Number]:
    known_P = ~np.isnan(change_P)
    sign, order, block = np.sign(change_P[known_P]), ordered_P[known_P], block_P[known_P]
    agree, against = sign * order > 0, sign * order < 0
    tied_score, tied_label = (sign == 0) & (order != 0), (sign != 0) & (order == 0)
    if not (order != 0).any():
        return Number(CHANCE), Number(0.0)
    sums_C4 = block_sums(np.stack([agree, against, tied_score, tied_label], axis=1).astype(np.float64), block)
    sums_C4 = sums_C4[sums_C4.sum(axis=1) > 0]

    def accuracy(sums: Floats) -> Floats:
        told = sums[:, 0] + sums[:, 1] + sums[:, 2]
        return (sums[:, 0] + sums[:, 2] / 2) / np.maximum(told, 1)

    def tau_b(sums: Floats) -> Floats:
        decided = sums[:, 0] + sums[:, 1]
        below = np.sqrt((decided + sums[:, 2]) * (decided + sums[:, 3]))
        return (sums[:, 0] - sums[:, 1]) / np.maximum(below, 1)

    count = int((order != 0).sum())
    return bootstrap_share(sums_C4, accuracy, count), bootstrap(sums_C4, tau_b, count)


# ---- the weights that people's choices imply -------------------------------------------------------------


def _fit(
    table: Table, first: Ints, second: Ints, ordered_P: Floats, block_P: Ints
) -> tuple[dict[str, Number], dict[str, float], tuple[float, float] | None]:
    live = table.live
    if len(live) < 2:
        return {}, {}, None
    change_PK = np.stack([term.raw_N[first] - term.raw_N[second] for term in live], axis=1)
    chosen = np.flatnonzero((ordered_P != 0) & ~np.isnan(change_PK).any(axis=1))
    if len(chosen) < ENOUGH:
        return {}, {}, None
    if len(chosen) > MOST_FIT:
        chosen = np.sort(np.random.default_rng(0).choice(chosen, MOST_FIT, replace=False))
    change_PK, order, block = change_PK[chosen], ordered_P[chosen], block_P[chosen]
    spread_K = np.sqrt((change_PK**2).mean(axis=0) / 2)
    moving_K = spread_K > 0
    scaled_PK = order[:, None] * change_PK / np.where(moving_K, spread_K, 1.0)
    ones = np.ones(len(order))
    weight_K = logistic_weights(scaled_PK, ones)
    drawn_DK = _drawn(scaled_PK, block)
    size = float(np.abs(weight_K).sum()) or 1.0
    error_K = (drawn_DK / np.maximum(np.abs(drawn_DK).sum(axis=1, keepdims=True), 1e-12)).std(axis=0)
    fitted = {
        term.name: Number(value, value - Z_95 * error, value + Z_95 * error, len(order))
        for term, value, error in zip(live, (weight_K / size).tolist(), error_K.tolist(), strict=True)
    }
    raw_K = np.where(moving_K, weight_K / np.where(moving_K, spread_K, 1.0), 0.0)
    whole = sum(abs(term.weight) for term in live) / (float(np.abs(raw_K).sum()) or 1.0)
    implied = {term.name: float(value * whole) for term, value in zip(live, raw_K, strict=True)}
    today_P = order * (table.total_N[first] - table.total_N[second])[chosen]
    return fitted, implied, _held_out(scaled_PK, today_P, block)


def logistic_weights(scaled_PK: Floats, count_P: Floats) -> Floats:
    """Weights w that make Σ count · log σ(x·w) − |w|²/2 largest: a Bradley–Terry fit with a small ridge.

    Args:
        scaled_PK: for each pair the preferred one's scores minus the other's, in units of their spread.
        count_P: how often each pair counts.

    Example: pairs that x orders rightly in three of four cases: w is close to ln 3 = 1.1 for |x| = 1.
    """
    weight_K = np.zeros(scaled_PK.shape[1])
    for _ in range(12):
        chance_P = 0.5 * (1 + np.tanh(scaled_PK @ weight_K / 2))
        slope_K = scaled_PK.T @ (count_P * (1 - chance_P)) - weight_K
        bend_P = count_P * chance_P * (1 - chance_P)
        bend_KK = (scaled_PK * bend_P[:, None]).T @ scaled_PK + np.eye(len(weight_K))
        change_K = np.linalg.solve(bend_KK, slope_K)
        weight_K = weight_K + change_K
        if float(np.abs(change_K).max()) < 1e-6:
            break
    return weight_K


def _drawn(scaled_PK: Floats, block_P: Ints) -> Floats:
    """The fit on 60 draws of whole blocks."""
    _, code_P = np.unique(block_P, return_inverse=True)
    blocks = int(code_P.max()) + 1
    rng = np.random.default_rng(0)
    draws = [rng.multinomial(blocks, np.full(blocks, 1 / blocks)) for _ in range(min(60, DRAWS))]
    return np.stack([logistic_weights(scaled_PK, draw[code_P].astype(np.float64)) for draw in draws])


def _held_out(scaled_PK: Floats, today_P: Floats, block_P: Ints) -> tuple[float, float] | None:
    """Accuracy of weights fitted on the other half of the blocks, and of today's total, on the same pairs."""
    half_P = block_P % 2 == 0
    if min(half_P.sum(), (~half_P).sum()) < ENOUGH / 2 or np.isnan(today_P).any():
        return None
    right = 0.0
    for part_P in (half_P, ~half_P):
        weight_K = logistic_weights(scaled_PK[~part_P], np.ones(int((~part_P).sum())))
        right += float(_rightness(scaled_PK[part_P] @ weight_K).sum())
    return right / len(scaled_PK), float(_rightness(today_P).mean())


def _rightness(margin_P: Floats) -> Floats:
    return np.where(margin_P == 0, 0.5, margin_P > 0)


# ---- findings --------------------------------------------------------------------------------------------


def check_agreement(table: Table, found: Agreement | None) -> list[Finding | Unchecked]:
    """Whether the total agrees with people, which terms pull against them, and what weights people imply."""
    if table.orders and not table.terms:
        return []
    if found is None:
        return [
            Unchecked("agreement", f"a column `human` with a label for {ENOUGH} pairs of answers or more")
        ]
    numbers = {f"{name}.accuracy": each for name, each in zip(found.names, found.accuracy, strict=True)}
    numbers |= {f"{name}.tau": each for name, each in zip(found.names, found.tau, strict=True)}
    numbers |= {f"{name}.fitted": each for name, each in found.fitted.items()}
    total = found.accuracy[0]
    z = bonferroni_z(len(found.names))
    against = [
        name
        for name, each in zip(found.names[1:], found.accuracy[1:], strict=True)
        if table.term(name).counts and table.term(name).weight > 0 and excludes(each, 0.47, z, above=False)
    ]
    said = f"The total orders {with_interval(total, as_percent=True)} of {total.count:,} pairs as people do"
    said += f" (tau {decimal(found.tau[0].value)})."
    if against:
        verb = "orders" if len(against) == 1 else "order"
        said += f" {listed(against)} {verb} more pairs against people than with them."
    blind = (total.low or 0.0) <= CHANCE and (total.high or 1.0) < 0.62
    advice, gains = _advice(found)
    if blind or against:
        title = (
            "The reward does not see what people see"
            if blind
            else f"{listed(against, 3)} pulls against people"
        )
        first = f"Drop {listed(against)}, or ask it anew." if against else "Check a dozen pairs by eye."
        remedy = f"{first} {advice}".strip()
        acts: tuple[tuple[Act, str], ...] = tuple(("drop", name) for name in against)
        return [Finding("agreement", "problem", title, said, remedy, tuple(against), numbers, 0.85, acts)]
    if gains:
        title = "Other weights would agree better"
        return [Finding("agreement", "notice", title, said, advice, (), numbers, 0.3)]
    if (total.low or 0.0) <= CHANCE:
        return [Unchecked("agreement", f"more labelled pairs. {said}")]
    return [
        Finding(
            "agreement", "fine", "The reward agrees with people", f"{said} {advice}".strip(), "", (), numbers
        )
    ]


def _advice(found: Agreement) -> tuple[str, bool]:
    """The fitted weights in words, and whether they are better on pairs they were not fitted on."""
    if not found.fitted:
        return "", False
    order = sorted(found.fitted, key=lambda name: -abs(found.fitted[name].value))[:5]
    shares = [f"{name} {decimal(found.fitted[name].value)}" for name in order]
    told = f"People's choices weigh the terms, spread for spread, {listed(shares)}"
    if found.held_out is None:
        return f"{told}.", False
    fitted, today = found.held_out
    return (
        f"{told}: {percent(fitted)} of unseen pairs right, against {percent(today)} today.",
        fitted - today >= BETTER,
    )
