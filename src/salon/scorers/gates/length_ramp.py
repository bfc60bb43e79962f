"""Pays for longer answers, up to a length: the old rubric's ramp, kept so that its fault can be shown.

It saturates once the policy has learned to be long, and from then on teaches nothing. For a new reward take
`length`.
"""

from salon.errors import RecipeError
from salon.scorers.asking import nothing_to_count
from salon.types import Group, Score


class LengthRamp:
    """tokens / full_at, at most 1.

    Args:
        full_at: the length in tokens from which on it is 1.
    """

    version = "2"

    def __init__(self, full_at: int = 3000) -> None:
        if full_at < 1:
            raise RecipeError(f"length_ramp: full_at is a number of tokens, at least 1, not {full_at}")
        self._full_at = full_at

    def score(self, group: Group) -> list[Score]:
        """0 … 1 for each sample."""
        return [
            nothing_to_count(sample)
            or Score(
                min(1.0, sample.tokens / self._full_at),
                reason=f"{sample.tokens} of {self._full_at} tokens",
                details={"tokens": float(sample.tokens)},
            )
            for sample in group.samples
        ]
