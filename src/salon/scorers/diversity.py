"""How different is a picture from the others of its group? As a term it pays for variety; as a monitor it
shows a policy that has begun to paint one picture only.
"""

from typing import Literal

import numpy as np

from salon.judges.learned.features import Features, Kind
from salon.raster import decode
from salon.types import Group, Picture, Score

from .asking import not_applicable, nothing_to_see


class Diversity:
    """The mean cosine distance of a picture's features from those of its group mates: 0 for copies.

    Args:
        features: what is seen of a picture: `efficientnet-lite0` (a network's last layer: what it shows),
            `handmade` or `colour` (formulas: how it is painted).
        threads: threads for one picture.

    A group with fewer than two pictures is not applicable. `details["nearest"]` is the distance from the
    nearest mate: 0 where a picture came twice.
    """

    version = "1"
    compares_mates: Literal[True] = True

    def __init__(self, features: Kind = "efficientnet-lite0", threads: int = 2) -> None:
        self._features = Features(kind=features, layers=("head",))
        self._threads = threads

    def score(self, group: Group) -> list[Score]:
        """One distance per sample."""
        seen = [sample.picture for sample in group.samples if sample.picture is not None]
        if len(seen) < 2:
            return not_applicable(group, "fewer than two pictures to compare")
        unit_ND = np.stack([self._unit(picture) for picture in seen])
        distance_NN = np.clip(1.0 - unit_ND @ unit_ND.T, 0.0, 2.0)
        np.fill_diagonal(distance_NN, 0.0)
        means = iter(distance_NN.sum(axis=1) / (len(seen) - 1))
        np.fill_diagonal(distance_NN, np.inf)
        nearest = iter(distance_NN.min(axis=1))
        return [
            nothing_to_see(sample)
            if sample.picture is None
            else _score(float(next(means)), float(next(nearest)))
            for sample in group.samples
        ]

    def _unit(self, picture: Picture) -> np.ndarray:
        """The picture's vector, each of its parts of the same length, and the whole of length 1."""
        vector_D = self._features.of(decode(picture.png), self._threads).astype(np.float64)
        parts = np.split(vector_D, np.cumsum(self._features.blocks())[:-1])
        scaled = [part / max(float(np.linalg.norm(part)), 1e-12) for part in parts]
        return np.concatenate(scaled) / np.sqrt(len(scaled))


def _score(mean: float, nearest: float) -> Score:
    told = f"{mean:.3f} from its group on average, {nearest:.3f} from the nearest"
    return Score(mean, reason=told, details={"nearest": nearest})
