"""Position bias over the wire: always-A yields only ties, and a biased judge's gap is measured as it is."""

import hashlib
from typing import Any

import numpy as np
import pytest
from PIL import Image

from chatserver import served
from painted import picture_of
from salon.intervals import wilson
from salon.judges.fake import FakeJudge
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.rewards.metrics import reward_metrics
from salon.rewards.recipe import load_reward
from salon.scorers.pairwise import Pairwise
from salon.scorers.round_robin import RoundRobin
from salon.serving.judge_server import JudgeServer
from salon.types import Group, Prompt, Reference, Reward, Sample, TermValue, Verdict

ROSE = Prompt("rose", "draw a rose", "rose")


def speck(number: int) -> Any:
    pixels = np.random.default_rng(number).integers(0, 255, (8, 8, 3)).astype(np.uint8)
    return picture_of(Image.fromarray(pixels))


class Pool:
    """References made on the spot."""

    def draw(self, k: int, seed: int, tiers: Any = (), subject: Any = None, mix: Any = "") -> Any:
        return [Reference(f"r{n}", speck(9000 + n), "love") for n in range(k)]


class Biased(FakeJudge):
    """Names the picture shown first with a probability of its own, whatever it shows."""

    def __init__(self, first: float) -> None:
        super().__init__(sharpness=first)
        self.first = first

    def compare(self, prompt: Any, pairs: Any) -> Any:
        return [Verdict(float(self._draw(a.key + b.key) < self.first), "biased") for a, b in pairs]

    def _draw(self, text: str) -> float:
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big") / 2**48


GROUP = Group(ROSE, tuple(Sample(f"s{n}", ROSE, "", picture=speck(n)) for n in range(50)))
FEW = Group(ROSE, GROUP.samples[:8])


def over_the_wire(judge: FakeJudge, scorer: Any, group: Group = GROUP, **args: Any) -> Any:
    with served(JudgeServer(judge)) as server:
        asked = OpenAIJudge("eye", server.url, cache=False, concurrency=16)
        return scorer(asked, **args).score(group)


@pytest.mark.parametrize("always", ["a", "b"])
@pytest.mark.parametrize("soft", [True, False])
def test_a_judge_that_goes_by_position_yields_only_ties(always: Any, soft: bool) -> None:
    scores = over_the_wire(FakeJudge(always=always), Pairwise, pool=Pool(), references=2, soft=soft)
    assert {score.value for score in scores} == {0.5}
    assert {score.details["flip_rate"] for score in scores} == {1.0}
    assert {score.details["tie_rate"] for score in scores} == {1.0}
    assert {score.details["first_choice_rate"] for score in scores} == {1.0 if always == "a" else 0.0}


@pytest.mark.parametrize("first", [0.5, 0.7, 0.9])
def test_a_biased_judge_has_the_gap_that_it_has(first: float) -> None:
    scores = over_the_wire(Biased(first), Pairwise, pool=Pool(), references=4)
    rate = sum(score.details["first_choice_rate"] for score in scores) / len(scores)
    asked = 2 * 4 * len(scores)
    interval = wilson(rate * asked, asked)
    gap = 2 * rate - 1
    assert interval is not None
    assert 2 * interval[0] - 1 <= 2 * first - 1 <= 2 * interval[1] - 1
    assert gap == pytest.approx(2 * first - 1, abs=0.1)
    # Two independent draws name different pictures when both say first or both say second.
    flips = sum(score.details["flip_rate"] for score in scores) / len(scores)
    assert flips == pytest.approx(first**2 + (1 - first) ** 2, abs=0.1)


def test_the_rates_are_metrics_of_a_run() -> None:
    scores = over_the_wire(FakeJudge(always="a"), RoundRobin, FEW)
    recipe = load_reward(
        {
            "terms": {"result": {"scorer": "round_robin", "judge": "x", "weight": 1}},
            "judges": {"x": {"kind": "fake"}},
        }
    )
    value = TermValue("result", 0.5, 0.5, 0.5, "ok")
    found = reward_metrics(recipe, ["g"] * 8, [Reward(0.5, (value,))] * 8, {"result": scores})
    rates = [found[f"terms/result/details/{rate}"] for rate in ("flip_rate", "tie_rate", "first_choice_rate")]
    assert rates == [1.0, 1.0, 1.0]
