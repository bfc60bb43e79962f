"""pairs.jsonl: which of two pictures people preferred, one pair a line.

    {"prompt": "draw a rose", "a": "pictures/1.png", "b": "pictures/2.png", "preferred": "a"}

`id` and `category` may stand beside, and for edits `before`, the picture that both were made from. Picture
paths are relative to the file.
"""

import hashlib
import json
import os
import random
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from salon import validation
from salon.errors import RecipeError
from salon.files.untrusted import read_file
from salon.judges.measuring.labelled_pairs import LabelledPair, PictureFile
from salon.pool import Pool, PoolItem
from salon.pool.references import Split
from salon.store.runs import write_atomic
from salon.types import Prompt

TEMPLATE = "a picture of {subject}"
_MERIT = {"love": 2, "okay": 1, "nope": 0}


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid")
    prompt: Annotated[str, Field(pattern=r"\S")]
    a: Annotated[str, Field(min_length=1)]
    b: Annotated[str, Field(min_length=1)]
    preferred: Literal["a", "b"]
    id: str = ""
    category: str = ""
    before: str = ""


def load_pairs(path: str | Path) -> list[LabelledPair]:
    """The pairs of a file, in order. An `id` that is not written is the line's number.

    Warns:
        BadRows: some lines are no pair: not JSON, an unknown key, a picture that is not there, the same
            picture or the same id twice. Names all of them, with the key.

    Raises:
        RecipeError: no line is one; names the same.
    """
    rows, bad = validation.read_rows(path, _Row)
    files = _Files(path)
    seen: dict[str, int] = {}

    def read(row: _Row, line: int) -> LabelledPair:
        pair = _pair(row, files, line)
        if pair.id in seen:
            raise RecipeError(
                f"{path}, line {line}: id: {pair.id!r} stands in line {seen[pair.id]} already. Rename one."
            )
        seen[pair.id] = line
        return pair

    pairs = validation.sift(path, rows, bad, read)
    validation.leave_out(path, bad, len(pairs))
    if not pairs:
        raise RecipeError(f"{path}: has no pairs. Write one a line: prompt, a, b, preferred.")
    return pairs


class _Files:
    """The pictures of a file of pairs, looked up once each: pairs share them, and there may be many."""

    def __init__(self, pairs: str | Path) -> None:
        self.pairs = pairs
        self._folder = os.path.dirname(pairs)
        self._known: dict[str, tuple[Path, str] | None] = {}

    def find(self, name: str) -> tuple[Path, str] | None:
        """The path, and the file that it leads to; None where there is none."""
        if name not in self._known:
            path = os.path.join(self._folder, name)
            there = os.path.isfile(path)
            self._known[name] = (Path(path), os.path.realpath(path)) if there else None
        return self._known[name]


def _pair(row: _Row, files: _Files, line: int) -> LabelledPair:
    found: list[tuple[Path, str]] = []
    for key, name in (("a", row.a), ("b", row.b), *([("before", row.before)] if row.before else [])):
        file = files.find(name)
        if file is None:
            raise RecipeError(
                f"{files.pairs}, line {line}: {key}: there is no picture"
                f" {Path(files.pairs).parent / name}. Paths are relative to the pairs' file."
            )
        found.append(file)
    (a, a_leads_to), (b, b_leads_to), *earlier = found
    if a_leads_to == b_leads_to:
        raise RecipeError(f"{files.pairs}, line {line}: a and b are the same file. A pair has two pictures.")
    name = row.id or str(line)
    # Pairs of one prompt resemble each other, and are told by its id.
    prompt = Prompt(id=hashlib.sha256(row.prompt.encode()).hexdigest()[:12], text=row.prompt)
    before = PictureFile(earlier[0][0]) if earlier else None
    return LabelledPair(name, prompt, PictureFile(a), PictureFile(b), row.preferred, row.category, before)


