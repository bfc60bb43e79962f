"""From replies to pictures: what a policy wrote is taken out of its reply, checked, and rendered, whoever's
fault it is if that fails.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from salon.errors import boundary
from salon.markup import encodable
from salon.types import Failure, Medium, Rendering, Sample


def derive_seed(*parts: object) -> int:
    """A seed of 31 bits that depends on all parts and on nothing else."""
    digest = hashlib.sha256("/".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:4], "big") & 0x7FFFFFFF


def develop(medium: Medium, drafts: Sequence[Sample]) -> list[Sample]:
    """Fill in source, picture, failure and seconds of samples that have a reply.

    Equal sources under equal seeds are rendered once. Nothing raises: a reply without a source, a source that
    does not pass the check and a sketch that does not run are the sample's failures; a medium that breaks
    down is the system's.

    Args:
        medium: turns replies into pictures.
        drafts: N samples with id, prompt, reply and seed.

    Returns:
        N samples, in order.
    """
    read = [_read(medium, draft) for draft in drafts]
    wanted = list(
        dict.fromkeys((sample.source or "", sample.seed) for sample in read if sample.failure is None)
    )
    made = dict(zip(wanted, _render(medium, wanted), strict=True))
    return [
        sample if sample.failure else _with_picture(sample, made[sample.source or "", sample.seed])
        for sample in read
    ]


def _read(medium: Medium, draft: Sample) -> Sample:
    draft = replace(draft, reply=encodable(draft.reply))
    with boundary("extract") as caught:
        source = medium.extract(draft.reply)
        if isinstance(source, Failure):
            return replace(draft, failure=source)
        return replace(draft, source=source, failure=medium.check(source))
    return replace(draft, failure=caught.failure)


def _render(medium: Medium, wanted: Sequence[tuple[str, int]]) -> list[Rendering]:
    if not wanted:
        return []
    with boundary("render") as caught:
        made = medium.render([source for source, _ in wanted], [seed for _, seed in wanted])
        if len(made) != len(wanted):
            raise ValueError(f"{medium.name} gave {len(made)} renderings for {len(wanted)} sources")
        return made
    return [Rendering(picture=None, failure=caught.failure)] * len(wanted)


def _with_picture(sample: Sample, made: Rendering) -> Sample:
    return replace(sample, picture=made.picture, failure=made.failure, seconds=made.seconds, calls=made.calls)
