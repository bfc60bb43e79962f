"""From a path, standard input or bytes to a frame of cells, as they were written: CSV, JSON lines, parquet, a
folder of parquet files.

A stranger's file is bounded before it is opened up: what is no regular file, what unpacks to far more than it
is, and what has more cells than memory are refused by name.
"""

import io
import os
import re
import stat
import sys
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from salon.errors import RecipeError
from salon.files.csv_text import GUARDED, unguarded
from salon.files.parquet import read_parquet
from salon.validation import read_bytes

from .encodings import as_utf8
from .json_rows import json_frame

KINDS = (".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".json", ".parquet")
_REMEDIES = {
    ".xlsx": "an Excel workbook. Save its sheet as CSV UTF-8 (File, Save as), and give that file",
    ".xls": "an Excel workbook. Save its sheet as CSV UTF-8 (File, Save as), and give that file",
    ".ods": "a spreadsheet. Save its sheet as CSV, and give that file",
    ".numbers": "a spreadsheet. Export its sheet as CSV, and give that file",
    ".feather": "an Arrow file. Write it as parquet: polars.read_ipc(file).write_parquet('scores.parquet')",
    ".arrow": "an Arrow file. Write it as parquet: polars.read_ipc(file).write_parquet('scores.parquet')",
    ".pkl": "a pickle, which may run code and is not opened. Write it as CSV or parquet",
    ".zip": "an archive. Unpack it, and give the file inside",
    ".zst": "compressed by zstd. Unpack it, and give the file inside",
    ".xz": "compressed by xz. Unpack it, and give the file inside",
    ".bz2": "compressed by bzip2. Unpack it, and give the file inside",
    ".db": "a database. Write the table of scores as CSV",
    ".sqlite": "a database. Write the table of scores as CSV",
}
_MAGIC = (
    (b"PK\x03\x04", ".xlsx"),
    (b"\xd0\xcf\x11\xe0", ".xls"),
    (b"ARROW1", ".arrow"),
    (b"SQLite format 3", ".sqlite"),
    (b"(\xb5/\xfd", ".zst"),
    (b"\xfd7zXZ", ".xz"),
    (b"BZh", ".bz2"),
)
MOST_BYTES = 4 << 30
MOST_COLUMNS = 5_000
MOST_CELLS = 40_000_000
_FREE_CELLS, _CELLS_A_BYTE = 4_000_000, 20
_FREE_BYTES, _TIMES = 64 << 20, 100
"""At most 40 million cells are read: 4 million, and 20 for every byte of a parquet file, since one that says
the same in all its rows takes no room. What gzip unpacks may be 64 MiB, or 100 times the file."""


@dataclass(frozen=True, slots=True)
class Cells:
    """What a file holds, column by column, and what was done to read it."""

    frame: pl.DataFrame
    notes: tuple[str, ...] = ()


def read_cells(place: str | Path) -> Cells:
    """A file's cells; `-` is standard input.

    Raises:
        RecipeError: it cannot be read, is of another kind, or is too large: names it and the remedy.
    """
    if str(place) == "-":
        return cells_of(_standard_input(), "standard input", "")
    place = Path(place)
    try:
        mode = place.stat().st_mode
    except (OSError, ValueError):
        mode = stat.S_IFREG
    if stat.S_ISDIR(mode):
        return Cells(_folder(place))
    _check_kind(place, mode)
    if place.suffix.lower() == ".parquet":
        read_bytes(place) if not os.path.isfile(place) else None
        return Cells(_parquet(place))
    return cells_of(read_bytes(place), str(place), _suffix(place))


def _suffix(place: Path) -> str:
    """The kind by its name, without `.gz`."""
    return Path(place.stem).suffix.lower() if place.suffix.lower() == ".gz" else place.suffix.lower()


def _check_kind(place: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        what = (
            "a named pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"
        )  # fmt: skip
        raise RecipeError(f"{place}: is {what}, not a file. Pipe its content in: … | salon diagnose -")
    suffix = _suffix(place)
    if suffix in _REMEDIES:
        raise RecipeError(f"{place}: is {_REMEDIES[suffix]}.")
    if suffix not in KINDS and suffix not in ("", ".tab", ".dat"):
        raise RecipeError(f"{place}: not a kind of file that is read here. Known: {', '.join(KINDS)}.")
    try:
        size = place.stat().st_size
    except (OSError, ValueError):
        return
    if size > MOST_BYTES:
        raise RecipeError(f"{place}: has {size >> 30} GiB; at most {MOST_BYTES >> 30} are read. Give a part.")


def _standard_input() -> bytes:
    if sys.stdin.isatty():
        raise RecipeError("standard input: nothing is piped in. Write: … | salon diagnose -")
    data = sys.stdin.buffer.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise RecipeError(f"standard input: is longer than {MOST_BYTES >> 30} GiB. Give a part.")
    return data


def cells_of(data: bytes, where: str, suffix: str) -> Cells:
    """The cells in a file's content. suffix: its kind by name; "" leaves it to the content."""
    if data[:2] == b"\x1f\x8b":
        data = _unpacked(data, where)
    if data[:4] == b"PAR1":
        return Cells(_parquet(data, where))
    for magic, kind in _MAGIC:
        if data.startswith(magic):
            raise RecipeError(f"{where}: is {_REMEDIES[kind]}.")
    data, notes = as_utf8(data, where)
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    if not data.strip():
        raise RecipeError(f"{where}: is empty. Write a header line with the names of the terms, then rows.")
    is_json = suffix.startswith((".json", ".ndjson")) or (
        suffix not in (".csv", ".tsv") and data.lstrip()[:1] in (b"{", b"[")
    )
    if is_json:
        frame, told = json_frame(data, where)
        return Cells(_bounded(frame, where), (*notes, *told))
    return Cells(_csv(data, where), notes)


def _unpacked(data: bytes, where: str) -> bytes:
    most = min(MOST_BYTES, max(_FREE_BYTES, _TIMES * len(data)))
    parts: list[bytes] = []
    size = 0
    try:
        while data:
            unpacker = zlib.decompressobj(wbits=31)
            parts.append(unpacker.decompress(data, most + 1 - size))
            size += len(parts[-1])
            if size > most:
                raise RecipeError(
                    f"{where}: unpacks to more than {most >> 20} MiB, over {_TIMES} times its size."
                    " Unpack it yourself if you trust it, and give the file inside."
                )
            if not unpacker.eof:
                raise RecipeError(f"{where}: its gzip stream ends too early. Write the file anew.")
            data = unpacker.unused_data
    except zlib.error as error:
        raise RecipeError(f"{where}: cannot be unpacked as gzip ({error}). Write it anew.") from error
    return b"".join(parts)


def _bounded(frame: pl.DataFrame, where: str) -> pl.DataFrame:
    _check_columns(frame.width, where)
    return frame


def _check_columns(count: int, where: str) -> None:
    if count > MOST_COLUMNS:
        raise RecipeError(
            f"{where}: has {count:,} columns; at most {MOST_COLUMNS:,} are looked at."
            " Write a file with the columns of the reward."
        )


# ---- parquet ---------------------------------------------------------------------------------------------


def _folder(place: Path) -> pl.DataFrame:
    files = sorted(place.glob("*.parquet"))
    if not files:
        raise RecipeError(
            f"{place}: is no run (no manifest.json) and has no .parquet files. Give a run's folder,"
            f" or a file: {', '.join(KINDS)}."
        )
    frames = [_parquet(file) for file in files]
    _check_alike(files, frames)
    try:
        return pl.concat(frames, how="diagonal_relaxed")
    except pl.exceptions.PolarsError as error:
        raise RecipeError(f"{place}: its files do not go together ({_first_line(error)}).") from error


def _check_alike(files: Sequence[Path], frames: Sequence[pl.DataFrame]) -> None:
    """Refuse a stray file: one that shares no column, or not the type of one, with most of the others."""
    counts = Counter(tuple(sorted(frame.columns)) for frame in frames)
    usual = set(counts.most_common(1)[0][0])
    typed = next(frame for frame in frames if set(frame.columns) == usual)
    for file, frame in zip(files, frames, strict=True):
        if not usual & set(frame.columns):
            few = ", ".join(frame.columns[:4])
            raise RecipeError(
                f"{file}: has other columns ({few}) than the rest of its folder. Move it out, or give"
                " one file."
            )
        for name in usual & set(frame.columns):
            if _family(typed[name]) not in (family := _family(frame[name]), "empty") and family != "empty":
                raise RecipeError(
                    f"{file}: its column {name!r} holds {family}, {_family(typed[name])} in the rest of its"
                    " folder. Move it out, or give one file."
                )


def _family(column: pl.Series) -> str:
    if column.dtype == pl.Null or column.null_count() == len(column):
        return "empty"
    is_number = column.dtype.is_numeric() or column.dtype == pl.Boolean
    return "numbers" if is_number else "nested cells" if column.dtype.is_nested() else "text"


def _parquet(file: Path | bytes, where: str = "") -> pl.DataFrame:
    where = where or str(file)
    size = file.stat().st_size if isinstance(file, Path) else len(file)

    def check(width: int, cells: int) -> None:
        _check_columns(width, where)
        most = min(MOST_CELLS, _FREE_CELLS + _CELLS_A_BYTE * size)
        if cells > most:
            raise RecipeError(
                f"{where}: holds {cells:,} cells in {max(size >> 10, 1):,} KiB; {most:,} of it would be"
                " looked at. Write fewer rows: whole groups, evenly over the steps."
            )

    try:
        return read_parquet(file, check)
    except (OSError, ValueError, pl.exceptions.PolarsError) as error:
        raise RecipeError(
            f"{where}: cannot be read as parquet ({_first_line(error)}). Write it anew."
        ) from error


def _first_line(error: Exception) -> str:
    return str(error).split("\n")[0][:200]


# ---- CSV -------------------------------------------------------------------------------------------------

_MARKS = ",;\t|"
_NUMBER = re.compile(r"^[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?$")


def _csv(data: bytes, where: str) -> pl.DataFrame:
    told = re.match(rb"sep=([,;\t|])\r?\n", data)
    data = data[told.end() :] if told else data
    header = data.split(b"\n", 1)[0].decode("utf-8").rstrip("\r")
    mark = told[1].decode() if told else max(_MARKS, key=re.sub(r'"[^"]*"', "", header).count)
    written = _header_names(data, header, mark)
    _check_header(written, where)
    names = _named(written, where)
    try:
        frame = pl.read_csv(io.BytesIO(data), separator=mark, infer_schema_length=0)
    except pl.exceptions.PolarsError as error:
        rows = _ragged_rows(data, mark, len(names))
        said = f"{rows} more cells than the header" if rows else _first_line(error)
        raise RecipeError(f"{where}: {said}. Put text that holds {mark!r} in double quotes.") from error
    # Polars leaves doubled quotes in a header as they are.
    names = names if len(names) == frame.width else _named([name.strip() for name in frame.columns], where)
    frame = frame.rename(dict(zip(frame.columns, map(unguarded, names), strict=True)))
    return frame.with_columns(pl.all().str.replace_all(GUARDED, "${1}${2}")) if b"'" in data else frame


def _header_names(data: bytes, line: str, mark: str) -> list[str]:
    """The names in the header, out of their quotes; a header that cannot be read is cut at its marks."""
    if line.count(mark) > MOST_COLUMNS:
        return line.split(mark)
    try:
        row = pl.read_csv(io.BytesIO(data), separator=mark, has_header=False, infer_schema_length=0, n_rows=1)
    except pl.exceptions.PolarsError:
        return [name.strip().strip('"') for name in line.split(mark)]
    if row.height == 0:
        # A quote that is never closed takes the whole file into the header.
        return [name.strip().strip('"') for name in line.split(mark)]
    return [str(name or "").strip() for name in row.row(0)]


def _check_header(names: Sequence[str], where: str) -> None:
    """Refuse a first line of numbers: a row in place of the header would be lost, and name the columns.

    0, 1, 2 … are the names that a data frame gives to columns without any.
    """
    told = [name for name in names if name]
    numbers = [name for name in told if _NUMBER.match(name)]
    if numbers == [str(place) for place in range(len(told))]:
        return
    if told and (len(numbers) == len(told) or any(re.search(r"[.,]\d", name) for name in numbers)):
        shown = ", ".join(name[:20] for name in names[:4])
        example = ",".join(["group", "taste", "light", *(f"term{n}" for n in range(3, 9))][: len(names)])
        raise RecipeError(
            f"{where}: the header is missing: the first line holds numbers ({shown}). Put a line with the"
            f" columns' names above it, such as {example}."
        )


def _named(names: Sequence[str], where: str) -> list[str]:
    """Each column's name; one without a name is called by its place. Raises RecipeError for names that are
    there twice.
    """
    _check_columns(len(names), where)
    twice = [name for name, count in Counter(names).items() if count > 1 and name]
    if twice:
        told = ", ".join(f"{name[:60]!r}" for name in twice[:8])
        raise RecipeError(f"{where}: the header names {told} twice. Rename or remove one.")
    taken = set(names)
    called: list[str] = []
    for place, name in enumerate(names, 1):
        free = (f"{nameless(place)}{'_' * more}" for more in range(len(names) + 1))
        called.append(name or next(each for each in free if each not in taken))
    return called


def nameless(place: int) -> str:
    """What a column without a name is called."""
    return f"column {place}"


def _ragged_rows(data: bytes, mark: str, width: int) -> str:
    """`rows 3 and 9 have`: the rows with more cells than the header, where no quotes hide one."""
    rows = enumerate(data.decode("utf-8").split("\n"))
    ragged = [row for row, line in rows if row and '"' not in line and line.count(mark) >= width]
    if not ragged:
        return ""
    shown = ", ".join(f"{row:,}" for row in ragged[:5]) + (
        f" and {len(ragged) - 5:,} more" if len(ragged) > 5 else ""
    )
    return f"row {shown} has" if len(ragged) == 1 else f"rows {shown} have"
