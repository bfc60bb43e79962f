"""Every reward that ships: it loads, it is what it says, and it runs to rewards with fake judges."""

from functools import cache
from importlib import util
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from painted import paint, picture_of
from salon.errors import RecipeError
from salon.judges.council import Council
from salon.judges.fake import FakeJudge
from salon.pool import Pool
from salon.rewards.advantage import with_advantages
from salon.rewards.build import build_judges
from salon.rewards.compose import compose
from salon.rewards.engine import RewardEngine
from salon.rewards.preflight.checks import fake_judges
from salon.rewards.recipe import load_reward
from salon.types import Failure, Group, Prompt, Reward, Sample

RECIPES = Path(__file__).resolve().parents[2] / "recipes"
NEED_OCR = set[str]() if util.find_spec("rapidocr") else {"poster"}
REWARDS = sorted(
    path.stem
    for path in RECIPES.glob("*.yaml")
    if "\nreward:\n" in path.read_text(encoding="utf-8") and path.stem not in NEED_OCR
)
SKETCH = """
function setup() {
  createCanvas(400, 400, WEBGL);
  brush.noStroke();
  brush.fill('#f2a07b', 190);
  brush.circle(0, 0, 90);
  noLoop();
}
"""
BROKEN = Failure("syntax_error", "unexpected token", "sample", "check")
OPEN = Prompt("rose", "draw a peach rose", "rose", meta={"flower": "rose", "colour": "peach"})
STRICT = Prompt(
    "only", "only a red poppy, nothing else", "poppy", ("photo",), {"colour": "red", "style": "ink"}
)


def group(prompt: Prompt, *tiers: Any, tokens: int = 150) -> Group:
    """One sample per tier of painted picture; None is a sketch that does not compile."""
    samples = tuple(
        Sample(f"{prompt.id}-{place}", prompt, SKETCH, source=SKETCH, failure=BROKEN, tokens=tokens)
        if tier is None
        else Sample(
            f"{prompt.id}-{place}", prompt, SKETCH, SKETCH, picture_of(paint(tier, place)), tokens=tokens
        )
        for place, tier in enumerate(tiers)
    )
    return Group(prompt, samples)


def engine_of(name: str, **judges: Any) -> RewardEngine:
    recipe = load_reward(RECIPES / f"{name}.yaml")
    for term in recipe.terms.values():
        if "pool" in term.args:
            term.args["pool"] = pool(term.args["pool"])  # read from the disk once for all tests
    return RewardEngine(recipe, seed=7, judges=fake_judges(recipe) | judges)


@cache
def pool(name: str) -> Pool:
    return Pool.load(name)


def rewards_of(engine: RewardEngine, groups: list[Group], step: int = 0) -> list[Reward]:
    recipe = engine.recipe
    found = engine.score(groups)
    ids = [each.prompt.id for each in groups for _ in each.samples]
    scores = {name: [score for each in found for score in each[name]] for name in recipe.terms}
    return with_advantages(compose(recipe, ids, scores, step), ids, recipe.advantage)


def statuses(reward: Reward) -> dict[str, str]:
    return {value.term: value.status for value in reward.terms}


def test_all_of_them_are_here() -> None:
    assert {"arena", "arena-veto", "gdpo", "paint", "paint-v1", "rational", "rpo"} <= set(REWARDS)


@pytest.mark.parametrize("name", REWARDS)
def test_it_runs_to_rewards_with_fakes(name: str) -> None:
    engine = engine_of(name)
    pair = name == "rpo"
    groups = [
        group(OPEN, "love", None) if pair else group(OPEN, "love", "nope", None),
        group(STRICT, "love", "nope") if pair else group(STRICT, "love", "okay", "nope"),
    ]
    rewards = rewards_of(engine, groups, step=20)
    assert all(reward.total is not None and reward.advantage is not None for reward in rewards)
    broken = rewards[1 if pair else 2]
    assert broken.gated
    assert broken.total == engine.recipe.floor_at(20) <= min(r.total or 0.0 for r in rewards)
    assert (broken.advantage or 0.0) < (rewards[0].advantage or 0.0)
    asked = [value.status for reward in rewards for value in reward.terms]
    assert "missing" not in asked
    assert rewards_of(engine_of(name), groups, step=20) == rewards


@pytest.mark.parametrize("name", REWARDS)
def test_a_judge_that_is_down_makes_no_zeros(name: str) -> None:
    recipe = load_reward(RECIPES / f"{name}.yaml")
    down = {judge: FakeJudge(fail_every=1) for judge in recipe.judges}
    rewards = rewards_of(engine_of(name, **down), [group(OPEN, "love", "nope")])
    asked = [value for reward in rewards for value in reward.terms if recipe.terms[value.term].judge]
    applied = [value for value in asked if value.status != "not_applicable"]
    assert bool(applied) == bool(recipe.judges)
    assert all((value.status, value.raw) == ("missing", None) for value in applied)


def test_the_old_rubric_is_the_nine_signals() -> None:
    terms = load_reward(RECIPES / "paint-v1.yaml").terms
    assert {name: term.weight for name, term in terms.items()} == {
        "gate": 0.05,
        "brush": 0.05,
        "length": 0.32,
        "preference": 0.10,
        "adherence": 0.08,
        "recognisability": 0.10,
        "aesthetics": 0.15,
        "technique": 0.08,
        "depth": 0.07,
    }
    assert sum(term.weight_at(0) for term in terms.values()) == pytest.approx(1.0)


