"""A server that speaks OpenAI's chat completions, asked until it answers readably or time is up.

    server = ChatServer(model="Qwen/Qwen3-VL-30B-A3B-Instruct", base_url="http://127.0.0.1:8000/v1")
    text = server.complete([{"role": "user", "content": "Which flower is this?"}], [picture])

What can pass (429, 5xx, a lost connection, silence) is tried again with growing, jittered pauses that honour
Retry-After; what cannot (401, 404 …) fails at once. Every failure is the system's. What a question cost is
charged to whoever is on account (see salon.judges.usage), also when it failed.
"""

import email.utils
import http.client
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from salon.errors import StageError
from salon.types import Failure, Picture

from .completion import Completion, read_completion, tokens_billed, unreadable
from .concessions import Concession, concession_for
from .connections import Connections, Reply, TooLarge
from .dialects import DIALECTS
from .limits import Breaker, Pace, Purse, jitter, judge_failure
from .settings import ServerSettings, server_settings
from .shown import Shown
from .threads import at_once
from .usage import Usage, charge

Found = TypeVar("Found")
Item = TypeVar("Item")

LONGEST_PAUSE_S = 8.0
_OUTAGES = frozenset(("judge_unreachable", "judge_timeout", "judge_unavailable", "judge_rate_limited"))
_PASSING = {408, 409, 425}
_UNAVAILABLE = {502, 503, 504, 529}


class _Retry(Exception):
    """An attempt failed in a way that may pass."""

    def __init__(self, failure: Failure, wait_s: float = 0.0) -> None:
        super().__init__(failure.message)
        self.failure, self.wait_s = failure, wait_s


