"""What `salon score` is given: a folder, a CSV or JSON lines, as rows to score.

A folder has pictures and sources (a picture and a source of one name are one sample); its metadata.jsonl,
where there is one, says what they were made for. A row of a table has a picture's file, a source or a reply.
"""

import csv
import io
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from salon.errors import RecipeError
from salon.files.csv_text import unguarded
from salon.files.untrusted import NO_JSON, json_value
from salon.types import Prompt
from salon.validation import json_lines, read_bytes

PICTURES = (".png", ".jpg", ".jpeg", ".webp")
SOURCES = (".js", ".mjs", ".svg")
METADATA = "metadata.jsonl"
NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "sample_id", "uid", "custom_id"),
    "prompt": ("prompt", "caption", "instruction", "question"),
    "prompt_id": ("prompt_id",),
    "subject": ("subject",),
    "tags": ("tags",),
    "group": ("group", "group_id"),
    "step": ("step",),
    "seed": ("seed",),
    "tokens": ("tokens", "completion_tokens"),
    "picture": ("picture", "file_name", "image", "image_path", "file", "path"),
    "source": ("source", "code", "sketch", "svg"),
    "reply": ("reply", "completion", "response", "output", "answer", "result"),
}
"""What a column is taken for, by its name, the first that there is."""
_MOST = 10**12
"""Steps, tokens and seeds are below; a run's steps are."""
_COLUMNS = frozenset(column for names in NAMES.values() for column in names)


@dataclass(frozen=True, slots=True)
class Row:
    """One sample to score. `picture` is a file; `text` a source, or a reply that has one inside. `fault` says
    why it cannot be used. `place` is where it stands, for people.
    """

    id: str
    place: str
    prompt: Prompt
    group: str
    step: int = 0
    picture: Path | None = None
    text: str = field(default="", repr=False)
    suffix: str = ""
    seed: int = 0
    tokens: int = 0
    fault: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """The rows of an input, the columns that nothing was made of, and why files in a folder, or lines of its
    metadata, were left out, a line each.
    """

    rows: tuple[Row, ...]
    unused: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MadeFor:
    """What samples were made for, where the input does not say. `wanted`: the names of meta that the reward
    reads: a column of such a name is meta. `seed` is the rendering's.
    """

    prompt: str = ""
    subject: str = ""
    meta: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())
    wanted: frozenset[str] = frozenset()
    seed: int = 0


def read_inputs(given: str | Sequence[str], prompt: str | MadeFor = "", seed: int = 0) -> Given:
    """The samples of folders, .csv, .jsonl, and of single pictures and sources.

    Args:
        prompt: what they were made for, where the input does not say.
        seed: of the rendering, where the input does not say.

    Raises:
        RecipeError: it cannot be read, or has nothing to score; names the file.
    """
    paths = [given] if isinstance(given, str) else list(given)
    about = prompt if isinstance(prompt, MadeFor) else MadeFor(prompt, seed=seed)
    read = [_of_one(Path(path), about) for path in paths]
    rows = tuple(row for each in read for row in each.rows)
    named = ", ".join(paths[:3])
    if not rows:
        kinds = ", ".join((*PICTURES, *SOURCES))
        raise RecipeError(
            f"{named}: has nothing to score: a folder of {kinds}, or a .csv or .jsonl with rows."
        )
    if all(row.fault for row in rows):
        raise RecipeError(f"{named}: no row can be used. {rows[0].place}: {rows[0].fault}.")
    unused = tuple(dict.fromkeys(column for each in read for column in each.unused))
    return Given(rows, unused, tuple(line for each in read for line in each.skipped))


def _of_one(place: Path, about: MadeFor) -> Given:
    if os.path.isdir(place):
        return _of_folder(place, about)
    if place.suffix.lower() in (*PICTURES, *SOURCES) and os.path.isfile(place):
        kind = "picture" if place.suffix.lower() in PICTURES else "source"
        return Given((_of_files(place.name, {kind: place}, _prompt(_by_role({}, about), about, ""), about),))
    return _of_table(place, about)


