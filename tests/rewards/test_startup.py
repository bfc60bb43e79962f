"""The check at the start of a run: which pictures it takes, what it refuses, and what it leaves alone."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from salon.errors import RecipeError, StageError
from salon.judges.fake import FakeJudge
from salon.judges.measuring.call_counter import counted
from salon.media.fake import FakeMedium
from salon.media.svg.medium import SvgMedium
from salon.raster import decode, encode_png
from salon.rewards.engine import RewardEngine
from salon.rewards.preflight import startup
from salon.rewards.preflight.checks import fake_judges
from salon.rewards.preflight.recipe_check import dry_run, facts_of
from salon.rewards.preflight.startup import SPECIMENS, Domain, check_reward
from salon.rewards.recipe import RewardRecipe, load_reward
from salon.types import Failure, Group, Prompt, Score

RECIPES = Path(__file__).resolve().parents[2] / "recipes"
ROSE = Prompt("rose", "draw a peach rose", "rose", meta={"colour": "peach"})
STRICT = Prompt("only", "only a red poppy, nothing else", "poppy", meta={"colour": "red"})


class Painter(FakeMedium):
    """Paints like the fake, and says that it is the painters' own medium."""

    name = "p5.brush"


class Dark:
    """How dark a picture is: what a picture on white paper is never paid for by mistake."""

    version = "1"

    def score(self, group: Group) -> list[Score]:
        return [Score(1.0 - _light(sample.picture)) for sample in group.samples]


class OfMeta:
    """Needs what only the run's own prompts have."""

    version = "1"

    def __init__(self, key: str) -> None:
        self.key = key

    def score(self, group: Group) -> list[Score]:
        return [Score(float(len(group.prompt.meta[self.key]))) for _ in group.samples]


class Strict:
    """Compiles nothing: the sample's own fault, and an answer."""

    version = "1"

    def score(self, group: Group) -> list[Score]:
        return [Score(None, Failure("syntax_error", "no", "sample", "score")) for _ in group.samples]


def _light(picture: Any) -> float:
    return float(np.asarray(decode(picture.png).convert("L")).mean()) / 255


def recipe_of(terms: dict[str, Any], **rest: Any) -> RewardRecipe:
    return load_reward({"terms": terms, "judges": {"eye": {"kind": "fake"}}, **rest})


def domain(medium: Any = None, *prompts: Prompt) -> Domain:
    return Domain(prompts or (ROSE,), medium or FakeMedium((32, 32)))


DARK = {"scorer": "test_startup:Dark", "weight": 1.0}
UPSIDE_DOWN = {"scorer": "test_startup:Dark", "weight": -1.0}


@pytest.fixture(autouse=True)
def small_pool(painted_pool_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "FALLBACK_POOL", str(painted_pool_folder))


def refused(recipe: RewardRecipe, where: Domain, match: str) -> str:
    with pytest.raises(RecipeError, match=match) as told:
        check_reward(RewardEngine(recipe), where)
    return str(told.value)


def test_a_negative_sign_is_seen_without_a_pool() -> None:
    told = refused(recipe_of({"dark": UPSIDE_DOWN}), domain(Painter()), "known-bad picture gets .* dark")
    assert "`check: {good: file}`" in told
    found = check_reward(RewardEngine(recipe_of({"dark": DARK})), domain(Painter()))
    assert found is not None
    assert (found.good.total or 0) > (found.bad.total or 0)


def test_a_gate_that_refuses_everything_is_seen_without_a_pool() -> None:
    gate = {"scorer": "length", "role": "gate", "weight": 0, "args": {"max_tokens": 9, "min_tokens": 5}}
    refused(recipe_of({"gate": gate, "dark": DARK}), domain(Painter()), r"reward\.terms\.gate: this gate ref")


def test_what_cannot_tell_the_two_apart_is_no_fault_of_theirs() -> None:
    """Both have one reply: a reward of words alone gives them the same."""
    assert check_reward(RewardEngine(recipe_of({"words": {"scorer": "tinyrun:Vowels", "weight": 1}})),
                        domain(Painter())) is not None  # fmt: skip


