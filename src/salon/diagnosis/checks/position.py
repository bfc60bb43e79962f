"""A judge asked in both orders: how often the order decides, and whether its choices fit together.

A file has the verdicts; a run has their rates, step by step, for each term that compares pictures.
"""

from collections.abc import Sequence

import numpy as np

from salon.diagnosis.estimates import Z_95, block_sums, bonferroni_z, bootstrap_share, excludes, wilson
from salon.diagnosis.finding import Finding, Number, Unchecked
from salon.diagnosis.pages.words import counted, listed, percent, with_interval
from salon.diagnosis.table import Floats, OrderRates, Orders, Table

from .enough_data import FEWEST

_COMPARE = ("pairwise", "round_robin")
LEANS = 0.05
FLIPS = 0.25
CYCLES = 0.10
ALWAYS = 0.95
MOST_ITEMS = 1200
"""A first-choice rate that is .05 off one half for sure, a quarter of flipped verdicts, or a tenth of
circular triples is a problem; so is one letter for 95 % of the pairs in both orders."""


def check_position(table: Table) -> list[Finding | Unchecked]:
    """Findings for each judge that was asked in both orders."""
    if not table.orders and not table.rates:
        needs = "two columns per judge, `…_ab` and `…_ba`: its verdict in both orders"
        names = [name for name, spec in table.specs.items() if spec.get("scorer") in _COMPARE]
        if names and table.run is None:
            needs = f"the run's folder, whose metrics count the orders of {listed(names)}"
        elif names:
            needs = f"verdicts in both orders: the metrics of {listed(names)} count none"
        elif table.run is not None:
            needs = "a term that compares pictures in both orders, such as pairwise or round_robin"
        return [Unchecked("position", needs)]
    told: list[Finding | Unchecked] = []
    for rates in table.rates:
        told += _enough([_of_run(rates), _against_odds(rates)], rates.decided, rates.pairs)
    for orders in table.orders:
        told += _enough([_order(table, orders), _triples(orders)], _decided(orders), _pairs(orders))
    return told


def _enough(
    found: Sequence[Finding | Unchecked | None], decided: float, pairs: float
) -> list[Finding | Unchecked]:
    """What was found of one judge; nothing that is fine where few pairs could have shown a fault."""
    findings = [each for each in found if each is not None]
    if decided >= FEWEST:
        return [*findings]
    wrong = [each for each in findings if isinstance(each, Finding) and each.level != "fine"]
    needs = (
        f"{FEWEST} comparisons or more that name a winner in both orders (here {decided:.0f} of {pairs:.0f})"
    )
    return [*wrong] if wrong else [Unchecked("position", needs)]


def _decided(orders: Orders) -> float:
    """How many pairs have a winner in both orders, the same or not: a tie tells nothing of the order."""
    there_N = ~np.isnan(orders.ab_N) & ~np.isnan(orders.ba_N)
    return float((there_N & (orders.ab_N != 0.5) & (orders.ba_N != 0.5)).sum())


def _pairs(orders: Orders) -> float:
    return float((~np.isnan(orders.ab_N) & ~np.isnan(orders.ba_N)).sum())


def _order(table: Table, orders: Orders) -> Finding | Unchecked | None:
    asked_N = ~np.isnan(orders.ab_N) & ~np.isnan(orders.ba_N)
    # A pair that is a tie in both orders tells nothing of them, and would hide those that do.
    both_N = asked_N & ((orders.ab_N != 0.5) | (orders.ba_N != 0.5))
    pairs = int(both_N.sum())
    if pairs < 5:
        return None
    ab, ba, block = orders.ab_N[both_N], orders.ba_N[both_N], table.block_N[both_N]
    win_ab, win_ba = np.sign(ab - 0.5), np.sign(ba - 0.5)
    if (told := _says_the_same(orders, win_ab, win_ba)) is not None:
        return told
    ones = np.ones(pairs)
    first = _mean((_as_share(win_ab) + 1 - _as_share(win_ba)) / 2, ones, block)
    flips = wilson(float((win_ab * win_ba < 0).sum()), pairs)
    numbers = {
        "first_choice_rate": first,
        "flip_rate": flips,
        "one_sided_ties": wilson(float(((win_ab == 0) != (win_ba == 0)).sum()), pairs),
        **_gap(orders, asked_N, table.block_N[asked_N], first),
    }
    return _judged(orders.name, numbers, counted(pairs, "pair") + _with_winner(pairs, int(asked_N.sum())))


