"""A run under another reward: equal where nothing changed, asked only where something did, and never over the
original.
"""

import copy
import hashlib
import html
import io
import json
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from rewarded import OLD, Counting, scored_run
from rich.console import Console

from chatserver import served
from salon.diagnosis import diagnose
from salon.errors import BudgetSpent, RecipeError, SetupError, StoreError
from salon.files.outputs import WriteError
from salon.judges.fake import FakeJudge
from salon.judges.preference_model import Request
from salon.pool.provenance import RATED
from salon.raster import decode
from salon.report import build_report
from salon.report.rescored import build_rescored_page
from salon.rescoring import Rescored, rescore
from salon.rescoring.output import manifest_of, place_for, write
from salon.rescoring.score_reuse import Built, match
from salon.rescoring.terminal import show
from salon.rewards.recipe import RewardRecipe, load_reward
from salon.serving.judge_server import JudgeServer
from salon.serving.score_server import ScoreServer
from salon.store.runs import Run
from salon.types import Score

QUIET = Console(quiet=True)


@pytest.fixture(autouse=True)
def _nobody_asked_yet() -> None:
    Counting.asked.clear()


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return scored_run(tmp_path / "run")


def recipe(tmp_path: Path, **terms: Any) -> Path:
    """The old reward with some terms replaced, added or (None) taken out, as a file."""
    reward = copy.deepcopy(OLD)
    for name, term in terms.items():
        if term is None:
            del reward["terms"][name]
        else:
            reward["terms"][name] = reward["terms"].get(name, {}) | term
    file = tmp_path / "other.yaml"
    file.write_text(yaml.safe_dump({"reward": reward}))
    return file


def anew(run: Run, file: Path) -> Rescored:
    return rescore(run, file, QUIET)


def counts(found: Rescored) -> dict[str, tuple[int, int]]:
    return {name: (term["reused"], term["asked"]) for name, term in found.provenance["terms"].items()}


def test_the_same_reward_gives_the_same_numbers_and_asks_nobody(run: Run, tmp_path: Path) -> None:
    found = anew(run, recipe(tmp_path))
    for name in ("total", "advantage"):
        before, after = found.ranks[f"{name}_before"], found.ranks[f"{name}_after"]
        assert before.is_null().to_list() == after.is_null().to_list()
        assert (before - after).abs().max() == 0.0
    assert found.summary["tau"] == 1.0
    assert found.summary["tau_low"] is None
    assert found.summary["crowned"] == found.summary["moved"] == 0.0
    # 21 of 24 samples reach the gate (three were lost), and 18 pass it.
    assert counts(found) == {"gate": (21, 0), "colour": (18, 0), "length": (18, 0)}
    assert found.provenance["of_reward_sha256"] == found.provenance["reward_sha256"]


def test_other_weights_turn_the_order_round_as_worked_by_hand(run: Run, tmp_path: Path) -> None:
    """Only length counts now: the first of each group is the best, and what threw stays last."""
    found = anew(run, recipe(tmp_path, colour={"weight": 0.0}, length={"weight": 0.9}))
    first = found.ranks.filter((pl.col("step") == 1) & (pl.col("group") == 0))
    assert first["place_before"].to_list() == [3, 1, 4, 2]
    assert first["place_after"].to_list() == [1, 2, 4, 3]
    assert first["rose"].to_list() == [2, -1, 0, -1]
    # Of 6 pairs, (s0, s1) and (s0, s3) turn round: (4 − 2) / 6.
    assert first["tau"].to_list() == pytest.approx([1 / 3] * 4)
    assert first["crowned"].to_list() == [True] * 4
    assert first["total_after"].to_list() == pytest.approx([0.1 + 0.9, 0.1 + 0.81, 0, 0.1 + 0.63])
    pushes = {each["term"]: each["push"] for each in first["pushes"][0]}
    assert pushes["length"] > 0
    assert pushes["colour"] > 0
    lost = found.ranks.filter(pl.col("total_before").is_null())
    assert lost.height == 3
    assert lost["rose"].null_count() == lost["total_after"].null_count() == 3


@pytest.mark.parametrize("name", ["again", "again.parquet"])
@pytest.mark.parametrize("size", [0, 50, 2000])
def test_a_full_disk_leaves_nothing_that_refuses_the_next_try(
    run: Run, tmp_path: Path, name: str, size: int
) -> None:
    found, place = anew(run, recipe(tmp_path)), tmp_path / name
    before = set(tmp_path.rglob("*"))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        with pytest.raises(WriteError, match="Free some space"):
            write(found, place)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert set(tmp_path.rglob("*")) == before
    write(found, place_for(run, "x.yaml", str(place)))
    assert place.exists()


