"""Text in, text out: the language model that writes rubrics, checklists and labels.

An author is anything with an `identity` and `write(messages)`. What it cannot answer is a failure of the
system; what it answers is text, that whoever asked must read strictly.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar, runtime_checkable

from salon.errors import StageError
from salon.types import Failure, Picture

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Message:
    """One turn. `parts` are texts and pictures in the order in which they are shown."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[str | Picture, ...]

    @property
    def text(self) -> str:
        """Its texts, one a line."""
        return "\n".join(part for part in self.parts if isinstance(part, str))


@runtime_checkable
class Author(Protocol):
    """Writes text. `identity` names the model and its settings; it changes whenever an answer could."""

    identity: str

    def write(self, messages: Sequence[Message]) -> str | Failure:
        """The reply, or why there is none. May be called from several threads."""
        ...


@runtime_checkable
class Keeper(Author, Protocol):
    """An author that gives the same reply to the same question, once it is told that it could be used."""

    def keep(self, messages: Sequence[Message], reply: str) -> None:
        """Keep this reply to these messages."""
        ...


class Unusable(StageError):
    """A reply that cannot be used. `reply` is what was written, to be sent back with what is wrong."""

    def __init__(self, failure: Failure, reply: str) -> None:
        super().__init__(failure)
        self.reply = reply


def written(author: Author, messages: Sequence[Message], read: Callable[[str], Found]) -> Found:
    """What `read` makes of the author's reply. A reply that it raises StageError for is kept nowhere, so that
    the next one who asks the same gets another.

    Raises:
        Unusable: `read` refused the reply.
        StageError: there is no reply.
    """
    reply = author.write(messages)
    if isinstance(reply, Failure):
        raise StageError(reply)
    try:
        found = read(reply)
    except StageError as error:
        raise Unusable(error.failure, reply) from error
    if isinstance(author, Keeper):
        author.keep(messages, reply)
    return found


class ScriptedAuthor:
    """An author without a model, for tests and examples.

    Args:
        script: takes the messages and says what to reply; or a mapping from a word in them to the reply, of
        which
            the first that fits is taken.
        name: its identity.
    """

    def __init__(
        self, script: Callable[[Sequence[Message]], str | Failure] | Mapping[str, str], name: str = "scripted"
    ) -> None:
        self.identity = name
        self._script = script

    def write(self, messages: Sequence[Message]) -> str | Failure:
        """What the script says; a failure where it has no line for this."""
        if not isinstance(self._script, Mapping):
            return self._script(messages)
        shown = "\n".join(message.text for message in messages)
        fitting = (reply for word, reply in self._script.items() if word in shown)
        return next(fitting, Failure("no_line", "the script has no line for this", "system", "judge"))
