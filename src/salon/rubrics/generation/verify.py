"""Do criteria support a known preference? Asked blind, in both orders; or, to compare, with the label shown.

The blind judge sees the criteria, the prompt and two pictures, and does not know which one was
preferred. The criteria pass only if it names that one whichever is shown first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field

from salon.errors import StageError
from salon.judges.inputs_read import Guidable
from salon.judges.measuring.labelled_pairs import LabelledPair, asked_of, load_pair
from salon.judges.source_image import judge_of_edits
from salon.judges.vlm.few_shot import FewShotExamples
from salon.rubrics.asking import Author, written
from salon.rubrics.replies import read_form
from salon.types import Failure, Judge, Verdict

from .briefs import ask_support, listed

JudgeFactory = Callable[[str], Judge]
"""Criteria → the judge that goes by them."""


@runtime_checkable
class TakesGuides(Guidable, Judge, Protocol):
    """A judge that can be shown comparisons which people made."""

    @property
    def guides(self) -> FewShotExamples:
        """Those that it is shown."""
        ...

    def with_guides(self, guides: FewShotExamples) -> "TakesGuides":
        """The same judge, shown these; its `identity` says so."""
        ...


@dataclass(frozen=True, slots=True)
class Check:
    """What a verification found. `forward` and `reverse` are the probabilities of the preferred picture
    when it is shown first and second; None where the label was shown.
    """

    passed: bool
    critique: str
    forward: float | None = None
    reverse: float | None = None


class Verifier(Protocol):
    """Says whether criteria support a pair's label."""

    identity: str

    def verify(self, pair: LabelledPair, criteria: Sequence[str]) -> Check:
        """The check. Raises StageError when nobody answered: that is no failed verification."""
        ...


class BlindVerifier:
    """Both orders, the label hidden. `guide` makes the judge for some criteria; `name` is that judge's own
    name.
    """

    def __init__(self, guide: JudgeFactory, name: str) -> None:
        self.identity = f"blind {name}"
        self._guide = guide

    def verify(self, pair: LabelledPair, criteria: Sequence[str]) -> Check:
        found = both_orders(self._guide(listed(criteria)), pair)
        forward, reverse = (_verdict(each) for each in found)
        chances = (forward.p_a, 1.0 - reverse.p_a)
        passed = min(chances) > 0.5
        return Check(passed, "" if passed else _critique((forward, reverse), chances), *chances)


class _Support(BaseModel):
    model_config = ConfigDict(extra="ignore")
    supports: bool
    critique: Annotated[str, Field(max_length=4000)] = ""


class LabelAwareVerifier:
    """The author of the check knows which picture people preferred. Laxer than the blind way."""

    def __init__(self, author: Author) -> None:
        self.identity = f"label-aware {author.identity}"
        self._author = author

    def verify(self, pair: LabelledPair, criteria: Sequence[str]) -> Check:
        asked = ask_support(asked_of(pair), *load_pair(pair), criteria)
        said = written(self._author, asked, lambda reply: read_form(reply, _Support))
        return Check(
            said.supports, "" if said.supports else said.critique or "the criteria do not support it"
        )


def both_orders(judge: Judge, pair: LabelledPair) -> list[Verdict | Failure]:
    """The winner shown first, and second. Edits by themselves, or else beside the picture before."""
    editor = judge_of_edits(judge)
    if editor is not None and pair.before is not None:
        winner, loser = load_pair(pair, beside=False)
        return editor.compare_edits(pair.prompt, [(winner, loser), (loser, winner)], pair.before.load())
    winner, loser = load_pair(pair)
    return judge.compare(replace(pair.prompt, text=asked_of(pair)), [(winner, loser), (loser, winner)])


def _verdict(found: Verdict | Failure) -> Verdict:
    if isinstance(found, Failure):
        raise StageError(found)
    return found


def _critique(verdicts: tuple[Verdict, Verdict], chances: tuple[float, float]) -> str:
    """What a judge that followed the criteria did instead, in words for the author."""
    lines: list[str] = []
    for order, verdict, chance in zip(("first", "second"), verdicts, chances, strict=True):
        chose = (
            "the preferred picture" if chance > 0.5 else "the other picture" if chance < 0.5 else "neither"
        )
        why = f" ({verdict.reason})" if verdict.reason else ""
        lines.append(
            f"With the preferred picture shown {order}, a judge that went by them chose {chose}{why}."
        )
    return " ".join(lines)