def pool_pairs(
    pool: Pool, count: int, split: Split | None = "train", seed: int = 0, template: str = TEMPLATE
) -> list[LabelledPair]:
    """Draw pairs of unequal tiers from a rated pool: the same subject where the pool has one, each pair once.

    Which side the better one stands on is drawn too. Kinds of pairs (love over okay, love over nope, okay
    over nope) take turns.

    Args:
        count: how many; at most as many as there are.
        template: the prompt of a pair, with {subject}; pictures of several subjects are "anything".

    Raises:
        RecipeError: the pool has fewer pairs.
    """
    rng = random.Random(seed)
    decks = _decks(pool.select(split), rng)
    if not 1 <= count <= sum(map(len, decks)):
        raise RecipeError(
            f"pool {pool.name}: split {split or 'any'} has {sum(map(len, decks))} pairs of unequal tiers"
            f" and one"
            f" subject, and {count} are asked for"
        )
    drawn: list[tuple[PoolItem, PoolItem]] = []
    while len(drawn) < count:
        drawn += [deck.pop() for deck in decks if deck]
    return [_labelled(pool, better, worse, rng, template) for better, worse in drawn[:count]]


def all_pool_pairs(
    pool: Pool, split: Split | None = "held_out", template: str = TEMPLATE, any_subject: bool = False
) -> list[LabelledPair]:
    """Every pair of unequal tiers, the better picture as a; of one subject, or of any two."""
    items = pool.select(split)
    return [
        _labelled(pool, better, worse, None, template)
        for better in items
        for worse in items
        if _merit(better) > _merit(worse)
        and (any_subject or better.reference.subject == worse.reference.subject)
    ]


def _decks(items: Sequence[PoolItem], rng: random.Random) -> list[list[tuple[PoolItem, PoolItem]]]:
    """The pairs of one subject, a shuffled deck per kind of pair."""
    decks: dict[tuple[str, str], list[tuple[PoolItem, PoolItem]]] = {}
    for better in items:
        for worse in items:
            if _merit(better) > _merit(worse) and better.reference.subject == worse.reference.subject:
                decks.setdefault((better.reference.tier, worse.reference.tier), []).append((better, worse))
    for deck in decks.values():
        rng.shuffle(deck)
    return list(decks.values())


def _merit(item: PoolItem) -> int:
    return _MERIT[item.reference.tier]


def _labelled(
    pool: Pool, better: PoolItem, worse: PoolItem, rng: random.Random | None, template: str
) -> LabelledPair:
    subjects = {better.reference.subject, worse.reference.subject}
    subject = subjects.pop() if len(subjects) == 1 else "anything"
    text = template.replace("{subject}", subject or "anything")
    name = f"{better.reference.id}-{worse.reference.id}"
    swapped = rng is not None and rng.random() < 0.5
    first, second = (worse, better) if swapped else (better, worse)
    files = [PictureFile(pool.folder / str(item.facts["file_name"])) for item in (first, second)]
    kind = f"{better.reference.tier}>{worse.reference.tier}"
    prompt = Prompt(id=subject or name, text=text, subject=subject)
    return LabelledPair(name, prompt, files[0], files[1], "b" if swapped else "a", kind)


def _holds(place: Path, data: bytes) -> bool:
    """Whether it is there already; what stands under its name may be anybody's."""
    with suppress(OSError, ValueError):
        return read_file(place, len(data)) == data
    return False


def write_pairs(pairs: Sequence[LabelledPair], path: str | Path) -> int:
    """Write pairs.jsonl and, beside it, their pictures as PNG files named by content. Returns how many lines.

    Raises:
        StageError: a picture cannot be read.
    """
    target = Path(path)
    lines: list[str] = []
    for pair in pairs:
        names: list[str] = []
        for source in (pair.a, pair.b, *([pair.before] if pair.before else [])):
            picture = source.load()
            names.append(f"{target.stem}-pictures/{picture.key[:16]}.png")
            if not _holds(target.parent / names[-1], picture.png):
                write_atomic(target.parent / names[-1], picture.png)
        row = {
            "id": pair.id,
            "prompt": pair.prompt.text,
            "a": names[0],
            "b": names[1],
            "preferred": pair.label,
            **({"before": names[2]} if pair.before else {}),
        }
        lines.append(
            json.dumps(row | ({"category": pair.category} if pair.category else {}), ensure_ascii=False)
        )
    write_atomic(target, ("\n".join(lines) + "\n").encode("utf-8", "replace"))
    return len(lines)
