"""A sketch's syntax tree, reduced to what the checks ask: what is declared, what is called, what is read from
`brush`.

Comments and strings are not code, so nothing in them is ever found.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from .embedded_data import Carried, measure_carried
from .same_in_compartment import shared_names
from .subset import find_beyond
from .syntax_tree import Part, TooComplex, read_tree
from .trivia import without_trivia

CLOSES = {")": "(", "]": "[", "}": "{"}
OPENING = {"(", "[", "{", "${"}
GLOBAL_OBJECTS = {"window", "globalThis", "self"}

NAMING = {
    "variable_declarator": ("name", "value"),
    "assignment_expression": ("left", "right"),
    "assignment_pattern": ("left", "right"),
}
"""The nodes that give a value a name, and the fields of the two."""

PATTERNS = {
    "array_pattern",
    "assignment_pattern",
    "formal_parameters",
    "object_assignment_pattern",
    "object_pattern",
    "pair_pattern",
    "rest_pattern",
}
"""What a declaration's names stand in. A default value stands there too, and declares nothing."""

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


KEPT_PROGRAMS = 64
LONGEST_KEPT = 20_000
"""Characters: a program takes some twenty times its source, so that longer ones are read anew."""

TEXTS = {"string_fragment", "regex_pattern"}
TEXT_OF_A_TOKEN = 16
"""Bytes of a text that count as one token. The pool has no longer text; what a program has in them counts."""

LONGEST_NAME = 200
"""Characters of a text or a name that are looked at."""


@dataclass(slots=True)
class Program:
    """What a source declares and uses; each name in use with its first line (from 1), in order. Names on
    `window.` count as names of their own.

    `tokens` is how long it is: names, numbers, operators, brackets; a text is one for each TEXT_OF_A_TOKEN
    bytes, and comments are none. `canvas_elsewhere`: an object that is not defined here makes a canvas.
    `too_complex`: the parser gave up. `text`: what runs, the source without comments; "" where it does not
    parse. `beyond`: what of it is beyond the subset of the language that a list of methods allows, and its
    line. `shared`: the names that it would share with the page, where it is within that and needs no more.
    """

    tokens: int = 0
    broken_line: int = 0
    truncated: bool = False
    too_complex: bool = False
    functions: set[str] = field(default_factory=set[str])
    lexical: set[str] = field(default_factory=set[str])
    declared: set[str] = field(default_factory=set[str])
    names: dict[str, int] = field(default_factory=dict[str, int])
    calls: dict[str, int] = field(default_factory=dict[str, int])
    members: set[str] = field(default_factory=set[str])
    methods: dict[str, int] = field(default_factory=dict[str, int])
    brush: dict[str, int] = field(default_factory=dict[str, int])
    strings: dict[str, int] = field(default_factory=dict[str, int])
    imports: list[int] = field(default_factory=list[int])
    dynamic_brush: int = 0
    canvas_elsewhere: bool = False
    carried: Carried = field(default_factory=Carried)
    text: str = ""
    beyond: tuple[str, int] | None = None
    shared: frozenset[str] | None = None


def read_program(source: str) -> Program:
    """Parse `source`. A source that does not parse has `broken_line` set, and little else."""
    return _kept_program(source) if len(source) <= LONGEST_KEPT else _read_program(source)


def _read_program(source: str) -> Program:
    data = source.encode("utf-8", errors="replace")
    program = Program()
    try:
        parts = read_tree(data)
    except TooComplex:
        program.too_complex, program.broken_line = True, 1
        return program
    if any(part.is_error or part.is_missing for part in parts):
        _read_error(parts, len(data.rstrip()), program)
        program.truncated = program.truncated or data.rfind(b"/*") > data.rfind(b"*/")
        return program
    program.tokens = sum(map(_tokens, parts))
    program.text = without_trivia(parts, data)
    program.carried = measure_carried(parts, program.text)
    for part in parts:
        _read_declaration(part, program)
    aliases = {"brush"} - program.declared | _aliases(parts)
    for part in parts:
        _read_use(part, program, aliases)
    program.beyond = find_beyond(parts)
    program.shared = shared_names(parts) if program.beyond is None else None
    return program


