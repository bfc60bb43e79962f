"""What is advised: tried on the scores that are there, never against itself, and a recipe that runs."""

import re
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from salon.diagnosis import Diagnosis, Options, diagnose
from salon.diagnosis.finding import Finding
from salon.diagnosis.proposal.weighing import TOLERANCE, balanced, decided, rounded
from salon.diagnosis.simulate import JUDGES, NINE_WEIGHTS, faulty, nine_signal_weights, nine_signals
from salon.rewards.arrays import Column, compose_arrays
from salon.rewards.recipe import load_reward

# ---- weights ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", ["equal", "steep", "random", "one", "none"])
def test_weights_are_never_negative_and_add_up_for_any_number_of_terms(shape: str) -> None:
    rng = np.random.default_rng(0)
    for count in range(1, 501):
        shares = {
            "equal": np.ones(count),
            "steep": 2.0 ** -np.arange(count),
            "random": rng.random(count),
            "one": np.eye(1, count)[0],
            "none": np.zeros(count),
        }[shape]
        for room in (1.0, 0.9, 0.5):
            weights = rounded(shares, room)
            assert weights.min() > 0, (count, room)
            assert weights.sum() == pytest.approx(room, abs=1e-6), (count, room)
            order = np.argsort(-shares, kind="stable")
            assert (np.diff(weights[order]) <= 1e-9).all(), (count, room)


