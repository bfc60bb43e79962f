"""Auto-Rubric as Reward: criteria from preferences, each verified before it counts.

For every pair: generate criteria that explain the label → verify them → refine them with the critique, at
most `t_max` times → discard what still fails. What was verified is merged into one hierarchical rubric
(structure.py).

Every step is a line of a journal, so that a run goes on after a kill without asking anything twice.
Nobody's outage
is ever a failed verification: the pair stays open, and the next run takes it up.

Source: "Auto-Rubric as Reward", arXiv 2605.08354. What differs here stands in docs/rubrics.md.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool

from salon.errors import RecipeError, StageError, boundary
from salon.judges.inputs_read import CANNOT_READ
from salon.judges.measuring.labelled_pairs import LabelledPair, asked_of, load_pair
from salon.rubrics.asking import Author, Message, Unusable, written
from salon.rubrics.journal import REMEDY, Journal, Number, Step
from salon.rubrics.replies import read_form
from salon.types import Failure

from .briefs import ask_again, ask_criteria
from .verify import Verifier
from .wording import complaints

State = Literal["verified", "discarded", "open"]


@dataclass(frozen=True, slots=True)
class Plan:
    """How rubrics are made.

    t_max: refinements at most; a pair is verified at most t_max + 1 times.
    criteria: how many are asked for per pair.
    check_wording: criteria that speak of a second picture fail a round without a call.
    concurrency: pairs at once.
    patience: so many outages without a settled pair between them end the run.
    """

    t_max: int = 5
    criteria: int = 5
    check_wording: bool = True
    concurrency: int = 4
    patience: int = 5
    guides: tuple[Message, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Round:
    """One attempt: the criteria (none where the reply could not be read) and what became of them.

    `asked` says whether a verifier looked; `forward` and `reverse` are its verdicts, see Check.
    """

    criteria: tuple[str, ...]
    passed: bool | None = None
    critique: str = ""
    asked: bool = False
    forward: float | None = None
    reverse: float | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one pair. `outages` counts how often nobody answered; `outage` is the last one."""

    pair: str
    rounds: tuple[Round, ...] = ()
    outages: int = 0
    outage: Failure | None = None

    def state(self, t_max: int) -> State:
        """verified, discarded after t_max refinements, or still open."""
        if self.rounds and self.rounds[-1].passed:
            return "verified"
        failed = len(self.rounds) > t_max and self.rounds[-1].passed is False
        return "discarded" if failed else "open"

    @property
    def criteria(self) -> tuple[str, ...]:
        """The last criteria that were written."""
        return self.rounds[-1].criteria if self.rounds else ()


class WrittenStep(Step):
    """Criteria, or why the author's reply has none."""

    pair: str
    criteria: list[str]
    unreadable: str | None = None


class CheckedStep(Step):
    """What a verifier, or the check of the wording, found."""

    pair: str
    passed: StrictBool
    critique: str
    asked: StrictBool
    forward: Number | None = None
    reverse: Number | None = None


class OutageStep(Step):
    """Nobody answered."""

    pair: str
    code: str
    message: str


STEPS: Mapping[str, type[Step]] = {"written": WrittenStep, "checked": CheckedStep, "outage": OutageStep}


class _Written(BaseModel):
    model_config = ConfigDict(extra="ignore")
    criteria: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=2000, pattern=r"\S")]],
        Field(min_length=1, max_length=40),
    ]


def replay(pair: str, steps: Sequence[dict[str, Any]]) -> Trial:
    """The trial as its steps left it."""
    rounds: list[Round] = []
    outages: list[Failure] = []
    for step in steps:
        if step["step"] == "written":
            unreadable = step.get("unreadable")
            rounds.append(Round(tuple(step["criteria"]), False if unreadable else None, unreadable or ""))
        elif step["step"] == "checked":
            last = rounds.pop()
            rounds.append(
                Round(
                    last.criteria,
                    step["passed"],
                    step["critique"],
                    step["asked"],
                    step.get("forward"),
                    step.get("reverse"),
                )
            )
        elif step["step"] == "outage":
            outages.append(Failure(step["code"], step["message"], "system", "judge"))
    return Trial(pair, tuple(rounds), len(outages), outages[-1] if outages else None)