def test_the_old_rubric_pays_for_length_alone() -> None:
    engine = engine_of("paint-v1")
    short, long = (rewards_of(engine, [group(OPEN, "love", tokens=n)])[0].total or 0.0 for n in (150, 3000))
    assert long - short == pytest.approx(0.32 * 0.95)


def test_the_old_rubrics_council_can_be_put_in_the_critics_place(tmp_path: Path) -> None:
    """The block in the comment, as a user would paste it: two critics, whose scores are averaged."""
    text = (RECIPES / "paint-v1.yaml").read_text(encoding="utf-8")
    before, _, after = text.partition("  judges:\n")
    council = "".join(
        line.replace("  # ", "  ", 1) for line in after.splitlines(True) if line.startswith("  #")
    )
    (tmp_path / "council.yaml").write_text(f"{before}  judges:\n{council}", encoding="utf-8")
    recipe = load_reward(tmp_path / "council.yaml")
    critic = build_judges(recipe)["critic"]
    assert isinstance(critic, Council)
    assert len(critic.members) == 2
    aspects = ("adherence", "recognisability", "aesthetics", "technique", "depth")
    members = [FakeJudge(aspects=aspects, low=0, high=10, sharpness=n) for n in (10, 20)]
    for judges in (fake_judges(recipe), {"critic": Council(members)}):
        rewards = rewards_of(RewardEngine(recipe, judges=judges), [group(OPEN, "love", "nope")])
        assert [value.status for value in rewards[0].terms] == ["ok"] * 9
        assert (rewards[0].total or 0) > (rewards[1].total or 0)


def test_constraints_count_only_where_the_prompt_is_strict() -> None:
    engine = engine_of("arena", vlm=FakeJudge(answers={"text": True}))
    rewards = rewards_of(engine, [group(OPEN, "love", "nope"), group(STRICT, "love", "nope")])
    assert [statuses(reward)["constraints"] for reward in rewards] == ["not_applicable"] * 2 + ["ok"] * 2
    constraints = rewards[2].terms[3]
    assert constraints.raw == pytest.approx(2 / 3)
    assert rewards[0].terms[3].weighted is None


def test_a_violation_takes_what_is_positive_and_only_where_the_detector_applies() -> None:
    groups = [group(OPEN, "love", "nope"), group(STRICT, "love", "nope")]
    clean = rewards_of(engine_of("arena-veto"), groups)
    found = rewards_of(engine_of("arena-veto", vlm=FakeJudge(answers={"photograph": True})), groups)
    preference = [reward.terms[1] for reward in found]
    assert [value.raw for value in preference] == [reward.terms[1].raw for reward in clean]
    z = [reward.terms[1].weighted for reward in clean]
    assert max(z[:2]) > 0 > min(z[:2])  # type: ignore[type-var]
    assert [value.weighted for value in preference] == [*(min(each, 0.0) for each in z[:2]), *z[2:]]  # type: ignore[type-var]
    assert [statuses(reward)["over_realism"] for reward in found] == ["ok"] * 2 + ["not_applicable"] * 2
    assert statuses(found[0])["variety"] == "ok"


def test_rpo_steps_towards_the_better_of_two_and_ties_move_nothing() -> None:
    groups = [group(OPEN, "love", "nope"), group(STRICT, "love", None), group(OPEN, None, None)]
    groups[2] = Group(Prompt("third", "draw"), groups[2].samples)
    rewards = rewards_of(engine_of("rpo"), groups)
    assert sorted(reward.advantage or 0.0 for reward in rewards[:2]) == [-0.1, 1.0]
    assert [reward.advantage for reward in rewards[2:]] == [1.0, -0.1, 0, 0]
    biased = rewards_of(engine_of("rpo", eye=FakeJudge(always="a")), groups[:1])
    assert [reward.advantage for reward in biased] == [0, 0]


def test_rational_is_the_mean_of_the_aspects_that_apply() -> None:
    engine = engine_of("rational")
    reward = rewards_of(engine, [group(OPEN, "love")])[0]
    critique = FakeJudge().critique(OPEN, picture_of(paint("love", 0)))
    assert not isinstance(critique, Failure)
    faith, quality = critique.scores["text_faithfulness"], critique.scores["physical_quality"]
    assert reward.total == pytest.approx(((faith + quality) / 2 - 1) / 3)  # type: ignore[operator]


def test_blank_paper_is_at_the_floor_of_every_gate() -> None:
    paper = picture_of(Image.new("RGB", (160, 160), "white"))
    for name in REWARDS:
        blank = Sample("blank", OPEN, SKETCH, SKETCH, paper, tokens=150)
        painted = group(OPEN, "love").samples[0]
        rewards = rewards_of(engine_of(name), [Group(OPEN, (painted, blank))])
        assert rewards[1].gated, name


def test_a_judge_that_cannot_do_what_is_asked_is_refused() -> None:
    class Comparer:
        identity = "comparer"

        def compare(self, prompt: Prompt, pairs: Any) -> list[Any]:
            return []

    with pytest.raises(RecipeError, match="'checklist' needs a judge that answers questions, and Comparer"):
        engine_of("arena", vlm=Comparer())
    with pytest.raises(RecipeError, match="'critique' needs a judge that writes critiques"):
        engine_of("rational", critic=Comparer())
