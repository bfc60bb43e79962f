"""The commands `salon recipe …`: those that ship, a check of a reward, its schema."""

from typing import Annotated

import typer

from salon.allow_option import allowing
from salon.markup import visible
from salon.terminal import console

recipes = typer.Typer(
    help="List, show or copy the recipes that ship; check a reward recipe, or get the JSON Schema of one.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@recipes.command()
@allowing
def check(
    recipe: Annotated[str, typer.Argument(help="A reward recipe, such as paint, or a file.")],
    fake_judges: Annotated[
        bool, typer.Option("--fake-judges", help="Ask fakes instead of the recipe's judges.")
    ] = False,
) -> None:
    """Show a reward as it is understood, and try it on a known-good and a known-bad picture."""
    from .recipe_check import check_file

    if not check_file(recipe, console(), fake_judges):
        raise typer.Exit(1)


@recipes.command("list")
def list_shipped() -> None:
    """List the recipes that ship: their names, which every command takes, and what they are."""
    from .shipped import listed

    rows = listed()
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for name, kind, said in rows:
        print(f"{name:{widths[0]}}  {kind:{widths[1]}}  {said}".rstrip())


@recipes.command()
def show(recipe: Annotated[str, typer.Argument(help="A recipe's name, or a file.")]) -> None:
    """Print a recipe."""
    from salon.files.shipped_recipes import find_recipe
    from salon.validation import read_bytes

    print(visible(read_bytes(find_recipe(recipe)).decode("utf-8", "replace")), end="")


@recipes.command()
def copy(
    name: Annotated[str, typer.Argument(help="A recipe that ships.")],
    to: Annotated[str, typer.Argument(help="A folder, or the file that it becomes.")] = ".",
) -> None:
    """Copy a recipe that ships, with the recipes that it names, to change it."""
    from .shipped import copy as write

    written = write(name, to)
    for file in written:
        print(f"wrote {file}")
    if not written:
        print("nothing to write: all are there already")


@recipes.command()
def schema() -> None:
    """Print the JSON Schema of reward recipes, for editors that complete and check as you type."""
    import json

    from salon.rewards.recipe import reward_schema

    print(json.dumps(reward_schema(), indent=2, ensure_ascii=False))
