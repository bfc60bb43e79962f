"""Words that would break a page: of ten thousand letters, with escapes, or that turn round what follows."""

from pathlib import Path

import pytest
import recorded
import test_report_page as pages
from playwright.sync_api import Browser
from recorded import RECIPE, hostile_run, learning_run
from test_report_page import Visit

from salon.diagnosis import examine, read_table
from salon.diagnosis.pages.page import page as diagnosis_page
from salon.diagnosis.simulate import nine_signals
from salon.markup import el, visible
from salon.report import build_report
from salon.report.comparison.compare import compare
from salon.report.comparison.page import build_comparison
from salon.report.numbers import brief_name, shorten
from salon.report.rescored import build_rescored_page
from salon.report.static_page import static_cover, static_page

LONG = "W" * 10_000
EVIL = (
    "</script></style></title></textarea><img src=x onerror=window.hacked=1>"
    '<a href="javascript:window.hacked=1">x</a>\u202e\u2066\x1b[31m'
)


def test_what_nobody_sees_at_work_is_shown() -> None:
    assert visible("a\x1b[31mb\x07\x00\x9b\u202e\u2066c") == "a�[31mb�����c"
    assert visible("tab\t, end\r\n, old end\r, ü 花 🌹 e\u0301") == "tab\t, end\n, old end\n, ü 花 🌹 e\u0301"
    assert el("p", {"title": "\u202e1"}, "\x1b<") == '<p title="�1">�&lt;</p>'
    assert shorten("\u202eab", 2) == "�a\n… and 1 characters more"
    assert brief_name("n" * 100, 40) == "n" * 20 + "…" + "n" * 19
    assert brief_name("taste") == "taste"


def run_report(folder: Path, words: str, patch: pytest.MonkeyPatch) -> Path:
    patch.setattr(recorded, "HOSTILE", words)
    return build_report(hostile_run(folder / "run"))


def comparison(folder: Path, words: str, patch: pytest.MonkeyPatch) -> Path:
    runs = []
    for name in ("one", "two"):
        terms = {words[:90]: {"weight": 0.1}, "taste": {"weight": 0.9}}
        patch.setattr(recorded, "RECIPE", {**RECIPE, "note": words + name, "reward": {"terms": terms}})
        runs.append(learning_run(folder / name, steps=3).path)
    return build_comparison(compare(runs), folder / "side.html")


def rescored(folder: Path, words: str, patch: pytest.MonkeyPatch) -> Path:
    patch.setattr(pages, "HOSTILE", words)
    run = learning_run(folder / "run", steps=2)
    term = {**pages.TERM, "recorded_as": words, "note": words}
    source = {**pages.PROVENANCE, "of": words, "recipe_file": f"{words[:240]}.yaml", "terms": {words: term}}
    return build_rescored_page(run, pages.ranks(run), pages.RESCORED, source, folder / "rescored.html")


def diagnosis(folder: Path, words: str, patch: pytest.MonkeyPatch) -> Path:
    frame = nine_signals()
    names = {name: f"{words}{at}" for at, name in enumerate(frame.columns) if name not in ("group", "step")}
    frame.rename(names).write_parquet(folder / "scores.parquet")
    file = folder / "diagnosis.html"
    file.write_text(diagnosis_page(examine(read_table(folder / "scores.parquet"))))
    return file


def reproduced(folder: Path, words: str, patch: pytest.MonkeyPatch) -> Path:
    """The cover and the sections that `salon reproduce` is made of, too."""
    parts = [
        ("one", words, el("section", {"id": "one"}, el("h2", {}, words), el("p", {"class": "note"}, words)))
    ]
    cover = static_cover(words, words[:200], words, [(words[:20], words, words)])
    (folder / "leaf.html").write_text(static_page(words, cover, parts))
    return folder / "leaf.html"


OUTSIDE = """width => [...document.querySelectorAll('body *')].filter(each => {
  const box = each.getBoundingClientRect();
  return box.width > 0 && box.right > width + 1 && !each.closest('.scroll, pre, svg');
}).map(each => each.tagName + '.' + each.className).slice(0, 3)"""


@pytest.mark.browser
@pytest.mark.parametrize("make", [run_report, comparison, rescored, diagnosis, reproduced])
@pytest.mark.parametrize("words", [LONG, EVIL], ids=["long", "evil"])
def test_pages_hold_whatever_the_words_are(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: object, words: str
) -> None:
    file = make(tmp_path, words, monkeypatch)  # type: ignore[operator]
    for width in (1280, 400):
        with Visit(browser, file, width) as visit:
            page = visit.page
            assert page.evaluate("document.documentElement.scrollWidth") == width
            assert page.evaluate(OUTSIDE, width) == []
            # Long words take room, but no title fills the floor.
            assert page.locator("h1").bounding_box()["height"] < 1800  # type: ignore[index]
            assert page.locator("img[src='x'], a[href^='javascript']").count() == 0
            assert not any(mark in page.content() for mark in "\u202e\u2066\x1b")
            assert page.evaluate("window.hacked") is None
            assert visit.trouble == []
