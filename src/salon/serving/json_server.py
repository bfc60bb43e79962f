"""What our HTTP servers share: JSON bodies, connections that stay open, a key, errors as codes.

A request goes through one door after the other, each before anything dearer is done for it: a head that can
be read in one way only, a place that exists, a host and an origin that are ours, the key, JSON's media type
and a length; only then is its body read, and only then is there a place to work on it.
"""

import hmac
import json
import re
import socket
import socketserver
import threading
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.client import responses
from typing import Any, cast
from urllib.parse import unquote

from salon.errors import RecipeError, StageError, boundary
from salon.files.untrusted import UntrustedInputError, has_half_characters, parse_json
from salon.llm.limits import judge_failure
from salon.secrets import known

from .allowed_hosts import AllowedHosts
from .connection_limits import (
    HEAD_S,
    IDLE_S,
    MOST,
    REQUEST_S,
    BadHead,
    Busy,
    ConnectionSlots,
    Incoming,
    Pixels,
    Room,
)
from .request_head import Head, parse_head

MAX_BODY = 64_000_000
MAX_VALUES = 50_000
"""Values in a body: 15 MB of `[],[],…` take 400 MB."""
MAX_DEPTH = 64
MAX_PIXELS = 4096 * 4096
"""Of a picture that a client sends: a few kilobytes of PNG can hold a picture that fills the memory."""
NO_MODEL = "model_not_found"
LINGER_S = 2.0
"""How long what a refused client still sends is read, so that it hears why."""


@dataclass(frozen=True, slots=True)
class Events:
    """An answer in parts, as server-sent events."""

    parts: Sequence[Mapping[str, Any]]


class JsonServer(socketserver.ThreadingTCPServer):
    """Answers requests for JSON at http://host:port until `shutdown`.

    Args:
        port: 0 for any that is free.
        api_key: what a client must send as bearer token with a POST; none when empty.
        connections: how many requests are worked on at once; more are told 503 with Retry-After.
        names: host names it is reached by, beside its own, and pages of which may ask it.

    Raises:
        RecipeError: it cannot listen there: the port is taken, or the host is not this machine's.
    """

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128
    pages: tuple[str, ...] = ()
    """The paths of GET."""
    path = ""
    """The path of POST."""
    idle_s = IDLE_S
    head_s = HEAD_S
    request_s = REQUEST_S

    def __init__(
        self,
        handler: type["JsonHandler"],
        host: str = "127.0.0.1",
        port: int = 0,
        api_key: str = "",
        connections: int = MOST,
        names: Sequence[str] = (),
    ) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            super().__init__((host, port), handler)
        # A host name with letters that no name has is a UnicodeError, a port beyond all ports an
        # OverflowError.
        except (OSError, UnicodeError, OverflowError) as error:
            raise cannot_listen(host, port, error) from error
        known.remember(api_key)
        self.api_key = api_key
        self.host = host
        self.clients, self.ours = ConnectionSlots(connections), AllowedHosts(host, names)
        self.room, self.pixels = Room(), Pixels()

    @property
    def address(self) -> str:
        """Where it listens."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.server_address[1]}"

    def page(self, path: str) -> dict[str, Any]:
        """What a GET of one of `pages` says."""
        raise NotImplementedError

    def reply(self, body: Mapping[str, Any]) -> dict[str, Any] | Events:
        """What answers a POST.

        Raises:
            StageError: bad_request where it is not understood; anything else is our own failure.
        """
        raise NotImplementedError

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that left is no error."""

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection in a thread of its own, where there is a place for it."""
        if self.clients.admit(request, str(client_address[0])):
            return super().process_request(request, client_address)
        with suppress(OSError):
            request.setblocking(False)
            request.send(_FULL)
        return self.shutdown_request(request)

    def shutdown_request(self, request: Any) -> None:
        """End a connection."""
        self.clients.left(request)
        super().shutdown_request(request)


_TOLD = b'{"error": {"message": "busy: every connection is taken", "type": "error", "code": 503}}'
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
    b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(_TOLD), _TOLD)
)


def cannot_listen(host: str, port: int, error: Exception) -> RecipeError:
    """What to say where a server cannot listen."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    remedy = "Choose another --port, or end what listens there; --port 0 takes any that is free."
    if isinstance(error, PermissionError):
        remedy = "Ports below 1024 are the system's: choose another --port."
    elif isinstance(error, socket.gaierror | UnicodeError):
        remedy = "Correct --host: 127.0.0.1 for this machine only, 0.0.0.0 for all of its addresses."
    elif isinstance(error, OSError) and error.errno in _NOT_OURS:
        remedy = "That is no address of this machine: correct --host, such as 127.0.0.1 or 0.0.0.0."
    return RecipeError(f"cannot listen at {host}, port {port}: {reason}. {remedy}")


