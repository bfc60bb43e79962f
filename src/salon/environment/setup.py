"""What `salon setup` does: find Chromium and the drawing libraries, install what can be, explain the rest.

Nothing is done twice: what is already there is named and left alone.
"""

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from salon.errors import SetupError
from salon.installed import (
    find_chromium,
    libraries_home,
    lock_folder,
    node_modules,
    pinned_libraries,
    stale_libraries,
)

if TYPE_CHECKING:
    from rich.console import Console

Command = tuple[str, ...]

PLAYWRIGHT = (sys.executable, "-m", "playwright")
NPM_CI = ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
APT_INSTALL = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "--no-install-recommends")


@dataclass(frozen=True, slots=True)
class Plan:
    """How to get something: commands that can run now (in `folder`), or else what to tell the user."""

    commands: tuple[Command, ...] = ()
    explanation: str = ""
    folder: Path | None = None


def set_up(console: "Console", explain: bool = False) -> bool:
    """Install what is missing; with `explain`, only say how.

    Returns:
        True when everything is there at the end.

    Raises:
        SetupError: an installation was tried and failed; the message carries its last lines.
    """
    chromium = _chromium(console, explain)
    return _libraries(console, explain) and chromium


def _chromium(console: "Console", explain: bool) -> bool:
    found = find_chromium()
    if found is None:
        _carry_out(chromium_plan(), "Chromium", console, explain)
        found = find_chromium()
    if found is not None:
        console.print(f"Chromium: {found}", highlight=False)
    return found is not None


def _libraries(console: "Console", explain: bool) -> bool:
    if wrong := stale_libraries():
        if not explain:
            _copy_lock()
        _carry_out(libraries_plan(), " and ".join(wrong), console, explain)
        wrong = stale_libraries()
    if not wrong:
        names = ", ".join(f"{name} {version}" for name, version in pinned_libraries().items())
        console.print(f"drawing libraries: {names} in {node_modules()}", highlight=False)
    return not wrong


def _carry_out(plan: Plan, what: str, console: "Console", explain: bool) -> None:
    if not plan.commands:
        console.print(f"{what}: missing. {plan.explanation}", highlight=False)
        return
    for command in plan.commands:
        shown = " ".join(command)
        console.print(f"{what}: missing; {'would run' if explain else 'running'} {shown}", highlight=False)
        if not explain:
            run(command, plan.folder)


def run(command: Command, folder: Path | None) -> None:
    """Run `command` without a terminal; raise SetupError with its last lines when it fails."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise SetupError(f"`{' '.join(command)}` cannot be started: {error}") from error
    if done.returncode != 0:
        last = "\n".join(done.stdout.strip().splitlines()[-8:])
        raise SetupError(f"`{' '.join(command)}` failed with exit code {done.returncode}:\n{last}")


def chromium_plan() -> Plan:
    """How this machine gets a Chromium: apt on Debian, Playwright's own build on Ubuntu, advice elsewhere."""
    root = root_prefix()
    distribution = _distribution()
    if "ubuntu" in distribution and root is not None:
        # Ubuntu's own chromium package is a snap, which neither containers nor a sandboxed profile can use.
        fetch = (*PLAYWRIGHT, "install", "chromium")
        return Plan((*_get_playwright(), (*root, *PLAYWRIGHT, "install-deps", "chromium"), fetch))
    if "debian" in distribution and root is not None:
        return Plan(((*root, "apt-get", "update"), (*root, *APT_INSTALL, "chromium")))
    return Plan(explanation=_chromium_advice(distribution))


def _get_playwright() -> tuple[Command, ...]:
    """Playwright is an extra: it is only asked where to get a Chromium."""
    if importlib.util.find_spec("playwright") is not None:
        return ()
    return ((sys.executable, "-m", "pip", "install", "--quiet", "playwright"),)


def _chromium_advice(distribution: str) -> str:
    named = "Or name one that is installed elsewhere: export SALON_CHROMIUM=/path/to/chromium."
    get = "".join(f"{' '.join(command)} && " for command in _get_playwright())
    own = f"Or let Playwright fetch one for you: {get}{' '.join(PLAYWRIGHT)} install chromium."
    if platform.system() == "Darwin":
        first = "Install Google Chrome, or run: brew install --cask chromium."
    elif "debian" in distribution and "ubuntu" not in distribution:
        first = "Run: sudo apt-get install chromium."
    elif "ubuntu" in distribution:
        first = f"Run: {get}sudo {' '.join(PLAYWRIGHT)} install-deps chromium, and then the next command."
    else:
        first = "Install chromium with your system's package manager."
    return f"{first} {own} {named}"


def _distribution() -> str:
    """ID and ID_LIKE of /etc/os-release, such as "ubuntu debian"; "" where there is none."""
    if platform.system() != "Linux":
        return ""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return ""
    return f"{release.get('ID', '')} {release.get('ID_LIKE', '')}".strip()


def root_prefix() -> Command | None:
    """() as root, ("sudo", "-n") where sudo asks for no password, None where neither holds."""
    if os.name != "posix":
        return None
    if os.geteuid() == 0:
        return ()
    if shutil.which("sudo") is None:
        return None
    sudo = ("sudo", "-n")
    allowed = subprocess.run((*sudo, "true"), stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return sudo if allowed.returncode == 0 else None


def libraries_plan() -> Plan:
    """npm, in the checkout or in the user's data folder, from the lock file that pins every hash."""
    folder = libraries_home()
    if named := os.environ.get("SALON_NODE_MODULES"):
        return Plan(explanation=f"SALON_NODE_MODULES={named} does not hold them: correct or unset it.")
    if shutil.which("npm") is not None:
        return Plan((NPM_CI,), folder=folder)
    root = root_prefix()
    if "debian" in _distribution() and root is not None:
        return Plan(((*root, "apt-get", "update"), (*root, *APT_INSTALL, "npm"), NPM_CI), folder=folder)
    return Plan(explanation="npm installs them, and it was not found: install Node.js 18 or later with npm.")


def _copy_lock() -> None:
    """Outside a checkout, put the lock file that came with the package where npm will read it."""
    home, source = libraries_home(), lock_folder()
    if home == source:
        return
    home.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(source / name, home / name)
