"""Totals to advantages: how much better a sample is than the others of its group. Pure, exact, tested by
hand.

Every kind keeps three rules. A row without a total has no advantage (None) and moves nobody else's. A group
with fewer than two totals is dropped (None): there is nothing to compare with. A group whose totals differ by
rounding only gets no push: exactly 0, or exactly ½ as NFT's r.

Shape suffix: _N rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from salon.errors import StageError
from salon.types import Failure, Reward

from .estimator import Estimator, Gdpo, Grpo, Nft, Rank, Rpo, Scale, Scope, WinRate
from .standardize import EPSILON, Bools, Floats, Ints, dead_groups, moments, ranked, rescaled, standardized

__all__ = [
    "Scale",
    "Totals",
    "advantage_arrays",
    "advantages",
    "gdpo",
    "group_index",
    "grpo",
    "nft",
    "rank",
    "rpo",
    "win_rate",
    "with_advantages",
]


def group_index(group_ids: Sequence[str]) -> tuple[Ints, int]:
    """Groups as integers 0 … G−1 in order of appearance, and G."""
    seen: dict[str, int] = {}
    codes = [seen.setdefault(group, len(seen)) for group in group_ids]
    return np.asarray(codes, dtype=np.int64), len(seen)


@dataclass(frozen=True, slots=True)
class Totals:
    """N totals as arrays. rows_N: where there is one. passed_N: of those, the ones that no gate put at the
    floor.
    """

    values_N: Floats
    groups_N: Ints
    rows_N: Bools
    passed_N: Bools

    @property
    def usable_N(self) -> Bools:
        """Rows with a total whose group has another one."""
        return self.rows_N & (np.bincount(self.groups_N, self.rows_N) >= 2)[self.groups_N]

    @property
    def dead_N(self) -> Bools:
        """Rows of groups whose totals are equal but for rounding."""
        return dead_groups(self.values_N, self.groups_N, self.rows_N)[self.groups_N]


def grpo(
    totals: Sequence[float | None], group_ids: Sequence[str], scale: Scale = "none"
) -> list[float | None]:
    """Group-relative advantages: reward − mean of its group, divided by a spread if one is asked for.

    scale: "none" leaves the reward's own units (Dr. GRPO: one rejected sample does not shrink the others);
    "group" divides by the group's std + 1e-4; "batch" by the std of all rewards + 1e-4. std is the sample's
    (n − 1), as in TRL.

    Example: totals [1, 3, 2, None] of one group have mean 2 and std 1:
        none  → [−1, 1, 0, None]
        group → [−0.9999, 0.9999, 0, None]

    Source: GRPO, arXiv 2402.03300; without the std, arXiv 2503.20783.
    """
    return advantages(Grpo(scale=scale), totals, group_ids)


def gdpo(
    totals: Sequence[float | None], group_ids: Sequence[str], gated: Sequence[bool] | None = None
) -> list[float | None]:
    """GDPO's last step: (S − mean of the batch) / (std of the batch + 1e-4), std with n − 1.

    The first two are the recipe's `compose: {standardize: group}`: every term a z-score inside its group, and
    S their weighted sum. `gated` rows, at the floor, stay out of the mean and the std: a batch in which half
    of the samples fail to compile must not look like a batch of good ones.

    Example: S = [−1, 1, −3, 3] in groups a, a, b, b: mean 0, std √(20 / 3) = 2.582:
        [−0.3873, 0.3873, −1.1618, 1.1618]

    Source: GDPO, arXiv 2601.05242.
    """
    return advantages(Gdpo(kind="gdpo"), totals, group_ids, gated)


def rank(totals: Sequence[float | None], group_ids: Sequence[str]) -> list[float | None]:
    """The place inside the group: (2 × rank − n − 1) / (n − 1), −1 for the worst, 1 for the best.

    Equal totals share the mean of their ranks. The mean of a group is 0. Neither scale nor outliers matter:
    a sample at the floor is the last one, however deep the floor.

    Example: [.2, .9, .4, .4] → [−1, 1, 0, 0]; [−50, 1, 2] → [−1, 0, 1].
    """
    return advantages(Rank(kind="rank"), totals, group_ids)


def rpo(
    totals: Sequence[float | None], group_ids: Sequence[str], win: float = 1.0, lose: float = 0.1
) -> list[float | None]:
    """+win for the better sample of a pair, −lose for the other; neither centred nor scaled.

    A tie is no update (0), and so is a pair with a missing total (None).

    Raises:
        ValueError: a group has more than two rows.

    Example: pairs (.8, .3), (.5, .5), (.9, None) → 1, −.1; 0, 0; None, None.

    Source: λ = 1.0 and γ = 0.1 of RPO, arXiv 2605.08354.
    """
    return advantages(Rpo(kind="rpo", win=win, lose=lose), totals, group_ids)


def nft(
    totals: Sequence[float | None], group_ids: Sequence[str], std: Scope = "batch", clip: float = 5.0
) -> list[float | None]:
    """DiffusionNFT's r, 0 … 1: A = (reward − mean of its group) / (std + 1e-4), kept within ±clip, and
    r = ½ + A / (2 × clip).

    std is that of all rewards ("batch", the published default) or of the group's ("group"), the population's
    (n), as in the published code. It is not an advantage: r weighs imitation, 1 − r its opposite, and ½ moves
    nothing.

    Example: [0, 2] and [1, 1] in groups a and b, std of the batch √.5 = .7071: A = −1.414, 1.414, 0, 0:
        r = [.3586, .6414, .5, .5]

    Source: arXiv 2509.16117; Z = 5 std.
    """
    return advantages(Nft(kind="nft", std=std, clip=clip), totals, group_ids)


def win_rate(
    totals: Sequence[float | None], group_ids: Sequence[str], scale: Scale = "group"
) -> list[float | None]:
    """GRPO on win rates: a sample's share of its group mates that it beats, ties counting half.

    Example: [.2, .9, .4, .4] beat 0, 3, 1.5 and 1.5 of 3: w = [0, 1, .5, .5], mean .5, std .4082:
        none → [−.5, .5, 0, 0];  group → [−1.2244, 1.2244, 0, 0]

    Source: pairwise preference rewards, arXiv 2508.20751.
    """
    return advantages(WinRate(kind="win_rate", scale=scale), totals, group_ids)


def advantages(
    by: Estimator,
    totals: Sequence[float | None],
    group_ids: Sequence[str],
    gated: Sequence[bool] | None = None,
) -> list[float | None]:
    """The advantages of a batch, all groups of all processes at once.

    Raises:
        ValueError: lengths differ, a total is not finite, or a group does not fit the kind.
        StageError: an advantage is beyond the range of numbers.
    """
    if len(totals) != len(group_ids):
        raise ValueError(f"{len(totals)} totals for {len(group_ids)} group ids")
    rows_N = np.array([total is not None for total in totals], dtype=bool)
    values_N = np.array([0.0 if total is None else total for total in totals], dtype=np.float64)
    if not np.isfinite(values_N).all():
        raise ValueError("a total is finite or None")
    gated_N = np.zeros(len(totals), dtype=bool) if gated is None else np.array(gated, dtype=bool)
    batch = Totals(values_N, group_index(group_ids)[0], rows_N, rows_N & ~gated_N)
    found = zip(advantage_arrays(by, batch).tolist(), batch.usable_N.tolist(), strict=True)
    return [value if usable else None for value, usable in found]


def with_advantages(
    rewards: Sequence[Reward], group_ids: Sequence[str], by: Estimator | None = None
) -> list[Reward]:
    """The same rewards with their advantages filled in: plain GRPO's, unless another kind is asked for."""
    found = advantages(
        by or Grpo(), [reward.total for reward in rewards], group_ids, [reward.gated for reward in rewards]
    )
    return [replace(reward, advantage=advantage) for reward, advantage in zip(rewards, found, strict=True)]


