"""Auto-Rubric as Reward: what is verified, refined, discarded, and what a kill or an outage leaves behind."""

import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from painted import paint
from salon.errors import RecipeError
from salon.judges.fake import FakeJudge
from salon.judges.learned.taste import TasteJudge
from salon.judges.measuring.labelled_pairs import LabelledPair, PictureFile
from salon.pool import Pool
from salon.rubrics.asking import Message, ScriptedAuthor
from salon.rubrics.generation.arr import Generation, Plan, Round, Trial
from salon.rubrics.generation.generate import STEPS, Making, identified, make
from salon.rubrics.generation.pairs import pool_pairs
from salon.rubrics.generation.recipe import RubricRecipe
from salon.rubrics.generation.report import RubricReport
from salon.rubrics.generation.structure import structure
from salon.rubrics.generation.verify import BlindVerifier, Check, LabelAwareVerifier
from salon.rubrics.journal import Journal
from salon.types import Failure, Judge, Picture, Prompt, Verdict

DOWN = Failure("judge_unreachable", "no route", "system", "judge")
RECIPE = RubricRecipe.model_validate({"author": {"kind": "scripted"}, "name": "flowers", "t_max": 2})
THEMES = {
    "themes": [{"name": "Form", "level": "mid", "tips": ["Petals overlap."]}],
    "summary": "Painted well.",
}


def criteria(*texts: str) -> str:
    return json.dumps({"criteria": list(texts)})


def pair_of(name: str, folder: Path, label: str = "a") -> LabelledPair:
    """A coloured flower as a, a grey one as b."""
    for tier in ("love", "nope"):
        path = folder / f"{tier}-{name}.png"
        if not path.is_file():
            paint("love", int(name), 40).convert("RGB" if tier == "love" else "L").save(path)
    a, b = (PictureFile(folder / f"{tier}-{name}.png") for tier in ("love", "nope"))
    return LabelledPair(name, Prompt(name, "draw a rose"), a, b, label)  # type: ignore[arg-type]


class Follower:
    """A judge that sees through `eye` and does what its criteria say: "washes" the better picture,
    "scratches" the worse one, anything else whatever stands first.
    """

    def __init__(self, eye: Judge, criteria: str = "", calls: list[str] | None = None) -> None:
        self.identity = f"follower of {eye.identity}"
        self.eye, self.criteria, self.calls = eye, criteria, [] if calls is None else calls

    def with_criteria(self, criteria: str) -> "Follower":
        return Follower(self.eye, criteria, self.calls)

    def compare(self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]]) -> list[Verdict | Failure]:
        self.calls += [self.criteria] * len(pairs)
        return [self._one(each) for each in self.eye.compare(prompt, pairs)]

    def _one(self, seen: Verdict | Failure) -> Verdict | Failure:
        if isinstance(seen, Failure) or "washes" in self.criteria:
            return seen
        p_a = 1.0 - seen.p_a if "scratches" in self.criteria else 1.0
        return Verdict(p_a, self.identity, "it went by the criteria")


def follower(eye: Judge) -> tuple[BlindVerifier, list[str]]:
    judge = Follower(eye)
    return BlindVerifier(judge.with_criteria, judge.identity), judge.calls


def run(
    folder: Path, pairs: Sequence[LabelledPair], author: ScriptedAuthor, verifier: object, plan: Plan
) -> list[Trial]:
    with Journal(folder / "steps.jsonl", STEPS) as journal:
        return Generation(author, verifier, journal, plan).run(pairs)  # type: ignore[arg-type]


