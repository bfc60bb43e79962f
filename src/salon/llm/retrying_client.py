"""One HTTP server, asked until it answers readably or time is up; whatever protocol it speaks.

What can pass (429, 5xx, a lost connection, silence) is tried again with growing, jittered pauses that honour
Retry-After; what cannot (401, 404 …) fails at once. Every failure is the system's. What a question cost is
charged to whoever is on account (see salon.llm.usage), also when it failed.
"""

import email.utils
import http.client
import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from salon.errors import StageError
from salon.secrets.known import redact, redact_bytes, redacted
from salon.types import Failure

from .connections import Connections, Reply, TooLarge
from .limits import CANNOT_READ, BudgetLimiter, CircuitBreaker, RateLimiter, jitter, judge_failure
from .settings import RetryPolicy
from .threads import at_once
from .usage import Usage, charge

Found = TypeVar("Found")
Item = TypeVar("Item")
Bill = Callable[[bytes], Usage]

LONGEST_PAUSE_S = 8.0
_OUTAGES = frozenset(("judge_unreachable", "judge_timeout", "judge_unavailable", "judge_rate_limited"))
_PASSING = {408, 409, 425}
_UNAVAILABLE = {502, 503, 504, 529}


class Retry(Exception):
    """An attempt failed in a way that may pass."""

    def __init__(self, failure: Failure, wait_s: float = 0.0) -> None:
        super().__init__(failure.message)
        self.failure, self.wait_s = failure, wait_s


class RetryingClient:
    """A server at `url`, asked as patiently as `settings` say. May be asked from several threads.

    Raises:
        RecipeError: `url` is no address.
    """

    def __init__(self, url: str, settings: RetryPolicy) -> None:
        self.settings = settings
        self._connections = Connections(url)
        self._free = threading.BoundedSemaphore(settings.concurrency)
        self._pace = RateLimiter(settings.requests_per_minute)
        self._breaker = CircuitBreaker(settings.cooldown_s)
        self._purse = BudgetLimiter(settings.budget)

    @property
    def host(self) -> str:
        """Where it is: what a key is chosen by."""
        return self._connections.host

    @property
    def spent(self) -> Usage:
        """What this server has cost since it was opened."""
        return self._purse.spent.total

    def guard(self, key: str) -> None:
        """Refuse to send a key where others can read it. Raises RecipeError with the remedy."""
        if key:
            self._connections.guard(self.settings.key_over_http)

    def ask(self, attempt: Callable[[float], Found]) -> Found:
        """What one attempt after the other comes to. An attempt is handed the monotonic time at which it must
        be over; where it raises StageError malformed_…, it is made again.

        Raises:
            StageError: no readable answer within the attempts and the deadline; its failure is the last
                attempt's.
        """
        answered = False
        try:
            with self._free:
                trial = self._breaker.enter()
                try:
                    found = self._ask(attempt, trial)
                finally:
                    self._breaker.left(trial)
            answered = True
            return found
        finally:
            self._bill(Usage(questions=1, failed=0 if answered else 1))

    def ask_all(self, items: Sequence[Item], one: Callable[[Item], Found]) -> list[Found]:
        """`one` of every item, in order, as many at once as the server is asked at once."""
        return at_once(one, items, self.settings.concurrency)

    def _ask(self, attempt: Callable[[float], Found], trial: bool) -> Found:
        self._wait_for_turn(trial)
        began = time.monotonic()
        end = began + (self.settings.attempt_s if trial else self.settings.deadline_s)
        made = 0
        while True:
            made += 1
            try:
                return attempt(end)
            except Retry as error:
                failure, wait_s = error.failure, error.wait_s
            except StageError as error:
                if not error.failure.code.startswith("malformed"):
                    raise
                failure, wait_s = error.failure, 0.0
            is_outage = failure.code in _OUTAGES
            pause = max(wait_s, jitter(min(LONGEST_PAUSE_S, self.settings.backoff_s * 2 ** min(made, 10))))
            is_last = not is_outage and made >= self.settings.attempts
            if trial or is_last or time.monotonic() + pause >= end:
                why = f"{failure.code}: {failure.message}"
                if is_outage:
                    self._breaker.in_vain(began, trial, why)
                elif failure.code == "judge_error":
                    self._breaker.error(trial, why)
                raise StageError(failure)
            self._breaker.pause(pause)
            self._wait_for_turn(trial)

    def _wait_for_turn(self, trial: bool) -> None:
        """Wait for the pace, and for the time that the server named when it refused somebody else."""
        booked = self._pace.book()
        while (booked := self._pace.still(booked)) > (now := time.monotonic()):
            if (silence := self._pace.held_until - now) > self.settings.deadline_s:
                told = f"the server asked for {silence:.0f} s of silence"
                raise StageError(judge_failure("judge_rate_limited", told))
            if trial:
                time.sleep(booked - now)
            else:
                self._breaker.pause(booked - now)

    def exchange(
        self, path: str, data: bytes | None, headers: Mapping[str, str], end: float, bill: Bill | None = None
    ) -> Reply:
        """One request, a GET where there is no data, paid for whatever becomes of it.

        Args:
            bill: what an answer's body says that it cost, beside the call itself.

        Raises:
            Retry: nothing came back that can be read, and that may pass.
            StageError: judge_budget_spent.
        """
        calls = 0

        def take() -> None:
            nonlocal calls
            self._purse.take_call()
            calls += 1

        take()
        began, body = time.monotonic(), b""
        url = self._connections.told(path)
        try:
            until = min(end, began + self.settings.attempt_s)
            reply = self._connections.exchange(path, data, headers, until, take)
            # At the door: whatever is made of an answer, no key that a server said back is in it.
            body = redact_bytes(_in_utf8(reply.body))
            told_headers = redacted(reply.headers)
            reply = replace(reply, body=body, headers=told_headers, url=self._connections.told(path))
            self._note(reply)
            return reply
        except TooLarge as error:
            raise Retry(judge_failure("malformed_verdict", str(error))) from None
        except TimeoutError as error:
            raise Retry(judge_failure("judge_timeout", f"no answer in time from {url}")) from error
        except (OSError, http.client.HTTPException) as error:
            raise Retry(
                judge_failure("judge_unreachable", f"{url}: {redact(str(error)) or type(error).__name__}")
            ) from error
        finally:
            told = bill(body) if bill and body else Usage()
            self._bill(told + Usage(calls=calls, seconds=time.monotonic() - began))

    def not_billed(self) -> None:
        """An answer came that says nothing of what it cost: a budget of tokens or money cannot be kept."""
        self._purse.blind = True

    def _note(self, reply: Reply) -> None:
        """What a reply says about the server: it lives, or it wants to be left alone."""
        if reply.status < 500 and reply.status != 429:
            self._breaker.answered()
        elif wait_s := retry_after(reply.headers.get("retry-after")):
            self._pace.hold(wait_s)

    def _bill(self, usage: Usage) -> None:
        self._purse.spent.add(usage)
        charge(usage)


