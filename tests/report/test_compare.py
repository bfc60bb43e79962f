"""Runs side by side: totals only where the reward is the same, and steps to a level, worked by hand."""

import copy
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recorded import PROMPT, hostile_run, paint
from rich.console import Console

from salon.errors import RecipeError, StoreError
from salon.report.comparison.compare import REWARD, compare
from salon.report.comparison.levels import Measured, reach
from salon.report.comparison.page import between, build_comparison
from salon.report.comparison.terminal import show
from salon.report.facts import gather
from salon.store.runs import Run
from salon.types import Group, Reward, Sample, TermValue

REWARDED: dict[str, Any] = {
    "terms": {
        "gate": {"scorer": "rendered", "role": "gate", "weight": 0.1},
        "taste": {"scorer": "preference", "weight": 0.9, "judge": "eye"},
    },
    "judges": {"eye": {"kind": "fake"}},
}
WHO = {"scorer gate": "rendered 1", "scorer taste": "preference 1", "judge eye": "fake@1"}


def climbing(
    path: Path,
    totals: Sequence[float],
    reward: dict[str, Any] | None = None,
    judges: dict[str, str] | None = None,
    **manifest: Any,
) -> Run:
    """One step per total: two groups of two, all of whose rows have that total."""
    recipe = {"reward": REWARDED if reward is None else reward, "seed": 1}
    run = Run.create(path, {"recipe": recipe, "judges": WHO if judges is None else judges, **manifest})
    for step, total in enumerate(totals, start=1):
        terms = (TermValue("gate", 1.0, 1.0, 0.1, "ok"), TermValue("taste", total, total, total, "ok"))
        groups = [
            Group(
                PROMPT,
                tuple(Sample(f"{slot}-{index}", PROMPT, "r", picture=paint(9)) for index in (0, 1)),
                step,
            )
            for slot in (0, 1)
        ]
        rewards = [[Reward(total, terms, 0.0)] * 2] * 2
        run.write_step(step, groups, rewards, {"rendered_share": 1.0, "seconds_step": 2.0})
    return run


def evaluated(run: Run, outcomes: Sequence[float | None], judge: str = "eye@1", bases: str = "base") -> None:
    rows = [
        {
            "prompt_id": f"p{index}",
            "prompt": f"draw {index}",
            "seed": index,
            "base_reply": "r",
            "base_picture": f"{bases}{index}",
            "outcome": outcome,
        }
        for index, outcome in enumerate(outcomes)
    ]
    known = [outcome for outcome in outcomes if outcome is not None]
    told = {"judge": "eye", "judge_identity": judge, "n": len(known), "win_rate": sum(known) / len(known)}
    run.write_evaluation("winrate-eye", rows, told | {"win_rate_low": 0.1, "win_rate_high": 0.9})


SLOW, FAST = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7), (0.1, 0.4, 0.7, 0.7, 0.7, 0.7, 0.7)


def flat(values: Sequence[float]) -> Measured:
    """A curve without noise: every group of a step has the same mean."""
    sums = tuple(np.array([value, value]) for value in values)
    return Measured(tuple(range(1, len(values) + 1)), sums, tuple(np.ones(2) for _ in values))


def test_a_level_is_reached_by_the_mean_of_five() -> None:
    """.1 … .7 smooth to .2, .25, .3, .4, .5, .55, .6: the level .3 is reached at the third step."""
    found = reach(flat(SLOW), 0.3)
    assert (found.step, found.low, found.high, found.share, found.last) == (3, 3, 3, 1.0, 7)
    assert reach(flat(SLOW), 0.61).step is None
    assert reach(flat(SLOW), 0.61).share == 0.0
    assert reach(flat(SLOW), 0.0).step == 1


def test_noise_widens_the_interval_and_may_go_beyond_the_end() -> None:
    rng = np.random.default_rng(0)
    sums = tuple(value + rng.normal(0, 0.3, 4) for value in SLOW)
    noisy = Measured(tuple(range(1, 8)), sums, tuple(np.ones(4) for _ in SLOW))
    best = reach(noisy, noisy.best)
    assert best.step == 7
    assert best.high is None
    assert 0.3 < best.share < 0.7
    middle = reach(noisy, 0.35)
    assert middle.low is not None
    assert middle.high is not None
    assert middle.low < middle.high
    assert reach(noisy, 0.35) == middle


def test_the_same_reward_compares_totals(tmp_path: Path) -> None:
    climbing(tmp_path / "slow", SLOW)
    climbing(tmp_path / "fast", FAST)
    found = compare([tmp_path / "slow", tmp_path / "fast"], ["0.5", "taste=0.3"])
    assert found.same_reward
    assert list(found.measured) == [REWARD, "gate", "taste"]
    best, half, taste = found.levels
    assert (best.name, best.value, best.of) == (REWARD, pytest.approx(0.6), "the best of slow")
    # fast smooths to .4, .475, .52, .64, .70 …
    assert [each.step for each in best.reached if each] == [7, 4]
    assert [each.step for each in half.reached if each] == [5, 3]
    assert (taste.name, [each.step for each in taste.reached if each]) == ("taste", [3, 1])
    assert [side.seconds for side in found.sides] == [14.0, 14.0]


def other_weights() -> dict[str, Any]:
    changed = copy.deepcopy(REWARDED)
    changed["terms"]["taste"]["weight"] = 0.5
    return changed


