"""A recipe's names to living parts: judges, classifiers and scorers, built once, with errors that name the
key.
"""

import inspect
from collections.abc import Mapping
from typing import Any

from salon.errors import RecipeError
from salon.judges.preference_model import PreferenceModel, RaterModel
from salon.parts import built, made, parameters_of
from salon.registry import BUILTINS, resolve
from salon.types import Classifier, Judge, Rater, Scorer
from salon.variables import expand_env

from .recipe import JudgeSpec, RewardRecipe


def build_judges(recipe: RewardRecipe, ready: Mapping[str, Judge] | None = None) -> dict[str, Judge]:
    """The judges that some term uses, by name. `ready` ones (already loaded) are taken as they are."""
    judges = dict(ready or {})
    for term in recipe.terms.values():
        name = term.judge
        if name is None or name in judges:
            continue
        judges[name] = build_judge(recipe.judges[name], f"reward.judges.{name}")
    return judges


def build_judge(spec: JudgeSpec, where: str) -> Judge:
    """One judge, as a recipe says it. `where` is the key that messages name."""
    args = expand_env(spec.args, where, spec.kind)
    if isinstance(args.get("criteria"), Mapping) and "rubric" in args["criteria"]:
        args["criteria"] = _rubric(args["criteria"], f"{where}.criteria")
    return built("judge", spec.kind, args, where)


def build_model(name: str, args: Mapping[str, Any], where: str) -> PreferenceModel:
    """A preference model by the name of a scorer that has one (clip, pickscore, hpsv3 …), of a judge that
    rates single pictures (taste …), or as module:attribute.

    Raises:
        RecipeError: it rates no single pictures, or an argument is wrong; names the key.
        SetupError: something that it needs is not installed.
    """
    kind = "judge" if name in BUILTINS["judge"] else "scorer"
    model = built(kind, name, expand_env(dict(args), where, name), where)
    if isinstance(model, PreferenceModel):
        return model
    if isinstance(model, Rater):
        return RaterModel(model)
    raise RecipeError(
        f"{where}: {name!r} does not rate single pictures. Name a preference model, such as clip, or taste."
    )


def _rubric(criteria: Mapping[str, Any], where: str) -> str:
    """The text of {rubric: path}, as a judge is to read it."""
    if set(criteria) != {"rubric"}:
        raise RecipeError(f"{where}: write a text, {{file: path}} or {{rubric: path}}.")
    from salon.rubrics.rubric import load_rubric

    return load_rubric(criteria["rubric"]).text


def build_classifiers(recipe: RewardRecipe) -> dict[str, Classifier]:
    """The classifiers that some term's `when` asks, by name."""
    conditions = [term.condition for term in recipe.terms.values() if term.condition]
    named = sorted({label for condition in conditions for label in condition.labels})
    classifiers: dict[str, Classifier] = {}
    for name in named:
        spec, where = recipe.classifiers[name], f"reward.classifiers.{name}"
        classifiers[name] = built("classifier", spec.kind, expand_env(spec.args, where), where)
    return classifiers


def build_scorers(recipe: RewardRecipe, judges: Mapping[str, Judge], seed: int) -> dict[str, Scorer]:
    """One scorer per term. A scorer that takes `judge` or `seed` is handed the term's judge or the run's
    seed.
    """
    return {name: _scorer(recipe, name, judges, seed) for name in recipe.terms}


def build_term(recipe: RewardRecipe, name: str, seed: int = 0) -> tuple[Scorer, Judge | None]:
    """One term's scorer and the judge that it asks, without the others."""
    spec = recipe.terms[name].judge
    if spec is None:
        return _scorer(recipe, name, {}, seed), None
    judge = build_judge(recipe.judges[spec], f"reward.judges.{spec}")
    return _scorer(recipe, name, {spec: judge}, seed), judge


def build_scorer(name: str, args: Mapping[str, Any], where: str) -> Scorer:
    """A scorer that asks no judge, by its name or as module:attribute.

    Raises:
        RecipeError, SetupError: it is not known or cannot be built, or it needs a judge.
    """
    factory = resolve("scorer", name)
    judge = parameters_of(factory).get("judge")
    if judge is not None and judge.default is inspect.Parameter.empty and "judge" not in args:
        raise RecipeError(f"{where}: {name!r} asks a judge. Name a recipe, and one of its terms instead.")
    return made("scorer", factory, expand_env(dict(args), where), where, name)


def _scorer(recipe: RewardRecipe, name: str, judges: Mapping[str, Judge], seed: int) -> Scorer:
    term, where = recipe.terms[name], f"reward.terms.{name}"
    factory = resolve("scorer", term.scorer)
    accepted = parameters_of(factory)
    args: dict[str, Any] = expand_env(dict(term.args), f"{where}.args")
    if "seed" in accepted:
        args.setdefault("seed", seed)
    if term.judge is not None and "judge" not in accepted:
        raise RecipeError(f"{where}.judge: the scorer {term.scorer!r} asks no judge. Remove the key.")
    if term.judge is not None:
        args["judge"] = judges[term.judge]
    elif "judge" in accepted and accepted["judge"].default is inspect.Parameter.empty:
        raise RecipeError(f"{where}: the scorer {term.scorer!r} needs `judge: <name from reward.judges>`.")
    return made("scorer", factory, args, f"{where}.args", term.scorer)
