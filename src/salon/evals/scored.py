"""What a scorer is worth on a benchmark of pairs: each picture is scored once for its prompt, and a pair goes
to the picture with the higher number.

There is no order, so no position gap. A difference of at most `tie`, in the scorer's own units, is a tie.
"""

import math
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from salon import validation
from salon.errors import RecipeError, StageError, boundary
from salon.judges.measuring.accuracy import PairResult
from salon.judges.measuring.labelled_pairs import LabelledPair, PictureSource
from salon.judges.preference_model import model_of
from salon.judges.source_image import SOURCE
from salon.llm.threads import at_once
from salon.markup import plain_markdown
from salon.registry import did_you_mean
from salon.rewards.build import build_scorer, build_term
from salon.rewards.recipe import load_reward
from salon.types import Group, GroupScorer, Judge, Prompt, Sample, Score, Scorer, Verdict

BATCH = 32
Key = tuple[str, PictureSource | None]
"""What a picture is scored for: a prompt's text, and the picture before."""


@dataclass(frozen=True, slots=True)
class Scored:
    """How many pictures were scored, and what is missing of them, by code."""

    pictures: int
    missing: dict[str, int]

    def line(self) -> str:
        """For people."""
        lost = ", ".join(f"{count} × {plain_markdown(code, 200)}" for code, count in self.missing.items())
        told = f"{self.pictures - sum(self.missing.values())} of {self.pictures} pictures have a score"
        return f"{told}; missing: {lost}." if lost else f"{told}."


@dataclass(frozen=True, slots=True)
class NamedScorer:
    """A scorer with its name for reports. `before` is the key of a prompt's meta where it looks for the
    picture before an edit.
    """

    identity: str
    scorer: Scorer
    before: str = SOURCE


def scorer_of(name: str, settings: Sequence[str] = (), recipe: str | None = None) -> NamedScorer:
    """A scorer by its built-in name or as module:attribute; with a recipe, one of its terms.

    Args:
        settings: `key=value` lines, the values YAML: the scorer's arguments.

    Raises:
        RecipeError, SetupError: it is not known or cannot be built, it compares the samples of a group, or
            its server does not answer.
    """
    args: dict[str, Any] = {}
    judge: Judge | None = None
    if recipe is None:
        for line in settings:
            validation.set_key(args, line)
        scorer = build_scorer(name, args, "--set")
    else:
        scorer, judge, args = _term(recipe, name, settings)
    if isinstance(scorer, GroupScorer):
        raise RecipeError(
            f"--scorer {name}: it compares the samples of a group. Name one that scores each picture."
        )
    identity = model_of(scorer, name) or f"version {scorer.version}"
    identity += f", judge {judge.identity}" if judge else ""
    return NamedScorer(f"{name} {identity}", scorer, str(args.get("before") or SOURCE))


def _term(file: str, name: str, settings: Sequence[str]) -> tuple[Scorer, Judge | None, dict[str, Any]]:
    """A recipe's term with the judge that it asks, with arguments over what it says."""
    recipe = load_reward(file)
    if name not in recipe.terms:
        hint = did_you_mean(name, recipe.terms)
        raise RecipeError(f"{file}: --scorer {name!r} is not in its `terms`.{hint}")
    args = dict(recipe.terms[name].args)
    for line in settings:
        validation.set_key(args, line)
    term = recipe.terms[name].model_copy(update={"args": args})
    changed = recipe.model_copy(update={"terms": {**recipe.terms, name: term}})
    return *build_term(changed, name), args


def results_of(
    named: NamedScorer,
    pairs: Sequence[LabelledPair],
    tie: float = 0.0,
    tell: Callable[[int, int], None] = lambda done, of: None,
    groups_at_once: int = 1,
) -> tuple[list[PairResult], Scored]:
    """Score the pictures of all pairs, and pair them by difference; in the order of `pairs`.

    Args:
        tie: the largest difference that is a tie, in the scorer's units.
        tell: hears how many pairs are done.
        groups_at_once: prompts at once; a scorer that asks a server gains from more.

    Returns:
        the results (both "orders" of one have the same answer), and how many pictures have a score.
    """
    if not (math.isfinite(tie) and tie >= 0):
        raise RecipeError(f"--tie {tie:g}: is a difference of scores, 0 or more.")
    wanted: dict[Key, list[LabelledPair]] = {}
    for pair in pairs:
        wanted.setdefault((pair.prompt.text, pair.before), []).append(pair)
    done = 0

    def one(key: Key) -> Mapping[PictureSource, Score]:
        nonlocal done
        found = _scores(named, wanted[key])
        done += len(wanted[key])
        tell(done, len(pairs))
        return found

    scores = dict(zip(wanted, at_once(one, list(wanted), groups_at_once), strict=True))
    each = [score for found in scores.values() for score in found.values()]
    lost = Counter(score.failure.code for score in each if score.failure is not None)
    scored = Scored(len(each), dict(sorted(lost.items())))
    return [_duel(named.identity, pair, scores[pair.prompt.text, pair.before], tie) for pair in pairs], scored


