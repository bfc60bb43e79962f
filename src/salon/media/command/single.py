"""One file to one PNG, in one call."""

import re
from pathlib import Path
from typing import Any

from salon.errors import RecipeError
from salon.files.outputs import write_atomic
from salon.media import open_medium
from salon.types import Failure, Rendering


def render_file(source: str, out: str, size: str = "", seed: int = 0, medium: str = "") -> Rendering:
    """Render the file `source` to the PNG `out` (a partial picture is written too).

    Args:
        source: a sketch, an SVG, or a model's reply with one in it.
        out: where the PNG goes; its folder must exist.
        size: "WIDTHxHEIGHT", or "" for the canvas's own.
        seed: seeds all chance in the sketch.
        medium: a medium's name; "" chooses by the file's ending: .svg, or else p5.brush.

    Raises:
        RecipeError: the file cannot be read or written, or size is not of that form.
        SetupError: the medium is not installed.
    """
    arguments: dict[str, Any] = {"size": parse_size(size)} if size else {}
    opened = open_medium(medium or ("svg" if source.endswith(".svg") else "p5.brush"), **arguments)
    try:
        text = opened.extract(_read(source))
        if isinstance(text, Failure):
            return Rendering(None, text)
        rendering = opened.render([text], [seed])[0]
    finally:
        opened.close()
    if rendering.picture:
        _write(out, rendering.picture.png)
    return rendering


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise RecipeError(
            f"{path} cannot be read: {error.strerror}; name a file with a sketch or SVG"
        ) from error
    except UnicodeDecodeError as error:
        raise RecipeError(f"{path} is not UTF-8 text: name a file with a sketch or SVG") from error


def _write(path: str, png: bytes) -> None:
    try:
        write_atomic(Path(path), png)
    except OSError as error:
        raise RecipeError(f"{path} cannot be written: {error.strerror}; choose another with --out") from error


def parse_size(text: str) -> tuple[int, int]:
    """Width and height out of "512x512". Raises RecipeError for anything else."""
    match = re.fullmatch(r"(\d{1,5})\s*[x×]\s*(\d{1,5})", text.strip())
    if not match or min(int(match[1]), int(match[2])) < 1:
        raise RecipeError(f"--size {text!r}: write it as WIDTHxHEIGHT, such as 512x512")
    return int(match[1]), int(match[2])