def _says_the_same(orders: Orders, win_ab: Floats, win_ba: Floats) -> Finding | None:
    """A judge that names one letter of nearly every pair, in both orders. Where the letters are places, its
    position bias is total; where they are pictures, one was always the better, which nothing here says.
    """
    pairs = len(win_ab)
    share = [wilson(float(((win_ab == sign) & (win_ba == sign)).sum()), pairs) for sign in (1.0, -1.0)]
    letter, same = max(zip("ab", share, strict=True), key=lambda each: each[1].value)
    if pairs < FEWEST or same.value < ALWAYS or (same.low or 0.0) < ALWAYS - 0.1:
        return None
    if orders.best_N is not None and np.nanmean(orders.best_N == (letter == "a")) >= ALWAYS - 0.1:
        return None
    said = (
        f"{orders.name} says {letter} of {percent(same.value)} of {counted(pairs, 'pair')}, in both orders."
        " Where a and b are the pictures' places, the place decides all; where they are the pictures, these"
        " pairs cannot show that it looks, since one and the same is always better."
    )
    remedy = (
        "Write which picture won, not its place; and let chance say which one is called a. Then look anew."
    )
    title = f"{orders.name} says {letter} whatever the order"
    numbers = {"says_the_same": same}
    return Finding("position", "problem", title, said, remedy, (orders.name,), numbers, same.value)


def _of_run(rates: OrderRates) -> Finding | Unchecked | None:
    """What the rates that a run recorded say. Both verdicts of a comparison are one observation."""
    if rates.decided < 5:
        return None
    pairs, decided = round(rates.pairs), round(rates.decided)
    first = wilson(rates.first * pairs, pairs)
    numbers = {
        "first_choice_rate": first,
        "flip_rate": wilson(min(rates.flips * pairs, decided), decided),
        "ties": wilson(rates.ties * pairs, pairs),
        "gap": _doubled(first),
    }
    return _judged(rates.name, numbers, counted(decided, "comparison") + _with_winner(decided, pairs))


def _with_winner(decided: int, asked: int) -> str:
    return " that have a winner" if decided < asked else ""


def _against_odds(rates: OrderRates) -> Finding | None:
    """Verdicts whose words name one winner and whose odds another: the words were drawn against the odds."""
    if not rates.against_odds:
        return None
    count = round(2 * rates.pairs)
    share = wilson(rates.against_odds * count, count)
    said = (
        f"In {percent(share.value)} of {counted(count, 'verdict')} {rates.name}'s words name another winner"
    )
    return Finding(
        "position",
        "notice",
        f"{rates.name} says one winner, and its odds another",
        f"{said} than its odds, which count.",
        "Ask at temperature 0, so that the words are the likeliest; or read some of these verdicts.",
        (rates.name,),
        {"against_odds": share},
        share.value,
    )


def _judged(name: str, numbers: dict[str, Number], of: str) -> Finding | Unchecked:
    first, flips = numbers["first_choice_rate"], numbers["flip_rate"]
    leans = excludes(first, 0.5 + LEANS, bonferroni_z(2), True) or excludes(
        first, 0.5 - LEANS, bonferroni_z(2), False
    )
    unsteady = flips.value >= FLIPS and (flips.low or 0.0) >= FLIPS * 0.8
    side = "first" if first.value > 0.5 else "second"
    rate = first.value if side == "first" else 1 - first.value
    said = f"{name} picks what is shown {side} in {percent(rate)} of its verdicts, and changes its"
    said += f" mind with the order in {with_interval(flips, as_percent=True)} of {of}"
    said += f".{_rightness(numbers)}"
    if not leans and not unsteady and flips.value >= FLIPS:
        return Unchecked("position", f"more pairs: {said}")
    if not leans and not unsteady:
        title = f"{name} does not mind the order"
        return Finding("position", "fine", title, said, "", (name,), numbers)
    remedy = (
        "Ask in both orders and count a changed mind as one half (a tie), never as a win; a few worked"
        " examples in the prompt help most."
    )
    title = f"{name} prefers what it sees {side}" if leans else f"{name} flips with the order"
    urgency = max(flips.value, abs(numbers["gap"].value))
    return Finding("position", "problem", title, said, remedy, (name,), numbers, urgency)


def _rightness(numbers: dict[str, Number]) -> str:
    """How often it agrees with people, by the place of what people prefer; empty without their choices."""
    if "accuracy" not in numbers:
        return ""
    first, second = numbers["accuracy_best_first"].value, numbers["accuracy_best_second"].value
    said = f" It chooses as people do in {percent(first)} of the pairs where their choice is shown first,"
    return f"{said} in {percent(second)} where it is shown second."


def _as_share(sign_M: Floats) -> Floats:
    return (sign_M + 1) / 2


