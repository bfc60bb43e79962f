"""How much of a picture is paint.

The paper is the picture's most frequent colour, after its channels are cut to four bits; a pixel is paint
when its RGB distance from the paper exceeds 32; a picture with less than half a percent of paint is blank
(the rule of HuggingEnvs' watercolour environment).
"""

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
    pixels_HWC = np.asarray(decode(picture.png), dtype=np.int32)
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


def is_blank(picture: Picture) -> bool:
    """Whether a picture shows nothing."""
    return paint_stats(picture).blank


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
