"""Where a browser cannot be put where there is no network: does anything leave it all the same?

A page without the guard tries every kind of connection to a listener of its own on loopback, once for each
version of the browser. Where one is heard, sketches are not rendered, unless the owner of the machine says
so.
"""

import base64
import hashlib
import json
import os
import socket
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from salon.errors import SetupError
from salon.files.cache_folders import cache_folder
from salon.store.runs import write_atomic

from .chromium import FLAGS, Browser, BrowserLost, Event, OverDeadline, chromium_version, network_of_browser
from .sketch_page import ORIGIN

ALLOWED = "SALON_BROWSER_NETWORK"
"""Set to "host", sketches are rendered by a browser that lets connections out."""
TRIED_S = 60.0
HEARD_S = 3.0

TRIES = """(async (ports) => {
  const at = (name) => `127.0.0.1:${ports[name]}`;
  const sdp = ["v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0",
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "c=IN IP4 0.0.0.0", "a=mid:0", "a=ice-ufrag:salon",
    "a=ice-pwd:abcdefghijklmnopqrstuvwx", `a=fingerprint:sha-256 ${Array(32).fill("AA").join(":")}`,
    "a=setup:active", "a=sctp-port:5000", ""].join("\\r\\n");
  const connect = async (Connection, servers, candidate) => {
    const peer = new Connection({ iceServers: servers });
    (window.peers ??= []).push(peer);
    peer.createDataChannel("x");
    await peer.setLocalDescription(await peer.createOffer());
    if (!candidate) return;
    await peer.setRemoteDescription({ type: "answer", sdp });
    await peer.addIceCandidate({ candidate, sdpMid: "0", sdpMLineIndex: 0 });
  };
  const turn = (name, how) => [{ urls: `turn:${at(name)}?transport=${how}`, username: "x", credential: "x" }];
  const udp = (name) => `candidate:1 1 udp 2130706431 127.0.0.1 ${ports[name]} typ host`;
  const frame = document.createElement("iframe");
  document.body.append(frame);
  const tries = {
    fetch: () => void fetch(`http://${at("fetch")}/`, { mode: "no-cors" }).catch(() => 0),
    image: () => void (new Image().src = `http://${at("image")}/`),
    socket: () => void new WebSocket(`ws://${at("socket")}/`),
    transport: () => void new WebTransport(`https://${at("transport")}/`).ready.catch(() => 0),
    stun: () => connect(RTCPeerConnection, [{ urls: `stun:${at("stun")}` }]),
    peer: () => connect(RTCPeerConnection, [], udp("peer")),
    frame: () => connect(frame.contentWindow.RTCPeerConnection, [], udp("frame")),
    tcp: () =>
      connect(RTCPeerConnection, [], `candidate:1 1 tcp 1 127.0.0.1 ${ports.tcp} typ host tcptype passive`),
    turn: () => connect(RTCPeerConnection, turn("turn", "udp")),
    turn_tcp: () => connect(RTCPeerConnection, turn("turn_tcp", "tcp")),
  };
  const begun = [];
  for (const name in tries) {
    try {
      await tries[name]();
      begun.push(name);
    } catch {}
  }
  return begun;
})"""
WAYS = ("fetch", "image", "socket", "transport", "stun", "peer", "frame", "tcp", "turn", "turn_tcp")
PAGE = "<!doctype html><meta charset=utf-8><body></body>"


def require_sealed_browser() -> None:
    """See that sketches cannot reach the network from here: by a namespace, or by having tried.

    Raises:
        SetupError: a connection got out, and SALON_BROWSER_NETWORK does not allow it.
    """
    if os.environ.get(ALLOWED) == "host":
        return
    if network_of_browser() == "none":
        return
    if leaks := kept_leaks():
        raise SetupError(
            f"a sketch could reach the network from this browser (by {', '.join(leaks)}), since there is no "
            "network namespace here to run it in. Allow unprivileged user namespaces (in a container: "
            f"unshare), or set {ALLOWED}=host if sketches of strangers may use this machine's network"
        )


