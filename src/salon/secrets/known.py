"""Keys are values that never reach a file, a page, a cache, a message or an exception.

They come from environment variables, are handed on as `strict.Secret`, and are sent in a header to one host.
Whatever is kept or shown goes through `redact`, since a server may say a key back. A key that stands in a
recipe is found by `salon.secrets.literal_keys`, and refused before anything is made of it.
"""

import functools
import os
import re
from collections.abc import Mapping
from typing import Any, cast

from .key_forms import without_forms
from .redaction import hide

HIDDEN = "[key hidden]"
LEAST = 8
"""Characters below which a word is no secret: it would be found in every text."""
LEAST_GUESSED = 16
"""The same for a variable that nobody named, and that only sounds as if it held a key."""

KEYS: Mapping[str, str] = {
    "api.openai.com": "OPENAI_API_KEY",
    "api.anthropic.com": "ANTHROPIC_API_KEY",
    "generativelanguage.googleapis.com": "GEMINI_API_KEY",
    "openrouter.ai": "OPENROUTER_API_KEY",
    "api.together.xyz": "TOGETHER_API_KEY",
    "api.groq.com": "GROQ_API_KEY",
    "api.mistral.ai": "MISTRAL_API_KEY",
    "api.deepseek.com": "DEEPSEEK_API_KEY",
    "api.fireworks.ai": "FIREWORKS_API_KEY",
    "api.x.ai": "XAI_API_KEY",
    "router.huggingface.co": "HF_TOKEN",
}
"""Where the key of a known host is looked for when the recipe names none. It is sent to that host only."""

_NAMED_SO = re.compile(
    r"(?:^|_)(?:API_?KEYS?|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|CREDS|JWT|SAS|DSN|WEBHOOK|COOKIE)"
    r"(?:_|$)|_(?:PASS|PWD|PW)$",
    re.IGNORECASE,
)
VARIABLE = re.compile(r"\$\{(\w++)(?::-((?:[^}$]|\$(?!\{))*+))?\}")
"""`${NAME}` or `${NAME:-default}` in a recipe's text, which is read in one pass: it may be a stranger's."""

_known: set[str] = set()


def remember(secret: str) -> None:
    """Hide this from now on, wherever `redact` looks; a word shorter than LEAST is left alone."""
    if len(secret.strip()) >= LEAST:
        _known.add(secret.strip())


def sounds_secret(variable: str) -> bool:
    """Whether an environment variable is named as if it held a key, such as OPENAI_API_KEY or HF_TOKEN."""
    return bool(_NAMED_SO.search(variable))


def redact(text: str) -> str:
    """`text` with every known secret taken out: those that were remembered, and the values of environment
    variables that sound as if they held one; and whatever has the form of a key. In time linear in the text.
    """
    return without_forms(_without_known(text), HIDDEN)


def redact_bytes(data: bytes) -> bytes:
    """UTF-8 with every known secret taken out; other bytes are read as Latin-1, so that what is not text
    stays as it is.
    """
    if len(data) < LEAST or not _secrets():
        return data
    try:
        text, encoding = str(data, "utf-8"), "utf-8"
    except UnicodeDecodeError:
        text, encoding = data.decode("latin-1"), "latin-1"
    return _without_known(text).encode(encoding)


def _without_known(text: str) -> str:
    if len(text) < LEAST or not (known := _secrets()):
        return text
    return hide(text, known, HIDDEN)


def redacted(value: Any) -> Any:
    """JSON-ready values with `redact` applied to every text in them, keys of mappings too."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {redacted(key): redacted(item) for key, item in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [redacted(item) for item in cast("list[Any]", value)]
    return value


def _secrets() -> frozenset[str]:
    """Those that were remembered, and those the environment holds now. Asked for every text that is kept, so
    only the variables that sound secret are read.
    """
    named = _secret_names(tuple(os.environ))
    return _joined(tuple(_known), tuple(os.environ.get(name, "") for name in named))


@functools.lru_cache(maxsize=4)
def _secret_names(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(filter(sounds_secret, names))


@functools.lru_cache(maxsize=4)
def _joined(known: tuple[str, ...], guessed: tuple[str, ...]) -> frozenset[str]:
    values = (value.strip() for value in guessed)
    return frozenset(known).union(
        value for value in values if len(value) >= LEAST_GUESSED and not re.search(r"\s|^[/.~]", value)
    )
