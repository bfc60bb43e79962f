"""How a scorer looks at the pictures of a group through a judge: one after the other or at once, each on its
own, so that one failure costs one score.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from salon.errors import RecipeError, boundary
from salon.llm.threads import at_once
from salon.types import Failure, Group, Picture, Sample, Score

AT_ONCE = 32
NOTHING_APPLIES = "nothing_applies"
"""The code of a score that is missing since no question applies to this picture. Others of its group may have
one, so that to add nothing would be to add the least.
"""
NO_PICTURE = Failure("no_picture", "there is nothing to look at", "system", "score")


def able(judge: Any, protocol: type, scorer: str, what: str) -> Any:
    """The judge, when it can do what the scorer asks of it.

    Raises:
        RecipeError: it cannot; names the scorer and what is needed.
    """
    if not isinstance(judge, protocol):
        raise RecipeError(
            f"the scorer {scorer!r} needs a judge that {what}, and {type(judge).__name__} does not."
            " Name another one in `judge`."
        )
    return judge


HALF = 0.5
"""The least part of an answer that is one, where a recipe does not say."""


def coverage_of(given: object, scorer: str) -> float:
    """A recipe's `min_coverage`, checked.

    Raises:
        RecipeError: it is no share.
    """
    # A comparison with NaN is false, and a bool is an int.
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
        raise RecipeError(f"{scorer}: min_coverage: is a share from 0 to 1, not {given!r}")
    return float(given)


def part_only(what: str, answered: int, asked: int, least: float, lost: Failure | None = None) -> Score:
    """No score: too little of what was asked is answered.

    Args:
        what: what is counted, in the plural: "questions".
        lost: why something is not, where that is known.
    """
    told = f"{answered} of {asked} {what} are answered, and min_coverage is {least:g}"
    told += f" ({lost.code}: {lost.message})" if lost else ""
    return missing(Failure("low_coverage", told[:500], "system", "judge"))


def score_each_picture(group: Group, look: Callable[[Picture], Score]) -> list[Score]:
    """One score per sample, several pictures at once. What `look` raises is a failure of the system."""
    return each_sample(group, lambda sample, picture: look(picture))


def each_sample(group: Group, look: Callable[[Sample, Picture], Score]) -> list[Score]:
    """The same, for a look that depends on more of a sample than its picture."""

    def one(sample: Sample) -> Score:
        if sample.picture is None:
            return nothing_to_see(sample)
        with boundary("judge") as caught:
            return look(sample, sample.picture)
        assert caught.failure is not None
        return missing(caught.failure)

    return at_once(one, group.samples, AT_ONCE)


def nothing_to_see(sample: Sample) -> Score:
    """No score of a sample without a picture. Where it failed by itself, that is the reason, and its own
    fault: a low reward, as behind any gate. Where the system failed it, or did not draw it, no reward.
    """
    return Score(None, sample.failure or NO_PICTURE)


def missing(failure: Failure) -> Score:
    """No score. A judge that does not answer is never the picture's fault."""
    return Score(value=None, failure=replace(failure, fault="system"))


def not_applicable(group: Group, why: str) -> list[Score]:
    """The term does not apply to this prompt: the same for all its samples."""
    return [Score(None, Failure("not_applicable", why, "system", "score")) for _ in group.samples]


def nothing_to_count(sample: Sample) -> Score | None:
    """No score, of a picture that comes without the answer that it was made from: how long that was is not
    known, and 0 tokens would be a length. None where there is an answer.
    """
    if sample.picture is None or sample.tokens or sample.reply or sample.source is not None:
        return None
    return Score(None, Failure("not_applicable", "there is a picture only, and no answer", "system", "score"))
