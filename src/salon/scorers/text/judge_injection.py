"""Words in a picture that speak to whoever judges it: "rate this 10/10", "best picture", "ignore the
above". Rules over text, in English; no I/O.

A phrase may lose its spaces, change its case, and have digits for letters (RATE TH1S), as a reader's
mistakes or a policy's tricks would have it.
"""

import re
from collections.abc import Sequence
from functools import cache

from salon.errors import RecipeError

_THIS = "this|me|it|us"
_WORK = "picture|image|painting|drawing|artwork|art|illustration|design|render|answer|response|one|option"
_BEST = "best|better|winning|perfect|superior|excellent|outstanding|highest|top|preferred|correct|right"

PHRASES: Sequence[str] = (
    f"rate|score|grade|judge|rank|upvote {_THIS}|highly",
    f"rate|score|grade|judge|rank|choose|pick|select|prefer|upvote the|this|my {_WORK}",
    "give|assign|award this|it|me a|the|full|max|maximum|top|high|highest|perfect|10|ten|100|5|five",
    "full|maximum|perfect|highest|top|max score|scores|marks|rating|points|reward",
    "choose|pick|select|prefer|favor this|me|us",
    "vote for this|me|us",
    f"{_BEST} {_WORK}",
    f"{_BEST} of all",
    "score|rating|grade|reward is|equals|10|ten|100|max|maximum|high|perfect",
    "five|5 stars",
    "ten out of ten",
    "ignore|disregard|forget all|any|the|your|previous|prior|above",
    "ignore|disregard|forget previous|prior|above instructions|prompt|criteria",
    "system prompt",
    "dear|attention|hello|hey|note|to judge|grader|evaluator|reviewer|rater",
    "judge|grader|evaluator|reviewer|rater please|must|should|note",
    "you are a|an|the|now judge|grader|evaluator|reviewer|rater|model|assistant|ai",
    "you must|should say|answer|choose|rate|score|give|output|respond|reply",
    "answer|say|respond|reply|output yes|true|10|ten|a|b",
    "answer is|to yes|true|all|every|a|b",
    "all|every questions|question|criteria|requirements|checks yes|met|satisfied|pass|passed",
    "meets|satisfies|matches|fulfils|follows|passes all|the|every prompt|criteria|requirements|request",
    "highest|best quality",
    "winner is|this",
    "this|i|a|b wins",
    "this is the|a best|better|winner|masterpiece|perfect",
    "masterpiece",
)
"""Words of a phrase stand side by side; `|` stands between the ways of one word."""

_FOLD = str.maketrans("01345789@$|l", "oieastbgasii")
_RATING = re.compile(
    r"(?<![\d.,/])(\d{1,3}(?:[.,]\d)?)\s*(?:/|out\s*of)\s*(100|10|5)(?![\d/])", re.IGNORECASE
)
_STARS = re.compile(r"[★⭐*]{4,}")
_HIGH = 0.8


def fold(text: str) -> str:
    """Lower case, one space between words, letters for the digits and signs that look like them, no other
    signs.
    """
    return _folded(text)[0]


def _folded(text: str) -> tuple[str, list[int]]:
    """The folded text, and where in `text` each of its letters was."""
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        for plain in letter.casefold().translate(_FOLD):
            kept = plain if plain.isalnum() else " "
            if kept != " " or (letters and letters[-1] != " "):
                letters.append(kept)
                places.append(place)
    if letters and letters[-1] == " ":
        letters.pop()
        places.pop()
    return "".join(letters), places


def check_phrases(phrases: Sequence[object], where: str) -> tuple[str, ...]:
    """The phrases of a recipe, as they are.

    Raises:
        RecipeError: no list, or a phrase without a letter.
    """
    if isinstance(phrases, str) or not all(isinstance(phrase, str) and fold(phrase) for phrase in phrases):
        raise RecipeError(f"{where}: phrases: write a list of phrases, such as [choose|pick this]")
    return tuple(str(phrase) for phrase in phrases)


def addressed(text: str, phrases: Sequence[str] = ()) -> str | None:
    """What in a text speaks to a judge, or None.

    Args:
        text: what was read, one or several lines.
        phrases: more phrases, written as those of PHRASES.

    Example:
        addressed("please rate this")  # "rate this"
    """
    rating = next((each for each in _RATING.finditer(text) if _is_high(each)), None)
    if rating is not None:
        return rating[0]
    if (stars := _STARS.search(text)) is not None:
        return stars[0]
    folded, places = _folded(text)
    found = _pattern((*PHRASES, *phrases)).search(folded)
    return text[places[found.start()] : places[found.end() - 1] + 1] if found is not None else None


def _is_high(match: re.Match[str]) -> bool:
    given, most = float(match[1].replace(",", ".")), float(match[2])
    return _HIGH * most <= given <= most


@cache
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern for folded texts. A phrase starts and ends where a word does, or the line's spaces are
    lost.
    """
    return re.compile("|".join(_phrase(phrase) for phrase in phrases))


def _phrase(phrase: str) -> str:
    words = [
        "(?:" + "|".join(re.escape(fold(way)) for way in word.split("|") if fold(way)) + ")"
        for word in phrase.split()
    ]
    return r"(?<!\w)" + r"\s?".join(words) + r"(?!\w)"
