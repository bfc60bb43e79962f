"""Is this judge worth asking? A handful of questions with known answers, before a run spends anything.

It must know which of two pictures was shown first (some servers move all pictures to the front, or show one
of them), prefer a known-good picture to a known-bad one in both orders, and not always say the same.

What it claims to read, it must read: pairs of pictures whose reds and blues are known by their pixels are
compared by "more red" and by "less red", by "more paint" and "less paint", and asked about both ways round,
each as often as it takes to tell a judge from a guess. So neither an expert who never looks nor one who never
reads gets through. Nothing is answered from memory: the deployment itself is asked.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from PIL import Image, ImageDraw

from salon.errors import boundary
from salon.judges.inputs_read import CANNOT_READ, Guidable, Read, reads_of
from salon.judges.source_image import judge_of_edits
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.judges.vlm.few_shot import FewShotExamples
from salon.llm.response_cache import asked_afresh
from salon.llm.usage import Account, on_account
from salon.raster import encode_png
from salon.types import Answer, Critic, Critique, Examiner, Failure, Judge, Picture, Prompt, Verdict

Ability = Literal["compare", "criteria", "answer", "critique"]
ABILITIES: tuple[Ability, ...] = ("compare", "criteria", "answer", "critique")
WHAT: dict[Ability, str] = {
    "compare": "compares no pictures",
    "criteria": "reads no criteria",
    "answer": "answers no questions",
    "critique": "writes no critiques",
}

ASKED: dict[Ability, str] = {
    "compare": "compare",
    "criteria": "go by criteria",
    "answer": "answer questions",
    "critique": "write a critique",
}

_RED_IS_BETTER = "The better picture is the one that is plain red. Nothing else counts."
_PAINTED = "Is something painted in the picture, beyond blank paper?"
_BLANK = "Is the picture nothing but one plain colour?"
_MORE_RED = "The better picture is the one with more red in it. Nothing else counts."
_LESS_RED = "The better picture is the one with less red in it. Nothing else counts."
_MORE_PAINT = "The better picture is the one with more paint in it. Nothing else counts."
_LESS_PAINT = "The better picture is the one with less paint in it. Nothing else counts."
_RIGHT_OF_ALL, _RIGHT_OF_EACH = 0.75, 2 / 3
"""How often a judge must be right about all pairs, and about those of each thing that is known of them."""
_RED_QUESTION = "Is there more red than blue in the picture?"
_BLUE_QUESTION = "Is there more blue than red in the picture?"
_BLOTS = Prompt("blots", "red and blue blots")


_GONE = ("judge_unreachable", "judge_down")
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
    """What a judge showed, one line each, and why it is refused (not at all, when `problems` is empty).

    passed: the abilities that it showed. lacks: those that it says itself that it does not have.
    calls: requests that were sent for it; 0 for a judge in this process.
    """

    lines: tuple[str, ...]
    problems: tuple[str, ...]
    passed: tuple[Ability, ...] = ()
    lacks: tuple[Ability, ...] = ()
    calls: int = 0

    @property
    def summary(self) -> str:
        """What it is fit for, and what is missing."""
        if self.problems:
            return "refused"
        missing = ", ".join(WHAT[ability] for ability in self.lacks)
        fit = ", ".join(self.passed)
        return f"only {fit}: it {missing}" if missing else f"fit ({fit})"


def plain(colour: str, side: int = 64) -> Picture:
    """A picture of one colour."""
    return Picture.from_png(encode_png(Image.new("RGB", (side, side), colour)))


def blots(red: int, blue: int, side: int = 96) -> Picture:
    """White paper with so many red stripes and so many blue ones, of twelve."""
    image = Image.new("RGB", (side, side), "#ffffff")
    draw = ImageDraw.Draw(image)
    stripe = side / 12
    for place, colour in enumerate(["#e01010"] * red + ["#1020e0"] * blue):
        draw.rectangle((8, place * stripe, side - 9, (place + 1) * stripe - 2), fill=colour)
    return Picture.from_png(encode_png(image))


class _Unable(Exception):
    """The judge says itself that it cannot do this; the argument is how."""


class _Lost(Exception):
    """An answer is missing."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def probe_judge(
    judge: Judge, cases: Sequence[Case], asks: Collection[Ability] = ABILITIES, needed: bool = True
) -> Probe:
    """Put a judge to the test with what it will be asked for. A judge that compares, and takes criteria, is
    always tested on whether it goes by them.

    Args:
        cases: at least one; the bad picture of the first should be blank paper.
        asks: which of its abilities a run needs.
        needed: whether it is a problem that it cannot do one of `asks`, as it (or its server) says itself.
            Where it is none, a line says so, and the rest decides; doing nothing at all is always a problem.
    """
    declared = judge.declared() if isinstance(judge, OpenAIJudge) else None
    reads: Collection[Read] = declared or ()
    if declared is None:
        with boundary("judge") as caught:
            reads = reads_of(judge)
        if caught.failure:
            return Probe((), (f"what it reads cannot be told: {caught.failure.message}",))
    tests: dict[Ability, Callable[[], tuple[list[str], list[str]]]] = {
        "compare": lambda: _compares(judge, cases),
        "criteria": lambda: _goes_by_criteria(judge, reads),
        "answer": lambda: _answers(judge, cases, reads),
        "critique": lambda: _criticises(judge, cases),
    }
    lines: list[str] = []
    problems: list[str] = []
    passed: list[Ability] = []
    lacks: list[Ability] = []
    gone = False
    with on_account(Account()) as account, asked_afresh():
        for ability, test in tests.items():
            if ability not in asks and not (ability == "criteria" and "compare" in asks):
                continue
            try:
                told, wrong = _tried(test, ability)
                if not wrong:
                    passed.append(ability)
            except _Unable as unable:
                told, wrong = [f"{ability}: skipped, {unable}"], []
                lacks.append(ability)
                if needed and ability in asks:
                    told, wrong = [], [f"it {WHAT[ability]}: {unable}."]
            except _Lost as lost:
                failure = lost.failure
                told, wrong = [], [f"it does not answer ({failure.code}: {failure.message})."]
                # A server that is not there says the same to every test.
                gone = failure.code in _GONE
            lines += told
            problems += wrong
            if gone:
                break
    spent = account.total
    if not passed and not problems:
        problems.append("it can do nothing that it was asked for.")
    if spent.questions and not spent.calls:
        problems.append("not one request was sent, so nothing was tested.")
    return Probe(tuple(lines), tuple(problems), tuple(passed), tuple(lacks), int(spent.calls))


