"""A run recipe: one YAML file that says everything a run depends on, typed and checked before anything
expensive starts.

Sections: policy, prompts, medium, reward, train, evaluate, seed, out. Unknown keys are refused with a
suggestion, any key is overridden by `--set train.learning_rate=1e-5` (values are YAML), and the resolved
recipe is hashed into the run's manifest. The reward may stand inline, or be the path of a reward recipe
relative to this file; what is hashed is its content, not its path.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from salon import validation
from salon.errors import RecipeError
from salon.files.shipped_recipes import find_beside, find_recipe
from salon.policies.prompts import flower_prompts
from salon.registry import allow as allow_modules
from salon.registry import look_in
from salon.rewards.recipe import RewardRecipe, without_defaults
from salon.types import Prompt

__all__ = [
    "Evaluate",
    "Policy",
    "PromptSet",
    "Prompts",
    "RunRecipe",
    "Train",
    "load_run_recipe",
    "recipe_of_run",
]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Lora(_Section):
    """Low-rank adapters, used when `policy.tuning` is lora. `target_modules` as in peft ("all-linear" or
    names).
    """

    rank: int = Field(default=16, ge=1)
    alpha: int = Field(default=32, ge=1)
    dropout: float = Field(default=0.0, ge=0, lt=1)
    target_modules: str | list[str] = "all-linear"


class Policy(_Section):
    """The model that writes. `name_or_path`: a built-in (sketcher, smollm2), a Hugging Face name, or a
    folder.
    """

    name_or_path: str
    tuning: Literal["full", "lora"] = "full"
    lora: Lora = Lora()
    max_new_tokens: int = Field(default=512, ge=1)
    temperature: float = Field(default=1.0, gt=0)
    top_p: float = Field(default=1.0, gt=0, le=1)


class PromptSet(_Section):
    """Prompts: every flower in every colour, or a JSONL file (one object per line: text, and id, subject,
    tags, meta where wanted).
    """

    flowers: list[str] = []
    colours: list[str] = []
    file: str | None = None
    sha256: str | None = None

    @model_validator(mode="after")
    def _one_source(self) -> "PromptSet":
        listed = bool(self.flowers) and bool(self.colours)
        if listed == (self.file is not None) or (self.file and (self.flowers or self.colours)):
            raise ValueError("give flowers and colours, or a file: one of the two")
        for key, names in (("flowers", self.flowers), ("colours", self.colours)):
            if twice := [name for name, times in Counter(names).items() if times > 1]:
                raise ValueError(f"{key}: {twice[0]!r} stands twice")
        return self

    def prompts(self) -> list[Prompt]:
        """The prompts, in order: flower-major, or as the file has them."""
        if self.file is not None:
            return _read_prompts(Path(self.file), self.sha256)
        return list(flower_prompts(self.flowers, self.colours))


class Prompts(PromptSet):
    """Training prompts, and the held-out ones that only an evaluation sees."""

    held_out: PromptSet | None = None

    def held_out_prompts(self) -> list[Prompt]:
        """The held-out prompts; empty when the recipe has none."""
        return self.held_out.prompts() if self.held_out else []


class MediumSection(_Section):
    """How a reply becomes a picture: a medium's name and its arguments. `cache` keeps a built-in medium's
    renderings on disk, for all runs.
    """

    name: str = "p5.brush"
    args: validation.Args = {}
    cache: bool = True


class Train(_Section):
    """GRPO. A step is one round of sampling: prompts_per_step groups of group_size, then num_iterations
    updates on them.

    `learning_rate` after `warmup_steps` updates; `max_grad_norm` clips the gradient; `scale_rewards` divides
    a group's advantages by a standard deviation (none: not at all); `beta` weighs the KL to the frozen policy
    (0: none is kept); `epsilon` and `epsilon_high` clip the probability ratio; `micro_batch` rows go through
    the model at once, per process (default: all); `save_every` counts steps.
    """

    steps: int = Field(default=24, ge=1)
    prompts_per_step: int = Field(default=2, ge=1)
    group_size: int = Field(default=8, ge=2)
    micro_batch: int | None = Field(default=None, ge=1)
    learning_rate: float = Field(default=1e-4, gt=0)
    warmup_steps: int = Field(default=3, ge=0)
    scheduler: Literal["constant_with_warmup", "linear", "cosine"] = "constant_with_warmup"
    max_grad_norm: float = Field(default=0.1, gt=0)
    weight_decay: float = Field(default=0.0, ge=0)
    adam_beta1: float = Field(default=0.9, ge=0, lt=1)
    adam_beta2: float = Field(default=0.999, ge=0, lt=1)
    scale_rewards: Literal["none", "group", "batch"] = "none"
    beta: float = Field(default=0.0, ge=0)
    num_iterations: int = Field(default=1, ge=1)
    epsilon: float = Field(default=0.2, gt=0)
    epsilon_high: float | None = Field(default=None, gt=0)
    loss_type: Literal["grpo", "bnpo", "dr_grpo", "dapo", "cispo"] = "dapo"
    importance_sampling: Literal["token", "sequence"] = "token"
    entropy_coef: float = 0.0
    mask_truncated: bool = False
    gradient_checkpointing: bool = False
    bf16: bool = False
    save_every: int = Field(default=2, ge=1)
    keep_checkpoints: int = Field(default=2, ge=1)
    threads: int | None = Field(default=None, ge=1)
    report_to: list[str] = []


class Evaluate(_Section):
    """Win rate of the trained policy against its frozen base, on held-out prompts with equal seeds.

    `judges`: "training" is every judge the reward asks for comparisons; else a judge's built-in name, folder
    or module:attribute path.
    """

    pairs: int = Field(default=24, ge=0)
    judges: list[str] = ["training", "flowers-heldout"]
    temperature: float | None = Field(default=None, gt=0)
    seed: validation.Seed = 1000


class RunRecipe(_Section):
    """A whole run."""

    policy: Policy
    prompts: Prompts
    medium: MediumSection = MediumSection()
    reward: RewardRecipe
    train: Train = Train()
    evaluate: Evaluate = Evaluate()
    seed: validation.Seed = 0
    out: str = Field(pattern=r"\S")

    def identity(self) -> dict[str, Any]:
        """What makes it this run, JSON-ready: all but where it is kept, how often it is saved, what it may
        spend and how it is evaluated afterwards.
        """
        full = self.model_dump(mode="json", exclude={"out", "evaluate", "reward"})
        full["reward"] = self.reward.identity()
        for key in ("save_every", "keep_checkpoints", "threads", "report_to"):
            del full["train"][key]
        del full["medium"]["cache"]
        full["medium"]["args"] = without_defaults("medium", self.medium.name, full["medium"]["args"])
        return full

    def beside(self) -> dict[str, Any]:
        """What a manifest keeps beside the identity, so that the whole recipe can be read back."""
        kept = {
            "evaluate": self.evaluate.model_dump(mode="json"),
            "reward": self.reward.model_dump(mode="json"),
        }
        return {"out": self.out, **kept}


def load_run_recipe(path: str | Path, overrides: Sequence[str] = (), allow: Sequence[str] = ()) -> RunRecipe:
    """Read, override and check a run recipe.

    Args:
        path: the YAML file, or the name of one that ships.
        overrides: "dotted.key=value" with YAML values, applied in order; `reward.…` reaches into the reward
            even where it is a path.
        allow: modules that recipes may use from now on (see salon.registry).

    Raises:
        RecipeError: names the file, the key and the remedy, one line per mistake.
    """
    file = find_recipe(path)
    allow_modules(*allow)
    data = validation.read_yaml(file)
    if data.keys() == {"reward"} or "terms" in data:
        raise RecipeError(
            f"{file}: is a reward, and the recipe of a run is asked for: one with `policy`, `prompts`, `out`"
            f" and `reward: {file.name}`, such as hibiscus-cpu, which ships."
        )
    validation.refuse_other_kind(data, file, "a run's recipe")
    look_in(file.parent)
    for override in overrides:
        _apply(data, override, file)
    data["reward"] = _reward_content(data.get("reward"), file)
    _anchor_prompt_files(data.get("prompts"), file.parent)
    recipe = validation.validated(RunRecipe, data, str(file))
    _check_prompts(recipe, file)
    return recipe


def _apply(data: dict[str, Any], override: str, file: Path) -> None:
    """Set one dotted key; sections that are not there yet are made, and the check afterwards says whether
    they may be.
    """
    key, equals, text = override.partition("=")
    if not equals or not key.strip():
        raise RecipeError(f"--set {override!r}: write it as key=value, for example train.learning_rate=1e-5")
    *sections, last = key.strip().split(".")
    # Without the value in messages: it may be a key.
    value = validation.yaml_value(text, f"--set {key.strip()}")
    validation.refuse_keys({last: value}, f"--set {'.'.join(sections)}" if sections else "--set")
    current = data
    for section in sections:
        if current is data and section == "reward":
            data["reward"] = _reward_content(data.get("reward"), file)
        inner = current.setdefault(section, {})
        if not isinstance(inner, dict):
            raise RecipeError(f"--set {key.strip()}: {section!r} holds a value, not a section")
        current = inner
    current[last] = value


def _reward_content(reward: Any, file: Path) -> Any:
    """The reward's content: what stands inline, or what is in the file it names (without a `reward:` key
    around it).
    """
    if isinstance(reward, str):
        place = find_beside(file, reward)
        look_in(place.parent)
        reward = validation.read_yaml(place)
    if isinstance(reward, dict) and set(reward) == {"reward"}:
        return reward["reward"]
    return reward


def _anchor_prompt_files(prompts: Any, folder: Path) -> None:
    """Paths of prompt files are relative to the recipe; their content's hash goes into the recipe's."""
    if not isinstance(prompts, dict):
        return
    if isinstance(prompts.get("file"), str):
        file = folder / prompts["file"]
        prompts |= {
            "file": str(file),
            "sha256": hashlib.sha256(validation.read_bytes(file, _PROMPTS_FILE)).hexdigest(),
        }
    _anchor_prompt_files(prompts.get("held_out"), folder)


def _check_prompts(recipe: RunRecipe, file: Path) -> None:
    """What is held out must not be trained on."""
    seen = {prompt.text for prompt in recipe.prompts.prompts()}
    both = sorted(seen & {prompt.text for prompt in recipe.prompts.held_out_prompts()})
    if both:
        raise RecipeError(
            f"{file}: prompts.held_out: also trained on: {both[0]!r}. Take it out of one of the two."
        )


_PROMPTS_FILE = "It is prompts.file, relative to the recipe."


def _read_prompts(file: Path, sha256: str | None) -> list[Prompt]:
    """Prompts of a JSONL file. Bad lines and ids that stand twice are left out and named, all at once."""
    if (
        sha256 is not None
        and hashlib.sha256(validation.read_bytes(file, _PROMPTS_FILE)).hexdigest() != sha256
    ):
        raise RecipeError(f"{file}: its content is not what the recipe was made with. Restore it.")
    rows, bad = validation.read_rows(file, _PromptLine, _PROMPTS_FILE)
    seen: dict[str, int] = {}

    def read(row: _PromptLine, line: int) -> Prompt:
        prompt = _prompt(row, line)
        if prompt.id in seen:
            raise RecipeError(
                f"{file}, line {line}: the id {prompt.id!r} stands twice: in line {seen[prompt.id]} already."
            )
        seen[prompt.id] = line
        return prompt

    prompts = validation.sift(file, rows, bad, read)
    validation.leave_out(file, bad, len(prompts))
    if not prompts:
        raise RecipeError(f"{file}: no prompts in it")
    return prompts


class _PromptLine(_Section):
    text: str = Field(min_length=1, pattern=r"\S")
    id: str = ""
    subject: str = ""
    tags: list[str] = []
    meta: dict[str, str] = {}


def _prompt(row: _PromptLine, number: int) -> Prompt:
    name = row.id or re.sub(r"[^a-z0-9]+", "-", row.text.lower()).strip("-")[:60] or f"row-{number}"
    return Prompt(id=name, text=row.text, subject=row.subject, tags=tuple(row.tags), meta=row.meta)


def recipe_of_run(manifest: Mapping[str, Any]) -> RunRecipe:
    """The recipe that a run's manifest keeps."""
    return validation.validated(
        RunRecipe, {**manifest["recipe"], **manifest.get("kept_beside", {})}, "manifest.json"
    )
