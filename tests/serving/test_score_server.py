"""Preference models behind HTTP: what arrives is what the model said, faults cost time and never a score."""

import base64
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chatserver import served
from painted import encoded, paint, picture_of
from salon.errors import RecipeError, StageError
from salon.judges.learned.taste import TasteJudge
from salon.judges.measuring.golden import by_formula, problems_of, read_golden, write_golden
from salon.judges.preference_model import RaterModel, Request, rate_all
from salon.judges.score_client import ServedModel, read_scores
from salon.llm.limits import BUDGET_SPENT, CANNOT_READ
from salon.registry import BUILTINS
from salon.rewards.compose import compose
from salon.rewards.deadline import score_group
from salon.rewards.engine import RewardEngine
from salon.rewards.judging import asking
from salon.rewards.recipe import load_reward
from salon.scorers.asking import NOTHING_APPLIES
from salon.scorers.base_comparison import NO_POLICY
from salon.scorers.models.served import Served
from salon.serving.score_server import MOST, ScoreServer
from salon.types import Group, Prompt, Sample, Score
from scoreserver import FAULTS, FaultyScores, Lightness, http_post

ROSE = Prompt("p", "draw a rose")
PICTURES = [picture_of(paint("love", seed, 48)) for seed in range(6)]
GROUP = Group(ROSE, tuple(Sample(f"s{n}", ROSE, "", picture=each) for n, each in enumerate(PICTURES)))
PATIENT = {"deadline_s": 20.0, "timeout_s": 0.3, "backoff_s": 0.01, "attempts": 30, "cache": False}


@pytest.fixture
def light() -> Iterator[ScoreServer]:
    with served(ScoreServer(Lightness(), "light")) as server:
        yield server


def scorer_at(server: ScoreServer, **options: Any) -> Served:
    return Served(server.address, **{**PATIENT, **options})


def expected() -> list[float]:
    found = Lightness().rate([Request(ROSE.text, each) for each in PICTURES])
    return [score.value for score in found if score.value is not None]


def test_what_the_model_said_arrives_with_its_other_numbers(light: ScoreServer) -> None:
    scorer = scorer_at(light, batch=4)
    scores = scorer.score(GROUP)
    assert [score.value for score in scores] == expected()
    assert scores[0].details == {"letters": float(len(ROSE.text))}
    assert scorer.identity == "light lightness@1"
    by_letters = scorer_at(light, sub="letters", prompt="four").score(GROUP)
    assert [score.value for score in by_letters] == [4.0] * 6
    assert "score" in by_letters[0].details


def test_a_sample_without_a_picture_is_missing(light: ScoreServer) -> None:
    bare = Group(ROSE, (GROUP.samples[0], Sample("x", ROSE, "")))
    scores = scorer_at(light).score(bare)
    assert scores[0].value == expected()[0]
    assert scores[1].failure is not None
    assert (scores[1].failure.code, scores[1].failure.fault) == ("no_picture", "system")


class Changed:
    """By how much a picture is lighter than the one before it."""

    identity = "changed@1"

    def rate(self, requests: Any) -> Any:
        light = Lightness()
        pairs = [light.rate([Request("", *each.before), Request("", each.picture)]) for each in requests]
        return [Score((after.value or 0.0) - (before.value or 0.0)) for before, after in pairs]


def test_an_edit_is_scored_with_the_picture_before(tmp_path: Path) -> None:
    (tmp_path / "before.png").write_bytes(PICTURES[0].png)
    edited = Prompt("e", "make it blue", meta={"source": str(tmp_path / "before.png")})
    with served(ScoreServer(Changed(), "changed")) as server:
        scorer = scorer_at(server, before="source")
        scores = scorer.score(Group(edited, GROUP.samples))
        lost = score_group(scorer, GROUP)[0]
    assert [score.value for score in scores] == pytest.approx([each - expected()[0] for each in expected()])
    assert lost.failure is not None
    assert (lost.failure.code, lost.failure.fault) == ("no_picture_before", "system")


def test_a_batch_that_fails_costs_only_who_made_it_fail(light: ScoreServer) -> None:
    requests = [Request(text, PICTURES[0]) for text in ("a", "boom", "c")]
    model = ServedModel(light.address, **PATIENT)
    first, lost, last = model.rate(requests)
    assert first.value == last.value == expected()[0]
    assert lost.failure is not None
    assert (lost.failure.code, lost.failure.fault) == ("scorer_error", "system")
    assert lost.failure.message.startswith("internal_error: ")
    assert "out of memory" in lost.failure.message
    assert [score.value for score in rate_all(Lightness(), requests)] == [first.value, None, first.value]