def _of_folder(folder: Path, about: MadeFor) -> Given:
    described, unused, skipped = _described(folder, about)
    files: dict[tuple[Path, str], dict[str, Path]] = {}
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder)
        if any(part.startswith(".") for part in name.parts) or os.path.isdir(file):
            continue
        if not os.path.isfile(file):
            skipped.append(f"{file}: there is no such file: the link leads nowhere")
        elif file.suffix.lower() in (*PICTURES, *SOURCES):
            kind = "picture" if file.suffix.lower() in PICTURES else "source"
            files.setdefault((file.parent, file.stem), {}).setdefault(kind, file)
        elif str(name) != METADATA and not is_ours(file):
            skipped.append(f"{file}: is no {', '.join((*PICTURES, *SOURCES))}")
    rows: list[Row] = []
    for (parent, _), found in files.items():
        names = [str(found[kind].relative_to(folder)) for kind in ("picture", "source") if kind in found]
        said = next((described[name] for name in names if name in described), {})
        group = str(parent.relative_to(folder)) if parent != folder else ""
        rows.append(_of_files(names[0], found, _prompt(_by_role(said, about), about, group), about, group))
    return Given(tuple(rows), unused, tuple(skipped))


def is_ours(file: Path) -> bool:
    """Whether it is what an earlier `salon score` wrote into the folder."""
    name = str(file)
    journal = ".steps.jsonl"
    written = name.removesuffix(journal)
    return os.path.isfile(f"{written}{journal}") and os.path.isfile(written)


def _of_files(name: str, found: Mapping[str, Path], made_for: Prompt, about: MadeFor, group: str = "") -> Row:
    text, fault = _text_of(found["source"]) if "source" in found else ("", "")
    first = found.get("picture") or found["source"]
    return Row(
        id=name,
        place=name,
        prompt=made_for,
        group=group or made_for.id,
        picture=found.get("picture"),
        text=text,
        suffix=found["source"].suffix.lower() if "source" in found else "",
        seed=about.seed,
        fault=fault,
        file=str(first),
    )


def _described(
    folder: Path, about: MadeFor
) -> tuple[dict[str, Mapping[str, Any]], tuple[str, ...], list[str]]:
    """What metadata.jsonl says about each file, its keys that nothing is made of, and its bad lines."""
    file = folder / METADATA
    if not os.path.isfile(file):
        return {}, (), []
    found: dict[str, Mapping[str, Any]] = {}
    bad: list[str] = []
    for place, row, fault in _json_lines(file):
        name = row.get("file_name")
        if fault or not isinstance(name, str):
            told = fault or "file_name: is missing. Name the picture, relative to the folder"
            bad.append(f"{place}: {told}")
        else:
            found[name] = row
    return found, _unused(found.values(), about), bad


def _of_table(file: Path, about: MadeFor) -> Given:
    suffix = file.suffix.lower()
    if suffix in (".jsonl", ".ndjson"):
        lines = list(_json_lines(file))
    elif suffix in (".csv", ".tsv"):
        lines = list(_csv_rows(file))
    else:
        raise RecipeError(f"{file}: is no folder, .csv or .jsonl. Give one of these.")
    rows = tuple(
        _row(place, number, _by_role(row, about), file, about, fault or _meta_fault(row.get("meta")))
        for number, (place, row, fault) in enumerate(lines, 1)
    )
    return Given(rows, _unused((row for _, row, _ in lines), about))


def _unused(rows: Iterable[Mapping[str, Any]], about: MadeFor) -> tuple[str, ...]:
    known = _COLUMNS | about.wanted | {"meta"}
    columns = dict.fromkeys(key for row in rows for key in row)
    return tuple(key for key in columns if key not in known and not key.startswith("meta."))


def _by_role(row: Mapping[str, Any], about: MadeFor) -> dict[str, Any]:
    found = {
        role: next((row[name] for name in names if row.get(name) not in (None, "")), None)
        for role, names in NAMES.items()
    }
    return {**found, "meta": _meta_in(row, about)}


def _meta_in(row: Mapping[str, Any], about: MadeFor) -> dict[str, str]:
    """What stands under `meta` (an object, or one as text in a cell), in keys meta.X, and in those that the
    reward reads, over what holds for all.
    """
    given = row.get("meta")
    if isinstance(given, str):
        try:
            given = json_value(given)
        except ValueError:
            given = None
    held = cast("dict[Any, Any]", given) if isinstance(given, dict) else {}
    dotted = {key.removeprefix("meta."): value for key, value in row.items() if key.startswith("meta.")}
    named = {key: row[key] for key in about.wanted - _COLUMNS if key in row}
    kept = {str(k): str(v) for k, v in (named | held | dotted).items() if v not in (None, "")}
    return {**about.meta, **kept}


def _meta_fault(given: Any) -> str:
    """Why a cell that begins like an object is none; a text of another kind is nothing to us."""
    if isinstance(given, str) and given.lstrip().startswith("{"):
        try:
            json_value(given)
        except ValueError as error:
            return f"meta: {error}"
    return ""


