"""EditReward (TIGER-Lab, arXiv 2509.26346), a published model of instructed edits, through its code.

Traps: its code is a checkout, not a package, and wants an old trl and transformers, so it is served from an
environment of its own. Of the two numbers that it gives for an edit, the first is the mean and the second
the logarithm of its spread: the two are never added. It unpickles a `model.pth` before it looks for
safetensors. It is trained on pairs of one instruction: standardise by group.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from salon import validation
from salon.errors import RecipeError, SetupError, StageError
from salon.judges.preference_model import Request
from salon.llm.limits import judge_failure
from salon.raster import decode
from salon.scorers.models.edits import SOURCE, picture_before, rate_edits
from salon.scorers.models.rated import rate_group
from salon.types import Group, Score


class EditReward:
    """EditReward's mean for each edit, without bounds; its spread (sigma) in the details.

    Tested against a stand-in of its code; neither that nor the published weights have been run here.

    Args:
        checkpoint: the folder with model.safetensors.
        config: the model's .yaml file, from the checkout.
        device: where the model (16 GB in bfloat16) runs.
        prompt: the instruction for every edit; None for the prompt's own text.
        before: the key of a prompt's meta that has the file of the picture which was to be edited.
        batch: edits through the model at once.

    Raises:
        RecipeError: the checkpoint or the config is not as it must be.
        SetupError: the checkout is not on the path.
    """

    version = "1"
    of_edits: Literal[True] = True

    def __init__(
        self,
        checkpoint: str,
        config: str,
        device: str = "cuda",
        prompt: str | None = None,
        before: str = SOURCE,
        batch: int = 4,
    ) -> None:
        _weights_are_safe(Path(checkpoint))
        written = validation.read_yaml(config)
        self._has_spread = written.get("loss_type") == "uncertainty" and written.get("output_dim") == 2
        self._prompt, self._before, self._batch = prompt, before, batch
        told = {key: str(written[key]) for key in ("rm_head_type", "reward_dim") if written.get(key)}
        self._model = _load(checkpoint, config, device, {"rm_head_type": "default", **told})
        digest = hashlib.sha256(validation.read_bytes(config)).hexdigest()[:8]
        self.identity = f"edit_reward {Path(checkpoint).resolve().name} {digest}"

    def score(self, group: Group) -> list[Score]:
        """The mean per sample."""
        before = picture_before(group.prompt, self._before)
        return rate_group(self, group, self._prompt, self._batch, (before,))

    def rate(self, requests: Sequence[Request]) -> list[Score]:
        """The same for any edits, each for its own instruction and with the picture before it."""
        return rate_edits(requests, self._rate)

    def _rate(self, requests: Sequence[Request]) -> list[Score]:
        import torch

        with torch.inference_mode():
            # Keywords, and pictures rather than paths: nothing on disk that two threads could share.
            rows = self._model.reward(
                prompts=[each.text for each in requests],
                image_src=[decode(each.before[0].png) for each in requests],
                image_paths=[decode(each.picture.png) for each in requests],
            )
        return [self._score([float(number) for number in row]) for row in rows]

    def _score(self, row: Sequence[float]) -> Score:
        if not row or not all(math.isfinite(number) for number in row):
            raise StageError(judge_failure("malformed_scores", f"the model gave {row!r}"))
        if not (self._has_spread and len(row) > 1):
            return Score(row[0], reason=f"{row[0]:+.3f}")
        sigma = math.exp(min(row[1], 50.0))
        return Score(row[0], reason=f"{row[0]:+.3f} ± {sigma:.3f}", details={"sigma": sigma})


def _weights_are_safe(folder: Path) -> None:
    """Raises RecipeError where the code would unpickle what was downloaded, or has nothing to load."""
    if not (folder / "model.safetensors").is_file():
        raise RecipeError(f"checkpoint: {folder} has no model.safetensors. Download the model's folder.")
    if (folder / "model.pth").exists():
        raise RecipeError(
            f"checkpoint: {folder}/model.pth would be unpickled, which runs whatever is in it. Move it away;"
            " model.safetensors has the same weights."
        )


def _load(checkpoint: str, config: str, device: str, told: Mapping[str, str]) -> Any:
    try:
        from EditReward import EditRewardInferencer  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise SetupError(
            f"the scorer edit_reward needs torch and EditReward's code ({error}). Make an environment of its"
            " own from its checkout (it pins trl and transformers), put the checkout on PYTHONPATH, then"
            " salon serve-scorer edit_reward there, and ask it by the scorer served."
        ) from error
    return EditRewardInferencer(config_path=config, checkpoint_path=checkpoint, device=device, **told)