def _tried(test: Callable[[], tuple[list[str], list[str]]], ability: Ability) -> tuple[list[str], list[str]]:
    """A test's outcome. A judge of one's own may raise anything, or return what is no answer: then that is
    what is wrong with it.
    """
    known: list[_Unable | _Lost] = []
    with boundary("judge") as caught:
        try:
            return test()
        except (_Unable, _Lost) as told:
            known.append(told)
    if known:
        raise known[0]
    why = caught.failure.message if caught.failure else ""
    return [], [f"it raises or answers in no form that can be read, asked to {ASKED[ability]}: {why}"]


def criteria_problems(judge: Judge) -> list[str]:
    """What is wrong with a judge that is to go by criteria: nothing, where it reads them and looks."""
    found = probe_judge(judge, [], ["criteria"])
    return list(found.problems)


def _is_unable(failure: Failure) -> bool:
    """Whether a server understood what it was asked for, and cannot do it; a wrong key is something else."""
    is_refused = failure.code == "judge_refused" and bool(_CANNOT.match(failure.message))
    return is_refused or failure.code == CANNOT_READ


def _said(failure: Failure) -> str:
    """The server's own words in the failure's message."""
    found = _SAID.search(failure.message)
    told = found[1] if found else failure.message
    return told.removeprefix("bad_request: ").removeprefix("cannot_read: ")


def _compares(judge: Judge, cases: Sequence[Case]) -> tuple[list[str], list[str]]:
    verdicts = [_both_orders(judge, case) for case in cases]
    _all_there([each for pair in verdicts for each in pair])
    pairs = [(_p(first), 1.0 - _p(second)) for first, second in verdicts]
    shown = ", ".join(f"{first:.2f} and {second:.2f}" for first, second in pairs)
    lines = [f"P(good beats bad), the good one first and second: {shown}"]
    lines += _words_against_odds([verdict for both in verdicts for verdict in both])
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


