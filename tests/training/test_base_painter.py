"""The frozen base paints for detectors that compare with it: the same prompt and seed, whatever the policy
has learned meanwhile, and without moving the training.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from test_base_detectors import redness

from salon.media.fake import FakeMedium
from salon.media.render_samples import develop
from salon.policies.code_lm import LoadedPolicy, load_policy, sample
from salon.recipe import RunRecipe
from salon.rewards.preflight.recipe_check import dry_run
from salon.rewards.recipe import load_reward
from salon.store.runs import Run
from salon.training.base_painter import TRIES, BasePainter
from salon.training.grpo import train
from salon.training.probe import probe
from salon.types import Failure, Group, Picture, Prompt, Sample
from tinyrun import save_tiny_policy, tiny_mapping

pytestmark = pytest.mark.torch

QUIET = Console(quiet=True)
REDDER: dict[str, Any] = {
    "scorer": "base_comparison",
    "judge": "eye",
    "role": "monitor",
    "args": {"failure": "too much red"},
}


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_policy(tmp_path_factory.mktemp("policy"))


def recipe_of(policy: Path, out: Path, tuning: str = "full", detects: bool = True, **train: Any) -> RunRecipe:
    whole = tiny_mapping(policy, out, steps=3, learning_rate=0.05, **train)
    whole["policy"] |= {"tuning": tuning}
    if detects:
        whole["reward"]["terms"]["redder"] = REDDER
        whole["reward"]["judges"] = {"eye": {"kind": "test_base_detectors:Eye"}}
    return RunRecipe.model_validate(whole)


def painted_by(base: LoadedPolicy, prompt: Prompt, seed: int) -> Picture:
    """As the base alone would paint: the first of its answers that renders."""
    for number in range(TRIES):
        [answer] = sample(base, [prompt], 1, seed + number, temperature=1.0, max_new_tokens=16)
        made = develop(FakeMedium((32, 32)), [Sample("b", prompt, answer.text, seed=seed)])[0]
        if made.failure is None and made.picture is not None:
            return made.picture
    raise AssertionError("the tiny policy paints nothing")


def picture_of(run: Run, key: str) -> Picture:
    return Picture.from_png(run.picture_path(key).read_bytes())


@pytest.mark.parametrize(("tuning", "beta"), [("full", 0.0), ("full", 0.05), ("lora", 0.0)])
def test_the_base_paints_the_same_prompt_and_seed_and_moves_nothing(
    policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tuning: str, beta: float
) -> None:
    """Loaded beside the policy, as the reference model of the KL, and as the policy without its adapters."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    run = train(recipe_of(policy, tmp_path / "run", tuning, beta=beta), QUIET)
    base = load_policy(str(policy))
    convicted = 0
    rows = run.rollouts().filter(run.rollouts()["failure_code"].is_null()).to_dicts()
    for row in rows:
        prompt = Prompt(row["prompt_id"], row["prompt"])
        theirs = painted_by(base, prompt, row["seed"])
        redder = redness(picture_of(run, row["picture"])) > redness(theirs)
        assert row["redder.raw"] == float(redder)
        convicted += redder
    assert 0 < convicted < len(rows)
    assert run.metrics()["terms/redder/details/other_seed"].to_list() == [0.0] * 3
    alone = train(recipe_of(policy, tmp_path / "alone", tuning, detects=False, beta=beta), QUIET)
    assert alone.rollouts()["reply"].to_list() == run.rollouts()["reply"].to_list()
    assert alone.rollouts()["advantage"].to_list() == run.rollouts()["advantage"].to_list()


