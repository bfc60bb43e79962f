"""Measuring a judge: the winner first, both orders, ties as halves, and what is missing counted."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from painted import paint, picture_of
from salon.errors import StageError
from salon.judges.fake import FakeJudge
from salon.judges.measuring.accuracy import PairResult, ask, bootstrap_difference, measure, resampled
from salon.judges.measuring.labelled_pairs import Label, LabelledPair, PictureBytes, PictureFile
from salon.types import Failure, Picture, Prompt, Verdict

COLOUR = PictureBytes(picture_of(paint("love", 1, 24)).png)
GREY = PictureBytes(picture_of(paint("love", 1, 24).convert("L").convert("RGB")).png)
DOWN = Failure("judge_timeout", "late", "system", "judge")


def pairs(count: int, label: Label = "a", prompts: int = 1000) -> list[LabelledPair]:
    """The coloured picture is always the better one."""
    a, b = (GREY, COLOUR) if label == "b" else (COLOUR, GREY)
    return [LabelledPair(str(n), Prompt(str(n % prompts), "p"), a, b, label) for n in range(count)]


class Chooser:
    """Asks `choose` for P(a) of each question, and never looks."""

    identity = "chooser"

    def __init__(self, choose: Callable[[], float | Failure]) -> None:
        self._choose = choose

    def compare(self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]]) -> list[Verdict | Failure]:
        found = [self._choose() for _ in pairs]
        return [each if isinstance(each, Failure) else Verdict(each, self.identity) for each in found]


@pytest.mark.parametrize("label", ["a", "b"])
def test_a_judge_that_sees_is_right_in_both_orders_whatever_side_the_winner_was_stored_on(
    label: Label,
) -> None:
    found = measure(list(ask(FakeJudge(), pairs(6, label))))
    assert (found.acc_first, found.acc_second, found.accuracy, found.gap, found.agreed) == (1, 1, 1, 0, 1)
    assert (found.flips, found.ties, found.coverage) == (0, 0, 1)


@pytest.mark.parametrize(("always", "gap"), [("a", 1.0), ("b", -1.0)])
def test_a_judge_that_goes_by_position_flips_every_time(always: str, gap: float) -> None:
    found = measure(list(ask(FakeJudge(always=always), pairs(6))))  # type: ignore[arg-type]
    assert (found.accuracy, found.gap, found.flips, found.agreed) == (0.5, gap, 1.0, 0.0)


@settings(max_examples=12, deadline=None)
@given(st.sampled_from([0.1, 0.3, 0.5, 0.8, 0.95]), st.integers(0, 1000))
def test_the_gap_of_a_biased_judge_is_twice_its_first_choices_minus_one(bias: float, seed: int) -> None:
    """Exactly for what it chose, ties as halves; and the truth lies near the interval."""
    rng = np.random.default_rng(seed)
    first: list[float] = []

    def choose() -> float:
        first.append(float(rng.choice([1.0, 0.5, 0.0], p=[0.9 * bias, 0.1, 0.9 * (1 - bias)])))
        return first[-1]

    found = measure(list(ask(Chooser(choose), pairs(150), at_once=1)))
    assert found.gap == pytest.approx(2 * np.mean(first) - 1)
    assert found.gap_interval is not None
    truth = 2 * (0.9 * bias + 0.05) - 1
    width = found.gap_interval[1] - found.gap_interval[0]
    assert found.gap_interval[0] - width < truth < found.gap_interval[1] + width


def test_the_interval_of_the_gap_covers_the_truth_about_as_often_as_it_says() -> None:
    covered = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        found = measure(
            [
                PairResult(pair, *(Verdict(float(rng.random() < 0.7), "j") for _ in range(2)))
                for pair in pairs(80)
            ]
        )
        assert found.gap_interval is not None
        covered += found.gap_interval[0] <= 0.4 <= found.gap_interval[1]
    assert 52 <= covered <= 60


def test_what_is_missing_is_counted_and_never_wrong() -> None:
    answers = iter([1.0, 0.0, DOWN, 0.0, 1.0, DOWN, DOWN, DOWN])
    found = measure(list(ask(Chooser(lambda: next(answers)), pairs(4), at_once=1)))
    assert (found.pairs, found.complete, found.answered_first, found.answered_second) == (4, 1, 2, 2)
    assert (found.accuracy, found.acc_first, found.acc_second) == (1.0, 1.0, 1.0)
    assert (found.coverage, found.failures) == (0.25, {"judge_timeout": 4})


def test_a_judge_that_breaks_and_a_picture_that_cannot_be_read_are_failures(tmp_path: Path) -> None:
    def broken() -> float:
        raise ConnectionError("gone")

    (tmp_path / "no.png").write_bytes(b"no picture")
    unread = LabelledPair("x", Prompt("q", "q"), PictureFile(tmp_path / "no.png"), GREY, "a")
    gone = LabelledPair("y", Prompt("q", "q"), PictureFile(tmp_path / "gone.png"), GREY, "a")
    found = measure(list(ask(Chooser(broken), [*pairs(2), unread, gone])))
    assert found.failures == {"internal_error": 4, "unreadable_picture": 4}
    assert found.accuracy is None
    assert measure([]).accuracy is None


def test_pairs_come_back_in_order_and_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    many = pairs(70, prompts=7)
    results = list(ask(FakeJudge(), many, lambda done, of: told.append((done, of))))
    assert [result.pair.id for result in results] == [pair.id for pair in many]
    assert told[-1] == (70, 70)


def test_pairs_without_a_winner_are_left_out() -> None:
    assert measure(list(ask(FakeJudge(), pairs(3, "tie") + pairs(2)))).pairs == 2


def test_units_that_share_pairs_widen_the_interval() -> None:
    values = [float(n % 10 < 7) for n in range(100)]
    alone = resampled(values, [(n,) for n in range(100)])
    shared = resampled(values, [(n % 10, 10 + n // 10) for n in range(100)])
    assert alone is not None
    assert shared is not None
    assert alone[0] < 0.7 < alone[1]
    # Neither too narrow nor too wide: twice 1.96 standard errors.
    assert alone[1] - alone[0] == pytest.approx(2 * 1.96 * (0.7 * 0.3 / 100) ** 0.5, rel=0.15)
    assert shared[1] - shared[0] > 1.5 * (alone[1] - alone[0])


@pytest.mark.parametrize(
    ("value", "low", "high"), [(0.0, -0.161, 0.161), (1.0, 0.678, 1.0), (-1.0, -1.0, -0.678)]
)
def test_equal_differences_still_have_a_width(value: float, low: float, high: float) -> None:
    found = bootstrap_difference([value] * 20, [(n,) for n in range(20)])
    assert found == pytest.approx((low, high), abs=0.001)


def test_a_picture_that_changed_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "p.png"
    paint("love", 1, 20).save(path)
    first = PictureFile(path).load()
    paint("love", 2, 24).save(path)
    assert PictureFile(path).load().key != first.key
    path.unlink()
    with pytest.raises(StageError, match="unreadable_picture"):
        PictureFile(path).load()
