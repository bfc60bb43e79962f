"""Scores to rewards: squash, standardise, weigh, gate, veto, sum. Pure: no I/O, no clock, no randomness.

Give it all rows at once (of all processes, after a gather): batch and group statistics need them. What it
sums is what it records: the `weighted` values of a reward add up to its `total`.

Shape suffixes: _N rows (samples), _KN terms by rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from salon.errors import StageError
from salon.rewards.advantage import group_codes
from salon.rewards.recipe import RewardRecipe, Term
from salon.rewards.standardize import Bools, Floats, Ints, group_mean, standardized
from salon.types import Failure, Reward, Score, TermStatus, TermValue

NOT_APPLICABLE = "not_applicable"


@dataclass(frozen=True, slots=True)
class Column:
    """One term's scores as arrays. A row is exactly one of ok, missing, own_fault and not applicable (none
    of them).
    """

    term: Term
    raw_N: Floats
    ok_N: Bools
    missing_N: Bools
    own_fault_N: Bools
    scores: Sequence[Score]


@dataclass(frozen=True, slots=True)
class Rows:
    """What becomes of each row. gate_N: the index of the term that put it at the floor, −1 where none did."""

    groups_N: Ints
    gate_N: Ints
    dropped_N: Bools

    @property
    def alive_N(self) -> Bools:
        return ~self.dropped_N & (self.gate_N < 0)


def compose(
    recipe: RewardRecipe, group_ids: Sequence[str], scores: Mapping[str, Sequence[Score]]
) -> list[Reward]:
    """One reward per row.

    Args:
        group_ids: which group each row belongs to; N of them.
        scores: N scores for every term of the recipe, in the same order.

    Returns:
        N rewards. `total` is None when the infrastructure's fault took it away; a sample's own fault gives
        the recipe's floor. advantage is left None (see salon.rewards.advantage).

    Raises:
        ValueError: a term is not scored, or not for every row.
        StageError: a term with `on_missing: raise` is missing.

    Example: weights gate .05, taste .95. Scores gate 1, taste .6 → .05 + .57 = .62. Gate 0 → 0. Taste
    missing:
        drop_sample → None; renormalize → .05 × 1 × (1 / .05) = 1; neutral beside a group mate of taste .6 →
        .62.
    """
    columns = {name: _column(name, term, scores, len(group_ids)) for name, term in recipe.terms.items()}
    rows = _rows(columns, group_ids)
    normalized = {name: _normalized(recipe, name, column, rows) for name, column in columns.items()}
    weighted = _weighted(recipe, columns, normalized, rows)
    has_total_N = _has_total(columns, rows)
    total_N = np.sum([weighted[name] for name in columns], axis=0)
    per_term = [
        _term_values(name, index, column, rows, (normalized[name], weighted[name]), has_total_N)
        for index, (name, column) in enumerate(columns.items())
    ]
    return [
        Reward(total=float(total) if has_total else None, terms=terms)
        for total, has_total, terms in zip(total_N, has_total_N, zip(*per_term, strict=True), strict=True)
    ]


def _column(name: str, term: Term, scores: Mapping[str, Sequence[Score]], count: int) -> Column:
    if name not in scores:
        raise ValueError(f"term {name!r} has no scores")
    column = scores[name]
    if len(column) != count:
        raise ValueError(f"term {name!r} has {len(column)} scores for {count} rows")
    failures = [score.failure for score in column]
    applicable_N = np.array([not (f and f.code == NOT_APPLICABLE) for f in failures], dtype=bool)
    own_fault_N = np.array([f is not None and f.fault == "sample" for f in failures], dtype=bool)
    ok_N = np.array([f is None for f in failures], dtype=bool)
    return Column(
        term=term,
        raw_N=np.array([0.0 if score.value is None else score.value for score in column], dtype=np.float64),
        ok_N=ok_N,
        missing_N=~ok_N & ~own_fault_N & applicable_N,
        own_fault_N=own_fault_N & applicable_N,
        scores=column,
    )


def _rows(columns: Mapping[str, Column], group_ids: Sequence[str]) -> Rows:
    """Gates first: a gated row asks nothing of the terms behind it, so it is never dropped for missing
    them.
    """
    groups_N, count = group_codes(group_ids)
    gate_N = np.full(len(groups_N), -1, dtype=np.int64)
    for index, column in enumerate(columns.values()):
        if column.term.role == "monitor":
            continue
        fails_N = column.own_fault_N.copy()
        if column.term.role == "gate":
            fails_N |= column.ok_N & (column.raw_N <= 0.0)
        gate_N[fails_N & (gate_N < 0)] = index
    dropped_N = np.zeros(len(groups_N), dtype=bool)
    for name, column in columns.items():
        missing_N = column.missing_N & (gate_N < 0)
        if column.term.role == "monitor" or not missing_N.any():
            continue
        if column.term.on_missing == "raise":
            raise StageError(_missing_failure(name, column, missing_N))
        if column.term.on_missing == "drop_sample":
            dropped_N |= missing_N
        elif column.term.on_missing == "drop_group":
            dropped_N |= (np.bincount(groups_N, missing_N, minlength=count) > 0)[groups_N]
    return Rows(groups_N, gate_N, dropped_N)


def _missing_failure(name: str, column: Column, missing_N: Bools) -> Failure:
    first = column.scores[int(np.argmax(missing_N))].failure
    cause = f"{first.code}: {first.message}" if first else "unknown"
    message = f"term {name!r} is missing for {int(missing_N.sum())} of {len(missing_N)} samples ({cause})"
    return Failure(code="term_missing", message=message, fault="system", stage="score")


def _normalized(recipe: RewardRecipe, name: str, column: Column, rows: Rows) -> Floats:
    """Squashed, then standardised over the rows that count; 0 elsewhere, but for `neutral`, which is
    average.
    """
    squash = column.term.squash
    value_N = squash.apply(column.raw_N) if squash else column.raw_N
    counted_N = column.ok_N & rows.alive_N
    how = recipe.normalize_of(name)
    if how != "none":
        over_N = rows.groups_N if how == "group" else np.zeros_like(rows.groups_N)
        return standardized(value_N, over_N, counted_N)
    value_N = np.where(column.ok_N, value_N, 0.0)
    if column.term.on_missing != "neutral" or column.term.role != "reward":
        return value_N
    has_mates_N = (np.bincount(rows.groups_N, counted_N) > 0)[rows.groups_N]
    mates_N = group_mean(value_N, rows.groups_N, counted_N)[rows.groups_N]
    batch = value_N[counted_N].mean() if counted_N.any() else 0.0
    return np.where(column.missing_N, np.where(has_mates_N, mates_N, batch), value_N)


def _weighted(
    recipe: RewardRecipe, columns: Mapping[str, Column], normalized: Mapping[str, Floats], rows: Rows
) -> dict[str, Floats]:
    """What each term adds to each row's total."""
    nominal_N, there_N = np.zeros(len(rows.gate_N)), np.zeros(len(rows.gate_N))
    for column in columns.values():
        gives_up_N = column.missing_N & (column.term.on_missing == "renormalize")
        nominal_N += abs(column.term.weight) * (column.ok_N | column.missing_N)
        there_N += abs(column.term.weight) * ((column.ok_N | column.missing_N) & ~gives_up_N)
    scale_N = np.divide(nominal_N, there_N, out=np.ones_like(nominal_N), where=there_N > 0)
    weighted: dict[str, Floats] = {}
    for index, (name, column) in enumerate(columns.items()):
        value_N = normalized[name] - _vetoed(name, columns) * np.maximum(normalized[name], 0.0)
        value_N = np.where(
            (column.ok_N | _filled(column)) & rows.alive_N, column.term.weight * scale_N * value_N, 0.0
        )
        weighted[name] = np.where(rows.gate_N == index, recipe.floor_value, value_N)
    return weighted


