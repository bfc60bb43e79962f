"""What the fuzzers make of a run: its parquet with odd bytes and columns, its folder with odd files."""

import atexit
import contextlib
import io
import json
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from hostile import with_value

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

STEP = "rollouts/step-000001.parquet"
ODD_CELLS: tuple[Any, ...] = (
    *(
        None,
        True,
        -1,
        2**63 - 1,
        0.5,
        float("nan"),
        float("inf"),
        1e308,
        "",
        "x",
        "\x1b[31m",
        "<b>",
        "\0",
        "1e9",
    ),
    *("system", "gate", b"\xff\0", [1, 2], [], [[None]], ["a"], {"a": 1}, {"a": {"b": [1]}}),
)
ODD_TYPES = (
    pl.Int8,
    pl.UInt64,
    pl.Float32,
    pl.String,
    pl.Boolean,
    pl.Categorical,
    pl.Date,
    pl.Duration,
    pl.Binary,
)
ODD_NAMES = (
    "x",
    "",
    "\x1b[31m",
    "terms",
    "gate.value",
    "x.value",
    "x.details",
    "a" * 3000,
    "total",
    "step",
    "picture",
)
TABLES = (
    pl.DataFrame({"step": [0, 0, 1, 1], "prompt_id": ["a", "a", "b", "b"], "answer": [*"wxyz"]}).with_columns(
        colour=pl.Series([0.5, 0.25, None, 1.0]), form=pl.Series(["8/10", "7/10", "83%", None])
    ),
    pl.DataFrame({"step": [0] * 4, "prompt_id": ["a"] * 4, "sample_id": [1, 1, 2, 2]}).with_columns(
        criterion=pl.Series(["colour", "form"] * 2), score=pl.Series([0.5, 0.25, 0.75, None])
    ),
    pl.DataFrame({"item_a": ["x", "y", "z"], "item_b": ["y", "x", "x"], "winner": ["a", "b", "tie"]}),
)


@cache
def small_run() -> Path:
    """A run of examples/loop.py, of three steps: made once, and copied."""
    import loop

    place = tempfile.TemporaryDirectory()
    atexit.register(place.cleanup)
    with contextlib.redirect_stdout(io.StringIO()):
        loop.train(steps=3, folder=f"{place.name}/run")
    return Path(place.name) / "run"


def changed_bytes(rng: random.Random, data: bytes) -> bytes:
    """Some bytes of a file are others, gone, doubled, or stand elsewhere."""
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(found) + 1) if rng.random() < 0.6 else max(0, len(found) - rng.randrange(3000))
        size = rng.choice((1, 1, 1, 2, 8, 300))
        match rng.randrange(7):
            case 0:
                del found[at : at + size]
            case 1:
                found[at:at] = found[max(0, at - size) : at]
            case 2:
                found[at : at + size] = rng.randbytes(size)
            case 3:
                found[at:] = found[at:][:size]
            case _:
                flipped = found[at : at + 1]
                found[at : at + 1] = bytes(byte ^ (1 << rng.randrange(8)) for byte in flipped)
    return bytes(found)


def odd_column(rng: random.Random, height: int) -> pl.Series:
    """Cells of some kind, as far as polars takes them for a column."""
    kind = rng.choice(ODD_CELLS)
    if rng.random() < 0.5:
        return pl.Series([rng.choice((kind, None)) for _ in range(height)], strict=False)
    kind, numbers = rng.choice(ODD_TYPES), pl.Series([rng.choice((0, 1)) for _ in range(height)])
    return numbers.cast(pl.String).cast(kind) if kind in (pl.Categorical, pl.Binary) else numbers.cast(kind)


def odd_columns(rng: random.Random, frame: pl.DataFrame) -> pl.DataFrame:
    """Columns are gone, of another kind, renamed, or more; rows are none, or twice."""
    for _ in range(rng.randrange(1, 4)):
        name = rng.choice(frame.columns or ["x"])
        match rng.randrange(6):
            case 0:
                frame = frame.drop(name, strict=False)
            case 1:
                frame = rng.choice((frame.head(0), frame.head(1), pl.concat([frame, frame])))
            case 2 if name in frame.columns:
                rename = rng.choice(ODD_NAMES)
                frame = frame if rename in frame.columns else frame.rename({name: rename})
            case 3:
                frame = frame.with_columns(odd_column(rng, frame.height).alias(rng.choice(ODD_NAMES)))
            case _:
                frame = frame.with_columns(odd_column(rng, frame.height).alias(name))
    return frame


def written(frame: pl.DataFrame, **how: Any) -> bytes:
    stream = io.BytesIO()
    frame.write_parquet(stream, **how)
    return stream.getvalue()


def draw_parquet(rng: random.Random) -> str:
    """A step of a run, or a table of scores, as letters of Latin-1, with odd columns, odd bytes, or both."""
    frame = pl.read_parquet(small_run() / STEP) if rng.random() < 0.6 else rng.choice(TABLES)
    if is_odd := rng.random() < 0.5:
        frame = odd_columns(rng, frame)
    packed = rng.choice(("zstd", "snappy", "uncompressed"))
    data = written(frame, compression=packed, row_group_size=rng.choice((None, 5)))
    return (data if is_odd and rng.random() < 0.7 else changed_bytes(rng, data)).decode("latin-1")


