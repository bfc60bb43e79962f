"""Is the answer of a sensible length? Binary by design.

A ramp that pays for longer code saturates within some thirty steps, and until then it is most of what is
learned.
"""

from salon.errors import RecipeError
from salon.scorers.asking import nothing_to_count
from salon.types import Group, Sample, Score


class Length:
    """1 when a completion ends by itself with min_tokens ≤ tokens ≤ max_tokens, else 0."""

    version = "2"

    def __init__(self, max_tokens: int, min_tokens: int = 0) -> None:
        if not 0 <= min_tokens <= max_tokens:
            raise RecipeError(f"length: min_tokens {min_tokens} ≤ max_tokens {max_tokens} does not hold")
        self._min_tokens = min_tokens
        self._max_tokens = max_tokens

    def score(self, group: Group) -> list[Score]:
        """0 or 1 for each sample."""
        return [self._score(sample) for sample in group.samples]

    def _score(self, sample: Sample) -> Score:
        if (absent := nothing_to_count(sample)) is not None:
            return absent
        details = {"tokens": float(sample.tokens)}
        if sample.truncated:
            return Score(0.0, reason=f"cut off after {sample.tokens} tokens", details=details)
        if sample.tokens > self._max_tokens:
            return Score(0.0, reason=f"{sample.tokens} tokens, more than {self._max_tokens}", details=details)
        if sample.tokens < self._min_tokens:
            return Score(
                0.0, reason=f"{sample.tokens} tokens, fewer than {self._min_tokens}", details=details
            )
        return Score(1.0, reason=f"{sample.tokens} tokens", details=details)
