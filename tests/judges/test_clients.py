"""Our servers under clients that are slow, silent or too many: nobody holds a thread for ever."""

import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from chatserver import served
from painted import paint, picture_of
from salon.judges.clients import LARGE, Clients, Room
from salon.judges.fake import FakeJudge
from salon.judges.serve import JudgeServer
from salon.judges.vlm import OpenAIJudge
from salon.types import Prompt, Verdict

A, B = picture_of(paint("love", 5, 64)), picture_of(paint("nope", 1, 64))
HEAD = b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    running = JudgeServer(FakeJudge(), connections=8)
    running.request_s, running.idle_s = 0.5, 30.0
    with served(running):
        yield running


def connect(server: JudgeServer, first: bytes = b"") -> socket.socket:
    client = socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=10)
    client.sendall(first)
    return client


def threads(server: JudgeServer) -> int:
    """Those that serve this server's connections; earlier tests' servers may have some left."""
    targets = [getattr(thread, "_target", None) for thread in threading.enumerate()]
    return sum(target == server.process_request_thread for target in targets)


def until(condition: object, seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():  # type: ignore[operator]
            return True
        time.sleep(0.02)
    return False


def judged(server: JudgeServer, **patience: float) -> bool:
    judge = OpenAIJudge("m", server.url, **{"cache": False, "deadline_s": 10.0, **patience})
    return isinstance(judge.compare(Prompt("p", "a rose"), [(A, B)])[0], Verdict)


@pytest.mark.parametrize("first", [HEAD, b"POST /v1/chat/comp", HEAD[:-2] + b"X: ", b"G"])
def test_a_client_that_drips_is_sent_away(server: JudgeServer, first: bytes) -> None:
    with connect(server, first) as client:
        began, told = time.monotonic(), b""
        client.settimeout(0.05)
        while time.monotonic() - began < 5:
            try:
                client.sendall(b"x")
                part = client.recv(4096)
            except TimeoutError:
                continue
            except OSError:
                break
            if not part:
                break
            told += part
        assert 0.4 < time.monotonic() - began < 4
        assert (b" 408 " in told) == (first == HEAD)
    assert until(lambda: server.clients.connected == 0)
    assert until(lambda: threads(server) == 0)


def test_a_thousand_connections_take_few_threads_and_others_are_served(server: JudgeServer) -> None:
    with ExitStack() as stack:
        most = 0
        for _ in range(1000):
            stack.enter_context(connect(server))
            most = max(most, threads(server))
        counts = server.clients
        assert until(lambda: counts.turned_away + counts.made_room == 992)
        assert counts.connected == 8
        # Those whose places were given away may still be on their way out.
        assert most <= 16
        assert until(lambda: threads(server) == 8)
        # The eight that say nothing make room as soon as they have been idle for a while.
        assert judged(server)
        assert counts.connected <= 8
    assert until(lambda: server.clients.connected == 0)


def test_drippers_hold_every_place_for_a_request_s_time_only(server: JudgeServer) -> None:
    with ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(connect(server, HEAD))
        assert until(lambda: not server.clients._idle)
        told = stack.enter_context(connect(server)).recv(4096)
        assert told.startswith(b"HTTP/1.1 503 ")
        assert b"Retry-After: 1\r\n" in told
        assert json.loads(told.partition(b"\r\n\r\n")[2])["error"]["code"] == 503
        began = time.monotonic()
        assert judged(server)
        assert time.monotonic() - began < 9


def test_a_connection_stays_open_between_requests(server: JudgeServer) -> None:
    client = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=5)
    ports: set[int] = set()
    for _ in range(3):
        client.request("GET", "/health")
        reply = client.getresponse()
        assert (reply.status, json.loads(reply.read())["status"]) == (200, "ok")
        ports.add(client.sock.getsockname()[1])
        # Longer than one request may take: the clock is wound up anew for each of them.
        time.sleep(0.3)
    assert len(ports) == 1
    client.close()


def test_a_client_that_takes_no_answer_is_left(server: JudgeServer) -> None:
    asked = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n" * 200
    # A connection inherits it; else megabytes of answers would fit into the system's buffers.
    server.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    with connect(server) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(0.2)
        # What is asked and not taken fills the buffers of both sides, and then nothing moves.
        end, sent = time.monotonic() + 30, 0
        while server.clients.connected and time.monotonic() < end:
            with contextlib.suppress(OSError):
                sent += client.send(asked[sent % len(asked) :])
        assert server.clients.connected == 0


def test_a_wrong_key_and_a_wrong_place_are_told_whatever_the_body() -> None:
    with served(JudgeServer(FakeJudge(), api_key="word")) as server:
        for path, status in (("/v1/chat/completions", 401), ("/elsewhere", 404)):
            client = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=10)
            for _ in range(2):
                client.request("POST", path, b"x" * 3_000_000)
                reply = client.getresponse()
                reply.read()
                assert reply.status == status
            client.close()


def test_places_go_to_the_youngest_of_the_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("salon.judges.clients.time.monotonic", lambda: clock[0])
    ends = [socket.socketpair() for _ in range(4)]
    a, b, c, d = (near for near, _ in ends)
    clients = Clients(2)
    assert clients.admit(a)
    assert clients.admit(b)
    assert not clients.admit(c)
    clients.busy(a)
    clock[0] = 2.0
    assert clients.admit(c)
    assert ends[1][1].recv(1) == b""
    clients.busy(c)
    assert not clients.admit(d)
    clients.rests(b)
    assert not clients.admit(d)
    clients.left(a)
    assert clients.admit(d)
    assert (clients.connected, clients.turned_away) == (2, 3)
    for near, far in ends:
        near.close()
        far.close()


def test_large_requests_share_a_room_and_small_ones_always_fit() -> None:
    room = Room(most=3 * LARGE)
    assert room.take(2 * LARGE)
    assert not room.take(2 * LARGE)
    assert all(room.take(LARGE) for _ in range(9))
    room.give(2 * LARGE)
    assert room.take(2 * LARGE)
