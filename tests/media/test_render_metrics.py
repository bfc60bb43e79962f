"""Counts of renders: of one medium, of several processes, and between two moments."""

from pathlib import Path

from salon.media.fake import FakeMedium
from salon.media.metrics import Counters, RenderMetrics, metrics_of
from salon.media.render_cache import CachedMedium
from salon.types import Failure, Rendering


def test_a_tally_adds_up_what_it_is_told() -> None:
    counters = Counters()
    for length in (1, 4, 2):
        counters.queued(length)
    for seconds in (0.5, 1.5):
        counters.waited(seconds)
    late = Failure("timeout", "not drawn", "sample", "render")
    counters.rendered([Rendering(None, None, 2.0), Rendering(None, late, 3.0), Rendering(None, late, 1.0)])
    counters.count("deaths")
    counters.count("retries", 2)
    found = counters.snapshot(4, 3, 2, 1)
    assert found == RenderMetrics(
        workers=4,
        alive=3,
        busy=2,
        queue=1,
        queue_most=4,
        renders=3,
        failures={"timeout": 2},
        wait_s=2.0,
        wait_most_s=1.5,
        render_s=6.0,
        render_most_s=3.0,
        deaths=1,
        retries=2,
    )
    assert found.numbers()["render/failures/timeout"] == 2.0


def test_what_was_added_and_what_two_did() -> None:
    early = RenderMetrics(workers=2, renders=3, failures={"threw": 1, "timeout": 1}, render_most_s=5.0)
    late = RenderMetrics(
        workers=2, queue=1, renders=9, failures={"threw": 4, "timeout": 1}, render_most_s=6.0
    )
    added = late.since(early)
    assert (added.renders, added.failures, added.render_most_s, added.queue) == (6, {"threw": 3}, 6.0, 1)
    both = early + late
    assert (both.workers, both.renders, both.failures) == (4, 12, {"threw": 5, "timeout": 2})
    assert both.render_most_s == 6.0


def test_the_cache_counts_what_was_not_rendered(tmp_path: Path) -> None:
    cached = CachedMedium(FakeMedium(), {}, tmp_path)
    cached.render(["tomato", "gold", "tomato"], [1, 1, 1])
    cached.render(["gold"], [1])
    found = metrics_of(cached)
    assert (found.cache_hits, found.cache_misses) == (2, 2)
    assert metrics_of(FakeMedium()) == RenderMetrics()
