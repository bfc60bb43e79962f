"""What a chat completion says, read strictly: its text, the odds of its tokens, the bill."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, cast

from salon.errors import StageError
from salon.files.untrusted import unique_keys
from salon.secrets.known import redact

from .limits import judge_failure

MOST_TOKENS = 1_000_000_000
"""A server that counts more for one answer counts wrong."""


_ENDED = (
    "stop | stop_sequence | stop_sequences | stop_word | stop_token | end_turn | end_of_turn | end_of_text | "
    "end_of_sequence | eos | eos_token | eos_token_id | im_end | complete | completed | done | finished"
)
ENDED = frozenset(_ENDED.split(" | "))
"""Words by which servers say that an answer ended by itself, folded: in lower case, with _ between words.
Whatever else they say, there is no answer."""
_CUT = (
    "length | max_length | max_tokens | max_output_tokens | max_new_tokens | max_completion_tokens | "
    "max_output_length | model_length | token_limit | limit | length_capped | incomplete | "
    "model_context_window_exceeded | context_length_exceeded"
)
CUT = frozenset(_CUT.split(" | "))
"""Words by which they say that it ran into its limit, so that more room may help."""
_STOPPED = (
    "content_filter | content_filtered | safety | recitation | blocklist | prohibited_content | spii | "
    "image_safety | image_prohibited_content | language | refusal | sensitive | guardrail_intervened | "
    "error | abort | aborted | cancelled | timeout | network_error | insufficient_system_resource | "
    "malformed_function_call | unexpected_tool_call | pause_turn | other | finish_reason_unspecified"
)
STOPPED = frozenset(_STOPPED.split(" | "))
"""Words for what else ends an answer before its end: some of those that are known."""
_SAY_HOW = ("finish_reason", "finish_details", "native_finish_reason", "stop_reason")
_PARTS = ("text", "output_text", None)


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
    """The one choice of a chat completion.

    Raises:
        StageError: with code malformed_verdict: it is none, has no text, or says more than one thing.
    """
    try:
        data = json.loads(body, object_pairs_hook=unique_keys)
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
    _must_agree(data, choice)
    counts = tokens_billed(body, data)
    ends = [how_it_ended(each) for each in (choice, choice["message"], data)]
    cut, stopped = next((end for end in ends if end != (False, "")), (False, ""))
    return Completion(
        text=text,
        tokens=_tokens(choice),
        cut=cut,
        stopped=stopped,
        tokens_in=counts[0],
        tokens_out=counts[1],
    )


def _must_agree(data: Mapping[str, Any], choice: Mapping[str, Any]) -> None:
    """Raises StageError where a completion says beside its text that this is no answer, or gives another."""
    message = choice["message"]
    if len(data["choices"]) > 1:
        raise unreadable(f"{len(data['choices'])} choices, and one was asked for")
    for said, where in ((data, "error"), (choice, "error"), (message, "refusal"), (message, "tool_calls")):
        if said.get(where):
            raise unreadable(f"beside its text it has {where!r}: {said[where]!r}"[:300])


def how_it_ended(choice: Mapping[str, Any], allowed: Collection[str] = ENDED) -> tuple[bool, str]:
    """Whether an answer ran into its limit, and the word for what else ended it; (False, "") where it ended
    by itself or nothing is said.

    Args:
        allowed: the words of an end, folded.
    """
    for key in _SAY_HOW:
        said = choice.get(key)
        if isinstance(said, Mapping):
            said = cast("Mapping[str, Any]", said).get("type", said)
        if said is None or said == "":
            continue
        word = (
            "_".join(said.lower().replace("-", " ").replace("_", " ").split())
            if isinstance(said, str)
            else ""
        )
        if word in CUT:
            return True, ""
        # Beside a finish_reason, vLLM's stop_reason is what it stopped at: a text or a token of one's own.
        is_own = key == "stop_reason" and choice.get("finish_reason") and _is_own(said, word)
        if word not in allowed and not is_own:
            return False, (word or repr(said))[:60]
    return False, ""


def _is_own(said: object, word: str) -> bool:
    is_token = isinstance(said, int) and not isinstance(said, bool)
    return is_token or (isinstance(said, str) and word not in STOPPED)


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
    """A text, or the texts of parts that are no thoughts; without a key that was cut by them."""
    if isinstance(content, str):
        return redact(without_halves(content))
    if not isinstance(content, list):
        return None
    said = [cast("dict[str, Any]", part) for part in cast(list[Any], content) if isinstance(part, dict)]
    parts = [part.get("text") for part in said if part.get("type") in _PARTS and not part.get("thought")]
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
