"""What a recipe names and does not hold: files, folders and variables, by what is in them now.

A recipe says where a checklist or a pool lies, and that a judge is at `${SALON_JUDGE_URL}`. Its digest does
not change with them, and an answer that was kept for one of them is none of the other's.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from typing import Any, cast

from salon.rewards.recipe import RewardRecipe
from salon.secrets import VARIABLE, sounds_secret

MOST_FILES = 50_000
"""Files of a folder that are looked at; of a larger one, the first by their names."""
MOST_READ = 64_000_000
"""Bytes of a file that are read: a larger one, such as a model's weights, is known by its size and date."""


def contents_of(recipe: RewardRecipe) -> dict[str, str]:
    """Every path and variable that the arguments of a recipe's parts name, with the digest of what it is now;
    keys, which decide nothing but who pays, are left out.
    """
    specs = (*recipe.terms.values(), *recipe.judges.values(), *recipe.classifiers.values())
    texts = {text for spec in specs for text in _texts(spec.args)}
    names = {name for text in texts for name, _ in VARIABLE.findall(text)}
    variables = {f"${name}": _hashed(os.environ.get(name, "")) for name in names if not sounds_secret(name)}
    return dict(sorted((variables | files_named(*texts)).items()))


def files_named(*texts: str) -> dict[str, str]:
    """Those of some texts that are the path of a file or a folder, each with its digest."""
    return {text: found for text in texts if (found := _digest_at(text))}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in cast("Mapping[str, Any]", value).values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in cast("list[Any]", value):
            yield from _texts(item)


def _digest_at(path: str) -> str:
    if "\0" in path or not path.strip():
        return ""
    try:
        if os.path.isfile(path):
            return _digest(path)
        if os.path.isdir(path):
            return _hashed("\n".join(f"{name} {_digest(name)}" for name in _files_in(path)))
    except (OSError, ValueError):
        return ""
    return ""


def _files_in(folder: str) -> list[str]:
    found: list[str] = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        paths = (os.path.join(place, name) for name in sorted(names))
        found += [path for path in paths if os.path.isfile(path)]
        if len(found) >= MOST_FILES:
            break
    return found[:MOST_FILES]


def _digest(path: str) -> str:
    status = os.stat(path)
    if status.st_size > MOST_READ:
        return _hashed(f"{status.st_size} {status.st_mtime_ns}")
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
