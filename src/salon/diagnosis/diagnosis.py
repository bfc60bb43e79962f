"""All checks on one table, and what they add up to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from salon.diagnosis.checks.compressed import Shape, check_compressed, is_compressed, shapes
from salon.diagnosis.checks.dead_groups import check_groups
from salon.diagnosis.checks.diversity import check_diversity, picture_distances
from salon.diagnosis.checks.dominance import Shares, check_dominance, shares
from salon.diagnosis.checks.hacking import check_bias, check_exploited, check_hacking
from salon.diagnosis.checks.human_agreement import Agreement, agreement, check_agreement
from salon.diagnosis.checks.missing import check_missing, check_phantom_zeros, check_placeholder_scores
from salon.diagnosis.checks.position import check_position
from salon.diagnosis.checks.redundant import (
    Cluster,
    Overlap,
    check_redundant,
    clusters,
    hidden_clusters,
    overlap,
)
from salon.diagnosis.checks.saturated import Spread, check_saturated, spreads
from salon.diagnosis.pages.words import listed
from salon.diagnosis.proposal.proposal import Proposal, propose
from salon.diagnosis.proposal.proposed_yaml import as_yaml
from salon.diagnosis.proposal.trial import Trial
from salon.diagnosis.reading.coverage_column import with_coverage
from salon.diagnosis.reading.open_table import Options, Source, read_table
from salon.diagnosis.reading.repeated_rows import check_repeated
from salon.diagnosis.reading.scale import with_scales

from .finding import Finding, Kind, Unchecked, worst_first
from .reconciled_advice import reconciled, wishes_of, with_trial
from .table import Scale, Table

WEIGHTED: tuple[Kind, ...] = ("redundant", "saturated", "compressed", "dominance", "exploited")
BY_WEIGHT: tuple[Kind, ...] = ("dominance", "exploited")
"""The checks that look at terms with a weight only, and those that compare with it."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is wrong with a reward, worst first, and the numbers that the report draws.

    Everything about terms is None or empty for a file that has a judge's verdicts in both orders only.
    """

    table: Table
    findings: tuple[Finding, ...]
    unchecked: tuple[Unchecked, ...]
    overlap: Overlap | None = None
    clusters: tuple[Cluster, ...] = ()
    spreads: tuple[Spread, ...] = ()
    shapes: tuple[Shape, ...] = ()
    shares: Shares | None = None
    agreement: Agreement | None = None
    proposal: Proposal | None = None

    def of_level(self, level: str) -> list[Finding]:
        """The findings of one level, the most urgent first."""
        return [finding for finding in self.findings if finding.level == level]

    @property
    def recipe(self) -> str | None:
        """The proposed recipe as YAML; None when nothing should change, or nothing is wrong."""
        wrong = self.of_level("problem") or self.of_level("notice")
        if self.proposal is None or not self.proposal.changed or not wrong:
            return None
        return as_yaml(self.proposal, self.table)

    def __str__(self) -> str:
        """Its findings, worst first: what a person prints it for."""
        told = [f"{each.level}: {each.title}. {each.wrong} {each.remedy}".rstrip() for each in self.findings]
        return "\n".join(told)

    def _repr_html_(self) -> str:
        from salon.diagnosis.pages.in_notebook import shown

        return shown(self)

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values; what is missing is null, never NaN."""
        table = self.table
        return {
            "source": table.source,
            "rows": table.rows,
            "groups": table.groups if table.grouped else None,
            "steps": len(table.steps) or None,
            "weights_from": table.weights_from,
            "weights": {term.name: term.weight for term in table.terms},
            "without_weight": list(table.unweighted),
            "not_read": list(table.not_read),
            "ignored": dict(table.ignored),
            "taken": dict(table.taken),
            "notes": list(table.notes),
            "scales": {name: _scale(scale) for name, scale in table.scales.items()},
            "findings": [finding.as_json() for finding in self.findings],
            "unchecked": [{"kind": each.kind, "needs": each.needs} for each in self.unchecked],
            "correlations": _matrices(self.overlap),
            "proposed_recipe": self.recipe,
            "tried": None if self.recipe is None or self.proposal is None else _trial(self.proposal.trial),
        }


def _trial(trial: Trial | None) -> dict[str, Any] | None:
    if trial is None:
        return None
    return {"rows": trial.rows, "decides": dict(trial.share), "of_weight": dict(trial.weight)}


