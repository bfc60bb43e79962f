"""A judge without a model, for tests and examples: it prefers the more colourful picture, or misbehaves on
purpose.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import numpy as np

from salon.raster import decode
from salon.types import Failure, Picture, Prompt, Verdict

Bias = Literal["none", "a", "b"]


class FakeJudge:
    """Deterministic. P(a wins) = logistic(sharpness × (colourfulness(a) − colourfulness(b))).

    Args:
        sharpness: how sure it is; 0 gives ties only.
        always: "a" or "b": whatever the pictures, the first or the second one wins (position bias).
        fail_every: every n-th comparison, counted from 1, is a failure; 0 for never, 1 for an outage.
    """

    def __init__(self, sharpness: float = 10.0, always: Bias = "none", fail_every: int = 0) -> None:
        self.identity = f"fake sharpness={sharpness:g} always={always} fail_every={fail_every}"
        self.asked = 0
        self._sharpness = sharpness
        self._always = always
        self._fail_every = fail_every

    def compare(self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]]) -> list[Verdict | Failure]:
        """One verdict, or one failure by the system's fault, per pair."""
        return [self._compare(a, b) for a, b in pairs]

    def score(self, pictures: Sequence[Picture]) -> list[float]:
        """Colourfulness of each picture, 0 … 1."""
        return [colourfulness(picture) for picture in pictures]

    def _compare(self, a: Picture, b: Picture) -> Verdict | Failure:
        self.asked += 1
        if self._fail_every and self.asked % self._fail_every == 0:
            return Failure("judge_unreachable", "the fake judge fails on purpose", "system", "judge")
        if self._always != "none":
            return Verdict(p_a=1.0 if self._always == "a" else 0.0, judge=self.identity, reason="by position")
        difference = colourfulness(a) - colourfulness(b)
        p_a = 0.5 * (1.0 + math.tanh(self._sharpness * difference / 2.0))
        return Verdict(p_a=p_a, judge=self.identity, reason=f"more colourful by {difference:+.3f}")


@lru_cache(maxsize=1024)
def colourfulness(picture: Picture) -> float:
    """Mean distance between the strongest and the weakest of the three channels, 0 (grey) … 1."""
    pixels = np.asarray(decode(picture.png)).astype(np.float64)
    return float((pixels.max(axis=2) - pixels.min(axis=2)).mean() / 255.0)
