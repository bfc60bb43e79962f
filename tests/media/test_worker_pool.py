"""A pool: one bounded queue, many callers, workers that break, and nothing lost or done twice."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from salon.errors import SetupError
from salon.media.metrics import Counters
from salon.media.worker_pool import Requeue, WorkerPool
from salon.types import Failure


@dataclass
class Doubler:
    """Doubles numbers; breaks on 13, and finds nothing installed on 99."""

    done: list[int] = field(default_factory=list)
    drops: int = 0
    gate: threading.Event = field(default_factory=threading.Event)

    def work(self, job: int) -> int:
        self.gate.wait(10)
        if job == 13:
            raise OSError("broken")
        if job == 99:
            raise SetupError("run `salon setup`")
        self.done.append(job)
        return 2 * job

    def lost(self, job: int, failure: Failure) -> int:
        assert failure.fault == "system"
        return -job

    def alive(self) -> bool:
        return self.drops == 0

    def drop(self) -> None:
        self.drops += 1


def pool(
    count: int = 2, waiting: int | None = None, is_open: bool = True
) -> tuple[WorkerPool[int, int], list[Doubler]]:
    workers: list[Doubler] = []

    def create() -> Doubler:
        workers.append(Doubler())
        if is_open:
            workers[-1].gate.set()
        return workers[-1]

    return WorkerPool[int, int](count, create, Counters(), waiting), workers


def eventually(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not true():
        assert time.monotonic() < end
        time.sleep(0.002)


def test_results_are_in_order_and_each_job_is_done_once() -> None:
    some, workers = pool(3)
    assert some.run(list(range(13))) == [2 * i for i in range(13)]
    assert sorted(job for worker in workers for job in worker.done) == list(range(13))
    assert some.run([]) == []
    some.close()
    assert all(worker.drops for worker in workers)


def test_what_breaks_is_lost_alone_and_what_is_not_installed_is_told() -> None:
    some, workers = pool(1)
    assert some.run([1, 13, 2]) == [2, -13, 4]
    assert workers[0].drops == 1
    with pytest.raises(SetupError, match="salon setup"):
        some.run([1, 99, 2])
    assert some.run([5]) == [10]
    some.close()


def test_hands_are_hired_for_work_only() -> None:
    some, workers = pool(8)
    assert workers == []
    some.run([1])
    assert len(workers) == 1
    assert some.metrics().workers == 8
    some.close()


def test_whoever_brings_more_than_the_queue_holds_waits() -> None:
    some, workers = pool(1, waiting=2, is_open=False)
    results: list[list[int]] = []
    callers = [
        threading.Thread(target=lambda n=n: results.append(some.run([n, n + 1, n + 2])))
        for n in range(20, 50, 3)
    ]
    for caller in callers:
        caller.start()
    eventually(lambda: some.metrics().busy == 1 and some.metrics().queue == 2)
    time.sleep(0.05)
    assert some.metrics().queue == some.metrics().queue_most == 2
    workers[0].gate.set()
    for caller in callers:
        caller.join(10)
    assert sorted(value for result in results for value in result) == [2 * i for i in range(20, 50)]
    metrics = some.metrics()
    assert (metrics.queue, metrics.busy, metrics.queue_most) == (0, 0, 2)
    assert metrics.wait_most_s >= 0.05
    some.close()


def test_closing_lets_what_is_queued_finish_and_the_crew_is_used_again() -> None:
    some, workers = pool(1, is_open=False)
    results: list[int] = []
    caller = threading.Thread(target=lambda: results.extend(some.run([1, 2, 3])))
    caller.start()
    eventually(lambda: some.metrics().queue == 2)
    closer = threading.Thread(target=some.close)
    closer.start()
    time.sleep(0.02)
    assert closer.is_alive()
    workers[0].gate.set()
    caller.join(10)
    closer.join(10)
    assert results == [2, 4, 6]
    assert workers[0].drops == 1
    again = threading.Thread(target=lambda: results.extend(some.run([4])))
    again.start()
    eventually(lambda: len(workers) == 2)
    workers[1].gate.set()
    again.join(10)
    assert results[-1] == 8
    some.close()
    some.close()


def test_a_caller_that_is_interrupted_takes_its_jobs_back() -> None:
    some, workers = pool(1, waiting=50, is_open=False)

    class Stop(KeyboardInterrupt):
        pass

    def jobs() -> list[int]:
        class Interrupted(list[int]):
            def __iter__(self):  # type: ignore[no-untyped-def]
                yield from (1, 2, 3)
                raise Stop

        return Interrupted()

    with pytest.raises(Stop):
        some.run(jobs())
    workers[0].gate.set()
    assert some.run([9]) == [18]
    assert set(workers[0].done) <= {1, 9}
    some.close()


class Reluctant(Doubler):
    """Leaves its first two jobs to others."""

    refused = 0

    def work(self, job: int) -> int | Requeue:  # type: ignore[override]
        self.refused += 1
        return Requeue() if self.refused <= 2 else super().work(job)


def test_what_a_hand_cannot_do_now_goes_to_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("salon.media.worker_pool.REST_S", 0.01)
    workers = [Reluctant(), Reluctant()]
    for worker in workers:
        worker.gate.set()
    waiting = iter(workers)
    some = WorkerPool[int, int](2, lambda: next(waiting), Counters(), 8)
    assert some.run(list(range(12))) == [2 * i for i in range(12)]
    assert sorted(job for worker in workers for job in worker.done) == list(range(12))
    assert (some.metrics().busy, some.metrics().queue) == (0, 0)
    some.close()
