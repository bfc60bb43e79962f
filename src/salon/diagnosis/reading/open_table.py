"""From a run's folder, a file of scores, standard input or a data frame to a `Table`.

How files become cells: see `files`. Which column means what: see `columns`, and `taken` for columns that
nobody named. Files with one row per criterion: see `long_form`.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from salon.diagnosis.table import Floats, Ints, Orders, Table, Term
from salon.errors import RecipeError
from salon.store.runs import Run

from .cells import PLACES, Read, as_text, causes_of, read_numbers, rows_told
from .columns import Layout, lay_out, parse_map, plain, readable, with_answer, with_length
from .files import Cells, nameless, read_cells
from .frames import cells_of_records
from .long_form import widened
from .non_score_columns import why_no_score
from .repeated_rows import repeated_rows
from .run_record import read_rollouts, recipe_terms, recorded_terms, unasked, without_terms
from .scale import parse_scales
from .sentinel_values import settled, without_marker
from .weights import named_terms, named_weights, with_weights

MOST_TERMS = 500
Source = str | Path | pl.DataFrame | pl.LazyFrame | Mapping[str, Any] | Sequence[Mapping[str, Any]]
"""A path, `-`, or rows in memory: a data frame of polars or pandas, a mapping of columns, a list of mappings.
"""


@dataclass(frozen=True, slots=True)
class Options:
    """What the user said beside the source; it always wins over what the columns look like.

    columns: `role=column` pairs. weights: `term=number` pairs. recipe: a reward recipe with weights and
    roles. scale: the scale of the scores, such as "0-10", or of some, "taste=1-5,0-10"; by default it is
    read from the values. ignore, terms: columns that are no scores, and that are. group, step: the column of
    each.
    """

    columns: tuple[str, ...] = ()
    weights: tuple[str, ...] = ()
    recipe: str | None = None
    scale: str | None = None
    ignore: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    group: str | None = None
    step: str | None = None


def read_table(source: Source, options: Options | None = None) -> Table:
    """Read scores.

    Args:
        source: a run's folder; a file; `-`, standard input; or rows in memory (see `Source`).
        options: what columns mean, weights, scales.

    Raises:
        RecipeError: the source cannot be read, or columns, cells or an option are wrong: names all of them,
            their rows and the remedy.
        StoreError: a run's folder is damaged.
    """
    options = options or Options()
    mapped = parse_map(options.columns)
    if (
        isinstance(source, str | Path)
        and str(source) != "-"
        and os.path.isdir(source)
        and Run.exists(Path(source))
    ):
        table = without_terms(
            read_rollouts(Run.open(source)), mapped, options.ignore, _of_files(options, mapped)
        )
        return _finished(table, options)
    if isinstance(source, str | Path):
        cells, where = read_cells(source), "standard input" if str(source) == "-" else str(source)
    else:
        cells, where = cells_of_records(source), "the data frame"
    if not cells.frame.height:
        raise RecipeError(f"{where}: has no rows below its header. Give at least a few dozen.")
    if recorded_terms(cells.frame.columns):
        table = recipe_terms(cells.frame, where, {})
        table = without_terms(table, mapped, options.ignore, _of_files(options, mapped))
    else:
        table = _of_cells(cells, where, options, mapped)
    return _finished(table, options)


def _of_files(options: Options, mapped: Mapping[str, Sequence[str]]) -> list[str]:
    """The options that say what columns mean, and so have no meaning for a run."""
    named = {"--group": options.group, "--step": options.step, "--term": ", ".join(options.terms)}
    return [*(name for name, value in named.items() if value),
            *(f"--map {role}" for role in mapped if role not in ("ignore", "monitor"))]  # fmt: skip


def _finished(table: Table, options: Options) -> Table:
    size = max(
        (float(np.nanmax(np.abs(t.raw_N), initial=0.0)) for t in table.terms if t.name in table.scored),
        default=0.0,
    )
    table = replace(table, terms=tuple(replace(t, raw_N=settled(t.raw_N, size)) for t in table.terms))
    given = parse_scales(options.scale, [term.name for term in table.terms], table.source)
    return with_weights(replace(table, given_scales=given), options.recipe, options.weights)


def _of_cells(cells: Cells, where: str, options: Options, mapped: dict[str, list[str]]) -> Table:
    mapped = _with_options(mapped, options, cells.frame.columns)
    frame, mapped = _with_readable(cells.frame, mapped)
    frame, told = widened(frame, mapped, where)
    frame, mapped = _with_readable(frame, mapped)
    mapped = {role: names for role, names in mapped.items() if role not in ("criterion", "score")}
    signals = [*named_weights(options.weights), *mapped.get("term", ())]
    mapped, labels = with_answer(frame, mapped)
    if not options.recipe:
        mapped = with_length(frame, mapped, signals)
    layout = lay_out(frame.columns, mapped, where)
    if len(layout.terms) > MOST_TERMS:
        raise RecipeError(
            f"{where}: {len(layout.terms):,} columns could be terms; at most {MOST_TERMS} are looked"
            " at. Write a file with those that the reward has."
        )
    sure = {*signals, *(named_terms(options.recipe) if options.recipe else ())}
    notes = (*cells.notes, *told, *([labels] if labels else []))
    table = _from_columns(frame, where, layout, sure, notes, set(mapped.get("term", ())))
    return replace(table, repeated=repeated_rows(cells.frame))


def _with_readable(
    frame: pl.DataFrame, mapped: Mapping[str, Sequence[str]]
) -> tuple[pl.DataFrame, dict[str, list[str]]]:
    """Both with names that can be shown; the user may give a column's own name, or the one shown."""
    shown = readable(frame.columns)
    told = {role: [shown.get(name, name) for name in names] for role, names in mapped.items()}
    return frame.rename(shown), told


