"""Parquet of strangers: damaged, or small and endless."""

import io
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from salon.diagnosis.reading.files import read_cells
from salon.errors import RecipeError, StoreError
from salon.evals.benchmarks import load_benchmark
from salon.files.parquet import errors_of_panics, read_parquet
from salon.store.run_files import read_rollouts, read_table
from salon.store.runs import Run

sys.path.insert(0, str(Path(__file__).parent / "report"))

from recorded import learning_run

STEP = "rollouts/step-000001.parquet"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return learning_run(tmp_path_factory.mktemp("whole") / "run", steps=3).path


def written(frame: pl.DataFrame, **how: Any) -> bytes:
    stream = io.BytesIO()
    frame.write_parquet(stream, **how)
    return stream.getvalue()


def endless(count: int, nested: bool = True) -> pl.DataFrame:
    """One row, with so many zeros in a list: a few bytes of file for each thousand."""
    zeros = pl.DataFrame({"v": pl.zeros(count, dtype=pl.Int64, eager=True)})
    column = zeros.select(pl.col("v").implode())["v"]
    frame = pl.DataFrame({"x": column, "term": [0.5], "prompt_id": ["a"]})
    return frame.with_columns(pl.struct("x").alias("y")) if nested else frame


COUNTED: dict[str, tuple[pl.DataFrame, int]] = {
    "flat": (pl.DataFrame({"a": [1, 2, 3], "b": ["x", None, "y"]}), 6),
    "a list": (pl.DataFrame({"a": [[1, 2], [], None, [3, 4, 5]], "b": [1.0] * 4}), 7 + 4),
    "a struct of lists": (pl.DataFrame({"a": [{"b": [1, 2, 3], "c": "x"}]}), 4),
    "lists of lists": (pl.DataFrame({"a": [[[1], [2, 3]], [[]]]}), 4),
    "texts in lists": (pl.DataFrame({"a": [["x"] * 50] * 2}), 100),
    "nothing": (pl.DataFrame({"a": pl.Series([], dtype=pl.List(pl.Int64))}), 0),
}


@pytest.mark.parametrize(
    "how", [{}, {"row_group_size": 1}, {"data_page_size": 16}, {"compression": "snappy"}]
)
@pytest.mark.parametrize("name", COUNTED)
@pytest.mark.parametrize("on_disk", [False, True])
def test_what_a_file_unpacks_to_is_counted(
    name: str, how: dict[str, Any], on_disk: bool, tmp_path: Path
) -> None:
    frame, count = COUNTED[name]
    data = written(frame, **how)
    (tmp_path / "a.parquet").write_bytes(data)
    told: list[tuple[int, int]] = []
    found = read_parquet(tmp_path / "a.parquet" if on_disk else data, lambda *each: told.append(each))
    assert found.equals(frame)
    assert told == [(frame.width, count)]


def test_what_the_pages_hold_is_counted_whatever_the_end_says() -> None:
    """The number of values stands in the metadata at the end too, where it may say one."""
    data = written(endless(3000, nested=False), statistics=False)
    number = bytes([0xF0, 0x2E])  # 3,000 as a variable-length integer of Thrift's, zigzag.
    end = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    lying = data[:end] + data[end:].replace(number, bytes([0x82, 0x00]))
    assert lying != data
    told: list[int] = []
    with pytest.raises((ValueError, OSError, pl.exceptions.PolarsError)):
        read_parquet(lying, lambda _, cells: told.append(cells) or (_ for _ in ()).throw(ValueError("seen")))  # type: ignore[func-returns-value]
    assert told[0] >= 3000


def test_endless_lists_are_refused_before_they_are_unpacked(run: Path, tmp_path: Path) -> None:
    """In a process that may not hold what they unpack to."""
    data = written(endless(60_000_000), compression="zstd", statistics=False)
    assert len(data) < 100_000
    (tmp_path / "bomb.parquet").write_bytes(data)
    code = (
        "import re, sys\n"
        "from salon.diagnosis.reading.files import read_cells\n"
        "from salon.store.run_files import read_table\n"
        "from pathlib import Path\n"
        "file = Path(sys.argv[1])\n"
        "for read in (read_cells, read_table):\n"
        "    try:\n"
        "        read(file)\n"
        "    except Exception as error:\n"
        "        print(type(error).__name__, '12' in str(error) and 'cells' in str(error))\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "bomb.parquet")],
        capture_output=True,
        text=True,
        check=False,
    )
    *errors, peak = done.stdout.split("\n")[:-1]
    assert errors == ["RecipeError True", "StoreError True"], done.stderr
    assert int(peak) < 400_000  # KiB; one of the two lists is 480 MB.
    with pytest.raises(RecipeError, match="cells"):
        load_benchmark("hpdv3", str(tmp_path / "bomb.parquet"))
    frame = pl.read_parquet(run / STEP)
    step = frame.with_columns(pl.lit(endless(1000)["x"]).first().alias("x")).with_columns(y=pl.struct("x"))
    (tmp_path / "step-000001.parquet").write_bytes(written(step))
    assert read_rollouts(tmp_path / "step-000001.parquet", 1).columns == frame.columns


