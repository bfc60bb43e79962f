"""Rendering on two Ray nodes, one of which is killed in mid-run: nothing is lost, nothing is there twice."""

import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from salon.errors import RecipeError, SetupError
from salon.media.fake import FakeMedium
from salon.media.render_samples import develop
from salon.media.svg.medium import SvgMedium
from salon.store.runs import Run
from salon.types import Group, Medium, Prompt, Rendering, Reward, Sample

pytest.importorskip("ray")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    # Ray's own, and its sockets.
    pytest.mark.filterwarnings("ignore"),
]


class Paced(FakeMedium):
    """Takes its time, and notes on disk who rendered what."""

    def __init__(self, notes: str, seconds: float = 0.25) -> None:
        super().__init__((16, 16))
        self.notes, self.seconds = Path(notes), seconds

    def render(self, sources: Sequence[str], seeds: Sequence[int]) -> list[Rendering]:
        import os

        import ray

        node = ray.get_runtime_context().get_node_id()
        for source in sources:
            (self.notes / f"{source}-{os.getpid()}-{time.monotonic_ns()}-{node}").touch()
            time.sleep(self.seconds)
        return super().render(sources, seeds)


class Odd(FakeMedium):
    """Another version in every process."""

    def versions(self) -> dict[str, str]:
        import os

        return {"process": str(os.getpid())}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    import ray
    from ray.cluster_utils import Cluster

    # The nodes' workers import this file too.
    patch = pytest.MonkeyPatch()
    patch.setenv("PYTHONPATH", str(Path(__file__).parent))
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()
    patch.undo()


def test_it_gives_what_the_medium_gives(cluster: Any) -> None:
    from salon.media.cluster import ClusterMedium

    sources = [f'<svg viewBox="0 0 9 9"><circle r="{r}" fill="red"/></svg>' for r in range(1, 8)] + ["<svg/>"]
    alone = SvgMedium((32, 32), workers=1)
    far = ClusterMedium("svg", {"size": (32, 32)}, workers=1, portion=3)
    try:
        assert isinstance(far, Medium)
        expected = alone.render(sources, [0] * 8)
        made = far.render(sources, [0] * 8)
        assert [(r.picture, r.failure) for r in made] == [(r.picture, r.failure) for r in expected]
        assert far.versions() == alone.versions()
        metrics = far.metrics()
        assert (metrics.renders, metrics.failures, metrics.deaths) == (8, {"too_few_elements": 1}, 0)
    finally:
        far.close()
        alone.close()


def test_a_node_that_is_killed_costs_nothing(cluster: Any, tmp_path: Path) -> None:
    from salon.media.cluster import ClusterMedium

    notes = tmp_path / "notes"
    notes.mkdir()
    second = cluster.add_node(num_cpus=2)
    cluster.wait_for_nodes()
    medium = ClusterMedium("test_cluster:Paced", {"notes": str(notes)}, workers=4, patience_s=60)
    prompt = Prompt("p", "draw")
    drafts = [Sample(f"s{i:03d}", prompt, f"gold{i}", seed=i) for i in range(60)]

    def kill_in_mid_run() -> None:
        while len({note.name.rpartition("-")[2] for note in notes.iterdir()}) < 2:
            time.sleep(0.05)
        cluster.remove_node(second, allow_graceful=False)

    killer = threading.Thread(target=kill_in_mid_run)
    killer.start()
    try:
        samples = develop(medium, drafts)
        killer.join()
        metrics = medium.metrics()
    finally:
        medium.close()
    expected = FakeMedium((16, 16)).render([f"gold{i}" for i in range(60)], list(range(60)))
    assert [sample.picture for sample in samples] == [rendering.picture for rendering in expected]
    run = Run.create(tmp_path / "run", {"recipe": {}})
    rewards = [Reward(1.0, ())] * 60
    run.write_step(0, [Group(prompt, tuple(samples))], [rewards], {"reward": 1.0})
    rows = pl.read_parquet(str(tmp_path / "run/rollouts/*.parquet"))
    assert sorted(rows["sample_id"]) == [draft.id for draft in drafts]
    assert rows["failure_code"].is_null().all()
    print(metrics)
    assert metrics.deaths >= 1
    assert metrics.retries >= 1
    assert metrics.renders == 60
    begun = [note.name.split("-")[0] for note in notes.iterdir()]
    assert set(begun) == {f"gold{i}" for i in range(60)}
    assert len(begun) <= 60 + metrics.retries


def test_another_version_is_refused(cluster: Any) -> None:
    from salon.media.cluster import ClusterMedium

    medium = ClusterMedium("test_cluster:Odd", workers=1)
    try:
        with pytest.raises(SetupError, match="a node renders with"):
            medium.render(["gold"], [1])
    finally:
        medium.close()


def test_mistakes_are_told_at_once(cluster: Any) -> None:
    from salon.media.cluster import ClusterMedium

    for wrong in ({"workers": 0}, {"portion": 0}, {"medium": "svgg"}, {"args": {"sise": 3}}):
        with pytest.raises((RecipeError, TypeError)):
            ClusterMedium(**{"medium": "svg", **wrong})  # type: ignore[arg-type]


@pytest.mark.browser
def test_sketches_are_painted_on_nodes(cluster: Any) -> None:
    from salon.media.cluster import ClusterMedium
    from salon.media.p5.medium import SketchMedium

    sketch = (
        "function setup() { createCanvas(60, 60); background(255); fill(random(255)); circle(30, 30, 40); }"
    )
    alone, far = SketchMedium(workers=1), ClusterMedium("p5.brush", workers=1)
    try:
        expected = alone.render([sketch] * 2, [1, 2])
        made = far.render([sketch] * 2, [1, 2])
        assert [rendering.picture for rendering in made] == [rendering.picture for rendering in expected]
        assert all(rendering.ok for rendering in made)
    finally:
        far.close()
        alone.close()
