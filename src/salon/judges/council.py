"""Several judges as one: the mean of what they say, the majority, or weights from how well each agrees with
ratings.

    judges:
      council:
        kind: council
        how: majority
        members:
          - {kind: openai, model: Qwen/Qwen3-VL-30B-A3B-Instruct, base_url: "${SALON_JUDGE_URL}"}
          - {kind: taste}
"""

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any, Literal, TypeVar

from salon.errors import RecipeError
from salon.judges.vlm.prompts import digest
from salon.judges.vlm.verdicts import ODDS, disagree
from salon.llm.limits import judge_failure
from salon.llm.threads import at_once
from salon.parts import built
from salon.types import Answer, Critic, Critique, Examiner, Failure, Judge, Picture, Prompt, Verdict

from .inputs_read import Read, reads_of
from .source_image import LooksAtEdits, judge_of_edits

How = Literal["mean", "majority"]
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often members of a council agree: over pairs of members that both named a winner (or said yes or
    no), the share that named the same.

    `kappa` corrects it for chance (Cohen, 1960), the mean over pairs of members; None where it is undefined.
    `by_pair` has each two members' share, and how many answers it is over.
    """

    share: float | None
    kappa: float | None
    count: int
    by_pair: Mapping[tuple[str, str], tuple[float, int]]


class Council:
    """Asks every member, all at once, and joins what they say.

    Args:
        members: judges, or what a recipe says of one: {kind: …, its arguments}.
        how: `mean` of the probabilities (or scores), or `majority` of the winners (or answers); a draw is a
            tie.
        weights: one per member, 1 each by default; `weights_from` finds them from people's choices.
        quorum: members that must answer; all by default. With fewer there is no verdict.

    A council can do what all its members can. `agreement()` says how far they agree, over all it was asked.

    Raises:
        RecipeError: fewer than two members, or as many weights as there are not.
    """

    def __init__(
        self,
        members: Sequence[Judge | Mapping[str, Any]],
        how: How = "mean",
        weights: Sequence[float] | None = None,
        quorum: int | None = None,
    ) -> None:
        self.members = tuple(_member(each, f"members.{place}") for place, each in enumerate(members))
        if len(self.members) < 2:
            raise RecipeError("members: a council has at least two.")
        if how not in ("mean", "majority"):
            raise RecipeError(f"how: is mean or majority, not {how!r}")
        self._weights = tuple(float(weight) for weight in weights or [1.0] * len(self.members))
        good = all(math.isfinite(weight) and weight >= 0 for weight in self._weights)
        if len(self._weights) != len(self.members) or not good or not 0 < sum(self._weights) < math.inf:
            told = "finite numbers are needed, none below 0, not all 0."
            raise RecipeError(f"weights: {len(self.members)} {told}")
        if quorum is not None and not 1 <= quorum <= len(self.members):
            raise RecipeError(f"quorum: is 1 to {len(self.members)}, the number of members, not {quorum}.")
        self._how, self._quorum = how, quorum or len(self.members)
        names = [member.identity for member in self.members]
        self.identity = f"council({', '.join(names)})@{digest(how, self._weights, self._quorum)}"
        self._met: list[tuple[int | None, ...]] = []
        self._lock = threading.Lock()

    def compare(self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]]) -> list[Verdict | Failure]:
        """One verdict per pair, in order."""
        found = self._ask(lambda member: member.compare(prompt, pairs))
        return [self._join(row, self._verdict) for row in zip(*found, strict=True)]

    @property
    def reads(self) -> frozenset[Read]:
        """What all of its members read; a council is given no criteria, its members are."""
        return frozenset.intersection(*(reads_of(member) for member in self.members)) - {"criterion"}

    @property
    def of_edits(self) -> bool:
        """Whether all of its members judge edits, so that they can be shown the picture before."""
        return all(judge_of_edits(member) for member in self.members)

    def compare_edits(
        self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]], before: Picture
    ) -> list[Verdict | Failure]:
        """One verdict per pair of edits of one picture. A council with other members has none."""
        found = self._ask(lambda member: _editor(member).compare_edits(prompt, pairs, before))
        return [self._join(row, self._verdict) for row in zip(*found, strict=True)]

    def critique_edit(self, prompt: Prompt, picture: Picture, before: Picture) -> Critique | Failure:
        """The members' scores of an edit, averaged as those of `critique`."""
        found = self._ask(lambda member: _editor(member).critique_edit(prompt, picture, before))
        return self._join(found, self._critique)

    def answer(self, prompt: Prompt, picture: Picture, questions: Sequence[str]) -> list[Answer | Failure]:
        """One answer per question: yes or no, whichever weighs more; a draw is a failure of the council."""
        found = self._ask(lambda member: _able(member, Examiner).answer(prompt, picture, questions))
        return [self._join(row, self._answer) for row in zip(*found, strict=True)]

    def critique(self, prompt: Prompt, picture: Picture) -> Critique | Failure:
        """The members' scores, averaged aspect by aspect over those who gave one."""
        found = self._ask(lambda member: _able(member, Critic).critique(prompt, picture))
        return self._join(found, self._critique)

    def agreement(self) -> Agreement:
        """How far members agree, over every verdict and answer so far."""
        with self._lock:
            met = list(self._met)
        names = [member.identity for member in self.members]
        by_pair: dict[tuple[str, str], tuple[float, int]] = {}
        kappas: list[float] = []
        for i, j in combinations(range(len(names)), 2):
            both = [(row[i], row[j]) for row in met if row[i] is not None and row[j] is not None]
            if both:
                share = fmean(float(a == b) for a, b in both)
                by_pair[names[i], names[j]] = share, len(both)
                kappas += _kappa(both, share)
        count = sum(n for _, n in by_pair.values())
        share = sum(share * n for share, n in by_pair.values()) / count if count else None
        return Agreement(share, fmean(kappas) if kappas else None, count, by_pair)

    def _ask(self, ask: Callable[[Any], Found]) -> list[Found]:
        return at_once(ask, self.members, len(self.members))

    def _join(self, row: Sequence[Any], join: Callable[[list[tuple[Any, float]]], Any]) -> Any:
        with self._lock:
            self._met.append(tuple(_side(each) for each in row))
        weighed = [
            (each, weight)
            for each, weight in zip(row, self._weights, strict=True)
            if not isinstance(each, Failure) and weight > 0
        ]
        lost = [each for each in row if isinstance(each, Failure)]
        if len(row) - len(lost) < self._quorum or not weighed:
            return lost[0] if lost else judge_failure("no_quorum", "no member with a weight answered")
        return join(weighed)

    def _verdict(self, weighed: list[tuple[Verdict, float]]) -> Verdict:
        p_a = self._odds([(verdict.p_a, weight) for verdict, weight in weighed])
        in_words = self._odds([(ODDS[v.said] if v.said else v.p_a, weight) for v, weight in weighed])
        # Members' words count as the members do: where they would have decided otherwise, so it is said.
        said = Verdict(in_words, self.identity).winner
        reason = "; ".join(told for verdict, _ in weighed if (told := _told(verdict)))
        return Verdict(p_a, self.identity, reason[:500], said if disagree(said, p_a) else None)

    def _odds(self, weighed: list[tuple[float, float]]) -> float:
        """The probability that a wins, of the members' own, each with the member's weight."""
        total = sum(weight for _, weight in weighed)
        if self._how == "mean":
            return min(1.0, max(0.0, sum(p_a * weight for p_a, weight in weighed) / total))
        lead = sum(((p_a > 0.5) - (p_a < 0.5)) * weight for p_a, weight in weighed)
        return 0.5 if abs(lead) < 1e-12 * total else float(lead > 0)

    def _answer(self, weighed: list[tuple[Answer, float]]) -> Answer | Failure:
        yes, no, unsure = (
            sum(weight for answer, weight in weighed if answer.yes is said) for said in (True, False, None)
        )
        most = max(yes, no, unsure)
        if [yes, no, unsure].count(most) > 1:
            return judge_failure("council_divided", f"yes weighs {yes:g}, no {no:g}, n/a {unsure:g}")
        said = True if yes == most else False if no == most else None
        reason = next((answer.reason for answer, _ in weighed if answer.yes is said), "")
        return Answer(said, reason)

    def _critique(self, weighed: list[tuple[Critique, float]]) -> Critique | Failure:
        first = weighed[0][0]
        if any((each.low, each.high) != (first.low, first.high) for each, _ in weighed):
            return judge_failure("council_scales", "the members score on different scales")
        aspects = dict.fromkeys(aspect for critique, _ in weighed for aspect in critique.scores)
        scores = {aspect: _weighted_mean(weighed, aspect) for aspect in aspects}
        text = "\n\n".join(critique.text for critique, _ in weighed if critique.text)
        return Critique(scores, first.low, first.high, text, first.request)


