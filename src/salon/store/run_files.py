"""Reading the files of a run, which may be a stranger's: bounded, without following links, by declared types.

Every trouble is a StoreError that names the file, what is wrong with it and what to do.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from salon.errors import StoreError
from salon.files.parquet import read_parquet
from salon.files.untrusted import inside, json_object, read_file
from salon.markup import encodable

from .record import COLUMNS, MOST_NUMBER, TERM_COLUMNS, terms_of

Found = TypeVar("Found")

MOST_PARQUET = 500_000_000
MOST_CELLS = 40_000_000
MOST_COLUMNS = 5_000
MOST_HELD = 4_000_000_000
"""Bytes of a table once it is unpacked: 180 kB of parquet can say one long text a million times."""
MOST_JSON = 100_000_000
MOST_PICTURE = 200_000_000
MOST_STEP = 10**12
_NEVER_NULL = ("step", "group", "prompt_id", "prompt", "sample_id")
_RESTORE = "Restore it, or take the file away to do without it."


def read_object(file: Path) -> dict[str, Any]:
    """The JSON object in a file."""
    return _reading(file, lambda: json_object(read_file(file, MOST_JSON)), "Restore it from a copy.")


def read_summary(file: Path) -> dict[str, Any]:
    """An evaluation's summary; numbers that are none are null."""
    found = read_object(file)
    return {key: _number_or_null(value) for key, value in found.items()}


def _number_or_null(value: Any) -> Any:
    return None if type(value) in (int, float) and not abs(value) <= MOST_NUMBER else value


def read_metric_lines(file: Path) -> Iterator[tuple[int, dict[str, float | None]]]:
    """The step and the numbers of each line of metrics."""
    for number, data in enumerate(_reading(file, lambda: read_file(file, MOST_JSON)).splitlines(), start=1):
        try:
            yield _metric_line(json_object(data))
        except (ValueError, KeyError) as error:
            told = f"{file}, line {number}: not a line of metrics ({error})"
            raise StoreError(f"{told}. Take the line out, or restore the file.") from error


