"""Tournaments: all pairs or some, finite strengths with intervals, islands and missing answers told."""

import csv
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from chatserver import served
from painted import encoded, picture_of
from salon.cli import app
from salon.errors import RecipeError
from salon.judges.fake import FakeJudge
from salon.judges.measuring.probe import blots
from salon.judges.pixel_judge import PixelJudge
from salon.raster import decode
from salon.rewards.judging.tournament import _signed, board, schedule, strengths, tournament
from salon.scorers.pairwise import PairResult
from salon.serving.judge_server import JudgeServer
from salon.types import Failure, Prompt, Verdict

PROMPT = Prompt("p", "draw red")
DOWN = Failure("judge_unreachable", "no route", "system", "judge")
REDS = [blots(red, 3) for red in (1, 4, 7, 2, 9)]
NAMES = ["one", "four", "seven", "two", "nine"]


def test_strengths_by_hand() -> None:
    """Two pictures, one win: s − s' = 2s with s · PRIOR = 1 − σ(2s)."""
    found, deviations = strengths(2, [(0, 1)], [1.0])
    assert found[0] == -found[1]
    assert found[0] * 0.25 == pytest.approx(1 - 1 / (1 + math.exp(-2 * found[0])), abs=1e-9)
    assert found[0] == pytest.approx(0.7408, abs=1e-3)
    assert (deviations > 1).all()
    tied, _ = strengths(3, [(0, 1), (1, 2), (0, 2)], [0.5] * 3)
    assert np.allclose(tied, 0)
    nobody, wide = strengths(2, [], [])
    assert np.allclose(nobody, 0)
    assert np.allclose(wide, 2.0)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(2, 9).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.lists(
                st.tuples(
                    st.integers(0, n - 1), st.integers(0, n - 1), st.sampled_from([0.0, 0.5, 1.0])
                ).filter(lambda row: row[0] != row[1]),
                max_size=40,
            ),
        )
    )
)
def test_strengths_are_finite_whatever_happened(drawn: Any) -> None:
    count, rows = drawn
    found, deviations = strengths(count, [(i, j) for i, j, _ in rows], [o for _, _, o in rows])
    assert np.isfinite(found).all()
    assert (deviations > 0).all()
    assert abs(found.sum()) < 1e-9
    more = [(0, 1)] * 3
    better, _ = strengths(
        count, [*[(i, j) for i, j, _ in rows], *more], [*[o for _, _, o in rows], 1.0, 1.0, 1.0]
    )
    assert better[0] - better[1] >= found[0] - found[1] - 1e-6


def test_everybody_meets_everybody_and_the_reddest_wins() -> None:
    found = tournament(PixelJudge("more red"), PROMPT, REDS, NAMES)
    assert [place.picture for place in found.places] == ["nine", "seven", "four", "two", "one"]
    assert [place.rank for place in found.places] == [1, 2, 3, 4, 5]
    assert (found.compared, found.asked, found.pairs, found.failures) == (10, 10, 10, {})
    for place in found.places:
        assert place.low < place.strength < place.high
    assert (found.places[0].remark, found.places[-1].remark) == ("won all", "lost all")
    assert sum(place.won for place in found.places) == 10
    assert len(found.meetings) == 10


def test_a_judge_that_goes_by_the_order_ties_everything() -> None:
    found = tournament(FakeJudge(always="a"), PROMPT, REDS, NAMES)
    assert {place.rank for place in found.places} == {1}
    assert {(place.tied, place.flipped, place.won) for place in found.places} == {(4, 4, 0)}