def test_a_renamed_term_keeps_its_scores(run: Run, tmp_path: Path) -> None:
    file = recipe(tmp_path, length=None, brevity={"scorer": "rewarded:Short", "weight": 0.2})
    found = anew(run, file)
    assert counts(found)["brevity"] == (18, 0)
    assert found.provenance["terms"]["brevity"]["recorded_as"] == "length"
    assert (found.ranks["total_before"] - found.ranks["total_after"]).abs().max() < 1e-12
    assert found.summary["moved"] == 0.0


def test_a_new_term_is_asked_once_for_each_sample_that_passes_the_gates(run: Run, tmp_path: Path) -> None:
    found = anew(run, recipe(tmp_path, extra={"scorer": "rewarded:Counting", "weight": 0.1}))
    assert counts(found) == {"gate": (21, 0), "colour": (18, 0), "length": (18, 0), "extra": (0, 18)}
    assert len(set(Counting.asked)) == len(Counting.asked) == 18
    assert all(sees_picture for _, _, sees_picture in Counting.asked)
    assert not any(name in ("s1-0-2", "s1-1-3") for _, name, _ in Counting.asked)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"length": {"args": {"most": 50}}}, "args: most changed"),
        ({"length": {"scorer": "rewarded:Counting"}}, "its scorer was rewarded:Short"),
    ],
)
def test_what_decides_a_score_has_changed_so_it_is_asked_anew(
    run: Run, tmp_path: Path, change: dict[str, Any], why: str
) -> None:
    found = anew(run, recipe(tmp_path, **change))
    assert counts(found)["length"] == (0, 18)
    assert found.provenance["terms"]["length"]["note"] == why


def test_another_version_or_judge_is_asked_anew(run: Run, tmp_path: Path) -> None:
    manifest = json.loads((run.path / "manifest.json").read_text())
    manifest["judges"] |= {"scorer length": "rewarded:Short 0", "judge eye": "fake of last year"}
    (run.path / "manifest.json").write_text(json.dumps(manifest))
    found = anew(Run.open(run.path), recipe(tmp_path))
    assert counts(found) == {"gate": (21, 0), "colour": (0, 18), "length": (0, 18)}
    assert found.provenance["terms"]["length"]["note"] == (
        "the scorer was rewarded:Short 0, and is rewarded:Short 1"
    )
    assert found.provenance["terms"]["colour"]["note"].startswith("the judge was fake of last year")


class Light:
    """How light a picture is, under whatever name."""

    def __init__(self, name: str) -> None:
        self.identity = name

    def rate(self, requests: Sequence[Request]) -> list[Score]:
        return [Score(sum(decode(each.picture.png).tobytes()) / 1e6) for each in requests]


def test_a_server_that_has_another_model_now_is_asked_anew(tmp_path: Path) -> None:
    server = ScoreServer(Light("light@1"), "light")
    patience = {"cache": False, "deadline_s": 1.0, "backoff_s": 0.01, "cooldown_s": 0.1}
    served_term = {"scorer": "served", "weight": 0.5, "args": {"base_url": server.address, **patience}}
    old = OLD | {"terms": OLD["terms"] | {"light": served_term}}
    with served(server):
        run = scored_run(tmp_path / "run", old)
        assert run.manifest["judges"]["model light"] == "light light@1"
        file = recipe(tmp_path, light=served_term)
        assert counts(anew(run, file))["light"] == (18, 0)
        server.model.identity = "light@2"  # type: ignore[misc]
        found = anew(run, file)
        assert counts(found)["light"] == (0, 18)
        note = "the model was light light@1, and is light light@2"
        assert found.provenance["terms"]["light"]["note"] == note
        assert found.provenance["identities"]["model light"] == "light light@2"
    down = anew(run, file)
    assert counts(down)["light"] == (18, 0)
    note = down.provenance["terms"]["light"]["note"]
    assert note.startswith("not checked whether the model is still light light@1: ")
    assert "does not answer" in note


def test_identities_that_were_never_recorded_are_told(run: Run, tmp_path: Path) -> None:
    manifest = json.loads((run.path / "manifest.json").read_text())
    del manifest["judges"]
    (run.path / "manifest.json").write_text(json.dumps(manifest))
    found = anew(Run.open(run.path), recipe(tmp_path))
    assert counts(found)["colour"] == (18, 0)
    assert "did not record" in found.provenance["terms"]["colour"]["note"]


