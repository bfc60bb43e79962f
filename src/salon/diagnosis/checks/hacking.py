"""The reward rises, and what it stands for does not: totals against monitors, terms that own the total."""

import numpy as np

from salon.diagnosis.estimates import Trend, bonferroni_z, correlated, trend
from salon.diagnosis.finding import Finding, Number, Unchecked
from salon.diagnosis.pages.words import listed, with_interval
from salon.diagnosis.table import Floats, Table
from salon.number_text import decimal

from .dominance import Shares, why_no_shares
from .enough_data import comparable, lacking, unchecked
from .redundant import Cluster

RISE = 0.3
UNCLEAR = 1.0
FLAT = 0.25
OWNED = 0.95
BIASED = 0.5
SUSPECT = 0.3
LEAST = 20
"""A rise is .3 of a step's spread; a monitor is flat when its rise is less than a quarter of the total's for
sure. A term owns the total at ρ > .95; length or coverage steers it at |ρ| ≥ .5 (notice: .3)."""


def monitors(table: Table) -> dict[str, Floats]:
    """What the reward does not contain and should follow: human labels, monitors, held-out judges."""
    found = {term.name: term.raw_N for term in table.terms if term.role == "monitor"}
    if table.human_N is not None:
        found = {"the human label": table.human_N} | found
    return found


def check_hacking(table: Table) -> list[Finding | Unchecked]:
    """One finding for each monitor that does not follow a rising total."""
    watched = monitors(table)
    if table.step_N is None or not watched:
        missing = ["a column `step`"] if table.step_N is None else []
        missing += [] if watched else ["a human label or a held-out judge (`heldout_…`)"]
        return [Unchecked("hacking", ", and ".join(missing))]
    total = _gain(table.total_N, table)
    if total is None:
        return [Unchecked("hacking", "at least 6 steps with a reward")]
    rise = total.number()
    assert rise.low is not None
    findings: list[Finding] = []
    few: list[str] = []
    for name, values_N in watched.items():
        gain = _gain(values_N, table)
        few += [name] if gain is None else []
        if gain is not None and rise.low > 0 and rise.value >= RISE:
            findings += _followed(name, rise, gain.number(len(watched)), table)
    bad: list[Finding | Unchecked] = [*findings]
    bad += unchecked("hacking", f"at least 6 steps with {listed(few)}" if few else None)
    if not bad and rise.low <= 0 and (rise.high or 0.0) >= UNCLEAR:
        told = f"more rows or steps: the total changes by {with_interval(rise)} spreads"
        bad.append(Unchecked("hacking", told))
    if not bad:
        said = f"Over the run the total rises by {with_interval(rise)} spreads, and what watches it follows."
        if rise.low <= 0:
            said = f"The total does not rise: {with_interval(rise)} spreads over the run."
        bad.append(Finding("hacking", "fine", "No sign of a hacked reward", said, numbers={"total": rise}))
    return bad


def _gain(values_N: Floats, table: Table) -> Trend | None:
    """The change over the run in units of the spread inside a step."""
    assert table.step_N is not None
    found = trend(values_N, table.step_N)
    if found is None:
        return None
    there_N = ~np.isnan(values_N)
    code = np.searchsorted(table.steps, table.step_N[there_N])
    count = np.maximum(np.bincount(code, minlength=len(table.steps)), 1)
    mean = np.bincount(code, values_N[there_N], len(table.steps)) / count
    spread = float(np.sqrt(np.mean((values_N[there_N] - mean[code]) ** 2))) or 1.0
    return Trend(found.change / spread, found.error / spread, found.freedom)


def _followed(name: str, rise: Number, gain: Number, table: Table) -> list[Finding]:
    assert gain.low is not None
    assert gain.high is not None
    falls = gain.high < 0
    flat = not falls and gain.high < FLAT * rise.value
    if not falls and not flat:
        return []
    word = "falls" if falls else "stands still"
    climbing = _climbers(table)
    shown = [f"{each} (by {decimal(gain, sign=True)})" for each, gain in climbing.items()]
    which = f" The terms that rise most: {', '.join(shown)}." if climbing else ""
    lighter = f" Give {listed(list(climbing))} less weight, or a veto." if climbing else ""
    return [
        Finding(
            kind="hacking",
            level="problem",
            title=f"The reward rises while {name} {word}",
            wrong=f"Over the run the total rises by {with_interval(rise)} spreads, {name} changes by"
            f" {with_interval(gain)}: what is rewarded is no longer what is wanted.{which}",
            remedy=f"Look at pictures of the first and the last steps side by side.{lighter} Or put {name}"
            " (or its like) into the reward; stop before the gap opens.",
            terms=tuple(term.name for term in table.terms if term.name == name),
            numbers={"total": rise, "monitor": gain},
            urgency=1.0 if falls else 0.9,
            advice=tuple(("less", each) for each in climbing),
        )
    ]


def _climbers(table: Table) -> dict[str, float]:
    """The live terms with the largest gains, the largest first."""
    gains = {
        term.name: found.change for term in table.live if (found := _gain(term.raw_N, table)) is not None
    }
    top = sorted(gains, key=lambda name: -gains[name])[:2]
    return {name: gains[name] for name in top if gains[name] >= RISE}


