"""Which checkpoints may be trusted after a kill or a full disk, and how a run goes back to the last of them.

The trainer writes a checkpoint file by file, so a kill can leave half of one. `salon.json` is put into it
last, by rename, with the size and a hash of every file: a checkpoint without it does not count, and one whose
files are others now, or which is of another run, is passed over for the one before. A checkpoint that was
made before there were hashes is looked at as far as its files' own formats allow, and opened to see. Nothing
here follows a link: what is removed is the run's own.
"""

import hashlib
import json
import math
import os
import re
import shutil
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

from salon.errors import StoreError, boundary
from salon.files.untrusted import check_file, inside, json_object, json_value, read_file
from salon.store.runs import Run, write_atomic

_NAME = re.compile(r"checkpoint-(\d{1,12})")
_MARK = "salon.json"
_NEEDED = ("trainer_state.json", "optimizer.pt", "scheduler.pt")
_PICKLED = (".pt", ".pth", ".bin")

Found = TypeVar("Found")
_STATE = "trainer_state.json"
_SAMPLE = 64_000_000
"""Of a larger file, older checkpoints hashed so many bytes at either end."""
_WHOLE = "whole"
"""What a mark calls hashes of all bytes, at more than a gigabyte a second."""
_HEADER = 100_000_000
_BITS = {
    **dict.fromkeys(("BOOL", "U8", "I8", "F8_E4M3", "F8_E5M2"), 8),
    **dict.fromkeys(("U16", "I16", "F16", "BF16"), 16),
    **dict.fromkeys(("U32", "I32", "F32"), 32),
    **dict.fromkeys(("U64", "I64", "F64"), 64),
}


@dataclass(frozen=True, slots=True)
class _Mark:
    step: int
    ranks: int
    files: Mapping[str, Sequence[Any]] = field(default_factory=dict[str, Sequence[Any]])
    hashed: str = ""


def folder_of(run: Run) -> Path:
    """Where the trainer keeps a run's checkpoints."""
    return run.path / "checkpoints"


def mark_complete(folder: Path, update: int, step: int, ranks: int) -> None:
    """Declare `checkpoint-<update>` whole, made at the end of `step` by `ranks` processes."""
    place = folder / f"checkpoint-{update}"
    _put_mark(place, step, ranks)


def _put_mark(folder: Path, step: int, ranks: int) -> None:
    mark = {"step": step, "ranks": ranks, "hashed": _WHOLE, "files": sealed(folder)}
    write_atomic(folder / _MARK, json.dumps(mark).encode())


def sealed(folder: Path) -> dict[str, list[Any]]:
    """The size and the hash of every file in a checkpoint, by its name."""
    paths = (path for path in sorted(folder.rglob("*")) if os.path.isfile(path))
    files = {path.relative_to(folder).as_posix(): path for path in paths}
    return {name: [path.stat().st_size, _hash(path, _WHOLE)] for name, path in files.items() if name != _MARK}


def go_back(
    run: Run,
    ranks: int,
    say: Callable[[str], object] = lambda _: None,
    updates: int = 1,
    opens: Callable[[Path], object] = lambda _: None,
) -> tuple[Path | None, int]:
    """Rewind the record to the last whole checkpoint, and remove what came after it.

    Args:
        say: told which checkpoint is damaged or of another run, and passed over.
        updates: of the optimizer, in a step.
        opens: reads a checkpoint that has no hashes, and raises where that cannot be.

    Returns:
        The checkpoint (None: begin at the beginning) and its step.

    Raises:
        StoreError: when the checkpoint was made by another number of processes, which each keep their own
        random state; or the folder of checkpoints, or one in it, is a link.
    """
    folder = own_folder(run.path, folder_of(run))
    # A step's line of metrics is written last: rollouts without it were cut off, by a kill or by Ctrl-C.
    recorded = set(run.steps()).intersection(run.metrics()["step"])
    marks = {path: read_mark(path) for path in _checkpoints(folder)}
    # A mark may say any step: they are looked at by the update that they were made at.
    whole = sorted(((_update(path), path, mark) for path, mark in marks.items() if mark), reverse=True)
    chosen: tuple[Path, _Mark] | None = None
    for _, path, mark in whole:
        trouble = (
            _of_another_run(path, mark, recorded, updates)
            or _damage(path, mark, opens)
            or _of_another_trainer(path)
        )
        if not trouble:
            chosen = path, mark
            break
        say(f"{path} is {trouble}: it is left out, and the one before it is looked at")
    step = chosen[1].step if chosen else 0
    if chosen and chosen[1].ranks != ranks:
        made_by = chosen[1].ranks
        raise StoreError(
            f"{run.path} was made by {made_by} processes, and this is {ranks}: start {made_by} again"
        )
    run.rewind(step)
    for path, mark in marks.items():
        if mark is None or chosen is None or _update(path) > _update(chosen[0]):
            shutil.rmtree(path)
    return (chosen[0] if chosen else None), step


