"""The recipes that ship, for people: a list, and copies to change."""

import os
import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

from salon import validation
from salon.errors import RecipeError
from salon.files.outputs import write_atomic
from salon.files.shipped_recipes import SUFFIX, find_recipe, recipes_folder, shipped_recipes
from salon.markup import printable


def listed() -> list[tuple[str, str, str]]:
    """Each recipe's name, of what kind it is, and what its first comment says."""
    return [
        (name, validation.kind_of(validation.read_yaml(file)), _first_comment(file))
        for name, file in shipped_recipes().items()
    ]


def _first_comment(file: Path) -> str:
    """The first sentence of the comment at the top."""
    lines = takewhile(lambda line: line.startswith("#"), file.read_text(encoding="utf-8").splitlines())
    said = " ".join(line.lstrip("# ") for line in lines)
    return printable(re.split(r"(?<=[.?])\s", said)[0], 100)


def copy(name: str, to: str = ".") -> list[Path]:
    """Copy a recipe that ships, with those that it names, so that the copy works where it lies.

    Args:
        to: a folder, in which they keep their names; or the file that the recipe becomes.

    Returns:
        The files that were written; those that were there already, alike, are left.

    Raises:
        RecipeError: no such recipe ships, or a file is there already.
    """
    file, root = find_recipe(name), recipes_folder()
    if root is None or not file.is_relative_to(root):
        raise RecipeError(f"{name}: does not ship with salon. See `salon recipe list`.")
    renamed = Path(to) if to.endswith((SUFFIX, ".yml")) else None
    start, home = (file.parent, renamed.parent) if renamed else (root, Path(to))
    places = {each: home / os.path.relpath(each, start) for each in _with_named(file)}
    if renamed:
        places[file] = renamed
        if any(os.path.relpath(each, start).startswith(os.pardir) for each in places):
            raise RecipeError(f"{to}: {name} names recipes in other folders. Give a folder.")
    wanted = {place: each.read_bytes() for each, place in places.items() if not _is_alike(each, place)}
    for place, data in wanted.items():
        write_atomic(place, data)
    return list(wanted)


def _is_alike(file: Path, place: Path) -> bool:
    """Whether it is there already. Raises RecipeError where another file is."""
    if not os.path.lexists(place):
        return False
    if os.path.isfile(place) and validation.read_bytes(place) == file.read_bytes():
        return True
    raise RecipeError(f"{place}: is there already, and another one. Remove it, or name another place.")


def _with_named(file: Path) -> list[Path]:
    """A recipe's file, and those that it names, and so on."""
    found = [file]
    for each in found:
        for text in _texts(validation.read_yaml(each)):
            named = (each.parent / text).resolve() if text.endswith(SUFFIX) else None
            if named and os.path.isfile(named) and named not in found:
                found.append(named)
    return found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
