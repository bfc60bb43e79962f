"""A record as a file, and files with `<term>.status`: what was never asked for is not missing."""

from pathlib import Path

import polars as pl
import pytest
from test_diagnosis_outputs import RECIPE, write_run

from salon.diagnosis import Options, diagnose
from salon.diagnosis.finding import Finding


def of_kind(file: Path, kind: str, options: Options | None = None) -> list[Finding]:
    return [each for each in diagnose(file, options).findings if each.kind == kind]


def recorded() -> pl.DataFrame:
    """40 groups of 8: light is asked about quiet prompts only, one answer of each group fails the gate."""
    chance, rows = iter([(7 * i * i + 3 * i) % 101 / 101 for i in range(700)]), []
    for group in range(40):
        for answer in range(8):
            gate, quiet = answer > 0, group % 2 == 0
            light = "gated" if not gate else "ok" if quiet else "not_applicable"
            scores = {"gate": (float(gate), "ok"), "light": (next(chance), light)}
            scores["taste"] = (next(chance), "ok" if gate else "gated")
            row: dict[str, object] = {"group": group, "prompt_id": f"p{group}", "step": 0, "tokens": 0}
            for name, (score, status) in scores.items():
                kept = score if status == "ok" else None
                row |= {f"{name}.raw": kept, f"{name}.status": status, f"{name}.weighted": kept or 0.0}
                row |= {f"{name}.reason": ""}
            rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None)


def written(frame: pl.DataFrame, file: Path) -> Path:
    writers = {".csv": frame.write_csv, ".jsonl": frame.write_ndjson, ".parquet": frame.write_parquet}
    writers[file.suffix](file)
    return file


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_what_was_never_asked_for_is_not_missing(tmp_path: Path, suffix: str) -> None:
    file = written(recorded(), tmp_path / f"scores{suffix}")
    assert [each.level for each in of_kind(file, "missing")] == ["fine"]


def test_what_is_missing_beside_it_is_told_with_its_reason(tmp_path: Path) -> None:
    lost = (pl.col("group") % 4 == 0) & (pl.col("light.status") == "ok")
    frame = recorded().with_columns(
        pl.when(lost).then(None).otherwise("light.raw").alias("light.raw"),
        pl.when(lost).then(pl.lit("judge_timeout: 60 s")).otherwise("light.reason").alias("light.reason"),
        pl.when(lost).then(pl.lit("missing")).otherwise("light.status").alias("light.status"),
    )
    (found,) = of_kind(written(frame, tmp_path / "scores.csv"), "missing")
    assert found.terms == ("light",)
    assert found.numbers["missing"].value == pytest.approx(0.5)
    assert "judge_timeout 70" in found.wrong


def test_a_status_beside_a_strangers_own_column_counts_too(tmp_path: Path) -> None:
    frame = recorded().select("group", "light.status", taste="taste.raw", light="light.raw", gate="gate.raw")
    file = written(frame, tmp_path / "scores.csv")
    assert not [each for each in of_kind(file, "missing") if "light" in each.terms]


CELLS: dict[str, pl.DataType] = {
    "whole numbers": pl.Int8(),
    "numbers": pl.Float64(),
    "yes and no": pl.Boolean(),
    "dates": pl.Date(),
    "times": pl.Time(),
    "moments": pl.Datetime("ms", "UTC"),
    "durations": pl.Duration("us"),
    "decimals": pl.Decimal(9, 2),
    "bytes": pl.Binary(),
    "categories": pl.Categorical(),
    "words of a list": pl.Enum(["0", "1"]),
    "lists": pl.List(pl.Int64()),
    "structs": pl.Struct({"a": pl.Int64()}),
    "nothing": pl.Null(),
}


def cells_of(kind: pl.DataType, height: int) -> pl.Series:
    """0 and 1 in turn, as cells of a kind."""
    numbers = [row % 2 for row in range(height)]
    if kind == pl.Null:
        return pl.Series([None] * height)
    if kind.is_nested():
        shaped = [[each] for each in numbers] if kind == pl.List else [{"a": each} for each in numbers]
        return pl.Series(shaped, dtype=kind)
    texts = kind in (pl.Binary, pl.Categorical) or isinstance(kind, pl.Enum)
    return pl.Series(numbers).cast(pl.String if texts else pl.Int64).cast(kind)


@pytest.mark.parametrize("kind", CELLS)
@pytest.mark.parametrize("called", ["prompt_id", "picture", "source", "light.status", "light.reason"])
def test_what_tells_rows_apart_may_be_of_any_kind(kind: str, called: str, tmp_path: Path) -> None:
    frame = recorded()
    spoiled = frame.with_columns(cells_of(CELLS[kind], frame.height).alias(called))
    found = diagnose(written(spoiled, tmp_path / "scores.parquet"))
    assert {term.name for term in found.table.terms} == {"gate", "light", "taste"}


def test_a_status_of_nothing_is_no_term(tmp_path: Path) -> None:
    frame = recorded().select("group", light="light.raw", gate="gate.raw")
    file = written(frame.with_columns(pl.lit("ok").alias("http.status")), tmp_path / "scores.csv")
    assert [term.name for term in diagnose(file).table.terms] == ["light", "gate"]


def test_a_term_that_was_gated_everywhere_stays_in_the_recipe(tmp_path: Path) -> None:
    frame = recorded().with_columns(
        pl.lit(None, pl.Float64).alias("light.raw"), pl.lit("gated").alias("light.status")
    )
    found = diagnose(written(frame, tmp_path / "scores.csv"))
    assert found.proposal is not None
    assert "light" not in {each.name for each in found.proposal.dropped}
    assert "light" in {each.name for each in found.proposal.signals}


def test_a_runs_rows_as_csv_give_the_findings_of_the_folder(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run")
    run.rollouts().write_csv(tmp_path / "rows.csv")
    (tmp_path / "own.yaml").write_text(pl.Series([RECIPE]).item().__repr__())
    folder = diagnose(run.path)
    file = diagnose(tmp_path / "rows.csv", Options(recipe=str(tmp_path / "own.yaml")))
    told = {(each.kind, each.level, each.wrong) for each in folder.findings if each.kind != "diversity"}
    assert told == {(each.kind, each.level, each.wrong) for each in file.findings if each.kind != "diversity"}
