"""Somebody's own scorers, which return anything, raise anything, and leave."""

import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any

import numpy as np
import pytest

from salon.rewards.deadline import TermRunner
from salon.types import Failure, Group, Prompt, Sample, Score

PROMPT = Prompt("p", "a rose")
GROUP = Group(PROMPT, tuple(Sample(f"s{n}", PROMPT, "x") for n in range(2)))


class Own:
    version = "1"

    def __init__(self, returns: Callable[[], Any]) -> None:
        self.returns = returns

    def score(self, group: Group) -> Any:
        return self.returns()


def scored(returns: Callable[[], Any]) -> list[Score]:
    return TermRunner("taste", Own(returns), deadline_s=30.0).start([GROUP]).collect()[0]


def with_details(**details: Any) -> list[Score]:
    return [Score(0.5, details=details), Score(0.5)]


class Loud:
    def __repr__(self) -> str:
        raise ValueError("no words for it")


class Endless(Mapping[str, float]):
    def __getitem__(self, key: str) -> float:
        return 1.0

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        return map(str, count())


def failing(**changed: Any) -> Score:
    """A score with a failure, whose fields somebody wrote to."""
    failure = Failure("lost", "it is lost", "system", "score")
    for field, value in changed.items():
        object.__setattr__(failure, field, value)
    return Score(None, failure)


TAKEN: list[Callable[[], Any]] = [
    lambda: [0.5, 0.5],
    lambda: (0.5, 0.5),
    lambda: (each for each in (0.5, 0.5)),
    lambda: np.array([0.5, 0.5]),
    lambda: [np.float32(0.5), np.float64(0.5)],
    lambda: [np.array(0.5), np.array([[0.5]])[0, 0]],
    lambda: [Score(np.float32(0.5)), Score(0.5)],
    lambda: with_details(sigma=None, nan=float("nan")),
    lambda: with_details(sigma=np.float32(2.0)),
]


@pytest.mark.parametrize("returns", TAKEN)
def test_what_is_meant_without_a_doubt_is_taken(returns: Callable[[], Any]) -> None:
    found = scored(returns)
    assert [score.value for score in found] == [0.5, 0.5]
    assert all(type(score.value) is float for score in found)
    assert all(type(value) is float for score in found for value in score.details.values())


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: None, "Own.score returned None for 2 samples: return a list"),
    (lambda: {"s0": 0.5, "s1": 0.5}, "a dict"),
    (lambda: {0.5, 0.25}, "a set"),
    (lambda: "ab", "a str"),
    (lambda: 0.5, "returned 0.5"),
    (lambda: Score(0.5), "a Score"),
    (lambda: [0.5], "1 scores for 2 samples"),
    (lambda: [0.5] * 3, "3 scores for 2 samples"),
    (lambda: ["0.5", 0.5], "a str"),
    (lambda: [None, 0.5], "None for a sample"),
    (lambda: [float("nan"), 0.5], "nan for a sample"),
    (lambda: [float("inf"), 0.5], "inf for a sample"),
    (lambda: [10**400, 0.5], "for a sample"),
    (lambda: [np.zeros(3), 0.5], "ndarray"),
    (lambda: with_details(sigma="wide"), r"details\['sigma'\] is a str"),
    (lambda: [Score(0.5, details=[1]), Score(0.5)], "details are a list"),  # pyright: ignore[reportArgumentType]
    (lambda: [Score(None, "lost"), Score(0.5)], "no Failure"),  # pyright: ignore[reportArgumentType]
    (lambda: [object(), 0.5], "an? object"),
    (lambda: (0.5 for _ in count()), "more than 2 scores for 2 samples"),
    (lambda: (0.5 for _ in range(1)), "1 scores for 2 samples"),
    (lambda: [10**5000, 0.5], "16610 bits for a sample"),
    (lambda: [Loud(), 0.5], "a Loud"),
    (lambda: [[Loud()] * 9, 0.5], "a list"),
    (lambda: [failing(fault="nobody"), 0.5], "the fault a str .'nobody'.: write sample or system"),
    (lambda: [failing(fault=None), 0.5], "the fault None"),
    (lambda: [failing(code=7), 0.5], "a code that is 7: give it a text"),
    (lambda: [failing(message=b"x"), 0.5], "a message that is a bytes"),
    (lambda: [failing(stage=["score"]), 0.5], "a stage that is a list"),
    (lambda: [failing(code=""), 0.5], "0 and 5 letters"),
    (lambda: [failing(code="x" * 50_000_000), 0.5], "50000000 and 5 letters"),
    (lambda: [Score(0.5, details={"x" * 50_000_000: 1.0}), 0.5], "50,000,000 letters"),
    (lambda: [Score(0.5, details=dict.fromkeys(map(str, range(20_000)), 1.0)), 0.5], "more than 10,000 det"),
    (lambda: [Score(0.5, details=Endless()), 0.5], "more than 10,000 details"),
    (lambda: [Score(None, Failure("lost", "x", "system"), details={"n": "many"}), 0.5], "details are num"),  # pyright: ignore[reportArgumentType]
]


@pytest.mark.parametrize(("returns", "message"), REFUSED)
def test_what_is_no_score_is_told_with_the_scorer_and_the_remedy(
    returns: Callable[[], Any], message: str
) -> None:
    failure = scored(returns)[0].failure
    assert failure is not None
    assert failure.fault == "system"
    assert failure.code in ("malformed_score", "wrong_number_of_scores")
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(failure.message)


def test_a_long_reason_is_cut_and_says_so() -> None:
    letters = 50_000_000
    lost = Failure("lost", "x" * letters, "system", "score")
    found = scored(lambda: [Score(0.5, reason="y" * letters), Score(None, lost, "z" * letters)])
    for score in found:
        assert len(score.reason) < 21_000
        assert score.reason.endswith("(cut: it has 50,000,000 letters)")
    assert found[0].value == 0.5
    failure = found[1].failure
    assert failure is not None
    assert (failure.code, len(failure.message) < 5000) == ("lost", True)
    assert scored(lambda: [Score(0.5, reason="short"), 0.5])[0].reason == "short"


def leave() -> None:
    sys.exit(3)


def interrupt() -> None:
    raise KeyboardInterrupt


def end() -> None:
    raise GeneratorExit


@pytest.mark.parametrize("leaves", [leave, interrupt, end])
def test_a_scorer_that_leaves_is_a_failure_at_once(leaves: Callable[[], None]) -> None:
    runner = TermRunner("taste", Own(leaves), deadline_s=3600.0)
    found = runner.start([GROUP, GROUP]).collect()
    for score in (score for group in found for score in group):
        assert isinstance(score.failure, Failure)
        assert score.failure.code == "internal_error"