def advantage_arrays(by: Estimator, batch: Totals) -> Floats:
    """`advantages` over arrays; what stands where `batch.usable_N` is false means nothing.

    Raises:
        ValueError: a group does not fit the kind.
        StageError: an advantage is beyond the range of numbers.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        found_N = _of_kind(by, batch)
    if not np.isfinite(found_N[batch.usable_N]).all():
        told = "an advantage is beyond the range of numbers. Standardise the terms of the reward."
        raise StageError(Failure("advantage_overflow", told, fault="system", stage="score"))
    return found_N


def _of_kind(by: Estimator, batch: Totals) -> Floats:
    if isinstance(by, Grpo):
        return _grpo(batch, by.scale)
    if isinstance(by, Gdpo):
        return _gdpo(batch)
    if isinstance(by, Rank):
        return ranked(batch.values_N, batch.groups_N, batch.rows_N)
    if isinstance(by, Rpo):
        return _rpo(batch, by.win, by.lose)
    if isinstance(by, Nft):
        return _nft(batch, by.std, by.clip)
    wins_N = 0.5 * (ranked(batch.values_N, batch.groups_N, batch.rows_N) + 1.0)
    return _grpo(replace(batch, values_N=wins_N), by.scale)


def _grpo(batch: Totals, scale: Scale) -> Floats:
    # What is recorded, diagnosed and re-scored. In training TRL computes its own from the totals, by the same
    # formula (see training/trl_trainer.py): a change here alone would change the record and not the update.
    if scale == "group":
        return standardized(batch.values_N, batch.groups_N, batch.rows_N)
    if scale == "batch":
        return _over_batch(batch, ddof=1)
    scaled_N, shift_G = rescaled(batch.values_N, batch.groups_N, batch.rows_N)
    mean_G, _ = moments(scaled_N, batch.groups_N, batch.rows_N)
    centred_N = np.ldexp(scaled_N - mean_G[batch.groups_N], shift_G[batch.groups_N])
    return np.where(batch.dead_N, 0.0, centred_N)


def _over_batch(batch: Totals, ddof: int) -> Floats:
    """(x − mean of its group) / (std of all + epsilon)."""
    together_N = np.zeros_like(batch.groups_N)
    scaled_N, shift_1 = rescaled(batch.values_N, together_N, batch.rows_N)
    mean_G, _ = moments(scaled_N, batch.groups_N, batch.rows_N)
    _, std_1 = moments(scaled_N, together_N, batch.rows_N, ddof)
    centred_N = scaled_N - mean_G[batch.groups_N]
    return np.where(batch.dead_N, 0.0, centred_N / (std_1 + np.ldexp(EPSILON, -shift_1))[together_N])


def _gdpo(batch: Totals) -> Floats:
    together_N = np.zeros_like(batch.groups_N)
    scaled_N, shift_1 = rescaled(batch.values_N, together_N, batch.rows_N)
    mean_1, std_1 = moments(scaled_N, together_N, batch.passed_N)
    centred_N = scaled_N - mean_1[together_N]
    return np.where(batch.dead_N, 0.0, centred_N / (std_1 + np.ldexp(EPSILON, -shift_1))[together_N])


def _rpo(batch: Totals, win: float, lose: float) -> Floats:
    if (np.bincount(batch.groups_N) > 2).any():
        raise ValueError("rpo compares two samples of a prompt, and a group has more: sample in pairs")
    won_N = ranked(batch.values_N, batch.groups_N, batch.rows_N) > 0.0
    return np.where(batch.dead_N, 0.0, np.where(won_N, win, -lose))


def _nft(batch: Totals, std: Scope, clip: float) -> Floats:
    if std == "group":
        z_N = standardized(batch.values_N, batch.groups_N, batch.rows_N, ddof=0)
    else:
        z_N = _over_batch(batch, ddof=0)
    return np.clip(z_N / (2.0 * clip) + 0.5, 0.0, 1.0)
