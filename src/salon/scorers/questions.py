"""Yes/no questions about a picture, as a recipe writes them, and how they are asked.

    questions:
      - {id: flower, ask: "Is there a {subject} in the picture?"}
      - {ask: "Is the {subject} {colour}?", needs: [flower]}

A file of checklists (see salon.rubrics.checklists) has questions of their own for many prompts.

{subject}, {text} and the keys of a prompt's meta are filled in; a question whose word the prompt does not
have is not asked. `needs` names questions that stand above: when one of them is not satisfied, this one is
not either, without asking.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from salon import validation
from salon.errors import RecipeError
from salon.registry import did_you_mean
from salon.rubrics.checklists import load_checklists
from salon.types import Answer, Examiner, Failure, Picture, Prompt

Wanted = Literal["yes", "no"]
Inapplicable = Literal["fails", "skipped"]
"""What a question counts that does not apply to a picture: as not satisfied, or not at all."""
_WORD = re.compile(r"\{(\w+)\}")


class Question(BaseModel):
    """A question, the answer that satisfies it, and the questions that must be satisfied before."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    ask: Annotated[str, Field(min_length=1, pattern=r"\S")]
    id: str = ""
    needs: tuple[str, ...] = ()
    wanted: Wanted | None = None


class _Questions(BaseModel):
    model_config = ConfigDict(extra="forbid")
    questions: list[Question]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a question: satisfied or not, None where it does not apply, or why there is no
    answer. `id` is the question's, where it has one.
    """

    question: str
    satisfied: bool | None = None
    failure: Failure | None = None
    id: str = ""


def read_questions(
    written: Sequence[str | Mapping[str, Any]], scorer: str, wanted: Wanted = "yes"
) -> tuple[Question, ...]:
    """The questions of a recipe; a plain text is a question that needs nothing.

    Raises:
        RecipeError: names the question and what is wrong with it.
    """
    rows = [{"ask": row} if isinstance(row, str) else row for row in written]
    found = validation.validated(_Questions, {"questions": rows}, scorer).questions
    above: dict[str, None] = {}
    for number, question in enumerate(found):
        for name in question.needs:
            if name not in above:
                known = did_you_mean(name, above) if above else ""
                raise RecipeError(
                    f"{scorer}: questions.{number}.needs: no question above has the id {name!r}.{known}"
                )
        if question.id in above:
            raise RecipeError(f"{scorer}: questions.{number}.id: {question.id!r} stands twice. Rename one.")
        above |= {question.id: None} if question.id else {}
    return tuple(question.model_copy(update={"wanted": question.wanted or wanted}) for question in found)


def read_file(path: str, wanted: Wanted) -> dict[str, tuple[Question, ...]]:
    """The questions of a file of checklists, by the prompt's id and, beside it, by its text.

    Raises:
        RecipeError: names the file, the line and the remedy.
    """
    found: dict[str, tuple[Question, ...]] = {}
    for checklist in load_checklists(path).values():
        # The mark keeps a file's ids apart from those that a recipe writes.
        questions = tuple(
            Question(
                ask=item.ask,
                id=f"#{item.id}",
                needs=tuple(f"#{name}" for name in item.needs),
                wanted=item.wanted or wanted,
            )
            for item in checklist.questions
        )
        found[checklist.id] = questions
        found.setdefault(checklist.prompt, questions)
    return found


def questions_for(prompt: Prompt, questions: Sequence[Question], own: str, wanted: Wanted) -> list[Question]:
    """The questions that a prompt can be asked, filled in; then the prompt's own, one a line in meta[own]."""
    words = {"text": prompt.text, "subject": prompt.subject, **prompt.meta}
    asked: list[Question] = []
    for question in questions:
        has_words = all(words.get(word) for word in _WORD.findall(question.ask))
        if has_words and set(question.needs) <= {each.id for each in asked}:
            filled = _WORD.sub(lambda match: words[match[1]], question.ask)
            asked.append(question.model_copy(update={"ask": filled}))
    lines = prompt.meta.get(own, "").splitlines() if own else []
    return asked + [Question(ask=line.strip(), wanted=wanted) for line in lines if line.strip()]


def examine(
    judge: Examiner,
    prompt: Prompt,
    picture: Picture,
    questions: Sequence[Question],
    inapplicable: Inapplicable = "fails",
) -> list[Outcome]:
    """Ask, in rounds: first what needs nothing, then what those answers leave open.

    Returns:
        one outcome per question, in order. A question whose need failed is not satisfied; one whose need has
        no answer has none either; one whose need does not apply fails or is skipped with it.
    """
    known: dict[str, Outcome] = {}
    found: dict[int, Outcome] = {}
    while len(found) < len(questions):
        ready = [
            place
            for place, question in enumerate(questions)
            if place not in found and all(name in known for name in question.needs)
        ]
        open_ones = [
            place for place in ready if not _settle(place, questions[place], known, found, inapplicable)
        ]
        texts = [questions[place].ask for place in open_ones]
        answers = judge.answer(prompt, picture, texts) if texts else []
        if len(answers) != len(texts):
            raise ValueError(f"{judge.identity} gave {len(answers)} answers to {len(texts)} questions")
        for place, answer in zip(open_ones, answers, strict=True):
            found[place] = _outcome(questions[place], answer)
        known |= {questions[place].id: found[place] for place in ready if questions[place].id}
    return [replace(found[place], id=question.id) for place, question in enumerate(questions)]


def _settle(
    place: int,
    question: Question,
    known: Mapping[str, Outcome],
    found: dict[int, Outcome],
    inapplicable: Inapplicable,
) -> bool:
    """Whether the needs of a question already say what becomes of it."""
    needs = [known[name] for name in question.needs]
    idle = any(need.failure is None and need.satisfied is None for need in needs)
    failed = any(need.satisfied is False for need in needs) or (idle and inapplicable == "fails")
    lost = next((need.failure for need in needs if need.failure), None)
    if failed:
        found[place] = Outcome(question.ask, False)
    elif lost or idle:
        found[place] = Outcome(question.ask, failure=lost)
    return place in found


def _outcome(question: Question, answer: Answer | Failure) -> Outcome:
    if isinstance(answer, Failure):
        return Outcome(question.ask, failure=answer)
    if answer.yes is None:
        return Outcome(question.ask)
    return Outcome(question.ask, answer.yes == (question.wanted != "no"))
