"""A model's SVG in a page: as an image, in which nothing runs, nothing is fetched, and no style gets out."""

import base64

from salon.markup import Html, el
from salon.types import Failure

from .source_check import sanitize


def svg_image(source: str, size: tuple[int, int], alt: str = "") -> Html | Failure:
    """`<img>` with a cleaned SVG inside, or what is wrong with the SVG.

    Cleaned text alone is not safe inside of a page: its styles would be the page's. As an image it is a
    document of its own.

    Args:
        source: text that starts with `<svg`.
        size: width and height in pixels, into which it fits.
        alt: what it shows, in words.
    """
    clean = sanitize(source, size)
    if isinstance(clean, Failure):
        return clean
    data = base64.b64encode(clean.encode("utf-8")).decode("ascii")
    return el("img", {"src": f"data:image/svg+xml;base64,{data}", "alt": alt})
