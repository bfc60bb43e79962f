"""The judges that ship, on the pool that ships."""

import numpy as np
import pytest

from salon.judges.learned.bradley_terry import report_pairs
from salon.judges.learned.taste import TasteJudge
from salon.pool import Pool


@pytest.mark.parametrize(
    ("name", "unseen", "least", "kind"),
    [("taste", "held_out", 0.88, "efficientnet-lite0"), ("heldout", "train", 0.86, "handmade")],
)
def test_a_shipped_judge_orders_the_ratings_it_never_saw(
    name: str, unseen: str, least: float, kind: str
) -> None:
    pool, judge = Pool.load("flowers"), TasteJudge.load(name)
    items = [item for item in pool.items if item.split == unseen]
    scores = judge.score([item.reference.picture for item in items])
    report = report_pairs(np.array(scores), [item.reference.tier for item in items])
    assert report.accuracy > least
    assert report.by_kind["love>nope"] > 0.95
    assert judge.card.trained_on == pool.identity, "the pool changed: train both judges anew"
    assert judge.card.split != unseen
    assert judge.card.features.kind == kind
