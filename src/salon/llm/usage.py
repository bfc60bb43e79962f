"""What judges cost, and whose account it goes on: calls, tokens, seconds and money, failures included.

An account is set for a stretch of work (`with on_account(account)`), and every server asked inside of it is
charged to it, in other threads too where the work is handed over by `carried`.
"""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, fields
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Usage:
    """Sums. `questions`: put to a judge; `cached`: answered from what was kept; `failed`: without an answer.
    `calls`: requests sent, repeats included; `seconds`: spent in them, added up over threads. `tokens_in` and
    `tokens_out`: as the server counts them. `usd`: by the price that was given, else 0.
    """

    questions: float = 0
    cached: float = 0
    failed: float = 0
    calls: float = 0
    tokens_in: float = 0
    tokens_out: float = 0
    seconds: float = 0.0
    usd: float = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(*(a + b for a, b in zip(self._sums(), other._sums(), strict=True)))

    def __sub__(self, other: "Usage") -> "Usage":
        return Usage(*(a - b for a, b in zip(self._sums(), other._sums(), strict=True)))

    def numbers(self) -> dict[str, float]:
        """The sums by name."""
        return {each.name: float(value) for each, value in zip(fields(self), self._sums(), strict=True)}

    def _sums(self) -> tuple[float, ...]:
        # Not astuple, which copies deeply and takes ten times as long; this is done several times a call.
        sent = (self.calls, self.tokens_in, self.tokens_out, self.seconds, self.usd)
        return (self.questions, self.cached, self.failed, *sent)


class Account:
    """A sum that threads add to."""

    def __init__(self) -> None:
        self._sum = Usage()
        self._lock = threading.Lock()

    @property
    def total(self) -> Usage:
        """What it comes to."""
        with self._lock:
            return self._sum

    def add(self, usage: Usage) -> None:
        """Add to it."""
        with self._lock:
            self._sum += usage


_PAYING: ContextVar[tuple[Account, ...]] = ContextVar("salon_accounts", default=())


@contextmanager
def on_account(account: Account) -> Generator[Account]:
    """Charge what is asked inside the block to this account too."""
    token = _PAYING.set((*_PAYING.get(), account))
    try:
        yield account
    finally:
        _PAYING.reset(token)


def charge(usage: Usage) -> None:
    """Add to every account that is set here."""
    for account in _PAYING.get():
        account.add(usage)


def carried(work: Callable[Given, Found]) -> Callable[Given, Found]:
    """`work`, with the accounts of here wherever it runs: for handing to threads."""
    context = copy_context()

    def run(*args: Given.args, **options: Given.kwargs) -> Found:
        return context.copy().run(work, *args, **options)

    return run
