"""Judges on benchmarks, in the form of their published files, and each counted in its own way."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from PIL import Image

from painted import encoded, paint
from salon.errors import RecipeError
from salon.evals.benchmarks import Benchmark, load_benchmark
from salon.evals.classifier import evaluate_classifier, examine
from salon.evals.judging import JudgeReport, drawn, evaluate_judge, evaluate_scorer, judge_of, write_judging
from salon.evals.official import both_orders, calibrated, own_counts
from salon.evals.scored import NamedScorer
from salon.judges.fake import FakeJudge
from salon.judges.learned.taste import TasteJudge
from salon.judges.measuring.accuracy import PairResult
from salon.judges.measuring.labelled_pairs import SHEET, Beside, Label, LabelledPair, PictureBytes
from salon.pool.provenance import RATED
from salon.raster import decode
from salon.types import Failure, Group, Picture, Prompt, Score, Verdict
from salon.validation import BadRows

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


GENAI = "published script: left shown first, a plain tie is right for both kinds, no answer is wrong"


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
    assert found["4-way, left shown first"] == four
    # GenAI-Bench's parse_response: a plain [[A=B]] is right for tievote and for bothbad_vote.
    assert found[GENAI] == three
    assert found["3-way, left shown first (ties merged)"] == three
    assert found["3-way, both orders"] == three
    assert (report.undecided, report.total.pairs) == (2, 2)


def test_the_official_order_shows_left_first_and_both_orders_make_a_biased_judge_tie(tmp_path: Path) -> None:
    pl.DataFrame(votes("leftvote", "rightvote", "rightvote", "tievote")).write_parquet(tmp_path / "t.parquet")
    found = extras(judged("genai-bench", tmp_path / "t.parquet", FakeJudge(always="a")))
    assert found[GENAI] == 0.25
    assert found["4-way, both orders"] == 0.25
    assert extras(judged("genai-bench", tmp_path / "t.parquet", FakeJudge(always="b")))[GENAI] == 0.5


def test_genai_benchs_script_counts_a_missing_answer_as_wrong_and_ours_leaves_it_out(tmp_path: Path) -> None:
    pl.DataFrame(votes("leftvote", "leftvote")).write_parquet(tmp_path / "t.parquet")
    report = judged("genai-bench", tmp_path / "t.parquet", FakeJudge(fail_every=4))
    found = {extra.name: (extra.value, extra.count) for extra in report.extras}
    assert report.total.failures == {"judge_unreachable": 1}
    assert found["4-way, left shown first"] in ((1.0, 2), (1.0, 1))
    assert found[GENAI] == (found["4-way, left shown first"][1] / 2, 2)


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
    assert next(v for name, v in found.items() if name.startswith("2-way, pairs")) == pytest.approx(2 / 3)
    limited = drawn(load_benchmark("editreward-bench-tiger", str(folder / "r.json")), 8, seed=1)
    assert sum(map(len, limited.groups.values())) == len(limited.pairs) <= 8


@pytest.mark.parametrize(
    ("ranking", "label"),
    [("A>B", "a"), ("B>A", "b"), ("A<B", "b"), ("A=B=Good", "tie"), ("A=B=Bad", "tie"), ("A=B", "tie")],
)
def test_the_labels_that_tigers_evaluator_knows_are_read(folder: Path, ranking: str, label: str) -> None:
    """get_pairwise_gt of EditReward/evaluate/eval_bench.py; the dataset beside it writes A=B."""
    file = write(folder / "EditReward_Bench_2pair.json", [ranked(ranking, "good", "bad")])
    assert [pair.label for pair in load_benchmark("editreward-bench-tiger", str(file)).pairs] == [label]


@pytest.mark.parametrize("ranking", ["A>B>C", "A", "A>A", "B>C", "A?B"])
def test_a_ranking_of_other_candidates_is_refused(folder: Path, ranking: str) -> None:
    file = write(folder / "r.json", [ranked(ranking, "good", "bad")])
    with pytest.raises(RecipeError, match=r"row 1: human_vote\.ranking: .* does not rank A, B"):
        load_benchmark("editreward-bench-tiger", str(file))


def test_a_ranking_of_three_with_a_less_than_is_named_beside_the_good_ones(folder: Path) -> None:
    """TIGER's evaluator strips > and < alike and reads A<B>C with A the best: what was meant is unknown."""
    rows = [ranked("C>A>B", "good", "bad", "bad"), ranked("A<B>C", "good", "bad", "bad")]
    file = write(folder / "r.json", rows)
    with pytest.warns(BadRows, match=r"row 2: human_vote\.ranking: 'A<B>C' has a <\. Write the best first"):
        assert len(load_benchmark("editreward-bench-tiger", str(file)).pairs) == 3