def test_exactly_the_rubrics_that_do_not_support_their_label_are_discarded(tmp_path: Path) -> None:
    """The learned judge looks at the shipped pool; a scripted author claims one thing or its opposite per
    pair.
    """
    eye = TasteJudge.load("taste")
    pairs = pool_pairs(Pool.load("flowers"), 12, "train", seed=3)
    claims = {pair.id: ("washes", "scratches", "order")[n % 3] for n, pair in enumerate(pairs)}
    by_pictures = {tuple(sorted((pair.a.load().key, pair.b.load().key))): claims[pair.id] for pair in pairs}

    def script(messages: Sequence[Message]) -> str:
        shown = [part.key for message in messages for part in message.parts if isinstance(part, Picture)]
        return criteria(f"It shows {by_pictures[tuple(sorted(shown))]}.")

    verifier, calls = follower(eye)
    trials = run(tmp_path, pairs, ScriptedAuthor(script), verifier, Plan(t_max=2))
    expected: list[str] = []
    for pair in pairs:
        winner, loser = eye.score([pair.first.load(), pair.second.load()])
        supported = {"washes": winner > loser, "scratches": winner < loser, "order": False}[claims[pair.id]]
        expected.append("verified" if supported else "discarded")
    assert [trial.state(2) for trial in trials] == expected
    assert 2 <= expected.count("verified") <= 12
    assert {len(trial.rounds) for trial in trials if trial.state(2) == "discarded"} == {3}
    assert len(calls) == 2 * (expected.count("verified") + 3 * expected.count("discarded"))
    assert all(re.fullmatch(r"1\. It shows \w+\.", shown) for shown in calls)


def test_a_critique_leads_to_a_rubric_that_passes(tmp_path: Path) -> None:
    asked: list[str] = []

    def script(messages: Sequence[Message]) -> str:
        asked.append(messages[-1].text)
        return (
            criteria("It shows washes.")
            if "What went wrong" in messages[-1].text
            else criteria("It shows scratches.")
        )

    verifier, _ = follower(FakeJudge())
    [trial] = run(tmp_path, [pair_of("1", tmp_path)], ScriptedAuthor(script), verifier, Plan())
    assert [found.passed for found in trial.rounds] == [False, True]
    assert "1. It shows scratches." in asked[1]
    assert (
        "shown first, a judge that went by them chose the other picture (it went by the criteria)" in asked[1]
    )
    assert trial.rounds[1].forward == trial.rounds[1].reverse
    assert trial.rounds[1].forward is not None
    assert trial.rounds[1].forward > 0.5


@pytest.mark.parametrize(
    ("reply", "told", "calls"),
    [
        ("I like the first one.", "0 JSON objects in the reply have the key 'criteria'", 0),
        ('{"criteria": []}', "criteria", 0),
        (criteria("Picture A has softer edges."), "criterion 1 compares pictures ('Picture A')", 0),
        (criteria("It shows order."), "shown second, a judge that went by them chose the other picture", 2),
    ],
)
def test_a_rubric_that_cannot_pass_is_discarded_after_t_max_refinements(
    tmp_path: Path, reply: str, told: str, calls: int
) -> None:
    verifier, seen = follower(FakeJudge())
    [trial] = run(
        tmp_path, [pair_of("1", tmp_path)], ScriptedAuthor(lambda _: reply), verifier, Plan(t_max=3)
    )
    assert trial.state(3) == "discarded"
    assert len(trial.rounds) == 4
    assert told in trial.rounds[-1].critique
    assert len(seen) == 4 * calls


def test_a_tie_supports_nothing(tmp_path: Path) -> None:
    class Undecided(Follower):
        def compare(
            self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]]
        ) -> list[Verdict | Failure]:
            return [Verdict(0.5, "undecided") for _ in pairs]

    verifier = BlindVerifier(lambda _: Undecided(FakeJudge()), "undecided")
    author = ScriptedAuthor(lambda _: criteria("It shows washes."))
    [trial] = run(tmp_path, [pair_of("1", tmp_path)], author, verifier, Plan(t_max=0))
    assert trial.state(0) == "discarded"
    assert "chose neither" in trial.rounds[0].critique


def test_an_outage_is_no_failed_verification(tmp_path: Path) -> None:
    """Five outages end the run; the next one goes on where it was, and asks the author nothing again."""
    written: list[int] = []

    def script(_: Sequence[Message]) -> str:
        written.append(1)
        return criteria("It shows washes.")

    pairs = [pair_of(str(n), tmp_path) for n in range(8)]
    plan = Plan(t_max=0, concurrency=1, patience=5)
    down, _ = follower(FakeJudge(fail_every=1))
    first = run(tmp_path, pairs, ScriptedAuthor(script), down, plan)
    assert {trial.state(0) for trial in first} == {"open"}
    assert [trial.outages for trial in first] == [1, 1, 1, 1, 1, 0, 0, 0]
    assert first[0].outage == Failure(
        "judge_unreachable", "the fake judge fails on purpose", "system", "judge"
    )
    assert len(written) == 5
    up, _ = follower(FakeJudge())
    second = run(tmp_path, pairs, ScriptedAuthor(script), up, plan)
    assert {trial.state(0) for trial in second} == {"verified"}
    assert len(written) == 8


