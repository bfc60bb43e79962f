"""One SVG to the pixels of one picture, in this process, with resvg: what the drawing processes do.

Two bindings of resvg are known. svg2png-py hands over pixels; resvg-py, which installs everywhere, hands over
a PNG and takes some ten times as long. They give the same pixels.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor

from salon.media.paint import shows_nothing
from salon.media.svg_check import sanitize
from salon.raster import decode, encode_flat_png
from salon.types import Failure

Colour = tuple[int, int, int]
Draw = Callable[[str, str], NDArray[np.uint8]]
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


def draw_picture(source: str, size: tuple[int, int], paper: str) -> tuple[bytes, bool] | Failure:
    """The PNG of an SVG as it was written, on paper, and whether it shows nothing; or what is wrong with it.

    Args:
        source: text that starts with `<svg`.
        size: width and height of the picture, in pixels.
        paper: the colour under it, #rrggbb.
    """
    clean = sanitize(source, size)
    if isinstance(clean, Failure):
        return clean
    try:
        drawn_HWC = _drawing()(clean, paper)
    except (ValueError, RuntimeError) as error:
        return Failure("threw", str(error)[:300], "sample", "render")
    pixels_HWC = _centred(drawn_HWC, size, paper)
    return encode_flat_png(pixels_HWC), shows_nothing(pixels_HWC)


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
def _drawing() -> Draw:
    return _with_svg2png() if binding()[0] == "svg2png-py" else _with_resvg_py()


def _with_svg2png() -> Draw:
    svg2png: Any = import_module("svg2png_py")
    no_fonts = svg2png.FontDatabase()

    def draw(svg: str, paper: str) -> NDArray[np.uint8]:
        ground = (*ImageColor.getrgb(paper)[:3], 255)
        raw, width, height = svg2png.svg_to_rgba(svg, no_fonts, bg_color=ground)
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