def weights_from(accuracies: Sequence[float], floor: float = 0.5) -> list[float]:
    """Weights from each member's share of agreement with the ratings: log odds, and 0 for a coin or worse.

    For independent judges, weighing votes by log(p / (1 − p)) is the best that can be done (S. Nitzan and
    J. Paroush, 1982).

    Example: members who agree with them in .9, .7 and .5 of pairs get 2.20, 0.85 and 0.
    """
    bounded = [min(accuracy, 0.99) for accuracy in accuracies]
    return [math.log(p / (1 - p)) if p > floor else 0.0 for p in bounded]


def _member(given: Judge | Mapping[str, Any], where: str) -> Judge:
    if not isinstance(given, Mapping):
        return given
    args = dict(given)
    kind = args.pop("kind", None)
    if not isinstance(kind, str):
        raise RecipeError(f"{where}.kind: is missing. Add it.")
    return built("judge", kind, args, where)


def _able(member: Any, protocol: type[Any]) -> Any:
    if not isinstance(member, protocol):
        what = "answers questions" if protocol is Examiner else "writes critiques"
        raise RecipeError(f"every member of this council must be one that {what}; {member.identity} is not.")
    return member


def _editor(member: Any) -> LooksAtEdits:
    found = judge_of_edits(member)
    if found is None:
        raise RecipeError(f"every member of this council must judge edits; {member.identity} does not.")
    return found


