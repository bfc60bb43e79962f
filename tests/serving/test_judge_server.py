"""Judges behind the chat API: what goes in and comes out over a real server is what the judge said."""

import base64
import http.client
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from chatserver import served
from painted import paint, picture_of
from salon.errors import StageError
from salon.judges.fake import FakeJudge
from salon.judges.learned.taste import TasteJudge
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.judges.vlm.prompts import critique_schema
from salon.rewards.engine import RewardEngine
from salon.rewards.preflight.checks import probe_judges
from salon.rewards.recipe import load_reward
from salon.serving.chat_protocol import in_form
from salon.serving.judge_server import JudgeServer
from salon.types import Answer, Failure, Group, Prompt, Sample, Verdict

PROMPT = Prompt(id="p", text="draw a rose\n\nQuestion: what is a rose?\n1. a flower")
A, B = picture_of(paint("love", 5)), picture_of(paint("nope", 1))
RECIPES = Path(__file__).parents[2] / "recipes"


@pytest.fixture(scope="module")
def fake() -> Iterator[JudgeServer]:
    with served(JudgeServer(FakeJudge())) as server:
        yield server


def judge_at(server: JudgeServer, **options: Any) -> OpenAIJudge:
    return OpenAIJudge("served", server.url, **{"cache": False, "deadline_s": 5.0, **options})


def test_a_verdict_arrives_with_its_probability() -> None:
    taste = TasteJudge.load("taste")
    with served(JudgeServer(taste)) as server:
        for pair in ((A, B), (B, A)):
            direct, asked = (judge.compare(PROMPT, [pair])[0] for judge in (taste, judge_at(server)))
            assert isinstance(direct, Verdict)
            assert isinstance(asked, Verdict)
            assert asked.p_a == pytest.approx(direct.p_a, abs=1e-9)
            assert asked.reason == direct.reason
        refused = judge_at(server).answer(PROMPT, A, ["Is there a rose?"])[0]
        assert isinstance(refused, Failure)
        assert "answers no questions" in refused.message


@pytest.mark.parametrize("structured", [True, False])
@pytest.mark.parametrize("first", ["verdict", "reason"])
def test_all_questions_arrive(fake: JudgeServer, structured: bool, first: Any) -> None:
    judge, direct = judge_at(fake, structured=structured, first=first), FakeJudge()
    questions = ["Is there a rose?", "Is there any text?", "Is it 1. red?"]
    assert judge.answer(PROMPT, A, questions) == direct.answer(PROMPT, A, questions)
    batched = judge_at(fake, structured=structured, first=first, batch=3)
    assert batched.answer(PROMPT, A, questions) == direct.answer(PROMPT, A, questions)
    assert judge.critique(PROMPT, A) == direct.critique(PROMPT, A)
    assert judge.compare(PROMPT, [(A, B)])[0].p_a == pytest.approx(direct.compare(PROMPT, [(A, B)])[0].p_a)  # type: ignore[union-attr]


def test_a_schema_without_room_for_more_gets_no_more(fake: JudgeServer) -> None:
    """As a client writes it from a class with one field, and reads it back."""
    schema: dict[str, Any] = {"type": "object", "properties": {"winner": {"type": "string"}}}
    for more, keys in (
        ({"additionalProperties": False, "required": ["winner"]}, {"winner"}),
        ({"required": ["winner"]}, {"winner", "reason"}),
    ):
        assert set(json.loads(compared(fake, {**schema, **more}))) == keys
    with pytest.raises(StageError, match="'confidence' is required, and there are winner, reason"):
        compared(fake, {**schema, "required": ["winner", "confidence"]})


NOTE = {"type": "object", "properties": {"text": {}}, "additionalProperties": False}
NESTED = {"note": {"text": "t", "more": 1}, "notes": [{"text": "t", "more": 1}, "plain"]}


@pytest.mark.parametrize("name", ["inline", "ref", "optional", "loop"])
def test_a_schema_without_room_at_any_depth_gets_no_more(name: str) -> None:
    note: dict[str, Any] = {
        "inline": NOTE,
        "ref": {"$ref": "#/$defs/Note"},
        "optional": {"anyOf": [{"$ref": "#/$defs/Note"}, {"type": "null"}]},
        "loop": {"$ref": "#/$defs/Loop"},
    }[name]
    schema = {
        "$defs": {"Note": NOTE, "Loop": {"$ref": "#/$defs/Loop"}},
        "properties": {"note": note, "notes": {"type": "array", "items": note}},
    }
    formed = in_form({**NESTED, "reason": "x"}, schema)
    if name == "loop":
        assert formed == {**NESTED, "reason": "x"}
        return
    assert formed == {"note": {"text": "t"}, "notes": [{"text": "t"}, "plain"], "reason": "x"}
    assert in_form({"note": None}, schema) == {"note": None}


