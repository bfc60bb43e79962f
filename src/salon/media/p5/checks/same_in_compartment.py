"""Whether a program of the subset does the same in a compartment as on the page, where its medium allows any
method. What differs is `this` of plain functions, what is got from functions that give p5, and names that the
page and p5 know as well.
"""

from collections.abc import Iterator, Sequence, Set

from .scopes import USES, Scopes
from .subset import SILENT
from .syntax_tree import Part
from .vocabulary import words

HANDS_ON = words("await_expression binary_expression parenthesized_expression sequence_expression")
"""What hands on the value of what stands in it, and nothing else."""


def shared_names(parts: Sequence[Part]) -> frozenset[str] | None:
    """The names that a program would share with the page: it does the same in a compartment where the page
    has none of them. None where it does not in any case.
    """
    scopes, unused, strict = Scopes(parts), _unused(parts), _in_classes(parts)
    outside = _in_keys(parts) - strict
    differs = any(part in outside or _differs(part, scopes, unused) for part in parts if part not in strict)
    return None if differs else frozenset(scopes.shared | scopes.undeclared.keys())


def _differs(part: Part, scopes: Scopes, unused: Set[Part]) -> bool:
    match part.kind:
        case "this" | "super":
            return not _is_of_an_own(scopes.owner_of(part))
        case "identifier" | "shorthand_property_identifier" if part.text in SILENT:
            call = part.parent
            is_called = call is not None and call.kind == "call_expression" and part.field_name == "function"
            return not scopes.binds(part) and not (is_called and call in unused)
        case "meta_property":
            return True
        case _:
            return False


def _is_of_an_own(function: Part | None) -> bool:
    """Whether this is a method of an object that is written out."""
    if function is None:
        return False
    is_value = function.kind == "function_expression" and function.within("pair")
    return is_value or function.kind == "method_definition"


def _in_classes(parts: Sequence[Part]) -> set[Part]:
    """`this` and `super` in a class's body. That is strict everywhere; the computed name of a member is of
    the world outside.
    """
    found: set[Part] = set()
    for part in parts:
        above = part.parent
        outer = above.parent if above is not None else None
        if part.kind == "computed_property_name" and outer is not None and outer.kind == "class_body":
            inside = outer in found
        else:
            inside = above is not None and (above.kind == "class_body" or above in found)
        if inside:
            found.add(part)
    return _selves(found)


def _in_keys(parts: Sequence[Part]) -> set[Part]:
    """`this` and `super` in a computed name, which is not of the method that it names."""
    found: set[Part] = set()
    for part in parts:
        above = part.parent
        if above is not None and (above.kind == "computed_property_name" or above in found):
            found.add(part)
    return _selves(found)


def _selves(parts: Set[Part]) -> set[Part]:
    return {part for part in parts if part.kind in ("this", "super")}


def _unused(parts: Sequence[Part]) -> set[Part]:
    """Expressions whose value nobody gets: statements, and what these hand the value of on to."""
    read = {part.text for part in parts if part.kind in USES and not _is_given_a_value(part)}
    found: set[Part] = set()
    for part in parts:
        above = part.parent
        if above is not None and any(_ways_unused(part, above, found, read)):
            found.add(part)
    return found


def _ways_unused(part: Part, above: Part, found: Set[Part], read: Set[str]) -> Iterator[bool]:
    yield above.kind == "expression_statement"
    yield above.kind == "for_statement" and part.field_name == "increment"
    is_kept = part.field_name in ("value", "right") and _is_unread(above, read)
    yield is_kept and (above.kind == "variable_declarator" or above in found)
    is_branch = above.kind == "ternary_expression" and part.field_name != "condition"
    yield above in found and (above.kind in HANDS_ON or is_branch)


def _is_given_a_value(part: Part) -> bool:
    if part.within("variable_declarator"):
        return part.field_name == "name"
    return part.within("assignment_expression") and part.field_name == "left"


def _is_unread(part: Part, read: Set[str]) -> bool:
    """Whether a part gives a value to a name that nothing reads."""
    place = {"variable_declarator": "name", "assignment_expression": "left"}.get(part.kind, "")
    name = part.fields.get(place)
    return name is not None and name.kind == "identifier" and name.text not in read
