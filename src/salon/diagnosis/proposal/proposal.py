"""From findings to a recipe: which signals to keep, merge, turn into gates or drop, and at what weights.

The weights are for normalised terms, and the recipe is tried on the scores that are there before it is shown
(see `rehearsal`): what each term decides lies within .1 of its part of the weight, or the recipe says where
not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from salon.diagnosis.checks.compressed import Shape, is_compressed
from salon.diagnosis.checks.redundant import LEFT_OUT, Cluster
from salon.diagnosis.checks.saturated import GATED, Spread
from salon.diagnosis.pages.words import listed, spelled
from salon.diagnosis.reading.scale import is_gate_like, is_yes_no
from salon.diagnosis.table import Bools, Floats, Table, Term
from salon.errors import RecipeError
from salon.number_text import decimal
from salon.rewards.recipe import load_reward

from .trial import Trial, try_out
from .weighing import TOLERANCE, balanced, rounded

SMALL, MOST_SMALL = 0.05, 0.5
"""What gates and yes-or-no checks get each, and all of them together at most."""
LIGHTER = 0.5

Action = Literal["keep", "merge", "gate", "drop"]


@dataclass(frozen=True, slots=True)
class Signal:
    """One signal of the proposed recipe. terms: what it is made of, the representative first; pairwise: its
    judge should compare instead of giving marks. weight: negative where the term is a penalty.
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
    """A recipe: signals whose weights add up to 1 (without their signs), and what is dropped.

    compose: as a recipe has it. changed: it is not today's. rehearsal: what each signal decides on the rows
    that are there, by its name; None where these are too few to tell.
    """

    signals: tuple[Signal, ...]
    dropped: tuple[Signal, ...]
    compose: Any
    changed: bool
    trial: Trial | None = None

    @property
    def standardize(self) -> bool:
        """Whether its terms are standardised."""
        return self.compose != "weighted_sum"

    @property
    def holds(self) -> bool:
        """Whether every term decides what it weighs, within .1, as far as that was tried."""
        return self.trial is not None and self.trial.off <= TOLERANCE


@dataclass(frozen=True, slots=True)
class Wishes:
    """What findings ask of a recipe. underweighted: terms that carry the variance at a small weight. uneven:
    terms count by their spread rather than their weight. against: terms that people would drop. lighter:
    terms to weigh less.
    """

    underweighted: Sequence[str] = ()
    uneven: bool = False
    against: Sequence[str] = ()
    lighter: Sequence[str] = ()


def propose(
    table: Table,
    clusters: Sequence[Cluster],
    spreads: Sequence[Spread],
    shapes: Sequence[Shape],
    wishes: Wishes,
) -> Proposal | None:
    """The recipe that follows from the findings.

    Gates become one, at .05. A term that stands still at its top becomes a yes-or-no check at .05; one that
    never moves is dropped, as is one that pulls against people. A cluster becomes its representative, at the
    merged weight. What is compressed is asked pairwise. The rest of the weight goes to the signals that move,
    as they weigh today; where one of them carries the variance at a small weight, as the square roots of
    today's weights, which is halfway between today's weights and equal ones. From there weights move as far
    as it takes for each to decide what it weighs.

    Returns:
        None when there is no term with a weight, or none is left; when terms cancel one another, which only
        the user can decide; and when rows that have a signal today would be left without one.
    """
    if not table.live or any(cluster.cancel for cluster in clusters):
        return None
    clusters = [cluster for cluster in clusters if not cluster.apart]
    small, moving, dropped = _sorted_out(table, clusters, spreads, shapes, wishes)
    if (not small and not moving) or _leaves_rows_out(table, (*small, *moving)):
        return None
    room_small = 1.0 if not moving else min(SMALL * len(small), MOST_SMALL)
    if small:
        equal = rounded(np.ones(len(small)), room_small)
        small = [replace(each, weight=float(w)) for each, w in zip(small, equal, strict=True)]
    target_K = np.array([abs(signal.weight) for signal in moving])
    target_K = np.sqrt(target_K) if wishes.underweighted else target_K
    lighter_K = np.array([bool(set(signal.terms) & set(wishes.lighter)) for signal in moving], dtype=bool)
    target_K = np.where(lighter_K, LIGHTER * target_K, target_K)
    changed = bool(clusters or dropped or wishes.underweighted or wishes.uneven or lighter_K.any())
    changed |= any(signal.pairwise or signal.action in ("merge", "gate") for signal in (*small, *moving))
    room = round(1.0 - room_small, 9) if small else 1.0
    return _tried(table, small, moving, dropped, target_K, room, changed)