def test_alternatives_of_alternatives_end() -> None:
    """Eight of eight of eight … of them, which would take a year, are a form that cannot be told."""
    schema = {"$defs": {"Many": {"anyOf": [{"$ref": "#/$defs/Many"}] * 1000}}, "$ref": "#/$defs/Many"}
    assert in_form(NESTED, schema) == NESTED


def test_what_is_required_at_any_depth_is_named() -> None:
    schema = {"properties": {"notes": {"items": {**NOTE, "required": ["text", "tone"]}}}}
    with pytest.raises(StageError, match=r"'notes\.0\.tone' is required, and there are text, more"):
        in_form(NESTED, schema)


def test_scores_are_of_the_aspects_that_the_schema_has() -> None:
    schema = critique_schema(["colour"])
    said = {"critique": "c", "scores": {"colour": 3, "tone": 2}, "request": "r", "more": 1}
    assert in_form(said, schema) == {"critique": "c", "scores": {"colour": 3}, "request": "r"}


def compared(server: JudgeServer, schema: dict[str, Any]) -> str:
    """What a server says about two pictures in the form of a schema."""
    urls = [f"data:image/png;base64,{base64.b64encode(picture.png).decode()}" for picture in (A, B)]
    shown = [{"type": "image_url", "image_url": {"url": url}} for url in urls]
    form = {"type": "json_schema", "json_schema": {"name": "verdict", "strict": True, "schema": schema}}
    body = {"messages": [{"role": "user", "content": shown}], "response_format": form}
    said = server.reply(body)
    assert isinstance(said, dict)
    return str(said["choices"][0]["message"]["content"])


def test_a_judge_that_is_down_is_a_failure_at_the_other_end() -> None:
    with served(JudgeServer(FakeJudge(fail_every=1))) as server:
        found = judge_at(server, attempts=2, backoff_s=0.01).compare(PROMPT, [(A, B)])[0]
    assert isinstance(found, Failure)
    assert (found.code, found.fault) == ("judge_error", "system")


def test_always_a_is_seen_over_the_wire(fake: JudgeServer) -> None:
    with served(JudgeServer(FakeJudge(always="a"))) as server:
        found = judge_at(server).compare(PROMPT, [(A, B), (B, A)])
    assert [each.p_a for each in found if isinstance(each, Verdict)] == [1.0, 1.0]


def test_a_key_is_wanted_where_one_was_set() -> None:
    with served(JudgeServer(FakeJudge(), api_key="word")) as server:
        assert isinstance(judge_at(server, api_key="word").compare(PROMPT, [(A, B)])[0], Verdict)
        refused = judge_at(server, api_key="other").compare(PROMPT, [(A, B)])[0]
    assert isinstance(refused, Failure)
    assert (refused.code, "401" in refused.message) == ("judge_refused", True)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"", "no JSON"),
        (b"[" * 100_000, "values"),
        (b"[]", "no object"),
        (b"{}", "messages"),
        (b'{"messages": [{"role": "user", "content": "hello"}]}', "0 pictures"),
        (b'{"messages": [{"role": "user", "content": "\\"winner\\""}]}', "0 pictures"),
        (b'{"messages": [3, null, {"content": {"x": 1}}]}', "0 pictures"),
    ],
)
def test_what_is_not_understood_is_refused_by_a_sentence(fake: JudgeServer, body: bytes, told: str) -> None:
    status, answer = post(fake, body)
    assert status == 422
    assert told in answer["error"]["message"]


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9/x.png", "file:///etc/passwd", "data:image/png;base64,%%%", ""]
)
def test_nothing_is_fetched(fake: JudgeServer, url: str) -> None:
    content = [{"type": "text", "text": '"scores"'}, {"type": "image_url", "image_url": {"url": url}}]
    status, answer = post(fake, json.dumps({"messages": [{"role": "user", "content": content}]}).encode())
    assert status == 422
    assert "a picture cannot be read" in answer["error"]["message"]


def post(server: JudgeServer, body: bytes) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=5)
    connection.request("POST", "/v1/chat/completions", body, {"Content-Type": "application/json"})
    reply = connection.getresponse()
    found = reply.status, json.loads(reply.read())
    connection.close()
    return found


