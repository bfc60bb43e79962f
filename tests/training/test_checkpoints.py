"""Which checkpoints count after a kill."""

import hashlib
import json
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from salon.errors import StoreError
from salon.store.runs import Run
from salon.training.checkpoints import folder_of, go_back, last_whole, mark_complete, seal


@pytest.mark.parametrize("mark", ["", "{", "[]", "{}", None])
def test_a_checkpoint_with_a_damaged_mark_does_not_count(tmp_path: Path, mark: str | None) -> None:
    run = Run.create(tmp_path / "run", {"recipe": {}})
    half = folder_of(run) / "checkpoint-2"
    half.mkdir(parents=True)
    if mark is not None:
        (half / "salon.json").write_text(mark)
    assert go_back(run, 1) == (None, 0)
    assert not half.exists()


def test_a_step_whose_metrics_were_not_written_is_done_again(tmp_path: Path) -> None:
    """Ctrl-C between a step's rollouts and its line of metrics, with a whole checkpoint of that step."""
    run = Run.create(tmp_path / "run", {"recipe": {}})
    for step in (1, 2):
        checkpoint(run, step)
    lines = (run.path / "metrics.jsonl").read_text("utf-8").splitlines(keepends=True)
    (run.path / "metrics.jsonl").write_text(lines[0], "utf-8")
    assert go_back(run, 1) == (folder_of(run) / "checkpoint-1", 1)
    assert run.steps() == [1]
    assert not (folder_of(run) / "checkpoint-2").exists()


WEIGHTS, STATE, TRAINER, RANDOM = "model.safetensors", "optimizer.pt", "trainer_state.json", "rng_state.pth"


def archive(path: Path) -> None:
    """Written as torch writes: a zip file."""
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("archive/data", os.urandom(400))


