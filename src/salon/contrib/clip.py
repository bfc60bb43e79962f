"""How well does a picture fit its prompt, to a CLIP or SigLIP model? Any that transformers can load.

A model's own forward pass makes the number, so that its logit scale (and SigLIP's bias) is applied as it was
trained. Texts are padded to the model's full length: SigLIP was trained so and gives other numbers otherwise,
and CLIP gives the same either way.
"""

import hashlib
import math
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

from salon.errors import RecipeError, SetupError
from salon.installed import install_command
from salon.judges.measuring.golden import check_golden
from salon.judges.preference_model import Request
from salon.raster import decode
from salon.scorers.models.rated import rate_group
from salon.types import Failure, Group, Score

Value = Literal["logit", "cosine", "probability"]
DTYPES = ("float32", "bfloat16", "float16")


class Clip:
    """Similarity of prompt and picture.

    Args:
        name_or_path: a CLIP or SigLIP model on the hub, or its folder.
        revision: the commit on the hub to use; name one, so that the numbers stay what they are.
        processor: where the tokenizer and the picture's preparation come from, when not from the model.
        device: cpu, cuda …
        dtype: float32, bfloat16 or float16.
        prompt: what every picture is scored against; None for the prompt's own text.
        template: the sentence around the prompt, such as "a watercolour of {prompt}".
        value: logit (exp(scale) × cosine, with SigLIP's bias), cosine, or for SigLIP probability.
        batch: pictures at once.
        golden: a file of known scores, checked once, alone and in a batch (see
            salon.judges.measuring.golden).

    Raises:
        RecipeError: an argument is wrong, the model has no such pair of towers, some of its weights are not
            in its files, or it gives other scores than the golden ones.
        SetupError: torch or transformers is not installed.
    """

    version = "1"
    kind = "clip"

    def __init__(
        self,
        name_or_path: str,
        revision: str | None = None,
        processor: str | None = None,
        device: str = "cpu",
        dtype: str = "float32",
        prompt: str | None = None,
        template: str = "{prompt}",
        value: Value = "logit",
        batch: int = 8,
        golden: str = "",
    ) -> None:
        if "{prompt}" not in template:
            raise RecipeError(
                f"template: {template!r} has no {{prompt}} in it. Write it where the prompt goes."
            )
        if dtype not in DTYPES:
            raise RecipeError(f"dtype: {dtype!r} is none of {', '.join(DTYPES)}.")
        if value not in ("logit", "cosine", "probability"):
            raise RecipeError(f"value: {value!r} is none of logit, cosine, probability.")
        self._prompt, self._template, self._value, self._batch = prompt, template, value, batch
        self._device = device
        self._model = self._load(name_or_path, revision).to(device=device, dtype=_dtype(dtype)).eval()
        if value == "probability" and not self._is_siglip:
            raise RecipeError("value: a probability is what SigLIP gives. Use logit or cosine with CLIP.")
        self._prepare, self._tokenizer = _processors(
            processor or name_or_path, None if processor else revision
        )
        self._length = int(self._model.config.text_config.max_position_embeddings)
        told = f"{self._template} {value} {dtype} {_fingerprint(self._model)}"
        hashed = hashlib.sha256(told.encode()).hexdigest()[:12]
        commit = revision or getattr(self._model.config, "_commit_hash", None) or "local"
        self.identity = f"{self.kind} {name_or_path}@{commit} {hashed}"
        self._made_ready()
        check_golden(self, golden)

    def score(self, group: Group) -> list[Score]:
        """One number per sample. A prompt that is longer than the model reads is warned of, and
        `prompt_cut` in the details says so.
        """
        return rate_group(self, group, self._prompt, self._batch)

    def rate(self, requests: Sequence[Request]) -> list[Score]:
        """The same for any pictures, each for its own text."""
        import torch

        texts = list(dict.fromkeys(self._template.replace("{prompt}", each.text) for each in requests))
        tokens, cut = self._tokens(texts)
        images = [decode(each.picture.png) for each in requests]
        pixels = self._prepare(images=images, return_tensors="pt")["pixel_values"]
        with torch.inference_mode():
            out = self._model(pixel_values=pixels.to(self._device, self._model.dtype), **tokens)
            values = self._values(out).float().cpu()
        at = [texts.index(self._template.replace("{prompt}", each.text)) for each in requests]
        return [_score(float(values[row, column]), cut[column]) for row, column in enumerate(at)]

    @property
    def _is_siglip(self) -> bool:
        return str(self._model.config.model_type).startswith("siglip")

    def _made_ready(self) -> None:
        """What is left to do before the first score."""

    def _load(self, name_or_path: str, revision: str | None) -> Any:
        return load_strictly(name_or_path, revision)

    def _tokens(self, texts: Sequence[str]) -> tuple[dict[str, Any], list[bool]]:
        """The texts as the model reads them, and which of them it reads only the beginning of."""
        lengths = [len(each) for each in self._tokenizer(list(texts), verbose=False)["input_ids"]]
        cut = [length > self._length for length in lengths]
        for length in (length for length, is_cut in zip(lengths, cut, strict=True) if is_cut):
            told = f"{self.kind} reads {self._length} tokens of a prompt; one has {length}: its end is lost"
            warnings.warn(told, stacklevel=4)
        given = self._tokenizer(
            list(texts), padding="max_length", truncation=True, max_length=self._length, return_tensors="pt"
        )
        # SigLIP's text tower sees its padding, in training as here.
        names = ("input_ids",) if self._is_siglip else ("input_ids", "attention_mask")
        return {name: given[name].to(self._device) for name in names}, cut

    def _values(self, out: Any) -> Any:
        """Pictures × texts."""
        if self._value == "logit":
            return out.logits_per_image
        if self._value == "probability":
            return out.logits_per_image.float().sigmoid()
        images, texts = (each.float() for each in (out.image_embeds, out.text_embeds))
        return (images / images.norm(dim=-1, keepdim=True)) @ (texts / texts.norm(dim=-1, keepdim=True)).T


