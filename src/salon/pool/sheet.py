"""Contact sheets: many pictures on one PNG, each under its id, to be looked at and rated."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from salon.files.outputs import write_atomic
from salon.files.untrusted import inside, read_file
from salon.markup import visible
from salon.raster import decode, encode_png

_GAP = 10
_CAPTION = 26
_INK = "#222222"
_BACKGROUND = "#d8d8d8"
_LARGEST, _SMALLEST = 18, 9
_MOST_BYTES = 200_000_000
PICTURE_SUFFIXES = (".png", ".webp", ".jpg", ".jpeg")


def contact_sheet(pictures: Sequence[tuple[str, bytes]], columns: int = 5, tile: int = 240) -> Image.Image:
    """Lay pictures out in rows, each with its caption below.

    Args:
        pictures: (caption, encoded bytes of a PNG, JPEG or WebP) in reading order.
        columns: pictures per row.
        tile: side of the square each picture is fitted into, in pixels.

    Returns:
        An RGB image, columns × (tile + gap) wide.
    """
    rows = max(1, -(-len(pictures) // columns))
    cell_w, cell_h = tile + _GAP, tile + _GAP + _CAPTION
    sheet = Image.new("RGB", (columns * cell_w + _GAP, rows * cell_h + _GAP), _BACKGROUND)
    for index, (caption, data) in enumerate(pictures):
        left = _GAP + (index % columns) * cell_w
        top = _GAP + (index // columns) * cell_h
        picture = decode(data)
        picture.thumbnail((tile, tile), Image.Resampling.LANCZOS)
        sheet.paste(picture, (left + (tile - picture.width) // 2, top + (tile - picture.height) // 2))
        _write_caption(sheet, caption, left, top + tile + 2, tile)
    return sheet


def write_sheets(
    source: str | Path,
    out: str | Path,
    ids: Sequence[str] | None = None,
    captions: Mapping[str, str] | None = None,
    per_sheet: int = 20,
    columns: int = 5,
    tile: int = 240,
) -> list[Path]:
    """Write contact sheets of a folder's pictures, `per_sheet` to a PNG.

    Args:
        source: a folder of pictures; a picture's id is its file name without the suffix.
        out: where sheet-000.png, sheet-001.png … go.
        ids: which pictures, in which order; all of them by name when None.
        captions: what to write below an id instead of the id itself (say "rose-07 love").

    Returns:
        The sheets' paths, in order.
    """
    files = {path.stem: path for path in _pictures(Path(source))}
    chosen = list(files) if ids is None else list(ids)
    target = Path(out)
    target.mkdir(parents=True, exist_ok=True)
    sheets: list[Path] = []
    for start in range(0, len(chosen), per_sheet):
        rows = [
            ((captions or {}).get(i, i), read_file(inside(source, files[i]), _MOST_BYTES))
            for i in chosen[start : start + per_sheet]
        ]
        path = target / f"sheet-{len(sheets):03d}.png"
        write_atomic(path, encode_png(contact_sheet(rows, columns=columns, tile=tile)))
        sheets.append(path)
    return sheets


def _pictures(folder: Path) -> Iterator[Path]:
    return (p for p in sorted(folder.iterdir()) if p.suffix.lower() in PICTURE_SUFFIXES)


def _write_caption(sheet: Image.Image, caption: str, left: int, top: int, width: int) -> None:
    """In one line below the picture, smaller where it is long, and cut in its middle where that is not
    enough: ids differ at their ends.
    """
    draw, text, size = ImageDraw.Draw(sheet), "".join(visible(caption).split("\n")), _LARGEST
    while size > _SMALLEST and _width(draw, text, size) > width:
        size -= 1
    keep = len(text)
    while keep > 1 and _width(draw, shown := _cut(text, keep), size) > width:
        # In proportion, so that a caption of a megabyte takes no more steps than one of a line.
        keep = min(keep - 1, int(keep * width / _width(draw, shown, size)))
    text = _cut(text, keep)
    indent = max(0, int(width - _width(draw, text, size)) // 2)
    draw.text((left + indent, top), text, fill=_INK, font=ImageFont.load_default(size))


def _width(draw: ImageDraw.ImageDraw, text: str, size: int) -> float:
    return draw.textlength(text, ImageFont.load_default(size))


def _cut(text: str, keep: int) -> str:
    """At most `keep` letters and an ellipsis between them."""
    if len(text) <= keep:
        return text
    head = (keep + 1) // 2
    return f"{text[:head]}…{text[len(text) - (keep - head) :]}"
