"""Checklists measured: one question a call against several, over real servers; and which are of use."""

import json
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from chatserver import ScriptedServer, served
from painted import paint, picture_of
from salon.cli import app
from salon.errors import BudgetSpent, RecipeError
from salon.evals.asked import Case, Reply, ask_by_needs, ask_flat, load_cases
from salon.evals.batching import ALONE, Batching, compare_ways, lines_of
from salon.evals.items import ItemReport, ask_items, item_reports
from salon.evals.items import lines_of as item_lines
from salon.judges.fake import FakeJudge
from salon.judges.measuring.labelled_pairs import PictureFile
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.rubrics.checklists import Item, PromptChecklist, load_checklists, save_checklists
from salon.serving.judge_server import JudgeServer
from salon.store.runs import Run
from salon.types import Answer, Failure, Group, Prompt, Reward, Sample

ASKS = ("Is there a rose?", "Is it red?", "Is it on white paper?", "Is there a leaf?", "Is there a vase?")
CHECKLIST = PromptChecklist(
    "rose", "a red rose", tuple(Item(id=str(n), ask=ask) for n, ask in enumerate(ASKS, 1))
)
FLAWED = Failure("malformed_verdict", "?", "system", "judge")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """checklists.jsonl, and eight labelled pictures: the odd questions are to be answered yes."""
    save_checklists({"rose": CHECKLIST}, tmp_path / "checklists.jsonl")
    right = {item.id: "yes" if int(item.id) % 2 else "no" for item in CHECKLIST.questions}
    rows: list[Mapping[str, Any]] = []
    for number in range(8):
        paint("love", number, 32).save(tmp_path / f"{number}.png")
        by = {"id": "rose"} if number % 2 else {"prompt": "a red rose"}
        rows.append({"picture": f"{number}.png", "group": f"g{number // 4}", "answers": right, **by})
    write(tmp_path / "pictures.jsonl", rows)
    return tmp_path


