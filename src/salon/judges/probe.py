"""Is this judge worth asking? A handful of questions with known answers, before a run spends anything.

It must know which of two pictures was shown first (some servers move all pictures to the front, or show one
of them), prefer a known-good picture to a known-bad one in both orders, and not always say the same.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from PIL import Image

from salon.raster import encode_png
from salon.types import Answer, Critic, Critique, Examiner, Failure, Judge, Picture, Prompt, Verdict

from .before import judge_of_edits
from .guides import Guides
from .vlm import OpenAIJudge

Ability = Literal["compare", "answer", "critique"]
ABILITIES: tuple[Ability, ...] = ("compare", "answer", "critique")

_RED_IS_BETTER = "The better picture is the one that is plain red. Nothing else counts."
_PAINTED = "Is something painted in the picture, beyond blank paper?"
_BLANK = "Is the picture nothing but one plain colour?"


_CANNOT = re.compile(r"HTTP 422\b")
_SAID = re.compile(r'"message": *"([^"]+)')


@dataclass(frozen=True, slots=True)
class Case:
    """A request, a picture that is known to be good for it, and one that is known to be bad."""

    prompt: Prompt
    good: Picture
    bad: Picture


@dataclass(frozen=True, slots=True)
class Probe:
    """What a judge showed, one line each, and why it is refused (not at all, when `problems` is empty)."""

    lines: tuple[str, ...]
    problems: tuple[str, ...]


def plain(colour: str, side: int = 64) -> Picture:
    """A picture of one colour."""
    return Picture.from_png(encode_png(Image.new("RGB", (side, side), colour)))


class _Lost(Exception):
    """An answer is missing."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def probe_judge(
    judge: Judge, cases: Sequence[Case], asks: Collection[Ability] = ABILITIES, needed: bool = True
) -> Probe:
    """Put a judge to the test with what it will be asked for, as far as it can do it at all.

    Args:
        cases: at least one; the bad picture of the first should be blank paper.
        asks: which of its abilities a run needs.
        needed: whether a server that says that it cannot do one of them (HTTP 422) is a problem. Where it is
            none, a line says so, and the rest decides; doing nothing at all is always a problem.
    """
    lines: list[str] = []
    problems: list[str] = []
    refused = 0
    for ability, test in (("compare", _compares), ("answer", _answers), ("critique", _criticises)):
        if ability not in asks:
            continue
        try:
            told, wrong = test(judge, cases)
        except _Lost as lost:
            failure = lost.failure
            told, wrong = [], [f"it does not answer ({failure.code}: {failure.message})."]
            if not needed and _is_unable(failure):
                told, wrong = [f"{ability}: skipped, the server says that it cannot ({_said(failure)})"], []
                refused += 1
        lines += told
        problems += wrong
    if refused and refused == len(lines) and not problems:
        problems.append("it can do nothing that it was asked for.")
    return Probe(tuple(lines), tuple(problems))


def _is_unable(failure: Failure) -> bool:
    """Whether a server understood what it was asked for, and cannot do it; a wrong key is something else."""
    return failure.code == "judge_refused" and bool(_CANNOT.match(failure.message))


def _said(failure: Failure) -> str:
    """The server's own words in the failure's message."""
    found = _SAID.search(failure.message)
    return (found[1] if found else failure.message).removeprefix("bad_request: ")


def _compares(judge: Judge, cases: Sequence[Case]) -> tuple[list[str], list[str]]:
    verdicts = [_both_orders(judge, case) for case in cases]
    _all_there([each for pair in verdicts for each in pair])
    pairs = [(_p(first), 1.0 - _p(second)) for first, second in verdicts]
    shown = ", ".join(f"{first:.2f} and {second:.2f}" for first, second in pairs)
    lines = [f"P(good beats bad), the good one first and second: {shown}"]
    first = [first for first, _ in pairs] + [1.0 - second for _, second in pairs]
    if len({round(p, 3) for p in first}) == 1:
        what = {1.0: "the first picture wins", 0.0: "the second picture wins", 0.5: "a tie"}
        said = what.get(first[0], f"P = {first[0]:.2f}")
        return lines, [f"it always says the same, whatever it is shown: {said}."]
    if all(min(pair) > 0.5 for pair in pairs):
        return lines, []
    order = _knows_order(judge)
    lines += [order] if order else []
    mean = fmean(fmean(pair) for pair in pairs)
    if order and order.startswith("wrong"):
        return lines, [f"it does not know which of two pictures was shown first ({order})."]
    right = sum(fmean(pair) > 0.5 for pair in pairs)
    if mean <= 0.5 or right * 2 <= len(pairs):
        told = f"it prefers the good picture in {right} of {len(pairs)} pairs (mean {mean:.2f})"
        return lines, [f"{told}. Check its model, its criteria and the pictures that it is sent."]
    return lines, []


