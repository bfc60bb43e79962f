"""What can be seen to be wrong with a picture from its pixels alone, each as a number with a limit. No I/O.

Shape suffixes: H rows, W columns, C channels. Pictures are shrunk to SIDE pixels first, so that a limit
means the same at any size; the grid is looked for at full size, where its period is.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Floats = NDArray[np.float64]

SIDE = 256
_NEAR = 12.0
"""Levels of 255 within which a pixel counts as paper."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A picture as flaws are looked for on it: `small_HWC`, RGB, 0 … 255, at most SIDE a side; `grey_HW`, 0
    … 255, at full size.
    """

    small_HWC: Floats
    grey_HW: Floats

    @classmethod
    def of(cls, image: Image.Image) -> "Sheet":
        """Of an image of any size."""
        shrunk = image.convert("RGB")
        shrunk.thumbnail((SIDE, SIDE), Image.Resampling.BOX)
        small, grey = (np.asarray(each).astype(np.float64) for each in (shrunk, image.convert("L")))
        return cls(small, grey)


@dataclass(frozen=True, slots=True)
class Flaw:
    """A number of a picture, and from where on it is a violation."""

    measure: Callable[[Sheet], float]
    limit: float
    meaning: str


def paper_of(pixels_HWC: Floats) -> Floats:
    """The colour of the picture's edge: the median of its outermost pixels, (3,)."""
    edge = np.concatenate([pixels_HWC[0], pixels_HWC[-1], pixels_HWC[:, 0], pixels_HWC[:, -1]])
    return np.median(edge, axis=0)


def painted(pixels_HWC: Floats) -> NDArray[np.bool_]:
    """Where the picture differs from its paper, (H, W)."""
    return np.abs(pixels_HWC - paper_of(pixels_HWC)).max(axis=2) > _NEAR


def emptiness(sheet: Sheet) -> float:
    """The share of the picture that is paper, 0 … 1: 1 for a blank one."""
    return float(1.0 - painted(sheet.small_HWC).mean())


def smallness(sheet: Sheet) -> float:
    """1 minus the share of the sheet that the painted part spans, 0 … 1. The outermost 1 % of the painted
    pixels on each side are left out, so that one speck far off does not hide a tiny subject. A blank picture
    spans nothing, but is another flaw: 0.
    """
    rows, columns = np.nonzero(painted(sheet.small_HWC))
    if not len(rows):
        return 0.0
    height, width = sheet.small_HWC.shape[:2]
    spans = [np.subtract(*np.quantile(places, [0.99, 0.01])) + 1 for places in (rows, columns)]
    return float(1.0 - spans[0] * spans[1] / (height * width))


def saturation(sheet: Sheet) -> float:
    """The share of the whole sheet in garish colours, 0 … 1: a strongest channel of at least 230, a weakest
    of at most 25.
    """
    pixels = sheet.small_HWC
    return float(((pixels.max(axis=2) >= 230) & (pixels.min(axis=2) <= 25)).mean())


def noise(sheet: Sheet) -> float:
    """How far a pixel is from the mean of its four neighbours, in levels of 255, over the sheet."""
    grey = sheet.small_HWC.mean(axis=2)
    inner = grey[1:-1, 1:-1]
    around = (grey[:-2, 1:-1] + grey[2:, 1:-1] + grey[1:-1, :-2] + grey[1:-1, 2:]) / 4
    return float(np.abs(inner - around).mean()) if inner.size else 0.0


def tearing(sheet: Sheet) -> float:
    """The share of the height in a band at the top or bottom that is one even colour and not the paper:
    what a file that was cut short, or a renderer that stopped, leaves behind. 0 … 1.
    """
    pixels = sheet.small_HWC
    height = len(pixels)
    even = np.ptp(pixels, axis=1).max(axis=1) <= 2.0
    tallest = 0
    for rows in (range(height), range(height - 1, -1, -1)):
        first = pixels[rows[0], 0]
        run = 0
        for row in rows:
            if not even[row] or np.abs(pixels[row, 0] - first).max() > 2.0:
                break
            run += 1
        # What is left decides what the paper is: a sheet of one colour is blank, not torn.
        rest = np.delete(pixels, list(rows)[:run], axis=0)
        if 0 < run < height and len(rest) > 2 and not _is_paper(first, rest):
            tallest = max(tallest, run)
    return tallest / height


def _is_paper(colour: Floats, rest_HWC: Floats) -> bool:
    sides = np.concatenate([rest_HWC[:, 0], rest_HWC[:, -1]])
    return bool(np.abs(np.median(sides, axis=0) - colour).max() <= _NEAR)


def gridding(sheet: Sheet) -> float:
    """How periodic the picture's edges are, along rows and along columns: the weaker of the two, 0 … 1.

    Per column, the mean step to the next one, without its slow part; then how well it agrees with itself
    moved by one period of 4 to 64 pixels, in the third of the sheet where it agrees least. Blocks, tiles
    and lattices agree everywhere and in both directions; a painting's own edges do not.
    """
    return min(_periodicity(np.abs(np.diff(sheet.grey_HW, axis=axis)).mean(axis=1 - axis)) for axis in (0, 1))


def _periodicity(steps: Floats) -> float:
    window = np.ones(9) / 9
    if len(steps) < 48:
        return 0.0
    fast = steps - np.convolve(np.pad(steps, 4, mode="edge"), window, mode="valid")
    best = 0.0
    for period in range(4, min(64, len(fast) // 6) + 1):
        best = max(best, _least_agreement(fast, period, best))
    return best


def _least_agreement(fast: Floats, period: int, enough: float) -> float:
    """In the worst third; ends early where a third does not reach `enough`."""
    third, least = (len(fast) - period) // 3, 1.0
    for start in (0, third, 2 * third):
        moved = start + period
        least = min(least, _agreement(fast[start : start + third], fast[moved : moved + third]))
        if least <= enough:
            break
    return least


def _agreement(left: Floats, right: Floats) -> float:
    """The correlation, 0 where one of the two hardly moves (less than a twentieth of a level)."""
    left, right = left - left.mean(), right - right.mean()
    scale = float(np.sqrt((left @ left) * (right @ right)))
    return float(left @ right) / scale if scale > 0.0025 * len(left) else 0.0


FLAWS: Mapping[str, Flaw] = {
    "blank": Flaw(emptiness, 0.995, "nothing is painted"),
    "tiny": Flaw(smallness, 0.97, "what is painted is tiny"),
    "oversaturated": Flaw(saturation, 0.35, "garish colours fill it"),
    "noise": Flaw(noise, 14.0, "it is noise"),
    "torn": Flaw(tearing, 0.1, "a part is missing"),
    "grid": Flaw(gridding, 0.65, "a grid lies over it"),
}
"""By name. The limits are set on the shipped pool, see docs/hack-detectors.md."""
