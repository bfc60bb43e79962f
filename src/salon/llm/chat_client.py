"""A client of servers that speak OpenAI's chat completions, until they answer readably or time is up.

    client = ChatClient(model="Qwen/Qwen3-VL-30B-A3B-Instruct", base_url="http://127.0.0.1:8000/v1")
    text = client.complete([{"role": "user", "content": "Which flower is this?"}], [picture])

How patiently, and at whose expense, is told in salon.llm.retrying_client.
"""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

from salon.errors import StageError
from salon.types import Picture

from .capability_fallback import OptionalParameter, parameter_to_drop
from .completion import Completion, CutError, read_completion, tokens_billed, unreadable, whole
from .connections import Reply
from .dialects import DIALECTS
from .image_encoder import ImageEncoder
from .retrying_client import Retry, RetryingClient, refusal
from .settings import ServerSettings, server_settings
from .usage import Usage

Found = TypeVar("Found")
Item = TypeVar("Item")

MODELS_S = 5.0
"""How long is waited for a list of models, without which everything goes on."""
MOST_ROOM = 4
"""So many times max_tokens are allowed, at most, for an answer that was cut."""
_LIMITS = ("max_tokens", "max_completion_tokens")


class ChatClient:
    """One model on one server. May be asked from several threads.

    Args:
        given: what ServerSettings knows: model, base_url, api_key, concurrency, deadline_s, budget …

    Raises:
        RecipeError: a setting is unknown or wrong.
    """

    def __init__(self, **given: Any) -> None:
        self.settings: ServerSettings = server_settings(given)
        self._server = RetryingClient(self.settings.address, self.settings)
        self._key = self.settings.key_for(self._server.host)
        self._server.guard(self._key)
        self._dialect = DIALECTS[self.settings.protocol]
        self._dropped: tuple[OptionalParameter, ...] = ()
        self._proven: set[str] = set()

    @property
    def host(self) -> str:
        """Where it is."""
        return self._server.host

    @property
    def has_key(self) -> bool:
        """Whether a key goes along."""
        return bool(self._key)

    @property
    def spent(self) -> Usage:
        """What this server has cost since it was opened."""
        return self._server.spent

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        pictures: Sequence[Picture] = (),
        side: int = 512,
        **options: Any,
    ) -> str:
        """The answer to a conversation, as text.

        Args:
            messages: {"role": "system" | "user" | "assistant", "content": text}, the last one the user's.
            pictures: shown with the last message, after its text, each under "Picture 1:", "Picture 2:" …
            side: pictures are shrunk to so many pixels a side.
            options: other keys of the request, such as temperature or response_format.

        Raises:
            StageError: no answer; the failure is the system's.
        """
        shown = ImageEncoder(side)
        *before, last = (dict(message) for message in messages)
        if pictures:
            parts: list[dict[str, Any]] = [{"type": "text", "text": str(last["content"])}]
            for number, picture in enumerate(pictures, 1):
                parts += [{"type": "text", "text": f"Picture {number}:"}, shown.part(picture)]
            last["content"] = parts
        return self.ask({"messages": [*before, last], **options}, _anything)

    def models(self) -> list[Mapping[str, Any]]:
        """What the server says that it has, at /models; nothing where it does not say."""
        headers = self._dialect.headers(self._key)
        end = time.monotonic() + MODELS_S
        try:
            reply = self._server.exchange("/models", None, headers, end)
            found = json.loads(reply.body) if reply.status == 200 else {}
        except (Retry, StageError, ValueError, RecursionError):
            return []
        rows = cast("dict[str, Any]", found).get("data") if isinstance(found, dict) else None
        return (
            [row for row in cast("list[Any]", rows) if isinstance(row, dict)]
            if isinstance(rows, list)
            else []
        )

    def ask(self, body: Mapping[str, Any], read: Callable[[Completion], Found]) -> Found:
        """Post a chat completion and read its answer; one that `read` refuses with StageError malformed_… is
        asked for again. One that ran into its limit of tokens is not read at all, and is asked for again with
        twice as many, up to MOST_ROOM times as many.

        Raises:
            StageError: no readable answer within the attempts and the deadline; its failure is the last
                attempt's.
        """
        room, most = 1, MOST_ROOM

        def attempt(end: float) -> Found:
            nonlocal room, most
            try:
                return read(whole(self._post(body, end, room)))
            except CutError:
                room = min(2 * room, most)
                raise
            except StageError as error:
                if room == 1 or error.failure.code != "judge_refused":
                    raise
                # It is the larger limit that was refused: the server has no more to give.
                room = most = 1
                raise CutError("the answer ran into max_tokens, and the server gives no more") from error

        return self._server.ask(attempt)

    def ask_all(self, items: Sequence[Item], one: Callable[[Item], Found]) -> list[Found]:
        """`one` of every item, in order, as many at once as the server is asked at once."""
        return self._server.ask_all(items, one)

    def _post(self, body: Mapping[str, Any], end: float, room: int) -> Completion:
        """One attempt, with `room` times max_tokens, and without the wishes that the server refuses (see
        concessions).
        """
        made = self._dropped
        while True:
            wanted = self._whole(body, made, room)
            reply = self._exchange(wanted, end)
            if reply.status == 200:
                self._dropped = made
                self._proven |= set(wanted)
                return self._counted(read_completion(reply.body))
            another = parameter_to_drop(wanted, reply, self._proven)
            if another is None:
                raise refusal(reply)
            made = (*made, another)

    def _counted(self, completion: Completion) -> Completion:
        if not completion.tokens_in and not completion.tokens_out:
            self._server.not_billed()
        return completion

    def _whole(self, body: Mapping[str, Any], made: Sequence[OptionalParameter], room: int) -> dict[str, Any]:
        settings = self.settings
        options = {"temperature": settings.temperature, "max_tokens": settings.max_tokens}
        wanted: dict[str, Any] = {"model": settings.model, **options, **settings.extra, **body}
        for key in _LIMITS:
            if isinstance(limit := wanted.get(key), int):
                wanted[key] = limit * room
        for parameter in made:
            wanted = parameter.apply(wanted)
        return {key: value for key, value in wanted.items() if value is not None}

    def _exchange(self, wanted: Mapping[str, Any], end: float) -> Reply:
        """Post, in the server's own dialect."""
        headers = {"Content-Type": "application/json"} | self._dialect.headers(self._key)
        path, data = self._dialect.path(self.settings.model), self._dialect.request(wanted)
        reply = self._server.exchange(path, data, headers, end, self._price)
        return replace(reply, body=self._dialect.answer(reply.body)) if reply.status == 200 else reply

    def _price(self, body: bytes) -> Usage:
        """What an answer says that it cost."""
        tokens_in, tokens_out = tokens_billed(self._dialect.answer(body))
        price = self.settings.price
        usd = (tokens_in * price.input + tokens_out * price.output) / 1e6 if price else 0.0
        return Usage(tokens_in=tokens_in, tokens_out=tokens_out, usd=usd)


def _anything(completion: Completion) -> str:
    if not completion.text.strip():
        raise unreadable("an empty answer")
    return completion.text
