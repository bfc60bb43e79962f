"""JSON lines, a JSON array, or a JSON object of columns as a frame; scores in nested objects become columns
of their own.
"""

import io
import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, cast

import polars as pl

from salon.errors import RecipeError
from salon.files.untrusted import UntrustedInputError, count_json, json_value

from .batch_results import is_batch, rows_of_batch

MOST_SHOWN = 5
MOST_VALUES, MOST_LISTS = 40_000_000, 6_000_000
MOST_CELLS, MOST_NAMES = 40_000_000, 5_000
"""What is built of a file: rows are objects, too; and rows of other keys each make a table of all keys."""


def json_frame(data: bytes, where: str) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The frame, and notes on how it was read.

    Raises:
        RecipeError: names the lines that are no JSON, or no objects.
    """
    try:
        count_json(data, MOST_VALUES, MOST_LISTS)
    except UntrustedInputError as error:
        raise RecipeError(f"{where}: {error}. Write only the columns of the reward.") from error
    if data.lstrip()[:1] == b"{" and not is_batch(data):
        try:
            lines = pl.scan_ndjson(io.BytesIO(data), infer_schema_length=None)
            _must_fit(list(_names_in(lines.collect_schema())), data.count(b"\n"), where)
            frame = lines.collect()
            if _may_repeat(data, frame):
                _json_rows(data.decode("utf-8"), where)
            return _spread(_columns_of(frame)), ()
        except pl.exceptions.PolarsError:
            # NaN is no JSON, though Python writes it; read line by line to allow it, or to name the line.
            pass
    rows = _json_rows(data.decode("utf-8"), where)
    if rows and is_batch(json.dumps(rows[0]).encode()):
        rows, notes = rows_of_batch(rows, where)
        return framed(rows, where), notes
    return _columns_of(framed(rows, where)), ()


def _must_fit(names: Collection[Any], rows: int, where: str) -> None:
    """Refuse a table of more cells, counted in the innermost names, than would be held."""
    if len(names) > MOST_NAMES or len(names) * rows > max(MOST_CELLS, 20 * rows):
        raise RecipeError(
            f"{where}: has {len(names):,} different keys in {rows:,} rows; at most {MOST_NAMES:,} columns and"
            f" {MOST_CELLS:,} cells are looked at. Write rows of the same keys."
        )


def _may_repeat(data: bytes, frame: pl.DataFrame) -> bool:
    """Whether a key may be written twice in one object, of which polars keeps one: where its name stands more
    often than there are rows. (A text may hold it, too: it is looked at line by line then.)
    """
    names = Counter(_names_in(frame.schema))
    written = ((json.dumps(name, ensure_ascii=False), json.dumps(name)) for name in names)
    return max(names.values(), default=0) > 1 or any(
        sum(data.count(text.encode()) for text in dict.fromkeys(both)) > frame.height for both in written
    )


def _names_in(schema: Mapping[str, pl.DataType]) -> Iterator[str]:
    for name, kind in schema.items():
        yield name
        while isinstance(kind, pl.List | pl.Array):
            kind = cast("pl.DataType", kind.inner)
        if isinstance(kind, pl.Struct):
            yield from _names_in({field.name: cast("pl.DataType", field.dtype) for field in kind.fields})


def _columns_of(frame: pl.DataFrame) -> pl.DataFrame:
    """{"taste": [7, 8], "depth": [1, 2]} as columns, as a data frame's `to_dict` has them."""
    is_one = frame.height == 1 and all(isinstance(kind, pl.List) for kind in frame.dtypes)
    if not is_one or len({len(frame[name][0]) for name in frame.columns}) != 1:
        return frame
    return frame.explode(frame.columns)