class PickScore(Clip):
    """PickScore v1 (Kirstain et al., arXiv 2305.01569): exp(logit_scale) × cosine, about 16 … 26.

    Some training code divides by 26; here the term's squash does that. Prompts of more than 77 tokens are
    cut, with a warning. Its processor is that of the model it was tuned from.
    """

    kind = "pickscore"

    def __init__(
        self,
        name_or_path: str = "yuvalkirstain/PickScore_v1",
        revision: str | None = None,
        processor: str | None = "laion/CLIP-ViT-H-14-laion2B-s32B-b79K",
        device: str = "cuda",
        dtype: str = "float32",
        prompt: str | None = None,
        batch: int = 8,
        golden: str = "",
    ) -> None:
        super().__init__(name_or_path, revision, processor, device, dtype, prompt, batch=batch, golden=golden)


def load_strictly(name_or_path: str, revision: str | None = None) -> Any:
    """A model with two towers, every weight of it from its files.

    Raises:
        RecipeError: it cannot be read, is another kind of model, or lacks weights.
        SetupError: transformers is not installed.
    """
    try:
        from transformers import AutoModel
    except ImportError as error:
        raise SetupError(
            f"this scorer needs torch and transformers ({error}): {install_command('train')}"
        ) from error
    try:
        # transformers only warns of weights that it makes up.
        found = cast(
            "tuple[Any, Mapping[str, Any]]",
            AutoModel.from_pretrained(name_or_path, revision=revision or "main", output_loading_info=True),
        )
    except (OSError, ValueError, KeyError) as error:
        raise RecipeError(f"name_or_path: {name_or_path} cannot be loaded: {str(error)[:300]}") from error
    model, info = found
    if getattr(model, "logit_scale", None) is None:
        raise RecipeError(
            f"name_or_path: {name_or_path} is a {model.config.model_type} model."
            " Name a CLIP or a SigLIP model."
        )
    lost = sorted(str(key) for key in (*info["missing_keys"], *info["mismatched_keys"]))
    if lost:
        raise RecipeError(
            f"name_or_path: {name_or_path} lacks {len(lost)} weights ({', '.join(lost[:3])} …),"
            " which would be random. Get it anew."
        )
    return model


def _processors(name: str, revision: str | None) -> tuple[Any, Any]:
    from transformers import AutoImageProcessor, AutoTokenizer

    try:
        prepare = AutoImageProcessor.from_pretrained(name, revision=revision or "main")
        return prepare, AutoTokenizer.from_pretrained(name, revision=revision or "main")
    except (OSError, ValueError, KeyError) as error:
        raise RecipeError(f"processor: {name} cannot be loaded: {str(error)[:300]}") from error


def _dtype(name: str) -> Any:
    import torch

    return {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}[name]


def _fingerprint(model: Any) -> str:
    """What tells two models apart: the mean size of each of their weights."""
    sizes = [float(each.detach().float().abs().mean()) for each in model.parameters()]
    return hashlib.sha256(repr(sizes).encode()).hexdigest()[:12]


def _score(value: float, is_cut: bool) -> Score:
    if not math.isfinite(value):
        told = f"the model gives {value}; try dtype: float32"
        return Score(None, Failure("not_a_number", told, "system", "score"))
    cut = " (the end of the prompt was not read)" if is_cut else ""
    return Score(value, reason=f"{value:+.3f}{cut}", details={"prompt_cut": 1.0} if is_cut else {})
