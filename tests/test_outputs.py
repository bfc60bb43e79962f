"""What a command writes never replaces what it reads, is possible before the work, and is whole or not
there.
"""

import ast
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from salon.cli import app
from salon.errors import RecipeError, SalonError, StoreError
from salon.files import outputs
from salon.files.outputs import WriteError, check_folder, check_outputs, write_atomic

SRC = Path(__file__).parents[1] / "src" / "salon"
ROWS = "step,prompt_id,sample_id,taste,length\n" + "".join(
    f"{step},p{prompt},s{n},0.{(3 * n + prompt + step) % 9},0.{(n * 7 + step) % 8}\n"
    for step in range(1, 5)
    for prompt in range(3)
    for n in range(4)
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "wide.csv").write_text(ROWS)
    return tmp_path / "wide.csv"


def linked(file: Path) -> Path:
    file.with_name("soft.csv").symlink_to(file)
    return file.with_name("soft.csv")


def hard_linked(file: Path) -> Path:
    file.with_name("hard.csv").hardlink_to(file)
    return file.with_name("hard.csv")


def through_a_folder(file: Path) -> Path:
    (file.parent / "other").symlink_to(file.parent)
    return file.parent / "other" / file.name


NAMES: dict[str, Any] = {
    "the same": lambda file: file,
    "by dots": lambda file: file.parent / "x" / ".." / file.name,
    "relative": lambda file: Path(os.path.relpath(file)),
    "a link": linked,
    "a hard link": hard_linked,
    "through a folder": through_a_folder,
}


@pytest.mark.parametrize("option", ["--html", "--json", "--propose"])
@pytest.mark.parametrize("name", NAMES)
def test_a_diagnosis_never_replaces_its_data(data: Path, name: str, option: str) -> None:
    (data.parent / "x").mkdir()
    done = CliRunner().invoke(app, ["diagnose", str(data), option, str(NAMES[name](data))])
    assert isinstance(done.exception, RecipeError)
    assert option in str(done.exception)
    assert data.read_text() == ROWS


def test_a_proposal_never_replaces_its_recipe(data: Path, tmp_path: Path) -> None:
    keep = tmp_path / "keep.yaml"
    shutil.copy(SRC.parents[1] / "recipes" / "paint.yaml", keep)
    before = keep.read_bytes()
    done = CliRunner().invoke(app, ["diagnose", str(data), "--recipe", str(keep), "--propose", str(keep)])
    assert isinstance(done.exception, RecipeError)
    assert keep.read_bytes() == before


@pytest.mark.parametrize(
    "command",
    [
        ["checklist", "check", "{}", "-o", "{}"],
        ["checklist", "decompose", "{}", "--recipe", "r.yaml", "-o", "{}"],
        ["render", "{}", "--json", "{}"],
        ["render", "{}", "--sheet", "{}"],
        ["render", "{}", "-o", "{}"],
        ["serve-scorer", "taste", "--golden", "{}", "--write-golden", "{}"],
    ],
)
def test_no_command_replaces_what_it_reads(data: Path, command: list[str]) -> None:
    done = CliRunner().invoke(app, [each.format(data) for each in command])
    assert isinstance(done.exception, SalonError), done.output
    assert data.read_text() == ROWS


@pytest.mark.parametrize(
    "inside",
    ["manifest.json", "metrics.jsonl", "rollouts/step-000001.parquet", "pictures/new.png", "Rollouts/x"],
)
def test_a_run_s_own_data_are_not_written_over(tmp_path: Path, inside: str) -> None:
    run = tmp_path / "run"
    (run / "rollouts").mkdir(parents=True)
    (run / "manifest.json").write_text("{}")
    with pytest.raises(RecipeError, match="--html"):
        check_outputs({"--html": run / inside}, [run])
    check_outputs({"--html": run / "report.html"}, [run])
    with pytest.raises(RecipeError, match="--out"):
        check_folder("--out", run / "rollouts", [run])


BAD_PLACES: dict[str, Any] = {
    "a folder": lambda tmp: tmp,
    "below a file": lambda tmp: tmp / "file" / "x.html",
    "a device": lambda _: Path("/dev/null"),
    "a pipe": lambda tmp: os.mkfifo(tmp / "pipe") or tmp / "pipe",
    "a folder that takes none": lambda _: Path("/proc/self/x.html"),
    "a name too long": lambda tmp: tmp / ("x" * 300),
}


@pytest.mark.parametrize("name", BAD_PLACES)
def test_a_place_that_cannot_be_written_is_told_before_the_work(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    place = BAD_PLACES[name](tmp_path)
    if name != "a name too long":
        with pytest.raises(RecipeError, match="--html"):
            check_outputs({"--html": place})
    with pytest.raises(StoreError):
        write_atomic(place, b"x")
    assert not list(tmp_path.glob("*.tmp"))
    assert Path("/dev/null").is_char_device()


def test_two_outputs_are_two_files(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="same file"):
        check_outputs({"--html": tmp_path / "a", "--json": f"{tmp_path}/./a"})
    check_outputs({"--html": tmp_path / "a", "--json": None, "--propose": ""})


def test_a_failed_write_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "page.html"
    write_atomic(place, b"before")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(outputs.os, "fsync", full)
    with pytest.raises(WriteError, match="Free some space") as caught:
        write_atomic(place, b"after")
    assert isinstance(caught.value, OSError)
    assert place.read_bytes() == b"before"
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


def test_a_name_that_lies_in_wait_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    monkeypatch.setattr(outputs.time, "monotonic_ns", lambda: 7)
    (tmp_path / f".a.{os.getpid()}.7.tmp").symlink_to(precious)
    with pytest.raises(WriteError):
        write_atomic(tmp_path / "a", b"x")
    assert precious.read_text() == "mine"


WRITES = {"--out", "-o", "--html", "--json", "--propose", "--sheet", "--write-golden", "--csv", "--report"}


def commands() -> list[tuple[str, ast.FunctionDef]]:
    """The commands with an option that names a place to write to."""
    found: list[tuple[str, ast.FunctionDef]] = []
    for file in SRC.rglob("*cli.py"):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.decorator_list and WRITES & set(_options(node)):
                found.append((f"{file.relative_to(SRC)}:{node.name}", node))
    return found


def _options(node: ast.FunctionDef) -> list[str]:
    arguments = [*node.args.args, *node.args.kwonlyargs]
    texts = [
        each.value
        for argument in arguments
        if argument.annotation is not None and "bool" not in ast.unparse(argument.annotation)
        for each in ast.walk(argument.annotation)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]
    return [*texts, *(f"--{argument.arg}" for argument in arguments if argument.arg in ("out", "sheet"))]


def test_every_command_that_writes_checks_first() -> None:
    written = commands()
    assert len(written) >= 10
    # A new run's folder is checked by Run.create, which refuses one that is not empty.
    unchecked = [name for name, node in written if "check_" not in ast.unparse(node)]
    assert unchecked == []
