"""Names of parts: built-ins, module paths, and what is said about a wrong one."""

import sys
from pathlib import Path

import pytest

from salon.errors import RecipeError, SetupError
from salon.registry import BUILTINS, did_you_mean, load, resolve
from salon.scorers.gates.length import Length


def test_a_built_in_and_a_path_name_the_same_class() -> None:
    assert resolve("scorer", "length") is Length
    assert resolve("scorer", "salon.scorers.gates.length:Length") is Length
    assert load("salon.scorers.gates.length:Length.score") is Length.score


@pytest.mark.parametrize("name", BUILTINS["scorer"])
def test_every_built_in_scorer_is_there(name: str) -> None:
    assert resolve("scorer", name).version


@pytest.mark.parametrize("name", BUILTINS["judge"])
def test_every_built_in_judge_is_there(name: str) -> None:
    assert callable(resolve("judge", name))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("lenght", "no scorer is called 'lenght'. Did you mean 'length'"),
        ("zzz", "Known: base_comparison, checklist, clip"),
        ("salon.scorers.gates.length:Lenght", "no 'Lenght' in it. Did you mean 'Length'"),
        ("salon.scorers.nope:X", "no module 'salon.scorers.nope'"),
        ("nope.deep:X", "no module 'nope'"),
        ("salon.scorers.gates.length:", "no module:attribute path"),
    ],
)
def test_a_wrong_name_is_answered_with_the_remedy(name: str, message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        resolve("scorer", name)


def test_a_module_that_lacks_a_package_is_a_matter_of_set_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lacking_part.py").write_text("import no_such_package_at_all\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SetupError, match="needs the package 'no_such_package_at_all'"):
        load("lacking_part:Thing")
    sys.modules.pop("lacking_part", None)


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("zz", [f"name{number}" for number in range(20_000)]),
        ("z" * 100_000, ["a" * 100_000, "b" * 100_000]),
        ("x" * 50_000 + "y", [f"{'x' * 40_000}{number}" for number in range(300)]),
        ("ab" * 20_000, [f"{'ba' * 20_000}{number}" for number in range(3_000)]),
    ],
    ids=["many", "long", "many long", "many long that repeat"],
)
def test_a_guess_is_bounded(word: str, known: list[str]) -> None:
    """Its text; and the letters that it compares, of which a guess at all of them would need hours."""
    told = did_you_mean(word, known)
    assert len(told) < 4_500
    assert "Did you mean" in told or f"and {len(known) - 60:,} more" in told or len(known) <= 60


def test_did_you_mean_finds_the_word_among_many_and_long_ones() -> None:
    assert did_you_mean("wieght", ["weight", *(f"name{n}" for n in range(5000))]) == " Did you mean 'weight'?"
    assert "Did you mean 'aaa" in did_you_mean("a" * 999 + "x", ["a" * 999 + "y"])


def test_did_you_mean_guesses_or_lists() -> None:
    assert did_you_mean("wieght", ["weight", "role"]) == " Did you mean 'weight'?"
    assert did_you_mean("xyz", ["weight", "role"]) == " Known: role, weight."
