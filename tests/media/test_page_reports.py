"""What a page may say, and what becomes of anything else: no code, no size, no character of its choosing."""

import base64
import re
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salon.media.p5.page_reports import REPORTS, Forged, PictureReport, Report, Stage, png_size, read_message
from salon.media.p5.sketch_page import PAGE_FOLDER

TOKEN = "0123456789abcdef"


def png(width: int, height: int) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            *(
                struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
                for kind, body in ((b"IHDR", header), (b"IDAT", zlib.compress(b"")), (b"IEND", b""))
            ),
        ]
    )


def test_a_report_is_read() -> None:
    said = read_message(f"{TOKEN} 3 threw 12 7 11 Error: x", TOKEN, 3)
    assert said == Report("threw", "Error: x", line=7, frame=12, started=True, of_p5=True)
    assert read_message(f"{TOKEN} 1 stage 0 0 00 setup", TOKEN, 1) == Stage("setup")
    shown = base64.b64encode(png(3, 2)).decode()
    assert read_message(f"{TOKEN} 1 picture 0 0 00 {shown}", TOKEN, 1) == PictureReport(png(3, 2))
    assert read_message(f"{TOKEN} 1 picture 0 0 00 ", TOKEN, 1) == PictureReport(None)


def test_a_report_is_one_clean_bounded_line() -> None:
    said = read_message(f"{TOKEN} 1 threw 0 0 00 a\ud800\x1b[2J\r\nb\u202e" + "x" * 9999, TOKEN, 1)
    assert isinstance(said, Report)
    assert said.message.startswith("a\N{REPLACEMENT CHARACTER}\\x1b[2J b\\u202ex")
    assert len(said.message) == 500
    assert Report("threw", "\x07").message == "\\x07"


def test_every_kind_that_the_guard_reports_is_known() -> None:
    scripts = [file.read_text("utf-8") for file in (PAGE_FOLDER).glob("*.js")]
    kinds = {kind for script in scripts for kind in re.findall(r"\breport\(\s*\"(\w+)\"", script)}
    assert kinds > {"threw", "canvas_size"}
    assert kinds - REPORTS == set()


FORGED = {
    "nothing": "",
    "no-token": "1 done 0 0 00 ",
    "another-token": "f" * 16 + " 1 done 0 0 00 ",
    "another-number": f"{TOKEN} 2 done 0 0 00 ",
    "a-system-code": f"{TOKEN} 1 browser_lost 0 0 00 ",
    "a-code-of-its-own": f"{TOKEN} 1 anything 0 0 00 ",
    "json": '{"kind": "done"}',
    "a-frame-of-text": f"{TOKEN} 1 done x 0 00 ",
    "a-negative-frame": f"{TOKEN} 1 done -1 0 00 ",
    "a-long-frame": f"{TOKEN} 1 done {'9' * 5000} 0 00 ",
    "other-digits": f"{TOKEN} 1 done \u0663 0 00 ",
    "another-stage": f"{TOKEN} 1 stage 0 0 00 done",
    "no-picture": f"{TOKEN} 1 picture 0 0 00 AAAA",
    "no-base64": f"{TOKEN} 1 picture 0 0 00 ****",
    "a-picture-without-a-size": f"{TOKEN} 1 picture 0 0 00 {base64.b64encode(png(0, 9)).decode()}",
    "a-half": f"{TOKEN} 1 picture 0 0 00 \ud800",
}


@pytest.mark.parametrize("name", FORGED)
def test_what_no_page_says_is_forged(name: str) -> None:
    with pytest.raises(Forged):
        read_message(FORGED[name], TOKEN, 1)


@pytest.mark.parametrize("value", [None, 7, [], {}, {"kind": "done"}, b"done"])
def test_what_is_no_text_is_forged(value: object) -> None:
    with pytest.raises(Forged):
        read_message(value, TOKEN, 1)


@given(st.text(st.characters(exclude_categories=[])))
def test_any_text_is_a_known_report_or_forged(text: str) -> None:
    for said in (text, f"{TOKEN} {text}", f"{TOKEN} 1 {text}"):
        try:
            found = read_message(said, TOKEN, 1)
        except Forged:
            continue
        assert not isinstance(found, Report) or found.kind in REPORTS


def test_a_size_is_read_from_a_header_only() -> None:
    assert png_size(png(640, 480)) == (640, 480)
    assert png_size(png(640, 480)[:20]) == (0, 0)
    assert png_size(b"GIF89a" + bytes(60)) == (0, 0)
