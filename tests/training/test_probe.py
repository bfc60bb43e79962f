"""The probe: a real step 0 of the base policy, which stays as it was, and what a step will cost."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from rich.console import Console

from salon.diagnosis import diagnose
from salon.errors import RecipeError, StoreError
from salon.judges.fake import FakeJudge
from salon.judges.measuring.call_counter import counted
from salon.policies.code_lm import load_policy
from salon.recipe import RunRecipe, load_run_recipe, recipe_of_run
from salon.store.runs import Run
from salon.training.probe import StepCost, cost_lines, probe
from salon.training.update_timing import update_seconds
from salon.types import Examiner, Judge, Prompt, Rater
from tinyrun import save_tiny_policy, tiny_mapping, tiny_recipe

QUIET = Console(quiet=True)
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_policy(tmp_path_factory.mktemp("policy"))


def judged_recipe(policy: Path, out: Path, **train: Any) -> RunRecipe:
    """The tiny run with a judge in its reward."""
    mapping = tiny_mapping(policy, out, **train)
    mapping["reward"]["terms"]["result"] = {"scorer": "round_robin", "weight": 0.5, "judge": "eye"}
    mapping["reward"]["judges"] = {"eye": {"kind": "fake"}}
    return RunRecipe.model_validate(mapping)


@pytest.mark.torch
def test_a_probe_is_a_run_that_diagnose_reads(policy: Path, tmp_path: Path) -> None:
    recipe = tiny_recipe(policy, tmp_path / "run")
    done = probe(recipe, QUIET, prompts=6)
    assert done.run.path == tmp_path / "run-probe"
    assert not (tmp_path / "run").exists()
    run = Run.open(done.run.path)
    rows = run.rollouts()
    assert run.steps() == [0]
    assert rows.height == 6 * 4
    assert rows.group_by("group").len()["len"].to_list() == [4] * 6
    assert run.manifest["probe"] == {"prompts": 6, "of": str(tmp_path / "run")}
    assert recipe_of_run(run.manifest).reward == recipe.reward
    assert diagnose(run.path).table.rows == 24
    line = run.metrics().row(0, named=True)
    assert line["samples"] == 24
    assert line["reward"] == pytest.approx(rows["total"].mean())
    assert run.evaluations()["cost"]["steps"] == 4


@pytest.mark.torch
def test_the_base_policy_writes_and_does_not_change(policy: Path, tmp_path: Path) -> None:
    before = {file.name: file.read_bytes() for file in policy.iterdir()}
    first = probe(tiny_recipe(policy, tmp_path / "a"), QUIET, prompts=2).run.rollouts()
    second = probe(tiny_recipe(policy, tmp_path / "b"), QUIET, prompts=2).run.rollouts()
    assert first["reply"].to_list() == second["reply"].to_list()
    assert first["total"].to_list() == second["total"].to_list()
    assert {file.name: file.read_bytes() for file in policy.iterdir()} == before


@pytest.mark.torch
@pytest.mark.parametrize("tuning", ["full", "lora"])
def test_the_rehearsal_leaves_no_gradient_and_no_other_weight(policy: Path, tuning: str) -> None:
    import torch

    loaded = load_policy(str(policy))
    mapping = tiny_mapping(policy, policy, num_iterations=2, micro_batch=2)
    mapping["policy"]["tuning"] = tuning
    before = {
        name.replace(".base_layer", ""): value.clone() for name, value in loaded.model.state_dict().items()
    }
    taken = update_seconds(
        loaded, RunRecipe.model_validate(mapping), ["draw\nabc", "draw\nde", "draw\nf"], rows=12
    )
    assert taken > 0
    after = {name.replace(".base_layer", ""): value for name, value in loaded.model.state_dict().items()}
    assert all(torch.equal(value, after[name]) for name, value in before.items())
    assert all(parameter.grad is None for parameter in loaded.model.parameters())


@pytest.mark.torch
def test_the_cost_is_scaled_to_a_step_of_the_training(policy: Path, tmp_path: Path) -> None:
    """3 groups of 4 are probed, and a step has 2: ten questions of twelve … 12 per group, 24 a step."""
    recipe = judged_recipe(policy, tmp_path / "run", steps=5)
    done = probe(recipe, QUIET, prompts=3)
    cost = done.cost
    assert (cost.samples, cost.measured, cost.steps) == (8, 12, 5)
    assert set(cost.seconds) == {"policy", "render", "judge", "update"}
    assert all(seconds > 0 for seconds in cost.seconds.values())
    pictures = done.run.rollouts().filter(done.run.rollouts()["failure_code"].is_null())
    sizes = pictures.group_by("group").len()["len"].to_list()
    # Every two pictures of a group meet in both orders.
    asked = sum(size * (size - 1) for size in sizes if size > 1)
    assert asked > 0
    assert cost.questions["eye"]["comparisons"] == pytest.approx(asked * 8 / 12)
    line = done.run.metrics().row(0, named=True)
    assert line["seconds_render"] == pytest.approx(cost.seconds["render"] * 12 / 8)


@pytest.mark.torch
def test_a_used_folder_and_a_reward_that_does_not_fit_are_refused(policy: Path, tmp_path: Path) -> None:
    recipe = tiny_recipe(policy, tmp_path / "run")
    (tmp_path / "run-probe").mkdir()
    with pytest.raises(StoreError, match="choose another --out"):
        probe(recipe, QUIET)
    mapping = tiny_mapping(policy, tmp_path / "pairs")
    mapping["reward"]["advantage"] = {"kind": "rpo"}
    with pytest.raises(RecipeError, match="group_size"):
        probe(RunRecipe.model_validate(mapping), QUIET)
    assert not (tmp_path / "pairs-probe").exists()


@pytest.mark.torch
def test_the_command_line_tells_verdicts_and_cost(policy: Path, tmp_path: Path) -> None:
    file = tmp_path / "tiny.yaml"
    file.write_text(yaml.safe_dump(tiny_mapping(policy, tmp_path / "run")))
    command = [sys.executable, "-m", "salon.cli", "probe", str(file), "--prompts", "3", "--html"]
    env = {**os.environ, "COLUMNS": "300", "PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), *sys.path])}
    done = subprocess.run(
        [*command, str(tmp_path / "page.html")],
        capture_output=True,
        text=True,
        env=env,
        timeout=120,
        check=True,
    )
    assert "12 rows · 2 terms · 3 groups of 4" in done.stdout
    assert "cost to expect, for steps of 8 answers (measured on 12)" in done.stdout
    assert f"wrote {tmp_path / 'run-probe'}" in done.stdout
    assert (tmp_path / "page.html").is_file()


def test_the_cost_in_words() -> None:
    cost = StepCost(
        samples=32,
        measured=64,
        steps=14,
        seconds={"policy": 2.0, "render": 17.0, "judge": 1.0, "update": 1.5},
        term_seconds={"taste": 0.9, "length": 0.0},
        questions={"taste": {"comparisons": 128.0}},
    )
    told = "\n".join(cost_lines(cost))
    assert cost.step == 21.5
    assert "14 steps: 5 min" in told
    assert "judge taste: 128 comparisons a step, 1,792 in all" in told
    assert "taste 0.9" in told
    assert "length" not in told


def test_a_counted_judge_answers_as_before_and_can_do_no_more() -> None:
    judge, counter = counted(FakeJudge())
    assert isinstance(judge, Judge)
    assert isinstance(judge, Rater)
    assert isinstance(judge, Examiner)
    assert judge.identity == FakeJudge().identity
    assert judge.assess([]) == []
    assert judge.asked == 0

    class OnlyCompares:
        identity = "only"

        def compare(self, prompt: Prompt, pairs: Any) -> list[Any]:
            return [None for _ in pairs]

    plain, counter = counted(OnlyCompares())
    assert isinstance(plain, Judge)
    assert not isinstance(plain, Rater)
    plain.compare(Prompt("p", "p"), [1, 2, 3])
    plain.compare(Prompt("p", "p"), [1])
    assert dict(counter) == {"comparisons": 4}


@pytest.mark.torch
@pytest.mark.browser
@pytest.mark.slow
def test_the_shipped_recipe_can_be_probed(tmp_path: Path) -> None:
    recipe = load_run_recipe(ROOT / "recipes" / "hibiscus-cpu.yaml", ["train.group_size=4"])
    done = probe(recipe, QUIET, prompts=2, out=str(tmp_path / "probe"))
    rows = done.run.rollouts()
    assert rows["picture"].null_count() < 4
    assert rows["total"].null_count() == 0
    # Two references in both orders for each picture that passed the gate.
    passed = rows.filter(rows["taste.raw"].is_not_null()).height
    assert done.cost.questions["taste"]["comparisons"] == passed * 4 * 16 / 8
    assert done.cost.seconds["render"] > done.cost.seconds["policy"] / 100
    assert diagnose(done.run.path).table.rows == 8
