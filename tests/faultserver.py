"""A judge behind the chat API that fails on a schedule, in every way that people reported.

    with served(FaultyServer(FakeJudge(), share=0.2)) as server: …

Every n-th request by its number gets the next fault of FAULTS, a request with several questions by turns one
of BATCH_FAULTS; `down_from` and `down_for` (requests, seconds) take it away altogether for a while. `faults`
counts what was done.
"""

import itertools
import json
import threading
import time
from collections import Counter
from typing import Any

from salon.serving.judge_server import JudgeHandler, JudgeServer
from salon.types import Judge

FAULTS = (
    "429",
    "429 with Retry-After",
    "500",
    "503",
    "529",
    "408",
    "silence",
    "hang up",
    "half a body",
    "endless body",
    "html",
    "no choices",
    "null content",
    "empty",
    "cut short",
    "prose",
    "python dict",
    "two objects",
    "another key",
    "null verdict",
    "NaN",
    "99",
    "8/10",
    "unfinished thinking",
    "ten megabytes",
    "nested",
)

BATCH_FAULTS = ("omits two ids", "constant true")
"""What only an answer to several questions can get wrong: two of them are left out; or all are answered
`true`, which is JSON, and neither yes nor no.
"""

_SAID = {
    "empty": "",
    "cut short": '{"winner": "A',
    "prose": "I like the first one better.",
    "python dict": "{'winner': 'A', 'answer': 'yes'}",
    "two objects": '{"winner": "A"} {"winner": "B"} {"answer": "yes"} {"answer": "no"}',
    "another key": '{"best": "A"}',
    "null verdict": '{"winner": null, "answer": null, "scores": null}',
    "NaN": '{"winner": NaN, "answer": NaN, "scores": {"text_faithfulness": NaN}}',
    "99": '{"winner": 99, "answer": 99, "scores": {"text_faithfulness": 99}}',
    "8/10": '{"winner": "8/10", "answer": "8/10", "scores": {"text_faithfulness": "8/10"}}',
    "unfinished thinking": '<think>{"winner": "A", "answer": "yes"}',
    "nested": '{"a":' * 20_000,
}
_STATUS = {"429": 429, "500": 500, "503": 503, "529": 529, "408": 408}


class FaultyServer(JudgeServer):
    """Fails a share of the requests.

    Args:
        share: of all requests, spread evenly; each fault in turn.
        silence_s: how long a silent one says nothing.
        down_from, down_for: from which request on, and for how many seconds, nobody is answered.
    """

    def __init__(
        self,
        judge: Judge,
        share: float = 0.2,
        silence_s: float = 1.0,
        down_from: int | None = None,
        down_for: float = 0.0,
    ) -> None:
        super().__init__(judge)
        self.RequestHandlerClass = _FaultyHandler
        self.share, self.silence_s = share, silence_s
        self.down_from, self.down_for = down_from, down_for
        self.back_at = 0.0
        self.count = 0
        self.faults: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._turns = itertools.cycle(FAULTS)
        self._batch_turns = itertools.cycle([*BATCH_FAULTS, ""])

    def fault(self, is_batch: bool = False) -> str | None:
        """What happens to the next request; None for an answer."""
        with self._lock:
            self.count += 1
            if self.count == self.down_from:
                self.back_at = time.monotonic() + self.down_for
            if time.monotonic() < self.back_at:
                self.faults["down"] += 1
                return "hang up"
            if int(self.count * self.share) == int((self.count - 1) * self.share):
                return None
            name = (next(self._batch_turns) if is_batch else "") or next(self._turns)
            self.faults[name] += 1
            return name


class _FaultyHandler(JudgeHandler):
    server: FaultyServer

    def answer(self, data: bytes) -> None:
        is_batch = b'"answers"' in data
        fault = self.server.fault(is_batch)
        if fault is None:
            return super().answer(data)
        if fault in BATCH_FAULTS:
            return self._half(fault, data)
        if fault in _SAID:
            return self.send_json(200, {"choices": [{"message": {"content": _SAID[fault]}}]})
        if fault in _STATUS:
            return self.refuse(_STATUS[fault], "out of order")
        return self._strange(fault)

    def _half(self, fault: str, data: bytes) -> None:
        """The answer, with two of its questions left out, or with `true` to all of them."""
        said = self.server.reply(json.loads(data))
        message = said["choices"][0]["message"]
        rows = json.loads(message["content"])["answers"]
        if fault == "constant true":
            rows = [row | {"answer": True} for row in rows]
        else:
            place = self.server.count % len(rows)
            rows = [row for n, row in enumerate(rows) if n not in (place, (place + 1) % len(rows))]
        message["content"] = json.dumps({"answers": rows})
        self.send_json(200, said)

    def _strange(self, fault: str) -> None:
        self.close_connection = True
        if fault == "silence":
            time.sleep(self.server.silence_s)
        elif fault == "429 with Retry-After":
            self._raw(429, b"slow down", {"Retry-After": "0.05"})
        elif fault == "half a body":
            self._raw(200, b'{"choices": [{"mess', length=500)
        elif fault == "endless body":
            self._raw(200, b" " * 5_000_000, length=10**9)
        elif fault == "html":
            self._raw(200, b"<html>gateway</html>")
        elif fault == "no choices":
            self._raw(200, b'{"choices": []}')
        elif fault == "null content":
            self._raw(200, json.dumps({"choices": [{"message": {"content": None}}]}).encode())
        elif fault == "ten megabytes":
            self._raw(200, b'{"choices": "' + b"x" * 10_000_000 + b'"}')

    def _raw(self, status: int, data: bytes, headers: Any = None, length: int | None = None) -> None:
        lines = [f"HTTP/1.1 {status} Strange"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        lines += [f"Content-Length: {len(data) if length is None else length}", "", ""]
        self.request.sendall("\r\n".join(lines).encode() + data)
