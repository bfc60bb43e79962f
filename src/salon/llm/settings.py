"""What can be set about a server that is asked: where it is, how patiently it is asked, what it may cost."""

import inspect
import os
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, FiniteFloat, model_validator

from salon import validation
from salon.errors import RecipeError
from salon.registry import did_you_mean
from salon.secrets.known import HIDDEN, KEYS, remember

from .dialects import ADDRESSES, Name

OPENAI = ADDRESSES["openai"]


Count = Annotated[int, Field(ge=1)]
Money = Annotated[FiniteFloat, Field(ge=0)]


def _switch(written: Any) -> Any:
    """YAML's old words for true and false, which nobody means as the name of a folder."""
    words = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}
    return words.get(written.lower(), written) if isinstance(written, str) else written


class Budget(BaseModel):
    """What may be spent before no further question is asked: calls, tokens (both ways), US dollars."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    calls: Annotated[int, Field(ge=0)] | None = None
    tokens: Annotated[int, Field(ge=0)] | None = None
    usd: Money | None = None


class Price(BaseModel):
    """US dollars for a million tokens."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    input: Money
    output: Money


class RetryPolicy(BaseModel):
    """How a server is asked, whatever it is asked about.

    api_key: "${NAME}" of an environment variable, sent over https, or to this machine itself. key_over_http:
    also over http to an address of a private network.
    concurrency: questions at once, over all callers. requests_per_minute: sent evenly.
    attempts: how often an answer that cannot be read is asked for. deadline_s: seconds for one question, all
    attempts together, from its first one; timeout_s: for one attempt, by default half of that. backoff_s: the
    first pause's upper end; it doubles each time, up to 8 s.
    cooldown_s: how long a server that was silent for a whole deadline is left alone.
    budget: what may be spent.
    cache: keep answers on disk, shared by runs; a text is the folder. revision: any word; change it when the
    weights behind the model's name change, and nothing kept is used any more.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    api_key: validation.Secret = validation.Secret("")
    key_over_http: bool = False
    concurrency: Annotated[int, Field(ge=1, le=1024)] = 8
    requests_per_minute: Annotated[FiniteFloat, Field(ge=60 / validation.MOST_SECONDS)] | None = None
    attempts: Count = 4
    deadline_s: validation.Seconds = 60.0
    timeout_s: validation.Seconds | None = None
    backoff_s: Annotated[FiniteFloat, Field(ge=0, le=validation.MOST_SECONDS)] = 0.5
    cooldown_s: validation.Seconds = 30.0
    budget: Budget = Budget()
    cache: Annotated[bool | str, BeforeValidator(_switch)] = True
    revision: str = ""

    @model_validator(mode="after")
    def _is_hidden(self) -> Self:
        given = self.api_key.get_secret_value()
        if given == HIDDEN:
            raise ValueError("api_key: the run had the key itself in its recipe, which is not shown any more")
        remember(given)
        return self

    @property
    def attempt_s(self) -> float:
        """Seconds for one attempt."""
        return min(self.deadline_s, self.timeout_s or self.deadline_s / 2)


class ServerSettings(RetryPolicy):
    """A chat server and how it is asked; beside how patiently (see RetryPolicy):

    protocol: openai (chat completions, which most servers speak), anthropic or gemini. base_url: the address
    up to /v1; the protocol's own provider when empty. api_key: where it is empty and the host is a known
    provider's, that provider's environment variable (see KEYS).
    temperature, max_tokens: of the answer, thinking included; `none` leaves them out. extra: other keys of
    the request, such as `{chat_template_kwargs: {enable_thinking: false}}`.
    price: what a token costs, for a budget in US dollars.
    """

    model: Annotated[str, Field(min_length=1)]
    protocol: Name = "openai"
    base_url: str = ""
    temperature: Annotated[FiniteFloat, Field(ge=0)] | None = 0.0
    max_tokens: Count | None = 1024
    extra: dict[str, Any] = {}
    price: Price | None = None

    @model_validator(mode="after")
    def _money_needs_a_price(self) -> "ServerSettings":
        if self.budget.usd is not None and self.price is None:
            raise ValueError("a budget in usd needs a `price`: {input: …, output: …}, per million tokens")
        return self

    @property
    def address(self) -> str:
        """Where the server is."""
        return self.base_url or ADDRESSES[self.protocol]

    @property
    def asked_at(self) -> str:
        """What tells this server from any other: how it is spoken to, and its address in one writing."""
        return f"{self.protocol} {place_of(self.address)}"

    def key_for(self, host: str) -> str:
        """The key to send to a host; empty for none. Raises RecipeError where it cannot be sent."""
        given, variable = self.api_key.get_secret_value().strip(), KEYS.get(host, "")
        key = given or os.environ.get(variable, "").strip()
        remember(key)
        if not (key.isascii() and key.isprintable()):
            # Without the key itself, which must stand in no message.
            where = "api_key" if given else variable
            raise RecipeError(f"{where}: holds a line break or another sign that no key has. Copy it again.")
        return key


def place_of(url: str) -> str:
    """An address in one writing: without a slash at its end, scheme and host in small letters."""
    scheme, separator, rest = url.strip().partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme.lower()}{separator}{host.lower()}{slash}{path}".rstrip("/")


def server_settings(given: dict[str, Any], where: str = "judge") -> ServerSettings:
    """Settings as a recipe writes them.

    Raises:
        RecipeError: names the key that is unknown or wrong.
    """
    return validation.validated(ServerSettings, given, where)


def known_settings(given: Mapping[str, Any], judge: Callable[..., Any]) -> None:
    """Refuse a key that is neither a server's setting nor an argument of `judge`.

    Raises:
        RecipeError: names it and the key that was probably meant.
    """
    own = {name for name in inspect.signature(judge).parameters if name not in ("self", "server")}
    known = own | set(ServerSettings.model_fields)
    for key in given:
        if key not in known:
            raise RecipeError(f"{key}: a judge has no such setting.{did_you_mean(key, known)}")
