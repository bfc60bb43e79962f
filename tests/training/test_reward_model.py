import json
import shutil
from pathlib import Path

import pytest
from PIL import Image
from rich.console import Console

from painted import paint
from salon.errors import RecipeError
from salon.judges.learned.taste import TasteJudge
from salon.training.reward_model import JudgeMetrics, load_judge_recipe, show_metrics, train_judge

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = [ROOT / "recipes" / "taste.yaml", ROOT / "recipes" / "taste-heldout.yaml"]


def train(pool: Path, out: Path, *overrides: str, recipe: Path = SHIPPED[1]) -> JudgeMetrics:
    quick = ["augment.variants=1", "folds=4", *overrides]
    return train_judge(load_judge_recipe(recipe, [f"pool={pool}", f"out={out}", *quick]))


def test_a_judge_is_trained_measured_and_loads(painted_pool_folder: Path, tmp_path: Path) -> None:
    metrics = train(painted_pool_folder, tmp_path / "judge", "split=train")
    assert metrics.held_out.accuracy is not None
    assert metrics.held_out.accuracy > 0.9
    assert metrics.held_out.accuracy > (metrics.baseline.accuracy or 0)
    assert (metrics.training_pictures, metrics.held_out.pictures) == (48, 12)
    assert metrics.training_pairs == 16 * 16 + 2 * 16 * (16 + 4)
    assert metrics.reencoding is not None
    assert metrics.reencoding < 0.2
    assert "12 pictures in the split 'held_out' are few" in metrics.remarks[0]
    judge = TasteJudge.load(tmp_path / "judge")
    assert judge.identity == metrics.identity
    assert judge.card.split == "train"
    assert judge.card.trained_on.startswith("pool@")


def test_the_split_not_learned_from_is_the_one_measured(painted_pool_folder: Path, tmp_path: Path) -> None:
    metrics = train(painted_pool_folder, tmp_path / "judge", "folds=2")
    assert (metrics.training_pictures, metrics.held_out.pictures) == (12, 48)
    assert (metrics.held_out.accuracy or 0) > 0.8
    assert metrics.remarks == ()


def test_the_same_recipe_gives_the_same_judge_and_another_seed_another(
    painted_pool_folder: Path, tmp_path: Path
) -> None:
    one, two = (train(painted_pool_folder, tmp_path / name, "split=train") for name in "ab")
    assert one.identity == two.identity
    assert train(painted_pool_folder, tmp_path / "c", "split=train", "seed=9").identity != one.identity


def test_metrics_are_kept_beside_the_judge_and_shown(painted_pool_folder: Path, tmp_path: Path) -> None:
    metrics = train(painted_pool_folder, tmp_path / "judge", "split=train")
    kept = json.loads((tmp_path / "judge" / "metrics.json").read_text())
    assert kept["held_out"]["accuracy"] == metrics.held_out.accuracy
    assert json.dumps(kept, allow_nan=False)
    console = Console(width=100, record=True, file=(tmp_path / "log").open("w"))
    show_metrics(metrics, console)
    shown = console.export_text()
    console.file.close()
    assert f"{metrics.held_out.accuracy:.3f}" in shown
    assert "love>okay" in shown


def test_the_network_judge_is_trained_the_same_way(painted_pool_folder: Path, tmp_path: Path) -> None:
    quick = ("augment.variants=0", "features.layers=[head]")
    metrics = train(painted_pool_folder, tmp_path / "judge", *quick, recipe=SHIPPED[0])
    assert metrics.held_out.accuracy > 0.9
    assert "efficientnet-lite0" in metrics.identity


@pytest.mark.parametrize("recipe", SHIPPED, ids=lambda path: path.stem)
def test_shipped_recipes_are_valid_and_take_overrides(recipe: Path) -> None:
    plan = load_judge_recipe(recipe, ["augment.strength=0.25", "l2=[0.1, 1]"])
    assert plan.augment.strength == 0.25
    assert plan.l2 == (0.1, 1.0)


@pytest.mark.parametrize(
    ("override", "complaint"),
    [
        ("augmnt.variants=1", "Did you mean 'augment'"),
        ("features.kind=handmad", "features.kind"),
        ("features.layers=[stage9]", "features.layers"),
        ("split=test", "split"),
        ("folds=1", "folds"),
        ("folds", "write it as key=value"),
        ("seed.deep=1", "holds a value, not a section"),
        ("pool=/nowhere", "no such folder"),
    ],
)
def test_mistakes_name_the_key(override: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=complaint):
        train_judge(load_judge_recipe(SHIPPED[0], [f"out={tmp_path / 'j'}", override]))


