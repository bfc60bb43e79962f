"""Weights that change over the steps: what a term weighs where, and a run whose recipe has them."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from salon.diagnosis import Options, diagnose, examine, read_table
from salon.diagnosis.reading.scheduled_weights import weighted
from salon.diagnosis.table import Term
from salon.rewards.compose import compose
from salon.rewards.recipe import RewardRecipe, load_reward
from salon.rewards.schedule import weight_at
from salon.store.runs import Run
from salon.types import Group, Prompt, Sample, Score

GDPO = load_reward("recipes/gdpo.yaml")


def with_weights(colour: float | dict[int, float], taste: float | dict[int, float] = 0.6) -> RewardRecipe:
    """Two signals that are summed as they are."""
    terms = {
        "colour": {"scorer": "palette", "weight": colour},
        "taste": {"scorer": "palette", "weight": taste},
    }
    return load_reward({"terms": terms})


def run_under(folder: Path, recipe: RewardRecipe, steps: int, dull: str = "") -> Run:
    """A run with random scores, composed step by step as a training does; `dull` spreads a tenth as wide."""
    rng = np.random.default_rng(0)
    run = Run.create(folder, {"recipe": {"reward": recipe.model_dump(mode="json")}})
    for step in range(steps):
        prompts = [Prompt(f"flower-{index}", f"draw flower {index}") for index in range(4)]
        groups = [
            Group(
                prompt,
                tuple(Sample(f"{step}-{prompt.id}-{i}", prompt, "…", source="s") for i in range(6)),
                step,
            )
            for prompt in prompts
        ]
        ids = [group.prompt.id for group in groups for _ in group.samples]
        scores = {name: scored(rng, term.role == "gate", name == dull, len(ids))
                  for name, term in recipe.terms.items()}  # fmt: skip
        rewards = compose(recipe, ids, scores, step)
        run.write_step(step, groups, [rewards[i : i + 6] for i in range(0, len(ids), 6)], {})
    return run


def scored(rng: np.random.Generator, is_gate: bool, is_dull: bool, count: int) -> list[Score]:
    spread = 0.1 if is_dull else 1.0
    return [Score(1.0 if is_gate else float(spread * rng.random())) for _ in range(count)]


@pytest.mark.parametrize("knots", [{0: 0.0, 20: 0.3}, {"5": 0.1, "10": 0.6, "12": 0.2}, {"7": 0.4}])
def test_each_row_has_its_steps_weight(knots: Mapping[int | str, float]) -> None:
    steps_N = np.array([0, 3, 6, 7, 11, 15, 15])
    term = weighted(Term("colour", np.ones(7)), knots, steps_N)
    expected = [weight_at({int(step): at for step, at in knots.items()}, step) for step in steps_N.tolist()]
    assert term.weight_N == pytest.approx(expected)
    assert term.weight == expected[-1]
    assert term.added_N == pytest.approx(expected)


def test_a_run_under_the_shipped_schedule_is_diagnosed(tmp_path: Path) -> None:
    """Its manifest holds the schedule's steps as text."""
    found = diagnose(run_under(tmp_path / "run", GDPO, steps=9).path)
    colour = found.table.term("colour")
    assert colour.weight == pytest.approx(0.3 * 8 / 20)
    assert {name: round(share, 3) for name, share in found.table.nominal.items()} == {
        "length": round(0.1 / 0.82, 3),
        "colour": round(0.12 / 0.82, 3),
        "taste": round(0.6 / 0.82, 3),
    }
    assert found.table.late_nominal["colour"] == pytest.approx(0.105 / 0.805)  # The mean of steps 6 to 8.


def test_a_weight_is_compared_with_what_it_decided_over_the_same_steps(tmp_path: Path) -> None:
    """Taste took over at the last of nine steps: over the last three each term decided as it weighed."""
    recipe = with_weights(colour={7: 0.6, 8: 0.0001}, taste={7: 0.0001, 8: 0.6})
    found = examine(read_table(run_under(tmp_path / "run", recipe, steps=9).path))
    assert found.table.nominal["taste"] > 0.99
    assert found.table.late_nominal["taste"] == pytest.approx(1 / 3, abs=0.01)
    assert [finding.level for finding in found.findings if finding.kind == "dominance"] == ["fine"]


def test_a_proposal_follows_from_a_run_with_a_schedule(tmp_path: Path) -> None:
    recipe = with_weights(colour={0: 0.0, 20: 0.3})
    found = diagnose(run_under(tmp_path / "run", recipe, steps=12, dull="taste").path)
    dominance = next(finding for finding in found.findings if finding.kind == "dominance")
    assert dominance.terms == ("colour",)
    assert found.recipe is not None
    (tmp_path / "new.yaml").write_text(found.recipe)
    proposed = load_reward(tmp_path / "new.yaml").terms
    # .165 of .765 at step 11 is .2 in twentieths; at .2 it would decide .06, at .3 it decides .16.
    assert proposed["colour"].weight == pytest.approx(0.3)
    assert proposed["taste"].weight == pytest.approx(0.7)


def test_a_term_that_does_not_weigh_yet_keeps_its_schedule(tmp_path: Path) -> None:
    """As in a probe, which has step 0 only."""
    terms = with_weights(colour={0: 0.0, 20: 0.3}).terms | {"twin": with_weights(0.4).terms["colour"]}
    run = run_under(tmp_path / "run", RewardRecipe(terms=terms), steps=1, dull="taste")
    found = diagnose(run.path)
    assert [term.name for term in found.table.live] == ["taste", "twin"]
    assert not found.table.unweighted
    assert found.recipe is not None
    assert "colour has no weight at step 0, the last one here, and keeps its schedule" in found.recipe
    (tmp_path / "new.yaml").write_text(found.recipe)
    assert load_reward(tmp_path / "new.yaml").terms["colour"].weight == {0: 0.0, 20: 0.3}


def test_another_recipe_with_a_schedule_weighs_each_row(tmp_path: Path) -> None:
    run = run_under(tmp_path / "run", with_weights(0.3), steps=3)
    colour, taste = "{scorer: palette, weight: {0: 1, 2: 0}}", "{scorer: palette, weight: 1}"
    (tmp_path / "r.yaml").write_text(f"reward: {{terms: {{colour: {colour}, taste: {taste}}}}}")
    table = read_table(run.path, Options(recipe=str(tmp_path / "r.yaml")))
    colour = table.term("colour")
    assert colour.added_N == pytest.approx(colour.raw_N * (1 - table.step_N / 2))
    assert examine(table).proposal is not None
