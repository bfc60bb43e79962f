"""Does a picture show a flaw that needs no judge to see? For the role `veto`: 1 is a violation."""

from collections.abc import Mapping, Sequence

from salon.errors import RecipeError
from salon.raster import decode
from salon.registry import did_you_mean
from salon.types import Group, Picture, Score

from .asking import score_each_picture
from .pixel_defects import FLAWS, Sheet

DEFAULT = ("blank", "tiny", "oversaturated", "noise", "torn", "grid")


class PixelDetector:
    """1 when one of the flaws is there, else 0. The details have the number of each flaw.

    Args:
        flaws: which ones: blank, tiny, oversaturated, noise, torn, grid (see salon.scorers.pixel_defects).
        limits: flaw → the number from which on it is a violation, instead of the built-in one.

    Raises:
        RecipeError: there is no such flaw, or none is named.
    """

    version = "1"

    def __init__(self, flaws: Sequence[str] = DEFAULT, limits: Mapping[str, float] | None = None) -> None:
        limits = limits or {}
        if isinstance(flaws, str) or not flaws:
            raise RecipeError("pixel_detector: flaws: name at least one, as a list")
        for key, names in (("flaws", flaws), ("limits", limits)):
            for name in names:
                if name not in FLAWS:
                    raise RecipeError(
                        f"pixel_detector: {key}: there is no {name!r}.{did_you_mean(name, FLAWS)}"
                    )
        self._limits = {name: float(limits.get(name, FLAWS[name].limit)) for name in flaws}

    def score(self, group: Group) -> list[Score]:
        """0 or 1 per sample."""
        return score_each_picture(group, self._look)

    def _look(self, picture: Picture) -> Score:
        sheet = Sheet.of(decode(picture.png))
        found = {name: FLAWS[name].measure(sheet) for name in self._limits}
        seen = [name for name, limit in self._limits.items() if found[name] >= limit]
        told = "; ".join(f"{FLAWS[name].meaning} ({name} {found[name]:.3f})" for name in seen)
        return Score(float(bool(seen)), reason=told or "clean", details=found)
