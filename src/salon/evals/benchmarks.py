"""Published benchmarks of judges, read from the files in which they are published.

Each reader gives pairs whose better picture is known. Pictures are paths relative to the file (or to
`images`), or bytes inside a parquet file. A pair of edits has the picture `before`.
"""

import hashlib
import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

from salon import strict
from salon.errors import RecipeError
from salon.extend import did_you_mean
from salon.judges.labelled import Label, LabelledPair, PictureBytes, PictureFile, PictureSource
from salon.judges.measure import Units, of_prompt
from salon.pool import Pool
from salon.rubrics.pairs import all_pool_pairs, load_pairs
from salon.types import Prompt

Scheme = Literal["pairs", "genai", "ranking", "editscore", "pickapic"]
"""How a benchmark counts beside accuracy and gap, see salon.evals.judging."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Pairs with a name and a way of counting. `groups` has the pairs' ids by group, where pairs are parts
    of one ranking. `units`: what an interval draws anew.
    """

    name: str
    pairs: tuple[LabelledPair, ...] = field(repr=False)
    scheme: Scheme = "pairs"
    groups: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: dict[str, tuple[str, ...]](), repr=False
    )
    units: Units = of_prompt


def load_benchmark(name: str, data: str, images: str | None = None, split: str = "held_out") -> Benchmark:
    """A benchmark by name, from its file.

    Args:
        name: a key of READERS; `pool` takes a pool's name or folder, `pairs` our own pairs.jsonl.
        images: the folder that picture paths are relative to; the file's own by default.
        split: of a pool.

    Raises:
        RecipeError: no such benchmark; a file that is not there or of another form: names it, the row and
        the key.
    """
    if split not in ("train", "held_out"):
        raise RecipeError(f"--split {split!r}: write held_out or train")
    if name == "pool":
        pool = Pool.load(data)
        pairs = tuple(all_pool_pairs(pool, split, any_subject=True))
        return Benchmark(f"pool {pool.identity}, {split}", pairs, units=_pictures)
    if name == "pairs":
        return Benchmark("pairs", tuple(load_pairs(data)))
    if name not in READERS:
        raise RecipeError(
            f"--benchmark {name!r}: there is none.{did_you_mean(name, [*READERS, 'pool', 'pairs'])}"
        )
    file = Path(data)
    reader = _Reader(file, Path(images) if images else file.parent)
    found = READERS[name](reader)
    if not found.pairs:
        raise RecipeError(f"{data}: has no pairs for {name}")
    return found


def _pictures(pair: LabelledPair) -> tuple[str, str]:
    """Pairs of a pool share pictures, so pictures are drawn anew."""
    return str(pair.a), str(pair.b)


class _Reader:
    """Rows of a JSON, JSON lines or parquet file, and values of them with errors that name row and key."""

    def __init__(self, file: Path, images: Path) -> None:
        self.file, self.images = file, images

    def rows(self) -> Iterator[tuple[str, Row]]:
        """(where, row); where is "file, row 3"."""
        for number, row in enumerate(self._load(), 1):
            yield f"{self.file}, row {number}", row

    def text(self, row: Row, key: str, where: str) -> str:
        """A text that is there."""
        value = self.value(row, key, where)
        if not isinstance(value, str) or not value.strip():
            raise RecipeError(f"{where}: {key}: should be a text, and is {value!r}")
        return value

    def value(self, row: Row, key: str, where: str) -> Any:
        """Whatever stands under a key."""
        if key not in row:
            raise RecipeError(f"{where}: {key}: is missing.{did_you_mean(key, row)}")
        return row[key]

    def picture(self, value: Any, where: str) -> PictureSource:
        """A picture from a path, from bytes, or from what the datasets library writes: {bytes, path}."""
        if isinstance(value, Mapping):
            both = cast(Mapping[str, Any], value)
            value = both.get("bytes") or both.get("path")
        if isinstance(value, bytes):
            return PictureBytes(value, where)
        if not isinstance(value, str) or not value:
            raise RecipeError(f"{where}: should be a picture's path or bytes, and is {value!r:.80}")
        path = self.images / value
        if not path.is_file():
            raise RecipeError(f"{where}: there is no picture {path}. Name the pictures' folder by --images.")
        return PictureFile(path)

    def pictured(self, row: Row, key: str, where: str) -> PictureSource:
        """The picture under a key."""
        return self.picture(self.value(row, key, where), f"{where}: {key}")

    def _load(self) -> Sequence[Row]:
        data = strict.read_bytes(self.file, "It is named by --data.")
        if self.file.suffix == ".parquet":
            import polars as pl

            try:
                return pl.read_parquet(data).to_dicts()
            except pl.exceptions.PolarsError as error:
                raise RecipeError(f"{self.file}: is no parquet file ({error})") from error
        try:
            text = data.decode("utf-8-sig")
            rows: Any = json.loads(text) if self.file.suffix == ".json" else _lines(text)
        except ValueError as error:
            raise RecipeError(
                f"{self.file}: not JSON ({error}). Take the file as it was published."
            ) from error
        rows = rows.get("pairs") if isinstance(rows, dict) else rows
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in cast(list[Any], rows)):
            raise RecipeError(f"{self.file}: should hold a list of objects (or `pairs` with one)")
        return cast(list[Row], rows)


