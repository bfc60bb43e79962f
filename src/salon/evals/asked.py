"""Checklists put to a judge about pictures that are there: which, of what, and what it said to each question.

    {"picture": "rose-1.png", "id": "rose", "answers": {"1": "yes", "2": "no"}}
    {"picture": "rose-2.png", "prompt": "a red rose", "group": "second try"}

A picture belongs to the checklist of this `id`, or of this `prompt`. `answers`, where somebody gave them, are
what is right. Pictures of one `group` were made for one prompt at one time; without it, by one prompt.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from salon import validation
from salon.errors import RecipeError
from salon.judges.measuring.labelled_pairs import PictureFile
from salon.rubrics.checklists import Item, PromptChecklist, as_answer
from salon.store.runs import Run, write_atomic
from salon.types import Answer, Examiner, Failure, Picture, Prompt

Said = Literal["yes", "no", "n/a"]
WORDS: Mapping[Said, bool | None] = {"yes": True, "no": False, "n/a": None}
RUN_MARK = "manifest.json"


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid")
    picture: Annotated[str, Field(min_length=1)]
    id: Annotated[str, Field(coerce_numbers_to_str=True)] = ""
    prompt: str = ""
    group: Annotated[str, Field(coerce_numbers_to_str=True)] = ""
    answers: dict[str, Annotated[Said, BeforeValidator(as_answer)]] = {}


@dataclass(frozen=True, slots=True)
class Case:
    """A picture, what it was made for, and the questions about it, needs first. `right` has the known answers
    by the question's id; None is "does not apply".
    """

    group: str
    prompt: Prompt
    picture: PictureFile
    items: tuple[Item, ...]
    right: Mapping[str, bool | None] = field(default_factory=dict[str, bool | None])


@dataclass(frozen=True, slots=True)
class Reply:
    """What was said to one question about one picture: an answer, a failure, or (None) it was not asked,
    since a need of it was not satisfied. `place` of `together` is where it stood in its call, from 1.
    """

    case: Case
    item: Item
    answer: Answer | Failure | None
    place: int = 1
    together: int = 1

    @property
    def said(self) -> Said | None:
        """The answer in a word; None where there is none."""
        if not isinstance(self.answer, Answer):
            return None
        return {True: "yes", False: "no", None: "n/a"}[self.answer.yes]  # type: ignore[return-value]

    @property
    def key(self) -> tuple[str, str, str]:
        """Which question about which picture."""
        return (self.case.group, str(self.case.picture.path), self.item.id)

    def row(self, way: str) -> dict[str, object]:
        """As JSON takes it."""
        failure = self.answer.code if isinstance(self.answer, Failure) else None
        return {
            "way": way,
            "group": self.case.group,
            "picture": str(self.case.picture.path),
            "id": self.item.id,
            "ask": self.item.ask,
            "said": self.said,
            "failure": failure,
            "place": self.place,
            "together": self.together,
        }


def load_cases(
    where: str | Path, checklists: Mapping[str, PromptChecklist], limit: int | None = None
) -> list[Case]:
    """The pictures of a .jsonl file, or those of a run's folder, that have a checklist.

    Args:
        where: the file or the folder.
        checklists: by the prompt's id.
        limit: so many pictures at most; of a run, the last ones.

    Warns:
        BadRows: some lines cannot be used; names all of them, with the key.

    Raises:
        RecipeError: no line can, or no picture has a checklist.
    """
    texts = {each.prompt: each for each in checklists.values()}
    if os.path.exists(Path(where) / RUN_MARK):
        found = _of_run(Run.open(where), checklists, texts)[-limit if limit else None :]
    else:
        found = _of_file(Path(where), checklists, texts)[:limit]
    if not found:
        raise RecipeError(
            f"{where}: no picture has a checklist: neither the ids nor the prompts' texts agree."
        )
    return found


def _of_file(
    file: Path, checklists: Mapping[str, PromptChecklist], texts: Mapping[str, PromptChecklist]
) -> list[Case]:
    rows, bad = validation.read_rows(file, _Row)

    def read(row: _Row, line: int) -> Case:
        own = checklists.get(row.id) or texts.get(row.prompt)
        if own is None:
            raise RecipeError(
                f"{file}, line {line}: no checklist has the id {row.id!r} or the prompt {row.prompt!r}."
            )
        known = {item.id for item in own.questions}
        if unknown := sorted(row.answers.keys() - known):
            raise RecipeError(f"{file}, line {line}: answers.{unknown[0]}: {own.id!r} has no such question.")
        right = {name: WORDS[said] for name, said in row.answers.items()}
        path = PictureFile(file.parent / row.picture)
        return Case(row.group or own.id, Prompt(own.id, own.prompt), path, own.questions, right)

    cases = validation.sift(file, rows, bad, read)
    validation.leave_out(file, bad, len(cases))
    return cases


def _of_run(
    run: Run, checklists: Mapping[str, PromptChecklist], texts: Mapping[str, PromptChecklist]
) -> list[Case]:
    cases: list[Case] = []
    columns = ("step", "group", "prompt_id", "prompt", "picture", "failure_code")
    for row in run.rollouts(run.steps()).select(columns).iter_rows(named=True):
        own = checklists.get(row["prompt_id"]) or texts.get(row["prompt"])
        if own is None or row["picture"] is None or row["failure_code"] is not None:
            continue
        picture = PictureFile(run.picture_path(row["picture"]))
        prompt = Prompt(row["prompt_id"], row["prompt"])
        cases.append(Case(f"step {row['step']}, group {row['group']}", prompt, picture, own.questions))
    return cases


def ask_flat(judge: Examiner, case: Case, picture: Picture, together: int = 1) -> list[Reply]:
    """Every question, whatever the others come to: `together` at once, as the judge is set to."""
    answers = judge.answer(case.prompt, picture, [item.ask for item in case.items])
    count = len(case.items)
    return [
        Reply(case, item, answer, at % together + 1, min(together, count - at // together * together))
        for at, (item, answer) in enumerate(zip(case.items, answers, strict=True))
    ]


def ask_by_needs(judge: Examiner, case: Case, picture: Picture, wanted: Said = "yes") -> list[Reply]:
    """As a reward asks: a question whose need is not satisfied is not asked."""
    known: dict[str, Answer | Failure | None] = {}
    left = list(case.items)
    while left:
        ready = [item for item in left if all(name in known for name in item.needs)]
        met = [
            item for item in ready if all(_met(known[name], _item(case, name), wanted) for name in item.needs)
        ]
        answers = judge.answer(case.prompt, picture, [item.ask for item in met]) if met else []
        known |= {item.id: None for item in ready}
        known |= {item.id: answer for item, answer in zip(met, answers, strict=True)}
        left = [item for item in left if item.id not in known]
    return [Reply(case, item, known[item.id]) for item in case.items]


def _item(case: Case, name: str) -> Item:
    return next(item for item in case.items if item.id == name)


def _met(answer: Answer | Failure | None, item: Item, wanted: Said) -> bool:
    return isinstance(answer, Answer) and answer.yes is WORDS[item.wanted or wanted]


WRITES = ("answers.jsonl", "report.json")


def write_answers(folder: str | Path, ways: Mapping[str, Sequence[Reply]], report: object) -> None:
    """answers.jsonl with what was said, a line for each question, and report.json."""
    rows = [reply.row(way) for way, replies in ways.items() for reply in replies]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    write_atomic(Path(folder) / "answers.jsonl", lines.encode("utf-8", "replace"))
    told = json.dumps(report, ensure_ascii=False, indent=2)
    write_atomic(Path(folder) / "report.json", f"{told}\n".encode("utf-8", "replace"))


def agreement(one: Sequence[Reply], other: Sequence[Reply]) -> list[tuple[Reply, Reply]]:
    """The questions that were answered both times, with both answers."""
    by_key = {reply.key: reply for reply in other if reply.said is not None}
    return [(reply, by_key[reply.key]) for reply in one if reply.said is not None and reply.key in by_key]


def failures_of(replies: Sequence[Reply]) -> dict[str, int]:
    """Questions without an answer, by code."""
    codes = [reply.answer.code for reply in replies if isinstance(reply.answer, Failure)]
    return {code: codes.count(code) for code in sorted(set(codes))}