def test_an_author_that_is_down_leaves_the_pair_open(tmp_path: Path) -> None:
    verifier, _ = follower(FakeJudge())
    [trial] = run(tmp_path, [pair_of("1", tmp_path)], ScriptedAuthor(lambda _: DOWN), verifier, Plan())
    assert (trial.state(5), trial.rounds, trial.outage) == ("open", (), DOWN)


def test_the_label_aware_way_shows_the_label(tmp_path: Path) -> None:
    replies = {
        "Write 5 criteria": criteria("It shows order."),
        "supports": '{"supports": true, "critique": ""}',
    }
    author = ScriptedAuthor(replies)
    [trial] = run(tmp_path, [pair_of("1", tmp_path)], author, LabelAwareVerifier(author), Plan(t_max=0))
    assert trial.state(0) == "verified"
    assert (trial.rounds[0].forward, trial.rounds[0].asked) == (None, True)


def making(author: ScriptedAuthor, recipe: RubricRecipe = RECIPE) -> Making:
    judge = Follower(FakeJudge())
    return Making(
        author, BlindVerifier(judge.with_criteria, judge.identity), judge, judge.with_criteria, recipe
    )


def paint_author() -> ScriptedAuthor:
    return ScriptedAuthor(
        {"Case 1": json.dumps(THEMES), "criteria that explain": criteria("It shows washes.")}
    )


def test_a_folder_with_rubric_and_report(tmp_path: Path) -> None:
    pairs = [pair_of(str(n), tmp_path) for n in range(6)]
    pairs.append(pair_of("7", tmp_path, label="b"))
    report = make(making(paint_author()), pairs, pairs[:4], tmp_path / "out")
    assert report.row()["verified"] == 6
    assert report.row()["rounds"] == [
        {"round": 0, "checked": 7, "passed": 6},
        {"round": 1, "checked": 1, "passed": 0},
        {"round": 2, "checked": 1, "passed": 0},
    ]
    text = (tmp_path / "out" / "report.md").read_text()
    assert "7 pairs: 6 verified · 1 discarded · 0 open" in text
    assert "| 0 | 7 | 6 | 86% |" in text
    assert "- **1. Form** · mid" in text
    # This judge takes what stands first, and the rubric says nothing of washes, so it still does.
    assert "| without | 1.000 | 0.000 | 0.500" in text
    assert json.loads((tmp_path / "out" / "report.json").read_text())["held_out"]["gain"] == 0.0
    again = make(making(ScriptedAuthor(lambda _: DOWN)), pairs, [], tmp_path / "out")
    assert again.rubric == report.rubric


def test_a_rubric_that_helps_shows_its_gain(tmp_path: Path) -> None:
    useful = {"themes": [{"name": "Washes", "level": "mid", "tips": ["There are soft washes."]}]}
    author = ScriptedAuthor(
        {"Case 1": json.dumps(useful), "criteria that explain": criteria("It shows washes.")}
    )
    pairs = [pair_of(str(n), tmp_path) for n in range(6)]
    report = make(making(author), pairs[:3], pairs[3:], tmp_path / "out")
    assert report.effect is not None
    assert (report.effect.bare.accuracy, report.effect.bare.gap) == (0.5, 1.0)
    assert (report.effect.guided.accuracy, report.effect.guided.gap) == (1.0, 0.0)
    assert report.effect.gain == 0.5


def test_other_settings_need_another_folder(tmp_path: Path) -> None:
    pairs = [pair_of("1", tmp_path)]
    make(making(paint_author()), pairs, [], tmp_path / "out")
    other = RECIPE.model_copy(update={"t_max": 4})
    with pytest.raises(RecipeError, match=r"t_max: 2 → 4"):
        make(making(paint_author(), other), pairs, [], tmp_path / "out")


