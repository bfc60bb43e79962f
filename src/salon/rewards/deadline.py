"""One term's scorer on threads of its own, with a deadline that nothing can hold up.

Python cannot stop a thread. A call that is overdue is abandoned: its answer is thrown away, and it keeps its
place among the term's few threads until it returns, so that a scorer that hangs for ever costs a bounded
number of threads and, from then on, no time.
"""

import threading
import time
from collections.abc import Sequence

from salon.errors import SalonError, boundary
from salon.llm.usage import Account, carried, on_account
from salon.types import Failure, Group, Score, Scorer

from .returned_scores import scores_of

OVERDUE = "deadline_exceeded"


class Pending:
    """Calls that were started; `collect` waits for them until the deadline."""

    def __init__(self, groups: Sequence[Group], deadline_s: float) -> None:
        self.groups = groups
        self.results: list[list[Score] | None] = [None] * len(groups)
        self.mistake: SalonError | None = None
        self.seconds = 0.0
        self._deadline_s = deadline_s
        self._began = time.monotonic()
        self._next = 0
        self._left = len(groups)
        self._closed = False
        self._changed = threading.Condition()

    def take(self) -> int | None:
        """The index of the next group to score; None when there is none or nobody waits any more."""
        with self._changed:
            if self._closed or self.mistake or self._next >= len(self.groups):
                return None
            self._next += 1
            return self._next - 1

    def put(self, index: int, scores: list[Score]) -> None:
        with self._changed:
            if not self._closed:
                self.results[index] = scores
                self._left -= 1
                self._changed.notify_all()

    def fail(self, mistake: SalonError) -> None:
        """The user's own mistake (a recipe, an installation): it stops the step instead of becoming a
        score.
        """
        with self._changed:
            self.mistake = mistake
            self._changed.notify_all()

    def collect(self) -> list[list[Score]]:
        """Scores per group; a group that is not done at the deadline gets failures."""
        with self._changed:
            self._changed.wait_for(lambda: not self._left or self.mistake, self._remaining())
            self._closed = True
        self.seconds = time.monotonic() - self._began
        if self.mistake:
            raise self.mistake
        message = f"not scored within {self._deadline_s:g} s"
        return [
            failed(group, Failure(OVERDUE, message, "system", "score")) if scores is None else scores
            for group, scores in zip(self.groups, self.results, strict=True)
        ]

    def _remaining(self) -> float:
        return max(0.0, self._began + self._deadline_s - time.monotonic())


class TermRunner:
    """Scores groups with one scorer: at most `concurrency` at once, all of them within `deadline_s`.

    `account` has what its judges cost, calls included that were abandoned.
    """

    def __init__(self, name: str, scorer: Scorer, concurrency: int = 1, deadline_s: float = 300.0) -> None:
        self._name = name
        self._scorer = scorer
        self._concurrency = concurrency
        self._deadline_s = deadline_s
        self._threads: list[threading.Thread] = []
        self.account = Account()

    def start(self, groups: Sequence[Group]) -> Pending:
        """Begin scoring; returns at once. When every thread still hangs in an earlier step, nothing is
        waited for.
        """
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        free = min(self._concurrency - len(self._threads), len(groups))
        pending = Pending(groups, self._deadline_s if free else 0.0)
        for number in range(free):
            thread = threading.Thread(
                target=carried(self._work), args=(pending,), name=f"salon-{self._name}-{number}", daemon=True
            )
            self._threads.append(thread)
            thread.start()
        return pending

    def _work(self, pending: Pending) -> None:
        while (index := pending.take()) is not None:
            try:
                with on_account(self.account):
                    pending.put(index, score_group(self._scorer, pending.groups[index]))
            except SalonError as mistake:
                pending.fail(mistake)
                return


def score_group(scorer: Scorer, group: Group) -> list[Score]:
    """One score per sample, whatever the scorer does. RecipeError and SetupError pass through."""
    scores: list[Score] = []
    # It runs in a thread of its own: what would end that (sys.exit) is a failure at once, and no silence.
    with boundary("score", in_thread=True) as caught:
        scores = scores_of(scorer, group)
    return failed(group, caught.failure) if caught.failure else scores


def failed(group: Group, failure: Failure) -> list[Score]:
    """The same failure for every sample of a group."""
    return [Score(value=None, failure=failure) for _ in group.samples]
