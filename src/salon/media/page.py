"""One sketch's page: a fresh browser context that is ready before its sketch is known.

The page's parser stops at two scripts, `/prelude.js` and `/sketch.js`, whose requests the renderer holds
back. A spare page has loaded p5 already and waits there; a sketch starts by answering the two requests: the
seed and p5.brush first, then the sketch. No request ever leaves: all are answered or refused here.
"""

import base64
import json
import secrets
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from salon.media.browser import Browser, BrowserLost, Event, Steps
from salon.media.libraries import load_libraries

ORIGIN = "https://sketch.invalid"
PAGE_FOLDER = Path(__file__).with_name("page")
HTML = """<!doctype html><html><head><meta charset="utf-8"><style>body{margin:0}</style>
<script src="/p5.js"></script><script src="/prelude.js"></script></head>
<body><main></main><script src="/sketch.js"></script></body></html>"""
HELD = ("/prelude.js", "/sketch.js")
ACCUSING = ("external_access", "embedded_raster")
CSP = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'"
)


@dataclass(frozen=True, slots=True)
class Canvas:
    """How canvases are made and read: the frame a looping sketch is captured at, or the sketch's own time
    where that is not 0, limits in pixels, the paper, the window's size.
    """

    frames: int = 1
    time_ms: float = 0.0
    side: int = 4096
    area: int = 2048 * 2048
    paper: str = "#ffffff"
    window: tuple[int, int] = (800, 800)
    settle_ms: int = 2000


@dataclass(slots=True)
class Report:
    """What the page said, or what was seen from outside: `kind` is done or a failure code.

    `started`: p5 had. `of_p5`: the name that was missing is one that p5 defines.
    """

    kind: str
    message: str = ""
    line: int = 0
    frame: int = 0
    started: bool = False
    of_p5: bool = False


@dataclass(slots=True)
class SketchPage:
    """A page of `browser`, spare until `start`."""

    browser: Browser
    canvas: Canvas
    report: Report | None = None
    stage: Literal["", "setup", "draw"] = ""
    closed: bool = False
    _context: str = ""
    _session: str = ""
    _frame: str = ""
    _mark: str = field(default_factory=lambda: f"data-{secrets.token_hex(8)}")
    _binding: str = field(default_factory=lambda: f"_{secrets.token_hex(8)}")
    _held: dict[str, str] = field(default_factory=dict[str, str])
    _scripts: dict[str, str] = field(default_factory=dict[str, str])
    _served: bool = False

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
        self._send("Page.enable")
        self._send("Runtime.enable")
        self._send("Runtime.addBinding", name=self._binding)
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
        while len(self._held) < len(HELD):
            self.browser.pump(deadline)

    def start(self, source: str, seed: int, with_brush: bool, plain: bool = False) -> None:
        """Run a sketch in this page. Its end arrives in `report` while the browser is pumped.

        `plain`: it is one without p5, whose end nobody tells.
        """
        brush = load_libraries().brush if with_brush else ""
        prime = f"window.{self._binding}_prime({seed & 0xFFFFFFFF})"
        armed = f"arm({'true' if plain else 'false'});"
        self._scripts = {
            "/prelude.js": f"{{const arm = {prime};\n(function () {{{brush}\n}}).call(window);\n{armed}}}",
            "/sketch.js": source,
        }
        for path, request in self._held.items():
            self._fulfil(request, self._scripts[path])

    def wait(self, deadline: float) -> Report:
        """Pump until the sketch has finished or failed.

        Raises:
            OverDeadline: it did neither by `deadline`.
            BrowserLost: the browser has gone.
        """
        while self.report is None:
            self.browser.pump(deadline)
        return self.report

    def capture(self, deadline: float) -> bytes | None:
        """The marked canvas on paper, as PNG bytes read in an isolated world; None without a canvas."""
        world = self.browser.call(
            "Page.createIsolatedWorld", self._session, deadline=deadline, frameId=self._frame
        )
        expression = f"{_script('capture.js')}({json.dumps(self._mark)}, {json.dumps(self.canvas.paper)})"
        answer = self.browser.call(
            "Runtime.evaluate",
            self._session,
            deadline=deadline,
            contextId=world["executionContextId"],
            expression=expression,
            returnByValue=True,
        )
        value = answer["result"].get("value")
        return base64.b64decode(value) if isinstance(value, str) else None

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
            "prime": f"{self._binding}_prime",
            "mark": self._mark,
            "frames": self.canvas.frames,
            "time": self.canvas.time_ms,
            "side": self.canvas.side,
            "area": self.canvas.area,
            "settle": self.canvas.settle_ms,
        }
        return _script("guard.js").replace("__SALON_CONFIG__", json.dumps(config), 1)

    def _on_event(self, method: str, event: Event) -> None:
        match method:
            case "Fetch.requestPaused":
                self._on_request(event)
            case "Runtime.bindingCalled" if event["name"] == self._binding:
                self._on_binding(json.loads(event["payload"]))
            case "Inspector.targetCrashed":
                self._on_report(Report("page_crashed", "the page's process ended"))
            case "Page.javascriptDialogOpening":
                self._send("Page.handleJavaScriptDialog", accept=False)
            case "Page.frameNavigated" if "parentId" not in event["frame"]:
                if not event["frame"]["url"].startswith(ORIGIN):
                    self._on_report(Report("external_access", "the sketch left its page"))
            case "Runtime.exceptionThrown" if f"{self._binding}_prime is not a function" in json.dumps(event):
                raise BrowserLost("the page started without its guard")
            case _:
                pass

    def _on_binding(self, said: Event) -> None:
        if said["kind"] == "stage":
            self.stage = said["message"]
        else:
            self._on_report(Report(**said))

    def _on_report(self, report: Report) -> None:
        """The first report stands, save that one that is over may yet be seen to have reached out."""
        over = self.report is not None and self.report.kind in ("done", "threw")
        if self.report is None or (over and report.kind in ACCUSING):
            self.report = report

    def _on_request(self, event: Event) -> None:
        request, url = event["requestId"], urlsplit(event["request"]["url"])
        path = url.path if f"{url.scheme}://{url.netloc}" == ORIGIN else ""
        if path == "/" and not self._served:
            self._served = True
            self._send(
                "Fetch.fulfillRequest",
                requestId=request,
                responseCode=200,
                responseHeaders=[
                    {"name": "Content-Type", "value": "text/html; charset=utf-8"},
                    {"name": "Content-Security-Policy", "value": CSP},
                ],
                body=_encoded(HTML),
            )
        elif path == "/p5.js":
            self._fulfil(request, load_libraries().p5)
        elif path in HELD and path not in self._held:
            self._held[path] = request
            if self._scripts:
                self._fulfil(request, self._scripts[path])
        else:
            self._send("Fetch.failRequest", requestId=request, errorReason="BlockedByClient")
            if path != "/favicon.ico":
                self._on_report(
                    Report("external_access", f"a request to {url.scheme}://{url.netloc} was refused")
                )

    def _fulfil(self, request: str, script: str) -> None:
        self._send(
            "Fetch.fulfillRequest",
            requestId=request,
            responseCode=200,
            responseHeaders=[{"name": "Content-Type", "value": "text/javascript; charset=utf-8"}],
            body=_encoded(script),
        )


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
