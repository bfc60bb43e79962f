"""Whose ratings a pool's are, where it ships with salon: said wherever its pictures or a judge that learned
from them decide something.
"""

from collections.abc import Iterable, Mapping
from typing import Any, cast

RATED = (
    "The ratings of the pool flowers are those of one vision–language model, not blind, on sketches of the"
    " project's own; its held-out split was drawn twice. They say nothing about what people like."
)
_JUDGES = ("flowers@", "flowers-heldout@")
"""How the identities of judges and of the pool begin."""


def provenance(identities: Iterable[str]) -> str:
    """What is to be said of numbers that these judges and pools gave, by their identities; empty where none
    is of the pool that ships.
    """
    return RATED if any(_JUDGES[0] in each or _JUDGES[1] in each for each in identities) else ""


def provenance_of(recipe: object) -> str:
    """The same for a recipe: whether it draws references from the pool, anywhere in it."""
    return RATED if any(key == "pool" and value == "flowers" for key, value in _leaves(recipe)) else ""


def _leaves(value: object, key: str = "") -> Iterable[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, item in cast(Mapping[Any, Any], value).items():
            yield from _leaves(item, str(name))
    elif isinstance(value, list):
        for item in cast(list[Any], value):
            yield from _leaves(item, key)
    else:
        yield key, value
