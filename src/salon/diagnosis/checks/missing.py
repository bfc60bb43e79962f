"""Scores that are not there, and zeros that stand for scores that were not there."""

from dataclasses import replace

import numpy as np

from salon.diagnosis.estimates import wilson
from salon.diagnosis.finding import Finding, Number, Unchecked, worst_first
from salon.diagnosis.pages.words import counted, listed, percent
from salon.diagnosis.reading.scale import is_gate_like, is_yes_no
from salon.diagnosis.table import Bools, Floats, Table, Term
from salon.number_text import decimal

from .enough_data import FEWEST

_WORST = " The worst step, "
MUCH = 0.05
APART = 2.0
SPIKE = 0.005
LEAST = 35
STANDS_OUT, TIMES, AMONG = 0.05, 5, 60
"""Missing is a problem from 5 % of a live term on. A spike at 0 is a phantom when it holds .5 % of the rows,
the other scores' median lies two of their spreads above 0, and hardly any lies close to 0. Another number is
one when it holds 5 % of the rows, inside the range of 60 others or more, and five times as many as any."""


def check_missing(table: Table) -> list[Finding | Unchecked]:
    """One finding for all terms that miss scores, the worst first; one part for each set of rows."""
    gated_N = _gated(table)
    together: dict[bytes, list[Term]] = {}
    for term in table.terms:
        lost_N = _lost(term, gated_N)
        if lost_N.any() and (table.run is None or term.causes):
            rows_2N = np.packbits(np.concatenate([lost_N, _asked(term, gated_N)]))
            together.setdefault(rows_2N.tobytes(), []).append(term)
    findings = [_missing(table, terms, gated_N) for terms in together.values()]
    if not findings and table.rows < FEWEST:
        return [Unchecked("missing", f"{FEWEST} rows or more (here {table.rows})")]
    if len(findings) > 1:
        return [_merged(worst_first(findings))]
    if findings or not table.terms:
        return [*findings]
    gate = " but where a gate failed" if gated_N.any() else ""
    return [Finding("missing", "fine", "Every score is there", f"No term misses a score{gate}.")]


def _merged(findings: list[Finding]) -> Finding:
    """One finding, as bad as the worst of several; the numbers are the worst one's, and each term's share."""
    worst = findings[0]
    names = tuple(name for finding in findings for name in finding.terms)
    shares = {f"{name}.missing": each.numbers["missing"] for each in findings for name in each.terms}
    parts = [each.wrong.partition(_WORST) for each in findings]
    said = "; ".join(head.removesuffix(".") for head, _, _ in parts)
    _, at_worst, step = parts[0]
    return replace(
        worst,
        title=f"{listed(names, 3)} miss scores",
        wrong=f"{said}.{at_worst and f' The worst step of {worst.terms[0]}, '}{step}",
        terms=names,
        numbers={**worst.numbers, **shares},
        urgency=max(each.urgency for each in findings),
    )


def _gated(table: Table) -> Bools:
    """Rows that a gate kept from the other scorers: their missing scores were never asked for."""
    gated_N = np.zeros(table.rows, dtype=bool)
    for term in table.terms:
        if is_gate_like(term):
            gated_N |= term.raw_N == 0.0
    if table.run is not None and table.failed_N is not None:
        gated_N |= table.failed_N
    return gated_N


def _asked(term: Term, gated_N: Bools) -> Bools:
    """The rows in which somebody was asked for a term's score."""
    return ~gated_N if term.unasked_N is None else ~(gated_N | term.unasked_N)


def _lost(term: Term, gated_N: Bools) -> Bools:
    return np.isnan(term.raw_N) & _asked(term, gated_N)


def _missing(table: Table, terms: list[Term], gated_N: Bools) -> Finding:
    asked_N = _asked(terms[0], gated_N)
    lost_N = _lost(terms[0], gated_N)
    number = wilson(float(lost_N.sum()), int(asked_N.sum()))
    names = tuple(term.name for term in terms)
    causes = [f"{cause} {amount:,}" for cause, amount in list(terms[0].causes.items())[:3]]
    verb, noun = ("misses", "its") if len(names) == 1 else ("miss", "their")
    rows = counted(int(lost_N.sum()), "row")
    said = f"{listed(names)} {verb} {percent(number.value)} of {noun} scores ({rows}"
    said += f"; {listed(causes)})." if causes and terms[0].unasked_N is not None else ")."
    numbers = {"missing": number}
    if table.step_N is not None and len(table.steps) > 1:
        code_N = np.searchsorted(table.steps, table.step_N)
        rows_T = np.bincount(code_N, asked_N, len(table.steps))
        share_T = np.bincount(code_N, lost_N, len(table.steps)) / np.maximum(rows_T, 1)
        worst = int(np.argmax(share_T))
        numbers["worst_step"] = Number(float(share_T[worst]), count=int(rows_T[worst]))
        said += f"{_WORST}{table.steps[worst]}, misses {percent(float(share_T[worst]))}."
    assert number.low is not None
    weight = sum(table.nominal.get(name, 0.0) for name in names)
    level = "problem" if weight and number.value >= MUCH and number.low >= 0.6 * MUCH else "notice"
    return Finding(
        kind="missing",
        level=level,
        title=f"{listed(names, 3)} {verb} scores",
        wrong=said,
        remedy="Find out why (time limit, refusal, an answer that could not be read) and ask again. Until"
        " then leave such answers out (a recipe's on_missing): a zero would punish what nobody scored.",
        terms=names,
        numbers=numbers,
        urgency=number.value * weight + 0.05,
    )


