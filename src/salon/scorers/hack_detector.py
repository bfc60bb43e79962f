"""Does the picture show a way of pleasing the judge that nobody wants? For the role `veto`: 1 is a
violation.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from salon.errors import RecipeError
from salon.types import Examiner, Score

from .asking import missing
from .checklist import Checklist
from .questions import Outcome, Wanted


class HackDetector(Checklist):
    """1 when a question is answered yes ("Is there broken text?"), 0 when all are answered no.

    It looks at one picture. A yes counts even when other questions stay open; without a yes, an open question
    leaves it unknown, and the score is missing. A question that does not apply is no violation.

    Args:
        judge: who answers.
        questions: the failures to look for; `wanted: no` turns a question round.

    Source: the pointwise detectors of arXiv 2610.02967.
    """

    _name = "hack_detector"
    _wanted: Wanted = "yes"

    def __init__(self, judge: Examiner, questions: Sequence[str | Mapping[str, Any]]) -> None:
        if not questions:
            raise RecipeError("hack_detector: questions: name at least one failure to look for.")
        super().__init__(judge, questions, meta="")

    def _counters(self, outcomes: Sequence[Outcome], roots: Collection[str]) -> Score:
        seen = [outcome.question for outcome in outcomes if outcome.satisfied]
        lost = next((outcome.failure for outcome in outcomes if outcome.failure), None)
        if lost is not None and not seen:
            return missing(lost)
        reason = f"yes: {'; '.join(seen[:3])}" if seen else "clean"
        return Score(float(bool(seen)), reason=reason, details={"violations": float(len(seen))})
