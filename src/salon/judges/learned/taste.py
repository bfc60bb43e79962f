"""A learned judge: a Bradley–Terry head on fixed features, trained on a pool's ratings.

A judge is a folder: judge.json (features, training, metrics, golden scores) and head.npz (one direction, one
offset). It answers without torch. On loading, golden pictures are scored anew: a judge whose weights or
libraries changed refuses to work.
"""

import io
import json
import math
import os
import threading
import zipfile
import zlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from pydantic import BaseModel, ConfigDict

from salon.errors import RecipeError, StageError
from salon.files.untrusted import json_object, read_file
from salon.judges.inputs_read import Read
from salon.raster import decode
from salon.types import Failure, Picture, Prompt, Verdict
from salon.validation import validated

from .bradley_terry import Head
from .features import DEFAULT_LAYERS, Features, Kind, Layer, digest

BUILTIN = Path(__file__).parents[2] / "data" / "judges"
_NAMES = {"taste": "flowers", "heldout": "flowers-heldout"}
LEARNED = (*_NAMES, *_NAMES.values())
"""The learned judges that ship, by name."""
_CACHED = 20_000
MOST_BYTES = 50_000_000
"""Of either file of a judge, unpacked."""
_GOLDEN_TOLERANCE = 0.05


class FeatureSettings(BaseModel):
    """Which features, as written in judge.json and in a training recipe."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Kind = "efficientnet-lite0"
    layers: tuple[Layer, ...] = DEFAULT_LAYERS
    size: int = 224

    def build(self) -> Features:
        return Features(kind=self.kind, layers=self.layers, size=self.size)


class JudgeCard(BaseModel):
    """judge.json: everything about a judge but its numbers. `golden` scores `golden_pictures()`, in order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    features: FeatureSettings
    features_identity: str
    head: str
    golden: tuple[float, ...]
    trained_on: str
    split: str
    training: Mapping[str, Any] = {}


class TasteJudge:
    """Compares pictures by a learned score; safe to use from several threads.

    `identity` is name@head/features: it changes whenever an answer could. Scores are log odds: a picture that
    scores 1 more than another wins with probability σ(1) = .73. Scores are kept in memory by picture key.
    """

    reads: frozenset[Read] = frozenset()
    """It looks at pictures, and reads nothing: no prompt, no criterion, no question."""

    def __init__(self, card: JudgeCard, head: Head, threads: int = 2) -> None:
        self.card, self.head = card, head
        self.features = card.features.build()
        self.identity = f"{card.name}@{card.head}/{self.features.identity}"
        self._threads = threads
        self._scores: OrderedDict[str, float] = OrderedDict()
        self._lock = threading.Lock()

    @classmethod
    def load(cls, name_or_path: str | Path = "taste", threads: int = 2) -> "TasteJudge":
        """Load a judge by built-in name ("taste", "heldout") or folder, and check that it still answers as it
        did.

        Raises:
            RecipeError: no such judge, a file is missing or malformed, or the golden pictures score
                differently.
        """
        folder = _find(name_or_path)
        try:
            written = json_object(read_file(folder / "judge.json", MOST_BYTES))
            packed = read_file(folder / "head.npz", MOST_BYTES)
            with zipfile.ZipFile(io.BytesIO(packed)) as archive:
                # A few kilobytes can say that they unpack to terabytes.
                if sum(each.file_size for each in archive.infolist()) > MOST_BYTES:
                    raise ValueError(f"head.npz unpacks to more than {MOST_BYTES:,} bytes")
            with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
                vectors = {name: arrays[name].astype(np.float32) for name in ("direction", "low", "high")}
                head = Head(offset=float(arrays["offset"]), **vectors)
        except (OSError, ValueError, KeyError, TypeError, zlib.error, zipfile.BadZipFile) as error:
            raise RecipeError(
                f"judge {folder}: cannot be read ({error}); train it anew with salon train-judge"
            ) from error
        judge = cls(validated(JudgeCard, written, f"{folder}/judge.json"), head, threads)
        judge._check(folder)
        return judge

    def compare(self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]]) -> list[Verdict | Failure]:
        """One verdict per pair. p(a, b) = 1 − p(b, a) exactly, and a picture against itself is exactly .5."""
        found = self.assess([picture for pair in pairs for picture in pair])
        return [self._verdict(a, b) for a, b in zip(found[::2], found[1::2], strict=True)]

    def score(self, pictures: Sequence[Picture]) -> list[float]:
        """One score per picture, in log odds. Raises StageError where a picture cannot be read."""
        scores: list[float] = []
        for found in self.assess(pictures):
            if isinstance(found, Failure):
                raise StageError(found)
            scores.append(found)
        return scores

    def assess(self, pictures: Sequence[Picture]) -> list[float | Failure]:
        """One score per picture, or why there is none."""
        return [self._assess_one(picture) for picture in pictures]

    def _assess_one(self, picture: Picture) -> float | Failure:
        with self._lock:
            if picture.key in self._scores:
                self._scores.move_to_end(picture.key)
                return self._scores[picture.key]
        try:
            image = decode(picture.png)
        except ValueError as error:
            return Failure(code="unreadable_picture", message=str(error), fault="system", stage="judge")
        score = self.score_image(image)
        with self._lock:
            self._scores[picture.key] = score
            while len(self._scores) > _CACHED:
                self._scores.popitem(last=False)
        return score

    def score_image(self, image: Image.Image) -> float:
        """The score of an RGB image of any size."""
        return float(self.head.score(self.features.of(image, self._threads)[None])[0])

    def _verdict(self, a: float | Failure, b: float | Failure) -> Verdict | Failure:
        if isinstance(a, Failure):
            return a
        if isinstance(b, Failure):
            return b
        better = 1 / (1 + math.exp(-min(abs(a - b), 700.0)))
        return Verdict(
            p_a=better if a >= b else 1 - better, judge=self.identity, reason=f"scores {a:+.2f} and {b:+.2f}"
        )

    def _check(self, folder: Path) -> None:
        if _head_hash(self.head) != self.card.head:
            raise RecipeError(f"judge {folder}: head.npz is not the one judge.json describes; train it anew")
        if self.features.identity != self.card.features_identity:
            raise RecipeError(
                f"judge {folder}: it was trained on features {self.card.features_identity}, and here they"
                f" are {self.features.identity}; train it anew with salon train-judge"
            )
        for index, (image, expected) in enumerate(zip(canary_pictures(), self.card.golden, strict=True)):
            if abs((found := self.score_image(image)) - expected) > _GOLDEN_TOLERANCE:
                raise RecipeError(
                    f"judge {folder}: golden picture {index} scores {found:.3f}, not {expected:.3f}:"
                    " a library changed its numbers, so train the judge anew with salon train-judge"
                )


