"""What a judge reads beside the pictures: the prompt, a criterion, a question, the picture before an edit.

A judge that ignores a criterion without a word verifies whatever it is told. So a judge declares what it
reads, a server hands the declaration on, and what a judge cannot read is refused by name: with the code
`cannot_read`, by the system's fault, whoever asks.

    class MyJudge:
        reads = frozenset({"prompt"})       # not declared: what its methods say (with_criteria, answer …)
"""

from collections.abc import Collection
from typing import Literal, Protocol, cast, get_args, runtime_checkable

from salon.errors import RecipeError, StageError
from salon.llm.limits import CANNOT_READ as CANNOT_READ
from salon.types import Examiner, Failure, Judge

from .source_image import judge_of_edits

Read = Literal["prompt", "criterion", "question", "source_image"]
READS: tuple[Read, ...] = get_args(Read)
_WHAT = {"prompt": "prompts", "criterion": "criteria", "question": "questions", "source_image": "edits"}


@runtime_checkable
class Guidable(Protocol):
    """A judge that can be given criteria: another judge of the same kind that goes by them."""

    def with_criteria(self, criteria: str) -> Judge:
        """The same judge, under these criteria; its `identity` says so."""
        ...


def reads_of(judge: object) -> frozenset[Read]:
    """What a judge declares, or else what its methods say. Nobody can tell whether it reads the prompt: where
    nothing is declared, it is believed.

    Raises:
        RecipeError: it declares what there is not.
    """
    declared = getattr(judge, "reads", None)
    if declared is not None:
        return checked_reads(declared, str(getattr(judge, "identity", type(judge).__name__)))
    able: dict[Read, bool] = {
        "prompt": True,
        "criterion": isinstance(judge, Guidable),
        "question": isinstance(judge, Examiner),
        "source_image": judge_of_edits(judge) is not None,
    }
    return frozenset(name for name, is_able in able.items() if is_able)


def checked_reads(declared: object, who: str) -> frozenset[Read]:
    """A declaration, checked. Raises RecipeError where a word of it is unknown."""
    words = frozenset(cast("Collection[object]", declared)) if isinstance(declared, Collection) else None
    if words is None or isinstance(declared, str) or not words <= set(READS):
        raise RecipeError(f"{who}: reads: is a set of {', '.join(READS)}, not {declared!r}")
    return cast("frozenset[Read]", words)


def guided(judge: Judge, criteria: str, who: str) -> Judge:
    """The judge under these criteria.

    Args:
        who: who wants it, for the message: "base_comparison".

    Raises:
        RecipeError: the judge reads no criteria.
    """
    if isinstance(judge, Guidable) and "criterion" in reads_of(judge):
        try:
            return judge.with_criteria(criteria)
        except StageError as error:
            raise RecipeError(f"{who}: {error.failure.message}. Reword it, or name another judge.") from error
    raise RecipeError(
        f"{who}: {judge.identity} cannot go by criteria: it reads none. Name a vision-language model, or"
        " `pixels`, which reads criteria of colour, coverage, count and symmetry."
    )


def told_of(reads: Collection[Read]) -> str:
    """What is read and what is not, in a line: "reads prompts and criteria; no questions, no edits"."""
    read = [_WHAT[name] for name in READS if name in reads]
    other = [f"no {_WHAT[name]}" for name in READS if name not in reads]
    return "; ".join(each for each in (f"reads {', '.join(read)}" * bool(read), ", ".join(other)) if each)


def cannot_read(who: str, what: str, given: str) -> Failure:
    """The failure of a judge that was given what it cannot read.

    Args:
        what: "criteria", "questions".
        given: what it was given, cut to a line.
    """
    shown = " ".join(given.split())
    shown = shown if len(shown) < 160 else f"{shown[:160]}…"
    return Failure(CANNOT_READ, f"{who} reads no such {what}: {shown!r}", "system", "judge")


def refuse_reading(who: str, what: str, given: str) -> StageError:
    """The same as an error."""
    return StageError(cannot_read(who, what, given))
