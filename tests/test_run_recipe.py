"""The run recipe: read, overridden, checked, hashed."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from salon.errors import RecipeError
from salon.recipe import load_run_recipe, recipe_of_run
from salon.store.runs import recipe_hash
from salon.validation import BadRows

ROOT = Path(__file__).resolve().parents[1]
REWARD = {"terms": {"length": {"scorer": "length", "weight": 1.0}}}
RUN = {
    "policy": {"name_or_path": "sketcher"},
    "prompts": {"flowers": ["rose"], "colours": ["peach", "lemon"]},
    "reward": REWARD,
    "out": "runs/a",
}


def written(folder: Path, **changes: object) -> Path:
    file = folder / "run.yaml"
    file.write_text(yaml.safe_dump(RUN | changes))
    return file


def test_the_painters_recipe_is_whole() -> None:
    recipe = load_run_recipe(ROOT / "recipes" / "hibiscus-cpu.yaml")
    trained = {prompt.text for prompt in recipe.prompts.prompts()}
    held_out = [prompt.text for prompt in recipe.prompts.held_out_prompts()]
    assert list(recipe.reward.terms) == ["gate", "length", "preference", "taste"]
    assert "draw a peach hibiscus in watercolour" in trained
    assert len(held_out) >= 12
    assert not trained & set(held_out)


def test_overrides_are_yaml_and_reach_into_the_rewards_file(tmp_path: Path) -> None:
    (tmp_path / "reward.yaml").write_text(yaml.safe_dump({"reward": REWARD}))
    file = written(tmp_path, reward="reward.yaml")
    recipe = load_run_recipe(
        file,
        [
            "train.learning_rate=1e-5",
            "prompts.colours=[lilac]",
            "reward.terms.length.weight=0.5",
            "medium.args.size=[9, 9]",
        ],
    )
    assert recipe.train.learning_rate == 1e-5
    assert [prompt.id for prompt in recipe.prompts.prompts()] == ["lilac-rose"]
    assert recipe.reward.terms["length"].weight == 0.5
    assert recipe.medium.args == {"size": [9, 9]}


@pytest.mark.parametrize(
    ("override", "told"),
    [
        (
            "train.lerning_rate=1",
            r"run\.yaml: train\.lerning_rate: unknown key\. Did you mean 'learning_rate'",
        ),
        ("train.steps=0", r"train\.steps: .*greater than or equal to 1 \(found 0\)"),
        ("policy.tuning=lorra", r"policy\.tuning: .*'full' or 'lora'"),
        ("out", "write it as key=value"),
        ("seed.x=1", "'seed' holds a value|seed: "),
        ("prompts.file=none.jsonl", "none.jsonl: cannot be read"),
        ("prompts.held_out={flowers: [rose], colours: [lemon]}", "also trained on: 'draw a lemon rose"),
        ("train.beta=[", "not valid YAML"),
    ],
)
def test_mistakes_name_the_key_and_the_remedy(tmp_path: Path, override: str, told: str) -> None:
    with pytest.raises(RecipeError, match=told):
        load_run_recipe(written(tmp_path, seed=3), [override])


@pytest.mark.parametrize("content", [REWARD, {"reward": REWARD}])
def test_a_reward_is_no_recipe_of_a_run(tmp_path: Path, content: dict[str, Any]) -> None:
    (file := tmp_path / "mine.yaml").write_text(yaml.safe_dump(content))
    with pytest.raises(RecipeError, match=r"is a reward.*`reward: mine\.yaml`"):
        load_run_recipe(file)


def test_a_reward_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"nowhere\.yaml: cannot be read"):
        load_run_recipe(written(tmp_path, reward="nowhere.yaml"))


def test_identity_is_the_same_for_the_same_run(tmp_path: Path) -> None:
    """A reward inline or by path, another folder, more pairs to evaluate: the same run. Another rate: another
    run.
    """
    (tmp_path / "reward.yaml").write_text(yaml.safe_dump({"reward": REWARD}))
    plain = load_run_recipe(written(tmp_path)).identity()
    by_path = load_run_recipe(written(tmp_path, reward="reward.yaml")).identity()
    moved = load_run_recipe(written(tmp_path), ["out=b", "evaluate.pairs=9", "train.save_every=7"]).identity()
    faster = load_run_recipe(written(tmp_path), ["train.learning_rate=0.1"]).identity()
    assert recipe_hash(plain) == recipe_hash(by_path) == recipe_hash(moved)
    assert recipe_hash(faster) != recipe_hash(plain)


def test_a_manifest_gives_the_recipe_back(tmp_path: Path) -> None:
    recipe = load_run_recipe(written(tmp_path), ["evaluate.pairs=9", "seed=5"])
    beside = {"out": recipe.out, "evaluate": recipe.evaluate.model_dump(mode="json")}
    manifest = json.loads(json.dumps({"recipe": recipe.identity(), "kept_beside": beside}))
    assert recipe_of_run(manifest) == recipe


def test_prompts_from_a_file(tmp_path: Path) -> None:
    lines = [
        {"text": "Draw a tall pine!", "tags": ["tree"]},
        {"id": "x", "text": "a pond", "meta": {"colour": "blue"}},
    ]
    (tmp_path / "prompts.jsonl").write_text("\n".join(json.dumps(line) for line in lines) + "\n\n")
    recipe = load_run_recipe(written(tmp_path, prompts={"file": "prompts.jsonl"}))
    first, second = recipe.prompts.prompts()
    assert (first.id, first.text, first.tags) == ("draw-a-tall-pine", "Draw a tall pine!", ("tree",))
    assert (second.id, second.meta) == ("x", {"colour": "blue"})
    (tmp_path / "prompts.jsonl").write_text('{"text": "other"}\n')
    with pytest.raises(RecipeError, match="not what the recipe was made with"):
        recipe.prompts.prompts()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "no prompts in it"),
        ("{]\n", r"line 1: not JSON"),
        ("[" * 100_000, "line 1: nests deeper"),
        ('{"text": " "}\n', "line 1: text:"),
        ('\ufeff{"txt": "a"}\n', "line 1: .*Did you mean 'text'"),
    ],
)
def test_bad_prompt_files(tmp_path: Path, content: str, told: str) -> None:
    (tmp_path / "prompts.jsonl").write_text(content)
    with pytest.raises(RecipeError, match=told):
        load_run_recipe(written(tmp_path, prompts={"file": "prompts.jsonl"}))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"text": "a"}\n{"txt": "a"}\n', r"line 2: .*txt: .*Did you mean 'text'"),
        ('{"text": "a"}\n\n{"text": "a"}\n', "line 3: the id 'a' stands twice: in line 1 already"),
    ],
)
def test_good_prompts_are_read_beside_bad_ones(tmp_path: Path, content: str, told: str) -> None:
    (tmp_path / "prompts.jsonl").write_text(content)
    file = written(tmp_path, prompts={"file": "prompts.jsonl"})
    with pytest.warns(BadRows, match=told):
        recipe = load_run_recipe(file)
    with pytest.warns(BadRows, match=told):
        assert [prompt.text for prompt in recipe.prompts.prompts()] == ["a"]


@pytest.mark.parametrize(
    "override",
    ["train.learning_rate=.inf", "train.entropy_coef=.nan", "seed=-1", "seed=4294967296", "evaluate.seed=-1"],
)
def test_numbers_that_no_run_can_use_are_refused(tmp_path: Path, override: str) -> None:
    with pytest.raises(RecipeError, match=override.partition("=")[0]):
        load_run_recipe(written(tmp_path), [override])


def test_a_line_separator_inside_a_prompt_ends_no_line(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text('{"text": "a\u2028b"}\n', encoding="utf-8")
    recipe = load_run_recipe(written(tmp_path, prompts={"file": "p.jsonl"}))
    assert [prompt.text for prompt in recipe.prompts.prompts()] == ["a\u2028b"]


def test_a_manifest_without_a_run_recipe_says_what_is_missing() -> None:
    with pytest.raises(RecipeError, match="policy: is missing"):
        recipe_of_run({"recipe": {"seed": 7}})
