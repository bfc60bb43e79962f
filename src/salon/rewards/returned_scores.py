"""What a scorer returned, checked before anybody calculates with it: one's own may return anything.

What is meant without a doubt is taken (a plain number, numpy's or torch's for a score; a tuple or a generator
for a list); everything else is the system's failure, and says which scorer it was, what it returned, and what
is asked for. Nothing is read without an end: of a generator one score more than there are samples, and what
is too long is cut and says so.
"""

import math
import reprlib
from collections.abc import Generator, Mapping
from itertools import islice
from typing import Any, SupportsFloat, cast, get_args

from salon.types import Failure, Fault, Group, Score, Scorer

WANTED = "return a list with one salon.types.Score for each sample"
LONGEST = 20_000
"""Letters of a reason; what is longer is cut, and ends in how long it was."""
LONGEST_WORD = 200
"""Letters of a failure's code and stage, and of a detail's name."""
MOST_DETAILS = 10_000


def scores_of(scorer: Scorer, group: Group) -> list[Score]:
    """A scorer's scores of a group, each a Score of plain floats; or the same failure for every sample."""
    returned = cast("object", scorer.score(group))
    name, count = type(scorer).__name__, len(group.samples)
    if not isinstance(returned, list | tuple | Generator) and type(returned).__name__ != "ndarray":
        return _wrong(count, f"{name}.score returned {_told(returned)} for {count} samples: {WANTED}")
    rows = list(islice(cast("list[Any]", returned), count + 1))
    if len(rows) != count:
        found = str(len(rows) if isinstance(returned, Generator) else len(cast("list[Any]", returned)))
        if isinstance(returned, Generator) and rows[count:]:
            found = f"more than {count}"
        told = f"{name}.score returned {found} scores for {count} samples: {WANTED}"
        return _wrong(count, told, "wrong_number_of_scores")
    return [_score(row, name) for row in rows]


def _score(row: Any, name: str) -> Score:
    if not isinstance(row, Score):
        number = _number(row)
        if number is None:
            return _wrong(1, f"{name}.score returned {_told(row)} for a sample: {WANTED}")[0]
        return Score(number)
    failure = cast("object", row.failure)
    if failure is not None and (wrong := _wrong_failure(failure)):
        return _wrong(1, f"{name}: a Score's failure {wrong}")[0]
    number = _number(row.value)
    if failure is None and number is None:
        return _wrong(1, f"{name}: a Score's value is {_told(row.value)}, and not one finite number")[0]
    numbers = _details(row.details)
    if isinstance(numbers, str):
        return _wrong(1, f"{name}: {numbers}")[0]
    reason = "" if row.reason is None else _cut(row.reason)  # pyright: ignore[reportUnnecessaryComparison]
    return Score(None if row.failure else number, row.failure, reason, numbers)


def _wrong_failure(failure: object) -> str:
    """What is wrong with a score's failure; nothing where it is one whose fields are what they should be."""
    if not isinstance(failure, Failure):
        return f"is {_told(failure)}, no Failure"
    for field in ("code", "message", "stage"):
        value = cast("object", getattr(failure, field))
        if not isinstance(value, str):
            return f"has a {field} that is {_told(value)}: give it a text"
    if len(failure.code) > LONGEST_WORD or len(failure.stage) > LONGEST_WORD or not failure.code:
        return (
            f"has a code and a stage of {len(failure.code)} and {len(failure.stage)} letters: write one word"
        )
    if failure.fault not in get_args(Fault):
        return f"has the fault {_told(failure.fault)}: write {' or '.join(get_args(Fault))}"
    return ""


def _details(details: object) -> dict[str, float] | str:
    """A score's details as plain numbers; or what is wrong with them."""
    given = details or {}
    if not isinstance(given, Mapping):
        return f"a Score's details are {_told(given)}, and no mapping of numbers"
    numbers: dict[str, float] = {}
    items = list(islice(cast("Mapping[Any, Any]", given).items(), MOST_DETAILS + 1))
    if len(items) > MOST_DETAILS:
        return f"a Score has more than {MOST_DETAILS:,} details: keep fewer"
    for key, value in items:
        found, name = _number(value), str(key)
        if len(name) > LONGEST_WORD:
            return f"a name in details has {len(name):,} letters: at most {LONGEST_WORD}"
        if found is None and not _is_missing(value):
            return f"details[{key!r}] is {_told(value)}, and details are numbers"
        if found is not None:
            numbers[name] = found
    return numbers


def _cut(value: object) -> str:
    text = str(value)
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]} … (cut: it has {len(text):,} letters)"


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
    if isinstance(value, int) and abs(value) >= 10**18:
        return f"a whole number of {value.bit_length()} bits"
    plain = value is None or isinstance(value, float | int)
    return f"{value!r}" if plain else f"a {kind} ({reprlib.repr(value):.60})"


def _wrong(count: int, message: str, code: str = "malformed_score") -> list[Score]:
    return [Score(None, Failure(code, message, "system", "score"))] * count
