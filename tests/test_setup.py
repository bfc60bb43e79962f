"""Set-up: what is found, what would be installed, and how a failure reads."""

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import salon
from salon import installed
from salon.environment import setup
from salon.errors import SetupError

ROOT = Path(__file__).resolve().parents[1]


def program(path: Path, script: str) -> Path:
    """A small executable."""
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """salon as a wheel installs it: no checkout around it, and the lock file inside the package."""
    package = tmp_path / "site" / "salon"
    shutil.copytree(
        Path(salon.__file__).parent, package, ignore=shutil.ignore_patterns("data", "__pycache__")
    )
    (package / "data" / "npm").mkdir(parents=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / name, package / "data" / "npm" / name)
    return tmp_path


def run_elsewhere(home: Path, code: str, path: str) -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": path,
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "share"),
        "XDG_CACHE_HOME": str(home / "cache"),
    }
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(home / 'site')!r})\n{code}"]
    return subprocess.run(
        command, env=environment, cwd=home, capture_output=True, text=True, timeout=60, check=False
    )


def test_the_lock_pins_a_version_and_a_hash_for_everything_and_names_no_registry() -> None:
    text = (ROOT / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(text)["packages"]
    for name, entry in packages.items():
        if name:
            assert entry["integrity"].startswith("sha512-"), name
    assert "resolved" not in text
    wanted = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert {name: wanted[name] for name in installed.LIBRARIES} == installed.pinned_libraries()


def test_the_constraints_pin_every_package_exactly_and_name_no_source() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert "torch==2.13.0" in pins
    assert all(pin.count("==") == 1 and "/" not in pin and "@" not in pin for pin in pins)


def test_a_named_chromium_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = program(tmp_path / "my-chromium", "exit 0")
    monkeypatch.setenv("SALON_CHROMIUM", str(mine))
    assert installed.find_chromium() == mine


@pytest.mark.parametrize("kind", ["missing", "not executable", "folder"])
def test_a_wrongly_named_chromium_is_refused(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / "chromium"
    if kind == "not executable":
        named.write_text("", encoding="utf-8")
    if kind == "folder":
        named.mkdir()
    monkeypatch.setenv("SALON_CHROMIUM", str(named))
    with pytest.raises(SetupError, match="SALON_CHROMIUM"):
        installed.find_chromium()


def test_chromium_is_found_on_the_path_or_among_playwrights_builds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SALON_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "builds"))
    monkeypatch.setattr(installed, "MAC_PATHS", ())
    assert installed.find_chromium() is None
    build = tmp_path / "builds" / "chromium-1200" / "chrome-linux64"
    build.mkdir(parents=True)
    assert installed.find_chromium() is None
    own = program(build / "chrome", "exit 0")
    assert installed.find_chromium() == own
    system = program(tmp_path / "chromium", "exit 0")
    assert installed.find_chromium() == system


@pytest.mark.parametrize("there", [True, False])
def test_playwright_is_fetched_only_where_it_has_to_get_a_chromium(
    there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup, "_distribution", lambda: "ubuntu debian")
    monkeypatch.setattr(setup, "root_prefix", lambda: ("sudo", "-n"))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object() if there else None)
    commands = [
        " ".join(command).replace(sys.executable, "python") for command in setup.chromium_plan().commands
    ]
    get = [] if there else ["python -m pip install --quiet playwright"]
    assert commands == [
        *get,
        "sudo -n python -m playwright install-deps chromium",
        "python -m playwright install chromium",
    ]
    monkeypatch.setattr(setup, "root_prefix", lambda: None)
    assert ("pip install" in setup.chromium_plan().explanation) == (not there)


def test_a_failing_installation_tells_its_last_lines(tmp_path: Path) -> None:
    failing = program(tmp_path / "npm", "echo 'npm error network timeout'; exit 7")
    with pytest.raises(SetupError, match=r"(?s)exit code 7.*network timeout"):
        setup.run((str(failing), "ci"), tmp_path)


def test_a_missing_program_is_a_setup_error(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="no-such-npm"):
        setup.run((str(tmp_path / "no-such-npm"), "ci"), tmp_path)


def test_outside_a_checkout_npm_runs_in_the_users_data_folder(elsewhere: Path) -> None:
    tools = elsewhere / "tools"
    tools.mkdir()
    program(tools / "chromium", "exit 0")
    versions = installed.pinned_libraries()
    lay_down = "\n".join(
        f"mkdir -p node_modules/{name}\n"
        f'echo \'{{"version": "{version}"}}\' > node_modules/{name}/package.json'
        for name, version in versions.items()
    )
    program(tools / "npm", f"test -f package-lock.json || exit 9\n{lay_down}")
    code = (
        "from rich.console import Console; from salon.environment.setup import set_up\n"
        "print(set_up(Console(), explain=True)); print(set_up(Console())); print(set_up(Console()))"
    )
    done = run_elsewhere(elsewhere, code, f"{tools}{os.pathsep}/usr/bin{os.pathsep}/bin")
    assert done.returncode == 0, done.stderr
    answers = [line for line in done.stdout.splitlines() if line in ("True", "False")]
    assert answers == ["False", "True", "True"]
    assert done.stdout.count("would run") == 1
    assert done.stdout.count("running") == 1
    assert (elsewhere / "share" / "salon" / "node_modules" / "p5.brush").is_dir()


def test_an_extra_is_added_to_the_checkout_or_to_the_wheel(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert installed.install_command("train") == "pip install -e '.[train]'"
    monkeypatch.chdir(elsewhere)
    assert installed.install_command("ocr") == f"pip install -e '{ROOT}[ocr]'"
    code = "from salon.installed import install_command; print(install_command('train'))"
    assert run_elsewhere(elsewhere, code, "/usr/bin").stdout == "pip install 'salon[train]'\n"


def test_without_npm_and_root_set_up_explains(elsewhere: Path) -> None:
    code = (
        "import salon.environment.setup as s; from rich.console import Console\n"
        "s.root_prefix = lambda: None; print(s.set_up(Console(width=400)))"
    )
    done = run_elsewhere(elsewhere, code, str(elsewhere))
    assert done.returncode == 0, done.stderr
    assert "SALON_CHROMIUM" in done.stdout
    assert "install Node.js" in done.stdout
    assert done.stdout.splitlines()[-1] == "False"


def test_a_wrongly_named_npm_folder_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SALON_NODE_MODULES", str(tmp_path))
    assert installed.stale_libraries() == [f"{k} {v}" for k, v in installed.pinned_libraries().items()]
    plan = setup.libraries_plan()
    assert plan.commands == ()
    assert "SALON_NODE_MODULES" in plan.explanation
