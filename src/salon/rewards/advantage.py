"""Totals to advantages: how much better a sample is than the others of its group. Pure, exact, tested by
hand.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from salon.rewards.standardize import EPSILON, dead_groups, group_mean, group_std
from salon.types import Reward

Scale = Literal["none", "group", "batch"]


def group_codes(group_ids: Sequence[str]) -> tuple[np.ndarray, int]:
    """Groups as integers 0 … G−1 in order of appearance, and G."""
    seen: dict[str, int] = {}
    codes = [seen.setdefault(group, len(seen)) for group in group_ids]
    return np.asarray(codes, dtype=np.int64), len(seen)


def grpo(
    totals: Sequence[float | None], group_ids: Sequence[str], scale: Scale = "none"
) -> list[float | None]:
    """Group-relative advantages: reward − mean of its group, divided by a spread if one is asked for.

    scale: "none" leaves the reward's own units (Dr. GRPO: one rejected sample does not shrink the others);
    "group" divides by the group's std + 1e-4; "batch" by the std of all rewards + 1e-4. std is the sample's
    (n − 1), as in TRL. A row without a total has no advantage and moves nobody else's. A group with fewer
    than two totals is dropped (None). A group whose totals differ by rounding only gets exactly 0.

    Example: totals [1, 3, 2, None] of one group have mean 2 and std 1:
        none  → [−1, 1, 0, None]
        group → [−0.9999, 0.9999, 0, None]

    Source: GRPO, arXiv 2402.03300; without the std, arXiv 2503.20783.
    """
    if len(totals) != len(group_ids):
        raise ValueError(f"{len(totals)} totals for {len(group_ids)} group ids")
    groups_N, count = group_codes(group_ids)
    rows_N = np.array([total is not None for total in totals], dtype=bool)
    values_N = np.array([0.0 if total is None else total for total in totals], dtype=np.float64)
    if not np.isfinite(values_N).all():
        raise ValueError("a total is finite or None")
    dead_G = dead_groups(values_N, groups_N, rows_N, count)
    centred_N = values_N - group_mean(values_N, groups_N, rows_N)[groups_N]
    if scale == "group":
        centred_N = centred_N / (group_std(values_N, groups_N, rows_N)[groups_N] + EPSILON)
    elif scale == "batch":
        batch_N = np.zeros_like(groups_N)
        centred_N = centred_N / (group_std(values_N, batch_N, rows_N)[batch_N] + EPSILON)
    centred_N[dead_G[groups_N]] = 0.0
    usable_N = rows_N & (np.bincount(groups_N, rows_N, minlength=count) >= 2)[groups_N]
    return [float(value) if usable else None for value, usable in zip(centred_N, usable_N, strict=True)]


def with_advantages(
    rewards: Sequence[Reward], group_ids: Sequence[str], scale: Scale = "none"
) -> list[Reward]:
    """The same rewards with their GRPO advantages filled in."""
    advantages = grpo([reward.total for reward in rewards], group_ids, scale)
    return [
        replace(reward, advantage=advantage) for reward, advantage in zip(rewards, advantages, strict=True)
    ]