def _both_orders(judge: Judge, case: Case) -> Sequence[Verdict | Failure]:
    """Good against bad, and bad against good. A judge of edits is told that both were made from the bad
    one.
    """
    pairs = [(case.good, case.bad), (case.bad, case.good)]
    editor = judge_of_edits(judge)
    return editor.compare_edits(case.prompt, pairs, case.bad) if editor else judge.compare(case.prompt, pairs)


def _critique_of(judge: Critic, case: Case, picture: Picture) -> Critique | Failure:
    editor = judge_of_edits(judge)
    if editor:
        return editor.critique_edit(case.prompt, picture, case.bad)
    return judge.critique(case.prompt, picture)


def _knows_order(judge: Judge) -> str:
    """Which of red and blue came first? Only a judge that takes criteria can be asked; else ""."""
    if not isinstance(judge, OpenAIJudge):
        return ""
    red, blue = plain("#e01010"), plain("#1020e0")
    told = judge.with_guides(Guides()).with_criteria(_RED_IS_BETTER)
    asked = _both_orders(told, Case(Prompt("order", "a plain red picture"), red, blue))
    found = [verdict.winner if isinstance(verdict, Verdict) else verdict.code for verdict in asked]
    right = found == ["a", "b"]
    return f"{'right' if right else 'wrong'} about red and blue: {found[0]} and {found[1]}, wanted a and b"


def _answers(judge: Judge, cases: Sequence[Case]) -> tuple[list[str], list[str]]:
    if not isinstance(judge, Examiner):
        return [], []
    case, questions = cases[0], [_PAINTED, _BLANK]
    found = [_answers_of(judge, case, picture, questions) for picture in (case.good, case.bad)]
    _all_there([each for pair in found for each in pair])
    rows = [[each.yes if isinstance(each, Answer) else None for each in pair] for pair in found]
    words = {True: "yes", False: "no", None: "n/a"}
    (good, good_plain), (bad, bad_plain) = rows
    lines = [f"is something painted? the good picture: {words[good]}, the bad one: {words[bad]}"]
    if good == bad:
        problem = f"it answers {words[good]} to {_PAINTED!r} about a painting and about blank paper alike."
        return lines, [problem]
    if good is not True or bad is not False:
        return lines, [f"its answers to {_PAINTED!r} are the wrong way round."]
    several = isinstance(judge, OpenAIJudge) and judge.batch > 1
    if several and (good, bad) == (good_plain, bad_plain):
        return lines, ["several questions in one call come back with one answer. Set `batch: 1`."]
    return lines, []


def _answers_of(
    judge: Examiner, case: Case, picture: Picture, questions: Sequence[str]
) -> Sequence[Answer | Failure]:
    if isinstance(judge, OpenAIJudge) and judge.of_edits:
        return judge.answer_edit(case.prompt, picture, questions, case.bad)
    return judge.answer(case.prompt, picture, questions)


def _criticises(judge: Judge, cases: Sequence[Case]) -> tuple[list[str], list[str]]:
    if not isinstance(judge, Critic):
        return [], []
    case = cases[0]
    found = [_critique_of(judge, case, picture) for picture in (case.good, case.bad)]
    _all_there(found)
    means = [_mean(critique) for critique in found if isinstance(critique, Critique)]
    good, bad = means[0], means[1]
    if good is None or bad is None:
        return [], []
    lines = [f"critiques: the good picture scores {good:.2f}, the bad one {bad:.2f}"]
    if good == bad:
        return lines, [f"it scores a good and a bad picture alike ({good:.2f})."]
    return lines, [] if good > bad else [f"it scores the bad picture {bad:.2f}, the good one {good:.2f}."]


def _mean(critique: Critique) -> float | None:
    scores = [score for score in critique.scores.values() if score is not None]
    return fmean(scores) if scores else None


def _p(verdict: object) -> float:
    assert isinstance(verdict, Verdict)
    return verdict.p_a


def _all_there(found: Sequence[object]) -> None:
    """Raise _Lost where an answer is missing."""
    for each in found:
        if isinstance(each, Failure):
            raise _Lost(each)