def own_folder(root: Path, folder: Path) -> Path:
    """`folder`, where it is a run's own and no link.

    Raises:
        StoreError: it is a link, leads elsewhere, or is a file.
    """
    if folder.is_symlink() or (os.path.exists(folder) and not os.path.isdir(folder)):
        raise StoreError(f"{folder} is a link or a file, and no folder of this run: put the folder there")
    try:
        return inside(root, folder)
    except ValueError as error:
        raise StoreError(f"{error}: put the folder itself there") from error


def read_mark(folder: Path) -> _Mark | None:
    """What a whole checkpoint says of itself; None where it is not, or its mark is damaged."""
    try:
        mark = json_object(read_file(folder / _MARK, 50_000_000))
        step, ranks, files = mark["step"], mark["ranks"], mark.get("files", {})
    except (OSError, ValueError, KeyError):
        return None
    right = type(step) is int and type(ranks) is int and ranks >= 1 and isinstance(files, dict)
    return _Mark(step, ranks, cast("dict[str, Any]", files), str(mark.get("hashed"))) if right else None


def _of_another_run(folder: Path, mark: _Mark, recorded: Collection[int], updates: int) -> str:
    """How a checkpoint shows that it is no state of this run after a step of it; nothing where it is one."""
    if mark.step not in recorded:
        return f"not of this run (its step {mark.step} is not in the record)"
    if (update := _update(folder)) != (last := mark.step * updates):
        return f"not of this run (step {mark.step} ends with update {last}, and its name says {update})"
    return ""


def _of_another_trainer(folder: Path) -> str:
    """The same by what the trainer wrote, where that is whole."""
    found: object = None
    with boundary("checkpoint") as caught:
        found = json_value(read_file(folder / _STATE))["global_step"]
    if caught.failure:
        return f"damaged ({_STATE}: {caught.failure.message})"
    if type(found) is not int or found != _update(folder):
        return f"not of this run ({_STATE} has global_step {found!r:.40}, not {_update(folder)})"
    return ""


def _damage(folder: Path, mark: _Mark, opens: Callable[[Path], object]) -> str:
    trouble = problem_of(folder, mark)
    if not trouble and not mark.files:
        with boundary("checkpoint") as caught:
            opens(folder)
        trouble = caught.failure.message if caught.failure else ""
    return f"damaged ({trouble})" if trouble else ""


def problem_of(folder: Path, mark: _Mark) -> str:
    """What is wrong with a checkpoint's files; nothing where they are as they were written."""
    if not mark.files:
        return _by_format(folder, mark.ranks)
    for name, told in mark.files.items():
        path = folder / name
        try:
            inside(folder, path)
            check_file(path, most=2**62)
            if [path.stat().st_size, _hash(path, mark.hashed)] != list(told):
                return f"{name} is not as it was written"
        except OSError:
            return f"{name} is not there"
        except (ValueError, TypeError) as error:
            return str(error)
    # The other processes write theirs at the same time, and perhaps after the mark.
    return next(_random_states(folder, mark.ranks, mark.files), "")


def _by_format(folder: Path, ranks: int) -> str:
    """The same of one that has no hashes, as far as its files' formats can tell."""
    for name in _NEEDED:
        if trouble := _file_problem(folder / name):
            return trouble
    return _files_problem(folder) or next(_random_states(folder, ranks, {}), "")


