"""Scorers on benchmarks: each picture is scored once, pairs go by difference, what is missing is counted."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from chatserver import served
from painted import encoded, paint
from salon.cli import app
from salon.errors import RecipeError
from salon.evals.benchmarks import Benchmark, load_benchmark
from salon.evals.judging import drawn, evaluate_judge, evaluate_scorer
from salon.evals.scored import chance_of, scorer_of
from salon.judges.council import Council
from salon.judges.fake import FakeJudge
from salon.judges.learned.taste import TasteJudge
from salon.judges.measuring.labelled_pairs import LabelledPair, PictureBytes
from salon.judges.preference_model import RaterModel, Request
from salon.judges.vlm.rational import RationalJudge
from salon.llm.image_encoder import ImageEncoder
from salon.serving.score_server import ScoreServer
from salon.types import Picture, Prompt, Score
from scoreserver import FaultyScores, Lightness

LIGHT, MIDDLE, DARK = (PictureBytes(encoded(paint(tier, 1, 24)), tier) for tier in ("love", "okay", "nope"))
RECIPE = """
reward:
  terms:
    liked: {scorer: preference, judge: taste, weight: 1.0}
  judges:
    taste: {kind: taste}
"""


class Counting:
    """A model that notes what it was asked."""

    def __init__(self, model: Any) -> None:
        self.identity = model.identity
        self.asked: list[Request] = []
        self._model = model

    def rate(self, requests: Sequence[Request]) -> list[Score]:
        self.asked += requests
        return self._model.rate(requests)


class Changed:
    """How much lighter an edit is than the picture before; a model of edits."""

    identity = "changed@1"
    of_edits = True

    def rate(self, requests: Sequence[Request]) -> list[Score]:
        def light(picture: Picture) -> float:
            return Lightness().rate([Request("", picture)])[0].value or 0.0

        return [Score(light(each.picture) - light(each.before[0])) for each in requests]


def pairs_of(*texts: str, before: PictureBytes | None = None) -> Benchmark:
    """Two pairs per prompt that share a picture; the lighter one is the winner or the loser by turns."""
    ordered = sorted((LIGHT, MIDDLE, DARK), key=lambda each: lightness(each.load()), reverse=True)
    return Benchmark(
        "tiny",
        tuple(
            LabelledPair(f"{text}-{n}", Prompt(text, text), ordered[0], ordered[n], "a", text, before)
            for text in texts
            for n in (1, 2)
        ),
    )


def lightness(picture: Picture) -> float:
    return Lightness().rate([Request("", picture)])[0].value or 0.0


def at(server: Any, *settings: str) -> list[str]:
    return [f"base_url={server.address}", "cache=false", "attempts=2", "backoff_s=0.01", *settings]


def test_a_judge_as_a_scorer_is_as_right_as_the_judge(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text(RECIPE)
    benchmark = drawn(load_benchmark("pool", "flowers"), 16, seed=0)
    judge, _ = evaluate_judge(TasteJudge.load("taste"), benchmark)
    scorer = scorer_of("liked", recipe=str(tmp_path / "r.yaml"))
    assert scorer.identity == f"liked version 1, judge {TasteJudge.load('taste').identity}"
    report, results = evaluate_scorer(scorer, benchmark)
    assert report.total == judge.total
    assert report.categories == judge.categories
    assert report.total.coverage == 1.0
    assert (report.total.gap, report.total.flips) == (0.0, 0.0)
    shown = {(result.pair.prompt.text, side) for result in results for side in (result.pair.a, result.pair.b)}
    assert report.scored is not None
    assert report.scored.pictures == len(shown) < 2 * len(results)
    assert f"{len(shown)} of {len(shown)} pictures have a score." in report.markdown()


def test_a_served_model_scores_each_picture_once() -> None:
    model = Counting(RaterModel(TasteJudge.load("taste")))
    benchmark = drawn(load_benchmark("pool", "flowers"), 8, seed=1)
    with served(ScoreServer(model, "taste")) as server:
        report, _ = evaluate_scorer(scorer_of("served", at(server)), benchmark, groups_at_once=4)
    assert report.total == evaluate_judge(TasteJudge.load("taste"), benchmark)[0].total
    asked = [(each.text, each.picture.key) for each in model.asked]
    assert len(asked) == len(set(asked))
    assert report.scored is not None
    assert report.scored.pictures == len(asked)


def test_what_a_server_cannot_score_is_missing_and_counted(tmp_path: Path) -> None:
    with served(ScoreServer(Lightness(), "light")) as server:
        report, results = evaluate_scorer(scorer_of("served", at(server)), pairs_of("rose", "boom"))
    assert (report.total.pairs, report.total.complete, report.total.coverage) == (4, 2, 0.5)
    assert report.total.accuracy == 1.0
    assert report.scored is not None
    assert report.scored.pictures == 6
    assert sum(report.scored.missing.values()) == 3
    (code,) = report.scored.missing
    assert f"3 of 6 pictures have a score; missing: 3 × {code}." in report.markdown()
    assert report.categories["boom"].coverage == 0.0
    assert [result.outcome for result in results] == [1.0, 1.0, None, None]


def test_an_outage_and_faults_cost_no_pair_its_side() -> None:
    """What comes back is what came without faults; the rest is missing."""
    benchmark = pairs_of(*(f"rose {n}" for n in range(6)))
    with served(FaultyScores(Lightness(), share=0.4)) as server:
        settings = at(server, "attempts=8", "deadline_s=20", "timeout_s=0.3")
        report, results = evaluate_scorer(scorer_of("served", settings), benchmark)
        assert server.faults
        assert report.total.complete == 12
        assert {result.outcome for result in results} == {1.0}
        scorer = scorer_of("served", at(server, "attempts=1", "deadline_s=0.5"))
        server.down = True
        down, _ = evaluate_scorer(scorer, benchmark)
    assert (down.total.complete, down.total.accuracy) == (0, None)
    assert sum(down.total.failures.values()) == 24


def test_an_edit_is_scored_with_the_picture_before() -> None:
    model = Counting(Changed())
    benchmark = pairs_of("warmer", before=DARK)
    with served(ScoreServer(model, "changed")) as server:
        report, results = evaluate_scorer(scorer_of("served", at(server, "before=photo")), benchmark)
    assert report.total.accuracy == 1.0
    assert {each.before[0].key for each in model.asked} == {DARK.load().key}
    assert {each.picture.key for each in model.asked} == {
        side.load().key for result in results for side in (result.pair.a, result.pair.b)
    }


def test_a_published_scorer_of_edits_on_a_benchmark_of_edits(tmp_path: Path) -> None:
    """edit_score over a chat server, on MMRB2's edit file: it sees the source and each result, no sheet."""
    shown = {"good": LIGHT, "bad": DARK, "before": MIDDLE}
    for name, picture in shown.items():
        (tmp_path / f"{name}.png").write_bytes(picture.data)
    answers = {side: {"response_content": [["image", f"{name}.png"]]} for side, name in SIDES.items()}
    row = {
        "id": "1",
        "prompt_content": [["text", "warmer"], ["image", "before.png"]],
        "chosen": "A",
        **answers,
    }
    (tmp_path / "edit.json").write_text(json.dumps([row]))
    keys = {name: ImageEncoder(1024).url(picture.load()) for name, picture in shown.items()}
    seen: list[list[str]] = []

    def answer(handler: Any, body: Any) -> str:
        urls = [
            part["image_url"]["url"]
            for part in body["messages"][-1]["content"]
            if part["type"] == "image_url"
        ]
        names = [name for url in urls for name, known in keys.items() if known == url]
        seen.append(names)
        return f'{{"reasoning": "so", "score": {[20, 20] if names[-1] == "good" else [5, 5]}}}'

    with served() as server:
        server.script = [answer]
        scorer = scorer_of("edit_score", ["model=m", f"base_url={server.url}", "cache=false"])
        report, _ = evaluate_scorer(scorer, load_benchmark("mmrb2", str(tmp_path / "edit.json")))
    assert sorted(seen) == [["bad"], ["before", "bad"], ["before", "good"], ["good"]]
    assert (report.total.accuracy, report.total.coverage) == (1.0, 1.0)


