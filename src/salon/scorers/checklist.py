"""Does the picture show what was asked? The share of a checklist's yes/no questions that it satisfies."""

from collections.abc import Mapping, Sequence
from typing import Any

from salon.scorers.looking import able, each_picture, missing, not_applicable
from salon.scorers.questions import Outcome, Question, Wanted, examine, questions_for, read_questions
from salon.types import Examiner, Group, Picture, Prompt, Score


class Checklist:
    """The share of questions answered yes, 0 … 1, over the questions that were answered.

    A question that does not apply to the picture counts as not satisfied, and so does one whose need failed
    (see salon.scorers.questions). A picture of which no question was answered has no score.

    Args:
        judge: who answers.
        questions: for every prompt; each a text, or {ask, id, needs, wanted}.
        meta: the key of a prompt's meta with its own questions, one a line. A prompt with no question at all
            is not applicable.

    Raises:
        RecipeError: a question is malformed, or the judge answers none.

    Source: the faithfulness checklist of arXiv 2610.02967.
    """

    version = "1"
    _name = "checklist"
    _wanted: Wanted = "yes"

    def __init__(
        self, judge: Examiner, questions: Sequence[str | Mapping[str, Any]] = (), meta: str = "checklist"
    ) -> None:
        self._judge: Examiner = able(judge, Examiner, self._name, "answers questions")
        self._questions = read_questions(questions, self._name, self._wanted)
        self._meta = meta

    def score(self, group: Group) -> list[Score]:
        """One share per sample."""
        questions = questions_for(group.prompt, self._questions, self._meta, self._wanted)
        if not questions:
            return not_applicable(group, "the prompt has no question")
        return each_picture(group, lambda picture: self._look(group.prompt, picture, questions))

    def _look(self, prompt: Prompt, picture: Picture, questions: Sequence[Question]) -> Score:
        return self._tally(examine(self._judge, prompt, picture, questions))

    def _tally(self, outcomes: Sequence[Outcome]) -> Score:
        return share(outcomes, [outcome for outcome in outcomes if outcome.failure is None])


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
        },
    )
