"""CLIP and SigLIP scorers on tiny models of the same architectures: scale, padding, batches, cut prompts."""

from pathlib import Path
from typing import Any

import pytest

from painted import paint, picture_of
from salon.contrib.clip import Clip, PickScore
from salon.errors import RecipeError
from salon.judges.preference_model import Request
from salon.raster import decode
from salon.types import Group, Prompt, Sample
from tinyclip import LENGTH, tiny_clip, tiny_siglip

pytestmark = pytest.mark.torch
PICTURES = [picture_of(paint(tier, seed, 40)) for seed in range(2) for tier in ("love", "nope")]
REQUESTS = [
    Request(text, picture) for picture in PICTURES for text in ("draw a red rose", "a loose blue iris of a")
]


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers")
    return tiny_clip(tmp_path_factory.mktemp("clip"))


@pytest.fixture(scope="module")
def siglip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers")
    return tiny_siglip(tmp_path_factory.mktemp("siglip"))


def values(scorer: Clip, requests: Any = REQUESTS) -> list[float]:
    found = [score.value for score in scorer.rate(requests)]
    assert None not in found
    return [value for value in found if value is not None]


def by_hand(folder: Path, request: Request) -> tuple[Any, float, float]:
    """The model, the cosine, and the sum before any sigmoid, from the towers themselves."""
    import torch
    from transformers import AutoImageProcessor, AutoModel, AutoTokenizer

    model = AutoModel.from_pretrained(folder).eval()
    pixels = AutoImageProcessor.from_pretrained(folder)(
        images=decode(request.picture.png), return_tensors="pt"
    )
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokens = tokenizer(request.text, padding="max_length", max_length=LENGTH, return_tensors="pt")
    with torch.inference_mode():
        image = model.vision_model(pixel_values=pixels["pixel_values"]).pooler_output
        text = model.text_model(input_ids=tokens["input_ids"]).pooler_output
        if model.config.model_type == "clip":
            image, text = model.visual_projection(image), model.text_projection(text)
        cosine = float(torch.nn.functional.cosine_similarity(image, text)[0])
    bias = model.logit_bias.item() if model.config.model_type == "siglip" else 0.0
    return model, cosine, model.logit_scale.exp().item() * cosine + bias


@pytest.mark.parametrize("kind", ["clip", "siglip"])
def test_scale_and_bias_are_the_models_own(kind: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue(kind)
    _, cosine, logit = by_hand(folder, REQUESTS[1])
    assert values(Clip(str(folder), value="cosine"))[1] == pytest.approx(cosine, abs=1e-5)
    assert values(Clip(str(folder)))[1] == pytest.approx(logit, abs=1e-4)


def test_a_probability_is_siglips(siglip: Path, clip: Path) -> None:
    import math

    _, _, logit = by_hand(siglip, REQUESTS[1])
    found = values(Clip(str(siglip), value="probability"))[1]
    assert found == pytest.approx(1 / (1 + math.exp(-logit)), abs=1e-5)
    with pytest.raises(RecipeError, match="value: a probability"):
        Clip(str(clip), value="probability")


@pytest.mark.parametrize("kind", ["clip", "siglip"])
def test_alone_and_in_a_batch_a_picture_gets_the_same(kind: str, request: pytest.FixtureRequest) -> None:
    scorer = Clip(str(request.getfixturevalue(kind)))
    together = values(scorer)
    assert together == pytest.approx([values(scorer, [each])[0] for each in REQUESTS], abs=1e-3)
    assert len({round(value, 3) for value in together}) == len(REQUESTS)


def test_a_group_is_scored_against_its_prompt_or_the_recipes(clip: Path) -> None:
    prompt = Prompt("p", "red rose")
    group = Group(prompt, tuple(Sample(str(n), prompt, "", picture=each) for n, each in enumerate(PICTURES)))
    own = [score.value for score in Clip(str(clip), template="draw a {prompt}", batch=3).score(group)]
    fixed = [score.value for score in Clip(str(clip), prompt="draw a red rose").score(group)]
    assert own == pytest.approx(fixed, abs=1e-4)
    assert own == pytest.approx(values(Clip(str(clip)), REQUESTS[::2]), abs=1e-4)


def test_a_prompt_that_is_cut_is_warned_of(clip: Path) -> None:
    scorer = Clip(str(clip))
    long = " ".join(["a red rose"] * 5)
    with pytest.warns(UserWarning, match=r"clip reads 12 tokens of a prompt; one has 17"):
        cut, whole = scorer.rate([Request(long, PICTURES[0]), REQUESTS[0]])
    assert (cut.details, whole.details) == ({"prompt_cut": 1.0}, {})
    assert "was not read" in cut.reason


def test_weights_that_are_missing_are_refused(clip: Path, tmp_path: Path) -> None:
    import shutil

    from safetensors.torch import load_file, save_file

    shutil.copytree(clip, tmp_path / "half")
    weights = load_file(tmp_path / "half" / "model.safetensors")
    weights.pop("visual_projection.weight")
    save_file(weights, tmp_path / "half" / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(RecipeError, match=r"lacks 1 weights \(visual_projection.weight"):
        Clip(str(tmp_path / "half"))


def test_another_model_or_another_setting_is_another_identity(clip: Path, tmp_path: Path) -> None:
    other = tiny_clip(tmp_path / "other", seed=1)
    named = {Clip(str(clip)).identity, Clip(str(clip)).identity}
    assert len(named) == 1
    more = {
        Clip(str(clip), template="a {prompt}").identity,
        Clip(str(other)).identity.replace("other", "clip"),
    }
    assert len(named | more) == 3


def test_pickscore_takes_its_processor_from_elsewhere(clip: Path, siglip: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    for name in ("config.json", "model.safetensors"):
        (bare / name).write_bytes((clip / name).read_bytes())
    scorer = PickScore(str(bare), processor=str(clip), device="cpu")
    assert values(scorer) == pytest.approx(values(Clip(str(clip))), abs=1e-5)
    assert scorer.identity.startswith("pickscore ")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"template": "a rose"}, "template: "),
        ({"dtype": "float8"}, "dtype: "),
        ({"value": "odds"}, "value: "),
        ({"name_or_path": "/nowhere/at/all"}, "name_or_path: "),
        ({"processor": "/nowhere/at/all"}, "processor: "),
    ],
)
def test_a_wrong_argument_is_named(clip: Path, wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(RecipeError, match=told):
        Clip(**{"name_or_path": str(clip), **wrong})
