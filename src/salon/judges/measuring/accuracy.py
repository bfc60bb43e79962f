"""What a judge is worth: both orders of pairs whose better picture is known, the winner first.

acc_first is the share that is right with the winner shown first, acc_second with it shown second; their
mean is the judge's accuracy, their difference Δ its position gap. With the winner first and a tie counted
as half, Δ = 2 · P(picks the first) − 1 exactly; on pairs stored in random order a judge that always picks
the first would get Δ = 0, which is why the order is fixed here.
"""

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from salon.errors import StageError, boundary
from salon.intervals import Interval, widened, wilson
from salon.judges.source_image import judge_of_edits
from salon.types import Failure, Judge, Picture, Verdict

from .labelled_pairs import LabelledPair, asked_of, load_pair

BATCH = 32
Units = Callable[[LabelledPair], Sequence[Hashable]]
"""What is drawn anew for an interval: the keys of a pair, all of them prompts or all of them pictures."""


def of_prompt(pair: LabelledPair) -> Sequence[Hashable]:
    """A pair's prompt."""
    return (pair.prompt.id,)


@dataclass(frozen=True, slots=True)
class PairResult:
    """A pair and its two verdicts. `first` was shown the winner as a, `second` as b; a failure where none
    came. `margin`, of a scorer: a's score minus b's.
    """

    pair: LabelledPair
    first: Verdict | Failure
    second: Verdict | Failure
    margin: float | None = None

    @property
    def right(self) -> tuple[float | None, float | None]:
        """1 right, 0 wrong, 0.5 a tie, None no answer: with the winner first, and with it second."""
        return _credit(self.first, wants_a=True), _credit(self.second, wants_a=False)

    @property
    def complete(self) -> bool:
        """Whether both orders were answered."""
        return None not in self.right

    @property
    def outcome(self) -> float | None:
        """Both orders as one comparison: 1 where they agree on the winner, 0 on the loser, 0.5 otherwise."""
        first, second = self.right
        if first is None or second is None:
            return None
        return first if first == second else 0.5

    @property
    def flipped(self) -> bool:
        """Whether the two orders named different pictures."""
        first, second = self.right
        return first is not None and second is not None and {first, second} == {0.0, 1.0}


@dataclass(frozen=True, slots=True)
class Measurement:
    """A judge's numbers on some pairs. Rates are None where nothing counts; intervals are 95 %.

    pairs: asked. answered_first, answered_second: verdicts per order. complete: pairs with both.
    acc_first, acc_second: over the verdicts of that order. accuracy, gap, flips, ties: over complete pairs;
    flips and ties are shares of pairs whose orders disagreed, and of verdicts that named nobody.
    agreed: share of complete pairs that both orders got right. failures: by code.
    """

    pairs: int
    complete: int
    answered_first: int
    answered_second: int
    acc_first: float | None
    acc_first_interval: Interval | None
    acc_second: float | None
    acc_second_interval: Interval | None
    accuracy: float | None
    accuracy_interval: Interval | None
    gap: float | None
    gap_interval: Interval | None
    agreed: float | None
    flips: float | None
    ties: float | None
    failures: dict[str, int]

    @property
    def coverage(self) -> float | None:
        """The share of the asked pairs that both orders were answered for."""
        return self.complete / self.pairs if self.pairs else None

    def row(self) -> dict[str, Any]:
        """Everything as JSON takes it."""
        fields = Measurement.__dataclass_fields__
        return {name: getattr(self, name) for name in fields} | {"coverage": self.coverage}


def ask(
    judge: Judge,
    pairs: Sequence[LabelledPair],
    tell: Callable[[int, int], None] = lambda done, of: None,
    at_once: int = 8,
) -> Iterator[PairResult]:
    """Every pair in both orders, in order, several prompts at once; `tell` hears how many are done.

    A picture that cannot be read and a judge that does not answer are failures in the result; nothing is
    raised. Of edits, a judge of edits sees the picture before; any other one sees it left of each.
    """
    done = 0
    with ThreadPoolExecutor(at_once, thread_name_prefix="measure") as threads:
        for found in _ahead(threads, judge, _batches(pairs), 2 * at_once):
            done += len(found)
            tell(done, len(pairs))
            yield from found


def _ahead(
    threads: ThreadPoolExecutor, judge: Judge, batches: Iterator[list[LabelledPair]], limit: int
) -> Iterator[list[PairResult]]:
    """The results of each batch, in order; `limit` batches under way, so that few pictures are in memory."""
    waiting: deque[Future[list[PairResult]]] = deque()
    for batch in batches:
        waiting.append(threads.submit(_ask, judge, batch))
        if len(waiting) == limit:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def measure(results: Sequence[PairResult], seed: int = 0, units: Units = of_prompt) -> Measurement:
    """The numbers, over the results that have a winner.

    Intervals of accuracy and gap draw whole units anew: by default prompts, since pairs of one prompt
    resemble each other; for pairs that share pictures, pictures.
    """
    results = [result for result in results if result.pair.label in ("a", "b")]
    rights = [result.right for result in results]
    firsts = [first for first, _ in rights if first is not None]
    seconds = [second for _, second in rights if second is not None]
    whole = [
        (result, f, s)
        for result, (f, s) in zip(results, rights, strict=True)
        if f is not None and s is not None
    ]
    drawn = [units(result.pair) for result, _, _ in whole]
    means = [(first + second) / 2 for _, first, second in whole]
    gaps = [first - second for _, first, second in whole]
    failures: dict[str, int] = {}
    for found in (found for result in results for found in (result.first, result.second)):
        if isinstance(found, Failure):
            failures[found.code] = failures.get(found.code, 0) + 1
    ties = [each == 0.5 for _, first, second in whole for each in (first, second)]
    return Measurement(
        pairs=len(results),
        complete=len(whole),
        answered_first=len(firsts),
        answered_second=len(seconds),
        acc_first=_mean(firsts),
        acc_first_interval=wilson(sum(firsts), len(firsts)),
        acc_second=_mean(seconds),
        acc_second_interval=wilson(sum(seconds), len(seconds)),
        accuracy=_mean(means),
        accuracy_interval=resampled(means, drawn, seed),
        gap=_mean(gaps),
        gap_interval=bootstrap_difference(gaps, drawn, seed),
        agreed=_mean([float(first == second == 1.0) for _, first, second in whole]),
        flips=_mean([float(result.flipped) for result, _, _ in whole]),
        ties=_mean([float(tie) for tie in ties]),
        failures=dict(sorted(failures.items())),
    )


