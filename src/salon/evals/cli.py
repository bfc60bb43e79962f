"""The commands `salon evaluate …`: a run's policy, a judge, a classifier. A folder alone is a run's."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from salon.allow_option import allowing
from salon.files.outputs import check_folder
from salon.markup import visible
from salon.rewards.judging.cli import Model, Name, Recipe, Set, Url
from salon.terminal import console

if TYPE_CHECKING:
    from collections.abc import Collection

    from rich.progress import Progress

    from salon.types import Judge

    from .judging import JudgeReport
    from .scored import NamedScorer


class _RunByDefault(TyperGroup):
    """`salon evaluate runs/mine` is `salon evaluate run runs/mine`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("--help", "-h"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


evaluations = typer.Typer(
    cls=_RunByDefault,
    help="Evaluate a run's policy (salon evaluate RUN), a judge, a classifier of prompts, or checklists.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def _advance(bar: "Progress", task: Any, done: int, of: int) -> None:
    bar.update(task, completed=done)


def _progress() -> "Progress":
    from rich.progress import Progress

    return Progress(console=console(), transient=True)


@evaluations.command("run")
@allowing
def evaluate_run(
    run: Annotated[str, typer.Argument(help="A finished run's folder.")],
    pairs: Annotated[
        int | None, typer.Option(min=1, help="Pictures per policy; by default what the recipe says.")
    ] = None,
) -> None:
    """Compare a run's policy with its frozen base on held-out prompts, by several judges."""
    from salon.store.runs import Run

    from .winrate import evaluate as compare

    compare(Run.open(run), console(), pairs)


ScorerName = Annotated[
    str, typer.Option(help="Measure a scorer instead: clip, served, edit_score …, or a recipe's term.")
]
ScorerSet = Annotated[
    list[str] | None, typer.Option("--set", help="A setting of the judge or the scorer: --set device=cuda.")
]
Tie = Annotated[float, typer.Option(min=0, help="Of a scorer: the largest difference that is a tie.")]
AtOnce = Annotated[int, typer.Option(min=1, help="Of a scorer that asks a server: so many prompts at once.")]


@evaluations.command("judge")
@allowing
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
    judge: Name = "",
    model: Model = "",
    base_url: Url = "",
    recipe: Recipe = "",
    criteria: Annotated[
        str | None, typer.Option(help="Give the judge this rubric, .yaml, or text as its criteria.")
    ] = None,
    scorer: ScorerName = "",
    settings: ScorerSet = None,
    tie: Tie = 0.0,
    at_once: AtOnce = 1,
    split: Annotated[str, typer.Option(help="Of a pool: held_out or train.")] = "held_out",
    limit: Annotated[int | None, typer.Option(min=1, help="So many pairs, drawn by the seed.")] = None,
    seed: Annotated[int, typer.Option(help="Of the intervals, and of the limit.")] = 0,
    out: Annotated[
        str | None, typer.Option("-o", "--out", help="Also write report and verdicts into this folder.")
    ] = None,
) -> None:
    """Both orders of pairs with a known winner: accuracy, position gap, ties, coverage, per category. A
    scorer scores each picture once.
    """
    from functools import partial

    from .benchmarks import load_benchmark
    from .judging import WRITES, drawn, evaluate_judge, evaluate_scorer, write_judging
    from .scored import NamedScorer

    check_folder("--out", out, [data, images, recipe or None], WRITES)
    asked = _measured(scorer, judge, model, base_url, settings or [], recipe, criteria, tie)
    pairs = drawn(load_benchmark(benchmark, data, images, split), limit, seed)
    with _progress() as bar:
        task = bar.add_task("pairs", total=len(pairs.pairs))
        tell = partial(_advance, bar, task)
        if isinstance(asked, NamedScorer):
            report, results = evaluate_scorer(asked, pairs, tie, seed, tell, at_once)
        else:
            report, results = evaluate_judge(asked, pairs, seed, tell)
    print(visible(report.markdown()))
    if out:
        write_judging(report, results, Path(out))
        print(f"wrote {out}")
    _refuse_half(report, "scorer" if scorer else "judge")


def _measured(
    scorer: str,
    judge: str,
    model: str,
    base_url: str,
    settings: list[str],
    recipe: str,
    criteria: str | None,
    tie: float,
) -> "Judge | NamedScorer":
    """The judge or the scorer that is meant. Raises RecipeError for options that do not go together."""
    from salon.errors import RecipeError

    from .judging import judge_of
    from .scored import scorer_of

    if not scorer:
        if tie:
            raise RecipeError("--tie: is for a scorer; a judge says itself that it sees a tie.")
        return judge_of(judge, recipe, criteria, model, base_url, settings)
    if criteria:
        raise RecipeError("--criteria: a scorer goes by none. Leave it out, or name a judge.")
    if judge or model or base_url:
        raise RecipeError(
            "--scorer: is measured instead of a judge. Leave --judge, --model and --base-url out."
        )
    return scorer_of(scorer, settings, recipe or None)


def _refuse_half(report: "JudgeReport", who: str) -> None:
    """End with an exit code where a budget was spent, or nothing was answered."""
    kept = "Raise it and start again: what was answered is not asked again, but with `cache: false`."
    _end_on_spent(report.total.failures, f"the {who}'s budget is spent. {kept}")
    if not report.total.complete:
        raise typer.Exit(1)


def _end_on_spent(codes: "Collection[str]", told: str) -> None:
    """BudgetSpent, where a budget is why answers are missing."""
    from salon.errors import BudgetSpent
    from salon.llm.limits import BUDGET_SPENT

    if BUDGET_SPENT in codes:
        raise BudgetSpent(told)


@evaluations.command("classifier")
@allowing
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
    from .classifier import evaluate_classifier

    report = evaluate_classifier(recipe, name, labelled, label)
    print(visible("\n".join(report.lines())))
    _end_on_spent(report.failures(), "the author's budget is spent. Raise it and start again.")
    if report.accuracy is None:
        raise typer.Exit(1)


Checklists = Annotated[str, typer.Argument(help="The file of checklists, .jsonl or .csv.")]
Limit = Annotated[int | None, typer.Option(min=1, help="So many pictures at most.")]
Out = Annotated[
    str | None, typer.Option("-o", "--out", help="Also write answers and report into this folder.")
]


@evaluations.command()
@allowing
def batching(
    checklists: Checklists,
    on: Annotated[str, typer.Option(help="A run, or a file with picture and id (or prompt) on each line.")],
    batch: Annotated[int, typer.Option(min=2, help="Questions at once.")] = 8,
    name: Name = "",
    model: Model = "",
    base_url: Url = "",
    settings: Set = None,
    recipe: Recipe = "",
    again: Annotated[bool, typer.Option(help="Ask one a call twice, to know the judge's own noise.")] = True,
    limit: Limit = None,
    out: Out = None,
) -> None:
    """One question per call, or several? What each way costs, and how far they agree and are right."""
    from salon.rewards.judging.asking import open_examiner
    from salon.rubrics.checklists import load_checklists

    from .asked import WRITES, load_cases, write_answers
    from .batching import compare_ways, lines_of, row_of

    check_folder("--out", out, [checklists, on, recipe or None], WRITES)
    cases = load_cases(on, load_checklists(checklists), limit)
    # First as it is typed: a judge that answers no questions is told so, and not that it has no `batch`.
    open_examiner(name, model, base_url, settings or [], recipe)
    alone, at_once, once_more = (
        open_examiner(name, model, base_url, [*(settings or []), f"batch={size}", "cache=false"], recipe)
        for size in (1, batch, 1)
    )
    with _progress() as bar:
        task = bar.add_task("pictures", total=len(cases))
        second = once_more if again else None
        found = compare_ways(
            alone, at_once, cases, batch, second, lambda done, of: bar.update(task, completed=done)
        )
    print(visible("\n".join(lines_of(found))))
    if out:
        write_answers(out, {way.name: way.replies for way in found.ways}, row_of(found))
        print(f"wrote {out}")
    lost = {code for way in found.ways for code in way.failures()}
    _end_on_spent(lost, "the judge's budget is spent. Raise it and start again: each way is asked anew.")
    if found.agreed.value is None:
        raise typer.Exit(1)


@evaluations.command()
@allowing
def items(
    checklists: Checklists,
    on: Annotated[str, typer.Option(help="A run, or a file with picture and id (or prompt) on each line.")],
    name: Name = "",
    model: Model = "",
    base_url: Url = "",
    settings: Set = None,
    recipe: Recipe = "",
    again: Annotated[bool, typer.Option(help="Ask once more, without what was kept.")] = True,
    wanted: Annotated[
        str, typer.Option(help="The answer that satisfies: yes, or no for constraints.")
    ] = "yes",
    limit: Limit = None,
    out: Out = None,
) -> None:
    """Which questions of checklists tell pictures apart, and get the same answer when asked again?"""
    from salon.rewards.judging.asking import open_examiner
    from salon.rubrics.checklists import load_checklists

    from .asked import WRITES, failures_of, load_cases, write_answers
    from .items import ask_items, item_reports, lines_of, rows_of

    if wanted not in ("yes", "no"):
        raise typer.BadParameter("write yes or no", param_hint="--wanted")
    check_folder("--out", out, [checklists, on, recipe or None], WRITES)
    cases = load_cases(on, load_checklists(checklists), limit)
    given = settings or []
    judge = open_examiner(name, model, base_url, given, recipe)
    fresh = open_examiner(name, model, base_url, given, recipe, kept=False) if again else None
    with _progress() as bar:
        task = bar.add_task("pictures", total=len(cases))
        first, second = ask_items(
            judge, cases, fresh, wanted, lambda done, of: bar.update(task, completed=done)
        )
    reports = item_reports(first, second)
    print(visible("\n".join([judge.identity, "", *lines_of(reports, first)])))
    if out:
        write_answers(out, {"first": first, "again": second}, rows_of(reports))
        print(f"wrote {out}")
    kept = "Raise it and start again: what was answered is not asked again, but with `cache: false`."
    _end_on_spent(failures_of([*first, *second]), f"the judge's budget is spent. {kept}")
    if all(each.said is None for each in first):
        raise typer.Exit(1)
