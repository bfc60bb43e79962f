"""Answers of judges kept by content: in memory, and on disk for all runs and processes. A failure never is.

The key hashes where it was asked (the server's address and protocol), who (its identity has the model, the
prompts and the settings in it), what, and about which pictures. A file is one answer, put there whole. What
cannot be read, or is no answer to this question (it was damaged, or another version of salon wrote it in
another form), is asked anew.
"""

import hashlib
import json
import math
import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Generator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar, cast

from salon.errors import StageError, boundary
from salon.files.cache_folders import cache_folder, trim
from salon.files.untrusted import json_object, read_file
from salon.secrets.known import redacted
from salon.types import Critique, Failure

from .usage import Usage, charge

Found = TypeVar("Found")
Row = Mapping[str, Any]
IN_MEMORY = 20_000
LIMIT_BYTES = 200_000_000
MOST_BYTES = 4_000_000
"""Of one answer."""


_AFRESH: ContextVar[bool] = ContextVar("salon_asked_afresh", default=False)


@contextmanager
def asked_afresh() -> Generator[None]:
    """Inside the block nothing is answered from what was kept, in other threads too where the work is handed
    over by `carried`: a check that memory can pass tests nothing.
    """
    token = _AFRESH.set(True)
    try:
        yield
    finally:
        _AFRESH.reset(token)


class ResponseCache:
    """What judges answered before. Safe for threads and processes; equal questions at once are asked once.

    Args:
        folder: where answers lie; None keeps them in memory only.
        server: who is asked, by its address: two servers may give one name to two models.
        limit_bytes: what the folder may hold; when it is opened with more, the oldest go.
    """

    def __init__(self, folder: Path | None, limit_bytes: int = LIMIT_BYTES, server: str = "") -> None:
        self.folder, self.server = folder, server
        self._known: OrderedDict[str, Row] = OrderedDict()
        self._asking: dict[str, Future[Row]] = {}
        self._lock = threading.Lock()
        if folder is not None:
            trim(folder, limit_bytes)

    @classmethod
    def at(cls, setting: bool | str, server: str) -> "ResponseCache":
        """By a recipe's `cache`: true for the usual folder, false for none, or a folder."""
        if isinstance(setting, str):
            return cls(Path(setting), server=server)
        return cls(cache_folder("judgements") if setting else None, server=server)

    def find(self, question: Mapping[str, Any], read: Callable[[Row], Found]) -> Found | None:
        """What `read` makes of the answer to a question, where there is one. A row that it raises KeyError,
        TypeError or ValueError for is none.
        """
        return self._made(self._key(question), read)

    def keep(self, question: Mapping[str, Any], row: Row) -> None:
        """Keep an answer. A disk that cannot be written to is no failure."""
        self._keep(self._key(question), row)

    def _key(self, question: Mapping[str, Any]) -> str:
        asked = json.dumps({"server": self.server, "asked": question}, sort_keys=True)
        return hashlib.sha256(asked.encode()).hexdigest()

    def _made(self, key: str, read: Callable[[Row], Found]) -> Found | None:
        row = None if _AFRESH.get() else self._find(key)
        if row is not None:
            with suppress(KeyError, TypeError, ValueError):
                return read(row)
        return None

    def _find(self, key: str) -> Row | None:
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        row = self._read(key)
        if row is not None:
            self._remember(key, row)
        return row

    def _keep(self, key: str, row: Row) -> None:
        row = redacted(dict(row))
        self._remember(key, row)
        if self.folder is not None:
            with suppress(OSError):
                _put(
                    os.path.join(self.folder, key[:2], key),
                    json.dumps({"key": key, "answer": dict(row)}).encode(),
                )

    def get(
        self,
        question: Mapping[str, Any],
        ask: Callable[[], Row],
        read: Callable[[Row], Found],
        keep: bool = True,
    ) -> Found | Failure:
        """What `read` makes of the kept answer (see `find`), or of what `ask` says, or why it says nothing.
        Whoever asks the same meanwhile waits for that, and shares a failure too.

        Args:
            keep: false where whoever asks has yet to see whether the answer can be used, and then calls
                `keep` itself.
        """
        key = self._key(question)
        if (made := self._made(key, read)) is not None:
            charge(Usage(questions=1, cached=1))
            return made
        with self._lock:
            promised = self._asking.get(key)
            mine = promised is None
            if promised is None:
                promised = self._asking[key] = Future()
        if mine:
            self._answer(key, lambda: self._since(key, read) or ask(), promised, keep)
        else:
            charge(Usage(questions=1, cached=1))
        with boundary("judge") as caught:
            return read(promised.result())
        assert caught.failure is not None
        return caught.failure

    def _since(self, key: str, read: Callable[[Row], Any]) -> Row | None:
        """The answer that came to somebody else between the look for it and the turn to ask for it."""
        with self._lock:
            row = None if _AFRESH.get() else self._known.get(key)
        if row is not None:
            with suppress(KeyError, TypeError, ValueError):
                read(row)
                charge(Usage(questions=1, cached=1))
                return row
        return None

    def _answer(self, key: str, ask: Callable[[], Row], promised: "Future[Row]", keep: bool) -> None:
        try:
            with boundary("judge") as caught:
                row = ask()
                if keep:
                    self._keep(key, row)
                promised.set_result(row)
            if caught.failure:
                promised.set_exception(StageError(caught.failure))
        finally:
            # Also after Ctrl-C: nobody must wait for an answer that nobody is asking for.
            with self._lock:
                self._asking.pop(key, None)
            promised.cancel()

    def _remember(self, key: str, row: Row) -> None:
        with self._lock:
            self._known[key] = row
            while len(self._known) > IN_MEMORY:
                self._known.popitem(last=False)

    def _read(self, key: str) -> Row | None:
        if self.folder is None:
            return None
        try:
            kept = json_object(read_file(os.path.join(self.folder, key[:2], key), MOST_BYTES))
        except (OSError, ValueError):
            return None
        row = kept.get("answer")
        return cast("Row", row) if kept.get("key") == key and isinstance(row, dict) else None


