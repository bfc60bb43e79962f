"""Sketches as they come from elsewhere: what was thrown, told with its cause and what to do about it."""

from collections.abc import Iterator

import pytest

from salon.media.p5.js_errors import explain
from salon.media.p5.medium import SketchMedium
from salon.media.p5.page_reports import Report

pytestmark = pytest.mark.browser

OPENING = "function setup() { createCanvas(40, 40); background(255); fill(255, 0, 0); "
SHAPE = "circle(20, 20, 20);"


@pytest.fixture(scope="module")
def medium() -> Iterator[SketchMedium]:
    medium = SketchMedium(workers=1)
    yield medium
    medium.close()


def told(medium: SketchMedium, source: str) -> tuple[str, str]:
    failure = medium.render([source], [1])[0].failure
    assert failure is not None
    return failure.code, failure.message


@pytest.mark.parametrize(
    ("source", "code", "cause"),
    [
        (OPENING + "curveVertex(1, 2); }", "p5_v1_api", "version 2 has splineVertex(x, y)"),
        (OPENING + "append([], 1); }", "p5_v1_api", "version 2 has array.push(value)"),
        (
            OPENING + "beginShape(); vertex(1, 2); bezierVertex(1, 2, 30, 4, 5, 36); endShape(); }",
            "p5_v1_api",
            "bezierVertex takes one point in p5 2",
        ),
        ("function equal() {}\n" + OPENING + "}", "name_taken", "equal is p5's own name"),
        ("function circle() {}\n" + OPENING + "}", "name_taken", "circle is p5's own name"),
        ("const w = width / 2;\n" + OPENING + "}", "called_before_setup", "exist from setup() on"),
        ("const w = new Walker();\n" + OPENING + "}", "threw", "nothing in this source defines it"),
        (OPENING + "stroke(rainbow(0.5)); }", "threw", "nothing in this source defines it"),
        (
            "let paint;\nfunction preload() { paint = [1]; }\n" + OPENING + "fill(paint[0]); }",
            "threw",
            "p5 2 does not call preload()",
        ),
        (
            "function preload() {}\n" + OPENING + "throw new TypeError('ouch'); }",
            "threw",
            "TypeError: ouch (line 2)",
        ),
        (
            "new p5((p) => { p.setup = () => { p.createCanvas(40, 40); p.background(random(9)); }; });",
            "threw",
            "it is the instance's here, such as p.random",
        ),
        (
            OPENING + "document.getElementById('seed').addEventListener('input', redraw); }",
            "threw",
            "a sketch's page has no elements of its own",
        ),
    ],
)
def test_what_was_thrown_is_told_with_its_cause(
    medium: SketchMedium, source: str, code: str, cause: str
) -> None:
    found, message = told(medium, source)
    assert (found, cause in message) == (code, True), message


def test_a_blank_sketch_that_waits_for_somebody_is_told_that_nobody_comes(medium: SketchMedium) -> None:
    waiting = OPENING + "}\nfunction draw() { if (mouseIsPressed) circle(mouseX, mouseY, 20); }"
    code, message = told(medium, waiting)
    assert (code, "nobody moves the mouse or presses a key" in message) == ("blank_canvas", True)
    assert "nobody" not in told(medium, OPENING + "}\nfunction draw() {}")[1]


@pytest.mark.parametrize(
    "source",
    [
        OPENING + SHAPE + "}\nfunction keyPressed() { saveCanvas('mine', 'png'); }",
        OPENING + SHAPE + "save('mine.png'); }",
        OPENING
        + SHAPE
        + "}\nfunction draw() { saveFrames('mine', 'png', 1, 5); saveGif('mine', 3); noLoop(); }",
        "new p5((p) => { p.setup = () => { p.createCanvas(40, 40); p.background(255); p.fill(0);"
        " p.circle(20, 20, 20); p.saveCanvas('mine'); }; });",
    ],
)
def test_a_sketch_that_would_save_its_picture_is_rendered(medium: SketchMedium, source: str) -> None:
    rendering = medium.render([source], [1])[0]
    assert rendering.failure is None
    assert rendering.picture is not None
    assert (rendering.picture.width, rendering.picture.height) == (40, 40)


def test_a_name_that_the_source_has_elsewhere_gets_no_advice() -> None:
    inner = "function setup() { { const hue2 = 1; } fill(hue2); }"
    assert explain(Report("threw", "ReferenceError: hue2 is not defined", 1, 0, True), inner) == (
        "threw",
        "ReferenceError: hue2 is not defined (line 1)",
    )
    assert explain(Report("threw", "TypeError: ouch", 3, 0, True), inner) == (
        "threw",
        "TypeError: ouch (line 3)",
    )
