"""The picture that was to be edited, which models and judges of edits see beside what became of it.

A prompt names that picture's file in its `meta` (`{"source": "photos/cat.jpg"}`). Where it does not, or the
file is not there, there is no score: an edit is never judged as if it were a picture from nothing.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from salon.errors import StageError
from salon.files.untrusted import read_file
from salon.raster import to_picture
from salon.types import Critique, Failure, Picture, Prompt, Verdict

SOURCE = "source"
"""The key of a prompt's meta where the picture before is looked for, when a recipe names no other one."""


@runtime_checkable
class LooksAtEdits(Protocol):
    """A judge that can be shown the picture before; it wants it where `of_edits` is true."""

    identity: str

    @property
    def of_edits(self) -> bool:
        """Whether what it judges are edits."""
        ...

    def compare_edits(
        self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]], before: Picture
    ) -> list[Verdict | Failure]:
        """One verdict per pair of edits of one picture."""
        ...

    def critique_edit(self, prompt: Prompt, picture: Picture, before: Picture) -> Critique | Failure:
        """A critique of an edit."""
        ...


def judge_of_edits(judge: object) -> LooksAtEdits | None:
    """The judge, where it is one of edits."""
    return judge if isinstance(judge, LooksAtEdits) and judge.of_edits else None


def earlier(prompt: Prompt, key: str) -> list[Picture] | Failure:
    """The picture before an edit, where a judge looks for one under `key`; none where the key is empty."""
    if not key:
        return []
    try:
        return [picture_before(prompt, key, "judge")]
    except StageError as error:
        return error.failure


def picture_before(prompt: Prompt, key: str = SOURCE, stage: str = "score") -> Picture:
    """The picture that was to be edited.

    Raises:
        StageError: no_picture_before: the prompt names none, or its file cannot be read; unreadable_picture:
            the file is no picture. By the system's fault: the edit is not to blame.
    """
    path = prompt.meta.get(key, "")
    if not path:
        raise _lost("no_picture_before", f"the prompt {prompt.id} has no {key!r} in its meta", stage)
    try:
        data = read_file(path, follow=True)
    # A path with a NUL in it is a ValueError.
    except (OSError, ValueError) as error:
        told = f"{path}, named in the meta of the prompt {prompt.id}: {error}"
        raise _lost("no_picture_before", told, stage) from error
    try:
        return to_picture(data)
    except ValueError as error:
        raise _lost("unreadable_picture", f"{path}: {error}", stage) from error


def _lost(code: str, told: str, stage: str) -> StageError:
    return StageError(Failure(code, told[:500], "system", stage))
