"""A judge without a model, for tests and examples: it prefers the more colourful picture, or misbehaves on
purpose.
"""

import copy
import hashlib
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal

import numpy as np

from salon.errors import StageError
from salon.raster import decode
from salon.types import Answer, Critique, Failure, Picture, Prompt, Verdict

from .inputs_read import Read
from .pixel_judge import Clause, clauses_of, holds, worth

Bias = Literal["none", "a", "b"]
ASPECTS = ("text_faithfulness", "physical_quality", "text_rendering")
_DOWN = Failure("judge_unreachable", "the fake judge fails on purpose", "system", "judge")


class FakeJudge:
    """Deterministic. P(a wins) = logistic(sharpness × (colourfulness(a) − colourfulness(b))). It says yes to
    a question when the picture is colourful enough for it, and scores aspects by colour too. Criteria and
    questions of more and less, in the words of the judge `pixels`, it goes by; other criteria move nothing.

    Args:
        sharpness: how sure it is; 0 gives ties only.
        always: "a" or "b": whatever the pictures, the first or the second one wins (position bias).
        fail_every: every n-th comparison, counted from 1, is a failure; of questions and critiques, one in n
            by content. 0 for never, 1 for an outage.
        answers: part of a question → its answer, whatever the picture. A question after something unwanted
            ("Is there any …?") gets a no, unless this says otherwise.
        aspects, low, high: what a critique scores, and on which scale; of text_rendering it says that it does
            not apply.
    """

    reads: frozenset[Read] = frozenset({"criterion", "question"})

    def __init__(
        self,
        sharpness: float = 10.0,
        always: Bias = "none",
        fail_every: int = 0,
        answers: Mapping[str, bool] | None = None,
        aspects: Sequence[str] = ASPECTS,
        low: float = 1.0,
        high: float = 4.0,
    ) -> None:
        self.identity = f"fake sharpness={sharpness:g} always={always} fail_every={fail_every}"
        looks = (sorted((answers or {}).items()), tuple(aspects), low, high)
        if looks != ([], ASPECTS, 1.0, 4.0):
            self.identity += f" looks={hashlib.sha256(repr(looks).encode()).hexdigest()[:8]}"
        self.asked = 0
        self._sharpness = sharpness
        self._always = always
        self._fail_every = fail_every
        self._answers = dict(answers or {})
        self._aspects = tuple(aspects)
        self._low, self._high = low, high
        self._clauses: tuple[Clause, ...] = ()

    def with_criteria(self, criteria: str) -> "FakeJudge":
        """The same judge; by these criteria where they are of the vocabulary of `pixels`."""
        other = copy.copy(self)
        other._clauses = _clauses(criteria)
        other.identity += f" criteria={hashlib.sha256(criteria.encode()).hexdigest()[:8]}"
        return other

    def compare(self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]]) -> list[Verdict | Failure]:
        """One verdict, or one failure by the system's fault, per pair."""
        return [self._compare(a, b) for a, b in pairs]

    def score(self, pictures: Sequence[Picture]) -> list[float]:
        """Colourfulness of each picture, 0 … 1."""
        return [colourfulness(picture) for picture in pictures]

    def assess(self, pictures: Sequence[Picture]) -> list[float | Failure]:
        """The same, or a failure."""
        return [_DOWN if self._fails(each.key) else colourfulness(each) for each in pictures]

    def answer(self, prompt: Prompt, picture: Picture, questions: Sequence[str]) -> list[Answer | Failure]:
        """One answer, or one failure by the system's fault, per question."""
        return [
            _DOWN if self._fails(picture.key + question) else self._answer(picture, question)
            for question in questions
        ]

    def critique(self, prompt: Prompt, picture: Picture) -> Critique | Failure:
        """A score for each aspect, higher for more colour, a little different from aspect to aspect."""
        if self._fails(picture.key):
            return _DOWN
        colour = min(1.0, 2.0 * colourfulness(picture))
        scores = {
            aspect: None
            if aspect == "text_rendering"
            else self._low + (self._high - self._low) * colour * (1.0 - 0.2 * _chance(aspect))
            for aspect in self._aspects
        }
        return Critique(scores, self._low, self._high, text=f"colourful by {colour:.3f}", request=prompt.text)

    def _answer(self, picture: Picture, question: str) -> Answer:
        fixed = next((yes for part, yes in self._answers.items() if part in question), None)
        if fixed is not None:
            return Answer(fixed, "as it was told to")
        if question.lower().startswith("is there any"):
            return Answer(False, "it sees nothing unwanted")
        if clauses := [each for each in _clauses(question) if each.than]:
            return Answer(all(holds(picture, each) for each in clauses), "by pixels")
        return Answer(colourfulness(picture) > 0.15 * _chance(question), "by colour")

    def _fails(self, about: str) -> bool:
        return bool(self._fail_every) and _chance(about) * self._fail_every < 1.0

    def _compare(self, a: Picture, b: Picture) -> Verdict | Failure:
        self.asked += 1
        if self._fail_every and self.asked % self._fail_every == 0:
            return _DOWN
        if self._always != "none":
            return Verdict(p_a=1.0 if self._always == "a" else 0.0, judge=self.identity, reason="by position")
        if self._clauses:
            lead = sum(worth(a, each) - worth(b, each) for each in self._clauses)
            p_a = 0.5 * (1.0 + math.tanh(self._sharpness * lead / 2.0))
            return Verdict(p_a=p_a, judge=self.identity, reason=f"leads by {lead:+.3f}")
        difference = colourfulness(a) - colourfulness(b)
        p_a = 0.5 * (1.0 + math.tanh(self._sharpness * difference / 2.0))
        return Verdict(p_a=p_a, judge=self.identity, reason=f"more colourful by {difference:+.3f}")


def _clauses(text: str) -> tuple[Clause, ...]:
    """The wishes of a text, where all of it is of the vocabulary."""
    try:
        return tuple(clauses_of(text, "fake"))
    except StageError:
        return ()


def _chance(text: str) -> float:
    """A number from 0 to 1 that a text always gets."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") / 2**32


@lru_cache(maxsize=1024)
def colourfulness(picture: Picture) -> float:
    """Mean distance between the strongest and the weakest of the three channels, 0 (grey) … 1."""
    pixels = np.asarray(decode(picture.png)).astype(np.float64)
    return float((pixels.max(axis=2) - pixels.min(axis=2)).mean() / 255.0)
