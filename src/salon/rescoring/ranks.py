"""What another reward does to the order inside groups. Pure: totals in, places and Kendall's tau out.

A row that has a total under one of the two rewards only has no move. Ties share the mean of their places.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from salon.intervals import Interval, bootstrap_mean

Floats = NDArray[np.float64]


def places(totals: Floats) -> Floats:
    """Places from 1, the best; ties share the mean of theirs. No NaN.

    Example: [.2, .9, .4, .4] → [4, 1, 2.5, 2.5].
    """
    above = (totals[None, :] > totals[:, None]).sum(axis=1)
    equal = (totals[None, :] == totals[:, None]).sum(axis=1)
    return above + (equal + 1) / 2


def steady(totals: Floats) -> Floats:
    """Totals that differ by rounding only become equal: terms in another order add up to another last bit.

    Example: [.1 + .2, .3] → two equal numbers.
    """
    largest = float(np.abs(totals).max(initial=0.0))
    return np.round(totals / largest, 10) if largest else totals


def kendall(before: Floats, after: Floats) -> float | None:
    """Kendall's tau-b between two orders; None where one of them ties throughout.

    Example: [1, 2, 3] and [1, 3, 2]: two pairs agree and one does not, (2 − 1) / 3 = .333.

    Source: M. G. Kendall, Biometrika 33 (1945).
    """
    upper = np.triu_indices(len(before), 1)
    a = np.sign(before[:, None] - before[None, :])[upper]
    b = np.sign(after[:, None] - after[None, :])[upper]
    scale = float(np.sqrt((a != 0).sum() * (b != 0).sum()))
    return float((a * b).sum()) / scale if scale else None


@dataclass(frozen=True, slots=True)
class Order:
    """One group under both rewards. N rows with both totals; `rows` are their places in the record."""

    rows: tuple[int, ...]
    before: Floats
    after: Floats
    tau: float | None

    @property
    def crowned(self) -> bool:
        """Whether another row is the best now: none of the old bests is among the new ones."""
        old, new = self.before == self.before.min(), self.after == self.after.min()
        return not bool((old & new).any())


def orders(
    groups: Sequence[str], before: Sequence[float | None], after: Sequence[float | None]
) -> list[Order]:
    """The groups with at least two rows that have both totals, in order of appearance."""
    members: dict[str, list[int]] = {}
    for row, (group, old, new) in enumerate(zip(groups, before, after, strict=True)):
        if old is not None and new is not None:
            members.setdefault(group, []).append(row)
    found: list[Order] = []
    for rows in members.values():
        if len(rows) > 1:
            old = steady(np.array([before[row] for row in rows], dtype=np.float64))
            new = steady(np.array([after[row] for row in rows], dtype=np.float64))
            found.append(Order(tuple(rows), places(old), places(new), kendall(old, new)))
    return found


def agreement(found: Sequence[Order], clusters: Sequence[str]) -> dict[str, float | int | None]:
    """Over all groups: the mean tau, and the share of groups with another best row, with 95 % intervals.

    `tau`, `tau_low`, `tau_high`, `tau_groups` (those with an order under both); `crowned` and so on; `moved`,
    the mean number of places that a row moves. Intervals are a bootstrap over prompts; a tau that is the same
    in all groups has none.

    Args:
        found: the groups.
        clusters: each group's prompt.
    """
    ordered = [
        (each.tau, prompt) for each, prompt in zip(found, clusters, strict=True) if each.tau is not None
    ]
    taus = [tau for tau, _ in ordered]
    spread = len(set(taus)) > 1
    halves = bootstrap_mean([(tau + 1) / 2 for tau in taus], [prompt for _, prompt in ordered])
    stretched = (2 * halves[0] - 1, 2 * halves[1] - 1) if halves and spread else None
    crowned = [float(each.crowned) for each in found]
    moved = np.concatenate([np.abs(each.before - each.after) for each in found]) if found else np.zeros(0)
    return {
        "groups": len(found),
        "tau_groups": len(taus),
        "moved": float(moved.mean()) if len(moved) else None,
        **_between("tau", float(np.mean(taus)) if taus else None, stretched),
        **_between(
            "crowned", float(np.mean(crowned)) if crowned else None, bootstrap_mean(crowned, list(clusters))
        ),
    }


def _between(name: str, value: float | None, interval: Interval | None) -> dict[str, float | None]:
    low, high = interval or (None, None)
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def causes(
    before: Sequence[Mapping[str, float | None]], after: Sequence[Mapping[str, float | None]]
) -> list[dict[str, float]]:
    """By how much each term pushed each row of one group, in standard deviations of the group's totals.

    What a term adds, minus the group's mean of it, over the spread of the totals: under the new reward minus
    under the old one. Rewards of different scales can be compared so.

    Args:
        before, after: per row, what each term added to the total under each reward; None counts as 0.
    """
    old, new = _pulls(before), _pulls(after)
    names = list(dict.fromkeys([*old, *new]))
    nothing = np.zeros(len(before))
    pushes = {name: new.get(name, nothing) - old.get(name, nothing) for name in names}
    return [{name: float(push[row]) for name, push in pushes.items()} for row in range(len(before))]


def _pulls(added: Sequence[Mapping[str, float | None]]) -> dict[str, Floats]:
    names = list(dict.fromkeys(name for row in added for name in row))
    columns = {name: np.array([row.get(name) or 0.0 for row in added]) for name in names}
    spread = float(np.sum(list(columns.values()), axis=0).std()) if columns else 0.0
    if spread < 1e-12:
        return {name: np.zeros(len(added)) for name in names}
    return {name: (column - column.mean()) / spread for name, column in columns.items()}
