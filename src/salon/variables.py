"""`${NAME}` in a recipe: filled in from the environment where a part is built, and sent to no host and no
judge that the user did not name: a recipe may be a stranger's.
"""

import os
import re
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import urlsplit

from salon.errors import RecipeError
from salon.registry import BUILTINS, allowed, check_readable
from salon.secrets.known import KEYS, VARIABLE, remember, sounds_secret
from salon.secrets.literal_keys import names_key

_PROVIDERS = {
    "openai": "api.openai.com",
    "anthropic": "api.anthropic.com",
    "gemini": "generativelanguage.googleapis.com",
}
"""Who is asked in a protocol where no base_url is given; judges of these names speak theirs."""
_CHAT = (*_PROVIDERS, "rational")
"""Judges and authors that ask a chat server, all of whose arguments it may be told."""


def expand_env(value: Any, where: str, kind: str = "") -> Any:
    """`value` with ${NAME} and ${NAME:-default} filled in from the environment, in strings at any depth.

    Done when a part is built, not when a recipe is read, so that a secret never reaches a hash or a manifest.

    Args:
        where: the key that messages name.
        kind: what part these are the arguments of, where it may be one that asks a server.

    Raises:
        RecipeError: a variable is not set, or would go where nobody allowed it to go; or a file that is named
            to be read lies where nobody allowed it to be read from.
    """
    return _filled(value, where, None, kind)


def _filled(value: Any, where: str, free: frozenset[str] | None, kind: str = "") -> Any:
    """`free`: variables whose way was found right, where a mapping around it names a host; else None."""
    if isinstance(value, str):
        for name in _named(value):
            if not (_is_harmless(name) or (free is not None and name in free)):
                raise RecipeError(
                    f"{where}: the variable {name} is not read here: what stands here may be sent to a judge."
                    f" Where that is right, add --allow {name} (or set SALON_ALLOW={name}), or give it a name"
                    " that begins with SALON_."
                )
        return VARIABLE.sub(lambda match: _variable(match, where), value)
    if isinstance(value, Mapping):
        entries = cast(Mapping[str, Any], value)
        if (free_here := _sent_rightly(entries, where, kind)) is not None:
            free = free_here | (free or frozenset())
        for key in {"file", "rubric"} & entries.keys():
            if named := _text(entries, key, where).strip():
                check_readable(named, f"{where}.{key}")
        return {key: _filled(item, f"{where}.{key}", free) for key, item in entries.items()}
    if isinstance(value, list):
        return [_filled(item, where, free) for item in cast(list[Any], value)]
    return value


def _is_harmless(name: str) -> bool:
    return (name.startswith("SALON_") and not sounds_secret(name)) or name in allowed()


def _sent_rightly(written: Mapping[str, Any], where: str, kind: str) -> frozenset[str] | None:
    """The variables in a server's settings; None where it is none. They go to hosts that the user named: by a
    variable of theirs, by `--allow NAME@host`, or by the provider whose key it is. A recipe of a stranger may
    name any host and any variable, or none: then the provider's own is meant.
    """
    given = written.get("base_url")
    base_url = _text(written, "base_url", where).strip()
    speaks = _protocol(written, where, kind)
    sent = _named(written if base_url or speaks else written.get("api_key"))
    if not sent:
        return None
    host = _host(base_url) if base_url else _PROVIDERS.get(speaks, _PROVIDERS["openai"])
    own = {_host(os.environ.get(name, "")) for name in _named(given)} - {""}
    if host in ("localhost", "127.0.0.1", "::1") or host in own:
        return frozenset(sent)
    for name in sent:
        if not _is_harmless(name) and KEYS.get(host) != name and f"{name}@{host}" not in allowed():
            who = "this recipe names and not you" if base_url else "is asked where there is no base_url"
            raise RecipeError(
                f"{where}: the variable {name} would be sent to {host}, which {who}."
                f" Where that is right, add --allow {name}@{host} (or set SALON_ALLOW={name}@{host})."
            )
    return frozenset(sent)


def _protocol(written: Mapping[str, Any], where: str, kind: str) -> str:
    """How a chat server is spoken to; "" where it does not say, or is none."""
    named = kind or _text(written, "kind", where)
    builtin = (*BUILTINS["judge"].items(), *BUILTINS["author"].items())
    named = next((name for name, path in builtin if path == named), named)
    if named in _PROVIDERS and named != "openai":
        return named
    return _text(written, "protocol", where) or (named if named in _CHAT else "")


def _text(written: Mapping[str, Any], key: str, where: str) -> str:
    given = written.get(key)
    return (
        VARIABLE.sub(lambda match: _variable(match, f"{where}.{key}"), given)
        if isinstance(given, str)
        else ""
    )


def key_for_host(api_key: Any, base_url: str) -> list[str]:
    """The variables in `api_key`, as `salon.registry.allow` takes them for the host of an address."""
    return [f"{name}@{_host(base_url)}" for name in _named(api_key)]


def _named(value: Any) -> list[str]:
    """The variables in a value's texts, at any depth."""
    if isinstance(value, str):
        return [name for name, _ in VARIABLE.findall(value)]
    if isinstance(value, Mapping):
        return [name for item in cast("Mapping[str, Any]", value).values() for name in _named(item)]
    return (
        [name for item in cast("list[Any]", value) for name in _named(item)]
        if isinstance(value, list)
        else []
    )


def _host(address: str) -> str:
    try:
        return (urlsplit(address if "://" in address else f"//{address}").hostname or "").lower()
    except ValueError:
        return ""


def _variable(match: re.Match[str], where: str) -> str:
    name, default = match.group(1), cast(str | None, match.group(2))
    if sounds_secret(name):
        if not names_key(where.rpartition(".")[2]):
            raise RecipeError(f"{where}: {name} holds a key, and only `api_key` may name it. Take it out.")
        remember(os.environ.get(name, ""))
    found = os.environ.get(name, default)
    if found is None:
        raise RecipeError(
            f"{where}: the environment variable {name} is not set."
            f" Set it, or give a default: ${{{name}:-value}}."
        )
    return found
