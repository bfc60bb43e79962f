"""Pairs of edits: the picture before stands in their file, and author and verifier see it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from chatserver import served
from painted import paint
from salon.errors import RecipeError
from salon.evals.benchmarks import load_benchmark
from salon.evals.judging import evaluate_judge
from salon.judges.measuring.labelled_pairs import SHEET, Beside, LabelledPair
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.llm.image_encoder import ImageEncoder
from salon.rubrics.asking import Message, ScriptedAuthor
from salon.rubrics.generation.arr import Generation, Plan
from salon.rubrics.generation.generate import STEPS, identified
from salon.rubrics.generation.pairs import load_pairs, write_pairs
from salon.rubrics.generation.verify import BlindVerifier, LabelAwareVerifier
from salon.rubrics.journal import Journal
from salon.types import Picture

URL = ImageEncoder(512).url


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two pairs with the same edits and request, of two pictures before."""
    for number, (name, tier) in enumerate({"a": "love", "b": "nope", "x": "okay", "y": "okay"}.items()):
        paint(tier, number, 24).save(tmp_path / f"{name}.png")
    rows = [
        {
            "prompt": "warmer",
            "a": "a.png",
            "b": "b.png",
            "preferred": "b",
            "before": f"{name}.png",
            "id": name,
        }
        for name in ("x", "y")
    ]
    (tmp_path / "pairs.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path / "pairs.jsonl"


def before_of(pair: LabelledPair) -> Picture:
    assert pair.before is not None
    return pair.before.load()


@pytest.mark.parametrize("what", ["another picture", "a link"])
def test_a_picture_that_is_there_already_is_the_one_that_is_meant(
    file: Path, tmp_path: Path, what: str
) -> None:
    pairs = load_pairs(file)
    write_pairs(pairs, tmp_path / "out" / "pairs.jsonl")
    folder, theirs = tmp_path / "out" / "pairs-pictures", tmp_path / "theirs.png"
    before = {each.name: each.read_bytes() for each in folder.iterdir()}
    theirs.write_bytes(b"mine")
    place = folder / next(iter(before))
    place.unlink()
    place.symlink_to(theirs) if what == "a link" else place.write_bytes(b"of somebody else")
    write_pairs(pairs, tmp_path / "out" / "pairs.jsonl")
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == before
    assert theirs.read_bytes() == b"mine"


def test_the_picture_before_is_read_and_written(file: Path, tmp_path: Path) -> None:
    pairs = load_pairs(file)
    write_pairs(pairs, tmp_path / "out" / "pairs.jsonl")
    again = load_pairs(tmp_path / "out" / "pairs.jsonl")
    assert [before_of(pair).key for pair in again] == [before_of(pair).key for pair in pairs]
    assert len({pair.id for pair in identified(pairs)}) == 2
    row = json.loads(file.read_text().split("\n")[0]) | {"before": "z.png"}
    file.write_text(json.dumps(row))
    with pytest.raises(RecipeError, match=r"line 1: before: there is no picture .*z\.png"):
        load_pairs(file)


def test_author_and_checker_see_sheets_and_are_told_so(file: Path, tmp_path: Path) -> None:
    pair = load_pairs(file)[0]
    seen: list[Message] = []

    def script(messages: Sequence[Message]) -> str:
        seen.append(messages[-1])
        return json.dumps({"criteria": ["Its light is warm."], "supports": True, "critique": ""})

    author = ScriptedAuthor(script)
    with Journal(tmp_path / "steps.jsonl", STEPS) as journal:
        (trial,) = Generation(author, LabelAwareVerifier(author), journal, Plan()).run([pair])
    assert trial.state(5) == "verified"
    sheets = [Beside(pair.before, each).load().key for each in (pair.first, pair.second) if pair.before]
    for message in seen:
        assert [part.key for part in message.parts if isinstance(part, Picture)] == sheets
        assert f"warmer\n{SHEET}" in message.text
    assert len(seen) == 2


@pytest.mark.parametrize("before", ["", "source"])
def test_a_blind_verifier_and_a_benchmark_show_it_as_the_judge_can_take_it(file: Path, before: str) -> None:
    """By itself to a judge of edits, else on a sheet on the left."""
    pair = load_pairs(file)[0]
    wanted = [each.load() for each in (pair.second, pair.first)]
    if not before:
        wanted = [Beside(pair.before, each).load() for each in (pair.second, pair.first) if pair.before]
    urls = [URL(before_of(pair))] * bool(before) + [URL(each) for each in wanted]
    seen: list[list[str]] = []

    def step(handler: Any, body: Any) -> str:
        content = body["messages"][-1]["content"]
        seen.append([part["image_url"]["url"] for part in content if part["type"] == "image_url"])
        assert (SHEET in content[0]["text"]) == (not before)
        return json.dumps({"winner": "B" if seen[-1] == urls else "A", "reason": "warm"})

    with served() as server:
        server.script = [step]
        judge = OpenAIJudge("m", server.url, cache=False, before=before, concurrency=1)
        check = BlindVerifier(judge.with_criteria, judge.identity).verify(pair, ["Its light is warm."])
        report, _ = evaluate_judge(judge, load_benchmark("pairs", str(file)))
    assert check.passed
    assert len(seen) == 2 + 4
    assert sorted(map(tuple, seen[:2])) == sorted([tuple(urls), (*urls[:-2], urls[-1], urls[-2])])
    assert report.total.coverage == 1.0
