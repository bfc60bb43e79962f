"""HPSv3, a published preference model (Ma et al., arXiv 2508.03789), as a scorer.

Traps: the positional order of its arguments changed between versions (keywords only); it runs out of memory
without inference_mode; it pins an old transformers, so it usually wants an environment of its own. mu is
about −10 … +15: squash it ({logistic: 4}) or standardise it.
"""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from salon.errors import SetupError
from salon.types import Failure, Group, Picture, Score


class HPSv3:
    """mu of HPSv3 for each picture.

    Args:
        device: where the model (16.6 GB) runs.
        prompt: what every picture is scored against. One neutral sentence for all: naming the species halves
        the range
            of scores. None scores against the prompt's own text.

    Raises:
        SetupError: torch or hpsv3 is not installed.
    """

    version = "1"

    def __init__(self, device: str = "cuda", prompt: str | None = "a loose watercolour flower") -> None:
        self._prompt = prompt
        self._device = device
        self._model = _load(device)

    def score(self, group: Group) -> list[Score]:
        """mu per sample, about −10 … +15; sigma in the details. A sample without a picture has none."""
        pictures = [sample.picture for sample in group.samples if sample.picture is not None]
        pairs = iter(self._rate(pictures, self._prompt or group.prompt.text) if pictures else [])
        missing = Failure("no_picture", "there is nothing to score", "system", "score")
        return [
            Score(value=None, failure=missing) if sample.picture is None else _score(*next(pairs))
            for sample in group.samples
        ]

    def _rate(self, pictures: Sequence[Picture], prompt: str) -> list[tuple[float, float]]:
        import torch

        # A folder per call: with a shared file name, pictures of two threads would cross.
        with TemporaryDirectory(prefix="salon-hpsv3-") as folder, torch.inference_mode():
            paths = [str(Path(folder) / f"{index}.png") for index in range(len(pictures))]
            for path, picture in zip(paths, pictures, strict=True):
                Path(path).write_bytes(picture.png)
            rated = self._model.reward(prompts=[prompt] * len(pictures), image_paths=paths)
        return [(float(mu_sigma[0]), float(mu_sigma[1])) for mu_sigma in rated]


def _load(device: str) -> Any:
    try:
        from hpsv3 import HPSv3RewardInferencer  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise SetupError(
            f"the scorer hpsv3 needs torch and the package hpsv3 ({error}). Install it in an environment of"
            " its own (it pins transformers): pip install hpsv3; or choose another scorer, such as palette."
        ) from error
    return HPSv3RewardInferencer(device=device)


def _score(mu: float, sigma: float) -> Score:
    return Score(value=mu, reason=f"mu {mu:+.2f} ± {sigma:.2f}", details={"sigma": sigma})
