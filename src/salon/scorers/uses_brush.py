"""Does the sketch paint with p5.brush, rather than with p5's own shapes?"""

from salon.media.check import uses_brush
from salon.scorers.looking import NO_PICTURE, missing
from salon.types import Group, Sample, Score


class UsesBrush:
    """1 for a source that calls the brush, else 0."""

    version = "1"

    def score(self, group: Group) -> list[Score]:
        """0 or 1 for each sample."""
        return [_score(sample) for sample in group.samples]


def _score(sample: Sample) -> Score:
    if sample.source is None:
        return missing(NO_PICTURE)
    used = uses_brush(sample.source)
    return Score(float(used), reason="calls the brush" if used else "never calls the brush")