def framed(rows: Sequence[Mapping[str, Any]], where: str) -> pl.DataFrame:
    """Rows as a frame. Raises RecipeError where they make none."""
    names: set[Any] = set()
    _add_places(rows, (), names)
    _must_fit(names, len(rows), where)
    try:
        return _spread(pl.DataFrame([_halved(row) for row in rows], infer_schema_length=None, strict=False))
    except (pl.exceptions.PolarsError, TypeError, OverflowError, RecursionError) as error:
        raise RecipeError(
            f"{where}: cannot be read as a table ({error}). Write one object a line."
        ) from error


def _add_places(value: Any, at: tuple[Any, ...], found: set[Any]) -> None:
    """Add where the keys of nested objects stand, each once for all rows."""
    for item in cast("list[Any]", value) if isinstance(value, list) else (value,):
        if isinstance(item, dict):
            found.update((at, key) for key in cast("dict[str, Any]", item))
        inner = cast("dict[Any, Any]", item).items() if isinstance(item, dict) else ()
        for key, each in (*inner, *([((), item)] if isinstance(item, list) else [])):
            if isinstance(each, dict | list):
                _add_places(each, (at, key), found)


def _halved(value: Any) -> Any:
    """The same without halves of surrogate pairs, which no table holds; numbers of any size as floats."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, Any]", value).items()
        return {_halved(key): _halved(item) for key, item in pairs}
    if isinstance(value, list):
        return [_halved(item) for item in cast("list[Any]", value)]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**63:
        return float(value) if abs(value) < 10**300 else str(value)[:40]
    return value


def _spread(frame: pl.DataFrame) -> pl.DataFrame:
    """Objects of numbers, such as `"scores": {"taste": 7}`, as columns `taste`, or `scores.taste` where that
    name is taken.
    """
    for name, kind in frame.schema.items():
        if not isinstance(kind, pl.Struct) or not kind.fields:
            continue
        inner = [field.name for field in kind.fields]
        if not any(field.dtype.is_numeric() for field in kind.fields):
            continue
        taken = set(frame.columns) - {name}
        called = [f"{name}.{each}" if each in taken else each for each in inner]
        if set(called) & taken:
            continue
        frame = frame.with_columns(frame[name].struct.rename_fields(called)).unnest(name)
    return frame


def _json_rows(text: str, where: str) -> list[dict[str, Any]]:
    if text.lstrip().startswith("[") or "\n" not in text.strip():
        lines = [(1, text)]
    else:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    objects: list[dict[str, Any]] = []
    wrong: list[tuple[int, str]] = []
    for number, line in lines:
        try:
            value: Any = json_value(line, MOST_VALUES)
        except ValueError as error:
            wrong.append((number, str(error)[:140]))
            continue
        items = cast("list[Any]", value) if isinstance(value, list) else [value]
        if not all(isinstance(item, dict) for item in items):
            wrong.append((number, "not an object"))
            continue
        objects += items
    if wrong and (whole := _whole(text, where)) is not None:
        return whole
    if wrong:
        _refuse(wrong, where)
    return objects


def _whole(text: str, where: str) -> list[dict[str, Any]] | None:
    """One object over many lines."""
    try:
        value: Any = json.loads(text)
        json_value(text, MOST_VALUES)
    except (json.JSONDecodeError, RecursionError):
        return None
    except ValueError as error:
        raise RecipeError(f"{where}: {error}") from error
    return [cast("dict[str, Any]", value)] if isinstance(value, dict) else None


def _refuse(wrong: Sequence[tuple[int, str]], where: str) -> None:
    number, why = wrong[0]
    told = f"{where}, line {number}: {why.removesuffix('.')}."
    told += "" if "written twice" in why else " Write one object a line, with a key per term."
    if len(wrong) > 1:
        others = [f"{line:,}" for line, _ in wrong[1 : MOST_SHOWN + 1]]
        more = len(wrong) - 1 - len(others)
        kinds = Counter(reason.partition(" (")[0] for _, reason in wrong)
        told += f" Also wrong: line {', '.join(others)}{f' and {more:,} more' if more else ''}"
        told += f" ({', '.join(f'{count:,} × {kind}' for kind, count in kinds.items())})."
    raise RecipeError(told)
