"""HPSv3, a published preference model (Ma et al., arXiv 2508.03789), as a scorer.

Traps: the positional order of its arguments changed between versions (keywords only); it runs out of memory
without inference_mode; it pins an old transformers, so it usually wants an environment of its own. mu is
about −10 … +15: squash it ({logistic: 4}) or standardise it.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from salon.errors import SetupError
from salon.judges.measuring.golden import check_golden
from salon.judges.preference_model import Request
from salon.scorers.models.rated import package_version, rate_group
from salon.types import Group, Score

NEUTRAL = "a loose watercolour flower"


class HPSv3:
    """mu of HPSv3 for each picture.

    Args:
        device: where the model (16.6 GB) runs.
        prompt: what every picture is scored against. One neutral sentence for all: naming the species halves
        the range
            of scores. None scores against the prompt's own text.
        golden: a file of known scores, checked once, alone and in a batch (see
            salon.judges.measuring.golden).

    Raises:
        SetupError: torch or hpsv3 is not installed.
        RecipeError: it gives other scores than the golden ones.
    """

    version = "2"

    def __init__(self, device: str = "cuda", prompt: str | None = NEUTRAL, golden: str = "") -> None:
        self._prompt = prompt
        self._model = _load(device)
        self.identity = f"hpsv3 {package_version('hpsv3')}"
        check_golden(self, golden)

    def score(self, group: Group) -> list[Score]:
        """mu per sample, about −10 … +15; sigma in the details. A sample without a picture has none."""
        return rate_group(self, group, self._prompt)

    def rate(self, requests: Sequence[Request]) -> list[Score]:
        """The same for any pictures, each for its own text."""
        import torch

        # A folder per call: with a shared file name, pictures of two threads would cross.
        with TemporaryDirectory(prefix="salon-hpsv3-") as folder, torch.inference_mode():
            paths = [str(Path(folder) / f"{index}.png") for index in range(len(requests))]
            for path, request in zip(paths, requests, strict=True):
                Path(path).write_bytes(request.picture.png)
            rated = self._model.reward(prompts=[each.text for each in requests], image_paths=paths)
        return [_score(float(mu_sigma[0]), float(mu_sigma[1])) for mu_sigma in rated]


def _load(device: str) -> Any:
    try:
        from hpsv3 import HPSv3RewardInferencer  # pyright: ignore[reportMissingImports, reportAttributeAccessIssue]
    except ImportError as error:
        raise SetupError(
            f"the scorer hpsv3 needs torch and the package hpsv3 ({error}). Install it in an environment of"
            " its own (it pins transformers): pip install hpsv3; or choose another scorer, such as palette."
        ) from error
    return HPSv3RewardInferencer(device=device)


def _score(mu: float, log_sigma: float) -> Score:
    """Its README calls the second number sigma; its loss takes the exponential of it."""
    sigma = math.exp(min(log_sigma, 50.0))
    return Score(value=mu, reason=f"mu {mu:+.2f} ± {sigma:.2f}", details={"sigma": sigma})
