"""GRPO through TRL: the loop is theirs, the reward, the record and the way back after a kill are ours.

One step is one round of sampling: `prompts_per_step` groups of `group_size` answers, rendered and judged,
then `num_iterations` updates. The prompts of every step are laid out before the first one, so a resumed run
meets the prompts it would have met.
"""

import logging
import os
import shutil
import warnings
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager, nullcontext
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from salon.errors import BudgetSpent, SetupError, StoreError
from salon.media import open_medium
from salon.policies.code_lm import check_packages, load_policy
from salon.recipe import RunRecipe, Train
from salon.rewards.content_hashes import check_files, files_of
from salon.rewards.engine import RewardEngine
from salon.rewards.preflight.startup import Domain, check_reward
from salon.store.runs import Run

from .base_painter import base_painter
from .checkpoints import folder_of, go_back
from .step_log import StepLog
from .trl_trainer import Processes, RunParts, build_trainer, restore_random_state

if TYPE_CHECKING:
    from rich.console import Console


def check_reporters(names: Sequence[str]) -> None:
    """Raises SetupError where a service in `train.report_to` needs a package that is not installed: before
    anything is painted, and not after.
    """
    for name in names:
        package = {"azure_ml": "azureml", "comet_ml": "comet_ml", "flyte": "flytekit"}.get(name, name)
        if name not in ("none", "all") and find_spec(package) is None:
            raise SetupError(
                f"train.report_to: {name} needs the package {package!r}, which is not installed. Run:"
                f" pip install {package.replace('_', '-')}, or leave it out."
            )


def train(recipe: RunRecipe, console: "Console", resume: bool = True) -> Run:
    """Train a policy by GRPO, or go on where the same recipe stopped; returns at the last step with the
    policy in `<out>/policy`.

    Under `accelerate launch` every process calls this; only rank 0 prints and writes.

    Args:
        recipe: the run; `recipe.out` is its folder.
        console: where the progress lines go.
        resume: False refuses a folder that holds a run already.

    Raises:
        RecipeError: the batch does not divide over the processes, or a part of the recipe cannot be built.
        StoreError: the folder holds a run of another recipe.
        KeyboardInterrupt: after Ctrl-C, once the state was saved.
        BudgetSpent: a judge that decides may spend no more; the state was saved.
    """
    check_reporters(recipe.train.report_to)
    with warnings.catch_warnings():
        # What TRL, transformers and torch deprecate among themselves is no news to a user.
        for kind in (FutureWarning, DeprecationWarning):
            warnings.simplefilter("ignore", kind)
        return _train(recipe, console, resume)


def _train(recipe: RunRecipe, console: "Console", resume: bool) -> Run:
    processes = _processes(recipe.train)
    if Run.exists(recipe.out):
        if not resume:
            raise StoreError(f"{recipe.out} holds a run already: choose another folder (--set out=…)")
        run = Run.open(recipe.out, recipe.identity(), processes.rank)
        if policy_folder(run).is_dir():
            _say(console, processes, f"{run.path} is trained already ({recipe.train.steps} steps)")
            return run
    check_packages(recipe.policy.name_or_path)
    settings = recipe.train
    plan = f"{settings.steps} steps of {settings.prompts_per_step} × {settings.group_size} sketches"
    _say(
        console,
        processes,
        f"{plan} into {recipe.out}; loading {recipe.policy.name_or_path} and checking the reward",
    )
    policy = load_policy(recipe.policy.name_or_path)
    with closing(open_medium(recipe.medium.name, recipe.medium.cache, **recipe.medium.args)) as medium:
        engine = RewardEngine(recipe.reward, recipe.seed)
        check_reward(engine, Domain(recipe.prompts.prompts(), medium))
        base = base_painter(engine, recipe, policy, medium)
        parts = RunParts(recipe, policy, medium, engine, processes, base)
        run = _open_run(parts)
        with run.held() if processes.rank == 0 else nullcontext():
            _loop(parts, run, console)
    return run


def policy_folder(run: Run) -> Path:
    """Where a finished run keeps its trained policy, in transformers' format."""
    return run.path / "policy"


