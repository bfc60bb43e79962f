"""The record: nothing half written, nothing twice, and readable by others."""

import io
import json
import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from salon.errors import StoreError
from salon.rescoring.reading import read_steps
from salon.store.record import COLUMNS, difference, recipe_hash
from salon.store.runs import Run, write_atomic
from salon.types import Failure, Group, Picture, Prompt, Reward, Sample, TermValue

RECIPE = {"policy": {"model": "sketcher"}, "train": {"steps": 3, "learning_rate": 1e-4}, "seed": 1}
PROMPT = Prompt(
    id="peach-hibiscus",
    text="draw a peach hibiscus in watercolour",
    subject="hibiscus",
    meta={"colour": "peach", "flower": "hibiscus"},
)


def paint(shade: int) -> Picture:
    file = io.BytesIO()
    Image.new("RGB", (8, 8), (shade % 256, 90, 90)).save(file, "PNG")
    return Picture.from_png(file.getvalue())


def make_group(step: int, size: int = 2, reply: str = "```js\nlet a = 1\n```") -> Group:
    samples = tuple(
        Sample(
            id=f"{step}-{index}",
            prompt=PROMPT,
            reply=reply,
            source="let a = 1",
            picture=paint(index),
            tokens=7,
            seed=index,
            seconds=0.5,
        )
        for index in range(size)
    )
    return Group(prompt=PROMPT, samples=samples, step=step, seed=4)


def make_reward(total: float | None) -> Reward:
    taste = TermValue(
        term="taste", raw=0.25, normalized=0.5, weighted=0.3, status="ok", reason="won 1 of 4 comparisons"
    )
    palette = TermValue(
        term="palette", raw=None, normalized=None, weighted=None, status="missing", reason="timeout"
    )
    return Reward(total=total, terms=(taste, palette), advantage=None if total is None else total - 0.5)


def write(run: Run, step: int, **metrics: float | None) -> None:
    run.write_step(step, [make_group(step)], [[make_reward(0.4), make_reward(None)]], metrics)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run.create(
        tmp_path / "run", {"recipe": RECIPE, "seeds": {"run": 1}, "judges": {"taste": "taste@12ab"}}
    )


def test_a_step_comes_back_as_it_was_written(run: Run) -> None:
    write(run, 12, reward=0.4)
    assert (run.path / "rollouts" / "step-000012.parquet").is_file()
    row = Run.open(run.path).rollouts().row(0, named=True)
    assert row["step"] == 12
    assert row["prompt_id"] == "peach-hibiscus"
    assert json.loads(row["meta"]) == {"colour": "peach", "flower": "hibiscus"}
    assert (row["taste.raw"], row["taste.normalized"], row["taste.weighted"]) == (0.25, 0.5, 0.3)
    assert row["taste.reason"] == "won 1 of 4 comparisons"
    assert (row["palette.raw"], row["palette.status"], row["palette.reason"]) == (None, "missing", "timeout")
    assert row["total"] == 0.4
    assert row["advantage"] == pytest.approx(-0.1)
    assert run.picture_path(row["picture"]).read_bytes() == paint(0).png
    assert run.rollouts()["total"].to_list() == [0.4, None]


def test_what_was_called_comes_back_for_whoever_scores_again(run: Run) -> None:
    group = make_group(0)
    samples = (replace(group.samples[0], calls=("brush.fill", "rect")), replace(group.samples[1], calls=()))
    run.write_step(0, [replace(group, samples=samples)], [[make_reward(0.4)] * 2], {})
    write(run, 1)
    (first,), (second,) = (step.groups for step in read_steps(run))
    assert [sample.calls for sample in first.samples] == [("brush.fill", "rect"), ()]
    assert [sample.calls for sample in second.samples] == [None, None]


def test_a_failed_sample_keeps_its_failure_and_its_half_picture(run: Run) -> None:
    failure = Failure(code="threw", message="half a pair \ud83d", fault="sample", stage="render")
    sample = Sample(id="a", prompt=PROMPT, reply="\x00\ud83d", picture=paint(3), failure=failure)
    run.write_step(0, [Group(prompt=PROMPT, samples=(sample,))], [[Reward(total=0.0, terms=())]], {})
    row = run.rollouts().row(0, named=True)
    assert (row["failure_code"], row["failure_fault"], row["failure_stage"]) == ("threw", "sample", "render")
    assert row["failure_message"] == "half a pair \ufffd"
    assert row["source"] is None
    assert row["picture"] == paint(3).key


