"""The `salon` command. Every command is thin and imports its work inside: `salon --help` answers at once.

A new command is a function below with `@app.command()`, in the section it belongs to: read its arguments,
call one public function of the part that does the work, show what came back. Mistakes of the user arrive here
as SalonError and leave as one line on stderr with exit code 2; a spent budget leaves with 3, Ctrl-C with 130.
"""

import errno
import sys
import warnings
from io import TextIOWrapper
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

import salon
from salon.allow_option import allowing
from salon.errors import BudgetSpent, RecipeError, SalonError
from salon.evals.cli import evaluations
from salon.files.outputs import check_folder, check_outputs
from salon.installed import install_command
from salon.markup import visible
from salon.media.command.cli import render
from salon.rewards.judging.cli import judge, serve_judge, serve_scorer
from salon.rewards.preflight.cli import recipes
from salon.rewards.scoring.cli import score
from salon.rubrics.cli import checklists, rubric
from salon.secrets.known import redact
from salon.studies.cli import reproductions
from salon.terminal import console

if TYPE_CHECKING:
    from salon.diagnosis import Diagnosis

_TRAIN_PACKAGES = ("torch", "transformers", "trl", "peft", "accelerate", "datasets")

app = typer.Typer(
    name="salon",
    help="Reward engineering for models that make pictures: policy → render → judge → reward → update.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"salon {salon.__version__}")
        raise typer.Exit()


@app.callback()
def _options(  # pyright: ignore[reportUnusedFunction]
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and stop."),
    ] = False,
) -> None:
    """Options that stand before a command."""


# ---- set-up ----------------------------------------------------------------------------------------------


@app.command()
def setup(
    explain: Annotated[
        bool, typer.Option("--explain", help="Say what would be done, and do nothing.")
    ] = False,
) -> None:
    """Install Chromium and the drawing libraries, or explain how."""
    from salon.environment.setup import set_up

    if not set_up(console(), explain=explain):
        raise typer.Exit(1)


@app.command()
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print the checks as JSON.")] = False,
    paint: Annotated[
        bool, typer.Option("--paint", help="Also paint the browser's golden sketch (seconds).")
    ] = False,
) -> None:
    """Say what works and what does not, each with its remedy."""
    from salon.environment.doctor import examine, show, to_json

    checks = examine(paint=paint)
    if as_json:
        print(to_json(checks))
    else:
        show(checks, console())
    if any(check.state == "broken" for check in checks):
        raise typer.Exit(1)


# ---- render ----------------------------------------------------------------------------------------------


app.command()(allowing(render))


# ---- recipe, rubric: in files of their own ---------------------------------------------------------------

app.add_typer(recipes, name="recipe")
app.add_typer(judge, name="judge")
app.command()(allowing(score))
app.command("serve-judge")(allowing(serve_judge))
app.command("serve-scorer")(allowing(serve_scorer))
app.add_typer(evaluations, name="evaluate")
app.add_typer(rubric, name="rubric")
app.add_typer(checklists, name="checklist")
app.add_typer(reproductions, name="reproduce")


# ---- train: sft, train, train-judge ----------------------------------------------------------------------


@app.command()
@allowing
def sft(
    recipe: Annotated[str, typer.Argument(help="A warm-start recipe, such as sketcher-sft, or a file.")],
    overrides: Annotated[
        list[str] | None, typer.Option("--set", help="Override a key: --set train.steps=200.")
    ] = None,
) -> None:
    """Teach a policy to answer prompts with sketches, before any reward. Goes on after a kill."""
    from salon.training.sft import sft as run_sft

    run_sft(recipe, overrides or [], console())


