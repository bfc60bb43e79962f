"""One SVG to the pixels of one picture, in this process, with resvg: what the drawing processes do.

Two bindings of resvg are known. svg2png-py hands over pixels; resvg-py, which installs everywhere, hands over
a PNG and takes some ten times as long. They give the same pixels.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor

from salon.media.paint_coverage import shows_nothing
from salon.raster import decode, encode_flat_png
from salon.types import Failure

from .source_check import FEWEST_HIDDEN, SHAPES, sanitize
from .text import Font

Verdict = Literal["shown", "blank", "off_canvas"]
Draw = Callable[[str, str], NDArray[np.uint8]]
SHAPE = re.compile(rf"<(?:\w+:)?(?:{'|'.join(sorted(SHAPES))})\b")
BINDINGS = ("svg2png-py", "resvg-py")
"""Packages, the faster one first."""


def binding() -> tuple[str, str]:
    """The package that draws, and its version. Raises PackageNotFoundError when there is none."""
    for package in BINDINGS[:-1]:
        try:
            return package, version(package)
        except PackageNotFoundError:
            continue
    return BINDINGS[-1], version(BINDINGS[-1])


def draw_picture(
    source: str, size: tuple[int, int], paper: str, fonts: tuple[Font, ...] = ()
) -> tuple[bytes, Verdict] | Failure:
    """The PNG of an SVG as it was written, on paper, and what it shows; or what is wrong with it.

    Args:
        source: text that starts with `<svg`.
        size: width and height of the picture, in pixels.
        paper: the colour under it, #rrggbb.
        fonts: what text is set in; none for no text.
    """
    clean = sanitize(source, size, [font.family for font in fonts])
    if isinstance(clean, Failure):
        return clean
    try:
        drawn_HWC = _drawing(fonts)(clean, paper)
    except (ValueError, RuntimeError) as error:
        return Failure("threw", str(error)[:300], "sample", "render")
    pixels_HWC = _centred(drawn_HWC, size, paper)
    verdict = _unseen(clean) if shows_nothing(pixels_HWC) else "shown"
    return encode_flat_png(pixels_HWC), verdict


def _unseen(clean: str) -> Verdict:
    """A drawing that shows nothing, though it has enough shapes to show something, is somewhere else."""
    return "off_canvas" if len(SHAPE.findall(clean)) >= FEWEST_HIDDEN else "blank"


def _centred(drawn_HWC: NDArray[np.uint8], size: tuple[int, int], paper: str) -> NDArray[np.uint8]:
    """A drawing that is no larger than `size`, in the middle of paper of that size."""
    height, width, _ = drawn_HWC.shape
    if (width, height) == size:
        return drawn_HWC
    left, top = (size[0] - width) // 2, (size[1] - height) // 2
    sheet_HWC = np.empty((size[1], size[0], 3), np.uint8)
    sheet_HWC[:] = ImageColor.getrgb(paper)[:3]
    sheet_HWC[top : top + height, left : left + width] = drawn_HWC
    return sheet_HWC


@cache
def _drawing(fonts: tuple[Font, ...] = ()) -> Draw:
    return _with_svg2png(fonts) if binding()[0] == "svg2png-py" else _with_resvg_py()


def _with_svg2png(fonts: Sequence[Font] = ()) -> Draw:
    svg2png: Any = import_module("svg2png_py")
    known = svg2png.FontDatabase()
    for font in fonts:
        known.load_font_file(font.file)

    def draw(svg: str, paper: str) -> NDArray[np.uint8]:
        ground = (*ImageColor.getrgb(paper)[:3], 255)
        raw, width, height = svg2png.svg_to_rgba(svg, known, bg_color=ground)
        # Pillow leaves out every fourth byte seven times as fast as numpy does.
        opaque = Image.frombuffer("RGBX", (width, height), raw, "raw", "RGBX", 0, 1).tobytes("raw", "RGB")
        return np.frombuffer(opaque, np.uint8).reshape(height, width, 3)

    return draw


def _with_resvg_py() -> Draw:
    resvg: Any = import_module("resvg_py")

    def draw(svg: str, paper: str) -> NDArray[np.uint8]:
        png = bytes(resvg.svg_to_bytes(svg_string=svg, skip_system_fonts=True, background=paper))
        return np.asarray(decode(png, paper))

    return draw