def _leaves_rows_out(table: Table, signals: Sequence[Signal]) -> bool:
    """Whether rows, or prompts by the recipe's `when`, would have no signal but gates that have one today."""
    before = [term for term in table.live if not is_gate_like(term)]
    after = [table.term(each.terms[0]) for each in signals if not is_gate_like(table.term(each.terms[0]))]
    if not before:
        return False

    def always(terms: Sequence[Term]) -> bool:
        return any(not table.specs.get(term.name, {}).get("when") for term in terms)

    def scored_N(terms: Sequence[Term]) -> Bools:
        return np.any([np.zeros(table.rows, bool), *(~np.isnan(term.raw_N) for term in terms)], axis=0)

    if always(before) and not always(after):
        return True
    return float((scored_N(before) & ~scored_N(after)).mean()) > LEFT_OUT


def _tried(
    table: Table,
    small: list[Signal],
    moving: list[Signal],
    dropped: list[Signal],
    target_K: Floats,
    room: float,
    changed: bool,
) -> Proposal:
    """With weights under which each signal decides what it weighs; today's way to compose is kept where that
    does it.
    """
    ready = _weighed(moving, rounded(target_K, room)) if moving else []
    kept = table.reward.get("compose", "weighted_sum")
    standard = kept if isinstance(kept, Mapping) else {"standardize": "batch"}
    as_today = bool(table.specs) and not any(signal.pairwise for signal in moving)
    first = kept if as_today else standard
    proposal = Proposal((*small, *ready), tuple(dropped), first, changed)
    trial = _tried_out(proposal, table)
    if trial is not None and trial.off > TOLERANCE and first != standard:
        proposal = replace(proposal, compose=standard)
        trial = _tried_out(proposal, table)
    if trial is not None and trial.off > TOLERANCE - 0.005 and len(moving) > 1:
        order = [trial.names.index(signal.name) for signal in moving if signal.name in trial.names]
        sign_K = np.sign([signal.weight for signal in moving])
        if len(order) == len(moving):
            products_KK = trial.products_KK[np.ix_(order, order)] * np.outer(sign_K, sign_K)
            weights_K = balanced(target_K, products_KK, room)
            proposal = replace(proposal, signals=(*small, *_weighed(moving, weights_K)))
            trial = _tried_out(proposal, table)
    small_first = len(small)
    ordered = sorted(proposal.signals[small_first:], key=lambda signal: abs(signal.weight))
    told = [_told(signal, table) for signal in ordered]
    return replace(proposal, signals=(*small, *told), trial=trial)


def _weighed(moving: Sequence[Signal], weights_K: Floats) -> list[Signal]:
    return [
        replace(signal, weight=float(np.copysign(weight, signal.weight)))
        for signal, weight in zip(moving, weights_K, strict=True)
    ]


def _told(signal: Signal, table: Table) -> Signal:
    today = sum(table.nominal[name] for name in signal.terms)
    told = f"{decimal(today)} of the weight today"
    return replace(signal, why=f"{signal.why}; {told}" if signal.why else f"{signal.terms[0]}, {told}")


def _tried_out(proposal: Proposal, table: Table) -> Trial | None:
    """The proposal on the table's rows. Its terms are called signal_0 … while it is tried."""
    keys = {f"signal_{place}": signal for place, signal in enumerate(proposal.signals)}
    terms: dict[str, Any] = {}
    for key, signal in keys.items():
        spec = table.specs.get(signal.terms[0], {})
        kept = (
            {}
            if signal.pairwise or signal.yes_no
            else {k: spec[k] for k in ("squash", "normalize") if spec.get(k)}
        )
        role = {"role": "gate"} if signal.yes_no else {}
        terms[key] = {"scorer": "palette", "weight": signal.weight, **role, **kept}
    try:
        recipe = load_reward({"reward": {"compose": proposal.compose, "terms": terms}})
    except RecipeError:
        return None
    sources = {key: stand_in(signal, table) for key, signal in keys.items()}
    found = try_out(recipe, table, sources)
    if found is None:
        return None
    called = {key: signal.name for key, signal in keys.items()}

    def renamed(values: Mapping[str, float]) -> dict[str, float]:
        return {called[key]: value for key, value in values.items()}

    return replace(
        found,
        names=tuple(called[key] for key in found.names),
        share=renamed(found.share),
        weight=renamed(found.weight),
        with_total=renamed(found.with_total),
    )


