"""What a judge sees of a picture: a vector, computed picture by picture, so that a batch changes nothing.

- `efficientnet-lite0`: a frozen ImageNet network's averaged features, with the mean and spread of earlier
stages for texture; - `handmade`: colour, edges, texture and layout by formula, no network (see
handmade_features.py);
- `colour`: a dozen colour statistics, the baseline that any judge must beat.
"""

import hashlib
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from salon.errors import RecipeError
from salon.raster import decode
from salon.types import Picture

from . import efficientnet, handmade_features

FloatArray = NDArray[np.float32]
Kind = Literal["efficientnet-lite0", "handmade", "colour"]
Layer = Literal["stage2", "stage3", "stage4", "stage5", "stage6", "head"]
LAYERS: tuple[str, ...] = get_args(Layer)
DEFAULT_LAYERS: tuple[Layer, ...] = get_args(Layer)


@dataclass(frozen=True, slots=True)
class Features:
    """A recipe for a picture's vector. `layers` and `size` (pixels a side) matter to the network only."""

    kind: Kind = "efficientnet-lite0"
    layers: tuple[str, ...] = DEFAULT_LAYERS
    size: int = 224

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.layers) - set(LAYERS)):
            raise RecipeError(
                f"features.layers: there is no layer {unknown[0]!r}; the layers are {', '.join(LAYERS)}"
            )

    @property
    def identity(self) -> str:
        """Changes whenever the numbers would: kind, settings, the weights' hash or the formulas' version."""
        if self.kind != "efficientnet-lite0":
            return f"{self.kind}-v{handmade_features.VERSION}"
        return f"{self.kind}-{efficientnet.weights_hash()}-{'+'.join(self.layers)}-{self.size}"

    def of(self, image: Image.Image, threads: int = 2) -> FloatArray:
        """The vector of one RGB image, float32 (D,)."""
        if self.kind == "efficientnet-lite0":
            return _network(image, self.layers, self.size, threads)
        formula: Callable[[Image.Image], FloatArray] = (
            handmade_features.describe if self.kind == "handmade" else handmade_features.colour_statistics
        )
        return formula(image)

    def blocks(self) -> list[int]:
        """Widths of the vector's parts, in order: parts are weighed alike, however many numbers each has."""
        if self.kind == "handmade":
            return list(handmade_features.BLOCKS)
        if self.kind == "colour":
            return [handmade_features.COLOUR_STATISTICS]
        channels = {"stage2": 48, "stage3": 80, "stage4": 160, "stage5": 224, "stage6": 384, "head": 1280}
        return [channels[layer] for layer in self.layers]


def embed(
    pictures: Sequence[Picture], layers: Sequence[str] = DEFAULT_LAYERS, size: int = 224, threads: int = 2
) -> FloatArray:
    """EfficientNet-lite0 features of pictures, without torch.

    Args:
        pictures: any number of them; each is computed alone.
        layers: which layers are strung together, of LAYERS. "head" gives 1,280 numbers, a stage its
        channels' means and spreads. size: pixels a side of the network's input.
        threads: threads for one picture.

    Returns:
        float32 (N, D).

    Raises:
        ValueError: a picture cannot be decoded.
        SetupError: the package with the weights is not installed.
    """
    features = Features(layers=tuple(layers), size=size)
    rows = [features.of(decode(picture.png), threads) for picture in pictures]
    return np.stack(rows) if rows else np.zeros((0, sum(features.blocks())), np.float32)


def fit_square(image: Image.Image, size: int, paper: str = "#ffffff") -> Image.Image:
    """The whole image, undistorted, antialiased, in the middle of a square of paper."""
    scale = size / max(image.size)
    inner = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    small = image.resize(inner, Image.Resampling.BICUBIC, reducing_gap=3.0)
    if inner == (size, size):
        return small
    square = Image.new("RGB", (size, size), paper)
    square.paste(small, ((size - inner[0]) // 2, (size - inner[1]) // 2))
    return square


def augment(image: Image.Image, rng: np.random.Generator, strength: float = 1.0) -> Image.Image:
    """A picture of the same merit: brightness, contrast and saturation jittered, mirrored, noisy, re-encoded.

    It keeps low-level statistics from deciding (arXiv 2610.02967): a judge trained on such variants cannot
    tell good from bad by the encoder, the exposure or the grain. `strength` 1 jitters by ±20 % and adds
    noise of up to 5 levels.
    """
    pixels_HWC = np.asarray(image, np.float32)
    brightness, contrast, saturation = 1 + 0.2 * strength * rng.uniform(-1, 1, 3)
    grey_HW1 = pixels_HWC @ np.array([[0.299], [0.587], [0.114]], np.float32)
    pixels_HWC = grey_HW1 + (pixels_HWC - grey_HW1) * saturation
    # Contrast turns about paper, not about the mean: paper must stay paper.
    pixels_HWC = 255 - (255 - pixels_HWC) * contrast * (2 - brightness)
    pixels_HWC = pixels_HWC + rng.normal(0, rng.uniform(0, 5) * strength + 1e-6, pixels_HWC.shape)
    varied = Image.fromarray(np.clip(np.round(pixels_HWC), 0, 255).astype(np.uint8))
    if rng.random() < 0.5:
        varied = varied.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    return _reencode(varied, rng) if rng.random() < 0.5 else varied


def _reencode(image: Image.Image, rng: np.random.Generator) -> Image.Image:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG" if rng.random() < 0.5 else "WEBP", quality=int(rng.integers(70, 96)))
    return decode(buffer.getvalue())


def _network(image: Image.Image, layers: Sequence[str], size: int, threads: int) -> FloatArray:
    square_HWC = np.asarray(fit_square(image, size), np.float32)
    input_NCHW = ((square_HWC - 127) / 128).transpose(2, 0, 1)[None]
    outputs = efficientnet.open_session(threads).run(list(layers), {"pictures": input_NCHW})
    return np.concatenate([np.asarray(out, np.float32)[0] for out in outputs])


def digest(*arrays: NDArray[np.float32]) -> str:
    """Twelve hex digits that name some arrays' bytes."""
    total = hashlib.sha256()
    for array in arrays:
        total.update(np.ascontiguousarray(array).tobytes())
    return total.hexdigest()[:12]
