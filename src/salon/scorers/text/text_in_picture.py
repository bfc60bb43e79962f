"""Do the words that the prompt asks for stand in the picture? The OCR reward of text-to-image training."""

from collections.abc import Sequence
from statistics import fmean
from typing import Literal, cast, get_args

from salon.errors import RecipeError
from salon.registry import did_you_mean
from salon.scorers.asking import not_applicable, score_each_picture
from salon.types import Group, Picture, Prompt, Score

from .ocr import ORDERS, Line, Order, Reading, in_order, reader_of
from .wanted_text import Case, Extra, Match, Normal, Punctuation, Whitespace, matched, wanted_in

Value = Literal["edits", "exact"]

TOLD = 120


class TextInPicture:
    """1 − edits / letters of the wanted text, 0 … 1: what Flow-GRPO trains text rendering on.

    The wanted texts are the declared ones, else those in the prompt's meta, else those that its text puts
    into quotation marks, or in capitals after "says" (see salon.scorers.text.wanted_text). Several are looked
    for one by one, and weigh by their letters. A prompt that wants no text is not applicable: no score,
    and not 0. A picture in which nothing is read is a real 0; a reader that crashes is the system's
    failure, `ocr_failed`.

    Args:
        text: the wanted text, or several, for every prompt.
        meta: the key of a prompt's meta with its wanted texts, one a line; an empty one wants none.
        capitals: whether words in capitals after "says", "reads" … are wanted where nothing is quoted.
        case: ignore, keep.
        whitespace: ignore (as Flow-GRPO), collapse.
        punctuation: keep, ignore.
        extra: what letters beside the wanted ones cost: ignored, counts, flow_grpo (see `matched`).
        value: edits, or exact: 1 only where every letter is there.
        confidence: what the reader is less sure of is not read.
        height: lines lower than this share of the picture's height do not count, so that a word in letters
            too small to see earns nothing. A line is found 1.1 to 1.9 times as high as its font's size.
        reader: rapidocr, or your own as module:attribute (see salon.scorers.text.ocr).
        threads: of the processor, for one picture; 0 is all.
        side: the longest side, in pixels, of the picture in which text is looked for; smaller is faster.

    Raises:
        RecipeError: a setting that does not exist. SetupError: the extra `ocr` is not installed.

    Example: "OPEN LATF" for the prompt 'a poster that says "OPEN LATE"' is 1 − 1/8 = .875.
    """

    version = "2"

    def __init__(
        self,
        text: str | Sequence[str] = (),
        meta: str = "wanted_text",
        capitals: bool = True,
        case: Case = "ignore",
        whitespace: Whitespace = "ignore",
        punctuation: Punctuation = "keep",
        extra: Extra = "ignored",
        value: Value = "edits",
        confidence: float = 0.5,
        height: float = 0.0,
        reader: str = "rapidocr",
        threads: int = 0,
        side: int = 736,
    ) -> None:
        _known("case", case, Case)
        _known("whitespace", whitespace, Whitespace)
        _known("punctuation", punctuation, Punctuation)
        _known("extra", extra, Extra)
        _known("value", value, Value)
        if not 0.0 <= height < 1.0:
            raise RecipeError(f"text_in_picture: height: a share of the picture, from 0 to 1, not {height}")
        self._height = height
        self._declared = declared(text, "text_in_picture")
        self._meta, self._capitals = meta, capitals
        self._normal = Normal(case, whitespace, punctuation)
        self._extra: Extra = extra
        self._value: Value = value
        self._reading = Reading(reader_of(reader, threads, side), confidence)

    @property
    def identity(self) -> str:
        """Who reads, for the manifest."""
        return self._reading.identity

    def score(self, group: Group) -> list[Score]:
        """One score per sample; not applicable where the prompt wants no text."""
        wanted = [self._normal(text) for text in self._wanted(group.prompt)]
        wanted = [text for text in wanted if text]
        if not wanted:
            return not_applicable(group, "the prompt wants no text")
        return score_each_picture(group, lambda picture: self._look(picture, wanted))

    def _wanted(self, prompt: Prompt) -> Sequence[str]:
        return wanted_of(prompt, self._declared, self._meta, self._capitals)

    def _look(self, picture: Picture, wanted: Sequence[str]) -> Score:
        least = self._height * picture.height
        lines = [line for line in self._reading.lines(picture) if line.height >= least]
        match = min((self._match(lines, wanted, order) for order in ORDERS), key=_edits)
        exact = match.edits == 0
        value = float(exact) if self._value == "exact" else match.value
        sure = fmean(line.confidence for line in lines) if lines else 0.0
        details = {
            "edits": float(match.edits),
            "letters": float(match.letters),
            "extra": float(match.extra),
            "confidence": sure,
        }
        return Score(value, reason=told(lines), details=details)

    def _match(self, lines: Sequence[Line], wanted: Sequence[str], order: Order) -> Match:
        read = self._normal(" ".join(line.text for line in in_order(lines, order)))
        return matched(wanted, read, self._extra)


def _known(key: str, chosen: str, kinds: object) -> None:
    ways = get_args(kinds)
    if chosen not in ways:
        raise RecipeError(f"text_in_picture: {key}: there is no {chosen!r}.{did_you_mean(str(chosen), ways)}")


def declared(text: object, scorer: str) -> tuple[str, ...]:
    """The wanted texts of a recipe: one text or a list of them.

    Raises:
        RecipeError: a number, or something else that is no text.
    """
    texts = cast("list[object]", text) if isinstance(text, list | tuple) else [text]
    if not all(isinstance(each, str) for each in texts):
        raise RecipeError(f"{scorer}: text: {text!r} is no text, and no list of them. Put it in quotes.")
    return tuple(str(each) for each in texts)


def wanted_of(prompt: Prompt, own: Sequence[str], meta: str, capitals: bool) -> Sequence[str]:
    """What a prompt wants to be read in its picture: declared, else in its meta, else in its text."""
    if own:
        return own
    if meta in prompt.meta:
        return [line.strip() for line in prompt.meta[meta].splitlines() if line.strip()]
    return wanted_in(prompt.text, capitals)


def told(lines: Sequence[Line]) -> str:
    """What was read, for people: one line, cut short, without what does not print."""
    text = " ".join(" ".join(line.text for line in lines).split())
    shown = "".join(letter for letter in text if letter.isprintable())
    if not shown:
        return "nothing can be read"
    return f"reads: {shown[:TOLD]}{'…' if len(shown) > TOLD else ''}"


def _edits(match: Match) -> int:
    return match.edits