def check_placeholder_scores(table: Table) -> list[Finding]:
    """One notice for each term that compared with a picture of another seed, for want of the same."""
    return [
        Finding(
            kind="missing",
            level="notice",
            title=f"{name} compares with another seed's picture",
            wrong=f"In {percent(share)} of its {counted(count, 'score')} the base's record had the prompt"
            " under other seeds only, so that the same few pictures stood in for all.",
            remedy="Leave out args.base: then the base paints the picture of the same prompt and seed.",
            terms=(name,),
            numbers={"other_seed": wilson(share * count, count)},
            urgency=0.05,
        )
        for name, (share, count) in table.stand_ins.items()
        if share > 0
    ]


def check_phantom_zeros(table: Table) -> list[Finding | Unchecked]:
    """One finding for each term whose zeros, or another number, stand apart from its other scores."""
    asked = [term for term in table.terms if not is_gate_like(term) and not is_yes_no(term)]
    told = ((_phantom(table, term) or _stand_in(table, term)) for term in asked)
    findings = [found for found in told if found is not None]
    if findings:
        return [*findings]
    if not asked:
        return [Unchecked("phantom_zeros", "a term that is more than yes or no")]
    few = [term.name for term in asked if (~np.isnan(term.raw_N)).sum() < LEAST]
    if few:
        return [Unchecked("phantom_zeros", f"{LEAST} scores or more of {listed(few)}")]
    said = "No term has a spike at exactly 0, or another number, that stands apart from its other scores."
    return [Finding("phantom_zeros", "fine", "No zeros that stand for failures", said)]


def _phantom(table: Table, term: Term) -> Finding | None:
    zero_N = term.raw_N == 0.0
    others = term.raw_N[~zero_N & ~np.isnan(term.raw_N)]
    zeros = int(zero_N.sum())
    if zeros < 5 or zeros < SPIKE * table.rows or len(others) < 30 or not _stands_apart(zeros, others):
        return None
    number = wilson(float(zeros), int((~np.isnan(term.raw_N)).sum()))
    gate, explained = _gate_behind(table, zero_N)
    failed = table.failed_N
    beside = float((failed & zero_N).sum() / zeros) if failed is not None and failed.any() else None
    numbers = {"zeros": number}
    said = f"{term.name} is exactly 0 in {counted(zeros, 'row')} ({percent(number.value)}), while its other"
    said += f" scores lie around {decimal(float(np.median(others)))}"
    if beside is not None and beside >= 0.2:
        numbers["beside_failures"] = Number(beside, count=zeros)
        said += f"; {percent(beside)} of these rows name a failure"
    if explained >= 0.9:
        said += f", nearly all where {gate} is 0."
        remedy = (
            f"If {gate} means that nothing was there to score, leave the score out: the gate punishes it."
        )
    else:
        said += ": failures that were written down as the lowest score."
        remedy = "Record a failed request as missing, and ask again; a real 0 comes with near misses."
    return Finding(
        kind="phantom_zeros",
        level="notice" if explained >= 0.9 or not term.counts else "problem",
        title=f"Zeros in {term.name} that look like failures",
        wrong=said,
        remedy=remedy,
        terms=(term.name,),
        numbers=numbers,
        urgency=table.nominal.get(term.name, 0.0) * min(1.0, 5 * number.value) + 0.1,
    )


def _stand_in(table: Table, term: Term) -> Finding | None:
    """A number inside the scores' range that holds many rows while the others hardly repeat: a middle that
    was written where nobody scored. At an end it is what a limit cuts off, which `compressed` tells.
    """
    known = term.raw_N[~np.isnan(term.raw_N)]
    level_L, count_L = np.unique(known, return_counts=True)
    if len(level_L) <= AMONG:
        return None
    top = 1 + int(np.argmax(count_L[1:-1]))
    count, next_most = int(count_L[top]), int(np.delete(count_L, [0, top, -1]).max())
    if count < STANDS_OUT * len(known) or count < TIMES * next_most or count < LEAST:
        return None
    number, value = wilson(float(count), len(known)), decimal(float(level_L[top]), 3)
    said = (
        f"{term.name} is exactly {value} in {counted(count, 'row')} ({percent(number.value)}), while none of"
    )
    said += f" its other numbers is in more than {counted(next_most, 'row')}."
    return Finding(
        kind="phantom_zeros",
        level="notice",
        title=f"One number stands out in {term.name}",
        wrong=said,
        remedy="Where it stands for what nobody scored, record the score as missing: it pays for a failure as"
        " for a middling answer. Where it is a tie or a default that is meant, all is well.",
        terms=(term.name,),
        numbers={"stands_out": number},
        urgency=table.nominal.get(term.name, 0.0) * number.value,
    )


def _stands_apart(zeros: int, others: Floats) -> bool:
    middle = float(np.median(others))
    spread = float(others.std()) or abs(middle) or 1.0
    if abs(middle) < APART * spread:
        return False
    # On a grid the level next to 0 is a near miss, however far it lies.
    near = int((np.abs(others) <= max(0.5 * spread, float(np.abs(others).min()) * 1.001)).sum())
    return zeros > 3 * near + 4


def _gate_behind(table: Table, zero_N: Bools) -> tuple[str, float]:
    """The gate (or yes-or-no term) that is 0 in most of these rows, and its share of them."""
    best, share = "", 0.0
    for term in table.terms:
        if is_gate_like(term):
            found = float((zero_N & (term.raw_N == 0.0)).sum() / max(int(zero_N.sum()), 1))
            if found > share:
                best, share = term.name, found
    return best, share
