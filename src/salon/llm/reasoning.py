"""Reasoning in sections of ordinary words: `## Reasoning`, "Let me think: …". An object in one is a
quotation, unless it ends the text; so it does where no heading leads to the verdict.
"""

import re
from bisect import bisect_right
from typing import Any

Found = tuple[dict[str, Any], int, int]
"""An object, and where it begins and ends in its text."""

_BEFORE = r"^[ \t>]{0,8}(?P<mark>#{1,6}[ \t]*|[*_]{1,3})?(?:[0-9]{1,2}[.)][ \t]*)?[*_]{0,3}"
_ADJECTIVES = r"(?:(?:my|the|step[- ]by[- ]step|initial|detailed|brief|final|overall|a)[ \t]+){0,3}"
_AFTER = r"(?:[ \t]+[\w-]{1,20}){0,4}[ \t]*[.*_]{0,4}[ \t]*(?::|(?:(?<=[*_.])|$))"
_THINKS = re.compile(
    rf"{_BEFORE}{_ADJECTIVES}(?:reasoning|analysis|thinking|thoughts?|rationale|deliberation|considerations?"
    rf"|scratchpad|chain[- ]of[- ]thought|let(?:['’]?s| me| us) (?:think|reason|analy[sz]e|compare)){_AFTER}",
    re.IGNORECASE | re.MULTILINE,
)
_CONCLUDES = re.compile(
    rf"{_BEFORE}{_ADJECTIVES}(?:final|verdict|answer|conclusion|decision|result|winner|output|judge?ment|response"
    rf"|choice|json){_AFTER}",
    re.IGNORECASE | re.MULTILINE,
)
_NOTHING_MORE = re.compile(r"[\s`*_~.]*(?:</\w{1,20}>[\s`*_~.]*){0,3}")
_OWN_LINE = re.compile(r"(?:^|\n)[ \t]*(?:(?:```|~~~)[^\n]{0,20}\n\s*)?[*_`]{0,3}\Z")

_PICTURE = r"(?:(?:the|picture|image|option|painting|sketch|candidate)[ \t]+){0,2}[*_\"'“‘`]{0,4}"
_WHAT = r"(?:answer|verdict|winner|decision|choice|pick|preference|judge?ment)"
_FINALLY = re.compile(
    rf"\b(?i:(?:final|overall|revised|corrected)[ \t]+{_WHAT}|final|(?:my|the)[ \t]+{_WHAT})[*_]{{0,3}}[ \t]*"
    rf"(?i:[:=→]|->|is\b)[ \t*_\"'“‘`(\[]{{0,8}}(?i:{_PICTURE})"
    r"(?P<winner>(?i:(?:a )?tie\b)|[AB]\b(?!['’]\w)|[ab](?=[*_\"'”’`)\].!]*\s*$))",
    re.MULTILINE,
)
_TAKES_BACK = re.compile(
    r"(?:^|[.!?\n])[ \t*_]*(?:wait|hmm+|no|actually|correction|on (?:second thoughts?|reflection)"
    r"|scratch that|let me (?:re-?\w+|(?:think|look|check)(?=[ \t]+again)))\b"
    r"[ \t]*(?:[,.:;!…—-]|again\b|B\b|A\b)",
    re.IGNORECASE,
)


def verdicts_in(text: str, found: list[Found]) -> list[Found]:
    """Those objects of a text that are no quotation of its reasoning."""
    thinks = {mark.start(): True for mark in _THINKS.finditer(text)}
    marks = sorted(({mark.start(): False for mark in _CONCLUDES.finditer(text)} | thinks).items())
    starts = [start for start, _ in marks]

    def is_quoted(one: Found) -> bool:
        mark = bisect_right(starts, one[1]) - 1
        return mark >= 0 and marks[mark][1]

    said = [one for one in found if not is_quoted(one)]
    quoted = [one for one in found if is_quoted(one)]
    if quoted and found[-1] is quoted[-1] and _NOTHING_MORE.fullmatch(text, quoted[-1][2]):
        alone = len(quoted) == 1 or _OWN_LINE.search(text[: quoted[-1][1]])
        return [*said, quoted[-1]] if alone else []
    return said


def winners_named(text: str) -> set[str]:
    """The winners that a text names as its final ones, in words: a, b or tie."""
    return {mark["winner"].lower().removeprefix("a ") for mark in _FINALLY.finditer(text)}


def takes_back(text: str) -> bool:
    """Whether a text that follows a verdict thinks again."""
    return bool(_TAKES_BACK.search(text))
