"""Score files under a reward: render where needed, ask the scorers group by group, compose, rank, write.

Every group that was answered is a line of `<out>.steps.jsonl`, so that the same command goes on after a kill
or an outage without asking anything twice.
"""

import hashlib
import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, model_validator

from salon.errors import BudgetSpent, RecipeError
from salon.files.csv_text import csv_of
from salon.files.outputs import check_outputs
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.judges.vlm.rational import RationalJudge
from salon.llm.chat_client import ChatClient
from salon.llm.limits import BUDGET_SPENT
from salon.markup import printable
from salon.media import open_medium
from salon.media.command.sources import Source
from salon.media.render_samples import develop
from salon.raster import to_picture
from salon.registry import Kind, source_digest
from salon.rewards.content_hashes import contents_of, files_named
from salon.rewards.engine import RewardEngine
from salon.rewards.judging.naming import without_key
from salon.rewards.recipe import RewardRecipe
from salon.rubrics.journal import REMEDY, Journal, Number, Step, beside
from salon.scorers.base_comparison import NO_POLICY
from salon.store.runs import write_atomic
from salon.types import Failure, Fault, Group, Medium, Sample, Score
from salon.validation import read_bytes

from .about import meta_read, reads_anything
from .inputs import Row
from .scored import Scored, composed

AT_ONCE = 4
"""Groups that are scored at once."""
KEPT = "kept from before"
"""What `tell` is told of groups that are not asked about again."""
LONGEST = 2000
"""Characters of a cell."""
_SETTLED = ("not_applicable", "gated", NO_POLICY)
_FRONT = (
    "step",
    "group",
    "prompt_id",
    "prompt",
    "sample_id",
    "rank",
    "total",
    "missing",
    "tokens",
    "picture",
    "file",
)
_FAILED = ("failure_code", "failure_fault", "failure_message")
_TERM = ("raw", "normalized", "weighted", "status", "reason")

Tell = Callable[[str, int, int], None]
Scores = dict[str, list[Score]]
_NO_ARGS: Mapping[str, Any] = {}


class _ScoreRow(BaseModel):
    """A score as a line has it: a value, or a failure's code, message, fault and stage."""

    value: Number | None
    reason: str
    details: dict[str, Number]
    failure: tuple[str, str, Fault, str] | None

    @model_validator(mode="after")
    def _is_either(self) -> "_ScoreRow":
        if (self.value is None) == (self.failure is None):
            raise ValueError("a score has either a value or a failure")
        return self


class ScoredStep(Step):
    """A group's scores, by term."""

    key: str
    scores: dict[str, list[_ScoreRow]]


STEPS: Mapping[str, type[Step]] = {"scored": ScoredStep}


def score_rows(
    recipe: RewardRecipe,
    rows: Sequence[Row],
    out: Path,
    medium: str = "",
    seed: int = 0,
    tell: Tell = lambda what, done, of: None,
    fresh: bool = False,
) -> list[Scored]:
    """Score rows, and write them to `out`. Rows of one group and step compete with each other.

    Args:
        medium: how replies and sources become pictures; by default each by its file's ending or its text.
        seed: draws references and the like, as a run's.
        tell: is told of what is being done: "rendering", "scoring groups", and of groups that are `KEPT`.
        fresh: ask about all groups, also those that were answered before.

    Raises:
        RecipeError, SetupError: the recipe or the medium cannot be built, or `out` cannot be written.
        BudgetSpent: a judge may spend no more; what was scored is written.
    """
    check_outputs({"out": out})
    engine = open_engine(recipe, seed)
    drafts = [_draft(row) for row in rows]
    samples = rendered(
        drafts,
        [medium or medium_of(draft, _path(row)) for draft, row in zip(drafts, rows, strict=True)],
        tell,
    )
    groups, files = _groups(recipe, rows, samples, seed)
    if not os.path.exists(out):
        # From now on: its journal alone would be somebody else's.
        write_atomic(out, b"")
    with Journal(beside(out), STEPS) as journal:
        found = _asked(engine, groups, [] if fresh else journal.steps, journal, tell)
    scored = composed(recipe, groups, files, found)
    write_atomic(out, table_of(recipe, scored).encode("utf-8", "replace"))
    codes = {s.failure.code for each in found for column in each.values() for s in column if s.failure}
    if BUDGET_SPENT in codes:
        raise BudgetSpent(f"a judge's budget is spent. {out} has what was scored; raise it and start again.")
    return scored