def test_scores_are_the_same_while_the_server_fails_in_every_way() -> None:
    with served(FaultyScores(Lightness())) as server:
        scorer = scorer_at(server, batch=2, concurrency=4)
        for number in range(20):
            asked = Group(Prompt("p", f"rose {number}"), GROUP.samples)
            assert [score.value for score in scorer.score(asked)] == expected()
        assert set(server.faults) == set(FAULTS)


def test_an_outage_leaves_scores_missing_and_ends_soon() -> None:
    with served(FaultyScores(Lightness(), share=0.0)) as server:
        scorer = scorer_at(server, deadline_s=0.4, cooldown_s=0.2)
        server.down = True
        with pytest.raises(RecipeError, match="salon serve-scorer"):
            _ = scorer.identity
        scores = scorer.score(GROUP)
        assert [score.value for score in scores] == [None] * 6
        assert {score.failure.fault for score in scores if score.failure} == {"system"}
        server.down = False
        threading.Event().wait(0.25)
        assert [score.value for score in scorer.score(GROUP)] == expected()


def test_what_was_answered_is_not_asked_again(light: ScoreServer, tmp_path: Path) -> None:
    for _ in range(2):
        scores = scorer_at(light, cache=str(tmp_path)).score(GROUP)
        assert [score.value for score in scores] == expected()
        assert scores[0].details == {"letters": float(len(ROSE.text))}
    assert light.page("/health")["rated"] == 6
    assert scorer_at(light, cache=str(tmp_path), revision="new").score(GROUP)[0].value == expected()[0]
    assert light.page("/health")["rated"] == 12


def test_a_server_that_comes_back_with_another_model_gives_no_scores(light: ScoreServer) -> None:
    scorer = scorer_at(light)
    assert scorer.score(GROUP)[0].value == expected()[0]
    light.model.identity = "lightness@2"  # type: ignore[misc]
    assert scorer.score(GROUP)[0].value == expected()[0]
    lost = scorer.score(Group(Prompt("q", "draw an iris"), GROUP.samples))[0]
    assert lost.failure is not None
    assert lost.failure.code == "model_changed"
    assert "lightness@2" in lost.failure.message


def test_pictures_of_many_clients_share_batches_and_do_not_cross() -> None:
    model = Lightness()
    with served(ScoreServer(model, "light", batch=16)) as server:
        clients = [ServedModel(server.address, **PATIENT, batch=1, concurrency=8) for _ in range(4)]
        requests = [Request(ROSE.text, each) for each in PICTURES]
        found: dict[int, list[float | None]] = {}

        def ask(number: int) -> None:
            found[number] = [score.value for score in clients[number].rate(requests[number:] * 2)]

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == {number: expected()[number:] * 2 for number in range(4)}
    assert sum(model.batches) == 6 + 5 + 4 + 3
    assert max(model.batches) > 1


def test_one_that_is_full_is_busy_and_asked_again() -> None:
    with served(ScoreServer(Lightness(), "light", waiting=3)) as server:
        status, told = http_post(server, body_of(PICTURES[0], count=4))
        assert (status, "busy" in told["error"]["message"]) == (503, True)
        scores = scorer_at(server, batch=2).score(GROUP)
    assert [score.value for score in scores] == expected()


def body_of(picture: Any, count: int = 1, **more: Any) -> bytes:
    turn = {"text": "a rose", "image_b64": base64.b64encode(picture.png).decode()}
    return json.dumps({"requests": [{"history": [turn], **more}] * count}).encode()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[" * 100_000,
        b"[]",
        b"{}",
        b'{"requests": []}',
        b'{"requests": [3]}',
        b'{"requests": [{"history": "x"}]}',
        b'{"requests": [{"history": []}]}',
        b'{"requests": [{"history": [{"text": 3}]}]}',
        b'{"requests": [{"history": [{"text": "x"}], "required_rewards": "light"}]}',
        json.dumps({"requests": [{"history": [{"text": "x"}]}] * (MOST + 1)}).encode(),
    ],
)
def test_garbage_is_refused_by_a_sentence(light: ScoreServer, body: bytes) -> None:
    status, told = http_post(light, body)
    assert status == 422
    assert told["error"]["message"].startswith("bad_request: ")


