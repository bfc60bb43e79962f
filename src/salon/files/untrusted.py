"""Reading what somebody else may have put there: files of a run, a pool, a cache, a checkpoint, a judge.

A name can be a link to another place, a pipe that never ends, a folder, or a file that fills the memory. What
is read here is a regular file of a bounded size, opened without following a link and without waiting; and
JSON whose depth and number of values are counted before anything is built from it.
"""

import json
import math
import os
import re
import stat
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO, cast

MOST_BYTES = 1_000_000_000
MOST_JSON_VALUES = 2_000_000
MOST_JSON_DEPTH = 64
MOST_JSON_IN_FILE = 20_000_000
"""Values in a text that is built at once, and in a file of many such rows; each takes up to 100 bytes."""
# The closing quotes are optional, so that every match ends at the first try: a text without an end would be
# read anew from each of its quotes.
_TEXT = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?', re.S)


class UntrustedInputError(ValueError):
    """A file or a text that is not read, with the reason as a sentence's end: "is a pipe"."""


def read_file(path: str | Path, most: int = MOST_BYTES, follow: bool = False) -> bytes:
    """A file's bytes.

    Args:
        path: the file.
        most: bytes it may hold.
        follow: whether its last name may be a symbolic link: where a person gave the path, and never for a
            name inside a folder that may be a stranger's.

    Raises:
        Refused: it is a link, a folder, a pipe, a device or a socket, or is larger; "… is a pipe".
        OSError: it is not there, or may not be read.
    """
    handle = _open(str(path), follow)
    try:
        status = os.fstat(handle)
        _must_be_file(path, status.st_mode)
        if status.st_size > most:
            raise UntrustedInputError(
                f"{path} holds {status.st_size:,} bytes, and {most:,} are the most that is read"
            )
        with os.fdopen(handle, "rb", closefd=False) as file:
            data = file.read(status.st_size + 1)
            if len(data) > status.st_size:  # It grew, or is one of those that say 0, as in /proc.
                data += _rest(file, most + 1 - len(data))
    finally:
        os.close(handle)
    if len(data) > most:
        raise UntrustedInputError(f"{path} grew beyond {most:,} bytes while it was read")
    return data


