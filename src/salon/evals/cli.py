"""The commands `salon evaluate …`: a run's policy, a judge, a classifier. A folder alone is a run's."""

from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from rich.console import Console


class _RunByDefault(TyperGroup):
    """`salon evaluate runs/mine` is `salon evaluate run runs/mine`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("--help", "-h"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


evaluations = typer.Typer(
    cls=_RunByDefault,
    help="Evaluate a run's policy (salon evaluate RUN), a judge on a benchmark, or a classifier of prompts.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def _console() -> "Console":
    from rich.console import Console

    return Console()


@evaluations.command("run")
def evaluate_run(
    run: Annotated[str, typer.Argument(help="A finished run's folder.")],
    pairs: Annotated[
        int | None, typer.Option(min=1, help="Pictures per policy; by default what the recipe says.")
    ] = None,
) -> None:
    """Compare a run's policy with its frozen base on held-out prompts, by several judges."""
    from salon.evals.winrate import evaluate as compare
    from salon.store import Run

    compare(Run.open(run), _console(), pairs)


@evaluations.command("judge")
def evaluate_a_judge(
    benchmark: Annotated[
        str,
        typer.Option(
            help="pool, pairs, mmrb2, hpdv3, genai-bench, editreward-bench-tiger, editreward-bench-editscore"
            " or pick-a-pic."
        ),
    ] = "pool",
    data: Annotated[str, typer.Option(help="The benchmark's file as published; a pool.")] = "flowers",
    images: Annotated[
        str | None, typer.Option(help="The folder that picture paths are relative to; the file's by default.")
    ] = None,
    judge: Annotated[
        str,
        typer.Option(help="taste, heldout, a learned judge's folder, or a name from the recipe's judges."),
    ] = "taste",
    recipe: Annotated[str | None, typer.Option(help="A reward recipe that describes the judge.")] = None,
    criteria: Annotated[
        str | None, typer.Option(help="Give the judge this rubric, .yaml, or text as its criteria.")
    ] = None,
    split: Annotated[str, typer.Option(help="Of a pool: held_out or train.")] = "held_out",
    limit: Annotated[int | None, typer.Option(min=1, help="So many pairs, drawn by the seed.")] = None,
    seed: Annotated[int, typer.Option(help="Of the intervals, and of the limit.")] = 0,
    out: Annotated[
        str | None, typer.Option("-o", "--out", help="Also write report and verdicts into this folder.")
    ] = None,
) -> None:
    """Both orders of pairs with a known winner: accuracy, position gap, ties, coverage, per category."""
    from pathlib import Path

    from rich.progress import Progress

    from salon.evals.benchmarks import load_benchmark
    from salon.evals.judging import drawn, evaluate_judge, judge_of, write_judging

    asked = judge_of(judge, recipe, criteria)
    pairs = drawn(load_benchmark(benchmark, data, images, split), limit, seed)
    console = _console()
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("pairs", total=len(pairs.pairs))
        report, duels = evaluate_judge(asked, pairs, seed, lambda done, of: bar.update(task, completed=done))
    print(report.markdown())
    if out:
        write_judging(report, duels, Path(out))
        print(f"wrote {out}")
    if not report.total.complete:
        raise typer.Exit(1)


@evaluations.command("classifier")
def evaluate_a_classifier(
    recipe: Annotated[str, typer.Option(help="A reward recipe with the classifier.")],
    name: Annotated[str, typer.Option(help="Its name in the section `classifiers`.")],
    labelled: Annotated[
        str, typer.Argument(help="prompt and label (or labels) on each line; `prompts` ships with salon.")
    ] = "prompts",
    label: Annotated[
        str, typer.Option(help="Which of a file's `labels` counts; that of the classifier's name by default.")
    ] = "",
) -> None:
    """How often a classifier of prompts is right: accuracy, per label, and what it got wrong."""
    from salon.evals.classifier import evaluate_classifier

    report = evaluate_classifier(recipe, name, labelled, label)
    print("\n".join(report.lines()))
    if report.accuracy is None:
        raise typer.Exit(1)