class ChatServer:
    """One model on one server. May be asked from several threads.

    Args:
        given: what ServerSettings knows: model, base_url, api_key, concurrency, deadline_s, budget …

    Raises:
        RecipeError: a setting is unknown or wrong.
    """

    def __init__(self, **given: Any) -> None:
        self.settings: ServerSettings = server_settings(given)
        self._connections = Connections(self.settings.address)
        self._dialect = DIALECTS[self.settings.protocol]
        self._free = threading.BoundedSemaphore(self.settings.concurrency)
        self._pace = Pace(self.settings.requests_per_minute)
        self._breaker = Breaker(self.settings.cooldown_s)
        self._purse = Purse(self.settings.budget)
        self._concessions: tuple[Concession, ...] = ()
        self._proven: set[str] = set()

    @property
    def spent(self) -> Usage:
        """What this server has cost since it was opened."""
        return self._purse.spent.total

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        pictures: Sequence[Picture] = (),
        side: int = 512,
        **options: Any,
    ) -> str:
        """The answer to a conversation, as text.

        Args:
            messages: {"role": "system" | "user" | "assistant", "content": text}, the last one the user's.
            pictures: shown with the last message, after its text, each under "Picture 1:", "Picture 2:" …
            side: pictures are shrunk to so many pixels a side.
            options: other keys of the request, such as temperature or response_format.

        Raises:
            StageError: no answer; the failure is the system's.
        """
        shown = Shown(side)
        *before, last = (dict(message) for message in messages)
        if pictures:
            parts: list[dict[str, Any]] = [{"type": "text", "text": str(last["content"])}]
            for number, picture in enumerate(pictures, 1):
                parts += [{"type": "text", "text": f"Picture {number}:"}, shown.part(picture)]
            last["content"] = parts
        return self.ask({"messages": [*before, last], **options}, _anything)

    def ask(self, body: Mapping[str, Any], read: Callable[[Completion], Found]) -> Found:
        """Post a chat completion and read its answer; one that `read` refuses with StageError malformed_… is
        asked for again.

        Raises:
            StageError: no readable answer within the attempts and the deadline; its failure is the last
                attempt's.
        """
        answered = False
        try:
            with self._free:
                trial = self._breaker.enter()
                try:
                    found = self._ask(body, read, trial)
                finally:
                    self._breaker.left(trial)
            answered = True
            return found
        finally:
            self._bill(Usage(questions=1, failed=0 if answered else 1))

    def ask_all(self, items: Sequence[Item], one: Callable[[Item], Found]) -> list[Found]:
        """`one` of every item, in order, as many at once as the server is asked at once."""
        return at_once(one, items, self.settings.concurrency)

    def _ask(self, body: Mapping[str, Any], read: Callable[[Completion], Found], trial: bool) -> Found:
        self._wait_for_turn(trial)
        began = time.monotonic()
        end = began + (self.settings.attempt_s if trial else self.settings.deadline_s)
        attempt = 0
        while True:
            attempt += 1
            try:
                return read(self._post(body, end))
            except _Retry as error:
                failure, wait_s = error.failure, error.wait_s
            except StageError as error:
                if not error.failure.code.startswith("malformed"):
                    raise
                failure, wait_s = error.failure, 0.0
            is_outage = failure.code in _OUTAGES
            pause = max(wait_s, jitter(min(LONGEST_PAUSE_S, self.settings.backoff_s * 2 ** min(attempt, 10))))
            is_last = not is_outage and attempt >= self.settings.attempts
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
        while (at := max(booked, self._pace.held_until)) > (now := time.monotonic()):
            if (silence := self._pace.held_until - now) > self.settings.deadline_s:
                told = f"the server asked for {silence:.0f} s of silence"
                raise StageError(judge_failure("judge_rate_limited", told))
            if trial:
                time.sleep(at - now)
            else:
                self._breaker.pause(at - now)

    def _post(self, body: Mapping[str, Any], end: float) -> Completion:
        """One attempt; with a wish less for each one that the server refuses (see concessions)."""
        made = self._concessions
        while True:
            whole = self._whole(body, made)
            reply = self._exchange(whole, end)
            if reply.status == 200:
                self._concessions = made
                self._proven |= set(whole)
                return read_completion(reply.body)
            another = concession_for(whole, reply, self._proven)
            if another is None:
                raise _refusal(reply)
            made = (*made, another)

    def _whole(self, body: Mapping[str, Any], made: Sequence[Concession]) -> dict[str, Any]:
        settings = self.settings
        options = {"temperature": settings.temperature, "max_tokens": settings.max_tokens}
        whole = {"model": settings.model, **options, **settings.extra, **body}
        for concession in made:
            whole = concession.apply(whole)
        return {key: value for key, value in whole.items() if value is not None}

    def _exchange(self, whole: Mapping[str, Any], end: float) -> Reply:
        """Post, and pay: for every call, whatever becomes of it."""
        self._purse.take_call()
        key = self.settings.key_for(self._connections.host)
        headers = {"Content-Type": "application/json"} | self._dialect.headers(key)
        path = self._dialect.path(self.settings.model)
        began, body = time.monotonic(), b""
        url = self._connections.url + path
        try:
            until = min(end, began + self.settings.attempt_s)
            reply = self._connections.post(path, self._dialect.request(whole), headers, until)
            if reply.status == 200:
                reply = replace(reply, body=self._dialect.answer(reply.body))
            body = reply.body
            self._note(reply)
            return reply
        except TooLarge as error:
            raise _Retry(judge_failure("malformed_verdict", str(error))) from None
        except TimeoutError as error:
            raise _Retry(judge_failure("judge_timeout", f"no answer in time from {url}")) from error
        except (OSError, http.client.HTTPException) as error:
            raise _Retry(
                judge_failure("judge_unreachable", f"{url}: {error or type(error).__name__}")
            ) from error
        finally:
            self._pay(body, time.monotonic() - began)

    def _note(self, reply: Reply) -> None:
        """What a reply says about the server: it lives, or it wants to be left alone."""
        if reply.status < 500 and reply.status != 429:
            self._breaker.answered()
        elif wait_s := retry_after(reply.headers.get("retry-after")):
            self._pace.hold(wait_s)

    def _pay(self, body: bytes, seconds: float) -> None:
        tokens_in, tokens_out = tokens_billed(body) if body else (0, 0)
        price = self.settings.price
        usd = (tokens_in * price.input + tokens_out * price.output) / 1e6 if price else 0.0
        self._bill(Usage(calls=1, tokens_in=tokens_in, tokens_out=tokens_out, seconds=seconds, usd=usd))

    def _bill(self, usage: Usage) -> None:
        self._purse.spent.add(usage)
        charge(usage)


def _anything(completion: Completion) -> str:
    if not completion.text.strip():
        raise unreadable("an empty answer")
    return completion.text


def _refusal(reply: Reply) -> Exception:
    message = f"HTTP {reply.status}: {reply.body[:300].decode('utf-8', 'replace')}"
    wait_s = retry_after(reply.headers.get("retry-after"))
    if reply.status == 429:
        return _Retry(judge_failure("judge_rate_limited", message), wait_s)
    if reply.status in _UNAVAILABLE:
        return _Retry(judge_failure("judge_unavailable", message), wait_s)
    if reply.status >= 500 or reply.status in _PASSING:
        return _Retry(judge_failure("judge_error", message), wait_s)
    return StageError(judge_failure("judge_refused", message))


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
    except ValueError:
        return 0.0
