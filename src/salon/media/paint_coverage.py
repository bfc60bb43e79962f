"""How much of a picture is paint.

The paper is the picture's most frequent colour, after its channels are cut to four bits; a pixel is paint
when its RGB distance from the paper exceeds 32; a picture with less than half a percent of paint is blank
(the rule of HuggingEnvs' watercolour environment).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from salon.raster import decode, encode_png
from salon.types import Picture

PAINT_DISTANCE = 32.0
BLANK_BELOW = 0.005


@dataclass(frozen=True, slots=True)
class PaintStats:
    """`paint_fraction` in 0–1; `paper` and `paint_colour` (the mean over paint) as RGB 0–255; `box` is the
    painted part, in 0–1.
    """

    paint_fraction: float
    paper: tuple[int, int, int]
    paint_colour: tuple[float, float, float] | None
    box: tuple[float, float, float, float] | None

    @property
    def blank(self) -> bool:
        return self.paint_fraction < BLANK_BELOW


def paint_stats(picture: Picture) -> PaintStats:
    """Measure a picture. Raises ValueError when its bytes are no picture.

    Example:
        A white square with a red quarter: paint_fraction 0.25, paper (255, 255, 255), paint_colour (255, 0,
        0).
    """
    return _measure(np.asarray(decode(picture.png), dtype=np.int32))


def _measure(pixels_HWC: NDArray[np.int32]) -> PaintStats:
    paper = _paper(pixels_HWC)
    distance_HW = np.sqrt(((pixels_HWC - paper) ** 2).sum(axis=2))
    paint_HW = distance_HW > PAINT_DISTANCE
    fraction = float(paint_HW.mean())
    named = (int(paper[0]), int(paper[1]), int(paper[2]))
    if not paint_HW.any():
        return PaintStats(fraction, named, None, None)
    red, green, blue = pixels_HWC[paint_HW].mean(axis=0)
    colour = (float(red), float(green), float(blue))
    return PaintStats(fraction, named, colour, _box(paint_HW))


def coverage(picture: Picture, side: int = 128) -> float:
    """The share of paint, 0 … 1, by a grid of at least `side` × `side` pixels where there are as many.

    As `paint_stats` has it to about a hundredth, at a part of the cost. Raises ValueError when the bytes are
    no picture.
    """
    pixels_HWC = np.asarray(decode(picture.png))
    every = max(1, min(pixels_HWC.shape[:2]) // side)
    return _measure(pixels_HWC[::every, ::every].astype(np.int32)).paint_fraction


def is_blank(picture: Picture) -> bool:
    """Whether a picture shows nothing."""
    return paint_stats(picture).blank


def shows_nothing(pixels_HWC: NDArray[np.uint8]) -> bool:
    """`is_blank` of a picture with these RGB pixels, at a small part of the cost if it shows something.

    Where enough pixels are dark and enough are light in a channel, one of the two is paint, whatever the
    paper: every eighth pixel often shows it. Else paint is counted by the coarse bins of its colours: bins
    whose every colour is far from every colour of the paper's bin are paint for certain. Only where that does
    not settle it are distances measured.
    """
    if _far_apart(pixels_HWC):
        return False
    bins_HW = _bins(pixels_HWC)
    counts = np.bincount(bins_HW.ravel(), minlength=4096)
    steps_from_paper = np.abs(_CORNERS - _CORNERS[counts.argmax()])
    nearest = np.maximum(steps_from_paper * 16 - 15, 0)
    certain = counts[(nearest**2).sum(axis=1) > PAINT_DISTANCE**2].sum()
    if certain / bins_HW.size >= BLANK_BELOW:
        return False
    return _measure(pixels_HWC.astype(np.int32)).blank


def _far_apart(pixels_HWC: NDArray[np.uint8]) -> bool:
    """Whether an eighth of the pixels proves that half a percent of all is paint."""
    enough = math.ceil(BLANK_BELOW * pixels_HWC.shape[0] * pixels_HWC.shape[1])
    some_CN = pixels_HWC[::4, ::2].reshape(-1, 3).T
    count = some_CN.shape[1]
    if count < 2 * enough:
        return False
    sorted_CN = np.partition(some_CN, (enough - 1, count - enough), axis=1)
    spread_C = sorted_CN[:, count - enough].astype(int) - sorted_CN[:, enough - 1]
    return bool(spread_C.max() > 2 * PAINT_DISTANCE)


def fit(png: bytes, size: tuple[int, int] | None, paper: str) -> bytes:
    """The picture as an RGB PNG; with `size`, scaled to fit into it and centred on paper."""
    image = decode(png, paper)
    if size and image.size != size:
        scale = min(size[0] / image.width, size[1] / image.height)
        small = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
        sheet = Image.new("RGB", size, paper)
        left, top = (size[0] - small[0]) // 2, (size[1] - small[1]) // 2
        sheet.paste(image.resize(small, Image.Resampling.LANCZOS), (left, top))
        image = sheet
    return encode_png(image)


_CORNERS = np.stack(np.unravel_index(np.arange(4096), (16, 16, 16)), axis=1).astype(np.int32)
"""The three coordinates of each of the 16 × 16 × 16 bins, by the bin's number."""


def _bins(pixels_HWC: NDArray[np.uint8]) -> NDArray[np.integer]:
    """The number of each pixel's bin."""
    coarse = (pixels_HWC >> 4).astype(np.uint16)
    return (coarse[..., 0] << 8) | (coarse[..., 1] << 4) | coarse[..., 2]


def _paper(pixels_HWC: NDArray[np.int32]) -> NDArray[np.int32]:
    """The mean colour of the pixels in the most frequent of the 16 × 16 × 16 bins, rounded."""
    bins_HW = (pixels_HWC >> 4) @ np.array([256, 16, 1])
    modal = np.bincount(bins_HW.ravel()).argmax()
    return np.rint(pixels_HWC[bins_HW == modal].mean(axis=0)).astype(np.int32)


def _box(paint_HW: NDArray[np.bool_]) -> tuple[float, float, float, float]:
    height, width = paint_HW.shape
    rows, columns = np.flatnonzero(paint_HW.any(axis=1)), np.flatnonzero(paint_HW.any(axis=0))
    return (
        float(columns[0] / width),
        float(rows[0] / height),
        float((columns[-1] + 1) / width),
        float((rows[-1] + 1) / height),
    )
