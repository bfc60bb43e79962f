"""A whole run in seconds: a Llama of 20,000 weights, the fake medium, scorers as a user would write them."""

from pathlib import Path
from typing import Any

from salon.errors import StageError
from salon.recipe import RunRecipe
from salon.types import Failure, Group, Score

LETTERS = "abcdefghijklmnopqrstuvwxyz \n"


class Vowels:
    """The share of vowels in a reply: cheap, smooth, and a tiny model learns it in a few steps."""

    version = "1"

    def score(self, group: Group) -> list[Score]:
        return [Score(sum(c in "aeiou" for c in s.reply) / max(1, len(s.reply))) for s in group.samples]


class Patchy(Vowels):
    """The same, but the third sample of every group and the whole of step `outage` stay without an answer."""

    def __init__(self, outage: int = 0) -> None:
        self.outage = outage

    def score(self, group: Group) -> list[Score]:
        lost = Failure("judge_unreachable", "out for a walk", "system", "judge")
        if group.step == self.outage:
            raise StageError(lost)
        scores = super().score(group)
        return [
            Score(None, lost) if s.id.endswith("-02") else score
            for s, score in zip(group.samples, scores, strict=True)
        ]


def save_tiny_policy(folder: Path) -> Path:
    """A randomly initialised Llama with a tokenizer of single letters, in transformers' format."""
    import torch
    from tokenizers import Tokenizer, decoders, models
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, logging

    logging.disable_progress_bar()
    vocab = {token: index for index, token in enumerate(["<pad>", "<eos>", *LETTERS])}
    letters = Tokenizer(models.BPE(vocab=vocab, merges=[]))
    letters.decoder = decoders.Fuse()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=letters, pad_token="<pad>", eos_token="<eos>")
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(vocab),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=160,
        pad_token_id=0,
        eos_token_id=1,
        bos_token_id=None,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def tiny_mapping(policy: Path, out: Path, **train: Any) -> dict[str, Any]:
    """A run recipe's content: two groups of four answers of 16 letters; `train` overrides that section."""
    return {
        "policy": {"name_or_path": str(policy), "max_new_tokens": 16},
        "prompts": {
            "flowers": ["rose", "iris"],
            "colours": ["red", "blue"],
            "held_out": {"flowers": ["rose"], "colours": ["pink", "white"]},
        },
        "medium": {"name": "fake", "args": {"size": [32, 32]}},
        "reward": {
            "terms": {
                "length": {"scorer": "length", "weight": 0.1, "args": {"max_tokens": 12}},
                "vowels": {"scorer": "tinyrun:Vowels", "weight": 0.9},
            }
        },
        "train": {"steps": 4, "group_size": 4, "learning_rate": 0.01, "max_grad_norm": 1.0, "threads": 1}
        | train,
        "evaluate": {"pairs": 4, "judges": ["fake"]},
        "out": str(out),
    }


def tiny_recipe(policy: Path, out: Path, **train: Any) -> RunRecipe:
    return RunRecipe.model_validate(tiny_mapping(policy, out, **train))