def checkpoint(run: Run, step: int, with_hashes: bool = True) -> Path:
    """A checkpoint's files, in the formats that they have, of a recorded step."""
    run.write_step(step, [], [], {"reward": 0.5})
    folder = folder_of(run) / f"checkpoint-{step}"
    folder.mkdir(parents=True)
    header = json.dumps({"w": {"dtype": "F32", "shape": [64], "data_offsets": [0, 256]}}).encode()
    (folder / WEIGHTS).write_bytes(len(header).to_bytes(8, "little") + header + os.urandom(256))
    (folder / TRAINER).write_text(json.dumps({"global_step": step}))
    for name in (STATE, RANDOM, "scheduler.pt"):
        archive(folder / name)
    mark_complete(folder_of(run), step, step, 1)
    if not with_hashes:
        (folder / "salon.json").write_text(json.dumps({"step": step, "ranks": 1}))
    return folder


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def grow(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\0")


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def to_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def to_link(path: Path) -> None:
    beside = path.parents[2] / "elsewhere"
    path.rename(beside)
    path.symlink_to(beside)


def to_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


DAMAGE = {
    "cut": cut,
    "emptied": lambda path: os.truncate(path, 0),
    "gone": lambda path: path.unlink(),
    "grown": grow,
    "flipped": flip,
    "a folder": to_folder,
    "a link": to_link,
    "a pipe": to_pipe,
}


@pytest.mark.parametrize("how", DAMAGE)
@pytest.mark.parametrize("name", [WEIGHTS, STATE, TRAINER, RANDOM])
def test_a_torn_checkpoint_is_passed_over_for_the_one_before(tmp_path: Path, name: str, how: str) -> None:
    run = Run.create(tmp_path / "run", {"recipe": {}})
    folders = [checkpoint(run, step) for step in (1, 2, 3)]
    DAMAGE[how](folders[2] / name)
    told: list[str] = []
    assert go_back(run, 1, told.append) == (folders[1], 2)
    assert run.steps() == run.metrics()["step"].to_list() == [1, 2]
    assert not folders[2].exists()
    assert "checkpoint-3 is damaged" in told[0]
    assert name in told[0]


@pytest.mark.parametrize("how", ["cut", "emptied", "gone", "a folder", "a pipe"])
@pytest.mark.parametrize("name", [WEIGHTS, STATE, TRAINER, RANDOM])
def test_one_without_hashes_is_looked_at_by_its_formats(tmp_path: Path, name: str, how: str) -> None:
    run = Run.create(tmp_path / "run", {"recipe": {}})
    folders = [checkpoint(run, step, with_hashes=False) for step in (1, 2)]
    assert go_back(run, 1) == (folders[1], 2)
    DAMAGE[how](folders[1] / name)
    assert go_back(run, 1) == (folders[0], 1)


def test_when_none_is_whole_the_run_begins_again(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", {"recipe": {}})
    for step in (1, 2):
        cut(checkpoint(run, step) / STATE)
    told: list[str] = []
    assert go_back(run, 1, told.append) == (None, 0)
    assert len(told) == 2
    assert run.steps() == []


@pytest.mark.parametrize("at", ["checkpoints", "checkpoints/checkpoint-2"])
def test_a_link_to_somebody_elses_folder_is_refused_and_nothing_is_removed(tmp_path: Path, at: str) -> None:
    run = Run.create(tmp_path / "run", {"recipe": {}})
    checkpoint(run, 1)
    theirs = tmp_path / "theirs"
    (theirs / "checkpoint-7").mkdir(parents=True)
    (theirs / "checkpoint-7" / "precious").write_text("mine")
    place = run.path / at
    if place.exists():
        shutil.rmtree(place)
    place.symlink_to(theirs if at == "checkpoints" else theirs / "checkpoint-7")
    with pytest.raises(StoreError, match="link"):
        go_back(run, 1)
    assert (theirs / "checkpoint-7" / "precious").read_text() == "mine"


@pytest.mark.parametrize(
    "mark",
    [
        '{"step": 1e999, "ranks": 1}',
        '{"step": "2", "ranks": 1}',
        '{"step": true, "ranks": 1}',
        '{"step": 2, "ranks": 1, "files": []}',
        '{"step": 2, "ranks": 1, "files": {"../../x": [1, "a"]}}',
        '{"step": 2, "ranks": 1, "files": {"model.safetensors": 3}}',
        "[" * 5000,
    ],
)
def test_a_mark_of_any_kind_is_no_proof(tmp_path: Path, mark: str) -> None:
    run = Run.create(tmp_path / "run", {"recipe": {}})
    first, second = checkpoint(run, 1), checkpoint(run, 2)
    (second / "salon.json").write_text(mark)
    assert go_back(run, 1) == (first, 1)


def test_a_checkpoint_of_the_warm_start_is_passed_over_too(tmp_path: Path) -> None:
    root = tmp_path / "checkpoints"
    for step in (1, 2):
        (root / f"step-{step:06d}").mkdir(parents=True)
        (root / f"step-{step:06d}" / "optimizer.pt").write_bytes(b"x" * 100)
        seal(root / f"step-{step:06d}", step)
    told: list[str] = []

    def last() -> object:
        return last_whole(root, "step-??????", told.append, lambda path: path.name)

    assert last() == (root / "step-000002", "step-000002")
    cut(root / "step-000002" / "optimizer.pt")
    assert last() == (root / "step-000001", "step-000001")
    assert "optimizer.pt" in told[0]


def test_what_cannot_be_opened_is_passed_over_whatever_it_raises(tmp_path: Path) -> None:
    root = tmp_path / "checkpoints"
    for step in (1, 2, 3):
        (root / f"step-{step:06d}").mkdir(parents=True)
        (root / f"step-{step:06d}" / "optimizer.pt").write_bytes(b"x" * 100)
        seal(root / f"step-{step:06d}", step)
    told: list[str] = []

    def opened(path: Path) -> str:
        if path.name != "step-000001":
            raise [KeyError("optimizer"), RuntimeError("of another shape")][path.name == "step-000002"]
        return "here"

    assert last_whole(root, "step-??????", told.append, opened) == (root / "step-000001", "here")
    assert [each.split("(")[1][:12] for each in told] == ["KeyError: 'o", "RuntimeError"]
    run = Run.create(tmp_path / "run", {"recipe": {}})
    folders = [checkpoint(run, step, with_hashes=False) for step in (1, 2)]

    def opens(path: Path) -> None:
        if path == folders[1]:
            raise EOFError("ran out of input")

    assert go_back(run, 1, told.append, opens=opens) == (folders[0], 1)
    assert "checkpoint-2 is damaged (EOFError: ran out of input)" in told[2]


FLAWED = {
    "no header": {},
    "offsets of one number": {"w": {"dtype": "F32", "shape": [64], "data_offsets": [256]}},
    "no offsets": {"w": {"dtype": "F32", "shape": [64]}},
    "a tensor that is a number": {"w": 7},
    "another shape": {"w": {"dtype": "F32", "shape": [65], "data_offsets": [0, 256]}},
    "a gap": {"w": {"dtype": "F32", "shape": [63], "data_offsets": [4, 256]}},
    "negative": {"w": {"dtype": "F32", "shape": [64], "data_offsets": [-256, 0]}},
    "words": {"w": {"dtype": "F32", "shape": "64", "data_offsets": ["0", "256"]}},
}


@pytest.mark.parametrize("header", FLAWED)
def test_weights_whose_header_tells_of_others_are_damaged(tmp_path: Path, header: str) -> None:
    run = Run.create(tmp_path / "run", {"recipe": {}})
    folders = [checkpoint(run, step, with_hashes=False) for step in (1, 2)]
    written = json.dumps(FLAWED[header]).encode()
    (folders[1] / WEIGHTS).write_bytes(len(written).to_bytes(8, "little") + written + os.urandom(256))
    told: list[str] = []
    assert go_back(run, 1, told.append) == (folders[0], 1)
    assert "checkpoint-2 is damaged (model.safetensors: " in told[0]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("config.json", b'{"hidden": 3'),
        ("config.json", b"[" * 100_000),
        ("tokenizer.json", b""),
        ("training_args.bin", b"PK\x03\x04 and no more"),
        ("scaler.pt", b"\x80\x02}q"),
        ("model.safetensors.index.json", b'{"weight_map": {"w": "model-2.safetensors"}}'),
        ("model.safetensors.index.json", b'{"weight_map": ["w"]}'),
        ("trainer_state.json", b"[3]"),
        ("optimizer.pt", b"PK\x05\x06" + b"\xff" * 18),
    ],
)
def test_any_torn_file_of_one_without_hashes_is_found(tmp_path: Path, name: str, data: bytes) -> None:
    run = Run.create(tmp_path / "run", {"recipe": {}})
    folders = [checkpoint(run, step, with_hashes=False) for step in (1, 2)]
    (folders[1] / name).write_bytes(data)
    told: list[str] = []
    assert go_back(run, 1, told.append) == (folders[0], 1)
    assert "checkpoint-2 is damaged" in told[0]


