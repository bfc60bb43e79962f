"""Rubrics, pairs and guides as files: read strictly, written readably, compared line by line."""

import ast
import json
import types
from functools import cache
from pathlib import Path

import pytest

from painted import paint
from salon.errors import RecipeError
from salon.pool import Pool
from salon.rubrics.generation import briefs
from salon.rubrics.generation.exemplars import load_guides
from salon.rubrics.generation.pairs import load_pairs, pool_pairs, write_pairs
from salon.rubrics.generation.recipe import RubricRecipe, load_rubric_recipe
from salon.rubrics.generation.wording import comparative
from salon.rubrics.rubric import Rubric, Theme, diff, load_rubric
from salon.types import Picture


@cache
def flowers() -> Pool:
    return Pool.load("flowers")


ROOT = Path(__file__).resolve().parents[2]
RUBRIC = Rubric(
    name="flowers",
    summary="A watercolour of one flower.",
    themes=(
        Theme(name="Subject", level="coarse", tips=("One flower is there.",)),
        Theme(name="Edges", level="fine", tips=("Petals end softly.", "No line is doubled.")),
    ),
)


@pytest.mark.parametrize("name", ["rubric.yaml", "rubric.json"])
def test_a_rubric_comes_back_as_it_was_written(tmp_path: Path, name: str) -> None:
    RUBRIC.save(tmp_path / name)
    assert load_rubric(tmp_path / name) == RUBRIC


def test_what_a_judge_reads_and_what_people_read() -> None:
    assert RUBRIC.text == (
        "A watercolour of one flower.\n\n1. Subject (coarse)\n   - One flower is there.\n"
        "2. Edges (fine)\n   - Petals end softly.\n   - No line is doubled."
    )
    assert "- **2. Edges** · fine: local detail\n    - Petals end softly.\n" in RUBRIC.markdown()


def test_identity_changes_with_what_a_judge_reads_and_with_nothing_else() -> None:
    assert RUBRIC.model_copy(update={"version": 2, "made": {"by": "hand"}}).identity == RUBRIC.identity
    assert RUBRIC.model_copy(update={"summary": "Another."}).identity != RUBRIC.identity


def test_a_diff_names_what_came_went_and_moved() -> None:
    edges = Theme(name="Edges", level="mid", tips=("No line is doubled.", "Edges bleed."))
    after = RUBRIC.model_copy(update={"themes": (edges, RUBRIC.themes[0], Theme(name="Paper", tips=("x",)))})
    assert diff(RUBRIC, after) == [
        "~ Edges: fine → mid",
        "- Edges: Petals end softly.",
        "+ Edges: Edges bleed.",
        "+ Paper (mid)",
        "+     x",
        "~ order: Subject, Edges → Edges, Subject",
    ]
    assert diff(RUBRIC, RUBRIC) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("themes: []\n", "themes: "),
        ("themes:\n  - {name: A, tips: [x], weight: 1}\n", r"themes\.0\.weight: unknown key"),
        ("themes:\n  - {name: A, level: high, tips: [x]}\n", r"themes\.0\.level"),
        ("themes:\n  - {name: A, tips: [x, ' x ']}\n", "the tip 'x' stands twice"),
        ("themes:\n  - {name: A, tips: [x]}\n  - {name: A, tips: [y]}\n", "the theme 'A' stands twice"),
    ],
)
def test_a_wrong_rubric_is_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "r.yaml").write_text(text)
    with pytest.raises(RecipeError, match=rf"r\.yaml.*{message}"):
        load_rubric(tmp_path / "r.yaml")


def row(**changes: object) -> str:
    return json.dumps({"prompt": "p", "a": "1.png", "b": "2.png", "preferred": "a"} | changes)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("1", "2"):
        paint("love", int(name), 20).save(tmp_path / f"{name}.png")
    return tmp_path


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "has no pairs"),
        ("nope", "line 1: not JSON"),
        (row(preferred="A"), "line 1: preferred: "),
        (row(winner="a"), "line 1: winner: unknown key"),
        (row(b="3.png"), r"line 1: b: there is no picture .*3\.png"),
        (row(b="3" * 5000), "line 1: b: there is no picture"),
        (row(b="./1.png"), "line 1: a and b are the same file"),
        (row(prompt=" "), "line 1: prompt: "),
        (row()[:-1] + ', "preferred": "b"}', "line 1: 'preferred' is written twice"),
    ],
)
def test_a_wrong_pair_is_named_with_file_line_and_key(folder: Path, lines: str, message: str) -> None:
    (folder / "pairs.jsonl").write_text(lines)
    with pytest.raises(RecipeError, match=rf"pairs\.jsonl.*{message}"):
        load_pairs(folder / "pairs.jsonl")