def write(file: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def cases_in(folder: Path) -> list[Case]:
    return load_cases(folder / "pictures.jsonl", load_checklists(folder / "checklists.jsonl"))


def judge_at(url: str, batch: int = 1, **options: Any) -> OpenAIJudge:
    patience = {"cache": False, "deadline_s": 10.0, "backoff_s": 0.01, "attempts": 2}
    return OpenAIJudge("eye", url, batch=batch, **{**patience, **options})


def ways_at(server: Any, folder: Path, together: int = 3, **options: Any) -> Batching:
    alone, several = judge_at(server.url, **options), judge_at(server.url, together, **options)
    return compare_ways(alone, several, cases_in(folder), together, judge_at(server.url, **options))


def asked_in(body: Mapping[str, Any]) -> list[str]:
    """The questions of a request."""
    words = body["messages"][-1]["content"][-1]["text"]
    return [ask for ask in ASKS if ask in words]


def answering(say: Callable[[str, int], str]) -> Callable[[Any, Any], str]:
    """A server that answers each question by `say`, which gets it and how many are asked at once."""

    def step(handler: Any, body: Mapping[str, Any]) -> str:
        asks = asked_in(body)
        said = [{"id": n, "answer": say(ask, len(asks))} for n, ask in enumerate(asks, 1)]
        return json.dumps({"answers": said} if "Questions:" in json.dumps(body) else said[0])

    return step


def rightly(ask: str, together: int) -> str:
    return "yes" if ASKS.index(ask) % 2 == 0 else "no"


def test_both_ways_are_counted_in_calls_tokens_seconds_and_money(folder: Path) -> None:
    with served() as server:
        server.script = [answering(rightly)]
        found = ways_at(server, folder, price={"input": 1.0, "output": 2.0})
    alone, several, again = found.ways
    assert [way.usage.calls for way in found.ways] == [40, 16, 40]
    assert (several.usage.tokens_in, several.usage.tokens_out) == (1600, 160)
    assert alone.usage.usd == pytest.approx((4000 + 2 * 400) / 1e6)
    assert all(way.seconds > 0 for way in found.ways)
    assert (found.agreed.value, found.with_itself.value, found.agreed.count) == (1.0, 1.0, 40)
    assert (alone.accuracy.value, again.yes.value) == (1.0, 0.6)
    assert [reply.place for reply in several.replies[:5]] == [1, 2, 3, 1, 2]
    assert [reply.together for reply in several.replies[:5]] == [3, 3, 3, 2, 2]
    assert found.verdict().startswith("No difference was found")
    told = "\n".join(lines_of(found))
    assert "3 a call               16       1600         160" in told
    assert "more often right at once than alone: 0.000" in told


def test_a_judge_that_answers_the_list_is_found_out(folder: Path) -> None:
    """Alone each question gets its answer; of several the first one's answer is given to all."""

    def copying(ask: str, together: int) -> str:
        return rightly(ask, 1) if together == 1 else "yes"

    rows = [json.loads(line) for line in (folder / "pictures.jsonl").read_text().splitlines()]
    for number in range(8, 32):
        paint("okay", number, 32).save(folder / f"{number}.png")
        rows.append(rows[number % 8] | {"picture": f"{number}.png"})
    write(folder / "pictures.jsonl", rows)
    with served() as server:
        server.script = [answering(copying)]
        found = ways_at(server, folder, 5)
    assert found.agreed.value == pytest.approx(0.6)
    assert found.gained.value == pytest.approx(-0.4)
    assert found.gained.interval is not None
    assert found.gained.interval[1] < 0
    assert (found.batch.uniform(5).value, found.alone.uniform(5).value) == (1.0, 0.0)
    assert "ask one question per call" in found.verdict()
    assert [(place, agreed.value) for place, agreed, _ in found.by_place()] == [
        *((1, 1.0), (2, 0.0), (3, 1.0), (4, 0.0), (5, 1.0))
    ]


def test_without_labels_the_disagreement_is_weighed_against_the_judge_s_own(folder: Path) -> None:
    rows = [
        json.loads(line) | {"answers": {}} for line in (folder / "pictures.jsonl").read_text().splitlines()
    ]
    write(folder / "pictures.jsonl", rows)
    chance, lock = random.Random(3), threading.Lock()

    def moody(ask: str, together: int) -> str:
        with lock:
            return chance.choice(("yes", "no"))

    with served() as server:
        server.script = [answering(lambda ask, together: "no" if together > 1 else "yes")]
        assert ways_at(server, folder).verdict().startswith("Several at once change answers")
        server.script = [answering(moody)]
        found = ways_at(server, folder)
    assert found.with_itself.value is not None
    assert found.with_itself.value < 0.9
    assert found.verdict().startswith("No difference was found")
    assert found.gained.value is None


def test_what_is_not_answered_is_counted_and_is_no_disagreement(folder: Path) -> None:
    def silent_about_leaves(handler: Any, body: Mapping[str, Any]) -> str:
        return "hm" if asked_in(body) == [ASKS[3]] else answering(rightly)(handler, body)

    with served() as server:
        server.script = [silent_about_leaves]
        found = ways_at(server, folder)
    assert found.alone.failures() == {"malformed_verdict": 8}
    assert (found.agreed.value, found.agreed.count) == (1.0, 32)
    assert found.alone.usage.calls == 40 + 8


def test_a_served_fake_judge_agrees_with_itself(folder: Path) -> None:
    with served(JudgeServer(FakeJudge())) as server:
        found = ways_at(server, folder, 2)
    assert (found.agreed.value, found.with_itself.value) == (1.0, 1.0)


def replies(said: Sequence[str], group: str = "g", ask: str = "Is it red?") -> list[Reply]:
    """Answers to one question about as many pictures: yes, no, n/a, ? for a failure, - for not asked."""
    words: Mapping[str, Any] = {
        "yes": Answer(True),
        "no": Answer(False),
        "n/a": Answer(None),
        "?": FLAWED,
        "-": None,
    }
    item = Item(id="1", ask=ask)
    return [
        Reply(Case(group, Prompt("p", "p"), PictureFile(Path(f"{group}{n}.png")), (item,)), item, words[each])
        for n, each in enumerate(said)
    ]


def report(*groups: Sequence[str], again: Sequence[Sequence[str]] = ()) -> ItemReport:
    first = [reply for n, said in enumerate(groups) for reply in replies(said, f"g{n}")]
    second = [reply for n, said in enumerate(again) for reply in replies(said, f"g{n}")]
    (found,) = item_reports(first, second)
    return found


@pytest.mark.parametrize(
    ("groups", "again", "advice"),
    [
        ([["yes"] * 4, ["yes"] * 4], [], "always yes: drop it, or ask for something harder"),
        ([["no"] * 4, ["no"] * 4], [], "always no: drop it, or split it into what can be met"),
        ([["no"] * 4, ["yes"] * 4], [], "differs between prompts only, so no group learns from it: split it"),
        ([["no", "yes"] * 4], [], "keep"),
        ([["no", "yes"] * 4], [["no", "yes"] * 4], "keep"),
        ([["no", "yes"] * 4], [["yes", "no"] * 4], "answered otherwise when asked again: reword or split it"),
        ([["yes", "no", *["n/a"] * 6]], [], "often does not apply: let it need another question"),
        ([["yes", "no"]], [], "too few answers to tell"),
        ([["?"] * 9], [], "not answered: see why below"),
        ([["-"] * 9], [], "too few answers to tell"),
        ([["yes"], ["no"], ["yes"], ["no"], *[["yes"]] * 4], [], "keep"),
    ],
)
def test_what_to_do_about_a_question(groups: Any, again: Any, advice: str) -> None:
    assert report(*groups, again=again).advice == advice


def test_the_numbers_of_a_question() -> None:
    found = report(["yes", "no", "no", "no"], ["yes", "yes"], ["n/a", "?", "-"], again=[["yes", "no", "yes"]])
    assert (found.asked, found.yes, found.no, found.idle, found.lost, found.skipped) == (8, 3, 3, 1, 1, 1)
    assert (found.groups, found.vary, found.share) == (2, 1, 0.5)
    assert found.variance == pytest.approx((0.25 * 0.75 + 0) / 2)
    assert (found.repeats, found.repeated) == (2, 3)


def test_questions_that_teach_least_come_first_and_equal_words_are_one() -> None:
    flat = replies(["yes"] * 8, ask="Is there a rose?")
    split = [*replies(["yes", "no"] * 4), *replies(["no", "yes"] * 2, "h")]
    found = item_reports([*split, *flat])
    assert [(each.ask, each.asked) for each in found] == [("Is there a rose?", 8), ("Is it red?", 12)]
    told = "\n".join(item_lines(found, [*split, *flat]))
    assert "→ always yes: drop it" in told
    assert "1 of 2 questions to keep; 8 of 20 answers told no pictures of a group apart." in told


def test_what_needs_a_failed_question_is_not_asked(tmp_path: Path) -> None:
    paint("love", 1, 32).save(tmp_path / "a.png")
    chain = (
        Item(id="1", ask=ASKS[0]),
        Item(id="2", ask=ASKS[1], needs=("1",)),
        Item(id="3", ask=ASKS[2], needs=("2",)),
    )
    case = Case("g", Prompt("p", "a rose"), PictureFile(tmp_path / "a.png"), chain)
    with served() as server:
        server.script = [answering(lambda ask, together: "yes" if ask == ASKS[0] else "no")]
        found = ask_by_needs(judge_at(server.url), case, case.picture.load())
        assert [reply.said for reply in found] == ["yes", "no", None]
        assert found[2].answer is None
        assert len(server.seen) == 2
        assert len(ask_flat(judge_at(server.url), case, case.picture.load())) == 3
        assert len(server.seen) == 5
        other = ask_by_needs(judge_at(server.url), case, case.picture.load(), wanted="no")
        assert [reply.said for reply in other] == ["yes", None, None]


def test_answers_that_were_kept_are_not_asked_again(folder: Path) -> None:
    with served() as server:
        server.script = [answering(rightly)]
        kept = judge_at(server.url, cache=str(folder / "kept"))
        first, second = ask_items(kept, cases_in(folder))
        assert (len(server.seen), second) == (40, [])
        ask_items(judge_at(server.url, cache=str(folder / "kept")), cases_in(folder))
        assert len(server.seen) == 40
        first, second = ask_items(kept, cases_in(folder), again=judge_at(server.url))
        assert len(server.seen) == 80
    assert all(each.advice.startswith("always") for each in item_reports(first, second))


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"picture": "0.png", "id": "tulip"}, "no checklist has the id 'tulip'"),
        (
            {"picture": "0.png", "id": "rose", "answers": {"9": "yes"}},
            r"answers\.9: 'rose' has no such question",
        ),
        ({"picture": "0.png", "id": "rose", "answers": {"1": "maybe"}}, "answers"),
        ({"picture": "0.png", "ids": "rose"}, "Did you mean 'id'"),
    ],
)
def test_a_wrong_row_is_named(row: Any, told: str, folder: Path) -> None:
    write(folder / "wrong.jsonl", [row])
    with pytest.raises(RecipeError, match=told):
        load_cases(folder / "wrong.jsonl", load_checklists(folder / "checklists.jsonl"))


