from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from painted import encoded, paint, write_candidates
from salon.pool import contact_sheet, write_sheets


def test_pictures_stand_in_reading_order_with_a_caption_below() -> None:
    red, blue = (
        encoded(Image.new("RGB", (50, 50), colour), "WEBP", lossless=True) for colour in ("red", "blue")
    )
    sheet = contact_sheet([("a", red), ("bee", blue)], columns=2, tile=100)
    assert sheet.getpixel((10 + 50, 10 + 50)) == (255, 0, 0)
    assert sheet.getpixel((120 + 50, 10 + 50)) == (0, 0, 255)
    caption = np.asarray(sheet.crop((10, 112, 110, 136)).convert("L"))
    assert (caption < 90).sum() > 10


@pytest.mark.parametrize(
    "caption",
    ["a-very-long-name-of-a-picture-01", "w" * 400, "x" * 200_000, "two\nlines " * 9, "花" * 60, "‮" * 50, ""],
)
@pytest.mark.parametrize("tile", [60, 200])
def test_captions_stay_below_their_own_picture(caption: str, tile: int) -> None:
    """Against the same sheet without captions: only the strip below the middle picture differs."""
    picture = encoded(paint("love", 0))
    shown, bare = (
        np.asarray(
            contact_sheet([(each, picture) for each in names], columns=3, tile=tile).convert("L")
        ).astype(int)
        for names in (("", caption, ""), ("", "", ""))
    )
    changed = np.abs(shown - bare) > 8
    left, top = 10 + (tile + 10), 10 + tile
    strip = np.zeros_like(changed)
    strip[top : top + 26 + 10, left : left + tile] = True
    assert not (changed & ~strip).any()
    assert changed.any() == bool(caption)


def test_a_long_caption_keeps_both_of_its_ends() -> None:
    picture = encoded(paint("love", 0))

    def strip(caption: str) -> bytes:
        return contact_sheet([(caption, picture)], columns=1, tile=120).crop((10, 130, 130, 160)).tobytes()

    names = {strip("rose" + "x" * 300 + end) for end in ("-01", "-02")} | {strip("tulip" + "x" * 300 + "-01")}
    assert len(names) == 3


def test_a_folder_becomes_as_many_sheets_as_it_takes(tmp_path: Path) -> None:
    write_candidates(tmp_path / "c", 4)
    sheets = write_sheets(tmp_path / "c", tmp_path / "sheets", per_sheet=5, columns=5, tile=40)
    assert [path.name for path in sheets] == ["sheet-000.png", "sheet-001.png", "sheet-002.png"]
    one = write_sheets(tmp_path / "c", tmp_path / "one", ids=["nope-0"], captions={"nope-0": "nope-0 nope"})
    assert len(one) == 1
