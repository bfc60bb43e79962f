"""Old against new: numbers worked by hand, and the whole comparison on a policy of letters."""

import html
import io
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import yaml
from rich.console import Console

from salon.errors import RecipeError, StoreError
from salon.pool.provenance import RATED
from salon.report.comparison.levels import Measured, Reach, measured
from salon.studies.findings import Between, conclude, final, gain, speed, together
from salon.studies.judges import redraw
from salon.studies.plan import load_plan
from salon.studies.words import seed_lines, story
from tinyrun import save_tiny_policy, tiny_mapping

RECIPES = Path(__file__).resolve().parents[2] / "recipes" / "reproduce"


def rising(start: float, by: float, steps: int = 12, groups: int = 4, seed: int = 0) -> Measured:
    """Groups of eight around a line, a little apart."""
    rng = np.random.default_rng(seed)
    means = [start + by * step + rng.normal(0, 0.005, groups) for step in range(steps)]
    return Measured(
        tuple(range(1, steps + 1)), tuple(8 * m for m in means), tuple(np.full(groups, 8.0) for _ in means)
    )


def test_a_column_is_measured_group_by_group() -> None:
    rows = pl.DataFrame({"step": [1, 1, 1, 2], "group": [0, 0, 1, 0], "total": [0.2, 0.4, None, 1.0]})
    found = measured(rows, "total")
    assert found is not None
    assert found.steps == (1, 2)
    assert [each.tolist() for each in found.sums] == [pytest.approx([0.6]), [1.0]]
    assert [each.tolist() for each in found.counts] == [[2.0], [1.0]]
    assert measured(rows.with_columns(quality=None), "quality") is None


def test_runs_are_laid_side_by_side_where_all_have_the_step() -> None:
    both = together([rising(0, 0.1, 3), rising(0, 0.1, 4)])
    assert both.steps == (1, 2, 3)
    assert len(both.sums[0]) == 8


def test_the_end_is_the_last_quarter() -> None:
    assert final(rising(0, 1, steps=8, groups=1)) == pytest.approx([6, 7], abs=0.03)


def test_a_gain_is_found_and_none_is_not() -> None:
    old = [rising(0.3, 0.01, seed=seed) for seed in range(3)]
    new = [rising(0.4, 0.01, seed=seed + 9) for seed in range(3)]
    found = gain(old, new)
    assert found.value == pytest.approx(0.1, abs=0.01)
    assert found.low is not None
    assert found.low > 0.08
    same = gain(old, [rising(0.3, 0.01, seed=seed + 9) for seed in range(3)])
    assert same.low is not None
    assert same.high is not None
    assert same.low < 0 < same.high


def test_speed_is_steps_over_steps() -> None:
    old, new = Reach(12, 10, 14, 1.0, 20), Reach(4, 3, 6, 1.0, 20)
    assert speed(old, new) == Between(3.0, 10 / 6, 14 / 3)
    assert speed(old, Reach(None, 9, None, 0.2, 20)) is None
    assert speed(old, Reach(4, 3, None, 0.9, 20)) == Between(3.0, None, 14 / 3)


def side(start: float, by: float) -> dict[int, dict[str, Measured]]:
    others = {"tokens": rising(100, 0), "diversity": rising(0.2, 0)}
    return {seed: {"quality": rising(start, by, seed=seed), **others} for seed in range(3)}


def test_a_faster_rubric_is_called_faster_and_a_slower_one_is_not() -> None:
    faster = conclude({"old": side(0.3, 0.01), "new": side(0.3, 0.03)}, {("old", 0): Between(0.6)}, {})
    assert faster.factor is not None
    assert faster.factor.value > 2
    assert "times as soon" in story(faster)[0]
    assert "ends higher, clearly" in story(faster)[1]
    assert any("wins 60" in line for line in seed_lines(faster))
    slower = conclude({"old": side(0.3, 0.03), "new": side(0.3, 0.01)}, {}, {})
    assert slower.factor is None
    assert "never reaches" in story(slower)[0]
    assert "does not end higher" in story(slower)[1]
    json.dumps(slower.as_json(), allow_nan=False)


