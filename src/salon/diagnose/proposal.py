"""From findings to a recipe: which signals to keep, merge, turn into gates or drop, and at what weights."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import yaml

from salon import yaml_text
from salon.diagnose.compressed import Shape, is_compressed
from salon.diagnose.redundant import Cluster
from salon.diagnose.saturated import Spread
from salon.diagnose.scale import is_gate_like, is_yes_no
from salon.diagnose.table import Table, Term
from salon.diagnose.words import decimal, listed, spelled
from salon.extend import BUILTINS

SMALL = 0.05
"""What gates and yes-or-no checks get each."""

Action = Literal["keep", "merge", "gate", "drop"]
_PREFERENCE_MODEL = re.compile(
    r"hps|pick_?score|image_?reward|unified_?reward|clip_?score|mps\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Signal:
    """One signal of the proposed recipe. terms: what it is made of, the representative first; pairwise: its
    judge should compare instead of giving marks.
    """

    name: str
    action: Action
    terms: tuple[str, ...]
    weight: float
    why: str
    pairwise: bool = False
    yes_no: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """A recipe: signals whose weights add up to 1, and what is dropped. changed: it is not today's."""

    signals: tuple[Signal, ...]
    dropped: tuple[Signal, ...]
    standardize: bool
    changed: bool


def propose(
    table: Table,
    clusters: Sequence[Cluster],
    spreads: Sequence[Spread],
    shapes: Sequence[Shape],
    underweighted: Sequence[str],
    uneven: bool,
) -> Proposal | None:
    """The recipe that follows from the findings.

    Gates become one, at .05. A term that stands still at its top becomes a yes-or-no check at .05; one that
    never moves is dropped. A cluster becomes its representative, at the merged weight. What is compressed is
    asked pairwise. The rest of the weight goes to the signals that move, as they weigh today; where one of
    them carries the variance at a small weight, as the square roots of today's weights, which is halfway
    between today's weights and equal ones.

    Args:
        underweighted: terms that carry the variance at a small weight.
        uneven: whether terms count by their spread rather than their weight, so that they need standardising.

    Returns:
        None when there is no term with a weight.
    """
    if not table.live:
        return None
    small, moving, dropped = _sorted_out(table, clusters, spreads, shapes)
    room = 1.0 - sum(signal.weight for signal in small)
    weights = np.array([signal.weight for signal in moving])
    if len(moving):
        weights = np.sqrt(weights) if underweighted else weights
        weights = _rounded(room * weights / weights.sum(), room)
    ready = [_weighed(signal, float(weight), table) for signal, weight in zip(moving, weights, strict=True)]
    changed = bool(clusters or dropped or underweighted or uneven)
    changed |= any(signal.pairwise or signal.action in ("merge", "gate") for signal in (*small, *moving))
    return Proposal((*small, *ready), tuple(dropped), uneven, changed)


def _sorted_out(
    table: Table, clusters: Sequence[Cluster], spreads: Sequence[Spread], shapes: Sequence[Shape]
) -> tuple[list[Signal], list[Signal], list[Signal]]:
    """Signals of a small weight, signals that share the rest (with today's weight), and what is dropped."""
    flat = {each.term: each for each in spreads if each.since is not None}
    pressed = {shape.term for shape in shapes if is_compressed(shape)}
    gates = [term for term in table.live if is_gate_like(term)]
    used = {term.name for term in gates}
    small = [_gate(gates)] if gates else []
    dropped: list[Signal] = []
    for term in table.live:
        if term.name in used or term.name not in flat:
            continue
        used.add(term.name)
        if flat[term.name].level > 0.5 and flat[term.name].range > 0:
            why = f"{term.name} stands still at its top: a yes-or-no check is enough"
            small.append(Signal(term.name, "gate", (term.name,), SMALL, why, yes_no=True))
        else:
            dropped.append(Signal(term.name, "drop", (term.name,), 0.0, f"{term.name} never moves"))
    moving: list[Signal] = []
    for term in table.live:
        if term.name in used:
            continue
        cluster = next((each for each in clusters if term.name in each.terms), None)
        members = tuple(name for name in cluster.terms if name not in used) if cluster else (term.name,)
        used |= set(members)
        moving.append(_moving(table, term, cluster, members, pressed))
    return small, _named(moving), dropped


