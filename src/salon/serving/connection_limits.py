"""Who is connected to one of our servers: how many, how long one may take, and how much they may send.

A thread serves each connection. A connection has a place for work only while its request, read to its end and
with its key checked, is worked on; connections that are still sending, or say nothing, have places of their
own, and there the next one that comes always finds one: that of a stranger who has been slow for longest. So
nobody who never finishes a request can keep others from asking.
"""

import ipaddress
import socket
import threading
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from .request_head import BadHead, check_lines

MOST = 256
"""Requests that are worked on at once."""

WAITING = 64
"""Connections that are sending or idle: so many, or twice as many as are worked on where that is more."""

IDLE_S = 300.0
"""How long a connection may stay open between two requests."""

HEAD_S = 10.0
"""How long the head of a request may take to arrive, all of it together."""

REQUEST_S = 60.0
"""How long a body may take to arrive, and its answer to be taken."""

YOUNG_S = 1.0
"""A client that was answered before is not sent away for another one within so short a time: its request is
on the way."""

SLOW_S = 5.0
MIN_RATE = 10_000
"""Bytes a second that a body arrives at, after its first SLOW_S seconds."""

LARGE = 1_000_000
MAX_HELD = 1_000_000_000
_PART = 262_144

MOST_PIXELS, LARGE_PIXELS = 100_000_000, 5_000_000
"""Pixels that are decoded at once, and those of one request from which on they count until it is answered: a
judge decodes them once more.
"""


@dataclass(slots=True)
class _Client:
    address: str
    since: float
    working: bool = False
    known: bool = False


class ConnectionSlots:
    """The open connections: at most `most` that are worked on, and `waiting` others."""

    def __init__(self, most: int = MOST) -> None:
        self.most, self.waiting = most, max(WAITING, 2 * most)
        self.turned_away = self.made_room = 0
        self._open: dict[socket.socket, _Client] = {}
        self._lock = threading.Lock()

    @property
    def connected(self) -> int:
        """How many there are now."""
        with self._lock:
            return len(self._open)

    @property
    def working(self) -> int:
        """How many requests are worked on now."""
        with self._lock:
            return sum(each.working for each in self._open.values())

    def admit(self, client: socket.socket, address: str = "") -> bool:
        """Whether there is a place for one more; mostly there is, since another one loses it."""
        with self._lock:
            others = {key: each for key, each in self._open.items() if not each.working}
            if len(others) >= self.waiting and not self._make_room(others):
                self.turned_away += 1
                return False
            self._open[client] = _Client(network_of(address), time.monotonic())
            return True

    def known(self, client: socket.socket) -> None:
        """This one has shown the key, or was given an answer: strangers go first."""
        with self._lock:
            if client in self._open:
                self._open[client].known = True

    def begin(self, client: socket.socket) -> bool:
        """Whether this one's request, which is there as a whole, may be worked on now."""
        with self._lock:
            if client not in self._open or sum(each.working for each in self._open.values()) >= self.most:
                return False
            self._open[client].working = True
            return True

    def rests(self, client: socket.socket) -> None:
        """The work for this one is over, and it may ask again."""
        with self._lock:
            if client in self._open:
                self._open[client].working, self._open[client].since = False, time.monotonic()

    def left(self, client: socket.socket) -> None:
        """This one is gone."""
        with self._lock:
            self._open.pop(client, None)

    def _make_room(self, others: dict[socket.socket, _Client]) -> bool:
        """Close a connection: a stranger's before a client's, of the network that has most of them, and there
        the one that has taken longest. Its thread ends when it sees that.
        """
        old = time.monotonic() - YOUNG_S
        may_go = {key: each for key, each in others.items() if not each.known or each.since <= old}
        if not may_go:
            return False
        crowd = Counter(each.address for each in may_go.values())
        goes = min(
            may_go, key=lambda key: (may_go[key].known, -crowd[may_go[key].address], may_go[key].since)
        )
        del self._open[goes]
        self.made_room += 1
        with suppress(OSError):
            goes.shutdown(socket.SHUT_RDWR)
        return True


def network_of(address: str) -> str:
    """What one party can have many addresses of: an IPv6 address counts by its first 64 bits."""
    with suppress(ValueError):
        found = ipaddress.ip_address(address.partition("%")[0])
        if isinstance(found, ipaddress.IPv6Address):
            return str(ipaddress.ip_network((found, 64), strict=False))
    return address