@pytest.mark.parametrize(
    ("image", "code"),
    [
        ("%%%", "unreadable_picture"),
        (base64.b64encode(b"\x80\x04pickle").decode(), "unreadable_picture"),
        (base64.b64encode(PICTURES[0].png[:90]).decode(), "unreadable_picture"),
        ("http://127.0.0.1:9/x.png,", "unreadable_picture"),
        (None, "no_picture"),
    ],
)
def test_a_bad_picture_is_an_error_of_its_own(light: ScoreServer, image: Any, code: str) -> None:
    good = {"text": "a", "image_b64": base64.b64encode(PICTURES[0].png).decode()}
    rows = [{"history": [{"text": "a", "image_b64": image}]}, {"history": [good]}]
    status, told = http_post(light, json.dumps({"requests": rows}).encode())
    assert status == 200
    assert told["results"] == [{}, {"light": {"letters": 1.0, "score": expected()[0]}}]
    assert told["errors"][0]["light"].startswith(f"{code}: ")
    assert told["errors"][1] == {}


def test_any_raster_format_and_a_reward_that_is_not_there(light: ScoreServer) -> None:
    webp = base64.b64encode(encoded(paint("love", 0, 48), "WEBP", lossless=True)).decode()
    rows = [{"history": [{"text": "a", "image_b64": f"data:image/webp;base64,{webp}"}]}]
    rows += [{"history": [{"text": "a", "image_b64": webp}], "required_rewards": ["dark"]}]
    _, told = http_post(light, json.dumps({"requests": rows}).encode())
    assert told["results"][0]["light"]["score"] == pytest.approx(expected()[0])
    assert (told["results"][1], told["errors"][1]["dark"][:14]) == ({}, "unknown_reward")
    lost = scorer_at(light, reward="dark").score(GROUP)[0]
    assert lost.failure is not None
    assert "it has the rewards light" in lost.failure.message


def test_a_model_that_is_not_served_is_refused(light: ScoreServer) -> None:
    rows = [{"history": [{"text": "a", "image_b64": base64.b64encode(PICTURES[0].png).decode()}]}]
    for model, wanted in (("light", 200), (light.model.identity, 200), ("dark", 404)):
        status, told = http_post(light, json.dumps({"requests": rows, "model": model}).encode())
        assert status == wanted
    assert told["error"]["code"] == "model_not_found"
    assert f"known: light, {light.model.identity}" in told["error"]["message"]


def test_another_servers_errors_and_numbers_are_read() -> None:
    said = {"results": [{"hps": {"mu": 3.0}}, {}], "errors": [{}, {"hps": "CUDA out of memory"}]}
    first, second = read_scores(said, 2, "hps")
    assert first.value == 3.0
    assert second.failure is not None
    assert (second.failure.code, second.failure.message) == ("scorer_error", "CUDA out of memory")
    two = {"results": [{"hps": {"mu": 3.0, "sigma": 0.1}}]}
    assert read_scores(two, 1, "hps", "mu")[0].details == {"sigma": 0.1}
    with pytest.raises(Exception, match="name the one that counts in `sub`"):
        read_scores(two, 1, "hps")


class Refusing(ScoreServer):
    """Says the same error of every picture."""

    def __init__(self, word: str) -> None:
        super().__init__(Lightness(), "light")
        self.word = word

    def reply(self, body: Any) -> dict[str, Any]:
        count = len(body["requests"])
        return {"results": [{}] * count, "errors": [{"light": f"{self.word}: as it says"}] * count}


@pytest.mark.parametrize("role", ["reward", "gate"])
@pytest.mark.parametrize(
    "word", ["overloaded", "not_applicable", "gated", NOTHING_APPLIES, NO_POLICY, BUDGET_SPENT, CANNOT_READ]
)
def test_a_servers_word_settles_nothing(word: str, role: str) -> None:
    """Whatever it calls its failure, the score is missing: no gate opens, and no term leaves the reward."""
    with served(Refusing(word)) as server:
        args = {"base_url": server.address, **PATIENT, "attempts": 1}
        terms = {
            "far": {"scorer": "served", "role": role, "weight": 0.5, "args": args},
            "near": {"scorer": "rendered", "weight": 0.5},
        }
        recipe = load_reward({"terms": terms})
        columns = RewardEngine(recipe, 0).score([GROUP])[0]
    for reward in compose(recipe, ["a"] * len(PICTURES), columns):
        far = next(value for value in reward.terms if value.term == "far")
        assert (reward.total, far.status) == (None, "missing")
        assert far.reason.startswith(f"scorer_error: {word}: as it says")


