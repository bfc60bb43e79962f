"""Terms that measure one thing: clusters of |ρ| ≥ .85, which one to keep, and at what weight."""

from dataclasses import dataclass, replace

import numpy as np

from salon.diagnosis.estimates import Correlations, bonferroni_z, correlated, ranked
from salon.diagnosis.finding import Act, Finding, Number, Unchecked
from salon.diagnosis.pages.words import between, listed, spelled, times
from salon.diagnosis.rounding_attenuation import marks_of, unrounded
from salon.diagnosis.table import Bools, Floats, Ints, Table
from salon.number_text import decimal

from .enough_data import FEWEST, lacking, needs_weighted_terms, unchecked

CLOSE = 0.85
SURE = 0.70
SPARSE, MOST_SPARSE = 0.3, 20
"""The correlation that counts as the same thing; what the lower end of its interval has to reach; and the
share of missing scores from which on it is asked whether two terms meet at all."""
LEFT_OUT = 0.05
"""A term that lacks more of another's rows cannot stand for it: those rows would be left without a term."""
WORTH = 0.5
"""From this correlation on it is asked what rounding hides."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Correlations of all terms, in their order: inside groups (or steps) and over all rows."""

    names: tuple[str, ...]
    within: Correlations
    within_ranks: Correlations
    overall: Correlations
    overall_ranks: Correlations
    human_K: Floats | None = None


@dataclass(frozen=True, slots=True)
class Cluster:
    """Terms that measure one thing. weight: the sum of theirs. opposed: those that run against `keep`.

    cancel: some push against `keep` as they are weighed: these are opposed aims, and no copies. apart: none
    has a score wherever another has one, so that none can stand for all.

    unrounded: the lowest and the highest |ρ| without rounding to few levels, where only these say so.
    """

    terms: tuple[str, ...]
    keep: str
    why: str
    weight: float
    lowest: Number
    highest: Number
    opposed: tuple[str, ...] = ()
    cancel: bool = False
    apart: bool = False
    unrounded: tuple[float, float] | None = None


def overlap(table: Table) -> Overlap:
    """All four matrices. Spearman's is over ranks inside each group, or over all rows."""
    raw_NK = np.stack([term.raw_N for term in table.terms], axis=1)
    ranks_NK = np.stack([table.centred(ranked(term.raw_N, table.unit_N)) for term in table.terms], axis=1)
    all_ranks_NK = np.stack([ranked(term.raw_N) for term in table.terms], axis=1)
    return Overlap(
        names=tuple(term.name for term in table.terms),
        within=correlated(table.centred_NK, table.block_N),
        within_ranks=correlated(ranks_NK, table.block_N),
        overall=correlated(raw_NK, table.block_N),
        overall_ranks=correlated(all_ranks_NK, table.block_N),
        human_K=_with_human(table, ranks_NK),
    )


def _with_human(table: Table, ranks_NK: Floats) -> Floats | None:
    if table.human_N is None or np.isnan(table.human_N).all():
        return None
    label_N1 = table.centred(ranked(table.human_N, table.unit_N))[:, None]
    both = correlated(np.concatenate([ranks_NK, label_N1], axis=1), table.block_N)
    return both.value_KK[-1, :-1]


def clusters(table: Table, found: Overlap, still: set[str]) -> list[Cluster]:
    """Groups of live terms that hang together at |ρ| ≥ .85 inside groups, by Pearson or by Spearman.

    A link needs an interval (shared between all pairs) whose lower end is at least .70. Terms that are linked
    through a third are one cluster. Terms that stand still in the end are left out: what they were before is
    no reason to keep them.
    """
    linked_KK = _links(table, found.within, found.within_ranks)
    moving_K = np.array([term.name not in still for term in table.terms], dtype=bool)
    linked_KK = linked_KK & moving_K[:, None] & moving_K[None, :]
    return [_cluster(table, found, members) for members in _components(linked_KK) if len(members) > 1]


