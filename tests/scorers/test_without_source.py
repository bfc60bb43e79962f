"""One rule for every scorer: whoever answers without a source, or with one that fails, is never better off
than whoever answers with a bad one; and what the system failed costs nobody a reward.
"""

from typing import Any

import pytest

from painted import paint, picture_of
from salon.rewards.compose import compose
from salon.rewards.engine import RewardEngine
from salon.rewards.recipe import load_reward
from salon.scorers.gates.uses_brush import UsesBrush
from salon.types import Failure, Group, Prompt, Reward, Sample

ROSE = Prompt("rose", "draw a red rose", meta={"colour": "red"})
GOOD = "function setup() { createCanvas(60, 60, WEBGL); brush.fill('red'); brush.circle(0, 0, 9); }"
NO_SOURCE = Failure("no_sketch_in_response", "the reply holds no code", "sample", "extract")
BROKEN = Failure("syntax_error", "this is not JavaScript", "sample", "check")
THREW = Failure("threw", "Error: x", "sample", "render")
LOST = Failure("browser_lost", "gone", "system", "render")
PICTURES = [picture_of(paint("love", seed, 60)) for seed in (1, 2, 3)]
SAMPLES = {
    "good": Sample("good", ROSE, GOOD, GOOD, PICTURES[0], tokens=50),
    "good too": Sample("good too", ROSE, GOOD, GOOD, PICTURES[1], tokens=50),
    "no source": Sample("no source", ROSE, "I cannot", failure=NO_SOURCE, tokens=50),
    "failed check": Sample("failed check", ROSE, "function (", "function (", failure=BROKEN, tokens=50),
    "failed rendering": Sample("failed rendering", ROSE, GOOD, GOOD, failure=THREW, tokens=50),
    "partial picture": Sample("partial picture", ROSE, GOOD, GOOD, PICTURES[2], THREW, tokens=50),
    "lost": Sample("lost", ROSE, GOOD, GOOD, failure=LOST, tokens=50),
}
OWN = ("no source", "failed check", "failed rendering", "partial picture")
JUDGED = {"judge": "eye"}
TERMS: dict[str, dict[str, Any]] = {
    "rendered": {},
    "sketch_gate": {"args": {"methods": "any"}},
    "uses_brush": {},
    "length": {"args": {"max_tokens": 100}},
    "length_ramp": {},
    "palette": {},
    "near_duplicates": {},
    "pixel_detector": {},
    "round_robin": JUDGED,
    "preference": JUDGED,
    "checklist": {**JUDGED, "args": {"questions": ["Is there a rose?"]}},
    "constraints": {**JUDGED, "args": {"questions": ["Is there a rose?"]}},
    "hack_detector": {**JUDGED, "args": {"questions": ["Is there text?"]}},
    "critique": JUDGED,
}


def rewards(scorer: str, role: str) -> dict[str, Reward]:
    term = {"scorer": scorer, "role": role, "weight": 0.5, "on_missing": "drop_sample", **TERMS[scorer]}
    terms = {"first": term, "rest": {"scorer": "length", "weight": 0.5, "args": {"max_tokens": 100}}}
    recipe = load_reward({"terms": terms, "judges": {"eye": {"kind": "fake"}}})
    (scores,) = RewardEngine(recipe).score([Group(ROSE, tuple(SAMPLES.values()))])
    return dict(zip(SAMPLES, compose(recipe, ["rose"] * len(SAMPLES), scores), strict=True))


@pytest.mark.parametrize("role", ["gate", "reward"])
@pytest.mark.parametrize("scorer", TERMS)
def test_what_failed_by_itself_gets_the_floor_and_what_the_system_lost_gets_nothing(
    scorer: str, role: str
) -> None:
    found = rewards(scorer, role)
    assert {name: found[name].total for name in OWN} == dict.fromkeys(OWN, 0.0)
    assert found["lost"].total is None


def test_uses_brush_gives_a_reply_without_a_source_its_low_score() -> None:
    scores = dict(zip(SAMPLES, UsesBrush().score(Group(ROSE, tuple(SAMPLES.values()))), strict=True))
    assert (scores["no source"].value, scores["good"].value) == (0.0, 1.0)
    assert "no_sketch_in_response" in scores["no source"].reason
    lost = UsesBrush().score(Group(ROSE, (Sample("a", ROSE, "", failure=LOST), Sample("b", ROSE, ""))))
    assert [score.failure.fault for score in lost if score.failure] == ["system", "system"]
    assert UsesBrush().score(Group(ROSE, (Sample("a", ROSE, "", picture=PICTURES[0]),)))[0].value == 0.0
    assert UsesBrush.version == "3"


SEEING = ["palette", "near_duplicates", "pixel_detector", "preference", "round_robin"]


@pytest.mark.parametrize("scorer", SEEING)
def test_a_scorer_says_whose_fault_it_is_that_there_is_no_picture(scorer: str) -> None:
    term = {"scorer": scorer, "weight": 1.0, **TERMS[scorer]}
    recipe = load_reward({"terms": {"t": term}, "judges": {"eye": {"kind": "fake"}}})
    scores = RewardEngine(recipe).scorers["t"].score(Group(ROSE, tuple(SAMPLES.values())))
    found = {name: score.failure for name, score in zip(SAMPLES, scores, strict=True)}
    assert [found[name] for name in ("no source", "failed rendering", "lost")] == [NO_SOURCE, THREW, LOST]
