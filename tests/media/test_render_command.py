"""`salon render` as a user meets it: what is written, what is said, and what it exits with."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image

from salon.media.command.contact_sheet import PER_SHEET, write_contact_sheets

SVG = '<svg viewBox="0 0 10 10"><circle cx="5" cy="5" r="4" fill="{}"/></svg>'
RED = SVG.format("red")


def salon(folder: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "salon.cli", "render", *arguments]
    return subprocess.run(
        command, cwd=folder, input=stdin, capture_output=True, text=True, timeout=120, check=False
    )


def files(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*.png"))


def write(folder: Path, **sources: str) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in sources.items():
        (folder / f"{name}.svg").write_text(text)


def test_text_in_an_svg_is_drawn_where_it_is_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("svg2png_py")
    write(tmp_path, sign='<svg viewBox="0 0 60 30"><text y="25" font-size="25">Mi</text></svg>')
    refused = salon(tmp_path, "sign.svg")
    assert (refused.returncode, refused.stderr.split(":")[:2]) == (1, ["sign.svg", " text_label"])
    assert salon(tmp_path, "sign.svg", "--text").returncode == 0
    assert files(tmp_path) == ["out.png"]


def test_one_file_one_picture(tmp_path: Path) -> None:
    write(tmp_path, a=RED)
    done = salon(tmp_path, "a.svg", "--size", "40x20")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("out.png: 40 × 20, ")
    with Image.open(tmp_path / "out.png") as image:
        assert image.getpixel((20, 10)) == (255, 0, 0)
    assert salon(tmp_path, "a.svg", "-o", "b.png").stdout.startswith("b.png: 512 × 512")
    assert salon(tmp_path, "a.svg", "-o", "folder/").stdout.startswith("1 rendered into folder: ")
    assert files(tmp_path) == ["b.png", "folder/a.png", "out.png"]


def test_a_source_on_standard_input(tmp_path: Path) -> None:
    done = salon(tmp_path, "-", "-o", "x.png", stdin=f"Sure!\n{RED}")
    assert (done.returncode, files(tmp_path)) == (0, ["x.png"])
    done = salon(tmp_path, "-", "-o", "y.png", stdin="Sure!")
    assert done.returncode == 1
    assert done.stderr.startswith("no_sketch_in_response: ")
    assert files(tmp_path) == ["x.png"]


def test_a_folder_with_a_sheet_and_a_report(tmp_path: Path) -> None:
    write(
        tmp_path / "in", a=RED, b=SVG.format("blue"), c="<svg><script/></svg>", d='<svg viewBox="0 0 1 1"/>'
    )
    (tmp_path / "in/e.txt").write_bytes(b"\xff\xff")
    done = salon(tmp_path, "in", "-o", "out", "--size", "32x32", "--sheet", "s.png", "--json", "r.json")
    assert done.returncode == 1
    assert "2 rendered, 3 failed (" in done.stdout
    assert "in/c.svg: forbidden_element: line 1: <script> is refused" in done.stderr
    assert files(tmp_path / "out") == ["a.png", "b.png"]
    report = json.loads((tmp_path / "r.json").read_text())
    assert (report["rendered"], report["failed"]) == (2, 3)
    assert report["codes"] == {"forbidden_element": 1, "too_few_elements": 1, "unreadable": 1}
    rows = report["items"]
    assert [row["id"] for row in rows] == list("abcde")
    first = rows[0]
    assert {
        name: first[name] for name in ("origin", "medium", "seed", "file", "width", "height", "code")
    } == {
        "origin": "in/a.svg",
        "medium": "svg",
        "seed": 0,
        "file": "out/a.png",
        "width": 32,
        "height": 32,
        "code": None,
    }
    assert len(first["key"]) == 64
    assert first["seconds"] > 0
    assert (rows[4]["code"], rows[4]["fault"], rows[4]["file"]) == ("unreadable", "system", None)
    assert report["versions"]["svg"]
    assert report["metrics"]["renders"] == 4
    with Image.open(tmp_path / "s.png") as sheet:
        colours = {colour for _, colour in sheet.convert("RGB").getcolors(1 << 20) or []}
    assert {(255, 0, 0), (0, 0, 255)} <= colours


def test_json_lines_and_a_report_on_standard_output(tmp_path: Path) -> None:
    rows = [{"id": "x", "source": RED, "seed": 3}, {"id": "X", "reply": RED}, {"id": "../y", "source": RED}]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    done = salon(tmp_path, "a.jsonl", "--json", "-", "--size", "16x16")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert [row["file"] for row in report["items"]] == ["renders/x.png", "renders/X-2.png", "renders/y.png"]
    assert [row["seed"] for row in report["items"]] == [3, 0, 0]
    assert files(tmp_path) == ["renders/X-2.png", "renders/x.png", "renders/y.png"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["missing.svg"], "there is no such file"),
        (["in", "-o", "one.png"], "name a folder"),
        (["in", "-o", "in/a.svg"], "in/a.svg"),
        (["in/a.svg", "-o", "a.jpg"], "a PNG is written, and a.jpg does not end in .png"),
        (["in/a.svg", "-o", "a.PNG.webp"], "a.PNG.webp does not end in .png"),
        (["in", "-o", "all.JPEG"], "name a folder"),
        (["in/a.svg", "--size", "big"], "WIDTHxHEIGHT"),
        (["in/a.svg", "--size", "40"], "WIDTHxHEIGHT"),
        (["in/a.svg", "--size", "0x10"], "WIDTHxHEIGHT"),
        (["in/a.svg", "--size", "40x"], "WIDTHxHEIGHT"),
        (["in/a.svg", "--medium", "svgg"], "Did you mean 'svg'"),
        (["in/a.svg", "--deadline", "-1"], "--deadline"),
        (["in/a.svg", "--sheet", "x.doc"], "name a .png"),
        (["in/a.svg", "--json", "in/b.svg/r.json"], "--json in/b.svg/r.json"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(tmp_path: Path, arguments: Sequence[str], told: str) -> None:
    write(tmp_path / "in", a=RED, b=RED)
    done = salon(tmp_path, *arguments)
    assert done.returncode == 2, done.stderr
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


OWN = """
from salon.media.fake import FakeMedium
from salon.types import Failure