def _scale(scale: Scale | None) -> dict[str, Any] | None:
    if scale is None:
        return None
    return {"low": scale.low, "high": scale.high, "assumed_since": scale.since or None}


def _matrices(found: Overlap | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "terms": list(found.names),
        "pearson_within": found.within.value_KK.round(4).tolist(),
        "spearman_within": found.within_ranks.value_KK.round(4).tolist(),
        "pearson_overall": found.overall.value_KK.round(4).tolist(),
        "spearman_overall": found.overall_ranks.value_KK.round(4).tolist(),
    }


def diagnose(source: Source, options: Options | None = None) -> Diagnosis:
    """Say what is wrong with a reward.

    Args:
        source: a run's folder; a file of scores; `-`, standard input; or rows in memory: a data frame of
            polars or pandas, a mapping of names to columns, a list of mappings.
        options: what columns mean, weights, scales.

    Raises:
        RecipeError: the source, a column or an option is wrong.
        StoreError: a run's folder is damaged.
    """
    return examine(read_table(source, options))


def examine(table: Table) -> Diagnosis:
    """All checks on a table."""
    table = with_coverage(table if table.scales else with_scales(table))
    results: list[Finding | Unchecked] = []
    if not table.terms:
        results += [*check_position(table), *check_repeated(table)]
        return _sorted(table, results)
    spread_list, shape_list = spreads(table), shapes(table)
    flat = {each.term for each in spread_list if each.since is not None}
    thin = table.thinned
    found = overlap(thin)
    clustered = clusters(thin, found, flat)
    deciding = shares(thin, thin.late_N)
    hollow = flat | {name for cluster in clustered for name in cluster.terms}
    pressed = {shape.term for shape in shape_list if is_compressed(shape)}
    hollow |= pressed
    people = agreement(thin)
    alike = [*clustered, *hidden_clusters(thin, found, clustered, pressed - flat)]
    results += check_redundant(table, found, alike)
    results += check_saturated(table, spread_list)
    results += check_compressed(table, shape_list, flat)
    results += check_dominance(table, deciding, hollow)
    results += check_groups(table)
    results += [*check_missing(table), *check_placeholder_scores(table), *check_phantom_zeros(table)]
    results += [*check_repeated(table), *check_hacking(table)]
    results += check_exploited(table, deciding, clustered)
    results += check_bias(thin)
    results += check_diversity(table, picture_distances(table))
    results += check_position(table)
    results += check_agreement(table, people)
    results = _skipped(table, results)
    told = reconciled([each for each in results if isinstance(each, Finding)])
    proposal = propose(thin, alike, spread_list, shape_list, wishes_of(told))
    told = [with_trial(finding, table, proposal) for finding in told]
    return _sorted(
        table,
        [*told, *(each for each in results if isinstance(each, Unchecked))],
        overlap=found,
        clusters=tuple(alike),
        spreads=tuple(spread_list),
        shapes=tuple(shape_list),
        shares=deciding,
        agreement=people,
        proposal=proposal,
    )


def _skipped(table: Table, results: Sequence[Finding | Unchecked]) -> list[Finding | Unchecked]:
    """The same results, where the checks of terms with a weight are not fine while terms have none."""
    kinds, needs = WEIGHTED, f"a weight for {listed(table.unweighted)}"
    if not table.unweighted:
        # Terms count by weights that the total shows, or that nobody knows.
        kinds, needs = BY_WEIGHT, "the weights (--weights), which the total does not tell"
    if not table.unweighted and not table.total_told:
        return list(results)
    kept = [each for each in results if not (each.kind in kinds and _is_fine(each))]
    return [*kept, *(Unchecked(kind, needs) for kind in kinds)]


def _is_fine(each: Finding | Unchecked) -> bool:
    return isinstance(each, Finding) and each.level == "fine"


def _sorted(table: Table, results: Sequence[Finding | Unchecked], **parts: Any) -> Diagnosis:
    findings = worst_first([each for each in results if isinstance(each, Finding)])
    unchecked = tuple(each for each in results if isinstance(each, Unchecked))
    for finding in findings:
        assert all(np.isfinite(number.value) for number in finding.numbers.values()), finding
    return Diagnosis(table, tuple(findings), unchecked, **parts)
