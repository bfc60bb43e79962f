"""What may be judged at all: whose fault it is, what is blank, which calls are allowed, what is too long."""

import numpy as np
import pytest
from PIL import Image

from painted import paint, picture_of
from salon.errors import RecipeError
from salon.media.p5.checks.vocabulary import WATERCOLOUR
from salon.scorers.gates.length import Length
from salon.scorers.gates.rendered import Rendered
from salon.scorers.gates.sketch_gate import SketchGate
from salon.types import Failure, Group, Picture, Prompt, Sample, Score

PROMPT = Prompt("p", "draw a rose")
GOOD = """
function setup() {
  createCanvas(400, 400, WEBGL);
  brush.noStroke();
  brush.fill("#e0839a", 120);
  brush.circle(0, 0, 90);
  noLoop();
}
"""
PICTURE = picture_of(paint("love", 3))


def one(scorer: Rendered | SketchGate | Length, **sample: object) -> Score:
    made = Sample("s", PROMPT, "", **sample)  # type: ignore[arg-type]
    return scorer.score(Group(PROMPT, (made,)))[0]


def flat(colour: str) -> Picture:
    return picture_of(Image.new("RGB", (200, 200), colour))


def test_a_rendered_sketch_passes() -> None:
    score = one(SketchGate(), source=GOOD, picture=PICTURE)
    assert score.value == 1.0
    assert score.details["paint"] > 0.05


def test_the_samples_fault_is_zero_and_the_systems_is_missing() -> None:
    own = Failure("syntax_error", "unexpected token", "sample", "check")
    assert one(SketchGate(), source=GOOD, failure=own) == Score(0.0, reason="syntax_error: unexpected token")
    partial = one(SketchGate(), source=GOOD, picture=PICTURE, failure=own)
    assert partial.value == 0.0
    lost = Failure("browser_lost", "gone", "system", "render")
    assert one(SketchGate(), source=GOOD, failure=lost).failure == lost
    unrendered = one(SketchGate(), source=GOOD)
    assert unrendered.failure is not None
    assert unrendered.failure.fault == "system"


@pytest.mark.parametrize("colour", ["white", "#f5a87e", "black"])
def test_a_blank_or_flat_canvas_is_zero(colour: str) -> None:
    score = one(Rendered(), picture=flat(colour))
    assert score.value == 0.0
    assert score.reason.startswith("blank_canvas")


def test_a_speck_is_blank_and_a_small_flower_is_not() -> None:
    pixels = np.full((200, 200, 3), 255, dtype=np.uint8)
    pixels[:10, :10] = (200, 40, 40)  # a quarter of a percent
    assert one(Rendered(), picture=picture_of(Image.fromarray(pixels))).value == 0.0
    pixels[:20, :20] = (200, 40, 40)  # one percent
    assert one(Rendered(), picture=picture_of(Image.fromarray(pixels))).value == 1.0


@pytest.mark.parametrize(
    "wrong",
    [
        GOOD.replace("brush.circle(0, 0, 90)", "brush.rectangle(0, 0, 9, 9)"),
        GOOD.replace("brush.circle(0, 0, 90)", "circle(0, 0, 90)"),
        GOOD.replace("brush.circle(0, 0, 90);", ""),
        "function draw() {}",
    ],
)
def test_a_picture_does_not_excuse_the_code(wrong: str) -> None:
    assert one(SketchGate("watercolour"), source=wrong, picture=PICTURE).value == 0.0


@pytest.mark.parametrize(
    ("called", "code"),
    [
        ("rect", "bare_primitives"),
        ("canvas.fillRect", "bare_primitives"),
        ("canvas.fillText", "text_label"),
        ("text", "text_label"),
        ("brush.wash", "unknown_brush_method"),
    ],
)
def test_what_was_called_by_another_name_fails_as_if_it_was_written(called: str, code: str) -> None:
    calls = ("brush.circle", "brush.fill", "brush.noStroke")
    assert one(SketchGate(), source=GOOD, picture=PICTURE, calls=calls).value == 1.0
    score = one(SketchGate(), source=GOOD, picture=PICTURE, calls=(*calls, called))
    assert score.value == 0.0
    assert score.reason.startswith(f"{code}: ")
    assert called.rpartition(".")[2] in score.reason
    assert one(SketchGate("any"), source=GOOD, picture=PICTURE, calls=(*calls, called)).value == 1.0
    wider, washed = SketchGate([*WATERCOLOUR, "wash"]), ("brush.circle", "brush.wash")
    assert one(wider, source=GOOD, picture=PICTURE, calls=washed).value == 1.0


@pytest.mark.parametrize("calls", [(), ("brush.fill", "brush.noStroke")])
def test_a_painting_that_is_only_in_the_syntax_is_none(calls: tuple[str, ...]) -> None:
    score = one(SketchGate(), source=GOOD, picture=PICTURE, calls=calls)
    assert (score.value, score.reason.partition(":")[0]) == (0.0, "no_painting_calls")


def test_any_allows_what_watercolour_does_not() -> None:
    hatched = GOOD.replace("brush.noStroke();", 'brush.set("2B", "#333333", 1);')
    assert one(SketchGate("watercolour"), source=hatched, picture=PICTURE).value == 0.0
    assert one(SketchGate("any"), source=hatched, picture=PICTURE).value == 1.0


def test_an_allow_list_with_an_invented_method_is_refused_at_the_start() -> None:
    with pytest.raises(RecipeError, match="rectangle"):
        SketchGate(["fill", "rectangle"])


@pytest.mark.parametrize(
    ("tokens", "truncated", "value"),
    [(50, False, 1), (100, False, 1), (101, False, 0), (9, False, 0), (100, True, 0)],
)
def test_length_is_binary(tokens: int, truncated: bool, value: float) -> None:
    score = one(Length(max_tokens=100, min_tokens=10), tokens=tokens, truncated=truncated)
    assert score.value == value
    assert score.details == {"tokens": tokens}


def test_length_limits_that_cannot_be_met_are_refused() -> None:
    with pytest.raises(RecipeError, match="does not hold"):
        Length(max_tokens=5, min_tokens=6)
