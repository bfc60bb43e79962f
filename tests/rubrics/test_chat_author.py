"""What an author wrote is kept once it could be used. What it refused is asked anew, at each try and run."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from chatserver import ScriptedServer, after, served
from salon.errors import StageError
from salon.llm.usage import Account, on_account
from salon.rubrics.asking import Message, Unusable, written
from salon.rubrics.chat_author import ChatAuthor
from salon.rubrics.classify import Intent
from salon.rubrics.decompose import DecomposeRecipe, decompose
from salon.rubrics.generation.recipe import Part
from salon.rubrics.generation.structure import STEPS, structure
from salon.rubrics.journal import Journal
from salon.rubrics.replies import malformed
from salon.types import Failure, Prompt

SORRY = "I'm sorry, but I can't assist with that request."
QUESTION = [Message("user", ("Is it red?",))]
CHECKLIST = json.dumps({"questions": [{"id": "1", "ask": "Is there a rose?"}]})
THEMES = json.dumps({"themes": [{"name": "Edges", "level": "fine", "tips": ["Petals bleed."]}]})


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with served() as running:
        yield running


def author_at(server: ScriptedServer, folder: Path) -> ChatAuthor:
    return ChatAuthor("m", server.url, cache=str(folder / "kept"), attempts=1, deadline_s=5.0)


def strictly(reply: str) -> str:
    if reply == SORRY:
        raise malformed("a refusal")
    return reply.upper()


def test_a_reply_is_kept_once_it_could_be_used(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = [SORRY, SORRY, "yes"]
    for _ in range(2):
        with pytest.raises(Unusable) as refused:
            written(author_at(server, tmp_path), QUESTION, strictly)
        assert refused.value.reply == SORRY
    for _ in range(3):
        with on_account(Account()) as account:
            assert written(author_at(server, tmp_path), QUESTION, strictly) == "YES"
    assert len(server.seen) == 3
    assert (account.total.cached, account.total.questions) == (1, 1)


def test_what_is_only_written_is_not_kept_and_a_failure_never(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = [401, "one", "two"]
    author = author_at(server, tmp_path)
    found = [author.write(QUESTION) for _ in range(3)]
    assert isinstance(found[0], Failure)
    assert found[1:] == ["one", "two"]
    assert not list((tmp_path / "kept").glob("*/*"))


def test_equal_questions_at_once_are_asked_once(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = [after(1.0, "yes")]
    author = author_at(server, tmp_path)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: written(author, QUESTION, strictly), range(4)))
    assert (found, len(server.seen)) == (["YES"] * 4, 1)


def test_a_rubric_is_asked_for_anew_at_every_try(server: ScriptedServer, tmp_path: Path) -> None:
    """The complaint about two equal refusals is the same, and so is the third question: it is no answer."""
    server.script = [SORRY, SORRY, SORRY, THEMES]
    with Journal(tmp_path / "steps.jsonl", STEPS) as journal:
        found = structure(author_at(server, tmp_path), [["Petals bleed."]], journal)
    assert (found.themes[0].name, len(server.seen)) == ("Edges", 4)


def test_a_prompt_that_was_refused_is_split_by_the_next_run(server: ScriptedServer, tmp_path: Path) -> None:
    recipe = DecomposeRecipe(author=Part(kind="openai"), concurrency=1)
    server.script = [SORRY]
    for seen in (4, 8):
        lost = decompose(author_at(server, tmp_path), {"r": "a rose"}, recipe, tmp_path / "steps.jsonl")
        assert lost.failures["r"].code == "malformed_reply"
        assert len(server.seen) == seen
    server.script = [CHECKLIST]
    done = decompose(author_at(server, tmp_path), {"r": "a rose"}, recipe, tmp_path / "steps.jsonl")
    again = decompose(author_at(server, tmp_path), {"r": "a rose"}, recipe, tmp_path / "other.jsonl")
    assert done.checklists == again.checklists
    assert len(server.seen) == 9


def test_a_label_that_was_refused_is_asked_for_anew(server: ScriptedServer, tmp_path: Path) -> None:
    prompt = Prompt("p", "a rose, nothing else")
    server.script = [SORRY]
    with pytest.raises(StageError, match="malformed_reply"):
        Intent(author_at(server, tmp_path)).label(prompt)
    assert len(server.seen) == 3
    server.script = ['{"label": "strict"}']
    labels: list[Any] = [Intent(author_at(server, tmp_path)).label(prompt) for _ in range(2)]
    assert (labels, len(server.seen)) == (["strict", "strict"], 4)
