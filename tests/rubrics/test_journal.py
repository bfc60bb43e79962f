"""The journal beside an output: only ever our own file, and only ever our own lines."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from painted import encoded, paint
from salon.cli import app
from salon.errors import RecipeError
from salon.files.outputs import WriteError
from salon.rewards.recipe import load_reward
from salon.rewards.scoring.inputs import read_inputs
from salon.rewards.scoring.work import STEPS, score_rows
from salon.rubrics import decompose
from salon.rubrics.generation import arr, control, generate
from salon.rubrics.journal import Journal

OUTAGE = {"step": "outage", "pair": "1", "round": 0, "code": "x", "message": "y"}


def opened(file: Path) -> list[dict[str, Any]]:
    with Journal(file, arr.STEPS) as journal:
        return journal.steps


PLACED: dict[str, Callable[[Path, Path], object]] = {
    "a link": lambda place, theirs: place.symlink_to(theirs),
    "a link to nowhere": lambda place, theirs: place.symlink_to(theirs.with_name("new")),
    "a hard link": lambda place, theirs: place.hardlink_to(theirs),
    "a folder": lambda place, theirs: place.mkdir(),
    "a pipe": lambda place, theirs: os.mkfifo(place),
}


@pytest.mark.parametrize("content", ["precious", f"{json.dumps(OUTAGE)}\nprecious", ""])
@pytest.mark.parametrize("name", PLACED)
def test_what_stands_in_its_place_is_refused_and_left_alone(name: str, content: str, tmp_path: Path) -> None:
    theirs, place = tmp_path / "theirs", tmp_path / "out.csv.steps.jsonl"
    theirs.write_text(content)
    PLACED[name](place, theirs)
    with pytest.raises(RecipeError, match=r"out\.csv\.steps\.jsonl"):
        opened(place)
    assert theirs.read_text() == content
    assert not theirs.with_name("new").exists()


@pytest.mark.parametrize(
    "content",
    ["precious", "line one\nprecious", '{"step":1,"a":2}\n{"b":3', '{"picture":"a.png"}', "\n\n{"],
)
def test_a_file_that_is_no_journal_keeps_its_last_line(content: str, tmp_path: Path) -> None:
    file = tmp_path / "steps.jsonl"
    file.write_text(content)
    with pytest.raises(RecipeError, match=r"steps\.jsonl, line \d: .*(Put the file back|Take)"):
        opened(file)
    assert file.read_text() == content


@pytest.mark.parametrize("cut", [1, 5, 9, 14, 18, 30, -2])
def test_a_step_that_a_kill_cut_short_is_taken_off_by_the_next_one(cut: int, tmp_path: Path) -> None:
    file = tmp_path / "steps.jsonl"
    whole = json.dumps(OUTAGE, separators=(",", ":"))
    for torn in (whole[:cut], whole[:cut] + "\0\0\0"):
        file.write_text(f"{whole}\n{torn}")
        with Journal(file, arr.STEPS) as journal:
            assert journal.steps == [OUTAGE]
            journal.append(OUTAGE)
        assert file.read_text() == f"{whole}\n{whole}\n"


FORMS = {**generate.STEPS, **decompose.STEPS, **STEPS}
GOOD: dict[str, dict[str, Any]] = {
    "begun": {"settings": {"t_max": 3}},
    "written": {"pair": "1", "round": 0, "criteria": ["a"]},
    "checked": {"pair": "1", "passed": True, "critique": "", "asked": True, "forward": 0.9, "reverse": None},
    "outage": {key: value for key, value in OUTAGE.items() if key != "step"},
    "controlled": {
        "pair": "1",
        "criteria": ["a"],
        "other": "2",
        "own": [0.9, 1],
        "none": [0.5, 0.5],
        "shuffled": [0.5, 0.5],
    },
    "structured": {
        "question": "k",
        "structure": {"summary": "s", "themes": [{"name": "n", "level": "coarse", "tips": ["t"]}]},
    },
    "decomposed": {"key": "k", "prompt": "p", "questions": [{"id": "1", "ask": "Is it?"}]},
    "scored": {
        "key": "k",
        "scores": {
            "term": [
                {"value": 0.5, "reason": "", "details": {"a": 1.0}, "failure": None},
                {"value": None, "reason": "", "details": {}, "failure": ["c", "m", "sample", "score"]},
            ]
        },
    },
}
WRONG = ("5", '"x"', "true", "[]", "{}", "[5]", '["a"]', "null", "NaN", "1e999", "9" * 400, '{"a":"x"}', "-1")


def _places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    return [place for key, item in entries for place in [(*at, key), *_places(item, (*at, key))]]


def spoiled(name: str) -> list[tuple[str, str]]:
    """A good step with something else in each place, and with each key gone: the line, and what was done."""
    made: list[tuple[str, str]] = []
    for place in _places(GOOD[name]):
        for wrong in WRONG:
            row = json.loads(json.dumps({"step": name, **GOOD[name]}))
            *way, last = place
            at = row
            for key in way:
                at = at[key]
            at[last] = "@@"
            made.append((json.dumps(row).replace('"@@"', wrong), f"{place} is {wrong[:12]}"))
    return made


def test_every_step_that_is_written_has_a_form() -> None:
    assert FORMS.keys() == GOOD.keys()
    assert arr.STEPS.keys() | control.STEPS.keys() <= generate.STEPS.keys()


@pytest.mark.parametrize("name", GOOD)
def test_a_step_of_another_form_is_refused_and_never_a_crash(name: str, tmp_path: Path) -> None:
    """What is let through can be used: each is read again as the work reads it."""
    file = tmp_path / "steps.jsonl"
    file.write_text(json.dumps({"step": name, **GOOD[name]}) + "\n")
    with Journal(file, FORMS) as journal:
        assert [step["step"] for step in journal.steps] == [name]
    told: list[str] = []
    for line, _ in [(json.dumps({"step": name}), "empty"), *spoiled(name)]:
        file.write_text(f"{line}\n")
        try:
            with Journal(file, FORMS) as journal:
                json.dumps(journal.steps, allow_nan=False)
        except RecipeError as error:
            told.append(str(error))
    assert len(told) > len(WRONG) / 2
    assert all(f"{file}, line 1" in each for each in told)
    file.write_text('{"step":"of another command"}\n')
    with pytest.raises(RecipeError, match="line 1"):
        opened(file)


@pytest.fixture
def scored(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A recipe, a folder of pictures, and the scores of it with their journal."""
    folder, recipe = tmp_path / "in", tmp_path / "reward.yaml"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.png").write_bytes(encoded(paint("love", number, 32), "PNG"))
    terms = {"result": {"scorer": "round_robin", "judge": "eye", "weight": 1}}
    judges = {"eye": {"kind": "pixels", "criteria": "more red"}}
    recipe.write_text(json.dumps({"reward": {"terms": terms, "judges": judges}}))
    out = tmp_path / "s.csv"
    assert run("score", recipe, folder, "-o", out).exit_code == 0
    return recipe, folder, out


