"""What a person sees: the terminal, the page, the files, a run's folder, and the command."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from PIL import Image
from rich.console import Console
from tables import table_of

from salon.diagnosis import Diagnosis, Options, examine, read_table
from salon.diagnosis.output import write_outputs
from salon.diagnosis.pages.page import page
from salon.diagnosis.pages.terminal import show, sparkline
from salon.diagnosis.pages.words import listed, percent
from salon.diagnosis.simulate import clean, clean_pairs, faulty, nine_signal_weights, nine_signals
from salon.errors import RecipeError, StoreError
from salon.number_text import compact, decimal
from salon.rewards.recipe import load_reward
from salon.store.runs import Run
from salon.types import Failure, Group, Picture, Prompt, Reward, Sample, TermValue

BARE = re.compile(r"(?<![\w.])\.\d+")
"""A number without the 0 before its point."""
HOSTILE = "</style><script>window.hacked=1</script><b>[red]"


def printed(found: Diagnosis, width: int = 100) -> str:
    written = io.StringIO()
    show(found, Console(width=width, file=written, color_system=None))
    return written.getvalue()


def test_numbers_as_words() -> None:
    assert [decimal(x) for x in (0.867, -0.1, 0, 12.345, 1234.5)] == ["0.87", "−0.10", "0", "12.3", "1,234"]
    assert [percent(x) for x in (0, 0.004, 0.5, 0.996, 1)] == ["0 %", "0.4 %", "50 %", "99.6 %", "100 %"]
    assert [compact(x) for x in (10, 0.25, -3.5, 0)] == ["10", "0.25", "−3.5", "0"]
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert sparkline([0, 1, 2]) == " ▅█"


def test_the_terminal_says_the_worst_first_with_a_remedy(tmp_path: Path) -> None:
    text = printed(examine(table_of(faulty("redundant"), tmp_path)))
    assert text.index("✗ Two terms measure one thing") < text.index("→ Keep") < text.index("✓ Fine")
    assert "A recipe that follows from this" in text
    assert max(len(line) for line in text.splitlines() if "#" not in line and "scorer" not in line) <= 100


def test_terms_without_a_weight_are_named_and_not_called_fine(tmp_path: Path) -> None:
    frame = clean()
    names = [term.name for term in table_of(frame, tmp_path).terms if term.role == "reward"]
    options = Options(weights=(f"{names[0]}=.6,{names[1]}=.4",))
    found = examine(table_of(frame, tmp_path, options))
    left = found.as_json()["without_weight"]
    assert left == names[2:]
    text = " ".join(printed(found).split())
    assert f"{listed(left, 20)} have no weight and are looked at as monitors only." in text
    fine = text[text.index("✓ Fine:") :].partition(".")[0]
    assert "compression" not in fine
    assert "redundancy" not in fine
    assert f"compression, dominance and one term owning the total: a weight for {listed(left)}" in text
    assert "looked at as monitors only" in page(found)
    everything = Options(weights=tuple(f"{name}=.2" for name in names))
    assert examine(table_of(frame, tmp_path, everything)).as_json()["without_weight"] == []


def test_terms_that_a_recipe_leaves_out_have_no_weight_but_its_monitors_are_meant(tmp_path: Path) -> None:
    frame = clean()
    names = [term.name for term in table_of(frame, tmp_path).terms if term.role == "reward"]
    recipe = tmp_path / "reward.yaml"
    recipe.write_text(
        "reward:\n  terms:\n"
        f"    {names[0]}: {{scorer: 'm:s', weight: 1}}\n    {names[1]}: {{scorer: 'm:s', role: monitor}}\n"
    )
    table = table_of(frame, tmp_path, Options(recipe=str(recipe)))
    assert table.unweighted == tuple(names[2:])
    both = table_of(frame, tmp_path, Options(recipe=str(recipe), weights=(f"{names[2]}=1",)))
    assert set(both.unweighted) == set(names) - {names[1], names[2]}


def test_files_are_written_before_the_text_that_may_be_cut_short(tmp_path: Path) -> None:
    clean().write_csv(tmp_path / "scores.csv")
    command = [sys.executable, "-m", "salon.cli", "diagnose", str(tmp_path / "scores.csv")]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*command, "--json", str(tmp_path / "r.json")], stdout=write, stderr=subprocess.PIPE
    )
    os.close(write)
    assert done.returncode != 0
    assert json.loads((tmp_path / "r.json").read_text())["rows"] == clean().height


def test_a_clean_run_is_told_so(tmp_path: Path) -> None:
    text = printed(examine(table_of(clean(), tmp_path)))
    assert "Nothing is wrong, as far as these scores tell." in text
    assert "recipe that follows" not in text


@pytest.mark.parametrize("kind", ["hacking", "dead_groups", "diversity", "agreement", "missing", "bias"])
def test_a_page_loads_and_runs_nothing(kind: str, tmp_path: Path) -> None:
    text = page(examine(table_of(faulty(kind), tmp_path)))
    assert "default-src 'none'" in text
    assert "<script" not in text
    assert not re.search(r"""(src|href)=["']|url\(|@import|https?://""", text)
    assert "What to do" in text
    assert not BARE.findall(re.sub(r"(?s)<style>.*?</style>|<svg.*?</svg>", "", text)), "0.57, not .57"
    assert not BARE.findall(printed(examine(table_of(faulty(kind), tmp_path))))
    assert "nan" not in re.findall(r'(?:points|x1|y1|cx|cy|height)="([^"]*)"', text)
    assert text.count("<svg") == text.count("</svg>") >= 6


