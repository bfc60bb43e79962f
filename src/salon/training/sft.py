"""Supervised warm start: teach a causal LM to answer prompts with sketches, before any reward.

`salon sft recipes/sketcher-sft.yaml` trains the embedded sketcher from scratch on the procedural corpus; the
same loop fine-tunes any Hugging Face model on a JSONL of {"prompt", "completion"}. Which pairs a step sees
depends only on the seed and the step, so that a run that was killed and resumed ends with the weights of one
that was not.

Shapes: B pairs of a batch, T tokens.
"""

import math
import random
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator
from rich.console import Console

from salon import validation
from salon.errors import RecipeError
from salon.files.shipped_recipes import find_recipe
from salon.policies.corpus import corpus
from salon.policies.prompts import flower_prompts

from .checkpoints import last_whole, seal

if TYPE_CHECKING:
    import torch

IGNORED = -100
"""The label of a token that carries no loss."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid")


class DataSection(_Section):
    """Where the pairs come from: the generator `corpus: flowers` with a `size`, or a `jsonl` file of
    {"prompt", "completion"}.
    """

    corpus: str | None = None
    size: int = Field(default=20_000, ge=1)
    jsonl: Path | None = None

    @model_validator(mode="after")
    def _one_source(self) -> "DataSection":
        if (self.corpus is None) == (self.jsonl is None):
            raise ValueError("give either `corpus: flowers` or `jsonl: <path>`")
        if self.corpus not in (None, "flowers"):
            raise ValueError(f"no corpus {self.corpus!r}; the only one is 'flowers'")
        return self


class _Pair(_Section):
    prompt: str
    completion: str


class ScratchSection(_Section):
    """A Llama trained from scratch, with its own BPE tokenizer of at most `vocabulary` tokens.

    `sharpen` multiplies the logits of the saved policy: 1.11 at temperature 1 writes what 1.0 writes at 0.9.
    A small model leaves a few percent of its probability with tokens that cannot follow; this takes most of
    it away and keeps the choices open.
    """

    hidden: int = Field(default=192, ge=8)
    layers: int = Field(default=6, ge=1)
    heads: int = Field(default=6, ge=1)
    intermediate: int = Field(default=512, ge=8)
    context: int = Field(default=768, ge=32)
    vocabulary: int = Field(default=2048, ge=300)
    sharpen: float = Field(default=1.0, gt=0)


class PolicySection(_Section):
    """Either a policy to fine-tune (`name`) or one to train from nothing (`scratch`)."""

    name: str | None = None
    scratch: ScratchSection | None = None

    @model_validator(mode="after")
    def _one_policy(self) -> "PolicySection":
        if (self.name is None) == (self.scratch is None):
            raise ValueError("give either `name` or `scratch`")
        return self


class TrainSection(_Section):
    """`batch` is in pairs; the rate warms up, then falls along a cosine to `final_share` of its peak."""

    steps: int = Field(default=1000, ge=1)
    batch: int = Field(default=32, ge=1)
    learning_rate: float = Field(default=3e-3, gt=0)
    final_share: float = Field(default=0.03, ge=0, le=1)
    warmup: int = Field(default=50, ge=0)
    weight_decay: float = Field(default=0.05, ge=0)
    clip: float = Field(default=1.0, gt=0)
    max_tokens: int = Field(default=768, ge=8)
    save_every: int = Field(default=100, ge=1)
    log_every: int = Field(default=20, ge=1)
    threads: int = Field(default=2, ge=1)


class SftRecipe(_Section):
    """A warm start, whole: the file `salon sft` reads."""

    policy: PolicySection
    data: DataSection
    train: TrainSection = TrainSection()
    seed: validation.Seed = 0
    out: Path


@dataclass(frozen=True, slots=True)
class SftResult:
    """What a run left behind: the folder of the policy, and its loss (nats per token) over the last steps."""

    policy: Path
    loss: float
    steps: int


def load_sft_recipe(path: Path | str, overrides: Sequence[str] = ()) -> SftRecipe:
    """Read a recipe and apply overrides such as "train.steps=20".

    Raises:
        RecipeError: names the file, the key and what is wrong with it.
    """
    path = find_recipe(path)
    content = validation.read_yaml(path)
    validation.refuse_other_kind(content, path, "a recipe for salon sft")
    for override in overrides:
        validation.set_key(content, override)
    return validation.validated(SftRecipe, content, str(path))


def sft(recipe_path: Path | str, overrides: Sequence[str], console: Console) -> SftResult:
    """Train as the recipe says, going on from the last checkpoint in its `out` folder if there is one.

    Returns:
        The folder `out/policy` (half-precision safetensors and tokenizer, in transformers format) and the
        loss at the end.
    """
    recipe = load_sft_recipe(recipe_path, overrides)
    trainer = _Trainer(recipe, console)
    loss = trainer.run()
    folder = recipe.out / "policy"
    trainer.save_policy(folder)
    console.print(f"policy saved in {folder} (loss {loss:.3f})")
    return SftResult(policy=folder, loss=loss, steps=recipe.train.steps)


def read_pairs(data: DataSection, seed: int) -> list[tuple[str, str]]:
    """The (prompt, completion) pairs of a data section."""
    if data.jsonl is None:
        return [(prompt.text, sketch) for prompt, sketch in corpus(data.size, seed)]
    rows = validation.read_jsonl(data.jsonl, _Pair, "It is data.jsonl.")
    pairs = [(row.prompt, row.completion) for row in rows]
    if not pairs:
        raise RecipeError(f"{data.jsonl}: no pairs in it")
    return pairs


def learning_rate(train: TrainSection, step: int) -> float:
    """The rate of `step` (from 0): a linear warm-up, then a cosine from the peak to `final_share` of it."""
    if step < train.warmup:
        return train.learning_rate * (step + 1) / train.warmup
    done = (step - train.warmup) / max(1, train.steps - train.warmup)
    share = train.final_share + (1 - train.final_share) * 0.5 * (1 + math.cos(math.pi * done))
    return train.learning_rate * share


def batch_of(lengths: Sequence[int], batch: int, seed: int, step: int) -> list[int]:
    """The indices of the pairs that `step` sees: pairs of like length, each pair once per epoch."""
    per_epoch = max(1, len(lengths) // batch)
    epoch, position = divmod(step, per_epoch)
    rng = random.Random(f"{seed}/{epoch}")
    order = list(range(len(lengths)))
    rng.shuffle(order)
    window = batch * 16
    chunks = [
        sorted(order[at : at + window], key=lambda i: lengths[i]) for at in range(0, len(order), window)
    ]
    flat = [index for chunk in chunks for index in chunk]
    batches = [flat[at : at + batch] for at in range(0, len(flat), batch)][:per_epoch]
    rng.shuffle(batches)
    return batches[position]


class _Trainer:
    """The loop and its state: model, optimiser, step."""

    def __init__(self, recipe: SftRecipe, console: Console) -> None:
        import torch

        torch.set_num_threads(recipe.train.threads)
        torch.manual_seed(recipe.seed)
        self.recipe, self.console = recipe, console
        self.step, self.recent = 0, list[float]()
        pairs = read_pairs(recipe.data, recipe.seed)
        going_on = last_whole(recipe.out / "checkpoints", "step-??????", self._say, self._opened)
        self.model, self.tokenizer = going_on[1][:2] if going_on else _open_policy(recipe.policy, pairs)
        self.optimizer = going_on[1][2] if going_on else self._new_optimizer(self.model)
        self.rows = encode(self.tokenizer, pairs, recipe.train.max_tokens)
        self.lengths = [len(ids) for ids, _ in self.rows]
        if going_on:
            self.step, self.recent = going_on[1][3], going_on[1][4]
            console.print(f"going on from step {self.step} ({going_on[0]})")
        size = sum(p.numel() for p in self.model.parameters())
        mean = sum(self.lengths) / len(self.lengths)
        console.print(
            f"{size / 1e6:.2f} M parameters, {len(self.rows)} pairs of {mean:.0f} tokens on average"
        )

    def run(self) -> float:
        train = self.recipe.train
        started, tokens = time.monotonic(), 0
        self.model.train()
        while self.step < train.steps:
            chosen = batch_of(self.lengths, train.batch, self.recipe.seed, self.step)
            self.recent = [*self.recent[-49:], self._update([self.rows[index] for index in chosen])]
            tokens += sum(self.lengths[index] for index in chosen)
            self.step += 1
            if self.step % train.log_every == 0 or self.step == train.steps:
                rate = tokens / (time.monotonic() - started)
                progress = f"step {self.step}/{train.steps}  loss {self.loss:.4f}  {rate:,.0f} tokens/s"
                self.console.print(progress, highlight=False)
            if self.step % train.save_every == 0 or self.step == train.steps:
                self._checkpoint()
        self.model.eval()
        return self.loss

    @property
    def loss(self) -> float:
        """The mean over the last steps, 50 at most."""
        return sum(self.recent) / len(self.recent)

    def _update(self, rows: "Sequence[tuple[list[int], int]]") -> float:
        import torch

        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(self.recipe.train, self.step)
        ids_BT, labels_BT = collate(rows, int(self.tokenizer.pad_token_id))
        loss = self.model(input_ids=ids_BT, labels=labels_BT, attention_mask=None, use_cache=False).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.recipe.train.clip)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return float(loss.detach())

    def _say(self, text: str) -> None:
        self.console.print(text, soft_wrap=True, highlight=False)

    def _new_optimizer(self, model: Any) -> Any:
        import torch

        decay = self.recipe.train.weight_decay
        return torch.optim.AdamW(model.parameters(), lr=0.0, betas=(0.9, 0.95), weight_decay=decay)

    def _opened(self, checkpoint: Path) -> tuple[Any, Any, Any, int, list[float]]:
        """Policy, tokenizer, optimizer, step and recent losses; raises where one of them cannot be read."""
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        state = torch.load(checkpoint / "optimizer.pt", weights_only=True)
        if f"step-{state['step']:06d}" != checkpoint.name:
            raise ValueError(f"it is of step {state['step']}, and not of this run")
        model = AutoModelForCausalLM.from_pretrained(checkpoint, dtype=torch.float32)
        tokenizer = AutoTokenizer.from_pretrained(checkpoint)
        optimizer = self._new_optimizer(model)
        optimizer.load_state_dict(state["optimizer"])
        return model, tokenizer, optimizer, state["step"], list(state["recent"])

    def _checkpoint(self) -> None:
        """Write beside and rename, so that a kill leaves the last checkpoint whole; keep the last two."""
        import torch

        folder = self.recipe.out / "checkpoints" / f"step-{self.step:06d}"
        draft = folder.with_name(f"{folder.name}.draft")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        self.model.save_pretrained(draft)
        self.tokenizer.save_pretrained(draft)
        state = {"optimizer": self.optimizer.state_dict(), "step": self.step, "recent": self.recent}
        torch.save(state, draft / "optimizer.pt")
        seal(draft, self.step)
        shutil.rmtree(folder, ignore_errors=True)
        draft.rename(folder)
        for old in sorted(folder.parent.glob("step-??????"))[:-2]:
            shutil.rmtree(old)

    def save_policy(self, folder: Path) -> None:
        """Save the policy in half precision: it is read back as float32."""
        import copy

        import torch

        model = copy.deepcopy(self.model)
        if self.recipe.policy.scratch is not None:
            with torch.no_grad():
                model.model.norm.weight.mul_(self.recipe.policy.scratch.sharpen)
        model.half().save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)


def _open_policy(policy: PolicySection, pairs: Sequence[tuple[str, str]]) -> tuple[Any, Any]:
    if policy.name is not None:
        from salon.policies.code_lm import load_policy

        loaded = load_policy(policy.name)
        return loaded.model, loaded.tokenizer
    assert policy.scratch is not None, "PolicySection holds either a name or a shape"
    return _from_scratch(policy.scratch, pairs)


def _from_scratch(shape: ScratchSection, pairs: Sequence[tuple[str, str]]) -> tuple[Any, Any]:
    from transformers import LlamaConfig, LlamaForCausalLM

    from salon.policies.tokens import train_tokenizer

    texts = [f"{prompt}\n{completion}" for prompt, completion in pairs[:4000]]
    texts += [f"{prompt.text}\n" for prompt in flower_prompts()]
    tokenizer = train_tokenizer(texts, shape.vocabulary)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=shape.hidden,
        intermediate_size=shape.intermediate,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.heads,
        max_position_embeddings=shape.context,
        tie_word_embeddings=True,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        bos_token_id=None,
    )
    return LlamaForCausalLM(config), tokenizer


def encode(tokenizer: Any, pairs: Sequence[tuple[str, str]], max_tokens: int) -> list[tuple[list[int], int]]:
    """Each pair as (token ids of prompt + completion + end, number of prompt tokens), cut at `max_tokens`."""
    from salon.policies.code_lm import format_prompt

    prompts = tokenizer([format_prompt(tokenizer, prompt) for prompt, _ in pairs], add_special_tokens=False)[
        "input_ids"
    ]
    answers = tokenizer([completion for _, completion in pairs], add_special_tokens=False)["input_ids"]
    end = [int(tokenizer.eos_token_id)]
    return [((p + a + end)[:max_tokens], len(p)) for p, a in zip(prompts, answers, strict=True)]


def collate(rows: Sequence[tuple[list[int], int]], pad: int) -> "tuple[torch.Tensor, torch.Tensor]":
    """Right-padded ids and labels, both (B, T); the prompt and the padding carry no loss."""
    import torch

    width = max(len(ids) for ids, _ in rows)
    ids_BT = torch.full((len(rows), width), pad, dtype=torch.long)
    labels_BT = torch.full((len(rows), width), IGNORED, dtype=torch.long)
    for row, (ids, prompt) in enumerate(rows):
        ids_BT[row, : len(ids)] = torch.tensor(ids)
        labels_BT[row, prompt : len(ids)] = torch.tensor(ids[prompt:])
    return ids_BT, labels_BT
