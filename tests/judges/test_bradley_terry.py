import numpy as np
import pytest

from salon.errors import RecipeError
from salon.judges.learned.bradley_terry import (
    TIER_ORDER,
    assign_folds,
    calibration_error,
    fit_direction,
    fit_head,
    fit_temperature,
    pair_weights,
    report_pairs,
)

NAMES = ("nope", "okay", "love")


def rated(count: int, noise: float, width: int = 12, seed: int = 0) -> tuple[np.ndarray, list[str]]:
    """Features of `count` pictures whose merit is their first number plus noise, in three equal tiers."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(count, width))
    merit = features[:, 0] + noise * rng.normal(size=count)
    ranks = np.argsort(np.argsort(merit))
    return features.astype(np.float32), [NAMES[int(3 * rank / count)] for rank in ranks]


def names(count: int) -> list[str]:
    return [f"p{i}" for i in range(count)]


def test_pairs_are_of_unequal_tiers_and_each_kind_weighs_alike() -> None:
    weights = pair_weights(np.array([2, 1, 0, 0]))
    # love>okay has one pair, love>nope and okay>nope two each: a third of the weight apiece.
    assert weights == pytest.approx(np.array([[0, 1, 0.5, 0.5], [0, 0, 0.5, 0.5], [0] * 4, [0] * 4]) / 3)
    apart = pair_weights(np.array([2, 0, 2, 0]), groups_N=np.array([0, 0, 1, 1]))
    assert np.argwhere(apart > 0).tolist() == [[0, 3], [2, 1]]
    assert pair_weights(np.array([1, 1])).sum() == 0


def test_newton_finds_the_minimum_worked_by_hand() -> None:
    # One feature, a pair with gap 1: minimise log(1 + e^-w) + l2/2 w². At w = 1 the slope is l2 - σ(-1) = 0.
    l2 = 1 / (1 + np.e)
    w = fit_direction(np.array([[1.0], [0.0]]), pair_weights(np.array([2, 0])), l2)
    assert w[0] == pytest.approx(1.0, abs=1e-6)


def test_the_minimum_has_no_slope_in_many_dimensions() -> None:
    features, tiers = rated(60, noise=0.5)
    x, pairs = features.astype(np.float64), pair_weights(np.array([TIER_ORDER[t] for t in tiers]))

    def loss(w: np.ndarray) -> float:
        scores = x @ w
        return float((pairs * np.logaddexp(0, scores[None] - scores[:, None])).sum() + 0.05 * w @ w)

    w = fit_direction(x, pairs, l2=0.1)
    for direction in np.eye(12):
        assert loss(w) <= loss(w + 1e-3 * direction)
        assert loss(w) <= loss(w - 1e-3 * direction)


def test_a_head_orders_pictures_it_never_saw() -> None:
    features, tiers = rated(240, noise=0.3)
    fit = fit_head(features[:180], tiers[:180], names(180))
    report = report_pairs(fit.head.score(features[180:]), tiers[180:])
    assert report.accuracy > 0.85
    assert report.low < report.accuracy < report.high
    assert report.by_kind["love>nope"] > report.by_kind["love>okay"]
    assert report.ece < 0.08
    assert fit.out_of_fold.accuracy == pytest.approx(report.accuracy, abs=0.07)


def test_noise_alone_is_worth_a_coin_and_is_not_believed() -> None:
    features, _ = rated(90, noise=0)
    tiers = [NAMES[i % 3] for i in range(90)]
    fit = fit_head(features, tiers, names(90))
    assert fit.out_of_fold.low < 0.5 < fit.out_of_fold.high + 0.05
    assert np.ptp(fit.head.score(features)) < 2.0


def test_pictures_that_are_all_told_apart_do_not_ask_for_certainty() -> None:
    temperature, _ = fit_temperature(np.full(50, 2.0), np.full(50, 1 / 50))
    assert 1 / (1 + np.exp(-2.0 / temperature)) == pytest.approx(0.99, abs=0.002)


def test_temperature_recovers_the_odds() -> None:
    rng = np.random.default_rng(1)
    odds = rng.normal(0, 1.5, 4000)
    won = rng.random(4000) < 1 / (1 + np.exp(-odds))
    gaps = np.where(won, odds, -odds) * 5
    temperature, _ = fit_temperature(gaps, np.full(4000, 1 / 4000))
    assert temperature == pytest.approx(5.0, rel=0.15)


def test_the_same_data_give_the_same_head() -> None:
    features, tiers = rated(60, noise=0.3)
    one, two = (fit_head(features, tiers, names(60), seed=3) for _ in range(2))
    assert np.array_equal(one.head.direction, two.head.direction)
    assert one.head.offset == two.head.offset


def test_folds_keep_groups_whole_and_spread_tiers() -> None:
    levels = np.repeat([0, 1, 2], 40)
    groups = np.arange(120) // 4
    folds = assign_folds(levels, groups, folds=5, seed=0)
    for group in np.unique(groups):
        assert len(set(folds[groups == group])) == 1
    counts = [[int((folds[levels == level] == fold).sum()) for fold in range(5)] for level in range(3)]
    assert counts == [[8] * 5] * 3


def test_variants_of_a_picture_are_not_pairs_and_do_not_leak() -> None:
    rng = np.random.default_rng(2)
    once = rng.normal(size=(60, 40)).astype(np.float32)
    features = np.repeat(once, 3, axis=0)
    tiers = [NAMES[i % 3] for i in range(60) for _ in range(3)]
    groups = [name for name in names(60) for _ in range(3)]
    assert fit_head(features, tiers, groups).out_of_fold.accuracy < 0.65


def test_made_up_pictures_are_no_pictures_of_the_pool() -> None:
    """Four rated pictures and four sheets of paper, which are learned from and do not count."""
    tiers = ["love", "love", "nope", "nope"] + ["nope"] * 4
    counted = [True] * 4 + [False] * 4
    with pytest.raises(RecipeError, match=r"here are 4: 2 love, 0 okay, 2 nope\. Rate more"):
        fit_head(np.zeros((8, 4), np.float32), tiers, names(8), counted=counted, folds=3)


@pytest.mark.parametrize(("tiers", "count"), [(["love"] * 40, 40), (["love", "nope"] * 3, 6)])
def test_too_little_to_learn_from_is_said(tiers: list[str], count: int) -> None:
    with pytest.raises(RecipeError, match=rf"at least 10 of them .* here are {count}: "):
        fit_head(np.zeros((count, 4), np.float32), tiers, names(count))


def test_constant_features_and_equal_scores_are_ties() -> None:
    tiers = ["love", "okay", "nope"] * 10
    fit = fit_head(np.ones((30, 4), np.float32), tiers, names(30))
    report = report_pairs(fit.head.score(np.ones((30, 4), np.float32)), tiers)
    assert report.accuracy == 0.5
    assert report.log_loss == pytest.approx(np.log(2))
    assert report.ece == pytest.approx(0.0)


def test_a_report_worked_by_hand() -> None:
    report = report_pairs(np.array([2.0, 1.0, 1.0, 0.0]), ["love", "okay", "nope", "love"])
    # love 2.0 beats both; okay ties nope; love 0.0 loses to both: 2.5 of 5.
    assert report.accuracy == pytest.approx(0.5)
    assert report.pairs == 5
    assert report.by_kind == {"love>okay": 0.5, "love>nope": 0.5, "okay>nope": 0.5}
    nothing = report_pairs(np.array([1.0, 2.0]), ["love", "love"])
    assert (nothing.pairs, nothing.accuracy, nothing.low, nothing.log_loss) == (0, None, None, None)


def test_pictures_that_are_all_told_apart_are_no_certainty_where_they_are_few() -> None:
    for each, bound in ((2, 0.45), (4, 0.6), (40, 0.95)):
        report = report_pairs(np.arange(2.0 * each), ["nope"] * each + ["love"] * each)
        assert (report.accuracy, report.high) == (1.0, 1.0)
        assert report.low is not None
        assert 0.2 < report.low < bound


def test_calibration_error_by_hand() -> None:
    # Ten pairs claimed at .75, all won: off by .25 on both sides.
    assert calibration_error(np.full(10, 0.75)) == pytest.approx(0.25)
    assert calibration_error(np.array([0.75, 0.75, 0.75, 0.25])) == pytest.approx(0.0)


def test_extremes_that_no_rated_picture_reached_earn_nothing_more() -> None:
    features, tiers = rated(60, noise=0.2)
    head = fit_head(features, tiers, names(60)).head
    best = np.where(head.direction > 0, features.max(0), features.min(0))[None]
    assert head.score(best * 10 - np.sign(best))[0] <= head.score(best)[0] + 1e-6
    assert head.score(features).max() <= head.score(best)[0]
