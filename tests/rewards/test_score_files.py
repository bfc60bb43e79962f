"""`salon score`: files of any origin under a reward, as a CSV that `salon diagnose` reads."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from chatserver import served
from painted import encoded, paint
from salon.cli import app
from salon.diagnosis import Options, diagnose
from salon.errors import RecipeError
from salon.judges.pixel_judge import PixelJudge
from salon.rewards.recipe import load_reward
from salon.rewards.scoring.inputs import read_inputs, said_in
from salon.rewards.scoring.work import score_rows
from salon.serving.judge_server import JudgeServer

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
    '<rect width="{w}" height="60" fill="#e01010"/></svg>'
)
RECIPE = """
reward:
  terms:
    result: {scorer: round_robin, judge: eye, weight: 0.7}
    length: {scorer: length, weight: 0.3, args: {max_tokens: 2000}}
  judges:
    eye: {kind: pixels, criteria: more red}
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    (tmp_path / "reward.yaml").write_text(RECIPE)
    return tmp_path / "reward.yaml"


def run(*words: object) -> Any:
    return CliRunner().invoke(app, ["score", *map(str, words)])


def rows_in(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as opened:
        return list(csv.DictReader(opened))


def pictures(folder: Path, count: int = 4) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (folder / f"{number}.png").write_bytes(
            encoded(paint(("love", "nope")[number % 2], number, 48), "PNG")
        )
    return folder


def test_a_folder_of_sources_is_rendered_and_ranked(recipe: Path, tmp_path: Path) -> None:
    folder = tmp_path / "given"
    folder.mkdir()
    for width in (10, 30, 60):
        (folder / f"{width}.svg").write_text(SVG.format(w=width))
    (folder / "broken.svg").write_text("<svg")
    out = tmp_path / "scores.csv"
    found = run(recipe, folder, "-o", out, "-p", "draw something red")
    assert found.exit_code == 0, found.output
    rows = {row["sample_id"]: row for row in rows_in(out)}
    assert [rows[f"{width}.svg"]["rank"] for width in (60, 30, 10)] == ["1", "2", "3"]
    assert {row["prompt"] for row in rows.values()} == {"draw something red"}
    assert float(rows["60.svg"]["result.raw"]) == 1.0
    total = sum(float(rows["60.svg"][f"{term}.weighted"]) for term in ("result", "length"))
    assert float(rows["60.svg"]["total"]) == pytest.approx(total)
    broken = rows["broken.svg"]
    assert (broken["failure_fault"], broken["failure_code"] != "", broken["missing"]) == ("sample", True, "")
    assert "4 samples in 1 group:" in found.stdout
    assert "failed: 1 × " in found.stdout
    assert f"salon diagnose {out} --recipe {recipe}" in found.stdout


def test_the_table_is_read_by_diagnose(recipe: Path, tmp_path: Path) -> None:
    lines = [
        json.dumps(
            {"id": f"{step}-{group}-{n}", "step": step, "prompt": f"rose {group}", "picture": f"{n}.png"}
        )
        for step in range(3)
        for group in range(4)
        for n in range(4)
    ]
    pictures(tmp_path / "in")
    (tmp_path / "in" / "rows.jsonl").write_text("\n".join(lines))
    out = tmp_path / "scores.csv"
    assert run(recipe, tmp_path / "in" / "rows.jsonl", "-o", out).exit_code == 0
    table = diagnose(out, Options(recipe=str(recipe))).table
    assert [term.name for term in table.terms] == ["result", "length"]
    assert len(table.given_total_N) == 48
    assert len(set(table.group_N.tolist())) == 12
    assert sorted(set(table.step_N.tolist())) == [0, 1, 2]
    assert diagnose(out, Options()).table.terms[0].name == "result"


def test_a_folder_says_what_its_pictures_were_made_for(recipe: Path, tmp_path: Path) -> None:
    folder = pictures(tmp_path / "pool")
    about = [{"file_name": f"{n}.png", "prompt": f"rose {n // 2}", "subject": "rose"} for n in range(4)]
    (folder / "metadata.jsonl").write_text("\n".join(map(json.dumps, about)))
    (folder / "0.svg").write_text(SVG.format(w=9))
    pictures(folder / "more", 2)
    read = read_inputs(str(folder))
    assert [(row.id, row.prompt.text) for row in read.rows][:2] == [("0.png", "rose 0"), ("1.png", "rose 0")]
    assert read.rows[0].text.startswith("<svg")
    assert {row.group for row in read.rows} == {"rose 0", "rose 1", "more"}
    out = tmp_path / "scores.csv"
    assert run(recipe, folder, "-o", out).exit_code == 0
    assert sorted({row["group"] for row in rows_in(out)}) == ["0", "1", "2"]


def test_a_csv_of_pictures_with_bad_rows_tells_all_of_them(recipe: Path, tmp_path: Path) -> None:
    folder = pictures(tmp_path / "in", 2)
    (folder / "bad.png").write_bytes(b"no picture")
    text = "id;prompt;picture;mood;seed\n1;a rose;0.png;blue;7\n2;a rose;1.png;;\n3;a rose;none.png;;\n"
    text += "4;a rose;bad.png;;\n5;a rose;;;\n6;a rose;0.png;;x\n"
    (folder / "rows.csv").write_text(text)
    out = tmp_path / "scores.csv"
    found = run(recipe, folder / "rows.csv", "-o", out)
    assert found.exit_code == 0, found.output
    assert "line 4: picture: there is no file" in found.stderr
    assert "line 6: it has neither a picture, a source nor a reply" in found.stderr
    assert "seed: 'x' is no whole number" in found.stderr
    assert "not used: column 'mood'" in found.stderr
    rows = {row["sample_id"]: row for row in rows_in(out)}
    assert [bool(rows[each]["total"]) for each in "123456"] == [True, True, False, False, False, False]
    assert rows["4"]["failure_code"] == "unreadable_picture"
    assert {rows[each]["failure_fault"] for each in "3456"} == {"system"}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"),
        ([{"role": "user", "content": "?"}, {"role": "assistant", "content": "said"}], "said"),
        ({"body": {"choices": [{"message": {"content": "batch"}}]}}, "batch"),
        ({"type": "succeeded", "message": {"content": [{"type": "text", "text": "claude"}]}}, "claude"),
        ([], ""),
        ({"error": 3}, ""),
        (7, ""),
    ],
)
def test_replies_in_the_forms_that_servers_write(value: Any, text: str) -> None:
    assert said_in(value) == text


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("x.jsonl", "", "has nothing to score"),
        ("x.jsonl", "{", "line 1: is no JSON"),
        ("x.jsonl", "[1]", "line 1: is no object"),
        ("x.jsonl", '{"a": 1}', "no row can be used"),
        ("x.csv", "picture\na,b\n", "more cells than the header"),
        ("x.txt", "a", "is no folder, .csv or .jsonl"),
    ],
)
def test_what_cannot_be_read_is_named(recipe: Path, tmp_path: Path, name: str, text: str, told: str) -> None:
    (tmp_path / name).write_text(text)
    found = run(recipe, tmp_path / name, "-o", tmp_path / "out.csv")
    assert isinstance(found.exception, RecipeError)
    assert told in str(found.exception)