def test_another_reward_compares_shared_raw_scores_and_says_so(tmp_path: Path) -> None:
    climbing(tmp_path / "a", SLOW)
    climbing(tmp_path / "b", FAST, other_weights())
    found = compare([tmp_path / "a", tmp_path / "b"])
    assert found.unlike == ("b has another reward than a",)
    assert list(found.measured) == ["gate", "taste"]
    # The gate is no level to climb to.
    assert [level.name for level in found.levels] == ["taste"]
    assert found.main == "taste"
    with pytest.raises(RecipeError, match="b has another reward than a"):
        compare([tmp_path / "a", tmp_path / "b"], ["0.5"])
    page = build_comparison(found, tmp_path / "page.html").read_text()
    assert "Totals are not compared: b has another reward than a" in page
    assert "Mean reward" not in page
    assert "reward.terms.taste.weight: 0.9 → 0.5" in page


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ({"judge eye": "fake@2"}, "b was scored by another judge eye"),
        ({"scorer taste": "preference 2"}, "b was scored by another scorer taste"),
        ({"scorer taste": ""}, "b does not say which scorer taste it had (manifest.json: judges)"),
    ],
)
def test_the_same_recipe_with_another_judge_or_version_is_another_reward(
    tmp_path: Path, who: dict[str, str], said: str
) -> None:
    climbing(tmp_path / "a", SLOW)
    climbing(tmp_path / "b", FAST, judges=WHO | who)
    found = compare([tmp_path / "a", tmp_path / "b"])
    assert found.unlike == (said,)
    assert list(found.measured) == ["gate"]
    assert list(found.apart) == ["taste"]
    assert ("does not say" in found.apart["taste"]) == ("does not say" in said)


def test_a_default_that_one_version_wrote_out_is_no_difference(tmp_path: Path) -> None:
    written = copy.deepcopy(REWARDED)
    written["terms"]["taste"]["on_missing"] = "drop_sample"
    climbing(tmp_path / "a", SLOW)
    climbing(tmp_path / "b", SLOW, written)
    assert compare([tmp_path / "a", tmp_path / "b"]).same_reward


def test_win_rates_are_paired_over_the_same_base_pictures(tmp_path: Path) -> None:
    runs = [climbing(tmp_path / name, SLOW) for name in "abcd"]
    evaluated(runs[0], [1.0, 0.0, 1.0, 0.5])
    evaluated(runs[1], [1.0, 1.0, 1.0, None])
    evaluated(runs[2], [1.0, 1.0, 1.0, 1.0], judge="eye@2")
    evaluated(runs[3], [1.0, 1.0, 1.0, 1.0], bases="another renderer's ")
    found = compare([run.path for run in runs]).win_rates
    assert [each.side for each in found] == [0, 1, 2, 3]
    assert (found[1].difference, found[1].pairs, found[1].against) == (pytest.approx(1 / 3), 3, 0)
    assert found[1].between is not None
    assert [each.difference for each in (found[0], found[2], found[3])] == [None] * 3


def test_runs_of_different_lengths_and_without_rewards_can_stand_together(tmp_path: Path) -> None:
    climbing(tmp_path / "long", SLOW)
    climbing(tmp_path / "short", FAST[:2])
    found = compare([tmp_path / "long", tmp_path / "short"])
    assert [each.last for each in found.levels[0].reached if each] == [7, 2]
    assert "<html" in build_comparison(found, tmp_path / "page.html").read_text()


def test_mistakes_are_messages(tmp_path: Path) -> None:
    a, b = climbing(tmp_path / "a", SLOW), climbing(tmp_path / "b", FAST)
    empty = Run.create(tmp_path / "empty", {"recipe": {}})
    with pytest.raises(StoreError, match="two to 6 runs, not 1"):
        compare([a.path])
    with pytest.raises(StoreError, match="stands twice"):
        compare([a.path, tmp_path / "b" / ".." / "a"])
    with pytest.raises(StoreError, match="no rollouts yet"):
        compare([a.path, empty.path])
    for text, said in (("high", "not a number"), ("nan", "finite"), ("tasty=.5", "Did you mean 'taste'")):
        with pytest.raises(RecipeError, match=said):
            compare([a.path, b.path], [text])


def test_the_terminal_tells_it(tmp_path: Path) -> None:
    a, b = (
        climbing(tmp_path / "x" / "run", SLOW),
        climbing(tmp_path / "y" / "run", FAST, medium={"page": "new"}),
    )
    evaluated(a, [1.0, 0.0])
    console = Console(record=True, width=140, file=io.StringIO())
    show(compare([a.path, b.path]), console)
    told = console.export_text()
    assert "x/run" in told
    assert "y/run" in told
    # As in a run's own report: the means of the first and the last fifth of the seven steps.
    assert "first → last fifth" in told
    assert "0.10 → 0.70" in told
    ends = gather(a).reward.ends()
    assert ends == pytest.approx((0.1, 0.7))
    assert "different versions of the renderer" in told
    assert "winrate-eye" in told


def test_a_hostile_run_writes_no_markup(tmp_path: Path) -> None:
    paths = [hostile_run(tmp_path / name).path for name in ("a", "b")]
    page = build_comparison(compare(paths), tmp_path / "page.html").read_text()
    assert "<script" not in page
    assert "<img src=x" not in page


def test_one_group_a_step_has_no_interval() -> None:
    """Nothing says how far a single group would differ: no `5 to 5`."""
    sums = tuple(np.array([each]) for each in (0.1, 0.2, 0.3, 0.9, 0.9, 0.9, 0.9))
    alone = Measured(tuple(range(7)), sums, tuple(np.ones(1) for _ in sums))
    found = reach(alone, 0.6)
    assert (found.step, found.low, found.high, found.known) == (3, None, None, False)
    assert between(found) == "unknown: one group a step"
    several = tuple(np.array([each, each * 0.8, each * 1.1]) for each in (0.1, 0.2, 0.3, 0.9, 0.9, 0.9, 0.9))
    assert reach(Measured(tuple(range(7)), several, tuple(np.ones(3) for _ in several)), 0.6).known
