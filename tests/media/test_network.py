"""No packet leaves: every way to the network that we know of, where the browser has no network at all, and
where Chromium alone refuses (every Mac, and containers that allow no network namespace).
"""

import base64
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import attacks
import pytest
from listening import Listener, listening
from unchecked import Unchecked

from salon.environment.doctor import examine
from salon.errors import SetupError
from salon.media.p5 import chromium, network_check
from salon.media.p5.chromium import Browser, Event, OverDeadline
from salon.media.p5.medium import SketchMedium
from salon.media.p5.network_check import ALLOWED, kept_leaks, leaks
from salon.media.p5.sketch_page import ORIGIN
from salon.raster import decode

pytestmark = pytest.mark.browser

PAGE = "<!doctype html><meta charset=utf-8><body><canvas></canvas><script src=/sketch.js></script>"

SEALING = (
    *("--host-resolver-rules", "--proxy-", "--webrtc-", "--force-webrtc", "--no-pings"),
    "--block-new-web-contents",
)

SILENT = {
    *("link-dns-prefetch", "link-prerender", "ping", "report", "csp-report", "service-worker", "speculation"),
    *("track", "video", "web-transport"),
}
"""Held back by Chromium itself, even where nothing else is in the way (an address is no name to resolve)."""


@pytest.fixture
def listeners() -> Iterator[dict[str, Listener]]:
    with listening(attacks.NETWORK) as listeners:
        yield listeners