def _rest(file: BinaryIO, most: int) -> bytes:
    """What is left of a file that says no size, `most` bytes at the most."""
    parts: list[bytes] = []
    while most > 0 and (part := file.read(min(most, 1 << 20))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def open_own(path: str | Path) -> FileIO:
    """A file that this program keeps, such as a lock or a journal, to read and to write: made where it is not
    there, never emptied. Somebody else may have put something in its place.

    Raises:
        Refused: it is a link, a folder, a pipe or a device, or has another name too, as a hard link.
        OSError: it cannot be made, or may not be written to.
    """
    handle = _open(str(path), False, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    try:
        status = os.fstat(handle)
        _must_be_file(path, status.st_mode)
        if status.st_nlink > 1:
            raise UntrustedInputError(
                f"{path} is a hard link: the file has another name, and may be somebody else's"
            )
    except UntrustedInputError:
        os.close(handle)
        raise
    return FileIO(handle, "r+b")


def check_file(path: str | Path, most: int = MOST_BYTES, follow: bool = False) -> None:
    """Refuse what `read_file` would refuse, for a library that opens the file by its name.

    Raises:
        Refused, OSError: as `read_file` does.
    """
    status = os.stat(path, follow_symlinks=follow)
    _must_be_file(path, status.st_mode)
    if status.st_size > most:
        raise UntrustedInputError(
            f"{path} holds {status.st_size:,} bytes, and {most:,} are the most that is read"
        )


def inside(folder: str | Path, place: str | Path) -> Path:
    """`place`, where neither `..` nor a link on the way leads out of `folder`, which may be a link itself.

    Raises:
        Refused: it lies elsewhere.
    """
    # Path.resolve raises RuntimeError where links lead round in a circle.
    root, found = os.path.realpath(folder), Path(place)
    if not Path(os.path.realpath(found)).is_relative_to(root):
        raise UntrustedInputError(f"{place} leads out of {folder}, by a link or by '..'")
    return found


def parse_json(
    data: bytes | str, most_values: int = MOST_JSON_VALUES, most_depth: int = MOST_JSON_DEPTH
) -> Any:
    """The value in a JSON text, whose brackets and commas are counted first: `[],[],…` takes 30 times its
    length in memory once it is built.

    Raises:
        Refused: it nests deeper or holds more values than that.
        ValueError: it is no JSON, or holds NaN, an infinity, or one key twice.
    """
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in raw[:4]:
        raise UntrustedInputError("is no JSON in UTF-8")
    check_json(raw, most_values, most_depth)
    try:
        return json.loads(
            raw, object_pairs_hook=unique_keys, parse_constant=_no_constant, parse_float=_finite_number
        )
    except RecursionError as error:
        raise UntrustedInputError("nests too deeply") from error


def has_half_characters(value: Any) -> bool:
    """Whether a text in what JSON held has half a surrogate pair: nothing that is UTF-8 can hold it."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


NO_JSON = "not JSON"


def json_value(text: str | bytes, most_values: int = MOST_JSON_VALUES) -> Any:
    """The value in a JSON text that a person wrote.

    Raises:
        ValueError: it is no JSON, nests too deeply, holds too much, or has a key twice in one object; says
            which, and the remedy.
    """
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    raw = text.encode("utf-8", "surrogatepass")
    count_json(raw, most_values)
    try:
        _must_be_flat(raw, MOST_JSON_DEPTH)
        return json.loads(text, object_pairs_hook=unique_keys)
    except (json.JSONDecodeError, UntrustedInputError) as error:
        raise ValueError(f"{NO_JSON} ({error})") from error


def _open(path: str, follow: bool, how: int = os.O_RDONLY) -> int:
    # Without O_NONBLOCK, opening a pipe waits until somebody writes into it.
    flags = how | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    try:
        return os.open(path, flags if follow else flags | getattr(os, "O_NOFOLLOW", 0), 0o666)
    except OSError:
        # A socket cannot be opened at all, and a link is told as a loop: by their kind, which is what helps.
        _must_be_file(path, os.stat(path, follow_symlinks=follow).st_mode)
        raise


_KINDS = (
    (stat.S_ISLNK, "a symbolic link"),
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISREG, ""),
)


def _must_be_file(path: str | Path, mode: int) -> None:
    kind = next((name for is_one, name in _KINDS if is_one(mode)), "a device")
    if kind:
        raise UntrustedInputError(f"{path} is {kind}, and a file is wanted there")


def count_json(raw: bytes, most_values: int, most_lists: int = 0) -> None:
    """Raises Refused where a JSON text, or several of them, hold more values, or more lists and objects.
    Texts are taken out where it matters: linear, and in C.
    """
    lists = raw.count(b"[") + raw.count(b"{")
    if lists <= (most_lists or most_values) and lists + raw.count(b",") <= most_values:
        return
    bare = _TEXT.sub(b"", raw)
    lists = bare.count(b"[") + bare.count(b"{")
    if most_lists and lists > most_lists:
        raise UntrustedInputError(f"holds more than {most_lists:,} lists and objects")
    if lists + bare.count(b",") > most_values:
        raise UntrustedInputError(f"holds more than {most_values:,} values")


def check_json(raw: bytes, most_values: int = MOST_JSON_VALUES, most_depth: int = MOST_JSON_DEPTH) -> None:
    """Raises Refused where a JSON text has more values or levels, before anything is built of it."""
    count_json(raw, most_values)
    _must_be_flat(raw, most_depth)


def _must_be_flat(raw: bytes, most_depth: int) -> None:
    if raw.count(b"[") + raw.count(b"{") <= most_depth:
        return
    bare = _TEXT.sub(b"", raw)
    depth = deepest = 0
    for bracket in re.finditer(rb"[\[\]{}]", bare):
        depth += 1 if bracket[0] in b"[{" else -1
        deepest = max(deepest, depth)
        if deepest > most_depth:
            raise UntrustedInputError(f"nests deeper than {most_depth} levels")


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of a JSON text, for `json.loads`. Raises ValueError for a key that is written twice: Python
    silently keeps the last one, and others the first.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))
        raise ValueError(f"{twice[:60]!r} is written twice. Remove or rename one.")
    return found


def _finite_number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:40]} is larger than any number that can be held")
    return number


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def json_object(data: bytes | str, most_values: int = MOST_JSON_VALUES) -> dict[str, Any]:
    """The object in a JSON text. Raises as `parse_json` does, and ValueError for any other value."""
    value = parse_json(data, most_values)
    if not isinstance(value, dict):
        raise ValueError("is no JSON object")
    return cast("dict[str, Any]", value)
