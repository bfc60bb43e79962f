"""Train a learned judge on a pool's ratings: features, a Bradley–Terry head, and what it is worth, in a
minute on a CPU.

The judge learns from one split and is measured on the other, which it never sees; beside it stands the same
head on plain colour statistics, since a judge that does not beat those has learned nothing else.
"""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from pydantic import BaseModel, ConfigDict, Field
from rich.console import Console
from rich.progress import track
from rich.table import Table

from salon import validation
from salon.files.shipped_recipes import find_recipe
from salon.judges.learned.bradley_terry import L2_GRID, BradleyTerryFit, PairReport, fit_head, report_pairs
from salon.judges.learned.features import Features, augment
from salon.judges.learned.taste import FeatureSettings, save_judge
from salon.pool import Pool, PoolItem
from salon.pool.build import to_webp
from salon.raster import decode

FloatArray = NDArray[np.float32]

_PAPERS = ("#ffffff", "#f4f4f4", "#fbf7ee", "#e8d5dc", "#bfe3f5", "#d9d9d9", "#f6e3a3", "#fffefa")


ENOUGH = 40
"""Held-out pictures below which a judge's accuracy is hardly known."""


class Augment(BaseModel):
    """`variants` changed copies of every picture are learned from too; strength 1 is ±20 % and some noise."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    variants: int = Field(default=3, ge=0, le=20)
    strength: float = Field(default=1.0, ge=0, le=3)


class JudgeRecipe(BaseModel):
    """A judge's training as a file. `split` is learned from, the other split is measured on.

    `blanks` sheets of empty paper are learned from as nope, whatever the pool holds: nothing painted is worth
    less than they are.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    pool: str = "flowers"
    split: Literal["train", "held_out"] = "train"
    features: FeatureSettings = FeatureSettings()
    augment: Augment = Augment()
    blanks: int = Field(default=4, ge=0, le=8)
    components: int = Field(default=128, ge=2)
    folds: int = Field(default=5, ge=2)
    l2: tuple[float, ...] = L2_GRID
    seed: validation.Seed = 0
    out: str


@dataclass(frozen=True, slots=True)
class JudgeMetrics:
    """What a judge is worth. `held_out` and `baseline` are measured on the split that was not learned from.

    `reencoding` is the median change of the score when a PNG is stored as WebP, as a share of the scores'
    spread; None without a picture to try it on. `remarks` say what is too small, and what helps.
    """

    identity: str
    held_out: PairReport
    out_of_fold: PairReport
    baseline: PairReport
    l2: float
    temperature: float
    training_pictures: int
    training_pairs: int
    reencoding: float | None
    seconds: float
    remarks: tuple[str, ...] = ()


def load_judge_recipe(path: str | Path, overrides: Sequence[str] = ()) -> JudgeRecipe:
    """Read a judge recipe, with `section.key=value` overrides. Raises RecipeError for any mistake."""
    path = find_recipe(path)
    data = validation.read_yaml(path)
    validation.refuse_other_kind(data, path, "a judge's recipe")
    for override in overrides:
        validation.set_key(data, override)
    return validation.validated(JudgeRecipe, data, str(path))


def train_judge(recipe: JudgeRecipe, console: Console | None = None) -> JudgeMetrics:
    """Train, measure and write a judge; its folder also gets metrics.json.

    Raises:
        RecipeError: the pool cannot be used, or has too few pictures in a split.
    """
    started = time.monotonic()
    pool = Pool.load(recipe.pool)
    learned = pool.select(split=recipe.split)
    measured = pool.select(split="held_out" if recipe.split == "train" else "train")
    features = recipe.features.build()
    fit, pairs = _fit(features, learned, recipe, recipe.augment, console)
    judge = save_judge(
        recipe.out,
        name=recipe.name,
        features=recipe.features,
        head=fit.head,
        trained_on=pool.identity,
        split=recipe.split,
        training=recipe.model_dump(mode="json", exclude={"out", "name", "features", "split"})
        | {"l2": fit.l2},
    )
    colour = Features(kind="colour")
    plain, _ = _fit(colour, learned, recipe, Augment(variants=0), None)
    scores: Sequence[float] = judge.score([item.reference.picture for item in measured])
    metrics = JudgeMetrics(
        identity=judge.identity,
        held_out=_report(np.array(scores), measured, recipe.seed),
        out_of_fold=fit.out_of_fold,
        baseline=_report(_plain_scores(plain, colour, measured), measured, recipe.seed),
        l2=fit.l2,
        temperature=fit.temperature,
        training_pictures=len(learned),
        training_pairs=pairs,
        reencoding=_reencoding(judge.score_image, measured, scores) if measured else None,
        seconds=round(time.monotonic() - started, 1),
        remarks=tuple(_remarks(pool, recipe, measured)),
    )
    text = json.dumps(asdict(metrics), indent=2, ensure_ascii=False)
    (Path(recipe.out) / "metrics.json").write_text(text + "\n")
    return metrics


def _plain_scores(fit: BradleyTerryFit, colour: Features, items: Sequence[PoolItem]) -> NDArray[np.float64]:
    images = [decode(item.reference.picture.png) for item in items]
    return fit.head.score(_embed(colour, images)) if images else np.zeros(0)


