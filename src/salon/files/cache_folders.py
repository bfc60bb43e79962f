"""Where things are kept between runs, and how little of them: folders that anybody may delete."""

import os
import re
from contextlib import suppress
from pathlib import Path

_ENTRY = re.compile(r"[0-9a-f]{64}")
"""The name of an entry: the SHA-256 of what it answers. It lies in a folder named by its first two digits."""


def cache_folder(what: str) -> Path:
    """Where `what` is kept: in SALON_CACHE, or else in `salon` in the user's cache folder."""
    if named := os.environ.get("SALON_CACHE"):
        return Path(named) / what
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "salon" / what


def trim(folder: Path, limit_bytes: int) -> None:
    """Remove the entries that were made first until they hold no more than nine tenths of their limit.

    A recipe may name any folder as its cache: what is not named as an entry is somebody else's, and stays.
    """
    files: list[tuple[float, int, Path]] = []
    for file in folder.glob("??/*"):
        if not _ENTRY.fullmatch(file.name) or file.name[:2] != file.parent.name or file.parent.is_symlink():
            continue
        with suppress(OSError):
            status = file.lstat()
            files.append((status.st_mtime, status.st_size, file))
    held = sum(size for _, size, _ in files)
    if held <= limit_bytes:
        return
    for _, size, file in sorted(files):
        with suppress(OSError):
            file.unlink()
        held -= size
        if held <= 0.9 * limit_bytes:
            return
