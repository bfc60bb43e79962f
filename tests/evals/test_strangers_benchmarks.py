"""Benchmarks, pools and pictures of strangers: a bad row is left out and named, whatever stands in it."""

import copy
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from painted import encoded, paint
from salon.errors import RecipeError, StageError
from salon.evals.benchmarks import load_benchmark
from salon.judges.measuring.labelled_pairs import PictureFile, load_pair
from salon.pool import Pool

LISTED = [["text", "a"], ["image", "a.png"]]
ROWS: dict[str, tuple[str, dict[str, Any]]] = {
    "mmrb2": (
        "mmrb2",
        {
            "id": "1",
            "prompt_content": LISTED,
            "response_a": {"response_content": [["image", "a.png"]]},
            "response_b": {"response_content": [["image", "b.png"]]},
            "chosen": "A",
            "prompt_source": "s",
        },
    ),
    "hpdv3": ("hpdv3", {"path1": "a.png", "path2": "b.png", "prompt": "p", "confidence": 0.9}),
    "genai": (
        "genai-bench",
        {"vote_type": "leftvote", "left_image": "a.png", "right_image": "b.png", "prompt": "p"},
    ),
    "tiger": (
        "editreward-bench-tiger",
        {
            "path_src": "a.png",
            "paths_generated": ["a.png", "b.png"],
            "human_vote": {"ranking": "A>B"},
            "prompt": "p",
        },
    ),
    "tiger's pairs": (
        "editreward-bench-tiger",
        {
            "candidate_1": "a.png",
            "candidate_2": "b.png",
            "dataset": "2pair",
            "id": "x_1",
            "ranking": "A>B",
            "instruction": "i",
            "source_image": "a.png",
        },
    ),
    "editscore": (
        "editreward-bench-editscore",
        {
            "input_image": "a.png",
            "output_images": ["a.png", "b.png"],
            "dimension": "overall",
            "task_type": "t",
            "key": "k",
            "instruction": "i",
        },
    ),
    "pick-a-pic": (
        "pick-a-pic",
        {"label_0": 1, "label_1": 0, "jpg_0": "a.png", "jpg_1": {"path": "b.png"}, "caption": "c"},
    ),
}
JUNK: tuple[Any, ...] = (
    *(None, 5, -1, True, 1e308, 10**400, "", "x", "\ud800", "a\0b", "/dev/zero", ".", "x" * 5000),
    *([], [1], ["a"], [[None]], [["image", [1]]], [["text", 5]], {}, {"a": 1}, {"bytes": "x"}, "A>B>C", "A="),
)


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    for number, name in enumerate(("a.png", "b.png")):
        (tmp_path / name).write_bytes(encoded(paint("love", number, 32)))
    return tmp_path


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, item in entries:
        yield (*at, key)
        yield from places(item, (*at, key))


def spoiled(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The row with something else in each place, and without it."""
    for *way, last in places(row):
        for junk in (*JUNK, ...):
            made = copy.deepcopy(row)
            at: Any = made
            for key in way:
                at = at[key]
            if junk is ...:
                del at[last]
            else:
                at[last] = junk
            yield made


def loaded(name: str, file: Path) -> int:
    """How many pairs there are; their pictures are read."""
    found = load_benchmark(name, str(file))
    for pair in found.pairs:
        assert pair.prompt.text.encode()
        try:
            load_pair(pair)
        except StageError as error:
            assert error.failure.fault == "system"  # noqa: PT017
    return len(found.pairs)


@pytest.mark.parametrize("kind", ROWS)
def test_whatever_stands_in_a_row_it_costs_the_others_nothing(kind: str, pictures: Path) -> None:
    name, row = ROWS[kind]
    file = pictures / "d.jsonl"
    file.write_text(json.dumps(row))
    assert loaded(name, file) == 1
    rows = list(spoiled(row))
    file.write_text("".join(json.dumps(each) + "\n" for each in (*rows, row)))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        kept = loaded(name, file)
    assert 1 <= kept < len(rows)
    [told] = [str(each.message) for each in caught]
    assert "were left out" in told
    assert max(map(len, told.splitlines())) < 6000
    for each in rows[:: max(1, len(rows) // 40)]:
        file.write_text(json.dumps(each))
        try:
            loaded(name, file)
        except RecipeError as error:
            assert "d.jsonl, row 1" in str(error)  # noqa: PT017


@pytest.mark.parametrize("name", ["\ud800.png", "a\0b.png", "/dev/zero", "..", "x" * 5000, "", "\n"])
def test_a_pool_is_loaded_without_the_rows_that_name_no_picture(pictures: Path, name: str) -> None:
    good = [{"file_name": "a.png", "tier": "love"}, {"file_name": "b.png", "tier": "nope"}]
    rows = [{"file_name": name, "tier": "love"}, *good]
    (pictures / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.warns(UserWarning, match="1 row was left out"):
        assert len(Pool.load(pictures).items) == 2
    rows = [{**good[0], "source_file": name}, *good] if name else good
    (pictures / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert len(Pool.load(pictures).items) == 2


@pytest.mark.parametrize("name", ["\ud800.png", "a\0b.png", "/dev/zero", ".", "x" * 5000, "none.png"])
def test_a_picture_that_is_none_is_a_failure(pictures: Path, name: str) -> None:
    with pytest.raises(StageError) as raised:
        PictureFile(pictures / name).load()
    assert raised.value.failure.code == "unreadable_picture"
