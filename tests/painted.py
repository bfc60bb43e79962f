"""Painted pools for tests: flowers by Pillow whose merit is known, because it was put in.

A love is four soft layers of petals that darken inwards, an okay two hard ones, a nope some straight lines.
"""

import io
import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from salon.pool import Rating, build_pool
from salon.types import Picture, Tier

TIERS: tuple[Tier, ...] = ("love", "okay", "nope")


def paint(tier: Tier, seed: int, side: int = 160) -> Image.Image:
    """One picture of a tier; another seed is another colour, place and shape."""
    rng = np.random.default_rng((seed, TIERS.index(tier)))
    image = Image.new("RGB", (side, side), "white")
    colour = [int(level) for level in rng.integers(40, 240, 3)]
    if tier == "nope":
        return _scratch(image, rng, colour)
    centre = side / 2 + rng.uniform(-12, 12, 2)
    for layer in range(4 if tier == "love" else 2):
        petals = _petals(side, rng, centre, layer, [max(0, level - 25 * layer) for level in colour])
        if tier == "love":
            petals = petals.filter(ImageFilter.GaussianBlur(1.5))
        image = Image.alpha_composite(image.convert("RGBA"), petals).convert("RGB")
    return image


def picture_of(image: Image.Image, format: str = "PNG", **options: object) -> Picture:
    """The image as a Picture; WebP and JPEG bytes go through a Picture that lies about being PNG."""
    data = encoded(image, format, **options)
    if format == "PNG":
        return Picture.from_png(data)
    return Picture(png=data, width=image.width, height=image.height, key=f"{format}-{hash(data)}")


def encoded(image: Image.Image, format: str = "PNG", **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format, **options)
    return buffer.getvalue()


def write_candidates(
    folder: Path, per_tier: int, tiers: Sequence[Tier] = TIERS, side: int = 160
) -> list[Rating]:
    """Candidates <tier>-<n>.png with sources and facts; returns a first rating of each."""
    folder.mkdir(parents=True, exist_ok=True)
    ratings: list[Rating] = []
    for tier in tiers:
        for number in range(per_tier):
            name = f"{tier}-{number}"
            paint(tier, number, side).save(folder / f"{name}.png")
            (folder / f"{name}.js").write_text(f"// {name}\n")
            facts = {"subject": ("rose", "tulip")[number % 2], "generator_model": "pillow"}
            (folder / f"{name}.json").write_text(json.dumps(facts))
            ratings.append(Rating(id=name, tier=tier, rated_by="test"))
    return ratings


def painted_pool(folder: Path, per_tier: int = 20, side: int = 160) -> Path:
    """A whole pool at folder/pool."""
    ratings = write_candidates(folder / "candidates", per_tier, side=side)
    build_pool(folder / "candidates", ratings, folder / "pool")
    return folder / "pool"


def _scratch(image: Image.Image, rng: np.random.Generator, colour: list[int]) -> Image.Image:
    draw = ImageDraw.Draw(image)
    for _ in range(int(rng.integers(2, 9))):
        points = [tuple(point) for point in rng.uniform(0, image.width, (int(rng.integers(2, 5)), 2))]
        draw.line(points, fill=tuple(colour), width=int(rng.integers(2, 16)))
    return image


def _petals(
    side: int, rng: np.random.Generator, centre: np.ndarray, layer: int, colour: list[int]
) -> Image.Image:
    wash = Image.new("RGBA", (side, side), (255, 255, 255, 0))
    draw = ImageDraw.Draw(wash)
    count, reach = int(rng.integers(5, 9)), side * (0.38 - 0.07 * layer)
    for petal in range(count):
        angle = 2 * math.pi * petal / count + 0.3 * layer
        x, y = centre + 0.6 * reach * np.array([math.cos(angle), math.sin(angle)])
        draw.ellipse([x - reach / 2, y - reach / 2, x + reach / 2, y + reach / 2], fill=(*colour, 110))
    return wash
