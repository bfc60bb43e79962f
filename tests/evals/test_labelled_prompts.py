"""The prompts that ship for measuring classifiers: balanced, each once; and files with several labels."""

import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from salon.cli import app
from salon.errors import RecipeError
from salon.evals.classifier import evaluate_classifier, load_labelled

RECIPES = Path(__file__).resolve().parents[2] / "recipes"
LABELS = {
    "intent": {"strict", "open"},
    "lettering": {"yes", "no"},
    "handmade": {"yes", "no"},
    "limbs": {"yes", "no"},
}


def test_the_shipped_prompts_are_balanced_and_each_stands_once() -> None:
    rows = load_labelled("prompts")
    words = [" ".join(row.prompt.casefold().split()) for row in rows]
    assert len(rows) == len(set(words)) == 120
    for name, labels in LABELS.items():
        counts = Counter(row.label_of(name) for row in rows)
        assert set(counts) == labels
        assert min(counts.values()) >= 58
    assert all(set(row.labels) == set(LABELS) for row in rows)


def test_every_combination_of_labels_is_there_so_none_gives_another_away() -> None:
    counts = Counter(tuple(row.labels[name] for name in LABELS) for row in load_labelled("prompts"))
    assert len(counts) == 16
    assert min(counts.values()) >= 7


@pytest.mark.parametrize(
    ("name", "right"), [("intent", 111), ("lettering", 104), ("handmade", 114), ("limbs", 87)]
)
def test_the_words_of_the_shipped_gates_reach_what_the_guide_says(name: str, right: int) -> None:
    report = evaluate_classifier(RECIPES / "gates.yaml", name)
    assert sum(row.said == row.label for row in report.rows) == right


def test_a_file_with_several_labels_serves_several_classifiers(tmp_path: Path) -> None:
    row = {"prompt": "a man with a sign", "labels": {"intent": "open", "people": "yes"}}
    file = tmp_path / "p.jsonl"
    file.write_text(json.dumps(row) + "\n")
    gates = RECIPES / "gates.yaml"
    assert evaluate_classifier(gates, "intent", file).accuracy == 1.0
    assert evaluate_classifier(gates, "limbs", file, label="people").accuracy == 1.0
    with pytest.raises(RecipeError, match=r"has no label 'limbs'\. Known: intent, people\. Say --label"):
        evaluate_classifier(gates, "limbs", file)


@pytest.mark.parametrize(
    "row",
    [
        {"prompt": "a rose"},
        {"prompt": "a rose", "labels": {}},
        {"prompt": "a rose", "label": "open", "labels": {"intent": "open"}},
        {"prompt": " ", "label": "open"},
        {"prompt": "a rose", "labels": {"intent": ""}},
    ],
)
def test_a_row_has_one_form(row: object, tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text(json.dumps(row))
    with pytest.raises(RecipeError, match=r"p\.jsonl, line 1"):
        load_labelled(tmp_path / "p.jsonl")


def test_the_command_takes_the_shipped_prompts_by_default() -> None:
    arguments = ["evaluate", "classifier", "--recipe", str(RECIPES / "arena.yaml"), "--name", "intent"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert done.output.startswith("accuracy 0.642 (0.553 to 0.722) on 120 of 120 prompts")
