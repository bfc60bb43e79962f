"""Data that cannot be trusted as they stand are told of, and never called fine."""

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from rich.console import Console

from salon.diagnosis import Diagnosis, Options, diagnose, read_table
from salon.diagnosis.checks.position import check_position
from salon.diagnosis.finding import Finding
from salon.diagnosis.pages.terminal import show, verdict
from salon.diagnosis.table import OrderRates
from salon.errors import RecipeError

ROWS = 360


def scores(**more: Any) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    columns: dict[str, Any] = {"group": np.repeat(np.arange(60), 6)}
    columns |= {name: 0.05 + rng.random(ROWS) for name in ("taste", "light")}
    return pl.DataFrame(columns | more)


def printed(found: Diagnosis) -> str:
    console = Console(record=True, width=200, file=io.StringIO())
    show(found, console)
    return console.export_text()


def problems(found: Diagnosis, kind: str) -> list[str]:
    return [each.title for each in found.of_level("problem") if each.kind == kind]


# ---- one word whatever the order -------------------------------------------------------------------------


def orders(ab: list[Any], ba: list[Any], **more: Any) -> Diagnosis:
    return diagnose(pl.DataFrame({"eye_ab": ab, "eye_ba": ba, **more}))


@pytest.mark.parametrize("word", ["left", "right", "first", "second", "A", "b", 0.9, 0.0])
@pytest.mark.parametrize("other", [0, 2])
def test_a_judge_that_always_says_the_same_is_a_problem(word: Any, other: int) -> None:
    opposite = {"left": "right", "right": "left", "first": "second", "second": "first", "A": "B", "b": "a"}
    says = [word] * (60 - other) + [opposite.get(word, 0.5)] * other
    found = orders(says, says)
    assert problems(found, "position")
    assert "Nothing is wrong" not in verdict(found)


def test_places_are_read_as_places_and_letters_as_pictures() -> None:
    rng = np.random.default_rng(0)
    wins = rng.random(80) < 0.5
    by_place = orders(["left" if w else "right" for w in wins], ["right" if w else "left" for w in wins])
    by_letter = orders(["a" if w else "b" for w in wins], ["a" if w else "b" for w in wins])
    for found in (by_place, by_letter):
        assert [each.level for each in found.findings if each.kind == "position"] == ["fine"]
        assert found.findings[0].numbers["flip_rate"].value == 0


def test_always_the_same_is_right_where_people_say_so_too() -> None:
    assert not problems(orders(["a"] * 60, ["a"] * 60, human=["a"] * 60), "position")
    assert problems(orders(["a"] * 60, ["a"] * 60, human=["a", "b"] * 30), "position")


def test_a_judge_that_never_decides_shows_nothing() -> None:
    for says in ("tie", 0.5):
        found = orders([says] * 60, [says] * 60)
        assert not found.findings
        (left,) = found.unchecked
        assert left.needs == "20 comparisons or more that name a winner in both orders (here 0 of 60)"


@pytest.mark.parametrize("ties", [0, 20, 400])
def test_ties_do_not_hide_that_the_order_decides(ties: int) -> None:
    """What is shown first wins in both orders, of all pairs that have a winner."""
    many = orders(["a"] * 30 + ["tie"] * ties, ["b"] * 30 + ["tie"] * ties)
    (finding,) = [each for each in many.findings if each.kind == "position"]
    assert (finding.level, finding.numbers["flip_rate"].value) == ("problem", 1)
    few = orders(["a"] * 3 + ["tie"] * (ties + 60), ["b"] * 3 + ["tie"] * (ties + 60))
    assert not few.findings
    assert f"(here 3 of {ties + 63})" in few.unchecked[0].needs


def test_one_judge_with_enough_verdicts_does_not_clear_another() -> None:
    wins = ["a" if win else "b" for win in np.random.default_rng(0).random(60) < 0.5]
    few = [*wins[:6], *["tie"] * 54]
    found = orders(wins, wins, shy_ab=few, shy_ba=few)
    assert [each.terms for each in found.findings] == [("eye",)]
    assert [each.kind for each in found.unchecked] == ["position"]