def run(*words: object) -> Any:
    return CliRunner().invoke(app, list(map(str, words)))


def test_scores_of_a_journal_are_used_as_they_are_or_refused(scored: tuple[Path, Path, Path]) -> None:
    """Whatever stands in a step, it is a reward's scores or an error that names the line."""
    recipe, folder, out = scored
    steps = Path(f"{out}.steps.jsonl")
    [line] = steps.read_text().splitlines()
    before, row = out.read_bytes(), json.loads(line)
    wrong = [value for value in WRONG if value not in ("5", "-1")]
    lines = [line.replace('"value":0', f'"value":{value},"x":0', 1) for value in wrong]
    lines += [
        json.dumps({**row, "scores": scores}) for scores in ({}, {"result": row["scores"]["result"][:1]}, [])
    ]
    lines += [json.dumps({**row, "scores": {**row["scores"], "more": row["scores"]["result"]}})]
    failures: list[Any] = [["a", "b", "nobody", "score"], ["a"], 5, "x", ["a", 5, "system", "s"], {"a": 1}]
    spoil = {"value": None, "reason": "", "details": {}}
    for failure in failures:
        column = [{**spoil, "failure": failure}, *row["scores"]["result"][1:]]
        lines.append(json.dumps({**row, "scores": {"result": column}}))
    for each in lines:
        steps.write_text(each + "\n")
        found = run("score", recipe, folder, "-o", out)
        assert isinstance(found.exception, RecipeError), each
        assert steps.name in str(found.exception)
        assert steps.read_text() == each + "\n"
        assert out.read_bytes() == before
    steps.unlink()
    assert run("score", recipe, folder, "-o", out).exit_code == 0
    assert out.read_bytes() == before


