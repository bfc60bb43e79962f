"""Whose ratings stand behind a page's numbers, where they are those that ship: every page says it."""

import html
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_compare import REWARDED, climbing

from salon.diagnosis import examine, read_table
from salon.diagnosis.pages.page import page as diagnosis_page
from salon.pool.provenance import RATED, provenance_of
from salon.report import build_report
from salon.report.comparison.compare import compare
from salon.report.comparison.page import build_comparison
from salon.store.runs import Run


def diagnosis_of(run: Run, folder: Path) -> str:
    return diagnosis_page(examine(read_table(run.path)))


def report_of(run: Run, folder: Path) -> str:
    return build_report(run).read_text()


def comparison_with(run: Run, folder: Path) -> str:
    other = climbing(folder / "other", [0.2, 0.3])
    return build_comparison(compare([other.path, run.path]), folder / "compared.html").read_text()


PAGES = [report_of, diagnosis_of, comparison_with]
POOL = {
    **REWARDED,
    "terms": {"taste": {"scorer": "pairwise", "judge": "eye", "weight": 1.0, "args": {"pool": "flowers"}}},
}
BEHIND: dict[str, dict[str, Any]] = {
    "a judge by its identity": {"judges": {"judge eye": "flowers@abc/features"}},
    "the held-out judge": {"judges": {"judge eye": "flowers-heldout@abc/features"}},
    "references": {"reward": POOL},
}


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("shown", PAGES)
def test_a_page_says_whose_ratings_stand_behind_it(
    shown: Callable[[Run, Path], str], behind: str, tmp_path: Path
) -> None:
    run = climbing(tmp_path / "run", [0.2, 0.4, 0.5], **BEHIND[behind])
    assert html.unescape(shown(run, tmp_path)).count(RATED) == 1


@pytest.mark.parametrize("shown", PAGES)
def test_a_page_of_other_ratings_says_nothing(shown: Callable[[Run, Path], str], tmp_path: Path) -> None:
    judged = {"eye": {"kind": "taste", "name_or_path": "judges/mine"}}
    run = climbing(tmp_path / "run", [0.2, 0.4, 0.5], {**REWARDED, "judges": judged})
    assert RATED not in html.unescape(shown(run, tmp_path))


def test_a_recipe_names_the_pool_or_a_judge_of_it() -> None:
    assert provenance_of({"judges": {"eye": {"kind": "taste"}}}) == RATED
    assert provenance_of({"judges": [{"kind": "taste", "name_or_path": "heldout"}]}) == RATED
    assert provenance_of({"judges": {"eye": {"kind": "taste", "name_or_path": "judges/mine"}}}) == ""
    assert provenance_of({"terms": {"taste": {"pool": "roses", "kind": "flowers"}}}) == ""