def test_a_judge_that_cannot_be_built_is_not_needed_for_what_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SALON_EYE", "none")
    reward = copy.deepcopy(OLD)
    reward["judges"]["eye"] = {"kind": "fake", "always": "${SALON_EYE}"}
    run = scored_run(tmp_path / "run", reward)
    monkeypatch.delenv("SALON_EYE")
    file = tmp_path / "other.yaml"
    file.write_text(yaml.safe_dump({"reward": reward}))
    found = anew(run, file)
    assert counts(found)["colour"] == (18, 0)
    assert "SALON_EYE" in found.provenance["terms"]["colour"]["note"]
    reward["terms"]["more"] = {"scorer": "round_robin", "weight": 0.5, "judge": "eye"}
    file.write_text(yaml.safe_dump({"reward": reward}))
    with pytest.raises((RecipeError, SetupError), match="SALON_EYE"):
        anew(run, file)


def test_only_what_is_missing_is_asked_again(tmp_path: Path) -> None:
    """A judge that failed for some pictures is asked about those; the rest is taken over."""
    reward = copy.deepcopy(OLD)
    reward["terms"]["colour"]["scorer"] = "preference"
    run = scored_run(tmp_path / "run", reward)
    file = run.path / "rollouts" / "step-000002.parquet"
    frame = pl.read_parquet(file)
    gone = pl.col("sample_id") == "s2-1-0"
    frame.with_columns(
        pl.when(gone).then(None).otherwise(pl.col("colour.raw")).alias("colour.raw"),
        pl.when(gone).then(pl.lit("missing")).otherwise(pl.col("colour.status")).alias("colour.status"),
        pl.when(gone).then(None).otherwise(pl.col("total")).alias("total"),
    ).write_parquet(file)
    found = anew(run, recipe(tmp_path))
    assert counts(found)["colour"] == (17, 1)
    assert (found.summary["gained"], found.summary["lost"]) == (1, 0)


def test_a_scorer_that_compares_mates_is_asked_about_whole_groups(tmp_path: Path) -> None:
    """Without the gate's help one sample more is alive, so the stored answers are about other company."""
    reward = copy.deepcopy(OLD)
    reward["terms"]["result"] = {"scorer": "rewarded:Mates", "weight": 0.1}
    run = scored_run(tmp_path / "run", reward)
    Counting.asked.clear()
    file = tmp_path / "other.yaml"
    file.write_text(yaml.safe_dump({"reward": reward}))
    assert counts(anew(run, file))["result"] == (18, 0)
    reward["terms"]["strict"] = {
        "scorer": "rewarded:Short",
        "role": "gate",
        "weight": 0.1,
        "args": {"most": 10},
    }
    file.write_text(yaml.safe_dump({"reward": reward}))
    # `strict` stops all but the first sample of each group: those six have other company now.
    assert counts(anew(run, file))["result"] == (0, 6)


def test_a_condition_is_decided_anew(tmp_path: Path) -> None:
    reward = copy.deepcopy(OLD)
    reward["terms"]["length"]["when"] = "'odd' in prompt.tags"
    run = scored_run(tmp_path / "run", reward)
    found = anew(run, recipe(tmp_path))
    assert counts(found)["length"] == (9, 9)
    file = tmp_path / "narrow.yaml"
    file.write_text(yaml.safe_dump({"reward": reward}))
    always = anew(scored_run(tmp_path / "always"), file)
    assert counts(always)["length"] == (9, 0)


def test_a_schedule_is_read_at_each_step(run: Run, tmp_path: Path) -> None:
    found = anew(run, recipe(tmp_path, length={"weight": {1: 0.0, 3: 1.0}}))
    best = found.ranks.filter(pl.col("sample_id").is_in(["s1-0-0", "s2-0-0", "s3-0-0"]))
    lengths = [
        next(value.weighted for value in each.rewards[0].terms if value.term == "length")
        for each in found.steps
    ]
    assert lengths == pytest.approx([0.0, 0.5, 1.0])
    assert best.height == 3


def test_a_kind_of_advantage_that_does_not_fit_is_a_message(run: Run, tmp_path: Path) -> None:
    file = recipe(tmp_path)
    data = yaml.safe_load(file.read_text())
    data["reward"]["advantage"] = {"kind": "rpo"}
    file.write_text(yaml.safe_dump(data))
    with pytest.raises(RecipeError, match="rpo compares two samples"):
        anew(run, file)


