"""What the report says, without a browser: its facts, its charts, its size, its markup."""

import dataclasses
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import (
    HOSTILE,
    PROMPT,
    RECIPE,
    THREW,
    TIMEOUT,
    evaluation_row,
    hostile_run,
    learning_run,
    reward,
    sample,
    write_step,
)

from salon.markup import el
from salon.number_text import number
from salon.report import build_report
from salon.report.charts import bounds, line_chart, smooth, ticks
from salon.report.cover import story
from salon.report.facts import Curve, gather, spread
from salon.report.gallery import evenly, gallery
from salon.report.markup import json_block
from salon.report.numbers import brief, duration, percent
from salon.report.thumbnails import Thumbnails
from salon.store.runs import Run
from salon.types import Group


def test_the_story_tells_what_happened_in_numbers(tmp_path: Path) -> None:
    facts = gather(learning_run(tmp_path / "run"))
    text = story(facts)
    assert "In 12 steps the policy answered 48 times." in text
    assert re.search(
        r"The mean reward rose from 0\.\d\d to 0\.\d\d \(at each end the mean of 2 steps\)\.", text
    )
    both = story(replace(facts, renders=facts.reward))
    assert both.count("at each end") == 1
    assert "The share of answers that render rose" in both
    assert "On 3 held-out pairs the trained policy wins 70\u202f% against its frozen base by a judge" in text
    assert "95\u202f% interval 55\u202f% to 85\u202f%" in text


@pytest.mark.parametrize(
    ("judges", "pool", "told"),
    [
        ({"taste": "flowers@2f4d6ba5f987/efficientnet"}, "mine", True),
        ({"eye": "council[flowers-heldout@06cc/handmade]"}, "mine", True),
        ({"eye": "qwen@1"}, "flowers", True),
        ({"eye": "qwen@1"}, "mine", False),
    ],
)
def test_a_page_says_whose_ratings_stand_behind_the_shipped_pool_and_its_judges(
    tmp_path: Path, judges: dict[str, str], pool: str, told: bool
) -> None:
    terms = {"taste": {"scorer": "pairwise", "weight": 1.0, "args": {"pool": pool}}}
    manifest = {"recipe": {**RECIPE, "reward": {"terms": terms}}, "judges": judges}
    run = Run.create(tmp_path / "run", manifest)
    write_step(run, 1, [None, None])
    page = build_report(run).read_text(encoding="utf-8")
    assert ("those of one vision–language model, not blind" in page) is told
    assert ("nothing about what people like" in page) is told


