"""CLIP and SigLIP models of a few thousand weights, made on the spot with transformers, in folders."""

from pathlib import Path
from typing import Any

WORDS = ("a", "red", "blue", "rose", "iris", "draw", "loose", "watercolour", "of", "flower")
LENGTH = 12


def tiny_clip(folder: Path, seed: int = 0, **vision: Any) -> Path:
    """A CLIP model: 12 tokens, pictures of 32 × 32."""
    import torch
    from transformers import CLIPConfig, CLIPModel
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    torch.manual_seed(seed)
    text = {
        **_tower(),
        "vocab_size": 24,
        "max_position_embeddings": LENGTH,
        "eos_token_id": 2,
        "bos_token_id": 1,
    }
    pixels = {**_tower(), "image_size": 32, "patch_size": 8, **vision}
    config = CLIPConfig(text_config=text, vision_config=pixels, projection_dim=16)
    CLIPModel(config).save_pretrained(folder)
    size: Any = {"shortest_edge": 32}
    CLIPImageProcessorPil(size=size, crop_size={"height": 32, "width": 32}).save_pretrained(folder)
    _tokenizer(ends=True).save_pretrained(folder)
    return folder


def tiny_siglip(folder: Path, seed: int = 0) -> Path:
    """A SigLIP model of the same size, with a bias."""
    import torch
    from transformers import SiglipConfig, SiglipModel
    from transformers.models.siglip.image_processing_pil_siglip import SiglipImageProcessorPil

    torch.manual_seed(seed)
    text = {**_tower(), "vocab_size": 24, "max_position_embeddings": LENGTH, "projection_size": 16}
    config = SiglipConfig(text_config=text, vision_config={**_tower(), "image_size": 32, "patch_size": 8})
    model = SiglipModel(config)
    with torch.no_grad():
        model.logit_scale.fill_(2.0)
        model.logit_bias.fill_(-3.0)
    model.save_pretrained(folder)
    SiglipImageProcessorPil(size={"height": 32, "width": 32}).save_pretrained(folder)
    _tokenizer(ends=False).save_pretrained(folder)
    return folder


def _tower() -> dict[str, Any]:
    return {
        "hidden_size": 16,
        "intermediate_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "initializer_range": 0.3,
        "initializer_factor": 8.0,
    }


def _tokenizer(ends: bool) -> Any:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast

    vocab = {"<pad>": 0, "<start>": 1, "<end>": 2, "<unk>": 3}
    vocab |= {word: number for number, word in enumerate(WORDS, 4)}
    # A CLIP model of this configuration reads a text at its largest token: the end has to be that.
    if ends:
        vocab |= {"<end>": 23, "<more>": 2}
    tokenizer = Tokenizer(WordLevel(vocab, unk_token="<unk>"))
    tokenizer.pre_tokenizer = Whitespace()  # type: ignore[assignment]
    if ends:
        marks = [("<start>", 1), ("<end>", 23)]
        tokenizer.post_processor = TemplateProcessing(single="<start> $A <end>", special_tokens=marks)  # type: ignore[assignment]
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<end>", unk_token="<unk>"
    )
