"""Several questions at once, on threads that nobody has to wait for: Ctrl-C ends a program with questions on
their way at once, where a ThreadPoolExecutor would first have every queued one asked.
"""

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from salon.errors import SalonError, StageError, boundary

from .usage import carried

Item = TypeVar("Item")
Found = TypeVar("Found")


class _Work:
    """Items to be worked on, by index, and what came of them."""

    def __init__(self, count: int) -> None:
        self._next, self._count = 0, count
        self._lock = threading.Lock()
        self.mistake: SalonError | None = None

    def take(self) -> int | None:
        """The next index; None when there is none, or nobody waits any more."""
        with self._lock:
            if self._next >= self._count:
                return None
            self._next += 1
            return self._next - 1

    def stop(self, mistake: SalonError | None = None) -> None:
        """Begin nothing more, because of a mistake or because nobody waits."""
        with self._lock:
            self._next = self._count
            self.mistake = self.mistake or mistake


def at_once(work: Callable[[Item], Found], items: Sequence[Item], threads: int) -> list[Found]:
    """`work` of every item, in order, so many at once, on the accounts that are set here.

    Raises:
        SalonError: the first that some item raised; what is not begun by then is not.
    """
    if len(items) < 2 or threads < 2:
        return [work(item) for item in items]
    found: dict[int, Found] = {}
    open_items, ask = _Work(len(items)), carried(work)

    def run() -> None:
        while (index := open_items.take()) is not None:
            try:
                with boundary("judge", in_thread=True) as caught:
                    found[index] = ask(items[index])
            except SalonError as mistake:
                open_items.stop(mistake)
            else:
                if caught.failure:
                    open_items.stop(StageError(caught.failure))

    running = [
        threading.Thread(target=run, name=f"judge-{number}", daemon=True)
        for number in range(min(threads, len(items)))
    ]
    try:
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
    finally:
        open_items.stop()
    if open_items.mistake:
        raise open_items.mistake
    return [found[index] for index in range(len(items))]
