"""How often does a picture win against the others of its group? Every two of them meet, in both orders."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Literal

from salon.types import Failure, Group, Judge, Score

from .asking import HALF, NO_PICTURE, coverage_of, missing, not_applicable, nothing_to_see, part_only
from .pairwise import both_orders, order_rates, pair_result


class RoundRobin:
    """The share of its group mates that a sample beats, 0 … 1, over the results that were resolved.

    n samples are n (n − 1) questions to the judge. For RPO a group is a pair: two questions, and with `soft:
    false` 1 and 0, or ½ and ½ when the judge contradicts itself.

    Args:
        judge: who compares.
        soft: the mean probability to win (True), or wins 1, disagreements ½ and losses 0 (False).
        min_coverage: the least share of its results that must be resolved for a sample to have a score.

    A group with fewer than two pictures is not applicable. A result answered in one order only is not
    resolved; a sample with too few resolved ones is missing (`low_coverage`).

    Source: win rates inside the group as a reward, arXiv 2508.20751.
    """

    version = "2"
    asks = "compare"
    compares_mates: Literal[True] = True

    def __init__(self, judge: Judge, soft: bool = True, min_coverage: float = HALF) -> None:
        self._judge = judge
        self._least = coverage_of(min_coverage, "round_robin")
        self._soft = soft

    def score(self, group: Group) -> list[Score]:
        """One share of wins per sample."""
        seen = [(place, sample.picture) for place, sample in enumerate(group.samples) if sample.picture]
        if len(seen) < 2:
            return not_applicable(group, "fewer than two pictures to compare")
        results = list(combinations(seen, 2))
        pairs = [pair for (_, a), (_, b) in results for pair in both_orders(a, b)]
        verdicts = self._judge.compare(group.prompt, pairs)
        if len(verdicts) != len(pairs):
            raise ValueError(f"{self._judge.identity} gave {len(verdicts)} verdicts for {len(pairs)} pairs")
        outcomes: dict[int, list[float]] = {place: [] for place, _ in seen}
        lost: dict[int, Failure] = {}
        results_all = [pair_result("mate", *verdicts[at : at + 2]) for at in range(0, len(verdicts), 2)]
        for met, ((first, _), (second, _)) in zip(results_all, results, strict=True):
            if met.failure is not None:
                lost |= {first: met.failure, second: met.failure}
                continue
            outcome = met.outcome(self._soft)
            outcomes[first].append(outcome)
            outcomes[second].append(1.0 - outcome)
        resolved = [met for met in results_all if met.p is not None]
        rates = order_rates(resolved) if resolved else {}
        return [
            nothing_to_see(sample)
            if sample.picture is None
            else self._share(outcomes[place], len(seen) - 1, lost.get(place), rates)
            for place, sample in enumerate(group.samples)
        ]

    def _share(
        self, outcomes: Sequence[float], mates: int, lost: Failure | None, rates: Mapping[str, float]
    ) -> Score:
        if not outcomes:
            return missing(lost or NO_PICTURE)
        if len(outcomes) < self._least * mates:
            return part_only("comparisons", len(outcomes), mates, self._least, lost)
        told = f"{fmean(outcomes):.2f} against {len(outcomes)} of its group"
        return Score(fmean(outcomes), reason=told, details={"met": float(len(outcomes)), **rates})