@pytest.mark.parametrize(("ties", "level"), [(0.0, "fine"), (0.9, ""), (1.0, "")])
def test_a_runs_ties_are_no_steadiness(ties: float, level: str) -> None:
    table = replace(read_table(scores()), rates=(OrderRates("eye", 100, 0.0, ties, 0.5),))
    found = [each.level for each in check_position(table) if isinstance(each, Finding)]
    assert found == ([level] if level else [])
    flips = replace(table, rates=(OrderRates("eye", 400, 0.1, 1.0, 0.55),))
    (finding,) = check_position(flips)
    assert isinstance(finding, Finding)
    assert (finding.level, finding.numbers["flip_rate"].value) == ("problem", 1)


# ---- answers that repeat ---------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.5, 0.6, 0.9])
@pytest.mark.parametrize("alike", ["one text", "a text for each group"])
def test_answers_that_repeat_from_the_first_step_on_are_told(share: float, alike: str) -> None:
    rng = np.random.default_rng(6)
    texts = [alike if alike == "one text" else f"{alike} {row // 6}" for row in range(ROWS)]
    completion = [text if rng.random() < share else f"row {row}" for row, text in enumerate(texts)]
    found = diagnose(scores(completion=completion, step=np.repeat(np.arange(12), 30)))
    told = [each for each in found.findings if each.kind == "diversity"]
    assert told
    assert {each.level for each in told} <= ({"problem"} if share > 0.8 else {"problem", "notice"})
    assert "still differ" not in printed(found)


def test_few_answers_that_may_repeat_are_not_called_different() -> None:
    completion = ["the same" if row % 6 < 3 and row < 12 else f"row {row}" for row in range(24)]
    found = diagnose(scores()[:24].with_columns(completion=pl.Series(completion)))
    assert "still differ" not in printed(found) or [
        each.numbers["repeats"].value < 0.3 for each in found.findings if each.kind == "diversity"
    ] == [True]


# ---- one number in place of many -------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0.5, 0.31, 0.0])
@pytest.mark.parametrize("share", [0.15, 0.3])
@pytest.mark.parametrize("digits", [2, 9])
def test_a_number_that_stands_for_missing_scores_is_told(value: float, share: float, digits: int) -> None:
    rng = np.random.default_rng(7)
    depth = np.round(rng.random(ROWS) - (0.5 if value == 0 else 0), digits)
    found = diagnose(scores(depth=np.where(rng.random(ROWS) < share, value, depth)))
    (told,) = [each for each in found.findings if each.kind == "phantom_zeros"]
    assert (told.level, told.terms) == ("notice", ("depth",))
    assert "exactly" in told.wrong


@pytest.mark.parametrize("kind", ["continuous", "marks", "clipped", "peaked", "hundredths"])
def test_honest_scores_have_no_number_that_stands_out(kind: str) -> None:
    rng = np.random.default_rng(8)
    drawn = rng.normal(0.5, 0.2, ROWS)
    depth = {
        "continuous": drawn,
        "marks": np.round(10 * np.clip(drawn, 0, 1)),
        "clipped": np.clip(drawn, 0.3, 0.7),
        "peaked": 0.5 + 0.01 * rng.standard_cauchy(ROWS).clip(-40, 40),
        "hundredths": np.round(drawn, 2),
    }[kind]
    found = diagnose(scores(depth=depth))
    assert not [each for each in found.findings if each.kind == "phantom_zeros" and each.level != "fine"]


# ---- numerical noise -------------------------------------------------------------------------------------


@pytest.mark.parametrize("middle", [0.0, 0.5, 3.0, -7.25, 1000.0])
def test_what_differs_by_rounding_only_is_constant(middle: float) -> None:
    rng = np.random.default_rng(1)
    flat = middle + 1e-9 * max(1.0, abs(middle)) * rng.uniform(-1, 1, ROWS)
    noisy, still = diagnose(scores(flat=flat)), diagnose(scores(flat=[middle] * ROWS))
    assert problems(noisy, "saturated") == problems(still, "saturated") != []
    assert "never changes" in next(each.wrong for each in noisy.findings if each.kind == "saturated")


# ---- markers of missing scores ---------------------------------------------------------------------------


