"""The published story of nine signals, and what a diagnosis says as a whole."""

import json
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tables import table_of

from salon.diagnosis import Diagnosis, Options, diagnose, examine
from salon.diagnosis.checks.human_agreement import agreement, logistic_weights
from salon.diagnosis.simulate import JUDGES, clean, nine_signal_weights, nine_signals
from salon.rewards.recipe import load_reward


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Diagnosis:
    file = tmp_path_factory.mktemp("story") / "scores.csv"
    nine_signals().write_csv(file)
    return diagnose(file, Options(weights=(nine_signal_weights(),)))


def test_the_simulated_story_has_the_published_structure(story: Diagnosis) -> None:
    assert story.overlap is not None
    place = [story.table.index(name) for name in JUDGES]
    pairs = story.overlap.within.value_KK[np.ix_(place, place)][np.triu_indices(5, 1)]
    assert pairs.min() >= 0.85
    assert pairs.max() <= 0.95


def test_the_story_has_its_three_faults(story: Diagnosis) -> None:
    problems = {finding.kind: finding for finding in story.of_level("problem")}
    assert set(problems["redundant"].terms) == set(JUDGES)
    assert problems["redundant"].numbers["merged_weight"].value == pytest.approx(0.48)
    assert problems["saturated"].terms == ("length",)
    assert problems["saturated"].numbers["since_step"].value == pytest.approx(30, abs=2)
    assert problems["saturated"].numbers["share_of_weight"].value == pytest.approx(0.32)
    assert problems["dominance"].terms == ("hpsv3",)
    assert problems["dominance"].title == "hpsv3 carries the variance at a small weight"
    assert set(problems["compressed"].terms) == set(JUDGES)
    assert set(problems) == {"redundant", "saturated", "dominance", "compressed"}


def test_the_story_ends_in_the_four_signals(story: Diagnosis) -> None:
    assert story.recipe is not None
    (file := Path(story.table.source).with_name("proposed.yaml")).write_text(story.recipe)
    recipe = load_reward(file)
    weights = {name: term.weight for name, term in recipe.terms.items()}
    assert weights == {"gate": 0.05, "length": 0.05, "hpsv3": 0.30, "aesthetics": 0.60}
    assert recipe.terms["gate"].role == "gate"
    assert recipe.terms["aesthetics"].scorer == "pairwise"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_other_draws_of_the_story_end_alike(seed: int, tmp_path: Path) -> None:
    found = examine(table_of(nine_signals(seed=seed), tmp_path, Options(weights=(nine_signal_weights(),))))
    assert found.proposal is not None
    weights = {signal.name: signal.weight for signal in found.proposal.signals}
    assert weights == pytest.approx(
        {"gate": 0.05, "length": 0.05, "hpsv3": 0.30, "aesthetics": 0.60}, abs=0.051
    )


def test_the_json_is_strict_and_complete(story: Diagnosis) -> None:
    read = json.loads(json.dumps(story.as_json(), allow_nan=False))
    assert read["rows"] == 5760
    assert [finding["level"] for finding in read["findings"]][:4] == ["problem"] * 4
    assert read["proposed_recipe"].startswith("reward:")
    assert len(read["correlations"]["spearman_within"]) == 9


def test_rows_in_another_order_say_the_same(tmp_path: Path) -> None:
    frame = clean()
    one = examine(table_of(frame, tmp_path))
    other = examine(table_of(frame.sample(fraction=1, shuffle=True, seed=1), tmp_path))
    assert [(f.kind, f.level) for f in one.findings] == [(f.kind, f.level) for f in other.findings]
    assert one.overlap is not None
    assert other.overlap is not None
    np.testing.assert_allclose(one.overlap.within.value_KK, other.overlap.within.value_KK, atol=1e-9)


def test_a_terms_scale_changes_no_correlation(tmp_path: Path) -> None:
    frame = clean().drop("total")
    one = examine(table_of(frame, tmp_path))
    other = examine(table_of(frame.with_columns(layout=1000 * pl.col("layout") - 7), tmp_path))
    assert one.overlap is not None
    assert other.overlap is not None
    for name in ("within", "within_ranks", "overall", "overall_ranks"):
        a, b = getattr(one.overlap, name).value_KK, getattr(other.overlap, name).value_KK
        np.testing.assert_allclose(a, b, atol=1e-6)


cell = st.one_of(st.none(), st.integers(0, 10), st.floats(-50, 50).map(lambda x: round(x, 3)))


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(cell, cell, cell, st.integers(0, 3), st.integers(0, 8)), min_size=1, max_size=40),
    grouped=st.booleans(),
    stepped=st.booleans(),
)
def test_any_table_gets_an_answer_that_json_can_hold(
    rows: list[tuple[float | None, float | None, float | None, int, int]],
    grouped: bool,
    stepped: bool,
    tmp_path: Path,
) -> None:
    names = ["p", "q", "human", "group", "step"]
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.Float64), orient="row")
    frame = frame.drop([name for name, wanted in (("group", grouped), ("step", stepped)) if not wanted])
    # Columns without any value, or that only number the rows, are terms where the user says so.
    found = examine(table_of(frame, tmp_path, Options(terms=("p", "q"))))
    told = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert set(told) == set(found.as_json())


def test_one_row_and_constant_files_get_an_answer(tmp_path: Path) -> None:
    one = examine(table_of(pl.DataFrame({"taste": [7], "depth": [3]}), tmp_path))
    assert not [finding for finding in one.of_level("problem") if finding.kind == "redundant"]
    same = examine(table_of(pl.DataFrame({"taste": [7] * 30, "depth": [3] * 30}), tmp_path))
    assert {finding.kind for finding in same.of_level("problem")} == {"saturated"}


# ---- the weights that people's choices imply -------------------------------------------------------------


def test_a_logistic_fit_by_hand() -> None:
    """Three of four pairs are ordered rightly by |x| = 1: w = ln 3, a little less for the ridge."""
    scaled_PK = np.array([[1.0]] * 3 + [[-1.0]])
    assert logistic_weights(np.tile(scaled_PK, (500, 1)), np.ones(2000))[0] == pytest.approx(
        math.log(3), abs=0.01
    )


def test_people_who_weigh_two_to_one_are_found_out(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    p, q, junk = rng.normal(size=(3, 4000))
    frame = pl.DataFrame({"group": np.repeat(np.arange(500), 8), "p": p, "q": q, "junk": junk})
    frame = frame.with_columns(human=2 * pl.col("p") + pl.col("q") + pl.Series(rng.logistic(0, 1, 4000)))
    found = agreement(table_of(frame, tmp_path))
    assert found is not None
    shares = {name: number.value for name, number in found.fitted.items()}
    assert shares["p"] / shares["q"] == pytest.approx(2, rel=0.1)
    assert abs(shares["junk"]) < 0.03
    assert found.held_out is not None
    assert found.held_out[0] > found.held_out[1] + 0.05


def test_accuracy_and_tau_by_hand(tmp_path: Path) -> None:
    """In each group of three, people say 0 < 1 < 2 and the term swaps the last two: 2 of 3 pairs, tau 1/3."""
    frame = pl.DataFrame(
        {"group": np.repeat(np.arange(40), 3), "taste": [0, 2, 1] * 40, "human": [0, 1, 2] * 40}
    )
    found = agreement(table_of(frame, tmp_path))
    assert found is not None
    place = found.names.index("taste")
    assert found.accuracy[place].value == pytest.approx(2 / 3)
    assert found.tau[place].value == pytest.approx(1 / 3)
    assert found.pairs == 120
