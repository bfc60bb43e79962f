"""The examples run, and do what they say."""

import importlib.util
from pathlib import Path
from statistics import fmean
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.fixture(scope="module")
def loop() -> ModuleType:
    spec = importlib.util.spec_from_file_location("loop_example", EXAMPLES / "loop.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_loop_is_small() -> None:
    assert len((EXAMPLES / "loop.py").read_text().splitlines()) <= 200


def test_the_loop_learns_and_says_so(loop: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    curve = loop.train(steps=14)
    assert fmean(curve[-4:]) > fmean(curve[:2]) + 0.3
    assert fmean(curve[-4:]) > 0.6
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 14
    assert lines[0].startswith("step  0  reward 0.")


def test_without_an_update_it_does_not_rise(loop: ModuleType) -> None:
    curve = loop.train(steps=6, learning_rate=0.0)
    assert abs(fmean(curve[-3:]) - fmean(curve[:3])) < 0.1


def test_the_loop_repeats(loop: ModuleType) -> None:
    assert loop.train(steps=2, seed=3) == loop.train(steps=2, seed=3)