class Unsealed:
    """Pages of a browser on the host's network: no interception, no policy of what a page may load, no guard,
    and, without `flags`, no proxy and no rules for names.
    """

    def __init__(self, patch: pytest.MonkeyPatch, flags: bool) -> None:
        kept = [each for each in chromium.FLAGS if flags or not each.startswith(SEALING)]
        patch.setattr(chromium, "FLAGS", kept)
        on_the_host(patch)
        self.browser = Browser()

    def open(self, script: str) -> str:
        """A page at a sketch's own address, with this script in it; its session."""
        target = self.browser.call("Target.createTarget", deadline=soon(), url="about:blank")["targetId"]
        attached = self.browser.call("Target.attachToTarget", deadline=soon(), targetId=target, flatten=True)[
            "sessionId"
        ]

        def serve(method: str, event: Event) -> None:
            if method == "Fetch.requestPaused":
                is_script = event["request"]["url"].endswith("/sketch.js")
                kind, text = ("text/javascript", script) if is_script else ("text/html", PAGE)
                self.browser.send(
                    "Fetch.fulfillRequest",
                    attached,
                    requestId=event["requestId"],
                    responseCode=200,
                    responseHeaders=[{"name": "Content-Type", "value": kind}],
                    body=base64.b64encode(text.encode()).decode(),
                )

        self.browser.listen(attached, serve)
        self.browser.call("Fetch.enable", attached, deadline=soon(), patterns=[{"urlPattern": f"{ORIGIN}/*"}])
        self.browser.send("Page.navigate", attached, url=f"{ORIGIN}/")
        return attached

    def attack(self, listeners: Mapping[str, Listener]) -> None:
        """Every attack on the network, in a page of its own."""
        opened = {
            name: self.open(f"{attacks.head(name, listeners[name].port)}(async () => {{ {body} }})();")
            for name, body in attacks.NETWORK.items()
        }
        hiding = opened["page-hide"]
        while self.evaluated(hiding, "document.readyState") != "complete":
            self.pump(0.2)
        self.browser.send("Page.navigate", hiding, url="about:blank")

    def evaluated(self, session: str, expression: str) -> object:
        """What an expression is in a page."""
        answer = self.browser.call("Runtime.evaluate", session, deadline=soon(), expression=expression)
        return answer["result"].get("value")

    def pump(self, seconds: float) -> None:
        """Serve what the pages ask for."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                self.browser.pump(deadline)
            except OverDeadline:
                return


def on_the_host(patch: pytest.MonkeyPatch, refused: bool = False) -> None:
    """As where there are no network namespaces, nor (unless `refused`) a filter of sockets."""
    patch.setattr(chromium, "leaves_the_network", lambda: False)
    if not refused:
        patch.setattr(chromium, "refuses_sockets", lambda: False)


def soon() -> float:
    return time.monotonic() + 60


def test_a_browser_that_is_not_sealed_is_heard(
    listeners: dict[str, Listener], monkeypatch: pytest.MonkeyPatch
) -> None:
    unsealed = Unsealed(monkeypatch, flags=False)
    able = [listener for name, listener in listeners.items() if name not in SILENT]
    try:
        unsealed.attack(listeners)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not all(each.reached for each in able):
            unsealed.pump(0.2)
    finally:
        unsealed.browser.close()
    assert heard(listeners) >= set(listeners) - SILENT


def test_the_browser_alone_reaches_nobody(
    listeners: dict[str, Listener], monkeypatch: pytest.MonkeyPatch
) -> None:
    unsealed = Unsealed(monkeypatch, flags=True)
    try:
        unsealed.attack(listeners)
        deadline = time.monotonic() + 8
        while time.monotonic() < deadline:
            unsealed.pump(0.2)
    finally:
        unsealed.browser.close()
    assert heard(listeners) == set()


def heard(listeners: Mapping[str, Listener]) -> set[str]:
    return {name for name, listener in listeners.items() if listener.reached}


UNREPORTED = {
    *("link-preconnect", "link-dns-prefetch", "link-prerender", "link-manifest"),
    *("ping", "page-hide"),
}
"""What Chromium refuses without telling anybody, or when the picture was read: it stands. All else is
`external_access`.
"""
GONE = {"navigation", "report"}
"""What the page has no more: its news comes by chance (decision 018)."""


@pytest.mark.parametrize(
    "network", [*(pytest.param(name, marks=pytest.mark.slow) for name in ("none", "refused")), "host"]
)
def test_no_packet_leaves(
    network: str, listeners: dict[str, Listener], monkeypatch: pytest.MonkeyPatch
) -> None:
    if network == "none" and not chromium.leaves_the_network():
        pytest.skip("this system allows no network namespace")
    if network == "refused" and not chromium.refuses_sockets():
        pytest.skip("this system refuses no sockets")
    if network != "none":
        on_the_host(monkeypatch, refused=network == "refused")
        monkeypatch.setenv(ALLOWED, "host")
    sources = [attacks.sketch(name, body, listeners[name].port) for name, body in attacks.NETWORK.items()]
    medium = Unchecked(workers=1)
    try:
        clean = medium.render([attacks.control()], [5])[0]
        # One worker takes them in this order: several attacks, then a look at what they left.
        *made, after = medium.render([*sources, attacks.control()], [5] * (len(sources) + 1))
        time.sleep(1)
    finally:
        medium.close()
    assert heard(listeners) == set()
    assert clean.ok
    assert after.picture == clean.picture
    found = dict(zip(attacks.NETWORK, made, strict=True))
    codes = {name: each.failure.code if each.failure else "ok" for name, each in found.items()}
    other = {
        name: code
        for name, code in codes.items()
        if code != ("ok" if name in UNREPORTED else "threw" if name in GONE else "external_access")
    }
    assert other == {}
    pictures = {name: each.picture.png for name, each in found.items() if each.picture}
    assert [name for name, png in pictures.items() if decode(png).getpixel((20, 20)) != (255, 0, 0)] == []


def test_a_system_that_refuses_sockets_holds_everything_back(monkeypatch: pytest.MonkeyPatch) -> None:
    if not chromium.refuses_sockets():
        pytest.skip("this system refuses no sockets")
    on_the_host(monkeypatch, refused=True)
    assert leaks() == []


def test_without_a_wall_that_holds_nothing_is_rendered_unless_allowed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SALON_CACHE", str(tmp_path))
    on_the_host(monkeypatch)
    found = leaks()
    assert {"stun", "peer", "frame"} <= set(found), "a page that is hidden has no policy for WebRTC"
    monkeypatch.setattr(network_check, "leaks", lambda: found)
    with pytest.raises(SetupError, match=f"stun.*namespaces.*{ALLOWED}=host"):
        SketchMedium(workers=1)
    network = next(check for check in examine() if check.name == "network")
    assert (network.state, "stun" in network.detail) == ("broken", True)
    assert ALLOWED in network.remedy
    monkeypatch.setenv(ALLOWED, "host")
    SketchMedium(workers=1).close()


def test_what_held_is_tried_once_for_each_browser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SALON_CACHE", str(tmp_path))
    on_the_host(monkeypatch)
    answers = iter(([], ["stun"], ["peer"]))
    monkeypatch.setattr(network_check, "leaks", lambda: next(answers))
    assert [kept_leaks(), kept_leaks()] == [[], []]
    monkeypatch.setattr(network_check, "chromium_version", lambda: "Chromium 999")
    assert [kept_leaks(), kept_leaks()] == [["stun"], ["peer"]], "a leak is looked for each time"
