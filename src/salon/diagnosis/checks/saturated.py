"""Terms that no longer differ inside a group: they hold weight and give no gradient."""

import math
from dataclasses import dataclass

import numpy as np

from salon.diagnosis.estimates import mean_where, spread_by, wilson
from salon.diagnosis.finding import Act, Finding, Level, Number, Unchecked
from salon.diagnosis.pages.words import listed, percent
from salon.diagnosis.reading.scale import is_gate_like, is_yes_no
from salon.diagnosis.table import Floats, Table, Term
from salon.number_text import decimal

from .enough_data import FEWEST, lacking, needs_weighted_terms, unchecked

FLAT = 0.01
NARROW = 0.02
MOST = 0.90
GATED = 0.5
HEAVY_GATE = 0.25
POOLED = 40
"""A group is flat when its range is below 1 % of the term's; a step, when 90 % of its groups are, or when the
spread inside its groups is below 2 % of the term's range. The few groups of one step say little: about 40 of
it and of the steps after it are counted together, over an eighth of the run at most."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A term's spread inside groups, step by step, in the term's own units.

    spread_T: pooled standard deviation (NaN: no group with two values); flat_T: share of groups that are
    flat. range: from the .1 % to the 99.9 % quantile of all its scores. since: the index of the first step
    of the flat end, or None. level: where the flat end lies in the range, 0 … 1.
    """

    term: str
    spread_T: Floats
    flat_T: Floats
    range: float
    since: int | None
    level: float
    flat: Number | None


def spreads(table: Table) -> list[Spread]:
    """One per term, in order."""
    return [_spread(table, index) for index in range(len(table.terms))]


def _spread(table: Table, index: int) -> Spread:
    term = table.terms[index]
    known = term.raw_N[~np.isnan(term.raw_N)]
    low, high = (float(q) for q in np.quantile(known, [0.001, 0.999])) if len(known) else (0.0, 0.0)
    low, high = (float(known.min()), float(known.max())) if len(known) and low == high else (low, high)
    whole = high - low
    count = max(len(table.steps), 1)
    step_N = table.step_of_unit_U[table.unit_N]
    spread_T = spread_by(step_N, table.centred_NK[:, index], table.unit_N, count)
    range_U, size_U = table.unit_ranges(term.raw_N)
    counted_U = size_U >= 2
    flat_U = counted_U & (range_U <= FLAT * whole)
    units_T = np.bincount(table.step_of_unit_U, counted_U, count).astype(np.float64)
    flat_T = np.bincount(table.step_of_unit_U, flat_U, count) / np.maximum(units_T, 1)
    there_T = units_T > 0
    still_T = spread_T <= NARROW * whole
    narrow_T = ((flat_T >= MOST) | still_T)[there_T]
    pooled_T = _ahead(flat_T[there_T] * units_T[there_T], units_T[there_T])
    since = _flat_end(narrow_T, (pooled_T >= MOST) | still_T[there_T], np.flatnonzero(there_T))
    since = None if lacking(table, ~np.isnan(term.raw_N)) else since
    flat, level = None, 0.0
    if since is not None:
        end_U = counted_U & (table.step_of_unit_U >= since)
        flat = wilson(float((flat_U & end_U).sum()), int(end_U.sum()))
        level = (mean_where(term.raw_N, step_N >= since) - low) / whole if whole else 1.0
    return Spread(term.name, spread_T, flat_T, whole, since, level, flat)


