"""The browser medium: what is painted, what fails and how fast, and what a sketch cannot reach."""

import io
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Set
from pathlib import Path

import pytest
from PIL import Image

from salon.media.p5.medium import SketchMedium
from salon.media.paint_coverage import paint_stats
from salon.types import Medium, Rendering

pytestmark = pytest.mark.browser

FLOWER = """
function setup() {
  createCanvas(200, 200, WEBGL);
  angleMode(DEGREES);
  background(255);
  translate(-width / 2, -height / 2);
  brush.noStroke();
  for (let i = 0; i < 3; i++) {
    brush.fill(random(["#e8735a", "#d94f70"]), 110);
    brush.fillBleed(0.2);
    brush.fillTexture(0.5, 0.4);
    brush.beginShape(0.3);
    for (let a = 0; a < 360; a += 60) {
      const x = 100 + 30 * cos(i * 120), y = 100 + 30 * sin(i * 120);
      brush.vertex(x + 30 * cos(a), y + 26 * sin(a) + Math.random());
    }
    brush.endShape();
  }
  noLoop();
}
"""


def square(*colour: object) -> str:
    """A square of a colour in the middle: a picture of one colour alone would count as blank paper."""
    return f"noStroke(); fill({', '.join(map(str, colour))}); rect(10, 10, 20, 20);"


RED = square(255, 0, 0)


def plain(setup: str = "", draw: str = "", head: str = "") -> str:
    """A plain p5 sketch on 40 × 40 pixels; with no draw body it has no draw()."""
    tail = f"function draw() {{ {draw} }}" if draw else ""
    return f"{head}\nfunction setup() {{ createCanvas(40, 40); background(255); {setup}\n}}\n{tail}"


@pytest.fixture(scope="module")
def medium() -> Iterator[SketchMedium]:
    medium = SketchMedium(workers=2, deadline_s=60)
    yield medium
    medium.close()


@pytest.fixture(scope="module")
def hasty() -> Iterator[SketchMedium]:
    medium = SketchMedium(workers=1, deadline_s=6)
    medium.render([plain(RED)], [1])
    yield medium
    medium.close()


def one(medium: SketchMedium, source: str, seed: int = 1) -> Rendering:
    return medium.render([source], [seed])[0]


def pixel(rendering: Rendering, at: tuple[int, int] = (20, 20)) -> tuple[int, ...]:
    assert rendering.picture is not None, rendering.failure
    image = Image.open(io.BytesIO(rendering.picture.png))
    assert image.mode == "RGB"
    return image.getpixel(at)  # type: ignore[return-value]


def code(rendering: Rendering) -> str:
    return rendering.failure.code if rendering.failure else ""


def test_a_watercolour_repeats_to_the_byte(medium: SketchMedium) -> None:
    assert isinstance(medium, Medium)
    first, second, other, again = medium.render([FLOWER] * 4, [7, 7, 8, 7])
    assert first.ok, first.failure
    assert first.picture == second.picture == again.picture
    assert first.picture != other.picture
    assert first.picture is not None
    assert (first.picture.width, first.picture.height) == (200, 200)
    stats = paint_stats(first.picture)
    assert 0.05 < stats.paint_fraction < 0.9
    red, green, _ = stats.paint_colour or (0, 0, 0)
    assert red > green + 30


def test_another_pool_and_one_worker_give_the_same_bytes(medium: SketchMedium) -> None:
    alone = SketchMedium(workers=1)
    try:
        assert one(alone, FLOWER, 7).picture == one(medium, FLOWER, 7).picture
        assert alone.versions() == medium.versions()
    finally:
        alone.close()
    assert set(medium.versions()) == {"p5", "p5.brush", "chromium", "page"}


CHANCE = """
  const bytes = crypto.getRandomValues(new Uint8Array(3));
  const values = [random(), Math.random(), noise(3), millis(), deltaTime, Date.now() % 1000, bytes[0],
    performance.now(), randomGaussian(), new Date().getSeconds(), crypto.randomUUID().charCodeAt(3)];
  noStroke();
  values.forEach((value, i) => {
    fill((value * 9973) % 256, (value * 77) % 256, i * 20);
    rect(i * 3, 0, 3, 40);
  });
"""


def test_chance_and_time_repeat(medium: SketchMedium) -> None:
    source = plain("noLoop();", CHANCE)
    first, second, other = medium.render([source, source, source], [5, 5, 6])
    assert first.ok, first.failure
    assert first.picture == second.picture
    assert first.picture != other.picture


