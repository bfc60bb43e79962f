"""The commands `salon recipe …`: check a reward, or get its schema."""

from typing import Annotated

import typer

from salon.allow_option import allowing
from salon.terminal import console

recipes = typer.Typer(
    help="Check a reward recipe, or get the JSON Schema of one.", no_args_is_help=True, rich_markup_mode=None
)


@recipes.command()
@allowing
def check(
    recipe: Annotated[str, typer.Argument(help="A reward recipe, such as recipes/paint.yaml.")],
    fake_judges: Annotated[
        bool, typer.Option("--fake-judges", help="Ask fakes instead of the recipe's judges.")
    ] = False,
) -> None:
    """Show a reward as it is understood, and try it on a known-good and a known-bad picture."""
    from .recipe_check import check_file

    if not check_file(recipe, console(), fake_judges):
        raise typer.Exit(1)


@recipes.command()
def schema() -> None:
    """Print the JSON Schema of reward recipes, for editors that complete and check as you type."""
    import json

    from salon.rewards.recipe import reward_schema

    print(json.dumps(reward_schema(), indent=2, ensure_ascii=False))
