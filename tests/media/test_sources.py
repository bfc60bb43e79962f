"""What `salon render` is given becomes a list, whatever is wrong with some of it."""

import io
import json
from pathlib import Path

import pytest

from salon.errors import RecipeError
from salon.media.command.sources import LARGEST, Source, collect

SVG = '<svg viewBox="0 0 10 10"><circle cx="5" cy="5" r="4" fill="red"/></svg>'
SKETCH = "function setup() { createCanvas(40, 40); }"


def from_lines(*lines: object) -> list[Source]:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return collect(["-"], 7, io.StringIO(text))


def test_a_folder_gives_its_sketches_in_order_and_nothing_else(tmp_path: Path) -> None:
    for name in ("b.js", "a.svg", "sub/a.js", "notes.pdf", ".git/x.js", "node_modules/p5/p5.js", "sub/.h.js"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(SKETCH)
    found = collect([str(tmp_path)], 3, io.StringIO())
    assert [(s.id, s.seed, s.medium()) for s in found] == [
        ("a", 3, "svg"),
        ("b", 3, "p5.brush"),
        ("sub/a", 3, "p5.brush"),
    ]
    assert found[0].read().text == SKETCH


def test_names_never_meet_and_never_leave_the_folder() -> None:
    names = [
        "x",
        "X",
        "x",
        "../../etc/passwd",
        "/abs",
        "a b/c:d",
        "..",
        "",
        ".hidden",
        "-o",
        "x-2",
        "é" * 300,
    ]
    found = from_lines(*({"id": name, "source": SVG} for name in names))
    ids = [source.id for source in found]
    assert len({name.casefold() for name in ids}) == len(names)
    assert ids[:4] == ["x", "X-2", "x-3", "etc/passwd"]
    for name in ids:
        assert Path("out", name).resolve().is_relative_to(Path("out").resolve())
        assert not Path(name).is_absolute()
        assert len(name) <= 210


def test_json_lines_bring_sources_replies_seeds_and_faults() -> None:
    found = from_lines(
        {"id": "a", "source": SKETCH, "seed": 3, "prompt": "other keys are nothing to us"},
        {"reply": f"Here:\n```svg\n{SVG}\n```"},
        "not json",
        "",
        [1],
        {"id": "e"},
        {"source": SVG, "seed": "3"},
        {"id": 12, "source": SVG},
    )
    assert [s.id for s in found] == ["a", "stdin-2", "stdin-3", "stdin-5", "e", "stdin-7", "12"]
    assert [s.seed for s in found] == [3, 7, 7, 7, 7, 7, 7]
    assert [s.is_reply for s in found[:2]] == [False, True]
    assert [s.medium() for s in found[:2]] == ["p5.brush", "svg"]
    told = [s.fault for s in found]
    assert told[0] == told[1] == told[6] == ""
    for fault, word in zip(told[2:6], ("not JSON", "not an object", "neither", "whole number"), strict=True):
        assert word in fault
    assert found[2].origin == "stdin:3"


def test_standard_input_may_be_one_source() -> None:
    (only,) = collect(["-"], 1, io.StringIO(f"  {SVG}"))
    assert (only.id, only.medium(), only.is_reply) == ("stdin", "svg", True)
    (sketch,) = collect(["-"], 1, io.StringIO(f"const icon = '<svg>';\n{SKETCH}"))
    assert sketch.medium() == "p5.brush"


def test_what_cannot_be_read_has_a_fault(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_bytes(b"\xff\xfe\x00")
    with (tmp_path / "b.svg").open("wb") as file:
        file.truncate(LARGEST + 1)
    (tmp_path / "c.js").symlink_to(tmp_path / "nowhere.js")
    (tmp_path / "d.js").write_text(SKETCH)
    found = [source.read() for source in collect([str(tmp_path)], 0, io.StringIO())]
    assert [source.fault for source in found] == ["it is not UTF-8 text", "it is larger than 20 MB", ""]


@pytest.mark.parametrize("given", ["missing.js", "empty", "empty.jsonl"])
def test_what_was_named_and_is_not_there_is_a_mistake(tmp_path: Path, given: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty.jsonl").write_text("\n\n")
    with pytest.raises(RecipeError, match=r"cannot be read|nothing to render"):
        collect([str(tmp_path / given)], 0, io.StringIO())


def test_lines_that_go_wrong_cost_themselves_only(tmp_path: Path) -> None:
    lines = [
        "[" * 200_000,
        '{"id": "a", "seed": ' + "9" * 6000 + ', "source": "x"}',
        '{"id": "b", "source": "y"}',
    ]
    found = collect(["-"], 0, io.StringIO('{"id": "first", "source": "x"}\n' + "\n".join(lines)))
    assert [bool(source.fault) for source in found] == [False, True, True, False]


def test_names_fit_a_file_system_and_no_picture_is_another_ones_folder(tmp_path: Path) -> None:
    rows = [{"id": name, "source": "x"} for name in ("花" * 150, "x.PNG/y", "x", "\ud800/" * 80, "é" * 99)]
    for source in collect(["-"], 0, io.StringIO("\n".join(json.dumps(row) for row in rows))):
        file = tmp_path / f"{source.id}.png"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")
    assert len(list(tmp_path.rglob("*.png"))) == len(rows)
