import pickle
from pathlib import Path

import numpy as np
import pytest

from salon.judges.efficientnet import build_graph, weights_path
from salon.judges.torch_file import read_state_dict


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
