"""How benchmarks count themselves: by the rules of the scripts that their publishers ship, so that a number
can stand beside theirs. Pure functions of the results.

- `mmrb2`: the judgements of both orders in one pot; one that is missing is left out, a tie is wrong.
- `genai`: with the left picture shown first; a plain tie is right for both kinds of ties, no answer is wrong.
  Beside it, four classes and three with both kinds merged, also with both orders as one answer.
- `ranking` (TIGER's EditReward-Bench): pairs with the margin for ties that suits best where a row ranks two,
  and over all pairs; without ties where it ranks three or four; whole rankings, right only if all pairs are.
- `editscore`: the first output has the higher score; per dimension and task, then the mean over tasks.
- `pickapic`: 1 for the right answer, a half where one of people and judge sees a tie, as in the paper; and as
  its script counts, where a judge's own tie is worth nothing.

Checked against the publishers' code, see docs/measuring-judges.md. Ties by the margin that suits best:
arXiv 2305.14324.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from salon.intervals import Interval
from salon.judges.measuring.accuracy import PairResult, resampled
from salon.types import Failure, Verdict

from .benchmarks import DIMENSIONS, Benchmark


@dataclass(frozen=True, slots=True)
class Extra:
    """A number of the benchmark's own, over `count` pairs, judgements or rankings; None where nothing
    counts.
    """

    name: str
    value: float | None
    count: int
    interval: Interval | None = None


def own_counts(benchmark: Benchmark, results: Sequence[PairResult], seed: int) -> list[Extra]:
    """What a benchmark counts beside accuracy and gap."""
    if benchmark.scheme == "mmrb2":
        return [_mmrb2(results, seed)]
    if benchmark.scheme == "genai":
        return _genai(results, seed)
    if benchmark.scheme == "ranking":
        return _ranking(benchmark, results, seed)
    if benchmark.scheme == "editscore":
        return _editscore(results)
    if benchmark.scheme == "pickapic":
        return [
            _share("with ties as halves", results, _half_credit, seed),
            _share("published script (the judge's ties are worth 0)", results, _pickapic_credit, seed),
        ]
    return []


def stored_order(result: PairResult) -> Verdict | Failure:
    """The verdict with picture a shown first."""
    return result.second if result.pair.label == "b" else result.first


def margin_of_a(result: PairResult) -> float | None:
    """By how much a is better: the difference of a scorer's scores, else P(a is better) − ½, the mean over
    both orders; None where one was not answered.
    """
    if isinstance(result.first, Failure) or isinstance(result.second, Failure):
        return None
    if result.margin is not None:
        return result.margin
    gap = (result.first.p_a - result.second.p_a) / 2
    return -gap if result.pair.label == "b" else gap


def both_orders(result: PairResult) -> str | None:
    """a, b or tie by both orders: a winner only where they agree; None where one was not answered."""
    if isinstance(result.first, Failure) or isinstance(result.second, Failure):
        return None
    seen_first, seen_second = result.first.winner, {"a": "b", "b": "a", "tie": "tie"}[result.second.winner]
    if seen_first != seen_second or seen_first == "tie":
        return "tie"
    swapped = result.pair.label == "b"
    return {"a": "b", "b": "a"}[seen_first] if swapped else seen_first


def calibrated(labels: Sequence[int], margins: Sequence[float]) -> tuple[float, float] | None:
    """Accuracy over three classes with the margin for a tie that suits best, and that margin: 0, or the
    smallest that is as good. Chosen on the same pairs, so a bit too good. None without pairs.

    Args:
        labels: 1 where a is better, −1 where b is, 0 for a tie.
        margins: by how much a is better; at most the chosen one, either way, is a tie.

    Example: labels 1, 0, −1 and margins .9, .2, −.1 give (2/3, 0.0): a margin of .2 would make a tie of .1.
    """
    if not labels:
        return None
    order = sorted(range(len(labels)), key=lambda at: abs(margins[at]))
    right = sum(_sign(margins[at]) == labels[at] for at in order)
    best, chosen, place = right, 0.0, 0
    while place < len(order):
        size = abs(margins[order[place]])
        while place < len(order) and abs(margins[order[place]]) == size:
            at = order[place]
            right += (labels[at] == 0) - (_sign(margins[at]) == labels[at])
            place += 1
        if right > best:
            best, chosen = right, size
    return best / len(labels), chosen


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _share(
    name: str, results: Sequence[PairResult], credit: Callable[[PairResult], float | None], seed: int
) -> Extra:
    found = [(value, (result.pair.prompt.id,)) for result in results if (value := credit(result)) is not None]
    values = [value for value, _ in found]
    return Extra(name, _mean(values), len(values), resampled(values, [unit for _, unit in found], seed))


def _mmrb2(results: Sequence[PairResult], seed: int) -> Extra:
    right: list[float] = []
    units: list[tuple[str]] = []
    for result in results:
        for credit in result.right:
            if credit is not None:
                right.append(float(credit == 1.0))
                units.append((result.pair.prompt.id,))
    lost = sum(result.right == (None, None) for result in results)
    name = f"judgements of both orders in one pot (published script; {lost} pairs without any)"
    return Extra(name, _mean(right), len(right), resampled(right, units, seed))


def _genai(results: Sequence[PairResult], seed: int) -> list[Extra]:
    def one_order(result: PairResult) -> str | None:
        found = stored_order(result)
        return None if isinstance(found, Failure) else found.winner

    def right(said: Callable[[PairResult], str | None], merged: bool) -> Callable[[PairResult], float | None]:
        def credit(result: PairResult) -> float | None:
            label = "tie" if merged and result.pair.label == "both_bad" else result.pair.label
            return None if (answer := said(result)) is None else float(answer == label)

        return credit

    def published(result: PairResult) -> float:
        return right(one_order, True)(result) or 0.0

    name = "published script: left shown first, a plain tie is right for both kinds, no answer is wrong"
    return [
        _share(name, results, published, seed),
        _share("4-way, left shown first", results, right(one_order, False), seed),
        _share("3-way, left shown first (ties merged)", results, right(one_order, True), seed),
        _share("4-way, both orders", results, right(both_orders, False), seed),
        _share("3-way, both orders", results, right(both_orders, True), seed),
    ]


def _half_credit(result: PairResult) -> float | None:
    said = both_orders(result)
    if said is None:
        return None
    value = {"a": 1.0, "tie": 0.5, "both_bad": 0.5, "b": 0.0}
    return 1.0 - abs(value[said] - value[result.pair.label])


def _pickapic_credit(result: PairResult) -> float | None:
    margin = margin_of_a(result)
    if margin is None:
        return None
    return {"a": float(margin > 0), "b": float(margin < 0), "tie": 0.5 * (margin != 0)}[result.pair.label]


_TASKS: Mapping[str, tuple[str, ...]] = {
    "object": ("subject-add", "subject-remove", "subject-replace"),
    "appearance": ("color_alter", "material_alter", "style_change", "tone_transfer"),
    "scene": ("background_change", "extract"),
    "advanced": ("ps_human", "text_change", "motion_change", "compose"),
}
"""EditScore's groups of its thirteen tasks."""


