"""CSV whose texts stay texts in a spreadsheet.

A model writes a reason, a stranger a prompt or a file's name; a spreadsheet runs a cell that begins with a
sign of a formula, such as `=HYPERLINK(…)`. Such a text is written with an apostrophe before it, which is how
people type one; what reads CSV here takes it off again, so that a text comes back as it was.
"""

import csv
import io
import re
from collections.abc import Iterable

_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?")
_SIGNED = r"('*[ \u00a0\x22]*[=+\-@＝＋－＠])"
_START = r"(^|[;\t\r\n])"
"""Of a cell, also where semicolons or tabs part them, as spreadsheets of other languages read a file."""
_FORMULA = re.compile(_START + _SIGNED)
GUARDED = f"{_START}'{_SIGNED}"
"""A guard between what it stands behind and before, for Python and for polars."""
_GUARDED = re.compile(GUARDED)


def guarded(text: str) -> str:
    """`text`, with an apostrophe where a spreadsheet would take what follows for a formula. Numbers are none.

    Example:
        guarded("=1+1") == "'=1+1"; guarded("-0.5") == "-0.5"
    """
    return text if _NUMBER.fullmatch(text) else _FORMULA.sub(r"\1'\2", text)


def unguarded(text: str) -> str:
    """The text that `guarded` was given."""
    return _GUARDED.sub(r"\1\2", text) if "'" in text else text


def csv_of(rows: Iterable[Iterable[object]]) -> str:
    """Rows as CSV, the header among them; texts are guarded, None is empty."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    for row in rows:
        writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in row])
    return stream.getvalue()