def test_a_hundred_terms_get_a_recipe(tmp_path: Path) -> None:
    """From 95 terms on hundredths are too coarse."""
    rng = np.random.default_rng(0)
    rows = {"group": np.arange(400) // 8} | {f"t{k}": rng.random(400) for k in range(119)}
    rows["t119"] = rows["t0"]
    found = diagnose(rows)
    assert found.recipe is not None
    weights = [term.weight for term in load_reward(yaml.safe_load(found.recipe)).terms.values()]
    assert min(weights) > 0
    assert sum(weights) == pytest.approx(1)


def test_weights_move_no_further_than_they_must() -> None:
    apart = np.eye(3)
    assert balanced(np.array([1.0, 1.0, 1.0]), apart).tolist() == pytest.approx([0.35, 0.35, 0.30], abs=0.051)
    weights = balanced(np.array([0.8, 0.1, 0.1]), apart)
    assert np.abs(decided(weights, apart) - weights).max() <= TOLERANCE
    assert weights[0] >= 0.4
    opposed = np.array([[1, -0.9, 0.2], [-0.9, 1, 0.1], [0.2, 0.1, 1.0]])
    weights = balanced(np.array([0.7, 0.2, 0.1]), opposed)
    assert np.abs(decided(weights, opposed) - weights).max() <= TOLERANCE


# ---- the proposal, tried ---------------------------------------------------------------------------------


def shares_of(recipe_text: str, rows: dict[str, Any]) -> tuple[dict[str, float], dict[str, float]]:
    """What each reward term of a recipe decides on these rows, and its part of their weight: by the code that
    trains, in one batch, with each term's own column.
    """
    recipe = load_reward(yaml.safe_load(recipe_text))
    groups = np.unique(np.asarray(rows["group"]), return_inverse=True)[1]
    names = [name for name, term in recipe.terms.items() if term.role == "reward"]
    columns = {name: Column.of(rows.get(name, np.ones(len(groups)))) for name in recipe.terms}
    composed = compose_arrays(recipe, groups, columns)
    kept = composed.passed_N
    parts = np.stack([composed.weighted_KN[list(recipe.terms).index(name)][kept] for name in names])
    means = np.stack(
        [np.bincount(groups[kept], part) / np.maximum(np.bincount(groups[kept]), 1) for part in parts]
    )
    parts = parts - means[:, groups[kept]]
    total = parts.sum(axis=0)
    weights = np.array([recipe.terms[name].weight for name in names])
    share = parts @ total / (total @ total)
    return dict(zip(names, share, strict=True)), dict(zip(names, weights / weights.sum(), strict=True))


def test_raw_hpsv3_does_not_outweigh_what_the_recipe_says() -> None:
    """mu, about −10 to 15, beside marks of 0 to 1: raw, it would make .98 of the variance at .3."""
    rng = np.random.default_rng(0)
    merit = rng.normal(0, 1, 800)
    rows: dict[str, Any] = {"group": np.arange(800) // 8, "hpsv3": 4 * rng.normal(0, 1, 800) + 6}
    marks = {name: 0.3 + 0.1 * merit + rng.normal(0, 0.01, 800) for name in ("depth", "style", "taste")}
    found = diagnose({**rows, **marks})
    assert found.recipe is not None
    share, weight = shares_of(found.recipe, {**rows, **marks})
    assert max(abs(share[name] - weight[name]) for name in share) <= TOLERANCE
    assert "Tried on 800 of these rows." in found.recipe


ACTS = ("more", "less", "keep", "drop", "gate", "pairwise", "standardize")
WEIGHTS = ("less", "standardize")
NEVER = {
    frozenset(pair)
    for pair in (
        ("more", "less"),
        ("more", "drop"),
        ("more", "gate"),
        ("keep", "drop"),
        ("keep", "gate"),
        ("keep", "less"),
        ("drop", "gate"),
        ("pairwise", "drop"),
        ("pairwise", "gate"),
    )
}


def table(seed: int) -> tuple[dict[str, Any], Options]:
    """A run with some of everything: copies, penalties, ramps, corners of scales, hacked and honest judges,
    people who agree or not, wide and narrow terms, weights given, found or unknown.
    """
    rng = np.random.default_rng(seed)
    steps, groups, size = int(rng.choice([1, 8])), int(rng.integers(3, 6)), 6
    count = steps * groups * size
    step = np.repeat(np.arange(steps), groups * size)
    merit = rng.normal(0, 1, count) + 0.5 * step / max(steps - 1, 1)
    rows: dict[str, Any] = {"group": np.arange(count) // size}
    if steps > 1:
        rows["step"] = step
    names = [f"term{letter}" for letter in "abcdef"[: int(rng.integers(2, 7))]]
    for place, name in enumerate(names):
        loading = rng.choice([0.1, 0.5, 0.9, -0.6])
        value = loading * merit + np.sqrt(1 - loading**2) * rng.normal(0, 1, count)
        kind = rng.integers(0, 7)
        if kind == 0 and place:
            value = rows[names[place - 1]] * rng.choice([1.0, -1.0, 10.0]) + rng.normal(0, 0.01, count)
        elif kind == 1:
            value = np.clip(np.round(2 + value), 0, 10)
        elif kind == 2:
            value = np.clip(step / max(steps / 2, 1) + 0.1 * value, 0, 1)
        elif kind == 3:
            value = 30 * value
        elif kind == 4:
            value = (value > -1.2).astype(float)
        elif kind == 5:
            value = value + 4 * step / max(steps, 1)
        rows[name] = value
    if rng.random() < 0.4:
        rows["human"] = np.round(2 + rng.choice([1.0, -1.0, 0.0]) * merit + rng.normal(0, 1, count))
    if rng.random() < 0.3:
        rows["heldout_eye"] = rng.choice([1.0, -1.0]) * merit + rng.normal(0, 1, count) - step
    given = ",".join(f"{name}={rng.integers(1, 20) / 20}" for name in names)
    return rows, Options(weights=(given,) if rng.random() < 0.5 else ())


def clustered_table(seed: int) -> tuple[dict[str, Any], Options]:
    """Clusters of 2 to 4 terms that correlate at .9 to .99, each of its own variance, some mirrored (weighed
    as gains or as penalties), beside terms that stand still at an end of their scale and terms of their own.
    """
    rng = np.random.default_rng(seed)
    steps, groups, size = int(rng.choice([1, 8])), int(rng.integers(4, 9)), 6
    count = steps * groups * size
    step = np.repeat(np.arange(steps), groups * size)
    rows: dict[str, Any] = {"group": np.arange(count) // size}
    if steps > 1:
        rows["step"] = step
    merit = rng.normal(0, 1, count) + rng.choice([0.0, 1.0]) * step / max(steps - 1, 1)
    weights: dict[str, float] = {}

    def add(value: np.ndarray, sign: float = 1.0) -> None:
        name = f"term{'abcdefghijklmn'[len(weights)]}"
        rows[name] = value
        weights[name] = sign * float(rng.integers(1, 20)) / 20

    prompts = rng.choice([0.0, 3.0]) * rng.normal(0, 1, count // size)[rows["group"]]
    for _ in range(int(rng.integers(1, 3))):
        loading = rng.choice([0.0, 0.6, 1.0])
        centre = loading * merit + np.sqrt(1 - loading**2) * rng.normal(0, 1, count)
        noise = np.sqrt(1 / rng.uniform(0.9, 0.99) - 1)
        for _ in range(int(rng.integers(2, 5))):
            mirrored = -1.0 if rng.random() < 0.2 else 1.0
            value = mirrored * (centre + noise * centre.std() * rng.normal(0, 1, count)) + prompts
            value = value * rng.choice([0.1, 1.0, 3.0, 30.0]) + rng.choice([0.0, 5.0])
            is_marks = rng.random() < 0.15
            add(np.clip(np.round(2 + value), 0, 10) if is_marks else value, rng.choice([1.0, mirrored]))
    for _ in range(int(rng.integers(0, 3))):
        ramp = 2 * step / max(steps - 1, 1) + 0.1 * rng.normal(0, 1, count) + rng.choice([-3.0, 0.0, 2.0])
        add(np.clip(ramp, 0, 1))
    for _ in range(int(rng.integers(0, 3))):
        add(rng.choice([0.5, 1.0, 8.0]) * (prompts + rng.normal(0, 1, count)))
    if rng.random() < 0.4:
        rows["human"] = np.round(2 + rng.choice([1.0, -1.0, 0.0]) * merit + rng.normal(0, 1, count))
    if rng.random() < 0.3:
        rows["heldout_eye"] = rng.choice([1.0, -1.0]) * merit + rng.normal(0, 1, count) - step
    given = ",".join(f"{name}={weight}" for name, weight in weights.items())
    return rows, Options(weights=(given,) if rng.random() < 0.7 else ())


def advice_in_words(finding: Finding, names: list[str]) -> set[tuple[str, str]]:
    """What the remedy says, read anew from its words."""
    told: set[tuple[str, str]] = set()
    for sentence in re.split(r"(?<=[.;:])\s", finding.remedy):
        for act, pattern in (("more", r"[Gg]ive (.*?) more weight"), ("less", r"[Gg]ive (.*?) less weight"),
                             ("drop", r"\b[Dd]rop (.*?)(?: and|,|\.|$)"), ("keep", r"^Keep (\w+)"),
                             ("gate", r"Make (\w+) a yes-or-no gate")):  # fmt: skip
            for match in re.finditer(pattern, sentence):
                told |= {(act, name) for name in names if re.search(rf"\b{name}\b", match[1])}
        told |= {("keep", name) for name in finding.terms if sentence.startswith("Keep them")}
    return told


def contradictions(found: Diagnosis) -> list[str]:
    names = [term.name for term in found.table.terms]
    said = [(act, term, finding.kind) for finding in found.findings if finding.level != "fine"
            for act, term in {*finding.advice, *advice_in_words(finding, names)}]  # fmt: skip
    assert all(act in ACTS for act, _, _ in said)
    dropped = {term for act, term, _ in said if act == "drop"}
    moot = [f"{kind}: {act} {term}, which is dropped" for act, term, kind in said
            if term in dropped and act in WEIGHTS and kind in ("dominance", "exploited")]  # fmt: skip
    return moot + [f"{one} against {other}" for one, other in combinations(said, 2)
            if one[1] == other[1] and frozenset((one[0], other[0])) in NEVER]  # fmt: skip


def against_recipe(found: Diagnosis) -> list[str]:
    """Where the proposed recipe does the opposite of what a finding says."""
    if found.recipe is None or found.proposal is None:
        return []
    weights = {name: abs(s.weight) for s in found.proposal.signals for name in s.terms[:1] if not s.yes_no}
    kept = {name for signal in found.proposal.signals for name in signal.terms}
    merged = {name for signal in found.proposal.signals if not signal.yes_no for name in signal.terms[1:]}
    dropped = {name for signal in found.proposal.dropped for name in signal.terms}
    wrong: list[str] = []
    for finding in found.findings:
        for act, term in finding.advice if finding.level != "fine" else ():
            gone = term in dropped or term not in kept
            light = weights.get(term, 0.0) <= found.table.nominal.get(term, 0.0)
            if (act == "more" and (gone or light)) or (act == "keep" and gone):
                wrong.append(f"{finding.kind}: {act} {term}")
            if act == "drop" and term in kept and term not in merged:
                wrong.append(f"{finding.kind}: {act} {term}")
    return wrong


@pytest.mark.parametrize("count", [50, pytest.param(500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("make", [table, clustered_table])
def test_no_two_findings_contradict_each_other_on_many_tables(
    make: Callable[[int], tuple[dict[str, Any], Options]], count: int
) -> None:
    told, tried, kinds = 0, 0, set[str]()
    for seed in range(count):
        rows, options = make(seed)
        found = diagnose(rows, options)
        assert contradictions(found) == [], seed
        assert against_recipe(found) == [], seed
        told += sum(bool(finding.advice) for finding in found.findings)
        kinds |= {act for finding in found.findings for act, _ in finding.advice}
        if found.recipe is not None and found.proposal is not None:
            weights = [abs(term.weight) for term in load_reward(yaml.safe_load(found.recipe)).terms.values()]  # type: ignore[arg-type]
            assert min(weights) > 0, seed
            assert sum(weights) == pytest.approx(1), seed
            tried += found.proposal.trial is not None
            assert found.proposal.trial is None or found.proposal.holds, seed
    # The tables do have what is to be told.
    assert told > 0.6 * count
    assert tried > 0.3 * count
    assert kinds >= {"more", "less", "keep", "drop", "gate", "standardize"}


def test_the_trial_that_is_told_is_what_training_would_see() -> None:
    """Of tables in one batch, without gates and copies: against the code that trains, on the same rows."""
    seen = 0
    for seed in range(120):
        rows, options = table(seed)
        if "step" in rows:
            continue
        found = diagnose(rows, options)
        proposal = found.proposal
        if found.recipe is None or proposal is None or proposal.trial is None:
            continue
        if any(signal.yes_no for signal in proposal.signals):
            continue
        share, weight = shares_of(found.recipe, rows)
        assert max(abs(share[name] - weight[name]) for name in share) <= TOLERANCE + 1e-6, seed
        assert share == pytest.approx(proposal.trial.share, abs=1e-6), seed
        seen += 1
    assert seen >= 10


@pytest.mark.parametrize("kind", ["dominance", "exploited"])
def test_a_remedy_improves_what_its_finding_complains_of(kind: str) -> None:
    for seed in range(4):
        frame = faulty(kind, seed)
        found = diagnose(frame)
        finding = next(each for each in found.of_level("problem") if each.kind == kind)
        assert "tried on these rows" in finding.remedy
        assert found.recipe is not None
        assert found.proposal is not None
        assert found.proposal.trial is not None
        name, trial = finding.terms[0], found.proposal.trial
        if kind == "exploited":
            assert trial.with_total[name] < finding.numbers[f"{name}.with_total"].value - 0.1
        else:
            before = finding.numbers[f"{name}.effective_share"].value - found.table.nominal[name]
            assert abs(trial.share[name] - trial.weight[name]) < before - 0.1


def test_dropping_what_is_redundant_leaves_nothing_alike() -> None:
    found = diagnose(nine_signals(steps=36, groups=6), Options(weights=(nine_signal_weights(),)))
    assert found.overlap is not None
    gone = {term for finding in found.findings for act, term in finding.advice if act == "drop"}
    left = [found.table.index(name) for name in NINE_WEIGHTS if name not in gone]
    size = np.abs(found.overlap.within.value_KK[np.ix_(left, left)])
    assert size[np.triu_indices(len(left), 1)].max() < 0.85


# ---- the recipe as a file --------------------------------------------------------------------------------

OWN = """
reward:
  terms:
    gate: {scorer: sketch_gate, role: gate, weight: 0.05}
    hpsv3: {scorer: palette, weight: 0.10, squash: {logistic: 4}, on_missing: renormalize}
    adherence: {scorer: pairwise, judge: eye, weight: 0.28, args: {pool: flowers, tiers: [okay, nope]}}
    recognisability: {scorer: critique, judge: ear, weight: 0.27, args: {aspect: recognisability}}
    aesthetics: {scorer: critique, judge: ear, weight: 0.30, args: {aspect: aesthetics}}
    photo: {scorer: pixel_detector, role: veto, vetoes: hpsv3}
    watch: {scorer: palette, role: monitor}
  judges:
    eye: {kind: taste}
    ear: {kind: openai, model: some-model, base_url: "http://127.0.0.1:9/v1"}
"""


def corners(seed: int = 0) -> dict[str, Any]:
    """Three judges of different things, all in a low corner of 0–10."""
    rng = np.random.default_rng(seed)
    low = {name: np.clip(np.round(1 + rng.normal(0, 0.8, 480)), 0, 10) for name in JUDGES[:3]}
    return {
        "group": np.arange(480) // 8,
        "gate": (rng.random(480) < 0.95) * 1.0,
        "hpsv3": rng.normal(5, 3, 480),
        **low,
    }


def test_compressed_terms_are_asked_apart_by_a_criterion_each() -> None:
    found = diagnose(corners())
    assert found.recipe is not None
    recipe = load_reward(yaml.safe_load(found.recipe))
    asked = [term for term in recipe.terms.values() if term.scorer == "pairwise"]
    assert len(asked) == 3
    criteria = [recipe.judges[str(term.judge)].args["criteria"] for term in asked]
    assert len(set(criteria)) == 3
    assert {each.partition(":")[0].lower() for each in criteria} == set(JUDGES[:3])
    assert set(recipe.terms) == {"gate", "hpsv3", *JUDGES[:3]}
    assert not re.search("my-pool|your-judge", found.recipe)


def test_a_users_own_recipe_is_kept_where_nothing_is_wrong_with_it(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(OWN)
    found = diagnose(corners(), Options(recipe=str(tmp_path / "own.yaml")))
    assert found.recipe is not None
    recipe = load_reward(yaml.safe_load(found.recipe))
    own = load_reward(tmp_path / "own.yaml")
    assert set(recipe.terms) == set(own.terms)
    assert recipe.terms["adherence"].args == own.terms["adherence"].args
    assert recipe.terms["adherence"].judge == "eye"
    assert recipe.terms["hpsv3"].squash == own.terms["hpsv3"].squash
    assert recipe.terms["hpsv3"].on_missing == "renormalize"
    assert recipe.terms["photo"] == own.terms["photo"]
    for name in ("recognisability", "aesthetics"):
        assert recipe.terms[name].scorer == "pairwise"
        assert recipe.terms[name].args["pool"] == "flowers"
        assert recipe.judges[str(recipe.terms[name].judge)].args["model"] == "some-model"
    assert recipe.judges["eye"] == own.judges["eye"]


def test_the_next_command_is_told_and_works(tmp_path: Path) -> None:
    """The proposal for a user's own recipe passes `salon recipe check --fake-judges`, from the shell."""
    import polars as pl

    (tmp_path / "own.yaml").write_text(OWN)
    pl.DataFrame(corners()).write_csv(tmp_path / "scores.csv")
    salon = [sys.executable, "-m", "salon.cli"]
    command = [*salon, "diagnose", "scores.csv", "--recipe", "own.yaml", "--propose", "new.yaml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    last = done.stdout.splitlines()[-1]
    assert last == "next: salon recipe check new.yaml --fake-judges"
    check = subprocess.run(
        [*salon, *last.split()[2:]], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert check.returncode == 0, check.stdout + check.stderr
