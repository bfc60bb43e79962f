"""The win rate against references as if every step had met all of them, and whether they are used up."""

from collections.abc import Mapping

import polars as pl

from salon.scorers.reference_difficulty import Meetings, Strengths, fit_bradley_terry, meetings_of
from salon.store.record import details_in, terms_of

from .facts import Curve

BEATEN = 0.95
LATE = 0.2
"""The part of the steps, at the end, whose meetings say whether a reference still teaches anything."""


def corrected_curves(rollouts: pl.DataFrame) -> dict[str, tuple[Curve, str]]:
    """By term that met references: its corrected win rate over steps, and a line on the draw."""
    found: dict[str, tuple[Curve, str]] = {}
    for name in terms_of(rollouts.columns):
        meetings = meetings_of(
            rollouts["step"].to_list(),
            rollouts[f"{name}.reason"].to_list(),
            [details_in(cell) for cell in _details(rollouts, name)],
        )
        fitted = fit_bradley_terry(meetings)
        if fitted is not None:
            curve = Curve(name, list(fitted.rates), list(fitted.rates.values()))
            found[name] = curve, _line(fitted, meetings)
    return found


def _details(rollouts: pl.DataFrame, name: str) -> list[object]:
    """A term's details, row by row; runs of before have none."""
    column = f"{name}.details"
    return rollouts[column].to_list() if column in rollouts.columns else [None] * len(rollouts)


def _line(fitted: Strengths, meetings: list[Meetings]) -> str:
    hardest = max(fitted.references, key=fitted.references.__getitem__)
    low, high = min(fitted.drawn.values()), max(fitted.drawn.values())
    told = (
        f"As if each step had met all {len(fitted.references)} references. The draws' mean strengths lie"
        f" between {low:+.1f} and {high:+.1f} log odds; {hardest} is the hardest."
    )
    beaten, met = used_up(meetings)
    if met and beaten >= met / 2:
        told += (
            f" {beaten} of the {met} met at the end lose {BEATEN:.0%} of their comparisons or more: they"
            " teach little now. Draw from a harder tier, or rate stronger pictures."
        )
    return told


def used_up(meetings: list[Meetings]) -> tuple[int, int]:
    """Of the references met in the last fifth of the steps: how many lose nearly always, and how many."""
    steps = sorted({meeting.step for meeting in meetings})
    late = set(steps[-max(1, round(LATE * len(steps))) :])
    outcomes: dict[str, list[tuple[float, int]]] = {}
    for meeting in meetings:
        if meeting.step in late:
            outcomes.setdefault(meeting.reference, []).append((meeting.outcome, meeting.samples))
    rates = {name: _mean(values) for name, values in outcomes.items()}
    return _count(rates), len(rates)


def _mean(values: list[tuple[float, int]]) -> float:
    return sum(rate * count for rate, count in values) / sum(count for _, count in values)


def _count(rates: Mapping[str, float]) -> int:
    return sum(rate >= BEATEN for rate in rates.values())
