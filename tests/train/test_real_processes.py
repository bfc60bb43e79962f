"""The same numbers on one, two and four real processes, that meet over gloo as in a training."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from salon.store import Run

TESTS = Path(__file__).resolve().parents[1]

pytestmark = [pytest.mark.torch, pytest.mark.slow, pytest.mark.timeout(900)]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def started(folder: Path, ranks: int) -> list[list[dict[str, Any]]]:
    """What each of so many processes found."""
    Run.create(folder / "run", {"recipe": {}})
    launch = ["-m", "accelerate.commands.launch", "--multi_gpu", "--num_processes", str(ranks)]
    worker = ["--main_process_port", str(free_port()), str(TESTS / "train" / "ranked.py"), str(folder)]
    environment = os.environ | {"PYTHONPATH": f"{TESTS}:{TESTS / 'train'}", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, *launch, *worker], env=environment, capture_output=True, text=True, timeout=800
    )
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
