"""A verdict whose words name one winner and whose odds another: the odds count, and it is told."""

import math
from pathlib import Path
from typing import Any

import pytest

from chatserver import served
from painted import paint, picture_of
from salon.judges.measuring.probe import Case, probe_judge
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.scorers.pairwise import order_rates, pair_result
from salon.types import Prompt, Verdict

ROSE = Prompt("rose", "draw a rose")
LOVE, NOPE = picture_of(paint("love", 5)), picture_of(paint("nope", 5))


def answer(winner: str, odds: dict[str, float]) -> dict[str, Any]:
    pieces = ['{"reason": "so", "winner": "', winner, '"}']
    tokens = [{"token": piece, "logprob": -0.1, "top_logprobs": []} for piece in pieces]
    tokens[1]["top_logprobs"] = [{"token": t, "logprob": math.log(p)} for t, p in odds.items()]
    message = {"role": "assistant", "content": "".join(pieces)}
    return {"choices": [{"message": message, "finish_reason": "stop", "logprobs": {"content": tokens}}]}


@pytest.mark.parametrize(
    ("winner", "odds", "winner_by_odds", "said"),
    [
        ("A", {"A": 0.3, "B": 0.7}, "b", "a"),
        ("B", {"A": 0.7, "B": 0.3}, "a", "b"),
        ("tie", {"A": 0.1, "B": 0.8, "tie": 0.1}, "b", "tie"),
        ("A", {"A": 0.7, "B": 0.3}, "a", None),
        ("B", {"A": 0.3, "B": 0.7}, "b", None),
        ("tie", {"A": 0.2, "B": 0.1, "tie": 0.7}, "a", None),
        ("A", {"A": 0.4, "B": 0.4, "tie": 0.2}, "tie", None),
    ],
)
def test_it_is_recorded_and_the_odds_count(
    winner: str, odds: dict[str, float], winner_by_odds: str, said: str | None, tmp_path: Path
) -> None:
    with served() as server:
        server.script = [answer(winner, odds)]
        for _ in range(2):  # The second time from memory.
            judge = OpenAIJudge("eye", server.url, cache=str(tmp_path), deadline_s=20.0)
            (verdict,) = judge.compare(ROSE, [(LOVE, NOPE)])
            assert isinstance(verdict, Verdict)
            assert (verdict.winner, verdict.said) == (winner_by_odds, said)
        assert len(server.seen) == 1


def test_it_is_counted_among_the_details() -> None:
    plain, odd = Verdict(0.9, "x"), Verdict(0.9, "x", said="b")
    meetings = [pair_result("r", plain, odd), pair_result("r", odd, odd), pair_result("r", plain, plain)]
    assert order_rates(meetings)["against_odds_rate"] == pytest.approx(3 / 6)
    assert order_rates(meetings[2:])["against_odds_rate"] == 0


@pytest.mark.parametrize("against", [True, False])
def test_the_probe_says_how_many(against: bool) -> None:
    paper = picture_of(paint("nope", 1))

    class Judge:
        identity = "odd"

        def compare(self, prompt: Any, pairs: Any) -> Any:
            said = ("b", "a") if against else (None, None)
            second = [a.key != LOVE.key for a, _ in pairs]
            return [Verdict(0.1 if each else 0.9, "odd", "", said[each]) for each in second]

    lines = probe_judge(Judge(), [Case(ROSE, LOVE, paper)] * 2, ["compare"], needed=False).lines
    told = "4 of 4 verdicts name another winner in words than their odds, which count"
    assert (told in lines) == against
