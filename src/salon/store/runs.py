"""A run's record on disk, and the only code that writes one.

    <run>/
      manifest.json                      resolved recipe and its hash, versions, seeds, judges
      rollouts/step-000012.parquet       one row per sample, see record.COLUMNS
      pictures/ab/<sha256>.png           content-addressed
      metrics.jsonl                      one line per step
      evaluations/<name>.parquet|.json   rows and their summary
      checkpoints/                       the trainer's own

Every file appears whole or not at all: it is written beside its place, flushed to the disk and renamed.
Writing a step again replaces it, so a run that was killed rewinds to its last checkpoint and repeats. Other
tools read `rollouts/*.parquet` by `polars.read_parquet`, or `datasets.load_dataset("parquet", data_files=…)`.
"""

import io
import json
import os
import re
import stat
import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any

import polars as pl

from salon.errors import StoreError
from salon.files.outputs import WriteError, write_atomic
from salon.files.untrusted import UntrustedInputError, open_own
from salon.secrets.known import redact, redacted
from salon.types import Group, Picture, Reward

from .manifest import read_manifest
from .record import (
    COLUMNS,
    complete_manifest,
    difference,
    evaluation_frame,
    explain_difference,
    finite,
    metric_line,
    recipe_hash,
    rollout_frame,
    terms_of,
)
from .run_files import (
    STEP_FILE,
    numbers_by_name,
    own,
    read_metric_lines,
    read_picture,
    read_rollouts,
    read_summary,
    read_table,
)

__all__ = ["Run", "difference", "recipe_hash", "write_atomic"]

_OWN_NAMES = {
    "rollouts",
    "pictures",
    "metrics.jsonl",
    "manifest.json",
    "evaluations",
    "rescored",
    "checkpoints",
    "report.html",
}
_STALE_S = 60.0
_KEY = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(folder, error) from error


