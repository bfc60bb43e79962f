"""YAML, validation and ${ENV}, as people write them."""

import re
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, ConfigDict, Field

from salon.errors import RecipeError
from salon.parts import checked
from salon.registry import resolve
from salon.rewards.recipe import load_reward
from salon.validation import read_yaml, validated, yaml_value
from salon.variables import expand_env


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid")
    size: int = 0


class Outer(BaseModel):
    model_config = ConfigDict(extra="forbid")
    one: Inner | str = "x"
    many: dict[str, Inner] = {}
    rows: list[Inner] = []
    either: Inner | bool = False


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"oen": {}}, r"^f\.yaml: oen: unknown key\. Did you mean 'one'\?$"),
        ({"one": {"siez": 1}}, r"one\.siez: unknown key\. Did you mean 'size'\?"),
        ({"many": {"a": {"siez": 1}}}, r"many\.a\.siez: unknown key\. Did you mean 'size'\?"),
        ({"rows": [{}, {"siez": 1}]}, r"rows\.1\.siez: unknown key\. Did you mean 'size'\?"),
        ({"rows": [{"size": "big"}]}, r"rows\.0\.size: .*integer.*found 'big'"),
    ],
)
def test_the_key_is_named_as_it_was_written(data: object, message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        validated(Outer, data, "f.yaml")


def test_the_branch_of_a_union_that_was_not_meant_is_not_told_of() -> None:
    with pytest.raises(RecipeError) as raised:
        validated(Outer, {"either": {"siez": 1}}, "f.yaml")
    assert str(raised.value) == "f.yaml: either.siez: unknown key. Did you mean 'size'?"
    with pytest.raises(RecipeError) as raised:
        validated(Outer, {"either": "yes, please"}, "f.yaml")
    assert "boolean" in str(raised.value)


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(RecipeError) as raised:
        validated(Outer, {"oen": 1, "rwos": 2}, "f.yaml")
    assert len(str(raised.value).splitlines()) == 2


class Counts(BaseModel):
    model_config = ConfigDict(extra="forbid")
    weight: float | dict[int, float] = 0.0
    count: Annotated[int, Field(ge=0)] | None = None
    rows: list[Inner] = []
    pair: tuple[float, int] = (0.0, 0)
    flag: bool = False
    flag_or_count: int | bool = 0
    free: dict[str, Any] = {}


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ({"weight": True}, "weight"),
        ({"weight": {0: 0.0, 20: True}}, r"weight\.20"),
        ({"weight": {True: 0.5}}, r"weight\.True"),
        ({"count": False}, "count"),
        ({"rows": [{"size": 1}, {"size": True}]}, r"rows\.1\.size"),
        ({"pair": [0.5, True]}, r"pair\.1"),
    ],
)
def test_a_boolean_is_no_number(data: object, place: str) -> None:
    with pytest.raises(RecipeError, match=rf"^f\.yaml: {place}: is true or false, where a number is meant"):
        validated(Counts, data, "f.yaml")


def test_a_boolean_is_taken_where_one_is_meant() -> None:
    data = {"flag": True, "flag_or_count": True, "free": {"x": True}, "rows": [{}], "weight": {0: 1}}
    assert validated(Counts, data, "f.yaml").flag_or_count is True
    assert load_reward({"reward": {"terms": {"a": {"scorer": "length", "weight": 1}}}})
    for wrong in ({"scorer": "length", "weight": True}, {"scorer": "palette", "weight": {0: 0, 9: True}}):
        with pytest.raises(RecipeError, match=r"weight.*where a number is meant"):
            load_reward({"reward": {"terms": {"a": wrong}}})


def test_a_boolean_is_no_number_in_a_parts_arguments_either() -> None:
    with pytest.raises(RecipeError, match=r"terms\.a\.args\.max_tokens: .* takes a number"):
        checked(resolve("scorer", "length"), {"max_tokens": True}, "terms.a.args", "length")


def test_duplicate_keys_are_refused_at_any_depth_and_merges_are_not(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_text("a: {b: 1, b: 2}\n")
    with pytest.raises(RecipeError, match="line 1: 'b' is written twice"):
        read_yaml(path)
    path.write_text("base: &base {x: 1}\nmore: {<<: *base, x: 2}\n")
    assert read_yaml(path)["more"] == {"x": 2}


def test_variables_are_filled_in_at_any_depth_with_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SALON_TEST_A", "there")
    value = {"u": "http://${SALON_TEST_A}/${SALON_TEST_B:-v1}", "l": ["${SALON_TEST_A}", 3], "n": None}
    assert expand_env(value, "here") == {"u": "http://there/v1", "l": ["there", 3], "n": None}
    with pytest.raises(RecipeError, match=r"here\.k: .*SALON_TEST_B is not set"):
        expand_env({"k": "${SALON_TEST_B}"}, "here")


@pytest.mark.parametrize(
    "text", ["a: !!timestamp 2026-99-99", "a: !!int x", "? [a, b]\n: 1", "? {a: b}\n: 1", "a: " + "[" * 3000]
)
def test_whatever_yaml_stumbles_over_names_the_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "odd.yaml").write_text(text)
    with pytest.raises(RecipeError, match=r"odd\.yaml"):
        read_yaml(tmp_path / "odd.yaml")


def test_a_bad_value_of_an_override_names_the_override() -> None:
    with pytest.raises(RecipeError, match="--set seed"):
        yaml_value("{a: 1, a: 2}", "--set seed")


def test_many_unknown_keys_are_told_in_few_lines() -> None:
    with pytest.raises(RecipeError, match="and 19980 more") as raised:
        validated(Outer, {f"k{number}": 1 for number in range(20_000)}, "f.yaml")
    assert len(str(raised.value).splitlines()) == 21


class Sided(BaseModel):
    sides: tuple[float, float]
    names: list[tuple[str, str]] = []


@pytest.mark.parametrize(
    ("data", "key"),
    [
        ({"sides": []}, "sides.0: is missing"),
        ({"sides": [1.0]}, "sides.1: is missing"),
        ({"sides": [1, 2], "names": [["a", "b"], ["c"]]}, "names.1.1: is missing"),
        ({"sides": [1, 2, 3]}, "sides: "),
    ],
)
def test_a_list_that_is_too_short_is_told(data: dict[str, object], key: str) -> None:
    with pytest.raises(RecipeError, match=re.escape(f"file: {key}")):
        validated(Sided, data, "file")


@pytest.mark.parametrize("written", ["x" * 10**6, [0.5] * 10**5, 10**4000, {"x" * 10**6: 1}, [["y" * 10**5]]])
@pytest.mark.parametrize("key", ["sides", "names", "k" * 10**6])
def test_what_was_found_is_told_in_a_line(written: object, key: str) -> None:
    data = {"sides": [1, 2], key: written}
    with pytest.raises(RecipeError) as raised:
        validated(Strict, data, "file")
    assert len(str(raised.value)) < 3000


class Strict(Sided):
    model_config = ConfigDict(extra="forbid")
