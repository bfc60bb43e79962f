"""Which names of a program are its own: every use of a name is looked up from where it stands outwards, as
the language does it. A use that no declaration binds is of a name that was there before the program.
"""

from collections.abc import Iterator, Sequence

from .syntax_tree import Part
from .vocabulary import words

FUNCTIONS = words("""
    arrow_function class_static_block function_declaration function_expression generator_function
    generator_function_declaration method_definition program
""")
"""Where a `var` ends."""

SCOPES = FUNCTIONS | words("""
    catch_clause class class_declaration for_in_statement for_statement statement_block switch_body
""")

NAMED = words("class_declaration function_declaration generator_function_declaration")
HOISTED = words("function_declaration generator_function_declaration")
NAMED_INSIDE = words("class function_expression generator_function")
"""Whose own name is seen inside of them alone."""

PATTERNS = words("""
    array_pattern assignment_pattern object_assignment_pattern object_pattern pair_pattern
    parenthesized_expression rest_pattern
""")
USES = ("identifier", "shorthand_property_identifier")


class Scopes:
    """What each part of a program sees.

    Attributes:
        shared: names at its top that are the page's as well, where it runs there: of functions and `var`.
        undeclared: names that get a value, and that nothing declares.
        deepest: how many scopes stand inside one another.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._around: dict[Part, Part | None] = {}
        self._function: dict[Part, Part | None] = {}
        self._names: dict[Part, set[str]] = {}
        self._bound: dict[tuple[Part, str], bool] = {}
        self.deepest = 0
        self.shared: set[str] = set()
        self.undeclared: dict[str, Part] = {}
        self._place(parts)
        for part in parts:
            for scope, name in self._bindings(part):
                self._names.setdefault(scope, set()).add(name.text)
                if self._is_shared(part, scope):
                    self.shared.add(name.text)
        for target in (target for part in parts for target in targets_of(part)):
            if not self.binds(target):
                self.undeclared.setdefault(target.text, target)

    def function_of(self, part: Part) -> Part | None:
        """The nearest function around a part, or the program."""
        return self._function[part]

    def owner_of(self, part: Part) -> Part | None:
        """The function whose `this` a part sees: the nearest that is no arrow, or the program."""
        function = self._function[part]
        while function is not None and function.kind == "arrow_function":
            function = self._function[function]
        return function

    def _is_shared(self, part: Part, scope: Part) -> bool:
        """A function in a block at the top is seen there, and is a `var` of the page's as well."""
        function = self._function[part]
        if part.kind in HOISTED:
            return function is not None and function.kind == "program"
        return scope.kind == "program" and not part.within("lexical_declaration") and part.kind not in NAMED

    def _place(self, parts: Sequence[Part]) -> None:
        """The scope and the function around each part, from the outside: a walk outwards from each would take
        the square of the program's length.
        """
        depth: dict[Part | None, int] = {None: 0}
        for part in parts:
            above = part.parent
            if above is None:
                self._around[part] = self._function[part] = None
                continue
            self._around[part] = above if above.kind in SCOPES else self._around[above]
            self._function[part] = above if above.kind in FUNCTIONS else self._function[above]
            if part.kind in SCOPES:
                depth[part] = depth.get(self._around[part], 0) + 1
                self.deepest = max(self.deepest, depth[part])

    def binds(self, use: Part) -> bool:
        """Whether a declaration of the program's is what this identifier means."""
        name, scope = use.text, self._around[use]
        passed: list[tuple[Part, str]] = []
        found = False
        while scope is not None and not found:
            key = (scope, name)
            if key in self._bound:
                found = self._bound[key]
                break
            passed.append(key)
            found = name in self._names.get(scope, ())
            scope = self._around[scope]
        self._bound.update(dict.fromkeys(passed, found))
        return found

    def _bindings(self, part: Part) -> Iterator[tuple[Part, Part]]:
        """The names that a part declares, each with the scope that it is declared in."""
        match part.kind:
            case kind if kind in NAMED:
                yield from _in(self._around[part], part.fields.get("name"))
            case kind if kind in NAMED_INSIDE:
                yield from _in(part, part.fields.get("name"))
            case "variable_declarator":
                is_var = part.within("variable_declaration")
                yield from _in(self._body(part) if is_var else self._around[part], part.fields.get("name"))
            case "for_in_statement" if "kind" in part.fields:
                is_var = part.fields["kind"].text == "var"
                yield from _in(self._body(part) if is_var else part, part.fields.get("left"))
            case "formal_parameters":
                for child in part.children:
                    yield from _in(part.parent, child)
            case "arrow_function" | "catch_clause":
                yield from _in(part, part.fields.get("parameter"))
            case _:
                pass

    def _body(self, part: Part) -> Part | None:
        """Where a `var` is declared: the function's body, which its parameters' defaults do not see."""
        function = self._function[part]
        return function.fields.get("body", function) if function is not None else None


def _in(scope: Part | None, pattern: Part | None) -> Iterator[tuple[Part, Part]]:
    if scope is not None:
        yield from ((scope, name) for name in names_in(pattern))


def targets_of(part: Part) -> Iterator[Part]:
    """The names that a part gives a value to without declaring them, wherever they were declared."""
    is_loop = part.kind == "for_in_statement" and "kind" not in part.fields
    if is_loop or part.kind in ("assignment_expression", "augmented_assignment_expression"):
        yield from names_in(part.fields.get("left"))
    elif part.kind == "update_expression":
        yield from names_in(part.fields.get("argument"))


def names_in(pattern: Part | None) -> Iterator[Part]:
    """The names in a pattern that get a value. A default value stands there too, and gets none."""
    waiting = [pattern] if pattern is not None else []
    while waiting:
        part = waiting.pop()
        if part.kind in ("identifier", "shorthand_property_identifier_pattern"):
            yield part
        elif part.kind in PATTERNS:
            waiting += [child for child in part.children if child.field_name not in ("right", "key")]
