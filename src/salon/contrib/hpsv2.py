"""HPSv2.1 (Wu et al., arXiv 2306.09341), a CLIP model tuned on people's choices, without its package.

The package's wheel lacks the vocabulary that it needs, and it reads the checkpoint anew at every call. Here
the checkpoint, which has open_clip's names, goes into transformers' CLIPModel, every weight of it; the
tokenizer is that of the model it was tuned from. Pictures are shrunk to fit into the square, and the rest is
black.
"""

import os
import pickle
import re
from collections.abc import Mapping
from typing import Any

from salon.errors import RecipeError, SetupError
from salon.installed import install_command

from .clip import Clip

CHECKPOINT = "xswu/HPSv2"
FILE = "HPS_v2.1_compressed.pt"
PARENT = "laion/CLIP-ViT-H-14-laion2B-s32B-b79K"

_MEAN = (0.48145466, 0.4578275, 0.40821073)
_STD = (0.26862954, 0.26130258, 0.27577711)
_NAMES = {
    "logit_scale": "logit_scale",
    "positional_embedding": "text_model.embeddings.position_embedding.weight",
    "token_embedding.weight": "text_model.embeddings.token_embedding.weight",
    "text_projection": "text_projection.weight",
    "visual.class_embedding": "vision_model.embeddings.class_embedding",
    "visual.positional_embedding": "vision_model.embeddings.position_embedding.weight",
    "visual.conv1.weight": "vision_model.embeddings.patch_embedding.weight",
    "visual.proj": "visual_projection.weight",
}
_NORMS = {
    "ln_final": "text_model.final_layer_norm",
    "visual.ln_pre": "vision_model.pre_layrnorm",
    "visual.ln_post": "vision_model.post_layernorm",
}
_PARTS = {
    "ln_1": "layer_norm1",
    "ln_2": "layer_norm2",
    "attn.out_proj": "self_attn.out_proj",
    "mlp.c_fc": "mlp.fc1",
    "mlp.c_proj": "mlp.fc2",
}
_BLOCK = re.compile(r"(visual\.)?transformer\.resblocks\.(\d+)\.(.+)")


class HPSv2(Clip):
    """The cosine of prompt and picture under HPSv2.1, about .2 … .35.

    Tested on tiny models, whose numbers equal open_clip's. The published checkpoint has not been run here:
    name a file of `golden` scores (see docs/preference-models.md).

    Args:
        checkpoint: the published file's repository on the hub, or a file.
        parent: the model it was tuned from, for its shape and its tokenizer.
        revision: of the checkpoint's repository.
        device, dtype, prompt, batch, golden: as in Clip.

    Raises:
        RecipeError: the checkpoint cannot be read, or its weights are not those of the parent's shape.
        SetupError: torch or transformers is not installed.
    """

    kind = "hpsv2.1"

    def __init__(
        self,
        checkpoint: str = CHECKPOINT,
        parent: str = PARENT,
        revision: str | None = None,
        device: str = "cuda",
        dtype: str = "float32",
        prompt: str | None = None,
        batch: int = 8,
        golden: str = "",
    ) -> None:
        self._parent = parent
        super().__init__(
            checkpoint, revision, parent, device, dtype, prompt, value="cosine", batch=batch, golden=golden
        )

    def _made_ready(self) -> None:
        self._prepare = self._fit

    def _load(self, name_or_path: str, revision: str | None) -> Any:
        try:
            from transformers import CLIPConfig, CLIPModel
        except ImportError as error:
            raise SetupError(
                f"hpsv2 needs torch and transformers ({error}): {install_command('train')}"
            ) from error
        try:
            model: Any = CLIPModel(CLIPConfig.from_pretrained(self._parent))
        except (OSError, ValueError) as error:
            raise RecipeError(f"parent: {self._parent} cannot be loaded: {str(error)[:300]}") from error
        weights = transformers_names(_read(name_or_path, revision))
        try:
            model.load_state_dict(weights, strict=True)
        except RuntimeError as error:
            raise RecipeError(
                f"checkpoint: {name_or_path} does not fit {self._parent}: {str(error)[:300]}"
            ) from error
        return model

    def _fit(self, images: Any, return_tensors: str) -> Mapping[str, Any]:
        """Pictures as the model was trained on them: the longer side fills the square, the rest is black."""
        import torch

        side = int(self._model.config.vision_config.image_size)
        mean, std = (torch.tensor(each)[:, None, None] for each in (_MEAN, _STD))
        return {"pixel_values": torch.stack([(_square(image, side) - mean) / std for image in images])}