def test_pairs_alone_get_a_page_too(tmp_path: Path) -> None:
    text = page(examine(table_of(clean_pairs(bias=0.8), tmp_path)))
    assert "One thing is wrong with this judge" in text
    assert "vlm prefers what it sees first" in text


def test_a_hostile_name_stays_text(tmp_path: Path) -> None:
    frame = clean().rename({"layout": HOSTILE, "colour": "[bold]x[/bold]"})
    frame = frame.with_columns(twin=pl.col(HOSTILE) + 0.001 * pl.col("texture")).drop("total")
    found = examine(table_of(frame, tmp_path))
    text = page(found)
    assert "<script>window" not in text
    assert "&lt;/style&gt;&lt;script&gt;" in text
    assert "[bold]x[/bold]" in printed(found)


def test_files_are_written_where_they_are_asked_for(tmp_path: Path) -> None:
    found = examine(table_of(faulty("redundant"), tmp_path))
    places = [str(tmp_path / name) for name in ("out.json", "out.html", "out.yaml")]
    assert write_outputs(found, *places) == places
    assert json.loads((tmp_path / "out.json").read_text())["findings"][0]["kind"] == "redundant"
    assert load_reward(tmp_path / "out.yaml").terms
    fine = examine(table_of(clean(), tmp_path))
    assert write_outputs(fine, recipe_out=str(tmp_path / "none.yaml")) == []
    with pytest.raises(RecipeError, match="cannot be written"):
        write_outputs(found, str(tmp_path / "out.json" / "below.json"))


def test_a_large_table_is_thinned_in_whole_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(clean(steps=60, groups=10), tmp_path)
    assert table.thinned is table
    monkeypatch.setattr("salon.diagnosis.table.MOST_ROWS", 1000)
    thin = table_of(clean(steps=60, groups=10), tmp_path).thinned
    assert 800 <= thin.rows <= 1000
    assert set(np.bincount(thin.group_N)) == {8}
    assert len(thin.steps) == 60
    assert thin.human_N is not None
    assert len(thin.human_N) == len(thin.total_N) == thin.rows


# ---- a run's folder --------------------------------------------------------------------------------------

