"""What a judge's text must look like to count: one JSON object that names a winner. Anything else is no
verdict.

A malformed answer is the judge's failure. It is never read as a loss, a tie or a zero.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Literal, NoReturn, cast

from salon.errors import StageError
from salon.types import Failure

Winner = Literal["a", "b", "tie"]
MAX_CHARACTERS = 20_000


def parse_verdict(text: str) -> tuple[Winner, str]:
    """The winner and the reason in a judge's answer.

    The whole text is tried first; then the JSON objects in it, outside of its thinking, of which exactly one
    may name a winner. Prose and code fences around it do not matter.

    Raises:
        StageError: with code malformed_verdict, the judge's fault.
    """
    if len(text) > MAX_CHARACTERS:
        raise malformed(f"an answer of {len(text)} characters")
    spoken = _without_thinking(text).strip()
    whole = _json(text) or _json(spoken)
    found = [whole] if isinstance(whole, dict) else [o for o in _objects(spoken) if "winner" in o]
    if len(found) != 1:
        raise malformed(f"{len(found)} objects name a winner in {spoken[:200]!r}")
    verdict = cast("dict[str, Any]", found[0])
    winner, reason = verdict.get("winner"), verdict.get("reason", "")
    folded = winner.strip().lower() if isinstance(winner, str) else ""
    if folded not in ("a", "b", "tie"):
        raise malformed(f"the winner is {winner!r}, neither 'A', 'B' nor 'tie'")
    return folded, reason if isinstance(reason, str) else ""


def malformed(what: str) -> StageError:
    """The error of an answer that cannot be read."""
    return StageError(Failure(code="malformed_verdict", message=what[:500], fault="system", stage="judge"))


def _without_thinking(text: str) -> str:
    """What follows the last closing tag of thinking; text whose thinking never ends says nothing."""
    after = re.split(r"</think\w*>", text)[-1]
    return "" if re.search(r"<think\w*>", after) else after


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _no_double_key(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


_DECODER = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_no_double_key)


def _json(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text that lie in no other one, in order."""
    at = text.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            value, end = None, at + 1
        if isinstance(value, dict):
            yield cast("dict[str, Any]", value)
        at = text.find("{", end)