def open_engine(recipe: RewardRecipe, seed: int = 0) -> RewardEngine:
    """A reward with its parts built.

    Raises:
        RecipeError, SetupError: a part cannot be built; or a judge is a public service, and its key is
            missing. Nobody is asked.
    """
    engine = RewardEngine(recipe, seed)
    for judge in engine.judges.values():
        server = judge.server if isinstance(judge, OpenAIJudge | RationalJudge) else None
        if isinstance(server, ChatClient) and (problem := without_key(server)):
            raise RecipeError(problem)
    return engine


def medium_of(draft: Sample, path: Path | None = None) -> str:
    """The built-in medium for a sample's reply: by its file's ending, or else by what stands in it."""
    return Source(draft.id, draft.id, draft.seed, draft.reply, path).medium()


def rendered(
    drafts: Sequence[Sample],
    media: Sequence[str],
    tell: Tell = lambda what, done, of: None,
    args: Mapping[str, Any] = _NO_ARGS,
) -> list[Sample]:
    """The samples, in order; what is neither a picture nor failed yet is rendered, each medium's together.

    Args:
        drafts: N samples with a reply, a picture or a failure.
        media: the medium of each.
        args: what the media take.
    """
    found = dict(enumerate(drafts))
    waiting: dict[str, list[int]] = {}
    for place, draft in found.items():
        if draft.picture is None and draft.failure is None:
            waiting.setdefault(media[place], []).append(place)
    done, of = 0, sum(map(len, waiting.values()))
    with ExitStack() as stack:
        for name, places in waiting.items():
            opened: Medium = stack.enter_context(closing(open_medium(name, **args)))
            for at in range(0, len(places), 16):
                part = places[at : at + 16]
                found |= dict(zip(part, develop(opened, [found[each] for each in part]), strict=True))
                done += len(part)
                tell("rendering", done, of)
    return [found[place] for place in range(len(drafts))]


def _path(row: Row) -> Path | None:
    return Path(f"x{row.suffix}") if row.suffix == ".svg" else None


def _draft(row: Row) -> Sample:
    draft = Sample(
        id=row.id,
        prompt=row.prompt,
        reply=row.text,
        tokens=row.tokens or len(row.text) // 4,
        seed=row.seed,
    )
    if row.fault:
        return replace(
            draft, failure=Failure("unreadable_row", f"{row.place}: {row.fault}", "system", "extract")
        )
    if row.picture is None:
        return draft
    try:
        return replace(draft, picture=to_picture(read_bytes(row.picture)), source=row.text or None)
    except ValueError as error:
        told = f"{row.picture}: {error}"
        return replace(draft, failure=Failure("unreadable_picture", told, "system", "extract"))


def _groups(
    recipe: RewardRecipe, rows: Sequence[Row], samples: Sequence[Sample], seed: int
) -> tuple[list[Group], list[list[str]]]:
    """The rows of one step, group and prompt, in order of appearance, and the files they were read from.
    Prompts are told apart by what the reward reads of them.
    """
    read = None if reads_anything(recipe) else meta_read(recipe)
    members: dict[tuple[object, ...], list[tuple[Sample, str]]] = {}
    for row, sample in zip(rows, samples, strict=True):
        about = row.prompt
        meta = sorted((key, said) for key, said in about.meta.items() if read is None or key in read)
        key = (row.step, row.group, about.text, about.subject, about.tags, tuple(meta))
        members.setdefault(key, []).append((sample, row.file))
    groups = [
        Group(found[0][0].prompt, tuple(sample for sample, _ in found), step=cast("int", key[0]), seed=seed)
        for key, found in members.items()
    ]
    return groups, [[file for _, file in found] for found in members.values()]


