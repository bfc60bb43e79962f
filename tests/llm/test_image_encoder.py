"""Pictures on their way to a server: whatever the bytes are, one plain PNG, made once, in sound JSON."""

import base64
import json
from typing import Any

import pytest
from PIL import Image

from painted import encoded, paint
from salon.errors import StageError
from salon.llm.image_encoder import ImageEncoder
from salon.llm.image_encoder import encoded as as_json
from salon.raster import decode
from salon.types import Picture

LOVE = paint("love", 3, side=96)


def picture(data: bytes, key: str = "k") -> Picture:
    return Picture(png=data, width=1, height=1, key=key)


def pixels(url: str) -> Image.Image:
    head, _, data = url.partition(",")
    assert head == "data:image/png;base64"
    raw = base64.b64decode(data)
    assert raw[24:26] == b"\x08\x02"
    return decode(raw)


def sixteen_bit() -> Image.Image:
    return LOVE.convert("L").convert("I").point(lambda level: level * 257).convert("I;16")


@pytest.mark.parametrize(
    ("image", "format"),
    [
        (LOVE, "PNG"),
        (LOVE, "JPEG"),
        (LOVE, "WEBP"),
        (LOVE.convert("P"), "PNG"),
        (LOVE.convert("CMYK"), "JPEG"),
        (LOVE.convert("LA"), "PNG"),
        (sixteen_bit(), "PNG"),
        (LOVE.resize((1, 1)), "PNG"),
    ],
    ids=["png", "jpeg", "webp", "palette", "cmyk", "grey-alpha", "16-bit", "1x1"],
)
def test_every_kind_becomes_plain_png(image: Image.Image, format: str) -> None:
    shown = pixels(ImageEncoder(64).url(picture(encoded(image, format))))
    assert shown.mode == "RGB"
    assert shown.size == ((1, 1) if image.width == 1 else (64, 64))


def test_a_huge_picture_is_shrunk_and_its_shape_kept() -> None:
    data = encoded(Image.new("1", (12_000, 6_000), 1), "PNG")
    assert pixels(ImageEncoder(512).url(picture(data))).size == (512, 256)


def test_translucent_paint_lies_on_the_declared_paper() -> None:
    data = encoded(Image.new("RGBA", (4, 4), (0, 0, 0, 0)), "PNG")
    assert pixels(ImageEncoder(64, "#fdfaf3").url(picture(data))).getpixel((0, 0)) == (0xFD, 0xFA, 0xF3)


def test_a_picture_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = ImageEncoder(64)
    first = shown.url(picture(encoded(LOVE)))
    # The same key with bytes that cannot be read: nobody reads them.
    assert shown.url(picture(b"")) is first
    with pytest.raises(StageError, match="unreadable_picture: picture other: not a picture") as error:
        shown.url(picture(b"", "other"))
    assert error.value.failure.fault == "system"


def test_a_request_is_json_whatever_the_words_are() -> None:
    shown = ImageEncoder(32)
    texts = ['quotes " and \\ and \n', "ü 画 \u2028 \x00", "-0- -1-"]
    parts: list[Any] = [{"type": "text", "text": text} for text in texts]
    parts.insert(1, shown.part(picture(encoded(LOVE))))
    parts.append({"type": "image_url", "image_url": {"url": 'http://example.org/"'}})
    body = {
        "model": "m",
        "messages": [{"role": "system", "content": "x"}, {"role": "user", "content": parts}],
    }
    assert json.loads(as_json(body)) == body
    assert json.loads(as_json({"n": 1, "messages": [{"role": "user", "content": "x"}]}))["n"] == 1