def _row(place: str, number: int, row: Mapping[str, Any], file: Path, about: MadeFor, fault: str) -> Row:
    made_for = _prompt(row, about, "")
    text, faults = "", [fault] if fault else list[str]()
    for key in ("source", "reply"):
        if row.get(key) is not None and not text:
            text = said_in(row[key])
            faults += [] if text else [f"{key}: has no text in it"]
    picture = file.parent / str(row["picture"]) if row.get("picture") is not None else None
    if picture is not None and not os.path.isfile(picture):
        faults.append(f"picture: there is no file {picture}")
    if picture is None and not text and not faults:
        faults.append("it has neither a picture, a source nor a reply")
    numbers = {key: _whole(row.get(key), key) for key in ("step", "seed", "tokens")}
    faults += [
        f"{key}: {str(row[key])[:40]!r} is no whole number that a run has"
        for key, found in numbers.items()
        if found is None
    ]
    return Row(
        id=str(row.get("id") or row.get("picture") or number),
        place=place,
        prompt=made_for,
        group=str(row.get("group") or made_for.id),
        step=numbers["step"] or 0,
        picture=picture,
        text=text,
        seed=about.seed if row.get("seed") is None else numbers["seed"] or 0,
        tokens=numbers["tokens"] or 0,
        fault="; ".join(faults),
        file=str(picture or place),
    )


def said_in(value: Any) -> str:
    """The text of a reply: itself, the last turn of a conversation, or what is inside a batch's answer of
    OpenAI's or Anthropic's.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [part for part in cast("list[Any]", value) if isinstance(part, dict)]
        texts = [part["text"] for part in parts if isinstance(part.get("text"), str)]
        return "".join(texts) if texts else said_in(parts[-1].get("content")) if parts else ""
    if isinstance(value, dict):
        held = cast("dict[str, Any]", value)
        for key in ("body", "message", "content", "text"):
            if key in held:
                return said_in(held[key])
        choices = held.get("choices")
        return said_in(cast("list[Any]", choices)[0]) if isinstance(choices, list) and choices else ""
    return ""


def _prompt(by_role: Mapping[str, Any], about: MadeFor, group: str) -> Prompt:
    text = said_in(by_role.get("prompt")) or about.prompt
    subject = str(by_role.get("subject") or about.subject)
    name = str(by_role.get("prompt_id") or group or text[:80] or "files")
    return Prompt(name, text, subject, _tags(by_role.get("tags")), by_role["meta"])


def _tags(value: Any) -> tuple[str, ...]:
    """A list, or words between commas."""
    parts = cast("list[Any]", value) if isinstance(value, list) else str(value or "").split(",")
    return tuple(found for part in parts if (found := str(part).strip()))


def _whole(value: Any, key: str) -> int | None:
    """A whole number; 0 where there is none; None for anything else, and for what no run has."""
    if value is None:
        return 0
    try:
        number = int(float(value))
    except (TypeError, ValueError, OverflowError):
        return None
    is_whole = float(value) == number and not isinstance(value, bool)
    return number if is_whole and (key == "seed" or number >= 0) and abs(number) < _MOST else None


def _text_of(file: Path) -> tuple[str, str]:
    try:
        return read_bytes(file).decode("utf-8"), ""
    except UnicodeDecodeError:
        return "", "it is not UTF-8 text"


def _json_lines(file: Path) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Each line's place and object, and why it is none."""
    for number, line in json_lines(_decoded(file), file):
        place = f"{file}, line {number}"
        try:
            row = json_value(line)
        except ValueError as error:
            yield place, {}, f"is no JSON ({error})" if str(error).startswith(NO_JSON) else str(error)
            continue
        is_object = isinstance(row, dict)
        yield place, cast("dict[str, Any]", row) if is_object else {}, "" if is_object else "is no object"


def _csv_rows(file: Path) -> Iterator[tuple[str, dict[str, Any], str]]:
    text = _decoded(file)
    head = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=head.count)
    csv.field_size_limit(20_000_000)
    try:
        reader = csv.DictReader(io.StringIO(text), delimiter=delimiter)
        for row in reader:
            fault = "has more cells than the header" if None in row else ""
            cells = {unguarded(k.strip()): v and unguarded(v) for k, v in row.items() if isinstance(k, str)}
            yield f"{file}, line {reader.line_num}", cells, fault
    except csv.Error as error:
        raise RecipeError(f"{file}: cannot be read as CSV ({error}).") from error


def _decoded(file: Path) -> str:
    try:
        return read_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecipeError(f"{file}: not UTF-8 at byte {error.start}. Save it as UTF-8.") from error


def places_of(rows: Sequence[Row]) -> list[str]:
    """What cannot be used, a line each."""
    return [f"{row.place}: {row.fault}" for row in rows if row.fault]