def resampled(
    values: Sequence[float], units: Sequence[Sequence[Hashable]], seed: int = 0, draws: int = 2000
) -> Interval | None:
    """95 % percentile interval of the mean of values in 0 … 1 when units are drawn anew, with replacement.

    A value counts as often as all its units were drawn, multiplied: two pictures drawn twice and once give
    two of their pair. Equal values have no width, and few units too little: Wilson's interval over what is
    independent (of pairs that share pictures, half as many as there are pictures) is given where it is wider.
    None without values.
    """
    if not values:
        return None
    names = list(dict.fromkeys(unit for each in units for unit in each))
    independent = max(1, min(len(values), len(names) // max(1, max(len(each) for each in units))))
    if min(values) == max(values):
        return wilson(values[0] * independent, independent)
    place = {name: index for index, name in enumerate(names)}
    rows_VU = np.array([[place[unit] for unit in each] for each in units])
    rng = np.random.default_rng(seed)
    values_V = np.asarray(values)
    means: list[float] = []
    for _ in range(draws):
        times_N = np.bincount(rng.integers(0, len(names), len(names)), minlength=len(names))
        weights_V = times_N[rows_VU].prod(axis=1)
        if total := weights_V.sum():
            means.append(float(weights_V @ values_V / total))
    low, high = np.quantile(means, [0.025, 0.975])
    mean = float(values_V.mean())
    return widened((min(float(low), mean), max(float(high), mean)), mean, independent)


def bootstrap_difference(
    values: Sequence[float], units: Sequence[Sequence[Hashable]], seed: int = 0
) -> Interval | None:
    """The same for values in -1 … 1. Where all are equal, so many others may still be among the units as
    Wilson's interval for none of them allows: twenty units that all gave 0 are 0 ± 0.16.
    """
    if values and min(values) == max(values):
        _, others = wilson(0, len({unit for each in units for unit in each})) or (0.0, 1.0)
        return values[0] - others * (1 + values[0]), values[0] + others * (1 - values[0])
    moved = resampled([(value + 1) / 2 for value in values], units, seed)
    return (2 * moved[0] - 1, 2 * moved[1] - 1) if moved else None


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _credit(found: Verdict | Failure, wants_a: bool) -> float | None:
    if isinstance(found, Failure):
        return None
    return 0.5 if found.p_a == 0.5 else float((found.p_a > 0.5) == wants_a)


def _batches(pairs: Sequence[LabelledPair]) -> Iterator[list[LabelledPair]]:
    """Runs of pairs with one prompt (and one picture before), at most BATCH each: what one call of `compare`
    takes.
    """
    batch: list[LabelledPair] = []
    for pair in pairs:
        like = bool(batch) and batch[-1].prompt == pair.prompt and batch[-1].before == pair.before
        if batch and (len(batch) == BATCH or not like):
            yield batch
            batch = []
        batch.append(pair)
    if batch:
        yield batch


def _ask(judge: Judge, batch: Sequence[LabelledPair]) -> list[PairResult]:
    beside = judge_of_edits(judge) is None
    loaded = [_load(pair, beside) for pair in batch]
    shown = [pictures for pictures in loaded if not isinstance(pictures, Failure)]
    orders = [order for a, b in shown for order in ((a, b), (b, a))]
    verdicts = iter(_compare(judge, batch[0], orders))
    return [
        PairResult(pair, pictures, pictures)
        if isinstance(pictures, Failure)
        else PairResult(pair, next(verdicts), next(verdicts))
        for pair, pictures in zip(batch, loaded, strict=True)
    ]


def _compare(
    judge: Judge, pair: LabelledPair, orders: Sequence[tuple[Picture, Picture]]
) -> Sequence[Verdict | Failure]:
    with boundary("judge") as caught:
        found = _verdicts(judge, pair, orders) if orders else []
        if len(found) != len(orders):
            raise ValueError(f"{judge.identity} gave {len(found)} verdicts for {len(orders)} pairs")
        return found
    assert caught.failure is not None
    return [caught.failure] * len(orders)


def _verdicts(
    judge: Judge, pair: LabelledPair, orders: Sequence[tuple[Picture, Picture]]
) -> Sequence[Verdict | Failure]:
    editor = judge_of_edits(judge)
    if editor is not None and pair.before is not None:
        return editor.compare_edits(pair.prompt, orders, pair.before.load())
    return judge.compare(replace(pair.prompt, text=asked_of(pair)), orders)


def _load(pair: LabelledPair, beside: bool) -> tuple[Picture, Picture] | Failure:
    try:
        return load_pair(pair, beside)
    except StageError as error:
        return error.failure
