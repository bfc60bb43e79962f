"""Keeps one Chromium: a process of its own that starts the browser, and leaves nothing behind.

Run as a script, with the standard library only: `browser_supervisor.py READ_FD WRITE_FD PROFILE_PARENT USER
NETWORK MEMORY_MB chromium arguments…`. The two descriptors become the browser's 3 and 4 (its remote-debugging
pipe); USER is the number of the user it runs as, or "-" for ours; NETWORK is "none" (a namespace without
one), "refused" (the system refuses every socket but local ones) or "host", and `browser_supervisor.py try
WHICH` tells by its exit status whether it can be that; MEMORY_MB is what the browser's processes may hold
together (0 for anything; Linux only). When they hold more, when the supervisor's standard input ends, or its
parent dies, it kills the browser's whole process group, reaps every descendant (a killed browser's children
would otherwise be left to process 1, which in a container often reaps nobody), removes the profile folder,
and exits, with the status OVER_MEMORY where that was why.
"""

import contextlib
import ctypes
import errno
import os
import platform
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

OVER_MEMORY = 12
WATCH_S = 0.25
PR_SET_CHILD_SUBREAPER = 36
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
SECCOMP_ALLOW, SECCOMP_EACCES = 0x7FFF0000, 0x00050000 | errno.EACCES
BPF_LOAD, BPF_IS, BPF_FROM, BPF_RETURN = 0x20, 0x15, 0x35, 0x06
AUDIT_ARCH_AND_SOCKET = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
IO_URING_SETUP, X32_CALLS = 425, 0x40000000
AF_UNIX, AF_NETLINK = 1, 16


