"""The client of a served preference model: as patient as with a judge, and never an outage as a score.

    model = ServedModel("http://127.0.0.1:8009")
    scores = model.rate([Request("draw a rose", picture)])

Who answers is asked once, and stands in every answer: a server that comes back with another model gives no
scores, since they would be on another scale.
"""

import base64
import json
import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, cast

from pydantic import Field, model_validator

from salon import validation
from salon.errors import RecipeError, StageError, boundary
from salon.llm.limits import judge_failure
from salon.llm.response_cache import ResponseCache, Row, number_in
from salon.llm.retrying_client import RetryingClient, refusal
from salon.llm.settings import RetryPolicy, place_of
from salon.llm.usage import Usage, charge
from salon.markup import printable
from salon.types import Score

from .preference_model import Request

MAX_PICTURES = 40_000_000
"""Characters of pictures in one body: the server refuses much more."""

MAX_NAME = 300
"""Characters of a model's or a reward's name."""

MAX_NUMBERS = 64
"""How many numbers one reward may have."""


class ScoreSettings(RetryPolicy):
    """A score server and how it is asked; beside how patiently (see Patience):

    base_url: its address, such as http://127.0.0.1:8009. reward: which of its rewards, where it has several.
    sub: which number of the reward counts; by default `score`, or the only one there is.
    batch: pictures in one request.
    """

    base_url: Annotated[str, Field(min_length=1)]
    reward: str = ""
    sub: str = ""
    batch: Annotated[int, Field(ge=1, le=64)] = 8

    @model_validator(mode="after")
    def _counts_calls_only(self) -> "ScoreSettings":
        if self.budget.tokens is not None or self.budget.usd is not None:
            raise ValueError("a score server counts neither tokens nor money. Write budget: {calls: …}")
        return self


@dataclass(frozen=True, slots=True)
class _Offer:
    """What a server said that it is. `model` is empty where it does not say."""

    model: str
    reward: str


class ServedModel:
    """A preference model on a server. May be asked from several threads.

    Args:
        base_url: the server's address.
        given: what ScoreSettings knows: reward, sub, batch, concurrency, deadline_s, attempts, cache …

    Raises:
        RecipeError: a setting is unknown or wrong.
    """

    def __init__(self, base_url: str, **given: Any) -> None:
        self.settings = validation.validated(ScoreSettings, {"base_url": base_url, **given}, "served")
        self._server = RetryingClient(self.settings.base_url, self.settings)
        self._server.guard(self.settings.api_key.get_secret_value())
        self._kept = ResponseCache.at(self.settings.cache, place_of(self.settings.base_url))
        self._offer: _Offer | None = None
        self._lock = threading.Lock()

    @property
    def spent(self) -> Usage:
        """What this server has cost since it was opened."""
        return self._server.spent

    @property
    def identity(self) -> str:
        """The server's model, as it calls itself, and which of its numbers counts.

        Raises:
            RecipeError: it does not answer, or has no such reward.
        """
        with boundary("judge") as caught:
            return self._identity(self._offered())
        assert caught.failure is not None
        told = f"{caught.failure.code}: {caught.failure.message}"
        raise RecipeError(
            f"base_url: {self.settings.base_url} does not answer ({told})."
            " Start it with salon serve-scorer, or correct the address."
        )

    def rate(self, requests: Sequence[Request]) -> list[Score]:
        """One score per request, in order; what was answered before is not asked again."""
        with boundary("judge") as caught:
            offer = self._offered()
            found = {request: self._find(offer, request) for request in requests}
            left = [request for request, score in found.items() if score is None]
            parts = _parts(left, self.settings.batch)
            answered = self._server.ask_all(parts, lambda part: self._rate(offer, part))
            for part, scores in zip(parts, answered, strict=True):
                found |= dict(zip([each for each, _ in part], scores, strict=True))
            return [cast("Score", found[request]) for request in requests]
        assert caught.failure is not None
        return [Score(None, caught.failure) for _ in requests]

    def _find(self, offer: _Offer, request: Request) -> Score | None:
        found = self._kept.find(self._question(offer, request), _score_in)
        if found is not None:
            charge(Usage(questions=1, cached=1))
        return found

    def _rate(self, offer: _Offer, part: "_Part") -> list[Score]:
        """The scores of one body, or the same failure for all of it."""
        with boundary("judge") as caught:
            body = _body(part, offer.reward)
            scores = self._server.ask(lambda end: self._post(offer, body, len(part), end))
            for (request, _), score in zip(part, scores, strict=True):
                if score.value is not None:
                    row = {"value": score.value, "details": dict(score.details)}
                    self._kept.keep(self._question(offer, request), row)
            return scores
        assert caught.failure is not None
        return [Score(None, caught.failure) for _ in part]

    def _post(self, offer: _Offer, body: bytes, count: int, end: float) -> list[Score]:
        reply = self._server.exchange("/score", body, self._headers(), end)
        if reply.status != 200:
            raise refusal(reply)
        said = _object(reply.body)
        model = _named(said.get("model", offer.model))
        if model != offer.model:
            told = f"the server had {offer.model} and has {model} now; start the run anew"
            raise StageError(judge_failure("model_changed", told))
        return read_scores(said, count, offer.reward, self.settings.sub)

    def _offered(self) -> _Offer:
        """Who the server is; asked until it once said so.

        Raises:
            StageError: it does not say; or it has no such reward.
        """
        with self._lock:
            if self._offer is None:
                self._offer = self._server.ask(self._introduce)
            return self._offer

    def _introduce(self, end: float) -> _Offer:
        pages: list[dict[str, Any]] = []
        for path in ("/health", "/rewards"):
            reply = self._server.exchange(path, None, self._headers(), end)
            if reply.status != 200:
                raise refusal(reply)
            pages.append(_object(reply.body))
        health, listed = pages
        names = [printable(str(each), MAX_NAME) for each in _listed(listed.get("rewards"))]
        wanted = self.settings.reward or (names[0] if len(names) == 1 else "")
        if wanted not in names:
            told = f"it has the rewards {', '.join(names) or 'none'}; name one of them in `reward`"
            raise StageError(judge_failure("unknown_reward", told))
        return _Offer(_named(health.get("model")), wanted)

    def _headers(self) -> dict[str, str]:
        key = self.settings.api_key.get_secret_value()
        return {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})

    def _identity(self, offer: _Offer) -> str:
        # A server that does not say who it is goes by its address, which is all that is known.
        named = offer.model or self.settings.base_url
        parts = [f"{offer.reward} {named}", self.settings.sub, self.settings.revision]
        return " ".join(part for part in parts if part)

    def _question(self, offer: _Offer, request: Request) -> dict[str, Any]:
        keys = [each.key for each in (*request.before, request.picture)]
        return {"scorer": self._identity(offer), "text": request.text, "pictures": keys}


