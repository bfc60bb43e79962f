"""The control: criteria count only where a judge that really reads them is moved by them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw
from rich.console import Console

from chatserver import ScriptedServer, served
from painted import picture_of
from salon.errors import RecipeError
from salon.judges.learned.taste import TasteJudge
from salon.judges.pixel_judge import PixelJudge
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.rubrics.generation.generate import generate
from salon.rubrics.generation.recipe import RubricRecipe
from salon.rubrics.generation.report import RubricReport
from salon.serving.judge_server import JudgeServer
from salon.types import Picture, Prompt, Verdict

WAYS = ("red", "coverage", "count", "symmetry")
CRITERIA = {
    "red": "There is more red.",
    "coverage": "There is more coverage.",
    "count": "There are more shapes.",
    "symmetry": "It has more symmetry.",
}


def drawn(boxes: Sequence[tuple[int, int, int, int]], colour: str) -> Image.Image:
    image = Image.new("RGB", (96, 96), "white")
    for box in boxes:
        ImageDraw.Draw(image).rectangle(box, fill=colour)
    return image


def pair(way: str, number: int) -> tuple[Image.Image, Image.Image]:
    """A better and a worse picture, which differ in one way and hardly in any other."""
    n = number
    square = [(20, 20, 60 + n, 60)]
    if way == "red":
        return drawn(square, "#e01010"), drawn(square, "#1020e0")
    if way == "coverage":
        return drawn([(10, 10, 80, 70 + n)], "#1020e0"), drawn([(35, 35, 55, 50)], "#1020e0")
    if way == "count":
        many = [(8 + 22 * i, 40, 20 + 22 * i, 60 + n) for i in range(4)]
        return drawn(many, "#1020e0"), drawn([(24, 40, 71, 60 + n)], "#1020e0")
    return drawn([(30, 20 + n, 65, 60)], "#1020e0"), drawn([(0, 20 + n, 35, 60)], "#1020e0")


@pytest.fixture(scope="module")
def pairs_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixteen pairs, four of each way. The better one is now a, now b."""
    folder = tmp_path_factory.mktemp("pairs")
    rows: list[dict[str, str]] = []
    for number in range(16):
        way = WAYS[number % 4]
        for name, picture in zip("wl", pair(way, number // 4), strict=True):
            picture.save(folder / f"{number}-{name}.png")
        a, b = (f"{number}-w.png", f"{number}-l.png")[:: 1 if number % 3 else -1]
        preferred = "a" if number % 3 else "b"
        rows.append({"prompt": f"pair {number} {way}", "a": a, "b": b, "preferred": preferred})
    file = folder / "pairs.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    return file


class Author:
    """Explains each pair by its way, or all of them by one text."""

    def __init__(self, one: str = "") -> None:
        self.one = one

    def __call__(self, handler: Any, body: dict[str, Any]) -> str:
        asked = body["messages"][1]["content"]
        if not isinstance(asked, list):
            return json.dumps({"themes": [{"name": "All", "tips": ["More red."]}], "summary": ""})
        way = next(way for way in WAYS if f" {way}\n" in asked[0]["text"])
        return json.dumps({"criteria": [self.one or CRITERIA[way]]})


class Deaf(PixelJudge):
    """Says that it reads, and goes by redness whatever it is told but in the start-up check."""

    def with_criteria(self, criteria: str) -> PixelJudge:
        return PixelJudge(criteria) if "Nothing else counts" in criteria else self


def made(judge: Any, author: Author, pairs: Path, out: Path, **keys: Any) -> RubricReport:
    with served() as writer, served(JudgeServer(judge)) as server:
        writer.script = [author]
        common = {"kind": "openai", "cache": False, "backoff_s": 0.0, "deadline_s": 20.0}
        plan = RubricRecipe.model_validate(
            {
                "author": common | {"model": "author", "base_url": writer.url},
                "judge": common | {"model": "judge", "base_url": server.url, "attempts": 1},
                "t_max": 0,
                **keys,
            }
        )
        return generate(str(pairs), plan, out, Console(quiet=True))


def accuracies(report: RubricReport) -> dict[str, float | None]:
    assert report.control is not None
    return {each.arm: each.accuracy for each in report.control.rates}


def test_criteria_that_a_reader_goes_by_count(pairs_file: Path, tmp_path: Path) -> None:
    report = made(PixelJudge("more green"), Author(), pairs_file, tmp_path / "out")
    assert len(report.of("verified")) == 16
    found = accuracies(report)
    # Without criteria it looks for green, of which there is none: a tie, everywhere.
    assert (found["own"], found["none"]) == (1.0, 0.5)
    assert found["shuffled"] is not None
    assert found["shuffled"] < 0.9
    assert report.control is not None
    assert all(each.other for each in report.control.controls)
    assert report.control.counting == sum(each.counts for each in report.control.controls) >= 8
    for rate in report.control.rates:
        assert rate.count == 16
        assert rate.interval is not None
        assert rate.interval[0] <= (rate.accuracy or 0) <= rate.interval[1]
        assert rate.interval[1] - rate.interval[0] > 0.05
    assert report.rubric is not None
    text = report.markdown()
    assert "## Control" in text
    assert f"{report.control.counting} of 16 verified criteria count" in text
    row = report.row()["control"]
    assert {arm: row["accuracy"][arm]["count"] for arm in ("own", "none", "shuffled")} == dict.fromkeys(
        ("own", "none", "shuffled"), 16
    )


def test_a_reader_that_errs_at_a_known_rate_is_measured_so(pairs_file: Path, tmp_path: Path) -> None:
    report = made(PixelJudge("more green", rate=0.8), Author(), pairs_file, tmp_path / "out")
    own = accuracies(report)["own"]
    assert own is not None
    assert 0.5 <= own < 1.0
    assert len(report.of("discarded")) == 16 - round(16 * own)


def test_a_judge_that_never_reads_verifies_and_counts_nothing(pairs_file: Path, tmp_path: Path) -> None:
    """It is right about redness by itself: those pairs are verified, whatever the criteria say."""
    report = made(Deaf("more red"), Author("It has more blue."), pairs_file, tmp_path / "out")
    assert len(report.of("verified")) >= 4
    assert report.control is not None
    found = accuracies(report)
    assert found["own"] == found["none"] == found["shuffled"]
    assert report.control.counting == 0
    assert report.rubric is None
    assert "None moves the judge" in report.markdown()
    without = made(Deaf("more red"), Author("It has more blue."), pairs_file, tmp_path / "no", control=False)
    assert without.control is None
    assert without.rubric is not None
    assert "whether the judge reads the criteria at all is not known" in without.markdown()


def test_a_judge_that_says_it_reads_nothing_is_refused_at_the_start(pairs_file: Path, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"start-up check:\n  judge: it reads no criteria"):
        made(TasteJudge.load(), Author(), pairs_file, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_word_that_the_judge_cannot_read_is_the_authors_to_put_right(
    pairs_file: Path, tmp_path: Path
) -> None:
    report = made(PixelJudge(), Author("It smells of lemon."), pairs_file, tmp_path / "out")
    assert len(report.of("discarded")) == 16
    assert "'smells'" in report.of("discarded")[0].rounds[-1].critique
    assert report.row()["outages"] == 0


def test_criteria_that_are_all_alike_are_controlled_by_foreign_ones(pairs_file: Path, tmp_path: Path) -> None:
    report = made(PixelJudge("more green"), Author("There is more red."), pairs_file, tmp_path / "out")
    assert report.control is not None
    assert {each.other for each in report.control.controls} == {""}
    assert accuracies(report)["shuffled"] == 0.5
    assert report.control.counting == len(report.of("verified")) == 4


def test_an_outage_in_the_control_is_asked_again(pairs_file: Path, tmp_path: Path) -> None:
    class Flaky(JudgeServer):
        down = False

        def reply(self, body: Any) -> Any:
            if self.down and "by these criteria" not in body["messages"][0]["content"]:
                raise ConnectionError("gone")
            return super().reply(body)

    author = ScriptedServer()
    with served(author) as writer, served(Flaky(PixelJudge("more green"))) as server:
        writer.script = [Author()]
        common = {"kind": "openai", "cache": False, "backoff_s": 0.0, "attempts": 1}
        plan = RubricRecipe.model_validate(
            {
                "author": common | {"model": "author", "base_url": writer.url},
                "judge": common | {"model": "judge", "base_url": server.url},
                "t_max": 0,
            }
        )
        server.down = True
        first = generate(str(pairs_file), plan, tmp_path / "out", Console(quiet=True))
        assert first.rubric is None
        assert first.control is not None
        assert len(first.control.lost) == 16
        assert "could not be controlled" in first.markdown()
        server.down = False
        again = generate(str(pairs_file), plan, tmp_path / "out", Console(quiet=True))
        assert again.control is not None
        assert (len(again.control.lost), again.control.counting > 0) == (0, True)
        asked = len(writer.seen)
        # A third time nothing is asked: what was found is in the journal.
        third = generate(str(pairs_file), plan, tmp_path / "out", Console(quiet=True))
        assert third.row()["control"] == again.row()["control"]
        assert len(writer.seen) == asked


def test_the_pairs_differ_in_one_way(pairs_file: Path) -> None:
    prompt = Prompt("p", "p")
    with served(JudgeServer(PixelJudge())) as server:
        for way in WAYS:
            judge = OpenAIJudge("eye", server.url, cache=False).with_criteria(CRITERIA[way])
            for number in range(4):
                shown: list[Picture] = [picture_of(each) for each in pair(way, number)]
                found = judge.compare(prompt, [(shown[0], shown[1])])[0]
                assert isinstance(found, Verdict)
                assert found.winner == "a"
