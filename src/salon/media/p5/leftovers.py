"""What a sketch could leave behind in its browser for the next one, and how it is seen to be gone.

A page's picture can be finished while the GPU process has minutes of its drawing in hand, and a page that is
being closed can queue more. So its scripts are stopped before it is closed, and no sketch starts before the
one before it has gone and a page of our own, whose drawing waits behind everything else, has been answered.
"""

import time

from .chromium import Browser, OverDeadline, Steps
from .sketch_page import SketchPage

GONE_S = 4.0
"""How long a sketch's leftovers may keep the next one waiting; then a fresh browser is quicker."""

ASK = """(() => {
  const gl = (globalThis.context ??= document.createElement("canvas").getContext("webgl"));
  if (!gl || gl.isContextLost()) return false;
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  return true;
})()"""
"""Answered when everything has been drawn that was queued before: false where nothing can be any more."""


class Leftovers:
    """Sees that a browser is as if nothing had run in it yet. Belongs to the thread of its browser."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._session = ""
        self._closing: SketchPage | None = None
        browser.run(self._opening())

    def _opening(self) -> Steps:
        """Find the page that the browser started with, where no sketch ever runs, and have it draw once."""
        targets = yield "Target.getTargets", "", {}
        own = next(each["targetId"] for each in targets["targetInfos"] if each["type"] == "page")
        attached = yield "Target.attachToTarget", "", {"targetId": own, "flatten": True}
        yield "Runtime.evaluate", attached["sessionId"], {"expression": ASK}
        self._session = attached["sessionId"]

    def close(self, page: SketchPage) -> None:
        """Close a sketch's page, in the background."""
        page.close()
        self._closing = page

    def gone(self) -> bool:
        """Wait until the page before and its drawing have gone; false if that takes too long, or took with it
        what draws.

        Raises:
            BrowserLost: the browser has gone.
        """
        deadline = time.monotonic() + GONE_S
        try:
            while self._closing and not self._closing.closed:
                self._browser.pump(deadline)
            self._closing = None
            while not self._session:
                self._browser.pump(deadline)
            said = self._browser.call("Runtime.evaluate", self._session, deadline=deadline, expression=ASK)
        except OverDeadline:
            return False
        return said.get("result", {}).get("value") is True