def score_pair(label: Label, margin: float, name: str = "p") -> PairResult:
    """A pair of a scorer that gives a so much more than b."""
    pair = LabelledPair(name, Prompt(name, name), PictureBytes(b""), PictureBytes(b""), label)
    won = -margin if label == "b" else margin
    p = 0.5 if won == 0 else 0.9 if won > 0 else 0.1
    return PairResult(pair, Verdict(p, "s"), Verdict(1 - p, "s"), margin)


def test_tigers_numbers_are_counted_as_its_evaluator_counts_them() -> None:
    """calc_accuracy_with_ties_for_edit_reward_bench and calc_accuracy_without_ties, by hand.

    Two edits: margins 3, −2, .5, −1 for A>B, B>A, a tie and A>B. Without a margin for ties 2 of 4 are right;
    .5 makes it 3; 1 keeps 3. So 3/4 with .5, the smallest. Strict, with that margin: the same 3 of 4.
    Three edits, C>A>B with scores A 2, B 0, C 1: of A-B, A-C, B-C the first and third are right. Strict 0.
    All pairs in one pot, margins 3, −2, .5, −1, 2, 1, −1: best is .5 again, 5 of 7.
    """
    two = [
        score_pair(label, margin, name)
        for label, margin, name in [("a", 3.0, "1"), ("b", -2.0, "2"), ("tie", 0.5, "3"), ("a", -1.0, "4")]
    ]
    three = [score_pair("a", 2.0, "5:AB"), score_pair("b", 1.0, "5:AC"), score_pair("b", -1.0, "5:BC")]
    groups = {name: (name,) for name in "1234"} | {"5": ("5:AB", "5:AC", "5:BC")}
    benchmark = Benchmark("t", tuple(result.pair for result in two + three), "ranking", groups)
    found = {extra.name: (extra.value, extra.count) for extra in own_counts(benchmark, two + three, 0)}
    assert found == {
        "2-way, pairs, best margin for ties (0.5)": (0.75, 4),
        "3-way, pairs, without ties": (pytest.approx(2 / 3), 3),
        "4-way, pairs, without ties": (None, 0),
        "all pairs, best margin for ties (0.5)": (pytest.approx(5 / 7), 7),
        "2-way, strict": (0.75, 4),
        "3-way, strict": (0.0, 1),
        "4-way, strict": (None, 0),
        "all rankings, strict": (0.6, 5),
    }


@pytest.mark.parametrize(
    ("labels", "margins", "best"),
    [
        ([], [], None),
        ([1, 0, -1], [0.9, 0.2, -0.1], (2 / 3, 0.0)),
        ([1, 0, 0, -1], [0.9, 0.2, -0.3, 0.1], (0.75, 0.3)),
        ([0, 0], [0.0, 4.0], (1.0, 4.0)),
        ([1, -1], [0.0, 0.0], (0.0, 0.0)),
    ],
)
def test_the_margin_for_ties_is_the_smallest_that_is_best(
    labels: list[int], margins: list[float], best: tuple[float, float] | None
) -> None:
    assert calibrated(labels, margins) == (best and pytest.approx(best))


