"""HTTP connections to one server, kept open between questions, with one deadline for a whole exchange.

The standard library has all it takes: a connection that stays open costs no handshake per question, and a
reader that looks at the clock before every read keeps a server that drips from holding a question for ever.
"""

import base64
import http.client
import io
import ipaddress
import select
import socket
import threading
import time
import urllib.request
import weakref
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, cast
from urllib.parse import SplitResult, unquote, urlsplit

from salon.errors import RecipeError
from salon.secrets.known import remember

MAX_BYTES = 4_000_000
_MAX_SENT = 2 * MAX_BYTES
_LEAST_S = 0.05


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: the status, the headers (names in lower case) and the body; `url` is what was asked, in
    words.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str = ""


class TooLarge(Exception):
    """The body is larger than anybody needs; it was not read to its end."""


class Connections:
    """Open connections to the server at `url`, handed to whoever asks. Safe for several threads.

    A proxy from the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY) is used.

    Raises:
        RecipeError: `url` is no http or https address.
    """

    def __init__(self, url: str) -> None:
        parts, port = _address(url)
        self.url = url.rstrip("/")
        self.host = str(parts.hostname)
        self._secure = parts.scheme == "https"
        self._port = port or (443 if self._secure else 80)
        self._path = parts.path.rstrip("/")
        self._idle: list[http.client.HTTPConnection] = []
        self._lock = threading.Lock()
        self._proxy = _proxy(parts.scheme, self.host)
        weakref.finalize(self, _close_all, self._idle)

    def exchange(
        self,
        path: str,
        body: bytes | None,
        headers: Mapping[str, str],
        end: float,
        again: Callable[[], None] = lambda: None,
    ) -> Reply:
        """Post `body`, or get where there is none, and read the answer before the monotonic time `end`.

        Args:
            again: called before a request is sent a second time, since its connection was closed: nobody can
                tell whether the first one was read. What it raises is raised.

        Raises:
            TimeoutError: no whole answer in time.
            OSError, http.client.HTTPException: no connection, a broken one, or no HTTP.
            TooLarge: more than MAX_BYTES.
        """
        kept = self._take()
        if kept is not None:
            try:
                return self._exchange(kept, path, body, headers, end)
            except (ConnectionError, http.client.BadStatusLine):
                # The server had closed it, as it may at any time: that is no failed attempt.
                kept.close()
                again()
        return self._exchange(self._open(), path, body, headers, end)

    def told(self, path: str) -> str:
        """The address that is asked, in words: with the proxy that is between, and how to do without."""
        if self._proxy is None:
            return self.url + path
        host, port, _ = self._proxy
        scheme = "https" if self._secure else "http"
        return (
            f"{self.url}{path} through the proxy {host}:{port} of {scheme}_proxy"
            f" (NO_PROXY={self.host} goes without it)"
        )

    def guard(self, over_http: bool) -> None:
        """Refuse an address to which a key would go in clear text.

        Args:
            over_http: whether it may, to an address of a private network.

        Raises:
            RecipeError: names the host, or the proxy, and the remedy.
        """
        if self._secure:
            return
        if self._proxy is not None:
            raise RecipeError(
                f"api_key: would go over http to {self.told('')}, where others can read it. Set"
                f" NO_PROXY={self.host}, or write an https address."
            )
        if is_loopback(self.host) or (over_http and _is_private(self.host)):
            return
        remedy = (
            "Write an https address, or `key_over_http: true` where the network is your own."
            if not over_http
            else "Write an https address, or leave the key out."
        )
        raise RecipeError(
            f"api_key: is not sent over http to {self.host}, since everybody between can read it. {remedy}"
        )

    def close(self) -> None:
        """Close what is idle."""
        with self._lock:
            _close_all(self._idle)

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        path: str,
        body: bytes | None,
        headers: Mapping[str, str],
        end: float,
    ) -> Reply:
        fine = False
        try:
            connection.timeout = _left(end)
            if connection.sock is not None:
                connection.sock.settimeout(_left(end))
            connection.response_class = cast("Any", partial(_response, end=end))
            method = "GET" if body is None else "POST"
            connection.request(method, self._target(path), body, {**self._proxy_headers(), **headers})
            reply, fine = _read(connection)
            return reply
        finally:
            if fine:
                with self._lock:
                    self._idle.append(connection)
            else:
                connection.close()

    def _take(self) -> http.client.HTTPConnection | None:
        """An open connection that nothing has happened to, the last used first."""
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None or not _is_stale(connection.sock):
                return connection
            connection.close()

    def _open(self) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        if self._proxy is None:
            return kind(self.host, self._port)
        host, port, headers = self._proxy
        connection = kind(host, port)
        if self._secure:
            connection.set_tunnel(self.host, self._port, headers)
        return connection

    def _target(self, path: str) -> str:
        if self._proxy is None or self._secure:
            return self._path + path
        return self.url + path

    def _proxy_headers(self) -> Mapping[str, str]:
        return self._proxy[2] if self._proxy and not self._secure else {}


