"""An answer that was kept is no answer of another server, checklist, pool or picture under the same name."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from chatserver import ScriptedServer, served
from salon.cli import app
from salon.errors import StoreError
from salon.rewards.content_hashes import check_files, contents_of, files_named, files_of
from salon.rewards.recipe import load_reward

RECIPE = """
reward:
  terms: {t: {scorer: checklist, weight: 1.0, judge: v, args: {file: c.jsonl}}}
  judges: {v: {kind: openai, model: m, base_url: "${SALON_JUDGE_URL}", cache: false}}
"""


class Asked:
    """The command in a folder with a picture, and two servers that say yes and no."""

    def __init__(self, servers: dict[str, ScriptedServer]) -> None:
        self.servers = servers

    def score(self, who: str, *more: str) -> tuple[str, int]:
        """The total that was written, and how often this server was asked for it."""
        server = self.servers[who]
        before = len(server.seen)
        args = ["score", "r.yaml", "a.png", "-o", "o.csv", "-p", "a red square", *more]
        result = CliRunner().invoke(app, args, env={"SALON_JUDGE_URL": server.url})
        assert result.exit_code == 0, result.output
        header, row = Path("o.csv").read_text().splitlines()[:2]
        return row.split(",")[header.split(",").index("total")], len(server.seen) - before


def write_checklist(ask: str, wanted: str) -> None:
    row = {"id": "p", "prompt": "a red square", "questions": [{"id": "1", "ask": ask, "wanted": wanted}]}
    Path("c.jsonl").write_text(json.dumps(row) + "\n")


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asked]:
    monkeypatch.chdir(tmp_path)
    Path("r.yaml").write_text(RECIPE)
    Image.new("RGB", (64, 64), "red").save("a.png")
    write_checklist("Is it red?", "yes")
    with ExitStack() as stack:
        servers = {who: stack.enter_context(served(ScriptedServer())) for who in ("yes", "no")}
        for who, server in servers.items():
            server.script = [json.dumps({"answer": who, "reason": "seen"})]
        yield Asked(servers)


def test_another_server_is_asked(asked: Asked) -> None:
    total, calls = asked.score("yes")
    assert (float(total), calls > 0) == (1.0, True)
    assert asked.score("yes") == (total, 0), "the same question to the same server is kept"
    total, calls = asked.score("no")
    assert (float(total), calls > 0) == (0.0, True)


def test_other_questions_are_asked(asked: Asked) -> None:
    assert float(asked.score("yes")[0]) == 1.0
    write_checklist("Is it ugly?", "no")
    total, calls = asked.score("yes")
    assert (float(total), calls > 0) == (0.0, True)


def test_another_picture_that_a_prompt_names_is_seen(asked: Asked) -> None:
    Path("r.yaml").write_text(RECIPE.replace("cache: false", "cache: false, before: source"))
    Image.new("RGB", (64, 64), "green").save("before.png")
    assert asked.score("yes", "--meta", "source=before.png")[1] > 0
    assert asked.score("yes", "--meta", "source=before.png")[1] == 0
    Image.new("RGB", (64, 64), "black").save("before.png")
    assert asked.score("yes", "--meta", "source=before.png")[1] > 0


def test_paths_and_variables_are_known_by_what_is_in_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SALON_JUDGE_URL", "http://one")
    monkeypatch.setenv("SALON_API_KEY", "sk-aaaaaaaaaaaaaaaaaaaaaaaa")
    pool = tmp_path / "pool"
    (pool / "deep").mkdir(parents=True)
    (pool / "deep" / "metadata.jsonl").write_text("{}")
    judge = {"kind": "openai", "model": "m", "base_url": "${SALON_JUDGE_URL}", "api_key": "${SALON_API_KEY}"}
    term = {"scorer": "pairwise", "weight": 1, "judge": "v", "args": {"pool": "pool", "references": 1}}
    recipe = load_reward({"terms": {"t": term}, "judges": {"v": judge}})
    first = contents_of(recipe)
    assert set(first) == {"$SALON_JUDGE_URL", "pool"}
    assert contents_of(recipe) == first
    monkeypatch.setenv("SALON_API_KEY", "sk-bbbbbbbbbbbbbbbbbbbbbbbb")
    assert contents_of(recipe) == first, "who pays decides nothing"
    monkeypatch.setenv("SALON_JUDGE_URL", "http://two")
    assert contents_of(recipe)["$SALON_JUDGE_URL"] != first["$SALON_JUDGE_URL"]
    (pool / "deep" / "metadata.jsonl").write_text("{ }")
    assert contents_of(recipe)["pool"] != first["pool"]
    assert files_named("no such file", "", "a\0b", "x" * 5000) == {}


def test_a_run_does_not_go_on_with_other_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SALON_JUDGE_URL", "http://one")
    (tmp_path / "r.yaml").write_text(RECIPE)
    write_checklist("Is it red?", "yes")
    (tmp_path / "weights").write_bytes(large := b"a" * 70_000_000)
    recipe = load_reward("r.yaml")
    begun = files_of(recipe)
    assert set(begun) == {"c.jsonl"}
    monkeypatch.setenv("SALON_JUDGE_URL", "http://two")
    check_files(recipe, begun, "runs/a")
    check_files(recipe, None, "runs/older")
    write_checklist("Is it ugly?", "no")
    with pytest.raises(StoreError, match=r"runs/a was begun with other contents of c\.jsonl: put them back"):
        check_files(recipe, begun, "runs/a")
    Path("c.jsonl").unlink()
    with pytest.raises(StoreError, match=r"c\.jsonl"):
        check_files(recipe, begun, "runs/a")
    first = files_named("weights")
    (tmp_path / "weights").write_bytes(large[:-1] + b"b")
    assert files_named("weights") != first


def test_a_folder_that_a_judge_writes_into_is_no_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its answers are kept there while the run goes on, and it has to be resumed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answers").mkdir()
    members = [{"kind": "fake", "cache": "answers"}]
    judges = {
        "v": {"kind": "openai", "model": "m", "cache": "answers"},
        "c": {"kind": "council", "members": members},
    }
    terms = {name: {"scorer": "pairwise", "weight": 1, "judge": name} for name in judges}
    recipe = load_reward({"terms": terms, "judges": judges})
    begun = contents_of(recipe)
    (tmp_path / "answers" / "one").write_text("a")
    assert contents_of(recipe) == begun == {}
