"""What differs between providers: where a question is posted, how it is written, how the answer is.

Everything else here speaks chat completions; a dialect translates a request on its way out and an answer on
its way in. Sources: the providers' own references for Anthropic's Messages and Gemini's generateContent.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, cast

from .image_encoder import as_json, encoded

Name = Literal["openai", "anthropic", "gemini"]
Body = Mapping[str, Any]

ADDRESSES: Mapping[Name, str] = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com/v1",
    "gemini": "https://generativelanguage.googleapis.com/v1beta",
}
_TRANSLATED = (
    "model",
    "messages",
    "temperature",
    "max_tokens",
    "logprobs",
    "top_logprobs",
    "response_format",
)


class Dialect(Protocol):
    """How one provider is spoken to."""

    def path(self, model: str) -> str:
        """What is posted to, behind the address."""
        ...

    def headers(self, key: str) -> dict[str, str]:
        """What goes along; nothing secret where `key` is empty."""
        ...

    def request(self, body: Body) -> bytes:
        """A chat completion's request, as this provider wants it."""
        ...

    def answer(self, data: bytes) -> bytes:
        """A provider's answer as a chat completion; what is none is handed on as it is."""
        ...


class OpenAI:
    """Chat completions, as they are."""

    def path(self, model: str) -> str:
        """One for all models."""
        return "/chat/completions"

    def headers(self, key: str) -> dict[str, str]:
        """A bearer token."""
        return {"Authorization": f"Bearer {key}"} if key else {}

    def request(self, body: Body) -> bytes:
        """The request itself."""
        return encoded(body)

    def answer(self, data: bytes) -> bytes:
        """The answer itself."""
        return data


class Anthropic:
    """Anthropic's Messages. There are no log-probabilities."""

    def path(self, model: str) -> str:
        """One for all models."""
        return "/messages"

    def headers(self, key: str) -> dict[str, str]:
        """The key, and the version of the protocol."""
        return {"anthropic-version": "2023-06-01"} | ({"x-api-key": key} if key else {})

    def request(self, body: Body) -> bytes:
        """The system message apart, pictures as base64 sources, the schema under output_config."""
        system, others = _system_apart(body)
        known = ("messages", "response_format", "logprobs", "top_logprobs")
        whole: dict[str, Any] = {key: value for key, value in body.items() if key not in known}
        whole |= {"system": system} if system else {}
        whole["messages"] = [
            {"role": message["role"], "content": [self._part(part) for part in _parts(message)]}
            for message in others
        ]
        if (schema := _schema(body)) is not None:
            whole["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        whole.setdefault("max_tokens", 1024)
        return as_json(whole)

    def answer(self, data: bytes) -> bytes:
        """Its text blocks as one message."""
        try:
            found = json.loads(data)
            text = "".join(block["text"] for block in found["content"] if block["type"] == "text")
            usage = found.get("usage") or {}
            counts = (usage.get("input_tokens", 0), usage.get("output_tokens", 0))
            return _completion(text, found.get("stop_reason"), counts)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return data

    def _part(self, part: Body) -> dict[str, Any]:
        if "text" in part:
            return {"type": "text", "text": part["text"]}
        media_type, data = _picture(part)
        return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


class Gemini:
    """Gemini's generateContent."""

    def path(self, model: str) -> str:
        """The model stands in it."""
        return f"/models/{model.removeprefix('models/')}:generateContent"

    def headers(self, key: str) -> dict[str, str]:
        """The key."""
        return {"x-goog-api-key": key} if key else {}

    def request(self, body: Body) -> bytes:
        """Settings under generationConfig, pictures inline."""
        system, others = _system_apart(body)
        config = {
            "temperature": body.get("temperature"),
            "maxOutputTokens": body.get("max_tokens"),
            "responseLogprobs": body.get("logprobs"),
            "logprobs": body.get("top_logprobs"),
        }
        if (schema := _schema(body)) is not None:
            config |= {"responseMimeType": "application/json", "responseJsonSchema": schema}
        roles = {"assistant": "model"}
        whole: dict[str, Any] = {
            "contents": [
                {
                    "role": roles.get(message["role"], "user"),
                    "parts": [self._part(part) for part in _parts(message)],
                }
                for message in others
            ],
            "generationConfig": {key: value for key, value in config.items() if value is not None},
        }
        if system:
            whole["systemInstruction"] = {"parts": [{"text": system}]}
        return as_json(whole | {key: body[key] for key in body if key not in _TRANSLATED})

    def answer(self, data: bytes) -> bytes:
        """Its spoken parts as one message, with the odds of its tokens where it gives them."""
        try:
            found = json.loads(data)
            candidate = found["candidates"][0]
            ended = candidate.get("finishReason")
            # What a filter ended, or what thought until its limit, may have no content at all.
            content = candidate["content"] if not ended else candidate.get("content") or {}
            spoken = [part for part in content.get("parts", []) if not part.get("thought")]
            text = "".join(part.get("text", "") for part in spoken)
            usage = found.get("usageMetadata") or {}
            out = usage.get("candidatesTokenCount", 0) + usage.get("thoughtsTokenCount", 0)
            return _completion(text, ended, (usage.get("promptTokenCount", 0), out), self._tokens(candidate))
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            return data

    def _part(self, part: Body) -> dict[str, Any]:
        if "text" in part:
            return {"text": part["text"]}
        media_type, data = _picture(part)
        return {"inlineData": {"mimeType": media_type, "data": data}}

    def _tokens(self, candidate: Body) -> list[dict[str, Any]]:
        result = candidate.get("logprobsResult") or {}
        chosen, top = result.get("chosenCandidates", []), result.get("topCandidates", [])
        return [
            {
                "token": token["token"],
                "top_logprobs": [
                    {"token": each["token"], "logprob": each["logProbability"]}
                    for each in others.get("candidates", [])
                ],
            }
            for token, others in zip(chosen, top, strict=False)
        ]


DIALECTS: Mapping[Name, Dialect] = {"openai": OpenAI(), "anthropic": Anthropic(), "gemini": Gemini()}


def _system_apart(body: Body) -> tuple[str, list[Body]]:
    """The system messages as one text, and the other messages."""
    messages = cast("Sequence[Body]", body["messages"])
    system = [str(message["content"]) for message in messages if message["role"] == "system"]
    return "\n\n".join(system), [message for message in messages if message["role"] != "system"]


def _parts(message: Body) -> list[Body]:
    content = message["content"]
    return [{"text": content}] if isinstance(content, str) else cast("list[Body]", content)


def _picture(part: Body) -> tuple[str, str]:
    """The media type and the base64 of a data URL."""
    head, _, data = str(part["image_url"]["url"]).partition(";base64,")
    return head.removeprefix("data:"), data


def _schema(body: Body) -> Any:
    form = body.get("response_format") or {}
    return form.get("json_schema", {}).get("schema")


def _completion(text: str, ended: object, counts: tuple[int, int], tokens: Sequence[Body] = ()) -> bytes:
    choice: dict[str, Any] = {
        "message": {"role": "assistant", "content": text},
        "finish_reason": ended,
    }
    if tokens:
        choice["logprobs"] = {"content": list(tokens)}
    usage = {"prompt_tokens": counts[0], "completion_tokens": counts[1]}
    return json.dumps({"choices": [choice], "usage": usage}).encode()
