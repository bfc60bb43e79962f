"""`salon rubric generate`: from pairs to a verified rubric in a folder, and a report.

<out>/steps.jsonl               every step, append-only
<out>/rubric.yaml, .md, .txt    the rubric: the file to edit, for people, and as judges get it
<out>/report.md, report.json
"""

import hashlib
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from salon.errors import RecipeError, StageError
from salon.judges.measuring.accuracy import PairResult, ask
from salon.judges.measuring.labelled_pairs import LabelledPair
from salon.judges.measuring.probe import criteria_problems
from salon.judges.vlm.few_shot import FewShotExamples, guides_of
from salon.rubrics.asking import Author
from salon.rubrics.journal import Journal, Step
from salon.rubrics.rubric import Rubric
from salon.store.record import explain_difference
from salon.store.runs import write_atomic
from salon.types import Failure, Judge

from . import arr, briefs, control
from . import structure as structuring
from .arr import Generation, Plan, Trial
from .control import CriteriaAblation, controls, rates
from .pairs import load_pairs
from .recipe import RubricRecipe, build_author, build_judge, build_verifier
from .report import ControlReport, Effect, RubricReport, effect_of
from .structure import structure
from .verify import JudgeFactory, TakesGuides, Verifier

if TYPE_CHECKING:
    from rich.console import Console

Tell = Callable[[str, int, int], None]


WRITES = ("steps.jsonl", "rubric.yaml", "rubric.md", "rubric.txt", "report.md", "report.json")
"""What stands in the folder in the end."""


class BegunStep(Step):
    """The settings that all other steps were made by."""

    settings: dict[str, Any]


STEPS: Mapping[str, type[Step]] = {
    "begun": BegunStep,
    **arr.STEPS,
    **control.STEPS,
    **structuring.STEPS,
}


