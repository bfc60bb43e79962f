"""RationalRewards' written form, read strictly: numbered aspects with scores from 1 to 4 below Markdown
headings.

A picture made from text has three aspects; an edit has a fourth, how much of the picture before was kept.
"""

import re
from collections.abc import Mapping
from statistics import fmean
from typing import Literal

from salon.llm.completion import unreadable
from salon.llm.limits import judge_failure
from salon.llm.thinking import without_thinking
from salon.markup import visible
from salon.types import Critique, Failure

from .answers import score_of

Task = Literal["t2i", "edit"]
Scores = dict[str, float | None]
LOW, HIGH = 1.0, 4.0
MAX_CHARACTERS = 40_000
LONGEST_SCORE = 300
"""Characters of a line with a score, explanation included."""
TITLES: Mapping[Task, Mapping[str, str]] = {
    "t2i": {
        "text_faithfulness": "Text Faithfulness",
        "physical_quality": "Physical and Visual Quality",
        "text_rendering": "Text Rendering",
    },
    "edit": {
        "text_faithfulness": "Text Faithfulness",
        "image_faithfulness": "Image Faithfulness",
        "physical_quality": "Physical and Visual Quality",
        "text_rendering": "Text Rendering",
    },
}
"""The aspects of each task, in the order in which they are numbered."""

_NUMBER = re.compile(
    # 3.5, 3.5/4, 3.5 out of 4 …
    r"(\d{1,2}(?:\.\d+)?)[*\]~]*+(?:\s*+(?:/|out of)\s*+[*\[]*+4(?:\.0+)?(?![\d.]))?[*\]]*+\.?"
    # … and what it means: "(Full match)", ": full match", "- full match"; no second number.
    r"(?:\s*+\(.*|\s*+[:,;\u2013\u2014-]\s*+[^\W\d].*|\s++[^\W\d][^\d]*)?",
    re.DOTALL,
)
_OTHER_NUMBER = re.compile(r"\s*(?:or|to|and|bis|\u2192|->)\s", re.IGNORECASE)
_NOT_APPLICABLE = re.compile(
    r"(?:n/?a|not applicable)\b[.*\]]*+(?:\s*+\(.*|\s*+[:,;\u2013\u2014-][^\d]*)?", re.IGNORECASE | re.DOTALL
)


def decide(a: Mapping[str, float | None], b: Mapping[str, float | None]) -> float | Failure:
    """1 where a's mean is higher over the aspects that both have, 0 where b's is, else .5.

    Example: a {text: 3, rendering: N/A} and b {text: 2, rendering: 4} are decided by text alone: 1.
    """
    shared = [(x, y) for aspect, x in a.items() if x is not None and (y := b.get(aspect)) is not None]
    if not shared:
        return judge_failure("no_shared_aspect", "no aspect applies to both pictures")
    lead = fmean(x for x, _ in shared) - fmean(y for _, y in shared)
    return 0.5 if abs(lead) < 1e-9 else float(lead > 0)


def parse_pointwise(text: str, task: Task = "t2i") -> Critique:
    """A critique of one picture: `## Score:` once per aspect; the critique and the refined request besides.

    Raises:
        StageError: with code malformed_verdict.
    """
    blocks = _blocks(text, task)
    scores = {aspect: _score(block, "Score", aspect) for aspect, block in blocks.items()}
    spoken = without_thinking(text)
    request = _after(spoken, "Refined Request")
    reasons = "\n".join(_after(block, "Justification") for block in blocks.values())
    summary = _after(spoken, "Summary") or reasons
    return Critique(scores, LOW, HIGH, visible(summary.strip()[:4000]), visible(request[:4000]))


def parse_pairwise(text: str, task: Task = "t2i") -> tuple[Scores, Scores, str]:
    """The scores of A and of B, and the summary. The winners that it names are not looked at: the scores are
    what a pair is decided by.

    Raises:
        StageError: with code malformed_verdict.
    """
    blocks = _blocks(text, task)
    a = {aspect: _score(block, "Score A", aspect) for aspect, block in blocks.items()}
    b = {aspect: _score(block, "Score B", aspect) for aspect, block in blocks.items()}
    return a, b, visible(_after(without_thinking(text), "Summary")[:4000])


def _blocks(text: str, task: Task) -> dict[str, str]:
    """What stands below each aspect's numbered title, between the judgement's heading and the summary's."""
    if len(text) > MAX_CHARACTERS:
        raise unreadable(f"an answer of {len(text)} characters")
    body = re.split(r"(?m)^#*[ \t]*\**Summary\b", without_thinking(text))[0]
    # The published parsers read an answer without this heading, too.
    _, found, judgement = body.partition("Detailed Judgement")
    body = judgement if found else body
    aspects = {title: aspect for aspect, title in TITLES[task].items()}
    every = "|".join(re.escape(title) for title in TITLES["edit"].values())
    parts = re.split(rf"(?m)^[#* \t-]*\d+[.)]\s*\**({every})\**:?\**.*$", body)
    named = [aspects.get(title, title) for title in parts[1::2]]
    if sorted(named) != sorted(TITLES[task]):
        told = f"the judgement has {', '.join(named) or 'no aspect'}, and not each aspect of {task} once"
        raise unreadable(told)
    return dict(zip(named, parts[2::2], strict=True))


def _score(block: str, heading: str, aspect: str) -> float | None:
    """The one score under a heading: a number from 1 to 4, or None for N/A."""
    lines = re.findall(rf"(?mi)^[#* \t-]*{heading}\**[ \t]*:(.*)$", block)
    if len(lines) != 1:
        raise unreadable(f"{aspect}: {len(lines)} lines {heading!r}, there must be one")
    if len(lines[0]) > LONGEST_SCORE:
        raise unreadable(f"{aspect}: a line {heading!r} of {len(lines[0])} characters")
    written = lines[0].strip().strip("[]*~ ")
    if _NOT_APPLICABLE.fullmatch(written):
        return None
    return score_of(_number_of(written), aspect, LOW, HIGH)


def _number_of(written: str) -> float | str:
    """The number that a score begins with, as the published parsers take it: "3.5/4" and "3.5 (minor flaws)"
    are 3.5. The text itself where it may mean another one: "3-4", "3 or 4", "7/10".
    """
    found = _NUMBER.fullmatch(written)
    if found is None or _OTHER_NUMBER.match(written[found.end(1) :]):
        return written
    return float(found[1])


def _after(text: str, heading: str) -> str:
    """What stands behind a heading, up to the next one; empty where it is missing."""
    found = re.search(rf"(?m)^[#* \t]*{heading}\**:?\**[ \t]*(.*(?:\n(?!#).*)*)", text)
    return found[1].strip() if found else ""