_Part = Sequence[tuple[Request, str]]


def read_scores(said: Mapping[str, Any], count: int, reward: str, sub: str = "") -> list[Score]:
    """The scores in an answer, read strictly: a number, or an error, for each request.

    Raises:
        StageError: malformed_scores: too few or too many, no finite number, neither a number nor an error.
    """
    results, errors = _listed(said.get("results")), _listed(said.get("errors")) or [{}] * count
    if len(results) != count or len(errors) != count:
        raise _malformed(f"{len(results)} results and {len(errors)} errors for {count} pictures")
    return [_score(*each, reward, sub) for each in zip(results, errors, strict=True)]


def _score(result: Any, error: Any, reward: str, sub: str) -> Score:
    told = error.get(reward) if isinstance(error, dict) else None
    if told:
        # Some codes settle what a reward does without the score: which they are is not a server's to say.
        return Score(None, judge_failure("scorer_error", str(told)))
    numbers = result.get(reward) if isinstance(result, dict) else None
    if not isinstance(numbers, dict) or not all(_is_finite(each) for each in numbers.values()):
        raise _malformed(f"no numbers for {reward!r}: {result!r}"[:200])
    if len(cast("dict[str, Any]", numbers)) > MAX_NUMBERS:
        raise _malformed(f"{reward!r} has more than {MAX_NUMBERS} numbers")
    given = {str(name): float(number) for name, number in cast("dict[str, float]", numbers).items()}
    main = sub or ("score" if "score" in given else next(iter(given)) if len(given) == 1 else "")
    if main not in given:
        told = f"{reward} has the numbers {', '.join(given)}; name the one that counts in `sub`"
        raise StageError(judge_failure("unknown_sub", told))
    return Score(given.pop(main), details=given, reason=_reason(float(numbers[main])))


def _score_in(row: Row) -> Score:
    value = number_in(row["value"])
    details = {str(name): number_in(number) for name, number in dict(row["details"]).items()}
    return Score(value, details=details, reason=_reason(value))


def _reason(value: float) -> str:
    return f"{value:+.3f}"


def _is_finite(number: Any) -> bool:
    try:
        return isinstance(number, int | float) and not isinstance(number, bool) and math.isfinite(number)
    except OverflowError:
        return False


def _named(model: Any) -> str:
    return printable(str(model or ""), MAX_NAME)


def _parts(requests: Sequence[Request], batch: int) -> list[list[tuple[Request, str]]]:
    """The requests with their pictures as base64, in bodies of so many pictures and not too many bytes."""
    parts: list[list[tuple[Request, str]]] = []
    held = 0
    for request in requests:
        size = sum(len(each.png) * 4 // 3 for each in (*request.before, request.picture))
        if not parts or len(parts[-1]) == batch or held + size > MAX_PICTURES:
            parts.append([])
            held = 0
        parts[-1].append((request, base64.b64encode(request.picture.png).decode()))
        held += size
    return parts


def _body(part: _Part, reward: str) -> bytes:
    requests: list[dict[str, Any]] = []
    for request, encoded in part:
        # With the text: UniRL's own servers of edits read it beside the picture before.
        earlier = [
            {"text": request.text, "image_b64": base64.b64encode(each.png).decode()}
            for each in request.before
        ]
        history = [*earlier, {"text": request.text, "image_b64": encoded}]
        requests.append({"history": history, "required_rewards": [reward], "metadata": {}})
    return json.dumps({"requests": requests}).encode()


def _object(body: bytes) -> dict[str, Any]:
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        raise _malformed(f"no JSON: {body[:200]!r}") from None
    if not isinstance(said, dict):
        raise _malformed(f"no object: {body[:200]!r}")
    return cast("dict[str, Any]", said)


def _listed(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _malformed(what: str) -> StageError:
    return StageError(judge_failure("malformed_scores", what))
