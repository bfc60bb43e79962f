"""A run's folder that a stranger made, or a full disk damaged: every command that reads it names the file,
and nothing outside of it is read, written or removed.
"""

import json
import os
import re
import resource
import shutil
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

from salon.cli import app
from salon.errors import SalonError, StoreError
from salon.rescoring.reading import read_steps
from salon.store.record import recipe_hash
from salon.store.runs import Run
from salon.training.checkpoints import go_back

sys.path.insert(0, str(Path(__file__).parent / "report"))

from recorded import learning_run

STEP = "rollouts/step-000002.parquet"
EVALUATION = "evaluations/winrate-eye-3"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return learning_run(tmp_path_factory.mktemp("whole") / "run", steps=3).path


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    for name in ("run", "other"):
        shutil.copytree(whole, tmp_path / name)
    return tmp_path / "run"


def texts(content: str | bytes) -> Callable[[Path], None]:
    data = content.encode() if isinstance(content, str) else content
    return lambda path: path.write_bytes(data) and None


def frame(change: Callable[[pl.DataFrame], pl.DataFrame]) -> Callable[[Path], None]:
    return lambda path: change(pl.read_parquet(path)).write_parquet(path)


def manifest(**more: Any) -> Callable[[Path], None]:
    return lambda path: path.write_text(json.dumps(json.loads(path.read_text()) | more)) and None


