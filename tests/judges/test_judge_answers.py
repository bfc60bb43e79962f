"""Questions, critiques and odds: what counts as an answer, and what a real server makes of asking."""

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest

from chatserver import GOOD, ScriptedServer, completion, served
from painted import paint, picture_of
from salon.errors import RecipeError, StageError
from salon.judges.vlm.answers import parse_answer, parse_answers, parse_critique
from salon.judges.vlm.chat_judge import ASPECTS, OpenAIJudge
from salon.types import Answer, Critic, Critique, Examiner, Failure, Prompt, Verdict

PROMPT = Prompt(id="p", text="draw a peach hibiscus")
A, B = picture_of(paint("love", 1)), picture_of(paint("okay", 1))
SCORES = {"text_faithfulness": 3.5, "physical_quality": 2, "text_rendering": None}
CRITIQUE = json.dumps({"critique": "soft", "scores": SCORES, "request": "softer"})


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with served() as scripted:
        yield scripted


def judge_at(server: ScriptedServer, **options: Any) -> OpenAIJudge:
    return OpenAIJudge("eye", server.url, **{"deadline_s": 5.0, "backoff_s": 0.01, "cache": False, **options})


def asked(body: dict[str, Any]) -> str:
    return body["messages"][1]["content"][-1]["text"]


# ---- parsing ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ('{"answer": "yes", "reason": "seen"}', True),
        ('{"answer": "No"}', False),
        ('{"reason": "no text asked", "answer": "N/A"}', None),
        ('```json\n{"answer": "no"}\n```', False),
        ('<think>{"answer": "yes"}</think>{"answer": "no"}', False),
        ('It wrote ``` and {"answer": "yes"} so.', True),
    ],
)
def test_an_answer_is_read(text: str, yes: bool | None) -> None:
    assert parse_answer(text).yes is yes


NO_ANSWERS = [
    "",
    "yes",
    '{"answer":',
    "{'answer': 'yes'}",
    '{"answer": true}',
    '{"answer": True}',
    '{"answer": null}',
    '{"answer": 1}',
    '{"answer": NaN}',
    '{"answer": "8/10"}',
    '{"answer": "maybe"}',
    '{"answer": "yes", "answer": "no"}',
    '{"answer": "yes"} {"answer": "no"}',
    '<think>{"answer": "yes"}',
    '[{"answer": "yes"}, {"answer": "no"}]',
    '{"winner": "A"}',
    "x" * 10_000_000,
]


@pytest.mark.parametrize("text", NO_ANSWERS, ids=range(len(NO_ANSWERS)))
def test_anything_else_is_no_answer(text: str) -> None:
    with pytest.raises(StageError) as caught:
        parse_answer(text)
    assert (caught.value.failure.code, caught.value.failure.fault) == ("malformed_verdict", "system")


def test_of_several_answers_only_the_clear_ones_count() -> None:
    rows = [
        {"id": 1, "answer": "yes"},
        {"id": 2, "answer": "perhaps"},
        {"id": 3, "answer": "no"},
        {"id": 3, "answer": "yes"},
        {"id": 4, "answer": "n/a"},
        {"id": True, "answer": "no"},
        {"id": 9, "answer": "no"},
        "5",
    ]
    found = parse_answers(json.dumps({"answers": rows}), range(1, 6))
    assert {number: answer.yes for number, answer in found.items()} == {1: True, 4: None}


@pytest.mark.parametrize("text", ['{"answers": []}', '{"answers": {"1": "yes"}}', '{"answers": null}', "[]"])
def test_a_list_without_an_answer_is_none(text: str) -> None:
    with pytest.raises(StageError):
        parse_answers(text, [1, 2])


@pytest.mark.parametrize("score", ['"8/10"', "99", "NaN", "0.99", "true", '"3"', "[3]", "Infinity", "1e400"])
def test_a_score_that_is_no_number_in_the_range_is_no_critique(score: str) -> None:
    text = f'{{"critique": "x", "scores": {{"a": {score}}}}}'
    with pytest.raises(StageError) as caught:
        parse_critique(text, ["a"], 1.0, 4.0)
    assert caught.value.failure.code == "malformed_verdict"


def test_a_critique_has_every_aspect_or_is_none() -> None:
    found = parse_critique('{"scores": {"a": 1, "b": "N/A", "c": 4}}', ["a", "b"], 1.0, 4.0)
    assert found == Critique({"a": 1.0, "b": None}, 1.0, 4.0)
    for text in ('{"scores": {"a": 1}}', '{"scores": [1, 2]}', '{"scores": null}', '{"a": 1, "b": 2}'):
        with pytest.raises(StageError):
            parse_critique(text, ["a", "b"], 1.0, 4.0)


# ---- over a server ---------------------------------------------------------------------------------------


