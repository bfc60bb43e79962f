"""Which questions of a checklist are worth asking: those that tell the pictures of a group apart, and get the
same answer when they are asked again.

A question that is answered alike for all pictures of a group moves no advantage, whatever it costs. One that
is answered differently when it is asked again adds noise. Both are found by asking about pictures that are
there: those of a run, whose answers were kept, cost nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from salon.intervals import wilson
from salon.types import Answer, Examiner, Failure

from .asked import Case, Reply, agreement, ask_by_needs, failures_of

ENOUGH = 8
"""Answers below which nothing is said about a question."""

STEADY = 0.95
"""The agreement with itself that a question should reach."""

OFTEN = 0.1


@dataclass(frozen=True, slots=True)
class ItemReport:
    """One question, over all pictures that it was asked about.

    Counts: `asked` and how many of these were answered `yes`, `no`, `idle` (it does not apply) or not at all
    (`lost`); `skipped` since a need was not satisfied; `groups` with two answers at least, and those of them
    that `vary`. `variance` is the mean of share × (1 − share) of yes in these groups, 0 … .25. `repeated`
    answers were asked again, and `repeats` of them were the same. `place` is its mean place in the
    checklist, from 1.
    """

    ask: str
    asked: int
    yes: int
    no: int
    idle: int
    lost: int
    skipped: int
    groups: int
    vary: int
    variance: float | None
    repeated: int
    repeats: int
    place: float

    @property
    def share(self) -> float | None:
        """The share of yes among yes and no."""
        return self.yes / (self.yes + self.no) if self.yes + self.no else None

    @property
    def advice(self) -> str:
        """What to do about it."""
        answered = self.yes + self.no + self.idle
        if answered < ENOUGH:
            return "too few answers to tell" if not self.lost else "not answered: see why below"
        told = [self._steadiness(), self._applicability(), self._discrimination()]
        return "; ".join(each for each in told if each) or "keep"

    def _steadiness(self) -> str:
        bounds = wilson(self.repeats, self.repeated)
        return (
            "answered otherwise when asked again: reword or split it" if bounds and bounds[1] < STEADY else ""
        )

    def _applicability(self) -> str:
        bounds = wilson(self.idle, self.yes + self.no + self.idle)
        return "often does not apply: let it need another question" if bounds and bounds[0] > OFTEN else ""

    def _discrimination(self) -> str:
        if self.vary or not self.groups:
            return ""
        if not self.no:
            return "always yes: drop it, or ask for something harder"
        if not self.yes:
            return "always no: drop it, or split it into what can be met"
        return "differs between prompts only, so no group learns from it: split it"

    def row(self) -> dict[str, Any]:
        """As JSON takes it."""
        names = ("ask", "asked", "yes", "no", "idle", "lost", "skipped", "groups", "vary", "variance")
        more = ("repeated", "repeats", "place")
        return {name: getattr(self, name) for name in (*names, *more)} | {"advice": self.advice}


def ask_items(
    judge: Examiner,
    cases: Sequence[Case],
    again: Examiner | None = None,
    wanted: Any = "yes",
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> tuple[list[Reply], list[Reply]]:
    """Ask all questions as a reward does: what needs another question, after it.

    Args:
        again: the same judge without a memory, to ask once more; None asks once.
        wanted: the answer that satisfies a question which does not say.

    Returns:
        the replies, and those of the second time.
    """
    first: list[Reply] = []
    second: list[Reply] = []
    for done, case in enumerate(cases):
        picture = case.picture.load()
        first += ask_by_needs(judge, case, picture, wanted)
        if again is not None:
            second += ask_by_needs(again, case, picture, wanted)
        tell(done + 1, len(cases))
    return first, second


def item_reports(first: Sequence[Reply], second: Sequence[Reply] = ()) -> list[ItemReport]:
    """One report per question, by its words: one that stands in several checklists is one question. Those
    that tell pictures apart least come first.
    """
    by_ask: dict[str, list[Reply]] = {}
    for reply in first:
        by_ask.setdefault(reply.item.ask.strip(), []).append(reply)
    pairs: dict[str, list[bool]] = {}
    for one, other in agreement(first, second):
        pairs.setdefault(one.item.ask.strip(), []).append(one.said == other.said)
    found = [_report(ask, replies, pairs.get(ask, [])) for ask, replies in by_ask.items()]
    return sorted(found, key=lambda each: (each.variance if each.variance is not None else -1.0, each.place))


def _report(ask: str, replies: Sequence[Reply], repeats: Sequence[bool]) -> ItemReport:
    said = [reply.said for reply in replies]
    groups: dict[str, list[bool]] = {}
    for reply in replies:
        if reply.said in ("yes", "no"):
            groups.setdefault(reply.case.group, []).append(reply.said == "yes")
    shares = [sum(each) / len(each) for each in groups.values() if len(each) > 1]
    places = [reply.case.items.index(reply.item) + 1 for reply in replies]
    return ItemReport(
        ask=ask,
        asked=sum(isinstance(reply.answer, Answer | Failure) for reply in replies),
        yes=said.count("yes"),
        no=said.count("no"),
        idle=said.count("n/a"),
        lost=sum(isinstance(reply.answer, Failure) for reply in replies),
        skipped=sum(reply.answer is None for reply in replies),
        groups=len(shares),
        vary=sum(0 < each < 1 for each in shares),
        variance=sum(each * (1 - each) for each in shares) / len(shares) if shares else None,
        repeated=len(repeats),
        repeats=sum(repeats),
        place=sum(places) / len(places),
    )


def by_place(reports: Sequence[ItemReport], first: Sequence[Reply]) -> list[tuple[int, int, float]]:
    """Per place in the checklists: how many were answered yes or no there, and the share of yes. A judge that
    tires of a list says the same from some place on.
    """
    said: dict[int, list[bool]] = {}
    for reply in first:
        if reply.said in ("yes", "no"):
            said.setdefault(reply.case.items.index(reply.item) + 1, []).append(reply.said == "yes")
    return [(place, len(each), sum(each) / len(each)) for place, each in sorted(said.items())]


def lines_of(reports: Sequence[ItemReport], first: Sequence[Reply]) -> list[str]:
    """What to print."""
    lines = [" asked    yes  groups  vary  variance  again same  question"]
    for each in reports:
        share = "–" if each.share is None else f"{each.share:.2f}"
        variance = "–" if each.variance is None else f"{each.variance:.3f}"
        again = f"{each.repeats} of {each.repeated}" if each.repeated else "–"
        counts = f"{each.asked:>6} {share:>6} {each.groups:>7} {each.vary:>5} {variance:>9} {again:>11}"
        lines.append(f"{counts}  {each.ask}")
        details = [f"{each.idle} × n/a"] if each.idle else []
        details += [f"{each.lost} not answered"] if each.lost else []
        details += [f"{each.skipped} not asked"] if each.skipped else []
        told = f" ({', '.join(details)})" if details else ""
        lines += [f"{'':44}→ {each.advice}{told}"] if each.advice != "keep" or told else []
    worth = sum(each.advice == "keep" for each in reports)
    idle = sum(each.asked for each in reports if each.groups and not each.vary)
    total = sum(each.asked for each in reports)
    places = by_place(reports, first)
    lines += ["", "place: share of yes  " + ", ".join(f"{place}: {yes:.2f}" for place, _, yes in places)]
    told = f"{idle} of {total} answers told no pictures of a group apart."
    lost = [f"not answered: {count} × {code}" for code, count in failures_of(first).items()]
    return [*lines, f"{worth} of {len(reports)} questions to keep; {told}", *lost]


def rows_of(reports: Sequence[ItemReport]) -> list[Mapping[str, Any]]:
    """The reports as JSON takes them."""
    return [each.row() for each in reports]
