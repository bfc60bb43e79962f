"""Options that say two things, or ask for nothing: told, where the last one would win without a word."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from painted import encoded, paint
from salon.cli import app
from salon.errors import RecipeError


def told_of(*words: str) -> str:
    found = CliRunner().invoke(app, words)
    assert isinstance(found.exception, RecipeError), found.output
    return str(found.exception)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--weights", "taste=1", "--weights", "taste=2"), "taste is given twice"),
        (("--weights", "taste=1,depth=1, taste=1"), "taste is given twice"),
        (("--scale", "taste=0-10,taste=0-5"), "the scale of taste is given twice"),
        (("--scale", "0-10,0-5"), "the scale of all is given twice"),
        (("--map", "human=taste", "--map", "human=depth"), "'human' takes one column"),
    ],
)
def test_a_diagnosis_is_told_one_thing(tmp_path: Path, options: tuple[str, ...], told: str) -> None:
    rows = "".join(f"{n // 4},{n * n % 7},{n % 5}\n" for n in range(40))
    (tmp_path / "s.csv").write_text(f"group,taste,depth\n{rows}")
    assert told in told_of("diagnose", str(tmp_path / "s.csv"), *options)


def test_what_a_sample_was_made_for_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text("reward: {terms: {a: {scorer: rendered, weight: 1}}}")
    words = ("score", str(tmp_path / "r.yaml"), str(tmp_path), "-o", str(tmp_path / "o.csv"))
    assert "--meta colour: is given 2 times" in told_of(
        *words, "--meta", "colour=red", "--meta", "colour=blue"
    )


def test_a_medium_that_nobody_would_miss_is_named(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text("reward: {terms: {a: {scorer: rendered, weight: 1}}}")
    (tmp_path / "a.png").write_bytes(encoded(paint("love", 1, 40), "PNG"))
    words = ("score", str(tmp_path / "r.yaml"), str(tmp_path / "a.png"), "-o", str(tmp_path / "o.csv"))
    assert "--medium nope: there is no such medium" in told_of(*words, "--medium", "nope")


def test_an_export_of_nothing_is_refused(tmp_path: Path) -> None:
    assert "--best 0: nothing is wanted" in told_of("export", str(tmp_path), "--best", "0", "--worst", "0")
