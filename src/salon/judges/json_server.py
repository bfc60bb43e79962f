"""What our HTTP servers share: JSON bodies, connections that stay open, a key, errors as codes."""

import hmac
import io
import json
import threading
from collections.abc import Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from salon.errors import StageError, boundary

from .clients import IDLE_S, MOST, REQUEST_S, Clients, RequestClock, Room
from .limits import judge_failure

MAX_BODY = 64_000_000
MAX_PIXELS = 4096 * 4096
"""Of a picture that a client sends: a few kilobytes of PNG can hold a picture that fills the memory."""


class JsonServer(ThreadingHTTPServer):
    """Answers requests for JSON at http://host:port until `shutdown`.

    Args:
        port: 0 for any that is free.
        api_key: what a client must send as bearer token with a POST; none when empty.
        connections: how many are open at once; more are told 503 with Retry-After.
    """

    daemon_threads = True
    request_queue_size = 128
    pages: tuple[str, ...] = ()
    """The paths of GET."""
    path = ""
    """The path of POST."""
    idle_s = IDLE_S
    request_s = REQUEST_S

    def __init__(
        self,
        handler: type["JsonHandler"],
        host: str = "127.0.0.1",
        port: int = 0,
        api_key: str = "",
        connections: int = MOST,
    ) -> None:
        super().__init__((host, port), handler)
        self.api_key = api_key
        self.host = host
        self.clients, self.room = Clients(connections), Room()

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://{self.host}:{self.server_address[1]}"

    def page(self, path: str) -> dict[str, Any]:
        """What a GET of one of `pages` says."""
        raise NotImplementedError

    def reply(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """What answers a POST.

        Raises:
            StageError: bad_request where it is not understood; anything else is our own failure.
        """
        raise NotImplementedError

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that left is no error."""

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection in a thread of its own, where there is a place for it."""
        if self.clients.admit(request):
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


class JsonHandler(BaseHTTPRequestHandler):
    """One connection, kept open between requests for a while."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    rbufsize = 0

    def setup(self) -> None:
        """Read by the clock."""
        super().setup()
        server = cast("JsonServer", self.server)
        self._clock = RequestClock(
            self.connection,
            self.rfile,
            server.idle_s,
            server.request_s,
            lambda: server.clients.busy(self.connection),
        )
        self.rfile = io.BufferedReader(self._clock, 65_536)

    def handle_one_request(self) -> None:
        """One request and its answer."""
        super().handle_one_request()
        self._clock.rest()
        cast("JsonServer", self.server).clients.rests(self.connection)

    def do_GET(self) -> None:
        """One of the server's pages."""
        server = cast("JsonServer", self.server)
        if self.path in server.pages:
            return self.send_json(200, server.page(self.path))
        return self._nowhere(server)

    def do_POST(self) -> None:
        """The one path that takes requests."""
        server = cast("JsonServer", self.server)
        size = self.headers.get("Content-Length", "")
        if not (size.isascii() and size.isdigit() and len(size) < 12) or int(size) > MAX_BODY:
            self.close_connection = True
            return self.refuse(413, f"a request has a Content-Length of at most {MAX_BODY} bytes")
        try:
            return self._receive(server, int(size))
        except TimeoutError:
            self.close_connection = True
            return self.refuse(408, f"the request took more than {server.request_s:g} s to arrive")

    def _receive(self, server: JsonServer, size: int) -> None:
        """Read a request of so many bytes, where somebody may send it, and answer it."""
        given = self.headers.get("Authorization", "").removeprefix("Bearer ").encode()
        if self.path != server.path:
            return self._nowhere(server) if self._pass_over(size) else None
        if server.api_key and not hmac.compare_digest(given, server.api_key.encode()):
            return self.refuse(401, "the key is wrong") if self._pass_over(size) else None
        if not server.room.take(size):
            busy = "busy: too many large requests at once"
            return self.refuse(503, busy) if self._pass_over(size) else None
        try:
            data = self.rfile.read(size)
            if len(data) < size:
                self.close_connection = True
                return None
            return self.answer(data)
        finally:
            server.room.give(size)

    def _pass_over(self, size: int) -> bool:
        """Read a body that nobody wants, so that its sender can hear why; whether it was all there."""
        while size and (part := self.rfile.read(min(size, 65_536))):
            size -= len(part)
        self.close_connection = self.close_connection or size > 0
        return not size

    def answer(self, data: bytes) -> None:
        """Answer a request's body."""
        with boundary("judge") as caught:
            self.send_json(200, cast("JsonServer", self.server).reply(_mapping(data)))
        if caught.failure:
            status = {"bad_request": 422, "busy": 503}.get(caught.failure.code, 500)
            self.refuse(status, f"{caught.failure.code}: {caught.failure.message}")

    def refuse(self, status: int, message: str) -> None:
        """An error in the form of OpenAI's protocol."""
        self.send_json(status, {"error": {"message": message, "type": "error", "code": status}})

    def send_json(self, status: int, value: Any) -> None:
        """A JSON body."""
        data = json.dumps(value).encode()
        try:
            self.connection.settimeout(cast("JsonServer", self.server).request_s)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: a run asks thousands of times."""

    def _nowhere(self, server: JsonServer) -> None:
        self.refuse(404, f"there are {', '.join(server.pages)} and {server.path}")


def serve(server: JsonServer) -> threading.Thread:
    """Serve in a thread of its own; `server.shutdown()` ends it."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    return thread


def bad_request(what: str) -> StageError:
    """The client's own mistake."""
    return StageError(judge_failure("bad_request", what))


def _mapping(data: bytes) -> Mapping[str, Any]:
    try:
        body = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise bad_request(f"the body is no JSON: {error}") from error
    if not isinstance(body, dict):
        raise bad_request("the body is no object")
    return cast("dict[str, Any]", body)
