"""Models that rate a picture for a prompt: what they are asked, and what they answer.

A preference model's number has a scale of its own. It is a Score here: `value` is the number that counts,
`details` has the others that the model gives (the spread, the parts of a sum, whether the prompt was cut).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from salon.errors import RecipeError, SalonError, StageError, boundary
from salon.llm.limits import judge_failure
from salon.types import Failure, Picture, Rater, Score


@dataclass(frozen=True, slots=True)
class Request:
    """A picture, and what it was made for. `before` has pictures that came earlier: the one to be edited."""

    text: str
    picture: Picture
    before: tuple[Picture, ...] = ()


@runtime_checkable
class PreferenceModel(Protocol):
    """Rates pictures for prompts. `identity` has the model's name and its revision or hash in it."""

    @property
    def identity(self) -> str:
        """Name and revision or hash."""
        ...

    def rate(self, requests: Sequence[Request]) -> list[Score]:
        """One score per request, in order; alone or in a batch, a request gets the same. May raise."""
        ...


@runtime_checkable
class ModelOfEdits(PreferenceModel, Protocol):
    """Rates what became of one picture by an instruction: every request has that picture in `before`."""

    of_edits: Literal[True]


@runtime_checkable
class HasModel(Protocol):
    """A scorer with a model of its own: its name and its revision or hash, for the manifest."""

    @property
    def identity(self) -> str:
        """May raise RecipeError where it has to ask a server."""
        ...


def model_of(scorer: object, who: str) -> str:
    """The identity of a scorer's own model; empty where it has none.

    Raises:
        RecipeError: it is a property of somebody's own that raises. `who` begins the message.
    """
    with boundary("build") as caught:
        return scorer.identity if isinstance(scorer, HasModel) else ""
    told = caught.failure.message if caught.failure else ""
    raise RecipeError(f"{who}: its identity cannot be told ({told}). Give it a text.")


class RaterModel:
    """A judge that rates pictures, whatever they were made for, as a preference model."""

    def __init__(self, judge: Rater) -> None:
        self.identity = judge.identity
        self._judge = judge

    def rate(self, requests: Sequence[Request]) -> list[Score]:
        """One score per request; the text is not looked at."""
        found = self._judge.assess([request.picture for request in requests])
        return [Score(None, each) if isinstance(each, Failure) else Score(each) for each in found]


def rate_all(model: PreferenceModel, requests: Sequence[Request]) -> list[Score]:
    """One score per request, whatever the model does.

    When a batch fails as a whole (a picture that it cannot take, memory that ran out), each request is tried
    alone, so that one costs nobody else its score.
    """
    found = _rated(model, requests)
    if not isinstance(found, Failure):
        return found
    if len(requests) == 1:
        return [Score(None, found)]
    alone = [_rated(model, [request]) for request in requests]
    return [Score(None, each) if isinstance(each, Failure) else each[0] for each in alone]


def _rated(model: PreferenceModel, requests: Sequence[Request]) -> list[Score] | Failure:
    try:
        with boundary("judge") as caught:
            scores = list(model.rate(requests))
            if len(scores) != len(requests):
                told = f"{len(scores)} scores for {len(requests)} pictures"
                raise StageError(judge_failure("wrong_number_of_scores", told))
            return scores
    except SalonError as mistake:
        return judge_failure("internal_error", str(mistake))
    assert caught.failure is not None
    return caught.failure
