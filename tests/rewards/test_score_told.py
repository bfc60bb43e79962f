"""What `salon score` says of what it was given: what prompts carry, what is left out, what is kept."""

import csv
import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from painted import encoded, paint
from salon.cli import app
from salon.errors import RecipeError
from salon.rewards.recipe import load_reward
from salon.rewards.scoring.about import meta_read
from salon.scorers.gates.length import Length
from salon.scorers.gates.length_ramp import LengthRamp
from salon.types import Group, Picture, Prompt, Sample

RECIPE = """
reward:
  terms:
    palette: {scorer: palette, weight: 0.5}
    length: {scorer: length, weight: 0.5, args: {max_tokens: 2000}}
"""
OWN = """
from salon.types import Score

class Own:
    version = "1"

    def score(self, group):
        return [Score(VALUE) for _ in group.samples]
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    (tmp_path / "reward.yaml").write_text(RECIPE)
    return tmp_path / "reward.yaml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "in"
    place.mkdir()
    for number in range(2):
        (place / f"{number}.png").write_bytes(encoded(paint("love", number, 48), "PNG"))
    return place


def run(*words: object) -> Any:
    return CliRunner().invoke(app, ["score", *map(str, words)])


def column(file: Path, name: str) -> list[str]:
    with file.open(newline="") as opened:
        return [row[name] for row in csv.DictReader(opened)]


ROWS = {
    "rows.csv": "picture,colour\n0.png,peach\n1.png,peach\n",
    "dotted.csv": "picture,meta.colour\n0.png,peach\n1.png,peach\n",
    "object.csv": 'picture,meta\n0.png,"{""colour"": ""peach""}"\n1.png,"{""colour"": ""peach""}"\n',
    "rows.jsonl": "\n".join(json.dumps({"picture": f"{n}.png", "colour": "peach"}) for n in range(2)),
    "nested.jsonl": "\n".join(
        json.dumps({"picture": f"{n}.png", "meta": {"colour": "peach"}}) for n in range(2)
    ),
    "metadata.jsonl": "\n".join(json.dumps({"file_name": f"{n}.png", "colour": "peach"}) for n in range(2)),
    "": "",
}


@pytest.mark.parametrize("name", ROWS)
def test_the_meta_that_a_term_reads_is_found_wherever_it_is_said(
    recipe: Path, folder: Path, tmp_path: Path, name: str
) -> None:
    if name:
        (folder / name).write_text(ROWS[name])
    given = folder / name if name and name != "metadata.jsonl" else folder
    words = [] if name else ["--meta", "colour=peach"]
    found = run(recipe, given, "-o", tmp_path / "out.csv", "-p", "a hibiscus", *words)
    assert found.exit_code == 0, found.output
    assert column(tmp_path / "out.csv", "palette.status") == ["ok"] * 2
    assert "not used" not in found.stderr


def test_a_term_that_applied_to_nothing_is_told_with_its_remedy(
    recipe: Path, folder: Path, tmp_path: Path
) -> None:
    found = run(recipe, folder, "-o", tmp_path / "out.csv", "-p", "draw a peach hibiscus")
    assert "palette applied to no sample (the prompt asks for no colour): add --meta colour=…" in found.stdout
    assert "length applied to no sample (there is a picture only, and no answer)" in found.stdout
    assert isinstance(run(recipe, folder, "-o", tmp_path / "o.csv", "--meta", "peach").exception, RecipeError)


def test_subject_and_tags_reach_the_prompt(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "asks.yaml").write_text(
        "reward: {terms: {tagged: {scorer: rendered, weight: 1, when: \"'bold' in prompt.tags\"},"
        " rose: {scorer: rendered, weight: 1, when: \"prompt.subject == 'rose'\"}}}"
    )
    (folder / "rows.csv").write_text('picture,tags,subject\n0.png,"soft, bold",\n1.png,soft,lily\n')
    out = tmp_path / "out.csv"
    assert run(tmp_path / "asks.yaml", folder / "rows.csv", "-o", out, "--subject", "rose").exit_code == 0
    assert column(out, "tagged.status") == ["ok", "not_applicable"]
    assert column(out, "rose.status") == ["ok", "not_applicable"]


def test_the_keys_of_meta_that_a_reward_reads() -> None:
    asks = {"questions": ["Is the {subject} {mood}?"]}
    terms = {
        "faith": {"scorer": "checklist", "weight": 1, "judge": "eye", "args": asks},
        "hue": {"scorer": "palette", "weight": 1, "when": "prompt.meta.style == 'wash'"},
    }
    reward = load_reward({"terms": terms, "judges": {"eye": {"kind": "fake"}}})
    assert meta_read(reward) == {"mood", "checklist", "colour", "style"}


def test_samples_are_named_by_their_files_or_rows(recipe: Path, folder: Path, tmp_path: Path) -> None:
    (folder / "rows.csv").write_text("picture,reply\n0.png,\n,an answer\n1.png,\n")
    out = tmp_path / "out.csv"
    assert run(recipe, folder / "rows.csv", "-o", out, "--meta", "colour=red").exit_code == 0
    assert sorted(column(out, "sample_id")) == ["0.png", "1.png", "2"]
    assert str(folder / "0.png") in column(out, "file")


def test_what_is_left_out_is_named_and_the_rest_goes_on(recipe: Path, folder: Path, tmp_path: Path) -> None:
    (folder / "notes.txt").write_text("x")
    os.symlink("nowhere", folder / "link.png")
    (folder / "broken.png").write_bytes(b"no picture")
    (folder / "metadata.jsonl").write_text('{"file_name": "0.png", "mood": "sad"}\n{\n')
    out = folder / "out.csv"
    for _ in range(2):
        found = run(recipe, folder, "-o", out, "--meta", "colour=red")
        assert found.exit_code == 0, found.output
        assert "notes.txt: is no .png" in found.stderr
        assert "link.png: there is no such file" in found.stderr
        assert "metadata.jsonl, line 2: is no JSON" in found.stderr
        assert "not used: column 'mood'" in found.stderr
        assert "out.csv" not in found.stderr
        assert "failed: 1 × unreadable_picture: broken.png" in found.stdout


def test_a_bad_line_of_rows_costs_that_line_only(recipe: Path, folder: Path, tmp_path: Path) -> None:
    (folder / "rows.jsonl").write_text('{"picture": "0.png"}\n{\n[1]\n{"picture": "1.png"}\n')
    found = run(recipe, folder / "rows.jsonl", "-o", tmp_path / "out.csv", "--meta", "colour=red")
    assert found.exit_code == 0, found.output
    assert "line 2: is no JSON" in found.stderr
    assert "line 3: is no object" in found.stderr
    assert "4 samples in" in found.stdout
    assert "2 with a reward" in found.stdout


def test_a_scorer_that_was_edited_is_asked_anew(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SALON_ALLOW", "own_edited")
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "own.yaml").write_text("reward: {terms: {mine: {scorer: 'own_edited:Own', weight: 1}}}")
    out, words = tmp_path / "out.csv", [tmp_path / "own.yaml", folder, "-o", tmp_path / "out.csv"]
    for value, kept in (("0.25", False), ("0.25", True), ("0.7500", False)):
        (tmp_path / "own_edited.py").write_text(OWN.replace("VALUE", value))
        sys.modules.pop("own_edited", None)
        found = run(*words)
        assert found.exit_code == 0, (found.output, found.exception)
        assert column(out, "mine.raw") == [str(float(value))] * 2
        assert ("kept from before: the answers for 1 of 1 groups" in found.stdout) is kept
    assert "kept from before" not in run(*words, "--fresh").stdout


def test_the_cause_of_what_is_missing_is_told(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SALON_ALLOW", "own_raising")
    monkeypatch.syspath_prepend(str(tmp_path))
    for body in ("raise ValueError('out of paint')", "return []", "return [Score(float('nan'))] * 2"):
        name = "own_raising"
        text = OWN.replace("return [Score(VALUE) for _ in group.samples]", body)
        (tmp_path / f"{name}.py").write_text(text + f"# {len(body)}\n")
        __import__("sys").modules.pop(name, None)
        (tmp_path / "own.yaml").write_text(
            f"reward: {{terms: {{mine: {{scorer: '{name}:Own', weight: 1}}}}}}"
        )
        found = run(tmp_path / "own.yaml", folder, "-o", tmp_path / f"{len(body)}.csv")
        told = next(line for line in found.stdout.splitlines() if line.startswith("missing: "))
        assert told.startswith("missing: mine of 2 samples: ")
        assert len(told) > len("missing: mine of 2 samples: ") + 10
        assert "out of paint" in told or "raise" not in body


def test_the_length_of_no_answer_is_no_length() -> None:
    picture = Picture.from_png(encoded(paint("love", 1, 48), "PNG"))
    prompt = Prompt("p", "a rose")
    group = Group(
        prompt,
        (
            Sample("alone", prompt, "", picture=picture),
            Sample("answered", prompt, "abc", picture=picture, tokens=3),
            Sample("silent", prompt, ""),
        ),
    )
    for scorer in (Length(max_tokens=10), LengthRamp()):
        alone, answered, silent = scorer.score(group)
        assert alone.failure is not None
        assert alone.failure.code == "not_applicable"
        assert answered.value is not None
        assert silent.value is not None


def test_a_runs_recipe_gives_its_reward(recipe: Path, folder: Path, tmp_path: Path) -> None:
    run_recipe = tmp_path / "run.yaml"
    run_recipe.write_text("policy: {name_or_path: fake}\nreward: reward.yaml\nout: runs/x\n")
    found = run(run_recipe, folder, "-o", tmp_path / "out.csv", "--meta", "colour=red")
    assert found.exit_code == 0, found.output
    assert f"--recipe {recipe}" in found.stdout


def test_only_a_csv_is_written(recipe: Path, folder: Path, tmp_path: Path) -> None:
    found = run(recipe, folder, "-o", tmp_path / "out.jsonl", "--meta", "colour=red")
    assert isinstance(found.exception, RecipeError)
    assert "is a CSV" in str(found.exception)
    assert not (tmp_path / "out.jsonl").exists()


def test_several_files_and_the_headings_of_the_best(recipe: Path, folder: Path, tmp_path: Path) -> None:
    files = sorted(folder.iterdir())
    words = ["-o", tmp_path / "out.csv", "--meta", "colour=red"]
    found = run(recipe, *files, *words, "-p", "a rose")
    assert found.exit_code == 0, found.output
    assert "the best of 2, by total:" in found.stdout
    (tmp_path / "rows.csv").write_text(f"picture,prompt\n{files[0]},a lily\n{files[1]},a rose\n")
    found = run(recipe, tmp_path / "rows.csv", *words)
    assert "the best of each group, by total:" in found.stdout
    assert "a lily" in found.stdout
