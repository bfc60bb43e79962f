"""`salon recipe check` and `schema`: what is shown, what is tried, and what the command ends with."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from rich.console import Console

from salon.errors import RecipeError
from salon.rewards.preflight.recipe_check import check_file, dry_run, facts_of, rows_of
from salon.rewards.recipe import load_reward

ROOT = Path(__file__).resolve().parents[2]


def recipe_file(folder: Path, pool: Path, **changes: Any) -> str:
    terms: dict[str, Any] = {
        "gate": {"scorer": "rendered", "role": "gate", "weight": 0.1},
        "taste": {
            "scorer": "pairwise",
            "weight": {0: 0.5, 10: 0.9},
            "judge": "eye",
            "normalize": "rank",
            "squash": {"logistic": 2},
            "args": {"pool": str(pool)},
        },
        "colour": {"scorer": "palette", "role": "monitor", "when": "prompt.meta.colour"},
    }
    terms["taste"] |= changes
    path = folder / "reward.yaml"
    path.write_text(yaml.safe_dump({"reward": {"terms": terms, "judges": {"eye": {"kind": "fake"}}}}))
    return str(path)


def test_it_is_shown_as_it_is_understood_and_tried(tmp_path: Path, painted_pool_folder: Path) -> None:
    console = Console(record=True, width=100)
    assert check_file(recipe_file(tmp_path, painted_pool_folder), console)
    told = console.export_text()
    for part in (
        "pairwise (eye)",
        "0.5 at 0 → 0.9 at 10",
        "logistic 2, rank",
        "colour: only when prompt.meta.colour",
        "floor: -1.5 at step 0, -2.7 at step 10",
        "advantage: grpo, with train.scale_rewards of the run",
        "judge eye: fake",
        "gate: good 1.000, bad 0.000",
    ):
        assert part in told
    assert "wrong" not in told


def test_what_is_wrong_is_said(tmp_path: Path, painted_pool_folder: Path) -> None:
    console = Console(record=True, width=100)
    file = recipe_file(tmp_path, painted_pool_folder, weight=-0.9, normalize="none")
    text = Path(file).read_text().replace("scorer: rendered", "scorer: length\n      args: {max_tokens: 9}")
    Path(file).write_text(text)
    assert not check_file(file, console)
    assert "wrong: the known-bad picture gets" in console.export_text()


def test_a_recipe_without_a_pool_is_tried_on_the_pictures_of_another(painted_pool_folder: Path) -> None:
    recipe = load_reward(ROOT / "recipes/rational.yaml")
    found = dry_run(recipe, fakes=True, pool=str(painted_pool_folder))
    assert found.problems == ()
    assert [value.status for value in found.good.terms] == ["ok", "ok"]


@pytest.mark.parametrize("name", ["arena", "arena-veto"])
def test_nobody_asks_whether_a_fake_judge_sees(name: str, painted_pool_folder: Path) -> None:
    recipe = load_reward(ROOT / f"recipes/{name}.yaml")
    assert dry_run(recipe, fakes=True, pool=str(painted_pool_folder)).problems == ()


def test_a_runs_recipe_leads_to_its_reward(tmp_path: Path, painted_pool_folder: Path) -> None:
    with pytest.raises(RecipeError, match=r"its reward stands in .*recipes/paint\.yaml\. Check that file"):
        check_file(str(ROOT / "recipes/hibiscus-cpu.yaml"), Console(quiet=True))
    reward = yaml.safe_load(Path(recipe_file(tmp_path, painted_pool_folder)).read_text())
    inline = tmp_path / "run.yaml"
    inline.write_text(yaml.safe_dump({**reward, "policy": {"name_or_path": "sketcher"}}))
    assert check_file(str(inline), Console(quiet=True))


def test_every_kind_of_advantage_and_role_has_its_line() -> None:
    terms = {
        "a": {"scorer": "length", "weight": 1.0},
        "v": {"scorer": "length", "role": "veto", "vetoes": "a"},
    }
    recipe = load_reward({"terms": terms, "advantage": {"kind": "nft", "clip": 4}})
    assert rows_of(recipe)[1][:4] == ("v", "vetoes a", "length", "–")
    assert "advantage: nft std=batch clip=4.0" in facts_of(recipe)


def test_the_command_and_the_schema() -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "salon.cli", "recipe", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    schema = json.loads(run("schema").stdout)
    assert {"when", "weight", "normalize"} <= set(schema["$defs"]["Term"]["properties"])
    done = run("check", str(ROOT / "recipes/arena.yaml"))
    assert done.returncode == 2
    assert "SALON_JUDGE_URL is not set" in done.stderr
    assert "checklist (vlm)" in done.stdout