class _Clocked(io.RawIOBase):
    """Reads a socket until a deadline. A socket's own timeout starts anew with every byte."""

    def __init__(self, sock: socket.socket, end: float) -> None:
        # A file of the socket keeps it open when http.client closes the connection before the body is read.
        self._sock, self._raw, self._end = sock, sock.makefile("rb", buffering=0), end
        self._sent = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError("the answer did not come to its end in time")
        self._sock.settimeout(left)
        got = self._raw.readinto(buffer) or 0
        self._sent += got
        # Counted here too: http.client reads a chunk of the size "-1" to its end, if it has one.
        if self._sent > _MAX_SENT:
            raise TooLarge(f"an answer of more than {_MAX_SENT} bytes with all that goes around it")
        return got

    def close(self) -> None:
        self._raw.close()
        super().close()


@dataclass(frozen=True, slots=True)
class _ClockedSocket:
    """What http.client takes for a socket when it reads a response."""

    sock: socket.socket
    end: float

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Clocked(self.sock, self.end), 65_536)


class _Final(http.client.HTTPResponse):
    """The answer itself. http.client takes what may stand before it, such as 103 Early Hints, for the answer,
    and the answer for that of the next question.
    """

    def begin(self) -> None:
        super().begin()
        while 100 < self.status < 200:
            self.headers = self.msg = cast("Any", None)
            super().begin()


def _read(connection: http.client.HTTPConnection) -> tuple[Reply, bool]:
    """What a server answers, and whether the connection can be used again."""
    try:
        response = connection.getresponse()
        data = response.read(MAX_BYTES + 1)
    except ValueError as error:
        raise http.client.HTTPException(f"no HTTP: {error}") from error
    found = {name.lower(): value for name, value in response.getheaders()}
    if len(data) <= MAX_BYTES:
        data = _unpacked(data, found.get("content-encoding", ""))
    if len(data) > MAX_BYTES:
        raise TooLarge(f"an answer of more than {MAX_BYTES} bytes")
    return Reply(response.status, found, data), response.isclosed() and not response.will_close


def _unpacked(data: bytes, encoding: str) -> bytes:
    """A body that was packed without being asked for, as far as MAX_BYTES and one; as it came where it is
    not what the header says.
    """
    if encoding.strip().lower() not in ("gzip", "x-gzip", "deflate"):
        return data
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(data, MAX_BYTES + 1)
    except zlib.error:
        return data


def _address(url: str) -> tuple[SplitResult, int | None]:
    """The parts of an address and its port. What would be left out of a request in silence is refused."""
    try:
        parts = urlsplit(url)
        port = parts.port
        (parts.hostname or "").encode("idna")
    except ValueError as error:
        raise RecipeError(f"base_url: {url!r} is no address ({error}). Write http://host:port/v1.") from error
    if parts.username is not None:
        # Not the address itself: messages are written into records.
        raise RecipeError(f"base_url: a name or password before {parts.hostname}. Give the key as api_key.")
    plain = url.isascii() and url.isprintable() and " " not in url
    if parts.scheme not in ("http", "https") or not parts.hostname or not plain:
        raise RecipeError(f"base_url: {url!r} is no address. Write it as http://host:port/v1.")
    if parts.query or parts.fragment:
        raise RecipeError(f"base_url: {url!r} has a part after ? or #, which is not sent. Leave it out.")
    return parts, port


def is_loopback(host: str) -> bool:
    """Whether a host's name or address is this machine itself."""
    name = host.rstrip(".").lower()
    return name == "localhost" or name.endswith(".localhost") or any(_each_is(host, "is_loopback"))


def _is_private(host: str) -> bool:
    """Whether all addresses of a host are of a private network."""
    try:
        found = {str(each[4][0]) for each in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)}
    except (OSError, UnicodeError):
        return False
    return bool(found) and all(all(_each_is(each, "is_private") or [False]) for each in found)


def _each_is(address: str, what: Literal["is_loopback", "is_private"]) -> list[bool]:
    """Whether an address is such a one; nothing for a name."""
    try:
        found = ipaddress.ip_address(address.strip("[]").partition("%")[0])
    except ValueError:
        return []
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return [bool(getattr(mapped or found, what))]


def _response(sock: socket.socket, *args: Any, end: float, **options: Any) -> http.client.HTTPResponse:
    return _Final(cast("Any", _ClockedSocket(sock, end)), *args, **options)


def _close_all(connections: list[http.client.HTTPConnection]) -> None:
    while connections:
        connections.pop().close()


def _left(end: float) -> float:
    return max(_LEAST_S, end - time.monotonic())


def _is_stale(sock: socket.socket | None) -> bool:
    """Whether an idle connection was closed, or was sent something that nobody asked for."""
    if sock is None:
        return True
    try:
        poll = select.poll()
        poll.register(sock, select.POLLIN)
        return bool(poll.poll(0))
    except (OSError, ValueError):
        return True


def _proxy(scheme: str, host: str) -> tuple[str, int, dict[str, str]] | None:
    """Host, port and headers of the environment's proxy for an address; None where there is none."""
    found = urllib.request.getproxies().get(scheme)
    if not found or urllib.request.proxy_bypass(host):
        return None
    parts = urlsplit(found if "://" in found else f"http://{found}")
    if not parts.hostname:
        raise RecipeError(f"the environment's {scheme}_proxy is no address. Correct or unset it.")
    headers: dict[str, str] = {}
    if parts.username:
        given = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        remember(unquote(parts.password or ""))
        headers["Proxy-Authorization"] = f"Basic {base64.b64encode(given.encode()).decode()}"
    return parts.hostname, parts.port or 80, headers
