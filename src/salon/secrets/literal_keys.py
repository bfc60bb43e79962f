"""Keys that stand in a recipe themselves, instead of the names of their variables: found under whatever name,
as the value of a pair, in a text, in an address, as a variable's default, or by their form.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast
from urllib.parse import unquote

from .key_forms import PREFIXED, has_form
from .known import HIDDEN, LEAST_GUESSED, VARIABLE, redact, sounds_secret

_OWNERS = (
    "api|access|secret|private|auth|bearer|subscription|refresh|session|client|signing|encryption|master|service|"
    "openai|anthropic|claude|gemini|google|goog|azure|aws|hf|huggingface|openrouter|together|groq|mistral|"
    "deepseek|fireworks|xai|nvidia|cohere|replicate|github|gitlab|slack|stripe|npm|databricks|sendgrid|pypi|docker|"
    "account|deploy|ssh|bot|oauth|csrf|jwt|sas|webhook|wandb"
)
_OWNED = re.compile(
    rf"(?:{_OWNERS})(?:keys?|token|secrets?)$|(?:^|db|user|smtp|sql|postgres|pg|redis|proxy|ftp|root|admin|api)pw$"
    "|(?:db|user|smtp|sql|postgres|redis|proxy|ftp|root|admin|api)pass$"
)
_PROVIDER = re.compile(
    r"openai|anthropic|claude|gemini|google|azure|^aws|^hf|huggingface|openrouter|groq|mistral"
)
_SURE = {"authorization", "authorisation", "password", "passwd", "passphrase", "passcode", "pwd"}
_NOUNS = {"secret", "secrets", "cookie", "cookies", "credential", "credentials", "creds", "bearer"}
_THINGS = {"jwt", "sas", "webhook", "webhooks", "pw"} | _NOUNS
"""The same, but words of plain English where they stand in a text or as one value among others."""
_PERHAPS_NAMES = {"key", "keys", "token", "tokens", "auth", "session", "dsn"}
_PERHAPS, _PASS, _SURELY = 1, 2, 3
"""How surely a name is that of a key: where the value is long, such as that of token; where it looks like a
password, of pass alone; and whatever the value is, of api_key or password. 0: it is none.
"""
_OF_VALUES = {"value", "literal", "string", "raw", "default", "pem", "base64", "b64"}
_ADDRESS = {"url", "uri", "address"}
_NAMED_BY_USERS = {"terms", "judges"}
"""Where the names are a user's own, and say nothing of what stands under them."""
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+")

_NAMES = {"name", "key", "header", "field", "parameter", "param", "variable", "id", "k"}
_VALUES = {"value", "val", "v", "content", "data", "default", "literal", "text"}
"""Fields of a pair, such as {name: X-Api-Key, value: …}."""
_POINTERS = re.compile(r"env|variable|name|from|file|path|type|kind|host|url|base_url|header|protocol")
"""Fields that tell where a key is, and are none."""

_KEY_SIGNS = re.compile(r"[\w.~+/=-]+")
_PLAIN = re.compile(r"[a-z]{1,15}(?:[-_./ ][a-z]{1,15})+")
"""Words, and no key."""
_WITH_PASSWORD = re.compile(r"[\w.%-]{1,100}:[^\s/@:]{1,100}@[\w.-]+(?:[:/(?]\S{0,1000})?")
_ODD_SIGN = re.compile(r"[A-Za-z][0-9]|[0-9][A-Za-z]|[^\w.-]")
_MIXED = re.compile(r"(?=[A-Za-z]{0,20}[0-9])(?=[0-9]{0,20}[A-Za-z])[A-Za-z0-9]{12,}")
_SCHEME = re.compile(r"^(?:Bearer|Basic|Token)\b", re.IGNORECASE)
_USER = re.compile(r"//([^/\s@?#]{1,400})@")
_QUERY = re.compile(r"(?:[?&#]|&amp;)([\w.%~-]{1,60})=[^&\s]")
_SIGNED = {"sig", "signature", "sas"}
_SAID = re.compile(
    r"(?<![\w.-])((?:(?:api|access|secret|private|auth) )?[A-Za-z][\w.-]{1,60})[\"']?(\s{0,4}[:=]\s{0,4})"
    r"(?=([\"']?)((?:bearer|basic|token|apikey)\s+)?([^\s\"',;&<>$*.(\[{][^\s\"',;&()\[\]]{0,200}))",
    re.IGNORECASE,
)
_NO_VALUE = re.compile(r"none|null|nil|true|false|str|string|token|key|value|the|a|your|my", re.IGNORECASE)


def names_key(name: str) -> bool:
    """Whether an argument is named as if it took a key, such as api_key or token."""
    return _strength(name) > 0


def hide_literals(value: Any) -> Any:
    """What somebody once wrote into a recipe, with keys that stand in it hidden: for runs that are older than
    the refusal.
    """
    places = {place for place, _ in literal_keys(value)}
    return _without(value, places, ()) if places else value


