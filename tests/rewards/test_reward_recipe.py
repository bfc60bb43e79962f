"""Reading a reward recipe: what is refused, with which words, and what it means when it is silent."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from salon.errors import RecipeError
from salon.rewards.recipe import load_reward, reward_schema

ROOT = Path(__file__).resolve().parents[2]
TERM = {"scorer": "length", "weight": 1.0}


def written(term: dict[str, Any] | None = None, **keys: Any) -> dict[str, Any]:
    return {"terms": {"a": {**TERM, **(term or {})}}, **keys}


def test_the_painters_recipe_is_the_four_signals() -> None:
    recipe = load_reward(ROOT / "recipes/paint.yaml")
    weights = {name: term.weight for name, term in recipe.terms.items()}
    assert weights == {"gate": 0.05, "length": 0.05, "preference": 0.30, "taste": 0.60}
    assert recipe.terms["gate"].role == "gate"
    assert recipe.floor_at() == 0.0
    assert (
        load_reward({"reward": yaml.safe_load((ROOT / "recipes/paint.yaml").read_text())["reward"]}) == recipe
    )


def test_the_commented_block_of_the_painters_recipe_is_valid_too() -> None:
    lines = (ROOT / "recipes/paint.yaml").read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("# The same file"))
    block = yaml.safe_load("\n".join(line.removeprefix("#") for line in lines[start + 3 :]))
    terms = {name: block[name] for name in ("preference", "taste")}
    recipe = load_reward({"terms": terms, "judges": block["judges"]})
    assert recipe.terms["taste"].judge == "vlm"


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        (written({"wieght": 1}), r"terms\.a\.wieght: unknown key\. Did you mean 'weight'\?"),
        (written(jugdes={}), r"jugdes: unknown key\. Did you mean 'judges'\?"),
        (written({"weight": float("nan")}), r"terms\.a\.weight: .*finite"),
        (written({"weight": float("inf")}), r"terms\.a\.weight: .*finite"),
        (written({"on_missing": "zero"}), r"terms\.a\.on_missing: .*'renormalize'.*found 'zero'"),
        (written({"deadline_s": 0}), r"terms\.a\.deadline_s: .*greater than 0"),
        (written({"squash": {"logistic": 0}}), r"terms\.a\.squash\.logistic"),
        (written({"squash": {"logistik": 1}}), r"Did you mean 'logistic'"),
        (written({"judge": "tast"}, judges={"taste": {"kind": "taste"}}), r"'tast' is not in .*'taste'"),
        (written({"role": "gate", "squash": {"logistic": 1}}), "0 or 1"),
        (written({"role": "gate", "on_missing": "neutral"}), "lets nothing through"),
        (written({"role": "gate", "weight": -1}), "not negative"),
        (written({"role": "monitor"}), "remove its `weight`"),
        (written({"weight": 0.0}), "no term has a weight"),
        ({"terms": {"a": {"scorer": "length"}}}, "needs a `weight`"),
        ({"terms": {"a": TERM, "v": {"scorer": "x", "role": "veto"}}}, "go together"),
        (
            {"terms": {"a": TERM, "v": {"scorer": "x", "role": "veto", "vetoes": "b"}}},
            "no term with role reward",
        ),
        ({"terms": {}}, "at least 1"),
        ({"terms": {"Bad Name": TERM}}, "pattern"),
        ({"rewards": {}}, r"rewards: unknown key\. Did you mean 'reward'\?"),
        (
            {"policy": {}, "reward": "paint.yaml"},
            r"recipe of a run.*Give the file that it names: paint\.yaml",
        ),
        (
            {"policy": {}, "reward": {"terms": {}}},
            "recipe of a run.*its section `reward` into a file of its own",
        ),
        (written(compose={"standardise": "batch"}), "Did you mean 'standardize'"),
        (written(compose="sum"), "weighted_sum"),
    ],
)
def test_a_mistake_is_refused_by_its_key(recipe: dict[str, Any], message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        load_reward(recipe)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "reward:\n  terms:\n    a: {scorer: x, weight: 1}\n    a: {scorer: y, weight: 1}\n",
            "line 4: 'a' is .* twice",
        ),
        ("reward: [1, 2", "not valid YAML"),
        ("- 1", "expected `key: value`"),
        ("reward: {terms: {a: {scorer: x, wight: 1}}}", r"r\.yaml: reward\.terms\.a\.wight"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "r.yaml"
    path.write_text(text)
    with pytest.raises(RecipeError, match=message) as raised:
        load_reward(path)
    assert str(path) in str(raised.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"nope\.yaml: cannot be read"):
        load_reward(tmp_path / "nope.yaml")


def test_the_digest_follows_the_content() -> None:
    assert load_reward(written()).digest == load_reward(written({"role": "reward"})).digest
    assert load_reward(written()).digest != load_reward(written({"weight": 2.0})).digest


def test_standardising_is_for_reward_terms_and_lowers_the_floor() -> None:
    gate = {"scorer": "rendered", "role": "gate", "weight": 0.5}
    recipe = load_reward(
        {
            "compose": {"standardize": "batch"},
            "terms": {
                "g": gate,
                "a": TERM,
                "b": {**TERM, "normalize": "group"},
                "c": {**TERM, "normalize": "none"},
            },
        }
    )
    assert [recipe.normalize_of(name) for name in recipe.terms] == ["none", "batch", "group", "none"]
    assert recipe.floor_at() == -6.0
    assert load_reward(written(floor=-1)).floor_at() == -1.0


def test_the_schema_is_json_and_knows_the_keys() -> None:
    schema = json.loads(json.dumps(reward_schema()))
    assert set(schema["$defs"]["Term"]["properties"]) >= {"scorer", "weight", "on_missing", "deadline_s"}
