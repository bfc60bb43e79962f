"""Which column means what: recognised by its name, or told by `--map`.

A column of numbers that no name tells is a term, unless its numbers say that it is none (see `taken`). A
column of text is no term.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from salon.errors import RecipeError
from salon.registry import did_you_mean

from .cells import as_text

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
    "sample": (),
    "criterion": (),
    "score": (),
    "monitor": (),
    "term": (),
    "ignore": (
        *("id", "sample_id", "uid", "index", "row", "seed", "advantage", "advantages", "subject", "source"),
        *("timestamp", "group_seed", "truncated", "seconds_render", "rank", "sample", "rollout"),
        *("rollout_id", "completion_id", "response_id", "answer_id", "image_id", "item_id", "request_id"),
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
LONGEST_NAME = 80
FEW_LABELS, SHORT_LABEL = 12, 3
"""Up to 12 texts (or one in 20 rows) of 3 letters say which answer a row is."""


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
    called = {plain(column): column for column in reversed(frame.columns)}
    if "length" in mapped or any(name in called for name in ROLES["length"]):
        return dict(mapped)
    for name in _LENGTHS:
        column = called.get(name)
        if column is not None and column not in told and _counts(frame[column]):
            return {**mapped, "length": [column]}
    return dict(mapped)


def with_answer(frame: pl.DataFrame, mapped: Mapping[str, list[str]]) -> tuple[dict[str, list[str]], str]:
    """`mapped`, in which columns that are called as answers are and only say which answer it is (0 … 5,
    A … D) are ignored; and a note of it.
    """
    told = {name for names in mapped.values() for name in names}
    labels = [
        column
        for column in frame.columns
        if column not in told and plain(column) in ROLES["answer"] and _is_label(frame[column])
    ]
    if not labels:
        return dict(mapped), ""
    ignored = {**mapped, "ignore": [*mapped.get("ignore", ()), *labels]}
    verb = "says" if len(labels) == 1 else "say"
    note = f"{', '.join(labels)} {verb} which answer it is, not what came out: repeats are not looked for."
    return ignored, note


def _is_label(column: pl.Series) -> bool:
    """Whether its cells are numbers, or a few very short texts, and so no answers nor names of them."""
    if column.dtype.is_nested() or column.dtype == pl.Binary:
        return False
    known = as_text(column.drop_nulls()).str.strip_chars()
    if known.is_empty():
        return False
    few = known.n_unique() <= max(FEW_LABELS, len(known) // 20)
    longest = int(known.str.len_chars().max() or 0)  # type: ignore[arg-type]
    return few and longest <= SHORT_LABEL and len(known) >= 2 * known.n_unique()


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
    must_be_there(columns, mapped, where)
    taken = {name for names in mapped.values() for name in names}
    roles = {role: names[0] for role, names in mapped.items() if role not in _MANY}
    called = {plain(column): column for column in reversed(columns) if column not in taken}
    for role, known in ROLES.items():
        if role in roles or role in _MANY:
            continue
        found = next((called[name] for name in known if name in called), None)
        if found is not None:
            roles[role] = found
    orders = _orders([column for column in columns if column not in taken | set(roles.values())])
    if not orders or not {"item_a", "item_b"} <= roles.keys():
        roles = {role: name for role, name in roles.items() if role not in ("item_a", "item_b")}
    used = taken | set(roles.values()) | {column for _, *pair in orders for column in pair}
    rest = [column for column in columns if column not in used]
    ignored = {column for column in rest if plain(column) in ROLES["ignore"]} | set(mapped.get("ignore", ()))
    monitors = [*mapped.get("monitor", ()), *(column for column in rest if _MONITOR.match(plain(column)))]
    free = [column for column in rest if column not in ignored and column not in monitors]
    terms = [column for column in columns if column in free or column in mapped.get("term", ())]
    return Layout(roles, tuple(terms), tuple(monitors), tuple(orders), tuple(sorted(ignored)))


def must_be_there(columns: Sequence[str], mapped: Mapping[str, Sequence[str]], where: str) -> None:
    """Raises RecipeError when `mapped` names a column that is not among `columns`."""
    for role, names in mapped.items():
        for name in names:
            if name not in columns:
                raise RecipeError(
                    f"{where}: --map {role}={name}: no column {name!r}.{did_you_mean(name, columns)}"
                )


def plain(column: str) -> str:
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
