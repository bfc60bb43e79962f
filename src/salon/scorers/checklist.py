"""Does the picture show what was asked? The share of a checklist's yes/no questions that it satisfies."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, get_args

from salon.errors import RecipeError
from salon.types import Examiner, Failure, Group, Picture, Prompt, Score

from .asking import (
    HALF,
    NOTHING_APPLIES,
    able,
    coverage_of,
    missing,
    not_applicable,
    part_only,
    score_each_picture,
)
from .questions import (
    Inapplicable,
    Outcome,
    Question,
    Wanted,
    examine,
    questions_for,
    read_file,
    read_questions,
)


class Checklist:
    """The share of questions answered yes, 0 … 1, over the questions that were answered.

    A question whose need failed is not satisfied, without asking (see salon.scorers.questions). A picture of
    which too few questions were answered, or not a root (which needs nothing, and others need it), has no
    score (`low_coverage`), nor has one to which none applies where such questions are skipped
    (`nothing_applies`).

    Args:
        judge: who answers.
        questions: for every prompt; each a text, or {ask, id, needs, wanted}.
        meta: the key of a prompt's meta with its own questions, one a line. A prompt with no question at all
            is not applicable.
        file: checklists by prompt, .jsonl or .csv (see salon.rubrics.checklists). A prompt is found by its
            id, else by its text; one that is not in the file has no score (`no_checklist`).
        inapplicable: what a question counts that does not apply to the picture: `fails` or `skipped`.
        min_coverage: the least share of the questions that must have come to something; above 0, each root
            must have, too. 0 takes whatever there is.

    Raises:
        RecipeError: a question or the file is malformed, or the judge answers none.

    Source: the faithfulness checklist of arXiv 2610.02967.
    """

    version = "3"
    asks = "answer"
    _name = "checklist"
    _wanted: Wanted = "yes"

    def __init__(
        self,
        judge: Examiner,
        questions: Sequence[str | Mapping[str, Any]] = (),
        meta: str = "checklist",
        file: str | None = None,
        inapplicable: Inapplicable = "fails",
        min_coverage: float = HALF,
    ) -> None:
        if inapplicable not in get_args(Inapplicable):
            raise RecipeError(f"{self._name}: inapplicable: is fails or skipped, not {inapplicable!r}")
        self._judge: Examiner = able(judge, Examiner, self._name, "answers questions")
        self._questions = read_questions(questions, self._name, self._wanted)
        self._meta = meta
        self._file = read_file(file, self._wanted) if file is not None else None
        self._inapplicable: Inapplicable = inapplicable
        self._least = coverage_of(min_coverage, self._name)

    def score(self, group: Group) -> list[Score]:
        """One share per sample."""
        prompt = group.prompt
        questions = questions_for(prompt, self._questions, self._meta, self._wanted)
        if self._file is not None:
            own = self._file.get(prompt.id) or self._file.get(prompt.text)
            if own is None:
                told = f"the file has no checklist for the prompt {prompt.id!r}"
                return [missing(Failure("no_checklist", told, "system", "score")) for _ in group.samples]
            questions = [*questions, *own]
        if not questions:
            return not_applicable(group, "the prompt has no question")
        return score_each_picture(group, lambda picture: self._look(group.prompt, picture, questions))

    def _look(self, prompt: Prompt, picture: Picture, questions: Sequence[Question]) -> Score:
        outcomes = examine(self._judge, prompt, picture, questions, self._inapplicable)
        needed = {name for question in questions for name in question.needs}
        roots = needed & {question.id for question in questions if not question.needs}
        return self._counters(outcomes, roots)

    def _counters(self, outcomes: Sequence[Outcome], roots: Collection[str]) -> Score:
        lost = [outcome for outcome in outcomes if outcome.failure is not None]
        answered = len(outcomes) - len(lost)
        open_root = next((outcome for outcome in lost if outcome.id in roots), None)
        too_little = answered < self._least * len(outcomes) or (self._least > 0 and open_root is not None)
        if answered and too_little:
            return part_only(
                "questions", answered, len(outcomes), self._least, (open_root or lost[0]).failure
            )
        skips = self._inapplicable == "skipped"
        counted = [
            each for each in outcomes if each.failure is None and not (skips and each.satisfied is None)
        ]
        if not counted and all(outcome.failure is None for outcome in outcomes):
            told = "no question applies to the picture"
            return missing(Failure(NOTHING_APPLIES, told, "system", "score"))
        return share(outcomes, counted)


def share(outcomes: Sequence[Outcome], counted: Sequence[Outcome]) -> Score:
    """The share of counted outcomes that are satisfied; missing where nothing counts."""
    lost = next((outcome.failure for outcome in outcomes if outcome.failure), None)
    if not counted and lost is not None:
        return missing(lost)
    against = [outcome.question for outcome in counted if not outcome.satisfied]
    satisfied = len(counted) - len(against)
    told = f"{satisfied} of {len(counted)} satisfied"
    return Score(
        value=satisfied / len(counted),
        reason=f"{told}; not: {'; '.join(against[:3])}" if against else told,
        details={
            "asked": float(len(outcomes)),
            "satisfied": float(satisfied),
            "unanswered": float(sum(outcome.failure is not None for outcome in outcomes)),
            "coverage": sum(outcome.failure is None for outcome in outcomes) / len(outcomes),
        },
    )
