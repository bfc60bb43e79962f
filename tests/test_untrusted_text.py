"""What a sketch, a reply, a server or a file says reaches terminals, pages and files as text alone."""

import json
import sys
from pathlib import Path

import pytest

from salon.errors import StageError
from salon.markup import el, encodable, plain_markdown, visible
from salon.media.fake import FakeMedium
from salon.media.render_samples import develop
from salon.rubrics.rubric import Rubric, Theme
from salon.types import LONGEST_MESSAGE, Failure, Prompt, Sample

HOSTILE = "\x1b[2J\x1b]0;x\x07a\rb\n\u202ec\u2066\ud800 [red]d[/] [link=http://x]e[/link] \u200f"
MARKDOWN = "# a\n![b](http://x/y.png) <img src=http://x> [c](d) `e` **f** | g | ~~h~~ https://x.org"


def is_clean(text: str) -> bool:
    text.encode()
    return not any(mark in text for mark in "\x1b\x07\r\u202e\u2066\u200f")


def test_a_failures_message_is_one_line_that_moves_no_cursor() -> None:
    failure = Failure("threw", HOSTILE, "sample", "render")
    assert is_clean(failure.message)
    assert failure.message.isprintable()
    assert "\n" not in str(StageError(failure))
    assert len(Failure("threw", "a" * 10**6, "sample").message) == LONGEST_MESSAGE
    assert Failure("threw", "un café, 花", "sample").message == "un café, 花"
    assert is_clean(Failure(HOSTILE, "", "sample").code)


def test_pages_and_terminals_show_no_half_characters() -> None:
    assert is_clean(visible(HOSTILE))
    assert is_clean(el("p", {"title": HOSTILE}, HOSTILE))
    assert encodable("a\ud83d\ude00\udc00") == "a😀\ufffd"


def test_a_reply_with_half_a_character_is_developed_as_text() -> None:
    draft = Sample("a", Prompt("p", "draw"), "tomato \ud800")
    (sample,) = develop(FakeMedium(), [draft])
    assert (sample.failure, is_clean(sample.reply), is_clean(sample.source or "")) == (None, True, True)


def test_markdown_of_a_model_is_text() -> None:
    shown = plain_markdown(MARKDOWN)
    assert "\n" not in shown
    for markup in ("<img", "![", "](", "://"):
        assert markup not in shown.replace("\\[", "").replace("\\]", "").replace("\\!", "")
    assert plain_markdown("1. a") == "\\1. a"
    assert plain_markdown("two petals, 5 leaves") == "two petals, 5 leaves"


def test_a_rubric_is_shown_without_its_authors_markup() -> None:
    theme = Theme(name=MARKDOWN, level="coarse", tips=(MARKDOWN, "- x"))
    shown = Rubric(name="r", version=1, summary=MARKDOWN, themes=(theme,)).markdown()
    assert "<img" not in shown
    assert "\n# a" not in shown
    assert shown.count("![") == 0


@pytest.mark.parametrize("given", ["stdin", "lines"])
def test_render_says_and_reports_hostile_text_as_text(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from salon import cli

    file = tmp_path / f"a{chr(27)}[2J.jsonl"
    rows = [
        {"id": f"x{HOSTILE}", "reply": f"broken {HOSTILE}"},
        {"id": "b", "reply": "\ud800"},
        "[[[",
        HOSTILE,
    ]
    file.write_text(
        "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), "utf-8", "replace"
    )
    report = tmp_path / "report.json"
    command = ["render", str(file), "--medium", "fake", "-o", str(tmp_path / "out")]
    target = "-" if given == "stdin" else str(report)
    monkeypatch.setattr(sys, "argv", ["salon", *command, "--json", target])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 1
    out, err = capsys.readouterr()
    assert is_clean(out.replace("\n", ""))
    assert is_clean(err)
    found = json.loads(out if given == "stdin" else report.read_text("utf-8"))
    assert len(found["items"]) >= 3
    assert all(is_clean(str(value)) for item in found["items"] for value in item.values())
