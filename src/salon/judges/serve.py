"""Any judge of ours behind OpenAI's chat completions: `salon serve-judge`.

A client that asks for a verdict on two pictures, for a yes or no, or for a critique gets it in the form it
asked for: by the schema it sent, or else by the words of its system message. The odds of a verdict come as
log-probabilities, so nothing is lost on the way. Pictures come as data URLs; nothing is fetched.
"""

import base64
import binascii
import json
import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from salon.errors import StageError
from salon.raster import to_picture
from salon.types import Answer, Critic, Critique, Examiner, Failure, Judge, Picture, Prompt, Verdict

from .before import LooksAtEdits, judge_of_edits
from .clients import MOST
from .json_server import MAX_PIXELS, JsonHandler, JsonServer, bad_request, serve

__all__ = ["Asked", "JudgeHandler", "JudgeServer", "answer_request", "read_request", "serve"]
_REQUEST = re.compile(r"The request was: (.*)\n\n(?:Picture A|The picture|The picture before):", re.S)
_QUESTION = re.compile(r"Question: (.*)")
_NUMBERED = re.compile(r"^(\d{1,9})\. (.*)$", re.M)
_TASKS = ("winner", "answers", "answer", "scores")


@dataclass(frozen=True, slots=True)
class Asked:
    """A chat completion's request as a judge understands it.

    `keys` are those of the answer, in order; `task_text` is what was said last, `text` all of it. `before` is
    the picture that was to be edited, where there is one more picture than are judged.
    """

    task: str
    keys: Sequence[str]
    prompt: Prompt
    pictures: Sequence[Picture]
    text: str
    task_text: str
    odds: bool
    before: Picture | None = None


