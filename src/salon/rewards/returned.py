"""What a scorer returned, checked before anybody calculates with it: one's own may return anything.

What is meant without a doubt is taken (a plain number, numpy's or torch's for a score; a tuple or a generator
for a list); everything else is the system's failure, and says which scorer it was, what it returned, and what
is asked for.
"""

import math
from collections.abc import Generator, Mapping
from typing import Any, SupportsFloat, cast

from salon.types import Failure, Group, Score, Scorer

WANTED = "return a list with one salon.types.Score for each sample"


def scores_of(scorer: Scorer, group: Group) -> list[Score]:
    """A scorer's scores of a group, each a Score of plain floats; or the same failure for every sample."""
    returned = cast("object", scorer.score(group))
    name, count = type(scorer).__name__, len(group.samples)
    if not isinstance(returned, list | tuple | Generator) and type(returned).__name__ != "ndarray":
        return _wrong(count, f"{name}.score returned {_told(returned)} for {count} samples: {WANTED}")
    rows = list(cast("list[Any]", returned))
    if len(rows) != count:
        told = f"{name}.score returned {len(rows)} scores for {count} samples: {WANTED}"
        return _wrong(count, told, "wrong_number_of_scores")
    return [_score(row, name) for row in rows]


def _score(row: Any, name: str) -> Score:
    if not isinstance(row, Score):
        number = _number(row)
        if number is None:
            return _wrong(1, f"{name}.score returned {_told(row)} for a sample: {WANTED}")[0]
        return Score(number)
    if row.failure is not None:
        fine = isinstance(cast("object", row.failure), Failure)
        return row if fine else _wrong(1, f"{name}: a Score's failure is {_told(row.failure)}, no Failure")[0]
    number = _number(row.value)
    if number is None:
        return _wrong(1, f"{name}: a Score's value is {_told(row.value)}, and not one finite number")[0]
    details = cast("object", row.details) or {}
    if not isinstance(details, Mapping):
        return _wrong(1, f"{name}: a Score's details are {_told(details)}, and no mapping of numbers")[0]
    numbers: dict[str, float] = {}
    for key, value in cast("Mapping[Any, Any]", details).items():
        found = _number(value)
        if found is None and not _is_missing(value):
            return _wrong(1, f"{name}: details[{key!r}] is {_told(value)}, and details are numbers")[0]
        if found is not None:
            numbers[str(key)] = found
    return Score(number, reason="" if row.reason is None else str(row.reason), details=numbers)  # pyright: ignore[reportUnnecessaryComparison]


def _number(value: Any) -> float | None:
    """One finite number, whatever library it is of; None for anything else."""
    if isinstance(value, str | bytes) or not isinstance(value, SupportsFloat):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, RuntimeError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _is_missing(value: Any) -> bool:
    """A detail that is not there this time: None, or not a number. It is left out."""
    return value is None or (isinstance(value, float) and not math.isfinite(value))


def _told(value: Any) -> str:
    kind = type(value).__name__
    return f"{value!r}" if value is None or isinstance(value, float | int) else f"a {kind} ({value!r:.60})"


def _wrong(count: int, message: str, code: str = "malformed_score") -> list[Score]:
    return [Score(None, Failure(code, message, "system", "score"))] * count
