"""The commands `salon judge …` and `salon serve-judge`, as they are typed, against a real server."""

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from chatserver import served
from painted import encoded, paint
from salon.cli import app
from salon.errors import RecipeError, StageError
from salon.judges.council import Council
from salon.judges.fake import FakeJudge
from salon.judges.learned.taste import TasteJudge
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.rewards.judging import asking
from salon.rewards.judging.serving_key import serving_key
from salon.serving.judge_server import JudgeServer

RUBRIC = "version: 1\nname: light\nthemes:\n  - {name: Light, tips: [Light falls from one side.]}\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A painting as WebP and a scribble as JPEG."""
    (tmp_path / "a.webp").write_bytes(encoded(paint("love", 5), "WEBP"))
    (tmp_path / "b.png").write_bytes(encoded(paint("nope", 1), "JPEG"))
    return str(tmp_path / "a.webp"), str(tmp_path / "b.png")


def run(*words: str) -> Any:
    return CliRunner().invoke(app, ["judge", *words])


def test_compare_in_both_orders(files: tuple[str, str]) -> None:
    with served(JudgeServer(FakeJudge(always="a"))) as server:
        where = ("--model", "eye", "--base-url", server.url, "--set", "cache=false")
        found = run("compare", *files, "--prompt", "draw a rose", *where, "--json")
    told = json.loads(found.stdout)
    assert (found.exit_code, told["winner"], told["p_a"], told["flipped"]) == (0, "tie", 0.5, True)
    plain = run("compare", *files, "--judge", "fake")
    assert plain.exit_code == 0
    first, second = (run("compare", *order, "--judge", "fake", "--json") for order in (files, files[::-1]))
    assert {json.loads(first.stdout)["winner"], json.loads(second.stdout)["winner"]} == {"a", "b"}
    better, worse = files if json.loads(first.stdout)["winner"] == "a" else files[::-1]
    assert plain.stdout.startswith(better)
    assert not plain.stdout.startswith(worse)


@pytest.mark.parametrize("command", ["compare", "answer", "critique"])
@pytest.mark.parametrize("judge", [("--judge", "fake"), ("--judge", "taste"), ("--model", "eye")])
def test_a_picture_before_that_nobody_would_look_at_is_refused(
    files: tuple[str, str], command: str, judge: tuple[str, ...]
) -> None:
    shown = {"compare": files, "answer": (files[0], "--ask", "Is it red?"), "critique": files[:1]}[command]
    for before in (files[1], "nowhere.png"):
        found = run(command, *shown, *judge, "--base-url", "http://127.0.0.1:9/v1", "--before", before)
        if judge[0] == "--judge":
            found = run(command, *shown, *judge, "--before", before)
        assert isinstance(found.exception, RecipeError)
        assert f"--before {before}: " in str(found.exception)
        assert "judges no edits" in str(found.exception)


@pytest.mark.parametrize(
    ("option", "text", "told"),
    [
        ("--ask", "", "--ask: is empty"),
        ("--ask", " \n", "--ask: is empty"),
        ("--ask", "q\udcff?", "--ask: is no UTF-8 at character 2"),
        ("--prompt", "a \udcff", "--prompt: is no UTF-8 at character 3"),
    ],
)
def test_a_question_that_is_no_text_is_refused(
    files: tuple[str, str], option: str, text: str, told: str
) -> None:
    found = run("answer", files[0], "--judge", "fake", "--ask", "Is it red?", option, text)
    assert isinstance(found.exception, RecipeError)
    assert told in str(found.exception)


def test_answers_and_critiques(files: tuple[str, str]) -> None:
    asked = ("-q", "Is there any text?", "-q", "Is it painted?")
    found = run("answer", files[0], *asked, "--judge", "fake", "--json")
    assert [row["question"] for row in json.loads(found.stdout)] == ["Is there any text?", "Is it painted?"]
    found = run("critique", files[0], "--judge", "fake", "-p", "draw a rose")
    assert found.exit_code == 0
    assert "text_faithfulness: " in found.stdout
    assert "text_rendering: n/a" in found.stdout
    refused = run("answer", files[0], "-q", "Is it red?", "--judge", "taste")
    assert isinstance(refused.exception, RecipeError)


