"""How long does it take to compose a reward and turn it into advantages?

    python benchmarks/compose.py [--rows 100000] [--terms 10] [--budget 0.3]

Ten terms of every kind (gate, veto, monitor, z-scores over the batch and inside groups, ranks, a squash, and
rows that are missing or do not apply) over groups of eight. Best of five, in seconds of the clock and of the
processor: where other programs run beside it, the second says more. Exit code 1 beyond the
budget by both.
"""

import argparse
import sys
import time
from collections.abc import Callable, Mapping

import numpy as np

from salon.rewards.advantage import Totals, advantage_arrays, with_advantages
from salon.rewards.arrays import MISSING, NOT_APPLICABLE, OK, Column, compose_arrays
from salon.rewards.compose import compose
from salon.rewards.estimator import Estimator, Gdpo, Grpo, Nft, Rank, WinRate
from salon.rewards.recipe import RewardRecipe, load_reward
from salon.types import Failure, Score

GROUP = 8
KINDS: Mapping[str, Estimator] = {
    "grpo": Grpo(),
    "gdpo": Gdpo(kind="gdpo"),
    "rank": Rank(kind="rank"),
    "nft": Nft(kind="nft"),
    "win_rate": WinRate(kind="win_rate"),
}
OUTAGE = Failure("judge_unreachable", "no route", "system", "score")


def make_recipe(terms: int) -> RewardRecipe:
    ways = ["batch", "group", "rank", "none"]
    made: dict[str, dict[str, object]] = {
        "gate": {"role": "gate", "weight": 0.05},
        "detector": {"role": "veto", "vetoes": "term_0", "on_missing": "neutral"},
        "held_out": {"role": "monitor"},
    }
    for index in range(terms - len(made)):
        squash = {"squash": {"logistic": 4}} if index % 2 else {}
        made[f"term_{index}"] = {
            "weight": {0: 0.1, 50: 0.2},
            "normalize": ways[index % len(ways)],
            "on_missing": ["neutral", "renormalize"][index % 2],
            **squash,
        }
    return load_reward({"terms": {name: {"scorer": "length", **term} for name, term in made.items()}})


def make_columns(recipe: RewardRecipe, rows: int, seed: int = 0) -> dict[str, Column]:
    draws = np.random.default_rng(seed)
    columns: dict[str, Column] = {}
    for name, term in recipe.terms.items():
        binary = term.role in ("gate", "veto")
        raw = (draws.random(rows) < 0.9).astype(np.float64) if binary else draws.normal(0, 3, rows)
        shares = [1, 0, 0] if term.role == "gate" else [0.96, 0.02, 0.02]
        outcome = draws.choice([OK, MISSING, NOT_APPLICABLE], rows, p=shares).astype(np.int8)
        columns[name] = Column(np.where(outcome == OK, raw, 0.0), outcome)
    return columns


def best(work: Callable[[], object], times: int = 5) -> tuple[float, float]:
    """The shortest time by the clock, and by the processor."""
    seconds: list[float] = []
    used: list[float] = []
    for _ in range(times):
        began, spent = time.perf_counter(), time.process_time()
        work()
        seconds.append(time.perf_counter() - began)
        used.append(time.process_time() - spent)
    return min(seconds), min(used)


def objects(recipe: RewardRecipe, columns: Mapping[str, Column], rows: int) -> tuple[float, float]:
    """The same for a training step, where scores and rewards are objects."""
    missing = Score(None, OUTAGE)
    scores = {
        name: [
            Score(float(raw)) if outcome == OK else missing
            for raw, outcome in zip(column.raw_N[:rows], column.outcome_N[:rows], strict=True)
        ]
        for name, column in columns.items()
    }
    ids = [str(index // GROUP) for index in range(rows)]
    return best(lambda: with_advantages(compose(recipe, ids, scores), ids))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--terms", type=int, default=10)
    parser.add_argument("--budget", type=float, default=0.3)
    asked = parser.parse_args()
    recipe = make_recipe(asked.terms)
    columns = make_columns(recipe, asked.rows)
    groups_N = np.arange(asked.rows, dtype=np.int64) // GROUP

    def whole(kind: Estimator) -> object:
        found = compose_arrays(recipe, groups_N, columns, step=10)
        totals = Totals(found.total_N, groups_N, found.has_total_N, found.passed_N)
        return advantage_arrays(kind, totals)

    print(f"{asked.rows:,} samples × {len(recipe.terms)} terms, groups of {GROUP}")
    seconds = {name: best(lambda kind=kind: whole(kind)) for name, kind in KINDS.items()}
    for name, (clock, used) in seconds.items():
        print(f"compose + {name:<9} {clock:.3f} s, {used:.3f} s of the processor")
    step = min(asked.rows, 2_000)
    clock, used = objects(recipe, columns, step)
    print(f"as objects, {step:,} samples: {clock:.3f} s, {used:.3f} s of the processor")
    return int(max(min(each) for each in seconds.values()) > asked.budget)


if __name__ == "__main__":
    sys.exit(main())