@app.command()
@allowing
def train(
    recipe: Annotated[str, typer.Argument(help="A run recipe, such as hibiscus-cpu, or a file.")],
    overrides: Annotated[
        list[str] | None, typer.Option("--set", help="Override a key: --set train.learning_rate=1e-5.")
    ] = None,
    resume: Annotated[
        bool, typer.Option(help="Go on where the same recipe stopped; --no-resume refuses a used folder.")
    ] = True,
) -> None:
    """Train a policy by GRPO, evaluate it, and write the report. The same command goes on after a kill."""
    from salon import api

    api.train(recipe, overrides or [], resume=resume)


@app.command("train-judge")
def train_judge(
    recipe: Annotated[str, typer.Argument(help="A judge recipe, such as taste, or a file.")],
    overrides: Annotated[
        list[str] | None, typer.Option("--set", help="Override a key: --set augment.variants=0.")
    ] = None,
) -> None:
    """Train a learned judge on a pool's ratings, and say what it is worth."""
    from salon.training.reward_model import load_judge_recipe, show_metrics
    from salon.training.reward_model import train_judge as train

    plan = load_judge_recipe(recipe, overrides or [])
    show_metrics(train(plan, console()), console())
    print(f"judge: {plan.out}")


# ---- look: probe, diagnose, rescore, compare, report -------------------------------------------


@app.command()
@allowing
def probe(
    recipe: Annotated[str, typer.Argument(help="A run recipe, such as hibiscus-cpu, or a file.")],
    prompts: Annotated[int, typer.Option(min=1, help="Groups to sample.")] = 8,
    overrides: Annotated[
        list[str] | None, typer.Option("--set", help="Override a key: --set train.group_size=16.")
    ] = None,
    out: Annotated[
        str | None, typer.Option(help="A new folder; by default the recipe's out with -probe behind it.")
    ] = None,
    html_out: Annotated[
        str | None, typer.Option("--html", help="Also write the diagnosis as one page that opens offline.")
    ] = None,
) -> None:
    """Try a reward on the untrained policy: what is wrong with it, and what a step will cost."""
    from salon.diagnosis import diagnose as examine
    from salon.diagnosis.output import write_outputs
    from salon.diagnosis.pages.terminal import show
    from salon.recipe import load_run_recipe
    from salon.training.probe import cost_lines
    from salon.training.probe import probe as run_probe

    check_outputs({"--html": html_out}, [recipe])
    done = run_probe(load_run_recipe(recipe, overrides or []), console(), prompts, out)
    found = examine(done.run.path)
    written = write_outputs(found, html_out=html_out)
    show(found, console())
    print()
    print("\n".join(cost_lines(done.cost)))
    for place in [str(done.run.path), *written]:
        print(f"wrote {place}")


