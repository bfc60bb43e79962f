"""Samples with their rewards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from salon.notebook import beside
from salon.rewards.compose import compose
from salon.rewards.recipe import RewardRecipe
from salon.types import Failure, Group, Picture, Rendering, Reward, Sample, Score, TermValue

Scores = Mapping[str, Sequence[Score]]


@dataclass(frozen=True, slots=True)
class Scored:
    """A sample with its reward, and its place in its group from 1 (None without a reward). `file` is
    what it was read from.
    """

    sample: Sample
    group: str
    step: int
    reward: Reward
    rank: int | None
    file: str = ""

    @property
    def missing(self) -> list[str]:
        """The terms that nobody could answer."""
        return [value.term for value in self.reward.terms if value.status == "missing"]

    @property
    def total(self) -> float | None:
        """The reward's total; None where the system's failure took it away."""
        return self.reward.total

    @property
    def terms(self) -> tuple[TermValue, ...]:
        """The reward's terms, each with its value, its weight in the total and its reason."""
        return self.reward.terms

    @property
    def picture(self) -> Picture | None:
        """What was looked at."""
        return self.sample.picture

    @property
    def failure(self) -> Failure | None:
        """Why there is no picture, or only a part of one."""
        return self.sample.failure

    def _repr_html_(self) -> str:
        return beside(Rendering(self.picture, self.failure), self.reward)


def composed(
    recipe: RewardRecipe,
    groups: Sequence[Group],
    files: Sequence[Sequence[str]],
    found: Sequence[Scores],
) -> list[Scored]:
    """Rewards, composed over all groups of a step, and each sample's place in its group."""
    made: dict[tuple[int, int], Reward] = {}
    for step in sorted({group.step for group in groups}):
        places = [place for place, group in enumerate(groups) if group.step == step]
        cells = [(place, number) for place in places for number in range(len(groups[place].samples))]
        columns = {name: [s for place in places for s in found[place][name]] for name in recipe.terms}
        rewards = compose(recipe, [str(place) for place, _ in cells], columns, step)
        made |= dict(zip(cells, rewards, strict=True))
    scored: list[Scored] = []
    for place, group in enumerate(groups):
        totals = [made[place, number].total for number in range(len(group.samples))]
        known = sorted((total for total in totals if total is not None), reverse=True)
        for number, sample in enumerate(group.samples):
            total = totals[number]
            rank = None if total is None else known.index(total) + 1
            reward, file = made[place, number], files[place][number]
            scored.append(Scored(sample, str(place), group.step, reward, rank, file))
    return scored
