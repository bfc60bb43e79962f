"""How good is a picture in the eyes of a preference model? Its own number, standardised by the recipe."""

from salon.scorers.asking import able, missing, nothing_to_see
from salon.types import Failure, Group, Rater, Score


class Preference:
    """The judge's score of each picture, in its own units (log odds of a Bradley–Terry model).

    Its scale is the model's: give the term a squash, or standardise it.

    Args:
        judge: who scores, such as `taste`.

    Raises:
        RecipeError: the judge gives no number.
    """

    version = "1"

    def __init__(self, judge: Rater) -> None:
        self._judge: Rater = able(judge, Rater, "preference", "scores single pictures")

    def score(self, group: Group) -> list[Score]:
        """One number per sample."""
        pictures = [sample.picture for sample in group.samples if sample.picture is not None]
        found = iter(self._judge.assess(pictures))
        return [
            nothing_to_see(sample) if sample.picture is None else _score(next(found))
            for sample in group.samples
        ]


def _score(found: float | Failure) -> Score:
    return missing(found) if isinstance(found, Failure) else Score(found, reason=f"{found:+.2f}")
