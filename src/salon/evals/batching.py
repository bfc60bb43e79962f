"""One question per call, or several at once? The same checklists asked both ways about the same pictures.

Several at once cost fewer calls and tokens, and may cost the answers: a model that is asked five questions
in one call tends to give them one answer. What that is worth is measured on your own judge and pictures. To
know what the two ways' disagreement means, the first way is asked twice: a judge also disagrees with itself.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from salon.intervals import Interval, bootstrap_mean
from salon.llm.usage import Account, Usage, on_account
from salon.types import Examiner

from .asked import WORDS, Case, Reply, agreement, ask_flat, failures_of

ALONE, AGAIN = "one a call", "one a call, again"


@dataclass(frozen=True, slots=True)
class Share:
    """A share of so many, with a 95 % interval from drawing whole pictures anew; None of nothing."""

    value: float | None
    count: int
    interval: Interval | None = None

    def __str__(self) -> str:
        if self.value is None:
            return "–"
        span = f" ({self.interval[0]:.3f} to {self.interval[1]:.3f})" if self.interval else ""
        return f"{self.value:.3f}{span} of {self.count}"


@dataclass(slots=True)
class Way:
    """One way of asking: what was said, what it cost, and the seconds that went by."""

    name: str
    together: int
    replies: list[Reply] = field(default_factory=list[Reply])
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0

    @property
    def yes(self) -> Share:
        """The share of yes among yes and no."""
        said = [reply for reply in self.replies if reply.said in ("yes", "no")]
        return share([reply.said == "yes" for reply in said], said)

    @property
    def accuracy(self) -> Share:
        """Right ones among the answers that somebody labelled."""
        known = [reply for reply in self.replies if reply.said and reply.item.id in reply.case.right]
        return share([is_right(reply) for reply in known], known)

    def uniform(self, together: int) -> Share:
        """Of the lists of so many questions, the share where all have one answer: the mark of a judge that
        answers the list and not the questions. Compare it with the same lists asked one by one.
        """
        lists: dict[tuple[object, ...], list[Reply]] = {}
        for reply in self.replies:
            at = reply.case.items.index(reply.item) // together
            lists.setdefault((*reply.key[:2], at), []).append(reply)
        whole = [each for each in lists.values() if len(each) > 1 and all(reply.said for reply in each)]
        return share(
            [len({reply.said for reply in each}) == 1 for each in whole], [each[0] for each in whole]
        )

    def failures(self) -> dict[str, int]:
        """Questions without an answer, by code."""
        return failures_of(self.replies)


@dataclass(frozen=True, slots=True)
class Batching:
    """Both ways, and how far they agree. `ways` has one a call, the batch, and one a call again."""

    judge: str
    ways: tuple[Way, ...]

    @property
    def alone(self) -> Way:
        """One question per call."""
        return self.ways[0]

    @property
    def batch(self) -> Way:
        """Several per call."""
        return self.ways[1]

    @property
    def agreed(self) -> Share:
        """Of the questions answered both ways, the share with the same answer."""
        return same(agreement(self.alone.replies, self.batch.replies))

    @property
    def with_itself(self) -> Share:
        """The same for one a call, asked twice."""
        return (
            same(agreement(self.alone.replies, self.ways[2].replies))
            if len(self.ways) > 2
            else Share(None, 0)
        )

    @property
    def gained(self) -> Share:
        """Accuracy of the batch minus that of one a call, over what was answered both ways and labelled."""
        pairs = [
            (one, other)
            for one, other in agreement(self.alone.replies, self.batch.replies)
            if one.item.id in one.case.right
        ]
        halves = share(
            [(1.0 + is_right(other) - is_right(one)) / 2 for one, other in pairs], [one for one, _ in pairs]
        )
        if halves.value is None or halves.interval is None:
            return halves
        low, high = (2 * bound - 1 for bound in halves.interval)
        return Share(2 * halves.value - 1, halves.count, (low, high))

    def by_place(self) -> list[tuple[int, Share, Share]]:
        """Per place in the list: agreement with one a call, and the share of yes."""
        pairs = agreement(self.alone.replies, self.batch.replies)
        places = sorted({other.place for _, other in pairs})
        found: list[tuple[int, Share, Share]] = []
        for place in places:
            here = [(one, other) for one, other in pairs if other.place == place]
            said = [other for _, other in here if other.said in ("yes", "no")]
            found.append((place, same(here), share([other.said == "yes" for other in said], said)))
        return found

    def verdict(self) -> str:
        """What follows, in a sentence."""
        agreed, itself = self.agreed.interval, self.with_itself.interval
        gained = self.gained.interval
        if gained is not None and gained[1] < 0:
            return "Several at once are less often right: ask one question per call."
        if gained is not None and gained[0] > 0:
            return "Several at once are more often right: keep the batch."
        if agreed is None or itself is None:
            return "Too little was answered to tell."
        if agreed[1] < itself[0]:
            return "Several at once change answers, beyond what asking again does: ask one question per call."
        return (
            "No difference was found beyond what asking again makes; more pictures would find smaller ones."
        )


def compare_ways(
    alone: Examiner,
    batch: Examiner,
    cases: Sequence[Case],
    together: int,
    again: Examiner | None = None,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> Batching:
    """Ask every question both ways, and one a call once more. Who comes first changes from picture to
    picture, so that neither way always meets a warm server.

    Args:
        alone: the judge, one question per call, without a cache.
        batch: the same judge, `together` questions per call, without a cache.
        again: `alone` once more, as another object: without a cache on disk, a judge still remembers what it
            said. None asks once.
    """
    ways, judges = [Way(ALONE, 1), Way(f"{together} a call", together)], [alone, batch]
    if again is not None:
        ways, judges = [*ways, Way(AGAIN, 1)], [*judges, again]
    for done, case in enumerate(cases):
        picture = case.picture.load()
        order = list(range(len(ways)))
        for at in order if done % 2 == 0 else reversed(order):
            way, began = ways[at], time.perf_counter()
            with on_account(Account()) as account:
                way.replies += ask_flat(judges[at], case, picture, way.together)
            way.seconds += time.perf_counter() - began
            way.usage += account.total
        tell(done + 1, len(cases))
    return Batching(alone.identity, tuple(ways))


def is_right(reply: Reply) -> bool:
    """Whether a labelled question got the right answer."""
    return reply.said is not None and WORDS[reply.said] is reply.case.right[reply.item.id]


def same(pairs: Sequence[tuple[Reply, Reply]]) -> Share:
    """The share of pairs with the same answer."""
    return share([one.said == other.said for one, other in pairs], [one for one, _ in pairs])


def share(outcomes: Sequence[float], replies: Sequence[Reply]) -> Share:
    """The mean of outcomes, 0 … 1; answers about one picture resemble each other."""
    if not outcomes:
        return Share(None, 0)
    pictures = [reply.key[:2] for reply in replies]
    values = [float(each) for each in outcomes]
    return Share(sum(values) / len(values), len(values), bootstrap_mean(values, pictures))


def lines_of(found: Batching) -> list[str]:
    """What to print."""
    lines = [found.judge, "", "way                 calls  tokens in  tokens out  seconds       usd  answered"]
    for way in found.ways:
        used, total = way.usage, len(way.replies)
        answered = sum(reply.said is not None for reply in way.replies)
        lines.append(
            f"{way.name:<18} {used.calls:>6.0f} {used.tokens_in:>10.0f} {used.tokens_out:>11.0f}"
            f" {way.seconds:>8.1f} {used.usd:>9.4f}  {answered} of {total}"
        )
        lines += [f"  not answered: {count} × {code}" for code, count in way.failures().items()]
    lines += ["", f"the two ways agree on        {found.agreed}"]
    if len(found.ways) > 2:
        lines.append(f"one a call agrees with itself {found.with_itself}")
    for way in found.ways[:2]:
        lines.append(
            f"{way.name}: yes {way.yes}; lists with one answer to all {way.uniform(found.batch.together)}"
        )
    if found.gained.value is not None:
        lines += [f"{way.name}: right {way.accuracy}" for way in found.ways[:2]]
        lines.append(f"more often right at once than alone: {found.gained}")
    places = found.by_place()
    if len(places) > 1:
        lines += ["", "place in the list  agrees with one a call         yes"]
        lines += [f"{place:>17}  {agreed!s:<30} {yes}" for place, agreed, yes in places]
    return [*lines, "", found.verdict()]


def row_of(found: Batching) -> Mapping[str, Any]:
    """The report as JSON takes it."""

    def told(each: Share) -> dict[str, Any]:
        return {"value": each.value, "count": each.count, "interval": each.interval}

    return {
        "judge": found.judge,
        "ways": [
            {
                "name": way.name,
                "together": way.together,
                "seconds": way.seconds,
                "cost": way.usage.numbers(),
                "failures": way.failures(),
                "yes": told(way.yes),
                "uniform": told(way.uniform(found.batch.together)),
                "accuracy": told(way.accuracy),
            }
            for way in found.ways
        ],
        "agreed": told(found.agreed),
        "with_itself": told(found.with_itself),
        "gained": told(found.gained),
        "by_place": [
            {"place": place, "agreed": told(agreed), "yes": told(yes)}
            for place, agreed, yes in found.by_place()
        ],
        "verdict": found.verdict(),
    }
