"""Did training help? The trained policy against its frozen base, on held-out prompts, with the same seeds for
both.

Both write, both are rendered, and judges compare the two pictures in both orders. A picture that failed by
the sample's own fault loses against one that rendered; two failures tie; what the system failed (a lost
browser, a judge that did not answer) is left out and counted.
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from salon.errors import BudgetSpent, RecipeError, StoreError, boundary
from salon.intervals import bootstrap_mean, wilson
from salon.llm.limits import BUDGET_SPENT
from salon.media import open_medium
from salon.media.render_samples import derive_seed, develop
from salon.policies.code_lm import load_policy, sample
from salon.recipe import RunRecipe, recipe_of_run
from salon.rewards.build import build_judges
from salon.rewards.judging.naming import open_judge
from salon.store.runs import Run
from salon.types import Failure, Judge, Picture, Prompt, Sample, Verdict

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["PairResult", "Pair", "evaluate", "is_evaluated", "judge_pairs", "summarize"]


@dataclass(frozen=True, slots=True)
class Pair:
    """One prompt answered by both policies under one seed."""

    base: Sample
    trained: Sample

    @property
    def prompt(self) -> Prompt:
        return self.base.prompt


@dataclass(frozen=True, slots=True)
class PairResult:
    """What one judge made of one pair. `p_win`: the probability that the trained policy's picture is better,
    None where nobody can say.

    `is_flip`: the two orders named different winners, which counts as a tie. `failure`: why a judge said
    nothing.
    """

    pair: Pair
    p_win: float | None
    is_flip: bool = False
    reason: str = ""
    failure: Failure | None = None

    @property
    def outcome(self) -> float | None:
        """1 for a win, 0 for a loss, 0.5 for a tie."""
        return None if self.p_win is None else 0.5 if self.p_win == 0.5 else float(self.p_win > 0.5)


def evaluate(run: Run, console: "Console", pairs: int | None = None) -> dict[str, dict[str, Any]]:
    """Compare a finished run's policy with its base, and write one evaluation per judge into the run's
    record.

    Args:
        run: a run whose policy is saved.
        console: where the results are told.
        pairs: how many (prompt, seed) pairs; by default as many as the recipe says.

    Returns:
        The summaries by evaluation name; keys as in `summarize`.

    Raises:
        StoreError: the run has no trained policy yet.
        RecipeError: the recipe has no held-out prompts, or names a judge that is not there.
        BudgetSpent: a judge may spend no more. The other judges' evaluations are written, and its own answers
            are kept.
    """
    trained = run.path / "policy"
    if not os.path.isdir(trained):
        raise StoreError(f"{run.path} has no trained policy yet: let `salon train` finish it")
    recipe = recipe_of_run(run.manifest)
    judges = judges_of(recipe)
    count = recipe.evaluate.pairs if pairs is None else pairs
    made = paint_pairs(recipe, trained, count)
    for pair in made:
        for one in (pair.base, pair.trained):
            if one.picture is not None:
                run.write_picture(one.picture)
    summaries: dict[str, dict[str, Any]] = {}
    stopped: list[str] = []
    for label, judge in judges.items():
        results = judge_pairs(judge, made)
        if problem := _spent(label, results):
            stopped.append(problem)
            continue
        name = _name(label, count)
        summaries[name] = summarize(results, recipe.seed) | {"judge": label, "judge_identity": judge.identity}
        run.write_evaluation(name, [_row(result) for result in results], summaries[name])
        console.print(_line(label, summaries[name]), soft_wrap=True, highlight=False)
    if stopped:
        again = f"salon evaluate {run.path} asks on, and about nothing that was answered."
        raise BudgetSpent(f"{' '.join(stopped)} {again}")
    return summaries


def _spent(label: str, results: Sequence[PairResult]) -> str:
    """What to say of a judge whose budget ended before the last pair; empty where it did not."""
    lost = [d.failure for d in results if d.failure is not None and d.failure.code == BUDGET_SPENT]
    if not lost:
        return ""
    return f"judge {label}: {lost[0].message} {len(results) - len(lost)} of {len(results)} pairs were judged."


def is_evaluated(run: Run) -> bool:
    """Whether every judge of the run's recipe has said what it thinks of `evaluate.pairs` pairs."""
    recipe = recipe_of_run(run.manifest)
    labels = {_label(name) for name in recipe.evaluate.judges if name != "training"}
    labels |= set(_comparing(recipe)) if "training" in recipe.evaluate.judges else set()
    return {_name(label, recipe.evaluate.pairs) for label in labels} <= set(run.evaluations())


