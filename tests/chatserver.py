"""A real HTTP server on loopback that speaks chat completions from a script, faults included."""

import json
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

GOOD = '{"winner": "A", "reason": "softer"}'


class ScriptedServer(ThreadingHTTPServer):
    """Answers from `script` in turn, with the last entry for ever: a text, a status, (status, headers, body),
    None to hang up, or a callable of the handler and the body that returns one of these.

    Connections stay open. `seen` has the bodies, `connections` counts those that were opened, `most_busy` how
    many questions were answered at once.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script: list[Any] = [GOOD]
        self.seen: list[dict[str, Any]] = []
        self.headers_seen: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.busy = self.most_busy = self.connections = 0
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections += 1
        super().process_request(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that left is no error of the server."""


class _Handler(BaseHTTPRequestHandler):
    server: ScriptedServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            step = self.server.script[min(len(self.server.seen), len(self.server.script) - 1)]
            self.server.seen.append(body)
            self.server.headers_seen.append(dict(self.headers))
            self.server.paths.append(self.path)
            self.server.busy += 1
            self.server.most_busy = max(self.server.most_busy, self.server.busy)
        try:
            self._answer(step, body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            with self.server.lock:
                self.server.busy -= 1

    def _answer(self, step: Any, body: dict[str, Any]) -> None:
        if callable(step):
            step = step(self, body)
        if isinstance(step, int):
            step = (step, {}, b"out of order")
        if isinstance(step, str | dict):
            step = (200, {}, json.dumps(completion(step)).encode())
        if step is None:
            self.close_connection = True
            return
        status, headers, data = step
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def completion(said: str | dict[str, Any]) -> dict[str, Any]:
    """A chat completion that says this; a dict is the whole of it."""
    if isinstance(said, dict):
        return said
    return {
        "choices": [{"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10},
    }


@contextmanager
def served(server: Any | None = None) -> Generator[Any]:
    """A server that runs while the block does."""
    running = server or ScriptedServer()
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        running.shutdown()
        running.server_close()
        thread.join()


def after(seconds: float, said: Any) -> Callable[[Any, Any], Any]:
    """A step of a script that takes its time."""

    def step(handler: Any, body: Any) -> Any:
        time.sleep(seconds)
        return said

    return step


def silent(handler: Any, body: Any) -> None:
    """Says nothing for longer than anybody waits in a test."""
    time.sleep(1.5)


def dripping(handler: Any, body: Any) -> None:
    """Sends a byte of an endless body every tenth of a second."""
    handler.send_response(200)
    handler.end_headers()
    for _ in range(30):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.1)
