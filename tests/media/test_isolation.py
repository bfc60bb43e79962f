"""Whom a browser runs as, and what it can reach, seen from outside."""

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from salon.media.p5.chromium import Browser, chromium_command, leaves_the_network, user_of_browser

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="reads Linux's /proc"),
]


def below(pid: int) -> Iterator[Path]:
    """The /proc folders of all descendants."""
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            yield Path(f"/proc/{child}")
            yield from below(int(child))


@pytest.fixture
def chromium() -> Iterator[list[Path]]:
    """The processes of a browser that has answered."""
    browser = Browser()
    try:
        browser.call("Browser.getVersion", deadline=time.monotonic() + 60)
        ours = [place for place in below(os.getpid()) if b"user-data-dir" in (place / "cmdline").read_bytes()]
        assert ours
        yield ours
    finally:
        browser.close()


def test_it_has_no_network(chromium: list[Path]) -> None:
    if not leaves_the_network():
        pytest.skip("this system allows no network namespace")
    for place in chromium:
        interfaces = (place / "net" / "dev").read_text().splitlines()[2:]
        assert [line.split(":")[0].strip() for line in interfaces] in ([], ["lo"])
        assert all(line.split(":")[1].split()[0] == "0" for line in interfaces)


def test_root_hands_it_to_nobody_in_its_own_sandbox(chromium: list[Path]) -> None:
    if user_of_browser() is None:
        pytest.skip("not root, or nobody cannot run the browser here")
    assert "--no-sandbox" not in chromium_command()
    for place in chromium:
        status = dict(
            line.split(":", 1) for line in (place / "status").read_text().splitlines() if ":" in line
        )
        assert set(status["Uid"].split()) == {str(user_of_browser())}
        assert "0" not in status["Groups"].split()


@pytest.mark.parametrize("mode", [0o700, 0o777])
@pytest.mark.parametrize("length", [30, 90])
def test_any_temporary_folder_will_do(length: int, mode: int, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(tempfile.mkdtemp(dir="/tmp", suffix="x" * (length - len("/tmp/tmp12345678"))))
    folder.chmod(mode)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    browser = Browser()
    try:
        assert browser.call("Browser.getVersion", deadline=time.monotonic() + 60)
        if length == 30 and mode == 0o700:
            assert user_of_browser() is None
    finally:
        browser.close()
    assert list(folder.iterdir()) == []
    folder.rmdir()


def test_its_profile_is_gone_when_it_has_closed() -> None:
    browser = Browser()
    try:
        browser.call("Browser.getVersion", deadline=time.monotonic() + 60)
        lines = [(place / "cmdline").read_bytes().split(b"\0") for place in below(os.getpid())]
        named = [each for line in lines for each in line if each.startswith(b"--user-data-dir=")]
        folder = Path(named[0].decode().partition("=")[2])
        assert folder.is_dir()
    finally:
        browser.close()
    assert not folder.parent.exists()
