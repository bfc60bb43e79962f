"""One Chromium process, spoken to over its remote-debugging pipe (the DevTools protocol), with no socket and
no driver between.

A `Browser` belongs to one thread. Nothing waits for ever: every call has a deadline, and what overruns it is
ended by killing the browser's whole process group from outside (see browser_supervisor.py).
"""

import contextlib
import itertools
import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from salon.errors import SetupError
from salon.installed import find_chromium

from .browser_supervisor import OVER_MEMORY, tree

Event = Mapping[str, Any]
Handler = Callable[[str, Event], None]
Steps = Generator[tuple[str, str, dict[str, Any]], Event, None]
"""Commands to send one after another: yields (method, session, params) and is sent each one's result."""

FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-extensions",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-dev-shm-usage",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-ipc-flooding-protection",
    "--disable-hang-monitor",
    "--disable-popup-blocking=false",
    "--block-new-web-contents",
    "--password-store=basic",
    "--use-mock-keychain",
    "--mute-audio",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,SpareRendererForSitePerProcess,"
    "InterestFeedContentSuggestions,CalculateNativeWinOcclusion",
    # Pixels: 2D canvases on the CPU (the guard makes them half floats), WebGL through ANGLE.
    "--disable-accelerated-2d-canvas",
    "--use-gl=angle",
    # How deep a sketch may recurse follows from when its functions are compiled: as they are called, and not
    #     when another thread comes to it.
    "--js-flags=--no-concurrent-recompilation",
    # A software GPU on a busy machine is slow, and not broken.
    "--disable-gpu-watchdog",
    "--disable-gpu-process-crash-limit",
    # A GPU process that ends is seen here; Chromium would refuse every later sketch its WebGL.
    "--disable-domain-blocking-for-3d-apis",
    # Network: every name fails to resolve, and every address, loopback too, goes through a proxy that has no
    #     address.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://nowhere.invalid:1",
    "--proxy-bypass-list=<-loopback>",
    # By its name of today, and by the one that older Chromiums know.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--no-pings",
)
SOFTWARE = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")
LONGEST_PARENT = 36
LONGEST_MESSAGE = 64 << 20
"""Bytes of one message; a picture of the largest canvas has 23 million at most."""
SUPERVISOR = Path(__file__).with_name("browser_supervisor.py")

AS_NOBODY = """
import ctypes, os, sys
user, program, folder = int(sys.argv[1]), *sys.argv[2:]
os.setgroups([]), os.setgid(user), os.setuid(user)
reaches = os.access(program, os.X_OK) and os.access(folder, os.W_OK | os.X_OK)
sys.exit(not reaches or ctypes.CDLL(None).unshare(0x10000000) != 0)
"""
"""Run by a root that becomes a user: is the browser within reach, may a profile be made, are there user
namespaces for a sandbox?"""


class BrowserLost(Exception):
    """The browser process has gone, or its pipe broke."""


class TargetClosed(BrowserLost):
    """The browser refuses a command: its page has gone."""


class Flooded(Exception):
    """The pages of a browser say more than anybody could want to hear."""


class OverDeadline(Exception):
    """What was waited for did not happen in time."""


def chromium_command(backend: str = "") -> list[str]:
    """The command that starts a browser for sketches, which draws WebGL in software or, through this backend
    of ANGLE, on a GPU.

    Raises:
        SetupError: there is no Chromium.
    """
    chromium = find_chromium()
    if chromium is None:
        raise SetupError("Chromium was not found: run `salon setup`, or name one in SALON_CHROMIUM")
    sandbox = [] if user_of_browser() or not _is_root() else ["--no-sandbox"]
    return [str(chromium), *FLAGS, *drawing_flags(backend), *sandbox, "about:blank"]


def drawing_flags(backend: str) -> tuple[str, ...]:
    """What makes Chromium draw WebGL in software (""), or on a GPU through ANGLE's `backend`."""
    if not backend:
        return SOFTWARE
    vulkan = ("--enable-features=Vulkan", "--disable-vulkan-surface") if backend == "vulkan" else ()
    return (f"--use-angle={backend}", "--ignore-gpu-blocklist", *vulkan)


def _is_root() -> bool:
    return os.name == "posix" and os.geteuid() == 0


def user_of_browser() -> int | None:
    """Whom a browser runs as: nobody, where we are root and that user can run it in Chromium's own sandbox,
    which refuses root, with its profile in today's temporary folder. None for ourselves.
    """
    return _nobody_at(profile_parent()) if _is_root() else None


def profile_parent() -> str:
    """Where profiles are made: the temporary folder, or /tmp where its path is too long. Chromium keeps a
    socket in there, whose whole path has at most 107 characters (103 on a Mac).
    """
    folder = tempfile.gettempdir()
    return folder if len(folder) <= LONGEST_PARENT or not Path("/tmp").is_dir() else "/tmp"


