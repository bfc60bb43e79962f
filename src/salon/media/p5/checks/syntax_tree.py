"""A sketch's syntax tree as plain values, read once, so that whatever is asked of it takes one step.

tree-sitter's own nodes find a parent by a walk from the root, and copy their text: asked at every node, both
cost the square of the source's length.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import tree_sitter_javascript
from tree_sitter import Language, Node, Parser, Point

READS_PER_BYTE = 20
"""How often the parser may read the source over, on average: the pool's sketches are read 1.5 times."""

STEPS_PER_BYTE = 40
"""How many steps it may take: the slowest of known programs takes 10."""

FREE = 100_000
"""What a short source may cost in reads and in steps."""

CHUNK = 1024


class TooComplex(Exception):
    """The parser gave up: what is broken here it would look for again and again."""


@dataclass(slots=True, eq=False)
class Part:
    """A node of the tree. `line` counts from 1; `field_name` is what it is to its parent, such as "left", and
    `fields` has those of its children. `start` and `end` are bytes of the source.
    """

    kind: str
    field_name: str | None
    parent: "Part | None"
    line: int
    start: int
    end: int
    is_missing: bool
    is_error: bool
    _data: bytes
    children: "list[Part]" = field(default_factory=list["Part"])
    fields: "dict[str, Part]" = field(default_factory=dict[str, "Part"])

    @property
    def text(self) -> str:
        """Its source. As long as all that stands in it: ask only leaves, or each part of a tree once."""
        return self._data[self.start : self.end].decode("utf-8", errors="replace")

    @property
    def own_text(self) -> str:
        """Its source with {} in place of its parts that are code: a template without its `${…}`."""
        pieces, at = list[bytes](), self.start
        for child in self.children:
            if child.kind == "template_substitution":
                pieces.append(self._data[at : child.start])
                at = child.end
        return b"{}".join([*pieces, self._data[at : self.end]]).decode("utf-8", errors="replace")

    def within(self, *kinds: str) -> bool:
        """Whether its parent is one of these."""
        return self.parent is not None and self.parent.kind in kinds


def read_tree(data: bytes) -> list[Part]:
    """Every part of a program in UTF-8, in the source's order: the whole first, each before what is in it.

    Raises:
        TooComplex: the parser would read the source again and again.
    """
    return list(_parts(_parse(data), data))


def _parse(data: bytes) -> Node:
    """The root. What the parser reads and does is counted, so that its work has a bound on any machine."""
    most_read, most_steps = READS_PER_BYTE * len(data) + FREE, (STEPS_PER_BYTE * len(data) + FREE) // 100
    was_read = steps = 0

    def read(at: int, _: Point) -> bytes:
        nonlocal was_read
        chunk = data[at : at + CHUNK]
        was_read += len(chunk)
        # An exception does not come through the parser: what follows seems to be the end.
        return chunk if was_read <= most_read else b""

    def stop(*_: object) -> bool:
        nonlocal steps
        steps += 1
        return steps > most_steps

    try:
        tree = Parser(Language(tree_sitter_javascript.language())).parse(read, progress_callback=stop)
    except ValueError as error:
        raise TooComplex from error
    if was_read > most_read:
        raise TooComplex
    return tree.root_node


def _part(node: Node, name: str | None, parent: Part | None, data: bytes) -> Part:
    line, start, end = node.start_point.row + 1, node.start_byte, node.end_byte
    return Part(node.type, name, parent, line, start, end, node.is_missing, node.is_error, data)


def _parts(root: Node, data: bytes) -> Iterator[Part]:
    cursor = root.walk()
    above: list[Part] = []
    while True:
        if cursor.node is not None:
            part = _part(cursor.node, cursor.field_name, above[-1] if above else None, data)
            if above:
                above[-1].children.append(part)
                if part.field_name:
                    above[-1].fields.setdefault(part.field_name, part)
            yield part
            if cursor.goto_first_child():
                above.append(part)
                continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            above.pop()
