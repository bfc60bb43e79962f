"""Vision-language models that judge edits: the picture before is shown first, whatever they are asked."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from chatserver import served
from painted import paint, picture_of
from salon.cli import app
from salon.judges.fake import FakeJudge
from salon.judges.measuring.probe import FULLER, RED_OR_BLUE, REDDER, Case, blots, plain, probe_judge
from salon.judges.source_image import judge_of_edits
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.judges.vlm.prompts import EDIT
from salon.llm.image_encoder import ImageEncoder
from salon.serving.judge_server import JudgeServer
from salon.types import Answer, Critique, Failure, Picture, Prompt, Verdict

A, B, BEFORE = (picture_of(paint(tier, 1, 24)) for tier in ("love", "nope", "okay"))
URL = ImageEncoder(512).url
SCORES = {"text_faithfulness": 3, "physical_quality": 2, "text_rendering": None}
SAID = {
    "winner": "A",
    "reason": "warmer",
    "answer": "yes",
    "answers": [{"id": 1, "answer": "yes"}, {"id": 2, "answer": "no"}],
    "critique": "warm",
    "scores": SCORES,
    "request": "",
}


def edit(folder: Path, before: Picture = BEFORE) -> Prompt:
    (folder / "before.png").write_bytes(before.png)
    return Prompt("warm", "make it warmer", meta={"source": str(folder / "before.png")})


def shown(body: Any) -> list[str]:
    return [
        part["text"] if part["type"] == "text" else part["image_url"]["url"]
        for part in body["messages"][1]["content"]
    ]


def test_the_picture_before_is_shown_first_whatever_is_asked(tmp_path: Path) -> None:
    with served() as server:
        server.script = [json.dumps(SAID)]
        judge = OpenAIJudge("m", server.url, cache=False, before="source")
        several = OpenAIJudge("m", server.url, cache=False, before="source", batch=2)
        prompt = edit(tmp_path)
        assert isinstance(judge.compare(prompt, [(A, B)])[0], Verdict)
        assert judge.answer(prompt, A, ["Is it warm?"]) == [Answer(True, "warmer")]
        assert several.answer(prompt, A, ["Is it warm?", "Is it cold?"]) == [Answer(True), Answer(False)]
        assert isinstance(judge.critique(prompt, A), Critique)
        pair, *others = (shown(body) for body in server.seen)
        assert pair[0] == "The request was: make it warmer\n\nThe picture before:"
        assert pair[1:6] == [URL(BEFORE), "Picture A:", URL(A), "Picture B:", URL(B)]
        for parts in others:
            assert parts[1:4] == [URL(BEFORE), "The picture:", URL(A)]
        for body in server.seen:
            assert EDIT in body["messages"][0]["content"]


def test_without_the_picture_before_nobody_is_asked() -> None:
    with served() as server:
        judge = OpenAIJudge("m", server.url, cache=False, before="source")
        prompt = Prompt("warm", "make it warmer")
        found = [*judge.compare(prompt, [(A, B)] * 2), *judge.answer(prompt, A, ["a?", "b?"])]
        found.append(judge.critique(prompt, A))  # type: ignore[arg-type]
        assert len(found) == 5
        for each in found:
            assert isinstance(each, Failure)
            assert (each.code, each.fault) == ("no_picture_before", "system")
        assert server.seen == []


def test_the_shell_shows_the_picture_before_a_question_too(tmp_path: Path) -> None:
    for name, picture in (("before", BEFORE), ("after", A)):
        (tmp_path / f"{name}.png").write_bytes(picture.png)
    with served() as server:
        server.script = [json.dumps(SAID)]
        asked = ["judge", "answer", str(tmp_path / "after.png"), "--ask", "Is it warm?", "--model", "m"]
        asked += ["--base-url", server.url, "--set", "before=photo", "--set", "cache=false"]
        lost = CliRunner().invoke(app, asked)
        assert lost.exit_code == 1
        assert "Name the picture that was edited with --before" in lost.output
        assert server.seen == []
        found = CliRunner().invoke(app, [*asked, "--before", str(tmp_path / "before.png")])
        assert found.exit_code == 0, found.output
        assert URL(BEFORE) in shown(server.seen[0])


def test_an_edit_of_another_picture_is_another_question(tmp_path: Path) -> None:
    with served() as server:
        server.script = [json.dumps(SAID | {"winner": winner}) for winner in ("A", "B")]
        judge = OpenAIJudge("m", server.url, cache=str(tmp_path / "kept"), before="source")
        first = judge.compare(edit(tmp_path), [(A, B)])
        assert judge.compare(edit(tmp_path), [(A, B)]) == first
        other = judge.compare(edit(tmp_path, picture_of(paint("okay", 2, 24))), [(A, B)])[0]
        assert isinstance(other, Verdict)
        assert other.winner == "b"
        assert len(server.seen) == 2


@pytest.mark.parametrize("before", ["", "source"])
def test_only_a_judge_that_is_told_so_judges_edits(before: str) -> None:
    judge = OpenAIJudge("m", "http://127.0.0.1:1/v1", cache=False, before=before)
    assert (judge_of_edits(judge) is judge) == bool(before)
    other = OpenAIJudge("m", "http://127.0.0.1:1/v1", cache=False)
    assert (judge.identity == other.identity) == (not before)


def by_counts(asked: str, counts: Sequence[tuple[int, int]]) -> dict[str, str]:
    """What a judge that reads says of pictures with so many red stripes and so many blue ones."""
    worth = [red + blue if "paint in it" in asked else red - blue for red, blue in counts]
    if len(worth) == 1:
        return {"answer": "yes" if (worth[0] > 0) == ("more red than blue" in asked) else "no"}
    return {"winner": "A" if (worth[0] > worth[1]) == ("one with more" in asked) else "B"}


def test_the_probe_shows_an_edit_of_its_own() -> None:
    """Both orders, criteria, questions, critiques, and which of two plain pictures came first."""
    blots_of = {URL(blots(*each)): each for pair in (*REDDER, *FULLER, *RED_OR_BLUE) for each in pair}

    def step(handler: Any, body: Any) -> str:
        before, *pictures = [part for part in shown(body) if part.startswith("data:")]
        if before in blots_of:
            return json.dumps(
                {"reasoning": "so", **by_counts(json.dumps(body), [blots_of[each] for each in pictures])}
            )
        assert before in (URL(B), URL(plain("#1020e0")))
        good = pictures[0] in (URL(A), URL(plain("#e01010")))
        painted = "nothing but" not in json.dumps(body) if good else "nothing but" in json.dumps(body)
        # One of its verdicts is a tie: then it is asked which of red and blue came first.
        winner = "A" if good else "tie" if pictures[0] == URL(B) else "B"
        told = {"winner": winner, "answer": "yes" if painted else "no", "critique": "so"}
        return json.dumps(SAID | told | {"scores": SCORES | {"physical_quality": 4 if good else 1}})

    with served() as server:
        server.script = [step]
        judge = OpenAIJudge("m", server.url, cache=False, before="source")
        found = probe_judge(judge, [Case(Prompt("rose", "paint a rose"), A, B)])
        assert found.problems == ()
        assert (found.passed, found.lacks) == (("compare", "criteria", "answer", "critique"), ())
        assert "right about red and blue: a and b, wanted a and b" in found.lines


def test_a_served_judge_of_edits_gets_the_picture_before(tmp_path: Path) -> None:
    """A chat judge in front of another one, behind our own server: the verdict arrives as it was given."""
    prompt = edit(tmp_path)
    with served() as model:
        model.script = [json.dumps(SAID)]
        behind = OpenAIJudge("m", model.url, cache=False, before="source")
        with served(JudgeServer(behind)) as server:
            judge = OpenAIJudge("m", server.url, cache=False, before="source", attempts=1)
            found = judge.compare(prompt, [(A, B)])[0]
            assert isinstance(found, Verdict)
            assert found.winner == "a"
            assert isinstance(judge.critique(prompt, A), Critique)
            lost = judge.answer(prompt, A, ["Is it warm?"])[0]
            assert isinstance(lost, Failure)
            assert "answers no questions about edits" in lost.message
        first = shown(model.seen[0])
        assert [part for part in first if part.startswith("data:")] == [URL(BEFORE), URL(A), URL(B)]
        assert "make it warmer" in first[0]
        with served(JudgeServer(FakeJudge())) as server:
            judge = OpenAIJudge("m", server.url, cache=False, before="source", attempts=1)
            for each in (judge.compare(prompt, [(A, B)])[0], judge.critique(prompt, A)):
                assert isinstance(each, Failure)
                assert "judges no edits" in each.message
