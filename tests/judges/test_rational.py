"""RationalRewards' form: read strictly, over a real server; only what both pictures have decides a pair."""

from typing import Any

import pytest

from chatserver import ScriptedServer, served
from painted import paint, picture_of
from salon.errors import StageError
from salon.judges.rational import RationalJudge, decide, parse_pairwise, parse_pointwise
from salon.scorers.critique import CritiqueScore
from salon.types import Critique, Failure, Group, Prompt, Sample, Verdict

PROMPT = Prompt("rose", "draw a rose")
A, B = picture_of(paint("love", 1)), picture_of(paint("nope", 1))


def pointwise(text: str = "3.5", quality: str = "2.5", rendering: str = "N/A") -> str:
    return f"""# User Request Analysis
The user wants a rose.
# Detailed Judgement
1. Text Faithfulness:
## Justification: A rose is there. ## Score is not given here: 9
## Score: {text}
2. Physical and Visual Quality:
## Justification: The petals are soft,
but the stem breaks.
## Score: {quality}
3. Text Rendering:
## Justification: No text was asked for.
## Score: {rendering}
# Summary: A soft rose with a broken stem.

# User Request Refinement:
## Refinement Comments: Say how the stem stands.
## Refined Request: Draw a rose on an upright stem.
"""


def pairwise(*scores: tuple[str, str]) -> str:
    titles = ["Text Faithfulness", "Physical and Visual Quality", "Text Rendering"]
    parts = [
        f"{n}. {title}:\n## Justification: so.\n## Score A: {a}\n## Score B: {b}\n## Winner: Image A"
        for n, (title, (a, b)) in enumerate(zip(titles, scores, strict=True), 1)
    ]
    return "\n".join(
        ["# User Request Analysis", "a rose", "# Detailed Judgement", *parts, "# Summary: A is softer."]
    )


def test_a_pointwise_answer_is_read() -> None:
    found = parse_pointwise("<think>## Score: 1</think>" + pointwise())
    assert found.scores == {"text_faithfulness": 3.5, "physical_quality": 2.5, "text_rendering": None}
    assert (found.low, found.high) == (1.0, 4.0)
    assert found.text == "A soft rose with a broken stem."
    assert found.request == "Draw a rose on an upright stem."


def test_bold_titles_and_brackets_are_the_same_form() -> None:
    text = pointwise("[ 3.0 ]", "**4**").replace("1. Text Faithfulness:", "**1. Text Faithfulness**:")
    scores = parse_pointwise(text.replace("2. Phys", "### 2. Phys")).scores
    assert scores == {"text_faithfulness": 3.0, "physical_quality": 4.0, "text_rendering": None}


@pytest.mark.parametrize(
    "score", ["8/10", "99", "0.5", "NaN", "inf", "", "good", "3 or 4", "-3", "3,5", "true", "4.01", "1e0"]
)
def test_what_is_no_score_is_a_failed_judgement(score: str) -> None:
    with pytest.raises(StageError) as caught:
        parse_pointwise(pointwise(quality=score))
    assert (caught.value.failure.code, caught.value.failure.fault) == ("malformed_verdict", "system")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A fine rose. 8/10",
        pointwise().replace("# Detailed Judgement", "# Judgement"),
        pointwise().replace("2. Physical and Visual Quality:", ""),
        pointwise().replace("3. Text Rendering:", "2. Physical and Visual Quality:"),
        pointwise().split("2. Phys")[0],
        pointwise().replace("## Score: 2.5", "## Score: 2.5\n## Score: 3"),
        "<think>" + pointwise(),
        pointwise() + "x" * 50_000,
    ],
    ids=range(9),
)
def test_another_form_is_a_failed_judgement(text: str) -> None:
    with pytest.raises(StageError, match="malformed_verdict"):
        parse_pointwise(text)


def test_only_aspects_that_both_have_decide() -> None:
    a, b, summary = parse_pairwise(pairwise(("3", "2"), ("3", "3"), ("N/A", "4")))
    assert summary == "A is softer."
    assert decide(a, b) == 1.0
    assert decide({"x": 3.0, "y": None}, {"x": 3.0, "y": 1.0}) == 0.5
    assert decide({"x": 2.0, "y": 4.0}, {"x": 3.0, "y": 3.5}) == 0.0
    nothing = decide({"x": None, "y": 3.0}, {"x": 2.0, "y": None})
    assert isinstance(nothing, Failure)
    assert (nothing.code, nothing.fault) == ("no_shared_aspect", "system")


def judge_at(server: ScriptedServer, **options: Any) -> RationalJudge:
    options = {"deadline_s": 3.0, "backoff_s": 0.01, "cache": False, "attempts": 2} | options
    return RationalJudge("rr", server.url, **options)


def test_the_reward_is_the_mean_less_one_over_three() -> None:
    with served() as server:
        server.script = [pointwise("4", "2.5", "N/A")]
        sample = Sample("s", PROMPT, "", picture=A)
        score = CritiqueScore(judge_at(server)).score(Group(PROMPT, (sample,)))[0]
        assert score.value == pytest.approx((3.25 - 1) / 3)
        told = server.seen[0]["messages"][1]["content"]
        assert "# Detailed Judgement" in told[-1]["text"]
        assert "## Refined Request" in told[-1]["text"]
        assert "draw a rose" in told[0]["text"]


def test_a_pair_over_the_wire_and_a_failure_that_is_never_a_loss() -> None:
    with served() as server:
        server.script = [pairwise(("3", "2"), ("4", "3"), ("N/A", "N/A")), "I like A"]
        judge = judge_at(server)
        first = judge.compare(PROMPT, [(A, B)])[0]
        assert first == Verdict(1.0, judge.identity, "A is softer.")
        assert "## Score A:" in server.seen[0]["messages"][1]["content"][-1]["text"]
        second = judge.compare(PROMPT, [(B, A)])[0]
        assert isinstance(second, Failure)
        assert judge.critique(PROMPT, A) == second
        assert isinstance(judge.compare(PROMPT, [(A, A)])[0], Verdict)


def test_a_critique_is_kept(tmp_path: Any) -> None:
    with served() as server:
        server.script = [pointwise()]
        found = [judge_at(server, cache=str(tmp_path)).critique(PROMPT, A) for _ in range(2)]
        assert found[0] == found[1]
        assert isinstance(found[0], Critique)
        assert len(server.seen) == 1
