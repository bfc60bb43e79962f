"""TRL's GRPOTrainer, made from a run recipe: its settings, its prompts in order, our reward, and a callback
that watches.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from salon.errors import RecipeError
from salon.policies.code_lm import LoadedPolicy, prompt_text
from salon.recipe import RunRecipe, Train
from salon.rewards.engine import RewardEngine
from salon.rewards.estimator import Estimator, Grpo
from salon.store.runs import Run
from salon.types import GroupScorer, Medium, Prompt

from .base_painter import BasePainter, lent_by
from .checkpoints import folder_of, mark_complete
from .reward_function import RewardContext, reward_function
from .step_log import StepLog


@dataclass(frozen=True, slots=True)
class Processes:
    """This process among those of the launch. `wait` returns when all of them have called it."""

    rank: int
    count: int
    wait: Callable[[], None]


@dataclass(frozen=True, slots=True)
class RunParts:
    """What a recipe names, built: everything a trainer is made from."""

    recipe: RunRecipe
    policy: LoadedPolicy
    medium: Medium
    engine: RewardEngine
    processes: Processes
    base: BasePainter | None = None


def schedule(prompts: Sequence[Prompt], steps: int, per_step: int, seed: int) -> list[list[Prompt]]:
    """The prompts of every step: shuffled passes over all of them, so that each comes equally often.

    Within a step prompts differ as long as there are enough of them.

    Returns:
        `steps` lists of `per_step` prompts; the same for the same arguments.
    """
    draws = random.Random(f"schedule/{seed}")
    waiting: list[Prompt] = []
    plan: list[list[Prompt]] = []
    for _ in range(steps):
        chosen: list[Prompt] = []
        while len(chosen) < per_step:
            fresh = _first_other(waiting, chosen)
            if fresh is None:
                waiting += draws.sample(list(prompts), len(prompts))
                fresh = _first_other(waiting, chosen) or 0
            chosen.append(waiting.pop(fresh))
        plan.append(chosen)
    return plan


def _first_other(waiting: Sequence[Prompt], chosen: Sequence[Prompt]) -> int | None:
    """The place of the first that is not chosen yet; the others are not looked at."""
    return next((place for place, prompt in enumerate(waiting) if prompt not in chosen), None)


def build_trainer(parts: RunParts, run: Run, log: StepLog) -> tuple[Any, Any]:
    """TRL's trainer with the composed reward, and the callback that watches it."""
    from transformers import PrinterCallback

    recipe, policy = parts.recipe, parts.policy
    estimator = estimator_of(recipe)
    check_groups_stay_whole(recipe.train, parts.engine, parts.processes.count)
    prompts = recipe.prompts.prompts()
    watch = _watch(log, recipe.train.num_iterations, parts.processes.count)
    own = None if isinstance(estimator, Grpo) else lambda: log.judged.advantages if log.judged else []
    trainer = _trainer_class(own)(
        model=policy.model,
        reward_funcs=reward_function(_context(parts, run, log, prompts, estimator)),
        args=_config(recipe, run, parts.processes, estimator),
        train_dataset=_dataset(recipe, prompts, policy.tokenizer),
        processing_class=policy.tokenizer,
        callbacks=[watch],
        peft_config=lora_of(recipe),
    )
    trainer.remove_callback(PrinterCallback)
    if parts.base is not None:
        parts.base.borrow = lent_by(trainer, policy) or parts.base.borrow
    return trainer, watch


def estimator_of(recipe: RunRecipe) -> Estimator:
    """How this run turns totals into advantages: as the reward says, else GRPO with `train.scale_rewards`.

    Raises:
        RecipeError: the reward's kind does not go with the run.
    """
    own, settings = recipe.reward.advantage, recipe.train
    if own is None:
        return Grpo(scale=settings.scale_rewards)
    if settings.scale_rewards != "none":
        raise RecipeError(
            f"train.scale_rewards: the reward's own `advantage` ({own.kind}) decides. Remove one of the two."
        )
    if own.kind == "nft":
        raise RecipeError(
            "reward.advantage: nft gives weights for a flow model's loss, and this run trains a policy that"
            " writes. Choose grpo, gdpo, rank, rpo or win_rate."
        )
    if own.kind == "rpo" and settings.group_size != 2:
        raise RecipeError(
            f"reward.advantage: rpo compares two samples of a prompt, and train.group_size is"
            f" {settings.group_size}. Set it to 2."
        )
    return own


