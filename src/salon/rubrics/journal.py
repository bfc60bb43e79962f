"""An append-only file of steps, so that work goes on after a kill at any moment.

Every step is one line of JSON, flushed to the disk before the next one begins. A line that a kill cut short
is taken
off when the journal is opened again: that step never happened.
"""

import fcntl
import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

from salon import strict
from salon.errors import RecipeError
from salon.secrets import redact_bytes


class Journal:
    """The steps at `path`, one process at a time. Use it as a context; `append` may be called from several
    threads.

    Raises:
        RecipeError: another process has it open, or lines in its middle are no step: names all of them.
            Without one, those after it would be of another question.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self.steps: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("a+b")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise RecipeError(
                f"{self.path}: another process writes here. Wait for it, or take another folder."
            ) from error
        self._file.seek(0)
        try:
            self.steps = self._read(self._file.read())
        except RecipeError:
            self._file.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def append(self, step: Mapping[str, Any]) -> None:
        """Put a step behind the others, durably."""
        line = json.dumps(step, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        line = redact_bytes(line)
        with self._lock:
            self._file.write(line)
            self._file.flush()
            os.fsync(self._file.fileno())
            self.steps.append(dict(step))

    def _read(self, data: bytes) -> list[dict[str, Any]]:
        whole, _, torn = data.rpartition(b"\n")
        if torn:
            self._file.truncate(len(data) - len(torn))
        lines = list(enumerate(whole.split(b"\n") if whole else [], 1))
        bad: list[strict.BadRow] = []
        steps = strict.sift(self.path, lines, bad, lambda line, _: _step(line))
        strict.leave_out(self.path, bad, len(steps), whole=True)
        return steps


def _step(line: bytes) -> dict[str, Any]:
    try:
        step: Any = json.loads(line)
    except (ValueError, RecursionError):
        step = None
    if not isinstance(step, dict) or not isinstance(step.get("step"), str):  # pyright: ignore[reportUnknownMemberType]
        raise RecipeError("is no step. Put the file back, or begin anew.")
    return cast("dict[str, Any]", step)
