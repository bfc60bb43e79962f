"""What a judge wrote and did not finish, or hid in its thinking: no answer, asked again, and never kept."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import scaling
from chatserver import GOOD, ScriptedServer, served
from painted import paint, picture_of
from salon.errors import StageError
from salon.judges.vlm.answers import parse_answer, parse_answers, parse_critique
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.judges.vlm.rational import RationalJudge
from salon.judges.vlm.verdicts import parse_verdict, verdict_of
from salon.llm.chat_client import MOST_ROOM, ChatClient
from salon.llm.completion import CUT, ENDED, STOPPED, Completion, read_completion, whole
from salon.llm.dialects import DIALECTS
from salon.llm.thinking import without_thinking
from salon.rubrics.asking import Message
from salon.rubrics.chat_author import ChatAuthor
from salon.rubrics.decompose import DecomposeRecipe, decompose
from salon.rubrics.generation.recipe import Part
from salon.types import Answer, Critique, Failure, Prompt, Verdict

PROMPT = Prompt("p", "draw a rose")
A, B = picture_of(paint("love", 1, side=48)), picture_of(paint("okay", 1, side=48))
DRAFT = 'First draft: {"winner": "A"}. But wait, B is'


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with served() as scripted:
        yield scripted


def cut(text: str, ended: Any = "length") -> dict[str, Any]:
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": ended}
    return {"choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": 9}}


def test_a_draft_that_was_cut_is_no_verdict() -> None:
    with pytest.raises(StageError, match="max_tokens") as caught:
        verdict_of(Completion(DRAFT, cut=True))
    assert caught.value.failure.code == "malformed_verdict"
    with pytest.raises(StageError):
        verdict_of(Completion(GOOD, cut=True))
    assert verdict_of(Completion(GOOD))[0] == 1.0


NOTHING = [
    '◁think▷A has soft washes, so {"winner": "A"}',
    '[THINK]A has soft washes, so {"winner": "A"}',
    '<think>{"winner": "A"}',
    '<thinking effort="high">{"winner": "A"}',
    '<THINK>{"winner": "A"}',
    '<seed:think>{"winner": "A"}',
    '<|think|>{"winner": "A"}',
    '<thought>{"winner": "A"}',
    '<reasoning>{"winner": "A"}',
    '<|begin_of_thought|>{"winner": "A"}',
    '<|START_THINKING|>{"winner": "A"}',
    '<|channel|>analysis<|message|>A is softer: {"winner": "A"}',
    '<|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>commentary<|message|>{"winner": "A"}',
    '<|channel>thought\nA is softer: {"winner": "A"}',
    'analysisWe compare. A is softer: {"winner": "A"}',
    '<unused94>thought {"winner": "A"}',
    '<|inner_prefix|>{"winner": "A"}',
    'Here is my thought process: A is softer {"winner": "A"}',
    '<think>A</think>so <think>or rather {"winner": "A"}',
    '◁think▷A◁/think▷ ◁think▷no, {"winner": "A"}',
    'First:\n```json\n{"winner": "A"}\n```\nThen:\n```json\n{"winner": "B"',
    '```json\n{"winner": "A"}',
    '~~~\n{"winner": "A"}\nand then',
    '{"winner": "A"} No: {"winner": "B',
    '{"winner": "A"} No: {"reason": "the other one", "win',
    '{"winner": "A", "reason": "soft washes and',
    "The winner is A",
    '{"winner": "A", "reason": "the label reads {"winner": "B"} "}',
    """{"winner": "A"} no wait, {'winner': 'B'}""",
    '{"winner": "A"} no wait, {winner: "B"}',
    '{“winner”: “B”} or {"winner": "A"}',
    '[think]{"winner": "A"}',
    '[thinking] {"winner": "A"}',
    '&lt;think&gt;{"winner": "A"}',
    '＜think＞{"winner": "A"}',
    '<|im_start|>thought\n{"winner": "A"}',
    'thought\n{"winner": "A"}',
    'assistantanalysis{"winner": "A"}',
    'analysis{"winner": "A"}',
    '<!-- {"winner": "A"}',
    '<tool_call>{"winner": "A"}',
    '<evaluation>{"winner": "A"}',
    '<initial_verdict>{"winner": "A"}',
    '<introspection>{"winner": "A"}',
    '<ponder>{"winner": "A"}',
    '{"winner": "A"} no: {«winner»: «B»}',
    '{"winner": "A"} no: {\\"winner\\": \\"B\\"}',
    '{"winner": "A"} no: {- winner: B}',
    '{"winner": "A"} no: {winner="B"}',
    '{"winner": "A"} no: ｛"winner": "B"｝',
    *(
        f'<{tag}>{{"winner": "A"}}'
        for tag in (
            "reasoning_content",
            *("inner_voice", "critique", "assessment", "justification", "provisional", "ruminate"),
            "scratch",
            "draft",
            "plan",
            "rationale",
            "inner-monologue",
            "analysis_1",
        )
    ),
]


@pytest.mark.parametrize("text", NOTHING, ids=range(len(NOTHING)))
def test_a_thought_without_its_end_and_an_open_fence_say_nothing(text: str) -> None:
    with pytest.raises(StageError) as caught:
        parse_verdict(text)
    assert caught.value.failure.code == "malformed_verdict"
    for parse in (parse_answer, lambda said: parse_critique(said, ("colour",), 1, 4)):
        said = text.replace('"winner": "A"', '"answer": "yes", "scores": {"colour": 3}')
        with pytest.raises(StageError):
            parse(said)


@pytest.mark.parametrize(
    "more",
    ['"final": {"winner": "B"}', '"revised_winner": "B"', '"Final_Winner ": "B"', '"new": {"winner": "tie"}'],
)
def test_a_verdict_that_takes_itself_back_says_nothing(more: str) -> None:
    with pytest.raises(StageError, match="twice in one object"):
        parse_verdict(f'{{"winner": "A", {more}}}')


SAID = [
    '◁think▷{"winner": "A"}◁/think▷{"winner": "B"}',
    '[THINK]{"winner": "A"}[/THINK]{"winner": "B"}',
    '<seed:think>{"winner": "A"}</seed:think>{"winner": "B"}',
    '{"winner": "A"} is my draft</think>{"winner": "B"}',
    '<|begin_of_thought|>{"winner": "A"}<|end_of_thought|>{"winner": "B"}',
    '<|START_THINKING|>{"winner": "A"}<|END_THINKING|>{"winner": "B"}',
    '<|channel|>analysis<|message|>{"winner": "A"}<|end|><|start|>assistant<|channel|>final<|message|>'
    '{"winner": "B"}',
    '<|channel>thought\n{"winner": "A"}<channel|>{"winner": "B"}',
    'analysisWe think {"winner": "A"}assistantfinal{"winner": "B"}',
    '<unused94>{"winner": "A"}<unused95>{"winner": "B"}',
    'Here is my thought process: {"winner": "A"} Here is my response: {"winner": "B"}',
    'Analysis: soft washes. [THE THINKING MAN] is in it. {"winner": "B"}',
    'The thought behind it <is> fine. {"winner": "B"}',
    '~~~json\n{"winner": "B"}\n~~~',
    '{"winner": "B"} {see above}',
    '<draft>{"winner": "A"}</draft>{"winner": "B"}',
    '[think]{"winner": "A"}[/think]{"winner": "B"}',
    '&lt;think&gt;{"winner": "A"}&lt;/think&gt;{"winner": "B"}',
    '<evaluation>soft washes</evaluation>{"winner": "B"}',
    '<evaluation>{"winner": "B"}</evaluation>',
    '<!-- a note --> {"winner": "B"}',
    'a --> b: {"winner": "B"}',
    'analysis: soft washes. {"winner": "B"}',
    'Thought: soft washes.\n{"winner": "B"}',
    '{"winner": "B", "final_winner": "B", "winner_reason": "A is flat"}',
    '{"winner": "B", "aspects": {"colour": {"winner": "A"}, "final": {"score": 3}}, "final": true}',
    '{"winner": "B"} {see - above}',
    '<reasoning_content>{"winner": "A"}</reasoning_content>{"winner": "B"}',
    '{"winner": "B", "reason": "◁think▷ and [THINK] are painted on it"}',
]


@pytest.mark.parametrize("text", SAID, ids=range(len(SAID)))
def test_what_follows_the_thinking_counts(text: str) -> None:
    assert parse_verdict(text)[0] == "b"


WHOLE = {"message": {"role": "assistant", "content": '{"winner": "A"}'}, "finish_reason": "stop"}
OTHERWISE: list[dict[str, Any]] = [
    {"choices": [WHOLE, WHOLE]},
    {"choices": [WHOLE | {"error": {"message": "overloaded"}}]},
    {"choices": [WHOLE], "error": {"message": "overloaded"}},
    {"choices": [WHOLE], "finish_reason": "length"},
    *(
        {"choices": [WHOLE | {"message": WHOLE["message"] | more}]}  # type: ignore[operator]
        for more in (
            {"refusal": "I cannot"},
            {"finish_reason": "length"},
            {"tool_calls": [{"function": {"name": "x", "arguments": '{"winner": "B"}'}}]},
        )
    ),
]


@pytest.mark.parametrize("said", OTHERWISE, ids=range(len(OTHERWISE)))
def test_a_completion_that_contradicts_its_text_is_none(said: Any) -> None:
    with pytest.raises(StageError) as caught:
        verdict_of(whole(read_completion(json.dumps(said).encode())))
    assert caught.value.failure.code == "malformed_verdict"


def test_a_completion_with_a_key_twice_is_none_and_one_with_empty_keys_is() -> None:
    twice = json.dumps({"choices": [WHOLE]})[:-1] + ', "choices": []}'
    with pytest.raises(StageError, match="no chat completion"):
        read_completion(twice.encode())
    message: Any = WHOLE["message"]
    empty = WHOLE | {"error": None, "index": 0, "message": message | {"refusal": None, "tool_calls": []}}
    said = {"choices": [empty], "error": None, "usage": None}
    assert verdict_of(whole(read_completion(json.dumps(said).encode())))[0] == 1.0


def test_thinking_is_found_in_linear_time() -> None:
    for part in ("<", "<|", "[THINK", "◁ ", "<think ", "<|channel|>final ", "analysis", "```\n", "</think"):
        without_thinking(part * (200_000 // len(part)))


def test_no_answer_and_no_prompt_takes_the_square_of_its_length() -> None:
    done = scaling.run("answers", 100_000)
    assert done.returncode == 0, (done.returncode, done.stdout.splitlines()[-1:], done.stderr[-2000:])
    assert len(done.stdout.splitlines()) > 130


ODD_ENDS = [
    "MAX_TOKENS",
    "SAFETY",
    " Length ",
    "max-length",
    "Tool_Calls",
    "whatever",
    3,
    False,
    ["stop"],
    {},
]


@pytest.mark.parametrize("ended", [*sorted(CUT), *sorted(STOPPED), *ODD_ENDS])
def test_every_word_for_an_end_that_was_none(ended: Any) -> None:
    with pytest.raises(StageError) as caught:
        whole(read_completion(json.dumps(cut(GOOD, ended)).encode()))
    assert caught.value.failure.code == "malformed_verdict"


@pytest.mark.parametrize("ended", [*sorted(ENDED), "STOP", "stop-sequence", "", None])
def test_an_end_is_an_end(ended: Any) -> None:
    assert whole(read_completion(json.dumps(cut(GOOD, ended)).encode())).text == GOOD


def test_an_end_is_said_in_other_places_too() -> None:
    def ended(**said: Any) -> Completion:
        answer = cut(GOOD, "stop")
        answer["choices"][0] |= said
        return whole(read_completion(json.dumps(answer).encode()))

    for said in (
        {"finish_details": {"type": "max_tokens"}},
        {"finish_details": {"type": "interrupted"}},
        {"native_finish_reason": "MAX_TOKENS"},
        {"native_finish_reason": "SAFETY"},
        {"stop_reason": "max_tokens"},
        {"finish_reason": None, "stop_reason": "whatever"},
    ):
        with pytest.raises(StageError):
            ended(**said)
    for said in (
        {"finish_details": {"type": "stop", "stop_tokens": [1]}},
        {"native_finish_reason": "completed"},
        {"stop_reason": 128009},
        {"stop_reason": "</answer>"},
    ):
        assert ended(**said).text == GOOD


def test_a_part_that_thinks_is_not_the_answer() -> None:
    thought = [{"type": kind, "text": GOOD} for kind in ("thinking", "reasoning", "summary_text")]
    for kind in ("text", "output_text"):
        content = [*thought, {"type": kind, "text": '{"winner": "B"}'}]
        assert read_completion(json.dumps(cut(content, "stop")).encode()).text == '{"winner": "B"}'  # type: ignore[arg-type]
    with pytest.raises(StageError):
        read_completion(json.dumps(cut(thought, "stop")).encode())  # type: ignore[arg-type]


def test_answers_that_are_corrected_are_none() -> None:
    with pytest.raises(StageError, match="twice"):
        parse_verdict('{"winner": "A", "Winner": "B"}')
    rows = [{"id": 1, "answer": "yes"}, {"id": 2, "answer": "no"}]
    assert set(parse_answers(json.dumps({"answers": rows, "reason": "so"}), [1, 2])) == {1, 2}
    with pytest.raises(StageError):
        parse_answers(json.dumps({"answers": rows, "corrected": rows}), [1, 2])
    with pytest.raises(StageError):
        parse_answers(json.dumps({"answers": rows, "final": {"1": "no"}}), [1, 2])
    for odd in ({"id": 1, "answer": "maybe"}, {"id": 1, "answer": "no"}, {"id": 1}):
        for order in ([odd, *rows], [*rows, odd]):
            assert set(parse_answers(json.dumps({"answers": order}), [1, 2])) == {2}


def test_other_protocols_say_it_in_their_own_words() -> None:
    said = {"content": [{"type": "text", "text": GOOD}], "usage": {}}
    for reason in ("max_tokens", "refusal", "model_context_window_exceeded", "pause_turn"):
        data = json.dumps(said | {"stop_reason": reason}).encode()
        with pytest.raises(StageError):
            whole(read_completion(DIALECTS["anthropic"].answer(data)))
    whole(
        read_completion(DIALECTS["anthropic"].answer(json.dumps(said | {"stop_reason": "end_turn"}).encode()))
    )
    part = {"content": {"parts": [{"text": GOOD}]}}
    for candidate in (
        part | {"finishReason": "MAX_TOKENS"},
        part | {"finishReason": "SAFETY"},
        {"finishReason": "RECITATION"},
        {"content": {"role": "model"}, "finishReason": "MAX_TOKENS"},
    ):
        data = json.dumps({"candidates": [candidate]}).encode()
        with pytest.raises(StageError, match=r"max_tokens|ended by the server"):
            whole(read_completion(DIALECTS["gemini"].answer(data)))
    data = json.dumps({"candidates": [part | {"finishReason": "STOP"}]}).encode()
    assert whole(read_completion(DIALECTS["gemini"].answer(data))).text == GOOD


def test_it_is_asked_again_with_more_room_and_kept_only_when_whole(
    server: ScriptedServer, tmp_path: Path
) -> None:
    server.script = [cut(DRAFT), cut(DRAFT), '{"winner": "B", "reason": "on second thoughts"}']
    judge = OpenAIJudge("eye", server.url, cache=str(tmp_path), backoff_s=0.0, max_tokens=100)
    found = judge.compare(PROMPT, [(A, B)])[0]
    assert isinstance(found, Verdict)
    assert found.winner == "b"
    assert [body["max_tokens"] for body in server.seen] == [100, 200, 400]
    server.script = [cut(DRAFT)]
    again = OpenAIJudge("eye", server.url, cache=str(tmp_path), backoff_s=0.0, max_tokens=100, attempts=4)
    failed = again.compare(PROMPT, [(B, A)])[0]
    assert isinstance(failed, Failure)
    assert (failed.code, failed.fault) == ("malformed_verdict", "system")
    assert max(body["max_tokens"] for body in server.seen) == 100 * MOST_ROOM
    server.script = ['{"winner": "B", "reason": "now it is whole"}']
    assert isinstance(again.compare(PROMPT, [(B, A)])[0], Verdict)


def test_a_server_that_has_no_more_to_give_is_said_so(server: ScriptedServer) -> None:
    def strict(handler: Any, body: dict[str, Any]) -> Any:
        return cut(DRAFT) if body["max_tokens"] <= 100 else (400, {}, b'{"error": "max_tokens is too large"}')

    server.script = [strict]
    judge = OpenAIJudge("eye", server.url, cache=False, backoff_s=0.0, max_tokens=100, attempts=3)
    failed = judge.compare(PROMPT, [(A, B)])[0]
    assert isinstance(failed, Failure)
    assert failed.code == "malformed_verdict"
    assert "max_tokens" in failed.message


@pytest.mark.parametrize("ended", ["length", "content_filter"])
def test_whatever_is_asked_what_is_cut_is_no_answer(server: ScriptedServer, ended: str) -> None:
    said = {
        "answer": "yes",
        "answers": [{"id": 1, "answer": "yes"}, {"id": 2, "answer": "no"}],
        "scores": {"text_faithfulness": 3, "physical_quality": 3, "text_rendering": None},
        "questions": [{"id": "1", "ask": "Is there a rose?"}],
    }
    server.script = [cut(json.dumps(said), ended)]
    options: dict[str, Any] = {"cache": False, "backoff_s": 0.0, "attempts": 2}
    judge = OpenAIJudge("eye", server.url, **options)
    several = OpenAIJudge("eye", server.url, batch=2, **options)
    assert isinstance(judge.answer(PROMPT, A, ["Is it red?"])[0], Failure)
    assert all(isinstance(each, Failure) for each in several.answer(PROMPT, A, ["Is it red?", "Blue?"]))
    assert isinstance(judge.critique(PROMPT, A), Failure)
    assert isinstance(RationalJudge("rr", server.url, **options).critique(PROMPT, A), Failure)
    assert isinstance(ChatAuthor("w", server.url, **options).write([Message("user", ("p",))]), Failure)
    with pytest.raises(StageError):
        ChatClient(model="eye", base_url=server.url, **options).complete([{"role": "user", "content": "?"}])
    server.script = [json.dumps(said)]
    assert isinstance(judge.answer(PROMPT, A, ["Is it red?"])[0], Answer)
    assert isinstance(judge.critique(PROMPT, A), Critique)


def test_a_decomposition_that_was_cut_is_asked_again(server: ScriptedServer, tmp_path: Path) -> None:
    part = '{"questions": [{"id": "1", "ask": "Is there a rose?", "needs": []}]}'
    server.script = [cut(part), f"```json\n{part}", part]
    author = ChatAuthor("w", server.url, cache=False, backoff_s=0.0)
    recipe = DecomposeRecipe(author=Part(kind="openai"))
    found = decompose(author, {"p": "a rose"}, recipe, tmp_path / "steps.jsonl")
    assert found.checklists["p"].questions[0].ask == "Is there a rose?"
    assert len(server.seen) == 3
