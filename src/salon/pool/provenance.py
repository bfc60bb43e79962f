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
    """The same for a recipe: whether it draws references from the pool, or asks a judge of it that ships,
    anywhere in it.
    """
    return RATED if _names_it(recipe) else ""


def provenance_of_run(manifest: Mapping[str, Any], more: Iterable[str] = ()) -> str:
    """The same for a run, by its manifest.

    Args:
        more: identities of judges that are named elsewhere, as those of evaluations are.
    """
    judges = manifest.get("judges")
    named = cast("dict[str, Any]", judges).values() if isinstance(judges, dict) else []
    return provenance([*map(str, named), *more]) or provenance_of(manifest.get("recipe"))


def _names_it(value: object) -> bool:
    if isinstance(value, Mapping):
        entries = cast("Mapping[Any, Any]", value)
        its_judge = entries.get("name_or_path", "taste") in ("taste", "heldout")
        its_judge = its_judge and entries.get("kind") == "taste"
        return its_judge or entries.get("pool") == "flowers" or any(map(_names_it, entries.values()))
    return isinstance(value, list) and any(map(_names_it, cast("list[Any]", value)))