def test_a_probe_compares_with_the_base_too(
    policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    run = probe(recipe_of(policy, tmp_path / "run"), QUIET, prompts=2).run
    rows = run.rollouts()
    rendered = rows.filter(rows["failure_code"].is_null())
    assert rendered["redder.raw"].null_count() == 0


def test_outside_of_a_run_nobody_paints_and_a_recipe_can_be_checked(
    painted_pool_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    veto = REDDER | {"role": "veto", "vetoes": "taste", "on_missing": "neutral"}
    taste = {"scorer": "preference", "judge": "eye2", "weight": 1}
    judges = {"eye": {"kind": "test_base_detectors:Eye"}, "eye2": {"kind": "fake"}}
    recipe = load_reward({"terms": {"taste": taste, "redder": veto}, "judges": judges})
    found = dry_run(recipe, pool=str(painted_pool_folder))
    assert found.problems == ()
    assert found.good.terms[1].reason.startswith("no_base_policy: the base paints in `salon train`")


# ---- the painter alone -----------------------------------------------------------------------------------


def groups(*seeds: int) -> list[Group]:
    prompt = Prompt("rose", "a red rose")
    paper = FakeMedium((32, 32)).render(["x"], [0])[0].picture
    drafts = {seed: Sample(f"s{seed}", prompt, "x", picture=paper, seed=seed) for seed in seeds}
    return [Group(prompt, (draft, replace(draft, id="mate"))) for draft in drafts.values()]


def painter(
    policy: Path, tmp_path: Path, borrow: Callable[[], Any] | None = None, **medium: Any
) -> BasePainter:
    recipe = recipe_of(policy, tmp_path / "run")
    recipe = recipe.model_copy(update={"medium": recipe.medium.model_copy(update=medium)})
    return BasePainter(recipe, load_policy(str(policy)), FakeMedium((32, 32)), borrow, tmp_path / "bases")


def test_each_prompt_and_seed_is_painted_once_for_all_runs(policy: Path, tmp_path: Path) -> None:
    first = painter(policy, tmp_path)
    assert first.find(Prompt("rose", "a red rose"), 5) is None
    first.prepare(groups(5, 6))
    first.prepare(groups(6, 5))
    assert first.painted == 2
    again = painter(policy, tmp_path)
    again.prepare(groups(5, 6, 7))
    assert again.painted == 1
    rose = Prompt("other id", "a red rose")
    kept, made = again.find(rose, 5), again.find(rose, 7)
    assert isinstance(kept, Picture)
    assert isinstance(made, Picture)
    assert kept == first.find(rose, 5)
    assert kept.key != made.key


def test_another_base_or_medium_paints_anew(policy: Path, tmp_path: Path) -> None:
    painter(policy, tmp_path).prepare(groups(5))
    base = replace(load_policy(str(policy)), identity="another")
    recipe = recipe_of(policy, tmp_path / "run")
    other = BasePainter(recipe, base, FakeMedium((32, 32)), None, tmp_path / "bases")
    larger = painter(policy, tmp_path, args={"size": [64, 64]})
    for each in (other, larger):
        each.prepare(groups(5))
        assert each.painted == 1
    mine = painter(policy, tmp_path, name="elsewhere:Medium")
    mine.prepare(groups(5))
    assert mine.painted == 1


def test_what_fails_is_a_failure_of_the_system_and_is_tried_again(policy: Path, tmp_path: Path) -> None:
    calls: list[int] = []

    @contextmanager
    def borrow() -> Generator[LoadedPolicy]:
        calls.append(1)
        if len(calls) == 1:
            raise MemoryError("no room")
        yield load_policy(str(policy))

    one = painter(policy, tmp_path, borrow)
    one.prepare(groups(5))
    lost = one.find(Prompt("rose", "a red rose"), 5)
    assert isinstance(lost, Failure)
    assert (lost.fault, lost.message) == ("system", "MemoryError: no room")
    one.prepare(groups(5))
    assert isinstance(one.find(Prompt("rose", "a red rose"), 5), Picture)


class Refuses(FakeMedium):
    """Renders nothing."""

    def check(self, source: str) -> Failure | None:
        return Failure("syntax_error", "no", "sample", "check")


def test_a_base_that_paints_nothing_is_said_so(policy: Path, tmp_path: Path) -> None:
    one = BasePainter(
        recipe_of(policy, tmp_path / "run"), load_policy(str(policy)), Refuses(), None, tmp_path
    )
    one.prepare(groups(5))
    lost = one.find(Prompt("rose", "a red rose"), 5)
    assert isinstance(lost, Failure)
    assert (lost.code, lost.fault) == ("no_base_picture", "system")
    assert "syntax_error: no" in lost.message
