"""Does the sketch paint with p5.brush, rather than with p5's own shapes?"""

from salon.media.check import uses_brush
from salon.scorers.looking import nothing_to_see
from salon.types import Group, Sample, Score


class UsesBrush:
    """1 for a source that calls the brush, else 0: also for a reply without one."""

    version = "2"

    def score(self, group: Group) -> list[Score]:
        """0 or 1 for each sample."""
        return [_score(sample) for sample in group.samples]


def _score(sample: Sample) -> Score:
    if sample.source is None:
        return _without_source(sample)
    used = uses_brush(sample.source)
    return Score(float(used), reason="calls the brush" if used else "never calls the brush")


def _without_source(sample: Sample) -> Score:
    failure = sample.failure
    if failure is not None and failure.fault == "sample":
        return Score(0.0, reason=f"{failure.code}: {failure.message}")
    if failure is not None or sample.picture is None:
        return nothing_to_see(sample)
    return Score(0.0, reason="there is no source, only a picture")
