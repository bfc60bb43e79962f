"""How a server is spared: an even pace, a breaker that leaves a dead one alone, and a budget that ends."""

import random
import threading
import time
from collections.abc import Callable

from salon.errors import StageError
from salon.types import Failure

from .settings import Budget
from .usage import Account

BUDGET_SPENT = "judge_budget_spent"
CANNOT_READ = "cannot_read"
"""A judge was given a criterion, a question or an edit that it cannot read; it is asked no second time."""
LONGEST_HOLD_S = 600.0
ERRORS_IN_A_ROW = 5


def judge_failure(code: str, message: str) -> Failure:
    """A failure of the system at the judge's stage."""
    return Failure(code=code, message=message[:500], fault="system", stage="judge")


class RateLimiter:
    """Gives each request its time: evenly spaced, and none before the server asked for one.

    Args:
        per_minute: requests a minute; None for as they come.
        clock: seconds that only go up.
    """

    def __init__(self, per_minute: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._gap_s = 60.0 / per_minute if per_minute else 0.0
        self._clock = clock
        self._next = self._held = 0.0
        self._lock = threading.Lock()

    def book(self) -> float:
        """The time at which the next request may be sent."""
        with self._lock:
            return self._book()

    def still(self, booked: float) -> float:
        """A booking as it stands now. One for a time at which the server wants silence is made anew behind
        it: else all that waited would be sent at once when the silence ends.
        """
        with self._lock:
            return booked if booked >= self._held else self._book()

    def hold(self, seconds: float) -> None:
        """Nobody sends for so long: the server said when to come back."""
        with self._lock:
            self._held = max(self._held, self._clock() + min(seconds, LONGEST_HOLD_S))

    def _book(self) -> float:
        at = max(self._clock(), self._next, self._held)
        self._next = at + self._gap_s
        return at

    @property
    def held_until(self) -> float:
        """The monotonic time until which the server wants to be left alone."""
        with self._lock:
            return self._held


class CircuitBreaker:
    """Gives up a server that no question got through to for a whole deadline.

    Closed, it lets everything pass. A question that spends its deadline in vain, while no other one was
    answered, opens it, and so do ERRORS_IN_A_ROW questions that get nothing but errors: who waits stops
    waiting, and whoever comes is refused at once. After the cool-down one question is let through on trial:
    its answer closes the breaker.
    """

    def __init__(self, cooldown_s: float) -> None:
        self._cooldown_s = cooldown_s
        self._answered = 0.0
        self._errors = 0
        self._closed_again: float | None = None
        self._on_trial = False
        self._why = ""
        self._changed = threading.Condition()

    def enter(self) -> bool:
        """Whether this question is the one on trial.

        Raises:
            StageError: judge_down: the server is given up for now.
        """
        with self._changed:
            if self._closed_again is None:
                return False
            if self._on_trial or time.monotonic() < self._closed_again:
                raise StageError(self._failure())
            self._on_trial = True
            return True

    def pause(self, seconds: float) -> None:
        """Wait, unless the server is given up meanwhile.

        Raises:
            StageError: judge_down.
        """
        with self._changed:
            if self._changed.wait_for(lambda: self._closed_again is not None, seconds):
                raise StageError(self._failure())

    def answered(self) -> None:
        """The server answered something sensible."""
        with self._changed:
            self._answered = time.monotonic()
            self._errors = 0
            self._closed_again, self._on_trial = None, False

    def in_vain(self, began: float, trial: bool, why: str) -> None:
        """A question that began at `began` got no answer from the server before its deadline."""
        with self._changed:
            if trial or self._answered < began:
                self._open(why)

    def error(self, trial: bool, why: str) -> None:
        """A question was answered with errors only, as often as it was asked."""
        with self._changed:
            self._errors += 1
            if trial or self._errors >= ERRORS_IN_A_ROW:
                self._open(why)

    def _open(self, why: str) -> None:
        self._closed_again = time.monotonic() + self._cooldown_s
        self._why = why
        self._on_trial = False
        self._changed.notify_all()

    def left(self, trial: bool) -> None:
        """A question ended in another way: a trial that said nothing about the server ends."""
        with self._changed:
            if trial and self._on_trial:
                self._on_trial = False

    def _failure(self) -> Failure:
        return judge_failure("judge_down", f"the server is left alone for now, since {self._why}")


class BudgetLimiter:
    """A budget, and what is taken from it. Every call is paid for before it is made."""

    def __init__(self, budget: Budget) -> None:
        self.spent = Account()
        self.blind = False
        """Set once an answer came without a bill."""
        self._budget = budget
        self._calls = 0
        self._lock = threading.Lock()

    def take_call(self) -> None:
        """One call more.

        Raises:
            StageError: judge_budget_spent: nothing is asked any more.
        """
        with self._lock:
            spent = self.spent.total
            amounts = {
                "calls": (self._calls, self._budget.calls),
                "tokens": (spent.tokens_in + spent.tokens_out, self._budget.tokens),
                "usd": (spent.usd, self._budget.usd),
            }
            for name, (amount, limit) in amounts.items():
                if limit is not None and amount >= limit:
                    told = f"the budget of {limit:g} {name} is spent. Raise budget.{name}, or go on without."
                    raise StageError(judge_failure(BUDGET_SPENT, told))
            if self.blind and not (self._budget.tokens is None and self._budget.usd is None):
                told = "the server does not say how many tokens an answer took, so a budget of tokens or usd"
                told += " cannot be kept. Set budget.calls instead."
                raise StageError(judge_failure(BUDGET_SPENT, told))
            self._calls += 1


def jitter(upper_s: float) -> float:
    """A pause of up to so many seconds, so that many who wait do not come back at once."""
    return random.uniform(0.0, upper_s)
