"""Which words of a prompt's meta a reward reads, so that a column of such a name is understood as meta."""

import ast
import json
import re
from collections.abc import Iterator

from salon.rewards.recipe import RewardRecipe, Term

_IN_BRACES = re.compile(r"(?<!\$)\{([^\W\d]\w*)\}")
_READ_BY = {
    "palette": "colour",
    "text_in_picture": "wanted_text",
    "checklist": "checklist",
    "constraints": "constraints",
}
_OF_PROMPT = ("text", "subject")


def meta_read(recipe: RewardRecipe) -> frozenset[str]:
    """The keys of meta that a reward's terms and judges read."""
    found = {key for term in recipe.terms.values() for key in meta_of(term)}
    found |= {str(before) for judge in recipe.judges.values() if (before := judge.args.get("before"))}
    return frozenset(found)


def meta_of(term: Term) -> frozenset[str]:
    """The keys of meta that a term reads: what its scorer looks for, what stands in braces in its arguments,
    and what `when` names.
    """
    said = set(_IN_BRACES.findall(json.dumps(dict(term.args), default=str))) - set(_OF_PROMPT)
    said |= {str(term.args[key]) for key in ("meta", "before") if isinstance(term.args.get(key), str)}
    named = _READ_BY.get(term.scorer)
    said |= {named} if named and "meta" not in term.args else set()
    return frozenset(said | (set(_in_condition(term.condition.tree)) if term.condition else set()))


def reads_anything(recipe: RewardRecipe) -> bool:
    """Whether a part of somebody's own may read what we cannot know of."""
    parts = [*(term.scorer for term in recipe.terms.values())]
    parts += [each.kind for each in (*recipe.judges.values(), *recipe.classifiers.values())]
    return any(":" in part for part in parts)


def _in_condition(tree: ast.expr) -> Iterator[str]:
    for node in ast.walk(tree):
        inner = node.value if isinstance(node, ast.Attribute | ast.Subscript) else None
        if not isinstance(inner, ast.Attribute) or inner.attr != "meta":
            continue
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            yield str(node.slice.value)