def adopt_orphans() -> None:
    """Make this process the parent of every orphaned descendant (Linux only; elsewhere process 1 reaps)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def leave_the_network() -> None:
    """Go where there is no network but an idle loopback: this process, and all that it starts. Linux only.

    A root may do so as it is, anybody else in a user namespace of its own, in which it stays the same user.

    Raises:
        OSError: the system does not allow it; this process may be of no more use then.
    """
    if sys.platform != "linux":
        raise OSError("only Linux has network namespaces")
    unshare = ctypes.CDLL(None).unshare
    if unshare(CLONE_NEWNET) == 0:
        return
    user, group = os.getuid(), os.getgid()  # Inside they are nobody's until they are mapped.
    if unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
        raise PermissionError("no network namespace")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def refuse_sockets() -> None:
    """Have the system refuse every socket that is not local to this machine's processes (Unix, netlink): to
    this process, and to all that it starts. Linux on x86-64 and aarch64; needs no privilege, and takes the
    possibility to gain one.

    Raises:
        OSError: the system does not allow it.
    """
    if sys.platform != "linux" or platform.machine() not in AUDIT_ARCH_AND_SOCKET:
        raise OSError("no filter for this system")
    arch, socket_call = AUDIT_ARCH_AND_SOCKET[platform.machine()]
    # Each: code, steps to jump where it holds, where not, a number. The call's number is at 0 of what is
    # looked at, the architecture at 4, the first argument at 16. io_uring opens sockets by a way of its own.
    allow, refuse = 9, 10
    program = [
        (BPF_LOAD, 0, 0, 4),
        (BPF_IS, 0, refuse - 2, arch),
        (BPF_LOAD, 0, 0, 0),
        (BPF_FROM, refuse - 4, 0, X32_CALLS),
        (BPF_IS, refuse - 5, 0, IO_URING_SETUP),
        (BPF_IS, 0, allow - 6, socket_call),
        (BPF_LOAD, 0, 0, 16),
        (BPF_IS, allow - 8, 0, AF_UNIX),
        (BPF_IS, 0, refuse - 9, AF_NETLINK),
        (BPF_RETURN, 0, 0, SECCOMP_ALLOW),
        (BPF_RETURN, 0, 0, SECCOMP_EACCES),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *each) for each in program))
    whole = ctypes.create_string_buffer(struct.pack("HP", len(program), ctypes.addressof(code)))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    arguments = [ctypes.c_ulong(ctypes.addressof(whole)), ctypes.c_ulong(0), ctypes.c_ulong(0)]
    nothing = [ctypes.c_ulong(0)] * 3
    if prctl(PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1), *nothing) != 0:
        raise OSError(ctypes.get_errno(), "no_new_privs is refused")
    if prctl(PR_SET_SECCOMP, ctypes.c_ulong(SECCOMP_MODE_FILTER), *arguments) != 0:
        raise OSError(ctypes.get_errno(), "a filter is refused")


def try_to_refuse_sockets() -> bool:
    """Whether sockets can be refused, and Chromium can still make its own sandbox, which must then be by user
    namespaces: a root's Chromium has none. Tried in a process that ends afterwards.
    """
    try:
        refuse_sockets()
    except OSError:
        return False
    return os.geteuid() == 0 or ctypes.CDLL(None).unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0


def try_to_leave_the_network() -> bool:
    """Whether it can be left, and Chromium can still make its own sandbox from there. Tried in a process that
    ends afterwards.
    """
    try:
        leave_the_network()
    except OSError:
        return False
    nested = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET
    return os.geteuid() == 0 or ctypes.CDLL(None).unshare(nested) == 0


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


def wait_for_the_end(browser: subprocess.Popen[bytes], parent: int, memory_mb: float) -> bool:
    """Return when the browser has exited, our input has ended, or our parent is gone (false), or when the
    browser holds more than it may (true).
    """
    while browser.poll() is None and os.getppid() == parent:
        readable, _, _ = select.select([sys.stdin], [], [], WATCH_S)
        if readable and not os.read(0, 1):
            return False
        if memory_mb and held_mb(browser.pid) > memory_mb:
            return True
    return False


def held_mb(browser: int) -> float:
    """What a process and all below it hold that is theirs: anonymous pages, and shared memory once."""
    own = shared = 0
    for process in tree(browser):
        with contextlib.suppress(OSError):
            lines = (process / "status").read_text().splitlines()
            kb = {line.split(":")[0]: int(line.split()[1]) for line in lines if line.startswith("Rss")}
            own += kb.get("RssAnon", 0)
            shared = max(shared, kb.get("RssShmem", 0))
    return (own + shared) / 1024


def tree(pid: int) -> Iterator[Path]:
    """The /proc folders of a process and of all that its main thread, and theirs, started."""
    waiting = [pid]
    while waiting:
        process = Path(f"/proc/{waiting.pop()}")
        with contextlib.suppress(OSError):
            waiting += map(int, (process / "task" / process.name / "children").read_text().split())
            yield process


def child_pids() -> Iterator[int]:
    """The direct children of this process: with orphans adopted, whatever is left of the browser."""
    for task in Path("/proc/self/task").glob("*/children"):
        yield from (int(pid) for pid in task.read_text().split())


def reap(browser: subprocess.Popen[bytes]) -> None:
    """Kill the browser's group and everything that escaped from it, and wait for all of them."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(browser.pid, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        for pid in child_pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            time.sleep(0.01)


def main(arguments: list[str]) -> None:
    if arguments[0] == "try":
        sys.exit(not {"none": try_to_leave_the_network, "refused": try_to_refuse_sockets}[arguments[1]]())
    read_fd, write_fd, folder, user, network, memory_mb, *command = arguments
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    adopt_orphans()
    if network == "none":
        leave_the_network()
    elif network == "refused":
        refuse_sockets()
    profile = tempfile.mkdtemp(prefix="salon-chromium-", dir=folder)
    browser = start(int(read_fd), int(write_fd), command, profile, None if user == "-" else int(user))
    over = False
    try:
        over = wait_for_the_end(browser, os.getppid(), float(memory_mb))
    finally:
        reap(browser)
        shutil.rmtree(profile, ignore_errors=True)
    sys.exit(OVER_MEMORY if over else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
