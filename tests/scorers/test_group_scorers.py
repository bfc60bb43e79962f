"""Scorers that compare the samples of a group: who wins against whom, and how different they are."""

from collections.abc import Sequence
from typing import Any

import pytest

from painted import paint, picture_of
from salon.judges.fake import FakeJudge, colourfulness
from salon.scorers.diversity import Diversity
from salon.scorers.gates.length_ramp import LengthRamp
from salon.scorers.gates.uses_brush import UsesBrush
from salon.scorers.models.preference import Preference
from salon.scorers.round_robin import RoundRobin
from salon.types import Failure, Group, GroupScorer, Picture, Prompt, Sample, Scorer, Verdict

ROSE = Prompt("rose", "draw a rose")
DOWN = Failure("judge_unreachable", "no route", "system", "judge")
PICTURES = [picture_of(paint(tier, seed, 60)) for tier, seed in (("love", 1), ("okay", 2), ("nope", 3))]  # type: ignore[arg-type]


def group(*pictures: Picture | None) -> Group:
    return Group(ROSE, tuple(Sample(str(n), ROSE, "", picture=each) for n, each in enumerate(pictures)))


class Ordered:
    """The picture that comes earlier in PICTURES wins; a pair with `lost` in it stays without an answer."""

    identity = "ordered"

    def __init__(self, p: float = 0.8, lost: Picture | None = None) -> None:
        self._p, self._lost = p, lost

    def compare(self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]]) -> list[Verdict | Failure]:
        place = {picture.key: number for number, picture in enumerate(PICTURES)}
        return [
            DOWN
            if self._lost in (a, b)
            else Verdict(self._p if place[a.key] < place[b.key] else 1 - self._p, "ordered")
            for a, b in pairs
        ]


def values(scorer: Any, of: Group) -> list[float | None]:
    return [score.value for score in scorer.score(of)]


def test_every_two_meet_and_the_share_of_wins_is_the_score() -> None:
    assert values(RoundRobin(Ordered(), soft=False), group(*PICTURES)) == [1.0, 0.5, 0.0]
    assert values(RoundRobin(Ordered()), group(*PICTURES)) == pytest.approx([0.8, 0.5, 0.2])
    assert sum(v or 0 for v in values(RoundRobin(FakeJudge()), group(*PICTURES))) == pytest.approx(1.5)


def test_a_judge_that_goes_by_position_says_nothing() -> None:
    scores = RoundRobin(FakeJudge(always="b"), soft=False).score(group(*PICTURES))
    assert [score.value for score in scores] == [0.5] * 3
    assert scores[0].details == {
        "met": 2.0,
        "flip_rate": 1.0,
        "tie_rate": 1.0,
        "first_choice_rate": 0.0,
        "against_odds_rate": 0.0,
    }


def test_unresolved_meetings_are_left_out_and_one_without_any_is_missing() -> None:
    scores = RoundRobin(Ordered(lost=PICTURES[1]), soft=False).score(group(*PICTURES, None))
    assert [score.value for score in scores] == [1.0, None, 0.0, None]
    assert [score.failure.code for score in scores if score.failure] == ["judge_unreachable", "no_picture"]


def test_a_lone_picture_has_nobody_to_meet() -> None:
    for scorer in (RoundRobin(Ordered()), Diversity("colour")):
        codes = [score.failure.code for score in scorer.score(group(PICTURES[0], None)) if score.failure]
        assert codes == ["not_applicable"] * 2


@pytest.mark.parametrize("features", ["efficientnet-lite0", "handmade", "colour"])
def test_copies_are_not_diverse_and_others_are(features: Any) -> None:
    a, b, c = PICTURES
    copies = Diversity(features, threads=1).score(group(a, a, None, a))
    assert [score.value for score in copies] == [pytest.approx(0, abs=1e-6)] * 2 + [None] + [
        pytest.approx(0, abs=1e-6)
    ]
    mixed = Diversity(features, threads=1).score(group(a, a, b, c))
    assert all(0 < (score.value or 0) <= 2 for score in mixed)
    assert [score.details["nearest"] > 1e-6 for score in mixed] == [False, False, True, True]
    assert (mixed[3].value or 0) > (mixed[0].value or 0)


def test_distances_are_means_over_the_mates() -> None:
    a, b, c = PICTURES
    ab, bc, ac = (values(Diversity("handmade"), group(*pair))[0] or 0 for pair in ((a, b), (b, c), (a, c)))
    assert values(Diversity("handmade"), group(a, b, c)) == pytest.approx(
        [(ab + ac) / 2, (ab + bc) / 2, (ac + bc) / 2]
    )


def test_who_compares_mates_says_so() -> None:
    makers: list[Scorer] = [RoundRobin(Ordered()), Diversity("colour"), LengthRamp(), UsesBrush()]
    assert [isinstance(each, GroupScorer) for each in makers] == [True, True, False, False]


def test_preference_is_the_judges_own_number() -> None:
    found = values(Preference(FakeJudge()), group(PICTURES[0], None, PICTURES[2]))
    assert found == [colourfulness(PICTURES[0]), None, colourfulness(PICTURES[2])]
    failed = Preference(FakeJudge(fail_every=1)).score(group(PICTURES[0]))[0].failure
    assert failed is not None
    assert failed.code == "judge_unreachable"


def test_the_ramp_saturates_and_the_brush_is_found_in_code_alone() -> None:
    samples = tuple(Sample(str(n), ROSE, "", tokens=n) for n in (0, 750, 3000, 9000))
    assert values(LengthRamp(3000), Group(ROSE, samples)) == [0, 0.25, 1, 1]
    sources = ["brush.circle(0, 0, 9)", "// brush.circle\ncircle(0, 0, 9)", None]
    written = tuple(Sample(str(n), ROSE, "", source=source) for n, source in enumerate(sources))
    assert values(UsesBrush(), Group(ROSE, written)) == [1, 0, None]
