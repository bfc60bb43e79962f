"""How strong are the references that a step happened to draw, and what would its win rate be against all?

A picture may win .25 or .62 of its comparisons by the luck of the draw alone, so a curve of win rates jumps
with every step. Meetings are modelled as P(win) = σ(q_step − s_reference), a Bradley–Terry model whose one
side is the policy at a step; the corrected rate of a step is the mean of σ(q_step − s) over all references
that the run ever met.

Shape suffixes: M = meetings (a step and a reference, over its samples), T = steps, R = references.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

HEADING = "against "
AGAINST = "against/"
"""What stands before a reference's id in a score's details."""
PRIOR = 1.0
"""Precision of a reference's strength before it is met, in squared log odds: most lie within ± 2."""
LOOSE = 1e-4
"""The same of a step: next to nothing, and enough for a step that won everything."""
ROUNDS = 60


@dataclass(frozen=True, slots=True)
class Meetings:
    """What was played: the step, the reference, the mean outcome (0–1) and how many samples it is of."""

    step: int
    reference: str
    outcome: float
    samples: int


@dataclass(frozen=True, slots=True)
class Strengths:
    """`references`: log odds, 0 on average, higher is harder. `rates`: each step's corrected win rate.
    `drawn`: the mean strength of what each step met.
    """

    references: Mapping[str, float]
    rates: Mapping[int, float]
    drawn: Mapping[int, float]


def tell_outcomes(outcomes: Mapping[str, float]) -> str:
    """A sample's meetings as the reason of its score: "against 12b8f 0.62, 1a407 0.31"."""
    return HEADING + ", ".join(f"{name} {outcome:.2f}" for name, outcome in outcomes.items())


def detailed_outcomes(outcomes: Mapping[str, float]) -> dict[str, float]:
    """The same for a score's details, as exact as they are: {"against/12b8f": 0.6180339}."""
    return {AGAINST + name: outcome for name, outcome in outcomes.items()}


def read_outcomes(reason: str) -> dict[str, float]:
    """What `tell_outcomes` wrote, whatever follows it in brackets; {} for any other text. For records of
    before, which have no details: two decimals only.
    """
    if not reason.startswith(HEADING):
        return {}
    told = re.sub(r" \([^()]*\)$", "", reason.removeprefix(HEADING))
    found = (part.rpartition(" ") for part in re.split(r"(?<=\d), ", told))
    return {name: float(value) for name, _, value in found if name and re.fullmatch(r"[01]\.\d\d", value)}


def meetings_of(
    steps: Sequence[int],
    reasons: Sequence[str | None],
    details: Sequence[Mapping[str, float]] | None = None,
) -> list[Meetings]:
    """The meetings behind a term's rows: N steps, the N reasons that `pairwise` gave, and the N details of
    its scores. A row without details is read from its reason.
    """
    found: dict[tuple[int, str], list[float]] = {}
    for step, reason, known in zip(steps, reasons, details or [{}] * len(steps), strict=True):
        outcomes = {
            key.removeprefix(AGAINST): value for key, value in known.items() if key.startswith(AGAINST)
        }
        for name, outcome in (outcomes or read_outcomes(reason or "")).items():
            found.setdefault((step, name), []).append(min(1.0, max(0.0, outcome)))
    return [
        Meetings(step, name, float(np.mean(values)), len(values)) for (step, name), values in found.items()
    ]


def fit_bradley_terry(meetings: Sequence[Meetings]) -> Strengths | None:
    """Fit steps and references to their meetings, by Newton's method on the penalised log likelihood.

    Returns:
        None where nothing can be compared: fewer than two steps, or than two references.

    Example:
        One step meets an easy and a hard reference and wins .8 and .4; the next meets the hard one only and
        wins .4. Their win rates are .6 and .4; corrected, they are alike.
    """
    steps = sorted({meeting.step for meeting in meetings})
    names = sorted({meeting.reference for meeting in meetings})
    if len(steps) < 2 or len(names) < 2:
        return None
    step_M = np.array([steps.index(meeting.step) for meeting in meetings])
    name_M = np.array([names.index(meeting.reference) for meeting in meetings])
    outcome_M = np.array([meeting.outcome for meeting in meetings])
    count_M = np.array([meeting.samples for meeting in meetings], dtype=np.float64)
    level_T, strength_R = _newton(step_M, name_M, outcome_M, count_M, len(steps), len(names))
    middle = float(strength_R.mean())
    rates_T = _sigmoid(level_T[:, None] - strength_R[None, :]).mean(1)
    drawn = {
        step: float(np.average(strength_R[name_M[step_M == at]], weights=count_M[step_M == at])) - middle
        for at, step in enumerate(steps)
    }
    return Strengths(
        references={name: float(s) - middle for name, s in zip(names, strength_R, strict=True)},
        rates={step: float(rate) for step, rate in zip(steps, rates_T, strict=True)},
        drawn=drawn,
    )


def _newton(
    step_M: NDArray[np.int64],
    name_M: NDArray[np.int64],
    outcome_M: FloatArray,
    count_M: FloatArray,
    steps: int,
    names: int,
) -> tuple[FloatArray, FloatArray]:
    theta = np.zeros(steps + names)
    prior = np.concatenate([np.full(steps, LOOSE), np.full(names, PRIOR)])
    for _ in range(ROUNDS):
        p_M = _sigmoid(theta[step_M] - theta[steps + name_M])
        residual_M, curve_M = count_M * (outcome_M - p_M), count_M * p_M * (1 - p_M)
        gradient = -prior * theta
        np.add.at(gradient, step_M, residual_M)
        np.add.at(gradient, steps + name_M, -residual_M)
        hessian = np.diag(prior)
        np.add.at(hessian, (step_M, step_M), curve_M)
        np.add.at(hessian, (steps + name_M, steps + name_M), curve_M)
        np.add.at(hessian, (step_M, steps + name_M), -curve_M)
        np.add.at(hessian, (steps + name_M, step_M), -curve_M)
        # A whole step may overshoot where everything was won: two log odds at a time are enough.
        move = np.clip(np.linalg.solve(hessian, gradient), -2.0, 2.0)
        theta += move
        if np.abs(move).max() < 1e-8:
            break
    return theta[:steps], theta[steps:]


def _sigmoid(x: FloatArray) -> FloatArray:
    return 1.0 / (1.0 + np.exp(-np.clip(x, -30.0, 30.0)))
