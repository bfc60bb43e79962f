"""The reward as TRL wants it: one function, called by every rank on its own rows, that returns one number per
completion.

Inside: reply → picture → scores on this rank's rows; then the raw scores of all ranks are gathered, because a
group may be split over ranks and statistics of a group or a batch need all of it; then the reward is composed
over all rows, the same on every rank. A row without a reward is None: TRL (1.16) leaves it out of its group's
mean and gives it the advantage 0. From the totals TRL computes GRPO's advantages itself, and they are ours;
those of any other kind replace TRL's (see salon.training.trl_trainer).
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from salon.errors import BudgetSpent, StageError, boundary
from salon.media.metrics import Measured, RenderMetrics, metrics_of
from salon.media.render_samples import derive_seed, develop
from salon.rewards.advantage import with_advantages
from salon.rewards.budget_exhausted import spent_terms, told
from salon.rewards.compose import compose
from salon.rewards.engine import RewardEngine
from salon.rewards.estimator import Estimator
from salon.rewards.metrics import reward_metrics, usage_metrics
from salon.rewards.recipe import RewardRecipe
from salon.store.runs import Run
from salon.types import Failure, Group, Medium, Prompt, Reward, Sample, Score

Scores = Mapping[str, Score]
SINGLE_PRECISION = 1e18
"""The largest reward whose square, in a standard deviation, float32 can hold."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One step's rollouts of all ranks: G groups, and per group one reward per sample. `seconds` are those of
    the slowest rank. `spent` says, by judge, whose budget ended.
    """

    step: int
    groups: tuple[Group, ...]
    rewards: tuple[tuple[Reward, ...], ...]
    seconds: Mapping[str, float]
    numbers: Mapping[str, float]
    spent: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())

    @property
    def totals(self) -> list[float]:
        """The totals that there are; empty when the whole step went without a reward."""
        return [reward.total for row in self.rewards for reward in row if reward.total is not None]

    @property
    def advantages(self) -> list[float]:
        """Every row's advantage, 0 where there is none."""
        return [reward.advantage or 0.0 for row in self.rewards for reward in row]

    def for_trainer(self) -> list[float | None]:
        """Totals from which TRL computes exactly our GRPO advantages.

        A group that differs by rounding only gets one total: TRL works in float32 and could divide the
        rounding by its own spread.
        """
        given: list[float | None] = []
        for row in self.rewards:
            totals = [reward.total for reward in row]
            is_dead = all(not reward.advantage for reward in row)
            one = next((total for total in totals if total is not None), None)
            given += [one if is_dead and total is not None else total for total in totals]
        return given


@dataclass(slots=True)
class RewardContext:
    """What the reward function needs of a run. `eos_ids` end a completion; `gather` joins lists of all ranks,
    in order of rank. `prepare` is called with this rank's rendered groups before they are scored.
    """

    prompts: Mapping[str, Prompt]
    medium: Medium
    engine: RewardEngine
    reward: RewardRecipe
    run: Run
    group_size: int
    estimator: Estimator
    seed: int
    rank: int = 0
    eos_ids: frozenset[int] = frozenset()
    max_new_tokens: int = 0
    gather: Callable[[list[Any]], list[Any]] = field(default=list)
    on_judged: Callable[[Judged], None] = field(default=lambda judged: None)
    prepare: Callable[[Sequence[Group]], None] = field(default=lambda groups: None)


def reward_function(context: RewardContext) -> Callable[..., list[float | None]]:
    """The one composed reward function of a run. Its name, `salon`, is what TRL's logs call it. It raises
    BudgetSpent in all processes alike, before anything of the step is recorded or learned.

    Besides TRL's own arguments it reads three columns of the dataset: prompt_id, step and slot (the group's
    place within its step).
    """

    def salon(
        completions: Sequence[Any],
        completion_ids: Sequence[Sequence[int]],
        prompt_id: Sequence[str],
        step: Sequence[int],
        slot: Sequence[int],
        log_extra: Callable[[str, list[Any]], None],
        log_metric: Callable[[str, float], None],
        **_: Any,
    ) -> list[float | None]:
        drafts = _drafts(context, completions, completion_ids, prompt_id, step, slot)
        judged = judge_step(context, step[0], list(slot), drafts)
        if judged.spent:
            raise BudgetSpent(spent_in(judged, context.engine))
        own = slice(context.rank * len(drafts), (context.rank + 1) * len(drafts))
        rows = [reward for row in judged.rewards for reward in row]
        _log(rows[own], judged.numbers, log_extra, log_metric)
        context.on_judged(judged)
        return judged.for_trainer()[own]

    return salon


def spent_in(judged: Judged, engine: RewardEngine) -> str:
    """Whose budget ended in a step, and what was spent, for people."""
    whose = " ".join(judged.spent.values())
    return f"step {judged.step}: {whose} Since the start: {told(engine.spent())}."


def judge_step(context: RewardContext, step: int, slots: Sequence[int], drafts: Sequence[Sample]) -> Judged:
    """Render and score this rank's drafts, then compose the reward over the rows of all ranks."""
    before, began = metrics_of(context.medium), time.perf_counter()
    samples = develop(context.medium, drafts)
    rendered = time.perf_counter()
    scores = _score(context, step, slots, samples)
    seconds = {"render": rendered - began, "judge": time.perf_counter() - rendered}
    rows = context.gather(
        list(zip(slots, [_keep(context.run, sample) for sample in samples], scores, strict=True))
    )
    renders = metrics_of(context.medium).since(before)
    spent = context.gather([(seconds, context.engine.bill(), renders)])
    slowest = {stage: max(each[stage] for each, _, _ in spent) for stage in seconds}
    judged = _compose(context, step, rows, slowest)
    usage = usage_metrics([bill for _, bill, _ in spent])
    rendered_all = sum([each for _, _, each in spent], RenderMetrics())
    counts = rendered_all.numbers() if isinstance(context.medium, Measured) else {}
    return replace(judged, numbers={**judged.numbers, **usage, **counts})