def must_be_free(host: str, port: int) -> None:
    """Find out whether a server could listen, before the model that it is to serve is loaded.

    Raises:
        RecipeError: it could not.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind((host, port))
            tried.listen(1)
    except (OSError, UnicodeError, OverflowError) as error:
        raise cannot_listen(host, port, error) from error


_NOT_OURS = (99, 49, 10049)
"""EADDRNOTAVAIL on Linux, macOS and Windows."""


class _Refusal(Exception):
    """A request that is refused before its body is read; the connection ends with it."""

    def __init__(self, status: int, message: str, kind: str = "invalid_request_error") -> None:
        super().__init__(message)
        self.status, self.kind = status, kind


class JsonHandler(socketserver.BaseRequestHandler):
    """One connection, kept open between requests for a while."""

    close_connection = False
    """Whether it ends with the answer that is being given."""

    def setup(self) -> None:
        """Read by the clock."""
        self._server = server = cast("JsonServer", self.server)
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        self._incoming = Incoming(
            self.request, server.room, server.idle_s, min(server.head_s, server.request_s), server.request_s
        )

    def handle(self) -> None:
        """One request after the other."""
        try:
            while self._one():
                self._server.clients.rests(self.request)
        except _Refusal as error:
            self.close_connection = True
            with suppress(OSError):
                self.refuse(error.status, str(error), error.kind)
                self.request.shutdown(socket.SHUT_WR)
            self._incoming.pass_over(LINGER_S)
        except OSError:
            return

    def _one(self) -> bool:
        """Answer one request; whether there may be another one on this connection."""
        try:
            data = self._incoming.head()
            if not data:
                return False
            head = parse_head(data)
        except BadHead as error:
            raise _Refusal(error.status, str(error)) from error
        except TimeoutError as error:
            raise _Refusal(408, "the request did not come to its end in time") from error
        size = self._admitted(head)
        self.close_connection = not head.stays_open
        if head.method == "GET":
            self.get(head.path)
            return not self.close_connection
        if head.fields.get("expect"):
            self.request.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        self._post(size)
        return not self.close_connection

    def _admitted(self, head: Head) -> int:
        """The size of a body that may be read. Raises _Refusal where it may not."""
        server, fields = self._server, head.fields
        if head.path != server.path and unquote(head.path) not in server.pages:
            raise _Refusal(404, f"there are {', '.join(type(server).pages)} and {server.path}")
        if head.method != ("POST" if head.path == server.path else "GET"):
            raise _Refusal(405, f"{head.path} takes {'POST' if head.path == server.path else 'GET'} only")
        if why := server.ours.foreign(fields):
            raise _Refusal(403, why, "permission_error")
        if head.method == "GET":
            if head.length:
                raise _Refusal(400, "a GET has no body")
            return 0
        given = fields.get("authorization", "").removeprefix("Bearer ").encode("utf-8", "replace")
        if server.api_key and not hmac.compare_digest(given, server.api_key.encode()):
            raise _Refusal(401, "the key is wrong", "authentication_error")
        if fields.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise _Refusal(415, "a request is JSON: send `Content-Type: application/json`")
        if head.length is None:
            raise _Refusal(411, "there is no Content-Length")
        if head.length > MAX_BODY:
            raise _Refusal(413, f"a request has at most {MAX_BODY} bytes")
        if fields.get("expect", "100-continue").lower() != "100-continue":
            raise _Refusal(417, "only `Expect: 100-continue` can be met")
        return head.length

    def _post(self, size: int) -> None:
        """Read a body, and answer it where there is a place to work on it."""
        clients = self._server.clients
        if self._server.api_key:
            clients.known(self.request)
        try:
            data = self._incoming.body(size)
            if len(data) < size:
                self.close_connection = True
            elif clients.begin(self.request):
                self.answer(data)
            else:
                self.refuse(503, "busy: too many requests at once")
        except TimeoutError as error:
            raise _Refusal(408, "the body came too slowly") from error
        except Busy as error:
            raise _Refusal(503, "busy: too many large requests at once", "server_error") from error
        finally:
            self._incoming.answered()

    def get(self, path: str) -> None:
        """Show one of the server's pages."""
        self.send_json(200, self._server.page(unquote(path)))

    def answer(self, data: bytes) -> None:
        """Answer a request's body."""
        with boundary("judge") as caught:
            try:
                said = self._server.reply(_mapping(data))
            except Busy:
                raise StageError(judge_failure("busy", "too many large pictures at once")) from None
        clients = self._server.clients
        # Taking the answer is the client's time, and no work of ours.
        clients.rests(self.request)
        if caught.failure:
            code, message = caught.failure.code, f"{caught.failure.code}: {caught.failure.message}"
            status = {"bad_request": 422, "cannot_read": 400, NO_MODEL: 404, "busy": 503}.get(code, 500)
            kind = "invalid_request_error" if status in (400, 404, 422) else "server_error"
            if code == NO_MODEL:
                return self.refuse(status, caught.failure.message, kind, "model", NO_MODEL)
            return self.refuse(status, message, kind)
        clients.known(self.request)
        if isinstance(said, Events):
            lines = [f"data: {json.dumps(each)}\n\n" for each in said.parts]
            return self.write(200, "text/event-stream", "".join([*lines, "data: [DONE]\n\n"]).encode())
        return self.send_json(200, said)

    def refuse(
        self,
        status: int,
        message: str,
        kind: str = "server_error",
        param: str | None = None,
        code: str | int = 0,
    ) -> None:
        """An error in the form of OpenAI's protocol."""
        told = {"message": message, "type": kind, "param": param, "code": code or status}
        self.send_json(status, {"error": told})

    def send_json(self, status: int, value: Any) -> None:
        """A JSON body."""
        self.write(status, "application/json", json.dumps(value).encode())

    def write(self, status: int, kind: str, data: bytes) -> None:
        """A whole answer."""
        more = {503: "Retry-After: 1\r\n", 401: "WWW-Authenticate: Bearer\r\n"}.get(status, "")
        stays = "close" if self.close_connection else "keep-alive"
        head = (
            f"HTTP/1.1 {status} {responses.get(status, 'Other')}\r\n{more}Content-Type: {kind}\r\n"
            f"X-Content-Type-Options: nosniff\r\nX-Request-Id: {uuid.uuid4().hex}\r\n"
            f"Content-Length: {len(data)}\r\nConnection: {stays}\r\n\r\n"
        )
        # The time is that of the whole, and not of each part that the client takes.
        self.request.settimeout(self._server.request_s)
        self.request.sendall(head.encode() + data)


def serve(server: JsonServer) -> threading.Thread:
    """Serve in a thread of its own; `server.shutdown()` ends it."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    return thread


def no_model(wanted: object, known: Sequence[str]) -> StageError:
    """A client asked for a model that is not served here."""
    told = f"the model {str(wanted)[:100]!r} is not served here; known: {', '.join(known)}"
    return StageError(judge_failure(NO_MODEL, told))


def bad_request(what: str) -> StageError:
    """The client's own mistake."""
    return StageError(judge_failure("bad_request", what))


_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
"""What may be half of a character in JSON: alone it can be neither written nor counted in tokens."""


def _mapping(data: bytes) -> Mapping[str, Any]:
    try:
        body = parse_json(data, MAX_VALUES, MAX_DEPTH)
    except UntrustedInputError as error:
        raise bad_request(f"the body {error}") from error
    except ValueError as error:
        raise bad_request(f"the body is no JSON: {error}") from error
    if not isinstance(body, dict):
        raise bad_request("the body is no object")
    if _HALF.search(data) and has_half_characters(body):
        raise bad_request("the body has half of a surrogate pair in a text")
    return cast("dict[str, Any]", body)
