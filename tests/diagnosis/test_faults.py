"""Each fault is found where it is, and not where it is not."""

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tables import table_of

from salon.diagnosis import Diagnosis, Options, examine
from salon.diagnosis.finding import Finding, Unchecked
from salon.diagnosis.simulate import FAULTS, clean, clean_pairs, clean_variant, faulty


def examined(frame: pl.DataFrame, folder: Path, *weights: str) -> Diagnosis:
    return examine(table_of(frame, folder, Options(weights=weights)))


def problem(found: Diagnosis, kind: str) -> Finding:
    return next(finding for finding in found.of_level("problem") if finding.kind == kind)


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_is_found_with_its_numbers_and_a_remedy(kind: str, tmp_path: Path) -> None:
    for seed in range(3):
        finding = problem(examined(faulty(kind, seed), tmp_path), kind)
        assert finding.remedy
        assert finding.numbers
        assert any(character.isdigit() for character in finding.wrong)


def test_a_clean_run_has_no_finding_and_says_what_it_looked_at(tmp_path: Path) -> None:
    found = examined(clean(), tmp_path)
    assert found.of_level("problem") == found.of_level("notice") == []
    assert {finding.kind for finding in found.findings} == set(FAULTS) - {"position"}
    assert [each.kind for each in found.unchecked] == ["position"]
    assert found.recipe is None


def false_alarms(seeds: range, folder: Path) -> list[tuple[int, str]]:
    alarms: list[tuple[int, str]] = []
    for seed in seeds:
        found = examined(clean_variant(seed), folder)
        alarms += [(seed, finding.kind) for finding in found.of_level("problem")]
    return alarms


def test_clean_tables_of_six_kinds_raise_no_alarm(tmp_path: Path) -> None:
    assert len({seed for seed, _ in false_alarms(range(36), tmp_path)}) <= 1


@pytest.mark.slow
def test_false_alarms_on_200_clean_tables_are_5_percent_at_most(tmp_path: Path) -> None:
    assert len({seed for seed, _ in false_alarms(range(200), tmp_path)}) <= 10


# ---- redundancy ------------------------------------------------------------------------------------------


def groups_of(groups: int, size: int = 8) -> np.ndarray:
    return np.repeat(np.arange(groups), size)


