"""Does the picture keep to what was forbidden? The share of constraints that it complies with."""

from collections.abc import Mapping, Sequence
from typing import Any

from salon.types import Examiner

from .asking import HALF
from .checklist import Checklist
from .questions import Inapplicable, Wanted


class Constraints(Checklist):
    """The share of absence-oriented questions answered no, 0 … 1: unwanted elements, backgrounds, styles.

    "Is there any text?" is complied with by a no; `wanted: yes` turns a question round. A constraint that
    does not apply to the picture does not count. Let it count only where a prompt is strict: `when:
    "labels.intent == 'strict'"`.

    Args:
        judge, questions, file, inapplicable, min_coverage: as of the checklist.
        meta: the key of a prompt's meta with its own constraints, one a line.

    Source: the constraints of arXiv 2610.02967, whose gate by intent is worth .6046 → .6416 of its win rate.
    """

    version = "4"
    _name = "constraints"
    _wanted: Wanted = "no"

    def __init__(
        self,
        judge: Examiner,
        questions: Sequence[str | Mapping[str, Any]] = (),
        meta: str = "constraints",
        file: str | None = None,
        inapplicable: Inapplicable = "skipped",
        min_coverage: float = HALF,
    ) -> None:
        super().__init__(judge, questions, meta, file, inapplicable, min_coverage)
