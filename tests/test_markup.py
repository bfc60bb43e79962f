"""Text of strangers, as it is shown: one line, valid, bounded."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salon.errors import boundary
from salon.markup import printable

CASES = {
    "plain": ("a flower, 花, ö, 👩‍🎨", "a flower, 花, ö, 👩‍🎨"),
    "lines": ("a\r\nb\nc\td\re", "a b c d e"),
    "escape": ("a\x1b[2J\x07\x00\x9b", "a\\x1b[2J\\x07\\x00\\x9b"),
    "half": ("a\ud800b\udfff", "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}"),
    "turned": ("a\u202eb\u2066", "a\\u202eb\\u2066"),
    "separators": ("a\u2028b\u2029\x85", "a\\u2028b\\u2029\\x85"),
    "tags": ("a\U000e0041", "a\\U000e0041"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_has_no_glyph_is_written_out(name: str) -> None:
    text, shown = CASES[name]
    assert printable(text, 100) == shown


@given(st.text(st.characters(exclude_categories=[])), st.integers(1, 40))
def test_one_valid_line_of_bounded_length(text: str, limit: int) -> None:
    shown = printable(text, limit)
    assert len(shown) <= limit
    assert shown.encode("utf-8").decode() == shown
    assert len(shown.splitlines()) <= 1
    assert printable(shown, limit) == shown


def test_a_long_text_is_cut_and_shows_it() -> None:
    assert printable("x" * 10, 10) == "x" * 10
    assert printable("x" * 11, 10) == "x" * 9 + "…"
    assert printable("\x1b" * 10, 10) == "\\x1b\\x1b\\…"


def test_every_character_is_taken() -> None:
    for start in range(0, sys.maxunicode + 1, 0x1000):
        text = "".join(map(chr, range(start, start + 0x1000)))
        printable(text, 100_000).encode("utf-8")


def test_a_failure_of_ours_has_a_clean_message() -> None:
    with boundary("render") as caught:
        raise ValueError("a\ud800\x1b[31m\nb" + "x" * 1000)
    assert caught.failure
    assert caught.failure.message.startswith("ValueError: a\N{REPLACEMENT CHARACTER}\\x1b[31m bx")
    assert len(caught.failure.message) <= 500
