"""Does the picture carry the colour that was asked for, and enough of it?

A plain, cheap signal of prompt adherence from pixels: no model, no taste. What is asked for is
`prompt.meta["colour"]`.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor

from salon.policies.prompts import COLOURS
from salon.raster import decode
from salon.types import Failure, Group, Picture, Score

from .asking import nothing_to_see
from .cielab import rgb_to_lab

Floats = NDArray[np.float64]
Shades = tuple[str, ...]

SIDE = 192
PAINT_DISTANCE = 32.0
TOLERANCE = 13.0
RIVALRY = 12.0
LIGHTNESS_WEIGHT = 0.6
TINT = 0.4
ENOUGH_SHARE = 0.3
ENOUGH_COVERAGE = 0.03
FLAT_WORTH = 0.6
ENOUGH_VARIETY = 4.0
FULL_FROM, FULL_TO, FULL_COST = 0.55, 0.95, 0.8
NEUTRAL = ("#ffffff", "#000000")


class Palette:
    """0 … 1: share × coverage × variety × restraint, each smooth and saturating.

    share: how much of the paint has the asked colour (15 % gives .63, 35 % .90: leaves and stems may be
    green).
    coverage: how much of the picture it covers (3 % gives .63, 10 % .96: a dot is not a flower).
    variety: one flat tone is worth .6, the many tones of a wash 1.
    restraint: beyond 55 % of the picture the score falls: a filled canvas is no painting. Paper is the
    commonest tone, so that a picture filled with one colour has no paint at all.

    Args:
        colours: more colours, name → shades as hex RGB, from pale to deep; they come before the built-in
        ones.
    """

    version = "1"

    def __init__(self, colours: Mapping[str, Sequence[str]] | None = None) -> None:
        self._shades = {**COLOURS, **{name: tuple(shades) for name, shades in (colours or {}).items()}}

    def score(self, group: Group) -> list[Score]:
        """One score per sample; not applicable where the prompt names no known colour."""
        colour = group.prompt.meta.get("colour", "")
        shades = self._shades_of(colour)
        if shades is None:
            told = f"{colour!r} is no known colour" if colour else "the prompt asks for no colour"
            absent = Score(value=None, failure=Failure("not_applicable", told, "system", "score"))
            return [absent for _ in group.samples]
        rivals = [NEUTRAL, *(known for known in self._shades.values() if known != shades)]
        return [
            nothing_to_see(sample)
            if sample.picture is None
            else _score(sample.picture, colour, shades, rivals)
            for sample in group.samples
        ]

    def _shades_of(self, colour: str) -> Shades | None:
        if colour in self._shades:
            return self._shades[colour]
        name = colour.replace(" ", "").lower()
        try:
            red, green, blue = ImageColor.getrgb(name)[:3]
        except ValueError:
            return None
        return (f"#{red:02x}{green:02x}{blue:02x}",)


def _score(picture: Picture, colour: str, shades: Shades, rivals: Sequence[Shades]) -> Score:
    share, coverage, variety = measure(picture, shades, rivals)
    value = (
        _saturating(share, ENOUGH_SHARE)
        * _saturating(coverage, ENOUGH_COVERAGE)
        * (FLAT_WORTH + (1.0 - FLAT_WORTH) * _saturating(variety - 1.0, ENOUGH_VARIETY))
        * (1.0 - FULL_COST * _smoothstep(coverage, FULL_FROM, FULL_TO))
    )
    told = f"{share:.0%} of the paint and {coverage:.0%} of the picture is {colour}, in {variety:.0f} tone"
    told += "" if f"{variety:.0f}" == "1" else "s"
    return Score(
        value=value,
        reason=told,
        details={"share": share, "coverage": coverage, "variety": variety},
    )


def measure(picture: Picture, shades: Shades, rivals: Sequence[Shades]) -> tuple[float, float, float]:
    """Of the asked colour: its share of the paint, its share of the picture, and its effective number of
    tones.

    Shares are 0 … 1. Tones are counted at 16 levels a channel; the effective number is exp(entropy), ≥ 1 (0
    where none).
    """
    image = decode(picture.png)
    # Nearest, not averaged: averaging mixes paint and paper to colours that nobody painted.
    image.thumbnail((SIDE, SIDE), Image.Resampling.NEAREST)
    rgb_N3 = np.asarray(image, dtype=np.float64).reshape(-1, 3)
    paint_N = paint_mask(rgb_N3)
    if not paint_N.any():
        return 0.0, 0.0, 0.0
    rgb_P3 = rgb_N3[paint_N]
    member_P = _membership(rgb_P3, shades, rivals)
    total = float(member_P.sum())
    return total / len(rgb_P3), total / len(rgb_N3), _variety(rgb_P3, member_P)


def paint_mask(rgb_N3: Floats) -> NDArray[np.bool_]:
    """Which pixels are paint: farther than 32 (of 441) from the paper, the commonest tone at 16 levels a
    channel.
    """
    tone_N = _tones(rgb_N3)
    values, counts = np.unique(tone_N, return_counts=True)
    paper = rgb_N3[tone_N == values[np.argmax(counts)]].mean(axis=0)
    return np.linalg.norm(rgb_N3 - paper, axis=1) > PAINT_DISTANCE


def _tones(rgb_N3: Floats) -> NDArray[np.int64]:
    level_N3 = rgb_N3.astype(np.int64) >> 4
    return (level_N3[:, 0] << 8) | (level_N3[:, 1] << 4) | level_N3[:, 2]


@lru_cache(maxsize=256)
def _ramp(shades: Shades) -> Floats:
    """The shades in Lab, led by a tint of the palest: thin paint lets paper through. Shape (K, 3)."""
    lab_K3 = rgb_to_lab(np.array([ImageColor.getrgb(shade)[:3] for shade in shades], dtype=np.float64))
    paper = np.array([100.0, 0.0, 0.0])
    return np.vstack([(1 - TINT) * lab_K3[0] + TINT * paper, lab_K3])


def _membership(rgb_P3: Floats, shades: Shades, rivals: Sequence[Shades]) -> Floats:
    """1 on the line through the shades, .37 at TOLERANCE from it; less where a rival colour is nearer."""
    level_P3 = rgb_P3.astype(np.int64) >> 2
    _, first, place_P = np.unique(level_P3 @ [4096, 64, 1], return_index=True, return_inverse=True)
    lab_U3 = rgb_to_lab(rgb_P3[first])
    own_U = _distance(lab_U3, _ramp(shades))
    rival_U = np.min([_distance(lab_U3, _ramp(rival)) for rival in rivals], axis=0)
    member_U = np.exp(-((own_U / TOLERANCE) ** 2) - np.maximum(own_U - rival_U, 0.0) / RIVALRY)
    return member_U[place_P]


def _distance(lab_U3: Floats, ramp_K3: Floats) -> Floats:
    """From each colour to the nearest point of a line through colours (CIE76, lightness counts less)."""
    weight = np.array([LIGHTNESS_WEIGHT, 1.0, 1.0])
    points_U3, ramp_K3 = lab_U3 * weight, ramp_K3 * weight
    nearest_U = np.full(len(points_U3), np.inf)
    for start, end in pairwise(ramp_K3):
        along = end - start
        at_U = np.clip((points_U3 - start) @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
        distance_U = np.linalg.norm(points_U3 - start - at_U[:, None] * along, axis=1)
        nearest_U = np.minimum(nearest_U, distance_U)
    return nearest_U


def _variety(rgb_P3: Floats, member_P: Floats) -> float:
    if member_P.sum() <= 0.0:
        return 0.0
    _, place_P = np.unique(_tones(rgb_P3), return_inverse=True)
    share_T = np.bincount(place_P, member_P) / member_P.sum()
    share_T = share_T[share_T > 0]
    return float(np.exp(-(share_T * np.log(share_T)).sum()))


def _saturating(value: float, enough: float) -> float:
    return float(1.0 - np.exp(-max(value, 0.0) / enough))


def _smoothstep(value: float, low: float, high: float) -> float:
    x = min(max((value - low) / (high - low), 0.0), 1.0)
    return x * x * (3.0 - 2.0 * x)
