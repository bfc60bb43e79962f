"""A finished run under another reward: totals and advantages anew, from the scores that it already has.

    rollouts → stored scores ┬ taken over → compose → advantage → places inside groups, before and after
                             └ asked for

The original is only read. What comes out is a run's record of its own, so that `diagnose` and `report` read
it too; its evaluation "ranks" has one row per sample with both places, and its manifest says which scores
were taken over and which were asked for.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from salon.errors import BudgetSpent, RecipeError, StoreError
from salon.rewards.advantage import with_advantages
from salon.rewards.budget_exhausted import spent_terms
from salon.rewards.compose import compose
from salon.rewards.engine import RewardEngine
from salon.rewards.estimator import Estimator, Grpo
from salon.rewards.metrics import reward_metrics
from salon.rewards.recipe import RewardRecipe, load_reward
from salon.store.record import recipe_hash, rollout_frame
from salon.store.runs import Run
from salon.types import Judge, Reward, Score

from .ranks import Order, agreement, causes, orders
from .reading import RecordedStep, read_steps, with_picture
from .score_reuse import Built, Match, ReusedScores, build_each, match, stored_scores

if TYPE_CHECKING:
    from rich.console import Console

CARRIED = ("rendered_share", "system_failures", "distinct_share", "samples", "tokens_mean", "tokens_max")
"""Numbers of a step that no reward decides."""


@dataclass(frozen=True, slots=True)
class RescoredStep:
    """A step with its new rewards, in the order of its rows."""

    recorded: RecordedStep
    rewards: tuple[Reward, ...]
    numbers: Mapping[str, float | None]

    @property
    def by_group(self) -> list[list[Reward]]:
        """The rewards, group by group."""
        rest = iter(self.rewards)
        return [[next(rest) for _ in group.samples] for group in self.recorded.groups]


@dataclass(frozen=True, slots=True)
class Rescored:
    """A run under another reward.

    ranks: one row per sample: its place in its group before and after, and which terms moved it. summary: how
    far the two orders agree. provenance: both rewards' hashes, and where every term's scores come from.
    stopped: why the last steps are missing, where a judge's budget ended; empty otherwise.
    """

    run: Run
    recipe: RewardRecipe
    steps: tuple[RescoredStep, ...]
    ranks: pl.DataFrame
    summary: Mapping[str, Any]
    provenance: Mapping[str, Any]
    stopped: str = ""


def rescore(
    run: Run, file: str | Path, console: "Console", judges: Mapping[str, Judge] | None = None
) -> Rescored:
    """Recompute a run's rewards under the reward in `file`. Writes nothing.

    Args:
        run: a run with rollouts and a reward in its manifest.
        file: a reward recipe.
        console: says what is taken over and what is asked.
        judges: judges that are already there, by name (a fake, in tests).

    Raises:
        RecipeError, SetupError: the recipe is wrong, or a term must be asked and cannot be built.
        StoreError: the run has no rollouts or no reward recipe.
        BudgetSpent: a judge may spend no more, and not one step is done.
    """
    new, old = load_reward(file), reward_of(run)
    steps = read_steps(run)
    seed: int = run.manifest["recipe"].get("seed") or 0
    built = build_each(new, seed, judges)
    identities: Mapping[str, str] = run.manifest.get("judges") or {}
    matches = {name: match(old, new, name, built[name], identities) for name in new.terms}
    for name, found in matches.items():
        problem = built[name].problem
        if found.recorded is None and problem is not None:
            raise problem
        console.print(_told(name, found), soft_wrap=True, highlight=False, markup=False)
    recalls = {
        name: ReusedScores(
            built[name].scorer,
            stored_scores(steps, found.recorded),
            lambda sample: with_picture(run, sample),
        )
        for name, found in matches.items()
    }
    ready = {term.judge: built[name].judge for name, term in new.terms.items() if term.judge}
    known = {name: judge for name, judge in ready.items() if judge is not None}
    engine = RewardEngine(new, seed, judges=known, scorers=recalls)
    done, stopped = _all(
        steps, lambda each: _rescored(each, new, engine, recalls, estimator_of(run, new), run)
    )
    gated = _gated(new, done)
    renamed = {found.recorded: name for name, found in matches.items() if found.recorded}
    ranks, summary = _ranks(done, renamed)
    identified = engine.identities() | _models(matches, built, identities)
    return Rescored(
        *(run, new, done, ranks, {**summary, "gated": gated}),
        provenance=_provenance(run, old, new, str(file), matches, recalls, identified),
        stopped=stopped,
    )


def _all(
    steps: Sequence[RecordedStep], one: Callable[[RecordedStep], RescoredStep]
) -> tuple[tuple[RescoredStep, ...], str]:
    """The steps up to the first whose judge may spend no more, and what is to be said of that.

    Raises:
        BudgetSpent: that is the first one.
    """
    done: list[RescoredStep] = []
    for each in steps:
        try:
            done.append(one(each))
        except BudgetSpent as spent:
            if not done:
                raise
            return tuple(done), str(spent)
    return tuple(done), ""


def reward_of(run: Run) -> RewardRecipe:
    """The reward that a run was trained on. Raises StoreError when its manifest has none."""
    reward = run.manifest["recipe"].get("reward")
    if not isinstance(reward, Mapping):
        raise StoreError(
            f"{run.path}/manifest.json has no recipe.reward: only a run with one can be rescored. Make"
            ' it with Run.create(folder, {"recipe": {"seed": 7, "reward": {…}}, "judges": {…}}):'
            " docs/record-and-report.md."
        )
    return load_reward({str(key): value for key, value in reward.items()})


def estimator_of(run: Run, reward: RewardRecipe) -> Estimator:
    """The reward's own advantages; else GRPO with what the run's `train.scale_rewards` said."""
    if reward.advantage is not None:
        return reward.advantage
    train = run.manifest["recipe"].get("train")
    scale = train.get("scale_rewards", "none") if isinstance(train, Mapping) else "none"
    return Grpo(scale=scale)


def _models(
    matches: Mapping[str, Match], built: Mapping[str, Built], identities: Mapping[str, str]
) -> dict[str, str]:
    """Whose numbers the scores of each term with a model of its own are: as recorded, or as it is now."""
    found = {
        name: built[name].model()[0] if each.recorded is None else identities.get(f"model {each.recorded}")
        for name, each in matches.items()
    }
    return {f"model {name}": model for name, model in found.items() if model}


def _gated(new: RewardRecipe, steps: Sequence[RescoredStep]) -> dict[str, int]:
    """How many samples each gate puts at the floor: the first one that a sample fails."""
    gates = {name for name, term in new.terms.items() if term.role == "gate"}
    failed: dict[str, int] = {}
    for reward in (reward for step in steps for reward in step.rewards if reward.gated):
        closed = (each.term for each in reward.terms if each.term in gates and (each.raw or 0.0) <= 0.0)
        if (name := next(closed, None)) is not None:
            failed[name] = failed.get(name, 0) + 1
    return failed


def _told(name: str, found: Match) -> str:
    if found.recorded is None:
        return f"{name}: asked anew, since {found.why}"
    renamed = f", recorded as {found.recorded}" if found.recorded != name else ""
    return f"{name}: taken from the run{renamed}" + (f" ({found.why})" if found.why else "")


def _rescored(
    each: RecordedStep,
    new: RewardRecipe,
    engine: RewardEngine,
    recalls: Mapping[str, ReusedScores],
    by: Estimator,
    run: Run,
) -> RescoredStep:
    for recall in recalls.values():
        recall.remember_groups(each.groups)
    found = engine.score(each.groups)
    scores: dict[str, list[Score]] = {
        name: [score for terms in found for score in terms[name]] for name in new.terms
    }
    if spent := spent_terms(new, scores, each.step):
        why = " ".join(spent.values())
        raise BudgetSpent(f"step {each.step}: {why} With a larger one, what was answered is not asked again.")
    try:
        rewards = with_advantages(compose(new, each.group_ids, scores, each.step), each.group_ids, by)
    except ValueError as error:
        raise RecipeError(f"advantage: {error}, or choose another kind for this run") from error
    totals = [reward.total for reward in rewards if reward.total is not None]
    numbers: dict[str, float | None] = {
        "reward": sum(totals) / len(totals) if totals else None,
        "missing": float(len(rewards) - len(totals)),
        **_carried(run, each.step),
        **reward_metrics(new, each.group_ids, rewards, scores, each.step),
    }
    return RescoredStep(each, tuple(rewards), numbers)


def _carried(run: Run, step: int) -> dict[str, float | None]:
    line = run.metrics().filter(pl.col("step") == step)
    return {name: line[name][0] for name in CARRIED if name in line.columns and line.height}


def _ranks(
    steps: tuple[RescoredStep, ...], renamed: Mapping[str, str]
) -> tuple[pl.DataFrame, dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    found: list[Order] = []
    prompts: list[str] = []
    for each in steps:
        start = len(rows)
        rows += [_row(row, reward) for row, reward in zip(each.recorded.rows, each.rewards, strict=True)]
        before = [row["total_before"] for row in rows[start:]]
        after = [row["total_after"] for row in rows[start:]]
        for order in orders(each.recorded.group_ids, before, after):
            _place(rows[start:], order, each, renamed)
            found.append(order)
            prompts.append(rows[start + order.rows[0]]["prompt_id"])
    frame = pl.DataFrame(rows, schema=_SCHEMA, orient="row")
    lost = frame["total_before"].is_not_null() & frame["total_after"].is_null()
    gained = frame["total_before"].is_null() & frame["total_after"].is_not_null()
    rewarded = frame.height - frame["total_after"].null_count()
    told = {
        "samples": frame.height,
        "rewarded": rewarded,
        "lost": int(lost.sum()),
        "gained": int(gained.sum()),
    }
    return frame, told | agreement(found, prompts)


_SCHEMA: dict[str, pl.DataType] = {
    "step": pl.Int64(),
    "group": pl.Int64(),
    "prompt_id": pl.String(),
    "prompt": pl.String(),
    "sample_id": pl.String(),
    "picture": pl.String(),
    "failure_code": pl.String(),
    "total_before": pl.Float64(),
    "total_after": pl.Float64(),
    "advantage_before": pl.Float64(),
    "advantage_after": pl.Float64(),
    "place_before": pl.Float64(),
    "place_after": pl.Float64(),
    "ordered": pl.Int64(),
    "rose": pl.Float64(),
    "tau": pl.Float64(),
    "crowned": pl.Boolean(),
    "pushes": pl.List(pl.Struct({"term": pl.String(), "push": pl.Float64()})),
}


def _row(row: Mapping[str, Any], reward: Reward) -> dict[str, Any]:
    same = ("step", "group", "prompt_id", "prompt", "sample_id", "picture", "failure_code")
    return {name: row[name] for name in same} | {
        "total_before": row["total"],
        "total_after": reward.total,
        "advantage_before": row["advantage"],
        "advantage_after": reward.advantage,
    }


def _place(rows: list[dict[str, Any]], order: Order, each: RescoredStep, renamed: Mapping[str, str]) -> None:
    """Put what became of a group into its rows."""
    recorded = [each.recorded.rows[row] for row in order.rows]
    pushes = causes(
        [_added_before(row, renamed) for row in recorded],
        [{value.term: value.weighted for value in each.rewards[row].terms} for row in order.rows],
    )
    for index, row in enumerate(order.rows):
        rows[row] |= {
            "place_before": float(order.before[index]),
            "place_after": float(order.after[index]),
            "ordered": len(order.rows),
            "rose": float(order.before[index] - order.after[index]),
            "tau": order.tau,
            "crowned": order.crowned,
            "pushes": [{"term": term, "push": push} for term, push in pushes[index].items()],
        }


def _added_before(row: Mapping[str, Any], renamed: Mapping[str, str]) -> dict[str, float | None]:
    """What each term added under the old reward, by the name that it has under the new one."""
    names = [name.removesuffix(".weighted") for name in row if name.endswith(".weighted")]
    return {renamed.get(name, name): row[f"{name}.weighted"] for name in names}


def _provenance(
    run: Run,
    old: RewardRecipe,
    new: RewardRecipe,
    file: str,
    matches: Mapping[str, Match],
    recalls: Mapping[str, ReusedScores],
    identities: Mapping[str, str],
) -> dict[str, Any]:
    terms = {
        name: {"recorded_as": matches[name].recorded, "note": matches[name].why, **recalls[name].counts()}
        for name in new.terms
    }
    return {
        "of": str(run.path.resolve()),
        "of_recipe_sha256": run.manifest["recipe_sha256"],
        "of_reward_sha256": old.digest,
        "reward_sha256": new.digest,
        "recipe_file": file,
        "terms": terms,
        "identities": dict(identities),
        "rescored_recipe_sha256": recipe_hash(rescored_recipe(run, new)),
    }


def rescored_recipe(run: Run, new: RewardRecipe) -> dict[str, Any]:
    """The run's recipe with the other reward in it."""
    return {**run.manifest["recipe"], "reward": new.identity()}


def frame_of(found: Rescored) -> pl.DataFrame:
    """All rollouts with their new rewards, in the record's columns."""
    frames = [
        rollout_frame(e.recorded.step, e.recorded.groups, e.by_group, list(found.recipe.terms))
        for e in found.steps
    ]
    return pl.concat(frames, how="diagonal_relaxed")
