"""Reading parquet that may be a stranger's, or damaged: what it unpacks to is counted before it is unpacked,
and a panic of the reader is an error like any other.
"""

import io
import struct
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import polars as pl

MOST_FOOTER = 50_000_000
_DATA_PAGES = (0, 3)


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
        nested = {name for name in names if schema[name].is_nested()}
        check(len(schema), rows * (len(names) - len(nested)) + (_values_of(source, nested) if nested else 0))
        return plan.select(names).collect()


@contextmanager
def errors_of_panics() -> Generator[None]:
    """A panic is no Exception: nothing that catches errors would name the file."""
    try:
        yield
    except pl.exceptions.PanicException as error:
        raise ValueError(f"it is damaged: {str(error).partition(chr(10))[0][:200]}") from error


def _values_of(source: bytes | Path, columns: set[str]) -> int:
    """The values in nested columns, by their pages' headers: what stands at the end may say otherwise."""
    with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as file:
        try:
            return sum(_values_in(file, chunk) for chunk in _chunks(file) if chunk[3][0].decode() in columns)
        except (KeyError, IndexError, TypeError, AttributeError, RecursionError, struct.error) as error:
            raise ValueError("its metadata are damaged") from error


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


def _values_in(file: IO[bytes], chunk: dict[int, Any]) -> int:
    start = min(chunk[9], chunk.get(11) or chunk[9])
    file.seek(start)
    pages, values = _Thrift(file.read(min(chunk[7], 1 << 31))), 0
    while pages.at < len(pages.data):
        header = pages.struct()
        if header[1] in _DATA_PAGES:
            values += abs(header[5 if header[1] == 0 else 8][1])
        pages.at += abs(header[3])
    return max(values, abs(chunk[5]))


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
