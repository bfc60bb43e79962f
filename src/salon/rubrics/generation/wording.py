"""Is a criterion one that can be checked on a single picture? Found by its words, before any judge is
asked.
"""

import re
from collections.abc import Sequence

_THINGS = r"(?:picture|image|painting|sketch|drawing|candidate|option|response|output|version)"
_RIVALS = (
    re.compile(rf"\b(?i:{_THINGS})\s+(?:A|B)\b"),
    re.compile(
        rf"\b(?:first|second|left|right|other|preferred|rejected|winning|losing|chosen)\s+{_THINGS}\b", re.I
    ),
    re.compile(
        r"\b(?:better|worse|more|less|fewer|\w+er)\b[^.;:]{0,40}\bthan\s+(?:the|its|that|those|any|an)\b[^.;:]{0,20}"
        rf"\b(?:other|rival|opponent|alternative|{_THINGS})\b",
        re.I,
    ),
    re.compile(
        r"\b(?:compared\s+(?:to|with)|in\s+comparison|both\s+(?:pictures|images|candidates)|either\s+(?:picture|image))\b",
        re.I,
    ),
    re.compile(r"\bthe\s+(?:winner|loser|rival)\b", re.I),
)


def comparative(criterion: str) -> str:
    """The words in a criterion that speak of a rival picture; "" where there are none.

    Example: comparative("sharper edges than the other image") is "sharper edges than the other image"; and
    "the flower is larger than its leaves" is free of any.
    """
    found = (match[0] for pattern in _RIVALS if (match := pattern.search(criterion)))
    return next(found, "")


def complaints(criteria: Sequence[str]) -> list[str]:
    """What to tell the author: one line per criterion that compares."""
    return [
        f"criterion {number} compares pictures ({words!r}): say what to see on one picture alone"
        for number, criterion in enumerate(criteria, 1)
        if (words := comparative(criterion))
    ]
