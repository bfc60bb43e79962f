"""Which checkpoints count after a kill."""

from pathlib import Path

import pytest

from salon.store import Run
from salon.train.checkpoints import folder_of, go_back, mark_complete


@pytest.mark.parametrize("mark", ["", "{", "[]", "{}", None])
def test_a_checkpoint_with_a_damaged_mark_does_not_count(tmp_path: Path, mark: str | None) -> None:
    run = Run.create(tmp_path / "run", {"recipe": {}})
    half = folder_of(run) / "checkpoint-2"
    half.mkdir(parents=True)
    if mark is not None:
        (half / "salon.json").write_text(mark)
    assert go_back(run, 1) == (None, 0)
    assert not half.exists()


def test_a_step_whose_metrics_were_not_written_is_done_again(tmp_path: Path) -> None:
    """Ctrl-C between a step's rollouts and its line of metrics, with a whole checkpoint of that step."""
    run = Run.create(tmp_path / "run", {"recipe": {}})
    for step in (1, 2):
        run.write_step(step, [], [], {"reward": 0.5})
        (folder_of(run) / f"checkpoint-{step}").mkdir(parents=True)
        mark_complete(folder_of(run), step, step, 1)
    lines = (run.path / "metrics.jsonl").read_text("utf-8").splitlines(keepends=True)
    (run.path / "metrics.jsonl").write_text(lines[0], "utf-8")
    assert go_back(run, 1) == (folder_of(run) / "checkpoint-1", 1)
    assert run.steps() == [1]
    assert not (folder_of(run) / "checkpoint-2").exists()
