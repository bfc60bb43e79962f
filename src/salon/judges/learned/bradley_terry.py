"""A Bradley–Terry head: one linear score whose differences give the odds of a comparison. Pure numpy.

For pictures a and b with features f: P(a beats b) = σ(s_a − s_b), s = w·f. The weights minimise the mean of
−log σ(s⁺ − s⁻) over all pairs of unequal tiers plus an L2 term (R. A. Bradley and M. E. Terry, 1952). The
loss needs only an N × N table of pair weights, so all pairs are used and none is sampled.

Shape suffixes: N = pictures or variants of them, P = pairs, D = features, K = principal directions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from salon.errors import RecipeError
from salon.intervals import widened

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

TIER_ORDER: Mapping[str, int] = {"nope": 0, "okay": 1, "love": 2}
_DOUBT = 0.01
L2_GRID = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)


@dataclass(frozen=True, slots=True)
class Head:
    """s = clip(features, low, high) · direction + offset. Differences of s are calibrated log odds.

    `low` and `high` (D,) are the ranges seen in training: what no rated picture ever was earns and costs
    nothing more, so that a policy cannot climb by going to extremes.
    """

    direction: NDArray[np.float32]
    offset: float
    low: NDArray[np.float32]
    high: NDArray[np.float32]

    def score(self, features_ND: NDArray[np.float32]) -> FloatArray:
        """Scores (N,), in log odds."""
        seen_ND = np.clip(features_ND, self.low, self.high).astype(np.float64)
        return seen_ND @ self.direction.astype(np.float64) + self.offset


@dataclass(frozen=True, slots=True)
class BradleyTerryFit:
    """A fitted head and what cross-validation said: the L2, the temperature, the out-of-fold numbers."""

    head: Head
    l2: float
    temperature: float
    out_of_fold: "PairReport"


@dataclass(frozen=True, slots=True)
class PairReport:
    """How well scores order pairs of unequal tiers.

    `accuracy` counts a tie as half; `low` and `high` bound it by a 95 % bootstrap over pictures, by Wilson's
    interval over half as many as there are pictures where those are few. `by_kind` has the accuracy of
    love>okay, love>nope and okay>nope. `log_loss` is in nats (ln 2 = .693 for a coin), `ece` the expected
    calibration error. All of them are None where there is no pair of unequal tiers.
    """

    accuracy: float | None
    low: float | None
    high: float | None
    pairs: int
    pictures: int
    by_kind: Mapping[str, float]
    log_loss: float | None
    ece: float | None


def pair_weights(levels_N: IntArray, groups_N: IntArray | None = None) -> FloatArray:
    """The table of pairs: [i, j] > 0 where i is of a better tier than j. Kinds of pairs weigh alike; the sum
    is 1.

    Pairs inside one group (variants of one picture) do not count.
    """
    better = levels_N[:, None] > levels_N[None, :]
    if groups_N is not None:
        better &= groups_N[:, None] != groups_N[None, :]
    kinds = levels_N[:, None] * 3 + levels_N[None, :]
    weights = np.zeros(better.shape)
    for kind in np.unique(kinds[better]):
        chosen = better & (kinds == kind)
        weights[chosen] = 1 / chosen.sum()
    total = weights.sum()
    return weights / total if total > 0 else weights


def fit_direction(features_NK: FloatArray, pairs_NN: FloatArray, l2: float, steps: int = 30) -> FloatArray:
    """Newton's method on the pairs' mean loss plus l2 / 2 · |w|²: convex, so it is the one minimum, (K,)."""
    better_P, worse_P = np.nonzero(pairs_NN)
    weights_P = pairs_NN[better_P, worse_P]

    def measure(w: FloatArray) -> float:
        scores = features_NK @ w
        return float(weights_P @ np.logaddexp(0, scores[worse_P] - scores[better_P]) + l2 / 2 * w @ w)

    w = np.zeros(features_NK.shape[1])
    loss = measure(w)
    for _ in range(steps):
        scores = features_NK @ w
        lose_P = _sigmoid(scores[worse_P] - scores[better_P])
        pull_P = weights_P * lose_P
        push_N = np.bincount(worse_P, pull_P, len(scores)) - np.bincount(better_P, pull_P, len(scores))
        gradient = features_NK.T @ push_N + l2 * w
        if np.abs(gradient).max() < 1e-7:
            break
        curvature = np.zeros_like(pairs_NN)
        curvature[better_P, worse_P] = pull_P * (1 - lose_P)
        curvature = curvature + curvature.T
        laplacian = np.diag(curvature.sum(1)) - curvature
        hessian = features_NK.T @ laplacian @ features_NK + l2 * np.eye(len(w))
        w, loss = _descend(w, np.linalg.solve(hessian, gradient).astype(np.float64), loss, measure)
    return w


def fit_head(
    features_ND: NDArray[np.float32],
    tiers: Sequence[str],
    groups: Sequence[str],
    blocks: Sequence[int] | None = None,
    counted: Sequence[bool] | None = None,
    folds: int = 5,
    components: int = 128,
    l2_grid: Sequence[float] = L2_GRID,
    seed: int = 0,
) -> BradleyTerryFit:
    """Fit a head on rated pictures: scale, rotate, choose L2 by cross-validation, calibrate, refit on all.

    Args:
        features_ND: one row per picture, or per variant of a picture.
        tiers: love | okay | nope per row.
        groups: rows that belong together (variants, families) and must not be parted by a fold.
        blocks: widths of the features' parts, each weighed alike; one part when None.
        counted: rows that count in the out-of-fold report (not variants or made-up pictures); all when None.
        components: how many principal directions are kept at most.
        seed: fixes the folds.

    Raises:
        RecipeError: fewer than two tiers, or too few pictures for the folds.
    """
    levels = np.array([TIER_ORDER[t] for t in tiers], np.int64)
    names = {name: i for i, name in enumerate(dict.fromkeys(groups))}
    groups_N = np.array([names[g] for g in groups], np.int64)
    real = [True] * len(tiers) if counted is None else counted
    rated = {group: tier for group, tier, counts in zip(groups, tiers, real, strict=True) if counts}
    if len(set(rated.values())) < 2 or len(rated) < 2 * folds:
        told = ", ".join(f"{list(rated.values()).count(tier)} {tier}" for tier in list(TIER_ORDER)[::-1])
        raise RecipeError(
            f"a judge needs pictures of two tiers and at least {2 * folds} of them (two for each of `folds`:"
            f" {folds}); here are {len(rated)}: {told}. Rate more."
        )
    rotate_DK, centre_D = _principal(features_ND.astype(np.float64), blocks, components)
    x_NK = (features_ND - centre_D) @ rotate_DK
    fold_N = assign_folds(levels, groups_N, folds, seed)
    clipped_NK = (_clip_to_other_folds(features_ND, fold_N) - centre_D) @ rotate_DK
    rounds = [(l2, *_cross_validate(x_NK, clipped_NK, levels, groups_N, fold_N, l2)) for l2 in l2_grid]
    l2, temperature, scores_N, _ = min(rounds, key=lambda r: r[3])
    w = fit_direction(x_NK, pair_weights(levels, groups_N), l2) / temperature
    direction = rotate_DK @ w
    head = Head(
        direction=direction.astype(np.float32),
        offset=float(-(centre_D @ direction)),
        low=features_ND.min(0),
        high=features_ND.max(0),
    )
    kept = np.flatnonzero(np.ones(len(tiers)) if counted is None else np.array(counted))
    report = report_pairs(
        scores_N[kept] / temperature, [tiers[int(index)] for index in kept], fold_N[kept], seed=seed
    )
    return BradleyTerryFit(head=head, l2=l2, temperature=temperature, out_of_fold=report)


def report_pairs(
    scores_N: FloatArray,
    tiers: Sequence[str],
    parts_N: IntArray | None = None,
    seed: int = 0,
    rounds: int = 1000,
) -> PairReport:
    """Measure scores against tiers, over all pairs (inside one part only, where parts are given)."""
    levels = np.array([TIER_ORDER[t] for t in tiers], np.int64)
    better = levels[:, None] > levels[None, :]
    if parts_N is not None:
        better &= parts_N[:, None] == parts_N[None, :]
    if not better.any():
        return PairReport(None, None, None, 0, len(scores_N), {}, None, None)
    gap = scores_N[:, None] - scores_N[None, :]
    right = np.where(gap == 0, 0.5, (gap > 0).astype(float)) * better
    low, high = _bootstrap(right, better.astype(float), seed, rounds)
    odds = gap[better]
    names = {2: "love", 1: "okay", 0: "nope"}
    by_kind: dict[str, float] = {}
    for a, b in ((2, 1), (2, 0), (1, 0)):
        kind = better & (levels[:, None] == a) & (levels[None, :] == b)
        if kind.any():
            by_kind[f"{names[a]}>{names[b]}"] = float(right[kind].mean())
    return PairReport(
        accuracy=float(right.sum() / better.sum()),
        low=low,
        high=high,
        pairs=int(better.sum()),
        pictures=len(scores_N),
        by_kind=by_kind,
        log_loss=float(np.logaddexp(0, -odds).mean()),
        ece=calibration_error(_sigmoid(odds)),
    )


def calibration_error(probability_P: FloatArray, bins: int = 10) -> float:
    """Expected calibration error of P(better wins); each pair also counts mirrored: it is one comparison."""
    claimed = np.concatenate([probability_P, 1 - probability_P])
    came = np.concatenate([np.ones_like(probability_P), np.zeros_like(probability_P)])
    if not len(claimed):
        return 0.0
    index = np.minimum((claimed * bins).astype(int), bins - 1)
    count = np.bincount(index, minlength=bins)
    gap = np.abs(np.bincount(index, claimed - came, minlength=bins))
    return float(gap.sum() / count.sum())


def assign_folds(levels_N: IntArray, groups_N: IntArray, folds: int, seed: int) -> IntArray:
    """A fold per row: groups stay whole, and every fold gets its share of each tier."""
    rng = np.random.default_rng(seed)
    fold_of: dict[int, int] = {}
    for level in np.unique(levels_N):
        members = [g for g in np.unique(groups_N[levels_N == level]) if int(g) not in fold_of]
        for place, index in enumerate(rng.permutation(len(members))):
            fold_of[int(members[index])] = place % folds
    return np.array([fold_of[int(g)] for g in groups_N], np.int64)


def _clip_to_other_folds(features_ND: NDArray[np.float32], fold_N: IntArray) -> NDArray[np.float32]:
    """Every row as a head that was trained without its fold would see it."""
    clipped = features_ND.copy()
    for fold in np.unique(fold_N):
        others = features_ND[fold_N != fold]
        clipped[fold_N == fold] = np.clip(features_ND[fold_N == fold], others.min(0), others.max(0))
    return clipped


def _cross_validate(
    x_NK: FloatArray,
    clipped_NK: FloatArray,
    levels_N: IntArray,
    groups_N: IntArray,
    fold_N: IntArray,
    l2: float,
) -> tuple[float, FloatArray, float]:
    """(temperature, out-of-fold scores, log loss at that temperature) for one L2."""
    scores_N = np.zeros(len(x_NK))
    claims: list[tuple[FloatArray, FloatArray]] = []
    for fold in np.unique(fold_N):
        kept, out = fold_N != fold, fold_N == fold
        w = fit_direction(x_NK[kept], pair_weights(levels_N[kept], groups_N[kept]), l2)
        scores_N[out] = clipped_NK[out] @ w
        weights = pair_weights(levels_N[out], groups_N[out])
        gap = scores_N[out][:, None] - scores_N[out][None, :]
        claims.append((gap[weights > 0], weights[weights > 0]))
    gaps = np.concatenate([gap for gap, _ in claims])
    weights = np.concatenate([weight for _, weight in claims])
    temperature, loss = fit_temperature(gaps, weights / max(weights.sum(), 1e-12))
    return temperature, scores_N, loss


def fit_temperature(gaps_P: FloatArray, weights_P: FloatArray) -> tuple[float, float]:
    """The T that minimises −Σ w log σ(gap / T), and that loss; a search over ln T to three digits.

    One label in a hundred counts as wrong, so that pairs which are all told apart do not ask for certainty.
    """
    low, high, golden = np.log(0.02), np.log(50.0), (np.sqrt(5) - 1) / 2

    def loss(log_t: float) -> float:
        odds = gaps_P / np.exp(log_t)
        right, wrong = np.logaddexp(0, -odds), np.logaddexp(0, odds)
        return float((weights_P * ((1 - _DOUBT) * right + _DOUBT * wrong)).sum())

    while high - low > 1e-3:
        a, b = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, b) if loss(a) < loss(b) else (a, high)
    middle = float((low + high) / 2)
    return float(np.exp(middle)), loss(middle)


def _principal(
    features_ND: FloatArray, blocks: Sequence[int] | None, components: int
) -> tuple[FloatArray, FloatArray]:
    """(rotation (D, K) with the scaling in it, centre): features have unit spread, blocks unit total."""
    centre = features_ND.mean(0)
    spread = features_ND.std(0)
    scale = np.where(spread > 1e-8, 1 / np.maximum(spread, 1e-8), 0.0)
    start = 0
    for width in blocks or [features_ND.shape[1]]:
        scale[start : start + width] /= np.sqrt(width)
        start += width
    _, _, rows_KD = np.linalg.svd((features_ND - centre) * scale, full_matrices=False)
    rotation_DK = scale[:, None] * rows_KD[: min(components, len(features_ND) - 1)].T
    return rotation_DK, centre


def _bootstrap(right_NN: FloatArray, pairs_NN: FloatArray, seed: int, rounds: int) -> tuple[float, float]:
    """95 % interval of the accuracy when the pictures, not the pairs, are drawn anew."""
    n = len(right_NN)
    in_pairs = int((pairs_NN.any(0) | pairs_NN.any(1)).sum())
    mean = float(right_NN.sum() / pairs_NN.sum())
    rng = np.random.default_rng(seed)
    times_RN = rng.multinomial(n, np.full(n, 1 / n), size=rounds).astype(float)
    hits = ((times_RN @ right_NN) * times_RN).sum(1)
    all_pairs = ((times_RN @ pairs_NN) * times_RN).sum(1)
    low, high = np.percentile(hits[all_pairs > 0] / all_pairs[all_pairs > 0], [2.5, 97.5])
    return widened((min(float(low), mean), max(float(high), mean)), mean, max(1, in_pairs // 2))


def _descend(
    w: FloatArray, step: FloatArray, loss: float, measure: Callable[[FloatArray], float]
) -> tuple[FloatArray, float]:
    size = 1.0
    while size > 1e-6:
        trial = w - size * step
        if (value := measure(trial)) <= loss:
            return trial, value
        size /= 2
    return w, loss


def _sigmoid(x: FloatArray) -> FloatArray:
    return np.exp(-np.logaddexp(0, -x))