def transformers_names(state: Mapping[str, Any]) -> dict[str, Any]:
    """The weights of an open_clip model under the names of transformers' CLIPModel.

    Raises:
        RecipeError: a name is not known.
    """
    found: dict[str, Any] = {}
    for name, tensor in state.items():
        block = _BLOCK.fullmatch(name)
        norm, _, kind = name.rpartition(".")
        if block is not None:
            found |= _in_block(bool(block[1]), block[2], block[3], tensor)
        elif name in ("text_projection", "visual.proj"):
            found[_NAMES[name]] = tensor.T
        elif name in _NAMES:
            found[_NAMES[name]] = tensor
        elif norm in _NORMS:
            found[f"{_NORMS[norm]}.{kind}"] = tensor
        elif name != "attn_mask":
            raise RecipeError(
                f"checkpoint: {name!r} is no weight of an open_clip model. Is it HPSv2.1's file?"
            )
    return {name: tensor.float().contiguous() for name, tensor in found.items()}


def _in_block(is_visual: bool, number: str, rest: str, tensor: Any) -> dict[str, Any]:
    at = f"{'vision' if is_visual else 'text'}_model.encoder.layers.{number}."
    if rest.startswith("attn.in_proj_"):
        kind = rest.removeprefix("attn.in_proj_")
        names = ("q_proj", "k_proj", "v_proj")
        return {
            f"{at}self_attn.{name}.{kind}": each for name, each in zip(names, tensor.chunk(3), strict=True)
        }
    part, _, kind = rest.rpartition(".")
    if part not in _PARTS:
        raise RecipeError(f"checkpoint: {rest!r} is no weight of a block. Is it HPSv2.1's file?")
    return {f"{at}{_PARTS[part]}.{kind}": tensor}


def _read(name: str, revision: str | None) -> Mapping[str, Any]:
    import torch

    try:
        file = name if os.path.isfile(name) else _download(name, revision)
        # weights_only: a checkpoint is a pickle, and a pickle is a program.
        read: Any = torch.load(file, map_location="cpu", weights_only=True)
    except (OSError, ValueError, RuntimeError, pickle.UnpicklingError) as error:
        raise RecipeError(f"checkpoint: {name} cannot be read: {str(error)[:300]}") from error
    state = read.get("state_dict", read) if isinstance(read, dict) else None
    if not isinstance(state, dict):
        raise RecipeError(f"checkpoint: {name} holds no weights. Is it HPSv2.1's file?")
    return {str(key).removeprefix("module."): value for key, value in state.items()}


def _download(name: str, revision: str | None) -> str:
    from huggingface_hub import hf_hub_download

    return hf_hub_download(name, FILE, revision=revision)


def _square(image: Any, side: int) -> Any:
    """3 × side × side, 0 … 1."""
    import numpy as np
    import torch

    pixels = torch.from_numpy(np.asarray(image).copy()).permute(2, 0, 1).float() / 255.0
    scale = side / max(pixels.shape[1:])
    height, width = (round(each * scale) for each in pixels.shape[1:])
    if scale != 1.0:
        pixels = torch.nn.functional.interpolate(
            pixels[None], (height, width), mode="bicubic", align_corners=False, antialias=True
        )[0]
    left, top = (side - width) // 2, (side - height) // 2
    return torch.nn.functional.pad(pixels, (left, side - width - left, top, side - height - top))
