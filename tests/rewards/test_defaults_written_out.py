"""A default that is written out is no other reward."""

import pytest

from salon.errors import SetupError
from salon.rewards.recipe import load_reward
from salon.training.grpo import check_reporters


def digest(**args: object) -> str:
    term = {"scorer": "pairwise", "weight": 1.0, "judge": "eye", "args": args}
    return load_reward({"terms": {"taste": term}, "judges": {"eye": {"kind": "fake"}}}).digest


def test_a_default_written_out_is_the_same_reward_and_another_value_is_not() -> None:
    same = digest(reseed="step", references=2, soft=True, pool="flowers", tiers=["love", "okay"])
    assert same == digest()
    assert digest(reseed="run") != digest()
    assert digest(references=3) != digest()
    assert digest(soft=1) != digest(), "another type may mean something else"


def test_a_reporter_that_is_missing_is_told_before_work_starts() -> None:
    check_reporters(["none"])
    with pytest.raises(SetupError, match=r"train\.report_to: no_such_tracker .*pip install no-such-tracker"):
        check_reporters(["none", "no_such_tracker"])
