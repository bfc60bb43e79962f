"""A run's rollouts as groups that can be scored again, and the scores that they already have."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import polars as pl

from salon.errors import StageError, StoreError
from salon.files.untrusted import parse_json
from salon.store.record import details_in
from salon.store.runs import Run
from salon.types import Failure, Fault, Group, Picture, Prompt, Sample, Score

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """One step of a run. rows: one per sample, in the order of the groups and their samples."""

    step: int
    groups: tuple[Group, ...]
    rows: tuple[Row, ...]

    @property
    def group_ids(self) -> list[str]:
        """The group of every row."""
        return [str(row["group"]) for row in self.rows]


def read_steps(run: Run) -> list[RecordedStep]:
    """All steps of a run, in order. Pictures have a key and no bytes yet (see `with_picture`).

    Raises:
        StoreError: there is no step, or two samples of a step have one id, so that scores cannot be told
            apart.
    """
    if not run.steps():
        raise StoreError(f"{run.path} has no rollouts yet: wait for its first step")
    return [_step(run, step, run.rollouts([step])) for step in run.steps()]


def _step(run: Run, step: int, frame: pl.DataFrame) -> RecordedStep:
    rows = frame.sort("group", maintain_order=True).to_dicts()
    ids = [row["sample_id"] for row in rows]
    if len(set(ids)) < len(ids):
        raise StoreError(f"{run.path}, step {step}: two samples have one id, so their scores cannot be told")
    groups = tuple(_group(step, members) for members in _by_group(rows))
    return RecordedStep(step, groups, tuple(rows))


def _by_group(rows: Sequence[Row]) -> Iterator[list[Row]]:
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row["group"], []).append(row)
    yield from found.values()


def _group(step: int, members: Sequence[Row]) -> Group:
    first = members[0]
    prompt = Prompt(
        id=first["prompt_id"],
        text=first["prompt"],
        subject=first["subject"] or "",
        tags=_texts(first["tags"] or "[]", step, "tags"),
        meta=_meta(first["meta"] or "{}", step),
    )
    samples = tuple(_sample(prompt, row) for row in members)
    return Group(prompt, samples, step=step, seed=first["group_seed"] or 0)


def _texts(text: str, step: int, name: str) -> tuple[str, ...]:
    found = _parsed(text, step, name)
    if not (isinstance(found, list) and all(isinstance(tag, str) for tag in cast("list[Any]", found))):
        raise StoreError(f"step {step}: `{name}` is no list of texts: restore the step's rollouts")
    return tuple(cast("list[str]", found))


def _meta(text: str, step: int) -> dict[str, Any]:
    found = _parsed(text, step, "meta")
    if not isinstance(found, dict):
        raise StoreError(f"step {step}: `meta` is no object: restore the step's rollouts")
    return cast("dict[str, Any]", found)


def _parsed(text: str, step: int, name: str) -> Any:
    try:
        return parse_json(text)
    except ValueError as error:
        raise StoreError(f"step {step}: `{name}` {error}: restore the step's rollouts") from error


def _sample(prompt: Prompt, row: Row) -> Sample:
    key = row["picture"]
    return Sample(
        id=row["sample_id"],
        prompt=prompt,
        reply=row["reply"] or "",
        source=row["source"],
        picture=Picture(png=b"", width=0, height=0, key=key) if key else None,
        failure=_failure(row),
        tokens=row["tokens"] or 0,
        truncated=bool(row["truncated"]),
        seed=row["seed"] or 0,
        seconds=row["seconds_render"] or 0.0,
        calls=_texts(row["calls"], row["step"], "calls") if row.get("calls") else None,
    )


def _failure(row: Row) -> Failure | None:
    if row["failure_code"] is None:
        return None
    fault = cast(Fault, row["failure_fault"])
    return Failure(row["failure_code"], row["failure_message"] or "", fault, row["failure_stage"] or "")


def with_picture(run: Run, sample: Sample) -> Sample:
    """The sample with its picture's bytes, for somebody who is to look at it.

    Raises:
        StageError: the file is not there any more, which is nobody's score.
    """
    if sample.picture is None:
        return sample
    place = run.picture_path(sample.picture.key)
    try:
        picture = Picture.from_png(run.read_picture(sample.picture.key))
    except (StoreError, ValueError) as error:
        raise StageError(Failure("picture_lost", f"{place}: {error}", "system", "score")) from error
    return replace(sample, picture=picture)


def stored_score(row: Row, term: str) -> Score | None:
    """What a term said of a row; None where nobody answered, so that somebody has to be asked.

    That a term does not apply is kept when its scorer said so, and decided anew when its `when` did.
    """
    raw, status = row.get(f"{term}.raw"), row.get(f"{term}.status")
    reason = row.get(f"{term}.reason") or ""
    if raw is not None:
        return Score(raw, reason=reason, details=details_in(row.get(f"{term}.details")))
    if status == "not_applicable" and not reason.startswith("not_applicable: not when"):
        message = reason.removeprefix("not_applicable: ")
        return Score(None, Failure("not_applicable", message, "system", "score"))
    return None
