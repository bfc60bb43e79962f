"""The policy without a model."""

from salon.media.p5.checks.source_check import check_sketch
from salon.policies.fake import FakePolicy
from salon.policies.prompts import flower_prompt
from salon.types import Prompt

PROMPTS = [flower_prompt("rose", "coral"), flower_prompt("lily", "lilac")]


def test_answers_come_prompt_by_prompt_and_repeat() -> None:
    answers = FakePolicy().sample(PROMPTS, 3, seed=1)
    assert [answer.text.splitlines()[0] for answer in answers] == ["// coral rose"] * 3 + [
        "// lilac lily"
    ] * 3
    assert len({answer.text for answer in answers}) == 6
    assert answers == FakePolicy().sample(PROMPTS, 3, seed=1)
    assert answers != FakePolicy().sample(PROMPTS, 3, seed=2)


def test_a_prompt_about_something_else_is_answered_too() -> None:
    (answer,) = FakePolicy("lovely").sample([Prompt("cat", "draw a cat")], 1, seed=0)
    assert check_sketch(answer.text) is None


def test_broken_answers_are_as_frequent_as_asked() -> None:
    answers = FakePolicy(broken=0.5).sample(PROMPTS, 40, seed=0)
    broken = [answer for answer in answers if answer.truncated]
    assert 25 <= len(broken) <= 55
    assert all(check_sketch(answer.text) for answer in broken)
    assert not any(answer.truncated for answer in FakePolicy().sample(PROMPTS, 40, seed=0))