def recorded(folder: Path) -> Run:
    """A run of two groups of three; one sketch did not render, and one prompt has no checklist."""
    run = Run.create(folder / "run", {"recipe": {"seed": 7}})
    groups: list[Group] = []
    for slot, prompt in enumerate(
        (Prompt("rose", "a red rose"), Prompt("x", "a red rose"), Prompt("y", "a tulip"))
    ):
        pictures = [picture_of(paint("love", 10 * slot + n, 32)) for n in range(3)]
        samples = [Sample(f"s{slot}{n}", prompt, "", "", each) for n, each in enumerate(pictures)]
        if slot == 0:
            threw = Failure("threw", "boom", "sample", "render")
            samples[0] = Sample("s00", prompt, "", "", pictures[0], failure=threw)
        groups.append(Group(prompt, tuple(samples)))
    run.write_step(0, groups, [[Reward(0.0, ())] * 3] * 3, {"reward": 0.0})
    return run


def test_the_pictures_of_a_run_come_in_its_groups(folder: Path) -> None:
    run, checklists = recorded(folder), load_checklists(folder / "checklists.jsonl")
    found = load_cases(run.path, checklists)
    assert [case.group for case in found] == ["step 0, group 0"] * 2 + ["step 0, group 1"] * 3
    assert {case.prompt.id for case in found} == {"rose", "x"}
    assert found[0].picture.load().width == 32
    assert len(load_cases(run.path, checklists, limit=2)) == 2
    with pytest.raises(RecipeError, match="no picture has a checklist"):
        load_cases(run.path, {"z": PromptChecklist("z", "another", CHECKLIST.questions)})