def test_a_failure_is_an_exit_code(files: tuple[str, str]) -> None:
    with served() as server:
        server.script = [401]
        where = ("--model", "eye", "--base-url", server.url, "--set", "cache=false")
        for words in (("compare", *files), ("critique", files[0]), ("answer", files[0], "-q", "Is it red?")):
            found = run(*words, *where)
            assert found.exit_code == 1
            assert "judge_refused" in found.stderr
            assert json.loads(run(*words, *where, "--json").stdout)


def test_a_server_that_is_not_there_is_told_at_once(files: tuple[str, str]) -> None:
    with served() as server:
        url = server.url
        where = ("--model", "eye", "--base-url", url)
        fresh = run("compare", *files, *where, "--prompt", "draw a rose")
        assert "kept from before" not in fresh.stdout
    for words in (("compare", *files), ("critique", files[0]), ("answer", files[0], "-q", "Is it red?")):
        found = run(*words, *where)
        assert found.exit_code == 1
        assert found.stderr.startswith(f"salon: no answer (judge_unreachable): {url}")
        assert len(found.stderr.splitlines()) == 1
    kept = run("compare", *files, *where, "--prompt", "draw a rose")
    assert "kept from before" in kept.stdout
    told = json.loads(run("compare", *files, *where, "--prompt", "draw a rose", "--json").stdout)
    assert told["cached"] is True
    hurried = asking.open_for_shell("", "eye", url)
    patient = asking.open_for_shell("", "eye", url, ["deadline_s=9"])
    assert isinstance(hurried, OpenAIJudge)
    assert isinstance(patient, OpenAIJudge)
    assert hurried.server.settings.deadline_s == asking.HURRIED_S
    assert patient.server.settings.deadline_s == 9


def test_a_judge_of_a_recipe_by_name_with_a_rubric(files: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "light.yaml").write_text(RUBRIC)
    with served() as server:
        recipe = tmp_path / "reward.yaml"
        recipe.write_text(
            "reward:\n  terms:\n    a: {scorer: preference, judge: eye, weight: 1}\n  judges:\n    eye:\n"
            f"      {{kind: openai, model: eye, base_url: '{server.url}', cache: false,"
            f" criteria: {{rubric: {tmp_path}/light.yaml}}}}\n"
        )
        assert run("compare", *files, "--judge", f"{recipe}#eye").exit_code == 0
        assert "Light falls from one side." in server.seen[0]["messages"][0]["content"]
        assert run("compare", *files, "--judge", str(recipe)).exit_code == 0
        with pytest.raises(RecipeError, match="Did you mean 'eye'"):
            asking.open_judge(f"{recipe}#eyes")


def test_probe_says_fit_or_refused(painted_pool_folder: Path) -> None:
    where = ("--pool", str(painted_pool_folder), "--pairs", "1", "--for", "compare")
    fit = run("probe", "--judge", "fake", *where)
    assert (fit.exit_code, "fit" in fit.stdout) == (0, True)
    refused = run("probe", "--judge", "fake", "--set", "always=a", *where)
    assert refused.exit_code == 1
    assert "always says the same" in refused.stdout


def test_members_are_weighed_by_the_ratings(painted_pool_folder: Path) -> None:
    council = Council([FakeJudge(), FakeJudge(always="a")])
    rows = asking.weigh(council, str(painted_pool_folder), 20)
    assert rows[1]["agreement"] == 0.5
    assert rows[1]["weight"] == 0
    assert rows[0]["agreement"] != 0.5
    with pytest.raises(RecipeError, match="kind council"):
        asking.weigh(FakeJudge(), str(painted_pool_folder))


