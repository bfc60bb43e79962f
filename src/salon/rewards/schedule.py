"""A weight that may change while the policy learns: a number, or numbers at policy steps with straight lines
between them.

    weight: 0.3                    the same at every step
    weight: {0: 0.0, 20: 0.3}      0 at step 0, 0.15 at step 10, 0.3 from step 20 on
"""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Discriminator, Field, FiniteFloat, NonNegativeInt, Tag


def _form(written: Any) -> str:
    return "schedule" if isinstance(written, Mapping) else "number"


Knots = Annotated[dict[NonNegativeInt, FiniteFloat], Field(min_length=1)]
Weight = Annotated[
    Annotated[FiniteFloat, Tag("number")] | Annotated[Knots, Tag("schedule")], Discriminator(_form)
]


def weight_at(weight: float | Mapping[int, float], step: int) -> float:
    """The weight at a policy step.

    Before the first step that is written it is that step's value, after the last one the last one's: a
    schedule never goes on rising, and never starts from an unwritten 0.

    Example: {10: 0.0, 20: 0.3} is 0 up to step 10, 0.15 at step 15, and 0.3 from step 20 on.
    """
    if not isinstance(weight, Mapping):
        return weight
    knots = sorted(weight.items())
    later = next((index for index, (knot, _) in enumerate(knots) if knot >= step), None)
    if later is None:
        return knots[-1][1]
    if later == 0:
        return knots[0][1]
    (begin, low), (end, high) = knots[later - 1], knots[later]
    share = (step - begin) / (end - begin)
    return low * (1.0 - share) + high * share


def values_of(weight: float | Mapping[int, float]) -> list[float]:
    """Every value that is written: the weight's extremes are among them."""
    return list(weight.values()) if isinstance(weight, Mapping) else [weight]


def knots_of(weight: float | Mapping[int, float]) -> list[int]:
    """The steps that are written; none for a plain number."""
    return sorted(weight) if isinstance(weight, Mapping) else []
