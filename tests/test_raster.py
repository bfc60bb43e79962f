import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from salon.raster import MAX_PIXELS, decode, encode_flat_png, encode_png, sniff, to_picture

RED = (200, 30, 30)


def encoded(image: Image.Image, format: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format, **options)
    return buffer.getvalue()


def pixel(data: bytes, at: tuple[int, int] = (1, 1)) -> tuple[int, ...]:
    return decode(data).getpixel(at)


def png_16_bit_grey(value: int) -> bytes:
    grey = Image.fromarray(np.full((4, 4), value, np.uint16))
    return encoded(grey, "PNG")


@pytest.mark.parametrize(("format", "kind"), [("PNG", "png"), ("JPEG", "jpeg"), ("WEBP", "webp")])
def test_the_format_is_sniffed_from_the_content(format: str, kind: str) -> None:
    data = encoded(Image.new("RGB", (8, 8), RED), format)
    assert sniff(data) == kind
    assert pixel(data) == pytest.approx(RED, abs=6)


def test_translucent_pixels_lie_on_paper_and_hidden_colour_does_not_show() -> None:
    hidden = encoded(Image.new("RGBA", (4, 4), (255, 0, 0, 0)), "PNG")
    half = encoded(Image.new("RGBA", (4, 4), (0, 0, 0, 128)), "PNG")
    assert pixel(hidden) == (255, 255, 255)
    assert pixel(half) == pytest.approx((127, 127, 127), abs=1)
    assert decode(hidden, paper="#00ff00").getpixel((0, 0)) == (0, 255, 0)


def test_palette_with_transparency_grey_alpha_and_one_bit_pictures() -> None:
    palette = Image.new("P", (4, 4), 0)
    palette.putpalette([*RED, 0, 0, 255])
    assert pixel(encoded(palette, "PNG")) == RED
    assert pixel(encoded(palette, "PNG", transparency=0)) == (255, 255, 255)
    assert pixel(encoded(Image.new("LA", (4, 4), (0, 0)), "PNG")) == (255, 255, 255)
    assert pixel(encoded(Image.new("1", (4, 4), 1), "PNG")) == (255, 255, 255)


def test_sixteen_bits_become_eight_by_value() -> None:
    assert pixel(png_16_bit_grey(0x8000)) == (128, 128, 128)
    assert pixel(png_16_bit_grey(0xFFFF)) == (255, 255, 255)


def test_cmyk_jpeg_looks_as_it_was_meant() -> None:
    cmyk = Image.new("RGB", (16, 16), RED).convert("CMYK")
    assert pixel(encoded(cmyk, "JPEG", quality=95)) == pytest.approx(RED, abs=8)


def test_a_photographs_orientation_is_applied() -> None:
    wide = Image.new("RGB", (40, 20), "white")
    exif = wide.getexif()
    exif[0x0112] = 6
    assert decode(encoded(wide, "JPEG", exif=exif)).size == (20, 40)


def test_one_pixel_and_twelve_thousand_square() -> None:
    assert to_picture(encoded(Image.new("RGB", (1, 1), RED), "WEBP")).width == 1
    assert MAX_PIXELS >= 12_000**2


def test_a_bomb_is_refused_before_it_is_decoded() -> None:
    header = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + header
    end = b"IEND"
    bomb = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    data = zlib.compress(b"")
    bomb += struct.pack(">I", len(data)) + b"IDAT" + data + struct.pack(">I", zlib.crc32(b"IDAT" + data))
    bomb += struct.pack(">I", 0) + end + struct.pack(">I", zlib.crc32(end))
    with pytest.raises(ValueError, match="too large"):
        decode(bomb)


@pytest.mark.parametrize("format", ["PNG", "JPEG", "WEBP"])
def test_cut_short_or_garbled_bytes_are_a_value_error(format: str) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (64, 64, 3)).astype(np.uint8)
    data = encoded(Image.fromarray(noise), format)
    with pytest.raises(ValueError, match=r"decoded|picture"):
        decode(data[: len(data) // 3])
    with pytest.raises(ValueError, match="neither"):
        decode(b"<svg/>")
    with pytest.raises(ValueError, match="neither"):
        decode(b"")


def test_a_plain_png_keeps_its_bytes_and_others_become_one() -> None:
    plain = encode_png(Image.new("RGB", (8, 8), RED))
    assert to_picture(plain).png is plain
    alpha = encoded(Image.new("RGBA", (8, 8), (*RED, 255)), "PNG")
    assert to_picture(alpha).png == plain
    assert to_picture(alpha).key == to_picture(plain).key


@pytest.mark.parametrize(("height", "width"), [(1, 1), (3, 7), (64, 64), (1, 300)])
def test_a_flat_png_holds_the_same_pixels(height: int, width: int) -> None:
    pixels = np.random.default_rng(1).integers(0, 255, (height, width, 3), dtype=np.uint8)
    data = encode_flat_png(pixels)
    assert data == encode_flat_png(pixels.copy())
    with Image.open(io.BytesIO(data)) as image:
        assert (image.mode, image.size) == ("RGB", (width, height))
        assert (np.asarray(image) == pixels).all()
    assert to_picture(data).png == data


def test_a_webp_that_lies_about_its_size_is_no_picture() -> None:
    data = bytearray(encoded(Image.new("RGBA", (40, 30), RED), "WEBP", lossless=True))
    assert data[12:16] in (b"VP8L", b"VP8X")
    # The first bits behind the signature are width - 1 and height - 1, of 14 or 24 bits each.
    data[21:25] = b"\xff\xff\xff\x0f"
    with pytest.raises(ValueError, match="the webp cannot be decoded"):
        to_picture(bytes(data))