def test_a_byte_in_the_middle_of_a_large_file_is_missed_nowhere(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", {"recipe": {}})
    folders = [checkpoint(run, step) for step in (1, 2)]
    large = folders[1] / "more.safetensors"
    with large.open("wb") as file:
        file.truncate(200_000_000)
    mark_complete(folder_of(run), 2, 2, 1)
    assert go_back(run, 1) == (folders[1], 2)
    with large.open("r+b") as file:
        file.seek(100_000_000)
        file.write(b"\1")
    assert go_back(run, 1) == (folders[0], 1)


def test_hashes_of_both_ends_are_still_read(tmp_path: Path) -> None:
    """As older checkpoints have them."""
    run = Run.create(tmp_path / "run", {"recipe": {}})
    folder = checkpoint(run, 1)
    large = folder / "more.safetensors"
    with large.open("wb") as file:
        file.truncate(130_000_000)
    mark_complete(folder_of(run), 1, 1, 1)
    mark = json.loads((folder / "salon.json").read_text())
    ends = hashlib.blake2b(b"\0" * 128_000_000, digest_size=16).hexdigest()
    assert mark["files"][large.name][1] != ends
    mark["files"][large.name][1] = ends
    del mark["hashed"]
    (folder / "salon.json").write_text(json.dumps(mark))
    assert go_back(run, 1) == (folder, 1)


@pytest.mark.parametrize("with_hashes", [True, False])
@pytest.mark.parametrize("state", [10**9, -1, 3, "2", None, 2.0, True])
def test_the_trainers_step_must_be_the_one_of_its_name(
    tmp_path: Path, state: object, with_hashes: bool
) -> None:
    run = Run.create(tmp_path / "run", {"recipe": {}})
    folders = [checkpoint(run, step, with_hashes) for step in (1, 2)]
    (folders[1] / TRAINER).write_text(json.dumps({"global_step": state}))
    if with_hashes:
        mark_complete(folder_of(run), 2, 2, 1)
    told: list[str] = []
    assert go_back(run, 1, told.append) == (folders[0], 1)
    assert "checkpoint-2 is not of this run (trainer_state.json has global_step" in told[0]


@pytest.mark.parametrize(("update", "step"), [(10**9, 10**9), (2, 10**9), (2, -1), (2, 0), (10**9, 2)])
def test_a_step_that_is_not_of_this_run_is_said(tmp_path: Path, update: int, step: int) -> None:
    run = Run.create(tmp_path / "run", {"recipe": {}})
    folders = [checkpoint(run, number) for number in (1, 2)]
    stranger = folders[1].rename(folders[1].with_name(f"checkpoint-{update}"))
    (stranger / TRAINER).write_text(json.dumps({"global_step": update}))
    mark_complete(folder_of(run), update, step, 1)
    told: list[str] = []
    assert go_back(run, 1, told.append) == (folders[0], 1)
    assert f"checkpoint-{update} is not of this run" in told[0]
    assert not stranger.exists()


def test_a_step_may_take_several_updates(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", {"recipe": {}})
    folder = checkpoint(run, 1)
    folder = folder.rename(folder.with_name("checkpoint-4"))
    (folder / TRAINER).write_text(json.dumps({"global_step": 4}))
    mark_complete(folder_of(run), 4, 1, 1)
    assert go_back(run, 1, updates=4) == (folder, 1)
    assert go_back(run, 1, updates=2) == (None, 0)
