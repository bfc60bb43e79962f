"""Reading what a person wrote: YAML in bounds (see salon.files.yaml_text), JSON lines, validation with hints.

Every error is a RecipeError that names the file, the key and the remedy.
"""

import json
import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar, cast

from pydantic import AfterValidator, BaseModel, Field, FiniteFloat, SecretStr, ValidationError
from pydantic_core import ErrorDetails

from salon.bool_as_number import booleans_for_numbers
from salon.errors import RecipeError
from salon.files import yaml_text
from salon.files.untrusted import (
    MOST_JSON_IN_FILE,
    UntrustedInputError,
    check_json,
    count_json,
    read_file,
    unique_keys,
)
from salon.registry import did_you_mean
from salon.secrets.literal_keys import literal_keys

Model = TypeVar("Model", bound=BaseModel)
Row = TypeVar("Row")
Found = TypeVar("Found")

Seed = Annotated[int, Field(ge=0, lt=2**32)]
"""What every generator that is seeded takes; numpy's refuses anything else."""

MOST_SECONDS = 1e8
Seconds = Annotated[FiniteFloat, Field(gt=0, le=MOST_SECONDS)]
"""A time to wait: three years at the most, since no clock of the system waits for 300."""


class Secret(SecretStr):
    """A key: hidden when it is printed, formatted, dumped as JSON or shown in an error, and never pickled."""

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not pickled: name its environment variable, and read it where it is used")


MOST_YAML = 4 * yaml_text.MAX_BYTES
"""Bytes that are read of a YAML file: enough to say by its text that it is too long."""


def read_yaml(path: str | Path) -> dict[str, Any]:
    """The mapping in a YAML file. Raises RecipeError when it is not there, not YAML, or has a duplicate
    key.
    """
    path = Path(path)
    try:
        data = read_file(path, MOST_YAML, follow=True)
        loaded = yaml_text.parsed(data.decode("utf-8-sig"), str(path))
    except UnicodeDecodeError as error:
        raise RecipeError(f"{path}: not UTF-8 at byte {error.start}. Save it as UTF-8.") from error
    except UntrustedInputError as error:
        raise RecipeError(f"{path}: {error}. YAML takes at most {yaml_text.MAX_BYTES:,} bytes.") from error
    except (OSError, ValueError) as error:
        raise RecipeError(f"{path}: cannot be read ({error}). Check the path.") from error
    if not isinstance(loaded, dict):
        raise RecipeError(f"{path}: expected `key: value` lines at the top, found {type(loaded).__name__}.")
    refuse_keys(loaded, str(path))
    return cast(dict[str, Any], loaded)


_KINDS: Mapping[str, tuple[str, set[str]]] = {
    "a run's recipe": ("salon train", {"policy", "reward"}),
    "a recipe for salon sft": ("", {"policy", "data"}),
    "a judge's recipe": ("salon train-judge", {"pool", "out"}),
    "a rubric's recipe": ("salon rubric generate", {"author", "judge"}),
    "a checklist's recipe": ("salon checklist decompose", {"author", "about"}),
    "a reproduction's recipe": ("salon reproduce old-vs-new", {"run", "old", "new"}),
    "a reward": ("", {"terms"}),
}
"""What a recipe is that has these keys, and the command that reads it; the first that fits."""


def kind_of(data: Mapping[str, Any]) -> str:
    """What a recipe plainly is, such as "a reward"; empty where that cannot be told."""
    content = data["reward"] if set(data) == {"reward"} and isinstance(data["reward"], Mapping) else data
    return next((kind for kind, (_, keys) in _KINDS.items() if keys <= content.keys()), "")


def refuse_other_kind(data: Mapping[str, Any], where: str | Path, wanted: str) -> None:
    """Refuse a recipe that is plainly one of another kind, such as "a reward". Raises RecipeError."""
    kind = kind_of(data) or wanted
    if kind != wanted:
        command, _ = _KINDS[kind]
        read_by = f" ({command})" if command else ""
        raise RecipeError(f"{where}: is {kind}{read_by}, and {wanted} is asked for.")


