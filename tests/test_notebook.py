"""Values show themselves in a notebook, and nothing that a stranger wrote into them is markup there."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from PIL import Image

import salon
from salon.notebook import MOST_SHOWN
from salon.raster import of_image

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'; </style><iframe srcdoc='x'>",
    "</td></table><svg onload=alert(1)>",
    "\x1b[2J\u202egnp.\ud800\x00",
    "&lt;b&gt; <!-- -->",
    "a" * 100_000 + "<script>",
)
TAGS = {"div", "p", "b", "table", "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "img"}
ATTRIBUTES = {"style", "src", "alt"}

PICTURE = of_image(Image.new("RGB", (8, 8), "tomato"))


class Read(HTMLParser):
    """The tags and attributes that a browser would see; every element must end."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.sources: list[str] = []
        self.told = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        assert {name for name, _ in attrs} <= ATTRIBUTES, attrs
        self.sources += [value or "" for name, value in attrs if name == "src"]
        if tag != "img":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.told += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)


def read(html: str) -> Read:
    page = Read()
    page.feed(html)
    page.close()
    assert page.open == []
    assert all(source.startswith("data:image/png;base64,") for source in page.sources)
    assert len(html) < 60_000
    html.encode("utf-8")
    assert not re.search("[\x00-\x08\x1b\u202e]", html)
    return page


def hostile_values(said: str) -> list[Any]:
    failure = salon.Failure(said, said, "sample", said)
    prompt = salon.Prompt(said, said, said, (said,), {said: said})
    sample = salon.Sample(said, prompt, said, said, PICTURE, failure)
    term = salon.TermValue(said, 0.5, 0.5, 0.25, "ok", said)
    return [
        failure,
        salon.Rendering(PICTURE, failure),
        salon.Rendering(None, failure),
        salon.Verdict(0.7, said, said, "b"),
        salon.Reward(0.25, (term,), 0.1, True),
        salon.Reward(None, (salon.TermValue(said, None, None, None, "missing", said),)),
        salon.Group(prompt, (sample, sample)),
        salon.Scored(sample, said, 0, salon.Reward(0.25, (term,)), 1, said),
    ]


@pytest.mark.parametrize("said", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_becomes_markup(said: str) -> None:
    for value in hostile_values(said):
        page = read(value._repr_html_())
        assert said[:20].isprintable() is False or said[:6] in page.told


@pytest.mark.parametrize("said", HOSTILE[:-1], ids=range(len(HOSTILE) - 1))
def test_a_diagnosis_of_a_strangers_file(said: str) -> None:
    rows = {said.encode("utf-8", "replace").decode(): [0.5] * 40, "taste": [n / 40 for n in range(40)]}
    found = salon.diagnose({**rows, "prompt": [str(n // 4) for n in range(40)]})
    page = read(found._repr_html_())
    assert "finding" in page.told
    assert any(each.wrong[:30] in page.told for each in found.findings)


def test_a_picture_is_its_png() -> None:
    assert PICTURE._repr_png_() == PICTURE.png


def test_a_reward_shows_what_is_missing_as_missing() -> None:
    told = read(
        salon.Reward(None, (salon.TermValue("t", None, None, None, "missing", "down"),))._repr_html_()
    ).told
    assert "total –" in told
    assert "missing" in told
    assert "down" in told


def test_a_group_of_hundreds_shows_the_first_and_says_so() -> None:
    prompt = salon.Prompt("p", "a rose")
    group = salon.Group(prompt, tuple(salon.Sample(str(n), prompt, "", picture=PICTURE) for n in range(300)))
    page = read(group._repr_html_())
    assert len(page.sources) == MOST_SHOWN
    assert f"and {300 - MOST_SHOWN} more" in page.told


def test_a_diagnosis_prints_its_findings() -> None:
    found = salon.diagnose({"taste": [0.1, 0.9] * 40, "light": [0.5] * 80})
    lines = str(found).splitlines()
    assert len(lines) == len(found.findings)
    assert lines[0].startswith(f"{found.findings[0].level}: {found.findings[0].title}. ")
    assert not any("array(" in line for line in lines)