def _label(judge: str) -> str:
    return Path(judge).name.replace(":", ".")


def _name(label: str, pairs: int) -> str:
    return f"winrate-{label}-{pairs}"


def judges_of(recipe: RunRecipe) -> dict[str, Judge]:
    """The judges that `evaluate.judges` names, by label. "training" stands for those the reward asks and that
    can compare two pictures.

    Raises:
        RecipeError: a judge is not there, or none is left.
    """
    found: dict[str, Judge] = {}
    for name in recipe.evaluate.judges:
        if name == "training":
            found |= _comparing(recipe)
        else:
            found[_label(name)] = _judge(name)
    if not found:
        raise RecipeError(
            "evaluate.judges: no judge of the reward compares pictures. Name one, such as flowers-heldout"
        )
    return found


def _comparing(recipe: RunRecipe) -> dict[str, Judge]:
    """The reward's judges but those that only answer questions or criticise."""
    return {name: judge for name, judge in build_judges(recipe.reward).items() if _compares(judge)}


def _compares(judge: object) -> bool:
    return isinstance(judge, Judge)


def _judge(name: str) -> Judge:
    try:
        return open_judge(name)
    except RecipeError as error:
        raise RecipeError(f"evaluate.judges: {error}") from error


def paint_pairs(recipe: RunRecipe, trained: Path, count: int) -> list[Pair]:
    """`count` pairs over the held-out prompts, written and rendered with equal seeds for both policies."""
    prompts = recipe.prompts.held_out_prompts()
    if not prompts:
        raise RecipeError(
            "prompts.held_out is not there: an evaluation needs prompts that were not trained on"
        )
    with closing(open_medium(recipe.medium.name, recipe.medium.cache, **recipe.medium.args)) as medium:
        both = [
            develop(medium, _answers(recipe, name, prompts, count))
            for name in (recipe.policy.name_or_path, str(trained))
        ]
    return [Pair(base, after) for base, after in zip(*both, strict=True)]