def test_in_another_medium_nothing_is_known_to_be_good_but_every_term_must_score() -> None:
    assert check_reward(RewardEngine(recipe_of({"dark": UPSIDE_DOWN})), domain()) is None
    broken = recipe_of(
        {"dark": DARK, "meta": {"scorer": "test_startup:OfMeta", "weight": 1, "args": {"key": "x"}}}
    )
    told = refused(broken, domain(), r"reward\.terms\.meta: cannot score a picture for 'draw a peach rose'")
    assert "KeyError: 'x'" in told
    assert "Check the scorer 'test_startup:OfMeta' and its args" in told
    assert "terms.dark" not in told
    own_fault = recipe_of({"strict": {"scorer": "test_startup:Strict", "weight": 1}})
    assert check_reward(RewardEngine(own_fault), domain()) is None
    watched = recipe_of({"dark": DARK, "meta": {"scorer": "test_startup:OfMeta", "role": "monitor",
                                                "args": {"key": "x"}}})  # fmt: skip
    assert check_reward(RewardEngine(watched), domain()) is None


def test_a_gate_in_front_hides_no_term_behind_it() -> None:
    """The gate refuses the specimen; the judge behind it is down all the same."""
    gate = {"scorer": "sketch_gate", "role": "gate", "weight": 0}
    look = {"scorer": "checklist", "judge": "eye", "weight": 1, "args": {"questions": ["Is it a rose?"]}}
    engine = RewardEngine(recipe_of({"gate": gate, "look": look}), judges={"eye": FakeJudge(fail_every=1)})
    with pytest.raises(RecipeError, match=r"reward\.terms\.look: .*judge_unreachable.*reward\.judges\.eye"):
        check_reward(engine, domain())


def test_a_scorer_may_need_what_only_the_runs_prompts_have() -> None:
    terms = {"dark": DARK, "meta": {"scorer": "test_startup:OfMeta", "weight": 1, "args": {"key": "mood"}}}
    mooded = Prompt("calm", "draw a calm rose", meta={"mood": "calm"})
    assert check_reward(RewardEngine(recipe_of(terms)), domain(Painter(), mooded)) is None
    refused(
        recipe_of(terms), domain(Painter(), ROSE), r"terms\.meta: cannot score a picture for 'draw a peach"
    )


def test_a_term_for_some_prompts_is_tried_on_the_first_that_it_applies_to() -> None:
    terms = {"dark": DARK, "only": {"scorer": "test_startup:OfMeta", "weight": 1, "args": {"key": "x"},
                                    "when": "'only' in prompt.text"}}  # fmt: skip
    assert check_reward(RewardEngine(recipe_of(terms)), domain(Painter(), ROSE)) is not None
    refused(recipe_of(terms), domain(Painter(), ROSE, STRICT), r"terms\.only: .* 'only a red poppy")


def test_a_classifier_that_is_down_is_named() -> None:
    recipe = recipe_of(
        {"dark": {**DARK, "when": "labels.mood == 'calm'"}},
        classifiers={"mood": {"kind": "test_startup:Silent"}},
    )
    refused(recipe, domain(), r"classifier 'mood'.*out for a walk.*Check reward\.classifiers")


class Silent:
    version = "1"

    def label(self, prompt: Prompt) -> str:
        raise StageError(Failure("judge_unreachable", "out for a walk", "system", "judge"))


@pytest.mark.parametrize("name", ["arena", "arena-veto", "rational", "rpo"])
def test_the_shipped_rewards_without_a_pool_pass_at_the_start_and_ask_little(name: str) -> None:
    recipe = load_reward(RECIPES / f"{name}.yaml")
    judges = {each: counted(judge) for each, judge in fake_judges(recipe).items()}
    engine = RewardEngine(recipe, judges={each: judge for each, (judge, _) in judges.items()})
    where = domain(Painter(), ROSE, STRICT)
    assert check_reward(engine, where) is not None
    # 48 of them tell a judge that answers questions from a guess.
    assert sum(sum(counter.values()) for _, counter in judges.values()) <= 70
    assert not engine.bill()
    down = RewardEngine(recipe, judges={each: FakeJudge(fail_every=1) for each in recipe.judges})
    with pytest.raises(RecipeError, match="judge_unreachable"):
        check_reward(down, where)