@pytest.mark.parametrize("name", ["arena", "arena-veto", "rational", "paint-v1"])
def test_the_rewards_that_name_a_model_start_with_a_server(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    aspects = ["adherence", "recognisability", "aesthetics", "technique", "depth"]
    seen = FakeJudge(aspects=aspects, low=0, high=10) if name == "paint-v1" else FakeJudge()
    monkeypatch.setenv("SALON_CACHE", str(tmp_path))
    with served(JudgeServer(seen)) as server:
        monkeypatch.setenv("SALON_JUDGE_URL", server.url)
        engine = RewardEngine(load_reward(RECIPES / f"{name}.yaml"), seed=7)
        prompt = Prompt("rose", "only a red rose", "rose", meta={"colour": "red"})
        sketch = "function setup() { createCanvas(9, 9, WEBGL); brush.fill('#f00'); brush.circle(0, 0, 9) }"
        samples = tuple(
            Sample(f"s{n}", prompt, sketch, sketch, picture, tokens=99) for n, picture in enumerate([A, B])
        )
        scores = engine.score([Group(prompt, samples)])[0]
        asked = [term for term, plan in engine.recipe.terms.items() if plan.judge not in (None, "taste")]
        blank = replace(samples[1], picture=picture_of(Image.new("RGB", (160, 160), "white")))
        assert probe_judges(engine, samples[0], blank) == []
    for term in asked:
        assert all(s.value is not None or s.failure.code == "not_applicable" for s in scores[term]), term  # type: ignore[union-attr]
    bill = engine.bill()
    assert {term for term in asked if "not_applicable" not in str(scores[term])} <= set(bill)
    if name == "paint-v1":
        assert sum(bill[term].calls for term in asked) == 2
        assert sum(bill[term].questions for term in asked) == 10


def test_an_answer_that_does_not_apply_arrives(fake: JudgeServer) -> None:
    class Unsure(FakeJudge):
        def answer(self, prompt: Any, picture: Any, questions: Any) -> list[Answer | Failure]:
            return [Answer(None, "no text was asked for") for _ in questions]

    with served(JudgeServer(Unsure())) as server:
        assert judge_at(server).answer(PROMPT, A, ["Is it right?"]) == [Answer(None, "no text was asked for")]


def test_a_picture_that_would_fill_the_memory_is_refused(fake: JudgeServer) -> None:
    file = io.BytesIO()
    Image.new("1", (12_000, 12_000)).save(file, "PNG")
    url = f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
    parts = [{"type": "text", "text": '{"winner"'}, *({"image_url": {"url": url}} for _ in "ab")]
    connection = http.client.HTTPConnection("127.0.0.1", fake.server_address[1], timeout=200)
    connection.request(
        "POST",
        "/v1/chat/completions",
        json.dumps({"messages": [{"role": "user", "content": parts}]}),
        {"Content-Type": "application/json"},
    )
    answer = connection.getresponse()
    assert (answer.status, b"too large" in answer.read()) == (422, True)
    connection.close()


@pytest.mark.parametrize("size", ["\xb2", "-1", "9" * 5000, "1e3", ""])
def test_a_length_that_is_none_is_refused_by_a_sentence(fake: JudgeServer, size: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", fake.server_address[1], timeout=20)
    connection.putrequest("POST", "/v1/chat/completions")
    connection.putheader("Content-Length", size)
    connection.putheader("Content-Type", "application/json")
    connection.endheaders()
    assert connection.getresponse().status == 400
    connection.close()


def test_pictures_that_are_not_shrunk_are_judged_over_the_wire_as_they_are_here() -> None:
    judge = TasteJudge.load()
    wide = picture_of(paint("love", 5).resize((720, 480)))
    square = picture_of(paint("nope", 3).resize((600, 600)))
    here = judge.compare(Prompt("a", "draw a rose"), [(wide, square)])[0]
    assert judge.compare(Prompt("b", "a steam engine"), [(wide, square)])[0] == here
    assert isinstance(here, Verdict)
    with served(JudgeServer(judge)) as server:
        asked = {}
        for side in (64, 720):
            client = OpenAIJudge("taste", server.url, side=side, cache=False)
            asked[side] = client.compare(Prompt("a", "draw a rose"), [(wide, square)])[0]
    assert isinstance(asked[720], Verdict)
    assert isinstance(asked[64], Verdict)
    assert asked[720].p_a == pytest.approx(here.p_a, abs=1e-12)
    assert asked[64].p_a != pytest.approx(here.p_a, abs=1e-6)
