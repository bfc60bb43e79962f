"""Rows in memory as cells: data frames of polars or pandas, mappings of columns, lists of mappings."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np
import polars as pl

from salon.errors import RecipeError

from .files import MOST_COLUMNS, Cells
from .json_rows import framed

_WHERE = "the data frame"


def cells_of_records(rows: Any) -> Cells:
    """The cells of rows in memory.

    Args:
        rows: a polars DataFrame or LazyFrame; a pandas DataFrame (pandas itself is not needed); a mapping of
            names to columns of one length; a sequence of mappings, one a row.

    Raises:
        RecipeError: it is something else, or its columns do not go together.
    """
    if isinstance(rows, pl.LazyFrame):
        rows = rows.collect()
    if isinstance(rows, pl.DataFrame):
        return Cells(_checked(rows))
    if type(rows).__module__.partition(".")[0] == "pandas":
        return Cells(_of_columns(list(rows.columns), lambda place: rows.iloc[:, place]))
    if isinstance(rows, Mapping):
        columns = cast("Mapping[Any, Any]", rows)
        values = list(columns.values())
        return Cells(_of_columns(list(columns), lambda place: values[place]))
    if isinstance(rows, Sequence) and all(isinstance(row, Mapping) for row in cast("Sequence[Any]", rows)):
        return Cells(_checked(framed(cast("Sequence[Mapping[str, Any]]", rows), _WHERE)))
    raise RecipeError(
        f"{_WHERE}: is a {type(rows).__name__}. Give a data frame, a mapping of columns, a list of mappings,"
        " or a path."
    )


def _checked(frame: pl.DataFrame) -> pl.DataFrame:
    if frame.width > MOST_COLUMNS:
        raise RecipeError(f"{_WHERE}: has {frame.width:,} columns; at most {MOST_COLUMNS:,} are looked at.")
    return frame


def _of_columns(names: Sequence[Any], column: Any) -> pl.DataFrame:
    called = [name if isinstance(name, str) else "_".join(str(part) for part in name)
              if isinstance(name, tuple) else str(name) for name in names]  # fmt: skip
    twice = [name for name, count in Counter(called).items() if count > 1]
    if twice:
        raise RecipeError(f"{_WHERE}: names {', '.join(map(repr, twice[:8]))} twice. Rename or remove one.")
    if not called:
        raise RecipeError(f"{_WHERE}: has no columns.")
    series = [_series(name, column(place)) for place, name in enumerate(called)]
    lengths = {name: len(each) for name, each in zip(called, series, strict=True)}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} {length:,}" for name, length in list(lengths.items())[:6])
        raise RecipeError(f"{_WHERE}: its columns have different lengths ({told}).")
    return _checked(pl.DataFrame(series))


def _series(name: str, values: Any) -> pl.Series:
    """A column of any library: numbers as they are, all else by its items."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise RecipeError(f"{_WHERE}: column {name!r} is a {type(values).__name__}, and no column of cells.")
    try:
        array = np.asarray(values)
        if array.ndim == 1 and array.dtype.kind in "fiub":
            return pl.Series(name, array)
        items = [_plain_item(item) for item in cast("Iterable[Any]", values)]
        return pl.Series(name, items, strict=False)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError) as error:
        raise RecipeError(f"{_WHERE}: column {name!r} cannot be read ({str(error)[:120]}).") from error


def _plain_item(item: Any) -> Any:
    """A missing value of any library as None; halves of surrogate pairs replaced."""
    if type(item).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(item, np.generic):
        return item.item()
    return item.encode("utf-8", "replace").decode() if isinstance(item, str) and not item.isascii() else item
