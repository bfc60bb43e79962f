"""A judge that reads, of a small closed vocabulary: red, coverage, count, symmetry … all of it by pixels.

    salon serve-judge pixels --port 8008
    judges: {eye: {kind: pixels, criteria: "more red, less blue"}}

It has no taste, and does what it is told as far as it understands: a criterion or a question with a word
outside of its vocabulary is refused by name. So it is known what is right, and with `rate` how often it is:
what rubrics, checklists and detectors are tried out on.
"""

import copy
import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from salon.errors import RecipeError, StageError
from salon.raster import decode
from salon.types import Answer, Failure, Picture, Prompt, Verdict

from .inputs_read import Read, cannot_read, refuse_reading

VERSION = 1
"""Part of the identity: raise it when a measure or the grammar changes."""
SIDE = 96
DEFAULT = "more colour"
_MUCH = 0.02
"""The share of the picture from which on something is there."""
_HUES: Mapping[str, tuple[float, float]] = {
    "red": (345, 15),
    "orange": (15, 45),
    "yellow": (45, 70),
    "green": (70, 170),
    "blue": (190, 260),
    "purple": (260, 300),
    "pink": (300, 345),
}
"""From which degree of the colour wheel to which a hue is called so; between green and blue nothing is."""
_GREYS = ("black", "white", "grey")
_NAMES: Mapping[str, str] = {
    **{name: name for name in (*_HUES, *_GREYS)},
    "gray": "grey",
    "violet": "purple",
    "colour": "colour",
    "color": "colour",
    "colours": "colour",
    "colors": "colour",
    "colourful": "colour",
    "colorful": "colour",
    "paint": "coverage",
    "painted": "coverage",
    "coverage": "coverage",
    "covered": "coverage",
    "shape": "count",
    "shapes": "count",
    "blot": "count",
    "blots": "count",
    "spots": "count",
    "count": "count",
    "symmetry": "symmetry",
    "symmetric": "symmetry",
    "symmetrical": "symmetry",
    "light": "light",
    "bright": "light",
    "brightness": "light",
    "plain": "plain",
    "blank": "plain",
}
VOCABULARY: tuple[str, ...] = tuple(sorted(_NAMES))
_COMPARED: Mapping[str, str] = {"brighter": "light", "lighter": "light", "darker": "-light", "dark": "-light"}
_MORE = frozenset(["more", "most", "larger", "higher", "greater", "strong", "stronger"])
_LESS = frozenset(["less", "least", "fewer", "fewest", "smaller", "lower", "weaker", "no", "not", "without"])
_PLAIN = re.compile(r"nothing (?:else )?(?:but|beyond|except) (?:one |a )?plain colou?r")
_BEYOND = re.compile(r"(?:,\s*)?beyond blank paper|\([^()]*\)")
_IDLE_WORDS = (
    "a | all | alike | an | and | any | are | as | at | be | better | both | choose | chosen | counts | "
    "criterion | criteria | does | else | every | failure | following | for | good | has | have | if | "
    "image | in | is | it | its | judge | neither | nothing | of | on | one | only | or | other | overall "
    "| part | parts | picture | pictures | plus | prefer | preferred | say | sheet | should | show | "
    "shows | shown | so | some | something | than | that | the | them | then | there | these | they | "
    "this | tie | to | two | very | wanted | which | whole | winner | with"
)
_IDLE = frozenset(_IDLE_WORDS.split(" | "))
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Clause:
    """One wish: more (+1) or less (−1) of a measure; of another one rather than of that, where there is a
    `than`.
    """

    sign: int
    measure: str
    than: str = ""