def save_judge(
    folder: str | Path,
    name: str,
    features: FeatureSettings,
    head: Head,
    trained_on: str,
    split: str,
    training: Mapping[str, Any],
    threads: int = 2,
) -> TasteJudge:
    """Write a judge's folder, and return the judge as it will load."""
    target, computed = Path(folder), features.build()
    target.mkdir(parents=True, exist_ok=True)
    golden = [float(head.score(computed.of(image, threads)[None])[0]) for image in canary_pictures()]
    card = JudgeCard(
        name=name,
        features=features,
        features_identity=computed.identity,
        head=_head_hash(head),
        golden=tuple(round(g, 4) for g in golden),
        trained_on=trained_on,
        split=split,
        training=training,
    )
    np.savez_compressed(
        target / "head.npz",
        direction=head.direction,
        low=head.low,
        high=head.high,
        offset=np.float64(head.offset),
    )
    (target / "judge.json").write_text(
        json.dumps(card.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"
    )
    return TasteJudge.load(target, threads)


def canary_pictures() -> list[Image.Image]:
    """Three pictures by formula: blank paper, a shaded disc, and coloured grain. They never change."""
    rows, columns = np.mgrid[0:224, 0:224].astype(np.float64)
    radius = np.hypot(rows - 112, columns - 112)
    disc = np.where(
        (radius < 80)[..., None], np.stack([230 - radius, 90 + radius / 2, 120 + 0 * radius], -1), 255
    )
    grain = (
        np.stack([np.sin(rows * k) * np.cos(columns * (k + 0.3)) for k in (0.9, 0.31, 0.11)], -1) * 90 + 150
    )
    arrays = [np.full((224, 224, 3), 255.0), disc, grain]
    return [Image.fromarray(np.round(a).clip(0, 255).astype(np.uint8)) for a in arrays]


def _head_hash(head: Head) -> str:
    return digest(head.direction, head.low, head.high, np.array([head.offset], np.float32))


def _find(name_or_path: str | Path) -> Path:
    given = Path(name_or_path)
    builtin = BUILTIN / _NAMES.get(str(name_or_path), str(name_or_path))
    folder = builtin if len(given.parts) == 1 and os.path.isdir(builtin) else given
    if not os.path.isfile(folder / "judge.json"):
        known = (
            sorted(p.name for p in BUILTIN.iterdir() if os.path.isdir(p)) if os.path.isdir(BUILTIN) else []
        )
        raise RecipeError(
            f"judge {str(name_or_path)!r}: that folder has no judge.json, and the built-in judges are {known}"
        )
    return folder
