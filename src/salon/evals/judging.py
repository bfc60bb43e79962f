"""What a judge is worth on a benchmark: accuracy per order, position gap, ties, coverage, by category.

Beside these, a benchmark has its own way of counting, see salon.evals.official.
"""

import json
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from salon.errors import RecipeError
from salon.intervals import Interval
from salon.judges.inputs_read import guided
from salon.judges.measuring.accuracy import Measurement, PairResult, ask, measure
from salon.markup import plain_markdown
from salon.pool.provenance import provenance
from salon.rewards.judging.naming import open_judge
from salon.rubrics.rubric import criteria_text
from salon.store.runs import write_atomic
from salon.types import Failure, Judge

from .benchmarks import Benchmark
from .official import Extra, own_counts
from .scored import NamedScorer, Scored, results_of


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
        who = f"{'scorer' if self.scored else 'judge'}: {plain_markdown(self.judge)}"
        lines = [f"# {plain_markdown(self.benchmark)}", "", who, "", *_HEAD, _line("all", self.total)]
        # A benchmark's categories and a server's codes are whatever somebody wrote.
        lines += [_line(_cell(name), found) for name, found in self.categories.items()]
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
            told = ", ".join(f"{count} × {_cell(code)}" for code, count in self.total.failures.items())
            lines.append(f"Verdicts that are missing: {told}.")
        if self.extras:
            lines += ["", "| counted its own way | value | of |", "|---|---|---|"]
            lines += [
                f"| {_cell(e.name)} | {_rate(e.value)}{_span(e.interval)} | {e.count} |" for e in self.extras
            ]
        lines += ["", "Δ is winner first minus winner second. Intervals are 95 %."]
        if told := provenance([self.benchmark, self.judge]):
            lines += ["", told]
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
) -> tuple[JudgeReport, list[PairResult]]:
    """Ask about every pair in both orders, and count.

    Returns:
        the report, and the results it is made from, in the benchmark's order.
    """
    results = list(ask(judge, benchmark.pairs, tell))
    return _reported(judge.identity, results, benchmark, seed), results


def evaluate_scorer(
    scorer: NamedScorer,
    benchmark: Benchmark,
    tie: float = 0.0,
    seed: int = 0,
    tell: Callable[[int, int], None] = lambda done, of: None,
    groups_at_once: int = 1,
) -> tuple[JudgeReport, list[PairResult]]:
    """Score each picture once, give each pair to the higher number (see salon.evals.scored), and count.

    Returns:
        the report, and the results it is made from, in the benchmark's order.
    """
    results, scored = results_of(scorer, benchmark.pairs, tie, tell, groups_at_once)
    return _reported(scorer.identity, results, benchmark, seed, scored), results


def _reported(
    identity: str,
    results: Sequence[PairResult],
    benchmark: Benchmark,
    seed: int,
    scored: Scored | None = None,
) -> JudgeReport:
    names = sorted({result.pair.category for result in results})
    parts = {name: [result for result in results if result.pair.category == name] for name in names}
    decided = {name: part for name, part in parts.items() if any(d.pair.label in ("a", "b") for d in part)}
    return JudgeReport(
        benchmark.name,
        identity,
        measure(results, seed, benchmark.units),
        {n or "(none)": measure(p, seed, benchmark.units) for n, p in decided.items()}
        if len(names) > 1
        else {},
        tuple(own_counts(benchmark, results, seed)),
        sum(result.pair.label not in ("a", "b") for result in results),
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


def judge_of(
    name: str,
    recipe: str | None = None,
    criteria: str | None = None,
    model: str = "",
    base_url: str = "",
    settings: Sequence[str] = (),
) -> Judge:
    """The judge that is named (see salon.rewards.judging.naming), with criteria from a file.

    Raises:
        RecipeError: no such judge, or it cannot go by criteria.
    """
    judge = open_judge(name, model, base_url, settings, recipe or "")
    return judge if criteria is None else guided(judge, criteria_text(criteria), "--criteria")


WRITES = ("report.md", "report.json", "verdicts.jsonl")


def write_judging(report: JudgeReport, results: Sequence[PairResult], out: Path) -> None:
    """report.md, report.json, and verdicts.jsonl with a line per pair.

    Raises:
        RecipeError: `out` is a file.
    """
    if os.path.isfile(out):
        raise RecipeError(f"{out}: is a file. Name a folder.")
    write_atomic(out / "report.md", report.markdown().encode("utf-8", "replace"))
    write_atomic(
        out / "report.json",
        json.dumps(report.row(), indent=2, ensure_ascii=False).encode("utf-8", "replace") + b"\n",
    )
    lines = [json.dumps(_result_row(result), ensure_ascii=False) for result in results]
    write_atomic(out / "verdicts.jsonl", ("\n".join(lines) + "\n").encode("utf-8", "replace"))


def _result_row(result: PairResult) -> dict[str, Any]:
    row: dict[str, Any] = {
        "pair": result.pair.id,
        "category": result.pair.category,
        "label": result.pair.label,
    }
    for name, found in (("winner_first", result.first), ("winner_second", result.second)):
        if isinstance(found, Failure):
            row[name] = {"failure": found.code, "message": found.message}
        else:
            row[name] = {"p_first": found.p_a, "reason": found.reason}
    return row


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


def _cell(text: str) -> str:
    """A text inside a line, where a > quotes nothing: tiers are told as love>okay."""
    return plain_markdown(text, 200).replace("&gt;", ">")


def _rate(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _span(interval: Interval | None, sign: str = "") -> str:
    return "" if interval is None else f" ({interval[0]:{sign}.3f} to {interval[1]:{sign}.3f})"
