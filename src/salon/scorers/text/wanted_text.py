"""What words a prompt asks for in the picture, and how near to them is what was read there. Pure: no picture,
no model.

    'a poster that says "OPEN LATE"'  →  ("OPEN LATE",)
    "OPEN LATF" against "OPEN LATE"   →  1 edit of 8 letters (spaces do not count): .875

Source of the measure: the OCR reward of Flow-GRPO (arXiv 2505.05470), 1 − edits / letters of the wanted text.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Case = Literal["ignore", "keep"]
Whitespace = Literal["ignore", "collapse"]
Punctuation = Literal["keep", "ignore"]
Extra = Literal["ignored", "counts", "flow_grpo"]

MOST_LETTERS = 4000
"""Of what was read, more letters are not compared: the time grows with wanted × read."""

_QUOTED = re.compile(
    r'(?<!\w)"([^"\n]*)"'
    # No opening mark in between: of many, each would be read to the end of the line.
    r"|“([^“”\n]+)”|„([^„“”\n]+)[“”]|«([^«»\n]+)»|»([^«»\n]+)«|‹([^‹›\n]+)›|「([^「」\n]+)」|『([^『』\n]+)』"
    r"|‘((?:[^‘’\n]|(?<=\w)’(?=\w))+)’(?!\w)|(?<!\w)'((?:[^'\n]|(?<=\w)'(?=\w))+)'(?!\w)"
)
_CUE = re.compile(
    r"\b(?:says?|saying|said|reads?|reading|spells?|spelling|labell?ed|titled|captioned|written"
    r"|(?:words?|text|title|caption|letters|letterings?|inscription|slogan|headline|message))\b[:,]?\s+",
    re.IGNORECASE,
)
_CAPITAL = r"[A-Z0-9&$€£#][A-Z0-9&'’!?:/%$€£\-]*(?:\.[A-Z0-9]+)*"
_CAPITALS = re.compile(rf"{_CAPITAL}(?: +{_CAPITAL})*(?![a-z])")
_ALIKE = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "`": "'",
        "´": "'",
        "“": '"',
        "”": '"',
        "„": '"',
        "–": "-",
        "—": "-",
        "‑": "-",
        "−": "-",
    }
)


def wanted_in(text: str, capitals: bool = True) -> tuple[str, ...]:
    """The texts that a prompt puts in quotation marks, in order; without any, those that stand in capitals
    after a word such as "says" (unless `capitals` is false).

    Apostrophes and inches are no quotation marks; a comma before the closing mark is the sentence's.

    Example:
        wanted_in("a sign that says OPEN LATE, at night")  # ("OPEN LATE",)
    """
    quoted = ["".join(part for part in match.groups() if part) for match in _QUOTED.finditer(text)]
    found = [part.strip().rstrip(",").strip() for part in quoted]
    if not any(_letters(part) for part in found) and capitals:
        found, end = [], 0
        for match in _CUE.finditer(text):
            if match.end() >= end:
                found.append(_capitals_at(text, match.end()))
                end = match.end() + len(found[-1])
    return tuple(part for part in found if _letters(part))


def _capitals_at(text: str, start: int) -> str:
    match = _CAPITALS.match(text, start)
    words = match[0].rstrip(" :-") if match else ""
    return words if sum(letter.isalpha() for letter in words) >= 2 else ""


def _letters(text: str) -> int:
    return sum(letter.isalnum() for letter in text)


@dataclass(frozen=True, slots=True)
class Normal:
    """What makes no difference between two texts. Typographic quotes, dashes and wide letters never do."""

    case: Case = "ignore"
    whitespace: Whitespace = "ignore"
    punctuation: Punctuation = "keep"

    def __call__(self, text: str) -> str:
        """The text with all that removed. Doing it twice is doing it once."""
        plain = unicodedata.normalize("NFKC", text).translate(_ALIKE)
        if self.case == "ignore":
            plain = unicodedata.normalize("NFKC", plain.casefold())
        if self.punctuation == "ignore":
            plain = "".join(
                letter for letter in plain if not unicodedata.category(letter).startswith(("P", "S"))
            )
        # Without the space before it, an accent joins its letter.
        return unicodedata.normalize("NFC", ("" if self.whitespace == "ignore" else " ").join(plain.split()))


@dataclass(frozen=True, slots=True)
class Match:
    """How wanted texts were found: edits that they lack, their letters, and letters read besides them."""

    edits: int
    letters: int
    extra: int

    @property
    def value(self) -> float:
        """1 − edits / letters, 0 … 1."""
        return 1.0 - self.edits / self.letters


def edit_distance(left: str, right: str) -> int:
    """Insertions, removals and changes of one letter that turn one text into the other (Levenshtein)."""
    row = list(range(len(right) + 1))
    for place, letter in enumerate(left, start=1):
        before, row[0] = row[0], place
        for at, other in enumerate(right, start=1):
            before, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, before + (letter != other))
    return row[-1]


def nearest_part(wanted: str, read: str) -> tuple[int, int, int]:
    """The part of `read` that is nearest to `wanted`: its edits, where it starts, where it ends.

    The longest of the nearest, and of these the first.
    Source: P. H. Sellers, The theory and computation of evolutionary distances, 1980.
    """
    row = [(0, start) for start in range(len(read) + 1)]
    for place, letter in enumerate(wanted, start=1):
        before, row[0] = row[0], (place, 0)
        for at, other in enumerate(read, start=1):
            changed = (before[0] + (letter != other), before[1])
            dropped, added = (row[at][0] + 1, row[at][1]), (row[at - 1][0] + 1, row[at - 1][1])
            before, row[at] = row[at], min(changed, dropped, added)
    edits, _, start, end = min((edits, start - end, start, end) for end, (edits, start) in enumerate(row))
    return edits, start, end


def matched(wanted: Sequence[str], read: str, extra: Extra = "ignored") -> Match:
    """Look for normalised texts in what was read, the longest first; what is found serves one text only.

    Args:
        wanted: at least one, none empty.
        read: one text, in reading order.
        extra: what letters beside them cost. `ignored`: nothing. `counts`: one edit each, as in the
            distance between all that is wanted and all that was read. `flow_grpo`: as `counts`, but
            nothing where all that is wanted stands there as it is.

    Returns:
        edits, at most as many as there are letters.
    """
    rest, edits, letters = read[:MOST_LETTERS], 0, sum(len(text) for text in wanted)
    for text in sorted(wanted, key=len, reverse=True):
        found, start, end = nearest_part(text, rest)
        edits += min(found, len(text))
        if found < len(text):
            rest = f"{rest[:start]}\0{rest[end:]}"
    beside = sum(letter not in "\0 " for letter in rest)
    if extra == "counts" or (extra == "flow_grpo" and edits):
        whole = edit_distance(wanted[0], read[:MOST_LETTERS]) if len(wanted) == 1 else edits + beside
        edits = min(letters, whole)
    return Match(edits=edits, letters=letters, extra=beside)
