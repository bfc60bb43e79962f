"""Tables for the diagnosis's tests: frames as the reader would see them, without a file."""

from pathlib import Path

import polars as pl

from salon.diagnosis.reading.open_table import Options, read_table
from salon.diagnosis.table import Table


def table_of(frame: pl.DataFrame, folder: Path, options: Options | None = None) -> Table:
    """The frame, written as CSV and read again."""
    file = folder / "scores.csv"
    frame.write_csv(file)
    return read_table(file, options)
