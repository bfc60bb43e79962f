"""Answers kept on disk: shared by runs and processes; failures, torn files and full disks cost nothing."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from chatserver import GOOD, ScriptedServer, after, served
from painted import paint, picture_of
from salon.contrib.unified_reward import UnifiedReward
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.llm.response_cache import ResponseCache, number_in
from salon.llm.settings import place_of, server_settings
from salon.llm.usage import Account, on_account
from salon.types import Failure, Group, Prompt, Sample, Verdict

PROMPT = Prompt(id="p", text="draw a peach hibiscus")
PICTURES = [picture_of(paint("okay", seed, side=48)) for seed in range(6)]
PAIRS = [(a, b) for a in PICTURES for b in PICTURES if a.key != b.key]
SAMPLE = Sample("s", PROMPT, "", "", PICTURES[0])
QUESTION = {"judge": "eye@1", "kind": "compare", "prompt": "rose", "pictures": ["a", "b"]}


def judge_at(server: ScriptedServer, cache: Any = True, **options: Any) -> OpenAIJudge:
    return OpenAIJudge(
        "eye", server.url, cache=cache, **{"deadline_s": 5.0, "backoff_s": 0.01, "concurrency": 16, **options}
    )


def test_a_second_run_makes_no_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SALON_CACHE", str(tmp_path))
    with served() as server:
        first = judge_at(server).compare(PROMPT, PAIRS)
        assert len(server.seen) == len(PAIRS)
        again = judge_at(server).compare(PROMPT, PAIRS)
        assert len(server.seen) == len(PAIRS)
        assert again == first
        assert len(list((tmp_path / "judgements").glob("??/*"))) == len(PAIRS)
        for other in ({"criteria": "light"}, {"temperature": 0.5}, {"revision": "2"}, {"side": 64}):
            judge_at(server, **other).compare(PROMPT, PAIRS[:1])
        judge_at(server).compare(Prompt("p", "draw a rose"), PAIRS[:1])
        assert len(server.seen) == len(PAIRS) + 5


def test_an_answer_that_comes_between_the_look_and_the_turn_to_ask_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept, asked, looks = ResponseCache(None), [], []

    def ask() -> dict[str, Any]:
        asked.append(1)
        return {"text": "a rose"}

    def ask_and_read() -> Any:
        return kept.get(QUESTION, ask, lambda row: row["text"])

    looked = ResponseCache._made

    def look(self: ResponseCache, key: str, read: Any) -> Any:
        found = looked(self, key, read)
        looks.append(1)
        if len(looks) == 1:
            assert ask_and_read() == "a rose"  # Somebody else's, who comes first.
        return found

    monkeypatch.setattr(ResponseCache, "_made", look)
    with on_account(Account()) as account:
        assert ask_and_read() == "a rose"
    assert (len(asked), account.total.questions, account.total.cached) == (1, 1, 1)


UNIFIED = "Alignment Score (1-5): 3.1\nCoherence Score (1-5): 4.5\nStyle Score (1-5): 2.9"


@pytest.mark.parametrize(
    ("made", "said", "ask"),
    [
        (OpenAIJudge, GOOD, lambda judge: judge.compare(PROMPT, PAIRS[:1])[0]),
        (
            OpenAIJudge,
            '{"answer": "yes", "reason": ""}',
            lambda judge: judge.answer(PROMPT, PICTURES[0], ["?"])[0],
        ),
        (UnifiedReward, UNIFIED, lambda judge: judge.score(Group(PROMPT, (SAMPLE,)))[0].failure),
    ],
    ids=["verdict", "answer", "unified"],
)
def test_what_one_address_answered_never_stands_for_another(
    tmp_path: Path, made: Any, said: str, ask: Any
) -> None:
    """The same model name, question and pictures: a server that was never asked has said nothing."""
    given: dict[str, Any] = {"cache": str(tmp_path), "deadline_s": 5.0}
    with served() as first, served() as second:
        first.script = second.script = [said]
        for server in (first, second, first, second):
            assert not isinstance(ask(made("eye", server.url, **given)), Failure)
        assert (len(first.seen), len(second.seen)) == (1, 1)
    gone = ask(made("eye", "http://127.0.0.1:9/v1", **{**given, "deadline_s": 0.2, "attempts": 1}))
    assert isinstance(gone, Failure)


def test_an_address_is_one_however_it_is_written() -> None:
    assert place_of("HTTP://Eye.Example:80/v1/") == place_of("http://eye.example:80/v1")
    assert place_of("http://eye/v1") != place_of("http://eye/V1")
    chat = {"model": "eye", "base_url": "http://eye/v1"}
    spoken = {server_settings({**chat, "protocol": each}).asked_at for each in ("openai", "gemini")}
    assert len(spoken) == 2


def test_a_kept_file_of_another_kind_is_asked_anew(tmp_path: Path) -> None:
    """Links, pipes, folders and huge files in the cache's folder: none is read, none is waited for."""
    ResponseCache(tmp_path).keep(QUESTION, {"p_a": 1.0})
    place = next(tmp_path.glob("??/*"))
    whole, beside = place.read_bytes(), tmp_path / "beside"
    beside.write_bytes(whole)

    def huge() -> None:
        place.write_bytes(whole)
        os.truncate(place, 10_000_000_000)

    makers = {
        "link": lambda: place.symlink_to(beside),
        "pipe": lambda: os.mkfifo(place),
        "folder": place.mkdir,
        "device": lambda: place.symlink_to("/dev/zero"),
        "huge": huge,
        "nested": lambda: place.write_bytes(b'{"key": "x", "answer": ' + b"[" * 5000 + b"]" * 5000 + b"}"),
        "infinite": lambda: place.write_bytes(whole.replace(b"1.0", b"1e999")),
        "twice": lambda: place.write_bytes(whole[:-1] + b', "key": "' + place.name.encode() + b'"}'),
    }
    for name, make in makers.items():
        place.unlink(missing_ok=True)
        make()
        assert ResponseCache(tmp_path).find(QUESTION, dict) is None, name
        if place.is_dir() and not place.is_symlink():
            place.rmdir()
            place.touch()


