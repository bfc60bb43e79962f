"""Pairs of pictures whose better one is known, from people or from a benchmark: what judges are measured on
and rubrics are made from.

Pictures are read when they are looked at, not before: a benchmark has more of them than memory has room for.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal, Protocol

from PIL import Image

from salon.errors import StageError
from salon.files.untrusted import read_file
from salon.raster import PAPER, decode, encode_png, to_picture
from salon.types import Failure, Picture, Prompt

Label = Literal["a", "b", "tie", "both_bad"]


class PictureSource(Protocol):
    """Where a picture comes from."""

    def load(self) -> Picture:
        """The picture. Raises StageError, by the system's fault, where there is none."""
        ...


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture in a file of any raster format."""

    path: Path

    def load(self) -> Picture:
        try:
            return _read(self.path, self.path.stat().st_mtime_ns)
        except (OSError, ValueError) as error:
            told = error.strerror if isinstance(error, OSError) else str(error).removeprefix(f"{self.path} ")
            raise _unreadable(f"{self.path}: {told}") from error


@dataclass(frozen=True, slots=True)
class PictureBytes:
    """A picture's encoded bytes; `name` says where they are from."""

    data: bytes = field(repr=False)
    name: str = "picture"

    def load(self) -> Picture:
        try:
            return to_picture(self.data)
        except ValueError as error:
            raise _unreadable(f"{self.name}: {error}") from error


@dataclass(frozen=True, slots=True)
class Beside:
    """A picture that was to be edited left of what became of it, as one picture."""

    source: PictureSource
    edited: PictureSource

    def load(self) -> Picture:
        shown = [decode(each.load().png) for each in (self.source, self.edited)]
        return Picture.from_png(encode_png(_side_by_side(shown)))


@dataclass(frozen=True, slots=True)
class AsLargeAs:
    """A picture resized to the width and height of another, bicubic, whatever its shape."""

    source: PictureSource
    other: PictureSource

    def load(self) -> Picture:
        picture, other = self.source.load(), self.other.load()
        if (picture.width, picture.height) == (other.width, other.height):
            return picture
        resized = decode(picture.png).resize((other.width, other.height), Image.Resampling.BICUBIC)
        return Picture.from_png(encode_png(resized))


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Several pictures as one, from left to right."""

    sources: tuple[PictureSource, ...]

    def load(self) -> Picture:
        return Picture.from_png(encode_png(_side_by_side([decode(each.load().png) for each in self.sources])))


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two pictures for one prompt, and which one people preferred. `category` is a benchmark's own
    division. `before` is the picture that both were made from, where they are edits. `aspect` names what
    people were asked about, where a benchmark asks about several; empty for the whole.
    """

    id: str
    prompt: Prompt
    a: PictureSource
    b: PictureSource
    label: Label
    category: str = ""
    before: PictureSource | None = None
    aspect: str = ""

    @property
    def first(self) -> PictureSource:
        """The winner; a where nobody won."""
        return self.b if self.label == "b" else self.a

    @property
    def second(self) -> PictureSource:
        """The loser; b where nobody won."""
        return self.a if self.label == "b" else self.b


SHEET = "(It was an edit: each picture has the one before on the left, and what became of it on the right.)"


def load_pair(pair: LabelledPair, beside: bool = True) -> tuple[Picture, Picture]:
    """The winner and the loser; of edits with the picture before on the left of each, unless `beside` is
    false.

    Raises:
        StageError: a picture cannot be read, by the system's fault.
    """
    before = pair.before if beside else None
    first, second = (each if before is None else Beside(before, each) for each in (pair.first, pair.second))
    return first.load(), second.load()


def asked_of(pair: LabelledPair) -> str:
    """The prompt's text, and for edits what the pictures of `load_pair` show.

    Example: "make it pink" becomes "make it pink (It was an edit: …)".
    """
    return pair.prompt.text if pair.before is None else f"{pair.prompt.text}\n{SHEET}"


def _side_by_side(pictures: list[Image.Image], gap: int = 16) -> Image.Image:
    width = sum(each.width for each in pictures) + gap * (len(pictures) - 1)
    sheet = Image.new("RGB", (width, max(each.height for each in pictures)), PAPER)
    left = 0
    for each in pictures:
        sheet.paste(each, (left, 0))
        left += each.width + gap
    return sheet


@lru_cache(maxsize=128)
def _read(path: Path, changed: int) -> Picture:
    """Pairs share pictures: the last ones are kept, as long as their file does not change."""
    return PictureBytes(read_file(path, follow=True), str(path)).load()


def _unreadable(message: str) -> StageError:
    return StageError(Failure("unreadable_picture", message, "system", "judge"))
