"""What a judge that writes a critique first thinks of a picture: the mean of its aspects, 0 … 1."""

from collections.abc import Sequence

from salon.types import Critic, Failure, Group, Picture, Prompt, Score

from .asking import HALF, able, coverage_of, missing, part_only, score_each_picture


class CritiqueScore:
    """(mean of the aspects that apply − low) / (high − low), on the judge's own scale from low to high.

    Args:
        judge: who writes the critique.
        aspects: which aspects count; all of them when none is named. One term per aspect is the old way of
            many 0–10 judges; terms that share a judge share its critiques.
        min_coverage: the least share of the aspects that must have a score; the others do not apply.

    Raises:
        RecipeError: the judge writes no critiques.

    A critique that lacks a named aspect is missing, and so is one in which none or too few apply
    (`low_coverage`).

    Example: on a scale from 1 to 4, aspects 3.5, 2.5 and N/A have mean 3: (3 − 1) / 3 = 0.667.

    Source: RationalRewards, arXiv 2604.11626.
    """

    version = "3"
    asks = "critique"

    def __init__(self, judge: Critic, aspects: Sequence[str] = (), min_coverage: float = HALF) -> None:
        self._judge: Critic = able(judge, Critic, "critique", "writes critiques")
        self._aspects = (aspects,) if isinstance(aspects, str) else tuple(aspects)
        self._least = coverage_of(min_coverage, "critique")

    def score(self, group: Group) -> list[Score]:
        """One score per sample."""
        return score_each_picture(group, lambda picture: self._look(group.prompt, picture))

    def _look(self, prompt: Prompt, picture: Picture) -> Score:
        critique = self._judge.critique(prompt, picture)
        if isinstance(critique, Failure):
            return missing(critique)
        named = self._aspects or tuple(critique.scores)
        absent = [aspect for aspect in named if aspect not in critique.scores]
        if absent:
            told = f"the critique says nothing of {absent[0]!r}; it has {', '.join(critique.scores)}"
            return missing(Failure("aspect_missing", told, "system", "judge"))
        valid = {name: score for name in named if (score := critique.scores[name]) is not None}
        # Some aspect applies to every picture: a critique that scores none says nothing, and passes no gate.
        if not valid or len(valid) < self._least * len(named):
            return part_only("aspects", len(valid), len(named), self._least)
        mean = sum(valid.values()) / len(valid)
        told = ", ".join(f"{name} {score:g}" for name, score in valid.items())
        value = (mean - critique.low) / (critique.high - critique.low)
        return Score(value, reason=critique.text[:400] or told, details=dict(valid))
