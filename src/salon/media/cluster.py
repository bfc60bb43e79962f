"""Rendering on a Ray cluster: the medium "cluster" is another medium with its workers on any node.

Each worker is a Ray actor that opens the medium on its node. A worker that is lost, with its process or its
whole node, is replaced on a node that is left, and what it had in hand is rendered again there. A result is
taken once per source, so that nothing is lost and nothing comes back twice. Every node needs the same salon,
browser and libraries: one that has others is refused, since its pictures would differ.
"""

import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from salon.errors import RecipeError, SetupError
from salon.installed import install_command
from salon.media import open_medium
from salon.registry import allow, allowed
from salon.types import Failure, Medium, Rendering
from salon.validation import MOST_SECONDS

from .metrics import Counters, RenderMetrics
from .worker_pool import Requeue, WorkerPool

ATTEMPTS = 3
"""Workers that may be lost over the same sources, before it is no accident."""
READY_S = 180.0
"""How long a worker may take to find a node and open its medium, while no other works."""
LOOK_S = 5.0
"""How long a job is kept while a worker looks for a node; then another may have it."""


@dataclass(frozen=True, slots=True)
class Portion:
    """Sources that travel together, and their seeds."""

    sources: tuple[str, ...]
    seeds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What every worker opens: a medium's name and arguments, with the CPUs Ray reserves for it."""

    medium: str
    args: Mapping[str, Any]
    cpus: float
    versions: Mapping[str, str] = field(default_factory=dict[str, str])
    patience_s: float = 240.0


class ClusterMedium:
    """The medium "cluster".

    Args:
        medium: the medium that renders: "p5.brush", "svg", "fake" or a module:attribute path.
        args: its arguments. `workers`, the browsers or processes of one actor, is 1 unless it is given.
        workers: actors, over all nodes.
        address: the cluster's, as `ray.init` takes it; None for the one that RAY_ADDRESS names or that is
            connected already, and else a new one on this machine.
        cpus: CPUs that Ray reserves per worker.
        portion: sources that a worker gets at a time; None for 1 sketch or 32 SVGs.
        patience_s: seconds per source after which a worker that does not answer is given up. The medium's own
            deadline is what ends a slow sketch.

    Raises:
        SetupError: ray is not installed.
        RecipeError: the cluster cannot be reached, or the medium does not take its arguments.
    """

    def __init__(
        self,
        medium: str = "p5.brush",
        args: Mapping[str, Any] | None = None,
        workers: int = 2,
        address: str | None = None,
        cpus: float = 1.0,
        portion: int | None = None,
        patience_s: float = 240.0,
    ) -> None:
        if not patience_s <= MOST_SECONDS:
            raise RecipeError(f"medium cluster: patience_s is a number up to {MOST_SECONDS:g}")
        if workers < 1 or patience_s <= 0 or (portion is not None and portion < 1):
            raise RecipeError("medium cluster: workers, portion and patience_s must be positive")
        arguments = dict(args or {})
        self._local: Medium = open_medium(medium, **arguments)
        self._portion = portion or (32 if medium == "svg" else 1)
        self.name = self._local.name
        if medium in ("svg", "p5.brush"):
            arguments.setdefault("workers", 1)
        self._ray, self._started_ray = _connect(address)
        plan = Plan(medium, arguments, cpus, self._local.versions(), patience_s)
        self._counters = Counters()
        placed: set[ClusterWorker] = set()
        self._pool = WorkerPool[Portion, list[Rendering]](
            workers, lambda: ClusterWorker(self._ray, plan, self._counters, placed), self._counters
        )

    def extract(self, reply: str) -> str | Failure:
        """The source inside a model's reply."""
        return self._local.extract(reply)

    def check(self, source: str) -> Failure | None:
        """What can be known to be wrong without rendering."""
        return self._local.check(source)

    def render(self, sources: Sequence[str], seeds: Sequence[int]) -> list[Rendering]:
        """One rendering per source, in order, wherever it was made."""
        pairs = list(zip(sources, seeds, strict=True))
        portions = [
            Portion(*zip(*pairs[at : at + self._portion], strict=True))
            for at in range(0, len(pairs), self._portion)
        ]
        made = list(itertools.chain.from_iterable(self._pool.run(portions)))
        self._counters.rendered(made)
        return made

    def versions(self) -> dict[str, str]:
        """The medium's; every worker has been seen to have the same."""
        return self._local.versions()

    def metrics(self) -> RenderMetrics:
        """What was rendered so far. Deaths are of workers; those of their browsers are counted there."""
        return self._pool.metrics()

    def close(self) -> None:
        """End the workers, and Ray where it was started here. A medium that started Ray is not used again."""
        self._pool.close()
        self._local.close()
        if self._started_ray:
            self._ray.shutdown()
            self._started_ray = False


