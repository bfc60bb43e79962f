"""A judge's budget ends in the middle of a run: it stops where a step ended, keeps all, and goes on."""

import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import yaml
from rich.console import Console

from chatserver import served
from salon import cli
from salon.errors import BudgetSpent
from salon.evals.winrate import evaluate
from salon.judges.fake import FakeJudge
from salon.recipe import RunRecipe, recipe_of_run
from salon.serving.judge_server import JudgeServer
from salon.store.runs import Run
from salon.training.grpo import policy_folder, train
from salon.training.probe import probe
from tinyrun import save_tiny_policy, tiny_mapping

pytestmark = pytest.mark.torch

QUIET = Console(quiet=True)
START = 0
"""Calls before the first step: the start-up check is skipped."""


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_policy(tmp_path_factory.mktemp("policy"))


@pytest.fixture(scope="module")
def address() -> Generator[str]:
    with served(JudgeServer(FakeJudge(), port=0)) as server:
        yield server.url


def mapping(policy: Path, out: Path, url: str, calls: int | None, **term: Any) -> dict[str, Any]:
    """Eight sketches a step, each looked at once; nothing is saved before the end."""
    whole = tiny_mapping(policy, out, steps=4, num_iterations=2, save_every=99)
    look = {
        "scorer": "checklist",
        "judge": "eye",
        "args": {"questions": ["Is it a rose?"]},
        "weight": 0.5,
        **term,
    }
    whole["reward"]["terms"]["look"] = look
    server = {"kind": "openai", "model": "fake", "base_url": url, "cache": str(out.parent / "kept")}
    whole["reward"]["judges"] = {"eye": server | ({"budget": {"calls": calls}} if calls else {})}
    whole["reward"]["check"] = False
    return whole


def test_a_run_stops_at_a_steps_end_and_goes_on_with_a_larger_budget(
    policy: Path,
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Two whole steps and three sketches of the third; then the same run as if nothing had happened."""
    recipe = tmp_path / "run.yaml"
    recipe.write_text(yaml.safe_dump(mapping(policy, tmp_path / "run", address, START + 2 * 8 + 3)))
    monkeypatch.setattr("sys.argv", ["salon", "train", str(recipe)])
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 3
    told = capsys.readouterr().err
    assert "step 3: reward.judges.eye: the budget of 19 calls is spent. Raise budget.calls" in told
    assert "Since the start: 19 calls" in told
    assert f"{tmp_path / 'run'} is saved after step 2: the same command goes on from there." in told
    stopped = Run.open(tmp_path / "run")
    assert stopped.steps() == stopped.metrics()["step"].to_list() == [1, 2]
    assert not policy_folder(stopped).exists()

    again = RunRecipe.model_validate(mapping(policy, tmp_path / "run", address, 500))
    run = train(again, QUIET)
    assert run.steps() == [1, 2, 3, 4]
    undisturbed = train(RunRecipe.model_validate(mapping(policy, tmp_path / "other", address, None)), QUIET)
    for column in ("reply", "advantage", "look.raw"):
        assert run.rollouts()[column].to_list() == undisturbed.rollouts()[column].to_list()


def test_a_budget_that_ends_in_the_first_step_leaves_a_run_that_begins_again(
    policy: Path, address: str, tmp_path: Path
) -> None:
    with pytest.raises(BudgetSpent, match="Nothing was learned yet"):
        train(RunRecipe.model_validate(mapping(policy, tmp_path / "run", address, START + 3)), QUIET)
    assert train(
        RunRecipe.model_validate(mapping(policy, tmp_path / "run", address, 500)), QUIET
    ).steps() == [1, 2, 3, 4]


def test_what_only_watches_ends_nothing(policy: Path, address: str, tmp_path: Path) -> None:
    whole = mapping(policy, tmp_path / "run", address, START + 3, role="monitor")
    del whole["reward"]["terms"]["look"]["weight"]
    run = train(RunRecipe.model_validate(whole), QUIET)
    assert run.steps() == [1, 2, 3, 4]
    assert run.rollouts()["look.raw"].null_count() > 20


def test_the_budget_is_kept_beside_what_makes_the_run(policy: Path, address: str, tmp_path: Path) -> None:
    recipe, larger = (
        RunRecipe.model_validate(mapping(policy, tmp_path / "run", address, n)) for n in (7, 70)
    )
    assert recipe.identity() == larger.identity()
    assert recipe.reward.digest == larger.reward.digest
    manifest = {"recipe": recipe.identity(), "kept_beside": recipe.beside()}
    assert recipe_of_run(manifest).reward == recipe.reward
    other = mapping(policy, tmp_path / "run", address, 7)
    other["reward"]["judges"]["eye"]["model"] = "another"
    assert RunRecipe.model_validate(other).identity() != recipe.identity()
    council = {"kind": "council", "members": [dict(other["reward"]["judges"]["eye"]), {"kind": "fake"}]}
    other["reward"]["judges"]["eye"] = council
    told = RunRecipe.model_validate(other).identity()["reward"]["judges"]["eye"]
    assert "budget" not in told["members"][0]
    assert told["members"][0]["model"] == "another"


def test_a_probe_keeps_the_scores_that_there_are(policy: Path, address: str, tmp_path: Path) -> None:
    recipe = RunRecipe.model_validate(mapping(policy, tmp_path / "run", address, START + 3))
    with pytest.raises(BudgetSpent, match=r"step 0: reward\.judges\.eye: .* has the scores that there are"):
        probe(recipe, QUIET, prompts=2)
    rows = Run.open(tmp_path / "run-probe").rollouts()
    assert rows["look.raw"].drop_nulls().len() == 3
    assert rows["look.reason"].str.contains("judge_budget_spent").sum() >= 4


def test_an_evaluation_writes_the_judges_that_are_done(policy: Path, address: str, tmp_path: Path) -> None:
    """The next one asks on: each command has the whole budget, and kept answers cost none of it."""
    whole = mapping(policy, tmp_path / "run", address, 9)
    whole["train"]["steps"] = 1
    whole["evaluate"] = {"pairs": 16, "judges": ["training", "fake"]}
    run = train(RunRecipe.model_validate(whole), QUIET)
    told = stopped_by(run)
    assert re.search(r"judge eye: the budget of 9 calls is spent\..* \d+ of 16 pairs were judged", told)
    assert f"salon evaluate {run.path} asks on" in told
    assert list(run.evaluations()) == ["winrate-fake-16"]
    while told:
        last, told = told, stopped_by(run)
        assert told != last
    assert set(run.evaluations()) == {"winrate-fake-16", "winrate-eye-16"}


def stopped_by(run: Run) -> str:
    try:
        evaluate(run, QUIET)
    except BudgetSpent as spent:
        return str(spent)
    return ""
