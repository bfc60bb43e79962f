"""A program without its trivia: comments, and how many blanks there are.

A function tells its own source, so that a program can read what stands between its tokens, and a picture
could stand there. What runs has one blank or as many new lines instead: every line keeps its number.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from .syntax_tree import Part

COMMENTS = ("comment", "html_comment", "hash_bang_line")
WHOLE = ("string", "template_string", "regex")
NEW_LINE = re.compile("\r\n|[\n\r\u2028\u2029]")
BLANKS = re.compile("[\t\v\f \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff]+")
BESIDE_A_LINE = re.compile(" ?\n ?")


def without_trivia(parts: Sequence[Part], data: bytes) -> str:
    """The program that `parts` are the tree of, in the source's order, and `data` the source.

    Example:
        `a  /* b */ = 1 // c` becomes `a = 1 `.
    """
    pieces, between, at = list[str](), list[str](), 0
    for start, end, is_comment in sorted(_spans(parts)):
        between.append(_decoded(data[at:start]))
        at = end
        if is_comment:
            between.append(f" {''.join(NEW_LINE.findall(_decoded(data[start:end])))}")
            continue
        pieces += [_blank("".join(between)), _decoded(data[start:end])]
        between.clear()
    return "".join([*pieces, _blank("".join([*between, _decoded(data[at:])]))])


def _blank(text: str) -> str:
    return BESIDE_A_LINE.sub("\n", BLANKS.sub(" ", NEW_LINE.sub("\n", text)))


def _spans(parts: Iterable[Part]) -> Iterator[tuple[int, int, bool]]:
    """Start and end of every token, of every text whole, and of every comment, which is told."""
    for part in parts:
        if part.kind == "template_string":
            yield from _written(part)
        elif part.end > part.start and (part.kind in WHOLE or _is_token(part)):
            yield part.start, part.end, part.kind in COMMENTS


def _is_token(part: Part) -> bool:
    return not part.children and not part.within(*WHOLE)


def _written(template: Part) -> Iterator[tuple[int, int, bool]]:
    """A template without its `${…}`, which are code."""
    at = template.start
    for child in template.children:
        if child.kind == "template_substitution":
            yield at, child.start, False
            at = child.end
    yield at, template.end, False


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")
