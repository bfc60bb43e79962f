"""The warm start: its loss falls, and a run that was killed and resumed equals one that was not."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from rich.console import Console

from salon.errors import RecipeError
from salon.policies.code_lm import load_policy
from salon.training.sft import (
    IGNORED,
    DataSection,
    TrainSection,
    batch_of,
    collate,
    encode,
    learning_rate,
    load_sft_recipe,
    read_pairs,
    sft,
)

pytestmark = pytest.mark.torch

QUIET = Console(quiet=True)


def write_recipe(folder: Path) -> Path:
    recipe = {
        "policy": {"scratch": {"hidden": 32, "layers": 2, "heads": 2, "intermediate": 64, "vocabulary": 600}},
        "data": {"corpus": "flowers", "size": 60},
        "train": {
            "steps": 12,
            "batch": 4,
            "warmup": 2,
            "save_every": 4,
            "log_every": 4,
            "threads": 1,
        },
        "out": str(folder / "run"),
    }
    path = folder / "recipe.yaml"
    path.write_text(yaml.safe_dump(recipe))
    return path


def test_the_loss_falls_and_the_policy_loads(tmp_path: Path) -> None:
    first = sft(write_recipe(tmp_path), ["train.steps=1", f"out={tmp_path / 'short'}"], QUIET)
    last = sft(write_recipe(tmp_path), ["train.steps=40", "train.learning_rate=0.01"], QUIET)
    assert last.loss < first.loss - 0.5
    assert load_policy(str(last.policy)).model.config.hidden_size == 32


def test_a_resumed_run_equals_an_uninterrupted_one(tmp_path: Path) -> None:
    import torch

    recipe = write_recipe(tmp_path)
    whole = sft(recipe, [f"out={tmp_path / 'whole'}"], QUIET)
    with pytest.raises(KeyboardInterrupt):
        sft(recipe, [], _Interrupts(after=2))
    assert sorted(p.name for p in (tmp_path / "run" / "checkpoints").iterdir()) == ["step-000004"]
    resumed = sft(recipe, [], QUIET)
    a, b = (load_policy(str(result.policy)).model.state_dict() for result in (whole, resumed))
    assert all(torch.equal(a[key], b[key]) for key in a)


class _Interrupts(Console):
    """A console at which somebody presses Ctrl-C when the `after`th line of progress is shown."""

    def __init__(self, after: int) -> None:
        super().__init__(quiet=True)
        self.left = after

    def print(self, *objects: Any, **options: Any) -> None:
        self.left -= "loss" in str(objects[0])
        if self.left == 0:
            raise KeyboardInterrupt


def test_only_the_completion_carries_loss() -> None:
    tokenizer = load_policy("sketcher").tokenizer
    rows = encode(
        tokenizer, [("draw a rose", "// a rose\n"), ("draw", "// a longer answer\n// in two lines\n")], 99
    )
    ids_BT, labels_BT = collate(rows, pad=0)
    for row, (ids, prompt) in enumerate(rows):
        kept = labels_BT[row] != IGNORED
        assert kept.sum() == len(ids) - prompt
        assert labels_BT[row][kept].tolist() == ids[prompt:]
        assert ids[-1] == tokenizer.eos_token_id
        assert ids_BT[row, len(ids) :].eq(0).all()


def test_an_epoch_sees_every_pair_once_in_batches_of_like_length() -> None:
    lengths = [10 + (7 * i) % 50 for i in range(64)]
    batches = [batch_of(lengths, 8, seed=1, step=step) for step in range(8)]
    assert sorted(index for batch in batches for index in batch) == list(range(64))
    assert max(max(lengths[i] for i in b) - min(lengths[i] for i in b) for b in batches) <= 12
    assert batch_of(lengths, 8, seed=1, step=8) != batches[0]
    assert batch_of(lengths, 8, seed=1, step=3) == batches[3]


def test_the_rate_warms_up_and_falls_to_its_share() -> None:
    train = TrainSection(steps=100, warmup=10, learning_rate=1.0, final_share=0.1)
    assert learning_rate(train, 0) == pytest.approx(0.1)
    assert learning_rate(train, 10) == pytest.approx(1.0)
    assert learning_rate(train, 55) == pytest.approx(0.55)
    assert learning_rate(train, 100) == pytest.approx(0.1)


def test_pairs_come_from_a_jsonl(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(json.dumps({"prompt": "p", "completion": "c"}) + "\n")
    assert read_pairs(DataSection(jsonl=path), seed=0) == [("p", "c")]
    path.write_text('{"prompt": "p"}\n')
    with pytest.raises(RecipeError, match=r"pairs\.jsonl, line 1"):
        read_pairs(DataSection(jsonl=path), seed=0)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("train.learning_rat=1", "learning_rate"),
        ("data.corpus=trees", "flowers"),
        ("data.jsonl=a.jsonl", "either"),
        ("policy.name=sketcher", "either"),
        ("train.steps=0", "train.steps"),
    ],
)
def test_a_wrong_recipe_is_refused_with_the_remedy(tmp_path: Path, override: str, message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        load_sft_recipe(write_recipe(tmp_path), [override])


def test_the_shipped_recipe_is_valid() -> None:
    recipe = load_sft_recipe(Path(__file__).parents[2] / "recipes" / "sketcher-sft.yaml")
    assert recipe.policy.scratch is not None


def test_sharpening_multiplies_the_logits_of_what_is_saved(tmp_path: Path) -> None:
    import torch

    recipe = write_recipe(tmp_path)
    plain = sft(recipe, ["train.steps=4"], QUIET)
    logits = [logits_of(plain.policy)]
    sharp = sft(recipe, ["train.steps=4", "policy.scratch.sharpen=2.0"], QUIET)
    assert sharp.loss == plain.loss
    logits.append(logits_of(sharp.policy))
    assert torch.allclose(logits[1], 2 * logits[0], rtol=1e-2, atol=1e-3)


def logits_of(folder: Path) -> Any:
    import torch

    with torch.inference_mode():
        return load_policy(str(folder)).model(torch.arange(5, 20)[None]).logits
