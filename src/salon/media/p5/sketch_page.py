"""One sketch's page: a fresh browser context that is ready before its sketch is known.

The page's parser stops at two scripts, `/prelude.js` and `/sketch.js`, whose requests the renderer holds
back. A spare page has loaded p5 already and waits there; a sketch starts by answering the two requests: the
seed and p5.brush first, then the sketch. No request ever leaves: all are answered or refused here.
"""

import base64
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .calls import call_sites, watched_names
from .chromium import Browser, BrowserLost, Event, Flooded, Steps, TargetClosed
from .compartment import PAGE, Scope, lent_names
from .libraries import load_libraries
from .page_reports import Calls, Forged, Report, Stage, png_size, read_message

ORIGIN = "https://sketch.invalid"
PAGE_FOLDER = Path(__file__).with_name("scripts")
HTML = """<!doctype html><html><head><meta charset="utf-8"><style>body{margin:0}</style>
<script src="/p5.js"></script><script src="/prelude.js"></script></head>
<body><main></main><script src="/sketch.js"></script></body></html>"""
HELD = ("/prelude.js", "/sketch.js")
ACCUSING = ("external_access", "embedded_raster")
CSP = (
    "default-src 'none'; script-src 'self' '{text}'; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; worker-src 'none'; frame-src 'none'"
)
"""No code in the page's HTML runs: `text` is what else may. p5.strands compiles texts, p5.brush bytes."""
REALMS = {
    "Page.frameAttached": "a frame",
    "Page.windowOpen": "a window",
    "Target.attachedToTarget": "a worker, a worklet or a frame",
}
"""What tells of a realm that a sketch made, and what it is."""
MOST_HEARD = 64 << 20
"""Bytes that a sketch's browser may tell us while it runs."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """How canvases are made and read: the frame a looping sketch is captured at, or the sketch's own time
    where that is not 0, limits in pixels, the paper, the window's size. `counted`: a program's length counts,
    so that no text runs as code.
    """

    frames: int = 1
    time_ms: float = 0.0
    side: int = 4096
    area: int = 2048 * 2048
    paper: str = "#ffffff"
    window: tuple[int, int] = (800, 800)
    settle_ms: int = 2000
    counted: bool = False


@dataclass(slots=True)
class SketchPage:
    """A page of `browser`, spare until `start`. `gone`: it crashed, or its sketch closed it."""

    browser: Browser
    canvas: Canvas
    report: Report | None = None
    stage: str = ""
    calls: tuple[str, ...] | None = None
    png: bytes | None = None
    closed: bool = False
    gone: bool = False
    _context: str = ""
    _session: str = ""
    _frame: str = ""
    _token: str = field(default_factory=lambda: secrets.token_hex(16))
    _binding: str = field(default_factory=lambda: f"_{secrets.token_hex(8)}")
    _world: int = 0
    _told: int = 0
    _guard_function: str = ""
    _shown: bool = False
    _heard: int = 0
    _held: dict[str, str] = field(default_factory=dict[str, str])
    _scripts: dict[str, str] = field(default_factory=dict[str, str])
    _served: set[str] = field(default_factory=set[str])

    def open(self) -> None:
        """Create the context and the page, and let it load p5 while others work."""
        self.browser.run(self._opening())

    def _opening(self) -> Steps:
        width, height = self.canvas.window
        context = yield "Target.createBrowserContext", "", {}
        self._context = context["browserContextId"]
        size = {"width": width, "height": height}
        blank = {
            "hidden": True,
            "background": True,
            "url": "about:blank",
            "browserContextId": self._context,
            **size,
        }
        self._frame = (yield "Target.createTarget", "", blank)["targetId"]
        attached = yield "Target.attachToTarget", "", {"targetId": self._frame, "flatten": True}
        self._session = attached["sessionId"]
        self.browser.listen(self._session, self._on_event)
        # A page that is never shown has a window of 0 × 0, and windowWidth is a common width.
        self._send("Emulation.setDeviceMetricsOverride", deviceScaleFactor=1, mobile=False, **size)
        self._send("Emulation.setTimezoneOverride", timezoneId="UTC")
        self._send("Emulation.setLocaleOverride", locale="en-US")
        self._send("Page.enable")
        self._send("Runtime.enable")
        self._send("Runtime.addBinding", name=self._binding)
        # What is attached to waits for us before it runs, and is never told to go on.
        self._send("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
        self._send("Fetch.enable", patterns=[{"urlPattern": "*"}])
        # Waited for: a navigation that overtakes it would load the page without its guard.
        yield "Page.addScriptToEvaluateOnNewDocument", self._session, {"source": self._guard()}
        self._send("Page.navigate", url=f"{ORIGIN}/")

    def ready(self, deadline: float) -> None:
        """Pump until the page waits for its sketch.

        Raises:
            OverDeadline: it did not load by `deadline`.
            BrowserLost: the browser has gone.
        """
        while len(self._held) < len(HELD) or not self._guard_function:
            if self.gone:
                raise BrowserLost("a page that waited for its sketch has gone")
            self.browser.pump(deadline)

    def start(
        self, source: str, seed: int, with_brush: bool, plain: bool = False, scope: Scope = PAGE
    ) -> None:
        """Run a sketch in this page. Its end arrives in `report` while the browser is pumped.

        `plain`: it is one without p5, whose end nobody tells.
        """
        self._heard = self.browser.heard
        self.browser.run(self._starting(source, seed, with_brush, plain, scope))

    def _starting(self, source: str, seed: int, with_brush: bool, plain: bool, scope: Scope) -> Steps:
        if scope.walled:
            # What V8 reads is what is sent: neither has half characters.
            text = json.dumps(source.encode("utf-8", errors="replace").decode())
            show = {
                "expression": f"window.{self._prime}.compile({text}, {json.dumps(scope.shared)})",
                "returnByValue": True,
            }
            told = (yield "Runtime.evaluate", self._session, show)["result"].get("value")
            if told == "":
                source = f"window.{self._prime}()"
            elif not scope.or_page:
                return self._on_report(Report("threw", str(told)))
        self._serve(source, seed, with_brush, plain)

    @property
    def _prime(self) -> str:
        return f"{self._binding}_prime"

    def _serve(self, source: str, seed: int, with_brush: bool, plain: bool) -> None:
        brush = load_libraries().brush if with_brush else ""
        prime = f"window.{self._prime}({seed & 0xFFFFFFFF})"
        head = f"{{const arm = {prime};\n(function () {{"
        sites = call_sites(len(head)) if with_brush else "null"
        armed = f"arm({'true' if plain else 'false'}, {sites});"
        self._scripts = {
            "/prelude.js": f"{head}{brush}\n}}).call(window);\n{armed}}}",
            "/sketch.js": source,
        }
        for path, request in self._held.items():
            self._fulfil(request, self._scripts[path])

    def wait(self, deadline: float) -> Report:
        """Pump until the sketch has finished or failed.

        Raises:
            OverDeadline: it did neither by `deadline`.
            BrowserLost: the browser has gone.
            Flooded: it told us more than MOST_HEARD.
        """
        while self.report is None:
            self.browser.pump(deadline)
            if self.browser.heard - self._heard > MOST_HEARD:
                raise Flooded
        return self.report

    def capture(self, deadline: float) -> bytes | None:
        """The picture, as PNG bytes; None without a canvas. It was read when the page reported, and is asked
        for where a sketch was ended from outside; with the answer, all that was on its way is here.

        Raises:
            OverDeadline: the page does not answer; what it had shown by then is in `png`.
            BrowserLost, Flooded.
        """
        show = {"objectId": self._guard_function, "functionDeclaration": "function () { this(); }"}
        try:
            self.browser.call(
                "Runtime.callFunctionOn",
                self._session,
                deadline=deadline,
                unless=lambda: self.gone,
                **show,
            )
        except TargetClosed:
            return self.png
        return self.png

    def close(self) -> None:
        """Throw the context away with everything in it, while the browser is pumped, until `closed`."""
        if self._context:
            self.browser.run(self._closing(self._context))
            self._context = ""

    def _closing(self, context: str) -> Steps:
        # Nothing of it runs any more, whatever waits for its page to be hidden or unloaded.
        yield "Emulation.setScriptExecutionDisabled", self._session, {"value": True}
        self.browser.listen(self._session, None)
        # One after the other: a context that goes before its hidden page takes the browser with it.
        yield "Target.closeTarget", "", {"targetId": self._frame}
        yield "Target.disposeBrowserContext", "", {"browserContextId": context}
        self.closed = True

    def _send(self, method: str, **params: Any) -> None:
        self.browser.send(method, self._session, **params)

    def _guard(self) -> str:
        config = {
            "report": self._binding,
            "prime": self._prime,
            "token": self._token,
            "paper": self.canvas.paper,
            "frames": self.canvas.frames,
            "time": self.canvas.time_ms,
            "side": self.canvas.side,
            "area": self.canvas.area,
            "settle": self.canvas.settle_ms,
            "counted": self.canvas.counted,
            "watched": watched_names(),
            "lent": lent_names(),
        }
        guard = _script("guard.js").replace("__SALON_CONFIG__", json.dumps(config), 1)
        for part in ("report", "calls", "compartment", "sizes", "virtual", "events", "text"):
            guard = guard.replace(f"__SALON_{part.upper()}__", f"({_script(f'{part}.js')})", 1)
        return guard

    def _on_event(self, method: str, event: Event) -> None:
        try:
            self._on_known_event(method, event)
        except (Forged, KeyError, TypeError, ValueError):
            self._on_report(Report("forged_report", "its page said what the renderer does not understand"))

    def _on_known_event(self, method: str, event: Event) -> None:
        match method:
            case "Fetch.requestPaused":
                self._on_request(event)
            case "Runtime.bindingCalled":
                self._on_binding(event)
            case "Inspector.targetCrashed":
                self._on_end(Report("page_crashed", "the page's process ended"))
            case "Page.javascriptDialogOpening":
                self._send("Page.handleJavaScriptDialog", accept=False)
            case "Page.frameAttached" | "Page.windowOpen" | "Target.attachedToTarget":
                self._on_report(_reaching(REALMS[method]))
            case "Target.detachedFromTarget" if event["sessionId"] == self._session:
                self._on_end(Report("external_access", "the sketch closed its page"))
            case "Page.frameScheduledNavigation" if event["url"].startswith("javascript:"):
                self._on_report(Report("external_access", "the sketch went to a javascript: address"))
            case "Page.frameNavigated" if "parentId" not in event["frame"]:
                if not event["frame"]["url"].startswith(f"{ORIGIN}/"):
                    self._on_report(Report("external_access", "the sketch left its page"))
            case _:
                pass

    def _on_binding(self, event: Event) -> None:
        """A message counts that comes from the page's first world, in order, and with the token."""
        self._world = self._world or event["executionContextId"]
        if event["name"] != self._binding or event["executionContextId"] != self._world:
            raise Forged("it came from elsewhere")
        self._told += 1
        said = read_message(event["payload"], self._token, self._told)
        if isinstance(said, Report):
            self._on_report(said)
        elif isinstance(said, Calls):
            self.calls = said.names
        elif not isinstance(said, Stage):
            self._on_picture(said.png)
        elif said.name == "loading":
            self.browser.run(self._arming())
        else:
            self.stage = said.name

    def _arming(self) -> Steps:
        """Hold the guard's function, and hear no more of consoles and errors: a sketch could flood us."""
        show = {"expression": f"window.{self._prime}.show"}
        held = yield "Runtime.evaluate", self._session, show
        yield "Runtime.disable", self._session, {}
        self._guard_function = held["result"]["objectId"]

    def _on_picture(self, png: bytes | None) -> None:
        width, height = png_size(png) if png else (0, 0)
        if max(width, height) > self.canvas.side or width * height > self.canvas.area:
            raise Forged("it is larger than any canvas")
        self.png, self._shown = png, True
        # What it has queued by now is for nobody: it does not run while its page waits to be closed.
        self._send("Emulation.setScriptExecutionDisabled", value=True)

    def _on_end(self, report: Report) -> None:
        """The page has gone, and with it a picture that it had not shown."""
        self.gone = True
        if not self._shown:
            self.report = None
        self._on_report(report)

    def _on_report(self, report: Report) -> None:
        """The first report stands, save that one that is over may yet be seen to have reached out."""
        over = self.report is not None and self.report.kind in ("done", "threw")
        if self.report is None or (over and report.kind in ACCUSING):
            self.report = report

    def _on_request(self, event: Event) -> None:
        request, (origin, path) = event["requestId"], _address(event["request"]["url"])
        ours = origin == ORIGIN and path not in self._served
        if ours and path == "/":
            policy = CSP.format(text="wasm-unsafe-eval" if self.canvas.counted else "unsafe-eval")
            self._fulfil(request, HTML, "text/html", {"Content-Security-Policy": policy})
        elif ours and path == "/p5.js":
            self._fulfil(request, load_libraries().p5)
        elif ours and path in HELD:
            self._held[path] = request
            if self._scripts:
                self._fulfil(request, self._scripts[path])
        else:
            self._send("Fetch.failRequest", requestId=request, errorReason="BlockedByClient")
            if path != "/favicon.ico":
                self._on_report(Report("external_access", f"a request to {origin} was refused"))
        if ours:
            self._served.add(path)

    def _fulfil(
        self, request: str, text: str, kind: str = "text/javascript", more: Mapping[str, str] | None = None
    ) -> None:
        # Not kept: a page that asks again would be answered by its own memory.
        headers = {"Content-Type": f"{kind}; charset=utf-8", "Cache-Control": "no-store", **(more or {})}
        self._send(
            "Fetch.fulfillRequest",
            requestId=request,
            responseCode=200,
            responseHeaders=[{"name": name, "value": value} for name, value in headers.items()],
            body=_encoded(text),
        )


def _reaching(realm: str) -> Report:
    return Report("external_access", f"the sketch made {realm}, out of its page")


def _address(url: str) -> tuple[str, str]:
    """The origin and the path of an address; empty where it has none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", ""
    return f"{parts.scheme}://{parts.netloc}"[:200], parts.path


@cache
def _script(name: str) -> str:
    return (PAGE_FOLDER / name).read_text(encoding="utf-8").strip()


@cache
def _encoded_library(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _encoded(text: str) -> str:
    if len(text) > 500_000:
        return _encoded_library(text)
    return base64.b64encode(text.encode("utf-8", errors="replace")).decode()
