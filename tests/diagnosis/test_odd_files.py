"""Files that people really have, and some that nobody should: read as they are meant, or refused by name."""

import datetime
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from rich.console import Console

from salon.diagnosis import examine, read_table
from salon.diagnosis.output import write_outputs
from salon.diagnosis.pages.terminal import show
from salon.diagnosis.reading.columns import LONGEST_NAME, ROLES, readable
from salon.diagnosis.reading.open_table import Options
from salon.errors import RecipeError

CHANCE = np.random.default_rng(7)


def column_of(cells: Any, folder: Path, name: str = "a") -> Path:
    """A file with groups, an honest term and one column more."""
    file = folder / "scores.csv"
    rows = [f'{row % 5},"{cell}",{CHANCE.random():.3f}' for row, cell in enumerate(cells)]
    file.write_text(f'group,"{name}",b\n' + "\n".join(rows) + "\n", newline="")
    return file


def all_of(file: Path, options: Options | None = None) -> str:
    """What the terminal says; the page and the JSON, which takes neither NaN nor infinity, are made too."""
    found = examine(read_table(file, options))
    write_outputs(found, str(file.parent / "o.json"), str(file.parent / "o.html"))
    json.loads((file.parent / "o.json").read_text())
    written = io.StringIO()
    show(found, Console(width=100, file=written, color_system=None))
    return written.getvalue()


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("1e308", "at most 1e"),
        ("-1e200", "at most 1e"),
        ("inf", "a score is finite"),
        ("1,000", r"Write 1000, or 1\.000 where"),
        ("9/0", "divided by 0"),
    ],
)
def test_a_number_that_could_be_misread_is_named_with_its_rows(tmp_path: Path, cell: str, told: str) -> None:
    with pytest.raises(RecipeError, match=rf"column 'a', rows 1, 2, 3, 4, 5 and 15 more: .*{told}"):
        read_table(column_of([cell] * 20, tmp_path))


@pytest.mark.parametrize(
    ("cell", "value", "scale"),
    [
        ("1,000.5", 1000.5, None),
        ("-1 234 567", -1234567, None),
        ("1.234.567,8", 1234567.8, None),
        ("0,5", 0.5, None),
        ("8/10", 8, (0, 10)),
        ("4 out of 5", 4, (0, 5)),
        ("83%", 83, (0, 100)),
        ("83,5 %", 83.5, (0, 100)),
        ("4 stars", 4, None),
    ],
)
def test_a_number_that_means_one_thing_is_read_and_told(
    tmp_path: Path, cell: str, value: float, scale: tuple[float, float] | None
) -> None:
    told = all_of(column_of([cell] * 20, tmp_path), Options(terms=("a",)))
    term = read_table(tmp_path / "scores.csv", Options(terms=("a",))).term("a")
    assert set(term.raw_N) == {value}
    assert term.told_scale == scale
    assert "a: read " in told


def test_a_weight_beyond_counting_is_refused(tmp_path: Path) -> None:
    for weight in ("1e308", "nan", "-inf"):
        with pytest.raises(RecipeError, match="a weight is finite"):
            read_table(column_of(range(20), tmp_path), Options(weights=(f"a={weight}",)))


@pytest.mark.parametrize(
    "cells", [["nan"] * 30, ["true", "FALSE"] * 15, ["3"], ["1e-300", "2e-300"] * 15, ["7"] * 30]
)
def test_columns_with_little_in_them_are_diagnosed(tmp_path: Path, cells: list[str]) -> None:
    assert "30 rows" in (told := all_of(column_of(cells, tmp_path))) or "1 row" in told


@pytest.mark.parametrize("b", [[9.0, 5.0, 8.0], [8.0, 3.0, 7.0]])
def test_terms_that_cancel_one_another_have_no_shares_and_a_sound_file(
    tmp_path: Path, b: list[float]
) -> None:
    """Whether their units are alike, so that nothing is left, or only nearly nothing."""
    frame = pl.DataFrame({"group": ["x", "y"] * 30, "a": [1.0, 5.0, 2.0] * 20, "b": b * 20})
    frame.write_csv(tmp_path / "opposite.csv")
    marks = Options(scale="0-10")
    all_of(tmp_path / "opposite.csv", marks)
    assert (examine(read_table(tmp_path / "opposite.csv", marks)).shares is None) == (b[0] == 9)


def test_a_number_without_an_end_is_null(tmp_path: Path) -> None:
    """Two rows over and over, of which a draw may have one kind only: q and b cancel one another exactly."""
    rows = ['{"group": "x", "q": 1, "b": 3}', '{"group": "x", "q": 2, "b": 2}']
    (tmp_path / "scores.jsonl").write_text("\n".join(rows * 30))
    told = all_of(tmp_path / "scores.jsonl")
    assert not re.search(r"\b(?:nan|inf)\b", told, re.IGNORECASE)
    assert "Two terms pull against each other" in told
    found = examine(read_table(tmp_path / "scores.jsonl"))
    assert found.shares is None
    assert {"dominance", "exploited"} <= {each.kind for each in found.unchecked}
    written = json.loads((tmp_path / "o.json").read_text())
    numbers = [number for finding in written["findings"] for number in finding["numbers"].values()]
    assert numbers
    for number in numbers:
        assert number["value"] is not None
        assert (number["low"] is None) == (number["high"] is None)
        assert number["low"] is None or number["high"] - number["low"] > 1e-9
    assert any(number["low"] is None for number in numbers)


