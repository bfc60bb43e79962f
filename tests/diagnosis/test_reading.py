"""Files of scores: what is recognised, what is missing, and what is refused with its row and a remedy."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from salon.diagnosis.reading.cells import numbers
from salon.diagnosis.reading.columns import lay_out, parse_map
from salon.diagnosis.reading.open_table import Options, read_table
from salon.diagnosis.simulate import clean, clean_pairs
from salon.errors import RecipeError


def write(folder: Path, text: str, name: str = "scores.csv") -> Path:
    file = folder / name
    file.write_bytes(text.encode())
    return file


def test_a_csv_of_scores_needs_no_flag(tmp_path: Path) -> None:
    header = "prompt_id,step,aesthetics,depth,tokens,human,reason"
    text = f"{header}\nrose,1,7,3,90,love,fine\nrose,1,n/a,4,80,nope,x\n"
    table = read_table(write(tmp_path, text))
    assert [term.name for term in table.terms] == ["aesthetics", "depth"]
    assert table.term("aesthetics").raw_N[0] == 7
    assert np.isnan(table.term("aesthetics").raw_N[1])
    assert table.term("aesthetics").causes == {"n/a": 1}
    assert table.human_N is not None
    assert table.human_N.tolist() == [2, 0]
    assert table.beside["length"].tolist() == [90, 80]
    assert table.not_read == ("reason",)
    assert table.weights_from == "equal"


@pytest.mark.parametrize("written", ["", "nan", "NaN", "null", "None", "n/a", "-", "missing"])
def test_missing_is_not_zero(tmp_path: Path, written: str) -> None:
    table = read_table(write(tmp_path, f"taste,depth\n1,1\n{written},2\n0,3\n"))
    raw_N = table.term("taste").raw_N
    assert np.isnan(raw_N).tolist() == [False, True, False]
    assert raw_N[2] == 0


@pytest.mark.parametrize("mark", [";", "\t"])
def test_other_separators_and_a_byte_order_mark(tmp_path: Path, mark: str) -> None:
    table = read_table(write(tmp_path, f"\ufefftaste{mark}depth\r\n1{mark}2\r\n3{mark}4\r\n"))
    assert [term.name for term in table.terms] == ["taste", "depth"]
    assert table.term("depth").raw_N.tolist() == [2, 4]


@pytest.mark.parametrize("mark", [";", "\t"])
def test_decimal_commas_of_a_spreadsheet_are_read(tmp_path: Path, mark: str) -> None:
    """Where commas cut no cells, and at least one of them cannot mark thousands."""
    rows = [("7,5", "1", "0,125"), ("N/A", "2", "1,250"), ("8", "3", "")]
    text = "\n".join(mark.join(row) for row in [("taste", "depth", "fine"), *rows])
    table = read_table(write(tmp_path, text + "\n"))
    np.testing.assert_equal(table.term("taste").raw_N, [7.5, np.nan, 8])
    np.testing.assert_equal(table.term("fine").raw_N, [0.125, 1.25, np.nan])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "taste,depth\n12,1\n8/10,2\n",
            r"column 'taste', row 2: '8/10' is out of 10, and other cells are larger",
        ),
        (
            "taste,depth\n.7,1\n80%,2\n",
            r"column 'taste', row 2: '80%' is a percentage, and other cells are at most 1",
        ),
        ("taste,depth\n7,1\n8/10,2\n4/5,3\n", r"column 'taste', rows 2, 3: '8/10' is on another scale"),
        ("taste;depth\n7,5;1\n7.5;2\n", r"column 'taste', row 1: '7,5' has a decimal comma.*Write 7.5"),
        ("taste;depth\n1,250;1\n700;2\n", r"row 1: '1,250' has (its thousands marked|a decimal comma)"),
        ("taste,depth\n7,1\n8,2\ngood,3\n", r"column 'taste', row 3: 'good' is text among 2 numbers"),
        ("taste,depth\n7,1\ninf,2\n", r"column 'taste', row 2: a score is finite"),
        ("taste,taste\n7,1\n", r"names 'taste' twice"),
        ("taste,depth\n7,1,3\n", r"row 1 has more cells than the header"),
        ("taste,depth\n", r"no rows below its header"),
        ("", r"is empty"),
        ("name,why\nx,y\n", r"no column of scores among name, why"),
        ("taste,step\n1,first\n2,last\n", r"'step' was taken as the step, and holds text"),
        ("taste,step\n1,1\n2,1.5\n", r"column 'step', row 2: a step is a whole number"),
        ("taste,human\n1,lovely\n2,dull\n", r"'human' was taken as the human, and holds text"),
        ("a,b,vlm_ab,vlm_ba\nx,y,0.5,3\n", r"column 'vlm_ba', row 1: a verdict is a, b, tie"),
    ],
)
def test_a_bad_file_is_refused_with_place_and_remedy(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(RecipeError, match=told) as caught:
        read_table(write(tmp_path, text))
    assert "scores.csv" in str(caught.value)


def test_a_path_that_is_not_there_or_of_another_kind(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"nowhere.csv: cannot be read"):
        read_table(tmp_path / "nowhere.csv")
    with pytest.raises(RecipeError, match=r"scores.xlsx: is an Excel workbook\. Save its sheet as CSV"):
        read_table(write(tmp_path, "x", "scores.xlsx"))
    with pytest.raises(RecipeError, match=r"is no run \(no manifest.json\)"):
        read_table(tmp_path)
    with pytest.raises(RecipeError, match=r"scores.docx: not a kind of file"):
        read_table(write(tmp_path, "x", "scores.docx"))
    with pytest.raises(RecipeError, match=r"cannot be read as parquet"):
        read_table(write(tmp_path, "no", "broken.parquet"))


def test_json_lines_parquet_and_a_folder_read_alike(tmp_path: Path) -> None:
    frame = pl.DataFrame({"step": [1, 1, 2], "taste": [0.5, None, 0.25], "depth": [1.0, 2.0, 3.0]})
    folder = tmp_path / "completions"
    folder.mkdir()
    frame.write_parquet(folder / "completions_00001.parquet")
    frame.write_ndjson(tmp_path / "x.jsonl")
    (tmp_path / "x.json").write_text(json.dumps(frame.to_dicts()))
    for place in (folder, folder / "completions_00001.parquet", tmp_path / "x.jsonl", tmp_path / "x.json"):
        table = read_table(place)
        assert np.isnan(table.term("taste").raw_N).tolist() == [False, True, False]
        assert table.steps.tolist() == [1, 2]


def test_json_lines_may_hold_nan_and_a_broken_line_is_named(tmp_path: Path) -> None:
    table = read_table(write(tmp_path, '{"taste": NaN, "b": 1}\n{"taste": 2, "b": 1}\n', "x.jsonl"))
    assert np.isnan(table.term("taste").raw_N).tolist() == [True, False]
    with pytest.raises(RecipeError, match=r"x.jsonl, line 2: not JSON"):
        read_table(write(tmp_path, '{"taste": 1}\n{"taste": \n', "x.jsonl"))
    with pytest.raises(RecipeError, match=r"x.jsonl, line 1: not an object"):
        read_table(write(tmp_path, "3\n", "x.jsonl"))


def test_columns_can_be_told(tmp_path: Path) -> None:
    text = "epoch,mine,taste,eye,junk\n1,1,3,5,7\n2,2,4,6,8\n"
    options = Options(columns=("step=epoch", "human=mine", "monitor=eye", "ignore=junk"))
    table = read_table(write(tmp_path, text), options)
    assert table.steps.tolist() == [1, 2]
    assert [(term.name, term.role) for term in table.terms] == [("taste", "reward"), ("eye", "monitor")]


@pytest.mark.parametrize(
    ("flag", "told"),
    [
        ("step", "write it as role=column"),
        ("stp=epoch", "no role 'stp'. Did you mean 'step'"),
        ("step=epok", "no column 'epok'. Did you mean 'epoch'"),
        ("step=epoch,taste", "'step' takes one column"),
    ],
)
def test_a_wrong_map_is_refused(tmp_path: Path, flag: str, told: str) -> None:
    with pytest.raises(RecipeError, match=told):
        read_table(write(tmp_path, "epoch,taste\n1,2\n"), Options(columns=(flag,)))


def test_groups_are_a_prompt_of_a_step(tmp_path: Path) -> None:
    text = "step,prompt_id,taste\n" + "".join(f"{s},{p},{s}\n" for s in (1, 2) for p in "aabb")
    table = read_table(write(tmp_path, text))
    assert table.group_N.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert table.grouped


def test_weights_are_found_in_a_total_that_is_a_weighted_sum(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"taste": rng.random(50), "marks": rng.integers(0, 11, 50)})
    frame = frame.with_columns(total=0.7 * pl.col("taste") + 0.03 * pl.col("marks") + 0.1)
    frame.write_csv(tmp_path / "x.csv")
    table = read_table(tmp_path / "x.csv")
    assert table.weights_from == "total"
    # Marks on 0–10 are weighed as if they lay in 0–1.
    assert {term.name: round(term.weight, 4) for term in table.terms} == {"taste": 0.7, "marks": 0.3}


def test_weights_by_flag_and_their_mistakes(tmp_path: Path) -> None:
    file = write(tmp_path, "taste,depth\n1,2\n2,1\n")
    table = read_table(file, Options(weights=("taste=0.6", "depth=0.4")))
    assert table.nominal == {"taste": pytest.approx(0.6), "depth": pytest.approx(0.4)}
    for flag, told in (
        ("tast=1", "Did you mean 'taste'"),
        ("taste", "term=number"),
        ("taste=x", "not a number"),
        ("taste=nan", "finite"),
        ("taste=0", "all are 0"),
    ):
        with pytest.raises(RecipeError, match=told):
            read_table(file, Options(weights=(flag,)))


def test_weights_and_roles_from_a_recipe(tmp_path: Path) -> None:
    recipe = tmp_path / "r.yaml"
    recipe.write_text(
        "reward:\n  terms:\n    taste: {scorer: palette, weight: 0.6}\n"
        "    eye: {scorer: palette, role: monitor}\n"
    )
    table = read_table(write(tmp_path, "taste,eye,other\n1,2,3\n2,1,3\n"), Options(recipe=str(recipe)))
    assert [(term.name, term.role, term.weight) for term in table.terms] == [
        ("taste", "reward", 0.6),
        ("eye", "monitor", 0.0),
        ("other", "monitor", 0.0),
    ]
    with pytest.raises(RecipeError, match=r"none of its terms \(taste, eye\) is a column"):
        read_table(write(tmp_path, "x,y\n1,2\n"), Options(recipe=str(recipe)))


def test_a_scheduled_weight_counts_as_at_the_last_step(tmp_path: Path) -> None:
    recipe = tmp_path / "r.yaml"
    recipe.write_text(
        "reward:\n  terms:\n    taste: {scorer: palette, weight: {0: 0.2, 10: 0.6}}\n"
        "    eye: {scorer: palette, weight: 0.4}\n"
    )
    table = read_table(write(tmp_path, "step,taste,eye\n0,1,2\n5,2,1\n"), Options(recipe=str(recipe)))
    assert {term.name: term.weight for term in table.terms} == {"taste": pytest.approx(0.4), "eye": 0.4}


def test_a_running_number_is_no_term(tmp_path: Path) -> None:
    table = read_table(write(tmp_path, "sample,taste\n0,2\n1,1\n"))
    assert [term.name for term in table.terms] == ["taste"]


LENGTHS = "prompt,taste,length\n" + "".join(f"p{i // 4},{i % 7 / 7},{1000 + 37 * i}\n" for i in range(40))


def test_a_length_that_counts_is_no_term_unless_told(tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    file.write_text(LENGTHS)
    table = read_table(file)
    assert [term.name for term in table.terms] == ["taste"]
    assert table.beside["length"][1] == 1037
    for options in (Options(columns=("term=length",)), Options(weights=("taste=.9,length=.1",))):
        assert [term.name for term in read_table(file, options).terms] == ["taste", "length"]


def test_a_signal_called_length_is_a_term(tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    file.write_text(
        "prompt,taste,length\n" + "".join(f"p{i // 4},{i % 7 / 7},{i % 3 / 2}\n" for i in range(40))
    )
    assert [term.name for term in read_table(file).terms] == ["taste", "length"]


def test_a_scale_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="--scale 'ten'"):
        read_table(write(tmp_path, "taste\n1\n"), Options(scale="ten"))


def test_both_orders_of_a_judge(tmp_path: Path) -> None:
    clean_pairs(pairs=20).write_csv(tmp_path / "pairs.csv")
    table = read_table(tmp_path / "pairs.csv")
    assert [orders.name for orders in table.orders] == ["vlm"]
    assert table.orders[0].best_N is not None
    assert set(table.orders[0].ab_N) <= {0.0, 1.0}
    assert table.terms == ()


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6).map(lambda x: round(x, 6))), min_size=1, max_size=20)
)
def test_numbers_survive_a_csv(values: list[float | None]) -> None:
    text = pl.Series("x", [None if value is None else str(value) for value in values], dtype=pl.String)
    read_N = numbers(text, "x.csv")
    assert read_N is not None
    assert [None if np.isnan(value) else value for value in read_N] == values


def test_a_layout_names_every_column_once() -> None:
    columns = clean().columns
    layout = lay_out(columns, parse_map(["monitor=judge"]), "x")
    used = [*layout.roles.values(), *layout.terms, *layout.monitors, *layout.left]
    assert sorted(used) == sorted(columns)
    assert layout.monitors == ("judge", "heldout_eye")


def test_names_in_quotes_may_hold_marks_and_quotes(tmp_path: Path) -> None:
    frame = clean().rename({"layout": 'a "b"; c; d; e; f; g; h', "texture": "c,\nd"})
    frame.write_csv(tmp_path / "scores.csv")
    names = [term.name for term in read_table(tmp_path / "scores.csv").terms]
    assert 'a "b"; c; d; e; f; g; h' in names
    assert "c, d" in names
