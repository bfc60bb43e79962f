"""Which scale a term's scores are on, as far as the scores tell."""

from dataclasses import dataclass

import numpy as np

from salon.diagnose.table import Floats, Term

DISTINCT = 60
PASSES = 0.80
"""Up to 60 distinct values are levels, more are a continuum. A yes-or-no term with 80 % yes is a gate."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of a judge's scores. levels: how many steps it has; None for a continuum."""

    low: float
    high: float
    levels: int | None

    @property
    def is_rating(self) -> bool:
        """Such as 1–5, 0–10 or 0–100, of which a judge is expected to use more than a corner."""
        return self.high > 1


def is_yes_no(term: Term) -> bool:
    """Whether all its scores are 0 or 1."""
    known = term.raw_N[~np.isnan(term.raw_N)]
    return bool(len(known)) and bool(np.all((known == 0) | (known == 1)))


def is_gate_like(term: Term) -> bool:
    """Whether the term is a gate, by its role or by its scores: yes or no, and nearly always yes."""
    known = term.raw_N[~np.isnan(term.raw_N)]
    return term.role == "gate" or (is_yes_no(term) and float(known.mean()) >= PASSES)


def scale_of(values_M: Floats, given: tuple[float, float] | None) -> Scale | None:
    """The scale that the scores seem to be on: 0–1, 1–5, 0–10 or 0–100; None for numbers of unknown range."""
    low, high = float(values_M.min()), float(values_M.max())
    fits = given is not None and given[0] <= low and high <= given[1] and (high > 1 or given[1] <= 1)
    distinct = np.unique(np.round(values_M, 6))
    if given is None or not fits:
        if low < 0 or high > 100 or (high > 1 and not _is_grid(distinct)):
            return None
        is_five = low >= 1 and high == 5
        given = (1.0, 5.0) if is_five else (0.0, 1.0 if high <= 1 else 10.0 if high <= 10 else 100.0)
    if len(distinct) > DISTINCT or len(distinct) < 2:
        return Scale(*given, None)
    step = float(np.diff(distinct).min())
    return Scale(*given, round((given[1] - given[0]) / step) + 1)


def _is_grid(distinct: Floats) -> bool:
    """Whether marks are whole, halves, quarters or twentieths: what raters give, and measurements do not."""
    return bool(np.all(np.abs(distinct * 20 - np.round(distinct * 20)) < 1e-6))


def unit_of(term: Term, given: tuple[float, float] | None) -> float:
    """What a score is divided by to lie in 0 … 1: 10 for marks on 0–10; 1 for numbers of unknown range."""
    known = term.raw_N[~np.isnan(term.raw_N)]
    scale = scale_of(known, given) if len(known) else None
    return scale.high if scale else 1.0