def test_open_pairs_keep_the_rubric_from_being_merged_unless_wanted(tmp_path: Path) -> None:
    pairs = [pair_of(str(n), tmp_path) for n in range(3)]

    class Half(BlindVerifier):
        def verify(self, pair: LabelledPair, criteria: Sequence[str]) -> Check:
            if pair.id.startswith("2@"):
                raise ConnectionError("gone")
            return super().verify(pair, criteria)

    judge = Follower(FakeJudge())
    parts = Making(
        paint_author(), Half(judge.with_criteria, judge.identity), judge, judge.with_criteria, RECIPE
    )
    report = make(parts, pairs, [], tmp_path / "out")
    assert report.rubric is None
    assert "internal_error: ConnectionError: gone" in report.markdown()
    assert make(parts, pairs, [], tmp_path / "out", partial=True).rubric is not None


KILLED = """
import sys, time
sys.path[:0] = {paths!r}
from pathlib import Path
from test_arr import *
author = paint_author()
slow = ScriptedAuthor(lambda messages: (time.sleep(0.02), author.write(messages))[1])
folder = Path({folder!r})
make(making(slow), [pair_of(str(n), folder) for n in range(12)], [], folder / "out")
"""


def test_a_kill_at_any_moment_loses_nothing(tmp_path: Path) -> None:
    here = Path(__file__).parent
    code = KILLED.format(paths=[str(here), str(here.parent)], folder=str(tmp_path))
    steps = tmp_path / "out" / "steps.jsonl"
    for wanted in (2, 9):
        process = subprocess.Popen([sys.executable, "-c", code])
        end = time.monotonic() + 30
        while time.monotonic() < end and (not steps.is_file() or steps.read_bytes().count(b"\n") < wanted):
            time.sleep(0.005)
        process.kill()
        process.wait()
    with steps.open("ab") as file:
        file.write(b'{"step":"written","pair":"torn')
    calls: list[str] = []

    def script(messages: Sequence[Message]) -> str:
        calls.append(messages[-1].text)
        reply = paint_author().write(messages)
        assert isinstance(reply, str)
        return reply

    before = [json.loads(line) for line in steps.read_bytes().split(b"\n")[:-1]]
    pairs = [pair_of(str(n), tmp_path) for n in range(12)]
    report = make(making(ScriptedAuthor(script)), pairs, [], tmp_path / "out")
    kept = sum(step["step"] == "written" for step in before)
    assert kept >= 2
    assert len(calls) == 12 - kept + 1
    assert report.row()["verified"] == 12
    after = [json.loads(line) for line in steps.read_text().splitlines()]
    assert after[: len(before)] == before


def test_two_processes_do_not_write_one_folder(tmp_path: Path) -> None:
    with (
        Journal(tmp_path / "steps.jsonl", STEPS),
        pytest.raises(RecipeError, match="another process writes here"),
        Journal(tmp_path / "steps.jsonl", STEPS),
    ):
        pass


def test_a_picture_that_cannot_be_read_is_named_before_anybody_is_asked(tmp_path: Path) -> None:
    pair = pair_of("1", tmp_path)
    (tmp_path / "nope-1.png").write_bytes(b"no picture")
    with pytest.raises(RecipeError, match=r"pair 1: .*nope-1\.png: not a picture.*take the pair's line out"):
        make(making(ScriptedAuthor(lambda _: DOWN)), [pair], [], tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("first", "second", "passed"),
    [(0.9, 0.6, True), (0.95, 0.45, False), (0.45, 0.95, False), (0.9, 0.5, False)],
)
def test_a_sure_verdict_in_one_order_does_not_make_up_for_the_other(
    tmp_path: Path, first: float, second: float, passed: bool
) -> None:
    class Leaning(Follower):
        """Gives the preferred picture these chances, shown first and second."""

        def compare(
            self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]]
        ) -> list[Verdict | Failure]:
            return [Verdict(first, "leaning"), Verdict(1.0 - second, "leaning")]

    check = BlindVerifier(lambda _: Leaning(FakeJudge()), "leaning").verify(pair_of("1", tmp_path), ["Soft."])
    assert check.passed is passed
    assert (check.forward, check.reverse) == pytest.approx((first, second))


