"""The gate of p5.brush sketches: compiles, allowed methods only, paints with the brush, not blank."""

from salon.media.p5.checks.source_check import (
    Methods,
    allow_list,
    check_calls,
    check_sketch,
    paints_with_brush,
)
from salon.types import Failure, Group, Sample, Score

from .rendered import gate, refusal

NO_BRUSH = Failure("bare_primitives", "the sketch never paints with the brush", "sample", "check")


class SketchGate:
    """1 for a sketch that may be judged, else 0, with the code of what is wrong.

    Args:
        methods: which methods of the brush may be called: "watercolour" (a short allow-list, against
        invented calls),
            "any" that exists, or a list. It may be narrower than what the medium renders.

    The syntax is asked, and what the sketch called when it ran (its rendering's `calls`): a name that stands
    for another is no way around a list, and a brush that is only mentioned paints nothing. With a list, a
    sketch keeps to a part of JavaScript that leads nowhere else (docs/decisions/017). A medium that lists
    methods refuses what nobody watched; a picture of elsewhere, whose calls are not known, has its syntax
    checked alone.
    """

    version = "4"

    def __init__(self, methods: Methods = "watercolour") -> None:
        allow_list(methods)
        self._methods: Methods = methods

    def score(self, group: Group) -> list[Score]:
        """0 or 1 for each sample; missing where the system failed."""
        return [self._score(sample) for sample in group.samples]

    def _score(self, sample: Sample) -> Score:
        drawn = gate(sample)
        if drawn.value != 1.0 or sample.source is None:
            return drawn
        found = check_sketch(sample.source, self._methods)
        if found is None and sample.calls is not None:
            found = check_calls(sample.calls, self._methods)
        if found:
            return refusal(found)
        return drawn if paints_with_brush(sample.source, sample.calls) else refusal(NO_BRUSH)
