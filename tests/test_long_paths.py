"""A name that no file system takes (too long, or with a NUL) is of no file, wherever it comes from: never a
traceback.
"""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from painted import encoded, paint
from salon.cli import app
from salon.errors import RecipeError, SalonError, StageError
from salon.evals.benchmarks import _Reader
from salon.judges.source_image import picture_before
from salon.pool.references import Pool
from salon.rewards.scoring.inputs import read_inputs
from salon.types import Prompt

SVG = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>'
LONG = "a" * 5000
NAMES = [LONG, f"{LONG}.png", f"{LONG}/x.csv", f"x\0{'y' * 9}"]

COMMANDS = [
    ["report", "{}"], ["compare", "{}", "{}"], ["compare", "{}", "other"], ["diagnose", "{}"],
    ["export", "{}", "--out", "x"], ["rescore", "{}", "--recipe", "r.yaml"],
    ["score", "r.yaml", "{}", "-o", "x.csv"],
    ["score", "{}", "a.png", "-o", "x.csv"], ["score", "r.yaml", "a.svg", "--out", "{}"], ["render", "{}"],
    ["render", "a.svg", "--out", "{}", "--medium", "fake"], ["train", "{}"], ["sft", "{}"],
    ["train-judge", "{}"],
    ["judge", "compare", "{}", "a.png"], ["judge", "compare", "a.png", "a.png", "--judge", "{}"],
    ["judge", "compare", "a.png", "a.png", "--recipe", "{}"], ["probe", "{}"],
    ["judge", "probe", "--pool", "{}", "--judge", "fake"],
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES[:3], ids=["long", "picture", "folder"])
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_on_the_command_line(
    words: list[str], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.png").write_bytes(encoded(paint("love", 5), "PNG"))
    (tmp_path / "a.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>'
    )
    (tmp_path / "r.yaml").write_text("terms: {a: {scorer: length, weight: 1}}\n")
    done = CliRunner().invoke(app, [word.replace("{}", name) for word in words])
    told = done.exception
    assert isinstance(told, SalonError | SystemExit), repr(told)
    assert done.exit_code
    assert "Usage:" not in done.stderr, done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_in_a_row(name: str, tmp_path: Path) -> None:
    rows = [{"picture": name, "id": "bad"}, {"source": "function setup() {}", "id": "whole"}]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "r.yaml").write_text("terms: {a: {scorer: length, weight: 1}}\n")
    bad, whole = read_inputs([str(tmp_path / "rows.jsonl")]).rows
    assert bad.fault.startswith("picture: there is no file")
    assert not whole.fault
    benchmark = _Reader(tmp_path / "rows.jsonl", tmp_path)
    with pytest.raises(RecipeError, match="there is no picture"):
        benchmark.picture(name, "row 1")


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_a_pool_and_before_an_edit(name: str, tmp_path: Path) -> None:
    (tmp_path / "metadata.jsonl").write_text(json.dumps({"file_name": name, "tier": "love"}) + "\n")
    with pytest.raises(RecipeError, match=r"not there"):
        Pool.load(str(tmp_path))
    with pytest.raises(StageError, match="no_picture_before"):
        picture_before(Prompt("p", "a rose", meta={"source": name}))
