"""Keys are values that never reach a file, a page, a cache, a message or an exception.

They come from environment variables, are handed on as `strict.Secret`, and are sent in a header to one host.
Whatever is kept or shown goes through `redact`, since a server may say a key back: as it is, broken over
lines, or escaped as URLs, JSON, HTML, base64 and hexadecimal do. A key that stands in a recipe is found by
`literal_keys`, and refused before anything is made of it.
"""

import base64
import functools
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

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
    r"(?:^|_)(?:API_?KEYS?|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:_|$)", re.IGNORECASE
)
_KEY_NAME = re.compile(
    r"(?:^|[-_.])(?:x-goog-)?(?:api[-_]?keys?|(?:access|secret|private|auth|subscription)[-_]?key|secrets?|"
    r"pass(?:word|wd|phrase)|pwd|cookie|credentials?|authori[sz]ation|bearer|(?:access|auth|bearer|api|hf|refresh)[-_]?token)(?:[-_]?\d+)?$",
    re.IGNORECASE,
)
_MAYBE_KEY_NAME = re.compile(r"(?:^|[-_.])(?:key|token|auth)$", re.IGNORECASE)
_LOOKS_SO = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}|AIza[0-9A-Za-z_-]{30,}|hf_[A-Za-z0-9]{20,}"
    r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|(?:AKIA|ASIA)[0-9A-Z]{16}|(?:glpat|nvapi|pplx)-[\w-]{16,}|[spr]k_(?:live|test)_\w{16,}|npm_\w{30,}"
    r"|gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|r8_[A-Za-z0-9]{20,}|eyJ[\w-]{10,400}+\.eyJ[\w-]{10,}\.)"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY|\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{16,}"
)
_IN_ADDRESS = re.compile(
    r"://(?:[^/\s@:]*:[^/\s@]+|[^/\s@:$]{12,}+)@|[?&](?:(?:x-)?api[-_]?key|key|auth|secret|client[-_]?secret|access[-_]?token|token|sig|signature|password)=[^&\s]",
    re.IGNORECASE,
)
VARIABLE = re.compile(r"\$\{(\w++)(?::-((?:[^}$]|\$(?!\{))*+))?\}")
"""`${NAME}` or `${NAME:-default}` in a recipe's text, which is read in one pass: it may be a stranger's."""
_SCHEME = re.compile(r"^(?:Bearer|Basic|Token)\b", re.IGNORECASE)
_SPACE = r"\s\u00ad\u200b-\u200d\u2060\ufeff"
_GAP = rf"(?:\\++[nrt]|[{_SPACE}])*+"
_DENSE = re.compile(rf"\\++[nrt]|[{_SPACE}\\]++")
_ESCAPED = re.compile(
    r"(?<!\\)\\++(?:u00|x)(?P<a>[0-9a-fA-F]{2})|%(?:25)*(?P<b>[0-9a-fA-F]{2})|&#(?:(?P<decimal>[0-9]{1,7})|[xX](?P<c>[0-9a-fA-F]{1,6}));"
)
_BASE64 = {"+": r"(?:[-+]|%2[Bb])", "/": r"(?:\\*+/|_|%2[Ff])"}
_STANDARD_BASE64 = str.maketrans("-_", "+/")

_known: set[str] = set()


def remember(secret: str) -> None:
    """Hide this from now on, wherever `redact` looks; a word shorter than LEAST is left alone."""
    if len(secret.strip()) >= LEAST:
        _known.add(secret.strip())


def names_key(name: str) -> bool:
    """Whether an argument is named as if it took a key, such as api_key or token."""
    return bool(_KEY_NAME.search(name) or _MAYBE_KEY_NAME.search(name))


def sounds_secret(variable: str) -> bool:
    """Whether an environment variable is named as if it held a key, such as OPENAI_API_KEY or HF_TOKEN."""
    return bool(_NAMED_SO.search(variable))


def redact(text: str) -> str:
    """`text` with every known secret taken out: those that were remembered, and the values of environment
    variables that sound as if they held one. In time linear in the text.
    """
    if len(text) < LEAST or not (known := _secrets()):
        return text
    found = _among(text, known)
    return _pattern(found).sub(HIDDEN, text) if found else text


def redact_bytes(data: bytes) -> bytes:
    """`redact` of UTF-8; other bytes are read as Latin-1, so that what is not text stays as it is."""
    if len(data) < LEAST or not _secrets():
        return data
    try:
        text, encoding = str(data, "utf-8"), "utf-8"
    except UnicodeDecodeError:
        text, encoding = data.decode("latin-1"), "latin-1"
    return redact(text).encode(encoding)


