"""A preference model behind HTTP, in an environment of its own: `salon serve-scorer`.

    POST /score {"requests": [{"history": [{"text": …, "image_b64": …}], "required_rewards": [name]}]}
      → {"results": [{name: {"score": 21.3, …}}], "errors": [{}], "model": identity}
    GET /health, GET /rewards

The protocol is UniRL's, in JSON; nothing is ever unpickled, and nothing is fetched. An error costs one
request its score and is told as "code: message"; a body that is not understood is refused as a whole.
"""

import base64
import binascii
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, cast

from salon.judges.preference_model import PreferenceModel, Request
from salon.llm.limits import judge_failure
from salon.raster import pixels_of, to_picture
from salon.types import Failure, Picture, Score

from .batching import Batcher
from .connection_limits import LARGE_PIXELS
from .connection_limits import MOST as CONNECTIONS
from .json_server import MAX_PIXELS, JsonHandler, JsonServer, bad_request, no_model

MOST = 256
"""How many requests one body may hold."""

MAX_TEXT = 20_000
"""Characters of one request's text."""

MOST_PICTURES = 8
"""Pictures in one request's history: the one to rate, and those before it."""

MOST_PIXELS = 320_000_000
"""Of all pictures in a body, counted before one is decoded."""


class ScoreHandler(JsonHandler):
    """A client's connection."""


