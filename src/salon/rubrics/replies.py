"""Reading what an author wrote: one JSON object, wherever it stands in the reply, checked by a model of
ours.
"""

from typing import TypeVar

from pydantic import BaseModel

from salon import validation
from salon.errors import RecipeError, StageError
from salon.files.untrusted import has_half_characters
from salon.llm.json_reply import objects
from salon.llm.thinking import is_unfinished, without_thinking
from salon.types import Failure

Form = TypeVar("Form", bound=BaseModel)
MAX_CHARACTERS = 400_000


def malformed(what: str) -> StageError:
    """The error of a reply that cannot be read: the author's fault, so the system's."""
    return StageError(Failure("malformed_reply", what[:1000], "system", "judge"))


def read_form(text: str, form: type[Form]) -> Form:
    """The one JSON object of the reply that has the form's first key, checked.

    Prose, code fences and thinking around it do not matter.

    Raises:
        StageError: with code malformed_reply; its message says what is wrong, in words the author can use.
    """
    if len(text) > MAX_CHARACTERS:
        raise malformed(f"the reply has {len(text)} characters; {MAX_CHARACTERS} are read")
    key = next(iter(form.model_fields))
    spoken = without_thinking(text)
    if is_unfinished(spoken):
        raise malformed("the reply opens a code fence that never ends; write the JSON object alone")
    try:
        found = [each for each in objects(spoken) if key in each]
    except StageError as error:
        raise malformed(error.failure.message) from error
    if len(found) != 1:
        raise malformed(f"{len(found)} JSON objects in the reply have the key {key!r}; write exactly one")
    if has_half_characters(found[0]):
        raise malformed(
            "the object has half of a surrogate pair (\\ud800 to \\udfff); write whole characters"
        )
    try:
        return validation.validated(form, found[0], "reply")
    except RecipeError as error:
        raise malformed(str(error)) from error
