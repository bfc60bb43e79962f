"""What a source carries along instead of computing it: tables of numbers, and text that is no language.

A photograph can come as a data URL, and also as an array of its pixels, as a few very long numbers, or as
text to be unpacked, in strings, patterns or names. What is carried is counted over the whole source, wherever
it stands and however it is split; what a program computes is never counted. Whatever the disguise, in short
words, in blanks or in the order of things, data does not compress, and a program does.
"""

import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from .syntax_tree import Part

WORD = re.compile(r"[^\s(){};,]{32,}")
"""No word of a language or a shader is as long as this; a line of base64, or a row of pixels, is."""

NUMBER = re.compile(r"(?<![\w#.])-?\d++(?:\.\d++)?(?![\w.])")
TEXTS = ("string", "template_string", "regex")
TABLES = ("array", "pair")
LONG_DIGITS = 7
"""A number of fewer digits is a coordinate or a shade, and counts in tables only."""
LONGEST_NUMBER = 24
"""Characters of a number that all count, -1.2345678901234567e-10; of a whole one, LONGEST_WHOLE."""
LONGEST_WHOLE = 17
LONGEST_NAME = 31
WRAPPED = ("unary_expression", "parenthesized_expression")


@dataclass(frozen=True, slots=True)
class Carried:
    """`numbers` in tables, written as such or in a text; `digits` of those, and of long ones anywhere;
    `characters` of words that no language has; `text`, the characters of all strings; `letters`, of each name
    once; `written`, the characters of all numbers; `literals`, the bytes that all strings and names, each
    once, and all numbers have when they are compressed; `whole`, those of the program without its comments.
    `line`: where most of it stands.
    """

    numbers: int = 0
    digits: int = 0
    characters: int = 0
    text: int = 0
    letters: int = 0
    written: int = 0
    literals: int = 0
    whole: int = 0
    line: int = 0


def measure_carried(parts: Iterable[Part], program: str) -> Carried:
    """Count what the parts of a syntax tree carry along. They come as `read_tree` gives them; `program` is
    their text without comments.

    Example:
        `const a = [1, -2, {x: 3}], s = "4 5";` has 5 numbers.
    """
    lines: dict[int, int] = {}
    total = _Measured()
    texts: dict[str, None] = {}
    names: dict[str, None] = {}
    numbers: list[str] = []
    places = _Places()
    for part in parts:
        line, is_in_table = places.of(part)
        found = _measure(part, is_in_table)
        if found is None:
            continue
        if part.kind == "number":
            numbers.append(found.word)
        else:
            (texts if part.kind in TEXTS else names)[found.word] = None
        lines[line] = lines.get(line, 0) + found.numbers + found.digits + found.characters + len(found.word)
        total.numbers += found.numbers
        total.digits += found.digits
        total.characters += found.characters
        total.text += found.text
    return Carried(
        numbers=total.numbers,
        digits=total.digits,
        characters=total.characters,
        text=total.text,
        letters=sum(map(len, names)),
        written=sum(map(len, numbers)),
        literals=_compressed("\n".join([*texts, *names, *numbers])),
        whole=_compressed(program),
        line=max(lines, key=lines.__getitem__, default=0),
    )


def _compressed(text: str) -> int:
    return len(zlib.compress(text.encode(), 9)) if text else 0


@dataclass(slots=True)
class _Measured:
    """What one part adds: a text, a name or a number, which is `word`."""

    numbers: int = 0
    digits: int = 0
    characters: int = 0
    text: int = 0
    word: str = ""


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


def _measure(part: Part, is_in_table: bool) -> _Measured | None:
    if part.kind in TEXTS:
        found = part.own_text
        numbers = NUMBER.findall(found)
        digits = sum(map(len, numbers))
        return _Measured(len(numbers), digits, sum(map(len, WORD.findall(found))), len(found), found)
    size = part.end - part.start
    if part.kind == "number":
        longest = LONGEST_NUMBER if "." in part.text else LONGEST_WHOLE
        counted = size if is_in_table or size >= LONG_DIGITS else 0
        return _Measured(int(is_in_table), counted, size if size > longest else 0, word=part.text)
    if part.kind.endswith(("identifier", "identifier_pattern")) and not part.children:
        return _Measured(characters=size if size > LONGEST_NAME else 0, word=part.text)
    return None
