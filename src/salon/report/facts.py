"""What a run's record says, as curves over steps and a few totals. Pure functions over its tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from salon.rewards.schedule import weight_at
from salon.store.record import terms_of
from salon.store.runs import Run

from .numbers import brief_name

STAGES = ("policy", "render", "judge", "update")
_POLICY = ("tokens_mean", "distinct_share", "reward_std_in_group", "groups/dead", "entropy", "kl")
OTHERS = (*_POLICY, "judge/calls", "judge/failed", "judge/usd")


def ends_of(known: Sequence[float]) -> tuple[float, float] | None:
    """The mean of the first and of the last fifth of some values; None with fewer than two."""
    if len(known) < 2:
        return None
    size = _fifth(len(known))
    return sum(known[:size]) / size, sum(known[-size:]) / size


def _fifth(count: int) -> int:
    return max(1, count // 5)


@dataclass(frozen=True, slots=True)
class Curve:
    """One number over steps, None where it is missing. `counts` are events per step (failures, missing)."""

    name: str
    steps: list[int]
    values: list[float | None]
    counts: list[int] = field(default_factory=lambda: list[int]())

    @property
    def known(self) -> list[float]:
        return [value for value in self.values if value is not None]

    def ends(self) -> tuple[float, float] | None:
        """The mean of the first and of the last fifth of the values there are; None with fewer than two."""
        return ends_of(self.known)

    def averaged(self) -> str:
        """How many steps each of `ends` is the mean of: `mean of 5 steps`; nothing for single steps."""
        size = _fifth(len(self.known))
        return f"mean of {size} steps" if size > 1 else ""


@dataclass(frozen=True, slots=True)
class Term:
    """One term of the reward: its mean normalised value over steps, and what became of its scores.

    `weight` is nominal, at the last step; `share` is what part of the rewards' spread it made up at the end.
    """

    name: str
    curve: Curve
    weight: float | None
    share: float | None
    statuses: dict[str, int]


@dataclass(frozen=True, slots=True)
class FailureCount:
    """How often one failure happened, and what it said once."""

    code: str
    fault: str
    stage: str
    amount: int
    example: str


Reader = Callable[[str], Curve | None]


@dataclass(frozen=True, slots=True)
class ReportData:
    """Everything the page tells, except its pictures."""

    name: str
    title: str
    rollouts: pl.DataFrame
    steps: list[int]
    reward: Curve
    reward_std: Curve
    renders: Curve
    win_rate: Curve
    others: list[Curve]
    terms: list[Term]
    stages: list[Curve]
    failures: list[FailureCount]
    evaluations: dict[str, dict[str, Any]]
    pairs: list[dict[str, Any]]
    pairs_from: str | None
    manifest: dict[str, Any]

    @property
    def samples(self) -> int:
        return self.rollouts.height

    @property
    def seconds(self) -> float:
        return sum(sum(stage.known) for stage in self.stages)


def gather(run: Run) -> ReportData:
    """Read the whole record once."""
    rollouts, metrics = run.rollouts(), run.metrics()
    by_step = _by_step(rollouts)
    evaluations = {name: told for name, told in run.evaluations().items() if "win_rate" in told}
    pairs_from = _headline(evaluations, run)
    recorded = set(rollouts["step"].to_list()) | set(metrics["step"].to_list())
    metric = _reader(metrics)
    own = _reader(by_step)
    return ReportData(
        name=run.path.resolve().name,
        title=_title(run.manifest, run.path),
        rollouts=rollouts,
        steps=sorted(recorded),
        reward=own("reward") or metric("reward") or _nothing("reward"),
        reward_std=own("reward_std") or metric("reward_std") or _nothing("reward_std"),
        renders=own("renders") or metric("rendered_share") or metric("renders") or _nothing("renders"),
        win_rate=metric("win_rate") or _nothing("win_rate"),
        others=[curve for name in OTHERS if (curve := metric(name))],
        terms=_terms(rollouts, metric, run.manifest),
        stages=[curve for stage in STAGES if (curve := metric(f"seconds_{stage}"))],
        failures=_failures(rollouts),
        evaluations=evaluations,
        pairs=run.evaluation_rows(pairs_from).to_dicts() if pairs_from else [],
        pairs_from=pairs_from,
        manifest=dict(run.manifest),
    )


def _nothing(name: str) -> Curve:
    return Curve(name=name, steps=[], values=[])


def _title(manifest: Any, path: Path) -> str:
    given = manifest.get("title") or manifest.get("recipe", {}).get("name")
    return brief_name(str(given or path.resolve().name.replace("-", " ").replace("_", " ")))


def _reader(frame: pl.DataFrame) -> Reader:
    """A function that gives a column as a curve, or None when it is not there or has no value."""

    def read(name: str) -> Curve | None:
        if name not in frame.columns or frame[name].null_count() == frame.height:
            return None
        counts = frame["failed"].to_list() if "failed" in frame.columns and name == "renders" else []
        return Curve(name=name, steps=frame["step"].to_list(), values=frame[name].to_list(), counts=counts)

    return read


def _by_step(rollouts: pl.DataFrame) -> pl.DataFrame:
    rendered = pl.col("picture").is_not_null() & pl.col("failure_code").is_null()
    able = pl.col("failure_fault").fill_null("") != "system"
    return (
        rollouts.group_by("step")
        .agg(
            pl.col("total").mean().alias("reward"),
            pl.col("total").std(ddof=0).alias("reward_std"),
            (rendered.sum() / pl.when(able.sum() > 0).then(able.sum())).alias("renders"),
            (~rendered).sum().cast(pl.Int64).alias("failed"),
        )
        .sort("step")
    )


def _terms(rollouts: pl.DataFrame, metric: Reader, manifest: Any) -> list[Term]:
    weights = _weights(manifest, max(rollouts["step"].to_list(), default=0))
    found: list[Term] = []
    for name in terms_of(rollouts.columns):
        share = metric(f"terms/{name}/share")
        ends = share.ends() if share else None
        found.append(_term(rollouts, name, weights.get(name), ends[1] if ends else None))
    return found


def _term(rollouts: pl.DataFrame, name: str, weight: float | None, share: float | None) -> Term:
    status, value = pl.col(f"{name}.status"), pl.col(f"{name}.normalized")
    table = (
        rollouts.group_by("step")
        .agg(value.mean().alias("mean"), (status == "missing").sum().cast(pl.Int64).alias("missing"))
        .sort("step")
    )
    statuses = dict(rollouts[f"{name}.status"].drop_nulls().value_counts(sort=True).iter_rows())
    curve = Curve(name, table["step"].to_list(), table["mean"].to_list(), table["missing"].to_list())
    return Term(name=name, curve=curve, weight=weight, share=share, statuses=statuses)


def _weights(manifest: Any, step: int) -> dict[str, float]:
    """Nominal weights by term at a step, as far as the recipe in the manifest has them."""
    reward = manifest.get("recipe", {}).get("reward")
    terms = reward.get("terms") if isinstance(reward, dict) else None
    if not isinstance(terms, dict):
        return {}
    found = {name: term.get("weight") for name, term in terms.items() if isinstance(term, dict)}
    return {name: at for name, weight in found.items() if (at := _weight_at(weight, step)) is not None}


def _weight_at(weight: Any, step: int) -> float | None:
    """A number is itself; a schedule, whose steps JSON turned into text, is read at the step."""
    if isinstance(weight, dict) and weight:
        return weight_at({int(knot): float(value) for knot, value in weight.items()}, step)
    return real(weight)


def _failures(rollouts: pl.DataFrame) -> list[FailureCount]:
    table = (
        rollouts.filter(pl.col("failure_code").is_not_null())
        .group_by("failure_code", "failure_fault", "failure_stage")
        .agg(pl.len().alias("amount"), pl.col("failure_message").first().alias("example"))
        .sort(["amount", "failure_code"], descending=[True, False])
    )
    return [
        FailureCount(
            row["failure_code"], row["failure_fault"], row["failure_stage"], row["amount"], row["example"]
        )
        for row in table.iter_rows(named=True)
    ]


def _headline(evaluations: dict[str, dict[str, Any]], run: Run) -> str | None:
    """The evaluation whose pairs are shown: the latest, by a judge that was not trained on, of most pairs."""

    def rank(name: str) -> tuple[float, bool, float]:
        summary = evaluations[name]
        step, amount = real(summary.get("step")), real(summary.get("n"))
        return float("inf") if step is None else step, is_heldout_judge(summary, run.manifest), amount or 0.0

    with_pairs = [name for name in evaluations if _has_pairs(run, name)]
    return max(with_pairs, key=rank, default=None)


def _has_pairs(run: Run, name: str) -> bool:
    return {"base_picture", "trained_picture"} <= set(run.evaluation_rows(name).columns)


def is_heldout_judge(summary: Mapping[str, Any], manifest: Mapping[str, Any]) -> bool:
    """Whether the judge of an evaluation is known to be none of those that the reward asked."""
    asked = manifest.get("judges")
    if not isinstance(asked, dict) or "judge" not in summary:
        return False
    names = {str(name) for name in (*asked, *asked.values())}
    return names.isdisjoint({str(summary["judge"]), str(summary.get("judge_identity", ""))})


def spread(items: Sequence[int], most: int) -> list[int]:
    """At most `most` of `items`, evenly, with the first and the last."""
    if len(items) <= most:
        return list(items)
    if most == 1:
        return [items[-1]]
    return [items[round(index * (len(items) - 1) / (most - 1))] for index in range(most)]


def real(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
