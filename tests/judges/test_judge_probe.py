"""The start-up probe: judges that are fit pass, and each kind that is not is refused with its reason."""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner

from chatserver import ScriptedServer, served
from painted import paint, picture_of
from salon import registry
from salon.cli import app
from salon.errors import RecipeError
from salon.judges.fake import FakeJudge
from salon.judges.learned.taste import TasteJudge
from salon.judges.measuring.probe import Case, probe_judge
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.serving.judge_server import JudgeServer
from salon.types import Prompt

LOVE = picture_of(paint("love", 5))
PAPER = picture_of(Image.new("RGB", (160, 160), "white"))
ROSE = Prompt("rose", "draw a rose")
CASES = [Case(ROSE, LOVE, PAPER), Case(ROSE, picture_of(paint("love", 3)), picture_of(paint("nope", 3)))]


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with served() as scripted:
        yield scripted


def at(url: str, **options: Any) -> OpenAIJudge:
    options = {"deadline_s": 2.0, "backoff_s": 0.01, "cache": False, "attempts": 2} | options
    return OpenAIJudge("eye", url, **options)


def test_judges_that_see_pass_here_and_over_the_wire() -> None:
    for judge, asks in ((FakeJudge(), ("compare", "answer", "critique")), (TasteJudge.load(), ("compare",))):
        direct = probe_judge(judge, CASES[:1], asks)  # type: ignore[arg-type]
        assert direct.problems == ()
        with served(JudgeServer(judge)) as server:
            wired = probe_judge(at(server.url), CASES[:1], asks)  # type: ignore[arg-type]
        assert wired.problems == ()
        assert wired.lines == direct.lines


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('{"winner": "A"}', "always says the same, whatever it is shown: the first picture wins"),
        ('{"winner": "B"}', "always says the same, whatever it is shown: the second picture wins"),
        ('{"winner": "tie"}', "always says the same, whatever it is shown: a tie"),
        ("A", "does not answer (malformed_verdict"),
        (401, "does not answer (judge_refused"),
    ],
)
def test_a_judge_that_does_not_look_is_refused(server: ScriptedServer, said: Any, told: str) -> None:
    server.script = [said]
    assert told in probe_judge(at(server.url), CASES, ("compare",)).problems[0]


def test_a_server_that_moves_pictures_is_refused() -> None:
    class Moving(JudgeServer):
        """Hands the model both pictures in one fixed order, wherever they stood in the conversation."""

        def reply(self, body: Any) -> Any:
            content = body["messages"][1]["content"]
            images = sorted((part for part in content if "image_url" in part), key=str)
            rest = iter(images)
            moved = [next(rest) if "image_url" in part else part for part in content]
            return super().reply({**body, "messages": [body["messages"][0], {"content": moved}]})

    with served(Moving(FakeJudge())) as server:
        problem = probe_judge(at(server.url), CASES, ("compare",)).problems[0]
    assert (
        "always says the same" in problem or "does not know which of two pictures was shown first" in problem
    )


def test_one_that_knows_the_order_but_prefers_the_bad_one_is_refused(server: ScriptedServer) -> None:
    class Contrary(FakeJudge):
        def compare(self, prompt: Any, pairs: Any) -> Any:
            return super().compare(prompt, [(b, a) for a, b in pairs])

    problem = probe_judge(Contrary(), CASES[:1], ("compare",)).problems[0]
    assert "prefers the good picture in 0 of 1 pairs" in problem


def test_answers_that_never_change_are_refused(server: ScriptedServer) -> None:
    server.script = ['{"answer": "yes"}']
    problem = probe_judge(at(server.url), CASES, ("answer",)).problems[0]
    assert "about a painting and about blank paper alike" in problem
    server.script = ['{"answers": [{"id": 1, "answer": "no"}, {"id": 2, "answer": "no"}]}']
    assert probe_judge(at(server.url, batch=5), CASES, ("answer",)).problems


def test_a_batch_that_comes_back_as_one_answer_is_refused() -> None:
    class Lumping(FakeJudge):
        def answer(self, prompt: Any, picture: Any, questions: Any) -> Any:
            return super().answer(prompt, picture, [questions[0]]) * len(questions)

    with served(JudgeServer(Lumping())) as server:
        problem = probe_judge(at(server.url, batch=5), CASES, ("answer",)).problems[0]
        assert "Set `batch: 1`" in problem
        assert probe_judge(at(server.url, batch=1), CASES, ("answer",)).problems == ()


