"""Does the sketch paint with p5.brush, rather than with p5's own shapes?"""

from salon.media.p5.checks.source_check import paints_with_brush
from salon.scorers.asking import nothing_to_see
from salon.types import Group, Sample, Score


class UsesBrush:
    """1 for a sketch that paints with the brush, else 0: also for a reply without one. What it called when it
    ran is asked where somebody watched, and its syntax elsewhere.
    """

    version = "3"

    def score(self, group: Group) -> list[Score]:
        """0 or 1 for each sample."""
        return [_score(sample) for sample in group.samples]


def _score(sample: Sample) -> Score:
    if sample.source is None:
        return _without_source(sample)
    used = paints_with_brush(sample.source, sample.calls)
    return Score(float(used), reason="paints with the brush" if used else "never paints with the brush")


def _without_source(sample: Sample) -> Score:
    failure = sample.failure
    if failure is not None and failure.fault == "sample":
        return Score(0.0, reason=f"{failure.code}: {failure.message}")
    if failure is not None or sample.picture is None:
        return nothing_to_see(sample)
    return Score(0.0, reason="there is no source, only a picture")
