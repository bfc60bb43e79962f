"""Any judge of ours behind OpenAI's chat completions: `salon serve-judge`.

A client that asks for a verdict on two pictures, for a yes or no, or for a critique gets it in the form it
asked for: by the schema it sent, or else by the words of its system message. The odds of a verdict come as
log-probabilities, so nothing is lost on the way. Pictures come as data URLs; nothing is fetched.
"""

import base64
import binascii
import hmac
import json
import math
import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from salon.errors import StageError, boundary
from salon.raster import to_picture
from salon.types import Answer, Critic, Critique, Examiner, Failure, Judge, Picture, Prompt, Verdict

from .limits import judge_failure

MAX_BODY = 64_000_000
_REQUEST = re.compile(r"The request was: (.*)\n\n(?:Picture A|The picture):", re.S)
_QUESTION = re.compile(r"Question: (.*)")
_NUMBERED = re.compile(r"^(\d+)\. (.*)$", re.M)
_TASKS = ("winner", "answers", "answer", "scores")


@dataclass(frozen=True, slots=True)
class Asked:
    """A chat completion's request as a judge understands it.

    `keys` are those of the answer, in order; `task_text` is what was said last, `text` all of it.
    """

    task: str
    keys: Sequence[str]
    prompt: Prompt
    pictures: Sequence[Picture]
    text: str
    task_text: str
    odds: bool


class JudgeServer(ThreadingHTTPServer):
    """Serves a judge at http://host:port/v1 until `shutdown`.

    Args:
        judge: who looks; what it cannot do is refused.
        port: 0 for any that is free.
        api_key: what a client must send as bearer token; none when empty.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, judge: Judge, host: str = "127.0.0.1", port: int = 0, api_key: str = "") -> None:
        super().__init__((host, port), JudgeHandler)
        self.judge = judge
        self.api_key = api_key
        self.host = host

    @property
    def url(self) -> str:
        """What to give as `base_url`."""
        return f"http://{self.host}:{self.server_address[1]}/v1"

    def reply(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The chat completion that answers a request.

        Raises:
            StageError: the request is not understood, or the judge does not answer.
        """
        asked = read_request(body)
        said, odds = answer_request(self.judge, asked)
        return _completion(said, odds if asked.odds else None, str(body.get("model", "")), asked)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that left is no error."""


class JudgeHandler(BaseHTTPRequestHandler):
    """One connection, kept open as long as the client likes."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 300

    def do_GET(self) -> None:
        """/health, and /v1/models."""
        server = cast("JudgeServer", self.server)
        if self.path == "/health":
            return self.send_json(200, {"status": "ok", "judge": server.judge.identity})
        if self.path == "/v1/models":
            model = {"id": server.judge.identity, "object": "model", "owned_by": "salon"}
            return self.send_json(200, {"object": "list", "data": [model]})
        return self.refuse(404, "there are /health, /v1/models and /v1/chat/completions")

    def do_POST(self) -> None:
        """/v1/chat/completions."""
        server = cast("JudgeServer", self.server)
        size = self.headers.get("Content-Length", "")
        if not size.isdigit() or int(size) > MAX_BODY:
            self.close_connection = True
            return self.refuse(413, f"a request has a Content-Length of at most {MAX_BODY} bytes")
        data = self.rfile.read(int(size))
        if self.path != "/v1/chat/completions":
            return self.refuse(404, "there are /health, /v1/models and /v1/chat/completions")
        given = self.headers.get("Authorization", "").removeprefix("Bearer ").encode()
        if server.api_key and not hmac.compare_digest(given, server.api_key.encode()):
            return self.refuse(401, "the key is wrong")
        return self.answer(data)

    def answer(self, data: bytes) -> None:
        """Answer a request's body."""
        with boundary("judge") as caught:
            self.send_json(200, cast("JudgeServer", self.server).reply(_mapping(data)))
        if caught.failure:
            is_theirs = caught.failure.code == "bad_request"
            self.refuse(422 if is_theirs else 500, f"{caught.failure.code}: {caught.failure.message}")

    def refuse(self, status: int, message: str) -> None:
        """An error in the protocol's own form."""
        self.send_json(status, {"error": {"message": message, "type": "error", "code": status}})

    def send_json(self, status: int, value: Any) -> None:
        """A JSON body."""
        data = json.dumps(value).encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: a run asks thousands of times."""


def serve(server: JudgeServer) -> threading.Thread:
    """Serve in a thread of its own; `server.shutdown()` ends it."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    return thread


