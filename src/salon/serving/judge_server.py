"""Any judge of ours behind OpenAI's chat completions: `salon serve-judge`.

A client that asks for a verdict on two pictures, for a yes or no, or for a critique gets it in the form it
asked for: by the schema it sent, or else by the words of its system message. Any other chat about one or two
pictures is answered in prose: two are compared, a question about one is answered, and else one is criticised.
The odds of a verdict come as log-probabilities, so nothing is lost on the way. Pictures come as data URLs;
nothing is fetched.
"""

import base64
import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from salon.errors import StageError
from salon.judges.inputs_read import READS, Guidable, cannot_read, reads_of, refuse_reading
from salon.judges.source_image import LooksAtEdits, judge_of_edits
from salon.raster import pixels_of, to_picture
from salon.types import Answer, Critic, Critique, Examiner, Failure, Judge, Picture, Prompt, Verdict

from .chat_protocol import as_events, as_json, chat_completion, form_of, in_form, in_prose, refuse_unable
from .connection_limits import LARGE_PIXELS, MOST, Pixels
from .json_server import MAX_PIXELS, Events, JsonHandler, JsonServer, bad_request, no_model, serve
from .judge_instructions import criteria_in

__all__ = ["Asked", "JudgeHandler", "JudgeServer", "answer_request", "read_request", "serve"]
_REQUEST = "The request was: "
_AFTER_REQUEST = ("\n\nPicture A:", "\n\nThe picture:", "\n\nThe picture before:")
MOST_MESSAGES = 1000
MOST_TEXT = 1_000_000
"""Characters of what is asked."""
MOST_QUESTIONS = 200
_QUESTION = re.compile(r"Question: (.*)")
_NUMBERED = re.compile(r"^(\d{1,9})\. (.*)$", re.M)
ALWAYS_READ = "What is always answered: 'Which picture is better, A or B?'"
_TASKS = ("winner", "answers", "answer", "scores")


@dataclass(frozen=True, slots=True)
class Asked:
    """A chat completion's request as a judge understands it.

    `keys` are those of the answer, in order, and none where prose is wanted; `task_text` is what was said
    last, `text` all of it. `before` is the picture that was to be edited, where there is one more picture
    than are judged. `criteria` are what the request tells a judge to go by,
    and `shown` whether it has comparisons of people as examples.
    """

    task: str
    keys: Sequence[str]
    prompt: Prompt
    pictures: Sequence[Picture]
    text: str
    task_text: str
    odds: bool
    before: Picture | None = None
    criteria: str = ""
    shown: bool = False


class JudgeServer(JsonServer):
    """Serves a judge at http://host:port/v1 until `shutdown`.

    Args:
        judge: who looks; what it cannot do is refused.
        port: 0 for any that is free.
        api_key: what a client must send as bearer token; none when empty.
        connections: how many requests are worked on at once.
        names: host names it is reached by, beside its own.
        models: the names that it answers to, beside its judge's identity; another one is refused. Without
            any, whatever a client calls it.
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
        names: Sequence[str] = (),
        models: Sequence[str] = (),
    ) -> None:
        super().__init__(JudgeHandler, host, port, api_key, connections, names)
        self.judge, self.began = judge, int(time.time())
        self.models = tuple(dict.fromkeys((judge.identity, *models))) if models else ()
        self.pages = (*JudgeServer.pages, *(f"/v1/models/{name}" for name in self.models))

    @property
    def url(self) -> str:
        """What to give as `base_url`."""
        return f"{self.address}/v1"

    def page(self, path: str) -> dict[str, Any]:
        """/health, and /v1/models: a row for each name, with `root`, the identity of who answers to it; and
        the row of one name alone.
        """
        if path == "/health":
            return {"status": "ok", "judge": self.judge.identity}
        reads = [name for name in READS if name in reads_of(self.judge)]
        who = self.judge.identity
        model = {"object": "model", "created": self.began, "owned_by": "salon", "root": who, "reads": reads}
        rows = {f"/v1/models/{name}": {"id": name, **model} for name in self.models or (who,)}
        return rows.get(path) or {"object": "list", "data": list(rows.values())}

    def reply(self, body: Mapping[str, Any]) -> dict[str, Any] | Events:
        """The chat completion that answers a request, whole or as a stream.

        Raises:
            StageError: the request is not understood, or for another model, or the judge does not answer.
        """
        refuse_unable(body)
        if self.models and (wanted := body.get("model")) and wanted not in self.models:
            raise no_model(wanted, self.models)
        asked = read_request(body, self.pixels)
        count = sum(pixels_of(each.png) for each in (*asked.pictures, *filter(None, [asked.before])))
        with self.pixels.held(count if count >= LARGE_PIXELS else 0):
            said, odds = answer_request(instructed(self.judge, asked), asked)
        said = in_form(said, _schema(body))
        whole = _completion(said, odds if asked.odds else None, self.judge.identity, asked)
        return as_events(whole, body.get("stream_options")) if body.get("stream") else whole


class JudgeHandler(JsonHandler):
    """A judge's connection."""


