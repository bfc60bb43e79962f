"""Servers on loopback that note what reaches them: what a sealed browser must never do."""

import socket
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Listener:
    """A server on loopback, TCP and UDP, that notes what reaches it."""

    reached: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.tcp.getsockname()[1])
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", self.port))
        self.udp.settimeout(0.1)
        self.threads = [threading.Thread(target=serve) for serve in (self.serve_tcp, self.serve_udp)]
        self.open = True
        for thread in self.threads:
            thread.start()

    def serve_tcp(self) -> None:
        while True:
            try:
                connection, _ = self.tcp.accept()
            except OSError:
                return
            # Before anything is read: a connection that says nothing has left the browser too.
            self.reached.append("tcp")
            connection.settimeout(2)
            with connection:
                try:
                    self.reached.append(f"tcp {connection.recv(200)!r}")
                except OSError as error:
                    self.reached.append(f"tcp {error}")

    def serve_udp(self) -> None:
        while self.open:
            try:
                self.reached.append(f"udp {self.udp.recv(200)!r}")
            except TimeoutError:
                continue

    def see_that_it_hears(self) -> None:
        """Send it something by TCP and by UDP, and forget what arrived."""
        with socket.create_connection(("127.0.0.1", self.port)) as probe:
            probe.sendall(b"probe")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.sendto(b"probe", ("127.0.0.1", self.port))
        while len(self.reached) < 3:
            time.sleep(0.01)
        self.reached.clear()

    def close(self) -> None:
        self.open = False
        self.tcp.shutdown(socket.SHUT_RDWR)
        self.tcp.close()
        for thread in self.threads:
            thread.join()
        self.udp.close()


@contextmanager
def listening(names: Iterable[str]) -> Iterator[dict[str, Listener]]:
    """A listener for each name, so that it is known whose message arrived."""
    listeners = {name: Listener() for name in names}
    try:
        for listener in listeners.values():
            listener.see_that_it_hears()
        yield listeners
    finally:
        for listener in listeners.values():
            listener.close()
