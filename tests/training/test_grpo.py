"""GRPO with real TRL, a tiny Llama and the fake medium: what is recorded is what was optimised, and no kill
loses a step.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from rich.console import Console

from salon.errors import RecipeError, StoreError
from salon.recipe import RunRecipe
from salon.rewards.engine import RewardEngine
from salon.rewards.recipe import load_reward
from salon.store.runs import Run
from salon.training.grpo import policy_folder, train
from salon.training.trl_trainer import check_groups_stay_whole, estimator_of, schedule
from salon.types import Prompt
from tinyrun import save_tiny_policy, tiny_mapping, tiny_recipe

pytestmark = pytest.mark.torch

QUIET = Console(quiet=True)
PATCHY = {"terms": {"vowels": {"scorer": "tinyrun:Patchy", "weight": 1.0}}}
TESTS = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_policy(tmp_path_factory.mktemp("policy"))


def weights(folder: Path) -> dict[str, Any]:
    from safetensors.torch import load_file

    return load_file(folder / "model.safetensors")


def moved(before: Path, after: Path) -> bool:
    import torch

    a, b = weights(before), weights(after)
    return any(not torch.equal(a[name], b[name]) for name in a)


def test_prompts_come_equally_often_and_differ_within_a_step() -> None:
    prompts = [Prompt(name, name) for name in "abcde"]
    plan = schedule(prompts, steps=10, per_step=3, seed=1)
    assert [len({prompt.id for prompt in chosen}) for chosen in plan] == [3] * 10
    names = [prompt.id for chosen in plan for prompt in chosen]
    assert {name: names.count(name) for name in "abcde"} == dict.fromkeys("abcde", 6)
    assert plan == schedule(prompts, 10, 3, 1) != schedule(prompts, 10, 3, 2)
    assert [prompt.id for prompt in schedule(prompts[:1], 1, 3, 0)[0]] == ["a", "a", "a"]


def test_the_record_is_what_was_optimised(
    policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TRL's own advantages, with scores missing in every group, equal those in the record."""
    from trl import GRPOTrainer

    optimised: list[list[float]] = []
    original = GRPOTrainer.log

    def log(self: Any, *args: Any, **keywords: Any) -> None:
        optimised.append(list(self._logs["advantages"]))
        original(self, *args, **keywords)

    monkeypatch.setattr(GRPOTrainer, "log", log)
    for scale in ("none", "group", "batch"):
        optimised.clear()
        mapping = tiny_mapping(policy, tmp_path / scale, steps=2, scale_rewards=scale, save_every=9)
        recipe = tiny_recipe(policy, tmp_path / scale).model_validate(mapping | {"reward": PATCHY})
        run = train(recipe, QUIET)
        for step in (1, 2):
            recorded = run.rollouts([step])["advantage"].to_list()
            assert recorded.count(None) == 2
            assert max(map(abs, (value or 0.0 for value in recorded))) > 1e-3
            assert optimised[step - 1] == pytest.approx([value or 0.0 for value in recorded], abs=1e-6)


@pytest.mark.parametrize(
    ("advantage", "keys"),
    [
        ({"kind": "grpo", "scale": "group"}, {}),
        ({"kind": "gdpo"}, {"compose": {"standardize": "group"}}),
        ({"kind": "rank"}, {}),
        ({"kind": "win_rate"}, {}),
        ({"kind": "rpo"}, {}),
    ],
)
def test_every_kind_of_advantage_is_optimised_as_it_is_recorded(
    policy: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    advantage: dict[str, Any],
    keys: dict[str, Any],
) -> None:
    """What the loss multiplies with, in whatever order TRL shuffles the rows, and what TRL logs."""
    from trl import GRPOTrainer

    in_loss: list[float] = []
    logged: list[list[float]] = []
    loss, log = GRPOTrainer._compute_loss, GRPOTrainer.log

    def see_loss(self: Any, model: Any, inputs: Any) -> Any:
        in_loss.extend(inputs["advantages"].tolist())
        return loss(self, model, inputs)

    def see_log(self: Any, *args: Any, **keywords: Any) -> None:
        logged.append(list(self._logs["advantages"]))
        log(self, *args, **keywords)

    monkeypatch.setattr(GRPOTrainer, "_compute_loss", see_loss)
    monkeypatch.setattr(GRPOTrainer, "log", see_log)
    pairs = advantage["kind"] == "rpo"
    mapping = tiny_mapping(
        policy,
        tmp_path / "run",
        steps=1,
        save_every=9,
        micro_batch=2,
        group_size=2 if pairs else 4,
        prompts_per_step=4,
    )
    reward = (tiny_mapping(policy, tmp_path)["reward"] if pairs else PATCHY) | {"advantage": advantage} | keys
    run = train(tiny_recipe(policy, tmp_path).model_validate(mapping | {"reward": reward}), QUIET)
    recorded = [value or 0.0 for value in run.rollouts([1])["advantage"]]
    assert max(map(abs, recorded)) > 1e-3
    assert sorted(in_loss) == pytest.approx(sorted(recorded), abs=1e-6)
    assert logged[0] == pytest.approx(recorded, abs=1e-6)