def check_groups_stay_whole(settings: Train, engine: RewardEngine, processes: int) -> None:
    """Scorers that compare the samples of a group must see all of them, whatever the number of processes.

    Raises:
        RecipeError: a group would be split over processes; names the term.
    """
    rows = settings.prompts_per_step * settings.group_size // processes
    comparing = [name for name, scorer in engine.scorers.items() if isinstance(scorer, GroupScorer)]
    if comparing and rows % settings.group_size:
        raise RecipeError(
            f"reward.terms.{comparing[0]}: it compares the samples of a group with one another, and"
            f" {settings.prompts_per_step} prompts over {processes} processes split a group. Choose"
            f" train.prompts_per_step as a multiple of {processes}."
        )


def _trainer_class(own_advantages: Callable[[], list[float]] | None) -> Any:
    """GRPOTrainer whose first update learns: transformers' warm-up begins at a rate of 0, which wastes a
    whole step of rendering.

    own_advantages: those of the step's rows of all processes, where they are not the ones that TRL computes
    from the totals.
    """
    import torch
    from torch.optim.lr_scheduler import LambdaLR
    from trl.trainer.grpo_trainer import GRPOTrainer

    class Trainer(GRPOTrainer):
        def create_model_card(self, *_: Any, **__: Any) -> None:
            """None: a checkpoint of ours is a step of a run, and its manifest says which."""

        def _generate_and_score_completions(self, inputs: Any) -> Any:
            output: Any = super()._generate_and_score_completions(inputs)
            if own_advantages is None:
                return output
            everyones, theirs = own_advantages(), output["advantages"]
            begin = self.accelerator.process_index * len(theirs)
            output["advantages"] = torch.tensor(
                everyones[begin : begin + len(theirs)], dtype=theirs.dtype, device=theirs.device
            )
            logged: Any = self._logs["advantages"]
            for _ in everyones:
                logged.pop()
            logged.extend(everyones)
            return output

        def create_scheduler(self, num_training_steps: int, optimizer: Any = None) -> Any:
            made: Any = self.lr_scheduler
            if made is None:
                plain: Any = super().create_scheduler(num_training_steps, optimizer)
                chosen: Any = optimizer or self.optimizer
                made = LambdaLR(
                    chosen, [lambda update, rate=rate: rate(update + 1) for rate in plain.lr_lambdas]
                )
                self.lr_scheduler = made
            return made

    return Trainer


def _context(
    parts: RunParts, run: Run, log: StepLog, prompts: Sequence[Prompt], estimator: Estimator
) -> RewardContext:
    from accelerate.utils import gather_object

    recipe = parts.recipe
    return RewardContext(
        prompts={prompt.id: prompt for prompt in prompts},
        medium=parts.medium,
        engine=parts.engine,
        reward=recipe.reward,
        run=run,
        group_size=recipe.train.group_size,
        estimator=estimator,
        seed=recipe.seed,
        rank=parts.processes.rank,
        eos_ids=_eos_ids(parts.policy),
        max_new_tokens=recipe.policy.max_new_tokens,
        gather=gather_object,
        on_judged=log.take,
        prepare=parts.base.prepare if parts.base else lambda groups: None,
    )


def _dataset(recipe: RunRecipe, prompts: Sequence[Prompt], tokenizer: Any) -> Any:
    from datasets import Dataset

    plan = schedule(prompts, recipe.train.steps, recipe.train.prompts_per_step, recipe.seed)
    return Dataset.from_list(
        [
            {"prompt": _given(tokenizer, prompt), "prompt_id": prompt.id, "step": step, "slot": slot}
            for step, chosen in enumerate(plan, start=1)
            for slot, prompt in enumerate(chosen)
        ]
    )


def _given(tokenizer: Any, prompt: Prompt) -> str:
    """The prompt's text as TRL may have it: TRL lets the tokenizer add a start token, so a chat template's
    own is taken off.
    """
    text = prompt_text(tokenizer, prompt)
    ids = tokenizer(text)["input_ids"]
    if tokenizer.bos_token and ids[:2] == [tokenizer.bos_token_id] * 2:
        return text.removeprefix(tokenizer.bos_token)
    return text


