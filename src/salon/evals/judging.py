"""What a judge is worth on a benchmark: accuracy per order, position gap, ties, coverage, by category.

Beside these, a benchmark has its own way of counting:

- `genai`: four classes of votes with the left picture shown first (official), and three with both kinds of
ties
  merged; also with both orders as one answer, where disagreement is a tie.
- `ranking`: pairs with ties by the best margin, and whole rankings, right only if all their pairs are.
- `editscore`: both orders as one answer, ties wrong; per task, then the mean over tasks.
- `pickapic`: 1 for the right answer, a half where one of people and judge sees a tie, else 0.
"""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from salon.errors import RecipeError
from salon.extend import did_you_mean
from salon.intervals import Interval
from salon.judges.measure import Duel, Measurement, ask, measure, resampled
from salon.judges.taste import TasteJudge
from salon.rewards.recipe import load_reward
from salon.rubrics.recipe import Part, build_judge
from salon.rubrics.rubric import criteria_text
from salon.store import write_atomic
from salon.types import Failure, Judge, Verdict

from .benchmarks import Benchmark
from .scored import NamedScorer, Scored, duels_of


@dataclass(frozen=True, slots=True)
class Extra:
    """A number of the benchmark's own, over `count` pairs or rankings; None where nothing counts."""

    name: str
    value: float | None
    count: int
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """A judge on a benchmark. `categories` has the same numbers per category, where there are several.
    `scored`: of a scorer, how many pictures have a score.
    """

    benchmark: str
    judge: str
    total: Measurement
    categories: dict[str, Measurement]
    extras: tuple[Extra, ...]
    undecided: int
    scored: Scored | None = None

    def row(self) -> dict[str, Any]:
        """Everything as JSON takes it."""
        extras = [
            {"name": e.name, "value": e.value, "count": e.count, "interval": e.interval} for e in self.extras
        ]
        return {
            "benchmark": self.benchmark,
            "judge": self.judge,
            **self.total.row(),
            "pairs_without_winner": self.undecided,
            **({"scored": asdict(self.scored)} if self.scored else {}),
            "categories": {name: found.row() for name, found in self.categories.items()},
            "extras": extras,
        }

    def markdown(self) -> str:
        """The report for people."""
        who = f"{'scorer' if self.scored else 'judge'}: {self.judge}"
        lines = [f"# {self.benchmark}", "", who, "", *_HEAD, _line("all", self.total)]
        lines += [_line(name, found) for name, found in self.categories.items()]
        lines += [
            "",
            f"Both orders right: {_rate(self.total.agreed)}. Orders that disagree:"
            f" {_rate(self.total.flips)}.",
        ]
        if self.scored:
            lines.append(f"Each picture was scored once for its prompt. {self.scored.line()}")
        if self.undecided:
            lines.append(f"{self.undecided} pairs have no winner; the table leaves them out.")
        if self.total.failures:
            told = ", ".join(f"{count} × {code}" for code, count in self.total.failures.items())
            lines.append(f"Verdicts that are missing: {told}.")
        if self.extras:
            lines += ["", "| counted its own way | value | of |", "|---|---|---|"]
            lines += [f"| {e.name} | {_rate(e.value)}{_span(e.interval)} | {e.count} |" for e in self.extras]
        lines += ["", "Δ is winner first minus winner second. Intervals are 95 %."]
        return "\n".join(lines) + "\n"


_HEAD = (
    "| pairs | winner first | winner second | accuracy | position gap Δ | ties | answered |",
    "|---|---|---|---|---|---|---|",
)


