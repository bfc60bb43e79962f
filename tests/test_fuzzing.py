"""A short slice of each fuzzer, always of the same seed. `make fuzz` goes on for minutes with a new one."""

from pathlib import Path

import pytest

import fuzzing
from salon.media.p5.libraries import node_modules

BROWSED = [
    pytest.param(name, marks=pytest.mark.browser) if name == "paintings" else name for name in fuzzing.TARGETS
]


@pytest.mark.parametrize("name", BROWSED)
def test_nothing_hostile_breaks_what_reads_it(name: str, tmp_path: Path) -> None:
    if name in ("sketches", "paintings") and not (node_modules() / "p5.brush").is_dir():
        pytest.skip("needs the npm packages")
    count = fuzzing.TARGETS[name].slice
    assert fuzzing.run(name, seed=11, seconds=60, texts=count, found=tmp_path / "found.txt") == ""


def test_a_fuzzer_notices_what_breaks(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        fuzzing.must_be_plain(["\ud800"])
    with pytest.raises(ValueError, match="JSON"):
        fuzzing.must_be_plain({"a": float("nan")})
    with pytest.raises(TypeError):
        fuzzing.must_be_plain([object()])
