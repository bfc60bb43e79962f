"""Results of a batch of judge calls, as OpenAI's and Anthropic's batch interfaces write them: one line per
request, with the judge's answer as text.

OpenAI: {"custom_id", "response": {"status_code", "body": {"choices" | "output"}}, "error"}. Anthropic:
{"custom_id", "result": {"type": "succeeded" | "errored" | "expired" | "canceled", "message": {"content"}}}.
What a model refused, did not finish or wrote without numbers is a missing score, and counted.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from salon.diagnosis.pages.words import counted
from salon.errors import RecipeError, StageError
from salon.llm.completion import ENDED, how_it_ended
from salon.llm.json_reply import objects, without_thinking
from salon.markup import printable

MOST_TEXT = 100_000
_PAIR = re.compile(r"(?<!\w)([A-Za-z]\w*+)\s*+[=:]\s*+([^;,|&/\s]+)")
_LAST_NUMBER = re.compile(r"^(.+?)[-_:/|#.](?:[A-Za-z]*)(\d+)$")
_ALONE = re.compile(r"^\W*([-+]?\d+(?:\.\d+)?(?:\s*/\s*\d+|\s*%)?)\W*$")
_WORDS = 3
_CALLED = frozenset(("tool_calls", "tool_use", "function_call"))
_SPOKEN = (None, "text", "output_text", "message", "function", "tool_call", *sorted(_CALLED))
"""Types of parts that are of the answer; what was thought is not."""


def is_batch(data: bytes) -> bool:
    """Whether a file's first line is a result of a batch."""
    try:
        row: Any = json.loads(data.lstrip().split(b"\n", 1)[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(row, dict) and "custom_id" in row and ("response" in row or "result" in row)


def rows_of_batch(
    rows: Sequence[Mapping[str, Any]], where: str
) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """A row per request: the numbers of its answer, `sample_id` (the custom_id), and what the custom_ids say
    of groups and steps.

    Raises:
        RecipeError: no answer has a number in it.
    """
    lost: Counter[str] = Counter()
    scored: list[dict[str, Any]] = []
    for row in rows:
        text, failure = _answer(row)
        found = {} if failure else _scores(text)
        if not found:
            lost[failure or "without a number"] += 1
        scored.append({"sample_id": str(row.get("custom_id", "")), **found})
    if not any(len(row) > 1 for row in scored):
        why = ", ".join(f"{count:,} {reason}" for reason, count in lost.most_common(4))
        raise RecipeError(
            f"{where}: results of a batch, and no answer has scores in it ({why}). Ask for JSON with a number"
            ' per criterion, such as {"taste": 7}.'
        )
    placed, told = _placed(scored)
    notes = [f"Results of a batch: the scores are those in {counted(len(rows), 'answer')}. {told}".strip()]
    if lost:
        why = ", ".join(f"{count:,} {reason}" for reason, count in lost.most_common(6))
        notes.append(f"Requests without scores count as missing: {why}.")
    return placed, tuple(notes)


def _answer(row: Mapping[str, Any]) -> tuple[str, str]:
    """The text that a model wrote, or why there is none."""
    result, response = row.get("result"), row.get("response")
    if isinstance(result, dict):
        return _anthropic(cast("dict[str, Any]", result))
    if row.get("error") or not isinstance(response, dict):
        return "", "failed"
    answer = cast("dict[str, Any]", response)
    body = answer.get("body")
    if not isinstance(body, dict) or answer.get("status_code", 200) != 200:
        return "", "failed"
    return _openai(cast("dict[str, Any]", body))


def _anthropic(result: Mapping[str, Any]) -> tuple[str, str]:
    message = result.get("message")
    if result.get("type") != "succeeded" or not isinstance(message, dict):
        return "", printable(str(result.get("type", "failed")), 20)
    said = cast("dict[str, Any]", message)
    if lost := _lost(said, said.get("content")):
        return "", lost
    return _text(said.get("content")), ""


def _openai(body: Mapping[str, Any]) -> tuple[str, str]:
    choices = body.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        choice = cast("dict[str, Any]", choices[0])
        message = choice.get("message")
        said = cast("dict[str, Any]", message) if isinstance(message, dict) else {}
        calls = said.get("tool_calls")
        if lost := _lost(choice, calls):
            return "", lost
        text = _text(said.get("content")) or _text(calls)
        return text, "" if text else "refused or empty"
    lost = _lost({"finish_reason": body.get("status")}, None)
    return ("", lost) if lost else (_text(body.get("output")), "")


def _lost(said: Mapping[str, Any], calls: Any) -> str:
    """Why an answer is not whole, by the same words as a judge's; a call of a tool is an end, too."""
    is_cut, stopped = how_it_ended(said, ENDED | _CALLED if calls else ENDED)
    return "cut at the token limit" if is_cut else f"ended by {printable(stopped, 40)}" if stopped else ""


def _text(content: Any) -> str:
    """The text of a content: itself, or its parts' `text`; what a tool was called with as JSON."""
    if isinstance(content, str):
        return content
    return "\n".join(_texts(content, 0))


def _texts(content: Any, depth: int) -> Iterator[str]:
    if isinstance(content, list) and depth < 6:
        for item in cast("list[Any]", content):
            yield from _texts(item, depth + 1)
    elif isinstance(content, dict) and depth < 6:
        part = cast("dict[str, Any]", content)
        if part.get("type") not in _SPOKEN:
            return
        for key in ("text", "arguments"):
            if isinstance(part.get(key), str):
                yield part[key]
        if part.get("type") == "tool_use" and isinstance(part.get("input"), dict):
            yield json.dumps(part["input"])
        for key in ("content", "function"):
            yield from _texts(part.get(key), depth + 1)


def _scores(text: str) -> dict[str, Any]:
    spoken = without_thinking(text[:MOST_TEXT]).strip()
    if alone := _ALONE.match(spoken):
        return {"score": alone[1]}
    try:
        found = list(objects(spoken))
    except StageError:
        return {}
    return dict(_numbers(found[-1], "", 0)) if found else {}


def _numbers(value: Mapping[str, Any], lead: str, depth: int) -> Iterator[tuple[str, Any]]:
    """The entries that can be scores, those of nested objects too: numbers, yes or no, short text such as
    8/10.
    """
    for key, item in value.items():
        name = f"{lead}{key}"
        is_short = isinstance(item, str) and 0 < len(item.split()) <= _WORDS and len(item) <= 20
        if is_short or isinstance(item, int | float):
            yield name, item
        elif isinstance(item, dict) and depth < 3:
            plain = key in ("scores", "score", "ratings", "rating", "criteria", "result", "results")
            inner = "" if plain else f"{name}."
            yield from _numbers(cast("dict[str, Any]", item), inner, depth + 1)


def _placed(rows: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], str]:
    """The rows with what their custom_ids say: pairs such as step=3;prompt=rose, or a group and a running
    number, such as rose-2.
    """
    pairs = [dict(_PAIR.findall(row["sample_id"])) for row in rows]
    if pairs and all(pairs) and len({tuple(pair) for pair in pairs}) == 1 and len(pairs[0]) > 1:
        keys = list(pairs[0])
        return (
            [{**pair, **row} for pair, row in zip(pairs, rows, strict=True)],
            f"Read from the custom_ids: {', '.join(keys)}.",
        )
    matches = [_LAST_NUMBER.match(row["sample_id"]) for row in rows]
    heads = Counter(match[1] for match in matches if match)
    if all(matches) and 1 < len(heads) <= len(rows) / 1.5:
        named = [{"group": cast("re.Match[str]", match)[1], **row}
                 for match, row in zip(matches, rows, strict=True)]  # fmt: skip
        return named, "Groups are taken from the custom_ids: what stands before their last number."
    return list(rows), ""
