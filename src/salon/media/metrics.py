"""What a medium has done so far, as one value: queue, time, processes, failures, cache."""

import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Protocol, runtime_checkable

from salon.types import Medium, Rendering


@dataclass(frozen=True, slots=True)
class RenderMetrics:
    """Counts and seconds since a medium was opened; `workers`, `alive`, `busy` and `queue` are of now.

    `workers` may be at work at once, of which `alive` have a process and `busy` a job. `queue` jobs wait;
    `queue_most` is the most there ever were. `renders` came back, `failures` of them by code. A job waited
    `wait_s` in all, `wait_most_s` at most; `render_s` and `render_most_s` are of the renders themselves.
    `restarts` counts processes that took another one's place, `deaths` those that ended by themselves,
    `overruns` those ended at a deadline, `retries` renders that were begun again. `cache_hits` were not
    rendered.
    """

    workers: int = 0
    alive: int = 0
    busy: int = 0
    queue: int = 0
    queue_most: int = 0
    renders: int = 0
    failures: Mapping[str, int] = field(default_factory=dict[str, int])
    wait_s: float = 0.0
    wait_most_s: float = 0.0
    render_s: float = 0.0
    render_most_s: float = 0.0
    restarts: int = 0
    deaths: int = 0
    overruns: int = 0
    retries: int = 0
    cache_hits: int = 0
    cache_misses: int = 0

    def since(self, earlier: "RenderMetrics") -> "RenderMetrics":
        """What was added after `earlier`; of this moment, and the most there ever was, stay as they are."""
        failures = {code: n - earlier.failures.get(code, 0) for code, n in self.failures.items()}
        added = {name: getattr(self, name) - getattr(earlier, name) for name in _ADDING}
        return replace(self, failures={code: n for code, n in failures.items() if n}, **added)

    def __add__(self, other: "RenderMetrics") -> "RenderMetrics":
        """Both together: of two media, or of two processes."""
        failures = Counter(self.failures) + Counter(other.failures)
        added = {name: getattr(self, name) + getattr(other, name) for name in _ADDING + _NOW}
        most = {name: max(getattr(self, name), getattr(other, name)) for name in _MOST}
        return replace(self, failures=dict(failures), **added, **most)

    def numbers(self) -> dict[str, float]:
        """Flat, for a run's metrics: render/queue_most, render/failures/timeout and so on."""
        flat = {
            f"render/{item.name}": float(getattr(self, item.name))
            for item in fields(self)
            if item.name != "failures"
        }
        return flat | {f"render/failures/{code}": float(n) for code, n in sorted(self.failures.items())}


_NOW = ("workers", "alive", "busy", "queue")
_MOST = ("queue_most", "wait_most_s", "render_most_s")
_ADDING = tuple(item.name for item in fields(RenderMetrics) if item.name not in (*_NOW, *_MOST, "failures"))


@runtime_checkable
class Measured(Protocol):
    """A medium that says what it has done."""

    def metrics(self) -> RenderMetrics:
        """The counts since it was opened."""
        ...


def metrics_of(medium: Medium) -> RenderMetrics:
    """A medium's metrics; zeros where it keeps none."""
    return medium.metrics() if isinstance(medium, Measured) else RenderMetrics()


class Counters:
    """Counts from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._seconds: dict[str, float] = {}
        self._most: dict[str, float] = {}

    def count(self, what: str, times: int = 1) -> None:
        """Count restarts, deaths, overruns or retries."""
        with self._lock:
            self._counts[what] += times

    def queued(self, length: int) -> None:
        """Note the queue's length."""
        with self._lock:
            self._most["queue"] = max(self._most.get("queue", 0.0), length)

    def waited(self, seconds: float) -> None:
        """Note how long a job waited."""
        with self._lock:
            self._add("wait", seconds)

    def rendered(self, renderings: Iterable[Rendering]) -> None:
        """Count renderings, their seconds, and their failures by code."""
        with self._lock:
            for rendering in renderings:
                self._counts["renders"] += 1
                self._add("render", rendering.seconds)
                if rendering.failure:
                    self._failures[rendering.failure.code] += 1

    def snapshot(self, workers: int, alive: int, busy: int, queue: int) -> RenderMetrics:
        """Everything so far, as a value."""
        with self._lock:
            return RenderMetrics(
                workers=workers,
                alive=alive,
                busy=busy,
                queue=queue,
                queue_most=int(self._most.get("queue", 0)),
                renders=self._counts["renders"],
                failures=dict(self._failures),
                wait_s=self._seconds.get("wait", 0.0),
                wait_most_s=self._most.get("wait", 0.0),
                render_s=self._seconds.get("render", 0.0),
                render_most_s=self._most.get("render", 0.0),
                restarts=self._counts["restarts"],
                deaths=self._counts["deaths"],
                overruns=self._counts["overruns"],
                retries=self._counts["retries"],
            )

    def _add(self, what: str, seconds: float) -> None:
        self._seconds[what] = self._seconds.get(what, 0.0) + seconds
        self._most[what] = max(self._most.get(what, 0.0), seconds)