@pytest.mark.parametrize(
    "source",
    [
        plain(RED),
        plain(RED + "noLoop();", "1;"),
        plain("noLoop();", RED),
        plain("", RED),
        plain(RED, "/* never stops */;"),
        plain("setTimeout(() => {" + RED + "}, 900); noLoop();", "1;"),
        plain("Promise.resolve().then(() => {" + RED + "});"),
        plain()
        .replace("function setup", "async function setup")
        .replace("background(255);", "await new Promise((r) => setTimeout(r, 999));" + RED),
        "new p5((p) => { p.setup = () => { p.createCanvas(40, 40); p.fill('red'); p.rect(9, 9, 22); }; });",
        "for (const c of ['red', 'blue']) new p5((p) => { p.setup = () => { p.createCanvas(40, 40); };"
        " p.draw = () => { p.fill(c); p.rect(9, 9, 22); p.noLoop(); }; });",
        plain(RED + "const g = createGraphics(9, 9); g.background(0);"),
        "function setup() { createCanvas(9, 9); createCanvas(40, 40);" + RED + "}",
        "let g; function setup() { g = createGraphics(9, 9); createCanvas(40, 40); image(g, 0, 0);"
        + RED
        + "}",
        "document.body.prepend(document.createElement('canvas')); " + plain(RED),
        plain("pixelDensity(50);" + RED),
        plain("alert('a'); confirm('b'); prompt('c'); print('d');" + RED),
        plain("document.querySelector('canvas').remove();" + RED),
    ],
)
def test_finished_and_complete(medium: SketchMedium, source: str) -> None:
    rendering = one(medium, source)
    assert code(rendering) == ""
    assert rendering.picture is not None
    assert (rendering.picture.width, rendering.picture.height) == (40, 40)
    assert pixel(rendering) == (255, 0, 0)


def test_a_loop_is_captured_at_the_declared_frame() -> None:
    third = SketchMedium(workers=1, frames=3)
    try:
        assert pixel(one(third, plain("", square("frameCount * 50", 0, 0)))) == (150, 0, 0)
    finally:
        third.close()


def test_translucent_paint_lies_on_the_paper(medium: SketchMedium) -> None:
    red, green, blue = pixel(one(medium, plain("clear();" + square(255, 0, 0, 128))))
    assert red == 255
    assert 120 <= green == blue <= 135


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (plain("throw new Error('ouch');"), "threw"),
        (plain("", "undefinedThing();"), "threw"),
        (plain("let color = color(1, 2, 3);"), "used_before_defined"),
        ("let w = random(9);\n" + plain(RED), "called_before_setup"),
        ("createCanvas(90, 90);\n" + plain(RED), "called_before_setup"),
        ("let x = 1; let x = 2;\n" + plain(RED), "syntax_error"),
        (plain(), "blank_canvas"),
        (plain("createCanvas(20000, 20000);"), "canvas_size"),
        (plain("createCanvas(NaN, 40);"), "canvas_size"),
        (plain("createCanvas(0, 0);"), "canvas_size"),
        (plain("for (let i = 0; i < 40; i++) createGraphics(9, 9, WEBGL);"), "context_lost"),
        (plain("location = 'about:blank';"), "external_access"),
        (plain("const i = new Image(); i.src = 'http://127.0.0.1:1/x.png';"), "external_access"),
        ("if (window.neverTrue) setup = draw = 0;", "missing_entry_points"),
        ("hello, here is your hibiscus", "syntax_error"),
    ],
)
def test_failures_come_at_once_with_their_own_code(medium: SketchMedium, source: str, expected: str) -> None:
    rendering = one(medium, source)
    assert code(rendering) == expected
    assert rendering.failure is not None
    assert rendering.failure.fault == "sample"
    assert rendering.seconds < 30


WEBGL = "function setup() { createCanvas(40, 40, WEBGL); background(255); "


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("brush.set('quill', 'red', 1); brush.line(1, 1, 50, 50);", "unknown_brush_name"),
        ("brush.field('quill'); brush.line(1, 1, 50, 50);", "unknown_field_name"),
        ("brush.line(1, 1, 50, 50);", "no_brush_set"),
        ("brush.endShape();", "shape_order"),
        ("brush.vertex(1, 2);", "shape_order"),
    ],
)
def test_a_misused_brush_has_its_own_code(medium: SketchMedium, body: str, expected: str) -> None:
    rendering = one(medium, f"{WEBGL}{body} }}")
    assert code(rendering) == expected
    assert rendering.failure is not None
    assert rendering.failure.fault == "sample"


