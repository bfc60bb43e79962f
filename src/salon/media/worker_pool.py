"""Workers around one bounded queue: what the browser's pool and the SVG's have in common.

A *worker* does one kind of job with a process of its own, and answers for that process: it ends what overruns
its deadline, starts anew after a death, and raises nothing that another job could feel. A pool is some
workers, a thread each. Whoever brings jobs waits while the queue is full, so that memory does not grow with
the number of callers.
"""

import atexit
import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from salon.errors import SalonError, boundary
from salon.types import Failure

from .metrics import Counters, RenderMetrics

Job = TypeVar("Job")
Result = TypeVar("Result")
JobIn = TypeVar("JobIn", contravariant=True)
ResultOut = TypeVar("ResultOut", covariant=True)

WAITING_PER_HAND = 16
REST_S = 1.0
"""How long a worker that cannot work leaves the queue to others."""


class Requeue:
    """What a worker answers that cannot work now: its job goes back to the head of the queue, for any."""


class Worker(Protocol[JobIn, ResultOut]):
    """Does jobs, one after the other, in one thread."""

    def work(self, job: JobIn) -> ResultOut | Requeue:
        """Do a job. What it raises is the system's failure, and costs this worker its process."""
        ...

    def lost(self, job: JobIn, failure: Failure) -> ResultOut:
        """The result of a job whose `work` raised."""
        ...

    def alive(self) -> bool:
        """Whether its process is there."""
        ...

    def drop(self) -> None:
        """End the process with everything it started. Called again, does nothing."""
        ...


@dataclass(slots=True)
class _Ticket(Generic[Job, Result]):
    job: Job
    future: "Future[Result]" = field(default_factory=lambda: Future[Any]())
    queued_at: float = field(default_factory=time.monotonic)


class WorkerPool(Generic[Job, Result]):
    """Up to `count` workers around one queue. Safe to use from many threads; a forked child creates its own.

    Args:
        count: workers at work at the same time. They are created when there is work for them.
        create: makes a worker, which starts no process before its first job.
        tally: what is counted.
        waiting: jobs that may wait; by default 16 for each worker. Who brings more waits.
    """

    def __init__(
        self,
        count: int,
        create: Callable[[], Worker[Job, Result]],
        counters: Counters,
        waiting: int | None = None,
    ) -> None:
        self._count, self._create, self._counters = count, create, counters
        self._limit = max(1, waiting or WAITING_PER_HAND * count)
        self._forget()
        _POOLS.add(self)

    def run(self, jobs: Sequence[Job]) -> list[Result]:
        """Do all jobs, as workers become free; results are in the order of the jobs.

        Raises what `create` or `work` raised as the user's own mistake (SetupError, RecipeError).
        """
        tickets: list[_Ticket[Job, Result]] = []
        try:
            for job in jobs:
                tickets.append(_Ticket(job))
                self._queue(tickets[-1])
            return [ticket.future.result() for ticket in tickets]
        finally:
            for ticket in tickets:
                ticket.future.cancel()

    def metrics(self) -> RenderMetrics:
        """What was counted so far, and the state of the queue and the workers now."""
        self._notice_fork()
        with self._changed:
            alive = sum(member.worker.alive() for member in self._members)
            return self._counters.snapshot(self._count, alive, self._busy, len(self._tickets))

    def close(self) -> None:
        """End the workers, after the jobs that are queued. May be called twice; may be used again."""
        self._notice_fork()
        with self._changed:
            leaving, self._members = self._members, []
            for member in leaving:
                member.leaving = True
            self._changed.notify_all()
        for member in leaving:
            if member.thread:
                member.thread.join()

    def _queue(self, ticket: _Ticket[Job, Result]) -> None:
        self._notice_fork()
        with self._changed:
            while len(self._tickets) >= self._limit:
                self._hire_members()
                self._changed.wait()
            self._tickets.append(ticket)
            self._counters.queued(len(self._tickets))
            self._hire_members()
            self._changed.notify_all()

    def _hire_members(self) -> None:
        """Create while there is more to do than workers (called with the lock held)."""
        wanted = min(self._count, self._busy + len(self._tickets))
        while len(self._members) < wanted:
            member = _Member[Job, Result](self._create())
            member.thread = threading.Thread(
                target=self._serve, args=(member,), name="salon-renderer", daemon=True
            )
            self._members.append(member)
            member.thread.start()

    def _serve(self, member: "_Member[Job, Result]") -> None:
        try:
            while (ticket := self._take(member)) is not None:
                later = self._do(member.worker, ticket)
                with self._changed:
                    self._busy -= 1
                    if later:
                        self._tickets.appendleft(ticket)
                        self._changed.notify_all()
                if later:
                    time.sleep(REST_S)
        finally:
            member.worker.drop()

    def _do(self, worker: Worker[Job, Result], ticket: _Ticket[Job, Result]) -> bool:
        """Have a job done, unless nobody wants it any more; whether it is to be done later."""
        if not ticket.future.running():
            if not ticket.future.set_running_or_notify_cancel():
                return False
            self._counters.waited(time.monotonic() - ticket.queued_at)
        return _answer(worker, ticket)

    def _take(self, member: "_Member[Job, Result]") -> _Ticket[Job, Result] | None:
        """The next job; None when the member is to leave and nothing is queued."""
        with self._changed:
            while not self._tickets:
                if member.leaving:
                    return None
                self._changed.wait()
            self._busy += 1
            ticket = self._tickets.popleft()
            self._changed.notify_all()
            return ticket

    def _notice_fork(self) -> None:
        if self._pid != os.getpid():
            # After a fork the parent's threads are not here, and its processes are not ours.
            self._forget()

    def _forget(self) -> None:
        self._changed = threading.Condition()
        self._tickets: deque[_Ticket[Job, Result]] = deque()
        self._members: list[_Member[Job, Result]] = []
        self._busy = 0
        self._pid = os.getpid()


@dataclass(slots=True)
class _Member(Generic[Job, Result]):
    """A worker, its thread, and whether it is to leave when the queue is empty."""

    worker: Worker[Job, Result]
    thread: threading.Thread | None = None
    leaving: bool = False


def _answer(worker: Worker[Job, Result], ticket: _Ticket[Job, Result]) -> bool:
    """Give the ticket its result, if there is one; whoever asked gets what is wrong with the installation.
    Returns whether the job is to be done later.
    """
    try:
        with boundary("render") as caught:
            result = worker.work(ticket.job)
            if isinstance(result, Requeue):
                return True
            ticket.future.set_result(result)
    except SalonError as error:
        ticket.future.set_exception(error)
        return False
    if caught.failure:
        worker.drop()
        ticket.future.set_result(worker.lost(ticket.job, caught.failure))
    return False


_POOLS: "weakref.WeakSet[WorkerPool[Any, Any]]" = weakref.WeakSet()


@atexit.register
def close_crews() -> None:
    """End every pool of this process when it ends."""
    for pool in list(_POOLS):
        pool.close()
