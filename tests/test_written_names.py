"""Files whose names a command makes up in a folder that it is given: none of them is what it reads."""

import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from salon.cli import app
from salon.errors import RecipeError
from salon.evals import asked, judging
from salon.evals.asked import Case, Reply
from salon.judges.measuring.labelled_pairs import PictureFile
from salon.rubrics.checklists import Item
from salon.rubrics.generation import generate
from salon.types import Answer, Failure, Prompt

COMMANDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "rubric generate": (
        ("rubric", "generate", "INPUT", "--recipe", "other.yaml", "-o", "d"),
        generate.WRITES,
    ),
    "its recipe": (("rubric", "generate", "other.jsonl", "--recipe", "INPUT", "-o", "d"), generate.WRITES),
    "evaluate judge": (
        ("evaluate", "judge", "--benchmark", "pairs", "--data", "INPUT", "-o", "d"),
        judging.WRITES,
    ),
    "evaluate batching": (("evaluate", "batching", "INPUT", "--on", "other.jsonl", "-o", "d"), asked.WRITES),
    "evaluate items": (
        ("evaluate", "items", "other.jsonl", "--on", "INPUT", "-o", "d"),
        asked.WRITES,
    ),
}


@pytest.mark.parametrize("how", ["itself", "a link", "a hard link"])
@pytest.mark.parametrize("name", COMMANDS)
def test_an_input_is_never_written_over(
    name: str, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words, writes = COMMANDS[name]
    for file in ("other.yaml", "other.jsonl"):
        Path(file).write_text("{}\n")
    for written in writes:
        folder = Path("d")
        folder.mkdir(exist_ok=True)
        (folder / written).write_text("mine\n")
        given = folder / written
        if how != "itself":
            given = Path(f"given-{written}")
            (os.symlink if how == "a link" else os.link)((folder / written).resolve(), given)
        found: Any = CliRunner().invoke(app, [str(given) if word == "INPUT" else word for word in words])
        assert isinstance(found.exception, RecipeError), (written, found.output, found.exception)
        assert f"d/{written}: is read by this very command" in str(found.exception)
        assert (folder / written).read_text() == "mine\n"
        (folder / written).unlink()


def test_a_folder_in_the_place_of_a_report_is_told_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("d/report.json").mkdir(parents=True)
    Path("other.jsonl").write_text("{}\n")
    for name in ("evaluate judge", "evaluate batching"):
        words = [word.replace("INPUT", "other.jsonl") for word in COMMANDS[name][0]]
        found: Any = CliRunner().invoke(app, words)
        assert isinstance(found.exception, RecipeError)
        assert "d/report.json" in str(found.exception)


def test_what_a_judge_said_in_half_letters_is_written_all_the_same(tmp_path: Path) -> None:
    """At the end of everything that was asked and paid for."""
    item = Item(id="1", ask="Is it?")
    case = Case("c", Prompt("p\ud800", "p\ud800"), PictureFile(tmp_path / "a.png"), (item,))
    said = Reply(case, item, Answer(True, "half \ud83d a letter"))
    lost = Reply(case, item, Failure("x", "y", "system", "judge"))
    asked.write_answers(tmp_path, {"one": [said, lost]}, {"told": "\udc00"})
    assert sorted(os.listdir(tmp_path)) == sorted(asked.WRITES)