def _drafts(
    context: RewardContext,
    completions: Sequence[Any],
    completion_ids: Sequence[Sequence[int]],
    prompt_id: Sequence[str],
    step: Sequence[int],
    slot: Sequence[int],
) -> list[Sample]:
    """This rank's rows as samples. The ids name step, group and place in the group, so they are unique over
    ranks and steps.
    """
    drafts: list[Sample] = []
    for index, (completion, ids) in enumerate(zip(completions, completion_ids, strict=True)):
        place = (context.rank * len(completions) + index) % context.group_size
        drafts.append(
            Sample(
                id=f"s{step[index]:06d}-g{slot[index]:02d}-{place:02d}",
                prompt=context.prompts[prompt_id[index]],
                reply=completion if isinstance(completion, str) else completion[0]["content"],
                tokens=len(ids),
                truncated=len(ids) >= context.max_new_tokens and ids[-1] not in context.eos_ids,
                seed=derive_seed(context.seed, "render", step[index], slot[index]),
            )
        )
    return drafts


def _groups(
    context: RewardContext, step: int, slots: Sequence[int], samples: Sequence[Sample]
) -> list[Group]:
    """Samples by slot. Every rank gives a group the same seed, so the same references are drawn for all of
    it.
    """
    by_slot: dict[int, list[Sample]] = {}
    for slot, sample in zip(slots, samples, strict=True):
        by_slot.setdefault(slot, []).append(sample)
    return [
        Group(
            prompt=members[0].prompt,
            samples=tuple(members),
            step=step,
            seed=derive_seed(context.seed, "group", step, slot),
        )
        for slot, members in by_slot.items()
    ]


def _score(
    context: RewardContext, step: int, slots: Sequence[int], samples: Sequence[Sample]
) -> list[dict[str, Score]]:
    """Every term of every sample. An engine that breaks down leaves every score missing, as the system's
    failure.
    """
    groups = _groups(context, step, slots, samples)
    by_id: dict[str, dict[str, Score]] = {sample.id: {} for sample in samples}
    with boundary("score") as caught:
        context.prepare(groups)
        for group, terms in zip(groups, context.engine.score(groups), strict=True):
            for term, values in terms.items():
                for sample, score in zip(group.samples, values, strict=True):
                    by_id[sample.id][term] = score
    if caught.failure:
        lost = _missing(context.reward, caught.failure)
        by_id = {name: lost | scores for name, scores in by_id.items()}
    return [by_id[sample.id] for sample in samples]


def _missing(reward: RewardRecipe, failure: Failure) -> dict[str, Score]:
    return {term: Score(value=None, failure=failure) for term in reward.terms}


def _keep(run: Run, sample: Sample) -> Sample:
    """Write the picture, and drop its bytes from what travels between ranks."""
    if sample.picture is None:
        return sample
    run.write_picture(sample.picture)
    return replace(sample, picture=replace(sample.picture, png=b""))


def _compose(
    context: RewardContext,
    step: int,
    rows: Sequence[tuple[int, Sample, Mapping[str, Score]]],
    seconds: Mapping[str, float],
) -> Judged:
    slots = [slot for slot, _, _ in rows]
    ids = [str(slot) for slot in slots]
    terms = {term: [scores[term] for _, _, scores in rows] for term in context.reward.terms}
    rewards = with_advantages(compose(context.reward, ids, terms, step), ids, context.estimator)
    _check_precision(rewards)
    numbers = reward_metrics(context.reward, ids, rewards, terms, step)
    spent = spent_terms(context.reward, terms, step)
    by_slot: dict[int, list[Reward]] = {}
    for slot, reward in zip(slots, rewards, strict=True):
        by_slot.setdefault(slot, []).append(reward)
    return Judged(
        step=step,
        groups=tuple(_groups(context, step, slots, [sample for _, sample, _ in rows])),
        rewards=tuple(tuple(members) for members in by_slot.values()),
        seconds=seconds,
        numbers=numbers,
        spent=spent,
    )


def _check_precision(rewards: Sequence[Reward]) -> None:
    """What TRL computes in single precision must not become infinite there, where it would be taken for 0.

    Raises:
        StageError: a total or an advantage is too large.
    """
    numbers = [n for reward in rewards for n in (reward.total, reward.advantage) if n is not None]
    if largest := next((n for n in numbers if abs(n) > SINGLE_PRECISION), None):
        told = f"a reward of {largest:g} is too large to train on. Give its term a squash, or normalize it."
        raise StageError(Failure("reward_overflow", told, fault="system", stage="score"))


def _log(
    mine: Sequence[Reward],
    numbers: Mapping[str, float],
    log_extra: Callable[[str, list[Any]], None],
    log_metric: Callable[[str, float], None],
) -> None:
    """Every term to TRL's own tables: raw values and statuses per row, and the step's numbers."""
    for index, value in enumerate(mine[0].terms):
        log_extra(f"{value.term}_raw", [reward.terms[index].raw for reward in mine])
        log_extra(f"{value.term}_status", [reward.terms[index].status for reward in mine])
    for name, number in numbers.items():
        log_metric(name, number)
