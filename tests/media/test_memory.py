"""A sketch that takes all the memory there is: its browser is ended early, and nobody else notices."""

from pathlib import Path

import pytest

from salon.errors import RecipeError
from salon.media.p5.medium import SketchMedium

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="reads Linux's /proc"),
]

BOMBS = {
    "arrays": "const kept = []; for (;;) kept.push(new Uint8Array(1 << 26).fill(1));",
    "clones": "const kept = [], part = new Uint8Array(1 << 26).fill(1);"
    "for (;;) kept.push(structuredClone(part));",
    "blobs": "const kept = [], part = new Uint8Array(1 << 26).fill(1); for (;;) {"
    "kept.push(new Blob([part])); await new Promise((done) => setTimeout(done)); }",
}
QUIET = """function setup() { createCanvas(60, 60, WEBGL); background(255); brush.noStroke();
  brush.fill("#c92a42", 150); brush.circle(random(9), 0, 20); noLoop(); }"""


def bomb(body: str) -> str:
    return f"async function setup() {{ createCanvas(40, 40); rect(9, 9, 20, 20); {body} }}"


def test_a_bomb_is_ended_before_its_deadline_beside_another_who_paints() -> None:
    medium = SketchMedium(workers=2, deadline_s=120, memory_mb=700)
    quiet, seeds = [QUIET] * 3, [1, 2, 3]
    try:
        expected = medium.render(quiet, seeds)
        assert all(rendering.ok for rendering in expected)
        for name, body in BOMBS.items():
            bombed, *beside = medium.render([bomb(body), *quiet], [1, *seeds])
            assert bombed.picture is None, name
            assert bombed.failure is not None, name
            assert (bombed.failure.code, bombed.failure.fault) == ("out_of_memory", "sample"), bombed.failure
            assert "700 MB" in bombed.failure.message
            assert bombed.seconds < 60, name
            assert [each.picture for each in beside] == [each.picture for each in expected], name
        assert [each.picture for each in medium.render(quiet, seeds)] == [each.picture for each in expected]
        metrics = medium.metrics()
        assert (metrics.deaths, metrics.retries, metrics.failures) == (6, 3, {"out_of_memory": 3})
    finally:
        medium.close()


def test_what_a_browser_needs_it_may_hold() -> None:
    with pytest.raises(RecipeError, match="memory_mb is 500 or more"):
        SketchMedium(memory_mb=100)