def _asked(
    engine: RewardEngine, groups: Sequence[Group], kept: Sequence[Any], journal: Journal, tell: Tell
) -> list[Scores]:
    """The scores of each group, of the steps that are kept where they are there. A group in which somebody
    did not answer is asked again by the next run.
    """
    known = {step["key"]: step["scores"] for step in kept}
    asked = [engine.recipe.digest, engine.identities(), _own_code(engine.recipe), contents_of(engine.recipe)]
    who = json.dumps(asked, sort_keys=True)
    keys = [_key(who, group) for group in groups]
    for place, key in enumerate(keys):
        if key in known and not _fits(known[key], engine.recipe, groups[place]):
            raise RecipeError(f"{journal.path}: {key}: are not the scores of such a group. {REMEDY}")
    found: dict[int, Scores] = {
        place: {term: [_score_in(row) for row in column] for term, column in known[key].items()}
        for place, key in enumerate(keys)
        if key in known
    }
    if found:
        tell(KEPT, len(found), len(groups))
    left = [place for place in range(len(groups)) if place not in found]
    for at in range(0, len(left), AT_ONCE):
        part = left[at : at + AT_ONCE]
        for place, scores in zip(part, engine.score([groups[each] for each in part]), strict=True):
            found[place] = scores
            if all(_is_settled(score) for column in scores.values() for score in column):
                rows = {term: [_score_row(score) for score in column] for term, column in scores.items()}
                journal.append({"step": "scored", "key": keys[place], "scores": rows})
        tell("scoring groups", len(groups) - len(left) + at + len(part), len(groups))
    return [found[place] for place in range(len(groups))]


def _fits(columns: Mapping[str, Sequence[object]], recipe: RewardRecipe, group: Group) -> bool:
    return columns.keys() == recipe.terms.keys() and all(
        len(column) == len(group.samples) for column in columns.values()
    )


def _own_code(recipe: RewardRecipe) -> dict[str, str]:
    """The sources of the parts that are somebody's own: edited, they are others, whatever their version."""
    parts: set[tuple[Kind, str]] = {("scorer", term.scorer) for term in recipe.terms.values()}
    parts |= {("judge", each.kind) for each in recipe.judges.values()}
    parts |= {("classifier", each.kind) for each in recipe.classifiers.values()}
    return {path: source_digest(kind, path) for kind, path in sorted(parts) if ":" in path}


def _key(who: str, group: Group) -> str:
    prompt = group.prompt
    seen = [
        [s.id, s.reply, s.picture.key if s.picture else None, s.failure.code if s.failure else None, s.seed]
        for s in group.samples
    ]
    told = [prompt.id, prompt.text, prompt.subject, prompt.tags, dict(prompt.meta)]
    asked = [who, *told, files_named(*map(str, prompt.meta.values())), group.step, group.seed, seen]
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def _is_settled(score: Score) -> bool:
    failure = score.failure
    return failure is None or failure.fault == "sample" or failure.code in _SETTLED


def _score_row(score: Score) -> dict[str, Any]:
    failure = score.failure
    told = [failure.code, failure.message, failure.fault, failure.stage] if failure else None
    # A number that is none has no place in JSON, and these are only worth keeping.
    details = {name: number for name, number in score.details.items() if math.isfinite(number)}
    return {"value": score.value, "reason": score.reason, "details": details, "failure": told}


def _score_in(row: Mapping[str, Any]) -> Score:
    failure = Failure(*row["failure"]) if row["failure"] else None
    return Score(row["value"], failure, row["reason"], row["details"])


def table_of(recipe: RewardRecipe, scored: Sequence[Scored]) -> str:
    """The CSV: a row for each sample, as `salon diagnose` reads it, with five columns for each term."""
    head = [*_FRONT, *_FAILED, *(f"{term}.{part}" for term in recipe.terms for part in _TERM)]
    return csv_of([head, *(_row(recipe, each) for each in scored)])


def _row(recipe: RewardRecipe, each: Scored) -> list[object]:
    sample, failure = each.sample, each.sample.failure
    front = [each.step, each.group, sample.prompt.id, sample.prompt.text, sample.id, _cell(each.rank)]
    front += [_cell(each.reward.total), " ".join(each.missing), sample.tokens]
    front += [sample.picture.key if sample.picture else "", each.file]
    front += [failure.code, failure.fault, failure.message] if failure else ["", "", ""]
    values = {value.term: value for value in each.reward.terms}
    parts = [
        cell
        for term in recipe.terms
        for cell in (
            _cell(values[term].raw),
            _cell(values[term].normalized),
            _cell(values[term].weighted),
            values[term].status,
            values[term].reason,
        )
    ]
    return [printable(cell, LONGEST) if isinstance(cell, str) else cell for cell in (*front, *parts)]


def _cell(value: float | None) -> str:
    return "" if value is None else repr(value)
