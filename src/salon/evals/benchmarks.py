"""Published benchmarks of judges, read from the files in which they are published.

Each reader gives pairs whose better picture is known. Pictures are paths relative to the file (or to
`images`), or bytes inside a parquet file. A pair of edits has the picture `before`. A row that cannot be used
is left out, and all of them are named at once.
"""

import hashlib
import itertools
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from salon import validation
from salon.errors import RecipeError
from salon.files.untrusted import MOST_JSON_IN_FILE, json_value
from salon.judges.measuring.accuracy import Units, of_prompt
from salon.judges.measuring.labelled_pairs import (
    AsLargeAs,
    Label,
    LabelledPair,
    PictureBytes,
    PictureFile,
    PictureSource,
    SideBySide,
)
from salon.markup import encodable
from salon.pool import Pool
from salon.registry import did_you_mean
from salon.rubrics.generation.pairs import all_pool_pairs, load_pairs
from salon.types import Prompt

Scheme = Literal["pairs", "mmrb2", "genai", "ranking", "editscore", "pickapic"]
"""How a benchmark counts beside accuracy and gap, see salon.evals.official."""

MOST_CELLS = 40_000_000
Row = Mapping[str, Any]
Found = TypeVar("Found")


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
    """A benchmark by name, from its file, or from a folder with its parquet files (or its JSON files).

    Args:
        name: a key of READERS; `pool` takes a pool's name or folder, `pairs` our own pairs.jsonl.
        images: the folder that picture paths are relative to; the file's own by default.
        split: of a pool.

    Warns:
        BadRows: rows were left out; names each with its key.

    Raises:
        RecipeError: no such benchmark; a file that is not there or of another form: names it, the rows and
        the keys.
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
    reader = _Reader(file, Path(images) if images else file if os.path.isdir(file) else file.parent)
    found = READERS[name](reader)
    validation.leave_out(file, reader.bad, len(found.pairs))
    if not found.pairs:
        raise RecipeError(f"{data}: has no pairs for {name}")
    return found


def _pictures(pair: LabelledPair) -> tuple[str, str]:
    """Pairs of a pool share pictures, so pictures are drawn anew."""
    return str(pair.a), str(pair.b)


class _Reader:
    """Rows of JSON, JSON lines or parquet files, and values of them with errors that name row and key. `bad`
    gathers the rows that cannot be used.
    """

    def __init__(self, file: Path, images: Path) -> None:
        self.file, self.images = file, images
        self.bad: list[validation.BadRow] = []

    def each(self, read: Callable[[Row, str, int], Found]) -> list[Found]:
        """What `read` makes of each row, given the row, where it stands ("file, row 3") and its number in all
        files.
        """
        found: list[Found] = []
        count = 0
        for file in self._files():
            rows = list(enumerate(_rows(file), 1))

            def one(row: Any, number: int, file: Path = file, before: int = count) -> Found:
                where = f"{file}, row {number}"
                if isinstance(row, RecipeError):
                    raise RecipeError(f"{where}: {row}")
                if not isinstance(row, dict):
                    raise RecipeError(f"{where}: should be an object, and is {row!r:.80}")
                return read(cast(Row, row), where, before + number)

            count += len(rows)
            found += validation.sift(file, rows, self.bad, one, "row")
        return found

    def _files(self) -> Sequence[Path]:
        if not os.path.isdir(self.file):
            return [self.file]
        for ending in (".parquet", ".json", ".jsonl"):
            if files := sorted(file for file in self.file.iterdir() if file.suffix == ending):
                return files
        raise RecipeError(f"{self.file}: has no parquet, JSON or JSON lines file. Name one by --data.")

    def text(self, row: Row, key: str, where: str) -> str:
        """A text that is there."""
        value = self.value(row, key, where)
        if not isinstance(value, str) or not value.strip():
            raise RecipeError(f"{where}: {key}: should be a text, and is {value!r:.80}")
        return encodable(value)

    def value(self, row: Any, key: str, where: str) -> Any:
        """Whatever stands under a key."""
        if not isinstance(row, Mapping):
            raise RecipeError(f"{where}: should be an object with {key}, and is {row!r:.80}")
        row = cast(Row, row)
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
        if not os.path.isfile(path):
            raise RecipeError(f"{where}: there is no picture {path}. Name the pictures' folder by --images.")
        return PictureFile(path)

    def pictured(self, row: Row, key: str, where: str) -> PictureSource:
        """The picture under a key."""
        return self.picture(self.value(row, key, where), f"{where}: {key}")


def _must_fit(file: Path, width: int, cells: int) -> None:
    if cells > MOST_CELLS:
        raise RecipeError(
            f"{file}: holds {cells:,} cells, at most {MOST_CELLS:,} are read. Give a part of it."
        )


def _rows(file: Path) -> Sequence[Any]:
    """A file's rows, whatever each is; a RecipeError in the place of a line that is no JSON."""
    data = validation.read_bytes(file, "It is named by --data.")
    if file.suffix == ".parquet":
        import polars as pl

        from salon.files.parquet import read_parquet

        try:
            return read_parquet(data, partial(_must_fit, file)).to_dicts()
        except (OSError, ValueError, pl.exceptions.PolarsError) as error:
            raise RecipeError(f"{file}: is no parquet file ({error})") from error
    try:
        text = data.decode("utf-8-sig")
        if file.suffix != ".json":
            return [_line(line) for _, line in validation.json_lines(text, file)]
        rows: Any = json_value(text, MOST_JSON_IN_FILE)
    except ValueError as error:
        raise RecipeError(f"{file}: {error}. Take the file as it was published.") from error
    rows = rows.get("pairs") if isinstance(rows, dict) else rows
    if not isinstance(rows, list):
        raise RecipeError(f"{file}: should hold a list of objects (or `pairs` with one)")
    return cast(list[Any], rows)