def _told(verdict: Verdict) -> str:
    """A member's reason, with its words where they name another winner than its odds do."""
    words = f"(in words: {verdict.said})" if verdict.said else ""
    return " ".join(filter(None, (verdict.reason, words)))


def _side(found: Any) -> int | None:
    """1 for a or yes, −1 for b or no, 0 for a tie or n/a; None for a failure or a critique."""
    if isinstance(found, Verdict):
        return {"a": 1, "b": -1, "tie": 0}[found.winner]
    if isinstance(found, Answer):
        return {True: 1, False: -1, None: 0}[found.yes]
    return None


def _kappa(both: Sequence[tuple[int | None, int | None]], share: float) -> list[float]:
    """Cohen's kappa of two members' sides; nothing where chance alone would agree always."""
    sides = {side for pair in both for side in pair}
    chance = sum(fmean(float(a == s) for a, _ in both) * fmean(float(b == s) for _, b in both) for s in sides)
    return [(share - chance) / (1 - chance)] if chance < 1 else []


def _weighted_mean(weighed: Sequence[tuple[Critique, float]], aspect: str) -> float | None:
    found = [(s, weight) for critique, weight in weighed if (s := critique.scores.get(aspect)) is not None]
    total = sum(weight for _, weight in found)
    return sum(score * weight for score, weight in found) / total if total else None
