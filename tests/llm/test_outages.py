"""A reward scored while its judge fails in every way: no score differs, none is 0, all are accounted for."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from chatserver import served
from faultserver import BATCH_FAULTS, FAULTS, FaultyServer
from painted import picture_of
from salon.judges.fake import FakeJudge
from salon.rewards.engine import RewardEngine
from salon.rewards.recipe import load_reward
from salon.serving.judge_server import JudgeServer, read_request
from salon.types import Answer, Group, Prompt, Sample, Score

ROSE = Prompt("rose", "draw a rose", "rose")


QUESTIONS = [f"Is thing {number} there?" for number in range(10)]
"""Asked eight at once, and then two."""

PARTS = {"taste": "partial", "asked": "unanswered", "batched": "unanswered"}
"""The terms that can be scored in part, and the detail that says so."""


class Pool:
    """Four references made on the spot."""

    def __init__(self) -> None:
        from salon.types import Reference

        self.references = [Reference(f"r{n}", speck(10_000 + n), "love") for n in range(4)]

    def draw(self, k: int, seed: int, tiers: Any = (), subject: Any = None, mix: Any = "") -> Any:
        return self.references[:k]


def speck(number: int) -> Any:
    """A small picture that differs for every number, some more colourful than others."""
    rng = np.random.default_rng(number)
    level = rng.integers(0, 256, 3) * rng.uniform(0.2, 1.0)
    pixels = np.clip(rng.normal(level, 20, (24, 24, 3)), 0, 255).astype(np.uint8)
    return picture_of(Image.fromarray(pixels))


def groups(count: int, size: int = 8) -> list[Group]:
    return [
        Group(
            Prompt(f"rose-{at}", f"draw rose {at}", "rose"),
            tuple(Sample(f"s{at + n}", ROSE, "x", "x", speck(at + n)) for n in range(min(size, count - at))),
        )
        for at in range(0, count, size)
    ]


def engine_at(url: str, cache: str, **options: Any) -> RewardEngine:
    judge = {"kind": "openai", "model": "eye", "base_url": url, "cache": cache, "concurrency": 16}
    patience = {"deadline_s": 60.0, "timeout_s": 0.4, "backoff_s": 0.02, "attempts": 12}
    pairwise = {"scorer": "pairwise", "judge": "eye", "weight": 1.0, "concurrency": 8}
    recipe = {
        "terms": {
            "taste": {**pairwise, "args": {"pool": Pool(), "references": 2}},
            "asked": {
                "scorer": "checklist",
                "judge": "eye",
                "weight": 1.0,
                "concurrency": 8,
                "args": {"questions": ["Is it red?", "Is it soft?"]},
            },
            "batched": {
                "scorer": "checklist",
                "judge": "eyes",
                "weight": 1.0,
                "concurrency": 8,
                "args": {"questions": list(QUESTIONS)},
            },
            "critique": {"scorer": "critique", "judge": "eye", "weight": 1.0, "concurrency": 8},
        },
        "judges": {"eye": judge | patience | options, "eyes": judge | patience | {"batch": 8} | options},
    }
    return RewardEngine(load_reward(recipe), seed=3)


def scored(engine: RewardEngine, work: list[Group]) -> dict[tuple[str, str], Score]:
    return {
        (name, sample.id): score
        for group, terms in zip(work, engine.score(work), strict=True)
        for name, values in terms.items()
        for sample, score in zip(group.samples, values, strict=True)
    }


Key = tuple[str, str]


def compared(faulty: dict[Key, Score], free: dict[Key, Score]) -> tuple[set[Key], set[Key]]:
    """The names of the scores that are missing, and of those that are there in part; the others are those of
    the run without faults.
    """
    assert set(faulty) == set(free)
    missing: set[Key] = set()
    partial: set[Key] = set()
    for key, score in faulty.items():
        if score.value is None:
            assert score.failure is not None
            assert (score.failure.fault, bool(score.failure.code)) == ("system", True)
            missing.add(key)
        elif score.details.get(PARTS.get(key[0], "")):
            partial.add(key)
            assert_part_of(score, free[key], key)
        else:
            assert score.value == free[key].value, key
    return missing, partial


def assert_part_of(score: Score, free: Score, key: Key) -> None:
    """What was answered counts as it would have; what was not counts neither way."""
    if key[0] == "taste":
        return
    asked, lost = score.details["asked"], score.details["unanswered"]
    assert (asked, free.details["unanswered"]) == (free.details["asked"], 0.0)
    assert 0 < lost < asked
    assert score.value == pytest.approx(score.details["satisfied"] / (asked - lost)), key
    assert 0 <= free.details["satisfied"] - score.details["satisfied"] <= lost, key


def check(count: int, tmp_path: Path, down_for: float, kill_after: int) -> None:
    work = groups(count)
    with served(JudgeServer(FakeJudge())) as server:
        free = scored(engine_at(server.url, str(tmp_path / "free")), work)
    assert all(score.value is not None for score in free.values())
    cache = str(tmp_path / "faulty")
    faulty_server = FaultyServer(FakeJudge(), down_from=kill_after * 2, down_for=down_for)
    with served(faulty_server) as server:
        command = [sys.executable, __file__, server.url, cache, str(count)]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])}
        client = subprocess.Popen(command, env=env, stdout=subprocess.PIPE)
        while server.count < kill_after and client.poll() is None:
            time.sleep(0.01)
        client.send_signal(signal.SIGKILL)
        assert client.communicate()[0] == b""
        kept = sum(1 for _ in Path(cache).glob("??/*"))
        assert kept > 0
        engine = engine_at(server.url, cache)
        found = scored(engine, work)
        assert server.faults["down"] > 0
        assert {*FAULTS, *BATCH_FAULTS} <= set(server.faults)
    missing, partial = compared(found, free)
    bill = engine.bill()
    lost = missing | partial
    assert len(lost) <= 0.01 * len(found), sorted(lost)
    assert sum(usage.failed for usage in bill.values()) >= len(missing)
    assert sum(usage.cached for usage in bill.values()) >= 0.5 * kept
    assert_only_these_are_asked_anew(lost, work, free, cache, faulty_server.server_address[1])


def assert_only_these_are_asked_anew(
    lost: set[Key], work: list[Group], free: dict[Key, Score], cache: str, port: int
) -> None:
    """The rows by name: without faults, over what was kept, the terms that lost something ask again for it,
    the others ask nobody, and every score is that of the run without faults.
    """
    with served(JudgeServer(FakeJudge(), port=port)) as server:
        engine = engine_at(server.url, cache)
        assert compared(scored(engine, work), free) == (set(), set())
        asked = {term for term, usage in engine.bill().items() if usage.calls}
    assert asked == {term for term, _ in lost}


def test_scores_are_the_same_while_the_judge_fails_in_every_way(tmp_path: Path) -> None:
    check(32, tmp_path, down_for=1.0, kill_after=60)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_thousand_samples_with_half_a_minute_of_darkness(tmp_path: Path) -> None:
    check(1000, tmp_path, down_for=30.0, kill_after=2000)


def test_what_an_outage_takes_is_missing_and_counted(tmp_path: Path) -> None:
    work = groups(16)
    with served(JudgeServer(FakeJudge())) as server:
        free = scored(engine_at(server.url, str(tmp_path / "free")), work)
    with served(FaultyServer(FakeJudge(), share=0.0, down_from=20, down_for=3600.0)) as server:
        engine = engine_at(server.url, str(tmp_path / "dark"), deadline_s=0.8, timeout_s=0.4)
        found = scored(engine, work)
    missing, partial = compared(found, free)
    assert 0 < len(missing) < len(found)
    assert {term for term, _ in partial} <= set(PARTS)
    lost = [failure for key in missing if (failure := found[key].failure)]
    waited = [failure for failure in lost if failure.code != "judge_down"]
    assert len(waited) <= 2 * 16, "only who was asked when it went dark waits for a deadline"
    codes = {score.failure.code for score in found.values() if score.failure}
    # Who had most of its answers before it went dark has too few of them.
    assert codes <= {"judge_down", "judge_unreachable", "judge_timeout", "low_coverage"}
    assert sum(usage.failed for usage in engine.bill().values()) >= len(missing) + len(partial)


class Forgetful(JudgeServer):
    """Never answers one question about some pictures, and all others always."""

    def __init__(self, question: str, pictures: set[str]) -> None:
        super().__init__(FakeJudge())
        self.question, self.pictures = question, pictures

    def reply(self, body: Any) -> Any:
        said = super().reply(body)
        asked = read_request(body)
        if asked.task != "answers" or asked.pictures[0].key not in self.pictures:
            return said
        message = said["choices"][0]["message"]
        rows = json.loads(message["content"])["answers"]
        lines = asked.task_text.split("\n")
        lost = [line.split(".")[0] for line in lines if self.question in line]
        message["content"] = json.dumps({"answers": [row for row in rows if str(row["id"]) not in lost]})
        return said


def test_a_question_that_a_batch_always_omits_leaves_exactly_its_rows_in_part(tmp_path: Path) -> None:
    """Rows by name: two samples lack one answer of ten, and count the other nine."""
    work = groups(6)
    with served(JudgeServer(FakeJudge())) as server:
        free = scored(engine_at(server.url, str(tmp_path / "free")), work)
    forgotten = {speck(number).key for number in (1, 4)}
    with served(Forgetful(QUESTIONS[3], forgotten)) as server:
        found = scored(engine_at(server.url, str(tmp_path / "kept"), attempts=3), work)
    missing, partial = compared(found, free)
    assert (missing, partial) == (set(), {("batched", "s1"), ("batched", "s4")})
    for key in partial:
        assert (found[key].details["asked"], found[key].details["unanswered"]) == (10.0, 1.0)
        answered = free[key].details["satisfied"] - found[key].details["satisfied"]
        wanted = FakeJudge().answer(ROSE, speck(int(key[1][1:])), [QUESTIONS[3]])[0]
        assert isinstance(wanted, Answer)
        assert answered == float(bool(wanted.yes))


if __name__ == "__main__":
    url, cache, count = sys.argv[1:]
    values = scored(engine_at(url, cache), groups(int(count)))
    print(json.dumps({" ".join(key): score.value for key, score in values.items()}))
