"""How long an update takes, without one: the forward and backward pass on answers, and no optimizer step."""

import time
import warnings
from collections.abc import Sequence
from typing import Any

from salon.policies.code_lm import LoadedPolicy
from salon.recipe import RunRecipe

from .trl_trainer import lora_of


def update_seconds(policy: LoadedPolicy, recipe: RunRecipe, texts: Sequence[str], rows: int) -> float:
    """Seconds that the updates on `rows` answers take to expect; no weight changes.

    Args:
        policy: the base policy.
        recipe: says how many updates a step has, how many rows go through at once, and whether adapters are
            trained.
        texts: prompts with their answers, as the policy reads and writes them; what is measured.
        rows: those of a step; the measured seconds are scaled from len(texts) to them.
    """
    model = _trainable(policy.model, recipe)
    micro = min(recipe.train.micro_batch or len(texts), len(texts))
    model.train()
    began = time.perf_counter()
    for at in range(0, len(texts), micro):
        _backward(model, policy.tokenizer, texts[at : at + micro])
    seconds = time.perf_counter() - began
    model.zero_grad(set_to_none=True)
    model.eval()
    return seconds * recipe.train.num_iterations * rows / len(texts)


def _trainable(model: Any, recipe: RunRecipe) -> Any:
    adapters = lora_of(recipe)
    if adapters is None:
        return model
    from peft import get_peft_model

    with warnings.catch_warnings():
        # peft asks transformers by names that transformers deprecates.
        warnings.simplefilter("ignore", FutureWarning)
        return get_peft_model(model, adapters)


def _backward(model: Any, tokenizer: Any, texts: Sequence[str]) -> None:
    batch = tokenizer(list(texts), return_tensors="pt", padding=True).to(model.device)
    ids_BT = batch["input_ids"]
    logits_BTV = model(input_ids=ids_BT, attention_mask=batch["attention_mask"]).logits
    chosen_BT = logits_BTV[:, :-1].log_softmax(-1).gather(-1, ids_BT[:, 1:, None])[..., 0]
    (-(chosen_BT * batch["attention_mask"][:, 1:]).mean()).backward()
