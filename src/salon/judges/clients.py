"""Who is connected to one of our servers: how many, how long one may take, and how much they may send.

A thread serves each connection, so their number is the number of threads. A client that sends a byte a second
holds a thread until its request's time is over, and no longer; one that says nothing makes room for another.
"""

import io
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

MOST = 256
"""Connections at once."""

IDLE_S = 300.0
"""How long a connection may stay open between two requests."""

REQUEST_S = 60.0
"""How long one request may take to arrive, and its answer to be taken."""

YOUNG_S = 1.0
"""A connection that has been idle for less is not closed for another one: its request is on the way."""

LARGE = 1_000_000
MAX_HELD = 1_000_000_000


class Clients:
    """The open connections: at most `most`. When all places are taken, whoever has been idle longest goes."""

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self.turned_away = self.made_room = 0
        self._open: set[socket.socket] = set()
        self._idle: dict[socket.socket, float] = {}
        self._lock = threading.Lock()

    @property
    def connected(self) -> int:
        """How many there are now."""
        with self._lock:
            return len(self._open)

    def admit(self, client: socket.socket) -> bool:
        """Whether there is a place for one more."""
        with self._lock:
            if len(self._open) >= self.most and not self._make_room():
                self.turned_away += 1
                return False
            self._open.add(client)
            self._idle[client] = time.monotonic()
            return True

    def busy(self, client: socket.socket) -> None:
        """A request of this one has begun."""
        with self._lock:
            self._idle.pop(client, None)

    def rests(self, client: socket.socket) -> None:
        """This one has its answer, and may ask again."""
        with self._lock:
            if client in self._open:
                self._idle[client] = time.monotonic()

    def left(self, client: socket.socket) -> None:
        """This one is gone."""
        with self._lock:
            self._open.discard(client)
            self._idle.pop(client, None)

    def _make_room(self) -> bool:
        """Close the connection that has been idle longest. Its thread ends when it sees that."""
        client = next(iter(self._idle), None)
        if client is None or time.monotonic() - self._idle[client] < YOUNG_S:
            return False
        self._open.discard(client)
        del self._idle[client]
        self.made_room += 1
        with suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)
        return True


class RequestClock(io.RawIOBase):
    """Reads a connection's requests: idle until the first byte of one, then all of it within its time.

    A socket's own timeout starts anew with every byte.

    Args:
        client: the connection.
        raw: its bytes.
        began: called at a request's first byte.
    """

    def __init__(
        self, client: socket.socket, raw: Any, idle_s: float, request_s: float, began: Callable[[], None]
    ) -> None:
        self._client, self._raw = client, raw
        self._idle_s, self._request_s, self._began = idle_s, request_s, began
        self._end: float | None = None

    def rest(self) -> None:
        """The request is answered; the next byte begins another one."""
        self._end = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        left = self._idle_s if self._end is None else self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError("the request did not come to its end in time")
        self._client.settimeout(left)
        count = self._raw.readinto(buffer) or 0
        if self._end is None and count:
            self._end = time.monotonic() + self._request_s
            self._began()
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()


class Room:
    """Bytes of large requests that are in memory at once: at most `most`. Small ones are not counted."""

    def __init__(self, most: int = MAX_HELD) -> None:
        self._most, self._held = most, 0
        self._lock = threading.Lock()

    def take(self, size: int) -> bool:
        """Whether a request of so many bytes may be read; then `give` them back."""
        with self._lock:
            if size > LARGE and self._held + size > self._most:
                return False
            self._held += size if size > LARGE else 0
            return True

    def give(self, size: int) -> None:
        """A request that was taken is answered."""
        with self._lock:
            self._held -= size if size > LARGE else 0