def yaml_value(text: str, where: str) -> Any:
    """The YAML value in `text`, as it stands after the `=` of `--set`. Raises RecipeError when it is not
    YAML.
    """
    return yaml_text.parsed(text, where)


def set_key(data: dict[str, Any], override: str) -> None:
    """Set one dotted key of a recipe from `a.b=value`, the value being YAML; sections that are missing are
    made.

    Raises RecipeError when it is not written like that, or a section on the way holds a plain value.
    """
    key, equals, text = override.partition("=")
    if not equals or not key.strip():
        raise RecipeError(f"--set {override!r}: write it as key=value, for example seed=1")
    *sections, last = key.strip().split(".")
    # Without the value in messages: it may be a key.
    value = yaml_value(text, f"--set {key.strip()}")
    refuse_keys({last: value}, f"--set {'.'.join(sections)}" if sections else "--set")
    for section in sections:
        data = data.setdefault(section, {})
        if not isinstance(data, dict):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise RecipeError(f"--set {key.strip()}: {section!r} holds a value, not a section")
    data[last] = value


def refuse_keys(data: Any, where: str) -> None:
    """Refuse what holds a key instead of the name of its variable.

    Raises:
        RecipeError: names each place, and never the key.
    """
    found = list(literal_keys(data))
    if found:
        lines = [f"{where}: {'.'.join(place) or '(top)'}: holds {why}" for place, why in found]
        raise RecipeError(
            "\n".join(lines) + '. Keep it in an environment variable and name that: "${MY_KEY}". A recipe'
            " is kept with every run, and shared."
        )


def plain_values(data: Any) -> Any:
    """`data` itself, as a recipe may hold it in arguments that no model describes: pydantic's check of them,
    whether they come from a file or from Python.

    Raises:
        ValueError: a key stands in it, or a number that is not finite; names the place.
    """
    for place, why in literal_keys(data):
        raise ValueError(
            f"{'.'.join(place) or 'it'} holds {why}. Keep it in an environment variable and name that:"
            ' "${MY_KEY}"'
        )
    for place, number in _not_finite(data, ()):
        raise ValueError(f"{'.'.join(place) or 'it'} is {number}, and every number of a recipe is finite")
    return data


def _not_finite(value: Any, at: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], float]]:
    if isinstance(value, float) and not math.isfinite(value):
        yield at, value
    elif isinstance(value, Mapping):
        for key, item in cast("Mapping[Any, Any]", value).items():
            yield from _not_finite(item, (*at, str(key)))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(cast("list[Any]", value)):
            yield from _not_finite(item, (*at, str(index)))


Args = Annotated[dict[str, Any], AfterValidator(plain_values)]
"""Arguments of a part: whatever it takes, but no keys, and finite numbers."""


def validated(model: type[Model], data: Any, where: str) -> Model:
    """`data` as a `model`. Every problem is listed, one a line, with its key and, where it is a typo, a
    guess.

    `where` is the file (and section) that the reader should open, for example "recipes/paint.yaml: reward".
    """
    lines = [f"{told}: {NO_NUMBER}" for told in _dotted(booleans_for_numbers(model, data))]
    found: Model | None = None
    try:
        found = model.model_validate(data)
    except ValidationError as error:
        lines += [_explain(model, data, problem) for problem in _innermost(data, error.errors())]
    if found is not None and not lines:
        return found
    shown = lines[:_SHOWN_OF_ALL]
    shown += [f"and {len(lines) - _SHOWN_OF_ALL} more"] if len(lines) > _SHOWN_OF_ALL else []
    raise RecipeError(f"{where}: " + f"\n{where}: ".join(dict.fromkeys(shown)))


NO_NUMBER = "is true or false, where a number is meant. Write the number."


def _dotted(places: Iterable[Sequence[str | int]]) -> Iterator[str]:
    for place in places:
        yield ".".join(str(part) for part in place) or "(top)"


