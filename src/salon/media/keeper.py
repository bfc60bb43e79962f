"""Keeps one Chromium: a process of its own that starts the browser, and leaves nothing behind.

Run as a script, with the standard library only: `keeper.py READ_FD WRITE_FD PROFILE_PARENT USER chromium
arguments…`. The two descriptors become the browser's 3 and 4 (its remote-debugging pipe); USER is the number
of the user it runs as, or "-" for ours. The browser has no network, where the system allows that
(`keeper.py leave-the-network` only tries it, and tells by its exit status). When the keeper's standard input
ends, or its parent dies, it kills the browser's whole process group, reaps every descendant (a killed
browser's children would otherwise be left to process 1, which in a container often reaps nobody), removes the
profile folder, and exits.
"""

import contextlib
import ctypes
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000


def adopt_orphans() -> None:
    """Make this process the parent of every orphaned descendant (Linux only; elsewhere process 1 reaps)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def leave_the_network() -> bool:
    """Go where there is no network but an idle loopback: this process, and all that it starts. Linux only.

    A root may do so as it is, anybody else in a user namespace of its own, in which it stays the same user.
    False where the system allows neither.
    """
    if sys.platform != "linux":
        return False
    unshare = ctypes.CDLL(None).unshare
    if unshare(CLONE_NEWNET) == 0:
        return True
    user, group = os.getuid(), os.getgid()
    if unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
        return False
    for name, line in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        Path("/proc/self", name).write_text(line)
    return True


def start(
    read_fd: int, write_fd: int, command: list[str], profile: str, user: int | None
) -> subprocess.Popen[bytes]:
    """Start the browser with the pipe on descriptors 3 and 4, an environment without the host's secrets, in
    its own session, as `user` and in no group of ours.
    """
    if user is not None:
        os.chown(profile, user, user)
    high = [os.dup(read_fd), os.dup(write_fd)]
    while min(high) <= 4:
        high = [os.dup(fd) for fd in high]
    os.dup2(high[0], 3)
    os.dup2(high[1], 4)
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": profile,
        "TMPDIR": profile,
        "LANG": "C.UTF-8",
        "TZ": "UTC",
    }
    browser = subprocess.Popen(
        [*command, f"--user-data-dir={profile}/profile"],
        pass_fds=(3, 4),
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        user=user,
        group=user,
        extra_groups=None if user is None else [],
    )
    for fd in {3, 4, read_fd, write_fd, *high}:
        with contextlib.suppress(OSError):
            os.close(fd)
    return browser


def wait_for_the_end(browser: subprocess.Popen[bytes], parent: int) -> None:
    """Return when the browser has exited, our input has ended, or our parent is gone."""
    while browser.poll() is None and os.getppid() == parent:
        readable, _, _ = select.select([sys.stdin], [], [], 0.5)
        if readable and not os.read(0, 1):
            return


def descendants() -> Iterator[int]:
    """The direct children of this process: with orphans adopted, whatever is left of the browser."""
    for task in Path("/proc/self/task").glob("*/children"):
        yield from (int(pid) for pid in task.read_text().split())


def reap(browser: subprocess.Popen[bytes]) -> None:
    """Kill the browser's group and everything that escaped from it, and wait for all of them."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(browser.pid, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        for pid in descendants():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            time.sleep(0.01)


def main(arguments: list[str]) -> None:
    if arguments == ["leave-the-network"]:
        sys.exit(not leave_the_network())
    read_fd, write_fd, folder, user, *command = arguments
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    adopt_orphans()
    leave_the_network()
    profile = tempfile.mkdtemp(prefix="salon-chromium-", dir=folder)
    browser = start(int(read_fd), int(write_fd), command, profile, None if user == "-" else int(user))
    try:
        wait_for_the_end(browser, os.getppid())
    finally:
        reap(browser)
        shutil.rmtree(profile, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
