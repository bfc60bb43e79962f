"""Which column means what: recognised by its name, or told by `--map`.

A column of numbers that no name tells is a term. A column of text is no term; but text that looks like a
score ("8/10") stops the reading, since to guess its meaning would be worse than to ask.
"""

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from salon.diagnose.table import Floats
from salon.errors import RecipeError
from salon.extend import did_you_mean

ROLES: Mapping[str, tuple[str, ...]] = {
    "group": ("group", "group_id", "rollout_group"),
    "prompt": ("prompt_id", "prompt", "prompts", "prompt_text", "caption", "question"),
    "step": ("step", "global_step", "train_step", "iteration"),
    "human": ("human", "human_label", "human_score", "human_rating", "label", "tier"),
    "total": ("total", "total_reward", "reward"),
    "length": ("tokens", "completion_tokens", "num_tokens", "n_tokens", "completion_length", "characters"),
    "coverage": ("coverage", "paint_coverage", "ink"),
    "answer": ("picture", "image_hash", "completion", "completions", "response", "reply", "output", "answer"),
    "failed": ("failure_code", "failure", "failed", "error"),
    "item_a": ("item_a", "picture_a", "image_a", "a", "left"),
    "item_b": ("item_b", "picture_b", "image_b", "b", "right"),
    "monitor": (),
    "term": (),
    "ignore": (
        *("id", "sample_id", "uid", "index", "row", "seed", "advantage", "advantages", "subject", "source"),
        *("timestamp", "group_seed", "truncated", "seconds_render", "rank", "sample", "rollout", "unnamed_0"),
        "calls",
    ),
}
"""The roles that `--map role=column` knows, and the names they are recognised by, in order of preference."""

_LENGTHS = (
    *("length", "len", "chars", "n_chars", "num_chars", "char_count", "words", "n_words", "word_count"),
    *("response_length", "output_length", "answer_length"),
)
"""Names of a length, or else of a signal about it: the numbers tell which."""

_MANY = {"monitor", "term", "ignore"}
_MONITOR = re.compile(r"^(monitor|heldout|held_out)_")
_ORDERS = (
    ("_ab", "_ba"),
    ("_forward", "_reverse"),
    ("_forward", "_reversed"),
    ("_fwd", "_rev"),
    ("_order1", "_order2"),
)
_MISSING = {"", "na", "n/a", "#n/a", "nan", "null", "none", "nil", "-", "–", "missing", "<na>"}
_BOOLEAN = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0, "pass": 1.0, "fail": 0.0}
_WINNER = {"a": 1.0, "b": 0.0, "tie": 0.5, "draw": 0.5, "left": 1.0, "right": 0.0}
_TIER = {"love": 2.0, "good": 2.0, "okay": 1.0, "ok": 1.0, "meh": 1.0, "nope": 0.0, "bad": 0.0}
_SCORE_LIKE = re.compile(r"^[-+]?\d+([.,]\d+)?\s*(/|out of|of|von|%|points?|stars?)", re.IGNORECASE)
_COMMA = re.compile(r"^[-+]?\d+,\d+$")
_THOUSANDS = re.compile(r"^([-+]?\d{1,3}(?:[,. '\u2019\u00a0\u202f]\d{3})+)(?:[.,](\d+))?$")
LONGEST_NAME = 80
MOST = 1e60
"""The largest score, and weight: with larger ones, sums of squares would be infinite."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Which column plays which role. orders: (name, column with a first, column with b first)."""

    roles: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())
    terms: tuple[str, ...] = ()
    monitors: tuple[str, ...] = ()
    orders: tuple[tuple[str, str, str], ...] = ()
    left: tuple[str, ...] = ()


def parse_map(pairs: Sequence[str]) -> dict[str, list[str]]:
    """`["step=iteration", "ignore=x,y"]` as roles with their columns.

    Raises RecipeError for a role that does not exist, or that takes one column and got two.
    """
    mapped: dict[str, list[str]] = {}
    for pair in pairs:
        role, equals, columns = pair.partition("=")
        role = role.strip()
        if not equals or not columns.strip():
            raise RecipeError(f"--map {pair!r}: write it as role=column, for example --map step=iteration")
        if role not in ROLES:
            raise RecipeError(f"--map {pair!r}: there is no role {role!r}.{did_you_mean(role, ROLES)}")
        mapped.setdefault(role, []).extend(name.strip() for name in columns.split(","))
        if role not in _MANY and len(mapped[role]) > 1:
            raise RecipeError(f"--map: {role!r} takes one column, not {', '.join(mapped[role])}")
    return mapped