def _vetoed(name: str, columns: Mapping[str, Column]) -> Floats | float:
    """The strongest veto against a term, 0 … 1 per row. z − v · max(z, 0): a clean picture gains nothing."""
    against = [
        np.clip(np.where(column.ok_N, column.raw_N, 0.0), 0.0, 1.0)
        for column in columns.values()
        if column.term.vetoes == name
    ]
    return np.max(against, axis=0) if against else 0.0


def _has_total(columns: Mapping[str, Column], rows: Rows) -> Bools:
    """Not dropped, and at least one weighted reward term could be asked (where the recipe has any)."""
    rewards = [c for c in columns.values() if c.term.role == "reward" and c.term.weight]
    if not rewards:
        return ~rows.dropped_N
    all_missing_N = np.all([column.missing_N for column in rewards], axis=0)
    return ~rows.dropped_N & ~(all_missing_N & (rows.gate_N < 0))


def _term_values(
    name: str, index: int, column: Column, rows: Rows, shown: tuple[Floats, Floats], has_total_N: Bools
) -> list[TermValue]:
    """A term's part of the record. What did not enter a sum has no weighted value."""
    normalized_N, weighted_N = shown
    floors_N = rows.gate_N == index
    counts_N = (column.ok_N | _filled(column)) & rows.alive_N
    shows_N = counts_N | (floors_N & column.ok_N)
    adds = column.term.role in ("reward", "gate")
    enters_N = (floors_N | (adds & (counts_N | (rows.gate_N >= 0)))) & has_total_N
    return [
        TermValue(
            term=name,
            raw=score.value,
            normalized=float(normalized_N[row]) if shows_N[row] else None,
            weighted=float(weighted_N[row]) if enters_N[row] else None,
            status=_status(column, row, bool(rows.gate_N[row] >= 0)),
            reason=_reason(score),
        )
        for row, score in enumerate(column.scores)
    ]


def _filled(column: Column) -> Bools:
    """Missing rows that enter as average all the same."""
    return column.missing_N & (column.term.on_missing == "neutral")


def _status(column: Column, row: int, gated: bool) -> TermStatus:
    looks_anyway = column.term.role in ("gate", "monitor")
    if column.ok_N[row]:
        return "gated" if gated and not looks_anyway else "ok"
    if gated or column.own_fault_N[row]:
        return "gated"
    return "missing" if column.missing_N[row] else "not_applicable"


def _reason(score: Score) -> str:
    if score.reason or score.failure is None:
        return score.reason
    return f"{score.failure.code}: {score.failure.message}"