def _processes(settings: Train) -> Processes:
    import torch
    from accelerate import PartialState

    _quiet()
    state = PartialState(cpu=not torch.cuda.is_available())
    torch.set_num_threads(settings.threads or max(1, (os.cpu_count() or 1) // state.num_processes))
    return Processes(rank=state.process_index, count=state.num_processes, wait=state.wait_for_everyone)


def _quiet() -> None:
    """Our progress lines are the only ones: the libraries' bars and hints drown them."""
    import datasets
    import transformers

    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    datasets.disable_progress_bars()
    for name in ("trl", "accelerate", "peft"):
        logging.getLogger(name).setLevel(logging.ERROR)


def _open_run(parts: RunParts) -> Run:
    recipe, processes = parts.recipe, parts.processes
    if processes.rank == 0 and not Run.exists(recipe.out):
        Run.create(
            recipe.out,
            {
                "recipe": recipe.identity(),
                "kept_beside": recipe.beside(),
                "policy": parts.policy.identity,
                "medium": parts.medium.versions(),
                "judges": parts.engine.identities(),
                "files": files_of(recipe.reward),
                "seeds": {"run": recipe.seed, "evaluate": recipe.evaluate.seed},
                "processes": processes.count,
            },
        )
    processes.wait()
    run = Run.open(recipe.out, recipe.identity(), processes.rank)
    check_files(recipe.reward, run.manifest.get("files"), str(run.path))
    return run


def _loop(parts: RunParts, run: Run, console: "Console") -> None:
    settings, processes = parts.recipe.train, parts.processes
    found = (None, 0)
    if processes.rank == 0:
        say = partial(_say, console, processes)
        found = go_back(run, processes.count, say, settings.num_iterations, _opens)
    checkpoint, done = _from_rank_0(found)
    if done:
        _say(console, processes, f"going on after step {done} of {settings.steps} ({run.path})")
    log = StepLog(run, parts.recipe.reward, settings.steps, settings.num_iterations, console)
    trainer, watch = build_trainer(parts, run, log)
    with _saved_when_stopped(trainer, watch, run, processes, console):
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    processes.wait()
    if processes.rank == 0:
        _save_policy(trainer, parts.policy.tokenizer, run)
    processes.wait()


def _opens(checkpoint: Path) -> None:
    """Read what the trainer would read of a checkpoint; raises where that cannot be."""
    import torch
    from safetensors import safe_open

    for name in ("optimizer.pt", "scheduler.pt"):
        torch.load(checkpoint / name, map_location="cpu", weights_only=True, mmap=True)
    for path in checkpoint.glob("*.safetensors"):
        with safe_open(path, "pt"):
            pass


@contextmanager
def _saved_when_stopped(
    trainer: Any, watch: Any, run: Run, processes: Processes, console: "Console"
) -> Generator[None]:
    """On Ctrl-C, and when a budget is spent, keep the last whole step and say how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        _say(console, processes, "stopping …")
        # The other processes may be anywhere.
        if processes.count == 1:
            _save_last_step(trainer, watch)
        _say(console, processes, "stopped; the same command goes on from the last checkpoint")
        raise
    except BudgetSpent as spent:
        # All processes stop here: each has seen the scores of all.
        _save_last_step(trainer, watch)
        processes.wait()
        done = trainer.state.global_step // trainer.args.num_iterations
        raise BudgetSpent(f"{spent} {_going_on(run, done)}") from spent


def _save_last_step(trainer: Any, watch: Any) -> None:
    if not (trainer.state.global_step > 0 and watch.is_whole):
        return
    if watch.random_state is not None:
        restore_random_state(watch.random_state)
    trainer._save_checkpoint(trainer.model, None)
    watch.on_save(trainer.args, trainer.state, trainer.control)


def _going_on(run: Run, done: int) -> str:
    if not done:
        return "Nothing was learned yet: the same command begins again, and asks nothing twice."
    return f"{run.path} is saved after step {done}: the same command goes on from there."


def _save_policy(trainer: Any, tokenizer: Any, run: Run) -> None:
    """The trained policy, whole or not at all; adapters are merged into the weights they were trained on."""
    model = trainer.accelerator.unwrap_model(trainer.model)
    if _is_adapter(model):
        model = model.merge_and_unload()
    beside = folder_of(run) / "policy.tmp"
    shutil.rmtree(beside, ignore_errors=True)
    model.save_pretrained(beside)
    tokenizer.save_pretrained(beside)
    beside.replace(policy_folder(run))


def _is_adapter(model: Any) -> bool:
    from peft import PeftModel

    return isinstance(model, PeftModel)


def _from_rank_0(value: Any) -> Any:
    from accelerate.utils import broadcast_object_list

    return broadcast_object_list([value])[0]


def _say(console: "Console", processes: Processes, text: str) -> None:
    if processes.rank == 0:
        console.print(text, soft_wrap=True, highlight=False)