def test_system_failures_do_not_count_against_the_share_that_renders(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", {"recipe": RECIPE})
    write_step(run, 1, [None, None, None, TIMEOUT])
    write_step(run, 2, [None, None, None, THREW])
    write_step(run, 3, [TIMEOUT, TIMEOUT])
    facts = gather(run)
    assert facts.renders.values == [1.0, 0.75, None]
    assert facts.reward.values[2] is None
    assert [(each.code, each.amount) for each in facts.failures] == [("deadline", 3), ("threw", 1)]


def test_terms_keep_their_counts(tmp_path: Path) -> None:
    taste = gather(learning_run(tmp_path / "run")).terms[1]
    assert (taste.name, taste.weight) == ("taste", 0.9)
    assert taste.statuses == {"ok": 36, "missing": 6, "gated": 6}
    assert taste.curve.counts == [0, 1] * 6


def test_a_scheduled_weight_is_that_of_the_last_step(tmp_path: Path) -> None:
    terms = {"gate": {"weight": 0.1}, "taste": {"weight": {"0": 0.0, "20": 0.8}}}
    run = Run.create(tmp_path / "run", {"recipe": {**RECIPE, "reward": {"terms": terms}}})
    write_step(run, 5, [None, None])
    write_step(run, 10, [None, None])
    assert [term.weight for term in gather(run).terms] == [0.1, 0.4]


def test_the_pairs_shown_are_those_of_the_judge_that_was_not_trained_on(tmp_path: Path) -> None:
    facts = gather(learning_run(tmp_path / "run"))
    assert facts.pairs_from == "winrate-eye-3"


def test_a_run_without_steps_and_one_with_failures_only_have_a_report(tmp_path: Path) -> None:
    empty = Run.create(tmp_path / "empty", {"recipe": RECIPE})
    assert "Nothing was recorded yet" in build_report(empty).read_text()
    failed = Run.create(tmp_path / "failed", {"recipe": RECIPE})
    for step in (1, 2):
        write_step(failed, step, [TIMEOUT, TIMEOUT])
    page = build_report(failed).read_text()
    assert "No answer got a reward." in page
    assert "no picture after 60 s" in page
    metrics_only = Run.create(tmp_path / "metrics", {"recipe": RECIPE})
    metrics_only.write_metrics(1, {"reward": 0.2})
    metrics_only.write_metrics(2, {"reward": 0.4})
    assert "rose from 0.20 to 0.40" in build_report(metrics_only).read_text()


def test_a_lost_picture_leaves_an_empty_frame(tmp_path: Path) -> None:
    run = learning_run(tmp_path / "run", steps=2)
    for file in run.path.glob("pictures/*/*.png"):
        file.write_bytes(b"\x89PNG\r\n\x1a\n, and nothing")
    assert "no picture" in build_report(run).read_text()


def test_the_report_goes_where_it_is_told(tmp_path: Path) -> None:
    run = learning_run(tmp_path / "run", steps=2)
    assert build_report(run) == run.path / "report.html"
    assert build_report(run, tmp_path / "deep" / "page.html").is_file()


def test_steps_are_left_out_evenly_when_they_do_not_fit(tmp_path: Path) -> None:
    facts, run = gather(learning_run(tmp_path / "run", steps=9)), Run.open(tmp_path / "run")
    whole = gallery(facts, Thumbnails(run), budget=10_000_000)
    assert [entry["step"] for entry in whole["steps"]] == list(range(1, 10))
    assert whole["left_out"] == 0
    bytes_each = len(json_block("x", whole["steps"][0]))
    pictures = sum(map(len, whole["pictures"].values()))
    some = gallery(facts, Thumbnails(run), budget=int(3.5 * bytes_each) + pictures)
    assert [entry["step"] for entry in some["steps"]] == [1, 5, 9]
    assert some["left_out"] == 6


def test_a_picture_that_many_steps_show_is_in_the_file_once(tmp_path: Path) -> None:
    page = build_report(learning_run(tmp_path / "run", steps=6)).read_text()
    data = re.search(r'id="gallery-data">(.*?)</script>', page)
    assert data is not None
    assert len(json.loads(data[1])["pictures"]) == 3


def test_evenly_begins_spread_over_the_whole() -> None:
    assert evenly(list(range(9)))[:5] == [8, 0, 4, 2, 6]
    assert evenly([]) == []
    assert evenly([3]) == [3]


@given(st.lists(st.integers(), unique=True, max_size=60))
def test_evenly_leaves_nothing_out(steps: list[int]) -> None:
    assert sorted(evenly(steps)) == sorted(steps)


@given(st.integers(0, 99), st.integers(1, 12))
def test_spread_keeps_both_ends(size: int, most: int) -> None:
    chosen = spread(range(size), most)
    assert len(chosen) == len(set(chosen)) == min(size, most)
    if size and most > 1:
        assert (chosen[0], chosen[-1]) == (0, size - 1)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_an_axis_holds_its_values_and_has_round_ticks(values: list[float]) -> None:
    low, high = bounds(values)
    assert low <= min(values) <= max(values) <= high
    assert low < high
    marks = ticks(low, high)
    assert 1 <= len(marks) <= 7
    assert all(low - 1e-6 <= mark <= high + 1e-6 for mark in marks)


def test_the_running_mean_is_centred() -> None:
    assert smooth([1.0, 2.0, 3.0, 4.0, 50.0]) == [2.0, 2.5, 12.0, 14.75, 19.0]


def test_a_chart_of_one_point_or_of_a_constant_is_drawn() -> None:
    for values in ([0.5], [0.5, 0.5], [None, 0.0], [None]):
        steps = list(range(len(values)))
        assert "<svg" in line_chart(Curve("reward", steps, values), (0, max(steps)))


def test_a_curve_says_its_first_and_last_fifth() -> None:
    assert Curve("x", list(range(10)), [float(value) for value in range(10)]).ends() == (0.5, 8.5)
    assert Curve("x", [0, 1], [None, 1.0]).ends() is None


def test_numbers_are_written_as_people_read_them() -> None:
    assert [number(0.567), number(-0.001), number(-0.1), number(None)] == ["0.57", "0.00", "−0.10", "–"]
    assert [brief(0.05), brief(42.31), brief(295.56)] == ["0.05", "42.3", "296"]
    assert percent(0.974) == "97\u202f%"
    assert [duration(4.25), duration(581), duration(4320)] == [
        "4.2\u202fs",
        "9\u202fmin 41\u202fs",
        "1\u202fh 12\u202fmin",
    ]


@given(st.text())
def test_text_never_becomes_markup(text: str) -> None:
    made = el("p", {"title": text}, text)
    assert made.count("<") == 2
    assert json.loads(json_block("a", [text]).split(">", 1)[1].rsplit("<", 1)[0]) == [text]
    assert json_block("a", [text]).count("<") == 2


class Tags(HTMLParser):
    """Collects the elements and addresses of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.addresses: list[str] = []
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        for key, value in attrs:
            if key in {"src", "href", "srcset", "action", "data"}:
                self.addresses.append(value or "")
            if key.startswith("on") or key == "style":
                self.handlers.append(key)


def test_the_page_names_no_address_and_has_one_script(tmp_path: Path) -> None:
    tags = Tags()
    tags.feed(build_report(hostile_run(tmp_path / "run")).read_text())
    assert tags.names.count("script") == 3
    assert tags.handlers == []
    assert all(address.startswith(("data:image/webp;base64,", "#")) for address in tags.addresses)


def test_what_a_model_wrote_stands_in_the_page_as_text(tmp_path: Path) -> None:
    page = build_report(hostile_run(tmp_path / "run")).read_text()
    assert HOSTILE not in page
    assert "<img src=x" not in page
    assert "window.hacked" in page


@pytest.mark.parametrize("needle", [PROMPT.text, "threw", "winrate-eye-3", "Colophon", "recipe_sha256"[:6]])
def test_the_page_holds_what_the_run_says(tmp_path: Path, needle: str) -> None:
    assert needle in build_report(learning_run(tmp_path / "run", steps=3)).read_text()


def test_what_judges_cost_is_drawn_where_they_were_asked(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", {"recipe": RECIPE})
    for step in (1, 2, 3):
        row = [reward(0.5), reward(0.6)]
        group = Group(PROMPT, (sample(0), sample(1)))
        run.write_step(step, [group], [row], {"reward": 0.5, "judge/calls": 40.0 * step, "judge/usd": 0.1})
    page = build_report(run).read_text(encoding="utf-8")
    assert "Calls to judges" in page
    assert "US dollars for judges" in page
    assert "Questions that judges left open" not in page


def test_texts_of_a_megabyte_are_cut_short_and_say_so(tmp_path: Path) -> None:
    long = "a" * 1_000_000
    run = Run.create(tmp_path / "run", {"recipe": RECIPE})
    prompt = dataclasses.replace(PROMPT, text=long)
    failure = dataclasses.replace(THREW, message=long)
    answer = dataclasses.replace(sample(1, failure, source=long), prompt=prompt)
    run.write_step(1, [Group(prompt, (answer,) * 8, 1)], [[reward(0.5, failure, long)] * 8], {"kl": 0.1})
    row = evaluation_row(0, run) | {"prompt": long, "base_source": long, "reason": long, "base_failure": long}
    run.write_evaluation("winrate", [row] * 24, {"judge": "eye", "win_rate": 0.5, "n": 24})
    text = build_report(run).read_text("utf-8")
    assert len(text) < 2_000_000
    assert "and 998,000 characters more" in text
    assert "and 980,000 characters more" in text
