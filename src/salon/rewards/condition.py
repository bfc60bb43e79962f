"""`when`: the condition on a prompt under which a term applies.

    when: "'photo' not in prompt.tags"
    when: "prompt.meta.style == 'watercolour' or prompt.subject in ['rose', 'peony']"
    when: "labels.intent == 'strict'"

A small language in Python's syntax, read as a tree and never run as code: prompt.id, .text, .subject, .tags
and .meta, labels.<classifier>, texts, numbers, lists, ==, !=, in, not in, and, or, not. What a prompt's meta
does not have is the empty text. A number equals a text that reads as that number.
"""

import ast
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, cast

from salon.registry import did_you_mean
from salon.types import Prompt

Value = str | float | Sequence[str | float] | Mapping[str, str]
Type = Literal["text", "number", "tags", "meta", "list"]

MAX_CHARACTERS = 500
_FIELDS: Mapping[str, Type] = {
    "id": "text",
    "text": "text",
    "subject": "text",
    "tags": "tags",
    "meta": "meta",
}
_COMPARISONS = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that was read and checked. `labels` names the classifiers it asks."""

    text: str
    tree: ast.expr
    labels: frozenset[str]

    def holds(self, prompt: Prompt, labels: Mapping[str, str] | None = None) -> bool:
        """Whether it holds for a prompt; `labels` has the verdict of every classifier in `self.labels`."""
        return _truth(self.tree, prompt, labels or {})


@lru_cache(maxsize=256)
def parse_condition(text: str) -> Condition:
    """Read a condition.

    Raises:
        ValueError: it is not in the language; says which part and what to write instead.
    """
    tree = _tree(text)
    labels: set[str] = set()
    _check(tree, labels)
    return Condition(text=text, tree=tree, labels=frozenset(labels))


def _tree(text: str) -> ast.expr:
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"a condition has at most {MAX_CHARACTERS} characters, not {len(text)}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", SyntaxWarning)
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, SyntaxWarning, ValueError, RecursionError, MemoryError) as error:
        told = error.msg if isinstance(error, SyntaxError) else str(error)
        raise ValueError(f"not a condition ({told}). Write for example: 'photo' in prompt.tags") from error


def _check(node: ast.expr, labels: set[str]) -> None:
    """Refuse what is not in the language where a truth value stands, and collect the labels it names."""
    if isinstance(node, ast.BoolOp):
        for part in node.values:
            _check(part, labels)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        _check(node.operand, labels)
    elif isinstance(node, ast.Compare):
        _check_comparison(node, labels)
    elif isinstance(node, ast.Constant):
        raise ValueError(
            f"{_shown(node)} alone is the same for every prompt. Compare it: {_shown(node)} in prompt.tags"
        )
    elif _type(node, labels) == "list":
        raise ValueError(f"{_shown(node)} alone is the same for every prompt. Compare with it.")


def _check_comparison(node: ast.Compare, labels: set[str]) -> None:
    if len(node.ops) > 1:
        raise ValueError(f"{_shown(node)} compares three things. Write two comparisons, with `and`.")
    operator, right = node.ops[0], node.comparators[0]
    if not isinstance(operator, _COMPARISONS):
        raise ValueError(f"{_shown(node)}: only ==, !=, in and not in compare")
    left_type, right_type = _type(node.left, labels), _type(right, labels)
    if isinstance(operator, ast.Eq | ast.NotEq):
        for part, found in ((node.left, left_type), (right, right_type)):
            if found not in ("text", "number"):
                raise ValueError(f"{_shown(part)} is not one text. Write: 'word' in {_shown(part)}")
        return
    if right_type == "number" or left_type not in ("text", "number"):
        raise ValueError(f"{_shown(node)}: `in` finds a text in a text, a list, prompt.tags or prompt.meta")
    if left_type == "number" and right_type != "list":
        raise ValueError(f"{_shown(node)}: put the number in quotes, as the prompt's words are texts")


def _type(node: ast.expr, labels: set[str]) -> Type:
    """What kind of value an operand is."""
    if isinstance(node, ast.Constant):
        return _constant_type(node)
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        kinds = {_constant_type(each) if isinstance(each, ast.Constant) else "" for each in node.elts}
        if not node.elts or not kinds <= {"text", "number"}:
            raise ValueError(f"{_shown(node)}: a list holds texts and numbers, and at least one")
        return "list"
    owner, name = _path(node)
    if owner == "labels":
        labels.add(name)
        return "text"
    if owner == "meta":
        return "text"
    if name not in _FIELDS:
        raise ValueError(f"a prompt has no {name!r}.{did_you_mean(name, _FIELDS)}")
    return _FIELDS[name]


def _constant_type(node: ast.Constant) -> Type:
    if isinstance(node.value, str):
        return "text"
    if isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return "number"
    raise ValueError(f"{_shown(node)}: only texts in quotes and numbers are constants")


def _path(node: ast.expr) -> tuple[str, str]:
    """("prompt", field), ("meta", key) or ("labels", name)."""
    if isinstance(node, ast.Attribute):
        inner, name = node.value, node.attr
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        inner, name = node.value, node.slice.value
    elif isinstance(node, ast.Name):
        hint = " and `labels.<classifier>`" if node.id in ("prompt", "labels") else ""
        raise ValueError(
            f"{node.id!r} is no part of a prompt. Put words in quotes; write prompt.tags, prompt.subject,"
            f" prompt.meta.key{hint}"
        )
    else:
        raise ValueError(f"{_shown(node)} is not allowed. Allowed: prompt, labels, texts, numbers, lists")
    by_key = isinstance(node, ast.Subscript)
    if isinstance(inner, ast.Name) and isinstance(name, str) and inner.id in ("prompt", "labels"):
        if inner.id == "labels" or not by_key:
            return inner.id, name
    elif isinstance(inner, ast.Attribute) and isinstance(name, str) and _path(inner) == ("prompt", "meta"):
        return "meta", name
    raise ValueError(f"{_shown(node)} is not known. Write prompt.tags, prompt.meta['key'] or labels.name")


def _truth(node: ast.expr, prompt: Prompt, labels: Mapping[str, str]) -> bool:
    if isinstance(node, ast.BoolOp):
        parts = (_truth(part, prompt, labels) for part in node.values)
        return all(parts) if isinstance(node.op, ast.And) else any(parts)
    if isinstance(node, ast.UnaryOp):
        return not _truth(node.operand, prompt, labels)
    if not isinstance(node, ast.Compare):
        return bool(_value(node, prompt, labels))
    left = cast("str | float", _value(node.left, prompt, labels))
    right = _value(node.comparators[0], prompt, labels)
    operator = node.ops[0]
    if isinstance(operator, ast.Eq | ast.NotEq):
        return _equal(left, cast("str | float", right)) == isinstance(operator, ast.Eq)
    return _inside(left, right) == isinstance(operator, ast.In)


def _value(node: ast.expr, prompt: Prompt, labels: Mapping[str, str]) -> Value:
    if isinstance(node, ast.Constant):
        return cast("str | float", node.value)
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return [cast("str | float", cast(ast.Constant, each).value) for each in node.elts]
    owner, name = _path(node)
    if owner == "labels":
        return labels[name]
    if owner == "meta":
        return prompt.meta.get(name, "")
    fields: Mapping[str, Value] = {
        "id": prompt.id,
        "text": prompt.text,
        "subject": prompt.subject,
        "tags": prompt.tags,
        "meta": prompt.meta,
    }
    return fields[name]


def _equal(left: str | float, right: str | float) -> bool:
    if isinstance(left, str) == isinstance(right, str):
        return left == right
    text, number = (left, right) if isinstance(left, str) else (right, left)
    try:
        return float(text) == number
    except ValueError:
        return False


def _inside(item: str | float, container: Value) -> bool:
    if isinstance(container, str):
        return str(item) in container
    if isinstance(container, Mapping):
        return item in container
    return any(_equal(item, each) for each in cast("Sequence[str | float]", container))


def _shown(node: ast.expr) -> str:
    try:
        return ast.unparse(node)[:80]
    except RecursionError:
        return "a deeply nested part"