def _answers(recipe: RunRecipe, policy_name: str, prompts: Sequence[Prompt], count: int) -> list[Sample]:
    """`count` answers, in rounds over the prompts, so that each prompt comes about equally often."""
    each = -(-count // len(prompts))
    policy = load_policy(policy_name)
    completions = sample(
        policy,
        prompts,
        each,
        seed=recipe.evaluate.seed,
        temperature=recipe.evaluate.temperature or recipe.policy.temperature,
        max_new_tokens=recipe.policy.max_new_tokens,
    )
    answers = [
        Sample(
            id=f"{prompt.id}-{round_number:03d}",
            prompt=prompt,
            reply=completions[index * each + round_number].text,
            tokens=completions[index * each + round_number].tokens,
            truncated=completions[index * each + round_number].truncated,
            seed=derive_seed(recipe.evaluate.seed, prompt.id, round_number),
        )
        for round_number in range(each)
        for index, prompt in enumerate(prompts)
    ]
    return answers[:count]


def judge_pairs(judge: Judge, pairs: Sequence[Pair]) -> list[PairResult]:
    """One result per pair. Only pairs of two pictures are shown to the judge, in both orders."""
    results = {index: _without_judge(pair) for index, pair in enumerate(pairs)}
    asked = [index for index, result in results.items() if result is None]
    for prompt in dict.fromkeys(pairs[index].prompt.id for index in asked):
        chosen = [index for index in asked if pairs[index].prompt.id == prompt]
        for index, result in zip(chosen, _ask(judge, [pairs[index] for index in chosen]), strict=True):
            results[index] = result
    return [result for result in results.values() if result is not None]


def _without_judge(pair: Pair) -> PairResult | None:
    """The result that needs no judge, because one side or both have failed."""
    failures = [one.failure for one in (pair.base, pair.trained)]
    lost = [failure for failure in failures if failure is not None]
    for failure in lost:
        if failure.fault == "system":
            return PairResult(pair, None, reason=f"{failure.code}: {failure.message}")
    if len(lost) == 2:
        return PairResult(pair, 0.5, reason="both failed")
    if lost:
        return PairResult(
            pair, 0.0 if pair.trained.failure else 1.0, reason=f"only one rendered ({lost[0].code})"
        )
    return None


def _ask(judge: Judge, pairs: Sequence[Pair]) -> list[PairResult]:
    pictures = [(_picture(pair.trained), _picture(pair.base)) for pair in pairs]
    both_orders = [order for a, b in pictures for order in ((a, b), (b, a))]
    with boundary("judge") as caught:
        verdicts = judge.compare(pairs[0].prompt, both_orders)
        return [
            _duel(pair, first, second)
            for pair, first, second in zip(pairs, verdicts[::2], verdicts[1::2], strict=True)
        ]
    message = caught.failure.message if caught.failure else ""
    return [
        PairResult(pair, None, reason=f"judge failed: {message}", failure=caught.failure) for pair in pairs
    ]


def _duel(pair: Pair, first: Verdict | Failure, second: Verdict | Failure) -> PairResult:
    """Both orders are one comparison. `first` saw the trained policy's picture as a, `second` as b."""
    if isinstance(first, Failure):
        return PairResult(pair, None, reason=f"judge failed: {first.code}", failure=first)
    if isinstance(second, Failure):
        return PairResult(pair, None, reason=f"judge failed: {second.code}", failure=second)
    ours, theirs = first.p_a, 1.0 - second.p_a
    if (ours - 0.5) * (theirs - 0.5) < 0:
        return PairResult(pair, 0.5, is_flip=True, reason="the two orders disagree")
    return PairResult(pair, (ours + theirs) / 2, reason=first.reason)


def _picture(one: Sample) -> Picture:
    if one.picture is None:
        raise ValueError(f"{one.id} has neither a picture nor a failure")
    return one.picture


def summarize(results: Sequence[PairResult], seed: int = 0) -> dict[str, Any]:
    """Rates with their 95 % intervals and counts.

    `win_rate` (ties count half) with `_low` and `_high`: bootstrap over prompts where prompts repeat, else
    over pairs; `n` pairs that count; `excluded` pairs that the system failed; `flips` comparisons whose two
    orders disagreed; `base_render_share` and `trained_render_share` with Wilson intervals, over the samples
    that the system did not fail.
    """
    counted = [(result, outcome) for result in results if (outcome := result.outcome) is not None]
    outcomes = [outcome for _, outcome in counted]
    low_high = bootstrap_mean(outcomes, [result.pair.prompt.id for result, _ in counted], seed)
    low, high = low_high or (None, None)
    return {
        "n": len(counted),
        "prompts": len({result.pair.prompt.id for result, _ in counted}),
        "win_rate": sum(outcomes) / len(outcomes) if outcomes else None,
        "win_rate_low": low,
        "win_rate_high": high,
        "wins": outcomes.count(1.0),
        "ties": outcomes.count(0.5),
        "losses": outcomes.count(0.0),
        "flips": sum(result.is_flip for result in results),
        "excluded": len(results) - len(counted),
        **_render_shares("base", [result.pair.base for result in results]),
        **_render_shares("trained", [result.pair.trained for result in results]),
    }


def _render_shares(side: str, samples: Sequence[Sample]) -> dict[str, float | None]:
    able = [one for one in samples if one.failure is None or one.failure.fault == "sample"]
    rendered = sum(one.failure is None for one in able)
    low, high = wilson(rendered, len(able)) or (None, None)
    return {
        f"{side}_render_share": rendered / len(able) if able else None,
        f"{side}_render_share_low": low,
        f"{side}_render_share_high": high,
    }


def _row(result: PairResult) -> dict[str, Any]:
    pair = result.pair
    row: dict[str, Any] = {
        "pair": pair.base.id,
        "prompt_id": pair.prompt.id,
        "prompt": pair.prompt.text,
        "seed": pair.base.seed,
        "p_win": result.p_win,
        "outcome": result.outcome,
        "is_flip": result.is_flip,
        "reason": result.reason,
    }
    for side, one in (("base", pair.base), ("trained", pair.trained)):
        row[f"{side}_reply"] = one.reply
        row[f"{side}_source"] = one.source
        row[f"{side}_picture"] = one.picture.key if one.picture else None
        row[f"{side}_failure"] = f"{one.failure.code}: {one.failure.message}" if one.failure else None
        row[f"{side}_tokens"] = one.tokens
    return row


def _line(label: str, summary: Mapping[str, Any]) -> str:
    """`flowers-heldout: trained wins 0.71 (0.58 … 0.82) of 24 pairs · renders 83 % → 98 %`"""
    if summary["win_rate"] is None:
        return f"{label}: no pair could be judged ({summary['excluded']} excluded)"
    rate = f"{summary['win_rate']:.2f} ({summary['win_rate_low']:.2f} … {summary['win_rate_high']:.2f})"
    shares = " → ".join(
        "–" if summary[f"{side}_render_share"] is None else f"{summary[f'{side}_render_share']:.0%}"
        for side in ("base", "trained")
    )
    left_out = f" · {summary['excluded']} excluded" if summary["excluded"] else ""
    return f"{label}: trained wins {rate} of {summary['n']} pairs · renders {shares}{left_out}"
