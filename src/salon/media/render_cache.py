"""Renderings kept on disk, by everything that decides them: shared by runs, and safe for several processes.

The key hashes the source, the seed, the medium's name, its arguments and its versions, and the code that
decides (see code_digest.py). An entry names its key and its picture's hash: one that was put in another's
place, or another's picture, is not believed. What a sample did to
itself (it threw, it is blank) is kept too; what time or the machine did (a timeout, a lost browser) never is.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from salon.files.cache_folders import cache_folder, trim
from salon.store.runs import write_atomic
from salon.types import Failure, Medium, Picture, Rendering

from .code_digest import digest_of_rules
from .metrics import RenderMetrics, metrics_of

PASSING = frozenset(
    (
        *("timeout", "page_crashed", "gpu_crashed", "browser_crashed", "out_of_memory", "context_lost"),
        "renderer_crashed",
    )
)
"""Failures that are the sample's, and may still not happen again."""

LIMIT_BYTES = 2_000_000_000


LARGEST = 100_000_000
LONGEST_HEAD = 100_000
"""Bytes of an entry, and of its line of JSON."""


class _KeptFailure(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    code: str
    message: str
    fault: Literal["sample", "system"]
    stage: str


class _Kept(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    key: str
    picture: str | None
    failure: _KeptFailure | None
    seconds: float = Field(ge=0, allow_inf_nan=False)
    calls: list[str] | None


class CachedMedium:
    """A medium that asks another one only for what it has not rendered before.

    Args:
        medium: who renders.
        arguments: what the medium was opened with, as far as it decides a pixel.
        folder: where renderings lie; None for `cache_folder("renders")`.
        limit_bytes: what the folder may hold; when it is opened with more, the oldest files go.

    `hits` and `misses` count since it was opened.
    """

    def __init__(
        self,
        medium: Medium,
        arguments: Mapping[str, Any],
        folder: Path | None = None,
        limit_bytes: int = LIMIT_BYTES,
    ) -> None:
        self.medium, self.name = medium, medium.name
        self.folder = folder or cache_folder("renders")
        self.hits = self.misses = 0
        self._arguments = dict(arguments)
        self._prefix = ""
        trim(self.folder, limit_bytes)

    def extract(self, reply: str) -> str | Failure:
        """The source inside a model's reply."""
        return self.medium.extract(reply)

    def check(self, source: str) -> Failure | None:
        """What can be known to be wrong without rendering."""
        return self.medium.check(source)

    def render(self, sources: Sequence[str], seeds: Sequence[int]) -> list[Rendering]:
        """One rendering per source, in order; a kept one has the seconds that it took when it was made."""
        places = [self._place(source, seed) for source, seed in zip(sources, seeds, strict=True)]
        found = {place: kept for place in set(places) if (kept := _read(place)) is not None}
        asked = {place: index for index, place in reversed(list(enumerate(places))) if place not in found}
        order = list(asked.values())
        made = self.medium.render([sources[i] for i in order], [seeds[i] for i in order]) if order else []
        for place, rendering in zip(asked, made, strict=True):
            found[place] = rendering
            if _lasts(rendering):
                _write(place, rendering)
        self.misses += len(order)
        self.hits += len(places) - len(order)
        return [found[place] for place in places]

    def versions(self) -> dict[str, str]:
        """Everything that decides a pixel."""
        return self.medium.versions()

    def metrics(self) -> RenderMetrics:
        """The medium's, with what it did not have to render."""
        return replace(metrics_of(self.medium), cache_hits=self.hits, cache_misses=self.misses)

    def close(self) -> None:
        """Close the medium; what is kept stays."""
        self.medium.close()

    def _place(self, source: str, seed: int) -> Path:
        if not self._prefix:
            decides = [self.name, self._arguments, self.versions(), digest_of_rules(self.name)]
            self._prefix = json.dumps(decides, sort_keys=True, default=str)
        key = hashlib.sha256(json.dumps([self._prefix, seed, source]).encode()).hexdigest()
        return self.folder / key[:2] / key


def _lasts(rendering: Rendering) -> bool:
    failure = rendering.failure
    return failure is None or (failure.fault == "sample" and failure.code not in PASSING)


def _write(place: Path, rendering: Rendering) -> None:
    """Keep a rendering: a line of JSON, then the PNG. A cache that cannot be written to is no failure."""
    picture = rendering.picture
    head = {
        "key": place.name,
        "picture": picture.key if picture else None,
        "failure": asdict(rendering.failure) if rendering.failure else None,
        "seconds": rendering.seconds,
        "calls": rendering.calls,
    }
    with suppress(OSError):
        write_atomic(
            place, json.dumps(head, allow_nan=False).encode() + b"\n" + (picture.png if picture else b"")
        )


def _read(place: Path) -> Rendering | None:
    """A kept rendering; None where there is none, or it is damaged, another's, or of no form that is kept."""
    try:
        if place.is_symlink() or place.stat().st_size > LARGEST:
            return None
        head, _, png = place.read_bytes().partition(b"\n")
        kept = _Kept.model_validate_json(head[:LONGEST_HEAD])
        picture = Picture.from_png(png) if kept.picture else None
    except (OSError, ValueError):
        return None
    if kept.key != place.name or (picture is not None and picture.key != kept.picture):
        return None
    failure = Failure(**dict(kept.failure)) if kept.failure else None
    calls = None if kept.calls is None else tuple(kept.calls)
    rendering = Rendering(picture, failure, kept.seconds, calls)
    return rendering if _lasts(rendering) and (picture or failure) else None
