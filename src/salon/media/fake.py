"""A medium without a browser: the picture comes from the source's own bytes. For tests and first examples."""

import hashlib
import random
from collections.abc import Sequence
from importlib.metadata import version

from PIL import Image, ImageColor, ImageDraw

from salon.errors import RecipeError
from salon.raster import encode_png
from salon.types import Failure, Picture, Rendering

from .extract_source import without_thinking


class FakeMedium:
    """The medium "fake": any non-empty reply is a source, and becomes a bunch of coloured discs on white.

    The same source and seed give the same picture; a colour that the source names (such as "tomato" or
    "#ff6347") is the colour of its discs, so that a palette scorer has something to see. A source that holds
    the word "blank" stays white, and one that holds "broken" does not compile.
    """

    name = "fake"

    def __init__(self, size: tuple[int, int] = (96, 96)) -> None:
        if min(size) < 8:
            raise RecipeError(f"medium fake: size {tuple(size)} is too small; it needs 8 × 8 at least")
        self.size = (int(size[0]), int(size[1]))

    def extract(self, reply: str) -> str | Failure:
        """The reply itself, without thinking and white space around it."""
        source = without_thinking(reply).strip()
        if source:
            return source
        return Failure("no_sketch_in_response", "the reply is empty", "sample", "extract")

    def check(self, source: str) -> Failure | None:
        """Refuses a source with the word "broken"."""
        if "broken" in source:
            return Failure("syntax_error", "the source says that it is broken", "sample", "check")
        return None

    def render(self, sources: Sequence[str], seeds: Sequence[int]) -> list[Rendering]:
        """One rendering per source, in order."""
        return [self._one(source, seed) for source, seed in zip(sources, seeds, strict=True)]

    def versions(self) -> dict[str, str]:
        """Pillow's version draws the discs."""
        return {"fake": "1", "pillow": version("pillow")}

    def close(self) -> None:
        """There is nothing to close."""

    def _one(self, source: str, seed: int) -> Rendering:
        if failure := self.check(source):
            return Rendering(None, failure)
        blank = "blank" in source
        picture = Picture.from_png(encode_png(self._draw(source, seed, discs=0 if blank else 9)))
        message = "the sketch ran, and its picture is blank"
        failure = Failure("blank_canvas", message, "sample", "render") if blank else None
        return Rendering(picture, failure)

    def _draw(self, source: str, seed: int, discs: int) -> Image.Image:
        rng = random.Random(hashlib.sha256(f"{seed}:{source}".encode()).digest())
        width, height = self.size
        image = Image.new("RGB", self.size, "#ffffff")
        pen = ImageDraw.Draw(image)
        colours = named_colours(source) or [f"hsl({rng.randrange(360)}, 65%, 60%)" for _ in range(2)]
        for _ in range(discs):
            x, y = rng.uniform(0.25, 0.75) * width, rng.uniform(0.25, 0.75) * height
            radius = rng.uniform(0.05, 0.16) * min(width, height)
            pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=rng.choice(colours))
        return image


def named_colours(source: str) -> list[str]:
    """The CSS colours that a source names, in its order: hex codes and names."""
    words = source.lower().replace('"', " ").replace("'", " ").replace("(", " ").replace(")", " ")
    found = [word.strip(".,;:") for word in words.split()]
    return [word for word in found if word in ImageColor.colormap or _is_hex(word)]


def _is_hex(word: str) -> bool:
    return word.startswith("#") and len(word) in (4, 7) and all(c in "0123456789abcdef" for c in word[1:])