def kept_leaks() -> list[str]:
    """`leaks`, asked once for each version of the browser and way of starting it."""
    network = network_of_browser()
    decides = [chromium_version(), network, TRIES, sys.platform, *FLAGS]
    place = cache_folder("network") / hashlib.sha256("\n".join(decides).encode()).hexdigest()
    with suppress(OSError):
        if place.read_bytes() == b"sealed":
            return []
    found = leaks()
    if not found:
        with suppress(OSError):
            write_atomic(place, b"sealed")
    return found


def leaks() -> list[str]:
    """The ways by which a page of a browser, without guard, policy or interception, reached a listener on
    loopback; "untried" where they could not all be tried. Takes some seconds.
    """
    browser = Browser()
    try:
        with _listening() as listeners:
            ports = {name: each.port for name, each in listeners.items()}
            try:
                begun = _begin(browser, ports)
            except (BrowserLost, OverDeadline):
                return ["untried"]
            deadline = time.monotonic() + HEARD_S
            while time.monotonic() < deadline:
                for each in listeners.values():
                    each.look()
                time.sleep(0.05)
            heard = [name for name, each in listeners.items() if each.heard]
    finally:
        browser.close()
    return heard or ([] if begun >= set(WAYS) - {"transport"} else ["untried"])


def _begin(browser: Browser, ports: dict[str, int]) -> set[str]:
    """Try all ways from a page that is opened as a sketch's is. Returns those that began."""
    deadline = time.monotonic() + TRIED_S
    context = browser.call("Target.createBrowserContext", deadline=deadline)["browserContextId"]
    target = browser.call(
        "Target.createTarget",
        deadline=deadline,
        url="about:blank",
        browserContextId=context,
        hidden=True,
        background=True,
    )["targetId"]
    session = browser.call("Target.attachToTarget", deadline=deadline, targetId=target, flatten=True)[
        "sessionId"
    ]
    loaded: list[str] = []

    def on_event(method: str, event: Event) -> None:
        if method == "Page.loadEventFired":
            loaded.append(method)
        if method == "Fetch.requestPaused":
            browser.send(
                "Fetch.fulfillRequest",
                session,
                requestId=event["requestId"],
                responseCode=200,
                responseHeaders=[{"name": "Content-Type", "value": "text/html; charset=utf-8"}],
                body=base64.b64encode(PAGE.encode()).decode(),
            )

    browser.listen(session, on_event)
    browser.call("Page.enable", session, deadline=deadline)
    browser.call("Fetch.enable", session, deadline=deadline, patterns=[{"urlPattern": f"{ORIGIN}/*"}])
    browser.send("Page.navigate", session, url=f"{ORIGIN}/")
    while not loaded:
        browser.pump(deadline)
    answer = browser.call(
        "Runtime.evaluate",
        session,
        deadline=deadline,
        expression=f"{TRIES}({json.dumps(ports)})",
        awaitPromise=True,
        returnByValue=True,
    )
    return set(answer["result"].get("value") or ())


@dataclass(slots=True)
class _Listener:
    """A port on loopback, TCP and UDP."""

    tcp: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))
    udp: socket.socket = field(default_factory=lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    port: int = 0
    heard: bool = False

    def __post_init__(self) -> None:
        self.port = int(self.tcp.getsockname()[1])
        self.udp.bind(("127.0.0.1", self.port))
        self.tcp.setblocking(False)
        self.udp.setblocking(False)

    def look(self) -> None:
        with suppress(BlockingIOError):
            self.tcp.accept()[0].close()
            self.heard = True
        with suppress(BlockingIOError):
            self.udp.recv(1)
            self.heard = True

    def close(self) -> None:
        self.tcp.close()
        self.udp.close()


@contextmanager
def _listening() -> Generator[dict[str, _Listener]]:
    listeners = {name: _Listener() for name in WAYS}
    try:
        yield listeners
    finally:
        for each in listeners.values():
            each.close()
