"""Sketches and pictures of a run as files: the best of it, or the worst, by the total or by any term, each
with its scores and reasons.

What a model wrote stays text: a source is kept with `.txt` behind its name, since an SVG that is opened in a
browser may run what stands in it.
"""

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from salon.errors import StoreError
from salon.files.csv_text import csv_of
from salon.files.outputs import check_folder, new_folder, write_atomic
from salon.pool.sheet import contact_sheet
from salon.raster import encode_png
from salon.registry import did_you_mean
from salon.store.record import terms_of
from salon.store.runs import Run

TOTAL = "total"
PER_SHEET = 20
_PARTS = ("raw", "normalized", "weighted", "status", "reason")


@dataclass(frozen=True, slots=True)
class Choice:
    """Which samples are wanted. best, worst: how many of each. by: total, or a term, whose raw score counts.
    steps, prompts: only of these; all where none is named.
    """

    best: int = 0
    worst: int = 0
    by: str = TOTAL
    steps: Sequence[int] = ()
    prompts: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written. failed: samples that failed, and so are none of the best. problems: pictures that
    could not be written, and why.
    """

    folder: Path
    rows: Sequence[dict[str, Any]]
    failed: int = 0
    problems: Sequence[str] = field(default_factory=list[str])


def export(run: Run, choice: Choice, out: str | Path | None = None) -> Exported:
    """Write the chosen samples of a run into a new folder: sources, pictures, a contact sheet, and an index
    as JSON and as CSV.

    A picture that several samples share is taken once, from the first of them. A sample that failed is none
    of the best, whatever its score.

    Args:
        out: the folder; `<run>-export` beside the run by default.

    Raises:
        StoreError: the run cannot be read, has no such step, prompt or term, or nobody has a score there; all
            failed, and the best are wanted alone; or there are files in the folder already.
    """
    folder = Path(out) if out else run.path.with_name(f"{run.path.resolve().name}-export")
    check_folder("--out", folder, [run.path])
    if os.path.exists(folder) and any(folder.iterdir()):
        raise StoreError(f"{folder} has files in it, and nothing is overwritten: choose another --out")
    frame = _wanted(run, choice)
    column = TOTAL if choice.by == TOTAL else f"{choice.by}.raw"
    scored = frame.filter(pl.col(column).is_not_null())
    if not scored.height:
        raise StoreError(f"{run.path}: none of the {frame.height} samples has a score of {choice.by!r}")
    ran = scored.filter(pl.col("failure_code").is_null())
    if not (ran.height or choice.worst):
        raise StoreError(f"{run.path}: all {scored.height} samples with a score failed: --worst shows them")
    chosen = [("best", number, row) for number, row in _first(ran, column, choice.best, True)]
    chosen += [("worst", number, row) for number, row in _first(scored, column, choice.worst, False)]
    failed = scored.height - ran.height if choice.best else 0
    with new_folder(folder) as made:
        rows, problems = _write(run, choice.by, chosen, terms_of(frame.columns), made)
    return Exported(folder, rows, failed, problems)


def _write(
    run: Run,
    by: str,
    chosen: Sequence[tuple[str, int, dict[str, Any]]],
    terms: Sequence[str],
    folder: Path,
) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows of the index, and why pictures of some are not there."""
    problems, shown = list[str](), list[tuple[str, bytes]]()
    column = TOTAL if by == TOTAL else f"{by}.raw"
    rows: list[dict[str, Any]] = []
    for which, number, row in chosen:
        told = _described(which, number, row, terms) | {"by": by, "score": row[column]}
        name = _safe_name(which, number, row)
        if row["source"] is not None:
            told["source_file"] = f"{name}{_suffix(row['source'])}"
            write_atomic(folder / told["source_file"], row["source"].encode("utf-8", "replace"))
        if row["picture"] is not None:
            try:
                png = run.read_picture(row["picture"])
                shown.append((f"{which} {number}: {row[column]:.4g} {row['prompt_id']}", png))
                told["picture_file"] = f"{name}.png"
                write_atomic(folder / told["picture_file"], png)
            except StoreError as error:
                problems.append(str(error))
        rows.append(told)
    problems += _write_sheets(folder, shown)
    write_atomic(folder / "index.csv", _as_csv(rows, terms))
    write_atomic(
        folder / "index.json",
        f"{json.dumps(rows, indent=2, ensure_ascii=False)}\n".encode("utf-8", "replace"),
    )
    return rows, problems