def test_a_picture_that_is_gone_is_a_missing_score_not_a_low_one(run: Run, tmp_path: Path) -> None:
    key = run.rollouts()["picture"].drop_nulls()[0]
    run.picture_path(key).unlink()
    found = anew(run, recipe(tmp_path, extra={"scorer": "rewarded:Counting", "weight": 0.1}))
    term = found.provenance["terms"]["extra"]
    assert 0 < term["answered"] < term["asked"] == 18
    assert found.summary["lost"] > 0


def test_a_gate_that_all_fail_is_said_and_nothing_is_told_to_gain(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    closed = {"scorer": "rewarded:Closed", "role": "gate", "weight": 0}
    file = recipe(tmp_path, closed=closed)
    data = yaml.safe_load(file.read_text())
    data["reward"]["terms"] = {"closed": closed} | data["reward"]["terms"]
    file.write_text(yaml.safe_dump(data, sort_keys=False))
    found = anew(run, file)
    show(found, Console(width=300))
    told = capsys.readouterr().out
    assert found.summary["gated"] == {"closed": 21}
    assert (
        "21 of 21 samples with a reward fail the gate closed: the terms behind it count for nothing" in told
    )
    assert "rose" not in told
    assert "fell" not in told
    page = build_rescored_page(run, found.ranks, found.summary, found.provenance, tmp_path / "page.html")
    assert "21 of 21 answers with a reward fail the gate closed" in page.read_text()
    assert RATED not in html.unescape(page.read_text())
    judged = {**found.provenance, "identities": {"judge eye": "flowers@abc/features"}}
    page = build_rescored_page(run, found.ranks, found.summary, judged, tmp_path / "page.html")
    assert RATED in html.unescape(page.read_text())
    show(anew(run, recipe(tmp_path)), Console(width=300))
    assert "3 of 21 samples with a reward fail the gate gate" in capsys.readouterr().out


def test_a_run_without_a_reward_is_told_how_to_get_one(tmp_path: Path) -> None:
    bare = Run.create(tmp_path / "bare", {"recipe": {"seed": 7}})
    with pytest.raises(StoreError, match=r"no recipe\.reward.*\"reward\": \{…\}.*docs/record-and-report\.md"):
        anew(bare, recipe(tmp_path))


# ---- what is written -------------------------------------------------------------------------------------


def fingerprint(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file() and "rescored" not in file.parts:
            digest.update(str(file).encode() + file.read_bytes())
    return digest.hexdigest()


def test_the_original_stays_as_it_was_and_the_result_is_a_run(run: Run, tmp_path: Path) -> None:
    before = fingerprint(run.path)
    file = recipe(tmp_path, colour={"weight": 0.0})
    place = place_for(run, file, None)
    assert place == run.path / "rescored" / "other"
    found = anew(run, file)
    write(found, place)
    assert fingerprint(run.path) == before
    kept = Run.open(place)
    assert kept.rollouts()["total"].to_list() == found.ranks["total_after"].to_list()
    assert kept.manifest["rescore"]["of_recipe_sha256"] == run.manifest["recipe_sha256"]
    assert kept.manifest["rescore"]["rescored_recipe_sha256"] == kept.manifest["recipe_sha256"]
    assert kept.manifest["judges"]["judge eye"].startswith("fake")
    assert kept.metrics()["rendered_share"].to_list() == [0.75] * 3
    assert kept.evaluation_rows("ranks").height == 24
    assert all(kept.picture_path(key).is_file() for key in found.ranks["picture"].drop_nulls())
    assert diagnose(place).table.rows == 24
    assert "ranks" not in build_report(kept).read_text()


def test_nothing_is_overwritten(run: Run, tmp_path: Path) -> None:
    file = recipe(tmp_path)
    write(anew(run, file), place_for(run, file, None))
    for out in (None, str(run.path), str(run.path / "rollouts" / "step-000001.parquet")):
        with pytest.raises(StoreError, match="nothing is overwritten"):
            place_for(run, file, out)
    (tmp_path / "new.json").write_text("{}")
    with pytest.raises(StoreError, match=r"new\.json is there already"):
        place_for(run, file, str(tmp_path / "new.parquet"))


def test_one_file_has_its_provenance_beside_it(run: Run, tmp_path: Path) -> None:
    file, out = recipe(tmp_path), tmp_path / "all.parquet"
    found = anew(run, file)
    write(found, place_for(run, file, str(out)))
    assert pl.read_parquet(out)["total"].to_list() == found.ranks["total_after"].to_list()
    told = json.loads(manifest_of(out).read_text())
    assert told["rescore"]["reward_sha256"] == found.recipe.digest
    assert told["agreement"]["tau"] == 1.0


def test_runs_that_cannot_be_rescored_say_why(tmp_path: Path) -> None:
    file = recipe(tmp_path)
    empty = Run.create(tmp_path / "empty", {"recipe": {"reward": OLD}})
    with pytest.raises(StoreError, match="no rollouts yet"):
        anew(empty, file)
    bare = Run.create(tmp_path / "bare", {"recipe": {"seed": 1}})
    with pytest.raises(StoreError, match=r"no recipe\.reward"):
        anew(bare, file)


def test_the_terminal_and_the_page_tell_it(run: Run, tmp_path: Path) -> None:
    found = anew(run, recipe(tmp_path, colour={"weight": 0.0}, length={"weight": 0.9}))
    console = Console(record=True, width=160, file=io.StringIO())
    show(found, console)
    told = console.export_text()
    assert "24 samples in 6 groups" in told
    assert "rose  3 → 1 of 4  step 1  draw flower 0" in told
    assert told.count("in standard deviations of the group's totals") == 1
    page = build_rescored_page(run, found.ranks, found.summary, found.provenance, tmp_path / "page.html")
    text = page.read_text()
    assert "3 → 1" in text
    assert text.count("data:image/webp") > 4
    assert "<script" not in text


def test_the_command_line(run: Run, tmp_path: Path) -> None:
    file, page = recipe(tmp_path, colour={"weight": 0.0}), tmp_path / "page.html"
    command = [sys.executable, "-m", "salon.cli", "rescore", str(run.path), "--recipe", str(file)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    for expected in (0, 2):
        done = subprocess.run(
            [*command, "--html", str(page)], capture_output=True, text=True, env=env, timeout=60, check=False
        )
        assert done.returncode == expected
    assert done.stderr.startswith(f"salon: {run.path}/rescored/other is there already")
    assert "choose another --out" in done.stderr
    assert f"salon report {run.path}/rescored/other" in done.stderr
    assert page.is_file()
    side = [sys.executable, "-m", "salon.cli", "compare", str(run.path), str(run.path / "rescored" / "other")]
    told = subprocess.run(side, capture_output=True, text=True, env=env, timeout=60, check=True).stdout
    assert "totals are not compared: other has another reward than run" in told


def test_a_spent_budget_keeps_the_steps_before_it(run: Run, tmp_path: Path) -> None:
    """The judge is a real server; the run's own reward asked a fake."""
    look = {"scorer": "checklist", "judge": "eye", "weight": 0.7, "args": {"questions": ["Is it red?"]}}
    file, kept = tmp_path / "asking.yaml", tmp_path / "kept"
    with served(JudgeServer(FakeJudge(), port=0)) as server:
        eye = {"kind": "openai", "model": "fake", "base_url": server.url, "cache": str(kept)}

        def under(calls: int) -> Rescored:
            judges = {"eye": eye | {"budget": {"calls": calls}}}
            reward = OLD | {"terms": OLD["terms"] | {"colour": look}, "judges": judges}
            file.write_text(yaml.safe_dump({"reward": reward}))
            return rescore(run, file, QUIET)

        with pytest.raises(
            BudgetSpent, match=r"step \d: reward\.judges\.eye: the budget of 1 calls is spent"
        ):
            under(1)
        whole = under(1000)
        answers = [path for path in kept.rglob("*") if path.is_file()]
        for path in answers:
            path.unlink()
        partial = under(len(answers) - 1)
    assert not whole.stopped
    assert "the budget of" in partial.stopped
    steps = [each.recorded.step for each in partial.steps]
    assert steps == [each.recorded.step for each in whole.steps][: len(steps)]
    assert 0 < len(steps) < len(whole.steps)
    write(partial, tmp_path / "partial")
    assert Run.open(tmp_path / "partial").steps() == steps
    assert diagnose(tmp_path / "partial").table.rows


def test_a_larger_budget_asks_nothing_anew() -> None:
    def reward(calls: int) -> RewardRecipe:
        eye = {"kind": "openai", "model": "m", "budget": {"calls": calls}}
        args = {"url": "http://127.0.0.1:9", "budget": {"calls": calls}}
        far = {"scorer": "served", "weight": 0.1, "args": args}
        return load_reward({"judges": {"eye": eye}, "terms": OLD["terms"] | {"far": far}})

    old, new = reward(5), reward(500)
    nobody = Built(None, None)
    assert [match(old, new, name, nobody, {}).recorded for name in new.terms] == list(new.terms)
