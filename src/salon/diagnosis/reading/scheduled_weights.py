"""A term's weight over the rows of a table: a number, or a schedule over the policy's steps."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from salon.diagnosis.table import Ints, Term
from salon.rewards.schedule import weight_at


def weighted(term: Term, weight: float | Mapping[Any, float], step_N: Ints | None) -> Term:
    """The term with a recipe's weight.

    Of a schedule, the weight is the one at the last step that is there, and each row's own stands in
    `weight_N`.

    Args:
        weight: as the recipe has it; a manifest's steps may be text, since JSON knows no other keys.
        step_N: each row's policy step; without steps a schedule counts as at step 0.

    Example: {0: 0, 20: 0.3} over rows of the steps 0, 10 and 15 weighs 0, .15 and .225 there, and .225 now.
    """
    if not isinstance(weight, Mapping):
        return replace(term, weight=float(weight), weight_N=None)
    knots = {int(step): float(value) for step, value in weight.items()}
    if step_N is None or not len(step_N):
        return replace(term, weight=weight_at(knots, 0), weight_N=None)
    steps = sorted(knots)
    weight_N = np.interp(step_N.astype(np.float64), steps, [knots[step] for step in steps])
    return replace(term, weight=weight_at(knots, int(step_N.max())), weight_N=weight_N)