def _gate(gates: Sequence[Term]) -> Signal:
    names = tuple(term.name for term in gates)
    name = names[0] if len(names) == 1 else "gate"
    why = f"{listed(names)}, as one yes-or-no gate" if len(names) > 1 else f"{name} is a gate"
    weight = min(SMALL, sum(abs(term.weight) for term in gates))
    action: Action = "gate" if len(names) > 1 or gates[0].role != "gate" else "keep"
    return Signal(name, action, names, weight or SMALL, why, yes_no=True)


def _moving(
    table: Table, term: Term, cluster: Cluster | None, members: tuple[str, ...], pressed: set[str]
) -> Signal:
    nominal = sum(table.nominal[name] for name in members)
    if cluster is None or len(members) < 2:
        pairwise = term.name in pressed and not is_yes_no(term)
        why = f"{term.name}, asked pairwise, since its marks are compressed" if pairwise else ""
        return Signal(term.name, "keep", members, nominal, why, pairwise)
    keep = cluster.keep if cluster.keep in members else members[0]
    pairwise = any(name in pressed for name in members)
    probably = "probably " if cluster.unrounded else ""
    why = f"{keep} stands for {spelled(len(members))} terms that {probably}measure one thing"
    why += ", asked pairwise, since their marks are compressed" if pairwise else ""
    ordered = (keep, *(name for name in members if name != keep))
    return Signal(keep, "merge", ordered, nominal, why, pairwise)


def _named(moving: list[Signal]) -> list[Signal]:
    """Preference models are called preference, and the first judge that is to compare is called taste."""
    named: list[Signal] = []
    for signal in moving:
        taken = {other.name for other in (*named, *moving) if other is not signal}
        name = signal.name
        if signal.pairwise and "taste" not in taken:
            name = "taste"
        elif _PREFERENCE_MODEL.search(signal.name) and "preference" not in taken:
            name = "preference"
        named.append(Signal(name, signal.action, signal.terms, signal.weight, signal.why, signal.pairwise))
    return sorted(named, key=lambda signal: signal.weight)


def _rounded(weights: np.ndarray, room: float) -> np.ndarray:
    """Weights in twentieths where that leaves none without, else in hundredths; they add up to `room`."""
    step = 0.05 if weights.min() >= 0.04 and len(weights) <= 8 else 0.01
    steps = np.maximum(np.round(weights / step), 1)
    while round(room / step - steps.sum()) != 0:
        short = room / step - steps.sum()
        error = weights / step - steps
        steps[int(np.argmax(error if short > 0 else np.where(steps > 1, -error, -np.inf)))] += np.sign(short)
    return steps * step


def _weighed(signal: Signal, weight: float, table: Table) -> Signal:
    told = f"{decimal(signal.weight)} of the weight today"
    why = f"{signal.why}; {told}" if signal.why else f"{signal.terms[0]}, {told}"
    return Signal(signal.name, signal.action, signal.terms, round(weight, 4), why, signal.pairwise)


# ---- as a file -------------------------------------------------------------------------------------------