def test_each_question_is_a_call_of_its_own_and_equal_ones_are_asked_once(server: ScriptedServer) -> None:
    server.script = [lambda handler, body: json.dumps({"answer": "yes" if "rose" in asked(body) else "no"})]
    judge = judge_at(server)
    assert isinstance(judge, Examiner)
    found = judge.answer(PROMPT, A, ["Is there a rose?", "Is it red?", "Is there a rose?"])
    assert found == [Answer(True), Answer(False), Answer(True)]
    assert len(server.seen) == 2
    schema = server.seen[0]["response_format"]["json_schema"]
    assert schema["strict"] is True
    assert list(schema["schema"]["properties"]) == ["answer", "reason"]


def test_a_batch_is_one_call_and_what_it_leaves_out_is_asked_again(server: ScriptedServer) -> None:
    questions = [f"Is there a thing {number}?" for number in range(20)]

    def forgetful(handler: Any, body: Any) -> str:
        lines = [line.split(". ") for line in asked(body).splitlines() if line[:1].isdigit()]
        rows = [{"id": int(number), "answer": "yes" if "7" in text else "no"} for number, text in lines]
        return json.dumps({"answers": rows[:-2] if len(rows) == 20 else rows})

    server.script = [forgetful]
    found = judge_at(server, batch=20).answer(PROMPT, A, questions)
    assert [answer.yes for answer in found if isinstance(answer, Answer)] == ["7" in q for q in questions]
    assert len(server.seen) == 2
    server.script = ['{"answers": [{"id": 1, "answer": "yes"}]}']
    found = judge_at(server, batch=3, attempts=2).answer(PROMPT, B, questions[:3])
    assert [type(answer) for answer in found] == [Answer, Answer, Failure]
    left_out = found[2]
    assert isinstance(left_out, Failure)
    assert (left_out.code, left_out.fault) == ("answer_missing", "system")


def test_one_question_that_fails_leaves_the_others(server: ScriptedServer) -> None:
    server.script = [lambda h, body: "mumble" if "red" in asked(body) else '{"answer": "yes"}']
    found = judge_at(server, attempts=2).answer(PROMPT, A, ["Is it red?", "Is it a rose?"])
    assert isinstance(found[0], Failure)
    assert found[1] == Answer(True)


def test_a_critique_is_written_first_and_shared_by_all_who_ask_at_once(server: ScriptedServer) -> None:
    from concurrent.futures import ThreadPoolExecutor

    from chatserver import after

    server.script = [after(0.1, CRITIQUE)]
    judge = judge_at(server)
    assert isinstance(judge, Critic)
    with ThreadPoolExecutor(5) as threads:
        found = list(threads.map(lambda _: judge.critique(PROMPT, A), range(5)))
    assert found == [Critique({**SCORES, "physical_quality": 2.0}, 1.0, 4.0, "soft", "softer")] * 5
    assert len(server.seen) == 1
    keys = list(server.seen[0]["response_format"]["json_schema"]["schema"]["properties"])
    assert keys == ["critique", "scores", "request"]
    assert all(aspect in server.seen[0]["messages"][0]["content"] for aspect in ASPECTS)


def test_a_failure_is_shared_too_and_not_kept(server: ScriptedServer) -> None:
    server.script = [401, CRITIQUE]
    judge = judge_at(server)
    assert isinstance(judge.critique(PROMPT, A), Failure)
    assert isinstance(judge.critique(PROMPT, A), Critique)


def test_criteria_are_what_it_judges_by_and_who_it_is(server: ScriptedServer, tmp_path: Any) -> None:
    rubric = tmp_path / "rubric.md"
    rubric.write_text("Light falls from one side.\n")
    judge = judge_at(server)
    other = judge.with_criteria({"file": str(rubric)})
    other.compare(PROMPT, [(A, B)])
    assert "Light falls from one side." in server.seen[0]["messages"][0]["content"]
    same = judge_at(server, criteria="Light falls from one side.")
    assert other.identity == same.identity != judge.identity
    with pytest.raises(RecipeError, match="cannot be read"):
        judge_at(server, criteria={"file": str(tmp_path / "none.md")})


@pytest.mark.parametrize("first", ["verdict", "reason"])
def test_verdict_or_reason_first(server: ScriptedServer, first: Any) -> None:
    judge_at(server, first=first).compare(PROMPT, [(A, B)])
    keys = list(server.seen[0]["response_format"]["json_schema"]["schema"]["properties"])
    told = server.seen[0]["messages"][0]["content"]
    assert (keys[0] == "winner") == (first == "verdict")
    assert (told.index('"winner"') < told.index('"reason"')) == (first == "verdict")


def with_odds(pieces: list[str], at: int, odds: dict[str, float]) -> dict[str, Any]:
    """A completion of these tokens; at one of them, what else could have stood there."""
    said = completion("".join(pieces))
    tokens = [{"token": piece, "logprob": -0.1, "top_logprobs": []} for piece in pieces]
    tokens[at]["top_logprobs"] = [{"token": t, "logprob": math.log(p)} for t, p in odds.items()]
    said["choices"][0]["logprobs"] = {"content": tokens}
    return said


