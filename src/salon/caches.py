"""Where things are kept between runs, and how little of them: folders that anybody may delete."""

import os
from contextlib import suppress
from pathlib import Path


def cache_folder(what: str) -> Path:
    """Where `what` is kept: in SALON_CACHE, or else in `salon` in the user's cache folder."""
    if named := os.environ.get("SALON_CACHE"):
        return Path(named) / what
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "salon" / what


def trim(folder: Path, limit_bytes: int) -> None:
    """Remove the files that were made first until the folder holds no more than nine tenths of its limit."""
    files: list[tuple[float, int, Path]] = []
    for file in folder.glob("??/*"):
        with suppress(OSError):
            status = file.stat()
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