def test_the_same_step_again_replaces_it(run: Run) -> None:
    write(run, 0, reward=0.1)
    write(run, 1, reward=0.2)
    run.write_step(0, [make_group(0, size=1)], [[make_reward(0.9)]], {"reward": 0.9})
    assert run.rollouts()["step"].to_list() == [0, 1, 1]
    assert run.metrics().to_dicts() == [{"step": 0, "reward": 0.9}, {"step": 1, "reward": 0.2}]


def test_metrics_known_later_join_their_step_and_nan_is_null(run: Run) -> None:
    write(run, 0, reward=0.1, reward_std=math.nan)
    run.write_metrics(0, {"win_rate": 0.6, "kl": math.inf})
    write(run, 1, reward=0.2)
    assert run.metrics().to_dicts() == [
        {"step": 0, "reward": 0.1, "reward_std": None, "win_rate": 0.6, "kl": None},
        {"step": 1, "reward": 0.2, "reward_std": None, "win_rate": None, "kl": None},
    ]
    for line in (run.path / "metrics.jsonl").read_text().splitlines():
        assert "NaN" not in line
        assert "Infinity" not in line


def test_groups_and_rewards_must_pair_up(run: Run) -> None:
    with pytest.raises(ValueError, match="zip"):
        run.write_step(0, [make_group(0)], [[make_reward(0.1)]], {})
    assert run.steps() == []


def test_columns_that_are_null_throughout_keep_their_type(run: Run) -> None:
    write(run, 0)
    empty = Reward(total=None, terms=())
    run.write_step(1, [make_group(1)], [[empty, empty]], {})
    run.write_step(2, [], [], {})
    schemas = [pl.read_parquet_schema(file) for file in sorted((run.path / "rollouts").glob("*.parquet"))]
    assert schemas[0] == schemas[1] == schemas[2]
    assert schemas[0]["failure_code"] == pl.String()
    assert schemas[0]["palette.raw"] == pl.Float64()


def test_polars_reads_the_folder_of_rollouts(run: Run) -> None:
    write(run, 0)
    run.write_step(1, [make_group(1)], [[Reward(total=None, terms=())] * 2], {})
    frame = pl.read_parquet(run.path / "rollouts" / "*.parquet")
    assert frame.height == 4
    assert frame["total"].to_list() == [0.4, None, None, None]


