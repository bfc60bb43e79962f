"""Files with one row per answer and criterion, turned into one row per answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from salon.diagnosis.pages.words import counted, listed
from salon.errors import RecipeError

from .cells import numbers
from .columns import ROLES, must_be_there, plain

SAMPLES = (
    *(
        "sample_id",
        "sample",
        "rollout_id",
        "completion_id",
        "response_id",
        "answer_id",
        "image_id",
        "output_id",
    ),
    *("item_id", "request_id", "row_id", "uid", "id", "image", "img", "image_path", "image_name", "picture"),
    *("file", "filename", "file_name", "path", "sketch"),
)
CRITERIA = (
    "criterion",
    "criteria",
    "metric",
    "dimension",
    "aspect",
    "rubric_item",
    "signal",
    "term",
    "variable",
)
RATERS = (
    *("judge", "rater", "annotator", "grader", "scorer", "judge_model", "attribute", "trait", "facet", "dim"),
    *("quality", "measure", "question", "key", "check", "test", "item", "rubric", "kind", "type", "category"),
)
PEOPLE = ("judge", "judge_model", "rater", "annotator", "grader", "scorer")
"""Names of columns that name terms; of those that do where the ids of answers repeat; and of those who look,
which name terms wherever they repeat and nothing says which rows are of one answer.
"""
SCORES = ("score", "value", "rating", "mark", "points", "grade", "result", "verdict")
MOST_CRITERIA = 500
_FEW_TEXTS = 60
_READ = ("step", "group", "prompt", "sample", "answer", "criterion", "score")
"""Roles whose columns are there before the table is widened; another may be a criterion, that becomes one."""


@dataclass(frozen=True, slots=True)
class _Long:
    """keys: what names an answer. criterion: the columns whose texts name a term. value: the scores."""

    keys: tuple[str, ...]
    criterion: tuple[str, ...]
    value: str


def widened(
    frame: pl.DataFrame, mapped: Mapping[str, Sequence[str]], where: str
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The frame itself, or, where its rows are scores by one criterion each, one row per answer with a column
    per criterion; and a note of it.

    Raises:
        RecipeError: it is such a file, and nothing says which rows belong to one answer; or `mapped` names
            a column that is not there.
    """
    must_be_there(frame.columns, {role: mapped[role] for role in _READ if role in mapped}, where)
    found = _recognised(frame, mapped, where)
    if found is None:
        return frame, ()
    name = found.criterion[0]
    if len(found.criterion) > 1:
        name = "\x00".join(found.criterion)
        texts = [pl.col(column).cast(pl.String) for column in found.criterion]
        frame = frame.with_columns(pl.concat_str(texts, separator=" by ", ignore_nulls=True).alias(name))
    all_rows = frame.height
    frame = frame.with_columns(_named_apart(frame, found, name))
    frame = frame.filter(frame[name].is_not_null())
    criteria = frame[name].n_unique()
    if criteria > MOST_CRITERIA:
        raise RecipeError(
            f"{where}: column {name!r} names {criteria:,} criteria; at most {MOST_CRITERIA} are looked at."
        )
    rows = frame.height
    repeated = rows - frame.select(*found.keys, name).n_unique()
    if repeated:
        values_N = numbers(frame[found.value], where)
        if values_N is None:
            return frame, ()
        frame = frame.with_columns(pl.Series(found.value, values_N).fill_nan(None))
    wide = _pivoted(frame, found, name)
    told = (
        f"One row per answer and criterion: {counted(rows, 'row')} are {counted(wide.height, 'answer')}"
        f" ({listed(found.keys)} name one), with a term for each {listed(found.criterion)}."
    )
    notes = [told]
    if repeated:
        notes.append(f"{counted(repeated, 'score')} repeated another, and their mean counts.")
    if blank := all_rows - rows:
        verb = "names" if blank == 1 else "name"
        notes.append(
            f"{counted(blank, 'row')} {verb} no {listed(found.criterion)}, and are left out.".replace(
                "and are", "and is" if blank == 1 else "and are"
            )
        )
    return wide, tuple(notes)


def _named_apart(frame: pl.DataFrame, found: _Long, name: str) -> pl.Series:
    """The criteria as names of columns: none for blank ones, and no name that another column keeps."""
    criteria = frame[name].cast(pl.String)
    taken = {column for column in frame.columns if column not in (*found.criterion, name, found.value)}
    known = set(criteria.drop_nulls().unique().to_list())
    called: dict[str, str] = {}
    for each in sorted(known & taken):
        called[each] = f"{each} ({found.criterion[0]})"
        while called[each] in taken | known:
            called[each] += "'"
    apart = criteria.replace(called) if called else criteria
    return pl.Series(name, apart.set(apart.str.strip_chars() == "", None), pl.String)


