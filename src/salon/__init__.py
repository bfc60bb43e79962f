"""salon: reward engineering for models that make pictures.

What stands in `salon.__all__` is the public surface, and is imported when it is first used:

    import salon

    for each in salon.score("paint", "a peach rose", [sketch, picture]):
        print(each.total, each.failure, [(term.term, term.raw, term.reason) for term in each.terms])

Everything else, modules included, is private by convention: it may be renamed or go away in any version.
Parts of your own need no more than these names: write a class that implements a protocol, such as
`salon.Scorer`, and name it in a recipe by its `module:attribute` path.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from salon.api import diagnose, evaluate, open_pool, open_run, render, rescore, score, train
    from salon.diagnosis import Diagnosis, Finding
    from salon.errors import BudgetSpent, RecipeError, SalonError, SetupError, StageError, StoreError
    from salon.media import open_medium
    from salon.pool import Pool
    from salon.registry import allow
    from salon.rescoring import Rescored
    from salon.rewards.advantage import with_advantages
    from salon.rewards.compose import compose
    from salon.rewards.engine import RewardEngine
    from salon.rewards.judging.naming import open_judge
    from salon.rewards.recipe import RewardRecipe, load_reward
    from salon.rewards.scoring.scored import Scored
    from salon.store.runs import Run
    from salon.types import (
        Answer,
        Classifier,
        Critic,
        Critique,
        Examiner,
        Failure,
        Group,
        GroupScorer,
        Judge,
        Medium,
        Picture,
        Prompt,
        Rater,
        Reference,
        Rendering,
        Reward,
        Sample,
        Score,
        Scorer,
        TermValue,
        Verdict,
    )

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "BudgetSpent",
    "Classifier",
    "Critic",
    "Critique",
    "Diagnosis",
    "Examiner",
    "Failure",
    "Finding",
    "Group",
    "GroupScorer",
    "Judge",
    "Medium",
    "Picture",
    "Pool",
    "Prompt",
    "Rater",
    "RecipeError",
    "Reference",
    "Rendering",
    "Rescored",
    "Reward",
    "RewardEngine",
    "RewardRecipe",
    "Run",
    "SalonError",
    "Sample",
    "Score",
    "Scored",
    "Scorer",
    "SetupError",
    "StageError",
    "StoreError",
    "TermValue",
    "Verdict",
    "allow",
    "compose",
    "diagnose",
    "evaluate",
    "load_reward",
    "open_judge",
    "open_medium",
    "open_pool",
    "open_run",
    "render",
    "rescore",
    "score",
    "train",
    "with_advantages",
]

_ELSEWHERE = {
    "Diagnosis": "salon.diagnosis",
    "Finding": "salon.diagnosis",
    "Pool": "salon.pool",
    "Rescored": "salon.rescoring",
    "RewardEngine": "salon.rewards.engine",
    "RewardRecipe": "salon.rewards.recipe",
    "Run": "salon.store.runs",
    "Scored": "salon.rewards.scoring.scored",
    **dict.fromkeys(
        ("BudgetSpent", "RecipeError", "SalonError", "SetupError", "StageError", "StoreError"), "salon.errors"
    ),
    "allow": "salon.registry",
    "compose": "salon.rewards.compose",
    "load_reward": "salon.rewards.recipe",
    "open_judge": "salon.rewards.judging.naming",
    "open_medium": "salon.media",
    "with_advantages": "salon.rewards.advantage",
    **dict.fromkeys(
        ("diagnose", "evaluate", "open_pool", "open_run", "render", "rescore", "score", "train"), "salon.api"
    ),
}
"""Where a public name is defined; in salon.types, if nothing is said."""

if not TYPE_CHECKING:
    # Hidden from type checkers, who would take any name for a public one.

    def __getattr__(name: str) -> Any:
        from importlib import import_module

        if name not in __all__:
            raise AttributeError(f"module 'salon' has no attribute {name!r}")
        found = getattr(import_module(_ELSEWHERE.get(name, "salon.types")), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
