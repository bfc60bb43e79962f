"""Text in SVGs, where a medium draws it: in declared fonts only, so that it looks alike on every machine.

Without fonts of one's own it is set in the one that Pillow brings (Aileron Regular; Latin letters), whatever
family it asks for. A family that is declared is kept; any other becomes the first declared one.
"""

import hashlib
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import ImageFont

from salon.errors import RecipeError
from salon.files.cache_folders import cache_folder
from salon.files.untrusted import read_file
from salon.store.runs import write_atomic

FAMILY = re.compile(r"font-family\s*:\s*([^;}]*)", re.IGNORECASE)
SHORTHAND = re.compile(r"(?<![-\w])font\s*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Font:
    """A font's file, its family's name, and 12 hex digits of the hash of its bytes."""

    file: str
    family: str
    digest: str


def load_fonts(files: Sequence[str]) -> tuple[Font, ...]:
    """The fonts in these TrueType or OpenType files; Pillow's own for none, which becomes a file first.

    Raises:
        RecipeError: a file is not there, or is no font.
    """
    return tuple(map(_load, files or (_built_in(),)))


def _load(file: str) -> Font:
    try:
        data = read_file(file, follow=True)
        family = ImageFont.truetype(io.BytesIO(data), 10).getname()[0]
    except (OSError, ValueError) as error:
        told = f"medium svg: the font {file} cannot be read ({error}): name a .ttf or .otf file, or none"
        raise RecipeError(told) from error
    return Font(str(Path(file).resolve()), family or "unnamed", _digest(data))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


def _built_in() -> str:
    """resvg reads fonts from files only, and Pillow's is none."""
    font = ImageFont.load_default(10)
    if not isinstance(font, ImageFont.FreeTypeFont) or not isinstance(font.path, io.BytesIO):
        raise RecipeError("medium svg: this Pillow brings no font: name a file in fonts")
    data = font.path.getvalue()
    file = cache_folder("fonts") / f"{_digest(data)}.ttf"
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(file, data)
    return str(file)


def set_families(root: Any, families: Sequence[str]) -> None:
    """Let every text of an SVG ask for one of `families`: the first of them where it asks for none."""
    root.set("font-family", _known(root.get("font-family", ""), families))
    for element in root.iter():
        for key in ("font-family", "style"):
            if element is root and key == "font-family":
                continue
            value = element.get(key)
            if value is not None:
                element.set(key, _known(value, families) if key != "style" else _restyled(value, families))
        if isinstance(element.tag, str) and element.tag.endswith("}style") and element.text:
            element.text = _restyled(element.text, families)


def _restyled(css: str, families: Sequence[str]) -> str:
    return FAMILY.sub(lambda found: f"font-family: {_known(found[1], families)}", css)


def _known(asked: str, families: Sequence[str]) -> str:
    """The first known family of a list such as "Georgia, 'Times New Roman', serif"."""
    names = [name.strip().strip("'\"").lower() for name in asked.split(",")]
    return next((family for name in names for family in families if family.lower() == name), families[0])