def check_exploited(table: Table, found: Shares | None, groups: list[Cluster]) -> list[Finding | Unchecked]:
    """One finding for the term that the total has become: ρ > .95 inside groups, late in the run."""
    if found is None or len(found.names) < 2 or lacking(table):
        return [Unchecked("exploited", why_no_shares(table))]
    clustered = {name for cluster in groups for name in cluster.terms}
    k = max(range(len(found.names)), key=lambda index: found.with_total[index].value)
    name, number = found.names[k], found.with_total[k]
    numbers = {f"{each}.with_total": found.with_total[i] for i, each in enumerate(found.names)}
    sure = number.value > OWNED and (number.low or 0.0) > OWNED - 0.03
    if not sure or table.nominal[name] >= 0.8:
        said = f"{name} follows the total most closely, at ρ {decimal(number.value)}."
        return [Finding("exploited", "fine", "No term owns the total", said, numbers=numbers)]
    when = " in the last third of the steps" if table.has_late else ""
    return [
        Finding(
            kind="exploited",
            level="notice" if name in clustered else "problem",
            title=f"The total is {name} in all but name",
            wrong=f"Inside groups {name} correlates with the total at {with_interval(number)}{when}, at"
            f" {decimal(table.nominal[name])} of the weight: the policy optimises this term alone.",
            remedy=f"Check whether {name} can be had cheaply. Give {name} less weight.",
            terms=(name,),
            numbers=numbers,
            urgency=0.6,
            advice=(("less", name),),
        )
    ]


def check_bias(table: Table) -> list[Finding | Unchecked]:
    """One finding for each of length and coverage that steers the total, or a term, inside groups."""
    if not table.beside and "length" in table.taken:
        return [Unchecked("bias", f"values in `{table.taken['length']}`: it is there, and holds no length")]
    if not table.beside:
        return [Unchecked("bias", "a column `tokens` or `coverage`: the length of an answer, or its paint")]
    names = ["the total", *(term.name for term in table.live)]
    columns = [table.total_N, *(term.raw_N for term in table.live)]
    label = None if table.human_N is None else len(names)
    if table.human_N is not None:
        columns.append(table.human_N)
    beside = list(table.beside)
    centred_NK = np.stack(
        [table.centred(values_N) for values_N in (*columns, *table.beside.values())], axis=1
    )
    both = correlated(centred_NK, table.block_N)
    z = bonferroni_z(len(names) * len(beside))
    findings: list[Finding | Unchecked] = []
    for offset, what in enumerate(beside):
        place = len(columns) + offset
        noun = "length" if what == "length" else "paint coverage"
        if blind := unchecked("bias", lacking(table), _constant(table, what, noun)):
            findings += blind
            continue
        wanted = table.shared.get(what) if label is None else float(both.value_KK[label, place])
        excess = [float(both.value_KK[i, place]) - (wanted or 0.0) for i in range(len(names))]
        sure = [float(both.at_least(z)[i, place]) for i in range(len(names))]
        findings.append(_bias(table, what, names, [both.number(i, place) for i in range(len(names))],
                              excess, sure, wanted))  # fmt: skip
    return findings


def _constant(table: Table, what: str, noun: str) -> str | None:
    values_N = table.centred(table.beside[what])
    there_N = ~np.isnan(values_N) & ~np.isnan(table.total_N)
    if comparable(table, there_N) >= LEAST and np.abs(values_N[there_N]).max() > 0:
        return None
    return f"{LEAST} rows or more with rewards, and a {noun} that differs inside groups"


def _bias(
    table: Table,
    what: str,
    names: list[str],
    number: list[Number],
    excess: list[float],
    sure: list[float],
    wanted: float | None,
) -> Finding:
    noun = "length" if what == "length" else "paint coverage"
    numbers = {f"{name}.with_{what}": each for name, each in zip(names, number, strict=True)}
    people = ""
    if wanted is not None:
        numbers[f"human.with_{what}"] = Number(wanted)
        whose = "People's labels" if table.human_N is not None else "The ratings in the reward's pool"
        people = f" {whose} correlate with it at {decimal(wanted)}."
    size = min(abs(number[0].value), abs(excess[0]))
    worst = max(range(1, len(names)), key=lambda i: abs(number[i].value), default=0)
    if size < SUSPECT or sure[0] < SUSPECT * 0.8:
        said = f"The total correlates with {noun} at {with_interval(number[0])} inside groups.{people}"
        return Finding("bias", "fine", f"No bias to {noun}", said, numbers=numbers)
    level = "problem" if size >= BIASED and sure[0] >= BIASED * 0.8 else "notice"
    more = "more" if number[0].value > 0 else "less"
    said = f"Inside groups the total correlates with {noun} at {with_interval(number[0])}: {more} of it pays"
    said += (
        f"; the term most bound to it is {names[worst]} ({decimal(number[worst].value)})." if worst else "."
    )
    said += people
    return Finding(
        kind="bias",
        level=level,
        title=f"The reward pays for {noun}",
        wrong=said,
        remedy=f"Bound {noun} by a yes-or-no check, and see that {names[worst]} is not a measure of it.",
        terms=(names[worst],) if worst else (),
        numbers=numbers,
        urgency=min(1.0, number[0].value ** 2 + 0.2),
    )