def past_of(journal: Journal, pairs: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """The steps that are known of each pair. Raises RecipeError where one was checked and not written."""
    past: dict[str, list[dict[str, Any]]] = {pair: [] for pair in pairs}
    for step in journal.steps:
        if step.get("pair") in past:
            past[step["pair"]].append(step)
    for pair, steps in past.items():
        if next((step["step"] for step in steps if step["step"] in ("written", "checked")), "") == "checked":
            raise RecipeError(f"{journal.path}: pair {pair} was checked before it was written. {REMEDY}")
    return past


class Generation:
    """Makes and verifies criteria for pairs, through a journal.

    Args:
        author: who writes. verifier: who checks. journal: open for writing.
        tell: called after each step with the trials that are settled and all of them.
    """

    def __init__(
        self,
        author: Author,
        verifier: Verifier,
        journal: Journal,
        plan: Plan,
        tell: Callable[[int, int], None] = lambda done, of: None,
    ) -> None:
        self._author, self._verifier, self._journal, self._plan, self._tell = (
            author,
            verifier,
            journal,
            plan,
            tell,
        )
        self._lock = threading.Lock()
        self._in_a_row = 0
        self._done = 0
        self._stopped = False

    def run(self, pairs: Sequence[LabelledPair]) -> list[Trial]:
        """One trial per pair, in order. Open ones were met by an outage."""
        past = past_of(self._journal, [pair.id for pair in pairs])
        with ThreadPoolExecutor(self._plan.concurrency, thread_name_prefix="rubric") as threads:
            try:
                return list(threads.map(lambda pair: self._settle(pair, past[pair.id], len(pairs)), pairs))
            except BaseException:
                # Without it, leaving the pool would first work through every pair that still waits.
                self._stopped = True
                raise

    def _settle(self, pair: LabelledPair, steps: list[dict[str, Any]], of: int) -> Trial:
        """Go on with a trial until it is verified or discarded, or nobody answers."""
        trial = replay(pair.id, steps)
        while trial.state(self._plan.t_max) == "open":
            if self._stopped or self._in_a_row >= self._plan.patience:
                return trial
            with boundary("judge") as caught:
                step = self._step(pair, trial)
            if caught.failure:
                step = self._outage(trial, caught.failure)
            self._journal.append({"pair": pair.id, **step})
            steps.append(step)
            trial = replay(pair.id, steps)
            if caught.failure:
                return trial
        with self._lock:
            self._in_a_row = 0
            self._done += 1
        self._tell(self._done, of)
        return trial

    def _step(self, pair: LabelledPair, trial: Trial) -> dict[str, Any]:
        """The next step of an open trial: write criteria, or check those that were written."""
        if not trial.rounds or trial.rounds[-1].passed is False:
            return self._write(pair, trial)
        criteria = trial.criteria
        if self._plan.check_wording and (faults := complaints(criteria)):
            return _checked(False, "; ".join(faults), asked=False)
        try:
            check = self._verifier.verify(pair, criteria)
        except StageError as error:
            if error.failure.code != CANNOT_READ:
                raise
            # A judge that says which words it cannot read is no outage: the author puts them right.
            return _checked(False, error.failure.message, asked=True)
        chances = {"forward": check.forward, "reverse": check.reverse}
        return _checked(check.passed, check.critique, asked=True) | chances

    def _write(self, pair: LabelledPair, trial: Trial) -> dict[str, Any]:
        winner, loser = load_pair(pair)
        messages = ask_criteria(asked_of(pair), winner, loser, self._plan.criteria, self._plan.guides)
        if trial.rounds:
            messages += ask_again(trial.criteria, trial.rounds[-1].critique)
        try:
            found = written(self._author, messages, lambda reply: read_form(reply, _Written))
            criteria = [" ".join(each.split()) for each in found.criteria]
        except Unusable as error:
            # What cannot be read is the author's mistake, to be put right like any other: it costs a round.
            return {
                "step": "written",
                "round": len(trial.rounds),
                "criteria": [],
                "unreadable": error.failure.message,
            }
        return {"step": "written", "round": len(trial.rounds), "criteria": criteria}

    def _outage(self, trial: Trial, failure: Failure) -> dict[str, Any]:
        if failure.code != "unreadable_picture":
            with self._lock:
                self._in_a_row += 1
        return {
            "step": "outage",
            "round": len(trial.rounds),
            "code": failure.code,
            "message": failure.message,
        }


def _checked(passed: bool, critique: str, asked: bool) -> dict[str, Any]:
    return {"step": "checked", "passed": passed, "critique": critique, "asked": asked}