class ScoreServer(JsonServer):
    """Serves a preference model at http://host:port until `shutdown`; `server_close` ends its thread.

    Args:
        model: who rates.
        name: the reward's name in the protocol.
        port: 0 for any that is free.
        api_key: what a client must send as bearer token; none when empty.
        batch: how many pictures go through the model at once.
        waiting: how many may wait.
        connections: how many requests are worked on at once.
        names: host names it is reached by, beside its own.
    """

    pages = ("/health", "/rewards")
    path = "/score"

    def __init__(
        self,
        model: PreferenceModel,
        name: str,
        host: str = "127.0.0.1",
        port: int = 0,
        api_key: str = "",
        batch: int = 8,
        waiting: int = 1024,
        connections: int = CONNECTIONS,
        names: Sequence[str] = (),
    ) -> None:
        super().__init__(ScoreHandler, host, port, api_key, connections, names)
        self.model, self.name = model, name
        self._batches = Batcher(model, batch, waiting=waiting)

    def server_close(self) -> None:
        """Close the socket and end the model's thread."""
        super().server_close()
        self._batches.close()

    def page(self, path: str) -> dict[str, Any]:
        """/health: the model, and how busy it is; /rewards: its name."""
        if path == "/rewards":
            return {"rewards": [self.name]}
        done = self._batches
        busy = {"waiting": done.waiting, "rated": done.rated, "batches": done.batches}
        return {"status": "ok", "model": self.model.identity, "rewards": [self.name], **busy}

    def reply(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """A score or an error for each request.

        Raises:
            StageError: bad_request, model_not_found, or busy.
        """
        known = (self.name, self.model.identity)
        if (named := body.get("model")) and named not in known:
            raise no_model(named, known)
        asked = body.get("requests")
        if not isinstance(asked, list) or not 0 < len(cast("list[Any]", asked)) <= MOST:
            raise bad_request(f"`requests` is no list of 1 to {MOST} requests")
        histories = [_history(each, index) for index, each in enumerate(cast("list[Any]", asked))]
        count = _pixels_in(histories)
        with self.pixels.held(count):
            read = [_read(each) for each in histories]
        wanted = [_wanted(each, self.name) for each in cast("list[Any]", asked)]
        requests = [
            each
            for each, names in zip(read, wanted, strict=True)
            if isinstance(each, Request) and self.name in names
        ]
        with self.pixels.held(count if count >= LARGE_PIXELS else 0):
            scores = iter(self._batches.rate(requests))
        results: list[dict[str, Any]] = []
        errors: list[dict[str, str]] = []
        for each, names in zip(read, wanted, strict=True):
            found: Score | Failure | None = None
            if self.name in names:
                found = next(scores) if isinstance(each, Request) else each
            results.append(_result(self.name, found))
            errors.append(_errors(self.name, names, found))
        return {"results": results, "errors": errors, "model": self.model.identity}


def _history(asked: Any, index: int) -> tuple[list[str], list[str]]:
    """One request's texts, and its pictures as they came.

    Raises:
        StageError: bad_request: it has another form, or more pictures than may be.
    """
    history = asked.get("history") if isinstance(asked, dict) else None
    if not isinstance(history, list) or not history or not all(isinstance(each, dict) for each in history):
        raise bad_request(f"requests.{index}.history is no list of objects with `text` and `image_b64`")
    turns = cast("list[dict[str, Any]]", history)
    texts = [each["text"] for each in turns if each.get("text") is not None]
    images = [each["image_b64"] for each in turns if each.get("image_b64") is not None]
    if not all(isinstance(each, str) for each in (*texts, *images)):
        raise bad_request(f"requests.{index}.history: `text` and `image_b64` are texts")
    if len(images) > MOST_PICTURES:
        raise bad_request(
            f"requests.{index}.history: {len(images)} pictures, and {MOST_PICTURES} are the most"
        )
    return texts, images


def _pixels_in(histories: Sequence[tuple[list[str], list[str]]]) -> int:
    """The pixels of all pictures, by their heads.

    Raises:
        StageError: bad_request: they are more than would fit into memory.
    """
    total = 0
    for _, images in histories:
        for each in images:
            # What cannot be read costs its own request its score, later.
            with suppress(ValueError):
                total += min(pixels_of(_decoded(each)), MAX_PIXELS)
    if total > MOST_PIXELS:
        raise bad_request(f"the pictures have {total:,} pixels, and {MOST_PIXELS:,} are the most: send fewer")
    return total


def _read(history: tuple[list[str], list[str]]) -> Request | Failure:
    """One request; a picture that cannot be read is its failure only."""
    texts, images = history
    # Other clients of this protocol say the text at the picture before too: one text, said twice.
    text = "\n".join(dict.fromkeys(texts))
    if len(text) > MAX_TEXT:
        return judge_failure("text_too_long", f"{len(text)} characters; {MAX_TEXT} at most")
    if not images:
        return judge_failure("no_picture", "no `image_b64` in the history")
    try:
        *before, last = [_picture(each) for each in images]
    except ValueError as error:
        return judge_failure("unreadable_picture", str(error))
    return Request(text, last, tuple(before))


def _picture(data: str) -> Picture:
    return to_picture(_decoded(data), most_pixels=MAX_PIXELS)


def _decoded(data: str) -> bytes:
    """Raises ValueError."""
    head, comma, body = data.partition(",")
    if comma and not (head.startswith("data:image/") and head.endswith(";base64")):
        raise ValueError("a picture comes as base64; nothing is fetched")
    try:
        return base64.b64decode(body if comma else data, validate=True)
    except binascii.Error as error:
        raise ValueError(f"no base64: {error}") from error


def _wanted(asked: Mapping[str, Any], name: str) -> Sequence[str]:
    """The rewards that a request asks for; all there are when it names none."""
    names = asked.get("required_rewards") or [name]
    if not isinstance(names, list) or not all(isinstance(each, str) for each in cast("list[Any]", names)):
        raise bad_request("`required_rewards` is no list of names")
    return cast("list[str]", names)


def _result(name: str, found: Score | Failure | None) -> dict[str, Any]:
    if not isinstance(found, Score) or found.value is None:
        return {}
    return {name: {**found.details, "score": found.value}}


def _errors(name: str, names: Sequence[str], found: Score | Failure | None) -> dict[str, str]:
    told = {each: f"unknown_reward: there is {name} only" for each in names if each != name}
    failure = found.failure if isinstance(found, Score) else found
    if failure is not None:
        told[name] = f"{failure.code}: {failure.message}"
    return told