def test_it_can_be_skipped_and_that_changes_no_digest() -> None:
    skipped = recipe_of({"dark": UPSIDE_DOWN}, check=False)
    assert check_reward(RewardEngine(skipped), domain(Painter())) is None
    assert skipped.digest == recipe_of({"dark": UPSIDE_DOWN}).digest
    assert "start-up check: skipped" in facts_of(skipped)


# ---- pictures of one's own -------------------------------------------------------------------------------


def test_pictures_of_ones_own_decide(tmp_path: Path) -> None:
    for name, colour in (("night", "black"), ("day", "white")):
        (tmp_path / f"{name}.png").write_bytes(encode_png(Image.new("RGB", (20, 20), colour)))
    night, day = str(tmp_path / "night.png"), str(tmp_path / "day.png")
    recipe = recipe_of({"dark": DARK}, check={"good": night, "bad": day})
    assert check_reward(RewardEngine(recipe), domain()) is not None
    assert not dry_run(recipe).problems
    turned = recipe_of({"dark": DARK}, check={"good": day, "bad": night})
    refused(turned, domain(), "the known-bad picture gets 1.000 and the known-good one 0.000")
    refused(recipe_of({"dark": DARK}, check={"good": day}), domain(), "nothing: they are equal")


def test_a_source_is_rendered_in_the_runs_medium(tmp_path: Path) -> None:
    (tmp_path / "rose.svg").write_text(SPECIMENS["svg"])
    terms = {"gate": {"scorer": "rendered", "role": "gate", "weight": 0.5}, "dark": DARK,
             "meta": {"scorer": "test_startup:OfMeta", "weight": 1, "args": {"key": "colour"}}}  # fmt: skip
    recipe = recipe_of(terms, check={"good": str(tmp_path / "rose.svg"), "prompt": "only"})
    medium = SvgMedium(workers=1)
    try:
        found = check_reward(RewardEngine(recipe), domain(medium, ROSE, STRICT))
        (tmp_path / "rose.svg").write_text("a rose, but no drawing")
        refused(recipe, domain(medium), r"reward\.check\.good: .*rose\.svg does not render \(")
    finally:
        medium.close()
    assert found is not None
    assert [value.raw for value in found.good.terms][2] == len("red")


@pytest.mark.parametrize(
    ("check", "told"),
    [
        ({"good": "nowhere.png"}, r"nowhere\.png: cannot be read.*reward\.check\.good"),
        ({"good": "notes.txt"}, r"reward\.check\.good: notes\.txt is no PNG, JPEG or WebP, and no source"),
    ],
)
def test_a_file_that_is_none_is_named(
    check: dict[str, str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("a rose")
    with pytest.raises(RecipeError, match=told):
        dry_run(recipe_of({"dark": DARK}, check=check))
    with pytest.raises(RecipeError, match="check"):
        recipe_of({"dark": DARK}, check={"bad": "x.png"})
    with pytest.raises(RecipeError, match="check"):
        recipe_of({"dark": DARK}, check="maybe")


@pytest.mark.parametrize("medium", [SvgMedium, FakeMedium])
def test_each_specimen_renders_and_is_painted(medium: Any) -> None:
    made = medium()
    rendering = made.render([SPECIMENS[made.name]], [1])[0]
    made.close()
    assert rendering.ok
    assert rendering.picture is not None
    assert _light(rendering.picture) < 0.99


def test_a_pool_of_the_recipes_own_comes_first(painted_pool_folder: Path) -> None:
    taste = {"scorer": "pairwise", "judge": "eye", "weight": 0.9, "args": {"pool": str(painted_pool_folder)}}
    found = check_reward(RewardEngine(recipe_of({"taste": taste, "dark": {**DARK, "weight": 0.1}})), domain())
    assert found is not None