def evaluate_judge(
    judge: Judge,
    benchmark: Benchmark,
    seed: int = 0,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> tuple[JudgeReport, list[Duel]]:
    """Ask about every pair in both orders, and count.

    Returns:
        the report, and the duels it is made from, in the benchmark's order.
    """
    duels = list(ask(judge, benchmark.pairs, tell))
    return _reported(judge.identity, duels, benchmark, seed), duels


def evaluate_scorer(
    scorer: NamedScorer,
    benchmark: Benchmark,
    tie: float = 0.0,
    seed: int = 0,
    tell: Callable[[int, int], None] = lambda done, of: None,
    groups_at_once: int = 1,
) -> tuple[JudgeReport, list[Duel]]:
    """Score each picture once, give each pair to the higher number (see salon.evals.scored), and count.

    Returns:
        the report, and the duels it is made from, in the benchmark's order.
    """
    duels, scored = duels_of(scorer, benchmark.pairs, tie, tell, groups_at_once)
    return _reported(scorer.identity, duels, benchmark, seed, scored), duels


def _reported(
    identity: str, duels: Sequence[Duel], benchmark: Benchmark, seed: int, scored: Scored | None = None
) -> JudgeReport:
    names = sorted({duel.pair.category for duel in duels})
    parts = {name: [duel for duel in duels if duel.pair.category == name] for name in names}
    decided = {name: part for name, part in parts.items() if any(d.pair.label in ("a", "b") for d in part)}
    return JudgeReport(
        benchmark.name,
        identity,
        measure(duels, seed, benchmark.units),
        {n or "(none)": measure(p, seed, benchmark.units) for n, p in decided.items()}
        if len(names) > 1
        else {},
        tuple(_extras(benchmark, duels, seed)),
        sum(duel.pair.label not in ("a", "b") for duel in duels),
        scored,
    )


def drawn(benchmark: Benchmark, limit: int | None, seed: int) -> Benchmark:
    """At most `limit` of its pairs, drawn by the seed; rankings are drawn whole."""
    if limit is None or limit >= len(benchmark.pairs):
        return benchmark
    if not benchmark.groups:
        picked = set(random.Random(seed).sample([pair.id for pair in benchmark.pairs], limit))
        return replace(benchmark, pairs=tuple(pair for pair in benchmark.pairs if pair.id in picked))
    names = random.Random(seed).sample(list(benchmark.groups), len(benchmark.groups))
    groups: dict[str, tuple[str, ...]] = {}
    for name in names:
        if sum(map(len, groups.values())) + len(benchmark.groups[name]) > limit:
            break
        groups[name] = benchmark.groups[name]
    kept = {name for names in groups.values() for name in names}
    return replace(benchmark, pairs=tuple(p for p in benchmark.pairs if p.id in kept), groups=groups)


def judge_of(name: str, recipe: str | None = None, criteria: str | None = None) -> Judge:
    """The judge that a name means: one of a recipe's judges, or a learned judge; with criteria from a file.

    Raises:
        RecipeError: no such judge, it does not compare, or it cannot go by criteria.
    """
    if recipe is not None:
        judges = load_reward(recipe).judges
        if name not in judges:
            raise RecipeError(
                f"{recipe}: --judge {name!r} is not in its `judges`.{did_you_mean(name, judges)}"
            )
        judge, guide = build_judge(Part(kind=judges[name].kind, **judges[name].args), f"judges.{name}")
    else:
        judge, guide = TasteJudge.load(name), None
    if criteria is None:
        return judge
    if guide is None:
        raise RecipeError(f"--criteria: {judge.identity} cannot go by criteria; a vision-language model can")
    return guide(criteria_text(criteria))


def write_judging(report: JudgeReport, duels: Sequence[Duel], out: Path) -> None:
    """report.md, report.json, and verdicts.jsonl with a line per pair.

    Raises:
        RecipeError: `out` is a file.
    """
    if out.is_file():
        raise RecipeError(f"{out}: is a file. Name a folder.")
    write_atomic(out / "report.md", report.markdown().encode())
    write_atomic(out / "report.json", json.dumps(report.row(), indent=2, ensure_ascii=False).encode() + b"\n")
    lines = [json.dumps(_duel_row(duel), ensure_ascii=False) for duel in duels]
    write_atomic(out / "verdicts.jsonl", ("\n".join(lines) + "\n").encode())


def _duel_row(duel: Duel) -> dict[str, Any]:
    row: dict[str, Any] = {"pair": duel.pair.id, "category": duel.pair.category, "label": duel.pair.label}
    for name, found in (("winner_first", duel.first), ("winner_second", duel.second)):
        if isinstance(found, Failure):
            row[name] = {"failure": found.code, "message": found.message}
        else:
            row[name] = {"p_first": found.p_a, "reason": found.reason}
    return row


def stored_order(duel: Duel) -> Verdict | Failure:
    """The verdict with picture a shown first."""
    return duel.second if duel.pair.label == "b" else duel.first


def chance_of_a(duel: Duel) -> float | None:
    """P(a is better), the mean over both orders; None where one was not answered."""
    if isinstance(duel.first, Failure) or isinstance(duel.second, Failure):
        return None
    first = (duel.first.p_a + 1.0 - duel.second.p_a) / 2
    return 1.0 - first if duel.pair.label == "b" else first


def both_orders(duel: Duel) -> str | None:
    """a, b or tie by both orders: a winner only where they agree; None where one was not answered."""
    if isinstance(duel.first, Failure) or isinstance(duel.second, Failure):
        return None
    seen_first, seen_second = duel.first.winner, {"a": "b", "b": "a", "tie": "tie"}[duel.second.winner]
    if seen_first != seen_second or seen_first == "tie":
        return "tie"
    swapped = duel.pair.label == "b"
    return {"a": "b", "b": "a"}[seen_first] if swapped else seen_first


def _extras(benchmark: Benchmark, duels: Sequence[Duel], seed: int) -> list[Extra]:
    if benchmark.scheme == "genai":
        return _genai(duels, seed)
    if benchmark.scheme == "ranking":
        return _ranking(benchmark, duels, seed)
    if benchmark.scheme == "editscore":
        return _editscore(duels)
    if benchmark.scheme == "pickapic":
        return [_share("with ties as halves", duels, _half_credit, seed)]
    return []


def _share(name: str, duels: Sequence[Duel], credit: Callable[[Duel], float | None], seed: int) -> Extra:
    found = [(value, (duel.pair.prompt.id,)) for duel in duels if (value := credit(duel)) is not None]
    values = [value for value, _ in found]
    mean = sum(values) / len(values) if values else None
    return Extra(name, mean, len(values), resampled(values, [unit for _, unit in found], seed))


def _genai(duels: Sequence[Duel], seed: int) -> list[Extra]:
    def one_order(duel: Duel) -> str | None:
        found = stored_order(duel)
        return None if isinstance(found, Failure) else found.winner

    def right(said: Callable[[Duel], str | None], merged: bool) -> Callable[[Duel], float | None]:
        def credit(duel: Duel) -> float | None:
            label = "tie" if merged and duel.pair.label == "both_bad" else duel.pair.label
            return None if (answer := said(duel)) is None else float(answer == label)

        return credit

    return [
        _share("4-way, left shown first (official)", duels, right(one_order, False), seed),
        _share("3-way, left shown first (ties merged)", duels, right(one_order, True), seed),
        _share("4-way, both orders", duels, right(both_orders, False), seed),
        _share("3-way, both orders", duels, right(both_orders, True), seed),
    ]


def _half_credit(duel: Duel) -> float | None:
    said = both_orders(duel)
    if said is None:
        return None
    value = {"a": 1.0, "tie": 0.5, "both_bad": 0.5, "b": 0.0}
    return 1.0 - abs(value[said] - value[duel.pair.label])


def _editscore(duels: Sequence[Duel]) -> list[Extra]:
    tasks: dict[str, list[float]] = {}
    for duel in duels:
        if (said := both_orders(duel)) is not None:
            tasks.setdefault(duel.pair.category, []).append(float(said == duel.pair.label))
    means = {name: sum(values) / len(values) for name, values in sorted(tasks.items())}
    per_task = [Extra(f"{name or '(none)'}, ties wrong", means[name], len(tasks[name])) for name in means]
    overall = sum(means.values()) / len(means) if means else None
    return [Extra("mean over tasks, ties wrong", overall, len(means)), *per_task]


def _ranking(benchmark: Benchmark, duels: Sequence[Duel], seed: int) -> list[Extra]:
    known = {duel.pair.id: duel for duel in duels}
    extras = [_calibrated([known[names[0]] for names in benchmark.groups.values() if len(names) == 1])]
    for ways, size in ((2, 1), (3, 3), (4, 6)):
        groups = [
            [known[name] for name in names] for names in benchmark.groups.values() if len(names) == size
        ]
        judged = [group for group in groups if all(both_orders(duel) is not None for duel in group)]
        right = [float(all(both_orders(duel) == duel.pair.label for duel in group)) for group in judged]
        units = [(group[0].pair.prompt.id,) for group in judged]
        mean = sum(right) / len(right) if right else None
        extras.append(Extra(f"{ways}-way, strict", mean, len(right), resampled(right, units, seed)))
    return extras


def _calibrated(duels: Sequence[Duel]) -> Extra:
    """Accuracy over three classes with the margin for a tie that suits best: chosen on the same pairs, so a
    bit too good.
    """
    seen = [(chance - 0.5, duel.pair.label) for duel in duels if (chance := chance_of_a(duel)) is not None]
    if not seen:
        return Extra("2-way, best margin for ties", None, 0)
    margins = [-1.0, *sorted({abs(gap) for gap, _ in seen})]

    def right(margin: float) -> float:
        said = ["tie" if abs(gap) <= margin else "a" if gap > 0 else "b" for gap, _ in seen]
        return sum(s == label for s, (_, label) in zip(said, seen, strict=True)) / len(seen)

    best = max(margins, key=right)
    return Extra(f"2-way, best margin for ties ({max(best, 0.0):.3f})", right(best), len(seen))


def _line(name: str, found: Measurement) -> str:
    cells = [
        f"{name} ({found.pairs})",
        _rate(found.acc_first) + _span(found.acc_first_interval),
        _rate(found.acc_second) + _span(found.acc_second_interval),
        _rate(found.accuracy) + _span(found.accuracy_interval),
        ("–" if found.gap is None else f"{found.gap:+.3f}") + _span(found.gap_interval, "+"),
        _rate(found.ties),
        "–" if found.coverage is None else f"{found.coverage:.1%}",
    ]
    return f"| {' | '.join(cells)} |"


def _rate(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _span(interval: Interval | None, sign: str = "") -> str:
    return "" if interval is None else f" ({interval[0]:{sign}.3f} to {interval[1]:{sign}.3f})"