def _with_options(
    mapped: Mapping[str, Sequence[str]], options: Options, columns: Sequence[str]
) -> dict[str, list[str]]:
    """What --ignore, --term, --group and --step say, beside --map. Raises RecipeError where they differ."""
    told = {role: list(names) for role, names in mapped.items()}
    for role, given in (("ignore", options.ignore), ("term", options.terms)):
        for text in given:
            names = [text] if text in columns else [name.strip() for name in text.split(",")]
            told.setdefault(role, []).extend(names)
    for role, name in (("group", options.group), ("step", options.step)):
        if name is not None and told.get(role, [name]) != [name]:
            raise RecipeError(f"--{role} {name} and --map {role}={told[role][0]} differ. Leave one out.")
        if name is not None:
            told[role] = [name]
    places: dict[str, str] = {}
    for role, names in told.items():
        for name in names:
            if places.setdefault(name, role) != role:
                raise RecipeError(f"{name!r} cannot be {places[name]} and {role} at once. Leave one out.")
    return told


# ---- columns ---------------------------------------------------------------------------------------------


def _from_columns(
    frame: pl.DataFrame,
    where: str,
    layout: Layout,
    sure: set[str],
    notes: tuple[str, ...],
    as_they_are: set[str],
) -> Table:
    """sure: terms whatever they look like. as_they_are: those whose numbers are all scores."""
    roles = layout.roles
    wrong: list[str] = []
    marked: list[str] = []

    def read(role: str, **how: bool) -> Floats | None:
        if role not in roles:
            return None
        try:
            values_N = _required(frame[roles[role]], where, role, **how)
            if role != "step":
                values_N, note = without_marker(values_N, roles[role])
                marked.extend([note] if note else [])
            return values_N
        except RecipeError as error:
            wrong.append(str(error))
            return None

    terms, texts, ignored, told = _terms(frame, where, layout, sure, wrong, as_they_are)
    human_N = read("human", tiers=True, winners=bool(layout.orders))
    # Beside verdicts on pairs, 0 to 1 is how much people prefer a; anything else is a label of the answer.
    is_choice = human_N is not None and bool(layout.orders) and _is_choice(human_N)
    orders = tuple(_orders(frame, where, layout, human_N if is_choice else None))
    beside = {role: values for role in ("length", "coverage") if (values := read(role)) is not None}
    step_N, total_N = read("step"), read("total")
    if wrong:
        raise RecipeError("\n".join(wrong))
    if not terms and not orders:
        raise RecipeError(_no_terms(frame, where, ignored))
    return Table(
        source=where,
        terms=terms,
        group_N=_groups(frame, roles, step_N),
        step_N=_steps(step_N, where, roles.get("step", "step")),
        prompt_N=codes(frame[roles["prompt"]]) if "prompt" in roles else None,
        human_N=None if is_choice else human_N,
        given_total_N=total_N,
        beside=beside,
        answer_N=answers(frame[roles["answer"]]) if "answer" in roles else None,
        failed_N=_failed(frame[roles["failed"]]) if "failed" in roles else None,
        orders=orders,
        not_read=(*texts, *layout.left),
        ignored=ignored,
        taken=roles,
        notes=(*notes, *told, *marked),
    )