def text_in(value: Any) -> str:
    """A kept text. Raises TypeError for anything else."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def number_in(value: Any, low: float = -math.inf, high: float = math.inf) -> float:
    """A kept number from `low` to `high`. Raises TypeError or ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    # Compared and not converted: an integer of a thousand digits is too large for a float.
    if not (low <= value <= high and abs(value) <= sys.float_info.max):
        raise ValueError(f"{value!r} is not from {low:g} to {high:g}")
    return float(value)


def critique_in(row: Row, aspects: Collection[str], low: float, high: float) -> Critique:
    """A kept critique of these aspects on this scale. Raises KeyError, TypeError or ValueError for anything
    else.
    """
    kept = row["scores"]
    if not isinstance(kept, dict) or set(cast("dict[str, Any]", kept)) != set(aspects):
        raise ValueError("it has other aspects")
    if (number_in(row["low"]), number_in(row["high"])) != (low, high):
        raise ValueError("it is on another scale")
    scores = {name: None if kept[name] is None else number_in(kept[name], low, high) for name in aspects}
    return Critique(scores, low, high, text_in(row["text"]), text_in(row["request"]))


def _put(place: str, data: bytes) -> None:
    """Whole or not at all. Without a sync: after a power cut an answer may be gone, and is asked for anew."""
    beside = f"{place}.{os.getpid()}.{threading.get_ident()}.tmp"
    try:
        _write(beside, data)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        _write(beside, data)
    except FileExistsError:
        _write(beside, data)  # What a killed process left, or a link of somebody's; it is gone now.
    try:
        os.replace(beside, place)
    except OSError:
        os.unlink(beside)
        raise


def _write(path: str, data: bytes) -> None:
    try:
        with open(path, "xb") as file:
            file.write(data)
    except OSError:
        # A full disk, of which half an answer must not take up what is left; or something is there already.
        with suppress(OSError):
            os.unlink(path)
        raise
