import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter

from painted import encoded, paint, picture_of
from salon.errors import RecipeError
from salon.judges.learned import efficientnet
from salon.judges.learned.features import Features, augment, embed, fit_square
from salon.judges.learned.torch_file import read_state_dict
from salon.raster import to_picture
from salon.types import Picture

KINDS = [Features(), Features(kind="handmade"), Features(kind="colour")]
each_kind = pytest.mark.parametrize("features", KINDS, ids=lambda f: f.kind)


def test_a_picture_alone_and_in_a_batch_has_the_same_features() -> None:
    pictures = [picture_of(paint("love", seed)) for seed in range(3)]
    together = embed(pictures)
    assert together.shape == (3, sum(Features().blocks()))
    for row, picture in zip(together, pictures, strict=True):
        assert np.abs(row - embed([picture])[0]).max() < 1e-3
    assert embed([]).shape == (0, together.shape[1])


def test_layers_are_strung_together_in_the_order_asked() -> None:
    picture = picture_of(paint("okay", 1))
    both = embed([picture], layers=("head", "stage2"))[0]
    assert np.array_equal(both[:1280], embed([picture], layers=("head",))[0])
    assert np.array_equal(both[1280:], embed([picture], layers=("stage2",))[0])
    with pytest.raises(RecipeError, match="no layer 'stage9'"):
        Features(layers=("stage9",))


@each_kind
def test_any_size_and_shape_gives_finite_features_of_one_length(features: Features) -> None:
    images = [Image.new("RGB", size, "white") for size in ((1, 1), (3, 700), (400, 400))]
    images += [Image.new("RGB", (64, 64), "black"), paint("nope", 2), paint("love", 2, side=900)]
    rows = np.stack([features.of(image) for image in images])
    assert np.isfinite(rows).all()
    assert rows.dtype == np.float32
    assert sum(features.blocks()) == rows.shape[1]


@each_kind
def test_the_encoder_hardly_shows(features: Features) -> None:
    """Rollouts are PNG and a pool is WebP: a stored picture must lie close to itself, far from its like."""
    images = [paint("love", seed, side=400) for seed in range(4)]
    plain = np.stack([features.of(image) for image in images])
    stored = np.stack([features.of(fresh(image)) for image in images])
    apart = np.abs(plain[:, None] - plain[None, :]).mean(2)[~np.eye(4, dtype=bool)].mean()
    assert np.abs(plain - stored).mean() < 0.3 * apart


def fresh(image: Image.Image) -> Image.Image:
    from salon.raster import decode

    return decode(encoded(image, "WEBP", quality=92))


def test_a_wide_picture_is_fitted_whole_on_paper() -> None:
    square = fit_square(Image.new("RGB", (400, 200), "red"), 100)
    assert square.size == (100, 100)
    assert square.getpixel((50, 50)) == (255, 0, 0)
    assert square.getpixel((50, 10)) == (255, 255, 255)


def test_the_network_knows_a_daisy() -> None:
    """ImageNet's class 985 is the daisy: only the right weights in the right graph see it in this drawing."""
    logits = efficientnet.open_session().run(["logits"], {"pictures": network_input(daisy())})[0][0]
    assert 985 in np.argsort(-logits)[:3]


def daisy() -> Image.Image:
    """White petals round a yellow heart, on a blurred meadow."""
    rng = np.random.default_rng(0)
    meadow = Image.fromarray((rng.random((28, 28, 3)) * [60, 90, 40] + [30, 70, 20]).astype(np.uint8))
    image = meadow.resize((448, 448), Image.Resampling.BICUBIC)
    for turn in range(22):
        petal = Image.new("RGBA", (448, 448), (0, 0, 0, 0))
        tone = int(rng.integers(225, 255))
        ImageDraw.Draw(petal).ellipse(
            [206, 40, 242, 215], fill=(tone, tone, tone, 255), outline=(190, 190, 200, 255)
        )
        image.paste(
            petal.rotate(turn * 360 / 22, center=(224, 224)),
            mask=petal.rotate(turn * 360 / 22, center=(224, 224)),
        )
    draw = ImageDraw.Draw(image)
    draw.ellipse([174, 174, 274, 274], fill=(235, 180, 20))
    for _ in range(400):
        x, y = rng.normal(224, 22, 2)
        draw.ellipse([x - 3, y - 3, x + 3, y + 3], fill=(int(rng.integers(200, 255)), 150, 10))
    return image.filter(ImageFilter.GaussianBlur(0.8))


def network_input(image: Image.Image) -> Any:
    pixels = np.asarray(fit_square(image, 224), np.float32)
    return ((pixels - 127) / 128).transpose(2, 0, 1)[None]


def test_an_augmented_picture_stays_on_paper_and_is_repeatable() -> None:
    image = paint("love", 3)
    changed = [augment(image, np.random.default_rng(seed)) for seed in range(12)]
    assert all(one.size == image.size and one.mode == "RGB" for one in changed)
    corners = np.array([np.asarray(one)[:8, :8].mean() for one in changed])
    assert corners.min() > 245
    assert np.array_equal(np.asarray(changed[5]), np.asarray(augment(image, np.random.default_rng(5))))
    assert len({one.tobytes() for one in changed}) == 12


