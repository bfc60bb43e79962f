"""Runs side by side: what they share, their curves, the steps to a level, their win rates. Reads only.

Totals are compared only where the reward is the same, down to the versions of its scorers and the identities
of its judges. Otherwise the raw scores of the terms that are the same in all runs are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from salon.errors import RecipeError, StoreError
from salon.intervals import Interval, bootstrap_mean
from salon.registry import did_you_mean
from salon.report.facts import Curve, real
from salon.rewards.recipe import load_reward
from salon.store.record import recipe_hash, terms_of
from salon.store.runs import Run

from .levels import Measured, Reach, reach
from .levels import measured as measured_in

REWARD = "reward"
MOST_RUNS = 6


@dataclass(frozen=True, slots=True)
class Side:
    """One run of a comparison. reward: its reward recipe with every default filled in; None without
    one."""

    name: str
    run: Run
    rollouts: pl.DataFrame
    metrics: pl.DataFrame
    reward: Mapping[str, Any] | None
    evaluations: Mapping[str, Mapping[str, Any]]

    @property
    def reward_sha256(self) -> str | None:
        """The hash of its reward."""
        return recipe_hash(self.reward) if self.reward is not None else None

    @property
    def seconds(self) -> float | None:
        """Seconds of all steps together."""
        if "seconds_step" not in self.metrics.columns:
            return None
        return float(sum(self.metrics["seconds_step"].drop_nulls().to_list()))

    def identity(self, part: str) -> str:
        """What the manifest says of a scorer or a judge; nothing when it says nothing."""
        return str((self.run.manifest.get("judges") or {}).get(part, ""))

    def made_with(self) -> dict[str, Any]:
        """Its recipe, the reward with every default (two versions of salon write them differently), and what
        the manifest says of policy, medium, scorers and judges.
        """
        kept = ("policy", "medium", "judges")
        beside = {f"manifest {key}": self.run.manifest[key] for key in kept if key in self.run.manifest}
        return {**self.run.manifest["recipe"], **({"reward": self.reward} if self.reward else {}), **beside}

    def weight(self, term: str) -> float:
        """How much a reward term weighs, at most, over the steps; 0 of a gate, a monitor or a stranger."""
        spec = (self.reward or {}).get("terms", {}).get(term, {})
        weight = spec.get("weight", 0.0)
        sizes = [abs(each) for each in weight.values()] if isinstance(weight, Mapping) else [abs(weight)]
        return max(sizes) if spec.get("role") == "reward" else 0.0


@dataclass(frozen=True, slots=True)
class Level:
    """A level of one number, and when each run reached it. of: where the level comes from, in words."""

    name: str
    value: float
    of: str
    reached: tuple[Reach | None, ...]


@dataclass(frozen=True, slots=True)
class WinRate:
    """One evaluation of one run. against: its difference to the first run that has the same pairs."""

    side: int
    name: str
    summary: Mapping[str, Any]
    difference: float | None = None
    between: Interval | None = None
    pairs: int = 0
    against: int | None = None


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Runs side by side.

    measured: per number (the reward where it can be compared, else the shared terms' raw scores) each run's
    values, None where it has none. curves: other numbers over steps. unlike: why totals are not compared, in
    words; empty when they are. apart: terms of the same name that are not the same thing, with the reason.
    """

    sides: tuple[Side, ...]
    measured: Mapping[str, tuple[Measured | None, ...]]
    curves: Mapping[str, tuple[Curve | None, ...]]
    levels: tuple[Level, ...]
    win_rates: tuple[WinRate, ...]
    unlike: tuple[str, ...] = ()
    apart: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())

    @property
    def same_reward(self) -> bool:
        """Whether totals can be compared."""
        return not self.unlike

    @property
    def terms(self) -> list[str]:
        """The shared terms."""
        return [name for name in self.measured if name != REWARD]

    @property
    def main(self) -> str | None:
        """The number that tells most: the reward where it can be compared, else the heaviest shared term."""
        return next(iter(_by_weight(self.sides[0], self.measured)), None)

    @property
    def rendered_alike(self) -> bool:
        """Whether all pictures come from the same versions of the medium."""
        return len({str(side.run.manifest.get("medium")) for side in self.sides}) == 1