class ClusterWorker:
    """One actor, and another where it was lost. `placed` holds the workers whose actor has a node."""

    def __init__(self, ray: Any, plan: Plan, counters: Counters, placed: "set[ClusterWorker]") -> None:
        self._ray, self._plan, self._counters, self._placed = ray, plan, counters, placed
        self._actor: Any = None
        self._versions: Any = None
        self._started, self._asked_at = 0, 0.0

    def work(self, job: Portion) -> list[Rendering] | Requeue:
        """Render a portion; again by another actor when the first was lost on the way. While no node has room
        for this worker's actor, its jobs are left to others.
        """
        errors, lost = self._ray.exceptions, ""
        for attempt in range(ATTEMPTS):
            try:
                if not self._is_placed():
                    return Requeue()
                asked = self._actor.render.remote(job.sources, job.seeds)
                made = self._ray.get(asked, timeout=self._plan.patience_s * len(job.sources))
            except errors.RayTaskError as error:
                # The actor answers: what it raised is the medium's own.
                raise error.cause from error
            except errors.RayError as error:
                self._counters.count("deaths")
                self._counters.count("retries", len(job.sources) * int(attempt + 1 < ATTEMPTS))
                self.drop()
                lost = f"{type(error).__name__}: {error}"[:300]
            else:
                return list(made)
        return self.lost(job, Failure("worker_lost", lost, "system", "render"))

    def lost(self, job: Portion, failure: Failure) -> list[Rendering]:
        """The system's failure for every source."""
        return [Rendering(None, failure)] * len(job.sources)

    def alive(self) -> bool:
        """Whether there is an actor on a node, as far as is known."""
        return self in self._placed

    def drop(self) -> None:
        """End the actor and its medium."""
        actor, self._actor = self._actor, None
        self._placed.discard(self)
        if actor is not None and self._ray.is_initialized():
            self._ray.kill(actor)

    def _is_placed(self) -> bool:
        """Whether the actor has a node, after a short wait. Raises TimeoutError when none has had one for
        long, and SetupError when the node's versions are others.
        """
        if self in self._placed:
            return True
        if self._actor is None:
            self._ask()
        ready, _ = self._ray.wait([self._versions], timeout=LOOK_S)
        if not ready:
            if not self._placed and time.monotonic() - self._asked_at > READY_S:
                raise TimeoutError(f"no node of the cluster has {self._plan.cpus:g} CPUs free for a worker")
            return False
        found = self._ray.get(self._versions)
        if found != dict(self._plan.versions):
            self.drop()
            raise SetupError(f"a node renders with {found}, and this one with {self._plan.versions}")
        self._placed.add(self)
        return True

    def _ask(self) -> None:
        remote = self._ray.remote(num_cpus=self._plan.cpus, scheduling_strategy="SPREAD")(Renderer)
        self._actor = remote.remote(self._plan.medium, dict(self._plan.args), sorted(allowed()))
        self._versions = self._actor.versions.remote()
        self._asked_at = time.monotonic()
        self._counters.count("restarts", int(self._started > 0))
        self._started += 1


class Renderer:
    """What runs on a node, as a Ray actor."""

    def __init__(self, medium: str, args: dict[str, Any], allowed: Sequence[str] = ()) -> None:
        allow(*allowed)
        self._medium = open_medium(medium, **args)

    def versions(self) -> dict[str, str]:
        """What this node renders with."""
        return self._medium.versions()

    def render(self, sources: Sequence[str], seeds: Sequence[int]) -> list[Rendering]:
        """One rendering per source, in order."""
        return self._medium.render(sources, seeds)


def _connect(address: str | None) -> tuple[Any, bool]:
    """ray, connected, and whether that was done here."""
    try:
        ray: Any = import_module("ray")
    except ModuleNotFoundError as error:
        raise SetupError(f"the medium cluster needs ray: {install_command('cluster')}") from error
    if ray.is_initialized():
        return ray, False
    try:
        ray.init(address=address, log_to_driver=False, include_dashboard=False if address is None else None)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise RecipeError(f"medium cluster: no Ray cluster at {address!r}: {error}") from error
    return ray, True
