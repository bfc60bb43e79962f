"""The command `salon score`."""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from salon.markup import visible
from salon.terminal import console

if TYPE_CHECKING:
    from salon.rewards.recipe import RewardRecipe

    from .inputs import Given
    from .work import Scored

MOST_TOLD = 20
"""Lines about what is left out of an input."""


def score(
    recipe: Annotated[str, typer.Argument(help="A reward recipe, or a run's, such as paint, or a file.")],
    given: Annotated[
        list[str],
        typer.Argument(metavar="INPUT…", help="Folders of pictures or sources, a .csv, a .jsonl, pictures."),
    ],
    out: Annotated[str, typer.Option("-o", "--out", help="The CSV to write; the same command goes on.")],
    prompt: Annotated[
        str, typer.Option("--prompt", "-p", help="What they were made for, where INPUT does not say.")
    ] = "",
    subject: Annotated[str, typer.Option(help="The prompt's subject, where INPUT does not say.")] = "",
    meta: Annotated[
        list[str] | None,
        typer.Option(help="key=value of the prompt's meta, such as colour=peach, where INPUT does not say."),
    ] = None,
    medium: Annotated[
        str, typer.Option(help="How sources become pictures; by the file or its text by default.")
    ] = "",
    seed: Annotated[int, typer.Option(help="Of what is drawn: references, renderings.")] = 0,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask again about what was answered before.")] = False,
) -> None:
    """Score pictures, sources or replies under a reward, and rank them: a CSV that salon diagnose reads."""
    from salon.files.outputs import check_outputs
    from salon.rubrics.journal import beside

    from .about import meta_read
    from .inputs import METADATA, MadeFor, is_ours, read_inputs
    from .told import summary

    reward, recipe = reward_of(recipe)
    # A folder of pictures may hold its own scores: the same command goes on with them.
    inputs = [None if os.path.isdir(each) and is_ours(Path(out)) else each for each in given]
    outputs = {"--out": out, "--out's journal": beside(out)}
    check_outputs(outputs, [*inputs, recipe])
    _must_be_csv(out)
    _must_be_medium(medium)
    about = MadeFor(prompt, subject, _pairs(meta or []), meta_read(reward), seed)
    read = read_inputs(given, about)
    files = [each for row in read.rows if not row.fault for each in (row.picture, row.file)]
    check_outputs(outputs, [*files, *(Path(each) / METADATA for each in given)])
    _tell_of(read)
    found = _scored(reward, read, out, medium, seed, fresh)
    for line in summary(found, reward):
        print(visible(line))
    print(f"wrote {out}; next: salon diagnose {out} --recipe {recipe}")
    if all(each.reward.total is None for each in found):
        raise typer.Exit(1)


def reward_of(recipe: str) -> "tuple[RewardRecipe, str]":
    """A reward, and the file that it stands in: the one given, or the one that a run's recipe names."""
    from salon import validation
    from salon.files.shipped_recipes import find_beside, find_recipe
    from salon.rewards.preflight.recipe_check import read_reward

    found = find_recipe(recipe)
    named = validation.read_yaml(found).get("reward")
    file = str(find_beside(found, named)) if isinstance(named, str) else str(found)
    return read_reward(file), file


def _must_be_medium(name: str) -> None:
    """Also where nothing will be rendered, and nobody would miss it."""
    from salon.errors import RecipeError
    from salon.registry import BUILTINS, did_you_mean

    if name and ":" not in name and name not in BUILTINS["medium"]:
        raise RecipeError(
            f"--medium {name}: there is no such medium.{did_you_mean(name, BUILTINS['medium'])}"
        )


def _must_be_csv(out: str) -> None:
    from salon.errors import RecipeError

    if Path(out).suffix.lower() != ".csv":
        raise RecipeError(f"--out {out}: what is written is a CSV. Name it {Path(out).with_suffix('.csv')}.")


def _pairs(given: Sequence[str]) -> dict[str, str]:
    from salon.errors import RecipeError

    pairs = [each.partition("=") for each in given]
    for key, sign, _ in pairs:
        if not key.strip() or not sign:
            raise RecipeError(f"--meta {key!r} is no key=value. Write for example --meta colour=peach.")
    found = [(key.strip(), value.strip()) for key, _, value in pairs]
    for key, count in Counter(key for key, _ in found).items():
        if count > 1:
            raise RecipeError(f"--meta {key}: is given {count} times. Leave one.")
    return dict(found)


def _tell_of(read: "Given") -> None:
    """What is not used of the input, on stderr."""
    from .inputs import places_of

    lines = [*places_of(read.rows), *(f"not used: {line}" for line in read.skipped)]
    for line in lines[:MOST_TOLD]:
        typer.echo(visible(line), err=True)
    if len(lines) > MOST_TOLD:
        typer.echo(f"and {len(lines) - MOST_TOLD} more such lines", err=True)
    for name in read.unused:
        typer.echo(visible(f"not used: column {name!r}"), err=True)


def _scored(
    reward: "RewardRecipe", read: "Given", out: str, medium: str, seed: int, fresh: bool
) -> "list[Scored]":
    from rich.progress import Progress

    from .work import KEPT, score_rows

    with Progress(console=console(stderr=True), transient=True) as bar:
        tasks = {}

        def tell(what: str, done: int, of: int) -> None:
            if what == KEPT:
                print(f"{KEPT}: the answers for {done} of {of} groups; --fresh asks anew")
                return
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=of)
            bar.update(tasks[what], completed=done)

        return score_rows(reward, read.rows, Path(out), medium, seed, tell, fresh)
