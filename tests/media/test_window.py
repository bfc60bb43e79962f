"""What a sketch finds around it: a window with a size, and no p5 where it asks for none."""

import io

import pytest
from PIL import Image

from salon.media.p5.medium import SketchMedium
from salon.types import Rendering

pytestmark = pytest.mark.browser

WHOLE = "function setup() { createCanvas(windowWidth, windowHeight); circle(90, 90, 80); noLoop(); }"
PLAIN = """
const canvas = document.createElement("canvas");
canvas.width = 60;
canvas.height = 40;
document.body.append(canvas);
const context = canvas.getContext("2d");
let frame = 0;
function paint(red) { context.fillStyle = `rgb(${red} 0 0)`; context.fillRect(0, 0, 60, 40); }
"""


def rendered(source: str, **how: object) -> Rendering:
    medium = SketchMedium(workers=1, **how)  # type: ignore[arg-type]
    try:
        return medium.render([source], [1])[0]
    finally:
        medium.close()


def red(rendering: Rendering) -> int:
    assert rendering.picture is not None, rendering.failure
    with Image.open(io.BytesIO(rendering.picture.png)) as image:
        assert image.size == (60, 40)
        return image.getpixel((30, 20))[0]


@pytest.mark.parametrize("size", [None, (300, 200)])
def test_the_window_is_as_large_as_the_picture(size: tuple[int, int] | None) -> None:
    picture = rendered(WHOLE, size=size).picture
    assert picture is not None
    assert (picture.width, picture.height) == (size or (800, 800))


def test_a_canvas_without_p5_is_a_sketch() -> None:
    source = PLAIN + "paint(50); context.fillStyle = '#fff'; context.fillRect(0, 0, 9, 9);"
    assert red(rendered(source)) == 50


def test_its_timers_run_before_it_is_captured() -> None:
    later = "paint(50); setTimeout(() => { paint(90); context.clearRect(0, 0, 9, 9); }, 900);"
    assert red(rendered(PLAIN + later)) == 90


def test_it_is_captured_at_a_frame() -> None:
    draw = "frame += 1; paint(frame); context.clearRect(0, 0, 9, 9); requestAnimationFrame(loop);"
    loop = f"(function loop() {{ {draw} }})();"
    assert red(rendered(PLAIN + loop, frames=30)) == pytest.approx(30, abs=2)


def test_one_that_shows_no_canvas_has_nothing_to_show() -> None:
    hidden = "const canvas = document.createElement('canvas'); canvas.getContext('2d').fillRect(0, 0, 9, 9);"
    failure = rendered(hidden).failure
    assert failure is not None
    assert failure.code == "missing_entry_points"


def test_a_canvas_for_an_element_of_another_page_stays_where_it_is() -> None:
    source = "function setup() { createCanvas(60, 40).parent('sketch-holder'); background(70, 0, 0);"
    source += " rect(0, 0, 9, 9); noLoop(); }"
    assert red(rendered(source)) == 70


def test_a_sketch_that_builds_up_is_told_to_wait() -> None:
    source = "function setup() { createCanvas(60, 40); background(255); }"
    source += " function draw() { if (frameCount > 40) circle(frameCount, 20, 30); }"
    failure = rendered(source).failure
    assert failure is not None
    assert "time_s" in failure.message
    assert rendered(source, frames=60).failure is None


@pytest.mark.parametrize(
    ("first", "size"),
    [
        ("new p5((p) => { p.setup = () => p.noCanvas(); });", (60, 40)),
        ("new p5((p) => { p.setup = async () => { await null; p.noLoop(); }; });", (60, 40)),
        ("new p5((p) => { p.setup = () => p.createCanvas(90, 90); });", (90, 90)),
        ("new p5((p) => { p.setup = () => {}; p.draw = () => p.circle(50, 50, 50); });", (100, 100)),
    ],
)
def test_an_instance_without_canvas_and_draw_is_not_the_sketch(first: str, size: tuple[int, int]) -> None:
    sketch = "p.createCanvas(60, 40); p.background(255); p.circle(30, 20, 30);"
    picture = rendered(f"{first}\nnew p5((p) => {{ p.setup = () => {{ {sketch} p.noLoop(); }}; }});").picture
    assert picture is not None
    assert (picture.width, picture.height) == size


def test_p5s_own_canvas_is_the_picture_where_the_sketch_makes_none() -> None:
    picture = rendered("function setup() { background(255); circle(50, 50, 60); }").picture
    assert picture is not None
    assert (picture.width, picture.height) == (100, 100)