def test_small_scores_are_weighed_like_large_ones(tmp_path: Path) -> None:
    values = CHANCE.random((60, 2))
    shares: list[Any] = []
    for size in (1.0, 1e-12):
        frame = pl.DataFrame(
            {"group": [row % 6 for row in range(60)], "a": values[:, 0] * size, "b": values[:, 1] * size}
        )
        frame.write_parquet(tmp_path / "scores.parquet")
        found = examine(read_table(tmp_path / "scores.parquet")).shares
        assert found is not None
        shares.append([number.value for number in found.share])
    assert shares[0] == pytest.approx(shares[1], rel=1e-6)


GROUPS: dict[str, Any] = {
    "lists": [[1], [2]],
    "structures": [{"x": 1}, {"x": 2}],
    "bytes": [b"\xff\xfe", b"a"],
    "dates": [datetime.date(2026, 1, 1), datetime.date(2026, 1, 2)],
    "half a surrogate pair": ["?", "x"],
}


@pytest.mark.parametrize("kind", GROUPS)
@pytest.mark.parametrize("name", ["group", "failed", "answer"])
def test_cells_of_any_type_tell_rows_apart(tmp_path: Path, kind: str, name: str) -> None:
    frame = pl.DataFrame(
        {name: GROUPS[kind] * 15, "a": CHANCE.random(30), "b": CHANCE.random(30)}, strict=False
    )
    frame.write_parquet(tmp_path / "scores.parquet")
    table = read_table(tmp_path / "scores.parquet")
    if name == "group":
        assert table.groups == 2
    assert "30 rows" in all_of(tmp_path / "scores.parquet")


def test_a_step_is_a_number_that_can_be_counted_to(tmp_path: Path) -> None:
    frame = pl.DataFrame({"step": [2**62] * 20, "a": CHANCE.random(20)})
    frame.write_parquet(tmp_path / "scores.parquet")
    with pytest.raises(RecipeError, match=r"column 'step', rows 1, 2, .*: a step is a whole number"):
        read_table(tmp_path / "scores.parquet")


def test_line_ends_of_any_kind_end_lines(tmp_path: Path) -> None:
    for end in ("\n", "\r\n", "\r"):
        (tmp_path / "scores.csv").write_bytes(end.join(["group,a,b", *["1,2,3", "2,3,4"] * 9, ""]).encode())
        assert [term.name for term in read_table(tmp_path / "scores.csv").terms] == ["a", "b"]


@pytest.mark.parametrize(
    "name", ["x" * 1_000_000, "\x1b[31mred\x1b[0m", "two\nlines", "\u202eback", "a\tb\x07"]
)
def test_a_name_is_shown_without_what_moves_a_terminal(tmp_path: Path, name: str) -> None:
    told = all_of(column_of(CHANCE.random(40), tmp_path, name))
    assert all(letter.isprintable() for letter in told.replace("\n", ""))
    term = read_table(tmp_path / "scores.csv").terms[0].name
    assert len(term) <= LONGEST_NAME
    assert len((tmp_path / "o.json").read_text()) < 100_000


def test_different_names_stay_different() -> None:
    long = "n" * 200
    columns = [f"{long}a{long}", f"{long}b{long}", "a\nb", "a b", "\x1b", "\x07", "plain"]
    named = readable(columns)
    shown = [named.get(column, column) for column in columns]
    assert len(set(shown)) == len(columns)
    assert shown[3] == "a b"
    assert shown[-1] == "plain"


def test_more_terms_than_anybody_has_are_refused_at_once(tmp_path: Path) -> None:
    names = [f"t{number}" for number in range(2_000)]
    rows = [",".join(["1"] * 2_000)] * 3
    (tmp_path / "scores.csv").write_text("\n".join([",".join(names), *rows]) + "\n")
    with pytest.raises(RecipeError, match=r"2,000 columns could be terms; at most 500"):
        read_table(tmp_path / "scores.csv")


# ---- columns that an option names ------------------------------------------------------------------------

WIDE = "step,prompt_id,taste,depth\n" + "".join(
    f"{n // 8},p{n // 4},{n * n % 7},{n * n % 11}\n" for n in range(48)
)
LONG = "step,prompt_id,sample_id,criterion,score\n" + "".join(
    f"{n // 24},p{n // 12},{n // 2},{'xy'[n % 2]},{(n * 7) % 11}\n" for n in range(96)
)
NAMED = [
    *(Options(**{role: "nocol"}) for role in ("step", "group")),
    *(Options(**{role: ("nocol",)}) for role in ("ignore", "terms")),
    *(Options(columns=(f"{role}=nocol",)) for role in ROLES),
]


@pytest.mark.parametrize("options", NAMED, ids=str)
@pytest.mark.parametrize("content", [WIDE, LONG], ids=["wide", "long"])
def test_an_option_that_names_no_column_is_told(tmp_path: Path, content: str, options: Options) -> None:
    file = tmp_path / "scores.csv"
    file.write_text(content)
    with pytest.raises(RecipeError, match="no column 'nocol'"):
        read_table(file, options)


@pytest.mark.parametrize("content", [WIDE, LONG], ids=["wide", "long"])
def test_an_option_takes_a_columns_name_as_written_and_as_shown(tmp_path: Path, content: str) -> None:
    file = tmp_path / "scores.csv"
    file.write_text(content.replace("prompt_id", "\x1b[1mwhere").replace("step", "\x1b[1mround"))
    for group, step in (("\x1b[1mwhere", "\x1b[1mround"), ("[1mwhere", "[1mround")):
        table = read_table(file, Options(group=group, step=step))
        assert (table.groups, len(table.steps)) == ((12, 6) if content is WIDE else (8, 4))
