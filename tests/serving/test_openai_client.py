"""OpenAI's own client against `salon serve-judge`, as somebody's program uses it. `make servers` installs
it.
"""

import base64
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from salon.judges.measuring.probe import plain

pytestmark = pytest.mark.slow
openai = pytest.importorskip("openai", reason="openai is missing: make servers")

KEY = "a key of the tests"
TOLD = 'Compare the two pictures. Answer as JSON {"winner": "A" | "B" | "tie"}'


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    command = [sys.executable, "-m", "salon.cli", "serve-judge", "fake", "--port", "0"]
    environment = os.environ | {"SALON_SERVE_KEY": KEY}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip().rpartition(" ")[2]
        with openai.OpenAI(base_url=url, api_key=KEY, max_retries=0) as ready:
            yield ready
        process.kill()


def shown(*colours: str) -> list[dict[str, Any]]:
    data = [base64.b64encode(plain(colour).png).decode() for colour in colours]
    urls = [{"url": f"data:image/png;base64,{each}", "detail": "low"} for each in data]
    return [{"type": "image_url", "image_url": url} for url in urls]


def asked(client: Any, **options: Any) -> Any:
    pair = [{"type": "text", "text": "These are they."}, *shown("#e01010", "#808080")]
    messages = [{"role": "system", "content": TOLD}, {"role": "user", "content": pair}]
    return client.chat.completions.create(**{"model": "fake", "messages": messages} | options)


def test_models_are_listed_and_found(client: Any) -> None:
    names = [model.id for model in client.models.list()]
    assert "fake" in names
    assert [client.models.retrieve(name).id for name in names] == names
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("gpt")
    with pytest.raises(openai.NotFoundError, match=r"not served here; known: .*fake"):
        asked(client, model="gpt")


def test_a_verdict_with_odds_and_usage(client: Any) -> None:
    found = asked(client, logprobs=True, top_logprobs=5, temperature=0, seed=1, max_completion_tokens=50)
    assert '"winner": "A"' in found.choices[0].message.content
    tokens = found.choices[0].logprobs.content
    [verdict] = [token for token in tokens if token.token == "A"]
    assert {each.token for each in verdict.top_logprobs} == {"A", "B"}
    assert "".join(token.token for token in tokens) == found.choices[0].message.content
    assert found.usage.total_tokens == found.usage.prompt_tokens + found.usage.completion_tokens


def test_a_stream_says_the_same(client: Any) -> None:
    chunks = list(asked(client, stream=True, stream_options={"include_usage": True}))
    said = "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices)
    assert said == asked(client).choices[0].message.content
    assert chunks[-1].usage.total_tokens > 0


def test_a_class_is_read_back(client: Any) -> None:
    from pydantic import BaseModel, ConfigDict

    class Winner(BaseModel):
        model_config = ConfigDict(extra="forbid")
        winner: str

    messages = [{"role": "user", "content": shown("#e01010", "#808080")}]
    found = client.chat.completions.parse(model="fake", messages=messages, response_format=Winner)
    assert found.choices[0].message.parsed == Winner(winner="A")


def test_what_it_cannot_do_is_said_by_name(client: Any) -> None:
    tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
    for options, told in (({"n": 2}, "`n`"), ({"tools": [tool]}, "`tools`")):
        with pytest.raises(openai.UnprocessableEntityError, match=f"{told}: a judge gives one answer"):
            asked(client, **options)
    with pytest.raises(openai.UnprocessableEntityError, match="0 pictures: a judge looks at"):
        asked(client, messages=[{"role": "user", "content": "hello"}])
    with pytest.raises(openai.AuthenticationError, match="the key is wrong"):
        asked(client.with_options(api_key="another"))