def read_parquet(text: str, folder: Path) -> Any:
    """By `salon diagnose` as a table, and as a step of a run."""
    from salon.diagnosis.reading.open_table import read_table
    from salon.errors import SalonError
    from salon.store.run_files import read_rollouts
    from salon.store.run_files import read_table as read_any

    file = folder / "step-000001.parquet"
    file.write_bytes(text.encode("latin-1"))
    found = []
    for read in (lambda: read_table(str(file)), lambda: read_rollouts(file, 1), lambda: read_any(file)):
        try:
            found.append(type(read()).__name__)
        except SalonError as error:
            found.append(str(error).encode("utf-8", "replace").decode())
    return found


def draw_folder(rng: random.Random) -> str:
    """What to do to the files of a run, in JSON."""
    names = sorted(str(file.relative_to(small_run())) for file in small_run().rglob("*") if file.is_file())
    kinds = [name for name in names if not name.endswith(".png")] * 4 + names[:4]
    todo = [
        [rng.choice(kinds), rng.choice(sorted(SPOILS)), rng.randrange(2**32)]
        for _ in range(rng.choice((1, 1, 2, 3)))
    ]
    return json.dumps(todo)


def _replaced(file: Path, rng: random.Random) -> None:
    text = rng.choice(("", "null", "[]", "{}", "\0" * 50, "{" * 9000, '{"step": 0}', "PAR1", "\ufeff{}"))
    file.write_text(text)


def _elsewhere(file: Path, rng: random.Random) -> None:
    """Another file of the run stands there."""
    file.write_bytes(
        rng.choice([each for each in sorted(small_run().rglob("*")) if each.is_file()]).read_bytes()
    )


def _to_folder(file: Path, rng: random.Random) -> None:
    file.unlink()
    file.mkdir()


def _to_pipe(file: Path, rng: random.Random) -> None:
    file.unlink()
    os.mkfifo(file)


def _to_link(file: Path, rng: random.Random) -> None:
    file.unlink()
    file.symlink_to(rng.choice(("/dev/zero", "/etc/passwd", file.name, "../nowhere")))


def _renamed(file: Path, rng: random.Random) -> None:
    names = ("step-000009.parquet", "step-1.parquet", "manifest.json", "step-000001.parquet", "x\x1b[31m")
    file.rename(file.with_name(rng.choice(names)))


def _inside(file: Path, rng: random.Random) -> None:
    """Well-formed, with values nobody wrote; but what is damaged already stays so."""
    of_polars = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
    with contextlib.suppress(*of_polars, ValueError, IndexError, RecursionError):
        _with_values(file, rng)


def _with_values(file: Path, rng: random.Random) -> None:
    """A manifest gets the hash that belongs to it."""
    from salon.store.record import recipe_hash

    if file.suffix == ".parquet":
        file.write_bytes(written(odd_columns(rng, pl.read_parquet(file))))
    elif file.suffix == ".jsonl":
        lines = file.read_text().splitlines()
        at = rng.randrange(len(lines))
        lines[at] = json.dumps(with_value(json.loads(lines[at]), rng))
        file.write_text("\n".join(lines))
    elif file.suffix == ".json":
        found = with_value(json.loads(file.read_text()), rng)
        with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
            found["recipe_sha256"] = recipe_hash(found["recipe"])
        file.write_text(json.dumps(found))


SPOILS: dict[str, Callable[[Path, random.Random], Any]] = {
    "bytes": lambda file, rng: file.write_bytes(changed_bytes(rng, file.read_bytes())),
    "gone": lambda file, rng: file.unlink(),
    "inside": _inside,
    "inside again": _inside,
    "inside once more": _inside,
    "replaced": _replaced,
    "elsewhere": _elsewhere,
    "folder": _to_folder,
    "link": _to_link,
    "pipe": _to_pipe,
    "renamed": _renamed,
}


def read_folder(text: str, folder: Path) -> Any:
    """By every command that reads a run; what each ended with."""
    run, out = folder / "run", folder / "out"
    for each in (run, out):
        shutil.rmtree(each, ignore_errors=True)
    shutil.copytree(small_run(), run)
    out.mkdir()
    for name, how, seed in json.loads(text):
        if (run / name).is_file() and not (run / name).is_symlink():
            SPOILS[how](run / name, random.Random(seed))
    return [_ended(command) for command in _commands(str(run), str(out))]


def _commands(run: str, out: str) -> list[list[str]]:
    return [
        ["report", run, "-o", f"{out}/r.html"],
        ["diagnose", run, "--html", f"{out}/d.html", "--json", f"{out}/d.json"],
        ["export", run, "-o", f"{out}/e", "--best", "1", "--worst", "1"],
        ["compare", run, str(small_run()), "--html", f"{out}/c.html"],
    ]


def _ended(command: list[str]) -> str:
    """The exit code: 0, or an error that says what is wrong. What else a command raises comes out."""
    from typer.testing import CliRunner

    from salon.cli import app
    from salon.errors import SalonError

    done = CliRunner().invoke(app, command)
    if done.exception and not isinstance(done.exception, SystemExit | SalonError):
        raise done.exception
    if isinstance(done.exception, SalonError):
        return str(done.exception).encode("utf-8", "replace").decode()
    return str(done.exit_code)
