"""Judges on benchmarks, in the form of their published files, and each counted in its own way."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from painted import encoded, paint
from salon.errors import RecipeError
from salon.evals.benchmarks import load_benchmark
from salon.evals.classifier import evaluate_classifier, examine
from salon.evals.judging import JudgeReport, both_orders, drawn, evaluate_judge, judge_of, write_judging
from salon.judges.fake import FakeJudge
from salon.judges.labelled import SHEET, Beside
from salon.judges.taste import TasteJudge
from salon.types import Picture, Prompt

GOOD = encoded(paint("love", 1, 24))
BAD = encoded(paint("love", 1, 24).convert("L").convert("RGB"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "good.png").write_bytes(GOOD)
    (tmp_path / "images" / "bad.png").write_bytes(BAD)
    return tmp_path


def judged(name: str, file: Path, judge: FakeJudge | None = None) -> JudgeReport:
    return evaluate_judge(judge or FakeJudge(), load_benchmark(name, str(file)))[0]


def extras(report: JudgeReport) -> dict[str, float | None]:
    return {extra.name: extra.value for extra in report.extras}


def write(path: Path, rows: Any) -> Path:
    path.write_text(json.dumps(rows))
    return path


def image(data: bytes) -> dict[str, Any]:
    return {"bytes": data, "path": None}


def mmrb2(chosen: str, a: str, b: str, asked: Any = None) -> dict[str, Any]:
    def answer(name: str) -> dict[str, Any]:
        return {"model_name": "m", "response_content": [["image", f"images/{name}.png"]]}

    return {
        "id": f"{chosen}-{a}",
        "prompt_source": "wise" if chosen == "A" else "r2i",
        "prompt_content": asked or [["text", "a rose"]],
        "response_a": answer(a),
        "response_b": answer(b),
        "chosen": chosen,
    }


def test_mmrb2_has_pairs_without_ties_by_source(folder: Path) -> None:
    rows = [mmrb2("A", "good", "bad"), mmrb2("B", "bad", "good"), mmrb2("B", "good", "bad")]
    report = judged("mmrb2", write(folder / "t2i.json", {"pairs": rows}))
    assert (report.total.pairs, report.total.accuracy) == (3, pytest.approx(2 / 3))
    assert {name: found.accuracy for name, found in report.categories.items()} == {"wise": 1.0, "r2i": 0.5}


def test_an_edit_shows_its_source_beside_each_result(folder: Path) -> None:
    row = mmrb2("A", "good", "bad", [["text", "make it pink"], ["image", "images/bad.png"]])
    pair = load_benchmark("mmrb2", str(write(folder / "edit.json", {"pairs": [row]}))).pairs[0]
    assert pair.before is not None
    assert (pair.a.load().width, pair.before.load().key) == (24, pair.b.load().key)
    sheet = Beside(pair.before, pair.a).load()
    assert (sheet.width, sheet.height) == (24 + 16 + 24, 24)
    shown: list[int] = []
    told: set[str] = set()

    class Wide(FakeJudge):
        def compare(self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]]) -> Any:
            shown.extend(picture.width for both in pairs for picture in both)
            told.add(prompt.text)
            return super().compare(prompt, pairs)

    evaluate_judge(Wide(), load_benchmark("mmrb2", str(folder / "edit.json")))
    assert shown == [sheet.width] * 4
    assert told == {f"make it pink\n{SHEET}"}
    assert judged("mmrb2", folder / "edit.json").total.accuracy == 1.0


def test_hpdv3_prefers_the_first_path(folder: Path) -> None:
    row = {"prompt": "p", "path1": "good.png", "path2": "bad.png", "choice_dist": [9, 1], "confidence": 0.97}
    file = write(folder / "test.json", [row, {**row, "confidence": 0.5}])
    with pytest.raises(RecipeError, match=r"row 1: path1: there is no picture .* --images"):
        load_benchmark("hpdv3", str(file))
    found = load_benchmark("hpdv3", str(file), images=str(folder / "images"))
    report, _ = evaluate_judge(FakeJudge(always="a"), found)
    assert (report.total.acc_first, report.total.acc_second, report.total.gap) == (1.0, 0.0, 1.0)
    assert list(report.categories) == ["confidence < 0.8", "confidence ≥ 0.95"]


def votes(*types: str) -> list[dict[str, Any]]:
    """The left picture is better; the vote says whatever it says."""
    return [
        {"prompt": f"p{n}", "left_image": image(GOOD), "right_image": image(BAD), "vote_type": vote}
        for n, vote in enumerate(types)
    ]


@pytest.mark.parametrize(
    ("sharpness", "four", "three"),
    [(10.0, 0.25, 0.25), (0.0, 0.25, 0.5)],
    ids=["sees a winner", "sees ties"],
)
def test_genai_bench_counts_four_classes_and_three(
    tmp_path: Path, sharpness: float, four: float, three: float
) -> None:
    pl.DataFrame(votes("leftvote", "rightvote", "tievote", "bothbad_vote")).write_parquet(
        tmp_path / "t.parquet"
    )
    report = judged("genai-bench", tmp_path / "t.parquet", FakeJudge(sharpness=sharpness))
    found = extras(report)
    assert found["4-way, left shown first (official)"] == four
    assert found["3-way, left shown first (ties merged)"] == three
    assert found["3-way, both orders"] == three
    assert (report.undecided, report.total.pairs) == (2, 2)


def test_the_official_order_shows_left_first_and_both_orders_make_a_biased_judge_tie(tmp_path: Path) -> None:
    pl.DataFrame(votes("leftvote", "rightvote", "rightvote", "tievote")).write_parquet(tmp_path / "t.parquet")
    found = extras(judged("genai-bench", tmp_path / "t.parquet", FakeJudge(always="a")))
    assert found["4-way, left shown first (official)"] == 0.25
    assert found["4-way, both orders"] == 0.25
    assert (
        extras(judged("genai-bench", tmp_path / "t.parquet", FakeJudge(always="b")))[
            "4-way, left shown first (official)"
        ]
        == 0.5
    )


def test_genai_bench_reads_its_edits(tmp_path: Path) -> None:
    row = {
        "source_prompt": "a rose",
        "target_prompt": "a pink rose",
        "instruct_prompt": "make it pink",
        "source_image": image(BAD),
        "left_output_image": image(BAD),
        "right_output_image": image(GOOD),
        "vote_type": "rightvote",
    }
    pl.DataFrame([row]).write_parquet(tmp_path / "e.parquet")
    found = load_benchmark("genai-bench", str(tmp_path / "e.parquet"))
    assert (found.pairs[0].prompt.text, found.pairs[0].label) == ("make it pink", "b")
    assert evaluate_judge(FakeJudge(), found)[0].total.accuracy == 1.0


def ranked(ranking: str, *names: str) -> dict[str, Any]:
    return {
        "prompt": f"edit {ranking}",
        "path_src": "images/bad.png",
        "paths_generated": [f"images/{name}.png" for name in names],
        "human_vote": {"ranking": ranking},
    }


def test_rankings_are_right_only_as_a_whole(folder: Path) -> None:
    rows = [
        ranked("A>B", "good", "bad"),
        ranked("B>A", "good", "bad"),
        ranked("A=B=Good", "good", "good"),
        ranked("A>B=C", "good", "bad", "bad"),
        ranked("C>A>B", "good", "bad", "bad"),
        ranked("A = B > C = D", "good", "good", "bad", "bad"),
    ]
    report = judged("editreward-bench-tiger", write(folder / "r.json", rows))
    found = extras(report)
    assert found["2-way, strict"] == pytest.approx(2 / 3)
    assert found["3-way, strict"] == 0.5
    assert found["4-way, strict"] == 1.0
    assert next(value for name, value in found.items() if "best margin" in name) == pytest.approx(2 / 3)
    limited = drawn(load_benchmark("editreward-bench-tiger", str(folder / "r.json")), 8, seed=1)
    assert sum(map(len, limited.groups.values())) == len(limited.pairs) <= 8


@pytest.mark.parametrize("ranking", ["A>B>C", "A", "A>A", "B>C"])
def test_a_ranking_of_other_candidates_is_refused(folder: Path, ranking: str) -> None:
    file = write(folder / "r.json", [ranked(ranking, "good", "bad")])
    with pytest.raises(RecipeError, match=r"row 1: human_vote\.ranking: .* does not rank A, B"):
        load_benchmark("editreward-bench-tiger", str(file))


def test_editscores_bench_is_a_mean_over_tasks_with_ties_wrong(tmp_path: Path) -> None:
    def row(task: str, *outputs: bytes) -> dict[str, Any]:
        shown = [image(output) for output in outputs]
        return {
            "key": "k",
            "instruction": "i",
            "input_image": image(BAD),
            "output_images": shown,
            "task_type": task,
        }

    rows = [row("add", GOOD, BAD), row("add", GOOD, BAD), row("add", BAD, GOOD), row("remove", GOOD, GOOD)]
    pl.DataFrame(rows).write_parquet(tmp_path / "e.parquet")
    found = extras(judged("editreward-bench-editscore", tmp_path / "e.parquet"))
    assert found["add, ties wrong"] == pytest.approx(2 / 3)
    assert found["remove, ties wrong"] == 0.0
    assert found["mean over tasks, ties wrong"] == pytest.approx(1 / 3)


def test_pick_a_pic_gives_halves_for_ties(tmp_path: Path) -> None:
    rows = [
        {"caption": f"c{a}{b}", "jpg_0": GOOD, "jpg_1": BAD, "label_0": a, "label_1": b}
        for a, b in ((1.0, 0.0), (0.0, 1.0), (0.5, 0.5))
    ]
    pl.DataFrame(rows).write_parquet(tmp_path / "p.parquet")
    report = judged("pick-a-pic", tmp_path / "p.parquet")
    assert extras(report)["with ties as halves"] == 0.5
    assert extras(judged("pick-a-pic", tmp_path / "p.parquet", FakeJudge(sharpness=0)))[
        "with ties as halves"
    ] == (pytest.approx(2 / 3))
    pl.DataFrame([{**rows[0], "label_1": 1.0}]).write_parquet(tmp_path / "p.parquet")
    with pytest.raises(RecipeError, match="row 1: label_0, label_1"):
        load_benchmark("pick-a-pic", str(tmp_path / "p.parquet"))


@pytest.mark.parametrize(
    ("name", "rows", "message"),
    [
        ("mmrb", [], "there is none. Did you mean 'mmrb2'"),
        ("mmrb2", {"pairs": []}, "has no pairs for mmrb2"),
        ("mmrb2", {"rows": []}, "should hold a list of objects"),
        ("mmrb2", [{**mmrb2("A", "good", "bad"), "chosen": "C"}], "row 1: chosen: is A or B"),
        ("mmrb2", [mmrb2("A", "good", "bad", "text")], "row 1: prompt_content: should be a list"),
        (
            "mmrb2",
            [{**mmrb2("A", "good", "bad"), "response_a": {"response_content": []}}],
            "not exactly one picture",
        ),
        ("hpdv3", [{"prompt": "p", "path_1": "x"}], "row 1: path1: is missing. Did you mean 'path_1'"),
        (
            "genai-bench",
            [{"prompt": "p", "vote_type": "left"}],
            "row 1: vote_type: 'left' is none of leftvote",
        ),
    ],
)
def test_a_file_of_another_form_is_named(folder: Path, name: str, rows: Any, message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        load_benchmark(name, str(write(folder / "f.json", rows)))


def test_failures_are_reported_and_verdicts_written(folder: Path) -> None:
    rows = [mmrb2("A", "good", "bad"), mmrb2("B", "bad", "good")]
    benchmark = load_benchmark("mmrb2", str(write(folder / "t2i.json", {"pairs": rows})))
    report, duels = evaluate_judge(FakeJudge(fail_every=4), benchmark)
    assert (report.total.complete, report.total.coverage) == (1, 0.5)
    assert "Verdicts that are missing: 1 × judge_unreachable." in report.markdown()
    write_judging(report, duels, folder / "out")
    lines = [json.loads(line) for line in (folder / "out" / "verdicts.jsonl").read_text().splitlines()]
    assert [line["pair"] for line in lines] == ["A-good", "B-bad"]
    assert lines[1]["winner_second"]["failure"] == "judge_unreachable"
    assert json.loads((folder / "out" / "report.json").read_text())["accuracy"] == 1.0
    assert {both_orders(duel) for duel in duels} == {"a", None}


def test_the_shipped_pool_and_judge_give_the_accuracy_they_ship_with() -> None:
    """The same pairs that train-judge measured: .923, and no gap at all."""
    benchmark = drawn(load_benchmark("pool", "flowers"), 300, seed=0)
    report, _ = evaluate_judge(TasteJudge.load("taste"), benchmark)
    assert report.total.accuracy == pytest.approx(0.923, abs=0.05)
    assert (report.total.gap, report.total.flips) == (0.0, 0.0)
    assert set(report.categories) == {"love>okay", "love>nope", "okay>nope"}


RECIPE = """
classifiers:
  intent: {kind: keywords, labels: {strict: [only, nothing else]}, default: open}
