"""Runs a recipe's scorers over groups of samples: gates first, the rest at once, each within its deadline.

    samples → gates ─┬─ failed → not sent on
                     └─ passed → all other terms, in parallel

A term whose `when` does not hold for a prompt is not asked about it, gates included.
The engine asks; it does not add. What comes out are raw scores, one per term and sample, for `compose`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from salon.judges.preference_model import model_of
from salon.llm.usage import Usage
from salon.parts import text_of
from salon.scorers.asking import NOTHING_APPLIES
from salon.scorers.base_comparison import AgainstBase
from salon.types import Classifier, Failure, Group, Judge, Prompt, Sample, Score, Scorer

from .applicability import Applies
from .build import build_classifiers, build_judges, build_scorers
from .deadline import Pending, TermRunner
from .recipe import RewardRecipe

Scores = dict[str, list[Score]]


class RewardEngine:
    """A reward recipe with its scorers and judges built.

    Args:
        recipe: what to score (see salon.rewards.recipe).
        seed: the run's seed; draws depend on it, on the step and on the prompt, so all processes draw alike.
        judges: judges that are already there, by the names that the recipe uses (a fake, in tests).
        scorers: scorers that are already there, one for every term; then nothing but classifiers is built.

    Raises:
        RecipeError, SetupError: a part cannot be built; names the term and the key.

    Example:
        engine = RewardEngine(load_reward("recipes/paint.yaml"), seed=7)
        scores = engine.score(groups)          # [{"gate": [Score, …], "taste": [Score, …]}, …]
    """

    def __init__(
        self,
        recipe: RewardRecipe,
        seed: int = 0,
        judges: Mapping[str, Judge] | None = None,
        scorers: Mapping[str, Scorer] | None = None,
    ) -> None:
        self.recipe = recipe
        self.judges = build_judges(recipe, judges) if scorers is None else dict(judges or {})
        self.scorers: dict[str, Scorer] = dict(scorers or build_scorers(recipe, self.judges, seed))
        self.classifiers: dict[str, Classifier] = build_classifiers(recipe)
        self.seconds: dict[str, float] = {}
        self._billed: dict[str, Usage] = {}
        self._applies = Applies(recipe, self.classifiers)
        self._runners = {
            name: TermRunner(name, self.scorers[name], term.concurrency, term.deadline_s)
            for name, term in recipe.terms.items()
        }

    def score(self, groups: Sequence[Group]) -> list[Scores]:
        """Raw scores of every term for every sample, group by group, in the order given.

        A sample that failed by the system's fault has no score at all. A sample that failed by its own
        fault, or at a gate, is seen by gates only. `seconds` afterwards holds what each term took.
        """
        self.seconds = {}
        scores: list[Scores] = [{} for _ in groups]
        gates = [name for name, term in self.recipe.terms.items() if term.role == "gate"]
        rest = [name for name in self.recipe.terms if name not in gates]
        kept = [[_unscorable(s, before_gates=True) for s in group.samples] for group in groups]
        self._ask(gates, groups, kept, scores)
        kept = [
            [_stopped(sample, found, gates, index) for index, sample in enumerate(group.samples)]
            for group, found in zip(groups, scores, strict=True)
        ]
        self._ask(rest, groups, kept, scores)
        return [{name: found[name] for name in self.recipe.terms} for found in scores]

    def why_not(self, term: str, prompt: Prompt) -> Failure | None:
        """Why a term is not asked about a prompt: it does not apply, or a classifier failed; else None."""
        return self._applies.why_not(term, prompt)

    def ask_alone(self, groups: Mapping[str, Group]) -> dict[str, list[Score]]:
        """Each of these terms' scores of a group of its own, all at once, whatever the gates say."""
        why_not = {name: self.why_not(name, group.prompt) for name, group in groups.items()}
        running = {
            name: self._runners[name].start([group])
            for name, group in groups.items()
            if why_not[name] is None
        }
        found = {name: pending.collect()[0] for name, pending in running.items()}
        return {
            name: [Score(value=None, failure=why) for _ in groups[name].samples] if why else found[name]
            for name, why in why_not.items()
        }

    def identities(self) -> dict[str, str]:
        """Which scorers and judges these are, for the manifest: names to versions and identities."""
        scorers = {
            f"scorer {name}": f"{self.recipe.terms[name].scorer} {text_of(scorer, 'version', f'term {name}')}"
            for name, scorer in self.scorers.items()
        }
        classifiers = {
            f"classifier {name}": f"{self.recipe.classifiers[name].kind} {text_of(each, 'version', name)}"
            for name, each in self.classifiers.items()
        }
        judges = {f"judge {name}": text_of(judge, "identity", name) for name, judge in self.judges.items()}
        models = {
            f"model {name}": identity
            for name, scorer in self.scorers.items()
            if (identity := model_of(scorer, f"term {name}"))
        }
        return scorers | models | judges | classifiers

    def bill(self) -> dict[str, Usage]:
        """What each term's judges have cost since this was last asked; terms that asked none are left out."""
        totals = {name: runner.account.total for name, runner in self._runners.items()}
        due = {name: total - self._billed.get(name, Usage()) for name, total in totals.items()}
        self._billed = totals
        return {name: usage for name, usage in due.items() if usage != Usage()}

    def against_base(self) -> list[AgainstBase]:
        """The scorers that compare with what the frozen base policy paints."""
        return [each for each in self.scorers.values() if isinstance(each, AgainstBase) and each.wants_base]

    def spent(self) -> Usage:
        """What all terms' judges have cost since the engine was built."""
        return sum((runner.account.total for runner in self._runners.values()), Usage())

    def _ask(
        self,
        names: Sequence[str],
        groups: Sequence[Group],
        stopped: Sequence[Sequence[Failure | None]],
        scores: Sequence[Scores],
    ) -> None:
        """Ask these terms, all at once, about the samples that nothing stopped, and put answers into
        `scores`.
        """
        reasons = {
            name: [self._reasons(name, group, why) for group, why in zip(groups, stopped, strict=True)]
            for name in names
        }
        running: dict[str, tuple[list[int], Pending]] = {}
        for name in names:
            smaller = [_without(group, why) for group, why in zip(groups, reasons[name], strict=True)]
            asked = [index for index, group in enumerate(smaller) if group.samples]
            running[name] = asked, self._runners[name].start([smaller[index] for index in asked])
        for name, (asked, pending) in running.items():
            answers = dict(zip(asked, pending.collect(), strict=True))
            self.seconds[name] = pending.seconds
            for index, why in enumerate(reasons[name]):
                answer = iter(answers.get(index, []))
                scores[index][name] = [
                    _blamed(sample, next(answer)) if failure is None else Score(value=None, failure=failure)
                    for sample, failure in zip(groups[index].samples, why, strict=True)
                ]

    def _reasons(
        self, name: str, group: Group, stopped: Sequence[Failure | None]
    ) -> Sequence[Failure | None]:
        """Per sample, why this term is not asked; None where it is."""
        why_not = self._applies.why_not(name, group.prompt)
        if why_not is None:
            return stopped
        if why_not.code == "not_applicable":
            return [why_not] * len(stopped)
        return [failure or why_not for failure in stopped]


