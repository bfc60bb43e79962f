"""What a training run tells while it runs: one line per step, and one line of metrics in the record.

`StepLog` collects what a step is made of (rollouts from the reward function, numbers from the trainer,
seconds from the clock) and writes it once the step's last update is done: a step is in the record with all of
it, or not at all.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from salon.rewards.recipe import RewardRecipe
from salon.store.runs import Run

from .reward_function import Judged

if TYPE_CHECKING:
    from rich.console import Console

_FROM_TRAINER = {
    "loss": "loss",
    "grad_norm": "grad_norm",
    "learning_rate": "learning_rate",
    "entropy": "entropy",
    "kl": "kl",
    "clip_ratio/region_mean": "clip_fraction",
    "clip_ratio/low_mean": "clip_fraction_low",
    "clip_ratio/high_mean": "clip_fraction_high",
    "cispo_clip_ratio": "clip_fraction",
    "completions/mean_length": "tokens_mean",
    "completions/max_length": "tokens_max",
    "completions/clipped_ratio": "truncated_share",
    "frac_reward_zero_std": "frac_reward_zero_std",
}


def pairwise_terms(reward: RewardRecipe) -> list[str]:
    """The terms that compare pictures: their raw value is a win rate."""
    return [
        name for name, term in reward.terms.items() if term.scorer.rpartition(":")[2].lower() == "pairwise"
    ]


def mean(values: list[float]) -> float | None:
    """The mean, or None of nothing."""
    return sum(values) / len(values) if values else None


def spread(values: list[float]) -> float | None:
    """The sample's standard deviation (n - 1), or None of fewer than two."""
    if len(values) < 2:
        return None
    centre = sum(values) / len(values)
    return (sum((value - centre) ** 2 for value in values) / (len(values) - 1)) ** 0.5


def step_metrics(judged: Judged, reward: RewardRecipe) -> dict[str, float | None]:
    """The numbers of a step's rollouts: reward, its spread in the batch and inside groups, shares, and every
    term.

    A mean is taken over the rows that have a value; `missing` counts those without a reward, and
    `system_failures` those that were never rendered through no fault of their own.
    """
    rows = [each for row in judged.rewards for each in row]
    samples = [sample for group in judged.groups for sample in group.samples]
    groups = [[each.total for each in row if each.total is not None] for row in judged.rewards]
    faults = [sample.failure.fault for sample in samples if sample.failure]
    able = len(samples) - faults.count("system")
    wins = [judged.numbers.get(f"terms/{name}/raw") for name in pairwise_terms(reward)]
    return {
        "reward": mean(judged.totals),
        "reward_std": spread(judged.totals),
        "reward_std_in_group": mean([value for totals in groups if (value := spread(totals)) is not None]),
        "win_rate": mean([win for win in wins if win is not None]),
        "rendered_share": 1 - faults.count("sample") / able if able else None,
        "system_failures": float(faults.count("system")),
        "missing": float(sum(each.total is None for each in rows)),
        "distinct_share": len({sample.reply for sample in samples}) / len(samples),
        "samples": float(len(samples)),
        **judged.numbers,
    }


@dataclass(slots=True)
class StepLog:
    """One run's steps as they happen. Only rank 0 writes and prints; every rank keeps the clock."""

    run: Run
    reward: RewardRecipe
    steps: int
    updates_per_step: int
    console: "Console"
    judged: Judged | None = None
    started: float = 0.0
    policy_seconds: float = 0.0
    logs: list[dict[str, float]] = field(default_factory=list)

    def begin(self) -> None:
        """A step begins: the policy writes."""
        self.started, self.judged = time.perf_counter(), None
        self.logs = []

    def take(self, judged: Judged) -> None:
        """The rollouts of this step are judged; the update begins."""
        self.judged = judged
        reward_seconds = sum(judged.seconds.values())
        self.policy_seconds = max(0.0, time.perf_counter() - self.started - reward_seconds)

    def add(self, logs: Mapping[str, float]) -> None:
        """Numbers of one update, as the trainer logs them. The step's last one writes the step."""
        if "loss" not in logs or self.judged is None:
            return
        self.logs.append(dict(logs))
        if len(self.logs) == self.updates_per_step:
            self._write(self.judged)

    def _write(self, judged: Judged) -> None:
        total = time.perf_counter() - self.started
        stages = {"policy": self.policy_seconds, **judged.seconds}
        stages["update"] = max(0.0, total - sum(stages.values()))
        numbers = step_metrics(judged, self.reward) | self._trainer_numbers()
        numbers |= {f"seconds_{stage}": value for stage, value in stages.items()} | {"seconds_step": total}
        if self.run.rank == 0:
            self.run.write_step(judged.step, judged.groups, judged.rewards, numbers)
            self.console.print(self.line(judged.step, numbers), soft_wrap=True, highlight=False)

    def _trainer_numbers(self) -> dict[str, float | None]:
        """The updates' means; clipping and KL are 0 in a step's first update by construction, so their last
        value counts.
        """
        numbers: dict[str, float | None] = {}
        for theirs, ours in _FROM_TRAINER.items():
            found = [float(value) for log in self.logs if (value := log.get(theirs)) is not None]
            if found:
                is_last = ours == "learning_rate" or ours.startswith("clip_fraction")
                numbers[ours] = found[-1] if is_last else mean(found)
        return numbers

    def line(self, step: int, numbers: Mapping[str, float | None]) -> str:
        """`step  3/24 · reward 0.512 · renders  94 % · wins 0.48 · policy 4.1 s + render 15.2 + …`"""
        stages = " + ".join(
            f"{stage} {numbers[f'seconds_{stage}']:.1f}" for stage in ("policy", "render", "judge", "update")
        )
        width = len(str(self.steps))
        shown = [
            f"step {step:>{width}}/{self.steps}",
            f"reward {_number(numbers['reward'], '.3f')}",
            f"renders {_number(numbers['rendered_share'], '.0%')}",
            f"wins {_number(numbers['win_rate'], '.2f')}",
            f"{numbers['seconds_step']:.1f} s = {stages}",
        ]
        if asked := numbers.get("judge/calls"):
            usd = numbers.get("judge/usd") or 0.0
            shown.append(f"{asked:.0f} calls" + (f" for ${usd:.2f}" if usd else ""))
        if numbers["missing"]:
            shown.append(f"{numbers['missing']:.0f} without a reward")
        return " · ".join(shown)


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)