def readable(columns: Sequence[str]) -> dict[str, str]:
    """Names that can be shown, by column: without line breaks and escapes, and cut in the middle where they
    are longer than LONGEST_NAME. Different columns get different names.
    """
    named: dict[str, str] = {}
    taken = set(columns)
    for column in columns:
        name = " ".join("".join(c if c.isprintable() else " " for c in column).split())
        if len(name) > LONGEST_NAME:
            name = f"{name[: LONGEST_NAME - 20]}…{name[-19:]}"
        if name != column:
            tries = (f"{name} ({number})" if number else name for number in range(len(columns) + 1))
            named[column] = next(each for each in tries if each not in taken)
            taken.add(named[column])
    return named


def with_length(
    frame: pl.DataFrame, mapped: Mapping[str, list[str]], signals: Sequence[str]
) -> dict[str, list[str]]:
    """`mapped`, and as the answers' length a column that is called so and counts (whole numbers, some above
    10): as a term it would outweigh every signal.

    Args:
        frame: the file.
        mapped: what the user said of its columns.
        signals: columns that the user calls signals: those with a weight.
    """
    told = {name for names in mapped.values() for name in names} | set(signals)
    plain = {_plain(column): column for column in reversed(frame.columns)}
    if "length" in mapped or any(name in plain for name in ROLES["length"]):
        return dict(mapped)
    for name in _LENGTHS:
        column = plain.get(name)
        if column is not None and column not in told and _counts(frame[column]):
            return {**mapped, "length": [column]}
    return dict(mapped)


def _counts(column: pl.Series) -> bool:
    values = column.str.strip_chars().cast(pl.Float64, strict=False) if column.dtype == pl.String else column
    if not values.dtype.is_numeric():
        return False
    known = values.cast(pl.Float64).drop_nulls().drop_nans()
    return known.len() > 0 and bool((known == known.round()).all()) and float(known.max() or 0.0) > 10  # type: ignore[arg-type]


def lay_out(columns: Sequence[str], mapped: Mapping[str, Sequence[str]], where: str) -> Layout:
    """The role of every column; those that no name tells are candidates for terms.

    Raises RecipeError when `mapped` names a column that is not there.
    """
    for role, names in mapped.items():
        for name in names:
            if name not in columns:
                raise RecipeError(
                    f"{where}: --map {role}={name}: no column {name!r}.{did_you_mean(name, columns)}"
                )
    taken = {name for names in mapped.values() for name in names}
    roles = {role: names[0] for role, names in mapped.items() if role not in _MANY}
    plain = {_plain(column): column for column in reversed(columns) if column not in taken}
    for role, known in ROLES.items():
        if role in roles or role in _MANY:
            continue
        found = next((plain[name] for name in known if name in plain), None)
        if found is not None:
            roles[role] = found
    orders = _orders([column for column in columns if column not in taken | set(roles.values())])
    if not orders or not {"item_a", "item_b"} <= roles.keys():
        roles = {role: name for role, name in roles.items() if role not in ("item_a", "item_b")}
    used = taken | set(roles.values()) | {column for _, *pair in orders for column in pair}
    rest = [column for column in columns if column not in used]
    ignored = {column for column in rest if _plain(column) in ROLES["ignore"]} | set(mapped.get("ignore", ()))
    monitors = [*mapped.get("monitor", ()), *(column for column in rest if _MONITOR.match(_plain(column)))]
    free = [column for column in rest if column not in ignored and column not in monitors]
    terms = [column for column in columns if column in free or column in mapped.get("term", ())]
    return Layout(roles, tuple(terms), tuple(monitors), tuple(orders), tuple(sorted(ignored)))


def _plain(column: str) -> str:
    return re.sub(r"[\s\-.]+", "_", column.strip().lower())


def _orders(columns: Sequence[str]) -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    for column in columns:
        for first, second in _ORDERS:
            partner = column[: -len(first)] + second
            if column.lower().endswith(first) and partner in columns:
                found.append((column[: -len(first)], column, partner))
    if not found and {"forward", "reversed"} <= set(columns):
        found.append(("judge", "forward", "reversed"))
    return found


def numbers(column: pl.Series, where: str, *, winners: bool = False, tiers: bool = False) -> Floats | None:
    """A column as numbers, NaN where missing; None when it holds text that is no score at all.

    Args:
        column: numbers, booleans or text.
        where: the file, for messages.
        winners: "a", "b" and "tie" are 1, 0 and .5.
        tiers: love, okay and nope are 2, 1 and 0.

    Raises:
        RecipeError: text among numbers, "8/10", decimal commas, infinity; names the row and the remedy.
    """
    if column.dtype == pl.Boolean or column.dtype.is_numeric():
        values_N = column.cast(pl.Float64).fill_null(np.nan).to_numpy().copy()
    elif column.dtype == pl.Null:
        values_N = np.full(len(column), np.nan)
    elif column.dtype == pl.String:
        words = {**_BOOLEAN, **(_WINNER if winners else {}), **(_TIER if tiers else {})}
        parsed = _from_text(column, where, words)
        if parsed is None:
            return None
        values_N = parsed
    else:
        return None
    endless = np.flatnonzero(np.abs(values_N) > MOST)
    if len(endless):
        raise RecipeError(
            f"{where}: column {column.name!r}, row {endless[0] + 1}: a score is finite, and at most {MOST:g}."
            " Leave it empty where it is missing."
        )
    return values_N