@app.command()
def diagnose(
    path: Annotated[
        str,
        typer.Argument(help="A run's folder; scores as CSV, JSON lines or parquet; - for standard input."),
    ],
    weights: Annotated[
        list[str] | None, typer.Option("--weights", help="Today's weights: taste=0.6,length=0.4.")
    ] = None,
    recipe: Annotated[
        str | None, typer.Option("--recipe", help="A reward recipe with today's weights and roles.")
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option("--map", help="What a column is: step=iteration, human=label, monitor=eye, ignore=x,y."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", help="A column that is no score, whatever it looks like.")
    ] = None,
    terms: Annotated[
        list[str] | None, typer.Option("--term", help="A column that is a score, whatever it looks like.")
    ] = None,
    group: Annotated[
        str | None, typer.Option(help="The column that says which rows answer one prompt.")
    ] = None,
    step: Annotated[str | None, typer.Option(help="The column of the policy's step.")] = None,
    scale: Annotated[
        list[str] | None, typer.Option("--scale", help="The scale of all marks, or of one: 0-10, taste=1-5.")
    ] = None,
    json_out: Annotated[
        str | None, typer.Option("--json", help="Also write everything as JSON; - for standard output.")
    ] = None,
    html_out: Annotated[
        str | None, typer.Option("--html", help="Also write a report: one HTML file that opens offline.")
    ] = None,
    recipe_out: Annotated[
        str | None, typer.Option("--propose", help="Also write the proposed recipe as YAML.")
    ] = None,
) -> None:
    """Say what is wrong with a reward, from its scores alone: worst first, with numbers and remedies."""
    from salon.diagnosis import Options
    from salon.diagnosis import diagnose as examine

    json_file = None if json_out == "-" else json_out
    check_outputs({"--json": json_file, "--html": html_out, "--propose": recipe_out}, [path, recipe])
    options = Options(
        columns=tuple(columns or ()),
        weights=tuple(weights or ()),
        recipe=recipe,
        scale=",".join(scale) if scale else None,
        ignore=tuple(ignore or ()),
        terms=tuple(terms or ()),
        group=group,
        step=step,
    )
    _tell(examine(path, options), json_out == "-", json_file, html_out, recipe_out)


def _tell(
    found: "Diagnosis", as_json: bool, json_file: str | None, html_out: str | None, recipe_out: str | None
) -> None:
    from salon.diagnosis.output import as_text, next_lines, write_outputs
    from salon.diagnosis.pages.terminal import show

    # Before the text, which may be cut short: `| head`.
    written = write_outputs(found, json_file, html_out, recipe_out)
    if as_json:
        # Nothing else: a program reads it.
        print(as_text(found), end="")
        return
    show(found, console())
    for line in [*(f"wrote {place}" for place in written), *next_lines(found, recipe_out, written)]:
        print(visible(line))


@app.command()
@allowing
def rescore(
    run: Annotated[str, typer.Argument(help="A run's folder; it is only read.")],
    recipe: Annotated[str, typer.Option("--recipe", help="The other reward, such as paint, or a file.")],
    out: Annotated[
        str | None,
        typer.Option(help="A new folder or FILE.parquet; by default <run>/rescored/<the recipe's name>."),
    ] = None,
    html_out: Annotated[
        str | None, typer.Option("--html", help="Also write the pictures that rose and fell, as one page.")
    ] = None,
) -> None:
    """Reward a finished run anew from its stored scores, and show which pictures rise and fall."""
    from pathlib import Path

    from salon.report.rescored import build_rescored_page
    from salon.rescoring import rescore as reward_anew
    from salon.rescoring.output import FILE, place_for, write
    from salon.rescoring.terminal import show
    from salon.store.runs import Run

    original = Run.open(run)
    place = place_for(original, recipe, out)
    check_outputs({"--html": html_out, "--out": place if place.suffix == FILE else None}, [run, recipe])
    check_folder("--out", None if place.suffix == FILE else place, [run, recipe])
    found = reward_anew(original, recipe, console())
    write(found, place)
    show(found, console())
    print(f"wrote {place}")
    if html_out:
        page = build_rescored_page(original, found.ranks, found.summary, found.provenance, Path(html_out))
        print(f"wrote {page}")
    if found.stopped:
        raise BudgetSpent(f"{found.stopped} {place} has the steps before it.")


@app.command("compare")
def compare_runs(
    runs: Annotated[list[str], typer.Argument(help="Two to six runs' folders; the first sets the level.")],
    levels: Annotated[
        list[str] | None,
        typer.Option("--level", help="A level to reach: 0.6 of the reward, taste=0.6 of a shared term."),
    ] = None,
    html_out: Annotated[
        str | None, typer.Option("--html", help="Also write the curves as one page that opens offline.")
    ] = None,
) -> None:
    """Put runs side by side: curves, steps to a level, win rates."""
    from pathlib import Path

    from salon.report.comparison.compare import compare
    from salon.report.comparison.page import build_comparison
    from salon.report.comparison.terminal import show

    check_outputs({"--html": html_out}, runs)
    found = compare(runs, levels or [])
    show(found, console())
    if html_out:
        print(f"wrote {build_comparison(found, Path(html_out))}")


@app.command()
def report(
    run: Annotated[str, typer.Argument(help="A run's folder.")],
    out: Annotated[
        str | None, typer.Option("-o", "--out", help="The file to write; report.html in the run by default.")
    ] = None,
) -> None:
    """Write a run's report: one HTML file that opens offline."""
    from pathlib import Path

    from salon.report import build_report
    from salon.store.runs import Run

    opened = Run.open(run)
    check_outputs({"--out": Path(out) if out else opened.path / "report.html"}, [run])
    print(build_report(opened, Path(out) if out else None))


_show_by_default = warnings.showwarning


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Ours as a message to whoever typed the command; those of libraries with the place in their code."""
    if category.__module__.startswith("salon."):
        print(f"salon: {visible(str(message))}", file=sys.stderr)
    else:
        _show_by_default(message, category, filename, lineno, file, line)


@app.command()
def export(
    run: Annotated[str, typer.Argument(help="A run's folder; it is only read.")],
    best: Annotated[
        int | None, typer.Option(min=0, help="So many of the best; 5 where nothing is said.")
    ] = None,
    worst: Annotated[int, typer.Option(min=0, help="So many of the worst.")] = 0,
    by: Annotated[str, typer.Option(help="What they are ranked by: total, or a term.")] = "total",
    steps: Annotated[list[int] | None, typer.Option("--step", help="Only of this step.")] = None,
    prompts: Annotated[
        list[str] | None, typer.Option("--prompt", help="Only of the prompt of this id.")
    ] = None,
    out: Annotated[
        str | None, typer.Option("-o", "--out", help="A new folder; <run>-export beside the run by default.")
    ] = None,
) -> None:
    """Write a run's best (or worst) sketches and pictures, with a contact sheet and an index of their
    scores.
    """
    from salon.report.export import Choice
    from salon.report.export import export as write
    from salon.store.runs import Run

    check_folder("--out", out, [run])
    if best == 0 and not worst:
        raise RecipeError("--best 0: nothing is wanted then. Say how many, or --worst.")
    wanted = (0 if worst else 5) if best is None else best
    choice = Choice(wanted, worst, by, tuple(steps or ()), tuple(prompts or ()))
    done = write(Run.open(run), choice, out)
    for row in done.rows:
        failed = f"  failed: {row['failure']['code']}" if row["failure"] else ""
        where = f"step {row['step']}, {row['prompt_id']}{failed}"
        print(visible(f"{row['which']} {row['rank']}: {row['score']:.4g}  {where}"))
    if done.failed:
        print(f"{done.failed} failed samples are left out of the best")
    for problem in done.problems:
        print(f"salon: {visible(problem)}", file=sys.stderr)
    print(f"wrote {done.folder}")
    if done.problems:
        raise typer.Exit(1)


def _show_traceback(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    """What nobody foresaw, without the keys that may be in it."""
    import traceback

    sys.stderr.write(redact("".join(traceback.format_exception(kind, error, trace))))


def main() -> None:
    """The entry point: runs a command, and turns a SalonError into one line and exit code 2 (a spent budget:
    3).
    """
    warnings.showwarning = _show_warning
    for stream in (sys.stdout, sys.stderr):
        # Half a character, or a letter that this terminal does not have, is no reason to end in a traceback.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.excepthook = _show_traceback
    try:
        app()
    except SalonError as error:
        # A message may have a name from a file in it, or what a server said.
        print(f"salon: {visible(str(error))}", file=sys.stderr)
        raise SystemExit(3 if isinstance(error, BudgetSpent) else 2) from None
    except ModuleNotFoundError as error:
        if error.name not in _TRAIN_PACKAGES:
            raise
        print(f"salon: {error.name} is not installed. Run: {install_command('train')}", file=sys.stderr)
        raise SystemExit(2) from None
    except OSError as error:
        # A library of training met it while it saved: what salon itself writes is told above.
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG):
            raise
        told = visible(f"{error.strerror}: {error.filename or 'a file of the run'}")
        print(f"salon: {told}. Make room, and start the same command again: it goes on.", file=sys.stderr)
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
