"""The commands of rubrics, checklists and evaluations, run in this process."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from chatserver import served
from salon.cli import app
from salon.errors import StoreError
from salon.rubrics.decompose import load_decompose_recipe
from salon.rubrics.generation.pairs import load_pairs
from salon.rubrics.rubric import Rubric, Theme

ROOT = Path(__file__).resolve().parents[2]


def salon(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def rubric(path: Path, *tips: str) -> Path:
    Rubric(name="f", themes=(Theme(name="Edges", level="fine", tips=tips),)).save(path)
    return path


def test_pairs_are_exported_from_a_pool(painted_pool_folder: Path, tmp_path: Path) -> None:
    done = salon(
        "rubric", "pairs", painted_pool_folder, "-n", "6", "-o", tmp_path / "pairs.jsonl", "--split", "any"
    )
    assert done.exit_code == 0, done.output
    assert len(load_pairs(tmp_path / "pairs.jsonl")) == 6


def test_a_rubric_is_shown_and_compared(tmp_path: Path) -> None:
    one, two = rubric(tmp_path / "a.yaml", "Petals bleed."), rubric(tmp_path / "b.yaml", "Petals end softly.")
    assert salon("rubric", "show", one, "--as", "text").output == "1. Edges (fine)\n   - Petals bleed.\n"
    assert "- **1. Edges** · fine" in salon("rubric", "show", one).output
    changed = salon("rubric", "diff", one, two)
    assert (changed.exit_code, changed.output) == (1, "- Edges: Petals bleed.\n+ Edges: Petals end softly.\n")
    assert salon("rubric", "diff", one, one).exit_code == 0


def test_prompts_are_decomposed_over_a_server_and_the_file_is_converted(tmp_path: Path) -> None:
    (tmp_path / "prompts.jsonl").write_text(
        '{"id": "r", "prompt": "a rose"}\n{"id": "t", "prompt": "a tulip"}\n'
    )
    reply = json.dumps({"questions": [{"id": 1, "ask": "Is there a flower?"}]})
    with served() as server:
        server.script = [reply, 401]
        (tmp_path / "c.yaml").write_text(
            f"author: {{kind: openai, model: m, base_url: '{server.url}', cache: false}}\nconcurrency: 1\n"
        )
        arguments: Sequence[str | Path] = (
            "checklist",
            "decompose",
            tmp_path / "prompts.jsonl",
            "--recipe",
            tmp_path / "c.yaml",
            "-o",
            tmp_path / "c.csv",
        )
        first = salon(*arguments)
        assert first.exit_code == 1
        assert "t: judge_refused" in first.output
        server.script = [reply]
        assert salon(*arguments).exit_code == 0
        assert len(server.seen) == 3
    checked = salon("checklist", "check", tmp_path / "c.csv", "-o", tmp_path / "c.jsonl")
    assert "2 prompts, 2 questions, chains of at most 1" in checked.output
    assert len((tmp_path / "c.jsonl").read_text().splitlines()) == 2


def test_the_shipped_checklist_recipe_is_read() -> None:
    recipe = load_decompose_recipe(ROOT / "recipes" / "checklist.yaml", ["about=absence"])
    assert (recipe.about, recipe.depth) == ("absence", 5)


def test_a_folder_alone_is_a_run_to_evaluate(tmp_path: Path) -> None:
    assert isinstance(salon("evaluate", tmp_path / "nowhere", "--pairs", "3").exception, StoreError)
    assert isinstance(salon("evaluate", "run", tmp_path / "nowhere").exception, StoreError)
    assert "classifier" in salon("evaluate", "--help").output


def test_a_judge_is_evaluated_on_a_pool(painted_pool_folder: Path, tmp_path: Path) -> None:
    done = salon(
        "evaluate",
        "judge",
        "--data",
        painted_pool_folder,
        "--judge",
        "heldout",
        "--limit",
        "20",
        "-o",
        tmp_path / "out",
    )
    assert done.exit_code == 0, done.output
    assert "| all (20) |" in done.output
    assert len((tmp_path / "out" / "verdicts.jsonl").read_text().splitlines()) == 20
