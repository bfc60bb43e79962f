"""A proposal as a reward recipe's file, with its reasons: what the user's own recipe says is kept."""

import re
from collections.abc import Mapping
from typing import Any

from salon.diagnosis.pages.words import listed
from salon.diagnosis.table import Table, Term
from salon.files import yaml_text
from salon.number_text import decimal
from salon.registry import BUILTINS

from .proposal import Proposal, Signal

READS_CRITERIA = ("openai", "anthropic", "gemini")
"""Kinds of judges that can be told what to compare by."""
COMPARES = (*READS_CRITERIA, "taste", "rational", "council", "fake")
_POOL = "${SALON_POOL:-flowers}"
_OWN: dict[str, Any] = {"kind": "openai", "model": "${SALON_JUDGE_MODEL}", "base_url": "${SALON_JUDGE_URL}"}


def as_yaml(proposal: Proposal, table: Table) -> str:
    """The proposal as a reward recipe that `salon.rewards.recipe.load_reward` reads, with its reasons.

    Names, scorers, arguments, judges and pools come from the user's recipe where one is known; elsewhere
    `my_scorers:<term>` stands for the reader's own scorer, and variables of the environment for the judge.
    """
    lines = ["reward:", *(f"  # {told}" for told in head_lines(proposal))]
    kept = {key: table.reward[key] for key in ("advantage", "classifiers", "check") if key in table.reward}
    if proposal.compose != "weighted_sum":
        lines += [
            "  # Each term counts by its weight, however wide it spreads.",
            f"  compose: {_flow(proposal.compose)}",
        ]
    if (
        proposal.compose == table.reward.get("compose", "weighted_sum")
        and table.reward.get("floor") is not None
    ):
        kept["floor"] = table.reward["floor"]
    lines += [f"  {key}: {_flow(value)}" for key, value in kept.items() if value is not None and value != {}]
    lines.append("  terms:")
    judges: dict[str, Any] = {}
    taken: set[str] = set()
    renamed: dict[str, str] = {}
    for signal in proposal.signals:
        key = _key(signal.name, taken)
        renamed |= dict.fromkeys(signal.terms, key)
        lines += [
            f"    # {_one_line(signal.why)}.",
            f"    {key}: {_flow(_entry(signal, key, table, judges))}",
        ]
    lines += _others(table, proposal, judges, taken, renamed)
    for signal in proposal.dropped:
        lines.append(f"    # Dropped: {_one_line(signal.why)}.")
    if judges:
        lines += ["  judges:", *(f"    {name}: {_flow(spec)}" for name, spec in judges.items())]
    return "\n".join(lines) + "\n"


def head_lines(proposal: Proposal) -> list[str]:
    """What came of trying the recipe on these rows."""
    trial = proposal.trial
    if trial is None:
        return ["Not tried on these scores: too few rows have all of them."]
    shown = sorted(trial.names, key=lambda name: -trial.weight[name])[:8]
    parts = [f"{name} {decimal(trial.share[name])} at {decimal(trial.weight[name])}" for name in shown]
    told = (
        f"Tried on {trial.rows:,} of these rows. What each term decides, at its part of the terms' weight: "
    )
    told += f"{', '.join(parts)}{' …' if len(trial.names) > 8 else ''}."
    asked = [signal.name for signal in proposal.signals if signal.pairwise]
    lines = [_one_line(told)]
    if asked:
        lines.append(
            _one_line(f"Today's scores of {listed(asked)} stood for what its judge will say of two pictures.")
        )
    if not proposal.holds:
        lines.append(
            "One lies more than 0.1 from its weight: the terms run against one another. Look at them first."
        )
    return lines


def blanks(proposal: Proposal, table: Table) -> list[str]:
    """What the reader has to fill in before the recipe runs."""
    text = as_yaml(proposal, table)
    own = sorted(set(re.findall(r"my_scorers:\w+", text)))
    needed = [f"a scorer of your own for {listed(own)} (docs/reward.md)"] if own else []
    given = {"SALON_JUDGE_URL": "the judge's address", "SALON_JUDGE_MODEL": "its model"}
    needed += [f"{name}, {what}" for name, what in given.items() if f"${{{name}}}" in text]
    needed += ["SALON_POOL, your rated pictures (else the flowers that ship)"] if _POOL in text else []
    return needed


def _others(
    table: Table, proposal: Proposal, judges: dict[str, Any], taken: set[str], renamed: Mapping[str, str]
) -> list[str]:
    """The recipe's terms that the proposal says nothing of: schedules that rest, vetoes, monitors, terms that
    these scores do not have.
    """
    told = {name for signal in (*proposal.signals, *proposal.dropped) for name in signal.terms}
    columns = {term.name: term for term in table.terms}
    lines: list[str] = []
    for name, spec in table.specs.items():
        if name in told:
            continue
        entry = _kept(spec)
        if entry.get("role") == "veto":
            target = renamed.get(str(entry.get("vetoes")), "")
            if not target:
                lines.append(f"    # Dropped: {_one_line(name)}, since the term that it vetoes is.")
                continue
            entry["vetoes"] = target
        term = columns.get(name)
        why = f"{name} is kept as it is"
        if term is not None and term.rests:
            why = _resting(term, table)
        elif term is None:
            why = f"{name} is not in these scores, and is kept as it is"
        _with_judge(entry, table, judges)
        lines += [f"    # {_one_line(why)}.", f"    {_key(name, taken)}: {_flow(entry)}"]
    return lines


