"""Models that score an edit: they see the picture that was to be edited, beside what became of it.

A prompt names that picture's file in its `meta` (`{"source": "photos/cat.jpg"}`). Where it does not, or the
file is not there, the whole group has no score: an edit is never scored as if it were a picture from nothing.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from salon.errors import StageError
from salon.judges.limits import judge_failure
from salon.judges.rating import Request
from salon.raster import to_picture
from salon.types import Failure, Picture, Prompt, Score

SOURCE = "source"
"""The key of a prompt's meta where the scorers of edits look, when a recipe names no other one."""


def picture_before(prompt: Prompt, key: str = SOURCE) -> Picture:
    """The picture that was to be edited.

    Raises:
        StageError: no_picture_before: the prompt names none, or its file cannot be read; unreadable_picture:
            the file is no picture. By the system's fault: the edit is not to blame.
    """
    path = prompt.meta.get(key, "")
    if not path:
        raise _lost("no_picture_before", f"the prompt {prompt.id} has no {key!r} in its meta")
    try:
        data = Path(path).read_bytes()
    # A path with a NUL in it is a ValueError.
    except (OSError, ValueError) as error:
        told = f"{path}, named in the meta of the prompt {prompt.id}: {error}"
        raise _lost("no_picture_before", told) from error
    try:
        return to_picture(data)
    except ValueError as error:
        raise _lost("unreadable_picture", f"{path}: {error}") from error


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


def _lost(code: str, told: str) -> StageError:
    return StageError(Failure(code, told[:500], "system", "score"))