SIDES = {"response_a": "good", "response_b": "bad"}


def test_a_judge_of_edits_sees_the_picture_before_and_no_sheet() -> None:
    titles = ("Text Faithfulness", "Image Faithfulness", "Physical and Visual Quality", "Text Rendering")
    seen: list[list[str]] = []

    def answer(handler: Any, body: Any) -> str:
        content = body["messages"][-1]["content"]
        urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
        seen.append(urls)
        scores = ("4", "1") if urls[1] == url(benchmark.pairs[0].a.load()) else ("1", "4")
        parts = [
            f"{n}. {title}:\n## Score A: {scores[0]}\n## Score B: {scores[1]}"
            for n, title in enumerate(titles, 1)
        ]
        return "\n".join(["# Detailed Judgement", *parts, "# Summary: so"])

    url, benchmark = ImageEncoder(1024).url, pairs_of("warmer", before=DARK)
    with served() as server:
        server.script = [answer]
        judge = RationalJudge("rr", server.url, task="edit", cache=False)
        for each in (judge, Council([judge, RationalJudge("r2", server.url, task="edit", cache=False)])):
            report, _ = evaluate_judge(each, benchmark)
            assert (report.total.accuracy, report.total.coverage) == (1.0, 1.0)
        mixed, _ = evaluate_judge(Council([judge, FakeJudge()], quorum=2), benchmark)
        assert mixed.total.failures == {"no_picture_before": 4}
    assert {urls[0] for urls in seen} == {url(DARK.load())}
    assert {len(urls) for urls in seen} == {3}