def _line(line: str) -> Any:
    try:
        return json_value(line)
    except ValueError as error:
        return RecipeError(str(error))


def _prompt(text: str) -> Prompt:
    return Prompt(hashlib.sha256(text.encode()).hexdigest()[:12], text)


def _mmrb2(read: _Reader) -> Benchmark:
    """Multimodal RewardBench 2: text to image, and edits. Pairs whose answers are no single picture are no
    comparison of pictures, and are left out. Several pictures of one prompt are shown side by side.
    """

    def pair(row: Row, where: str, number: int) -> LabelledPair:
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
        sources = [
            read.picture(value, f"{where}: prompt_content") for kind, value in asked if kind == "image"
        ]
        before = SideBySide(tuple(sources)) if len(sources) > 1 else sources[0] if sources else None
        chosen = read.text(row, "chosen", where).strip().upper()
        if chosen not in ("A", "B"):
            raise RecipeError(f"{where}: chosen: is A or B, not {chosen!r}")
        said = [value for kind, value in asked if kind == "text"]
        if not said or not all(isinstance(each, str) and each.strip() for each in said):
            raise RecipeError(f"{where}: prompt_content: should have a text, and has {said!r:.80}")
        prompt = _prompt(encodable(" ".join(said)))
        category = str(row.get("prompt_source") or "")
        name = encodable(str(row.get("id") or row.get("pair_id") or number))
        return LabelledPair(name, prompt, sides[0], sides[1], "a" if chosen == "A" else "b", category, before)

    return Benchmark("MMRB2", tuple(read.each(pair)), "mmrb2")


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

    def pair(row: Row, where: str, number: int) -> LabelledPair:
        sides = [read.pictured(row, key, where) for key in ("path1", "path2")]
        prompt, band = _prompt(read.text(row, "prompt", where)), _band(row.get("confidence"))
        return LabelledPair(str(number), prompt, sides[0], sides[1], "a", band)

    return Benchmark("HPDv3", tuple(read.each(pair)))


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

    def pair(row: Row, where: str, number: int) -> LabelledPair:
        vote = read.text(row, "vote_type", where)
        if vote not in _VOTES:
            raise RecipeError(f"{where}: vote_type: {vote!r} is none of {', '.join(_VOTES)}")
        edit = "left_output_image" in row
        keys = ("left_output_image", "right_output_image") if edit else ("left_image", "right_image")
        sides = [read.pictured(row, key, where) for key in keys]
        before = read.pictured(row, "source_image", where) if edit else None
        prompt = _prompt(read.text(row, "instruct_prompt" if edit else "prompt", where))
        kind = "edit" if edit else "t2i"
        return LabelledPair(str(number), prompt, sides[0], sides[1], _VOTES[vote], kind, before)

    return Benchmark("GenAI-Bench", tuple(read.each(pair)), "genai")


