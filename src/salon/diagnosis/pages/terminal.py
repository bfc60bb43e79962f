"""The summary that a person reads in the terminal: worst first, in plain words, with numbers and remedies."""

from collections.abc import Sequence

import numpy as np
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from salon.diagnosis.diagnosis import Diagnosis
from salon.diagnosis.finding import Finding, Kind, Level
from salon.diagnosis.table import Table
from salon.number_text import decimal

from .words import counted, listed

_MARKS: dict[Level, tuple[str, str]] = {
    "problem": ("✗", "red"),
    "notice": ("!", "yellow"),
    "fine": ("✓", "green"),
}
_BARS = "▁▂▃▄▅▆▇█"
_WIDEST = 100
_MOST_BARS, _FEW_BARS = 24, 19
CHECKS = {
    "redundant": "redundancy",
    "saturated": "saturation",
    "compressed": "compression",
    "dominance": "dominance",
    "dead_groups": "dead groups",
    "missing": "missing scores",
    "phantom_zeros": "phantom zeros",
    "repeated": "repeated rows",
    "hacking": "drift and hacking",
    "exploited": "one term owning the total",
    "bias": "length or coverage bias",
    "diversity": "diversity",
    "position": "position bias",
    "agreement": "agreement with people",
}


MOST_TOLD = 6
ALWAYS: tuple[Kind, ...] = ("redundant", "saturated", "compressed", "dominance", "dead_groups", "missing",
                            "phantom_zeros", "exploited")  # fmt: skip
"""The checks that any table of terms can be put to: an all-clear without them is none."""


def show(found: Diagnosis, console: Console) -> None:
    """Print a diagnosis."""
    console.print(Text(described(found.table), style="bold"))
    if found.table.terms:
        console.print(Text(weights_told(found.table), style="dim"))
    if "length" in found.table.beside and found.table.run is None:
        told = "The answers' length is looked at beside the scores; --map term=COLUMN makes it one of them."
        console.print(Text(told, style="dim"))
    for told in reading_told(found.table):
        console.print(Text(told, style="dim"))
    console.print()
    console.print(Text(verdict(found), style="bold"))
    for level in ("problem", "notice"):
        for finding in found.of_level(level):
            console.print()
            _finding(finding, console)
    if found.shapes:
        console.print()
        console.print(_terms(found, console.width))
        if told := shares_told(found):
            console.print(Text(told, style="dim"), width=min(console.width, _WIDEST))
    console.print()
    _closing(found, console)
    if found.recipe:
        console.print()
        console.print(Text("A recipe that follows from this", style="bold"))
        for line in found.recipe.splitlines():
            style = "dim" if line.lstrip().startswith("#") else ""
            console.print(Text(f"  {line}", style=style), soft_wrap=True)


def described(table: Table) -> str:
    """What was read: file, rows, terms, groups, steps."""
    parts = [table.source, counted(table.rows, "row")]
    parts += [counted(len(table.terms), "term")] if table.terms else []
    if table.grouped:
        size = table.rows / table.groups
        parts.append(f"{counted(table.groups, 'group')} of {size:.0f}")
    if len(table.steps) > 1:
        parts.append(f"steps {table.steps[0]} to {table.steps[-1]}")
    parts += [f"judge {each.name} in both orders" for each in table.orders]
    return " · ".join(parts)


def weights_told(table: Table) -> str:
    """Where the weights come from; nothing for a file without terms."""
    if not table.terms:
        return ""
    told = {
        "recipe": "Weights and roles from the recipe.",
        "flag": "Weights as given with the command.",
        "total": "Weights found in the total, which is a weighted sum of the terms.",
        "equal": "No weights are known: all terms count alike. Give them with --weights or --recipe."
        if table.live
        else "No term has a weight.",
    }[table.weights_from]
    if not table.unweighted:
        return told
    verb = "has no weight and is" if len(table.unweighted) == 1 else "have no weight and are"
    noun = "a monitor" if len(table.unweighted) == 1 else "monitors"
    return f"{told} {listed(table.unweighted, 20)} {verb} looked at as {noun} only."


def reading_told(table: Table) -> list[str]:
    """How the columns were taken: roles, what was left out and why, scales that are assumed."""
    told = list(table.notes)
    said = table.taken if table.run is None else {}
    roles = [f"{role} from {name}" for role, name in said.items() if role != name or role == "answer"]
    told += [f"Taken as: {listed(roles, 20)}."] if roles else []
    if table.ignored:
        why = "; ".join(f"{name}, since {reason}" for name, reason in list(table.ignored.items())[:MOST_TOLD])
        more = len(table.ignored) - MOST_TOLD
        why += f"; and {more} more" if more > 0 else ""
        told.append(f"Ignored: {why}. --term COLUMN makes one a score.")
    told += [f"Not read as scores: {listed(table.not_read)}."] if table.not_read else []
    assumed: dict[str, list[str]] = {}
    for name, scale in table.scales.items():
        if scale is not None and scale.since and scale.is_rating and table.term(name).counts:
            assumed.setdefault(f"{scale.low:g}–{scale.high:g}, since {scale.since}", []).append(name)
    told += [
        f"Assumed scale: {listed(names)} on {why} (say another with --scale)."
        for why, names in assumed.items()
    ]
    return told