def test_the_margin_is_found_without_trying_every_one_on_every_pair() -> None:
    """Three times the pairs take three times the comparisons, not nine."""

    class Counted(float):
        looked = 0

        def __gt__(self, other: float) -> bool:
            Counted.looked += 1
            return float(self) > other

    def looks(count: int) -> int:
        Counted.looked = 0
        calibrated([n % 3 - 1 for n in range(count)], [Counted((n * 37 % 101) - 50) for n in range(count)])
        return Counted.looked

    assert looks(300) == 2 * 300
    assert looks(900) == 2 * 900


def test_tigers_dataset_has_a_pair_a_row_and_the_script_counts_a_ranking_by_the_ids_prefix(
    folder: Path,
) -> None:
    """The columns that inference_3pair_hf.py reads: a judge is asked once, candidate 1 first."""

    def row(kind: str, name: str, first: bytes, second: bytes, ranking: str) -> dict[str, Any]:
        shown = {"source_image": image(BAD), "candidate_1": image(first), "candidate_2": image(second)}
        return {"dataset": kind, "id": name, "instruction": "make it pink", "ranking": ranking, **shown}

    rows = [
        row("2pair", "x_0", GOOD, BAD, "A>B"),
        row("2pair", "y_0", GOOD, BAD, "A=B"),
        row("3pair", "z_AB", GOOD, BAD, "A>B"),
        row("3pair", "z_AC", GOOD, GOOD, "A=B"),
        row("3pair", "z_BC", BAD, GOOD, "B>A"),
        row("3pair", "w_AB", GOOD, BAD, "B>A"),
        row("3pair", "w_AC", GOOD, GOOD, "A=B"),
        row("3pair", "w_BC", BAD, GOOD, "B>A"),
    ]
    pl.DataFrame(rows).write_parquet(folder / "train-00000-of-00001.parquet")
    found = {e.name: (e.value, e.count) for e in judged("editreward-bench-tiger", folder).extras}
    told = "strict, candidates shown as stored (published script for judges)"
    assert found[f"2-way, {told}"] == (0.5, 2)
    assert found[f"3-way, {told}"] == (0.5, 2)
    assert found[f"4-way, {told}"] == (None, 0)


def editscore(task: str, dimension: str, *outputs: bytes) -> dict[str, Any]:
    """A row of EditScore/EditReward-Bench as its evaluation.py reads it."""
    return {
        "key": ["k1", "k2"],
        "instruction": "i",
        "input_image": image(BAD),
        "output_images": [image(output) for output in outputs],
        "task_type": task,
        "dimension": dimension,
    }


def test_editscores_bench_counts_each_dimension_by_itself_and_ties_wrong(tmp_path: Path) -> None:
    """calculate_statistics.py: per task the share with a higher first score, then the mean over tasks."""
    rows = [
        *(editscore("subject-add", "overall", GOOD, BAD) for _ in range(2)),
        editscore("subject-add", "overall", BAD, GOOD),
        editscore("extract", "overall", GOOD, GOOD),
        editscore("background_change", "overall", GOOD, BAD),
        editscore("extract", "consistency", GOOD, BAD),
    ]
    pl.DataFrame(rows).write_parquet(tmp_path / "e.parquet")
    found = extras(judged("editreward-bench-editscore", tmp_path / "e.parquet"))
    assert found["overall, subject-add"] == pytest.approx(2 / 3)
    assert (found["overall, extract"], found["overall, scene tasks"]) == (0.0, 0.5)
    assert found["overall, mean over tasks"] == pytest.approx((2 / 3 + 0 + 1) / 3)
    assert found["consistency, mean over tasks"] == 1.0
    assert found["prompt_following, mean over tasks"] is None


@pytest.mark.parametrize("missing", ["dimension", "task_type", "key"])
def test_a_row_without_a_key_that_its_evaluator_needs_is_named(tmp_path: Path, missing: str) -> None:
    row = {name: value for name, value in editscore("t", "overall", GOOD, BAD).items() if name != missing}
    pl.DataFrame([row]).write_parquet(tmp_path / "e.parquet")
    with pytest.raises(RecipeError, match=f"row 1: {missing}: is missing"):
        load_benchmark("editreward-bench-editscore", str(tmp_path / "e.parquet"))


