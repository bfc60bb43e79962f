"""A sketch's syntax tree, reduced to what the checks ask: what is declared, what is called, what is read from
`brush`.

Comments and strings are not code, so nothing in them is ever found.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import tree_sitter_javascript
from tree_sitter import Language, Node, Parser

from salon.media.carried import Carried, measure_carried

CLOSES = {")": "(", "]": "[", "}": "{"}
OPENING = {"(", "[", "{", "${"}
GLOBAL_OBJECTS = {"window", "globalThis", "self"}

NAMING = {
    "variable_declarator": ("name", "value"),
    "assignment_expression": ("left", "right"),
    "assignment_pattern": ("left", "right"),
}
"""The nodes that give a value a name, and the fields of the two."""

HANDING_ON = {
    "arguments",
    "array",
    "arrow_function",
    "pair",
    "return_statement",
    "spread_element",
    "with_statement",
}
"""Where a value goes on to a place that the tree does not follow."""


@dataclass(frozen=True, slots=True)
class Use:
    """A name in use, on a line (from 1)."""

    name: str
    line: int


@dataclass(slots=True)
class Program:
    """What a source declares and uses. Names on `window.` count as names of their own.

    `tokens` is how long it is: names, numbers, operators, brackets; a text of whatever length is one, and
    comments are none. `canvas_elsewhere`: an object that is not defined here makes a canvas.
    """

    tokens: int = 0
    broken_line: int = 0
    truncated: bool = False
    functions: set[str] = field(default_factory=set[str])
    lexical: set[str] = field(default_factory=set[str])
    declared: set[str] = field(default_factory=set[str])
    names: list[Use] = field(default_factory=list[Use])
    calls: list[Use] = field(default_factory=list[Use])
    members: set[str] = field(default_factory=set[str])
    methods: list[Use] = field(default_factory=list[Use])
    brush: list[Use] = field(default_factory=list[Use])
    strings: list[Use] = field(default_factory=list[Use])
    imports: list[Use] = field(default_factory=list[Use])
    dynamic_brush: int = 0
    canvas_elsewhere: bool = False
    carried: Carried = field(default_factory=Carried)


@cache
def read_program(source: str) -> Program:
    """Parse `source`. A source that does not parse has `broken_line` set, and little else."""
    data = source.encode("utf-8", errors="replace")
    root = Parser(Language(tree_sitter_javascript.language())).parse(data).root_node
    program = Program()
    if root.has_error:
        _read_error(root, len(data.rstrip()), program)
        program.truncated = program.truncated or data.rfind(b"/*") > data.rfind(b"*/")
        return program
    nodes = list(_walk(root))
    program.tokens = sum(_is_token(node) for node in nodes)
    program.carried = measure_carried(nodes)
    for node in nodes:
        _read_declaration(node, program)
    aliases = {"brush"} - program.declared | _aliases(nodes)
    for node in nodes:
        _read_use(node, program, aliases)
    return program


def _walk(root: Node) -> Iterator[Node]:
    cursor = root.walk()
    while True:
        if cursor.node is not None:
            yield cursor.node
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def _is_token(node: Node) -> bool:
    """A leaf of the tree, or a whole string; neither a comment nor what stands inside of a string."""
    if node.type == "string":
        return True
    inside = node.parent is not None and node.parent.type == "string"
    return node.child_count == 0 and not inside and node.type not in ("comment", "html_comment")


def _text(node: Node | None) -> str:
    return node.text.decode("utf-8", errors="replace") if node is not None and node.text is not None else ""


def _line(node: Node) -> int:
    return node.start_point.row + 1


def _use(node: Node, name: str = "") -> Use:
    return Use(name or _text(node), _line(node))


def _read_error(root: Node, size: int, program: Program) -> None:
    """Where it breaks, and whether it only stops too early: something opened and never closed.

    A bracket that closes another than the last one opened is a mistake in the middle, wherever the source
    ends.
    """
    opened: list[str] = []
    missing_at_end = False
    for node in _walk(root):
        if node.is_missing:
            missing_at_end = missing_at_end or node.start_byte >= size
        elif node.child_count == 0 and node.type in OPENING:
            opened.append(node.type[-1])
        elif node.child_count == 0 and node.type in CLOSES and opened[-1:] != [CLOSES[node.type]]:
            program.broken_line = program.broken_line or _line(node)
            return
        elif node.child_count == 0 and node.type in CLOSES:
            opened.pop()
        if not program.broken_line and (node.is_missing or node.is_error):
            program.broken_line = _line(node)
    program.broken_line = program.broken_line or 1
    program.truncated = bool(opened) or missing_at_end


def _read_declaration(node: Node, program: Program) -> None:
    name = _text(node.child_by_field_name("name"))
    outermost = node.parent is not None and node.parent.type in ("program", "export_statement")
    match node.type:
        case "function_declaration" | "generator_function_declaration" | "class_declaration":
            program.declared.add(name)
            if outermost:
                program.functions.add(name)
        case "variable_declarator":
            names = _pattern_names(node.child_by_field_name("name"))
            program.declared |= names
            statement = node.parent
            if statement is not None and statement.parent is not None and statement.parent.type == "program":
                (program.functions if statement.type == "variable_declaration" else program.lexical).update(
                    names
                )
        case "formal_parameters" | "catch_clause":
            program.declared |= _pattern_names(node)
        case "arrow_function":
            program.declared |= _pattern_names(node.child_by_field_name("parameter"))
        case "assignment_expression":
            _read_assignment(node, program)
        case _:
            pass


def _read_assignment(node: Node, program: Program) -> None:
    """`window.setup = …` and a bare `setup = …` define globals, wherever they stand; `p.setup = …` is an
    instance's.
    """
    left = node.child_by_field_name("left")
    if left is None:
        return
    if left.type == "identifier":
        program.functions.add(_text(left))
    elif left.type == "member_expression" and _text(left.child_by_field_name("object")) in GLOBAL_OBJECTS:
        program.functions.add(_text(left.child_by_field_name("property")))


def _pattern_names(node: Node | None) -> set[str]:
    """The names that a declaration's pattern binds."""
    if node is None:
        return set()
    kinds = ("identifier", "shorthand_property_identifier_pattern")
    if node.type == "catch_clause":
        return _pattern_names(node.child_by_field_name("parameter"))
    return {_text(part) for part in _walk(node) if part.type in kinds}