def recipe_with(place: str, value: Any) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        recipe = json.loads(path.read_text())["recipe"]
        *way, last = place.split(".")
        at = recipe
        for key in way:
            at = at.setdefault(key, {})
        at[last] = value
        manifest(recipe=recipe, recipe_sha256=recipe_hash(recipe))(path)

    return spoil


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def to_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def to_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def to_itself(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def to_link(path: Path) -> None:
    path.rename(path.parents[2] / "beside")
    path.symlink_to(path.parents[2] / "beside")


def to_device(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def to_socket(path: Path) -> None:
    path.unlink()
    here = os.getcwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def to_huge(path: Path) -> None:
    os.truncate(path, 10**12)


def wide(table: pl.DataFrame) -> pl.DataFrame:
    return table.with_columns(pl.lit(0).alias(f"c{n}") for n in range(5001))


def tall(table: pl.DataFrame) -> pl.DataFrame:
    return pl.concat([table.head(1)] * 1).select(pl.all().repeat_by(2_000_000).explode())


LINE = '{"step": 1, "reward": 0.5}\n'
DEEP = "[" * 50_000 + "]" * 50_000

SPOILED: dict[str, tuple[str, Callable[[Path], None]]] = {
    "metrics that nest": ("metrics.jsonl", texts(LINE + '{"step": 2, "x": ' + DEEP + "}\n")),
    "metrics with a step beyond all": ("metrics.jsonl", texts(LINE + '{"step": 1e999}\n')),
    "metrics with a step of NaN": ("metrics.jsonl", texts('{"step": NaN}\n')),
    "metrics with a step of text": ("metrics.jsonl", texts('{"step": "1"}\n')),
    "metrics with a half step": ("metrics.jsonl", texts('{"step": 1.5}\n')),
    "metrics with a step before all": ("metrics.jsonl", texts('{"step": -1}\n')),
    "metrics with a step of 400 digits": ("metrics.jsonl", texts('{"step": ' + "9" * 400 + "}\n")),
    "metrics with a key twice": ("metrics.jsonl", texts('{"step": 1, "a": 1, "a": 2}\n')),
    "metrics of texts": ("metrics.jsonl", texts('{"step": 1, "reward": "high"}\n')),
    "metrics of lists": ("metrics.jsonl", texts('{"step": 1, "reward": [1]}\n')),
    "metrics of huge integers": ("metrics.jsonl", texts('{"step": 1, "reward": ' + "9" * 900 + "}\n")),
    "metrics with half a letter": ("metrics.jsonl", texts(LINE + '{"step": 3, "\\ud800": 1}\n')),
    "metrics that are no objects": ("metrics.jsonl", texts("3\n")),
    "metrics with NULs": ("metrics.jsonl", texts(LINE + "\0\0\0\0\n")),
    "metrics in another encoding": ("metrics.jsonl", texts(LINE.encode("utf-16"))),
    "metrics as a folder": ("metrics.jsonl", to_folder),
    "metrics as a pipe": ("metrics.jsonl", to_pipe),
    "metrics as a device": ("metrics.jsonl", to_device),
    "metrics that are huge": ("metrics.jsonl", to_huge),
    "a manifest that nests": ("manifest.json", texts('{"recipe": ' + DEEP + "}")),
    "a manifest with a key twice": ("manifest.json", texts('{"format": 1, "format": 1}')),
    "a manifest of a list": ("manifest.json", texts("[]")),
    "a manifest that is empty": ("manifest.json", texts("")),
    "a manifest with other judges": ("manifest.json", manifest(judges="taste")),
    "a manifest of another format": ("manifest.json", manifest(format=99)),
    "a manifest with a recipe of text": ("manifest.json", manifest(recipe="x", recipe_sha256="x")),
    "a manifest as a pipe": ("manifest.json", to_pipe),
    "a manifest as a socket": ("manifest.json", to_socket),
    "rollouts that are cut": (STEP, cut),
    "rollouts that are empty": (STEP, texts("")),
    "rollouts that are text": (STEP, texts("PAR1 not really PAR1")),
    "rollouts as a folder": (STEP, to_folder),
    "rollouts as a pipe": (STEP, to_pipe),
    "rollouts as a link": (STEP, to_link),
    "rollouts as a link to itself": (STEP, to_itself),
    "numbers as a link to itself": ("metrics.jsonl", to_itself),
    "rollouts that are huge": (STEP, to_huge),
    "rollouts without totals": (STEP, frame(lambda table: table.drop("total"))),
    "rollouts without a term's part": (STEP, frame(lambda table: table.drop("taste.raw"))),
    "rollouts of other types": (STEP, frame(lambda table: table.with_columns(pl.lit("x").alias("total")))),
    "rollouts of nested cells": (STEP, frame(lambda table: table.with_columns(pl.lit([1]).alias("source")))),
    "rollouts of another step": (STEP, frame(lambda table: table.with_columns(pl.lit(7).alias("step")))),
    "rollouts without ids": (
        STEP,
        frame(lambda table: table.with_columns(sample_id=pl.lit(None, pl.String))),
    ),
    "rollouts of other faults": (STEP, frame(lambda table: table.with_columns(failure_fault=pl.lit("mine")))),
    "rollouts of 5,001 columns": (STEP, frame(wide)),
    "rollouts of two million rows": (STEP, frame(tall)),
}
ODD: dict[str, tuple[str, ...]] = {
    '"x"': ("seed", "reward.terms", "reward.judges", "reward.terms.taste", "reward.terms.taste.weight"),
    "[1]": ("seed", "reward", "reward.terms", "reward.terms.taste", "reward.terms.taste.weight"),
    "true": ("seed", "reward", "reward.terms", "reward.terms.taste", "reward.terms.taste.weight"),
    "-1": ("seed", "reward", "reward.terms", "reward.terms.taste.judge", "reward.terms.taste.scorer"),
    "1e308": ("seed", "reward.terms.taste.weight", "reward.terms.taste.role", "reward.terms.taste.args"),
    "{}": ("seed", "reward.terms.taste.weight", "reward.terms.taste.role", "reward.terms.taste.judge"),
    '{"x": 1}': ("reward.terms", "reward.judges", "reward.terms.taste.weight"),
    '{"0": "x"}': ("reward.terms", "reward.judges", "reward.terms.taste.weight"),
}
"""What a recipe in a manifest has at these keys, whose hash is right."""
SPOILED |= {
    f"a manifest with {key} of {value}": ("manifest.json", recipe_with(key, json.loads(value)))
    for value, keys in ODD.items()
    for key in keys
}
SPOILED |= {
    f"a manifest with judges of {value}": ("manifest.json", manifest(judges=json.loads(value)))
    for value in ("[1]", "5", '{"taste": [1]}')
}
COMMANDS = {
    "report": lambda run, tmp: ["report", str(run), "-o", str(tmp / "report.html")],
    "diagnose": lambda run, tmp: ["diagnose", str(run)],
    "compare": lambda run, tmp: ["compare", str(run), str(tmp / "other")],
}


def invoke(arguments: list[str]) -> SalonError | None:
    """What a command ended with, as a user would see it: a line, and never a traceback."""
    done = CliRunner().invoke(app, arguments)
    if done.exception is None or (isinstance(done.exception, SystemExit) and not done.exception.code):
        return None
    assert isinstance(done.exception, SalonError), repr(done.exception)
    return done.exception


def rescored(run: Path) -> None:
    opened = Run.open(run)
    opened.metrics()
    read_steps(opened)


def resumed(run: Path) -> None:
    opened = Run.open(run)
    opened.rollouts()
    with opened.held():
        go_back(opened, 1)


def written(run: Path) -> None:
    opened = Run.open(run)
    with opened.held():
        go_back(opened, 1)
        opened.write_metrics(3, {"kl": 1.0})
        opened.write_evaluation("mine", [{"a": 1}], {"b": 2})


@pytest.mark.parametrize("name", SPOILED)
def test_a_file_that_is_no_record_is_named_by_whatever_reads_it(run: Path, tmp_path: Path, name: str) -> None:
    file, spoil = SPOILED[name]
    spoil(run / file)
    commands = COMMANDS if name.startswith(("metrics with a step b", "rollouts that are c")) else ["report"]
    for command in commands:
        error = invoke(COMMANDS[command](run, tmp_path))
        assert isinstance(error, StoreError), command
        assert file.split("/")[-1] in str(error)
        assert len(str(error)) < 900
    for read in (rescored, resumed):
        with pytest.raises(StoreError):
            read(run)


@pytest.mark.parametrize(
    ("file", "spoil"),
    [
        (f"{EVALUATION}.json", texts('{"win_rate": ' + DEEP + "}")),
        (f"{EVALUATION}.json", texts('{"win_rate": 1e999}')),
        (f"{EVALUATION}.json", texts('{"win_rate": NaN}')),
        (f"{EVALUATION}.json", texts("{")),
        (f"{EVALUATION}.json", to_pipe),
        (f"{EVALUATION}.json", to_link),
        (f"{EVALUATION}.parquet", cut),
        (f"{EVALUATION}.parquet", to_pipe),
        (f"{EVALUATION}.parquet", to_folder),
    ],
)
def test_an_evaluation_that_is_none_is_named(run: Path, tmp_path: Path, file: str, spoil: Any) -> None:
    spoil(run / file)
    for command in ("report", "compare"):
        error = invoke(COMMANDS[command](run, tmp_path))
        if error is None:
            # Its rows are not what a comparison reads of runs with other judges.
            assert (command, file[-7:]) == ("compare", "parquet")
            continue
        assert isinstance(error, StoreError)
        assert Path(file).name in str(error)


def test_integers_of_any_length_are_numbers_or_missing(run: Path, tmp_path: Path) -> None:
    line = json.dumps({"step": 2, "a": 10**30, "b": -(10**59), "c": 10**290, "d": 2**53 + 1, "e": 3})
    (run / "metrics.jsonl").write_text(LINE + line + "\n")
    found = Run.open(run).metrics().row(1, named=True)
    assert [found[name] for name in "abcde"] == [1e30, -1e59, None, 2.0**53, 3.0]
    for command in COMMANDS:
        assert invoke(COMMANDS[command](run, tmp_path)) is None


def test_a_failure_of_nothing_but_a_code_is_shown(run: Path, tmp_path: Path) -> None:
    frame(lambda table: table.with_columns(pl.lit("odd_code").alias("failure_code")))(run / STEP)
    for command in COMMANDS:
        assert invoke(COMMANDS[command](run, tmp_path)) is None
    page = (tmp_path / "report.html").read_text()
    assert "odd_code" in page
    assert "None" not in page.split('id="failures"')[1].split("</section>")[0]


def test_numbers_that_are_none_are_missing(run: Path) -> None:
    spoil = frame(lambda table: table.with_columns(pl.lit(float("inf")).alias("total")))
    spoil(run / STEP)
    assert Run.open(run).rollouts([2])["total"].null_count() == 4


HUGE = [[1e308], [1e308, -1e308], [1e200, 0.5], [1.7e308, -1e61], [5e-324], [1e60], [1e60, -1e60]]


@pytest.mark.parametrize("huge", HUGE)
def test_numbers_beyond_all_are_missing_and_nothing_overflows(
    run: Path, tmp_path: Path, huge: list[float]
) -> None:
    def spoiled(table: pl.DataFrame) -> pl.DataFrame:
        values = pl.Series([huge[row % len(huge)] for row in range(table.height)], dtype=pl.Float64)
        names = [name for name, kind in table.schema.items() if kind == pl.Float64()]
        return table.with_columns(values.alias(name) for name in names)

    for file in run.glob("*/*.parquet"):
        frame(spoiled)(file)
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    names = {name for line in lines for name in line} - {"step"}
    told = [line | dict.fromkeys(names, huge[at % len(huge)]) for at, line in enumerate(lines)]
    (run / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in told))
    for file in run.glob("evaluations/*.json"):
        summary = json.loads(file.read_text())
        file.write_text(json.dumps({k: huge[0] if isinstance(v, float) else v for k, v in summary.items()}))
    opened = Run.open(run)
    for table in (opened.rollouts(), opened.metrics()):
        for name in table.columns:
            if table[name].dtype == pl.Float64():
                assert (table[name].drop_nulls().abs() <= 1e60).all(), name
    for command in COMMANDS:
        assert invoke(COMMANDS[command](run, tmp_path)) is None, command
    page = tmp_path / "compared.html"
    assert invoke(["compare", str(run), str(tmp_path / "other"), "--html", str(page)]) is None
    for text in ((tmp_path / "report.html").read_text(), page.read_text()):
        shown = re.sub(r"<script>.*?</script>|<style>.*?</style>", "", text, flags=re.S)
        assert not re.search(r"\bInfinity\b|\bNaN\b|\binf\b|\bnan\b", shown)


OUTSIDE: dict[str, Callable[[Path, Path], None]] = {
    "the lock is a link": lambda run, theirs: (run / ".lock").symlink_to(theirs / "precious.png"),
    "the lock is a hard link": lambda run, theirs: (run / ".lock").hardlink_to(theirs / "precious.png"),
    "the lock is a folder": lambda run, theirs: (run / ".lock").mkdir(),
    "the lock is a pipe": lambda run, theirs: os.mkfifo(run / ".lock"),
    "checkpoints are a link": lambda run, theirs: (run / "checkpoints").symlink_to(theirs),
    "rollouts are a link": lambda run, theirs: away(run / "rollouts", theirs),
    "evaluations are a link": lambda run, theirs: away(run / "evaluations", theirs),
}


def away(folder: Path, theirs: Path) -> None:
    for file in folder.iterdir():
        shutil.copy(file, theirs)
    shutil.rmtree(folder)
    folder.symlink_to(theirs)


def pictures(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()
    }


@pytest.mark.parametrize("name", OUTSIDE)
def test_nothing_outside_of_a_run_is_touched(run: Path, tmp_path: Path, name: str) -> None:
    theirs = tmp_path / "theirs"
    (theirs / "checkpoint-1").mkdir(parents=True)
    (theirs / "checkpoint-1" / "weights").write_text("theirs")
    (theirs / "precious.png").write_text("precious")
    OUTSIDE[name](run, theirs)
    os.utime(theirs / "precious.png", (0, 0))
    before = pictures(theirs)
    with pytest.raises(StoreError):
        written(run)
    assert pictures(theirs) == before


def test_what_a_kill_left_is_tidied_up_in_the_run_alone(run: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    folder = next((run / "pictures").iterdir())
    for place in (theirs, folder, run):
        (place / ".x.tmp").write_text("old")
        os.utime(place / ".x.tmp", (0, 0))
    (run / "pictures" / "zz").symlink_to(theirs)
    Run.open(run).rewind(1)
    assert (theirs / ".x.tmp").exists()
    assert not (folder / ".x.tmp").exists()
    assert not (run / ".x.tmp").exists()


def keyed(run: Path) -> tuple[str, Path]:
    key = Run.open(run).rollouts()["picture"].drop_nulls()[0]
    return key, Run.open(run).picture_path(key)


EPS = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\nshowpage\n"
PICTURES: dict[str, Callable[[Path], None]] = {
    "an EPS": texts(EPS),
    "another picture": texts(b"\x89PNG\r\n\x1a\n" + bytes(50)),
    "a pipe": to_pipe,
    "a folder": to_folder,
    "a link": to_link,
    "a device": to_device,
    "cut": cut,
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_what_its_name_says_or_none(
    run: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, place = keyed(run)
    PICTURES[name](place)

    def never(*arguments: Any, **_: Any) -> Any:
        raise AssertionError(f"a program was started: {arguments}")

    monkeypatch.setattr(subprocess, "Popen", never)
    assert invoke(COMMANDS["report"](run, tmp_path)) is None
    with pytest.raises(StoreError, match=key[:12]):
        Run.open(run).read_picture(key)


def test_no_code_opens_a_picture_by_guessing_its_format() -> None:
    """Pillow's own `open` tries every format it knows, some by starting other programs."""
    sources = (Path(__file__).parents[1] / "src" / "salon").rglob("*.py")
    assert [file.name for file in sources if "Image.open(" in file.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize("key", ["../../../etc/passwd", "a" * 63 + "/", "A" * 64, "..", "", "a" * 65])
def test_a_name_in_a_record_cannot_leave_the_folder(run: Path, key: str) -> None:
    frame(lambda table: table.with_columns(pl.lit(key).alias("picture")))(run / STEP)
    with pytest.raises(StoreError, match="key"):
        Run.open(run).read_picture(Run.open(run).rollouts([2])["picture"][0])


@pytest.fixture
def full() -> Iterator[None]:
    """A disk that takes small files only, as a full one takes the last of them."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_is_said_and_what_was_written_stays(run: Path, tmp_path: Path, full: None) -> None:
    before = pictures(run)
    opened = Run.open(run)
    for write in (
        lambda: opened.write_metrics(3, {"kl": 2.0}),
        lambda: opened.write_evaluation("more", [{"a": "x" * 999}], {}),
        lambda: Run.create(tmp_path / "new", {"recipe": {"a": "x" * 999}}),
    ):
        with pytest.raises(StoreError, match=r"cannot be written.*Free some space"):
            write()
    error = invoke(COMMANDS["report"](run, tmp_path))
    assert isinstance(error, StoreError)
    assert pictures(run) == before
    assert not list(tmp_path.rglob("*.tmp"))


def test_after_a_full_disk_the_next_start_goes_on(run: Path, tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, before[1]))
    try:
        with pytest.raises(StoreError):
            Run.create(tmp_path / "new", {"recipe": {"a": "x" * 999}})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    made = Run.create(tmp_path / "new", {"recipe": {"a": "x" * 999}})
    made.write_step(1, [], [], {"reward": 1.0})
    assert Run.open(made.path).steps() == [1]


@pytest.mark.skipif(
    not Path("/proc/self").exists(), reason="a folder that nobody may write to, root included"
)
def test_a_folder_that_may_not_be_written_to_is_said(run: Path, tmp_path: Path) -> None:
    error = invoke(["report", str(run), "-o", "/proc/self/report.html"])
    assert error is not None
    assert "cannot be written" in str(error)


def test_a_read_only_run_can_be_read(run: Path, tmp_path: Path) -> None:
    for path in [run, *run.rglob("*")]:
        path.chmod(stat.S_IRUSR | (stat.S_IXUSR if path.is_dir() else 0))
    try:
        assert invoke(COMMANDS["report"](run, tmp_path)) is None
    finally:
        for path in [run, *run.rglob("*")]:
            path.chmod(0o700)


def test_a_manifest_of_a_stranger_is_only_read(run: Path) -> None:
    """Threads that wait for ever would be the sign of a pipe that was opened."""
    recipe = {"seed": 1}
    (run / "manifest.json").write_text(
        json.dumps({"format": 1, "recipe": recipe, "recipe_sha256": recipe_hash(recipe)})
    )
    assert Run.open(run).manifest["recipe"] == recipe
    assert threading.active_count() < 50
