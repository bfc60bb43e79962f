"""What the detectors of flaws flag on the built-in pool, and what they catch of pictures spoiled on purpose.

    python benchmarks/detectors.py              all of it: a minute or two
    python benchmarks/detectors.py --pictures 9 on fewer of the loved pictures

Lattices, blocks, a grey quarter and moved or encoded copies are made from pictures rated love.
"""

import argparse
import io
import time
from collections import Counter
from collections.abc import Callable

import numpy as np
from PIL import Image

from salon.pool import Pool
from salon.raster import decode, encode_png
from salon.scorers.near_duplicates import difference, thumbnail
from salon.scorers.pixel_defects import FLAWS, Sheet
from salon.types import Picture

COPY = 0.15
"""near_duplicates' limit."""

Spoil = Callable[[Image.Image], Image.Image]


def flaws_of(image: Image.Image) -> set[str]:
    sheet = Sheet.of(image)
    return {name for name, flaw in FLAWS.items() if flaw.measure(sheet) >= flaw.limit}


def lattice(period: int, depth: int) -> Spoil:
    def spoil(image: Image.Image) -> Image.Image:
        pixels = np.asarray(image).astype(int)
        pixels[::period] -= depth
        pixels[:, ::period] -= depth
        return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))

    return spoil


def blocks(period: int, depth: float) -> Spoil:
    def spoil(image: Image.Image) -> Image.Image:
        pixels = np.asarray(image).astype(float)
        height, width = pixels.shape[:2]
        shades = np.random.default_rng(0).normal(0, depth, (height // period + 1, width // period + 1))
        tiled = np.kron(shades, np.ones((period, period)))[:height, :width, None]
        return Image.fromarray((pixels + tiled - 15).clip(0, 255).astype(np.uint8))

    return spoil


def torn(image: Image.Image) -> Image.Image:
    cut = image.copy()
    cut.paste((128, 128, 128), (0, image.height * 3 // 4, image.width, image.height))
    return cut


def moved(across: int, down: int) -> Spoil:
    def spoil(image: Image.Image) -> Image.Image:
        sheet = Image.new("RGB", image.size, "white")
        sheet.paste(image, (across, down))
        return sheet

    return spoil


def as_jpeg(image: Image.Image) -> Image.Image:
    data = io.BytesIO()
    image.save(data, "JPEG", quality=60)
    return Image.open(data).convert("RGB")


def false_alarms() -> None:
    items = Pool.load("flowers").items
    started = time.process_time()
    found = [(item.reference.tier, flaws_of(decode(item.reference.picture.png))) for item in items]
    each = (time.process_time() - started) / len(items)
    for name, tiers in (("loved and decent", ("love", "okay")), ("disliked", ("nope",))):
        chosen = [flaws for tier, flaws in found if tier in tiers]
        told = dict(Counter(flaw for flaws in chosen for flaw in flaws))
        print(f"{name}: {sum(map(bool, chosen))} of {len(chosen)} flagged {told or ''}")
    thumbs = [thumbnail(i.reference.picture) for i in items if i.reference.tier != "nope"]
    apart = [difference(a, b) for n, a in enumerate(thumbs) for b in thumbs[:n]]
    copies = sum(d is not None and d <= COPY for d in apart)
    print(f"near_duplicates: {copies} of {len(apart)} pairs")
    print(f"all six flaws: {1000 * each:.1f} ms of a processor for a picture")


def catches(pictures: int) -> None:
    loved = [i.reference.picture for i in Pool.load("flowers").items if i.reference.tier == "love"]
    images = [decode(picture.png) for picture in loved[:pictures]]
    print(f"of {len(images)} loved pictures:")
    for kind, make, depths in (("lines", lattice, (10, 4)), ("blocks", blocks, (6, 4))):
        for depth in depths:
            caught = [sum("grid" in flaws_of(make(p, depth)(i)) for i in images) for p in (8, 16, 32)]
            print(f"  {kind} every 8, 16, 32 pixels, {depth} levels: {', '.join(map(str, caught))}")
    print(f"  the lower quarter gone grey: {sum('torn' in flaws_of(torn(image)) for image in images)}")
    ways = (
        ("moved by 2 and 1", moved(2, 1)),
        ("JPEG at quality 60", as_jpeg),
        ("moved by 6 and 4", moved(6, 4)),
    )
    for name, spoil in ways:
        print(f"  a copy, {name}: {sum(is_copy(image, spoil(image)) for image in images)}")


def is_copy(a: Image.Image, b: Image.Image) -> bool:
    thumbs = [thumbnail(Picture.from_png(encode_png(image))) for image in (a, b)]
    apart = difference(thumbs[0], thumbs[1])
    return apart is not None and apart <= COPY


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pictures", type=int, default=10_000)
    arguments = parser.parse_args()
    false_alarms()
    catches(arguments.pictures)


if __name__ == "__main__":
    main()
