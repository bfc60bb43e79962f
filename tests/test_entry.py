"""How the command is started: `python -m salon`, and completion of its commands in a shell."""

import os
import subprocess
import sys

import pytest

import salon


def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "salon", *words],
        capture_output=True, text=True, timeout=60, check=False, env={**os.environ, **variables},
    )  # fmt: skip


def test_python_m_salon_is_the_command() -> None:
    assert run("--version").stdout == f"salon {salon.__version__}\n"
    wrong = run("recipe", "show", "nothing-of-the-kind")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("salon: nothing-of-the-kind: there is no such file")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_completion_is_printed(shell: str) -> None:
    code = (
        f"import shellingham; shellingham.detect_shell = lambda *a, **k: ({shell!r}, '/bin/{shell}');"
        "import sys; sys.argv = ['salon', '--show-completion']; from salon.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "_SALON_COMPLETE" in done.stdout, done.stderr


def test_bash_completes_commands() -> None:
    code = "import sys; sys.argv = ['salon']; from salon.cli import app; app(prog_name='salon')"
    variables = {"_SALON_COMPLETE": "complete_bash", "COMP_WORDS": "salon reci", "COMP_CWORD": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=False, env={**os.environ, **variables},
    )  # fmt: skip
    assert done.stdout.split() == ["recipe"]