@pytest.mark.parametrize("marker", [-1, -9, -99, -999, -9999, 999, 9999])
@pytest.mark.parametrize("marks", [False, True])
@pytest.mark.parametrize("share", [0.02, 0.3])
def test_a_marker_is_missing_and_told(marker: int, marks: bool, share: float) -> None:
    rng = np.random.default_rng(2)
    depth = np.round(10 * rng.random(ROWS)) if marks else rng.random(ROWS)
    gone = rng.random(ROWS) < share
    found = diagnose(scores(depth=np.where(gone, marker, depth)))
    np.testing.assert_equal(np.isnan(found.table.term("depth").raw_N), gone)
    assert f"depth: {marker} in {gone.sum()} rows stands apart" in printed(found)
    assert "--term depth keeps it" in printed(found)
    assert [each.kind for each in found.findings if "depth" in each.terms and each.level != "fine"] == [
        "missing"
    ]
    kept = diagnose(scores(depth=np.where(gone, marker, depth)), Options(terms=("depth",)))
    assert not np.isnan(kept.table.term("depth").raw_N).any()


@pytest.mark.parametrize(
    "values",
    [[-1, 1], [-1, 0, 1], [-1, -0.5, 0, 0.5, 1], [-2, -1, 0, 1, 2], [99, 98, 97, 60], [-9, -8, 0, 3, 5, 7]],
)
def test_a_score_that_looks_like_a_marker_is_a_score(values: list[float]) -> None:
    depth = np.random.default_rng(3).choice(values, ROWS)
    assert not np.isnan(diagnose(scores(depth=depth)).table.term("depth").raw_N).any()


def test_a_label_that_nobody_gave_is_missing() -> None:
    rng = np.random.default_rng(4)
    human = np.where(rng.random(ROWS) < 0.5, -1, rng.integers(0, 5, ROWS))
    found = diagnose(scores(human=human))
    assert found.table.human_N is not None
    assert np.isnan(found.table.human_N).sum() == (human == -1).sum()
    assert "human: -1 in" in printed(found)