def literal_keys(value: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """Where a key itself stands in a recipe's values instead of the name of its variable, and how it
    shows.
    """
    yield from _literals(value, (), 0)


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


def _literals(value: Any, at: tuple[str, ...], strength: int) -> Iterator[tuple[tuple[str, ...], str]]:
    """`strength`: how surely the names around the value say that it is a key; see `_strength`."""
    if isinstance(value, Mapping):
        entries = cast("Mapping[Any, Any]", value)
        named = max((_said(item) for key, item in entries.items() if str(key).lower() in _NAMES), default=0)
        mine = at[-1:] and at[-1] in _NAMED_BY_USERS
        for key, item in entries.items():
            if isinstance(key, str) and (has_form(key) or PREFIXED.fullmatch(key)):
                # Nothing below it is named, since its name would be.
                yield at, "a name in it has the form of a key"
                continue
            theirs = mine and isinstance(item, Mapping)
            below = strength if theirs else _strength_of_field(str(key), named, strength)
            yield from _literals(item, (*at, str(key)), below)
    elif isinstance(value, list | tuple):
        items = cast("list[Any]", value)
        second = _said(items[0]) if len(items) == 2 else 0
        for place, item in enumerate(items):
            yield from _literals(item, (*at, str(place)), max(strength, second if place else 0))
    elif (why := _literal(value, strength)) is not None:
        yield at, why


def _strength_of_field(key: str, named: int, around: int) -> int:
    low = key.lower()
    if low in _VALUES:
        return max(named, around)
    # {key: X-Api-Key} in a pair is the name of the other.
    return 0 if _POINTERS.fullmatch(low) or (named and low in _NAMES) else max(_strength(key), around)


def _strength(name: str) -> int:
    """How surely a name is that of a key: _SURELY for openaiKey, _PERHAPS for pen_key, 0 for a word."""
    words = [word.lower() for word in _WORD.split(name[:100]) if word]
    while words and (words[-1].isdigit() or (len(words) > 1 and words[-1] in _OF_VALUES)):
        words.pop()
    if not words:
        return 0
    last = words[-1].rstrip("0123456789")
    if len(words) > 1 and last in _ADDRESS and words[-2].startswith("webhook"):
        return _SURELY
    joined = "".join(words).rstrip("0123456789")
    if last in _SURE or last in _THINGS or _OWNED.search(joined):
        return _SURELY
    if last == "pass":
        return _PASS
    return _PERHAPS if last in _PERHAPS_NAMES or joined.endswith(("sessionid", "sessid")) else 0


def _said(name: Any) -> int:
    """The same of a name that stands in a text or is a value itself, where it may be a word of English."""
    if not isinstance(name, str) or not re.fullmatch(r"[\w.\- ]{1,100}", name):
        return 0
    return min(_strength(name), _PERHAPS) if name.lower() in {*_THINGS, "pass"} else _strength(name)


def _literal(value: Any, strength: int) -> str | None:
    """Why one value is a key that was written out; None where it is none."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    text = str(value)
    if text == HIDDEN:
        return None
    left = _SCHEME.sub("", VARIABLE.sub("", text).strip()).strip()
    if strength == _SURELY and left:
        return "the key itself"
    if (strength and _seems_key(left)) or (strength == _PASS and _seems_password(left)):
        return "what seems to be the key itself"
    for variable, default in VARIABLE.findall(text):
        if default and (strength == _SURELY or _is_key_of(variable, default)):
            return f"a default for {variable}, which is the key itself"
    return _in_text(text) if isinstance(value, str) else None


def _in_text(text: str) -> str | None:
    if _in_address(VARIABLE.sub("", text)):
        return "an address with a key in it"
    if has_form(text):
        return "text that has the form of a key"
    if any(_is_said(match, text) for match in _SAID.finditer(VARIABLE.sub("$", text))):
        return "text with a key in it"
    return "the value of a variable that holds a key" if redact(text) != text else None


def _seems_key(text: str) -> bool:
    if PREFIXED.fullmatch(text):
        return True
    if _WITH_PASSWORD.fullmatch(text):
        return True
    return len(text) >= LEAST_GUESSED and bool(_KEY_SIGNS.fullmatch(text)) and not _PLAIN.fullmatch(text)


def _seems_password(text: str) -> bool:
    return bool(_ODD_SIGN.search(text)) and not re.search(r"\s", text)


def _is_key_of(variable: str, default: str) -> bool:
    """Whether a variable's default is a key: by the variable's name, or by its own form."""
    if sounds_secret(variable) or _strength(variable) == _SURELY or PREFIXED.fullmatch(default):
        return True
    return bool(_PROVIDER.search(variable.lower()) and _MIXED.search(default) and "/" not in default)


def _in_address(text: str) -> bool:
    for match in _USER.finditer(text):
        user, colon, word = match[1].partition(":")
        if (colon and word) or len(user) >= 12 or PREFIXED.fullmatch(user):
            return True
    names = (unquote(match[1]) for match in _QUERY.finditer(text))
    return any(_strength(name) or name.lower() in _SIGNED for name in names)


def _is_said(match: re.Match[str], text: str) -> bool:
    """Whether `name: value` or `name=value` in a text is a key with its name, and no word about keys."""
    name, sign, quote, scheme, value = match.groups()
    strength, value = _said(name), value.rstrip(".:!?")
    if not strength or _NO_VALUE.fullmatch(value):
        return False
    if PREFIXED.fullmatch(value) or _MIXED.search(value):
        return True
    if strength < _SURELY or sign == ":":
        return False
    whole = match.start() == 0 and not re.search(r"\s", text[match.end() :])
    return bool(scheme or quote or whole or sign == "=" or re.search(r"[0-9]", value))