@pytest.mark.parametrize("label", ["a", "b"])
@pytest.mark.parametrize("swapped", [False, True])
def test_two_pictures_make_one_pair_per_prompt(tmp_path: Path, label: str, swapped: bool) -> None:
    """By what they show: copied files count twice as much, or against each other, as well."""
    first = pair_of("1", tmp_path)
    for tier in ("love", "nope"):
        shutil.copy(tmp_path / f"{tier}-1.png", tmp_path / f"{tier}-7.png")
    again = replace(pair_of("7", tmp_path, label), prompt=replace(first.prompt, id="other"))
    again = replace(again, a=again.b, b=again.a) if swapped else again
    with pytest.raises(RecipeError, match="pairs 1 and 7 show the same two pictures"):
        make(making(ScriptedAuthor(lambda _: DOWN)), [first, again], [], tmp_path / "out")
    assert not (tmp_path / "out").exists()
    other = replace(again, prompt=Prompt("2", "draw a tulip"))
    assert len(identified([first, other])) == 2


def test_a_picture_in_two_files_is_no_pair(tmp_path: Path) -> None:
    pair = pair_of("1", tmp_path)
    shutil.copy(tmp_path / "love-1.png", tmp_path / "copy.png")
    with pytest.raises(RecipeError, match="pair 1: a and b are the same picture"):
        identified([replace(pair, b=PictureFile(tmp_path / "copy.png"))])


def test_a_pair_that_changed_under_its_id_is_another_pair(tmp_path: Path) -> None:
    make(making(paint_author()), [pair_of("1", tmp_path)], [], tmp_path / "out")
    turned = make(making(paint_author()), [pair_of("1", tmp_path, label="b")], [], tmp_path / "out")
    assert turned.row()["discarded"] == 1


def test_hundreds_of_verified_criteria_are_merged_in_rounds(tmp_path: Path) -> None:
    sizes: list[int] = []

    def script(messages: Sequence[Message]) -> str:
        sizes.append(messages[1].text.count("Case "))
        themes = [("Form", "fine"), ("Subject", "coarse")]
        tips = [f"Tip {len(sizes)}."]
        return json.dumps({"themes": [{"name": n, "level": level, "tips": tips} for n, level in themes]})

    verified = [[f"Criterion {number}."] for number in range(7)]
    with Journal(tmp_path / "steps.jsonl", STEPS) as journal:
        found = structure(ScriptedAuthor(script), verified, journal, at_once=3)
        assert sizes == [3, 3, 1, 3]
        assert [(theme.name, theme.level) for theme in found.themes] == [
            ("Subject", "coarse"),
            ("Form", "fine"),
        ]
        assert structure(ScriptedAuthor(script), verified, journal, at_once=3) == found
    assert len(sizes) == 4


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ({"themes": [{"name": "A", "tips": list("abcde")}]}, "A: 5 tips; at most 4 are wanted"),
        ({"themes": [{"name": str(n), "tips": ["x"]} for n in range(11)]}, "11 themes; at most 10"),
        ({"themes": [{"name": "A", "tips": ["x"]}, {"name": "A", "tips": ["y"]}]}, "'A' stands twice"),
        ({"themes": [{"name": "A", "tips": ["It beats the other picture."]}]}, "compares pictures"),
        ({"themes": []}, "themes"),
    ],
)
def test_a_rubric_of_another_form_is_sent_back(tmp_path: Path, bad: object, told: str) -> None:
    asked: list[str] = []

    def script(messages: Sequence[Message]) -> str:
        asked.append(messages[-1].text)
        return json.dumps(bad if len(asked) == 1 else THEMES)

    with Journal(tmp_path / "steps.jsonl", STEPS) as journal:
        assert structure(ScriptedAuthor(script), [["x"]], journal).summary == "Painted well."
    assert told in asked[1]


def test_what_a_model_wrote_is_text_in_the_report() -> None:
    said = "![](http://elsewhere/x.png)\n# Better\n<img src=x onerror=alert(1)>"
    report = RubricReport((Trial("`p`\n- q", (Round((), False, said),)),), 0, None, None, {})
    lines = [line for line in report.markdown().splitlines() if "Better" in line]
    assert lines == [
        r"- \`p\` - q: \!\[\](http&#58;//elsewhere/x.png) # Better &lt;img src=x onerror=alert(1)&gt;"
    ]