class JudgeServer(JsonServer):
    """Serves a judge at http://host:port/v1 until `shutdown`.

    Args:
        judge: who looks; what it cannot do is refused.
        port: 0 for any that is free.
        api_key: what a client must send as bearer token; none when empty.
        connections: how many are open at once.
    """

    pages = ("/health", "/v1/models")
    path = "/v1/chat/completions"

    def __init__(
        self,
        judge: Judge,
        host: str = "127.0.0.1",
        port: int = 0,
        api_key: str = "",
        connections: int = MOST,
    ) -> None:
        super().__init__(JudgeHandler, host, port, api_key, connections)
        self.judge = judge

    @property
    def url(self) -> str:
        """What to give as `base_url`."""
        return f"{self.address}/v1"

    def page(self, path: str) -> dict[str, Any]:
        """/health, and /v1/models."""
        if path == "/health":
            return {"status": "ok", "judge": self.judge.identity}
        model = {"id": self.judge.identity, "object": "model", "owned_by": "salon"}
        return {"object": "list", "data": [model]}

    def reply(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The chat completion that answers a request.

        Raises:
            StageError: the request is not understood, or the judge does not answer.
        """
        asked = read_request(body)
        said, odds = answer_request(self.judge, asked)
        return _completion(said, odds if asked.odds else None, str(body.get("model", "")), asked)


class JudgeHandler(JsonHandler):
    """A judge's connection."""


def read_request(body: Mapping[str, Any]) -> Asked:
    """What a request asks.

    Raises:
        StageError: bad_request: it has no message, no picture, or a form that no judge answers.
    """
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise bad_request("`messages` is missing")
    said: list[str] = []
    pictures: list[Picture] = []
    for part in _parts(_last_question(cast("list[Any]", messages))):
        if isinstance(part, str):
            said.append(part)
        else:
            pictures.append(_picture(part))
    text = "\n".join(said)
    keys = _keys(body) or [key for key in _TASKS if f'"{key}"' in text]
    task = next((key for key in _TASKS if key in keys), "")
    if not task:
        raise bad_request(f"the answer has none of the keys {', '.join(_TASKS)}")
    judged = 2 if task == "winner" else 1
    if len(pictures) not in (judged, judged + 1):
        raise bad_request(f"{len(pictures)} pictures for an answer with the key {task!r}")
    before = pictures.pop(0) if len(pictures) > judged else None
    request = _REQUEST.search(text)
    prompt = Prompt(id="asked", text=request[1] if request else "")
    return Asked(task, keys, prompt, pictures, text, said[-1], bool(body.get("logprobs")), before)


def answer_request(judge: Judge, asked: Asked) -> tuple[dict[str, Any], float | None]:
    """The object that answers, and for a verdict the probability that the first picture wins.

    Raises:
        StageError: the judge cannot do what is asked, or does not answer.
    """
    if asked.task == "winner":
        first, second = asked.pictures
        verdict = _got(_compared(judge, asked, (first, second)), Verdict)
        winner = {"a": "A", "b": "B", "tie": "tie"}[verdict.winner]
        return {"winner": winner, "reason": verdict.reason}, verdict.p_a
    if asked.task == "scores":
        critique = _got(_criticised(judge, asked), Critique)
        scores = dict(critique.scores)
        return {"critique": critique.text, "scores": scores, "request": critique.request}, None
    if not isinstance(judge, Examiner) or asked.before is not None:
        raise bad_request(f"{judge.identity} answers no questions{' about edits' * bool(asked.before)}")
    several = asked.task == "answers"
    questions = dict(_NUMBERED.findall(asked.task_text)) if several else _one_question(asked.task_text)
    found = judge.answer(asked.prompt, asked.pictures[0], list(questions.values()))
    rows = [_row(_got(answer, Answer)) for answer in found]
    if asked.task == "answer":
        return rows[0], None
    return {"answers": [{"id": int(n), **row} for n, row in zip(questions, rows, strict=True)]}, None


def _compared(judge: Judge, asked: Asked, pair: tuple[Picture, Picture]) -> Verdict | Failure:
    if asked.before is None:
        return judge.compare(asked.prompt, [pair])[0]
    return _editor(judge).compare_edits(asked.prompt, [pair], asked.before)[0]


def _criticised(judge: Judge, asked: Asked) -> Critique | Failure:
    if asked.before is not None:
        return _editor(judge).critique_edit(asked.prompt, asked.pictures[0], asked.before)
    if not isinstance(judge, Critic):
        raise bad_request(f"{judge.identity} writes no critiques")
    return judge.critique(asked.prompt, asked.pictures[0])


def _editor(judge: Judge) -> LooksAtEdits:
    found = judge_of_edits(judge)
    if found is None:
        raise bad_request(f"{judge.identity} judges no edits; there is a picture too many")
    return found


def _completion(said: Mapping[str, Any], p_a: float | None, model: str, asked: Asked) -> dict[str, Any]:
    ordered = {key: said[key] for key in [*asked.keys, *said] if key in said}
    text = json.dumps(ordered, ensure_ascii=False)
    choice: dict[str, Any] = {
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "finish_reason": "stop",
    }
    if p_a is not None:
        choice["logprobs"] = {"content": _tokens(text, str(said["winner"]), p_a)}
    tokens_in = len(asked.text) // 4 + 256 * len(asked.pictures)
    usage = {"prompt_tokens": tokens_in, "completion_tokens": max(1, len(text) // 4)}
    return {
        "id": "chatcmpl-salon",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [choice],
        "usage": {**usage, "total_tokens": sum(usage.values())},
    }


def _tokens(text: str, winner: str, p_a: float) -> list[dict[str, Any]]:
    """The text as three tokens, of which the middle one is the winner, with the odds of either."""
    place = text.index(f'"winner": "{winner}"') + len('"winner": "')
    odds = {"A": p_a, "B": 1.0 - p_a} if winner != "tie" else {"tie": 1.0}
    others = [{"token": name, "logprob": math.log(p)} for name, p in odds.items() if p > 0]
    pieces = [(text[:place], []), (winner, others), (text[place + len(winner) :], [])]
    return [{"token": piece, "logprob": 0.0, "top_logprobs": each} for piece, each in pieces]


def _keys(body: Mapping[str, Any]) -> list[str]:
    """The keys of the schema that the answer is to have; none where there is no schema."""
    try:
        return list(body["response_format"]["json_schema"]["schema"]["properties"])
    except (KeyError, TypeError):
        return []


def _last_question(messages: Sequence[Any]) -> Sequence[Any]:
    """What the last turn asks, and the system's messages; examples that were answered are left out."""
    roles = [message.get("role") if isinstance(message, dict) else None for message in messages]
    if "assistant" not in roles:
        return messages
    last = len(roles) - 1 - roles[::-1].index("assistant")
    system = [message for message, role in zip(messages[:last], roles, strict=False) if role == "system"]
    return [*system, *messages[last + 1 :]]


def _parts(messages: Sequence[Any]) -> list[str | dict[str, Any]]:
    """Texts, and parts with pictures, in order."""
    found: list[str | dict[str, Any]] = []
    for message in messages:
        content = message.get("content") if isinstance(message, dict) else None
        for part in cast("list[Any]", content) if isinstance(content, list) else [content]:
            if isinstance(part, str):
                found.append(part)
            elif isinstance(part, dict) and isinstance(part.get("text"), str):
                found.append(part["text"])
            elif isinstance(part, dict) and "image_url" in part:
                found.append(cast("dict[str, Any]", part))
    return found


def _picture(part: Mapping[str, Any]) -> Picture:
    try:
        head, _, data = str(part["image_url"]["url"]).partition(",")
        if not head.startswith("data:image/") or not head.endswith(";base64"):
            raise ValueError("a picture must come as a data URL; nothing is fetched")
        return to_picture(base64.b64decode(data, validate=True), most_pixels=MAX_PIXELS)
    except (KeyError, TypeError, ValueError, binascii.Error) as error:
        raise bad_request(f"a picture cannot be read: {error}") from error


def _one_question(text: str) -> dict[str, str]:
    found = _QUESTION.search(text)
    if found is None:
        raise bad_request('no line "Question: …"')
    return {"1": found[1]}


def _row(answer: Answer) -> dict[str, Any]:
    words = {True: "yes", False: "no", None: "n/a"}
    return {"answer": words[answer.yes], "reason": answer.reason}


def _got(answer: Any, kind: type) -> Any:
    if isinstance(answer, Failure):
        raise StageError(answer)
    assert isinstance(answer, kind)
    return answer
