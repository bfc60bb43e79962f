"""Rows that stand in a file more than once: what was counted twice makes every interval too narrow."""

import polars as pl

from salon.diagnosis.checks.enough_data import FEWEST
from salon.diagnosis.estimates import wilson
from salon.diagnosis.finding import Finding, Level
from salon.diagnosis.pages.words import counted, percent, times
from salon.diagnosis.table import Table

MUCH = 0.05
NEARLY_ALL = 0.9
"""5 % of repeated rows are a problem. Rows that are alike are one row where a column has nearly as many
values as there are rows, or where all stand there equally often; a few marks may be alike by chance."""


def repeated_rows(frame: pl.DataFrame) -> tuple[int, int]:
    """How many rows repeat another in all cells, and how often most rows stand there; (0, 1) for none."""
    columns = [column for column in frame.columns if not frame[column].dtype.is_nested()]
    if frame.height < 2 or not columns:
        return 0, 1
    # Of a million rows, hashes take a third of the memory.
    often = frame.select(columns).hash_rows().alias("row").value_counts(name="times")["times"]
    different = len(often)
    again = frame.height - different
    if not again or different < FEWEST:
        return 0, 1
    most = max(frame[column].n_unique() for column in columns)
    if most < NEARLY_ALL * different and often.n_unique() > 1:
        return 0, 1
    return again, round(float(often.median() or 1))  # type: ignore[arg-type]


def check_repeated(table: Table) -> list[Finding]:
    """One finding where rows stand there more than once."""
    again, often = table.repeated
    if not again:
        return []
    share = wilson(float(again), table.rows)
    # Equal answers may have equal scores: that is told as repeats of answers.
    level: Level = "problem" if share.value >= MUCH and table.answer_N is None else "notice"
    every = f" Most rows stand there {times(often)}." if often > 1 else ""
    said = (
        f"{counted(again, 'row')} of {table.rows:,} ({percent(share.value)}) repeat another in every column"
    )
    return [
        Finding(
            kind="repeated",
            level=level,
            title="Rows are there more than once",
            wrong=f"{said}: all intervals are too narrow, and groups hold copies.{every}",
            remedy="Leave the copies out (was the file joined, or appended twice?), or add a column that"
            " tells such rows apart.",
            numbers={"repeated": share},
            urgency=min(1.0, share.value + 0.2),
        )
    ]
