"""The base policy under a run's reward, before any training: one step of a real run, and what a step will
cost.

Sampling, rendering, scoring, composing and recording are those of the training; only the update is left out
(its cost is measured by a forward and a backward pass, see `salon.training.update_timing`).
"""

import os
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from salon.errors import BudgetSpent, StoreError
from salon.judges.measuring.call_counter import counted
from salon.media import open_medium
from salon.media.render_samples import derive_seed, develop
from salon.policies.code_lm import LoadedPolicy, check_packages, load_policy, prompt_text, sample
from salon.recipe import RunRecipe
from salon.rewards.build import build_judges
from salon.rewards.engine import RewardEngine
from salon.rewards.preflight.startup import Domain, check_reward
from salon.store.runs import Run
from salon.types import Medium, Prompt, Sample

from .base_painter import base_painter
from .reward_function import Judged, RewardContext, judge_step, spent_in
from .step_log import step_metrics
from .trl_trainer import estimator_of, schedule
from .update_timing import update_seconds

if TYPE_CHECKING:
    from rich.console import Console

STEP = 0
STAGES = ("policy", "render", "judge", "update")
PROMPTS = 8


@dataclass(frozen=True, slots=True)
class StepCost:
    """What a step of the training will take, scaled from what the probe took.

    samples: of a step. measured: samples that the probe had. steps: of the training. seconds: per step, by
    stage. term_seconds: of the stage judge, per step and term; terms run side by side. questions: per step,
    by judge and kind, what is asked of it.
    """

    samples: int
    measured: int
    steps: int
    seconds: Mapping[str, float]
    term_seconds: Mapping[str, float]
    questions: Mapping[str, Mapping[str, float]]

    @property
    def step(self) -> float:
        """Seconds of a step."""
        return sum(self.seconds.values())

    def as_json(self) -> dict[str, Any]:
        """As plain values, for the record."""
        return {
            "samples_per_step": self.samples,
            "measured_on": self.measured,
            "steps": self.steps,
            "seconds_per_step": dict(self.seconds),
            "term_seconds_per_step": dict(self.term_seconds),
            "questions_per_step": {name: dict(asked) for name, asked in self.questions.items()},
        }


@dataclass(frozen=True, slots=True)
class Probe:
    """A run of step 0 alone, and what a step will cost."""

    run: Run
    cost: StepCost


