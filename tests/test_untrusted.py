"""Files that may be somebody else's: what is read of them, and how much."""

import os
import tracemalloc
from pathlib import Path

import pytest

from salon.files.untrusted import UntrustedInputError, read_file


@pytest.mark.parametrize("size", [0, 1, 4096, 3_000_000])
def test_a_file_is_read_whole_up_to_the_limit(tmp_path: Path, size: int) -> None:
    path = tmp_path / "some"
    path.write_bytes(data := os.urandom(size))
    assert read_file(path, most=size) == data
    if size:
        with pytest.raises(UntrustedInputError, match="are the most that is read"):
            read_file(path, most=size - 1)


@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="needs /proc")
def test_a_file_that_says_no_size_is_read_whole_and_bounded() -> None:
    assert Path("/proc/self/status").stat().st_size == 0
    whole = read_file("/proc/self/status")
    assert whole.startswith(b"Name:")
    assert b"Threads:" in whole
    with pytest.raises(UntrustedInputError, match="grew beyond 100 bytes"):
        read_file("/proc/self/status", most=100)


def test_no_more_memory_is_taken_than_the_file_needs(tmp_path: Path) -> None:
    (tmp_path / "some").write_bytes(b"x" * 1000)
    tracemalloc.start()
    try:
        read_file(tmp_path / "some", most=500_000_000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000
