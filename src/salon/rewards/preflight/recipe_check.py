"""A reward recipe looked at before anything is spent: what it says, resolved, and whether a known-good
picture beats a known-bad one.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from salon import validation
from salon.errors import RecipeError
from salon.files.shipped_recipes import find_beside, find_recipe
from salon.llm.usage import Account, on_account
from salon.pool.references import Pool
from salon.registry import look_in
from salon.rewards.engine import RewardEngine
from salon.rewards.recipe import KnownPictures, RewardRecipe, Term, load_reward

from .checks import Preflight, fake_judges, inspect_reward, known_pair, pool_of, summary
from .startup import FALLBACK_POOL, own_pair

if TYPE_CHECKING:
    from rich.console import Console

HEADINGS = ("term", "role", "scorer", "weight", "normalize", "on_missing")


def check_file(file: str, console: "Console", fakes: bool = False) -> bool:
    """Read a reward recipe (or the reward inside a run's), show what it says, and dry-run it; whether nothing
    is wrong.

    Raises:
        RecipeError, SetupError: it cannot be read, or a part of it cannot be built.
    """
    recipe = read_reward(file)
    show(recipe, console)
    with on_account(Account()) as account:
        found = dry_run(recipe, fakes)
    spent = account.total
    for line in [*summary(found), *(f"wrong: {problem}" for problem in found.problems)]:
        console.print(line, soft_wrap=True, highlight=False, markup=False)
    if spent.questions:
        told = (
            f"judges were asked {spent.questions:.0f} questions in {spent.calls:.0f} calls, none from memory"
        )
        console.print(told, soft_wrap=True, highlight=False, markup=False)
    return not found.problems


def read_reward(file: str) -> RewardRecipe:
    """A reward recipe, or the reward inside a run's. Raises RecipeError, naming the file that is meant."""
    found = find_recipe(file)
    written = validation.read_yaml(found)
    look_in(found.parent)
    reward = written.get("reward")
    if isinstance(reward, str):
        place = find_beside(found, reward)
        raise RecipeError(f"{file} is a run's recipe, and its reward stands in {place}. Check that file.")
    return load_reward({"reward": reward} if {"policy", "reward"} <= written.keys() else found)


def show(recipe: RewardRecipe, console: "Console") -> None:
    """The terms as a table, and what holds for all of them."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in HEADINGS:
        table.add_column(heading, overflow="fold", no_wrap=heading == "term")
    for row in rows_of(recipe):
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)
    for line in facts_of(recipe):
        console.print(line, soft_wrap=True, highlight=False, markup=False)


def rows_of(recipe: RewardRecipe) -> list[tuple[str, ...]]:
    """One row per term, as resolved, under HEADINGS."""
    return [
        (
            name,
            f"vetoes {term.vetoes}" if term.vetoes else term.role,
            f"{term.scorer} ({term.judge})" if term.judge else term.scorer,
            _weight(term.weight) if term.role in ("reward", "gate") else "–",
            _normalize(recipe, name, term),
            term.on_missing,
        )
        for name, term in recipe.terms.items()
    ]


def facts_of(recipe: RewardRecipe) -> list[str]:
    """What holds for the whole of a recipe, one line each."""
    floors = {step: recipe.floor_at(step) for step in recipe.knots()}
    told = ", ".join(f"{floor:g} at step {step}" for step, floor in floors.items())
    advantage = recipe.advantage.model_dump() if recipe.advantage else {}
    how = " ".join(f"{key}={value}" for key, value in advantage.items()).removeprefix("kind=")
    return [
        *(f"{name}: only when {term.when}" for name, term in recipe.terms.items() if term.when),
        f"floor: {told if len(floors) > 1 else f'{recipe.floor_at():g}'}",
        f"advantage: {how or 'grpo, with train.scale_rewards of the run'}",
        *(f"judge {name}: {spec.kind}" for name, spec in recipe.judges.items()),
        *(f"classifier {name}: {spec.kind}" for name, spec in recipe.classifiers.items()),
        *([] if recipe.check is True else [f"start-up check: {_check(recipe.check)}"]),
        f"digest: {recipe.digest}",
    ]


def dry_run(recipe: RewardRecipe, fakes: bool = False, pool: str = FALLBACK_POOL) -> Preflight:
    """Score the pictures that the recipe's `check` names, else a loved picture and blank paper: of its own
    pool, else of `pool`.

    Args:
        fakes: ask fake judges instead of the recipe's own, and put none of them to the test.

    Raises:
        RecipeError, SetupError: a part cannot be built; names the term and the key.
    """
    engine = RewardEngine(recipe, judges=fake_judges(recipe) if fakes else None)
    pair = own_pair(engine) or known_pair(engine, pool_of(engine) or Pool.load(pool))
    return inspect_reward(engine, *pair, probed=not fakes)


def _check(check: KnownPictures | bool) -> str:
    if not isinstance(check, KnownPictures):
        return "skipped"
    return f"{check.good} must beat {check.bad or 'blank paper'}"


def _weight(weight: float | Mapping[int, float]) -> str:
    if not isinstance(weight, Mapping):
        return f"{weight:g}"
    return " → ".join(f"{value:g} at {step}" for step, value in sorted(weight.items()))


def _normalize(recipe: RewardRecipe, name: str, term: Term) -> str:
    squash: Sequence[str] = [f"logistic {term.squash.logistic:g}"] if term.squash else []
    how = recipe.normalize_of(name)
    return ", ".join([*squash, *([] if how == "none" else [how])]) or "–"
