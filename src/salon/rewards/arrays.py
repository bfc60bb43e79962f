"""Composition over arrays: squash, standardise, weigh, gate, veto, sum, for any number of rows at once. Pure:
no I/O, no clock, no randomness.

`salon.rewards.compose` is the same in terms of scores and rewards. Give it all rows at once (of all
processes, after a gather): batch and group statistics need them. What it sums is what it records: the
`weighted` values of a row add up to its total.

Shape suffixes: _N rows (samples), _KN terms by rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from salon.errors import StageError
from salon.types import Failure, TermStatus

from .recipe import RewardRecipe, Term
from .standardize import Bools, Floats, Ints, group_mean, ranked, standardized

OK, MISSING, OWN_FAULT, NOT_APPLICABLE = range(4)
STATUSES: tuple[TermStatus, ...] = get_args(TermStatus)
Codes = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Column:
    """One term's scores as arrays: finite values (0 where there is none), and what became of each row.

    outcome_N: OK; MISSING, the system's failure; OWN_FAULT, the sample's; NOT_APPLICABLE.
    """

    raw_N: Floats
    outcome_N: Codes

    @classmethod
    def of(cls, values: ArrayLike) -> "Column":
        """A column of numbers in which NaN means missing. Raises ValueError for infinity."""
        values_N = np.asarray(values, dtype=np.float64)
        if np.isinf(values_N).any():
            raise ValueError("a score is finite or missing, never infinite")
        missing_N = np.isnan(values_N)
        return cls(np.where(missing_N, 0.0, values_N), np.where(missing_N, MISSING, OK).astype(np.int8))


@dataclass(frozen=True, slots=True)
class Composed:
    """What became of every row and of every term in it, in the order of the recipe's terms.

    total_N: 0 where has_total_N is false. gate_N: the index of the term that put a row at the floor, −1 where
    none did. A term's `normalized` counts where shows_KN, its `weighted` where enters_KN. status_KN indexes
    STATUSES.
    """

    total_N: Floats
    has_total_N: Bools
    gate_N: Ints
    normalized_KN: Floats
    weighted_KN: Floats
    shows_KN: Bools
    enters_KN: Bools
    status_KN: Codes

    @property
    def passed_N(self) -> Bools:
        """Rows with a total that no gate put at the floor."""
        return self.has_total_N & (self.gate_N < 0)


@dataclass(frozen=True, slots=True)
class _Term:
    """A term's column, with its masks and its weight at the step."""

    name: str
    term: Term
    weight: float
    raw_N: Floats
    ok_N: Bools
    missing_N: Bools
    own_fault_N: Bools

    @property
    def counts(self) -> bool:
        """Whether a missing value of it matters: not a monitor's, nor a reward's that weighs nothing now."""
        return self.term.role in ("gate", "veto") or (self.term.role == "reward" and self.weight != 0.0)

    @property
    def filled_N(self) -> Bools:
        """Missing rows that enter as average all the same."""
        return self.missing_N & (self.term.on_missing == "neutral")


@dataclass(frozen=True, slots=True)
class _Rows:
    groups_N: Ints
    gate_N: Ints
    dropped_N: Bools

    @property
    def alive_N(self) -> Bools:
        return ~self.dropped_N & (self.gate_N < 0)


