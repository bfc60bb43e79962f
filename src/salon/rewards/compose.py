"""Scores to rewards. Pure: a thin layer of objects over `salon.rewards.arrays`, where the numbers are made.

Give it all rows at once (of all processes, after a gather): batch and group statistics need them. What it
sums is what it records: the `weighted` values of a reward add up to its `total`.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from salon.types import Reward, Score, TermValue

from .advantage import group_index
from .arrays import MISSING, NOT_APPLICABLE, OK, OWN_FAULT, STATUSES, Column, Composed, compose_arrays
from .recipe import RewardRecipe


def compose(
    recipe: RewardRecipe, group_ids: Sequence[str], scores: Mapping[str, Sequence[Score]], step: int = 0
) -> list[Reward]:
    """One reward per row.

    Args:
        group_ids: which group each row belongs to; N of them.
        scores: N scores for every term of the recipe, in the same order.
        step: the policy step, which decides the weights that have a schedule.

    Returns:
        N rewards. `total` is None when the infrastructure's fault took it away; a sample's own fault gives
        the recipe's floor. advantage is left None (see salon.rewards.advantage).

    Raises:
        ValueError: a term is not scored, or not for every row.
        StageError: a term with `on_missing: raise` is missing, or the sum is beyond the range of numbers.

    Example: weights gate .05, taste .95. Scores gate 1, taste .6 → .05 + .57 = .62. Gate 0 → 0. Taste
    missing:
        drop_sample → None; renormalize → .05 × 1 × (1 / .05) = 1; neutral beside a group mate of taste .6 →
        .62.
    """
    groups_N, _ = group_index(group_ids)
    known = {name: scores[name] for name in recipe.terms if name in scores}
    columns = {name: column_of(values) for name, values in known.items()}

    def explain(term: str, row: int) -> str:
        failure = scores[term][row].failure
        return f"{failure.code}: {failure.message}" if failure else ""

    composed = compose_arrays(recipe, groups_N, columns, step, explain)
    per_term = [_term_values(name, index, known[name], composed) for index, name in enumerate(recipe.terms)]
    return [
        Reward(total=total if has_total else None, terms=terms, gated=gate >= 0)
        for total, has_total, gate, terms in zip(
            composed.total_N.tolist(),
            composed.has_total_N.tolist(),
            composed.gate_N.tolist(),
            zip(*per_term, strict=True),
            strict=True,
        )
    ]


def column_of(scores: Sequence[Score]) -> Column:
    """Scores as arrays."""
    return Column(
        raw_N=np.array([0.0 if score.value is None else score.value for score in scores], dtype=np.float64),
        outcome_N=np.array([_outcome(score) for score in scores], dtype=np.int8),
    )


def _outcome(score: Score) -> int:
    if score.failure is None:
        return OK
    if score.failure.code == "not_applicable":
        return NOT_APPLICABLE
    return OWN_FAULT if score.failure.fault == "sample" else MISSING


def _term_values(name: str, index: int, scores: Sequence[Score], composed: Composed) -> list[TermValue]:
    """A term's part of the record. What did not enter a sum has no weighted value."""
    columns = zip(
        scores,
        composed.normalized_KN[index].tolist(),
        composed.shows_KN[index].tolist(),
        composed.weighted_KN[index].tolist(),
        composed.enters_KN[index].tolist(),
        composed.status_KN[index].tolist(),
        strict=True,
    )
    return [
        TermValue(
            term=name,
            raw=score.value,
            normalized=normalized if shows else None,
            weighted=weighted if enters else None,
            status=STATUSES[status],
            reason=_reason(score),
            details=score.details,
        )
        for score, normalized, shows, weighted, enters, status in columns
    ]


def _reason(score: Score) -> str:
    if score.reason or score.failure is None:
        return score.reason
    return f"{score.failure.code}: {score.failure.message}"
