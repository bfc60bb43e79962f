"""The drawing that belongs to a finding."""

import numpy as np

from salon.diagnosis.checks.compressed import Shape
from salon.diagnosis.checks.diversity import repeats_by_step
from salon.diagnosis.checks.hacking import monitors
from salon.diagnosis.diagnosis import Diagnosis
from salon.diagnosis.estimates import step_means
from salon.diagnosis.finding import Finding, Number
from salon.diagnosis.table import Floats, Table
from salon.markup import Html, el
from salon.number_text import compact

from .svg_charts import Curve, curves, dumbbells, forest_plot, histogram, matrix

MOST_TERMS = 24


def figure_of(finding: Finding, found: Diagnosis) -> Html | None:
    """A drawing with a caption; None where words are enough."""
    if finding.kind == "redundant":
        return _redundant(finding, found)
    if finding.kind == "saturated" and finding.terms:
        return _spread(finding, found)
    if finding.kind == "compressed":
        return _compressed(finding, found)
    if finding.kind == "dominance":
        return _dominance(finding, found)
    if finding.kind == "hacking":
        return _against_monitors(finding, found)
    if finding.kind == "dead_groups":
        return _dead(found.table)
    if finding.kind == "diversity" and "repeats" in finding.numbers:
        return _repeats(found.table)
    if finding.kind in ("missing", "phantom_zeros"):
        return _shape_of(finding, found)
    return _intervals(finding)


def captioned(drawing: Html, words: str) -> Html:
    """A figure with what it shows."""
    return el("figure", {}, drawing, el("figcaption", {}, words))


def shape_named(found: Diagnosis, name: str) -> Shape | None:
    """How the scores of a term lie."""
    return next((shape for shape in found.shapes if shape.term == name), None)


def _redundant(finding: Finding, found: Diagnosis) -> Html | None:
    if found.overlap is None or not finding.terms:
        return None
    within = found.table.grouped and finding.level == "problem"
    each = found.overlap.within if within else found.overlap.overall
    place = [found.table.index(name) for name in finding.terms[:8]]
    drawing = matrix(finding.terms[:8], each.value_KK[np.ix_(place, place)], "correlations of the cluster")
    return captioned(drawing, f"Pearson’s ρ {'inside groups' if within else 'over all rows'}.")


def _spread(finding: Finding, found: Diagnosis) -> Html | None:
    table = found.table
    each = next(spread for spread in found.spreads if spread.term == finding.terms[0])
    if len(table.steps) < 2:
        shape = shape_named(found, each.term)
        return captioned(histogram(shape), f"All scores of {each.term}.") if shape else None
    since = float(table.steps[each.since]) if each.since else None
    drawing = curves([Curve(each.term, table.steps.astype(np.float64), each.spread_T)], low=0.0, since=since)
    where = "inside groups" if table.grouped else "inside a step"
    return captioned(drawing, f"Spread of {each.term} {where}, step by step.")


def _compressed(finding: Finding, found: Diagnosis) -> Html | None:
    bad = [shape for shape in found.shapes if shape.term in finding.terms]
    if not bad:
        return None
    worst = min(bad, key=lambda shape: shape.effective.value if shape.effective else 99.0)
    return captioned(
        histogram(worst), f"Scores of {worst.term}, on {compact(worst.low)} to {compact(worst.high)}."
    )


def _dominance(finding: Finding, found: Diagnosis) -> Html | None:
    if found.shares is None:
        return None
    return captioned(
        who_decides(found, 420), "Ring: weight. Dot: share of the variance that groups learn from."
    )


def who_decides(found: Diagnosis, width: float = 640) -> Html:
    """The nominal and the effective share of each live term."""
    assert found.shares is not None
    names = found.shares.names[:MOST_TERMS]
    nominal = [found.table.late_nominal[name] for name in names]
    return dumbbells(names, nominal, found.shares.share[:MOST_TERMS], width)


def _against_monitors(finding: Finding, found: Diagnosis) -> Html | None:
    table = found.table
    if table.step_N is None:
        return None
    drawn = [_standard("total", table.total_N, table), *(
        _standard(name.removeprefix("the "), values_N, table) for name, values_N in monitors(table).items()
    )]  # fmt: skip
    drawing = curves([each for each in drawn if each is not None], named=True, width=420)
    return captioned(drawing, "Mean per step, from the first step on, in spreads inside a step.")


def _standard(name: str, values_N: Floats, table: Table) -> Curve | None:
    assert table.step_N is not None
    steps, mean_T, _ = step_means(values_N, table.step_N)
    if len(steps) < 2:
        return None
    there_N = ~np.isnan(values_N)
    around_N = values_N[there_N] - mean_T[np.searchsorted(steps, table.step_N[there_N])]
    spread = float(around_N.std()) or 1.0
    start = float(mean_T[: max(1, len(mean_T) // 10)].mean())
    return Curve(name, steps.astype(np.float64), (mean_T - start) / spread)


def _dead(table: Table) -> Html | None:
    if len(table.steps) < 2:
        return None
    range_U, size_U = table.unit_ranges(table.total_N)
    size = float(np.abs(table.total_N[~np.isnan(table.total_N)]).max()) or 1.0
    count = len(table.steps)
    counted_T = np.bincount(table.step_of_unit_U, size_U >= 2, count)
    dead_T = np.bincount(table.step_of_unit_U, (size_U >= 2) & (range_U <= 1e-9 * size), count)
    share_T = dead_T / np.maximum(counted_T, 1)
    drawing = curves([Curve("dead groups", table.steps.astype(np.float64), share_T)], low=0.0, high=1.0)
    return captioned(drawing, "Share of groups whose rewards are all equal.")


def _repeats(table: Table) -> Html | None:
    by_step = repeats_by_step(table)
    if by_step is None or len(by_step[0]) < 2:
        return None
    drawing = curves([Curve("repeats", by_step[0].astype(np.float64), by_step[1])], low=0.0, high=1.0)
    return captioned(drawing, "Share of answers that repeat another one of their group.")


def _shape_of(finding: Finding, found: Diagnosis) -> Html | None:
    shape = shape_named(found, finding.terms[0]) if finding.terms else None
    return captioned(histogram(shape), f"Scores of {shape.term} that are there.") if shape else None


def _intervals(finding: Finding) -> Html | None:
    """The finding's numbers that have an interval, on one axis."""
    shown: list[tuple[str, Number]] = [
        (name.rpartition(".")[0] or name.replace("_", " "), number)
        for name, number in finding.numbers.items()
        if number.low is not None and not name.endswith(".tau") and not name.endswith(".fitted")
    ][:8]
    if not shown:
        return None
    low = 0.0 if min(number.low or 0.0 for _, number in shown) >= 0 else -1.0
    middle = 0.5 if finding.kind in ("position", "agreement") else 0.0
    drawing = forest_plot([name for name, _ in shown], [number for _, number in shown], middle, low, 1.0, 420)
    return captioned(drawing, "With 95 % intervals.")
