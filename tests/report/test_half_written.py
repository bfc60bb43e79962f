"""A folder that could not be written whole is not there: the same command goes on."""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from recorded import learning_run

from salon.files.outputs import WriteError, new_folder


def limited(size: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def salon(folder: Path, *words: object, size: int = -1) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "salon.cli", *map(str, words)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=(lambda: limited(size)) if size >= 0 else None,
    )


@pytest.mark.parametrize("out", ["new", "empty"])
def test_an_export_that_fails_can_be_started_again(tmp_path: Path, out: str) -> None:
    run = learning_run(tmp_path / "run", steps=2).path
    (tmp_path / "empty").mkdir()
    before = set(tmp_path.rglob("*"))
    for size in (0, 50, 1000):
        failed = salon(tmp_path, "export", run, "-o", out, size=size)
        assert failed.returncode
        assert "Free some space" in failed.stderr
        assert set(tmp_path.rglob("*")) == before
    assert salon(tmp_path, "export", run, "-o", out).returncode == 0
    assert (tmp_path / out / "index.json").exists()


def test_a_folder_is_there_once_it_is_whole(tmp_path: Path) -> None:
    place = tmp_path / "a" / "b"
    with new_folder(place) as folder:
        (folder / "x").write_text("x")
        (folder / "y").mkdir()
        assert not place.exists()
    assert sorted(each.name for each in place.iterdir()) == ["x", "y"]
    assert [each.name for each in place.parent.iterdir()] == ["b"]
    with pytest.raises(WriteError), new_folder(tmp_path / "c") as folder:
        (folder / "x" / "y").write_text("no folder x")
    assert not (tmp_path / "c").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteError, match="file"), new_folder(tmp_path / "file" / "d"):
        pass
    assert sorted(os.listdir(tmp_path)) == ["a", "file"]
