"""SVG as a medium: sanitised as XML, then drawn by resvg, which runs no scripts and here loads no files.

The rule for sources: the text from the first `<svg` to the last `</svg>`; XML, with the SVG namespace added
where it is missing, without a document type, and with nothing that executes, embeds or points outside. A
viewBox, or else width and height, decide the shape; without either the canvas is the medium's own. A picture
is `size` pixels: the drawing is scaled to fit and centred on paper.

Sources are drawn by several processes, some at a time (see workers.py).
"""

import math
import os
import sys
from collections.abc import Sequence
from typing import Literal

from PIL import ImageColor

from salon.errors import RecipeError, SetupError
from salon.installed import install_command
from salon.media.extract_source import extract_svg
from salon.media.metrics import Counters, RenderMetrics
from salon.media.worker_pool import WorkerPool
from salon.types import Failure, Rendering
from salon.validation import MOST_SECONDS

from .rasterize import binding
from .source_check import sanitize
from .text import Font, load_fonts
from .workers import RenderSettings, SvgWorker

BATCH = 16
"""SVGs that one process gets at a time, at most."""


class SvgMedium:
    """The medium "svg".

    Args:
        size: width and height of every picture.
        deadline_s: seconds one drawing may take, from when it is its turn.
        paper: the colour under it, #rrggbb.
        workers: drawing processes; None for one per core. They start when there is work for them.
        text: whether text is refused (`text_label`) or drawn.
        fonts: the font files that text is drawn with; none for the one that Pillow brings.

    Raises:
        RecipeError: an argument is out of its range, or a font cannot be read.
        SetupError: text is to be drawn, and only the slower of the two bindings is there.
    """

    name = "svg"

    def __init__(
        self,
        size: tuple[int, int] = (512, 512),
        deadline_s: float = 10.0,
        paper: str = "#ffffff",
        workers: int | None = None,
        text: Literal["refuse", "draw"] = "refuse",
        fonts: Sequence[str] = (),
    ) -> None:
        self._count = _cores() if workers is None else workers
        if min(size) < 1 or not 0 < deadline_s <= MOST_SECONDS or self._count < 1:
            told = (
                f"medium svg: size, workers and deadline_s must be positive, and that up to {MOST_SECONDS:g}"
            )
            raise RecipeError(told)
        self.size = (int(size[0]), int(size[1]))
        self.deadline_s, self.paper = deadline_s, _colour(paper)
        self._counters = Counters()
        self._fonts = _fonts(text, fonts)
        settings = RenderSettings(self.size, self.paper, deadline_s, tuple(font.file for font in self._fonts))
        self._workers = WorkerPool[Sequence[str], list[Rendering]](
            self._count, lambda: SvgWorker(settings, self._counters), self._counters
        )

    def extract(self, reply: str) -> str | Failure:
        """The SVG inside a model's reply."""
        return extract_svg(reply)

    def check(self, source: str) -> Failure | None:
        """What its XML shows to be wrong."""
        clean = sanitize(source, self.size, [font.family for font in self._fonts])
        return clean if isinstance(clean, Failure) else None

    def render(self, sources: Sequence[str], seeds: Sequence[int]) -> list[Rendering]:
        """One rendering per source, in order; SVG has no chance in it, so `seeds` change nothing."""
        if len(sources) != len(seeds):
            raise ValueError(f"{len(sources)} sources and {len(seeds)} seeds: one seed per source is wanted")
        size = min(BATCH, math.ceil(len(sources) / (2 * self._count)))
        batches = [sources[at : at + size] for at in range(0, len(sources), max(1, size))]
        made = [rendering for batch in self._workers.run(batches) for rendering in batch]
        self._counters.rendered(made)
        return made

    def versions(self) -> dict[str, str]:
        """resvg decides every pixel, how its pixels are written every byte, and fonts how text looks."""
        package, version = binding()
        fonts = ", ".join(f"{font.family} {font.digest}" for font in self._fonts)
        return {package: version, "svg": "4"} | ({"fonts": fonts} if fonts else {})

    def metrics(self) -> RenderMetrics:
        """What was drawn so far, and how it went."""
        return self._workers.metrics()

    def close(self) -> None:
        """End the drawing processes. The medium may be used again after."""
        self._workers.close()


def _fonts(text: str, files: Sequence[str]) -> tuple[Font, ...]:
    if text not in ("refuse", "draw"):
        raise RecipeError(f"medium svg: text is refuse or draw, and not {text!r}")
    if text == "refuse":
        if files:
            raise RecipeError("medium svg: fonts are for text: draw; add that, or leave them out")
        return ()
    if binding()[0] != "svg2png-py":
        raise SetupError(f"medium svg: text: draw needs the faster binding: {install_command('svg')}")
    return load_fonts(files)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _colour(paper: str) -> str:
    """A colour as #rrggbb. Raises RecipeError when it is none."""
    try:
        red, green, blue, *_ = ImageColor.getrgb(paper)
    except ValueError as error:
        raise RecipeError(f"medium svg: paper {paper!r} is no colour; write it as #rrggbb") from error
    return f"#{red:02x}{green:02x}{blue:02x}"
