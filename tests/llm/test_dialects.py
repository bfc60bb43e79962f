"""Anthropic's Messages and Gemini's generateContent: what is sent and what is read, over a real server."""

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest

from chatserver import GOOD, ScriptedServer, served
from painted import paint, picture_of
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.llm.settings import server_settings
from salon.registry import resolve
from salon.types import Answer, Failure, Prompt, Verdict

PROMPT = Prompt(id="p", text="draw a rose")
A, B = picture_of(paint("love", 1)), picture_of(paint("okay", 1))


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with served() as scripted:
        yield scripted


def judge_at(kind: str, server: ScriptedServer, **options: Any) -> OpenAIJudge:
    options = {"cache": False, "deadline_s": 3.0, "backoff_s": 0.01, "attempts": 2} | options
    return resolve("judge", kind)(model="eye", base_url=server.url, **options)


def said(data: Any) -> tuple[int, dict[str, str], bytes]:
    return 200, {}, json.dumps(data).encode()


def claude(text: str, **more: Any) -> Any:
    blocks = [{"type": "thinking", "thinking": '{"winner": "B"}'}, {"type": "text", "text": text}]
    usage = {"input_tokens": 700, "output_tokens": 9}
    return said({"content": blocks, "stop_reason": "end_turn", "usage": usage, **more})


def gemini(text: str, **more: Any) -> Any:
    parts = [{"text": '{"winner": "B"}', "thought": True}, {"text": text}]
    usage = {"promptTokenCount": 500, "candidatesTokenCount": 8, "thoughtsTokenCount": 2}
    candidate = {"content": {"parts": parts}, "finishReason": "STOP", **more}
    return said({"candidates": [candidate], "usageMetadata": usage})


def test_anthropic(server: ScriptedServer) -> None:
    server.script = [claude(GOOD)]
    judge = judge_at("anthropic", server, api_key="word")
    assert judge.compare(PROMPT, [(A, B)]) == [Verdict(1.0, judge.identity, "softer")]
    body, headers = server.seen[0], server.headers_seen[0]
    assert server.paths == ["/v1/messages"]
    assert (headers["x-api-key"], headers["anthropic-version"]) == ("word", "2023-06-01")
    assert "Authorization" not in headers
    assert '"winner"' in body["system"]
    assert set(body) == {"model", "max_tokens", "temperature", "system", "messages", "output_config"}
    content = body["messages"][0]["content"]
    assert [part["type"] for part in content] == ["text", "image", "text", "image", "text"]
    assert content[1]["source"]["media_type"] == "image/png"
    assert content[1]["source"]["data"] == judge._shown.url(A).partition(",")[2]
    assert list(body["output_config"]["format"]["schema"]["properties"]) == ["winner", "reason"]
    spent = judge.server.spent
    assert (spent.tokens_in, spent.tokens_out) == (700, 9)


def test_gemini(server: ScriptedServer) -> None:
    pieces = ['{"winner": "', "A", '"}']
    odds = [{"token": "A", "logProbability": math.log(0.8)}, {"token": "B", "logProbability": math.log(0.2)}]
    chosen = [{"token": piece, "logProbability": -0.1} for piece in pieces]
    result = {"chosenCandidates": chosen, "topCandidates": [{"candidates": []}, {"candidates": odds}, {}]}
    server.script = [gemini("".join(pieces), logprobsResult=result)]
    judge = judge_at("gemini", server, api_key="word")
    verdict = judge.compare(PROMPT, [(A, B)])[0]
    assert isinstance(verdict, Verdict)
    assert verdict.p_a == pytest.approx(0.8)
    assert server.paths == ["/v1/models/eye:generateContent"]
    assert server.headers_seen[0]["x-goog-api-key"] == "word"
    body = server.seen[0]
    assert '"winner"' in body["systemInstruction"]["parts"][0]["text"]
    assert body["contents"][0]["parts"][1]["inlineData"]["mimeType"] == "image/png"
    config = body["generationConfig"]
    assert (config["temperature"], config["maxOutputTokens"], config["responseLogprobs"]) == (0.0, 1024, True)
    assert list(config["responseJsonSchema"]["properties"]) == ["winner", "reason"]
    spent = judge.server.spent
    assert (spent.tokens_in, spent.tokens_out) == (500, 10)


@pytest.mark.parametrize(("kind", "form"), [("anthropic", claude), ("gemini", gemini)])
def test_questions_failures_and_nonsense(kind: str, form: Any, server: ScriptedServer) -> None:
    server.script = [form('{"answer": "no"}')]
    assert judge_at(kind, server).answer(PROMPT, A, ["Is it red?"]) == [Answer(False)]
    for bad in ({}, [], {"content": None}, {"candidates": []}, {"error": "x"}, {"candidates": [{}]}, 3):
        server.script = [said(bad)]
        found = judge_at(kind, server).answer(PROMPT, A, ["Is it red?"])[0]
        assert isinstance(found, Failure)
        assert (found.code, found.fault) == ("malformed_verdict", "system")
    server.script = [529, form(GOOD)]
    server.seen.clear()
    assert isinstance(judge_at(kind, server).compare(PROMPT, [(A, B)])[0], Verdict)


@pytest.mark.parametrize(
    ("kind", "form", "told", "gone"),
    [
        (
            "anthropic",
            claude,
            "output_config.format: extra inputs are not permitted: schema",
            "output_config",
        ),
        ("gemini", gemini, "Logprobs is not enabled for models/eye: responseLogprobs", "responseLogprobs"),
    ],
)
def test_a_wish_that_is_refused_is_dropped(
    kind: str, form: Any, told: str, gone: str, server: ScriptedServer
) -> None:
    def picky(handler: Any, body: Any) -> Any:
        return (
            (400, {}, json.dumps({"error": {"message": told}}).encode()) if gone in str(body) else form(GOOD)
        )

    server.script = [picky]
    judge = judge_at(kind, server)
    assert isinstance(judge.compare(PROMPT, [(A, B)])[0], Verdict)
    assert isinstance(judge.compare(PROMPT, [(B, A)])[0], Verdict)
    assert [gone in str(body) for body in server.seen] == [True, False, False]


@pytest.mark.parametrize(
    ("protocol", "variable", "host"),
    [
        ("openai", "OPENAI_API_KEY", "api.openai.com"),
        ("anthropic", "ANTHROPIC_API_KEY", "api.anthropic.com"),
        ("gemini", "GEMINI_API_KEY", "generativelanguage.googleapis.com"),
    ],
)
def test_each_has_its_address_and_its_key(
    protocol: str, variable: str, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "word")
    settings = server_settings({"model": "m", "protocol": protocol})
    assert f"https://{host}/" in settings.address
    assert settings.key_for(host) == "word"
    assert settings.key_for("127.0.0.1") == ""
