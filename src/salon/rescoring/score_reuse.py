"""Which scores of a run a new reward can take over, and a scorer that answers from them.

A score is taken over when nothing that decides it has changed: the scorer and its version, its arguments, the
judge's identity, and that of the scorer's own model, which may stand on a server. Its name, weight, role and
normalisation may be new.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from salon.errors import RecipeError, SetupError, StageError
from salon.judges.preference_model import model_of
from salon.rewards.build import build_judges, build_scorers
from salon.rewards.recipe import JudgeSpec, RewardRecipe, decisive_args, without_budget
from salon.types import Failure, Group, GroupScorer, Judge, Sample, Score, Scorer

from .reading import RecordedStep, stored_score

Place = tuple[int, str]
"""A step and a sample's id."""


@dataclass(frozen=True, slots=True)
class Match:
    """Where a term's scores come from.

    recorded: the run's term whose scores are taken over; None asks for all. why: in words, for people: what
    has changed, or what could not be checked.
    """

    recorded: str | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Built:
    """A term's scorer and judge, or why they cannot be built here."""

    scorer: Scorer | None
    judge: Judge | None
    problem: RecipeError | SetupError | None = None

    def model(self) -> tuple[str, str]:
        """The identity of the scorer's own model, empty where it has none, and why it cannot be told: its
        server may be down.
        """
        try:
            # The check reads the identity too, so a silent server is met by either of the two.
            return model_of(self.scorer, "the scorer"), ""
        except (RecipeError, SetupError) as problem:
            return "", str(problem)


def build_each(recipe: RewardRecipe, seed: int, ready: Mapping[str, Judge] | None = None) -> dict[str, Built]:
    """Every term's scorer on its own: one that cannot be built must not hold up those that can."""
    judges: dict[str, Judge] = dict(ready or {})
    built: dict[str, Built] = {}
    for name, term in recipe.terms.items():
        alone = recipe.model_copy(update={"terms": {name: term}})
        try:
            judges |= build_judges(alone, judges)
            scorer = build_scorers(alone, judges, seed)[name]
        except (RecipeError, SetupError) as problem:
            built[name] = Built(None, None, problem)
            continue
        built[name] = Built(scorer, judges[term.judge] if term.judge else None)
    return built


def match(
    old: RewardRecipe, new: RewardRecipe, name: str, built: Built, identities: Mapping[str, str]
) -> Match:
    """The run's term whose scores `new`'s term can take over: of the same name, or else of any.

    Args:
        old: the run's reward.
        new: the other one.
        name: a term of it.
        built: the same term's scorer and judge.
        identities: what the run's manifest keeps under `judges`.
    """
    names = sorted(old.terms, key=lambda each: each != name)
    found = {each: _difference(old, each, new, name, built, identities) for each in names}
    same = next((each for each, why in found.items() if not why), None)
    if same is None:
        return Match(None, found.get(name, "the run has no such term"))
    return Match(same, _unchecked(same, old, built, identities))


def _difference(
    old: RewardRecipe, theirs: str, new: RewardRecipe, ours: str, built: Built, identities: Mapping[str, str]
) -> str:
    """What would make the numbers others; nothing when they would be the same, as far as can be known."""
    a, b = old.terms[theirs], new.terms[ours]
    if a.scorer != b.scorer:
        return f"its scorer was {a.scorer}"
    before, after = decisive_args(a), decisive_args(b)
    if before != after:
        changed = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
        return f"args: {', '.join(changed)} changed"
    if bool(a.judge) != bool(b.judge):
        return "it asked a judge" if a.judge else "it asked no judge"
    if a.judge and b.judge and _decides(old.judges[a.judge]) != _decides(new.judges[b.judge]):
        return f"the judge {a.judge} was another one"
    said = identities.get(f"scorer {theirs}")
    if built.scorer is not None and said is not None and said != f"{b.scorer} {built.scorer.version}":
        return f"the scorer was {said}, and is {b.scorer} {built.scorer.version}"
    judged = identities.get(f"judge {a.judge}") if a.judge else None
    if built.judge is not None and judged is not None and judged != built.judge.identity:
        return f"the judge was {judged}, and is {built.judge.identity}"
    recorded = identities.get(f"model {theirs}")
    model = built.model()[0] if recorded is not None else ""
    return f"the model was {recorded}, and is {model}" if model and model != recorded else ""


