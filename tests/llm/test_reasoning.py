"""Verdicts after thinking in ordinary words: what the reasoning quotes is none, and the last word is one only
where nothing else is said beside it.
"""

import pytest

from salon.errors import StageError
from salon.judges.vlm.verdicts import parse_verdict

A, B = '{"winner": "A", "reason": "softer"}', '{"winner": "B", "reason": "depth"}'
HEADINGS = [
    *("## Reasoning\n", "### Step-by-step analysis:\n", "**Reasoning:** ", "**Analysis**\n", "Reasoning: "),
    *(
        "Let me think: ",
        "Let's think step by step.\n",
        "Thought process:\n",
        "1. Analysis\n",
        "# My thinking\n",
    ),
    *("> Reasoning: ", "__Rationale__: ", "REASONING\n", "Chain of thought: "),
]
VERDICTS = [
    *("## Verdict\n", "**Final answer:** ", "Final: ", "### My final verdict\n", "Answer:\n", "Conclusion: "),
    *("**Decision**\n", "## Output\n", "Winner: ", "2. Verdict\n"),
]


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_verdict_that_ends_the_reasoning_is_read(heading: str) -> None:
    assert parse_verdict(f"{heading}A is muddy, B is not.\n\n{B}") == ("b", "depth")
    assert parse_verdict(f"{heading}A is muddy, B is not. {B}\n") == ("b", "depth")
    assert parse_verdict(f"{heading}A is muddy.\n```json\n{B}\n```\n") == ("b", "depth")
    assert parse_verdict(f"{heading}At first {A} seems right, then not.\n\n**{B}**") == ("b", "depth")
    assert parse_verdict(f"{B}\n\n{heading}A is muddy.") == ("b", "depth"), "told afterwards"


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_verdict_that_the_reasoning_quotes_is_none(heading: str) -> None:
    for said in (
        f"{heading}By its colours alone I would say {A}, but the composition decides.",
        f"{heading}{A} is what a quick look gives.\n\nBoth are fine pictures.",
        f"{heading}Either {A} or {B}",
        f"{heading}It is {A}\nFinal: B",
        f"{heading}It is {A}\n\n## Verdict\nB",
    ):
        with pytest.raises(StageError, match="malformed_verdict"):
            parse_verdict(said)


@pytest.mark.parametrize("verdict", VERDICTS)
@pytest.mark.parametrize("heading", HEADINGS)
def test_the_verdict_has_a_heading_of_its_own(heading: str, verdict: str) -> None:
    assert parse_verdict(f"{heading}I first thought {A}, no.\n\n{verdict}{B}\nThat is all.")[0] == "b"
    with pytest.raises(StageError, match="malformed_verdict"):
        parse_verdict(f"{heading}I thought so.\n\n{verdict}{A}\n{B}")


@pytest.mark.parametrize(
    "said",
    [
        *(
            f"{A}\nFinal: B",
            f"{A}\n**Final verdict:** B",
            f"Final answer: B.\n\n{A}",
            f"{A} Overall winner is B.",
        ),
        *(
            f"{A}\nMy final choice is **picture B**",
            f"Reasoning: x.\nFinal decision: B\n{A}",
            f"{A}\nFinal: a tie",
        ),
        *(f"{A}\nMy verdict = 'b'", '{"winner": "A", "reason": "The final winner is B, by its depth."}'),
        *(f"{A}\nWait, B has more depth.", f"{A}\nOn second thought, B.", f"{A} Hmm. Let me look again."),
        *(f"{A}\nActually, B is better.", f"{A}\nCorrection: B", f"{A} No, scratch that.", f"{A}\nFinal → B"),
        f"{A}\n## Reasoning\nLooking again.\n{B}",
    ],
)
def test_a_verdict_that_contradicts_itself_is_the_judges_failure(said: str) -> None:
    with pytest.raises(StageError) as caught:
        parse_verdict(said)
    failure = caught.value.failure
    assert (failure.code, failure.fault) == ("malformed_verdict", "system")


@pytest.mark.parametrize(
    "said",
    [
        *(f"{A}\nFinal: A", f"**Final verdict:** picture A\n{A}", f"{A}\nA is softer, but B has more depth."),
        *(f"The final winner is a soft one.\n{A}", f"{A}\nThe final winner is B's better in all but depth."),
        *(
            '{"winner": "A", "reason": "Wait for the wash: actually, it is soft."}',
            f"The winner is clear.\n{A}",
        ),
        *(f"Wait, B has less depth.\n{A}", '{\n "reasoning": "B is muddy",\n "winner": "A"\n}'),
        *(
            f"## Picture A\nsoft\n## Picture B\nmuddy\n{A}",
            f"A final wash: blue.\n{A}\nBoth are finely made.",
        ),
    ],
)
def test_other_words_take_nothing_back(said: str) -> None:
    assert parse_verdict(said)[0] == "a"