class Parts:
    """Says another number of each thing that people were asked about: red, green and blue."""

    version = "1"

    def score(self, group: Group) -> list[Score]:
        return [self._of(sample.picture) for sample in group.samples]

    def _of(self, picture: Picture | None) -> Score:
        assert picture is not None
        red, green, blue = np.asarray(decode(picture.png)).reshape(-1, 3).mean(axis=0)
        details = {"following": float(red), "consistency": float(green), "quality": float(blue)}
        return Score(float(blue), details=details)


def test_a_scorers_details_answer_for_the_dimension_that_was_asked(tmp_path: Path) -> None:
    def plain(*colour: int) -> bytes:
        return encoded(Image.new("RGB", (24, 24), colour))

    # The first is better in red and blue, the second in green.
    shown = (plain(200, 10, 90), plain(100, 90, 10))
    rows = [editscore("extract", name, *shown) for name in ("prompt_following", "consistency", "overall")]
    pl.DataFrame(rows).write_parquet(tmp_path / "e.parquet")
    benchmark = load_benchmark("editreward-bench-editscore", str(tmp_path / "e.parquet"))
    found = extras(evaluate_scorer(NamedScorer("parts", Parts()), benchmark)[0])
    assert [found[f"{name}, extract"] for name in ("prompt_following", "consistency", "overall")] == [1, 0, 1]


def test_editscores_outputs_are_shown_as_large_as_the_input(tmp_path: Path) -> None:
    """process_single_item resizes each output to the input's width and height."""
    wide = encoded(Image.new("RGB", (60, 20), "red"))
    pl.DataFrame([editscore("extract", "overall", wide, GOOD)]).write_parquet(tmp_path / "e.parquet")
    [pair] = load_benchmark("editreward-bench-editscore", str(tmp_path / "e.parquet")).pairs
    assert [(each.load().width, each.load().height) for each in (pair.a, pair.b)] == [(24, 24)] * 2


def test_mmrb2_counts_the_judgements_of_both_orders_in_one_pot() -> None:
    """compute_accuracy.py by hand: a pair with one judgement counts once, a tie is wrong, a pair without any
    is missing. 2 right, 1 right and 1 tie, 1 right of 1, none of 0: 4 of 5.
    """
    down = Failure("judge_unreachable", "no route", "system", "judge")

    def result(name: str, first: float | None, second: float | None) -> PairResult:
        pair = LabelledPair(name, Prompt(name, name), PictureBytes(b""), PictureBytes(b""), "a")
        said = [down if p is None else Verdict(p, "j") for p in (first, second)]
        return PairResult(pair, said[0], said[1])

    results = [result("1", 0.9, 0.1), result("2", 0.8, 0.5), result("3", None, 0.2), result("4", None, None)]
    benchmark = Benchmark("MMRB2", tuple(each.pair for each in results), "mmrb2")
    [found] = own_counts(benchmark, results, 0)
    assert (found.value, found.count) == (0.8, 5)
    assert found.name == "judgements of both orders in one pot (published script; 1 pairs without any)"


def test_mmrb2_shows_several_source_pictures_side_by_side(folder: Path) -> None:
    asked = [["image", "images/bad.png"], ["text", "put both"], ["image", "images/good.png"]]
    [pair] = load_benchmark(
        "mmrb2", str(write(folder / "edit.json", [mmrb2("a", "good", "bad", asked)]))
    ).pairs
    assert (pair.label, pair.prompt.text, pair.category) == ("a", "put both", "r2i")
    assert pair.before is not None
    assert (pair.before.load().width, pair.before.load().height) == (24 + 16 + 24, 24)


PICKS = "published script (the judge's ties are worth 0)"