def as_yaml(proposal: Proposal, table: Table) -> str:
    """The proposal as a reward recipe that `salon.rewards.recipe.load_reward` reads, with its reasons.

    Scorers and arguments come from the run's recipe where there is one; elsewhere `my_scorers:<term>` stands
    for the reader's own.
    """
    lines = ["reward:"]
    if proposal.standardize:
        lines += [
            "  # Each term counts by its weight, however wide it spreads.",
            "  compose: {standardize: batch}",
        ]
    lines.append("  terms:")
    judges: dict[str, Any] = {}
    taken: set[str] = set()
    for signal in proposal.signals:
        lines += [
            f"    # {_one_line(signal.why)}.",
            f"    {_key(signal.name, taken)}: {_entry(signal, table, judges)}",
        ]
    for term in table.terms:
        if term.rests and isinstance(table.specs.get(term.name, {}).get("weight"), Mapping):
            lines += _resting(term, table, judges, taken)
    for signal in proposal.dropped:
        lines.append(f"    # Dropped: {_one_line(signal.why)}.")
    if judges:
        lines += ["  judges:", *(f"    {name}: {_flow(spec)}" for name, spec in judges.items())]
    return "\n".join(lines) + "\n"


def _key(name: str, taken: set[str]) -> str:
    """A column's name as a recipe may call a term: `Colour Harmony` becomes `colour_harmony`."""
    plain = name if re.fullmatch(r"[a-z][a-z0-9_]{0,35}", name) else _plain(name)
    # YAML reads some words, such as no, as something else than text.
    plain = plain if yaml.safe_load(plain) == plain else f"{plain}_"
    key = next(key for key in (plain, *(f"{plain}_{n}" for n in range(2, 1000))) if key not in taken)
    taken.add(key)
    return key


def _plain(name: str) -> str:
    letters = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:36]
    return letters if letters[:1].isalpha() else f"term_{letters}".rstrip("_")[:36]


def _one_line(text: str) -> str:
    """Text for a comment: a column's name must not end the comment, nor hold what YAML refuses."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _entry(signal: Signal, table: Table, judges: dict[str, Any]) -> str:
    spec = dict(table.specs.get(signal.terms[0], {}))
    entry: dict[str, Any] = {"scorer": _scorer(signal, spec)}
    if signal.yes_no:
        entry["role"] = "gate"
    entry["weight"] = round(signal.weight, 4)
    if signal.pairwise and spec.get("scorer") != "pairwise":
        entry |= {"judge": "vlm", "args": {"pool": "my-pool", "references": 2}}
        judges["vlm"] = {"kind": "openai", "model": "your-judge", "base_url": "${SALON_JUDGE_URL}"}
        return _flow(entry)
    entry |= {key: spec[key] for key in ("judge", "args") if spec.get(key)}
    judge = str(spec.get("judge", ""))
    if judge in table.judges:
        judges[judge] = table.judges[judge]
    return _flow(entry)


def _resting(term: Term, table: Table, judges: dict[str, Any], taken: set[str]) -> list[str]:
    """A term that weighed nothing at the last step keeps its schedule: its scores say nothing against it."""
    spec = table.specs[term.name]
    entry = {"scorer": spec["scorer"], "weight": {int(step): at for step, at in spec["weight"].items()}}
    entry |= {key: spec[key] for key in ("role", "judge", "args") if spec.get(key) not in (None, "reward")}
    judge = str(spec.get("judge", ""))
    if judge in table.judges:
        judges[judge] = table.judges[judge]
    why = (
        f"{term.name} has no weight at step {int(table.steps[-1])}, the last one here, and keeps its schedule"
    )
    return [f"    # {_one_line(why)}.", f"    {_key(term.name, taken)}: {_flow(entry)}"]


def _scorer(signal: Signal, spec: dict[str, Any]) -> str:
    if signal.pairwise:
        return "pairwise"
    if "scorer" in spec:
        return str(spec["scorer"])
    name = signal.name if signal.name == "gate" else signal.terms[0]
    known = name in BUILTINS["scorer"] and name not in ("length", "pairwise")
    return name if known else f"my_scorers:{re.sub(r'[^A-Za-z0-9_]', '_', name)}"


def _flow(value: Any) -> str:
    return yaml_text.dumped(value, default_flow_style=True, width=10_000).strip()