def _resting(term: Term, table: Table) -> str:
    last = int(table.steps[-1]) if len(table.steps) else 0
    return f"{term.name} has no weight at step {last}, the last one here, and keeps its schedule"


def _kept(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A term as the user's recipe has it, without what is not said."""
    entry = {key: value for key, value in spec.items() if value is not None and value not in ({}, [])}
    if isinstance(entry.get("weight"), Mapping):
        entry["weight"] = {int(step): value for step, value in entry["weight"].items()}
    if entry.get("role") == "reward":
        del entry["role"]
    if entry.get("role") in ("veto", "monitor"):
        entry.pop("weight", None)
    return entry


def _with_judge(entry: Mapping[str, Any], table: Table, judges: dict[str, Any]) -> None:
    judge = str(entry.get("judge", ""))
    if judge in table.judges:
        judges[judge] = table.judges[judge]


def _entry(signal: Signal, key: str, table: Table, judges: dict[str, Any]) -> dict[str, Any]:
    spec = _kept(table.specs.get(signal.terms[0], {}))
    weight = round(signal.weight, 6)
    if signal.pairwise and spec.get("scorer") not in ("pairwise", "round_robin"):
        judge = _comparing(key, spec, table, judges)
        if judge:
            args = {"pool": _pool(spec, table), "references": 2}
            kept = {
                name: spec[name]
                for name in ("when", "on_missing", "deadline_s", "concurrency")
                if name in spec
            }
            return {"scorer": "pairwise", "weight": weight, "judge": judge, "args": args, **kept}
    entry: dict[str, Any] = {"scorer": _scorer(signal, spec)}
    if signal.yes_no:
        entry["role"] = "gate"
        spec = {name: value for name, value in spec.items() if name not in ("squash", "normalize")}
        if spec.get("on_missing") in ("neutral", "renormalize"):
            del spec["on_missing"]
    entry["weight"] = weight
    entry |= {
        name: value for name, value in spec.items() if name not in ("scorer", "role", "weight", "vetoes")
    }
    _with_judge(entry, table, judges)
    return entry


def _comparing(key: str, spec: Mapping[str, Any], table: Table, judges: dict[str, Any]) -> str:
    """The judge that is to compare, by a criterion of the term's own; empty where the recipe's judges cannot
    be told one, and one of them compares already.
    """
    known = {name: judge for name, judge in table.judges.items() if isinstance(judge, Mapping)}
    named = str(spec.get("judge", ""))
    order = [named, *(str(other.get("judge", "")) for other in table.specs.values()), *known]
    able = [name for name in order if name in known and known[name].get("kind") in COMPARES]
    reads = next((name for name in able if known[name].get("kind") in READS_CRITERIA), None)
    if not able or reads is not None:
        given = dict(known[reads]) if reads is not None else dict(_OWN)
        name = _key(f"{reads or 'vlm'}_{key}", set(judges) | set(known))
        told = {"criteria": _criterion(key)} if not given.get("criteria") or reads != named else {}
        judges[name] = {**given, **told}
        return name
    if able[0] in judges or any(
        other.get("judge") == able[0] and other.get("scorer") == "pairwise" for other in table.specs.values()
    ):
        return ""
    judges[able[0]] = known[able[0]]
    return able[0]


def _criterion(key: str) -> str:
    name = key.replace("_", " ").capitalize()
    return f"{name}: which of the two pictures is better in this, whatever else they are like?"


def _pool(spec: Mapping[str, Any], table: Table) -> str:
    args = [spec.get("args") or {}, *(other.get("args") or {} for other in table.specs.values())]
    return next((str(each["pool"]) for each in args if isinstance(each.get("pool"), str)), _POOL)


def _scorer(signal: Signal, spec: Mapping[str, Any]) -> str:
    if "scorer" in spec:
        return str(spec["scorer"])
    name = signal.name if signal.name == "gate" else signal.terms[0]
    known = name in BUILTINS["scorer"] and name not in ("length", "pairwise")
    return name if known else f"my_scorers:{re.sub(r'[^A-Za-z0-9_]', '_', name)}"


def _key(name: str, taken: set[str]) -> str:
    """A column's name as a recipe may call a term: `Colour Harmony` becomes `colour_harmony`."""
    key = name if re.fullmatch(r"[a-z][a-z0-9_]{0,35}", name) else _plain(name)
    key = next(each for each in (key, *(f"{key[:35]}_{n}" for n in range(2, 1000))) if each not in taken)
    taken.add(key)
    return key


def _plain(name: str) -> str:
    letters = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:35]
    return letters if letters[:1].isalpha() else f"term_{letters}".rstrip("_")[:35]


def _one_line(text: str) -> str:
    """Text for a comment: a column's name must not end the comment, nor hold what YAML refuses."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _flow(value: Any) -> str:
    # A document that is a bare word ends in three points.
    return yaml_text.dumped(value, default_flow_style=True, width=10_000).strip().removesuffix("\n...")