def _lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def _prompt(text: str) -> Prompt:
    return Prompt(hashlib.sha256(text.encode()).hexdigest()[:12], text)


def _mmrb2(read: _Reader) -> Benchmark:
    """Multimodal RewardBench 2: text to image, and edits. Pairs whose answers are no single picture are no
    comparison of pictures, and are refused.
    """
    pairs: list[LabelledPair] = []
    for where, row in read.rows():
        asked = _parts(read, row, "prompt_content", where)
        answers = [_parts(read, row.get(side, {}), "response_content", f"{where}: {side}") for side in _SIDES]
        pictures = [[value for kind, value in parts if kind == "image"] for parts in answers]
        if any(len(shown) != 1 for shown in pictures):
            raise RecipeError(
                f"{where}: an answer has not exactly one picture. Take the t2i or the edit file."
            )
        sides = [
            read.picture(shown[0], f"{where}: {side}") for side, shown in zip(_SIDES, pictures, strict=True)
        ]
        sources = [value for kind, value in asked if kind == "image"]
        before = read.picture(sources[0], f"{where}: prompt_content") if sources else None
        chosen = read.text(row, "chosen", where)
        if chosen not in ("A", "B"):
            raise RecipeError(f"{where}: chosen: is A or B, not {chosen!r}")
        prompt = _prompt(" ".join(str(value) for kind, value in asked if kind == "text"))
        category = str(row.get("prompt_source") or "")
        name = str(row.get("id") or row.get("pair_id") or len(pairs))
        label: Label = "a" if chosen == "A" else "b"
        pairs.append(LabelledPair(name, prompt, sides[0], sides[1], label, category, before))
    return Benchmark("MMRB2", tuple(pairs))


_SIDES = ("response_a", "response_b")


def _parts(read: _Reader, row: Row, key: str, where: str) -> list[tuple[str, Any]]:
    """MMRB2's content: a list of ["text" | "image", value]."""
    value = read.value(row, key, where)
    if not isinstance(value, list) or not all(isinstance(each, list) and len(each) == 2 for each in value):  # pyright: ignore[reportUnknownArgumentType]
        raise RecipeError(f'{where}: {key}: should be a list of ["text" or "image", value]')
    return [(str(kind), each) for kind, each in cast(list[list[Any]], value)]


def _hpdv3(read: _Reader) -> Benchmark:
    """Human Preference Dataset v3: path1 is the preferred picture. Categories are bands of human
    confidence.
    """
    pairs = [
        LabelledPair(
            str(number),
            _prompt(read.text(row, "prompt", where)),
            read.pictured(row, "path1", where),
            read.pictured(row, "path2", where),
            "a",
            _band(row.get("confidence")),
        )
        for number, (where, row) in enumerate(read.rows(), 1)
    ]
    return Benchmark("HPDv3", tuple(pairs))


def _band(confidence: Any) -> str:
    if not isinstance(confidence, int | float):
        return ""
    return (
        "confidence < 0.8"
        if confidence < 0.8
        else "confidence < 0.95"
        if confidence < 0.95
        else "confidence ≥ 0.95"
    )


_VOTES: Mapping[str, Label] = {
    "leftvote": "a",
    "rightvote": "b",
    "tievote": "tie",
    "bothbad_vote": "both_bad",
}


def _genai(read: _Reader) -> Benchmark:
    """GenAI-Bench, its text-to-image file or its edit file: four classes of votes."""
    pairs: list[LabelledPair] = []
    for number, (where, row) in enumerate(read.rows(), 1):
        vote = read.text(row, "vote_type", where)
        if vote not in _VOTES:
            raise RecipeError(f"{where}: vote_type: {vote!r} is none of {', '.join(_VOTES)}")
        edit = "left_output_image" in row
        keys = ("left_output_image", "right_output_image") if edit else ("left_image", "right_image")
        sides = [read.pictured(row, key, where) for key in keys]
        before = read.pictured(row, "source_image", where) if edit else None
        prompt = _prompt(read.text(row, "instruct_prompt" if edit else "prompt", where))
        kind = "edit" if edit else "t2i"
        pairs.append(LabelledPair(str(number), prompt, sides[0], sides[1], _VOTES[vote], kind, before))
    return Benchmark("GenAI-Bench", tuple(pairs), "genai")


