"""A default that is written out is no other reward."""

import json

import pytest

from salon.errors import SetupError
from salon.recipe import load_run_recipe
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


def judge(**spec: object) -> str:
    term = {"scorer": "pairwise", "weight": 1.0, "judge": "eye"}
    return load_reward({"terms": {"taste": term}, "judges": {"eye": spec}}).digest


def test_a_judges_default_written_out_is_the_same_reward() -> None:
    asked = {"kind": "openai", "model": "m", "base_url": "http://127.0.0.1:1/v1"}
    same = {
        "temperature": 0.0,
        "max_tokens": 1024,
        "side": 512,
        "attempts": 4,
        "price": None,
        "first": "verdict",
    }
    assert judge(**asked, **same) == judge(**asked)
    for other in ({"temperature": 0.5}, {"side": 256}, {"revision": "b"}, {"extra": {"top_p": 1}}):
        assert judge(**asked, **other) != judge(**asked)
    council = {"kind": "council", "members": [asked, {"kind": "taste"}]}
    written = {"kind": "council", "members": [asked | same, {"kind": "taste"}]}
    assert judge(**written) == judge(**council)
    assert judge(**council | {"members": [asked | {"side": 64}, {"kind": "taste"}]}) != judge(**council)


def test_a_mediums_default_written_out_is_the_same_run() -> None:
    def run(**args: object) -> object:
        return load_run_recipe("hibiscus-cpu", [f"medium.args={json.dumps(args)}"]).identity()

    assert run(paper="#ffffff", size=None, deadline_s=60, workers=2) == run(deadline_s=60.0) == run()
    assert run(paper="#eeeeee") != run()
    assert run(deadline_s=61) != run()


def test_a_reporter_that_is_missing_is_told_before_work_starts() -> None:
    check_reporters(["none"])
    with pytest.raises(SetupError, match=r"train\.report_to: no_such_tracker .*pip install no-such-tracker"):
        check_reporters(["none", "no_such_tracker"])
