"""How often does a picture win against rated references? The signal that still climbs where 0–10 scores pile
up.

Every sample of a group meets the same references, in both orders: a judge that prefers whatever comes first
says nothing (0.5), and luck in the draw moves no sample past another.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, Literal, Protocol

from salon.errors import RecipeError
from salon.types import Failure, Group, Judge, Picture, Reference, Score, Tier, Verdict

from .asking import HALF, coverage_of, nothing_to_see, part_only
from .reference_difficulty import detailed_outcomes, tell_outcomes

Reseed = Literal["step", "run"]
Mix = Literal["fill", "even"]


class Draws(Protocol):
    """What this scorer needs of a pool."""

    def draw(
        self, k: int, seed: int, tiers: Sequence[Tier] = ..., subject: str | None = ...
    ) -> list[Reference]: ...


@dataclass(frozen=True, slots=True)
class PairResult:
    """A picture and a reference, judged in both orders. p: the picture's probability to win in each order.
    against_odds: how many of the two verdicts name another winner in words than their odds.
    """

    reference: str
    p: tuple[float, float] | None
    failure: Failure | None
    reason: str = ""
    against_odds: int = 0

    @property
    def flipped(self) -> bool:
        """The two orders name different winners."""
        return self.p is not None and (self.p[0] - 0.5) * (self.p[1] - 0.5) < 0

    def outcome(self, soft: bool) -> float:
        """Soft: the mean of both orders. Hard: 1 for a win in both, 0 for a loss in both, else 0.5."""
        if self.p is None:
            raise ValueError("an unresolved comparison has no outcome")
        if soft:
            return fmean(self.p)
        return 1.0 if min(self.p) > 0.5 else 0.0 if max(self.p) < 0.5 else 0.5


class Pairwise:
    """The share of comparisons won against references of a pool, 0 … 1, over the comparisons that were
    resolved.

    Args:
        judge: who compares.
        pool: a pool's name or folder, or a pool.
        references: how many each sample meets.
        soft: mean probability of winning (True), or wins 1, disagreements 0.5 and losses 0 (False).
        reseed: "step" draws anew for each group of each step; "run" keeps a prompt's references for the
        whole run,
            so that its curve is not moved by the draw. Either way the draw follows from seed, step and
            prompt alone: all processes draw the same without talking to one another.
        tiers: whom a sample may meet. A mapping is a ladder from easy to hard, by the step from which each
            rung counts: {0: [okay, nope], 20: [love, okay]}.
        mix: "even" wants as many of each tier; "fill" fills up from one where another runs out.
        same_subject: only references of the prompt's subject.
        seed: the run's.
        min_coverage: the least share of the references with which a sample's comparison must be resolved.

    A comparison that was answered in one order only is not resolved, since its position bias cannot be taken
    out. A sample with too few resolved is missing (`low_coverage`); with some open, `details["partial"]` is
    1. `details["against/<reference>"]` is the outcome of each.
    """

    version = "2"
    asks = "compare"

    def __init__(
        self,
        judge: Judge,
        pool: str | Draws = "flowers",
        references: int = 2,
        soft: bool = True,
        reseed: Reseed = "step",
        tiers: Sequence[Tier] | Mapping[int, Sequence[Tier]] = ("love", "okay"),
        same_subject: bool = False,
        seed: int = 0,
        mix: Mix = "fill",
        min_coverage: float = HALF,
    ) -> None:
        if reseed not in ("step", "run"):
            raise RecipeError(f"pairwise: reseed is step or run, not {reseed!r}")
        if mix not in ("fill", "even"):
            raise RecipeError(f"pairwise: mix is fill or even, not {mix!r}")
        if references < 1:
            raise RecipeError(f"pairwise: at least one reference is needed, not {references}")
        self._judge = judge
        self.pool = _load(pool) if isinstance(pool, str) else pool
        self._references = references
        self._soft = soft
        self._reseed = reseed
        self._ladder = _ladder(tiers)
        self._same_subject = same_subject
        self._seed = seed
        self._least = coverage_of(min_coverage, "pairwise")
        # A pool of one's own need not know what an even mix is.
        self._mixing: dict[str, Any] = {} if mix == "fill" else {"mix": mix}
        for rung in self._ladder.values():
            self.pool.draw(references, 0, rung, None, **self._mixing)

    def score(self, group: Group) -> list[Score]:
        """One share of wins per sample, all against the same references."""
        references = self.draw(group)
        seen = [sample.picture for sample in group.samples if sample.picture is not None]
        pairs = [pair for picture in seen for ref in references for pair in both_orders(picture, ref.picture)]
        verdicts = self._judge.compare(group.prompt, pairs) if pairs else []
        if len(verdicts) != len(pairs):
            raise ValueError(f"{self._judge.identity} gave {len(verdicts)} verdicts for {len(pairs)} pairs")
        per_sample = 2 * len(references)
        chunks = iter([verdicts[at : at + per_sample] for at in range(0, len(verdicts), per_sample)])
        return [
            nothing_to_see(sample) if sample.picture is None else self._counters(references, next(chunks))
            for sample in group.samples
        ]

    def draw(self, group: Group) -> list[Reference]:
        """The references of a group."""
        parts = [self._seed, group.prompt.id]
        if self._reseed == "step":
            parts += [group.step, group.seed]
        digest = hashlib.sha256("/".join(map(str, parts)).encode()).digest()
        subject = group.prompt.subject if self._same_subject else None
        tiers = self._ladder[max(step for step in self._ladder if step <= max(0, group.step))]
        return self.pool.draw(
            self._references, int.from_bytes(digest[:4], "big"), tiers, subject or None, **self._mixing
        )

    def _counters(self, references: Sequence[Reference], verdicts: Sequence[Verdict | Failure]) -> Score:
        results = [
            pair_result(reference.id, *verdicts[2 * place : 2 * place + 2])
            for place, reference in enumerate(references)
        ]
        resolved = [result for result in results if result.p is not None]
        if not resolved:
            return Score(value=None, failure=results[0].failure)
        if len(resolved) < self._least * len(results):
            lost = next(result.failure for result in results if result.failure)
            return part_only("comparisons", len(resolved), len(results), self._least, lost)
        outcomes = {result.reference: result.outcome(self._soft) for result in resolved}
        note = "" if len(resolved) == len(results) else f" ({len(resolved)} of {len(results)} resolved)"
        return Score(
            value=fmean(outcomes.values()),
            reason=f"{tell_outcomes(outcomes)}{note}",
            details=_details(results, resolved) | detailed_outcomes(outcomes),
        )


def _ladder(tiers: Sequence[Tier] | Mapping[int, Sequence[Tier]]) -> dict[int, tuple[Tier, ...]]:
    """The step from which each rung counts; one rung for plain tiers. (JSON makes texts of the steps.)"""
    if not isinstance(tiers, Mapping):
        return {0: tuple(tiers)}
    try:
        rungs = {int(step): tuple(rung) for step, rung in tiers.items()}
    except (TypeError, ValueError) as error:
        raise RecipeError("pairwise: tiers: a ladder is {0: [okay, nope], 20: [love, okay]}") from error
    if min(rungs, default=-1) != 0:
        raise RecipeError("pairwise: tiers: a ladder begins at step 0, and no rung is below it")
    return rungs


def _load(pool: str) -> Draws:
    from salon.pool.references import Pool

    return Pool.load(pool)


def both_orders(a: Picture, b: Picture) -> list[tuple[Picture, Picture]]:
    """A pair as it is asked about: a first, then b first."""
    return [(a, b), (b, a)]


def pair_result(reference: str, first: Verdict | Failure, second: Verdict | Failure) -> PairResult:
    """Two verdicts, with the picture first and with it second, as one result."""
    for verdict in (first, second):
        if isinstance(verdict, Failure):
            # A judge that does not answer is never the picture's fault.
            return PairResult(reference, None, replace(verdict, fault="system"))
    assert isinstance(first, Verdict)
    assert isinstance(second, Verdict)
    against = sum(each.said is not None for each in (first, second))
    return PairResult(reference, (first.p_a, 1.0 - second.p_a), None, first.reason, against)


def _details(results: Sequence[PairResult], resolved: Sequence[PairResult]) -> dict[str, float]:
    """Numbers that tell a judge's consistency; rates are over resolved comparisons."""
    hard = [result.outcome(soft=False) for result in resolved]
    return {
        "asked": float(len(results)),
        "resolved": float(len(resolved)),
        "partial": float(len(resolved) < len(results)),
        "win_rate": fmean(hard),
        "flips": float(sum(result.flipped for result in resolved)),
        **order_rates(resolved),
    }


def order_rates(resolved: Sequence[PairResult]) -> dict[str, float]:
    """How the order counts, over resolved results: flip_rate (the two orders name different winners),
    tie_rate (neither wins in both), first_choice_rate (of all verdicts, how many name what was shown first;
    a verdict that ties counts as half, so that .5 is a judge whom the order leaves cold); against_odds_rate
    (of all verdicts, how many name another winner in words than their odds, which count).
    """
    pairs = [result.p for result in resolved if result.p is not None]
    first = [_side(shown_first) for shown_first, _ in pairs] + [1 - _side(second) for _, second in pairs]
    return {
        "flip_rate": fmean(float(result.flipped) for result in resolved),
        "tie_rate": fmean(float(result.outcome(soft=False) == 0.5) for result in resolved),
        "first_choice_rate": fmean(first),
        "against_odds_rate": fmean(result.against_odds / 2 for result in resolved),
    }


def _side(p: float) -> float:
    return 0.5 if p == 0.5 else float(p > 0.5)
