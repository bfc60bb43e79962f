"""What a new user stumbled over: columns that are labels, judges in rows, one group, gates, `-`, width."""

import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from rich.console import Console

from salon.diagnosis import Diagnosis, Options, diagnose
from salon.diagnosis.pages.terminal import show
from salon.errors import RecipeError


def scores(rows: int = 240, **more: object) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    columns: dict[str, object] = {"group": np.repeat(np.arange(rows // 6), 6)}
    columns |= {name: rng.random(rows) for name in ("taste", "light")}
    return pl.DataFrame(columns | more)


def printed(found: Diagnosis, width: int = 80) -> str:
    console = Console(record=True, width=width, file=io.StringIO())
    show(found, console)
    return console.export_text()


def needs(found: Diagnosis, kind: str) -> str:
    return next(each.needs for each in found.unchecked if each.kind == kind)


# ---- which answer it is ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["answer", "response", "output"])
@pytest.mark.parametrize("labels", [[*range(6)], [*"ABCDEF"], ["a1", "a2", "a3", "a4", "a5", "a6"]])
def test_which_answer_it_is_is_no_answer(name: str, labels: list[object]) -> None:
    found = diagnose(scores(**{name: labels * 40}))
    assert not [each for each in found.findings if each.kind == "diversity"]
    assert name not in [term.name for term in found.table.terms]
    assert f"{name} says which answer it is" in printed(found)


def test_answers_in_words_are_looked_at_and_said_to_be(tmp_path: Path) -> None:
    found = diagnose(scores(answer=[f"a {word} flower" for word in ("red", "blue", "pale") * 80]))
    assert [each.title for each in found.of_level("problem") if each.kind == "diversity"]
    assert "Taken as: answer from answer." in printed(found)
    forced = diagnose(scores(answer=[*"ABCDEF"] * 40), Options(columns=("answer=answer",)))
    assert forced.table.answer_N is not None


# ---- several judges in rows ------------------------------------------------------------------------------


def judged(*, image: bool = True) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    rows = [(f"{i}.png", judge, round(float(rng.random()), 3)) for i in range(60) for judge in "xyz"]
    frame = pl.DataFrame(rows, schema=["image", "judge", "score"], orient="row")
    return frame if image else frame.drop("image")


def test_judges_in_rows_are_terms_of_their_own() -> None:
    found = diagnose(judged())
    assert [term.name for term in found.table.terms] == ["x", "y", "z"]
    assert found.table.rows == 60


def test_judges_in_rows_of_nobody_are_asked_about() -> None:
    with pytest.raises(RecipeError, match=r"judge.*--map sample=COLUMN.*--ignore judge"):
        diagnose(judged(image=False))
    left = diagnose(judged(image=False), Options(ignore=("judge",)))
    assert [term.name for term in left.table.terms] == ["score"]


# ---- what is really missing ------------------------------------------------------------------------------


def test_one_group_asks_for_more_groups_not_for_a_column() -> None:
    one = scores().with_columns(group=pl.lit(0))
    assert needs(diagnose(one), "dead_groups").startswith("two groups or more")
    assert "column `group`" in needs(diagnose(one.drop("group")), "dead_groups")


def test_a_record_of_one_group_without_tokens_says_what_is_missing() -> None:
    frame = scores().select(
        pl.lit(0).alias("group"),
        pl.lit(0).alias("step"),
        pl.lit(0).alias("tokens"),
        pl.col("taste").alias("taste.raw"),
        pl.lit("ok").alias("taste.status"),
    )
    found = diagnose(frame)
    assert needs(found, "dead_groups") == "two groups or more (here all rows have the same 'group')"
    assert needs(found, "bias").startswith("values in `tokens`")


# ---- gates -----------------------------------------------------------------------------------------------


def gated(weight: float, passes: float = 1.0) -> Diagnosis:
    rng = np.random.default_rng(1)
    frame = scores(gate=(rng.random(240) < passes).astype(float))
    recipe = Path("own.yaml")
    recipe.write_text(
        f"reward: {{terms: {{gate: {{scorer: palette, role: gate, weight: {weight}}},"
        " taste: {scorer: palette, weight: .5}, light: {scorer: palette, weight: .4}}}\n"
    )
    return diagnose(frame, Options(recipe=str(recipe)))


def test_a_gate_is_not_told_to_become_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    light, heavy = gated(0.1), gated(3.0)
    assert not [each for each in light.findings if "gate" in each.terms and each.level != "fine"]
    (told,) = [each for each in heavy.of_level("problem") if each.kind == "saturated"]
    assert "Make gate" not in told.remedy
    assert "weigh less" in told.remedy
    closed = [each for each in gated(0.1, 0.0).findings if each.kind == "saturated" and "gate" in each.terms]
    assert [each.level for each in closed] == ["notice"]
    assert "hardly any" in closed[0].title


def test_what_is_fine_does_not_sound_like_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for found in (
        gated(0.05),
        diagnose(scores(uses_brush=[1.0] * 240), Options(weights=("taste=1,light=1",))),
    ):
        assert not [each.title for each in found.of_level("fine") if "no gradient" in each.title]


def test_a_pairwise_term_is_not_told_to_be_pairwise(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(
        "reward: {terms: {taste: {scorer: pairwise, judge: eye, weight: 1, args: {pool: flowers}}},"
        " judges: {eye: {kind: taste}}}\n"
    )
    found = diagnose(scores().drop("light"), Options(recipe=str(tmp_path / "own.yaml")))
    assert needs(found, "position") == "the run's folder, whose metrics count the orders of taste"


# ---- what is printed -------------------------------------------------------------------------------------


def test_the_heads_of_the_table_can_be_read_at_80_columns() -> None:
    names = {f"a_rather_long_name_of_a_term_{i}": np.random.default_rng(i).random(240) for i in range(3)}
    steps = np.repeat(np.arange(10), 24)
    for frame in (scores(**names), scores(**names, step=steps)):
        told = printed(diagnose(frame))
        head = next(line for line in told.splitlines() if line.startswith("term"))
        assert "…" not in head
        assert "weight  decides  scores, low to high" in head
        rows = [line for line in told.splitlines() if line.startswith(("taste", "a_rather_long"))]
        assert len(rows) == 4
        assert all("▁" in row or "▅" in row for row in rows)


def test_a_share_outside_of_0_to_1_is_explained() -> None:
    rng = np.random.default_rng(0)
    merit = rng.normal(size=240)
    frame = scores().with_columns(taste=merit, light=-0.5 * merit + rng.normal(0, 0.3, 240))
    assert "light pulls against the total" in printed(
        diagnose(frame, Options(weights=("taste=.6,light=.4",)))
    )
    assert "against the total" not in printed(diagnose(scores()))


def test_json_to_standard_output_is_nothing_but_json(tmp_path: Path) -> None:
    scores().write_csv(tmp_path / "scores.csv")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "salon.cli", "diagnose", "scores.csv", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    done = run("--json", "-")
    assert json.loads(done.stdout)["rows"] == 240
    assert not (tmp_path / "-").exists()
    refused = run("--html", "-")
    assert refused.returncode == 2
    assert "--html -: does not write to standard output" in refused.stderr
    assert not (tmp_path / "-").exists()
