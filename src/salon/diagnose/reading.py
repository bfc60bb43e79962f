"""From a run's folder or a file of scores to a `Table`.

CSV (comma, semicolon or tab), JSON lines, parquet, a folder of parquet files, or a run of salon's own. Which
column means what: see `columns`.
"""

import io
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from salon.diagnose.columns import (
    Layout,
    causes_of,
    header_names,
    lay_out,
    numbers,
    parse_map,
    ragged_row,
    readable,
    with_length,
    without_decimal_commas,
)
from salon.diagnose.recorded import read_rollouts, recipe_terms
from salon.diagnose.table import Floats, Ints, Orders, Table, Term
from salon.diagnose.weights import with_weights
from salon.errors import RecipeError
from salon.record import terms_of
from salon.store import Run
from salon.strict import read_bytes

MOST_TERMS = 500
_KINDS = (".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".json", ".parquet")


@dataclass(frozen=True, slots=True)
class Options:
    """What the user said beside the path.

    columns: `role=column` pairs. weights: `term=number` pairs. recipe: a reward recipe with weights and
    roles. scale: the scale of the scores, such as "0-10"; by default it is read from the values.
    """

    columns: tuple[str, ...] = ()
    weights: tuple[str, ...] = ()
    recipe: str | None = None
    scale: str | None = None


def read_table(path: str | Path, options: Options | None = None) -> Table:
    """Read scores.

    Raises:
        RecipeError: the file cannot be read, or a column, a cell or an option is wrong: names it, its row and
            the remedy.
        StoreError: a run's folder is damaged.
    """
    place, options = Path(path), options or Options()
    mapped = parse_map(options.columns)
    if place.is_dir() and Run.exists(place):
        table = read_rollouts(Run.open(place))
    else:
        frame = _frame(place)
        if not frame.height:
            raise RecipeError(f"{place}: has no rows below its header. Give at least a few dozen.")
        if terms_of(frame.columns):
            table = recipe_terms(frame, str(place), {})
        else:
            frame = frame.rename(readable(frame.columns))
            signals = [pair.partition("=")[0].strip() for text in options.weights for pair in text.split(",")]
            mapped = mapped if options.recipe else with_length(frame, mapped, signals)
            layout = lay_out(frame.columns, mapped, str(place))
            if len(layout.terms) > MOST_TERMS:
                raise RecipeError(
                    f"{place}: {len(layout.terms):,} columns could be terms; at most {MOST_TERMS} are looked"
                    " at. Write a file with those that the reward has."
                )
            table = _from_columns(frame, str(place), layout)
    return with_weights(_with_scale(table, options.scale), options.recipe, options.weights)


# ---- files -----------------------------------------------------------------------------------------------


def _frame(place: Path) -> pl.DataFrame:
    if place.is_dir():
        files = sorted(place.glob("*.parquet"))
        if not files:
            raise RecipeError(
                f"{place}: is no run (no manifest.json) and has no .parquet files. Give a run's folder,"
                f" or a file: {', '.join(_KINDS)}."
            )
        return pl.concat([_parquet(file) for file in files], how="diagonal_relaxed")
    suffix = place.suffix.lower()
    if suffix not in _KINDS:
        raise RecipeError(f"{place}: not a kind of file that is read here. Known: {', '.join(_KINDS)}.")
    if suffix == ".parquet":
        read_bytes(place) if not place.is_file() else None
        return _parquet(place)
    data = read_bytes(place)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RecipeError(f"{place}: not UTF-8 at byte {error.start}. Save it as UTF-8.") from error
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    if not data.strip():
        raise RecipeError(f"{place}: is empty. Write a header line with the names of the terms, then rows.")
    return _csv(data, place) if suffix in (".csv", ".tsv", ".txt") else _json(data, place)


def _parquet(file: Path) -> pl.DataFrame:
    try:
        return pl.read_parquet(file)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise RecipeError(f"{file}: cannot be read as parquet ({error}). Write it anew.") from error


def _csv(data: bytes, place: Path) -> pl.DataFrame:
    header = data.split(b"\n", 1)[0].decode("utf-8").rstrip("\r")
    mark = max(",;\t", key=re.sub(r'"[^"]*"', "", header).count)
    names = header_names(data, header, mark)
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise RecipeError(f"{place}: the header names {twice!r} twice. Rename or remove one.")
    try:
        frame = pl.read_csv(io.BytesIO(data), separator=mark, infer_schema_length=0)
    except pl.exceptions.PolarsError as error:
        row = ragged_row(data, mark, len(names))
        told = f"row {row} has more cells than the header" if row else str(error).split("\n")[0]
        raise RecipeError(f"{place}: {told}. Put text that holds {mark!r} in double quotes.") from error
    # Polars leaves doubled quotes in a header as they are.
    names = names if len(names) == frame.width else [name.strip() for name in frame.columns]
    frame = frame.rename(dict(zip(frame.columns, names, strict=True)))
    return frame if mark == "," else without_decimal_commas(frame)


def _json(data: bytes, place: Path) -> pl.DataFrame:
    """JSON lines, or one JSON array of objects."""
    if data.lstrip()[:1] != b"[":
        try:
            return pl.read_ndjson(io.BytesIO(data), infer_schema_length=None)
        except pl.exceptions.PolarsError:
            # NaN is no JSON, though Python writes it; read line by line to allow it, or to name the line.
            pass
    rows = _json_rows(data.decode("utf-8"), place)
    try:
        return pl.DataFrame(rows, infer_schema_length=None, strict=False)
    except (pl.exceptions.PolarsError, TypeError) as error:
        raise RecipeError(
            f"{place}: cannot be read as a table ({error}). Write one object a line."
        ) from error


def _json_rows(text: str, place: Path) -> list[dict[str, Any]]:
    if text.lstrip().startswith("["):
        rows = [(1, text)]
    else:
        rows = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    objects: list[dict[str, Any]] = []
    for number, line in rows:
        try:
            value: Any = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise RecipeError(
                f"{place}, line {number}: not JSON ({error}). Write one object a line."
            ) from error
        for item in value if isinstance(value, list) else [value]:
            if not isinstance(item, dict):
                raise RecipeError(
                    f"{place}, line {number}: not an object. Write one object a line, with a key per term."
                )
            objects.append(item)
    return objects


# ---- columns ---------------------------------------------------------------------------------------------


def _from_columns(frame: pl.DataFrame, where: str, layout: Layout) -> Table:
    roles = layout.roles

    def read(role: str, **how: bool) -> Floats | None:
        return _required(frame[roles[role]], where, role, **how) if role in roles else None

    terms, texts = _terms(frame, where, layout)
    human_N = read("human", tiers=True, winners=bool(layout.orders))
    # Beside verdicts on pairs, 0 to 1 is how much people prefer a; anything else is a label of the answer.
    is_choice = human_N is not None and bool(layout.orders) and _is_choice(human_N)
    orders = tuple(_orders(frame, where, layout, human_N if is_choice else None))
    if not terms and not orders:
        raise RecipeError(
            f"{where}: no column of scores among {', '.join(frame.columns[:12])}. Give a file with one column"
            " of numbers per term, or name them: --map term=aesthetics,technique"
        )
    beside = {role: values for role in ("length", "coverage") if (values := read(role)) is not None}
    step_N = read("step")
    return Table(
        source=where,
        terms=terms,
        group_N=_groups(frame, roles, step_N),
        step_N=_steps(step_N, where, roles.get("step", "step")),
        prompt_N=codes(frame[roles["prompt"]]) if "prompt" in roles else None,
        human_N=None if is_choice else human_N,
        given_total_N=read("total"),
        beside=beside,
        answer_N=answers(frame[roles["answer"]]) if "answer" in roles else None,
        failed_N=_failed(frame[roles["failed"]]) if "failed" in roles else None,
        orders=orders,
        not_read=(*texts, *layout.left),
    )


def _terms(frame: pl.DataFrame, where: str, layout: Layout) -> tuple[tuple[Term, ...], tuple[str, ...]]:
    terms: list[Term] = []
    texts: list[str] = []
    for name in (*layout.terms, *layout.monitors):
        values_N = numbers(frame[name], where)
        if values_N is None:
            texts.append(name)
            continue
        monitor = name in layout.monitors
        terms.append(
            Term(
                name,
                values_N,
                weight=0.0 if monitor else 1.0,
                role="monitor" if monitor else "reward",
                causes=causes_of(frame[name]),
            )
        )
    return tuple(terms), tuple(texts)


def _required(column: pl.Series, where: str, role: str, **how: bool) -> Floats:
    values_N = numbers(column, where, **how)
    if values_N is None:
        raise RecipeError(
            f"{where}: column {column.name!r} was taken as the {role}, and holds text. Write numbers,"
            f" or leave it out: --map ignore={column.name}"
        )
    return values_N


def _steps(step_N: Floats | None, where: str, name: str) -> Ints | None:
    if step_N is None:
        return None
    missing = np.flatnonzero(np.isnan(step_N) | (step_N != np.round(step_N)) | (np.abs(step_N) > 2**53))
    if len(missing):
        raise RecipeError(
            f"{where}: column {name!r}, row {missing[0] + 1}: a step is a whole number, in every row."
            f" Or leave the column out: --map ignore={name}"
        )
    return step_N.astype(np.int64)


def codes(column: pl.Series) -> Ints:
    """Distinct values as 0 … n−1; a missing one is a value of its own."""
    return _as_text(column).fill_null("").rank("dense").to_numpy().astype(np.int64) - 1


def answers(column: pl.Series) -> Ints:
    """Distinct answers as codes, −1 where there is none."""
    text = _as_text(column)
    return np.where(text.is_null().to_numpy(), -1, codes(text))


def _as_text(column: pl.Series) -> pl.Series:
    """Something that tells equal cells from others, whatever a cell is."""
    if column.dtype == pl.Binary:
        return column.bin.encode("hex")
    if column.dtype.is_nested():
        return pl.Series(
            column.name, [None if cell is None else repr(cell) for cell in column.to_list()], pl.String
        )
    return column.cast(pl.String)


def _groups(frame: pl.DataFrame, roles: Mapping[str, str], step_N: Floats | None) -> Ints:
    """Rows of one step and one group (or, without a column for groups, one prompt) belong together."""
    key = roles.get("group", roles.get("prompt"))
    if key is None:
        return np.zeros(frame.height, np.int64)
    code_N = codes(frame[key])
    if step_N is not None:
        _, step_code = np.unique(step_N, return_inverse=True)
        code_N = step_code * (int(code_N.max()) + 1) + code_N
    return np.unique(code_N, return_inverse=True)[1].astype(np.int64)


def _failed(column: pl.Series) -> np.ndarray:
    if column.dtype == pl.String:
        text = column.str.strip_chars().str.to_lowercase().fill_null("")
        return ~text.is_in(["", "0", "false", "no", "none", "null", "ok", "nan", "n/a"]).to_numpy()
    if column.dtype == pl.Boolean or column.dtype.is_numeric():
        return column.cast(pl.Float64).fill_null(0.0).to_numpy() != 0
    return column.is_not_null().to_numpy()


def _is_choice(human_N: Floats) -> bool:
    known = human_N[~np.isnan(human_N)]
    return bool(((known >= 0) & (known <= 1)).all())


def _orders(frame: pl.DataFrame, where: str, layout: Layout, best_N: Floats | None) -> list[Orders]:
    found: list[Orders] = []
    items: tuple[Ints | None, Ints | None] = (None, None)
    if "item_a" in layout.roles:
        both = pl.concat([frame[layout.roles[role]].cast(pl.String) for role in ("item_a", "item_b")])
        code = codes(both)
        items = (code[: frame.height], code[frame.height :])
    for name, first, second in layout.orders:
        ab_N = _required(frame[first], where, "verdict", winners=True)
        ba_N = _required(frame[second], where, "verdict", winners=True)
        for column, values_N in ((first, ab_N), (second, ba_N)):
            outside = np.flatnonzero((values_N < 0) | (values_N > 1))
            if len(outside):
                raise RecipeError(
                    f"{where}: column {column!r}, row {outside[0] + 1}: a verdict is a, b, tie, or how"
                    " probably a wins, 0 to 1."
                )
        found.append(Orders(name, ab_N, ba_N, *items, best_N))
    return found


def _with_scale(table: Table, scale: str | None) -> Table:
    if scale is None:
        return table
    low, dash, high = scale.replace("…", "-").replace("..", "-").rpartition("-")
    try:
        pair = (float(low), float(high))
    except ValueError:
        pair = (0.0, 0.0)
    if not dash or not pair[0] < pair[1]:
        raise RecipeError(f"--scale {scale!r}: write the lowest and the highest score, for example 0-10")
    return replace(table, scale=pair)