def test_the_journal_of_an_output_is_no_input(scored: tuple[Path, Path, Path], tmp_path: Path) -> None:
    recipe = scored[0]
    rows = tmp_path / "x.csv.steps.jsonl"
    rows.write_text('{"step":0,"picture":"in/0.png"}\n{"picture":"in/1.png"}')
    prompts = tmp_path / "p.jsonl.steps.jsonl"
    prompts.write_text('{"step":"decomposed","prompt":"a rose"}')
    checklist = tmp_path / "checklist.yaml"
    checklist.write_text("author: {kind: fake}\n")
    before = {file: file.read_bytes() for file in (rows, prompts)}
    for words in (
        ("score", recipe, rows, "-o", tmp_path / "x.csv"),
        ("checklist", "decompose", prompts, "--recipe", checklist, "-o", tmp_path / "p.jsonl"),
    ):
        found = run(*words)
        assert isinstance(found.exception, RecipeError)
        assert "is read by this very command" in str(found.exception)
    assert {file: file.read_bytes() for file in before} == before


def test_reasons_that_no_text_can_hold_are_kept_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "steps.jsonl"
    with Journal(file, arr.STEPS) as journal:
        journal.append({**OUTAGE, "message": "half \ud800 a letter"})
    assert [step["message"] for step in opened(file)] == ["half ? a letter"]


def test_numbers_that_are_none_do_not_spoil_the_journal(tmp_path: Path) -> None:
    (tmp_path / "own_scorer.py").write_text(
        "from salon.types import Score\n"
        "class Own:\n"
        "    version = '1'\n"
        "    def score(self, group):\n"
        "        return [Score(0.5, None, 'half \\ud800', {'a': float('nan'), 'b': float('inf'), 'c': 2.0})\n"
        "                for _ in group.samples]\n"
    )
    code = (
        "import sys; from pathlib import Path; from salon.registry import allow;"
        "from salon.rewards.recipe import load_reward; from salon.rewards.scoring.work import score_rows;"
        "from salon.rewards.scoring.inputs import read_inputs; allow('own_scorer');"
        "recipe = load_reward({'terms': {'own': {'scorer': 'own_scorer:Own', 'weight': 1}}});"
        "rows = read_inputs('in').rows;"
        "print([score_rows(recipe, rows, Path('s.csv'))[0].reward.total for _ in range(2)])"
    )
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.png").write_bytes(encoded(paint("love", 1, 32), "PNG"))
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": f"{os.environ.get('PYTHONPATH', '')}:{tmp_path}"},
    )
    assert done.stdout.strip() == "[0.5, 0.5]", done.stderr
    [step] = [json.loads(line) for line in (tmp_path / "s.csv.steps.jsonl").read_text().splitlines()]
    assert step["scores"]["own"][0]["details"] == {"c": 2.0}


FULL = """
import json, resource, sys
from pathlib import Path
from salon.files.outputs import WriteError
from salon.rubrics.generation import arr
from salon.rubrics.journal import Journal
step = json.loads(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (300, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
with Journal(Path("steps.jsonl"), arr.STEPS) as journal:
    for _ in range(20):
        try:
            journal.append(step)
        except WriteError as error:
            print(error)
"""


def test_a_full_disk_is_told_and_leaves_whole_lines(tmp_path: Path) -> None:
    words = [sys.executable, "-c", FULL, json.dumps(OUTAGE)]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Free some space" in done.stdout
    data = (tmp_path / "steps.jsonl").read_bytes()
    assert data.endswith(b"\n")
    assert opened(tmp_path / "steps.jsonl") == [OUTAGE] * data.count(b"\n")


def test_threads_append_whole_lines(tmp_path: Path) -> None:
    with Journal(tmp_path / "steps.jsonl", arr.STEPS) as journal:
        threads = [threading.Thread(target=journal.append, args=[OUTAGE]) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert opened(tmp_path / "steps.jsonl") == [OUTAGE] * 20


def test_a_check_of_nothing_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "steps.jsonl"
    file.write_text(json.dumps({"step": "checked", **GOOD["checked"]}) + "\n")
    with pytest.raises(RecipeError, match=r"steps\.jsonl.*pair 1"), Journal(file, arr.STEPS) as journal:
        arr.past_of(journal, ["1"])


def test_where_no_folder_can_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises((RecipeError, WriteError), match="file"):
        opened(tmp_path / "file" / "steps.jsonl")
    rows, recipe = (
        read_inputs(str(_picture(tmp_path))).rows,
        load_reward({"terms": {"l": {"scorer": "length", "weight": 1, "args": {"max_tokens": 9}}}}),
    )
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(RecipeError, match=r"pipe\.csv"):
        score_rows(recipe, rows, tmp_path / "pipe.csv")


def _picture(folder: Path) -> Path:
    (folder / "a.png").write_bytes(encoded(paint("love", 1, 32), "PNG"))
    return folder / "a.png"