def _wanted(run: Run, choice: Choice) -> pl.DataFrame:
    there = run.steps()
    if not there:
        raise StoreError(f"{run.path} has no rollouts yet: wait for its first step")
    if lost := [step for step in choice.steps if step not in there]:
        raise StoreError(f"{run.path} has no step {lost[0]}: it has {there[0]} to {there[-1]}")
    frame = run.rollouts(list(dict.fromkeys(choice.steps)) or None)
    terms = terms_of(frame.columns)
    if choice.by not in (TOTAL, *terms):
        raise StoreError(
            f"{run.path} has no term {choice.by!r}: it has {', '.join([TOTAL, *terms])}."
            f"{did_you_mean(choice.by, [TOTAL, *terms])}"
        )
    if choice.prompts:
        known = set(frame["prompt_id"].unique())
        if lost := [name for name in choice.prompts if name not in known]:
            raise StoreError(f"{run.path} has no prompt {lost[0]!r} there.{did_you_mean(lost[0], known)}")
        frame = frame.filter(pl.col("prompt_id").is_in(list(choice.prompts)))
    return frame


def _first(frame: pl.DataFrame, column: str, count: int, high: bool) -> list[tuple[int, dict[str, Any]]]:
    """So many rows from one end, with their places; equal ones in the record's order."""
    order = frame.sort([column, "step", "group", "sample_id"], descending=[high, False, False, False])
    found: list[tuple[int, dict[str, Any]]] = []
    seen: set[str] = set()
    for row in order.iter_rows(named=True) if count else ():
        if row["picture"] in seen:
            continue
        seen |= {row["picture"]} if row["picture"] else set()
        found.append((len(found) + 1, row))
        if len(found) == count:
            break
    return found


def _described(which: str, number: int, row: dict[str, Any], terms: Sequence[str]) -> dict[str, Any]:
    kept = ("step", "group", "prompt_id", "prompt", "sample_id", "seed", TOTAL, "advantage")
    failure = {part: row[f"failure_{part}"] for part in ("code", "message", "fault", "stage")}
    return {
        "which": which,
        "rank": number,
        **{name: row[name] for name in kept},
        "picture": row["picture"],
        "picture_file": None,
        "source_file": None,
        "failure": failure if failure["code"] else None,
        "terms": {term: {part: row[f"{term}.{part}"] for part in _PARTS} for term in terms},
    }


def _safe_name(which: str, number: int, row: dict[str, Any]) -> str:
    """A file's name, of letters and digits whatever the ids are made of; the number makes it the only one."""
    prompt = re.sub(r"[^A-Za-z0-9_]+", "-", row["prompt_id"])[:40].strip("-")
    return f"{which}-{number:03d}-step-{row['step']:06d}-{prompt or 'prompt'}"


def _suffix(source: str) -> str:
    return ".svg.txt" if source.lstrip().startswith("<") else ".js.txt"


def _write_sheets(folder: Path, shown: Sequence[tuple[str, bytes]]) -> list[str]:
    """Contact sheets of the pictures; what cannot be shown on them is told."""
    problems: list[str] = []
    for first in range(0, len(shown), PER_SHEET):
        try:
            sheet = contact_sheet(shown[first : first + PER_SHEET])
        except ValueError as error:
            problems.append(f"no contact sheet of pictures {first + 1} on: {error}")
            continue
        write_atomic(folder / f"sheet-{first // PER_SHEET:03d}.png", encode_png(sheet))
    return problems


def _as_csv(rows: Sequence[dict[str, Any]], terms: Sequence[str]) -> bytes:
    plain = [name for name in rows[0] if name not in ("terms", "failure")] if rows else []
    names = [*plain, "failure", *(f"{term}.{part}" for term in terms for part in ("raw", "status", "reason"))]
    table: list[Sequence[Any]] = [names]
    for row in rows:
        cells = [row[name] for name in plain] + [(row["failure"] or {}).get("code")]
        cells += [row["terms"][term][part] for term in terms for part in ("raw", "status", "reason")]
        table.append(cells)
    return csv_of(table).encode("utf-8", "replace")
