"""What a diagnosis consists of: findings, each with the numbers that it stands on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Level = Literal["problem", "notice", "fine"]
Kind = Literal[
    "redundant",
    "saturated",
    "compressed",
    "dominance",
    "dead_groups",
    "missing",
    "phantom_zeros",
    "repeated",
    "hacking",
    "exploited",
    "bias",
    "diversity",
    "position",
    "agreement",
]
Act = Literal["more", "less", "keep", "drop", "gate", "pairwise", "standardize"]
"""What a remedy tells to do with a term: give it more weight, less; keep it; drop it; make it a gate; ask it
pairwise; standardise it."""
LEVELS: tuple[Level, ...] = ("problem", "notice", "fine")


@dataclass(frozen=True, slots=True)
class Number:
    """An estimate with its 95 % interval, where there is one, and the count it rests on."""

    value: float
    low: float | None = None
    high: float | None = None
    count: int = 0

    def as_json(self) -> dict[str, Any]:
        """Plain values; an interval that is not there, or has no width, is null."""
        if self.is_exact:
            return {"value": self.value, "low": None, "high": None, "count": self.count}
        return {"value": self.value, "low": self.low, "high": self.high, "count": self.count}

    @property
    def is_exact(self) -> bool:
        """Whether its interval has no width: what follows from the numbers alone, and is no estimate."""
        return self.low is not None and self.high is not None and self.high - self.low < 1e-9


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check says.

    title: a headline of a few words. wrong: one sentence, with numbers. remedy: what to do; empty where all
    is fine. urgency: orders findings of one level, 0 … 1: the share of the reward (or of the rows) that is
    affected. advice: what the remedy tells to do, with which term.
    """

    kind: Kind
    level: Level
    title: str
    wrong: str
    remedy: str = ""
    terms: tuple[str, ...] = ()
    numbers: Mapping[str, Number] = field(default_factory=lambda: dict[str, Number]())
    urgency: float = 0.0
    advice: tuple[tuple[Act, str], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`."""
        return {
            "kind": self.kind,
            "level": self.level,
            "title": self.title,
            "wrong": self.wrong,
            "remedy": self.remedy,
            "terms": list(self.terms),
            "advice": [list(pair) for pair in self.advice],
            "numbers": {name: number.as_json() for name, number in self.numbers.items()},
        }


@dataclass(frozen=True, slots=True)
class Unchecked:
    """A check that could not be made, and what it would need."""

    kind: Kind
    needs: str


def worst_first(findings: list[Finding]) -> list[Finding]:
    """Problems, then notices, then what is fine; the most urgent first among equals."""
    return sorted(findings, key=lambda finding: (LEVELS.index(finding.level), -finding.urgency))
