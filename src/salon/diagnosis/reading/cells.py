"""A column's cells as numbers, NaN where missing: 7.5, `8/10`, `83%`, `4,5`, `1,250.5`, yes, `n/a`.

What can be read in one way only is read, and told; what could mean two things, and words among numbers, are
refused with their rows and the remedy.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from salon.diagnosis.table import Floats
from salon.errors import RecipeError
from salon.store.record import MOST_NUMBER

MISSING = {"", "na", "n/a", "#n/a", "nan", "null", "none", "nil", "-", "–", "missing", "<na>", "."}
BOOLEAN = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0, "pass": 1.0, "fail": 0.0}
PLACES = {"left": 1.0, "right": 0.0, "first": 1.0, "second": 0.0}
WINNER = {"a": 1.0, "b": 0.0, "tie": 0.5, "draw": 0.5, **PLACES}
TIER = {"love": 2.0, "good": 2.0, "okay": 1.0, "ok": 1.0, "meh": 1.0, "nope": 0.0, "bad": 0.0}
MOST = MOST_NUMBER
"""The largest score, and weight: with larger ones, sums of squares would be infinite."""
_NUMBER = r"[-+]?\d+(?:[.,]\d+)?"
_OF = re.compile(rf"^({_NUMBER})\s*(?:/|out of|of|von|sur)\s*(\d+(?:[.,]\d+)?)$", re.IGNORECASE)
_PERCENT = re.compile(rf"^({_NUMBER})\s*(?:%|percent|pct)$", re.IGNORECASE)
_UNIT = re.compile(rf"^({_NUMBER})\s*(?:points?|stars?|pts?|★+)\.?$", re.IGNORECASE)
_COMMA = re.compile(r"^[-+]?\d+,\d+$")
_COMMA_SURE = re.compile(r"^[-+]?(?:0,\d+|\d+,(?!\d{3}$)\d+|\d{4,},\d+|\d{1,3}(?:\.\d{3})+,\d+)$")
_POINT_SURE = re.compile(r"^[-+]?(?:\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:,\d{3}){2,})$")
_POINTS = re.compile(r"^[-+]?\d{1,3}(?:\.\d{3}){2,}$")
_SPACED = re.compile(r"^[-+]?\d{1,3}(?:[ '\u2019\u00a0\u202f]\d{3})+(?:[.,]\d+)?$")
_THOUSANDS = re.compile(r"^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$")
_PLAIN = re.compile(r"^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$")
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Read:
    """A column as numbers. scale: what its cells themselves say of it (`8/10`: 0 to 10). note: how cells that
    are no plain numbers were read.
    """

    values_N: Floats
    scale: tuple[float, float] | None = None
    note: str = ""


def numbers(column: pl.Series, where: str, *, winners: bool = False, tiers: bool = False) -> Floats | None:
    """`read_numbers` without what it notes."""
    read = read_numbers(column, where, winners=winners, tiers=tiers)
    return None if read is None else read.values_N


def read_numbers(column: pl.Series, where: str, *, winners: bool = False, tiers: bool = False) -> Read | None:
    """A column as numbers, NaN where missing; None when it holds text that is no score at all.

    Args:
        column: numbers, booleans or text.
        where: the file, for messages.
        winners: "a", "b" and "tie" are 1, 0 and .5.
        tiers: love, okay and nope are 2, 1 and 0.

    Raises:
        RecipeError: words among numbers, numbers that could mean two things, infinity; names the rows and the
            remedy.
    """
    if column.dtype == pl.Boolean or column.dtype.is_numeric():
        read = Read(column.cast(pl.Float64).fill_null(np.nan).to_numpy().copy())
    elif column.dtype == pl.Null:
        read = Read(np.full(len(column), np.nan))
    elif column.dtype == pl.String or isinstance(column.dtype, pl.Categorical | pl.Enum):
        words = {**BOOLEAN, **(WINNER if winners else {}), **(TIER if tiers else {})}
        found = _from_text(column, where, words)
        if found is None:
            return None
        read = found
    else:
        return None
    endless = np.flatnonzero(np.abs(read.values_N) > MOST)
    if len(endless):
        raise RecipeError(
            f"{where}: column {column.name!r}, {rows_told(endless)}: a score is finite, and at most {MOST:g}."
            " Leave it empty where it is missing."
        )
    return read


def _from_text(column: pl.Series, where: str, words: Mapping[str, float]) -> Read | None:
    """Nearly all cells are plain numbers, which polars reads; the other texts are few, and looked at once."""
    if column.dtype != pl.String:
        column = _of_categories(column)
    value = column.cast(pl.Float64, strict=False)
    other_N = value.is_null() & column.is_not_null()
    texts = column.filter(other_N)
    known = _known(texts, words)
    unread = [text for text, number in known.items() if number is None]
    scale, note = None, ""
    if unread:
        first, count, read = unread[0], int(texts.is_in(unread).sum()), int(value.is_not_null().sum())
        plain = value.filter(value.is_not_nan() & value.is_not_null())
        meant = _meaning(unread, plain)
        if isinstance(meant, str):
            rows = np.flatnonzero((other_N & column.is_in(unread)).to_numpy())
            raise RecipeError(
                f"{where}: column {column.name!r}, {rows_told(rows)}: {first.strip()[:60]!r} {meant}"
            )
        if meant is None:
            if read > count:
                rows = np.flatnonzero((other_N & column.is_in(unread)).to_numpy())
                raise RecipeError(_among_numbers(column.name, first, rows, read, where))
            return None
        known |= meant.parsed
        scale, note = meant.scale, meant.note
    if known:
        found = texts.replace_strict(known, default=None, return_dtype=pl.Float64).to_numpy()
        values_N = value.fill_null(np.nan).to_numpy().copy()
        values_N[other_N.to_numpy()] = np.where(np.isnan(found), np.nan, found)
    else:
        values_N = value.fill_null(np.nan).to_numpy().copy()
    return Read(values_N, scale, note)


def as_text(column: pl.Series) -> pl.Series:
    """Text that tells equal cells from others, whatever a cell is."""
    if column.dtype == pl.Binary:
        return column.bin.encode("hex")
    if column.dtype.is_nested():
        cells = [None if cell is None else repr(cell) for cell in column.to_list()]
        return pl.Series(column.name, cells, pl.String)
    return (column.to_physical() if column.dtype == pl.Duration else column).cast(pl.String)


def _of_categories(column: pl.Series) -> pl.Series:
    """The text of categories, cut: one of a megabyte in every row would not fit in memory."""
    each = column.drop_nulls().unique()
    short = each.cast(pl.String).str.slice(0, 200)
    codes = column.to_physical()
    text = codes.replace_strict(each.to_physical(), short, default=None, return_dtype=pl.String)
    return text.rename(column.name)


def _known(texts: pl.Series, words: Mapping[str, float]) -> dict[str, float | None]:
    """What each text that is no plain number says; None where that is not clear yet."""
    known: dict[str, float | None] = {}
    for text in texts.unique(maintain_order=True).to_list():
        low = text.strip().lower()
        if low in MISSING:
            known[text] = np.nan
        elif low in words:
            known[text] = words[low]
        else:
            known[text] = float(low) if _PLAIN.match(low) else None
    return known


@dataclass(frozen=True, slots=True)
class _Meant:
    parsed: Mapping[str, float]
    scale: tuple[float, float] | None = None
    note: str = ""


def _meaning(texts: Sequence[str], plain: pl.Series) -> _Meant | str | None:
    """What texts mean that are all of one kind; a complaint where they could mean two things; None for words.

    plain: the column's other cells, as numbers.
    """
    stripped = [text.strip() for text in texts]
    for kind in (_fractions, _percents, _units, _marked):
        found = kind(stripped, plain)
        if found is not None:
            break
    else:
        return None
    if isinstance(found, str):
        return found
    return _Meant(dict(zip(texts, found.parsed.values(), strict=True)), found.scale, found.note)


def _matched(texts: Sequence[str], pattern: re.Pattern[str]) -> list[re.Match[str]] | None:
    found = [pattern.match(text) for text in texts]
    return [each for each in found if each] if all(found) else None


def _keyed(values: Sequence[float]) -> dict[str, float]:
    return {str(place): value for place, value in enumerate(values)}


def _float(text: str) -> float:
    return float(text.replace(",", "."))


def _fractions(texts: Sequence[str], plain: pl.Series) -> _Meant | str | None:
    found = _matched(texts, _OF)
    if found is None:
        return None
    over = sorted({_float(each[2]) for each in found})
    if over[0] <= 0:
        return "is divided by 0. Leave the cell empty where the score is missing."
    if len(over) == 1:
        if len(plain) and float(plain.max() or 0.0) > over[0]:  # type: ignore[arg-type]
            return f"is out of {over[0]:g}, and other cells are larger. Write all on one scale."
        values = [_float(each[1]) for each in found]
        return _Meant(
            _keyed(values), (0.0, over[0]), f"cells such as {texts[0][:20]} as marks out of {over[0]:g}"
        )
    if len(plain):
        return "is on another scale than other cells. Write the number alone, all on one scale."
    values = [_float(each[1]) / _float(each[2]) for each in found]
    return _Meant(
        _keyed(values),
        (0.0, 1.0),
        f"cells such as {texts[0][:20]} as shares, since they differ in what they are out of",
    )


def _percents(texts: Sequence[str], plain: pl.Series) -> _Meant | str | None:
    found = _matched(texts, _PERCENT)
    if found is None:
        return None
    values = [_float(each[1]) for each in found]
    largest = float(plain.abs().max() or 0.0) if len(plain) else None  # type: ignore[arg-type]
    if largest is not None and 0 < largest <= 1:
        return "is a percentage, and other cells are at most 1. Write all in percent, or all as shares."
    within = all(0 <= value <= 100 for value in values)
    return _Meant(
        _keyed(values),
        (0.0, 100.0) if within else None,
        f"cells such as {texts[0][:20]} as percent, 0 to 100",
    )


def _units(texts: Sequence[str], plain: pl.Series) -> _Meant | str | None:
    found = _matched(texts, _UNIT)
    if found is None:
        return None
    return _Meant(
        _keyed([_float(each[1]) for each in found]), None, f"the number in cells such as {texts[0][:20]}"
    )


def _marked(texts: Sequence[str], plain: pl.Series) -> _Meant | str | None:
    """Decimal commas, and thousands that are marked by commas, points, spaces or apostrophes."""
    if not all(
        _COMMA.match(t) or _THOUSANDS.match(t) or _SPACED.match(t) or _COMMA_SURE.match(t) or _POINTS.match(t)
        for t in texts
    ):
        return None
    has_points = bool(len(plain)) and bool((plain != plain.round()).any())
    commas = [text for text in texts if _COMMA_SURE.match(text)]
    points = [text for text in texts if _POINT_SURE.match(text)]
    if commas and points:
        told = f"has a decimal comma, and {points[0]!r} its thousands marked by commas."
        return f"{told} Write {_point(commas[0])}."
    if commas and has_points:
        return f"has a decimal comma, and other cells a decimal point. Write {_point(commas[0])}."
    unsure = [text for text in texts if _COMMA.match(text) and text not in commas]
    if unsure and not commas and not points:
        first = unsure[0]
        return (
            f"has its thousands marked, or a decimal comma. Write {first.replace(',', '')}, or"
            f" {first.replace(',', '.')} where that is a decimal comma."
        )
    read: Callable[[str], str] = _point if commas else (lambda text: _bare(text.replace(",", "")))
    what = "decimal commas" if commas else "marked thousands"
    return _Meant(_keyed([float(read(text)) for text in texts]), None, f"{what}, as in {texts[0][:20]}")


def _bare(text: str) -> str:
    text = re.sub(r"[ '\u2019\u00a0\u202f]", "", text)
    return text.replace(".", "") if _POINTS.match(text) else text


def _point(text: str) -> str:
    """1.234,5 as 1234.5."""
    return _bare(text).replace(".", "").replace(",", ".") if "," in text else _bare(text)


def _among_numbers(name: str, text: str, rows: np.ndarray, read: int, where: str) -> str:
    return (
        f"{where}: column {name!r}, {rows_told(rows)}: {text.strip()[:60]!r} is text among {read:,} numbers."
        " Leave the cell empty where the score is missing (it is then counted as missing, not as 0); or leave"
        f" the column out: --ignore {name}"
    )


def rows_told(rows: np.ndarray) -> str:
    """row 3; rows 3, 9 and 12 more: counted from 1 below the header."""
    if len(rows) == 1:
        return f"row {int(rows[0]) + 1}"
    shown = ", ".join(f"{int(row) + 1}" for row in rows[:_SHOWN])
    return f"rows {shown}{f' and {len(rows) - _SHOWN:,} more' if len(rows) > _SHOWN else ''}"


def causes_of(column: pl.Series) -> dict[str, int]:
    """How missing cells are written, most frequent first: {"empty": 12, "n/a": 3}."""
    if column.dtype != pl.String:
        nan = int(column.is_nan().sum()) if column.dtype.is_float() else 0
        return {word: count for word, count in (("empty", column.null_count()), ("nan", nan)) if count}
    short = column.filter(column.is_not_null() & (column.str.len_bytes() <= 12))
    short = short.filter(short.cast(pl.Float64, strict=False).is_null() | (short.str.to_lowercase() == "nan"))
    low = short.str.strip_chars().str.to_lowercase()
    counts = dict(low.filter(low.is_in(list(MISSING))).value_counts().iter_rows())
    if column.null_count():
        counts[""] = counts.get("", 0) + column.null_count()
    ordered = sorted(counts.items(), key=lambda pair: -pair[1])
    return {str(word) or "empty": int(count) for word, count in ordered}