def hidden_clusters(
    table: Table, found: Overlap, known: list[Cluster], compressed: set[str]
) -> list[Cluster]:
    """Compressed terms that reach |ρ| ≥ .85 once the rounding to few levels is taken out.

    Terms of a known cluster are left out. The lower end of the interval has to stand to the correlation as
    .70 stands to .85.
    """
    if table.rows < FEWEST:
        return []
    told = {name for cluster in known for name in cluster.terms}
    asked = [t.counts and t.name in compressed and t.name not in told for t in table.terms]
    size_KK = np.abs(found.within.value_KK)
    hidden_KK = _without_rounding(table, np.flatnonzero(asked), size_KK)
    count = sum(asked)
    sure_KK = found.within.at_least(bonferroni_z(count * (count - 1) // 2)) >= SURE * size_KK / CLOSE
    hidden: list[Cluster] = []
    for members in _components((hidden_KK >= CLOSE) & sure_KK):
        if len(members) > 1:
            each = hidden_KK[np.ix_(members, members)][np.triu_indices(len(members), 1)]
            span = (float(each[each > 0].min()), float(each.max()))
            cluster = _cluster(table, found, members)
            if not cluster.cancel and not cluster.apart:
                hidden.append(replace(cluster, unrounded=span))
    return hidden


def _without_rounding(table: Table, asked: Ints, size_KK: Floats) -> Floats:
    """The correlations of the terms asked about as they were before rounding; 0 for all others."""
    hidden_KK = np.zeros_like(size_KK)
    marks = {int(place): marks_of(table.terms[place], table) for place in asked}
    for i, one in marks.items():
        for j, other in marks.items():
            if i < j and one and other and size_KK[i, j] >= WORTH:
                hidden_KK[i, j] = hidden_KK[j, i] = unrounded(float(size_KK[i, j]), one, other)
    return hidden_KK


def _links(table: Table, pearson: Correlations, spearman: Correlations) -> Bools:
    count = len(table.terms)
    if table.rows < FEWEST:
        return np.zeros((count, count), dtype=bool)
    z = bonferroni_z(count * (count - 1) // 2)
    close_KK = np.zeros((count, count), dtype=bool)
    for each in (pearson, spearman):
        close_KK |= (np.abs(each.value_KK) >= CLOSE) & (each.at_least(z) >= SURE)
    live_K = np.array([term.counts for term in table.terms], dtype=bool)
    return close_KK & live_K[:, None] & live_K[None, :]


def _components(linked_KK: Bools) -> list[list[int]]:
    left = set(range(len(linked_KK)))
    found: list[list[int]] = []
    while left:
        members, edge = set[int](), {min(left)}
        while edge:
            members |= edge
            edge = {int(j) for i in edge for j in np.flatnonzero(linked_KK[i])} - members
        left -= members
        found.append(sorted(members))
    return found


def _cluster(table: Table, found: Overlap, members: list[int]) -> Cluster:
    terms = [table.terms[index] for index in members]
    size_KK = np.abs(found.within.value_KK)
    able = [index for index in members if all(_covers(table, index, other) for other in members)]
    keep, why = _representative(table, able or members, members, size_KK, found.human_K)
    pairs = [(i, j) for place, i in enumerate(members) for j in members[place + 1 :]]
    pairs.sort(key=lambda pair: size_KK[pair])
    signs = {index: np.sign(found.within.value_KK[keep, index]) for index in members if index != keep}
    opposed = tuple(table.terms[index].name for index, sign in signs.items() if sign < 0)
    weight_K = [-term.weight if term.name in opposed else term.weight for term in terms]
    return Cluster(
        terms=tuple(term.name for term in terms),
        keep=table.terms[keep].name,
        why=why,
        weight=sum(weight_K),
        lowest=_absolute(found.within.number(*pairs[0])),
        highest=_absolute(found.within.number(*pairs[-1])),
        opposed=opposed,
        cancel=min(weight_K) < 0 < max(weight_K),
        apart=not able,
    )


def _covers(table: Table, index: int, other: int) -> bool:
    """Whether a term has a score nearly wherever another has one, and its recipe asks for it there too."""
    one, two = table.terms[index], table.terms[other]
    when = table.specs.get(one.name, {}).get("when")
    if when and when != table.specs.get(two.name, {}).get("when"):
        return False
    return float((np.isnan(one.raw_N) & ~np.isnan(two.raw_N)).mean()) <= LEFT_OUT


def _absolute(number: Number) -> Number:
    if number.value >= 0:
        return number
    low = None if number.high is None else -number.high
    return Number(-number.value, low, None if number.low is None else -number.low, number.count)


def _representative(
    table: Table, able: list[int], members: list[int], size_KK: Floats, human_K: Floats | None
) -> tuple[int, str]:
    if len(able) == 1 < len(members):
        return able[0], "it alone has a score wherever the others have one"
    if human_K is not None:
        best = max(able, key=lambda index: human_K[index])
        return best, f"it agrees best with the human label (ρ {decimal(float(human_K[best]))} inside groups)"
    rest = {index: float(np.mean([size_KK[index, j] for j in members if j != index])) for index in able}
    best = max(able, key=lambda index: (round(rest[index], 3), abs(table.terms[index].weight)))
    return best, f"it stands best for the others (mean ρ {decimal(rest[best])})"


def check_redundant(table: Table, found: Overlap, groups: list[Cluster]) -> list[Finding | Unchecked]:
    """One finding per cluster; one notice where terms agree over all rows but not inside groups."""
    if blind := unchecked("redundant", needs_weighted_terms(table, 2), lacking(table)):
        return [*blind]
    findings: list[Finding | Unchecked] = [
        _hidden(table, c) if c.unrounded else _finding(table, c) for c in groups
    ]
    findings += _overall_only(table, found, groups)
    apart = _never_together(table)
    findings += apart
    if findings:
        return findings
    count = len(table.terms)
    pairs = [
        (i, j) for i in range(count) for j in range(i) if table.terms[i].counts and table.terms[j].counts
    ]
    i, j = max(pairs, key=lambda pair: abs(found.within.value_KK[pair]))
    number = found.within.number(i, j)
    said = f"The closest pair, {found.names[j]} and {found.names[i]}, correlates at {decimal(number.value)}."
    return [Finding("redundant", "fine", "The terms say different things", said, numbers={"highest": number})]


def _never_together(table: Table) -> list[Unchecked]:
    """Pairs of terms of which too few rows have both scores."""
    sparse = [term for term in table.live if np.isnan(term.raw_N).mean() > SPARSE][:MOST_SPARSE]
    for term in sparse:
        for other in table.live:
            both_N = ~np.isnan(term.raw_N) & ~np.isnan(other.raw_N)
            if other is not term and lacking(table, both_N):
                names = listed([term.name, other.name])
                return [Unchecked("redundant", f"{FEWEST} rows or more that have scores of {names}")]
    return []


def _finding(table: Table, cluster: Cluster) -> Finding:
    share = sum(table.nominal[name] for name in cluster.terms)
    others = [name for name in cluster.terms if name != cluster.keep]
    where = "inside groups" if table.grouped else "over all rows"
    span = (
        f"ρ {decimal(cluster.lowest.value)} {between(cluster.lowest)}"
        if len(others) == 1
        else f"ρ {decimal(cluster.lowest.value)} to {decimal(cluster.highest.value)}"
    )
    said = f"{listed(cluster.terms)} rise and fall together ({span.strip()} {where})"
    if cluster.opposed:
        said += f", {listed(cluster.opposed)} the other way round"
    count = spelled(len(cluster.terms)).capitalize()
    if cluster.cancel:
        title = f"{count} terms pull against each other"
        said += f", and as they are weighed they cancel one another, at {decimal(share)} of the weight."
    else:
        title = f"{count} terms measure one thing"
        said += f": one thing measured {times(len(cluster.terms))}, at {decimal(share)} of the weight."
    merged = _merged_weight(table, cluster)
    return Finding(
        kind="redundant",
        level="problem",
        title=title,
        wrong=said,
        remedy=_remedy(cluster, others, merged),
        terms=cluster.terms,
        numbers={
            "lowest": cluster.lowest,
            "highest": cluster.highest,
            **({} if cluster.cancel or cluster.apart else {"merged_weight": Number(merged)}),
            "share_of_weight": Number(share),
        },
        urgency=share,
        advice=_one_of(cluster),
    )


def _remedy(cluster: Cluster, others: list[str], merged: float) -> str:
    if cluster.cancel:
        return (
            f"Decide which of {listed(cluster.terms)} you want more of, and take the weight off what pulls"
            " against it: both cannot be had. A recipe follows once that is decided."
        )
    if cluster.apart:
        return (
            "Weigh them less, since one thing counts several times where several have a score; none can stand"
            " for all, since none has a score wherever another has one."
        )
    drop = f"Keep {cluster.keep}, since {cluster.why}, at the merged weight {decimal(merged)}"
    return f"{drop}, and drop {listed(others)}."


def _one_of(cluster: Cluster) -> tuple[tuple[Act, str], ...]:
    if cluster.cancel:
        return ()
    if cluster.apart:
        return tuple(("less", name) for name in cluster.terms)
    return (("keep", cluster.keep), *(("drop", name) for name in cluster.terms if name != cluster.keep))


def _merged_weight(table: Table, cluster: Cluster) -> float:
    """Weights that nobody gave are worth telling as shares only."""
    whole = sum(abs(term.weight) for term in table.live) if table.weights_from == "equal" else 1.0
    return cluster.weight / whole


def _hidden(table: Table, cluster: Cluster) -> Finding:
    assert cluster.unrounded is not None
    share = sum(table.nominal[name] for name in cluster.terms)
    low, high = cluster.unrounded
    merged = _merged_weight(table, cluster)
    count = spelled(len(cluster.terms))
    said = (
        f"{listed(cluster.terms)} use few levels, which hides how alike they are: ρ"
        f" {_span(cluster.lowest.value, cluster.highest.value)} inside groups, about {_span(low, high)}"
        f" without the rounding. One thing measured {times(len(cluster.terms))}, at {decimal(share)} of the"
        " weight."
    )
    return Finding(
        kind="redundant",
        level="notice",
        title=f"{count.capitalize()} terms probably measure one thing",
        wrong=said,
        remedy=f"Ask one question instead of {count}: keep {cluster.keep}, since"
        f" {cluster.why}, at the merged weight {decimal(merged)}.",
        terms=cluster.terms,
        numbers={
            "lowest": cluster.lowest,
            "highest": cluster.highest,
            "lowest_unrounded": Number(low),
            "highest_unrounded": Number(high),
            "merged_weight": Number(merged),
            "share_of_weight": Number(share),
        },
        urgency=share,
        advice=_one_of(cluster),
    )


def _span(low: float, high: float) -> str:
    one, other = decimal(low), decimal(high)
    return one if one == other else f"{one} to {other}"


def _overall_only(table: Table, found: Overlap, groups: list[Cluster]) -> list[Finding]:
    """Terms that agree on which prompts or steps are good, and not on which answer of a group is."""
    if not table.grouped:
        return []
    linked = _links(table, found.overall, found.overall_ranks)
    copies = {name for each in groups if not each.apart for name in each.terms if name != each.keep}
    findings: list[Finding] = []
    for every in _components(linked):
        members = [index for index in every if found.names[index] not in copies]
        names = tuple(found.names[index] for index in members)
        if len(names) < 2 or any(set(names) <= set(each.terms) for each in groups):
            continue
        said = (
            f"{listed(names)} correlate at {decimal(CLOSE)} or more over all rows, but less inside groups:"
            " they agree on which prompts or steps do well, not on which answer is the better one."
        )
        findings.append(
            Finding(
                "redundant",
                "notice",
                "Alike over prompts, different inside groups",
                said,
                "They are no copies: only differences inside a group teach a group-relative policy.",
                names,
                {"lowest": Number(float(np.abs(found.overall.value_KK[np.ix_(members, members)]).min()))},
            )
        )
    return findings
