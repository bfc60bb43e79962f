"""`salon render`."""

import os
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from salon import terminal
from salon.errors import RecipeError
from salon.files.outputs import check_folder, check_outputs, write_atomic
from salon.markup import printable, visible

if TYPE_CHECKING:
    from .batch import Media, Row
    from .sources import Source

SHOWN_FAILURES = 20
_PICTURES = {".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif", ".svg", ".pdf"}


def render(
    sources: Annotated[
        list[str],
        typer.Argument(
            help="Sketches, SVGs or a model's whole replies; folders of them; .jsonl; - for stdin."
        ),
    ],
    out: Annotated[
        str, typer.Option("--out", "-o", help="The PNG for one source, or a folder; out.png or renders.")
    ] = "",
    size: Annotated[
        str,
        typer.Option(help="Width and height, such as 512x512; else the canvas's own, and 512x512 for SVG."),
    ] = "",
    seed: Annotated[int, typer.Option(help="Seeds all chance, where a JSON line brings no seed.")] = 0,
    medium: Annotated[
        str, typer.Option(help="p5.brush, svg, fake or module:attribute; else by each source.")
    ] = "",
    workers: Annotated[int, typer.Option(min=0, help="Browsers, or drawing processes; 0: one per core.")] = 0,
    deadline: Annotated[float, typer.Option(help="Seconds for one; 0: 60 for a sketch, 10 for SVG.")] = 0,
    frame: Annotated[int, typer.Option(min=0, help="Capture a sketch that loops at this frame.")] = 0,
    at: Annotated[
        float, typer.Option("--time", help="Capture at this second of the sketch's own clock instead.")
    ] = 0,
    sheet: Annotated[str, typer.Option(help="Also a contact sheet, such as sheet.png.")] = "",
    report: Annotated[str, typer.Option("--json", help="Also a report as JSON; - for standard output.")] = "",
    gpu: Annotated[
        str, typer.Option(help="auto: draw WebGL on the GPU if there is one; vulkan, gl …: so or not at all.")
    ] = "off",
    text: Annotated[bool, typer.Option("--text", help="Draw text in SVGs instead of refusing it.")] = False,
    cache: Annotated[bool, typer.Option("--cache", help="Keep renderings, and use kept ones.")] = False,
) -> None:
    """Render sketches and SVGs to PNGs.

    The exit code is 0 when all were rendered, 1 when some failed, each with its reason, and 2 for a mistake.
    """
    from .batch import Media
    from .sources import collect

    found = collect(sources, seed, sys.stdin)
    single = len(found) == 1 and len(sources) == 1 and not os.path.isdir(sources[0]) and not _is_lines(found)
    media = Media(medium, _arguments(size, workers, deadline, frame, at, gpu, text), cache)
    target = Path(out or ("out.png" if single else "renders"))
    single = single and not os.path.isdir(target) and not out.endswith("/")
    _check_ending(out, target, single, len(found))
    _check_places(target, single, sheet, report, sources)
    started, rows, stopped = time.monotonic(), list["Row"](), False
    try:
        _render(found, media, target, single, rows, quiet=report == "-")
    except KeyboardInterrupt:
        stopped = True
    finally:
        if not stopped:
            media.close()
    _write(_in_order(rows, found), media, time.monotonic() - started, sheet, report)
    if stopped:
        _leave_at_once()
    if any(row.code for row in rows):
        raise typer.Exit(1)


def _check_ending(out: str, target: Path, single: bool, count: int) -> None:
    ending = target.suffix.lower()
    if not single and ending in _PICTURES:
        raise RecipeError(f"--out {out} is one file, and there are {count} sources: name a folder")
    if single and ending not in ("", ".png"):
        told = f"a PNG is written, and {out} does not end in .png"
        raise RecipeError(f"--out {out}: {told}. Name {target.with_suffix('.png')}, or a folder ({out}/).")


def _check_places(target: Path, single: bool, sheet: str, report: str, sources: list[str]) -> None:
    files = {"--sheet": sheet, "--json": "" if report == "-" else report}
    check_outputs({**files, "--out": target if single else None}, sources)
    check_folder("--out", None if single else target)


def _write(rows: "list[Row]", media: "Media", seconds: float, sheet: str, report: str) -> None:
    if sheet and rows:
        _write_sheet(rows, sheet, quiet=report == "-")
    if report:
        _write_report(rows, media, seconds, report)


def _leave_at_once() -> None:
    """End without waiting for renders that are under way: their processes end when this one does."""
    sys.stdout.flush()
    print("stopped", file=sys.stderr, flush=True)
    os._exit(130)


def _is_lines(found: "list[Source]") -> bool:
    return found[0].path is None and found[0].origin != "stdin"