DOWN = Failure("judge_unreachable", "connection refused", fault="system", stage="judge")
BLANK = Failure("blank_canvas", "nothing is painted", fault="sample", stage="render")
RECIPE = {
    "reward": {
        "terms": {
            "gate": {"scorer": "sketch_gate", "role": "gate", "weight": 0.1},
            "taste": {"scorer": "pairwise", "judge": "taste", "weight": 0.5, "args": {"pool": "flowers"}},
            "twin": {"scorer": "palette", "weight": 0.4},
            "eye": {"scorer": "palette", "role": "monitor"},
        },
        "judges": {"taste": {"kind": "taste"}},
    }
}


def painted(rng: np.random.Generator, same: bool) -> Picture:
    shade = (200, 80, 60) if same else tuple(int(x) for x in rng.integers(0, 255, 3))
    image = Image.new("RGB", (48, 48), "#fbf8f0")
    left, top = (10, 10) if same else (int(x) for x in rng.integers(0, 20, 2))
    image.paste(shade, (left, top, left + 24, top + 24))
    file = io.BytesIO()
    image.save(file, "PNG")
    return Picture.from_png(file.getvalue())


def write_run(folder: Path, steps: int = 9, collapse: bool = False) -> Run:
    """Groups of four: one is blank, one lost its judge in every third group; taste and twin go together."""
    rng = np.random.default_rng(0)
    run = Run.create(folder, {"recipe": RECIPE})
    for step in range(steps):
        groups: list[Group] = []
        rewards: list[list[Reward]] = []
        for index in range(4):
            prompt = Prompt(f"flower-{index}", f"draw flower {index}")
            failures = [BLANK, DOWN if index == 0 else None, None, None, None]
            pictures = [None if f is BLANK else painted(rng, collapse and step >= 6) for f in failures]
            samples = tuple(
                Sample(f"{step}-{index}-{i}", prompt, "…", source="s", picture=picture, tokens=20 + i,
                       failure=failure if failure is BLANK else None)
                for i, (failure, picture) in enumerate(zip(failures, pictures, strict=True))
            )  # fmt: skip
            groups.append(Group(prompt, samples, step))
            rewards.append([reward_of(failure, rng) for failure in failures])
        run.write_step(step, groups, rewards, {"reward": 0.5})
    return run


def reward_of(failure: Failure | None, rng: np.random.Generator) -> Reward:
    if failure is BLANK:
        gated = [TermValue(name, None, None, 0.0, "gated") for name in ("taste", "twin", "eye")]
        return Reward(0.0, (TermValue("gate", 0.0, 0.0, 0.0, "ok"), *gated))
    gate, merit = TermValue("gate", 1.0, 1.0, 0.1, "ok"), float(rng.random())
    twin = merit + float(rng.normal(0, 0.02))
    rest = (
        TermValue("twin", twin, twin, 0.4 * twin, "ok"),
        TermValue("eye", float(rng.random()), 0.0, 0.0, "ok"),
    )
    if failure is DOWN:
        lost = TermValue("taste", None, None, None, "missing", "judge_unreachable: connection refused")
        return Reward(None, (gate, lost, *rest))
    return Reward(
        0.1 + 0.5 * merit + 0.4 * twin, (gate, TermValue("taste", merit, merit, 0.5 * merit, "ok"), *rest)
    )


def test_a_run_brings_its_weights_roles_and_causes(tmp_path: Path) -> None:
    table = read_table(write_run(tmp_path / "run").path)
    assert table.weights_from == "recipe"
    assert {term.name: (term.weight, term.role) for term in table.terms} == {
        "gate": (0.1, "gate"),
        "taste": (0.5, "reward"),
        "twin": (0.4, "reward"),
        "eye": (0.0, "monitor"),
    }
    assert table.term("taste").causes == {"judge_unreachable": 9}
    assert table.groups == 36
    found = examine(table)
    missing = next(finding for finding in found.findings if finding.kind == "missing")
    assert missing.terms == ("taste",)
    # One of four groups loses one of four answers that passed the gate.
    assert missing.numbers["missing"].value == pytest.approx(1 / 16)
    assert "judge_unreachable 9" in missing.wrong