def test_pick_a_pic_gives_halves_for_ties(tmp_path: Path) -> None:
    rows = [
        {"caption": f"c{a}{b}", "jpg_0": GOOD, "jpg_1": BAD, "label_0": a, "label_1": b}
        for a, b in ((1.0, 0.0), (0.0, 1.0), (0.5, 0.5))
    ]
    pl.DataFrame(rows).write_parquet(tmp_path / "p.parquet")
    report = judged("pick-a-pic", tmp_path / "p.parquet")
    assert extras(report)["with ties as halves"] == 0.5
    # PickScore's run_inference: (p0 > p1) × label_0 + (p0 < p1) × label_1, so 1, 0 and ½.
    assert extras(report)[PICKS] == 0.5
    assert extras(judged("pick-a-pic", tmp_path / "p.parquet", FakeJudge(sharpness=0)))[PICKS] == 0.0
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


def test_what_a_benchmark_calls_its_categories_is_text_in_the_report(folder: Path) -> None:
    hostile = "<img src=x onerror=alert(1)>\n# Y | 1.000 | ![](http://elsewhere/x.png)"
    rows = [mmrb2("A", "good", "bad") | {"prompt_source": hostile}, mmrb2("B", "bad", "good")]
    benchmark = load_benchmark("mmrb2", str(write(folder / "t2i.json", {"pairs": rows})))
    judge = FakeJudge(fail_every=4)
    judge.identity = hostile
    report, _ = evaluate_judge(judge, benchmark)
    told = report.markdown()
    assert "alert(1)" in told
    assert "<img" not in told
    assert "\n# Y" not in told
    assert "](http://" not in told
    rows_of_table = [line for line in told.splitlines() if line.startswith("|")]
    cells = {len(re.split(r"(?<!\\)\|", line)) for line in rows_of_table[: 2 + 1 + len(report.categories)]}
    assert cells == {9}


def test_failures_are_reported_and_verdicts_written(folder: Path) -> None:
    rows = [mmrb2("A", "good", "bad"), mmrb2("B", "bad", "good")]
    benchmark = load_benchmark("mmrb2", str(write(folder / "t2i.json", {"pairs": rows})))
    report, results = evaluate_judge(FakeJudge(fail_every=4), benchmark)
    assert (report.total.complete, report.total.coverage) == (1, 0.5)
    assert "Verdicts that are missing: 1 × judge_unreachable." in report.markdown()
    write_judging(report, results, folder / "out")
    lines = [json.loads(line) for line in (folder / "out" / "verdicts.jsonl").read_text().splitlines()]
    assert [line["pair"] for line in lines] == ["A-good", "B-bad"]
    assert lines[1]["winner_second"]["failure"] == "judge_unreachable"
    assert json.loads((folder / "out" / "report.json").read_text())["accuracy"] == 1.0
    assert {both_orders(result) for result in results} == {"a", None}


def test_the_shipped_pool_and_judge_give_the_accuracy_they_ship_with() -> None:
    """The same pairs that train-judge measured: .923, and no gap at all."""
    benchmark = drawn(load_benchmark("pool", "flowers"), 300, seed=0)
    report, _ = evaluate_judge(TasteJudge.load("taste"), benchmark)
    assert report.total.accuracy == pytest.approx(0.923, abs=0.05)
    assert (report.total.gap, report.total.flips) == (0.0, 0.0)
    assert set(report.categories) == {"love>okay", "love>nope", "okay>nope"}
    assert RATED in report.markdown()


def test_a_report_on_other_pairs_says_nothing_of_the_shipped_pool(folder: Path) -> None:
    file = write(folder / "t2i.json", {"pairs": [mmrb2("A", "good", "bad")]})
    assert RATED not in judged("mmrb2", file).markdown()


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
    with pytest.raises(RecipeError, match=r"name one of its judges as .*#name\. Did you mean 'fake'"):
        judge_of("fak", str(tmp_path / "r.yaml"))
    (tmp_path / "c.txt").write_text("Soft edges.")
    with pytest.raises(RecipeError, match="cannot go by criteria"):
        judge_of("taste", None, str(tmp_path / "c.txt"))
    guided = judge_of("fake", str(tmp_path / "r.yaml"), str(tmp_path / "c.txt"))
    assert guided.identity != judge_of("fake").identity


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