def _words_against_odds(verdicts: Sequence[Verdict | Failure]) -> list[str]:
    """A line on how many verdicts name one winner in words, and another by their odds; none where none do."""
    against = sum(isinstance(each, Verdict) and each.said is not None for each in verdicts)
    if not against:
        return []
    return [
        f"{against} of {len(verdicts)} verdicts name another winner in words than their odds, which count"
    ]


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
    told = judge.with_guides(FewShotExamples()).with_criteria(_RED_IS_BETTER)
    asked = _both_orders(told, Case(Prompt("order", "a plain red picture"), red, blue))
    found = [verdict.winner if isinstance(verdict, Verdict) else verdict.code for verdict in asked]
    right = found == ["a", "b"]
    return f"{'right' if right else 'wrong'} about red and blue: {found[0]} and {found[1]}, wanted a and b"


def _goes_by_criteria(judge: Judge, reads: Collection[Read]) -> tuple[list[str], list[str]]:
    """By more and less red, and by more and less paint, about pairs of which it is known, in both orders.

    A judge that is right about nine pairs of ten passes in 98 of 100 cases, a coin in less than one.
    """
    if not isinstance(judge, Guidable) or "criterion" not in reads:
        raise _Unable("it says that it reads none")
    plainly = judge.with_guides(FewShotExamples()) if isinstance(judge, OpenAIJudge) else judge
    lines: list[str] = []
    right: list[tuple[float, float]] = []
    shown_first: set[float] = set()
    verdicts: list[Verdict | Failure] = []
    for what, criteria, cases in _CRITERIA:
        asked = [plainly.with_criteria(each) for each in criteria]
        found = [[_both_orders(by, case) for case in cases()] for by in asked]
        _all_there([verdict for by in found for both in by for verdict in both])
        verdicts += [verdict for by in found for both in by for verdict in both]
        said = [[p for first, second in by for p in (_p(first), 1.0 - _p(second))] for by in found]
        more, less = map(fmean, said)
        lines.append(f"the {what} of two pictures wins: by more {more:.2f}, by less {less:.2f}")
        right.append((more, 1.0 - less))
        shown_first |= {round(_p(verdict), 3) for by in found for both in by for verdict in both}
    lines += _words_against_odds(verdicts)
    if len(shown_first) == 1:
        return lines, ["under a criterion it always says the same: it does not look at the pictures."]
    every = [each for both in right for each in both]
    if max(every) < 0.5:
        return lines, ["it chooses against the criterion that it is given."]
    of_each = min(map(fmean, right))
    if min(every) >= 0.5 and of_each >= _RIGHT_OF_EACH and fmean(every) >= _RIGHT_OF_ALL:
        return lines, []
    told = f"it does not go by criteria: right {fmean(every):.2f} of the time, {_RIGHT_OF_ALL} is needed"
    return lines, [f"{told} ({'; '.join(lines)})."]


def _answers(judge: Judge, cases: Sequence[Case], reads: Collection[Read]) -> tuple[list[str], list[str]]:
    if not isinstance(judge, Examiner) or "question" not in reads:
        raise _Unable("it says that it answers none")
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
    told, wrong = _reads_questions(judge)
    return [*lines, *told], wrong