def _no_terms(frame: pl.DataFrame, where: str, ignored: Mapping[str, str]) -> str:
    told = f"{where}: no column of scores among {', '.join(frame.columns[:12])}."
    if ignored:
        name, why = next(iter(ignored.items()))
        told += f" {name} was left out, since {why}: --term {name} makes it a score."
    return (
        f"{told} Give a file with one column of numbers per term, or name them: --term aesthetics,technique"
    )


def _terms(
    frame: pl.DataFrame,
    where: str,
    layout: Layout,
    sure: set[str],
    wrong: list[str],
    as_they_are: set[str],
) -> tuple[tuple[Term, ...], tuple[str, ...], dict[str, str], tuple[str, ...]]:
    """The terms, columns of text, columns of numbers that are no scores with the reason, and notes. What is
    wrong with a column is added to `wrong`, so that all is told at once.
    """
    terms: list[Term] = []
    texts: list[str] = []
    ignored: dict[str, str] = {}
    notes: list[str] = []
    for name in (*layout.terms, *layout.monitors):
        try:
            read = read_numbers(frame[name], where)
        except RecipeError as error:
            wrong.append(str(error))
            continue
        if read is None:
            texts.append(name)
            continue
        monitor = name in layout.monitors
        if not monitor and name not in sure:
            named = name != nameless(frame.columns.index(name) + 1)
            why = why_no_score(name, plain(name), frame[name], read.values_N, named)
            if why is not None:
                ignored[name] = why
                continue
        notes += [f"{name}: read {read.note}."] if read.note else []
        if name not in as_they_are:
            values_N, note = without_marker(read.values_N, name, f" (--term {name} keeps it)")
            notes += [note] if note else []
            read = replace(read, values_N=values_N)
        term = _term(name, read, frame[name], monitor)
        status = frame.get_column(f"{name}.status", default=None)
        terms.append(term if status is None else replace(term, unasked_N=unasked(status)))
    return tuple(terms), tuple(texts), ignored, tuple(notes)


def _term(name: str, read: Read, column: pl.Series, monitor: bool) -> Term:
    return Term(
        name,
        read.values_N,
        weight=0.0 if monitor else 1.0,
        role="monitor" if monitor else "reward",
        causes=causes_of(column),
        told_scale=read.scale,
    )


def _required(column: pl.Series, where: str, role: str, **how: bool) -> Floats:
    read = read_numbers(column, where, **how)
    if read is None:
        raise RecipeError(
            f"{where}: column {column.name!r} was taken as the {role}, and holds text. Write numbers,"
            f" or leave it out: --ignore {column.name}"
        )
    return read.values_N


