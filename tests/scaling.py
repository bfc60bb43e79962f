"""Gives scanners texts on which a careless one works for the square of their length. Run as a child process:
`scaling.py NAME SIZE`. It is ended at the first text that takes more than its share of the processor's time,
whatever else the machine does, and has told which one that is.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from hostile import MARKUP, REPLIES, SCRIPT, repeated

SECONDS_EACH = 3
"""Of the processor, for one text; a linear scanner takes less than one."""

SETUP = "function setup() { createCanvas(9, 9, WEBGL); brush.circle(1, 1, 1);\n"


Texts = Iterator[tuple[Callable[[str], object], str]]


def sketches(size: int) -> Texts:
    from salon.media.check import check_sketch, uses_brush

    def read(source: str) -> object:
        return check_sketch(source, "watercolour"), uses_brush(source)

    for index, text in enumerate(repeated(SCRIPT, size)):
        around = (text, f"{SETUP}{text}}}", f"{SETUP}a={text}", f"{SETUP}a='{text}'}}")
        yield read, around[index % len(around)]


def replies(size: int) -> Texts:
    from salon.media.extract import extract_sketch, extract_svg

    for index, text in enumerate(repeated(SCRIPT + MARKUP + REPLIES, size)):
        around = (text, f"```js\n{text}", f"so:\n{text}\nbrush.x", f"<svg {text}")
        yield (extract_svg if index % len(around) == 3 else extract_sketch), around[index % len(around)]


def svgs(size: int) -> Texts:
    from salon.media.svg_check import sanitize

    def read(source: str) -> object:
        return sanitize(source, (64, 64), ["Aileron"])

    for index, text in enumerate(repeated(MARKUP, size)):
        safe = text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
        around = (
            text,
            f"<svg>{text}</svg>",
            f"<svg {text}><rect/></svg>",
            f"<svg><style>{safe}</style><rect/></svg>",
            f'<svg><path d="M0 0L999 0{safe}"/></svg>',
            f'<svg><path d="M0 0L999 0A{safe}"/></svg>',
            f'<svg><rect x="999" fill="{safe}"/></svg>',
            f'<svg><rect x="999" style="{safe}"/></svg>',
            f'<svg viewBox="{safe}" width="{safe}"><rect transform="{safe}" x="{safe}999"/></svg>',
            f'<svg><polygon points="{safe}"/><text font-family="{safe}">a</text></svg>',
        )
        yield read, around[index % len(around)]
        yield read, around[(index * 7 + 3) % len(around)]


SETS = {"sketches": sketches, "replies": replies, "svgs": svgs}


def run(name: str, size: int) -> subprocess.CompletedProcess[str]:
    """The child process with one set of texts, ended with all that it has done."""
    command = [sys.executable, __file__, name, str(size)]
    return subprocess.run(command, capture_output=True, text=True, timeout=500, cwd=Path(__file__).parent)


def main(name: str, size: int) -> None:
    for count, (read, text) in enumerate(SETS[name](size)):
        print(f"{count}: {text[:60]!a} … {text[-20:]!a}, {len(text)} characters", flush=True)
        used = int(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (used + SECONDS_EACH, resource.RLIM_INFINITY))
        read(text)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