ODD: dict[str, tuple[Callable[[int], pl.Series], Callable[[int], pl.Series]]] = {
    "lists and texts": (lambda n: pl.Series([[1]] * n), lambda n: pl.Series(["a"] * n)),
    "bytes and numbers": (lambda n: pl.Series([b"q"] * n), lambda n: pl.Series([1] * n)),
    "structs and numbers": (lambda n: pl.Series([{"a": 1}] * n), lambda n: pl.Series([1] * n)),
    "objects and nothing": (lambda n: pl.Series([None] * n), lambda n: pl.Series([[[]]] * n)),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("called", ["x", "x.raw", "total.x", "picture_file"])
def test_columns_that_are_none_of_a_record_are_left_out(
    run: Path, tmp_path: Path, name: str, called: str
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(run, folder)
    before = Run.open(folder).rollouts()
    for number, make in zip((1, 2), ODD[name], strict=True):
        file = folder / f"rollouts/step-{number:06d}.parquet"
        frame = pl.read_parquet(file)
        frame.with_columns(make(frame.height).alias(called)).write_parquet(file)
    assert Run.open(folder).rollouts().equals(before)


def test_no_damage_is_more_than_an_error(run: Path, tmp_path: Path) -> None:
    """Files with a byte or three flipped, in a process of their own."""
    code = """
import json, random, sys
from pathlib import Path
from salon.diagnosis.reading.files import read_cells
from salon.errors import RecipeError, StoreError
from salon.store.run_files import read_rollouts
data, file = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2])
found = {"read": 0, "refused": 0}
for seed in range(60):
    draw = random.Random(seed)
    spoiled = bytearray(data)
    for _ in range(draw.choice([1, 3])):
        spoiled[draw.randrange(len(spoiled))] = draw.randrange(256)
    file.write_bytes(spoiled)
    for read in (lambda file: read_rollouts(file, 1), read_cells):
        try:
            read(file)
            found["read"] += 1
        except (StoreError, RecipeError) as error:
            assert file.name in str(error)
            found["refused"] += 1
print(json.dumps(found))
"""
    assert random.Random(0).choice([1, 3]) in (1, 3)
    place = tmp_path / "step-000001.parquet"
    done = subprocess.run(
        [sys.executable, "-c", code, str(run / STEP), str(place)], capture_output=True, text=True, check=False
    )
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["read"] > 10
    assert found["refused"] > 10


def test_no_bit_of_a_file_ends_the_process() -> None:
    """A page of −5 values, in its header, made the reader ask for 2**61 bytes, and abort."""
    code = """
import io
import polars as pl
from salon.files.parquet import read_parquet
stream = io.BytesIO()
pl.DataFrame({"a": ["x", "y", None, "x"]}).write_parquet(stream)
whole = stream.getvalue()
read = 0
for at in range(len(whole)):
    for bit in (0, 2, 5, 7):
        spoiled = bytearray(whole)
        spoiled[at] ^= 1 << bit
        try:
            read += len(read_parquet(bytes(spoiled), lambda width, cells: None)) == 4
        except (OSError, ValueError, pl.exceptions.PolarsError):
            pass
print(read)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    assert int(done.stdout) > 500


def test_a_page_with_more_values_than_the_file_has_rows_is_damaged() -> None:
    data = written(pl.DataFrame({"a": ["x"] * 3000}), statistics=False)
    number = bytes([0xF0, 0x2E])  # 3,000 as a variable-length integer of Thrift's, zigzag.
    end = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    lying = data[:end] + data[end:].replace(number, bytes([0x82, 0x00]))
    assert lying != data
    with pytest.raises((ValueError, OSError, pl.exceptions.PolarsError)):
        read_parquet(lying, lambda *_: None)


def test_pages_without_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page may hold nothing: a few bytes of file for each, and two columns may be the same place."""
    monkeypatch.setattr("salon.files.parquet.MOST_PAGES", 40)
    small, many = (written(pl.DataFrame({"a": list(range(rows))}), data_page_size=8) for rows in (9, 3000))
    assert len(read_parquet(small, lambda *_: None)) == 9
    with pytest.raises(ValueError, match="more than 40 pages"):
        read_parquet(many, lambda *_: None)


def test_a_panic_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="it is damaged: range end index"), errors_of_panics():
        raise pl.exceptions.PanicException("range end index 5 out of range\nstack backtrace")


@pytest.mark.parametrize("cut", [8, 9, 12, 40, 200])
@pytest.mark.parametrize("junk", [b"", b"\xff" * 30, b"\x0c" * 30, b"\xf9" * 30, b"\x1c\x1c\x1c" * 10])
def test_damaged_metadata_are_an_error(cut: int, junk: bytes, tmp_path: Path) -> None:
    data = bytearray(written(pl.DataFrame({"a": [[1, 2]]})))
    at = len(data) - cut
    data[at : at + len(junk)] = junk[: max(0, cut - 8)]
    (tmp_path / "a.parquet").write_bytes(data)
    told: list[str] = []
    for read in (read_cells, read_table):
        try:
            read(tmp_path / "a.parquet")
        except (RecipeError, StoreError) as error:
            told.append(str(error))
    assert all("a.parquet" in each for each in told)
