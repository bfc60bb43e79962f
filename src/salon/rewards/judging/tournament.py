"""More than two pictures before one judge: who meets whom, and the board that follows.

Every two meet in both orders, which is one comparison; or, with a budget, a chain that joins all of them,
then pairs by lot. Strengths are Bradley–Terry's, in log odds, 0 on average: P(i beats j) = σ(s_i − s_j). A
weak prior keeps a picture that won or lost everything finite; it is flagged. Ties are halves. Intervals are
95 % of the likelihood's curvature, so that few comparisons give wide ones.
"""

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from salon.errors import RecipeError
from salon.files.csv_text import csv_of
from salon.intervals import Z_95
from salon.scorers.pairwise import PairResult, both_orders, pair_result
from salon.types import Judge, Picture, Prompt

from .naming import naming

FloatArray = NDArray[np.float64]
Pair = tuple[int, int]
PRIOR = 0.25
"""Precision of a strength before anybody met, in squared log odds."""
ROUNDS = 100


@dataclass(frozen=True, slots=True)
class Place:
    """One picture on the board.

    rank: 1 is the best. strength, low, high: log odds, 0 on average. won, tied, lost: comparisons, both
    orders together; flipped: those of the tied whose orders named different winners; missing: not answered.
    island: pictures that never met, even through others, are on different ones, and have no order between
    them. remark: won all, lost all, or met nobody.
    """

    rank: int
    picture: str
    strength: float
    low: float
    high: float
    won: int
    tied: int
    lost: int
    flipped: int
    missing: int
    island: int
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """The pictures in order, the comparisons made of those there are, and why others are missing."""

    judge: str
    places: tuple[Place, ...]
    compared: int
    asked: int
    pairs: int
    failures: dict[str, int]
    meetings: tuple[dict[str, Any], ...]

    @property
    def islands(self) -> int:
        """Groups of pictures without an order between them."""
        return len({place.island for place in self.places})

    def row(self) -> dict[str, Any]:
        """Everything as JSON takes it."""
        return {**asdict(self), "islands": self.islands}

    def table(self) -> str:
        """The board as CSV."""
        return csv_of([Place.__dataclass_fields__, *(asdict(place).values() for place in self.places)])

    def lines(self) -> list[str]:
        """For people."""
        lines = ["rank  strength            95 %  won tied lost  picture"]
        for place in self.places:
            span = f"{_signed(place.low)} to {_signed(place.high)}"
            counts = f"{place.won:>4} {place.tied:>4} {place.lost:>4}"
            told = [place.remark] if place.remark else []
            told += [f"{place.missing} missing"] if place.missing else []
            told += [f"island {place.island}"] if self.islands > 1 else []
            after = f"  ({', '.join(told)})" if told else ""
            lines.append(
                f"{place.rank:>4}  {_signed(place.strength):>8}  {span:>14} {counts}  {place.picture}{after}"
            )
        lines.append(f"{self.compared} of {self.asked} comparisons answered, of {self.pairs} pairs there are")
        lines += [f"missing: {count} × {code}" for code, count in self.failures.items()]
        if self.islands > 1:
            lines.append(f"{self.islands} islands: pictures of different ones never met. Raise --budget.")
        return lines


def _signed(value: float) -> str:
    """With its sign and two places; what rounds to 0 is 0.00, on either side of it."""
    return f"{round(value, 2) + 0.0:+.2f}"


def schedule(count: int, budget: int | None = None, seed: int = 0) -> list[Pair]:
    """Who meets whom: all pairs of `count` pictures, or `budget` of them. The first count − 1 are a chain
    through all, by lot, so that everybody can be compared with everybody.

    Raises:
        RecipeError: fewer than two pictures, or a budget that does not join them all.
    """
    if count < 2:
        raise RecipeError("a tournament needs two pictures at least.")
    every = list(combinations(range(count), 2))
    if budget is None or budget >= len(every):
        return every
    if budget < count - 1:
        raise RecipeError(
            f"--budget {budget}: {count} pictures are joined by {count - 1} comparisons at least."
        )
    rng = random.Random(seed)
    order = rng.sample(range(count), count)
    chain = [(min(a, b), max(a, b)) for a, b in pairwise(order)]
    left = sorted(set(every) - set(chain))
    return chain + rng.sample(left, budget - len(chain))


def tournament(
    judge: Judge,
    prompt: Prompt,
    pictures: Sequence[Picture],
    names: Sequence[str],
    budget: int | None = None,
    seed: int = 0,
) -> Board:
    """Let pictures meet before a judge, and rank them.

    Args:
        names: one for each picture, in order.
        budget: comparisons at most; all pairs when None.
    """
    pairs = schedule(len(pictures), budget, seed)
    asked = [order for i, j in pairs for order in both_orders(pictures[i], pictures[j])]
    with naming(judge):
        verdicts = judge.compare(prompt, asked)
        if len(verdicts) != len(asked):
            raise RecipeError(f"{judge.identity} gave {len(verdicts)} verdicts for {len(asked)} pairs.")
        met = [pair_result(names[j], *verdicts[2 * at : 2 * at + 2]) for at, (_, j) in enumerate(pairs)]
        return board(judge.identity, names, pairs, met)


