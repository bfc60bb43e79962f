"""Several judges as one: means, majorities, weights, and how far they agree."""

from typing import Any, Literal

import pytest

from painted import paint, picture_of
from salon.errors import RecipeError
from salon.judges.council import Council, weights_from
from salon.judges.fake import FakeJudge
from salon.registry import resolve
from salon.types import Answer, Critique, Failure, Judge, Prompt, Verdict

ROSE = Prompt("rose", "draw a rose")
A, B = picture_of(paint("love", 1)), picture_of(paint("nope", 1))


class Says(FakeJudge):
    """Says what it was told to."""

    def __init__(
        self,
        p: float,
        yes: bool | None = True,
        score: float | None = 3.0,
        high: float = 4.0,
        words: Literal["a", "b", "tie"] | None = None,
    ) -> None:
        super().__init__(sharpness=p)
        self.words = words
        self.p, self.yes, self.critic_score, self.top = p, yes, score, high

    def compare(self, prompt: Any, pairs: Any) -> Any:
        return [Verdict(self.p, "says", f"p {self.p}", self.words) for _ in pairs]

    def answer(self, prompt: Any, picture: Any, questions: Any) -> Any:
        return [Answer(self.yes) for _ in questions]

    def critique(self, prompt: Any, picture: Any) -> Any:
        return Critique({"light": self.critic_score}, 1.0, self.top)


def p_a(council: Council) -> float:
    verdict = council.compare(ROSE, [(A, B)])[0]
    assert isinstance(verdict, Verdict)
    return verdict.p_a


def test_the_mean_and_the_majority() -> None:
    members = [Says(0.9), Says(0.45), Says(0.4)]
    assert p_a(Council(members)) == pytest.approx((0.9 + 0.45 + 0.4) / 3)
    assert p_a(Council(members, how="majority")) == 0.0
    assert p_a(Council([Says(0.9), Says(0.1)], how="majority")) == 0.5
    assert p_a(Council([Says(0.9), Says(0.5)], how="majority")) == 1.0
    assert p_a(Council(members, how="majority", weights=[3, 1, 1])) == 1.0
    assert p_a(Council(members, weights=[1, 0, 0])) == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("members", "how", "said"),
    [
        ([Says(0.9), Says(0.6), Says(0.2)], "mean", None),
        ([Says(0.6, words="b"), Says(0.6, words="b"), Says(0.7)], "mean", "b"),
        ([Says(0.6, words="b"), Says(0.9), Says(0.9)], "mean", None),
        ([Says(0.6, words="b"), Says(0.4), Says(0.9)], "majority", "b"),
        ([Says(0.6, words="b"), Says(0.7), Says(0.9)], "majority", None),
        ([Says(0.8, words="tie"), Says(0.9, words="tie")], "majority", "tie"),
    ],
)
def test_words_that_would_decide_otherwise_are_kept(members: list[Says], how: Any, said: str | None) -> None:
    """As with one judge: the odds count, and where the words name another winner, they say which."""
    verdict = Council(members, how=how).compare(ROSE, [(A, B)])[0]
    assert isinstance(verdict, Verdict)
    assert verdict.said == said
    assert verdict.p_a == p_a(Council([Says(member.p) for member in members], how=how))
    told = [f"p {each.p}" + (f" (in words: {each.words})" if each.words else "") for each in members]
    assert verdict.reason == "; ".join(told)


def test_answers_and_critiques_are_joined() -> None:
    council = Council([Says(1, True, 2.0), Says(1, False, 4.0), Says(1, True, None)])
    assert council.answer(ROSE, A, ["Is it red?"]) == [Answer(True)]
    assert council.critique(ROSE, A) == Critique({"light": 3.0}, 1.0, 4.0)
    divided = Council([Says(1, True), Says(1, False)]).answer(ROSE, A, ["Is it red?"])[0]
    assert isinstance(divided, Failure)
    assert (divided.code, divided.fault) == ("council_divided", "system")
    other = Council([Says(1), Says(1, high=10)]).critique(ROSE, A)
    assert isinstance(other, Failure)
    assert other.code == "council_scales"


def test_a_member_that_is_down_leaves_no_verdict_unless_a_quorum_is_enough() -> None:
    members = [FakeJudge(fail_every=1), Says(0.8), Says(0.6)]
    found = Council(members).compare(ROSE, [(A, B)])[0]
    assert isinstance(found, Failure)
    assert (found.code, found.fault) == ("judge_unreachable", "system")
    assert p_a(Council(members, quorum=2)) == pytest.approx(0.7)
    assert isinstance(Council(members, quorum=2).critique(ROSE, A), Critique)


def test_agreement_is_over_what_both_said() -> None:
    council = Council([Says(0.9), Says(0.8), Says(0.1)], how="majority")
    council.compare(ROSE, [(A, B), (B, A)])
    council.answer(ROSE, A, ["Is it red?"])
    found = council.agreement()
    assert found.count == 9
    assert sorted(share for share, _ in found.by_pair.values()) == pytest.approx([1 / 3, 1 / 3, 1.0])
    assert found.share == pytest.approx(5 / 9)
    assert Council([Says(1), Says(1)]).agreement().share is None


def test_kappa_corrects_for_chance() -> None:
    class Alternates(Says):
        def compare(self, prompt: Any, pairs: Any) -> Any:
            return [Verdict(float(n % 2), "x") for n, _ in enumerate(pairs)]

    class Pairs(Says):
        def compare(self, prompt: Any, pairs: Any) -> Any:
            return [Verdict(float(n // 2 % 2), "x") for n, _ in enumerate(pairs)]

    for other, kappa in ((Alternates(0.3), 1.0), (Pairs(0.2), 0.0)):
        council = Council([Alternates(0.1), other])
        council.compare(ROSE, [(A, B)] * 4)
        assert council.agreement().kappa == pytest.approx(kappa)


def test_weights_follow_agreement() -> None:
    assert weights_from([0.9, 0.7, 0.5, 0.2]) == pytest.approx([2.1972, 0.8473, 0, 0], abs=1e-4)
    assert weights_from([1.0])[0] == pytest.approx(4.595, abs=1e-3)


def test_a_recipe_names_members_and_mistakes_are_told() -> None:
    council = resolve("judge", "council")(members=[{"kind": "fake", "sharpness": 3}, {"kind": "fake"}])
    assert isinstance(council, Judge)
    assert "sharpness=3" in council.identity
    assert council.identity != Council([FakeJudge(3), FakeJudge()], how="majority").identity
    for members, told in (
        ([{"kind": "fake"}], "at least two"),
        ([{"kind": "fake", "sharp": 3}, {"kind": "fake"}], r"members\.0\.sharp"),
        ([{"sharpness": 3}, {"kind": "fake"}], r"members\.0\.kind"),
    ):
        with pytest.raises(RecipeError, match=told):
            Council(members)
    for weights in ([1, 2, 3], [1, float("inf")], [1, float("nan")], [-1, 2], [0, 0], [1e308, 1e308]):
        with pytest.raises(RecipeError, match="weights"):
            Council([FakeJudge(), FakeJudge()], weights=weights)
    for quorum in (0, 3):
        with pytest.raises(RecipeError, match="quorum"):
            Council([FakeJudge(), FakeJudge()], quorum=quorum)
    with pytest.raises(RecipeError, match="how"):
        Council([FakeJudge(), FakeJudge()], how="median")  # type: ignore[arg-type]
