"""What findings tell to do, and that no two of them tell the opposite."""

from collections.abc import Sequence
from dataclasses import replace

from salon.diagnosis.pages.words import listed
from salon.diagnosis.proposal.proposal import Proposal, Wishes
from salon.number_text import decimal

from .finding import Act, Finding, Kind
from .table import Table

ORDER: tuple[Kind, ...] = (
    "agreement",
    "hacking",
    "saturated",
    "redundant",
    "dominance",
    "exploited",
    "compressed",
)
"""Whose word counts where two findings differ: what people say first, then what is sure, then the rest."""
_OPPOSITE: frozenset[frozenset[str]] = frozenset(
    frozenset(pair)
    for pair in (
        ("more", "less"),
        ("more", "drop"),
        ("more", "gate"),
        ("keep", "drop"),
        ("keep", "gate"),
        ("keep", "less"),
        ("gate", "drop"),
        ("pairwise", "drop"),
        ("pairwise", "gate"),
    )
)  # fmt: skip


def opposed(one: Act, other: Act) -> bool:
    """Whether one cannot do both to a term. To keep one is to keep it at the weight of all that it stands
    for.
    """
    return frozenset((one, other)) in _OPPOSITE


def _is_moot(finding: Finding, act: Act, known: Act) -> bool:
    """Whether what a term decides is no matter any more, since another finding drops it."""
    return finding.kind in ("dominance", "exploited") and act in ("less", "standardize") and known == "drop"


def reconciled(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, of which those of lesser weight give way: they point to the one they would contradict."""
    place = {kind: index for index, kind in enumerate(ORDER)}
    said: dict[str, list[tuple[Act, Finding]]] = {}
    settled: dict[int, Finding] = {}
    for index in sorted(range(len(findings)), key=lambda i: place.get(findings[i].kind, len(ORDER))):
        finding = findings[index]
        against: list[tuple[Act, str, Act, Finding]] = [
            (act, term, known, other)
            for act, term in finding.advice
            for known, other in said.get(term, ())
            if opposed(act, known) or _is_moot(finding, act, known)
        ]
        settled[index] = _giving_way(finding, against) if against else finding
        for act, term in settled[index].advice:
            said.setdefault(term, []).append((act, settled[index]))
    return [settled[index] for index in range(len(findings))]


def _giving_way(finding: Finding, against: Sequence[tuple[Act, str, Act, Finding]]) -> Finding:
    gone = {(act, term) for act, term, _, _ in against}
    left = tuple(pair for pair in finding.advice if pair not in gone)
    others = [known for _, _, known, _ in against]
    by_title: dict[str, list[str]] = {}
    for _, term, _, other in against:
        if term not in by_title.setdefault(other.title, []):
            by_title[other.title].append(term)
    first = " ".join(f"For {listed(terms)} do what “{title}” says." for title, terms in by_title.items())
    kept = [term for act, term in left if act == "pairwise"]
    if finding.kind == "compressed":
        asked = f"Ask the judge of {listed(kept)}" if kept else "Whatever its judge is asked next, ask it"
        remedy = (
            f"{asked} which of two answers is better (pairwise, against good references): a choice cannot be"
        )
        return replace(finding, remedy=f"{remedy} compressed. {first}", advice=left)
    copies = [term for act, term in left if act == "drop"]
    if finding.kind == "redundant" and copies and all(act == "less" for act in others):
        # Copies go, whatever the one that stays weighs.
        return replace(finding, remedy=f"Count it once: drop {listed(copies)}. {first}", advice=left)
    # What it says of the others hangs on what it says of these.
    return replace(finding, remedy=first, advice=())


def wishes_of(findings: Sequence[Finding]) -> Wishes:
    """What the findings ask of a recipe."""
    said = [
        (act, term, finding)
        for finding in findings
        if finding.level != "fine"
        for act, term in finding.advice
    ]
    light = [term for act, term, _ in said if act == "more"]
    uneven = any(act == "standardize" and finding.level == "problem" for act, _, finding in said)
    return Wishes(
        underweighted=light,
        uneven=(uneven and not light) or any(finding.kind == "exploited" for _, _, finding in said),
        against=[term for act, term, finding in said if act == "drop" and finding.kind == "agreement"],
        lighter=[term for act, term, finding in said if act == "less" and finding.kind == "hacking"],
    )


def with_trial(finding: Finding, table: Table, proposal: Proposal | None) -> Finding:
    """The finding with what came of its remedy when it was tried on the scores that are there.

    A remedy that made things no better there, or that the recipe does not follow, is not given.
    """
    if finding.level == "fine" or finding.kind not in ("dominance", "exploited") or not finding.advice:
        return finding
    name = finding.terms[0]
    signal = next((each for each in proposal.signals if name in each.terms), None) if proposal else None
    trial = proposal.trial if proposal else None
    if proposal is None:
        return finding
    grows = signal is not None and not signal.yes_no and abs(signal.weight) > table.nominal[name]
    if signal is None or trial is None or signal.name not in trial.share:
        if finding.advice[0][0] != "more" or grows:
            return finding
        remedy = f"Standardise the terms (compose: {{standardize: batch}}), and look at {name} anew."
        return replace(finding, remedy=remedy, advice=(("standardize", name),))
    share, weight = trial.share[signal.name], trial.weight[signal.name]
    tried = (
        f"as in the recipe below: it then makes {decimal(share)} of the variance at {decimal(weight)} of the"
    )
    tried += " terms' weight (tried on these rows)"
    if finding.kind == "exploited":
        return _of_owner(finding, name, trial.with_total[signal.name])
    if finding.advice[0][0] == "more" and grows:
        remedy = (
            f"Give {name} more weight: it is the signal with real variance. Standardise the terms, {tried}."
        )
        return replace(finding, remedy=remedy)
    remedy = f"Standardise the terms (compose: {{standardize: batch}}), {tried}; or, if {name} should"
    return replace(finding, remedy=f"{remedy} decide, say so in its weight.", advice=(("standardize", name),))


def _of_owner(finding: Finding, name: str, ratio: float) -> Finding:
    before = finding.numbers[f"{name}.with_total"].value
    if ratio >= before:
        return finding
    remedy = (
        f"Check whether {name} can be had cheaply. Standardise the terms, as in the recipe below: it then"
    )
    remedy += f" correlates with the total at {decimal(ratio)} (tried on these rows)."
    return replace(finding, remedy=remedy, advice=(("standardize", name),))
