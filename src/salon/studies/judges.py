"""Several judges of one taste: heads fitted to ratings that are drawn anew, with replacement.

They stand in for several 0–10 questions to one model. Each sees other ratings of the same pool, so that they
differ as much as the ratings leave open, and no more.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from salon.judges.learned.bradley_terry import fit_head
from salon.judges.learned.features import Layer
from salon.judges.learned.taste import FeatureSettings, save_judge
from salon.pool import Pool
from salon.raster import decode

from .plan import OldVsNew

if TYPE_CHECKING:
    from rich.console import Console

LAYERS: tuple[Layer, ...] = ("stage2", "stage3", "stage4", "stage5", "stage6", "head")


def fit_judges(plan: OldVsNew, console: "Console") -> None:
    """Fit those of the plan's judges that are not there yet. Seconds on a CPU, once features are computed."""
    missing = [name for name in plan.judge_names() if not (plan.judge_folder(name) / "judge.json").is_file()]
    if not missing:
        return
    pool = Pool.load(plan.judges.pool)
    items = pool.select(split=plan.judges.split)
    console.print(f"fitting {len(missing)} judges to {len(items)} ratings each, drawn anew from {pool.name}")
    settings = FeatureSettings(layers=LAYERS)
    features = settings.build()
    rows_ND = np.stack([features.of(decode(item.reference.picture.png)) for item in items])
    tiers = [item.reference.tier for item in items]
    families = [str(item.facts.get("family") or item.reference.id) for item in items]
    for index, name in enumerate(plan.judge_names()):
        if name not in missing:
            continue
        drawn = redraw(families, (plan.judges.seed, index))
        fit = fit_head(
            rows_ND[drawn],
            [tiers[at] for at in drawn],
            [families[at] for at in drawn],
            blocks=features.blocks(),
            seed=plan.judges.seed,
        )
        training = {"resampled": index, "seed": plan.judges.seed, "l2": fit.l2}
        folder = Path(plan.judge_folder(name))
        save_judge(folder, name, settings, fit.head, pool.identity, plan.judges.split, training)


def redraw(families: Sequence[str], seed: tuple[int, ...]) -> list[int]:
    """Rows of as many families as there are, drawn with replacement: a family is drawn whole."""
    members: dict[str, list[int]] = {}
    for row, family in enumerate(families):
        members.setdefault(family, []).append(row)
    names = list(members)
    picks = np.random.default_rng(seed).integers(0, len(names), len(names))
    return [row for pick in picks for row in members[names[pick]]]
