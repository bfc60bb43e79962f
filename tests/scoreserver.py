"""A preference model by formula, and a score server that fails on a schedule.

with served(FaultyScores(Lightness(), share=0.3)) as server: …
"""

import threading
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from salon.judges.preference_model import PreferenceModel, Request
from salon.raster import decode
from salon.serving.score_server import ScoreHandler, ScoreServer
from salon.types import Score

FAULTS = (
    "429",
    "500",
    "503",
    "silence",
    "hang up",
    "half a body",
    "html",
    "no results",
    "one too few",
    "NaN",
    "a text",
    "true",
    "null",
    "nested",
    "another reward",
)
_BODIES = {
    "html": b"<html>gateway</html>",
    "no results": b'{"results": [], "errors": []}',
    "one too few": b'{"results": [{"light": {"score": 0.0}}], "errors": [{}]}',
    "NaN": b'{"results": [{"light": {"score": NaN}}]}',
    "a text": b'{"results": [{"light": {"score": "0"}}]}',
    "true": b'{"results": [{"light": {"score": true}}]}',
    "null": b'{"results": [{"light": null}]}',
    "nested": b'{"results": ' + b"[" * 20_000,
    "another reward": b'{"results": [{"dark": {"score": 0.0}}]}',
}


class Lightness:
    """Mean lightness of a picture, 0 to 1, and how long its text is; fails or lies as it is told to.

    Args:
        per_batch: added for every further picture in a batch: such a model depends on its neighbours.
        constant: what it says of everything.
        refuse: with this in a text, the whole batch fails.
    """

    def __init__(self, per_batch: float = 0.0, constant: float | None = None, refuse: str = "boom") -> None:
        self.identity = "lightness@1"
        self.batches: list[int] = []
        self._per_batch, self._constant, self._refuse = per_batch, constant, refuse

    def rate(self, requests: Sequence[Request]) -> list[Score]:
        self.batches.append(len(requests))
        if any(self._refuse in each.text for each in requests):
            raise MemoryError("out of memory, on purpose")
        extra = self._per_batch * (len(requests) - 1)
        return [self._score(each, extra) for each in requests]

    def _score(self, request: Request, extra: float) -> Score:
        if self._constant is not None:
            return Score(self._constant)
        light = float(np.asarray(decode(request.picture.png)).mean() / 255.0)
        return Score(light + extra, details={"letters": float(len(request.text))})


class FaultyScores(ScoreServer):
    """Fails a share of the requests, each fault in turn; nobody is answered while `down`."""

    def __init__(self, model: PreferenceModel, share: float = 0.3) -> None:
        super().__init__(model, "light")
        self.RequestHandlerClass = _FaultyHandler
        self.share, self.count, self.down = share, 0, False
        self.faults: Counter[str] = Counter()
        self._lock = threading.Lock()

    def fault(self) -> str | None:
        with self._lock:
            self.count += 1
            if self.down:
                return "hang up"
            if int(self.count * self.share) == int((self.count - 1) * self.share):
                return None
            name = FAULTS[sum(self.faults.values()) % len(FAULTS)]
            self.faults[name] += 1
            return name


class _FaultyHandler(ScoreHandler):
    server: FaultyScores

    def get(self, path: str) -> None:
        if self.server.down:
            self.close_connection = True
            return
        super().get(path)

    def answer(self, data: bytes) -> None:
        fault = self.server.fault()
        if fault is None:
            return super().answer(data)
        self.close_connection = True
        if fault.isdigit():
            return self.refuse(int(fault), "out of order")
        if fault == "silence":
            time.sleep(0.5)
        elif fault == "half a body":
            self._raw(b'{"results": [{', 500)
        elif fault != "hang up":
            self._raw(_BODIES[fault], len(_BODIES[fault]))
        return None

    def _raw(self, data: bytes, length: int) -> None:
        self.request.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % length + data)


def http_post(server: Any, body: bytes) -> tuple[int, Any]:
    """The status and the JSON of a POST to /score."""
    import http.client
    import json

    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=5)
    connection.request("POST", "/score", body, {"Content-Type": "application/json"})
    reply = connection.getresponse()
    found = reply.status, json.loads(reply.read())
    connection.close()
    return found
