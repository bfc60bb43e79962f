"""Picture files as people have them: looked at as a viewer shows them, or named with what is wrong."""

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from painted import encoded, paint
from salon.cli import app
from salon.errors import RecipeError
from salon.judges.fake import FakeJudge
from salon.judges.measuring.accuracy import ask
from salon.judges.measuring.labelled_pairs import LabelledPair, PictureFile
from salon.rubrics.generation.generate import identified
from salon.types import Failure, Prompt, Verdict

LOVE = paint("love", 3, side=40)
PNG, JPEG = encoded(LOVE, "PNG"), encoded(LOVE, "JPEG")
WEBP = encoded(LOVE, "WEBP", lossless=True)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def huge() -> bytes:
    """Sixty thousand pixels a side in a few hundred bytes."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0))
    return PNG[:8] + header + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")


def moving(format: str) -> bytes:
    buffer = io.BytesIO()
    LOVE.save(buffer, format, save_all=True, append_images=[Image.new("RGB", LOVE.size, "black")] * 2)
    return buffer.getvalue()


def turned() -> bytes:
    """On its side, with a tag that says so."""
    exif = Image.Exif()
    exif[0x0112] = 6
    return encoded(LOVE.rotate(90, expand=True), "JPEG", exif=exif, quality=98)


BAD: dict[str, bytes] = {
    "nothing": b"",
    "a web page": b"<!doctype html><title>404</title>",
    "a GIF": encoded(LOVE, "GIF"),
    "half a PNG": PNG[: len(PNG) // 2],
    "a PNG's head": PNG[:20],
    "half a JPEG": JPEG[:300],
    "a broken PNG": PNG[:60] + b"\xff" * 40 + PNG[100:],
    "a WebP that lies": WEBP[:21] + b"\xff\xff\xff\x0f" + WEBP[25:],
    "a huge PNG": huge(),
    "a text that unpacks": PNG[:33] + chunk(b"zTXt", b"C\0\0" + zlib.compress(bytes(90_000_000))) + PNG[33:],
}
GOOD: dict[str, Callable[[], bytes]] = {
    "CMYK": lambda: encoded(LOVE.convert("CMYK"), "JPEG", quality=98),
    "sixteen bits": lambda: encoded(
        LOVE.convert("L").convert("I").point(lambda level: level * 257).convert("I;16"), "PNG"
    ),
    "a moving PNG": lambda: moving("PNG"),
    "a moving WebP": lambda: moving("WEBP"),
    "turned": turned,
    "a palette": lambda: encoded(LOVE.convert("P"), "PNG"),
    "with words behind its end": lambda: PNG + b"trailing" * 100,
}


@pytest.fixture
def good(tmp_path: Path) -> Path:
    (tmp_path / "good.png").write_bytes(encoded(paint("nope", 1, side=40)))
    return tmp_path / "good.png"


def pair_of(file: Path, other: Path) -> LabelledPair:
    return LabelledPair("7", Prompt("p", "a rose"), PictureFile(file), PictureFile(other), "a")


@pytest.mark.parametrize("kind", BAD)
def test_a_file_that_is_no_picture_is_named_wherever_it_is_given(
    tmp_path: Path, good: Path, kind: str
) -> None:
    bad = tmp_path / "bad.png"
    bad.write_bytes(BAD[kind])
    typed = CliRunner().invoke(app, ["judge", "compare", str(bad), str(good), "--judge", "fake"])
    assert isinstance(typed.exception, RecipeError)
    assert str(typed.exception).startswith(f"{bad}: ")
    (result,) = ask(FakeJudge(), [pair_of(bad, good)])
    assert isinstance(result.first, Failure)
    assert (result.first.code, result.first.fault) == ("unreadable_picture", "system")
    assert result.first.message.startswith(f"{bad}: ")
    with pytest.raises(RecipeError, match=r"pair 7: .*bad\.png: .*take the pair's line out"):
        identified([pair_of(good, bad)])


@pytest.mark.parametrize("kind", GOOD)
def test_a_picture_of_any_kind_is_looked_at_as_it_is_shown(tmp_path: Path, good: Path, kind: str) -> None:
    file = tmp_path / "odd.jpg"
    file.write_bytes(GOOD[kind]())
    shown = PictureFile(file).load()
    assert (shown.width, shown.height) == LOVE.size
    assert shown.png[24:26] == b"\x08\x02"
    (result,) = ask(FakeJudge(), [pair_of(file, good)])
    assert isinstance(result.first, Verdict)
    if kind != "sixteen bits":
        near = Image.open(io.BytesIO(shown.png)).resize((1, 1), Image.Resampling.BOX).getpixel((0, 0))
        assert near == pytest.approx(LOVE.resize((1, 1), Image.Resampling.BOX).getpixel((0, 0)), abs=12)
