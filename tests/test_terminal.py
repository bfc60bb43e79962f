"""What strangers wrote, in a file, in its name or in an answer, reaches a terminal as text."""

import json
from pathlib import Path

import pytest
from rich.progress import Progress
from typer.testing import CliRunner

from painted import encoded, paint
from salon.cli import app
from salon.terminal import console

EVIL = "\x1b[2J\x1b]0;pwn\x07\x1b[31mEVIL\u202e"


def shown(*command: str) -> str:
    done = CliRunner().invoke(app, command)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output
    return done.stdout + done.stderr


def must_be_tame(output: str, word: str = "EVIL") -> None:
    assert word in output
    assert not {"\x1b", "\x07", "\u202e"} & set(output)


def batch(last: str) -> str:
    rows = [
        {
            "custom_id": f"p{n // 4}-{n % 4}",
            "result": {
                "type": last if n == 39 else "succeeded",
                "message": {
                    "content": [{"type": "text", "text": json.dumps({"taste": n * n % 7, "craft": n % 5})}],
                    "stop_reason": "end_turn",
                },
            },
        }
        for n in range(40)
    ]
    return "\n".join(map(json.dumps, rows))


def test_a_batch_that_says_why_an_answer_is_lost(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text(batch("\x1b[31mEVIL\x07"))
    must_be_tame(shown("diagnose", str(tmp_path / "b.jsonl")))


@pytest.mark.parametrize("where", ["column", "file"])
def test_names_in_a_table_and_of_it(tmp_path: Path, where: str) -> None:
    name = f"s{EVIL}.csv" if where == "file" else "s.csv"
    column = EVIL if where == "column" else "EVIL"
    rows = "".join(f"{n // 4},{n * n % 7},{n % 5}\n" for n in range(40))
    (tmp_path / name).write_text(f"group,taste,{column}\n{rows}")
    must_be_tame(shown("diagnose", str(tmp_path / name)))


def test_names_of_files_that_are_not_scored(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.png").write_bytes(encoded(paint("love", 1, 40), "PNG"))
    (tmp_path / "in" / f"{EVIL}.txt").write_text("x")
    rows = [{"picture": "a.png"}, {"picture": f"{EVIL}.png"}]
    (tmp_path / "in" / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "r.yaml").write_text("reward: {terms: {a: {scorer: rendered, weight: 1}}}")
    out = str(tmp_path / "o.csv")
    for given in ("in", "in/rows.jsonl"):
        must_be_tame(shown("score", str(tmp_path / "r.yaml"), str(tmp_path / given), "-o", out, "--fresh"))


def test_the_console_keeps_its_own_styles_and_movements(capsys: pytest.CaptureFixture[str]) -> None:
    made = console()
    made._force_terminal = True  # pyright: ignore[reportPrivateUsage]
    made.print(EVIL, style="bold", markup=False)
    with Progress(console=made, transient=True) as bar:
        bar.add_task(EVIL)
    written = capsys.readouterr().out
    assert "\x1b[1m" in written or "\x1b[?25l" in written
    assert "pwn" in written
    assert "\x1b]0" not in written
    assert "\x1b[2J" not in written
