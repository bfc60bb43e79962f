"""The one JSON object in a model's text. Strict: what is not JSON, or says a thing twice, says nothing."""

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn, cast

from salon.markup import visible

from .completion import unreadable, without_halves
from .reasoning import Found, takes_back, verdicts_in
from .thinking import is_unfinished, without_thinking

MAX_CHARACTERS = 20_000
_BEGUN = re.compile(r"\{\s*+(?:[\"'“”‘’„`«»‹›＂\\]|(?:-\s*+)?\w++\s*+[:=])|｛")
"""What seems to be an object: a key in quotation marks of some kind, or without."""
_BRACE = re.compile("[{｛]")
_AGAIN = re.compile(r"(?:revised|final|corrected|updated|changed|actual|real|new)(?:_(\w+))?")
MAX_BRACES = 400
"""Braces that open nothing readable, before a text is given up: each takes as long as what it opens."""


def the_object(text: str, key: str, what: str) -> dict[str, Any]:
    """The object in a model's text that has `key`: the whole text, or the only such one in it outside of its
    thinking. Prose and code fences around it do not matter.

    Args:
        what: how to call what is missing, in the message: "name a winner".

    Raises:
        StageError: with code malformed_verdict, the judge's fault.
    """
    if len(text) > MAX_CHARACTERS:
        raise unreadable(f"an answer of {len(text)} characters")
    spoken = without_thinking(text).strip()
    whole = _json(text) or _json(spoken)
    if not isinstance(whole, dict) and is_unfinished(spoken):
        raise unreadable(f"a code fence that never ends: {spoken[:200]!r}")
    named = cast("dict[str, Any]", whole) if isinstance(whole, dict) else _the_one(spoken, key, what)
    if sum(name.strip().lower() == key for name in named) > 1 or _says_again(named, key):
        raise unreadable(f"{key!r} twice in one object: {spoken[:200]!r}")
    return named


def _the_one(spoken: str, key: str, what: str) -> dict[str, Any]:
    found = verdicts_in(spoken, [each for each in placed_objects(spoken) if key in each[0]])
    if len(found) != 1:
        raise unreadable(f"{len(found)} objects {what} in {spoken[:200]!r}")
    named, _, end = found[0]
    if takes_back(spoken[end:]):
        raise unreadable(f"it thinks again after its answer: {spoken[end:][:200]!r}")
    return named


def _says_again(named: dict[str, Any], key: str) -> bool:
    """Whether an object takes back what it has under `key`: revised_winner, or a winner under final."""
    if key not in named:
        return False
    for name, value in named.items():
        again = _AGAIN.fullmatch(name.strip().lower())
        inner = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        other = value if again and again[1] == key else inner.get(key) if again else None
        if other is not None and other != named[key]:
            return True
    return False


def text_or_empty(value: Any) -> str:
    """A text that can be printed and written; anything else as the empty text."""
    return visible(without_halves(value)) if isinstance(value, str) else ""


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


def objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text that lie in no other one, in order; see `placed_objects`."""
    return (found for found, _, _ in placed_objects(text))


def placed_objects(text: str) -> Iterator[Found]:
    """The JSON objects in a text that lie in no other one, in order, with where they begin and end.

    Raises:
        StageError: mere braces, or what seems an object and is none: it was cut, quotes another one, or says
            something else in a form of its own.
    """
    at, in_vain = _brace(text, 0), 0
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            value, end = None, at + 1
            in_vain += 1
        if value is None and _BEGUN.match(text, at):
            raise unreadable(f"an object that cannot be read, in {text[:200]!r}")
        if in_vain > MAX_BRACES:
            raise unreadable(f"more than {MAX_BRACES} braces that open nothing, in {text[:200]!r}")
        if isinstance(value, dict):
            yield cast("dict[str, Any]", value), at, end
        at = _brace(text, end)


def _brace(text: str, start: int) -> int:
    found = _BRACE.search(text, start)
    return found.start() if found else -1