def generate(
    pairs_file: str, recipe: RubricRecipe, out: str | Path, console: "Console", partial: bool = False
) -> RubricReport:
    """Make a rubric, or go on with one, and write the report.

    Args:
        pairs_file: pairs.jsonl. out: the folder; the same recipe goes on there.
        partial: merge what is verified even while pairs are open.

    Raises:
        RecipeError: a file or the recipe is wrong, or the folder holds the work of other settings.
        StageError: the author did not answer when the rubric was merged.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    pairs, held_out = split(load_pairs(pairs_file), recipe)
    author = build_author(recipe.author)
    judge, guide = build_judge(recipe.judge) if recipe.judge else (None, None)
    verifier = build_verifier(recipe, author, judge, guide)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
    )
    with bar:
        tasks: dict[str, Any] = {}

        def tell(what: str, done: int, of: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=of)
            bar.update(tasks[what], completed=done)

        making = Making(author, verifier, judge, guide, recipe)
        refuse_seen(making.guides, held_out)
        _refuse_deaf(making)
        return make(making, pairs, held_out, Path(out), tell, partial=partial)


def _refuse_deaf(making: "Making") -> None:
    """Before anything is spent: a judge that is to go by criteria must do so. Raises RecipeError."""
    if making.judge is None or making.guide is None:
        return
    if problems := criteria_problems(making.judge):
        told = "\n".join(f"  judge: {problem}" for problem in problems)
        raise RecipeError(f"the judge fails its start-up check:\n{told}")


class Making:
    """Who takes part in the making of one rubric."""

    def __init__(
        self,
        author: Author,
        verifier: Verifier,
        judge: Judge | None,
        guide: JudgeFactory | None,
        recipe: RubricRecipe,
    ) -> None:
        self.author, self.verifier, self.judge, self.guide, self.recipe = (
            author,
            verifier,
            judge,
            guide,
            recipe,
        )
        self.plan: Plan = recipe.plan()
        own = judge.guides if isinstance(judge, TakesGuides) else FewShotExamples()
        self.guides = own or guides_of(recipe.guides or "")

    def settings(self) -> dict[str, Any]:
        """What decides the outcome: other settings belong into another folder."""
        guides = "\0".join(
            part if isinstance(part, str) else part.key for m in self.plan.guides for part in m.parts
        )
        return {
            "author": self.author.identity,
            "verifier": self.verifier.identity,
            "briefs": briefs.version(),
            "t_max": self.plan.t_max,
            "criteria": self.plan.criteria,
            "check_wording": self.plan.check_wording,
            "guides": hashlib.sha256(guides.encode()).hexdigest()[:12] if guides else None,
        }


def make(
    making: Making,
    pairs: Sequence[LabelledPair],
    held_out: Sequence[LabelledPair],
    out: Path,
    tell: Tell = lambda what, done, of: None,
    partial: bool = False,
) -> RubricReport:
    """Generate, verify, refine, discard, structure, measure; write the folder. See `generate`."""
    recipe = making.recipe
    keyed = identified(pairs, lambda done: tell("reading pictures", done, len(pairs)))
    with Journal(out / "steps.jsonl", STEPS) as journal:
        _begin(journal, making.settings())
        generation = Generation(
            making.author, making.verifier, journal, making.plan, lambda done, of: tell("pairs", done, of)
        )
        trials = generation.run(keyed)
        found = _controls(making, trials, keyed, journal, tell)
        rubric = _merged(making, trials, found, journal, partial)
    effect = _effect(making, rubric.text, held_out, tell) if rubric and held_out else None
    identities = {"author": making.author.identity, "verifier": making.verifier.identity}
    control = control_of(found, keyed, trials, recipe) if found is not None else None
    report = RubricReport(tuple(trials), recipe.t_max, rubric, effect, identities, control)
    _write(report, out)
    return report


def split(pairs: list[LabelledPair], recipe: RubricRecipe) -> tuple[list[LabelledPair], list[LabelledPair]]:
    """(pairs to learn from, pairs to measure on). A share is drawn by prompt, so that no prompt is on both
    sides; by pair where there are fewer than five prompts.
    """
    if recipe.held_out is None:
        return pairs, []
    if isinstance(recipe.held_out, str):
        return pairs, load_pairs(recipe.held_out)
    names = [pair.prompt.id for pair in pairs]
    keys = names if len(set(names)) >= 5 else [pair.id for pair in pairs]
    order = sorted(set(keys))
    random.Random(recipe.seed).shuffle(order)
    kept = set(order[: max(1, round(recipe.held_out * len(order)))])
    both = [
        [pair for pair, key in zip(pairs, keys, strict=True) if (key in kept) == held]
        for held in (False, True)
    ]
    if not both[0]:
        raise RecipeError(f"held_out: {recipe.held_out} of {len(pairs)} pairs leaves none to learn from")
    return both[0], both[1]


def identified(
    pairs: Sequence[LabelledPair], tell: Callable[[int], None] = lambda done: None
) -> list[LabelledPair]:
    """The pairs, with a hash of prompt, pictures and label behind their id: changed under the same id, it is
    another pair.

    Raises:
        RecipeError: a picture cannot be read, a pair shows one picture twice, or two pairs show the same two
            for one prompt, which would count twice, or against each other; names the pairs.
    """
    named: list[LabelledPair] = []
    seen: dict[tuple[str, ...], LabelledPair] = {}
    for pair in pairs:
        a, b, *before = _picture_keys(pair)
        if a == b:
            raise RecipeError(
                f"pair {pair.id}: a and b are the same picture in two files. Take its line out."
            )
        known = seen.setdefault((pair.prompt.text, min(a, b), max(a, b), *before), pair)
        if known is not pair:
            raise RecipeError(
                f"pairs {known.id} and {pair.id} show the same two pictures for one prompt. Keep one of them,"
                " with the label that was given most often."
            )
        shown = "\0".join([pair.prompt.text, a, b, pair.label, *before])
        named.append(replace(pair, id=f"{pair.id}@{hashlib.sha256(shown.encode()).hexdigest()[:8]}"))
        tell(len(named))
    return named


def _picture_keys(pair: LabelledPair) -> tuple[str, ...]:
    """Of a and b, and of the picture before, where they are edits."""
    sources = [pair.a, pair.b, *([pair.before] if pair.before else [])]
    try:
        return tuple(source.load().key for source in sources)
    except StageError as error:
        raise RecipeError(
            f"pair {pair.id}: {error.failure.message}. Write the picture anew, or take the pair's line out."
        ) from error


def _counts(found: CriteriaAblation | Failure) -> bool:
    return isinstance(found, CriteriaAblation) and found.counts


def _begin(journal: Journal, settings: dict[str, Any]) -> None:
    begun = next((step for step in journal.steps if step["step"] == "begun"), None)
    if begun is None:
        journal.append({"step": "begun", "settings": settings})
    elif begun["settings"] != settings:
        raise RecipeError(
            f"{journal.path}: was begun with other settings. Take another folder, or go back to them:\n"
            + explain_difference(begun["settings"], settings)
        )


def _controls(
    making: Making, trials: Sequence[Trial], pairs: Sequence[LabelledPair], journal: Journal, tell: Tell
) -> dict[str, CriteriaAblation | Failure] | None:
    """The control of every settled pair; None where there is none to be made."""
    judge, guide, recipe = making.judge, making.guide, making.recipe
    if not recipe.control or judge is None or guide is None:
        return None
    return controls(
        trials, pairs, judge, guide, journal, recipe.concurrency, lambda done, of: tell("control", done, of)
    )


def control_of(
    found: Mapping[str, CriteriaAblation | Failure],
    pairs: Sequence[LabelledPair],
    trials: Sequence[Trial],
    recipe: RubricRecipe,
) -> ControlReport:
    """What the control came to, over all pairs that all three ways were answered for."""
    made = [each for each in found.values() if isinstance(each, CriteriaAblation)]
    lost = [each for each in found.values() if isinstance(each, Failure)]
    verified = {trial.pair for trial in trials if trial.state(recipe.t_max) == "verified"}
    return ControlReport(
        rates=tuple(rates(made, pairs, recipe.seed)),
        verified=len(verified),
        counting=sum(each.counts for each in made if each.pair in verified),
        controls=tuple(made),
        lost=tuple(lost),
    )


def _merged(
    making: Making,
    trials: Sequence[Trial],
    controlled: Mapping[str, CriteriaAblation | Failure] | None,
    journal: Journal,
    is_partial: bool,
) -> Rubric | None:
    """The rubric of what was verified and, where there was a control, counts."""
    recipe = making.recipe
    states = [trial.state(recipe.t_max) for trial in trials]
    lost = any(isinstance(each, Failure) for each in (controlled or {}).values())
    if ("open" in states or lost) and not is_partial:
        return None
    verified = [
        trial.criteria
        for trial, state in zip(trials, states, strict=True)
        if state == "verified" and (controlled is None or _counts(controlled[trial.pair]))
    ]
    if not verified:
        return None
    found = structure(making.author, verified, journal, recipe.themes, recipe.tips)
    made = {
        **making.settings(),
        "control": "none" if controlled is None else f"{len(verified)} of {states.count('verified')} count",
        **{state: states.count(state) for state in ("verified", "discarded", "open")},
        "source": "arXiv 2605.08354",
    }
    return Rubric(name=recipe.name, summary=found.summary, themes=found.themes, made=made)


def _effect(making: Making, rubric: str, held_out: Sequence[LabelledPair], tell: Tell) -> Effect | None:
    """The judge on the held-out pairs: as it is, with the rubric, and with the rubric and guides. None where
    it cannot go by a rubric.
    """
    judge, guide, seed = making.judge, making.guide, making.recipe.seed
    if judge is None or guide is None:
        return None
    if not isinstance(judge, TakesGuides) or not making.guides:
        bare = _ask(judge, held_out, "without the rubric", tell)
        return effect_of(bare, _ask(guide(rubric), held_out, "with the rubric", tell), seed)
    plain, shown = judge.with_guides(FewShotExamples()), judge.with_guides(making.guides)
    return effect_of(
        _ask(plain, held_out, "without the rubric", tell),
        _ask(plain.with_criteria(rubric), held_out, "with the rubric", tell),
        seed,
        _ask(shown.with_criteria(rubric), held_out, "with the rubric and guides", tell),
    )


def refuse_seen(guides: FewShotExamples, held_out: Sequence[LabelledPair]) -> None:
    """Refuse to measure a judge on a pair that its guides show with the answer.

    Raises:
        RecipeError: names the pair.
    """
    known = {frozenset((each.preferred.key, each.dispreferred.key)) for each in guides.all}
    for pair in held_out if known else ():
        if frozenset(_picture_keys(pair)[:2]) in known:
            raise RecipeError(
                f"guides: show the pair {pair.id}, which is held out to measure on. Take exemplars from pairs"
                " that are used for nothing else."
            )


def _ask(judge: Judge, pairs: Sequence[LabelledPair], what: str, tell: Tell) -> list[PairResult]:
    return list(ask(judge, pairs, lambda done, of: tell(what, done, of)))


def _write(report: RubricReport, out: Path) -> None:
    if report.rubric:
        report.rubric.save(out / "rubric.yaml")
        write_atomic(out / "rubric.md", report.rubric.markdown().encode("utf-8", "replace"))
        write_atomic(out / "rubric.txt", report.rubric.text.encode("utf-8", "replace") + b"\n")
    write_atomic(out / "report.md", report.markdown().encode("utf-8", "replace"))
    row = json.dumps(report.row(), indent=2, ensure_ascii=False)
    write_atomic(out / "report.json", row.encode("utf-8", "replace") + b"\n")