def _arguments(
    size: str, workers: int, deadline: float, frame: int, at: float, gpu: str, text: bool
) -> dict[str, dict[str, Any]]:
    if frame and at:
        raise RecipeError("--frame or --time, and not both: they say the same in two ways")
    if at < 0:
        raise RecipeError(f"--time {at:g}: seconds above 0")
    if deadline < 0:
        raise RecipeError(f"--deadline {deadline:g}: seconds above 0, or 0 for the medium's own")
    shared: dict[str, Any] = {"size": _pixels(size)} if size else {}
    timed: dict[str, Any] = {"deadline_s": deadline} if deadline else {}
    timed |= {"workers": workers} if workers else {}
    moment: dict[str, Any] = ({"frames": frame} if frame else {}) | ({"time_s": at} if at else {})
    words: dict[str, Any] = {"text": "draw"} if text else {}
    drawing: dict[str, Any] = {"gpu": gpu} if gpu != "off" else {}
    return {"": shared, "p5.brush": timed | moment | drawing, "svg": timed | words}


def _pixels(text: str) -> tuple[int, int]:
    """Width and height out of "512x512"."""
    match = re.fullmatch(r"(\d{1,5})\s*[x×]\s*(\d{1,5})", text.strip())
    if not match or min(int(match[1]), int(match[2])) < 1:
        raise RecipeError(f"--size {text!r}: write it as WIDTHxHEIGHT, such as 512x512")
    return int(match[1]), int(match[2])


def _render(
    found: "list[Source]", media: "Media", target: Path, single: bool, rows: "list[Row]", quiet: bool
) -> None:
    """Render all with a bar, say what failed, and add to `rows` as it comes: what is done when Ctrl-C is
    pressed stays written and reported.
    """
    from rich.progress import Progress

    from .batch import render_all

    started = time.monotonic()
    console = terminal.console(stderr=True)
    place = (lambda source: target) if single else (lambda source: target / f"{source.id}.png")
    with Progress(console=console, transient=True, disable=single or not console.is_terminal) as bar:
        task = bar.add_task("rendering", total=len(found))
        for row in render_all(found, media, place):
            rows.append(row)
            bar.advance(task)
            _say_failure(rows, single and row.origin == "stdin")
    if not quiet:
        said = _single_line(rows[0]) if single else _summary_line(rows, target, time.monotonic() - started)
        print(visible(said))


def _say_failure(rows: "list[Row]", nameless: bool) -> None:
    row = rows[-1]
    failures = sum(row.code is not None for row in rows)
    if not row.code or failures > SHOWN_FAILURES + 1:
        return
    if failures == SHOWN_FAILURES + 1:
        print("… further failures: see --json", file=sys.stderr)
        return
    where = "" if nameless else f"{printable(row.origin, 500)}: "
    partial = f" (partial picture: {printable(row.file, 500)})" if row.file else ""
    print(visible(f"{where}{row.code}: {row.message}{partial}"), file=sys.stderr)


def _single_line(row: "Row") -> str:
    if row.file is None:
        return "no picture"
    what = f" (partial picture: {row.code})" if row.code else ""
    return f"{row.file}: {row.width} × {row.height}, {row.seconds:.1f} s{what}"


def _summary_line(rows: "list[Row]", target: Path, seconds: float) -> str:
    from collections import Counter

    codes = Counter(row.code for row in rows if row.code)
    partial = sum(bool(row.code and row.file) for row in rows)
    told = ", ".join(f"{code} {count}" for code, count in codes.most_common())
    told += f"; {partial} with a partial picture" if partial else ""
    failed = f", {codes.total()} failed ({told})"
    rate = f"{seconds:.1f} s, {len(rows) / max(seconds, 1e-9):.1f} a second"
    return f"{len(rows) - codes.total()} rendered{failed if codes else ''} into {target}: {rate}"


def _in_order(rows: "list[Row]", found: "list[Source]") -> "list[Row]":
    places = {source.id: index for index, source in enumerate(found)}
    return sorted(rows, key=lambda row: places[row.id])


def _write_sheet(rows: "list[Row]", sheet: str, quiet: bool) -> None:
    from .contact_sheet import write_contact_sheets

    shown = [(row.id, row.code or "", Path(row.file) if row.file else None) for row in rows]
    for file in write_contact_sheets(shown, sheet):
        if not quiet:
            print(f"wrote {file}")


def _write_report(rows: "list[Row]", media: "Media", seconds: float, report: str) -> None:
    import json

    from salon.markup import encodable

    from .batch import summary

    text = json.dumps(summary(rows, media, seconds), indent=2, ensure_ascii=False)
    text = encodable(text)
    if report == "-":
        print(text)
        return
    write_atomic(Path(report), f"{text}\n".encode("utf-8", "replace"))
    print(f"wrote {report}")