class PixelJudge:
    """Compares pictures by criteria of its vocabulary, and answers questions of it.

    Args:
        criteria: clauses of more and less: "more red", "fewer shapes, more symmetry".
        rate: how often it is right: 1 always; at .9 one pair (whatever the order) or one question in ten, by
            its content, gets the opposite.

    Raises:
        RecipeError: a criterion is not of the vocabulary.
    """

    reads: frozenset[Read] = frozenset({"criterion", "question"})

    def __init__(self, criteria: str = DEFAULT, rate: float = 1.0) -> None:
        if not 0 <= rate <= 1:
            raise RecipeError(f"rate: is a share from 0 to 1, not {rate}")
        self._rate = rate
        try:
            self._set(criteria)
        except StageError as error:
            raise RecipeError(
                f"criteria: {error.failure.message}. It knows {', '.join(VOCABULARY)}."
            ) from error

    def with_criteria(self, criteria: str) -> "PixelJudge":
        """The same judge by other criteria.

        Raises:
            StageError: cannot_read: a word is not of the vocabulary.
        """
        other = copy.copy(self)
        other._set(criteria)
        return other

    def compare(self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]]) -> list[Verdict | Failure]:
        """One verdict per pair, 1, 0 or a tie; the prompt is not read."""
        return [self._compare(a, b) for a, b in pairs]

    def answer(self, prompt: Prompt, picture: Picture, questions: Sequence[str]) -> list[Answer | Failure]:
        """Yes or no by question; a failure for one that is not of the vocabulary."""
        return [self._answer(picture, question) for question in questions]

    def _set(self, criteria: str) -> None:
        self._clauses = tuple(clauses_of(criteria, "pixels"))
        if not self._clauses:
            raise refuse_reading("pixels", "criteria", criteria)
        self._told = " ".join(criteria.split())
        told = hashlib.sha256(repr((VERSION, self._clauses, self._rate)).encode()).hexdigest()[:12]
        self.identity = f"pixels@{told}"

    def _compare(self, a: Picture, b: Picture) -> Verdict:
        lead = sum(worth(a, each) - worth(b, each) for each in self._clauses)
        if abs(lead) < 1e-9:
            return Verdict(0.5, self.identity, "alike")
        wrong = self._errs(repr(self._clauses), *sorted((a.key, b.key)))
        return Verdict(float((lead > 0) != wrong), self.identity, f"leads by {lead:+.3f} in: {self._told}")

    def _answer(self, picture: Picture, question: str) -> Answer | Failure:
        try:
            clauses = list(clauses_of(question, "pixels"))
        except StageError as error:
            return error.failure
        if not clauses:
            return cannot_read("pixels", "questions", question)
        yes = all(holds(picture, each) for each in clauses)
        return Answer(yes != self._errs(question, picture.key), "by pixels")

    def _errs(self, *about: str) -> bool:
        chance = int.from_bytes(hashlib.sha256("\0".join(about).encode()).digest()[:4], "big") / 2**32
        return chance >= self._rate


def clauses_of(text: str, who: str) -> list[Clause]:
    """The wishes in a text.

    Raises:
        StageError: cannot_read, with the first word that is not of the vocabulary.

    Example: "1. More red than blue. 2. No shapes." is (+, red, than blue) and (−, count).
    """
    found: list[Clause] = []
    folded = _PLAIN.sub(" plain ", _BEYOND.sub(" ", text.lower()))
    for part in re.split(r"[.,;:?!\n]+", folded):
        found += _clauses(re.findall(r"[^\W\d_]+", part), text, who)
    return found


def _clauses(words: Sequence[str], text: str, who: str) -> list[Clause]:
    sign, found, is_than = 0, list[Clause](), False
    for word in words:
        if word in _MORE or word in _LESS:
            sign = 1 if word in _MORE else -1
        elif (name := _NAMES.get(word) or _COMPARED.get(word)) is not None:
            turned, name = (-1, name[1:]) if name.startswith("-") else (1, name)
            if is_than and found:
                found[-1] = Clause(found[-1].sign, found[-1].measure, name)
            else:
                found.append(Clause((sign or 1) * turned, name))
            is_than = False
        elif word == "than":
            is_than = True
        elif word not in _IDLE:
            raise refuse_reading(who, f"criteria or questions (the word {word!r})", text)
    return found


