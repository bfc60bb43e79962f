"""The reference pool: rated pictures to be compared with, drawn by seed.

A pool is an imagefolder: pictures, and a metadata.jsonl whose rows have file_name, tier (love | okay | nope)
and, where known, source_file, subject, split (train | held_out) and anything else. Everything is checked
when it is loaded; a draw afterwards either returns exactly what was asked for or says why it cannot.
"""

import hashlib
import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict

from salon import validation
from salon.errors import RecipeError
from salon.files.untrusted import read_file
from salon.markup import encodable
from salon.raster import to_picture
from salon.types import Picture, Reference, Tier

MOST_PICTURE = 200_000_000
MOST_SOURCE = 10_000_000

Split = Literal["train", "held_out"]
Mix = Literal["fill", "even"]
BUILTIN = Path(__file__).parent.parent / "data" / "pools"
TIERS: tuple[Tier, ...] = get_args(Tier)


class _Row(BaseModel):
    model_config = ConfigDict(extra="allow")

    file_name: str
    tier: Tier
    source_file: str | None = None
    subject: str = ""
    split: Split = "train"


@dataclass(frozen=True, slots=True)
class PoolItem:
    """One rated picture and every fact of its metadata row."""

    reference: Reference
    split: Split
    facts: dict[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Pool:
    """Rated pictures in the order of their metadata. `identity` hashes the ids, tiers, splits and pixels."""

    name: str
    folder: Path
    items: tuple[PoolItem, ...] = field(repr=False)
    identity: str

    @classmethod
    def load(cls, name_or_path: str | Path) -> "Pool":
        """Load and check a pool, by built-in name ("flowers") or folder.

        Warns:
            BadRows: rows were left out, and all are named: another form, a missing or broken picture, the
                same file or the same pixels twice.

        Raises:
            RecipeError: no such folder or metadata.jsonl, no row that can be used, or only one tier (nothing
                could be told apart).
        """
        folder = _find(name_or_path)
        items = tuple(_load_items(folder))
        _check(folder, items)
        return cls(name=folder.name, folder=folder, items=items, identity=_identity(folder.name, items))

    def select(
        self, split: Split | None = None, tiers: Sequence[Tier] = TIERS, subject: str | None = None
    ) -> list[PoolItem]:
        """The items of a split (None: both), of these tiers, of a subject (None: any), in order."""
        return [
            item
            for item in self.items
            if (split is None or item.split == split)
            and item.reference.tier in tiers
            and (subject is None or item.reference.subject == subject)
        ]

    def draw(
        self,
        k: int,
        seed: int,
        tiers: Sequence[Tier] = ("love", "okay"),
        subject: str | None = None,
        split: Split | None = "train",
        mix: Mix = "fill",
    ) -> list[Reference]:
        """Draw exactly k distinct references, the same ones for the same seed.

        Tiers take turns, so an even k of two tiers is half and half and an odd k gives the extra one to a
        tier chosen by the seed; where a tier runs out, the others fill up, unless `mix` is "even", which
        wants as many of each.

        Raises:
            RecipeError: k is below 1, or fewer than k pictures qualify; a tier that is asked for has no
                picture in the split; or an even mix cannot be had.
        """
        self._check_tiers(k, tiers, subject, split, mix)
        found = self.select(split, tiers, subject)
        if not 1 <= k <= len(found):
            where = f"pool {self.name}: {len(found)} pictures are {' or '.join(tiers)}"
            about = "" if subject is None else f" of subject {subject!r}"
            raise RecipeError(f"{where}{about} in split {split or 'any'}, and {k} references are asked for")
        rng = random.Random(seed)
        decks = [[i.reference for i in found if i.reference.tier == tier] for tier in dict.fromkeys(tiers)]
        for deck in decks:
            rng.shuffle(deck)
        rng.shuffle(decks)
        drawn: list[Reference] = []
        while len(drawn) < k:
            drawn += [deck.pop() for deck in decks if deck]
        return drawn[:k]

    def _check_tiers(
        self, k: int, tiers: Sequence[Tier], subject: str | None, split: Split | None, mix: Mix
    ) -> None:
        counts = {tier: len(self.select(split, [tier], subject)) for tier in tiers}
        absent = [tier for tier in tiers if not self.select(split, [tier])]
        where = f"pool {self.name}, split {split or 'any'}"
        if absent and len(absent) < len(tiers):
            raise RecipeError(
                f"{where}: no picture is {absent[0]!r}. Take it out of `tiers`, or rate some so"
            )
        if mix == "even" and k >= 1 and (trouble := _even_trouble(k, counts)):
            raise RecipeError(f"{where}: {trouble}")


def _even_trouble(k: int, counts: Mapping[str, int]) -> str:
    """Why k cannot be drawn in equal parts from tiers with so many pictures; "" when it can."""
    if k % len(counts):
        return f"{k} references of {len(counts)} tiers cannot be an even mix: ask for a multiple"
    short = [f"{count} {tier}" for tier, count in counts.items() if count < k // len(counts)]
    return (
        f"an even mix of {k} wants {k // len(counts)} a tier, and there are {' and '.join(short)}"
        if short
        else ""
    )


def rated_files(name_or_path: str | Path) -> list[tuple[Path, Tier]]:
    """Each picture's file and tier, as a pool's metadata has them: a quick look that reads and checks no
    picture.

    Raises:
        RecipeError: there is no such pool, or no row can be used. Others that cannot are left out; loading
            the pool names them.
    """
    folder = _find(name_or_path)
    file = folder / "metadata.jsonl"
    rows, bad = validation.read_rows(file, _Row)
    found = validation.sift(file, rows, bad, lambda row, _: (_inside(folder, row.file_name), row.tier))
    if not found:
        validation.leave_out(file, bad, 0)
    return found


def _find(name_or_path: str | Path) -> Path:
    given = Path(name_or_path)
    builtin = BUILTIN / str(name_or_path)
    folder = builtin if len(given.parts) == 1 and os.path.isdir(builtin) else given
    if not os.path.isdir(folder):
        known = (
            sorted(p.name for p in BUILTIN.iterdir() if os.path.isdir(p)) if os.path.isdir(BUILTIN) else []
        )
        raise RecipeError(f"pool {str(name_or_path)!r}: no such folder, and the built-in pools are {known}")
    if not os.path.isfile(folder / "metadata.jsonl"):
        raise RecipeError(
            f"pool {folder}: it has no metadata.jsonl (one JSON row per picture: file_name, tier …)"
        )
    return folder


def _load_items(folder: Path) -> list[PoolItem]:
    file = folder / "metadata.jsonl"
    rows, bad = validation.read_rows(file, _Row)
    ids: dict[str, str] = {}
    pixels: dict[str, str] = {}

    def read(row: _Row, line: int) -> PoolItem:
        item = _load_item(folder, row)
        name, key = item.reference.id, item.reference.picture.key
        if name in ids or key in pixels:
            what, other = ("id", ids[name]) if name in ids else ("picture", pixels[key])
            raise RecipeError(
                f"{file}, line {line}: the same {what} stands twice: {other}, {name}. Take one out."
            )
        ids[name] = pixels[key] = name
        return item

    found = validation.sift(file, rows, bad, read)
    validation.leave_out(file, bad, len(found))
    return found


def _load_item(folder: Path, row: _Row) -> PoolItem:
    picture = _load_picture(folder, row.file_name)
    source = _read_text(folder, row.source_file) if row.source_file else ""
    name = Path(row.file_name).stem
    reference = Reference(id=name, picture=picture, tier=row.tier, subject=row.subject, source=source)
    return PoolItem(reference=reference, split=row.split, facts=row.model_dump())


def _load_picture(folder: Path, file_name: str) -> Picture:
    path = _inside(folder, file_name)
    try:
        return to_picture(read_file(path, MOST_PICTURE))
    except (OSError, ValueError) as error:
        raise RecipeError(
            f"pool {folder}: {file_name}: {error}; render it anew or take its row out"
        ) from None


def _read_text(folder: Path, name: str) -> str:
    try:
        return read_file(_inside(folder, name), MOST_SOURCE).decode("utf-8")
    except (OSError, ValueError) as error:
        raise RecipeError(f"pool {folder}: {name} cannot be read ({error}); write it anew as UTF-8") from None


def _inside(folder: Path, name: str) -> Path:
    # No path is made of a name with a NUL or half a letter in it.
    path = Path(os.path.realpath(folder / encodable(name).replace("\0", "␀")))
    if not path.is_relative_to(os.path.realpath(folder)):
        raise RecipeError(f"pool {folder}: {name} lies outside the pool's folder")
    if not os.path.exists(path):
        raise RecipeError(f"pool {folder}: metadata.jsonl names {name}, which is not there")
    return path


def _check(folder: Path, items: Sequence[PoolItem]) -> None:
    if not items:
        raise RecipeError(f"pool {folder}: metadata.jsonl has no rows")
    if len({i.reference.tier for i in items}) < 2:
        tier = items[0].reference.tier
        raise RecipeError(f"pool {folder}: every picture is {tier!r}; a pool needs at least two tiers")


def _identity(name: str, items: Sequence[PoolItem]) -> str:
    digest = hashlib.sha256()
    for item in items:
        r = item.reference
        digest.update(f"{r.id}|{r.tier}|{r.subject}|{item.split}|{r.picture.key}\n".encode())
    return f"{name}@{digest.hexdigest()[:12]}"
