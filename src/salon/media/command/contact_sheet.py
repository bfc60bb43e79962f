"""A contact sheet: many pictures at a glance, each with its name, and what failed with its code."""

import io
import math
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from salon.errors import RecipeError
from salon.files.outputs import write_atomic
from salon.raster import decode

THUMB, MARGIN, LABEL = 160, 10, 30
PER_SHEET = 200
INK, FAILED, GROUND, EMPTY = "#333333", "#b3261e", "#eceae5", "#dddad3"


def write_contact_sheets(shown: Sequence[tuple[str, str, Path | None]], out: str) -> list[str]:
    """Write pictures of (name, failure code or "", PNG) to `out`; beyond 200 to `-2`, `-3` and so on.

    Returns:
        The files that were written.

    Raises:
        RecipeError: one cannot be written.
    """
    path = Path(out)
    written: list[str] = []
    for first in range(0, len(shown), PER_SHEET):
        number = first // PER_SHEET + 1
        file = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
        try:
            buffer = io.BytesIO()
            kind = Image.registered_extensions().get(file.suffix.lower(), "")
            contact_sheet(shown[first : first + PER_SHEET]).save(buffer, kind)
            write_atomic(file, buffer.getvalue())
        except (OSError, ValueError, KeyError) as error:
            raise RecipeError(f"{file} cannot be written: {error}; name a .png, .jpg or .webp") from error
        written.append(str(file))
    return written


def contact_sheet(shown: Sequence[tuple[str, str, Path | None]]) -> Image.Image:
    """One sheet, a little wider than it is high."""
    columns = max(1, math.ceil(math.sqrt(1.3 * len(shown))))
    across, down = THUMB + MARGIN, THUMB + LABEL + MARGIN
    size = (columns * across + MARGIN, math.ceil(len(shown) / columns) * down + MARGIN)
    sheet = Image.new("RGB", size, GROUND)
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(11)
    for index, (name, code, file) in enumerate(shown):
        left, top = MARGIN + index % columns * across, MARGIN + index // columns * down
        _place_thumb(sheet, pen, (left, top), file)
        pen.text((left, top + THUMB + 2), _short(name), INK, font)
        pen.text((left, top + THUMB + 15), _short(code), FAILED, font)
    return sheet


def _place_thumb(
    sheet: Image.Image, pen: ImageDraw.ImageDraw, at: tuple[int, int], file: Path | None
) -> None:
    if file is None:
        pen.rectangle((*at, at[0] + THUMB - 1, at[1] + THUMB - 1), EMPTY)
        return
    image = decode(file.read_bytes())
    image.thumbnail((THUMB, THUMB))
    sheet.paste(image, (at[0] + (THUMB - image.width) // 2, at[1] + (THUMB - image.height) // 2))


def _short(text: str) -> str:
    """What fits below a thumbnail: the end of a name tells more than its beginning."""
    return text if len(text) <= 26 else f"…{text[-25:]}"
