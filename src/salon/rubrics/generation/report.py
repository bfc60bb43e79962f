"""What came of generating a rubric: how many pairs passed in which round, what was discarded and why, the
rubric as a tree, and what it does to the judge.
"""

from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from salon.intervals import Interval
from salon.judges.measuring.accuracy import Measurement, PairResult, bootstrap_difference, measure, of_prompt
from salon.markup import plain_markdown
from salon.rubrics.rubric import Rubric
from salon.types import Failure

from .arr import Trial
from .control import ArmRate, CriteriaAblation


@dataclass(frozen=True, slots=True)
class RoundCount:
    """Pairs whose criteria were checked in a round, and how many passed."""

    round: int
    checked: int
    passed: int


@dataclass(frozen=True, slots=True)
class Effect:
    """A judge on held-out pairs without the rubric and with it, and the difference over pairs that both
    answered; and with the rubric and human exemplars, where there are such.
    """

    bare: Measurement
    guided: Measurement
    gain: float | None
    gain_interval: Interval | None
    shown: "Gained | None" = None


@dataclass(frozen=True, slots=True)
class Gained:
    """The judge with the rubric and guides, and what that gains over the bare judge."""

    found: Measurement
    gain: float | None
    gain_interval: Interval | None


@dataclass(frozen=True, slots=True)
class ControlReport:
    """Whether criteria move the judge. `rates`: its accuracy over all settled pairs by their own criteria, by
    none and by shuffled ones. `counting`: of the `verified` pairs, those whose criteria do better than both.
    `lost`: why some could not be controlled.
    """

    rates: tuple[ArmRate, ...]
    verified: int
    counting: int
    controls: tuple[CriteriaAblation, ...]
    lost: tuple[Failure, ...]

    def row(self) -> dict[str, Any]:
        """Everything as JSON takes it."""
        return {
            "accuracy": {each.arm: asdict(each) for each in self.rates},
            "verified": self.verified,
            "counting": self.counting,
            "pairs": [asdict(each) | {"counts": each.counts} for each in self.controls],
            "lost": [asdict(each) for each in self.lost],
        }

    def lines(self) -> list[str]:
        """For people."""
        names = {"own": "their own", "none": "none", "shuffled": "another pair's (shuffled)"}
        lines = ["| criteria | the judge is right | 95 % | pairs |", "|---|---|---|---|"]
        lines += [
            f"| {names[each.arm]} | {_rate(each.accuracy)} | {_span(each.interval)} | {each.count} |"
            for each in self.rates
        ]
        told = (
            f"{self.counting} of {self.verified} verified criteria count: by them the judge is surer of the"
        )
        told += " preferred picture than without them and by shuffled ones. The others are left out."
        if self.verified and not self.counting:
            told += " None moves the judge: it does not go by criteria, or is right without them."
        lost = f"{len(self.lost)} could not be controlled ({self.lost[0].code})" if self.lost else ""
        return [*lines, "", told, *([f"{lost}; the same command asks again."] if lost else [])]


@dataclass(frozen=True, slots=True)
class RubricReport:
    """Everything that the report says. `rubric` is None while pairs are open, or when none was verified or
    counts. `control` is None where there was none.
    """

    trials: tuple[Trial, ...]
    t_max: int
    rubric: Rubric | None
    effect: Effect | None
    identities: dict[str, str]
    control: ControlReport | None = None

    def of(self, state: str) -> list[Trial]:
        """The trials that are verified, discarded or open."""
        return [trial for trial in self.trials if trial.state(self.t_max) == state]

    def rounds(self) -> list[RoundCount]:
        """Per round, how many were checked and how many passed."""
        counts: list[RoundCount] = []
        for number in range(self.t_max + 1):
            found = [trial.rounds[number].passed for trial in self.trials if len(trial.rounds) > number]
            settled = [passed for passed in found if passed is not None]
            if settled:
                counts.append(RoundCount(number, len(settled), sum(settled)))
        return counts

    def row(self) -> dict[str, Any]:
        """Everything as JSON takes it."""
        return {
            "pairs": len(self.trials),
            **{state: len(self.of(state)) for state in ("verified", "discarded", "open")},
            "rounds": [asdict(count) for count in self.rounds()],
            "discards": [
                {"pair": trial.pair, "criteria": trial.criteria, "why": trial.rounds[-1].critique}
                for trial in self.of("discarded")
            ],
            "outages": sum(trial.outages for trial in self.trials),
            "rubric": self.rubric.identity if self.rubric else None,
            "control": self.control.row() if self.control else None,
            "held_out": self._effect_row(),
            **self.identities,
        }

    def _effect_row(self) -> dict[str, Any] | None:
        if self.effect is None:
            return None
        effect = self.effect
        return {
            "without": effect.bare.row(),
            "with": effect.guided.row(),
            "gain": effect.gain,
            "gain_interval": effect.gain_interval,
            "with_rubric_and_guides": _gained_row(effect.shown),
        }

    def markdown(self) -> str:
        """The report for people."""
        lines = ["# How the rubric was made", "", *self._summary(), ""]
        lines += ["| round | checked | passed | pass rate |", "|---|---|---|---|"]
        for count in self.rounds():
            lines.append(
                f"| {count.round} | {count.checked} | {count.passed} | {count.passed / count.checked:.0%} |"
            )
        not_made = "Not made: whether the judge reads the criteria at all is not known."
        lines += ["", "## Control", "", *(self.control.lines() if self.control else [not_made])]
        discarded = self.of("discarded")
        if discarded:
            lines += ["", "## Discarded", ""]
            lines += [
                f"- {plain_markdown(trial.pair)}: {plain_markdown(trial.rounds[-1].critique)}"
                for trial in discarded
            ]
        if still := self.of("open"):
            lines += ["", "## Open", "", "The same command goes on with these.", ""]
            lines += [
                f"- {plain_markdown(trial.pair)}: {plain_markdown(_why_open(trial))}" for trial in still
            ]
        if self.rubric:
            lines += ["", "## The rubric", "", self.rubric.markdown().replace("# ", "### ", 1).rstrip()]
        if self.effect:
            lines += ["", "## On held-out pairs", "", *effect_lines(self.effect)]
        return "\n".join(lines) + "\n"

    def _summary(self) -> list[str]:
        counts = {state: len(self.of(state)) for state in ("verified", "discarded", "open")}
        said = " · ".join(f"{count} {state}" for state, count in counts.items())
        return [
            f"{len(self.trials)} pairs: {said}",
            "",
            *(f"- {k}: {plain_markdown(v)}" for k, v in self.identities.items()),
        ]