@pytest.mark.parametrize(("tie", "right", "ties"), [(0.0, 1.0, 0.0), (10.0, 0.5, 1.0)])
def test_a_small_difference_is_a_tie_by_rule(tie: float, right: float, ties: float) -> None:
    with served(ScoreServer(Lightness(), "light")) as server:
        report, _ = evaluate_scorer(scorer_of("served", at(server)), pairs_of("rose"), tie)
    assert (report.total.accuracy, report.total.ties) == (right, ties)


def test_a_chance_rises_with_the_difference_and_is_a_half_only_for_a_tie() -> None:
    assert chance_of(1.0986122886681098) == pytest.approx(0.75)
    assert chance_of(0.0) == chance_of(-0.1, tie=0.1) == 0.5
    assert chance_of(1e-30) > 0.5 > chance_of(-1e-30)
    assert (chance_of(1e6), chance_of(-1e6)) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("name", "settings", "told"),
    [
        ("diversity", [], "compares the samples of a group"),
        ("critique", [], "'critique' asks a judge. Name a recipe"),
        ("pikscore", [], "Did you mean 'pickscore'"),
        ("length", ["max_token=3"], "--set.max_token: 'length' has no such argument. Did you mean"),
        ("edit_score", ["model=m"], "--set.base_url: 'edit_score' needs it"),
    ],
)
def test_what_cannot_be_measured_is_refused(name: str, settings: list[str], told: str) -> None:
    with pytest.raises(RecipeError, match=re.escape(told)):
        scorer_of(name, settings)


def test_a_term_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text(RECIPE)
    with pytest.raises(RecipeError, match=r"--scorer 'like' is not in its `terms`\. Did you mean 'liked'"):
        scorer_of("like", recipe=str(tmp_path / "r.yaml"))


def test_a_scorer_is_measured_from_the_shell(tmp_path: Path) -> None:
    with served(ScoreServer(Lightness(), "light")) as server:
        asked = ["evaluate", "judge", "--scorer", "served", "--limit", "8", "-o", str(tmp_path / "out")]
        asked += [each for line in at(server) for each in ("--set", line)]
        found = CliRunner().invoke(app, asked)
        assert found.exit_code == 0, found.output
        refused = CliRunner().invoke(app, [*asked, "--criteria", "c.txt"])
        assert isinstance(refused.exception, RecipeError)
    for more, told in ((["--set", "batch=2"], "no such argument"), (["--tie", "0.1"], "is for a scorer")):
        without = CliRunner().invoke(app, ["evaluate", "judge", *more])
        assert told in str(without.exception)
    assert "scorer: served" in found.output
    assert "| love>okay" in found.output
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["scored"]["missing"] == {}
    assert report["gap"] == 0.0
    line = json.loads((tmp_path / "out" / "verdicts.jsonl").read_text().split("\n")[0])
    assert re.fullmatch(r"[\d.]+ against [\d.]+", line["winner_first"]["reason"])


@pytest.mark.torch
def test_a_clip_model_is_measured_in_process(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    from tinyclip import tiny_clip

    benchmark = pairs_of("rose")
    scorer = scorer_of("clip", [f"name_or_path={tiny_clip(tmp_path)}"])
    report, results = evaluate_scorer(scorer, benchmark)
    assert (report.total.coverage, report.total.gap) == (1.0, 0.0)
    assert scorer.identity.startswith("clip clip ")
    pictures = [results[0].pair.a.load(), results[0].pair.b.load()]
    a, b = (score.value or 0.0 for score in scorer.scorer.rate([Request("rose", each) for each in pictures]))  # type: ignore[attr-defined]
    assert results[0].outcome == float(a > b)