def test_too_small_a_pool_is_said(painted_pool_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="at least 200 of them"):
        train(painted_pool_folder, tmp_path / "judge", "folds=100")
    assert not (tmp_path / "judge").exists()


def test_blank_paper_scores_below_every_honest_painting(painted_pool_folder: Path, tmp_path: Path) -> None:
    metrics = train(painted_pool_folder, tmp_path / "judge", "split=train")
    judge = TasteJudge.load(tmp_path / "judge")
    paintings = [judge.score_image(paint(tier, seed)) for tier in ("love", "okay") for seed in range(90, 95)]
    blanks = [judge.score_image(Image.new("RGB", (400, 400), paper)) for paper in ("#ffffff", "#fdf9f0")]
    assert max(blanks) < min(paintings)
    assert metrics.out_of_fold.pictures == 48


def shown(metrics: JudgeMetrics, folder: Path) -> str:
    with (folder / "log").open("w") as log:
        console = Console(width=100, record=True, file=log)
        show_metrics(metrics, console)
    return console.export_text()


def test_a_pool_without_a_split_says_that_nothing_was_measured(
    painted_pool_folder: Path, tmp_path: Path
) -> None:
    pool = tmp_path / "pool"
    shutil.copytree(painted_pool_folder, pool)
    rows = [json.loads(line) for line in (pool / "metadata.jsonl").read_text().splitlines()]
    for row in rows:
        del row["split"]
    (pool / "metadata.jsonl").write_text("\n".join(map(json.dumps, rows)))
    metrics = train(pool, tmp_path / "judge", "split=train")
    assert (metrics.held_out.accuracy, metrics.held_out.pictures, metrics.reencoding) == (None, 0, None)
    assert metrics.out_of_fold.accuracy is not None
    kept = json.loads((tmp_path / "judge" / "metrics.json").read_text())
    assert json.dumps(kept, allow_nan=False)
    text = shown(metrics, tmp_path)
    assert "nan" not in text
    assert "0.000" not in text.splitlines()[4]
    assert "is in the split 'held_out', so nothing was measured" in text
    assert '"split": "held_out"' in text


def test_a_few_held_out_pictures_of_one_tier_and_of_two(painted_pool_folder: Path, tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    shutil.copytree(painted_pool_folder, pool)
    rows = [json.loads(line) for line in (pool / "metadata.jsonl").read_text().splitlines()]
    tiers = {"love": 0, "nope": 0, "okay": 9}
    for row in rows:
        tiers[row["tier"]] += 1
        row["split"] = "held_out" if tiers[row["tier"]] <= 4 else "train"
    (pool / "metadata.jsonl").write_text("\n".join(map(json.dumps, rows)))
    metrics = train(pool, tmp_path / "judge", "split=train")
    held = metrics.held_out
    assert held.pictures == 8
    assert held.low is not None
    assert held.high is not None
    assert held.high - held.low > 0.3
    assert "8 pictures in the split 'held_out' are few" in shown(metrics, tmp_path)
    for row in rows:
        row["split"] = "held_out" if row["tier"] == "okay" else "train"
    (pool / "metadata.jsonl").write_text("\n".join(map(json.dumps, rows)))
    alike = train(pool, tmp_path / "alike", "split=train")
    assert alike.held_out.accuracy is None
    assert "are all rated okay, so none is better than another" in alike.remarks[0]


def test_a_pool_of_four_is_told_that_it_has_four(painted_pool_folder: Path, tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    shutil.copytree(painted_pool_folder, pool)
    rows = [json.loads(line) for line in (pool / "metadata.jsonl").read_text().splitlines()]
    few = [row for row in rows if row["tier"] == "love"][:2] + [row for row in rows if row["tier"] == "nope"][
        :2
    ]
    (pool / "metadata.jsonl").write_text("\n".join(json.dumps(row | {"split": "train"}) for row in few))
    with pytest.raises(RecipeError, match="here are 4: 2 love, 0 okay, 2 nope"):
        train(pool, tmp_path / "judge", "split=train")