def read_request(body: Mapping[str, Any]) -> Asked:
    """What a request asks.

    Raises:
        StageError: bad_request: it has no message, no picture, or a form that no judge answers.
    """
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise _bad("`messages` is missing")
    said: list[str] = []
    pictures: list[Picture] = []
    for part in _parts(cast("list[Any]", messages)):
        if isinstance(part, str):
            said.append(part)
        else:
            pictures.append(_picture(part))
    text = "\n".join(said)
    keys = _keys(body) or [key for key in _TASKS if f'"{key}"' in text]
    task = next((key for key in _TASKS if key in keys), "")
    if not task:
        raise _bad(f"the answer has none of the keys {', '.join(_TASKS)}")
    if len(pictures) != (2 if task == "winner" else 1):
        raise _bad(f"{len(pictures)} pictures for an answer with the key {task!r}")
    request = _REQUEST.search(text)
    prompt = Prompt(id="asked", text=request[1] if request else "")
    return Asked(task, keys, prompt, pictures, text, said[-1], bool(body.get("logprobs")))


def answer_request(judge: Judge, asked: Asked) -> tuple[dict[str, Any], float | None]:
    """The object that answers, and for a verdict the probability that the first picture wins.

    Raises:
        StageError: the judge cannot do what is asked, or does not answer.
    """
    if asked.task == "winner":
        first, second = asked.pictures
        verdict = _got(judge.compare(asked.prompt, [(first, second)])[0], Verdict)
        winner = {"a": "A", "b": "B", "tie": "tie"}[verdict.winner]
        return {"winner": winner, "reason": verdict.reason}, verdict.p_a
    if asked.task == "scores":
        if not isinstance(judge, Critic):
            raise _bad(f"{judge.identity} writes no critiques")
        critique = _got(judge.critique(asked.prompt, asked.pictures[0]), Critique)
        scores = dict(critique.scores)
        return {"critique": critique.text, "scores": scores, "request": critique.request}, None
    if not isinstance(judge, Examiner):
        raise _bad(f"{judge.identity} answers no questions")
    several = asked.task == "answers"
    questions = dict(_NUMBERED.findall(asked.task_text)) if several else _one_question(asked.task_text)
    found = judge.answer(asked.prompt, asked.pictures[0], list(questions.values()))
    rows = [_row(_got(answer, Answer)) for answer in found]
    if asked.task == "answer":
        return rows[0], None
    return {"answers": [{"id": int(n), **row} for n, row in zip(questions, rows, strict=True)]}, None


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
        return to_picture(base64.b64decode(data, validate=True))
    except (KeyError, TypeError, ValueError, binascii.Error) as error:
        raise _bad(f"a picture cannot be read: {error}") from error


def _one_question(text: str) -> dict[str, str]:
    found = _QUESTION.search(text)
    if found is None:
        raise _bad('no line "Question: …"')
    return {"1": found[1]}


def _row(answer: Answer) -> dict[str, Any]:
    words = {True: "yes", False: "no", None: "n/a"}
    return {"answer": words[answer.yes], "reason": answer.reason}


def _got(answer: Any, kind: type) -> Any:
    if isinstance(answer, Failure):
        raise StageError(answer)
    assert isinstance(answer, kind)
    return answer


def _mapping(data: bytes) -> Mapping[str, Any]:
    try:
        body = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _bad(f"the body is no JSON: {error}") from error
    if not isinstance(body, dict):
        raise _bad("the body is no object")
    return cast("dict[str, Any]", body)


def _bad(what: str) -> StageError:
    return StageError(judge_failure("bad_request", what))
