"""The commands `salon reproduce …`. Thin: read the arguments, call one function, show what came back."""

from typing import Annotated

import typer

from salon.markup import visible
from salon.terminal import console

reproductions = typer.Typer(
    help="Try published claims again, in miniature.", no_args_is_help=True, rich_markup_mode=None
)


@reproductions.callback()
def _group() -> None:  # pyright: ignore[reportUnusedFunction]
    """One command would otherwise stand for the whole group."""


@reproductions.command("old-vs-new")
def old_vs_new(
    recipe: Annotated[str, typer.Argument(help="What to run.")] = "reproduce/old-vs-new",
    overrides: Annotated[
        list[str] | None, typer.Option("--set", help="Override a key: --set seeds=[0] --set out=runs/try.")
    ] = None,
    run_overrides: Annotated[
        list[str] | None,
        typer.Option("--run", help="Override a key of both sides' runs: --run train.steps=4."),
    ] = None,
) -> None:
    """Nine signals against four: which rubric teaches the painter sooner? Some forty minutes; it resumes."""
    from .old_vs_new import old_vs_new as run
    from .page import build_page
    from .plan import load_plan
    from .words import seed_lines, story

    plan = load_plan(recipe, overrides or [])
    found = run(plan, console(), run_overrides or [])
    print(visible("\n".join([*seed_lines(found), *story(found)])))
    print(f"page: {build_page(plan, found)}")