def _files_problem(folder: Path) -> str:
    """What is wrong with whatever lies in a checkpoint, as far as it has a format that is known here."""
    if not (any(folder.glob("*.safetensors")) or any(folder.glob("*model*.bin"))):
        return "there are no weights in it"
    known = (".json", ".safetensors", *_PICKLED)
    for path in sorted(folder.iterdir()):
        if path.suffix in known and path.name != _MARK and (trouble := _file_problem(path)):
            return trouble
    return ""


def seal(folder: Path, step: int) -> None:
    """Put a mark into a checkpoint of one process that is about to be renamed to its place."""
    _put_mark(folder, step, 1)


def last_whole(
    root: Path, pattern: str, say: Callable[[str], object], opened: Callable[[Path], Found]
) -> tuple[Path, Found] | None:
    """The newest checkpoint in `root` that is as it was sealed, or looks whole where it never was, and can be
    opened, with what that gave; None where there is none.
    """
    for path in sorted(own_folder(root.parent, root).glob(pattern), reverse=True):
        mark = read_mark(own_folder(root, path))
        if mark and mark.files:
            trouble = problem_of(path, mark)
        else:
            trouble = _file_problem(path / "optimizer.pt") or _files_problem(path)
        if not trouble:
            with boundary("checkpoint") as caught:
                return path, opened(path)
            trouble = caught.failure.message if caught.failure else ""
        say(f"{path} is damaged ({trouble}): it is left out, and the one before it is looked at")
    return None


def _random_states(folder: Path, ranks: int, known: Mapping[str, Any]) -> Iterator[str]:
    names = ["rng_state.pth"] if ranks == 1 else [f"rng_state_{rank}.pth" for rank in range(ranks)]
    for name in names:
        # A checkpoint may be of a trainer that keeps none: only one that was there can be missing.
        if name not in known and (ranks > 1 or not known) and (trouble := _file_problem(folder / name)):
            yield trouble


def _file_problem(path: Path) -> str:
    if not os.path.exists(path):
        return f"{path.name} is not there"
    # Damaged bytes make the readers of a format raise whatever comes to hand.
    with boundary("checkpoint") as caught:
        check_file(path, most=2**62)
        _check_format(path)
    return f"{path.name}: {caught.failure.message}" if caught.failure else ""


def _check_format(path: Path) -> None:
    if path.stat().st_size == 0:
        raise ValueError("is empty")
    if path.name.endswith(".index.json"):
        for name in set(json_object(read_file(path))["weight_map"].values()):
            check_file(path.parent / Path(name).name, most=2**62)
    elif path.suffix == ".json":
        found = json_value(read_file(path))
        if path.name == _STATE and not isinstance(found, dict):
            raise ValueError("is no mapping")
    elif path.suffix == ".safetensors":
        _check_safetensors(path)
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            if bad := archive.testzip():
                raise ValueError(f"{bad} in it is damaged")
    else:
        raise ValueError("is cut short")


def _check_safetensors(path: Path) -> None:
    """Raises where the tensors that its header tells of are not all there, one behind the other."""
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 0 < length <= min(size - 8, _HEADER):
            raise ValueError("is cut short")
        header = json_object(file.read(length))
    tensors = [each for name, each in header.items() if name != "__metadata__"]
    end = 0
    for each in sorted(tensors, key=lambda each: each["data_offsets"]):
        first, last = each["data_offsets"]
        bits = _BITS.get(each["dtype"])
        if first != end or (bits is not None and (last - first) * 8 != math.prod(each["shape"]) * bits):
            raise ValueError("has tensors that are not where its header says")
        end = last
    if end != size - 8 - length:
        raise ValueError("is cut short")


def _checkpoints(folder: Path) -> list[Path]:
    found = [path for path in sorted(folder.glob("checkpoint-*")) if _NAME.fullmatch(path.name)]
    return [own_folder(folder, path) for path in found]


def _update(path: Path) -> int:
    match = _NAME.fullmatch(path.name)
    return int(match[1]) if match else -1


def _hash(path: Path, hashed: str) -> str:
    found, size = hashlib.blake2b(digest_size=16), path.stat().st_size
    with path.open("rb") as file:
        if hashed == _WHOLE or size <= 2 * _SAMPLE:
            while part := file.read(1_000_000):
                found.update(part)
        else:
            found.update(file.read(_SAMPLE))
            file.seek(size - _SAMPLE)
            found.update(file.read(_SAMPLE))
    return found.hexdigest()
