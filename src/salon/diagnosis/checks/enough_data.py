"""Whether a table could show a fault at all: without that, nothing found is no all-clear."""

import numpy as np

from salon.diagnosis.finding import Kind, Unchecked
from salon.diagnosis.pages.words import counted
from salon.diagnosis.table import Bools, Table

FEWEST = 20
"""Rows that have another one of their group to be compared with, beside the first of each group."""
GROUPS = 10


def comparable(table: Table, rows_N: Bools | None = None) -> int:
    """How many of the chosen rows can be compared with an earlier one of their group (or step): rows less
    groups.
    """
    if rows_N is None:
        return table.rows - table.units
    counts_U = np.bincount(table.unit_N[rows_N], minlength=table.units)
    return int(counts_U.sum()) - int((counts_U > 0).sum())


def lacking(table: Table, rows_N: Bools | None = None) -> str | None:
    """What it would take to compare answers inside groups; None where there is enough."""
    found = comparable(table, rows_N)
    if found >= FEWEST:
        return None
    if len(table.steps) > 1 and not table.grouped and table.rows < 2 * len(table.steps):
        known = {"group", "prompt"} & table.taken.keys()
        told = f"several rows a step (here {table.rows / len(table.steps):.0f})"
        return told if known else f"{told}, or a column `group`"
    what = "rows" if rows_N is None else "rows with its scores"
    return f"{FEWEST} {what} or more to compare inside groups (here {counted(found, 'row')})"


def alone(table: Table) -> str | None:
    """What it would take where there are groups, and most have one answer."""
    if table.groups <= 1 or table.grouped:
        return None
    key = table.taken.get("group", table.taken.get("prompt", "group"))
    return f"two answers or more of each {key!r} (here most have one)"


def one_group(table: Table) -> str | None:
    """What it would take where a column of groups is there, and all rows are of one."""
    key = table.taken.get("group", table.taken.get("prompt"))
    if table.groups > 1 or key is None:
        return None
    return f"two groups or more (here all rows have the same {key!r})"


def needs_weighted_terms(table: Table, least: int) -> str | None:
    """What is missing where fewer than `least` terms have a weight."""
    if len(table.live) >= least:
        return None
    return "two terms with a weight" if least > 1 else "a term with a weight"


def unchecked(kind: Kind, *needs: str | None) -> list[Unchecked]:
    """The first thing that is needed, as a result; nothing where nothing is."""
    found = next((each for each in needs if each), None)
    return [Unchecked(kind, found)] if found else []
