"""Our servers under clients that are slow, silent or too many: nobody holds a thread for ever."""

import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from chatserver import served
from painted import paint, picture_of
from salon.judges.fake import FakeJudge
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.serving.connection_limits import ConnectionSlots, Room, network_of
from salon.serving.judge_server import JudgeServer
from salon.types import Prompt, Verdict

A, B = picture_of(paint("love", 5, 64)), picture_of(paint("nope", 1, 64))
HEAD = (
    b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 1000\r\n\r\n"
)


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


def judged(server: JudgeServer, **patience: Any) -> bool:
    given: dict[str, Any] = {"cache": False, "deadline_s": 10.0, **patience}
    judge = OpenAIJudge("m", server.url, **given)
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
        assert b" 408 " in told
    assert until(lambda: server.clients.connected == 0)
    assert until(lambda: threads(server) == 0)


def test_a_thousand_connections_take_few_threads_and_others_are_served(server: JudgeServer) -> None:
    with ExitStack() as stack:
        for _ in range(1000):
            stack.enter_context(connect(server))
        counts = server.clients
        assert until(lambda: counts.made_room + counts.turned_away == 1000 - counts.waiting)
        assert counts.connected == counts.waiting == 64
        assert until(lambda: threads(server) == 64)
        assert judged(server)
        assert counts.connected <= 65
    assert until(lambda: server.clients.connected == 0)


SLOW = {
    "says nothing": b"",
    "half a head": b"POST /v1/chat/comp",
    "headers without end": HEAD[:-2] + b"X: ",
    "a body that never comes": HEAD,
    "a large body that never comes": HEAD.replace(b"1000", b"60000000") + b"x" * 2000,
    "a wrong key": HEAD[:-2] + b"Authorization: Bearer wrong\r\n\r\n",
    "waits to be told to go on": HEAD[:-2] + b"Expect: 100-continue\r\n\r\n",
    "asks for pages and takes none": b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" * 300,
    "lines that end in LF": b"GET /health HTTP/1.1\nHost: localhost\n\n",
}


@pytest.mark.parametrize("key", ["", "word"])
@pytest.mark.parametrize("kind", SLOW)
def test_good_requests_are_answered_while_hostile_ones_are_held_open(kind: str, key: str) -> None:
    """More hostile connections than there are places of any kind, held for as long as the good ones ask."""
    running = JudgeServer(FakeJudge(), api_key=key, connections=4)
    held: list[socket.socket] = []
    over = threading.Event()

    def hold() -> None:
        while not over.is_set():
            with contextlib.suppress(OSError):
                held.append(connect(running, SLOW[kind]))
                if len(held) > 150:
                    held.pop(0).close()
            # A byte each, as drippers do, to keep them all alive.
            for each in held[-20:]:
                with contextlib.suppress(OSError):
                    each.settimeout(0.0)
                    each.send(b"x")

    with served(running) as server:
        attacker = threading.Thread(target=hold)
        attacker.start()
        try:
            assert until(lambda: len(held) > 80)
            asked = 8
            # No answer is asked for twice: the very first request has to find its place.
            good = [judged(server, api_key=key, attempts=1, deadline_s=20.0) for _ in range(asked)]
        finally:
            over.set()
            attacker.join()
        assert good == [True] * asked
    for each in held:
        each.close()


def test_a_client_with_the_key_is_not_sent_away_for_strangers() -> None:
    """Its connection stays open between two requests, however many others come meanwhile."""
    with served(JudgeServer(FakeJudge(), api_key="word", connections=2)) as server, ExitStack() as stack:
        client = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=20)
        headers = {"Authorization": "Bearer word", "Content-Type": "application/json"}
        ports: set[int] = set()
        for _ in range(3):
            client.request("POST", "/v1/chat/completions", b"{}", headers)
            reply = client.getresponse()
            reply.read()
            assert reply.status == 422
            ports.add(client.sock.getsockname()[1])
            for _ in range(100):
                stack.enter_context(connect(server, b"G"))
            assert until(lambda: server.clients.connected == server.clients.waiting)
        assert len(ports) == 1
        client.close()


def test_more_work_than_places_is_told_to_come_back() -> None:
    """Places for work are taken by requests that are there as a whole, and by nothing else."""
    begun, go_on = threading.Semaphore(0), threading.Event()

    class Pondering(FakeJudge):
        def compare(self, prompt: Any, pairs: Any) -> Any:
            begun.release()
            go_on.wait(30)
            return super().compare(prompt, pairs)

    with served(JudgeServer(Pondering(), connections=2)) as server:
        found: list[bool] = []
        threads = [threading.Thread(target=lambda: found.append(judged(server))) for _ in range(2)]
        for each in threads:
            each.start()
        assert begun.acquire(timeout=20)
        assert begun.acquire(timeout=20)
        client = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=20)
        client.request("POST", "/v1/chat/completions", b"{}", {"Content-Type": "application/json"})
        reply = client.getresponse()
        assert (reply.status, reply.headers["Retry-After"]) == (503, "1")
        reply.read()
        go_on.set()
        for each in threads:
            each.join()
        assert found == [True, True]
        client.close()


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
    asked = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200
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
                client.request("POST", path, b"x" * 3_000_000, {"Content-Type": "application/json"})
                reply = client.getresponse()
                reply.read()
                assert reply.status == status
            client.close()


def test_strangers_of_the_largest_crowd_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("salon.serving.connection_limits.time.monotonic", lambda: clock[0])
    monkeypatch.setattr("salon.serving.connection_limits.WAITING", 4)
    clients, ends = ConnectionSlots(1), [socket.socketpair() for _ in range(8)]
    places = ["10.0.0.1", "10.0.0.9", "10.0.0.9", "10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"]
    near = [each for each, _ in ends]

    def gone(number: int) -> bool:
        ends[number][1].settimeout(0.0)
        try:
            return ends[number][1].recv(1) == b""
        except BlockingIOError:
            return False

    for number in range(4):
        clock[0] += 1.0
        assert clients.admit(near[number], places[number])
    clients.known(near[0])
    # Two of 10.0.0.9 are strangers, the older one of them goes; then 10.0.0.1 has the most.
    assert clients.admit(near[4], places[4])
    assert [gone(n) for n in range(5)] == [False, True, False, False, False]
    assert clients.admit(near[5], places[5])
    assert gone(3)
    # A request that is worked on has its own place, and leaves one to the others.
    assert clients.begin(near[2])
    assert not clients.begin(near[4])
    assert clients.admit(near[6], places[6])
    assert (clients.connected, clients.working, clients.made_room, clients.turned_away) == (5, 1, 2, 0)
    for each in (4, 5, 6):
        clients.known(near[each])
    clock[0] = 7.0
    for each in (0, 4, 5, 6):
        clients.rests(near[each])
    # Whoever was answered just now is about to ask again.
    assert not clients.admit(near[7], places[7])
    clock[0] = 9.0
    assert clients.admit(near[7], places[7])
    for one, other in ends:
        one.close()
        other.close()


def test_an_address_counts_by_what_one_party_can_have() -> None:
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:1%eth0") != network_of("2001:db8:0:1::1")
    assert network_of("10.0.0.1") != network_of("10.0.0.2")


def test_bytes_of_large_requests_share_a_room() -> None:
    room = Room(most=30)
    assert room.take(20)
    assert not room.take(20)
    room.give(20)
    assert room.take(30)
