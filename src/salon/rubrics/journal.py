"""An append-only file of steps, so that work goes on after a kill at any moment.

Every step is one line of JSON, flushed to the disk before the next one begins. A line that a kill cut short
is taken off when the next step is written: that step never happened.
"""

import fcntl
import json
import os
import re
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, Strict

from salon import validation
from salon.errors import RecipeError
from salon.files.outputs import WriteError
from salon.files.untrusted import MOST_BYTES, UntrustedInputError, json_object, open_own
from salon.secrets.known import redact_bytes

REMEDY = "Put the file back, or take it away and begin anew."
Number = Annotated[float, Strict(), Field(allow_inf_nan=False)]
"""No text and no truth value."""
_BEGINNINGS = (b'{"step":"', b'{"pair":"')
"""Of a line. Those of before began with the pair."""


class Step(BaseModel):
    """What the steps of one name must hold; other keys are left alone."""

    model_config = ConfigDict(extra="ignore")


class Journal:
    """The steps at `path`, one process at a time. Use it as a context; `append` may be called from several
    threads.

    Args:
        forms: what the steps hold that are written here, by their names.

    Raises:
        RecipeError: another process has it open, it is a link or no regular file, or some of its lines are no
            steps of these forms: names all of them. Without one, those after it would be of another question.
            Nothing in it is changed.
    """

    def __init__(self, path: Path, forms: Mapping[str, type[Step]]) -> None:
        self.path = path
        self._forms = forms
        self._lock = threading.Lock()
        self.steps: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = open_own(self.path)
        except UntrustedInputError as error:
            raise RecipeError(f"{error}. Take it away, or choose another output.") from error
        except OSError as error:
            raise WriteError(self.path, error) from error
        try:
            self._hold()
            self.steps = self._read()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def append(self, step: Mapping[str, Any]) -> None:
        """Put a step behind the others, durably. Raises WriteError; then nothing of it is there."""
        whole = {"step": step["step"], **step}
        text = json.dumps(whole, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        left = memoryview(redact_bytes(text.encode("utf-8", "replace") + b"\n"))
        with self._lock:
            end = self._end + len(left)
            try:
                self._file.truncate(self._end)
                while left:
                    left = left[self._file.write(left) :]
                os.fsync(self._file.fileno())
            except OSError as error:
                with suppress(OSError):
                    self._file.truncate(self._end)
                raise WriteError(self.path, error) from error
            self._end = end
            self.steps.append(dict(step))

    def _hold(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise RecipeError(
                f"{self.path}: another process writes here. Wait for it, or take another folder."
            ) from error

    def _read(self) -> list[dict[str, Any]]:
        if os.fstat(self._file.fileno()).st_size > MOST_BYTES:
            raise RecipeError(f"{self.path}: holds more than {MOST_BYTES:,} bytes. {REMEDY}")
        *lines, torn = self._file.readall().split(b"\n")
        self._end = sum(map(len, lines)) + len(lines)
        bad: list[validation.BadRow] = []
        steps = validation.sift(self.path, enumerate(lines, 1), bad, self._step)
        if not _is_beginning(torn):
            told = f"is no step, and no beginning of one. {REMEDY}"
            bad.append(validation.BadRow(f"{self.path}, line {len(lines) + 1}", told, len(lines) + 1))
        validation.leave_out(self.path, bad, len(steps), whole=True)
        return steps

    def _step(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            step = json_object(line)
        except ValueError:
            step = {}
        name = step.get("step")
        form = self._forms.get(name) if isinstance(name, str) else None
        if form is None:
            raise RecipeError(f"is no step. {REMEDY}")
        validation.validated(form, step, f"{self.path}, line {number}")
        return step


def _is_beginning(torn: bytes) -> bool:
    """Whether a kill may have left it of a line. A power cut can leave zeros where the rest was to stand."""
    written = re.sub(rb"\0+\Z", b"", torn)
    return any(written.startswith(each) or each.startswith(written) for each in _BEGINNINGS)


def beside(out: str | Path) -> Path:
    """Where the journal of an output stands."""
    return Path(f"{out}.steps.jsonl")
