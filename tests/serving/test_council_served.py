"""A council of two judges that really see pictures, each a `salon serve-judge` process of its own."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from salon.judges.council import Council
from salon.judges.learned.taste import TasteJudge
from salon.pool import Pool
from salon.scorers.pairwise import Pairwise
from salon.types import Failure, Group, Picture, Prompt, Sample, Verdict

PROMPT = Prompt("rose", "draw a rose", "rose")
NAMES = ("taste", "heldout")


@contextmanager
def serving(name: str, port: int = 0) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A `salon serve-judge` process and its address."""
    command = [sys.executable, "-m", "salon.cli", "serve-judge", "taste", "--port", str(port)]
    command += ["--set", f"name_or_path={name}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **ONE_THREAD})
    try:
        assert process.stdout
        told = process.stdout.readline()
        assert " at http://127.0.0.1:" in told
        yield process, told.rsplit(" at ", 1)[1].strip()
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


ONE_THREAD = {"OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}


def council_at(urls: Sequence[str], cache: Path, **options: Any) -> Council:
    """Pictures travel as large as they are, so that the served judges see what the local ones see."""
    patience = {"deadline_s": 30.0, "timeout_s": 10.0, "backoff_s": 0.02, "cooldown_s": 1.0, "concurrency": 2}
    given = {"kind": "openai", "side": 4096, "cache": str(cache), **patience, **options.pop("patience", {})}
    members = [given | {"model": name, "base_url": url} for name, url in zip(NAMES, urls, strict=True)]
    return Council(members, **options)


def calls(council: Council) -> list[int]:
    """What each member has asked its server."""
    return [int(member.server.spent.calls) for member in council.members]  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def pairs() -> list[tuple[Picture, Picture]]:
    items = [item.reference.picture for item in Pool.load("flowers").items]
    return list(islice(zip(items, reversed(items), strict=True), 16))


@pytest.fixture(scope="module")
def right(pairs: list[tuple[Picture, Picture]]) -> list[float]:
    """What the same council says without any wire."""
    found = Council([TasteJudge.load(name) for name in NAMES]).compare(PROMPT, pairs)
    return [verdict.p_a for verdict in found if isinstance(verdict, Verdict)]


def agrees(found: Sequence[Verdict | Failure], right: Sequence[float]) -> list[bool]:
    """For each pair whether it was answered; what was answered is right, what was not is nobody's loss."""
    for each, wanted in zip(found, right, strict=True):
        if isinstance(each, Failure):
            assert each.fault == "system"
            assert each.code in ("judge_unreachable", "judge_down")
        else:
            assert each.p_a == pytest.approx(wanted, abs=1e-6)
    return [isinstance(each, Verdict) for each in found]


def test_a_council_over_the_wire_loses_a_member_and_gets_it_back(
    tmp_path: Path, pairs: list[tuple[Picture, Picture]], right: list[float]
) -> None:
    """The same verdicts as without a wire, or none; what was answered is kept, what was not is asked anew."""
    few = slice(0, 4)
    with serving("taste") as (_, first_url), serving("heldout") as (second, second_url):
        urls = (first_url, second_url)
        council = council_at(urls, tmp_path / "kept")
        assert all(agrees(council.compare(PROMPT, pairs[few]), right[few]))
        assert calls(council) == [4, 4]
        again = council_at(urls, tmp_path / "kept")
        assert all(agrees(again.compare(PROMPT, pairs[few]), right[few]))
        assert calls(again) == [0, 0]
        assert again.agreement() == council.agreement()
        assert council.agreement().count == 4

        council = council_at(urls, tmp_path / "kept", patience={"deadline_s": 3.0, "cooldown_s": 60.0})
        killer = threading.Thread(target=killed_after, args=(council, 3, second))
        killer.start()
        found = council.compare(PROMPT, pairs)
        killer.join()
        answered = agrees(found, right)
        assert answered[:4] == [True] * 4
        assert 7 <= sum(answered) < len(pairs)
        assert council.agreement().count == sum(answered)
        quorum = council_at(urls, tmp_path / "kept", quorum=1, patience={"deadline_s": 1.0})
        taste = TasteJudge.load("taste").compare(PROMPT, pairs)
        for here, alone, both in zip(quorum.compare(PROMPT, pairs), taste, answered, strict=True):
            assert isinstance(here, Verdict)
            assert isinstance(alone, Verdict)
            assert both or here.p_a == pytest.approx(alone.p_a, abs=1e-6)
        assert_missing_in_a_reward(council, pairs)

        port = int(second_url.split(":")[2].split("/")[0])
        with serving("heldout", port):
            council = council_at(urls, tmp_path / "kept")
            assert all(agrees(council.compare(PROMPT, pairs), right))
            first, second_calls = calls(council)
            assert first == 0
            assert second_calls == len(pairs) - sum(answered)


def killed_after(council: Council, answers: int, process: "subprocess.Popen[str]") -> None:
    """Kill -9 once the second member has answered so many questions."""
    end = time.monotonic() + 60
    while calls(council)[1] < answers and time.monotonic() < end:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)


def assert_missing_in_a_reward(council: Council, pairs: Sequence[tuple[Picture, Picture]]) -> None:
    """A scorer that asks the broken council has no score for any sample: neither 0 nor a tie."""
    samples = tuple(Sample(f"s{n}", PROMPT, "", picture=pair[0]) for n, pair in enumerate(pairs[-3:]))
    scores = Pairwise(council, pool="flowers", references=2).score(Group(PROMPT, samples))
    assert [score.value for score in scores] == [None] * 3
    for score in scores:
        assert score.failure is not None
        assert score.failure.fault == "system"