def test_failures_are_never_kept(tmp_path: Path) -> None:
    with served() as server:
        server.script = [401]
        assert isinstance(judge_at(server, str(tmp_path)).compare(PROMPT, PAIRS[:1])[0], Failure)
        server.script = [GOOD]
        assert isinstance(judge_at(server, str(tmp_path)).compare(PROMPT, PAIRS[:1])[0], Verdict)


def test_what_is_torn_or_false_is_asked_anew(tmp_path: Path) -> None:
    ResponseCache(tmp_path).keep(QUESTION, {"p_a": 1.0})
    assert ResponseCache(tmp_path).find(QUESTION, dict) == {"p_a": 1.0}
    file = next(tmp_path.glob("??/*"))
    whole = file.read_bytes()
    for torn in (
        whole[:10],
        b"",
        b"null",
        b"[]",
        b"\xff",
        b'{"key": "other", "answer": {"p_a": 1}}',
        b"{" * 9999,
    ):
        file.write_bytes(torn)
        assert ResponseCache(tmp_path).find(QUESTION, dict) is None
    file.write_bytes(whole)
    assert ResponseCache(tmp_path).find(QUESTION, dict) == {"p_a": 1.0}


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"p_a": 7, "reason": "r"},
        {"p_a": float("nan"), "reason": "r"},
        {"p_a": "1", "reason": "r"},
        {"p_a": True, "reason": "r"},
        {"p_a": 1.0, "reason": None},
        {"verdict": {"first": 0.7}, "version": 9},
    ],
)
def test_what_another_version_kept_is_asked_anew(tmp_path: Path, answer: Any) -> None:
    with served() as server:
        judge_at(server, str(tmp_path)).compare(PROMPT, PAIRS[:3])
        for file in tmp_path.glob("??/*"):
            file.write_text(json.dumps({"key": file.name, "answer": answer, "version": 9}))
        found = judge_at(server, str(tmp_path)).compare(PROMPT, PAIRS[:3])
        assert [verdict.p_a for verdict in found if isinstance(verdict, Verdict)] == [1.0] * 3
        assert len(server.seen) == 6
        assert judge_at(server, str(tmp_path)).compare(PROMPT, PAIRS[:3]) == found
        assert len(server.seen) == 6


ASPECTS = ("adherence", "technique")


@pytest.mark.parametrize(
    "change",
    [
        {"scores": {}},
        {"scores": []},
        {"scores": ""},
        {"scores": None},
        {"scores": {"adherence": 3.0}},
        {"scores": {"adherence": 3.0, "technique": 3.0, "third": 3.0}},
        {"scores": {"adherence": 3.0, "technique": 3.0}, "high": 1e308},
        {"scores": {"adherence": 3.0, "technique": 3.0}, "low": 2.0},
        {"scores": {"adherence": 9.0, "technique": 3.0}},
        {"scores": {"adherence": True, "technique": 3.0}},
    ],
    ids=str,
)
def test_a_critique_of_other_aspects_or_another_scale_is_asked_anew(tmp_path: Path, change: Any) -> None:
    said = json.dumps({"critique": "c", "scores": {"adherence": 4, "technique": None}, "request": "q"})
    with served() as server:
        server.script = [said]
        asks = {"aspects": ASPECTS, "low": 1, "high": 5}
        first = judge_at(server, str(tmp_path), **asks).critique(PROMPT, PICTURES[0])
        assert judge_at(server, str(tmp_path), **asks).critique(PROMPT, PICTURES[0]) == first
        assert len(server.seen) == 1
        file = next(tmp_path.glob("??/*"))
        kept = json.loads(file.read_text())
        file.write_text(json.dumps(kept | {"answer": kept["answer"] | change}))
        assert judge_at(server, str(tmp_path), **asks).critique(PROMPT, PICTURES[0]) == first
        assert len(server.seen) == 2


