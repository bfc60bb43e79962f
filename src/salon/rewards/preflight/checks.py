"""Can every weighted term score, and does a known-good sample beat a known-bad one?

A dry run of a minute at most finds the judge that is down, the gate that refuses everything and the term
with the wrong sign, which otherwise show as a flat curve hours later. Which samples a run is checked with:
see `salon.rewards.preflight.startup`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from PIL import Image

from salon.errors import RecipeError
from salon.judges.fake import ASPECTS, FakeJudge
from salon.judges.measuring.probe import ABILITIES, Ability, Case, probe_judge
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.llm.response_cache import asked_afresh
from salon.pool.references import Pool, PoolItem
from salon.raster import encode_png
from salon.rewards.applicability import CLASSIFIER_FAILED
from salon.rewards.compose import compose
from salon.rewards.deadline import OVERDUE
from salon.rewards.engine import RewardEngine
from salon.rewards.recipe import RewardRecipe
from salon.scorers.asking import NOTHING_APPLIES
from salon.scorers.base_comparison import NO_POLICY
from salon.scorers.pairwise import Pairwise
from salon.types import Group, Judge, Picture, Prompt, Reference, Reward, Sample, Score, TermValue


@dataclass(frozen=True, slots=True)
class Preflight:
    """What a good and a bad sample got, and what is wrong with it (nothing, when `problems` is empty).

    silent: the terms that could not score the good one; then there are no rewards.
    """

    good: Reward
    bad: Reward
    problems: tuple[str, ...]
    silent: tuple[str, ...] = ()


def sample_of(reference: Reference, prompt: Prompt) -> Sample:
    """A rated picture of a pool as if a policy had just made it."""
    return Sample(
        id=f"preflight-{reference.id}",
        prompt=prompt,
        reply=reference.source,
        source=reference.source,
        picture=reference.picture,
    )


def fake_judges(recipe: RewardRecipe) -> dict[str, Judge]:
    """A fake for every judge of a recipe, with the aspects that its terms name: to try the recipe out."""
    named = [aspect for term in recipe.terms.values() for aspect in term.args.get("aspects", [])]
    aspects = tuple(dict.fromkeys(named)) or ASPECTS
    return {name: FakeJudge(aspects=aspects) for name in recipe.judges}


def pool_of(engine: RewardEngine) -> Pool | None:
    """The first pool that a term compares with."""
    pools = [scorer.pool for scorer in engine.scorers.values() if isinstance(scorer, Pairwise)]
    return next((each for each in pools if isinstance(each, Pool)), None)


def known_pair(engine: RewardEngine, pool: Pool, tries: int = 20) -> tuple[Sample, Sample]:
    """A loved picture that passes the recipe's gates (else the first one), and the same sketch as blank
    paper.
    """
    loved = [
        sample_of(item.reference, _prompt_of(item)) for item in pool.select(split="train", tiers=("love",))
    ]
    if not loved:
        raise RecipeError(
            f"pool {pool.name}: no picture is rated love, so none is known to be good. Rate some."
        )
    good = next((sample for sample in loved[:tries] if all(_gate_values(engine, sample))), loved[0])
    assert good.picture is not None
    paper = Image.new("RGB", (good.picture.width, good.picture.height), "white")
    return good, replace(good, id="preflight-blank", picture=Picture.from_png(encode_png(paper)))


def _gate_values(engine: RewardEngine, sample: Sample) -> Iterator[float]:
    group = Group(prompt=sample.prompt, samples=(sample,))
    for name, term in engine.recipe.terms.items():
        if term.role == "gate":
            yield engine.scorers[name].score(group)[0].value or 0.0


def _prompt_of(item: PoolItem) -> Prompt:
    subject = item.reference.subject
    meta = {"flower": subject, "colour": str(item.facts.get("colour", ""))}
    text = str(item.facts.get("prompt", f"draw a {subject}"))
    return Prompt(id=f"pool-{item.reference.id}", text=text, subject=subject, meta=meta)


def inspect_reward(
    engine: RewardEngine, good: Sample, bad: Sample, strictly: bool = True, probed: bool = True
) -> Preflight:
    """Score the two samples as one group, and list what is wrong.

    Where weights have schedules, the good one must win at every step that one of them names; the rewards
    returned are those of the last. Judges are asked themselves: nothing is answered from what was kept.

    Args:
        strictly: whether it is wrong that both get the same.
        probed: whether the judges are put to the test.
    """
    group = Group(prompt=good.prompt, samples=(good, bad))
    with asked_afresh():
        scores = engine.score([group])[0]
    silent = {name: why for name in scores if (why := unscored(engine, name, scores[name][0]))}
    if silent:
        nothing = Reward(total=None, terms=())
        return Preflight(nothing, nothing, tuple(silent.values()), tuple(silent))
    pairs = {step: compose(engine.recipe, ["preflight"] * 2, scores, step) for step in engine.recipe.knots()}
    last_good, last_bad = list(pairs.values())[-1]
    problems = _refusals(last_good, engine) or (probe_judges(engine, good, bad) if probed else [])
    if not problems:
        for step, (good_reward, bad_reward) in pairs.items():
            when = f"with the weights of step {step}: " if len(pairs) > 1 else ""
            problems += [when + problem for problem in _order(good_reward, bad_reward, strictly)]
    return Preflight(last_good, last_bad, tuple(problems))


def probe_judges(engine: RewardEngine, good: Sample, bad: Sample) -> list[str]:
    """What is wrong with the judges that the reward's terms ask, each put to the test with what it is asked
    for.
    """
    needed = asked_of_judges(engine)
    if good.picture is None or bad.picture is None:
        return []
    cases = [Case(good.prompt, good.picture, bad.picture)]
    return [
        f"reward.judges.{judge}: {problem}"
        for judge, asks in needed.items()
        for problem in probe_judge(engine.judges[judge], cases, asks).problems
    ]


def asked_of_judges(engine: RewardEngine) -> dict[str, set[Ability]]:
    """What each judge is asked for, by its name: a scorer says so in `asks`. One that compares by criteria of
    its own must go by them.
    """
    needed: dict[str, set[Ability]] = {}
    for name, term in engine.recipe.terms.items():
        asks = getattr(engine.scorers[name], "asks", None)
        if term.judge and asks in ABILITIES:
            needed.setdefault(term.judge, set()).add(asks)
        judge = engine.judges[term.judge] if term.judge else None
        if isinstance(judge, OpenAIJudge) and judge.criteria and term.judge and asks == "compare":
            needed[term.judge].add("criteria")
    return needed


SOURCES = (
    "It reads the source that a picture was drawn from, and this pool's pictures have none: name a source for"
    " each (`source_file` in the pool's table), a known-good one by `check: {good: sketch.js}`, or skip the"
    " check by `check: false`. In a run every answer has its source."
)


def refuse(problems: Sequence[str]) -> None:
    """Raises RecipeError with these problems, where there are any."""
    if problems:
        raise RecipeError("the reward fails its start-up check:\n  " + "\n  ".join(problems))


def preflight(engine: RewardEngine, good: Sample, bad: Sample) -> Preflight:
    """The same, raising what is wrong.

    Raises:
        RecipeError: names each failing term and its remedy, or the terms by which the bad sample wins.
    """
    found = inspect_reward(engine, good, bad)
    refuse(found.problems)
    return found


_NO_FAULT = ("not_applicable", "gated", NOTHING_APPLIES, NO_POLICY)


def unscored(engine: RewardEngine, name: str, score: Score, what: str = "a known-good picture") -> str | None:
    """What to do about a term that decides and cannot score `what`; None when it scores it, or need not."""
    term, failure = engine.recipe.terms[name], score.failure
    if failure is None or not term.decides or failure.code in _NO_FAULT:
        return None
    told = f"reward.terms.{name}: cannot score {what} ({failure.code}: {failure.message})."
    if failure.code == CLASSIFIER_FAILED:
        return f"{told} Check reward.classifiers: its kind, address and key."
    if failure.code == OVERDUE:
        return f"{told} Raise its deadline_s, or choose a faster scorer."
    if term.judge:
        return f"{told} Check reward.judges.{term.judge}: its address, key and model."
    return f"{told} Check the scorer {term.scorer!r} and its args, or take the term out."


def _refusals(good: Reward, engine: RewardEngine) -> list[str]:
    return [
        f"reward.terms.{value.term}: this gate refuses a known-good picture ({value.reason})."
        f" {SOURCES if 'no source' in value.reason else 'Loosen its args, or take the gate out.'}"
        for value in good.terms
        if engine.recipe.terms[value.term].role == "gate" and value.raw is not None and value.raw <= 0.0
    ]


def _order(good: Reward, bad: Reward, strictly: bool) -> list[str]:
    if good.total is None:
        return ["the known-good picture gets no reward at all. See the terms' on_missing."]
    if bad.total is None or good.total > bad.total or (good.total == bad.total and not strictly):
        return []
    pairs = zip(good.terms, bad.terms, strict=True)
    leads = sorted(((_weighted(b) - _weighted(g), b.term) for g, b in pairs), reverse=True)
    blamed = (
        ", ".join(f"{name} (+{lead:.3f})" for lead, name in leads if lead > 0) or "nothing: they are equal"
    )
    return [
        f"the known-bad picture gets {bad.total:.3f} and the known-good one {good.total:.3f};"
        f" it leads by {blamed}. Check the sign of the weight, the squash and the floor."
    ]


def _weighted(value: TermValue) -> float:
    return value.weighted or 0.0


def summary(found: Preflight) -> Sequence[str]:
    """One line per term: what the good and the bad picture got; none when the good one has no scores."""
    if not found.good.terms:
        return []
    lines = [
        f"{g.term}: good {_shown(g)}, bad {_shown(b)}"
        for g, b in zip(found.good.terms, found.bad.terms, strict=True)
    ]
    good, bad = (
        "no reward" if reward.total is None else f"{reward.total:.3f}" for reward in (found.good, found.bad)
    )
    return [*lines, f"total: good {good}, bad {bad}"]


def _shown(value: TermValue) -> str:
    return value.status if value.raw is None else f"{value.raw:.3f}"