def _mean(values_M: Floats, ones_M: Floats, block_M: np.ndarray) -> Number:
    sums_C2 = block_sums(np.stack([values_M, ones_M], axis=1), block_M)
    return bootstrap_share(sums_C2[sums_C2[:, 1] > 0], lambda sums: sums[:, 0] / sums[:, 1], len(values_M))


def _gap(orders: Orders, both_N: np.ndarray, block_M: np.ndarray, first: Number) -> dict[str, Number]:
    """acc(best shown first) − acc(best shown second) where people's choice is known; else 2 · rate − 1, which
    is the same number when the winner always stands first.
    """
    if orders.best_N is None:
        return {"gap": _doubled(first)}
    best = orders.best_N[both_N]
    known = ~np.isnan(best) & (best != 0.5)
    if not known.any():
        return {"gap": Number(2 * first.value - 1, None, None, first.count)}
    right_ab = _right(orders.ab_N[both_N], best)[known]
    right_ba = _right(orders.ba_N[both_N], best)[known]
    a_wins, ones = best[known] == 1.0, np.ones(int(known.sum()))
    shown_first = np.where(a_wins, right_ab, right_ba)
    shown_second = np.where(a_wins, right_ba, right_ab)
    return {
        "gap": _doubled(_mean((shown_first - shown_second + 1) / 2, ones, block_M[known])),
        "accuracy_best_first": _mean(shown_first, ones, block_M[known]),
        "accuracy_best_second": _mean(shown_second, ones, block_M[known]),
        "accuracy": _mean((shown_first + shown_second) / 2, ones, block_M[known]),
    }


def _doubled(first: Number) -> Number:
    low = None if first.low is None else 2 * first.low - 1
    high = None if first.high is None else 2 * first.high - 1
    return Number(2 * first.value - 1, low, high, first.count)


def _right(verdict_M: Floats, best_M: Floats) -> Floats:
    """1 where the verdict names the better one, .5 for a tie, else 0."""
    return np.where(verdict_M == 0.5, 0.5, (verdict_M > 0.5) == (best_M > 0.5))


def circular_triples(a_M: np.ndarray, b_M: np.ndarray, wins_M: Floats) -> tuple[int, int]:
    """How many triples of items are circular (x beats y beats z beats x), of how many that met fully.

    Args:
        a_M, b_M: the items of each pair, as codes 0 … n−1. wins_M: the sum of verdicts for a, centred at 0.

    Example: 0 beats 1, 1 beats 2, 2 beats 0 gives (1, 1).
    """
    count = int(max(a_M.max(), b_M.max())) + 1
    score_II = np.zeros((count, count))
    np.add.at(score_II, (a_M, b_M), wins_M)
    beats_II = ((score_II - score_II.T) > 0).astype(np.float64)
    met_II = beats_II + beats_II.T
    cycles = float(np.einsum("ij,jk,ki->", beats_II, beats_II, beats_II, optimize=True)) / 3
    triples = float(np.einsum("ij,jk,ki->", met_II, met_II, met_II, optimize=True)) / 6
    return round(cycles), round(triples)


def _triples(orders: Orders) -> Finding | None:
    if orders.a_N is None or orders.b_N is None:
        return None
    both = ~np.isnan(orders.ab_N) & ~np.isnan(orders.ba_N)
    both &= (orders.a_N < MOST_ITEMS) & (orders.b_N < MOST_ITEMS) & (orders.a_N != orders.b_N)
    if both.sum() < 3:
        return None
    wins = (orders.ab_N + orders.ba_N - 1)[both]
    cycles, triples = circular_triples(orders.a_N[both], orders.b_N[both], wins)
    if triples < 5:
        return None
    # Triples share pairs, so they are worth no more than the pairs they are made of.
    worth = min(triples, int(both.sum()))
    share = wilson(cycles / triples * worth, worth, Z_95)
    number = Number(share.value, share.low, share.high, triples)
    said = f"Of {counted(triples, 'triple')} of items that met each other, {percent(number.value)} go in a"
    said += " circle (a beats b beats c beats a; coin tossing gives 25 %)."
    numbers = {"circular_triples": number}
    if number.value < CYCLES or (number.low or 0.0) < CYCLES / 2:
        title = f"{orders.name}'s choices fit together"
        return Finding("position", "fine", title, said, "", (orders.name,), numbers)
    remedy = (
        "Ask what the judge compares: one criterion a question, or several verdicts per pair and their mean."
    )
    title = f"{orders.name} contradicts itself"
    return Finding("position", "problem", title, said, remedy, (orders.name,), numbers, number.value)