def _editscore(results: Sequence[PairResult]) -> list[Extra]:
    found: list[Extra] = []
    for dimension in DIMENSIONS:
        tasks: dict[str, list[float]] = {}
        for result in results:
            if result.pair.aspect == dimension and (said := both_orders(result)) is not None:
                tasks.setdefault(result.pair.category, []).append(float(said == result.pair.label))
        means = {name: sum(values) / len(values) for name, values in sorted(tasks.items())}
        found.append(Extra(f"{dimension}, mean over tasks", _mean(list(means.values())), len(means)))
        for group, names in _TASKS.items():
            if set(names) <= set(means):
                group_mean = _mean([means[name] for name in names])
                found.append(Extra(f"{dimension}, {group} tasks", group_mean, len(names)))
        found += [Extra(f"{dimension}, {name}", means[name], len(tasks[name])) for name in means]
    return found


_SIZES = {"2-way": 1, "3-way": 3, "4-way": 6}
"""How many pairs a ranking of so many edits has."""


def _ranking(benchmark: Benchmark, results: Sequence[PairResult], seed: int) -> list[Extra]:
    known = {result.pair.id: result for result in results}
    groups = [[known[name] for name in names] for names in benchmark.groups.values()]
    of = {ways: [group for group in groups if len(group) == size] for ways, size in _SIZES.items()}
    pairs, tie = _calibrated("2-way, pairs", [result for group in of["2-way"] for result in group])
    extras = [pairs]
    for ways in ("3-way", "4-way"):
        several = [result for group in of[ways] for result in group]
        extras.append(_share(f"{ways}, pairs, without ties", several, _without_ties, seed))
    extras.append(_calibrated("all pairs", results)[0])

    def strict(group: Sequence[PairResult]) -> float | None:
        return _strict(group, tie)

    extras += [_of_groups(f"{ways}, strict", of[ways], strict, seed) for ways in of]
    extras.append(_of_groups("all rankings, strict", groups, strict, seed))
    if any(result.margin is None for result in results if margin_of_a(result) is not None):
        told = "strict, candidates shown as stored (published script for judges)"
        extras += [_of_groups(f"{ways}, {told}", of[ways], _as_stored, seed) for ways in of]
    return extras