def command(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_the_commands(folder: Path) -> None:
    with served() as server:
        server: ScriptedServer
        server.script = [answering(rightly)]
        asked = ["--model", "eye", "--base-url", server.url, "--set", "deadline_s=10"]
        listed = ["evaluate", "batching", folder / "checklists.jsonl", "--on", folder / "pictures.jsonl"]
        done = command(*listed, *asked, "--batch", "5", "-o", folder / "out")
        assert done.exit_code == 0, done.output
        assert "the two ways agree on        1.000" in done.output
        rows = [json.loads(line) for line in (folder / "out" / "answers.jsonl").read_text().splitlines()]
        assert [row["way"] for row in rows[:40]] == [ALONE] * 40
        assert len(rows) == 120
        written = json.loads((folder / "out" / "report.json").read_text())
        assert written["ways"][1]["cost"]["calls"] == 8
        run = recorded(folder)
        done = command(
            "evaluate", "items", folder / "checklists.jsonl", "--on", run.path, *asked, "-o", folder / "i"
        )
        assert done.exit_code == 0, done.output
        assert "5 of 5" in done.output
        assert json.loads((folder / "i" / "report.json").read_text())[0]["repeated"] == 5
        server.script = [401]
        lost = command(
            "evaluate", "items", folder / "checklists.jsonl", "--on", run.path, *asked, "--set", "cache=false"
        )
        assert lost.exit_code == 1
        assert "not answered" in lost.output
        assert "not answered: 25 × judge_refused" in lost.output
    taste = command(*listed, "--judge", "taste")
    assert isinstance(taste.exception, RecipeError)
    assert "answers no questions" in str(taste.exception)


def test_a_spent_budget_is_told_after_what_was_answered(folder: Path) -> None:
    with served(JudgeServer(FakeJudge(), port=0)) as server:
        files = [folder / "checklists.jsonl", "--on", folder / "pictures.jsonl"]
        asked = ["--model", "fake", "--base-url", server.url, "--set", "budget.calls=3", "-o", folder / "out"]
        for name in ("items", "batching"):
            done = command("evaluate", name, *files, *asked)
            assert isinstance(done.exception, BudgetSpent), done.output
            assert "× judge_budget_spent" in done.output
            assert (folder / "out" / "report.json").exists()
