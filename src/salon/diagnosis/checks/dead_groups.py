"""Groups without a lesson: all rewards equal, or equal but for rounding."""

import numpy as np

from salon.diagnosis.estimates import mean_where, wilson
from salon.diagnosis.finding import Finding, Number, Unchecked
from salon.diagnosis.pages.words import percent
from salon.diagnosis.table import Table
from salon.number_text import decimal

from .enough_data import GROUPS, alone, one_group

DEAD = 0.25
SOME = 0.10
HALF = 0.5
ROUNDING = 1e-9
"""From a quarter of dead groups on (a tenth: notice). Below 1e-9 of the rewards' size all is rounding."""


def check_groups(table: Table) -> list[Finding | Unchecked]:
    """One finding for dead groups, one for groups whose rewards differ by rounding only."""
    if not table.grouped:
        needs = alone(table) or one_group(table)
        needs = needs or "a column `group` (or `prompt_id`): which rows answer one prompt"
        return [Unchecked("dead_groups", needs)]
    range_U, size_U = table.unit_ranges(table.lesson_N)
    counted_U = size_U >= 2
    if not counted_U.any():
        return [Unchecked("dead_groups", "groups with two rewards or more")]
    known = np.abs(table.lesson_N[~np.isnan(table.lesson_N)])
    size = max(float(known.max()), 1e-300)
    equal_U = counted_U & (range_U <= ROUNDING * size)
    ulp_U = equal_U & (range_U > 0)
    dead = wilson(float(equal_U.sum()), int(counted_U.sum()))
    found = _dead(table, dead, size)
    findings: list[Finding | Unchecked] = [found]
    whole_U = np.bincount(table.unit_N, minlength=table.units) >= 2
    if found.level == "fine" and counted_U.sum() < max(GROUPS, HALF * whole_U.sum()):
        needs = f"{GROUPS} groups or more with two rewards (here {int(counted_U.sum()):,})"
        if counted_U.sum() >= GROUPS:
            needs = f"two rewards in more groups: {int(whole_U.sum() - counted_U.sum()):,} miss scores"
        findings = [Unchecked("dead_groups", needs)]
    # Without weights the sum is ours, and so is its rounding.
    is_ours = table.weights_from == "equal" and table.given_total_N is None and len(table.live) > 1
    if ulp_U.any() and not is_ours:
        findings.append(
            _one_ulp(wilson(float(ulp_U.sum()), int(counted_U.sum())), float(range_U[ulp_U].max()))
        )
    return findings


def _dead(table: Table, dead: Number, size: float) -> Finding:
    assert dead.low is not None
    numbers = {"dead_groups": dead}
    if dead.value < SOME or dead.low < SOME * 0.8:
        said = f"{percent(dead.value)} of {dead.count:,} groups have equal rewards."
        return Finding("dead_groups", "fine", "Groups have something to learn from", said, "", (), numbers)
    mean = mean_where(table.total_N, ~np.isnan(table.total_N))
    hint = (
        "most rewards are low, so the prompts may be too hard or a gate too strict"
        if mean < 0.3 * size
        else "most rewards are high, so the prompts may be too easy"
        if mean > 0.8 * size
        else "the reward may have too few levels"
    )
    level = "problem" if dead.value >= DEAD and dead.low >= 0.8 * DEAD else "notice"
    said = (
        f"In {percent(dead.value)} of {dead.count:,} groups all rewards are equal (95 % interval"
        f" {percent(dead.low)} to {percent(dead.high or 1.0)}): they cost as much as the others and"
        " teach nothing."
    )
    remedy = (
        f"The mean reward is {decimal(mean)}: {hint}. Drop such prompts or sample more answers of them,"
        " and add a term that tells their answers apart."
    )
    return Finding(
        "dead_groups", level, "Groups with nothing to learn", said, remedy, (), numbers, dead.value
    )


def _one_ulp(share: Number, widest: float) -> Finding:
    amount = round(share.value * share.count)
    said = (
        f"In {amount:,} of {share.count:,} groups the rewards differ only by rounding ({widest:.0e} at most);"
        " division by the group's spread would blow that up to full-size advantages."
    )
    level = "problem" if amount >= 3 and share.value >= 0.01 else "notice"
    remedy = "Use salon's advantages, which give such groups exactly 0; or round rewards before you divide."
    return Finding(
        "dead_groups",
        level,
        "Groups that differ by rounding",
        said,
        remedy,
        (),
        {"one_ulp_groups": share},
        0.2,
    )
