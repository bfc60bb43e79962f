"""What a sketch's page says, read as what it is: text from a stranger.

A message is words and numbers in one line of text, and starts with the token that only the page's guard and
its renderer know; messages are numbered. Whatever does not keep to that is the sketch's own doing.
"""

import base64
import binascii
import re
from dataclasses import dataclass, field

from salon.markup import printable

REPORTS = frozenset(
    (
        *("done", "threw", "missing_entry_points", "canvas_size", "context_lost", "no_context"),
        *("external_access", "embedded_raster"),
    )
)
"""The kinds of reports that a page may make."""

STAGES = frozenset(("loading", "setup", "draw"))
MESSAGE = re.compile(r"([0-9]{1,6}) ([a-z_]{1,24}) ([0-9]{1,10}) ([0-9]{1,10}) ([01])([01]) (.*)", re.DOTALL)
LONGEST_MESSAGE = 500
PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(slots=True)
class Report:
    """What the page said, or what was seen from outside: `kind` is done or a failure code.

    `message` is one clean line. `started`: p5 had. `of_p5`: the name that was missing is one that p5 defines.
    """

    kind: str
    message: str = ""
    line: int = 0
    frame: int = 0
    started: bool = False
    of_p5: bool = False

    def __post_init__(self) -> None:
        self.message = printable(self.message, LONGEST_MESSAGE)


@dataclass(frozen=True, slots=True)
class Stage:
    """How far a page has come: loading, setup or draw."""

    name: str


@dataclass(frozen=True, slots=True)
class PictureReport:
    """The picture, as PNG bytes; None where there is no canvas."""

    png: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Calls:
    """The entry points of p5, p5.brush and canvases that the sketch called, sorted."""

    names: tuple[str, ...]


class Forged(Exception):
    """A page said what its guard never says."""


def read_message(text: object, token: str, number: int) -> Report | Stage | PictureReport | Calls:
    """A page's message.

    Args:
        text: as it arrived.
        token: what it must begin with.
        number: which one it must be, from 1.

    Raises:
        Forged: it is none.

    Example:
        read_message("t 2 threw 0 7 10 Error: x", "t", 2) == Report("threw", "Error: x", 7, 0, True, False)
    """
    head = f"{token} "
    found = MESSAGE.fullmatch(text, len(head)) if isinstance(text, str) and text.startswith(head) else None
    if not found or int(found[1]) != number:
        raise Forged("the page said what it never says")
    kind, rest = found[2], found[7]
    if kind == "picture":
        return PictureReport(_png(rest))
    if kind == "calls":
        return Calls(tuple(sorted(filter(None, rest.split(",")))))
    if kind == "stage" and rest in STAGES:
        return Stage(rest)
    if kind not in REPORTS:
        raise Forged("the page reported what no page reports")
    return Report(kind, rest, int(found[4]), int(found[3]), found[5] == "1", found[6] == "1")


def png_size(png: bytes) -> tuple[int, int]:
    """Width and height by a PNG's header; (0, 0) where it is none."""
    if png[:8] != PNG or png[12:16] != b"IHDR" or len(png) < 45:
        return 0, 0
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def _png(text: str) -> bytes | None:
    if not text:
        return None
    try:
        png = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Forged("the page showed what is no picture") from error
    if not all(png_size(png)):
        raise Forged("the page showed what is no picture")
    return png