def test_a_kept_number_is_one() -> None:
    assert [number_in(value) for value in (1, -0.5, 10**300)] == [1.0, -0.5, 1e300]
    for value in (float("nan"), float("inf"), 10**400, -(10**400)):
        with pytest.raises(ValueError, match="is not from"):
            number_in(value)
    for value in (True, "1", None, [1]):
        with pytest.raises(TypeError, match="no number"):
            number_in(value)


def test_what_another_version_added_does_no_harm(tmp_path: Path) -> None:
    with served() as server:
        found = judge_at(server, str(tmp_path)).compare(PROMPT, PAIRS[:1])
        file = next(tmp_path.glob("??/*"))
        kept = json.loads(file.read_text())
        file.write_text(json.dumps(kept | {"answer": {**kept["answer"], "confidence": 0.9}, "version": 9}))
        assert judge_at(server, str(tmp_path)).compare(PROMPT, PAIRS[:1]) == found
        assert len(server.seen) == 1


def test_a_disk_that_takes_nothing_costs_nothing(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    kept = ResponseCache(blocked)
    assert kept.get(QUESTION, lambda: {"p_a": 0.0}, dict) == {"p_a": 0.0}
    assert kept.find(QUESTION, dict) == {"p_a": 0.0}


def test_it_stays_within_its_limit(tmp_path: Path) -> None:
    kept = ResponseCache(tmp_path)
    for number in range(20):
        kept.keep({**QUESTION, "n": number}, {"p_a": 0.0})
    held = sum(file.stat().st_size for file in tmp_path.glob("??/*"))
    ResponseCache(tmp_path, limit_bytes=held // 2)
    assert 5 <= len(list(tmp_path.glob("??/*"))) <= 10


_CLIENT = """
import sys
sys.path.insert(0, sys.argv[3])
from test_response_cache import PAIRS, PROMPT
from salon.judges.vlm.chat_judge import OpenAIJudge
judge = OpenAIJudge("eye", sys.argv[1], cache=sys.argv[2], concurrency=4, backoff_s=0.01, deadline_s=5.0)
found = judge.compare(PROMPT, PAIRS)
print(sum(verdict.p_a for verdict in found))
"""


def test_processes_share_it_and_one_that_is_killed_leaves_it_whole(tmp_path: Path) -> None:
    here = Path(__file__).parent
    with served() as server:
        server.script = [after(0.05, GOOD)]
        command = [sys.executable, "-c", _CLIENT, server.url, str(tmp_path), str(here)]
        env = {**os.environ, "PYTHONPATH": f"{here.parent}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
        first, second = (subprocess.Popen(command, env=env, stdout=subprocess.PIPE) for _ in range(2))
        while len(server.seen) < 8:
            assert first.poll() is None, "it ended before it had asked"
            time.sleep(0.01)
        first.send_signal(signal.SIGKILL)
        first.wait()
        assert float(second.communicate()[0]) == len(PAIRS)
        assert first.communicate()[0] == b""
        asked = len(server.seen)
        assert subprocess.run(command, env=env, capture_output=True, check=True).stdout.strip() == b"30.0"
        assert len(server.seen) == asked


@pytest.mark.parametrize("what", ["a link", "a file"])
def test_nothing_is_written_through_what_stands_in_the_way(tmp_path: Path, what: str) -> None:
    """The name beside an answer's can be foreseen; a folder of answers may be shared."""
    kept, victim = ResponseCache(tmp_path / "kept"), tmp_path / "victim"
    kept.keep(QUESTION, {"p_a": 0.5})
    [answer] = [file for file in (tmp_path / "kept").rglob("*") if file.is_file()]
    beside = answer.with_name(f"{answer.name}.{os.getpid()}.{threading.get_ident()}.tmp")
    victim.write_text("mine")
    if what == "a link":
        beside.symlink_to(victim)
    else:
        beside.write_text("left by a kill")
    kept.keep(QUESTION, {"p_a": 1.0})
    assert victim.read_text() == "mine"
    assert ResponseCache(tmp_path / "kept").find(QUESTION, dict) == {"p_a": 1.0}
    assert [file for file in (tmp_path / "kept").rglob("*") if not file.is_dir()] == [answer]