@cache
def _nobody_at(folder: str) -> int | None:
    import pwd

    try:
        nobody = pwd.getpwnam("nobody").pw_uid
    except KeyError:
        return None
    reaches = [str(nobody), str(find_chromium()), folder]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", AS_NOBODY, *reaches], capture_output=True, check=False
    )
    return nobody if done.returncode == 0 else None


def network_of_browser() -> str:
    """What a browser has of a network: "none" (a namespace without one), "refused" (the system refuses it
    every socket but local ones), or "host": Chromium alone refuses every connection.
    """
    return "none" if leaves_the_network() else "refused" if refuses_sockets() else "host"


@cache
def leaves_the_network() -> bool:
    """Whether browsers run where there is no network at all."""
    return _supervisor_can("none")


@cache
def refuses_sockets() -> bool:
    """Whether the system can refuse a browser every socket but local ones."""
    return _supervisor_can("refused")


def _supervisor_can(network: str) -> bool:
    command = [sys.executable, "-I", "-S", str(SUPERVISOR), "try", network]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


class Browser:
    """A running Chromium. Commands are numbered; events go to the handler of their session.

    `memory_mb`: what its processes may hold together; with more, it is ended. 0 for anything (and, where
    there is no /proc, always). `heard` counts the bytes of its messages.
    """

    def __init__(self, backend: str = "", memory_mb: int = 0) -> None:
        command, user = chromium_command(backend), user_of_browser()
        network = network_of_browser()
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        whom = "-" if user is None else str(user)
        arguments = [sys.executable, "-I", "-S", str(SUPERVISOR), str(theirs_in), str(theirs_out)]
        arguments += [profile_parent(), whom, network, str(memory_mb)]
        self._supervisor = subprocess.Popen(
            [*arguments, *command],
            stdin=subprocess.PIPE,
            pass_fds=(theirs_in, theirs_out),
            start_new_session=True,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._read_fd, self._write_fd = ours_in, ours_out
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._read_fd, selectors.EVENT_READ)
        self._buffer = bytearray()
        self._searched = 0
        self.heard = 0
        self._numbers = itertools.count(1)
        self._answers: dict[int, Event] = {}
        self._awaited: set[int] = set()
        self._steps: dict[int, Steps] = {}
        self._handlers: dict[str, Handler] = {}
        self._helpers: dict[bytes, int] = {}
        self._open = True

    def listen(self, session: str, handler: Handler | None) -> None:
        """Send the events of `session` ("" is the browser itself) to `handler`, or drop them from now on."""
        if handler is None:
            self._handlers.pop(session, None)
        else:
            self._handlers[session] = handler

    def send(self, method: str, session: str = "", **params: Any) -> int:
        """Send a command without waiting for its answer. Returns its number."""
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        self._write(json.dumps(message).encode() + b"\0")
        return number

    def call(
        self,
        method: str,
        session: str = "",
        *,
        deadline: float,
        unless: Callable[[], bool] = lambda: False,
        **params: Any,
    ) -> dict[str, Any]:
        """Send a command and wait for its result until `deadline` (time.monotonic()).

        Raises:
            BrowserLost: the browser has gone.
            Refused: it refuses the command (its page has gone), or `unless` came true.
            OverDeadline: no answer in time.
            Flooded: see `pump`.
        """
        number = self.send(method, session, **params)
        self._awaited.add(number)
        try:
            while number not in self._answers:
                if unless():
                    raise TargetClosed(f"{method}: there is nobody to answer")
                self.pump(deadline)
            answer = self._answers.pop(number)
        finally:
            self._awaited.discard(number)
        if "error" in answer:
            raise TargetClosed(f"{method}: {answer['error'].get('message', '')}")
        return dict(answer.get("result", {}))

    def run(self, steps: Steps, result: Event | None = None) -> None:
        """Carry out `steps` in the background: each is sent when the browser is pumped and has answered the
        one before.
        """
        try:
            method, session, params = steps.send(result) if result is not None else next(steps)
        except StopIteration:
            return
        self._steps[self.send(method, session, **params)] = steps

    def pump(self, deadline: float) -> None:
        """Handle at least one message; wait for it until `deadline`.

        Raises:
            BrowserLost, OverDeadline.
            Flooded: a message is longer than any could be.
        """
        while True:
            end = self._buffer.find(b"\0", self._searched)
            if end >= 0:
                message = _read_message(self._buffer[:end])
                del self._buffer[: end + 1]
                self._searched = 0
                self._dispatch(message)
                return
            self._searched = len(self._buffer)
            if self._searched > LONGEST_MESSAGE:
                raise Flooded
            remaining = deadline - time.monotonic()
            if remaining <= 0 or not self._selector.select(remaining):
                raise OverDeadline
            self._read()

    def alive(self) -> bool:
        """Whether its process is there."""
        return self._open and self._supervisor.poll() is None

    def over_memory(self) -> bool:
        """Whether it was ended since it held more memory than it may. Known once it is closed."""
        return self._supervisor.returncode == OVER_MEMORY

    def gpu_process(self) -> int:
        """The number of the process that draws WebGL, another one after a crash; 0 where it is not known: it
        has ended, or there is no /proc.
        """
        return self._helper(b"--type=gpu-process")

    def network_process(self) -> int:
        """The same of the process that hands a page its scripts, and loses those on their way with itself."""
        return self._helper(b"network.mojom.NetworkService")

    def _helper(self, kind: bytes) -> int:
        known = self._helpers.get(kind, 0)
        if not known or not _is(kind, Path(f"/proc/{known}")):
            helpers = (int(process.name) for process in self._processes() if _is(kind, process))
            self._helpers[kind] = next(helpers, 0)
        return self._helpers[kind]

    def _processes(self) -> Iterator[Path]:
        """The /proc folders of the browser's processes, of those too that other threads began."""
        for process in tree(self._supervisor.pid):
            yield process
            for begun in of_threads(process, "children"):
                yield from (Path(f"/proc/{child}") for child in begun.split())

    def cpu_seconds(self) -> float:
        """Processor time of the browser's processes so far; 0 where there is no /proc."""
        ticks = 0
        for process in tree(self._supervisor.pid):
            with contextlib.suppress(OSError):
                fields = (process / "stat").read_text().rpartition(")")[2].split()
                ticks += sum(map(int, fields[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK") if ticks else 0.0

    def kept_waiting_seconds(self) -> float | None:
        """How long the threads of the browser's processes were ready to run so far, and had no processor;
        None where the system does not tell.
        """
        waited = list[int]()
        for process in tree(self._supervisor.pid):
            for told in of_threads(process, "schedstat"):
                with contextlib.suppress(IndexError, ValueError):
                    waited.append(int(told.split()[1]))
        return sum(waited) / 1e9 if waited else None

    def close(self) -> None:
        """Kill the browser with everything it started, and wait for its end. May be called again."""
        if not self._open:
            return
        self._open = False
        self._selector.close()
        os.close(self._read_fd)
        os.close(self._write_fd)
        if self._supervisor.stdin:
            self._supervisor.stdin.close()
        try:
            self._supervisor.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self._supervisor.kill()
            self._supervisor.wait()

    def _read(self) -> None:
        try:
            chunk = os.read(self._read_fd, 1 << 18)
        except OSError as error:
            raise BrowserLost(str(error)) from error
        if not chunk:
            raise BrowserLost("the browser closed its pipe")
        self._buffer += chunk
        self.heard += len(chunk)

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._write_fd, view) :]
        except OSError as error:
            raise BrowserLost(str(error)) from error

    def _dispatch(self, message: Event) -> None:
        if "id" in message:
            self._on_answer(message["id"], message)
            return
        method, event = message.get("method", ""), message.get("params", {})
        # That a page has gone is told to its browser.
        leaves = method == "Target.detachedFromTarget"
        handler = self._handlers.get(event.get("sessionId", "") if leaves else message.get("sessionId", ""))
        if handler:
            handler(method, event)

    def _on_answer(self, number: int, message: Event) -> None:
        if number in self._awaited:
            self._answers[number] = message
        elif number in self._steps:
            steps = self._steps.pop(number)
            if "error" in message:
                raise BrowserLost(f"a page cannot be opened: {message['error'].get('message', '')}")
            self.run(steps, message.get("result", {}))


def _read_message(data: bytearray) -> Event:
    """A message; an empty one where it cannot be read."""
    try:
        message = json.loads(data.decode("utf-8", errors="replace"))
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def of_threads(process: Path, name: str) -> Iterator[str]:
    """What a file of each of a process's threads says; nothing of those that have ended by now."""
    with contextlib.suppress(OSError):
        for thread in os.listdir(process / "task"):
            with contextlib.suppress(OSError):
                yield (process / "task" / thread / name).read_text()


def _is(kind: bytes, process: Path) -> bool:
    try:
        return kind in (process / "cmdline").read_bytes()
    except OSError:
        return False


@cache
def chromium_version() -> str:
    """The installed Chromium's version, as it prints it. Raises SetupError when there is none."""
    command = chromium_command()[0]
    done = subprocess.run([command, "--version"], capture_output=True, text=True, timeout=30, check=False)
    return done.stdout.strip() or "unknown"
