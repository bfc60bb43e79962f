"""The JavaScript that sketches are drawn with: where it is, that its versions are the pinned ones, and its
text.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from salon.errors import SetupError
from salon.installed import node_modules, pinned_libraries

from .brush import as_served

FILES = {"p5": "lib/p5.min.js", "p5.brush": "dist/p5.brush.js"}


@dataclass(frozen=True, slots=True)
class Libraries:
    """The two libraries' source text and their versions."""

    p5: str
    brush: str
    versions: tuple[tuple[str, str], ...]


@cache
def load_libraries() -> Libraries:
    """Read p5 and p5.brush.

    Raises:
        SetupError: one is missing, or of another version than the pinned one (p5 1.x beside p5.brush 2.x
            silently draws nothing).
    """
    folder, pinned = node_modules(), pinned_libraries()
    for name, version in pinned.items():
        found = _version(folder / name / "package.json")
        if found != version:
            state = f"is {found}" if found else "is missing"
            raise SetupError(f"{name} {state} in {folder}, and {version} is needed: run `salon setup`")
    texts = {name: (folder / name / file).read_text(encoding="utf-8") for name, file in FILES.items()}
    return Libraries(p5=texts["p5"], brush=as_served(texts["p5.brush"]), versions=tuple(pinned.items()))


@cache
def brush_methods() -> frozenset[str]:
    """Every name the installed p5.brush exports, read from its bundle's closing `t.name=…` assignments.

    Raises:
        SetupError: the library is not there, or its bundle has another form.
    """
    names = frozenset(re.findall(r"[{;,]t\.(\w+)=", load_libraries().brush[-6000:]))
    if not {"fill", "circle", "scaleBrushes"} <= names:
        raise SetupError("the list of p5.brush's methods cannot be read from its bundle: run `salon setup`")
    return names


def _version(file: Path) -> str | None:
    try:
        return str(json.loads(file.read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, KeyError):
        return None