class Swatch(FakeMedium):
    def check(self, source):
        return Failure("no_colour", "it names no colour", "sample", "check") if "blue" not in source else None

    def render(self, sources, seeds):
        assert all("blue" in source for source in sources)
        return super().render(sources, seeds)
"""


def test_a_medium_of_ones_own_checks_before_it_renders(tmp_path: Path) -> None:
    (tmp_path / "swatches.py").write_text(OWN)
    (tmp_path / "good.txt").write_text("blue indigo")
    (tmp_path / "bad.txt").write_text("forty-two")
    own = ("--medium", "swatches:Swatch", "--allow", "swatches")
    done = salon(tmp_path, "bad.txt", *own)
    assert done.returncode == 1
    assert done.stderr == "bad.txt: no_colour: it names no colour\n"
    done = salon(tmp_path, "good.txt", "bad.txt", *own)
    assert done.stderr == "bad.txt: no_colour: it names no colour\n"
    assert files(tmp_path) == ["renders/good.png"]


def test_names_that_are_no_text_leave_a_whole_report(tmp_path: Path) -> None:
    odd = os.fsdecode(b"a\xff\x1b[2J.svg")
    (tmp_path / odd).write_text(RED)
    (tmp_path / "b\x1b[2J.svg").write_text('<svg viewBox="0 0 9 9"><\x1b[2Jtext/></svg>')
    done = salon(tmp_path, odd, "b\x1b[2J.svg", "-o", "out", "--json", "report.json")
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr + done.stdout
    first, second = json.loads((tmp_path / "report.json").read_text("utf-8"))["items"]
    assert (first["code"], first["origin"]) == (None, "a\N{REPLACEMENT CHARACTER}\\x1b[2J.svg")
    assert second["code"] == "syntax_error"


def test_many_failures_do_not_flood(tmp_path: Path) -> None:
    write(tmp_path / "in", **{f"f{i:02d}": "<svg/>" for i in range(60)}, good=RED)
    done = salon(tmp_path, "in", "--size", "16x16")
    assert done.returncode == 1
    assert done.stderr.count("too_few_elements") == 20
    assert "further failures" in done.stderr
    assert "1 rendered, 60 failed (too_few_elements 60)" in done.stdout


def test_ctrl_c_keeps_and_reports_what_is_done(tmp_path: Path) -> None:
    slow = (
        '<svg viewBox="0 0 99 99"><filter id="f"><feTurbulence baseFrequency="9" numOctaves="99999999"/>'
        '</filter><rect filter="url(#f)" width="99" height="99"/></svg>'
    )
    write(tmp_path / "in", **{f"a{i:02d}": RED for i in range(32)}, **{f"b{i:02d}": slow for i in range(400)})
    options = ["in", "--size", "16x16", "--deadline", "0.3", "--workers", "1", "--json", "r.json"]
    command = [sys.executable, "-m", "salon.cli", "render", *options]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    end = time.monotonic() + 60
    while len(files(tmp_path)) < 32 and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=90)
    assert process.returncode == 130, told
    assert b"Traceback" not in told
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["rendered"] == 32
    assert report["rendered"] + report["failed"] < 432


def test_kept_renderings_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SALON_CACHE", str(tmp_path / "cache"))
    write(tmp_path / "in", a=RED)
    found = []
    for _ in range(2):
        done = salon(tmp_path, "in", "--cache", "--json", "-", "--size", "16x16")
        found.append(json.loads(done.stdout))
    assert [report["metrics"]["cache_hits"] for report in found] == [0, 1]
    assert found[0]["items"][0]["key"] == found[1]["items"][0]["key"]


def test_a_large_sheet_goes_on_in_further_files(tmp_path: Path) -> None:
    shown = [(f"picture {i}", "", None) for i in range(PER_SHEET + 1)]
    written = write_contact_sheets(shown, str(tmp_path / "sheet.webp"))
    assert [Path(file).name for file in written] == ["sheet.webp", "sheet-2.webp"]
    assert all(Path(file).stat().st_size for file in written)


@pytest.mark.browser
def test_sketches_and_svgs_together(tmp_path: Path) -> None:
    write(tmp_path / "in", a=RED)
    (tmp_path / "in/b.js").write_text(
        "function setup() { createCanvas(40, 40); background(255); fill(random(99)); rect(9, 9, 9, 9); }"
    )
    (tmp_path / "in/c.js").write_text(
        "function setup() { createCanvas(40, 40); background(255); fill(0); rect(9, 9, 9, 9); nowhere(); }"
    )
    done = salon(tmp_path, "in", "--json", "-", "--seed", "5")
    report = json.loads(done.stdout)
    assert (done.returncode, report["codes"]) == (1, {"threw": 1})
    assert [row["medium"] for row in report["items"]] == ["svg", "p5.brush", "p5.brush"]
    assert report["items"][2]["file"] == "renders/c.png"
    assert "(partial picture: renders/c.png)" in done.stderr
    assert "1 failed (threw 1; 1 with a partial picture)" in salon(tmp_path, "in", "--seed", "5").stdout
    assert set(report["versions"]) == {"svg", "p5.brush"}
