"""Scores as columns: what every check reads.

Shape suffixes: _N rows (samples), _NK rows by terms, _G groups. Inside this package a missing score is NaN,
since arrays have no other way to say it; no NaN leaves the package.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from salon.rewards.recipe import Role

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
WeightsFrom = Literal["recipe", "flag", "total", "equal"]

Values = TypeVar("Values", Floats, Ints, Bools)

MOST_ROWS = 250_000
LEAST_BLOCKS = 10
LATE_STEPS = 6
"""From so many steps on, a table has a late part (the last third), which says more than the whole run."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of a judge's scores. levels: how many steps it has; None for a continuum.

    since: why it is assumed; empty where the user or the cells say it. other: the scale that it might be
    instead, where its numbers leave that open.
    """

    low: float
    high: float
    levels: int | None = None
    since: str = ""
    other: tuple[float, float] | None = None

    @property
    def is_rating(self) -> bool:
        """Such as 1–5, 0–10 or 0–100, of which a judge is expected to use more than a corner."""
        return self.high > 1


@dataclass(frozen=True, slots=True)
class Term:
    """One signal: its raw scores (NaN where missing), its weight, and why scores are missing.

    role: gates are expected to be constant; monitors and vetoes add nothing to the total. entered_N: what the
    term added to each total, where the record says so; otherwise weight × raw / unit, where unit brings marks
    on 0–10 to 0–1. weight_N: each row's weight where it changes over the steps (`weight` is then the last
    row's step's); None where it is `weight` throughout. unasked_N: rows in which nobody was asked for it, so
    that no score of it is missing there: a gate failed, or its `when` leaves them out; None where nothing
    says so. told_scale: what its cells say (`8/10`).
    """

    name: str
    raw_N: Floats
    weight: float = 1.0
    role: Role = "reward"
    unit: float = 1.0
    entered_N: Floats | None = None
    weight_N: Floats | None = None
    unasked_N: Bools | None = None
    causes: Mapping[str, int] = field(default_factory=lambda: dict[str, int]())
    told_scale: tuple[float, float] | None = None

    @property
    def counts(self) -> bool:
        """Whether it adds to the total."""
        return self.role in ("reward", "gate") and self.weight != 0

    @property
    def rests(self) -> bool:
        """Whether its schedule gives it no weight at the last step."""
        return self.role in ("reward", "gate") and self.weight == 0 and self.weight_N is not None

    @property
    def added_N(self) -> Floats:
        if self.entered_N is not None:
            return self.entered_N
        weight = self.weight if self.weight_N is None else self.weight_N
        return weight / self.unit * self.raw_N

    def mean_weight(self, rows_N: Bools) -> float:
        """How much it weighs in the chosen rows, on average; without a sign."""
        if self.weight_N is None or not rows_N.any():
            return abs(self.weight)
        return float(np.abs(self.weight_N[rows_N]).mean())

    @property
    def never_asked(self) -> bool:
        """Whether nobody was asked for it in any row."""
        return self.unasked_N is not None and bool(self.unasked_N.all())

    def taken(self, rows_M: Ints) -> "Term":
        """The same term with some of its rows."""
        return replace(
            self,
            raw_N=self.raw_N[rows_M],
            entered_N=_taken(self.entered_N, rows_M),
            weight_N=_taken(self.weight_N, rows_M),
            unasked_N=_taken(self.unasked_N, rows_M),
        )


@dataclass(frozen=True, slots=True)
class Orders:
    """A judge's verdicts on the same pairs in both orders, one pair a row.

    ab_N: how much a wins when a is shown first, 0 … 1 (NaN: missing); ba_N: the same a, shown second.
    a_N and b_N: which items the pair consists of, as codes, or None. best_N: 1 where people prefer a, 0 where
    they prefer b, .5 a tie.
    """

    name: str
    ab_N: Floats
    ba_N: Floats
    a_N: Ints | None = None
    b_N: Ints | None = None
    best_N: Floats | None = None


@dataclass(frozen=True, slots=True)
class OrderRates:
    """How the order counts for a term of a run, over all its steps.

    pairs: comparisons that were made in both orders. flips: the share in which the two orders name different
    winners; ties: in which neither wins in both; first: of all verdicts, how many name what was shown first
    (a tie is a half); against_odds: how many name another winner in words than by their odds.
    """

    name: str
    pairs: float
    flips: float
    ties: float
    first: float
    against_odds: float = 0.0

    @property
    def decided(self) -> float:
        """Comparisons that name a winner in both orders, the same or not: `ties` counts two winners, too."""
        return self.pairs * max(0.0, min(1.0, 1 - self.ties + self.flips))


@dataclass(frozen=True)
class Table:
    """All rows of a run or a file. See `reading.read_table`.

    group_N: which group each row belongs to, 0 … G−1; all 0 when the file has no groups. Shape suffix _U:
    units, see `unit_N`. step_N: the policy step, or None. answer_N: what came out, as codes (−1: nothing), to
    find repeats. beside: numbers that are no part of the reward but may leak into it, such as tokens.
    stand_ins: of a term that compares with the base's pictures, the share of scores for which a picture of
    another seed stood in, and their count. shared: how far the pool's ratings go by a number in `beside`,
    where that is known from elsewhere. unweighted: the terms that got no weight where others did, and are
    therefore monitors. ignored: columns of numbers that are taken as no score, and why; taken: the column of
    each role; notes: how the file was read, where that was not plain. repeated: how many
    rows repeat another, and how often most stand there. total_told: what a total is that tells no weights.
    given_scales: what the user says, by
    term ("" for all others); scales: each term's, None where nothing tells (see `scale.with_scales`). specs,
    judges, reward: the terms, the judges and all of the reward recipe, where one is known; rated: whose
    ratings stand behind a run's judges and references, where that is to be said.
    """

    source: str
    terms: tuple[Term, ...]
    group_N: Ints
    step_N: Ints | None = None
    prompt_N: Ints | None = None
    human_N: Floats | None = None
    given_total_N: Floats | None = None
    beside: Mapping[str, Floats] = field(default_factory=lambda: dict[str, Floats]())
    answer_N: Ints | None = None
    pictures: tuple[str | None, ...] | None = None
    failed_N: Bools | None = None
    orders: tuple[Orders, ...] = ()
    rates: tuple[OrderRates, ...] = ()
    shared: Mapping[str, float] = field(default_factory=lambda: dict[str, float]())
    stand_ins: Mapping[str, tuple[float, int]] = field(default_factory=lambda: dict[str, tuple[float, int]]())
    weights_from: WeightsFrom = "equal"
    unweighted: tuple[str, ...] = ()
    given_scales: Mapping[str, tuple[float, float]] = field(
        default_factory=lambda: dict[str, tuple[float, float]]()
    )
    scales: Mapping[str, Scale | None] = field(default_factory=lambda: dict[str, Scale | None]())
    not_read: tuple[str, ...] = ()
    ignored: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())
    taken: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())
    notes: tuple[str, ...] = ()
    repeated: tuple[int, int] = (0, 1)
    total_told: str = ""
    run: Path | None = None
    specs: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: dict[str, Mapping[str, Any]]())
    judges: Mapping[str, Any] = field(default_factory=lambda: dict[str, Any]())
    rated: str = ""
    reward: Mapping[str, Any] = field(default_factory=lambda: dict[str, Any]())

    @property
    def rows(self) -> int:
        return len(self.group_N)

    @cached_property
    def groups(self) -> int:
        return int(self.group_N.max(initial=-1)) + 1

    @property
    def grouped(self) -> bool:
        """Whether there are groups to speak of: more than one, and with more than one row on average."""
        return 1 < self.groups <= self.rows / 1.5

    @cached_property
    def live(self) -> tuple[Term, ...]:
        """The terms that add to the total."""
        return tuple(term for term in self.terms if term.counts)

    @cached_property
    def nominal(self) -> dict[str, float]:
        """Each live term's share of all weight, by name; at the last step, where weights change."""
        return _parts({term.name: abs(term.weight) for term in self.live})

    @cached_property
    def late_nominal(self) -> dict[str, float]:
        """Each live term's share of all weight over the late part: what its effective share there is
        compared with.
        """
        return _parts({term.name: term.mean_weight(self.late_N) for term in self.live})

    @cached_property
    def total_N(self) -> Floats:
        """The reward: as recorded, or the weighted sum of the terms. NaN where it is missing."""
        if self.given_total_N is not None or not self.live:
            return self.given_total_N if self.given_total_N is not None else np.full(self.rows, np.nan)
        total_N = np.zeros(self.rows)
        for term in self.live:
            # A term without any score is no part of it: it would take the others with it.
            total_N += term.added_N if term.name in self.scored else 0.0
        return total_N

    @cached_property
    def scored(self) -> frozenset[str]:
        """The terms that have a score in some row."""
        return frozenset(term.name for term in self.terms if not np.isnan(term.raw_N).all())

    @cached_property
    def lesson_N(self) -> Floats:
        """The total as far as a group learns from it: without the terms that a whole group misses, which do
        not tell its rows apart. NaN where a row misses what others of its group have.
        """
        if self.given_total_N is not None or not self.live:
            return self.total_N
        total_N = np.zeros(self.rows)
        any_N = np.zeros(self.rows, dtype=bool)
        for term in self.live:
            there_N = ~np.isnan(term.added_N)
            if there_N.all():
                total_N += term.added_N
                any_N[:] = True
                continue
            has_U = np.bincount(self.unit_N, there_N, self.units) > 0
            total_N += np.where(has_U[self.unit_N], term.added_N, 0.0)
            any_N |= there_N
        return np.where(any_N, total_N, np.nan)

    @cached_property
    def steps(self) -> Ints:
        """The steps that occur, in order."""
        return np.unique(self.step_N) if self.step_N is not None else np.zeros(0, np.int64)

    @cached_property
    def late_N(self) -> Bools:
        """The last third of the steps; every row where there are too few steps to speak of a late part."""
        if self.step_N is None or len(self.steps) < LATE_STEPS:
            return np.ones(self.rows, dtype=bool)
        return self.step_N >= self.steps[-(len(self.steps) // 3)]

    @property
    def has_late(self) -> bool:
        return len(self.steps) >= LATE_STEPS

    @cached_property
    def block_N(self) -> Ints:
        """Each row's block in a bootstrap: whole groups, or single rows where there are fewer than 10 groups,
        in at most 1,000 blocks.
        """
        code_N = self.group_N if self.grouped and self.groups >= LEAST_BLOCKS else np.arange(self.rows)
        return code_N % min(1000, int(code_N.max(initial=0)) + 1)

    @cached_property
    def unit_N(self) -> Ints:
        """The rows that are compared with one another: a group's; without groups a step's, or all."""
        if self.grouped:
            return self.group_N
        if self.step_N is None:
            return np.zeros(self.rows, np.int64)
        return np.searchsorted(self.steps, self.step_N)

    @cached_property
    def units(self) -> int:
        return int(self.unit_N.max(initial=-1)) + 1

    @cached_property
    def step_of_unit_U(self) -> Ints:
        """The index of each unit's step in `steps`; all 0 without steps. A group lies within one step."""
        index_U = np.zeros(self.units, np.int64)
        if self.step_N is not None:
            index_U[self.unit_N] = np.searchsorted(self.steps, self.step_N)
        return index_U

    @cached_property
    def unit_order(self) -> tuple[Ints, Ints]:
        """The rows sorted by unit, and where each unit starts in that order."""
        order_N = np.argsort(self.unit_N, kind="stable")
        return order_N, np.searchsorted(self.unit_N[order_N], np.arange(self.units))

    def centred(self, values_N: Floats) -> Floats:
        """Each value minus the mean of its unit: what is left is what a group learns from. NaN stays NaN."""
        return centred(values_N, self.unit_N, self.units)

    @cached_property
    def centred_NK(self) -> Floats:
        """The raw scores of all terms, centred."""
        columns = [self.centred(term.raw_N) for term in self.terms]
        return np.stack(columns, axis=1) if columns else np.zeros((self.rows, 0))

    def unit_ranges(self, values_N: Floats) -> tuple[Floats, Ints]:
        """Each unit's highest minus lowest value (NaN: none), and how many values it has. Shape (U,)."""
        order_N, start_U = self.unit_order
        ordered_N = values_N[order_N]
        range_U = np.fmax.reduceat(ordered_N, start_U) - np.fmin.reduceat(ordered_N, start_U)
        return range_U, np.bincount(self.unit_N, ~np.isnan(values_N), self.units).astype(np.int64)

    @cached_property
    def thinned(self) -> "Table":
        """The table itself, or, of a larger one, 250,000 rows in whole groups, evenly chosen over the steps.

        What needs ranks, pairs or products of columns is computed on it: its intervals are narrow enough.
        """
        if self.rows <= MOST_ROWS:
            return self
        every = -(-self.rows // MOST_ROWS)
        code_N = self.group_N if self.grouped else np.arange(self.rows)
        keep_M = np.flatnonzero(code_N % every == 0)
        return replace(
            self,
            terms=tuple(term.taken(keep_M) for term in self.terms),
            group_N=np.unique(self.group_N[keep_M], return_inverse=True)[1],
            step_N=_taken(self.step_N, keep_M),
            prompt_N=_taken(self.prompt_N, keep_M),
            human_N=_taken(self.human_N, keep_M),
            given_total_N=_taken(self.given_total_N, keep_M),
            beside={name: values_N[keep_M] for name, values_N in self.beside.items()},
            answer_N=_taken(self.answer_N, keep_M),
            pictures=None,
            failed_N=_taken(self.failed_N, keep_M),
            orders=(),
            rates=(),
        )

    def term(self, name: str) -> Term:
        """The term called `name`."""
        return next(term for term in self.terms if term.name == name)

    def index(self, name: str) -> int:
        """Its column in matrices of shape _NK."""
        return [term.name for term in self.terms].index(name)


def _parts(weights: Mapping[str, float]) -> dict[str, float]:
    whole = sum(weights.values()) or 1.0
    return {name: weight / whole for name, weight in weights.items()}


def centred(values_N: Floats, group_N: Ints, groups: int) -> Floats:
    """Each value minus the mean of its group's values that are there. NaN stays NaN.

    Example: [1, 3, NaN, 5] in the groups [0, 0, 0, 1] gives [−1, 1, NaN, 0].
    """
    there_N = ~np.isnan(values_N)
    known_N = np.where(there_N, values_N, 0.0)
    mean_G = np.bincount(group_N, known_N, groups) / np.maximum(np.bincount(group_N, there_N, groups), 1.0)
    return values_N - mean_G[group_N]


def _taken(values_N: Values | None, rows_M: Ints) -> Values | None:
    return None if values_N is None else values_N[rows_M]
