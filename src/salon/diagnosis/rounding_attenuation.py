"""What rounding to few levels hides: the correlation that two terms would have without it.

Judges who give whole marks between 6 and 8 look less alike than they are. Inside groups, marks are taken as
a normal merit, rounded. Its spread follows from the marks' own (Sheppard: rounding to steps of h adds
h² / 12 to a variance), and its correlation is the one whose rounded values correlate as the marks do.
"""

from dataclasses import dataclass

import numpy as np

from .table import Floats, Table, Term

MOST = 0.5
"""How much of a term's variance inside groups may be rounding. Beyond that the marks tell too little."""
_GROUPS, _ROWS, _HALVINGS = 64, 256, 12


@dataclass(frozen=True, slots=True)
class Marks:
    """One term in units of its levels: its mean, the spread of its groups' means, and inside groups the
    spread of what was rounded.
    """

    mean: float
    between: float
    within: float


def marks_of(term: Term, table: Table) -> Marks | None:
    """None where the term has no levels, no spread inside groups, or little but rounding."""
    known_N = ~np.isnan(term.raw_N)
    known, unit = term.raw_N[known_N], table.unit_N[known_N]
    scale = table.scales.get(term.name)
    freedom = len(known) - len(np.unique(unit))
    if scale is None or scale.levels is None or freedom < 1:
        return None
    step = (scale.high - scale.low) / (scale.levels - 1)
    variance = float(np.nansum(table.centred(term.raw_N) ** 2)) / freedom / step**2
    if variance <= 0 or MOST * variance < 1 / 12:
        return None
    between = max(float(known.var()) / step**2 - variance, 0.0)
    mean = (float(known.mean()) - scale.low) / step
    return Marks(mean, float(np.sqrt(between)), float(np.sqrt(variance - 1 / 12)))


def unrounded(observed: float, one: Marks, other: Marks) -> float:
    """The correlation before rounding, 0 … 1, of two terms whose marks correlate at `observed` ≥ 0.

    Example: marks of spread .6 inside groups whose merits correlate at .93 correlate at about .79.
    """
    rng = np.random.default_rng(0)
    shared_G1 = rng.normal(size=(_GROUPS, 1))
    first_GR, second_GR = rng.normal(size=(2, _GROUPS, _ROWS))
    x_GR = _rounded(one, shared_G1, first_GR)

    def seen(merit: float) -> float:
        mixed_GR = merit * first_GR + np.sqrt(1 - merit**2) * second_GR
        y_GR = _rounded(other, shared_G1, mixed_GR)
        below = float(np.sqrt((x_GR**2).sum() * (y_GR**2).sum()))
        return float((x_GR * y_GR).sum()) / below if below else 0.0

    low, high = min(observed, 1.0), 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if seen(middle) < observed else (low, middle)
    return (low + high) / 2


def _rounded(marks: Marks, shared_G1: Floats, merit_GR: Floats) -> Floats:
    """Whole marks, centred inside groups."""
    marks_GR = np.round(marks.mean + marks.between * shared_G1 + marks.within * merit_GR)
    return marks_GR - marks_GR.mean(axis=1, keepdims=True)