def test_a_picture_that_is_none_is_a_value_error() -> None:
    good = picture_of(paint("love", 0))
    broken = Picture(png=good.png[: len(good.png) // 2], width=1, height=1, key="x")
    with pytest.raises(ValueError, match="decoded"):
        embed([good, broken])


def test_other_encodings_of_a_picture_give_nearly_its_features() -> None:
    image = paint("love", 6, side=300)
    png, jpeg = encoded(image), encoded(image, "JPEG", quality=97, subsampling=0)
    rows = embed([to_picture(png), to_picture(jpeg)], layers=("head",))
    assert np.corrcoef(rows)[0, 1] > 0.98


def test_processes_that_build_the_graph_at_once_do_not_harm_each_other(tmp_path: Path) -> None:
    script = "from salon.judges.learned.efficientnet import open_session; open_session(1)"
    environment = {"SALON_CACHE": str(tmp_path / "cache"), "PATH": "/usr/bin"}
    run = [sys.executable, "-c", script]
    with ThreadPoolExecutor(2) as threads:
        done = list(
            threads.map(lambda _: subprocess.run(run, env=environment, capture_output=True), range(2))
        )
    assert [process.returncode for process in done] == [0, 0], done[0].stderr
    assert sorted(path.suffix for path in (tmp_path / "cache").iterdir()) == [".onnx", ".sha256"]


def test_a_damaged_cache_is_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SALON_CACHE", str(tmp_path))
    efficientnet.open_session.cache_clear()
    efficientnet.open_session(1)
    graph = next(tmp_path.glob("*.onnx"))
    whole = graph.read_bytes()
    seal = graph.with_suffix(".sha256")
    for file, damaged in ((graph, whole[:1000]), (seal, b"\xff\xfe"), (seal, b"")):
        file.write_bytes(damaged)
        efficientnet.open_session.cache_clear()
        efficientnet.open_session(1)
        assert graph.read_bytes() == whole
        assert len(seal.read_text()) == 64
    efficientnet.open_session.cache_clear()


def test_judging_imports_no_torch() -> None:
    script = (
        "import sys, salon.judges.learned.taste, salon.judges.learned.efficientnet as network\n"
        "network.open_session()\nprint('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr


@pytest.mark.torch
def test_the_graph_agrees_with_the_network_written_in_torch() -> None:
    picture = network_input(paint("love", 1))
    outputs = efficientnet.open_session().run(["stage2", "stage5", "head", "logits"], {"pictures": picture})
    expected = run_in_torch(read_state_dict(efficientnet.weights_path()), picture)
    for name, found in zip(("stage2", "stage5", "head", "logits"), outputs, strict=True):
        assert np.abs(found - expected[name]).max() < 1e-3, name


def run_in_torch(weights: dict[str, Any], picture: Any) -> dict[str, Any]:
    """EfficientNet-lite0 as its authors define it: unfolded batch norm, TensorFlow's padding, ReLU6."""
    import torch
    from torch.nn import functional as f

    w = {name: torch.from_numpy(np.array(tensor)) for name, tensor in weights.items()}

    def conv(x: Any, name: str, norm: str, stride: int = 1, groups: int = 1, clip: bool = True) -> Any:
        kernel = w[f"{name}.weight"]
        size = kernel.shape[-1]
        total = max((-(-x.shape[-1] // stride) - 1) * stride + size - x.shape[-1], 0)
        before, after = total // 2, total - total // 2
        x = f.conv2d(f.pad(x, [before, after, before, after]), kernel, stride=stride, groups=groups)
        parts = (w[f"{norm}.{part}"] for part in ("running_mean", "running_var", "weight", "bias"))
        x = f.batch_norm(x, *parts, eps=1e-3)
        return f.relu6(x) if clip else x

    out: dict[str, Any] = {}
    x, strides = torch.from_numpy(picture), {1: 2, 3: 2, 5: 2, 11: 2}
    x = conv(x, "_conv_stem", "_bn0", stride=2)
    for block in range(16):
        name, start, stride = f"_blocks.{block}.", x, strides.get(block, 1)
        if f"{name}_expand_conv.weight" in w:
            x = conv(x, f"{name}_expand_conv", f"{name}_bn0")
        x = conv(x, f"{name}_depthwise_conv", f"{name}_bn1", stride=stride, groups=x.shape[1])
        x = conv(x, f"{name}_project_conv", f"{name}_bn2", clip=False)
        x = x + start if x.shape == start.shape else x
        out[f"block{block}"] = torch.cat([x.mean((2, 3)), x.std((2, 3), correction=0)], 1)
    head = conv(x, "_conv_head", "_bn1").mean((2, 3))
    out |= {"stage2": out["block2"], "stage5": out["block10"], "head": head}
    out["logits"] = f.linear(head, w["_fc.weight"], w["_fc.bias"])
    return {name: tensor.numpy() for name, tensor in out.items()}
