"""Checklists as files and from a model: read strictly, ordered by need, and asked by the scorer."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from chatserver import ScriptedServer, served
from painted import paint, picture_of
from salon.cli import app
from salon.errors import RecipeError, StageError
from salon.registry import resolve
from salon.rubrics.asking import Message, ScriptedAuthor
from salon.rubrics.chat_author import ChatAuthor
from salon.rubrics.checklists import (
    COLUMNS,
    Item,
    PromptChecklist,
    in_order,
    load_checklists,
    read_checklists,
    save_checklists,
)
from salon.rubrics.classify import Applies, Intent
from salon.rubrics.decompose import DecomposeRecipe, decompose, load_prompts
from salon.scorers.checklist import Checklist
from salon.scorers.constraints import Constraints
from salon.types import Answer, Failure, Group, Picture, Prompt, Sample, Score
from salon.validation import BadRows

DOWN = Failure("judge_unreachable", "no route", "system", "judge")
RECIPE = DecomposeRecipe.model_validate({"author": {"kind": "scripted"}, "concurrency": 1})
HEAD = ",".join(COLUMNS)
ROSE = [
    Item(id="1", ask="Is there a rose?", tuple="entity - whole (rose)", category="entity", detail="whole"),
    Item(id="2", ask="Is the rose red?", needs=("1",), tuple="attribute - color (rose, red)"),
    Item(id="3", ask='Does it look "wet", or shine?', needs=("1", "2")),
]


def made(*items: Item, name: str = "rose", prompt: str = "a red rose, wet") -> dict[str, PromptChecklist]:
    return {name: PromptChecklist(name, prompt, tuple(items))}


@pytest.mark.parametrize("name", ["c.csv", "c.jsonl"])
def test_a_checklist_comes_back_as_it_was_written(tmp_path: Path, name: str) -> None:
    both = made(*ROSE) | made(ROSE[0], name="7", prompt="ein Rösslein\nrot")
    save_checklists(both, tmp_path / name)
    assert load_checklists(tmp_path / name) == both


def test_a_file_of_dpg_bench_is_read(tmp_path: Path) -> None:
    lines = [
        HEAD,
        '0,"A cat, and\na dog.",,1,0,entity,whole,entity - whole (cat),Is there a cat?',
        '0,"A cat, and\na dog.",,2,"1, 3",relation,spatial,relation - spatial,Is the cat beside the dog?',
        '0,"A cat, and\na dog.",,3,0,entity,whole,entity - whole (dog),Is there a dog?',
    ]
    (tmp_path / "dpg.csv").write_text("\n".join(lines))
    found = load_checklists(tmp_path / "dpg.csv")["0"]
    assert [item.id for item in found.questions] == ["1", "3", "2"]
    assert found.questions[2].needs == ("1", "3")
    assert (found.prompt, found.depth) == ("A cat, and\na dog.", 2)


ROW = "0,p,,{},{},entity,whole,t,{}"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["item_id,text"], "the columns proposition_id, dependency, question_natural_language are missing"),
        ([HEAD, ROW.format(1, 5, "a?")], "line 2, item 0: question '1' needs '5', which is not there"),
        ([HEAD, ROW.format(1, 0, "a?"), ROW.format(1, 0, "b?")], "question '1' stands twice"),
        (
            [HEAD, ROW.format(1, 0, "a?"), ROW.format(2, 0, "A?")],
            "the question .* stands twice. Take one out",
        ),
        (
            [HEAD, ROW.format(1, 2, "a?"), ROW.format(2, 1, "b?")],
            "questions 1, 2 need each other in a circle",
        ),
        ([HEAD, ROW.format(1, 1, "a?")], "questions 1 need each other in a circle"),
        ([HEAD, ROW.format(1, 0, "red, or blue?")], "line 2, item 0: has more cells than the header"),
        ([HEAD.replace("keywords", "text"), ROW.format(1, 0, "a?")], "the header names 'text' twice"),
        ([HEAD, ROW.format(1, 0, "")], "line 2, item 0: question_natural_language: is blank"),
        (
            [HEAD, ROW.format(1, 0, "a?"), "0,q,,2,0,e,w,t,b?"],
            "line 3, item 0: text: the item has another text above",
        ),
        ([HEAD, ",p,,1,0,e,w,t,a?"], "line 2: item_id: is empty"),
        ([HEAD], "has no checklists"),
    ],
)
def test_a_wrong_csv_is_named_with_line_and_remedy(tmp_path: Path, lines: list[str], message: str) -> None:
    (tmp_path / "c.csv").write_text("\n".join(lines))
    with pytest.raises(RecipeError, match=rf"c\.csv.*{message}"):
        load_checklists(tmp_path / "c.csv")


def line(**changes: Any) -> str:
    return json.dumps({"id": "x", "prompt": "p", "questions": [{"id": 1, "ask": "a?"}]} | changes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (line(questions=[]), "line 1: questions: "),
        (
            line(questions=[{"id": "1", "ask": "a?", "weight": 2}]),
            r"line 1: questions\.0\.weight: unknown key",
        ),
        (line(questions=[{"id": "1", "ask": "a?", "needs": ["2"]}]), "line 1: question '1' needs '2'"),
        (line(id=" "), "line 1: id: "),
        ("[" + line() + "]", "is one JSON list. Write one object a line"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "c.jsonl").write_text(text)
    with pytest.raises(RecipeError, match=rf"c\.jsonl.*{message}"):
        load_checklists(tmp_path / "c.jsonl")


# The form of dsg-1k-anns.csv and tifa160-dev-anns.csv, which the authors of DSG publish, with the kinds of
# bad rows that are in them: a need that is a word, a question twice, a circle, a blank question, an id twice.
BAD = {
    "pose_69": [(1, "0", "Is there a man?"), (2, "1,right", "Is his right arm up?")],
    "vrd_17": [(1, "0", "Is there a chair?"), (2, "1", "Is there a chair?")],
    "drawtext_45": [(1, "0", "Is there a sign?"), (2, "3", "Is it red?"), (3, "2", "Is it round?")],
    "coco_65": [(1, "0", "Is there a dog?"), (2, "1", " "), (3, "2,7", "Is it wet?")],
    "paint_7": [(1, "0", "Is there a cat?"), (2, "0", "Is there a mat?"), (2, "1", "Is it grey?")],
}


def published(folder: Path, good: int = 20) -> Path:
    lines = [HEAD]
    for number in range(good):
        lines.append(
            f"whoops_{number},A cup {number},cup,1,0,entity,whole,entity - whole (cup),Is there a cup?"
        )
        lines.append(
            f'whoops_{number},A cup {number},"cup, red",2,1,attribute,color,"attribute (cup)",Is it red?'
        )
    for name, rows in BAD.items():
        lines += [f'{name},p,,{number},"{needs}",entity,whole,t,{ask}' for number, needs, ask in rows]
    (folder / "anns.csv").write_text("\n".join(lines) + "\n")
    return folder / "anns.csv"


WRONG = [
    "line 43, item pose_69: question '2' needs 'right', which is not there. Known: 1, 2.",
    "line 45, item vrd_17: the question 'Is there a chair?' stands twice. Take one out.",
    "line 47, item drawtext_45: questions 2, 3 need each other in a circle. Take one need out.",
    "line 50, item coco_65: question_natural_language: is blank. Write the question.",
    "line 51, item coco_65: question '3' needs '7', which is not there. Known: 1, 2, 3.",
    "line 54, item paint_7: question '2' stands twice. Give each one an id of its own.",
]


def test_the_good_prompts_of_a_published_file_load_and_all_bad_rows_are_named(tmp_path: Path) -> None:
    file = published(tmp_path)
    with pytest.warns(BadRows) as warned:
        found = load_checklists(file)
    assert list(found) == [f"whoops_{number}" for number in range(20)]
    [caught] = warned
    assert isinstance(caught.message, BadRows)
    assert [str(row) for row in caught.message.rows] == [f"{file}, {told}" for told in WRONG]
    assert str(caught.message).startswith(f"{file}: 6 rows were left out, 20 can be used.")


def test_the_check_counts_what_is_bad_and_writes_what_is_good(tmp_path: Path) -> None:
    file, out = published(tmp_path), tmp_path / "good.jsonl"
    done = CliRunner().invoke(app, ["checklist", "check", str(file), "-o", str(out)])
    first, *named, wrote = done.output.splitlines()
    assert done.exit_code == 1
    told = "20 prompts, 40 questions, chains of at most 2; 5 prompts left out for 6 bad rows:"
    assert (first, wrote) == (f"{file}: {told}", f"wrote {out}")
    assert named == [f"{file}, {told}" for told in WRONG]
    assert len(load_checklists(out)) == 20
    again = CliRunner().invoke(app, ["checklist", "check", str(out)])
    assert (again.exit_code, "left out" in again.output) == (0, False)


def test_a_file_without_one_good_prompt_is_refused_with_all_that_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(RecipeError) as raised:
        load_checklists(published(tmp_path, good=0))
    assert len(str(raised.value).splitlines()) == len(WRONG)


def test_bad_lines_of_a_jsonl_are_left_out_too(tmp_path: Path) -> None:
    circle = [{"id": 1, "ask": "a?", "needs": [2]}, {"id": 2, "ask": "b?", "needs": [1]}]
    lines = [line(), "nope", line(), line(id="y", questions=circle), line(id="z")]
    (tmp_path / "c.jsonl").write_text("\n".join(lines))
    found = read_checklists(tmp_path / "c.jsonl")
    assert (list(found.checklists), found.prompts) == (["x", "z"], 3)
    assert [row.where[-6:] for row in found.bad] == ["line 2", "line 3", "line 4"]


@pytest.mark.parametrize(("mark", "number"), [(";", "{}"), ("\t", "{}"), (",", "{}.0")])
def test_what_a_spreadsheet_or_pandas_made_of_a_file_is_read_as_it_was(
    tmp_path: Path, mark: str, number: str
) -> None:
    ids = ["0", *(number.format(each) for each in (1, 2))]
    rows = [["", *COLUMNS]] + [
        [str(at), "7", "p", "", ids[at + 1], ids[at], "e", "w", "t", ask]
        for at, ask in enumerate(["a?", "b?"])
    ]
    (tmp_path / "c.csv").write_text("\n".join(mark.join(row) for row in rows))
    assert [(q.id, q.needs) for q in load_checklists(tmp_path / "c.csv")["7"].questions] == [
        ("1", ()),
        ("2", ("1",)),
    ]


@pytest.mark.parametrize(("written", "meant"), [(True, "yes"), ("FALSE", "no"), ("No", "no"), (None, None)])
def test_an_answer_that_became_a_truth_value_is_read_as_meant(written: Any, meant: str | None) -> None:
    assert Item.model_validate({"id": 1.0, "ask": "a?", "wanted": written}).wanted == meant


def test_a_csv_cannot_say_that_a_no_is_wanted(tmp_path: Path) -> None:
    no = Item(id="1", ask="Is there text?", wanted="no")
    save_checklists(made(no), tmp_path / "c.jsonl")
    assert load_checklists(tmp_path / "c.jsonl")["rose"].questions == (no,)
    with pytest.raises(RecipeError, match=r"cannot say `wanted: no`\. Write \.jsonl"):
        save_checklists(made(no), tmp_path / "c.csv")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sets(st.integers(0, 11)), min_size=1, max_size=12), st.randoms())
def test_needs_stand_before_what_needs_them_or_a_circle_is_told(needs: list[set[int]], chance: Any) -> None:
    below = [{need for need in each if need < number} for number, each in enumerate(needs)]
    items = [
        Item(id=str(n), ask=f"q{n}?", needs=tuple(str(need) for need in sorted(each)))
        for n, each in enumerate(below)
    ]
    chance.shuffle(items)
    ordered = [item.id for item in in_order(items)]
    assert sorted(ordered) == sorted(item.id for item in items)
    place = {name: at for at, name in enumerate(ordered)}
    assert all(place[name] < place[item.id] for item in items for name in item.needs)
    loop = [item.model_copy(update={"needs": (*item.needs, items[0].id)}) for item in items]
    with pytest.raises(ValueError, match="circle"):
        in_order(loop)


class Examinee:
    identity = "examinee"

    def __init__(self, answers: Mapping[str, bool | None]) -> None:
        self._answers, self.calls = answers, list[list[str]]()

    def answer(self, prompt: Prompt, picture: Picture, questions: Sequence[str]) -> list[Answer | Failure]:
        self.calls.append(list(questions))
        return [Answer(self._answers[question]) for question in questions]


def one(scorer: Any, prompt: Prompt) -> Score:
    picture = picture_of(paint("love", 1, 20))
    return scorer.score(Group(prompt, (Sample("a", prompt, "", picture=picture),)))[0]


def test_the_scorer_takes_a_checklist_per_prompt_from_a_file(tmp_path: Path) -> None:
    save_checklists(made(*ROSE), tmp_path / "c.csv")
    judge = Examinee({"Is there a rose?": True, "Is the rose red?": False})
    scorer = Checklist(judge, file=str(tmp_path / "c.csv"))
    assert one(scorer, Prompt("rose", "anything")).value == pytest.approx(1 / 3)
    assert judge.calls == [["Is there a rose?"], ["Is the rose red?"]]
    assert one(scorer, Prompt("another-id", "a red rose, wet")).value == pytest.approx(1 / 3)
    lost = one(scorer, Prompt("tulip", "a tulip"))
    assert lost.failure is not None
    assert (lost.failure.code, lost.failure.fault) == ("no_checklist", "system")


@pytest.mark.parametrize(
    ("scorer", "policy", "value"),
    [
        (Checklist, "fails", 0.0),
        (Checklist, "skipped", None),
        (Constraints, "fails", 0.0),
        (Constraints, "skipped", None),
    ],
)
def test_what_does_not_apply_fails_or_is_skipped_with_all_that_needs_it(
    tmp_path: Path, scorer: Any, policy: str, value: float | None
) -> None:
    save_checklists(made(*ROSE), tmp_path / "c.jsonl")
    judge = Examinee({"Is there a rose?": None})
    made_up = scorer(judge, file=str(tmp_path / "c.jsonl"), inapplicable=policy)
    assert one(made_up, Prompt("rose", "p")).value == value
    assert judge.calls == [["Is there a rose?"]]


def test_a_policy_that_is_none_is_named() -> None:
    with pytest.raises(RecipeError, match="checklist: inapplicable: is fails or skipped, not 'zero'"):
        Checklist(Examinee({}), inapplicable="zero")  # type: ignore[arg-type]


def reply(*rows: Mapping[str, Any]) -> str:
    return "Here it is:\n```json\n" + json.dumps({"questions": rows}) + "\n```"


GOOD = reply({"id": 1, "ask": "Is there a rose?"}, {"id": 2, "ask": "Is it red?", "needs": [1]})


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("no idea", "0 JSON objects"),
        (reply(), "no question at all"),
        (reply({"id": 1, "ask": "a?", "needs": [1]}), "circle"),
        (reply({"id": 1, "ask": "a?"}, {"id": 1, "ask": "b?"}), "stands twice"),
        (reply({"id": 1}), "questions.0: ask: is missing"),
        (reply(*({"id": n, "ask": f"{n}?"} for n in range(41))), "41 questions; at most 40"),
        (reply(*({"id": n, "ask": f"{n}?", "needs": [n - 1] if n else []} for n in range(6))), "chain of 6"),
    ],
)
def test_a_reply_that_breaks_the_rules_is_sent_back_with_what_is_wrong(
    tmp_path: Path, bad: str, told: str
) -> None:
    asked: list[Sequence[Message]] = []

    def script(messages: Sequence[Message]) -> str:
        asked.append(messages)
        return GOOD if len(asked) > 1 else bad

    found = decompose(ScriptedAuthor(script), {"rose": "a red rose"}, RECIPE, tmp_path / "steps.jsonl")
    assert [item.needs for item in found.checklists["rose"].questions] == [(), ("1",)]
    assert told in asked[1][-1].text


def test_an_author_that_copies_the_example_has_written_nothing(tmp_path: Path) -> None:
    def copy(messages: Sequence[Message]) -> str:
        return messages[1].text.splitlines()[-1]

    prompts = {"rose": "a red rose", "pot": "a Teapot"}
    found = decompose(ScriptedAuthor(copy), prompts, RECIPE, tmp_path / "steps.jsonl")
    assert list(found.checklists) == ["pot"]
    assert found.failures["rose"].code == "malformed_reply"
    assert "about the example" in found.failures["rose"].message
    absence = RECIPE.model_copy(update={"about": "absence"})
    assert list(decompose(ScriptedAuthor(copy), prompts, absence, tmp_path / "a.jsonl").failures) == ["rose"]


def test_what_was_decomposed_is_not_asked_again_and_what_failed_is(tmp_path: Path) -> None:
    asked: list[str] = []

    def script(messages: Sequence[Message]) -> str | Failure:
        asked.append(messages[1].text)
        return DOWN if "tulip" in messages[1].text and len(asked) < 3 else GOOD

    prompts = {"rose": "a red rose", "tulip": "a red tulip"}
    first = decompose(ScriptedAuthor(script), prompts, RECIPE, tmp_path / "steps.jsonl")
    assert (list(first.checklists), first.failures) == (["rose"], {"tulip": DOWN})
    again = decompose(ScriptedAuthor(script), prompts, RECIPE, tmp_path / "steps.jsonl")
    assert list(again.checklists) == ["rose", "tulip"]
    assert len(asked) == 3


def test_constraints_want_a_no_and_may_be_none(tmp_path: Path) -> None:
    absence = RECIPE.model_copy(update={"about": "absence"})
    script = {"nothing else": reply({"ask": "Is there anything but a rose?"}), "request": reply()}
    prompts = {"a": "a rose, nothing else", "b": "a rose"}
    found = decompose(ScriptedAuthor(script), prompts, absence, tmp_path / "steps.jsonl")
    assert found.checklists["a"].questions[0].wanted == "no"
    assert found.empty == ("b",)


def test_prompts_are_read_under_either_name(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text('{"id": "a", "prompt": "x", "seed": 1}\n{"text": "y"}\n')
    assert list(load_prompts(tmp_path / "p.jsonl").values()) == ["x", "y"]
    (tmp_path / "p.jsonl").write_text('{"id": "a"}\n')
    with pytest.raises(RecipeError, match=r"p\.jsonl, line 1: write the request as `prompt` or as `text`"):
        load_prompts(tmp_path / "p.jsonl")


def test_a_label_is_asked_for_once_and_read_strictly() -> None:
    asked: list[str] = []

    def script(messages: Sequence[Message]) -> str:
        asked.append(messages[-1].text)
        return '{"label": "maybe"}' if len(asked) == 1 else '<think>hm</think>{"label": "strict"}'

    intent = Intent(ScriptedAuthor(script))
    assert [intent.label(Prompt("a", "a rose, nothing else")) for _ in range(2)] == ["strict", "strict"]
    assert "'maybe' is none of strict, open" in asked[1]
    assert len(asked) == 2


def test_no_label_is_a_failure_of_the_system() -> None:
    with pytest.raises(StageError, match="judge_unreachable"):
        Intent(ScriptedAuthor(lambda _: DOWN)).label(Prompt("a", "p"))
    with pytest.raises(StageError, match="malformed_reply"):
        Applies(ScriptedAuthor(lambda _: "yes"), "broken letters").label(Prompt("a", "p"))


def test_the_version_changes_with_what_is_told() -> None:
    author = ScriptedAuthor({})
    versions = {Applies(author, failure).version for failure in ("letters", "hands")} | {
        Intent(author).version
    }
    assert len(versions) == 3


def test_a_classifier_of_a_recipe_asks_a_real_server() -> None:
    with served() as server:
        server: ScriptedServer
        server.script = ['{"label": "open"}']
        spec = {"kind": "openai", "model": "writer", "base_url": server.url, "cache": False}
        classifier = resolve("classifier", "intent")(author=spec)
        assert classifier.label(Prompt("a", "a rose")) == "open"
        assert "a rose" in server.seen[0]["messages"][1]["content"]


def test_the_chat_author_shows_pictures_in_their_place_and_keeps_replies(tmp_path: Path) -> None:
    picture = picture_of(paint("love", 1, 20))
    messages = [Message("system", ("You write.",)), Message("user", ("This:", picture, "and?"))]
    with served() as server:
        server.script = [503, "A rose.", "Another."]
        author = ChatAuthor("writer", server.url, cache=str(tmp_path), backoff_s=0.01)
        assert author.write(messages) == "A rose."
        author.keep(messages, "A rose.")
        assert author.write(messages) == "A rose."
        content = server.seen[-1]["messages"][1]["content"]
        assert [part["type"] for part in content] == ["text", "image_url", "text"]
        again = ChatAuthor("writer", server.url, cache=str(tmp_path))
        assert again.write(messages) == "A rose."
        assert len(server.seen) == 2


def test_a_reply_that_was_cut_is_none() -> None:
    with served() as server:
        cut = {"choices": [{"message": {"content": '{"criteria": ["It'}, "finish_reason": "length"}]}
        server.script = [cut]
        author = ChatAuthor("writer", server.url, cache=False, attempts=2, backoff_s=0.01)
        found = author.write([Message("user", ("p",))])
        assert isinstance(found, Failure)
        assert "max_tokens" in found.message
