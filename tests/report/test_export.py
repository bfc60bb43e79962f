"""The best and the worst of a run as files."""

import csv
import json
from pathlib import Path

import polars as pl
import pytest
from recorded import learning_run
from typer.testing import CliRunner

from salon.cli import app
from salon.errors import RecipeError, StoreError
from salon.raster import decode
from salon.report.export import Choice, export
from salon.store.runs import Run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return learning_run(tmp_path_factory.mktemp("export") / "run", steps=4)


def change(run: Run, step: int, **columns: pl.Expr) -> None:
    file = run.path / "rollouts" / f"step-{step:06d}.parquet"
    pl.read_parquet(file).with_columns(**columns).write_parquet(file)


def test_the_best_come_first_with_their_files_scores_and_reasons(run: Run, tmp_path: Path) -> None:
    done = export(run, Choice(best=2, worst=1), tmp_path / "out")
    index = json.loads((tmp_path / "out" / "index.json").read_text("utf-8"))
    assert [(row["which"], row["rank"]) for row in index] == [("best", 1), ("best", 2), ("worst", 1)]
    rows = run.rollouts().filter(pl.col("total").is_not_null())
    assert index[0]["score"] == index[0]["total"] == rows["total"].max()
    assert index[2]["score"] == rows["total"].min()
    assert index[0]["score"] > index[1]["score"]
    first = rows.filter((pl.col("step") == index[0]["step"]) & (pl.col("sample_id") == index[0]["sample_id"]))
    assert (tmp_path / "out" / index[0]["source_file"]).read_text("utf-8") == first["source"][0]
    assert (tmp_path / "out" / index[0]["picture_file"]).read_bytes() == run.read_picture(first["picture"][0])
    assert index[0]["terms"]["taste"]["raw"] == first["taste.raw"][0]
    assert index[0]["terms"]["taste"]["reason"] == "won 2 of 2"
    assert decode((tmp_path / "out" / "sheet-000.png").read_bytes()).width > 100
    with (tmp_path / "out" / "index.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert [float(row["score"]) for row in table] == [row["score"] for row in index]
    assert done.problems == []


def test_only_of_a_step_a_prompt_and_by_a_term(run: Run, tmp_path: Path) -> None:
    done = export(run, Choice(best=9, by="taste", steps=(2, 1), prompts=("peach-poppy",)), tmp_path / "out")
    scores = [row["score"] for row in done.rows]
    assert {row["step"] for row in done.rows} == {2}
    assert scores == sorted(scores, reverse=True)
    # Samples of both steps have the same pictures: each is taken once.
    assert len({row["picture"] for row in done.rows}) == len(done.rows) == 3


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        (Choice(best=1, by="tast"), "taste"),
        (Choice(best=1, steps=(99,)), "no step 99"),
        (Choice(best=1, prompts=("peach-popy",)), "peach-poppy"),
    ],
)
def test_what_is_not_there_is_said(run: Run, tmp_path: Path, choice: Choice, told: str) -> None:
    with pytest.raises(StoreError, match=told):
        export(run, choice, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_nothing_is_overwritten(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "precious").write_text("mine")
    for place in (tmp_path / "mine", run.path / "pictures", run.path):
        with pytest.raises((StoreError, RecipeError)):
            export(run, Choice(best=1), place)
    with pytest.raises(RecipeError, match="is a file"):
        export(run, Choice(best=1), tmp_path / "mine" / "precious")


def test_names_that_a_stranger_chose_stay_in_the_folder(tmp_path: Path) -> None:
    made = learning_run(tmp_path / "run", steps=2)
    names = ["../../etc/x", "=cmd|' /C calc'!A0", "a\0b\n", "花"]
    for step in (1, 2):
        change(made, step, prompt_id=pl.Series(names), prompt=pl.Series(names))
    change(made, 2, source=pl.lit("<svg onload='alert(1)'/>"))
    done = export(made, Choice(best=8), tmp_path / "out")
    assert {file.parent for file in (tmp_path / "out").rglob("*")} == {tmp_path / "out"}
    assert len({row["source_file"] for row in done.rows}) == len(done.rows)
    assert not [file for file in (tmp_path / "out").iterdir() if file.suffix in (".svg", ".js", ".html")]
    cells = list(csv.reader((tmp_path / "out" / "index.csv").read_text("utf-8").splitlines()))
    assert not [cell for row in cells for cell in row if cell[:1] in ("=", "@")]


def test_a_lost_picture_is_told_and_the_rest_is_there(tmp_path: Path) -> None:
    made = learning_run(tmp_path / "run", steps=2)
    best = made.rollouts().sort("total", descending=True, nulls_last=True)["picture"][0]
    made.picture_path(best).write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n")
    done = CliRunner().invoke(app, ["export", str(made.path), "--best", "2"])
    assert done.exit_code == 1
    assert best[:12] in done.output
    index = json.loads((tmp_path / "run-export" / "index.json").read_text("utf-8"))
    assert [row["picture_file"] is None for row in index] == [True, False]


def test_a_failed_sample_is_none_of_the_best_and_has_its_code_among_the_worst(tmp_path: Path) -> None:
    made = learning_run(tmp_path / "run", steps=2)
    for step in (1, 2):
        first = pl.int_range(pl.len()) > 0
        failed = pl.when(first).then(pl.lit("threw"))
        change(
            made,
            step,
            failure_code=failed,
            failure_fault=pl.when(first).then(pl.lit("sample")),
            total=pl.when(first).then(0.0).otherwise(pl.col("total").fill_null(0.4)),
            picture=pl.when(~first).then(pl.col("picture")),
        )
    ran = made.rollouts().filter(pl.col("failure_code").is_null())["picture"].n_unique()
    failed = made.rollouts().filter(pl.col("failure_code").is_not_null()).height
    done = CliRunner().invoke(app, ["export", str(made.path), "--best", "5", "--worst", "1"])
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert len([line for line in lines if line.startswith("best ")]) == ran
    assert [line.endswith("  failed: threw") for line in lines if line.startswith("worst ")] == [True]
    assert f"{failed} failed samples are left out of the best" in done.output
    for step in (1, 2):
        change(made, step, failure_code=pl.lit("threw"))
    done = CliRunner().invoke(app, ["export", str(made.path), "-o", str(tmp_path / "other")])
    assert isinstance(done.exception, StoreError)
    assert "--worst" in str(done.exception)
    assert not (tmp_path / "other").exists()


def test_the_command_writes_five_where_nothing_is_said(tmp_path: Path) -> None:
    made = learning_run(tmp_path / "run", steps=4)
    for step in range(1, 5):
        change(made, step, failure_code=pl.lit(None, pl.String))
    done = CliRunner().invoke(app, ["export", str(made.path), "-o", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert len([line for line in done.output.splitlines() if line.startswith("best ")]) == 5
    assert f"wrote {tmp_path / 'out'}" in done.output
