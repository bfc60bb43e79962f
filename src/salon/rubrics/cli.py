"""The commands `salon rubric …` and `salon checklist …`. Thin: read the arguments, call one function, show
what came back.
"""

from typing import Annotated

import typer

from salon.allow_option import allowing
from salon.files.outputs import check_folder, check_outputs
from salon.markup import visible
from salon.terminal import console

rubric = typer.Typer(
    help="Make rubrics from preferences, and read, compare and check them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@rubric.command()
@allowing
def generate(
    pairs: Annotated[str, typer.Argument(help="pairs.jsonl: prompt, a, b, preferred on each line.")],
    recipe: Annotated[str, typer.Option(help="Who writes and who judges, such as recipes/rubric.yaml.")],
    out: Annotated[str, typer.Option("-o", "--out", help="The folder; the same command goes on there.")],
    overrides: Annotated[
        list[str] | None, typer.Option("--set", help="Override a key: --set t_max=3.")
    ] = None,
    partial: Annotated[
        bool, typer.Option("--partial", help="Merge what is verified even while pairs are open.")
    ] = False,
) -> None:
    """Generate, verify, refine, discard, structure. Exit code 1 while pairs are open."""
    from salon.rubrics.generation.generate import WRITES
    from salon.rubrics.generation.generate import generate as make
    from salon.rubrics.generation.recipe import load_rubric_recipe

    check_folder("--out", out, [pairs, recipe], WRITES)
    report = make(pairs, load_rubric_recipe(recipe, overrides or []), out, console(), partial)
    print(visible(report.markdown()))
    print(f"wrote {out}/report.md")
    if report.rubric is None:
        raise typer.Exit(1)


@rubric.command("pairs")
def export_pairs(
    pool: Annotated[str, typer.Argument(help="A rated pool: a folder, or flowers.")],
    out: Annotated[str, typer.Option("-o", "--out", help="The file to write; pictures go beside it.")],
    count: Annotated[int, typer.Option("-n", "--count", min=1, help="How many pairs.")] = 100,
    split: Annotated[str, typer.Option(help="train, held_out or any.")] = "train",
    seed: Annotated[int, typer.Option(help="Draws the pairs, and the better one's side.")] = 0,
    template: Annotated[str, typer.Option(help="The prompt, with {subject}.")] = "a picture of {subject}",
) -> None:
    """Write pairs of unequal ratings from a pool as pairs.jsonl with their pictures."""
    from salon.errors import RecipeError
    from salon.pool import Pool
    from salon.rubrics.generation.pairs import pool_pairs, write_pairs

    if split not in ("train", "held_out", "any"):
        raise RecipeError(f"--split {split!r}: write train, held_out or any")
    check_outputs({"--out": out}, [pool])
    drawn = pool_pairs(Pool.load(pool), count, None if split == "any" else split, seed, template)
    print(f"wrote {write_pairs(drawn, out)} pairs to {out}")


@rubric.command()
@allowing
def show(
    path: Annotated[str, typer.Argument(help="A rubric, YAML or JSON.")],
    form: Annotated[str, typer.Option("--as", help="markdown, or text: what a judge gets.")] = "markdown",
) -> None:
    """Check a rubric and print it."""
    from salon.errors import RecipeError

    from .rubric import load_rubric

    found = load_rubric(path)
    if form not in ("markdown", "text"):
        raise RecipeError(f"--as {form!r}: write markdown or text")
    print(visible(found.markdown() if form == "markdown" else found.text))


@rubric.command()
@allowing
def diff(
    before: Annotated[str, typer.Argument(help="A rubric.")],
    after: Annotated[str, typer.Argument(help="Another one, or a later version.")],
) -> None:
    """Say which themes and tips came, went or moved. Exit code 1 where a judge would read something else."""
    from .rubric import diff as compare
    from .rubric import load_rubric

    lines = compare(load_rubric(before), load_rubric(after))
    print(visible("\n".join(lines)) if lines else "a judge reads the same")
    if lines:
        raise typer.Exit(1)


checklists = typer.Typer(
    help="Split prompts into yes/no questions, and check or convert files of them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@checklists.command()
@allowing
def decompose(
    prompts: Annotated[str, typer.Argument(help="prompts.jsonl: id and prompt (or text) on each line.")],
    recipe: Annotated[str, typer.Option(help="Who writes, such as recipes/checklist.yaml.")],
    out: Annotated[str, typer.Option("-o", "--out", help="The file to write: .csv (DPG's form) or .jsonl.")],
    overrides: Annotated[
        list[str] | None, typer.Option("--set", help="Override a key: --set about=absence.")
    ] = None,
) -> None:
    """Let a language model write each prompt's questions. Goes on after a kill; exit code 1 while some
    fail.
    """
    from .decompose import decompose_file, load_decompose_recipe
    from .journal import beside

    check_outputs({"--out": out, "--out's journal": beside(out)}, [prompts, recipe])
    found = decompose_file(prompts, load_decompose_recipe(recipe, overrides or []), out, console())
    print(f"wrote {len(found.checklists)} checklists to {out}")
    for name in found.empty:
        print(visible(f"{name}: rules out nothing"))
    for name, failure in found.failures.items():
        print(visible(f"{name}: {failure.code}: {failure.message}"))
    if found.failures:
        raise typer.Exit(1)


@checklists.command("check")
def check_checklists(
    path: Annotated[str, typer.Argument(help="A file of checklists, .csv or .jsonl.")],
    out: Annotated[
        str | None, typer.Option("-o", "--out", help="Also write them here, in the other form.")
    ] = None,
) -> None:
    """Check a file of checklists, count what is in it, and convert it. Prompts with a bad row are left out,
    and all of them are named; exit code 1 where there are any.
    """
    from .checklists import read_checklists, save_checklists

    check_outputs({"--out": out}, [path])
    found = read_checklists(path)
    print(visible("\n".join([f"{path}: {found.lines()[0]}", *found.lines()[1:]])))
    if out and found.checklists:
        save_checklists(found.checklists, out)
        print(f"wrote {out}")
    if found.bad or not found.checklists:
        raise typer.Exit(1)
