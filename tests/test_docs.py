"""What the README and the guides say is true: the Python runs, commands exist, links lead somewhere."""

import contextlib
import functools
import io
import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner

from salon.cli import app

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src" / "salon" / "data").rglob("*.md")]
)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)|<img[^>]+src=\"([^\"]+)\"")

EVALUATED = ("judge", "classifier", "batching", "items")

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def blocks(page: Path, *languages: str) -> list[str]:
    return [text for name, text in BLOCK.findall(page.read_text(encoding="utf-8")) if name in languages]


def pages_with_python() -> list[object]:
    """Each page that has Python, marked by what its code needs."""
    marked: list[object] = []
    for page in PAGES:
        code = "\n".join(blocks(page, "python"))
        marks = [pytest.mark.browser] if re.search(r"p5\.brush|\bbrush\.\w+\(", code) else []
        marks += [pytest.mark.torch] if "load_policy" in code or "datasets" in code else []
        if code:
            marked.append(pytest.param(page, marks=marks, id=str(page.relative_to(ROOT))))
    return marked


@pytest.mark.parametrize("page", pages_with_python())
def test_the_python_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page's blocks run one after the other, as a reader would run them, from the root of a checkout."""
    for name in ("recipes", "examples"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__docs__"}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        code_blocks = blocks(page, "python")
        # Whoever tries a block again meets the run that it made before.
        code_blocks += [code for code in code_blocks if "Run.create" in code]
        for number, code in enumerate(code_blocks, start=1):
            if "TextInPicture" in code and find_spec("rapidocr") is None:
                continue  # The reader is an extra; the page's other blocks need none.
            exec(compile(code, f"{page.name}, block {number}", "exec"), names)
    # A page that is a module prints where it is run as one.
    is_module = any('if __name__ == "__main__":' in code for code in code_blocks)
    assert is_module or printed.getvalue()


def test_a_run_made_by_hand_is_read_by_all_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with contextlib.redirect_stdout(io.StringIO()):
        exec(blocks(ROOT / "docs" / "record-and-report.md", "python")[0], {"__name__": "__docs__"})
    terms = {"length": {"scorer": "length", "weight": 0.5, "args": {"max_tokens": 800}}}
    Path("other.yaml").write_text(json.dumps({"reward": {"terms": terms}}))
    by_hand = "runs/by-hand"
    shutil.copytree(by_hand, "runs/twin")
    told = [
        CliRunner().invoke(app, [*command.split()])
        for command in (
            f"rescore {by_hand} --recipe other.yaml",
            f"compare {by_hand} runs/twin",
            f"report {by_hand}",
            f"export {by_hand}",
        )
    ]
    assert [done.exit_code for done in told] == [0] * 4, told
    assert "2 scores taken over" in told[0].output
    assert "reward  " in told[1].output
    assert "not compared" not in told[1].output


def test_a_pool_of_ones_own_leads_to_a_judge_and_a_reward(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = ROOT / "docs" / "judge-and-pool.md"
    with contextlib.redirect_stdout(io.StringIO()):
        exec("import salon\n" + blocks(page, "python")[-1], {"__name__": "__docs__"})
    shown = [json.loads(line) for line in blocks(page, "json")[-1].splitlines()]
    made = [json.loads(line) for line in Path("pools/discs/metadata.jsonl").read_text().splitlines()]
    assert [row.keys() for row in shown] == [row.keys() for row in made[:3]]
    for name, text in zip(("discs.yaml", "disc-reward.yaml"), blocks(page, "yaml")[-2:], strict=True):
        Path(name).write_text(text)
    commands = blocks(page, "sh")[-1].splitlines()
    told = [CliRunner().invoke(app, command.split()[1:]) for command in commands]
    assert [done.exit_code for done in told] == [0, 0, 0], told
    assert told[1].output.startswith("pools/discs/images/18.png\n")
    assert "total: good" in told[2].output


@functools.cache
def help_of(command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "salon.cli", *command.split(), "--help"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "COLUMNS": "200"},
        check=False,
    )
    return done.stdout if done.returncode == 0 else ""


@each_page
def test_the_commands_exist_with_their_options(page: Path) -> None:
    for line in "\n".join(blocks(page, "sh")).splitlines():
        words = line.split("#")[0].split()
        if not words or words[0] not in ("salon", ".venv/bin/salon"):
            continue
        groups = ("recipe", "rubric", "checklist", "judge", "reproduce")
        names = words[1:3] if words[1:2] and words[1] in groups else words[1:2]
        if names == ["evaluate"]:
            names = ["evaluate", words[2] if words[2] in EVALUATED else "run"]
        text = help_of(" ".join(name for name in names if not name.startswith("-")))
        assert text, f"{page.name}: there is no command {words[1]!r}"
        for option in (word.split("=")[0] for word in words[2:] if word.startswith("-")):
            assert re.search(rf"(^|[\s,]){re.escape(option)}\b", text), (
                f"{page.name}: {line!r} has no {option}"
            )


@each_page
def test_the_make_targets_exist(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"\bmake ([a-z-]+)\b(?=`|\s*(?:#.*)?$)", "\n".join(blocks(page, "sh"))):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{page.name}: no target {target}"


@each_page
def test_the_links_lead_somewhere(page: Path) -> None:
    for first, second in LINK.findall(page.read_text(encoding="utf-8")):
        link = first or second
        if not link.startswith(("http://", "https://", "mailto:")):
            assert (page.parent / link).exists(), f"{page.name}: {link} is not there"


def test_agents_md_stays_short() -> None:
    assert (ROOT / "AGENTS.md").read_text(encoding="utf-8").count("\n") <= 60


def test_the_parts_of_ones_own_pass_their_check(tmp_path: Path) -> None:
    """The page pasted into two files, as it says."""
    page = ROOT / "docs" / "own-parts.md"
    (tmp_path / "my_parts.py").write_text("\n\n".join(blocks(page, "python")), encoding="utf-8")
    (tmp_path / "own.yaml").write_text(blocks(page, "yaml")[0], encoding="utf-8")
    python = [sys.executable, "-W", "error"]
    for words, said in (
        (["-m", "salon.cli", "recipe", "check", "own.yaml", "--allow", "my_parts"], "taste: good"),
        (["my_parts.py"], "quiet"),
    ):
        done = subprocess.run(
            [*python, *words], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert said in done.stdout
        assert ("Score(" in done.stdout) is (words == ["my_parts.py"])