def probe(recipe: RunRecipe, console: "Console", prompts: int = PROMPTS, out: str | None = None) -> Probe:
    """Run the base policy on some prompts under a run's reward, and record it as step 0 of a run of its own.

    Args:
        recipe: the run to be trained; its own folder is not touched.
        console: where it tells what it does.
        prompts: how many groups; prompts repeat when the recipe has fewer.
        out: the folder; by default the recipe's `out` with "-probe" behind it.

    Raises:
        SetupError: a package that the policy needs is not installed.
        RecipeError: a part cannot be built, or a known-bad picture beats a known-good one.
        StoreError: the folder is used already.
        BudgetSpent: a judge that decides may spend no more; what was scored is recorded.
    """
    check_packages(recipe.policy.name_or_path)
    place = Path(out or f"{recipe.out.rstrip('/')}-probe")
    if os.path.exists(place):
        raise StoreError(f"{place} is there already: choose another --out")
    size = recipe.train.group_size
    console.print(
        f"{prompts} prompts × {size} answers of {recipe.policy.name_or_path} into {place}",
        soft_wrap=True,
        highlight=False,
    )
    estimator_of(recipe)
    engine, counters = _engine(recipe)
    policy = _loaded(recipe)
    chosen = schedule(recipe.prompts.prompts(), 1, prompts, recipe.seed)[0]
    drafts, policy_seconds = _write(policy, recipe, chosen)
    # Renderings that some earlier run has left on disk would make a step look cheaper than it is.
    with closing(open_medium(recipe.medium.name, False, **recipe.medium.args)) as medium:
        develop(medium, drafts[:1])  # A browser that has just been started is slow once.
        run = _open(recipe, place, policy, medium, engine, prompts)
        slots = [index // size for index in range(len(drafts))]
        context = _context(recipe, chosen, medium, engine, run)
        if base := base_painter(engine, recipe, policy, medium, lambda: nullcontext(policy)):
            context.prepare = base.prepare
        judged = judge_step(context, STEP, slots, drafts)
    cost = _cost(recipe, policy, drafts, judged, policy_seconds, engine, counters)
    _record(run, recipe, judged, cost)
    if judged.spent:
        raise BudgetSpent(
            f"{spent_in(judged, engine)} {place} has the scores that there are. With a larger budget and"
            " another --out, nothing is asked twice."
        )
    return Probe(run, cost)


def _engine(recipe: RunRecipe) -> tuple[RewardEngine, dict[str, Counter[str]]]:
    """The reward, checked as before a training, with a counter for each judge."""
    judges = {name: counted(judge) for name, judge in build_judges(recipe.reward).items()}
    ready = {name: judge for name, (judge, _) in judges.items()}
    counters = {name: counter for name, (_, counter) in judges.items()}
    engine = RewardEngine(recipe.reward, recipe.seed, judges=ready)
    with closing(open_medium(recipe.medium.name, recipe.medium.cache, **recipe.medium.args)) as medium:
        check_reward(engine, Domain(recipe.prompts.prompts(), medium))
    for counter in counters.values():
        counter.clear()
    return engine, counters


def _context(
    recipe: RunRecipe, chosen: Sequence[Prompt], medium: Medium, engine: RewardEngine, run: Run
) -> RewardContext:
    return RewardContext(
        prompts={prompt.id: prompt for prompt in chosen},
        medium=medium,
        engine=engine,
        reward=recipe.reward,
        run=run,
        group_size=recipe.train.group_size,
        estimator=estimator_of(recipe),
        seed=recipe.seed,
    )


def _loaded(recipe: RunRecipe) -> LoadedPolicy:
    """The base policy where the training would have it: on the GPU, if there is one, and on as many
    threads.
    """
    policy = load_policy(recipe.policy.name_or_path)
    import torch

    if recipe.train.threads:
        torch.set_num_threads(recipe.train.threads)
    return replace(policy, model=policy.model.to("cuda")) if torch.cuda.is_available() else policy


def _write(policy: LoadedPolicy, recipe: RunRecipe, chosen: Sequence[Prompt]) -> tuple[list[Sample], float]:
    """The answers, in the order of the prompts, and the seconds that they took."""
    size, began = recipe.train.group_size, time.perf_counter()
    completions = sample(
        policy,
        chosen,
        size,
        seed=recipe.seed,
        temperature=recipe.policy.temperature,
        max_new_tokens=recipe.policy.max_new_tokens,
        top_p=recipe.policy.top_p,
    )
    seconds = time.perf_counter() - began
    drafts = [
        Sample(
            id=f"s{STEP:06d}-g{index // size:02d}-{index % size:02d}",
            prompt=chosen[index // size],
            reply=each.text,
            tokens=each.tokens,
            truncated=each.truncated,
            seed=derive_seed(recipe.seed, "render", STEP, index // size),
        )
        for index, each in enumerate(completions)
    ]
    return drafts, seconds


def _open(
    recipe: RunRecipe, place: Path, policy: LoadedPolicy, medium: Medium, engine: RewardEngine, prompts: int
) -> Run:
    return Run.create(
        place,
        {
            "recipe": recipe.identity(),
            "kept_beside": recipe.beside() | {"out": str(place)},
            "policy": policy.identity,
            "medium": medium.versions(),
            "judges": engine.identities(),
            "seeds": {"run": recipe.seed},
            "probe": {"prompts": prompts, "of": recipe.out},
        },
    )


def _cost(
    recipe: RunRecipe,
    policy: LoadedPolicy,
    drafts: Sequence[Sample],
    judged: Judged,
    policy_seconds: float,
    engine: RewardEngine,
    counters: Mapping[str, Counter[str]],
) -> StepCost:
    rows = recipe.train.prompts_per_step * recipe.train.group_size
    scale = rows / len(drafts)
    texts = [prompt_text(policy.tokenizer, each.prompt) + each.reply for each in drafts[:rows]]
    seconds = {
        "policy": policy_seconds * scale,
        "render": judged.seconds["render"] * scale,
        "judge": judged.seconds["judge"] * scale,
        "update": update_seconds(policy, recipe, texts, rows),
    }
    return StepCost(
        rows,
        len(drafts),
        recipe.train.steps,
        seconds,
        {name: each * scale for name, each in engine.seconds.items()},
        {name: {kind: n * scale for kind, n in each.items()} for name, each in counters.items()},
    )


def _record(run: Run, recipe: RunRecipe, judged: Judged, cost: StepCost) -> None:
    share = cost.measured / cost.samples
    seconds = {f"seconds_{stage}": cost.seconds[stage] * share for stage in STAGES if stage != "update"}
    numbers = step_metrics(judged, recipe.reward) | seconds
    run.write_step(STEP, judged.groups, judged.rewards, numbers)
    rows = [{"stage": stage, "seconds_per_step": each} for stage, each in cost.seconds.items()]
    run.write_evaluation("cost", rows, cost.as_json())


def cost_lines(cost: StepCost) -> list[str]:
    """What a step and the whole training will take, in words."""
    lines = [f"cost to expect, for steps of {cost.samples} answers (measured on {cost.measured}):"]
    notes = {
        "judge": ", ".join(f"{name} {each:.1f}" for name, each in cost.term_seconds.items() if each >= 0.05),
        "update": "a forward and a backward pass, without the optimizer",
    }
    for stage, each in cost.seconds.items():
        note = f"   {notes[stage]}" if notes.get(stage) else ""
        lines.append(f"  {stage:<7}{each:>8.1f} s{note}")
    lines.append(f"  {'step':<7}{cost.step:>8.1f} s   {cost.steps} steps: {_time(cost.step * cost.steps)}")
    for name, asked in cost.questions.items():
        for kind, each in asked.items():
            lines.append(f"  judge {name}: {each:,.0f} {kind} a step, {each * cost.steps:,.0f} in all")
    return lines


def _time(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.1f} h"
