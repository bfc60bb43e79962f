"""Does the policy show a failure that its frozen base did not? For the role `veto`: 1 is a violation."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from salon.errors import RecipeError, StageError
from salon.judges.inputs_read import guided
from salon.judges.measuring.labelled_pairs import PictureFile
from salon.store.runs import Run
from salon.types import Failure, Group, Judge, Picture, Prompt, Sample, Score

from .asking import each_sample, missing
from .pairwise import order_rates, pair_result

POLICY = "policy"
NO_POLICY = "no_base_policy"
FindBase = Callable[[Prompt, int], Picture | Failure | None]
"""The base's picture for a prompt and a seed, why there is none, or None where nobody painted it."""

CRITERIA = (
    "One of these two pictures shows more of the following failure. Choose that one as the winner, and"
    " say tie if"
    " neither shows it or both show it alike.\nThe failure: {failure}"
)


@runtime_checkable
class AgainstBase(Protocol):
    """A scorer that compares with what the frozen base policy paints, where `wants_base` says so."""

    wants_base: bool

    def use_base(self, find: FindBase) -> None:
        """Where the base's pictures are found."""
        ...


class BaseModelComparison:
    """1 when a judge that looks for the failure names the policy's picture in both orders, against the frozen
    base's picture for the same prompt and seed; else 0.

    By default the run's own base paints, for whatever prompt and seed there is; outside of a run there is no
    score (`no_base_policy`). Otherwise the base's pictures come from the record of a run: of `salon probe`,
    which paints with the untrained policy, or of a training run, whose first step did. Where the record has
    the prompt under other seeds only, the first one is taken, unless `same_seed` is asked for;
    details["other_seed"] is 1 then. A prompt that it does not have is a missing score (`no_base_picture`).

    Args:
        judge: a judge that can be given criteria.
        failure: what to look for, in a few words: "parts that look like a photograph".
        base: `policy`, or a run's folder.
        same_seed: refuse another seed.

    Raises:
        RecipeError: the judge cannot be given criteria, or no failure is named.
        StoreError: there is no such run.

    Source: the reference-based detectors of arXiv 2610.02967.
    """

    version = "1"
    asks = "criteria"

    def __init__(self, judge: Judge, failure: str, base: str = POLICY, same_seed: bool = False) -> None:
        if not failure.strip():
            raise RecipeError("base_comparison: failure: say in a few words what to look for")
        self.wants_base = base == POLICY
        self._judge = guided(judge, CRITERIA.format(failure=failure.strip()), "base_comparison")
        self._same_seed = same_seed
        self._find: FindBase | None = None
        self._run = None if self.wants_base else Run.open(base)
        self._known = _first_pictures(self._run) if self._run else {}

    def use_base(self, find: FindBase) -> None:
        """Where the base's pictures are found, unless a run's record was named."""
        self._find = find

    def score(self, group: Group) -> list[Score]:
        """0 or 1 per sample."""
        return each_sample(group, self._look)

    def _look(self, sample: Sample, picture: Picture) -> Score:
        base, other_seed = self._base(sample.prompt, sample.seed)
        details = {"other_seed": float(other_seed)}
        if base.key == picture.key:
            return Score(0.0, reason="the base painted the same picture", details={"flipped": 0.0, **details})
        result = pair_result("base", *self._judge.compare(sample.prompt, [(picture, base), (base, picture)]))
        if result.failure is not None:
            return missing(result.failure)
        assert result.p is not None
        violates = min(result.p) > 0.5
        reason = "the policy shows more of it than its base" if violates else "no more than the base shows"
        details |= {"flipped": float(result.flipped), "resolved": 1.0, **order_rates([result])}
        return Score(float(violates), reason=reason, details=details)

    def _base(self, prompt: Prompt, seed: int) -> tuple[Picture, bool]:
        """The base's picture, and whether it has another seed. Raises StageError where there is none."""
        if self._run is None:
            found = self._find(prompt, seed) if self._find else None
            if isinstance(found, Picture):
                return found, False
            told = (
                "the base paints in `salon train` and `salon probe` only. Name a run's folder in args.base."
            )
            raise StageError(found or Failure(NO_POLICY, told, "system", "score"))
        known = self._known.get(prompt.id, {})
        key = known.get(seed)
        other_seed = key is None and bool(known) and not self._same_seed
        key = next(iter(known.values())) if other_seed else key
        if key is None:
            told = f"the base's record has no picture for the prompt {prompt.id!r}"
            raise StageError(Failure("no_base_picture", told, "system", "score"))
        return PictureFile(self._run.picture_path(key)).load(), other_seed


def _first_pictures(run: Run) -> dict[str, dict[int, str]]:
    """prompt id → seed → picture's key, of the samples that rendered in the first step."""
    found: dict[str, dict[int, str]] = defaultdict(dict)
    columns = ["prompt_id", "seed", "picture", "failure_code"]
    rows: list[dict[str, Any]] = run.rollouts(run.steps()[:1]).select(columns).to_dicts()
    for row in rows:
        if row["picture"] and row["failure_code"] is None:
            found[row["prompt_id"]].setdefault(int(row["seed"]), row["picture"])
    return dict(found)