def worth(picture: Picture, clause: Clause) -> float:
    """How far a picture meets a wish, -1 … 1."""
    measures = measures_of(picture)
    return clause.sign * (measures[clause.measure] - (measures[clause.than] if clause.than else 0.0))


def holds(picture: Picture, clause: Clause) -> bool:
    """Whether a question's clause is so: there is such a thing, or more of it than of another."""
    measures = measures_of(picture)
    if clause.than:
        return clause.sign * (measures[clause.measure] - measures[clause.than]) > 0
    level = {"symmetry": 0.9, "light": 0.5, "plain": 0.5}.get(clause.measure, _MUCH)
    return (measures[clause.measure] > level) == (clause.sign > 0)


@lru_cache(maxsize=512)
def measures_of(picture: Picture) -> Mapping[str, float]:
    """Every measure of a picture, 0 … 1; `count` in twentieths, up to 20 shapes."""
    rgb_HWC = np.asarray(decode(picture.png).resize((SIDE, SIDE)), dtype=np.float64) / 255
    top_HW, low_HW = rgb_HWC.max(2), rgb_HWC.min(2)
    chroma_HW = top_HW - low_HW
    is_coloured_HW = chroma_HW > 0.2
    hue_HW = _hue(rgb_HWC, top_HW, chroma_HW)
    found: dict[str, float] = {}
    for name, (start, end) in _HUES.items():
        inside_HW = (hue_HW >= start) & (hue_HW < end) if start < end else (hue_HW >= start) | (hue_HW < end)
        found[name] = float((inside_HW & is_coloured_HW).mean())
    light_HW = rgb_HWC.mean(2)
    found["black"] = float((~is_coloured_HW & (light_HW < 0.2)).mean())
    found["white"] = float((~is_coloured_HW & (light_HW > 0.9)).mean())
    found["grey"] = float((~is_coloured_HW & (light_HW >= 0.2) & (light_HW <= 0.9)).mean())
    paint_HW = _paint(rgb_HWC)
    found["coverage"] = float(paint_HW.mean())
    found["plain"] = float(not paint_HW.mean() > 0.005)
    found["colour"] = float(chroma_HW.mean())
    found["light"] = float(light_HW.mean())
    found["symmetry"] = 1.0 - float(np.abs(rgb_HWC - rgb_HWC[:, ::-1]).mean())
    found["count"] = min(20, _count(paint_HW)) / 20
    return found


def _hue(rgb_HWC: Floats, top_HW: Floats, chroma_HW: Floats) -> Floats:
    """Degrees on the colour wheel; 0 where there is no colour."""
    red, green, blue = rgb_HWC[..., 0], rgb_HWC[..., 1], rgb_HWC[..., 2]
    safe_HW = np.where(chroma_HW > 0, chroma_HW, 1.0)
    sextant_HW = np.where(
        top_HW == red,
        (green - blue) / safe_HW,
        np.where(top_HW == green, 2 + (blue - red) / safe_HW, 4 + (red - green) / safe_HW),
    )
    return np.where(chroma_HW > 0, (sextant_HW * 60) % 360, 0.0)


def _paint(rgb_HWC: Floats) -> NDArray[np.bool_]:
    """True where it is not paper: farther from the border's median than a tenth."""
    border = np.concatenate([rgb_HWC[0], rgb_HWC[-1], rgb_HWC[:, 0], rgb_HWC[:, -1]])
    return np.linalg.norm(rgb_HWC - np.median(border, axis=0), axis=2) > 0.1 * math.sqrt(3)


def _count(paint_HW: NDArray[np.bool_]) -> int:
    """Shapes that hang together (by sides), of at least nine pixels each."""
    left = {(int(y), int(x)) for y, x in np.argwhere(paint_HW)}
    shapes = 0
    while left:
        open_ones, size = [left.pop()], 0
        while open_ones:
            y, x = open_ones.pop()
            size += 1
            for place in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                if place in left:
                    left.remove(place)
                    open_ones.append(place)
        shapes += size >= 9
    return shapes