def _scores(named: NamedScorer, pairs: Sequence[LabelledPair]) -> dict[PictureSource, Score]:
    """The scores of all pictures of pairs that share a prompt and a picture before."""
    sources = list(dict.fromkeys(source for pair in pairs for source in (pair.a, pair.b)))
    with tempfile.TemporaryDirectory(prefix="salon-before-") as folder:
        try:
            prompt = _prompt(pairs[0], named.before, Path(folder))
        except StageError as error:
            return dict.fromkeys(sources, Score(None, error.failure))
        found: dict[PictureSource, Score] = {}
        by_content: dict[str, Score] = {}
        for part in _parts(sources):
            found |= _scored(named.scorer, prompt, part, by_content)
        return found


def _prompt(pair: LabelledPair, key: str, folder: Path) -> Prompt:
    """The pair's prompt; of an edit with a file of the picture before in its meta, where scorers look."""
    if pair.before is None:
        return pair.prompt
    file = folder / "before.png"
    file.write_bytes(pair.before.load().png)
    return replace(pair.prompt, meta={**pair.prompt.meta, key: str(file)})


def _parts(sources: Sequence[PictureSource]) -> Iterator[Sequence[PictureSource]]:
    yield from (sources[at : at + BATCH] for at in range(0, len(sources), BATCH))


def _scored(
    scorer: Scorer, prompt: Prompt, sources: Sequence[PictureSource], known: dict[str, Score]
) -> dict[PictureSource, Score]:
    """A score per source. `known` has those of pictures by content: the same picture is scored once."""
    found: dict[PictureSource, Score] = {}
    samples: dict[str, Sample] = {}
    keys: dict[PictureSource, str] = {}
    for source in sources:
        try:
            picture = source.load()
        except StageError as error:
            found[source] = Score(None, error.failure)
            continue
        keys[source] = picture.key
        if picture.key not in known:
            samples[picture.key] = Sample(picture.key, prompt, "", picture=picture)
    if samples:
        group = Group(prompt, tuple(samples.values()))
        known |= dict(zip(samples, _asked(scorer, group), strict=True))
    return found | {source: known[key] for source, key in keys.items()}


def _asked(scorer: Scorer, group: Group) -> Sequence[Score]:
    """One score per sample, whatever the scorer does."""
    with boundary("score") as caught:
        found = scorer.score(group)
        if len(found) != len(group.samples):
            raise ValueError(f"{len(found)} scores for {len(group.samples)} pictures")
        return found
    assert caught.failure is not None
    return [Score(None, caught.failure)] * len(group.samples)


def _duel(identity: str, pair: LabelledPair, scores: Mapping[PictureSource, Score], tie: float) -> PairResult:
    winner, loser = scores[pair.first], scores[pair.second]
    for score in (winner, loser):
        if score.failure is not None:
            return PairResult(pair, score.failure, score.failure)
    won, lost = _of_aspect(winner, pair.aspect), _of_aspect(loser, pair.aspect)
    p = chance_of(won - lost, tie)
    told = f"{won:g} against {lost:g}"
    margin = lost - won if pair.label == "b" else won - lost
    return PairResult(pair, Verdict(p, identity, told), Verdict(1.0 - p, identity, told), margin)


def _of_aspect(score: Score, aspect: str) -> float:
    """What a score says of what people were asked about: that detail of it, else its value."""
    assert score.value is not None
    names = (aspect, *_ASPECTS.get(aspect, ()))
    return next((score.details[name] for name in names if name in score.details), score.value)


_ASPECTS: Mapping[str, tuple[str, ...]] = {"prompt_following": ("following",)}
"""What our scorers call what a benchmark asks about."""


def chance_of(difference: float, tie: float = 0.0) -> float:
    """0.5 for a tie; else rising with the difference, and never 0.5: 1 / (1 + exp(−difference)).

    Example: a difference of 1.1 is .75.
    """
    if abs(difference) <= tie:
        return 0.5
    p = 0.5 * (1.0 + math.tanh(difference / 2.0))
    if difference > 0:
        return max(p, math.nextafter(0.5, 1.0))
    return min(p, math.nextafter(0.5, 0.0))
