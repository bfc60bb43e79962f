"""JSON that people give: what would fill the memory once it is built is refused by name before that."""

import io
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from salon import validation
from salon.diagnosis import read_table
from salon.errors import RecipeError
from salon.evals.benchmarks import load_benchmark
from salon.files.untrusted import UntrustedInputError, count_json, json_value
from salon.media.command.sources import collect
from salon.rewards.scoring.inputs import read_inputs
from salon.rubrics.checklists import load_checklists

LISTS = 3_100_000
BOMB = "[" + "[]," * LISTS + "[]]"

READERS: dict[str, Callable[[Path], Any]] = {
    "checklists": load_checklists,
    "score": lambda file: read_inputs(str(file)),
    "render": lambda file: [each.fault for each in collect([str(file)], 0, io.StringIO())],
    "benchmark": lambda file: load_benchmark("hpdv3", str(file)),
    "diagnose": read_table,
}


@pytest.mark.parametrize("row", ['{"prompt": "p", "x": BOMB}', '{"x": {"y": BOMB}}', "BOMB"])
@pytest.mark.parametrize("reader", READERS)
def test_rows_of_millions_of_lists_are_told_and_not_built(tmp_path: Path, reader: str, row: str) -> None:
    file = tmp_path / "test.jsonl"
    file.write_text(2 * (row.replace("BOMB", BOMB) + "\n"))
    tracemalloc.start()
    try:
        told = str(READERS[reader](file))
    except RecipeError as error:
        told = str(error)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "holds more than" in told or "is one JSON list" in told
    # Built, each list takes 56 bytes, its place 8, and what is read of the file 3.
    assert most < 40 * LISTS


def test_many_rows_together_are_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation, "MOST_JSON_IN_FILE", 1000)
    row = json.dumps({"a": [1, 2, 3], "says": "a, b, [c], {d}"})
    assert len(validation.json_lines("\n\n".join([row] * 150), "rows.jsonl")) == 150
    with pytest.raises(RecipeError, match=r"rows\.jsonl: holds more than 1,000 values\. Give a part"):
        validation.json_lines("\n".join([row] * 300), "rows.jsonl")


@pytest.mark.parametrize("text", ['"[[[[,,,,{{{{"', '{"\\"[[[[": "\\\\"}', "[1]"])
def test_what_stands_in_a_text_is_no_value(text: str) -> None:
    count_json(text.encode(), 3)
    with pytest.raises(UntrustedInputError, match="more than 2 lists"):
        count_json(f"[{text}, [], []]".encode(), 9, 2)


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16", "utf-32-le"])
def test_bytes_in_any_code_are_counted(code: str) -> None:
    assert json_value('{"a": [1]}'.encode(code).removeprefix(b"\xef\xbb\xbf"), 5) == {"a": [1]}
    with pytest.raises(ValueError, match="holds more than 5 values"):
        json_value("[1, 2, 3, 4, 5, 6]".encode(code), 5)


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("form", ["lines", "array", "rows"])
def test_rows_of_other_keys_each_make_no_table(tmp_path: Path, form: str, nested: bool) -> None:
    """A few hundred kilobytes of them would make a table of a billion cells."""
    rows = [{f"k{n}_{k}": 1 for k in range(20)} for n in range(600)]
    rows = [{"group": 1, "scores": [{"x": row}]} for row in rows] if nested else rows
    file = tmp_path / "s.json"
    file.write_text(json.dumps(rows) if form == "array" else "\n".join(map(json.dumps, rows)))
    with pytest.raises(RecipeError, match=r"has 12,0\d\d different keys in .* Write rows of the same keys"):
        read_table(rows if form == "rows" else file)