def compose_arrays(
    recipe: RewardRecipe,
    groups_N: Ints,
    columns: Mapping[str, Column],
    step: int = 0,
    explain: Callable[[str, int], str] = lambda term, row: "",
) -> Composed:
    """The reward of N rows.

    Args:
        recipe: what to compose.
        groups_N: the group of each row, as integers from 0 (see salon.rewards.advantage.group_index).
        columns: one column of N rows for every term of the recipe.
        step: the policy step, for weights that change.
        explain: why a term is missing in a row, for the message of `on_missing: raise`.

    Raises:
        ValueError: a term has no column, or one of another length.
        StageError: a term with `on_missing: raise` is missing, or the sum is beyond the range of numbers.
    """
    terms = [_term(name, term, columns, len(groups_N), step) for name, term in recipe.terms.items()]
    rows = _rows(terms, groups_N, explain)
    normalized = [_normalized(recipe, each, rows) for each in terms]
    weighted = _weighted(recipe.floor_at(step), terms, normalized, rows)
    with np.errstate(over="ignore", invalid="ignore"):
        total_N = np.sum(weighted, axis=0)
    _check_range(terms, weighted, total_N)
    has_total_N = _has_total(terms, rows)
    shown = [_shown(index, each, rows, has_total_N) for index, each in enumerate(terms)]
    return Composed(
        total_N=np.where(has_total_N, total_N, 0.0),
        has_total_N=has_total_N,
        gate_N=rows.gate_N,
        normalized_KN=np.array(normalized),
        weighted_KN=np.array(weighted),
        shows_KN=np.array([shows for shows, _ in shown]),
        enters_KN=np.array([enters for _, enters in shown]),
        status_KN=np.array([_status(each, columns[each.name], rows) for each in terms]),
    )


def _term(name: str, term: Term, columns: Mapping[str, Column], count: int, step: int) -> _Term:
    if name not in columns:
        raise ValueError(f"term {name!r} has no scores")
    column = columns[name]
    if len(column.raw_N) != count:
        raise ValueError(f"term {name!r} has {len(column.raw_N)} scores for {count} rows")
    outcome_N = column.outcome_N
    return _Term(
        name,
        term,
        term.weight_at(step),
        column.raw_N,
        outcome_N == OK,
        outcome_N == MISSING,
        outcome_N == OWN_FAULT,
    )


def _rows(terms: Sequence[_Term], groups_N: Ints, explain: Callable[[str, int], str]) -> _Rows:
    """Gates first: a gated row asks nothing of the terms behind it, so it is never dropped for missing
    them.
    """
    gate_N = np.full(len(groups_N), -1, dtype=np.int64)
    for index, each in enumerate(terms):
        if not each.counts:
            continue
        fails_N = each.own_fault_N
        if each.term.role == "gate":
            fails_N = fails_N | (each.ok_N & (each.raw_N <= 0.0))
        gate_N[fails_N & (gate_N < 0)] = index
    dropped_N = np.zeros(len(groups_N), dtype=bool)
    for each in terms:
        missing_N = each.missing_N & (gate_N < 0)
        if not each.counts or not missing_N.any():
            continue
        if each.term.on_missing == "raise":
            raise StageError(_missing_failure(each.name, missing_N, explain))
        if each.term.on_missing == "drop_sample":
            dropped_N |= missing_N
        elif each.term.on_missing == "drop_group":
            dropped_N |= (np.bincount(groups_N, missing_N) > 0)[groups_N]
    return _Rows(groups_N, gate_N, dropped_N)


def _missing_failure(name: str, missing_N: Bools, explain: Callable[[str, int], str]) -> Failure:
    cause = explain(name, int(np.argmax(missing_N)))
    message = f"term {name!r} is missing for {int(missing_N.sum())} of {len(missing_N)} samples"
    told = f"{message} ({cause})" if cause else message
    return Failure(code="term_missing", message=told, fault="system", stage="score")


def _normalized(recipe: RewardRecipe, each: _Term, rows: _Rows) -> Floats:
    """Squashed, then standardised over the rows that count; 0 elsewhere, but for `neutral`, which is
    average.
    """
    squash = each.term.squash
    value_N = squash.apply(each.raw_N) if squash else each.raw_N
    counted_N = each.ok_N & rows.alive_N
    how = recipe.normalize_of(each.name)
    if how == "rank":
        return ranked(value_N, rows.groups_N, counted_N)
    if how != "none":
        over_N = rows.groups_N if how == "group" else np.zeros_like(rows.groups_N)
        return standardized(value_N, over_N, counted_N)
    value_N = np.where(each.ok_N, value_N, 0.0)
    if each.term.role != "reward" or not each.filled_N.any():
        return value_N
    has_mates_N = (np.bincount(rows.groups_N, counted_N) > 0)[rows.groups_N]
    mates_N = group_mean(value_N, rows.groups_N, counted_N)[rows.groups_N]
    batch = group_mean(value_N, np.zeros_like(rows.groups_N), counted_N)[0]
    return np.where(each.missing_N, np.where(has_mates_N, mates_N, batch), value_N)


