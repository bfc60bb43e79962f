"""Reading parquet that may be a stranger's, or damaged: what it unpacks to is counted before it is unpacked,
and a panic of the reader is an error like any other.
"""

import io
import struct
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import IO, Any

import polars as pl

MOST_FOOTER = 50_000_000
MOST_PAGES = 1_000_000
"""Of the columns that are read: 4 GiB in pages of 8 kB are half as many."""
_DATA_PAGES = (0, 3)
_CRC = 4


def read_parquet(
    source: bytes | Path,
    check: Callable[[int, int], object],
    wanted: Callable[[Sequence[str]], Sequence[str]] = lambda names: names,
) -> pl.DataFrame:
    """A table.

    Args:
        source: the content, or the file.
        check: is told how many columns the file has, and how many values are to be read; raises where that
            is too many. A list counts for as many values as it has.
        wanted: the columns to read, of those there are.

    Raises:
        OSError, ValueError, PolarsError: it cannot be read.
    """
    with errors_of_panics():
        plan = pl.scan_parquet(io.BytesIO(source) if isinstance(source, bytes) else source)
        schema = plan.collect_schema()
        names = list(wanted(schema.names()))
        rows = int(plan.select(pl.len()).collect().item())
        counted = _values_of(source, names)
        flat = {name for name in names if not schema[name].is_nested()}
        if any(counted[name] > rows for name in flat):
            raise ValueError("its pages hold more values than it has rows")
        check(len(schema), rows * len(flat) + sum(counted[name] for name in {*names} - flat))
        return plan.select(names).collect()


@contextmanager
def errors_of_panics() -> Generator[None]:
    """A panic is no Exception: nothing that catches errors would name the file."""
    try:
        yield
    except pl.exceptions.PanicException as error:
        raise ValueError(f"it is damaged: {str(error).partition(chr(10))[0][:200]}") from error


def _values_of(source: bytes | Path, columns: Sequence[str]) -> dict[str, int]:
    """The values of each column, by their pages' headers: what stands at the end may say otherwise. No header
    with a number that cannot be is left to the reader: it would ask for 2**61 bytes, which ends the process.
    """
    found, pages = dict.fromkeys(columns, 0), count(1)
    with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as file:
        try:
            for chunk in _chunks(file):
                if (name := chunk[3][0].decode()) in found:
                    found[name] += _values_in(file, chunk, pages)
        except (KeyError, IndexError, TypeError, AttributeError, RecursionError, struct.error) as error:
            raise ValueError("its metadata are damaged") from error
    return found


def _chunks(file: IO[bytes]) -> Iterator[dict[int, Any]]:
    """ColumnMetaData of every column of every row group, as fields by their number in parquet.thrift."""
    end = file.seek(-8, io.SEEK_END)
    (length,) = struct.unpack("<I", file.read(4))
    if not 0 < length <= min(end, MOST_FOOTER):
        raise ValueError("its metadata are damaged")
    file.seek(end - length)
    footer = _Thrift(file.read(length)).struct()
    for group in footer[4]:
        for column in group[1]:
            yield column[3]


def _values_in(file: IO[bytes], chunk: dict[int, Any], pages: Iterator[int]) -> int:
    _check_counts(chunk)
    values, at = 0, min(chunk[9], chunk.get(11) or chunk[9])
    end = at + chunk[7]
    while at < end:
        if next(pages) > MOST_PAGES:
            raise ValueError(f"it has more than {MOST_PAGES:,} pages")
        header, length = _header(file, at, end)
        _check_page(header)
        if header[1] in _DATA_PAGES:
            values += header[5 if header[1] == 0 else 8][1]
        at += length + header[3]
    return max(values, chunk[5])


def _header(file: IO[bytes], at: int, end: int, window: int = 4096) -> tuple[dict[int, Any], int]:
    """The header of the page at a place, and its length: little is read where statistics are short."""
    file.seek(at)
    found = _Thrift(file.read(min(window, end - at)))
    try:
        return found.struct(), found.at
    except (IndexError, ValueError):
        if window >= end - at:
            raise
    return _header(file, at, end, window * 16)


def _check_page(header: dict[int, Any]) -> None:
    _check_counts({field: value for field, value in header.items() if field != _CRC})
    for field in (5, 7, 8):
        _check_counts(header.get(field, {}))
    # Each value of a dictionary has a byte at least.
    if header.get(7, {}).get(1, 0) > header[2]:
        raise ValueError("its metadata are damaged")


def _check_counts(fields: dict[int, Any]) -> None:
    if any(isinstance(value, int) and value < 0 for value in fields.values()):
        raise ValueError("its metadata are damaged")


class _Thrift:
    """Thrift's compact protocol: a structure as its fields by number."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def struct(self, depth: int = 0) -> dict[int, Any]:
        if depth > 16:
            raise ValueError("its metadata are damaged")
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._signed()
            fields[number] = self._value(head & 15, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            return self._byte()
        if kind in (4, 5, 6):
            return self._signed()
        if kind == 7:
            return self._bytes(8)
        if kind == 8:
            return self._bytes(self._unsigned())
        if kind in (9, 10):
            return self._list(depth)
        if kind == 12:
            return self.struct(depth + 1)
        raise ValueError("its metadata are damaged")

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        count, kind = head >> 4, head & 15
        count = self._unsigned() if count == 15 else count
        if count > len(self.data) - self.at:
            raise ValueError("its metadata are damaged")
        return [self._byte() if kind in (1, 2) else self._value(kind, depth + 1) for _ in range(count)]

    def _byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _bytes(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]

    def _unsigned(self) -> int:
        found = shift = 0
        while (byte := self._byte()) & 128:
            found |= (byte & 127) << shift
            shift += 7
            if shift > 63:
                raise ValueError("its metadata are damaged")
        return found | byte << shift

    def _signed(self) -> int:
        found = self._unsigned()
        return (found >> 1) ^ -(found & 1)
