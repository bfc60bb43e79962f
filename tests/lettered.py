"""Pictures with words in them, by Pillow's own font: what an OCR scorer is tested and measured on."""

from PIL import Image, ImageDraw, ImageFont


def lettered(
    text: str,
    size: float = 40,
    turn: float = 0,
    ink: str = "black",
    ground: str | Image.Image = "white",
    side: int = 400,
    font: str | None = None,
    at: tuple[float, float] = (0.5, 0.5),
) -> Image.Image:
    """The text in the middle of a square picture, `size` pixels high, turned by so many degrees clockwise.

    Args:
        text: lines are broken at \\n.
        ground: a colour, or a picture to write on.
        font: a font file; by default the one that Pillow brings along.
        at: where the middle of the text is, as shares of the sides.
    """
    image = (
        Image.new("RGB", (side, side), ground) if isinstance(ground, str) else ground.convert("RGB").copy()
    )
    letters = ImageFont.load_default(size) if font is None else ImageFont.truetype(font, size)
    mask = Image.new("L", (2 * image.width, 2 * image.height))
    ImageDraw.Draw(mask).multiline_text(
        (image.width, image.height), text, fill=255, font=letters, anchor="mm", align="center"
    )
    mask = mask.rotate(-turn, Image.Resampling.BICUBIC)
    left, top = (
        round((1.5 - share) * length) - length // 2 for share, length in zip(at, image.size, strict=True)
    )
    mask = mask.crop((left, top, left + image.width, top + image.height))
    image.paste(Image.new("RGB", image.size, ink), (0, 0), mask)
    return image
