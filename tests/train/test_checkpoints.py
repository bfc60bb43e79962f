"""Which checkpoints count after a kill."""

from pathlib import Path

import pytest

from salon.store import Run
from salon.train.checkpoints import folder_of, go_back


@pytest.mark.parametrize("mark", ["", "{", "[]", "{}", None])
def test_a_checkpoint_with_a_damaged_mark_does_not_count(tmp_path: Path, mark: str | None) -> None:
    run = Run.create(tmp_path / "run", {"recipe": {}})
    half = folder_of(run) / "checkpoint-2"
    half.mkdir(parents=True)
    if mark is not None:
        (half / "salon.json").write_text(mark)
    assert go_back(run, 1) == (None, 0)
    assert not half.exists()
