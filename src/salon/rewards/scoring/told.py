"""What `salon score` says in the end: how many have a reward, why others have none, which are the best."""

from collections import Counter
from collections.abc import Sequence

from salon.markup import printable
from salon.rewards.recipe import RewardRecipe, Term

from .about import meta_of
from .work import Scored

BEST = 5
NAMED = 3
"""Files that are named of those that failed in one way."""


def summary(found: Sequence[Scored], recipe: RewardRecipe) -> list[str]:
    """How many have a reward and why others have none, the terms that applied to nothing, and the best."""
    rewarded = [each for each in found if each.reward.total is not None]
    groups = len({each.group for each in found})
    many = f"{len(found)} sample{'s' * (len(found) != 1)} in {groups} group{'s' * (groups != 1)}"
    lines = [f"{many}: {len(rewarded)} with a reward"]
    return [*lines, *_failed(found), *_missing(found), *_idle(found, recipe), *_best(rewarded)]


def _failed(found: Sequence[Scored]) -> list[str]:
    names: dict[str, list[str]] = {}
    for each in found:
        if each.sample.failure:
            names.setdefault(each.sample.failure.code, []).append(printable(each.sample.id, 100))
    return [
        f"failed: {len(ids)} × {code}: {', '.join(ids[:NAMED])}{' …' * (len(ids) > NAMED)}"
        for code, ids in sorted(names.items(), key=lambda item: -len(item[1]))
    ]


def _missing(found: Sequence[Scored]) -> list[str]:
    """Each term that nobody answered, with how often, and the first cause."""
    causes: dict[str, list[str]] = {}
    for each in found:
        for value in each.reward.terms:
            if value.status == "missing":
                causes.setdefault(value.term, []).append(value.reason)
    return [
        f"missing: {term} of {len(told)} samples: {printable(Counter(told).most_common(1)[0][0], 300)}"
        for term, told in sorted(causes.items(), key=lambda item: -len(item[1]))
    ]


def _idle(found: Sequence[Scored], recipe: RewardRecipe) -> list[str]:
    """Each term that applied to no sample, and what would let it apply."""
    lines: list[str] = []
    for name, term in recipe.terms.items():
        values = [value for each in found for value in each.reward.terms if value.term == name]
        why = Counter(value.reason for value in values if value.status == "not_applicable").most_common(1)
        if why and not any(value.raw is not None or value.status == "missing" for value in values):
            reason = why[0][0].removeprefix("not_applicable: ")
            lines.append(f"not scored: {name} applied to no sample ({reason}){_remedy(term)}")
    return lines


def _remedy(term: Term) -> str:
    keys = sorted(meta_of(term))
    named = " ".join(f"--meta {key}=…" for key in keys)
    columns = f"{'columns' if len(keys) > 1 else 'a column'} {', '.join(f'meta.{key}' for key in keys)}"
    return f": add {named}, or {columns}" if keys else ""


def _best(rewarded: Sequence[Scored]) -> list[str]:
    """The best of the one group, or the best of each: totals of different prompts are no race."""
    ordered = sorted(rewarded, key=lambda each: -(each.reward.total or 0.0))
    groups = list(dict.fromkeys(each.group for each in rewarded))
    if len(groups) == 1:
        return [f"the best of {len(ordered)}, by total:", *(_line(each) for each in ordered[:BEST])]
    first = {each.group: each for each in reversed(ordered)}
    shown = [f"{_line(first[group])}  {printable(first[group].sample.prompt.text, 60)}" for group in groups]
    heading = [f"the best of each group, by total{f', the first {BEST} groups' * (len(groups) > BEST)}:"]
    return [*heading, *shown[:BEST]] if groups else []


def _line(each: Scored) -> str:
    return f"{each.reward.total:8.4f}  {printable(each.sample.id, 100)}"
