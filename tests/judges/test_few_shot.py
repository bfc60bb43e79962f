"""Comparisons of people, shown to a judge before it compares: on the wire, in the identity, in the cache."""

import json
from pathlib import Path
from typing import Any

import pytest

from chatserver import served
from painted import paint, picture_of
from salon.errors import RecipeError
from salon.judges.fake import FakeJudge
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.judges.vlm.few_shot import FewShotExamples, read_guides
from salon.llm.image_encoder import ImageEncoder
from salon.serving.judge_server import JudgeServer
from salon.types import Answer, Critique, Prompt, Verdict

PROMPT = Prompt("rose", "draw a rose")
LIKED, SCORNED, A, B = (picture_of(paint(tier, seed, 24)) for seed in (1, 2) for tier in ("love", "nope"))
URL = ImageEncoder(512).url


@pytest.fixture
def guides(tmp_path: Path) -> Path:
    """Two comparisons in a file."""
    for name, picture in (("liked", LIKED), ("scorned", SCORNED)):
        (tmp_path / f"{name}.png").write_bytes(picture.png)
    line = {"prompt": "draw an iris", "preferred": "liked.png", "dispreferred": "scorned.png"}
    rows = [line | {"reason": reason} for reason in ("Its washes overlap.", "Its stem stands.")]
    (tmp_path / "guides.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path / "guides.jsonl"


def parts(message: dict[str, Any]) -> list[str]:
    """What a message shows: its texts, and its pictures' URLs."""
    content = message["content"]
    if isinstance(content, str):
        return [content]
    return [part["text"] if part["type"] == "text" else part["image_url"]["url"] for part in content]


def test_guides_are_comparisons_that_were_answered_before(guides: Path) -> None:
    with served() as server:
        judge = OpenAIJudge("m", server.url, cache=False, guides=str(guides), first="reason")
        assert isinstance(judge.compare(PROMPT, [(A, B)])[0], Verdict)
        told = server.seen[0]["messages"]
    assert [message["role"] for message in told] == [
        "system",
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
    ]
    first, second, asked = (parts(told[place]) for place in (1, 3, 5))
    assert first[0].startswith("Example 1. The request was: draw an iris")
    assert [first[1], first[3]] == [URL(LIKED), URL(SCORNED)]
    assert [second[1], second[3]] == [URL(SCORNED), URL(LIKED)]
    assert told[2]["content"] == '{"reason": "Its washes overlap.", "winner": "A"}'
    assert told[4]["content"] == '{"reason": "Its stem stands.", "winner": "B"}'
    assert [asked[1], asked[3]] == [URL(A), URL(B)]
    assert asked[0].startswith("The request was: draw a rose")


def test_guides_as_text_are_told_without_their_pictures(guides: Path) -> None:
    with served() as server:
        judge = OpenAIJudge("m", server.url, cache=False, guides={"file": str(guides), "show": "text"})
        judge.compare(PROMPT, [(A, B)])
        told = server.seen[0]["messages"]
    assert [message["role"] for message in told] == ["system", "user"]
    assert "1. Request: draw an iris What decided: Its washes overlap." in told[0]["content"]
    assert [part for part in parts(told[1]) if part.startswith("data:")] == [URL(A), URL(B)]


def test_other_guides_are_another_judge_with_other_answers(guides: Path, tmp_path: Path) -> None:
    """Nothing that was answered without them, or with other ones, is taken for an answer with them."""
    with served() as server:
        server.script = ['{"winner": "A", "reason": "x"}', '{"winner": "B", "reason": "y"}']
        kept = {"cache": str(tmp_path / "kept")}
        plain = OpenAIJudge("m", server.url, **kept)
        shown = OpenAIJudge("m", server.url, guides=str(guides), **kept)
        told = OpenAIJudge("m", server.url, guides={"file": str(guides), "show": "text"}, **kept)
        winners = [judge.compare(PROMPT, [(A, B)])[0] for judge in (plain, shown, plain, shown)]
        assert [each.winner for each in winners if isinstance(each, Verdict)] == ["a", "b", "a", "b"]
        assert len(server.seen) == 2
        guides.write_text(guides.read_text().replace("overlap", "part"))
        reworded = OpenAIJudge("m", server.url, guides=str(guides), **kept)
        (guides.parent / "liked.png").write_bytes(A.png)
        repainted = OpenAIJudge("m", server.url, guides=str(guides), **kept)
        judges = (plain, shown, told, reworded, repainted)
        assert len({judge.identity for judge in judges}) == 5
        assert shown.with_guides(FewShotExamples()).identity == plain.identity
        assert shown.with_criteria("Soft edges.").guides == shown.guides
        assert plain.with_guides(shown.guides).identity == shown.identity


def test_critiques_and_questions_go_without_guides(guides: Path) -> None:
    scores = {"text_faithfulness": 3, "physical_quality": 2, "text_rendering": None}
    with served() as server:
        server.script = [
            json.dumps({"critique": "soft", "scores": scores, "request": ""}),
            '{"answer": "yes", "reason": "seen"}',
        ]
        judge = OpenAIJudge("m", server.url, cache=False, guides=str(guides))
        assert isinstance(judge.critique(PROMPT, A), Critique)
        assert judge.answer(PROMPT, A, ["Is it red?"]) == [Answer(True, "seen")]
        assert {len(body["messages"]) for body in server.seen} == {2}


def test_a_served_judge_sees_the_pair_and_not_the_examples(guides: Path) -> None:
    with served(JudgeServer(FakeJudge())) as server:
        plain = OpenAIJudge("fake", server.url, cache=False)
        shown = OpenAIJudge("fake", server.url, cache=False, guides=str(guides))
        pairs = [(A, B), (B, A), (LIKED, B)]
        for one, other in zip(plain.compare(PROMPT, pairs), shown.compare(PROMPT, pairs), strict=True):
            assert isinstance(one, Verdict)
            assert isinstance(other, Verdict)
            assert one.p_a == other.p_a


@pytest.mark.parametrize("kind", ["anthropic", "gemini"])
def test_guides_go_in_every_dialect(guides: Path, kind: str) -> None:
    said = '{"winner": "A", "reason": "softer"}'
    replies: dict[str, Any] = {
        "anthropic": {"content": [{"type": "text", "text": said}]},
        "gemini": {"candidates": [{"content": {"parts": [{"text": said}]}}]},
    }
    with served() as server:
        server.script = [(200, {}, json.dumps(replies[kind]).encode())]
        judge = OpenAIJudge("m", server.url, protocol=kind, api_key="k", cache=False, guides=str(guides))
        assert isinstance(judge.compare(PROMPT, [(A, B)])[0], Verdict)
        body = server.seen[0]
    turns = body["messages"] if kind == "anthropic" else body["contents"]
    answered = "assistant" if kind == "anthropic" else "model"
    assert [turn["role"] for turn in turns] == ["user", answered, "user", answered, "user"]
    assert json.dumps(turns).count("image/png") == 6


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ({"files": "x"}, "guides: write a file, or"),
        ({"file": "x", "show": "all"}, "guides: write a file, or"),
        ("nowhere.jsonl", r"nowhere\.jsonl"),
    ],
)
def test_guides_of_another_form_are_refused(key: Any, told: str) -> None:
    with pytest.raises(RecipeError, match=told):
        OpenAIJudge("m", "http://127.0.0.1:1/v1", guides=key)


def test_too_many_guides_are_refused(guides: Path) -> None:
    guides.write_text("\n".join([guides.read_text().split("\n")[0]] * 21))
    with pytest.raises(RecipeError, match="has 21 exemplars; 20 are the most"):
        read_guides(guides)
