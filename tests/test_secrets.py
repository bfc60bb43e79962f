"""Keys reach no file, page, cache, message or exception: what was kept is searched for them."""

import base64
import html
import io
import json
import pickle
import traceback
import urllib.parse
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from rich.console import Console

import scaling
from chatserver import ScriptedServer, completion, served
from salon.errors import RecipeError, StageError, boundary
from salon.judges.fake import FakeJudge
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.llm.chat_client import ChatClient
from salon.llm.completion import read_completion
from salon.llm.response_cache import ResponseCache
from salon.llm.settings import ServerSettings
from salon.markup import visible
from salon.media import open_medium
from salon.media.render_samples import develop
from salon.report import build_report
from salon.rewards.advantage import with_advantages
from salon.rewards.compose import compose
from salon.rewards.engine import RewardEngine
from salon.rewards.estimator import Grpo
from salon.rewards.recipe import load_reward
from salon.secrets import known
from salon.secrets.known import HIDDEN, redact, remember
from salon.secrets.literal_keys import hide_literals, literal_keys
from salon.serving.judge_server import JudgeServer
from salon.store.record import complete_manifest, recipe_hash
from salon.store.runs import Run
from salon.types import Failure, Group, Judge, Prompt, Sample, Score
from salon.validation import Secret, set_key
from salon.variables import expand_env

KEY = "sk-proj-Zq7+/xu9zzQQ77rstuvWxyz012345"
"""Made up."""


