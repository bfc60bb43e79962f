"""Golden scores of models that run in the process of a reward: checked once, when a scorer is built."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from salon.contrib.clip import Clip, PickScore
from salon.contrib.hpsv3 import HPSv3
from salon.contrib.image_reward import ImageReward
from salon.errors import RecipeError
from salon.judges.measuring.golden import write_golden
from salon.rewards.engine import RewardEngine
from salon.rewards.recipe import load_reward
from tinyclip import tiny_clip

pytestmark = pytest.mark.torch
Build = Callable[..., Any]


def stand_in_of_image_reward(shift: float) -> ModuleType:
    def score(prompt: str, image: Image.Image) -> float:
        return float(np.asarray(image).mean()) / 100 + shift

    package = ModuleType("ImageReward")
    blip = SimpleNamespace(tokenizer=lambda text: {"input_ids": text.split()})
    package.load = lambda name, *, device: SimpleNamespace(score=score, blip=blip)  # type: ignore[attr-defined]
    return package


def stand_in_of_hpsv3(per_batch: float) -> ModuleType:
    """A package whose scores depend on how many pictures are asked about at once."""

    class HPSv3RewardInferencer:
        def __init__(self, *, device: str) -> None:
            pass

        def reward(self, *, prompts: list[str], image_paths: list[str]) -> list[list[float]]:
            lights = [float(np.asarray(Image.open(path)).mean()) for path in image_paths]
            return [[light / 100 + per_batch * len(prompts), 0.2] for light in lights]

    package = ModuleType("hpsv3")
    package.HPSv3RewardInferencer = HPSv3RewardInferencer  # type: ignore[attr-defined]
    return package


@pytest.fixture(params=["clip", "pickscore", "image_reward", "hpsv3"])
def models(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Build, Build]:
    """How to build a model, and another one that passes for it: other weights, or another preparation."""
    pytest.importorskip("transformers")
    if request.param in ("clip", "pickscore"):
        folders = [str(tiny_clip(tmp_path / str(seed), seed)) for seed in (0, 1)]

        def clip(which: int) -> Build:
            if request.param == "clip":
                return lambda **more: Clip(folders[which], **more)
            return lambda **more: PickScore(folders[which], processor=folders[0], device="cpu", **more)

        return clip(0), clip(1)

    def package(wrong: bool) -> Build:
        def build(**more: Any) -> Any:
            if request.param == "image_reward":
                monkeypatch.setitem(sys.modules, "ImageReward", stand_in_of_image_reward(0.1 * wrong))
                return ImageReward(device="cpu", **more)
            monkeypatch.setitem(sys.modules, "hpsv3", stand_in_of_hpsv3(0.01 * wrong))
            return HPSv3(device="cpu", **more)

        return build

    return package(False), package(True)


def test_a_model_that_gives_other_scores_is_not_built(models: tuple[Build, Build], tmp_path: Path) -> None:
    build, other = models
    golden = tmp_path / "golden.jsonl"
    write_golden(golden, build())
    found = build(golden=str(golden))
    assert found.identity == build().identity
    assert other() is not None
    with pytest.raises(
        RecipeError, match=r"golden: .* does not give the scores of .*golden\.jsonl"
    ) as caught:
        other(golden=str(golden))
    assert re.search(r"golden picture 0(: | scores )", str(caught.value))
    with pytest.raises(RecipeError, match=r"nowhere\.jsonl"):
        build(golden=str(tmp_path / "nowhere.jsonl"))


def test_a_score_that_depends_on_its_neighbours_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "hpsv3", stand_in_of_hpsv3(0.0))
    write_golden(tmp_path / "golden.jsonl", HPSv3(device="cpu"))
    monkeypatch.setitem(sys.modules, "hpsv3", stand_in_of_hpsv3(0.01))
    with pytest.raises(RecipeError, match=r"golden picture 0: [\d.]+ in a batch, [\d.]+ alone"):
        HPSv3(device="cpu", golden=str(tmp_path / "golden.jsonl"))


def test_a_recipe_names_its_golden_scores(tmp_path: Path) -> None:
    """A run refuses the model before its first step, with the term's name."""
    pytest.importorskip("transformers")
    golden = tmp_path / "golden.jsonl"
    args = {"name_or_path": str(tiny_clip(tmp_path / "clip")), "golden": str(golden)}
    write_golden(golden, Clip(args["name_or_path"]))
    recipe = load_reward({"terms": {"fits": {"scorer": "clip", "weight": 1.0, "args": args}}})
    assert RewardEngine(recipe).identities()["model fits"].startswith("clip ")
    rows = [json.loads(line) for line in golden.read_text().splitlines()]
    golden.write_text("\n".join(json.dumps(row | {"score": row["score"] + 1}) for row in rows))
    with pytest.raises(RecipeError, match=r"reward\.terms\.fits: golden: clip .* does not give the scores"):
        RewardEngine(recipe)