def _decides(judge: JudgeSpec) -> dict[str, Any]:
    return without_budget(judge.model_dump(mode="json"))


def _unchecked(recorded: str, old: RewardRecipe, built: Built, identities: Mapping[str, str]) -> str:
    if built.problem is not None:
        return f"not checked whether it would still answer so: {built.problem}"
    silence = built.model()[1] if f"model {recorded}" in identities else ""
    if silence:
        return f"not checked whether the model is still {identities[f'model {recorded}']}: {silence}"
    asked = [f"scorer {recorded}"]
    asked += [f"judge {old.terms[recorded].judge}"] if old.terms[recorded].judge else []
    unknown = [each for each in asked if each not in identities]
    return f"the run did not record which {' and '.join(unknown)} it was" if unknown else ""


class ReusedScores:
    """Answers from a run's record, and asks the real scorer about the rest.

    A scorer that compares a group's samples with one another is asked about the whole group as soon as its
    stored answers are not about exactly the samples that are there now.

    Args:
        scorer: the real one; None where it cannot be built.
        stored: the scores that the run has.
        load: gives a sample its picture's bytes.
    """

    def __init__(
        self, scorer: Scorer | None, stored: Mapping[Place, Score], load: Callable[[Sample], Sample]
    ) -> None:
        self.version = scorer.version if scorer is not None else "unknown"
        self.reused = self.asked = self.answered = 0
        self._scorer, self._stored, self._load = scorer, stored, load
        self._mates: dict[Place, int] = {}
        self._lock = threading.Lock()

    def remember_groups(self, groups: tuple[Group, ...]) -> None:
        """Learn how many of each sample's group have a stored score."""
        for group in groups:
            places = [(group.step, sample.id) for sample in group.samples]
            count = sum(place in self._stored for place in places)
            self._mates |= dict.fromkeys(places, count)

    def score(self, group: Group) -> list[Score]:
        """One score per sample."""
        places = [(group.step, sample.id) for sample in group.samples]
        found = [self._stored.get(place) for place in places]
        if isinstance(self._scorer, GroupScorer) and self._company_changed(places, found):
            found = [None] * len(found)
        rest = [sample for sample, score in zip(group.samples, found, strict=True) if score is None]
        answers = self._ask(group, rest) if rest else []
        with self._lock:
            self.reused += len(found) - len(rest)
            self.asked += len(rest)
            self.answered += sum(score.value is not None for score in answers)
        fresh = iter(answers)
        return [score if score is not None else next(fresh) for score in found]

    def _company_changed(self, places: list[Place], found: list[Score | None]) -> bool:
        return None in found or any(self._mates.get(place) != len(places) for place in places)

    def _ask(self, group: Group, samples: list[Sample]) -> list[Score]:
        if self._scorer is None:
            lost = Failure("scorer_unavailable", "its scorer cannot be built here", "system", "score")
            return [Score(None, lost) for _ in samples]
        seen = [self._seen(sample) for sample in samples]
        able = tuple(each for each in seen if isinstance(each, Sample))
        answers = self._scorer.score(replace(group, samples=able)) if able else []
        if len(answers) != len(able):
            raise ValueError(f"{len(answers)} scores for {len(able)} samples")
        rest = iter(answers)
        return [next(rest) if isinstance(each, Sample) else Score(None, each) for each in seen]

    def _seen(self, sample: Sample) -> Sample | Failure:
        """The sample with its picture, or why that is lost: one lost file costs one score."""
        try:
            return self._load(sample)
        except StageError as error:
            return error.failure

    def counts(self) -> dict[str, Any]:
        """How many scores were taken over, and how many were asked for and answered."""
        return {"reused": self.reused, "asked": self.asked, "answered": self.answered}


def stored_scores(steps: list[RecordedStep], term: str | None) -> dict[Place, Score]:
    """All scores that a run has of a term; none without a term."""
    if term is None:
        return {}
    pairs = (
        ((each.step, str(row["sample_id"])), stored_score(row, term)) for each in steps for row in each.rows
    )
    return {place: score for place, score in pairs if score is not None}