def _cut(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def spellings(key: str) -> dict[str, str]:
    return {
        "plain": key,
        "spaced": " ".join(key),
        "broken": "\n".join(key[at : at + 5] for at in range(0, len(key), 5)),
        "url": urllib.parse.quote(key, safe=""),
        "url twice": urllib.parse.quote(urllib.parse.quote(key, safe=""), safe=""),
        "percent": "".join(f"%{ord(sign):02X}" for sign in key),
        "base64": base64.b64encode(f"Bearer {key}".encode()).decode(),
        "base64 of itself": base64.b64encode(key.encode()).decode(),
        "base64 for addresses": base64.urlsafe_b64encode(f"x{key}".encode()).decode(),
        "json": "".join(f"\\u{ord(sign):04x}" for sign in key),
        "json twice": json.dumps("".join(f"\\u{ord(sign):04x}" for sign in key)),
        "html": "".join(f"&#{ord(sign)};" for sign in key),
        "html hexadecimal": "".join(f"&#x{ord(sign):X};" for sign in key),
        "hexadecimal": key.encode().hex(),
        "capitals": key.upper(),
        "invisible": "\u200b".join(key),
        "half": key[: len(key) // 2 + 2],
        "escaped": html.escape(json.dumps(key).replace("/", "\\/")),
        "with hyphens": "-".join(key),
        "with commas": ", ".join(key),
        "as a list": ",".join(f"'{sign}'" for sign in key),
        "a list in JSON": json.dumps(json.dumps(list(key))),
        "with bars": "|".join(key[at : at + 3] for at in range(0, len(key), 3)),
        "hexadecimal with colons": key.encode().hex(":"),
        "base64 in lines": "\\n".join(_cut(base64.b64encode(key.encode()).decode(), 8)),
        "base64 in an address": urllib.parse.quote(base64.b64encode(f"ab{key}".encode()).decode()),
        "json in an address": urllib.parse.quote("".join(f"\\u{ord(sign):04x}" for sign in key)),
        "html in json": json.dumps("".join(f"&#{ord(sign)};" for sign in key)).replace("&", "\\u0026"),
        "its middle": key[8:26],
    }


FORMS = spellings(KEY)


def holds(text: str, key: str = KEY) -> list[str]:
    """The spellings of a key that a text holds, whole or as far as 12 characters of it."""
    low = text.lower()
    return [
        name
        for name, form in spellings(key).items()
        if form.lower() in low or (name.startswith("base64") and form[12:30] in text)
    ]


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "_known", set())


@pytest.mark.parametrize("form", FORMS)
def test_every_spelling_is_hidden(form: str) -> None:
    text = f"HTTP 401: the key '{FORMS[form]}' is wrong"
    assert redact(text) == text, "nothing is known yet"
    remember(KEY)
    assert HIDDEN in redact(text)
    assert not holds(redact(text))
    assert redact(redact(text)) == redact(text)
    assert redact(text).startswith("HTTP 401: the key '")


MASKED = [
    "sk-pro***345", "sk-pro…2345", "sk-proj-••••2345", "sk-p...12345", "sk-pr[...]z012345",
    "sk-proj-xxxxxxxx012345",
    "sk-proj-Zq7***", "***xyz012345", "sk-proj-[redacted]2345", "sk-proj-%2A%2A%2A2345",
    "sk-proj-\\u2026\\u20262345",
    "sk-proj-&bull;&bull;&hellip;2345", "sk-proj- *** 2345", "SK-PROJ-####2345", "sk-proj-----2345",
    "s***wxyz012345",
]  # fmt: skip


@pytest.mark.parametrize("shown", MASKED)
def test_two_ends_around_a_mask_are_hidden(shown: str) -> None:
    text = f"Incorrect key provided: {shown}, look at your account."
    assert redact(text) == text
    remember(KEY)
    left = redact(text)
    assert left.startswith(f"Incorrect key provided: {HIDDEN}") or shown.startswith("***")
    assert left.endswith(f"{HIDDEN}, look at your account.") or shown.endswith("***")
    assert HIDDEN in left
    assert not any(part in left.lower() for part in ("zq7", "345", "sk-p"))


@pytest.mark.parametrize(
    "shown",
    ["sk-...345", "sk-proj-...", "sk-p***2345", "**345", "sk-proj- and 2345", "a...b", "sk-other***2345"],
)
def test_less_of_its_ends_tells_nothing(shown: str) -> None:
    remember(KEY)
    assert redact(f"the key {shown} is wrong") == f"the key {shown} is wrong"


@pytest.mark.parametrize("key", ["p@$$-w0rd!", "пароль-и-ключ", "!?!?!?!?!?", "schlüssel-für-alle-räume-9"])
def test_a_key_of_other_signs_is_hidden_alone(key: str) -> None:
    remember(key)
    for form in (
        key,
        " ".join(key),
        urllib.parse.quote(key),
        json.dumps(key),
        base64.b64encode(key.encode()).decode(),
    ):
        around = redact(f"ä„{form}“ö")
        assert around.startswith("ä„")
        assert around.endswith("“ö")
        assert HIDDEN in around, form


def test_keys_are_looked_for_in_time_linear_in_the_text() -> None:
    done = scaling.run("keys", 100_000)
    assert done.returncode == 0, (done.returncode, done.stdout.splitlines()[-1:], done.stderr[-2000:])
    assert len(done.stdout.splitlines()) > 50


def test_what_is_no_key_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_TOKEN", "hibiscus")
    monkeypatch.setenv("MY_KEY", "/home/somebody/keys/of/mine")
    monkeypatch.setenv("SALON_JUDGE_URL", "http://127.0.0.1:8000/v1")
    remember("word")
    text = "hibiscus at http://127.0.0.1:8000/v1 in /home/somebody/keys/of/mine, word for word"
    assert redact(text) == text


def test_a_key_cut_into_parts_of_an_answer_is_hidden() -> None:
    remember(KEY)
    parts = [{"type": "text", "text": KEY[at : at + 5]} for at in range(0, len(KEY), 5)]
    tokens = [{"token": part["text"], "logprob": -0.1, "top_logprobs": []} for part in parts]
    choice = {"message": {"content": parts}, "logprobs": {"content": tokens}}
    read = read_completion(json.dumps({"choices": [choice]}).encode())
    assert read.text == HIDDEN
    assert read.tokens == ()
    assert visible(f"because {KEY}") == f"because {HIDDEN}"


def test_a_variable_that_sounds_so_is_hidden_unnamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", KEY)
    assert redact(f"a {KEY}") == f"a {HIDDEN}"
    with boundary("judge") as caught:
        raise ValueError("x" * 480 + KEY)
    assert caught.failure is not None
    assert KEY[:10] not in caught.failure.message
    with pytest.raises(RecipeError) as raised:
        raise RecipeError(f"base_url: {KEY}")
    assert KEY not in "".join(traceback.format_exception(raised.value))


def test_a_secret_is_shown_nowhere() -> None:
    settings = ServerSettings(model="m", api_key=Secret(KEY))
    shown = [repr(settings), str(settings), f"{settings.api_key:>40}", settings.model_dump_json()]
    shown += [json.dumps(settings.model_dump(), default=str), str(settings.api_key), repr([settings.api_key])]
    assert not any(holds(text) for text in shown)
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(settings)
    with pytest.raises(TypeError):
        json.dumps(settings.api_key)


LITERAL: list[tuple[dict[str, Any], str]] = [
    ({"judges": {"vlm": {"api_key": "short"}}}, "judges.vlm.api_key"),
    ({"judges": {"vlm": {"api_key": 1234}}}, "judges.vlm.api_key"),
    ({"judges": {"vlm": {"api_key": "${X:-sk-default}"}}}, "judges.vlm.api_key"),
    ({"judges": {"vlm": {"api_key": "${X}sk-more"}}}, "judges.vlm.api_key"),
    ({"headers": {"Authorization": f"Bearer {KEY}"}}, "headers.Authorization"),
    ({"headers": {"x-api-key": "abc"}}, "headers.x-api-key"),
    ({"base_url": "http://me:word@host/v1"}, "base_url"),
    ({"base_url": "https://host/v1?key=abc"}, "base_url"),
    ({"base_url": "https://host/v1?x=1&api_key=abc"}, "base_url"),
    ({"members": [{"kind": "openai"}, {"kind": "openai", "apiKey": "abc"}]}, "members.1.apiKey"),
    ({"args": {"token": "a1b2c3d4e5f6a7b8c9"}}, "args.token"),
    ({"args": {"password": "word"}}, "args.password"),
    ({"args": {"note": "hf_abcdefghijklmnopqrstuvwxyz"}}, "args.note"),
    ({"args": {"extra": ["x", "AKIAABCDEFGHIJKLMNOP"]}}, "args.extra.1"),
    ({"args": {"model": "${OPENAI_API_KEY:-sk-abc}"}}, "args.model"),
    ({"a": {"b": {"c": {"secret": "x"}}}}, "a.b.c.secret"),
    ({"base_url": "https://a1b2c3d4e5f6a7b8@host/v1"}, "base_url"),
    ({"base_url": "https://host/v1?x-api-key=abc"}, "base_url"),
    ({"base_url": "https://host/v1?auth=abc"}, "base_url"),
    ({"headers": {"Cookie": "abc"}}, "headers.Cookie"),
    ({"args": {"pwd": "word"}}, "args.pwd"),
    ({"args": {"api_key_1": "abc"}}, "args.api_key_1"),
    ({"note": "glpat-abcdefghijklmnopqrst"}, "note"),
    ({"note": "sk" + "_live_abcdefghijklmnopqrst"}, "note"),
    ({"judges": {"vlm": {"openaiKey": "abc"}}}, "judges.vlm.openaiKey"),
    ({"judges": {"vlm": {"OPENAI_KEY": "abc"}}}, "judges.vlm.OPENAI_KEY"),
    ({"judges": {"vlm": {"OPENAIKEY": "abc"}}}, "judges.vlm.OPENAIKEY"),
    ({"headers": {"xApiKey": "abc"}}, "headers.xApiKey"),
    ({"headers": {"Ocp-Apim-Subscription-Key": "abc"}}, "headers.Ocp-Apim-Subscription-Key"),
    ({"args": {"mistralKey2": "abc"}}, "args.mistralKey2"),
    ({"args": {"clientSecret": "abc"}}, "args.clientSecret"),
    ({"args": {"githubToken": "abc"}}, "args.githubToken"),
    ({"args": {"api_key_value": "abc"}}, "args.api_key_value"),
    ({"args": {"keys": ["x", "sk-abcdef"]}}, "args.keys.1"),
    ({"args": {"api_keys": ["abc"]}}, "args.api_keys.0"),
    ({"args": {"tokens": {"first": "a1b2c3d4e5f6a7b8c9"}}}, "args.tokens.first"),
    ({"args": {"api_key": {"value": "abc"}}}, "args.api_key.value"),
    ({"args": {"api_key": {"prod": {"v": ["abc"]}}}}, "args.api_key.prod.v.0"),
    ({"args": {"credentials": {"user": "abc", "env": "MY_KEY"}}}, "args.credentials.user"),
    ({"headers": [{"name": "X-Api-Key", "value": "abc"}]}, "headers.0.value"),
    ({"headers": [{"value": "abc", "key": "Authorization"}]}, "headers.0.value"),
    ({"extra": {"Name": "openaiKey", "Value": {"text": "abc"}}}, "extra.Value.text"),
    ({"extra": {"name": "password", "default": "abc"}}, "extra.default"),
    ({"headers": [["Accept", "json"], ["X-Api-Key", "abc"]]}, "headers.1.1"),
    ({"headers": ["Accept: json", "X-Api-Key: abc"]}, "headers.1"),
    ({"headers": ["Authorization: Bearer abc"]}, "headers.0"),
    ({"note": "call it with api_key=abc, please"}, "note"),
    ({"note": "OPENAI_API_KEY=abc salon train"}, "note"),
    ({"note": "then {'apiKey': 'abc'} is sent"}, "note"),
    ({"note": "the password: abc123"}, "note"),
    ({"note": "curl -H 'Authorization: Bearer abc' x"}, "note"),
    ({"note": "Authorization=Basic abc"}, "note"),
    ({"note": "use token=sk-abcdef for it"}, "note"),
    ({"note": "my api key: a1b2c3d4e5f6a7b8"}, "note"),
    ({"base_url": "https://sk-abc@host/v1"}, "base_url"),
    ({"base_url": "//me:abc@host/v1"}, "base_url"),
    ({"base_url": "https://${ME}:abc@host/v1"}, "base_url"),
    ({"base_url": "https://host/v1?openaiKey=abc"}, "base_url"),
    ({"base_url": "https://host/v1?api%5Fkey=abc"}, "base_url"),
    ({"base_url": "https://host/v1?a=b&amp;key=abc"}, "base_url"),
    ({"base_url": "https://host/v1#access_token=abc"}, "base_url"),
    ({"model": "${OPENAI:-sk-abcdef}"}, "model"),
    ({"model": "${MODEL:-sk-abcdef}"}, "model"),
    ({"model": "${OPENAI:-a1b2c3d4e5f6a7b8c9}"}, "model"),
    ({"model": "${openaiKey:-abc}"}, "model"),
    ({"model": "${A:-${B:-hf_abcdef}}"}, "model"),
    ({"more": {"sk-abcdefghijklmnop": {"api_key": "abc"}}}, "more"),
    ({"note": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln"}, "note"),
]


@pytest.mark.parametrize(("data", "place"), LITERAL)
def test_a_literal_is_found_by_its_place(data: dict[str, Any], place: str, tmp_path: Path) -> None:
    assert [".".join(each) for each, _ in literal_keys(data)] == [place]
    file = tmp_path / "r.yaml"
    file.write_text(json.dumps({"terms": {}, "more": data}))
    with pytest.raises(RecipeError, match=rf"r\.yaml: more\.{place}: .*\$\{{MY_KEY\}}") as raised:
        load_reward(file)
    assert not any(word in str(raised.value) for word in (KEY, "sk-", "short", "1234", "abc", "a1b2"))
    shown = json.dumps(hide_literals(data))
    assert HIDDEN in shown


@pytest.mark.parametrize(
    "data",
    [
        {"api_key": "${MY_KEY}"}, {"api_key": ""}, {"api_key": None},
        {"headers": {"authorization": "Bearer ${K}"}},
        {"max_tokens": 100}, {"tokens": "many"}, {"key": "colour"}, {"token": "<eos>"},
        {"base_url": "${URL}"},
        {"base_url": "http://h:8000/v1"}, {"model": "Qwen/Qwen3-VL-30B-A3B-Instruct"}, {"keys": ["a"]},
        {"criteria": "Is the key visible? The secret: skies."}, {"base_url": "${URL:-http://127.0.0.1:8009}"},
        {"api_key": {"env": "MY_KEY"}}, {"headers": [{"name": "X-Api-Key", "value": "${MY_KEY}"}]},
        {"headers": ["Authorization: Bearer ${K}", "x-api-key: ${K}"]}, {"tags": ["secret", "garden"]},
        {"name": "secret", "value": 3}, {"model": "${OPENAI:-gpt-4o-mini}"}, {"locale": "${LANG:-sk-SK}"},
        {"model": "${HF:-Qwen/Qwen3VL30BA3BInstruct}"}, {"note": "api_key=${K}, token=<your token>"},
        {"note": "Give api_key: the name of a variable, and password: none."}, {"api_tokens": True},
        {"hotkey": "ctrl+shift+k"}, {"monkeys": ["a"]}, {"keyboard": "qwertyuiopasdfgh"},
        {"keys": ["<|start_header_id|>"]}, {"scorer": "my_secrets:Asks2", "x": "tests.token:Scorer"},
        {"note": "Paint the cookie: brown. Key: C minor; token: 7."}, {"key": "what one sees first in it"},
    ],
)  # fmt: skip
def test_what_is_no_literal_is_taken(data: dict[str, Any]) -> None:
    assert list(literal_keys(data)) == []


@pytest.mark.parametrize(
    "override", [f"api_key={KEY}", "api_key=word", "base_url=http://a:b@h/v1", "x=sk-abcdefghijklmnopqrst"]
)
def test_a_literal_behind_set_is_refused_and_not_repeated(override: str) -> None:
    with pytest.raises(RecipeError, match="MY_KEY") as raised:
        set_key({}, override)
    assert override.partition("=")[2] not in str(raised.value)


def reading(monkeypatch: pytest.MonkeyPatch, **given: Any) -> Any:
    for name in ("OPENAI_API_KEY", "TEAM_API_KEY", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, f"{KEY}{len(name)}")
    monkeypatch.setenv("SALON_JUDGE_URL", "https://judge.example.org/v1")
    monkeypatch.setenv("DATABASE", "bob")
    monkeypatch.setenv("SALON_MODEL", "eye")
    return expand_env(given, "judges.vlm")


@pytest.mark.parametrize(
    "given",
    [
        {"base_url": "https://elsewhere.example/v1", "api_key": "${OPENAI_API_KEY}"},
        {"base_url": "https://elsewhere.example/v1", "api_key": "${TEAM_API_KEY}"},
        {"base_url": "https://api.openai.com.elsewhere.example/v1", "api_key": "${OPENAI_API_KEY}"},
        {"base_url": "https://api.openai.com/v1", "api_key": "${AWS_SECRET_ACCESS_KEY}"},
        {"base_url": "https://elsewhere.example/v1", "model": "${DATABASE}"},
        {"base_url": "https://elsewhere.example/${DATABASE}/v1", "model": "m"},
        {"base_url": "https://${DATABASE}.elsewhere.example/v1", "model": "m"},
        {"base_url": "${NOT_SET:-https://elsewhere.example/v1}", "api_key": "${OPENAI_API_KEY}"},
        {"base_url": "${SALON_JUDGE_URL}", "model": "${OPENAI_API_KEY}"},
        {"model": "${AWS_SECRET_ACCESS_KEY}"},
        {"model": "m", "api_key": "${AWS_SECRET_ACCESS_KEY}"},
        {"model": "m", "api_key": "${TEAM_API_KEY}", "base_url": ""},
        {"model": "m", "api_key": "${OPENAI_API_KEY}", "protocol": "anthropic"},
        {"judges": [{"model": "m", "api_key": "${TEAM_API_KEY}"}]},
        {"questions": ["is it ${DATABASE}?"]},
        {"questions": [{"ask": "is it ${DATABASE}?"}], "base_url": "https://elsewhere.example/v1"},
        {"more": {"base_url": "http://127.0.0.1:8000/v1"}, "ask": "${DATABASE}"},
    ],
)
def test_no_variable_goes_to_a_host_that_a_recipe_names(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, Any]
) -> None:
    with pytest.raises(RecipeError, match=r"--allow \w+|only `api_key` may name it") as raised:
        reading(monkeypatch, **given)
    assert KEY not in str(raised.value)


def test_it_goes_where_the_user_named_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    assert reading(monkeypatch, base_url="${SALON_JUDGE_URL}", api_key="${TEAM_API_KEY}")
    assert reading(monkeypatch, base_url="https://api.openai.com/v1", api_key="${OPENAI_API_KEY}")
    assert reading(monkeypatch, base_url="http://127.0.0.1:8000/v1", api_key="${TEAM_API_KEY}")
    assert reading(monkeypatch, base_url="http://127.0.0.1:8000/v1", extra={"user": ["${DATABASE}"]})
    assert reading(monkeypatch, api_key="${OPENAI_API_KEY}", model="${SALON_MODEL}")
    assert reading(monkeypatch, questions=["is it ${SALON_MODEL}?"])
    assert reading(monkeypatch, base_url="https://elsewhere.example/v1", model="${SALON_MODEL}")
    monkeypatch.setenv("SALON_ALLOW", "TEAM_API_KEY@elsewhere.example")
    assert reading(monkeypatch, base_url="https://elsewhere.example/v1", api_key="${TEAM_API_KEY}")
    monkeypatch.setenv("SALON_ALLOW", "DATABASE")
    assert reading(monkeypatch, questions=["is it ${DATABASE}?"])


@pytest.mark.parametrize(
    "host", ["203.0.113.7", "10.1.2.3", "[2001:db8::1]", "127.0.0.1.nip.example", "2130706433"]
)
def test_no_key_goes_over_http_to_another_machine(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("http_proxy", raising=False)
    with pytest.raises(RecipeError, match=r"api_key: .*over http.*https") as raised:
        ChatClient(model="m", base_url=f"http://{host}:8000/v1", api_key=KEY)
    assert KEY not in str(raised.value)
    ChatClient(model="m", base_url=f"https://{host}:8000/v1", api_key=KEY)
    ChatClient(model="m", base_url=f"http://{host}:8000/v1")


def test_a_private_network_may_be_trusted_by_name_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("http_proxy", raising=False)
    for host in ("10.1.2.3", "192.168.7.7", "127.0.0.1", "localhost", "[::1]"):
        ChatClient(model="m", base_url=f"http://{host}:8000/v1", api_key=KEY, key_over_http=True)
    with pytest.raises(RecipeError, match="not sent over http"):
        ChatClient(model="m", base_url="http://8.8.8.8/v1", api_key=KEY, key_over_http=True)


def test_a_proxy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with served() as server:
        monkeypatch.setenv(
            "http_proxy", f"http://me:{urllib.parse.quote(KEY, safe='')}@127.0.0.1:{server.server_address[1]}"
        )
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        with pytest.raises(RecipeError, match=r"through the proxy 127\.0\.0\.1:.*NO_PROXY=127\.0\.0\.1"):
            ChatClient(model="m", base_url="http://127.0.0.1:9/v1", api_key=KEY)
        server.script = [404]
        chat = ChatClient(model="m", base_url="http://127.0.0.1:9/v1", deadline_s=1.0)
        with pytest.raises(StageError, match=r"HTTP 404 from http://127\.0\.0\.1:9/v1/.* through the"):
            chat.complete([{"role": "user", "content": "hi"}])
        assert server.headers_seen[0]["Proxy-Authorization"]
    with pytest.raises(StageError, match="through the proxy") as raised:
        chat.complete([{"role": "user", "content": "hi"}])
    assert not holds(str(raised.value))


def test_a_404_names_what_was_asked() -> None:
    with served() as server:
        server.script = [404]
        with pytest.raises(StageError, match=rf"HTTP 404 from {server.url}/chat/completions"):
            ChatClient(model="m", base_url=server.url).complete([{"role": "user", "content": "hi"}])


class Echo:
    """A server that says the key back: in what it refuses with, and in what it answers."""

    def __init__(self, form: str, status: int) -> None:
        self.form, self.status = form, status

    def __call__(self, handler: Any, body: Any) -> Any:
        sent = handler.headers["Authorization"].removeprefix("Bearer ")
        told = spellings(sent)[self.form]
        if self.status != 200:
            return (
                self.status,
                {"X-Key": told.replace("\n", " ").encode("ascii", "ignore").decode()},
                told.encode(),
            )
        said = json.dumps({"winner": "A", "reason": f"because {told}"})
        raw = json.dumps(completion(said))
        if self.form == "json":  # Escaped in the body itself, too.
            raw = raw.replace("because", f"because {told} and")
        return (200, {}, raw.encode())


class Asks:
    """A scorer that keeps what its judge said."""

    version = "1"

    def __init__(self, judge: Judge) -> None:
        self.judge = judge

    def score(self, group: Group) -> list[Score]:
        a, b = (sample.picture for sample in group.samples)
        assert a is not None
        assert b is not None
        found = self.judge.compare(group.prompt, [(a, b)])[0]
        if isinstance(found, Failure):
            return [Score(None, found)] * 2
        return [Score(found.p_a, reason=found.reason)] * 2


def all_text(folder: Path) -> str:
    """Whatever stands in a folder's files, parquet unpacked."""
    texts: list[str] = []
    for file in folder.rglob("*"):
        if file.is_file():
            texts.append(file.read_bytes().decode("utf-8", "replace"))
            if file.suffix == ".parquet":
                texts.append(json.dumps(pl.read_parquet(file).to_dicts(), default=str, ensure_ascii=False))
    return "\n".join(texts)


def a_run(server: ScriptedServer, folder: Path, form: str) -> None:
    """A step of a run, scored by a judge at the server and recorded with its report."""
    recipe = load_reward(
        {
            "terms": {"taste": {"scorer": "test_secrets:Asks", "weight": 1.0, "judge": "eye"}},
            "judges": {
                "eye": {"kind": "openai", "model": "m", "base_url": server.url, "api_key": "${TEAM_API_KEY}",
                        "attempts": 1, "cache": str(folder / "cache")},
            },
        }
    )  # fmt: skip
    engine = RewardEngine(recipe)
    medium = open_medium("fake", size=(32, 32))
    prompt = Prompt(f"p-{form}", "a rose")
    samples = develop(medium, [Sample(f"s{n}", prompt, f"a rose {n}", seed=n) for n in range(2)])
    group = Group(prompt, tuple(samples), step=1)
    scores = engine.score([group])
    rewards = with_advantages(compose(recipe, [0, 0], scores[0], 1), [0, 0], Grpo(scale="none"))
    run = Run.create(folder / "run", {"recipe": {"reward": recipe.identity()}, "judges": engine.identities()})
    run.write_step(1, [group], [rewards], {"reward": 0.5, f"of {server.url}": 1.0})
    run.write_evaluation("told", [{"a": rewards[0].terms[0].reason}], {"step": 1, "note": str(scores)})
    build_report(run)
    Console(file=io.StringIO()).print(scores)


@pytest.mark.parametrize("status", [200, 401, 500])
@pytest.mark.parametrize("form", ["plain", "spaced", "url", "base64", "json", "hexadecimal"])
def test_nothing_that_a_run_keeps_has_the_key_that_its_server_says(
    form: str,
    status: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TEAM_API_KEY", KEY)
    with served() as server:
        server.script = [Echo(form, status)]
        a_run(server, tmp_path, form)
        assert server.headers_seen[0]["Authorization"] == f"Bearer {KEY}", "it was sent"
    kept = all_text(tmp_path)
    assert HIDDEN in kept, "the server's words are in the record"
    assert not holds(kept)
    assert not holds("".join(capsys.readouterr()))


def test_an_older_run_with_a_key_in_its_recipe_is_shown_without(tmp_path: Path) -> None:
    recipe = {"reward": {"terms": {"a": {"scorer": "length", "weight": 1.0, "args": {"max_tokens": 9}}},
                         "judges": {"eye": {"kind": "openai", "model": "m", "api_key": KEY}}}}  # fmt: skip
    run = Run.create(tmp_path / "run", {"recipe": {"reward": {}}})
    manifest = json.loads((run.path / "manifest.json").read_text())
    manifest |= {"recipe": recipe, "recipe_sha256": recipe_hash(recipe)}
    (run.path / "manifest.json").write_text(json.dumps(manifest))
    old = Run.open(run.path)
    assert old.manifest["recipe"]["reward"]["judges"]["eye"]["api_key"] == HIDDEN
    page = build_report(old)
    assert not holds(page.read_text())
    assert not holds(str(old.manifest))
    with pytest.raises(Exception, match="another recipe") as raised:
        Run.open(run.path, recipe={"reward": {}})
    assert not holds(str(raised.value))


def test_a_manifest_is_the_same_run_when_it_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEAM_API_KEY", KEY)
    recipe = {"note": f"x {KEY}", "seed": 1}
    run = Run.create(tmp_path / "run", {"recipe": recipe})
    assert not holds(all_text(run.path))
    assert Run.open(run.path, recipe=recipe).manifest["recipe"]["seed"] == 1
    assert complete_manifest({"recipe": recipe})["recipe_sha256"] == run.manifest["recipe_sha256"]


def test_kept_answers_and_the_key_of_our_own_server_are_hidden(tmp_path: Path) -> None:
    remember(KEY)
    ResponseCache(tmp_path).keep({"q": 1}, {"reason": f"so says {KEY}"})
    assert HIDDEN in all_text(tmp_path)
    with served(JudgeServer(FakeJudge(), api_key=KEY)) as server:
        judge = OpenAIJudge("m", f"{server.url}", api_key=f"{KEY}-wrong", cache=False, attempts=1)
        assert KEY not in str(judge.server.settings)


def test_a_variable_is_hidden_from_the_moment_it_is_set_and_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = f"first-{KEY}", f"second-{KEY[::-1]}"
    monkeypatch.setenv("TEAM_TOKEN", first)
    assert redact(f"{first} {second}") == f"{HIDDEN} {second}"
    monkeypatch.setenv("TEAM_TOKEN", second)
    assert HIDDEN in redact(second)
    assert "second" not in redact(second)
    monkeypatch.delenv("TEAM_TOKEN")
    assert redact(second) == second
