"""Who reads the text in a picture: a small OCR model on this machine's processor, or a reader of your own.

A reader gives lines with their places; `in_order` puts them into the order in which a person reads them.
What was read in a picture is kept for a while, since several terms may look at the same one.
"""

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module, metadata, util
from statistics import median
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from PIL import Image

from salon.errors import RecipeError, SetupError, StageError, boundary
from salon.installed import install_command
from salon.parts import built
from salon.raster import decode
from salon.types import Picture

Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]
Order = Literal["rows", "columns", "clockwise", "upside down", "anticlockwise"]
ORDERS: tuple[Order, ...] = ("rows", "columns", "clockwise", "upside down", "anticlockwise")
"""By which lines can be read. The last three are rows of text that is turned by a quarter, a half and three
quarters: most readers do not say which way up a line was.
"""
_BACK: Mapping[Order, float] = {"clockwise": -90.0, "upside down": 180.0, "anticlockwise": 90.0}

SMALLEST, SMALL, LARGEST = 8, 320, 2000
"""Sides in pixels: below the first there is no room for a letter, below the second a picture is enlarged,
above the third it is shrunk before it is read.
"""
KEPT = 512


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text as it was read. `corners` are in pixels: top left, top right, bottom right, bottom left
    of the text, however it is turned; of its box, where the reader does not know which way up it was.
    `confidence` is 0 … 1.
    """

    text: str
    confidence: float
    corners: Corners

    @property
    def angle(self) -> float:
        """By how much the line is turned, in degrees clockwise, −180 … 180."""
        (left, top), (right, end) = self.corners[0], self.corners[1]
        return math.degrees(math.atan2(end - top, right - left))

    @property
    def height(self) -> float:
        """The height of its letters, in pixels."""
        return math.dist(self.corners[0], self.corners[3])


@runtime_checkable
class Reader(Protocol):
    """Reads text. `identity` names it, with its version, in every record."""

    identity: str

    def read(self, image: Image.Image) -> Sequence[Line]:
        """The lines in an RGB image, in any order. May be called from several threads."""
        ...


class RapidReader:
    """RapidOCR with the models that its package brings along (PP-OCRv6 small): 50 languages in Latin letters,
    Chinese and Japanese. The models are loaded at the first picture; nothing is ever downloaded.

    Args:
        threads: of the processor, for one picture; 0 is as many as there are.
        side: the longest side, in pixels, of the picture in which text is looked for. Letters are read at
            full size. The time grows with its square.

    Raises:
        RecipeError: an argument is out of range. SetupError: the extra is not installed.
    """

    def __init__(self, threads: int = 0, side: int = 736) -> None:
        if threads < 0 or side < 32:
            raise RecipeError(f"threads is 0 or more, and side 32 or more, not {threads} and {side}")
        if util.find_spec("rapidocr") is None:
            raise SetupError(f"reading text in pictures needs the package rapidocr: {install_command('ocr')}")
        self.identity = f"rapidocr {metadata.version('rapidocr')}, side {side}"
        self._params = {
            "Global.log_level": "critical",
            "EngineConfig.onnxruntime.intra_op_num_threads": threads or -1,
            "Det.limit_type": "max",
            "Det.limit_side_len": side,
            # A picture full of letters must not hold up all others.
            "Det.max_candidates": 200,
        }
        self._lock = threading.Lock()
        self._engine: Any = None

    def read(self, image: Image.Image) -> Sequence[Line]:
        """One picture at a time; the model itself uses all threads."""
        pixels_HWC = np.ascontiguousarray(np.asarray(image)[:, :, ::-1])
        with self._lock:
            if self._engine is None:
                self._engine = _engine(self._params)
            found = self._engine(pixels_HWC, text_score=0.0)
        if found.boxes is None or found.txts is None:
            return []
        return [
            Line(str(text), float(score), _corners(box))
            for box, text, score in zip(found.boxes, found.txts, found.scores, strict=True)
        ]


def _engine(params: Mapping[str, Any]) -> Any:
    try:
        module: Any = import_module("rapidocr")
    except ImportError as error:
        raise SetupError(f"rapidocr cannot be loaded ({error}): {install_command('ocr')}") from error
    return module.RapidOCR(params=dict(params))


def _corners(box: Any) -> Corners:
    first, second, third, fourth = ((float(x), float(y)) for x, y in box)
    return first, second, third, fourth


@lru_cache(maxsize=8)
def reader_of(name: str = "rapidocr", threads: int = 0, side: int = 736) -> Reader:
    """A reader by name: `rapidocr`, or `module:attribute` of somebody's own class without arguments. The same
    one for all who ask, so that its model is loaded once. `threads` and `side` are RapidReader's.

    Raises:
        RecipeError: it is no reader. SetupError: a package is missing.
    """
    if name == "rapidocr":
        return RapidReader(threads, side)
    if ":" not in name:
        raise RecipeError(f"reader: there is no {name!r}. Write rapidocr, or your own as module:attribute.")
    return built("reader", name, {}, "reader")


class Reading:
    """What a reader reads in pictures, kept by the picture's content."""

    def __init__(self, reader: Reader, least_confidence: float = 0.5) -> None:
        if not 0.0 <= least_confidence <= 1.0:
            raise RecipeError(f"confidence: from 0 to 1, not {least_confidence}")
        self.identity = reader.identity
        self._reader, self._least = reader, least_confidence

    def lines(self, picture: Picture) -> list[Line]:
        """The lines that are at least as sure as asked for, top to bottom.

        Raises:
            StageError: ocr_failed, the system's: the reader crashed, or the bytes are no picture.
        """
        found = _KEPT.get((self.identity, picture.key), lambda: self._read(picture))
        return in_order([line for line in found if line.confidence >= self._least and line.text.strip()])

    def _read(self, picture: Picture) -> tuple[Line, ...]:
        with boundary("score") as caught:
            return tuple(_at_size(self._reader, decode(picture.png)))
        assert caught.failure is not None
        raise StageError(replace(caught.failure, code="ocr_failed", fault="system"))


