"""A key goes to the provider whose it is, or to a host that the user named, and nowhere else."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from salon import validation
from salon.errors import RecipeError, SetupError
from salon.llm.chat_client import ChatClient
from salon.llm.dialects import ADDRESSES
from salon.registry import BUILTINS, Kind
from salon.rewards.build import build_judge
from salon.rewards.recipe import JudgeSpec
from salon.rubrics.generation.recipe import Part, build_author
from salon.secrets.known import KEYS
from salon.variables import _PROVIDERS, _host, expand_env  # pyright: ignore[reportPrivateUsage]

NAMES = (*KEYS.values(), "MY_KEY")
VARIABLES = {
    **{name: f"zq{number:02}-0123456789-vxw{number:02}" for number, name in enumerate(NAMES)},
    "SALON_PROTOCOL": "gemini",
    "SALON_KIND": "anthropic",
}


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)


def kinds(kind: Kind) -> Iterator[str]:
    for name, path in BUILTINS[kind].items():
        yield from (name, path)


def build(kind: Kind, spec: Mapping[str, Any]) -> object:
    if kind == "author":
        return build_author(Part.model_validate(spec))
    return build_judge(validation.validated(JudgeSpec, dict(spec), "judge"), "reward.judges.x")


def servers(part: object) -> Iterator[ChatClient]:
    for each in getattr(part, "members", [part]):
        found = getattr(each, "server", None)
        if isinstance(found, ChatClient):
            yield found


def wrongly_sent(part: object) -> list[tuple[str, str]]:
    """Hosts that a part would send another one's key to, as the key itself or inside a request."""
    wrong: list[tuple[str, str]] = []
    for server in servers(part):
        sent = f"{server._key} {server.settings.model_dump()}"  # pyright: ignore[reportPrivateUsage]
        foreign = [value for name, value in VARIABLES.items() if name != KEYS.get(server.host)]
        wrong += [(server.host, value) for value in foreign if value in sent and "0123" in value]
    return wrong


def test_the_providers_are_those_that_are_asked() -> None:
    assert {name: _host(address) for name, address in ADDRESSES.items()} == _PROVIDERS


SPECS: Mapping[str, Mapping[str, Any]] = {
    "alone": {},
    "openai's": {"protocol": "openai"},
    "anthropic's": {"protocol": "anthropic"},
    "gemini's": {"protocol": "gemini"},
    "by a variable": {"protocol": "${SALON_PROTOCOL}"},
    "by a default": {"protocol": "${SALON_NOT_THERE:-anthropic}"},
    "a base_url of nothing": {"base_url": "${SALON_NOT_THERE:-}"},
}
KEY_PLACES: Mapping[str, Any] = {
    "api_key": lambda key: {"api_key": key},
    "in extra": lambda key: {"extra": {"api_key": key}},
    "in extra, of a kind": lambda key: {"extra": {"kind": "openai", "api_key": key}},
    "in extra, of an address": lambda key: {"extra": {"base_url": "http://localhost/", "api_key": key}},
}


@pytest.mark.parametrize("place", KEY_PLACES)
@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("kind", ["judge", "author"])
def test_no_key_goes_to_another_provider(kind: Kind, name: str, place: str) -> None:
    """Whatever a part without an address is called and spoken to by: a key goes home, or nowhere."""
    built: set[tuple[str, str]] = set()
    for called in kinds(kind):
        for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "MY_KEY"):
            spec = {"kind": called, "model": "m", **SPECS[name], **KEY_PLACES[place](f"${{{variable}}}")}
            for each in (spec, {"kind": "council", "members": [spec, spec]} if kind == "judge" else spec):
                try:
                    part = build(kind, each)
                except (RecipeError, SetupError):
                    continue
                assert not wrongly_sent(part), each
                built |= {(server.host, variable) for server in servers(part)}
    if place == "api_key":
        assert built  # The right ones are built.
        assert all(KEYS[host] == variable for host, variable in built)


@pytest.mark.parametrize("host", ["api.anthropic.com", "generativelanguage.googleapis.com"])
@pytest.mark.parametrize("inside", [False, True])
def test_a_provider_gets_its_own_key(host: str, inside: bool) -> None:
    kind = next(name for name, found in _PROVIDERS.items() if found == host)
    spec = {"kind": kind, "model": "m", "api_key": f"${{{KEYS[host]}}}"}
    found = build("judge", {"kind": "council", "members": [spec, {"kind": "pixels"}]} if inside else spec)
    [server] = servers(found)
    assert (server.host, server._key) == (host, VARIABLES[KEYS[host]])  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize(
    "kind", ["anthropic", "gemini", "${SALON_KIND}", "salon.judges.vlm.chat_judge:anthropic_judge"]
)
def test_where_it_would_go_is_told(kind: str) -> None:
    member = {"kind": kind, "model": "m", "api_key": "${OPENAI_API_KEY}"}
    host = _PROVIDERS["gemini" if kind == "gemini" else "anthropic"]
    told = f"OPENAI_API_KEY would be sent to {host}"
    with pytest.raises(RecipeError, match=told):
        expand_env({"members": [member]}, "reward.judges.x", "council")
    if "$" not in kind:
        with pytest.raises(RecipeError, match=told):
            expand_env({"model": "m", "api_key": "${OPENAI_API_KEY}"}, "reward.judges.x", kind)
