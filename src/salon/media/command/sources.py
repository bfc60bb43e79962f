"""What `salon render` is given, files, folders, JSON lines and standard input, as things to render."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from salon.errors import RecipeError
from salon.files.untrusted import json_value
from salon.media.extract_source import ENTRY
from salon.validation import json_lines

SUFFIXES = (".js", ".mjs", ".svg", ".txt", ".md")
"""What is looked for in folders."""
SKIPPED = frozenset(("node_modules", "__pycache__"))
LARGEST = 20_000_000
"""Bytes of a file; what is larger is no sketch."""


@dataclass(frozen=True, slots=True)
class Source:
    """One thing to render. `id` names its picture; `origin` is where it stands, for people. The text is in
    `text`, or in the file `path`; a reply has its source somewhere inside. `fault` says why it cannot be
    read.
    """

    id: str
    origin: str
    seed: int
    text: str = ""
    path: Path | None = None
    is_reply: bool = True
    fault: str = ""

    def read(self) -> "Source":
        """With its text, or with a fault."""
        if self.path is None or self.fault:
            return self
        try:
            if self.path.stat().st_size > LARGEST:
                return replace(self, fault=f"it is larger than {LARGEST // 1_000_000} MB")
            text = self.path.read_text(encoding="utf-8")
            # A file of code is the source itself, whatever it looks like; one with a fence is a saved reply.
            is_code = self.path.suffix.lower() in (".js", ".mjs") and "```" not in text
            return replace(self, text=text, is_reply=self.is_reply and not is_code)
        except OSError as error:
            return replace(self, fault=f"{error.strerror}")
        except UnicodeDecodeError:
            return replace(self, fault="it is not UTF-8 text")

    def medium(self) -> str:
        """The built-in medium for it: by its file's ending, or else by what stands in it."""
        if self.path is not None and self.path.suffix.lower() in (".svg", ".js", ".mjs"):
            return "svg" if self.path.suffix.lower() == ".svg" else "p5.brush"
        is_svg = re.search(r"<svg\b", self.text, re.IGNORECASE) and not ENTRY.search(self.text)
        return "svg" if is_svg else "p5.brush"


def collect(given: Sequence[str], seed: int, stdin: TextIO) -> list[Source]:
    """Everything to render, in order, with ids that differ.

    Args:
        given: files, folders, .jsonl files, or "-" for `stdin`, which holds one source or reply, or JSON
            lines.
        seed: for those that bring none.

    Raises:
        RecipeError: something that was named is not there, or holds nothing to render.
    """
    found = [source for name in given for source in _from(name, seed, stdin)]
    return _with_names(found)


def _from(name: str, seed: int, stdin: TextIO) -> Iterable[Source]:
    if name == "-":
        text = stdin.read()
        if text.lstrip().startswith('{"'):
            return _json_lines(text, "stdin", seed)
        return [Source("stdin", "stdin", seed, text)]
    path = Path(name)
    if os.path.isdir(path):
        return _folder(path, seed)
    if not os.path.exists(path):
        raise RecipeError(f"{name} cannot be read: there is no such file; name a file, a folder or -")
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        read = Source(name, name, seed, path=path).read() if path.stat().st_size <= LARGEST else None
        text = read.text if read else path.read_text(encoding="utf-8", errors="replace")
        if read and read.fault:
            raise RecipeError(f"{name} cannot be read: {read.fault}")
        return _json_lines(text, name, seed)
    return [Source(path.stem, name, seed, path=path)]


def _folder(folder: Path, seed: int) -> list[Source]:
    found: list[Source] = []
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        hidden = any(part.startswith(".") or part in SKIPPED for part in inside.parts)
        if path.suffix.lower() in SUFFIXES and not hidden and os.path.isfile(path):
            found.append(Source(inside.with_suffix("").as_posix(), str(path), seed, path=path))
    if not found:
        raise RecipeError(f"{folder} holds nothing to render: no {', '.join(SUFFIXES)}")
    return found


def _json_lines(text: str, name: str, seed: int) -> list[Source]:
    found = [
        _json_line(line, f"{name}:{number}", f"{Path(name).stem}-{number}", seed)
        for number, line in json_lines(text, name)
    ]
    if not found:
        raise RecipeError(f"{name} holds nothing to render: no lines")
    return found


def _json_line(line: str, origin: str, name: str, seed: int) -> Source:
    """A line with `source` or `reply`, perhaps `id` and `seed`; other keys are nothing to us."""
    try:
        row: Any = json_value(line)
    except ValueError as error:
        return Source(name, origin, seed, fault=f"it cannot be read: {error}")
    if not isinstance(row, Mapping):
        return Source(name, origin, seed, fault='it is not an object such as {"id": …, "source": …}')
    if isinstance(row.get("id"), str | int):
        name = str(row["id"])
    for key in ("source", "reply"):
        if isinstance(row.get(key), str):
            own = row.get("seed", seed)
            if not isinstance(own, int) or isinstance(own, bool):
                return Source(name, origin, seed, fault=f"its seed {own!r} is not a whole number")
            return Source(name, origin, own, row[key], is_reply=key == "reply")
    return Source(name, origin, seed, fault='it has neither "source" nor "reply", a text')


def _with_names(sources: Sequence[Source]) -> list[Source]:
    """Ids that are safe as file names and differ, also where a file system does not tell A from a."""
    taken: set[str] = set()
    named: list[Source] = []
    for source in sources:
        plain = _path(source.id)
        name = next(free for free in _numbered(plain) if free.casefold() not in taken)
        taken.add(name.casefold())
        named.append(replace(source, id=name))
    return named


def _path(name: str) -> str:
    """The id as a relative path; a folder is never called as a picture of another id could be."""
    parts = [_plain(part) for part in name.split("/") if part.strip(".")]
    folders = [re.sub(r"\.png$", "_png", part, flags=re.IGNORECASE) for part in parts[:-1]]
    return _cut("/".join([*folders, *parts[-1:]]), 200).rstrip("/") or "unnamed"


def _plain(part: str) -> str:
    return _cut(re.sub(r"[^\w.-]+", "_", part).lstrip(".-"), 100) or "_"


def _cut(text: str, most: int) -> str:
    """At most so many bytes: that is what file systems count."""
    return text.encode("utf-8")[:most].decode("utf-8", "ignore")


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1