def test_pairs_of_one_prompt_are_told_by_its_id(folder: Path) -> None:
    (folder / "pairs.jsonl").write_text(f"{row()}\n{row(a='2.png', b='1.png')}\n{row(prompt='q', id='z')}\n")
    pairs = load_pairs(folder / "pairs.jsonl")
    assert [pair.id for pair in pairs] == ["1", "2", "z"]
    assert [pair.prompt.id == pairs[0].prompt.id for pair in pairs] == [True, True, False]


def test_pairs_from_a_pool_go_to_a_file_and_come_back(tmp_path: Path) -> None:
    pool = flowers()
    drawn = pool_pairs(pool, 12, "train", seed=1, template="draw a {subject}")
    assert drawn == pool_pairs(pool, 12, "train", seed=1, template="draw a {subject}")
    assert {pair.label for pair in drawn} == {"a", "b"}
    assert {pair.category for pair in drawn} == {"love>okay", "love>nope", "okay>nope"}
    tiers = {item.reference.picture.key: item.reference.tier for item in pool.items}
    assert write_pairs(drawn, tmp_path / "out" / "pairs.jsonl") == 12
    back = load_pairs(tmp_path / "out" / "pairs.jsonl")
    for before, after in zip(drawn, back, strict=True):
        assert (after.id, after.label, after.category) == (before.id, before.label, before.category)
        assert after.first.load().key == before.first.load().key
        assert f"{tiers[after.first.load().key]}>{tiers[after.second.load().key]}" == after.category
        assert after.prompt.text.startswith("draw a ")


def test_more_pairs_than_there_are_is_refused() -> None:
    with pytest.raises(RecipeError, match="and 100000 are asked for"):
        pool_pairs(flowers(), 100_000)


def test_guides_show_both_pictures_and_the_reason(folder: Path) -> None:
    line = {"prompt": "p", "preferred": "1.png", "dispreferred": "2.png", "reason": "Its petals overlap."}
    (folder / "guides.jsonl").write_text(json.dumps(line))
    asked, answered = load_guides(folder / "guides.jsonl")
    assert [type(part) for part in asked.parts] == [str, Picture, str, Picture]
    assert answered.text == "The reason that was given: Its petals overlap."
    (folder / "guides.jsonl").write_text(json.dumps(line | {"preferred": "9.png"}))
    with pytest.raises(RecipeError, match=r"guides\.jsonl, row 1: preferred: .*9\.png"):
        load_guides(folder / "guides.jsonl")


@pytest.mark.parametrize(
    ("criterion", "compares"),
    [
        ("Edges are sharper than in the other image.", True),
        ("Image A has a clear focus.", True),
        ("The second picture is blurred.", True),
        ("Compared to the rival, colours glow.", True),
        ("Both images show a rose; one petal is torn.", True),
        ("The flower is larger than its leaves.", False),
        ("A second flower overlaps the first one's stem.", False),
        ("The picture shows one rose, lit from the left.", False),
        ("No more than three hues are used.", False),
    ],
)
def test_criteria_that_speak_of_a_rival_are_found(criterion: str, compares: bool) -> None:
    assert bool(comparative(criterion)) == compares


def test_the_shipped_recipe_is_read() -> None:
    recipe = load_rubric_recipe(ROOT / "recipes" / "rubric.yaml", ["t_max=3"])
    assert (recipe.t_max, recipe.verify, recipe.held_out) == (3, "blind", 0.2)


def test_a_wrong_recipe_is_named(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text("author: {kind: openai}\nverfy: blind\n")
    with pytest.raises(RecipeError, match=r"r\.yaml: verfy: unknown key\. Did you mean 'verify'"):
        load_rubric_recipe(tmp_path / "r.yaml")
    assert RubricRecipe.model_validate({"author": {"kind": "openai"}}).plan().t_max == 5


def test_the_version_of_what_is_asked_is_that_of_its_words(tmp_path: Path) -> None:
    """The module written in another way asks the same; a word more is another version."""
    source, now = Path(briefs.__file__).read_text(), briefs.version()

    def version_of(text: str) -> str:
        made = types.ModuleType("salon.rubrics.generation.briefs_again")
        made.__package__ = "salon.rubrics.generation"
        exec(compile(text, "briefs_again.py", "exec"), made.__dict__)
        return str(made.version())

    assert version_of(source) == now
    tree = ast.unparse(ast.parse(source))
    assert tree != source
    assert version_of(tree + "\n# wrapped anew") == now
    for constant in ("CRITERIA_SYSTEM", "STRUCTURE_SYSTEM", "LABEL_AWARE_SYSTEM"):
        assert version_of(source.replace("def listed", f"{constant} += ' Be brief.'\n\n\ndef listed")) != now
    for words in ("Write them anew", "The preferred picture:", "This one was liked less", "Write at most"):
        assert source.count(words) == 1
        assert version_of(source.replace(words, f"{words} now")) != now
