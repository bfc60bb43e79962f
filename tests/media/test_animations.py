"""Sketches that move: captured at a declared frame, or at a second of their own clock."""

import io
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from salon.errors import RecipeError
from salon.media.p5.medium import SketchMedium
from salon.types import Rendering

pytestmark = pytest.mark.browser

HEAD = "function setup() { createCanvas(40, 40); noStroke(); background(255); }"
LOOP = f"{HEAD} function draw() {{ fill(frameCount, millis() / 10, 0); rect(5, 5, 20, 20); }}"
STOPS = LOOP.replace("frameCount,", "9 * frameCount,").replace("; }", "; if (frameCount == 5) noLoop(); }")
TIMER = (
    "function setup() { createCanvas(40, 40); noStroke(); background(255); noLoop();"
    " let n = 0; setInterval(() => { n += 1; fill(n, 0, 0); rect(5, 5, 20, 20); }, 100); }"
)


def rendered(source: str, **how: float) -> Rendering:
    medium = SketchMedium(workers=1, **how)  # type: ignore[arg-type]
    try:
        return medium.render([source], [1])[0]
    finally:
        medium.close()


def red_and_green(rendering: Rendering) -> tuple[int, int]:
    assert rendering.picture is not None, rendering.failure
    with Image.open(io.BytesIO(rendering.picture.png)) as image:
        red, green, _ = image.getpixel((10, 10))
    return red, green


@pytest.mark.parametrize("frames", [1, 2, 90])
def test_a_loop_at_a_frame(frames: int) -> None:
    assert red_and_green(rendered(LOOP, frames=frames))[0] == frames


@pytest.mark.parametrize("seconds", [0.5, 2.0])
def test_a_loop_at_a_second_of_its_own(seconds: float) -> None:
    frame, tenths = red_and_green(rendered(LOOP, time_s=seconds))
    assert tenths == pytest.approx(100 * seconds, abs=4)
    assert frame == pytest.approx(60 * seconds, abs=3)


def test_the_same_moment_gives_the_same_bytes() -> None:
    assert rendered(LOOP, time_s=1.0).picture == rendered(LOOP, time_s=1.0).picture


def test_a_loop_that_stops_is_captured_where_it_stopped() -> None:
    assert red_and_green(rendered(STOPS, frames=90))[0] == 45
    assert red_and_green(rendered(STOPS, time_s=3.0))[0] == 45


def test_timers_run_up_to_the_moment() -> None:
    assert red_and_green(rendered(TIMER))[0] == pytest.approx(20, abs=1)
    assert red_and_green(rendered(TIMER, time_s=6.0))[0] == pytest.approx(60, abs=1)


def test_frames_and_time_are_one_choice() -> None:
    for wrong in ({"frames": 2, "time_s": 1.0}, {"time_s": 0.0}, {"time_s": -1.0}, {"time_s": 9e9}):
        with pytest.raises(RecipeError, match="time_s"):
            SketchMedium(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "expected"), [(["--frame", "7"], 7), (["--time", "1.5"], 90), ([], 1)], ids=str
)
def test_on_the_command_line(tmp_path: Path, options: list[str], expected: int) -> None:
    (tmp_path / "a.js").write_text(LOOP)
    command = [sys.executable, "-m", "salon.cli", "render", "a.js", *options]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=120)
    with Image.open(tmp_path / "out.png") as image:
        assert image.getpixel((10, 10))[0] == pytest.approx(expected, abs=3 if "--time" in options else 0)


NO_CLOCK = f"{HEAD} function draw() {{ fill(frameCount, 0, 0); rect(5, 5, 20, 20); }}"


@pytest.mark.parametrize("frames", [64, 65, 200])
def test_a_loop_that_never_reads_a_clock_moves_on(frames: int) -> None:
    assert red_and_green(rendered(NO_CLOCK, frames=frames, deadline_s=20))[0] == frames


def test_such_a_loop_at_a_second() -> None:
    assert red_and_green(rendered(NO_CLOCK, time_s=2.5, deadline_s=20))[0] == pytest.approx(150, abs=2)
