"""One question to a server that speaks OpenAI's chat completions, asked until it is answered or time is up.

What can pass (429, 5xx, a lost connection, silence) is tried again with growing, jittered pauses that honour
Retry-After; what cannot (401, 404 …) fails at once. Every failure is the system's.
"""

import email.utils
import http.client
import json
import random
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from salon.errors import StageError
from salon.types import Failure

Answer = TypeVar("Answer")
_MAX_BYTES = 4_000_000
_PASSING = {408, 409, 425, 429}


class _Retry(Exception):
    """An attempt failed in a way that may pass."""

    def __init__(self, failure: Failure, wait_s: float = 0.0) -> None:
        super().__init__(failure.message)
        self.failure, self.wait_s = failure, wait_s


@dataclass(frozen=True, slots=True)
class ChatServer:
    """Where to ask and how patiently.

    base_url ends in /v1 as a rule. attempts: at most so many. deadline_s: seconds for all attempts of a
    question. backoff_s: the first pause's upper end; it doubles each time.
    """

    base_url: str
    api_key: str = field(default="", repr=False)
    attempts: int = 4
    deadline_s: float = 60.0
    backoff_s: float = 0.5

    def ask(self, body: Mapping[str, Any], read: Callable[[str], Answer]) -> Answer:
        """Post a chat completion and read its text; a text that `read` refuses with StageError is asked for
        again.

        Raises:
            StageError: no readable answer within the attempts and the deadline; its failure is the last
                attempt's.
        """
        end, failure = time.monotonic() + self.deadline_s, _failure("judge_error", "no attempt was allowed")
        for attempt in range(self.attempts):
            try:
                return read(self._post(body, end))
            except _Retry as error:
                failure, wait_s = error.failure, error.wait_s
            except StageError as error:
                if error.failure.code != "malformed_verdict":
                    raise
                failure, wait_s = error.failure, 0.0
            pause = max(wait_s, random.uniform(0, self.backoff_s * 2**attempt))
            if attempt + 1 == self.attempts or time.monotonic() + pause >= end:
                break
            time.sleep(pause)
        raise StageError(failure)

    def _post(self, body: Mapping[str, Any], end: float) -> str:
        headers = {"Content-Type": "application/json"}
        if self.api_key:
            headers["Authorization"] = f"Bearer {self.api_key}"
        url = f"{self.base_url.rstrip('/')}/chat/completions"
        request = urllib.request.Request(url, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=max(0.05, end - time.monotonic())) as response:
                return _text(_read(response, end))
        except urllib.error.HTTPError as error:
            with error:
                raise _refusal(error) from None
        except TimeoutError as error:
            raise _Retry(_failure("judge_timeout", f"no answer in time from {url}")) from error
        except (OSError, http.client.HTTPException) as error:
            if isinstance(getattr(error, "reason", None), TimeoutError):
                raise _Retry(_failure("judge_timeout", f"no connection in time to {url}")) from error
            raise _Retry(_failure("judge_unreachable", f"{url}: {error}")) from error


def _failure(code: str, message: str) -> Failure:
    return Failure(code=code, message=message[:500], fault="system", stage="judge")


def _read(response: Any, end: float) -> bytes:
    """The body, within the deadline (a socket's own timeout starts anew with each byte) and a size."""
    parts: list[bytes] = []
    size = 0
    while part := response.read1(65_536):
        parts.append(part)
        size += len(part)
        if size > _MAX_BYTES:
            raise _Retry(_failure("malformed_verdict", f"an answer of more than {_MAX_BYTES} bytes"))
        if time.monotonic() > end:
            raise TimeoutError
    return b"".join(parts)


def _text(body: bytes) -> str:
    try:
        text = json.loads(body)["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError):
        raise _Retry(_failure("malformed_verdict", f"no chat completion: {body[:200]!r}")) from None
    if not isinstance(text, str):
        raise _Retry(_failure("malformed_verdict", f"the content is no text: {text!r}"))
    return text


def _refusal(error: urllib.error.HTTPError) -> Exception:
    message = f"HTTP {error.code}: {_safe_body(error)}"
    if error.code == 429:
        return _Retry(_failure("judge_rate_limited", message), retry_after(error.headers.get("Retry-After")))
    if error.code >= 500 or error.code in _PASSING:
        return _Retry(_failure("judge_error", message), retry_after(error.headers.get("Retry-After")))
    return StageError(_failure("judge_refused", message))


def _safe_body(error: urllib.error.HTTPError) -> str:
    try:
        return error.read(300).decode("utf-8", "replace")
    except OSError:
        return ""


def retry_after(header: str | None) -> float:
    """Seconds that a Retry-After header asks for: a number, or a date; 0 where there is none."""
    if not header:
        return 0.0
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return 0.0
