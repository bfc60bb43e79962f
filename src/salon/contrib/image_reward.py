"""ImageReward v1.0 (Xu et al., arXiv 2304.05977), through its package.

Traps: a prompt is cut at 35 tokens; the package wants an old transformers, so it is best served from an
environment of its own; it loads its weights without complaining of missing ones, so check golden scores; and
scores of different prompts are not comparable: standardise by group.
"""

import warnings
from collections.abc import Sequence
from typing import Any

from salon.errors import SetupError
from salon.judges.measuring.golden import check_golden
from salon.judges.preference_model import Request
from salon.raster import decode
from salon.scorers.models.rated import package_version, rate_group
from salon.types import Group, Score

TOKENS = 35


class ImageReward:
    """ImageReward's number for each picture and its prompt, about normal with mean 0 and spread 1.

    Tested against a stand-in of the package; neither the package nor its weights have been run here.

    Args:
        name: the package's name of the model, or its checkpoint's path.
        device: where it runs.
        prompt: what every picture is scored against; None for the prompt's own text.
        golden: a file of known scores, checked once, alone and in a batch (see
            salon.judges.measuring.golden).

    Raises:
        SetupError: the package is not installed.
        RecipeError: it gives other scores than the golden ones.
    """

    version = "1"

    def __init__(
        self,
        name: str = "ImageReward-v1.0",
        device: str = "cuda",
        prompt: str | None = None,
        golden: str = "",
    ) -> None:
        self._prompt = prompt
        self._model = _load(name, device)
        self.identity = f"{name} {package_version('image-reward')}"
        check_golden(self, golden)

    def score(self, group: Group) -> list[Score]:
        """One number per sample; `prompt_cut` in the details where the prompt was too long."""
        return rate_group(self, group, self._prompt)

    def rate(self, requests: Sequence[Request]) -> list[Score]:
        """The same for any pictures, each for its own text."""
        import torch

        with torch.inference_mode():
            return [self._rate(each) for each in requests]

    def _rate(self, request: Request) -> Score:
        # One picture a call: with a list of one, the package gives a number where it gives a list for two.
        value = float(self._model.score(request.text, decode(request.picture.png)))
        length = len(self._model.blip.tokenizer(request.text)["input_ids"])
        if length <= TOKENS:
            return Score(value, reason=f"{value:+.3f}")
        told = f"ImageReward reads {TOKENS} tokens of a prompt; one has {length}: its end is lost"
        warnings.warn(told, stacklevel=4)
        reason = f"{value:+.3f} (the end of the prompt was not read)"
        return Score(value, reason=reason, details={"prompt_cut": 1.0})


def _load(name: str, device: str) -> Any:
    try:
        import ImageReward as package  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise SetupError(
            f"the scorer image_reward needs torch and the package image-reward ({error}). Install it in an"
            " environment of its own (it wants an old transformers): pip install image-reward; then"
            " salon serve-scorer image_reward there."
        ) from error
    return package.load(name, device=device)