def test_serve_judge_serves_until_it_is_told_to_stop(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SALON_TEST_KEY", "word")
    command = [sys.executable, "-m", "salon.cli", "serve-judge", "fake", "--port", "0", "--api-key", "word"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ)
    assert process.stdout is not None
    url = process.stdout.readline().strip().rpartition(" ")[2]
    where = ("--model", "fake", "--base-url", url, "--set", "cache=false")
    key = ("--set", "api_key=${SALON_TEST_KEY}")
    assert run("compare", *files, *where, *key).exit_code == 0
    assert "known: fake" in run("compare", *files, "--model", "taste", *where[2:], *key).stderr
    assert run("compare", *files, *where).exit_code == 1
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 130
    process.stdout.close()


def test_a_servers_key_comes_from_a_variable_or_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SALON_TEST_KEY", " word ")
    monkeypatch.setenv("SALON_EMPTY", " ")
    file = tmp_path / "key"
    file.write_text("a longer word\n")
    assert serving_key("", "SALON_TEST_KEY", "") == "word"
    assert serving_key("", "", str(file)) == "a longer word"
    assert serving_key("word", "", "") == "word"
    assert serving_key("", "", "") == ""
    for given, told in (
        (("word", "SALON_TEST_KEY", ""), "given twice"),
        (("", "SALON_TEST_KEY", str(file)), "given twice"),
        (("", "SALON_EMPTY", ""), "--api-key-env SALON_EMPTY: there is no key"),
        (("", "SALON_NOT_SET", ""), "--api-key-env SALON_NOT_SET: there is no key"),
        (("", "", str(tmp_path / "none")), "none: cannot be read .* named by --api-key-file"),
    ):
        with pytest.raises(RecipeError, match=told):
            serving_key(*given)
    file.write_bytes(b"two\nlines")
    with pytest.raises(RecipeError, match="there is no key in it"):
        serving_key("", "", str(file))


@pytest.mark.parametrize(
    ("words", "is_warned"),
    [
        (["--api-key", "word"], True),
        (["--api-key-env", "SALON_TEST_KEY"], False),
        ([], False),
    ],
)
def test_only_a_key_on_the_command_line_is_warned_of(
    words: list[str], is_warned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[str] = []

    def serve(server: JudgeServer) -> None:
        kept.append(server.api_key)

    monkeypatch.setattr(JudgeServer, "serve_forever", serve)
    monkeypatch.setenv("SALON_TEST_KEY", "word")
    monkeypatch.setenv("SALON_SERVE_KEY", "" if words else "word")
    done = CliRunner().invoke(app, ["serve-judge", "fake", "--port", "0", *words])
    assert (done.exit_code, kept) == (0, ["word"])
    assert ("seen by everybody who lists this machine's processes" in done.stderr) is is_warned


def test_one_model_can_be_asked_for(files: tuple[str, str]) -> None:
    judge = FakeJudge()
    with served(JudgeServer(judge, models=["fake", "a/b c"])) as server:
        for name in ("fake", "a/b c", judge.identity):
            with urllib.request.urlopen(f"{server.url}/models/{urllib.parse.quote(name, safe='')}") as reply:
                row = json.loads(reply.read())
            assert (row["id"], row["object"], row["root"]) == (name, "model", judge.identity)
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{server.url}/models/other")


def test_a_served_judge_is_named_by_the_server(files: tuple[str, str]) -> None:
    judge = FakeJudge()
    with served(JudgeServer(judge, models=["fake"])) as server:
        where = ("--base-url", server.url, "--set", "cache=false")
        told = json.loads(run("compare", *files, "--model", "fake", *where, "--json").stdout)
        assert told["served"] == judge.identity
        assert f"(served: {judge.identity})" in run("compare", *files, "--model", "fake", *where).stdout
        wrong = run("compare", *files, "--model", "taste", *where)
        assert (wrong.exit_code, "404" in wrong.stderr, f"known: {judge.identity}, fake" in wrong.stderr) == (
            1,
            True,
            True,
        )
        body = {"model": judge.identity, "messages": []}
        with pytest.raises(StageError, match="`messages` is missing"):
            server.reply(body)
        with pytest.raises(StageError, match="'x' is not served here; known: ") as caught:
            server.reply({**body, "model": "x"})
    assert caught.value.failure.code == "model_not_found"


def test_a_prompt_that_is_not_read_is_told(files: tuple[str, str]) -> None:
    with served(JudgeServer(TasteJudge.load())) as server:
        for where in (("--judge", "taste"), (), ("--model", "taste", "--base-url", server.url)):
            told = run("compare", *files, "--prompt", "a rose", *where)
            assert told.exit_code == 0
            assert "taste does not read the prompt" in told.stderr
            assert "does not read" not in run("compare", *files, *where).stderr


def test_a_dead_address_is_told_once() -> None:
    with served() as server:
        url = server.url
    found = run("probe", "--model", "eye", "--base-url", url, "--set", "deadline_s=0.2")
    assert found.exit_code == 1
    lines = [line for line in found.stdout.splitlines() if "does not answer" in line]
    assert len(lines) == 1, lines
