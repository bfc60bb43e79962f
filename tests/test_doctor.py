"""The doctor's checks: each says what is there, and how to get what is not."""

import io
import json
from importlib import metadata
from pathlib import Path

import pytest
from rich.console import Console

from salon.environment import doctor
from salon.environment.doctor import Check, examine, show, to_json


@pytest.fixture(scope="module")
def checks() -> dict[str, Check]:
    return {check.name: check for check in examine()}


def test_what_pip_installed_is_named_with_its_version(checks: dict[str, Check]) -> None:
    for name in ("numpy", "polars", "pydantic"):
        assert f"{name} {metadata.version(name)}" in checks["libraries"].detail
    assert checks["libraries"].state == checks["onnxruntime"].state == "ok"


def test_every_check_that_is_not_fine_has_a_remedy(checks: dict[str, Check]) -> None:
    assert all(bool(check.remedy) == (check.state != "ok") for check in checks.values())


def test_json_is_the_same_checks(checks: dict[str, Check]) -> None:
    listed = json.loads(to_json(list(checks.values())))
    assert [entry["name"] for entry in listed] == list(checks)
    assert set(listed[0]) == {"name", "state", "detail", "remedy"}


def test_a_wrongly_named_chromium_is_broken_and_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SALON_CHROMIUM", str(tmp_path / "nowhere"))
    checks = {check.name: check for check in examine()}
    assert checks["chromium"].state == "broken"
    assert "nowhere" in checks["chromium"].remedy
    assert checks["python"].state == "ok"


def test_without_the_train_extra_training_is_absent_not_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "TRAINING", ("salon", "no-such-package"))
    training = {check.name: check for check in examine()}["training"]
    assert training.state == "absent"
    assert training.detail == "without no-such-package"
    assert "train" in training.remedy


def test_the_table_shows_the_remedy_below_what_is_wrong() -> None:
    console = Console(width=80, record=True, file=io.StringIO())
    show([Check("pool", "broken", "not [found]", "run: salon setup"), Check("npm", "ok", "11")], console)
    lines = console.export_text().splitlines()
    assert lines[0].split() == ["✗", "pool", "not", "[found]"]
    assert lines[1].split() == ["→", "run:", "salon", "setup"]
    assert lines[2].split() == ["✓", "npm", "11"]