@pytest.mark.parametrize(
    ("reward", "train_keys", "message"),
    [
        ({"advantage": {"kind": "nft"}}, {}, "weights for a flow model's loss"),
        ({"advantage": {"kind": "rpo"}}, {}, "train.group_size is 4. Set it to 2"),
        (
            {"advantage": {"kind": "rank"}},
            {"scale_rewards": "group"},
            "train.scale_rewards: the reward's own",
        ),
    ],
)
def test_a_kind_that_does_not_fit_the_run_is_refused(
    tmp_path: Path, reward: dict[str, Any], train_keys: dict[str, Any], message: str
) -> None:
    mapping = tiny_mapping(tmp_path, tmp_path / "run", **train_keys)
    mapping["reward"] |= reward
    with pytest.raises(RecipeError, match=message):
        estimator_of(RunRecipe.model_validate(mapping))


def test_a_group_whose_samples_are_compared_is_not_split_over_processes(tmp_path: Path) -> None:
    result = {"scorer": "round_robin", "judge": "eye", "weight": 1.0}
    engines = [
        RewardEngine(load_reward({"terms": {"a": term}, "judges": {"eye": {"kind": "fake"}}}))
        for term in (result, {"scorer": "tinyrun:Vowels", "weight": 1.0})
    ]
    settings = tiny_recipe(tmp_path, tmp_path / "run", prompts_per_step=3).train
    with pytest.raises(RecipeError, match=r"reward\.terms\.a: .*prompts_per_step as a multiple of 2"):
        check_groups_stay_whole(settings, engines[0], 2)
    check_groups_stay_whole(settings, engines[0], 3)
    check_groups_stay_whole(settings, engines[1], 2)


def test_a_step_without_one_reward_moves_nothing_and_ends_nothing(policy: Path, tmp_path: Path) -> None:
    reward = {"terms": {"vowels": {"scorer": "tinyrun:Patchy", "weight": 1.0, "args": {"outage": 2}}}}
    mapping = tiny_mapping(policy, tmp_path / "run", steps=3, save_every=1, keep_checkpoints=9, beta=0.05)
    run = train(tiny_recipe(policy, tmp_path).model_validate(mapping | {"reward": reward}), QUIET)
    first, second, third = (run.path / "checkpoints" / f"checkpoint-{step}" for step in (1, 2, 3))
    assert moved(policy, first)
    assert not moved(first, second)
    assert moved(second, third)
    assert run.rollouts([2])["total"].null_count() == 8
    assert run.metrics()["reward"].to_list()[1] is None
    assert run.steps() == [1, 2, 3]


def test_it_learns_with_adapters_and_several_updates_per_step(policy: Path, tmp_path: Path) -> None:
    mapping = tiny_mapping(
        policy,
        tmp_path / "run",
        steps=8,
        group_size=16,
        micro_batch=8,
        num_iterations=2,
        learning_rate=0.05,
        save_every=8,
    )
    mapping["policy"] |= {"tuning": "lora", "lora": {"rank": 8}}
    run = train(tiny_recipe(policy, tmp_path).model_validate(mapping), QUIET)
    rewards = run.metrics()["reward"].to_list()
    assert sum(rewards[-2:]) / 2 > sum(rewards[:2]) / 2 + 0.05
    names = set(run.metrics().columns)
    assert {"entropy", "grad_norm", "clip_fraction", "loss", "seconds_policy", "terms/vowels/share"} <= names
    assert set(weights(policy_folder(run))) == set(weights(policy))
    assert moved(policy, policy_folder(run))


