"""Which scale a term's scores are on: as the user says, as its cells say, or as its numbers let assume."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from salon.diagnosis.table import Floats, Scale, Table, Term
from salon.errors import RecipeError
from salon.registry import did_you_mean

DISTINCT = 60
PASSES = 0.80
JUST_ABOVE = 2.0
"""Up to 60 distinct values are levels, more are a continuum. A yes-or-no term with 80 % yes is a gate."""
_LOOK, _MANY = 20_000, 2_000
_AVERAGES: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 20)
_NAMES = (
    "whole numbers",
    "halves",
    "thirds",
    "quarters",
    "fifths",
    "sixths",
    "sevenths",
    "eighths",
    "ninths",
)
_PARTS: dict[int, str] = dict(zip(_AVERAGES, (*_NAMES, "tenths", "twelfths", "twentieths"), strict=True))
_MEASURED = re.compile(
    r"hps|pick|clip|reward|logit|log_?p|loss|(^|_)kl|entropy|elo|siglip|dino|lpips|psnr|(^|_)mu$"
)
_JUDGED = re.compile(
    r"judge|rating|score|mark|grade|quality|aesthetic|adheren|align|recogni|techni|depth|coheren|fidelity|compos"
    r"|style|beaut|creativ|original|clarity|accura|colou?r|taste|realis|detail|consisten|relevan|gpt|gemini|claude"
    r"|vlm|llm|likert"
)


def is_yes_no(term: Term) -> bool:
    """Whether all its scores are 0 or 1."""
    known = term.raw_N[~np.isnan(term.raw_N)]
    return bool(len(known)) and bool(np.all((known == 0) | (known == 1)))


def is_gate_like(term: Term) -> bool:
    """Whether the term is a gate, by its role or by its scores: yes or no, and nearly always yes."""
    known = term.raw_N[~np.isnan(term.raw_N)]
    return term.role == "gate" or (is_yes_no(term) and float(known.mean()) >= PASSES)


def parse_scales(text: str | None, names: Sequence[str], where: str) -> dict[str, tuple[float, float]]:
    """`0-10`, or `taste=1-5,0-10`: scales by term, "" for all others.

    Raises:
        RecipeError: it is written in another way, or names no term.
    """
    found: dict[str, tuple[float, float]] = {}
    for part in text.split(",") if text else ():
        name, equals, span = part.rpartition("=")
        name = name.strip()
        if equals and name not in names:
            raise RecipeError(
                f"--scale {part.strip()!r}: {where} has no term {name!r}.{did_you_mean(name, names)}"
            )
        low, dash, high = span.strip().replace("…", "-").replace("..", "-").replace("–", "-").rpartition("-")
        try:
            pair = (float(low), float(high))
        except ValueError:
            pair = (0.0, 0.0)
        if not dash or not pair[0] < pair[1] or not np.isfinite(pair).all():
            raise RecipeError(f"--scale {part!r}: write the lowest and the highest score, for example 0-10")
        if name in found:
            raise RecipeError(
                f"--scale {part!r}: the scale of {name or 'all'} is given twice. Leave one out."
            )
        found[name] = pair
    return found


def with_scales(table: Table) -> Table:
    """The table with the scale of each term.

    Raises:
        RecipeError: scores lie outside of a scale that is given by the term's name.
    """
    marks = {term.name: _marks(term) for term in table.terms}
    peers = [float(distinct[-1]) for distinct, parts in marks.values() if parts and len(distinct) > 2]
    top = max((high for high in peers if high <= 10), default=0.0)
    scales: dict[str, Scale | None] = {}
    for term in table.terms:
        distinct, parts = marks[term.name]
        scales[term.name] = _scale(table, term, distinct, parts, top) if len(distinct) else None
    return replace(table, scales=scales)


def _marks(term: Term) -> tuple[Floats, int | None]:
    """The distinct scores, and into how many parts whole numbers are cut (None: no such grid). Of a continuum
    only the ends.
    """
    known = term.raw_N[~np.isnan(term.raw_N)]
    if not len(known):
        return known, None
    distinct = np.unique(np.round(known[:_LOOK], 6))
    if len(distinct) > _MANY:
        return np.array([known.min(), known.max()]), None
    if len(known) > _LOOK:
        distinct = np.unique(np.round(known, 6))
    return distinct, _parts(distinct)


def _parts(distinct: Floats) -> int | None:
    """The least k for which all scores are multiples of 1/k, as means of k marks are; written with two or
    three digits, too.
    """
    for parts in _AVERAGES:
        off = np.abs(distinct * parts - np.round(distinct * parts))
        if (off < 1e-5 * parts).all():
            return parts
    for digits in (2, 3):
        if (np.abs(distinct - np.round(distinct, digits)) > 1e-9).any() or len(distinct) < 6:
            continue
        for parts in (3, 6, 7, 9, 12):
            off = np.abs(distinct * parts - np.round(distinct * parts))
            if (off <= parts * 0.5 * 10**-digits + 1e-9).all():
                return parts
    return None


def _scale(table: Table, term: Term, distinct: Floats, parts: int | None, top: float) -> Scale | None:
    low, high = float(distinct[0]), float(distinct[-1])
    levels = len(distinct) if parts else DISTINCT + 1
    named, for_all = table.given_scales.get(term.name), table.given_scales.get("")
    if named is not None:
        if low < named[0] or high > named[1]:
            raise RecipeError(
                f"--scale {term.name}={named[0]:g}-{named[1]:g}: {table.source} has {low:g} to {high:g}."
            )
        return _with_levels(Scale(*named), distinct, levels)
    if term.told_scale is not None and term.told_scale[0] <= low and high <= term.told_scale[1]:
        return _with_levels(Scale(*term.told_scale), distinct, levels)
    if for_all is not None and for_all[0] <= low and high <= for_all[1] and (high > 1 or for_all[1] <= 1):
        return _with_levels(Scale(*for_all), distinct, levels)
    found = _assumed(term.name.lower(), low, high, parts, top)
    return None if found is None else _with_levels(found, distinct, levels)


def _assumed(name: str, low: float, high: float, parts: int | None, top: float) -> Scale | None:
    """The scale that the numbers seem to be on; None for numbers of unknown range.

    top: the highest of the table's other marks up to 10: judges of one table share a scale.
    """
    if low < 0:
        return Scale(-1.0, 1.0, since="it lies in −1 to 1") if low >= -1 and high <= 1 else None
    if high <= 1:
        return Scale(0.0, 1.0, since="it lies in 0 to 1")
    # A measurement that passes 1 now and then is no mark.
    judged = high > JUST_ABOVE and bool(_JUDGED.search(name)) and not _MEASURED.search(name)
    if high > 100 or not (parts or judged):
        return None
    what = _PARTS[parts] if parts else "its name is a judge's and its numbers"
    since = f"{what} up to {high:g}"
    if high > 10:
        return Scale(0.0, 100.0, since=since, other=(0.0, 20.0) if high <= 20 else None)
    if low >= 1 and high <= 5:
        if top > 5:
            return Scale(0.0, 10.0, since=f"other marks go up to {top:g}")
        return Scale(1.0, 5.0, since=since, other=None if high == 5 else (0.0, 10.0))
    return Scale(0.0, 10.0, since=since)


def _with_levels(scale: Scale, distinct: Floats, levels: int) -> Scale:
    if not 2 <= levels <= DISTINCT:
        return scale
    step = float(np.diff(distinct).min())
    return replace(scale, levels=round((scale.high - scale.low) / step) + 1)


def unit_of(scale: Scale | None) -> float:
    """What a score is divided by to lie in 0 … 1: 10 for marks on 0–10; 1 for numbers of unknown range."""
    return scale.high if scale else 1.0
