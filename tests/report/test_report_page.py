"""The report in a real browser, offline: it opens without a request or an error, and nothing hostile runs."""

from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import Browser, Page
from recorded import HOSTILE, RECIPE, TIMEOUT, hostile_run, learning_run, write_step

from salon.report import build_report
from salon.report.comparison.compare import compare
from salon.report.comparison.page import build_comparison
from salon.report.rescored import build_rescored_page
from salon.store.runs import Run

pytestmark = pytest.mark.browser


class Visit:
    """One page, opened offline; `trouble` collects what must not happen."""

    def __init__(self, browser: Browser, file: Path, width: int = 1280) -> None:
        self.context = browser.new_context(viewport={"width": width, "height": 800}, offline=True)
        self.page: Page = self.context.new_page()
        self.trouble: list[str] = []
        self.page.on("console", lambda message: self.trouble.append(message.text))
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("request", self._note)
        self.page.goto(file.as_uri())

    def _note(self, request: object) -> None:
        url = str(getattr(request, "url", ""))
        if not url.startswith(("data:", "file:")):
            self.trouble.append(url)

    def __enter__(self) -> "Visit":
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()


def test_a_run_can_be_walked_through(browser: Browser, tmp_path: Path) -> None:
    file = build_report(learning_run(tmp_path / "run"))
    with Visit(browser, file) as visit:
        page = visit.page
        assert page.locator("#where").inner_text() == "Step 12 · 3 of 4 render"
        assert page.locator(".card").count() == 4
        page.click("#earlier")
        assert page.locator("#where").inner_text().startswith("Step 11")
        page.locator("#step").focus()
        page.keyboard.press("Home")
        assert page.locator("#where").inner_text().startswith("Step 1 ·")
        page.check("#best")
        assert page.locator(".card .sum b").first.inner_text() == "0.34"
        page.locator(".card").first.focus()
        page.keyboard.press("Enter")
        assert "won 2 of 2" in page.locator("#plate").inner_text()
        assert "brush.circle(0, 0, 9);" in page.locator("#plate pre").inner_text()
        page.keyboard.press("ArrowRight")
        assert "Answer 2 of 4" in page.locator("#plate").inner_text()
        page.keyboard.press("Escape")
        assert not page.locator("#plate").is_visible()
        page.locator("[data-pair]").nth(1).click()
        assert "brush.noWiggle is not a function" in page.locator("#plate").inner_text()
        assert visit.trouble == []


def test_the_policy_lets_the_pages_own_style_and_pictures_through(browser: Browser, tmp_path: Path) -> None:
    with Visit(browser, build_report(learning_run(tmp_path / "run", steps=2))) as visit:
        page = visit.page
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(247, 242, 232)"
        assert page.evaluate("[...document.images].every((image) => image.naturalWidth > 0)")
        page.evaluate("document.body.append(document.createElement('script'))")
        page.evaluate("document.body.lastChild.text = 'window.hacked = 1'")
        assert page.evaluate("window.hacked") is None
        assert any("Content Security Policy" in line for line in visit.trouble)


@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_sticks_out_of_the_window(browser: Browser, tmp_path: Path, width: int) -> None:
    with Visit(browser, build_report(learning_run(tmp_path / "run")), width) as visit:
        page = visit.page
        assert page.evaluate("document.documentElement.scrollWidth") == width
        page.locator(".card").first.click()
        assert page.evaluate("document.getElementById('plate').scrollWidth") <= width - 32


def test_a_point_of_a_curve_opens_its_step(browser: Browser, tmp_path: Path) -> None:
    with Visit(browser, build_report(learning_run(tmp_path / "run"))) as visit:
        page = visit.page
        chart = page.locator(".reward .chart.wide")
        box = chart.bounding_box()
        assert box is not None
        chart.hover(position={"x": box["width"] / 2, "y": 60})
        assert page.locator(".reward .readout").inner_text().startswith(("step 6:", "step 7:"))
        chart.click(position={"x": 2, "y": 60})
        assert page.locator("#where").inner_text().startswith("Step 1 ·")
        assert visit.trouble == []


