"""The examples run, and do what they say."""

import importlib.util
import json
from pathlib import Path
from statistics import fmean
from types import ModuleType

import pytest
from typer.testing import CliRunner

from salon.cli import app
from salon.store.runs import Run

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


def test_the_loop_leaves_a_run_that_the_commands_read(loop: ModuleType, tmp_path: Path) -> None:
    folder = str(tmp_path / "loop")
    for _ in range(2):
        loop.train(steps=3, folder=folder)
    assert Run.open(folder).steps() == [0, 1, 2]
    lighter = loop.make_reward("the shelf of examples/loop.py")
    lighter["terms"]["colour"]["weight"] = 0.1
    (tmp_path / "lighter.yaml").write_text(json.dumps({"reward": lighter}))
    for command in ("report", "export", "diagnose", f"rescore --recipe {tmp_path}/lighter.yaml"):
        done = CliRunner().invoke(app, [*command.split(), folder])
        assert done.exit_code == 0, (command, done.output, done.exception)
    assert len(list((tmp_path / "loop-export").glob("best-*.png"))) == 5


def test_without_an_update_it_does_not_rise(loop: ModuleType) -> None:
    curve = loop.train(steps=6, learning_rate=0.0)
    assert abs(fmean(curve[-3:]) - fmean(curve[:3])) < 0.1


def test_the_loop_repeats(loop: ModuleType) -> None:
    assert loop.train(steps=2, seed=3) == loop.train(steps=2, seed=3)
