"""From rated candidates to a pool: an imagefolder with metadata.jsonl, its sources, and a held-out fifth.

Candidates are a folder of pictures `<id>.png` with their sources `<id>.js` and, where known, facts in
`<id>.json` (subject, colour, generator_model, family, seed …). Ratings are rows of id, tier, rated_by, round:
round 2 is a blind repeat, which never changes the tier and is counted for the rater's agreement.
"""

import hashlib
import io
import json
import os
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from PIL import Image
from pydantic import BaseModel, ConfigDict

from salon import validation
from salon.errors import RecipeError
from salon.files.untrusted import json_value
from salon.raster import decode
from salon.types import Tier

from .sheet import PICTURE_SUFFIXES

SOURCE_SUFFIXES = (".js", ".svg")
_SCALE: dict[str, int] = {"nope": 0, "okay": 1, "love": 2}


class Rating(BaseModel):
    """One look at one picture."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    tier: Tier
    rated_by: str = ""
    round: int = 1
    note: str = ""


@dataclass(frozen=True, slots=True)
class PoolSummary:
    """What was written. `agreement` is the share of blind repeats with the same tier (None without any)."""

    pictures: int
    tiers: Mapping[str, int]
    splits: Mapping[str, int]
    bytes: int
    repeats: int
    agreement: float | None
    agreement_within_one: float | None


def build_pool(
    candidates_dir: str | Path,
    ratings: str | Path | Sequence[Rating],
    out: str | Path,
    side: int = 400,
    max_bytes: int = 60_000,
    held_out: float = 0.2,
    seed: int = 0,
) -> PoolSummary:
    """Write a pool folder from candidates and their ratings.

    Only rated candidates are taken. Pictures become WebP of at most `side` × `side` pixels and `max_bytes`
    bytes (quality 92, less only where the size asks for it). Candidates that share a `family` fact always
    land in one split.

    Args:
        candidates_dir: the folder of `<id>.png`, `<id>.js`, `<id>.json`.
        ratings: a ratings.jsonl, or the ratings themselves.
        out: the pool folder; it is written anew and swapped in whole.
        held_out: share of pictures held out, stratified by tier.

    Raises:
        RecipeError: a rating names no candidate, has an unknown tier, or a picture was rated twice in one
        round; or `out` holds something else than a pool.
    """
    folder, target = Path(candidates_dir), Path(out)
    _must_be_replaceable(folder, target)
    rows = load_ratings(ratings) if isinstance(ratings, str | Path) else list(ratings)
    first, second = _by_round(rows)
    pictures = _candidates(folder, first)
    facts = {name: _facts(folder, name) for name in first}
    splits = assign_splits({n: r.tier for n, r in first.items()}, facts, held_out, seed)
    draft = target.with_name(target.name + ".draft")
    shutil.rmtree(draft, ignore_errors=True)
    (draft / "images").mkdir(parents=True)
    (draft / "sources").mkdir()
    metadata: list[dict[str, Any]] = []
    for name, rating in sorted(first.items()):
        webp = to_webp(pictures[name].read_bytes(), side, max_bytes)
        (draft / "images" / f"{name}.webp").write_bytes(webp)
        row = {**facts[name], **_row(folder, draft, name, rating), "split": splits[name]}
        if name in second:
            row["repeat_tier"] = second[name].tier
        metadata.append(row)
    _write_jsonl(draft / "metadata.jsonl", metadata)
    _keep_cards(target, draft)
    shutil.rmtree(target, ignore_errors=True)
    draft.rename(target)
    return _summary(target, first, second, splits)


def _must_be_replaceable(candidates: Path, target: Path) -> None:
    """A pool's folder is swapped in whole, so what was there goes: only a pool may."""
    ours, theirs = target.resolve(), candidates.resolve()
    if ours.is_relative_to(theirs) or theirs.is_relative_to(ours):
        raise RecipeError(f"out {target}: is, or is in, the folder of the candidates. Choose another folder.")
    is_pool = os.path.isfile(target / "metadata.jsonl")
    if target.is_symlink() or (
        os.path.exists(target) and not is_pool and (os.path.isfile(target) or any(target.iterdir()))
    ):
        raise RecipeError(f"out {target}: is there, and no pool. Choose a new folder.")


def load_ratings(path: str | Path) -> list[Rating]:
    """Read a ratings.jsonl. Raises RecipeError naming every line that is wrong: a pool is built from all."""
    return validation.read_jsonl(path, Rating, "It holds JSON lines with id and tier.", whole=True)


