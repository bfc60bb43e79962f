"""Numbers that are no scores: markers that stand for missing ones, and the noise of a constant."""

import numpy as np

from salon.diagnosis.pages.words import counted
from salon.diagnosis.table import Floats

MARKERS = (-1.0, -9.0, -99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0)
FAR = 3.0
LEAST, FEW_LEVELS = 3, 3
"""A marker lies three times the scores' range beyond them; −1 and −9 below scores that are never negative
may lie nearer, where they stand there three times, beside four other levels (−1, 0 and 1 are votes).
"""
NOISE = 4e-9
"""A range of this part of the size of numbers is no difference: ±1e-9 around one of them."""


def marker_in(values_N: Floats) -> float | None:
    """The number that stands for a missing score; None where there is none. 0 is looked for elsewhere."""
    known = values_N[~np.isnan(values_N)]
    if not len(known):
        return None
    for end in (float(known.min()), float(known.max())):
        if end in MARKERS and _is_apart(end, known):
            return end
    return None


def _is_apart(marker: float, known: Floats) -> bool:
    others = known[known != marker]
    if len(others) < max(LEAST, len(known) // 10):
        return False
    low, high = float(others.min()), float(others.max())
    gap = low - marker if marker < low else marker - high
    if gap > FAR * max(high - low, 1.0):
        return True
    if marker < -9 or marker > 0 or low < 0 or len(known) - len(others) < LEAST:
        return False
    return len(np.unique(others[:10_000])) > FEW_LEVELS


def without_marker(values_N: Floats, name: str, keep: str = "") -> tuple[Floats, str]:
    """The numbers with the marker as missing, and a note of it, empty where there is none."""
    marker = marker_in(values_N)
    if marker is None:
        return values_N, ""
    marked_N = values_N == marker
    rows = counted(int(marked_N.sum()), "row")
    told = f"{name}: {marker:g} in {rows} stands apart from all other numbers, and is read as missing{keep}."
    return np.where(marked_N, np.nan, values_N), told


def settled(values_N: Floats, size: float) -> Floats:
    """The numbers; where they differ by rounding only, all alike. size: of the table's largest."""
    known = values_N[~np.isnan(values_N)]
    if not len(known):
        return values_N
    low, high = float(known.min()), float(known.max())
    if not 0 < high - low <= NOISE * max(min(size, 1.0), abs(low), abs(high)):
        return values_N
    return np.where(np.isnan(values_N), np.nan, round(float(np.median(known)), 8))