def test_nothing_that_a_model_wrote_runs(browser: Browser, tmp_path: Path) -> None:
    with Visit(browser, build_report(hostile_run(tmp_path / "run"))) as visit:
        page = visit.page
        page.locator(".card").first.click()
        assert page.locator("#plate pre").inner_text() == HOSTILE
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        assert page.evaluate("document.documentElement.scrollWidth") == 1280
        page.locator("[data-pair]").click()
        page.wait_for_timeout(100)
        assert page.evaluate("window.hacked") is None
        assert page.locator('img[src="x"]').count() == 0
        assert visit.trouble == []


def test_a_run_without_pictures_opens_too(browser: Browser, tmp_path: Path) -> None:
    empty = Run.create(tmp_path / "empty", {"recipe": RECIPE})
    failed = Run.create(tmp_path / "failed", {"recipe": RECIPE})
    write_step(failed, 1, [TIMEOUT, TIMEOUT])
    for run in (empty, failed):
        with Visit(browser, build_report(run)) as visit:
            assert visit.page.locator("h1").inner_text().lower() == run.path.name
            assert visit.trouble == []


def test_pages_without_a_script_open_offline_at_any_width(browser: Browser, tmp_path: Path) -> None:
    first, second = learning_run(tmp_path / "first"), learning_run(tmp_path / "second", steps=7)
    files = [
        build_comparison(compare([first.path, second.path]), tmp_path / "side.html"),
        build_rescored_page(first, ranks(first), RESCORED, PROVENANCE, tmp_path / "rescored.html"),
    ]
    for file in files:
        for width in (1280, 390):
            with Visit(browser, file, width) as visit:
                page = visit.page
                assert page.locator("h1").is_visible()
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                assert page.evaluate("getComputedStyle(document.body).fontFamily.includes('Palatino')")
                assert visit.trouble == []
    with Visit(browser, files[1]) as visit:
        assert visit.page.locator(".movers figure").count() == 2
        assert visit.page.locator(".ribbon").count() == 3
        assert visit.page.locator(".movers img").first.evaluate("image => image.naturalWidth > 0")
        assert HOSTILE in visit.page.locator(".movers i").first.inner_text()
        assert visit.page.evaluate("window.hacked") is None


RESCORED = {
    "samples": 3,
    "groups": 1,
    "tau_groups": 1,
    "lost": 0,
    "gained": 0,
    "tau": -0.3,
    "tau_low": None,
    "tau_high": None,
    "crowned": 1.0,
    "crowned_low": 0.2,
    "crowned_high": 1.0,
    "moved": 1.3,
}
TERM = {"recorded_as": HOSTILE, "note": HOSTILE, "reused": 3, "asked": 0, "answered": 0}
PROVENANCE = {
    "of": HOSTILE,
    "of_recipe_sha256": "a",
    "of_reward_sha256": "b",
    "reward_sha256": "c",
    "recipe_file": "other.yaml",
    "terms": {HOSTILE: TERM},
}


def ranks(run: Run) -> pl.DataFrame:
    """Three answers of one group, the last of which becomes the first."""
    keys = run.rollouts()["picture"].drop_nulls().to_list()
    rows = [
        {
            "step": 1,
            "group": 0,
            "prompt": HOSTILE,
            "sample_id": f"s{index}",
            "picture": keys[index],
            "failure_code": None,
            "place_before": float(before),
            "place_after": float(after),
            "ordered": 3,
            "rose": float(before - after),
            "tau": -0.3,
            "pushes": [{"term": HOSTILE, "push": float(before - after)}],
        }
        for index, (before, after) in enumerate([(1, 3), (2, 2), (3, 1)])
    ]
    return pl.DataFrame(rows)
