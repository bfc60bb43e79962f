"""One HTML file out of a run: it opens offline, loads nothing, and runs nothing that a model wrote."""

import base64
import hashlib
from importlib.resources import files
from pathlib import Path
from string import Template

from salon.markup import Html, join
from salon.store.runs import Run, write_atomic

from .closing import colophon, failures, rooms
from .cover import cover
from .curves import curves, time_spent
from .facts import ReportData, gather
from .gallery import gallery
from .markup import json_block
from .sheet import pair_data, sheet
from .thumbnails import Thumbnails

LARGEST = 14_500_000
PLATE = '<dialog id="plate" aria-label="One answer, closely"><div id="plate-body"></div></dialog>'
NAMES = {
    "pairs": "Before and after",
    "curves": "How it learned",
    "gallery": "The gallery",
    "time": "Time",
    "failures": "Failures",
    "colophon": "Colophon",
}


def build_report(run: Run, out: Path | None = None) -> Path:
    """Write the run's report as one self-contained HTML file of at most about 15 MB.

    Pictures are inside it, small; of a long run, evenly chosen steps. A content security policy in the page
    allows its own script and styles, by their hashes, and inline pictures, and nothing else.

    Args:
        run: the run; a run that is still going on can be read as well.
        out: the file to write; `report.html` in the run's folder by default.

    Returns:
        The file's path.
    """
    place = out or run.path / "report.html"
    write_atomic(place, page(gather(run), Thumbnails(run)).encode("utf-8"))
    return place


def page(facts: ReportData, thumbnails: Thumbnails) -> str:
    """The whole page as text."""
    before = [cover(facts, thumbnails), sheet(facts, thumbnails), curves(facts, thumbnails)]
    pairs = pair_data(facts)
    spent = sum(len(part or "") for part in before) + len(json_block("pairs-data", pairs))
    shown = gallery(facts, thumbnails, LARGEST - spent)
    left_out = shown.pop("left_out")
    after = [rooms(facts, left_out), time_spent(facts), failures(facts), colophon(facts)]
    data = join([json_block("gallery-data", shown), json_block("pairs-data", pairs)])
    return _fill(facts.title, [part for part in (*before, *after) if part], data)


def _fill(title: str, parts: list[Html], data: Html) -> str:
    style, script = asset("report.css"), asset("report.js")
    policy = (
        f"default-src 'none'; img-src data:; style-src '{digest(style)}'; script-src '{digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    contents = [part.split('id="', 1)[1].split('"', 1)[0] for part in parts if part.startswith("<section")]
    links = Html("".join(f'<li><a href="#{anchor}">{NAMES[anchor]}</a></li>' for anchor in contents))
    return Template(asset("page.html")).substitute(
        policy=policy,
        title=join(title),
        style=style,
        contents=links,
        cover=parts[0],
        body=join(parts[1:]),
        after=f"{PLATE}\n{data}\n<script>{script}</script>",
    )


def asset(name: str) -> str:
    """A file that ships with the report, as text."""
    return (files("salon.report") / name).read_text("utf-8")


def digest(text: str) -> str:
    """How a content security policy names a style or a script that is allowed."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
