"""OpenAI's chat completions from the server's side: which keys of a request a judge cannot follow, and the
objects that an answer travels in, whole or as a stream.

A judge's verdict is not sampled, so `temperature`, `top_p`, `seed`, `max_tokens`, `user` and their like
change nothing and are accepted. What would change the answer's form or its number is refused by its name.
"""

import json
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, cast

from .json_server import Events, bad_request

_UNABLE: dict[str, tuple[Any, ...]] = {
    "n": (1,),
    "tools": ([],),
    "tool_choice": ("none", "auto"),
    "functions": ([],),
    "function_call": ("none", "auto"),
    "parallel_tool_calls": (True, False),
    "modalities": (["text"],),
    "audio": (),
    "prediction": (),
    "stop": ([], ""),
    "logit_bias": ({},),
    "web_search_options": (),
    "store": (False,),
}
"""Keys that a judge cannot follow, and their values that ask for nothing."""

_MOST_WAYS = 8
"""Alternatives of a schema that are looked at."""

_WHO = {"a": "A is the better picture", "b": "B is the better picture", "tie": "tie: neither is better"}


def refuse_unable(body: Mapping[str, Any]) -> None:
    """Refuse what no judge can do.

    Raises:
        StageError: bad_request: names the key.
    """
    for key, harmless in _UNABLE.items():
        if body.get(key) is not None and body[key] not in harmless:
            raise bad_request(
                f"`{key}`: a judge gives one answer in text and cannot follow this; leave it out"
            )
    if not isinstance(body.get("model", ""), str):
        raise bad_request("`model` is no text")
    for key in ("stream", "logprobs"):
        if body.get(key) is not None and not isinstance(body[key], bool):
            raise bad_request(f"`{key}` is neither true nor false")
    form = body.get("response_format")
    kind = cast("dict[str, Any]", form).get("type") if isinstance(form, dict) else form
    if form is not None and kind not in ("text", "json_object", "json_schema"):
        raise bad_request("`response_format.type`: there are text, json_object and json_schema")


def form_of(body: Mapping[str, Any]) -> str:
    """text, json_object or json_schema; nothing where the request does not say."""
    form = body.get("response_format")
    return str(cast("dict[str, Any]", form).get("type", "")) if isinstance(form, dict) else ""


def in_prose(task: str, said: Mapping[str, Any]) -> str:
    """An answer as a sentence, for a client that did not ask for an object."""
    if task == "winner":
        return _sentence(_WHO[str(said["winner"]).lower()], str(said["reason"]))
    if task == "answer":
        words = {"yes": "Yes", "no": "No"}
        return _sentence(words.get(str(said["answer"]), "It does not apply"), str(said["reason"]))
    lines = [str(said["critique"]), *(f"{name}: {_number(score)}" for name, score in said["scores"].items())]
    return "\n".join(line for line in lines if line)


def _sentence(first: str, reason: str) -> str:
    return f"{first}. {reason}".strip()


def _number(score: float | None) -> str:
    return "does not apply" if score is None else f"{score:g}"


def chat_completion(text: str, tokens: Any, model: str, tokens_in: int) -> dict[str, Any]:
    """The object of an answer that came whole. tokens: its log-probabilities, None for none."""
    usage = {"prompt_tokens": tokens_in, "completion_tokens": max(1, len(text) // 4)}
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": text, "refusal": None},
        "logprobs": None if tokens is None else {"content": tokens, "refusal": None},
        "finish_reason": "stop",
    }
    return {
        "id": f"chatcmpl-{uuid.uuid4().hex}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [choice],
        "usage": {**usage, "total_tokens": sum(usage.values())},
    }


def as_events(whole: Mapping[str, Any], options: Any) -> Events:
    """The same answer as a stream of chunks: who speaks, what, and that it is over.

    Args:
        options: the request's `stream_options`; with `include_usage` a last chunk has the usage.
    """
    choice = whole["choices"][0]
    head = {key: whole[key] for key in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    text = choice["message"]["content"]
    deltas: Sequence[tuple[dict[str, Any], str | None]] = (
        ({"role": "assistant", "content": ""}, None),
        ({"content": text}, None),
        ({}, "stop"),
    )
    parts: list[dict[str, Any]] = [
        {**head, "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": end}]}
        for delta, end in deltas
    ]
    parts[1]["choices"][0]["logprobs"] = choice["logprobs"]
    if isinstance(options, dict) and cast("dict[str, Any]", options).get("include_usage"):
        parts.append({**head, "choices": [], "usage": whole["usage"]})
    return Events(parts)


def in_form(said: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """An answer without what its schema has no room for, at any depth.

    Raises:
        StageError: bad_request: the schema requires what no answer has.
    """
    return _formed(said, schema, schema, "")


def _formed(said: Any, schema: Any, root: Mapping[str, Any], at: str) -> Any:
    """`at`: the place of a value in its answer, with a dot after it; `root`: where `$ref` leads."""
    form = _form_of(said, schema, root)
    if isinstance(said, list):
        items = enumerate(cast("list[Any]", said))
        return [_formed(item, form.get("items"), root, f"{at}{place}.") for place, item in items]
    if not isinstance(said, Mapping):
        return said
    values = cast("Mapping[str, Any]", said)
    known, required = form.get("properties"), form.get("required")
    for key in cast("list[Any]", required) if isinstance(required, list) else []:
        if key not in values:
            named = f"{at}{key}" if isinstance(key, str) else key
            raise bad_request(
                f"`response_format`: {named!r:.80} is required, and there are {', '.join(values)}"
            )
    fields = cast("dict[str, Any]", known) if isinstance(known, dict) else {}
    strict = form.get("additionalProperties") is False and isinstance(known, dict)
    kept = (key for key in values if key in fields or not strict)
    return {key: _formed(values[key], fields.get(key), root, f"{at}{key}.") for key in kept}


def _form_of(said: Any, schema: Any, root: Mapping[str, Any], hops: int = 8) -> Mapping[str, Any]:
    """The schema that a value follows, behind `$ref` and `anyOf`; empty where that cannot be told."""
    if not isinstance(schema, Mapping) or hops <= 0:
        return {}
    form = cast("Mapping[str, Any]", schema)
    if isinstance(ref := form.get("$ref"), str):
        return _form_of(said, _referred(ref, root), root, hops - 1)
    for word in ("anyOf", "oneOf", "allOf"):
        if isinstance(ways := form.get(word), list):
            # Alternatives of alternatives are not followed far: of eight, there are soon millions.
            ways = [_form_of(said, way, root, hops - 4) for way in cast("list[Any]", ways)[:_MOST_WAYS]]
            kind = "array" if isinstance(said, list) else "object"
            fit = [way for way in ways if way.get("type") == kind]
            return fit[0] if len(fit) == 1 else {}
    return form


def _referred(ref: str, root: Mapping[str, Any]) -> Any:
    found: Any = root
    for step in ref.removeprefix("#").split("/")[1:]:
        found = cast("dict[str, Any]", found).get(step) if isinstance(found, dict) else None
    return found


def as_json(said: Mapping[str, Any], keys: Sequence[str]) -> str:
    """An answer as JSON, with `keys` first."""
    ordered = {key: said[key] for key in [*keys, *said] if key in said}
    return json.dumps(ordered, ensure_ascii=False)