def _remarks(pool: Pool, recipe: JudgeRecipe, measured: Sequence[PoolItem]) -> list[str]:
    """What is too small to say what the judge is worth."""
    other = "held_out" if recipe.split == "train" else "train"
    tiers = {item.reference.tier for item in measured}
    if not measured:
        told = (
            f"no picture of pool {pool.name} is in the split {other!r}, so nothing was measured on pictures"
        )
        return [f'{told} that the judge has never seen. Write "split": "{other}" to a fifth of the lines.']
    if len(tiers) < 2:
        told = f"the {len(measured)} pictures of the split {other!r} are all rated {tiers.pop()}, so none is"
        return [f"{told} better than another, and nothing was measured. Put two tiers into it."]
    if len(measured) < ENOUGH:
        told = f"{len(measured)} pictures in the split {other!r} are few: the interval is that of"
        pairs = len(measured) // 2
        independent = f"{pairs} independent pair{'' if pairs == 1 else 's'}"
        return [f"{told} {independent} at most. Hold {ENOUGH} or more out."]
    return []


def show_metrics(metrics: JudgeMetrics, console: Console) -> None:
    """Print what a judge is worth as a table."""
    reports = {
        "never seen": metrics.held_out,
        "cross-validated": metrics.out_of_fold,
        "colour baseline": metrics.baseline,
    }
    table = Table("", *reports, title=f"judge {metrics.identity}", title_justify="left")
    table.add_row("pair accuracy", *(_number(r.accuracy) for r in reports.values()), style="bold")
    table.add_row("95 % interval", *(_between(r) for r in reports.values()))
    for kind in metrics.held_out.by_kind:
        table.add_row(kind, *(_number(r.by_kind.get(kind)) for r in reports.values()))
    table.add_row("log loss (coin: 0.693)", *(_number(r.log_loss) for r in reports.values()))
    table.add_row("calibration error", *(_number(r.ece) for r in reports.values()))
    table.add_row("pictures", *(str(r.pictures) for r in reports.values()))
    console.print(table)
    console.print(
        f"From {metrics.training_pictures} pictures ({metrics.training_pairs} pairs), L2 {metrics.l2:g}."
        f"{_reencoded(metrics.reencoding)} {metrics.seconds:.0f} s."
    )
    for remark in metrics.remarks:
        console.print(f"note: {remark}", markup=False, highlight=False, soft_wrap=True)


def _between(report: PairReport) -> str:
    return "–" if report.low is None or report.high is None else f"{report.low:.3f} – {report.high:.3f}"


def _reencoded(share: float | None) -> str:
    return "" if share is None else f" Re-encoding moves a score by {share:.1%} of their spread."


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _fit(
    features: Features,
    items: Sequence[PoolItem],
    recipe: JudgeRecipe,
    changes: Augment,
    console: Console | None,
) -> tuple[BradleyTerryFit, int]:
    papers = [Image.new("RGB", (400, 400), colour) for colour in _PAPERS[: recipe.blanks]]
    images = [decode(item.reference.picture.png) for item in items] + papers
    rows_ND = _embed(features, images, changes, recipe.seed, console)
    copies = 1 + changes.variants
    tiers = [item.reference.tier for item in items] + ["nope"] * len(papers)
    families = [str(item.facts.get("family") or item.reference.id) for item in items]
    families += [f"blank paper {index}" for index in range(len(papers))]
    fit = fit_head(
        rows_ND,
        [tier for tier in tiers for _ in range(copies)],
        [family for family in families for _ in range(copies)],
        blocks=features.blocks(),
        counted=[row % copies == 0 and row < copies * len(items) for row in range(len(rows_ND))],
        folds=recipe.folds,
        components=recipe.components,
        l2_grid=recipe.l2,
        seed=recipe.seed,
    )
    love, okay, nope = (tiers.count(tier) for tier in ("love", "okay", "nope"))
    return fit, love * okay + love * nope + okay * nope


def _embed(
    features: Features,
    images: Sequence[Image.Image],
    changes: Augment | None = None,
    seed: int = 0,
    console: Console | None = None,
) -> FloatArray:
    """(N · copies, D): every picture, each followed by its changed copies."""
    rows: list[FloatArray] = []
    for index, image in enumerate(_progress(images, console)):
        rows.append(features.of(image))
        rng = np.random.default_rng((seed, index))
        for _ in range(changes.variants if changes else 0):
            rows.append(features.of(augment(image, rng, changes.strength if changes else 1.0)))
    return np.stack(rows) if rows else np.zeros((0, 1), np.float32)


def _progress(images: Sequence[Image.Image], console: Console | None) -> Iterator[Image.Image]:
    if console is None:
        yield from images
    else:
        yield from track(images, description="features", console=console, transient=True)


def _report(scores: NDArray[np.float64], items: Sequence[PoolItem], seed: int) -> PairReport:
    return report_pairs(scores, [item.reference.tier for item in items], seed=seed)


def _reencoding(score: Any, items: Sequence[PoolItem], scores: Sequence[float]) -> float:
    """Rollouts are PNG and a pool is WebP: how much does that alone move a score, in spreads?"""
    chosen = items[:24]
    again = [score(decode(to_webp(item.reference.picture.png, max_bytes=30_000))) for item in chosen]
    spread = float(np.std(scores)) or 1.0
    return float(np.median(np.abs(np.array(again) - np.array(scores[: len(chosen)]))) / spread)