def board(judge: str, names: Sequence[str], pairs: Sequence[Pair], met: Sequence[PairResult]) -> Board:
    """The board of some meetings: of pair (i, j), `met` has the probabilities that i wins."""
    known = [(pair, each.outcome(soft=False)) for pair, each in zip(pairs, met, strict=True) if each.p]
    strength_N, deviation_N = strengths(
        len(names), [pair for pair, _ in known], [outcome for _, outcome in known]
    )
    island = _islands(len(names), [pair for pair, _ in known])
    order: list[int] = np.argsort(-strength_N, kind="stable").tolist()
    places: list[Place] = []
    for at, number in enumerate(order):
        mine = [(each, number == i) for (i, j), each in zip(pairs, met, strict=True) if number in (i, j)]
        scores = [
            each.outcome(soft=False) if is_first else 1.0 - each.outcome(soft=False)
            for each, is_first in mine
            if each.p is not None
        ]
        half = Z_95 * float(deviation_N[number])
        strength = float(strength_N[number])
        places.append(
            Place(
                rank=_rank(strength_N, number, at),
                picture=names[number],
                strength=strength,
                low=strength - half,
                high=strength + half,
                won=scores.count(1.0),
                tied=scores.count(0.5),
                lost=scores.count(0.0),
                flipped=sum(each.flipped for each, _ in mine),
                missing=sum(each.p is None for each, _ in mine),
                island=island[number],
                remark=_remark(scores),
            )
        )
    codes = [each.failure.code for each in met if each.failure]
    failures = {code: codes.count(code) for code in sorted(set(codes))}
    rows = [
        {"a": names[i], "b": names[j], "p_a": list(each.p) if each.p else None, "flipped": each.flipped}
        for (i, j), each in zip(pairs, met, strict=True)
    ]
    pairs_there = len(names) * (len(names) - 1) // 2
    return Board(judge, tuple(places), len(known), len(pairs), pairs_there, failures, tuple(rows))


def strengths(count: int, pairs: Sequence[Pair], outcomes: Sequence[float]) -> tuple[FloatArray, FloatArray]:
    """Bradley–Terry strengths (N,) and their standard deviations, by Newton's method on the penalised log
    likelihood.

    Args:
        outcomes: of pair (i, j), 1 where i won, 0 where j did, 0.5 for a tie.

    Example: two pictures, of which the first won once: ±0.74, and P(first wins again) = σ(1.48) = .81.
    """
    first_P = np.array([i for i, _ in pairs], dtype=np.int64)
    second_P = np.array([j for _, j in pairs], dtype=np.int64)
    outcome_P = np.array(outcomes, dtype=np.float64)
    theta = np.zeros(count)
    hessian = np.eye(count) * PRIOR
    for _ in range(ROUNDS):
        p_P = 1 / (1 + np.exp(-np.clip(theta[first_P] - theta[second_P], -30, 30)))
        gradient = -PRIOR * theta
        np.add.at(gradient, first_P, outcome_P - p_P)
        np.add.at(gradient, second_P, p_P - outcome_P)
        curve_P = p_P * (1 - p_P)
        hessian = np.eye(count) * PRIOR
        np.add.at(hessian, (first_P, first_P), curve_P)
        np.add.at(hessian, (second_P, second_P), curve_P)
        np.add.at(hessian, (first_P, second_P), -curve_P)
        np.add.at(hessian, (second_P, first_P), -curve_P)
        move = np.clip(np.linalg.solve(hessian, gradient), -2.0, 2.0)
        theta = theta + move
        if np.abs(move).max() < 1e-10:
            break
    return theta - theta.mean(), np.sqrt(np.diag(np.linalg.inv(hessian)))


def _rank(strength_N: FloatArray, number: int, at: int) -> int:
    """The place from 1; equal strengths share the best of theirs."""
    return min(at, int((strength_N > strength_N[number] + 1e-9).sum())) + 1


def _remark(scores: Sequence[float]) -> str:
    if not scores:
        return "met nobody"
    return {1.0: "won all", 0.0: "lost all"}.get(scores[0], "") if len(set(scores)) == 1 else ""


def _islands(count: int, pairs: Sequence[Pair]) -> list[int]:
    """Which island each picture is on, from 1: those that met, also through others, are on one."""
    parent = list(range(count))

    def root(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    for i, j in pairs:
        parent[root(i)] = root(j)
    roots = [root(number) for number in range(count)]
    named = {found: place for place, found in enumerate(dict.fromkeys(roots), 1)}
    return [named[found] for found in roots]
