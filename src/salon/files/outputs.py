"""Files that are written for somebody: whole or not at all, never over what was read, and known to be
possible before the work is done.
"""

import os
import shutil
import stat
import tempfile
import time
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from salon.errors import RecipeError, StoreError
from salon.secrets.known import redact_bytes

_RUNS_OWN = ("manifest.json", "metrics.jsonl", "rollouts", "pictures", "evaluations", "checkpoints", "policy")
_DATA = {".parquet", ".csv", ".tsv", ".jsonl", ".ndjson", ".png", ".webp", ".jpg", ".jpeg", ".svg", ".js"}
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


class WriteError(StoreError, OSError):
    """A file could not be written; nothing of it is there, and what was there before is whole."""

    def __init__(self, path: Path, error: OSError) -> None:
        OSError.__init__(self, error.errno, error.strerror, str(path))
        self._told = f"{path} cannot be written: {error.strerror or error}. {_remedy(error)}"

    def __str__(self) -> str:
        return self._told


def _remedy(error: OSError) -> str:
    if error.errno in (28, 122, 27):
        return "Free some space, and start the same command again; what was written before is whole."
    if isinstance(error, IsADirectoryError):
        return "A folder is there: name a file."
    return "Check that the folder is there and may be written to, or choose another one."


TEXT = {".json", ".jsonl", ".html", ".md", ".txt", ".yaml", ".yml", ".csv"}
"""Files in which nothing but text is kept."""


def write_atomic(path: Path, data: bytes, durable: bool = True) -> None:
    """Put `data` at `path`, whole or not at all, even through SIGKILL or a power cut.

    Args:
        durable: False does not wait for the disk: after a power cut, such a file may be lost.

    Raises:
        WriteError: it cannot be written: a StoreError that says why, and an OSError.
    """
    if path.suffix in TEXT:
        data = redact_bytes(data)  # The last look: no known key is in what is kept.
    try:
        _must_be_replaceable(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name[:100]}.{os.getpid()}.{time.monotonic_ns()}.tmp")
        try:
            # A name that is there already, as a link perhaps, is not this one's.
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW, 0o666)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                if durable:
                    file.flush()
                    os.fsync(file.fileno())
            beside.replace(path)
        except BaseException:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
            raise
        if durable:
            _sync_folder(path.parent)
    except WriteError:
        raise
    except OSError as error:
        raise WriteError(path, error) from error


@contextmanager
def new_folder(place: Path) -> Generator[Path]:
    """A folder to fill, which stands at `place` (not there, or empty) once it is whole: what fails or is
    killed on the way leaves nothing there, and the same command can be started again.

    Raises:
        WriteError: it cannot be made, or not be put there.
    """
    beside = place.resolve().with_name(
        f".{place.resolve().name[:100]}.{os.getpid()}.{time.monotonic_ns()}.tmp"
    )
    try:
        beside.mkdir(parents=True)
        yield beside
        place.mkdir(exist_ok=True)
        for file in beside.iterdir():
            file.rename(place / file.name)
        beside.rmdir()
    except OSError as error:
        raise error if isinstance(error, WriteError) else WriteError(place, error) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _must_be_replaceable(path: Path) -> None:
    """A rename would put a file in the place of a device, such as /dev/null. Raises OSError."""
    with suppress(FileNotFoundError):
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(21, "it is a folder")
        if not stat.S_ISREG(mode):
            raise OSError(22, "it is a device, a pipe or a socket, and a file is wanted there")


def _sync_folder(folder: Path) -> None:
    """Make a rename durable. A file system may refuse to sync a folder; the rename is atomic all the same."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def check_outputs(outputs: Mapping[str, str | Path | None], inputs: Iterable[str | Path | None] = ()) -> None:
    """Find out before the work whether files can be written that a command was told to write.

    Args:
        outputs: the option's name → the file; None or nothing where it was not given.
        inputs: files and folders that the command reads.

    Raises:
        RecipeError: an output is an input, by whatever name or link, or a run's own data, or another output;
            it is a folder or a device; or it cannot be written.
    """
    wanted = {option: Path(path) for option, path in outputs.items() if path}
    for option, path in wanted.items():
        _check_dash(option, path)
    read = [Path(path) for path in inputs if path]
    for option, path in wanted.items():
        for source in read:
            if why := _overwrites(path, source):
                raise RecipeError(f"{option} {path}: {why}. Choose another path.")
        same = next((name for name, other in wanted.items() if name != option and _same(path, other)), None)
        if same:
            raise RecipeError(
                f"{option} {path}: {same} is the same file. Choose another path for one of them."
            )
        try:
            _must_be_replaceable(path)
            _try_folder(path)
        except OSError as error:
            raise RecipeError(f"{option} {path}: {WriteError(path, error)}") from error


def check_folder(
    option: str,
    path: str | Path | None,
    inputs: Iterable[str | Path | None] = (),
    writes: Iterable[str] = (),
) -> None:
    """The same of a folder that a command writes files into.

    Args:
        writes: the names of those that are known before.

    Raises:
        RecipeError: it is a file, an input or a run's own folder of data, or cannot be written to; or a file
            in it that would be written is an input, a folder or a device.
    """
    if not path:
        return
    place = Path(path)
    _check_dash(option, place)
    if os.path.exists(place) and not os.path.isdir(place):
        raise RecipeError(f"{option} {place}: is a file, and a folder is wanted. Choose another path.")
    read = [Path(each) for each in inputs if each]
    for name in writes:
        check_outputs({option: place / name}, read)
    for source in read:
        if _same(place, source) or (os.path.isdir(source) and _is_runs_own(place, source)):
            raise RecipeError(f"{option} {place}: is what is read. Choose another folder.")
    try:
        _try_folder(place / "x")
    except OSError as error:
        raise RecipeError(f"{option} {place}: {WriteError(place, error)}") from error


def _check_dash(option: str, path: Path) -> None:
    if str(path) == "-":
        raise RecipeError(f"{option} -: does not write to standard output. Give it a name.")


def _overwrites(path: Path, source: Path) -> str:
    """Why writing `path` would destroy what is read from `source`; nothing where it would not."""
    if _same(path, source):
        return "is read by this very command, and would be overwritten"
    if os.path.isdir(source):
        if _is_runs_own(path, source):
            return f"is part of the run {source}, whose data nothing else may write"
        inside = _real(path).is_relative_to(_real(source))
        if inside and os.path.exists(path) and path.suffix.lower() in _DATA:
            return f"is a file of {source}, which is read"
    return ""


def _is_runs_own(path: Path, source: Path) -> bool:
    if not os.path.exists(source / "manifest.json"):
        return False
    root, real = _real(source), _real(path)
    return (
        real.is_relative_to(root)
        and real.relative_to(root).parts[:1] != ()
        and (real.relative_to(root).parts[0].casefold() in _RUNS_OWN)
    )


def _same(a: Path, b: Path) -> bool:
    """Whether two names are one file: also by links, and where capital letters make no difference."""
    with suppress(OSError):
        return os.path.samefile(a, b)
    return _real(a) == _real(b)


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _try_folder(path: Path) -> None:
    """Whether a file can be made beside `path`, or in the first folder above that is there. Raises
    OSError.
    """
    folder = path.parent
    while not os.path.exists(folder) and folder != folder.parent:
        folder = folder.parent
    if not os.path.isdir(folder):
        raise NotADirectoryError(20, f"{folder} is no folder")
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(b"x")
        file.flush()
