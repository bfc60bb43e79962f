"""A policy without a model: it answers with sketches of the procedural corpus. For tests and first tries."""

import random
from collections.abc import Sequence

from salon.types import Prompt

from .code_lm import Completion
from .corpus import Quality, draw_sketch
from .prompts import COLOURS, FLOWERS, flower_prompt


class FakePolicy:
    """Answers every prompt with a sketch drawn from the corpus generator.

    Args:
        quality: "clumsy", "middling" or "lovely" for sketches of that kind; None for the whole mixture.
        broken: share of the answers, 0–1, that stop in the middle and do not compile.
    """

    name = "fake"

    def __init__(self, quality: Quality | None = None, broken: float = 0.0) -> None:
        self.quality: Quality | None = quality
        self.broken = broken
        self.identity = f"fake@{quality or 'mixed'}"

    def sample(self, prompts: Sequence[Prompt], n: int, seed: int) -> list[Completion]:
        """`n` answers to each prompt, prompt by prompt; the same arguments give the same answers.

        A prompt that names no known flower or colour gets one that is drawn for it.
        """
        return [self._answer(prompt, seed * 100_003 + number) for prompt in prompts for number in range(n)]

    def _answer(self, prompt: Prompt, seed: int) -> Completion:
        rng = random.Random(f"{prompt.id}/{seed}")
        text = draw_sketch(_known(prompt, rng), seed, self.quality)
        truncated = rng.random() < self.broken
        if truncated:
            text = text[: len(text) // 2]
        return Completion(text=text, tokens=len(text.split()), truncated=truncated)


def _known(prompt: Prompt, rng: random.Random) -> Prompt:
    flower, colour = prompt.meta.get("flower"), prompt.meta.get("colour")
    return flower_prompt(
        flower if flower in FLOWERS else rng.choice(FLOWERS),
        colour if colour in COLOURS else rng.choice(tuple(COLOURS)),
    )