def _metric_line(line: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    step = line["step"]
    if type(step) is not int or not 0 <= step < MOST_STEP:
        raise ValueError(f"the step is {str(step)[:40]}, and no number from 0 on")
    for name, value in line.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise ValueError(f"{name[:60]!r} is no number")
        if isinstance(value, int) and abs(value) > 10**300:
            raise ValueError(f"{name[:60]!r} is too large")
        if encodable(name) != name:
            raise ValueError(f"{name[:60]!r} is no name that a file can hold")
    return step, {name: _column_number(value) for name, value in line.items()}


def _column_number(value: float | None) -> float | None:
    """A number as a column of floats takes it."""
    number = _number_or_null(value)
    return float(number) if type(number) is int and abs(number) > 2**53 else number


def read_table(file: Path) -> pl.DataFrame:
    """A parquet file of any columns; numbers that are none are null."""
    frame = _reading(file, lambda: _table(read_file(file, MOST_PARQUET)))
    floats = [name for name, kind in frame.schema.items() if kind.is_float()]
    return frame.with_columns(_typed(name, pl.Float64()) for name in floats)


def read_rollouts(file: Path, step: int) -> pl.DataFrame:
    """The rows of a step in the record's columns and types; numbers that are none are null."""
    return _reading(file, lambda: _rollouts(_table(read_file(file, MOST_PARQUET), _of_rollouts), step))


def read_picture(file: Path, key: str, root: Path) -> bytes:
    """The bytes of a picture, which are what its name says."""

    def read() -> bytes:
        data = read_file(inside(root, file), MOST_PICTURE)
        if hashlib.sha256(data).hexdigest() != key:
            raise ValueError("its content is not what its name says")
        return data

    return _reading(file, read, "Render it anew, or restore it.")


def own(root: Path, *names: str) -> Path:
    """A place in a run's folder that no link leads out of.

    Raises:
        StoreError: a link does.
    """
    place = root.joinpath(*names)
    return _reading(place, lambda: inside(root, place), "Put the folder itself there.")


def _reading(file: Path, read: Callable[[], Found], remedy: str = _RESTORE) -> Found:
    try:
        return read()
    except (OSError, ValueError, pl.exceptions.PolarsError, MemoryError) as error:
        told = (error.strerror if isinstance(error, OSError) else None) or str(error).partition("\n")[0]
        told = told.removeprefix(f"{file} ")[:300]
        raise StoreError(f"{file} cannot be read ({told}). {remedy}") from error


def _table(
    data: bytes, wanted: Callable[[Sequence[str]], Sequence[str]] = lambda names: names
) -> pl.DataFrame:
    frame = read_parquet(data, _check_size, wanted)
    if (held := frame.estimated_size()) > MOST_HELD:
        raise ValueError(f"it unpacks to {held:,} bytes, and {MOST_HELD:,} are the most")
    return frame


def _check_size(width: int, cells: int) -> None:
    if width > MOST_COLUMNS:
        raise ValueError(f"it has {width:,} columns, and {MOST_COLUMNS:,} are the most")
    if cells > MOST_CELLS:
        raise ValueError(f"it has {cells:,} cells, and {MOST_CELLS:,} are the most")


def _of_rollouts(names: Sequence[str]) -> list[str]:
    """The columns of the record; others, of whatever kind, are somebody else's."""
    wanted = _columns(names)
    return [name for name in names if name in wanted]


def _columns(names: Sequence[str]) -> dict[str, pl.DataType]:
    wanted: dict[str, pl.DataType] = {**COLUMNS}
    for term in terms_of(names):
        wanted |= {f"{term}.{part}": kind for part, kind in TERM_COLUMNS.items()}
    return wanted


def _rollouts(frame: pl.DataFrame, step: int) -> pl.DataFrame:
    wanted = _columns(frame.columns)
    absent = [name for name in wanted if name not in frame.columns]
    later = [name for name in absent if name == "calls" or name.endswith(".details")]
    if len(later) < len(absent):
        raise ValueError(f"it has no column {next(name for name in absent if name not in later)!r}")
    # Runs of before had none of these.
    frame = frame.with_columns(pl.lit(None).alias(name) for name in later)
    for name, kind in wanted.items():
        if frame.schema[name] not in (kind, pl.Null()) and not _alike(frame.schema[name], kind):
            raise ValueError(f"the column {name!r} holds {frame.schema[name]}, and {kind} is wanted")
    frame = frame.with_columns(_typed(name, kind) for name, kind in wanted.items())
    for name in _NEVER_NULL:
        if frame[name].null_count():
            raise ValueError(f"the column {name!r} has empty cells")
    if (frame["step"] != step).any():
        raise ValueError("it holds rows of another step")
    faults = set(frame["failure_fault"].drop_nulls().unique())
    if faults - {"sample", "system"}:
        raise ValueError("the column 'failure_fault' holds other words than sample and system")
    # A failure always has both, if empty ones.
    told = [pl.col(name).fill_null("") for name in ("failure_message", "failure_stage")]
    return frame.with_columns(pl.when(pl.col("failure_code").is_not_null()).then(each) for each in told)


def _typed(name: str, kind: pl.DataType) -> pl.Expr:
    column = pl.col(name).cast(kind)
    if kind == pl.Float64():
        return pl.when(column.abs() <= MOST_NUMBER).then(column).otherwise(None).alias(name)
    return column


def _alike(found: pl.DataType, kind: pl.DataType) -> bool:
    """Numbers are alike, and texts."""
    if kind == pl.String():
        return isinstance(found, pl.Categorical | pl.Enum)
    return found.is_numeric() and kind.is_numeric() and not (kind.is_integer() and found.is_float())


def numbers_by_name(lines: Mapping[int, Mapping[str, Any]]) -> list[str]:
    """The names that lines of metrics have, in their order. Raises StoreError where they are too many."""
    names = list(dict.fromkeys(name for line in lines.values() for name in line if name != "step"))
    if len(names) * len(lines) > MOST_CELLS or len(names) > MOST_COLUMNS:
        raise StoreError(f"metrics.jsonl has {len(names):,} names in {len(lines):,} lines, which no run has")
    return names


STEP_FILE = re.compile(r"step-([0-9]{6,12})\.parquet")
