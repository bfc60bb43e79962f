"""What is left out of a request when a server does not know it: servers that speak one protocol speak it
differently.

A refusal that names a parameter costs that one. One that names none (some servers say only "bad request")
costs those that no request got through with yet. What was given up is not asked of the server again.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .connections import Reply
from .retrying_client import is_unreadable

_REFUSALS = (400, 415, 422, 500, 501)


@dataclass(frozen=True, slots=True)
class OptionalParameter:
    """A key of the request that may go, the words by which a refusal names it, and the request without it."""

    key: str
    named_by: tuple[str, ...]
    change: Callable[[Mapping[str, Any]], dict[str, Any]]

    def apply(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The request without it."""
        return self.change(body)


def _without(*keys: str) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    return lambda body: {key: value for key, value in body.items() if key not in keys}


def _renamed(body: Mapping[str, Any]) -> dict[str, Any]:
    return {("max_completion_tokens" if key == "max_tokens" else key): value for key, value in body.items()}


# The order is that of the least loss, when a refusal does not say what it refuses.
OPTIONAL: Sequence[OptionalParameter] = (
    OptionalParameter("max_tokens", ("max_completion_tokens",), _renamed),
    OptionalParameter("temperature", ("temperature",), _without("temperature")),
    OptionalParameter("logprobs", ("logprob",), _without("logprobs", "top_logprobs")),
    OptionalParameter(
        "response_format",
        ("response_format", "json_schema", "schema", "grammar", "guided", "structured"),
        _without("response_format"),
    ),
)
_UNNAMED = ("logprobs", "response_format")


def parameter_to_drop(
    body: Mapping[str, Any], reply: Reply, proven: Collection[str]
) -> OptionalParameter | None:
    """What to give up for a request that got this reply; None when nothing helps.

    `proven` are the keys that the server has taken before. Some servers fail with a plain 500 over a schema:
    that counts only where the text names it.
    """
    if reply.status not in _REFUSALS or is_unreadable(reply):
        return None
    told = reply.body[:4000].decode("utf-8", "replace").lower()
    open_ones = [each for each in OPTIONAL if each.key in body and each.key not in proven]
    named = next((each for each in open_ones if any(word in told for word in each.named_by)), None)
    if named is None and reply.status in (400, 422):
        named = next((each for each in open_ones if each.key in _UNNAMED), None)
    return named


def schema_format(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The key response_format for a JSON schema."""
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": dict(schema)}}