MOST_SAID = 440
"""Characters of a refusal's body that are told; a failure's message has 500."""


def refusal(reply: Reply) -> Exception:
    """What an answer with another status than 200 comes to: to be tried again, or final."""
    # A wrong path, or a proxy that answers for the server, is found by the address.
    place = f" from {reply.url}" if reply.status in (404, 405, 407) or " through " in reply.url else ""
    message = f"HTTP {reply.status}{place}: {_said(reply.body)}"
    if is_unreadable(reply):
        return StageError(judge_failure(CANNOT_READ, message))
    if 300 <= reply.status < 400 and (place := reply.headers.get("location")):
        told = "Redirects are not followed: correct base_url."
        message = f"HTTP {reply.status}: redirected to {place[:200]}. {told}"
    wait_s = retry_after(reply.headers.get("retry-after"))
    if reply.status == 429:
        return Retry(judge_failure("judge_rate_limited", message), wait_s)
    if reply.status in _UNAVAILABLE:
        return Retry(judge_failure("judge_unavailable", message), wait_s)
    if reply.status >= 500 or reply.status in _PASSING:
        return Retry(judge_failure("judge_error", message), wait_s)
    return StageError(judge_failure("judge_refused", message))


def _said(body: bytes) -> str:
    """A server's words, cut where they are long, and told to be."""
    told = body.decode("utf-8", "replace")
    return told if len(told) <= MOST_SAID else f"{told[:MOST_SAID]}…"


def is_unreadable(reply: Reply) -> bool:
    """Whether one of our servers says that its judge cannot read what it was given."""
    return reply.status == 400 and reply.body[:200].find(b'"cannot_read: ') >= 0


def retry_after(header: str | None) -> float:
    """Seconds that a Retry-After header asks for: a number, or a date; 0 where there is none."""
    if not header:
        return 0.0
    try:
        return min(max(0.0, float(header)), 1e6)
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except (ValueError, OverflowError):
        return 0.0


def _in_utf8(body: bytes) -> bytes:
    """A body as UTF-8 without NULs: JSON may be UTF-16 or UTF-32, whose keys nobody would find, and in a text
    that is neither, letters may be parted by NULs.
    """
    if b"\0" not in body and body.isascii():
        return body
    with suppress(UnicodeError):  # Whoever reads it refuses it.
        body = body.decode(json.detect_encoding(body)).encode()
    return body.replace(b"\0", b"")
