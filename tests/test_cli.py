"""The command line: how it answers mistakes, and what it exits with."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import salon
from salon.installed import install_command


def run(
    *arguments: str, code: str = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code] if code else [sys.executable, "-m", "salon.cli", *arguments]
    environment = {**os.environ, **(env or {})}
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        env=environment,
        check=False,
    )


def test_version() -> None:
    assert run("--version").stdout == f"salon {salon.__version__}\n"


def test_no_arguments_show_the_commands() -> None:
    done = run()
    assert "setup" in done.stdout + done.stderr
    assert "doctor" in done.stdout + done.stderr


def test_an_unknown_command_is_a_usage_error() -> None:
    done = run("pant")
    assert done.returncode == 2
    assert "pant" in done.stderr


def test_a_salon_error_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    done = run("setup", env={"SALON_CHROMIUM": str(tmp_path / "nowhere")})
    assert done.returncode == 2
    assert done.stderr.startswith("salon: SALON_CHROMIUM=")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_an_unexpected_error_keeps_its_traceback() -> None:
    code = (
        "import sys, salon.cli as c\n@c.app.command()\ndef boom(): 1 / 0\n"
        "sys.argv = ['salon', 'boom']; c.main()"
    )
    done = run(code=code)
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr


def test_ctrl_c_exits_with_130() -> None:
    code = (
        "import sys, time, salon.cli as c\n@c.app.command()\ndef wait():\n"
        "    print('waiting', flush=True); time.sleep(60)\n"
        "sys.argv = ['salon', 'wait']; c.main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "waiting\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in errors


@pytest.mark.parametrize("command", ["train", "probe"])
def test_a_package_of_the_train_extra_that_is_missing_is_named(command: str) -> None:
    code = f"import sys; sys.modules['torch'] = None; sys.argv = ['salon', '{command}', sys.argv[1]]"
    recipe = Path(__file__).resolve().parents[1] / "recipes" / "hibiscus-cpu.yaml"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; import salon.cli; salon.cli.main()", str(recipe)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "torch" in done.stderr
    assert done.stderr.rstrip().endswith(f": {install_command('train')}")
    assert done.stderr.count("\n") == 1
