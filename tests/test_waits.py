"""How long anything waits, as people write it: what no clock can wait for is refused by key at once."""

from typing import Any

import pytest

from salon.errors import RecipeError
from salon.llm.settings import server_settings
from salon.media.cluster import ClusterMedium
from salon.media.p5.medium import SketchMedium
from salon.media.svg.medium import SvgMedium
from salon.rewards.recipe import load_reward

ENDLESS = [1e300, 9.3e9, float("inf"), float("nan"), 2**70]


def term(**more: Any) -> Any:
    return load_reward({"terms": {"a": {"scorer": "rendered", "weight": 1.0, **more}}})


def server(**more: Any) -> Any:
    return server_settings({"model": "m", **more})


@pytest.mark.parametrize("seconds", ENDLESS)
@pytest.mark.parametrize(
    ("make", "key"),
    [
        (term, "deadline_s"),
        *((server, key) for key in ("deadline_s", "timeout_s", "backoff_s", "cooldown_s")),
        (SvgMedium, "deadline_s"),
        (SketchMedium, "deadline_s"),
        (ClusterMedium, "patience_s"),
    ],
)
def test_an_endless_wait_is_refused_by_key(make: Any, key: str, seconds: float) -> None:
    with pytest.raises(RecipeError, match=key):
        make(**{key: seconds})


def test_a_long_wait_is_one() -> None:
    assert term(deadline_s=1e8).terms["a"].deadline_s == 1e8
    assert server(deadline_s=1e8, requests_per_minute=0.01).deadline_s == 1e8


@pytest.mark.parametrize("rate", [1e-300, 1e-9, 0, float("nan")])
def test_a_rate_that_never_comes_round_is_refused(rate: float) -> None:
    with pytest.raises(RecipeError, match="requests_per_minute"):
        server(requests_per_minute=rate)
