"""The verbs of `import salon`: what the commands do, for Python. Each is thin, and imports its work inside.

Those that take time say how it goes on standard output, as the commands do; `quiet=True` keeps them silent.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from salon.diagnosis import Diagnosis
    from salon.diagnosis.reading.open_table import Source
    from salon.pool import Pool
    from salon.rescoring import Rescored
    from salon.rewards.recipe import RewardRecipe
    from salon.rewards.scoring.answers import Answer
    from salon.rewards.scoring.scored import Scored
    from salon.store.runs import Run
    from salon.types import Judge, Prompt, Rendering

_NOTHING: Mapping[str, Any] = {}


@overload
def render(source: str | Path, medium: str = "", seed: int = 0, **arguments: Any) -> "Rendering": ...
@overload
def render(
    source: Sequence[str | Path], medium: str = "", seed: int = 0, **arguments: Any
) -> "list[Rendering]": ...
def render(
    source: str | Path | Sequence[str | Path], medium: str = "", seed: int = 0, **arguments: Any
) -> "Rendering | list[Rendering]":
    """Render a sketch or an SVG, or several in order. What fails is a failure with a code, no exception.

    Args:
        source: the source itself, or a model's reply with one in it (str), or the file of one (pathlib.Path).
        medium: "p5.brush", "svg", "fake" or module:attribute; by default by what stands in each source.
        seed: seeds all chance: the same source and seed give the same bytes.
        arguments: what the medium takes, such as size=(512, 512), workers=2.

    Raises:
        RecipeError: a file is not there, the medium does not take these arguments, or the source is neither.
        SetupError: the medium is not installed: run `salon setup`.
    """
    from contextlib import closing

    from salon.media.command.batch import Media, render_texts

    given = list(source) if isinstance(source, Sequence) and not isinstance(source, str) else [source]
    with closing(Media(medium, {"": arguments})) as media:
        made = render_texts(given, media, seed)
    return made if isinstance(source, Sequence) and not isinstance(source, str) else made[0]


def score(
    reward: "str | Path | Mapping[str, Any] | RewardRecipe",
    prompt: "str | Prompt",
    answers: "Answer | Sequence[Answer]",
    medium: str = "",
    seed: int = 0,
) -> "list[Scored]":
    """Score the answers to one prompt under a reward: each with its total, its terms and why, in order.

    Args:
        reward: a reward recipe's file, its name where it ships, or its content; a run's recipe, whose medium
            is used, too; or what `load_reward` gave.
        prompt: what was asked for; a salon.Prompt where a term reads its subject, tags or meta.
        answers: any mixture of sources or replies (str), which are rendered, and pictures: salon.Picture,
            bytes, PIL images, numpy arrays of height × width × 3 uint8, pathlib.Path (of either kind). They
            compete with each other. What cannot be rendered or read is a failure of that answer alone.
        medium: renders sources; by default the run recipe's, or else by what stands in each.
        seed: draws references and the like, and seeds renderings.

    Raises:
        RecipeError, SetupError: the reward or the medium cannot be built, or an answer is of another kind.

    Example:
        for each in salon.score("paint", "a peach rose", [sketch, Path("rose.png")]):
            print(each.total, each.failure, [(term.term, term.raw, term.reason) for term in each.terms])
    """
    from salon.rewards.scoring.answers import score_answers

    recipe, own, args = _reward(reward)
    if medium:
        own, args = medium, {}
    return score_answers(recipe, prompt, answers, own, args, seed)


def _reward(
    given: "str | Path | Mapping[str, Any] | RewardRecipe",
) -> "tuple[RewardRecipe, str, Mapping[str, Any]]":
    """A reward, with the medium and its arguments where a run's recipe names one."""
    from salon import validation
    from salon.files.shipped_recipes import find_recipe
    from salon.recipe import load_run_recipe
    from salon.rewards.recipe import RewardRecipe, load_reward

    if isinstance(given, RewardRecipe):
        return given, "", _NOTHING
    if isinstance(given, str | Path):
        given = find_recipe(given)
    if isinstance(given, Path) and {"policy", "reward"} <= validation.read_yaml(given).keys():
        plan = load_run_recipe(given)
        return plan.reward, plan.medium.name, {"cache": plan.medium.cache, **plan.medium.args}
    return load_reward(given), "", _NOTHING


def open_pool(name_or_path: str | Path = "flowers") -> "Pool":
    """A pool of rated pictures: a folder, or one that ships by its name.

    Raises:
        RecipeError: there is no such pool, or it cannot be used.
    """
    from salon.pool import Pool

    return Pool.load(name_or_path)


def open_run(path: str | Path) -> "Run":
    """A run's record: its manifest, rollouts, metrics, evaluations and pictures.

    Raises:
        StoreError: there is no run, or it is damaged.
    """
    from salon.store.runs import Run

    return Run.open(path)


