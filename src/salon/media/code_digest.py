"""Everything of this package that decides what a source becomes, so that a kept rendering never answers for
rules that have changed since.

A rendering is decided by its source and seed; by the medium's name and arguments (all but those that only
cost time: `DECIDE_NO_PIXEL`); by its `versions`, which name the libraries, the browser, the page's scripts,
a GPU and fonts; and by this package's own code: how a source is checked, what counts as blank or hidden, how
a report becomes a failure, how pixels become a PNG. The code is named by a hash of its files, which nobody
can forget to raise, with the packages that parse, draw and encode.
"""

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

MEDIA = Path(__file__).parent
PACKAGES = ("tree-sitter", "tree-sitter-javascript", "lxml", "pillow", "numpy", "svg2png-py", "resvg-py")

UNDECIDING = frozenset(
    ("__init__.py", "render_cache.py", "code_digest.py", "metrics.py", "render_samples.py", "worker_pool.py")
) | {"browser_supervisor.py", "leftovers.py", "network_check.py", "embedded.py"}
"""Files of media/ that move renderings and make none: what they do is the same whatever comes out."""


@cache
def digest_of_rules(medium: str) -> str:
    """16 hex digits that change whenever the code that decides a rendering of this medium does."""
    packages = [(package, _version(package)) for package in PACKAGES]
    return _digest([*deciding_files(medium), MEDIA.parent / "raster.py", MEDIA.parent / "types.py"], packages)


def deciding_files(medium: str, folder: Path = MEDIA) -> list[Path]:
    """The files of media/ that decide a rendering. A file that is new here decides until it is listed."""
    rooms = {"p5.brush": ("p5",), "svg": ("svg",)}.get(medium, ("p5", "svg"))
    files = [file for file in folder.glob("*.py") if file.name != "fake.py" or len(rooms) > 1]
    files += [file for room in rooms for file in (folder / room).rglob("*.py")]
    return sorted(file for file in files if file.name not in UNDECIDING)


def _digest(files: list[Path], packages: list[tuple[str, str]]) -> str:
    digest = hashlib.sha256(repr(packages).encode())
    for file in files:
        digest.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
