"""Where the things that pip does not install are: Chromium, and the JavaScript libraries that npm installs;
and the command by which pip adds one of salon's extras.

`salon setup` puts them there, the browser medium uses them, and `salon doctor` looks after them.
"""

import json
import os
import platform
import shutil
from pathlib import Path

from salon.errors import SetupError

LIBRARIES = ("p5", "p5.brush")
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
MAC_PATHS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
PLAYWRIGHT_BUILDS = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
    "chromium-*/chrome-win*/chrome.exe",
)


def find_chromium() -> Path | None:
    """The Chromium to draw with: SALON_CHROMIUM, the system's, Chrome on macOS, Playwright's own, or None.

    Raises:
        SetupError: SALON_CHROMIUM names a file that is not there or cannot be executed.
    """
    if named := os.environ.get("SALON_CHROMIUM"):
        if not os.access(named, os.X_OK) or not Path(named).is_file():
            raise SetupError(f"SALON_CHROMIUM={named} is not an executable file; correct or unset it")
        return Path(named)
    on_path = (shutil.which(name) for name in CHROMIUM_NAMES)
    candidates = [Path(path) for path in on_path if path]
    if platform.system() == "Darwin":
        candidates += [Path(path) for path in MAC_PATHS if Path(path).is_file()]
    return next(iter(candidates), None) or _playwright_build()


def _playwright_build() -> Path | None:
    builds = [
        path for pattern in PLAYWRIGHT_BUILDS for path in _playwright_folder().glob(pattern) if path.is_file()
    ]
    return max(builds, default=None, key=lambda path: path.stat().st_mtime)


def _playwright_folder() -> Path:
    if named := os.environ.get("PLAYWRIGHT_BROWSERS_PATH"):
        return Path(named)
    if platform.system() == "Darwin":
        return Path.home() / "Library/Caches/ms-playwright"
    if platform.system() == "Windows":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "ms-playwright"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ms-playwright"


def libraries_home() -> Path:
    """The folder whose node_modules holds the drawing libraries: the checkout, or the user's data folder."""
    return checkout() or user_data_folder()


def checkout() -> Path | None:
    """The checkout that salon runs from; None where it was installed from a wheel."""
    folder = Path(__file__).resolve().parents[2]
    files = ("package-lock.json", "pyproject.toml")
    return folder if all((folder / name).is_file() for name in files) else None


def install_command(extra: str) -> str:
    """The command that adds an extra, such as train: from the checkout, or beside what a wheel brought."""
    folder = checkout()
    if folder is None:
        return f"pip install 'salon[{extra}]'"
    place = "." if folder == Path(os.curdir).resolve() else folder
    return f"pip install -e '{place}[{extra}]'"


def node_modules() -> Path:
    """The npm folder: SALON_NODE_MODULES where it is set, else the one below `libraries_home`."""
    named = os.environ.get("SALON_NODE_MODULES")
    return Path(named) if named else libraries_home() / "node_modules"


def user_data_folder() -> Path:
    """Where salon keeps what is installed for one user."""
    if platform.system() == "Darwin":
        return Path.home() / "Library/Application Support/salon"
    if platform.system() == "Windows":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "salon"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "salon"


def lock_folder() -> Path:
    """The folder whose package.json and package-lock.json pin the libraries: a checkout's or a wheel's."""
    home = libraries_home()
    return home if (home / "pyproject.toml").is_file() else Path(__file__).with_name("data") / "npm"


def pinned_libraries() -> dict[str, str]:
    """Name and version of each drawing library, from the lock file.

    Raises:
        SetupError: the lock file is missing or damaged.
    """
    file = lock_folder() / "package-lock.json"
    try:
        packages = json.loads(file.read_text(encoding="utf-8"))["packages"]
        return {name: str(packages[f"node_modules/{name}"]["version"]) for name in LIBRARIES}
    except (OSError, ValueError, KeyError) as error:
        raise SetupError(
            f"{file} cannot be read ({error}); install salon again, or restore the file"
        ) from error


def installed_library(name: str) -> str | None:
    """The version of a drawing library that is installed, or None."""
    try:
        file = node_modules() / name / "package.json"
        return str(json.loads(file.read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, KeyError):
        return None


def stale_libraries() -> list[str]:
    """The drawing libraries that are missing, or not in the pinned version."""
    return [
        f"{name} {version}"
        for name, version in pinned_libraries().items()
        if installed_library(name) != version
    ]