def _weighted(
    floor: float, terms: Sequence[_Term], normalized: Sequence[Floats], rows: _Rows
) -> list[Floats]:
    """What each term adds to each row's total."""
    nominal_N, there_N = np.zeros(len(rows.gate_N)), np.zeros(len(rows.gate_N))
    for each in terms:
        asked_N = each.ok_N | each.missing_N
        gives_up_N = each.missing_N & (each.term.on_missing == "renormalize")
        nominal_N += abs(each.weight) * asked_N
        there_N += abs(each.weight) * (asked_N & ~gives_up_N)
    scale_N = np.divide(nominal_N, there_N, out=np.ones_like(nominal_N), where=there_N > 0)
    weighted: list[Floats] = []
    for index, (each, value_N) in enumerate(zip(terms, normalized, strict=True)):
        kept_N = value_N - _vetoed(each.name, terms) * np.maximum(value_N, 0.0)
        enters_N = (each.ok_N | each.filled_N) & rows.alive_N
        with np.errstate(over="ignore", invalid="ignore"):
            kept_N = np.where(enters_N, each.weight * scale_N * kept_N, 0.0)
        weighted.append(np.where(rows.gate_N == index, floor, kept_N))
    return weighted


def _vetoed(name: str, terms: Sequence[_Term]) -> Floats | float:
    """The strongest veto against a term, 0 … 1 per row. z − v · max(z, 0): a clean picture gains nothing."""
    against = [
        np.clip(np.where(each.ok_N, each.raw_N, 0.0), 0.0, 1.0) for each in terms if each.term.vetoes == name
    ]
    return np.max(against, axis=0) if against else 0.0


def _check_range(terms: Sequence[_Term], weighted: Sequence[Floats], total_N: Floats) -> None:
    if np.isfinite(total_N).all():
        return
    row = int(np.argmin(np.isfinite(total_N)))
    largest = max(zip(terms, weighted, strict=True), key=lambda pair: abs(float(pair[1][row])))[0]
    message = (
        f"the reward of row {row} is beyond the range of numbers: term {largest.name!r} scores"
        f" {largest.raw_N[row]:g}. Give it a squash, or normalize it."
    )
    raise StageError(Failure("reward_overflow", message, fault="system", stage="score"))


def _has_total(terms: Sequence[_Term], rows: _Rows) -> Bools:
    """Not dropped, and not robbed of every weighted reward term that applies (where the recipe has any)."""
    rewards = [each for each in terms if each.term.role == "reward" and each.weight]
    if not rewards:
        return ~rows.dropped_N
    lost_N = np.any([each.missing_N for each in rewards], axis=0)
    there_N = np.any([each.ok_N for each in rewards], axis=0)
    return ~rows.dropped_N & ((rows.gate_N >= 0) | there_N | ~lost_N)


def _shown(index: int, each: _Term, rows: _Rows, has_total_N: Bools) -> tuple[Bools, Bools]:
    """Where a term shows a normalised value, and where it enters a sum."""
    floors_N = rows.gate_N == index
    counts_N = (each.ok_N | each.filled_N) & rows.alive_N
    adds = each.term.role in ("reward", "gate")
    enters_N = (floors_N | (adds & (counts_N | (rows.gate_N >= 0)))) & has_total_N
    return counts_N | (floors_N & each.ok_N), enters_N


def _status(each: _Term, column: Column, rows: _Rows) -> Codes:
    """Each row's status, as an index of STATUSES."""
    ok, missing, not_applicable, gated = range(len(STATUSES))
    looks_anyway = each.term.role in ("gate", "monitor")
    gated_N = rows.gate_N >= 0
    return np.select(
        [
            column.outcome_N == NOT_APPLICABLE,
            each.ok_N & (~gated_N | looks_anyway),
            gated_N | each.own_fault_N,
        ],
        [not_applicable, ok, gated],
        default=missing,
    ).astype(np.int8)