def test_another_recipe_is_refused_and_a_finished_run_is_left_alone(policy: Path, tmp_path: Path) -> None:
    recipe = tiny_recipe(policy, tmp_path / "run", steps=1)
    run = train(recipe, QUIET)
    written = (policy_folder(run) / "model.safetensors").stat().st_mtime_ns
    train(recipe, QUIET)
    assert (policy_folder(run) / "model.safetensors").stat().st_mtime_ns == written
    with pytest.raises(StoreError, match=r"train\.learning_rate: 0\.01 → 0\.02"):
        train(tiny_recipe(policy, tmp_path / "run", steps=1, learning_rate=0.02), QUIET)
    with pytest.raises(StoreError, match="holds a run already"):
        train(recipe, QUIET, resume=False)


def start(recipe: Path, *launcher: str) -> subprocess.Popen[str]:
    command = [sys.executable, *launcher, "-m", "salon.cli", "train", str(recipe)]
    environment = os.environ | {"PYTHONPATH": str(TESTS), "OMP_NUM_THREADS": "1"}
    told: Any = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=told, stderr=subprocess.STDOUT, text=True)


def wait_for(there: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    limit = time.monotonic() + 120
    while not there():
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < limit, "nothing happened for two minutes"
        time.sleep(0.02)


def test_killed_and_interrupted_the_same_command_goes_on(policy: Path, tmp_path: Path) -> None:
    """SIGKILL, half a checkpoint, then Ctrl-C: the record ends as that of a run that nobody disturbed."""
    mapping = tiny_mapping(policy, tmp_path / "run", steps=12, num_iterations=2)
    recipe = tmp_path / "run.yaml"
    recipe.write_text(yaml.safe_dump(mapping))
    steps = tmp_path / "run" / "rollouts"

    first = start(recipe)
    wait_for(lambda: (steps / "step-000005.parquet").is_file(), first)
    first.kill()
    first.communicate()
    checkpoints = tmp_path / "run" / "checkpoints"
    newest = max(checkpoints.glob("checkpoint-*"), key=lambda path: int(path.name.split("-")[1]))
    (newest / "salon.json").unlink()

    second = start(recipe)
    wait_for(lambda: (steps / "step-000008.parquet").is_file(), second)
    second.send_signal(signal.SIGINT)
    told = second.communicate()[0]
    assert second.returncode == 130, told
    assert "the same command goes on" in told
    assert "going on after step" in told

    third = start(recipe)
    told = third.communicate()[0]
    assert third.returncode == 0, told
    assert "report: " in told
    run = Run.open(tmp_path / "run")
    rollouts = run.rollouts()
    assert run.steps() == run.metrics()["step"].to_list() == list(range(1, 13))
    assert rollouts["sample_id"].n_unique() == rollouts.height == 12 * 8
    assert list(run.evaluations()) == ["winrate-fake-4"]

    undisturbed = train(tiny_recipe(policy, tmp_path / "other", steps=12, num_iterations=2), QUIET)
    assert undisturbed.rollouts()["reply"].to_list() == rollouts["reply"].to_list()
    assert undisturbed.rollouts()["advantage"].to_list() == rollouts["advantage"].to_list()


def test_two_processes_share_groups_and_statistics(policy: Path, tmp_path: Path) -> None:
    """Three groups of four over two processes: the second group is answered by both, and every row counts
    once.
    """
    mapping = tiny_mapping(policy, tmp_path / "run", steps=2, prompts_per_step=3, scale_rewards="batch")
    mapping["reward"] |= {"compose": {"standardize": "batch"}}
    recipe = tmp_path / "run.yaml"
    recipe.write_text(yaml.safe_dump(mapping))
    process = start(recipe, "-m", "accelerate.commands.launch", "--multi_gpu", "--num_processes", "2")
    told = process.communicate(timeout=200)[0]
    assert process.returncode == 0, told
    assert told.count("step 1/2") == 1

    from salon.rewards.advantage import grpo

    run = Run.open(tmp_path / "run")
    assert json.loads((run.path / "manifest.json").read_text())["processes"] == 2
    for step in (1, 2):
        rows = run.rollouts([step])
        assert rows["group"].to_list() == [0] * 4 + [1] * 4 + [2] * 4
        assert rows["sample_id"].n_unique() == 12
        z_scores = rows["vowels.normalized"].drop_nulls()
        assert z_scores.len() > 6
        assert z_scores.sum() == pytest.approx(0.0, abs=1e-9)
        again = grpo(rows["total"].to_list(), [str(group) for group in rows["group"]], "batch")
        assert rows["advantage"].to_list() == pytest.approx(again, abs=1e-9)
    assert rows["reply"].n_unique() > 6
