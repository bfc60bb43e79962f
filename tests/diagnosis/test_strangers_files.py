"""Files of strangers, each with what is right: read as it is meant and told, or refused by name."""

import gzip
import io
import json
import os
import random
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from rich.console import Console

from salon.diagnosis import Diagnosis, Options, diagnose, examine, read_table
from salon.diagnosis.pages.terminal import show, verdict
from salon.diagnosis.table import Table
from salon.errors import RecipeError

ROWS = 48


def marks(seed: int, count: int = ROWS) -> list[int]:
    return [int(mark) for mark in np.random.default_rng(seed).integers(0, 11, count)]


TASTE, DEPTH = marks(1), marks(2)
PLAIN = {"group": [row // 8 for row in range(ROWS)], "taste": TASTE, "depth": DEPTH}


def csv(mark: str = ",", end: str = "\n", tail: str = "", **columns: Sequence[Any]) -> str:
    rows = [mark.join(columns), *(mark.join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    return "".join(row + tail + end for row in rows)


def lines(**columns: Sequence[Any]) -> str:
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return "\n".join(json.dumps(row) for row in rows) + "\n"


def told(found: Diagnosis) -> str:
    written = io.StringIO()
    show(found, Console(width=160, file=written, color_system=None))
    return " ".join(written.getvalue().split())


def read(folder: Path, name: str, data: str | bytes, options: Options | None = None) -> Table:
    file = folder / name
    file.write_bytes(data.encode() if isinstance(data, str) else data)
    return read_table(file, options)


# ---- columns that are no scores --------------------------------------------------------------------------

CHANCE = random.Random(3)
NO_SCORES: dict[str, tuple[Sequence[Any], str]] = {
    "Unnamed: 0": (range(ROWS), "index of a data frame"),
    "__index_level_0__": (range(ROWS), "index of a data frame"),
    "level_0": (range(ROWS), "index of a data frame"),
    "line": (range(1, ROWS + 1), "numbers the rows"),
    "backwards": (range(ROWS, 0, -1), "numbers the rows"),
    "shuffled": (CHANCE.sample(range(ROWS), ROWS), "numbers the rows"),
    "slot": ([row % 8 for row in range(ROWS)], "counts from the same start"),
    "block": ([row // 8 for row in range(ROWS)], "only grows"),
    "tally": (np.cumsum(np.random.default_rng(4).integers(0, 90, ROWS)).tolist(), "only grows"),
    "elapsed_s": (np.cumsum(np.random.default_rng(4).random(ROWS)).round(3).tolist(), "as a clock does"),
    "unix": ([1_764_547_200 + CHANCE.randrange(10**6) for _ in range(ROWS)], "as long as those of ids"),
    "at": ([1_764_547_200.5 + CHANCE.random() for _ in range(ROWS)], "as large as times"),
    "day": ([20261200 + CHANCE.randrange(1, 29) for _ in range(ROWS)], "as long as those of ids"),
    "town": ([f"0{CHANCE.randrange(1000, 9999)}" for _ in range(ROWS)], "start with 0, as codes do"),
    "area": ([CHANCE.randrange(10_000, 99_999) for _ in range(ROWS)], "all have 5 digits"),
    "digest": ([CHANCE.randrange(10**17, 10**18) for _ in range(ROWS)], "as long as those of ids"),
    "worker_id": ([CHANCE.randrange(9) for _ in range(ROWS)], "say that it is an id"),
    "temperature": ([0.7] * ROWS, "a setting that never changes"),
    "nothing": ([""] * ROWS, "no value in any row"),
    "na": (["n/a"] * ROWS, "no value in any row"),
}


@pytest.mark.parametrize("name", NO_SCORES)
def test_a_column_that_is_no_score_is_left_out_and_told_why(name: str, tmp_path: Path) -> None:
    cells, why = NO_SCORES[name]
    table = read(tmp_path, "x.csv", csv(**{name: cells, **PLAIN}))
    assert [term.name for term in table.terms] == ["taste", "depth"]
    assert why in table.ignored[name]
    assert f"Ignored: {name}, since {table.ignored[name]}" in told(examine(table))
    forced = read_table(tmp_path / "x.csv", Options(terms=(name,)))
    assert [term.name for term in forced.terms] == [name, "taste", "depth"]
    examine(forced)


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_an_empty_column_hides_nothing(kind: str, tmp_path: Path) -> None:
    """A comma after every line, or nulls: three of six groups still teach nothing, and that is said."""
    taste = [5 if row < 24 else TASTE[row] for row in range(ROWS)]
    columns = {"group": PLAIN["group"], "taste": taste}
    text = csv(tail=",", **columns) if kind == "csv" else lines(**columns, gone=[None] * ROWS)
    found = examine(read(tmp_path, f"x.{kind}", text))
    assert [term.name for term in found.table.terms] == ["taste"]
    assert any(each.title == "Groups with nothing to learn" for each in found.findings)


def test_a_nearly_empty_term_hides_no_dead_group(tmp_path: Path) -> None:
    taste = [5 if row < 240 else TASTE[row % ROWS] for row in range(480)]
    rare = ["7" if row == 300 else "" for row in range(480)]
    text = csv(group=[row // 8 for row in range(480)], taste=taste, rare=rare)
    found = examine(read(tmp_path, "x.csv", text))
    assert any(each.title == "Groups with nothing to learn" for each in found.of_level("problem"))


def test_the_index_that_pandas_writes_is_no_term(tmp_path: Path) -> None:
    text = "\n".join(
        f"{row - 1 if row else ''},{line}" for row, line in enumerate(csv(**PLAIN).strip().split("\n"))
    )
    table = read(tmp_path, "x.csv", text)
    assert [term.name for term in table.terms] == ["taste", "depth"]
    assert table.ignored == {"column 1": "it has no name"}
    assert [t.name for t in read_table(tmp_path / "x.csv", Options(ignore=("column 1", "depth"))).terms] == [
        "taste"
    ]


def test_what_the_user_says_of_a_column_wins(tmp_path: Path) -> None:
    columns = {"when": [row // 16 for row in range(ROWS)], "who": PLAIN["group"], "step": TASTE, "x": DEPTH}
    options = Options(step="when", group="who", terms=("step",), ignore=("x",))
    table = read(tmp_path, "x.csv", csv(**columns), options)
    assert [term.name for term in table.terms] == ["step"]
    assert (table.groups, table.steps.tolist()) == (6, [0, 1, 2])
    with pytest.raises(RecipeError, match="'x' cannot be ignore and term at once"):
        read_table(tmp_path / "x.csv", Options(ignore=("x",), terms=("x",)))
    with pytest.raises(RecipeError, match="no column 'y'"):
        read_table(tmp_path / "x.csv", Options(ignore=("y",)))


@pytest.mark.parametrize(
    "values", [sorted(marks(5)), [0.1 * mark for mark in TASTE], [0, 1] * 24, [3, 4] * 24]
)
def test_scores_that_are_odd_stay_scores(values: list[float], tmp_path: Path) -> None:
    table = read(tmp_path, "x.csv", csv(**PLAIN, odd=values))
    assert [term.name for term in table.terms] == ["taste", "depth", "odd"]


# ---- forms of files --------------------------------------------------------------------------------------

HANGUL = csv(그룹=[f"꽃 {row // 8}" for row in range(ROWS)], 품질=TASTE, 깊이=DEPTH)
WESTERN = csv(group=[f"Blüte {row // 8}" for row in range(ROWS)], qualité=TASTE, depth=DEPTH)


@pytest.mark.parametrize(
    ("text", "codec", "named"),
    [
        (HANGUL, "cp949", "cp949"),
        (WESTERN, "cp1252", "cp1252"),
        (WESTERN, "utf-16", "utf-16"),
        (HANGUL, "utf-16-le", "utf-16-le"),
        (HANGUL, "utf-16-be", "utf-16-be"),
        (csv(ひら=TASTE, カナ=DEPTH), "cp932", "cp932"),
        (csv(质量=TASTE, 美观=DEPTH), "gb18030", "gb18030"),
    ],
)
def test_text_in_another_encoding_is_named_and_read(
    text: str, codec: str, named: str, tmp_path: Path
) -> None:
    table = read(tmp_path, "x.csv", text.encode(codec))
    header = text.split("\n")[0].split(",")
    assert [term.name for term in table.terms] == header[-2:]
    assert f"in {named}, not UTF-8" in table.notes[0]


NESTED = "\n".join(
    json.dumps({"group": group, "scores": {"taste": taste, "depth": depth}})
    for group, taste, depth in zip(*PLAIN.values(), strict=True)
)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.tsv", csv("\t", **PLAIN)),
        ("x.txt", csv(";", "\r\n", **PLAIN)),
        ("x.csv", "sep=;\n" + csv(";", **PLAIN)),
        ("x.csv", csv("|", **PLAIN)),
        ("x", csv(**PLAIN)),
        ("x.csv.gz", gzip.compress(csv(**PLAIN).encode(), mtime=0)),
        ("x.jsonl.gz", gzip.compress(lines(**PLAIN).encode(), mtime=0)),
        ("x.json", json.dumps(PLAIN)),
        ("x.json", json.dumps(pl.DataFrame(PLAIN).to_dicts(), indent=1)),
        ("x.jsonl", NESTED),
        ("x.csv", csv(";", **{**PLAIN, "taste": [f"{mark},50" for mark in TASTE]})),
        ("x.csv", csv(**{**PLAIN, "taste": [f"{mark}/10" for mark in TASTE]})),
        ("x.csv", csv(**{**PLAIN, "taste": [f"{10 * mark}%" for mark in TASTE]})),
        ("x.csv", csv(**{**PLAIN, "taste": [f'"{mark + 1},000.0"' for mark in TASTE]})),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 20 else "",
)  # fmt: skip
def test_forms_that_people_have_are_read(name: str, data: str | bytes, tmp_path: Path) -> None:
    table = read(tmp_path, name, data)
    assert [term.name for term in table.terms] == ["taste", "depth"]
    assert table.groups == 6
    assert np.corrcoef(table.term("taste").raw_N, TASTE)[0, 1] == pytest.approx(1)
    assert table.term("depth").raw_N.tolist() == DEPTH


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    taste = ["7"] * ROWS
    taste[4] = taste[9] = "good"
    depth = ["3"] * ROWS
    depth[2] = "inf"
    with pytest.raises(RecipeError) as caught:
        read(tmp_path, "x.csv", csv(taste=taste, depth=depth, step=["one"] * ROWS))
    said = str(caught.value)
    assert "'taste', rows 5, 10: 'good' is text among 46 numbers" in said
    assert "'depth', row 3: a score is finite" in said
    assert "'step' was taken as the step, and holds text" in said
    with pytest.raises(RecipeError, match=r"rows 2 and 3 have|rows 2, 3 have more cells"):
        read(tmp_path, "y.csv", "taste,depth\n1,2\n1,2,3\n1,2,3\n")
    with pytest.raises(RecipeError, match=r"names 'a', 'b' twice"):
        read(tmp_path, "z.csv", "a,b,a,b\n1,2,3,4\n")
    with pytest.raises(RecipeError, match=r"line 2: not JSON.*Also wrong: line 3"):
        read(tmp_path, "z.jsonl", '{"a": 1}\n{"a":\n3\n')


def test_a_stray_file_in_a_folder_is_named(tmp_path: Path) -> None:
    for name in "ab":
        pl.DataFrame(PLAIN).write_parquet(tmp_path / f"{name}.parquet")
    assert read_table(tmp_path).rows == 2 * ROWS
    pl.DataFrame({"loss": [0.1]}).write_parquet(tmp_path / "stray.parquet")
    with pytest.raises(RecipeError, match=r"stray.parquet: has other columns \(loss\)"):
        read_table(tmp_path)
    pl.DataFrame({**PLAIN, "taste": ["x"] * ROWS}).write_parquet(tmp_path / "stray.parquet")
    with pytest.raises(
        RecipeError, match=r"stray.parquet: its column 'taste' holds text, numbers in the rest"
    ):
        read_table(tmp_path)


@pytest.mark.parametrize(
    ("name", "data", "remedy"),
    [
        ("x.xlsx", b"PK\x03\x04", "Excel workbook. Save its sheet as CSV"),
        ("x.csv", b"PK\x03\x04rest", "Excel workbook"),
        ("x.ods", b"", "spreadsheet"),
        ("x.csv.zip", b"", "Unpack it"),
        ("x.pkl", b"", "may run code"),
        ("x.csv", b"\x1f\x8bnothing", "cannot be unpacked as gzip|ends too early"),
        ("x.csv", gzip.compress(b"taste\n1\n", mtime=0)[:-6], "ends too early"),
        ("x.parquet", b"PAR1", "cannot be read as parquet"),
    ],
)
def test_another_kind_of_file_is_named_with_its_remedy(
    name: str, data: bytes, remedy: str, tmp_path: Path
) -> None:
    with pytest.raises(RecipeError, match=remedy):
        read(tmp_path, name, data)


def test_what_is_no_file_is_refused_and_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.csv")
    with pytest.raises(RecipeError, match=r"x.csv: is a named pipe.*salon diagnose -"):
        read_table(tmp_path / "x.csv")
    with pytest.raises(RecipeError, match="is a device"):
        read_table("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s.jsonl"))
        with pytest.raises(RecipeError, match="is a socket"):
            read_table(tmp_path / "s.jsonl")


# ---- what would take all memory --------------------------------------------------------------------------


def bomb_gzip(file: Path) -> None:
    file.write_bytes(gzip.compress(b"taste\n" + b"1\n" * 100_000_000, 9))


def bomb_rows(file: Path) -> None:
    constant = pl.DataFrame({f"c{index}": pl.zeros(3_000_000, eager=True) for index in range(20)})
    constant.write_parquet(file, compression="zstd")


def bomb_words(file: Path) -> None:
    """A word of a megabyte in each of 20,000 rows, written once."""
    words = pl.Series("word", ["x" * 1_000_000, "y" * 1_000_000]).cast(pl.Categorical)
    which = np.arange(20_000) % 2
    frame = pl.DataFrame({"taste": np.tile(TASTE, 500)[:20_000], "word": words.gather(which)})
    frame.write_parquet(file)


def many_columns(file: Path) -> None:
    file.write_text(",".join(f"c{number}" for number in range(100_000)) + "\n1\n")


def long_field(file: Path) -> None:
    file.write_text(csv(**PLAIN, note=["z" * 50_000_000, *["z"] * (ROWS - 1)]))


def deep(file: Path) -> None:
    file.write_text('{"taste": 1}\n' + '{"a":' * 200_000 + "\n")


@pytest.mark.parametrize(
    ("name", "make", "said"),
    [
        ("x.csv.gz", bomb_gzip, "unpacks to more than 64 MiB"),
        ("x.parquet", bomb_rows, "holds 60,000,000 cells"),
        ("x.parquet", bomb_words, ""),
        ("x.csv", many_columns, "100,000 columns; at most 5,000"),
        ("x.csv", long_field, ""),
        ("x.jsonl", deep, "line 2: not JSON"),
    ],
    ids=["gzip", "rows", "words", "columns", "field", "depth"],
)
def test_a_bomb_is_refused_or_read_within_bounds(
    name: str, make: Callable[[Path], None], said: str, tmp_path: Path
) -> None:
    """In a process of its own, whose memory is looked at."""
    make(tmp_path / name)
    code = (
        "import re, sys\n"
        "from pathlib import Path\n"
        "from salon.diagnosis import diagnose\n"
        "from salon.errors import RecipeError\n"
        "import numpy, polars\n"
        "polars.DataFrame({'a': [1]}).with_columns(polars.col('a') + 1)\n"
        "try:\n"
        "    diagnose(sys.argv[1])\n"
        "except RecipeError as error:\n"
        "    print(error)\n"
        # And not ru_maxrss, which a child has from the process that started it.
        "said = Path('/proc/self/status').read_text()\n"
        "print('peak', int(re.search(r'VmHWM:\\s+(\\d+)', said)[1]) // 1024)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / name)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert said in done.stdout
    assert int(done.stdout.split()[-1]) < 900


@pytest.mark.parametrize(
    "data",
    [
        csv(**{"a\0b": TASTE, "depth": DEPTH}),
        lines(**{"taste": TASTE, "note": ["\ud800 half"] * ROWS}).replace('"\\ud800 half"', '"\\ud800 half"'),
        lines(**{"\ud800": TASTE, "depth": DEPTH}),
        lines(taste=[10**400, *TASTE[1:]], depth=DEPTH),
    ],
    ids=["a zero byte", "half a pair in a cell", "half a pair in a name", "a number of 400 digits"],
)
def test_text_that_no_table_holds_ends_in_no_traceback(data: str, tmp_path: Path) -> None:
    file = tmp_path / ("x.jsonl" if data.startswith("{") else "x.csv")
    file.write_text(data)
    command = [sys.executable, "-m", "salon.cli", "diagnose", str(file), "--json", str(tmp_path / "o.json"),
               "--html", str(tmp_path / "o.html")]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode in (0, 2), done.stderr
    assert "Traceback" not in done.stderr
    if done.returncode == 0:
        json.loads((tmp_path / "o.json").read_text())
        assert (tmp_path / "o.html").stat().st_size > 1000


@pytest.mark.parametrize("column", ["taste.raw", "tokens", "step", "taste.status", "total"])
def test_a_record_with_text_among_its_numbers_is_refused_by_column(column: str, tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"step": [0] * ROWS, "group": PLAIN["group"], "total": [0.5] * ROWS, "tokens": [9] * ROWS,
         "taste.raw": [0.5] * ROWS, "taste.weighted": [0.5] * ROWS, "taste.normalized": [0.5] * ROWS,
         "taste.status": ["ok"] * ROWS, "taste.reason": [""] * ROWS}
    ).with_columns(pl.lit("words").alias(column))  # fmt: skip
    frame.write_parquet(tmp_path / "x.parquet")
    if column == "taste.status":
        examine(read_table(tmp_path / "x.parquet"))
        return
    with pytest.raises(RecipeError, match=rf"column '{column}' of the record holds String"):
        read_table(tmp_path / "x.parquet")


# ---- long files, and results of batches ------------------------------------------------------------------


def long_rows() -> pl.DataFrame:
    rows = range(ROWS)
    places = {"step": [row // 24 for row in rows], "prompt_id": [f"p{row // 8 % 3}" for row in rows]}
    tokens = [90 + row for row in rows]
    wide = pl.DataFrame({**places, "sample_id": [row % 8 for row in rows], "taste": TASTE, "depth": DEPTH})
    wide = wide.with_columns(tokens=pl.Series(tokens))
    keys = ["step", "prompt_id", "sample_id", "tokens"]
    return wide.unpivot(["taste", "depth"], index=keys, variable_name="criterion", value_name="score")


@pytest.mark.parametrize("form", ["csv", "jsonl", "shuffled", "renamed", "two judges"])
def test_a_long_file_becomes_one_row_per_answer(form: str, tmp_path: Path) -> None:
    frame = long_rows()
    if form == "shuffled":
        frame = frame.sample(fraction=1, shuffle=True, seed=0)
    if form == "renamed":
        frame = frame.rename({"criterion": "judge", "sample_id": "rollout_id", "score": "value"})
    if form == "two judges":
        frame = pl.concat([frame.with_columns(judge=pl.lit(name)) for name in ("eye", "ear")])
    file = tmp_path / f"x.{'jsonl' if form == 'jsonl' else 'csv'}"
    frame.write_ndjson(file) if form == "jsonl" else frame.write_csv(file)
    table = read_table(file)
    expected = ["taste", "depth"]
    if form == "two judges":
        expected = [f"{name} by {judge}" for name in expected for judge in ("eye", "ear")]
    assert sorted(term.name for term in table.terms) == sorted(expected)
    assert (table.rows, table.groups) == (ROWS, 6)
    assert sorted(table.terms[0].raw_N.tolist()) in (sorted(TASTE), sorted(DEPTH))
    assert sorted(table.beside["length"].tolist()) == [90 + row for row in range(ROWS)]
    assert f"{len(frame):,} rows are {ROWS} answers" in table.notes[0]


def test_a_long_file_without_samples_is_asked_about(tmp_path: Path) -> None:
    long_rows().drop("sample_id", "tokens").write_csv(tmp_path / "x.csv")
    with pytest.raises(RecipeError, match=r"'criterion' says what each 'score' is for.*--map sample=COLUMN"):
        read_table(tmp_path / "x.csv")


def test_scores_that_repeat_are_averaged_and_told(tmp_path: Path) -> None:
    frame = long_rows()
    pl.concat([frame, frame.with_columns(pl.col("score") + 1)]).write_csv(tmp_path / "x.csv")
    table = read_table(tmp_path / "x.csv")
    assert sorted(table.term("taste").raw_N.tolist()) == sorted(mark + 0.5 for mark in TASTE)
    assert "96 scores repeated another" in table.notes[1]


@pytest.mark.parametrize("column", ["model", "completion", "reason", "split"])
def test_a_wide_file_with_repeated_ids_stays_wide(column: str, tmp_path: Path) -> None:
    text = csv(
        id=[row % 24 for row in range(ROWS)],
        **{column: ["ab"[row // 24] for row in range(ROWS)]},
        score=TASTE,
    )
    assert read(tmp_path, "x.csv", text).rows == ROWS


def openai(row: int, content: str, **choice: Any) -> dict[str, Any]:
    said = {"role": "assistant", "content": content}
    choices = [{"index": 0, "finish_reason": "stop", "message": said, **choice}]
    body = {"id": "chatcmpl-x", "object": "chat.completion", "choices": choices}
    return {"id": f"batch_req_{row}", "custom_id": f"rose{row // 8}-{row % 8}",
            "response": {"status_code": 200, "request_id": "r", "body": body}, "error": None}  # fmt: skip


def anthropic(row: int, content: str, **message: Any) -> dict[str, Any]:
    said = {"id": "msg", "type": "message", "role": "assistant", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": content}], **message}  # fmt: skip
    return {"custom_id": f"rose{row // 8}-{row % 8}", "result": {"type": "succeeded", "message": said}}


def responses(row: int, content: str, **_: Any) -> dict[str, Any]:
    output = [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": content}]}]
    body = {"object": "response", "status": "completed", "output": output}
    return {
        "custom_id": f"rose{row // 8}-{row % 8}",
        "response": {"status_code": 200, "body": body},
        "error": None,
    }


@pytest.mark.parametrize("form", [openai, anthropic, responses])
def test_the_results_of_a_batch_are_read(form: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    said = [f'{{"taste": {TASTE[row]}, "depth": "{DEPTH[row]}/10", "reason": "so"}}' for row in range(ROWS)]
    rows = [form(row, f"Well.\n```json\n{text}\n```") for row, text in enumerate(said)]
    table = read(tmp_path, "x.jsonl", "\n".join(map(json.dumps, rows)))
    assert [term.name for term in table.terms] == ["taste", "depth"]
    assert table.term("taste").raw_N.tolist() == TASTE
    assert table.term("depth").raw_N.tolist() == DEPTH
    assert (table.rows, table.groups) == (ROWS, 6)
    assert "the scores are those in 48 answers. Groups are taken from the custom_ids" in table.notes[0]


def test_what_a_batch_did_not_answer_is_missing(tmp_path: Path) -> None:
    rows = [openai(row, json.dumps({"taste": TASTE[row]})) for row in range(40)]
    rows += [openai(40, '{"taste": 3}', finish_reason="length"), openai(41, "I would rather not.")]
    rows += [
        anthropic(42, '{"taste": 3}', stop_reason="max_tokens"),
        {"custom_id": "rose5-3", "result": {"type": "expired"}},
    ]
    rows += [
        openai(45, '{"taste": 3}', finish_reason="content-filter"),
        openai(46, '{"taste": 3}', native_finish_reason="max_completion_tokens"),
        openai(47, [{"type": "reasoning", "text": '{"taste": 3}'}]),  # type: ignore[arg-type]
    ]
    rows += [{"custom_id": "rose5-4", "response": None, "error": {"code": "server_error"}}]
    table = read(tmp_path, "x.jsonl", "\n".join(map(json.dumps, rows)))
    assert np.isnan(table.term("taste").raw_N).tolist() == [False] * 40 + [True] * 8
    assert (
        "3 cut at the token limit, 1 without a number, 1 expired, 1 ended by content_filter" in table.notes[1]
    )
    with pytest.raises(RecipeError, match=r"no answer has scores in it \(1 failed\)"):
        read(tmp_path, "y.jsonl", json.dumps(rows[-1]))


# ---- standard input, and rows in memory ------------------------------------------------------------------


@pytest.mark.parametrize(
    "data", [csv(**PLAIN).encode(), lines(**PLAIN).encode(), gzip.compress(csv(**PLAIN).encode(), mtime=0)]
)
def test_standard_input_is_read_as_what_it_is(data: bytes, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "salon.cli", "diagnose", "-", "--ignore", "depth", "--json", "o.json"]
    done = subprocess.run(command, input=data, capture_output=True, cwd=tmp_path, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().startswith("standard input · 48 rows · 1 term · 6 groups of 8")


def test_rows_in_memory_are_diagnosed_alike(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pl.DataFrame(PLAIN)
    sources: list[Any] = [frame, frame.lazy(), PLAIN, frame.to_dicts(), pandas.DataFrame(PLAIN)]
    sources.append(pandas.DataFrame(PLAIN).set_index("group").reset_index())
    expected = diagnose(frame).as_json()
    for source in sources:
        assert diagnose(source).as_json() == expected
    missing = pandas.DataFrame({**PLAIN, "taste": [None, *TASTE[1:]]})
    assert np.isnan(read_table(missing).term("taste").raw_N[0])
    refused = [(3, "is a int"), ({}, "has no columns"), ({"a": [1], "b": [1, 2]}, "different lengths")]
    refused += [({"a": "text"}, "is a str"), (frame.clear(), "no rows")]
    for wrong, said in refused:
        with pytest.raises(RecipeError, match=said):
            read_table(wrong)  # type: ignore[arg-type]


# ---- no all-clear over what could not show a fault -------------------------------------------------------


def fine(found: Diagnosis) -> set[str]:
    return {finding.kind for finding in found.of_level("fine")}


def test_one_row_is_not_fine() -> None:
    found = diagnose({"taste": [7], "depth": [3]})
    assert not fine(found)
    assert verdict(found).startswith("Nothing could be checked")


def test_one_row_a_step_compares_nothing_inside_groups() -> None:
    found = diagnose({"step": list(range(ROWS)), "taste": TASTE, "twin": TASTE})
    assert not fine(found) & {"redundant", "saturated", "dominance", "exploited", "dead_groups"}
    needs = {each.kind: each.needs for each in found.unchecked}
    assert needs["redundant"] == "several rows a step (here 1), or a column `group`"
    assert "Nothing is wrong" not in verdict(found)


def test_one_answer_a_group_compares_nothing() -> None:
    found = diagnose({"prompt_id": [f"p{row}" for row in range(ROWS)], "taste": TASTE, "depth": DEPTH})
    needs = {each.kind: each.needs for each in found.unchecked}
    assert needs["dead_groups"] == "two answers or more of each 'prompt_id' (here most have one)"


def test_terms_that_never_meet_are_not_called_different() -> None:
    odd = [row % 2 == 0 for row in range(ROWS)]
    taste = [mark if even else None for mark, even in zip(TASTE, odd, strict=True)]
    depth = [None if even else mark for mark, even in zip(DEPTH, odd, strict=True)]
    found = diagnose({"group": PLAIN["group"], "taste": taste, "depth": depth})
    assert "redundant" not in fine(found)
    assert any(each.kind == "redundant" and "taste and depth" in each.needs for each in found.unchecked)


def test_no_interval_of_few_observations_has_no_width() -> None:
    places = [row // 4 for row in range(ROWS)]
    columns = {"step": places, "group": places,
               "taste": [7, 7, 7, 3] * 12, "twin": [7, 7, 7, 3] * 12, "human": [1, 1, 1, 0] * 12}  # fmt: skip
    for finding in diagnose(columns).as_json()["findings"]:
        for name, number in finding["numbers"].items():
            assert number["low"] is None or number["high"] - number["low"] > 1e-9, (finding["kind"], name)


@pytest.mark.parametrize("parts", [2, 3, 4, 5, 7])
@pytest.mark.parametrize("digits", [2, 6])
def test_averaged_marks_in_a_low_corner_are_on_a_scale(parts: int, digits: int) -> None:
    rng = np.random.default_rng(parts)
    marks = rng.integers(0, 3, (480, parts)).mean(axis=1).round(digits)
    columns = {"group": np.arange(480) // 8, "alpha": marks, "beta": rng.permutation(marks)}
    found = diagnose({name: list(values) for name, values in columns.items()})
    assert any(each.kind == "compressed" for each in found.of_level("problem")), verdict(found)
    assert "Assumed scale: alpha and beta on 0–10" in told(found)
    said = diagnose(columns, Options(scale="0-10"))
    assert {f.kind for f in said.of_level("problem")} == {f.kind for f in found.of_level("problem")}


def test_an_unknown_scale_is_no_all_clear() -> None:
    rng = np.random.default_rng(0)
    found = diagnose(
        {"group": np.arange(480) // 8, "alpha": rng.normal(5, 2, 480), "beta": rng.normal(5, 2, 480)}
    )
    assert "compressed" not in fine(found)
    assert verdict(found) == "No fault was found, but not all could be checked: compression."
    assert any(each.needs == "the scale of alpha and beta (--scale 0-10)" for each in found.unchecked)


def test_a_scale_that_could_be_two_is_asked_about() -> None:
    rng = np.random.default_rng(0)
    found = diagnose(
        {"group": np.arange(480) // 8, "alpha": rng.integers(1, 5, 480), "beta": rng.normal(0, 1, 480)}
    )
    assert any("alpha: 1-5, or 0-10?" in each.needs for each in found.unchecked)
    sure = diagnose(
        {"group": np.arange(480) // 8, "alpha": rng.integers(1, 5, 480)}, Options(scale="alpha=1-5")
    )
    assert "compressed" in fine(sure)
