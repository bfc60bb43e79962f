"""The command `salon score`."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from .work import Scored

BEST = 5


def score(
    recipe: Annotated[str, typer.Argument(help="A reward recipe, or a run's, such as recipes/paint.yaml.")],
    given: Annotated[
        str, typer.Argument(metavar="INPUT", help="A folder of pictures or sources, a .csv or a .jsonl.")
    ],
    out: Annotated[str, typer.Option("-o", "--out", help="The CSV to write; the same command goes on.")],
    prompt: Annotated[
        str, typer.Option("--prompt", "-p", help="What they were made for, where INPUT does not say.")
    ] = "",
    medium: Annotated[
        str, typer.Option(help="How sources become pictures; by the file or its text by default.")
    ] = "",
    seed: Annotated[int, typer.Option(help="Of what is drawn: references, renderings.")] = 0,
) -> None:
    """Score pictures, sources or replies under a reward, and rank them: a CSV that salon diagnose reads."""
    from rich.console import Console
    from rich.progress import Progress

    from salon.outputs import check_outputs
    from salon.rewards.check import read_reward

    from .inputs import places_of, read_inputs
    from .work import score_rows

    reward = read_reward(recipe)
    target = Path(out)
    # A folder of pictures may hold its own scores: the same command goes on with them.
    check_outputs({"--out": out}, [None if Path(given).is_dir() else given, recipe])
    read = read_inputs(given, prompt, seed)
    for line in [*places_of(read.rows), *(f"not used: column {name!r}" for name in read.unused)]:
        typer.echo(line, err=True)
    with Progress(console=Console(stderr=True), transient=True) as bar:
        tasks = {}

        def tell(what: str, done: int, of: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=of)
            bar.update(tasks[what], completed=done)

        found = score_rows(reward, read.rows, target, medium, seed, tell)
    for line in summary(found):
        print(line)
    print(f"wrote {out}; next: salon diagnose {out} --recipe {recipe}")
    if all(each.reward.total is None for each in found):
        raise typer.Exit(1)


def summary(found: Sequence["Scored"]) -> list[str]:
    """How many have a reward and why others have none, and the best."""
    from salon.markup import printable

    rewarded = [each for each in found if each.reward.total is not None]
    groups = len({each.group for each in found})
    lines = [f"{len(found)} samples in {groups} groups: {len(rewarded)} with a reward"]
    failed = Counter(each.sample.failure.code for each in found if each.sample.failure)
    lost = Counter(term for each in found for term in each.missing)
    lines += [f"failed: {count} × {code}" for code, count in failed.most_common()]
    lines += [f"missing: {term} of {count} samples" for term, count in lost.most_common()]
    best = sorted(rewarded, key=lambda each: -(each.reward.total or 0.0))[:BEST]
    return [*lines, *(f"{each.reward.total:8.4f}  {printable(each.sample.id, 100)}" for each in best)]
