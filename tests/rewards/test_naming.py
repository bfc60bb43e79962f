"""One way of naming a judge, for every command that asks one."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from chatserver import ScriptedServer, served
from painted import encoded, paint
from salon.cli import app
from salon.errors import RecipeError
from salon.evals.judging import judge_of
from salon.evals.winrate import _judge as of_an_evaluation
from salon.judges.learned.taste import BUILTIN, TasteJudge
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.rewards.judging.naming import open_judge

TASTE = TasteJudge.load("taste").identity
HELDOUT = TasteJudge.load("heldout").identity


@pytest.fixture
def recipe(tmp_path: Path) -> str:
    file = tmp_path / "reward.yaml"
    file.write_text(
        "reward:\n  terms:\n    a: {scorer: preference, judge: eye, weight: 1}\n"
        "  judges:\n    eye: {kind: taste, name_or_path: heldout}\n    taste: {kind: pixels}\n"
    )
    return str(file)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    shutil.copytree(BUILTIN / "flowers-heldout", tmp_path / "mine")
    return str(tmp_path / "mine")


def test_every_way_of_naming(recipe: str, folder: str) -> None:
    ways = {
        "": TASTE,
        "taste": TASTE,
        "flowers": TASTE,
        "heldout": HELDOUT,
        "flowers-heldout": HELDOUT,
        folder: HELDOUT,
        "salon.judges.learned.taste:TasteJudge.load": TASTE,
        f"{recipe}#eye": HELDOUT,
    }
    for name, identity in ways.items():
        assert open_judge(name).identity == identity, name
        assert judge_of(name).identity == identity, name
        if name:
            assert of_an_evaluation(name).identity == identity, name
    assert open_judge("eye", recipe=recipe).identity == HELDOUT
    # A recipe's own name goes before a built-in's.
    assert open_judge("taste", recipe=recipe).identity.startswith("pixels@")
    assert open_judge("pixels", settings=["rate=0.5"]).identity != open_judge("pixels").identity
    asked = open_judge("", "eye", "http://127.0.0.1:1/v1", ["cache=false", "batch=3"])
    assert isinstance(asked, OpenAIJudge)
    assert asked.batch == 3


COMMANDS = (
    ("judge", "compare", "a.png", "b.png", "--judge"),
    ("judge", "answer", "a.png", "-q", "Is it red?", "--judge"),
    ("judge", "critique", "a.png", "--judge"),
    ("judge", "probe", "--judge"),
    ("judge", "weigh", "--judge"),
    ("evaluate", "judge", "--judge"),
    ("serve-judge", "--judge"),
    ("serve-judge",),
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_all_commands_say_the_same_of_an_unknown_judge(
    command: tuple[str, ...], recipe: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.png", "b.png"):
        (tmp_path / name).write_bytes(encoded(paint("love", 5), "PNG"))
    (tmp_path / "empty").mkdir()
    said = {
        "tast": r"no judge is called 'tast'. Did you mean 'taste'?",
        "empty": "empty: is a folder without a judge.json",
        f"{recipe}#ey": "Did you mean 'eye'?",
        "nowhere:Judge": "there is no module 'nowhere'",
    }
    for name, told in said.items():
        found = CliRunner().invoke(app, [*command, name])
        assert isinstance(found.exception, RecipeError), found.output
        assert told in str(found.exception)
    help_ = CliRunner().invoke(app, [*command[: 1 if command[0] == "serve-judge" else 2], "--help"])
    for option in ("--judge", "--model", "--base-url", "--set", "--recipe"):
        assert option in help_.output


def test_a_public_service_without_a_key_is_said_before_any_call(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(RecipeError) as caught:
        open_judge("", "taste")
    told = str(caught.value)
    assert "the model 'taste' has no base_url, so it would be asked at https://api.openai.com/v1" in told
    assert "OPENAI_API_KEY is not set" in told
    assert told.endswith("The built-in judge goes by its name alone: --judge taste.")
    with pytest.raises(RecipeError, match="ANTHROPIC_API_KEY is not set") as caught:
        open_judge("anthropic", "some-model")
    assert "built-in" not in str(caught.value)
    with pytest.raises(RecipeError, match="GEMINI_API_KEY is not set"):
        open_judge("gemini", "some-model")
    monkeypatch.setenv("OPENAI_API_KEY", "word")
    assert isinstance(open_judge("", "gpt-x"), OpenAIJudge)


def test_a_served_model_is_served_on(tmp_path: Path) -> None:
    """A command's options reach the judge: a model at an address, with a setting of its own."""
    for name in ("a.png", "b.png"):
        (tmp_path / name).write_bytes(encoded(paint("love", len(name)), "PNG"))
    with served(ScriptedServer()) as server:
        where = ["--model", "eye", "--base-url", server.url, "--set", "cache=false", "--set", "max_tokens=77"]
        found: Any = CliRunner().invoke(
            app, ["evaluate", "judge", "--benchmark", "pool", "--limit", "2", *where]
        )
        assert found.exit_code == 0, found.output
        assert {body["max_tokens"] for body in server.seen} == {77}
        assert len(server.seen) == 4
