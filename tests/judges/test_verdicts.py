import pytest

from salon.errors import StageError
from salon.judges.vlm.verdicts import MAX_CHARACTERS, parse_verdict


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ('{"winner": "A", "reason": "softer washes"}', "a"),
        ('  {"winner": "b"}\n', "b"),
        ('{"winner": "tie", "reason": "alike"}', "tie"),
        ('```json\n{"winner": "B", "reason": "depth"}\n```', "b"),
        ('Both are fine. {"winner": "A", "reason": "x"} That is all.', "a"),
        ('{"winner": "A", "reason": "it wrote ``` and {braces}"}', "a"),
        ('<think>A is {"winner": "A"} maybe</think>{"winner": "B", "reason": "no"}', "b"),
        ('{"reason": "ok", "winner": "A", "confidence": 0.9, "notes": {"winner": "B"}}', "a"),
        ('Scores {"a": 3, "b": 4}, so {"winner": "B", "reason": ""}', "b"),
    ],
)
def test_a_verdict_is_found(text: str, winner: str) -> None:
    assert parse_verdict(text)[0] == winner


def test_what_a_judge_writes_moves_no_terminal() -> None:
    said = '{"winner": "A", "reason": "\\u001b[2J\\u202e soft\\n\\u00fc \\ud800"}'
    assert parse_verdict(said)[1] == "�[2J� soft\nü ?"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A",
        '{"winner":',
        '{"winner": "A", "reason": "cut of',
        "{'winner': 'A', 'reason': 'python'}",
        '{"winner": True}',
        '{"winner": true}',
        '{"winner": null}',
        '{"winner": NaN}',
        '{"winner": 99}',
        '{"winner": "8/10"}',
        '{"winner": "neither"}',
        '{"winner": ["A"]}',
        '{"winner": "A"} {"winner": "B"}',
        '{"winner": "A"} {"winner": "A"}',
        "<think>A</think>B",
        '<think>{"winner": "A"}',
        '[{"winner": "A"}, {"winner": "B"}]',
        '{"best": "A"}',
        "null",
        "8/10",
        "[" * 50_000,
        '{"a":' * 20_000,
        '{"winner": "A", "winner": "B"}',
        '{"a":' * 3_000,
        '{"winner": "A"}' + " " * MAX_CHARACTERS,
    ],
    ids=range(26),
)
def test_anything_else_is_the_judges_failure(text: str) -> None:
    with pytest.raises(StageError) as caught:
        parse_verdict(text)
    failure = caught.value.failure
    assert (failure.code, failure.fault, failure.stage) == ("malformed_verdict", "system", "judge")


def test_the_reason_comes_along_when_it_is_text() -> None:
    assert parse_verdict('{"winner": "A", "reason": "softer"}') == ("a", "softer")
    assert parse_verdict('{"winner": "A", "reason": 3}') == ("a", "")


@pytest.mark.parametrize("tag", ["<think>", "</think>"])
def test_a_reason_may_speak_of_thinking(tag: str) -> None:
    text = '{"winner": "A", "reason": "' + tag + ' is written on it"}'
    assert parse_verdict(text) == ("a", f"{tag} is written on it")