@pytest.mark.parametrize(
    "numbers",
    [{"score": 10**400}, {"score": None}, {"score": "1"}, {}, {f"n{n}": 1.0 for n in range(65)}, [1.0]],
)
def test_numbers_that_are_none_are_malformed(numbers: Any) -> None:
    with pytest.raises(StageError, match=r"malformed_scores|unknown_sub"):
        read_scores({"results": [{"x": numbers}]}, 1, "x")


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (Lightness(constant=0.5), "are the weights loaded"),
        (Lightness(per_batch=0.01), "in a batch"),
        (Lightness(refuse="a"), "gets no score: internal_error"),
    ],
)
def test_a_model_that_is_not_right_is_not_served(model: Lightness, told: str) -> None:
    assert told in problems_of(model, by_formula())[0]


def test_golden_scores_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "golden.jsonl"
    write_golden(file, Lightness())
    assert problems_of(Lightness(), read_golden(file)) == ()
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    (tmp_path / "own.png").write_bytes(PICTURES[0].png)
    rows[0] |= {"score": rows[0]["score"] + 0.1}
    rows[1] |= {"score": rows[1]["score"] + 0.1, "tolerance": 0.2}
    rows[2] |= {"picture": "own.png", "score": expected()[0]}
    file.write_text("\n".join(json.dumps(row) for row in rows))
    (problem,) = problems_of(Lightness(), read_golden(file))
    assert problem.startswith("golden picture 0 scores 1.0000, not 1.1000")
    file.write_text('{"prompt": "x", "picture": "formula:9", "score": 1}')
    with pytest.raises(RecipeError, match="formula:9"):
        read_golden(file)


def test_only_what_rates_pictures_can_be_served() -> None:
    with pytest.raises(RecipeError, match="does not rate single pictures"):
        asking.open_model("rendered")
    assert "served" in BUILTINS["scorer"]


def test_a_real_process_serves_the_learned_judge_to_a_reward(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SALON_TEST_KEY", "word")
    golden = str(tmp_path / "golden.jsonl")
    command = [sys.executable, "-m", "salon.cli", "serve-scorer", "taste"]
    wrote = subprocess.run([*command, "--write-golden", golden], capture_output=True, text=True, timeout=120)
    assert wrote.returncode == 0, wrote.stderr
    running = [*command, "--port", "0", "--api-key", "word", "--golden", golden]
    process = subprocess.Popen(running, stdout=subprocess.PIPE, text=True, env={**os.environ})
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        url = line.split()[-1]
        recipe = {
            "terms": {
                "a": {
                    "scorer": "served",
                    "weight": 1.0,
                    "args": {"base_url": url, "api_key": "${SALON_TEST_KEY}"},
                }
            }
        }
        engine = RewardEngine(load_reward(recipe), seed=3)
        scores = engine.score([GROUP])[0]["a"]
        taste = TasteJudge.load("taste")
        assert [score.value for score in scores] == pytest.approx(taste.score(PICTURES), abs=1e-6)
        assert engine.identities()["model a"] == f"taste {taste.identity}"
        assert engine.bill()["a"].calls == 3
        refused = Served(url, api_key="other", cache=False).score(GROUP)[0]
        assert refused.failure is not None
        assert (refused.failure.code, "401" in refused.failure.message) == ("judge_refused", True)
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 130
        assert process.stdout is not None
        process.stdout.close()


def test_a_process_refuses_a_model_whose_scores_are_others(tmp_path: Path) -> None:
    golden = tmp_path / "golden.jsonl"
    golden.write_text('{"prompt": "a rose", "picture": "formula:0", "score": 99}\n')
    with pytest.raises(RecipeError, match=r"golden picture 0 scores -?\d+\.\d+, not 99\.0000"):
        asking.open_model("taste", golden=str(golden))
    assert isinstance(asking.open_model("taste"), RaterModel)
