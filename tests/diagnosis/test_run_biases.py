"""Biases that a run's own folder shows: the judge's for a place, and the reward's for paint."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from painted import picture_of
from salon.diagnosis import Diagnosis, diagnose
from salon.diagnosis.checks.hacking import check_bias
from salon.diagnosis.finding import Finding
from salon.judges.fake import FakeJudge
from salon.media.paint_coverage import coverage, paint_stats
from salon.pool.references import Pool
from salon.rewards.compose import compose
from salon.rewards.engine import RewardEngine
from salon.rewards.metrics import reward_metrics
from salon.rewards.recipe import load_reward
from salon.store.runs import Run
from salon.types import Failure, Group, Picture, Prompt, Sample, Score, Verdict

DUEL: dict[str, Any] = {
    "terms": {
        "result": {"scorer": "round_robin", "judge": "eye", "weight": 0.5},
        "other": {"scorer": "test_run_biases:Chance", "weight": 0.5},
    },
    "judges": {"eye": {"kind": "fake"}},
}


class Chance:
    """Says nothing of the picture."""

    version = "1"

    def score(self, group: Group) -> list[Score]:
        return [
            Score(float(np.random.default_rng(len(s.reply) * 97 + s.seed).random())) for s in group.samples
        ]


class Paint:
    """Pays for paint, with some noise."""

    version = "1"

    def score(self, group: Group) -> list[Score]:
        return [Score(paint_stats(s.picture).paint_fraction) for s in group.samples if s.picture]


def disc(share: float, hue: int) -> Picture:
    """White paper, and so much of its height in one colour."""
    image = Image.new("RGB", (96, 96), "white")
    image.paste((40 + hue, 90, 200 - hue), (0, 0, 96, round(96 * share)))
    return picture_of(image)


def run_under(folder: Path, reward: dict[str, Any], judge: FakeJudge, steps: int = 6) -> Run:
    recipe, rng = load_reward(reward), np.random.default_rng(3)
    engine = RewardEngine(recipe, judges={"eye": judge})
    run = Run.create(folder, {"recipe": {"reward": recipe.model_dump(mode="json")}})
    for step in range(steps):
        groups = [group_of(step, index, rng) for index in range(3)]
        ids = [group.prompt.id for group in groups for _ in group.samples]
        found = engine.score(groups)
        scores = {name: [score for each in found for score in each[name]] for name in recipe.terms}
        rewards = compose(recipe, ids, scores, step)
        for group in groups:
            for sample in group.samples:
                assert sample.picture is not None
                run.write_picture(sample.picture)
        numbers = reward_metrics(recipe, ids, rewards, scores, step)
        run.write_step(step, groups, [rewards[i : i + 5] for i in range(0, len(ids), 5)], numbers)
    return run


def group_of(step: int, index: int, rng: np.random.Generator) -> Group:
    prompt = Prompt(f"flower-{index}", f"draw flower {index}")
    samples = [
        Sample(
            id=f"{step}-{index}-{i}",
            prompt=prompt,
            reply="x" * int(rng.integers(1, 99)),
            source="s",
            seed=int(rng.integers(99)),
            picture=disc(float(rng.uniform(0.05, 0.9)), int(rng.integers(0, 150))),
        )
        for i in range(5)
    ]
    return Group(prompt, tuple(samples), step)


def found(run: Run, kind: str) -> tuple[Diagnosis, list[Finding]]:
    told = diagnose(run.path)
    return told, [finding for finding in told.findings if finding.kind == kind]


def test_a_run_tells_that_its_judge_goes_by_the_place(tmp_path: Path) -> None:
    """Three groups of ten results in six steps, and every judge names the first."""
    _, findings = found(run_under(tmp_path / "run", DUEL, FakeJudge(always="a")), "position")
    (finding,) = findings
    assert (finding.level, finding.title) == ("problem", "result prefers what it sees first")
    assert finding.numbers["first_choice_rate"].value == 1
    assert finding.numbers["flip_rate"].value == 1
    assert finding.numbers["flip_rate"].count == 180
    assert "of 180 comparisons" in finding.wrong


class AgainstItsOdds(FakeJudge):
    """Names the other one in words in every verdict about a picture shown first whose key is even."""

    def compare(self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]]) -> list[Verdict | Failure]:
        found = super().compare(prompt, pairs)
        return [
            replace(each, said="b" if each.winner == "a" else "a")
            if isinstance(each, Verdict) and int(a.key[:8], 16) % 2 == 0
            else each
            for each, (a, _) in zip(found, pairs, strict=True)
        ]


def test_a_run_tells_that_words_and_odds_differ(tmp_path: Path) -> None:
    _, findings = found(run_under(tmp_path / "run", DUEL, AgainstItsOdds(sharpness=50)), "position")
    (told,) = [each for each in findings if each.level == "notice"]
    assert told.title == "result says one winner, and its odds another"
    assert told.numbers["against_odds"].count == 360
    assert 0.3 < told.numbers["against_odds"].value < 0.7


def test_a_run_with_a_steady_judge_is_told_so(tmp_path: Path) -> None:
    told, findings = found(run_under(tmp_path / "run", DUEL, FakeJudge(sharpness=50)), "position")
    assert [finding.level for finding in findings] == ["fine"]
    assert findings[0].numbers["flip_rate"].value == 0
    assert "position" not in {each.kind for each in told.unchecked}


def test_a_run_without_comparisons_says_what_it_would_need(tmp_path: Path) -> None:
    reward = {"terms": {name: {"scorer": "test_run_biases:Chance", "weight": 0.5} for name in ("a", "b")}}
    told, findings = found(run_under(tmp_path / "run", reward, FakeJudge(), steps=2), "position")
    assert not findings
    needs = {each.kind: each.needs for each in told.unchecked}
    assert needs["position"].startswith("a term that compares pictures in both orders")


def test_a_reward_that_pays_for_paint_is_found_in_the_pictures(tmp_path: Path) -> None:
    paint = {"paint": {"scorer": "test_run_biases:Paint", "weight": 0.8}}
    reward = {"terms": paint | {"other": {"scorer": "test_run_biases:Chance", "weight": 0.2}}}
    told, findings = found(run_under(tmp_path / "run", reward, FakeJudge()), "bias")
    (biased,) = [finding for finding in findings if "paint coverage" in finding.title]
    assert (biased.level, biased.title) == ("problem", "The reward pays for paint coverage")
    assert biased.numbers["paint.with_coverage"].value == pytest.approx(1, abs=0.02)
    assert np.isfinite(told.table.beside["coverage"]).sum() == 6 * 3 * 5


def test_paint_that_people_want_is_no_bias(tmp_path: Path, painted_pool_folder: Path) -> None:
    """The pool that a term compares with says what people want; here, they like paint little."""
    taste = {
        "scorer": "pairwise",
        "judge": "eye",
        "role": "monitor",
        "args": {"pool": str(painted_pool_folder)},
    }
    terms = {"paint": {"scorer": "test_run_biases:Paint", "weight": 1.0}, "taste": taste}
    told, _ = found(run_under(tmp_path / "run", DUEL | {"terms": terms}, FakeJudge()), "bias")
    items = Pool.load(painted_pool_folder).items
    liked = [{"love": 2, "okay": 1, "nope": 0}[item.reference.tier] for item in items]
    share = [coverage(item.reference.picture) for item in items]
    rated = told.table.shared["coverage"]
    assert rated == pytest.approx(np.corrcoef(liked, share)[0, 1])
    levels = {}
    for wanted in (0.0, 0.6, 0.95):
        (biased,) = [f for f in check_bias(replace(told.table, shared={"coverage": wanted}))
                     if isinstance(f, Finding) and "paint coverage" in f.title]  # fmt: skip
        levels[wanted] = biased.level
        assert "The ratings in the reward's pool correlate with it at" in biased.wrong
    assert levels == {0.0: "problem", 0.6: "notice", 0.95: "fine"}


def test_a_reward_that_does_not_is_told_so_and_lost_pictures_are_left_out(tmp_path: Path) -> None:
    reward = {"terms": {name: {"scorer": "test_run_biases:Chance", "weight": 0.5} for name in ("a", "b")}}
    run = run_under(tmp_path / "run", reward, FakeJudge(), steps=3)
    for number, file in enumerate(sorted((run.path / "pictures").rglob("*.png"))[:4]):
        file.unlink() if number % 2 else file.write_bytes(b"no picture")
    told, findings = found(run, "bias")
    assert [f.level for f in findings if "paint coverage" in f.title] == ["fine"]
    assert np.isfinite(told.table.beside["coverage"]).sum() == 3 * 3 * 5 - 4


def test_a_large_run_is_looked_at_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("salon.diagnosis.reading.coverage_column.MOST_PICTURES", 30)
    table = diagnose(run_under(tmp_path / "run", DUEL, FakeJudge()).path).table
    read_N = np.isfinite(table.beside["coverage"])
    assert read_N.sum() == 30
    assert set(np.bincount(table.group_N[read_N], minlength=table.groups)) == {0, 5}
    assert table.step_N is not None
    assert set(table.step_N[read_N]) == set(range(6))


@pytest.mark.parametrize("size", [(40, 30), (400, 400), (1000, 300)])
def test_coverage_by_a_grid_is_coverage(size: tuple[int, int]) -> None:
    image = Image.new("RGB", size, "white")
    image.paste((200, 30, 30), (0, 0, size[0] // 3, size[1] // 2))
    picture = picture_of(image)
    assert coverage(picture) == pytest.approx(paint_stats(picture).paint_fraction, abs=0.01)