def diagnose(
    source: "Source",
    *,
    weights: Mapping[str, float] = _NOTHING,
    recipe: str | Path | None = None,
    columns: Mapping[str, str] = _NOTHING,
    ignore: Iterable[str] = (),
    terms: Iterable[str] = (),
    group: str | None = None,
    step: str | None = None,
    scale: str | None = None,
) -> "Diagnosis":
    """Say what is wrong with a reward, from its scores alone: worst first, with numbers and remedies.

    Args:
        source: a run's folder; a file of scores (CSV, JSON lines, parquet); a data frame of polars or pandas,
            a mapping of names to columns, or a list of mappings.
        weights: today's, by term.
        recipe: a reward recipe with today's weights and roles.
        columns: what a column is: {"step": "iteration", "human": "label"}.
        ignore, terms: columns that are no scores, and that are, whatever they look like.
        group, step: the column that says which rows answer one prompt, and that of the policy's step.
        scale: of all marks, or of some: "0-10", "taste=1-5".

    Raises:
        RecipeError: the source, a column or an option is wrong; names it and the remedy.
        StoreError: a run's folder is damaged.
    """
    from salon.diagnosis import Options
    from salon.diagnosis import diagnose as examine

    options = Options(
        columns=tuple(f"{role}={column}" for role, column in columns.items()),
        weights=tuple(f"{term}={weight}" for term, weight in weights.items()),
        recipe=str(recipe) if recipe is not None else None,
        scale=scale,
        ignore=tuple(ignore),
        terms=tuple(terms),
        group=group,
        step=step,
    )
    return examine(source, options)


def rescore(
    run: "Run | str | Path",
    reward: str | Path,
    judges: "Mapping[str, Judge] | None" = None,
    quiet: bool = False,
) -> "Rescored":
    """A finished run's rewards under another reward recipe, from its stored scores. Writes nothing.

    Args:
        run: what `open_run` gave, or a run's folder.
        reward: the other reward's file, or its name where it ships.
        judges: judges that are already there, by the recipe's names for them.
        quiet: do not say which scores are taken over.

    Raises:
        RecipeError, SetupError: the recipe is wrong, or a term must be asked and cannot be built.
        StoreError: the run has no rollouts or no reward recipe.
        BudgetSpent: a judge may spend no more, and not one step is done.
    """
    from salon.rescoring import rescore as reward_anew
    from salon.terminal import console

    return reward_anew(_run(run), reward, console(quiet=quiet), judges)


def train(
    recipe: str | Path, overrides: Sequence[str] = (), *, resume: bool = True, quiet: bool = False
) -> "Run":
    """Train a policy by GRPO, evaluate it, and write the report. The same call goes on after a kill.

    Args:
        recipe: a run recipe's file, or the name of one that ships, such as hibiscus-cpu.
        overrides: "dotted.key=value", as after --set: ["train.steps=2", "out=runs/short"].
        resume: False refuses a folder that holds a run already.
        quiet: say nothing on the way.

    Raises:
        RecipeError, SetupError: the recipe is wrong, or a part cannot be built.
        StoreError: the folder holds a run of another recipe.
        BudgetSpent: a judge may spend no more; the state was saved, and the report is written.
        ModuleNotFoundError: the extra `train` is not installed.
    """
    from salon.errors import BudgetSpent
    from salon.evals.winrate import evaluate as compare
    from salon.evals.winrate import is_evaluated
    from salon.recipe import load_run_recipe
    from salon.report import build_report
    from salon.terminal import console
    from salon.training.grpo import train as run_grpo

    plan, told = load_run_recipe(recipe, overrides), console(quiet=quiet)
    run = run_grpo(plan, told, resume=resume)
    if run.rank:
        return run
    spent: BudgetSpent | None = None
    try:
        if plan.evaluate.pairs and not is_evaluated(run):
            compare(run, told)
    except BudgetSpent as error:
        spent = error
    told.print(f"report: {build_report(run)}", soft_wrap=True, highlight=False, markup=False)
    if spent:
        raise spent
    return run


def evaluate(
    run: "Run | str | Path", pairs: int | None = None, quiet: bool = False
) -> dict[str, dict[str, Any]]:
    """Compare a finished run's policy with its frozen base on held-out prompts, by several judges.

    Args:
        run: what `open_run` gave, or a run's folder.
        pairs: how many pairs of pictures; by default as many as the run's recipe says.
        quiet: do not say the results.

    Returns:
        A summary per judge: `win_rate` with `win_rate_low` and `win_rate_high`, `n` and what was left out.
        The run's record has them, too.

    Raises:
        StoreError: the run has no trained policy yet.
        RecipeError: its recipe has no held-out prompts, or names a judge that is not there.
        BudgetSpent: a judge may spend no more; its answers are kept.
    """
    from salon.evals.winrate import evaluate as compare
    from salon.terminal import console

    return compare(_run(run), console(quiet=quiet), pairs)


def _run(given: "Run | str | Path") -> "Run":
    return open_run(given) if isinstance(given, str | Path) else given
