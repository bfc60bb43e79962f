"""Real processes that meet over gloo, as in a training: one, two and four have the same numbers, and a spent
budget stops all of them where a step ended.
"""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from chatserver import served
from salon.judges.fake import FakeJudge
from salon.serving.judge_server import JudgeServer
from salon.store.runs import Run
from tinyrun import save_tiny_policy, tiny_mapping

TESTS = Path(__file__).resolve().parents[1]

pytestmark = [pytest.mark.torch, pytest.mark.slow, pytest.mark.timeout(900)]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def launched(ranks: int, *command: str) -> subprocess.CompletedProcess[str]:
    launch = ["-m", "accelerate.commands.launch", "--multi_gpu", "--num_processes", str(ranks)]
    port = ["--main_process_port", str(free_port())]
    environment = os.environ | {"PYTHONPATH": f"{TESTS}:{TESTS / 'train'}", "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, *launch, *port, *command],
        env=environment,
        capture_output=True,
        text=True,
        timeout=400,
    )


def started(folder: Path, ranks: int) -> list[list[dict[str, Any]]]:
    """What each of so many processes found."""
    Run.create(folder / "run", {"recipe": {}})
    done = launched(ranks, str(TESTS / "train" / "ranked.py"), str(folder))
    assert done.returncode == 0, done.stdout + done.stderr
    return [json.loads((folder / f"rank-{rank}.json").read_text()) for rank in range(ranks)]


@pytest.mark.parametrize("ranks", [2, 4])
def test_real_processes_compose_what_one_does(tmp_path: Path, ranks: int) -> None:
    """Three groups of four lie across the processes; every one of them knows all rows, and gets its own."""
    from ranked import scored

    alone = json.loads(json.dumps(scored(tmp_path / "alone", 0, 1, list)))
    found = started(tmp_path, ranks)
    for number, one in enumerate(alone):
        each = [rank[number] for rank in found]
        assert [total for rank in each for total in rank["totals"]] == one["totals"]
        for rank in each:
            assert rank["rewards"] == one["rewards"]
            assert rank["numbers"] == one["numbers"]
        advantages = [reward["advantage"] for row in one["rewards"] for reward in row]
        assert len({advantage for advantage in advantages if advantage}) > 3


def test_a_spent_budget_stops_all_processes_after_the_same_step(tmp_path: Path) -> None:
    """Each of the two asks about its own half of a step, and has the whole budget for that."""
    whole = tiny_mapping(save_tiny_policy(tmp_path / "policy"), tmp_path / "run", steps=3, save_every=99)
    look = {"scorer": "checklist", "judge": "eye", "args": {"questions": ["Is it a rose?"]}, "weight": 0.5}
    whole["reward"]["terms"]["look"] = look
    whole["reward"]["check"] = False
    whole["evaluate"]["pairs"] = 0
    recipe = tmp_path / "run.yaml"
    with served(JudgeServer(FakeJudge(), port=0)) as server:
        eye = {"kind": "openai", "model": "fake", "base_url": server.url, "cache": str(tmp_path / "kept")}

        def train(calls: int) -> subprocess.CompletedProcess[str]:
            whole["reward"]["judges"] = {"eye": eye | {"budget": {"calls": calls}}}
            recipe.write_text(yaml.safe_dump(whole))
            return launched(2, "-m", "salon.cli", "train", str(recipe))

        stopped = train(2 * 4 - 2)
        run = Run.open(tmp_path / "run")
        steps = run.steps()
        again = train(500)
    assert stopped.returncode != 0
    assert "reward.judges.eye: the budget of 6 calls is spent" in stopped.stderr
    assert f"{tmp_path / 'run'} is saved after step 1: the same command goes on" in stopped.stderr
    assert steps == [1]
    assert again.returncode == 0, again.stdout + again.stderr
    assert "going on after step 1 of 3" in again.stdout
    assert run.steps() == run.metrics()["step"].to_list() == [1, 2, 3]
    assert run.rollouts()["look.raw"].null_count() == run.rollouts()["picture"].null_count()
