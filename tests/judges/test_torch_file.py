import io
import os
import pickle
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from salon.judges.learned.efficientnet import build_graph, weights_path
from salon.judges.learned.torch_file import read_state_dict


def test_the_published_weights_are_read_whole() -> None:
    weights = read_state_dict(weights_path())
    assert len(weights) == 296
    assert weights["_conv_stem.weight"].shape == (32, 3, 3, 3)
    assert weights["_fc.bias"].dtype == np.float32
    assert all(np.isfinite(tensor).all() for tensor in weights.values())


class Evil:
    def __reduce__(self) -> tuple[object, ...]:
        import os

        return os.mkdir, ("pwned",)


def test_a_checkpoint_cannot_run_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    head = pickle.dumps(0x1950A86A20F9469CFC6C, 2) + pickle.dumps(1001, 2) + pickle.dumps({}, 2)
    for evil in (head + pickle.dumps(Evil(), 2), pickle.dumps(Evil(), 2)):
        (tmp_path / "evil.pth").write_bytes(evil)
        with pytest.raises(ValueError, match=r"posix\.mkdir"):
            read_state_dict(tmp_path / "evil.pth")
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("keep", [0, 10, 5_000, 60_000, 1_000_000])
def test_a_file_cut_short_is_refused(tmp_path: Path, keep: int) -> None:
    (tmp_path / "cut.pth").write_bytes(weights_path().read_bytes()[:keep])
    with pytest.raises(ValueError, match=r"cut|serial format"):
        read_state_dict(tmp_path / "cut.pth")


def test_the_network_takes_exactly_its_own_tensors() -> None:
    weights = read_state_dict(weights_path())
    with pytest.raises(ValueError, match="no place for"):
        build_graph({**weights, "extra.weight": np.zeros(3, np.float32)})
    with pytest.raises(ValueError, match=r"_fc\.bias should have shape"):
        build_graph({name: w for name, w in weights.items() if name != "_fc.bias"})
    with pytest.raises(ValueError, match=r"_fc\.bias should have shape"):
        build_graph({**weights, "_fc.bias": np.zeros(10, np.float32)})


def checkpoint(
    shape: Any, stride: Any, offset: Any = 0, length: Any = 4, keys: Any = None, dtype: Any = None
) -> bytes:
    """A file of one tensor over a storage of four numbers, written by hand as the serial format is."""

    class Storage:
        def __reduce__(self) -> str:
            raise AssertionError

    class Pickler(pickle._Pickler):  # type: ignore[name-defined,misc]
        def persistent_id(self, value: Any) -> Any:
            if isinstance(value, Storage):
                return ("storage", dtype or Named("torch", "FloatStorage"), "0", "cpu", length, None)
            return None

        def save(self, value: Any, save_persistent_id: bool = True) -> None:
            if isinstance(value, Named):
                self.write(b"c" + value.module.encode() + b"\n" + value.name.encode() + b"\n")
                return
            super().save(value, save_persistent_id)

    class Tensor:
        def __reduce__(self) -> tuple[Any, ...]:
            return Named("torch._utils", "_rebuild_tensor_v2"), (
                Storage(),
                offset,
                shape,
                stride,
                False,
                None,
            )

    stream = io.BytesIO()
    for value in (0x1950A86A20F9469CFC6C, 1001, {}):
        stream.write(pickle.dumps(value, 2))
    pickler = Pickler(stream, 2)
    reduced = Tensor().__reduce__()
    pickler.proto, pickler.bin = 2, 1
    pickler.write(b"\x80\x02}X\x01\x00\x00\x00w")
    pickler.save(reduced[0])
    pickler.save(reduced[1])
    pickler.write(b"Rs.")
    stream.write(pickle.dumps(["0"] if keys is None else keys, 2))
    stream.write((4).to_bytes(8, "little") + np.arange(4, dtype="<f4").tobytes())
    return stream.getvalue()


@dataclass(frozen=True)
class Named:
    module: str
    name: str

    def __call__(self) -> None:
        raise AssertionError


