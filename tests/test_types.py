"""The nouns: a score is a value or a failure, a picture is named by its bytes, nothing changes once made."""

import dataclasses
import hashlib
import io
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from salon.types import Failure, Group, Picture, Prompt, Rendering, Sample, Score, Verdict

BLANK = Failure("blank_canvas", "nothing was painted", fault="sample", stage="render")


def png(width: int, height: int, colour: str = "#ffffff") -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(buffer, format="PNG")
    return buffer.getvalue()


@given(width=st.integers(1, 70), height=st.integers(1, 70))
def test_a_picture_reads_its_size_and_is_named_by_its_bytes(width: int, height: int) -> None:
    data = png(width, height)
    picture = Picture.from_png(data)
    assert (picture.width, picture.height) == (width, height)
    assert picture.key == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0 a JPEG", png(2, 2)[1:]])
def test_what_is_no_png_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="not a PNG"):
        Picture.from_png(data)


def test_a_picture_does_not_print_its_bytes() -> None:
    assert "PNG" not in repr(Picture.from_png(png(3, 3)))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_score_is_finite(value: float) -> None:
    with pytest.raises(ValueError, match="finite or missing"):
        Score(value)


@pytest.mark.parametrize(("value", "failure"), [(None, None), (0.5, BLANK), (0.0, BLANK)])
def test_a_score_has_either_a_value_or_a_failure(value: float | None, failure: Failure | None) -> None:
    with pytest.raises(ValueError, match="never both"):
        Score(value, failure)


def test_zero_is_a_value_and_missing_is_not_zero() -> None:
    assert Score(0.0).value == 0.0
    assert Score(None, BLANK).value is None


@pytest.mark.parametrize(("p_a", "winner"), [(0.5, "tie"), (0.5000001, "a"), (0.0, "b"), (1.0, "a")])
def test_a_verdict_names_its_winner(p_a: float, winner: str) -> None:
    assert Verdict(p_a, judge="fake").winner == winner


def test_a_rendering_is_ok_only_with_a_picture_and_without_a_failure() -> None:
    picture = Picture.from_png(png(2, 2))
    assert Rendering(picture, None).ok
    assert not Rendering(picture, BLANK).ok
    assert not Rendering(None, BLANK).ok


def test_values_do_not_change() -> None:
    prompt = Prompt("peach-rose", "draw a peach rose in watercolour", subject="rose")
    group = Group(prompt, (Sample("a", prompt, "reply"),))
    for value, name in ((prompt, "text"), (group, "step"), (BLANK, "code"), (Score(1.0), "value")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, name, "changed")


def test_two_values_share_no_meta() -> None:
    first, second = Prompt("a", "a"), Prompt("b", "b")
    assert first.meta is not second.meta
