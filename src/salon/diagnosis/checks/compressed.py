"""Judges that use a corner of their scale: what they cannot tell apart, nothing can learn from them."""

from dataclasses import dataclass, replace

import numpy as np

from salon.diagnosis.estimates import bootstrap, wilson
from salon.diagnosis.finding import Finding, Number, Unchecked
from salon.diagnosis.pages.words import listed, percent
from salon.diagnosis.reading.scale import is_yes_no
from salon.diagnosis.table import Floats, Scale, Table
from salon.number_text import decimal

from .enough_data import unchecked

FEW = 0.3
NARROW = 0.3
PILE = 0.5
FEWEST = 30
"""Compressed: fewer effective levels than .3 of the scale's; 90 % of the scores within .3 of a rating scale;
or half of them exactly at an end. Fewer than 30 scores say nothing."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a term's scores lie on their scale. bins_B: their shares in equal bins from low to high.

    effective: the number of levels, all equally used, that would tell as much: exp of the entropy.
    """

    term: str
    low: float
    high: float
    bins_B: Floats
    scale: Scale | None
    effective: Number | None
    from_05: float
    to_95: float
    at_floor: Number | None
    at_ceiling: Number | None
    tied: float | None
    counted: int = 0

    @property
    def middle_90(self) -> float:
        """How much of the scale 90 % of the scores take up, 0 … 1."""
        return (self.to_95 - self.from_05) / (self.high - self.low)


def shapes(table: Table) -> list[Shape]:
    """One per term, in order."""
    return [_shape(table, index) for index in range(len(table.terms))]


def _shape(table: Table, index: int) -> Shape:
    term = table.terms[index]
    there_N = ~np.isnan(term.raw_N)
    known = term.raw_N[there_N]
    if not len(known):
        return Shape(term.name, 0.0, 1.0, np.zeros(20), None, None, 0.0, 0.0, None, None, None)
    scale = table.scales.get(term.name)
    low, high = (scale.low, scale.high) if scale else (float(known.min()), float(known.max()))
    # Of huge numbers, next to nothing between them is divided into no bins.
    high = high if high - low > abs(low) * 1e-12 else low + max(1.0, abs(low) * 1e-6)
    few = scale is not None and scale.levels is not None and scale.levels <= 21
    bins = scale.levels if few and scale and scale.levels else 20
    half = (high - low) / (bins - 1) / 2 if few else 0.0
    count_B, _ = np.histogram(np.clip(known, low, high), bins=bins, range=(low - half, high + half))
    fifth, last = (float(q) for q in np.quantile(known, [0.05, 0.95]))
    return Shape(
        term.name,
        low,
        high,
        count_B / len(known),
        scale,
        _effective(known, table.block_N[there_N]) if scale and scale.levels else None,
        fifth,
        last,
        wilson(float((known <= low).sum()), len(known)) if scale else None,
        wilson(float((known >= high).sum()), len(known)) if scale else None,
        _tied(table, index) if scale and scale.levels else None,
        len(known),
    )


def _effective(known: Floats, block_N: np.ndarray) -> Number:
    """exp of the entropy of the distinct values, with an interval over blocks."""
    _, code = np.unique(np.round(known, 6), return_inverse=True)
    one_hot = np.zeros((int(block_N.max()) + 1, int(code.max()) + 1))
    np.add.at(one_hot, (block_N, code), 1.0)

    def levels(counts_DL: Floats) -> Floats:
        share = counts_DL / np.maximum(counts_DL.sum(axis=1, keepdims=True), 1)
        return np.exp(-(share * np.log(np.where(share > 0, share, 1.0))).sum(axis=1))

    return bootstrap(one_hot[one_hot.sum(axis=1) > 0], levels, len(known))


def _tied(table: Table, index: int) -> float | None:
    """The share of pairs inside a group that have the same score."""
    if not table.grouped:
        return None
    value_N = table.terms[index].raw_N
    there_N = ~np.isnan(value_N)
    _, code = np.unique(value_N[there_N], return_inverse=True)
    key = table.unit_N[there_N] * (int(code.max()) + 1) + code
    same = np.unique(key, return_counts=True)[1]
    size = np.bincount(table.unit_N[there_N])
    pairs = float((size * (size - 1)).sum())
    return float((same * (same - 1)).sum()) / pairs if pairs else None


def is_compressed(shape: Shape) -> bool:
    """Whether the scores use only a corner of their scale. See FEW, NARROW and PILE."""
    if shape.scale is None or shape.at_floor is None or shape.at_ceiling is None or shape.counted < FEWEST:
        return False
    if max(shape.at_floor.low or 0.0, shape.at_ceiling.low or 0.0) >= PILE:
        return True
    if shape.scale.levels is not None and shape.effective is not None:
        high = shape.effective.high if shape.effective.high is not None else shape.effective.value
        if high < max(2.0, FEW * min(shape.scale.levels, 11)):
            return True
    return shape.scale.is_rating and shape.middle_90 <= NARROW


