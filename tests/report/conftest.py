"""One browser for the tests that look at a page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from salon.installed import find_chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("no Chromium")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=str(chromium), args=["--no-sandbox"])
        yield started
        started.close()