def open_checks(found: Diagnosis) -> list[str]:
    """The checks of any table of terms that could not be made here, or not of all terms."""
    return [CHECKS[kind] for kind in ALWAYS if any(each.kind == kind for each in found.unchecked)]


def verdict(found: Diagnosis) -> str:
    """How many problems there are; without any, whether that is an all-clear."""
    problems, notices = len(found.of_level("problem")), len(found.of_level("notice"))
    if not problems and not notices:
        left = open_checks(found) if found.table.terms else []
        if not found.of_level("fine"):
            return "Nothing could be checked. See below what that would need."
        if left:
            return f"No fault was found, but not all could be checked: {listed(left, 20)}."
        return "Nothing is wrong, as far as these scores tell."
    told = counted(problems, "problem") if problems else "No problem"
    return f"{told}, {counted(notices, 'notice')}." if notices else f"{told}."


def _finding(finding: Finding, console: Console) -> None:
    mark, colour = _MARKS[finding.level]
    head = Text.assemble((f"{mark} ", f"bold {colour}"), (finding.title, "bold"))
    console.print(head)
    _indented(Text(finding.wrong), console)
    if finding.remedy:
        _indented(Text.assemble(("→ ", colour), finding.remedy), console)


def _indented(text: Text, console: Console) -> None:
    for line in text.wrap(console, min(console.width, _WIDEST) - 2):
        console.print(Text.assemble("  ", line))


def _terms(found: Diagnosis, width: int) -> Grid:
    """One row per term: its weight, what it decides, its histogram, its spread over the steps."""
    has_steps = len(found.table.steps) > 1
    bars = _MOST_BARS if width >= _WIDEST else _FEW_BARS
    weight = 6 if all(term.counts or term.rests for term in found.table.terms) else len("(monitor)")
    fixed = weight + len("decides") + 4 + (bars + 2) * (1 + has_steps)
    grid = Grid(box=None, padding=(0, 2, 0, 0), header_style="dim")
    grid.add_column("term", no_wrap=True, overflow="ellipsis", max_width=max(min(28, width - fixed), 12))
    grid.add_column("weight", justify="right", no_wrap=True)
    grid.add_column("decides", justify="right", no_wrap=True)
    grid.add_column("scores, low to high", no_wrap=True)
    if has_steps:
        grid.add_column("spread over steps", no_wrap=True)
    decides = dict(zip(found.shares.names, found.shares.share, strict=True)) if found.shares else {}
    for term, shape, spread in zip(found.table.terms, found.shapes, found.spreads, strict=True):
        nominal = decimal(found.table.nominal.get(term.name, 0.0))
        nominal = nominal if term.counts or term.rests else f"({term.role})"
        nominal = "none" if term.name in found.table.unweighted else nominal
        effective = decimal(decides[term.name].value) if term.name in decides else ""
        cells = [term.name, nominal, effective, sparkline(_stretched(shape.bins_B, bars))]
        cells += [sparkline(_stretched(spread.spread_T, bars))] if has_steps else []
        grid.add_row(*(Text(cell) for cell in cells))
    return grid


def shares_told(found: Diagnosis) -> str:
    """What a share below 0 or above 1 says; nothing where there is none."""
    if found.shares is None or all(0 <= round(each.value, 2) <= 1 for each in found.shares.share):
        return ""
    against = [n for n, each in zip(found.shares.names, found.shares.share, strict=True) if each.value < 0]
    pulls = f"{listed(against)} {'pulls' if len(against) == 1 else 'pull'} against the total"
    return (
        f"What terms decide adds up to 1. {pulls} and so {'decides' if len(against) == 1 else 'decide'}"
        " less than 0; the others make up for it, and may decide more than 1."
    )


def sparkline(values: Sequence[float] | np.ndarray) -> str:
    """▁▂▅█: heights as characters; a blank for nothing at all."""
    known = [0.0 if np.isnan(value) else float(value) for value in values]
    top = max(known, default=0.0)
    if top <= 0:
        return _BARS[0] * len(known)
    return "".join(_BARS[min(7, int(8 * value / top))] if value > 0 else " " for value in known)


def _stretched(values_T: np.ndarray, width: int) -> list[float]:
    """At most `width` means of neighbouring numbers."""
    parts = np.array_split(np.nan_to_num(values_T), min(width, len(values_T)))
    return [float(part.mean()) for part in parts]


def _closing(found: Diagnosis, console: Console) -> None:
    wrong = {finding.kind for finding in found.findings if finding.level != "fine"}
    fine = list(dict.fromkeys(CHECKS[f.kind] for f in found.of_level("fine") if f.kind not in wrong))
    unsure = {each.kind for each in found.unchecked}
    fine = [name for name in fine if name not in {CHECKS[kind] for kind in unsure}]
    if fine:
        console.print(
            Text.assemble(("✓ ", "green"), f"Fine: {listed(fine, 20)}."), width=min(console.width, _WIDEST)
        )
    if found.unchecked:
        console.print(Text("Not checked, and what it would need:", style="dim"))
    for needs, kinds in needed(found).items():
        _indented(Text(f"{listed(kinds, 20)}: {needs}", style="dim"), console)


def needed(found: Diagnosis) -> dict[str, list[str]]:
    """The checks that could not be made, by what they would need."""
    by_needs: dict[str, list[str]] = {}
    for each in found.unchecked:
        by_needs.setdefault(each.needs, []).append(CHECKS[each.kind])
    return by_needs
