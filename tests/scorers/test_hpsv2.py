"""HPSv2.1's loading on a tiny model under open_clip's names: weights in their places, pictures seen whole."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from painted import paint, picture_of
from salon.contrib.clip import Clip
from salon.contrib.hpsv2 import HPSv2
from salon.errors import RecipeError
from salon.judges.measuring.golden import write_golden
from salon.judges.preference_model import Request
from tinyclip import tiny_clip

pytestmark = pytest.mark.torch
REQUESTS = [Request(text, picture_of(paint("love", 3, 32))) for text in ("a red rose", "draw an iris")]


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers")
    return tiny_clip(tmp_path_factory.mktemp("parent"))


@pytest.fixture
def state(parent: Path) -> dict[str, Any]:
    """The parent's weights under open_clip's names, which are written here by hand."""
    import torch
    from safetensors.torch import load_file

    own = load_file(parent / "model.safetensors")
    made = {"logit_scale": own["logit_scale"], "attn_mask": torch.zeros(1)}
    for theirs, ours in (("", "text"), ("visual.", "vision")):
        at = f"{ours}_model.embeddings."
        made[f"{theirs}positional_embedding"] = own[f"{at}position_embedding.weight"]
        for number in range(2):
            there, here = f"{theirs}transformer.resblocks.{number}.", f"{ours}_model.encoder.layers.{number}."
            for kind in ("weight", "bias"):
                heads = [own[f"{here}self_attn.{name}_proj.{kind}"] for name in "qkv"]
                made[f"{there}attn.in_proj_{kind}"] = torch.cat(heads)
                made[f"{there}attn.out_proj.{kind}"] = own[f"{here}self_attn.out_proj.{kind}"]
                made[f"{there}mlp.c_fc.{kind}"] = own[f"{here}mlp.fc1.{kind}"]
                made[f"{there}mlp.c_proj.{kind}"] = own[f"{here}mlp.fc2.{kind}"]
                made[f"{there}ln_1.{kind}"] = own[f"{here}layer_norm1.{kind}"]
                made[f"{there}ln_2.{kind}"] = own[f"{here}layer_norm2.{kind}"]
    for kind in ("weight", "bias"):
        made[f"ln_final.{kind}"] = own[f"text_model.final_layer_norm.{kind}"]
        made[f"visual.ln_pre.{kind}"] = own[f"vision_model.pre_layrnorm.{kind}"]
        made[f"visual.ln_post.{kind}"] = own[f"vision_model.post_layernorm.{kind}"]
    made["token_embedding.weight"] = own["text_model.embeddings.token_embedding.weight"]
    made["text_projection"] = own["text_projection.weight"].T
    made["visual.proj"] = own["visual_projection.weight"].T
    made["visual.conv1.weight"] = own["vision_model.embeddings.patch_embedding.weight"]
    made["visual.class_embedding"] = own["vision_model.embeddings.class_embedding"]
    return {name: tensor.clone() for name, tensor in made.items()}


def saved(folder: Path, state: Any) -> str:
    import torch

    torch.save(state, folder / "hps.pt")
    return str(folder / "hps.pt")


def test_it_is_the_parents_cosine_with_the_checkpoints_weights(
    parent: Path, state: dict[str, Any], tmp_path: Path
) -> None:
    file = saved(tmp_path, {"state_dict": state})
    found = HPSv2(file, str(parent), device="cpu").rate(REQUESTS)
    cosines = Clip(str(parent), value="cosine").rate(REQUESTS)
    assert [score.value for score in found] == pytest.approx([s.value for s in cosines], abs=1e-5)
    state["visual.proj"] = state["visual.proj"].flip(0)
    other = HPSv2(saved(tmp_path, state), str(parent), device="cpu").rate(REQUESTS)
    assert other[0].value != pytest.approx(found[0].value, abs=1e-3)


def test_a_wide_picture_is_seen_whole(parent: Path, state: dict[str, Any], tmp_path: Path) -> None:
    scorer = HPSv2(saved(tmp_path, state), str(parent), device="cpu")
    wide = Image.new("RGB", (96, 32), "white")
    marked = wide.copy()
    marked.paste("red", (0, 0, 20, 32))
    plain, seen = scorer.rate([Request("a red rose", picture_of(each)) for each in (wide, marked)])
    assert plain.value != pytest.approx(seen.value, abs=1e-4)
    cropped = Clip(str(parent), value="cosine")
    plain, seen = cropped.rate([Request("a red rose", picture_of(each)) for each in (wide, marked)])
    assert plain.value == pytest.approx(seen.value, abs=1e-6)


def test_golden_scores_are_checked_when_it_is_built(
    parent: Path, state: dict[str, Any], tmp_path: Path
) -> None:
    """As its pictures are prepared for scoring, and not as the parent's are."""
    given = {"checkpoint": saved(tmp_path, state), "parent": str(parent), "device": "cpu"}
    golden = tmp_path / "golden.jsonl"
    write_golden(golden, HPSv2(**given))
    assert HPSv2(**given, golden=str(golden)).identity == HPSv2(**given).identity
    state["visual.proj"] = -state["visual.proj"]
    saved(tmp_path, state)
    with pytest.raises(RecipeError, match=r"golden: hpsv2\.1 .* does not give the scores of"):
        HPSv2(**given, golden=str(golden))


def test_what_is_no_such_checkpoint_is_refused(parent: Path, state: dict[str, Any], tmp_path: Path) -> None:
    import os

    def load(given: Any) -> None:
        HPSv2(saved(tmp_path, given), str(parent), device="cpu")

    with pytest.raises(RecipeError, match="does not fit"):
        load({name: tensor for name, tensor in state.items() if name != "visual.proj"})
    with pytest.raises(RecipeError, match="no weight of an open_clip model"):
        load({"head.weight": state["visual.proj"]})
    with pytest.raises(RecipeError, match="cannot be read"):
        load({"state_dict": state, "on_load": os.system})
    with pytest.raises(RecipeError, match="holds no weights"):
        load([1, 2])
