from pathlib import Path

import numpy as np
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


def test_long_captions_stay_inside_their_tile() -> None:
    picture = encoded(paint("love", 0))
    sheet = contact_sheet([("a-very-long-name-of-a-picture-01", picture)], columns=1, tile=200)
    outside = np.asarray(sheet.crop((0, 212, 8, 240)).convert("L"))
    assert (outside < 150).sum() == 0


def test_a_folder_becomes_as_many_sheets_as_it_takes(tmp_path: Path) -> None:
    write_candidates(tmp_path / "c", 4)
    sheets = write_sheets(tmp_path / "c", tmp_path / "sheets", per_sheet=5, columns=5, tile=40)
    assert [path.name for path in sheets] == ["sheet-000.png", "sheet-001.png", "sheet-002.png"]
    one = write_sheets(tmp_path / "c", tmp_path / "one", ids=["nope-0"], captions={"nope-0": "nope-0 nope"})
    assert len(one) == 1
