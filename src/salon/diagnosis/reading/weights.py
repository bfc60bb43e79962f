"""What each term weighs: as a recipe or --weights say, or as the total shows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from salon.diagnosis.pages.words import listed, percent
from salon.diagnosis.table import Floats, Table, Term
from salon.errors import RecipeError
from salon.number_text import decimal
from salon.registry import did_you_mean
from salon.rewards.recipe import load_reward

from .cells import MOST
from .scale import unit_of, with_scales
from .scheduled_weights import weighted

EXACT = 1e-4
"""A sum, or a product, that leaves this part of the variance is one."""


def with_weights(table: Table, recipe_file: str | None, pairs: Sequence[str]) -> Table:
    """Weights from a recipe, from --weights, from the total where it is a weighted sum; else all equal."""
    table = with_scales(table)
    if recipe_file:
        table = _from_recipe(table, recipe_file)
    if pairs:
        table = _from_flag(table, pairs)
    if table.weights_from == "recipe":
        return table
    # People weigh marks on 0–10 as if they lay in 0–1.
    terms = [replace(term, unit=unit_of(table.scales[term.name])) for term in table.terms]
    table = replace(table, terms=tuple(terms))
    if table.weights_from == "equal" and table.given_total_N is not None:
        return _from_total(table)
    return table


def named_weights(pairs: Sequence[str]) -> list[str]:
    """The terms that --weights names."""
    return [pair.partition("=")[0].strip() for text in pairs for pair in text.split(",")]


def named_terms(recipe_file: str) -> list[str]:
    """The terms of a reward recipe."""
    return list(load_reward(recipe_file).terms)


def _from_recipe(table: Table, file: str) -> Table:
    recipe = load_reward(file)
    given, names = recipe.terms, {term.name for term in table.terms}
    known = {name: term for name, term in given.items() if name in names}
    if not known:
        raise RecipeError(
            f"{file}: none of its terms ({', '.join(given)}) is a column of {table.source}."
            " Name columns and terms alike."
        )
    terms = [
        weighted(
            replace(term, role=known[term.name].role, entered_N=None), known[term.name].weight, table.step_N
        )
        if term.name in known
        else replace(term, weight=0.0, weight_N=None, role="monitor")
        for term in table.terms
    ]
    left = tuple(t.name for t in table.terms if t.name not in known and t.role != "monitor")
    reward = recipe.model_dump(mode="json", exclude_defaults=True)
    return replace(
        table,
        terms=tuple(terms),
        weights_from="recipe",
        unweighted=left,
        specs=reward["terms"],
        judges=reward.get("judges", {}),
        reward=reward,
    )


def _from_flag(table: Table, pairs: Sequence[str]) -> Table:
    given = _parsed(pairs, [term.name for term in table.terms], table.source)
    terms = [
        replace(term, weight=given.get(term.name, 0.0), weight_N=None, entered_N=None) for term in table.terms
    ]
    cast = tuple(_in_role(term) for term in terms)
    turned = {new.name for old, new in zip(terms, cast, strict=True) if old.role != "monitor" == new.role}
    turned |= set(table.unweighted)
    left = tuple(term.name for term in cast if term.name in turned and not term.weight)
    return replace(table, terms=cast, weights_from="flag", unweighted=left)


def _in_role(term: Term) -> Term:
    """A monitor with a weight is a reward; a reward without one is watched as a monitor."""
    if term.weight and term.role == "monitor":
        return replace(term, role="reward")
    return replace(term, role="monitor") if not term.weight and term.role == "reward" else term


def _parsed(pairs: Sequence[str], names: Sequence[str], where: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for pair in ",".join(pairs).split(","):
        name, equals, text = pair.partition("=")
        name = name.strip()
        if not equals:
            raise RecipeError(f"--weights {pair!r}: write it as term=number, for example --weights taste=0.6")
        if name not in names:
            raise RecipeError(f"--weights {pair!r}: {where} has no term {name!r}.{did_you_mean(name, names)}")
        if name in weights:
            raise RecipeError(f"--weights {pair!r}: {name} is given twice. Leave one out.")
        try:
            weights[name] = float(text)
        except ValueError as error:
            raise RecipeError(f"--weights {pair!r}: {text!r} is not a number. Write {name}=0.5.") from error
        if not abs(weights[name]) <= MOST:
            raise RecipeError(
                f"--weights {pair!r}: a weight is finite, and at most {MOST:g}. Write {name}=0.5."
            )
    if not any(weights.values()):
        raise RecipeError("--weights: all are 0, so every reward would be the same. Give one a weight.")
    return weights


def _from_total(table: Table) -> Table:
    """The weights of a total that is a weighted sum of the terms, found by least squares."""
    assert table.given_total_N is not None
    live = [term for term in table.terms if term.counts]
    if not live:
        return table
    values_NK = np.stack([*(term.raw_N for term in live), table.given_total_N], axis=1)
    known_MK = values_NK[~np.isnan(values_NK).any(axis=1)][:200_000]
    if len(known_MK) < 5 * len(live):
        return table
    # A gate is constant where all terms are there; its weight is then what is left over.
    moving_K = known_MK[:, :-1].std(axis=0) > 1e-12
    design = np.column_stack([known_MK[:, :-1][:, moving_K], np.ones(len(known_MK))])
    found, *_ = np.linalg.lstsq(design, known_MK[:, -1], rcond=None)
    left = known_MK[:, -1] - design @ found
    if left.var() > EXACT * known_MK[:, -1].var():
        told = _seems(known_MK, [term.name for term in live], float(left.var() / known_MK[:, -1].var()))
        note = f"The total is no weighted sum of the terms, so that it tells no weights: {told}."
        return replace(table, total_told=told, notes=(*table.notes, note))
    if np.linalg.matrix_rank(design) < design.shape[1]:
        told = "some terms are sums of others, so that many weights make the same total"
        return replace(table, total_told=told, notes=(*table.notes, f"The total tells no weights: {told}."))
    still = float(known_MK[0, :-1][~moving_K].sum())
    weight_K = np.full(len(live), found[-1] / still if still else 0.0)
    weight_K[moving_K] = found[:-1]
    weights = {t.name: round(float(weight * t.unit), 6) for t, weight in zip(live, weight_K, strict=True)}
    terms = [replace(term, weight=weights.get(term.name, term.weight)) for term in table.terms]
    return replace(table, terms=tuple(terms), weights_from="total")


def _seems(known_MK: Floats, names: Sequence[str], left: float) -> str:
    """What a total is that is no weighted sum; known_MK: the terms, and the total last."""
    terms_MK, total_M = known_MK[:, :-1], known_MK[:, -1]
    for what, values_M in (("smallest", terms_MK.min(axis=1)), ("largest", terms_MK.max(axis=1))):
        if np.corrcoef(values_M, total_M)[0, 1] ** 2 > 1 - EXACT:
            return f"it seems to be the {what} of {listed(names)}"
    above_M = (known_MK > 0).all(axis=1)
    if above_M.sum() >= max(20, 5 * len(names)):
        logs_MK = np.log(known_MK[above_M])
        design = np.column_stack([logs_MK[:, :-1], np.ones(len(logs_MK))])
        power, *_ = np.linalg.lstsq(design, logs_MK[:, -1], rcond=None)
        rest = float((logs_MK[:, -1] - design @ power).var())
        used = {name: each for name, each in zip(names, power.tolist(), strict=False) if abs(each) > 0.01}
        # No term is used where the total is the same wherever all are above 0.
        if used and rest <= EXACT * float(logs_MK[:, -1].var()):
            return f"it seems to be {_product(used)}"
    return (
        f"the nearest one leaves {percent(left)} of its variance, as where it is a product, is bounded, or"
        " holds a term that is not here"
    )


def _product(used: Mapping[str, float]) -> str:
    sizes = list(used.values())
    if max(sizes) - min(sizes) < 0.02:
        word = "product" if abs(sizes[0] - 1) < 0.02 else "geometric mean"
        return f"the {word} of {listed(list(used))}"
    return f"a product of powers: {listed([f'{name}^{decimal(power)}' for name, power in used.items()])}"
