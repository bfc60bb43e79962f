"""Numbers about a step's rewards, for curves and progress lines. Counts travel with means."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean

import numpy as np

from salon.llm.usage import Usage
from salon.types import Reward, Score, TermValue

from .advantage import group_index
from .recipe import RewardRecipe
from .schedule import knots_of
from .standardize import dead_groups, group_mean


def reward_metrics(
    recipe: RewardRecipe,
    group_ids: Sequence[str],
    rewards: Sequence[Reward],
    scores: Mapping[str, Sequence[Score]] | None = None,
    step: int = 0,
) -> dict[str, float]:
    """Flat metrics of one step over the rows of all processes.

    reward/mean and /std over rows with a total; reward/missing, groups/dead (no spread, nothing to learn) and
    groups/dropped as shares; per term terms/<name>/raw (mean), /spread (mean distance of the weighted value
    from its group's mean), /share (of the sum of all terms' spreads: its effective weight), and the share of
    rows by status; where a weight has a schedule, terms/<name>/weight at the step. With `scores`, also the
    mean of each of a scorer's details, as terms/<name>/details/<key>, over terms/<name>/detailed rows.
    """
    if not rewards:
        return {}
    groups_N, count = group_index(group_ids)
    totals = [reward.total for reward in rewards]
    rows_N = np.array([total is not None for total in totals], dtype=bool)
    values_N = np.array([0.0 if total is None else total for total in totals], dtype=np.float64)
    valid_G = np.bincount(groups_N, rows_N, minlength=count) >= 2
    dead_G = dead_groups(values_N, groups_N, rows_N) & valid_G
    metrics = {
        "reward/missing": float(1.0 - rows_N.mean()),
        "groups/dead": float(dead_G.mean()),
        "groups/dropped": float(1.0 - valid_G.mean()),
    }
    if rows_N.any():
        metrics |= {
            "reward/mean": float(values_N[rows_N].mean()),
            "reward/std": float(values_N[rows_N].std()),
        }
    columns = {name: [r.terms[index] for r in rewards] for index, name in enumerate(recipe.terms)}
    spreads = {name: _spread(column, groups_N) for name, column in columns.items()}
    for name, column in columns.items():
        metrics |= _term(name, column)
        if knots_of(recipe.terms[name].weight):
            metrics[f"terms/{name}/weight"] = recipe.terms[name].weight_at(step)
        metrics[f"terms/{name}/spread"] = spreads[name]
        metrics[f"terms/{name}/share"] = spreads[name] / (sum(spreads.values()) or 1.0)
        metrics |= _details(name, (scores or {}).get(name, []))
    return metrics


def usage_metrics(bills: Sequence[Mapping[str, Usage]]) -> dict[str, float]:
    """What judges cost in a step, over all processes: terms/<name>/judge/calls, /tokens_in, /usd … for each
    term that asked one, and judge/… over all terms.
    """
    by_term: dict[str, Usage] = {}
    for bill in bills:
        for name, usage in bill.items():
            by_term[name] = by_term.get(name, Usage()) + usage
    metrics = {
        f"terms/{name}/judge/{key}": value
        for name, usage in by_term.items()
        for key, value in usage.numbers().items()
    }
    total = sum(by_term.values(), Usage())
    return metrics | ({f"judge/{key}": value for key, value in total.numbers().items()} if by_term else {})


def _spread(column: Sequence[TermValue], groups_N: np.ndarray) -> float:
    rows_N = np.array([value.weighted is not None for value in column], dtype=bool)
    if not rows_N.any():
        return 0.0
    values_N = np.array([value.weighted or 0.0 for value in column], dtype=np.float64)
    distance_N = np.abs(values_N - group_mean(values_N, groups_N, rows_N)[groups_N])
    return float(distance_N[rows_N].mean())


def _term(name: str, column: Sequence[TermValue]) -> dict[str, float]:
    statuses = Counter(value.status for value in column)
    metrics = {
        f"terms/{name}/{status}": statuses[status] / len(column)
        for status in ("ok", "missing", "not_applicable", "gated")
    }
    raws = [value.raw for value in column if value.raw is not None]
    if raws:
        metrics[f"terms/{name}/raw"] = fmean(raws)
    return metrics


def _details(name: str, scores: Sequence[Score]) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for score in scores:
        for key, value in score.details.items():
            if "/" in key:
                continue
            found.setdefault(key, []).append(value)
    means = {f"terms/{name}/details/{key}": fmean(values) for key, values in found.items()}
    rows = sum(bool(score.details) for score in scores)
    return means | ({f"terms/{name}/detailed": float(rows)} if rows else {})
