"""Does the policy show a failure that its frozen base did not? For the role `veto`: 1 is a violation."""

from collections import defaultdict
from typing import Any

from salon.errors import RecipeError, StageError
from salon.judges.labelled import PictureFile
from salon.rubrics.verify import Guidable
from salon.scorers.looking import each_picture, missing
from salon.store import Run
from salon.types import Failure, Group, Judge, Picture, Sample, Score, Verdict

CRITERIA = (
    "One of these two pictures shows more of the following failure. Choose that one as the winner, and"
    " say tie if"
    " neither shows it or both show it alike.\nThe failure: {failure}"
)


class BaseComparison:
    """1 when a judge that looks for the failure names the policy's picture in both orders, against the frozen
    base's picture for the same prompt and seed; else 0.

    The base's pictures come from the record of a run: of `salon probe`, which paints with the untrained
    policy, or of a training run, whose first step did. Where the record has the prompt under other seeds
    only, the first one is taken, unless `same_seed` is asked for. A prompt that the record does not have is
    a missing score (`no_base_picture`).

    Args:
        judge: a judge that can be given criteria.
        failure: what to look for, in a few words: "parts that look like a photograph".
        base: the run's folder.
        same_seed: refuse another seed.

    Raises:
        RecipeError: the judge cannot be given criteria, or no failure is named.
        StoreError: there is no such run.

    Source: the reference-based detectors of arXiv 2610.02967.
    """

    version = "1"
    asks = "compare"

    def __init__(self, judge: Judge, failure: str, base: str, same_seed: bool = False) -> None:
        if not failure.strip():
            raise RecipeError("base_comparison: failure: say in a few words what to look for")
        if not isinstance(judge, Guidable):
            raise RecipeError(
                f"base_comparison: {type(judge).__name__} cannot go by criteria. Name a vision-language"
                f" model."
            )
        self._judge = judge.with_criteria(CRITERIA.format(failure=failure.strip()))
        self._same_seed = same_seed
        self._run = Run.open(base)
        self._known = _first_pictures(self._run)

    def score(self, group: Group) -> list[Score]:
        """0 or 1 per sample."""
        by_key = {sample.picture.key: sample for sample in group.samples if sample.picture}
        return each_picture(group, lambda picture: self._look(group, by_key[picture.key], picture))

    def _look(self, group: Group, sample: Sample, picture: Picture) -> Score:
        known = self._known.get(group.prompt.id, {})
        key = known.get(sample.seed)
        if key is None and known and not self._same_seed:
            key = next(iter(known.values()))
        if key is None:
            told = f"the base's record has no picture for the prompt {group.prompt.id!r}"
            return missing(Failure("no_base_picture", told, "system", "score"))
        base = PictureFile(self._run.picture_path(key)).load()
        if base.key == picture.key:
            return Score(0.0, reason="the base painted the same picture", details={"flipped": 0.0})
        forward, reverse = self._judge.compare(group.prompt, [(picture, base), (base, picture)])
        chances = (_chance(forward), 1.0 - _chance(reverse))
        violates = min(chances) > 0.5
        flipped = (chances[0] - 0.5) * (chances[1] - 0.5) < 0
        reason = "the policy shows more of it than its base" if violates else "no more than the base shows"
        return Score(float(violates), reason=reason, details={"flipped": float(flipped)})


def _chance(found: Verdict | Failure) -> float:
    if isinstance(found, Failure):
        raise StageError(found)
    return found.p_a


def _first_pictures(run: Run) -> dict[str, dict[int, str]]:
    """prompt id → seed → picture's key, of the samples that rendered in the first step."""
    found: dict[str, dict[int, str]] = defaultdict(dict)
    columns = ["prompt_id", "seed", "picture", "failure_code"]
    rows: list[dict[str, Any]] = run.rollouts(run.steps()[:1]).select(columns).to_dicts()
    for row in rows:
        if row["picture"] and row["failure_code"] is None:
            found[row["prompt_id"]].setdefault(int(row["seed"]), row["picture"])
    return dict(found)