def test_a_budget_joins_all_and_is_drawn_by_the_seed() -> None:
    for budget in (4, 6, 9):
        pairs = schedule(5, budget, seed=3)
        assert len(set(pairs)) == budget
        assert all(i < j for i, j in pairs)
        assert pairs == schedule(5, budget, seed=3)
    assert len(schedule(5, 99)) == 10
    found = tournament(PixelJudge("more red"), PROMPT, REDS, NAMES, budget=4)
    assert (found.asked, found.islands) == (4, 1)
    wide = {place.picture: place.high - place.low for place in found.places}
    all_ = {p.picture: p.high - p.low for p in tournament(PixelJudge("more red"), PROMPT, REDS, NAMES).places}
    assert sum(wide.values()) > sum(all_.values())
    with pytest.raises(RecipeError, match="5 pictures are joined by 4 comparisons at least"):
        schedule(5, 3)
    with pytest.raises(RecipeError, match="two pictures"):
        schedule(1)


def test_missing_answers_and_islands_are_told() -> None:
    won, lost = PairResult("x", (1.0, 1.0), None), PairResult("x", None, DOWN)
    found = board("judge", ["a", "b", "c", "d"], [(0, 1), (2, 3), (0, 2)], [won, won, lost])
    assert (found.compared, found.asked, found.islands) == (2, 3, 2)
    assert found.failures == {"judge_unreachable": 1}
    assert {place.picture: place.missing for place in found.places} == {"a": 1, "b": 0, "c": 1, "d": 0}
    text = "\n".join(found.lines())
    assert "2 islands: pictures of different ones never met" in text
    assert "missing: 1 × judge_unreachable" in text
    nobody = board("judge", ["a", "b"], [(0, 1)], [lost])
    assert {place.remark for place in nobody.places} == {"met nobody"}


def test_a_tournament_from_the_shell(tmp_path: Path) -> None:
    files = []
    for name, picture in zip(NAMES, REDS, strict=True):
        files.append(str(tmp_path / f"{name}.png"))
        (tmp_path / f"{name}.png").write_bytes(encoded(decode(picture.png), "PNG"))
    assert picture_of(decode(REDS[0].png)).width == 96

    def run(*words: str) -> Any:
        return CliRunner().invoke(app, ["judge", "compare", *files, *words])

    with served(JudgeServer(PixelJudge("more red"))) as server:
        where = ("--model", "eye", "--base-url", server.url, "--set", "cache=false")
        found = run(*where, "-o", str(tmp_path / "board.csv"))
        assert found.exit_code == 0, found.output
        told = json.loads(run(*where, "--json", "-o", str(tmp_path / "board.json")).stdout)
    assert found.stdout.splitlines()[1].endswith("nine.png  (won all)")
    assert "10 of 10 comparisons answered" in found.stdout
    with (tmp_path / "board.csv").open(newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert [Path(row["picture"]).stem for row in rows] == ["nine", "seven", "four", "two", "one"]
    assert (rows[0]["rank"], rows[0]["won"]) == ("1", "4")
    assert told["places"][0]["won"] == 4
    assert json.loads((tmp_path / "board.json").read_text())["places"] == told["places"]
    assert isinstance(run("--judge", "pixels", "-o", files[0]).exception, RecipeError)
    assert isinstance(run("--judge", "pixels", "-o", str(tmp_path / "board.txt")).exception, RecipeError)
    two = CliRunner().invoke(app, ["judge", "compare", *files[:2], "--judge", "pixels", "--budget", "1"])
    assert "Name more than two pictures" in str(two.exception)
    one = CliRunner().invoke(app, ["judge", "compare", files[0]])
    assert isinstance(one.exception, RecipeError)


def test_what_rounds_to_nothing_has_no_minus() -> None:
    assert [_signed(value) for value in (-0.001, 0.0, 0.004, -0.005001, 1.234)] == [
        "+0.00",
        "+0.00",
        "+0.00",
        "-0.01",
        "+1.23",
    ]


def test_a_pixel_judge_says_by_what_one_leads() -> None:
    verdict = PixelJudge().compare(Prompt("p", ""), [(blots(8, 2), blots(2, 2))])[0]
    assert isinstance(verdict, Verdict)
    assert verdict.reason.endswith("in: more colour")