def _editreward_tiger(read: _Reader) -> Benchmark:
    """EditReward-Bench of TIGER: rankings of two to four edits, which become pairs."""
    pairs: list[LabelledPair] = []
    groups: dict[str, tuple[str, ...]] = {}
    for number, (where, row) in enumerate(read.rows(), 1):
        source = read.pictured(row, "path_src", where)
        shown = read.value(row, "paths_generated", where)
        edits = [read.picture(each, f"{where}: paths_generated") for each in shown]
        ranks = _ranks(
            str(read.value(row.get("human_vote", {}), "ranking", f"{where}: human_vote")), len(edits), where
        )
        prompt, names = _prompt(read.text(row, "prompt", where)), list[str]()
        for i, j in itertools.combinations(range(len(edits)), 2):
            label: Label = "tie" if ranks[i] == ranks[j] else "a" if ranks[i] < ranks[j] else "b"
            names.append(f"{number}:{_LETTERS[i]}{_LETTERS[j]}")
            kind = f"{len(edits)}-way"
            pairs.append(LabelledPair(names[-1], prompt, edits[i], edits[j], label, kind, source))
        groups[str(number)] = tuple(names)
    return Benchmark("EditReward-Bench (TIGER)", tuple(pairs), "ranking", groups)


_LETTERS = "ABCD"


def _ranks(ranking: str, count: int, where: str) -> list[int]:
    """The place of each candidate, 0 the best: "C>A=B" is [1, 1, 0]; a closing "=Good" or "=Bad" says
    nothing.
    """
    told = re.sub(r"\s", "", ranking)
    told = re.sub(r"=(good|bad)$", "", told, flags=re.IGNORECASE)
    levels = [level.split("=") for level in told.split(">")]
    found = {letter: place for place, level in enumerate(levels) for letter in level}
    letters = _LETTERS[:count]
    if sorted(letter for level in levels for letter in level) != list(letters):
        raise RecipeError(
            f"{where}: human_vote.ranking: {ranking!r} does not rank {', '.join(letters)}, each once"
        )
    return [found[letter] for letter in letters]


def _editreward_editscore(read: _Reader) -> Benchmark:
    """EditReward-Bench of EditScore: of two outputs the first is better; one category per task type."""
    pairs: list[LabelledPair] = []
    for number, (where, row) in enumerate(read.rows(), 1):
        source = read.pictured(row, "input_image", where)
        outputs = read.value(row, "output_images", where)
        if not isinstance(outputs, list) or len(cast(list[Any], outputs)) != 2:
            raise RecipeError(f"{where}: output_images: should be two pictures")
        sides = [read.picture(each, f"{where}: output_images") for each in cast(list[Any], outputs)]
        task = str(row.get("task_type") or row.get("task") or "")
        name = f"{row.get('key', '')}:{number}"
        prompt = _prompt(read.text(row, "instruction", where))
        pairs.append(LabelledPair(name, prompt, sides[0], sides[1], "a", task, source))
    return Benchmark("EditReward-Bench (EditScore)", tuple(pairs), "editscore")


def _pickapic(read: _Reader) -> Benchmark:
    """Pick-a-Pic: label_0 and label_1 are 1 and 0, or both 0.5."""
    pairs: list[LabelledPair] = []
    for number, (where, row) in enumerate(read.rows(), 1):
        first, second = (read.value(row, key, where) for key in ("label_0", "label_1"))
        label = _PICKS.get((first, second))
        if label is None:
            raise RecipeError(
                f"{where}: label_0, label_1: are 1 and 0, 0 and 1, or 0.5 twice, not {first} and {second}"
            )
        sides = [read.pictured(row, key, where) for key in ("jpg_0", "jpg_1")]
        pairs.append(
            LabelledPair(str(number), _prompt(read.text(row, "caption", where)), sides[0], sides[1], label)
        )
    return Benchmark("Pick-a-Pic", tuple(pairs), "pickapic")


_PICKS: Mapping[tuple[Any, Any], Label] = {(1, 0): "a", (0, 1): "b", (0.5, 0.5): "tie"}

READERS: Mapping[str, Callable[[_Reader], Benchmark]] = {
    "mmrb2": _mmrb2,
    "hpdv3": _hpdv3,
    "genai-bench": _genai,
    "editreward-bench-tiger": _editreward_tiger,
    "editreward-bench-editscore": _editreward_editscore,
    "pick-a-pic": _pickapic,
}
