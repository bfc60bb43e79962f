"""What `salon doctor` finds: one check per thing that can be missing, each with its remedy.

A check is "ok", "absent" (something optional is not there: named, and no error) or "broken" (salon cannot
draw, judge or train with the parts it ships until it is put right).
"""

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from salon.errors import SalonError, SetupError, boundary
from salon.installed import find_chromium, install_command, installed_library, pinned_libraries

if TYPE_CHECKING:
    from rich.console import Console

State = Literal["ok", "absent", "broken"]

CORE = (
    "numpy",
    "pillow",
    "polars",
    "pydantic",
    "tree-sitter",
    "tree-sitter-javascript",
    "resvg-py",
)
TRAINING = ("torch", "transformers", "trl", "peft", "accelerate", "datasets")
SETUP = "run: salon setup"
MIN_FREE_GB = 2.0


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at; `remedy` is empty when it is fine."""

    name: str
    state: State
    detail: str
    remedy: str = ""


def examine(paint: bool = False) -> list[Check]:
    """Look at everything salon can use on this machine.

    Args:
        paint: also open the browser, paint its golden sketch and look for a GPU (a few seconds).
    """
    chromium = _chromium()
    checks = [_python(), _machine(), _disk(), chromium, *([_network()] if chromium.state == "ok" else [])]
    checks += [*_node(), *_libraries()]
    checks += [*_packages(), _svg(), _ocr(), _training(), *_shipped()]
    if paint:
        checks += [_golden(), _gpu()]
    return checks


def to_json(checks: Sequence[Check]) -> str:
    """The checks as a JSON list of objects with name, state, detail and remedy."""
    return json.dumps([asdict(check) for check in checks], indent=2, ensure_ascii=False)


def show(checks: Sequence[Check], console: "Console") -> None:
    """Print the checks as a table, and each remedy on the row that needs it."""
    from rich.table import Table
    from rich.text import Text

    marks = {"ok": ("✓", "green"), "absent": ("-", "yellow"), "broken": ("✗", "red")}
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for check in checks:
        mark, style = marks[check.state]
        detail = f"{check.detail}\n→ {check.remedy}" if check.remedy else check.detail
        table.add_row(Text(mark, style=style), Text(check.name), Text(detail))
    console.print(table)


def _python() -> Check:
    return Check("python", "ok", f"{platform.python_version()} at {sys.executable}")


def _machine() -> Check:
    cores = os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0)) if sys.platform == "linux" else cores
    return Check("machine", "ok", f"{platform.system()} {platform.machine()}, {usable} of {cores} cores")


def _disk() -> Check:
    free = shutil.disk_usage(Path.cwd()).free / 1e9
    if free < MIN_FREE_GB:
        return Check("disk", "broken", f"{free:.1f} GB free here", f"make {MIN_FREE_GB:.0f} GB of room")
    return Check("disk", "ok", f"{free:.0f} GB free here")


def _chromium() -> Check:
    try:
        found = find_chromium()
    except SalonError as error:
        return Check("chromium", "broken", "SALON_CHROMIUM is wrong", str(error))
    if found is None:
        return Check("chromium", "broken", "not found", SETUP)
    version = _answer(str(found), "--version")
    if version is None:
        return Check(
            "chromium", "broken", f"{found} does not start", f"run {found} --version and see; then {SETUP}"
        )
    return Check("chromium", "ok", f"{version} at {found}; {_sandbox()}")


def _sandbox() -> str:
    from salon.media.p5.chromium import network_of_browser, user_of_browser

    network = {
        "none": "without a network",
        "refused": "where the system refuses it every socket",
        "host": "and refuses every connection itself",
    }[network_of_browser()]
    if sys.platform != "linux" or os.geteuid() != 0:
        return f"runs in its own process sandbox, {network}"
    if user_of_browser() is not None:
        return f"runs as nobody, in its own process sandbox, {network}"
    return f"runs as root and without its own process sandbox, which nobody cannot start here, {network}"


def _network() -> Check:
    """Whether a sketch could reach the network: tried, where there is no network namespace to shut it in."""
    from salon.media.p5.chromium import network_of_browser
    from salon.media.p5.network_check import ALLOWED, kept_leaks

    if network_of_browser() == "none":
        return Check("network", "ok", "sketches run in a network namespace without one")
    try:
        leaks = kept_leaks()
    except SalonError as error:
        return Check("network", "broken", "cannot be tried", str(error))
    if not leaks:
        return Check("network", "ok", "no network namespace here; all that a page tried was held back")
    told = f"no network namespace here, and a page got out by {', '.join(leaks)}"
    if os.environ.get(ALLOWED) == "host":
        return Check("network", "absent", f"{told}; {ALLOWED}=host allows it", f"unset {ALLOWED}")
    return Check(
        "network",
        "broken",
        f"{told}: sketches are not rendered",
        f"allow unprivileged user namespaces (in a container: unshare), or set {ALLOWED}=host",
    )


def _node() -> Iterator[Check]:
    for name in ("node", "npm"):
        version = _answer(name, "--version")
        if version is None:
            yield Check(name, "absent", "not found", "only salon setup needs it: install Node.js 18 or later")
        else:
            yield Check(name, "ok", version)


def _libraries() -> Iterator[Check]:
    try:
        pinned = pinned_libraries()
    except SalonError as error:
        yield Check("drawing libraries", "broken", "their lock file cannot be read", str(error))
        return
    for name, version in pinned.items():
        installed = installed_library(name)
        if installed == version:
            yield Check(name, "ok", version)
        else:
            yield Check(name, "broken", f"{installed or 'not installed'}; pinned is {version}", SETUP)


def _packages() -> Iterator[Check]:
    missing = [name for name in CORE if version_of(name) is None]
    if missing:
        yield Check(
            "libraries",
            "broken",
            f"without {', '.join(missing)}",
            "install salon again (in a checkout: make setup)",
        )
    else:
        yield Check("libraries", "ok", _versions(CORE))
    if (version := version_of("onnxruntime")) is None:
        yield Check(
            "onnxruntime", "broken", "not installed: the learned judge needs it", "pip install onnxruntime"
        )
    else:
        yield Check("onnxruntime", "ok", version)


def _svg() -> Check:
    if (fast := version_of("svg2png-py")) is not None:
        return Check("svg", "ok", f"svg2png-py {fast}")
    slow = version_of("resvg-py") or "not installed"
    return Check("svg", "absent", f"drawn by resvg-py {slow}, a tenth as fast", install_command("svg"))


def _ocr() -> Check:
    if (version := version_of("rapidocr")) is not None:
        return Check("ocr", "ok", f"rapidocr {version}")
    return Check("ocr", "absent", "text in pictures cannot be read", install_command("ocr"))


def _training() -> Check:
    missing = [name for name in TRAINING if version_of(name) is None]
    if missing:
        remedy = f"to train: {install_command('train')}"
        return Check("training", "absent", f"without {', '.join(missing)}", remedy)
    return Check("training", "ok", _versions(TRAINING))


def _versions(names: Iterable[str]) -> str:
    return ", ".join(f"{name} {version_of(name)}" for name in names)


def version_of(name: str) -> str | None:
    """The installed version of a Python package, without importing it; None when it is not there."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _answer(*command: str) -> str | None:
    """The first line a program prints, or None when it is missing or fails."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return next(iter(done.stdout.strip().splitlines()), "").strip()


def _shipped() -> Iterator[Check]:
    """The parts that come inside the package: the sketcher, the pool and the judge."""
    yield _attempt("sketcher", _sketcher)
    yield _attempt("pool", _pool)
    yield _attempt("judge", _judge)


def _attempt(name: str, look: Callable[[], str]) -> Check:
    """Run `look`; whatever it raises becomes a broken check with the error as its remedy."""
    try:
        with boundary("doctor") as caught:
            return Check(name, "ok", look())
    except SalonError as error:
        return Check(name, "broken", "cannot be loaded", str(error))
    message = caught.failure.message if caught.failure else ""
    return Check(name, "broken", "cannot be loaded", f"{message}; install salon again")


def _sketcher() -> str:
    folder = Path(__file__).parents[1] / "data" / "sketcher"
    weights = folder / "model.safetensors"
    if not weights.is_file():
        raise SetupError(f"{weights} is missing; train one with: salon sft recipes/sketcher-sft.yaml")
    return f"{weights.stat().st_size / 1e6:.1f} MB of weights"


def _pool() -> str:
    from salon.pool import Pool

    pool = Pool.load("flowers")
    return f"flowers, {len(pool.items)} rated pictures"


def _judge() -> str:
    from salon.judges.learned.taste import TasteJudge

    return TasteJudge.load("taste").identity


def _golden() -> Check:
    def look() -> str:
        from salon.media.p5.health import check_health

        return str(check_health())

    return _attempt("painting", look)


def _gpu() -> Check:
    def look() -> str:
        from salon.media.p5.gpu import choose_backend, find_gpu

        backend = choose_backend("auto")
        if not backend:
            return "none that Chromium draws on: sketches are painted in software"
        return f"{find_gpu(backend)}, not used unless a medium says gpu: auto"

    return _attempt("gpu", look)