@pytest.mark.parametrize(
    ("pieces", "at", "odds", "p_a"),
    [
        (['{"', "winner", '":', ' "', "A", '"}'], 4, {"A": 0.7, "B": 0.2, "tie": 0.1}, 0.75),
        (['{"winner', '": "', "B", '"}'], 2, {"B": 0.6, "A": 0.3, "\n": 0.1}, 1 / 3),
        (['{"winner":', ' "A', '"}'], 1, {' "A': 0.9, ' "B': 0.1, "{": 0.05}, 0.9),
        (['{"reason": "A is soft", "winner": "', "t", 'ie"}'], 1, {"t": 0.5, "A": 0.5}, 0.75),
        (['<think>{"winner": "', "A", '"}</think>{"winner": "', "B", '"}'], 3, {"A": 0.25, "B": 0.75}, 0.25),
    ],
)
def test_log_probabilities_say_how_sure_a_verdict_is(
    server: ScriptedServer, pieces: list[str], at: int, odds: dict[str, float], p_a: float
) -> None:
    server.script = [with_odds(pieces, at, odds)]
    verdict = judge_at(server).compare(PROMPT, [(A, B)])[0]
    assert isinstance(verdict, Verdict)
    assert verdict.p_a == pytest.approx(p_a)
    assert server.seen[0]["logprobs"] is True


@pytest.mark.parametrize(
    "before",
    [["```", "json", "\n"], ["<think>", '{"winner": "', "B", '"}', "</think>"]],
    ids=["fence", "thinking"],
)
def test_an_answer_may_be_a_part_of_what_was_generated(server: ScriptedServer, before: list[str]) -> None:
    said = with_odds([*before, '{"winner": "', "A", '"}', "\n```"], len(before) + 1, {"A": 0.75, "B": 0.25})
    said["choices"][0]["message"]["content"] = '{"winner": "A"}'
    server.script = [said]
    verdict = judge_at(server).compare(PROMPT, [(A, B)])[0]
    assert isinstance(verdict, Verdict)
    assert verdict.p_a == pytest.approx(0.75)


def test_odds_that_cannot_be_placed_are_not_used(server: ScriptedServer) -> None:
    strange = with_odds(['{"winner": "', "B", '"}'], 1, {"A": 0.4, "B": 0.6})
    strange["choices"][0]["message"]["content"] = GOOD
    nothing = with_odds(['{"winner": "', "A", '"}'], 1, {"x": 0.5})
    for said in (strange, nothing, {**completion(GOOD), "logprobs": 3}):
        server.script = [said]
        verdict = judge_at(server).compare(PROMPT, [(A, B)])[0]
        assert isinstance(verdict, Verdict)
        assert verdict.p_a == 1.0


@pytest.mark.parametrize(
    ("told", "key", "kept"),
    [
        ("Invalid parameter: response_format json_schema is not supported", "response_format", "logprobs"),
        ("logprobs are not supported with this model", "logprobs", "response_format"),
        ("temperature does not support 0 with this model", "temperature", "logprobs"),
        ("Unsupported parameter: max_tokens. Use max_completion_tokens instead.", "max_tokens", "logprobs"),
        ("bad request", "logprobs", "model"),
    ],
)
def test_a_wish_that_the_server_does_not_know_is_dropped_once(
    server: ScriptedServer, told: str, key: str, kept: str
) -> None:
    def picky(handler: Any, body: dict[str, Any]) -> Any:
        return (400, {}, json.dumps({"error": {"message": told}}).encode()) if key in body else GOOD

    server.script = [picky]
    judge = judge_at(server)
    pairs = [(A, B), (B, A)]
    assert all(isinstance(judge.compare(PROMPT, [pair])[0], Verdict) for pair in pairs)
    assert [key in body for body in server.seen] == [True, False, False]
    assert kept in server.seen[-1]
    if key == "max_tokens":
        assert server.seen[-1]["max_completion_tokens"] == 1024


def test_a_typing_error_in_a_setting_is_named(server: ScriptedServer) -> None:
    with pytest.raises(RecipeError, match="'concurrency'"):
        judge_at(server, concurency=3)
    with pytest.raises(RecipeError, match="'criteria'"):
        judge_at(server, critria="x")
    with pytest.raises(RecipeError, match="concurrency"):
        judge_at(server, concurrency=0)
    with pytest.raises(RecipeError, match="first"):
        judge_at(server, first="last")
    with pytest.raises(RecipeError, match="no address"):
        OpenAIJudge("eye", "localhost:8000")
    with pytest.raises(RecipeError, match="price"):
        judge_at(server, budget={"usd": 1})
