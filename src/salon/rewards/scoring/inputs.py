"""What `salon score` is given: a folder, a CSV or JSON lines, as rows to score.

A folder has pictures and sources (a picture and a source of one name are one sample); its metadata.jsonl,
where there is one, says what they were made for. A row of a table has a picture's file, a source or a reply.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from salon.errors import RecipeError
from salon.strict import read_bytes
from salon.types import Prompt

PICTURES = (".png", ".jpg", ".jpeg", ".webp")
SOURCES = (".js", ".mjs", ".svg")
NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "sample_id", "uid", "custom_id"),
    "prompt": ("prompt", "caption", "instruction", "question"),
    "prompt_id": ("prompt_id",),
    "subject": ("subject",),
    "group": ("group", "group_id"),
    "step": ("step",),
    "seed": ("seed",),
    "tokens": ("tokens", "completion_tokens"),
    "picture": ("picture", "file_name", "image", "image_path", "file", "path"),
    "source": ("source", "code", "sketch", "svg"),
    "reply": ("reply", "completion", "response", "output", "answer", "result"),
}
"""What a column is taken for, by its name, the first that there is."""


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


@dataclass(frozen=True, slots=True)
class Given:
    """The rows of an input, and the columns that nothing was made of."""

    rows: tuple[Row, ...]
    unused: tuple[str, ...] = ()


def read_inputs(path: str, prompt: str = "", seed: int = 0) -> Given:
    """The samples of a folder, a .csv or a .jsonl.

    Args:
        prompt: what they were made for, where the input does not say.
        seed: of the rendering, where the input does not say.

    Raises:
        RecipeError: it cannot be read, or has nothing to score; names the file.
    """
    place = Path(path)
    given = _of_folder(place, prompt, seed) if place.is_dir() else _of_table(place, prompt, seed)
    if not given.rows:
        kinds = ", ".join((*PICTURES, *SOURCES))
        raise RecipeError(
            f"{path}: has nothing to score: a folder of {kinds}, or a .csv or .jsonl with rows."
        )
    if all(row.fault for row in given.rows):
        raise RecipeError(f"{path}: no row can be used. {given.rows[0].place}: {given.rows[0].fault}.")
    return given


def _of_folder(folder: Path, prompt: str, seed: int) -> Given:
    described = _described(folder)
    files: dict[tuple[Path, str], dict[str, Path]] = {}
    for file in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
        if file.is_file() and not hidden and file.suffix.lower() in (*PICTURES, *SOURCES):
            kind = "picture" if file.suffix.lower() in PICTURES else "source"
            files.setdefault((file.parent, file.stem), {}).setdefault(kind, file)
    rows: list[Row] = []
    for (parent, _), found in files.items():
        first = found.get("picture") or found["source"]
        name = str(first.relative_to(folder))
        about = (
            described.get(name) or described.get(str(found.get("source", first).relative_to(folder))) or {}
        )
        group = str(parent.relative_to(folder)) if parent != folder else ""
        made_for = _prompt(about, prompt, group)
        text, fault = _text_of(found["source"]) if "source" in found else ("", "")
        suffix = found["source"].suffix.lower() if "source" in found else ""
        rows.append(
            Row(
                name,
                name,
                made_for,
                group or made_for.id,
                0,
                found.get("picture"),
                text,
                suffix,
                seed,
                0,
                fault,
            )
        )
    return Given(tuple(rows))


def _described(folder: Path) -> dict[str, Mapping[str, Any]]:
    """What metadata.jsonl says about each file."""
    file = folder / "metadata.jsonl"
    if not file.is_file():
        return {}
    found: dict[str, Mapping[str, Any]] = {}
    for place, row in _json_lines(file):
        name = row.get("file_name")
        if not isinstance(name, str):
            raise RecipeError(f"{place}: file_name: is missing. Name the picture, relative to the folder.")
        found[name] = row
    return found


def _of_table(file: Path, prompt: str, seed: int) -> Given:
    suffix = file.suffix.lower()
    if suffix in (".jsonl", ".ndjson"):
        lines = list(_json_lines(file))
    elif suffix in (".csv", ".tsv"):
        lines = list(_csv_rows(file))
    else:
        raise RecipeError(f"{file}: is no folder, .csv or .jsonl. Give one of these.")
    columns = list(dict.fromkeys(key for _, row in lines for key in row))
    known = {column: role for role, names in NAMES.items() for column in names}
    rows = tuple(
        _row(place, number, _by_role(row), file.parent, prompt, seed)
        for number, (place, row) in enumerate(lines, 1)
    )
    return Given(rows, tuple(column for column in columns if column not in known and column != "meta"))


def _by_role(row: Mapping[str, Any]) -> dict[str, Any]:
    found = {
        role: next((row[name] for name in names if row.get(name) not in (None, "")), None)
        for role, names in NAMES.items()
    }
    return {**found, "meta": row.get("meta")}


def _row(place: str, number: int, row: Mapping[str, Any], folder: Path, prompt: str, seed: int) -> Row:
    made_for = _prompt(row, prompt, "")
    text, faults = "", list[str]()
    for key in ("source", "reply"):
        if row.get(key) is not None and not text:
            text = said_in(row[key])
            faults += [] if text else [f"{key}: has no text in it"]
    picture = folder / str(row["picture"]) if row.get("picture") is not None else None
    if picture is not None and not picture.is_file():
        faults.append(f"picture: there is no file {picture}")
    if picture is None and not text and not faults:
        faults.append("it has neither a picture, a source nor a reply")
    numbers = {key: _whole(row.get(key)) for key in ("step", "seed", "tokens")}
    faults += [f"{key}: {row[key]!r} is no whole number" for key, found in numbers.items() if found is None]
    return Row(
        id=str(row.get("id") or number),
        place=place,
        prompt=made_for,
        group=str(row.get("group") or made_for.id),
        step=numbers["step"] or 0,
        picture=picture,
        text=text,
        seed=seed if row.get("seed") is None else numbers["seed"] or 0,
        tokens=numbers["tokens"] or 0,
        fault="; ".join(faults),
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


def _prompt(row: Mapping[str, Any], default: str, group: str) -> Prompt:
    by_role = row if "meta" in row and "reply" in row else _by_role(row)
    text = said_in(by_role.get("prompt")) or default
    subject = str(by_role.get("subject") or "")
    meta = by_role.get("meta")
    kept = {str(k): str(v) for k, v in cast("dict[Any, Any]", meta).items()} if isinstance(meta, dict) else {}
    return Prompt(str(by_role.get("prompt_id") or group or text[:80] or "files"), text, subject, (), kept)


def _whole(value: Any) -> int | None:
    """A whole number; 0 where there is none; None for anything else."""
    try:
        return (
            int(value)
            if value is not None and float(value) == int(float(value))
            else 0
            if value is None
            else None
        )
    except (TypeError, ValueError, OverflowError):
        return None


def _text_of(file: Path) -> tuple[str, str]:
    try:
        return read_bytes(file).decode("utf-8"), ""
    except UnicodeDecodeError:
        return "", "it is not UTF-8 text"


def _json_lines(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each line's place and object. Raises RecipeError, naming the line."""
    for number, line in enumerate(_decoded(file).split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise RecipeError(f"{file}, line {number}: is no JSON ({error}).") from error
        if not isinstance(row, dict):
            raise RecipeError(f"{file}, line {number}: is no object.")
        yield f"{file}, line {number}", cast("dict[str, Any]", row)


def _csv_rows(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    text = _decoded(file)
    head = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=head.count)
    csv.field_size_limit(20_000_000)
    try:
        reader = csv.DictReader(io.StringIO(text), delimiter=delimiter)
        for row in reader:
            if None in row:
                raise RecipeError(f"{file}, line {reader.line_num}: has more cells than the header.")
            yield f"{file}, line {reader.line_num}", {key.strip(): value for key, value in row.items()}
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
