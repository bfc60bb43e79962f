"""The mask of p5.brush's fills: coverage, strokes and steepness against numbers worked by hand."""

import hashlib
import json
import math
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import salon.media
from salon.errors import SetupError
from salon.media.p5.brush import as_served
from salon.media.p5.libraries import node_modules

PAGE = Path(salon.media.__file__).with_name("p5") / "scripts"
RUN = Path(__file__).with_name("mask_run.mjs")
SAME = (1, 0, 0, 1, 0, 0)
pytestmark = pytest.mark.skipif(not (node_modules() / "p5.brush").is_dir(), reason="needs the npm packages")


def ran(calls: list[tuple[Any, ...]], width: int = 40, height: int = 40) -> dict[str, np.ndarray]:
    """The mask after `calls`, as arrays of 0 … 1."""
    request = json.dumps({"width": width, "height": height, "calls": calls})
    done = subprocess.run(
        ["node", str(RUN), str(PAGE / "mask.wasm")],
        input=request,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return {name: np.array(values).reshape(height, width) for name, values in json.loads(done.stdout).items()}


def outline(*corners: tuple[float, float]) -> list[tuple[Any, ...]]:
    return [("begin",), *(("point", x, y) for x, y in corners), ("close",)]


def box(left: float, top: float, right: float, bottom: float) -> list[tuple[Any, ...]]:
    return outline((left, top), (right, top), (right, bottom), (left, bottom))


def test_the_binary_is_built_from_its_source() -> None:
    source = hashlib.sha256((PAGE / "mask.c").read_bytes()).digest()
    assert (PAGE / "mask.wasm").read_bytes().endswith(b"source" + source), "run scripts/build-mask.sh"


def test_a_box_covers_its_area() -> None:
    alpha = ran([*box(10, 10, 20.5, 20.25), ("fill", *SAME, 1, 0)])["alpha"]
    assert alpha[10:20, 10:20].min() == 1
    assert alpha[12, 20] == pytest.approx(0.5, abs=0.01)
    assert alpha[20, 12] == pytest.approx(0.25, abs=0.01)
    assert alpha.sum() == pytest.approx(10.5 * 10.25, abs=0.2)  # half of 255 is no byte


@pytest.mark.parametrize("backwards", [False, True])
def test_what_winds_twice_is_covered_once(backwards: bool) -> None:
    star = [
        (20 + 15 * math.sin(k * 4 * math.pi / 5), 20 - 15 * math.cos(k * 4 * math.pi / 5)) for k in range(5)
    ]
    alpha = ran([*outline(*(star[::-1] if backwards else star)), ("fill", *SAME, 1, 0)])["alpha"]
    assert alpha[20, 20] == 1
    assert alpha[0, 0] == 0


def test_a_sample_is_covered_from_its_place_on() -> None:
    """The four samples of a pixel lie at x = 3/8, 7/8, 1/8 and 5/8, from above."""
    for edge, covered in ((0.0, 4), (0.1875, 3), (0.4375, 2), (0.6875, 1), (0.9375, 0)):
        alpha = ran([*box(10 + edge, 10, 20, 20), ("fill", *SAME, 1, 0)])["alpha"]
        assert alpha[15, 10] == pytest.approx(covered / 4, abs=0.005)


def test_corners_lie_on_a_grid_of_a_sixteenth() -> None:
    """5/8 + 1/64 is rounded to 5/8, where a sample is; 5/8 + 3/64 to 11/16, right of it."""
    near, off = (ran([*box(10.625 + d, 10, 20, 20), ("fill", *SAME, 1, 0)]) for d in (1 / 64, 3 / 64))
    assert near["alpha"][15, 10] == pytest.approx(0.5, abs=0.005)
    assert off["alpha"][15, 10] == pytest.approx(0.25, abs=0.005)


def test_layers_add_up_and_are_rounded_to_eight_bits_each() -> None:
    layer = [*box(5, 5, 35, 35), ("fill", *SAME, 0.25, 0)]
    # 63.75 → 64; 64 · .75 + 63.75 = 111.75 → 112; 112 · .75 + 63.75 = 147.75 → 148.
    assert ran(layer * 3)["alpha"][20, 20] * 255 == pytest.approx(148)
    erased = ran([*layer, *box(5, 5, 35, 35), ("fill", *SAME, 0.5, 1)])["alpha"]
    assert erased[20, 20] * 255 == pytest.approx(32)


def test_layers_too_faint_for_eight_bits_vanish() -> None:
    """.0019 · 255 = .48 rounds to 0; .003 · 255 = .765 adds 1 up to 89, where .003 · 89 = .267 is lost."""
    assert ran([*box(5, 5, 35, 35), ("fill", *SAME, 0.0019, 0)] * 400)["alpha"].max() == 0
    faint = ran([*box(5, 5, 35, 35), ("fill", *SAME, 0.003, 0)] * 400)["alpha"]
    assert faint[20, 20] * 255 == pytest.approx(89)


def test_a_matrix_moves_and_scales() -> None:
    alpha = ran([*box(0, 0, 5, 5), ("fill", 2, 0, 0, 3, 10, 12, 1, 0)])["alpha"]
    assert alpha[12:27, 10:20].min() == 1
    assert alpha.sum() == pytest.approx(150, abs=0.1)


@pytest.mark.parametrize("matrix", [(1, 0, 0, 1), (0, 1, -1, 0), (2, 0, 0, 0.5), (1, 0.5, -0.25, 1)])
def test_a_circle_has_its_area(matrix: tuple[float, ...]) -> None:
    a, b, c, d = matrix
    alpha = ran([("circle", *matrix, 30, 30, 8, 1, 0)], 60, 60)["alpha"]
    assert alpha.sum() == pytest.approx(math.pi * 64 * abs(a * d - b * c), rel=0.01)
    assert np.argwhere(alpha > 0.5).mean(axis=0) == pytest.approx([29.5, 29.5], abs=0.1)


def test_a_line_around_a_box_has_mitred_corners() -> None:
    alpha = ran([*box(10, 10, 30, 30), ("stroke", *SAME, 4, 1, 0)])["alpha"]
    assert alpha[8:12, 8:12].min() == 1
    assert alpha[13:27, 13:27].max() == 0
    assert alpha.sum() == pytest.approx(24**2 - 16**2, abs=1)


def test_a_needle_is_bevelled() -> None:
    alpha = ran([*outline((5, 20), (25, 19.7), (25, 20.3)), ("stroke", *SAME, 2, 1, 0)])["alpha"]
    assert alpha[:, :3].max() == 0


def test_points_that_repeat_and_outlines_without_size_draw_nothing_wrong() -> None:
    doubled = outline((10, 10), (10, 10), (30, 10), (30, 30), (30, 30), (10, 30), (10, 10))
    assert ran([*doubled, ("stroke", *SAME, 4, 1, 0)])["alpha"].sum() == pytest.approx(24**2 - 16**2, abs=1)
    assert ran([*outline((10, 10), (10, 10)), ("stroke", *SAME, 4, 1, 0)])["alpha"].sum() == 0
    assert ran([*outline((10, 10)), ("fill", *SAME, 1, 0)])["alpha"].sum() == 0


def test_what_lies_beside_the_mask_is_cut_off() -> None:
    alpha = ran([*box(-1e6, -1e6, 1e6, 1e6), ("fill", *SAME, 1, 0)])["alpha"]
    assert alpha.min() == 1
    assert ran([*box(50, 50, 90, 90), ("fill", *SAME, 1, 0)])["alpha"].sum() == 0
    half = ran([*box(-30, -30, 20, 90), ("fill", *SAME, 1, 0)])["alpha"]
    assert half.sum() == pytest.approx(20 * 40, abs=0.5)


def test_many_corners_are_kept() -> None:
    ring = [(20 + 15 * math.cos(k / 3000), 20 + 15 * math.sin(k / 3000)) for k in range(18850)]
    assert ran([*outline(*ring), ("fill", *SAME, 1, 0)])["alpha"].sum() == pytest.approx(
        math.pi * 225, rel=0.01
    )


def test_a_line_with_thousands_of_crossings_is_sorted() -> None:
    zigzag = [(1 + 38 * i / 3000, 39 if i % 2 else 1) for i in range(3000)]
    covered = ran([*outline(*zigzag), ("fill", *SAME, 1, 0)])["alpha"]
    turned = ran([*outline(*zigzag[::-1]), ("fill", *SAME, 1, 0)])["alpha"]
    assert np.array_equal(covered, turned)
    assert covered[20, 5:35].mean() == pytest.approx(0.5, abs=0.05)


def test_a_circle_that_cannot_be_computed_with_is_not_drawn() -> None:
    for scale in (1e20, 1e30, 0):
        assert ran([("circle", scale, 0, 0, scale, 500, 500, 8, 1, 0)])["alpha"].sum() == 0


@pytest.mark.parametrize("height", [40, 41])
def test_an_edge_is_steep_where_it_is(height: int) -> None:
    result = ran([*box(12, 0, 40, height), ("fill", *SAME, 1, 0)], height=height)
    assert result["steepness"][20, 24:].max() == 0
    assert result["steepness"][20, :8].max() == 0
    soft = ran([*box(13, 0, 40, height), ("fill", *SAME, 1, 0)], height=height)["steepness"][20]
    assert soft[12] == pytest.approx(3 / 9, abs=0.01)


def test_another_text_of_the_library_is_refused() -> None:
    text = (node_modules() / "p5.brush" / "dist" / "p5.brush.js").read_text(encoding="utf-8")
    assert "BrushMask" in as_served(text)
    with pytest.raises(SetupError, match="pinned version"):
        as_served(text.replace("t.mask=st(o,s)", "t.mask=st(s,o)"))
    with pytest.raises(SetupError, match="pinned version"):
        as_served("// another")
