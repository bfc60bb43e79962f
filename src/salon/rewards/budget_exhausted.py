"""What a spent budget means for a reward: a term that decides and whose judge may ask no more has no scores
from then on, so that whoever goes on pays for samples and pictures that nobody learns from.
"""

from collections.abc import Mapping, Sequence

from salon.llm.limits import BUDGET_SPENT
from salon.llm.usage import Usage
from salon.types import Score

from .recipe import RewardRecipe


def spent_terms(recipe: RewardRecipe, scores: Mapping[str, Sequence[Score]], step: int = 0) -> dict[str, str]:
    """The terms that decide at a step and lost a score to a spent budget, and what was said of it, once for
    each judge.
    """
    found: dict[str, str] = {}
    for name, term in recipe.terms.items():
        if term.role not in ("gate", "veto") and not term.weight_at(step):
            continue
        failures = (score.failure for score in scores.get(name, ()) if score.failure)
        lost = next((failure for failure in failures if failure.code == BUDGET_SPENT), None)
        if lost is not None:
            where = f"reward.judges.{term.judge}" if term.judge else f"reward.terms.{name}.args"
            found.setdefault(where, f"{where}: {lost.message}")
    return found


def told(usage: Usage) -> str:
    """What was spent, in words: `132 calls, 45,200 tokens, $0.12`."""
    tokens = usage.tokens_in + usage.tokens_out
    parts = [f"{usage.calls:,.0f} calls"]
    parts += [f"{tokens:,.0f} tokens"] if tokens else []
    return ", ".join([*parts, *([f"${usage.usd:.2f}"] if usage.usd else [])])
