"""One process of several: its share of a step's rows, scored, gathered over gloo, and written as JSON.

Started by accelerate with a folder; `test_real_processes` reads what the processes leave in it.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from accelerate import PartialState
from accelerate.utils import gather_object
from test_reward_function import EVERYTHING, REPLIES, VOWELS, ask, context

from salon.rewards.estimator import Grpo
from salon.rewards.recipe import load_reward

REWARDS: list[dict[str, Any]] = [{"compose": {"standardize": "batch"}, **VOWELS}, EVERYTHING]
ROWS = [*REPLIES, "oooo", "oxxx", "xxxx", "broken"]


def scored(folder: Path, rank: int, ranks: int, gather: Any) -> list[dict[str, Any]]:
    """What this rank gets for its own rows, and what it knows of everybody's, for each of the rewards."""
    share = len(ROWS) // ranks
    found: list[dict[str, Any]] = []
    for reward in REWARDS:
        by = load_reward(reward).advantage or Grpo()
        of = context(folder, reward, rank=rank, gather=gather, estimator=by)
        totals, judged = ask(of, ROWS[rank * share : (rank + 1) * share], rank * share)
        rewards = [[asdict(each) for each in row] for row in judged.rewards]
        found.append({"totals": totals, "rewards": rewards, "numbers": dict(judged.numbers)})
    return found


def main(folder: Path) -> None:
    state = PartialState(cpu=True)
    assert state.backend == "gloo", state.backend
    assert state.num_processes > 1
    found = scored(folder / "run", state.process_index, state.num_processes, gather_object)
    (folder / f"rank-{state.process_index}.json").write_text(json.dumps(found))
    state.wait_for_everyone()
    state.destroy_process_group()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
