"""A run's own rollouts as a table: raw scores, what each term added, and why values are missing."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from salon.diagnosis.table import Bools, Floats, Ints, OrderRates, Table, Term
from salon.errors import RecipeError, StoreError
from salon.pool.provenance import provenance_of_run
from salon.registry import did_you_mean
from salon.store.record import terms_of
from salon.store.runs import Run

from .cells import as_text, numbers, rows_told
from .scheduled_weights import weighted

_NEEDED = [
    *("step", "group", "prompt_id", "tokens", "picture", "failure_code", "failure_fault", "source", "total"),
]


_TAKEN = {"group": "group", "length": "tokens"}


def read_rollouts(run: Run) -> Table:
    """All steps of a run. Raises StoreError when nothing was recorded yet."""
    frame = run.rollouts()
    if not frame.height or not recorded_terms(frame.columns):
        raise StoreError(f"{run.path}: the run has no rollouts yet. Wait for its first step.")
    recipe = run.manifest.get("recipe", {})
    reward = recipe.get("reward", {}) if isinstance(recipe, Mapping) else {}
    reward = reward if isinstance(reward, Mapping) else {}
    table = recipe_terms(frame, str(run.path), reward)
    metrics, rated = run.metrics(), provenance_of_run(run.manifest)
    stand_ins = {term.name: found for term in table.terms if (found := _stand_ins(metrics, term.name))}
    return replace(table, run=run.path, rates=_rates(metrics, table.terms), stand_ins=stand_ins, rated=rated)


def recipe_terms(frame: pl.DataFrame, where: str, reward: Mapping[str, Any]) -> Table:
    """Rows in the record's columns (see `salon.store.record`) as a table.

    Args:
        frame: rollouts; columns that are not there are taken as empty.
        where: their place, for messages.
        reward: the resolved reward recipe, as a mapping; {} gives every term the same weight.
    """
    specs: Mapping[str, Mapping[str, Any]] = reward.get("terms") or {}
    names = recorded_terms(frame.columns)
    taken = {role: name for role, name in _TAKEN.items() if name in frame.columns}
    missing = [name for name in ("step", "group") if name not in frame.columns]
    if missing:
        frame = frame.with_columns(pl.lit(0).alias(name) for name in missing)
    for name in _NEEDED:
        if name not in frame.columns:
            frame = frame.with_columns(pl.lit(None).alias(name))
    group = frame.select(pl.struct("step", "group").rank("dense")).to_series()
    prompts = as_text(frame["prompt_id"]).fill_null("")
    pictures = as_text(frame["picture"])
    answer = pictures if pictures.is_not_null().any() else as_text(frame["source"])
    tokens = _floats(frame["tokens"], where)
    code = answer.fill_null("").rank("dense").to_numpy().astype(np.int64)
    return Table(
        source=where,
        terms=tuple(_term(frame, name, specs, where) for name in names),
        group_N=group.to_numpy().astype(np.int64) - 1,
        step_N=_ints(frame["step"], where),
        prompt_N=prompts.rank("dense").to_numpy().astype(np.int64) - 1,
        given_total_N=_floats(frame["total"], where),
        beside={} if not np.nan_to_num(tokens).any() else {"length": tokens},
        answer_N=np.where(answer.is_null().to_numpy(), -1, code),
        pictures=tuple(pictures.to_list()),
        taken=taken,
        failed_N=frame["failure_code"].is_not_null().to_numpy(),
        weights_from="recipe" if specs else "equal",
        specs=specs,
        judges=reward.get("judges") or {},
        reward=reward,
    )


def recorded_terms(columns: Sequence[str]) -> list[str]:
    """The terms of a record: those with a `<term>.status` and a `<term>.raw`."""
    return [name for name in terms_of(columns) if f"{name}.raw" in columns]


def unasked(status: pl.Series) -> Bools:
    """The rows in which nobody was asked for a term, by its `<term>.status`."""
    return as_text(status).is_in(["gated", "not_applicable"]).fill_null(False).to_numpy()


def without_terms(
    table: Table, mapped: Mapping[str, Sequence[str]], ignore: Sequence[str], refused: Sequence[str]
) -> Table:
    """A run's table without the terms that are to be ignored, and with monitors where that is asked.

    Args:
        mapped: what --map says; ignore: what --ignore says.
        refused: options that have no meaning for a run, whose columns are known.

    Raises:
        RecipeError: one of `refused`, or a term that the run does not have.
    """
    if refused:
        raise RecipeError(
            f"{table.source}: is a run, whose columns are known. Leave out {', '.join(refused)}."
        )
    names = [term.name for term in table.terms]
    gone = [name.strip() for text in ignore for name in ([text] if text in names else text.split(","))]
    gone += mapped.get("ignore", ())
    watched = list(mapped.get("monitor", ()))
    for name in (*gone, *watched):
        if name not in names:
            raise RecipeError(f"{table.source}: has no term {name!r}.{did_you_mean(name, names)}")
    terms = [
        replace(term, role="monitor", weight=0.0, weight_N=None) if term.name in watched else term
        for term in table.terms
        if term.name not in gone
    ]
    if not terms:
        raise RecipeError(f"{table.source}: no term is left. Ignore fewer.")
    said = dict.fromkeys(gone, "--ignore says so")
    return replace(table, terms=tuple(terms), ignored=said) if gone or watched else table


def _term(frame: pl.DataFrame, name: str, specs: Mapping[str, Mapping[str, Any]], where: str) -> Term:
    spec = specs.get(name, {})
    status = as_text(frame[f"{name}.status"])
    raw_N = _floats(frame[f"{name}.raw"], where)
    # A gated row was never asked: what it added is the floor, which says nothing of the term.
    entered_N = None if f"{name}.weighted" not in frame.columns else _floats(frame[f"{name}.weighted"], where)
    asked_N = (status != "gated").fill_null(False).to_numpy()
    role = spec.get("role", "reward")
    term = Term(
        name,
        raw_N,
        role=role,
        entered_N=None if entered_N is None else np.where(asked_N | (role == "gate"), entered_N, np.nan),
        unasked_N=unasked(frame[f"{name}.status"]),
        causes=_causes(frame, name),
    )
    weight = spec.get("weight", 0.0 if role in ("veto", "monitor") else 1.0)
    return weighted(term, weight, _ints(frame["step"], where))


def _rates(metrics: pl.DataFrame, terms: Sequence[Term]) -> tuple[OrderRates, ...]:
    """How the order counted for each term that compares in both orders, from the means of its details."""
    return tuple(found for term in terms if (found := _rates_of(metrics, term.name)) is not None)


def _rates_of(metrics: pl.DataFrame, name: str) -> OrderRates | None:
    def column(key: str, prefix: str = f"terms/{name}/") -> pl.Expr:
        return pl.col(prefix + key) if prefix + key in metrics.columns else pl.lit(None, pl.Float64)

    # A round robin's comparison stands with both of its samples.
    each = pl.coalesce(column("details/resolved"), column("details/met") / 2)
    # Older runs did not count the rows that have details.
    rows = pl.coalesce(column("detailed"), column("ok") * column("samples", ""))
    keys = ("flip_rate", "tie_rate", "first_choice_rate")
    steps = metrics.select(
        (each * rows).alias("pairs"),
        *(column(f"details/{key}").alias(key) for key in keys),
        # Older runs did not count these.
        column("details/against_odds_rate").fill_null(0.0).alias("against_odds_rate"),
    ).drop_nulls()
    pairs = float(steps["pairs"].sum())
    if not pairs:
        return None
    shares = (float((steps["pairs"] * steps[key]).sum()) / pairs for key in (*keys, "against_odds_rate"))
    return OrderRates(name, pairs, *shares)


def _stand_ins(metrics: pl.DataFrame, name: str) -> tuple[float, int] | None:
    share, rows = f"terms/{name}/details/other_seed", f"terms/{name}/detailed"
    if share not in metrics.columns or rows not in metrics.columns:
        return None
    steps = metrics.select(share, rows).drop_nulls()
    count = float(steps[rows].sum())
    return (float((steps[share] * steps[rows]).sum()) / count, round(count)) if count else None


def _causes(frame: pl.DataFrame, name: str) -> dict[str, int]:
    """The first words of the reasons of missing scores, most frequent first."""
    if f"{name}.reason" not in frame.columns:
        return {}
    lost = frame.filter(as_text(frame[f"{name}.status"]) == "missing")[f"{name}.reason"]
    short = as_text(lost).fill_null("").str.split(":").list.first().str.slice(0, 60)
    return {
        str(reason) or "no reason given": int(count) for reason, count in short.value_counts(sort=True).rows()
    }


def _floats(column: pl.Series, where: str) -> Floats:
    """Numbers, NaN where missing. Raises RecipeError for a column of a record that holds something else."""
    values_N = numbers(column, where)
    if values_N is None:
        raise RecipeError(
            f"{where}: column {column.name!r} of the record holds {column.dtype}, no numbers. Another program"
            " changed it: write the column as numbers, or give a CSV of the scores."
        )
    return values_N


def _ints(column: pl.Series, where: str) -> Ints:
    """Whole numbers, one in every row."""
    values_N = _floats(column, where)
    wrong = np.flatnonzero(np.isnan(values_N) | (values_N != np.round(values_N)) | (np.abs(values_N) > 2**53))
    if len(wrong):
        raise RecipeError(
            f"{where}: column {column.name!r} of the record, {rows_told(wrong)}: a {column.name} is a whole"
            " number, in every row."
        )
    return values_N.astype(np.int64)
