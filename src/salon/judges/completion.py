"""What a chat completion says, read strictly: its text, the odds of its tokens, the bill."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from salon.errors import StageError
from salon.secrets import redact

from .limits import judge_failure

MOST_TOKENS = 1_000_000_000
"""A server that counts more for one answer counts wrong."""


_CUT = (
    "length | max_tokens | max_output_tokens | max_new_tokens | model_length | token_limit | limit | "
    "model_context_window_exceeded | context_length_exceeded"
)
CUT = frozenset(_CUT.split(" | "))
"""Words by which servers say that an answer ran into its limit, folded to lower case."""
_STOPPED = (
    "content_filter | content_filtered | safety | recitation | blocklist | prohibited_content | spii | "
    "image_safety | image_prohibited_content | language | refusal | sensitive | guardrail_intervened | "
    "error | abort | aborted | cancelled | timeout | network_error | insufficient_system_resource | "
    "malformed_function_call | unexpected_tool_call | pause_turn | other | finish_reason_unspecified"
)
STOPPED = frozenset(_STOPPED.split(" | "))
"""Words for what else ends an answer before its end."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it was chosen, and the log-probabilities of what could have stood in its place."""

    text: str
    others: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer. `tokens` is empty where the server gives no log-probabilities. `cut` says that it ran into
    max_tokens, `stopped` why else it is not whole (a filter, a server's error). Counts are the server's, 0
    where it says nothing.
    """

    text: str
    tokens: tuple[Token, ...] = ()
    cut: bool = False
    stopped: str = ""
    tokens_in: int = 0
    tokens_out: int = 0


def whole(completion: Completion) -> Completion:
    """The same completion, when its text ended by itself. What was cut is a draft, whatever it says.

    Raises:
        CutError: it ran into max_tokens.
        StageError: with code malformed_verdict: something else ended it.
    """
    if completion.cut:
        raise CutError("the answer ran into max_tokens")
    if completion.stopped:
        raise unreadable(f"the answer was ended by the server ({completion.stopped})")
    return completion


class CutError(StageError):
    """An answer that ran into max_tokens: no answer, to be asked for again with more room."""

    def __init__(self, what: str) -> None:
        super().__init__(judge_failure("malformed_verdict", what))


def read_completion(body: bytes) -> Completion:
    """The first choice of a chat completion.

    Raises:
        StageError: with code malformed_verdict: it is none, or it has no text.
    """
    try:
        data = json.loads(body)
        choice = data["choices"][0]
        content = choice["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        raise unreadable(f"no chat completion: {body[:200]!r}") from None
    text = _text(content)
    if text is None:
        refusal = choice["message"].get("refusal")
        raise unreadable(
            f"the model declines: {refusal!r}" if refusal else f"the content is no text: {content!r}"
        )
    counts = tokens_billed(body, data)
    reason = choice.get("finish_reason")
    ended = reason.strip().lower() if isinstance(reason, str) else ""
    return Completion(
        text=text,
        tokens=_tokens(choice),
        cut=ended in CUT,
        stopped=ended if ended in STOPPED else "",
        tokens_in=counts[0],
        tokens_out=counts[1],
    )


def tokens_billed(body: bytes, data: Any = None) -> tuple[int, int]:
    """Tokens in and out as a response's `usage` counts them, readable answer or not; (0, 0) for nothing."""
    try:
        usage = (json.loads(body) if data is None else data)["usage"]
        counts = (usage["prompt_tokens"], usage["completion_tokens"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return 0, 0
    tokens_in, tokens_out = (n if isinstance(n, int) and 0 <= n <= MOST_TOKENS else 0 for n in counts)
    return tokens_in, tokens_out


def unreadable(what: str) -> StageError:
    """The error of an answer that cannot be read."""
    return StageError(judge_failure("malformed_verdict", what))


def without_halves(text: str) -> str:
    """`text` with half a surrogate pair as a question mark: it could be neither printed nor written."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _text(content: Any) -> str | None:
    """A text, or the texts of a list of parts; without a key that was cut by them."""
    if isinstance(content, str):
        return redact(without_halves(content))
    if not isinstance(content, list):
        return None
    parts = [part.get("text") for part in cast(list[Any], content) if isinstance(part, dict)]
    texts = [part for part in parts if isinstance(part, str)]
    return redact(without_halves("".join(texts))) if texts else None


def _tokens(choice: Any) -> tuple[Token, ...]:
    """The tokens with their alternatives; () where there are none or they are of another form."""
    try:
        tokens = tuple(
            Token(
                str(token["token"]),
                {str(each["token"]): _logprob(each["logprob"]) for each in token.get("top_logprobs") or []},
            )
            for token in choice["logprobs"]["content"]
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return ()
    said = "".join(token.text for token in tokens)
    return tokens if redact(said) == said else ()


def _logprob(value: Any) -> float:
    """A log-probability. What is none, such as NaN or +.7, would come out as certainty."""
    number = float(value)
    if not number < 0.01:
        raise ValueError(f"{value!r} is no log-probability")
    return number