_kept_program = lru_cache(maxsize=KEPT_PROGRAMS)(_read_program)


def _tokens(part: Part) -> int:
    """1 for a leaf of the tree that is neither a comment nor inside of a string, and more for a long text: a
    shader is a program, too.
    """
    if part.kind == "string":
        return _tokens_of_text(part.end - part.start - 2)
    if part.children or part.within("string") or part.kind in ("comment", "html_comment"):
        return 0
    return _tokens_of_text(part.end - part.start) if part.kind in TEXTS else 1


def _tokens_of_text(length: int) -> int:
    return max(1, -(-length // TEXT_OF_A_TOKEN))


def _name(part: Part | None) -> str:
    """The text of a leaf; no more of it than a name has."""
    return part.text[:LONGEST_NAME] if part is not None and not part.children else ""


def _is_global_object(part: Part | None) -> bool:
    return part is not None and part.kind == "identifier" and _name(part) in GLOBAL_OBJECTS


def _read_error(parts: Sequence[Part], size: int, program: Program) -> None:
    """Where it breaks, and whether it only stops too early: something opened and never closed.

    A bracket that closes another than the last one opened is a mistake in the middle, wherever the source
    ends.
    """
    opened: list[str] = []
    missing_at_end = False
    for part in parts:
        if part.is_missing:
            missing_at_end = missing_at_end or part.start >= size
        elif not part.children and part.kind in OPENING:
            opened.append(part.kind[-1])
        elif not part.children and part.kind in CLOSES and opened[-1:] != [CLOSES[part.kind]]:
            program.broken_line = program.broken_line or part.line
            return
        elif not part.children and part.kind in CLOSES:
            opened.pop()
        if not program.broken_line and (part.is_missing or part.is_error):
            program.broken_line = part.line
    program.broken_line = program.broken_line or 1
    program.truncated = bool(opened) or missing_at_end


def _read_declaration(part: Part, program: Program) -> None:
    match part.kind:
        case "function_declaration" | "generator_function_declaration" | "class_declaration":
            name = _name(part.fields.get("name"))
            program.declared.add(name)
            if part.within("program", "export_statement"):
                program.functions.add(name)
        case "variable_declarator":
            names = set(_pattern_names(part.fields.get("name")))
            program.declared |= names
            statement = part.parent
            if statement is not None and statement.within("program"):
                (program.functions if statement.kind == "variable_declaration" else program.lexical).update(
                    names
                )
        case "formal_parameters":
            program.declared.update(_pattern_names(part))
        case "catch_clause" | "arrow_function":
            program.declared.update(_pattern_names(part.fields.get("parameter")))
        case "assignment_expression":
            _read_assignment(part, program)
        case _:
            pass


def _read_assignment(part: Part, program: Program) -> None:
    """`window.setup = …` and a bare `setup = …` define globals, wherever they stand; `p.setup = …` is an
    instance's.
    """
    left = part.fields.get("left")
    if left is None:
        return
    if left.kind == "identifier":
        program.functions.add(_name(left))
    elif left.kind == "member_expression" and _is_global_object(left.fields.get("object")):
        program.functions.add(_name(left.fields.get("property")))


def _pattern_names(pattern: Part | None) -> Iterator[str]:
    """The names that a declaration's pattern binds."""
    waiting = [pattern] if pattern is not None else []
    while waiting:
        part = waiting.pop()
        if part.kind in ("identifier", "shorthand_property_identifier_pattern"):
            yield _name(part)
        elif part.kind in PATTERNS:
            waiting += [child for child in part.children if child.field_name not in ("right", "key")]


def _aliases(parts: Sequence[Part]) -> set[str]:
    """Other names given to the library: `const b = brush`, `b = brush`, a parameter's default."""
    found: set[str] = set()
    for part in parts:
        fields = NAMING.get(part.kind)
        name = part.fields.get(fields[0]) if fields else None
        if fields is None or name is None or name.kind != "identifier":
            continue
        if _is_brush(part.fields.get(fields[1]), {"brush"}):
            found.add(_name(name))
    return found


def _is_brush(part: Part | None, aliases: set[str]) -> bool:
    while part is not None and part.kind == "parenthesized_expression":
        part = next((child for child in part.children[1:] if child.kind != "comment"), None)
    if part is None:
        return False
    if part.kind == "identifier":
        return _name(part) in aliases
    return (
        part.kind == "member_expression"
        and _name(part.fields.get("property")) == "brush"
        and _is_global_object(part.fields.get("object"))
    )


def _read_use(part: Part, program: Program, aliases: set[str]) -> None:
    match part.kind:
        case "identifier" | "shorthand_property_identifier":
            name = _name(part)
            program.names.setdefault(name, part.line)
            if name in aliases and _is_handed_on(part):
                program.dynamic_brush = program.dynamic_brush or part.line
        case "string" | "template_string":
            program.strings.setdefault(part.own_text[1:-1].strip()[:LONGEST_NAME], part.line)
        case "import" | "import_statement":
            program.imports.append(part.line)
        case "call_expression" | "new_expression":
            _read_call(part, program)
        case "member_expression":
            _read_member(part, program, aliases)
        case "subscript_expression" if _is_brush(part.fields.get("object"), aliases):
            _read_subscript(part, program)
        case "variable_declarator" | "assignment_expression" | "assignment_pattern":
            name, value = (part.fields.get(field) for field in NAMING[part.kind])
            if _is_brush(value, aliases):
                _read_destructuring(name, program)
        case _:
            pass


def _is_handed_on(part: Part) -> bool:
    """Whether the library itself is passed on whole, to be called by a name that is not here."""
    if part.kind == "shorthand_property_identifier":
        return True
    above = part.parent
    while above is not None and above.kind == "parenthesized_expression" and above.parent is not None:
        if above.parent.kind == "with_statement":
            return True
        above = above.parent
    if above is None:
        return False
    if above.kind == "assignment_expression":
        left = above.fields.get("left")
        return left is not None and left.kind not in ("identifier", "object_pattern")
    return above.kind in HANDING_ON


def _read_call(part: Part, program: Program) -> None:
    called = part.fields.get("function") or part.fields.get("constructor")
    if called is None:
        return
    if called.kind == "identifier":
        program.calls.setdefault(_name(called), called.line)
    elif called.kind == "member_expression":
        name, owner = _name(called.fields.get("property")), called.fields.get("object")
        (program.calls if _is_global_object(owner) else program.methods).setdefault(name, part.line)
        program.canvas_elsewhere |= name == "createCanvas" and _is_undeclared(owner, program)


def _is_undeclared(owner: Part | None, program: Program) -> bool:
    """Whether a name is one that the source does not define: another file's."""
    return owner is not None and owner.kind == "identifier" and _name(owner) not in program.declared


def _read_member(part: Part, program: Program, aliases: set[str]) -> None:
    owner, name = part.fields.get("object"), _name(part.fields.get("property"))
    program.members.add(name)
    if _is_brush(owner, aliases):
        program.brush.setdefault(name, part.line)
    elif _is_global_object(owner):
        program.names.setdefault(name, part.line)


def _read_subscript(part: Part, program: Program) -> None:
    index = part.fields.get("index")
    # A name with an escape in it is written to hide: it counts as one that is not known.
    if index is not None and index.kind == "string" and "\\" not in index.text:
        program.brush.setdefault(index.text[1:-1][:LONGEST_NAME], part.line)
    else:
        program.dynamic_brush = part.line


def _read_destructuring(pattern: Part | None, program: Program) -> None:
    if pattern is None or pattern.kind != "object_pattern":
        return
    for part in pattern.children:
        key = part.fields.get("key") if part.kind == "pair_pattern" else part
        if key is not None and key.kind in ("property_identifier", "shorthand_property_identifier_pattern"):
            program.brush.setdefault(_name(key), part.line)