def compare(paths: Sequence[str | Path], levels: Sequence[str] = ()) -> RunComparison:
    """Put runs side by side; the first one sets the level that the others are to reach.

    Args:
        paths: two to six runs' folders.
        levels: further levels: "0.6" of the reward, "taste=0.6" of a shared term's raw score.

    Raises:
        RecipeError: a level cannot be read, or is one of a number that cannot be compared.
        StoreError: fewer than two runs, more than six, one twice, or one without rollouts.
    """
    sides = _sides(paths)
    unlike = _unlike(sides)
    shared, apart = _shared(sides)
    measured = {name: tuple(measured_in(side.rollouts, f"{name}.raw") for side in sides) for name in shared}
    if not unlike:
        measured = {REWARD: tuple(measured_in(side.rollouts, "total") for side in sides), **measured}
    curves = {
        name: found
        for name in ("rendered_share", "win_rate")
        if any(found := tuple(_metric(side, name) for side in sides))
    }
    return RunComparison(
        sides,
        measured,
        curves,
        tuple(_levels(sides, measured, levels, unlike)),
        tuple(_win_rates(sides)),
        tuple(unlike),
        apart,
    )


# ---- what can be compared --------------------------------------------------------------------------------


def _sides(paths: Sequence[str | Path]) -> tuple[Side, ...]:
    if not 2 <= len(paths) <= MOST_RUNS:
        raise StoreError(f"compare takes two to {MOST_RUNS} runs, not {len(paths)}")
    places = [Path(path).resolve() for path in paths]
    twice = next((place for place in places if places.count(place) > 1), None)
    if twice is not None:
        raise StoreError(f"{twice} stands twice: name each run once")
    names = [place.name for place in places]
    full = ["/".join(place.parts[-2:]) if names.count(place.name) > 1 else place.name for place in places]
    full = [name if full.count(name) == 1 else f"{name} ({at + 1})" for at, name in enumerate(full)]
    return tuple(_side(name, Run.open(path)) for name, path in zip(full, paths, strict=True))


def _side(name: str, run: Run) -> Side:
    if not run.steps():
        raise StoreError(f"{run.path} has no rollouts yet: wait for its first step")
    reward = run.manifest["recipe"].get("reward")
    resolved = (
        _resolved({str(key): each for key, each in reward.items()}) if isinstance(reward, Mapping) else None
    )
    told = {key: each for key, each in run.evaluations().items() if real(each.get("win_rate")) is not None}
    return Side(name, run, run.rollouts(), run.metrics(), resolved, told)


def _resolved(reward: Mapping[str, Any]) -> Mapping[str, Any]:
    """A reward with its defaults; as it is written where this version of salon cannot read it."""
    try:
        return load_reward(reward).model_dump(mode="json")
    except RecipeError:
        return reward


def _unlike(sides: Sequence[Side]) -> list[str]:
    """Why the totals of these runs do not mean the same; nothing when they do."""
    first, found = sides[0], list[str]()
    for other in sides[1:]:
        if first.reward is None or other.reward is None:
            found.append(f"{(first if first.reward is None else other).name} has no reward in its manifest")
        elif first.reward_sha256 != other.reward_sha256:
            found.append(f"{other.name} has another reward than {first.name}")
        else:
            changed = [part for part in _parts(first) if first.identity(part) != other.identity(part)]
            unknown = [told for part in changed if (told := _unknown(first, other, part))]
            known = [part for part in changed if not _unknown(first, other, part)]
            found += [f"{other.name} was scored by another {' and another '.join(known)}"] if known else []
            found += unknown
    return found


def _unknown(a: Side, b: Side, part: str) -> str:
    """Which of the two does not say what a part was; empty where both do."""
    side = next((side for side in (a, b) if not side.identity(part)), None)
    return f"{side.name} does not say which {part} it had (manifest.json: judges)" if side else ""


def _parts(side: Side) -> list[str]:
    terms: Mapping[str, Mapping[str, Any]] = (side.reward or {}).get("terms", {})
    judges = {str(term["judge"]) for term in terms.values() if term.get("judge")}
    return [f"scorer {name}" for name in terms] + [f"judge {name}" for name in sorted(judges)]


def _shared(sides: Sequence[Side]) -> tuple[list[str], dict[str, str]]:
    """The terms that are the same thing in all runs; and those of one name that are not, with the reason."""
    in_all = [
        name
        for name in terms_of(sides[0].rollouts.columns)
        if all(name in terms_of(side.rollouts.columns) for side in sides)
    ]
    shared, apart = list[str](), dict[str, str]()
    for name in in_all:
        why = next((why for side in sides[1:] if (why := _differs(sides[0], side, name))), None)
        if why is None:
            shared.append(name)
        else:
            apart[name] = why
    return shared, apart


def _differs(a: Side, b: Side, name: str) -> str | None:
    one, other = _spec(a, name), _spec(b, name)
    for key in ("scorer", "args", "judge"):
        if one.get(key) != other.get(key):
            return f"{b.name} has another {key}"
    judge = (a.reward or {}).get("terms", {}).get(name, {}).get("judge")
    for part in [f"scorer {name}"] + ([f"judge {judge}"] if judge else []):
        if a.identity(part) != b.identity(part):
            return _unknown(a, b, part) or f"{b.name} had another {part}: {b.identity(part)}"
    return None


