"""ARR end to end over two real servers: a scripted author, and the learned judge behind the chat API."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from chatserver import ScriptedServer, served
from salon.judges.serve import JudgeServer
from salon.judges.taste import TasteJudge
from salon.pool import Pool
from salon.rubrics.generate import generate
from salon.rubrics.pairs import load_pairs, pool_pairs, write_pairs
from salon.rubrics.recipe import RubricRecipe
from salon.rubrics.rubric import load_rubric

CLAIMS = ("layered washes", "bare scratches", "whatever stands first")
RUBRIC = {"themes": [{"name": "Washes", "level": "fine", "tips": ["Layered washes."]}], "summary": ""}


class ObedientServer(JudgeServer):
    """The learned judge, that goes by the criteria in the system message: washes as it sees it, scratches
    the other way round, else whatever is shown first. `down` questions are refused.
    """

    down = 0
    seen = 0

    def reply(self, body: Mapping[str, Any]) -> dict[str, Any]:
        self.seen += 1
        if self.down:
            self.down -= 1
            raise ConnectionError("gone")
        told = body["messages"][0]["content"]
        said = super().reply(body)
        if "washes" in told:
            return said
        message = said["choices"][0]["message"]
        verdict = json.loads(message["content"])
        turned = {"A": "B", "B": "A", "tie": "tie"}[verdict["winner"]] if "scratches" in told else "A"
        message["content"] = json.dumps(verdict | {"winner": turned})
        said["choices"][0]["logprobs"] = None
        return said


def author_step(handler: Any, body: Mapping[str, Any]) -> str:
    """Claims one thing or another by the request's number; merges into one theme."""
    asked = body["messages"][1]["content"]
    if not isinstance(asked, list):
        return json.dumps(RUBRIC)
    number = re.search(r"pair (\d+)", asked[0]["text"])
    assert number
    assert [part["type"] for part in asked] == ["text", "image_url", "text", "image_url", "text"]
    return json.dumps({"criteria": [f"The sheet shows {CLAIMS[int(number[1]) % 3]}."]})


@pytest.fixture
def pairs_file(tmp_path: Path) -> Path:
    drawn = pool_pairs(Pool.load("flowers"), 9, "train", seed=5)
    write_pairs(drawn, tmp_path / "pairs.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text().splitlines()]
    numbered = [json.dumps(row | {"prompt": f"pair {n}"}) for n, row in enumerate(rows)]
    (tmp_path / "pairs.jsonl").write_text("\n".join(numbered))
    return tmp_path / "pairs.jsonl"


def recipe(author: ScriptedServer, judge: JudgeServer, **keys: Any) -> RubricRecipe:
    common = {"kind": "openai", "cache": False, "backoff_s": 0.01, "attempts": 1, "deadline_s": 20.0}
    parts = {
        "author": common | {"model": "author", "base_url": author.url},
        "judge": common | {"model": "judge", "base_url": judge.url},
    }
    return RubricRecipe.model_validate({**parts, "t_max": 1, "name": "flowers", "concurrency": 2, **keys})


def test_the_served_judge_discards_exactly_what_does_not_support_its_label(
    tmp_path: Path, pairs_file: Path
) -> None:
    taste = TasteJudge.load("taste")
    console = Console(quiet=True)
    with served() as author, served(ObedientServer(taste)) as judge:
        author.script = [author_step]
        judge.down = 5
        plan = recipe(author, judge, patience=2, concurrency=1, held_out=str(pairs_file))
        first = generate(str(pairs_file), plan, tmp_path / "out", console)
        assert first.rubric is None
        assert (len(first.of("open")), len(first.of("discarded"))) == (9, 0)
        judge.down = 0
        report = generate(str(pairs_file), plan, tmp_path / "out", console)
        asked = judge.seen
    expected: list[str] = []
    for number, pair in enumerate(load_pairs(pairs_file)):
        winner, loser = taste.score([pair.first.load(), pair.second.load()])
        supports = {0: winner > loser, 1: winner < loser, 2: False}[number % 3]
        expected.append("verified" if supports else "discarded")
    assert [trial.state(1) for trial in report.trials] == expected
    assert {"verified", "discarded"} == set(expected)
    assert report.effect is not None
    assert report.effect.bare.gap == 1.0
    assert report.effect.guided.gap == 0.0
    assert report.effect.guided.accuracy is not None
    assert report.effect.guided.accuracy > 0.7
    checks = sum(2 * len(trial.rounds) for trial in report.trials)
    assert asked <= 5 + checks + 4 * 9
    assert load_rubric(tmp_path / "out" / "rubric.yaml").themes[0].name == "Washes"
    assert (tmp_path / "out" / "rubric.txt").read_text() == "1. Washes (fine)\n   - Layered washes.\n"