def _at_size(reader: Reader, image: Image.Image) -> Sequence[Line]:
    longest = max(image.size)
    if min(image.size) < SMALLEST:
        return []
    if SMALL <= longest <= LARGEST:
        return reader.read(image)
    scale = (SMALL if longest < SMALL else LARGEST) / longest
    width, height = (max(1, round(side * scale)) for side in image.size)
    found = reader.read(image.resize((width, height), Image.Resampling.BICUBIC))
    return [replace(line, corners=_scaled(line.corners, 1 / scale)) for line in found]


def _scaled(corners: Corners, scale: float) -> Corners:
    first, second, third, fourth = ((x * scale, y * scale) for x, y in corners)
    return first, second, third, fourth


class _Kept:
    """The last answers by key. Two that ask for one key at once wait for one answer."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._found: OrderedDict[tuple[str, str], tuple[Line, ...]] = OrderedDict()
        self._busy: dict[tuple[str, str], threading.Lock] = {}

    def get(self, key: tuple[str, str], read: Callable[[], tuple[Line, ...]]) -> tuple[Line, ...]:
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]
            own = self._busy.setdefault(key, threading.Lock())
        with own:
            with self._lock:
                if key in self._found:
                    return self._found[key]
            try:
                found = read()
                with self._lock:
                    self._found[key] = found
                    while len(self._found) > self._most:
                        self._found.popitem(last=False)
            finally:
                with self._lock:
                    self._busy.pop(key, None)
        return found


_KEPT = _Kept(KEPT)


def in_order(lines: Sequence[Line], order: Order = "rows") -> list[Line]:
    """Lines in reading order. Text that is turned as a whole is turned back first, by its median angle.

    Args:
        lines: in any order.
        order: `rows`: what stands side by side is one row, left to right. `columns`: blocks of lines one
            below the other are read to their end first. The others are rows of text that is turned further.
    """
    if len(lines) < 2:
        return list(lines)
    turn = math.radians(_BACK.get(order, 0.0) - median(line.angle for line in lines))
    spans = [_upright(line.corners, turn) for line in lines]
    if order == "columns":
        return [lines[at] for block in _columns(spans) for at in block]
    return [lines[at] for row in _rows(spans) for at in row]


Span = tuple[float, float, float, float]


def _upright(corners: Corners, turn: float) -> Span:
    """Left, top, right, bottom after a turn about the origin."""
    cos, sin = math.cos(turn), math.sin(turn)
    xs = [x * cos - y * sin for x, y in corners]
    ys = [x * sin + y * cos for x, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _rows(spans: Sequence[Span]) -> list[list[int]]:
    """Indices by row: a line belongs to the row whose first line's middle third it crosses with its
    middle.
    """
    rows: list[list[int]] = []
    for at in sorted(range(len(spans)), key=lambda at: spans[at][1] + spans[at][3]):
        middle = (spans[at][1] + spans[at][3]) / 2
        top, bottom = (spans[rows[-1][0]][1], spans[rows[-1][0]][3]) if rows else (0.0, 0.0)
        if rows and abs(middle - (top + bottom) / 2) < (bottom - top) / 3:
            rows[-1].append(at)
        else:
            rows.append([at])
    return [sorted(row, key=lambda at: spans[at][0]) for row in rows]


def _columns(spans: Sequence[Span]) -> list[list[int]]:
    """Indices by column, left to right: lines that overlap sideways with one another share a column."""
    columns: list[tuple[float, float, list[int]]] = []
    for at in sorted(range(len(spans)), key=lambda at: spans[at][0]):
        left, _, right, _ = spans[at]
        if columns and left < columns[-1][1]:
            start, end, members = columns[-1]
            columns[-1] = (start, max(end, right), [*members, at])
        else:
            columns.append((left, right, [at]))
    return [sorted(members, key=lambda at: spans[at][1]) for _, _, members in columns]