_LETTERS = "ABCD"


def _editreward_tiger(read: _Reader) -> Benchmark:
    """EditReward-Bench of TIGER: rankings of two to four edits, which become pairs. Its two published forms:
    the JSON files with a ranking a row, and the dataset with a pair a row.
    """
    groups: dict[str, list[str]] = {}

    def ranking(row: Row, where: str, number: int) -> list[LabelledPair]:
        if "candidate_1" in row:
            return [one_pair(row, where, number)]
        source = read.pictured(row, "path_src", where)
        shown = read.value(row, "paths_generated", where)
        if not isinstance(shown, list):
            raise RecipeError(f"{where}: paths_generated: should be a list, and is {shown!r:.80}")
        edits = [read.picture(each, f"{where}: paths_generated") for each in cast(list[Any], shown)]
        voted = read.value(row.get("human_vote", {}), "ranking", f"{where}: human_vote")
        ranks = _ranks(str(voted), len(edits), f"{where}: human_vote")
        prompt, pairs = _prompt(read.text(row, "prompt", where)), list[LabelledPair]()
        for i, j in itertools.combinations(range(len(edits)), 2):
            label: Label = "tie" if ranks[i] == ranks[j] else "a" if ranks[i] < ranks[j] else "b"
            name, kind = f"{number}:{_LETTERS[i]}{_LETTERS[j]}", f"{len(edits)}-way"
            pairs.append(LabelledPair(name, prompt, edits[i], edits[j], label, kind, source))
        groups[str(number)] = [pair.id for pair in pairs]
        return pairs

    def one_pair(row: Row, where: str, number: int) -> LabelledPair:
        kind, name = read.text(row, "dataset", where), read.text(row, "id", where)
        if kind not in _KINDS:
            raise RecipeError(f"{where}: dataset: {kind!r} is none of {', '.join(_KINDS)}")
        ranks = _ranks(read.text(row, "ranking", where), 2, where)
        label: Label = "tie" if ranks[0] == ranks[1] else "a" if ranks[0] < ranks[1] else "b"
        sides = [read.pictured(row, key, where) for key in ("candidate_1", "candidate_2")]
        prompt = _prompt(read.text(row, "instruction", where))
        source = read.pictured(row, "source_image", where)
        # The published script's rule for which pairs belong to one ranking.
        group = (
            str(number) if kind == "2pair" else f"{kind} {name.split('_')[0] if '_' in name else name[:10]}"
        )
        groups.setdefault(group, []).append(f"{number}:{name}")
        return LabelledPair(f"{number}:{name}", prompt, sides[0], sides[1], label, _KINDS[kind], source)

    pairs = [pair for found in read.each(ranking) for pair in found]
    of = {name: tuple(names) for name, names in groups.items()}
    return Benchmark("EditReward-Bench (TIGER)", tuple(pairs), "ranking", of)


_KINDS: Mapping[str, str] = {"2pair": "2-way", "3pair": "3-way", "4pair": "4-way"}


