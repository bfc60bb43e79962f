"""Models that score an edit: they see the picture that was to be edited, beside what became of it.

Where the prompt's picture is looked for is told in salon.judges.source_image. Where it is not there, the
whole group has no score.
"""

from collections.abc import Callable, Sequence

from salon.judges.preference_model import Request
from salon.judges.source_image import SOURCE, picture_before
from salon.llm.limits import judge_failure
from salon.types import Score

__all__ = ["SOURCE", "picture_before", "rate_edits"]


def rate_edits(
    requests: Sequence[Request], rate: Callable[[Sequence[Request]], Sequence[Score]]
) -> list[Score]:
    """`rate` of the requests that have exactly one picture before, in order; the others have no score."""
    whole = [request for request in requests if len(request.before) == 1]
    scores = iter(rate(whole) if whole else ())
    return [next(scores) if len(request.before) == 1 else _without(request) for request in requests]


def _without(request: Request) -> Score:
    told = f"an edit is scored with the one picture before it; there are {len(request.before)}"
    return Score(None, judge_failure("no_picture_before", told))