def _without(group: Group, stopped: Sequence[Failure | None]) -> Group:
    """The group without the samples that something stopped."""
    kept = (sample for sample, failure in zip(group.samples, stopped, strict=True) if failure is None)
    return replace(group, samples=tuple(kept))


def _unscorable(sample: Sample, before_gates: bool) -> Failure | None:
    """Why nobody need look: the system failed it, or (behind the gates) it failed by itself."""
    failure = sample.failure
    if failure is None or (before_gates and failure.fault == "sample"):
        return None
    return failure


def _blamed(sample: Sample, score: Score) -> Score:
    """A gate that finds nothing to look at in a sample that failed by itself lets it keep its own fault:
    whoever answers without a source must not be better off than whoever answers with a bad one.
    """
    own, why = sample.failure, score.failure
    if own is None or own.fault == "system" or why is None or why.code == "not_applicable":
        return score
    return Score(value=None, failure=own)


def _stopped(sample: Sample, found: Scores, gates: Sequence[str], index: int) -> Failure | None:
    """Why a sample is not sent on to the terms behind the gates; None when it is."""
    for name in gates:
        score = found[name][index]
        if score.failure is not None and score.failure.code in ("not_applicable", NOTHING_APPLIES):
            continue
        if score.failure is not None:
            return score.failure
        if cast(float, score.value) <= 0.0:
            return Failure(
                code="gated", message=f"failed {name}: {score.reason}", fault="sample", stage="score"
            )
    return _unscorable(sample, before_gates=False)