def assign_splits(
    tiers: Mapping[str, str], facts: Mapping[str, Mapping[str, Any]], held_out: float = 0.2, seed: int = 0
) -> dict[str, str]:
    """Choose the held-out pictures: the same share of every tier, spread over subjects, families kept whole.

    Deterministic in (ids, seed): no order of files or process changes it. A family goes where its best
    picture goes.
    """
    families: dict[str, list[str]] = defaultdict(list)
    for name in tiers:
        families[str(facts[name].get("family") or name)].append(name)
    strata: dict[str, list[str]] = defaultdict(list)
    for family, names in families.items():
        strata[max((tiers[n] for n in names), key=_SCALE.__getitem__)].append(family)
    chosen: set[str] = set()
    for tier, members in sorted(strata.items()):
        members.sort(key=lambda f: (str(facts[families[f][0]].get("subject", "")), _hash(seed, f)))
        offset = int(_hash(seed, tier), 16) % 1000 / 1000
        chosen.update(
            f
            for i, f in enumerate(members)
            if int((i + 1 + offset) * held_out) > int((i + offset) * held_out)
        )
    return {n: "held_out" if f in chosen else "train" for f, names in families.items() for n in names}


def to_webp(data: bytes, side: int = 400, max_bytes: int = 60_000) -> bytes:
    """Encode a picture as WebP within a size: quality 92, stepping down only when it must."""
    image = decode(data)
    image.thumbnail((side, side), Image.Resampling.LANCZOS)
    encoded = b""
    for quality in (92, 88, 84, 78, 70, 60):
        buffer = io.BytesIO()
        image.save(buffer, "WEBP", quality=quality, method=5)
        encoded = buffer.getvalue()
        if len(encoded) <= max_bytes:
            break
    return encoded


def _by_round(rows: Iterable[Rating]) -> tuple[dict[str, Rating], dict[str, Rating]]:
    first: dict[str, Rating] = {}
    second: dict[str, Rating] = {}
    for rating in rows:
        book = first if rating.round == 1 else second
        if rating.id in book:
            raise RecipeError(
                f"ratings: {rating.id} is rated twice in round {rating.round}; repeats belong in round 2"
            )
        book[rating.id] = rating
    if unknown := sorted(second.keys() - first.keys()):
        raise RecipeError(f"ratings: {unknown[0]} has a repeat but no first rating")
    return first, second


def _candidates(folder: Path, wanted: Mapping[str, Rating]) -> dict[str, Path]:
    if not os.path.isdir(folder):
        raise RecipeError(f"{folder} is not a folder of candidates")
    found = {p.stem: p for p in sorted(folder.iterdir()) if p.suffix.lower() in PICTURE_SUFFIXES}
    if missing := sorted(wanted.keys() - found.keys()):
        raise RecipeError(f"ratings: {missing[0]} has no picture in {folder} ({len(missing)} such ids)")
    return found


def _facts(folder: Path, name: str) -> dict[str, Any]:
    path = folder / f"{name}.json"
    if not os.path.exists(path):
        return {}
    try:
        facts = json_value(validation.read_bytes(path))
    except ValueError as error:
        raise RecipeError(f"{path}: {error}") from error
    if not isinstance(facts, dict):
        raise RecipeError(f"{path}: one JSON object with the candidate's facts is expected")
    return cast("dict[str, Any]", facts)


def _row(folder: Path, draft: Path, name: str, rating: Rating) -> dict[str, Any]:
    source = next((p for s in SOURCE_SUFFIXES if os.path.exists(p := folder / f"{name}{s}")), None)
    row: dict[str, Any] = {"file_name": f"images/{name}.webp", "source_file": None, "tier": rating.tier}
    if source is not None:
        shutil.copyfile(source, draft / "sources" / source.name)
        row["source_file"] = f"sources/{source.name}"
    if rating.rated_by:
        row["rated_by"] = rating.rated_by
    if rating.note:
        row["note"] = rating.note
    return row


def _keep_cards(old: Path, new: Path) -> None:
    for path in old.glob("*.md"):
        shutil.copyfile(path, new / path.name)


def _summary(
    target: Path, first: Mapping[str, Rating], second: Mapping[str, Rating], splits: Mapping[str, str]
) -> PoolSummary:
    gaps = [abs(_SCALE[r.tier] - _SCALE[first[n].tier]) for n, r in second.items()]
    return PoolSummary(
        pictures=len(first),
        tiers=dict(Counter(r.tier for r in first.values())),
        splits=dict(Counter(splits.values())),
        bytes=sum(p.stat().st_size for p in target.rglob("*") if os.path.isfile(p)),
        repeats=len(gaps),
        agreement=sum(g == 0 for g in gaps) / len(gaps) if gaps else None,
        agreement_within_one=sum(g <= 1 for g in gaps) / len(gaps) if gaps else None,
    )


def _write_jsonl(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def _hash(seed: int, text: str) -> str:
    return hashlib.sha256(f"{seed}:{text}".encode()).hexdigest()
