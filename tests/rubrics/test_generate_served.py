"""ARR end to end over two real servers: a scripted author, and the learned judge behind the chat API."""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from chatserver import ScriptedServer, served
from salon.errors import RecipeError, StageError
from salon.judges.learned.taste import TasteJudge
from salon.judges.pixel_judge import PixelJudge
from salon.pool import Pool
from salon.rubrics.generation.generate import generate
from salon.rubrics.generation.pairs import load_pairs, pool_pairs, write_pairs
from salon.rubrics.generation.recipe import RubricRecipe
from salon.rubrics.rubric import load_rubric
from salon.serving.judge_server import JudgeServer
from salon.types import Failure, Judge, Picture, Prompt, Verdict

CLAIMS = ("layered washes", "bare scratches", "whatever stands first")
RUBRIC = {"themes": [{"name": "Washes", "level": "fine", "tips": ["Layered washes."]}], "summary": ""}


class Reader:
    """The learned judge, that says it reads criteria: of more red it does; others a server applies."""

    reads = frozenset({"criterion"})

    def __init__(self, taste: TasteJudge) -> None:
        self.taste, self.identity = taste, taste.identity

    def with_criteria(self, criteria: str) -> Judge:
        try:
            return PixelJudge().with_criteria(criteria)
        except StageError:
            return self

    def compare(self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]]) -> list[Verdict | Failure]:
        return self.taste.compare(prompt, pairs)


STARTING = " in it. Nothing else counts."
"""Words of the start-up check, which no server of this file interferes with."""


class ObedientServer(JudgeServer):
    """The learned judge, that goes by the criteria in the system message: washes as it sees it, scratches
    the other way round, else whatever is shown first. `down` questions are refused.
    """

    down = 0
    seen = 0

    def reply(self, body: Mapping[str, Any]) -> dict[str, Any]:
        told = body["messages"][0]["content"]
        if STARTING in told:
            return super().reply(body)
        self.seen += 1
        if self.down:
            self.down -= 1
            raise ConnectionError("gone")
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


@pytest.fixture(scope="module")
def pairs_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nine pairs, to be read and not written to."""
    file = tmp_path_factory.mktemp("pairs") / "pairs.jsonl"
    write_pairs(pool_pairs(Pool.load("flowers"), 9, "train", seed=5), file)
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    file.write_text("\n".join(json.dumps(row | {"prompt": f"pair {n}"}) for n, row in enumerate(rows)))
    return file


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
    with served() as author, served(ObedientServer(Reader(taste))) as judge:
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
    # The control asks by no criteria and by another pair's, beside what is asked again of its own.
    assert asked <= 5 + checks + 4 * 9 + 6 * 9
    assert report.control is not None
    assert [each.accuracy for each in report.control.rates][1] == 0.5
    assert 0 < report.control.counting <= expected.count("verified")
    assert load_rubric(tmp_path / "out" / "rubric.yaml").themes[0].name == "Washes"
    assert (tmp_path / "out" / "rubric.txt").read_text() == "1. Washes (fine)\n   - Layered washes.\n"


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_sixty_pairs_of_the_pool_end_as_the_served_judge_sees_them(tmp_path: Path) -> None:
    """Every fourth author learns: it claims scratches, and washes once it hears that these do not hold. One
    of both supports each label; the others are discarded exactly where their claim does not hold.
    """
    taste = TasteJudge.load("taste")
    drawn = pool_pairs(Pool.load("flowers"), 60, "train", seed=11)
    write_pairs(drawn, tmp_path / "pairs.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text().splitlines()]
    numbered = [json.dumps(row | {"prompt": f"pair {n}"}) for n, row in enumerate(rows)]
    (tmp_path / "pairs.jsonl").write_text("\n".join(numbered))
    write_pairs(pool_pairs(Pool.load("flowers"), 12, "held_out", seed=2), tmp_path / "held.jsonl")
    with served() as author, served(ObedientServer(Reader(taste))) as judge:
        author.script = [learning_author_step]
        plan = recipe(author, judge, concurrency=4, held_out=str(tmp_path / "held.jsonl"))
        report = generate(str(tmp_path / "pairs.jsonl"), plan, tmp_path / "out", Console(quiet=True))
    expected: list[tuple[str, int]] = []
    for number, pair in enumerate(load_pairs(tmp_path / "pairs.jsonl")):
        winner, loser = taste.score([pair.first.load(), pair.second.load()])
        holds = {0: winner > loser, 1: winner < loser, 2: False, 3: True}[number % 4]
        rounds = 1 if holds and (number % 4 != 3 or winner < loser) else 2
        expected.append(("verified" if holds else "discarded", rounds))
    assert [(trial.state(1), len(trial.rounds)) for trial in report.trials] == expected
    assert {rounds for state, rounds in expected if state == "verified"} == {1, 2}
    assert [(count.checked, count.passed) for count in report.rounds()] == [
        (60, sum(rounds == 1 for _, rounds in expected)),
        (
            sum(rounds == 2 for _, rounds in expected),
            sum(each == ("verified", 2) for each in expected),
        ),
    ]
    assert report.effect is not None
    assert (report.effect.bare.gap, report.effect.guided.gap) == (1.0, 0.0)
    assert report.effect.guided.accuracy is not None
    assert report.effect.guided.accuracy > 0.7


def learning_author_step(handler: Any, body: Mapping[str, Any]) -> str:
    """Claims by the pair's number; whoever learns claims washes when it is asked again."""
    asked = [message["content"] for message in body["messages"] if isinstance(message["content"], list)]
    if not asked:
        return json.dumps(RUBRIC)
    number = re.search(r"pair (\d+)", asked[0][0]["text"])
    assert number
    place = int(number[1]) % 4
    again = "Your criteria were" in json.dumps(body["messages"])
    claim = CLAIMS[place] if place < 3 else CLAIMS[0] if again else CLAIMS[1]
    return json.dumps({"criteria": [f"The sheet shows {claim}."]})