def _ahead(flat_T: Floats, units_T: Floats) -> Floats:
    """The share of flat groups in each step and those after it, see POOLED; at the end, in the last ones."""
    steps = len(units_T)
    if not steps:
        return flat_T
    width = max(1, min(math.ceil(POOLED * steps / float(units_T.sum())), steps // 8))
    start_T = np.minimum(np.arange(steps), steps - width)
    flat_sum, unit_sum = (np.concatenate([[0.0], np.cumsum(each)]) for each in (flat_T, units_T))
    return (flat_sum[start_T + width] - flat_sum[start_T]) / (unit_sum[start_T + width] - unit_sum[start_T])


def _flat_end(narrow_T: np.ndarray, steady_T: np.ndarray, index_T: np.ndarray) -> int | None:
    """Where the flat end starts: at a step that is flat itself, from which on 95 % of the steps are flat with
    those after them, and there are at least 3 of them (or all). None when the end is not flat.
    """
    if not len(narrow_T):
        return None
    share_T = np.cumsum(steady_T[::-1])[::-1] / np.arange(len(steady_T), 0, -1)
    starts = np.flatnonzero(narrow_T & (share_T >= 0.95))
    if not len(starts) or len(narrow_T) - starts[0] < min(3, len(narrow_T)):
        return None
    return int(index_T[starts[0]])


def check_saturated(table: Table, found: list[Spread]) -> list[Finding | Unchecked]:
    """One finding per live term that is flat to the end."""
    if blind := unchecked("saturated", needs_weighted_terms(table, 1), lacking(table)):
        return [*blind]
    few = [term.name for term in table.live if lacking(table, ~np.isnan(term.raw_N))]
    left = unchecked("saturated", f"{FEWEST} comparable scores or more of {listed(few)}" if few else None)
    return [*_stills(table, found, bool(few)), *left]


def _stills(table: Table, found: list[Spread], is_part: bool) -> list[Finding]:
    flat = [each for each in found if each.since is not None and table.term(each.term).counts]
    dead_weight = sum(table.nominal[each.term] for each in flat)
    findings = [_finding(table, each, dead_weight) for each in flat]
    if any(finding.level != "fine" for finding in findings):
        return findings
    if is_part:
        return []
    names = [finding.terms[0] for finding in findings]
    gates = f" {listed(names)} let nearly everything pass, as gates do." if names else ""
    said = f"Every term that is no gate still differs inside groups.{gates}"
    return [Finding("saturated", "fine", "The terms still move", said)]


def _finding(table: Table, each: Spread, dead_weight: float) -> Finding:
    term, share = table.term(each.term), table.nominal[each.term]
    gate = is_gate_like(term) or is_yes_no(term)
    assert each.flat is not None
    assert each.since is not None
    passes = _late_mean(table, term, each.since) > GATED
    heavy = share >= ((HEAVY_GATE if term.role == "gate" else 0.10) if gate else 0.03)
    level = "problem" if heavy else "fine" if gate and passes else "notice"
    since = f" since step {table.steps[each.since]}" if len(table.steps) > 1 and each.since else ""
    place = "at its top" if each.level > 0.9 else "at its floor" if each.level < 0.1 else "at one value"
    units = "groups" if table.grouped else "steps" if len(table.steps) > 1 else "files"
    said = f"{term.name} stands still {place}{since}: " if each.range else f"{term.name} never changes: "
    said += (
        f"{percent(each.flat.value)} of {units} have no spread in it, so its {decimal(share)} of the weight"
    )
    said += " gives no gradient."
    if dead_weight > share:
        said += f" Of all weight, {decimal(dead_weight)} gives none."
    last = mean_where(each.spread_T, np.arange(len(each.spread_T)) >= each.since)
    return Finding(
        kind="saturated",
        level=level,
        title=_title(term.name, level, passes if gate else None, since),
        wrong=said,
        remedy=_remedy(term, each, _act(term, each)),
        terms=(term.name,),
        numbers={
            "flat_groups": each.flat,
            "since_step": Number(float(table.steps[each.since]) if len(table.steps) else 0.0),
            "spread": Number(last),
            "share_of_weight": Number(share),
            "weight_without_gradient": Number(dead_weight),
        },
        urgency=share,
        advice=((_act(term, each), term.name),) if level != "fine" else (),
    )


def _late_mean(table: Table, term: Term, since: int) -> float:
    step_N = table.step_of_unit_U[table.unit_N]
    return mean_where(term.raw_N, step_N >= since)


def _title(name: str, level: Level, passes: bool | None, since: str) -> str:
    """passes: whether nearly all answers pass it; None of what is no gate."""
    if level == "fine":
        return f"{name} lets nearly every answer pass{since}, as a gate does"
    if passes is False:
        return f"{name} lets hardly any answer pass{since}"
    return f"{name} gives no gradient{since}"


def _act(term: Term, each: Spread) -> Act:
    """What becomes of a term that stands still: at its top, or as a gate that hardly refuses, a gate."""
    return "gate" if is_gate_like(term) or (each.range and each.level > GATED) else "drop"


def _remedy(term: Term, each: Spread, act: Act) -> str:
    name = term.name
    if term.role == "gate":
        if each.level < 0.1:
            return f"Look at what {name} refuses: it is too strict, or the answers fail for another reason."
        return f"Let {name} weigh less: a gate works at any weight, and the rest goes to terms that move."
    if act == "gate":
        return f"Make {name} a yes-or-no gate of small weight, and give its weight to terms that move."
    if not each.range:
        return f"Drop {name}: it says the same of every answer. If it is no score: --ignore {name}."
    if each.level < 0.1:
        return f"Nothing ever earns it: drop {name}, or make it easier."
    return f"Drop {name}, or ask it anew, and give its weight to terms that move."