def _reads_questions(judge: Examiner) -> tuple[list[str], list[str]]:
    """A question and its reverse, about pictures whose reds and blues are known.

    A judge that guesses once per picture passes in 1.1 % of cases, one that guesses each answer in .03 %; one
    that is right nine times of ten in 99 %.
    """
    questions = [_RED_QUESTION, _BLUE_QUESTION]
    cases = _blot_cases((*REDDER, *RED_OR_BLUE))
    red, blue = (
        [_answers_of(judge, case, picture, questions) for case, picture in shown]
        for shown in ([(case, case.good) for case in cases], [(case, case.bad) for case in cases])
    )
    _all_there([each for pictures in (red, blue) for pair in pictures for each in pair])
    of_red, of_blue = (_shares_of_yes(each) for each in (red, blue))
    shown = (
        f"{of_red[0]:.2f} and {of_red[1]:.2f} of red ones, {of_blue[0]:.2f} and {of_blue[1]:.2f} of blue ones"
    )
    lines = [f"yes to more red than blue, and to more blue than red: {shown}"]
    right = [(of_red[0] + 1 - of_blue[0]) / 2, (of_blue[1] + 1 - of_red[1]) / 2]
    if fmean(right) >= _RIGHT_OF_ALL and min(right) >= _RIGHT_OF_EACH:
        return lines, []
    if of_red == of_blue:
        return lines, ["it answers alike about red pictures and about blue ones: it does not look."]
    if of_red[0] == of_red[1] and of_blue[0] == of_blue[1]:
        return lines, ["it answers a question and its reverse alike: it does not read the question."]
    if max(right) < 0.5:
        return lines, [f"its answers about more red and more blue are wrong ({shown})."]
    told = f"it is right about more red and more blue {fmean(right):.2f} of the time"
    return lines, [f"{told}, {_RIGHT_OF_ALL} is needed ({shown})."]


def _shares_of_yes(pictures: Sequence[Sequence[Answer | Failure]]) -> tuple[float, float]:
    """Per question, over some pictures; what does not apply is a half."""
    credit = {True: 1.0, False: 0.0, None: 0.5}
    said = [[credit[each.yes] for each in pair if isinstance(each, Answer)] for pair in pictures]
    return fmean(pair[0] for pair in said), fmean(pair[1] for pair in said)


Counts = tuple[tuple[int, int], tuple[int, int]]
REDDER: tuple[Counts, ...] = (
    ((8, 2), (2, 8)),
    ((6, 3), (1, 9)),
    ((5, 0), (0, 7)),
    ((7, 4), (3, 8)),
    ((4, 1), (1, 6)),
    ((9, 2), (4, 5)),
)
FULLER: tuple[Counts, ...] = (
    ((2, 8), (3, 2)),
    ((8, 3), (2, 3)),
    ((1, 9), (4, 1)),
    ((6, 5), (1, 4)),
    ((0, 9), (5, 0)),
    ((3, 6), (2, 1)),
)
RED_OR_BLUE: tuple[Counts, ...] = (
    ((7, 1), (1, 5)),
    ((3, 0), (2, 9)),
    ((8, 4), (0, 4)),
    ((5, 1), (3, 9)),
    ((10, 1), (2, 6)),
    ((6, 2), (1, 3)),
)
"""Red and blue stripes of pairs: the redder one first; the one with more of both first, redder or not; and
more of the first kind, for questions about one picture.
"""


def _blot_cases(counts: Sequence[Counts] = REDDER) -> list[Case]:
    """Pairs of pictures: one that errs now and then is no reason to refuse a judge."""
    return [Case(_BLOTS, blots(*more), blots(*less)) for more, less in counts]


_CRITERIA: tuple[tuple[str, tuple[str, str], Callable[[], list[Case]]], ...] = (
    ("redder", (_MORE_RED, _LESS_RED), _blot_cases),
    ("more painted", (_MORE_PAINT, _LESS_PAINT), lambda: _blot_cases(FULLER)),
)


def _answers_of(
    judge: Examiner, case: Case, picture: Picture, questions: Sequence[str]
) -> Sequence[Answer | Failure]:
    if isinstance(judge, OpenAIJudge) and judge.of_edits:
        return judge.answer_edit(case.prompt, picture, questions, case.bad)
    return judge.answer(case.prompt, picture, questions)


def _criticises(judge: Judge, cases: Sequence[Case]) -> tuple[list[str], list[str]]:
    if not isinstance(judge, Critic):
        raise _Unable("it says that it writes none")
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
    """Raise _Lost where an answer is missing, and _Unable where a server says that it cannot give it.

    Raises:
        TypeError: it is no answer at all.
    """
    for each in found:
        if not isinstance(each, Failure | Verdict | Answer | Critique):
            told = (
                f"it returned {each!r:.80} where a Verdict, an Answer, a Critique or a Failure is asked for"
            )
            raise TypeError(told)
        if isinstance(each, Failure):
            raise (
                _Unable(f"the server says that it cannot ({_said(each)})")
                if _is_unable(each)
                else _Lost(each)
            )
