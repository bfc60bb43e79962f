"""A recipe tried on the scores that are there: what each of its terms would decide.

It is composed as in training, step by step, by the code that trains (`salon.rewards.arrays`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from salon.diagnosis.checks.enough_data import FEWEST, comparable
from salon.diagnosis.table import Bools, Floats, Table, centred
from salon.errors import StageError
from salon.rewards.arrays import MISSING, NOT_APPLICABLE, OK, Column, compose_arrays
from salon.rewards.recipe import RewardRecipe

MOST_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of it, over the rows that passed the gates, inside groups.

    share: what each reward term decides, of the total's variance. weight: its part of their weight.
    with_total: its correlation with the total. products_KK: of the normalised terms, in the same order.
    """

    names: tuple[str, ...]
    share: Mapping[str, float]
    weight: Mapping[str, float]
    with_total: Mapping[str, float]
    products_KK: Floats
    rows: int

    @property
    def off(self) -> float:
        """How far a share lies from its weight at most."""
        return max((abs(self.share[name] - self.weight[name]) for name in self.names), default=0.0)


def try_out(recipe: RewardRecipe, table: Table, sources: Mapping[str, Floats]) -> Trial | None:
    """The recipe on the late rows of a table, of at most 20,000.

    Args:
        sources: for each term of the recipe the scores that stand for it, NaN where missing. A term without
            any is not applicable.

    Returns:
        None where too few rows get a reward, or nothing varies.
    """
    rows_N = _chosen(table)
    steps_N = table.step_N if table.step_N is not None else np.zeros(table.rows, np.int64)
    names = [name for name, term in recipe.terms.items() if term.role == "reward" and term.weighs]
    weighted_KN = np.full((len(names), table.rows), np.nan)
    normal_KN = np.full((len(names), table.rows), np.nan)
    place = [list(recipe.terms).index(name) for name in names]
    weight_K = np.zeros(len(names))
    for step in np.unique(steps_N[rows_N]):
        at = np.flatnonzero(rows_N & (steps_N == step))
        columns = {name: _column(recipe, name, sources.get(name), at) for name in recipe.terms}
        try:
            composed = compose_arrays(
                recipe, np.unique(table.group_N[at], return_inverse=True)[1], columns, int(step)
            )
        except StageError:
            return None
        kept = composed.passed_N
        weighted_KN[:, at[kept]] = composed.weighted_KN[place][:, kept]
        normal_KN[:, at[kept]] = composed.normalized_KN[place][:, kept]
        weight_K = np.array([abs(recipe.terms[name].weight_at(int(step))) for name in names])
    return _summed(table, names, weighted_KN, normal_KN, weight_K)


def _summed(
    table: Table, names: list[str], weighted_KN: Floats, normal_KN: Floats, weight_K: Floats
) -> Trial | None:
    there_N: Bools = np.all(~np.isnan(weighted_KN), axis=0, keepdims=True)[0]
    if not names or not weight_K.sum() or comparable(table, there_N) < FEWEST:
        return None
    around_KN = np.stack([centred(row_N, table.unit_N, table.units)[there_N] for row_N in weighted_KN])
    normal_KM = np.stack([centred(row_N, table.unit_N, table.units)[there_N] for row_N in normal_KN])
    total_M = around_KN.sum(axis=0)
    whole, own_K = float(total_M @ total_M), (around_KN**2).sum(axis=1)
    if whole <= 1e-18 * max(float(own_K.sum()), 1e-300) or not np.isfinite(whole):
        return None
    with_K = around_KN @ total_M
    ratio_K = with_K / np.sqrt(np.maximum(own_K * whole, 1e-300))
    return Trial(
        tuple(names),
        dict(zip(names, (with_K / whole).tolist(), strict=True)),
        dict(zip(names, (weight_K / weight_K.sum()).tolist(), strict=True)),
        dict(zip(names, ratio_K.tolist(), strict=True)),
        normal_KM @ normal_KM.T,
        int(there_N.sum()),
    )


def _chosen(table: Table) -> Bools:
    rows_N = table.late_N.copy()
    count = int(rows_N.sum())
    if count > MOST_ROWS:
        code_N = table.unit_N if table.units > 1 else np.arange(table.rows)
        rows_N &= code_N % -(-count // MOST_ROWS) == 0
    return rows_N


def _column(recipe: RewardRecipe, name: str, values_N: Floats | None, at: np.ndarray) -> Column:
    if values_N is None:
        return Column(np.zeros(len(at)), np.full(len(at), NOT_APPLICABLE, dtype=np.int8))
    raw = values_N[at]
    lost = NOT_APPLICABLE if recipe.terms[name].when else MISSING
    missing = np.isnan(raw)
    return Column(np.where(missing, 0.0, raw), np.where(missing, lost, OK).astype(np.int8))