def _of_groups(
    name: str,
    groups: Sequence[Sequence[PairResult]],
    right: Callable[[Sequence[PairResult]], float | None],
    seed: int,
) -> Extra:
    found = [(value, (group[0].pair.prompt.id,)) for group in groups if (value := right(group)) is not None]
    values = [value for value, _ in found]
    return Extra(name, _mean(values), len(values), resampled(values, [unit for _, unit in found], seed))


def _calibrated(name: str, results: Sequence[PairResult]) -> tuple[Extra, float]:
    seen = [(result, margin) for result in results if (margin := margin_of_a(result)) is not None]
    labels = [{"a": 1, "b": -1}.get(result.pair.label, 0) for result, _ in seen]
    found = calibrated(labels, [margin for _, margin in seen])
    if found is None:
        return Extra(f"{name}, best margin for ties", None, 0), 0.0
    accuracy, margin = found
    return Extra(f"{name}, best margin for ties ({margin:.3g})", accuracy, len(seen)), margin


def _without_ties(result: PairResult) -> float | None:
    margin = margin_of_a(result)
    if margin is None or result.pair.label not in ("a", "b"):
        return None
    return float(margin > 0 if result.pair.label == "a" else margin < 0)


def _strict(group: Sequence[PairResult], tie: float) -> float | None:
    """1 where all pairs of a ranking are right, 0 where one is not; None where one was not answered."""
    if any(margin_of_a(result) is None for result in group):
        return None
    return float(all(_right(result, tie if len(group) == 1 else 0.0) for result in group))


def _right(result: PairResult, tie: float) -> bool:
    """A judge is right where both orders say so; a scorer where its scores do. Equal scores rank nobody (the
    published script leaves their order to the sort).
    """
    if result.margin is None:
        return both_orders(result) == result.pair.label
    if result.pair.label not in ("a", "b"):
        return abs(result.margin) <= tie
    return result.margin > 0 if result.pair.label == "a" else result.margin < 0


def _as_stored(group: Sequence[PairResult]) -> float | None:
    """Whether all pairs are right with the first candidate shown first. One that was not answered is wrong,
    unless none was; the published script counts so.
    """
    said = [None if isinstance(found := stored_order(result), Failure) else found.winner for result in group]
    if not any(said):
        return None
    return float(all(each == result.pair.label for each, result in zip(said, group, strict=True)))


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
