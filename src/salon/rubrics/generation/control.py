"""Do criteria move the judge? The control without which a judge that never reads verifies everything.

Each pair whose criteria were settled is judged three times, in both orders: by its own criteria, by none, and
by criteria that were shuffled (another pair's). Criteria count only where the judge is surer of the preferred
picture by its own than by either. All three accuracies are reported, over all settled pairs, so that what was
selected does not flatter itself.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import fmean
from typing import Annotated, Any, Literal

from pydantic import Field

from salon.errors import StageError, boundary
from salon.intervals import Interval
from salon.judges.inputs_read import CANNOT_READ
from salon.judges.measuring.accuracy import of_prompt, resampled
from salon.judges.measuring.labelled_pairs import LabelledPair
from salon.rubrics.journal import Journal, Number, Step
from salon.types import Failure, Judge, Verdict

from .arr import Trial
from .briefs import listed
from .verify import JudgeFactory, both_orders

Arm = Literal["own", "none", "shuffled"]
ARMS: tuple[Arm, ...] = ("own", "none", "shuffled")
ADVANTAGE = 1e-6
"""By how much P(preferred) must be higher to count: more than rounding."""
FOREIGN = (
    "The picture was saved on a Tuesday.",
    "Its file has a name with an even number of letters.",
)
"""Criteria about nothing that can be seen, where all pairs have the same: they must help no judge."""


@dataclass(frozen=True, slots=True)
class CriteriaAblation:
    """A pair judged by its own criteria, by none and by shuffled ones: P(preferred) shown first and second.

    `other` is the pair whose criteria were taken for the shuffled ones; empty for FOREIGN ones.
    """

    pair: str
    own: tuple[float, float]
    none: tuple[float, float]
    shuffled: tuple[float, float]
    other: str = ""

    @property
    def counts(self) -> bool:
        """Whether the pair's own criteria move the judge towards what people preferred."""
        own, none, shuffled = (fmean(each) for each in (self.own, self.none, self.shuffled))
        return own > none + ADVANTAGE and own > shuffled + ADVANTAGE


Chances = Annotated[list[Number], Field(min_length=2, max_length=2)]


class ControlledStep(Step):
    """What the judge said of a pair's criteria as they were then."""

    pair: str
    criteria: list[str]
    own: Chances
    none: Chances
    shuffled: Chances
    other: str = ""


STEPS: Mapping[str, type[Step]] = {"controlled": ControlledStep}


@dataclass(frozen=True, slots=True)
class ArmRate:
    """How often the judge was right under one arm, over `count` pairs in both orders; a tie is a half."""

    arm: Arm
    accuracy: float | None
    interval: Interval | None
    count: int


def controls(
    trials: Sequence[Trial],
    pairs: Sequence[LabelledPair],
    judge: Judge,
    guide: JudgeFactory,
    journal: Journal,
    concurrency: int = 4,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> dict[str, CriteriaAblation | Failure]:
    """One control per pair whose criteria are settled, by the pair's id. What was found is in the journal;
    where nobody answers there is a failure, and the next run asks again.

    Args:
        trials, pairs: in the same order; those with criteria are controlled.
        judge: without criteria. guide: the same judge by some.
    """
    settled = [(trial, pair) for trial, pair in zip(trials, pairs, strict=True) if _is_settled(trial)]
    known = {step["pair"]: step for step in journal.steps if step["step"] == "controlled"}
    done = 0

    def one(place: int) -> CriteriaAblation | Failure:
        nonlocal done
        trial, pair = settled[place]
        other, foil = _shuffled([each for each, _ in settled], place)
        step = known.get(pair.id)
        if step is None or step["criteria"] != list(trial.criteria):
            with boundary("judge") as caught:
                asked = {
                    "own": _asked(guide(listed(trial.criteria)), pair),
                    "none": _asked(judge, pair),
                    "shuffled": _foiled(guide, foil, pair),
                }
                step = {
                    "pair": pair.id,
                    "step": "controlled",
                    "criteria": list(trial.criteria),
                    "other": other,
                }
                step |= {arm: list(chances) for arm, chances in asked.items()}
            if caught.failure:
                return caught.failure
            journal.append(step)
        done += 1
        tell(done, len(settled))
        return _control(step)

    with ThreadPoolExecutor(concurrency, thread_name_prefix="control") as threads:
        found = list(threads.map(one, range(len(settled))))
    return {pair.id: each for (_, pair), each in zip(settled, found, strict=True)}


def rates(found: Sequence[CriteriaAblation], pairs: Sequence[LabelledPair], seed: int = 0) -> list[ArmRate]:
    """The three accuracies over the same pairs, with intervals over prompts."""
    by_id = {pair.id: pair for pair in pairs}
    units: list[Sequence[Hashable]] = [of_prompt(by_id[each.pair]) for each in found]
    made: list[ArmRate] = []
    for arm in ARMS:
        right = [fmean(_credit(p) for p in _chances(each, arm)) for each in found]
        accuracy = fmean(right) if right else None
        made.append(ArmRate(arm, accuracy, resampled(right, units, seed), len(right)))
    return made


def _is_settled(trial: Trial) -> bool:
    return bool(trial.criteria) and trial.rounds[-1].passed is not None


def _shuffled(trials: Sequence[Trial], place: int) -> tuple[str, Sequence[str]]:
    """The next pair with other criteria, of another one's words where there is such; else foreign ones."""
    own = _folded(trials[place].criteria)
    for step in range(1, len(trials)):
        other = trials[(place + step) % len(trials)]
        if not own & _folded(other.criteria):
            return other.pair, other.criteria
    return "", FOREIGN


def _folded(criteria: Sequence[str]) -> set[str]:
    return {" ".join(each.lower().split()).rstrip(".") for each in criteria}


def _foiled(guide: JudgeFactory, foil: Sequence[str], pair: LabelledPair) -> tuple[float, float]:
    """P(preferred) by criteria of something else. A judge that refuses them by name has read them, and they
    tell it nothing: a half.
    """
    try:
        return _asked(guide(listed(foil)), pair)
    except StageError as error:
        if error.failure.code != CANNOT_READ:
            raise
        return 0.5, 0.5


def _asked(judge: Judge, pair: LabelledPair) -> tuple[float, float]:
    """P(preferred), shown first and second. Raises StageError where nobody answers."""
    chances: list[float] = []
    for found in both_orders(judge, pair):
        if isinstance(found, Failure):
            raise StageError(found)
        assert isinstance(found, Verdict)
        chances.append(found.p_a)
    return chances[0], 1.0 - chances[1]


def _control(step: dict[str, Any]) -> CriteriaAblation:
    own, none, shuffled = (tuple(map(float, step[arm])) for arm in ARMS)
    return CriteriaAblation(step["pair"], own, none, shuffled, step.get("other", ""))  # type: ignore[arg-type]


def _chances(control: CriteriaAblation, arm: Arm) -> tuple[float, float]:
    return {"own": control.own, "none": control.none, "shuffled": control.shuffled}[arm]


def _credit(p: float) -> float:
    return 0.5 if p == 0.5 else float(p > 0.5)