def redacted(value: Any) -> Any:
    """JSON-ready values with `redact` applied to every text in them, keys of mappings too."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {redacted(key): redacted(item) for key, item in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [redacted(item) for item in cast("list[Any]", value)]
    return value


def hide_literals(value: Any) -> Any:
    """What somebody once wrote into a recipe, with keys that stand in it hidden: for runs that are older than
    the refusal.
    """
    places = {place for place, _ in literal_keys(value)}
    return _without(value, places, ()) if places else value


def literal_keys(value: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """Where a key itself stands in a recipe's values instead of the name of its variable, and how it shows:
    under a key that is named so, in an address, or by its form.
    """
    yield from _literals(value, (), "")


def _without(value: Any, places: set[tuple[str, ...]], at: tuple[str, ...]) -> Any:
    if at in places:
        return HIDDEN
    if isinstance(value, Mapping):
        entries = cast("Mapping[Any, Any]", value).items()
        return {key: _without(item, places, (*at, str(key))) for key, item in entries}
    if isinstance(value, list | tuple):
        items = enumerate(cast("list[Any]", value))
        return [_without(item, places, (*at, str(place))) for place, item in items]
    return value


def _literals(value: Any, at: tuple[str, ...], name: str) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value, Mapping):
        for key, item in cast("Mapping[Any, Any]", value).items():
            if isinstance(key, str) and _LOOKS_SO.search(key):
                yield at, "a name in it has the form of a key"
            yield from _literals(item, (*at, str(key)), str(key))
    elif isinstance(value, list | tuple):
        for place, item in enumerate(cast("list[Any]", value)):
            yield from _literals(item, (*at, str(place)), name)
    elif (why := _literal(value, name)) is not None:
        yield at, why


def _literal(value: Any, name: str) -> str | None:
    """Why one value is a key that was written out; None where it is none."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    text = str(value)
    if text == HIDDEN:
        return None
    left = _SCHEME.sub("", VARIABLE.sub("", text).strip()).strip()
    if _KEY_NAME.search(name) and left:
        return "the key itself"
    if _MAYBE_KEY_NAME.search(name) and len(left) >= LEAST_GUESSED and " " not in left:
        return "what seems to be the key itself"
    for variable, default in VARIABLE.findall(text):
        if default and (_KEY_NAME.search(name) or sounds_secret(variable)):
            return f"a default for {variable}, which is the key itself"
    if not isinstance(value, str):
        return None
    if _IN_ADDRESS.search(VARIABLE.sub("", text)):
        return "an address with a key in it"
    if _LOOKS_SO.search(text):
        return "text that has the form of a key"
    return "the value of a variable that holds a key" if redact(text) != text else None


def _secrets() -> frozenset[str]:
    guessed = (
        value.strip()
        for name, value in os.environ.items()
        if _NAMED_SO.search(name) and len(value.strip()) >= LEAST_GUESSED
    )
    return frozenset(_known.union(value for value in guessed if not re.search(r"\s|^[/.~]", value)))


def _among(text: str, known: frozenset[str]) -> frozenset[str]:
    """Which secrets may stand in a text: told by searching it without its escapes and white space, which is
    much faster than the patterns that find where.
    """
    plain = _ESCAPED.sub(_meant, text) if any(sign in text for sign in "%\\&") else text
    dense = _DENSE.sub("", plain)
    lower, digits = dense.lower(), dense.translate(_STANDARD_BASE64)
    return frozenset(
        secret
        for secret in known
        if secret in text
        or any(part in lower for part in _parts(secret))
        or any(part in digits for part in _encoded(secret))
    )


def _meant(match: re.Match[str]) -> str:
    number, hexadecimal = match["decimal"], match["a"] or match["b"] or match["c"]
    code = int(number) if number else int(hexadecimal, 16)
    return chr(code) if code < 0x110000 else ""


@functools.lru_cache(maxsize=256)
def _parts(secret: str) -> tuple[str, ...]:
    halves = _halves(secret)
    return tuple(each.lower() for each in (_DENSE.sub("", secret), secret.encode().hex(), *halves))


@functools.lru_cache(maxsize=256)
def _encoded(secret: str) -> tuple[str, ...]:
    """What of base64 is the secret's alone, for each number of bytes that may stand before it."""
    data = secret.encode()
    wholes = [base64.b64encode(bytes(before) + data).decode() for before in range(3)]
    return tuple(
        whole[-(-before * 8 // 6) : (before + len(data)) * 8 // 6] for before, whole in enumerate(wholes)
    )


def _halves(secret: str) -> tuple[str, ...]:
    """Parts that are long enough to be hidden on their own: a server may quote a key in part."""
    half = len(secret) // 2
    return (secret[:half], secret[half:]) if len(secret) >= 24 else ()


@functools.lru_cache(maxsize=16)
def _pattern(secrets: frozenset[str]) -> re.Pattern[str]:
    longest_first = sorted(secrets, key=lambda each: (-len(each), each))
    return re.compile("|".join(form for secret in longest_first for form in _forms(secret)))


def _forms(secret: str) -> Iterator[str]:
    """Regular expressions for a secret as it may be written. None of them backtracks far."""
    yield re.escape(secret)
    yield f"(?i:{_spelled(secret)})"
    for own in _encoded(secret):
        yield _GAP.join(_BASE64.get(sign, sign) for sign in own)
    yield f"(?i:{_GAP.join(secret.encode().hex())})"
    for half in _halves(secret):
        yield f"(?i:{_spelled(half)})"


def _spelled(text: str) -> str:
    """Character by character, each as it is or escaped, with white space between them or not."""
    # From the first backslash of a run only: a long one would be read anew from each of its own.
    return rf"(?:(?<!\\)\\++)?{_character(text[0])}" + "".join(
        rf"{_GAP}\\*+{_character(sign)}" for sign in text[1:]
    )


def _character(sign: str) -> str:
    code = ord(sign)
    escaped = [f"u{code:04x}", f"x{code:02x}", f"&#0*+{code};", f"&#x0*+{code:x};"]
    quoted = "".join(f"%(?:25)*+{byte:02x}" for byte in sign.encode())
    return rf"(?>{'|'.join([*escaped, quoted, re.escape(sign)])})"
