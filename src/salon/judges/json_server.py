"""What our HTTP servers share: JSON bodies, connections that stay open, a key, errors as codes."""

import hmac
import json
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from salon.errors import StageError, boundary

from .limits import judge_failure

MAX_BODY = 64_000_000
MAX_PIXELS = 4096 * 4096
"""Of a picture that a client sends: a few kilobytes of PNG can hold a picture that fills the memory."""


class JsonServer(ThreadingHTTPServer):
    """Answers requests for JSON at http://host:port until `shutdown`.

    Args:
        port: 0 for any that is free.
        api_key: what a client must send as bearer token with a POST; none when empty.
    """

    daemon_threads = True
    request_queue_size = 128
    pages: tuple[str, ...] = ()
    """The paths of GET."""
    path = ""
    """The path of POST."""

    def __init__(
        self, handler: type["JsonHandler"], host: str = "127.0.0.1", port: int = 0, api_key: str = ""
    ) -> None:
        super().__init__((host, port), handler)
        self.api_key = api_key
        self.host = host

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


class JsonHandler(BaseHTTPRequestHandler):
    """One connection, kept open as long as the client likes."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 300

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
        data = self.rfile.read(int(size))
        if self.path != server.path:
            return self._nowhere(server)
        given = self.headers.get("Authorization", "").removeprefix("Bearer ").encode()
        if server.api_key and not hmac.compare_digest(given, server.api_key.encode()):
            return self.refuse(401, "the key is wrong")
        return self.answer(data)

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