def _steps(step_N: Floats | None, where: str, name: str) -> Ints | None:
    if step_N is None:
        return None
    missing = np.flatnonzero(np.isnan(step_N) | (step_N != np.round(step_N)) | (np.abs(step_N) > 2**53))
    if len(missing):
        raise RecipeError(
            f"{where}: column {name!r}, {rows_told(missing)}: a step is a whole number, in every row."
            f" Or leave the column out: --ignore {name}"
        )
    return step_N.astype(np.int64)


def codes(column: pl.Series) -> Ints:
    """Distinct values as 0 … n−1; a missing one is a value of its own."""
    return _told_apart(column).fill_null("").rank("dense").to_numpy().astype(np.int64) - 1


def answers(column: pl.Series) -> Ints:
    """Distinct answers as codes, −1 where there is none."""
    text = _told_apart(column)
    return np.where(text.is_null().to_numpy(), -1, codes(text))


def _told_apart(column: pl.Series) -> pl.Series:
    """As text; of categories the codes, since one of a megabyte in every row would not fit in memory."""
    is_code = isinstance(column.dtype, pl.Categorical | pl.Enum)
    return as_text(column.to_physical() if is_code else column)


def _groups(frame: pl.DataFrame, roles: Mapping[str, str], step_N: Floats | None) -> Ints:
    """Rows of one step and one group (or, without a column for groups, one prompt) belong together."""
    key = roles.get("group", roles.get("prompt"))
    if key is None:
        return np.zeros(frame.height, np.int64)
    code_N = codes(frame[key])
    if step_N is not None:
        _, step_code = np.unique(step_N, return_inverse=True)
        code_N = step_code * (int(code_N.max()) + 1) + code_N
    return np.unique(code_N, return_inverse=True)[1].astype(np.int64)


def _failed(column: pl.Series) -> np.ndarray:
    if column.dtype == pl.String:
        text = column.str.strip_chars().str.to_lowercase().fill_null("")
        return ~text.is_in(["", "0", "false", "no", "none", "null", "ok", "nan", "n/a"]).to_numpy()
    if column.dtype == pl.Boolean or column.dtype.is_numeric():
        return column.cast(pl.Float64).fill_null(0.0).to_numpy() != 0
    return column.is_not_null().to_numpy()


def _is_choice(human_N: Floats) -> bool:
    known = human_N[~np.isnan(human_N)]
    return bool(((known >= 0) & (known <= 1)).all())


def _says_place(column: pl.Series) -> np.ndarray:
    """Where a verdict names the place of a picture, and not which of the two it is."""
    if column.dtype != pl.String:
        return np.zeros(len(column), dtype=bool)
    return column.str.strip_chars().str.to_lowercase().is_in(list(PLACES)).fill_null(False).to_numpy()


def _orders(frame: pl.DataFrame, where: str, layout: Layout, best_N: Floats | None) -> list[Orders]:
    found: list[Orders] = []
    items: tuple[Ints | None, Ints | None] = (None, None)
    if "item_a" in layout.roles:
        both = pl.concat([as_text(frame[layout.roles[role]]) for role in ("item_a", "item_b")])
        code = codes(both)
        items = (code[: frame.height], code[frame.height :])
    for name, first, second in layout.orders:
        ab_N = _required(frame[first], where, "verdict", winners=True)
        ba_N = _required(frame[second], where, "verdict", winners=True)
        if items[0] is None:
            ba_N = np.where(_says_place(frame[second]), 1.0 - ba_N, ba_N)
        for column, values_N in ((first, ab_N), (second, ba_N)):
            outside = np.flatnonzero((values_N < 0) | (values_N > 1))
            if len(outside):
                raise RecipeError(
                    f"{where}: column {column!r}, row {outside[0] + 1}: a verdict is a, b, tie, or how"
                    " probably a wins, 0 to 1."
                )
        found.append(Orders(name, ab_N, ba_N, *items, best_N))
    return found
