"""Is there text in a picture that nobody asked for, or text that speaks to the judge? For the role `veto`:
1 is a violation.
"""

import re
from collections.abc import Sequence

from salon.errors import RecipeError
from salon.registry import did_you_mean
from salon.scorers.asking import score_each_picture
from salon.types import Group, Picture, Prompt, Score

from .judge_injection import addressed, check_phrases
from .ocr import ORDERS, Line, Reading, in_order, reader_of
from .text_in_picture import declared, told, wanted_of
from .wanted_text import Normal, nearest_part

FLAWS = ("unwanted", "addressed")
MENTIONS = (
    *("text", "word", "words", "letter", "letters", "lettering", "typography", "calligraphy", "handwriting"),
    *(
        "caption",
        "title",
        "titled",
        "headline",
        "slogan",
        "inscription",
        "quote",
        "label",
        "labelled",
        "labeled",
    ),
    *(
        "says",
        "saying",
        "reads",
        "reading",
        "spells",
        "written",
        "writing",
        "logo",
        "poster",
        "sign",
        "signpost",
    ),
    *("billboard", "banner", "newspaper", "book cover", "album cover", "menu", "postcard", "greeting card"),
    *("clock", "calendar", "keyboard", "signature", "signed", "watermark", "graffiti"),
)
"""A prompt with one of these words asks for text without saying which, unless it rules it out."""

_NONE = re.compile(
    r"\b(?:no|without|free of|not any)\s+(?:(?:any|visible|written|a)\s+)*"
    r"(?:text|words?|letters?|lettering|typography|writing|captions?|titles?|labels?|logos?|watermarks?|signatures?)\b"
    r"|\b(?:text|word|watermark)[- ](?:free|less)\b|\btextless\b|\bwordless\b",
    re.IGNORECASE,
)


class UnwantedText:
    """1 when one of the flaws is there, else 0.

    unwanted: at least `letters` letters and digits can be read, and the prompt asks for no text: it names
        none
    (see `text_in_picture`), has no tag `text`, and does not speak of a poster, a sign, a title …, or says "no
    text". Where a prompt names its text, other text is let pass, unless `extra` is true.
    addressed: what can be read speaks to whoever judges ("rate this 10/10", "best picture"), whether text is
    wanted or not, unless it is the wanted text itself. The rules are English (see
    salon.scorers.text.judge_injection).

    Args:
        flaws: which ones to look for: unwanted, addressed.
        letters: from how many letters and digits on text counts.
        confidence: what the reader is less sure of is not read.
        extra: text besides the named one is unwanted too.
        mentions: the words by which a prompt asks for text, instead of the built-in ones.
        phrases: more phrases that speak to a judge, such as "choose|pick this".
        text, meta, capitals: what text the prompt names, as in `text_in_picture`.
        gate: for the role `gate`: 1 for a clean picture, 0 for a violation.
        reader, threads, side: as in `text_in_picture`.

    Raises:
        RecipeError: a setting is wrong. SetupError: the extra `ocr` is not installed.
    """

    version = "1"

    def __init__(
        self,
        flaws: Sequence[str] = FLAWS,
        letters: int = 3,
        confidence: float = 0.5,
        extra: bool = False,
        mentions: Sequence[str] = MENTIONS,
        phrases: Sequence[str] = (),
        text: str | Sequence[str] = (),
        meta: str = "wanted_text",
        capitals: bool = True,
        gate: bool = False,
        reader: str = "rapidocr",
        threads: int = 0,
        side: int = 736,
    ) -> None:
        if isinstance(flaws, str) or not flaws:
            raise RecipeError("unwanted_text: flaws: name at least one, as a list")
        for flaw in flaws:
            if flaw not in FLAWS:
                raise RecipeError(f"unwanted_text: flaws: there is no {flaw!r}.{did_you_mean(flaw, FLAWS)}")
        if letters < 1:
            raise RecipeError(f"unwanted_text: letters: 1 or more, not {letters}")
        if isinstance(mentions, str):
            raise RecipeError("unwanted_text: mentions: write a list of words")
        self._flaws, self._letters, self._counts_extra, self._gate = tuple(flaws), letters, extra, gate
        self._mentions = _words(mentions)
        self._phrases = check_phrases(phrases, "unwanted_text")
        self._declared = declared(text, "unwanted_text")
        self._meta, self._capitals = meta, capitals
        self._reading = Reading(reader_of(reader, threads, side), confidence)

    @property
    def identity(self) -> str:
        """Who reads, for the manifest."""
        return self._reading.identity

    def score(self, group: Group) -> list[Score]:
        """0 or 1 per sample."""
        wanted = [Normal()(each) for each in self._wanted(group.prompt)]
        wanted = [each for each in wanted if each]
        may_have = asks_for_text(group.prompt, self._mentions)
        return score_each_picture(group, lambda picture: self._look(picture, wanted, may_have))

    def _wanted(self, prompt: Prompt) -> Sequence[str]:
        return wanted_of(prompt, self._declared, self._meta, self._capitals)

    def _look(self, picture: Picture, wanted: Sequence[str], may_have: bool) -> Score:
        lines = self._reading.lines(picture)
        others = [line for line in lines if not _belongs(line, wanted)]
        letters = sum(letter.isalnum() for line in others for letter in line.text)
        counts = not may_have if not wanted else self._counts_extra
        speaks = self._speaks(others)
        found = {"unwanted": counts and letters >= self._letters, "addressed": speaks is not None}
        seen = [flaw for flaw in self._flaws if found[flaw]]
        reason = told(others) if seen else "clean"
        if speaks is not None and "addressed" in seen:
            reason = f"speaks to the judge ({speaks[:40]}); {reason}"
        details = {flaw: float(there) for flaw, there in found.items()} | {
            "letters": float(letters),
            "confidence": max((line.confidence for line in others), default=0.0),
        }
        return Score(float(bool(seen) is not self._gate), reason=reason, details=details)

    def _speaks(self, lines: Sequence[Line]) -> str | None:
        """A phrase may run over several lines, in a row or in a column."""
        texts = (" ".join(line.text for line in in_order(lines, order)) for order in ORDERS)
        return next((found for text in texts if (found := addressed(text, self._phrases))), None)


def asks_for_text(prompt: Prompt, mentions: re.Pattern[str]) -> bool:
    """Whether a prompt asks for text without saying which: by its tag `text`, or by a word, unless it also
    says "no text".
    """
    if "text" in prompt.tags:
        return True
    return _NONE.search(prompt.text) is None and mentions.search(prompt.text) is not None


def _words(mentions: Sequence[str]) -> re.Pattern[str]:
    ways = "|".join(re.escape(word) for word in sorted(mentions, key=len, reverse=True) if word)
    return re.compile(rf"\b(?:{ways})s?\b" if ways else r"(?!)", re.IGNORECASE)


def _belongs(line: Line, wanted: Sequence[str]) -> bool:
    """Whether a line is a part of a wanted text, or has it and little else; one letter in four may be
    misread.
    """
    read = Normal()(line.text)
    for text in wanted:
        small, large = sorted((read, text), key=len)
        edits, _, _ = nearest_part(small, large)
        if edits <= len(small) // 4 and len(read) <= 1.25 * len(text) + 1:
            return True
    return False