def test_a_runs_proposal_keeps_its_scorers_and_judges(tmp_path: Path) -> None:
    found = examine(read_table(write_run(tmp_path / "run").path))
    assert found.recipe is not None
    (tmp_path / "new.yaml").write_text(found.recipe)
    recipe = load_reward(tmp_path / "new.yaml")
    assert len(recipe.terms) == 3
    assert recipe.terms["eye"].role == "monitor"
    assert recipe.terms["gate"].scorer == "sketch_gate"
    merged = next(term for name, term in recipe.terms.items() if name not in ("gate", "eye"))
    assert merged.weight == pytest.approx(0.95)
    assert merged.scorer in ("pairwise", "palette")


def test_pictures_that_grow_alike_are_seen(tmp_path: Path) -> None:
    found = examine(read_table(write_run(tmp_path / "run", collapse=True).path))
    titles = [finding.title for finding in found.of_level("problem") if finding.kind == "diversity"]
    assert "Pictures grow alike inside groups" in titles
    varied = examine(read_table(write_run(tmp_path / "varied").path))
    assert not [finding for finding in varied.of_level("problem") if finding.kind == "diversity"]


def test_rollouts_as_a_file_read_like_the_run(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", steps=2)
    run.rollouts().write_parquet(tmp_path / "rows.parquet")
    assert [term.name for term in read_table(tmp_path / "rows.parquet").terms] == [
        "gate",
        "taste",
        "twin",
        "eye",
    ]


def test_an_empty_run_says_so(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", {"recipe": RECIPE})
    with pytest.raises(StoreError, match="no rollouts yet"):
        read_table(run.path)


# ---- the command -----------------------------------------------------------------------------------------


def salon(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "salon.cli", "diagnose", *arguments]
    environment = {**os.environ, "COLUMNS": "100"}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, check=False)


def test_the_command_from_a_csv_to_files(tmp_path: Path) -> None:
    nine_signals(steps=36, groups=6).write_csv(tmp_path / "scores.csv")
    flags = (
        "--weights",
        nine_signal_weights(),
        "--json",
        "a.json",
        "--html",
        "a.html",
        "--propose",
        "a.yaml",
    )
    done = salon(tmp_path, "scores.csv", *flags)
    assert done.returncode == 0, done.stderr
    assert "✗ Five terms measure one thing" in done.stdout
    assert done.stdout.splitlines()[-5:-2] == ["wrote a.json", "wrote a.html", "wrote a.yaml"]
    assert "SALON_JUDGE_URL, the judge's address" in done.stdout.splitlines()[-2]
    assert done.stdout.splitlines()[-1] == "next: salon recipe check a.yaml --fake-judges"
    assert load_reward(tmp_path / "a.yaml").terms.keys() == {"gate", "length", "hpsv3", "aesthetics"}


def test_the_command_refuses_a_bad_cell_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text("taste\n17\n8/10\n")
    done = salon(tmp_path, "scores.csv")
    assert done.returncode == 2
    assert done.stderr.startswith("salon: scores.csv: column 'taste', row 2: '8/10' is out of 10")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "name",
    [
        "Colour Harmony",
        "no",
        "#first",
        "7",
        "tidy\n  judges: {evil: 1}",
        "tidy\u2028    evil: {scorer: os:system}",
        "a: b\x85- c",
        "é\x00\x1b[31m\u202e",
        "x" * 100_000,
    ],
)
def test_a_recipe_follows_from_columns_of_any_name(name: str, tmp_path: Path) -> None:
    frame = clean().rename({"layout": name}).with_columns(pl.lit(0.5).alias(f"{name}!"))
    frame.drop("total").write_parquet(tmp_path / "scores.parquet")
    found = examine(read_table(tmp_path / "scores.parquet"))
    write_outputs(found, None, None, str(tmp_path / "out.yaml"))
    terms = load_reward(tmp_path / "out.yaml").terms
    assert found.proposal is not None
    assert len(terms) == len(found.proposal.signals)
    assert "evil" not in terms
    assert not any(term.scorer == "os:system" for term in terms.values())
