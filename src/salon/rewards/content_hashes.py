"""What a recipe names and does not hold: files, folders and variables, by what is in them now.

A recipe says where a checklist or a pool lies, and that a judge is at `${SALON_JUDGE_URL}`. Its digest does
not change with them, and an answer that was kept for one of them is none of the other's.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from typing import Any, cast

from salon.errors import StoreError
from salon.secrets.known import VARIABLE, sounds_secret

from .recipe import RewardRecipe

MOST_FILES = 50_000
"""Files of a folder that are looked at; of a larger one, the first by their names."""
MOST_READ = 64_000_000
"""Bytes of a file that are read whole: of a larger one, such as a model's weights, both ends and the size."""
_END = 1_000_000
WRITTEN = frozenset(["cache"])
"""Arguments that name a folder which the part itself writes into: it decides nothing."""


def contents_of(recipe: RewardRecipe) -> dict[str, str]:
    """Every path and variable that the arguments of a recipe's parts name, with the digest of what it is now;
    keys, which decide nothing but who pays, are left out.
    """
    names = {name for text in _texts_of(recipe) for name, _ in VARIABLE.findall(text)}
    variables = {f"${name}": _hashed(os.environ.get(name, "")) for name in names if not sounds_secret(name)}
    return variables | files_of(recipe)


def files_of(recipe: RewardRecipe) -> dict[str, str]:
    """Of these, the files and folders alone: a run may go on with its judge at another address."""
    return files_named(*sorted(_texts_of(recipe)))


def check_files(recipe: RewardRecipe, before: Any, where: str) -> None:
    """See that a reward's checklists, pools and pictures are those that a run was begun with.

    Args:
        before: what `files_of` gave then; anything else where a run is older than that.

    Raises:
        StoreError: some are others now, or gone; names them.
    """
    now = files_of(recipe)
    if isinstance(before, Mapping):
        known = cast("Mapping[str, Any]", before)
        if changed := [path for path, digest in known.items() if now.get(path) != digest]:
            raise StoreError(
                f"{where} was begun with other contents of {', '.join(changed)}: put them back, or choose"
                " another folder (--set out=…)"
            )


def files_named(*texts: str) -> dict[str, str]:
    """Those of some texts that are the path of a file or a folder, each with its digest."""
    return {text: found for text in texts if (found := _digest_at(text))}


def _texts_of(recipe: RewardRecipe) -> set[str]:
    specs = (*recipe.terms.values(), *recipe.judges.values(), *recipe.classifiers.values())
    return {text for spec in specs for text in _texts(spec.args)}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in cast("Mapping[str, Any]", value).items():
            if key not in WRITTEN:
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
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size <= MOST_READ:
            return hashlib.file_digest(file, "sha256").hexdigest()
        ends = file.read(_END)
        file.seek(size - _END)
        return hashlib.sha256(b"%d " % size + ends + file.read(_END)).hexdigest()


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
