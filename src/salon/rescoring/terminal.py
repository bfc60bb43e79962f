"""What a person reads in the terminal after a rescore."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import polars as pl

from .rescore import Rescored

if TYPE_CHECKING:
    from rich.console import Console

MOST = 5
MEANING = (
    "moved furthest, by place; in brackets how much more a term speaks for the sample now than before,"
    " in standard deviations of the group's totals"
)


def show(found: Rescored, console: "Console") -> None:
    """Counts, how far the orders agree, and the pictures that moved most."""
    for line in [*summary_lines(found), *mover_lines(found.ranks)]:
        console.print(line, soft_wrap=True, highlight=False, markup=False)


def _counted(amount: int, one: str) -> str:
    return f"{amount:,} {one}{'s' * (amount != 1)}"


def summary_lines(found: Rescored) -> list[str]:
    """What was taken over and asked for, and the agreement of the two orders."""
    told: Mapping[str, Any] = found.summary
    terms = found.provenance["terms"].values()
    reused, asked = (sum(term[key] for term in terms) for key in ("reused", "asked"))
    answered = sum(term["answered"] for term in terms)
    unanswered = f", {asked - answered:,} of them without an answer" if asked > answered else ""
    lines = [
        f"{_counted(told['samples'], 'sample')} in {_counted(told['groups'], 'group')}:"
        f" {reused:,} scores taken over, {asked:,} asked for{unanswered}"
    ]
    if told["lost"] or told["gained"]:
        lines.append(f"{told['lost']:,} lost their reward, {told['gained']:,} got one")
    lines += [
        f"{failed:,} of {told['rewarded']:,} samples with a reward fail the gate {name}: the terms behind it"
        " count for nothing"
        for name, failed in told["gated"].items()
    ]
    if told["samples"] and not told["tau_groups"]:
        lines.append("no group has an order under both rewards: nothing rises or falls")
    if told["tau"] is not None:
        lines.append(
            f"Kendall's tau between the old and the new order, inside groups: {_between(told, 'tau')}"
            f" over {told['tau_groups']:,} groups"
        )
    if told["crowned"] is not None and told["tau_groups"]:
        lines.append(
            f"another sample is the best in {_between(told, 'crowned')} of the groups;"
            f" a sample moves by {told['moved']:.1f} places on average"
        )
    return lines


def _between(told: Mapping[str, Any], name: str) -> str:
    if told[f"{name}_low"] is None:
        return f"{told[name]:.2f}"
    return f"{told[name]:.2f} ({told[f'{name}_low']:.2f} … {told[f'{name}_high']:.2f})"


def mover_lines(ranks: pl.DataFrame) -> list[str]:
    """`rose   7 → 1 of 8  step 3  draw a peach poppy  (taste +1.2, length −.4)`, below what that means."""
    moved = ranks.filter(pl.col("tau").is_not_null() & (pl.col("rose") != 0))
    up = moved.sort("rose", descending=True).filter(pl.col("rose") > 0).head(MOST)
    down = moved.sort("rose").filter(pl.col("rose") < 0).head(MOST)
    lines = [
        f"{word:<5} {row['place_before']:g} → {row['place_after']:g} of {row['ordered']}  step {row['step']}"
        f"  {row['prompt']}  ({_pushed(row)})"
        for word, rows in (("rose", up), ("fell", down))
        for row in rows.iter_rows(named=True)
    ]
    return [MEANING, *lines] if lines else []


def _pushed(row: Mapping[str, Any]) -> str:
    strongest = sorted(row["pushes"], key=lambda each: -abs(each["push"]))[:2]
    return ", ".join(f"{each['term']} {each['push']:+.1f}" for each in strongest)