def check_compressed(table: Table, found: list[Shape], saturated: set[str]) -> list[Finding | Unchecked]:
    """One finding for all live terms that are compressed: they usually are together, and for one reason. What
    could not be told, for want of a scale or of scores, is not called fine.
    """
    asked = [
        shape
        for shape in found
        if table.term(shape.term).counts
        and table.term(shape.term).role != "gate"
        and not is_yes_no(table.term(shape.term))
        and shape.term not in saturated
    ]
    bad = [shape for shape in asked if is_compressed(shape)]
    open_ones = [shape for shape in bad if _is_open(table, shape, True)]
    bad = [shape for shape in bad if shape not in open_ones]
    open_ones += [shape for shape in asked if shape not in bad and _is_open(table, shape, False)]
    unscaled = [shape.term for shape in asked if shape.scale is None and shape.counted >= FEWEST]
    few = [shape.term for shape in asked if shape.counted < FEWEST]
    left: list[Finding | Unchecked] = []
    left += unchecked("compressed", f"the scale of {listed(unscaled)} (--scale 0-10)" if unscaled else None)
    left += unchecked("compressed", _which(open_ones) if open_ones else None)
    left += unchecked("compressed", f"{FEWEST} scores or more of {listed(few)}" if few else None)
    if bad:
        return [_finding(table, bad), *left]
    if not asked:
        return [Unchecked("compressed", "a term with marks on a scale that still moves")]
    said = "No term piles up at an end of its scale, or uses few of its levels."
    return left or [Finding("compressed", "fine", "The scores use their scale", said)]


def _is_open(table: Table, shape: Shape, is_bad: bool) -> bool:
    """Whether on the other scale that it may be on it would be the other way round."""
    if shape.scale is None or shape.scale.other is None:
        return False
    low, high = shape.scale.other
    levels = shape.scale.levels
    if levels is not None:
        step = (shape.scale.high - shape.scale.low) / (levels - 1)
        levels = round((high - low) / step) + 1
    other = replace(table, scales={**table.scales, shape.term: Scale(low, high, levels)})
    return is_compressed(_shape(other, table.index(shape.term))) != is_bad


def _which(shapes: list[Shape]) -> str:
    told = listed([shape.term for shape in shapes])
    scale = shapes[0].scale
    assert scale is not None
    assert scale.other is not None
    either = f"{scale.low:g}-{scale.high:g}"
    return f"the scale of {told}: {either}, or {scale.other[0]:g}-{scale.other[1]:g}? (--scale {either})"


def _finding(table: Table, bad: list[Shape]) -> Finding:
    share = sum(table.nominal[shape.term] for shape in bad)
    worst = min(bad, key=lambda shape: shape.effective.value if shape.effective else 99.0)
    names = tuple(shape.term for shape in bad)
    assumed = [shape for shape in bad if shape.scale is not None and shape.scale.since]
    said = _wrong(worst, len(bad))
    if assumed:
        one = len(assumed) == 1
        said += (
            " Its scale is assumed (say another with --scale)."
            if one
            else " Their scales are assumed (say others with --scale)."
        )
    return Finding(
        kind="compressed",
        level="problem" if share >= 0.05 else "notice",
        title=f"{listed(names, 3)} {'uses' if len(bad) == 1 else 'use'} a corner of the scale",
        wrong=said,
        remedy="Ask the judge which of two answers is better (pairwise, against good references): a"
        " choice cannot be compressed. Or give it a scale with an example for each level.",
        terms=names,
        numbers=_numbers(bad),
        urgency=share * 0.9,
        advice=tuple(("pairwise", name) for name in names),
    )


def _wrong(worst: Shape, count: int) -> str:
    assert worst.scale is not None
    scale = f"{decimal(worst.scale.low, 0)}–{decimal(worst.scale.high, 0)}"
    parts: list[str] = []
    if worst.effective is not None and worst.scale.levels is not None:
        levels = f"{decimal(worst.effective.value, 1)} of {worst.scale.levels} levels"
        parts.append(f"it tells about {levels} apart")
    parts.append(f"90 % of its scores lie between {decimal(worst.from_05, 1)} and {decimal(worst.to_95, 1)}")
    if worst.tied is not None:
        parts.append(f"{percent(worst.tied)} of the pairs inside a group are tied")
    lead = f"On the scale {scale} " if count == 1 else f"The worst of {count}, {worst.term}, on {scale}: "
    return lead + ", ".join(parts[:-1]) + (", and " if parts[:-1] else "") + parts[-1] + "."


def _numbers(bad: list[Shape]) -> dict[str, Number]:
    numbers: dict[str, Number] = {}
    for shape in bad:
        for name, number in (
            ("effective_levels", shape.effective),
            ("at_floor", shape.at_floor),
            ("at_ceiling", shape.at_ceiling),
            ("tied_in_group", None if shape.tied is None else Number(shape.tied)),
            ("middle_90", Number(shape.middle_90)),
        ):
            if number is not None:
                numbers[f"{shape.term}.{name}"] = number
    return numbers
