"""Comparisons with references: both orders, the same draw for a group, judges that fail or always say A."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from painted import paint, picture_of
from salon.errors import RecipeError
from salon.judges.fake import FakeJudge, colourfulness
from salon.pool import Pool
from salon.rewards.engine import RewardEngine
from salon.rewards.recipe import load_reward
from salon.scorers.pairwise import PairResult, Pairwise, order_rates
from salon.scorers.reference_difficulty import meetings_of
from salon.store.record import details_in, rollout_frame
from salon.types import Group, Picture, Prompt, Reference, Reward, Sample, TermValue

ROSE = Prompt("red-rose", "draw a red rose", subject="rose")


@pytest.fixture(scope="module")
def pool(painted_pool_folder: Path) -> Pool:
    return Pool.load(painted_pool_folder)


def group(*pictures: Picture | None, prompt: Prompt = ROSE, step: int = 0, seed: int = 0) -> Group:
    samples = tuple(Sample(f"s{i}", prompt, "", picture=p) for i, p in enumerate(pictures))
    return Group(prompt, samples, step, seed)


LOVE, NOPE = picture_of(paint("love", 5)), picture_of(paint("nope", 5))
GREY = picture_of(Image.new("RGB", (50, 50), "grey"))


def ids(references: list[Reference]) -> list[str]:
    return [reference.id for reference in references]


def test_rates_of_the_order_by_hand() -> None:
    """Shown first and second: a win, a tie in one order, two flips, and a tie in both."""
    seen = [(0.9, 0.8), (0.5, 0.2), (0.9, 0.3), (0.2, 0.6), (0.5, 0.5)]
    rates = order_rates([PairResult("r", p, None) for p in seen])
    # Named first when first: 1, ½, 1, 0, ½; the reference, which was first then, when second: 0, 1, 1, 0, ½.
    assert rates == pytest.approx(
        {"flip_rate": 2 / 5, "tie_rate": 4 / 5, "first_choice_rate": 5.5 / 10, "against_odds_rate": 0}
    )


def test_the_share_of_wins_is_the_mean_probability_over_both_orders(pool: Pool) -> None:
    scorer = Pairwise(FakeJudge(sharpness=3), pool, references=2, seed=5)
    asked = group(LOVE, NOPE)
    expected = [
        sum(FakeJudge(3).compare(ROSE, [(p, r.picture)])[0].p_a for r in scorer.draw(asked)) / 2  # type: ignore[union-attr]
        for p in (LOVE, NOPE)
    ]
    assert [s.value for s in scorer.score(asked)] == pytest.approx(expected)
    assert colourfulness(LOVE) > colourfulness(NOPE)
    assert expected[0] > expected[1]


def test_hard_counts_wins_and_details_are_kept(pool: Pool) -> None:
    score = Pairwise(FakeJudge(sharpness=1000), pool, references=4, soft=False).score(group(GREY))[0]
    assert score.value == 0.0
    assert score.details["win_rate"] == 0.0
    assert (score.details["asked"], score.details["resolved"], score.details["partial"]) == (4, 4, 0)
    assert "love-" in score.reason


@pytest.mark.parametrize("always", ["a", "b"])
@pytest.mark.parametrize("soft", [True, False])
def test_a_judge_that_goes_by_position_says_nothing_and_is_caught(
    pool: Pool, always: Any, soft: bool
) -> None:
    scores = Pairwise(FakeJudge(always=always), pool, references=2, soft=soft).score(group(LOVE, NOPE))
    assert [s.value for s in scores] == [0.5, 0.5]
    assert scores[0].details["flips"] == 2
    assert scores[0].details["first_choice_rate"] == (1.0 if always == "a" else 0.0)
    assert (scores[0].details["flip_rate"], scores[0].details["tie_rate"]) == (1.0, 1.0)


def test_a_picture_that_is_the_reference_ties(pool: Pool) -> None:
    scorer = Pairwise(FakeJudge(), pool, references=1)
    reference = scorer.draw(group(LOVE))[0]
    score = scorer.score(group(reference.picture))[0]
    assert (score.value, score.details["flips"]) == (0.5, 0)


def test_an_outage_is_missing_and_a_partial_one_is_flagged(pool: Pool) -> None:
    out = Pairwise(FakeJudge(fail_every=1), pool, references=2).score(group(LOVE))[0]
    assert out.value is None
    assert out.failure is not None
    assert (out.failure.fault, out.failure.code) == ("system", "judge_unreachable")
    # 2 references × 2 orders; the third comparison fails, so the second reference is not resolved.
    part = Pairwise(FakeJudge(fail_every=3), pool, references=2).score(group(LOVE))[0]
    assert part.value is not None
    assert (part.details["resolved"], part.details["partial"]) == (1, 1)
    assert "1 of 2 resolved" in part.reason


def test_a_sample_without_a_picture_does_not_shift_the_others(pool: Pool) -> None:
    scorer = Pairwise(FakeJudge(), pool)
    alone = scorer.score(group(LOVE))[0]
    holed = scorer.score(group(None, LOVE))
    assert holed[0].failure is not None
    assert holed[1].value == alone.value


def test_a_judge_that_returns_too_few_verdicts_is_an_error_not_a_shift(pool: Pool) -> None:
    class Short(FakeJudge):
        def compare(self, prompt: Prompt, pairs: Any) -> Any:
            return super().compare(prompt, pairs)[:-1]

    with pytest.raises(ValueError, match="3 verdicts for 4 pairs"):
        Pairwise(Short(), pool, references=2).score(group(LOVE))


def test_a_group_meets_the_same_references_on_every_rank(pool: Pool) -> None:
    first, second = Pairwise(FakeJudge(), pool, 4, seed=3), Pairwise(FakeJudge(), pool, 4, seed=3)
    assert ids(first.draw(group(LOVE, step=9, seed=1))) == ids(second.draw(group(NOPE, NOPE, step=9, seed=1)))
    assert len(set(ids(first.draw(group(LOVE))))) == 4


def test_reseed_says_what_a_draw_depends_on(pool: Pool) -> None:
    def drawn(reseed: Any, step: int, prompt: str = "p", seed: int = 0) -> list[str]:
        scorer = Pairwise(FakeJudge(), pool, 4, reseed=reseed, seed=seed)
        return ids(scorer.draw(group(LOVE, prompt=Prompt(prompt, ""), step=step)))

    assert drawn("run", 1) == drawn("run", 2)
    assert drawn("step", 1) != drawn("step", 2)
    assert drawn("run", 1, "p") != drawn("run", 1, "q")
    assert drawn("run", 1, seed=0) != drawn("run", 1, seed=1)


def test_same_subject_and_tiers_narrow_the_draw(pool: Pool) -> None:
    scorer = Pairwise(FakeJudge(), pool, 3, same_subject=True, tiers=["love"])
    assert {(r.subject, r.tier) for r in scorer.draw(group(LOVE))} == {("rose", "love")}


def test_a_ladder_leads_from_easy_references_to_hard_ones(pool: Pool) -> None:
    scorer = Pairwise(FakeJudge(), pool, 2, tiers={"0": ["nope"], 5: ["okay"], 9: ["love"]})  # type: ignore[dict-item]
    met = [{r.tier for r in scorer.draw(group(LOVE, step=step))} for step in (0, 4, 5, 8, 9, 30)]
    assert met == [{"nope"}, {"nope"}, {"okay"}, {"okay"}, {"love"}, {"love"}]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"tiers": {3: ["love"]}}, "a ladder begins at step 0"),
        ({"tiers": {"soon": ["love"]}}, "a ladder is {0"),
        ({"tiers": {0: ["nope"], 4: ["love"]}, "references": 900}, "900 references are asked for"),
        ({"mix": "some"}, "mix is fill or even"),
        ({"references": 0}, "at least one reference"),
        ({"references": 1000}, "1000 references are asked for"),
        ({"reseed": "never"}, "step or run"),
        ({"pool": "no-such-pool"}, "no such folder"),
    ],
)
def test_what_cannot_work_is_refused_at_the_start(pool: Pool, args: dict[str, Any], message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        Pairwise(FakeJudge(), **{"pool": pool, **args})


def test_from_a_recipe_to_scores(painted_pool_folder: Path) -> None:
    recipe = load_reward(
        {
            "terms": {
                "taste": {
                    "scorer": "pairwise",
                    "weight": 1,
                    "judge": "eye",
                    "args": {"pool": str(painted_pool_folder), "references": 3},
                }
            },
            "judges": {"eye": {"kind": "fake", "sharpness": 5}},
        }
    )
    scores = RewardEngine(recipe, seed=1).score([group(LOVE, NOPE)])[0]["taste"]
    values = [score.value for score in scores]
    assert None not in values
    assert values[0] > values[1]  # type: ignore[operator]


def test_too_few_resolved_references_are_no_score(pool: Pool) -> None:
    class Half(FakeJudge):
        """Answers about the first so many pairs of a call."""

        def __init__(self, answers: int) -> None:
            super().__init__()
            self.answers = answers

        def compare(self, prompt: Prompt, pairs: Any) -> Any:
            down = FakeJudge(fail_every=1).compare(prompt, pairs)
            return [*super().compare(prompt, pairs)[: self.answers], *down[self.answers :]]

    # Seven answers of eight: three references in both orders, one in one order only.
    assert Pairwise(Half(7), pool, references=4).score(group(LOVE))[0].details["resolved"] == 3
    lost = Pairwise(Half(3), pool, references=4).score(group(LOVE))[0].failure
    assert lost is not None
    assert (lost.code, lost.fault) == ("low_coverage", "system")
    assert "1 of 4 comparisons are answered" in lost.message
    assert Pairwise(Half(3), pool, references=4, min_coverage=0.25).score(group(LOVE))[0].value is not None
    assert Pairwise(Half(7), pool, references=4, min_coverage=1).score(group(LOVE))[0].value is None


def test_the_strengths_are_fitted_to_exact_outcomes(pool: Pool) -> None:
    """Outcomes within a hundredth of each other differ in the details, which the record keeps."""
    scorer = Pairwise(FakeJudge(sharpness=0.01), pool, references=3)
    score = scorer.score(group(LOVE))[0]
    exact = {key: value for key, value in score.details.items() if key.startswith("against/")}
    assert sorted(exact) == sorted(f"against/{each.id}" for each in scorer.draw(group(LOVE)))
    assert len(set(exact.values())) == 3
    reward = Reward(0.5, (TermValue("taste", score.value, None, None, "ok", score.reason, score.details),))
    frame = rollout_frame(0, [group(LOVE)], [[reward]])
    kept = details_in(frame["taste.details"][0])
    assert kept == score.details
    found = meetings_of([0], [score.reason], [kept])
    assert {each.reference: each.outcome for each in found} == {
        key.removeprefix("against/"): value for key, value in exact.items()
    }
    # A record of before has the reasons only.
    old = meetings_of([0], [score.reason])
    assert [each.outcome for each in old] == [round(each.outcome, 2) for each in found]


@pytest.mark.parametrize(
    "cell", [None, 3, "", "nonsense", "[1]", '{"a": "x", "b": true, "c": NaN}', "[" * 9999]
)
def test_details_that_cannot_be_read_are_none(cell: object) -> None:
    assert details_in(cell) == {}