terms:
  length: {scorer: length, weight: 1.0, when: "labels.intent == 'strict'"}
judges:
  fake: {kind: fake}
"""


def test_judges_come_from_a_recipe_or_by_name(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text("reward:" + RECIPE.replace("\n", "\n  "))
    assert judge_of("fake", str(tmp_path / "r.yaml")).identity.startswith("fake")
    with pytest.raises(RecipeError, match=r"--judge 'fak' is not in its `judges`\. Did you mean 'fake'"):
        judge_of("fak", str(tmp_path / "r.yaml"))
    (tmp_path / "c.txt").write_text("Soft edges.")
    with pytest.raises(RecipeError, match="cannot go by criteria"):
        judge_of("fake", str(tmp_path / "r.yaml"), str(tmp_path / "c.txt"))


def test_a_classifier_is_measured_on_labelled_prompts(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text("reward:" + RECIPE.replace("\n", "\n  "))
    rows: list[Mapping[str, str]] = [
        {"prompt": "a rose, nothing else", "label": "strict"},
        {"prompt": "a rose on white, no stem", "label": "strict"},
        {"prompt": "a rose", "label": "open"},
        {"prompt": "the only rose in the world", "label": "open"},
    ]
    (tmp_path / "p.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    report = evaluate_classifier(tmp_path / "r.yaml", "intent", tmp_path / "p.jsonl")
    assert (report.accuracy, report.commonest) == (0.5, 0.5)
    lines = "\n".join(report.lines())
    assert "accuracy 0.500 (0.150 to 0.850) on 4 of 4 prompts" in lines
    assert "open, said strict: the only rose in the world" in lines
    with pytest.raises(RecipeError, match=r"no `when` asks a classifier 'intents'\. Did you mean 'intent'"):
        evaluate_classifier(tmp_path / "r.yaml", "intents", tmp_path / "p.jsonl")


def test_a_classifier_that_says_one_thing_of_every_prompt_is_told() -> None:
    class Stubborn:
        version = "1"

        def label(self, prompt: Prompt) -> str:
            return "strict"

    prompts = [(Prompt(str(n), f"rose {n}"), label) for n, label in enumerate(("strict", "open"))]
    assert "It says strict of every prompt: it sorts nothing." in examine(Stubborn(), prompts).lines()
    assert not any("sorts nothing" in line for line in examine(Stubborn(), prompts[:1] * 2).lines())


def test_a_classifier_that_does_not_answer_is_not_wrong() -> None:
    class Moody:
        version = "1"

        def label(self, prompt: Prompt) -> str:
            if prompt.id == "x":
                raise ConnectionError("gone")
            return "open"

    report = examine(Moody(), [(Prompt("x", "p"), "open"), (Prompt("y", "p"), "open")])
    assert report.accuracy == 1.0
    assert report.lines()[-1] == "not answered: 1 × internal_error"