def _from_text(column: pl.Series, where: str, words: Mapping[str, float]) -> Floats | None:
    text = column.str.strip_chars()
    value = text.cast(pl.Float64, strict=False)
    low = text.str.to_lowercase()
    word = low.replace_strict(words, default=None, return_dtype=pl.Float64)
    value = value.fill_null(word)
    is_missing = (low.is_in(list(_MISSING)) | low.is_null()).fill_null(True)
    unread = value.is_null() & ~is_missing
    if unread.any():
        row = int(unread.arg_max() or 0)
        _explain(column, str(text[row]), row, int(unread.sum()), int((~unread & ~is_missing).sum()), where)
        return None
    return value.set(is_missing, None).fill_null(np.nan).to_numpy().copy()


def _explain(column: pl.Series, text: str, row: int, unread: int, read: int, where: str) -> None:
    """Raise when the text is meant as a score; return when the column is simply text."""
    place = f"{where}: column {column.name!r}, row {row + 1}: {text[:60]!r}"
    if marked := _THOUSANDS.match(text):
        whole, decimals = re.sub(r"[^\d+-]", "", marked[1]), marked[2]
        plain = f"{whole}.{decimals}" if decimals else whole
        other = f", or {text.replace(',', '.')} where that is a decimal comma" if _COMMA.match(text) else ""
        raise RecipeError(f"{place} has its thousands marked. Write {plain}{other}.")
    if _COMMA.match(text):
        raise RecipeError(f"{place} has a decimal comma. Write {text.replace(',', '.')}.")
    if _SCORE_LIKE.match(text):
        raise RecipeError(
            f"{place} is text, not a number ({unread:,} such cells). Write the number alone, all on one"
            f" scale; or leave the column out: --map ignore={column.name}"
        )
    if read > unread:
        raise RecipeError(
            f"{place} is text among {read:,} numbers. Leave the cell empty where the score is missing (it is"
            f" then counted as missing, not as 0); or leave the column out: --map ignore={column.name}"
        )


def causes_of(column: pl.Series) -> dict[str, int]:
    """How missing cells are written, most frequent first: {"empty": 12, "n/a": 3}."""
    if column.dtype != pl.String:
        nan = int(column.is_nan().sum()) if column.dtype.is_float() else 0
        return {word: count for word, count in (("empty", column.null_count()), ("nan", nan)) if count}
    low = column.str.strip_chars().str.to_lowercase().fill_null("")
    counts = low.filter(low.is_in(list(_MISSING))).value_counts(sort=True)
    return {str(word) or "empty": int(count) for word, count in counts.iter_rows()}


# ---- a CSV's header ---------------------------------------------------------------------------------------


def header_names(data: bytes, line: str, mark: str) -> list[str]:
    """The names in the header, out of their quotes; a header that cannot be read is cut at its marks."""
    try:
        row = pl.read_csv(io.BytesIO(data), separator=mark, has_header=False, infer_schema_length=0, n_rows=1)
    except pl.exceptions.PolarsError:
        return [name.strip().strip('"') for name in line.split(mark)]
    return [str(name or "").strip() for name in row.row(0)]


def without_decimal_commas(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame of text whose cells are not cut at commas, with 3,5 as 3.5 in columns that mean it.

    A column means it when all its numbers are whole or have one comma, and some comma cannot mark thousands:
    1,234 alone could be either, and is left for `numbers` to ask about.
    """
    meant = [column for column in frame.iter_columns() if _has_commas(column)]
    return frame.with_columns(column.str.replace(",", ".", literal=True) for column in meant)


def _has_commas(column: pl.Series) -> bool:
    text = column.str.strip_chars()
    text = text.filter(text.is_not_null() & ~text.str.to_lowercase().is_in(list(_MISSING)))
    comma = text.str.contains(_COMMA.pattern)
    sure = comma & ~text.str.contains(r"^[-+]?[1-9]\d{0,2},\d{3}$")
    return bool(sure.any()) and bool((comma | text.str.contains(r"^[-+]?\d+$")).all())


def ragged_row(data: bytes, mark: str, width: int) -> int | None:
    """The first row of a CSV with more cells than the header, where no quotes hide one."""
    rows = enumerate(data.decode("utf-8").split("\n"))
    return next((row for row, line in rows if row and '"' not in line and line.count(mark) >= width), None)
