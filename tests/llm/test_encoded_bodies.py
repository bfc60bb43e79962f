"""A server may say our key back in whatever encoding: nothing that is made of its answer has it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from chatserver import ScriptedServer, completion, served
from painted import encoded, paint
from salon.cli import app
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.rewards.recipe import load_reward
from salon.rewards.scoring.about import meta_read
from salon.types import Picture, Prompt

KEY = "tok-ABCDEFGHIJKLMNOPQRSTUV"
ENCODINGS: dict[str, Callable[[str], bytes]] = {
    **{
        name: (lambda text, name=name: text.encode(name))
        for name in (
            "utf-8",
            "utf-8-sig",
            "utf-16",
            "utf-16-le",
            "utf-16-be",
            "utf-32",
            "utf-32-le",
            "utf-32-be",
        )
    },
    "cut UTF-16": lambda text: text.encode("utf-16")[:-1],
    "UTF-16 behind a letter": lambda text: "\u0101".encode("utf-16-le") + text.encode("utf-16-le"),
    "NULs between": lambda text: "\0".join(text).encode() + b"\xff",
    "Latin-1": lambda text: f"é{text}".encode("latin-1"),
}


def offers(handler: Any) -> None:
    """A score server says who it is and what it has."""
    body = json.dumps({"model": "m\x1b[31m"} if "health" in handler.path else {"rewards": ["r"]}).encode()
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with served() as scripted:
        base: Any = scripted.RequestHandlerClass
        scripted.RequestHandlerClass = type("Handler", (base,), {"do_GET": offers})
        yield scripted


@pytest.mark.parametrize("status", [200, 400, 401, 500])
@pytest.mark.parametrize("name", ENCODINGS)
def test_a_chat_server(
    server: ScriptedServer, name: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_TOKEN", KEY)
    said = (
        completion(json.dumps({"winner": "A", "reason": f"you sent {KEY}"}))
        if status == 200
        else {"error": KEY}
    )
    server.script = [(status, {}, ENCODINGS[name](json.dumps(said)))]
    judge = OpenAIJudge("m", base_url=server.url, api_key=KEY, cache=False, attempts=1, backoff_s=0.0)
    pair = [Picture.from_png(encoded(paint("love", number, 24), "PNG")) for number in (1, 2)]
    found = judge.compare(Prompt("p", "p"), [(pair[0], pair[1])])
    shown = repr(found)
    assert KEY not in shown
    assert KEY not in shown.replace("\\x00", "").replace("\0", "")
    assert server.seen


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_score_server(
    server: ScriptedServer, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_TOKEN", KEY)
    answer = {"results": [{}], "errors": [{"r": f"bad: you sent {KEY} \x1b[31m"}]}
    server.script = [(200, {}, ENCODINGS[name](json.dumps(answer)))]
    args: dict[str, Any] = {"base_url": server.url, "reward": "r", "api_key": "${MY_TOKEN}", "cache": False}
    term = {"scorer": "served", "weight": 1, "args": args | {"attempts": 1, "deadline_s": 3}}
    (tmp_path / "r.yaml").write_text(json.dumps({"reward": {"terms": {"s": term}}}))
    (tmp_path / "a.png").write_bytes(encoded(paint("love", 1, 24), "PNG"))
    words = ["score", "r.yaml", "a.png", "-o", "o.csv", "-p", "x"]
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, words)
    files = [file for file in tmp_path.iterdir() if file.suffix in (".csv", ".jsonl")]
    assert len(files) == 2, (done.output, done.exception)
    for text in (done.output, *(file.read_text() for file in files)):
        assert KEY not in text.replace("\0", "")
        assert "\x1b" not in text
    assert "MY_TOKEN=" not in done.output
    assert server.seen


def test_a_variable_is_no_word_of_meta() -> None:
    terms = {"q": {"scorer": "questions", "weight": 1, "judge": "j", "args": {"ask": ["is it {colour}?"]}}}
    judges = {"j": {"kind": "fake"}}
    for each, found in (("${SALON_X}", {"colour"}), ("{flower}", {"colour", "flower"})):
        terms["q"]["args"]["model"] = each  # type: ignore[index]
        assert meta_read(load_reward({"terms": terms, "judges": judges})) == found


def test_a_refused_recipe_leaves_no_empty_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.png").write_bytes(encoded(paint("love", 1, 24), "PNG"))
    term = {"scorer": "length", "weight": 1, "args": {"max_tokens": 9, "nothing": 1}}
    (tmp_path / "r.yaml").write_text(json.dumps({"reward": {"terms": {"s": term}}}))
    before = set(tmp_path.iterdir())
    assert CliRunner().invoke(app, ["score", "r.yaml", "a.png", "-o", "o.csv"]).exit_code
    assert set(tmp_path.iterdir()) == before
