"""What is told of a checklist in which much is wrong: the first few, and the number of the rest."""

import json
from pathlib import Path
from typing import Any

import pytest

from salon.errors import RecipeError
from salon.rubrics.checklists import read_checklists
from salon.scorers.questions import read_questions

MANY = 2000
LONG = [{"id": f"{'q' * 180}{n}", "ask": f"Is it {n}?"} for n in range(MANY)]


def reasons(folder: Path, questions: list[dict[str, Any]], ending: str = "jsonl") -> list[str]:
    file = folder / f"all.{ending}"
    if ending == "jsonl":
        file.write_text(json.dumps({"id": "x", "prompt": "a rose", "questions": questions}))
    else:
        rows = [f"x,a rose,{each['id']},{each['needs'][0]},{each['ask']}" for each in questions]
        head = "item_id,text,proposition_id,dependency,question_natural_language"
        file.write_text("\n".join([head, *rows]))
    found = [each.reason for each in read_checklists(file).bad]
    assert len(found) <= 21
    assert sum(map(len, found)) < 30_000
    return found


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_unknown_needs(tmp_path: Path, ending: str) -> None:
    questions = [{**each, "needs": [f"{'z' * 180}{n}"]} for n, each in enumerate(LONG)]
    assert reasons(tmp_path, questions, ending)[-1] == "and 1,980 more problems of this prompt, from here on."


def test_unknown_needs_of_one_question(tmp_path: Path) -> None:
    (told,) = reasons(tmp_path, [{"id": "q", "ask": "Is it?", "needs": [f"z{n}" for n in range(MANY)]}])
    assert told.startswith("question 'q' needs 'z0', 'z1', ")
    assert told.endswith("and 1,988 more, which are not there.")


def test_a_long_circle(tmp_path: Path) -> None:
    ring = [{"id": n, "ask": f"Is it {n}?", "needs": [(n + 1) % MANY]} for n in range(MANY)]
    assert "11 and 1,988 more need each other in a circle" in reasons(tmp_path, ring)[0]


def test_an_unknown_need_in_a_recipe() -> None:
    rows = [{**each, "needs": ["nobody"]} if n == MANY - 1 else each for n, each in enumerate(LONG)]
    with pytest.raises(RecipeError, match=r"questions\.1999\.needs: .*and 1,939 more\.$") as caught:
        read_questions(rows, "checklist")
    assert len(str(caught.value)) < 5_000
