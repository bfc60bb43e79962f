"""Has the policy begun to paint one picture over and over? For the role `veto` or `monitor`: 1 is a copy."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from PIL import Image

from salon.errors import RecipeError, boundary
from salon.raster import decode
from salon.types import Failure, Group, Picture, Sample, Score

from .asking import NO_PICTURE, missing, nothing_to_see
from .pixel_defects import Floats, paper_of

LIMIT = 0.15
_SIDE = 16
_LEAST = 2.0
"""Levels of 255 that a picture must differ from its paper on average: what is almost blank copies nothing."""


def difference(thumb_a: Floats, thumb_b: Floats) -> float | None:
    """How different two thumbnails are, beside how much is on them: 0 for the same, about 1 to 2 for
    others; None where one of them is almost blank.
    """
    shown = [float(np.abs(thumb - paper_of(thumb)).mean()) for thumb in (thumb_a, thumb_b)]
    if min(shown) < _LEAST:
        return None
    return float(np.abs(thumb_a - thumb_b).mean()) / (sum(shown) / 2)


def thumbnail(picture: Picture) -> Floats:
    """16 × 16 RGB, 0 … 255. Raises ValueError when the picture cannot be decoded."""
    image = decode(picture.png).resize((_SIDE, _SIDE), Image.Resampling.BOX)
    return np.asarray(image).astype(np.float64)


class NearDuplicates:
    """1 for a sample that looks like another one of its group, else 0. `details.nearest` is how unlike the
    nearest one is.

    Args:
        limit: differences up to it are copies.
        share: the share of the group's other pictures that must be copies of it: 0 for any one, 0.5 for half.

    Raises:
        RecipeError: a number is out of its range.
    """

    version = "1"
    compares_mates: Literal[True] = True

    def __init__(self, limit: float = LIMIT, share: float = 0.0) -> None:
        if not limit > 0 or not 0 <= share <= 1:
            raise RecipeError("near_duplicates: limit is above 0, and share from 0 to 1")
        self._limit, self._share = limit, share

    def score(self, group: Group) -> list[Score]:
        """0 or 1 per sample."""
        thumbs = [_thumb(sample) for sample in group.samples]
        return [
            nothing_to_see(sample) if sample.picture is None else self._one(place, thumbs)
            for place, sample in enumerate(group.samples)
        ]

    def _one(self, place: int, thumbs: Sequence[Floats | Failure]) -> Score:
        own = thumbs[place]
        if isinstance(own, Failure):
            return missing(own)
        others = [each for at, each in enumerate(thumbs) if at != place and not isinstance(each, Failure)]
        if not others:
            told = "no other picture in the group"
            return Score(None, Failure("not_applicable", told, "system", "score"))
        found = [apart for each in others if (apart := difference(own, each)) is not None]
        copies = sum(apart <= self._limit for apart in found)
        violates = copies > 0 and copies >= self._share * len(others)
        reason = f"{copies} of {len(others)} others look the same" if copies else "unlike the others"
        details = {"copies": float(copies)} | ({"nearest": min(found)} if found else {})
        return Score(float(violates), reason=reason, details=details)


def _thumb(sample: Sample) -> Floats | Failure:
    if sample.picture is None:
        return NO_PICTURE
    with boundary("score") as caught:
        return thumbnail(sample.picture)
    assert caught.failure is not None
    return caught.failure
