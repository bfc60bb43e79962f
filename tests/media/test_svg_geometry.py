"""Shapes outside of the viewBox are found wherever they hide, and honest drawings are not accused."""

import pytest
from lxml import etree

from salon.media.svg.geometry import hidden_shapes, may_hide
from salon.media.svg.source_check import sanitize
from salon.types import Failure

BOX = (0.0, 0.0, 100.0, 100.0)
SEEN = '<circle cx="50" cy="50" r="30" fill="tomato"/>'


def hidden(inside: str) -> tuple[int, int]:
    return hidden_shapes(etree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>'), BOX)


@pytest.mark.parametrize(
    "shape",
    [
        '<rect x="500" y="5" width="9" height="9"/>',
        '<rect x="-300" y="5" width="9" height="9"/>',
        '<circle cx="50" cy="900" r="30"/>',
        '<ellipse cx="50" cy="-900" rx="30" ry="90"/>',
        '<line x1="500" y1="5" x2="600" y2="6"/>',
        '<polygon points="500,5 600,6 550,50"/>',
        '<path d="M500 500h9v9z"/>',
        '<path d="m500 500c1 2 3 4 5 6s1 2 3 4q1 2 3 4t5 6a9 9 0 01 3 4z"/>',
        '<g transform="translate(400)"><rect width="9" height="9"/></g>',
        '<g transform="matrix(1 0 0 1 0 700)"><g transform="scale(2)"><path d="M5 5L9 9"/></g></g>',
        '<rect x="300" width="9" height="9" transform="rotate(90)"/>',
    ],
)
def test_what_nobody_sees(shape: str) -> None:
    assert hidden(SEEN + shape) == (1, 2)


@pytest.mark.parametrize(
    "shape",
    [
        SEEN,
        '<rect x="-400" y="-400" width="900" height="900"/>',
        '<path d="M-500 50H600"/>',
        '<path d="M500 50 600 60V-9H50"/>',
        '<path d="M-90 50C-40 50 -40 50 5 50"/>',
        '<path d="M110 50A60 60 0 0 1 110 60"/>',
        '<path d="M-9 -9C900 -9 -9 900 -9 -9"/>',
        '<line x1="103" y1="0" x2="103" y2="100" stroke="red" stroke-width="20"/>',
        '<g transform="translate(-400)"><rect x="410" width="9" height="9"/></g>',
        '<rect x="150%" width="9" height="9"/>',
        '<circle cx="60mm" cy="9" r="9"/>',
        '<rect x="500" style="transform: translate(-450)" width="9" height="9"/>',
    ],
)
def test_what_may_be_seen_is_not_hidden(shape: str) -> None:
    assert hidden(shape)[0] == 0


def test_what_is_drawn_elsewhere_is_left_out() -> None:
    there = '<rect x="500" width="9" height="9"/>'
    kinds = ("defs", "symbol", "clipPath", "mask", "marker", "pattern")
    assert hidden(SEEN + "".join(f"<{kind}>{there}</{kind}>" for kind in kinds)) == (0, 1)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ('<path d="M500 5"/>', True),
        ('<path d="M5e4 5"/>', True),
        ('<path d="M199 5L3.50000 7" fill="#500500"/>', False),
        ('<svg xmlns="http://www.w3.org/2000/svg"/>', False),
    ],
)
def test_only_far_numbers_are_worth_a_look(source: str, told: bool) -> None:
    assert may_hide(source, BOX) == told


def test_a_drawing_that_is_mostly_elsewhere_is_refused() -> None:
    many = "".join(f'<rect x="{500 + n}" y="500" width="5" height="5"/>' for n in range(50))
    found = sanitize(f'<svg viewBox="0 0 100 100">{SEEN}{many}</svg>', (64, 64))
    assert isinstance(found, Failure)
    assert (found.code, found.fault) == ("content_off_canvas", "sample")
    assert "50 of 51 shapes" in found.message


def test_a_few_strays_are_no_fault() -> None:
    strays = '<rect x="500" y="500" width="5" height="5"/>' * 2
    assert isinstance(sanitize(f'<svg viewBox="0 0 100 100">{SEEN}{strays}</svg>', (64, 64)), str)
    moved = f"<style>rect {{ transform: translate(-450px) }}</style>{strays}{strays}"
    assert "content_off_canvas" not in repr(
        sanitize(f'<svg viewBox="0 0 100 100">{SEEN}{moved}</svg>', (64, 64))
    )