def test_an_input_is_never_written_over(recipe: Path, tmp_path: Path) -> None:
    folder = pictures(tmp_path / "in", 2)
    (folder / "rows.csv").write_text("id,picture\n1,0.png\n")
    for out in (folder / "rows.csv", recipe, folder):
        found = run(recipe, folder / "rows.csv", "-o", out)
        assert isinstance(found.exception, RecipeError)
    assert (folder / "rows.csv").read_text() == "id,picture\n1,0.png\n"


def test_what_an_input_names_or_holds_is_not_written_over_either(recipe: Path, tmp_path: Path) -> None:
    folder = pictures(tmp_path / "p")
    truth, picture = folder / "truth.csv", folder / "picture.csv"
    truth.write_text("id,label\n0.png,1\n")
    (folder / "0.png").rename(picture)
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"picture": "p/picture.csv"}))
    before = picture.read_bytes()
    for given, out in [(folder, truth), (folder, folder / "1.png"), (rows, picture)]:
        assert isinstance(run(recipe, given, "-o", out).exception, RecipeError)
    assert picture.read_bytes() == before
    assert truth.read_text().startswith("id,label")
    own = folder / "scores.csv"
    assert [run(recipe, folder, "-o", own).exit_code for _ in range(2)] == [0, 0]


def test_an_outage_costs_no_answer_that_was_there(tmp_path: Path) -> None:
    """The judge goes down after the first groups; the next run asks about the others only."""
    folder = tmp_path / "in"
    for group in range(6):
        pictures(folder / f"g{group}", 2)
        for file in sorted((folder / f"g{group}").iterdir()):
            file.write_bytes(encoded(paint("love", 10 * group + int(file.stem), 40), "PNG"))

    class Failing(JudgeServer):
        limit, seen = 1_000, 0

        def reply(self, body: Any) -> Any:
            self.seen += 1
            if self.seen > self.limit:
                raise ConnectionError("gone")
            return super().reply(body)

    with served(Failing(PixelJudge("more red"))) as server:
        server.limit = 10
        eye = {"kind": "openai", "model": "eye", "base_url": server.url, "cache": False, "attempts": 1}
        eye |= {"backoff_s": 0.0, "concurrency": 1}
        result = {"scorer": "round_robin", "judge": "eye", "weight": 1}
        recipe = load_reward({"terms": {"result": result}, "judges": {"eye": eye}})
        given, out = read_inputs(str(folder)).rows, tmp_path / "scores.csv"
        first = score_rows(recipe, given, out)
        lost = [each for each in first if each.reward.total is None]
        assert 0 < len(lost) < 12
        assert {row["missing"] for row in rows_in(out) if not row["total"]} == {"result"}
        server.limit, server.seen = 1_000, 0
        second = score_rows(recipe, given, out)
        assert all(each.reward.total is not None for each in second)
        assert server.seen <= 2 * 4
        server.seen = 0
        assert score_rows(recipe, given, out) == second
        assert server.seen == 0
        assert [
            each.reward
            for each in second
            if each.sample.id in {e.sample.id for e in first} - {e.sample.id for e in lost}
        ] == [each.reward for each in first if each.reward.total is not None]
