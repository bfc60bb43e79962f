"""Requests of many clients, rated together: what arrives within a moment goes through the model as one batch.

One thread owns the model, so that a model which is not safe for threads can be served, and two clients never
share its memory.
"""

import queue
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future

from salon.errors import StageError
from salon.judges.preference_model import PreferenceModel, Request, rate_all
from salon.llm.limits import judge_failure
from salon.types import Score

_Item = tuple[Request, "Future[Score]"]


class Batcher:
    """Rates with `model`, `size` requests at a time.

    Args:
        size: the largest batch.
        wait_s: how long the first request of a batch waits for others.
        waiting: how many requests may wait; more are refused as busy.
    """

    def __init__(
        self, model: PreferenceModel, size: int = 8, wait_s: float = 0.005, waiting: int = 1024
    ) -> None:
        self.batches = self.rated = 0
        self._model, self._size, self._wait_s, self._waiting = model, size, wait_s, waiting
        self._queue: queue.Queue[_Item | None] = queue.Queue()
        self._thread = threading.Thread(target=self._work, name="salon-batches", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many requests wait now."""
        return self._queue.qsize()

    def rate(self, requests: Sequence[Request]) -> list[Score]:
        """One score per request, in order.

        Raises:
            StageError: busy: more wait already than may.
        """
        if self.waiting + len(requests) > self._waiting:
            raise StageError(judge_failure("busy", f"{self.waiting} requests wait already"))
        promised: list[Future[Score]] = [Future() for _ in requests]
        for item in zip(requests, promised, strict=True):
            self._queue.put(item)
        return [each.result() for each in promised]

    def close(self) -> None:
        """Rate what waits, and end."""
        self._queue.put(None)
        self._thread.join(timeout=5.0)

    def _work(self) -> None:
        while batch := self._batch():
            scores = rate_all(self._model, [request for request, _ in batch])
            self.batches, self.rated = self.batches + 1, self.rated + len(batch)
            for (_, promised), score in zip(batch, scores, strict=True):
                promised.set_result(score)

    def _batch(self) -> list[_Item]:
        """The next requests; none when it is over."""
        first = self._queue.get()
        batch: list[_Item] = [] if first is None else [first]
        end = time.monotonic() + self._wait_s
        while batch and len(batch) < self._size:
            try:
                item = self._queue.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                break
            if item is None:
                self._queue.put(None)
                break
            batch.append(item)
        return batch
