"""Ninety attacks on the renderer: nothing is reached or forged, and what follows is as on a fresh worker."""

import socket
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import attacks
import pytest

from salon.media.sketch import SketchMedium
from salon.media.svg import SvgMedium
from salon.types import Failure, Rendering

pytestmark = pytest.mark.browser

CONTROL = """function setup() {
  createCanvas(60, 60, WEBGL); background(255); brush.noStroke(); brush.fill("#c92a42", 150);
  brush.circle(0, 0, 20); fill(random(255)); circle(0, 0, 9 + (localStorage.x ? 9 : 0)); noLoop();
}"""


class Unchecked(SketchMedium):
    """Without the static checks: what they refuse runs too."""

    def check(self, source: str) -> Failure | None:
        return None


@dataclass
class Listener:
    """A server on loopback, TCP and UDP, that notes what reaches it."""

    reached: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.tcp.getsockname()[1])
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", self.port))
        for serve in (self.serve_tcp, self.serve_udp):
            threading.Thread(target=serve, daemon=True).start()

    def serve_tcp(self) -> None:
        while True:
            try:
                connection, _ = self.tcp.accept()
            except OSError:
                return
            connection.settimeout(2)
            try:
                self.reached.append(f"tcp {connection.recv(200)!r}")
            except OSError as error:
                self.reached.append(f"tcp {error}")
            connection.close()

    def serve_udp(self) -> None:
        while True:
            try:
                self.reached.append(f"udp {self.udp.recv(200)!r}")
            except OSError:
                return

    def close(self) -> None:
        self.tcp.shutdown(socket.SHUT_RDWR)
        self.tcp.close()
        self.udp.close()


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    listener = Listener()
    with socket.create_connection(("127.0.0.1", listener.port)) as probe:
        probe.sendall(b"probe")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.sendto(b"probe", ("127.0.0.1", listener.port))
    while len(listener.reached) < 2:
        time.sleep(0.01)
    listener.reached.clear()
    yield listener
    listener.close()


@pytest.fixture(scope="module")
def control() -> bytes:
    """The control sketch's bytes on a worker that has seen nothing else."""
    medium = Unchecked(workers=1)
    try:
        return png(medium.render([CONTROL], [5])[0])
    finally:
        medium.close()


def png(rendering: Rendering) -> bytes:
    assert rendering.picture is not None, rendering.failure
    return rendering.picture.png


def attacked(
    kind: Mapping[str, str | None], listener: Listener, control: bytes, deadline_s: float = 60
) -> dict[str, Rendering]:
    """Every attack of a kind on one worker, each followed by the control sketch."""
    medium = Unchecked(workers=1, deadline_s=deadline_s)
    found: dict[str, Rendering] = {}
    try:
        for name, body in kind.items():
            source = attacks.sketch(name, body, listener.port)
            found[name], after = medium.render([source, CONTROL], [5, 5])
            assert png(after) == control, f"{name} changed the next sketch's picture"
    finally:
        medium.close()
    assert listener.reached == []
    return found


def codes(found: Mapping[str, Rendering]) -> dict[str, str]:
    return {name: r.failure.code if r.failure else "ok" for name, r in found.items()}


def is_red(rendering: Rendering) -> bool:
    from salon.raster import decode

    return decode(png(rendering)).getpixel((20, 20)) == (255, 0, 0)


def test_no_packet_leaves(listener: Listener, control: bytes) -> None:
    found = attacked(attacks.NETWORK, listener, control)
    reported = [name for name, code in codes(found).items() if code == "external_access"]
    assert len(reported) >= len(found) / 2, codes(found)
    pictures = [name for name, rendering in found.items() if rendering.picture and not is_red(rendering)]
    assert pictures == [], "a page that left is no picture"


def test_no_file_is_read(listener: Listener, control: bytes) -> None:
    found = attacked(attacks.FILES, listener, control)
    told = " ".join(r.failure.message for r in found.values() if r.failure)
    assert "root:" not in told
    assert all(is_red(rendering) for rendering in found.values() if rendering.picture)


def test_no_picture_is_forged(listener: Listener, control: bytes) -> None:
    found = attacked(attacks.FORGERIES, listener, control, deadline_s=5)
    for name, rendering in found.items():
        assert rendering.failure is not None or is_red(rendering), name


@pytest.mark.parametrize("kind", ["PERSISTENCE", "DIALOGS"])
def test_nothing_stays_and_nobody_is_asked(kind: str, listener: Listener, control: bytes) -> None:
    found = attacked(getattr(attacks, kind), listener, control, deadline_s=30)
    assert set(codes(found).values()) <= {
        "ok",
        "threw",
        "external_access",
        "missing_entry_points",
        "timeout",
    }, codes(found)


@pytest.mark.slow
def test_what_never_ends_is_ended(listener: Listener, control: bytes) -> None:
    found = codes(attacked(attacks.EXHAUSTION, listener, control, deadline_s=6))
    assert set(found.values()) <= {"timeout", "page_crashed", "context_lost", "threw", "ok"}, found
    assert found["loop"] == found["loop-at-top"] == found["workers"] == "timeout"


SVG_CODES = {
    *("ok", "forbidden_element", "external_reference", "embedded_raster", "text_label", "blank_canvas"),
    *("too_many_elements", "too_few_elements", "syntax_error", "threw", "timeout", "renderer_crashed"),
}


def test_no_svg_reaches_out_or_stays(listener: Listener) -> None:
    control = "<svg viewBox='0 0 100 100'><circle cx='50' cy='50' r='30' fill='red'/></svg>"
    medium = SvgMedium((64, 64), deadline_s=3)
    clean = png(medium.render([control], [0])[0])
    host = f"http://127.0.0.1:{listener.port}/svg"
    found: dict[str, str] = {}
    try:
        for name, inside in attacks.SVG.items():
            source = f"<svg viewBox='0 0 100 100'>{inside.replace('HOST', host)}</svg>"
            if inside.startswith("<!DOCTYPE"):
                head, _, rest = inside.partition("]>")
                source = f"{head}]><svg viewBox='0 0 100 100'>{rest}&x;</svg>"
            started = time.monotonic()
            rendering, after = medium.render([source, control], [0, 0])
            assert time.monotonic() - started < 20, name
            assert png(after) == clean, f"{name} changed the next picture"
            found[name] = rendering.failure.code if rendering.failure else "ok"
            assert rendering.failure is None or "root:" not in rendering.failure.message
    finally:
        medium.close()
    assert listener.reached == []
    assert set(found.values()) <= SVG_CODES, found
    reaching = [name for name, inside in attacks.SVG.items() if "HOST" in inside and found[name] == "ok"]
    assert reaching in ([], ["processing"]), (
        "instructions are taken out; all else that points outside is refused"
    )