def test_critiques_that_never_change_are_refused(server: ScriptedServer) -> None:
    scores = '"text_faithfulness": 3, "physical_quality": 3, "text_rendering": null'
    server.script = [f'{{"scores": {{{scores}}}}}']
    assert "alike (3.00)" in probe_judge(at(server.url), CASES, ("critique",)).problems[0]


def test_what_a_server_cannot_do_is_skipped_unless_it_is_needed(server: ScriptedServer) -> None:
    with served(JudgeServer(TasteJudge.load())) as able:
        found = probe_judge(at(able.url), CASES[:1], needed=False)
        assert found.problems == ()
        assert [line.partition(":")[0] for line in found.lines[1:]] == ["criteria", "answer", "critique"]
        assert found.lines[2] == "answer: skipped, it says that it answers none"
        assert "the server says that it cannot (" in found.lines[3]
        assert found.lines[3].endswith("writes no critiques)")
        assert len(probe_judge(at(able.url), CASES[:1]).problems) == 3
    server.script = [422]
    assert "can do nothing" in probe_judge(at(server.url), CASES, needed=False).problems[0]
    server.script = [401]
    assert "judge_refused" in probe_judge(at(server.url), CASES, needed=False).problems[0]


class Own:
    """Somebody's own judge, which raises or returns whatever it is told to."""

    identity = "own"

    def __init__(self, does: Callable[[], Any]) -> None:
        self.does = does

    def compare(self, prompt: Any, pairs: Any) -> Any:
        return self.does()

    def with_criteria(self, criteria: str) -> "Own":
        return self

    def answer(self, prompt: Any, picture: Any, questions: Any) -> Any:
        return self.does()

    def critique(self, prompt: Any, picture: Any) -> Any:
        return self.does()


def raising(error: BaseException) -> Any:
    raise error


BROKEN: list[tuple[Callable[[], Any], str]] = [
    (lambda: raising(ValueError("no weights here")), "ValueError: no weights here"),
    (lambda: raising(KeyError("A")), "KeyError: 'A'"),
    (lambda: raising(RecursionError("deep")), "RecursionError"),
    (lambda: None, "TypeError"),
    (lambda: [0.5, 0.5], "it returned .* where a Verdict"),
    (lambda: [], "Error"),
]


@pytest.mark.parametrize(("does", "told"), BROKEN)
def test_a_judge_that_raises_is_told_by_what_it_was_asked_for(does: Callable[[], Any], told: str) -> None:
    found = probe_judge(Own(does), CASES[:1])
    assert found.passed == ()
    assert len(found.problems) == 4
    for asked, problem in zip(
        ("compare", "go by criteria", "answer questions", "write a critique"), found.problems, strict=True
    ):
        assert re.search(rf"asked to {asked}: .*({told})", problem)


def test_what_it_reads_may_raise() -> None:
    class Shy(Own):
        @property
        def reads(self) -> Any:
            raise KeyError("nothing today")

    [problem] = probe_judge(Shy(list), CASES[:1]).problems
    assert problem == "what it reads cannot be told: KeyError: 'nothing today'"


JUDGE = """
class Judge:
    identity = "mine"
    def compare(self, prompt, pairs): raise ValueError("no weights here")
    def answer(self, prompt, picture, questions): return None
    def critique(self, prompt, picture): raise KeyError("A")
"""


def test_at_the_shell_it_is_named_and_no_traceback_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_judge.py").write_text(JUDGE)
    (tmp_path / "a.png").write_bytes(LOVE.png)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(registry, "_allowed", set())

    def run(*words: str) -> Any:
        return CliRunner().invoke(
            app, ["judge", *words, "--judge", "own_judge:Judge", "--allow", "own_judge"]
        )

    probed = run("probe")
    assert probed.exit_code == 1
    assert "wrong: it raises or answers in no form that can be read, asked to compare:" in probed.stdout
    assert "ValueError: no weights here" in probed.stdout
    assert "mine: refused" in probed.stdout
    for words, told in (
        (("compare", "a.png", "a.png"), "ValueError: no weights here"),
        (("compare", "a.png", "a.png", "a.png"), "ValueError: no weights here"),
        (("answer", "a.png", "-q", "Is it red?"), "TypeError"),
        (("critique", "a.png"), "KeyError: 'A'"),
    ):
        found = run(*words).exception
        assert isinstance(found, RecipeError)
        assert str(found).startswith("the judge own_judge:Judge raises or answers in no form")
        assert told in str(found)
