"""Readers: reading order, what is kept, what a crash costs, and what is said without the extra."""

import math
import subprocess
import sys
import threading
import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from painted import picture_of
from salon.errors import RecipeError, SetupError, StageError
from salon.scorers.text.ocr import ORDERS, Line, Order, Reading, in_order, reader_of
from salon.types import Picture


def line(
    text: str, x: float, y: float, turn: float = 0.0, width: float = 60.0, confidence: float = 0.9
) -> Line:
    """A line 20 pixels high, its top left at (x, y), all turned about the origin by `turn` degrees
    clockwise.
    """
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    flat = [(x, y), (x + width, y), (x + width, y + 20), (x, y + 20)]
    first, second, third, fourth = [(a * cos - b * sin, a * sin + b * cos) for a, b in flat]
    return Line(text, confidence, (first, second, third, fourth))


def read_in(lines: Sequence[Line], order: Order = "rows") -> str:
    return " ".join(each.text for each in in_order(lines, order))


class Scripted:
    """Reads what it was told, and counts how often it was asked."""

    def __init__(self, *lines: Line, fails: bool = False, slow: float = 0.0) -> None:
        self.identity = f"scripted {id(self)}"
        self.asked, self._lines, self._fails, self._slow = 0, lines, fails, slow

    def read(self, image: Image.Image) -> Sequence[Line]:
        self.asked += 1
        time.sleep(self._slow)
        if self._fails:
            raise RuntimeError("the model is broken")
        return self._lines


PAPER = picture_of(Image.new("RGB", (64, 64), "white"))


@pytest.mark.parametrize("turn", [0, 12, -30, 75, 90, -90, 170])
def test_rows_are_read_left_to_right_however_the_text_is_turned(turn: float) -> None:
    lines = [line("one", 0, 0), line("two", 80, 4), line("three", 10, 40), line("four", 90, 36)]
    turned = [line(each.text, *each.corners[0], turn=turn) for each in lines]
    assert read_in(turned[::-1]) == "one two three four"
    assert turned[0].angle == pytest.approx(turn)
    assert turned[0].height == pytest.approx(20)


def test_columns_are_read_to_their_end_first() -> None:
    lines = [line("left", 0, 0), line("right", 200, 0), line("below", 5, 30), line("end", 205, 30)]
    assert read_in(lines, "rows") == "left right below end"
    assert read_in(lines, "columns") == "left below right end"


@pytest.mark.parametrize(("turn", "order"), [(90, "clockwise"), (180, "upside down"), (-90, "anticlockwise")])
def test_lines_whose_reader_does_not_know_which_way_up_they_were(turn: float, order: Order) -> None:
    lines = [line("one", 0, 0, turn), line("two", 80, 4, turn), line("three", 10, 40, turn)]
    boxes = [_box(each) for each in lines]
    assert {each.angle for each in boxes} == {0.0}
    assert read_in(boxes[::-1], order) == "one two three"


def _box(given: Line) -> Line:
    xs, ys = zip(*given.corners, strict=True)
    left, top, right, bottom = round(min(xs)), round(min(ys)), round(max(xs)), round(max(ys))
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Line(given.text, given.confidence, corners)


@given(st.lists(st.tuples(st.floats(0, 900), st.floats(0, 900), st.floats(-180, 180)), max_size=8))
def test_ordering_loses_nothing(places: list[tuple[float, float, float]]) -> None:
    lines = [line(str(at), x, y, turn) for at, (x, y, turn) in enumerate(places)]
    for order in ORDERS:
        assert sorted(each.text for each in in_order(lines, order)) == sorted(each.text for each in lines)


def test_a_picture_is_read_once_for_all_who_ask_even_at_once() -> None:
    reader = Scripted(line("hello", 0, 0), line("hm", 0, 40, confidence=0.3), slow=0.05)
    strict, lax = Reading(reader, 0.5), Reading(reader, 0.2)
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda reading=reading: found.append(len(reading.lines(PAPER))))
        for reading in (strict, lax) * 4
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [1] * 4 + [2] * 4
    assert reader.asked == 1


def test_a_crash_is_the_systems_failure_and_is_not_kept() -> None:
    reader = Scripted(fails=True)
    for _ in range(2):
        with pytest.raises(StageError) as caught:
            Reading(reader).lines(PAPER)
        assert (caught.value.failure.code, caught.value.failure.fault) == ("ocr_failed", "system")
        assert "the model is broken" in caught.value.failure.message
    assert reader.asked == 2


def test_bytes_that_are_no_picture_are_the_systems_failure() -> None:
    broken = Picture(png=PAPER.png[:40], width=64, height=64, key="broken")
    with pytest.raises(StageError, match="ocr_failed"):
        Reading(Scripted()).lines(broken)


def test_a_picture_without_room_for_a_letter_is_not_read() -> None:
    reader = Scripted(line("dust", 0, 0))
    assert Reading(reader).lines(picture_of(Image.new("RGB", (400, 5), "white"))) == []
    assert reader.asked == 0


def test_what_is_no_reader_is_refused() -> None:
    with pytest.raises(RecipeError, match="Write rapidocr, or your own"):
        reader_of("tesseract")
    with pytest.raises(RecipeError, match="is not allowed"):
        reader_of("builtins:dict")
    with pytest.raises(RecipeError, match="side 32 or more, not 0 and 8"):
        reader_of("rapidocr", 0, 8)
    with pytest.raises(RecipeError, match="confidence: from 0 to 1, not 2"):
        Reading(Scripted(), 2)


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    reader_of.cache_clear()
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    monkeypatch.setattr("salon.scorers.text.ocr.util.find_spec", lambda name: None)
    with pytest.raises(SetupError, match=r"needs the package rapidocr: pip install .*\[ocr\]'"):
        reader_of("rapidocr")
    reader_of.cache_clear()


def test_building_loads_no_model_and_reading_needs_no_network() -> None:
    pytest.importorskip("rapidocr", reason="rapidocr is missing: make ocr")
    program = """
import socket, sys
from PIL import Image
from salon.scorers.text.ocr import reader_of
from salon.scorers.text.text_in_picture import TextInPicture
from salon.scorers.text.unwanted_text import UnwantedText

def refuse(*_):
    raise OSError("no network")

socket.socket.connect = socket.getaddrinfo = refuse
TextInPicture(threads=1), UnwantedText(threads=1)
print([name for name in ("rapidocr", "cv2", "onnxruntime") if name in sys.modules])
print(reader_of("rapidocr", 1).read(Image.new("RGB", (96, 96), "white")))
print("torch" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "[]", "False"]
    assert done.stderr == ""