def _aliases(nodes: list[Node]) -> set[str]:
    """Other names given to the library: `const b = brush`, `b = brush`, a parameter's default."""
    found: set[str] = set()
    for node in nodes:
        fields = NAMING.get(node.type)
        name = node.child_by_field_name(fields[0]) if fields else None
        if fields is None or name is None or name.type != "identifier":
            continue
        if _is_brush(node.child_by_field_name(fields[1]), {"brush"}):
            found.add(_text(name))
    return found


def _is_brush(node: Node | None, aliases: set[str]) -> bool:
    if node is None:
        return False
    if node.type == "parenthesized_expression":
        return _is_brush(node.named_child(0), aliases)
    if node.type == "identifier":
        return _text(node) in aliases
    return (
        node.type == "member_expression"
        and _text(node.child_by_field_name("property")) == "brush"
        and _text(node.child_by_field_name("object")) in GLOBAL_OBJECTS
    )


def _read_use(node: Node, program: Program, aliases: set[str]) -> None:
    match node.type:
        case "identifier" | "shorthand_property_identifier":
            program.names.append(_use(node))
            if _text(node) in aliases and _is_handed_on(node):
                program.dynamic_brush = program.dynamic_brush or _line(node)
        case "string":
            program.strings.append(_use(node, _text(node)[1:-1]))
        case "template_string":
            program.strings.append(_use(node, _text(node)[1:-1]))
        case "import" | "import_statement":
            program.imports.append(_use(node, "import"))
        case "call_expression" | "new_expression":
            _read_call(node, program)
        case "member_expression":
            _read_member(node, program, aliases)
        case "subscript_expression" if _is_brush(node.child_by_field_name("object"), aliases):
            _read_subscript(node, program)
        case "variable_declarator" | "assignment_expression" | "assignment_pattern":
            name, value = (node.child_by_field_name(field) for field in NAMING[node.type])
            if _is_brush(value, aliases):
                _read_destructuring(name, program)
        case _:
            pass


def _is_handed_on(node: Node) -> bool:
    """Whether the library itself is passed on whole, to be called by a name that is not here."""
    if node.type == "shorthand_property_identifier":
        return True
    above = node.parent
    while above is not None and above.type == "parenthesized_expression" and above.parent is not None:
        if above.parent.type == "with_statement":
            return True
        above = above.parent
    if above is None:
        return False
    if above.type == "assignment_expression":
        left = above.child_by_field_name("left")
        return left is not None and left.type not in ("identifier", "object_pattern")
    return above.type in HANDING_ON


def _read_call(node: Node, program: Program) -> None:
    called = node.child_by_field_name("function") or node.child_by_field_name("constructor")
    if called is None:
        return
    if called.type == "identifier":
        program.calls.append(_use(called))
    elif called.type == "member_expression":
        name = _use(node, _text(called.child_by_field_name("property")))
        on_global = _text(called.child_by_field_name("object")) in GLOBAL_OBJECTS
        (program.calls if on_global else program.methods).append(name)
        program.canvas_elsewhere |= name.name == "createCanvas" and _is_undeclared(called, program)


def _is_undeclared(method: Node, program: Program) -> bool:
    """Whether a method belongs to a name that the source does not define: another file's."""
    owner = method.child_by_field_name("object")
    return owner is not None and owner.type == "identifier" and _text(owner) not in program.declared


def _read_member(node: Node, program: Program, aliases: set[str]) -> None:
    owner, name = node.child_by_field_name("object"), _text(node.child_by_field_name("property"))
    program.members.add(name)
    if _is_brush(owner, aliases):
        program.brush.append(_use(node, name))
    elif _text(owner) in GLOBAL_OBJECTS:
        program.names.append(_use(node, name))


def _read_subscript(node: Node, program: Program) -> None:
    index = node.child_by_field_name("index")
    # A name with an escape in it is written to hide: it counts as one that is not known.
    if index is not None and index.type == "string" and "\\" not in _text(index):
        program.brush.append(_use(node, _text(index)[1:-1]))
    else:
        program.dynamic_brush = _line(node)


def _read_destructuring(pattern: Node | None, program: Program) -> None:
    if pattern is None or pattern.type != "object_pattern":
        return
    for part in pattern.named_children:
        key = part.child_by_field_name("key") if part.type == "pair_pattern" else part
        if key is not None and key.type in ("property_identifier", "shorthand_property_identifier_pattern"):
            program.brush.append(_use(part, _text(key)))
