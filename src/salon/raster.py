"""Bytes of any raster picture, whatever their name says, become one plain thing: 8-bit RGB on paper, once.

The format is sniffed from the content (PNG, JPEG, WebP). 16-bit, grey, palette, CMYK and translucent
pictures come out as the opaque picture a viewer would see on paper, and a photograph's orientation tag is
applied. What cannot be decoded is a ValueError with a sentence in it.
"""

import io
import struct
import zlib

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFile, ImageOps
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from salon.types import Picture

PAPER = "#ffffff"
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_PIXELS = 160_000_000
"""Larger pictures are refused before a pixel is decoded: 12,000 × 12,000 still passes."""

_DECODE_ERRORS = (
    *(OSError, SyntaxError, ValueError, EOFError, IndexError, struct.error, MemoryError),
    # Pillow looks at the size of a WebP before we can.
    Image.DecompressionBombError,
)


def sniff(data: bytes) -> str:
    """The format by the first bytes: "png", "jpeg" or "webp". Raises ValueError for anything else."""
    if data[:8] == PNG_SIGNATURE:
        return "png"
    if data[:3] == b"\xff\xd8\xff":
        return "jpeg"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    raise ValueError("not a picture: the bytes are neither PNG, JPEG nor WebP")


def decode(data: bytes, paper: str = PAPER, most_pixels: int = MAX_PIXELS) -> Image.Image:
    """Decode `data` to an opaque RGB image, laid on `paper` where it is translucent.

    Raises:
        ValueError: the bytes are no picture, are cut short or corrupt, or hold too many pixels.
    """
    kind = sniff(data)
    try:
        image = _open(kind, data)
        if image.width * image.height > most_pixels:
            raise ValueError(f"the picture is too large: {image.width} × {image.height} pixels")
        image.load()
        return _opaque(ImageOps.exif_transpose(image), paper)
    except _DECODE_ERRORS as error:
        raise ValueError(f"the {kind} cannot be decoded: {error}") from error


def pixels_of(data: bytes) -> int:
    """How many pixels a picture has, by its head alone: nothing is decoded.

    Raises:
        ValueError: the bytes are no picture.
    """
    kind = sniff(data)
    try:
        image = _open(kind, data)
        return image.width * image.height
    except _DECODE_ERRORS as error:
        raise ValueError(f"the {kind} cannot be decoded: {error}") from error


def to_picture(data: bytes, paper: str = PAPER, most_pixels: int = MAX_PIXELS) -> Picture:
    """Normalise `data` to a Picture (an RGB PNG). Bytes that already are one are kept, with their key.

    Raises:
        ValueError: as `decode` does.
    """
    image = decode(data, paper, most_pixels)
    if sniff(data) == "png" and _is_plain_png(data):
        return Picture.from_png(data)
    return Picture.from_png(encode_png(image))


def of_image(image: Image.Image, paper: str = PAPER) -> Picture:
    """A Pillow image of any mode as a Picture, laid on `paper` where it is translucent."""
    return Picture.from_png(encode_png(_opaque(ImageOps.exif_transpose(image), paper)))


def of_array(pixels_HWC: NDArray[np.uint8], paper: str = PAPER) -> Picture:
    """Height × width × 3 (RGB) or 4 (RGBA) bytes as a Picture.

    Raises:
        ValueError: the array is of another kind; says how it is made one.
    """
    shape, kind = pixels_HWC.shape, pixels_HWC.dtype
    if kind != np.uint8:
        raise ValueError(f"its values are {kind}, not uint8. Scale them to 0–255, and use .astype('uint8')")
    if len(shape) != 3 or shape[2] not in (3, 4) or 0 in shape:
        told = "transpose it with .transpose(1, 2, 0)" if len(shape) == 3 and shape[0] in (3, 4) else ""
        told = told or "give one RGB picture, with the channels last"
        raise ValueError(f"its shape is {shape}, not height × width × 3: {told}")
    return of_image(Image.fromarray(np.ascontiguousarray(pixels_HWC)), paper)


def encode_png(image: Image.Image) -> bytes:
    """The PNG bytes of an image; the same pixels give the same bytes."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def encode_flat_png(pixels_HWC: NDArray[np.uint8]) -> bytes:
    """The RGB PNG of a drawing with large even surfaces, in a quarter of the time of `encode_png`.

    Lines are not filtered and little time is spent on the search for repetitions: an icon's file is smaller
    for it, a photograph's much larger. The same pixels give the same bytes.

    Args:
        pixels_HWC: height × width × 3, 0–255.
    """
    height, width, _ = pixels_HWC.shape
    lines = np.zeros((height, 1 + 3 * width), np.uint8)
    lines[:, 1:] = pixels_HWC.reshape(height, 3 * width)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(lines.data, level=2)
    return PNG_SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _open(kind: str, data: bytes) -> ImageFile.ImageFile:
    # The plug-ins are called directly: Image.open would trust its own size limit and warn through a global.
    stream = io.BytesIO(data)
    if kind == "png":
        return PngImageFile(stream)
    return JpegImageFile(stream) if kind == "jpeg" else WebPImageFile(stream)


def _is_plain_png(data: bytes) -> bool:
    bit_depth, colour_type = data[24], data[25]
    return bit_depth == 8 and colour_type == 2 and b"tRNS" not in data[:1024] and b"eXIf" not in data[:1024]


def _opaque(image: Image.Image, paper: str) -> Image.Image:
    if image.mode in ("I;16", "I;16B", "I;16L", "I"):
        grey = np.asarray(image).astype(np.int64) >> 8
        image = Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8), "L")
    if "A" in image.getbands() or "transparency" in image.info:
        layer = image.convert("RGBA")
        sheet = Image.new("RGBA", layer.size, paper)
        return Image.alpha_composite(sheet, layer).convert("RGB")
    return image.convert("RGB")