def _remove(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{file} cannot be removed ({error.strerror}): take it away") from error


def _json_bytes(value: Any) -> bytes:
    text = json.dumps(value, indent=2, ensure_ascii=False, default=str)
    return (text + "\n").encode("utf-8", "replace")


def parquet_bytes(frame: pl.DataFrame) -> bytes:
    """A table as a parquet file, its texts without the keys that are known."""
    texts = [name for name, kind in frame.schema.items() if kind == pl.String()]
    hidden = [
        pl.Series(name, [None if text is None else redact(text) for text in frame[name]], pl.String())
        for name in texts
    ]
    buffer = io.BytesIO()
    frame.with_columns(hidden).write_parquet(buffer)
    return buffer.getvalue()


@dataclass(frozen=True, slots=True)
class Run:
    """One run's folder.

    Any process may add pictures; only rank 0 writes rollouts, metrics and evaluations.
    """

    path: Path
    manifest: Mapping[str, Any]
    rank: int = 0

    @classmethod
    def exists(cls, path: str | Path) -> bool:
        """Whether a run was begun at `path`."""
        return os.path.isfile(Path(path) / "manifest.json")

    @classmethod
    def create(cls, path: str | Path, manifest: Mapping[str, Any]) -> "Run":
        """Begin a run in a new or empty folder.

        Args:
            path: the folder; made when it is not there.
            manifest: at least `recipe`; see record.complete_manifest for the rest.

        Raises:
            StoreError: when a run is there already, or files that are not a run's.
        """
        folder, full = Path(path), complete_manifest(manifest)
        if cls.exists(folder):
            _refuse_second_run(folder, full["recipe"])
        foreign = _foreign_names(folder)
        if foreign:
            raise StoreError(
                f"{folder} holds other files ({', '.join(foreign[:3])}): choose a new folder for the run"
            )
        for name in ("rollouts", "pictures", "evaluations"):
            _make_folder(folder / name)
        write_atomic(folder / "manifest.json", _json_bytes(full))
        return cls(path=folder, manifest=read_manifest(folder))

    @classmethod
    def open(cls, path: str | Path, recipe: Mapping[str, Any] | None = None, rank: int = 0) -> "Run":
        """Open a run to read it, or, with the `recipe` that is about to continue it, to resume it.

        Raises:
            StoreError: when `path` is no run, is damaged, or was made by another recipe (names the keys).
        """
        folder = Path(path)
        manifest = read_manifest(folder)
        if recipe is not None and recipe_hash(redacted(recipe)) != manifest["recipe_sha256"]:
            changes = explain_difference(manifest["recipe"], recipe)
            raise StoreError(
                f"{folder} was made by another recipe (run → now):\n{changes}\n"
                "Go back to these values, or choose another folder (out)."
            )
        return cls(path=folder, manifest=manifest, rank=rank)

    @contextmanager
    def held(self) -> Generator[None]:
        """Hold the run for this process as the one that trains it; a kill lets go of it.

        Raises:
            StoreError: another process holds it.
        """
        import fcntl  # Not there on Windows, where a run can still be read.

        with self._lock_file() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise StoreError(
                    f"{self.path} is being trained by another process: wait for it, or choose another out"
                ) from error
            yield

    def _lock_file(self) -> FileIO:
        place = self.path / ".lock"
        try:
            return open_own(place)
        except UntrustedInputError as error:
            raise StoreError(f"{error}: take it away") from error
        except OSError as error:
            raise WriteError(place, error) from error

    def picture_path(self, key: str) -> Path:
        """Where the picture named `key` (64 hex digits) lies. Raises StoreError when it is not a key."""
        if not _KEY.fullmatch(key):
            raise StoreError(f"not a picture's key (64 hex digits): {key[:80]!r}")
        return self.path / "pictures" / key[:2] / f"{key}.png"

    def read_picture(self, key: str) -> bytes:
        """A picture's bytes, which are what its key says. Raises StoreError where they are not."""
        return read_picture(self.picture_path(key), key, self.path)

    def write_picture(self, picture: Picture) -> str:
        """Keep a picture, once; return its key. One without bytes must be here already, from another rank."""
        place = self.picture_path(picture.key)
        if not os.path.isfile(place):
            if not picture.png:
                raise StoreError(f"picture {picture.key[:12]} has no bytes and is not in {self.path}")
            write_atomic(own(self.path, "pictures", place.parent.name, place.name), picture.png)
        return picture.key

    def adopt_pictures(self, other: "Run", keys: Iterable[str]) -> None:
        """Have another run's pictures here too, by a hard link where there can be one."""
        for key in keys:
            theirs, ours = other.picture_path(key), self.picture_path(key)
            if os.path.isfile(theirs) and not os.path.isfile(ours):
                data = other.read_picture(key)
                _make_folder(own(self.path, "pictures", key[:2]))
                with suppress(OSError):
                    os.link(theirs, ours, follow_symlinks=False)
                if not os.path.isfile(ours):
                    write_atomic(ours, data)

    def write_step(
        self,
        step: int,
        groups: Sequence[Group],
        rewards: Sequence[Sequence[Reward]],
        metrics: Mapping[str, float | None],
    ) -> None:
        """Record a step: pictures, then rollouts, then its line of metrics. The same step again replaces it.

        Args:
            step: 0 or more.
            groups: all groups of the step, of all ranks.
            rewards: per group, one reward per sample.
            metrics: numbers by name; NaN and infinity are stored as null.
        """
        self._must_write()
        frame = rollout_frame(step, groups, rewards, self._known_terms())
        for group in groups:
            for sample in group.samples:
                if sample.picture is not None:
                    self.write_picture(sample.picture)
        write_atomic(self._step_path(step), parquet_bytes(frame))
        self._write_lines({**self._lines(), step: metric_line(step, metrics)})

    def write_metrics(self, step: int, metrics: Mapping[str, float | None]) -> None:
        """Add numbers to a step's line: what is known only after the update, such as the win rate."""
        self._must_write()
        lines = self._lines()
        lines[step] = {**lines.get(step, {}), **metric_line(step, metrics)}
        self._write_lines(lines)

    def write_evaluation(
        self, name: str, rows: Sequence[Mapping[str, Any]] | pl.DataFrame, summary: Mapping[str, Any]
    ) -> None:
        """Keep an evaluation's rows, then its summary: where the summary is, the rows are whole.

        A summary with a `step` is dropped by a rewind to before it.
        """
        self._must_write()
        if not _NAME.fullmatch(name):
            raise StoreError(f"not a name for an evaluation (letters, digits, '.', '_', '-'): {name[:80]!r}")
        folder = own(self.path, "evaluations")
        write_atomic(folder / f"{name}.parquet", parquet_bytes(evaluation_frame(rows)))
        numbers = {
            key: finite(value) if isinstance(value, float) else value for key, value in summary.items()
        }
        write_atomic(folder / f"{name}.json", _json_bytes(numbers))

    def rewind(self, step: int) -> None:
        """Forget everything after `step`, which the checkpoint does not know, and tidy up after a kill."""
        self._must_write()
        self._write_lines({number: line for number, line in self._lines().items() if number <= step})
        for number in self.steps():
            if number > step:
                _remove(own(self.path, "rollouts", self._step_path(number).name))
        for name, summary in self.evaluations().items():
            made_at = summary.get("step")
            if isinstance(made_at, int | float) and made_at > step:
                _remove(own(self.path, "evaluations", f"{name}.json"))
                _remove(own(self.path, "evaluations", f"{name}.parquet"))
        self._sweep()

    def steps(self) -> list[int]:
        """The steps that have rollouts, in order."""
        files = own(self.path, "rollouts").glob("step-*.parquet")
        found = (int(match[1]) for file in files if (match := STEP_FILE.fullmatch(file.name)))
        return sorted(set(found))

    def rollouts(self, steps: Sequence[int] | None = None) -> pl.DataFrame:
        """The samples of all steps (or of `steps`), one row each: record.COLUMNS, then the terms' columns."""
        chosen = self.steps() if steps is None else list(steps)
        frames = [read_rollouts(self._step_path(step), step) for step in chosen]
        return pl.concat(frames, how="diagonal_relaxed") if frames else pl.DataFrame(schema=COLUMNS)

    def metrics(self) -> pl.DataFrame:
        """One row per step, in order; a number that a step does not have is null."""
        lines = self._lines()
        names = numbers_by_name(lines)
        schema: dict[str, pl.DataType] = {"step": pl.Int64(), **{name: pl.Float64() for name in names}}
        return pl.DataFrame([lines[step] for step in sorted(lines)], schema=schema, orient="row")

    def evaluations(self) -> dict[str, dict[str, Any]]:
        """The summaries of the run's evaluations, by name."""
        files = sorted(own(self.path, "evaluations").glob("[!.]*.json"))
        return {file.stem: read_summary(file) for file in files}

    def evaluation_rows(self, name: str) -> pl.DataFrame:
        """The rows of one evaluation. Raises StoreError when there is none of that name."""
        file = own(self.path, "evaluations", f"{name}.parquet")
        if not os.path.exists(file):
            raise StoreError(
                f"{self.path} has no evaluation {name!r}; it has: {', '.join(self.evaluations()) or 'none'}"
            )
        return read_table(file)

    def _must_write(self) -> None:
        if self.rank != 0:
            raise StoreError(
                f"rank {self.rank} may add pictures only: gather the groups and let rank 0 write the record"
            )

    def _step_path(self, step: int) -> Path:
        if step < 0:
            raise StoreError(f"a step is 0 or more, not {step}")
        return own(self.path, "rollouts", f"step-{step:06d}.parquet")

    def _known_terms(self) -> list[str]:
        steps = self.steps()
        return terms_of(self.rollouts(steps[:1]).columns) if steps else []

    def _lines(self) -> dict[int, dict[str, Any]]:
        file = self.path / "metrics.jsonl"
        return dict(read_metric_lines(file)) if os.path.exists(file) or os.path.islink(file) else {}

    def _write_lines(self, lines: Mapping[int, Mapping[str, Any]]) -> None:
        text = "".join(json.dumps(lines[step]) + "\n" for step in sorted(lines))
        write_atomic(self.path / "metrics.jsonl", text.encode())

    def _sweep(self) -> None:
        """Remove what a killed process left: only what is old, since another rank may be writing."""
        limit = time.time() - _STALE_S
        for folder in ("", "rollouts", "evaluations", "pictures/*"):
            for file in self.path.glob(f"{folder}/.*.tmp" if folder else ".*.tmp"):
                # A folder of pictures that is a link leads to somebody else's files.
                with suppress(FileNotFoundError, StoreError):
                    own(self.path, *file.relative_to(self.path).parts)
                    if file.lstat().st_mtime < limit and stat.S_ISREG(file.lstat().st_mode):
                        _remove(file)


def _refuse_second_run(folder: Path, recipe: Mapping[str, Any]) -> None:
    theirs = read_manifest(folder)["recipe"]
    changes = explain_difference(theirs, recipe)
    what = (
        f"made by another recipe (run → now):\n{changes}"
        if changes
        else "of this very recipe: Run.open resumes it, or choose another folder"
    )
    raise StoreError(f"{folder} holds a run already, {what}")


def _foreign_names(folder: Path) -> list[str]:
    if not os.path.exists(folder):
        return []
    if not os.path.isdir(folder):
        raise StoreError(f"{folder} is a file: choose a folder for the run")
    return sorted(
        item.name for item in folder.iterdir() if item.name not in _OWN_NAMES and item.suffix != ".tmp"
    )
