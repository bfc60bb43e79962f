"""What a source carries along instead of computing it: tables of numbers, and text that is no language.

A photograph can come as a data URL, and also as an array of its pixels or as text to be unpacked. What is
carried is counted over the whole source, wherever it stands and however it is split; what a program computes
is never counted.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from salon.media.tree import Part

WORD = re.compile(r"[^\s(){};,]{32,}")
"""No word of a language or a shader is as long as this; a line of base64, or a row of pixels, is."""

NUMBER = re.compile(r"(?<![\w#.])-?\d++(?:\.\d++)?(?![\w.])")
COMMENTS = ("comment", "html_comment")
TEXTS = ("string", "template_string", "regex")
NAMES = ("identifier", "property_identifier", "shorthand_property_identifier", "number")
TABLES = ("array", "pair")
WRAPPED = ("unary_expression", "parenthesized_expression")
LONGEST_NUMBER = 24
"""Characters of a number that all count, -1.2345678901234567e-10; of a whole one, LONGEST_WHOLE."""
LONGEST_WHOLE = 17
LONGEST_NAME = 31
VARIED = 12
"""Different characters in a comment's word; a ruler of dashes has one."""


@dataclass(frozen=True, slots=True)
class Carried:
    """`numbers` in tables, written as such or in a text; `characters` of words that no language has;
    `text`, the characters of all strings and of the numbers in tables. `line`: where most of it stands.
    """

    numbers: int = 0
    characters: int = 0
    text: int = 0
    line: int = 0


def measure_carried(parts: Iterable[Part]) -> Carried:
    """Count what the parts of a syntax tree carry along. They come as `read_tree` gives them.

    Example:
        `const a = [1, -2, {x: 3}], s = "4 5";` has 5 numbers.
    """
    lines: dict[int, int] = {}
    numbers = characters = text = 0
    places = _Places()
    for part in parts:
        line, is_in_table = places.of(part)
        counted, long, length = _measure(part, is_in_table)
        if counted or long or length:
            lines[line] = lines.get(line, 0) + counted + long + length
        numbers, characters, text = numbers + counted, characters + long, text + length
    return Carried(numbers, characters, text, max(lines, key=lines.__getitem__, default=0))


class _Places:
    """Where parts stand, told from what was told of the part around them."""

    def __init__(self) -> None:
        self._known: dict[Part, tuple[int, bool, bool]] = {}

    def of(self, part: Part) -> tuple[int, bool]:
        """The line of the outermost array or object around a part, or else its own; whether it is an entry
        of a table, perhaps with a sign or in brackets.
        """
        above = part.parent
        line, within, inside = self._known[above] if above is not None else (0, False, False)
        line = line if inside else part.line
        is_in_table = above is not None and (above.kind in TABLES or (above.kind in WRAPPED and within))
        if part.children:
            self._known[part] = line, is_in_table, part.kind in ("object", *TABLES, *WRAPPED)
        return line, is_in_table


def _measure(part: Part, is_in_table: bool) -> tuple[int, int, int]:
    """The numbers, the characters of long words, and the characters of strings that this part adds."""
    if part.kind in TEXTS:
        found = part.own_text
        return len(NUMBER.findall(found)), sum(map(len, WORD.findall(found))), len(found)
    if part.kind in COMMENTS:
        words = WORD.findall(part.text)
        return 0, sum(len(word) for word in words if len(set(word)) >= VARIED), 0
    if part.kind in NAMES:
        size = part.end - part.start
        if part.kind == "number":
            longest = LONGEST_NUMBER if "." in part.text else LONGEST_WHOLE
            return int(is_in_table), size if size > longest else 0, size if is_in_table else 0
        return 0, size if size > LONGEST_NAME else 0, 0
    return 0, 0, 0