class EasilyLed(JudgeServer):
    """A judge of scratches, that learns from examples what washes are worth: without them it takes what it
    should not; with them, in any turn before, it judges as the learned judge does.
    """

    shown = 0

    def reply(self, body: Mapping[str, Any]) -> dict[str, Any]:
        said = super().reply(body)
        led = [message for message in body["messages"] if message["role"] == "assistant"]
        if STARTING in body["messages"][0]["content"]:
            return said
        self.shown += bool(led)
        if led:
            return said
        message = said["choices"][0]["message"]
        message["content"] = json.dumps(json.loads(message["content"]) | {"winner": "A"})
        said["choices"][0]["logprobs"] = None
        return said


def guides_from(folder: Path, count: int, seed: int) -> Path:
    """Exemplars from pairs of the pool, in a folder of their own."""
    folder.mkdir()
    drawn = pool_pairs(Pool.load("flowers"), count, "held_out", seed=seed)
    lines: list[str] = []
    for number, pair in enumerate(drawn):
        names = {"preferred": f"{number}-a.png", "dispreferred": f"{number}-b.png"}
        for name, source in zip(names.values(), (pair.first, pair.second), strict=True):
            (folder / name).write_bytes(source.load().png)
        lines.append(json.dumps({"prompt": "a flower", "reason": "Layered washes.", **names}))
    (folder / "guides.jsonl").write_text("\n".join(lines))
    return folder / "guides.jsonl"


@pytest.mark.parametrize("where", ["recipe", "judge"])
def test_the_effect_of_guides_stands_beside_that_of_the_rubric(
    tmp_path: Path, pairs_file: Path, where: str
) -> None:
    guides = str(guides_from(tmp_path / "exemplars", 2, seed=3))
    with served() as author, served(EasilyLed(Reader(TasteJudge.load("taste")))) as judge:
        author.script = [guided_author_step]
        plan = recipe(author, judge, held_out=str(pairs_file), verify="label-aware", control=False)
        if where == "judge":
            led = plan.judge.model_copy(update={"guides": guides}) if plan.judge else None
            plan = plan.model_copy(update={"judge": led})
        else:
            plan = plan.model_copy(update={"guides": guides})
        report = generate(str(pairs_file), plan, tmp_path / "out", Console(quiet=True))
        assert judge.shown == 2 * 9
    assert report.effect is not None
    assert report.effect.shown is not None
    assert (report.effect.bare.gap, report.effect.guided.gap) == (1.0, 1.0)
    assert report.effect.shown.found.gap == 0.0
    assert report.effect.shown.gain is not None
    assert report.effect.shown.gain > 0.2
    told = (tmp_path / "out" / "report.md").read_text()
    assert "| with rubric and guides |" in told
    assert "; with guides too +0." in told
    row = json.loads((tmp_path / "out" / "report.json").read_text())["held_out"]["with_rubric_and_guides"]
    assert row["gap"] == 0.0


def guided_author_step(handler: Any, body: Mapping[str, Any]) -> str:
    """Claims washes of every pair, supports every label, and merges into one theme."""
    last = body["messages"][-1]["content"]
    if not isinstance(last, list):
        return json.dumps(RUBRIC)
    return json.dumps({"criteria": ["The sheet shows layered washes."], "supports": True, "critique": ""})


def test_guides_from_the_pairs_that_are_measured_on_are_refused(tmp_path: Path, pairs_file: Path) -> None:
    file = shutil.copytree(pairs_file.parent, tmp_path / "pairs") / pairs_file.name
    row = json.loads(file.read_text().split("\n")[4])
    liked, other = (row[side] for side in (("a", "b") if row["preferred"] == "a" else ("b", "a")))
    line = {"prompt": "a flower", "preferred": liked, "dispreferred": other, "reason": "Washes."}
    file.with_name("guides.jsonl").write_text(json.dumps(line))
    with served() as author, served(JudgeServer(TasteJudge.load("taste"))) as judge:
        plan = recipe(author, judge, held_out=str(file), guides=str(file.with_name("guides.jsonl")))
        with pytest.raises(RecipeError, match=re.escape(f"guides: show the pair {row['id']}, which is held")):
            generate(str(file), plan, tmp_path / "out", Console(quiet=True))
        assert author.seen == []