def read_request(body: Mapping[str, Any], room: Pixels | None = None) -> Asked:
    """What a request asks. Pictures are counted, and their sizes read, before one is decoded.

    Args:
        room: what the pixels of all requests share while they are decoded.

    Raises:
        Busy: there is no room for its pictures.
        StageError: bad_request: it has no message, no picture, or a form that no judge answers.
    """
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise bad_request("`messages` is missing")
    if len(cast("list[Any]", messages)) > MOST_MESSAGES:
        raise bad_request(f"more than {MOST_MESSAGES} messages")
    turns = _last_question(cast("list[Any]", messages))
    parts = _parts(turns)
    said = [part for part in parts if isinstance(part, str)]
    shown = [part for part in parts if not isinstance(part, str)]
    text = "\n".join(said)
    if len(text) > MOST_TEXT:
        raise bad_request(f"{len(text)} characters are asked, and {MOST_TEXT} are the most that are read")
    keys = _keys(body)
    if form_of(body) != "json_schema" and not keys:
        keys = [key for key in _TASKS if f'"{key}"' in text]
    elif not set(keys) & set(_TASKS):
        raise bad_request(f"the answer has none of the keys {', '.join(_TASKS)}")
    task = next((key for key in _TASKS if key in keys), "") or _ordinary_task(said, len(shown))
    judged = 2 if task == "winner" else 1
    if len(shown) not in (judged, judged + 1):
        raise bad_request(f"{len(shown)} pictures for an answer with the key {task!r}")
    pictures = _pictures(shown, room or Pixels())
    before = pictures.pop(0) if len(pictures) > judged else None
    odds = bool(body.get("logprobs"))
    if odds and task != "winner":
        raise bad_request("`logprobs`: only a verdict on two pictures has odds; leave it out")
    if not keys and form_of(body) == "json_object":
        keys = [task]
    prompt = Prompt(id="asked", text=_request_in(text) if keys else _users_words(messages))
    system, user = (_said_by(turns, is_system) for is_system in (True, False))
    return Asked(
        task=task,
        keys=keys,
        prompt=prompt,
        pictures=pictures,
        text=text,
        task_text=said[-1] if said else "",
        odds=odds,
        before=before,
        criteria=criteria_in("\n".join(system), user, in_prose=not keys),
        shown=len(turns) < len(messages),
    )


def _ordinary_task(said: Sequence[str], count: int) -> str:
    """What a client wants that names no form: a verdict on two pictures, a yes or no to a question about one,
    and else a critique.
    """
    if count not in (1, 2, 3):
        raise bad_request(
            f"{count} pictures: a judge looks at one picture, or at two to compare; send them as data URLs"
        )
    if count > 1:
        return "winner"
    return "answer" if said and said[-1].rstrip().endswith("?") else "scores"


def _users_words(messages: Sequence[Any]) -> str:
    """What the user said last, without the system's words to the model."""
    mine = [
        each for each in _last_question(messages) if isinstance(each, dict) and each.get("role") != "system"
    ]
    return "\n".join(part for part in _parts(mine) if isinstance(part, str))


def _request_in(text: str) -> str:
    """What the pictures were asked for: as salon's own clients write it, and else nothing."""
    _, found, rest = text.partition(_REQUEST)
    end = max(rest.rfind(mark) for mark in _AFTER_REQUEST)
    return rest[:end] if found and end >= 0 else ""


def _pictures(parts: Sequence[Mapping[str, Any]], room: Pixels) -> list[Picture]:
    """The pictures in these parts; none is decoded before all are known to be small enough."""
    try:
        files = [_picture_bytes(part) for part in parts]
        sizes = [pixels_of(data) for data in files]
        if (most := max(sizes, default=0)) > MAX_PIXELS:
            raise ValueError(f"the picture is too large: {most} pixels, and {MAX_PIXELS} are the most")
        with room.held(sum(sizes)):
            return [to_picture(data, most_pixels=MAX_PIXELS) for data in files]
    except (KeyError, TypeError, ValueError) as error:
        raise bad_request(f"a picture cannot be read: {error}") from error


