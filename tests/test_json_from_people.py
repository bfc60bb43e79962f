"""A key that is written twice in one object: JSON's readers keep one of the two without a word. Everything of
salon's that reads what people wrote refuses it, by file, line and key.
"""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from painted import encoded, paint
from salon.diagnosis import read_table
from salon.errors import RecipeError
from salon.evals.benchmarks import load_benchmark
from salon.files.untrusted import json_value
from salon.media.command.sources import collect
from salon.pool.build import Rating, build_pool
from salon.rewards.scoring.inputs import read_inputs
from salon.rubrics.checklists import load_checklists
from salon.validation import BadRows

SCORES = [{"group": n // 4, "taste": n * n % 7, "note": "taste"} for n in range(40)]


def twice(row: str, key: str) -> str:
    """A row with a key that stands there once more, in front of the others."""
    assert f'"{key}"' in row
    return "{" + f'"{key}": 0, ' + row[1:]


def lines(file: Path, rows: list[dict[str, Any]], bad: int, key: str) -> Path:
    written = [json.dumps(row) for row in rows]
    written[bad - 1] = twice(written[bad - 1], key)
    file.write_text("\n".join(written) + "\n")
    return file


@pytest.mark.parametrize("bad", [1, 17, 40])
@pytest.mark.parametrize("nested", [False, True])
def test_scores(tmp_path: Path, bad: int, nested: bool) -> None:
    rows = [{"id": n, "scores": row} for n, row in enumerate(SCORES)] if nested else SCORES
    file = tmp_path / "s.jsonl"
    written = [json.dumps(row) for row in rows]
    written[bad - 1] = written[bad - 1].replace('{"group"', '{"taste": 1, "group"')
    file.write_text("\n".join(written))
    with pytest.raises(RecipeError, match=rf"s\.jsonl, line {bad}: 'taste' is written twice\. Remove"):
        read_table(file)


@pytest.mark.parametrize("text", ['[{"taste": 1, "taste": 2}]', '{"taste": [1, 2],\n "taste": [3, 4]}'])
def test_scores_in_one_piece(tmp_path: Path, text: str) -> None:
    (tmp_path / "s.json").write_text(text)
    with pytest.raises(RecipeError, match=r"s\.json.*'taste' is written twice"):
        read_table(tmp_path / "s.json")


def test_a_text_that_names_a_key_is_no_key(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    file.write_text("\n".join(json.dumps(row | {"says": '"taste": 3, "taste": 4'}) for row in SCORES))
    assert read_table(file).rows == 40


def test_what_is_to_be_rendered(tmp_path: Path) -> None:
    rows = [{"id": str(n), "source": "<svg/>"} for n in range(3)]
    file = lines(tmp_path / "in.jsonl", rows, 2, "source")
    found = collect([str(file)], 0, io.StringIO())
    assert ["'source' is written twice" in each.fault for each in found] == [False, True, False]


def test_what_is_to_be_scored(tmp_path: Path) -> None:
    rows = [{"id": str(n), "source": "<svg/>", "prompt": "a rose"} for n in range(3)]
    file = lines(tmp_path / "in.jsonl", rows, 2, "prompt")
    found = read_inputs(str(file)).rows
    assert ["'prompt' is written twice" in str(each) for each in found] == [False, True, False]
    meta = [{**row, "meta": '{"mood": "calm", "mood": "wild"}'} for row in rows[:1]]
    (tmp_path / "meta.jsonl").write_text("".join(map(json.dumps, meta)))
    with pytest.raises(RecipeError, match=r"line 1: meta: 'mood' is written twice"):
        read_inputs(str(tmp_path / "meta.jsonl"))


def test_benchmarks(tmp_path: Path) -> None:
    (tmp_path / "test.json").write_text('[{"prompt": "a", "prompt": "b"}]')
    with pytest.raises(RecipeError, match=r"test\.json: 'prompt' is written twice"):
        load_benchmark("hpdv3", str(tmp_path / "test.json"))
    (tmp_path / "test.jsonl").write_text('{"prompt": "a", "prompt": "b"}\n')
    with pytest.raises(RecipeError, match=r"test\.jsonl.* 1: 'prompt' is written twice"):
        load_benchmark("hpdv3", str(tmp_path / "test.jsonl"))


def test_a_pools_facts(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.png").write_bytes(encoded(paint("love", 1, 40), "PNG"))
    (tmp_path / "in" / "a.json").write_text('{"seed": 1, "seed": 2}')
    with pytest.raises(RecipeError, match=r"a\.json: 'seed' is written twice"):
        build_pool(tmp_path / "in", [Rating(id="a", tier="love")], tmp_path / "pool")


def test_checklists(tmp_path: Path) -> None:
    rows = [{"id": str(n), "prompt": f"p{n}", "questions": [{"id": 1, "ask": "a?"}]} for n in range(3)]
    file = lines(tmp_path / "c.jsonl", rows, 2, "prompt")
    with pytest.warns(BadRows, match=r"c\.jsonl, line 2: 'prompt' is written twice"):
        assert set(load_checklists(file)) == {"0", "2"}


@pytest.mark.parametrize("text", ['{"a": 1, "b": {"c": 1, "c": 2}}', '[{"x": 1, "x": 1}]'])
def test_at_any_depth_and_with_equal_values(text: str) -> None:
    with pytest.raises(ValueError, match=r"'[cx]' is written twice\. Remove or rename one"):
        json_value(text)
    assert json_value('{"a": {"a": [{"a": 1}, {"a": 1}]}}') == {"a": {"a": [{"a": 1}, {"a": 1}]}}
    with pytest.raises(ValueError, match="not JSON"):
        json_value("[" * 100_000)
