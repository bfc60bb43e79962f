"""A file of 1,000 rows with 80 bad ones, for every reader of rows: the good ones load, all bad ones are named
at once. Files that mean something only as a whole are refused, and name all of them, too.
"""

import json
import shutil
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from painted import encoded, paint
from salon.errors import RecipeError
from salon.evals.asked import load_cases
from salon.evals.benchmarks import load_benchmark
from salon.evals.classifier import load_labelled
from salon.judges.measuring.golden import read_golden
from salon.judges.vlm.few_shot import read_guides
from salon.pool import Pool
from salon.pool.build import load_ratings
from salon.recipe import load_run_recipe
from salon.rubrics.checklists import Item, PromptChecklist, load_checklists
from salon.rubrics.decompose import load_prompts
from salon.rubrics.generation.arr import STEPS
from salon.rubrics.generation.pairs import load_pairs
from salon.rubrics.journal import Journal
from salon.training.sft import DataSection, read_pairs
from salon.validation import BadRows

ROWS, EVERY = 1000, 13
"""One row in 13 is bad, of three kinds, and the last four."""
BAD = [number for number in range(1, ROWS + 1) if number % EVERY == 0 or number > ROWS - 4]


def prompts_of(file: Path) -> Sequence[Any]:
    recipe = file.parent / "run.yaml"
    reward = {"terms": {"length": {"scorer": "length", "weight": 1.0}}}
    run = {"policy": {"name_or_path": "x"}, "reward": reward, "out": "o", "prompts": {"file": file.name}}
    recipe.write_text(yaml.safe_dump(run))
    return load_run_recipe(recipe).prompts.prompts()


def cases_of(file: Path) -> Sequence[Any]:
    return load_cases(file, {"x": PromptChecklist("x", "p", (Item(id="1", ask="a?"),))})


def journal_of(file: Path) -> Sequence[Any]:
    with Journal(file, STEPS) as journal:
        return journal.steps


def pictures(folder: Path) -> None:
    (folder / "good.png").write_bytes(encoded(paint("love", 1, 24)))
    (folder / "bad.png").write_bytes(encoded(paint("nope", 1, 24)))


Row = Callable[[int], dict[str, Any]]
READERS: dict[str, tuple[Callable[[Path], Any], Row]] = {
    "pairs": (load_pairs, lambda n: {"prompt": f"p{n}", "a": "good.png", "b": "bad.png", "preferred": "a"}),
    "prompts": (prompts_of, lambda n: {"text": f"p{n}"}),
    "prompts to split": (load_prompts, lambda n: {"id": f"p{n}", "prompt": f"p{n}"}),
    "checklists": (
        load_checklists,
        lambda n: {"id": f"p{n}", "prompt": "p", "questions": [{"id": 1, "ask": "a?"}]},
    ),
    "labelled prompts": (load_labelled, lambda n: {"prompt": f"p{n}", "label": n % 2 == 0}),
    "pictures of checklists": (
        cases_of,
        lambda n: {"picture": "good.png", "id": "x", "group": n, "answers": {"1": "TRUE"}},
    ),
    "completions": (
        lambda file: read_pairs(DataSection(jsonl=file), 0),
        lambda n: {"prompt": f"p{n}", "completion": "c"},
    ),
    "benchmark": (
        lambda file: load_benchmark("hpdv3", str(file)).pairs,
        lambda n: {"prompt": f"p{n}", "path1": "good.png", "path2": "bad.png"},
    ),
}
WHOLE: dict[str, tuple[Callable[[Path], Any], Row]] = {
    "ratings": (load_ratings, lambda n: {"id": f"p{n}", "tier": "love"}),
    "golden scores": (read_golden, lambda n: {"prompt": "p", "picture": "formula:0", "score": 1}),
    "guides": (
        read_guides,
        lambda n: {"prompt": "p", "preferred": "good.png", "dispreferred": "bad.png", "reason": "r"},
    ),
    "journal": (journal_of, lambda n: {"step": "outage", "pair": str(n), "code": "x", "message": "y"}),
}


def published(folder: Path, row: Row) -> Path:
    """Three kinds of bad rows: no JSON, a list, a key written twice."""
    pictures(folder)
    wrong = ("{nope", "[1, 2]", '{"id": 1, "id": 1')
    lines = [wrong[n % 3] if n in BAD else json.dumps(row(n)) for n in range(1, ROWS + 1)]
    (folder / "rows.jsonl").write_text("\n".join(lines) + "\n")
    return folder / "rows.jsonl"


def numbers(lines: Sequence[str]) -> list[int]:
    """The rows that messages name: "…/rows.jsonl, line 13: …"."""
    return [int(line.partition("rows.jsonl, ")[2].split(":")[0].split()[1]) for line in lines]


@pytest.mark.parametrize("name", READERS)
def test_good_rows_load_and_all_bad_ones_are_named_at_once(name: str, tmp_path: Path) -> None:
    read, row = READERS[name]
    file = published(tmp_path, row)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = read(file)
    assert len(found) == ROWS - len(BAD) == 920
    told = {str(each.message) for each in caught if issubclass(each.category, BadRows)}
    [message] = told
    assert numbers(message.splitlines()[1:]) == BAD
    assert message.splitlines()[0].endswith(
        "80 rows were left out, 920 can be used. Mend or remove what is wrong:"
    )


@pytest.mark.parametrize("name", WHOLE)
def test_files_that_count_as_a_whole_are_refused_with_all_bad_rows(name: str, tmp_path: Path) -> None:
    read, row = WHOLE[name]
    with pytest.raises(RecipeError) as raised:
        read(published(tmp_path, row))
    assert numbers(str(raised.value).splitlines()) == BAD


def test_a_pool_loads_without_its_bad_rows(painted_pool_folder: Path, tmp_path: Path) -> None:
    rows = (painted_pool_folder / "metadata.jsonl").read_text().splitlines()
    gone = json.dumps({"file_name": "images/gone.webp", "tier": "love"})
    mixed = [gone, rows[0], "{nope", *rows[1:], rows[4], json.dumps({"file_name": "../x", "tier": "okay"})]
    shutil.copytree(painted_pool_folder / "images", tmp_path / "images")
    shutil.copytree(painted_pool_folder / "sources", tmp_path / "sources")
    (tmp_path / "metadata.jsonl").write_text("\n".join(mixed))
    whole = Pool.load(painted_pool_folder)
    with pytest.warns(BadRows) as warned:
        found = Pool.load(tmp_path)
    assert [item.reference.id for item in found.items] == [item.reference.id for item in whole.items]
    [caught] = warned
    assert isinstance(caught.message, BadRows)
    assert [row.number for row in caught.message.rows] == [1, 3, 63, 64]
