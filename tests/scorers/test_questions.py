"""Questions about a picture: how they are written, when they are asked, and how their answers count."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from painted import paint, picture_of
from salon.errors import RecipeError
from salon.judges.fake import FakeJudge
from salon.rewards.compose import compose
from salon.rewards.engine import RewardEngine
from salon.rewards.recipe import load_reward
from salon.scorers.checklist import Checklist
from salon.scorers.constraints import Constraints
from salon.scorers.critique import CritiqueScore
from salon.scorers.hack_detector import HackDetector
from salon.scorers.round_robin import RoundRobin
from salon.types import Answer, Critique, Failure, Group, Picture, Prompt, Sample, Score

ROSE = Prompt("rose", "draw a peach rose", "rose", meta={"colour": "peach"})
DOWN = Failure("judge_unreachable", "no route", "sample", "judge")
PICTURE = picture_of(paint("love", 1, 40))


class Examinee:
    """Answers as it was told, question by question, and keeps what it was asked, call by call."""

    identity = "examinee"

    def __init__(self, answers: Mapping[str, bool | Failure | None]) -> None:
        self._answers = answers
        self.calls: list[list[str]] = []

    def answer(self, prompt: Prompt, picture: Picture, questions: Sequence[str]) -> list[Answer | Failure]:
        self.calls.append(list(questions))
        found = [self._answers[question] for question in questions]
        return [each if isinstance(each, Failure) else Answer(each) for each in found]


def one(scorer: Any, prompt: Prompt = ROSE) -> Score:
    return scorer.score(Group(prompt, (Sample("a", prompt, "", picture=PICTURE),)))[0]


def test_the_share_of_yes_and_a_question_that_does_not_apply_is_not_satisfied() -> None:
    judge = Examinee({"q1": True, "q2": False, "q3": None, "q4": True})
    score = one(Checklist(judge, ["q1", "q2", "q3", "q4"]))
    assert score.value == 0.5
    assert score.reason == "2 of 4 satisfied; not: q2; q3"
    assert judge.calls == [["q1", "q2", "q3", "q4"]]


TREE = [
    {"id": "flower", "ask": "Is there a {subject}?"},
    {"id": "leaf", "ask": "Is there a leaf?", "needs": ["flower"]},
    {"ask": "Is it {colour}?", "needs": ["flower"]},
    {"ask": "Is the leaf green?", "needs": ["leaf"]},
]


def test_what_needs_a_failed_question_fails_without_being_asked() -> None:
    judge = Examinee({"Is there a rose?": False})
    assert one(Checklist(judge, TREE)).value == 0.0
    assert judge.calls == [["Is there a rose?"]]
    deep = Examinee({"Is there a rose?": True, "Is there a leaf?": False, "Is it peach?": True})
    assert one(Checklist(deep, TREE)).value == 0.5
    assert deep.calls == [["Is there a rose?"], ["Is there a leaf?", "Is it peach?"]]


def test_what_needs_an_unanswered_question_is_unanswered_and_does_not_count() -> None:
    judge = Examinee({"Is there a rose?": True, "Is there a leaf?": DOWN, "Is it peach?": False})
    score = one(Checklist(judge, TREE))
    assert score.value == 0.5
    assert score.details == {"asked": 4, "satisfied": 1, "unanswered": 2, "coverage": 0.5}
    lost = one(Checklist(Examinee({"Is there a rose?": DOWN}), TREE))
    assert lost.failure is not None
    assert (lost.failure.code, lost.failure.fault) == ("judge_unreachable", "system")


def test_words_a_prompt_does_not_have_are_not_asked_for() -> None:
    judge = Examinee({"Is there a leaf?": True})
    plain = Prompt("x", "draw")
    questions = [*TREE, "Is there a leaf?", "In the style of {style}?"]
    assert one(Checklist(judge, questions), plain).value == 1.0
    assert judge.calls == [["Is there a leaf?"]]


def test_a_prompt_brings_questions_of_its_own_or_none_apply() -> None:
    asks = Prompt("x", "draw", meta={"checklist": "Is it red?\n\n  Is it round? "})
    judge = Examinee({"Is it red?": True, "Is it round?": False})
    assert one(Checklist(judge), asks).value == 0.5
    none = one(Checklist(judge), ROSE)
    assert none.failure is not None
    assert none.failure.code == "not_applicable"


def test_constraints_are_complied_with_by_a_no() -> None:
    judge = Examinee({"Any text?": False, "Any frame?": True, "Any sky?": None, "Is it flat?": True})
    questions = ["Any text?", "Any frame?", "Any sky?", {"ask": "Is it flat?", "wanted": "yes"}]
    assert one(Constraints(judge, questions)).value == pytest.approx(2 / 3)
    idle = one(Constraints(Examinee({"Any sky?": None}), ["Any sky?"]))
    assert idle.failure is not None
    assert (idle.failure.code, idle.failure.fault) == ("nothing_applies", "system")
    own = Prompt("x", "draw", meta={"constraints": "Any text?"})
    assert one(Constraints(judge), own).value == 1.0


@pytest.mark.parametrize("kind", [Checklist, Constraints])
@pytest.mark.parametrize("least", [0.0, 0.5])
def test_a_picture_to_which_nothing_applies_is_missing_and_neither_the_best_nor_the_worst(
    kind: Any, least: float
) -> None:
    tree = [{"id": "pot", "ask": "pot?"}, {"ask": "green?", "needs": ["pot"]}, "sky?"]
    judge = Examinee({"pot?": None, "sky?": None})
    idle = one(kind(judge, tree, inapplicable="skipped", min_coverage=least))
    assert idle.value is None
    recipe = load_reward({"reward": {"terms": {"asks": {"scorer": "palette", "weight": 1}}}})
    rewards = compose(recipe, ["g"] * 3, {"asks": [Score(0.2), idle, Score(0.8)]})
    assert [each.total for each in rewards] == [0.2, None, 0.8]


@pytest.mark.parametrize(
    ("answers", "value"),
    [
        ({"a": False, "b": False}, 0.0),
        ({"a": False, "b": True}, 1.0),
        ({"a": DOWN, "b": True}, 1.0),
        ({"a": None, "b": False}, 0.0),
        ({"a": DOWN, "b": False}, None),
    ],
)
def test_a_detector_says_one_for_a_violation_and_nothing_when_it_cannot_know(
    answers: dict[str, Any], value: float | None
) -> None:
    assert one(HackDetector(Examinee(answers), ["a", "b"])).value == value


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        ([{"aks": "x"}], r"checklist: questions\.0\.aks: unknown key\. Did you mean 'ask'"),
        ([""], r"questions\.0\.ask"),
        ([{"ask": "x", "needs": ["y"]}], "no question above has the id 'y'"),
        ([{"ask": "x", "id": "flower"}, {"ask": "y", "needs": ["flwer"]}], "Did you mean 'flower'"),
        ([{"ask": "x", "needs": ["b"]}, {"ask": "y", "id": "b"}], "no question above"),
        ([{"ask": "x", "id": "a"}, {"ask": "y", "id": "a"}], "'a' stands twice"),
        ([{"ask": "x", "wanted": "maybe"}], "wanted"),
    ],
)
def test_a_malformed_question_is_named(questions: list[Any], message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        Checklist(Examinee({}), questions)


def test_a_detector_without_questions_is_refused() -> None:
    with pytest.raises(RecipeError, match="at least one failure"):
        HackDetector(Examinee({}), [])


def test_one_sample_without_a_picture_or_with_an_error_costs_no_other() -> None:
    class Moody(Examinee):
        def answer(
            self, prompt: Prompt, picture: Picture, questions: Sequence[str]
        ) -> list[Answer | Failure]:
            if picture.key != PICTURE.key:
                raise ConnectionError("gone")
            return super().answer(prompt, picture, questions)

    other = picture_of(paint("nope", 1, 40))
    samples = tuple(Sample(str(n), ROSE, "", picture=each) for n, each in enumerate([PICTURE, None, other]))
    scores = Checklist(Moody({"q": True}), ["q"]).score(Group(ROSE, samples))
    assert [score.value for score in scores] == [1.0, None, None]
    assert [score.failure.code for score in scores if score.failure] == ["no_picture", "internal_error"]


class Writer:
    identity = "writer"

    def __init__(self, found: Critique | Failure) -> None:
        self._found = found

    def critique(self, prompt: Prompt, picture: Picture) -> Critique | Failure:
        return self._found


def test_a_critique_is_the_mean_of_the_aspects_that_apply() -> None:
    judge = Writer(Critique({"faith": 3.5, "quality": 2.5, "text": None}, 1.0, 4.0, text="a soft rose"))
    score = one(CritiqueScore(judge))
    assert score.value == pytest.approx(2 / 3)
    assert (score.reason, score.details) == ("a soft rose", {"faith": 3.5, "quality": 2.5})
    assert one(CritiqueScore(judge, aspects=["quality"])).value == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("found", "aspects", "code"),
    [
        (DOWN, [], "judge_unreachable"),
        (Critique({"faith": 3.0}, 1, 4), ["depth"], "aspect_missing"),
        (Critique({"text": None}, 1, 4), [], "low_coverage"),
        (Critique({"text": None, "depth": 2.0}, 1, 4), ["text"], "low_coverage"),
        (Critique({}, 1, 4), [], "low_coverage"),
    ],
)
def test_a_critique_that_says_nothing_is_no_score(
    found: Critique | Failure, aspects: list[str], code: str
) -> None:
    failure = one(CritiqueScore(Writer(found), aspects)).failure
    assert failure is not None
    assert (failure.code, failure.fault) == (code, "system")


@pytest.mark.parametrize("found", [Critique({"text": None, "depth": None}, 1, 4), Critique({}, 1, 4)])
@pytest.mark.parametrize("least", [0.0, 0.5])
def test_a_critique_that_scores_nothing_opens_no_gate(found: Critique, least: float) -> None:
    group = Group(ROSE, (Sample("s", ROSE, "", picture=PICTURE),))
    terms = {
        "look": {
            "scorer": "critique",
            "judge": "writer",
            "role": "gate",
            "weight": 1,
            "args": {"min_coverage": least},
        },
        "there": {"scorer": "rendered", "weight": 1},
    }
    recipe = load_reward({"terms": terms, "judges": {"writer": {"kind": "fake"}}})
    engine = RewardEngine(recipe, judges={"writer": Writer(found)})
    [scores] = engine.score([group])
    [total] = [each.total for each in compose(recipe, ["g"], scores, 0)]
    assert total is None
    assert scores["there"][0].value is None


def test_a_critique_stays_on_its_scale() -> None:
    with pytest.raises(ValueError, match="faith scores 9"):
        Critique({"faith": 9.0}, 1.0, 4.0)


# ---- part of an answer ------------------------------------------------------------------------------------


def answered(tree: Any, known: Mapping[str, bool | None], kind: Any = Checklist, **options: Any) -> Score:
    """A score where every question that is not in `known` finds nobody."""
    asks = [row if isinstance(row, str) else row["ask"] for row in tree]
    return one(kind(Examinee({ask: known.get(ask, DOWN) for ask in asks}), tree, **options))


def test_a_root_without_an_answer_leaves_the_picture_without_a_score() -> None:
    tree = [
        {"id": "pot", "ask": "pot?"},
        {"ask": "green?", "needs": ["pot"]},
        {"ask": "round?", "needs": ["pot"]},
        {"ask": "paper?"},
    ]
    lost = answered(tree, {"paper?": True})
    assert lost.failure is not None
    assert (lost.value, lost.failure.code, lost.failure.fault) == (None, "low_coverage", "system")
    assert "1 of 4 questions are answered, and min_coverage is 0.5 (judge_unreachable" in lost.failure.message
    assert answered(tree, {"paper?": True}, min_coverage=0).value == 1.0
    # The root is answered; a leaf that is not costs its share only.
    assert answered(tree, {"pot?": True, "green?": True, "paper?": False}).value == pytest.approx(2 / 3)
    # A root that fails settles what needs it, so nothing is open.
    assert answered(tree, {"pot?": False, "paper?": True}).value == 0.25


@pytest.mark.parametrize("kind", [Checklist, Constraints])
def test_a_declared_part_of_the_questions_must_be_answered(kind: Any) -> None:
    asks = ["q1", "q2", "q3", "q4"]
    good = kind is Checklist
    for count in range(1, 5):
        known = dict.fromkeys(asks[:count], good)
        assert (answered(asks, known, kind).value == 1.0) == (count >= 2)
        assert (answered(asks, known, kind, min_coverage=1).value == 1.0) == (count == 4)
        assert answered(asks, known, kind, min_coverage=0).value == 1.0
    score = answered(asks, {"q1": good, "q2": good, "q3": good}, kind)
    assert (score.details["coverage"], score.details["unanswered"]) == (0.75, 1)


@pytest.mark.parametrize("wrong", [-0.1, 1.5, float("nan"), "half", True, None])
def test_a_part_is_a_share(wrong: Any) -> None:
    for build in (
        lambda: Checklist(Examinee({}), ["q"], min_coverage=wrong),
        lambda: CritiqueScore(FakeJudge(), min_coverage=wrong),
        lambda: RoundRobin(FakeJudge(), min_coverage=wrong),
    ):
        with pytest.raises(RecipeError, match="min_coverage: is a share from 0 to 1"):
            build()


def test_a_critique_of_one_aspect_in_four_is_missing() -> None:
    class OneAspect:
        identity = "one aspect"

        def critique(self, prompt: Prompt, picture: Picture) -> Critique:
            return Critique({"form": 4.0, "colour": None, "line": None, "space": None}, 1, 4)

    score = one(CritiqueScore(OneAspect()))
    assert score.failure is not None
    assert score.failure.code == "low_coverage"
    assert one(CritiqueScore(OneAspect(), min_coverage=0.25)).value == 1.0
    assert one(CritiqueScore(OneAspect(), aspects=["form"])).value == 1.0


def test_a_sample_that_met_one_mate_of_four_is_missing() -> None:
    pictures = [picture_of(paint("love", seed, 40)) for seed in range(5)]

    class Shy(FakeJudge):
        def compare(self, prompt: Prompt, pairs: Any) -> Any:
            found = super().compare(prompt, pairs)
            lost = {pictures[3].key, pictures[4].key}
            return [
                DOWN if {a.key, b.key} & lost else each for (a, b), each in zip(pairs, found, strict=True)
            ]

    samples = tuple(Sample(str(n), ROSE, "", picture=each) for n, each in enumerate(pictures))
    found = RoundRobin(Shy()).score(Group(ROSE, samples))
    assert [each.value is None for each in found] == [False, False, False, True, True]
    strict = RoundRobin(Shy(), min_coverage=0.75).score(Group(ROSE, samples))
    assert [each.failure.code if each.failure else "" for each in strict][:3] == ["low_coverage"] * 3
