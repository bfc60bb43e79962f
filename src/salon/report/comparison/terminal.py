"""Runs side by side, as tables in the terminal."""

from typing import TYPE_CHECKING

from salon.number_text import number
from salon.report.facts import ends_of, real
from salon.report.numbers import duration, percent

from .compare import RunComparison
from .page import against, between

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def show(found: RunComparison, console: "Console") -> None:
    """Print the runs, the steps to each level, and the win rates."""
    for why in found.unlike:
        console.print(f"totals are not compared: {why}", soft_wrap=True, highlight=False, markup=False)
    for name, why in found.apart.items():
        console.print(f"{name} is not compared: {why}", soft_wrap=True, highlight=False, markup=False)
    if not found.rendered_alike:
        console.print("the pictures come from different versions of the renderer", highlight=False)
    if not found.measured:
        console.print("these runs share no number that could be compared", highlight=False)
    console.print(_runs(found))
    if found.levels:
        console.print()
        console.print(_levels(found))
    if found.win_rates:
        console.print()
        console.print(_win_rates(found))


def _grid(*heads: str) -> "Table":
    from rich.table import Table

    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for head in heads:
        grid.add_column(head, overflow="fold")
    return grid


def _add(grid: "Table", *cells: str) -> None:
    from rich.text import Text

    grid.add_row(*(Text(cell) for cell in cells))


def _runs(found: RunComparison) -> "Table":
    """One column per run, one row per number: where it started and where it ended."""
    grid = _grid("first → last fifth", *(side.name for side in found.sides))
    _add(grid, "steps", *(str(len(side.run.steps())) for side in found.sides))
    _add(grid, "time", *(duration(side.seconds) if side.seconds else "–" for side in found.sides))
    for name, measured in found.measured.items():
        _add(grid, name, *(_ends(each.means if each else []) for each in measured))
    for name, curves in found.curves.items():
        _add(grid, name.replace("_", " "), *(_ends(each.known if each else []) for each in curves))
    return grid


def _ends(values: list[float]) -> str:
    """0.51 → 0.69: the means of the first and the last fifth of the steps, as in a run's report."""
    ends = ends_of(values)
    if ends is None:
        return number(values[0]) if values else "–"
    return f"{number(ends[0])} → {number(ends[1])}"


def _levels(found: RunComparison) -> "Table":
    grid = _grid("level", "run", "step", "95 %", "reach it")
    for level in found.levels:
        for index, (side, each) in enumerate(zip(found.sides, level.reached, strict=True)):
            name = f"{level.name} {number(level.value)} ({level.of})" if index == 0 else ""
            if each is None:
                _add(grid, name, side.name, "–", "no scores", "–")
                continue
            step = "never" if each.step is None else str(each.step)
            _add(grid, name, side.name, step, between(each), percent(each.share))
    return grid


def _win_rates(found: RunComparison) -> "Table":
    grid = _grid("evaluation", "run", "pairs", "wins", "95 %", "difference")
    last = ""
    for each in found.win_rates:
        rate, low, high = (real(each.summary.get(f"win_rate{end}")) for end in ("", "_low", "_high"))
        _add(
            grid,
            each.name if each.name != last else "",
            found.sides[each.side].name,
            str(each.summary.get("n", "–")),
            number(rate),
            f"{number(low)}–{number(high)}",
            against(found, each),
        )
        last = each.name
    return grid