def test_a_throw_keeps_the_partial_picture_and_names_the_line(medium: SketchMedium) -> None:
    rendering = one(medium, plain(RED + "\n throw new TypeError('ouch');"))
    assert rendering.failure is not None
    assert rendering.failure.message == "TypeError: ouch (line 3)"
    assert pixel(rendering) == (255, 0, 0)


@pytest.mark.parametrize(
    ("source", "at"),
    [
        ("while (true);\n" + plain(RED), "outside of its functions"),
        (plain("while (true);"), "setup() had not ended"),
        (plain() + " function draw() { while (true); }", "setup() had ended"),
    ],
)
def test_an_endless_loop_is_killed_and_the_next_render_is_clean(
    hasty: SketchMedium, source: str, at: str
) -> None:
    started = time.monotonic()
    late = one(hasty, source)
    assert code(late) == "timeout"
    assert late.failure is not None
    assert at in late.failure.message
    assert time.monotonic() - started < 90
    assert pixel(one(hasty, plain(RED))) == (255, 0, 0)


def test_an_await_of_what_never_comes_is_told() -> None:
    medium = SketchMedium(workers=1, deadline_s=2)
    late = one(medium, "async " + plain("await new Promise(() => {});").lstrip())
    medium.close()
    assert code(late) == "timeout"
    assert late.failure is not None
    assert "an await of something that never comes" in late.failure.message


def test_endless_promises_end_at_the_deadline_or_at_the_memory_s_bound(hasty: SketchMedium) -> None:
    endless = plain("const again = () => Promise.resolve().then(again); again();")
    assert code(one(hasty, endless)) in {"timeout", "out_of_memory"}
    assert pixel(one(hasty, plain(RED))) == (255, 0, 0)


def test_an_endless_loop_disturbs_nobody_else() -> None:
    both = SketchMedium(workers=2, deadline_s=8)
    try:
        looping, *others = both.render([plain("for (;;);"), *[plain(RED)] * 4], [1] * 5)
        assert code(looping) == "timeout"
        assert [pixel(other) for other in others] == [(255, 0, 0)] * 4
    finally:
        both.close()


def chromium_processes(before: Set[int] = frozenset()) -> set[int]:
    """Chromium processes, zombies too, whose ancestor is this process, and none of those before."""
    table = subprocess.run(["ps", "-eo", "pid,ppid,comm"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in table.splitlines()[1:]]
    parents = {int(pid): int(parent) for pid, parent, _ in rows}
    names = {int(pid): name for pid, _, name in rows}

    def ours(pid: int) -> bool:
        while pid in parents and pid not in before:
            pid = parents[pid]
            if pid == os.getpid():
                return True
        return False

    return {pid for pid in parents if ("chrom" in names[pid] or "python" in names[pid]) and ours(pid)}


def profiles() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob("salon-chromium-*"))


def test_nothing_is_left_behind() -> None:
    before, folders = chromium_processes(), profiles()
    medium = SketchMedium(workers=1, deadline_s=8)
    medium.render([plain("for (;;);"), plain(RED)], [1, 1])
    assert chromium_processes(before)
    medium.close()
    assert chromium_processes(before) == set()
    assert not [folder for folder in profiles() - folders if folder.exists() and _is_ours(folder)]
    assert pixel(one(medium, plain(RED))) == (255, 0, 0)
    medium.close()


def _is_ours(folder: Path) -> bool:
    """Other renderers may come and go meanwhile: a folder that a process still uses is theirs."""
    users = subprocess.run(["pgrep", "-f", str(folder)], capture_output=True, text=True, check=False).stdout
    return not users.strip()


def test_many_threads_may_render_at_once(medium: SketchMedium) -> None:
    found: list[tuple[int, ...]] = []

    def render(green: int) -> None:
        found.append(pixel(one(medium, plain(square(0, green, 0)))))

    threads = [threading.Thread(target=render, args=(green,)) for green in (10, 20, 30, 40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert sorted(found) == [(0, green, 0) for green in (10, 20, 30, 40)]


def test_a_size_is_kept_to() -> None:
    sized = SketchMedium(size=(64, 32), workers=1)
    try:
        rendering = one(sized, plain(RED))
    finally:
        sized.close()
    assert rendering.picture is not None
    assert (rendering.picture.width, rendering.picture.height) == (64, 32)
    assert pixel(rendering, (32, 16)) == (255, 0, 0)
    assert pixel(rendering, (2, 16)) == (255, 255, 255)