@pytest.mark.torch
def test_datasets_reads_the_folder_of_rollouts(run: Run, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    run.write_step(0, [make_group(0)], [[Reward(total=None, terms=make_reward(None).terms)] * 2], {})
    write(run, 1)
    files = sorted(str(file) for file in (run.path / "rollouts").glob("*.parquet"))
    rows = datasets.load_dataset(
        "parquet", data_files=files, split="train", cache_dir=str(tmp_path / "cache")
    )
    assert len(rows) == 4
    assert rows[2]["taste.reason"] == "won 1 of 4 comparisons"
    assert rows["total"][:] == [None, None, 0.4, None]


def test_an_empty_run_reads_as_empty_tables(run: Run) -> None:
    assert run.rollouts().height == 0
    assert run.rollouts().columns == list(COLUMNS)
    assert run.metrics().height == 0
    assert run.evaluations() == {}


def test_rewind_forgets_what_came_after(run: Run) -> None:
    for step in range(5):
        write(run, step, reward=step / 10)
    for step in (2, 4):
        run.write_evaluation(
            f"at-{step}", [{"prompt_id": "a", "p_win": 0.5}], {"step": step, "win_rate": 0.5}
        )
    left = run.path / "rollouts" / ".step-000005.parquet.1.2.tmp"
    left.write_bytes(b"half")
    os.utime(left, (0, 0))
    run.rewind(2)
    assert run.steps() == [0, 1, 2]
    assert run.metrics()["step"].to_list() == [0, 1, 2]
    assert list(run.evaluations()) == ["at-2"]
    assert sorted(file.name for file in (run.path / "evaluations").iterdir()) == ["at-2.json", "at-2.parquet"]
    assert not left.exists()
    write(run, 3, reward=0.9)
    assert run.metrics()["step"].to_list() == [0, 1, 2, 3]


def test_half_a_surrogate_pair_in_a_judges_reason_does_not_lose_an_evaluation(run: Run) -> None:
    run.write_evaluation("odd", [{"prompt_id": "a", "reason": "broken \ud800 emoji"}], {"judge": "\udfff"})
    assert run.evaluation_rows("odd")["reason"].to_list() == ["broken ? emoji"]
    assert run.evaluations()["odd"] == {"judge": "?"}


def test_an_evaluation_comes_back(run: Run) -> None:
    rows = [{"prompt_id": "a", "p_win": None, "note": None}, {"prompt_id": "b", "p_win": 0.7, "note": None}]
    run.write_evaluation("held-out", rows, {"win_rate": 0.7, "win_rate_low": math.nan, "judge": "x"})
    assert run.evaluations() == {"held-out": {"win_rate": 0.7, "win_rate_low": None, "judge": "x"}}
    assert run.evaluation_rows("held-out")["p_win"].to_list() == [None, 0.7]
    with pytest.raises(StoreError, match="held-out"):
        run.evaluation_rows("other")
    with pytest.raises(StoreError, match="not a name"):
        run.write_evaluation("../manifest", rows, {})


def test_pictures_are_kept_once_and_only_under_a_key(run: Run) -> None:
    key = run.write_picture(paint(1))
    place = run.picture_path(key)
    assert place.parent.name == key[:2]
    before = place.stat().st_mtime_ns
    assert run.write_picture(paint(1)) == key
    assert place.stat().st_mtime_ns == before
    assert run.write_picture(Picture(png=b"", width=8, height=8, key=key)) == key
    with pytest.raises(StoreError, match="no bytes"):
        run.write_picture(Picture(png=b"", width=8, height=8, key="0" * 64))
    with pytest.raises(StoreError, match="not a picture's key"):
        run.picture_path("../../manifest.json")


def test_other_ranks_add_pictures_and_nothing_else(run: Run) -> None:
    other = Run.open(run.path, rank=1)
    assert other.picture_path(other.write_picture(paint(5))).is_file()
    for refused in (
        lambda: write(other, 0),
        lambda: other.write_metrics(0, {}),
        lambda: other.rewind(0),
        lambda: other.write_evaluation("a", [], {}),
    ):
        with pytest.raises(StoreError, match="rank 1"):
            refused()


def test_the_manifest_says_where_the_numbers_came_from(run: Run) -> None:
    manifest = Run.open(run.path).manifest
    assert manifest == run.manifest
    assert manifest["recipe"] == RECIPE
    assert manifest["recipe_sha256"] == recipe_hash(RECIPE)
    assert manifest["judges"] == {"taste": "taste@12ab"}
    assert manifest["versions"]["polars"] == pl.__version__
    assert "Python" in manifest["platform"]


def test_resuming_with_another_recipe_is_refused_with_the_difference(run: Run) -> None:
    assert Run.open(run.path, recipe=json.loads(json.dumps(RECIPE))).manifest["recipe"] == RECIPE
    other = {"policy": {"model": "sketcher"}, "train": {"steps": 4, "learning_rate": 1e-4}}
    with pytest.raises(StoreError, match=r"train\.steps: 3 → 4") as caught:
        Run.open(run.path, recipe=other)
    assert "seed: 1 → (absent)" in str(caught.value)
    assert "learning_rate" not in str(caught.value)


def test_a_folder_that_is_no_run_or_somebody_elses_is_refused(run: Run, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="does not exist"):
        Run.open(tmp_path / "nowhere")
    with pytest.raises(StoreError, match="not a run"):
        Run.open(tmp_path)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.tex").write_text("…")
    with pytest.raises(StoreError, match=r"other files \(thesis\.tex\)"):
        Run.create(tmp_path / "home", {"recipe": RECIPE})
    with pytest.raises(StoreError, match=r"Run\.open resumes it"):
        Run.create(run.path, {"recipe": RECIPE})
    with pytest.raises(StoreError, match=r"seed: 1 → 2"):
        Run.create(run.path, {"recipe": {**RECIPE, "seed": 2}})
    with pytest.raises(StoreError, match="resolved recipe"):
        Run.create(tmp_path / "new", {})


@pytest.mark.parametrize(
    "damage", ['{"format": 1, "rec', "[]", '{"format": 2}', '{"format": 1, "recipe": {"a": 1}}']
)
def test_a_damaged_manifest_is_a_store_error(run: Run, damage: str) -> None:
    (run.path / "manifest.json").write_text(damage)
    with pytest.raises(StoreError, match=r"manifest\.json"):
        Run.open(run.path)


def test_one_process_trains_a_run(run: Run) -> None:
    with run.held(), pytest.raises(StoreError, match="another process"), Run.open(run.path).held():
        pass
    with run.held():
        assert run.steps() == []


def test_metrics_that_are_not_text_are_named(run: Run) -> None:
    (run.path / "metrics.jsonl").write_bytes(b'{"step": 1, "reward": 0.5}\n\xff\xfe\n')
    with pytest.raises(StoreError, match=r"metrics\.jsonl, line 2"):
        run.metrics()


def test_a_damaged_line_of_metrics_is_named(run: Run) -> None:
    write(run, 0, reward=0.5)
    with (run.path / "metrics.jsonl").open("a") as file:
        file.write('{"step": 1, "rew')
    with pytest.raises(StoreError, match=r"metrics\.jsonl, line 2"):
        run.metrics()


def test_difference_lists_dotted_keys() -> None:
    assert difference({"train": {"steps": 3}}, {"train": {"steps": 4}, "seed": 1}) == ["seed", "train.steps"]
    assert difference({"a": [1, 2]}, {"a": [1, 3]}) == ["a.1"]
    assert difference({"a": None}, {}) == ["a"]
    assert difference({"a": {}}, {"a": {"b": 1}}) == ["a", "a.b"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
RECIPES = st.dictionaries(st.text("abc", min_size=1), VALUES, max_size=3)


@given(recipe=RECIPES)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_recipe_keeps_its_hash_through_json_and_reordering(recipe: dict[str, object]) -> None:
    back = json.loads(json.dumps(recipe))
    assert recipe_hash(dict(reversed(back.items()))) == recipe_hash(recipe)
    assert difference(recipe, back) == []


@given(reply=st.text(st.characters(codec=None)), total=st.none() | st.floats(), seconds=st.floats())
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_a_model_writes_is_storable(
    run: Run, reply: str, total: float | None, seconds: float
) -> None:
    sample = Sample(id="a", prompt=PROMPT, reply=reply, source=reply, seconds=seconds)
    run.write_step(0, [Group(prompt=PROMPT, samples=(sample,))], [[Reward(total=total, terms=())]], {})
    row = run.rollouts().row(0, named=True)
    assert row["reply"] == reply.encode("utf-8", "replace").decode()
    assert row["total"] == (total if total is not None and abs(total) <= 1e60 else None)


def test_a_failed_write_leaves_the_old_file_and_no_rest(tmp_path: Path) -> None:
    write_atomic(tmp_path / "a.txt", b"old")
    with pytest.raises(TypeError):
        write_atomic(tmp_path / "a.txt", "text, not bytes")  # type: ignore[arg-type]
    assert (tmp_path / "a.txt").read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


KILLED = """
import itertools, sys
sys.path.insert(0, sys.argv[2])
from test_store import RECIPE, write
from salon.store.runs import Run
run = Run.create(sys.argv[1], {"recipe": RECIPE})
print("ready", flush=True)
for round in itertools.count():
    for step in range(4):
        write(run, step, reward=0.5)
"""


def test_a_killed_writer_leaves_no_half_file(tmp_path: Path) -> None:
    for attempt in range(3):
        folder = tmp_path / str(attempt)
        command = [sys.executable, "-c", KILLED, str(folder), str(Path(__file__).parent)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            time.sleep(0.15 + 0.037 * attempt)
            child.send_signal(signal.SIGKILL)
        run = Run.open(folder, recipe=RECIPE)
        for step in run.steps():
            assert run.rollouts([step]).height == 2
        for file in run.path.glob("pictures/??/*.png"):
            assert Picture.from_png(file.read_bytes()).key == file.stem
        recorded = run.metrics().height
        assert recorded in (len(run.steps()), len(run.steps()) - 1)
        run.rewind(0)
        write(run, 1, reward=0.5)
        assert run.metrics()["step"].to_list()[-1] == 1


def test_a_damaged_table_is_a_store_error(run: Run) -> None:
    run.write_step(1, [make_group(1)], [[make_reward(0.5), make_reward(0.1)]], {})
    file = run.path / "rollouts" / "step-000001.parquet"
    for damage in (b"", b"PAR1", file.read_bytes()[:-30]):
        file.write_bytes(damage)
        with pytest.raises(StoreError, match=r"step-000001\.parquet"):
            run.rollouts()