def read_bytes(path: str | Path, named: str = "") -> bytes:
    """A file's content. Raises RecipeError when it cannot be read, is a device or a pipe, or holds more than
    a gigabyte; `named` says which key gave the path.
    """
    try:
        return read_file(path, follow=True)
    # A path with a NUL in it is a ValueError.
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise RecipeError(f"{path}: cannot be read ({reason}). {named or 'Check the path.'}") from error


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that cannot be used. `where` is the file, the line and whose row it is; `reason` has the key and
    the remedy.
    """

    where: str
    reason: str
    number: int = 0
    """The line or row, counted from 1."""

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"

    @classmethod
    def of(cls, error: RecipeError, where: str, number: int = 0) -> "BadRow":
        """What an error says of the row at `where`, in one line."""
        told = str(error).replace(f"\n{where}: ", "; ").removeprefix(f"{where}: ").removeprefix(f"{where}, ")
        return cls(where, told, number)


class BadRows(UserWarning):
    """Rows of a file that were left out while the others were read. `rows` are all of them."""

    def __init__(self, rows: Sequence[BadRow], told: str) -> None:
        super().__init__(told)
        self.rows = tuple(rows)


_SHOWN_LETTERS = 120
_SHOWN, _SHOWN_OF_ALL = 500, 20
"""Rows that a message names one by one: beside good ones, and where there is no good one."""


def leave_out(path: str | Path, bad: Sequence[BadRow], good: int, whole: bool = False) -> None:
    """Say which rows of a file were left out: all of them, at once.

    Args:
        good: how many rows can be used.
        whole: the file is worth nothing without all of its rows.

    Warns:
        BadRows: where others can be used.

    Raises:
        RecipeError: where none can, or the file must be whole.
    """
    if not bad:
        return
    bad = sorted(bad, key=lambda row: row.number)
    shown = _SHOWN if good else _SHOWN_OF_ALL
    lines = [str(row) for row in bad[:shown]]
    lines += [f"… and {len(bad) - shown} more"] if len(bad) > shown else []
    if whole or not good:
        raise RecipeError("\n".join(lines))
    count = "1 row was" if len(bad) == 1 else f"{len(bad)} rows were"
    told = f"{path}: {count} left out, {good} can be used. Mend or remove what is wrong:"
    warnings.warn(BadRows(bad, "\n".join([told, *lines])), stacklevel=3)


def read_rows(
    path: str | Path, model: type[Model], named: str = ""
) -> tuple[list[tuple[int, Model]], list[BadRow]]:
    """A file of JSON lines, one `model` a line, and the rows that are none. Empty lines are skipped, a
    byte-order mark is allowed.

    Returns:
        the rows with their line's number from 1, and the bad ones, both in order.

    Raises:
        RecipeError: the file cannot be read, or is not UTF-8.
    """
    try:
        text = read_bytes(path, named).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecipeError(f"{path}: not UTF-8 at byte {error.start}. Save it as UTF-8.") from error
    good: list[tuple[int, Model]] = []
    bad: list[BadRow] = []
    for number, line in json_lines(text, path):
        where = f"{path}, line {number}"
        try:
            good.append((number, _json_row(line, model, where)))
        except RecipeError as error:
            bad.append(BadRow.of(error, where, number))
    return good, bad


def json_lines(text: str, path: str | Path) -> list[tuple[int, str]]:
    """The lines of a file of JSON lines that are not empty, with their numbers from 1.

    Raises:
        RecipeError: they hold more than is kept of a file, however small each is.
    """
    try:
        count_json(text.encode("utf-8", "surrogatepass"), MOST_JSON_IN_FILE)
    except UntrustedInputError as error:
        raise RecipeError(f"{path}: {error}. Give a part of it.") from error
    # Split at newlines alone: str.splitlines would also break a row at a U+2028 inside a text.
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def sift(
    path: str | Path,
    rows: Iterable[tuple[int, Row]],
    bad: list[BadRow],
    read: Callable[[Row, int], Found],
    unit: str = "line",
) -> list[Found]:
    """What `read` makes of numbered rows; where it raises RecipeError, a bad row is added to `bad` instead.
    `unit` is what a number counts.
    """
    found: list[Found] = []
    for number, row in rows:
        try:
            found.append(read(row, number))
        except RecipeError as error:
            bad.append(BadRow.of(error, f"{path}, {unit} {number}", number))
    return found


def read_jsonl(path: str | Path, model: type[Model], named: str = "", whole: bool = False) -> list[Model]:
    """A file of JSON lines, one `model` a line; empty lines are skipped, a byte-order mark is allowed.

    Args:
        whole: refuse a file that has a bad row; otherwise its good rows are read, and all bad ones named.

    Warns:
        BadRows: some rows are bad; names each with its line and key.

    Raises:
        RecipeError: the file cannot be read, or no row can (or, with `whole`, not every row): names them all.
    """
    good, bad = read_rows(path, model, named)
    leave_out(path, bad, len(good), whole)
    return [row for _, row in good]


def _json_row(line: str, model: type[Model], where: str) -> Model:
    try:
        check_json(line.encode("utf-8", "surrogatepass"))
        row: Any = json.loads(
            line, object_pairs_hook=unique_keys, parse_float=_finite, parse_constant=_finite
        )
    except (json.JSONDecodeError, RecursionError) as error:
        raise RecipeError(f"{where}: not JSON ({error}). Write one object a line.") from error
    except ValueError as error:
        raise RecipeError(f"{where}: {error}") from error
    return validated(model, row, where)


def _finite(written: str) -> float:
    number = float(written.replace("Infinity", "inf"))
    if not math.isfinite(number):
        raise ValueError(f"{written[:40]} is no finite number")
    return number


def _explain(model: type[BaseModel], data: Any, problem: ErrorDetails) -> str:
    location = _written_location(problem["loc"], data, keep_last=_is_added(problem))
    key = ".".join(_cut(str(part)) for part in location) or "(top)"
    if problem["type"] == "extra_forbidden":
        known = set(_fields_at(model, location[:-1]))
        return f"{key}: unknown key.{did_you_mean(str(location[-1]), known)}"
    if problem["type"] == "missing":
        return f"{key}: is missing. Add it."
    message = problem["msg"].removeprefix("Value error, ")
    written = problem["input"]
    shown = "" if isinstance(written, Mapping | BaseModel) else f" (found {_cut(repr(written))})"
    return f"{key}: {message}{shown}" if location else message


def _cut(text: str) -> str:
    """As much of what somebody wrote as tells where and what it is."""
    return text if len(text) <= _SHOWN_LETTERS else f"{text[:_SHOWN_LETTERS]}…"


def _innermost(data: Any, problems: Sequence[ErrorDetails]) -> list[ErrorDetails]:
    """Without those of a key as a whole where there are others inside it: they are of a union's other
    branches, which were not meant.
    """
    places = [tuple(_written_location(each["loc"], data, keep_last=_is_added(each))) for each in problems]
    around = {place[:end] for place in places for end in range(1, len(place))}
    return [each for each, place in zip(problems, places, strict=True) if place not in around]


def _is_added(problem: ErrorDetails) -> bool:
    """Whether the last key of its place is not in the data, or not in the model."""
    return problem["type"] in ("missing", "extra_forbidden")


def _written_location(location: Sequence[int | str], data: Any, keep_last: bool) -> list[int | str]:
    """The keys as the user wrote them: without the union branches that pydantic puts between them."""
    written: list[int | str] = []
    at = data
    for index, part in enumerate(location):
        last = keep_last and index == len(location) - 1
        if isinstance(at, Mapping) and (part in at or last):
            written.append(part)
            at = cast(Mapping[Any, Any], at).get(part)
        elif isinstance(at, list) and isinstance(part, int):
            written.append(part)
            items = cast(list[Any], at)
            at = items[part] if part < len(items) else None
    return written


def _fields_at(model: type[BaseModel], location: Sequence[int | str]) -> Iterator[str]:
    """The keys that are allowed at `location`; follows fields, and the values of dicts and lists of
    models.
    """
    models = [model]
    for part in location:
        following: list[type[BaseModel]] = []
        for each in models:
            field = each.model_fields.get(str(part))
            following += list(_models_in(field.annotation)) if field else []
        models = following or models
    for each in models:
        yield from each.model_fields


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from _models_in(inner)
