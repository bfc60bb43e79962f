"""SVG as a medium: sanitised as XML, then drawn by resvg, which runs no scripts and here loads no files.

The rule for sources: the text from the first `<svg` to the last `</svg>`; XML, with the SVG namespace added
where it is missing, without a document type, and with nothing that executes, embeds or points outside. A
viewBox, or else width and height, decide the shape; without either the canvas is the medium's own. A picture
is `size` pixels: the drawing is scaled to fit and centred on paper.

Sources are drawn by several processes, some at a time (see svg_hands.py).
"""

import math
import os
import sys
from collections.abc import Sequence

from PIL import ImageColor

from salon.errors import RecipeError
from salon.media.crew import Crew
from salon.media.extract import extract_svg
from salon.media.metrics import RenderMetrics, Tally
from salon.media.svg_check import sanitize
from salon.media.svg_draw import binding
from salon.media.svg_hands import Easel, SvgHand
from salon.types import Failure, Rendering

BATCH = 16
"""SVGs that one process gets at a time, at most."""


class SvgMedium:
    """The medium "svg".

    Args:
        size: width and height of every picture.
        deadline_s: seconds one drawing may take, from when it is its turn.
        paper: the colour under it, #rrggbb.
        workers: drawing processes; None for one per core. They start when there is work for them.
    """

    name = "svg"

    def __init__(
        self,
        size: tuple[int, int] = (512, 512),
        deadline_s: float = 10.0,
        paper: str = "#ffffff",
        workers: int | None = None,
    ) -> None:
        self._workers = _cores() if workers is None else workers
        if min(size) < 1 or deadline_s <= 0 or self._workers < 1:
            raise RecipeError("medium svg: size, workers and deadline_s must be positive")
        self.size = (int(size[0]), int(size[1]))
        self.deadline_s, self.paper = deadline_s, _colour(paper)
        self._tally = Tally()
        easel = Easel(self.size, self.paper, deadline_s)
        self._crew = Crew[Sequence[str], list[Rendering]](
            self._workers, lambda: SvgHand(easel, self._tally), self._tally
        )

    def extract(self, reply: str) -> str | Failure:
        """The SVG inside a model's reply."""
        return extract_svg(reply)

    def check(self, source: str) -> Failure | None:
        """What its XML shows to be wrong."""
        clean = sanitize(source, self.size)
        return clean if isinstance(clean, Failure) else None

    def render(self, sources: Sequence[str], seeds: Sequence[int]) -> list[Rendering]:
        """One rendering per source, in order; SVG has no chance in it, so `seeds` change nothing."""
        if len(sources) != len(seeds):
            raise ValueError(f"{len(sources)} sources and {len(seeds)} seeds: one seed per source is wanted")
        size = min(BATCH, math.ceil(len(sources) / (2 * self._workers)))
        batches = [sources[at : at + size] for at in range(0, len(sources), max(1, size))]
        made = [rendering for batch in self._crew.run(batches) for rendering in batch]
        self._tally.rendered(made)
        return made

    def versions(self) -> dict[str, str]:
        """resvg decides every pixel, and how its pixels are written every byte."""
        package, version = binding()
        return {package: version, "svg": "2"}

    def metrics(self) -> RenderMetrics:
        """What was drawn so far, and how it went."""
        return self._crew.metrics()

    def close(self) -> None:
        """End the drawing processes. The medium may be used again after."""
        self._crew.close()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _colour(paper: str) -> str:
    """A colour as #rrggbb. Raises RecipeError when it is none."""
    try:
        red, green, blue, *_ = ImageColor.getrgb(paper)
    except ValueError as error:
        raise RecipeError(f"medium svg: paper {paper!r} is no colour; write it as #rrggbb") from error
    return f"#{red:02x}{green:02x}{blue:02x}"
