"""What a source carries along instead of computing it: tables of numbers, and text that is no language.

A photograph can come as a data URL, and also as an array of its pixels or as text to be unpacked. What is
carried is counted over the whole source, wherever it stands and however it is split; what a program computes
is never counted.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tree_sitter import Node

WORD = re.compile(r"[^\s(){};,]{32,}")
"""No word of a language or a shader is as long as this; a line of base64, or a row of pixels, is."""

NUMBER = re.compile(r"(?<![\w#.])-?\d+(?:\.\d+)?(?![\w.])")
COMMENTS = ("comment", "html_comment")
TEXTS = ("string", "template_string", "regex")
NAMES = ("identifier", "property_identifier", "shorthand_property_identifier", "number")
WRAPPED = ("unary_expression", "parenthesized_expression")
VARIED = 12
"""Different characters in a comment's word; a ruler of dashes has one."""


@dataclass(frozen=True, slots=True)
class Carried:
    """`numbers` in tables, written as such or in a text; `characters` of words that no language has;
    `text`, the characters of all strings. `line`: where most of it stands.
    """

    numbers: int = 0
    characters: int = 0
    text: int = 0
    line: int = 0


def measure_carried(nodes: Iterable[Node]) -> Carried:
    """Count what the nodes of a syntax tree carry along.

    Example:
        `const a = [1, -2, {x: 3}], s = "4 5";` has 5 numbers.
    """
    tables: dict[int, int] = {}
    numbers = characters = text = 0
    for node in nodes:
        counted, long, length = _measure(node)
        if counted or long or length:
            line = _table(node).start_point.row + 1
            tables[line] = tables.get(line, 0) + counted + long + length
        numbers, characters, text = numbers + counted, characters + long, text + length
    return Carried(numbers, characters, text, max(tables, key=tables.__getitem__, default=0))


def _measure(node: Node) -> tuple[int, int, int]:
    """The numbers, the characters of long words, and the characters of strings that this node adds."""
    if node.type in TEXTS:
        found = _text(node)
        return len(NUMBER.findall(found)), sum(map(len, WORD.findall(found))), len(found)
    if node.type in COMMENTS:
        words = WORD.findall(_text(node))
        return 0, sum(len(word) for word in words if len(set(word)) >= VARIED), 0
    if node.type in NAMES:
        size = node.end_byte - node.start_byte
        return int(node.type == "number" and _is_in_table(node)), size if size >= 32 else 0, 0
    return 0, 0, 0


def _is_in_table(node: Node) -> bool:
    above = node.parent
    while above is not None and above.type in WRAPPED:
        above = above.parent
    return above is not None and above.type in ("array", "pair")


def _table(node: Node) -> Node:
    """The outermost array or object that a node stands in; itself where it stands in none."""
    found, above = node, node.parent
    while above is not None and above.type in ("array", "object", "pair", *WRAPPED):
        found, above = above, above.parent
    return found


def _text(node: Node) -> str:
    return node.text.decode("utf-8", errors="replace") if node.text is not None else ""