def test_a_family_is_drawn_whole() -> None:
    drawn = redraw(["a", "a", "b", "c", "c"], (0, 1))
    assert drawn.count(0) == drawn.count(1)
    assert drawn.count(3) == drawn.count(4)
    assert redraw(["a", "b", "c"] * 5, (0, 1)) != redraw(["a", "b", "c"] * 5, (0, 2))


def test_the_shipped_plan_is_read_and_mistakes_are_named(tmp_path: Path) -> None:
    plan = load_plan(RECIPES / "old-vs-new.yaml", ["seeds=[4]", f"out={tmp_path / 'o'}"])
    recipe = plan.recipe("old", 4)
    assert recipe.seed == 4
    assert recipe.reward.judges["depth"].args["name_or_path"] == str(tmp_path / "o" / "judges" / "depth")
    assert [round(float(str(term.weight)), 2) for term in recipe.reward.terms.values()] == [
        0.05, 0.05, 0.32, 0.10, 0.08, 0.10, 0.15, 0.08, 0.07,
    ]  # fmt: skip
    with pytest.raises(RecipeError, match="one stands twice"):
        load_plan(RECIPES / "old-vs-new.yaml", ["seeds=[4, 4]"])
    with pytest.raises(RecipeError, match="Did you mean 'pairs'"):
        load_plan(RECIPES / "old-vs-new.yaml", ["pears=3"])


@pytest.mark.torch
def test_the_whole_comparison_runs_resumes_and_makes_its_page(tmp_path: Path) -> None:
    from salon.studies.old_vs_new import old_vs_new
    from salon.studies.page import build_page

    run = tiny_mapping(save_tiny_policy(tmp_path / "policy"), tmp_path / "unused")
    length = {"length": {"scorer": "length", "weight": 1, "args": {"max_tokens": 12}}}
    taste = {"taste": {"scorer": "preference", "judge": "depth", "weight": 1}}
    judges = {"depth": {"kind": "taste", "name_or_path": "depth"}}
    common = {
        "quality": run["reward"]["terms"]["vowels"],
        "diversity": {"scorer": "tinyrun:Vowels", "role": "monitor"},
    }
    files = {
        "run.yaml": run,
        "old.yaml": {"reward": {"terms": taste, "judges": judges}},
        "new.yaml": {"reward": {"terms": length}},
        "common.yaml": {"reward": {"terms": common}},
        "plan.yaml": {
            "run": "run.yaml",
            "old": "old.yaml",
            "new": "new.yaml",
            "measured_by": "common.yaml",
            "seeds": [0],
            "pairs": 2,
            "out": str(tmp_path / "out"),
        },
    }
    for name, content in files.items():
        (tmp_path / name).write_text(yaml.safe_dump(content))
    plan, told = load_plan(tmp_path / "plan.yaml"), io.StringIO()
    console = Console(file=told, width=100)
    first = old_vs_new(plan, console, ["train.steps=3"])
    assert first.curves["old"]["tokens"].steps == (1, 2, 3)
    assert {(each.side, each.seed) for each in first.seeds} == {("old", 0), ("new", 0)}
    assert "drawn anew" in told.getvalue()
    page = build_page(plan, first).read_text()
    assert "Quality, by the held-out judge" in page
    assert "four signals" in page
    assert RATED in html.unescape(page)
    told.truncate(0)
    again = old_vs_new(plan, console, ["train.steps=3"])
    assert again.as_json() == first.as_json()
    assert "drawn anew" not in told.getvalue()
    (tmp_path / "common.yaml").write_text(yaml.safe_dump({"reward": {"terms": common | length}}))
    with pytest.raises(StoreError, match="was measured otherwise"):
        old_vs_new(plan, console, ["train.steps=3"])