def _config(recipe: RunRecipe, run: Run, processes: Processes, estimator: Estimator) -> Any:
    import torch
    from trl.trainer.grpo_config import GRPOConfig

    settings = recipe.train
    rows, micro = _rows_per_process(settings, processes.count)
    return GRPOConfig(
        output_dir=str(folder_of(run)),
        max_steps=settings.steps * settings.num_iterations,
        per_device_train_batch_size=micro,
        gradient_accumulation_steps=rows // micro,
        num_generations=settings.group_size,
        num_iterations=settings.num_iterations,
        max_completion_length=recipe.policy.max_new_tokens,
        temperature=recipe.policy.temperature,
        top_p=recipe.policy.top_p,
        learning_rate=settings.learning_rate,
        lr_scheduler_type=settings.scheduler,
        warmup_steps=settings.warmup_steps,
        max_grad_norm=settings.max_grad_norm,
        weight_decay=settings.weight_decay,
        adam_beta1=settings.adam_beta1,
        adam_beta2=settings.adam_beta2,
        scale_rewards=estimator.scale if isinstance(estimator, Grpo) else "none",
        beta=settings.beta,
        epsilon=settings.epsilon,
        epsilon_high=settings.epsilon_high,
        loss_type=settings.loss_type,
        importance_sampling_level=settings.importance_sampling,
        entropy_coef=settings.entropy_coef,
        mask_truncated_completions=settings.mask_truncated,
        gradient_checkpointing=settings.gradient_checkpointing,
        bf16=settings.bf16,
        seed=recipe.seed,
        logging_steps=1,
        save_strategy="steps",
        save_steps=settings.save_every * settings.num_iterations,
        save_total_limit=settings.keep_checkpoints,
        report_to=settings.report_to or "none",
        disable_tqdm=True,
        shuffle_dataset=False,
        remove_unused_columns=False,
        dataloader_pin_memory=False,
        use_cpu=not torch.cuda.is_available(),
    )


def _rows_per_process(settings: Train, processes: int) -> tuple[int, int]:
    """Rows of one step, and rows that go through the model at once, in each process."""
    total = settings.prompts_per_step * settings.group_size
    if total % processes:
        raise RecipeError(
            f"train: {settings.prompts_per_step} prompts × {settings.group_size} samples"
            f" do not divide over {processes} processes"
        )
    rows = total // processes
    micro = settings.micro_batch or rows
    if rows % micro:
        raise RecipeError(f"train.micro_batch: {rows} rows per process do not divide into batches of {micro}")
    return rows, micro


def lora_of(recipe: RunRecipe) -> Any:
    """peft's settings of the adapters that the recipe trains; None where it trains the whole model."""
    if recipe.policy.tuning == "full":
        return None
    from peft import LoraConfig

    lora = recipe.policy.lora
    return LoraConfig(
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules=lora.target_modules,
        task_type="CAUSAL_LM",
    )


def _eos_ids(policy: LoadedPolicy) -> frozenset[int]:
    declared = policy.model.generation_config.eos_token_id
    ids = declared if isinstance(declared, list) else [declared]
    return frozenset(one for one in [*ids, policy.tokenizer.eos_token_id] if one is not None)


def _watch(log: StepLog, updates_per_step: int, processes: int) -> Any:
    """The callback that hands the trainer's events to the log, and knows whether the weights are those of a
    whole step.
    """
    from transformers import TrainerCallback

    class Watch(TrainerCallback):
        is_whole = True
        random_state: Any = None

        def on_step_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if state.global_step % updates_per_step == 0:
                self.random_state = random_state()
                log.begin()

        def on_pre_optimizer_step(
            self, args: Any, state: Any, control: Any, model: Any = None, **_: Any
        ) -> None:
            self.is_whole = False
            if log.judged is not None and not log.judged.totals:
                # Without one reward in the whole step, the optimizer's momentum must not move the policy
                # either.
                model.zero_grad(set_to_none=True)

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if state.global_step % updates_per_step == 0:
                self.is_whole, self.random_state = True, None

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            log.add(logs or {})

        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if log.run.rank == 0:
                step = state.global_step // updates_per_step
                mark_complete(Path(args.output_dir), state.global_step, step, processes)

    return Watch()


def random_state() -> Any:
    import numpy as np
    import torch

    return random.getstate(), np.random.get_state(), torch.get_rng_state()


def restore_random_state(state: Any) -> None:
    import numpy as np
    import torch

    random.setstate(state[0])
    np.random.set_state(state[1])
    torch.set_rng_state(state[2])