def _spec(side: Side, name: str) -> dict[str, Any]:
    """What decides a term's raw score."""
    reward: Mapping[str, Any] = side.reward or {}
    term = reward.get("terms", {}).get(name, {})
    judge = term.get("judge")
    return {
        "scorer": term.get("scorer"),
        "args": term.get("args"),
        "judge": reward.get("judges", {}).get(judge) if judge else None,
    }


def _by_weight(first: Side, measured: Mapping[str, Any]) -> list[str]:
    """The reward alone, where it can be compared; else the terms that the first run weighs, heaviest first,
    and where it weighs none all that are shared.
    """
    if REWARD in measured:
        return [REWARD]
    weighed = [name for name in measured if first.weight(name) > 0]
    return sorted(weighed or measured, key=lambda name: -first.weight(name))


# ---- curves and levels -----------------------------------------------------------------------------------


def _metric(side: Side, name: str) -> Curve | None:
    if name not in side.metrics.columns or side.metrics[name].null_count() == side.metrics.height:
        return None
    return Curve(name, side.metrics["step"].to_list(), side.metrics[name].to_list())


def _levels(
    sides: Sequence[Side],
    measured: Mapping[str, tuple[Measured | None, ...]],
    wanted: Sequence[str],
    unlike: Sequence[str],
) -> list[Level]:
    """The first run's best, of the reward or (where it cannot be compared) of each weighed term; and what is
    asked for.
    """
    best = _by_weight(sides[0], measured)
    asked = [
        (name, first.best, f"the best of {sides[0].name}") for name in best if (first := measured[name][0])
    ]
    asked += [(*_parsed(text, measured, unlike), "--level") for text in wanted]
    return [
        Level(name, value, of, tuple(reach(each, value) if each else None for each in measured[name]))
        for name, value, of in asked
    ]


def _parsed(text: str, measured: Mapping[str, Any], unlike: Sequence[str]) -> tuple[str, float]:
    name, equals, number = text.rpartition("=")
    name = name.strip() if equals else REWARD
    try:
        value = float(number)
    except ValueError as error:
        raise RecipeError(f"--level {text!r}: {number!r} is not a number. Write 0.6 or taste=0.6.") from error
    if not np.isfinite(value):
        raise RecipeError(f"--level {text!r}: a level is finite. Write 0.6 or taste=0.6.")
    if name not in measured:
        why = f" {unlike[0]}." if name == REWARD and unlike else ""
        raise RecipeError(
            f"--level {text!r}: {name!r} cannot be compared in these runs.{why}{did_you_mean(name, measured)}"
        )
    return name, value


# ---- win rates -------------------------------------------------------------------------------------------


def _win_rates(sides: Sequence[Side]) -> list[WinRate]:
    """All evaluations, by name and then by run, each against the first run that judged the same pairs."""
    names = list(dict.fromkeys(name for side in sides for name in side.evaluations))
    found: list[WinRate] = []
    for name in names:
        having = [at for at, side in enumerate(sides) if name in side.evaluations]
        for at in having:
            summary = sides[at].evaluations[name]
            paired = _paired(sides[having[0]], sides[at], name) if at != having[0] else []
            found.append(_win_rate(at, name, summary, paired, having[0]))
    return found


def _win_rate(
    side: int, name: str, summary: Mapping[str, Any], paired: Sequence[tuple[str, float]], first: int
) -> WinRate:
    if not paired:
        return WinRate(side, name, summary)
    differences = [difference for _, difference in paired]
    halves = bootstrap_mean([(each + 1) / 2 for each in differences], [prompt for prompt, _ in paired])
    between = (2 * halves[0] - 1, 2 * halves[1] - 1) if halves and len(set(differences)) > 1 else None
    mean = sum(differences) / len(differences)
    return WinRate(side, name, summary, mean, between, len(differences), first)


def _paired(first: Side, other: Side, name: str) -> list[tuple[str, float]]:
    """Per prompt and seed that both have: the other's outcome minus the first one's. Nothing where the judge
    differs, and no pair whose base has another picture, since then a win means something else.
    """
    one, two = first.evaluations[name], other.evaluations[name]
    if one.get("judge_identity") != two.get("judge_identity"):
        return []
    frames = [side.run.evaluation_rows(name) for side in (first, other)]
    keys = ["prompt_id", "prompt", "seed", "base_reply", "base_picture"]
    if not all({*keys, "outcome"} <= set(frame.columns) for frame in frames):
        return []
    a, b = (frame.select(*keys, "outcome").drop_nulls("outcome").unique(keys) for frame in frames)
    both = a.join(b, on=keys, suffix="_other", nulls_equal=True).sort("prompt_id", "seed")
    return list(zip(both["prompt_id"], both["outcome_other"] - both["outcome"], strict=True))