def _pivoted(frame: pl.DataFrame, found: _Long, name: str) -> pl.DataFrame:
    how = "mean" if frame[found.value].dtype == pl.Float64 else "first"
    wide = frame.pivot(on=name, index=list(found.keys), values=found.value, aggregate_function=how)
    used = {*found.keys, *found.criterion, name, found.value}
    rest = [column for column in frame.columns if column not in used and column not in wide.columns]
    # What differs between the rows of one answer, such as a reason, belongs to a criterion.
    kept = [column for column in rest if _is_of_answers(frame, found.keys, column)]
    if not kept:
        return wide
    others = frame.group_by(*found.keys, maintain_order=True).agg(pl.col(kept).first())
    return wide.join(others, on=list(found.keys), how="left", nulls_equal=True, maintain_order="left")


def _is_of_answers(frame: pl.DataFrame, keys: Sequence[str], column: str) -> bool:
    if frame[column].dtype.is_nested():
        return False
    return frame.select(*keys, column).n_unique() == frame.select(*keys).n_unique()


def _recognised(frame: pl.DataFrame, mapped: Mapping[str, Sequence[str]], where: str) -> _Long | None:
    called = {plain(column): column for column in reversed(frame.columns)}

    def told(role: str, names: Sequence[str]) -> str | None:
        if role in mapped:
            return mapped[role][0]
        return next((called[name] for name in names if name in called), None)

    places = [told(role, ROLES[role]) for role in ("step", "group", "prompt")]
    sample = told("sample", SAMPLES)
    if sample is None:
        answer = told("answer", ROLES["answer"])
        sample = answer if answer and frame[answer].n_unique() <= frame.height / 1.5 else None
    keys = tuple(dict.fromkeys(column for column in (*places, sample) if column))
    free = [
        column for column in frame.columns if column not in keys and column not in mapped.get("ignore", ())
    ]
    named = told("criterion", CRITERIA)
    value = told("score", SCORES)
    value = value if value in free else _only_numbers(frame, free, named)
    if value is None or (named is not None and named not in free):
        return None
    if named is not None and not _repeats(frame[named]):
        named = None
    if named is not None and (sample is None or frame.select(keys).n_unique() == frame.height):
        return _without_samples(frame, keys, named, value, sample, where, "criterion" in mapped)
    if sample is None:
        named = next((column for column in free if plain(column) in PEOPLE and _repeats(frame[column])), None)
        if named is None or value != _only_numbers(frame, free, named):
            return None
        return _without_samples(frame, keys, named, value, None, where, False)
    if frame.select(keys).n_unique() > frame.height / 1.5:
        return None
    texts = [column for column in free if column != value and _repeats(frame[column])]
    texts.sort(key=lambda column: plain(column) not in (*CRITERIA, *RATERS))
    tries = (
        [(named,)]
        if named
        else [
            (text,) for text in texts if plain(text) in RATERS and value == _only_numbers(frame, free, text)
        ]
    )
    if named:
        tries += [(named, text) for text in texts if text != named and plain(text) in RATERS]
    for columns in tries:
        if frame.select(*keys, *columns).n_unique() == frame.height:
            return _Long(keys, columns, value)
    return _Long(keys, (named,), value) if named else None


def _without_samples(
    frame: pl.DataFrame,
    keys: tuple[str, ...],
    named: str,
    value: str,
    sample: str | None,
    where: str,
    is_told: bool,
) -> _Long | None:
    """A file with criteria in which nothing repeats that names an answer: its step and prompt may do."""
    others = tuple(key for key in keys if key != sample)
    if others and frame.select(*others, named).n_unique() == frame.height > frame.select(*others).n_unique():
        return _Long(others, (named,), value)
    if sample is not None and not is_told:
        return None
    raise RecipeError(
        f"{where}: column {named!r} says what each {value!r} is for, and no column says which rows belong to"
        f" one answer. Name it: --map sample=COLUMN; or, if it is none: --ignore {named}"
    )


def _repeats(column: pl.Series) -> bool:
    """Whether it is text with a few different values, each in several rows."""
    if column.dtype != pl.String:
        return False
    count = column.drop_nulls().n_unique()
    if not 2 <= count <= min(_FEW_TEXTS, len(column) / 2):
        return False
    return not _is_numbers(column)


def _only_numbers(frame: pl.DataFrame, free: Sequence[str], criterion: str | None) -> str | None:
    """The one column of numbers that no role is known for."""
    known = {name for names in ROLES.values() for name in names}
    found = [column for column in free if column != criterion and plain(column) not in known
             and _is_numbers(frame[column])]  # fmt: skip
    return found[0] if len(found) == 1 else None


def _is_numbers(column: pl.Series) -> bool:
    if column.dtype != pl.String:
        return column.dtype.is_numeric() or column.dtype == pl.Boolean
    known = column.head(1000).drop_nulls()
    return 2 * int(known.cast(pl.Float64, strict=False).is_not_null().sum()) > len(known)