def test_a_cluster_names_the_range_the_keeper_and_the_merged_weight(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    merit = rng.normal(size=800)
    noise = {"worn": 0.4, "best": 0.1, "other": 0.3}
    columns = {name: merit + rng.normal(0, each, 800) for name, each in noise.items()}
    frame = pl.DataFrame({"group": groups_of(100), **columns, "apart": rng.normal(size=800)})
    found = examined(frame, tmp_path, "worn=.2,best=.1,other=.1,apart=.6")
    finding = problem(found, "redundant")
    assert finding.terms == ("worn", "best", "other")
    assert "Keep best" in finding.remedy
    assert finding.numbers["merged_weight"].value == pytest.approx(0.4)
    assert 0.85 <= finding.numbers["lowest"].value <= finding.numbers["highest"].value <= 1


def test_the_human_label_decides_which_one_is_kept(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    merit, taste = rng.normal(size=800), rng.normal(size=800)
    frame = pl.DataFrame(
        {
            "group": groups_of(100),
            "plain": merit + rng.normal(0, 0.2, 800),
            "tasteful": merit + 0.5 * taste,
            "third": merit + rng.normal(0, 0.2, 800),
            "human": np.round(merit + 2 * taste),
        }
    )
    finding = problem(examined(frame, tmp_path), "redundant")
    assert "Keep tasteful, since it agrees best with the human label" in finding.remedy


def test_terms_of_opposite_sign_cancel(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    merit = rng.normal(size=400)
    frame = pl.DataFrame({"group": groups_of(50), "up": merit, "down": -merit + rng.normal(0, 0.1, 400)})
    finding = problem(examined(frame, tmp_path, "up=.6,down=.4"), "redundant")
    assert "cancel one another" in finding.wrong
    assert "merged_weight" not in finding.numbers


def test_alike_over_prompts_but_not_inside_groups_is_no_reason_to_merge(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    hard = rng.normal(0, 3, 100)[groups_of(100)]
    frame = pl.DataFrame({"group": groups_of(100), **{n: hard + rng.normal(0, 1, 800) for n in "pq"}})
    found = examined(frame, tmp_path)
    assert not [finding for finding in found.of_level("problem") if finding.kind == "redundant"]
    notice = next(finding for finding in found.of_level("notice") if finding.kind == "redundant")
    assert "not on which answer is the better one" in notice.wrong


def test_a_handful_of_rows_proves_no_redundancy(tmp_path: Path) -> None:
    frame = pl.DataFrame({"p": [1.0, 2, 3, 4], "q": [1.1, 2, 2.9, 4.2], "r": [4.0, 1, 3, 2]})
    found = examined(frame, tmp_path)
    assert not [f for f in found.findings if f.kind == "redundant"]
    needs = "20 rows or more to compare inside groups (here 3 rows)"
    assert Unchecked("redundant", needs) in found.unchecked


# ---- saturation, compression -----------------------------------------------------------------------------


def test_saturation_names_the_step_and_the_weight_without_gradient(tmp_path: Path) -> None:
    finding = problem(examined(faulty("saturated", 1), tmp_path), "saturated")
    assert finding.terms == ("texture",)
    assert finding.numbers["since_step"].value == pytest.approx(12, abs=1)
    assert finding.numbers["weight_without_gradient"].value == pytest.approx(
        finding.numbers["share_of_weight"].value
    )


def test_few_groups_a_step_do_not_move_the_step_of_saturation(tmp_path: Path) -> None:
    """Of 8 groups a step one differs now and then: 1 answer of 1,000 fails. Up to step 17 more of them do."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        step = np.repeat(np.arange(100), 64)
        passed = rng.random(6400) < np.minimum(0.999, 0.8 + 0.012 * step)
        frame = pl.DataFrame({"step": step, "group": groups_of(800), "format": np.where(passed, 10, 0)})
        frame = frame.with_columns(free=pl.Series(rng.normal(size=6400)))
        finding = problem(examined(frame, tmp_path), "saturated")
        assert finding.numbers["since_step"].value == pytest.approx(16, abs=3)


def test_a_term_that_never_changes_is_dropped(tmp_path: Path) -> None:
    frame = clean().with_columns(layout=pl.lit(0.0)).drop("total")
    found = examined(frame, tmp_path)
    finding = problem(found, "saturated")
    assert "layout never changes" in finding.wrong
    assert found.proposal is not None
    assert [signal.name for signal in found.proposal.dropped] == ["layout"]


def test_a_gate_that_lets_all_pass_is_no_fault(tmp_path: Path) -> None:
    frame = clean().with_columns(renders=pl.lit(1)).drop("total")
    found = examined(frame, tmp_path, "contrast=.2,colour=.2,layout=.2,texture=.2,judge=.15,renders=.05")
    assert not [finding for finding in found.of_level("problem") if finding.kind == "saturated"]


def test_compression_counts_levels_and_ties(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    marks = rng.choice([7, 8], 800)
    frame = pl.DataFrame({"group": groups_of(100), "marks": marks, "free": rng.normal(size=800)})
    finding = problem(examined(frame, tmp_path), "compressed")
    assert finding.terms == ("marks",)
    # A fair coin: two levels, and half of all pairs tied.
    assert finding.numbers["marks.effective_levels"].value == pytest.approx(2, abs=0.01)
    assert finding.numbers["marks.tied_in_group"].value == pytest.approx(0.5, abs=0.03)
    assert "pairwise" in finding.remedy


@pytest.mark.parametrize("values", [[0, 1], [0, 0.25, 0.5, 0.75, 1], [1, 2, 3, 4, 5]])
def test_few_levels_that_are_all_used_are_not_compressed(values: list[float], tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"marks": rng.choice(values, 400), "free": rng.normal(size=400)})
    assert not [f for f in examined(frame, tmp_path).of_level("problem") if f.kind == "compressed"]


def test_half_of_the_scores_at_the_ceiling_is_compressed(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {"match": np.minimum(rng.normal(1.2, 0.3, 600), 1).clip(0), "free": rng.normal(size=600)}
    )
    assert "match" in problem(examined(frame, tmp_path), "compressed").terms


# ---- dominance, groups, missing --------------------------------------------------------------------------


def test_effective_shares_are_those_of_the_variance(tmp_path: Path) -> None:
    """Two independent terms of equal weight span .25–.30 and .7–.9: spreads 1 to 4, shares 1/17 and 16/17."""
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "group": groups_of(200),
            "tame": rng.uniform(0.25, 0.30, 1600),
            "wild": rng.uniform(0.7, 0.9, 1600),
        }
    )
    finding = problem(examined(frame, tmp_path), "dominance")
    assert finding.terms == ("wild",)
    assert finding.numbers["wild.effective_share"].value == pytest.approx(16 / 17, abs=0.01)
    assert finding.numbers["wild.nominal_share"].value == 0.5
    assert "tame" in finding.wrong
    assert "standardize" in finding.remedy


def test_dead_and_one_ulp_groups_are_counted_apart(tmp_path: Path) -> None:
    rows = [("dead", 0.5, 0.5), ("ulp", 0.3, 0.1 + 0.2), ("alive", 0.1, 0.9), ("alive2", 0.2, 0.8)]
    frame = pl.DataFrame(
        {"group": [name for name, *_ in rows for _ in (0, 1)], "taste": [v for _, *vs in rows for v in vs]}
    )
    found = examined(frame, tmp_path)
    numbers = {k: v for f in found.findings if f.kind == "dead_groups" for k, v in f.numbers.items()}
    assert numbers["dead_groups"].value == 0.5
    assert numbers["one_ulp_groups"].value == 0.25


def test_rounding_of_a_sum_that_nobody_weighed_is_ours(tmp_path: Path) -> None:
    """.1 + .2 + .3 is not .3 + .2 + .1, in binary: marks on 0–10 of 1, 2, 3 and 3, 2, 1."""
    rows = [(group, *row) for group in range(4) for row in [(1, 2, 3), (3, 2, 1)]]
    rows += [(4, 1, 2, 3), (4, 8, 8, 8)]
    frame = pl.DataFrame(rows, schema=["group", "p", "q", "r"], orient="row")
    for weights, told in (((), False), (("p=1,q=1,r=1",), True)):
        found = examined(frame, tmp_path, *weights)
        assert ("Groups that differ by rounding" in {f.title for f in found.findings}) is told


def test_missing_scores_are_counted_with_their_worst_step(tmp_path: Path) -> None:
    frame = clean().with_columns(
        layout=pl.when((pl.col("step") == 7) & (pl.col("group") % 2 == 0)).then(None).otherwise("layout")
    )
    found = examined(frame, tmp_path)
    finding = next(finding for finding in found.findings if finding.kind == "missing")
    assert finding.level == "notice"
    assert finding.numbers["worst_step"].value == pytest.approx(0.5)
    assert "The worst step, 7" in finding.wrong


def test_terms_that_miss_different_scores_make_one_finding(tmp_path: Path) -> None:
    frame = clean()
    names = [term.name for term in table_of(frame, tmp_path).terms if term.role == "reward"][:3]
    row = pl.int_range(pl.len())
    lost = [
        pl.when(row % every == 0).then(None).otherwise(pl.col(name)).alias(name)
        for name, every in zip(names, (10, 5, 40), strict=True)
    ]
    findings = [
        each for each in examined(frame.with_columns(lost), tmp_path).findings if each.kind == "missing"
    ]
    assert len(findings) == 1
    found = findings[0]
    assert (found.level, found.terms[0], set(found.terms)) == ("problem", names[1], set(names))
    assert [found.numbers[f"{name}.missing"].value for name in names] == pytest.approx(
        [0.1, 0.2, 0.025], abs=0.001
    )
    for name, share in zip(names, ("10 %", "20 %", "3 %"), strict=True):
        assert re.search(rf"{name} misses {share} of its scores", found.wrong)
    assert found.wrong.count("The worst step") == 1


def test_what_a_gate_failed_is_not_missing(tmp_path: Path) -> None:
    found = examined(clean_variant(4), tmp_path)
    assert next(finding for finding in found.findings if finding.kind == "missing").level == "fine"


def test_phantom_zeros_are_told_from_honest_ones(tmp_path: Path) -> None:
    finding = problem(examined(faulty("phantom_zeros"), tmp_path), "phantom_zeros")
    assert finding.terms == ("layout",)
    assert finding.numbers["beside_failures"].value == 1
    rng = np.random.default_rng(0)
    honest = pl.DataFrame({"marks": np.clip(np.round(rng.normal(1, 1.5, 500)), 0, 10), "x": rng.random(500)})
    assert not [
        f for f in examined(honest, tmp_path).findings if f.kind == "phantom_zeros" and f.level != "fine"
    ]


def test_zeros_behind_a_failed_gate_are_a_notice(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    passed = rng.random(500) < 0.9
    frame = pl.DataFrame(
        {"gate": passed.astype(int), "taste": np.where(passed, rng.normal(0.7, 0.1, 500), 0.0)}
    )
    finding = next(f for f in examined(frame, tmp_path).findings if f.kind == "phantom_zeros")
    assert finding.level == "notice"
    assert "nearly all where gate is 0" in finding.wrong


# ---- hacking, bias, diversity ----------------------------------------------------------------------------


def test_a_hacked_reward_names_the_monitor_that_falls_and_the_terms_that_climb(tmp_path: Path) -> None:
    found = examined(faulty("hacking"), tmp_path)
    titles = " ".join(finding.title for finding in found.of_level("problem"))
    assert "The reward rises while the human label" in titles
    assert "The reward rises while heldout_eye falls" in titles
    assert "The terms that rise most" in problem(found, "hacking").wrong


def test_a_monitor_that_stands_still_is_named_too(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = clean(steps=40, groups=24).drop("human")
    frame = frame.with_columns(heldout_eye=pl.Series(rng.normal(size=frame.height)))
    assert problem(examined(frame, tmp_path), "hacking").title.endswith("stands still")


def test_a_bias_that_people_share_is_none(tmp_path: Path) -> None:
    frame = faulty("bias")
    shared = frame.with_columns(human=(pl.col("tokens") / 40).round())
    found = examined(shared, tmp_path)
    assert not [finding for finding in found.of_level("problem") if finding.kind == "bias"]


def test_one_answer_for_many_prompts_is_mode_collapse(tmp_path: Path) -> None:
    titles = {finding.title for finding in examined(faulty("diversity"), tmp_path).of_level("problem")}
    assert titles == {"Answers repeat inside groups", "One answer for many prompts"}


# ---- position --------------------------------------------------------------------------------------------


def test_a_judge_that_always_says_first(tmp_path: Path) -> None:
    frame = clean_pairs(pairs=200).with_columns(vlm_ab=pl.lit("a"), vlm_ba=pl.lit("b"))
    numbers = problem(examined(frame, tmp_path), "position").numbers
    assert numbers["first_choice_rate"].value == 1
    assert numbers["flip_rate"].value == 1
    assert numbers["gap"].value == 1
    assert numbers["accuracy"].value == 0.5


def test_the_gap_is_twice_the_first_choice_rate_minus_one_when_the_winner_stands_first(
    tmp_path: Path,
) -> None:
    frame = clean_pairs(seed=3, bias=0.6).with_columns(human=pl.lit("a"))
    numbers = problem(examined(frame, tmp_path), "position").numbers
    assert numbers["gap"].value == pytest.approx(2 * numbers["first_choice_rate"].value - 1)


def test_ties_are_neither_first_nor_flips(tmp_path: Path) -> None:
    frame = clean_pairs(pairs=100).with_columns(vlm_ba=pl.col("vlm_ab"))
    ties = pl.int_range(pl.len()) >= 40
    frame = frame.with_columns(
        pl.when(ties).then(pl.lit("tie")).otherwise(pl.col(name)).alias(name) for name in ("vlm_ab", "vlm_ba")
    )
    finding = next(f for f in examined(frame, tmp_path).findings if f.kind == "position")
    assert finding.level == "fine"
    assert finding.numbers["first_choice_rate"].value == 0.5
    assert finding.numbers["flip_rate"].value == 0


def test_labels_beside_pairs_are_no_choices(tmp_path: Path) -> None:
    """A label of 1 to 5 says how good an answer is; that a won is said by 1, a tie by .5, or in words."""
    frame = clean(groups=4).drop("total").with_columns(vlm_ab=pl.lit("a"), vlm_ba=pl.lit("b"))
    frame = frame.with_columns(human=pl.col("human") + 1, texture=1 - pl.col("layout"))
    found = examined(frame, tmp_path)
    assert problem(found, "agreement").terms == ("texture",)
    assert problem(found, "agreement").remedy.startswith("Drop texture")
    assert "accuracy" not in problem(found, "position").numbers
    chosen = examined(frame.with_columns(human=(pl.col("human") > 2).cast(pl.Int64)), tmp_path)
    assert "accuracy" in problem(chosen, "position").numbers
    assert "agreement" in {each.kind for each in chosen.unchecked}


def test_accuracy_is_told_by_the_place_of_the_better_one(tmp_path: Path) -> None:
    frame = clean_pairs(pairs=200).with_columns(vlm_ab=pl.lit("a"), vlm_ba=pl.lit("b"))
    said = problem(examined(frame, tmp_path), "position").wrong
    assert "in 100 % of the pairs where their choice is shown first, in 0 % where it is shown second" in said


def test_circular_choices(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    items = [(a, b) for a in range(14) for b in range(a)]
    wins = rng.choice(["a", "b"], len(items))
    frame = pl.DataFrame(
        {"a": [f"p{a}" for a, _ in items], "b": [f"p{b}" for _, b in items], "vlm_ab": wins, "vlm_ba": wins}
    )
    found = examined(frame, tmp_path)
    finding = next(f for f in found.of_level("problem") if "circular_triples" in f.numbers)
    assert finding.numbers["circular_triples"].value == pytest.approx(0.25, abs=0.08)
    assert finding.numbers["circular_triples"].count == 14 * 13 * 12 // 6


# ---- people ----------------------------------------------------------------------------------------------


def test_a_term_that_pulls_against_people_is_named(tmp_path: Path) -> None:
    frame = clean().with_columns(texture=1 - pl.col("layout")).drop("total")
    finding = problem(examined(frame, tmp_path), "agreement")
    assert finding.terms == ("texture",)


def test_unlabelled_rows_and_few_labels_leave_agreement_unchecked(tmp_path: Path) -> None:
    frame = clean().with_columns(human=pl.when(pl.col("group") == 0).then("human").otherwise(None))
    found = examined(frame, tmp_path)
    assert (
        Unchecked("agreement", "a column `human` with a label for 50 pairs of answers or more")
        in found.unchecked
    )