def test_a_tensor_written_by_hand_is_read(tmp_path: Path) -> None:
    (tmp_path / "w.pth").write_bytes(checkpoint((2, 2), (1, 2)))
    assert read_state_dict(tmp_path / "w.pth")["w"].tolist() == [[0.0, 2.0], [1.0, 3.0]]
    (tmp_path / "w.pth").write_bytes(checkpoint((0, 10**12), (1, 1)))
    assert read_state_dict(tmp_path / "w.pth")["w"].shape == (0, 10**12)


TRICKS: dict[str, dict[str, Any]] = {
    "a stride of 0": {"shape": (1_000_000_000,), "stride": (0,)},
    "strides of 0": {"shape": (30_000, 30_000), "stride": (0, 0)},
    "five over four": {"shape": (5,), "stride": (0,)},
    "a negative size": {"shape": (-1,), "stride": (1,)},
    "a negative stride": {"shape": (2,), "stride": (-1,)},
    "an offset behind the end": {"shape": (1,), "stride": (1,), "offset": 4},
    "a negative offset": {"shape": (1,), "stride": (1,), "offset": -1},
    "an offset of text": {"shape": (1,), "stride": (1,), "offset": "0"},
    "a shape of fractions": {"shape": (1.5,), "stride": (1,)},
    "a shape of truths": {"shape": (True,), "stride": (1,)},
    "a shape of text": {"shape": "11", "stride": (1, 1)},
    "more strides than sizes": {"shape": (1,), "stride": (1, 1)},
    "a thousand dimensions": {"shape": (1,) * 1000, "stride": (1,) * 1000},
    "a size beyond all": {"shape": (10**30,), "stride": (10**30,)},
    "a negative storage": {"shape": (1,), "stride": (1,), "length": -1},
    "a storage beyond all": {"shape": (1,), "stride": (1,), "length": 10**15},
    "a storage that is not there": {"shape": (1,), "stride": (1,), "keys": []},
    "a storage too many": {"shape": (1,), "stride": (1,), "keys": ["0", "1"]},
    "a storage twice": {"shape": (1,), "stride": (1,), "keys": ["0", "0"]},
    "keys that are none": {"shape": (1,), "stride": (1,), "keys": 3},
    "a type of text": {"shape": (1,), "stride": (1,), "dtype": "float"},
}


_READ = """
import re, resource, sys
from pathlib import Path
from salon.judges.learned.torch_file import read_state_dict
has = 1024 * int(re.search(r'VmSize:\\s+(\\d+)', open('/proc/self/status').read())[1])
resource.setrlimit(resource.RLIMIT_AS, (has + 200_000_000,) * 2)
for file in sorted(Path(sys.argv[1]).iterdir()):
    try:
        told = f"read {read_state_dict(file)['w'].shape}"
    except (ValueError, MemoryError) as error:
        told = f"{type(error).__name__}: {error}"
    print(file.stem, told, sep=" = ")
"""


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What a process that may take 200 MB more says of each trick."""
    folder = tmp_path_factory.mktemp("tricks")
    for name, trick in TRICKS.items():
        (folder / f"{name}.pth").write_bytes(checkpoint(**trick))
    done = subprocess.run([sys.executable, "-c", _READ, str(folder)], capture_output=True, check=True)
    return dict(line.split(" = ", 1) for line in done.stdout.decode().splitlines())


@pytest.mark.parametrize("name", TRICKS)
def test_a_tensor_that_no_storage_holds_is_refused(refused: dict[str, str], name: str) -> None:
    assert re.match(r"ValueError: .*(tensor|checkpoint)", refused[name]), refused[name]


def test_a_weights_file_is_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pth")
    for place in (tmp_path / "pipe.pth", tmp_path, Path("/dev/zero")):
        with pytest.raises(ValueError, match="and a file is wanted"):
            read_state_dict(place)


def test_bytes_that_break_an_unpickler_are_refused(tmp_path: Path) -> None:
    head = pickle.dumps(0x1950A86A20F9469CFC6C, 2)
    bad = [b"(" * 100_000 + b".", b"\x8e" + b"\xff" * 8, b"0."]
    bad += [head + b"\x80\x02" + b"]" * 50_000, head + b"jxxxx."]
    for data in bad:
        (tmp_path / "w.pth").write_bytes(data)
        with pytest.raises(ValueError, match="serial format"):
            read_state_dict(tmp_path / "w.pth")
