"""The gate of any medium: there is a picture, and something is on it."""

from salon.media.paint_coverage import BLANK_BELOW, paint_stats
from salon.types import Failure, Group, Sample, Score


class Rendered:
    """1 when a sample rendered and its picture is not blank, 0 when by its own fault it did not."""

    version = "1"

    def score(self, group: Group) -> list[Score]:
        """0 or 1 for each sample; missing where the system failed."""
        return [gate(sample) for sample in group.samples]


def gate(sample: Sample) -> Score:
    """0 with the failure's code in the reason, or 1; missing where the system is to blame."""
    if sample.failure is not None and sample.failure.fault == "system":
        return Score(value=None, failure=sample.failure)
    if sample.failure is not None:
        return refusal(sample.failure)
    if sample.picture is None:
        return Score(None, Failure("no_picture", "the sample was not rendered", "system", "score"))
    painted = paint_stats(sample.picture).paint_fraction
    details = {"paint": painted}
    if painted < BLANK_BELOW:
        return Score(0.0, reason=f"blank_canvas: {painted:.2%} of the picture is painted", details=details)
    return Score(1.0, reason=f"{painted:.0%} painted", details=details)


def refusal(failure: Failure) -> Score:
    """A gate's 0, with the reason."""
    return Score(0.0, reason=f"{failure.code}: {failure.message}")