def effect_of(
    bare: Sequence[PairResult],
    guided: Sequence[PairResult],
    seed: int = 0,
    shown: Sequence[PairResult] | None = None,
) -> Effect:
    """Compare two judges over the same pairs. The gain is in accuracy, over pairs that both answered in
    both orders. `shown`: the same pairs with the rubric and guides.
    """
    with_guides = None if shown is None else Gained(measure(shown, seed), *_gain(bare, shown, seed))
    return Effect(measure(bare, seed), measure(guided, seed), *_gain(bare, guided, seed), with_guides)


def _gain(
    bare: Sequence[PairResult], guided: Sequence[PairResult], seed: int
) -> tuple[float | None, Interval | None]:
    gains: list[float] = []
    prompts: list[Sequence[Hashable]] = []
    for before, after in zip(bare, guided, strict=True):
        (a, b), (c, d) = before.right, after.right
        if a is not None and b is not None and c is not None and d is not None:
            gains.append((c + d - a - b) / 2)
            prompts.append(of_prompt(before.pair))
    return sum(gains) / len(gains) if gains else None, bootstrap_difference(gains, prompts, seed)


def _gained_row(shown: Gained | None) -> dict[str, Any] | None:
    if shown is None:
        return None
    return shown.found.row() | {"gain": shown.gain, "gain_interval": shown.gain_interval}


def effect_lines(effect: Effect) -> list[str]:
    """A small table, and the gain."""
    rows = [("without", effect.bare), ("with", effect.guided)]
    rows += [("with rubric and guides", effect.shown.found)] if effect.shown else []
    lines = [
        "| rubric | winner first | winner second | accuracy | position gap Δ | ties | answered |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, found in rows:
        cells = [
            _rate(found.acc_first),
            _rate(found.acc_second),
            f"{_rate(found.accuracy)} {_span(found.accuracy_interval)}",
            f"{_rate(found.gap, signed=True)} {_span(found.gap_interval, signed=True)}",
            _rate(found.ties),
            f"{found.complete} of {found.pairs}",
        ]
        lines.append(f"| {name} | " + " | ".join(cell.strip() for cell in cells) + " |")
    told = f"Gain in accuracy: {_gain_text(effect.gain, effect.gain_interval)}"
    if effect.shown:
        told += f"; with guides too {_gain_text(effect.shown.gain, effect.shown.gain_interval)}"
    return [*lines, "", f"{told}. Intervals are 95 %."]


def _gain_text(gain: float | None, interval: Interval | None) -> str:
    return f"{_rate(gain, signed=True)} {_span(interval, signed=True)}".strip()


def _rate(value: float | None, signed: bool = False) -> str:
    return "–" if value is None else f"{value:+.3f}" if signed else f"{value:.3f}"


def _span(interval: Interval | None, signed: bool = False) -> str:
    return "" if interval is None else f"({_rate(interval[0], signed)} to {_rate(interval[1], signed)})"


def _why_open(trial: Trial) -> str:
    return f"{trial.outage.code}: {trial.outage.message}" if trial.outage else "not begun"
