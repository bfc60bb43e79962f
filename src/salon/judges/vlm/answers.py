"""Yes/no answers and critiques in a model's text. Strict: a word that is neither is no answer, "8/10" is no
score.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from salon.llm.completion import unreadable
from salon.llm.json_reply import text_or_empty, the_object
from salon.types import Answer, Critique

_WORDS: Mapping[str, bool | None] = {"yes": True, "no": False, "n/a": None}


def parse_answer(text: str) -> Answer:
    """One answer: {"answer": "yes" | "no" | "n/a", "reason": …}.

    Raises:
        StageError: with code malformed_verdict.
    """
    return _answer(the_object(text, "answer", "answer the question"))


def parse_answers(text: str, ids: Sequence[int]) -> dict[int, Answer]:
    """The answers of {"answers": [{"id": 1, "answer": …}, …]} that can be read, by id; others are left out.

    Raises:
        StageError: with code malformed_verdict: not one of these questions has an answer.
    """
    said = the_object(text, "answers", "hold answers")
    beside = [key for key, value in said.items() if key != "answers" and _answers_too(value, 0)]
    if beside:
        raise unreadable(f"{beside[0]!r} beside the answers, in {text[:200]!r}")
    rows = said.get("answers")
    found: dict[int, Answer] = {}
    seen: set[int] = set()
    twice: set[int] = set()
    for row in cast("list[Any]", rows) if isinstance(rows, list) else []:
        number = row.get("id") if isinstance(row, dict) else None
        if not isinstance(number, int) or isinstance(number, bool) or number not in ids:
            continue
        word = _word(row.get("answer"))
        if number in seen:
            twice.add(number)
        seen.add(number)
        if word in _WORDS:
            found[number] = Answer(_WORDS[word], text_or_empty(row.get("reason")))
    kept = {number: answer for number, answer in found.items() if number not in twice}
    if not kept:
        raise unreadable(f"none of {len(ids)} questions is answered in {text[:200]!r}")
    return kept


def _answers_too(value: Any, depth: int) -> bool:
    """Whether there are answers in a list or an object: {"1": "no"}, [{"id": 1, "answer": "no"}]."""
    if not isinstance(value, list | dict) or depth > 4:
        return False
    inner = (
        list(cast("dict[str, Any]", value).values()) if isinstance(value, dict) else cast("list[Any]", value)
    )
    return any(_word(each) in _WORDS or _answers_too(each, depth + 1) for each in inner)


def parse_critique(text: str, aspects: Sequence[str], low: float, high: float) -> Critique:
    """A critique: {"critique": text, "scores": {aspect: number or null}, "request": text}.

    Raises:
        StageError: with code malformed_verdict: an aspect is missing, or its score is no number in the range.
    """
    critique = the_object(text, "scores", "hold scores")
    scores = critique.get("scores")
    if not isinstance(scores, dict):
        raise unreadable(f"the scores are {scores!r}, no object")
    named = cast("dict[str, Any]", scores)
    absent = [aspect for aspect in aspects if aspect not in named]
    if absent:
        raise unreadable(f"no score for {absent[0]!r}; there are {', '.join(map(str, named))}")
    return Critique(
        scores={aspect: score_of(named[aspect], aspect, low, high) for aspect in aspects},
        low=low,
        high=high,
        text=text_or_empty(critique.get("critique")),
        request=text_or_empty(critique.get("request")),
    )


def score_of(written: Any, aspect: str, low: float, high: float) -> float | None:
    """A score as it was written: a number in the range, or None for null and "N/A".

    Raises:
        StageError: with code malformed_verdict.
    """
    if written is None or (isinstance(written, str) and _word(written) == "n/a"):
        return None
    # A comparison with NaN is false, and a bool is an int.
    if isinstance(written, int | float) and not isinstance(written, bool) and low <= written <= high:
        return float(written)
    raise unreadable(f"{aspect} is scored {written!r}, no number from {low:g} to {high:g}")


def _answer(row: Mapping[str, Any]) -> Answer:
    word = _word(row.get("answer"))
    if word not in _WORDS:
        raise unreadable(f"the answer is {row.get('answer')!r}, neither 'yes', 'no' nor 'n/a'")
    return Answer(_WORDS[word], text_or_empty(row.get("reason")))


def _word(value: Any) -> str:
    return value.strip().lower() if isinstance(value, str) else ""
