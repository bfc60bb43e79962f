"""A language model as author, over any server that speaks OpenAI's chat completions.

author: {kind: openai, model: Qwen/Qwen3-VL-30B-A3B-Instruct, base_url: "${SALON_JUDGE_URL}"}
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from salon.judges.vlm.prompts import digest
from salon.llm.chat_client import ChatClient
from salon.llm.completion import Completion, unreadable, whole
from salon.llm.image_encoder import ImageEncoder
from salon.llm.response_cache import ResponseCache, Row, text_in
from salon.llm.settings import known_settings
from salon.types import Failure, Picture

from .asking import Message

MAX_TOKENS = 4096


class ChatAuthor:
    """Writes what it is asked for. Replies that could be used are kept by content, on disk for all runs. A
    reply that could not (a refusal, a form that is broken) is no use a second time: it is never kept.

    Args:
        model: the model's name on the server. base_url: the address up to /v1; the provider's own when empty.
        side: pictures are shrunk to so many pixels a side.
        server: address, patience, limits, price and cache: see salon.llm.settings.ServerSettings.

    Raises:
        RecipeError: a setting is unknown or wrong.
    """

    def __init__(self, model: str, base_url: str = "", side: int = 512, **server: Any) -> None:
        known_settings(server, ChatAuthor.__init__)
        place = {"base_url": base_url} if base_url else {}
        given = {"max_tokens": MAX_TOKENS, "deadline_s": 180.0, **place, **server}
        self.server = ChatClient(model=model, **given)
        settings = self.server.settings
        self._kept = ResponseCache.at(settings.cache, settings.asked_at)
        self._shown = ImageEncoder(side)
        said = [settings.temperature, settings.max_tokens, settings.extra, settings.revision]
        self.identity = f"{model}@{digest(self._shown.name, said)}"

    def write(self, messages: Sequence[Message]) -> str | Failure:
        """The reply; a reply that ran into max_tokens is none."""
        ask = partial(self._ask, messages)
        return self._kept.get(self._question(messages), ask, lambda row: text_in(row["text"]), keep=False)

    def keep(self, messages: Sequence[Message], reply: str) -> None:
        """Whoever asked could use this reply: give it again to the same question."""
        self._kept.keep(self._question(messages), {"text": reply})

    def _question(self, messages: Sequence[Message]) -> Row:
        asked = [[message.role, *(_named(part) for part in message.parts)] for message in messages]
        return {"author": self.identity, "kind": "write", "messages": asked}

    def _ask(self, messages: Sequence[Message]) -> Row:
        body = [{"role": message.role, "content": self._content(message)} for message in messages]
        return {"text": self.server.ask({"messages": body}, _whole)}

    def _content(self, message: Message) -> str | list[dict[str, Any]]:
        if not any(isinstance(part, Picture) for part in message.parts):
            return message.text
        return [
            {"type": "text", "text": part} if isinstance(part, str) else self._shown.part(part)
            for part in message.parts
        ]


def _named(part: str | Picture) -> list[str]:
    return ["text", part] if isinstance(part, str) else ["picture", part.key]


def _whole(completion: Completion) -> str:
    if not whole(completion).text.strip():
        raise unreadable("an empty reply")
    return completion.text