def _ranks(ranking: str, count: int, where: str) -> list[int]:
    """The place of each candidate, 0 the best: "C>A=B" is [1, 1, 0], "A<B" is [1, 0]; a closing "=Good" or
    "=Bad" says nothing.
    """
    told = re.sub(r"\s", "", ranking)
    told = re.sub(r"=(good|bad)$", "", told, flags=re.IGNORECASE)
    levels = [level.split("=") for level in re.split("[<>]", told)]
    if count == 2 and "<" in told:
        levels.reverse()
    found = {letter: place for place, level in enumerate(levels) for letter in level}
    letters = _LETTERS[:count]
    if sorted(letter for level in levels for letter in level) != list(letters):
        raise RecipeError(f"{where}.ranking: {ranking!r} does not rank {', '.join(letters)}, each once")
    if count > 2 and "<" in told:
        raise RecipeError(f"{where}.ranking: {ranking!r} has a <. Write the best first, with > alone.")
    return [found[letter] for letter in letters]


def _editreward_editscore(read: _Reader) -> Benchmark:
    """EditReward-Bench of EditScore: of two outputs the first is better in one dimension; one category per
    task type. Outputs are shown as large as the input, as its evaluator shows them.
    """

    def pair(row: Row, where: str, number: int) -> LabelledPair:
        source = read.pictured(row, "input_image", where)
        outputs = read.value(row, "output_images", where)
        if not isinstance(outputs, list) or len(cast(list[Any], outputs)) != 2:
            raise RecipeError(f"{where}: output_images: should be two pictures")
        shown = cast(list[Any], outputs)
        sides = [AsLargeAs(read.picture(each, f"{where}: output_images"), source) for each in shown]
        aspect, task = read.text(row, "dimension", where), read.text(row, "task_type", where)
        if aspect not in DIMENSIONS:
            raise RecipeError(f"{where}: dimension: {aspect!r} is none of {', '.join(DIMENSIONS)}")
        key = read.value(row, "key", where)
        keys = "/".join(map(str, cast(list[Any], key))) if isinstance(key, list) else str(key)
        prompt = _prompt(read.text(row, "instruction", where))
        return LabelledPair(
            f"{keys}:{aspect}:{number}", prompt, sides[0], sides[1], "a", task, source, aspect
        )

    return Benchmark("EditReward-Bench (EditScore)", tuple(read.each(pair)), "editscore")


DIMENSIONS = ("prompt_following", "consistency", "overall")
"""What people were asked about in EditScore's benchmark; each is counted by itself."""


def _pickapic(read: _Reader) -> Benchmark:
    """Pick-a-Pic: label_0 and label_1 are 1 and 0, or both 0.5. Rows that say `has_label` false have no vote,
    and are no pair, as in its publisher's loader.
    """

    def pair(row: Row, where: str, number: int) -> LabelledPair | None:
        if "has_label" in row and not row["has_label"]:
            return None
        told = tuple(_number(read.value(row, key, where)) for key in ("label_0", "label_1"))
        label = _PICKS.get(told)
        if label is None:
            raise RecipeError(
                f"{where}: label_0, label_1: are 1 and 0, 0 and 1, or 0.5 twice, not {told[0]} and {told[1]}"
            )
        sides = [read.pictured(row, key, where) for key in ("jpg_0", "jpg_1")]
        prompt = _prompt(read.text(row, "caption", where))
        return LabelledPair(str(number), prompt, sides[0], sides[1], label)

    pairs = tuple(found for found in read.each(pair) if found is not None)
    return Benchmark("Pick-a-Pic", pairs, "pickapic")


def _number(value: Any) -> float | str:
    """A number, also one that a table's export made a text of; anything else as a message shows it."""
    try:
        return (
            float(value)
            if isinstance(value, str | int | float) and not isinstance(value, bool)
            else str(value)[:40]
        )
    except (ValueError, OverflowError):
        return str(value)[:40]


_PICKS: Mapping[tuple[Any, ...], Label] = {(1, 0): "a", (0, 1): "b", (0.5, 0.5): "tie"}

READERS: Mapping[str, Callable[[_Reader], Benchmark]] = {
    "mmrb2": _mmrb2,
    "hpdv3": _hpdv3,
    "genai-bench": _genai,
    "editreward-bench-tiger": _editreward_tiger,
    "editreward-bench-editscore": _editreward_editscore,
    "pick-a-pic": _pickapic,
}