class Room:
    """Bytes of large requests that are in memory at once: at most `most`."""

    def __init__(self, most: int = MAX_HELD) -> None:
        self._most, self._held = most, 0
        self._lock = threading.Lock()

    def take(self, size: int) -> bool:
        """Whether so many more bytes may be read; then `give` them back."""
        with self._lock:
            if self._held + size > self._most:
                return False
            self._held += size
            return True

    def give(self, size: int) -> None:
        """Bytes that were taken are answered, or given up."""
        with self._lock:
            self._held -= size


class Busy(Exception):
    """There is no room for a request's bytes, or for its pictures."""


class Pixels:
    """Pixels of all requests that are decoded at once: at most `most`, or those of one request alone. A file
    of some kilobytes may hold millions, that take up to 25 bytes each.
    """

    def __init__(self, most: int = MOST_PIXELS, wait_s: float = REQUEST_S) -> None:
        self._most, self._wait_s, self._held = most, wait_s, 0
        self._changed = threading.Condition()

    @contextmanager
    def held(self, count: int) -> Generator[None]:
        """Wait until there is room for so many, and hold it. Raises Busy where that takes too long."""
        count = min(count, self._most)
        with self._changed:
            if not self._changed.wait_for(lambda: self._held + count <= self._most, self._wait_s):
                raise Busy
            self._held += count
        try:
            yield
        finally:
            with self._changed:
                self._held -= count
                self._changed.notify_all()


class Incoming:
    """What a connection sends, by the clock: idle until the first byte, then a head within `head_s` and a
    body within `request_s`, both as a whole. A socket's own timeout starts anew with every byte.

    Args:
        client: the connection.
        room: what large bodies share.
    """

    def __init__(
        self, client: socket.socket, room: Room, idle_s: float, head_s: float, request_s: float
    ) -> None:
        self._client, self._room, self._held = client, room, 0
        self._idle_s, self._head_s, self._request_s = idle_s, head_s, request_s
        self._buffer = bytearray()

    def head(self) -> bytes:
        """The next request's head, without the empty line at its end; nothing where there is none.

        Raises:
            TimeoutError: it began, and did not end in time.
            BadHead: it cannot be one, whatever follows.
        """
        end: float | None = time.monotonic() + self._head_s if self._buffer else None
        while True:
            # An empty line before a request is allowed to be there.
            if self._buffer.startswith(b"\r\n"):
                del self._buffer[:2]
            head, found, _ = self._buffer.partition(b"\r\n\r\n")
            check_lines(bytes(head))
            if found:
                del self._buffer[: len(head) + 4]
                return bytes(head)
            try:
                data = self._receive(self._idle_s if end is None else end - time.monotonic())
            except TimeoutError:
                # A client that said nothing may be about to ask: an answer now would be taken for its own.
                if end is None:
                    return b""
                raise
            end = end or time.monotonic() + self._head_s
            if not data:
                return b""
            self._buffer += data

    def body(self, size: int) -> bytes:
        """A body of so many bytes; fewer where the client left.

        Raises:
            TimeoutError: it did not come in time, or too slowly.
            Busy: there is no room for it.
        """
        began, got = time.monotonic(), bytearray(self._buffer[:size])
        del self._buffer[:size]
        while len(got) < size:
            end = min(self._request_s, SLOW_S + len(got) / MIN_RATE)
            data = self._receive(began + end - time.monotonic(), size - len(got))
            if not data:
                break
            if size > LARGE:
                if not self._room.take(len(data)):
                    raise Busy
                self._held += len(data)
            got += data
        return bytes(got)

    def answered(self) -> None:
        """The last body is needed no more."""
        self._room.give(self._held)
        self._held = 0

    def pass_over(self, seconds: float) -> None:
        """Read what nobody wants for a short time, so that its sender can hear why."""
        end = time.monotonic() + seconds
        with suppress(OSError):
            while self._receive(end - time.monotonic()):
                pass

    def _receive(self, seconds: float, most: int = _PART) -> bytes:
        if seconds <= 0:
            raise TimeoutError("the request did not come to its end in time")
        self._client.settimeout(seconds)
        return self._client.recv(min(most, _PART))


__all__ = ["BadHead", "Busy", "ConnectionSlots", "Incoming", "Pixels", "Room", "network_of"]