def stand_in(signal: Signal, table: Table) -> Floats:
    """The scores that stand for a signal's: its term's own; for a gate of several, whether all let it pass;
    for a yes-or-no check of a term at its top, whether it is in the upper half of the term's range.
    """
    raws = [table.term(name).raw_N for name in signal.terms]
    if not signal.yes_no:
        return raws[0]
    checks: list[Floats] = []
    for raw_N in raws:
        known = raw_N[~np.isnan(raw_N)]
        middle = (float(known.min()) + float(known.max())) / 2 if len(known) else 0.0
        border = middle if len(known) and known.min() < known.max() else -np.inf
        checks.append(np.where(np.isnan(raw_N), np.nan, (raw_N > border).astype(np.float64)))
    together_KN = np.stack(checks)
    # A row that one gate refuses is refused, whatever the others did not say.
    return np.where((together_KN == 0).any(axis=0), 0.0, together_KN.min(axis=0))


def _sorted_out(
    table: Table,
    clusters: Sequence[Cluster],
    spreads: Sequence[Spread],
    shapes: Sequence[Shape],
    wishes: Wishes,
) -> tuple[list[Signal], list[Signal], list[Signal]]:
    """Signals of a small weight, signals that share the rest (with today's weight), and what is dropped."""
    flat = {each.term: each for each in spreads if each.since is not None}
    pressed = {shape.term for shape in shapes if is_compressed(shape)}
    copies = {name: each.keep for each in clusters for name in each.terms if name != each.keep}
    gone = {*copies, *wishes.against}
    gates = [term for term in table.live if is_gate_like(term) and term.name not in gone]
    used = {term.name for term in gates}
    # Gates that a recipe names have scorers of their own.
    together = [[term] for term in gates] if table.specs else [gates]
    small = [_gate(group) for group in together] if gates else []
    dropped: list[Signal] = []
    for term in table.live:
        if term.name in used:
            continue
        why = ""
        if term.name not in table.scored and not term.never_asked:
            why = f"{term.name} has no score in any row"
        elif copies.get(term.name) in used or (is_gate_like(term) and term.name in copies):
            why = f"{term.name} says the same as {copies[term.name]}"
        elif term.name in wishes.against:
            why = f"{term.name} orders answers against people"
        elif term.name in flat and (flat[term.name].level <= GATED or not flat[term.name].range):
            why = f"{term.name} never moves"
        if why:
            used.add(term.name)
            dropped.append(Signal(term.name, "drop", (term.name,), 0.0, why))
        elif term.name in flat:
            used.add(term.name)
            why = f"{term.name} stands still at its top: a yes-or-no check is enough"
            small.append(Signal(term.name, "gate", (term.name,), SMALL, why, yes_no=True))
    moving: list[Signal] = []
    for term in table.live:
        if term.name in used:
            continue
        cluster = next((each for each in clusters if term.name in each.terms), None)
        members = tuple(name for name in cluster.terms if name not in used) if cluster else (term.name,)
        used |= set(members)
        moving.append(_moving(table, term, cluster, members, pressed))
    return small, moving, dropped


def _gate(gates: Sequence[Term]) -> Signal:
    names = tuple(term.name for term in gates)
    name = names[0] if len(names) == 1 else "gate"
    why = f"{listed(names)}, as one yes-or-no gate" if len(names) > 1 else f"{name} is a gate"
    action: Action = "gate" if len(names) > 1 or gates[0].role != "gate" else "keep"
    return Signal(name, action, names, SMALL, why, yes_no=True)


def _moving(
    table: Table, term: Term, cluster: Cluster | None, members: tuple[str, ...], pressed: set[str]
) -> Signal:
    nominal = sum(table.nominal[name] for name in members)
    keep = cluster.keep if cluster and cluster.keep in members else term.name
    signed = float(np.copysign(nominal, table.term(keep).weight))
    if cluster is None or len(members) < 2:
        pairwise = term.name in pressed and not is_yes_no(term)
        why = f"{term.name}, asked pairwise, since its marks are compressed" if pairwise else ""
        return Signal(term.name, "keep", members, signed, why, pairwise)
    pairwise = any(name in pressed for name in members)
    probably = "probably " if cluster.unrounded else ""
    why = f"{keep} stands for {spelled(len(members))} terms that {probably}measure one thing"
    why += ", asked pairwise, since their marks are compressed" if pairwise else ""
    ordered = (keep, *(name for name in members if name != keep))
    return Signal(keep, "merge", ordered, signed, why, pairwise)