# ---- no header, and rows twice ---------------------------------------------------------------------------


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("name", ["", "a.png"])
def test_a_file_without_a_header_is_refused(tmp_path: Path, mark: str, name: str) -> None:
    rows = [[name or n // 6, n * n % 7 / 8, n * n % 5 / 8] for n in range(60)]
    file = tmp_path / "scores.csv"
    file.write_text("\n".join(mark.join(str(cell) for cell in row) for row in rows))
    with pytest.raises(RecipeError, match=r"scores\.csv: the header is missing.*such as group,taste,light"):
        diagnose(file)


@pytest.mark.parametrize("head", ["0,1,2", ",0,1", "group,2023,2024", "group,v1.5,v2.0"])
def test_numbers_as_names_are_names(tmp_path: Path, head: str) -> None:
    rows = [f"{n // 6},{n * n % 7 / 8},{n * n % 5 / 8}" for n in range(60)]
    (tmp_path / "scores.csv").write_text("\n".join([head, *rows]))
    assert diagnose(tmp_path / "scores.csv").table.rows == 60


@pytest.mark.parametrize("often", [2, 3])
@pytest.mark.parametrize("kind", ["numbers", "names"])
def test_repeated_rows_are_told_and_counted(often: int, kind: str) -> None:
    frame = scores() if kind == "numbers" else scores(id=range(ROWS)).with_columns(
        pl.col("taste", "light").mul(4).round()
    )  # fmt: skip
    found = diagnose(pl.concat([frame] * often))
    assert problems(found, "repeated") == ["Rows are there more than once"]
    (finding,) = [each for each in found.findings if each.kind == "repeated"]
    assert f"{ROWS * (often - 1)} rows of {ROWS * often:,}" in finding.wrong
    assert f"stand there {'twice' if often == 2 else 'three times'}" in finding.wrong
    some = diagnose(pl.concat([frame, frame[:7]]))
    assert [each.level for each in some.findings if each.kind == "repeated"] == ["notice"]


def test_marks_that_are_alike_by_chance_are_no_repeated_rows() -> None:
    rng = np.random.default_rng(5)
    marks = {name: rng.integers(0, 4, ROWS) for name in ("taste", "light", "depth")}
    assert not [each for each in diagnose(pl.DataFrame(marks)).findings if each.kind == "repeated"]


# ---- a total that is no weighted sum ---------------------------------------------------------------------

TOTALS = {
    "the product of taste and light": lambda taste, light: 3 * taste * light,
    "the geometric mean of taste and light": lambda taste, light: (taste * light) ** 0.5,
    "a product of powers: taste^2.00 and light^0.50": lambda taste, light: taste**2 * light**0.5,
    "the smallest of taste and light": np.minimum,
    "the largest of taste and light": np.maximum,
}


@pytest.mark.parametrize("what", TOTALS)
def test_what_a_total_seems_to_be_is_told(what: str) -> None:
    frame = scores()
    found = diagnose(
        frame.with_columns(total=TOTALS[what](frame["taste"].to_numpy(), frame["light"].to_numpy()))
    )
    assert found.table.weights_from == "equal"
    told = f"The total is no weighted sum of the terms, so that it tells no weights: it seems to be {what}."
    assert told in found.table.notes
    assert "Nothing is wrong" not in verdict(found)
    assert {each.kind for each in found.unchecked} >= {"dominance", "exploited"}


def test_a_total_that_is_the_same_wherever_no_term_is_zero_is_no_product() -> None:
    frame = scores()
    taste = np.where(np.arange(frame.height) % 3 == 0, 0.0, frame["taste"].to_numpy() + 0.01)
    light = frame["light"].to_numpy() + 0.01
    found = diagnose(frame.with_columns(taste=taste, light=light, total=np.where(taste > 0, 1.0, 0.0)))
    assert "no weighted sum" in printed(found)
    assert "of its variance" in printed(found)


def test_a_total_of_something_else_is_told_too() -> None:
    rng = np.random.default_rng(6)
    found = diagnose(scores(total=rng.random(ROWS)))
    assert "no weighted sum" in printed(found)
    assert "of its variance" in printed(found)
    frame = scores()
    weighted = diagnose(frame.with_columns(total=0.3 * frame["taste"] + 0.7 * frame["light"]))
    assert weighted.table.weights_from == "total"
    assert "no weighted sum" not in printed(weighted)


# ---- a row a criterion -----------------------------------------------------------------------------------


def long_rows(criteria: list[Any]) -> pl.DataFrame:
    rng = np.random.default_rng(7)
    rows = [(n // 40, n // 4, n, c, float(rng.random())) for n in range(80) for c in criteria]
    return pl.DataFrame(rows, schema=["step", "prompt_id", "sample_id", "criterion", "score"], orient="row")


@pytest.mark.parametrize("name", ["step", "prompt_id", "sample_id", "criterion", "score"])
def test_a_criterion_may_be_called_like_a_column(name: str) -> None:
    found = diagnose(long_rows([name, "taste"]))
    assert len(found.table.terms) == 2
    assert any(term.name.startswith(name) for term in found.table.terms)
    assert len(found.table.steps) == 2
    assert found.table.groups == 20
    both = diagnose(long_rows(["step", "step (criterion)", "taste"]))
    assert len(both.table.terms) == 3


def test_a_criterion_may_be_called_like_a_column_beside() -> None:
    frame = long_rows(["tokens", "taste"]).with_columns(tokens=pl.col("sample_id") * 7 % 50 + 100)
    found = diagnose(frame)
    assert {term.name for term in found.table.terms} == {"tokens (criterion)", "taste"}
    assert "length" in found.table.beside


@pytest.mark.parametrize("blank", [None, "", "  "])
def test_rows_that_name_no_criterion_are_counted(blank: str | None) -> None:
    found = diagnose(long_rows(["taste", "light", blank]))
    assert {term.name for term in found.table.terms} == {"taste", "light"}
    assert "80 rows name no criterion, and are left out." in printed(found)


# ---- too few to be sure ----------------------------------------------------------------------------------


def test_flips_that_may_be_many_are_not_called_none() -> None:
    wins = ["a" if win else "b" for win in np.random.default_rng(0).random(25) < 0.5]
    flipped = ["b" if win == "a" else "a" for win in wins[:7]]
    found = orders(wins, [*flipped, *wins[7:]])
    assert not [each for each in found.findings if each.kind == "position"]
    assert "28 % (95 % interval 1" in next(each.needs for each in found.unchecked if each.kind == "position")
    many = orders(wins * 12, [*flipped, *wins[7:]] * 12)
    assert problems(many, "position")
