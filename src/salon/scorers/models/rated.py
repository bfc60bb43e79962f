"""How a scorer hands the pictures of a group to a preference model."""

from collections.abc import Sequence
from importlib import metadata

from salon.judges.preference_model import PreferenceModel, Request, rate_all
from salon.scorers.asking import missing, nothing_to_see
from salon.types import Group, Picture, Score


def rate_group(
    model: PreferenceModel,
    group: Group,
    prompt: str | None = None,
    batch: int | None = None,
    before: tuple[Picture, ...] = (),
) -> list[Score]:
    """One score per sample; what the model fails at is missing, by the system's fault.

    Args:
        prompt: what every picture is scored against; None for the prompt's own text.
        batch: how many pictures the model is handed at once; None for all.
        before: pictures that came earlier, such as the one that was to be edited.
    """
    text = group.prompt.text if prompt is None else prompt
    pictures = [sample.picture for sample in group.samples if sample.picture is not None]
    requests = [Request(text, picture, before) for picture in pictures]
    size = batch or max(1, len(requests))
    parts: list[Sequence[Request]] = [requests[at : at + size] for at in range(0, len(requests), size)]
    found = iter([score for part in parts for score in rate_all(model, part)])
    return [
        nothing_to_see(sample) if sample.picture is None else _kept(next(found)) for sample in group.samples
    ]


def package_version(name: str) -> str:
    """The version of an installed package; "?" where it does not say."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "?"


def _kept(score: Score) -> Score:
    return missing(score.failure) if score.failure is not None else score