def instructed(judge: Judge, asked: Asked) -> Judge:
    """The judge by the criteria of a request.

    Raises:
        StageError: cannot_read: it is told to go by what it cannot read.
    """
    reads = reads_of(judge)
    if asked.task in ("answer", "answers"):
        if "question" not in reads:
            raise refuse_reading(f"{judge.identity} answers no questions, and", "questions", asked.task_text)
        return judge
    if asked.shown and "criterion" not in reads:
        raise refuse_reading(judge.identity, "examples", "comparisons that people made")
    if not asked.criteria:
        return judge
    if not isinstance(judge, Guidable) or "criterion" not in reads:
        failure = cannot_read(judge.identity, "criteria", asked.criteria)
        if asked.task != "winner":
            raise StageError(failure)
        told = f"{failure.message}. {ALWAYS_READ}"
        raise StageError(replace(failure, message=told))
    return judge.with_criteria(asked.criteria)


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
    questions = _questions(asked)
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
    text = as_json(said, asked.keys) if asked.keys else in_prose(asked.task, said)
    tokens = None if p_a is None else _tokens(text, str(said["winner"]), p_a)
    return chat_completion(text, tokens, model, len(asked.text) // 4 + 256 * len(asked.pictures))


def _tokens(text: str, winner: str, p_a: float) -> list[dict[str, Any]]:
    """The text as three tokens, of which the middle one is the winner, with the odds of either."""
    written = f'"winner": "{winner}"'
    place = text.index(written) + len('"winner": "') if written in text else text.index(winner)
    odds = {"A": p_a, "B": 1.0 - p_a} if winner != "tie" else {"tie": 1.0}
    others = [{"token": name, "logprob": math.log(p)} for name, p in odds.items() if p > 0]
    pieces = [(text[:place], []), (winner, others), (text[place + len(winner) :], [])]
    return [{"token": piece, "logprob": 0.0, "top_logprobs": each} for piece, each in pieces]


def _keys(body: Mapping[str, Any]) -> list[str]:
    """The keys of the schema that the answer is to have; none where there is no schema."""
    found = _schema(body).get("properties", {})
    if not isinstance(found, Mapping):
        raise bad_request("`response_format`: the schema's `properties` are no object")
    return list(cast("Mapping[str, Any]", found))


def _schema(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema that the answer is to have; empty where there is none."""
    try:
        found = body["response_format"]["json_schema"]["schema"]
    except (KeyError, TypeError):
        return {}
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {}


def _last_question(messages: Sequence[Any]) -> Sequence[Any]:
    """What the last turn asks, and the system's messages; examples that were answered are left out."""
    roles = [message.get("role") if isinstance(message, dict) else None for message in messages]
    if "assistant" not in roles:
        return messages
    last = len(roles) - 1 - roles[::-1].index("assistant")
    system = [message for message, role in zip(messages[:last], roles, strict=False) if role == "system"]
    return [*system, *messages[last + 1 :]]


def _said_by(turns: Sequence[Any], is_system: bool) -> list[str]:
    """The texts of the system, or of everybody else."""
    roles = ("system", "developer")
    chosen = [each for each in turns if isinstance(each, dict) and (each.get("role") in roles) == is_system]
    return [part for part in _parts(chosen) if isinstance(part, str)]


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


def _picture_bytes(part: Mapping[str, Any]) -> bytes:
    """Raises KeyError, TypeError or ValueError."""
    head, _, data = str(part["image_url"]["url"]).partition(",")
    if not head.startswith("data:image/") or not head.endswith(";base64"):
        raise ValueError("a picture must come as a data URL; nothing is fetched")
    return base64.b64decode(data, validate=True)


def _questions(asked: Asked) -> dict[str, str]:
    if asked.task == "answers":
        found = dict(_NUMBERED.findall(asked.task_text))
        if not 0 < len(found) <= MOST_QUESTIONS:
            raise bad_request(f"{len(found)} numbered questions, and 1 to {MOST_QUESTIONS} are answered")
        return found
    one = _QUESTION.search(asked.task_text)
    question = one[1] if one else asked.task_text.strip()
    if not question:
        raise bad_request("there is no question: say it in the last text")
    return {"1": question}


def _row(answer: Answer) -> dict[str, Any]:
    words = {True: "yes", False: "no", None: "n/a"}
    return {"answer": words[answer.yes], "reason": answer.reason}


def _got(answer: Any, kind: type) -> Any:
    if isinstance(answer, Failure):
        raise StageError(answer)
    assert isinstance(answer, kind)
    return answer
