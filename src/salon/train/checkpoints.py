"""Which checkpoints may be trusted after a kill, and how a run goes back to the last of them.

The trainer writes a checkpoint file by file, so a kill can leave half of one. `salon.json` is put into it
last, by rename: a checkpoint without that file does not count and is removed.
"""

import json
import re
import shutil
from pathlib import Path

from salon.errors import StoreError
from salon.store import Run, write_atomic

_NAME = re.compile(r"checkpoint-(\d+)")
_MARK = "salon.json"


def folder_of(run: Run) -> Path:
    """Where the trainer keeps a run's checkpoints."""
    return run.path / "checkpoints"


def mark_complete(folder: Path, update: int, step: int, ranks: int) -> None:
    """Declare `checkpoint-<update>` whole, made at the end of `step` by `ranks` processes."""
    mark = {"step": step, "ranks": ranks}
    write_atomic(folder / f"checkpoint-{update}" / _MARK, json.dumps(mark).encode())


def go_back(run: Run, ranks: int) -> tuple[Path | None, int]:
    """Rewind the record to the last whole checkpoint, and remove what came after it.

    Returns:
        The checkpoint (None: begin at the beginning) and its step.

    Raises:
        StoreError: when the checkpoint was made by another number of processes, which each keep their own
        random state.
    """
    whole: dict[int, tuple[Path, int]] = {}
    for path in sorted(folder_of(run).glob("checkpoint-*")):
        if _NAME.fullmatch(path.name) is None:
            continue
        mark = _read_mark(path)
        if mark is None:
            shutil.rmtree(path)
            continue
        whole[mark[0]] = (path, mark[1])
    # A step's line of metrics is written last: rollouts without it were cut off, by a kill or by Ctrl-C.
    recorded = set(run.steps()).intersection(run.metrics()["step"])
    step = max((number for number in whole if number in recorded), default=0)
    run.rewind(step)
    for later, (path, _) in whole.items():
        if later > step:
            shutil.rmtree(path)
    if step and whole[step][1] != ranks:
        made_by = whole[step][1]
        raise StoreError(
            f"{run.path} was made by {made_by} processes, and this is {ranks}: start {made_by} again"
        )
    return (whole[step][0] if step else None), step


def _read_mark(folder: Path) -> tuple[int, int] | None:
    """The step and the number of processes of a whole checkpoint; None where it is not, or its mark is
    damaged.
    """
    try:
        mark = json.loads((folder / _MARK).read_text("utf-8"))
        return int(mark["step"]), int(mark["ranks"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
